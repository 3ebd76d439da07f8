"""The graphs that come with the package: a folder with a recipe, or a JSON file of a graph set, each.

data/NAME/recipe.toml, …    a graph of tables
data/NAME.json              a graph set: {"bull_graph": {"nodes": 5, "edges": [[0, 1], …]}, …}
"""

import hashlib
import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pyarrow as pa

from graphtalk.core import UsageError, choices
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.graph_set import GraphSet
from graphtalk.graphs.recipe import RECIPE_FILE

DATA = Path(str(files("graphtalk.graphs"))) / "data"


def names() -> list[str]:
    """Names of the built-in graphs; none is loaded."""
    folders = [p.parent.name for p in DATA.glob(f"*/{RECIPE_FILE}")]
    return sorted(folders + [p.stem for p in DATA.glob("*.json")])


def load(name: str) -> Graph | GraphSet:
    """The built-in graph of this name. Raises UsageError with the valid names."""
    from graphtalk.graphs.read import read_graph  # readers are slow to import, and only needed once

    place = _place(name)
    if place.is_dir():
        return read_graph([place], recipe=place / RECIPE_FILE, name=name)
    return _read_set(place, name)


def checksum(name: str) -> str:
    """SHA-256 of the data that the graph is made from."""
    place = _place(name)
    parts = sorted(place.iterdir()) if place.is_dir() else [place]
    return hashlib.sha256(b"".join(hashlib.sha256(p.read_bytes()).digest() for p in parts)).hexdigest()


def _place(name: str) -> Path:
    if name not in names():
        raise UsageError(f"No built-in graph {name!r}. {choices(name, names())}")
    folder = DATA / name
    return folder if folder.is_dir() else DATA / f"{name}.json"


def _read_set(path: Path, name: str) -> GraphSet:
    graphs = json.loads(path.read_text(encoding="utf-8"))
    parts = {key: _undirected(key, value["nodes"], value["edges"]) for key, value in graphs.items()}
    return GraphSet.of(parts, name)


def _undirected(name: str, nodes: int, edges: list[list[int]]) -> Graph:
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2)
    table = pa.table({"id": [str(n) for n in range(nodes)]})
    return build(
        [NodeTable("node", table)],
        [EdgeTable("edge", "node", "node", ends[:, 0], ends[:, 1], None, "edge")],
        name,
    )
