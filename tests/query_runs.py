"""Queries run in tests: a small graph, a meter, and how a query's rows come out."""

from datetime import date

import numpy as np
import pyarrow as pa

from graphtalk.calls.cypher import parse_query
from graphtalk.engines.arrays.columns import column_of
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.engines.arrays.rows import Edges, Nodes, Rows, Scalar
from graphtalk.engines.arrays.run import run, run_parts
from graphtalk.engines.binding import bind
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.tools.limits import Budget, Limits


def people() -> Graph:
    """Four people and three towns; `lives` has a date, `knows` (undirected) a number that some edges lack."""
    person = pa.table(
        {
            "id": ["p0", "p1", "p2", "p3"],
            "name": ["Ann", "Bo", "Cy", None],
            "age": [30, None, 25, 41],
            "born": [date(1990, 5, 4), date(1980, 1, 31), None, date(2000, 2, 29)],
            "height": [1.7, 1.8, None, float("nan")],
            "tags": [["a", "b"], [], None, ["b"]],
            "year": ["1990", "1980", "unknown", None],
        }
    )
    town = pa.table({"id": ["t0", "t1", "t2"], "title": ["Ulm", "Bonn", "Ann"], "age": [800, 900, 5]})
    lives = pa.table({"since": [date(2010, 1, 1), date(2019, 6, 1), date(2020, 2, 2)]})
    knows = pa.table({"weight": pa.array([1, None, 3], pa.int64())})

    def ends(*pairs: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        return np.array([s for s, _ in pairs]), np.array([t for _, t in pairs])

    return build(
        [NodeTable("person", person, "name"), NodeTable("town", town, "title")],
        [
            EdgeTable("lives", "person", "town", *ends((0, 0), (1, 1), (2, 0)), lives, ""),
            EdgeTable("knows", "person", "person", *ends((0, 1), (1, 2), (0, 2)), knows, "knows"),
        ],
    )


def frame(graph: Graph, limits: Limits | None = None, **parameters: Scalar) -> Frame:
    """What a query runs in, without other calls."""

    def no_call(call: object) -> Scalar:
        raise AssertionError(f"no call was expected: {call}")

    return Frame(graph, Budget(limits or Limits()), no_call, parameters)


def rows_of(text: str, at: Frame, start: Rows | None = None) -> list[list[object]]:
    """The rows that a query gives: bound to the graph, or begun with `start`, whose columns it names."""
    if start is None:
        return list(run(bind(parse_query(text), at.graph.schema).query, at).records())
    return list(ResultSet(run_parts(parse_query(text), start, at), at.graph).records())


def all_nodes(graph: Graph) -> Rows:
    """Rows with every node as `n`, and every edge as `r` in the first rows, none in the others."""
    edges = np.full(graph.num_nodes, -1)
    edges[: min(graph.num_edges, graph.num_nodes)] = np.arange(min(graph.num_edges, graph.num_nodes))
    return Rows(graph.num_nodes, {"n": Nodes(np.arange(graph.num_nodes)), "r": Edges(edges)})


def rows_with(**columns: list[Scalar]) -> Rows:
    """Rows of these values."""
    size = len(next(iter(columns.values())))
    return Rows(size, {name: column_of(values) for name, values in columns.items()})
