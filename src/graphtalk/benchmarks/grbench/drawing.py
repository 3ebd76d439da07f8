"""Drawing what stands in a template's slots: nodes with names that no other node has, and values."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from graphtalk.benchmarks.grbench.gold import node_name
from graphtalk.benchmarks.grbench.templates import Slot, Template, fill_call
from graphtalk.calls.ast import Boolean, Call, Expression, Items, Number, Text
from graphtalk.core import CheckError, choices
from graphtalk.graphs import Graph
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor
from graphtalk.tools.finder import NodeIndex
from graphtalk.tools.names import same_name
from graphtalk.tools.types import Type
from graphtalk.tools.values import Bag, Item, Value

_TRIES = 20  # to find one more node of several


@dataclass(frozen=True)
class Drawn:
    """What was drawn for a slot: its nodes, if it is nodes, how a question shows it, and how a call writes it."""

    nodes: tuple[int, ...]
    shown: str
    written: Expression


@dataclass(frozen=True)
class Drawer:
    """Draws for the slots of templates, from one graph."""

    executor: Executor
    graph: Graph
    index: NodeIndex

    @classmethod
    def of(cls, executor: Executor, graph: Graph) -> "Drawer":
        """A drawer from this graph, which is the executor's."""
        return cls(executor, graph, executor.index or Index.open(graph))

    def draw(self, template: Template, rng: random.Random) -> dict[str, Drawn] | None:
        """One draw for all slots; None where it came to nothing. Raises CallError where a call fails."""
        drawn: dict[str, Drawn] = {}
        for slot in template.slots:
            taken = {node for earlier in drawn.values() for node in earlier.nodes}
            one = self._slot(slot, drawn, taken, rng)
            if one is None:
                return None
            drawn[slot.name] = one
        if template.where is not None and not _something(self._run(template.where, drawn)):
            return None
        return drawn

    def _slot(
        self, slot: Slot, drawn: Mapping[str, Drawn], taken: set[int], rng: random.Random
    ) -> Drawn | None:
        if slot.values:
            value = rng.choice(slot.values)
            return Drawn((), str(value), literal(value))
        if slot.shuffle:
            nodes = [node for name in slot.shuffle for node in drawn[name].nodes]
            rng.shuffle(nodes)
            return self._several(nodes)
        if slot.type:
            pool: Value = Bag.of(self.graph.indices(type_called(self.graph, slot.type)))
        else:
            pool = self._run(rng.choice(slot.calls), drawn)
        if isinstance(pool, Bag):
            return self._nodes(slot, pool, taken, rng)
        return _value(slot, pool, rng)

    def _nodes(self, slot: Slot, pool: Bag, taken: set[int], rng: random.Random) -> Drawn | None:
        if not len(pool) or (slot.only and len(np.unique(pool.nodes)) > 1):
            return None
        chosen: list[int] = []
        for _ in range(slot.count if slot.count == 1 else slot.count * _TRIES):
            node = int(pool.nodes[rng.randrange(len(pool))])
            if node not in taken and self._unmistakable(node, slot):
                chosen.append(node)
                taken = taken | {node}
            if len(chosen) == slot.count:
                return self._several(chosen) if slot.several else self._one(node)
        return None

    def _unmistakable(self, node: int, slot: Slot) -> bool:
        """Whether a node has a name, not too long, that leads to it alone, up to case and punctuation.

        Nodes of other types may share it, but not where several nodes are listed without their type.
        """
        name = node_name(self.graph, node)
        if not name or len(name) > slot.longest:
            return False
        called_so = self.index.exact(name)
        if not slot.several:
            node_type = self.graph.node_type(node).name
            called_so = [other for other in called_so if self.graph.node_type(other).name == node_type]
        return list(called_so) == [node]

    def _one(self, node: int) -> Drawn:
        name = node_name(self.graph, node)
        return Drawn((node,), _on_one_line(name), retrieve(name, self.graph.node_type(node).name))

    def _several(self, nodes: list[int]) -> Drawn:
        names = [node_name(self.graph, node) for node in nodes]
        shown = ", ".join(f'"{_on_one_line(name)}"' for name in names)
        return Drawn(tuple(nodes), shown, Items(tuple(Text(name) for name in names)))

    def _run(self, call: Call, drawn: Mapping[str, Drawn]) -> Value:
        return self.executor.run(fill_call(call, written(drawn))).value


