"""Readings in English: what is told of a call is what the call asks for, without the schema's own spelling."""

import pytest

import graphtalk as gt
from graphtalk.calls.graph_cot import parse
from graphtalk.language.inflection import inflected
from graphtalk.language.phrasing import phrased
from graphtalk.language.relating import described
from planner_graphs import make

FRANCE, GERMANY = 'RetrieveNode["France", "country"]', 'RetrieveNode["Germany", "country"]'
EUROPE = 'RetrieveNode["Europe", "continent"]'


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            f'Intersect[NeighbourCheck[{FRANCE}, "borders"], NeighbourCheck[{GERMANY}, "borders"]]',
            "countries that border both France and Germany",
        ),
        (f'NeighbourCheck[{FRANCE}, "capital"]', "the capital of France"),
        (
            f'NodeFeature[NeighbourCheck[{FRANCE}, "capital"], "population"]',
            "population of the capital of France",
        ),
        (
            f'Distinct[NeighbourCheck[NeighbourCheck[{FRANCE}, "capital"], "headquarters of"]]',
            "organisations whose headquarters is the capital of France",
        ),
        (f'NeighbourCheck[{EUROPE}, "continent of"]', "countries whose continent is Europe"),
        (
            'NeighbourCheck[RetrieveNode["Rhine", "river"], "flows through"]',
            "countries that Rhine flows through",
        ),
        (f'NeighbourCheck[{FRANCE}, "has river"]', "rivers of France"),
        (
            f'NeighbourCheck[NeighbourCheck[{FRANCE}, "has river"], "flows through"]',
            "countries that the rivers of France flow through",
        ),
        (
            f'Count[Intersect[NeighbourCheck[{FRANCE}, "borders"], NeighbourCheck[{EUROPE}, "continent of"]]]',
            "number of countries that border France and whose continent is Europe",
        ),
        ('Count[Nodes["country"]]', "number of countries"),
        ('Nodes["country"]', "all countries"),
        ('Top[Nodes["country"], "area", 5]', "the 5 countries with the largest area"),
        ('TopDegree[Nodes["country"], "borders"]', "countries that border the most countries"),
        ('FilterDegree[Nodes["country"], "borders", ">", 5]', "countries that border more than 5 countries"),
        ('Average[NodeFeature[Nodes["city"], "population"]]', "average population of cities"),
        (
            f'Contains[Top[Union[{FRANCE}, {GERMANY}], "population"], {FRANCE}]',
            "whether France has a larger population than Germany",
        ),
        (f"Path[{FRANCE}, {GERMANY}]", ""),  # whoever read it says it better
        ('NeighbourCheck[RetrieveNode["x", "nowhere"], "borders"]', ""),
    ],
)
def test_calls_are_told_in_english(call: str, said: str) -> None:
    assert phrased(parse(call), gt.open("atlas").schema) == said


@pytest.mark.parametrize(
    ("noun", "name", "outward", "said"),
    [
        ("films", "DIRECTED_BY", True, "films directed by X"),
        ("people", "directedBy", False, "people that X was directed by"),
        ("people", "acted_in", True, "people who acted in X"),
        ("films", "HAS_GENRE", True, "films whose genre is X"),
        ("genres", "HAS_GENRE", False, "genres of X"),
        ("bands", "plays", True, "bands that play X"),
        ("countries", "member of", True, "countries that are members of X"),
        ("drugs", "Compound-treats-Disease", True, "drugs whose compound treats disease is X"),
        ("rivers", "flies to", True, "rivers that fly to X"),
    ],
)
def test_relations_are_told_as_their_names_read(noun: str, name: str, outward: bool, said: str) -> None:
    assert described(noun, name, outward, "X") == said


def test_no_reading_of_the_readers_has_brackets_or_arrows() -> None:
    atlas = gt.open("atlas")
    for question in (
        "Which countries border both France and Germany?",
        "How many countries does each continent have?",
        "List all countries with their population",
        "What is the capital of the country with the largest population?",
    ):
        answer = gt.ask(atlas, question)
        readings = [answer.reading, *(each.reading for each in answer.alternatives)]
        assert any(readings) and not any(
            mark in said for said in readings for mark in ("(", "->", "<-", "node and")
        )


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("number of recipes for each cuisines", "number of recipes for each cuisine"),
        ("persons that wa taught by Ann", "people that were taught by Ann"),
        ("number of cuisines for each person", "number of cuisines for each person"),
        ("recipes that the persons was trained by", "recipes that the people were trained by"),
        ("whether there are persons whose seconded is Peace", "whether there are people that seconded Peace"),
        ("recipes that are votedagainsts of Bo", "recipes that are votedagainsts of Bo"),
        ("recipes that are secondeds of Bo and seconded of Bo", "recipes that were seconded by Bo and seconded of Bo"),
        ("secondeds of the persons", "things seconded by the people"),
        ("persons with the largest highest age of the persons", "people with the highest age of the people"),
        ("persons whose name is “each cuisines”", "people whose name is “each cuisines”"),
        ("number of data sets for each data set", "number of data sets for each data set"),
        ("recipes with the largest minutes", "recipes with the most minutes"),
        ("recipes with the smallest weight", "recipes with the smallest weight"),
        ("Soup or Stew, whichever has the larger minutes", "Soup or Stew, whichever has more minutes"),
        ("cuisines with the smallest number of recipes", "cuisines with the fewest recipes"),
        ("recipes that need Rice and except those that need Eggs", "recipes that need Rice, except those that need Eggs"),
        ("number of recipes by cuisines", "number of recipes by cuisine"),
    ],
)  # fmt: skip
def test_names_of_the_schema_are_inflected(told: str, said: str) -> None:
    numbers = {"minutes": [5], "weight": [2.5]}
    made = {kind: {"id": [f"{kind} 1"], **numbers} for kind in ("person", "cuisines", "recipe", "dataSet")}
    schema = make(made, [("seconded", "person", "recipe", [("person 1", "recipe 1")])]).schema
    assert inflected(told, schema) == said
