"""DOT, the language of Graphviz: nodes, edges, chains, subgraphs and what they inherit; as people, pydot and dot write it.

The attribute `type` of a node is its type; `relation`, `type` or `label` of an edge its relation, where these are few.
Clusters are a feature of their nodes. Names of ports, and what is set for the drawing as a whole, are passed over.
"""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from graphtalk.core import SourceError
from graphtalk.core.reading import MOST_DEPTH, in_words
from graphtalk.graphs.formats.files import BROKEN, guess_encoding, head, open_bytes, plain_name
from graphtalk.graphs.formats.gathered import Gathering, are_relations
from graphtalk.graphs.formats.graph_xml import one_file
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing

_TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*)|(?P<sign>->|--)|(?P<mark>[{}\[\];,=:+])"
    r'|(?P<number>-?(?:\.\d+|\d+(?:\.\d*)?))|(?P<word>[^\W\d]\w*)|"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"|(?P<html><)',
    re.DOTALL | re.MULTILINE,
)
_GRAPH = re.compile(rb"\b(?:di)?graph\b[^{]*\{", re.IGNORECASE)
_NAMES = ("number", "word", "text", "html")
_MOST_EDGES = 10_000_000  # of one statement between groups, which multiply

_Features: TypeAlias = dict[str, str]


def sniff(path: Path) -> bool:
    """Whether a file is called *.dot or *.gv and has a graph."""
    return plain_name(path).endswith((".dot", ".gv")) and _GRAPH.search(head(path)) is not None


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """The graph of one file."""
    path = one_file(sources)
    with open_bytes(path, importing.progress, guess_encoding(path)) as file:
        try:
            text = file.read().decode("utf-8-sig")
        except (*BROKEN, UnicodeDecodeError) as error:
            raise SourceError(f"cannot be read ({in_words(error)}).", str(path)) from error
    return _Reader(text, path).graph(
        Gathering(path, importing, textual=True, labels=("label", "name", "title"))
    )


@dataclass
class _Scope:
    """A graph or a subgraph: what its nodes and edges inherit, what is set for itself, and which nodes it names."""

    nodes: _Features = field(default_factory=dict)
    edges: _Features = field(default_factory=dict)
    own: _Features = field(default_factory=dict)
    members: dict[str, None] = field(default_factory=dict)


