"""Edge lists as they are found: comments, any separator, weights, networkx's dictionaries (`a b {'weight': 1}`).

Where all lines are alike, Arrow reads them (`formats/delimited.py`); this reads the others, line by line.
"""

import ast
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphtalk.core import SourceError
from graphtalk.graphs.formats.files import BROKEN, head_lines, open_bytes, plain_name
from graphtalk.graphs.formats.gathered import Gathering
from graphtalk.graphs.formats.graph_xml import one_file
from graphtalk.graphs.formats.kinds import is_number
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing

_COMMENT = ("#", "%", "//")
_ENDINGS = (".edgelist", ".edges", ".txt", ".ncol", ".el", ".wel", ".dat", ".mtx")
_LISTS = (".adjlist", ".adj")  # each line a node and those that edges lead to from it
_LONGEST = 1 << 16  # bytes of a line
_DICTIONARY = re.compile(r"\{[^{}]*\}$")
_SPLIT = re.compile(r"\s*[,;|\t]\s*|\s+")
_SOME = 50  # lines that are looked at


def sniff(path: Path) -> bool:
    """Whether a file's first lines are edges of an irregular list: dictionaries, comments between, runs of blanks."""
    if not path.is_file() or not plain_name(path).endswith((*_ENDINGS, *_LISTS)):
        return False
    lines = [line.strip() for line in head_lines(path, _SOME) if line.strip()]
    if plain_name(path).endswith(_LISTS) or (lines and lines[0].lower().startswith("%%matrixmarket")):
        return True
    edges = [line for line in lines if not line.startswith(_COMMENT)]
    if not edges or not all(_is_edge(line) for line in edges[:-1] or edges):
        return False
    between = any(line.startswith(_COMMENT) for line in lines[lines.index(edges[0]) :])
    runs = any(re.search(r"\S(  +|\t\s|\s\t)\S", line) for line in edges)
    widths = {len(_SPLIT.split(line)) for line in edges}
    return any(_DICTIONARY.search(line) for line in edges) or between or runs or widths == {2, 3}


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """One edge list: source, target and, if there is one, a weight or a dictionary of features in each line.

    In lists of neighbours (`.adjlist`) each line has a node, and those that edges lead to from it.
    """
    path = one_file(sources)
    is_lists = plain_name(path).endswith(_LISTS)
    nodes: dict[str, int] = {}
    into = Gathering(path, importing)
    is_banner, number = False, 0
    with open_bytes(path, importing.progress) as file:
        try:
            while line := file.readline(_LONGEST + 1):
                number += 1
                if len(line) > _LONGEST:
                    raise SourceError(f"the line is longer than {_LONGEST:,} bytes.", str(path), number)
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if number == 1 and text.lower().startswith("%%matrixmarket"):
                    is_banner = True
                elif text and not text.startswith(_COMMENT):
                    if is_banner:
                        is_banner = False  # the sizes of the matrix
                    elif is_lists:
                        first, *others = _cells(text)
                        nodes |= dict.fromkeys((first, *others), number)
                        for other in others:
                            into.edge(first, other, None, {}, number)
                    else:
                        _take(text, number, into, path)
        except UnicodeDecodeError:
            raise SourceError("not UTF-8 (save the file in that encoding).", str(path), number) from None
        except BROKEN as error:
            raise SourceError(f"cannot be read ({error}).", str(path), number + 1) from error
    for node, first_line in nodes.items():
        into.node(node, None, {}, first_line)
    if not into.knows():
        raise SourceError("has no edges.", str(path))
    return into.graph()


def _is_edge(line: str) -> bool:
    found = _DICTIONARY.search(line)
    cells = _cells(line[: found.start()] if found else line)
    return len(cells) == 2 or (len(cells) == 3 and found is None and is_number(cells[2]))


def _cells(text: str) -> list[str]:
    return _SPLIT.split(text.strip().rstrip(",;|").strip())


def _take(text: str, number: int, into: Gathering, path: Path) -> None:
    found = _DICTIONARY.search(text)
    cells = _cells(text[: found.start()] if found else text)
    features: dict[str, Any] = {}
    if found is not None:
        features = _features(found[0], path, number)
    elif len(cells) == 3:
        if not is_number(cells[2]):
            raise SourceError(f"{cells[2][:100]!r} is no weight.", str(path), number)
        value = float(cells[2])
        features = {"weight": int(value) if value.is_integer() and abs(value) < 2**53 else value}
    if len(cells) != (2 if found else min(3, max(2, len(cells)))):
        raise SourceError(f"{len(cells)} cells where an edge has two ends and a weight.", str(path), number)
    relation = features.pop("relation", None)
    into.edge(cells[0], cells[1], str(relation) if relation is not None else None, features, number)


def _features(text: str, path: Path, line: int) -> dict[str, Any]:
    """The values of a dictionary of plain values as Python writes it; nothing in it is run."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        value = None
    if not isinstance(value, dict):
        raise SourceError(f"{text[:100]!r} is no dictionary of values.", str(path), line)
    return {str(key): part for key, part in value.items()}
