"""Adjacency matrices: a table whose columns are called as its rows are; a cell that is not 0 or blank is an edge with a weight."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from graphtalk.graphs.assemble import EdgeRows, NodeRows, Rules, assemble, same_text
from graphtalk.graphs.formats.files import head_lines, plain_name
from graphtalk.graphs.formats.graph_xml import one_file
from graphtalk.graphs.formats.kinds import infer_kind, is_number
from graphtalk.graphs.formats.layout import layout
from graphtalk.graphs.formats.rows import column, read_rows, sniff_dialect, split_line, text_column
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.recipe import RelationSpec

_ENDINGS = (".csv", ".tsv", ".tab", ".txt")


def sniff(path: Path) -> bool:
    """Whether a file begins with a line of names and goes on with these names, each before as many numbers."""
    if not path.is_file() or not plain_name(path).endswith(_ENDINGS):
        return False
    skip, names = layout(path)
    if len(names) < 3 or len(set(names)) < len(names):
        return False
    rows = [split_line(line, path) for line in head_lines(path, skip + 50)[skip + 1 :] if line.strip()]
    whole = rows[:-1] if len(rows) < len(names) - 1 else rows  # the last may be cut
    return bool(whole) and all(
        len(row) == len(names)
        and row[0].strip() == name.strip()
        and all(not cell.strip() or is_number(cell) for cell in row[1:])
        for row, name in zip(whole, names[1:], strict=False)
    )


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """One matrix: rows lead to columns. Where it is the same from both sides, its edges have no direction."""
    path = one_file(sources)
    rows = read_rows(path, sniff_dialect(path, skip=layout(path)[0]), importing)
    first, *names = rows.table.column_names
    ids = pa.chunked_array([pa.array(names, pa.string())])
    height = rows.table.num_rows
    cells = [
        infer_kind(column(rows, name)).cast(pa.float64()).to_numpy(zero_copy_only=False) for name in names
    ]
    weights = np.nan_to_num(np.stack(cells, axis=1) if cells else np.zeros((height, 0)))
    is_square = weights.shape[0] == weights.shape[1] and text_column(rows, first).to_pylist() == names
    symmetric = is_square and bool((weights == weights.T).all())
    at, to = np.nonzero(np.triu(weights) if symmetric else weights)
    called = text_column(rows, first).take(pa.array(at))
    features = pa.table({"weight": weights[at, to]}) if len(np.unique(weights[at, to])) > 1 else pa.table({})
    edges = EdgeRows(
        called,
        ids.take(pa.array(to)),
        same_text("edge", len(at)),
        features,
        str(path),
        lambda row: rows.line(int(at[row])),
        textual=False,
    )
    nodes = NodeRows(pa.table({"id": ids}), ids, same_text(None, len(names)), str(path), lambda _: 1)
    rules = Rules({"edge": RelationSpec(inverse="edge")} if symmetric else {}, once=False)
    return assemble([nodes], [edges], rules, importing.rejects, importing.name)
