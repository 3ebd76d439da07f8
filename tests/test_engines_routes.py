"""The k shortest paths, shortest paths by weight, and paths that pass no node twice, against all paths tried one by one."""

import json
from collections.abc import Iterator
from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphtalk as gt
from graphtalk.calls import cypher
from graphtalk.core import Answer, CheckError, ToolError
from graphtalk.engines.arrays import routes
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.tools.executor import Executor
from graphtalk.tools.values import to_json
from graphtalk.tools.verify import verify
from query_runs import frame, rows_of

Edges = list[tuple[int, int, float | None]]


def roads(edges: Edges, directed: bool = True) -> Graph:
    """Five towns and roads between them, with lengths that some lack."""
    source, target = (np.array([edge[end] for edge in edges], np.int64) for end in (0, 1))
    km = pa.table({"km": pa.array([edge[2] for edge in edges], pa.float64()), "name": ["x"] * len(edges)})
    towns = NodeTable("town", pa.table({"id": [f"t{i}" for i in range(5)]}))
    return build([towns], [EdgeTable("road", "town", "town", source, target, km, "" if directed else "road")])


def every(edges: Edges, directed: bool, acyclic: bool, weighted: bool, start: int, goal: int) -> list[float]:
    """The lengths of all paths, the shortest first."""

    def on(node: int, taken: tuple[int, ...], passed: tuple[int, ...], length: float) -> Iterator[float]:
        if node == goal and taken:
            yield length
            if acyclic:
                return
        for number, (source, target, km) in enumerate(edges):
            ends = {(source, target)} if directed else {(source, target), (target, source)}
            for here, there in ends:
                new = there not in passed if acyclic else number not in taken
                if here == node and new and not (weighted and km is None):
                    more = (km or 0.0) if weighted else 1.0
                    yield from on(there, (*taken, number), (*passed, there), length + more)

    return sorted(on(start, (), (start,), 0.0))


EDGES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([None, 0.0, 1.0, 2.0, 3.5])),
    min_size=1,
    max_size=8,
)


@given(
    EDGES,
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.sampled_from([1, 2, 5, 99]),
    st.sampled_from([0, 9]),
)
def test_the_first_so_many_are_the_shortest(
    edges: Edges, directed: bool, acyclic: bool, weighted: bool, k: int, at_once: int
) -> None:
    words = f"SHORTEST {k} {'ACYCLIC' * acyclic} {'BY km' * weighted}"
    with patch.object(routes, "_AT_ONCE", at_once):
        found = rows_of(
            f"MATCH (a {{id: 't0'}}), (b {{id: 't3'}}) MATCH p = {words} (a)-[r:road*]-{'>' * directed}(b) "
            "RETURN length(p) AS n, reduce(s = 0.0, e IN r | s + coalesce(e.km, 0.0)) AS km",
            frame(roads(edges, directed)),
        )
    lengths = [km if weighted else float(n) for n, km in found]  # type: ignore[misc, arg-type]
    assert lengths == every(edges, directed, acyclic, weighted, 0, 3)[:k]


@given(EDGES, st.booleans(), st.booleans())
def test_one_or_all_are_the_lightest(edges: Edges, directed: bool, one: bool) -> None:
    graph = roads(edges, directed)
    with patch.object(routes, "_AT_ONCE", 0):
        found = rows_of(
            f"MATCH (a {{id: 't0'}}), (b) WHERE a <> b MATCH p = {'ANY' if one else 'ALL'} SHORTEST BY km "
            f"(a)-[r:road*]-{'>' * directed}(b) RETURN b.id AS b, reduce(s = 0.0, e IN r | s + e.km) AS km",
            frame(graph),
        )
    expected = []
    for goal in range(1, 5):
        lengths = every(edges, directed, True, True, 0, goal)
        best = [length for length in lengths if length == lengths[0]]
        expected += [[f"t{goal}", length] for length in (best[:1] if one else best)]
    assert sorted(found, key=repr) == sorted(expected, key=repr)


