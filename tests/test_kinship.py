"""Parents and children of a family, and the kin that are said by them."""

from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.language.kinship import plain_kin
from phrase_graphs import imported, plain

FAMILY = """subject,predicate,object
Arthur Bell,parent of,Clara Bell
Arthur Bell,parent of,David Bell
Mary Bell,parent of,Clara Bell
Mary Bell,parent of,David Bell
Clara Bell,parent of,Nina Petrov
Clara Bell,parent of,Oleg Petrov
David Bell,parent of,Tim Bell
Nina Petrov,parent of,Lea Fischer
Clara Bell,born in,Leeds
Nina Petrov,born in,London
Oleg Petrov,born in,Leeds
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    folder: Path = tmp_path_factory.mktemp("family")
    (folder / "family.csv").write_text(FAMILY, encoding="utf-8")
    gt.import_graph(folder / "family.csv", folder / "family.gt")
    return gt.session(gt.open(folder / "family.gt"))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who are the parents of Clara Bell?", {"Arthur Bell", "Mary Bell"}),
        ("Who are the children of Arthur Bell?", {"Clara Bell", "David Bell"}),
        ("How many children does Clara Bell have?", 2),
        ("Who has more than one child?", {"Arthur Bell", "Mary Bell", "Clara Bell"}),
        ("Is Tim Bell a child of David Bell?", True),
        ("Is David Bell a child of Tim Bell?", False),
        ("Is David Bell a parent of Tim Bell?", True),
        ("Which children of Clara Bell were born in Leeds?", "Oleg Petrov"),
        ("Who are the grandparents of Nina Petrov?", {"Arthur Bell", "Mary Bell"}),
        ("Who are Nina Petrov's grandparents?", {"Arthur Bell", "Mary Bell"}),
        ("Who are the grandchildren of Mary Bell?", {"Nina Petrov", "Oleg Petrov", "Tim Bell"}),
        ("How many grandchildren does Arthur Bell have?", 3),
        ("Who are the great-grandparents of Lea Fischer?", {"Arthur Bell", "Mary Bell"}),
        ("Who are the ancestors of Lea Fischer?", {"Arthur Bell", "Mary Bell", "Clara Bell", "Nina Petrov"}),
        ("Who are all descendants of Clara Bell?", {"Nina Petrov", "Oleg Petrov", "Lea Fischer"}),
    ],
)  # fmt: skip
def test_kin_are_found(session: gt.Session, question: str, answer: object) -> None:
    found = session.ask(question)
    assert found.answered, found.text
    assert plain(found.value) == answer


@pytest.mark.parametrize("question", ["Who is the uncle of Nina Petrov?", "Who are Nina Petrov's cousins?", "Who is the mother of Clara Bell?"])  # fmt: skip
def test_kin_that_parents_do_not_tell_are_asked_back(session: gt.Session, question: str) -> None:
    assert not session.ask(question).answered


def test_kin_of_a_graph_that_names_them_stay() -> None:
    asked = "Who are the grandparents of Ann?"
    assert plain_kin(asked, {"mentor"}) == asked
    assert plain_kin(asked, {"parent", "child", "grandparent"}) == asked
    assert (
        plain_kin("Who are the sisters of Ann?", {"has parent", "has sister"})
        == "Who are the sisters of Ann?"
    )


TABLES = {
    "people": """id,name,sex,father,mother,teacher
a,Arthur Bell,male,,,
m,Mary Bell,female,,,
c,Clara Bell,female,a,m,e
d,David Bell,male,a,m,m
e,Edna Bell,female,a,m,m
n,Nina Petrov,female,,c,e
t,Tim Bell,male,d,,c
""",
}


@pytest.fixture(scope="module")
def fathers(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """People with their fathers and mothers."""
    return imported(TABLES, tmp_path_factory.mktemp("fathers"))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who are the parents of Clara Bell?", {"Arthur Bell", "Mary Bell"}),
        ("Who is the father of Clara Bell?", "Arthur Bell"),
        ("children of Mary Bell", {"Clara Bell", "David Bell", "Edna Bell"}),
        ("How many children does Arthur Bell have?", 3),
        ("Who has the most children?", {"Arthur Bell", "Mary Bell"}),
        ("Which people have no children?", {"Edna Bell", "Nina Petrov", "Tim Bell"}),
        ("people without parents", {"Arthur Bell", "Mary Bell"}),
        ("Who are the grandparents of Tim Bell?", {"Arthur Bell", "Mary Bell"}),
        ("ancestors of Nina Petrov", {"Clara Bell", "Arthur Bell", "Mary Bell"}),
        ("siblings of Clara Bell", {"David Bell", "Edna Bell"}),
        ("Who are David Bell's sisters?", {"Clara Bell", "Edna Bell"}),
        ("Who is the brother of Edna Bell?", "David Bell"),
        ("How many daughters does Arthur Bell have?", 2),
        ("sons of Mary Bell", "David Bell"),
        ("Which children did Mary Bell have?", {"Clara Bell", "David Bell", "Edna Bell"}),
        ("Which daughters does Arthur Bell have?", {"Clara Bell", "Edna Bell"}),
        ("offspring of Mary Bell", {"Clara Bell", "David Bell", "Edna Bell"}),
        ("students of Edna Bell", {"Clara Bell", "Nina Petrov"}),
        ("How many students does Mary Bell have?", 2),
        ("Who is the teacher of Tim Bell?", "Clara Bell"),
    ],
)
def test_kin_by_fathers_and_mothers(fathers: gt.Session, question: str, answer: object) -> None:
    found = fathers.ask(question)
    assert found.answered, found.text
    assert plain(found.value) == answer


@pytest.mark.parametrize("question", ["Who is the aunt of Tim Bell?", "Who is Nina Petrov's uncle?", "Who is the wife of Arthur Bell?", "stepchildren of Mary Bell"])  # fmt: skip
def test_other_kin_are_asked_back(fathers: gt.Session, question: str) -> None:
    assert not fathers.ask(question).answered
