"""Spark SQL over Parquet files or tables that were never imported: `spark:///films.toml`, `spark://master:7077/films.toml`.

The session is the one that runs already (under spark-submit, say), else one at the named master, else one on this machine.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from sqlglot import exp

from graphtalk.core import UsageError
from graphtalk.engines.elsewhere.mapping import by_recipe
from graphtalk.engines.elsewhere.sql import Tables, view_name
from graphtalk.engines.elsewhere.tables import TablesBackend, parquet_files
from graphtalk.graphs.recipe import load_recipe

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_GROUP = "graphtalk"


class SparkBackend(TablesBackend):
    """A graph in tables that Spark reads. Only queries are sent."""

    engine = "Spark"

    def __init__(self, mapping: Path, master: str = "", folder: str = "") -> None:
        """Read `mapping`, whose files lie in `folder` (beside it where that is empty), in a session at `master`.

        Raises UsageError where PySpark or Java is missing, or there is no such mapping.
        """
        super().__init__()
        if not mapping.is_file():
            raise UsageError(
                f"spark:///{mapping}: there is no such mapping of tables. docs/backends.md says how to write one."
            )
        self.place = str(mapping)
        self._recipe = load_recipe(mapping)
        self._session = _session(master)
        from pyspark.errors import PySparkException

        self._errors = PySparkException
        with self._asking():
            for name in parquet_files(self._recipe):
                where = f"{folder or mapping.parent}/{name}"
                self._session.read.parquet(where).createOrReplaceTempView(view_name(name))

    def _found(self) -> Tables:
        return by_recipe(self._recipe, self._columns, lambda name: "", self.place)

    def _asked(self, query: exp.Select) -> pa.Table:
        with self._asking():
            self._session.sparkContext.setJobGroup(_GROUP, "a question", interruptOnCancel=True)
            return self._session.sql(query.sql("spark")).toArrow()

    def stop(self) -> None:
        """End what runs."""
        self._session.sparkContext.cancelJobGroup(_GROUP)

    def close(self) -> None:
        """Nothing: the session stays, since it takes seconds to start."""


def _session(master: str) -> "SparkSession":
    from graphtalk.vertex.engines.spark import local_session

    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise UsageError('PySpark is not installed: python -m pip install "graphtalk[spark]".') from None
    running = SparkSession.getActiveSession()
    if running is not None:
        return running
    if master:
        return SparkSession.builder.master(master).appName("graphtalk").getOrCreate()
    return local_session()
