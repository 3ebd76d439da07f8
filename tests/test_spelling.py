"""Misspelt words of a question are put right where one word alone can be meant, and that is said."""

from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.search.spelling import Speller, is_english

SCHEMA = (
    "gardener",
    "orchard",
    "harvest",
    "fertilizer",
    "leaf colour",
    "weight kg",
    "picked on",
    "planted by",
    "assigned plots",
)


@pytest.fixture(scope="module")
def speller() -> Speller:
    return Speller(SCHEMA, lambda word: word in ("hake", "bramly", "zanthe"))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("which orchrads are largest", "which orchards are largest"),
        ("avergae weight of each havrest", "average weight of each harvest"),
        ("how many were pickd befor 2021", "how many were picked before 2021"),
        ("plots asigned to her", "plots assigned to her"),
        (
            "beds larger then bed 3, no larger then the rest",
            "beds larger than bed 3, no larger then the rest",
        ),
        ("gardenrs with more then 3 plots", "gardeners with more than 3 plots"),
        ("How many in Septmber?", "How many in September?"),
        ("Wich gardener?", "which gardener?"),
        ("which fertilisers give what leaf color?", "which fertilizers give what leaf colour?"),
    ],
)
def test_one_word_is_meant(speller: Speller, written: str, read: str) -> None:
    assert speller.put_right(written).question == read


@pytest.mark.parametrize(
    "question",
    [
        "who grows bramly",  # a name of the graph
        "who caught hake in a trawl",  # rare words are words
        "Does Orchrad Ltd buy from us?",  # may be a name that the graph does not have
        'which gardener is called "orchrad"',  # what is quoted is meant so
        "what is on orchrad-2 and orchrad.csv",  # as are ids
        "who knows zanthe's number",
        "what is upregulated, and which plots does he assigns",  # forms of words that are known
        "the wester field",  # western, eastern, tester: more than one could be meant
        "When were they picked, and then who paid more?",
        "Which numbers come later then?",
        "Who keeps the Oyster then?",
    ],
)
def test_what_stays(speller: Speller, question: str) -> None:
    assert speller.put_right(question) == (question, ())


def test_forms_of_a_word_are_english() -> None:
    words = ("invoices", "invioces", "shipped", "traind", "tidier", "sponsered", "quay")
    assert [word for word in words if is_english(word)] == ["invoices", "shipped", "tidier", "quay"]


def test_the_answer_says_what_was_read(tmp_path: Path) -> None:
    (tmp_path / "gardeners.csv").write_text(
        "id,name,age,wage\n1,Ada,31,900\n2,Bo,52,700\n3,Cy,24,1200\n", encoding="utf-8"
    )
    session = gt.session(gt.open(gt.import_graph([tmp_path / "gardeners.csv"], tmp_path / "g.gt")))
    told = session.ask("Which gardenr has the higest wage?")
    assert told.answered and told.value == ["Cy"]
    assert told.remarks == ("'gardenr' is read as 'gardener'.", "'higest' is read as 'highest'.")
    assert "'higest' is read as 'highest'." in told.text
    assert session.verify(told).verdict == "same"
    asked = session.ask("Which gardenr resents the mayor?")
    assert not asked.answered and "'gardenr' is read as 'gardener'." in asked.text
