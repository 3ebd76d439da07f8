"""Problems in words made by program: 60 questions about small graphs, each graph told in one of 30 encodings, answers by networkx.

    python scripts/make_problems.py --half dev --count 600 --seed 1 > problems.jsonl

Wordings of the half `held` stand in no problem of `dev`: rules are written for the one and judged by the other. `more` is
a third lot of wordings.
A line: {"id", "kind", "encoding", "question", "form", "gold", "edges", "directed"}; `form` says how answers are compared
(`scripts/measure_solve.py --made`), "declined" that no answer can be right.
"""

import argparse
import json
import random
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import networkx as nx

PEOPLE = "Alice Bob Carol Dave Erin Frank Grace Heidi Ivan Judy Karl Liam".split()
CITIES = "Ashford,Brinley,Corwen,New Haven,East Port,Dalton,San Marco,Elmsworth,Farley,Port Royal,Glenmore,Hexham".split(
    ","
)
NAMES: dict[str, Callable[[random.Random, int], list[str]]] = {
    "numbers": lambda r, n: [str(i) for i in range(n)],
    "from one": lambda r, n: [str(i + 1) for i in range(n)],
    "large numbers": lambda r, n: [str(x) for x in r.sample(range(100, 999), n)],
    "letters": lambda r, n: list("ABCDEFGHIJKL"[:n]),
    "small letters": lambda r, n: list("abcdefghijkl"[:n]),
    "codes": lambda r, n: [f"{r.choice('SNRX')}{i}" for i in range(1, n + 1)],
    "underscores": lambda r, n: [f"node_{i}" for i in range(n)],
    "people": lambda r, n: r.sample(PEOPLE, n),
    "cities": lambda r, n: r.sample(CITIES, n),
    "words": lambda r, n: r.sample("amber basil cedar delta ember flint grove hazel iris juniper kelp lotus".split(), n),
    "dots": lambda r, n: r.sample("api.core api.auth db.main db.log ui.web ui.app svc.mail svc.pay io.net io.disk".split(), n),
    "hyphens": lambda r, n: r.sample("db-1 db-2 web-1 web-2 cache-a cache-b edge-x log-7 mail-3 auth-9".split(), n),
    "Chinese": lambda r, n: r.sample("北京 上海 广州 深圳 成都 武汉 西安 南京 杭州 天津".split(), n),
}  # fmt: skip
PLAIN = tuple(NAMES)
IN_SENTENCES = tuple(n for n in NAMES if n != "words")


@dataclass(frozen=True)
class Theme:
    """Nouns of a story, and its sentences: of an edge without a weight, and of one with."""

    node: str
    nodes: str
    edge: str
    edges: str
    directed: bool
    plain: tuple[str, ...]
    weighed: tuple[str, ...]
    weight: str
    names: tuple[str, ...] = IN_SENTENCES
    held: bool = False


THEMES = [
    Theme("city", "cities", "road", "roads", False, ("There is a road between {a} and {b}.", "A road connects {a} and {b}."),
          ("There is a road of {w} km between {a} and {b}.", "A road of length {w} connects {a} and {b}.", "The road between {a} and {b} is {w} km long."), "distance", ("cities", "letters", "Chinese")),
    Theme("computer", "computers", "cable", "cables", False, ("{a} is connected to {b} by a cable.", "A cable runs between {a} and {b}."),
          ("{a} is connected to {b} by a cable of {w} metres.", "A cable between {a} and {b} has a latency of {w} ms."), "latency", ("hyphens", "codes", "letters", "dots")),
    Theme("person", "people", "friendship", "friendships", False, ("{a} is friends with {b}.", "{a} and {b} are friends."), (), "", ("people",)),
    Theme("airport", "airports", "flight", "flights", True, ("There is a flight from {a} to {b}.", "A flight goes from {a} to {b}."),
          ("There is a flight from {a} to {b} that costs {w} euros.", "A flight from {a} to {b} costs {w} dollars."), "cost", ("cities", "letters", "codes", "Chinese")),
    Theme("page", "pages", "link", "links", True, ("Page {a} links to page {b}.", "{a} links to {b}."), (), "", ("letters", "codes", "hyphens", "dots")),
    Theme("station", "stations", "pipe", "pipes", True, ("A pipe leads from {a} to {b}.",), ("A pipe leads from {a} to {b} with capacity {w}.", "A pipe with capacity {w} runs from {a} to {b}."), "capacity", ("letters", "codes", "numbers")),
    Theme("paper", "papers", "citation", "citations", True, ("Paper {a} cites paper {b}.", "{a} cites {b}."), (), "", ("codes", "letters", "numbers")),
    Theme("node", "nodes", "edge", "edges", False, ("Node {a} is connected to node {b}.", "There is an edge between {a} and {b}.", "{a} is adjacent to {b}."),
          ("There is an edge between node {a} and node {b} with weight {w}.", "{a} is connected to {b} with weight {w}."), "weight", ("numbers", "from one", "letters", "underscores", "large numbers")),
    Theme("node", "nodes", "edge", "edges", True, ("There is an edge from {a} to {b}.", "Node {a} points to node {b}."), ("There is an edge from {a} to {b} with weight {w}.",), "weight", ("numbers", "letters", "underscores")),
    Theme("village", "villages", "path", "paths", False, ("{a} and {b} are joined by a path.",), ("It takes {w} minutes to walk between {a} and {b}.", "Walking between {a} and {b} takes {w} minutes."), "time", ("cities", "letters"), True),
    Theme("server", "servers", "link", "links", False, ("Server {a} has a direct link to server {b}.", "{a} and {b} share a link."), ("{a} and {b} share a link with a delay of {w} ms.",), "delay", ("codes", "hyphens", "dots"), True),
    Theme("user", "users", "follow", "follows", True, ("{a} follows {b}.", "User {a} follows user {b}."), (), "", ("people", "codes"), True),
    Theme("task", "tasks", "dependency", "dependencies", True, ("{a} must be done before {b}.", "Task {a} must finish before task {b} starts."), (), "", ("letters", "codes"), True),
    Theme("island", "islands", "ferry", "ferries", False, ("A ferry runs between {a} and {b}.", "You can take a ferry between {a} and {b}."), ("The ferry between {a} and {b} costs {w} dollars.",), "price", ("cities", "Chinese"), True),
]  # fmt: skip


@dataclass
class Case:
    """A graph, its names, and how it is to be told."""

    g: Any
    rng: random.Random
    directed: bool
    weighted: bool
    theme: Theme | None = None
    held: bool = False
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def rows(self) -> list[tuple[str, str, int]]:
        return [(a, b, d.get("weight", 1)) for a, b, d in self.g.edges(data=True)]

    @property
    def weight(self) -> str:
        return self.theme.weight if self.theme and self.theme.weight else "weight"


# encodings


def _lines(sep: str, header: tuple[str, str, str] | None = None) -> Callable[[Case], str]:
    def told(c: Case) -> str:
        rows = [sep.join(map(str, row if c.weighted else row[:2])) for row in c.rows]
        return "\n".join([*([sep.join(header if c.weighted else header[:2])] if header else []), *rows])

    return told


def _tuples(
    arrow: str, around: str = "()", between: str = ", ", quoted: bool = False
) -> Callable[[Case], str]:
    def told(c: Case) -> str:
        q = (lambda x: x if x.isdigit() else f'"{x}"') if quoted else str
        parts = [
            f"{around[0]}{q(a)}{arrow}{q(b)}{f', {w}' if c.weighted else ''}{around[1]}" for a, b, w in c.rows
        ]
        return between.join(parts)

    return told


def _arrows(c: Case) -> str:
    sign = "->" if c.directed else c.rng.choice(["--", "<->", "—"])
    tail = c.rng.choice([" ({w})", ": {w}", " [{w}]", " (weight {w})"])
    return c.rng.choice(["\n", ", ", "; "]).join(
        f"{a} {sign} {b}" + (tail.format(w=w) if c.weighted else "") for a, b, w in c.rows
    )


