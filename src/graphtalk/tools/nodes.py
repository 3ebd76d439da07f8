"""Nodes by name or place, and what they have: Graph-CoT's four functions (Jin et al. 2024, section 4) and two more."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.core import CheckError, ToolError, choices
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints, gather
from graphtalk.graphs.graph import cells, floats
from graphtalk.graphs.schema import NodeType, View
from graphtalk.tools.context import Context, Note
from graphtalk.tools.names import same_name
from graphtalk.tools.registry import tool
from graphtalk.tools.types import (
    FeatureName,
    NodeTypeName,
    RelationName,
    Site,
    Type,
    feature_each,
    named_nodes,
    number_each,
    one_named_node,
    reached_nodes,
)
from graphtalk.tools.values import Bag, Item, Value

MOST_NOTED = 25_000
"""Edges that are noted where they are only counted: more than twice what evidence shows."""


@tool(
    "RetrieveNode",
    toolformer="graph:retrieve",
    aliases=("Retrieve",),
    gives=one_named_node,
    free_text=True,
)
def retrieve_node(at: Context, keyword: str, node_type: NodeTypeName | None = None) -> Bag:
    """The node that fits a name or some words best.

    keyword: the name, or words of it
    node_type: look among nodes of this type first
    """
    find = at.source.finder.find
    name, comma, last = keyword.rpartition(",")
    meant = (
        same_name(last.strip(), [t.name for t in at.graph.schema.node_types])
        if comma and not node_type
        else None
    )
    if meant is None:
        types = (node_type,) if node_type else ()
        try:
            found = find(keyword, types)
            if at.source.finder.named(keyword, types) is None:
                at.remark(f"No node is called {keyword!r}: {at.graph.label(found)} is the likest name.")
            return Bag.of([found])
        except ToolError:
            near = at.source.finder.near_in_meaning(keyword, types)
            if near is None:
                raise
            label = at.graph.label(near.node)
            at.remark(
                f"No node is called {keyword!r}: {label} is the nearest in meaning (cosine {near.score:.2f})."
            )
            return Bag.of([near.node])
    whole = at.graph.find(keyword)  # a name may end as a type is called: "Care, Home"
    if whole is None:
        try:
            nearest = find(keyword, ())
            whole = nearest if at.graph.label(nearest).casefold() == keyword.casefold() else None
        except ToolError:
            whole = None
    return Bag.of([find(name.strip(), (meant,)) if whole is None else whole])


@tool("Nodes", toolformer="graph:nodes", gives=named_nodes)
def nodes(at: Context, node_type: NodeTypeName) -> Bag:
    """All nodes of a type.

    node_type: the type
    """
    span = at.graph.indices(node_type)
    at.budget.take(len(span), width=8)
    return Bag.of(span)


def _one_of_type(site: Site) -> Type:
    return replace(named_nodes(site), one=True)


@tool("Nth", toolformer="graph:nth", gives=_one_of_type)
def nth(at: Context, node_type: NodeTypeName, position: int) -> Bag:
    """The node of a type that stands first, second, … in the graph, as it was read; or last.

    node_type: the type
    position: 1 for the first, 2 for the second; -1 for the last
    """
    span = at.graph.indices(node_type)
    if not 1 <= abs(position) <= len(span):
        raise ToolError(f"There is no {node_type} {position} in {at.graph.name}: it has {len(span):,}.")
    return Bag.of([span[position - 1 if position > 0 else position]])


@tool("NodeFeature", toolformer="graph:feature", gives=feature_each)
def node_feature(at: Context, node: Bag, feature: FeatureName) -> Value:
    """A feature of a node, or the list of that feature of all nodes in a bag.

    node: whose feature
    feature: its name
    """
    at.budget.take(len(node))
    values = feature_values(at.graph, node.nodes, feature)
    return values[0] if len(values) == 1 else values


@tool(
    "NeighbourCheck",
    toolformer="graph:neighbours",
    aliases=("NeighborCheck", "Neighbours", "Neighbors"),
    gives=reached_nodes,
)
def neighbour_check(at: Context, node: Bag, neighbor_type: RelationName) -> Bag:
    """The neighbours of a node, or of all nodes in a bag, one after the other.

    node: where to start
    neighbor_type: which neighbours, as the schema calls them
    """
    found = follow(at, node.nodes, neighbor_type)
    at.followed(found)
    return Bag(found.reached)


@tool("NodeDegree", toolformer="graph:degree", gives=number_each)
def node_degree(at: Context, node: Bag, neighbor_type: RelationName) -> Value:
    """The number of neighbours of a node, or the list of those of all nodes in a bag.

    node: whose neighbours
    neighbor_type: which neighbours, as the schema calls them
    """
    counts = degrees(at.graph, node.nodes, neighbor_type)
    at.budget.take(len(counts))
    note_counted(at, node.nodes, counts, neighbor_type)
    numbers: list[Item] = list(counts.tolist())
    return numbers[0] if len(numbers) == 1 else numbers


def by_type(graph: Graph, asked: Ints) -> list[tuple[NodeType, Ints]]:
    """The node types in a bag, each with the places in the bag where its nodes stand."""
    if not len(asked):
        return []
    low, high = graph.type_positions(
        np.array([asked.min(), asked.max()])
    ).tolist()  # nodes of a type are in a row
    if low == high:
        return [(graph.schema.node_types[low], np.arange(len(asked)))]
    types = graph.type_positions(asked)
    return [(graph.schema.node_types[t], np.flatnonzero(types == t)) for t in np.unique(types).tolist()]


def feature_values(graph: Graph, asked: Ints, feature: str) -> list[Item]:
    """One feature of each node, None where it has none. Raises CheckError where no node can have it."""
    found: list[Item] = [None] * len(asked)
    for column, rows, places in feature_columns(graph, asked, feature):
        values = cells(column, rows)
        if len(values) == len(found):
            return values  # type: ignore[return-value]  # of one type, whose places are in order
        for place, value in zip(places.tolist(), values, strict=True):
            found[place] = value
    return found


def _less(numbers: Ints, first: int) -> Ints:
    return numbers - first if first else numbers


def feature_columns(graph: Graph, asked: Ints, feature: str) -> list[tuple[pa.ChunkedArray, Ints, Ints]]:
    """The columns that hold a feature of some nodes, the rows in each, and the places of these in `asked`.

    Raises CheckError where no node can have it.
    """
    parts = by_type(graph, asked)
    found = [
        (
            graph.columns[t.name].column(feature),
            _less(asked if len(parts) == 1 else asked[places], t.first),
            places,
        )
        for t, places in parts
        if feature in graph.columns[t.name].column_names
    ]
    if parts and not found:
        valid = [f.name for t, _ in parts for f in t.features]
        raise CheckError(f"{_type_names(parts)} nodes have no feature {feature!r}. {choices(feature, valid)}")
    return found


def numbers_of(graph: Graph, asked: Ints, feature: str) -> NDArray[np.float64] | None:
    """A feature of each node as a number, NaN where it has none; None where some of it is no number. Shape as given."""
    found = np.full(len(asked), np.nan)
    for column, rows, places in feature_columns(graph, asked, feature):
        if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
            return None
        found[places] = floats(column.take(pa.array(rows)))
    return found


def views_of(graph: Graph, asked: Ints, name: str) -> list[tuple[View, Ints]]:
    """The views called `name` from the nodes of a bag, each with the places of the nodes that have it.

    Raises CheckError where no node in the bag can have such neighbours.
    """
    parts = by_type(graph, asked)
    found = [(view, places) for t, places in parts for view in graph.schema.called(t.name, name)]
    if parts and not found:
        valid = [n for t, _ in parts for n in graph.schema.views_from(t.name)]
        raise CheckError(
            f"{_type_names(parts)} nodes have no neighbour type {name!r}. {choices(name, valid)}"
        )
    return found


def _type_names(parts: list[tuple[NodeType, Ints]]) -> str:
    return " or ".join(t.name for t, _ in parts[:4])


def degrees(graph: Graph, asked: Ints, name: str) -> Ints:
    """The number of neighbours of each node along one neighbour type. Shape as given."""
    counts = np.zeros(len(asked), np.int64)
    for view, places in views_of(graph, asked, name):
        counts[places] += view_degrees(graph, asked[places], view)
    return counts


def may_have(graph: Graph, asked: Ints, name: str) -> NDArray[np.bool_]:
    """Whether the type of each node has such neighbours at all. Shape as given."""
    fits = np.zeros(len(asked), bool)
    for _, places in views_of(graph, asked, name):
        fits[places] = True
    return fits


def view_degrees(graph: Graph, asked: Ints, view: View) -> Ints:
    """The number of neighbours of each node along one view; a self-loop counts once. Shape as given."""
    rows = asked - graph.schema.node_type(view.source).first
    counts = np.zeros(len(rows), np.int64)
    a = graph.adjacencies[view.relation]
    if view.direction != "in":
        counts += a.indptr[rows + 1] - a.indptr[rows]
    if view.direction == "in":
        counts += a.back_indptr[rows + 1] - a.back_indptr[rows]
    if view.direction == "both":
        positions, backwards = gather(a.back_indptr, rows)
        owners = np.repeat(np.arange(len(rows)), backwards)
        loops = owners[a.back_indices[positions] == asked[owners]]
        counts += backwards - np.bincount(loops, minlength=len(rows))
    return counts


def most_neighbours(graph: Graph, asked: Ints, view: View) -> int:
    """An upper bound of how many neighbours a bag has along a view, from the row pointers alone."""
    rows = asked - graph.schema.node_type(view.source).first
    a = graph.adjacencies[view.relation]
    total = 0
    if view.direction != "in":
        total += int((a.indptr[rows + 1] - a.indptr[rows]).sum())
    if view.direction != "out":
        total += int((a.back_indptr[rows + 1] - a.back_indptr[rows]).sum())
    return total


def follow(at: Context, asked: Ints, name: str, each: bool = True) -> Note:
    """The edges from a bag along one neighbour type, in the order of the bag. See `Note` for `each`."""
    views = views_of(at.graph, asked, name)
    at.budget.take(sum(most_neighbours(at.graph, asked[places], view) for view, places in views))
    empty = np.empty(0, np.int64)
    parts, origins = [], []
    for view, places in views:
        whole = len(places) == len(asked)
        found = at.graph.expand(asked if whole else asked[places], view)
        origin = found.reached_from if whole else places[found.reached_from]
        origins.append(origin)
        parts.append(Note(asked[origin], found.nodes, found.relation, found.edge, each))
    if len(parts) == 1:
        return parts[0]
    if not parts:
        return Note(empty, empty, empty, empty, each)
    order = np.argsort(np.concatenate(origins), kind="stable")
    columns = [
        np.concatenate([getattr(part, column) for part in parts])[order]
        for column in ("asked", "reached", "relation", "edge")
    ]
    return Note(columns[0], columns[1], columns[2], columns[3], each)


def note_counted(at: Context, asked: Ints, counts: Ints, name: str) -> None:
    """Note the edges behind these numbers of neighbours: of the first nodes, as many as evidence can hold."""
    enough = int(np.searchsorted(np.cumsum(counts), MOST_NOTED)) + 1
    at.followed(follow(at, np.unique(asked[:enough]), name, each=False))
