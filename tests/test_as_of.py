"""Graphs in time: edges that say when they hold, and questions as of a time."""

from datetime import date, datetime

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.app.session import Session
from graphtalk.app.thread import Thread
from graphtalk.calls import parse
from graphtalk.core import ToolError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.language.moments import AsOf, without_moment, without_now
from graphtalk.tools.executor import Executor

PEOPLE, FIRMS = ["Ada Moss", "Ben Ito", "Cleo Diaz"], ["Acme", "Globex"]
LEADS = [(0, 0, date(2010, 1, 1), date(2014, 6, 30)), (1, 0, date(2014, 7, 1), date(2018, 1, 1)),
         (2, 0, date(2018, 1, 2), None)]  # fmt: skip


def firm(leads: EdgeTable | None = None) -> Graph:
    nodes = [
        NodeTable("Person", pa.table({"id": ["p1", "p2", "p3"], "name": PEOPLE}), "name", ""),
        NodeTable("Company", pa.table({"id": ["c1", "c2"], "name": FIRMS}), "name", ""),
    ]
    source, target, begins, ends = zip(*LEADS, strict=True)
    spans = pa.table({"valid_from": begins, "valid_to": pa.array(ends, pa.date32())})
    dated = EdgeTable("leads", "Person", "Company", np.array(source), np.array(target), spans, "", "")
    knows = EdgeTable("knows", "Person", "Person", np.array([0]), np.array([1]), None, "", "")
    return build(nodes, [leads or dated, knows], "firm")


def led(graph: Graph, period: str) -> list[str]:
    call = f'NeighbourCheck[RetrieveNode["Acme"], "^leads", graph=GL["graph", as_of="{period}"]]'
    result = Executor(graph).run(parse(call))
    assert {edge[1] for edge in result.evidence().edges} <= {"leads"}
    return sorted(result.graph.label(node) for node in result.value.nodes)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("period", "names"),
    [
        ("2009", []),
        ("2012", ["Ada Moss"]),
        ("2014", ["Ada Moss", "Ben Ito"]),
        ("2014-06", ["Ada Moss"]),
        ("2014-06-30", ["Ada Moss"]),
        ("2014-07-01", ["Ben Ito"]),
        ("2018-01", ["Ben Ito", "Cleo Diaz"]),
        ("2030", ["Cleo Diaz"]),
    ],
)
def test_what_held_at_some_moment_of_a_time(period: str, names: list[str]) -> None:
    assert led(firm(), period) == names


@pytest.mark.parametrize(
    "columns",
    [
        {"since": [2010, 2014, 2018], "until": [2013, 2017, None]},
        {"startYear": [2010.0, 2014.0, 2018.0], "endYear": [2013.0, 2017.0, None]},
        {"start_time": [datetime(y, 1, 1, 9) for y in (2010, 2014, 2018)],
         "end_time": [datetime(2013, 6, 1, 9), datetime(2017, 6, 1), None]},
    ],
)  # fmt: skip
def test_years_and_times_by_other_names(columns: dict[str, list[object]]) -> None:
    edges = EdgeTable("leads", "Person", "Company", np.arange(3), np.zeros(3, int), pa.table(columns), "", "")
    assert led(firm(edges), "2015") == ["Ben Ito"]
    assert led(firm(edges), "2013") == ["Ada Moss"]


def test_numbers_that_are_no_years_say_no_time() -> None:
    spans = pa.table({"start": [20100, 20140, 20180], "end": [1.5, 2.5, 3.5]})
    edges = EdgeTable("leads", "Person", "Company", np.arange(3), np.zeros(3, int), spans, "", "")
    with pytest.raises(ToolError, match="No edges of firm say when they hold"):
        led(firm(edges), "2015")


def test_a_time_that_is_none_is_refused() -> None:
    with pytest.raises(ToolError, match="'soon' is no date"):
        led(firm(), "soon")


def test_what_says_no_times_is_kept_and_said() -> None:
    result = Executor(firm()).run(parse('Size[graph=GL["graph", as_of="2012"]]'))
    assert result.value == 2
    assert result.remarks == ("1 of 3 edges of leads held in 2012; when edges of knows do is not recorded",)


@pytest.mark.parametrize(
    ("asked", "period"),
    [
        ("as of 2015", "2015"),
        ("as of March 2015", "2015-03"),
        ("as of 1 March 2015", "2015-03-01"),
        ("as of March 1st, 2015", "2015-03-01"),
        ("as at 2015-03-01", "2015-03-01"),
        ("as it was in 2015", "2015"),
        ("as of the end of February 2016", "2016-02-29"),
        ("as of the beginning of 2015", "2015-01-01"),
        ("as of tomorrow", ""),
    ],
)
def test_times_in_questions(asked: str, period: str) -> None:
    question = "Who leads Acme?" if period else f"Who leads Acme {asked}?"
    assert without_moment(f"Who leads Acme {asked}?") == AsOf(question, period)
    if period:
        assert without_moment(f"{asked.capitalize()}, who leads Acme?") == AsOf("Who leads Acme?", period)


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(firm())


def test_a_question_as_of_a_time(session: Session) -> None:
    answer = session.ask("Who led Acme as of 2015?")
    assert (answer.answered, answer.value) == (True, ["Ben Ito"])
    assert answer.evidence.edges == (("p2", "leads", "c1"),)
    assert answer.reading.endswith("as of 2015")
    assert session.verify(answer).verdict == "same"
    assert session.ask("Who leads Acme?").value == PEOPLE


@pytest.mark.parametrize(
    "question", ["Who leads Acme now?", "Who currently leads Acme?", "Today, who leads Acme?"]
)
def test_now_is_as_of_today(session: Session, question: str) -> None:
    answer = session.ask(question)
    assert answer.value == ["Cleo Diaz"]
    assert answer.reading.endswith(f"as of {date.today().isoformat()}")


def test_what_has_no_times_holds_now(session: Session) -> None:
    assert session.ask("Who knows Ben Ito now?").value == ["Ada Moss"]


def test_a_title_is_no_word_for_today() -> None:
    assert without_now("Who acted in Apocalypse Now?") is None
    assert without_now("Who acted in The Day Today and Nowhere?") is None


def test_a_question_that_becomes_a_query(session: Session) -> None:
    answer = session.ask("Who does not lead Acme as of 2012?")
    assert answer.value == ["Ben Ito", "Cleo Diaz"]
    assert session.verify(answer).verdict == "same"


@pytest.mark.parametrize(
    "question",
    [
        "What is the name of p1 as of 2015?",  # nodes say no times
        "How many people are there as of 2015?",
        "Who knows Ben Ito as of 2015?",  # a relation that says none
        "Who leads Acme as of tomorrow?",
        "Who leads Acme as of 2015-13?",
    ],
)
def test_what_is_not_known_as_of_a_time_is_not_answered(session: Session, question: str) -> None:
    assert not session.ask(question).answered


def test_follow_ups_ask_as_of_another_time(session: Session) -> None:
    thread = Thread(session)
    thread.ask("Who leads Acme?")
    assert [said.value for said in thread.ask("And as of 2012?").answers] == [["Ada Moss"]]
    assert [said.value for said in thread.ask("As of March 2019?").answers] == [["Cleo Diaz"]]