def _table(c: Case) -> tuple[list[str], list[list[str]]]:
    heads = c.rng.choice(
        [["from", "to"], ["source", "target"], ["node 1", "node 2"], ["A", "B"]]
        if not c.directed
        else [["from", "to"], ["source", "target"]]
    )
    return heads + ([c.weight] if c.weighted else []), [
        [str(x) for x in (row if c.weighted else row[:2])] for row in c.rows
    ]


def _markdown(c: Case) -> str:
    head, rows = _table(c)
    return "\n".join(["| " + " | ".join(r) + " |" for r in [head, ["---"] * len(head), *rows]])


def _ascii(c: Case) -> str:
    head, rows = _table(c)
    width = [max(len(r[i]) for r in [head, *rows]) for i in range(len(head))]
    bar = "+" + "+".join("-" * (w + 2) for w in width) + "+"
    line = lambda r: "|" + "|".join(f" {x:<{w}} " for x, w in zip(r, width, strict=True)) + "|"  # noqa: E731
    return "\n".join([bar, line(head), bar, *map(line, rows), bar])


def _node_link(c: Case) -> str:
    typed = lambda x: int(x) if x.isdigit() else x  # noqa: E731
    links = [
        {"source": typed(a), "target": typed(b), **({c.weight: w} if c.weighted else {})}
        for a, b, w in c.rows
    ]
    data = {
        "directed": c.directed,
        "nodes": [{"id": typed(n)} for n in c.g],
        c.rng.choice(["links", "edges"]): links,
    }
    return json.dumps(data, ensure_ascii=False, indent=c.rng.choice([None, 2]))


def _json_edges(c: Case) -> str:
    a_key, b_key = c.rng.choice([("from", "to"), ("source", "target"), ("u", "v")])
    if c.rng.random() < 0.4:
        return json.dumps({"edges": [list(r if c.weighted else r[:2]) for r in c.rows]}, ensure_ascii=False)
    return json.dumps(
        [{a_key: a, b_key: b, **({c.weight: w} if c.weighted else {})} for a, b, w in c.rows],
        ensure_ascii=False,
    )


def _adjacent(c: Case) -> dict[str, dict[str, int]]:
    return {n: {m: c.g[n][m].get("weight", 1) for m in c.g[n]} for n in c.g}


def _json_adjacency(c: Case) -> str:
    found = _adjacent(c)
    data: Any = found if c.weighted else {n: list(row) for n, row in found.items()}
    return json.dumps(data, ensure_ascii=False)


def _yaml_edges(c: Case) -> str:
    lines = ["edges:"]
    for a, b, w in c.rows:
        if c.rng.random() < 2:
            lines += [f"  - from: {a}", f"    to: {b}", *([f"    {c.weight}: {w}"] if c.weighted else [])]
    return "\n".join(lines)


def _yaml_adjacency(c: Case) -> str:
    rows = _adjacent(c)
    if c.weighted:
        return "\n".join(
            line
            for n, row in rows.items()
            for line in [f"{n}:" + ("" if row else " {}"), *(f"  {m}: {w}" for m, w in row.items())]
        )
    return "\n".join(
        line
        for n, row in rows.items()
        for line in [f"{n}:" + ("" if row else " []"), *(f"  - {m}" for m in row)]
    )


def _matrix(labels: bool) -> Callable[[Case], str]:
    def told(c: Case) -> str:
        names = list(c.g)
        rows = [[c.g[a][b].get("weight", 1) if c.g.has_edge(a, b) else 0 for b in names] for a in names]
        if labels:
            return "\n".join(
                [
                    "  " + " ".join(names),
                    *(f"{n} " + " ".join(map(str, row)) for n, row in zip(names, rows, strict=True)),
                ]
            )
        if c.rng.random() < 0.5:
            return "[" + ",\n ".join(str(row) for row in rows) + "]"
        return "\n".join(" ".join(map(str, row)) for row in rows)

    return told


def _adjacency_lines(c: Case) -> str:
    mark = c.rng.choice([":", ":", " ->"])
    tail = c.rng.choice([" ({w})", ":{w}"]) if c.weighted else ""
    return "\n".join(
        f"{n}{mark} " + ", ".join(m + tail.format(w=w) for m, w in row.items())
        for n, row in _adjacent(c).items()
    )


def _dot(c: Case) -> str:
    kind, sign = ("digraph", "->") if c.directed else ("graph", "--")
    quote = lambda x: x if x.isalnum() and x.isascii() else f'"{x}"'  # noqa: E731
    key = c.rng.choice(["weight", "label"])
    body = "\n".join(
        f"  {quote(a)} {sign} {quote(b)}{f' [{key}={w}]' if c.weighted else ''};" for a, b, w in c.rows
    )
    return f"{kind} G {{\n{''.join(f'  {quote(n)};{chr(10)}' for n in nx.isolates(c.g))}{body}\n}}"


def _sentences(c: Case) -> str:
    assert c.theme is not None
    form = c.rng.choice(c.theme.weighed if c.weighted else c.theme.plain)
    said = [form.format(a=a, b=b, w=w) for a, b, w in c.rows]
    return c.rng.choice([" ", " ", "\n"]).join(said)


def _joined(c: Case) -> str:
    """One long sentence, edges apart by commas."""
    assert c.theme is not None
    between = "from {a} to {b}" if c.directed else "between {a} and {b}"
    tail = f" ({c.weight} {{w}})" if c.weighted else ""
    said = [(between + tail).format(a=a, b=b, w=w) for a, b, w in c.rows]
    return f"There are {c.theme.edges} {', '.join(said[:-1])} and {said[-1]}."


def _grouped(c: Case) -> str:
    """Each node with its neighbours."""
    said = []
    done: set[frozenset[str]] = set()
    for n, row in _adjacent(c).items():
        left = [m for m in row if c.directed or frozenset((n, m)) not in done]
        done |= {frozenset((n, m)) for m in left}
        if left:
            listed = left[0] if len(left) == 1 else f"{', '.join(left[:-1])} and {left[-1]}"
            said.append(f"{n} {'points to' if c.directed else 'is connected to'} {listed}.")
    return " ".join(said)


SIMPLE = ("numbers", "from one", "letters", "small letters", "codes", "people", "large numbers")
NO_SPACE = tuple(n for n in NAMES if n != "cities")
ENCODINGS: dict[str, tuple[Callable[[Case], str], tuple[str, ...]]] = {
    "pairs": (_tuples(", "), PLAIN),
    "pairs in a list": (_tuples(", ", "[]"), SIMPLE),
    "Python list": (lambda c: "[" + _tuples(", ", quoted=True)(c) + "]", PLAIN),
    "pairs with arrows": (_tuples("->"), NO_SPACE),
    "spaces": (_lines(" "), NO_SPACE),
    "commas": (_lines(","), PLAIN),
    "semicolons": (lambda c: _lines(" ")(c).replace("\n", "; "), NO_SPACE),
    "CSV": (_lines(",", ("source", "target", "weight")), PLAIN),
    "CSV of other names": (_lines(",", ("node_a", "node_b", "cost")), PLAIN),
    "TSV": (_lines("\t", ("from", "to", "weight")), PLAIN),
    "arrows": (_arrows, PLAIN),
    "dashes": (lambda c: ", ".join(f"{a}-{b}" + (f" ({w})" if c.weighted else "") for a, b, w in c.rows), ("numbers", "letters", "codes", "people", "Chinese")),
    "Markdown table": (_markdown, PLAIN),
    "ASCII table": (_ascii, PLAIN),
    "node-link JSON": (_node_link, PLAIN),
    "JSON edges": (_json_edges, PLAIN),
    "JSON adjacency": (_json_adjacency, PLAIN),
    "YAML edges": (_yaml_edges, PLAIN),
    "YAML adjacency": (_yaml_adjacency, PLAIN),
    "matrix": (_matrix(False), ("numbers",)),
    "matrix with names": (_matrix(True), NO_SPACE),
    "adjacency list": (_adjacency_lines, PLAIN),
    "DOT": (_dot, PLAIN),
    "sentences": (_sentences, ()),
    "one sentence": (_joined, ()),
    "grouped sentences": (_grouped, IN_SENTENCES),
}  # fmt: skip
TOLD_ONCE = {
    "sentences",
    "one sentence",
    "grouped sentences",
    "dashes",
    "arrows",
}  # nodes without edges are not told


