"""What goes from one node to another of its type: who gives and who gets is said by the verb, not by the relation's name."""

import datetime

import pytest

import graphtalk as gt
from phrase_graphs import imported, joined, plain

DAY = datetime.date.fromisoformat
TABLES = {
    "Account": {"id": ["a1", "a2", "a3", "a4"], "name": ["Acorn", "Birch", "Cedar", "Dogwood"]},
    "Clerk": {"id": ["c1", "c2", "c3"], "name": ["Ida Holm", "Jens Rask", "Mo Sand"]},
    "Card": {"id": ["k1", "k2"], "name": ["Blue Card", "Red Card"], "limit": [300, 900]},
    "Branch": {"id": ["b1", "b2"], "name": ["North", "South"]},
}
ENDS = {
    ("transfers", "Account", "Account"): "a1-a2 a1-a2 a1-a3 a2-a3 a3-a1",
    ("emails", "Clerk", "Clerk"): "c1-c2 c1-c3 c2-c3",
    ("holder", "Account", "Clerk"): "a1-c1 a2-c2 a3-c2 a4-c3",
    ("card", "Account", "Card"): "a1-k1 a2-k2",
    ("branch", "Account", "Branch"): "a1-b1 a2-b1 a3-b2 a4-b2",
    ("desk", "Clerk", "Branch"): "c1-b1 c2-b2 c3-b2",
    ("lends", "Branch", "Card"): "b1-k1 b1-k2",
}
OWN = {
    "transfers": {
        "amount": [50, 70, 10, 200, 30],
        "date": list(map(DAY, ("2024-01-03", "2024-03-09", "2024-03-20", "2024-05-01", "2024-05-30"))),
    },
    "emails": {"sent": list(map(DAY, ("2024-01-03", "2024-03-09", "2024-03-20")))},
}


@pytest.fixture(scope="module")
def session() -> gt.Session:
    return joined(TABLES, ENDS, OWN)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which account received the most transfers?", {"Birch", "Cedar"}),
        ("Which account sent the most transfers?", "Acorn"),
        ("Which account sent the most money?", "Birch"),
        ("Which account received the most money?", "Cedar"),
        ("Which accounts have never sent money?", "Dogwood"),
        ("Which accounts never received a transfer?", "Dogwood"),
        ("How much did Acorn send in total?", 130),
        ("How much money did Cedar receive?", 210),
        ("How many transfers did Acorn make?", 3),
        ("How many transfers did each account receive?", {("Acorn", 1), ("Birch", 2), ("Cedar", 2), ("Dogwood", 0)}),
        ("How much money did Acorn send to Birch?", 120),
        ("Which accounts sent money to Cedar?", {"Acorn", "Birch"}),
        ("Which accounts received money from Acorn in March 2024?", {"Birch", "Cedar"}),
        ("Which accounts did not send money to Cedar?", {"Cedar", "Dogwood"}),
        ("Which accounts did Acorn send money to?", {"Birch", "Cedar"}),
        ("Did Acorn send money to Cedar?", True),
        ("Did Cedar send money to Birch?", False),
        ("Which accounts sent more than 2 transfers?", "Acorn"),
        ("How many emails did Mo Sand receive?", 2),
        ("Which clerk sent the most emails?", "Ida Holm"),
        ("Who received an email from Ida Holm?", {"Jens Rask", "Mo Sand"}),
        ("Which clerks have never sent an email?", "Mo Sand"),
    ],
)  # fmt: skip
def test_the_verb_says_who_gives(session: gt.Session, question: str, answer: object) -> None:
    found = session.ask(question)
    assert found.answered, found.text
    assert plain(found.value) == answer


@pytest.mark.parametrize(
    "question",
    [
        "Which account received the most clerks?",
        "Which accounts ate money?",
        "Which clerks sent flowers to Ida Holm?",
        "How many transfers did Ida Holm make?",
        "Who has the card with the highest limit?",  # a card is nobody
        "Whose cards have a limit above 500?",
        "How many cards does each clerk lend?",
    ],
)
def test_what_is_not_said_is_asked_back(session: gt.Session, question: str) -> None:
    assert not session.ask(question).answered


