"""Terms of queries: what openCypher says of each, as a table of cases."""

import math

import numpy as np
import pytest

from graphtalk.core import CheckError, LimitError, ToolError
from graphtalk.engines.arrays.rows import PathValue
from graphtalk.tools.limits import Limits
from query_runs import all_nodes, frame, people, rows_of, rows_with

GRAPH = people()

CASES = {
    # arithmetic
    "7 / 2": 3,
    "-7 / 2": -3,
    "7 / 2.0": 3.5,
    "-7 % 3": -1,
    "7.5 % 2": 1.5,
    "2 ^ 3": 8.0,
    "1 + null": None,
    "1.0 / 0": "Infinity",
    "0.0 / 0.0": "NaN",
    "-(3)": -3,
    "'a' + 1": "a1",
    "1 + 'a'": "1a",
    "[1] + 2": [1, 2],
    "0 + [1]": [0, 1],
    "[1] + [2]": [1, 2],
    "null + [1]": None,
    # equality
    "1 = 1.0": True,
    "null = null": None,
    "null <> 1": None,
    "[1, 2] = [1, 2]": True,
    "[1, null] = [1, 2]": None,
    "[1, null] = [2, null]": False,
    "[1] = [1, null]": False,
    "{a: 1} = {a: 1.0}": True,
    "{a: 1} = {b: 1}": False,
    "{a: null} = {a: 1}": None,
    "true = 1": False,
    "0.0 / 0.0 = 0.0 / 0.0": False,
    # order
    "1 < 2.5": True,
    "'a' < 'b'": True,
    "false < true": True,
    "1 < true": None,
    "null < 1": None,
    "[1, 2] < [1, 3]": True,
    "0.0 / 0.0 < 1": False,
    # text that says a value of the other kind
    "'10' = 10": True,
    "10 > '9.5'": True,
    "'ten' = 10": False,
    "'ten' < 10": None,
    "'True' = true": True,
    "date('2020-01-02') > '2020-01-01'": True,
    "date('2020-01-02') = 'then'": False,
    "date('2015-09-25') = 'Sep 25, 2015'": True,
    "date('2015-09-05') = '5/9/2015'": False,
    "date('2020-01-02') < datetime('2020-01-02T03:00:00')": True,
    # logic
    "true AND null": None,
    "false AND null": False,
    "true OR null": True,
    "false OR null": None,
    "true XOR null": None,
    "true XOR false": True,
    "NOT null": None,
    # membership
    "1 IN [1, null]": True,
    "2 IN [1, null]": None,
    "2 IN [1]": False,
    "null IN [1]": None,
    "null IN []": False,
    "1 IN null": None,
    "[1] IN [[1]]": True,
    # text
    "'abc' STARTS WITH 'ab'": True,
    "'abc' ENDS WITH 'x'": False,
    "'abc' CONTAINS null": None,
    "1995 STARTS WITH '19'": True,
    "'abc' =~ 'A.c'": False,
    "'abc' =~ '(?i)A.c'": True,
    "'xabc' =~ 'abc'": False,
    "null IS NULL": True,
    "1 IS NOT NULL": True,
    # lists and maps
    "[1, 2, 3][0]": 1,
    "[1, 2, 3][-1]": 3,
    "[1, 2, 3][5]": None,
    "[1, 2, 3][1..]": [2, 3],
    "[1, 2, 3][..-1]": [1, 2],
    "[1, 2, 3][2..1]": [],
    "{a: 1}.a": 1,
    "{a: 1}['a']": 1,
    "{a: 1}.b": None,
    "[x IN [1, 2, 3] WHERE x > 1 | x * 10]": [20, 30],
    "[x IN null | x]": None,
    "[x IN [1, [2, 3]] | x]": [1, [2, 3]],
    "[x IN [1, 2] | [y IN [10, 20] | x + y]]": [[11, 21], [12, 22]],
    "reduce(s = 0, x IN [1, 2, 3] | s + x)": 6,
    "reduce(s = '', x IN [] | s + x)": "",
    "reduce(s = 0, x IN null | s + x)": None,
    "all(x IN [1, 2] WHERE x > 0)": True,
    "all(x IN [1, null] WHERE x > 0)": None,
    "all(x IN [] WHERE x > 0)": True,
    "any(x IN [1, null] WHERE x > 1)": None,
    "any(x IN [2, null] WHERE x > 1)": True,
    "none(x IN [1, 2] WHERE x > 2)": True,
    "none(x IN [3, null] WHERE x > 2)": False,
    "single(x IN [1, 2] WHERE x > 1)": True,
    "single(x IN [2, 2] WHERE x > 1)": False,
    "single(x IN [2, null] WHERE x > 1)": None,
    "CASE WHEN false THEN 1 WHEN true THEN 'b' END": "b",
    "CASE 2 WHEN 1 THEN 'a' WHEN 2 THEN 'b' ELSE 'c' END": "b",
    "CASE null WHEN null THEN 1 ELSE 2 END": 2,
    "CASE WHEN null THEN 1 END": None,
    # functions
    "size([1, 2])": 2,
    "size('häß')": 3,
    "head([])": None,
    "last([1, 2])": 2,
    "tail([1, 2])": [2],
    "reverse('abc')": "cba",
    "reverse([1, 2])": [2, 1],
    "range(1, 7, 3)": [1, 4, 7],
    "range(3, 1, -1)": [3, 2, 1],
    "range(1, 0)": [],
    "coalesce(null, 2, 3)": 2,
    "nullIf(1, 1)": None,
    "nullIf(1, 2)": 1,
    "isEmpty('')": True,
    "keys({a: 1, b: 2})": ["a", "b"],
    "toString(1.0)": "1.0",
    "toString(true)": "true",
    "toInteger('3.7')": 3,
    "toInteger('x')": None,
    "toIntegerOrNull([1])": None,
    "toFloat('2')": 2.0,
    "toBoolean('TRUE')": True,
    "toBoolean('yes')": None,
    "toLower('ÄB')": "äb",
    "upper('aß')": "ASS",
    "trim('  a ')": "a",
    "ltrim('  a ')": "a ",
    "left('abc', 2)": "ab",
    "right('abc', 2)": "bc",
    "right('abc', 0)": "",
    "substring('hello', 1, 3)": "ell",
    "substring('hello', 3)": "lo",
    "replace('banana', 'a', 'o')": "bonono",
    "split('a,b,', ',')": ["a", "b", ""],
    "abs(-3)": 3,
    "sign(-0.5)": -1,
    "ceil(1.2)": 2.0,
    "floor(-1.2)": -2.0,
    "round(2.5)": 3.0,
    "round(-2.5)": -2.0,
    "round(1.005, 2)": 1.01,
    "sqrt(-1)": "NaN",
    "sqrt(16)": 4.0,
    "log10(1000)": 3.0,
    "log(0)": "-Infinity",
    "exp(0)": 1.0,
    "pi() > 3.14": True,
    # dates
    "date('2020-02-29')": "2020-02-29",
    "date('2020-03')": "2020-03-01",
    "date('2020')": "2020-01-01",
    "date('2020-W10-2')": "2020-03-03",
    "date('2020-060')": "2020-02-29",
    "date({year: 2020, month: 2, day: 3})": "2020-02-03",
    "date({year: 2020, quarter: 2})": "2020-04-01",
    "date({year: 2015, week: 1})": "2014-12-29",
    "date(datetime('2020-02-03T04:05'))": "2020-02-03",
    "datetime('2020-01-01T10:00:00+01:00')": "2020-01-01T10:00:00+01:00",
    "datetime('2020-01-01T10:00')": "2020-01-01T10:00:00Z",
    "localdatetime('2020-01-01T10:00:00.5')": "2020-01-01T10:00:00.500000",
    "datetime({epochSeconds: 86400})": "1970-01-02T00:00:00Z",
    "datetime('2020-01-01T10:00:00+01:00') = datetime('2020-01-01T09:00:00Z')": True,
    "time('10:30')": "10:30:00Z",
    "localtime('10:30') < localtime('11:00')": True,
    "date('2021-01-03').week": 53,
    "date('2021-01-03').dayOfWeek": 7,
    "date('2021-05-03').quarter": 2,
    "date('2021-02-01').ordinalDay": 32,
    "datetime('1970-01-02T00:00:01Z').epochSeconds": 86401,
    "datetime('2020-01-01T10:11:12Z').minute": 11,
    "date('2020-01-31') + duration({months: 1})": "2020-02-29",
    "date('2020-01-31') + duration('P1Y2M3D')": "2021-04-03",
    "date('2020-03-01') - duration({days: 1})": "2020-02-29",
    "date('2020-03-01') - date('2020-02-01')": "P29D",
    "(date('2020-03-01') - date('2020-02-01')).days": 29,
    "datetime('2020-01-01T00:00Z') + duration({hours: 25})": "2020-01-02T01:00:00Z",
    "duration.between(date('1990-05-04'), date('2024-05-03')).years": 33,
    "duration.between(date('2020-01-31'), date('2020-03-01'))": "P1M1D",
    "duration.between(date('2020-03-01'), date('2020-01-31'))": "P-1M-1D",
    "duration.inDays(date('2020-01-01'), date('2021-01-01')).days": 366,
    "duration.inSeconds(datetime('2020-01-01T00:00Z'), datetime('2020-01-01T01:01Z'))": "PT1H1M",
    "duration.inMonths(date('2020-01-31'), date('2021-02-01')).months": 12,
    "duration({days: 1.5})": "P1DT12H",
    "duration({days: 3}) + duration({hours: 2})": "P3DT2H",
    "duration({days: 3}) * 2": "P6D",
    "duration({days: 3}) < duration({months: 1})": True,
    "date.truncate('month', date('2020-05-17'))": "2020-05-01",
    "date.truncate('week', date('2020-05-17'))": "2020-05-11",
    "date.truncate('quarter', date('2020-05-17'))": "2020-04-01",
    "datetime.truncate('hour', datetime('2020-05-17T10:59Z'))": "2020-05-17T10:00:00Z",
}


