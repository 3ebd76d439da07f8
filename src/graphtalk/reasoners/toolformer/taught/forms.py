"""Calls with places for what texts mention: `GR(GL("⟦0⟧"), "toolx:eccentricity", "node#⟦1⟧")`."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from graphtalk.calls.ast import Call, Expression, Items, NodeRef, Number, Text
from graphtalk.calls.lexer import as_reference
from graphtalk.calls.toolformer import parse, show
from graphtalk.tools.registry import Registry

DATA, NODE, NUMBER = "data", "node", "number"
_KINDS = {"text": NODE, "nodes": NODE, "whole number": NUMBER, "node type": "type"}
_PLACE = re.compile(r"⟦(\d+)(#?)⟧")
_REFERENCE = re.compile(r"(\w+)#(.+)", re.DOTALL)

Leaf = Callable[[Expression, str], Expression]


@dataclass(frozen=True)
class Argument:
    """What a call says of what a text mentions. `kind`: DATA, NODE, NUMBER, "type", "feature", "relation", …"""

    kind: str
    value: str


@dataclass(frozen=True)
class Form:
    """A call whose arguments are left open. `kinds`: what they are, by their number."""

    spelling: str
    kinds: tuple[str, ...]

    @cached_property
    def call(self) -> Call:
        """The call, with marks for its places."""
        return parse(self.spelling)

    @property
    def function(self) -> str:
        """The function that it calls."""
        return self.call.function

    def filled(self, values: Sequence[str]) -> str:
        """The spelling of the call with these arguments."""

        def leaf(given: Expression, kind: str) -> Expression:
            text = given.id if isinstance(given, NodeRef) else given.value if isinstance(given, Text) else ""
            place = _PLACE.fullmatch(str(text))
            if place is None:
                return given
            value = values[int(place[1])]
            if place[2]:
                return Number(int(value))
            return _reference(given.kind, value) if isinstance(given, NodeRef) else Text(value)

        return show(_mapped(self.call, leaf, None))


def _reference(kind: str, id: str) -> Expression:
    """A node as the paper writes it: `paper#12`, `"node#Lae"`; a node's name of several words is a text."""
    plain = as_reference(f"{kind}#{id}")
    return plain or (Text(f"{kind}#{id}") if kind == NODE else NodeRef(kind, id))


def taken_apart(call: Call, registry: Registry) -> tuple[Form, tuple[Argument, ...]]:
    """The form of a call, and its arguments. What it says twice is one argument."""
    found: dict[Argument, int] = {}

    def place(kind: str, value: str) -> int:
        return found.setdefault(Argument(kind, value), len(found))

    def leaf(given: Expression, kind: str) -> Expression:
        if isinstance(given, NodeRef):
            return replace(given, id=f"⟦{place(NODE, given.id)}⟧")
        if isinstance(given, Number) and isinstance(given.value, int):
            return Text(f"⟦{place(NUMBER, str(given.value))}#⟧")
        if isinstance(given, Text):
            reference = _REFERENCE.fullmatch(given.value) if kind == NODE else None
            if reference:
                return NodeRef(reference[1], f"⟦{place(kind, reference[2])}⟧")
            return Text(f"⟦{place(kind, given.value)}⟧")
        return given

    form = show(_mapped(call, leaf, registry), registry.vocabulary)
    return Form(form, tuple(argument.kind for argument in found)), tuple(found)


def _mapped(call: Call, leaf: Leaf, registry: Registry | None) -> Call:
    """The call with its leaves replaced; their kinds are told where there is a registry."""
    known = registry.vocabulary.find(call.function) if registry else None
    parameters = registry[known.name].parameters if registry and known and call.function != "GL" else ()

    def kind(position: int) -> str:
        if call.function == "GL":
            return DATA if position == 0 else "member"
        told = parameters[position].kind if position < len(parameters) else ""
        return _KINDS.get(told, told)

    def value(given: Expression, position: int) -> Expression:
        if isinstance(given, Call):
            return _mapped(given, leaf, registry)
        if isinstance(given, Items):
            return Items(tuple(value(each, position) for each in given.values))
        return leaf(given, kind(position))

    return replace(
        call,
        graph=value(call.graph, 0) if call.graph is not None else None,
        arguments=tuple(value(each, position) for position, each in enumerate(call.arguments)),
    )
