"""Questions to begin with, made for a graph: one of each kind, each asked once and found to be answered as it is meant.

A question is written together with the call or the query that it means. It is an example only where the session's own
answer gives the same value, so that nobody's first question is declined, asked back, or answered otherwise than it reads.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

import numpy as np

from graphtalk.app import render
from graphtalk.app.session import Session
from graphtalk.core import JSON, GraphtalkError
from graphtalk.core.limits import look
from graphtalk.graphs import Graph, NodeType, View
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import floats
from graphtalk.graphs.sample import degrees
from graphtalk.language.nouns import is_plural, plural, singular
from graphtalk.language.relating import is_participle
from graphtalk.reasoners.planner.reading import feature_in_words, name_in_words

MOST = 6
_TRIES = 8  # questions of one kind that are tried
_WELL_KNOWN = 12  # nodes of a type to ask about, those with most edges
_MOST_GROUPED = 200_000  # edges of a graph that is cut into communities for an example
_MOST_LETTERS = 40  # of a name in an example


@dataclass(frozen=True)
class Example:
    """A question, of what kind it is, and the call that it means."""

    kind: str
    question: str
    call: str


def examples(session: Session) -> list[Example]:
    """Up to MOST questions that the session answers, of different kinds as far as there are."""
    maker = _Maker(session.union)
    found: list[Example] = []
    for candidates in maker.kinds():
        tried = islice(candidates(), _TRIES)
        found += islice((example for example in tried if _answered(session, example)), 1)
        if len(found) == MOST:
            break
    return found


def _answered(session: Session, example: Example) -> bool:
    """Whether the session's answer is what the example's call gives."""
    look()
    try:
        meant = _given(session, example.call)
        answer = session.ask(example.question)
    except GraphtalkError:
        return False
    return bool(meant) and answer.answered and _plain(answer.value) == meant


def _given(session: Session, call: str) -> JSON:
    return _plain(render.result_to_json(session.call(call))["result"])


def _plain(value: JSON) -> JSON:
    """A value to compare: lists in any order, each entry once; rows without the names of their columns."""
    if isinstance(value, list):
        rows = [list(row.values()) if isinstance(row, dict) else row for row in value]
        return [*sorted({json.dumps(row) for row in rows})]
    return [json.dumps(value)] if isinstance(value, str) else value


@dataclass(frozen=True)
class _Maker:
    """Makes the questions that fit a schema, the most telling first."""

    graph: Graph

    def kinds(self) -> tuple[Callable[[], Iterator[Example]], ...]:
        """What makes the questions of each kind; those at the end stand in where one of the first six has none."""
        first = (self._count, self._superlative, self._two_hops, self._comparison, self._path, self._group)
        return (*first, self._communities, self._common, self._average, self._neighbours, self._about)

    @property
    def _alike(self) -> bool:
        """Whether all nodes are of one type: then they are asked about as neighbours."""
        return len(self._types) == len(self.graph.schema.node_types) == 1

    @cached_property
    def _weight(self) -> Ints:
        return degrees(self.graph)

    @cached_property
    def _types(self) -> list[NodeType]:
        """Types with nodes, those with most edges first."""
        there = [t for t in self.graph.schema.node_types if t.count > 1]
        ends = {t.name: int(self._weight[t.first : t.first + t.count].sum()) for t in there}
        return sorted(there, key=lambda t: -ends[t.name])

    def _known(self, t: NodeType) -> list[int]:
        """Nodes of a type to ask about: those with most edges, called by short names; numbers where they have no others."""
        weight = self._weight[t.first : t.first + t.count]
        best = np.argsort(-weight, kind="stable")[:_WELL_KNOWN] + t.first
        short = [node for node in best.tolist() if len(self.graph.label(node)) <= _MOST_LETTERS]
        return [node for node in short if self._in_letters(node)] or short

    def _in_letters(self, node: int) -> bool:
        return any(letter.isalpha() for letter in self.graph.label(node))

    def _called(self, node: int) -> str:
        """What a node is called in a question: its name, after its type where that is a number."""
        name = self.graph.label(node)
        return name if self._in_letters(node) else f"{_each(self.graph.node_type(node).name)} {name}"

    def _views(self, t: NodeType) -> list[View]:
        """The relations seen from a type that lead to other types, then those that stay."""
        views = [view for named in self.graph.schema.views_from(t.name).values() for view in named]
        there = [v for v in views if self.graph.schema.relations[v.relation].count]
        return sorted(there, key=lambda v: v.target == v.source)

    def _to_others(self, t: NodeType) -> list[View]:
        """The relations seen from a type that lead to other types: "which node has the most nodes" is no English."""
        return [view for view in self._views(t) if view.target != t.name]

    def _several(self, t: NodeType) -> list[View]:
        """Of these, the relations that give a node more than one: of what each has one of, none has the most."""
        return [v for v in self._to_others(t) if v.direction == "in" or not self._has_one(v)]

    @cached_property
    def _numbers(self) -> list[tuple[NodeType, str]]:
        """Features that are numbers of half of their type or more. Years come last, for they are not large or small; what
        says when something was done has no place: nothing has "the largest founded"."""
        found = []
        for t in self._types:
            numeric = (f.name for f in t.features if f.kind == "number")
            for name in (name for name in numeric if not is_participle(feature_in_words(name))):
                column = floats(self.graph.columns[t.name][name])
                there = column[~np.isnan(column)]
                if 2 * len(there) >= t.count:
                    years = bool(np.all((there >= 1000) & (there < 2200) & (there % 1 == 0)))
                    found.append((years, t, name))
        return [(t, name) for _, t, name in sorted(found, key=lambda each: each[0])]

    def _count(self) -> Iterator[Example]:
        for t in self._types:
            yield Example(
                "count", f"How many {_many(t.name)} are there?", _call("Count", _call("Nodes", _text(t.name)))
            )

    def _superlative(self) -> Iterator[Example]:
        for t, feature in self._numbers:
            call = _call("Top", _call("Nodes", _text(t.name)), _text(feature))
            for said in _said(feature):
                much = "most" if is_plural(said) else "largest"
                yield Example("superlative", f"Which {_each(t.name)} has the {much} {said}?", call)
        for t in self._types:
            for view in self._several(t):
                call = _call("TopDegree", _call("Nodes", _text(t.name)), self._view(view))
                yield Example(
                    "superlative", f"Which {_each(t.name)} has the most {_many(view.target)}?", call
                )
        if self._alike:
            most = _call("Highest", _call("Degree"))
            yield Example("superlative", f"Which {_each(self._types[0].name)} has the most neighbours?", most)

    def _two_hops(self) -> Iterator[Example]:
        pairs: list[tuple[NodeType, View, View]] = []
        for t in self._types:
            for first in self._views(t):
                between = self.graph.schema.node_type(first.target)
                there = self._views(between)
                pairs += [
                    (t, first, second)
                    for second in there
                    if second.relation != first.relation and second.target != t.name
                ]
        for t, first, second in sorted(pairs, key=lambda way: self._plainness(*way)):
            node = next(iter(self._reaching(t, first, second)), None)
            if node is not None:
                inner = _call("NeighbourCheck", self._node(node), self._view(first))
                call = _call("Distinct", _call("NeighbourCheck", inner, self._view(second)))
                asked = f"the {_many(second.target)} of the {_many(first.target)} of {self._called(node)}"
                yield Example("two hops", f"What are {asked}?", call)

    def _plainness(self, t: NodeType, first: View, second: View) -> bool:
        """Where "the … of the … of" reads oddly (True): plain are many things by what each belongs to, and what each has one of."""
        many = self.graph.schema.relations[first.relation].count >= 2 * t.count
        there = first.direction == "in" and self._has_one(first) and many
        return not (there and second.direction == "out" and self._has_one(second))

    def _has_one(self, view: View) -> bool:
        """Whether a relation gives each node about one value, as `capital` does."""
        relation = self.graph.schema.relations[view.relation]
        return relation.count <= 1.2 * self.graph.schema.node_type(relation.source).count

    def _reaching(self, t: NodeType, first: View, second: View) -> Iterator[int]:
        for node in self._known(t):
            between = self.graph.expand(np.array([node]), first).nodes
            if 0 < len(self.graph.expand(between, second).nodes) <= 100:
                yield node

    def _comparison(self) -> Iterator[Example]:
        for t, feature in self._numbers:
            pair = [n for n in self._known(t) if self.graph.feature(n, feature) is not None][:2]
            if len(pair) == 2 and len({self.graph.feature(n, feature) for n in pair}) == 2:
                one, other = map(self._node, pair)
                call = _call("Top", _call("Union", one, other), _text(feature))
                names = " or ".join(map(self._called, pair))
                for said in _said(feature):
                    much = "more" if is_plural(said) else "the larger"
                    yield Example("comparison", f"Which has {much} {said}, {names}?", call)
        for t in self._types:
            for view in self._several(t):
                pair = self._known(t)[:2]
                if len(pair) == 2:
                    call = _call("TopDegree", _call("Union", *map(self._node, pair)), self._view(view))
                    names = " or ".join(map(self._called, pair))
                    yield Example("comparison", f"Which has more {_many(view.target)}, {names}?", call)

    def _path(self) -> Iterator[Example]:
        for t in self._types:
            known = self._known(t)
            for one, other in zip(known, known[::-1], strict=True):
                if one != other and other not in self.graph.neighbours(one):
                    call = _call("Path", self._node(one), self._node(other))
                    names = f"{self._called(one)} and {self._called(other)}"
                    yield Example("path", f"How are {names} connected?", call)
                    break

    def _group(self) -> Iterator[Example]:
        pairs = [
            (t, v) for t in self._types for v in self._views(t) if v.direction == "in" and v.target != t.name
        ]
        relations = self.graph.schema.relations
        pairs.sort(key=lambda pair: (not self._has_one(pair[1]), pair[0].count))
        for asked in ("How many {many} does each {one} have?", "How many {many} are there in each {one}?"):
            for t, view in pairs[:3]:
                name = relations[view.relation].name
                query = (
                    f"MATCH (a:{_name(t.name)}) OPTIONAL MATCH (a)<-[:{_name(name)}]-(b:{_name(view.target)}) "
                    "RETURN a AS one, count(DISTINCT b) AS number"
                )
                yield Example("group", asked.format(many=_many(view.target), one=_each(t.name)), query)

    def _communities(self) -> Iterator[Example]:
        if self._alike and sum(r.count for r in self.graph.schema.relations) <= _MOST_GROUPED:
            yield Example("group", "Which communities are there?", _call("Communities"))

    def _common(self) -> Iterator[Example]:
        if not self._alike:
            return
        for one, other in combinations(self._known(self._types[0]), 2):
            if not np.intersect1d(self.graph.neighbours(one), self.graph.neighbours(other)).size:
                continue
            near = (
                _call("Difference", _call("Neighbourhood", self._node(n)), self._node(n))
                for n in (one, other)
            )
            names = f"{self._called(one)} and {self._called(other)}"
            yield Example("common", f"Which neighbours do {names} have in common?", _call("Intersect", *near))

    def _average(self) -> Iterator[Example]:
        for t, feature in self._numbers:
            call = _call("Average", _call("NodeFeature", _call("Nodes", _text(t.name)), _text(feature)))
            for said in _said(feature):
                much = f"average number of {said}" if is_plural(said) else f"average {said}"
                yield Example("average", f"What is the {much} of {_many(t.name)}?", call)

    def _neighbours(self) -> Iterator[Example]:
        for t in self._types:
            for view in self._to_others(t):
                node = next((n for n in self._known(t) if self.graph.has_edge(n, view)), None)
                if node is not None:
                    call = _call("NeighbourCheck", self._node(node), self._view(view))
                    asked = f"the {_many(view.target)} of {self._called(node)}"
                    yield Example("neighbours", f"What are {asked}?", call)
        for t in self._types:
            for node in self._known(t)[:1]:
                near = _call("Difference", _call("Neighbourhood", self._node(node)), self._node(node))
                yield Example("neighbours", f"What are the neighbours of {self._called(node)}?", near)

    def _about(self) -> Iterator[Example]:
        for t in self._types:
            for node in self._known(t)[:1]:
                call = _call("Describe", self._node(node))
                yield Example("about", f"Tell me about {self._called(node)}", call)

    def _node(self, node: int) -> str:
        return _call("RetrieveNode", _text(self.graph.id(node)), _text(self.graph.node_type(node).name))

    def _view(self, view: View) -> str:
        return _text(self.graph.schema.name_of(view))


def _call(name: str, *arguments: str) -> str:
    return f"{name}[{', '.join(arguments)}]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _name(name: str) -> str:
    """A name in Cypher."""
    return f"`{name.replace('`', '``')}`"


def _said(feature: str) -> Iterator[str]:
    """A feature in words, first without the unit that its name may have in brackets."""
    yield from dict.fromkeys((feature_in_words(feature), name_in_words(feature)))


def _each(name: str) -> str:
    """A type as of one node, also where it is called by many, as tables are."""
    before, space, last = name_in_words(name).rpartition(" ")
    return f"{before}{space}{singular(last)}"


def _many(name: str) -> str:
    return plural(name_in_words(name))