@given(EDGES, st.booleans())
def test_acyclic_paths_pass_no_node_twice(edges: Edges, directed: bool) -> None:
    found = rows_of(
        f"MATCH p = ACYCLIC ({{id: 't0'}})-[:road*]-{'>' * directed}({{id: 't3'}}) RETURN length(p) AS n",
        frame(roads(edges, directed)),
    )
    assert sorted(float(n) for (n,) in found) == every(edges, directed, True, False, 0, 3)  # type: ignore[arg-type]


ROADS: Edges = [(0, 1, 1.0), (1, 3, 9.0), (0, 2, 2.0), (2, 3, 2.0), (3, 4, 1.0), (0, 3, 20.0), (1, 2, None)]
CHEAPEST = "MATCH p = SHORTEST 2 ACYCLIC PATHS BY km ({id: 't0'})-[:road*]->({id: 't4'}) RETURN p"


def test_the_best_of_many_ways_with_conditions_on_their_edges() -> None:
    text = CHEAPEST.replace(" RETURN", " WHERE all(r IN relationships(p) WHERE r.km < 9) RETURN")
    assert rows_of(text, frame(roads(ROADS))) == [[["t0", "t2", "t3", "t4"]]]


def test_edges_without_a_weight_are_said_to_be_left_out() -> None:
    at = frame(roads(ROADS))
    assert rows_of(CHEAPEST, at) == [[["t0", "t2", "t3", "t4"]], [["t0", "t1", "t3", "t4"]]]
    assert at.remarks == ["Edges without km are not followed."]


def test_paths_have_evidence_and_verify() -> None:
    graph = roads(ROADS)
    executor = Executor(graph)
    found = executor.run(cypher.parse(CHEAPEST))
    evidence = found.evidence()
    assert set(evidence.nodes) == {"t0", "t1", "t2", "t3", "t4"} and evidence.complete
    assert ("t0", "road", "t3") not in evidence.edges and len(evidence.edges) == 5
    value = to_json(found.value, graph)
    answer = Answer(True, json.dumps(value), value, evidence, found.calls, lm="scripted")
    assert verify(executor, answer).verdict == "same"
    fewer = replace(answer, evidence=replace(evidence, edges=evidence.edges[:-1]))
    assert verify(executor, fewer).verdict == "differs"


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("ANY SHORTEST BY km (a)-[:road*..3]-(b)", "take no bound"),
        ("ANY SHORTEST BY name (a)-[:road*]-(b)", "a number of their edges, and name is a text"),
        ("ANY SHORTEST BY miles (a)-[:road*]-(b)", "no feature 'miles'"),
        ("SHORTEST 2 (a)-[:road*]-(b)-[:road]-(c)", "a pattern of one edge"),
    ],
)
def test_what_cannot_be_measured_is_refused(pattern: str, message: str) -> None:
    with pytest.raises(CheckError, match=message):
        gt.query(roads(ROADS), f"MATCH p = {pattern} RETURN p")


def test_a_length_below_nothing_is_refused() -> None:
    with pytest.raises(ToolError, match="km below 0"):
        gt.query(
            roads([(0, 1, -1.0)]), "MATCH p = ANY SHORTEST BY km ({id: 't0'})-[:road*]-({id: 't1'}) RETURN p"
        )


def test_closure_and_common_neighbours_of_many() -> None:
    graph = roads([(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0), (3, 1, 1.0), (4, 1, 1.0)])
    under = gt.query(graph, "MATCH ({id: 't3'})-[:road*]->(x) RETURN DISTINCT x.id AS id")
    assert sorted(row[0] for row in under.rows) == ["t0", "t1", "t2"]
    shared = gt.query(
        graph,
        "MATCH (a)-[:road]->(x) WHERE a.id IN $ids WITH x, count(DISTINCT a) AS n WHERE n = size($ids) RETURN x.id AS id",
        {"ids": ["t0", "t3", "t4"]},
    )
    assert shared.rows == [["t1"]] and len(shared.evidence.edges) == 3
