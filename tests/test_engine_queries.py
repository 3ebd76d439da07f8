"""Whole queries over a graph: patterns, terms, groups and subqueries together."""

import pytest

from graphtalk.calls.cypher import parse_query
from graphtalk.core import CheckError
from graphtalk.engines.arrays.evidence import evidence_of
from graphtalk.engines.arrays.run import run
from graphtalk.engines.binding import bind
from query_runs import frame, people, rows_of

GRAPH = people()

CASES = {
    "MATCH (p:person) RETURN count(*)": [[4]],
    "MATCH (p:person)-[l:lives]->(t) RETURN t.name AS t, count(*) AS n, min(l.since) ORDER BY t": [
        *(["Bonn", 1, "2019-06-01"], ["Ulm", 2, "2010-01-01"]),
    ],
    "MATCH (p:person)-[l:lives]->(t) WHERE l.since.year > 2015 RETURN p.name ORDER BY p.name": [
        ["Bo"],
        ["Cy"],
    ],
    "MATCH (p:person) WHERE EXISTS { (p)-[:lives]->(:town {name: 'Ulm'}) } RETURN p.name ORDER BY p.name": [
        *(["Ann"], ["Cy"]),
    ],
    "MATCH (p:person) WHERE NOT (p)-[:knows]-() RETURN p": [["p3"]],
    "MATCH (p:person) RETURN p.id AS i, COUNT { (p)-[:knows]-() } AS n ORDER BY i": [
        *(["p0", 2], ["p1", 2], ["p2", 2], ["p3", 0]),
    ],
    "MATCH (p:person) RETURN p.id AS i, [(p)-[:knows]-(q) WHERE q.age > 28 | q.name + p.name] AS n ORDER BY i": [
        *(["p0", []], ["p1", ["AnnBo"]], ["p2", ["AnnCy"]], ["p3", []]),
    ],
    "MATCH (p:person) RETURN p.id AS i, COLLECT { MATCH (p)-[:knows]-(q) RETURN q.name ORDER BY q.name LIMIT 1 } AS n ORDER BY i": [
        *(["p0", ["Bo"]], ["p1", ["Ann"]], ["p2", ["Ann"]], ["p3", []]),
    ],
    "MATCH (p:person) RETURN p.id AS i, COUNT { MATCH (p)-[:knows]-(q) WITH count(q) AS c WHERE c = 0 RETURN c } AS n ORDER BY i": [
        *(["p0", 0], ["p1", 0], ["p2", 0], ["p3", 1]),
    ],
    "MATCH (p:person) RETURN p.id AS i, COUNT { MATCH (p)-[:knows]-(q) RETURN DISTINCT q.age IS NULL } AS n ORDER BY i": [
        *(["p0", 2], ["p1", 1], ["p2", 2], ["p3", 0]),
    ],
    "MATCH (p:person) RETURN p.id AS i, COUNT { MATCH (p)-[:knows]-(q) RETURN q UNION MATCH (p)-[:lives]->(q) RETURN q } AS n ORDER BY i": [
        *(["p0", 3], ["p1", 3], ["p2", 3], ["p3", 0]),
    ],
    "MATCH (p:person) WHERE EXISTS { MATCH (p)-[:knows]-(q) WHERE EXISTS { (q)-[:lives]->(t) WHERE t.name = 'Bonn' } } RETURN p.name ORDER BY p.name": [
        *(["Ann"], ["Cy"]),
    ],
    "MATCH (p:person) WHERE p.age > 28 AND NOT EXISTS { (p)-[:knows]-(:person {name: 'Bo'}) } RETURN p.id": [
        ["p3"]
    ],
    "MATCH (p:person) RETURN p.id AS i, CASE WHEN EXISTS { (p)-[:lives]->() } THEN 'in' ELSE 'out' END AS w ORDER BY i": [
        *(["p0", "in"], ["p1", "in"], ["p2", "in"], ["p3", "out"]),
    ],
    "MATCH (p:person) WITH collect(p) AS ps RETURN [x IN ps WHERE (x)-[:lives]->() | x.name]": [
        [["Ann", "Bo", "Cy"]]
    ],
    "MATCH (p:person) OPTIONAL MATCH (p)-[:lives]->(t) RETURN p.id AS i, t.name ORDER BY i": [
        *(["p0", "Ulm"], ["p1", "Bonn"], ["p2", "Ulm"], ["p3", None]),
    ],
    "MATCH (p:person) OPTIONAL MATCH (p)-[:lives]->(t) RETURN t, count(p) AS n ORDER BY n DESC, t.name LIMIT 1": [
        ["Ulm", 2]
    ],
    "MATCH (p:person) WITH avg(p.age) AS mean MATCH (q:person) WHERE q.age > mean RETURN q.id": [["p3"]],
    "MATCH (p:person) WITH max(p.age) AS most MATCH (q:person {age: most}) RETURN q.id, most": [["p3", 41]],
    "MATCH (a:person)-[r:knows]-(b:person) WHERE r.weight > 0 RETURN sum(r.weight), count(DISTINCT r), count(r)": [
        [8, 2, 4]
    ],
    "MATCH (a:person)-[:knows]-(b) WHERE id(a) < id(b) RETURN a.name, b.name ORDER BY a.name, b.name": [
        *(["Ann", "Bo"], ["Ann", "Cy"], ["Bo", "Cy"]),
    ],
    "MATCH (n) WHERE n.name = 'Ann' RETURN labels(n) AS l ORDER BY l": [[["person"]], [["town"]]],
    "MATCH (p:person) RETURN p.id UNION MATCH (t:town) WHERE t.age < 10 RETURN t.id AS `p.id`": [
        *(["p0"], ["p1"], ["p2"], ["p3"], ["t2"]),
    ],
    "MATCH (p:person) RETURN p.name ORDER BY COUNT { (p)-[:lives]->() } DESC, p.name LIMIT 2": [
        ["Ann"],
        ["Bo"],
    ],
    "MATCH (p:person) WHERE COUNT { (:town) } = 3 RETURN count(p)": [[4]],
    "MATCH (p:person {name: $name}) RETURN p.age": [[30]],
    "MATCH (p:person) WITH p.age AS k RETURN k AS x, count(*) AS n ORDER BY k": [
        *([25, 1], [30, 1], [41, 1], [None, 1]),
    ],
    "MATCH (p:person) WITH p.name AS v, p.age AS p WHERE p > 26 RETURN v, p ORDER BY p": [
        *(["Ann", 30], [None, 41]),
    ],
    "MATCH (p:person) WHERE p.born >= 1990 RETURN p.id": [["p0"], ["p3"]],
    "MATCH (p:person) WHERE '1990-04' < p.born AND p.born <> 2000 RETURN p.id": [["p0"]],
    "MATCH (p:person) WHERE p.born = 'May 4, 1990' RETURN size(p.born), left(p.born, 4), p.born + '!'": [
        [10, "1990", "1990-05-04!"],
    ],
    "MATCH (p:person)-[:lives]->(t) RETURN t {.name, all: collect(p.name)} AS m ORDER BY size(m.all)": [
        *([{"name": "Bonn", "all": ["Bo"]}], [{"name": "Ulm", "all": ["Ann", "Cy"]}]),
    ],
    "UNWIND [1, 2.5, 4, null] AS x RETURN sum(x), avg(x), max(x), count(DISTINCT x), collect(x % 2)": [
        [7.5, 2.5, 4, 3, [1, 0.5, 0]],
    ],
    "UNWIND [1, 2.5, 0] AS x WITH x ORDER BY x DESC WHERE x < 2 RETURN x + 0.5": [[1.5], [0.5]],
    "UNWIND [[1, 2], [1, 3], [2, 0.5]] AS p RETURN p[0] AS k, sum(p[1]) AS s ORDER BY k": [
        *([1, 5], [2, 0.5]),
    ],
}


