"""Which rows of a column hold a value, and columns that get a look-up because they are asked often."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import graphtalk as gt
from graphtalk.calls.cypher import parse_query
from graphtalk.engines.arrays.run import run as run_query
from graphtalk.engines.binding import bind
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.graphs.graph import SCANS
from graphtalk.graphs.lookup import Lookup
from query_runs import frame, rows_of

WORDS = st.text("ab\0é漢", max_size=20)
NUMBERS = st.integers(-(2**63), 2**63 - 1)


@given(st.one_of(*(st.lists(st.none() | each, max_size=30) for each in (WORDS, NUMBERS))), st.integers(0, 3))
def test_the_rows_that_hold_a_value_are_found(cells: list[str | int | None], first: int) -> None:
    kind = pa.string() if any(isinstance(cell, str) for cell in cells) else pa.int64()
    column = pa.chunked_array([pa.array(cells, kind)[first:]])
    found = Lookup.of(column)
    assert found is not None
    known = column.to_pylist()
    for value in {cell for cell in known if cell is not None}:
        rows = found.find([value])
        assert rows is not None and rows.tolist() == [row for row, cell in enumerate(known) if cell == value]
    every = found.find([cell for cell in known if cell is not None])
    assert every is not None and every.tolist() == [row for row, cell in enumerate(known) if cell is not None]


def test_values_of_another_kind_are_not_looked_up() -> None:
    found = Lookup.of(pa.chunked_array([[1, 2]]))
    assert found is not None and found.find(["1"]) is None and found.find([2**70]) is None
    assert Lookup.of(pa.chunked_array([[1.5]])) is None


def many() -> Graph:
    names = [f"n{i % 50}" for i in range(200)]
    nodes = pa.table({"id": [f"i{i}" for i in range(200)], "name": names, "age": [i % 7 for i in range(200)]})
    ends = np.arange(199)
    return build([NodeTable("thing", nodes, "name")], [EdgeTable("next", "thing", "thing", ends, ends + 1)])


def test_a_column_that_is_asked_often_gives_the_same_by_its_look_up() -> None:
    graph = many()
    texts = [
        "MATCH (n:thing {name: 'n7'}) RETURN n.id AS id",
        "MATCH (n:thing) WHERE n.name IN ['n7', 'n9', null] AND n.age > 2 RETURN n.id AS id",
        "MATCH (n:thing)-[:next]->(m) WHERE n.age = 3 AND m.name = 'n4' RETURN m.id AS id",
        "MATCH (n:thing) WHERE n.age = '3' RETURN count(*) AS n",
        "MATCH (n:thing) WHERE n.age = 3.0 RETURN count(*) AS n",
        "MATCH (n:thing) WHERE n.name = $name RETURN n.id AS id",
        "MATCH (n:thing) WHERE n.id IN $ids AND n.age < 6 RETURN n.id AS id",
    ]
    given = {"name": "n3", "ids": ["i1", "i6", "nobody"]}
    before = [rows_of(text, frame(graph, **given)) for text in texts]
    assert graph.lookup("thing", "name") is None
    for _ in range(SCANS):
        rows_of("MATCH (n:thing) WHERE n.name = 'x' RETURN n", frame(graph))
        rows_of("MATCH (n:thing) WHERE n.age = 1 RETURN n", frame(graph))
    assert graph.lookup("thing", "name") is not None and graph.lookup("thing", "age") is not None
    assert [rows_of(text, frame(graph, **given)) for text in texts] == before
    naive = [i for i in range(200) if i % 50 in (7, 9) and i % 7 > 2]
    assert before[1] == [[f"i{i}"] for i in naive] and before[6] == [["i1"]]
    assert before[3] == before[4] == [[sum(i % 7 == 3 for i in range(200))]]


def test_a_prepared_query_takes_each_set_of_values_anew() -> None:
    graph = many()
    text = "MATCH (n:thing {name: $name}) RETURN n.id AS id ORDER BY id LIMIT $many"
    found = [gt.query(graph, text, {"name": name, "many": 2}) for name in ("n1", "n2", "n1")]
    assert [each.rows for each in found] == [[["i1"], ["i101"]], [["i102"], ["i152"]], [["i1"], ["i101"]]]
    one = [gt.query(graph, text.replace("$many", "3"), {"name": name}) for name in ("n1", "n2")]
    assert [len(each.rows) for each in one] == [3, 3] and '"n2"' in one[1].result.trail.spelling
    assert gt.query(graph, one[1].result.trail.spelling).rows == one[1].rows


def test_what_is_kept_of_a_query_does_not_grow_with_each_run() -> None:
    graph = many()
    bound = bind(
        parse_query(
            "MATCH (n:thing {name: $name}) WHERE EXISTS { (n)-[:next]->() } "
            "RETURN [(n)-[:next]->(m) | m.name] AS names, COUNT { (n)-->() } AS c ORDER BY c"
        ),
        graph.schema,
    )
    sizes = []
    for name in ("n1", "n2", "n3", "n4"):
        at = replace(frame(graph, name=name), plans=bound.plans)
        assert len(list(run_query(bound.query, at).records())) == 4
        sizes.append(len(bound.plans._kept))
    assert sizes[0] == sizes[-1]


def test_a_short_process_does_without_what_is_slow_to_import() -> None:
    code = (
        "import sys, graphtalk.tools.executor; print({'pyarrow.compute', 'pandas', 'lark'} & {*sys.modules})"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
