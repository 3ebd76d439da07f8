"""Binding: which names of a schema a query means, what it remarks, and what it refuses."""

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.calls.cypher import parse_query
from graphtalk.calls.query import Match, Query
from graphtalk.core import CheckError
from graphtalk.engines.binding import Bound, bind
from graphtalk.engines.kinds import ANY, Kind
from graphtalk.graphs import EdgeTable, NodeTable, build


def _schema():  # type: ignore[no-untyped-def]
    person = pa.table({"id": ["p"], "full name": ["Ann"], "user id": [7], "age": [3], "born in": ["x"]})
    film = pa.table({"id": ["m"], "title": ["A"], "year": [1999]})
    one = np.array([0])
    acted = EdgeTable("ACTED_IN", "User", "Film", one, one, pa.table({"role": ["x"]}), "cast")
    follows = EdgeTable("follows", "User", "User", one, one)
    married = EdgeTable("married to", "User", "User", one, one, None, "married to")
    nodes = [NodeTable("User", person, "full name"), NodeTable("Film", film, "title")]
    return build(nodes, [acted, follows, married]).schema


SCHEMA = _schema()


def bound(text: str) -> Bound:
    return bind(parse_query(text), SCHEMA)


def first(query: Query) -> Match:
    clause = query.parts[0].clauses[0]
    assert isinstance(clause, Match)
    return clause


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (
            "MATCH (u:user)-[r:actedIn]->(f:FILM) RETURN u.age AS x",
            "MATCH (u:User)-[r:ACTED_IN]->(f:Film) RETURN u.age AS x",
        ),
        ("MATCH (u:User) RETURN u.BornIn AS x", "MATCH (u:User) RETURN u.`born in` AS x"),
        ("MATCH (u:User) RETURN u.name AS x", "MATCH (u:User) RETURN u.`full name` AS x"),
        ("MATCH (u:User) RETURN u.id AS x", "MATCH (u:User) RETURN u.`user id` AS x"),
        ("MATCH (f:Film) RETURN f.id AS x", "MATCH (f:Film) RETURN f.id AS x"),
        ("MATCH (f:Film {Title: 'A'}) RETURN f.ID AS x", "MATCH (f:Film {title: 'A'}) RETURN f.id AS x"),
        ("MATCH (n) RETURN n.NAME AS x", "MATCH (n) RETURN n.name AS x"),
        (
            "MATCH (u)-[:ACTED_IN]->(f) RETURN f.Year AS x",
            "MATCH (u:User)-[:ACTED_IN]->(f:Film) RETURN f.year AS x",
        ),
        ("MATCH (f)-[:Cast]->(u) RETURN u.age AS x", "MATCH (f:Film)-[:cast]->(u:User) RETURN u.age AS x"),
        (
            "MATCH (f)-[:`^acted in`]->(u) RETURN u AS x",
            "MATCH (f:Film)-[:`^ACTED_IN`]->(u:User) RETURN u AS x",
        ),
        (
            "MATCH (u)-[r {Role: 'x'}]->(f:Film) RETURN r.ROLE AS x",
            "MATCH (u:User)-[r {role: 'x'}]->(f:Film) RETURN r.role AS x",
        ),
        ("MATCH (n) WHERE n:film RETURN n AS x", "MATCH (n) WHERE n:Film RETURN n AS x"),
        (
            "MATCH (u:User) WITH u.age AS a WHERE u.name > 'A' RETURN a AS x",
            "MATCH (u:User) WITH u.age AS a, u AS u WHERE u.`full name` > 'A' WITH a AS a RETURN a AS x",
        ),
        (
            "MATCH (u:User) WITH u.age AS a WHERE u.age > 3 RETURN a AS x",
            "MATCH (u:User) WITH u.age AS a WHERE a > 3 RETURN a AS x",
        ),
        (
            "MATCH (u:User) WHERE (u)-[:acted_in]->() WITH u AS v ORDER BY v.AGE RETURN collect(v.Age) AS x",
            "MATCH (u:User) WHERE (u:User)-[:ACTED_IN]->(:Film) WITH u AS v ORDER BY v.age RETURN collect(v.age) AS x",
        ),
    ],
)
def test_names_become_the_schemas(written: str, meant: str) -> None:
    assert bound(written).query == parse_query(meant)
    assert bound(meant).query == parse_query(meant)


