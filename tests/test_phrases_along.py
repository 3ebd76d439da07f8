"""Ways along one relation, and what firms ask of projects: who leads them, what was invoiced, who is in none."""

import pytest

import graphtalk as gt
from phrase_graphs import joined, plain

TABLES = {
    "Protein": {"id": ["p1", "p2", "p3", "p4"], "name": ["ALK9", "BRT4", "CDX2", "DYL7"]},
    "Worker": {"id": ["w1", "w2", "w3"], "name": ["Ada Kern", "Bo Lund", "Cleo Marr"]},
    "Client": {"id": ["k1", "k2"], "name": ["Dov Esten", "Eli Frost"]},
    "Project": {"id": ["j1", "j2"], "name": ["Onyx", "Helix"]},
    "Invoice": {"id": ["i1", "i2", "i3"], "name": ["N-1", "N-2", "N-3"], "amount": [10, 90, 40], "paid": ["yes", "no", "yes"]},
}  # fmt: skip
ENDS = {
    ("SIGNALS_TO", "Protein", "Protein"): "p1-p2 p2-p3 p1-p4",
    ("binds", "Protein", "Protein"): "p4-p3",
    ("lead", "Project", "Worker"): "j1-w1 j2-w2",
    ("assigned to", "Worker", "Project"): "w1-j1 w2-j1",
    ("client", "Project", "Client"): "j1-k1 j2-k1",
    ("project", "Invoice", "Project"): "i1-j1 i2-j1 i3-j2",
}


@pytest.fixture(scope="module")
def session() -> gt.Session:
    return joined(TABLES, ENDS)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the shortest signalling chain from ALK9 to CDX2?", {"ALK9", "BRT4", "CDX2"}),  # not over DYL7, which binds it
        ("How many signaling steps are there from ALK9 to CDX2?", 2),
        ("Is there a signalling route from ALK9 to CDX2?", True),
        ("Is there any signalling path from DYL7 to CDX2?", False),
        ("Who leads Onyx?", "Ada Kern"),
        ("What is the largest invoice?", "N-2"),
        ("share of invoices that are paid, in percent", 200 / 3),
        ("Which clients do not have a single project?", "Eli Frost"),
        ("List everyone assigned to Onyx.", {"Ada Kern", "Bo Lund"}),
    ],
)  # fmt: skip
def test_is_read(session: gt.Session, question: str, answer: object) -> None:
    found = session.ask(question)
    assert found.answered, found.text
    value = plain(found.value)
    assert value == (pytest.approx(answer) if isinstance(answer, float) else answer)


def test_people_of_two_types_are_asked_back(session: gt.Session) -> None:
    assert not session.ask("How many people are there?").answered
