"""RDF in all its syntaxes, as rdflib writes it: resources, literals of their kinds, languages, lists, blank nodes."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from graphtalk.core import SourceError, UsageError
from graphtalk.graphs import Graph
from graphtalk.graphs.read import read_graph

rdflib = pytest.importorskip("rdflib")

TURTLE = """
@prefix ex: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
ex:ann a ex:Person ; rdfs:label "Ann" ; ex:age 31 ; ex:born "1990-05-06"^^xsd:date ; ex:tall 1.75 ; ex:active true ;
    foaf:knows ex:bob , ex:cy ; ex:address [ ex:street "Main" ; ex:city ex:wien ] ; ex:nick "A" , "Annie" .
ex:bob a ex:Person ; skos:prefLabel "Bob"@en , "Bobby"@de ; ex:likes ( ex:ann ex:cy ) .
ex:cy a ex:Person , owl:NamedIndividual .
ex:wien a ex:City ; rdfs:label "Wien"@de , "Vienna"@en ; foaf:name "W" .
"""


def graph_of(*paths: Path, **options: Any) -> Graph:
    graph = read_graph(list(paths), **options)
    assert isinstance(graph, Graph)
    return graph


def edges(graph: Graph) -> set[tuple[str, str, str]]:
    found = set()
    for position, r in enumerate(graph.schema.relations):
        sources, targets = graph.ends(position)
        found |= {(graph.label(a), r.name, graph.label(b)) for a, b in zip(sources, targets, strict=True)}
    return found


def check(graph: Graph, prefixed: bool) -> None:
    ann = graph.node("http://example.org/ann")
    assert {t.name for t in graph.schema.node_types} == {"Person", "City", "resource"}
    assert graph.node_type(ann).name == "Person"
    features = graph.features(ann)
    assert (features["age"], features["tall"], features["active"]) == (31, 1.75, True)
    assert features["born"] == date(1990, 5, 6) and sorted(features["nick"]) == ["A", "Annie"]
    vienna = graph.node("http://example.org/wien")
    assert graph.label(vienna) == "Vienna" and graph.features(vienna)["label@de"] == "Wien"
    cy = "ex:cy" if prefixed else "cy"
    found = edges(graph)
    assert {
        ("Ann", "knows", "Bob"),
        ("Ann", "knows", cy),
        ("Bob", "likes", "Ann"),
        ("Bob", "likes", cy),
    } <= found
    assert [r for s, r, t in found if t == "Vienna"] == ["city"] and len(found) == 6


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("g.ttl", "turtle"),
        ("g.nt", "nt"),
        ("g.rdf", "pretty-xml"),
        ("g.owl", "xml"),
        ("g.jsonld", "json-ld"),
        ("g.json", "json-ld"),
        ("g.nq", "nquads"),
        ("g.trig", "trig"),
        ("g.n3", "n3"),
    ],
)
def test_what_rdflib_writes(tmp_path: Path, name: str, format: str) -> None:
    dataset = rdflib.Dataset() if format in ("nquads", "trig") else rdflib.Graph()
    dataset.parse(data=TURTLE, format="turtle")
    dataset.serialize(tmp_path / name, format=format)
    check(graph_of(tmp_path / name), prefixed=format in ("turtle", "trig", "n3"))


def test_turtle_as_people_write_it(tmp_path: Path) -> None:
    (tmp_path / "g.ttl").write_text(TURTLE)
    check(graph_of(tmp_path / "g.ttl"), prefixed=True)
    (tmp_path / "h.ttl").write_text(
        "<http://example.org/dee> <http://example.org/at> [ a <http://example.org/Place> ] ."
    )
    graph = graph_of(tmp_path)  # a folder; blank nodes of two files are two
    assert graph.num_edges == 7 and graph.ids() == graph_of(tmp_path).ids()


def test_a_page_of_schema_org(tmp_path: Path) -> None:
    text = """{"@context": "https://schema.org/", "@type": "Book", "@id": "http://b/1", "name": "Dune",
      "author": {"@type": "Person", "@id": "http://p/1", "name": "Frank Herbert"}, "numberOfPages": 412}"""
    (tmp_path / "g.jsonld").write_text(text)
    graph = graph_of(tmp_path / "g.jsonld")
    assert edges(graph) == {("Dune", "author", "Frank Herbert")}
    assert graph.features(graph.node("http://b/1"))["numberOfPages"] == 412


def test_names_that_two_properties_share_and_inverses(tmp_path: Path) -> None:
    text = """@prefix a: <http://a/> . @prefix b: <http://b/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
    a:x a:part b:y . a:x b:part b:z . a:has owl:inverseOf a:of . a:x a:has b:y . b:y a:of a:x .
    a:near a owl:SymmetricProperty . a:x a:near b:y ."""
    (tmp_path / "g.ttl").write_text(text)
    graph = graph_of(tmp_path / "g.ttl")
    names = {r.name: (r.inverse, r.count) for r in graph.schema.relations}
    assert names["a:part"] == ("", 1) and names["b:part"] == ("", 1)
    assert names["has"] == ("of", 1) and names["near"] == ("near", 1)


BAD = {
    "cut.ttl": "@prefix ex: <http://example.org/> .\nex:a ex:b",
    "strange.nt": "<http://a> <http://b> .\n",
    "empty.ttl": "# nothing\n",
    "entity.rdf": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">&x;</rdf:RDF>',
    "deep.jsonld": '{"@context": {}, "@graph": ' + "[" * 5000,
    "far.jsonld": '{"@context": "https://example.org/context.json", "name": "x"}',
    "latin.nt": b'<http://a> <http://b> "caf\xe9" .\n',
    "nothing.ttl": "",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_one_message_that_names_them(tmp_path: Path, name: str) -> None:
    content = BAD[name]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(SourceError, match=name.replace(".", r"\.")) as caught:
        graph_of(tmp_path / name)
    assert len(str(caught.value)) < 1500


def test_a_bomb_of_entities_is_refused(tmp_path: Path) -> None:
    entities = '<!ENTITY a0 "aaaaaaaaaa">' + "".join(
        f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 12)
    )
    text = f'<!DOCTYPE r [{entities}]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'
    (tmp_path / "g.rdf").write_text(
        text + '<rdf:Description rdf:about="http://x"><e:p>&a11;</e:p></rdf:Description></rdf:RDF>'
    )
    with pytest.raises(SourceError, match=r"g\.rdf"):
        graph_of(tmp_path / "g.rdf")


def test_ontologies_may_abbreviate_addresses(tmp_path: Path) -> None:
    text = """<!DOCTYPE rdf:RDF [<!ENTITY ex "http://example.org/">]>
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:ex="http://example.org/">
    <rdf:Description rdf:about="&ex;a"><ex:to rdf:resource="&ex;b"/></rdf:Description></rdf:RDF>"""
    (tmp_path / "g.owl").write_text(text)
    assert edges(graph_of(tmp_path / "g.owl")) == {("a", "to", "b")}


def test_without_the_library_the_one_command_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyoxigraph", None)
    (tmp_path / "g.ttl").write_text(TURTLE)
    with pytest.raises(UsageError, match=r'pip install "graphtalk\[rdf\]"'):
        graph_of(tmp_path / "g.ttl")


@pytest.mark.parametrize(
    "text",
    [
        "@prefix : <http://e/> . :a :knows :b {| :since 2001 ; :by :c |} .",
        "@prefix : <http://e/> . << :a :knows :b >> :since 2001 . :a :knows :b .",
        "@prefix : <http://e/> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . :a :knows :b . "
        "[] a rdf:Statement ; rdf:subject :a ; rdf:predicate :knows ; rdf:object :b ; :since 2001 .",
    ],
    ids=["annotation", "quoted", "reified"],
)
def test_what_is_said_of_a_statement_is_a_feature_of_its_edge(tmp_path: Path, text: str) -> None:
    (tmp_path / "g.ttl").write_text(text)
    graph = read_graph([tmp_path / "g.ttl"])
    assert isinstance(graph, Graph)
    assert {"http://e/a", "http://e/b"} <= set(graph.ids()) <= {"http://e/a", "http://e/b", "http://e/c"}
    assert [(r.name, r.count) for r in graph.schema.relations] == [("knows", 1)]
    assert graph.edge_features(0, 0)["since"] == 2001
