"""All edges of a graph as one undirected adjacency, and the part of it that lies around some nodes.

The store keeps one adjacency for each relation, as questions name relations. Retrieval follows them all, so it has
its own: compressed rows over all relations and both directions, memory-mapped.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Adjacency, Ints, gather, kept_rows
from graphtalk.graphs.checked import expect, rises, within
from graphtalk.search.arrays import load_array


@dataclass(frozen=True)
class Part:
    """A part of a graph: some nodes and all edges between them.

    `nodes` are graph-wide and ascending, `hops` says how many edges each is away from where the part began.
    `source` and `target` are positions in `nodes` (in no particular direction), `edge` the graph-wide numbers of the
    edges. `complete` is false where the part had to end before all that was asked for was reached.
    Shapes: nodes and hops (p,); source, target and edge (e,).
    """

    nodes: Ints
    hops: Ints
    source: Ints
    target: Ints
    edge: Ints
    complete: bool = True


@dataclass(frozen=True, eq=False)
class Links:
    """Compressed rows: node `v` is joined to `ends[i]` by edge `edges[i]`, for i from `indptr[v]` to `indptr[v + 1]`.

    Edges are numbered through all relations: relation r's edge e is `offsets[r] + e`. Every edge stands in the rows
    of both its ends, a self-loop twice in one. Shapes: indptr (n + 1,), ends and edges (2 m,), offsets (relations + 1,).
    """

    indptr: Ints
    ends: Ints
    edges: Ints
    offsets: Ints

    @classmethod
    def build(cls, graph: Graph) -> "Links":
        """The links of a graph, in time linear in its edges."""
        firsts = {t.name: t.first for t in graph.schema.node_types}
        sides = [
            (firsts[name], adjacency, forward)
            for r, adjacency in zip(graph.schema.relations, graph.adjacencies, strict=True)
            for name, forward in ((r.source, True), (r.target, False))
        ]
        offsets = graph.edge_offsets
        counts = np.zeros(graph.num_nodes + 1, np.int64)
        for first, a, forward in sides:
            rows, starts = kept_rows(a.indptr if forward else a.back_indptr)
            counts[first + 1 :][rows] += np.diff(starts)
        indptr = np.cumsum(counts)
        ends = np.empty(int(indptr[-1]), _width(graph.num_nodes))
        edges = np.empty(int(indptr[-1]), _width(int(offsets[-1])))
        free = indptr[:-1].copy()
        for i, (first, a, forward) in enumerate(sides):
            _fill(free[first:], a, forward, int(offsets[i // 2]), ends, edges)
        return cls(indptr, ends, edges, offsets)

    def save(self, folder: Path) -> None:
        """Write into an index folder."""
        for name in ("indptr", "ends", "edges"):
            np.save(folder / f"links.{name}.npy", getattr(self, name))

    @classmethod
    def load(cls, folder: Path, graph: Graph) -> "Links":
        """Map what `save` wrote. Raises StoreError where it is damaged."""
        offsets = graph.edge_offsets
        count = int(offsets[-1])
        indptr = load_array(folder / "links.indptr.npy", "i", graph.num_nodes + 1)
        ends, edges = (load_array(folder / f"links.{name}.npy", "i", 2 * count) for name in ("ends", "edges"))
        expect(folder / "links.indptr.npy", rises(indptr, 2 * count), "where the links of each node begin")
        expect(folder / "links.ends.npy", within(ends, 0, graph.num_nodes), "a node for every link")
        expect(folder / "links.edges.npy", within(edges, 0, count), "an edge for every link")
        return cls(indptr, ends, edges, offsets)

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.indptr) - 1

    @cached_property
    def whole(self) -> Part:
        """All of the graph; kept, as small graphs are always looked at whole."""
        every = np.arange(self.size)
        return self._part(every, np.zeros(self.size, np.int64), np.arange(self.size), complete=True)

    def around(self, nodes: Ints, hops: int, most: int, more: "Ints | None" = None) -> Part:
        """What lies within so many edges of any of some nodes, whichever way they go.

        It ends a hop earlier where it would have to look at more than `most` links; `complete` says whether it did.
        `more` are nodes that are part of it in any case, as if one hop farther away.
        """
        seen = np.zeros(self.size, bool)
        frontier = np.unique(nodes)
        seen[frontier] = True
        rings, looked = [frontier], int(self._degrees(frontier).sum())
        while len(rings) <= hops and len(frontier) and looked <= most:
            positions, _ = gather(self.indptr, frontier)
            reached = self.ends[positions]
            frontier = np.unique(reached[~seen[reached]])
            looked += int(self._degrees(frontier).sum())
            if looked > most:
                break
            seen[frontier] = True
            rings.append(frontier)
        complete = len(rings) > hops or not len(frontier)
        if more is not None:
            rings.append(np.unique(more[~seen[more]]))
            seen[more] = True
        every = np.concatenate(rings).astype(np.int64)
        away = np.repeat(np.arange(len(rings)), [len(ring) for ring in rings])
        order = np.argsort(every)
        place = np.empty(self.size, np.int64)  # read only where `seen`
        place[every[order]] = np.arange(len(every))
        return self._part(every[order], away[order], place, complete, seen)

    def leading(self, nodes: Ints, most: int) -> tuple[Ints, Ints, Ints]:
        """Edges that lead on from some nodes, each once, from which and to which; of at most `most` links."""
        positions, counts = gather(self.indptr, nodes)
        edges, first = np.unique(self.edges[positions[:most]], return_index=True)
        starts = np.repeat(nodes, counts)[first]
        return edges.astype(np.int64), starts, self.ends[positions[first]].astype(np.int64)

    def touching(self, nodes: Ints) -> Ints:
        """The edges that have one of the nodes as an end, each once, ascending."""
        return np.unique(self.edges[gather(self.indptr, nodes)[0]]).astype(np.int64)

    def _degrees(self, nodes: Ints) -> Ints:
        return self.indptr[nodes + 1] - self.indptr[nodes]

    def _part(
        self, nodes: Ints, hops: Ints, place: Ints, complete: bool, seen: "NDArray[np.bool_] | None" = None
    ) -> Part:
        positions, counts = gather(self.indptr, nodes)
        ends, own = self.ends[positions], np.repeat(nodes, counts)
        kept = (ends > own) if seen is None else seen[ends] & (ends > own)
        loops = np.flatnonzero(ends == own)
        if len(loops):  # a self-loop stands twice in its row
            loops = loops[np.unique(self.edges[positions[loops]], return_index=True)[1]]
            kept[loops] = True
        chosen = positions[kept]
        source, target = place[own[kept]], place[ends[kept]]
        return Part(nodes, hops, source, target, self.edges[chosen].astype(np.int64), complete)


def _fill(free: Ints, a: Adjacency, forward: bool, offset: int, ends: Ints, edges: Ints) -> None:
    """Put one adjacency's entries into the rows, from where each row is still free."""
    rows, starts = kept_rows(a.indptr if forward else a.back_indptr)
    counts = np.diff(starts)
    to = np.arange(int(starts[-1])) + np.repeat(free[rows] - starts[:-1], counts)
    ends[to] = a.indices if forward else a.back_indices
    edges[to] = (np.arange(len(to)) if forward else a.back_edge) + offset
    free[rows] += counts


def _width(size: int) -> type[np.signedinteger]:
    return np.int32 if size < 2**31 else np.int64