@pytest.mark.parametrize("term", CASES)
def test_terms_mean_what_opencypher_says(term: str) -> None:
    assert rows_of(f"RETURN {term} AS x", frame(GRAPH)) == [[CASES[term]]]
    wanted = CASES[term]
    found = rows_of(f"RETURN {term} AS x", frame(GRAPH))[0][0]
    assert type(found) is type(wanted)


PROPERTIES = {
    "n.name": ["Ann", "Bo", "Cy", None, "Ulm", "Bonn", "Ann"],
    "n.age": [30, None, 25, 41, 800, 900, 5],
    "n.id": ["p0", "p1", "p2", "p3", "t0", "t1", "t2"],
    "n.born": ["1990-05-04", "1980-01-31", None, "2000-02-29", None, None, None],
    "n.born.month": [5, 1, None, 2, None, None, None],
    "n.tags": [["a", "b"], [], None, ["b"], None, None, None],
    "size(n.tags)": [2, 0, None, 1, None, None, None],
    "n.tags[0]": ["a", None, None, "b", None, None, None],
    "'b' IN n.tags": [True, False, None, True, None, None, None],
    "n.nothing": [None] * 7,
    "n:person": [True] * 4 + [False] * 3,
    "labels(n)": [["person"]] * 4 + [["town"]] * 3,
    "id(n)": ["p0", "p1", "p2", "p3", "t0", "t1", "t2"],
    "n": ["Ann", "Bo", "Cy", "p3", "Ulm", "Bonn", "Ann"],
    "n = n": [True] * 7,
    "n.year > 1985": [True, False, None, None, None, None, None],
    "n.year = 1990": [True, False, False, None, None, None, None],
    "n.born >= '1990-01-01'": [True, False, None, True, None, None, None],
    "r.weight": [None, None, None, 1, 3, None, None],
    "type(r)": ["lives"] * 3 + ["knows"] * 3 + [None],
    "startNode(r).name": ["Ann", "Bo", "Cy", "Ann", "Ann", "Bo", None],
    "endNode(r).name": ["Ulm", "Bonn", "Ulm", "Bo", "Cy", "Cy", None],
    "r.since.year": [2010, 2019, 2020, None, None, None, None],
    "CASE WHEN n:town THEN n.age ELSE n.name END": ["Ann", "Bo", "Cy", None, 800, 900, 5],
    "properties(r).weight": [None, None, None, 1, 3, None, None],
    "size(keys(n))": [6, 5, 3, 4, 2, 2, 2],
    "[x IN n.tags | x + n.name]": [["aAnn", "bAnn"], [], None, [None], None, None, None],
    "n.age IN [30, 5, null]": [True, None, None, None, None, None, True],
    "n IN [n, null]": [True] * 7,
    "coalesce(n.age, r.weight, 0)": [30, 0, 25, 41, 800, 900, 5],
}


