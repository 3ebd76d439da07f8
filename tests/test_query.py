"""Queries as people run them: the command line, Python and the server; their evidence, and that they verify."""

import json
from pathlib import Path

import pytest

import graphtalk as gt
from command_line import CommandLine, lines, read
from graphtalk.calls import parse, show
from graphtalk.core import Answer, CheckError, LimitError, ParseError
from graphtalk.tools.executor import Executor
from graphtalk.tools.limits import Limits
from graphtalk.tools.values import to_json
from graphtalk.tools.verify import verify

PORTUGAL = "MATCH (c:country)-[:borders]-(d:country {name: 'Portugal'}) RETURN c.name AS name ORDER BY name"
LARGEST = "MATCH (c:country) RETURN c.name AS name, c.population AS people ORDER BY people DESC LIMIT 3"


def world() -> gt.Graph:
    """People, films and who rated what, with an edge of each kind twice where that matters."""
    import pyarrow as pa

    from graphtalk.graphs import EdgeTable, NodeTable, build

    people = pa.table({"id": ["p1", "p2", "p3"], "name": ["Ann", "Bob", "Cid"], "age": ["31", "27", None]})
    films = pa.table({"id": ["f1", "f2"], "name": ["Heat", "Ran"], "year": [1995, 1985]})
    import numpy as np

    rated = EdgeTable(
        "rated",
        "person",
        "film",
        np.array([0, 0, 1, 0]),
        np.array([0, 1, 0, 0]),
        pa.table({"stars": [5, 3, 4, 4]}),
    )
    knows = EdgeTable("knows", "person", "person", np.array([0, 1]), np.array([1, 2]))
    return build(
        [NodeTable("person", people, "name"), NodeTable("film", films, "name")], [rated, knows], "world"
    )


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


# the command line


def test_a_query_is_printed_as_a_table_as_json_and_as_csv(cli: CommandLine) -> None:
    table = cli("query", "atlas", LARGEST)
    assert (table.code, table.out.splitlines()[:2]) == (0, ["name\tpeople", "India\t1450936000"])
    assert "3 rows" in table.err
    shown = cli("query", "atlas", LARGEST, "--json").json
    assert shown["columns"] == ["name", "people"] and shown["rows"][0] == ["India", 1450936000]
    assert shown["evidence"]["nodes"][:1] == ["India"]
    assert cli("query", "atlas", LARGEST, "--csv").out.splitlines()[1] == "India,1450936000"
    assert cli("query", "atlas", "-", "--json", stdin=PORTUGAL).json["rows"] == [["Spain"]]


def test_parameters_are_values_and_never_cypher(cli: CommandLine) -> None:
    cypher = "MATCH (c:country {name: $name}) RETURN c.name AS name"
    assert cli("query", "atlas", cypher, "--param", "name=Japan", "--json").json["rows"] == [["Japan"]]
    hostile = cli("query", "atlas", cypher, "--param", "name=x'}) DELETE c //", "--json")
    assert (hostile.code, hostile.json["rows"]) == (0, [])
    missing = cli("query", "atlas", cypher)
    assert (missing.code, "$name" in missing.err) == (1, True)
    assert cli("query", "atlas", cypher, "--param", "name").code == 2


@pytest.mark.parametrize(
    ("cypher", "code", "said"),
    [
        ("MATCH (c:country) SET c.population = 1 RETURN c", 2, "SET"),
        ("CREATE (n:x) RETURN n", 2, "CREATE"),
        ("CALL db.labels()", 2, "CALL"),
        ("MATCH (c:country RETURN c", 2, "not closed"),
        ("Count[Nodes['country']]", 2, "Not Cypher"),
        ("", 2, "Not Cypher"),
        ("MATCH (c:contry) RETURN c", 1, "country"),
        ("MATCH (c:country) RETURN c.populaton", 1, "population"),
        ("MATCH (c:country) RETURN d", 1, "d"),
    ],
)
def test_what_cannot_be_run_is_said(cli: CommandLine, cypher: str, code: int, said: str) -> None:
    done = cli("query", "atlas", cypher)
    assert (done.code, done.out) == (code, "")
    assert said in done.err and "Traceback" not in done.err


