"""From the literals and values of a call to what a tool's function takes."""

import re
from datetime import date
from typing import TypeAlias

from graphtalk.calls.ast import Items, NodeRef
from graphtalk.core import ToolError
from graphtalk.tools.checker import Literal
from graphtalk.tools.context import Source
from graphtalk.tools.finder import find_id, find_numbered, nothing_called
from graphtalk.tools.registry import Parameter, Tool
from graphtalk.tools.types import Links, Names, Node, Numbers, Ordered
from graphtalk.tools.values import Bag, Item, Scalar, Table, Value, as_number

Argument: TypeAlias = Value | Node | Numbers | Ordered | Names | Links


def literal_nodes(literal: Literal, source: Source, among: tuple[str, ...]) -> list[int]:
    """The nodes of these types that a literal names. Raises ToolError where there is none."""
    if isinstance(literal, Items):
        return [node for part in _literals(literal) for node in literal_nodes(part, source, among)]
    if isinstance(literal, NodeRef):
        return [_referred(literal, source, among)]
    return [source.finder.find(str(literal.value), among)]


def _referred(reference: NodeRef, source: Source, among: tuple[str, ...]) -> int:
    """The node with this id, or this name. Raises ToolError where something is only like it: ids are not guessed."""
    graph, name = source.graph, reference.id
    node = find_id(graph, name, among)
    if node is None and name.isdigit():
        node = find_numbered(graph, reference.kind, name)
    if node is None:
        node = source.finder.find(name, among)
        if _bare(name) not in (_bare(graph.id(node)), _bare(graph.label(node))):
            raise ToolError(f"{nothing_called(name, among)} The nearest: {graph.label(node)}.")
    return node


def _bare(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def literal_value(literal: Literal, kinds: bool = False) -> Item:
    """The value that a literal writes; a node reference where no node is wanted is its id, with `kinds` as `user#196`."""
    if isinstance(literal, Items):
        return [literal_value(part, kinds) for part in _literals(literal)]
    if isinstance(literal, NodeRef):
        return f"{literal.kind}#{literal.id}" if kinds and literal.kind else literal.id
    return literal.value


def _literals(items: Items) -> list[Literal]:
    return [part for part in items.values if isinstance(part, Literal)]


def converted(tool: Tool, parameter: Parameter, value: Value) -> Argument:
    """The value as the tool's function takes it. Raises ToolError where it turns out not to fit."""
    kind = parameter.kind
    if kind == "node":
        if not isinstance(value, Bag) or len(value) != 1:
            count = len(value) if isinstance(value, Bag) else "no"
            raise ToolError(f"{tool.name} wants one node for {parameter.name!r}; there are {count}.")
        return Node(int(value.nodes[0]))
    if kind == "table" and not isinstance(value, Table):
        raise ToolError(f"{tool.name} wants a number for each of several nodes for {parameter.name!r}.")
    if kind == "numbers":
        return Numbers(_numbers(tool, value))
    if kind == "ordered":
        items = value if isinstance(value, list) else [value]
        dates = tuple(item for item in items if isinstance(item, date))
        known = [item for item in items if item is not None]
        return Ordered(dates if dates and len(dates) == len(known) else _numbers(tool, value))
    if kind in ("number", "whole number"):
        number = None if isinstance(value, bool) else as_number(value)
        if number is None or (kind == "whole number" and not number.is_integer()):
            raise ToolError(f"{tool.name} wants a {kind} for {parameter.name!r}, not {value!r}.")
        return int(number) if kind == "whole number" else number
    if kind == "bag or list":
        return _entries(tool, parameter, value)
    if kind == "boolean":
        if str(value).casefold() not in ("true", "false"):
            raise ToolError(f"{tool.name} wants true or false for {parameter.name!r}.")
        return str(value).casefold() == "true"
    if kind == "text":
        return str(value)
    if kind == "names":
        named = value if isinstance(value, list) else [value]
        if any(isinstance(each, list) for each in named):
            raise ToolError(f"{tool.name} wants names for {parameter.name!r}, not pairs.")
        return Names(tuple(map(str, named)))
    if kind == "links":
        return _links(tool, parameter, value)
    if kind == "scalar" and not isinstance(value, Scalar):
        raise ToolError(f"{tool.name} wants one number or text for {parameter.name!r}.")
    return value


_JOINED = re.compile(r"\s*(?:[-–—]+>|[=≡–—]+|-)\s*")


def _links(tool: Tool, parameter: Parameter, value: Value) -> Links:
    """Names of relations and pairs of nodes: `{(a, b)}`, `{(C=O)}`, `(a, b)` alone too."""
    items = value if isinstance(value, list) else [value]
    pairs: list[tuple[str, str]] = []
    names: list[str] = []
    for item in items:
        if not isinstance(item, list):
            names.append(str(item))
            continue
        ends = [str(each) for each in item]
        if len(ends) == 1:
            ends = _JOINED.split(ends[0])
        if len(ends) != 2 or not all(ends):
            raise ToolError(
                f"{tool.name} wants pairs of nodes for {parameter.name!r}, not ({', '.join(ends)})."
            )
        pairs.append((ends[0], ends[1]))
    return Links(tuple(names), tuple(pairs))


def _entries(tool: Tool, parameter: Parameter, value: Value) -> Bag | list[Item]:
    """A bag or list; the feature of a bag that turned out to have one node is a list of that one value."""
    if isinstance(value, Bag):
        return value
    if isinstance(value, list):
        if not any(isinstance(item, Bag) for item in value):
            return value
    elif value is None or isinstance(value, Scalar):
        return [] if value is None else [value]
    raise ToolError(f"{tool.name} wants nodes or a list of values for {parameter.name!r}.")


def _numbers(tool: Tool, value: Value) -> tuple[int | float, ...]:
    if isinstance(value, Table):
        return tuple(value.numbers.tolist())
    items = value if isinstance(value, list) else [value]
    if {*map(type, items)} <= {int, float}:
        return tuple([number for number in items if number == number])  # type: ignore[misc]
    found: list[int | float] = []
    for item in items:
        number = item if isinstance(item, int | float) else as_number(item)
        if number is None and item is not None:
            shown = f"the date {item}" if isinstance(item, date) else repr(item)
            raise ToolError(f"{tool.name} wants numbers, but {shown} is none.")
        if number is not None and number == number:
            found.append(number)
    return tuple(found)
