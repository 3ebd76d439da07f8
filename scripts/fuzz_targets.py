"""What `scripts/fuzz` attacks. A target prepares itself in a folder and returns a function that runs one case.

A case returns a few words for what came out, where that may be: a right result, or an error of ours. All else raises.
"""

import io
import json
import pickle
import pickletools
import shutil
import sqlite3
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import networkx as nx
import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet
from scipy import sparse

from graphtalk.core import CallError, ParseError, SourceError, StoreError
from graphtalk.core.text import whole
from graphtalk.graphs import Graph, GraphSet, open_graph, write
from graphtalk.graphs.read import read_graph

Attempt: TypeAlias = Callable[[Random], str]
NASTY = [
    *(
        b"\x00",
        b"\xff",
        b"\xed\xa0\x80",
        b"\n",
        b"\r",
        b"\t",
        b'"',
        b",",
        b"[" * 500,
        b"{" * 500,
        b"-1",
        b"0",
    ),
    *(b"9" * 30, b"9" * 400, b"9" * 5000, b"1e999", b"nan", b"null", b"\\ud800", b"300000000", b"../x", b""),
]


def mangled(random: Random, content: bytes, most: int = 4) -> bytes:
    """Some bytes flipped, cut, dropped, doubled, moved or replaced."""
    for _ in range(random.randint(1, most)):
        at = random.randint(0, len(content))
        before, part, after = content[:at], content[at : at + random.randint(1, 20)], content[at + 20 :]
        content = random.choice(
            [
                before,
                before + after,
                before + part * random.randint(2, 5) + after,
                after + part + before,
                before + random.randbytes(random.randint(1, 8)) + part + after,
                before + random.choice(NASTY) + part + after,
                before + bytes(b ^ 1 << random.randrange(8) for b in part) + after,
            ]
        )
    return content


# importers


def importers(folder: Path) -> Attempt:
    """Mangled files of every format, and pickles of random instructions: a graph whose parts fit, or SourceError."""
    kinds = list(_sources())

    def attempt(random: Random) -> str:
        place = folder / "case"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        name, files, format = random.choice(kinds)
        victim = random.choice(list(files))
        for file, content in files.items():
            if file == victim:
                makes_pickles = name == "planetoid" and file != "ind.p.test.index" and random.random() < 0.5
                content = instructions(random) if makes_pickles else mangled(random, content)
            (place / file).write_bytes(content)
        sources = [place] if len(files) > 1 else [place / victim]
        try:
            graph = read_graph(sources, format=format, on_error=random.choice(("stop", "skip")))
        except SourceError as error:
            assert str(place) in str(error) and len(str(error)) < 3000, (
                f"an error that names no file: {error}"
            )
            return f"SourceError, {name}"
        _check(graph)
        if random.random() < 0.1:
            write(graph, folder / "store.gt")
            _check(open_graph(folder / "store.gt"))
        return f"a graph, {name}"

    return attempt


def _check(graph: Graph | GraphSet) -> None:
    union = graph.union if isinstance(graph, GraphSet) else graph
    for position in range(len(union.schema.relations)):
        for ends in union.ends(position):
            assert not len(ends) or 0 <= ends.min() <= ends.max() < union.num_nodes, "an end outside"
    if isinstance(graph, Graph):
        assert len(set(graph.ids())) == graph.num_nodes, "an id that stands twice"


