"""The functions of the language: their types, and what they do to Python values.

A function that works on arrays too has its numpy form in `arrays.py`, its SQL form in `sql.py`.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graphtalk.core import CheckError
from graphtalk.vertex.language.searches import find_hamiltonian_path, find_pattern
from graphtalk.vertex.language.types import (
    ANY,
    BOOL,
    NODE,
    NONE,
    NUMBER,
    Type,
    Value,
    fits,
    list_of,
    set_of,
)

PAIRS = set_of(list_of(NODE))
PATTERN = set_of(list_of(NUMBER))
HASH_PRIME = 2_147_483_647  # 2^31 - 1: products with the factors below stay exact in double precision
HASH_FACTORS = (48_271, 69_621)


@dataclass(frozen=True)
class Function:
    """A function of values: what it asks for in words, the type it gives (None: refused), what it does."""

    name: str
    usage: str
    gives: Callable[[Sequence[Type]], Type | None]
    python: Callable[..., Value]


@dataclass(frozen=True)
class Reducer:
    """An aggregate function: `python` takes one sequence a value expression. `empty` is its value of nothing."""

    name: str
    usage: str
    gives: Callable[[Sequence[Type]], Type | None]
    python: Callable[..., Value]
    empty: Value
    scalar: bool = True


def _exact(result: Type, *wanted: Type) -> Callable[[Sequence[Type]], Type | None]:
    def gives(given: Sequence[Type]) -> Type | None:
        return result if len(given) == len(wanted) and all(map(fits, given, wanted)) else None

    return gives


def _alike(given: Sequence[Type]) -> Type | None:
    """min and max: two or more numbers, or as many nodes."""
    same = len(given) >= 2 and given[0] in (NUMBER, NODE) and all(t == given[0] for t in given)
    return given[0] if same else None


def _two_sets(given: Sequence[Type]) -> Type | None:
    both = len(given) == 2 and given[0].kind == "set" and fits(given[1], given[0])
    return (given[1] if given[0].items == (ANY,) else given[0]) if both else None


def _two_lists(given: Sequence[Type]) -> Type | None:
    both = len(given) == 2 and given[0].kind == "list" and fits(given[1], given[0])
    return (given[1] if given[0].items == (ANY,) else given[0]) if both else None


def _size(given: Sequence[Type]) -> Type | None:
    return NUMBER if len(given) == 1 and given[0].items else None


def _get(given: Sequence[Type]) -> Type | None:
    ok = len(given) == 3 and given[0].kind == "map" and fits(given[1], given[0].items[0])
    return given[2] if ok and fits(given[2], given[0].items[1]) else None


def _to_set(given: Sequence[Type]) -> Type | None:
    return set_of(given[0].item) if len(given) == 1 and given[0].kind in ("list", "set") else None


def divide(left: float, right: float) -> float:
    """left / right, and 0 where `right` is 0."""
    return left / right if right else 0


def modulo(left: float, right: float) -> float:
    """The rest of left / right, with the sign of `right`; 0 where `right` is 0."""
    return left % right if right and left not in (math.inf, -math.inf) else 0


def hashed(value: float, seed: float) -> float:
    """A number below 2^31 - 1 that looks random; different whole values below that give different ones."""
    first, second = HASH_FACTORS
    return ((int(value) * first + int(seed)) % HASH_PRIME) * second % HASH_PRIME


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    return lambda value: function(value) if math.isfinite(value) else value


_FUNCTIONS = (
    Function("min", "min(a, b, …): numbers or nodes", _alike, min),
    Function("max", "max(a, b, …): numbers or nodes", _alike, max),
    Function("abs", "abs(number)", _exact(NUMBER, NUMBER), abs),
    Function("floor", "floor(number)", _exact(NUMBER, NUMBER), _whole(math.floor)),
    Function("ceil", "ceil(number)", _exact(NUMBER, NUMBER), _whole(math.ceil)),
    Function("sqrt", "sqrt(number): 0 below 0", _exact(NUMBER, NUMBER), lambda x: math.sqrt(max(x, 0))),
    Function("number", "number(node): its index", _exact(NUMBER, NODE), lambda node: node),
    Function("hash", "hash(node, number): a number that looks random", _exact(NUMBER, NODE, NUMBER), hashed),
    Function("size", "size(set, list or map)", _size, len),
    Function("union", "union(set, set)", _two_sets, lambda a, b: a | b),
    Function("intersect", "intersect(set, set)", _two_sets, lambda a, b: a & b),
    Function("difference", "difference(set, set)", _two_sets, lambda a, b: a - b),
    Function("set", "set(list)", _to_set, frozenset),
    Function("concat", "concat(list, list)", _two_lists, lambda a, b: a + b),
    Function("get", "get(map, key, default)", _get, lambda m, key, other: m.get(key, other)),
    Function(
        "hamiltonian_path",
        "hamiltonian_path(set of [node, node], number of nodes, directed): a list, empty without a path",
        _exact(list_of(NODE), PAIRS, NUMBER, BOOL),
        find_hamiltonian_path,
    ),
    Function(
        "find_pattern",
        "find_pattern(pattern, edges, directed): the nodes that stand for the pattern's; empty without",
        _exact(list_of(NODE), PATTERN, PAIRS, BOOL),
        find_pattern,
    ),
)


def _one(*wanted: Type) -> Callable[[Sequence[Type]], Type | None]:
    return lambda given: given[0] if len(given) == 1 and given[0] in wanted else None


def _keyed(given: Sequence[Type]) -> Type | None:
    return given[1] if len(given) == 2 and given[0] in (NUMBER, NODE) and given[1].scalar else None


def _anything(given: Sequence[Type]) -> Type | None:
    return NUMBER if len(given) == 1 else None


def _collected(given: Sequence[Type]) -> Type | None:
    return list_of(given[0]) if len(given) == 1 else None


def _distinct(given: Sequence[Type]) -> Type | None:
    return set_of(given[0]) if len(given) == 1 and given[0].kind != "map" else None


def _sets(given: Sequence[Type]) -> Type | None:
    return given[0] if len(given) == 1 and given[0].kind == "set" else None


def _by_key(given: Sequence[Type]) -> Type | None:
    return list_of(given[1]) if len(given) == 2 and given[0] in (NUMBER, NODE) else None


def _mapped(given: Sequence[Type]) -> Type | None:
    return Type("map", (given[0], given[1])) if len(given) == 2 and given[0].scalar else None


def least_of(values: Iterable[Value]) -> Value:
    """The least; infinity of nothing."""
    return min(values, default=math.inf)


def largest_of(values: Iterable[Value]) -> Value:
    """The largest; minus infinity of nothing."""
    return max(values, default=-math.inf)


def _argmin(keys: Sequence[Value], values: Sequence[Value]) -> Value:
    return min(zip(keys, values, strict=True), default=(0, NONE))[1]


def _argmax(keys: Sequence[Value], values: Sequence[Value]) -> Value:
    return min(((-k, v) for k, v in zip(keys, values, strict=True)), default=(0, NONE))[1]


def _mode(values: Sequence[Value]) -> Value:
    return min(((-count, value) for value, count in Counter(values).items()), default=(0, NONE))[1]


def _least_missing(values: Sequence[Value]) -> Value:
    taken = set(values)
    return next(number for number in range(len(taken) + 1) if number not in taken)


def _united(values: Sequence[Value]) -> Value:
    return frozenset().union(*values)


def _sorted(keys: Sequence[Value], values: Sequence[Value]) -> Value:
    return tuple(value for _, value in sorted(zip(keys, values, strict=True)))


def _map(keys: Sequence[Value], values: Sequence[Value]) -> Value:
    return dict(zip(keys, values, strict=True))


_REDUCERS = (
    Reducer("min", "min(number or node for …): infinity of nothing", _one(NUMBER, NODE), least_of, math.inf),
    Reducer("max", "max(number for …): -infinity of nothing", _one(NUMBER), largest_of, -math.inf),
    Reducer("sum", "sum(number for …)", _one(NUMBER), sum, 0),
    Reducer("count", "count(x for …)", _anything, len, 0),
    Reducer("any", "any(bool for …)", _one(BOOL), any, False),
    Reducer("all", "all(bool for …): true of nothing", _one(BOOL), all, True),
    Reducer("argmin", "argmin(key, value for …): ties go to the least value", _keyed, _argmin, NONE),
    Reducer("argmax", "argmax(key, value for …): ties go to the least value", _keyed, _argmax, NONE),
    Reducer(
        "mode", "mode(x for …): the most frequent, of several the least", _one(NUMBER, NODE), _mode, NONE
    ),
    Reducer("least_missing", "least_missing(number for …): 0, 1, 2, …", _one(NUMBER), _least_missing, 0),
    Reducer("collect", "collect(x for …): a list", _collected, tuple, (), scalar=False),
    Reducer("set", "set(x for …)", _distinct, frozenset, frozenset(), scalar=False),
    Reducer("union", "union(set for …)", _sets, _united, frozenset(), scalar=False),
    Reducer("sorted", "sorted(key, x for …): a list by key, ties by x", _by_key, _sorted, (), scalar=False),
    Reducer("map", "map(key, value for …)", _mapped, _map, {}, scalar=False),
)

FUNCTIONS = {function.name: function for function in _FUNCTIONS}
REDUCERS = {reducer.name: reducer for reducer in _REDUCERS}


def follow(before: Callable[[int], Value], start: Value) -> tuple[Value, ...]:
    """The nodes from where `before` gives none down to `start`. Raises CheckError where they form a ring."""
    found: list[Any] = []
    met: set[Any] = set()
    node = start
    while node != NONE:
        if node in met:
            raise CheckError(f"follow() goes round in a ring at node {int(node)}.")
        met.add(node)
        found.append(node)
        node = before(int(node))
    return tuple(reversed(found))
