"""Evidence: walks back from an answer along the trail and keeps what leads to it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from graphtalk.core import Evidence
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.engines.arrays.rows import MISSING, Nodes
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.tools.bags import unique_in_order
from graphtalk.tools.trail import Input, Ran
from graphtalk.tools.values import Bag, Record, Table, Value, has_nodes, ids


def evidence_of(answer: Ran, most: int = 10_000) -> Evidence:
    """The nodes and edges that the value of `answer` rests on, its own nodes first.

    At most `most` nodes and as many edges; `complete` is false where there were more.
    """
    found: dict[int, _Found] = {}
    queries: list[ResultSet] = []
    _back(answer, _nodes_in(answer.value), found, queries)
    nodes: dict[str, None] = {}
    edges: dict[tuple[str, str, str], None] = {}
    complete = True
    for part in found.values():
        complete &= part.name(nodes, edges, most)
    kept_nodes, kept_edges = tuple(nodes)[:most], tuple(edges)[:most]
    own = Evidence(kept_nodes, kept_edges, complete and len(nodes) <= most and len(edges) <= most)
    return together([*(of_query(each, most) for each in queries), own], most) if queries else own


def of_query(found: ResultSet, most: int) -> Evidence:
    """The nodes and edges that the rows of a query rest on."""
    from graphtalk.engines.arrays.evidence import evidence_of as of_rows  # only queries need it

    return of_rows(found.rows, found.graph, found.supports, most)


def together(parts: Iterable[Evidence], most: int = 10_000) -> Evidence:
    """What any of these rests on, at most `most` nodes and as many edges, those of the first parts first."""
    nodes: dict[str, None] = {}
    edges: dict[tuple[str, str, str], None] = {}
    complete = True
    for part in parts:
        nodes.update(dict.fromkeys(part.nodes))
        edges.update(dict.fromkeys(part.edges))
        complete &= part.complete and len(nodes) <= most and len(edges) <= most
        if len(nodes) > most or len(edges) > most:
            break  # the parts may still have to be found
    return Evidence(tuple(nodes)[:most], tuple(edges)[:most], complete)


@dataclass
class _Found:
    """What was found in one graph: nodes, and edges by relation. In the order of the walk, with repeats."""

    graph: Graph
    nodes: list[Ints] = field(default_factory=list)
    edges: dict[int, list[Ints]] = field(default_factory=dict)

    def name(self, nodes: dict[str, None], edges: dict[tuple[str, str, str], None], most: int) -> bool:
        """Add the ids of nodes and of at most `most` edges. Whether the edges and `most` nodes were all."""
        complete = True
        ends: list[Ints] = []
        named: list[tuple[str, Ints, Ints]] = []
        room = most
        for relation, parts in self.edges.items():
            once = unique_in_order(np.concatenate(parts))
            complete &= len(once) <= room
            sources, targets = self.graph.edge_ends(relation, once[:room])
            room -= len(sources)
            ends += [sources, targets]
            named.append((self.graph.schema.relations[relation].name, sources, targets))
        own = _first_unique([np.empty(0, np.int64), *self.nodes], most)
        complete &= len(own) <= most
        every = unique_in_order(np.concatenate([own[:most], *ends]))
        called = dict(zip(every.tolist(), ids(self.graph, every), strict=True))
        nodes.update(dict.fromkeys(called.values()))
        for name, sources, targets in named:
            pairs = zip(sources.tolist(), targets.tolist(), strict=True)
            edges.update({(called[source], name, called[target]): None for source, target in pairs})
        return complete


def _first_unique(parts: list[Ints], most: int) -> Ints:
    """Each node once in order of first appearance; where there are more than `most`, perhaps no more than one more."""
    few = unique_in_order(np.concatenate([part[: most + 1] for part in parts]))
    if len(few) > most or all(len(part) <= most + 1 for part in parts):
        return few
    return unique_in_order(np.concatenate(parts))


def _nodes_in(value: Value) -> Ints:
    parts = [part.nodes for part in _node_parts(value)]
    return unique_in_order(np.concatenate(parts)) if parts else np.empty(0, np.int64)


def _node_parts(value: Value) -> Iterator[Bag | Table]:
    if isinstance(value, Bag | Table):
        yield value
    elif isinstance(value, ResultSet) and len(value.columns) == 1 and isinstance(value.columns[0], Nodes):
        yield Bag(value.columns[0].nodes[value.columns[0].nodes != MISSING])
    elif isinstance(value, Record):
        for entry in value.entries.values():
            yield from _node_parts(entry)
    elif isinstance(value, list) and has_nodes(value):
        for item in value:
            yield from _node_parts(item)


def _narrowed(found: ResultSet, wanted: Ints) -> ResultSet:
    """The rows of a query that lead to the wanted nodes: all, where it does not give one node a row."""
    column = found.columns[0] if len(found.columns) == 1 else None
    if not isinstance(column, Nodes):
        return found
    kept = np.isin(column.nodes, wanted) | (column.nodes == MISSING)
    return found if kept.all() else replace(found, rows=found.rows.take(np.flatnonzero(kept)))


def _back(ran: Ran, wanted: Ints, found: dict[int, _Found], queries: list[ResultSet]) -> None:
    """Keep what `ran` did for its `wanted` nodes (for all of a value without nodes), and go on to its inputs.

    What queries gave is kept in `queries`: their rows know what they rest on.
    """
    if isinstance(ran.value, ResultSet):
        queries.append(_narrowed(ran.value, wanted))
        for given in ran.inputs:
            if given.origin is not None:
                _back(given.origin, _nodes_in(given.value), found, queries)
        return
    part = found.setdefault(id(ran.graph), _Found(ran.graph))
    part.nodes.append(wanted)
    has_nodes = isinstance(ran.value, Bag | Table)
    asked: list[Ints] = []
    for note in ran.notes:
        kept = np.isin(note.reached, wanted) if note.each and has_nodes else np.ones(len(note.edge), bool)
        if note.each:
            asked.append(note.asked[kept])
        for relation in np.flatnonzero(np.bincount(note.relation[kept])).tolist():
            edges = note.edge[kept & (note.relation == relation)]
            part.edges.setdefault(relation, []).append(edges)
    first = True
    for given in ran.inputs:
        every = _nodes_in(given.value)
        needed = _needed(ran, given, every, wanted, asked if first else [], has_nodes)
        first = False
        if given.origin is None:
            part.nodes.append(needed)
        elif len(needed) or not len(every):
            _back(given.origin, needed, found, queries)


def _needed(ran: Ran, given: Input, every: Ints, wanted: Ints, asked: list[Ints], has_nodes: bool) -> Ints:
    """Those nodes of an input that lead to the wanted nodes of the result."""
    if given.parameter in ran.needed:
        return ran.needed[given.parameter]
    if asked:
        return unique_in_order(np.concatenate(asked))
    return every[np.isin(every, wanted)] if has_nodes else every