class _Reader:
    """A recursive descent over the tokens of a file; `_kind` and `_value` are of the one at hand."""

    def __init__(self, text: str, path: Path) -> None:
        self._path = path
        self._lines = [match.start() for match in re.finditer("\n", text)]
        self._tokens = self._scan(text)
        self._place = 0
        self._nodes: dict[str, tuple[_Features, int]] = {}
        self._edges: list[tuple[str, str, _Features, int]] = []
        self._seen: dict[tuple[str, str], int] | None = None  # edges of a strict graph
        self._next()

    def graph(self, into: Gathering) -> Graph:
        """The one graph of the file."""
        if self._is_word("strict"):
            self._seen = {}
            self._next()
        self._directed = self._is_word("digraph")
        if not self._directed and not self._is_word("graph"):
            raise self._fault("`graph` or `digraph` should stand here")
        self._next()
        if self._kind in _NAMES:
            self._name()
        self._body(_Scope(), 0)
        if self._kind:
            raise self._fault("a file of one graph should end here")
        for name, (features, line) in self._nodes.items():
            kind = features.pop("type", None)
            into.node(name, kind, {key: value for key, value in features.items() if value}, line)
        told = self._relations()
        for source, target, features, line in self._edges:
            relation = features.pop(told, None) if told else None
            into.edge(source, target, relation, features, line, not self._directed)
        return into.graph()

    def _relations(self) -> str:
        """The attribute that says the relations of edges; none where it says what each edge is like."""
        for key in ("relation", "type", "label"):
            said = {value for *_, features, _ in self._edges if (value := features.get(key, ""))}
            if are_relations(said):
                return key
        return ""

    # statements

    def _body(self, scope: _Scope, depth: int) -> None:
        """What stands between two braces, the first of which is at hand."""
        if depth > MOST_DEPTH:
            raise self._fault("nested too deeply")
        self._expect("{")
        while self._value != "}" or self._kind != "mark":
            if self._kind == "mark" and self._value in ";,":
                self._next()
            elif self._kind == "word" and self._value.lower() in ("graph", "node", "edge"):
                owner = self._value.lower()
                self._next()
                if self._value != "[":
                    raise self._fault(f"[ should stand after `{owner}`")
                inherits = {"node": scope.nodes, "edge": scope.edges}.get(owner, scope.own)
                inherits.update(self._attributes())
            else:
                self._statement(scope, depth)
        self._next()

    def _statement(self, scope: _Scope, depth: int) -> None:
        """A node, a chain of edges, a subgraph, or what is set for a graph."""
        line = self._line()
        is_node = self._kind in _NAMES and not self._is_word("subgraph")
        first = self._end(scope, depth)
        if is_node and self._value == "=" and self._kind == "mark":
            self._next()
            scope.own[next(iter(first))] = _said(*self._name())
            return
        groups = [first]
        while self._kind == "sign":
            if (self._value == "->") != self._directed:
                sign = "->" if self._directed else "--"
                raise self._fault(f"edges of this graph are written {sign}, not {self._value}")
            self._next()
            groups.append(self._end(scope, depth))
        for group in groups:
            for name in group:
                if name not in self._nodes:
                    self._nodes[name] = (dict(scope.nodes), line)
            scope.members.update(group)
        features = self._attributes() if self._kind == "mark" and self._value == "[" else {}
        if len(groups) == 1 and is_node:
            self._nodes[next(iter(first))][0].update(features)
        for sources, targets in pairwise(groups):
            if len(sources) * len(targets) > _MOST_EDGES:
                raise self._fault(
                    f"two groups of {len(sources):,} and {len(targets):,} nodes are joined, each with each"
                )
            for source in sources:
                for target in targets:
                    self._edge(source, target, {**scope.edges, **features}, line)

    def _edge(self, source: str, target: str, features: _Features, line: int) -> None:
        if self._seen is not None:
            ends = (source, target) if self._directed else (min(source, target), max(source, target))
            known = self._seen.setdefault(ends, len(self._edges))
            if known < len(self._edges):
                self._edges[known][2].update(features)
                return
        self._edges.append((source, target, features, line))

    def _end(self, scope: _Scope, depth: int) -> dict[str, None]:
        """The nodes that an end of edges names: one, or those of a subgraph."""
        if not self._is_word("subgraph") and (self._kind, self._value) != ("mark", "{"):
            name = self._name()[0]
            while self._kind == "mark" and self._value == ":":  # a port, and a point of the compass
                self._next()
                self._name()
            return {name: None}
        name = ""
        if self._is_word("subgraph"):
            self._next()
            name = self._name()[0] if self._kind in _NAMES else ""
            if (self._kind, self._value) != ("mark", "{"):
                return {}  # named again
        inner = _Scope(dict(scope.nodes), dict(scope.edges))
        self._body(inner, depth + 1)
        if name.lower().startswith("cluster"):
            for node in inner.members:
                self._nodes[node][0].setdefault("cluster", inner.own.get("label") or name)
        return inner.members

    def _attributes(self) -> _Features:
        """Lists in brackets, the first of which is at hand."""
        found: _Features = {}
        while self._kind == "mark" and self._value == "[":
            self._next()
            while (self._kind, self._value) != ("mark", "]"):
                key = self._name()[0]
                self._expect("=")
                found[key] = _said(*self._name())
                if self._kind == "mark" and self._value in ";,":
                    self._next()
            self._next()
        return found

    def _name(self) -> tuple[str, str]:
        """A name or a value, and how it is written; texts joined by + are one."""
        if self._kind not in _NAMES:
            shown = repr(self._value) if self._kind else "the end of the file"
            raise self._fault(f"a name should stand here, not {shown}")
        kind, value = self._kind, self._value
        self._next()
        while kind == "text" and self._kind == "mark" and self._value == "+":
            self._next()
            if self._kind != "text":
                raise self._fault("a text in quotes should stand after +")
            value += self._value
            self._next()
        return (value.replace("\\\n", "").replace('\\"', '"') if kind == "text" else value), kind

    # tokens

    def _scan(self, text: str) -> Iterator[tuple[str, str, int]]:
        place = 0
        while place < len(text):
            match = _TOKEN.match(text, place)
            if match is None:
                self._place = place
                raise self._fault(f"{text[place : place + 20].split()[0]!r} is no DOT")
            kind, end = match.lastgroup or "", match.end()
            value = match[kind]
            if kind == "html":
                end = self._end_of_html(text, place)
                value = text[place + 1 : end - 1]
            if kind != "blank":
                yield kind, value, place
            place = end

    def _end_of_html(self, text: str, place: int) -> int:
        depth = 0
        for match in re.compile("[<>]").finditer(text, place):
            depth += 1 if match[0] == "<" else -1
            if not depth:
                return match.end()
        self._place = place
        raise self._fault("a text in < > does not end")

    def _next(self) -> None:
        self._kind, self._value, self._place = next(self._tokens, ("", "", self._place))

    def _is_word(self, word: str) -> bool:
        return self._kind == "word" and self._value.lower() == word

    def _expect(self, mark: str) -> None:
        if (self._kind, self._value) != ("mark", mark):
            raise self._fault(
                f"{mark} should stand here, not {self._value[:40]!r}" if self._kind else f"{mark} is missing"
            )
        self._next()

    def _line(self) -> int:
        return bisect_right(self._lines, self._place) + 1

    def _fault(self, what: str) -> SourceError:
        return SourceError(f"cannot be read: {what}.", str(self._path), self._line())


def _said(value: str, kind: str) -> str:
    """The value of an attribute as text: of HTML what it says, of escapes what they stand for; a node's own name is none."""
    if kind == "html":
        value = html.unescape(re.sub(r"<[^<>]*>", " ", value))
    elif kind == "text":
        value = re.sub(r"\\[nlr]", " ", value)
    return "" if value == r"\N" else " ".join(value.split())
