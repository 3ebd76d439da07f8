"""Cypher scripts: as people, apoc, Memgraph and graphtalk's own export write them."""

from pathlib import Path
from typing import Any

import pytest

from graphtalk.core import SourceError
from graphtalk.graphs import Graph, builtin
from graphtalk.graphs.read import read_graph
from graphtalk.graphs.writers.statements import write_cypher


def graph_of(folder: Path, text: str, **options: Any) -> Graph:
    (folder / "g.cypher").write_text(text)
    graph = read_graph([folder / "g.cypher"], **options)
    assert isinstance(graph, Graph)
    return graph


def edges(graph: Graph) -> list[tuple[str, str, str]]:
    found = []
    for position, r in enumerate(graph.schema.relations):
        sources, targets = graph.ends(position)
        found += [(graph.label(a), r.name, graph.label(b)) for a, b in zip(sources, targets, strict=True)]
    return sorted(found)


def test_a_script_as_people_write_it(tmp_path: Path) -> None:
    graph = graph_of(
        tmp_path,
        """// the movies
CREATE CONSTRAINT FOR (m:Movie) REQUIRE m.title IS UNIQUE;
CREATE (TheMatrix:Movie {title:'The Matrix', released:1999, tagline:'Welcome; "again"\\u0021', tags: ['a', "b"], score: -1.5e1})
CREATE (Keanu:Person:Actor {name:'Keanu O\\'Reeves', born:date('1964-09-02'), alive: true, gone: null})
CREATE (Carrie:Person {name: "Carrie"}), (Keanu)-[:ACTED_IN {roles:['Neo']}]->(TheMatrix)<-[:ACTED_IN {roles:["Trinity"]}]-(Carrie)
CREATE p = (Keanu)-[:`KNOWS well`]->(:Person {name: 'New'})
RETURN p;
MATCH (a:Person {name: 'New'}), (b:Movie) WHERE b.title = 'The Matrix' CREATE (a)-[r:SAW]->(b) SET r.year = 2001, a.age = 4;
MERGE (x:Person {name: 'Carrie'}) MERGE (x)-[:SAW]->(:Movie {title: 'Speed'});
""",
    )
    assert [(t.name, t.count) for t in graph.schema.node_types] == [("Movie", 2), ("Person", 3)]
    assert edges(graph) == [
        ("Carrie", "ACTED_IN", "The Matrix"),
        ("Carrie", "SAW", "Speed"),
        ("Keanu O'Reeves", "ACTED_IN", "The Matrix"),
        ("Keanu O'Reeves", "KNOWS well", "New"),
        ("New", "SAW", "The Matrix"),
    ]
    matrix = graph.features(graph.node("1"))
    assert matrix == {
        "title": "The Matrix",
        "released": 1999,
        "tagline": 'Welcome; "again"!',
        "tags": ["a", "b"],
        "score": -15.0,
    }
    keanu = graph.features(graph.node("2"))
    assert (
        str(keanu["born"]) == "1964-09-02" and keanu["labels"] == ["Person", "Actor"] and "gone" not in keanu
    )
    assert graph.features(graph.node("4"))["age"] == 4


def test_a_dump_of_apoc(tmp_path: Path) -> None:
    graph = graph_of(
        tmp_path,
        """:begin
CREATE CONSTRAINT UNIQUE_IMPORT_NAME FOR (node:`UNIQUE IMPORT LABEL`) REQUIRE (node.`UNIQUE IMPORT ID`) IS UNIQUE;
:commit
CALL db.awaitIndexes(300);
:begin
UNWIND [{_id:0, properties:{name:"Ann", born:1990}}, {_id:1, properties:{name:"Bob"}}] AS row
CREATE (n:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row._id}) SET n += row.properties SET n:Person;
UNWIND [{start: {_id:0}, end: {_id:1}, properties:{since:1999}}] AS row
MATCH (start:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row.start._id})
MATCH (end:`UNIQUE IMPORT LABEL`{`UNIQUE IMPORT ID`: row.end._id})
CREATE (start)-[r:KNOWS]->(end) SET r += row.properties;
:commit
MATCH (n:`UNIQUE IMPORT LABEL`) WITH n LIMIT 20000 REMOVE n:`UNIQUE IMPORT LABEL` REMOVE n.`UNIQUE IMPORT ID`;
DROP CONSTRAINT UNIQUE_IMPORT_NAME;
""",
    )
    assert edges(graph) == [("Ann", "KNOWS", "Bob")]
    assert [t.name for t in graph.schema.node_types] == ["Person"]
    assert graph.features(0) == {"name": "Ann", "born": 1990} and graph.edge_features(0, 0) == {"since": 1999}


def test_our_own_export_comes_back(tmp_path: Path) -> None:
    atlas = builtin.load("atlas")
    assert isinstance(atlas, Graph)
    with (tmp_path / "g.cypher").open("wb") as file:
        write_cypher(atlas, file)
    back = read_graph([tmp_path / "g.cypher"])
    assert isinstance(back, Graph)
    assert back.schema == atlas.schema and edges(back) == edges(atlas)
    assert all(back.features(n) == atlas.features(n) for n in range(0, atlas.num_nodes, 50))


BAD = {
    "CREATE (a:B {x: 1})\nCREATE (a)-[:R]->(": "line 2: .*should stand here",
    "CREATE (a {x: @})": "means nothing",
    "CREATE (a);\nMATCH (a) DETACH DELETE a;": "line 2: .*'DETACH' is not read",
    "CREATE (a);\nLOAD CSV FROM 'file:///etc/passwd' AS row CREATE (:B);": "line 2: .*'LOAD' is not read",
    "CREATE (a {x: apoc.load.json('http://a')})": "apoc",
    "CREATE (a {x: rand()})": "the function 'rand' is not read",
    "MATCH (a {x: 1}) CREATE (a)-[:R]->(:B)": "MATCH finds no node",
    "CREATE (a {x: " + "[" * 5000: "nested too deeply",
    "CREATE (a {x: " + "9" * 500 + "})": "too large",
    "CREATE (a {x: 'open": "means nothing",
    "RETURN 1": "makes no nodes",
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_bad_scripts_are_one_message(tmp_path: Path, text: str) -> None:
    with pytest.raises(SourceError, match=r"g\.cypher.*" + BAD[text]):
        graph_of(tmp_path, text)