def _sources() -> Iterator[tuple[str, Mapping[str, bytes], str | None]]:
    """Name, files and format of small good sources."""
    nodes = 'id\tname\ttype\tmass\tseen\n007\tBond\tagent\t1.5\t2001-02-03\n7\tSeven\tnumber\t\t\n8\t"x"\tagent\t3\t\n'
    edges = "source\ttarget\trelation\tyear\n007\t7\tlikes\t1995\n8\t007\thelps\t\n"
    yield "tables", {"nodes.tsv": nodes.encode(), "edges.tsv": edges.encode()}, None
    yield "csv", {"nodes.csv": b'id,name\n"a","one, ""two"""\nb,"three\nfour"\n'}, None
    yield "triples", {"g.tsv": b"a\tr\tb\nb\tr\tc\nb\ts\ta\n"}, "triples"
    node = {"features": {"title": "t", "year": 3, "tags": ["x"]}, "neighbors": {"reference": ["p"]}}
    yield "grbench", {"g.json": json.dumps({"paper_nodes": {"p": node, "q": node}}).encode()}, "grbench"
    path = nx.path_graph(3)
    nx.set_node_attributes(path, {0: {"name": "a", "x": 1.5}})
    yield "node-link", {"g.json": json.dumps(nx.node_link_data(path, edges="links")).encode()}, "node-link"
    yield "graphml", {"g.graphml": "\n".join(nx.generate_graphml(path)).encode()}, None
    yield "gexf", {"g.gexf": "\n".join(nx.generate_gexf(path)).encode()}, None
    yield "gml", {"g.gml": "\n".join(nx.generate_gml(path)).encode()}, None
    yield "gin", {"g.txt": b"2\n2 1\n0 1 1\n0 1 0\n1 0\n3 0\n"}, "gin"
    tu = {"X_A.txt": b"1, 2\n2, 1\n", "X_graph_indicator.txt": b"1\n1\n2\n", "X_graph_labels.txt": b"0\n1\n"}
    yield "tu", tu, "tu"
    sink = pa.BufferOutputStream()
    pa.parquet.write_table(pa.table({"id": ["a", "b"], "x": [1, 2], "l": [[1], None]}), sink)
    yield "parquet", {"nodes.parquet": sink.getvalue().to_pybytes()}, None
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in tu.items():
            archive.writestr(name, content)
    yield "tu zip", {"x.zip": packed.getvalue()}, "tu"
    words, marks = sparse.csr_matrix(np.eye(2)), np.eye(2)
    parts: dict[str, Any] = {"x": words, "y": marks, "tx": words, "ty": marks, "allx": words, "ally": marks}
    parts["graph"] = {0: [1], 1: [0], 2: [3], 3: [2]}
    pickles = {f"ind.p.{name}": pickle.dumps(value, 2) for name, value in parts.items()}
    yield "planetoid", pickles | {"ind.p.test.index": b"2\n3\n"}, "planetoid"
    yield from _others(path)


