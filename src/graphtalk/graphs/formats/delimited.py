"""Delimited files whose columns are found by name: nodes, edges, triples and plain edge lists.

Nodes need a column `id`; `name` or `label` names them, `type` or `kind` types them. Edges need `source` and
`target`; `relation`, `type` or `metaedge` names their relation. All other columns are features. Files without
a header are triples (head, relation, tail) or plain edge lists (source, target, optional weight).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from graphtalk.core import SourceError, choices
from graphtalk.graphs.formats.files import head_lines, plain_name
from graphtalk.graphs.formats.kinds import is_number
from graphtalk.graphs.formats.rows import first_cells, parquet_columns, sniff_dialect
from graphtalk.graphs.formats.tables import PARQUET, read_tables
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.recipe import EdgeSpec, NodeSpec, Recipe

SUFFIXES = (".tsv", ".tab", ".csv", ".txt", ".sif", ".edges", ".edgelist", ".dat", *PARQUET)
_ID = ("id",)
_SOURCE = ("source", "src", "from", "head", "subject", "start")
_TARGET = ("target", "dst", "to", "tail", "object", "end")
_RELATION = ("relation", "type", "metaedge", "predicate")
_TYPE = ("type", "kind")
_LABEL = ("name", "label", "title")
_COMMENT = ("#", "%")


def sniff(path: Path) -> bool:
    """Whether a file could be a delimited one."""
    return plain_name(path).endswith(SUFFIXES)


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """Files of nodes and edges, their columns found by name; without a header, triples or edge lists."""
    return _read(sources, importing, _guessed)


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
    if _first(cells, _ID) or _first(cells, _SOURCE) or _first(cells, _TARGET):
        return _by_header(path)
    if len(cells) == 2 or (len(cells) == 3 and is_number(cells[2])):
        return _edge_list(path)
    return _triples(path) if len(cells) == 3 else _by_header(path)


def _named(path: Path, what: str) -> bool:
    return plain_name(path).startswith(what)


def _by_header(path: Path) -> NodeSpec | EdgeSpec:
    names, place = _header(path), str(path)
    is_nodes = _named(path, "nodes") and _first(names, _ID)  # which may have a beginning and an end
    ends = _first(names, _SOURCE) or _first(names, _TARGET)
    if _named(path, "edges") or (ends and not is_nodes):
        return edge_spec(names, place)
    if not _first(names, _ID) and not _named(path, "nodes"):
        needs = "'id' (of nodes), nor 'source' and 'target' (of edges)"
        raise SourceError(f"no column {needs}. {choices('id', names, most=12)}", place, 1)
    return node_spec(names, place)


def node_spec(columns: Sequence[str], place: str) -> NodeSpec:
    """Which columns of nodes are which, by their names. Raises SourceError where `id` is missing."""
    node_id = _needed(columns, _ID, place)
    return NodeSpec((place,), id=node_id, type=_first(columns, _TYPE), label=_first(columns, _LABEL))


def edge_spec(columns: Sequence[str], place: str) -> EdgeSpec:
    """Which columns of edges are which, by their names. Raises SourceError where an end is missing."""
    source, target = _needed(columns, _SOURCE, place), _needed(columns, _TARGET, place)
    return EdgeSpec((place,), source=source, target=target, relation=_first(columns, _RELATION))


def _needed(columns: Sequence[str], wanted: Sequence[str], place: str) -> str:
    found = _first(columns, wanted)
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


def _first(names: Sequence[str], wanted: Sequence[str]) -> str:
    """The first of the wanted names that is there, as it is spelled there; "" if none is."""
    folded = {name.casefold(): name for name in reversed(names)}
    return next((folded[name] for name in wanted if name in folded), "")


def _layout(path: Path) -> tuple[int, list[str]]:
    """How many lines of comment a file begins with, and the cells of the first line after them."""
    lines = head_lines(path, 200)
    skip = next((i for i, line in enumerate(lines) if not line.startswith(_COMMENT)), 0)
    return skip, first_cells(path, skip)