@pytest.mark.parametrize("term", PROPERTIES)
def test_nodes_and_edges_of_several_kinds_stand_in_one_column(term: str) -> None:
    found = rows_of(f"RETURN {term} AS x", frame(GRAPH), all_nodes(GRAPH))
    assert [row[0] for row in found] == PROPERTIES[term]


def test_a_path_has_nodes_edges_and_a_length() -> None:
    start = rows_with(p=[PathValue((0, 1, 2), (3, 5)), None])
    found = rows_of(
        "RETURN length(p), [n IN nodes(p) | n.name], size(relationships(p)), p", frame(GRAPH), start
    )
    assert found == [[2, ["Ann", "Bo", "Cy"], 2, ["Ann", "Bo", "Cy"]], [None, None, None, None]]


def test_an_edge_is_shown_with_its_ends_and_features() -> None:
    start = all_nodes(GRAPH).take(np.array([0, 5]))
    assert rows_of("RETURN r", frame(GRAPH), start) == [
        [{"source": "Ann", "relation": "lives", "target": "Ulm", "features": {"since": "2010-01-01"}}],
        [{"source": "Bo", "relation": "knows", "target": "Cy"}],
    ]


def test_what_text_was_taken_for_is_said_once() -> None:
    at = frame(GRAPH)
    rows_of("RETURN n.year > 1985, n.year < 3", at, all_nodes(GRAPH))
    assert at.remarks == ["Text that says a number was compared as a number."]


