"""Endpoints that are slow, drop, lie or say too much; addresses and passwords; what changed since it was read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import elsewhere_graphs as made
from graphtalk.app.ask import session
from graphtalk.app.querying import run
from graphtalk.core import CallError, GraphtalkError, UsageError
from graphtalk.core.limits import within
from graphtalk.engines.elsewhere import endpoint
from graphtalk.engines.elsewhere.addresses import open_address, password, read_address
from graphtalk.engines.elsewhere.protocol import EngineError
from sparql_server import Fault, SparqlServer, drips, drops, hangs, million, says

ROW = b'{"n0":{"type":"uri","value":"http://films.example/person/00"}},'
ROWS = b'{"head":{"vars":["n0"]},"results":{"bindings":[' + (ROW * 30_000)[:-1] + b"]}}"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SparqlServer]:
    made.in_rdf(tmp_path / "films.nt")
    with SparqlServer(tmp_path / "films.nt") as server:
        yield server


def test_an_endpoint_is_asked_over_http(server: SparqlServer) -> None:
    graph = open_address(server.address)
    found = run(session(graph), "MATCH (p:person)-[:directed]->(f:film {title: 'Heat'}) RETURN p.name", {})
    store = run(
        session(made.stored()), "MATCH (p:person)-[:directed]->(f:film {title: 'Heat'}) RETURN p.name", {}
    )
    assert found.rows == store.rows
    assert found.evidence == store.evidence
    before = len(server.asked)
    assert open_address(server.address).schema == graph.schema
    assert len(server.asked) == before  # schema and names were kept


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (hangs, "did not answer within 0.5 seconds"),
        (drips, "took more than 0.5 seconds for one query"),
        (drops, "could not be asked"),
        (says(503, b"tired"), "answered 503: tired"),
        (says(200, b"<html>"), "gave no results of SPARQL in JSON"),
        (says(200, b'{"results": {"bindings": [{"n0": 3}]}}'), "gave no results of SPARQL in JSON"),
        (million, "gave more than 39 MB, more than was asked for"),
        (says(200, ROWS), "gave 30,000 rows where at most 20,001 were asked for"),
    ],
)
def test_a_bad_endpoint_is_one_clear_message(
    server: SparqlServer, monkeypatch: pytest.MonkeyPatch, fault: Fault, words: str
) -> None:
    asked = session(open_address(server.address))
    server.fault = fault
    monkeypatch.setattr(endpoint, "SECONDS", 0.5 if fault in (hangs, drips) else 60)
    with pytest.raises(EngineError, match=words):
        run(asked, "MATCH (p:person) RETURN p.name", {})
    server.fault = None
    assert len(run(asked, "MATCH (p:person) RETURN p.name", {})) == 32


def test_a_limit_ends_what_an_engine_does(server: SparqlServer) -> None:
    asked = session(open_address(server.address))
    server.fault = drips
    with within(0.4), pytest.raises(GraphtalkError, match=r"Not finished within 0.4 seconds"):
        run(asked, "MATCH (p:person) RETURN p.name", {})


def test_an_engine_that_lies_about_its_schema(server: SparqlServer) -> None:
    asked = session(open_address(server.address))
    person = b'{"n0":{"type":"uri","value":"http://films.example/person/77"}}'
    server.fault = says(200, b'{"head":{"vars":["n0"]},"results":{"bindings":[' + person + b"]}}")
    with pytest.raises(CallError, match=r"'http://films.example/person/77' that was not there.*--refresh"):
        run(asked, "MATCH (p:person) RETURN p.name", {})
    server.fault = says(200, b'{"head":{"vars":["n0"]},"results":{"bindings":[{}]}}')
    with pytest.raises(CallError, match="without a value of n0"):
        run(asked, "MATCH (p:person) RETURN p.name", {})


def test_what_changed_is_read_again_on_demand(server: SparqlServer) -> None:
    import pyoxigraph as ox

    asked = session(open_address(server.address))
    kind = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    new = ox.NamedNode(f"{made.BASE}city/99")
    server.store.add(ox.Quad(new, kind, ox.NamedNode(f"{made.BASE}type/city")))
    server.store.add(ox.Quad(new, ox.NamedNode(f"{made.BASE}name"), ox.Literal("Quito")))
    with pytest.raises(CallError, match="was not there when the names of films were read"):
        run(asked, "MATCH (c:city) RETURN c.name", {})
    fresh = open_address(server.address, refresh=True)
    assert len(run(session(fresh), "MATCH (c:city) RETURN c.name", {})) == 7


def test_files_that_changed_are_read_again(tmp_path: Path) -> None:
    import duckdb

    address = made.in_duckdb(tmp_path / "films.duckdb")
    graph = open_address(address)
    assert graph.schema.node_type("city").count == 6
    assert graph.backend is not None
    graph.backend.close()
    with duckdb.connect(str(tmp_path / "films.duckdb")) as connection:
        connection.execute("INSERT INTO city VALUES ('http://films.example/city/77', 'Quito', 5)")
    assert open_address(address).schema.node_type("city").count == 7


def test_passwords_come_from_outside(
    server: SparqlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="leave the password out of the address") as refused:
        open_address(server.address.replace("//", "//me:hunter2@"))
    assert "hunter2" not in str(refused.value)
    with pytest.raises(UsageError, match="leave the password out") as refused:
        open_address(f"{server.address}?password=hunter2")
    assert "hunter2" not in str(refused.value)
    monkeypatch.setenv("GRAPHTALK_PASSWORD_FILE", str(tmp_path / "nothing"))
    with pytest.raises(UsageError, match=r"GRAPHTALK_PASSWORD_FILE: .* cannot be read"):
        password()
    (tmp_path / "secret").write_text("hunter2\n")
    monkeypatch.setenv("GRAPHTALK_PASSWORD_FILE", str(tmp_path / "secret"))
    open_address(server.address.replace("//", "//me@"))
    assert server.asked[-1][1] == "Basic bWU6aHVudGVyMg=="
    for file in (tmp_path / "cache").rglob("*.json"):
        assert "hunter2" not in file.read_text()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nosuch://host/x", "No engine 'nosuch'"),
        ("duckdb:///nothing.duckdb", "there is no such file"),
        ("ladybug:///nothing.lbug", "there is no such file"),
        ("oxigraph:///nothing.ttl", "there is no such file"),
        ("sparql+http://host:notaport/x", "The address cannot be read"),
    ],
)
def test_addresses_that_cannot_be(address: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        open_address(address)
    assert read_address("duckdb:///a/films.duckdb").name == "films"


def test_tables_that_say_nothing(tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(tmp_path / "bare.duckdb")) as connection:
        connection.execute("CREATE TABLE person(id INT, name VARCHAR)")
        connection.execute("CREATE TABLE knows(a INT, b INT, since INT)")
        connection.execute("INSERT INTO person VALUES (1, 'Ann'), (2, 'Bo')")
        connection.execute("INSERT INTO knows VALUES (1, 2, 2000), (1, 2, 2010), (2, 9, 2011)")
    with pytest.raises(UsageError, match="no table declares a primary key"):
        open_address(f"duckdb:///{tmp_path}/bare.duckdb")
    mapping = tmp_path / "bare.toml"
    nodes = '[[nodes]]\nfiles = ["person"]\nnode_type = "person"\nlabel = "name"\n'
    mapping.write_text(nodes + '[[edges]]\nfiles = ["knows"]\nsource = "a"\ntarget = "c"\n')
    with pytest.raises(UsageError, match="there is no column 'c'; it has a, b, since"):
        open_address(f"duckdb:///{tmp_path}/bare.duckdb?mapping={mapping}")
    mapping.write_text(
        nodes + '[[edges]]\nfiles = ["knows"]\nsource = "a"\ntarget = "b"\nvalues = { x = "y" }\n'
    )
    with pytest.raises(UsageError, match="'values' needs an import"):
        open_address(f"duckdb:///{tmp_path}/bare.duckdb?mapping={mapping}")
    mapping.write_text(nodes + '[[edges]]\nfiles = ["knows"]\nsource = "a"\ntarget = "b"\n')
    asked = session(open_address(f"duckdb:///{tmp_path}/bare.duckdb?mapping={mapping}"))
    # Edges side by side are different edges, and a key to a row that is not there is no edge.
    assert run(
        asked, "MATCH (a)-[k:knows]->(b) WHERE k.since > 1999 RETURN k.since ORDER BY k.since", {}
    ).rows == [[2000], [2010]]
    assert run(asked, "MATCH (a)-[k:knows]->(b)<-[l:knows]-(a) RETURN k.since, l.since", {}).rows in (
        [[2000, 2010], [2010, 2000]],
        [[2010, 2000], [2000, 2010]],
    )


def test_what_is_larger_than_is_read_is_asked_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphtalk.engines.elsewhere import graph as module

    monkeypatch.setattr(module, "MOST_READ", 3)
    monkeypatch.setattr(module, "_WHOLE", 0)
    address = made.in_duckdb(tmp_path / "films.duckdb")
    for _ in range(2):  # opened twice in one process
        answer = session(open_address(address)).ask("Who directed Heat?")
        assert answer.value == session(made.stored()).ask("Who directed Heat?").value
    asked = session(open_address(address))
    with pytest.raises(CallError, match=r"films has 61 knows edges in DuckDB; at most 3 are read here"):
        run(asked, "MATCH (a {name: 'Ann'})-[:knows*1..2]->(b) RETURN b.name", {})
