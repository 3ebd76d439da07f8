"""What was read from a text: a graph, and what the problem asks about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.calls import Call
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.schema import Feature

WEIGHT = "weight"  # the name of the feature that holds the weights of edges, and that of nodes
INVERSE = "edge from"  # what the relation of a directed graph is called at the ends of its edges
EMBEDDING = "embedding"  # that of the vectors of nodes
KIND = "kind"  # that of what a node of a story is
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Described:
    """A graph as a text describes it. Nodes are positions in `names`.

    Shapes: source, target and weight (edges,); node_weight (nodes,), NaN where a node has none. Capacities are
    weights. `kinds` says for each node of a story what it is (`applicant`), where nodes are of several kinds.
    `quotes` has edges as the text tells them, by position. `certain` is false where nothing says whether edges
    lead one way; `unclear` true where it cannot be told at all. `listed`: the text says which nodes or how many there are; else they are those of the edges.
    `stored` is a graph that no text tells; `within` the call that gives it, where it is a part of the graph at hand.
    """

    names: tuple[str, ...]
    source: Ints
    target: Ints
    directed: bool
    weight: Floats | None = None
    node_weight: Floats | None = None
    embeddings: NDArray[np.float64] | None = None
    kinds: tuple[str, ...] = ()
    quotes: Mapping[int, str] = field(default_factory=dict)
    certain: bool = True
    unclear: bool = False
    listed: bool = False
    stored: Graph | None = None
    within: Call | None = None

    @classmethod
    def numbered_as(cls, graph: Graph) -> "Described":
        """A graph whose nodes are called by their ids."""
        source, target = graph.ends(0)
        ends = (np.asarray(source, np.int64), np.asarray(target, np.int64))
        return cls(tuple(graph.ids()), *ends, graph.directed, listed=True, stored=graph)

    @classmethod
    def of(cls, graph: Graph, within: Call | None = None) -> "Described":
        """A stored graph as problems have it: nodes by label (by id where two share one), weights where edges have them."""
        seen: set[str] = set()
        names = []
        for label, node_id in zip(graph.labels(), graph.ids(), strict=True):
            names.append(label if label not in seen else f"{label} ({node_id})")
            seen.add(names[-1])
        columns = list(graph.edge_columns)
        weighted = bool(columns) and all(WEIGHT in table.column_names for table in columns)
        weights = [np.asarray(t.column(WEIGHT).to_numpy(), np.float64) for t in columns] if weighted else []
        ends = [graph.ends(position) for position in range(len(graph.schema.relations))]
        none = np.empty(0, np.int64)
        return cls(
            tuple(names),
            np.concatenate([none, *(source for source, _ in ends)]).astype(np.int64),
            np.concatenate([none, *(target for _, target in ends)]).astype(np.int64),
            graph.directed,
            np.concatenate(weights) if weighted else None,
            listed=True,
            stored=graph,
            within=within,
        )

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return len(self.names)

    @property
    def num_edges(self) -> int:
        """Number of edges, each counted once."""
        return len(self.source)

    @cached_property
    def position(self) -> Mapping[str, int]:
        """The position of each name."""
        return {name: position for position, name in enumerate(self.names)}

    @cached_property
    def numbered(self) -> bool:
        """Whether all names are whole numbers."""
        return all(name.isdecimal() for name in self.names)

    def shown(self, node: int) -> int | str:
        """A node as it stands in a value: a number where nodes are numbered, else its name."""
        return int(self.names[node]) if self.numbered else self.names[node]

    @cached_property
    def graph(self) -> Graph:
        """The same as a graph of one node type and one relation, whose feature `weight` holds the weights.

        The features `embedding` and `kind` of nodes are there where the text has them.
        """
        if self.stored is not None:
            return self.stored
        columns = {"id": _texts(self.names)}
        if self.node_weight is not None:
            columns[WEIGHT] = _numbers(np.nan_to_num(self.node_weight))
        if self.kinds:
            columns[KIND] = _texts(self.kinds)
        if self.embeddings is not None:
            columns[EMBEDDING] = _lists(self.embeddings)
        inverse = INVERSE if self.directed else "edge"
        # Sorted here, weights need not be sorted by `build`, whose way to do so imports pandas (half a second).
        order = np.argsort(self.source, kind="stable")
        edges = EdgeTable("edge", "node", "node", self.source[order], self.target[order], None, inverse)
        bare = build([NodeTable("node", pa.table(columns))], [edges], "problem")
        if self.weight is None:
            return bare
        (relation,) = bare.schema.relations
        weighted = replace(relation, features=(Feature(WEIGHT, "number"),))
        schema = replace(bare.schema, relations=(weighted,))
        return replace(bare, schema=schema, edge_columns=[pa.table({WEIGHT: _numbers(self.weight[order])})])

    def quote(self, edge: int) -> str:
        """An edge as the text has it, or as we would write it."""
        if edge in self.quotes:
            return self.quotes[edge]
        arrow = "->" if self.directed else ","
        value = "" if self.weight is None else f",{number(self.weight[edge])}"
        return f"({self.names[self.source[edge]]}{arrow}{self.names[self.target[edge]]}{value})"


# `pa.array` looks whether its values are pandas', and imports it for that: half a second of a process.


def _texts(texts: Sequence[str]) -> pa.Array:
    raw = [text.encode() for text in texts]
    offsets = np.zeros(len(raw) + 1, np.int32)
    np.cumsum([len(text) for text in raw], out=offsets[1:])
    return pa.Array.from_buffers(
        pa.string(), len(raw), [None, pa.py_buffer(offsets), pa.py_buffer(b"".join(raw))]
    )


def _numbers(values: Floats) -> pa.Array:
    return pa.Array.from_buffers(
        pa.float64(), len(values), [None, pa.py_buffer(np.ascontiguousarray(values))]
    )


def _lists(values: Floats) -> pa.Array:
    count, width = values.shape
    starts = (np.arange(count + 1) * width).astype(np.int32)
    offsets = pa.Array.from_buffers(pa.int32(), count + 1, [None, pa.py_buffer(starts)])
    return pa.ListArray.from_arrays(offsets, _numbers(values.ravel()))


def with_isolated(described: Described, names: Sequence[str], beyond: bool) -> Described:
    """The graph with numbered nodes that no edge touches, below its highest number or also `beyond` it."""
    highest = max(map(int, described.names), default=-1)
    inside = [name for name in names if name.isdecimal() and (beyond or int(name) < highest)]
    return replace(described, names=(*described.names, *inside), node_weight=None, embeddings=None)


@dataclass(frozen=True)
class Problem:
    """A graph problem: the graph, the task by name, the nodes it is about, and the form of its answer.

    `wants` is what the value shall be: "number", "path", "truth", "nodes", "mapping", or "" for the task's own; where
    `negated`, it is asked whether something is not so.
    `comparison` says how numbers are to compare with `number`; where `unweighted`, weights are left aside. `pattern` is the smaller graph of a subgraph problem, `number` a parameter such as a count of rounds, `query`
    the words that ask, and `unknown` are names in them that are no nodes.
    """

    text: str
    described: Described
    task: str
    nodes: tuple[int, ...] = ()
    wants: str = ""
    negated: bool = False
    number: float | None = None
    comparison: str = "="
    unweighted: bool = False
    pattern: Described | None = None
    query: str = ""
    unknown: tuple[str, ...] = ()


def number(value: float) -> int | float:
    """A number without a needless point.

    >>> number(3.0), number(2.5)
    (3, 2.5)
    """
    return int(value) if float(value).is_integer() else float(value)
