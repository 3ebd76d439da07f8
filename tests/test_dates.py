"""Dates told from text, kept in stores, compared in calls."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyarrow import parquet

from graphtalk.calls.graph_cot import parse
from graphtalk.core import JSON, CheckError, SourceError, UsageError
from graphtalk.graphs import (
    EdgeTable,
    Feature,
    Graph,
    NodeTable,
    build,
    damage,
    describe,
    open_graph,
    write,
)
from graphtalk.graphs.columns import concat, feature_column
from graphtalk.graphs.convert import from_networkx, from_pandas
from graphtalk.graphs.formats.kinds import as_kind, infer_kind
from graphtalk.graphs.objects import to_networkx
from graphtalk.graphs.read import read_graph
from graphtalk.language.english import tokenize
from graphtalk.reasoners.planner.values import ValueTable
from graphtalk.tools.executor import Executor
from graphtalk.tools.values import to_json

DATES = st.dates()
TIMES = st.datetimes()


def told(*cells: str | None) -> tuple[str, list[Any]]:
    column = infer_kind(pa.chunked_array([pa.array(cells, pa.string())]))
    return str(column.type), column.to_pylist()


def read(path: Path) -> Graph:
    graph = open_graph(path)
    assert isinstance(graph, Graph)
    return graph


# telling


@pytest.mark.parametrize(
    ("cells", "day"),
    [
        (["2021-03-14", "", "NA"], date(2021, 3, 14)),
        (["2021-3-4"], date(2021, 3, 4)),
        (["2021/03/14"], date(2021, 3, 14)),
        (["2021.03.14"], date(2021, 3, 14)),
        (["14/03/2021", "03/04/2021"], date(2021, 3, 14)),
        (["03/14/2021", "03/04/2021"], date(2021, 3, 14)),
        (["05/05/2021"], date(2021, 5, 5)),
        (["31.12.2020", "1.2.2021"], date(2020, 12, 31)),
        (["14 March 2021", "1 Apr 2021"], date(2021, 3, 14)),
        (["14-Mar-2021"], date(2021, 3, 14)),
        (["March 14, 2021", "Sept 3, 2021"], date(2021, 3, 14)),
        (["Mar. 14, 2021"], date(2021, 3, 14)),
        (["1st of January 2020"], date(2020, 1, 1)),
        (["Sunday, 14 March 2021"], date(2021, 3, 14)),
        (["0001-01-01", "9999-12-31"], date(1, 1, 1)),
    ],
)
def test_columns_of_days_are_dates(cells: list[str], day: date) -> None:
    kind, values = told(*cells)
    assert (kind, values[0]) == ("date32[day]", day)
    assert all(isinstance(v, date) or v is None for v in values)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2021-03-14T09:30", datetime(2021, 3, 14, 9, 30)),
        ("2021-03-14 09:30:15.25", datetime(2021, 3, 14, 9, 30, 15, 250_000)),
        ("2021-03-14T09:30:15,5", datetime(2021, 3, 14, 9, 30, 15, 500_000)),
        ("2021-03-14T09:30:15.123456789", datetime(2021, 3, 14, 9, 30, 15, 123_456)),
        ("2021-03-14T09:30:15Z", datetime(2021, 3, 14, 9, 30, 15, tzinfo=UTC)),
        ("2021-03-14T09:30:15+01:00", datetime(2021, 3, 14, 8, 30, 15, tzinfo=UTC)),
        ("2021-03-14 09:30:15 -0330", datetime(2021, 3, 14, 13, 0, 15, tzinfo=UTC)),
        ("20210314T093015Z", datetime(2021, 3, 14, 9, 30, 15, tzinfo=UTC)),
        ("14/03/2021 9:30 PM", datetime(2021, 3, 14, 21, 30)),
        ("03/14/2021 12:05 am", datetime(2021, 3, 14, 0, 5)),
        ("Sun, 14 Mar 2021 09:30:15 GMT", datetime(2021, 3, 14, 9, 30, 15, tzinfo=UTC)),
    ],
)
def test_columns_of_times_are_datetimes_in_utc_where_they_say_a_zone(text: str, moment: datetime) -> None:
    kind, values = told(text, None, text)
    assert kind == ("timestamp[us, tz=UTC]" if moment.tzinfo else "timestamp[us]")
    assert values == [moment, None, moment]


@pytest.mark.parametrize(
    "cells",
    [
        ["2021-03-14", "soon"],
        ["2021-02-30"],
        ["31/04/2021"],
        ["13/02/2021", "02/13/2021"],
        ["14/03/21"],
        ["2021-03-14", "14 March 2021"],
        ["2021-03-14", "2021-03-14T10:00"],
        ["2021-03-14T10:00Z", "2021-03-14T10:00"],
        ["2021-03-14T24:00"],
        ["2021-03-14T10:60"],
        ["2021-03"],
        ["2021.3.14"],
        ["10:30"],
        ["0000-00-00"],
        ["Monday 14, 2021"],
        ["Version 14, 2021"],
        ["9999-12-31T23:00-05:00"],
        ["2021-03-14 was a Sunday"],
        ["2021-03-14\n"],
        ["１４/03/2021"],
    ],
)
def test_columns_not_wholly_of_one_form_stay_text(cells: list[str]) -> None:
    assert told(*cells) == ("string", cells)


def test_years_and_numbers_of_eight_digits_stay_numbers() -> None:
    assert told("2021", "1999") == ("int64", [2021, 1999])
    assert told("20210314") == ("int64", [20210314])


def test_a_late_cell_decides_for_all() -> None:
    assert told(*["2021-03-14"] * 3000, "x")[0] == "string"
    assert told(*[""] * 3000, "2021-03-14")[0] == "date32[day]"
    assert told(*["03/04/2021"] * 3000, "13/04/2021")[1][0] == date(2021, 4, 3)


@given(
    st.lists(st.none() | st.dates(date(1000, 1, 1)), min_size=1),
    st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%d %B %Y", "%b %d, %Y"]),
)
def test_every_date_comes_back_from_text(days: list[date | None], form: str) -> None:
    assume(any(days))
    assert told(*(None if d is None else d.strftime(form) for d in days)) == ("date32[day]", days)


@given(st.lists(DATES, min_size=1), st.booleans(), st.sampled_from("/-."))
def test_days_and_months_are_never_taken_for_each_other(days: list[date], day_first: bool, sign: str) -> None:
    order = (lambda d: (d.day, d.month)) if day_first else (lambda d: (d.month, d.day))
    cells = [sign.join((*(f"{part:02}" for part in order(d)), f"{d.year:04}")) for d in days]
    kind, values = told(*cells)
    proven = any(d.day > 12 for d in days) or all(d.day == d.month for d in days)
    assert (kind, values) == (("date32[day]", days) if proven else ("string", cells))


@given(st.lists(TIMES, min_size=1), st.sampled_from(["T", " "]))
def test_every_time_comes_back_from_text(times: list[datetime], sign: str) -> None:
    assert told(*(t.isoformat(sign) for t in times)) == ("timestamp[us]", times)


@given(st.lists(st.tuples(TIMES, st.integers(-14 * 60, 14 * 60)), min_size=1))
def test_times_of_any_zone_are_the_same_moments(times: list[tuple[datetime, int]]) -> None:
    zoned = [t.replace(tzinfo=timezone(timedelta(minutes=m))) for t, m in times]
    assume(all(datetime(1, 1, 2) < t < datetime(9999, 12, 30) for t, _ in times))
    assert told(*(t.isoformat() for t in zoned)) == ("timestamp[us, tz=UTC]", zoned)


@given(st.lists(st.text("0123456789-/.: TZJanMarch,+", max_size=25), min_size=1))
def test_what_is_told_as_dates_is_read_as_python_reads_it(cells: list[str]) -> None:
    kind, values = told(*cells)
    if kind == "date32[day]":
        for cell, value in zip(cells, values, strict=True):
            assert value is None or sorted(map(int, re.findall(r"\d+", cell)))[-1] >= value.year
    elif kind == "string":
        assert [v or "" for v in values] == cells


# columns that bring their types


@pytest.mark.parametrize(
    ("given_", "kind", "values"),
    [
        (pa.array([1, None], pa.int32()), "int64", [1, None]),
        (pa.array([1.5], pa.float32()), "double", [1.5]),
        (pa.array([Decimal("1.10")]), "double", [1.1]),
        (pa.array([Decimal("12345678901234567890.12")]), "string", ["12345678901234567890.12"]),
        (pa.array([2**63], pa.uint64()), "string", ["9223372036854775808"]),
        (pa.array([date(2021, 3, 14)], pa.date64()), "date32[day]", [date(2021, 3, 14)]),
        (pa.array([1_500], pa.timestamp("ns")), "timestamp[us]", [datetime(1970, 1, 1, 0, 0, 0, 1)]),
        (
            pa.array([0], pa.timestamp("s", "Asia/Tokyo")),
            "timestamp[us, tz=UTC]",
            [datetime(1970, 1, 1, tzinfo=UTC)],
        ),
        (pa.array(["a", "b"]).dictionary_encode(), "string", ["a", "b"]),
        (pa.array([["a"]], pa.large_list(pa.large_string())), "list<item: string>", [["a"]]),
        (pa.array([[1, 2]], pa.list_(pa.int8())), "list<item: int64>", [[1, 2]]),
        (pa.array([{"a": 1}]), "string", ['{"a": 1}']),
        (pa.array([[{"a": 1}]]), "list<item: string>", [['{"a": 1}']]),
        (pa.array([b"ab", b"\xff"]), "string", ["ab", "\\xff"]),
    ],
)
def test_columns_get_the_type_of_their_kind(given_: pa.Array, kind: str, values: list[Any]) -> None:
    column = feature_column(pa.chunked_array([given_]))
    assert (str(column.type), column.to_pylist()) == (kind, values)


def test_dates_that_python_cannot_hold_are_text() -> None:
    column = feature_column(pa.chunked_array([pa.array([2_932_897], pa.int32()).cast(pa.date32())]))
    assert (str(column.type), column.to_pylist()) == ("string", ["10000-01-01"])


def test_tables_of_different_kinds_join_as_text() -> None:
    joined = concat([pa.table({"a": [1]}), pa.table({"a": ["x"]}), pa.table({"b": [1.5]})])
    assert joined.to_pylist() == [{"a": "1", "b": None}, {"a": "x", "b": None}, {"a": None, "b": 1.5}]


# graphs


def staff() -> Graph:
    people = pa.table(
        {
            "id": ["a", "b", "c", "d"],
            "name": ["Ann", "Bob", "Cem", "Dee"],
            "hired": pa.array([date(2019, 12, 31), date(2020, 1, 1), date(2021, 3, 14), None]),
            "seen": pa.array([datetime(2021, 3, 14, h, tzinfo=UTC) for h in (0, 9, 23)] + [None]),
        }
    )
    since = pa.table({"since": pa.array([date(2020, 5, 1), date(2018, 5, 1)]), "weight": [1, 2]})
    knows = EdgeTable("knows", "person", "person", np.array([1, 0]), np.array([2, 2]), since)
    likes = EdgeTable(
        "likes", "person", "person", np.array([0, 0]), np.array([1, 1]), pa.table({"since": ["x", "y"]})
    )
    return build([NodeTable("person", people, "name")], [knows, likes], "staff")


def test_graphs_and_stores_hold_dates(tmp_path: Path) -> None:
    write(staff(), tmp_path / "s")
    for graph in (staff(), read(tmp_path / "s")):
        assert graph.schema.node_types[0].features == (
            Feature("name", "text"),
            Feature("hired", "date"),
            Feature("seen", "datetime"),
        )
        assert graph.features(0) == {
            "name": "Ann",
            "hired": date(2019, 12, 31),
            "seen": datetime(2021, 3, 14, tzinfo=UTC),
        }
        assert graph.feature(3, "hired") is None
        assert graph.edge_features(0, 0) == {"since": date(2018, 5, 1), "weight": 2}


@given(
    st.lists(
        st.tuples(
            st.none() | DATES, st.none() | TIMES, st.none() | st.lists(st.integers(-(2**63), 2**63 - 1))
        ),
        min_size=1,
        max_size=20,
    )
)
def test_any_dates_and_lists_come_back_from_a_store(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Any, Any, Any]]
) -> None:
    names, kinds = ("day", "time", "list"), (pa.date32(), pa.timestamp("us"), pa.list_(pa.int64()))
    columns = [pa.array(cells, kind) for cells, kind in zip(zip(*rows, strict=True), kinds, strict=True)]
    features = pa.table(columns, names=list(names))
    nodes = pa.table([pa.array([str(i) for i in range(len(rows))]), *columns], names=["id", *names])
    ends = np.arange(len(rows))
    path = tmp_path_factory.mktemp("store") / "s"
    write(build([NodeTable("n", nodes)], [EdgeTable("loop", "n", "n", ends, ends, features)]), path)
    graph = read(path)
    assert [f.kind for f in graph.schema.node_types[0].features] == ["date", "datetime", "list"]
    for i, row in enumerate(rows):
        present = {name: value for name, value in zip(names, row, strict=True) if value is not None}
        assert graph.features(i) == graph.edge_features(0, i) == present


def test_prompts_say_which_features_are_dates() -> None:
    said = describe(staff().schema)
    assert "Person nodes have features: name, hired (a date) and seen (a date and time)." in said
    assert "Knows edges from person to person have features: since (a date) and weight." in said


def test_edges_have_one_number_through_all_relations() -> None:
    graph = staff()
    assert graph.edge_offsets.tolist() == [0, 2, 4]
    every = np.arange(4)
    assert [(r, p.tolist(), at.tolist()) for r, p, at in graph.edge_places(every[::-1])] == [
        (0, [1, 0], [2, 3]),
        (1, [1, 0], [0, 1]),
    ]
    assert graph.edge(1, np.array([1, 0])).tolist() == [3, 2]
    assert [ends.tolist() for ends in graph.ends_of(np.array([3, 0, 1]))] == [[0, 0, 1], [1, 2, 2]]
    assert graph.edge_cells(np.array([3, 0, 2]), "since") == ["y", date(2018, 5, 1), "x"]
    assert graph.edge_cells(np.array([1, 2]), "weight") == [1, None]
    with pytest.raises(CheckError, match="since"):
        graph.edge_cells(every, "sinse")
    with pytest.raises(CheckError, match="has 4 edges"):
        graph.ends_of(np.array([4]))


def test_a_store_from_before_there_were_dates_opens_with_them() -> None:
    path = Path(__file__).parent / "data" / "early_store"
    assert damage(path) == []
    graph = read(path)
    assert graph.schema.node_types[0].features == (
        Feature("name", "text"),
        Feature("hired", "date"),
        Feature("seen", "datetime"),
        Feature("age", "number"),
        Feature("scores", "list", "number"),
        Feature("aliases", "list", "text"),
    )
    assert graph.columns["person"].schema.field("age").type == pa.int64()
    assert graph.features(0)["seen"] == datetime(2020, 1, 2, 3, 4, 5)
    assert graph.schema.relations[0].features[0] == Feature("since", "date")
    assert graph.edge_features(0, 0) == {"since": date(2021, 3, 14), "note": "first"}


# import


NODES = "id\tname\tborn\tday\tseen\na\t2020-01-01\t14/03/1980\t03/04/2021\t2021-03-14T10:00Z\nb\t2020-01-02\t\t03/05/2021\t\n"
EDGES = "source\ttarget\tsince\na\tb\t2020-05-01\na\tb\t2021-05-01\n"


class Notes:
    def __init__(self) -> None:
        self.notes: list[str] = []

    def start(self, total_bytes: int) -> None: ...
    def advance(self, rows: int = 0, bytes: int = 0) -> None: ...
    def skipped(self, reasons: dict[str, int], report: Path | None) -> None: ...

    def noted(self, notes: Sequence[str]) -> None:
        self.notes += notes


def test_files_give_dates_and_say_what_is_in_doubt(tmp_path: Path) -> None:
    (tmp_path / "nodes.tsv").write_text(NODES)
    (tmp_path / "edges.tsv").write_text(EDGES)
    notes = Notes()
    graph = read_graph([tmp_path / "nodes.tsv", tmp_path / "edges.tsv"], progress=notes)
    assert isinstance(graph, Graph)
    assert {f.name: f.kind for f in graph.schema.node_types[0].features} == {
        "name": "text",
        "born": "date",
        "day": "text",
        "seen": "datetime",
    }
    assert graph.label(0) == "2020-01-01"
    assert graph.feature(0, "born") == date(1980, 3, 14)
    assert [graph.edge_features(0, e) for e in range(2)] == [
        {"since": date(2020, 5, 1)},
        {"since": date(2021, 5, 1)},
    ]
    assert len(notes.notes) == 1
    assert "'day'" in notes.notes[0] and "'03/04/2021'" in notes.notes[0] and "%d/%m/%Y" in notes.notes[0]


RECIPE = """
[[nodes]]
files = ["nodes.tsv"]
node_type = "person"
lists = { marks = "|" }
kinds = { %s }
[[edges]]
files = ["edges.tsv"]
kinds = { since = "datetime" }
"""
CELLS = "id\tday\tcode\tdone\tmarks\na\t03/04/21\t12\tyes\t1|2\nb\t\t13\tno\t\nc\t31/12/99\t14\t\t3\n"


def by_recipe(folder: Path, kinds: str, nodes: str = CELLS, **options: Any) -> Graph:
    (folder / "nodes.tsv").write_text(nodes)
    (folder / "edges.tsv").write_text(EDGES)
    (folder / "recipe.toml").write_text(RECIPE % kinds)
    graph = read_graph([folder], recipe=str(folder / "recipe.toml"), **options)
    assert isinstance(graph, Graph)
    return graph


def test_recipes_name_kinds(tmp_path: Path) -> None:
    kinds = 'day = "%d/%m/%y", code = "text", done = "boolean", marks = "number"'
    graph = by_recipe(tmp_path, kinds)
    assert graph.schema.node_types[0].features == (
        Feature("day", "date"),
        Feature("code", "text"),
        Feature("done", "boolean"),
        Feature("marks", "list", "number"),
    )
    assert graph.features(0) == {"day": date(2021, 4, 3), "code": "12", "done": True, "marks": [1, 2]}
    assert graph.features(1) == {"code": "13", "done": False}
    assert graph.features(2) == {"day": date(1999, 12, 31), "code": "14", "marks": [3]}
    assert graph.edge_cells(np.arange(2), "since") == [datetime(2020, 5, 1), datetime(2021, 5, 1)]


@pytest.mark.parametrize(
    ("kinds", "nodes", "message"),
    [
        (
            'day = "date"',
            "id\tday\na\t2020-01-01\nb\t2020-02-30\n",
            "nodes.tsv, line 3: '2020-02-30' in 'day' is no date",
        ),
        ('day = "date"', "id\tday\na\tsoon\nb\t2020-02-03\n", "line 2: 'soon' in 'day' is no date"),
        (
            'day = "datetime"',
            "id\tday\na\t2020-01-01T10:00\nb\t2020-01-01\n",
            "line 3: '2020-01-01' in 'day' is no datetime",
        ),
        ('day = "date"', "id\tday\na\t03/04/2021\n", "nothing says whether the day or the month is first"),
        ('day = "%d/%m/%Y"', "id\tday\na\t31/02/2021\n", "line 2: '31/02/2021' in 'day' is no %d/%m/%Y"),
        ('day = "number"', "id\tday\na\t12\nb\tx\n", "line 3: 'x' in 'day' is no number"),
        ('marks = "number"', "id\tmarks\na\t1|x\n", "line 2: .* in 'marks' is no number"),
        ('days = "date"', CELLS, "kinds: no feature 'days'.*day"),
        ('day = "dates"', CELLS, "no kind 'dates'.*date"),
    ],
)
def test_what_is_not_of_the_kind_that_a_recipe_names_is_refused(
    tmp_path: Path, kinds: str, nodes: str, message: str
) -> None:
    nodes = nodes if "marks" in nodes else nodes.replace("\n", "\t\n").replace("day\t\n", "day\tmarks\n")
    with pytest.raises((SourceError, UsageError), match=message):
        by_recipe(tmp_path, kinds, nodes)


@pytest.mark.parametrize(
    ("cells", "kind", "values", "wrong"),
    [
        (["NA", "", "x"], "text", ["NA", None, "x"], []),
        ([12, None], "text", ["12", None], []),
        (["1234567890123456", "1.5", "NA"], "number", [1234567890123456.0, 1.5, None], []),
        (["99999999999999999999", "1"], "number", [1e20, 1.0], []),
        (["Yes", "0", "maybe"], "boolean", [True, False, None], [2]),
        ([date(2021, 3, 14)], "datetime", [datetime(2021, 3, 14)], []),
        ([datetime(1969, 12, 31, 23)], "date", [date(1969, 12, 31)], []),
        (
            ["13/02/2021", "02/13/2021", "14/02/2021"],
            "date",
            [date(2021, 2, 13), None, date(2021, 2, 14)],
            [1],
        ),
        (["14 Mar 2021", "14 Foo 2021"], "date", [date(2021, 3, 14), None], [1]),
        (
            ["2021-03-14T10:00Z", "2021-03-14T10:00"],
            "datetime",
            [datetime(2021, 3, 14, 10, tzinfo=UTC), None],
            [1],
        ),
        (["9999-12-31T23:00-05:00"], "datetime", [None], [0]),
        (["14.3.21 10:30"], "%d.%m.%y %H:%M", [datetime(2021, 3, 14, 10, 30)], []),
        (["", None], "date", [None, None], []),
    ],
)
def test_cells_are_read_as_a_kind_that_is_named(
    cells: list[Any], kind: str, values: list[Any], wrong: list[int]
) -> None:
    found, bad = as_kind(pa.chunked_array([pa.array(cells)]), kind)
    assert (found.to_pylist(), np.flatnonzero(bad).tolist()) == (values, wrong)


def test_rows_of_a_wrong_kind_are_left_out_where_that_is_asked_for(tmp_path: Path) -> None:
    nodes = "id\tday\tmarks\na\t2020-01-01\t1\nx\t2020-02-30\t1\nb\t\t2\nx\tsoon\t1\nb\t2020-01-01\t1\n"
    report = tmp_path / "report.tsv"
    graph = by_recipe(tmp_path, 'day = "date"', nodes, on_error="skip", report=report)
    assert [graph.features(n).get("day") for n in graph.indices()] == [date(2020, 1, 1), None]
    assert [line.split("\t")[1] for line in report.read_text().splitlines()] == ["line", "3", "5", "6"]


def test_whole_numbers_that_a_float_would_round_stay_as_they_are() -> None:
    assert told("1234567890123456789") == ("int64", [1234567890123456789])
    assert told("12345678901234567890") == ("string", ["12345678901234567890"])
    assert told("1234567890123456789", "1.5") == ("string", ["1234567890123456789", "1.5"])
    assert told("9999999999999999999") == ("string", ["9999999999999999999"])
    assert told("1e3", "-.5", "2.", "0.25") == ("double", [1000.0, -0.5, 2.0, 0.25])


def test_parquet_keeps_its_types_and_texts_are_told(tmp_path: Path) -> None:
    nodes = pa.table(
        {
            "id": ["a", "b"],
            "made": pa.array([datetime(2020, 1, 2, 3), None], pa.timestamp("ms")),
            "text": ["2020-01-02", ""],
            "code": ["12", "13"],
            "scores": pa.array([[1.5, 2.5], None], pa.list_(pa.float32())),
        }
    )
    parquet.write_table(nodes, tmp_path / "nodes.parquet")
    graph = read_graph([tmp_path / "nodes.parquet"])
    assert isinstance(graph, Graph)
    assert graph.schema.node_types[0].features == (
        Feature("made", "datetime"),
        Feature("text", "date"),
        Feature("code", "text"),
        Feature("scores", "list", "number"),
    )
    assert graph.features(0) == {
        "made": datetime(2020, 1, 2, 3),
        "text": date(2020, 1, 2),
        "code": "12",
        "scores": [1.5, 2.5],
    }


def test_edge_files_whose_columns_differ_in_kind_join_as_text(tmp_path: Path) -> None:
    (tmp_path / "edges1.tsv").write_text(EDGES)
    (tmp_path / "edges2.tsv").write_text("source\ttarget\tsince\nb\ta\tlong ago\n")
    graph = read_graph([tmp_path / "edges1.tsv", tmp_path / "edges2.tsv"])
    assert isinstance(graph, Graph)
    assert graph.edge_cells(np.arange(3), "since") == ["2020-05-01", "2021-05-01", "long ago"]


def test_pandas_and_networkx_keep_dates() -> None:
    when = pd.Timestamp("2021-03-14T10:00")
    frame = pd.DataFrame({"id": ["a", "b"], "when": [when, pd.NaT], "day": [date(2021, 3, 14), None]})
    graph = from_pandas(
        frame, pd.DataFrame({"source": ["a"], "target": ["b"], "since": [when.tz_localize("UTC")]})
    )
    for again in (graph, from_networkx(to_networkx(graph))):
        assert {f.name: f.kind for f in again.schema.node_types[0].features} == {
            "when": "datetime",
            "day": "date",
        }
        assert again.features(0) == {"when": datetime(2021, 3, 14, 10), "day": date(2021, 3, 14)}
        assert again.edge_features(0, 0) == {"since": datetime(2021, 3, 14, 10, tzinfo=UTC)}


@pytest.mark.parametrize(
    ("values", "feature", "found"),
    [
        ([["x", "y"], None], Feature("f", "list", "text"), [["x", "y"], None]),
        ([[1, 2], [3]], Feature("f", "list", "number"), [[1, 2], [3]]),
        ([[1, 2.5], []], Feature("f", "list", "number"), [[1.0, 2.5], []]),
        ([[1, "x"], [date(2021, 3, 14)]], Feature("f", "list", "text"), [["1", "x"], ["2021-03-14"]]),
        ([["x"], "y"], Feature("f", "text"), ['["x"]', "y"]),
        ([{"a": 1}, {"a": "x"}], Feature("f", "text"), ['{"a": 1}', '{"a": "x"}']),
    ],
)
def test_lists_are_of_texts_or_of_numbers(values: list[Any], feature: Feature, found: list[Any]) -> None:
    import networkx

    made = networkx.Graph()
    for i, value in enumerate(values):
        made.add_node(i, f=value)
    graph = from_networkx(made)
    assert graph.schema.node_types[0].features == (feature,)
    assert [graph.feature(n, "f") for n in graph.indices()] == found


def test_networkx_with_days_and_times_in_one_attribute_keeps_both_as_text() -> None:
    import networkx

    found = networkx.Graph()
    found.add_node("a", when=date(2021, 3, 14))
    found.add_node("b", when=datetime(2021, 3, 14, 10))
    assert [from_networkx(found).feature(n, "when") for n in (0, 1)] == ["2021-03-14", "2021-03-14T10:00:00"]


# calls


def run(expression: str) -> JSON:
    executor = Executor(staff())
    result = executor.run(parse(expression, executor.registry.vocabulary))
    return to_json(result.value, result.graph)


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ('hired, ">", "2019-12-31"', ["Bob", "Cem"]),
        ('hired, ">", 2019', ["Bob", "Cem"]),
        ('hired, ">=", 2020', ["Bob", "Cem"]),
        ('hired, "<", "2020"', ["Ann"]),
        ('hired, "<=", 2020', ["Ann", "Bob"]),
        ('hired, "=", 2020', ["Bob"]),
        ('hired, "!=", 2020', ["Ann", "Cem"]),
        ('hired, "=", "2021-03"', ["Cem"]),
        ('hired, "=", "14 March 2021"', ["Cem"]),
        ('hired, "contains", "-03-"', ["Cem"]),
        ('seen, "=", "2021-03-14"', ["Ann", "Bob", "Cem"]),
        ('seen, ">", "2021-03-14T08:00Z"', ["Bob", "Cem"]),
        ('seen, ">", "2021-03-14T11:00+02:00"', ["Cem"]),
        ('hired, "<", NodeFeature["Bob", hired]', ["Ann"]),
        ('hired, "=", NodeFeature["Cem", hired]', ["Cem"]),
    ],
)
def test_filters_compare_dates(condition: str, names: list[str]) -> None:
    assert run(f"Filter[Nodes[person], {condition}]") == names


def test_questions_name_dates() -> None:
    found = ValueTable(staff()).find(tokenize("Who was hired on 2021-03-14?"))
    assert [(v.feature, v.operator, v.value) for v in found] == [("hired", "=", "2021-03-14")]


def test_calls_rank_and_sum_up_dates() -> None:
    assert run("Top[Nodes[person], hired]") == ["Cem"]
    assert run("Bottom[Nodes[person], hired, 2]") == ["Ann", "Bob"]
    assert run("Minimum[NodeFeature[Nodes[person], hired]]") == "2019-12-31"
    assert run("Maximum[NodeFeature[Nodes[person], seen]]") == "2021-03-14T23:00:00+00:00"
    assert run("NodeFeature[Nodes[person], hired]") == ["2019-12-31", "2020-01-01", "2021-03-14", None]
    assert run('Count[Filter[Nodes[person], hired, "=", 2020]]') == 1


@pytest.mark.parametrize(
    ("expression", "error", "message"),
    [
        (
            "Average[NodeFeature[Nodes[person], hired]]",
            CheckError,
            "Average wants numbers for 'numbers', not a list of dates",
        ),
        ("Sum[NodeFeature[Nodes[person], hired]]", CheckError, "not a list of dates"),
        ('Filter[Nodes[person], hired, ">", "soon"]', CheckError, "'soon' is no date"),
        ('Filter[Nodes[person], hired, ">", 5000000]', CheckError, "5000000 is no date"),
        ('Filter[Nodes[person], hired, ">", "03/04/2021"]', CheckError, "day or the month first"),
    ],
)
def test_what_dates_cannot_do_is_said(expression: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        run(expression)
