"""What something has, compared with what else it has itself: what came back after it was due, what is below its reorder level."""

import pytest

import graphtalk as gt
from graphtalk.reasoners import omitted
from phrase_graphs import imported

TABLES = {
    "readers": "reader_id,name\n1,Ann Bell\n2,Bob Dale\n",
    "loans": "loan_id,reader_id,title,lent_on,due_on,returned_on\nL1,1,Dune,2024-01-01,2024-01-15,2024-01-20\nL2,1,Emma,2024-02-01,2024-02-15,2024-02-10\n"
    "L3,2,Ulysses,2024-03-01,2024-03-15,2024-03-15\nL4,2,Ivanhoe,2024-04-01,2024-04-15,\n",
    "supplies": "supply_id,name,stock_qty,reorder_at,cost_eur\n1,Tape,3,10,2\n2,Glue,20,5,4\n3,Labels,8,8,3\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Loans with the days on which they were due and came back, and what is in stock."""
    return imported(TABLES, tmp_path_factory.mktemp("library"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which loans were returned after their due date?", ["Dune"]),
        ("Which loans were returned late?", ["Dune"]),
        ("How many loans were returned before they were due?", [1]),
        ("What share of loans were returned late?", [0.25]),
        ("supplies whose stock is below their reorder level", ["Tape"]),
        ("What is the stock of Glue?", [20]),
        ("supplies whose stock is below 10", ["Labels", "Tape"]),
    ],
)
def test_it_is_read(library: gt.Session, question: str, value: list[object]) -> None:
    found = library.ask(question)
    assert found.answered, found.text
    given = found.value if isinstance(found.value, list) else [found.value]
    assert sorted(map(str, given)) == sorted(map(str, value)), found.reading


def test_which_of_two_is_above_no_guess_is_sure_of() -> None:
    words = "hires whose due on is below the returned on of the other"
    assert list(omitted.own_compared(words)) == ["'than returned on'"]
    assert list(omitted.own_compared("staff whose wage is below the wage of the other")) == []


def test_with_whom_the_most_was_done_is_another_question() -> None:
    assert list(omitted.with_whom("With which author has Ann written the most papers?")) == [
        "'With which author'"
    ]
    assert list(omitted.with_whom("With which author has Ann written Dune?")) == []