@pytest.mark.parametrize(
    ("term", "error", "message"),
    [
        ("1 / 0", ToolError, "by zero"),
        ("n.age % 0", ToolError, "by zero"),
        ("9223372036854775807 + 1", ToolError, "64 bits"),
        ("9223372036854775807 * n.age", ToolError, "64 bits"),
        ("n + 1", ToolError, "not the node 'Ann'"),
        ("n = 'Ann'", ToolError, "compare a property"),
        ("n > 5", ToolError, "compare a property"),
        ("'x' * 2", ToolError, "not the text 'x'"),
        ("date('2020-01-01') + 3", ToolError, "duration"),
        ("date('yesterday')", ToolError, "cannot read the text 'yesterday'"),
        ("date('2021-02-29')", ToolError, "cannot read"),
        ("date()", ToolError, "come out the same"),
        ("rand()", CheckError, "refused"),
        ("sizee([1])", CheckError, "Did you mean size"),
        ("left('a')", CheckError, "takes 2 arguments, not 1"),
        ("m.name", CheckError, "No variable 'm'"),
        ("$q", CheckError, "No value for \\$q"),
        ("NOT n.age", ToolError, "true or false, not the number 30"),
        ("1 IN 2", ToolError, "IN needs a list"),
        ("'a' =~ '(?=b)'", ToolError, "regular expression"),
        ("n.born.colour", ToolError, "no part 'colour'"),
        ("[1][true]", ToolError, "whole number"),
        ("size(5)", ToolError, "needs a list or a text, not the number 5"),
        ("all(x IN 5 WHERE x > 1)", ToolError, "A list is needed"),
        ("duration({fortnights: 1})", ToolError, "no 'fortnights'"),
        ("range(1, 100000000)", LimitError, "rows"),
        ("range(0, 9223372036854775807)", LimitError, "rows"),
        ("range(9223372036854775807, -9223372036854775807, -1)", LimitError, "rows"),
    ],
)
def test_what_cannot_be_is_refused_in_words(term: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        rows_of(f"RETURN {term} AS x", frame(GRAPH), all_nodes(GRAPH))


def test_what_a_condition_decided_guards_what_follows() -> None:
    start = rows_with(x=[0, 1, 2])
    assert rows_of("RETURN x <> 0 AND 2 / x = 2", frame(GRAPH), start) == [[False], [True], [False]]
    assert rows_of("RETURN x = 0 OR 2 / x = 2", frame(GRAPH), start) == [[True], [True], [False]]
    found = rows_of("RETURN CASE WHEN x = 0 THEN null ELSE 2 / x END", frame(GRAPH), start)
    assert found == [[None], [2], [1]]


@pytest.mark.parametrize(
    "text",
    [
        "RETURN reduce(s = 'ab', x IN range(1, 60) | s + s)",
        "RETURN reduce(s = [1], x IN range(1, 60) | s + s)",
        "RETURN reduce(s = [1], x IN range(1, 60) | [s, s])",
        "UNWIND range(1, 5000) AS x UNWIND range(1, 5000) AS y RETURN count(*)",
        "UNWIND range(1, 3000) AS x WITH collect(x) AS xs UNWIND xs AS y UNWIND [z IN xs | y] AS w RETURN count(*)",
    ],
)
def test_limits_bite_inside_a_term(text: str) -> None:
    with pytest.raises(LimitError):
        rows_of(text, frame(GRAPH, Limits(rows=1_000_000, bytes=100_000_000)))


def test_time_runs_out_inside_a_term() -> None:
    with pytest.raises(LimitError, match="seconds"):
        rows_of(
            "UNWIND range(1, 1000000) AS x RETURN sum(size(toString(x + 0.5)))",
            frame(GRAPH, Limits(seconds=0.05)),
        )


def test_infinite_and_missing_numbers_are_told_apart() -> None:
    found = rows_of("RETURN n.height", frame(GRAPH), all_nodes(GRAPH))
    assert found[3] == ["NaN"] and found[2] == [None] and math.isclose(float(str(found[0][0])), 1.7)
