"""A vertex program: the six parts of a distributed algorithm, typed.

State, Message, Initialization, Send, Update and Termination are those of GraphAgent-Reasoner, section 4; how the
answer is read off the final states is added. One program is run by every engine.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from graphtalk.vertex.language.ast import Aggregate, Apply, Expr, Field, Name, walk
from graphtalk.vertex.language.functions import REDUCERS
from graphtalk.vertex.language.types import Type, Value

Along: TypeAlias = Literal["out", "in", "both"]
Merge: TypeAlias = Literal["min", "max", "sum"]
Counts: TypeAlias = Literal["forward", "back", "both"]


@dataclass(frozen=True)
class Parameter:
    """What a person or the master chooses: a source, a damping factor. Without a default it must be given."""

    name: str
    type: Type
    help: str = ""
    default: Value = None
    optional: bool = False


@dataclass(frozen=True)
class EdgeAttribute:
    """A number of each edge: a feature of the graph, or `default` where edges have none of that name.

    `merge` says what parallel edges give. `counts` says on which way of an edge that is also followed
    backwards it stands (it is 0 on the other). A graph with a value below `least` is refused.
    """

    name: str
    feature: str
    default: float | None = None
    merge: Merge = "min"
    counts: Counts = "both"
    least: float = -math.inf

    def stands(self, forward: bool) -> bool:
        """Whether the attribute stands on arcs that go the edge's way, or on those that go back."""
        return self.counts in ("both", "forward" if forward else "back")


@dataclass(frozen=True)
class NodeAttribute:
    """A number of each node: a feature of the graph, or `default`."""

    name: str
    feature: str
    default: float | None = None


@dataclass(frozen=True)
class Edges:
    """Which edges a program sees: parallel ones one by one or merged, self-loops kept or dropped."""

    parallel: Literal["keep", "merge"] = "merge"
    loops: Literal["keep", "drop"] = "keep"
    attributes: tuple[EdgeAttribute, ...] = ()

    @property
    def sided(self) -> bool:
        """Whether an attribute stands on one way of an edge only."""
        return any(attribute.counts != "both" for attribute in self.attributes)


@dataclass(frozen=True)
class Send:
    """What goes along every edge from a node for which `when` holds. `fields` may use the edge and `to`."""

    along: Along
    when: Expr | None
    fields: Mapping[str, Expr]


@dataclass(frozen=True, eq=False)
class Phase:
    """Rounds of sending and updating until `until` holds.

    `enter` and `edge_enter` are assigned before the first round. In a round every node sends; then the fields
    of edges are updated, then those of nodes for which `when` holds (the others keep theirs). `most` bounds
    the rounds; `because` says what it means where they do not suffice.
    """

    name: str
    enter: Mapping[str, Expr]
    edge_enter: Mapping[str, Expr]
    send: Send
    when: Expr | None
    update: Mapping[str, Expr]
    edge_update: Mapping[str, Expr]
    until: Expr
    most: Expr | None = None
    because: str = ""

    @property
    def expressions(self) -> Iterator[Expr]:
        """All expressions of the phase."""
        for table in (self.enter, self.edge_enter, self.send.fields, self.update, self.edge_update):
            yield from table.values()
        for expr in (self.send.when, self.when, self.until, self.most):
            if expr is not None:
                yield expr


@dataclass(frozen=True)
class Repeat:
    """How often the phases run: for `each` node, which is then the value of that name, or `until` it holds."""

    each: str = ""
    until: Expr | None = None
    most: Expr | None = None


@dataclass(frozen=True)
class Refusal:
    """Where `when` holds after the last round there is no answer, `because` of something."""

    when: Expr
    because: str


@dataclass(frozen=True)
class Readout:
    """How the answer is read off the final states, where the parameters in `given` were given.

    `text` is a sentence in which `{answer}` and names of parameters stand for their values.
    """

    given: tuple[str, ...]
    value: Expr
    text: str
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, eq=False)
class Program:
    """A whole program. Errors about it were raised when it was read: see `reading.read_program`.

    `in_words`: what nodes set, send and update is told by the words of its card alone, so that only agents of a language
    model can run it.
    """

    name: str
    parameters: Mapping[str, Parameter]
    edges: Edges
    node_attributes: tuple[NodeAttribute, ...]
    state: Mapping[str, Type]
    edge_state: Mapping[str, Type]
    message: Mapping[str, Type]
    totals: Mapping[str, Expr]
    initialization: Mapping[str, Expr]
    edge_initialization: Mapping[str, Expr]
    phases: tuple[Phase, ...]
    repeat: Repeat | None
    answers: tuple[Readout, ...]
    in_words: bool = False
    source: Mapping[str, object] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def scalar(self) -> bool:
        """Whether every value is a number, a truth value or a node, so that arrays and SQL can hold it."""
        types = [*self.state.values(), *self.edge_state.values(), *self.message.values()]
        parameters = all(p.type.scalar or p.type.kind == "set" for p in self.parameters.values())
        return all(t.scalar for t in types) and parameters and not any(map(_needs_objects, self.expressions))

    @property
    def expressions(self) -> Iterator[Expr]:
        """All expressions that are evaluated in rounds."""
        yield from self.initialization.values()
        yield from self.edge_initialization.values()
        yield from self.totals.values()
        for phase in self.phases:
            yield from phase.expressions
        if self.repeat is not None and self.repeat.until is not None:
            yield self.repeat.until

    @property
    def readings(self) -> Iterator[Expr]:
        """All expressions that are evaluated once the rounds are over."""
        for reading in self.answers:
            yield reading.value
            yield from (refusal.when for refusal in reading.refusals)


def _inner_aggregates(expr: Aggregate) -> Iterator[Aggregate]:
    for value in (*expr.values, *([expr.condition] if expr.condition is not None else [])):
        yield from (part for part in walk(value) if isinstance(part, Aggregate))


def _mentions(expr: Aggregate, variable: str) -> bool:
    """Whether an aggregate depends on an element of the one around it."""
    if expr.variable == variable:  # which is then its own
        return False
    named = {
        part.text if isinstance(part, Name) else part.owner
        for part in walk(expr)
        if isinstance(part, Name | Field)
    }
    return variable in named


def _needs_objects(expr: Expr) -> bool:
    """Whether an expression goes through a set, makes one, or aggregates again for each element."""
    for part in walk(expr):
        if isinstance(part, Aggregate):
            if not REDUCERS[part.function].scalar or getattr(part.collection, "role", "") != "collection":
                return True
            if any(_mentions(inner, part.variable) for inner in _inner_aggregates(part)):
                return True
        if isinstance(part, Apply) and part.function != "size" and not part.type.scalar:
            return True
    return False
