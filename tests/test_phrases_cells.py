"""What people ask of one table: a column by its name, and rows by what other columns have."""

from pathlib import Path

import pytest

import graphtalk as gt

MATCHES = """Week,Opponent,Venue,Away team,Result,Crowd,Year,Power (kW)
4,Redcliff Rovers,Moss Lane,Redcliff Rovers,2-1,4200,2008,30
1,Hale United,The Dell,Hale United,0-0,1800,2009,45
9,Thorn Athletic,Moss Lane,Thorn Athletic,3-3,5100,2010,30
12,Wick Town,Pier Park,Wick Town,1-4,2600,2011,60
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    path = tmp_path_factory.mktemp("matches") / "2024_3.csv"
    path.write_text(MATCHES)
    return gt.session(gt.open(path))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the result when the opponent is Wick Town?", {"1-4"}),
        ("Which venue has a result of 0-0, and a crowd smaller than 2000?", {"The Dell"}),
        ("What is the highest crowd for the venue Moss Lane?", {5100}),
        ("Name the opponent for week 9", {"Thorn Athletic"}),
        ("What was the crowd at the Pier Park venue?", {2600}),
        ("How many opponents were there when the venue is Moss Lane?", {2}),
        ("What opponent has 4200 as the crowd?", {"Redcliff Rovers"}),
        ("What is the venue of 2010?", {"Moss Lane"}),
        ("When Hale United is the opponent, what is the result?", {"0-0"}),
        ("Which opponent has a power (kw) of 60?", {"Wick Town"}),
        ("What is the lowest week where the crowd is larger than 2000?", {4}),
        ("WHAT IS THE RESULT FOR THE OPPONENT THORN ATHLETIC?", {"3-3"}),
    ],
)
def test_cells_are_told(session: gt.Session, question: str, answer: set[object]) -> None:
    found = session.ask(question)
    assert found.answered, found.text
    assert (set(found.value) if isinstance(found.value, list) else {found.value}) == answer, found.reading


@pytest.mark.parametrize(
    "question",
    [
        "What is the referee when the opponent is Wick Town?",
        "What is the sponsor for week 9?",
        "Which venue did not have a result of 0-0, usually?",
    ],
)
def test_what_no_column_says_is_asked_back(session: gt.Session, question: str) -> None:
    assert not session.ask(question).answered, session.ask(question).text


def test_a_first_column_of_numbers_is_no_id(session: gt.Session) -> None:
    graph = session.graph
    assert isinstance(graph, gt.Graph)
    assert graph.features(0)["Week"] == 4


def test_the_number_of_a_row_is_nobody(tmp_path: Path) -> None:
    path = tmp_path / "9.csv"
    path.write_text("Score,Round,Place\n70,1,Kelso\n70,2,Kelso\n71,2,Airth\n71,1,Airth\n")
    asking = gt.session(gt.open(path))
    assert not asking.ask("Who had a score of 70?").answered
    assert asking.ask("What is the place for a score of 71 and a round of 2?").value == ["Airth"]


def test_columns_may_be_called_by_signs(tmp_path: Path) -> None:
    path = tmp_path / "9.csv"
    path.write_text("#,%,---,Name\n3,20,a,Ann Lee\n5,40,b,Bo Ray\n")
    asking = gt.session(gt.open(path))
    assert asking.ask("How many nodes are there?").value == 2
    assert asking.ask("What is the number for Bo Ray?").value in ([5], 5)
