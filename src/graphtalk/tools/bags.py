"""The algebra of bags: sets, counts, and what stands in a bag most often."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import CheckError, choices
from graphtalk.graphs.adjacency import Ints
from graphtalk.tools.context import Context
from graphtalk.tools.registry import tool
from graphtalk.tools.types import Comparison, both_nodes, either_nodes, first_given, same_nodes
from graphtalk.tools.values import Bag, Item, Table, Value

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
    """The nodes of the first bag that are not in the second, each once.

    first: the nodes to keep from
    second: the nodes to leave out
    """
    once = unique_in_order(first.nodes)
    return Bag(once[~np.isin(once, second.nodes)])


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

    entries: a bag, a list or a table
    """
    if isinstance(entries, Bag | Table | list):
        return len(entries)
    return int(entries is not None)


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


@tool("MostFrequent", toolformer="graph:most_frequent", aliases=("MostCommon",), gives=same_nodes)
def most_frequent(at: Context, bag: Bag, k: int = 1) -> Bag:
    """The nodes that stand in a bag most often; the one that stands first wins a tie.

    bag: the nodes, with repeats
    k: how many
    """
    if not len(bag) or k < 1:
        return Bag.of([])
    found, first, counts = np.unique(bag.nodes, return_index=True, return_counts=True)
    order = np.lexsort((first, -counts))
    least = counts[order[min(k, len(order)) - 1]]
    tied = int((counts >= least).sum())
    if tied > k:
        at.remark(f"{tied - k} more stand in the bag {least} times, as often as the last of these.")
    return Bag(found[order[:k]])


@tool("Frequent", toolformer="graph:frequent", aliases=("Repeated",), gives=same_nodes)
def frequent(at: Context, bag: Bag, comparison: Comparison, number: float) -> Bag:
    """The nodes that stand in a bag so many times, each once, in the order of first appearance.

    bag: the nodes, with repeats
    comparison: one of `=`, `!=`, `<`, `<=`, `>`, `>=`
    number: what to compare the number of times with
    """
    found, first, counts = np.unique(bag.nodes, return_index=True, return_counts=True)
    holds = compared(counts, comparison, number)
    return Bag(found[holds][np.argsort(first[holds])])


def compared(counts: Ints, comparison: Comparison, number: float) -> NDArray[np.bool_]:
    """Which counts compare so with a number. Shape as given. Raises CheckError for `contains`."""
    if comparison not in _COMPARISONS:
        raise CheckError(f"Counts cannot be compared by {comparison!r}. {choices(comparison, _COMPARISONS)}")
    return _COMPARISONS[comparison](counts, number)


def unique_in_order(nodes: Ints) -> Ints:
    """Each node once, where it first stands."""
    if len(nodes) < 2:
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
    seen: set[str] = set()
    kept = []
    for item in items:
        key = f"{type(item).__name__} {item!r}" if not isinstance(item, Bag) else repr(item.nodes.tolist())
        if key not in seen:
            seen.add(key)
            kept.append(item)
    return kept