def _others(path: nx.Graph) -> Iterator[tuple[str, Mapping[str, bytes], str | None]]:
    """Sources of the formats of other tools: databases, workbooks, RDF, scripts, notes, messy tables."""
    messy = {
        "people.csv": "id;name;boss_id;pay;tags\n1;Zoë;;$1,200;a, b\n2;Bob;1;$950;b, c\n3;Cy;1.0;;c\n".encode(
            "cp1252"
        ),
        "pairs.csv": b"person_id,friend_id,since\n1,2,2001-02-03\n2,3,\n",
    }
    yield "messy", messy, None
    yield "messy utf-16", {"g.csv": "id,name,parent\n1,Ö,\n2,b,1\n".encode("utf-16")}, "tables"
    yield "cytoscape", {"g.cyjs": json.dumps(nx.cytoscape_data(path)).encode()}, None
    pajek = (
        b'*Vertices 3\n1 "a b" 0.1 0.2\n2 "c"\n*Arcs :1 "knows"\n1 2 1 l "x"\n*Edgeslist :2 "near"\n2 1 3\n'
    )
    yield "pajek", {"g.net": pajek}, "pajek"
    people = [
        {"id": 1, "name": "A", "club": {"id": 7, "t": "x"}, "friends": [2, 3], "jobs": [{"n": 1}, {"n": 2}]},
        {"id": 2, "boss": 1, "at": {"city": "R"}},
        {"id": 3},
    ]
    yield "json", {"people.json": json.dumps(people).encode()}, None
    yield "json lines", {"people.jsonl": b"\n".join(json.dumps(p).encode() for p in people)}, None
    yield (
        "ends",
        {"isle.csv": b"id,name\na1,A\nb2,B\nc3,C\n", "lines.csv": b"x,y,kind\na1,b2,k\nb2,c3,k\nc3,a1,l\n"},
        None,
    )
    yield "matrix", {"m.csv": b",A,B,C\nA,0,1,0\nB,2.5,0,\nC,0,1,1\n"}, "matrix"
    yield "adjacency", {"g.adjlist": b"# x\n0 1 2\n1 2\n2\n"}, None
    yield "edges", {"g.edgelist": b"# x\na b {'weight': 1, 'c': 'red'}\nb c {}\n"}, "edges"
    neo4j = {
        "p.csv": b"i:ID(P),name,n:int,t:string[],:LABEL\n1,A,3,x;y,P;Q\n2,B,,,P\n",
        "r.csv": b":START_ID(P),:END_ID(P),:TYPE\n1,2,R\n",
    }
    yield "neo4j", neo4j, "neo4j"
    apoc = b'"_id","_labels","name","_start","_end","_type"\n"7",":P:Q","A",,,\n"8",":P","B\nc",,,\n,,,"7","8","K"\n'
    yield "apoc", {"g.csv": apoc}, "neo4j"
    script = (
        b":begin\nCREATE (a:P:Q {id: 1, name: 'A\\'s', on: date('2020-01-02'), l: [1, -2.5]});\nMERGE (b:P {id: 2});\n"
        b"MATCH (a:P {id: 1}), (b) WHERE b.id = 2 CREATE (a)-[r:`K n` {x: true}]->(b)<-[:L]-(:P {id: 3}) SET r.y = 3;\n"
        b"UNWIND [{i: 4, p: {n: 'x'}}] AS row CREATE (n:P {id: row.i}) SET n += row.p SET n:Z;\n"
    )
    yield "cypher", {"g.cypher": script}, None
    notes = {
        "a.md": b"---\ntitle: A\ntags: [x, y]\nboss: '[[b]]'\n---\n[[b|B]] #z [c](c.md)\n",
        "b.md": b"[[a#x]]\n",
    }
    yield "markdown", notes, "markdown"
    turtle = (
        b'@prefix e: <http://e/> .\ne:a a e:P ; e:n 3, "x"@en, "y"@de ; e:on "2020-01-02"^^<http://www.w3.org/2001/XMLSchema#date> ;\n'
        b"  e:k e:b, [ e:l ( e:a 2 ) ] .\n"
    )
    yield "turtle", {"g.ttl": turtle}, None
    triples = b'<http://e/a> <http://e/k> <http://e/b> .\n_:x <http://e/n> "3"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
    yield "n-triples", {"g.nt": triples}, None
    rdf = (
        b'<!DOCTYPE r [<!ENTITY e "http://e/">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'
        b'<e:P rdf:about="&e;a"><e:k rdf:resource="&e;b"/><e:n>3</e:n></e:P></rdf:RDF>'
    )
    yield "rdf/xml", {"g.rdf": rdf}, None
    linked = {
        "@context": {"@vocab": "http://e/"},
        "@id": "http://e/a",
        "@type": "P",
        "n": 3,
        "k": {"@id": "http://e/b"},
    }
    yield "json-ld", {"g.jsonld": json.dumps(linked).encode()}, None
    with tempfile.TemporaryDirectory() as folder:
        database = sqlite3.connect(Path(folder) / "g.db")
        database.executescript(
            "CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT, boss INTEGER REFERENCES p(id)); CREATE TABLE q (a, b, c BLOB);"
            "INSERT INTO p VALUES (1, 'A', NULL), (2, 'B', 1); INSERT INTO q VALUES (1, 2, x'00ff'), (2, 'x', NULL)"
        )
        database.close()
        yield "sqlite", {"g.db": (Path(folder) / "g.db").read_bytes()}, None
        book = openpyxl.Workbook()
        for row in (["id", "name", "boss"], [1, "A", None], [2, "B", 1]):
            book.active.append(row)
        book.save(Path(folder) / "g.xlsx")
        yield "excel", {"g.xlsx": (Path(folder) / "g.xlsx").read_bytes()}, None
    for name, mode in (("g.zip", ""), ("g.tar.gz", "w:gz")):
        packed = io.BytesIO()
        if not mode:
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr("x/nodes.csv", "id\na\nb\n")
                archive.writestr("x/edges.csv", "source,target\na,b\n")
        else:
            with tarfile.open(fileobj=packed, mode=mode) as tar:
                for member, content in (("nodes.csv", b"id\na\nb\n"), ("edges.csv", b"source,target\na,b\n")):
                    entry = tarfile.TarInfo(member)
                    entry.size = len(content)
                    tar.addfile(entry, io.BytesIO(content))
        yield f"archive {name}", {name: packed.getvalue()}, None


