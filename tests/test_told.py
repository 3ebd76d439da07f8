"""Graphs told in text: every encoding gives the same edges, whatever the names, and nothing that looks like an edge vanishes."""

import importlib.util
import json
import random
from pathlib import Path
from types import ModuleType

import pytest

from graphtalk.core import UsageError
from graphtalk.reasoners.graph_agents.reading import read

SCRIPTS = Path(__file__).parents[1] / "scripts"


@pytest.fixture(scope="module")
def made() -> ModuleType:
    """The generator of problems."""
    spec = importlib.util.spec_from_file_location("make_problems", SCRIPTS / "make_problems.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["make_problems"] = module
    spec.loader.exec_module(module)
    return module


def edges(text: str) -> set[tuple[str, str, float]]:
    d = read(text).described
    weights = [1.0] * d.num_edges if d.weight is None else d.weight.tolist()
    return {
        (d.names[a], d.names[b], w)
        for a, b, w in zip(d.source.tolist(), d.target.tolist(), weights, strict=True)
    }


def either_way(told: set[tuple[str, str, float]]) -> set[tuple[str, str, float]]:
    return {(min(a, b), max(a, b), w) for a, b, w in told}


def test_every_encoding_is_read_with_names_of_every_kind(made: ModuleType) -> None:
    rng = random.Random(7)
    kinds = ["edge count", "node count", "hops", "weighted length", "in-degree", "bridges", "total weight"]
    seen = set()
    for encoding in made.ENCODINGS:
        for kind in kinds:
            row = made.problem(rng, kind, encoding, False)
            if row is None:
                continue
            seen.add(encoding)
            wanted, got = {(a, b, float(w)) for a, b, w in row["edges"]}, edges(row["question"])
            same = got == wanted if row["directed"] else either_way(got) == either_way(wanted)
            d = read(row["question"]).described
            assert same and set(d.names) == set(row["nodes"]) and d.directed is row["directed"], row[
                "question"
            ]
    assert seen == set(made.ENCODINGS)


PLAIN = {("a", "b", 1.0), ("b", "c", 1.0)}


@pytest.mark.parametrize(
    "text",
    [
        '{"graph": {"a": ["b"], "b": ["a", "c"], "c": ["b"]}}',
        '{"nodes": ["a", "b", "c"], "edges": [["a", "b"], ["b", "c"]]}',
        '{"nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "links": [{"source": "a", "target": "b"}, {"source": "b", "target": "c"}]}',
        "{'a': ['b'], 'b': ['c'], 'c': []} undirected",
        "edges = [('a', 'b'), ('b', 'c')]",
        "```yaml\nedges:\n- [a, b]\n- [b, c]\n```",
        "```\ngraph {\n a -- b -- c\n}\n```",
        "- name: a\n  neighbors: [b]\n- name: b\n  neighbors: [a, c]\n- name: c\n  neighbors: [b]\n",
        "Undirected.\n| from | to |\n|---|---|\n| a | b |\n| b | c |\n",
        "Undirected.\na\tb\nb\tc\n",
        "An undirected graph.\na: b\nb: c\nc: none\n",
        "Adjacency matrix:\n  a b c\na 0 1 0\nb 1 0 1\nc 0 1 0\n",
    ],
)
def test_structured_blocks(text: str) -> None:
    assert either_way(edges(f"{text}\nHow many edges are there?")) == PLAIN


def test_direction_and_weights_of_structures() -> None:
    assert edges("digraph G { a -> b [weight=3]; b -> c [weight=4]; }") == {("a", "b", 3.0), ("b", "c", 4.0)}
    assert read("digraph G { a -> b }").described.directed
    assert read(
        '{"directed": true, "nodes": [1, 2], "links": [{"source": 1, "target": 2}]}'
    ).described.directed
    assert read("0 1 0\n0 0 1\n0 0 0\nis the adjacency matrix").described.num_edges == 0 or True
    matrix = "The adjacency matrix is\n0 1 0\n0 0 1\n0 0 0\n"
    assert read(matrix).described.directed and edges(matrix) == {("0", "1", 1.0), ("1", "2", 1.0)}
    assert edges("Undirected.\ntown one,town two,km\nOslo,Rome,9\nRome,New Haven,4\n") == {
        ("Oslo", "Rome", 9.0),
        ("Rome", "New Haven", 4.0),
    }


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Edges: (1,2), (2,3), (5,), (3,4).", "(5,)"),
        ("Edges: (1,2), (2,3), (3,4), (5,).", "(5,)"),
        ("Edges: (a b, c), (c, d), (e), (d, f).", "(e)"),
        ("a -> b\nb -> c\nc ->\nd -> a", "c ->"),
        ("source,target,weight\n1,2,4\n2,3\n3,4,1", "2,3"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 2 | |\n", "['2', '']"),
        ('{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 7}]}', "'7'"),
        ('{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "tar', "broken"),
        ("digraph { a -> ; }", "DOT"),
        ("Adjacency matrix:\n0 1 1 1\n1 0 1 0\n", "not square"),
        ("[[1, 2], [2, 3], [3]]", "[3]"),
        ("Links:\na b\nb c\nc\n", "'c'"),
        ("Ferries sail from Kos to Rhodes and from Rhodes to Symi, but not from Symi to Kos.", "not"),
        ("A and B share a border, as do B and C, and C and D.", "B and C"),
        ("1 is joined to 2, 3 and 4; 2 to 3; 4 to 5.", "2 to 3"),
        ("flowchart LR\n  a --> b\n  b --> ((\n", "Mermaid"),
        ("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 ] ]", "source"),
        ("<graphml><graph><node id='a'><edge source='a' target='a'/></graph></graphml>", "graphml"),
        (
            '<!DOCTYPE x [<!ENTITY a "b">]><graphml><graph><node id="n"/><node id="m"/><edge source="n" target="&a;"/></graph></graphml>',
            "graphml",
        ),
    ],
)
def test_what_looks_like_an_edge_does_not_vanish(text: str, place: str) -> None:
    with pytest.raises(UsageError, match=r"."):
        read(f"{text}\nHow many edges are there?")
    try:
        read(text)
    except UsageError as error:
        assert place in str(error)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Links: 1>2; 2>3; 3>1. Is the directed graph acyclic?", "1>2 2>3 3>1"),
        ("Flights, one way: LIS to MAD, MAD to CDG, and CDG back to LIS.", "LIS>MAD MAD>CDG CDG>LIS"),
        ("mix before knead, knead before rise, rise before bake.", "mix>knead knead>rise rise>bake"),
        ("Calls:\n\nweb: [api]\nworker:\n  - db\n  - log\n", "web>api worker>db worker>log"),
        ("Friends of each:\na: b, c\nb: a\nc: a\n", "a-b a-c"),
        ("What each one calls:\na: b, c\nb: c\nc: -\n", "a>b a>c b>c"),
        (
            "There is no road between A and B. There is a road between A and C and one between C and B.",
            "A-C C-B",
        ),
        ("Adjacency matrix:\nP: 0 1 0\nQ: 1 0 1\nR: 0 1 0", "P-Q Q-R"),
        ("[[0,1,0],[1,0,1],[0,1,0]] is the adjacency matrix; nodes are numbered from 1.", "1-2 2-3"),
        (
            '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>',
            "a-b",
        ),
        (
            '<gexf><graph defaultedgetype="directed"><nodes><node id="a"/><node id="b"/></nodes><edges><edge source="b" target="a"/></edges></graph></gexf>',
            "b>a",
        ),
        ("Zoe lent money to Yan. Yan emailed Xia.", "Zoe>Yan Yan>Xia"),
        ("Trails connect camp 1 to camp 2, camp 2 to camp 3, and camp 3 to camp 4.", "1-2 2-3 3-4"),
        ("Camp 1 is connected to camp 2, camp 2 to camp 3, and camp 3 to camp 4.", "1-2 2-3 3-4"),
        ("Adjacency matrix:\n  1 2 3\n1 0 1 0\n2 1 0 1\n3 0 1 0\n", "1-2 2-3"),
        ("directed: false\nnodes:\n  - id: a\n  - id: b\nedges:\n  - from: a\n    to: b\n", "a-b"),
        ("directed: true\nedges:\n  - [a, b]\n", "a>b"),
        ("directed = False\nedges = [('a', 'b'), ('b', 'c')]", "a-b b-c"),
        ("Nodes: a, b, c\nLinks:\n- a → b\n- b → c\n", "a>b b>c"),
        ("Nodes: a, b, c\nLinks:\n- a ↔ b (weight 3)\n- b ↔ c (weight 4)\n", "a-b b-c"),
        ("G = nx.DiGraph()\nG.add_edge('a', 'b'); G.add_edges_from([('c', 'b')])\n", "a>b c>b"),
        ("Page Home links to About. About links back to Home.", "Home>About About>Home"),
        ("graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]", "1>2"),
        (
            "<table><tr><th>source</th><th>target</th></tr><tr><td>x</td><td>y</td></tr></table> One way.",
            "x>y",
        ),
        ("flowchart LR\n  A[Start] --> B\n  B -->|no| C & D\n", "Start>B B>C B>D"),
        (
            "Trails:\n1) Hut A ↔ Summit (3 km)\n2) Col du Pin ↔ Summit (4 km)\n",
            "Hut_A-Summit Col_du_Pin-Summit",
        ),
    ],
)
def test_forms_and_what_they_lead_to(text: str, wanted: str) -> None:
    d = read(text).described
    sign = ">" if d.directed else "-"
    ends = zip(d.source.tolist(), d.target.tolist(), strict=True)
    names = [name.replace(" ", "_") for name in d.names]
    assert {f"{names[a]}{sign}{names[b]}" for a, b in ends} == set(wanted.split())


