"""MATCH over arrays against a reference that tries everything; limits; what is never built."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from graphtalk.calls.ast import Number
from graphtalk.calls.query import (
    EdgePattern,
    Entry,
    Match,
    NodePattern,
    Operation,
    Part,
    Pattern,
    Projection,
    Property,
    Query,
    Return,
    Term,
    Variable,
)
from graphtalk.engines.arrays.columns import values_of
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.rows import EdgeValue, NodeValue, PathValue
from graphtalk.engines.arrays.run import run
from graphtalk.engines.binding import bind
from graphtalk.graphs import Graph
from graphtalk.tools.limits import Budget, Limits
from naive_match import Naive, graphs

NAMES = st.sampled_from(["r", "s", "t", "u", "x", "v", "^r", "^v", "^s"])


@st.composite
def matches(draw: st.DrawFn, before: tuple[str, ...] = (), shortest: bool = False, number: int = 0) -> Match:
    """A random MATCH; its nodes may be those of earlier ones, named again, or without a name."""
    pool = st.sampled_from(["", "a", "b", "c", *before])
    patterns, nodes, edges = [], set(before), set()
    for place in range(1 if shortest else draw(st.integers(1, 2))):
        hops = 1 if shortest else draw(st.integers(0, 3 - place))
        own_nodes = []
        for _ in range(hops + 1):
            properties = draw(
                st.lists(st.builds(Entry, st.just("num"), st.builds(Number, st.integers(0, 2))), max_size=1)
            )
            labels = draw(st.sampled_from([(), (), ("A",), ("B",), ("A", "B")]))
            own_nodes.append(
                NodePattern(draw(pool), labels, tuple(properties) if draw(st.booleans()) else ())
            )
        own_edges = []
        for at in range(hops):
            several = shortest or draw(st.integers(0, 3)) == 0
            fewest = draw(st.integers(0, 1 if shortest else 2))
            weights = (Entry("w", Number(draw(st.integers(0, 2)))),) if draw(st.integers(0, 4)) == 0 else ()
            variable = draw(st.sampled_from(["", f"e{number}{place}{at}"]))
            edges |= {variable} if not several else set()
            own_edges.append(
                EdgePattern(
                    variable,
                    tuple(draw(st.lists(NAMES, max_size=2, unique=True))),
                    draw(st.sampled_from(["out", "in", "both"])),
                    several,
                    fewest if several else 1,
                    fewest + draw(st.integers(0, 2)) if several else None,
                    weights,
                )
            )
        path = draw(st.sampled_from(["", f"p{number}{place}"]))
        which = draw(st.sampled_from(["one", "all"])) if shortest else ""
        patterns.append(Pattern(tuple(own_nodes), tuple(own_edges), path, which))
        nodes |= {n.variable for n in own_nodes}
    return Match(
        tuple(patterns),
        draw(wheres(sorted(nodes - {""}), sorted(edges - {""}))),
        draw(st.booleans()) and bool(before),
    )


@st.composite
def wheres(draw: st.DrawFn, nodes: list[str], edges: list[str]) -> Term | None:
    """Conditions on one or two of these, joined by AND."""
    terms: list[Term] = []
    for _ in range(draw(st.integers(0, 2)) if nodes else 0):
        one: Term = Property(Variable(draw(st.sampled_from(nodes))), "num")
        other: Term = Number(draw(st.integers(0, 2)))
        kind = draw(st.integers(0, 3))
        if kind == 1:
            other = Property(Variable(draw(st.sampled_from(nodes))), "num")
        elif kind == 2:
            one, other = Variable(draw(st.sampled_from(nodes))), Variable(draw(st.sampled_from(nodes)))
        elif kind == 3 and edges:
            other = Property(Variable(draw(st.sampled_from(edges))), "w")
        operator = draw(st.sampled_from(["=", "<>"] if kind == 2 else ["=", "<>", "<"]))
        terms.append(Operation(operator, (one, other)))
    whole = None
    for term in terms:
        whole = term if whole is None else Operation("and", (whole, term))
    return whole


def plain(value: Any) -> Any:
    if isinstance(value, NodeValue):
        return ("node", value.node)
    if isinstance(value, EdgeValue):
        return ("edge", value.edge)
    if isinstance(value, PathValue):
        return (tuple(value.nodes), tuple(value.edges))
    return [plain(v) for v in value] if isinstance(value, list) else value


def frame(graph: Graph, **limits: Any) -> Frame:
    return Frame(graph, Budget(Limits(**limits)), lambda call: None)


def found(graph: Graph, clauses: list[Match]) -> Counter[str]:
    query = Query((Part((*clauses, Return(Projection(everything=True)))),))
    table = run(bind(query, graph.schema).query, frame(graph))
    columns = [[plain(v) for v in values_of(c)] for c in table.columns]
    return Counter(_key(dict(zip(table.names, row, strict=True))) for row in zip(*columns, strict=True))


def expected(graph: Graph, clauses: list[Match]) -> Counter[str]:
    naive = Naive(graph)
    rows: list[dict[str, Any]] = [{}]
    for clause in clauses:
        rows = [got for row in rows for got in naive.match(clause, row)]
    return Counter(_key(row) for row in rows)


def _key(row: Mapping[str, Any]) -> str:
    return repr(sorted((name, value) for name, value in row.items()))


def _named(clauses: list[Match]) -> bool:
    return any(n.variable for c in clauses for p in c.patterns for n in p.nodes)


@settings(max_examples=400)
@given(graphs(), matches())
def test_a_match_finds_just_what_trying_everything_finds(graph: Graph, clause: Match) -> None:
    if not _named([clause]):
        first = clause.patterns[0]
        node = replace(first.nodes[0], variable="a")
        clause = replace(
            clause, patterns=(replace(first, nodes=(node, *first.nodes[1:])), *clause.patterns[1:])
        )
    assert found(graph, [clause]) == expected(graph, [clause])


@settings(max_examples=200)
@given(graphs(4), matches(), st.data())
def test_a_second_match_goes_on_from_the_first(graph: Graph, clause: Match, data: st.DataObject) -> None:
    names = tuple(sorted({n.variable for p in clause.patterns for n in p.nodes} - {""}))
    if not names:
        return
    clauses = [clause, data.draw(matches(names, number=1))]
    assert found(graph, clauses) == expected(graph, clauses)


@settings(max_examples=200)
@given(graphs(), matches(shortest=True))
def test_shortest_paths_are_those_of_trying_everything(graph: Graph, clause: Match) -> None:
    pattern = clause.patterns[0]
    nodes = tuple(replace(n, variable=name) for n, name in zip(pattern.nodes, "ab", strict=True))
    edge = replace(pattern.edges[0], variable="e")
    clause = replace(
        clause, patterns=(replace(pattern, nodes=nodes, edges=(edge,), variable="p"),), where=None
    )
    got, wanted = found(graph, [clause]), expected(graph, [clause])
    if pattern.shortest == "all":
        assert got == wanted
    else:  # any one of the shortest will do
        every = expected(graph, [replace(clause, patterns=(replace(clause.patterns[0], shortest="all"),))])
        assert set(got) <= set(every) and sum(got.values()) == sum(wanted.values()) == len(got)
