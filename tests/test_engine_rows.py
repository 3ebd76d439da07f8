"""What WITH, RETURN, UNWIND and UNION make of rows; limits and ties; and where each row came from."""

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.calls.cypher import parse_query
from graphtalk.calls.query import Part, Query
from graphtalk.core import CheckError, ToolError
from graphtalk.engines.arrays.columns import values_of
from graphtalk.engines.arrays.rows import MISSING, Nodes, Rows
from graphtalk.engines.arrays.run import run, run_parts
from graphtalk.engines.arrays.scalars import identity, order
from query_runs import all_nodes, frame, people, rows_of, rows_with

GRAPH = people()
KINDS = rows_with(
    k=["a", "b", "a", None, "b", "a"], x=[3, 1, None, 5, 4, 1], y=[1.5, float("nan"), 0.5, 2.0, None, -1.0]
)

CASES = {
    "RETURN x ORDER BY x": [[1], [1], [3], [4], [5], [None]],
    "RETURN x ORDER BY x DESC": [[None], [5], [4], [3], [1], [1]],
    "RETURN y ORDER BY y": [[-1.0], [0.5], [1.5], [2.0], ["NaN"], [None]],
    "RETURN y ORDER BY y DESC LIMIT 3": [[None], ["NaN"], [2.0]],
    "RETURN k, x ORDER BY k DESC, x SKIP 1 LIMIT 2": [["b", 1], ["b", 4]],
    "RETURN k AS x, x AS k ORDER BY x, k LIMIT 2": [["a", 1], ["a", 3]],
    "RETURN x + 1 AS z ORDER BY z LIMIT 1": [[2]],
    "RETURN k ORDER BY x LIMIT 2": [["b"], ["a"]],
    "RETURN x LIMIT 2": [[3], [1]],
    "RETURN x SKIP 5": [[1]],
    "RETURN x SKIP 9": [],
    "RETURN x LIMIT 0": [],
    "RETURN DISTINCT k": [["a"], ["b"], [None]],
    "RETURN DISTINCT k ORDER BY k DESC": [[None], ["b"], ["a"]],
    "RETURN DISTINCT k AS a ORDER BY k LIMIT 1": [["a"]],
    "RETURN DISTINCT k, x > 2 ORDER BY k, x > 2": [
        *(["a", False], ["a", True], ["a", None], ["b", False], ["b", True], [None, True]),
    ],
    "RETURN *": [
        ["a", 3, 1.5],
        ["b", 1, "NaN"],
        ["a", None, 0.5],
        [None, 5, 2.0],
        ["b", 4, None],
        ["a", 1, -1.0],
    ],
    "WITH *, x AS z WHERE z > 4 RETURN *": [[None, 5, 2.0, 5]],
    "RETURN count(*), count(x), count(DISTINCT x), sum(x), avg(x), min(x), max(x)": [
        [6, 5, 4, 14, 2.8, 1, 5]
    ],
    "RETURN k, count(*) AS n ORDER BY n DESC, k": [["a", 3], ["b", 2], [None, 1]],
    "RETURN k, sum(x), avg(x), min(x), max(x) ORDER BY k": [
        *(["a", 4, 2.0, 1, 3], ["b", 5, 2.5, 1, 4], [None, 5, 5.0, 5, 5]),
    ],
    "RETURN k, collect(x), collect(DISTINCT k) ORDER BY k": [
        *(["a", [3, 1], ["a"]], ["b", [1, 4], ["b"]], [None, [5], []]),
    ],
    "RETURN k, max(y), min(y) ORDER BY k": [["a", 1.5, -1.0], ["b", "NaN", "NaN"], [None, 2.0, 2.0]],
    "RETURN max(k), min(k)": [["b", "a"]],
    "RETURN median(x), percentileCont(x, 0.25), percentileDisc(x, 0.5)": [[3.0, 1.0, 3]],
    "RETURN percentileDisc(x, 0), percentileDisc(x, 1.0), percentileCont(x, 0.4)": [[1, 5, 2.2]],
    "RETURN round(stDev(x), 6), round(stDevP(x), 6)": [[1.788854, 1.6]],
    "RETURN count(x) * 100.0 / count(*) AS share": [[500 / 6]],
    "RETURN k, count(*) * 2 + 1 AS n, size(collect(x)) AS m ORDER BY k LIMIT 1": [["a", 7, 2]],
    "RETURN k ORDER BY count(*) DESC LIMIT 1": [["a"]],
    "RETURN k + '!' AS e, count(*) ORDER BY e": [["a!", 3], ["b!", 2], [None, 1]],
    "RETURN {k: k, n: count(*)} AS m, k ORDER BY k LIMIT 1": [[{"k": "a", "n": 3}, "a"]],
    "WITH k, count(*) AS n WHERE n > 1 RETURN k, n ORDER BY k": [["a", 3], ["b", 2]],
    "WITH k, avg(x) AS a ORDER BY a DESC LIMIT 1 RETURN k, a": [[None, 5.0]],
    "WITH max(x) AS most RETURN most": [[5]],
    "WITH collect(x) AS xs UNWIND xs AS z RETURN z, z IN xs": [[z, True] for z in (3, 1, 5, 4, 1)],
    "UNWIND [x, 10] AS z WITH z WHERE z > 4 RETURN count(*)": [[7]],
    "UNWIND x AS z RETURN count(*)": [[5]],
    "UNWIND null AS z RETURN z": [],
    "UNWIND [] AS z RETURN count(z)": [[0]],
    "WITH x WHERE x > 100 RETURN sum(x), avg(x), collect(x), min(x), max(x), stDev(x), median(x)": [
        [0, None, [], None, None, 0.0, None]
    ],
    "WITH k, x WHERE x > 100 RETURN k, count(*)": [],
    "RETURN x AS z UNION RETURN 3 AS z": [[3], [1], [None], [5], [4]],
    "RETURN 1 AS z LIMIT 1 UNION ALL RETURN 'a' AS z LIMIT 1": [[1], ["a"]],
}


