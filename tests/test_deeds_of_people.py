"""Nodes that stand for deeds with two people in them: who gives a lesson, and who takes it."""

import pytest

import graphtalk as gt

PILOTS = "id,name,rank\n1,Ada Quill,senior\n2,Bo Larch,junior\n3,Cy Marl,junior\n4,Di Oates,senior\n"
GLIDERS = "id,name,seats\n1,Swift,1\n2,Heron,2\n3,Kite,2\n"
COACHINGS = """id,pilot_id,coach_id,glider_id,held_on,passed
1,2,1,1,2023-04-02,yes
2,2,1,2,2023-05-02,no
3,3,1,1,2023-06-02,no
4,3,4,3,2024-04-02,yes
5,2,4,3,2024-05-02,yes
"""
RENTALS = """id,pilot_id,glider_id,rented_on,hours,cancelled
1,1,1,2024-05-01,2,no
2,1,2,2024-05-09,3,yes
3,2,1,2024-06-01,4,no
4,4,3,2024-06-07,1,no
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    folder = tmp_path_factory.mktemp("gliding")
    tables = {"pilots": PILOTS, "gliders": GLIDERS, "coachings": COACHINGS, "rentals": RENTALS}
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return gt.session(gt.open(gt.import_graph([folder / f"{name}.csv" for name in tables], folder / "g.gt")))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was coached by Ada Quill?", ["Bo Larch", "Cy Marl"]),
        ("Who coached Bo Larch?", ["Ada Quill", "Di Oates"]),
        ("Who has been coached on Swift?", ["Bo Larch", "Cy Marl"]),
        ("Who gave the most coachings?", ["Ada Quill"]),
        ("Who received the most coachings?", ["Bo Larch"]),
        ("Who passed a coaching on Swift?", ["Bo Larch"]),
        ("Has Cy Marl passed his coaching on the Swift?", False),
        ("Who was coached on more than two gliders?", ["Bo Larch"]),
        ("Which gliders has Cy Marl been coached on?", ["Swift", "Kite"]),
        ("Which gliders was Bo Larch coached on?", ["Swift", "Heron", "Kite"]),
        ("Which gliders did Di Oates give coachings on?", ["Kite"]),
        ("Did Bo Larch ever rent the Swift?", True),
        ("Has Bo Larch ever rented Heron?", False),
        ("How many rentals are there in June 2024?", 2),
        ("total hours of the non-cancelled rentals in May 2024", 2),
        ("Who rented the most gliders?", ["Ada Quill"]),
        ("Hi, I'm new here - which gliders have 2 seats?", ["Heron", "Kite"]),
        ("gliders rented by either Bo Larch or Di Oates", ["Swift", "Kite"]),
    ],
)
def test_who_does_it_and_to_whom(session: gt.Session, question: str, answer: object) -> None:
    told = session.ask(question)
    value = told.value[0] if isinstance(told.value, list) and answer in (2, True, False) else told.value
    assert told.answered, told.text
    assert (sorted(value) if isinstance(value, list) else value) == (
        sorted(answer) if isinstance(answer, list) else answer
    )


@pytest.mark.parametrize(
    "question",
    [
        "Which pilots have the most coachings?",
        "Swift: which gliders have 2 seats?",  # what is named before a question is no remark
    ],
)
def test_what_may_mean_two_things_is_asked_back(session: gt.Session, question: str) -> None:
    assert not session.ask(question).answered


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Has Kite ever been rented?", True),
        ("Was Swift rented?", True),
        ("How many times was Heron rented?", 1),
        ("How many times has Swift been rented?", 2),
        ("How often was Kite rented?", 1),
    ],
)
def test_what_was_done_to_something(session: gt.Session, question: str, answer: object) -> None:
    told = session.ask(question)
    assert told.answered, told.text
    assert (told.value[0] if isinstance(told.value, list) else told.value) == answer, told.reading
