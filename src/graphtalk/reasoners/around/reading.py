"""Whole questions that people ask of any graph: describe X, what X and Y have in common, how many nodes there are.

`tools/wordings.txt` has them: each way of asking for a call stands there once. A question is taken only where a wording accounts
for every word of it; its slots are exact: names that the index has, types and relations that the schema has, in any inflection.
What may be asked in several ways that differ (an ambiguous name, edges one way or either way) is several readings.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from graphtalk.calls import parse
from graphtalk.calls.ast import Call, Expression, Items, Number, Text
from graphtalk.graphs import Feature, Graph, GraphSet
from graphtalk.language.identifiers import split_name
from graphtalk.language.units import units, units_of
from graphtalk.reasoners.around.matching import Bound, Match, Said
from graphtalk.reasoners.around.names import TOKEN, Names, root, spans
from graphtalk.reasoners.around.table import Part, table
from graphtalk.search.index import Index
from graphtalk.search.normalise import normalise

MOST_LETTERS = 400  # of a question; nobody asks one of these in more
MOST_READINGS = 4
_NAMESAKES = 50  # nodes of one name; a name that more have is no name
_NO_AMOUNT = frozenset(
    map(root, "year since until date born founded start end id number nr rank rating score age".split())
)
_LONG = frozenset(map(root, "distance length mileage".split()))
_WAYS = frozenset({"Route", "Path"})
_WEIGHTS = 3  # edge features that a shortest way may be measured by
_ALONG = frozenset({"Route", "ShortestPath", "Reachable"})  # follow edges in their direction alone


@dataclass(frozen=True)
class Heard:
    """A call that a question asks for, and what that is in words."""

    call: Call
    words: str


class Around:
    """Reads whole questions about one graph, or about the graphs of a set."""

    def __init__(self, graph: Graph | GraphSet, index: Index) -> None:
        self.graph, self._union, self._index = graph, index.graph, index
        self._names = Names(graph)

    def _lengths(self, bound: Bound, match: Match) -> list[str]:
        """The numbers that say how long the edges are between nodes of the type that a question names two of: by their unit (`km`), or
        called so (`distance`).
        """
        kinds = {match.kinds.get(bound[name]) for name in ("x", "y") if name in bound}
        relations = [r for r in self._union.schema.relations if {r.source, r.target} == kinds]
        return [f.name for r in relations for f in r.features if _adds_up(f) and _is_length(f.name)]

    def heard(self, question: str, about: str = "") -> list[Heard]:
        """What a question asks for, each reading once; nothing where it is not wholly accounted for, or read in too many ways.

        `about`: what "them" and "those" speak of, as a call; they say nothing where it is empty.
        """
        said = self._said(question)
        if said is None:
            return []
        asks, parts = table()
        them = parse(about) if about else None
        match = Match(self.graph, self._names, self._index, said, parts, them)
        begins = {begin for begin, _ in match.ends((Part("before"),), 0, {})}
        found: dict[Call, Heard] = {}
        for ask in asks:
            for begin, wording in product(begins, ask.wordings):
                for end, bound in match.ends((wording, Part("after")), begin, {}):
                    if end == len(said.words):
                        measured = any("{w}" in words for _, words in ask.calls) and bool(
                            self._lengths(bound, match)
                        )
                        heard = [
                            h
                            for call, words in ask.calls
                            for way in self._either_way(bound)
                            for h in self._calls(call, words, way, match)
                            if not measured
                            or "{w}" in words
                            or call.function in _WAYS  # nobody counts roads that have lengths
                        ]
                        found |= {h.call: h for h in heard}
        return list(found.values()) if len(found) <= MOST_READINGS else []

    def _either_way(self, bound: Bound) -> Iterator[Bound]:
        """What a wording binds, and with its relation the other way where its name says nothing of a direction: what "goes with" X."""
        yield bound
        relation = _name(bound["r"]) if "r" in bound else ""
        joined = [r for r in self._union.schema.relations if r.name == relation.removeprefix("^")]
        if (
            joined
            and split_name(joined[0].name)[-1] == "with"
            and all(r.source == r.target and not r.undirected for r in joined)
        ):
            other = relation[1:] if relation.startswith("^") else f"^{relation}"
            yield {**bound, "r": Text(other)}

    def _said(self, question: str) -> Said | None:
        text = question[: MOST_LETTERS + 1].rstrip(" \t\n\r?!.")
        tokens = list(TOKEN.finditer(text))
        if not tokens or len(question) > MOST_LETTERS:
            return None
        starts = {m.start(): i for i, m in enumerate(tokens)}
        ends = {m.end(): i + 1 for i, m in enumerate(tokens)}
        words = tuple([m.group().casefold().replace("’", "'") for m in tokens])
        nodes: dict[int, list[tuple[int, int, int]]] = {}
        for start, end, those in self._mentions(text):
            if start in starts and end in ends:
                nodes.setdefault(starts[start], []).extend((ends[end], node, len(those)) for node in those)
        roots = tuple(map(root, words))
        return Said(
            words,
            nodes,
            spans(roots, self._names.types),
            spans(roots, self._names.features),
            spans(words, self._names.members),
        )

    def _mentions(self, text: str) -> Iterator[tuple[int, int, list[int]]]:
        """Where the names of nodes stand, and their nodes."""
        for mention in [] if isinstance(self.graph, GraphSet) else self._index.mentions(text):
            name = text[mention.start : mention.end]
            end = mention.end
            if not mention.literal:
                name, own, rest = name.replace("’", "'").rpartition("'")
                end = mention.start + len(name)
                if not own or rest.casefold() != "s":
                    continue
            nodes = self._index.exact(name)
            names = {n: (self._union.label(n), self._union.id(n)) for n in nodes[: _NAMESAKES + 1]}
            called = [n for n in names if normalise(name) in map(normalise, names[n])]
            written = [n for n in called if name in names[n]]
            if len(nodes) <= _NAMESAKES:
                yield mention.start, end, written if len(written) == 1 else called or nodes

    def _calls(self, template: Call, words: str, bound: Bound, match: Match) -> Iterator[Heard]:
        """A call with its slots filled, once for each number that edges have where it wants one."""
        schema = self._union.schema
        one_way = len(schema.node_types) == 1 and self._union.directed
        wants = "{w}" in words
        if template.function in _ALONG and not one_way and not wants:
            return
        if template.function in _WAYS and wants and not self._lengths(bound, match):
            return  # the shortest way is the one with the fewest edges where nothing says how long they are
        if "g" not in bound and isinstance(self.graph, GraphSet):
            return
        lengths = self._lengths(bound, match)
        numbers = lengths or [f.name for r in schema.relations for f in r.features if _adds_up(f)]
        for weight in dict.fromkeys(numbers[:_WEIGHTS]) if wants else ("",):
            filled = {"them": match.them or Text(""), **bound, "w": Text(weight)}
            call = _filled(template, filled)
            assert isinstance(call, Call)
            if not self._fits(template, filled, match):
                continue
            having = [r.name for r in schema.relations if any(f.name == weight for f in r.features)]
            if wants and len(having) < len(schema.relations):  # of other edges nothing says how long they are
                measured = Items(tuple(map(Text, dict.fromkeys(having))))
                call = replace(call, graph=Call("GL", (Text("graph"), Text("all nodes"), measured)))
            target = bound.get("g")
            if isinstance(target, Text) and isinstance(self.graph, GraphSet):
                call = replace(call, graph=Call("GL", (Text(self.graph.name), Items((target,)))))
            told = {
                **{name: _told(value, match) for name, value in filled.items()},
                "r": self._arrow(bound.get("r")),
            }
            yield Heard(call, words.format_map({"g": "the graph", **told}))

    def _fits(self, template: Call, bound: Bound, match: Match) -> bool:
        """Whether nodes differ, and each relation leads from the type of its node, to nodes of the type asked for."""
        if "x" in bound and bound["x"] == bound.get("y"):
            return False
        for start, relation in _hops(template, bound):
            kind = match.kinds.get(start)
            views = self._union.schema.views_from(kind).get(_name(relation), ()) if kind is not None else ()
            targets = {view.target for view in views}
            if not views or ("t" in bound and _name(bound["t"]) not in targets):
                return False
        return True

    def _arrow(self, relation: Expression | None) -> str:
        """A relation between two nodes, as it is drawn."""
        if not isinstance(relation, Text):
            return ""
        name = relation.value
        if name.startswith("^"):
            return f"← {name[1:]} ─"
        both_ways = any(r.name == name and r.undirected for r in self._union.schema.relations)
        return f"─ {name} {'─' if both_ways else '→'}"


def _told(value: Expression, match: Match) -> str:
    if isinstance(value, Items):
        names = [_told(each, match) for each in value.values]
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return match.told.get(value) or (str(value.value) if isinstance(value, Text | Number) else "the graph")


def _is_length(name: str) -> bool:
    words = split_name(name)
    return any(u.dimension == "length" for u in (*units_of(name), *units(words[-1]))) or not _LONG.isdisjoint(
        map(root, words)
    )


def _adds_up(feature: Feature) -> bool:
    """Whether what edges have along a way may be added up: a number that is no year and no place in an order."""
    return feature.kind == "number" and not _NO_AMOUNT & set(map(root, split_name(feature.name)))


def _filled(template: Expression, bound: Bound) -> Expression:
    """A template with what its slots stand for."""
    if isinstance(template, Text):
        return bound.get(template.value[1:-1], template) if template.value.startswith("{") else template
    if isinstance(template, Items):
        return Items(tuple(_filled(each, bound) for each in template.values))
    if isinstance(template, Call):
        given = tuple(_filled(each, bound) for each in template.arguments)
        named = tuple((name, _filled(each, bound)) for name, each in template.keywords)
        return replace(template, arguments=given, keywords=named)
    return template


def _hops(template: Expression, bound: Bound) -> Iterator[tuple[Expression, Expression]]:
    """From where each `NeighbourCheck` of a template leads, and along which relation."""
    if isinstance(template, Call):
        if template.function == "NeighbourCheck":
            start, relation = (_filled(each, bound) for each in template.arguments)
            yield start, relation
        for argument in template.arguments:
            yield from _hops(argument, bound)


def _name(expression: Expression) -> str:
    return expression.value if isinstance(expression, Text) else ""