@pytest.mark.parametrize("text", CASES)
def test_rows_are_made_as_opencypher_says(text: str) -> None:
    assert rows_of(text, frame(GRAPH), KINDS) == CASES[text]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("RETURN x, x", CheckError, "Two columns are called 'x'"),
        ("RETURN count(*) + x", CheckError, "'x' stands beside an aggregate"),
        ("WITH x WHERE count(x) > 1 RETURN x", CheckError, "only in WITH and RETURN"),
        ("RETURN DISTINCT k ORDER BY x", CheckError, "After DISTINCT"),
        ("RETURN x LIMIT -1", ToolError, "LIMIT needs a whole number"),
        ("RETURN x LIMIT x", CheckError, "LIMIT needs one number"),
        ("RETURN x SKIP 'a'", ToolError, "SKIP needs a whole number"),
        ("RETURN sum(k)", ToolError, "sum\\(\\) needs numbers, not the text 'a'"),
        ("RETURN percentileCont(x, 2)", ToolError, "share from 0 to 1"),
        ("RETURN x UNION RETURN 1 AS y", CheckError, "same columns"),
        ("WITH x RETURN y", CheckError, "No variable 'y'"),
    ],
)
def test_what_no_rows_can_be_made_of_is_refused(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        rows_of(text, frame(GRAPH), KINDS)


@pytest.mark.parametrize(
    ("text", "remarks"),
    [
        (
            "RETURN x ORDER BY x LIMIT 1",
            ["LIMIT 1 left out rows as good as the last one kept: 1 more row shares its place."],
        ),
        (
            "RETURN k ORDER BY k LIMIT 1",
            ["LIMIT 1 left out rows as good as the last one kept: 2 more rows share its place."],
        ),
        ("RETURN x ORDER BY x LIMIT 2", []),
        ("RETURN x ORDER BY x SKIP 1 LIMIT 1", []),
        ("RETURN x LIMIT 1", []),
    ],
)
def test_a_limit_says_that_it_cuts_ties(text: str, remarks: list[str]) -> None:
    at = frame(GRAPH)
    rows_of(text, at, KINDS)
    assert at.remarks == remarks


def test_numbers_that_text_says_are_summed() -> None:
    at = frame(GRAPH)
    assert rows_of("RETURN sum(z), avg(z)", at, rows_with(z=["1", "2.5", None])) == [[3.5, 1.75]]
    assert at.remarks == ["Text that says a number was calculated with as a number."]


def test_sums_that_64_bits_do_not_hold_are_refused() -> None:
    start = rows_with(z=[2**62, 2**62, -(2**62)], k=[1, 1, 1])
    assert rows_of("RETURN sum(z), k", frame(GRAPH), start) == [[2**62, 1]]
    with pytest.raises(ToolError, match="64 bits"):
        rows_of("RETURN sum(z)", frame(GRAPH), rows_with(z=[2**62, 2**62]))


def test_nodes_are_grouped_by_themselves_and_not_by_name() -> None:
    found = rows_of(
        "RETURN n, count(*) AS c, n.name AS name ORDER BY name, c", frame(GRAPH), all_nodes(GRAPH)
    )
    assert [row[0] for row in found] == ["Ann", "Ann", "Bo", "Bonn", "Cy", "Ulm", "p3"]
    grouped = rows_of(
        "RETURN n.name AS name, collect(n) ORDER BY name LIMIT 1", frame(GRAPH), all_nodes(GRAPH)
    )
    assert grouped == [["Ann", ["Ann", "Ann"]]]


def came_from(rows: Rows, row: int, start: Rows) -> set[int]:
    """The rows of `start` that a row was made of."""
    if rows is start:
        return {row}
    found: set[int] = set()
    for origin in rows.origins:
        if origin.at is not None and origin.at[row] != MISSING:
            found |= came_from(origin.before, int(origin.at[row]), start)
        if origin.group is not None:
            for before in np.flatnonzero(origin.group == row).tolist():
                found |= came_from(origin.before, before, start)
    return found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("RETURN x ORDER BY x LIMIT 2", [{1}, {5}]),
        ("RETURN k, count(*) AS n ORDER BY n DESC LIMIT 1", [{0, 2, 5}]),
        ("RETURN DISTINCT k", [{0, 2, 5}, {1, 4}, {3}]),
        ("WITH k, x WHERE x > 3 RETURN k", [{3}, {4}]),
        ("UNWIND [x, x] AS z WITH z WHERE z = 3 RETURN z", [{0}, {0}]),
        ("WITH k, collect(x) AS xs UNWIND xs AS z WITH z WHERE z = 4 RETURN z", [{1, 4}]),
        ("WITH x WHERE x > 3 RETURN x UNION WITH x WHERE x = 5 RETURN x", [{3}, {4}]),
        ("RETURN count(*)", [{0, 1, 2, 3, 4, 5}]),
    ],
)
def test_each_row_knows_the_rows_it_was_made_of(text: str, wanted: list[set[int]]) -> None:
    rows = run_parts(parse_query(text), KINDS, frame(GRAPH))
    assert [came_from(rows, row, KINDS) for row in range(rows.size)] == wanted


