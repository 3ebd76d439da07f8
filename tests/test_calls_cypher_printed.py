"""Queries written as Cypher, and read back."""

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphtalk.calls import query as q
from graphtalk.calls.ast import Boolean, Call, Items, NodeRef, Number, Text
from graphtalk.calls.cypher import parse_query
from graphtalk.calls.cypher.printer import show_query

KEYWORDS = """match optional where with unwind return distinct order by asc desc skip limit union all as and or xor not in
starts ends contains is null true false case when then else end any none single reduce exists count collect
shortestPath set create delete call gt distinct path x_1 naïve 漢字""".split()
NAMES = st.one_of(
    st.sampled_from("a b c n m x".split()),
    st.sampled_from(KEYWORDS),
    st.text("aB1 _`.'\"(-é\n", min_size=1, max_size=4),
)
FUNCTIONS = st.one_of(
    st.sampled_from(["count", "size", "head", "tolower", "date", "duration.between", "gt.x", "a.b.c"]),
    st.lists(NAMES, min_size=1, max_size=2).map(lambda parts: ".".join(parts).lower()),
)
LITERALS = st.recursive(
    st.one_of(
        st.text(max_size=5).map(Text),
        st.one_of(st.integers(), st.floats(allow_nan=False)).map(Number),
        st.booleans().map(Boolean),
        st.builds(NodeRef, NAMES, NAMES),
    ),
    lambda inner: st.lists(inner, max_size=2).map(tuple).map(Items),
    max_leaves=3,
)
CALLS = st.recursive(
    st.builds(Call, NAMES),
    lambda inner: st.builds(
        Call,
        NAMES,
        st.lists(LITERALS | inner, max_size=2).map(tuple),
        st.dictionaries(NAMES, LITERALS, max_size=2).map(lambda each: tuple(each.items())),
    ),
    max_leaves=2,
)
ONE = "not negative".split()
NULLS = ["is null", "is not null"]
TWO = [each for each in get_args(q.Operator) if each not in ONE + NULLS]


def many(values: st.SearchStrategy[Any], least: int = 0, most: int = 2) -> st.SearchStrategy[Any]:
    """A tuple of these."""
    return st.lists(values, min_size=least, max_size=most).map(tuple)


def listed(values: tuple[Any, ...]) -> Any:
    """A list as the tree has it: of literals alone it is `Items`."""
    literal = all(isinstance(value, Text | Number | Boolean | NodeRef | Items) for value in values)
    return Items(values) if literal else q.List(values)