def test_a_file_of_queries_is_run_in_order_and_taken_up_again(cli: CommandLine, tmp_path: Path) -> None:
    asked = [
        {"id": "a", "cypher": PORTUGAL},
        {"id": 2, "cypher": "MATCH (c RETURN c"},
        {"id": "c", "cypher": LARGEST},
    ]
    source, out = lines(tmp_path / "queries.jsonl", asked), tmp_path / "rows.jsonl"  # type: ignore[arg-type]
    assert cli("query", "atlas", "--file", source, "--out", out).code == 0
    rows = read(out)
    assert [row["id"] for row in rows] == ["a", 2, "c"]
    assert (rows[0]["columns"], rows[0]["rows"], rows[0]["error"]) == (["name"], [["Spain"]], None)
    assert "line 1" in str(rows[1]["error"]) and len(rows[2]["rows"]) == 3  # type: ignore[arg-type]
    out.write_text(out.read_text().splitlines(keepends=True)[0])
    again = cli("query", "atlas", "--file", source, "--out", out)
    assert "1 kept" in again.err and read(out) == rows
    assert cli("query", "atlas", PORTUGAL, "--out", out).code == 2
    assert cli("query", "atlas", "--file", source).code == 2


def test_a_query_is_a_call_in_any_spelling(cli: CommandLine) -> None:
    call = parse(PORTUGAL)
    for spelling in ("cypher", "json", "graph-cot", "toolformer"):
        shown = cli("call", "atlas", show(call, spelling), "--json")  # type: ignore[arg-type]
        assert (shown.code, shown.json["result"]) == (0, ["Spain"]), spelling


# Python


def test_rows_in_python() -> None:
    found = gt.query(
        world(), "MATCH (p:person)-[r:rated]->(f:film) RETURN p.name, f.name, r.stars ORDER BY r.stars"
    )
    assert found.columns == ["p.name", "f.name", "r.stars"]
    assert (
        found.rows == [["Ann", "Ran", 3], ["Bob", "Heat", 4], ["Ann", "Heat", 4], ["Ann", "Heat", 5]]
        or len(found) == 4
    )
    frame = found.to_pandas()
    assert list(frame.columns) == found.columns and frame["r.stars"].sum() == 16
    assert "<td>Heat</td>" in found._repr_html_()


@pytest.mark.parametrize(
    ("cypher", "value"),
    [
        ("MATCH (p:person {name: 'Ann'})-[r:rated]->(f {name: 'Heat'}) RETURN r.stars ORDER BY r.stars", [4, 5]),
        ("MATCH (:person {name: 'Ann'})-[r:rated]->(:film {name: 'Heat'}) RETURN count(r)", 2),
        ("MATCH (p:person)-[:rated]->() RETURN p.name AS who, count(*) AS n ORDER BY n DESC, who",
         [{"who": "Ann", "n": 3}, {"who": "Bob", "n": 1}]),
        ("MATCH (p:person) WHERE NOT (p)-[:rated]->() RETURN p", ["Cid"]),
        ("MATCH (p:person) WHERE p.age > 30 RETURN p.name", ["Ann"]),
        ("MATCH (a:person {name: 'Ann'})-[:knows*]->(b) RETURN b.name", ["Bob", "Cid"]),
    ],
)  # fmt: skip
def test_what_a_query_gives_is_the_value_of_its_call(cypher: str, value: object) -> None:
    executor = Executor(world())
    result = executor.run(parse(cypher))
    assert to_json(result.value, result.graph) == value


def test_a_query_stands_in_other_calls_and_other_calls_in_a_query() -> None:
    executor = Executor(world())
    counted = executor.run(
        parse(show(parse("MATCH (p:person)-[:rated]->(f) RETURN f")).join(("Count[", "]")))
    )
    assert counted.value == 4
    assert len(counted.evidence().edges) == 3  # parallel edges have one name
    inside = "MATCH (p:person) WHERE p IN gt.NeighbourCheck('Ann', 'knows') RETURN p.name"
    assert to_json(executor.run(parse(inside)).value, executor.graph) == ["Bob"]  # type: ignore[arg-type]
    with pytest.raises(CheckError, match="one column"):
        executor.run(parse(show(parse("MATCH (p:person) RETURN p, p.age")).join(("Count[", "]"))))