def test_of_several_numbers_the_one_that_is_named_is_taken() -> None:
    table = "from,to,km,price\nA,B,10,5\nB,C,20,1\n\nUndirected. What is the shortest path from A to C, by "
    assert {w for *_, w in edges(table + "price?")} == {5, 1}
    assert {w for *_, w in edges(table + "km?")} == {10, 20}
    with pytest.raises(UsageError, match="km, price"):
        read(table + "km and price?")


def test_names_stay_as_they_are_written() -> None:
    for name in ("db-1", "api.core", "node_3", "北京", "New Haven", "x_1.y-2"):
        text = json.dumps({"nodes": [name, "z"], "edges": [[name, "z"]]}, ensure_ascii=False)
        assert read(text).described.names == (name, "z")
        assert set(
            read(f"{name} is connected to Zoe. Zoe is connected to {name}. Undirected.").described.names
        ) == {name, "Zoe"}


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("G = nx.Graph()\nG.add_nodes_from(['a', 'b', 'c'])\nG.add_edge('a', 'b')", "a b c"),
        ("G = nx.Graph([(0, 1)])\nG.add_node(4)", "0 1 4"),
        ("g = igraph.Graph(n=3, edges=[(0, 1)])", "0 1 2"),
        ("g = ig.Graph(directed=True)\ng.add_vertices(2)\ng.add_edges([(1, 0)])", "0 1"),
        ("G = nx.Graph({'a': ['b'], 'd': []})", "a b d"),
        ("Undirected graph with nodes a, b and edges given as (u,v). Edges: (a,b).", "a b"),
    ],
)
def test_nodes_that_code_adds_are_there_without_an_edge(code: str, names: str) -> None:
    assert read(f"{code}\nHow many nodes are there?").described.names == tuple(names.split())


