"""MATCH over arrays against a reference that tries everything; limits; what is never built."""

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.calls.ast import Number
from graphtalk.calls.cypher import parse_query
from graphtalk.calls.query import (
    Apply,
    Column,
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
from graphtalk.core import LimitError
from graphtalk.engines.arrays.columns import values_of
from graphtalk.engines.arrays.evidence import evidence_of
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.rows import EdgeValue, NodeValue, PathValue, Rows
from graphtalk.engines.arrays.run import run
from graphtalk.engines.binding import bind
from graphtalk.graphs import Graph
from graphtalk.tools.limits import Budget, Limits
from naive_match import Naive, graphs, small_graph

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


@given(graphs(), matches())
def test_a_match_finds_just_what_trying_everything_finds(graph: Graph, clause: Match) -> None:
    if not _named([clause]):
        first = clause.patterns[0]
        node = replace(first.nodes[0], variable="a")
        clause = replace(
            clause, patterns=(replace(first, nodes=(node, *first.nodes[1:])), *clause.patterns[1:])
        )
    assert found(graph, [clause]) == expected(graph, [clause])


@given(graphs(4), matches(), st.data())
def test_a_second_match_goes_on_from_the_first(graph: Graph, clause: Match, data: st.DataObject) -> None:
    names = tuple(sorted({n.variable for p in clause.patterns for n in p.nodes} - {""}))
    if not names:
        return
    clauses = [clause, data.draw(matches(names, number=1))]
    try:
        got = found(graph, clauses)
    except LimitError:  # two patterns of several paths each can make more rows than any run may
        return
    assert got == expected(graph, clauses)


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


def projected(graph: Graph, clause: Match, kept: list[str], counted: bool) -> tuple[Rows, Frame]:
    columns = [Column(Variable(name), name) for name in kept]
    columns += [Column(Apply("count"), "\u0023")] if counted else []
    projection = Projection(tuple(columns), distinct=not counted)
    query = Query((Part((clause, Return(projection))),))
    at = frame(graph)
    return run(bind(query, graph.schema).query, at).rows, at


@given(graphs(), matches())
def test_steps_taken_in_parts_find_the_same(graph: Graph, clause: Match) -> None:
    named = _all_named(clause)
    with mock.patch("graphtalk.engines.arrays.match.CHUNK", 2):
        assert found(graph, [named]) == expected(graph, [named])


@pytest.mark.parametrize("chunk", [1 << 20, 1])
@given(graphs(), matches(), st.data())
def test_rows_that_differ_and_numbers_of_rows_need_no_more(
    chunk: int, graph: Graph, clause: Match, data: st.DataObject
) -> None:
    named = [n.variable for p in clause.patterns for n in p.nodes]
    named += [e.variable for p in clause.patterns for e in p.edges] + [p.variable for p in clause.patterns]
    names = sorted(set(named) - {""})
    kept = data.draw(st.lists(st.sampled_from(names), unique=True, max_size=2)) if names else []
    counted = data.draw(st.booleans()) or not kept
    wanted = Counter(_key({n: row[n] for n in kept}) for row in Naive(graph).match(clause, {}))
    with mock.patch("graphtalk.engines.arrays.match.CHUNK", chunk):
        rows, _ = projected(graph, clause, kept, counted)
    columns = {name: [plain(v) for v in values_of(c)] for name, c in rows.columns.items()}
    numbers = columns.pop("#", [1] * rows.size)
    found = Counter[str]()
    for at, number in enumerate(numbers):
        found[_key({name: column[at] for name, column in columns.items()})] += number
    if counted:
        assert +found == wanted
    else:
        assert found == Counter(set(wanted))


def _all_named(clause: Match) -> Match:
    """The same with a name for each node and edge."""
    patterns = []
    for number, p in enumerate(clause.patterns):
        nodes = [replace(n, variable=n.variable or f"n{number}{i}") for i, n in enumerate(p.nodes)]
        edges = [replace(e, variable=e.variable or f"l{number}{i}") for i, e in enumerate(p.edges)]
        patterns.append(replace(p, nodes=tuple(nodes), edges=tuple(edges), variable=f"q{number}"))
    return replace(clause, patterns=tuple(patterns))


@given(graphs(), matches(), st.sampled_from(["count", "distinct"]))
def test_evidence_is_what_the_rows_were_made_of(graph: Graph, clause: Match, how: str) -> None:
    named = _all_named(clause)
    kept = sorted({p.nodes[0].variable for p in clause.patterns} - {""})
    if not kept:
        return
    every = Naive(graph).match(named, {})
    nodes = {n for row in every for p in range(len(named.patterns)) for n in row[f"q{p}"][0]}
    edges = {e for row in every for p in range(len(named.patterns)) for e in row[f"q{p}"][1]}
    rows, at = projected(graph, clause, kept, how == "count")
    evidence = evidence_of(rows, graph, at.supports)
    naive = Naive(graph)
    triples = set()
    for e in edges:
        relation, source, target = naive.edges[e]
        triples.add((graph.id(source), graph.schema.relations[relation].name, graph.id(target)))
    if how == "count":
        assert evidence.complete
        assert set(evidence.nodes) == set(graph.ids(sorted(nodes)))
        assert set(evidence.edges) == triples
    else:  # where only the ends of paths are asked for, one way to each
        assert set(evidence.nodes) <= set(graph.ids(sorted(nodes))) and set(evidence.edges) <= triples
        stays = any(
            e.several and e.fewest == 0 for p in clause.patterns for e in p.edges
        )  # a way without an edge
        assert stays or bool(evidence.edges) == bool(triples) or not evidence.complete
    assert len(set(evidence.nodes)) == len(evidence.nodes)


def test_evidence_is_cut_and_says_so() -> None:
    graph = small_graph((30, 1), [[(i, i + 1, 0) for i in range(29)], [], [], [], []], [1])
    rows, at = projected(graph, parsed("MATCH (a:A)-[:r]->(b)"), ["a"], True)
    whole = evidence_of(rows, graph, at.supports)
    assert (len(whole.nodes), len(whole.edges), whole.complete) == (30, 29, True)
    cut = evidence_of(rows, graph, at.supports, most=5)
    assert (len(cut.nodes), len(cut.edges), cut.complete) == (5, 5, False)
    assert set(cut.edges) < set(whole.edges)


def parsed(text: str) -> Match:
    clause = parse_query(f"{text} RETURN 1 AS one").parts[0].clauses[0]
    assert isinstance(clause, Match)
    return clause


def test_evidence_of_a_subquery_is_that_of_the_rows_it_was_true_for() -> None:
    edges = [[(0, 1, 0), (1, 2, 0), (3, 4, 0)], [(0, 0, 0), (3, 1, 0)], [], [], []]
    graph = small_graph((5, 2), edges, [1])
    query = "MATCH (a:A) WHERE EXISTS { (a)-[:r]->(b)-[:r]->(c) } RETURN a"
    at = frame(graph)
    table = run(bind(parse_query(query), graph.schema).query, at)
    evidence = evidence_of(table.rows, graph, at.supports)
    assert evidence.nodes[0] == "A0"
    assert set(evidence.edges) == {("A0", "r", "A1"), ("A1", "r", "A2")}
    assert evidence.complete


def asked(graph: Graph, text: str, **limits: Any) -> list[list[object]]:
    return list(run(bind(parse_query(text), graph.schema).query, frame(graph, **limits)).records())


def star(size: int) -> Graph:
    """A0 with an edge `r` to each other A, and those with one edge back."""
    out = [(0, i, 0) for i in range(1, size)]
    back = [(i, 0, 1) for i in range(1, size)]
    return small_graph((size, 1), [[*out, *back], [], [], [], []], [1])


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("MATCH (a:A)-[e:r]->(b) WHERE a.id = 'A0' RETURN a, count(e) AS n", [["A0", 1999]]),
        ("MATCH (a:A {id: 'A0'}) RETURN COUNT { (a)-[:r]->() } AS n", [[1999]]),
        ("MATCH (a:A {id: 'A0'}) WHERE EXISTS { (a)-[:r]->() } RETURN a", [["A0"]]),
        ("MATCH (a:A {id: 'A0'})-[:r]->(b)-[:r]->(c) WHERE b.id = 'A7' RETURN c, count(*) AS n", [["A0", 1]]),
        ("MATCH (a:A {id: 'A5'})-[:r]->(b)<-[:r]-(c) RETURN b, count(c) AS n", [["A0", 1998]]),
        ("MATCH (a:A {id: 'A5'}), (b:A {id: 'A6'}), (a)-[:r]->(c)<-[:r]-(b) RETURN c", [["A0"]]),
    ],
)
def test_what_is_only_counted_or_looked_up_is_not_built(text: str, rows: list[list[object]]) -> None:
    assert asked(star(2000), text, rows=6000) == rows