_PIECES = [
    *(
        b"cnumpy\ndtype\n",
        b"cnumpy\nndarray\n",
        b"cnumpy.core.multiarray\n_reconstruct\n",
        b"ccollections\ndefaultdict\n",
    ),
    *(
        b"cnumpy.core.multiarray\nscalar\n",
        b"cscipy.sparse.csr\ncsr_matrix\n",
        b"c__builtin__\nlist\n",
        b"c_codecs\nencode\n",
    ),
    *(
        b"U\x02O8",
        b"U\x02i8",
        b"U\x02V8",
        b"U\x01<",
        b"U\x08AAAAAAAA",
        b"X\x06\x00\x00\x00latin1",
        b"U\x01b",
        b"K\x00\x85",
    ),
    *(
        b"(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00t",
        b"cnumpy\ndtype\nU\x02f8K\x00K\x01\x87R",
        b"K\x02K\x02\x86",
    ),
    *(
        b"]",
        b"}",
        b")",
        b"(",
        b"R",
        b"b",
        b"\x81",
        b"e",
        b"a",
        b"u",
        b"s",
        b"t",
        b"\x85",
        b"\x86",
        b"\x87",
        b"q\x00",
        b"h\x00",
    ),
    *(
        b"N",
        b"K\x01",
        b"J\xff\xff\xff\xff",
        b"\x88",
        b"\x89",
        b"U\x06_shape",
        b"U\x04data",
        b"U\x06indptr",
        b"U\x07indices",
    ),
    b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R",
    b"(K\x01K\x01\x85cnumpy\ndtype\nU\x02i8K\x00K\x01\x87R\x89U\x08AAAAAAAAt",
]


def instructions(random: Random) -> bytes:
    """A pickle of random instructions, most of them such as pickles of arrays have."""
    codes = [op.code.encode("latin1") for op in pickletools.opcodes]
    parts = [
        random.choice(_PIECES)
        if random.random() < 0.9
        else random.choice(codes) + random.randbytes(random.randint(0, 4))
        for _ in range(random.randint(1, 30))
    ]
    return b"\x80\x02" + b"".join(parts) + b"."


# calls


def calls(folder: Path) -> Attempt:
    """Mangled and random text for the parser of every spelling, and those calls run: a value, or CallError."""
    from graphtalk.calls import _PARSERS, find_calls, parse, show
    from graphtalk.calls.ast import Call
    from graphtalk.graphs import builtin
    from graphtalk.tools.executor import Executor
    from graphtalk.tools.limits import Limits
    from graphtalk.tools.registry import default_registry

    atlas = builtin.load("atlas")
    assert isinstance(atlas, Graph)
    executor, vocabulary = Executor(atlas, limits=Limits(seconds=5)), default_registry().vocabulary

    def attempt(random: Random) -> str:
        text = random.choice(_CALLS)
        if random.random() < 0.8:
            text = mangled(random, text.encode(), 3).decode(
                "utf-8", random.choice(("replace", "surrogateescape"))
            )
        else:
            text = "".join(random.choices(_PARTS, k=random.randint(1, 40)))
        for reads in _PARSERS.values():
            try:
                assert isinstance(reads(text, vocabulary), Call), "not a call"
            except ParseError as error:
                assert 0 <= error.position <= len(text), "a position outside the text"
        ends = 0
        for found in find_calls(text, vocabulary):
            assert ends <= found.start < found.end <= len(text), "calls that overlap"
            ends = found.end
        try:
            call = parse(text, vocabulary)
        except ParseError:
            return "ParseError"
        assert parse(show(call, "json"), vocabulary) == call, "a call that does not come back as JSON"
        try:
            executor.run(call)
        except CallError as error:
            return type(error).__name__
        return "a value"

    return attempt