def written(drawn: Mapping[str, Drawn]) -> dict[str, Expression]:
    """How a call writes each slot."""
    return {name: one.written for name, one in drawn.items()}


def retrieve(name: str, node_type: str) -> Call:
    """The call that gives the node of this type and name."""
    return Call("RetrieveNode", (Text(name), Text(node_type)))


def literal(value: Item) -> Expression:
    """A value as a call writes it."""
    if isinstance(value, bool):
        return Boolean(value)
    return Number(value) if isinstance(value, int | float) else Text(str(value))


def type_called(graph: Graph, name: str) -> str:
    """The graph's name of a node type; blanks and underscores are one. Raises CheckError with the valid names."""
    valid = [t.name for t in graph.schema.node_types]
    found = same_name(name, valid)
    if found is None:
        raise CheckError(f"No node type {name!r}. {choices(name, valid)}")
    return found


@dataclass(frozen=True)
class Fit:
    """A template on a graph that can answer it: its answer, made-up names in its slots, and the answer's type."""

    answer: Call
    stand_ins: Mapping[str, Expression]
    type: Type

    @property
    def example(self) -> Call:
        """The answer with the made-up names; it can be checked, but not run."""
        return fill_call(self.answer, self.stand_ins)

    def node_type(self, slot: str) -> str:
        """The node type of a slot; empty where it is no node."""
        written = self.stand_ins[slot]
        last = written.arguments[-1] if isinstance(written, Call) else None
        return last.value if isinstance(last, Text) else ""


def fit(executor: Executor, graph: Graph, template: Template) -> Fit:
    """The first of a template's answers that the graph's schema can run, with all calls of its slots.

    Raises CheckError, saying what the schema lacks.
    """
    stand_ins: dict[str, Expression] = {}
    for slot in template.slots:
        stand_ins[slot.name] = _stand_in(executor, graph, slot, stand_ins)
    if template.where is not None:
        executor.check(fill_call(template.where, stand_ins))
    lacks = CheckError(template.external)
    for answer in template.answers:
        try:
            return Fit(answer, stand_ins, executor.check(fill_call(answer, stand_ins)))
        except CheckError as error:
            lacks = error
    raise lacks


def _stand_in(executor: Executor, graph: Graph, slot: Slot, earlier: Mapping[str, Expression]) -> Expression:
    """Something of the type that a slot will have; it is checked and never run."""
    if slot.several:
        for call in slot.calls:
            executor.check(fill_call(call, earlier))
        return Items((Text(slot.name),))
    if slot.values:
        return literal(slot.values[0])
    if slot.type:
        return retrieve(slot.name, type_called(graph, slot.type))
    types = [executor.check(fill_call(call, earlier)) for call in slot.calls]
    if types[0].kind == "nodes":
        return retrieve(slot.name, types[0].node_types[0])
    return Number(0) if "number" in (types[0].kind, types[0].item) else Text(slot.name)


def _value(slot: Slot, pool: Value, rng: random.Random) -> Drawn | None:
    """A value of a list of values, or the one value that a call gave."""
    listed = pool if isinstance(pool, list) else [pool]
    values = list(dict.fromkeys(v for v in listed if isinstance(v, str | int | float) and str(v).strip()))
    if not values or (slot.only and len(values) > 1):
        return None
    value = rng.choice(values)
    return Drawn((), _on_one_line(str(value)), literal(value))


def _something(value: Value) -> bool:
    return len(value) > 0 if isinstance(value, Bag) else bool(value)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())
