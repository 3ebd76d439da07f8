"""Makes the store beside this file, as it was written before features could be dates (commit 24c98e5).

git worktree add /tmp/then 24c98e5
PYTHONPATH=/tmp/then/src python tests/data/early_store.py
"""

from datetime import date, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa

from graphtalk.graphs import EdgeTable, NodeTable, build, write

people = pa.table(
    {
        "id": ["a", "b"],
        "name": ["Ann", "Bob"],
        "hired": pa.array([date(2019, 5, 1), None]),
        "seen": pa.array([datetime(2020, 1, 2, 3, 4, 5), None], pa.timestamp("ns")),
        "age": pa.array([31, 45], pa.int32()),
        "scores": pa.array([[1.5, 2.0], None]),
        "aliases": [["Annie"], []],
    }
)
since = pa.table({"since": pa.array([date(2021, 3, 14)]), "note": ["first"]})
knows = EdgeTable("knows", "person", "person", np.array([0]), np.array([1]), since)
write(build([NodeTable("person", people, "name")], [knows], "early"), Path(__file__).with_suffix(""))
