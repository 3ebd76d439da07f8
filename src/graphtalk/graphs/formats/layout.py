"""How a delimited file is laid out: whether its columns have names, and what they are where they have none."""

from collections.abc import Sequence
from pathlib import Path

from graphtalk.core import SourceError, choices
from graphtalk.graphs.formats.columns_by_name import ID, LABEL, RELATION, SOURCE, TARGET, TYPE, first_of
from graphtalk.graphs.formats.files import head_lines, plain_name
from graphtalk.graphs.formats.kinds import is_number
from graphtalk.graphs.formats.rows import first_cells, split_line
from graphtalk.graphs.formats.tables import PARQUET
from graphtalk.graphs.recipe import EdgeSpec, NodeSpec
from graphtalk.graphs.tabular.words import is_keylike, pair_of_names

_HEADINGS = ("email", "date", "year", "description", "country", "city", "status", "category", "price", "age")
_COMMENT = ("#", "%")


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
    skip, _ = layout(path)
    below = [split_line(line, path) for line in head_lines(path, skip + 50)[skip + 1 :] if line]
    columns = [[row[place] for row in below if len(row) == len(cells)] for place in range(len(cells))]
    if any(
        column and not is_number(cell) and all(map(is_number, column))
        for cell, column in zip(cells[:2], columns, strict=False)
    ):
        return True
    ends = list(zip(cells[:2], columns, strict=False))
    if not columns[0] or any(cell in column for cell, _ in ends for column in columns):
        return False
    pair = pair_of_names(cells[:2])
    if pair is not None and pair.rank:
        return True
    return (pair is not None or len(below) > 2) and all(
        _shape(cell) not in set(map(_shape, column)) for cell, column in ends
    )


def _shape(cell: str) -> tuple[bool, bool, bool, bool]:
    """What a cell looks like: whether of one letter, with digits, with capitals, with anything else."""
    others = any(not letter.isalnum() for letter in cell)
    return len(cell) == 1, any(map(str.isdigit, cell)), cell.lower() != cell, others


def bare_spec(path: Path) -> EdgeSpec:
    """How a file without a header is read: as an edge list of two columns or with a weight, else as triples."""
    cells = _cells(path)
    plain = len(cells) == 2 or (len(cells) == 3 and is_number(cells[2]))
    return edge_list(path) if plain else triples(path)


def node_spec(columns: Sequence[str], place: str) -> NodeSpec:
    """Which columns of nodes are which, by their names. Raises SourceError where `id` is missing."""
    node_id = _needed(columns, ID, place)
    return NodeSpec((place,), id=node_id, type=first_of(columns, TYPE), label=first_of(columns, LABEL))


def edge_spec(columns: Sequence[str], place: str) -> EdgeSpec:
    """Which columns of edges are which, by their names. Raises SourceError where an end is missing."""
    pair = pair_of_names(columns)
    source, target = (
        (pair.source, pair.target)
        if pair is not None
        else (_needed(columns, SOURCE, place), _needed(columns, TARGET, place))
    )
    rest = [name for name in columns if name not in (source, target)]
    return EdgeSpec((place,), source=source, target=target, relation=first_of(rest, RELATION))


def _needed(columns: Sequence[str], wanted: Sequence[str], place: str) -> str:
    found = first_of(columns, wanted)
    if not found:
        valid = choices(wanted[0], columns, most=12)
        raise SourceError(
            f"no column {wanted[0]!r}. {valid} Call the one that is meant {wanted[0]}.", place, 1
        )
    return found


def triples(path: Path) -> EdgeSpec:
    """How a file of triples is read. Raises SourceError where it has not three columns."""
    skip, cells = layout(path)
    if len(cells) != 3:
        raise SourceError(f"{len(cells)} columns, where triples have three.", str(path), skip + 1)
    columns = ("source", "relation", "target")
    return EdgeSpec((str(path),), header=False, columns=columns, skip=skip, relation="relation")


def edge_list(path: Path) -> EdgeSpec:
    """How an edge list is read. Raises SourceError where it has not two or three columns."""
    skip, cells = layout(path)
    if len(cells) not in (2, 3):
        raise SourceError(f"{len(cells)} columns, where an edge list has two or three.", str(path), skip + 1)
    return EdgeSpec(
        (str(path),), header=False, columns=("source", "target", "weight")[: len(cells)], skip=skip
    )


def _cells(path: Path) -> list[str]:
    return layout(path)[1]


def layout(path: Path) -> tuple[int, list[str]]:
    """How many lines of comment a file begins with, and the cells of the first line after them.

    A line such as `#id,name`, as wide as the one after it, names columns.
    """
    lines = head_lines(path, 200)
    skip = next((i for i, line in enumerate(lines) if not line.startswith(_COMMENT)), 0)
    if skip and lines[skip - 1][:1] == "#" and lines[skip - 1][1:2] != " ":
        above, below = (split_line(line, path) for line in lines[skip - 1 : skip + 1])
        skip -= len(above) == len(below) > 1
    return skip, first_cells(path, skip)