def patterns(terms: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[q.Pattern]:
    entries = many(st.builds(q.Entry, NAMES, terms), most=1)
    nodes = st.builds(q.NodePattern, NAMES | st.just(""), many(NAMES), entries)
    ways = st.sampled_from(get_args(q.Way))
    plain = st.builds(q.EdgePattern, NAMES | st.just(""), many(NAMES), ways, properties=entries)
    bounds = (st.just(True), st.integers(0, 9), st.none() | st.integers(0, 9), entries)
    edges = plain | st.builds(q.EdgePattern, NAMES | st.just(""), many(NAMES), ways, *bounds)

    @st.composite
    def pattern(draw: st.DrawFn) -> q.Pattern:
        joined = draw(many(edges, least))
        ends = draw(many(nodes, len(joined) + 1, len(joined) + 1))
        shortest = draw(st.sampled_from(["", "", "one", "all", "first"]))
        return q.Pattern(
            ends,
            joined,
            draw(NAMES | st.just("")),
            shortest,
            draw(st.integers(1, 99)) if shortest == "first" else 1,
            draw(st.booleans()),
            draw(NAMES | st.just("")) if shortest else "",
        )

    return pattern()


def queries(terms: st.SearchStrategy[Any]) -> st.SearchStrategy[q.Query]:
    columns = st.builds(q.Column, terms, NAMES | st.just(""))
    rest = (
        st.booleans(),
        many(st.builds(q.SortItem, terms, st.booleans())),
        st.none() | terms,
        st.none() | terms,
    )
    projections = st.builds(q.Projection, many(columns, 1), st.booleans(), *rest) | st.builds(
        q.Projection, st.just(()), st.just(True), *rest
    )
    matches = st.builds(q.Match, many(patterns(terms), 1), st.none() | terms, st.booleans())
    clauses = matches | st.builds(q.Unwind, terms, NAMES) | st.builds(q.With, projections, st.none() | terms)
    last = st.builds(q.Return, projections)
    parts = st.builds(lambda first, end: q.Part((*first, end)), many(clauses), last)
    return st.builds(q.Query, many(parts, 1, 1)) | st.builds(q.Query, many(parts, 2, 3), st.booleans())


def bodies(terms: st.SearchStrategy[Any]) -> st.SearchStrategy[q.Query]:
    """What may stand in `EXISTS { … }` and `COUNT { … }`."""
    match = st.builds(q.Match, many(patterns(terms), 1), st.none() | terms)
    return match.map(lambda only: q.Query((q.Part((only,)),))) | queries(terms)


def bigger(terms: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Terms made of terms."""
    some = st.none() | terms
    named = st.builds(q.Variable, NAMES)
    paths = patterns(terms, 1).filter(lambda each: each.variable or not each.shortest)
    return st.one_of(
        st.builds(q.Property, terms, NAMES),
        st.builds(lambda sign, a: q.Operation(sign, (a,)), st.sampled_from(ONE + NULLS), terms),
        st.builds(lambda sign, a, b: q.Operation(sign, (a, b)), st.sampled_from(TWO), terms, terms),
        st.builds(lambda sign, a, b: q.Operation(sign, (a, b)), st.sampled_from(TWO), named, terms),
        st.builds(q.Apply, FUNCTIONS, many(terms, 1), st.booleans()),
        st.builds(q.Labelled, terms, many(NAMES, 1)),
        st.builds(q.Element, terms, terms),
        st.builds(q.Slice, terms, some, some),
        st.builds(q.Case, many(st.builds(q.Branch, terms, terms), 1), some, some),
        st.builds(q.Map, many(st.builds(q.Entry, NAMES, terms))),
        many(terms).map(listed),
        st.builds(q.Comprehension, NAMES, terms, some, some),
        st.builds(q.Quantified, st.sampled_from(get_args(q.Every)), NAMES, terms, terms),
        st.builds(q.Reduce, NAMES, terms, NAMES, terms, terms),
        st.builds(q.PatternComprehension, paths, terms, some),
        st.builds(q.Subquery, st.sampled_from(["exists", "count"]), bodies(terms)),
        st.builds(q.Subquery, st.just("collect"), queries(terms)),
    )


SIMPLE = st.one_of(
    LITERALS, CALLS, st.just(q.Null()), st.builds(q.Variable, NAMES), st.builds(q.Parameter, NAMES)
)
TERMS = st.recursive(SIMPLE, bigger, max_leaves=6)


@settings(max_examples=120, deadline=None)
@given(queries(TERMS))
def test_every_query_is_read_back(query: q.Query) -> None:
    assert parse_query(show_query(query)) == query
    assert parse_query(show_query(query, " ")) == query


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:A|B {x: 1})-[r:R*2..3]->(b)<--()\nWHERE a.x > 1 AND NOT b.y\nRETURN a.x",
        "MATCH (a)\nWITH a, count(*) AS n\nORDER BY n DESC\nSKIP 1\nLIMIT 2\nWHERE n > 1\nRETURN *",
        "RETURN (1 + 2) * 3 - (-4) ^ 2",
        "RETURN a OR b AND NOT c = d",
        "RETURN (a OR b) AND c",
        "RETURN (a = b) = c",
        "RETURN a - (b - c)",
        "RETURN -(5), -a.b, (-5).c",
        "RETURN (a IN b) IS NULL",
        'RETURN a STARTS WITH ("x" + "y"), (a % 2) IN b, a + 1 > b',
        "RETURN [(x IN xs)], [x IN xs | x.y], [p = (a)-->(b) WHERE a.x | p]",
        "RETURN shortestPath((a)-[:R*]-(b)) AS p, allShortestPaths((a)-[*..4]-(b)) AS q",
        "MATCH p = shortestPath((a)-[*]-(b))\nRETURN length(p)",
        "MATCH (n)\nWHERE EXISTS { MATCH (n)-->(m) WHERE m.x > n.x }\nRETURN COUNT { MATCH (n)-->() } AS c",
        "RETURN 1 AS x\nUNION ALL\nRETURN 2 AS x",
        "RETURN `case`, order.limit, `a b`.`c d`, $p, $`q r`, gt.PageRank({k: 3}), `exists`(x), x:A:B",
        "RETURN CASE a WHEN 1 THEN 2 ELSE 3 END, any(x IN xs WHERE x > 1), reduce(t = 0, x IN xs:A | t + x)",
        "RETURN gt.Top(gt.Nodes([1, gt.X()]), gt.NodeRef(\"paper\", \"1\"), gt.`toolx:order`())",
        "RETURN xs[1..], xs[..-1], xs[0].y, {a: 1}.a, {a: n:A}",
    ],
)  # fmt: skip
def test_printed_as_people_write(text: str) -> None:
    assert show_query(parse_query(text)) == text


def test_long_chains_are_read_back() -> None:
    for many_of in (16, 17, 18, 40, 1000):
        text = "RETURN " + " OR ".join([f"a{i} XOR b{i}" for i in range(many_of)]) + " AS v"
        query = parse_query(text)
        assert parse_query(show_query(query)) == query
