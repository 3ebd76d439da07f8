"""Delimited files: columns of nodes and edges found by name, triples and edge lists without a header, tables of any layout.

Files called nodes… and edges…, and files that have `source` and `target`, need `id`, and these; `name` or `label` names nodes,
`type` or `kind` types them; `relation`, `type` or `metaedge` names relations. All other columns are features. Files without
a header are triples (head, relation, tail) or plain edge lists (source, target, optional weight). Where any file is none
of these, what its columns hold says how all are read (`formats/tabular.py`).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from graphtalk.core import SourceError, choices
from graphtalk.graphs.formats.columns_by_name import ID, LABEL, RELATION, SOURCE, TARGET, TYPE, first_of
from graphtalk.graphs.formats.files import head_lines, plain_name
from graphtalk.graphs.formats.kinds import is_number
from graphtalk.graphs.formats.rows import first_cells, parquet_columns, sniff_dialect, split_line
from graphtalk.graphs.formats.tables import PARQUET, read_tables
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.recipe import EdgeSpec, NodeSpec, Recipe
from graphtalk.graphs.tabular.words import is_keylike

SUFFIXES = (".tsv", ".tab", ".csv", ".txt", ".sif", ".edges", ".edgelist", ".dat", *PARQUET)
_STRONG = {"source", "target", "src", "dst"}
_HEADINGS = ("email", "date", "year", "description", "country", "city", "status", "category", "price", "age")
_COMMENT = ("#", "%")


def sniff(path: Path) -> bool:
    """Whether a file could be a delimited one."""
    return plain_name(path).endswith(SUFFIXES)


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """Files of nodes and edges, their columns found by name; triples or edge lists; or tables of any layout."""
    if all(is_certain(path) for path in sources):
        return _read(sources, importing, _guessed)
    from graphtalk.graphs.formats import tabular

    return tabular.read(sources, importing)


def is_certain(path: Path) -> bool:
    """Whether a file's name or columns alone say that it is of nodes, of edges, or without a header."""
    if (
        plain_name(path).endswith((".sif", ".edges", ".edgelist"))
        or _named(path, "nodes")
        or _named(path, "edges")
    ):
        return True
    if plain_name(path).endswith(PARQUET):
        names = parquet_columns(path)
    else:
        names = _cells(path)
        if not has_header(path, names):
            return True
    source, target = first_of(names, SOURCE), first_of(names, TARGET)
    if not source or not target or first_of(names, (*ID, *LABEL)):
        return False
    return {source.casefold(), target.casefold()} <= _STRONG or bool(first_of(names, RELATION))


def names_columns(path: Path) -> bool:
    """Whether a file's columns have names."""
    if plain_name(path).endswith(PARQUET):
        return True
    return not plain_name(path).endswith((".sif", ".edges", ".edgelist")) and has_header(path, _cells(path))


def has_header(path: Path, cells: Sequence[str]) -> bool:
    """Whether the first line of a file names columns. Of two or three it must show; more than three always have names."""
    if not 2 <= len(cells) <= 3:
        return True
    if any(
        first_of([cell.strip()], (*ID, *SOURCE, *TARGET, *LABEL, *_HEADINGS)) or is_keylike(cell)
        for cell in cells
    ):
        return True
    skip, _ = _layout(path)
    below = [split_line(line, path) for line in head_lines(path, skip + 50)[skip + 1 :] if line]
    for place, cell in enumerate(cells):
        column = [row[place] for row in below if len(row) == len(cells)]
        if column and not is_number(cell) and all(is_number(value) for value in column) and place < 2:
            return True
    return False


def read_triples(sources: Sequence[Path], importing: Importing) -> Graph:
    """Files of triples without a header: head, relation, tail."""
    return _read(sources, importing, _triples)


def read_edge_list(sources: Sequence[Path], importing: Importing) -> Graph:
    """Files without a header: source, target and, if there is a third column, weight."""
    return _read(sources, importing, _edge_list)


