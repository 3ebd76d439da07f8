"""Expressions of one node, as Python functions of `Surroundings`."""

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from graphtalk.vertex.language.ast import Aggregate, Apply, Expr, Field, Name
from graphtalk.vertex.language.build import Backend, Made
from graphtalk.vertex.language.functions import FUNCTIONS, REDUCERS, divide, follow, modulo
from graphtalk.vertex.language.types import Value

Record = Mapping[str, Value]


@dataclass
class Surroundings:
    """What the names of one node mean at one moment. Values as `types.inward` gives them.

    `own` has its id, degrees, attributes and state; `world` what all nodes share: n, directed, parameters, round;
    `totals` computes what is summed up over all nodes. `edge` and `message` are of one edge; `messages`, `edges`
    and `nodes` what aggregates go through.
    """

    own: Record
    world: Record
    totals: Callable[[str], Value]
    moment: Record = field(default_factory=dict)
    edge: Record = field(default_factory=dict)
    message: Record = field(default_factory=dict)
    messages: Sequence[Record] = ()
    edges: Sequence[Record] = ()
    nodes: Sequence[Record] = ()
    elements: dict[str, Any] = field(default_factory=dict)
    known: dict[int, Value] = field(default_factory=dict)


_ELEMENT_ID = {"messages": "sender", "edges": "to", "nodes": "id"}


class SingleBackend(Backend):
    """Aggregates that several expressions share are evaluated once for each `Surroundings`."""

    operators: ClassVar[Mapping[str, Callable[[Value, Value], Value]]] = {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": divide,
        "%": modulo,
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
        "in": lambda item, holder: item in holder,
    }
    functions: ClassVar[Mapping[str, Callable[..., Value]]] = {
        name: function.python for name, function in FUNCTIONS.items()
    }

    def __init__(self) -> None:
        self._slots: dict[Aggregate, int] = {}
        self._depth = 0

    def name(self, expr: Name) -> Made:
        """A name, by its role."""
        text = expr.text
        if expr.role in ("state", "node"):
            return lambda env: env.own[text]
        if expr.role in ("parameter", "graph"):
            return lambda env: env.world[text]
        if expr.role == "total":
            return lambda env: env.totals(text)
        if expr.role == "to":
            return lambda env: env.edge["to"]
        if expr.role == "element":
            return lambda env: env.elements[text]
        if expr.role in _ELEMENT_ID:
            key = _ELEMENT_ID[expr.role]
            return lambda env: env.elements[text][key]
        return lambda env: env.moment[text]

    def field(self, expr: Field) -> Made:
        """A field of an edge, a message, an element, or of a node that a parameter names."""
        owner, text = expr.owner, expr.text
        if expr.role in ("edge", "to"):
            return lambda env: env.edge[text]
        if expr.role == "message":
            return lambda env: env.message[text]
        if expr.role == "attribute":
            return lambda env: env.own[text]
        if expr.role == "of parameter":
            return lambda env: env.nodes[int(env.world[owner])][text]
        if expr.role == "of total":
            return lambda env: env.nodes[int(env.totals(owner))][text]
        return lambda env: env.elements[owner][text]

    def unary(self, operator: str, value: Made) -> Made:
        """`-` or `not`."""
        return (lambda env: not value(env)) if operator == "not" else (lambda env: -value(env))

    def binary(self, operator: str, left: Made, right: Made) -> Made:
        """`and` and `or` stop where the left side decides."""
        if operator == "and":
            return lambda env: left(env) and right(env)
        if operator == "or":
            return lambda env: left(env) or right(env)
        return super().binary(operator, left, right)

    def choice(self, condition: Made, then: Made, otherwise: Made) -> Made:
        """Only the chosen side is evaluated."""
        return lambda env: then(env) if condition(env) else otherwise(env)

    def follow(self, expr: Apply) -> Made:
        """The way up a field that names nodes."""
        column, start = expr.arguments
        assert isinstance(column, Name)
        text, first = column.text, self.make(start)
        return lambda env: follow(lambda node: env.nodes[node][text], first(env))

    def aggregate(self, expr: Aggregate) -> Made:
        """A loop over the collection."""
        self._depth += 1
        loop = self._loop(expr)
        self._depth -= 1
        if self._depth:  # it may depend on the element of the aggregate around it
            return loop
        slot = self._slots.setdefault(expr, len(self._slots))

        def remembered(env: Surroundings) -> Value:
            if slot not in env.known:
                env.known[slot] = loop(env)
            return env.known[slot]

        return remembered

    def _loop(self, expr: Aggregate) -> Made:
        items = self._items(expr.collection)
        values = [self.make(value) for value in expr.values]
        condition = self.make(expr.condition) if expr.condition is not None else None
        variable, reduce = expr.variable, REDUCERS[expr.function].python

        def run(env: Surroundings) -> Value:
            columns: list[list[Value]] = [[] for _ in values]
            elements = env.elements
            before = elements.get(variable)
            for elements[variable] in items(env):
                if condition is None or condition(env):
                    for column, value in zip(columns, values, strict=True):
                        column.append(value(env))
            elements[variable] = before
            return reduce(*columns)

        return run

    def _items(self, collection: Expr) -> Made:
        if isinstance(collection, Name) and collection.role == "collection":
            text = collection.text
            return lambda env: getattr(env, text)
        return self.make(collection)