_CALLS = [
    'NeighbourCheck[RetrieveNode["France"], "borders"]',
    'Count[Filter[Nodes["country"], "population", ">", 50000000]]',
    '[GR(GL("atlas"), "graph:neighbours", GR(GL("atlas"), "graph:retrieve", "Peru"), "borders")-->r]',
    'GR(GL("gpr", {"lollipop_graph"}), "toolx:order")',
    '{"name": "NeighbourCheck", "arguments": {"node": {"name": "RetrieveNode", "arguments": {"keyword": "France"}}}}',
    'MATCH (a:country {name: "France"})-[:borders]-(b) WHERE b.population > 5 RETURN b.name, count(*) ORDER BY b.name',
    "MATCH p = (a)-[*1..2]->(b) RETURN a.name + 'x', length(p) LIMIT 3",
    'PathLength["France", "Peru"]',
    "Top[Nodes[country], population, 3]",
]
_PARTS = [
    *(
        "GR(",
        "GL(",
        "RetrieveNode[",
        "Count[",
        "Finish[",
        "Foo[",
        '{"name": ',
        '"arguments": ',
        "MATCH ",
        "RETURN ",
        "WHERE ",
    ),
    *(
        "(a)",
        "-[:borders]->",
        "WITH ",
        "a.name",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        ",",
        '"',
        "'",
        "“",
        "\\",
        "#",
        "=",
        "<",
        ":",
        "*",
    ),
    *(
        "-->r",
        "country",
        "France",
        "1",
        "1e999",
        "-",
        "true",
        "null",
        " ",
        "\x00",
        "\ud800",
        "\n",
        "9" * 400,
        "🙂",
        "toolx:order",
    ),
]


# stores


def stores(folder: Path) -> Attempt:
    """A store with bytes flipped or cut away: what it says is what was written, or StoreError."""
    from graphtalk.search.index import Index

    source = folder / "source"
    source.mkdir()
    for _, files, _ in [next(_sources())]:
        for file, content in files.items():
            (source / file).write_bytes(content)
    whole = folder / "whole.gt"
    graph = read_graph([source])
    assert isinstance(graph, Graph)
    write(graph, whole, [Index.build])
    names = sorted(str(p.relative_to(whole)) for p in whole.rglob("*") if p.is_file() and p.stat().st_size)
    right = _said(whole)

    def attempt(random: Random) -> str:
        place = folder / "case.gt"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(whole, place)
        victim = place / random.choice(names)
        content = bytearray(victim.read_bytes())
        if random.random() < 0.2:
            victim.write_bytes(mangled(random, bytes(content)))
        else:
            for _ in range(random.randint(1, 3)):
                content[random.randrange(len(content))] ^= 1 << random.randrange(8)
            victim.write_bytes(bytes(content))
        try:
            said = _said(place)
        except StoreError:
            return "StoreError"
        assert said == right, f"another answer, from {victim.relative_to(place)}"
        return "as written"

    return attempt


def _said(place: Path) -> list[object]:
    """What a store of the small tables says: all of it."""
    from graphtalk.search.index import Index

    graph = open_graph(place)
    assert isinstance(graph, Graph)
    index = Index.open(graph)
    told: list[object] = [graph.ids(), [graph.node(node) for node in ("007", "7", "8")]]
    for node in range(graph.num_nodes):
        told += [graph.features(node), graph.label(node), [int(n) for n in graph.neighbours(node)]]
    for position in range(len(graph.schema.relations)):
        told += [end.tolist() for end in graph.ends(position)] + [graph.edge_columns[position].to_pylist()]
    told += [
        [(hit.node, round(hit.score, 4)) for hit in index.retrieve(words, None, 3)]
        for words in ("Bond", "sevn", "x")
    ]
    return told


