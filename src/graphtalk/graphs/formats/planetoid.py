"""Planetoid's citation graphs (Yang, Cohen and Salakhutdinov, 2016): files ind.NAME.x, .y, .tx, … in a folder.

The files are Python 2 pickles, read without running code (`pickles.py`).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.core import SourceError
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.formats.pickles import load_pickle, read_bytes
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing

if TYPE_CHECKING:
    from scipy import sparse

_ARRAYS = ("x", "y", "tx", "ty", "allx", "ally")
_VALIDATION = 500  # nodes after the training nodes, as in the paper's code
_MOST_VALUES = 1 << 28  # of word vectors, which are kept in full


def sniff(path: Path) -> bool:
    """Whether a file is one of ind.NAME.*, or a folder has such."""
    if path.is_dir():
        return any(path.glob("ind.*.graph"))
    return path.name.startswith("ind.") and path.name.count(".") >= 2


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """One citation graph: papers with a word vector, a class and a split; undirected citations.

    Nodes that the test index leaves out (in Citeseer) have a vector of zeros and no class.
    """
    folder, name = _which(sources)
    return read_graph(folder, name, importing)


def read_graph(folder: Path, name: str, importing: Importing, partial: bool = False) -> Graph:
    """The citation graph `name` in a folder, as `read` gives it.

    With `partial`, `ind.NAME.allx` may be missing: papers that are neither in the training nor in the test
    set have no word vector then.
    """
    allx = folder / f"ind.{name}.allx"
    held = partial and not allx.exists()
    arrays = {
        part: _matrix(folder / f"ind.{name}.{part}", importing)
        for part in _ARRAYS
        if not (held and part == "allx")
    }
    before = arrays["ally"].shape[0]
    if held:
        arrays["allx"] = _padded(arrays["x"], before)
    links = neighbours(folder, name, importing)
    test = _test_index(folder / f"ind.{name}.test.index", importing)
    words, classes, split = _nodes(arrays, test, len(links), folder / f"ind.{name}")
    count = len(classes)
    ends = _links(links, count, folder / f"ind.{name}.graph")
    importing.progress.advance(rows=count + ends.shape[1])
    dense = pa.array(np.asarray(words.todense(), dtype=np.float32).ravel())
    unknown = np.zeros(count, dtype=bool)
    unknown[arrays["x"].shape[0] : before] = held
    table = pa.table(
        {
            "id": [str(i) for i in range(count)],
            "class": pa.array(classes, mask=classes < 0),
            "split": split,
            "words": pa.FixedSizeListArray.from_arrays(dense, words.shape[1], mask=pa.array(unknown)),
        }
    )
    citations = EdgeTable("citation", "paper", "paper", ends[0], ends[1], None, "citation")
    return build([NodeTable("paper", table)], [citations], name)


def neighbours(folder: Path, name: str, importing: Importing) -> Mapping[int, Sequence[int]]:
    """The neighbours of every node, in the order in which the file has them."""
    path = folder / f"ind.{name}.graph"
    links = load_pickle(path, importing)
    if not isinstance(links, Mapping):
        raise SourceError("holds no dictionary of neighbours.", str(path))
    return links


def _padded(matrix: "sparse.csr_array", rows: int) -> "sparse.csr_array":
    """The matrix with rows of zeros below it, up to so many."""
    from scipy import sparse  # slow to import, and every import of a graph asks this format whether it fits

    missing = max(0, rows - matrix.shape[0])
    padded: sparse.csr_array = sparse.vstack(
        [matrix, sparse.csr_array((missing, matrix.shape[1]))], format="csr"
    )
    return padded


def _which(sources: Sequence[Path]) -> tuple[Path, str]:
    """The folder and name of the graph that the sources are about."""
    if len(sources) == 1 and sources[0].is_dir():
        folder, found = sources[0], sorted(p.name.split(".")[1] for p in sources[0].glob("ind.*.graph"))
    else:
        folder, found = sources[0].parent, sorted({p.name.split(".")[1] for p in sources})
    if len(found) != 1:
        names = ", ".join(found)
        raise SourceError(f"holds several graphs ({names}). Give the .graph file of one.", str(folder))
    return folder, found[0]


def _nodes(
    arrays: "Mapping[str, sparse.csr_array]", test: NDArray[np.int64], linked: int, place: Path
) -> "tuple[sparse.csr_array, NDArray[np.int64], list[str]]":
    """Word vectors, classes (-1: none) and splits of all nodes, in the order of the graph."""
    from scipy import sparse

    known, tested = arrays["allx"], arrays["tx"]
    labels, test_labels = arrays["ally"].toarray(), arrays["ty"].toarray()
    before = known.shape[0]
    same = known.shape[1] == tested.shape[1] and labels.shape[1] == test_labels.shape[1]
    if not same or (len(test), before) != (tested.shape[0], len(labels)) or len(test) != len(test_labels):
        raise SourceError("its files have different numbers of nodes, words or classes.", str(place))
    if len(test) and int(test.min()) < before:
        raise SourceError("its test index names training nodes.", str(place))
    count = int(test.max()) + 1 if len(test) else before
    if count > max(linked, before + len(test)):
        raise SourceError(f"its test index names node {count - 1}, but {linked} have links.", str(place))
    if count * known.shape[1] > _MOST_VALUES:
        raise SourceError(f"its word vectors have more than {_MOST_VALUES:,} values.", str(place))
    rows = np.full(count, -1)
    rows[:before], rows[test] = np.arange(before), before + np.arange(len(test))
    stacked = sparse.vstack([known, tested, sparse.csr_array((1, known.shape[1]))], format="csr")
    marks = np.concatenate([labels, test_labels, np.zeros((1, labels.shape[1]), labels.dtype)])
    marked = marks[rows]
    classes = np.where(marked.any(axis=1), marked.argmax(axis=1), -1).astype(np.int64)
    split = np.full(count, "other", dtype=object)
    train = arrays["y"].shape[0]
    split[:train], split[train : min(train + _VALIDATION, before)] = "train", "validation"
    split[test] = "test"
    return stacked[rows], classes, split.tolist()


def _links(links: Mapping[Any, Any], count: int, path: Path) -> NDArray[np.int64]:
    """Each pair of neighbours once. Shape (2, edges)."""
    try:
        pairs = [(int(a), int(b)) for a, found in links.items() for b in found]
    except (TypeError, ValueError) as error:
        raise SourceError(f"holds no dictionary of neighbours ({error}).", str(path)) from error
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    if ends.size and (ends.min() < 0 or ends.max() >= count):
        bad = int(ends[(ends < 0) | (ends >= count)][0])
        raise SourceError(f"names node {bad}, but there are {count} nodes.", str(path))
    return np.unique(np.sort(ends, axis=0), axis=1)


def _test_index(path: Path, importing: Importing) -> NDArray[np.int64]:
    numbers = []
    for line, text in enumerate(read_bytes(path, importing).decode("ascii", "replace").splitlines(), 1):
        if not text.strip().isdigit() or len(text) > 18:
            raise SourceError(f"{text[:40]!r} is not the number of a node.", str(path), line)
        numbers.append(int(text))
    return np.array(numbers, dtype=np.int64)


def _matrix(path: Path, importing: Importing) -> "sparse.csr_array":
    """A matrix of numbers, dense or sparse in the file."""
    from scipy import sparse

    found = load_pickle(path, importing)
    if not isinstance(found, np.ndarray | sparse.csr_array) or found.ndim != 2:
        raise SourceError("holds no matrix of numbers.", str(path))
    return sparse.csr_array(found)
