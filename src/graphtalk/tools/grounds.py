"""What in the graph speaks for what a model predicts: in words, and as evidence.

"8 of 11 neighbours with a recorded topic have Theory": the numbers inside a model cannot be shown to people, but the recorded
facts of the kind that it learnt from can. What speaks against a prediction is said alike.
"""

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphtalk.graphs import Graph, GraphSet
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import floats
from graphtalk.tools.context import Context, Note
from graphtalk.tools.nodes import follow
from graphtalk.tools.walks import steps_between

if TYPE_CHECKING:
    from graphtalk.models.predictions import Label

_MOST_SHOWN = 200  # users whose choices are evidence
_LIKEST = 3
_NEAREST = 11  # nodes or molecules that one is compared with


def _around(at: Context, node: int) -> list[Note]:
    """The edges of a node, along each relation from either end."""
    views = at.graph.schema.views_from(at.graph.node_type(node).name)
    return [follow(at, np.array([node]), view) for view in views]


def _note_those(at: Context, notes: Sequence[Note], ends: Ints) -> None:
    """Note as evidence the edges that lead to these ends."""
    for note in notes:
        kept = np.isin(note.reached, ends)
        if kept.any():
            columns = (note.asked[kept], note.reached[kept], note.relation[kept], note.edge[kept])
            at.followed(Note(*columns, each=False))


def like_neighbours(at: Context, node: int, feature: str, value: "Label") -> None:
    """Say how many of a node's neighbours are recorded as what was predicted, and what most are where that is another."""
    graph, notes = at.graph, _around(at, node)
    near = np.unique(np.concatenate([np.empty(0, np.int64), *(note.reached for note in notes)]))
    near = near[near != node]
    alike, recorded, counts = [np.empty(0, np.int64)], 0, Counter[str]()
    for t in graph.schema.node_types:
        if feature not in graph.columns[t.name].column_names:
            continue
        own = near[(near >= t.first) & (near < t.first + t.count)]
        values = graph.columns[t.name].column(feature).take(pa.array(own - t.first))
        recorded += len(values) - values.null_count
        told = values.drop_null().value_counts()
        for each in told.to_pylist():  # one for each value
            counts[str(each["values"])] += each["counts"]
            if each["values"] == value:
                same = pc.fill_null(pc.equal(values, pa.scalar(value, values.type)), False)
                alike.append(own[np.asarray(same)])
    if not recorded:
        at.remark(f"none of its {_counted(len(near), 'neighbour')} has a recorded {feature}")
        return
    found = np.concatenate(alike)
    [(most, count)] = counts.most_common(1)
    other = f"; most, {count:,}, have {most}" if count > len(found) else ""
    at.remark(f"{len(found):,} of {recorded:,} neighbours with a recorded {feature} have {value}{other}")
    _note_those(at, notes, found)


def like_vectors(at: Context, node: int, feature: str, vectors: str, value: "Label") -> None:
    """Say how many of the nodes with the likest vectors (by the cosine) are recorded as what was predicted."""
    t = at.graph.node_type(node)
    column = at.graph.columns[t.name].column(vectors)
    if column[node - t.first].as_py() is None:
        return
    known = np.flatnonzero(np.asarray(column.is_valid().to_numpy()))
    table = np.stack(column.drop_null().to_numpy()).astype(np.float32)
    at.budget.take(table.size)
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-12)
    likeness = table @ table[np.searchsorted(known, node - t.first)]
    recorded = at.graph.columns[t.name].column(feature)
    order = known[np.argsort(-likeness, kind="stable")]
    order = order[np.asarray(recorded.is_valid())[order] & (order != node - t.first)]
    near = recorded.take(pa.array(order[:_NEAREST])).to_pylist()
    alike = near.count(value)
    at.remark(
        f"of the {len(near)} nodes with the likest {vectors} {alike} {'has' if alike == 1 else 'have'} {value}"
    )


def in_one_community(at: Context, node: int, labels: Ints) -> None:
    """Say how many of a node's neighbours are in its community. `labels`: the community of each node."""
    notes = _around(at, node)
    near = np.unique(np.concatenate([np.empty(0, np.int64), *(note.reached for note in notes)]))
    near = near[near != node]
    inside = near[labels[near] == labels[node]]
    at.remark(
        f"{len(inside):,} of its {_counted(len(near), 'neighbour')} {'is' if len(inside) == 1 else 'are'} in it too"
    )
    _note_those(at, notes, inside)