# questions


@dataclass(frozen=True)
class Kind:
    """A kind of question: its wordings (dev, held), and what the graph must be."""

    ask: tuple[tuple[str, ...], tuple[str, ...]]
    gold: Callable[[Any, str, str, int], tuple[str, Any] | None]
    directed: bool | None = False  # None: either
    weighted: bool | None = False
    dag: bool = False
    numbers: bool = False


def _w(dev: str, held: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(dev.split("|")), tuple(held.split("|"))


def _hops(g: Any, a: str) -> dict[str, int]:
    return dict(nx.single_source_shortest_path_length(g, a))


def _chromatic(g: Any) -> int:
    nodes = list(g)

    def fits(colours: dict[str, int], place: int, k: int) -> bool:
        if place == len(nodes):
            return True
        n = nodes[place]
        for colour in range(min(k, max(colours.values(), default=-1) + 2)):
            if all(colours.get(m) != colour for m in g[n]) and fits({**colours, n: colour}, place + 1, k):
                return True
        return False

    return next(k for k in range(1, len(nodes) + 1) if fits({}, 0, k))


def _independent(g: Any) -> int:
    return max(len(c) for c in nx.find_cliques(nx.complement(g)))


def _best(table: dict[str, float], least: bool = False) -> list[str]:
    top = min(table.values()) if least else max(table.values())
    return [n for n, v in table.items() if abs(v - top) < 1e-9]


def _paths(g: Any, a: str, b: str) -> int:
    return sum(1 for _ in nx.all_simple_paths(g, a, b))


def _some(value: Any) -> Any:
    return value if value else None


def _path(g: Any, a: str, b: str, weight: str | None) -> tuple[str, Any] | None:
    return ("path", [a, b, nx.shortest_path_length(g, a, b, weight)]) if nx.has_path(g, a, b) else None


def _length(g: Any, a: str, b: str, weight: str | None) -> tuple[str, Any] | None:
    return ("number", nx.shortest_path_length(g, a, b, weight)) if nx.has_path(g, a, b) else None


def _connected(
    of: Callable[[Any], tuple[str, Any]],
) -> Callable[[Any, str, str, int], tuple[str, Any] | None]:
    return lambda g, a, b, k: of(g) if nx.is_connected(g) else None


def _trees(g: Any) -> int:
    return sum(d["weight"] for *_, d in nx.minimum_spanning_edges(g, data=True))


KINDS: dict[str, Kind] = {
    "neighbours": Kind(_w("Which {nodes} are neighbours of {a}?|List all neighbors of {a}.|Which {nodes} is {a} directly connected to?", "Name every {node} adjacent to {a}.|Who or what is {a} linked to directly?|What are the neighbors of {a}?"), lambda g, a, b, k: ("nodes", list(g[a]))),
    "friends of friends": Kind(_w("Which {nodes} are exactly two hops away from {a}?|Which {nodes} are at distance 2 from {a}?|List the neighbours of the neighbours of {a} that are neither {a} itself nor its direct neighbours.", "Which {nodes} can be reached from {a} in two steps but not in one?|Who are the friends of friends of {a}, leaving out direct friends and {a}?|Find all {nodes} whose distance to {a} is exactly 2."), lambda g, a, b, k: ("nodes", [n for n, d in _hops(g, a).items() if d == 2])),
    "k hops": Kind(_w("Which {nodes} are within {k} hops of {a}, not counting {a}?|Which {nodes} can be reached from {a} in at most {k} steps, {a} itself excluded?", "List the {nodes} no more than {k} {edges} away from {a} (other than {a}).|Which {nodes} other than {a} lie within distance {k} of {a}?"), lambda g, a, b, k: ("nodes", [n for n, d in _hops(g, a).items() if 0 < d <= k]), None),
    "k hops count": Kind(_w("How many {nodes} are within {k} hops of {a}, not counting {a} itself?|How many other {nodes} can be reached from {a} in at most {k} steps?", "What is the number of {nodes} at most {k} hops from {a}, without {a}?|Count the {nodes} other than {a} within {k} {edges} of {a}."), lambda g, a, b, k: ("number", sum(0 < d <= k for d in _hops(g, a).values())), None),
    "degree": Kind(_w("What is the degree of {a}?|How many neighbours does {a} have?|How many {edges} does {a} have?", "How many {nodes} is {a} directly connected to?|Give the degree of {a}.|How many {edges} meet at {a}?"), lambda g, a, b, k: ("number", g.degree(a))),
    "in-degree": Kind(_w("What is the in-degree of {a}?|How many {edges} lead into {a}?", "How many {edges} point to {a}?|Give the number of incoming {edges} of {a}."), lambda g, a, b, k: ("number", g.in_degree(a)), True),
    "out-degree": Kind(_w("What is the out-degree of {a}?|How many {edges} leave {a}?", "How many {edges} start at {a}?|Give the number of outgoing {edges} of {a}."), lambda g, a, b, k: ("number", g.out_degree(a)), True),
    "largest degree": Kind(_w("Which {node} has the highest degree?|Which {node} has the most neighbours?", "Which {node} is connected to the largest number of other {nodes}?|Which {nodes} have the maximum degree?"), lambda g, a, b, k: ("nodes", _best(dict(g.degree())))),
    "least degree": Kind(_w("Which {node} has the lowest degree?|Which {nodes} have the fewest {edges}?", "Which {nodes} have the minimum degree?|Which {node} has the smallest number of neighbours?"), lambda g, a, b, k: ("nodes", _best(dict(g.degree()), True))),
    "average degree": Kind(_w("What is the average degree of the graph?|What is the mean degree?", "On average, how many neighbours does a {node} have?|Compute the average {node} degree."), lambda g, a, b, k: ("number", 2 * g.number_of_edges() / len(g))),
    "nodes of degree": Kind(_w("How many {nodes} have degree {k}?|Which {nodes} have exactly {k} neighbours?", "List the {nodes} of degree {k}.|How many {nodes} have exactly {k} {edges}?"), lambda g, a, b, k: ("count or nodes", [n for n in g if g.degree(n) == k])),
    "path": Kind(_w("What is the shortest path from {a} to {b}?|Find a shortest path between {a} and {b}.", "Which {nodes} lie on a shortest path from {a} to {b}?|Give the shortest route from {a} to {b}."), lambda g, a, b, k: _path(g, a, b, None), None),
    "hops": Kind(_w("What is the length of the shortest path from {a} to {b}?|How many hops are there at least from {a} to {b}?", "How far is {b} from {a}, counted in {edges}?|What is the smallest number of {edges} needed to get from {a} to {b}?"), lambda g, a, b, k: _length(g, a, b, None), None),
    "weighted path": Kind(_w("What is the shortest path from {a} to {b} by total {weight}?|Which route from {a} to {b} has the least total {weight}?", "Give the path from {a} to {b} with the smallest total {weight}.|Find the {nodes} along the cheapest path from {a} to {b}."), lambda g, a, b, k: _path(g, a, b, "weight"), None, True),
    "weighted length": Kind(_w("What is the least total {weight} of a path from {a} to {b}?|What is the total {weight} of the shortest path from {a} to {b}?", "How long is the shortest path from {a} to {b}, measured by {weight}?|What is the minimum total {weight} needed to get from {a} to {b}?"), lambda g, a, b, k: _length(g, a, b, "weight"), None, True),
    "hops despite weights": Kind(_w("Ignoring the weights, what is the smallest number of {edges} on a path from {a} to {b}?|What is the fewest {edges} needed to go from {a} to {b}?", "How many hops is the path with the fewest {edges} from {a} to {b}?|Disregard the weights: how many {edges} does a shortest path from {a} to {b} have?"), lambda g, a, b, k: _length(g, a, b, None), None, True),
    "reachability": Kind(_w("Is there a path from {a} to {b}?|Can {b} be reached from {a}?", "Is it possible to get from {a} to {b}?|Is {b} reachable from {a}?"), lambda g, a, b, k: ("truth", nx.has_path(g, a, b)), None),
    "reachable": Kind(_w("Which {nodes} can be reached from {a}?|List all {nodes} reachable from {a}.", "To which {nodes} does some path lead from {a}?|Find all {nodes} that {a} can reach."), lambda g, a, b, k: ("nodes but start", [a, sorted(nx.descendants(g, a))]), True),
    "bridges": Kind(_w("Which {edges} are bridges?|List the bridges of the graph.", "Find all {edges} whose removal would disconnect the graph.|Which {edges} are cut edges?"), lambda g, a, b, k: ("pairs", [list(e) for e in nx.bridges(g)])),
    "bridge count": Kind(_w("How many bridges does the graph have?|How many {edges} are bridges?", "Count the bridges.|What is the number of cut edges?"), lambda g, a, b, k: ("number", sum(1 for _ in nx.bridges(g)))),
    "articulation": Kind(_w("Which {nodes} are articulation points?|List the cut vertices.", "Which {nodes} would disconnect the graph if removed?|Find every articulation point."), lambda g, a, b, k: ("nodes", list(nx.articulation_points(g)))),
    "core": Kind(_w("Which {nodes} are in the {k}-core?|List the {nodes} of the {k}-core.", "What {nodes} make up the {k}-core of the graph?|Find the {k}-core."), lambda g, a, b, k: ("nodes", list(nx.k_core(g, k)))),
    "core number": Kind(_w("What is the core number of {a}?|What is the coreness of {a}?", "Give the core number of {a}.|What is the largest k such that {a} belongs to the k-core?"), lambda g, a, b, k: ("number", nx.core_number(g)[a])),
    "center": Kind(_w("Which {nodes} are in the center of the graph?|What is the centre of the graph?", "Find the graph center.|Which {nodes} have an eccentricity equal to the radius?"), _connected(lambda g: ("nodes", nx.center(g)))),
    "periphery": Kind(_w("Which {nodes} are in the periphery of the graph?|What is the periphery of the graph?", "Find the graph periphery.|Which {nodes} have an eccentricity equal to the diameter?"), _connected(lambda g: ("nodes", nx.periphery(g)))),
    "diameter": Kind(_w("What is the diameter of the graph?|What is the longest of all shortest paths, in {edges}?", "Compute the diameter.|How far apart, in {edges}, are the two {nodes} that are farthest apart?"), _connected(lambda g: ("number", nx.diameter(g)))),
    "radius": Kind(_w("What is the radius of the graph?|Compute the radius.", "Give the radius of this network.|What is the smallest eccentricity of any {node}?"), _connected(lambda g: ("number", nx.radius(g)))),
    "eccentricity": Kind(_w("What is the eccentricity of {a}?|How far is the {node} farthest from {a}?", "Give the eccentricity of {a}.|What is the greatest distance from {a} to any other {node}, in {edges}?"), lambda g, a, b, k: ("number", nx.eccentricity(g, a)) if nx.is_connected(g) else None),
    "average path": Kind(_w("What is the average shortest path length?|What is the mean distance between two {nodes}?", "Compute the average shortest path length over all pairs.|What is the average distance over all pairs of {nodes}?"), _connected(lambda g: ("number", nx.average_shortest_path_length(g)))),
    "components": Kind(_w("How many connected components are there?|How many connected components does the graph have?", "What is the number of connected components?|Into how many separate parts does the graph fall?"), lambda g, a, b, k: ("number", nx.number_connected_components(g))),
    "component list": Kind(_w("List the connected components.|What are the connected components of the graph?", "Which {nodes} form the connected components?|Give every connected component."), lambda g, a, b, k: ("groups", [sorted(c) for c in nx.connected_components(g)])),
    "largest component": Kind(_w("How many {nodes} are in the largest connected component?|What is the size of the largest component?", "How big is the biggest connected component?|Number of {nodes} in the largest connected component?"), lambda g, a, b, k: ("number", max(map(len, nx.connected_components(g))))),
    "same component": Kind(_w("Are {a} and {b} in the same connected component?|Do {a} and {b} belong to the same component?", "Do {a} and {b} lie in one connected component?|Are {a} and {b} part of the same connected part?"), lambda g, a, b, k: ("truth", nx.has_path(g, a, b))),
    "connected": Kind(_w("Is the graph connected?|Is every {node} reachable from every other?", "Is this a connected graph?|Can you get from any {node} to any other?"), lambda g, a, b, k: ("truth", nx.is_connected(g))),
    "strong components": Kind(_w("How many strongly connected components are there?|How many SCCs does the graph have?", "What is the number of strongly connected components?|Count the strongly connected components."), lambda g, a, b, k: ("number", nx.number_strongly_connected_components(g)), True),
    "strong component list": Kind(_w("List the strongly connected components.|What are the strongly connected components?", "Give all strongly connected components.|Find the SCCs of the graph."), lambda g, a, b, k: ("groups", [sorted(c) for c in nx.strongly_connected_components(g)]), True),
    "cycle": Kind(_w("Is there a cycle?|Does the graph contain a cycle?", "Does the graph have any cycles?|Can you leave some {node} and come back to it without using an {edge} twice?"), lambda g, a, b, k: ("truth", bool(nx.cycle_basis(g)))),
    "directed cycle": Kind(_w("Is there a directed cycle?|Is the graph acyclic?", "Is the graph a DAG?|Does the graph contain a directed cycle?"), lambda g, a, b, k: ("cyclic", not nx.is_directed_acyclic_graph(g)), True),
    "tree": Kind(_w("Is the graph a tree?", "Is this network a tree?"), lambda g, a, b, k: ("truth", nx.is_tree(g))),
    "topological order": Kind(_w("Give a topological order of the {nodes}.|Find a topological ordering.", "In which order can the {nodes} be listed so that every {edge} leads forward?|Sort the {nodes} topologically."), lambda g, a, b, k: ("order", sorted(g)), True, False, True),
    "longest path": Kind(_w("How many {edges} does the longest path have?|What is the length of the longest path in this DAG, in {edges}?", "What is the longest directed path, counted in {edges}?|What is the maximum number of {edges} on a directed path?"), lambda g, a, b, k: ("number", nx.dag_longest_path_length(g, weight=None)), True, False, True),
    "weighted longest path": Kind(_w("What is the total weight of the longest path in this DAG?|What is the largest total {weight} of a path?", "What is the maximum total {weight} along any directed path?|How heavy is the heaviest path of this acyclic graph?"), lambda g, a, b, k: ("number", nx.dag_longest_path_length(g)), True, True, True),
    "path count": Kind(_w("How many different paths lead from {a} to {b}?|How many paths are there from {a} to {b}?", "What is the number of distinct paths from {a} to {b}?|In how many ways can one get from {a} to {b}?"), lambda g, a, b, k: ("number", _paths(g, a, b)), True, False, True),
    "chromatic number": Kind(_w("What is the chromatic number of the graph?|How many colours are needed at least so that no two adjacent {nodes} have the same colour?", "What is the minimum number of colors for a proper coloring?|What is the fewest colours that colour the {nodes} so that neighbours differ?"), lambda g, a, b, k: ("number", _chromatic(g))),
    "colouring": Kind(_w("Colour the {nodes} so that no two neighbours have the same colour.|Give a proper colouring of the graph.", "Assign a color to each {node} so that adjacent {nodes} get different colors.|Find a valid coloring of the {nodes}."), lambda g, a, b, k: ("colouring", 0)),
    "k colourable": Kind(_w("Can the graph be coloured with 3 colours?|Is the graph 3-colourable?", "Are three colours enough to colour the {nodes} so that neighbours differ?|Is a proper 3-coloring possible?"), lambda g, a, b, k: ("truth", _chromatic(g) <= 3)),
    "independent set size": Kind(_w("What is the size of the largest independent set?|What is the independence number of the graph?", "How many {nodes} does a maximum independent set have?|What is the maximum number of {nodes} of which no two are adjacent?"), lambda g, a, b, k: ("number", _independent(g))),
    "independent set": Kind(_w("Find a maximum independent set.|Give a largest set of {nodes} no two of which are adjacent.", "Which {nodes} form a maximum independent set?|Name a maximum independent set of the graph."), lambda g, a, b, k: ("independent", _independent(g))),
    "maximal independent set": Kind(_w("Find a maximal independent set.", "Give any maximal independent set of the graph."), lambda g, a, b, k: ("maximal independent", 0)),
    "clique": Kind(_w("What is the size of the largest clique?|What is the clique number?", "How many {nodes} are in a maximum clique?|How large is the largest set of pairwise adjacent {nodes}?"), lambda g, a, b, k: ("number", max(map(len, nx.find_cliques(g))))),
    "matching": Kind(_w("What is the size of a maximum matching?|How many {edges} does a maximum matching have?", "What is the maximum number of {edges} that share no {node}?|How big is the largest matching?"), lambda g, a, b, k: ("number", len(nx.max_weight_matching(g, maxcardinality=True, weight="none")))),
    "vertex cover": Kind(_w("What is the size of a minimum vertex cover?", "How many {nodes} does a smallest vertex cover need?"), lambda g, a, b, k: ("number", len(g) - _independent(g))),
    "bipartite": Kind(_w("Is the graph bipartite?|Can the {nodes} be split into two groups so that no {edge} joins two of the same group?", "Is this a bipartite graph?|Is the network two-colourable?"), lambda g, a, b, k: ("truth", nx.is_bipartite(g))),
    "maximum flow": Kind(_w("What is the maximum flow from {a} to {b}?|What is the value of a maximum flow from {a} to {b}?", "How much can flow from {a} to {b} at most?|Compute the max flow from source {a} to sink {b}."), lambda g, a, b, k: ("number", nx.maximum_flow_value(g, a, b, capacity="weight")), True, True),
    "minimum cut": Kind(_w("What is the capacity of a minimum cut between {a} and {b}?|What is the minimum cut value from {a} to {b}?", "What total capacity has a smallest cut separating {a} from {b}?|Give the min-cut value for source {a} and sink {b}."), lambda g, a, b, k: ("number", nx.minimum_cut_value(g, a, b, capacity="weight")), True, True),
    "spanning tree": Kind(_w("What is the total weight of a minimum spanning tree?|How much does a minimum spanning tree weigh?", "What is the least total {weight} that connects all {nodes}?|Compute the weight of the MST."), _connected(lambda g: ("number", _trees(g))), False, True),
    "spanning tree edges": Kind(_w("Which {edges} are in a minimum spanning tree?|List the {edges} of a minimum spanning tree.", "Find a minimum spanning tree.|Give the {edges} of the MST."), _connected(lambda g: ("tree", _trees(g))), False, True),
    "triangles": Kind(_w("How many triangles are there?|Count the triangles.", "What is the number of triangles in the graph?|How many sets of three mutually connected {nodes} exist?"), lambda g, a, b, k: ("number", sum(nx.triangles(g).values()) // 3)),
    "triangles of node": Kind(_w("How many triangles is {a} part of?|How many triangles contain {a}?", "In how many triangles does {a} take part?|Count the triangles through {a}."), lambda g, a, b, k: ("number", nx.triangles(g, a))),
    "clustering": Kind(_w("What is the clustering coefficient of {a}?|What is the local clustering coefficient of {a}?", "Give the clustering coefficient of {a}.|Compute the local clustering of {a}."), lambda g, a, b, k: ("number", nx.clustering(g, a))),
    "average clustering": Kind(_w("What is the average clustering coefficient?|What is the average clustering coefficient of the graph?", "Compute the mean clustering coefficient over all {nodes}.|Give the graph's average clustering coefficient."), lambda g, a, b, k: ("number", nx.average_clustering(g))),
    "transitivity": Kind(_w("What is the transitivity of the graph?", "Compute the global clustering coefficient (transitivity)."), lambda g, a, b, k: ("number", nx.transitivity(g))),
    "degree centrality": Kind(_w("What is the degree centrality of {a}?", "Give the degree centrality of {a}."), lambda g, a, b, k: ("number", nx.degree_centrality(g)[a])),
    "betweenness": Kind(_w("What is the betweenness centrality of {a}?|What is the betweenness of {a}?", "Give the betweenness centrality of {a}.|Compute the betweenness centrality for {a}."), lambda g, a, b, k: ("number", nx.betweenness_centrality(g)[a])),
    "highest betweenness": Kind(_w("Which {node} has the highest betweenness centrality?|Which {node} has the highest betweenness?", "Which {node} has the largest betweenness centrality?|What {node} lies on the most shortest paths (highest betweenness)?"), lambda g, a, b, k: ("nodes", _best(nx.betweenness_centrality(g)))),
    "closeness": Kind(_w("What is the closeness centrality of {a}?", "Give the closeness of {a}."), lambda g, a, b, k: ("number", nx.closeness_centrality(g, a)) if nx.is_connected(g) else None),
    "highest closeness": Kind(_w("Which {node} has the highest closeness centrality?", "Which {node} is closest to all others on average (highest closeness)?"), _connected(lambda g: ("nodes", _best(nx.closeness_centrality(g))))),
    "pagerank": Kind(_w("Which {node} has the highest PageRank?|Which {node} is the most important by PageRank?", "Which {node} gets the largest PageRank score?|What {node} ranks first by PageRank?"), lambda g, a, b, k: ("nodes", _best({n: round(v, 5) for n, v in nx.pagerank(g, tol=1e-9, max_iter=10_000).items()})), True),
    "common neighbours": Kind(_w("Which neighbours do {a} and {b} have in common?|What are the common neighbours of {a} and {b}?", "Which {nodes} are adjacent to both {a} and {b}?|Find the shared neighbors of {a} and {b}."), lambda g, a, b, k: ("nodes", list(nx.common_neighbors(g, a, b)))),
    "common neighbour count": Kind(_w("How many neighbours do {a} and {b} share?|How many common neighbours do {a} and {b} have?", "How many {nodes} are adjacent to both {a} and {b}?|Count the common neighbors of {a} and {b}."), lambda g, a, b, k: ("number", len(list(nx.common_neighbors(g, a, b))))),
    "sum over neighbours": Kind(_w("What is the sum of the values of the neighbours of {a}?|Add up the values of all neighbours of {a}.", "What do the values of {a}'s neighbours add up to?|What is the total value of the {nodes} adjacent to {a}?"), lambda g, a, b, k: ("number", sum(g.nodes[n]["value"] for n in g[a])), numbers=True),
    "mean over neighbours": Kind(_w("What is the average value of the neighbours of {a}?|What is the mean of the values of {a}'s neighbours?", "On average, what value do the neighbours of {a} have?|Compute the mean value over the {nodes} adjacent to {a}."), lambda g, a, b, k: ("number", sum(g.nodes[n]["value"] for n in g[a]) / len(g[a])) if len(g[a]) else None, numbers=True),
    "largest of neighbours": Kind(_w("What is the largest value among the neighbours of {a}?|Which neighbour of {a} has the highest value?", "What is the maximum value of the neighbours of {a}?|Which {node} adjacent to {a} has the largest value?"), lambda g, a, b, k: ("value or node", [max(g.nodes[n]["value"] for n in g[a]), max(g[a], key=lambda n: g.nodes[n]["value"])]) if len(g[a]) else None, numbers=True),
    "node count": Kind(_w("How many {nodes} are there?|What is the number of {nodes}?", "Count the {nodes}.|How many {nodes} does the graph have?"), lambda g, a, b, k: ("number", len(g)), None, None),
    "edge count": Kind(_w("How many {edges} are there?|What is the number of {edges}?", "Count the {edges}.|How many {edges} does the graph have?"), lambda g, a, b, k: ("number", g.number_of_edges()), None, None),
    "edge exists": Kind(_w("Is there an edge between {a} and {b}?|Are {a} and {b} adjacent?", "Are {a} and {b} directly connected?|Does an edge join {a} and {b}?"), lambda g, a, b, k: ("truth", g.has_edge(a, b))),
    "edge weight": Kind(_w("What is the weight of the {edge} between {a} and {b}?", "Which {weight} does the direct {edge} between {a} and {b} have?"), lambda g, a, b, k: ("number", g[a][b]["weight"]) if g.has_edge(a, b) else None, False, True),
    "total weight": Kind(_w("What is the sum of all {edge} weights?|What is the total {weight} of all {edges}?", "Add up the {weight} of all {edges}.|What do the weights of all {edges} sum to?"), lambda g, a, b, k: ("number", g.size(weight="weight")), None, True),
    "heaviest edge": Kind(_w("Which {edge} has the largest {weight}?", "Which {edge} has the highest {weight}?"), lambda g, a, b, k: ("pairs", [list(e) for e in g.edges if g.edges[e]["weight"] == max(d["weight"] for *_, d in g.edges(data=True))]), False, True),
    "density": Kind(_w("What is the density of the graph?", "Compute the graph's density."), lambda g, a, b, k: ("number", nx.density(g)), None),
    "Euler path": Kind(_w("Does the graph have an Eulerian path?|Is there an Euler path?", "Is there a walk that uses every {edge} exactly once?|Does an Eulerian trail exist?"), lambda g, a, b, k: ("truth", nx.has_eulerian_path(g)) if nx.is_connected(g) else None),
    "Euler circuit": Kind(_w("Is the graph Eulerian?|Does the graph have an Eulerian circuit?", "Is there a closed walk that uses every {edge} exactly once?|Does an Euler cycle exist?"), lambda g, a, b, k: ("truth", nx.is_eulerian(g)) if nx.is_connected(g) else None),
    "Hamilton path": Kind(_w("Does the graph have a Hamiltonian path?|Is there a path that visits every {node} exactly once?", "Is there a Hamilton path?|Can one visit each {node} exactly once along the {edges}?"), lambda g, a, b, k: ("truth", _hamilton(g))),
    "isolated": Kind(_w("Which {nodes} have no neighbours?|How many isolated {nodes} are there?", "List the isolated {nodes}.|Which {nodes} are not connected to anything?"), lambda g, a, b, k: ("count or nodes", list(nx.isolates(g)))),
    "sinks": Kind(_w("Which {nodes} have no outgoing {edges}?", "List the {nodes} that no {edge} leaves."), lambda g, a, b, k: ("nodes", [n for n in g if not g.out_degree(n)]), True),
    "sources": Kind(_w("Which {nodes} have no incoming {edges}?", "List the {nodes} that no {edge} leads to."), lambda g, a, b, k: ("nodes", [n for n in g if not g.in_degree(n)]), True),
    "without": Kind(_w("Which {nodes} are not neighbours of {a}? Leave out {a} itself.", "Which {nodes} other than {a} are not adjacent to {a}?"), lambda g, a, b, k: ("nodes or declined", [n for n in g if n != a and n not in g[a]])),
    "second degree": Kind(_w("Which {node} has the second highest degree?", "What is the second largest degree?"), lambda g, a, b, k: ("unlike", _best(dict(g.degree())))),
}  # fmt: skip


def _hamilton(g: Any) -> bool:
    def on(path: list[str]) -> bool:
        return len(path) == len(g) or any(on([*path, m]) for m in g[path[-1]] if m not in path)

    return any(on([n]) for n in g)


# A third lot, written after the first two: with the first 800 problems of it (seed 7) 84 % were right, 8 % declined, 7 % wrong.
MORE = {
    "neighbours": "To which {nodes} is {a} adjacent?|Give me {a}'s neighbours.|What {nodes} share an {edge} with {a}?|Which {nodes} are one hop away from {a}?|Return the adjacency list of {a}.|{a} is directly linked to which {nodes}?",
    "friends of friends": "List the {nodes} two {edges} away from {a}.|Which {nodes} are second-degree connections of {a}?|What {nodes} have a shortest-path distance of exactly 2 from {a}?|Find all {nodes} reachable from {a} in exactly two hops (shortest distance 2).",
    "k hops": "Which {nodes} can you get to from {a} using at most {k} {edges}?|Give the {nodes} at distance {k} or less from {a}, without {a}.|List every {node} that is up to {k} hops from {a}, excluding {a}.",
    "k hops count": "How many {nodes} lie at most {k} hops away from {a} (excluding {a})?|Excluding {a}, how many {nodes} are within distance {k} of it?",
    "degree": "How many direct connections does {a} have?|With how many other {nodes} is {a} directly linked?|What's {a}'s degree?|Number of neighbors of {a}?|How well connected is {a}, that is, how many {edges} does it have?",
    "in-degree": "How many {nodes} have an {edge} to {a}?|What is {a}'s in-degree?|How many incoming {edges} does {a} have?",
    "out-degree": "How many outgoing {edges} does {a} have?|To how many {nodes} does {a} have an {edge}?|What's the outdegree of {a}?",
    "largest degree": "Which {node} is the most connected?|Name the {node} with the largest degree.|What is the hub of this network, i.e. the {node} with the most {edges}?",
    "least degree": "Name the {node} with the smallest degree.|Which {node} is the least connected?",
    "average degree": "What is the average number of neighbours per {node}?|Find the mean {node} degree of the graph.",
    "nodes of degree": "How many {nodes} are connected to exactly {k} others?|Which {nodes} have a degree equal to {k}?|Find every {node} with precisely {k} {edges}.",
    "path": "How do I get from {a} to {b} over as few {edges} as possible?|Give one shortest path between {a} and {b}.|List the {nodes} on the shortest path from {a} to {b} in order.|Show me the shortest route connecting {a} with {b}.|I want to travel from {a} to {b}. Which route is the shortest?",
    "hops": "What is the distance between {a} and {b}?|How many {edges} does the shortest path between {a} and {b} have?|What's the minimum number of hops from {a} to {b}?|How many steps apart are {a} and {b}?",
    "weighted path": "Find the route from {a} to {b} whose total {weight} is smallest.|Which {nodes} does the shortest route (by {weight}) from {a} to {b} go through?|What is the best route from {a} to {b} if we minimise {weight}?",
    "weighted length": "What's the total {weight} of the best route from {a} to {b}?|Compute the weighted shortest path length between {a} and {b}.|What is the smallest total {weight} with which you can get from {a} to {b}?|Find the minimum {weight} from {a} to {b}.",
    "hops despite weights": "Not considering weights, how many {edges} are on the shortest path from {a} to {b}?|How many {edges} must be used at the very least to go from {a} to {b}, whatever their weights?",
    "reachability": "Does a path exist between {a} and {b}?|Starting from {a}, can I reach {b}?|Are {a} and {b} connected by some path?|Could something travel from {a} to {b}?|Is there any route from {a} to {b}?",
    "reachable": "Starting at {a}, which {nodes} can you reach?|Which {nodes} are reachable from {a}?|What are all the descendants of {a}?",
    "bridges": "Name all bridge {edges}.|Which single {edges}, if removed, would split the graph?|Are there any bridges, and which ones?",
    "bridge count": "How many bridges are there in this graph?|What is the number of bridges?",
    "articulation": "Which {nodes} are cut vertices?|Find the articulation points of the network.|The removal of which {nodes} would disconnect the network?",
    "core": "Compute the {k}-core of the graph.|Which {nodes} remain in the {k}-core?",
    "core number": "What core number does {a} have?|How large is the core number of {a}?",
    "center": "What are the central {nodes}, those with minimum eccentricity?|Name the {nodes} that form the center.",
    "periphery": "Name the {nodes} on the periphery.|Which {nodes} are peripheral, i.e. have the greatest eccentricity?",
    "diameter": "How large is the diameter of this graph?|What is the greatest distance between any two {nodes}?|What's the graph's diameter?",
    "radius": "How large is the radius of the graph?|What's the minimum eccentricity over all {nodes}?",
    "eccentricity": "What is the maximum distance from {a} to any {node}?|How large is the eccentricity of {a}?",
    "average path": "How long is a shortest path on average?|What's the average distance between pairs of {nodes}?",
    "components": "How many components does it have?|Count the connected components.|In how many pieces is the network?",
    "component list": "Split the {nodes} into connected components.|Which groups of {nodes} are connected with each other (connected components)?",
    "largest component": "What's the size of the giant component?|How many {nodes} does the largest component contain?",
    "same component": "Is {a} in the same component as {b}?|Are {a} and {b} in one and the same component?",
    "connected": "Is the whole graph connected?|Is the network in one piece?",
    "strong components": "How many strong components does it have?|Number of strongly connected components?",
    "strong component list": "Which {nodes} form strongly connected components together?|Partition the {nodes} into strongly connected components.",
    "cycle": "Are there cycles in this graph?|Is the graph cyclic?",
    "directed cycle": "Does this directed graph have a cycle?|Is there any directed cycle in it?|Can you follow the {edges} and come back to where you started?",
    "tree": "Does the graph form a tree?|Is it a tree?",
    "topological order": "Provide a valid topological sort.|List the {nodes} in topological order.|Order the {nodes} such that for each {edge} the source comes before the target.",
    "longest path": "How long is the longest path in terms of {edges}?|Length of the longest path in the DAG (number of {edges})?",
    "weighted longest path": "What is the weight of the longest weighted path?|Find the length of the critical path, adding up the {weight} along it.",
    "path count": "Count all distinct paths from {a} to {b}.|How many ways are there to go from {a} to {b}?|How many simple paths go from {a} to {b}?",
    "chromatic number": "How many colors does an optimal coloring use?|What is the smallest number of colours in a proper vertex colouring?|Find the chromatic number.",
    "colouring": "Give each {node} a colour such that adjacent {nodes} never share one.|Show a proper vertex coloring.",
    "k colourable": "Is it possible to properly colour the {nodes} with three colours?|Is this graph 3-colorable?",
    "independent set size": "How big is a maximum independent set?|What's the independence number?|At most how many {nodes} can be picked with no two of them adjacent?",
    "independent set": "List the {nodes} of a maximum independent set.|Pick as many {nodes} as possible such that no two are adjacent.",
    "maximal independent set": "Output a maximal independent set.",
    "clique": "How many {nodes} does the biggest clique have?|What is the maximum clique size?",
    "matching": "How many {edges} are in a maximum matching?|What's the maximum matching size?",
    "vertex cover": "What is the minimum vertex cover size?|How large is the smallest vertex cover?",
    "bipartite": "Does the graph have two sides with all {edges} between them, i.e. is it bipartite?|Check whether the graph is bipartite.",
    "maximum flow": "What's the max flow from {a} to {b}?|How many units can be sent from {a} to {b} at most?|Determine the maximum s-t flow with s = {a} and t = {b}.",
    "minimum cut": "What's the minimum s-t cut capacity between {a} and {b}?|How large is the smallest cut that separates {a} from {b}?",
    "spanning tree": "What does a minimum spanning tree cost in total?|Total weight of the minimum spanning tree?|How cheaply can all {nodes} be connected (total {weight})?",
    "spanning tree edges": "Which {edges} make up the minimum spanning tree?|Construct a minimum spanning tree.",
    "triangles": "How many triangles does the graph contain?|Number of triangles?",
    "triangles of node": "How many triangles include {a}?|In how many triangles is {a}?",
    "clustering": "How high is the clustering coefficient of {a}?|What fraction of {a}'s neighbour pairs are connected (clustering coefficient)?",
    "average clustering": "What is the graph's mean clustering coefficient?|Average clustering coefficient?",
    "transitivity": "What's the transitivity?",
    "degree centrality": "What's {a}'s degree centrality?",
    "betweenness": "How high is the betweenness centrality of {a}?|What's {a}'s betweenness?",
    "highest betweenness": "Name the {node} with the highest betweenness centrality.|Who has the greatest betweenness?",
    "closeness": "What's the closeness centrality of {a}?|How high is {a}'s closeness centrality?",
    "highest closeness": "Name the {node} with the greatest closeness centrality.",
    "pagerank": "Using PageRank, which {node} is most important?|Name the {node} with the highest PageRank.",
    "common neighbours": "Who are the mutual neighbours of {a} and {b}?|Which {nodes} are neighbours of both {a} and {b}?|List the {nodes} connected to both {a} and {b}.",
    "common neighbour count": "What's the number of common neighbours of {a} and {b}?|How many {nodes} do {a} and {b} both connect to directly?",
    "sum over neighbours": "Sum the values of {a}'s neighbours.|What is the total of the values over all neighbours of {a}?",
    "mean over neighbours": "What's the mean value of {a}'s neighbours?|Average the values of the {nodes} adjacent to {a}.",
    "largest of neighbours": "What's the biggest value of any neighbour of {a}?|Which of {a}'s neighbours has the largest value?",
    "node count": "How many {nodes} does it contain?|What's the total number of {nodes}?|How many {nodes} are in the graph?",
    "edge count": "How many {edges} does it contain?|What's the total number of {edges}?|How many {edges} are in the graph?",
    "edge exists": "Is there a direct {edge} between {a} and {b}?|Is {a} directly linked to {b}?|Do {a} and {b} share an {edge}?",
    "edge weight": "How large is the weight of the {edge} from {a} to {b}?|What's the {weight} of the {edge} joining {a} and {b}?",
    "total weight": "What is the total weight of the graph's {edges}?|What's the sum of the {weight} over all {edges}?",
    "heaviest edge": "What is the heaviest {edge}?|Name the {edge} with the greatest {weight}.",
    "density": "How dense is the graph?|What's the graph density?",
    "Euler path": "Can you traverse every {edge} exactly once in one go?|Has the graph got an Eulerian trail?",
    "Euler circuit": "Is there an Eulerian cycle?|Can you walk over every {edge} exactly once and return to the start?",
    "Hamilton path": "Is the graph traceable (does it have a Hamiltonian path)?|Does a path through all {nodes}, each exactly once, exist?",
    "isolated": "How many {nodes} are isolated?|Which {nodes} are isolated?",
    "sinks": "Which {nodes} are sinks (no outgoing {edges})?|List all {nodes} with out-degree 0.",
    "sources": "Which {nodes} are sources (no incoming {edges})?|List all {nodes} with in-degree zero.",
    "without": "List the {nodes} that are not adjacent to {a} (other than {a} itself).",
    "second degree": "Which {node} has the third most {edges}?|Which two {nodes} have the highest degree?",
}  # fmt: skip


STORIES = [
    ["", "I was given this graph for homework.", "Consider the following graph.", "Here is a small network."],
    [
        "We met on 3 May to talk about it for 20 minutes.",
        "My colleague drew this up last week.",
        "Please read the data below carefully.",
    ],
]
LEADS = {False: ("The graph is undirected.", "It is an undirected graph.", "Edges have no direction."),
         True: ("The graph is directed.", "It is a directed graph.", "Edges are directed: the first node of each points to the second.")}  # fmt: skip


def graph(
    rng: random.Random, kind: Kind, names: list[str], directed: bool, weighted: bool, isolated: bool
) -> Any:
    """A random graph that has no node without edges unless `isolated`."""
    n = len(names)
    g = nx.DiGraph() if directed else nx.Graph()
    g.add_nodes_from(names)
    share = rng.uniform(0.25, 0.5) if not directed else rng.uniform(0.2, 0.35)
    order = names.copy()
    rng.shuffle(order)
    pairs = [(order[i], order[j]) for i, j in combinations(range(n), 2)]
    pairs = [p if kind.dag or rng.random() < 0.5 else p[::-1] for p in pairs]
    for pair in pairs:
        if rng.random() < share:
            g.add_edge(*pair)
    if not isolated:
        for node in [node for node in names if g.degree(node) == 0]:
            other = rng.choice([m for m in names if m != node])
            pair = (node, other) if order.index(node) < order.index(other) else (other, node)
            g.add_edge(*pair)
    for *_, d in g.edges(data=True):
        if weighted:
            d["weight"] = rng.randint(1, 20)
    return g


def problem(
    rng: random.Random, name: str, encoding: str, held: bool, more: bool = False
) -> dict[str, Any] | None:
    """A problem of a kind in an encoding; None where they do not fit."""
    kind = KINDS[name]
    told, fitting = ENCODINGS[encoding]
    directed = kind.directed if kind.directed is not None else rng.random() < 0.5
    weighted = kind.weighted if kind.weighted is not None else rng.random() < 0.5
    theme = None
    if not fitting or (encoding == "grouped sentences" and rng.random() < 0.5):
        fits = [
            t
            for t in THEMES
            if t.directed is directed and (t.weighed or not weighted) and (held or not t.held)
        ]
        theme = rng.choice(fits) if fits else None
        if theme is None:
            return None
    if weighted and encoding == "grouped sentences":
        return None
    if theme is not None and weighted and not theme.weight:
        return None
    naming = rng.choice(theme.names if theme is not None else fitting)
    if encoding == "matrix with names" and naming in ("numbers", "from one", "large numbers"):
        naming = "letters"
    names = NAMES[naming](rng, rng.randint(5, 8))
    isolated = encoding not in TOLD_ONCE and rng.random() < 0.2
    isolated = isolated and encoding in (
        "node-link JSON",
        "JSON adjacency",
        "YAML adjacency",
        "matrix",
        "matrix with names",
        "adjacency list",
        "DOT",
    )
    g = graph(
        rng,
        kind,
        names,
        directed,
        weighted,
        isolated or (name == "isolated" and encoding in ("node-link JSON", "JSON adjacency", "matrix")),
    )
    if kind.numbers:
        for n in names:
            g.nodes[n]["value"] = rng.randint(1, 99)
    seen = [n for n in names if g.degree(n)] or names
    a, b = rng.sample(seen, 2) if len(seen) > 1 else (seen[0], seen[0])
    if name == "edge weight":
        a, b = rng.choice(list(g.edges))
    k = rng.randint(2, 3)
    gold = kind.gold(g, a, b, k)
    if gold is None or a == b:
        return None
    case = Case(g, rng, directed, weighted, theme, held)
    text = told(case)
    words = theme or Theme("node", "nodes", "edge", "edges", directed, (), (), "weight")
    ask = rng.choice(MORE[name].split("|") if more else kind.ask[held])
    question = ask.format(
        a=_said(a),
        b=_said(b),
        k=k,
        node=words.node,
        nodes=words.nodes,
        edge=words.edge,
        edges=words.edges,
        weight=words.weight or "weight",
    )
    question = re.sub(r"\ban (?=[^aeiou\W])", "a ", question)
    lead = rng.choice(LEADS[directed]) if theme is None else ""
    if theme is None and encoding in ("DOT", "node-link JSON") and rng.random() < 0.5:
        lead = ""
    if (
        theme is None
        and not directed
        and encoding
        not in (
            "pairs with arrows",
            "adjacency list",
            "grouped sentences",
            "CSV",
            "TSV",
            "JSON edges",
            "YAML edges",
            "Markdown table",
            "ASCII table",
        )
        and rng.random() < 0.4
    ):
        lead = ""  # a graph without more is undirected
    if kind.numbers:
        text += "\n" + rng.choice(
            ["Values: {}.", "The nodes have these values: {}.", "Value of each node: {}."]
        ).format(", ".join(f"{n}: {g.nodes[n]['value']}" for n in names))
    fence = (
        "```"
        if encoding.split()[0] in ("YAML", "JSON", "DOT", "CSV", "matrix") and rng.random() < 0.4
        else ""
    )
    block = f"{fence}\n{text}\n{fence}" if fence else text
    before = rng.choice(STORIES[0] if rng.random() < 0.7 else STORIES[1])
    if encoding in (
        "pairs",
        "pairs in a list",
        "Python list",
        "pairs with arrows",
        "semicolons",
        "dashes",
        "arrows",
    ):
        block = (
            rng.choice(
                ["The edges are: ", "Edges: ", "edges = " if encoding == "Python list" else "Edges:\n"]
            )
            + block
        )
    elif encoding.startswith("matrix"):
        lead = (lead + " Its adjacency matrix:").strip()
        if encoding == "matrix":
            lead += " (nodes are numbered from 0)"
    parts = [p for p in (before, lead) if p]
    if rng.random() < 0.3:
        parts = [question, *parts, "\n" + block]
    else:
        parts = [*parts, "\n" + block + "\n", question]
    return {"kind": name, "encoding": encoding, "names": naming, "question": " ".join(parts).strip(), "form": gold[0], "gold": gold[1],
            "edges": [[x, y, d.get("weight", 1)] for x, y, d in g.edges(data=True)], "nodes": names, "directed": directed}  # fmt: skip


def _said(name: str) -> str:
    return f"node {name}" if name.isdigit() or (len(name) == 1 and name.islower()) else name


SPOILT: list[tuple[str, Callable[[random.Random], str]]] = [
    ("an edge of one end", lambda r: f"The edges are: (1,2), (2,3), ({r.randint(3, 9)},), (3,4). How many edges are there?"),
    ("an end that is missing", lambda r: "a -> b\nb -> c\nc ->\nd -> a\nHow many edges are there?"),
    ("a row too short", lambda r: "source,target,weight\n1,2,4\n2,3\n3,4,1\nThe graph is undirected. What is the weight of a minimum spanning tree?"),
    ("a node that is not there", lambda r: "The edges are: (1,2), (2,3). What is the shortest path from node 1 to node 9?"),
    ("a broken JSON", lambda r: '{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}, {"source": 2, "tar How many edges are there?'),
    ("a link to nowhere", lambda r: '{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 7}]} How many edges are there?'),
    ("an unknown measure", lambda r: "The edges are: (1,2), (2,3), (3,1). What is the treewidth of the graph?"),
    ("no graph", lambda r: r.choice(["How many bridges does London have?", "Is there a path from here to happiness?"])),
    ("no question", lambda r: "The edges are: (1,2), (2,3), (3,1)."),
    ("a matrix that is not square", lambda r: "Adjacency matrix:\n0 1 1\n1 0 1\nHow many edges are there?"),
    ("an exception", lambda r: "The edges are: (1,2), (2,3), (3,1), (3,4). What is the degree of every node except node 2?"),
    ("a share", lambda r: "The edges are: (1,2), (2,3), (3,1), (3,4). What percentage of the nodes has degree 2?"),
    ("two readings", lambda r: "source,target\n1,2\n2,3\n3,4\nHow many nodes can be reached from node 3?"),
    ("a negative flow", lambda r: "Directed edges with capacities: (1,2,4), (2,3,-1). What is the maximum flow from 1 to 3?"),
    ("a median", lambda r: "The edges are: (1,2), (2,3), (3,1), (3,4). What is the median degree?"),
    ("a path through a node", lambda r: "The edges are: (1,2), (2,3), (1,4), (4,5), (5,3). What is the shortest path from 1 to 3 through node 4?"),
]  # fmt: skip


def main() -> None:
    """Write problems to standard output."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=["dev", "held", "more"], default="dev")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rng = random.Random(f"{chosen.seed} {chosen.half}")
    kinds, encodings = list(KINDS), list(ENCODINGS)
    made = 0
    for place in range(20 * chosen.count):
        found = problem(
            rng, kinds[place % len(kinds)], rng.choice(encodings), chosen.half != "dev", chosen.half == "more"
        )
        if found is None:
            continue
        print(json.dumps({"id": f"{chosen.half}-{made}", **found}, ensure_ascii=False))
        made += 1
        if made >= chosen.count:
            break
    for what, text in SPOILT:
        row = {
            "id": f"{chosen.half}-{what}",
            "kind": "spoilt",
            "encoding": what,
            "question": text(rng),
            "form": "declined",
            "gold": None,
        }
        print(json.dumps(row, ensure_ascii=False))
    print(f"{made} problems, {len(SPOILT)} that have no answer", file=sys.stderr)


if __name__ == "__main__":
    main()