def test_a_query_ends_with_return() -> None:
    with pytest.raises(CheckError, match="ends with RETURN"):
        run(Query((Part(()),)), frame(GRAPH))


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.5, -0.0, 2.0, float("nan"), float("inf")]),
    st.sampled_from(["", "a", "b", "ab"]),
    st.dates(date(2020, 1, 1), date(2020, 1, 3)),
    st.lists(st.integers(0, 2), max_size=2),
)
COLUMNS = st.one_of(
    *(
        st.lists(kind, min_size=1, max_size=30)
        for kind in (SCALARS, st.integers(-3, 3) | st.none(), st.text("ab", max_size=2) | st.none())
    )
)


@given(COLUMNS, st.integers(0, 8), st.booleans())
def test_an_order_is_that_of_its_values(values: list[object], limit: int, descending: bool) -> None:
    way = "DESC" if descending else ""
    rows = run_parts(
        parse_query(f"RETURN v ORDER BY v {way} LIMIT {limit}"), rows_with(v=values), frame(GRAPH)
    )
    wanted = sorted((order(v) for v in values), reverse=descending)[:limit]
    assert [order(v) for v in values_of(rows.columns["v"])] == wanted


@given(COLUMNS, st.data())
def test_groups_are_those_of_equal_values(values: list[object], data: st.DataObject) -> None:
    numbers = data.draw(st.lists(st.integers(-5, 5), min_size=len(values), max_size=len(values)))
    text = "RETURN v, w > 0 AS p, count(*) AS n, sum(w) AS s, min(w) AS a, max(w) AS b, collect(w) AS c, count(DISTINCT w) AS d"
    rows = run_parts(parse_query(text), rows_with(v=values, w=numbers), frame(GRAPH))
    wanted: dict[object, list[int]] = {}
    for value, number in zip(values, numbers, strict=True):
        wanted.setdefault((identity(value), number > 0), []).append(number)
    found = zip(*(values_of(column) for column in rows.columns.values()), strict=True)
    assert [(identity(v), p, *rest) for v, p, *rest in found] == [
        (*key, len(g), sum(g), min(g), max(g), g, len(set(g))) for key, g in wanted.items()
    ]


def test_a_term_of_few_nodes_gives_the_same_in_many_rows() -> None:
    many = np.random.default_rng(1).integers(-1, GRAPH.num_nodes, 3000)
    start = Rows(3000, {"n": Nodes(many)})
    names = rows_of("RETURN n.name", frame(GRAPH), start)
    wanted: dict[object, int] = {}
    for (name,) in names:
        wanted[name] = wanted.get(name, 0) + 1
    counted = rows_of("RETURN n.name, count(*)", frame(GRAPH), start)
    assert sorted(counted, key=str) == sorted(([k, v] for k, v in wanted.items()), key=str)
    once = rows_of("RETURN DISTINCT n.name", frame(GRAPH), start)
    assert sorted(once, key=str) == sorted(([name] for name in wanted), key=str)
    found = rows_of("RETURN min(n.name), max(n.name), count(DISTINCT n.name)", frame(GRAPH), start)
    known = sorted(name for name in wanted if isinstance(name, str))
    assert found == [[known[0], known[-1], len(known)]]
    ordered = rows_of("RETURN n.name ORDER BY n.name DESC", frame(GRAPH), start)
    assert ordered == sorted(names, key=lambda row: (row[0] is None, row[0] or ""), reverse=True)