def test_a_limit_ends_the_search() -> None:
    graph = star(2000)
    assert len(asked(graph, "MATCH (a:A), (b:A), (c:A) RETURN a, b, c LIMIT 5", rows=100_000)) == 5
    assert (
        len(asked(graph, "MATCH (a)-[:r]-(b)-[:r]-(c)-[:r]-(d) RETURN a, d SKIP 3 LIMIT 5", rows=100_000))
        == 5
    )
    assert asked(graph, "MATCH (a:A), (b:A), (c:A) WHERE a.id = b.id AND c.id = a.id RETURN count(*)") == [
        [2000]
    ]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:A), (b:A), (c:A) RETURN count(DISTINCT a.num + b.num + c.num) AS n",
        "MATCH (a)-[:r]-(b)-[:r]-(c)-[:r]-(d) RETURN collect(a) AS n",
        "MATCH (a:A)-[:r*]-(b) RETURN a, b",
        "MATCH p = (a:A)-[:r*..9]-(b) RETURN p",
    ],
)
def test_limits_bite_in_any_thread(text: str) -> None:
    graph = star(600)
    for limits in (
        {"rows": 100_000},
        {"bytes": 5_000_000},
        {"seconds": 0.001, "rows": 10**12, "bytes": 10**15},
    ):
        ended: list[BaseException] = []

        def work(limits: dict[str, Any] = limits, ended: list[BaseException] = ended) -> None:
            try:
                asked(graph, text, **limits)
            except LimitError as error:
                ended.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join(300)
        assert len(ended) == 1 and "more than" in str(ended[0]).lower()