def test_evidence_is_what_the_rows_rest_on() -> None:
    found = gt.query(world(), "MATCH (p:person)-[r:rated]->(f:film) WHERE r.stars > 4 RETURN f.name")
    assert set(found.evidence.nodes) == {"p1", "f1"} and found.evidence.edges == (("p1", "rated", "f1"),)
    assert gt.query(world(), "MATCH (p:person) RETURN count(p)").evidence.nodes == ("p1", "p2", "p3")


@pytest.mark.parametrize(
    "cypher",
    [PORTUGAL, LARGEST, "MATCH (c:country)-[:capital]->(t) RETURN c.landlocked, count(*) AS n ORDER BY n"],
)
def test_an_answer_by_a_query_verifies_and_a_forged_one_does_not(cypher: str) -> None:
    session = gt.session(gt.open("atlas"))
    result = session.call(cypher)
    value = to_json(result.value, result.graph)
    answer = Answer(True, json.dumps(value), value, result.evidence(), result.calls, lm="scripted")
    assert verify(session.executor, answer).verdict == "same"
    other = session.call(LARGEST if cypher != LARGEST else PORTUGAL)
    forged = Answer(True, answer.text, answer.value, answer.evidence, other.calls, lm="scripted")
    assert verify(session.executor, forged).verdict == "differs"


def test_limits_bite_in_a_query() -> None:
    executor = Executor(gt.session(gt.open("atlas")).union, limits=Limits(rows=10_000))
    with pytest.raises(LimitError, match="rows"):
        executor.run(
            parse(
                "MATCH (a:country), (b:country), (c:country) RETURN count(*) + sum(a.population * b.population * c.population)"
            )
        )
    with pytest.raises(ParseError, match="DETACH"):
        gt.query("atlas", "MATCH (n) DETACH DELETE n")


def test_calls_are_shown_as_cypher(cli: CommandLine) -> None:
    count = 'Count[NeighbourCheck["France", "borders"]]'
    shown = cli("call", "atlas", count, "--spelling", "cypher", "--json").json
    assert "MATCH" in shown["call"] and shown["result"] == 10
    assert cli("query", "atlas", shown["call"], "--json").json["rows"] == [[10]]
    asked = cli("ask", "atlas", "What is the capital of Japan?", "--spelling", "cypher", "--json").json
    assert "-[:capital]->" in asked["calls"][-1]["cypher"] and "Tokyo" in asked["answer"]
    traced = cli("ask", "atlas", "What is the capital of Japan?", "--trace", "--spelling", "cypher").out
    assert "MATCH (country:country" in traced
    other = cli("call", "gpr", 'GR(GL("gpr", {"bull_graph"}), "toolx:diameter")', "--spelling", "cypher")
    assert (other.code, "gt.Diameter(" in other.out) == (0, True)


def test_a_call_in_cypher_means_the_node_that_it_meant() -> None:
    import numpy as np
    import pyarrow as pa

    from graphtalk.app.ask import session
    from graphtalk.graphs import EdgeTable, NodeTable, build

    people = pa.table({"id": ["p1", "p2", "p3"], "name": ["Ann", "Ann", "Bob"]})
    knows = EdgeTable("knows", "person", "person", np.array([0, 1]), np.array([2, 0]))
    graph = build([NodeTable("person", people, "name")], [knows])
    spelled = session(graph).spelled
    assert spelled('NeighbourCheck["Bob", "^knows"]').startswith('MATCH (person:person {name: "Bob"})<-')
    assert spelled('NeighbourCheck[person#p2, "knows"]').startswith('MATCH (person:person {id: "p2"})-')
    assert session(graph).call(spelled('NeighbourCheck["Ann", "knows"]')).value is not None
    assert spelled("PageRank[]") == "RETURN gt.PageRank()"


@pytest.mark.parametrize("cut", ["LIMIT 0", "SKIP 1"])
def test_an_aggregate_whose_one_row_is_cut_off_is_nothing(cut: str) -> None:
    result = Executor(world()).run(parse(f"MATCH (p:person) RETURN count(p) {cut}"))
    assert (to_json(result.value, result.graph), result.show()) == (None, "unknown")