def _read(
    sources: Sequence[Path], importing: Importing, spec_of: Callable[[Path], NodeSpec | EdgeSpec]
) -> Graph:
    specs = [spec_of(path) for path in sources]
    recipe = Recipe(
        nodes=tuple(s for s in specs if isinstance(s, NodeSpec)),
        edges=tuple(s for s in specs if isinstance(s, EdgeSpec)),
    )
    return read_tables(recipe, lambda spec: [Path(file) for file in spec.files], importing)


def _guessed(path: Path) -> NodeSpec | EdgeSpec:
    if plain_name(path).endswith(PARQUET) or _named(path, "nodes") or _named(path, "edges"):
        return _by_header(path)
    cells = _cells(path)
    if has_header(path, cells):
        return _by_header(path)
    if len(cells) == 2 or (len(cells) == 3 and is_number(cells[2])):
        return _edge_list(path)
    return _triples(path) if len(cells) == 3 else _by_header(path)


def _named(path: Path, what: str) -> bool:
    return plain_name(path).startswith(what)


def _by_header(path: Path) -> NodeSpec | EdgeSpec:
    names, place = _header(path), str(path)
    is_nodes = _named(path, "nodes") and first_of(names, ID)  # which may have a beginning and an end
    ends = first_of(names, SOURCE) or first_of(names, TARGET)
    if _named(path, "edges") or (ends and not is_nodes):
        return edge_spec(names, place)
    if not first_of(names, ID) and not _named(path, "nodes"):
        needs = "'id' (of nodes), nor 'source' and 'target' (of edges)"
        raise SourceError(f"no column {needs}. {choices('id', names, most=12)}", place, 1)
    return node_spec(names, place)


def node_spec(columns: Sequence[str], place: str) -> NodeSpec:
    """Which columns of nodes are which, by their names. Raises SourceError where `id` is missing."""
    node_id = _needed(columns, ID, place)
    return NodeSpec((place,), id=node_id, type=first_of(columns, TYPE), label=first_of(columns, LABEL))


def edge_spec(columns: Sequence[str], place: str) -> EdgeSpec:
    """Which columns of edges are which, by their names. Raises SourceError where an end is missing."""
    source, target = _needed(columns, SOURCE, place), _needed(columns, TARGET, place)
    return EdgeSpec((place,), source=source, target=target, relation=first_of(columns, RELATION))


def _needed(columns: Sequence[str], wanted: Sequence[str], place: str) -> str:
    found = first_of(columns, wanted)
    if not found:
        raise SourceError(f"no column {wanted[0]!r}. {choices(wanted[0], columns, most=12)}", place, 1)
    return found


def _triples(path: Path) -> EdgeSpec:
    skip, cells = _layout(path)
    if len(cells) != 3:
        raise SourceError(f"{len(cells)} columns, where triples have three.", str(path), skip + 1)
    columns = ("source", "relation", "target")
    return EdgeSpec((str(path),), header=False, columns=columns, skip=skip, relation="relation")


def _edge_list(path: Path) -> EdgeSpec:
    skip, cells = _layout(path)
    if len(cells) not in (2, 3):
        raise SourceError(f"{len(cells)} columns, where an edge list has two or three.", str(path), skip + 1)
    return EdgeSpec(
        (str(path),), header=False, columns=("source", "target", "weight")[: len(cells)], skip=skip
    )


def _header(path: Path) -> list[str]:
    if plain_name(path).endswith(PARQUET):
        return parquet_columns(path)
    return list(sniff_dialect(path).columns)


def _cells(path: Path) -> list[str]:
    return _layout(path)[1]


def _layout(path: Path) -> tuple[int, list[str]]:
    """How many lines of comment a file begins with, and the cells of the first line after them."""
    lines = head_lines(path, 200)
    skip = next((i for i, line in enumerate(lines) if not line.startswith(_COMMENT)), 0)
    return skip, first_cells(path, skip)
