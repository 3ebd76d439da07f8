"""RDF as people have it: several classes, several languages, several values, blank nodes, nodes without a class."""

from pathlib import Path

import pytest

from graphtalk.app.ask import session
from graphtalk.app.querying import run
from graphtalk.core import UsageError
from graphtalk.engines.elsewhere.addresses import open_address

TURTLE = """
@prefix : <http://x.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann a :Person, :Actor ; rdfs:label "Ann"@en, "Anne"@fr ; :age 41 ; :nick "A", "Annie" ; :height 1.7 .
:bo  a :Person ; rdfs:label "Bo"@en, "Beau"@fr ; :age 17 ; :height "1.85"^^xsd:double ; :knows :ann, :cy, _:someone .
:cy  a :Actor ; rdfs:label "Cy"@en ; :born "1990-05-01"^^xsd:date ; :knows :bo .
:up  a :Film ; rdfs:label "Up \\"!\\" \\\\ \\n" ; :stars :ann, :cy ; :odd 3, "three" .
:ann :knows :bo, :stranger .
_:someone a :Person ; rdfs:label "Nobody"@en .
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    (tmp_path / "films.ttl").write_text(TURTLE)
    return f"oxigraph:///{tmp_path}/films.ttl"


def rows(address: str, cypher: str) -> list[list[object]]:
    return [list(row) for row in run(session(open_address(address)), cypher, {}).rows]


def test_what_rdf_is_read_as(place: str) -> None:
    schema = open_address(place).schema
    assert {t.name: (t.count, t.label) for t in schema.node_types} == {
        "Actor": (2, "label"),
        "Person without Actor": (1, "label"),
        "Film": (1, "label"),
    }
    kinds = {f.name: f.kind for t in schema.node_types for f in t.features}
    assert kinds == {
        "label": "text", "age": "number", "nick": "list", "height": "number", "born": "date", "odd": "list",
    }  # fmt: skip
    assert {(r.name, r.source, r.target): r.count for r in schema.relations} == {
        ("knows", "Actor", "Person without Actor"): 2,
        ("knows", "Person without Actor", "Actor"): 2,
        ("stars", "Film", "Actor"): 2,
    }


def test_what_it_is_asked(place: str) -> None:
    assert rows(place, "MATCH (a:Actor) RETURN a.name AS name ORDER BY name") == [["Ann"], ["Cy"]]
    assert rows(
        f"{place}?lang=fr", "MATCH (a:Actor) WHERE a.name = 'Anne' RETURN a.age, a.nick, a.height"
    ) == [[41, ["A", "Annie"], 1.7]]
    assert rows(
        place, "MATCH (x)-[:knows]->(y) WHERE x.height > 1.6 AND y.age < 20 RETURN x.name, y.name"
    ) == [["Ann", "Bo"]]
    assert rows(place, "MATCH (f:Film) WHERE f.name CONTAINS '\"!\" \\\\ \\n' RETURN f.odd") == [
        [["3", "three"]]
    ]
    assert rows(
        place, "MATCH (a:Actor) WHERE a.born < date('1990-05-02') OR a.age IS NULL RETURN a.name"
    ) == [["Cy"]]


def test_graphs_without_classes(tmp_path: Path) -> None:
    (tmp_path / "bare.nt").write_text("<urn:a> <urn:p#likes> <urn:b> .\n<urn:b> <urn:p#likes> <urn:c> .\n")
    address = f"oxigraph:///{tmp_path}/bare.nt"
    assert rows(address, "MATCH (x)-[:likes]->(y)-[:likes]->(z) RETURN id(x), id(z)") == [["urn:a", "urn:c"]]
    (tmp_path / "none.nt").write_text("")
    with pytest.raises(UsageError, match="no triples that say of anything what it is"):
        open_address(f"oxigraph:///{tmp_path}/none.nt")
    (tmp_path / "bad.ttl").write_text("<urn:a> <urn:b> ")
    with pytest.raises(UsageError, match=r"bad.ttl"):
        open_address(f"oxigraph:///{tmp_path}/bad.ttl")