def test_columns_have_kinds() -> None:
    text = "MATCH (u)-[r:ACTED_IN]->(f) RETURN u, r, u.age AS age, collect(f) AS films, f.title + 'x' AS t, count(*) AS n"
    assert dict(bound(text).columns) == {
        "u": Kind("node", ("User",)),
        "r": Kind("edge", ("ACTED_IN",)),
        "age": Kind("number"),
        "films": Kind("list", item=Kind("node", ("Film",))),
        "t": Kind("text"),
        "n": Kind("number"),
    }
    assert dict(
        bound("MATCH p = (u:User)-[e:follows*]->(v) RETURN p, e, head(e) AS h, u.name AS n").columns
    ) == {
        "p": Kind("path"),
        "e": Kind("list", item=Kind("edge", ("follows",))),
        "h": Kind("edge", ("follows",)),
        "n": Kind("text"),
    }
    assert dict(bound("UNWIND [1, 'a'] AS x RETURN x").columns) == {"x": ANY}


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (
            "MATCH (f:Film)-[:ACTED_IN]->(u) RETURN u",
            "The graph has no edge (Film)-[ACTED_IN]->(Film or User): ACTED_IN leads from User to Film. The pattern finds nothing.",
        ),
        ("MATCH (u:User) RETURN u.title", "User nodes have no feature 'title': taken as their name."),
        (
            "MATCH (f:Film) RETURN f.displayName",
            "Film nodes have no feature 'displayName': taken as their name.",
        ),
    ],
)
def test_what_was_understood_is_remarked(text: str, remark: str) -> None:
    assert bound(text).remarks == (remark,)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:User)<-[:`married to`]-(b) RETURN b",
        "MATCH (f:Film)<-[:ACTED_IN]-(u) RETURN u",
        "MATCH (f:Film)-[:ACTED_IN]-(u) RETURN u",
        "MATCH (f:Film)-[:cast]->(u)-[:ACTED_IN]->(f) RETURN u",
    ],
)
def test_what_can_be_is_not_remarked(text: str) -> None:
    assert not bound(text).remarks


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("MATCH (u:Usr) RETURN u", "No node type 'Usr'. Did you mean User?"),
        ("MATCH (u)-[:ACTED]->(f) RETURN u", "No relation 'ACTED'. Did you mean ACTED_IN?"),
        ("MATCH (u:User) RETURN u.agee", "User nodes have no feature 'agee'. Did you mean age?"),
        ("MATCH (u:User {salary: 3}) RETURN u", "User nodes have no feature 'salary'. Valid: full name"),
        ("MATCH ()-[r:follows]->() RETURN r.since", "follows edges have no feature 'since'. There are none"),
        ("MATCH (u:User) RETURN v.age", "No variable 'v' here. Valid: u."),
        ("MATCH (u:User) WITH u.age AS a RETURN u", "No variable 'u' here. Valid: a."),
        ("MATCH (u:User) WHERE count(u) > 3 RETURN u", "count() sums rows up, and cannot stand in WHERE"),
        ("MATCH (u:User) RETURN sum(count(u)) AS n", "count() inside sum()"),
        ("MATCH (u:User) RETURN u.age ORDER BY count(*)", "ORDER BY count()"),
        ("MATCH (u:User) RETURN count(*) AS n ORDER BY u.age", "ORDER BY u"),
        ("RETURN 1 AS a UNION RETURN 2 AS b", "columns of the same names: a are not b"),
        ("RETURN foo(1) AS x", "No function 'foo'"),
        ("RETURN left('a') AS x", "left() takes 2"),
        ("RETURN abs(DISTINCT 1) AS x", "DISTINCT stands in aggregates"),
        (
            "MATCH (u:User) WHERE u = 3 RETURN u",
            "u is a node (User), which is not comparable (=) with a number",
        ),
        (
            "MATCH (u:User) WHERE u.age > u RETURN u",
            "u is a node (User), which is not comparable (>) with a number",
        ),
        (
            "MATCH (u:User) WHERE u IN ['Ann'] RETURN u",
            "u is a node (User), which is not comparable (IN) with a text",
        ),
        ("MATCH (u:User) RETURN u + ' x' AS t", "u is a node (User): + takes its features, such as u.name"),
        ("MATCH (u:User) RETURN sum(u) AS t", "u is a node (User): sum() takes one of its features"),
        (
            "MATCH (u:User) WHERE u CONTAINS 'x' RETURN u",
            "u is a node (User): CONTAINS takes one of its features",
        ),
        ("MATCH (u:User) WHERE u.age.x = 1 RETURN u", "u.age is a number, and has no 'x'"),
        ("MATCH (u:User)-[u]->() RETURN u", "u stands for something else already"),
        ("MATCH (u:User) UNWIND [1] AS u RETURN u", "u stands for something else already"),
        ("MATCH p = (u:User) MATCH (p)-->() RETURN p", "p is a path, and cannot be a node"),
        ("WITH 3 AS u MATCH (u)-->(v) RETURN v", "u is a number, and cannot be a node"),
        ("MATCH (u:User)-[:follows*3..1]->(v) RETURN v", "the first number is the smaller"),
        ("RETURN 1 AS a, 2 AS a", "Two columns are called 'a'"),
        ("MATCH (u:User) RETURN u.age AS a LIMIT 1.5", "SKIP and LIMIT take whole numbers"),
        ("MATCH (u:User) WHERE u.age IN 3 RETURN u", "3 is a number, not a list"),
        ("MATCH (u:User) WHERE all(x IN u.age WHERE x > 1) RETURN u", "u.age is a number, not a list"),
        ("MATCH (u:User) RETURN COLLECT { MATCH (u)-->(v) RETURN v, u } AS x", "one column"),
        ("MATCH (u:User) WHERE u:Films RETURN u", "No node type 'Films'. Did you mean Film?"),
    ],
)
def test_mistakes_are_told(text: str, says: str) -> None:
    with pytest.raises(CheckError) as error:
        bound(text)
    assert says in str(error.value)


