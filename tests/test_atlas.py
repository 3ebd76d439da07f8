"""The tables of the built-in atlas: whole, consistent, and right where the facts are well known."""

import csv
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

import graphtalk.graphs
from graphtalk.graphs.builtin import load
from graphtalk.graphs.graph import Graph

FOLDER = Path(graphtalk.graphs.__file__).parent / "data" / "atlas"
ENDS = {
    "borders": ({"country"}, {"country"}),
    "capital": ({"country"}, {"city"}),
    "coast on": ({"country"}, {"sea"}),
    "continent": ({"country"}, {"continent"}),
    "currency": ({"country"}, {"currency"}),
    "flows into": ({"river"}, {"sea", "lake", "river"}),
    "flows through": ({"river"}, {"country"}),
    "headquarters": ({"organisation"}, {"city"}),
    "lies in": ({"lake"}, {"country"}),
    "located in": ({"city"}, {"country"}),
    "member of": ({"country"}, {"organisation"}),
    "official language": ({"country"}, {"language"}),
    "part of": ({"sea"}, {"sea"}),
    "stands in": ({"mountain"}, {"country"}),
}


@cache
def rows(file: str) -> list[dict[str, str]]:
    with (FOLDER / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@cache
def nodes() -> dict[str, dict[str, str]]:
    return {row["id"]: row for row in rows("nodes.tsv")}


@cache
def links() -> dict[str, dict[str, set[str]]]:
    """relation -> source -> targets; borders from both ends."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in rows("edges.tsv"):
        found[row["relation"]][row["source"]].add(row["target"])
        if row["relation"] == "borders":
            found["borders"][row["target"]].add(row["source"])
    return found


def of_type(node_type: str) -> list[str]:
    return [n for n, row in nodes().items() if row["type"] == node_type]


def targets(source: str, relation: str) -> set[str]:
    return links()[relation][source]


def sources(relation: str, target: str) -> set[str]:
    return {source for source, found in links()[relation].items() if target in found}


def test_ids_are_unique_and_names_are_given() -> None:
    assert len(nodes()) == len(rows("nodes.tsv"))
    assert all(row["id"] and row["name"] and row["type"] for row in rows("nodes.tsv"))


def test_a_name_stands_once_in_each_type() -> None:
    names = Counter(
        (row["type"], name.casefold())
        for row in rows("nodes.tsv")
        for name in {row["name"], *row["aliases"].split("|")} - {""}
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_edges_are_unique_and_join_the_right_types() -> None:
    edges = [(row["source"], row["relation"], row["target"]) for row in rows("edges.tsv")]
    assert len(set(edges)) == len(edges)
    for source, relation, target in edges:
        first, second = ENDS[relation]
        assert nodes()[source]["type"] in first, (source, relation, target)
        assert nodes()[target]["type"] in second, (source, relation, target)


def test_rows_are_sorted() -> None:
    edges = [(row["relation"], row["source"], row["target"]) for row in rows("edges.tsv")]
    assert edges == sorted(edges)
    for node_type in {row["type"] for row in rows("nodes.tsv")}:
        assert of_type(node_type) == sorted(of_type(node_type))


def test_every_node_but_antarctica_has_an_edge() -> None:
    joined = {row[end] for row in rows("edges.tsv") for end in ("source", "target")}
    assert set(nodes()) - joined == {"Antarctica"}


def test_each_border_stands_once_and_joins_two_countries() -> None:
    pairs = [frozenset((r["source"], r["target"])) for r in rows("edges.tsv") if r["relation"] == "borders"]
    assert len(set(pairs)) == len(pairs)
    assert all(len(pair) == 2 for pair in pairs)


def test_all_countries_are_there() -> None:
    observers = {"Vatican City", "Palestine", "Kosovo", "Taiwan"}
    assert len(of_type("country")) == 193 + len(observers)
    assert sources("member of", "United Nations") == set(of_type("country")) - observers


@pytest.mark.parametrize("relation", ["capital", "continent", "currency", "official language"])
def test_every_country_has(relation: str) -> None:
    assert [c for c in of_type("country") if not targets(c, relation)] == []


@pytest.mark.parametrize("feature", ["population", "area", "calling code"])
def test_every_country_has_a_positive(feature: str) -> None:
    assert [c for c in of_type("country") if not float(nodes()[c][feature] or 0) > 0] == []


def test_country_codes_are_unique() -> None:
    for column, width in (("iso code", 2), ("iso3 code", 3)):
        codes = [nodes()[c][column] for c in of_type("country")]
        assert len(set(codes)) == len(codes)
        assert all(len(code) == width and code.isupper() for code in codes)


def test_capitals_lie_in_their_countries() -> None:
    for country, capitals in links()["capital"].items():
        assert all(targets(capital, "located in") == {country} for capital in capitals)


def test_countries_without_a_coast_are_landlocked() -> None:
    dry = {c for c in of_type("country") if nodes()[c]["landlocked"] == "true"}
    assert dry == set(of_type("country")) - set(links()["coast on"])
    assert len(dry) == 45  # 44 as usually counted (with Vatican City), and Kosovo


@pytest.mark.parametrize("relation", ["flows into", "part of"])
def test_water_does_not_flow_in_circles(relation: str) -> None:
    for node in links()[relation]:
        seen, here = {node}, targets(node, relation)
        while here:
            assert not here & seen, node
            seen |= here
            here = {further for n in here for further in links()[relation].get(n, ())}


def test_everything_measured_is_plausible() -> None:
    def values(node_type: str, feature: str) -> list[float]:
        return [float(nodes()[n][feature]) for n in of_type(node_type) if nodes()[n][feature]]

    assert 8.0e9 < sum(values("country", "population")) < 8.3e9
    assert 1.30e8 < sum(values("country", "area")) < 1.37e8
    assert all(200 <= length <= 7000 for length in values("river", "length"))
    assert all(1000 <= height <= 8849 for height in values("mountain", "height"))
    assert max(values("city", "population")) < 3e7


@pytest.mark.parametrize(
    ("country", "count"),
    {
        "China": 14,
        "Russia": 14,
        "Brazil": 10,
        "France": 10,
        "Germany": 9,
        "DR Congo": 9,
        "Austria": 8,
        "Serbia": 8,
        "Turkey": 8,
        "Zambia": 8,
        "Tanzania": 8,
        "Italy": 6,
        "India": 6,
        "Spain": 4,
        "United States": 2,
        "Portugal": 1,
        "South Korea": 1,
        "Japan": 0,
        "Singapore": 0,
    }.items(),
)
def test_number_of_neighbours(country: str, count: int) -> None:
    assert len(targets(country, "borders")) == count


def test_well_known_neighbours() -> None:
    shared = targets("France", "borders") & targets("Germany", "borders")
    assert shared == {"Belgium", "Luxembourg", "Switzerland"}
    assert targets("France", "borders") >= {"Brazil", "Suriname"}  # French Guiana
    assert targets("Liechtenstein", "borders") == {"Austria", "Switzerland"}


def test_well_known_facts() -> None:
    assert targets("Japan", "capital") == {"Tokyo"}
    assert targets("Australia", "capital") == {"Canberra"}
    assert targets("South Africa", "capital") == {"Pretoria", "Cape Town", "Bloemfontein"}
    assert targets("Switzerland", "official language") == {"German", "French", "Italian", "Romansh"}
    assert targets("Russia", "continent") == {"Europe", "Asia"}
    assert targets("Bulgaria", "currency") == {"Euro"}
    assert len(targets("Danube", "flows through")) == 10
    assert targets("Missouri", "flows into") == {"Mississippi"}
    assert targets("Mount Everest", "stands in") == {"Nepal", "China"}
    assert "Brazil" in sources("official language", "Portuguese")


@pytest.mark.parametrize(
    ("organisation", "members"),
    {"European Union": 27, "NATO": 32, "African Union": 54, "Commonwealth of Nations": 56, "G7": 7}.items(),
)
def test_number_of_members(organisation: str, members: int) -> None:
    assert len(sources("member of", organisation)) == members


@pytest.mark.parametrize(
    ("node_type", "feature", "expected"),
    [
        ("country", "area", ["Russia", "Canada", "United States", "China", "Brazil"]),
        ("country", "population", ["India", "China", "United States", "Indonesia", "Pakistan"]),
        ("mountain", "height", ["Mount Everest", "K2", "Kangchenjunga"]),
        ("lake", "area", ["Caspian Sea", "Lake Superior", "Lake Victoria"]),
        ("lake", "depth", ["Lake Baikal", "Lake Tanganyika", "Caspian Sea"]),
        ("river", "length", ["Nile", "Amazon", "Yangtze"]),
        ("sea", "area", ["Pacific Ocean", "Atlantic Ocean", "Indian Ocean"]),
    ],
)
def test_the_largest(node_type: str, feature: str, expected: list[str]) -> None:
    known = [n for n in of_type(node_type) if nodes()[n][feature]]
    ranked = sorted(known, key=lambda n: -float(nodes()[n][feature]))
    assert ranked[: len(expected)] == expected


def test_the_loaded_graph_agrees_with_the_tables() -> None:
    graph = load("atlas")
    assert isinstance(graph, Graph)
    assert (graph.num_nodes, graph.num_edges) == (len(nodes()), len(rows("edges.tsv")))
    for country in ("France", "Brazil", "Japan"):
        neighbours = graph.neighbours(graph.node(country), "borders")
        assert sorted(graph.ids(neighbours)) == sorted(targets(country, "borders"))
    assert graph.ids(graph.neighbours(graph.node("Paris"), "capital of")) == ["France"]
    assert "Danube" in graph.ids(graph.neighbours(graph.node("Black Sea"), "fed by"))


def test_relations_have_plain_names_from_both_ends() -> None:
    graph = load("atlas")
    assert isinstance(graph, Graph)
    assert {r.name for r in graph.schema.relations} == set(ENDS)
    assert all(r.inverse and r.description for r in graph.schema.relations)
    assert [r.name for r in graph.schema.relations if r.undirected] == ["borders"]


def test_features_have_their_kinds() -> None:
    graph = load("atlas")
    assert isinstance(graph, Graph)
    kinds = {f.name: f.kind for f in graph.schema.node_type("country").features}
    assert (kinds["aliases"], kinds["population"], kinds["landlocked"]) == ("list", "number", "boolean")
    assert "USA" in str(graph.feature(graph.node("United States"), "aliases"))
    assert graph.feature(graph.node("Namibia"), "iso code") == "NA"
    assert graph.label(graph.node("Singapore (city)")) == "Singapore"
