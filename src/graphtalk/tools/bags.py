"""The algebra of bags: sets, counts, and what stands in a bag most often."""

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import CheckError, choices
from graphtalk.graphs.adjacency import Ints
from graphtalk.tools.context import Context
from graphtalk.tools.registry import tool
from graphtalk.tools.types import (
    Comparison,
    both_nodes,
    counted_entries,
    either_nodes,
    first_given,
    same_nodes,
)
from graphtalk.tools.values import Bag, Entries, Item, Record, Table, Value

_COMPARISONS: dict[str, Callable[[Ints, float], NDArray[np.bool_]]] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


@tool("Intersect", toolformer="graph:intersect", aliases=("Intersection", "And"), gives=both_nodes)
def intersect(at: Context, first: Bag, second: Bag) -> Bag:
    """The nodes that two bags share, each once, in the order of the first.

    first: a bag
    second: another
    """
    once = unique_in_order(first.nodes)
    return Bag(once[np.isin(once, second.nodes)])


@tool("Union", toolformer="graph:union", aliases=("Or",), gives=either_nodes)
def union(at: Context, first: Bag, second: Bag) -> Bag:
    """The nodes of either bag, each once, those of the first bag before the others.

    first: a bag
    second: another
    """
    at.budget.take(len(first) + len(second), width=8)
    return Bag(unique_in_order(np.concatenate([first.nodes, second.nodes])))


@tool("Difference", toolformer="graph:difference", aliases=("Except", "Minus"), gives=same_nodes)
def difference(at: Context, first: Bag, second: Bag) -> Bag:
    """The nodes of the first bag that are not in the second, as often as they stand in the first.

    first: the nodes to keep from
    second: the nodes to leave out
    """
    return Bag(first.nodes[~np.isin(first.nodes, second.nodes)])


@tool("Distinct", toolformer="graph:distinct", aliases=("Unique",), gives=first_given)
def distinct(at: Context, entries: Value) -> Value:
    """Each entry once, in the order of first appearance.

    entries: a bag or a list
    """
    if isinstance(entries, Bag):
        return Bag(unique_in_order(entries.nodes))
    if isinstance(entries, list):
        return unique_items(entries)
    return entries


@tool("Count", toolformer="graph:count", aliases=("Number", "Length"))
def count(at: Context, entries: Value) -> int:
    """How many entries there are; a node that stands twice counts twice.

    entries: a bag, a list, a table or a record
    """
    if isinstance(entries, Bag | Table | Record | list):
        return len(entries)
    return int(entries is not None)


@tool("Exists", toolformer="graph:exists")
def exists(at: Context, entries: Value) -> bool:
    """Whether there is any entry.

    entries: a bag, a list or a table
    """
    return len(entries) > 0 if isinstance(entries, Bag | Table | list) else entries is not None


@tool("Not", toolformer="graph:not")
def negated(at: Context, truth: bool) -> bool:
    """Whether something is not so.

    truth: true or false
    """
    return not truth


@tool("Shown", toolformer="toolx:shown", gives=first_given)
def shown(at: Context, value: Value, by: Value) -> Value:
    """A value, together with what shows it: the evidence of both.

    value: what is given back
    by: what shows it, such as a path that proves that two nodes are joined
    """
    return value


@tool("Contains", toolformer="graph:contains", aliases=("Member", "Includes"))
def contains(at: Context, bag: Bag, node: Bag) -> bool:
    """Whether a bag has a node; asked about several nodes, whether it has them all.

    bag: where to look
    node: what to look for
    """
    if not len(node) or not bool(np.isin(node.nodes, bag.nodes).all()):
        return False
    at.rests_on("bag", np.unique(node.nodes))
    return True


@tool("MostFrequent", toolformer="graph:most_frequent", aliases=("MostCommon",), gives=counted_entries)
def most_frequent(at: Context, bag: Entries, k: int = 1) -> Entries:
    """What stands in a bag or a list most often, most first, with all that tie with the last of these.

    A list of lists, such as a list feature of many nodes, is taken as one list.

    bag: nodes or values, with repeats
    k: how many, ties beside
    """
    once, counts = _counted(at, bag)
    return _at(once, best(at, counts.astype(np.float64), k))


@tool("Frequent", toolformer="graph:frequent", aliases=("Repeated",), gives=counted_entries)
def frequent(at: Context, bag: Entries, comparison: Comparison, number: float) -> Entries:
    """What stands in a bag or a list so many times, each once, in the order of first appearance.

    bag: nodes or values, with repeats
    comparison: one of `=`, `!=`, `<`, `<=`, `>`, `>=`
    number: what to compare the number of times with
    """
    once, counts = _counted(at, bag)
    return _at(once, np.flatnonzero(compared(counts, comparison, number)))


def best(at: Context, keys: NDArray[np.float64], k: int) -> Ints:
    """Positions of the `k` largest keys and of all that tie with the last of these, largest first.

    Those that tie keep their order. Source: `FETCH FIRST k ROWS WITH TIES` of SQL:2008.
    """
    order: Ints = np.argsort(-keys, kind="stable")
    if k < 1 or k >= len(order):
        return order[: max(k, 0)]
    least = keys[order[k - 1]]
    taken = max(k, int((keys >= least).sum()))
    if taken > k:
        tied = int((keys == least).sum())
        at.remark(f"{tied} tie for place {taken - tied + 1}, so {taken} are given instead of {k}.")
    return order[:taken]


def _counted(at: Context, entries: Entries) -> tuple[Entries, Ints]:
    """Each entry once, in the order of first appearance, and how often it stands there. Empty values go."""
    if isinstance(entries, Bag):
        found, first, counts = np.unique(entries.nodes, return_index=True, return_counts=True)
        order = np.argsort(first)
        return Bag(found[order]), counts[order]
    values = [v for entry in entries for v in (entry if isinstance(entry, list) else [entry])]
    at.budget.take(len(values))
    times = Counter(_key(value) for value in values if value is not None)
    return unique_items([v for v in values if v is not None]), np.array([*times.values()], dtype=np.int64)


def _at(entries: Entries, positions: Ints) -> Entries:
    if isinstance(entries, Bag):
        return Bag(entries.nodes[positions])
    return [entries[position] for position in positions.tolist()]


def compared(counts: Ints, comparison: Comparison, number: float) -> NDArray[np.bool_]:
    """Which counts compare so with a number. Shape as given. Raises CheckError for `contains`."""
    if comparison not in _COMPARISONS:
        raise CheckError(f"Counts cannot be compared by {comparison!r}. {choices(comparison, _COMPARISONS)}")
    return _COMPARISONS[comparison](counts, number)


def unique_in_order(nodes: Ints) -> Ints:
    """Each node once, where it first stands."""
    if len(nodes) < 2 or bool((nodes[1:] > nodes[:-1]).all()):
        return nodes
    low, high = int(nodes.min()), int(nodes.max())
    if high - low > 16 * len(nodes):
        return nodes[np.sort(np.unique(nodes, return_index=True)[1])]
    first = np.empty(high - low + 1, np.int64)
    places = np.arange(len(nodes))
    first[nodes[::-1] - low] = places[::-1]
    kept: Ints = nodes[first[nodes - low] == places]
    return kept


def unique_items(items: list[Item]) -> list[Item]:
    """Each entry of a list once, where it first stands. True and 1 are two entries."""
    first: dict[str, Item] = {}
    for item in items:
        first.setdefault(_key(item), item)
    return list(first.values())


def _key(item: Item) -> str:
    return repr(item.nodes.tolist()) if isinstance(item, Bag) else f"{type(item).__name__} {item!r}"
