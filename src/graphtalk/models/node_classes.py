"""What node classification learns from: vectors, classes and a split, read from the columns of a graph."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphtalk.core import UsageError, choices
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.schema import NodeType
from graphtalk.models.adagrad import Vectors
from graphtalk.models.predictions import Label, classes_of

_ROUNDS = 40  # steps along edges that a vector is passed on
_KEPT = 64  # numbers of a vector that was filled in: it stays sparse
TRAIN, VALIDATION, TEST = "train", "validation", "test"


class Columns(Protocol):
    """Which features of nodes are read: a vector, the class, and the split ("" for a random one)."""

    @property
    def features(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def split(self) -> str: ...


@dataclass(frozen=True, eq=False)
class NodeClasses:
    """n nodes of one type, of which some have a class. `first` is the graph's index of the first.

    Shapes: matrix (n, n) symmetric, features (n, f) with rows that sum to 1 (or 0), classes (n,), -1 where there is
    none, and the rows of each part of the split (those with a class only).
    """

    matrix: csr_array
    features: csr_array
    names: tuple[Label, ...]
    classes: Ints
    train: Ints
    validation: Ints
    test: Ints
    first: int


def read(graph: Graph, columns: Columns, seed: int) -> NodeClasses:
    """The nodes of the type that has the class. A random split is 80, 10 and 10% of what has a class.

    Raises UsageError where a column is missing, or nothing is left to learn from.
    """
    kind = node_type(graph, columns.label, columns.features)
    table = graph.columns[kind.name]
    names, classes = classes_of(table.column(columns.label).to_pylist(), f"{columns.label} of {graph.name}")
    parts = _split(table, columns.split, classes, seed)
    train, validation, test = (
        np.flatnonzero((parts == part) & (classes >= 0)) for part in (TRAIN, VALIDATION, TEST)
    )
    if not len(train) or not len(validation):
        raise UsageError(
            f"{graph.name}: the split has {len(train)} nodes to learn from and {len(validation)} to choose by; "
            "both are needed."
        )
    return NodeClasses(
        *inputs(graph, kind, columns.features), names, classes, train, validation, test, kind.first
    )


def node_type(graph: Graph, label: str, features: str) -> NodeType:
    """The first node type that has these two features. Raises UsageError naming those there are."""
    found = [t for t in graph.schema.node_types if {label, features} <= {f.name for f in t.features}]
    if found:
        return found[0]
    there = {f.name: f.kind for t in graph.schema.node_types for f in t.features}
    if label not in there:
        raise UsageError(f"{graph.name} has no feature {label!r} to learn. {choices(label, there)}")
    vectors = [name for name, kind in there.items() if kind == "vector"]
    raise UsageError(
        f"{graph.name} has no vectors {features!r} beside {label!r}. {choices(features, vectors)}"
    )


def inputs(graph: Graph, kind: NodeType, features: str) -> tuple[csr_array, csr_array]:
    """The adjacency among the nodes of a type, and their vectors; a node without one has what its neighbours pass on."""
    column = graph.columns[kind.name].column(features)
    if not pa.types.is_fixed_size_list(column.type):
        raise UsageError(f"{graph.name}: {features!r} holds no vectors of one length.")
    width = column.type.list_size
    whole = column.combine_chunks()
    whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    values = np.asarray(
        whole.values.slice(whole.offset * width, len(whole) * width).to_numpy(zero_copy_only=False)
    )
    known = np.asarray(column.is_valid().to_numpy(), dtype=np.bool_)
    dense = np.nan_to_num(values.astype(np.float32)).reshape(len(whole), width) * known[:, None]
    among = slice(kind.first, kind.first + kind.count)
    matrix = graph.matrix(symmetric=True)[among, among].tocsr()
    matrix.data[:] = 1
    return matrix, csr_array(
        _scaled(dense) if known.all() else _scaled(propagated(matrix, _scaled(dense), known))
    )


def _scaled(vectors: Vectors) -> Vectors:
    """Rows scaled so that their sizes sum to 1, or 0."""
    scaled: Vectors = vectors / np.maximum(np.abs(vectors).sum(axis=1, keepdims=True), 1e-12)
    return scaled


def propagated(matrix: csr_array, vectors: Vectors, known: NDArray[np.bool_]) -> Vectors:
    """The vectors, and where one is not known what reaches it from those that are; zeros where nothing does.

    Feature propagation (Rossi et al. 2022): what diffuses along the normalised adjacency while known vectors stay. Of each
    row that was filled the largest numbers are kept. Shapes (n, n), (n, f), (n,) → (n, f).
    """
    degree = np.maximum(matrix.sum(axis=1), 1)
    scale = (1 / np.sqrt(degree)).astype(np.float32)
    unknown = np.flatnonzero(~known)
    steps = csr_array(matrix[unknown].multiply(scale[unknown][:, None]).multiply(scale[None, :]))
    filled = vectors.copy()
    for _ in range(_ROUNDS):
        filled[unknown] = steps @ filled
    if filled.shape[1] > _KEPT:
        rows = filled[unknown]
        least = np.partition(np.abs(rows), -_KEPT, axis=1)[:, [-_KEPT]]
        filled[unknown] = np.where(np.abs(rows) >= least, rows, 0)
    return filled


def _split(table: pa.Table, column: str, classes: Ints, seed: int) -> NDArray[np.str_]:
    if column and column in table.column_names:
        return np.array([part or "" for part in table.column(column).to_pylist()], dtype=np.str_)
    if column:
        raise UsageError(
            f"There is no feature {column!r} that says the split. {choices(column, table.column_names)}"
        )
    parts = np.full(len(classes), TRAIN, dtype="<U10")
    drawn = np.random.default_rng(seed).permutation(np.flatnonzero(classes >= 0))
    tenth = max(1, len(drawn) // 10)
    parts[drawn[:tenth]], parts[drawn[tenth : 2 * tenth]] = VALIDATION, TEST
    return parts
