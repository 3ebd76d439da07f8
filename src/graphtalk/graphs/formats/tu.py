"""Graph sets in the text format of TU Dortmund (Morris et al., 2020): NAME_A.txt and others, folder or zip.

Graphs and nodes are called by their positions from 0, as in PyTorch Geometric.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphtalk.core import SourceError
from graphtalk.graphs.edges import is_mirror
from graphtalk.graphs.formats.archives import names_in, unpack_texts
from graphtalk.graphs.formats.files import line_at
from graphtalk.graphs.formats.kinds import is_number
from graphtalk.graphs.formats.rows import Dialect, read_rows
from graphtalk.graphs.formats.sets import graph_set
from graphtalk.graphs.graph_set import GraphSet
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.scratch import scratch

_END = "_graph_indicator.txt"


def sniff(path: Path) -> bool:
    """Whether a folder or zip file has a file NAME_graph_indicator.txt."""
    if path.is_dir():
        return any(path.glob(f"*{_END}"))
    if path.suffix.lower() != ".zip":
        return False
    try:
        return any(name.endswith(_END) for name in names_in(path))
    except SourceError:
        return True  # no other format comes as a zip file; the reader says what is wrong


def read(sources: Sequence[Path], importing: Importing) -> GraphSet:
    """One data set. Labels and attributes of graphs, nodes and edges become features of these."""
    source = sources[0]
    if len(sources) != 1:
        raise SourceError(f"one data set is read at a time, not {len(sources)}.", str(sources[1]))
    if source.is_dir():
        return _read(source, importing)
    with scratch(Path(tempfile.gettempdir()), "graphtalk-tu-") as folder:
        unpack_texts(source, folder)
        try:
            return _read(folder, importing)
        except SourceError as error:
            raise SourceError(str(error).replace(str(folder), str(source))) from None


def _read(folder: Path, importing: Importing) -> GraphSet:
    found = sorted(folder.glob(f"*{_END}"))
    if len(found) != 1:
        raise SourceError(f"{len(found)} files *{_END}, where there must be one.", str(folder))
    prefix = str(found[0]).removesuffix(_END)
    members = _whole_numbers(found[0], importing)[0]
    if len(members) and (int(members.min()) < 1 or (np.diff(members) < 0).any()):
        row = int(np.flatnonzero(np.diff(members, prepend=1) < 0)[0])
        raise SourceError("the graphs do not follow each other from 1.", str(found[0]), row + 1)
    ends = _ends(Path(f"{prefix}_A.txt"), members, importing)
    graphs = _features(prefix, "graph", importing)
    nodes = _features(prefix, "node", importing)
    edges = _features(prefix, "edge", importing)
    count = graphs.num_rows if graphs.num_columns else int(members.max(initial=0))
    if not graphs.num_columns and count > len(members):
        raise SourceError(
            f"names graph {count:,}, but has {len(members):,} nodes.", str(found[0]), len(members)
        )
    for table, size, what in ((nodes, len(members), "node"), (edges, ends.shape[1], "edge")):
        if table.num_columns and table.num_rows != size:
            raise SourceError(
                f"{table.num_rows} {what} labels for {size} {what}s.", f"{prefix}_{what}_labels.txt"
            )
    if int(members.max(initial=0)) > count:
        raise SourceError(f"{count} labels for {members.max()} graphs.", f"{prefix}_graph_labels.txt")
    sizes = np.bincount(members - 1, minlength=count)
    undirected = is_mirror(ends)
    if undirected:
        once = np.flatnonzero(ends[0] <= ends[1])
        ends, edges = ends[:, once], edges.take(pa.array(once)) if edges.num_columns else edges
    return graph_set(sizes, ends, nodes, edges, graphs, undirected, Path(prefix).name)


def _ends(path: Path, members: NDArray[np.int64], importing: Importing) -> NDArray[np.int64]:
    """Both ends of all edges, from 0. Shape (2, edges)."""
    columns = _whole_numbers(path, importing)
    if len(columns) != 2:
        raise SourceError(f"{len(columns)} columns, where an edge has two ends.", str(path), 1)
    ends = np.stack(columns) - 1
    outside = ((ends < 0) | (ends >= len(members))).any(axis=0)
    if outside.any():
        row = int(np.flatnonzero(outside)[0])
        raise SourceError(f"an end is none of the {len(members)} nodes.", str(path), row + 1)
    across = members[ends[0]] != members[ends[1]]
    if across.any():
        raise SourceError("an edge joins two graphs.", str(path), int(np.flatnonzero(across)[0]) + 1)
    return ends


def _features(prefix: str, what: str, importing: Importing) -> pa.Table:
    """Labels and attributes of graphs, nodes or edges, as far as there are files of them."""
    columns: dict[str, pa.Array] = {}
    for kind, name in (("labels", "label"), ("attributes", "attributes")):
        path = Path(f"{prefix}_{what}_{kind}.txt")
        if not path.exists():
            continue
        found = _numbers(path, importing)
        values = np.stack(found, axis=1)
        whole = values.astype(np.int64) if name == "label" and _are_whole(values) else values
        if whole.shape[1] == 1:
            columns[name] = pa.array(whole[:, 0])
        else:
            columns[name] = pa.FixedSizeListArray.from_arrays(pa.array(whole.ravel()), whole.shape[1])
    return pa.table(columns)


def _are_whole(values: NDArray[np.float64]) -> bool:
    return bool(((values == np.floor(values)) & (np.abs(values) < 2**53)).all())


def _whole_numbers(path: Path, importing: Importing) -> list[NDArray[np.int64]]:
    """As `_numbers`, of whole numbers."""
    columns = _numbers(path, importing)
    for values in columns:
        if not _are_whole(values):
            row = next(i for i, value in enumerate(values) if not _are_whole(np.array([value])))
            raise SourceError(
                f"{values[row]} is not a whole number of 15 digits at most.", str(path), row + 1
            )
    return [values.astype(np.int64) for values in columns]


def _numbers(path: Path, importing: Importing) -> list[NDArray[np.float64]]:
    """The columns of a file of numbers separated by commas."""
    width = line_at(path, 0).count(",") + 1
    dialect = Dialect(",", False, tuple(f"{i}" for i in range(width)), 0)
    rows = read_rows(path, dialect, importing)
    columns = []
    for cells in rows.table.columns:
        trimmed = pc.utf8_trim_whitespace(cells)
        try:
            columns.append(pc.cast(trimmed, pa.float64()).to_numpy())
        except pa.ArrowInvalid:
            row = next(i for i, text in enumerate(trimmed.to_pylist()) if not is_number(text))
            raise SourceError(f"{cells[row].as_py()!r} is not a number.", str(path), rows.line(row)) from None
    return columns