def test_paths_that_are_too_many_say_how_to_ask_for_fewer() -> None:
    with pytest.raises(LimitError, match=r"Paths along -\[:r\*1\.\.\]-: .*shorter length, such as \*1\.\.3"):
        asked(star(2000), "MATCH (a:A)-[:r*]-(b) RETURN a, b", rows=100_000)


def test_what_can_be_reached_is_found_without_every_path() -> None:
    ladder = [(i, i + 1, w) for i in range(60) for w in (0, 1)]  # 2 ** 60 paths from end to end
    graph = small_graph((61, 1), [ladder, [], [], [], []], [1])
    text = "MATCH (a:A {id: 'A0'})-[:r*]->(b) RETURN DISTINCT b.id AS id"
    assert [row[0] for row in asked(graph, text, rows=10_000)] == [f"A{i}" for i in range(1, 61)]
    text = "MATCH (a:A) WHERE EXISTS { (a)-[:r*]->(:A {id: 'A3'}) } RETURN a.id AS id"
    assert [row[0] for row in asked(graph, text, rows=10_000)] == ["A0", "A1", "A2"]
    path = "MATCH p = shortestPath((a:A {id: 'A0'})-[:r*]-(b:A {id: 'A60'})) RETURN length(p) AS n"
    assert asked(graph, path, rows=10_000) == [[60]]


def test_a_path_keeps_to_conditions_on_its_edges_and_nodes() -> None:
    edges = [[(0, 1, 9), (1, 2, 1), (0, 3, 1), (3, 4, 1), (4, 2, 1)], [], [], [], []]
    graph = small_graph((5, 1), edges, [0, 1, 2, 3, 4])
    ways = "MATCH p = shortestPath((a:A {id: 'A0'})-[e:r*]->(b:A {id: 'A2'})) "
    assert asked(graph, f"{ways} RETURN p") == [[["A0", "A1", "A2"]]]
    detour = [[["A0", "A3", "A4", "A2"]]]
    assert asked(graph, f"{ways} WHERE all(x IN e WHERE x.w < 5) RETURN p") == detour
    assert asked(graph, f"{ways} WHERE none(x IN relationships(p) WHERE x.w > 5) RETURN p") == detour
    assert asked(graph, f"{ways} WHERE all(n IN nodes(p) WHERE n.num <> 1) RETURN p") == detour
    assert asked(graph, f"{ways} WHERE all(n IN nodes(p) WHERE n.num <> a.num) RETURN p") == []
    fixed = "MATCH p = (a:A {id: 'A0'})-[:r* {w: 1}]->(b) RETURN length(p) AS n ORDER BY n"
    assert asked(graph, fixed) == [[1], [2], [3]]
    assert asked(graph, "MATCH (a:A)-[:r* {w: a.num}]->(b) RETURN a, b") == [["A1", "A2"]]
    assert asked(graph, "MATCH (a:A)-[:r*..2 {w: b.num}]->(b:A {id: 'A1'}) RETURN a, b") == []
    assert asked(graph, "MATCH (a:A {num: 3})-[:r* {w: a.num - 2}]->(b) RETURN b.id AS b ORDER BY b") == [
        ["A2"],
        ["A4"],
    ]