def chosen_alike(at: Context, user: int, item: int) -> None:
    """Say which of what a user is joined to most of those have who are joined to an item; the edges are evidence."""
    graph = at.graph
    own_type, item_type = graph.node_type(user).name, graph.node_type(item).name
    views = [
        (name, back)
        for name, seen in graph.schema.views_from(own_type).items()
        for view in seen
        if view.target == item_type and (back := _back(graph, view.relation))
    ]
    names = list(dict.fromkeys(name for name, _ in views))
    chosen = _reached(at, [user], names)
    choosers = _reached(at, [item], list(dict.fromkeys(back for _, back in views)))
    chosen, choosers = chosen[chosen != item], choosers[choosers != user]
    pairs = [np.empty(0, np.int64)]
    for name in names:
        note = follow(at, choosers, name)
        shared = np.isin(note.reached, chosen)
        pairs.append(note.asked[shared] * graph.num_nodes + note.reached[shared])
    joined = np.unique(np.concatenate(pairs))
    items, counts = np.unique(joined % graph.num_nodes, return_counts=True)
    if not len(items):
        at.remark(f"nobody else who chose {graph.label(item)} chose anything that {graph.label(user)} did")
        return
    best = int(items[counts.argmax()])
    at.remark(
        f"of what {graph.label(user)} chose, {graph.label(best)} was chosen most often by the others who chose "
        f"{graph.label(item)}: {int(counts.max()):,} of {len(choosers):,}"
    )
    who = (joined[joined % graph.num_nodes == best] // graph.num_nodes)[:_MOST_SHOWN]
    starts = np.concatenate([[user], who, who])
    ends = np.concatenate([[best], np.full(len(who), best), np.full(len(who), item)])
    at.followed(steps_between(at, starts, ends, names))


def _back(graph: Graph, relation: int) -> str:
    return graph.schema.relations[relation].back


def _reached(at: Context, nodes: Sequence[int], names: Sequence[str]) -> Ints:
    notes = [follow(at, np.array(nodes), name) for name in names]
    return np.unique(np.concatenate([np.empty(0, np.int64), *(note.reached for note in notes)]))


def recorded_of_like(at: Context, vectors: NDArray[np.float32], asked: int, note: Note, told: str) -> None:
    """Say of which other nodes a predicted fact is recorded, and which of these are most like the one that was asked.

    `note` has the edges from the predicted end to those; `vectors` are the model's, a row a node.
    """
    others = np.unique(note.reached[note.reached != asked])
    if not len(others):
        at.remark(f"no {told} is recorded")
        return
    apart = np.square(vectors[others] - vectors[asked]).sum(axis=1)
    likest = others[np.argsort(apart, kind="stable")[:_LIKEST]]
    names = ", ".join(at.graph.labels(likest.tolist()))
    nearest = (
        f", of which the model has {names} nearest to {at.graph.label(asked)}"
        if len(others) > 1
        else f", {names}"
    )
    at.remark(f"{told} is recorded of {_counted(len(others), 'other')}{nearest}")
    _note_those(at, [note], likest)


def like_graphs(graphs: GraphSet, position: int, label: str, node_label: str, value: "Label") -> str:
    """How many of the graphs of a set that are built most like one are recorded as what was predicted of it.

    Alike are those that have the same nodes in the same surroundings (two rounds of Weisfeiler and Lehman), by the cosine.
    """
    from scipy.sparse import csr_array, diags_array

    from graphtalk.models.wl import colours

    union = graphs.union
    own = [t for t in union.schema.node_types if node_label in union.columns[t.name].column_names]
    labels = np.zeros(union.num_nodes, np.int64)
    graph_of = np.empty(union.num_nodes, np.int64)
    for number, t in enumerate(union.schema.node_types):
        span = slice(t.first, t.first + t.count)
        graph_of[span] = np.repeat(np.arange(len(graphs)), np.diff(graphs.offsets[:, number]))
        if t in own:
            values = union.columns[t.name].column(node_label).to_pylist()
            labels[span] = [zlib.crc32(str(value).encode()) for value in values]
    found = np.unique(colours(union.matrix(symmetric=True), labels), return_inverse=True)[1]
    held = csr_array(
        (np.ones(len(found)), (graph_of, found)), shape=(len(graphs), int(found.max(initial=0)) + 1)
    )
    held = csr_array(diags_array(1 / np.sqrt(np.maximum(held.power(2).sum(axis=1), 1))) @ held)
    likeness = (held @ held[[position]].T).toarray().ravel()
    recorded = graphs.table.column(label).to_pylist()
    order = [
        g for g in np.argsort(-likeness, kind="stable").tolist() if g != position and recorded[g] is not None
    ]
    near = order[:_NEAREST]
    alike = sum(recorded[g] == value for g in near)
    likest = ", ".join(graphs.names[g] for g in near[:_LIKEST])
    return f"{alike} of the {len(near)} others that are built most like it are recorded as {value}; the likest: {likest}"


def usual_ratings(graph: Graph, position: int, feature: str, user: int, item: int) -> str:
    """What a user gives on average, and what an item is given: what a rating is predicted from first."""
    source, target = graph.ends(position)
    values = floats(graph.edge_columns[position].column(feature))
    told = []
    for node, given, verb in (
        (user, values[source == user], "gives"),
        (item, values[target == item], "is given"),
    ):
        known = given[np.isfinite(given)]
        if len(known):
            told.append(f"{graph.label(node)} {verb} {known.mean():.2f} on average ({len(known):,} ratings)")
    return "; ".join(told) or "neither of them has ratings"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