# the server


def server(folder: Path) -> Attempt:
    """Random JSON, and other bytes, for every route: an answer or a problem, and never a status of 500."""
    from starlette.testclient import TestClient

    from graphtalk.app import ask as wiring
    from graphtalk.app.server.config import Bounds, ServerSettings
    from graphtalk.app.server.site import site
    from graphtalk.app.settings import Settings
    from graphtalk.app.shelf import Shelf

    bounds = Bounds(client_rate=10**9, seconds=20.0)
    shelf = Shelf.of([wiring.open("atlas"), wiring.open("gpr")], Settings())
    app = site(shelf, ServerSettings(keep=folder / "kept.sqlite", bounds=bounds))
    client = TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False)
    client.__enter__()  # until the process ends
    routes = app.openapi()["paths"]
    reads = sorted(path for path, methods in routes.items() if "get" in methods)
    schemas = app.openapi()["components"]["schemas"]
    fields = {
        path: sorted(schemas[schema["$ref"].rpartition("/")[2]]["properties"])
        for path, methods in routes.items()
        if (schema := _schema_of(methods)).get("$ref")
    }

    def attempt(random: Random) -> str:
        if random.random() < 0.2:
            path = random.choice(reads)
            for name in ("name", "id", "graph", "conversation"):
                path = path.replace(
                    f"{{{name}}}", random.choice(["atlas", "France", "x", "%00", "%ff", "..%2f", "9" * 400])
                )
            reply = client.get(
                path, params={"q": whole(random.choice(_PARTS)), "limit": random.choice([1, -1, "x", 10**30])}
            )
        else:
            path = random.choice(sorted(fields))
            body = json.dumps(_body(random, fields[path])).encode()
            if random.random() < 0.3:
                body = mangled(random, body)
            reply = client.post(path, content=body, headers={"Content-Type": "application/json"})
        assert reply.status_code < 500 or reply.status_code in (503, 504), f"{reply.status_code} of {path}"
        assert "Traceback" not in reply.text and "site-packages" not in reply.text, f"a traceback from {path}"
        return f"{reply.status_code // 100}00"

    return attempt


def _schema_of(methods: Mapping[str, Any]) -> Mapping[str, Any]:
    content = methods.get("post", {}).get("requestBody", {}).get("content", {})
    schema: Mapping[str, Any] = content.get("application/json", {}).get("schema", {})
    return schema


_FIELDS: Mapping[str, list[object]] = {
    "graph": ["atlas", "atlas", "atlas", "gpr", "cora", "../x", ""],
    "question": ["What is the capital of Japan?", "Which countries border Peru?", "?", "\ud800", "a" * 5000],
    "call": [*_CALLS],
    "query": [*_CALLS[5:7]],
    "conversation": ["", "x", "9" * 100],
    "ids": [["France"], ["x"] * 100, [1], "France"],
    "answer": [
        {},
        {"answered": True, "answer": "x", "value": 1, "evidence": {"nodes": [], "edges": []}, "calls": []},
    ],
    "messages": [[{"role": "user", "content": "What is the capital of Japan?"}], [{"role": "x"}], []],
    "model": ["atlas", "x"],
    "stream": [True, False],
    "trace": [True, "x"],
}
_ODD: list[object] = [None, -1, 1e308, 10**400, [[[]]] * 50, {"a": {}}, "\x00", True, 1, "x", []]


def _body(random: Random, known: list[str]) -> object:
    """An object with the fields that a route knows; at times one is missing, or is not as it should be."""
    body = {name: random.choice(_FIELDS[name]) for name in known if name in _FIELDS and random.random() < 0.9}
    if random.random() < 0.3:
        body[random.choice(known)] = random.choice(_ODD)
    return body


TARGETS: Mapping[str, Callable[[Path], Attempt]] = {
    "importers": importers,
    "calls": calls,
    "stores": stores,
    "server": server,
}