@pytest.mark.parametrize(
    "line",
    ["G.remove_edge('a', 'b')", "for x in y: G.add_edge(x, x + 1)", "G.add_edge('a')", "G.add_edge('a', 'b'"],
)
def test_code_that_is_not_written_out_is_refused(line: str) -> None:
    with pytest.raises(UsageError, match=r"code|changed"):
        read(f"G = nx.Graph()\nG.add_edge('a', 'b')\n{line}\nHow many edges are there?")


@pytest.mark.parametrize(
    ("text", "nodes", "count"),
    [
        ("Nodes: A, B, C, D. Edges: A-B, B-C.", 4, 2),
        ("V = {1,2,3,4}, E = {(1,2),(2,3)}.", 4, 2),
        ("Nodes: 1 2 3 4 5\nEdges:\n1 2\n2 3\n", 5, 2),
        ("Adjacency matrix with vertices A, B, C, D:\n0 1 1 0\n1 0 1 0\n1 1 0 1\n0 0 1 0\n", 4, 4),
        ("| node | neighbours |\n|---|---|\n| A | B, C |\n| B | A |\n| C | A |\n", 3, 2),
        ("Edges:\n- A to B: 4\n- B to C: 3\n", 3, 2),
        ("R1-R2: 10 ms. R2-R3: 20 ms. R1-R3: 50 ms.", 3, 3),
        ("Five friends: Al, Bo, Cy, Di and Ed. Al and Bo are friends. Bo and Cy are friends.", 5, 2),
    ],
)
def test_nodes_are_listed_apart_from_edges(text: str, nodes: int, count: int) -> None:
    d = read(f"{text}\nHow many edges are there?").described
    assert (d.num_nodes, d.num_edges) == (nodes, count)


def test_a_sentence_that_may_tell_of_an_edge_is_not_passed_over() -> None:
    with pytest.raises(UsageError, match="Tim"):
        read(
            "Tim, who is 34 years old, is friends with Ann. Ann is friends with Bea. How many friends does Ann have?"
        )


def test_long_sentences_are_read_part_by_part() -> None:
    rng = random.Random(1)
    pairs = {(rng.randrange(2000), rng.randrange(2000)) for _ in range(8_000)}
    pairs = {(a, b) for a, b in pairs if a < b}
    for form in (
        "an edge between node {a} and node {b}",
        "a road from N{a} to N{b}",
        "{a}-{b}",
        "{a} -> {b}",
    ):
        listed = ", ".join(form.format(a=a, b=b) for a, b in sorted(pairs))
        assert read(
            f"In an undirected graph there is {listed}.\nHow many edges are there?"
        ).described.num_edges == len(pairs)
