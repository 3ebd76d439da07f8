"""The types of the expression language.

number, bool, node, and set[T], list[T], map[K, V] of them. Numbers are double precision. `none`, the node that
is not there, is kept as infinity, so that it is larger than every node and the least of no nodes.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from graphtalk.core import CheckError, choices

Value: TypeAlias = Any  # a number, a truth value, a node, or a frozenset, tuple or mapping of such
NONE = math.inf


@dataclass(frozen=True)
class Type:
    """A type: its kind, and the types of what it holds (`set` and `list` one, `map` two)."""

    kind: str
    items: "tuple[Type, ...]" = ()

    @property
    def scalar(self) -> bool:
        """Whether a value is one number in an array."""
        return not self.items and self.kind != "any"

    @property
    def item(self) -> "Type":
        """The type of an element of a set or a list."""
        return self.items[0]

    def __str__(self) -> str:
        return f"{self.kind}[{', '.join(map(str, self.items))}]" if self.items else self.kind


NUMBER, BOOL, NODE = Type("number"), Type("bool"), Type("node")
ANY = Type("any")  # the element of an empty set or list
_SCALARS = {"number": NUMBER, "bool": BOOL, "node": NODE}
_HOLDERS = {"set": 1, "list": 1, "map": 2}
_WORD = re.compile(r"\s*([a-z]+|[\[\],])")


def set_of(item: Type) -> Type:
    """set[item]"""
    return Type("set", (item,))


def list_of(item: Type) -> Type:
    """list[item]"""
    return Type("list", (item,))


def parse_type(text: str) -> Type:
    """The type that `text` names. Raises CheckError with the valid ones.

    >>> str(parse_type("set[list[node]]"))
    'set[list[node]]'
    """
    words = _WORD.findall(text)
    if "".join(words) != "".join(text.split()) or not words:
        raise CheckError(f"{text!r} is no type. {_valid(text)}")
    found, rest = _read(words, text)
    if rest:
        raise CheckError(f"{text!r} is no type: {' '.join(rest)!r} is left over. {_valid(text)}")
    return found


def _read(words: list[str], text: str) -> tuple[Type, list[str]]:
    if not words:
        raise CheckError(f"{text!r} is no type: it ends too early. {_valid(text)}")
    kind, rest = words[0], words[1:]
    if kind in _SCALARS:
        return _SCALARS[kind], rest
    if kind not in _HOLDERS:
        raise CheckError(f"{text!r} is no type. {_valid(kind)}")
    items: list[Type] = []
    for opening in ["[", ","][: _HOLDERS[kind]]:
        if rest[:1] != [opening]:
            raise CheckError(f"{text!r} is no type: {opening!r} is missing after {kind!r}. {_valid(kind)}")
        item, rest = _read(rest[1:], text)
        items.append(item)
    if rest[:1] != ["]"]:
        raise CheckError(f"{text!r} is no type: ']' is missing. {_valid(kind)}")
    return Type(kind, tuple(items)), rest[1:]


def _valid(bad: str) -> str:
    return choices(bad, [*_SCALARS, "set[T]", "list[T]", "map[K, V]"], 6)


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of type `given` may stand where `wanted` is asked for."""
    if given == wanted or ANY in (given, wanted):
        return True
    return given.kind == wanted.kind and bool(given.items) and all(map(fits, given.items, wanted.items))


def outward(value: Value, type: Type) -> Value:
    """A value as people and programs outside see it: whole numbers as int, no node as None.

    Sets come out as ascending lists.
    """
    if type == BOOL:
        return bool(value)
    if type == NODE:
        return None if value == NONE else int(value)
    if type == NUMBER:
        number = float(value)
        return int(number) if number.is_integer() else number
    if type.kind == "set":
        return sorted((outward(v, type.item) for v in value), key=_order)
    if type.kind == "list":
        return [outward(v, type.item) for v in value]
    return {_key(outward(k, type.items[0])): outward(v, type.items[1]) for k, v in value.items()}


def inward(value: Value, type: Type) -> Value:
    """The value that `outward` gave, as expressions see it. Raises CheckError where it is of another type."""
    if type == BOOL and isinstance(value, bool):
        return value
    if type == NODE and (value is None or (isinstance(value, int) and not isinstance(value, bool))):
        return NONE if value is None else value
    if type == NUMBER and isinstance(value, int | float) and not isinstance(value, bool):
        if math.isnan(value):
            raise CheckError("A number is expected, not NaN.")
        return value
    if type.kind in ("set", "list") and isinstance(value, list | tuple | set | frozenset):
        items = [inward(v, type.item) for v in value]
        return frozenset(items) if type.kind == "set" else tuple(items)
    if type.kind == "map" and isinstance(value, Mapping):
        return {inward(k, type.items[0]): inward(v, type.items[1]) for k, v in value.items()}
    raise CheckError(f"{value!r} is no {type}.")


def default(type: Type) -> Value:
    """What a field holds before anything is assigned: 0, false, none, or nothing inside."""
    empty = {"number": 0, "bool": False, "node": NONE, "set": frozenset(), "list": ()}
    return empty.get(type.kind, {})


def _key(value: Value) -> Value:
    return tuple(value) if isinstance(value, list) else value


def _order(value: Value) -> Any:
    return (value is None, value if value is not None else 0)
