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
        ("donors", "recruited", True, "donors who recruited X"),
        ("donors", "recruited", False, "donors that X recruited"),
        ("courses", "was_taught_by", True, "courses taught by X"),
        ("donations", "given_by", True, "donations given by X"),
        ("stations", "keeps", False, "stations that X keeps"),
        ("users", "FOLLOW", False, "users that X follows"),
        ("places", "GO_TO", False, "places that X goes to"),
        ("projects", "lead", True, "projects whose lead is X"),
        ("teams", "parts", True, "teams whose parts include X"),
        ("visits", "TO", True, "visits to X"),
        ("patients", "UNDER_CARE_OF", True, "patients under care of X"),
        ("components", "compatible_with", False, "components that X is compatible with"),
        ("divers", "took_part_in", True, "divers who took part in X"),
        ("tests", "organisation", False, "tests that are organisations of X"),
    ],
)
def test_relations_are_told_as_their_names_read(noun: str, name: str, outward: bool, said: str) -> None:
    assert described(noun, name, outward, "X") == said


@pytest.mark.parametrize(
    ("name", "outward", "several", "said"),
    [
        ("of device", True, False, "fittings whose device is Y"),
        ("for client", True, False, "fittings for Y"),
        ("made_by_client", False, True, "fittings that Y were made by"),
        ("maker", False, False, "fittings that are makers of Y"),
    ],
)
def test_a_name_says_once_what_is_at_its_end(name: str, outward: bool, several: bool, said: str) -> None:
    assert described("fittings", name, outward, "Y", ("fittings", "clients"), several) == said


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
        ("number of cuisines for each person", "number of cuisines for each person"),
        ("cuisines with the largest highest age of the people", "cuisines with the highest age of the people"),
        ("recipes of each cuisines whose name is “each cuisines”", "recipes of each cuisine whose name is “each cuisines”"),
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