@pytest.mark.parametrize("text", CASES)
def test_queries_give_what_opencypher_says(text: str) -> None:
    assert rows_of(text, frame(GRAPH, name="Ann")) == CASES[text]


def test_what_a_subquery_found_is_kept_for_the_evidence() -> None:
    at = frame(GRAPH)
    query = bind(
        parse_query("MATCH (p:person) WHERE p.age > 0 AND EXISTS { (p)-[:lives]->() } RETURN p"), GRAPH.schema
    ).query
    table = run(query, at)
    assert len(table) == 2
    evidence = evidence_of(table.rows, GRAPH, at.supports)
    assert set(evidence.edges) == {("p0", "lives", "t0"), ("p2", "lives", "t0")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("MATCH (p:person) RETURN siz(p)", "Did you mean size"),
        ("MATCH (p:person) WHERE count(p) > 1 RETURN p", "count"),
        ("MATCH (p:person) RETURN p.age + count(*)", "grouped|aggregate"),
        ("MATCH (p:person)-[:lives]->(t) RETURN {town: t.name, n: count(p)}", "grouped"),
        ("MATCH (p:person)-[l:lives {since: 2019}]->(t) RETURN p", "write WHERE"),
    ],
)
def test_mistakes_are_told(text: str, message: str) -> None:
    with pytest.raises(CheckError, match=message):
        rows_of(text, frame(GRAPH))
