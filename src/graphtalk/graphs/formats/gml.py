"""GML (Himsolt, 1997): keys and values, lists in brackets; as networkx, igraph, yEd and Cytoscape write it.

Nodes go by their labels where each has one of its own, else by their numbers.
"""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from graphtalk.core import SourceError
from graphtalk.core.reading import MOST_DEPTH, in_words
from graphtalk.graphs.formats.files import BROKEN, guess_encoding, open_bytes, plain_name
from graphtalk.graphs.formats.gathered import Gathering
from graphtalk.graphs.formats.graph_xml import one_file
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing

_TOKEN = re.compile(
    r"\s+|#[^\n]*|(?P<key>[A-Za-z_]\w*)|(?P<number>[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.])"
    r'|(?P<signed>[-+](?:INF|inf))|"(?P<text>[^"]*)"|(?P<open>\[)|(?P<shut>\])'
)
_LONGEST_NUMBER = 400  # digits
_LIST = "_networkx_list_start"
_NUMBERS = {"NAN": float("nan"), "INF": float("inf"), "+INF": float("inf"), "-INF": float("-inf")}

_Record: TypeAlias = dict[str, Any]


def sniff(path: Path) -> bool:
    """Whether a file is called *.gml."""
    return plain_name(path).endswith(".gml")


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """One GML file."""
    path = one_file(sources)
    with open_bytes(path, importing.progress, guess_encoding(path)) as file:
        try:
            text = file.read().decode("utf-8-sig")
        except (*BROKEN, UnicodeDecodeError) as error:
            raise SourceError(f"cannot be read ({in_words(error)}).", str(path)) from error
    reader = _Reader(text, path)
    graphs = [value for key, value, _ in reader.members() if key == "graph" and isinstance(value, dict)]
    if not graphs:
        raise SourceError("cannot be read: it has no graph.", str(path))
    return _graph(graphs[0], Gathering(path, importing), path)


def _graph(found: _Record, into: Gathering, path: Path) -> Graph:
    nodes, edges = _records(found, "node"), _records(found, "edge")
    directed = found.get("directed", 0) in (1, True)
    for what, records, keys in (("node", nodes, ("id",)), ("edge", edges, ("source", "target"))):
        for record in records:
            for key in keys:
                if key not in record:
                    raise SourceError(f"cannot be read: a {what} has no {key!r}.", str(path), record[_LINE])
    labels = [record.get("label") for record in nodes]
    named = None not in labels and len({str(label) for label in labels}) == len(nodes)
    names = {str(r["id"]): str(r["label"] if named else r["id"]) for r in nodes}
    without = ("id", "label", "type", _LINE) if named else ("id", "type", _LINE)
    for record in nodes:
        kind = record.get("type")
        features = _without(record, without)
        into.node(names[str(record["id"])], None if kind is None else str(kind), features, record[_LINE])
    for record in edges:
        if record.get("reversed"):
            continue
        relation = record.get("relation") or record.get("type") or record.get("label")
        taken = next((k for k in ("relation", "type", "label") if record.get(k)), "")
        source, target = (names.get(str(record[end]), str(record[end])) for end in ("source", "target"))
        features = _without(record, ("source", "target", "key", "reversed", taken, _LINE))
        into.edge(
            source, target, None if relation is None else str(relation), features, record[_LINE], not directed
        )
    return into.graph()


_LINE = "\0line"


def _records(found: _Record, key: str) -> list[_Record]:
    value = found.get(key, [])
    return [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, dict)]


def _without(record: Mapping[str, Any], names: Sequence[str]) -> _Record:
    return {key: _plain(value) for key, value in record.items() if key not in names}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items() if key != _LINE}
    return [_plain(part) for part in value if part != _LIST] if isinstance(value, list) else value


class _Reader:
    """Members of lists, one after the other, with the line that each begins in."""

    def __init__(self, text: str, path: Path) -> None:
        self._text = text
        self._path = path
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._tokens = self._scan()

    def members(self, depth: int = 0) -> Iterator[tuple[str, Any, int]]:
        """Key, value and line of what follows, to the end of the list."""
        for kind, text, place in self._tokens:
            if kind == "shut":
                if depth == 0:
                    raise self._fault("a bracket too many", place)
                return
            if kind != "key":
                raise self._fault(f"{text[:40]!r} where a name should stand", place)
            yield text, self._value(depth), self._line(place)
        if depth:
            raise self._fault("a bracket is not closed", len(self._text))

    def _value(self, depth: int) -> Any:
        kind, text, place = next(self._tokens, ("end", "", len(self._text)))
        if kind == "number":
            if len(text) > _LONGEST_NUMBER:
                raise self._fault("a number that is too large", place)
            return float(text) if any(c in ".eE" for c in text) else int(text)
        if kind == "text":
            return html.unescape(text)
        if kind == "open":
            if depth >= MOST_DEPTH:
                raise self._fault("nested too deeply", place)
            return self._list(depth + 1, self._line(place))
        if text.upper() in _NUMBERS:
            return _NUMBERS[text.upper()]
        raise self._fault(f"{text[:40]!r} where a value should stand" if text else "it is cut short", place)

    def _list(self, depth: int, line: int) -> _Record:
        found: _Record = {}
        several: set[str] = set()
        for key, value, _ in self.members(depth):
            if key in several:
                found[key].append(value)
            elif key in found:
                found[key] = [found[key], value]
                several.add(key)
            else:
                found[key] = value
        return found | {_LINE: line}

    def _scan(self) -> Iterator[tuple[str, str, int]]:
        place = 0
        while place < len(self._text):
            match = _TOKEN.match(self._text, place)
            if match is None:
                raise self._fault(f"{self._text[place : place + 20]!r} means nothing", place)
            if match.lastgroup:
                yield match.lastgroup, match[match.lastgroup], place
            place = match.end()

    def _line(self, place: int) -> int:
        return bisect_right(self._ends, place - 1) + 1

    def _fault(self, what: str, place: int) -> SourceError:
        return SourceError(f"cannot be read: {what}.", str(self._path), self._line(place))
