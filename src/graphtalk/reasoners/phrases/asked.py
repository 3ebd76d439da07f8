"""What a whole question asks for, as a query and in words: things, a number of them, two numbers compared, edges."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import pyarrow as pa

from graphtalk.calls.ast import Call, NodeRef, Number, Text
from graphtalk.calls.query import (
    Apply,
    Operation,
    Operator,
    Part,
    Projection,
    Query,
    Return,
    Subquery,
    Term,
    query_call,
)
from graphtalk.calls.query import Column as QueryColumn
from graphtalk.engines.naming import node_column
from graphtalk.graphs import Graph
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.querying import Unsaid, query_of
from graphtalk.reasoners.reader.reading import (
    Best,
    Column,
    Compared,
    Constant,
    Either,
    Hop,
    Item,
    Mean,
    Measure,
    Not,
    Reading,
    Span,
    Test,
    contradicts,
)
from graphtalk.reasoners.reader.shape import Held, Link, Shape, Step, spoken
from graphtalk.reasoners.reader.telling import told


@dataclass(frozen=True)
class Asked:
    """A call and what it gives in words. `positive`: only a number above 0 answers ("how much older").

    `role`: the relation, and what it asks for whatever its type, where it asks for what is joined to some by that.
    """

    call: Call
    words: str
    positive: bool = False
    role: tuple[str, str] = ("", "")


_PIECES = frozenset("quantity number count amount units pieces copies".split())
_NAMESAKES = 4  # nodes of one name that are told apart by their ids


@dataclass(frozen=True)
class Compiler:
    """Makes calls over one graph of what a question's phrases say; `values` are the question's.

    `closure`: relations within one type are meant however many steps they take; `distinct`: what is counted are different things.
    """

    graph: Graph
    shape: Shape
    values: Sequence[Linked]
    closure: bool = False
    distinct: bool = False

    def of(self, reading: Reading) -> Asked:
        """A reading as it is. Raises Unsaid where two conditions on edges may be on one edge or on two, or nothing can fulfil both."""
        spoken_of = [
            item.view
            for item in reading.items
            if isinstance(item, Hop)
            and item.items
            and all(isinstance(i, Test) and self.shape.properties[i.held].edge for i in item.items)
        ]
        if len(set(spoken_of)) < len(spoken_of):
            raise Unsaid("conditions on one edge or on two")
        if self._counts_lines(reading):
            raise Unsaid("how many different ones, or how many pieces")
        if any(isinstance(item, Not) and item.item in reading.items for item in reading.items):
            raise Unsaid("a condition and its opposite")
        if contradicts(reading.items, self.shape):
            raise Unsaid("two values of one property")
        if len(reading.items) > 1 and any(
            isinstance(v, Mean) for i in reading.items if isinstance(i, Test) for v in i.values
        ):
            raise Unsaid("the average of all, or of those")
        reading = replace(
            reading,
            items=tuple(map(self._without_return, reading.items)),
            columns=tuple(replace(c, path=c.path and self._hop(c.path)) for c in reading.columns),
        )
        if self.closure:
            reading = replace(reading, items=tuple(map(self._closed, reading.items)))
        query = query_call(query_of(reading, self.shape, self.values))
        return Asked(query, self._told(reading), role=self._role(reading))

    def _counts_lines(self, reading: Reading) -> bool:
        """Whether things are counted of which each line may have several: "how many lamps were ordered", where an item has a quantity."""
        if self.distinct:
            return False
        counted = [c.path for c in reading.columns if c.kind in ("CNT", "VALUES")]
        measures = [i.measure for i in (*reading.items, reading.order) if isinstance(i, Best | Compared)]
        counted += [path for m in measures if m.kind in ("CNT", "VALUES") for path in (m.path, m.beyond)]
        steps = [
            self.shape.steps[path.view]
            for path in counted
            if path is not None and path.view in self.shape.steps
        ]
        if reading.asks == "RETURN" and any(c.kind == "COUNT" for c in reading.columns):
            hops = [i for i in reading.items if isinstance(i, Hop)]
            steps += [replace(s, out=not s.out) for i in hops if (s := self.shape.steps[i.view]).link.over]
        return any(step.out and self._in_pieces(step.link) for step in steps)

    def _in_pieces(self, link: Link) -> bool:
        """Whether the lines of a link between events and things say how many of a thing there are."""
        lines = (
            list(self.shape.held_by.get(link.over[0], ())) if link.over and link.over[0] == link.name else []
        )
        held = [self.shape.properties[a] for a in lines]
        return any(h.kind == "number" and not _PIECES.isdisjoint(spoken(h.name).split()) for h in held)

    def _role(self, reading: Reading) -> tuple[str, str]:
        """What a list of all nodes in one relation to some asks for, whatever their type."""
        whole = reading.asks == "RETURN" and reading.limit is None and reading.order is None
        if not whole or reading.columns != (Column("NODE"),) or len(reading.items) != 1:
            return "", ""
        hop = reading.items[0]
        if not isinstance(hop, Hop) or any(isinstance(i, Best) for i in hop.items):
            return "", ""
        step = self.shape.steps[hop.view]
        return step.link.name, f"{step.out} {step.target} {hop.items}"

    def _closed(self, item: Item) -> Item:
        """A condition whose hops within one type take any number of steps."""
        match item:
            case Hop():
                link = self.shape.steps[item.view].link
                inner = tuple(map(self._closed, item.items))
                return replace(item, items=inner, star=link.source == link.target)
            case Not():
                return Not(self._closed(item.item))
            case Either():
                return Either(self._closed(item.first), self._closed(item.second))
            case _:
                return item

    def _without_return(self, item: Item) -> Item:
        """A condition without what it says twice: "the languages, which are languages of it"."""
        match item:
            case Hop():
                return self._hop(item)
            case Best() | Compared():
                return replace(
                    item,
                    measure=replace(item.measure, path=item.measure.path and self._hop(item.measure.path)),
                )
            case _:
                return item

    def _hop(self, hop: Hop) -> Hop:
        step = self.shape.steps[hop.view]
        back = Hop(replace(step, out=not step.out).action)
        return replace(hop, items=tuple(self._without_return(i) for i in hop.items if i != back))

    def value(self, things: Things, held: Held) -> Iterator[Asked]:
        """A property of one node: of the only one of its name by that, or of each of a few."""
        asked = self.columns(things, Column("NODE", held.action))
        named = things.items[0] if things.one and len(things.items) == 1 else None
        spans = [v for v in named.values if isinstance(v, Span)] if isinstance(named, Test) else []
        if len(spans) == 1 and not held.part and held.via is None:
            found = dict(self.values[spans[0].index].found).get(named_by(named), ())
            nodes = self._nodes_called(things.type, named_by(named), found)
            namesakes = self.shape.properties[named_by(named)].naming
            if len(found) == 1 < len(nodes) <= _NAMESAKES and namesakes:  # which of them is asked back
                for node in nodes:
                    ref = NodeRef(things.type, self.graph.id(node))
                    told = f"{asked.words} ({self.graph.id(node)})"
                    yield replace(asked, call=Call("NodeFeature", (ref, Text(held.name))), words=told)
                return
            if len(found) == len(nodes) == 1:
                own = self.shape.name_of(things.type) == named_by(named)
                called = Call("RetrieveNode", (Text(found[0]), Text(things.type)))
                one = called if own else NodeRef(things.type, self.graph.id(nodes[0]))
                asked = replace(asked, call=Call("NodeFeature", (one, Text(held.name))))
        yield asked

    def _nodes_called(self, node_type: str, action: str, texts: Sequence[str]) -> list[int]:
        """The nodes of a type that a property calls one of some texts."""
        import pyarrow.compute as pc  # slow to import, and few questions come here

        t = next(t for t in self.graph.schema.node_types if t.name == node_type)
        column = self.graph.columns[node_type].column(node_column(t, self.shape.properties[action].name))
        rows = pc.indices_nonzero(pc.is_in(pc.cast(column, pa.string()), pa.array(texts, pa.string())))
        return [t.first + int(row) for row in rows.to_pylist()]

    def columns(self, things: Things, *columns: Column, order: Best | None = None) -> Asked:
        """Columns of nodes, the best by an order alone where there is one."""
        limit = None if order is None else order.limit or Constant(1)
        return self.of(Reading(things.type, things.items, "RETURN", columns, order, limit))

    # two numbers

    def difference(self, first: Reading, second: Reading, signed: bool) -> Asked:
        """How much more the first is than the second, or by how much they differ."""
        less = Operation("-", (self._one(first), self._one(second)))
        term: Term = less if signed else Apply("abs", (less,))
        words = f"{self._told(first)}, minus: {self._told(second)}"
        return Asked(_returned(term, "difference"), words, signed)

    def more(self, first: Reading, second: Reading, operator: Operator) -> Asked:
        """Whether the first is above (or below) the second."""
        term = Operation(operator, (self._one(first), self._one(second)))
        words = (
            f"whether {self._told(first)} is {'above' if operator == '>' else 'below'}: {self._told(second)}"
        )
        return Asked(_returned(term, "answer"), words)

    def none(self, things: Things) -> Asked:
        """Whether there are no such nodes."""
        term = Operation("=", (self._one(counted(things)), Number(0)))
        words = self._told(Reading(things.type, things.items, columns=(Column("NODE"),)))
        return Asked(_returned(term, "answer"), f"whether there are none: {words}")

    def share(self, part: Reading, whole: Reading, name: str) -> Asked:
        """How many of some nodes are of a part of them: of a hundred where that is a `percentage`, else of one."""
        most = Number(100.0 if name == "percentage" else 1.0)
        term = Operation("/", (Operation("*", (most, self._one(part))), self._one(whole)))
        return Asked(_returned(term, name), f"the {name} that {self._told(part)} is of: {self._told(whole)}")

    def _one(self, reading: Reading) -> Term:
        return Apply("head", (Subquery("collect", query_of(reading, self.shape, self.values)),))

    def _told(self, reading: Reading) -> str:
        return told(reading, self.shape, self.values)

    def commonest(self, things: Things, held: Held, limit: Span | None) -> Asked:
        """The values of a property that things have most often, of lists each entry, with all that tie with the last."""
        nodes = self.columns(things, Column("NODE"))
        listed = Call("NodeFeature", (nodes.call, Text(held.name)))
        return self._most_frequent(listed, f"{spoken(held.name)} of", limit, nodes.words)

    def commonest_end(
        self, things: Things, steps: Sequence[Step], limit: Span | None, but: Things | None = None
    ) -> Asked:
        """The nodes that things lead to most often over steps, each way to them counted, with all that tie with the last; `but`: without this."""
        nodes = self.columns(things, Column("NODE"))
        ends = nodes.call
        for step in steps:
            ends = Call("NeighbourCheck", (ends, Text(self._seen(step))))
        without = "" if but is None else f", other than {self.columns(but, Column('NODE')).words}"
        if but is not None:
            ends = Call("Difference", (ends, self.columns(but, Column("NODE")).call))
        led = [spoken(self._seen(s) if s.source == s.target else s.target) for s in reversed(steps)]
        return self._most_frequent(ends, f"{' of '.join(led)} of", limit, f"{nodes.words}{without}")

    def with_all(self, other: Things, step: Step, counts: bool) -> Asked:
        """The others that are joined over a step to all that a named node is joined to, or how many."""
        named = self.columns(other, Column("NODE"))
        call = Call("ShareNeighbours", (named.call, Text(self._seen(step))))
        words = f"{spoken(step.source)} with all {spoken(step.link.name)} of {named.words}"
        return Asked(Call("Count", (call,)), f"number of {words}") if counts else Asked(call, words)

    def _most_frequent(self, listed: Call, what: str, limit: Span | None, of: str) -> Asked:
        k = 1 if limit is None else int(self.values[limit.index].number or 1)
        most = f"{what} the most" if k == 1 else f"the {k} commonest {what}"
        return Asked(Call("MostFrequent", (listed, *((Number(k),) if k > 1 else ()))), f"{most}: {of}")

    def _seen(self, step: Step) -> str:
        """What calls call a relation from where a step leaves. Raises Unsaid for a link that is none."""
        if step.link.made:
            raise Unsaid(f"the one relation of {step.link.name}")
        relation = self.graph.schema.relations[self.shape.places[step.link]]
        name = relation.name if step.out or relation.undirected else relation.back
        several = len(self.graph.schema.called(step.source, name)) > 1
        return f"{name} -> {step.target}" if several else name


def of_any_type(asked: Sequence[Asked], roles: Collection[str]) -> list[Asked]:
    """What is asked for, with those taken together that differ only in the type of who has a role: investors may be people or firms.

    `roles`: the relations whose nouns the question has, in the plural.
    """
    alike: dict[object, list[Asked]] = {}
    for each in asked:
        alike.setdefault(each.role if each.role[0] in roles else each.call, []).append(each)
    return [
        reduce(lambda a, b: Asked(Call("Union", (a.call, b.call)), f"{a.words} and {b.words}"), those)
        for those in alike.values()
    ]


def counts_of(query: Query) -> Term:
    """The last column of a query."""
    told_ = query.parts[0].clauses[-1]
    assert isinstance(told_, Return)
    return told_.projection.columns[-1].value


def measured(things: Things, measure: Measure) -> Reading:
    """The number that a measure is of named nodes."""
    column = (
        Column("NODE", measure.held)
        if measure.path is None
        else Column(measure.kind, measure.held, measure.path)
    )
    return Reading(things.type, things.items, "RETURN", (column,))


def counted(things: Things) -> Reading:
    """How many things there are."""
    return Reading(things.type, things.items, "RETURN", (Column("COUNT"),))


def named_by(item: Item | None) -> str:
    """The property that a condition is on."""
    return item.held if isinstance(item, Test) else ""


def _returned(term: Term, name: str) -> Call:
    return query_call(Query((Part((Return(Projection((QueryColumn(term, name),))),)),)))
