"""Values that end in a sign, a letter that nobody has, ages that are no dates, and what goes both ways."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "patients": "patient_id,name,blood_type,birth_date\np1,Ann Lee,O-,1930-04-01\np2,Bob Orr,O+,1985-02-01\np3,Cy Moss,AB+,1990-07-09\np4,Dot Nash,AB-,2001-01-30\n",
    "drugs": "drug_id,name\nd1,Heparin\nd2,Aspirin\nd3,Warfarin\n",
    "interacts_with": "drug_id,other_drug_id\nd1,d2\nd3,d1\n",
}


@pytest.fixture(scope="module")
def ward(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(TABLES, tmp_path_factory.mktemp("ward"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which patients have blood type O-?", ["Ann Lee"]),
        ("List patients whose blood type is O- or AB+.", ["Ann Lee", "Cy Moss"]),
        ("List patients whose blood type is AB-.", ["Dot Nash"]),
        ("Which patients were born before 1960?", ["Ann Lee"]),
        ("With which drugs does Heparin interact?", ["Aspirin", "Warfarin"]),
    ],
)
def test_they_are_read(ward: gt.Session, question: str, value: list[str]) -> None:
    found = ward.ask(question)
    assert found.answered, found.text
    assert sorted(found.value) == value, found.reading


@pytest.mark.parametrize(
    "question",
    [
        "List patients whose blood type is Q- or AB+.",
        "Which patients are older than 85?",
        "Which patients are younger than 30 today?",
        "How old is Ann Lee?",
        "Is Ann Lee a doctor?",
    ],
)
def test_what_nothing_tells_is_asked_back(ward: gt.Session, question: str) -> None:
    found = ward.ask(question)
    assert not found.answered, found.reading