def test_of_two_ways_as_short_none_is_chosen() -> None:
    """A customer's branch may be that of an account of hers or that of her adviser."""
    tables = {
        "Customer": {"id": ["c1", "c2"], "name": ["Ada Berg", "Bo Cech"]},
        "Account": {"id": ["a1", "a2"], "name": ["one", "two"]},
        "Adviser": {"id": ["d1"], "name": ["Cy Dias"]},
        "Branch": {"id": ["b1", "b2"], "name": ["North", "South"]},
    }
    ends = {
        ("customer", "Account", "Customer"): "a1-c1 a2-c2",
        ("branch", "Account", "Branch"): "a1-b1 a2-b2",
        ("adviser", "Customer", "Adviser"): "c1-d1 c2-d1",
        ("branch", "Adviser", "Branch"): "d1-b1",
    }
    assert not joined(tables, ends).ask("How many customers does each branch have?").answered
    del ends["customer", "Account", "Customer"]
    found = joined(tables, ends).ask("How many customers does each branch have?")
    assert plain(found.value) == {("North", 2), ("South", 0)}


ISSUES = {
    "users": "id,login,full_name\nu1,mira,Mira Lang\nu2,tobi,Tobias Kern\nu3,yuki,Yuki Sato\n",
    "issues": "id,title,author_id,opened_at,closed_at,state\ni1,slow merge,u1,2023-01-02,2023-02-03,closed\n"
    "i2,memory leak,u2,2023-01-09,,open\ni3,dark theme,u1,2023-03-04,,open\n",
    "comments": "id,issue_id,user_id,posted_at,body\nc1,i1,u2,2023-01-03,thanks\nc2,i1,u2,2023-01-04,me too\nc3,i2,u3,2023-01-10,logs?\n",
}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # a word of `opened_at` that `state` has for a value too
        ("How many open issues are there?", 2),
        ("Which issues are still open?", {"memory leak", "dark theme"}),
        ("Which issues are closed?", "slow merge"),
        ("Which issues were opened in January 2023?", {"slow merge", "memory leak"}),
        ("What percentage of issues are open?", 200 / 3),
        # rows with an id, a date and a text are things, though they join two others
        ("How many comments does each issue have?", {("slow merge", 2), ("memory leak", 1), ("dark theme", 0)}),
        ("Which issue got the most comments?", "slow merge"),
        ("Which issues have no comments?", "dark theme"),
        ("How many comments did Tobias Kern write?", 2),
        ("Who wrote the most comments?", "Tobias Kern"),
        ("Who commented on memory leak?", "Yuki Sato"),
        ("How many comments were posted in January 2023?", 3),
    ],
)  # fmt: skip
def test_rows_that_are_things_and_words_that_are_values(
    issues: gt.Session, question: str, answer: object
) -> None:
    found = issues.ask(question)
    assert found.answered, found.text
    value = plain(found.value)
    assert value == (pytest.approx(answer) if isinstance(answer, float) else answer)


@pytest.fixture(scope="module")
def issues(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(ISSUES, tmp_path_factory.mktemp("issues"))


def test_whose_things_were_asked_is_not_answered_with_the_things(session: gt.Session) -> None:
    found = session.ask("Which clerk's accounts received the most transfers?")
    assert not found.answered or plain(found.value) == "Jens Rask"


def test_of_two_readings_the_phrase_comes_first(session: gt.Session) -> None:
    """They may be counted, or those that sent them."""
    found = session.ask("How many transfers did Birch receive?", choose=1)
    assert plain(found.value) == 2, found.text


def test_what_was_never_visited_has_no_visits() -> None:
    """Not those with a visit that has no date."""
    tables = {
        "Outlet": {"id": ["o1", "o2", "o3"], "name": ["Dock", "Gate", "Mill"]},
        "Visit": {"id": ["v1", "v2"], "name": ["A1", "A2"], "visited_on": ["2024-03-01", None]},
    }
    ends = {("outlet", "Visit", "Outlet"): "v1-o1 v2-o2"}
    found = joined(tables, ends).ask("Which outlets have never been visited?")
    assert plain(found.value) == "Mill", found.text
