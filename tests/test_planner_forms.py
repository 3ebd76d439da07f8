"""Forms of questions on several schemas: passive voice, superlatives of a degree, exclusion, the first of a set.

Each form is asked of graphs whose relations have other names, so that none rests on the words of one schema.
"""

import pytest

from graphtalk.core import JSON
from planner_graphs import answer_value as value
from planner_graphs import firms, library, market, shelves, village


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How often is Deep Water cited?", 3),
        ("How often has Deep Water been cited?", 3),
        ("How often is Stone and Sand cited?", 0),
        ("By how many papers is Stone and Sand cited?", 0),
        ("In how many papers is Deep Water cited?", 3),
        ("Count the papers in which Silent Rivers is cited.", 1),
        ("Which papers has Stone and Sand cited?", ["Deep Water", "Silent Rivers"]),
        ("How many citations has Deep Water received?", 3),
        ("How many citations does Stone and Sand have?", 0),
        ("What is the number of citations that Deep Water has got?", 3),
        ("How many papers are cited in Stone and Sand?", 2),
        ("In Stone and Sand, how many papers are cited?", 2),
        ("How many papers does the following paper cite: Stone and Sand", 2),
        ("This paper cites how many papers: Stone and Sand", 2),
        ("How many papers cite the following paper: Stone and Sand", 0),
        ("How many citations does this paper make: Stone and Sand", 2),
        ("Stone and Sand. How many papers cite it?", 0),
        ("Stone and Sand. How many papers does it cite?", 2),
    ],
)
def test_passive_papers(question: str, expected: JSON) -> None:
    assert value(library(), question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("By whom is Bob loved?", ["Ann", "Cid"]),
        ("By how many people is Bob loved?", 2),
        ("Who is Bob loved by?", ["Ann", "Cid"]),
        ("Whom does Bob love?", ["Dora"]),
        ("Which people are loved by Bob?", ["Dora"]),
        ("How many people love Bob?", 2),
        ("How many people does Ann love?", 1),
        ("By how many people is Cid loved?", 0),
    ],
)
def test_passive_people(question: str, expected: JSON) -> None:
    assert value(village(), question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("By which company is Borel owned?", ["Acme"]),
        ("Which company is Borel owned by?", ["Acme"]),
        ("Which companies does Borel own?", ["Cobalt", "Dorn"]),
        ("How many companies are owned by Borel?", 2),
        ("By how many companies is Borel owned?", 1),
        ("the company that Cobalt is owned by", ["Borel"]),
        ("Which companies have been owned by Acme?", ["Borel"]),
    ],
)
def test_passive_firms_without_a_name_for_the_way_back(question: str, expected: JSON) -> None:
    assert value(firms(), question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which paper by Ada Byron is cited most?", ["Deep Water"]),
        ("Which paper by Ada Byron is cited the most?", ["Deep Water"]),
        ("Which paper by Ada Byron has the most citations?", ["Deep Water"]),
        ("Which of the papers of Ada Byron do the most papers cite?", ["Deep Water"]),
        ("Which paper by Ada Byron is cited more often than the others?", ["Deep Water"]),
        ("Which paper by Ada Byron is cited more often than any other?", ["Deep Water"]),
        ("Which paper by Ada Byron cites the most papers?", ["Stone and Sand"]),
        ("Which paper is cited more often than the rest?", ["Deep Water"]),
        ("Which paper cites more papers than any other?", ["Stone and Sand"]),
    ],
)
def test_the_most_of_a_set_of_papers(question: str, expected: JSON) -> None:
    assert value(library(), question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which member of Chess Club is loved most?", ["Bob"]),
        ("Which member of Chess Club do the most people love?", ["Bob"]),
        ("Which member of Chess Club loves the most people?", ["Cid"]),
        ("Who is loved by the most people?", ["Bob"]),
    ],
)
def test_the_most_of_a_set_of_people(question: str, expected: JSON) -> None:
    assert value(village(), question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who wrote Deep Water with Ada Byron?", ["Jo Park"]),
        ("With whom did Ada Byron write Deep Water?", ["Jo Park"]),
        ("Apart from Ada Byron, who wrote Deep Water?", ["Jo Park"]),
        ("Who besides Ada Byron is an author of Deep Water?", ["Jo Park"]),
        ("Deep Water is by Ada Byron and whom else?", ["Jo Park"]),
        ("Who else wrote Deep Water, apart from Ada Byron?", ["Jo Park"]),
        ("Which authors of Deep Water are there in addition to Ada Byron?", ["Jo Park"]),
    ],
)
def test_the_others_of_a_paper(question: str, expected: JSON) -> None:
    assert value(library(), question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Other than Bob, who is a member of Chess Club?", ["Cid"]),
        ("Who is in the Chess Club together with Bob?", ["Cid"]),
        ("How many members does Chess Club have besides Bob?", 1),
        ("Which members of Chess Club are there, not counting Bob?", ["Cid"]),
        ("How many people are in the club that has the member Dora?", 1),
        ("How many members does the club of Bob have?", 2),
        ("How many people are in the same club as Bob?", 1),
        ("List the members of the club of Bob, himself included.", ["Bob", "Cid"]),
        ("How many members are in the club of Bob, including himself?", 2),
    ],
)
def test_the_members_of_a_club(question: str, expected: JSON) -> None:
    assert value(village(), question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who published Red Sky?", ["North House"]),
        ("Name who published Red Sky.", ["North House"]),
        ("Who wrote Red Sky?", ["Ida Holm"]),
        ("The author of Red Sky began with which book?", ["Blue Hour"]),
        ("The author of Red Sky began with which book, by year?", ["Blue Hour"]),
        ("With which book did the author of Red Sky start, by year?", ["Blue Hour"]),
        ("Of all books of the author of Red Sky, which was published first?", ["Blue Hour"]),
        ("Among the books by Ida Holm, which was published last?", ["Red Sky"]),
        ("Which book by Ida Holm was published first?", ["Blue Hour"]),
        ("Which book did Ida Holm publish last?", ["Red Sky"]),
    ],
)
def test_the_first_book(question: str, expected: JSON) -> None:
    assert value(shelves(), question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which firm was founded first?", ["Acme"]),
        ("Of the firms in Lund, which was founded last?", ["Borel"]),
        ("Among all firms in Lund, which was founded first?", ["Acme"]),
    ],
)
def test_the_first_firm(question: str, expected: JSON) -> None:
    assert value(firms("firm"), question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which goods share more than 1 tag with Lamp?", ["Torch"]),
        ("Which goods have more than 1 tag in common with Lamp?", ["Torch"]),
        ("Which goods share at least 1 tag with Lamp?", ["Candle", "Torch"]),
        ("More than 1 tag is common to Lamp and which other goods?", ["Torch"]),
        ("Which goods share more than 1 similar good with Lamp?", ["Candle"]),
    ],
)
def test_shared_more_than_so_often(question: str, expected: JSON) -> None:
    assert value(market(), question) == expected
