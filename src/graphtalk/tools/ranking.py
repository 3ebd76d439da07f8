"""Choosing among nodes by a feature or by their number of neighbours."""

import math
import operator
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow.types import is_floating, is_integer

from graphtalk.core import CheckError
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import cells, floats
from graphtalk.tools.bags import best, compared, unique_in_order
from graphtalk.tools.context import Context
from graphtalk.tools.dates import moment, span_of
from graphtalk.tools.nodes import degrees, feature_columns, feature_values, may_have, note_counted, numbers_of
from graphtalk.tools.registry import tool
from graphtalk.tools.types import Comparison, FeatureName, RelationName, same_nodes, table_nodes
from graphtalk.tools.values import Bag, Item, Scalar, Table, as_number

_FEW = 200
_NUMBERS: dict[str, Callable[[NDArray[Any], float], NDArray[np.bool_]]] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_ORDERED: dict[str, Callable[[float | str, float | str], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@tool("Filter", toolformer="graph:filter", aliases=("Where",), gives=same_nodes)
def filter_nodes(at: Context, nodes: Bag, feature: FeatureName, comparison: Comparison, value: Scalar) -> Bag:
    """The nodes whose feature compares with a value; nodes without the feature are left out.

    Texts are compared without regard to case, in the order of the alphabet; with a number, a text is compared
    as the number it spells. A date is compared with a date (`2001-05-30`) or with a month or a year as a whole:
    `> 2001` is from 2002 on.

    nodes: the nodes to choose from
    feature: the feature to look at
    comparison: one of `=`, `!=`, `<`, `<=`, `>`, `>=`, `contains`
    value: what to compare with
    """
    at.budget.take(len(nodes))
    return Bag(nodes.nodes[_holding(at.graph, nodes.nodes, feature, comparison, value)])


@tool("Top", toolformer="graph:top", aliases=("Largest", "ArgMax"), gives=same_nodes)
def top(at: Context, nodes: Bag, feature: FeatureName, k: int = 1) -> Bag:
    """The nodes with the largest feature, largest first, with all that tie with the last of these.

    Nodes without the feature are left out.

    nodes: the nodes to choose from
    feature: a number, a date, or a text that spells a number
    k: how many, ties beside
    """
    return _extreme(at, nodes, feature, k, largest=True)


@tool("Bottom", toolformer="graph:bottom", aliases=("Smallest", "ArgMin"), gives=same_nodes)
def bottom(at: Context, nodes: Bag, feature: FeatureName, k: int = 1) -> Bag:
    """The nodes with the smallest feature, smallest first, with all that tie with the last of these.

    Nodes without the feature are left out.

    nodes: the nodes to choose from
    feature: a number, a date, or a text that spells a number
    k: how many, ties beside
    """
    return _extreme(at, nodes, feature, k, largest=False)


@tool("TopDegree", toolformer="graph:top_degree", gives=same_nodes)
def top_degree(at: Context, nodes: Bag, neighbor_type: RelationName, k: int = 1) -> Bag:
    """The nodes with the most neighbours of one kind, most first, with all that tie with the last of these.

    nodes: the nodes to choose from
    neighbor_type: which neighbours are counted
    k: how many, ties beside
    """
    return _extreme_degree(at, nodes, neighbor_type, k, largest=True)


@tool("BottomDegree", toolformer="graph:bottom_degree", gives=same_nodes)
def bottom_degree(at: Context, nodes: Bag, neighbor_type: RelationName, k: int = 1) -> Bag:
    """The nodes with the fewest neighbours of one kind, fewest first, with all that tie with the last of these.

    No neighbour at all is fewest.

    nodes: the nodes to choose from
    neighbor_type: which neighbours are counted
    k: how many, ties beside
    """
    return _extreme_degree(at, nodes, neighbor_type, k, largest=False)


@tool("FilterDegree", toolformer="graph:filter_degree", aliases=("WhereDegree",), gives=same_nodes)
def filter_degree(
    at: Context, nodes: Bag, neighbor_type: RelationName, comparison: Comparison, number: float
) -> Bag:
    """The nodes whose number of neighbours of one kind compares with a number.

    nodes: the nodes to choose from
    neighbor_type: which neighbours are counted
    comparison: one of `=`, `!=`, `<`, `<=`, `>`, `>=`
    number: what to compare with
    """
    at.budget.take(len(nodes))
    able = nodes.nodes[may_have(at.graph, nodes.nodes, neighbor_type)]
    counts = degrees(at.graph, able, neighbor_type)
    holds = compared(counts, comparison, number)
    note_counted(at, able[holds], counts[holds], neighbor_type)
    return Bag(able[holds])


@tool("Highest", toolformer="graph:highest", gives=table_nodes)
def highest(at: Context, table: Table, k: int = 1) -> Bag:
    """The nodes with the largest numbers in a table, largest first, with all that tie with the last of these.

    table: a number for each node
    k: how many, ties beside
    """
    return Bag(table.nodes[best(at, table.numbers.astype(np.float64), k)])


@tool("Lowest", toolformer="graph:lowest", gives=table_nodes)
def lowest(at: Context, table: Table, k: int = 1) -> Bag:
    """The nodes with the smallest numbers in a table, smallest first, with all that tie with the last of these.

    table: a number for each node
    k: how many, ties beside
    """
    return Bag(table.nodes[best(at, -table.numbers.astype(np.float64), k)])


def _extreme(at: Context, nodes: Bag, feature: str, k: int, largest: bool) -> Bag:
    once = unique_in_order(nodes.nodes)
    at.budget.take(len(once))
    numbers = numbers_of(at.graph, once, feature)
    if numbers is None:
        values = feature_values(at.graph, once, feature)
        present = np.array([i for i, v in enumerate(values) if _known(v)], dtype=np.int64)
        keys = sort_keys([values[i] for i in present.tolist()])
    else:
        present = np.flatnonzero(~np.isnan(numbers))
        keys = numbers[present]
    return Bag(once[present][best(at, keys if largest else -keys, k)])


def _extreme_degree(at: Context, nodes: Bag, neighbor_type: str, k: int, largest: bool) -> Bag:
    once = unique_in_order(nodes.nodes)
    at.budget.take(len(once))
    able = once[may_have(at.graph, once, neighbor_type)]
    counts = degrees(at.graph, able, neighbor_type).astype(np.float64)
    winners = able[best(at, counts if largest else -counts, k)]
    note_counted(at, winners, degrees(at.graph, winners, neighbor_type), neighbor_type)
    return Bag(winners)


def _holding(
    graph: Graph, asked: Ints, feature: str, comparison: Comparison, value: Scalar
) -> NDArray[np.bool_]:
    """Which nodes have a feature that compares with a value. Shape as given. Values that differ are compared once each."""
    holds = comparison_with(comparison, value)
    kept = np.zeros(len(asked), bool)
    wanted = None if isinstance(value, bool) else as_number(value)
    for column, rows, places in feature_columns(graph, asked, feature):
        kind = column.type
        if len(rows) <= _FEW or pa.types.is_nested(kind):
            kept[places] = [v is not None and holds(v) for v in cells(column, rows)]
            continue
        in_a_row = bool(rows[-1] - rows[0] == len(rows) - 1 and (rows[1:] > rows[:-1]).all())
        chosen = column.slice(rows[0], len(rows)) if in_a_row else column.take(pa.array(rows))
        taken = chosen.combine_chunks()
        if wanted is not None and comparison in _NUMBERS and (is_integer(kind) or is_floating(kind)):
            holding = _NUMBERS[comparison]
            if taken.null_count:
                held = holding(floats(pa.chunked_array([taken])), wanted)
                held &= taken.is_valid().to_numpy(zero_copy_only=False)
            else:
                held = holding(np.from_dlpack(taken), np.float64(wanted))
            if len(held) == len(kept):  # all of one type, in order
                return held
            kept[places] = held
            continue
        told = taken.dictionary_encode()
        each = [holds(v) for v in cells(pa.chunked_array([told.dictionary]), np.arange(len(told.dictionary)))]
        kept[places] = np.array([*each, False])[
            told.indices.fill_null(len(each)).to_numpy(zero_copy_only=False)
        ]
    return kept


def _known(value: Item) -> bool:
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def sort_keys(values: Sequence[Item]) -> NDArray[np.float64]:
    """Numbers that order the values: numbers (or texts that all spell numbers) by size, dates by time, texts by alphabet.

    Raises CheckError for lists, which have no order.
    """
    if any(isinstance(v, list) for v in values):
        raise CheckError("Lists have no order: choose a feature that is a number or a text.")
    if any(isinstance(v, date) for v in values) and all(isinstance(v, date) for v in values):
        moments = np.array([moment(v) for v in values if isinstance(v, date)], dtype=np.int64)
        return np.unique(moments, return_inverse=True)[1].astype(np.float64)
    numbers = [as_number(v) for v in values]
    if all(number is not None for number in numbers):
        return np.array(numbers, dtype=np.float64)
    return np.unique(np.array([str(v).casefold() for v in values]), return_inverse=True)[1].astype(np.float64)


def comparison_with(comparison: Comparison, value: Scalar) -> Callable[[Item], bool]:
    """A test of a feature against `value`. Raises CheckError where `contains` is asked of a number."""
    if comparison == "contains":
        part = str(value).casefold()
        return lambda v: (
            any(str(item).casefold() == part for item in v)
            if isinstance(v, list)
            else part in str(v.isoformat() if isinstance(v, date) else v).casefold()
        )
    if comparison in ("=", "!="):
        wanted = comparison == "="
        return lambda v: _equal(v, value) == wanted
    ordered = _ORDERED[comparison]

    def holds(found: Item) -> bool:
        if isinstance(found, date):
            return span_of(value).holds(found, comparison)
        one, other = as_number(found), as_number(value)
        if one is not None and other is not None:
            return ordered(one, other)
        if isinstance(found, str) and isinstance(value, str):
            return ordered(found.casefold(), value.casefold())
        return False

    return holds


def _equal(found: Item, value: Scalar) -> bool:
    if isinstance(found, bool) or isinstance(value, bool):
        return str(found).casefold() == str(value).casefold()
    if isinstance(found, list):
        return any(_equal(item, value) for item in found)
    if isinstance(found, date):
        return span_of(value).holds(found, "=")
    one, other = as_number(found), as_number(value)
    if one is not None and other is not None:
        return one == other
    return str(found).casefold() == str(value).casefold()
