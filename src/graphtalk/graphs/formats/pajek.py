"""Pajek's .net: numbered vertices, then arcs (directed) and edges (not), each with a weight; several relations by name.

Vertices go by their labels where each has one of its own, else by their numbers.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphtalk.core import SourceError
from graphtalk.graphs.formats.files import BROKEN, guess_encoding, head_lines, open_bytes, plain_name
from graphtalk.graphs.formats.gathered import Gathering
from graphtalk.graphs.formats.graph_xml import one_file
from graphtalk.graphs.formats.kinds import is_number
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing

_CELL = re.compile(r'"([^"]*)"|(\S+)')
_SECTION = re.compile(r'\*(\w+)\s*(?::?\s*(\d+))?\s*(?:"([^"]*)")?')
_LONGEST = 1 << 20


def sniff(path: Path) -> bool:
    """Whether a file is called *.net or *.paj and begins with a section."""
    if not plain_name(path).endswith((".net", ".paj", ".pajek")) or not path.is_file():
        return False
    return any(line.lstrip().startswith("*") for line in head_lines(path, 20))


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """One Pajek network."""
    path = one_file(sources)
    reader = _Reader(path, Gathering(path, importing))
    with open_bytes(path, importing.progress, guess_encoding(path)) as file:
        try:
            for number, line in enumerate(file, 1):
                if len(line) > _LONGEST:
                    raise SourceError(
                        f"cannot be read: the line is longer than {_LONGEST:,} bytes.", str(path), number
                    )
                reader.take(line.decode("utf-8-sig" if number == 1 else "utf-8").strip(), number)
        except UnicodeDecodeError:
            raise SourceError("cannot be read: not UTF-8.", str(path), number) from None
        except BROKEN as error:
            raise SourceError(f"cannot be read ({error}).", str(path)) from error
    return reader.graph()


class _Reader:
    """Takes a network line by line."""

    def __init__(self, path: Path, into: Gathering) -> None:
        self._path = path
        self._into = into
        self._section, self._relation = "", ""
        self._vertices: dict[str, tuple[str, dict[str, Any], int]] = {}
        self._edges: list[tuple[str, str, str, dict[str, Any], int, bool]] = []
        self._count: int | None = None

    def take(self, line: str, number: int) -> None:
        """The next line, without blanks around it."""
        if not line or line.startswith("%"):
            return
        if line.startswith("*"):
            self._begin(line, number)
            return
        cells = [quoted or plain for quoted, plain in _CELL.findall(line)]
        if self._section == "vertices":
            self._vertices[cells[0]] = self._vertex(cells, number)
        elif self._section in ("arcs", "edges"):
            self._edge(cells, number)
        elif self._section in ("arcslist", "edgeslist"):
            for target in cells[1:]:
                self._add(cells[0], target, {}, number)
        elif self._section == "matrix":
            raise self._fault("networks given as a matrix are not read", number)
        elif not self._section:
            raise self._fault("a section such as *Vertices should stand here", number)

    def graph(self) -> Graph:
        """The network."""
        if self._count is None:
            raise SourceError("cannot be read: it has no *Vertices.", str(self._path))
        labels = [label for label, _, _ in self._vertices.values()]
        named = len(set(labels)) == len(labels) and all(labels)
        names = {number: label if named else number for number, (label, _, _) in self._vertices.items()}
        for number, (label, features, line) in self._vertices.items():
            more = {} if named or not label else {"label": label}
            self._into.node(names[number], None, more | features, line)
        for source, target, relation, features, line, undirected in self._edges:
            ends = (names.get(source, source), names.get(target, target))
            self._into.edge(*ends, relation or None, features, line, undirected)
        return self._into.graph()

    def _begin(self, line: str, number: int) -> None:
        found = _SECTION.match(line)
        if found is None:
            raise self._fault(f"{line[:40]!r} is no section", number)
        self._section, self._relation = (
            found[1].lower(),
            found[3] or (f"relation {found[2]}" if found[2] else ""),
        )
        if self._section == "vertices":
            if self._count is not None:
                raise self._fault("it has several networks", number)
            self._count, self._relation = int(found[2] or 0), ""
            if self._count > self._path.stat().st_size * 8 + 1_000_000:
                raise self._fault(f"it says that it has {self._count:,} vertices", number)
        elif self._section in ("arcs", "edges", "arcslist", "edgeslist") and self._count is not None:
            for vertex in map(str, range(1, self._count + 1)):  # those without a line of their own
                self._vertices.setdefault(vertex, ("", {}, 0))

    def _vertex(self, cells: list[str], number: int) -> tuple[str, dict[str, Any], int]:
        if not cells[0].isdigit():
            raise self._fault(f"{cells[0][:40]!r} is no number of a vertex", number)
        places = [float(cell) for cell in cells[2:5] if is_number(cell)]
        return (cells[1] if len(cells) > 1 else ""), dict(zip("xyz", places, strict=False)), number

    def _edge(self, cells: list[str], number: int) -> None:
        if len(cells) < 2:
            raise self._fault("an edge has no two ends", number)
        features: dict[str, Any] = {}
        if len(cells) > 2 and is_number(cells[2]):
            features["weight"] = float(cells[2])
        for key, value in zip(cells[3::2], cells[4::2], strict=False):
            if key == "l":
                features["label"] = value
        self._add(cells[0], cells[1], features, number)

    def _add(self, source: str, target: str, features: dict[str, Any], number: int) -> None:
        undirected = self._section.startswith("edges")
        self._edges.append((source, target, self._relation, features, number, undirected))

    def _fault(self, what: str, line: int) -> SourceError:
        return SourceError(f"cannot be read: {what}.", str(self._path), line)
