"""Graphs told in Python that builds them, by networkx or igraph: `G.add_edge("a", "b", weight=3)`."""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from graphtalk.core import UsageError
from graphtalk.language.told.listing import HEADING, HOLE, Listing, Taken
from graphtalk.language.told.literals import closing
from graphtalk.language.told.records import with_columns

_CALL = re.compile(
    r"(?:\b(?P<to>\w+)[ \t]*=[ \t]*)?\b(?:nx|networkx|ig|igraph)\.(?P<kind>(?:Multi)?(?:Di)?Graph)\("
    r"|\b(?P<graph>\w+)\.(?P<verb>(?:add|remove|delete|clear|update|reverse|contract)\w*)\("
)
_AROUND = re.compile(
    rf"^[ \t]*(?:import (?:networkx|igraph)\b[^\n]*|from (?:networkx|igraph) import [^\n]*|print\([^\n]*\))[ \t]*\n|{HOLE}[ \t;]*\n",
    re.M,
)
_MOST_ROWS = 1_000_000  # nodes of a `range`


@dataclass
class _Built:
    """What the calls on one graph have built."""

    heading: str
    directed: bool | None = None
    names: dict[str, None] = field(default_factory=dict)
    edges: list[tuple[str, str, Mapping[str, Any]]] = field(default_factory=list)

    def listing(self) -> Listing:
        keys = dict.fromkeys(key for *_, held in self.edges for key in held)
        columns = {key: [_number(held.get(key)) for *_, held in self.edges] for key in keys}
        source, target = [a for a, _, _ in self.edges], [b for _, b, _ in self.edges]
        found = with_columns(source, target, columns, "", self.heading)
        names = dict.fromkeys([*self.names, *(end for a, b, _ in self.edges for end in (a, b))])
        return replace(found, leads=self.directed, names=tuple(names))


def take_code(text: str) -> Taken:
    """The text without calls that build graphs, a hole for each graph, and these.

    Raises UsageError, quoting it, for a call whose values are not written out, or which changes a graph in another way.
    """
    if "Graph(" not in text and ".add_" not in text:
        return text, []
    graphs: dict[str, _Built] = {}
    kept: list[str] = []
    last = 0
    for m in _CALL.finditer(text):
        if m.start() < last:
            continue
        name = m["to"] or m["graph"] or ""
        if m["kind"] is None and name not in graphs and m["verb"] not in _ADDS:
            continue
        end = closing(text, m.end() - 1)
        if end is None:
            raise UsageError(f"The code {_quoted(text[m.start() :])} has a bracket that does not close.")
        new = m["kind"] is not None or name not in graphs
        if new:
            graphs[name] = _Built(text[max(0, m.start() - HEADING) : m.start()])
        call = text[m.end() - 1 : end]
        if m["kind"] is not None:
            _made(graphs[name], m["kind"], call)
        else:
            _added(graphs[name], m["verb"], call, f"{name}.{m['verb']}{call}")
        kept += [text[last : m.start()], HOLE if new else ""]
        last = end
    if not graphs:
        return text, []
    bare = "".join([*kept, text[last:]])
    return _AROUND.sub(lambda m: HOLE + "\n" if HOLE in m[0] else "", bare), [
        g.listing() for g in graphs.values()
    ]


def _made(built: _Built, kind: str, call: str) -> None:
    """A new graph, with the edges that it is made of: `nx.DiGraph([(0, 1)])`, `ig.Graph(n=4, edges=[(0, 1)])`."""
    given, named = _arguments(call, f"{kind}{call}")
    built.directed = kind.endswith("DiGraph") or bool(named.get("directed", False))
    first = given[0] if given else named.get("n", named.get("incoming_graph_data", ()))
    if isinstance(first, int):
        _nodes(built, range(first), call)
    elif isinstance(first, Mapping):
        _nodes(built, first, call)
        _edges(built, ((a, b) for a, held in first.items() for b in held), {}, call)
    else:
        _edges(built, first, {}, call)
    _edges(built, named.get("edges", ()), {}, call)


_ADDS = frozenset(
    "add_node add_edge add_nodes_from add_edges_from add_weighted_edges_from add_vertex add_vertices add_edges".split()
)


def _added(built: _Built, verb: str, call: str, quote: str) -> None:
    if verb not in _ADDS:
        raise UsageError(f"A graph that is changed after it was built is not read: {_quoted(quote)}.")
    given, named = _arguments(call, quote)
    match verb, given:
        case (("add_node" | "add_vertex"), [one]):
            _nodes(built, [one], quote)
        case (("add_nodes_from" | "add_vertices"), [many]):
            _nodes(
                built,
                range(len(built.names), len(built.names) + many) if isinstance(many, int) else many,
                quote,
            )
        case "add_edge", [one, other, *_]:
            _edges(built, [(one, other)], named, quote)
        case (("add_edges_from" | "add_weighted_edges_from" | "add_edges"), [many, *_]):
            _edges(built, many, named, quote)
        case _:
            raise UsageError(f"What the code {_quoted(quote)} adds cannot be read.")


def _nodes(built: _Built, nodes: Iterable[Any], quote: str) -> None:
    for node in nodes:
        built.names[_name(node[0] if isinstance(node, tuple) and node else node, quote)] = None


def _edges(built: _Built, edges: Iterable[Any], shared: Mapping[str, Any], quote: str) -> None:
    for edge in edges:
        match tuple(edge) if isinstance(edge, tuple | list) else ():
            case one, other:
                held: Mapping[str, Any] = shared
            case one, other, dict() as own:
                held = {**shared, **own}
            case one, other, int() | float() as weight:
                held = {**shared, "weight": weight}
            case _:
                raise UsageError(
                    f"An edge of the code cannot be read: {_quoted(str(edge))} in {_quoted(quote)}."
                )
        built.edges.append((_name(one, quote), _name(other, quote), held))


def _name(node: Any, quote: str) -> str:
    if isinstance(node, bool) or not isinstance(node, str | int):
        raise UsageError(
            f"A node of the code is no name or number: {_quoted(str(node))} in {_quoted(quote)}."
        )
    return str(node)


def _number(value: Any) -> float | None:
    return None if isinstance(value, bool) or not isinstance(value, int | float) else float(value)


def _arguments(call: str, quote: str) -> tuple[list[Any], dict[str, Any]]:
    """The values in the brackets of a call, and those with a name."""
    try:
        parsed = ast.parse(f"f{call}", mode="eval").body
        assert isinstance(parsed, ast.Call)
        given = [_value(argument) for argument in parsed.args]
        return given, {word.arg: _value(word.value) for word in parsed.keywords if word.arg}
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        raise UsageError(
            f"The values of the code {_quoted(quote)} are not written out: tell the edges themselves."
        ) from error


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Call(func=ast.Name(id="range"), args=ends, keywords=[]):
            rows = range(*(int(ast.literal_eval(end)) for end in ends))
            if len(rows) > _MOST_ROWS:
                raise ValueError("too many")
            return rows
        case ast.Call(func=ast.Name(id="list"), args=[held], keywords=[]):
            return _value(held)
    return ast.literal_eval(node)


def _quoted(code: str, most: int = 60) -> str:
    bare = " ".join(code.split())
    return repr(bare if len(bare) <= most else f"{bare[:most]}…")