def test_an_order_may_use_what_was_there_before_the_columns() -> None:
    assert bound("MATCH (u:User) RETURN u.name AS n ORDER BY u.age").columns == (("n", Kind("text")),)
    order = "MATCH (u:User) RETURN u.age AS a, count(*) AS n ORDER BY u.age, count(*) DESC"
    assert (
        bound(order).query
        == bound("MATCH (u:User) RETURN u.age AS a, count(*) AS n ORDER BY a, n DESC").query
    )


def test_parameters_that_are_not_given_are_told() -> None:
    query = parse_query("MATCH (u:User) WHERE u.age = $age RETURN u")
    bind(query, SCHEMA)
    bind(query, SCHEMA, {"age": 3})
    with pytest.raises(CheckError, match=r"No value is given for \$age. .*Valid: aged"):
        bind(query, SCHEMA, {"aged": 3})


def test_a_name_that_could_be_two_is_told() -> None:
    nodes = [NodeTable("T", pa.table({"id": ["a"], "a_b": [1], "a b": [2]}))]
    schema = build(nodes, []).schema
    assert bind(parse_query("MATCH (t:T) RETURN t.a_b"), schema)
    with pytest.raises(CheckError, match="'AB' could be 'a_b' and 'a b'"):
        bind(parse_query("MATCH (t:T) RETURN t.AB"), schema)
