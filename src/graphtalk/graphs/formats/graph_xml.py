"""GraphML and GEXF, element by element: what networkx, igraph, Gephi, yEd, Cytoscape and Neo4j write.

The node attribute `type` (Neo4j: `labels`) is the node type, the edge attribute `relation`, `type` or `label` the relation;
all others are features. Edges without a direction are seen from both ends under one name.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphtalk.core import SourceError
from graphtalk.graphs.formats.files import plain_name
from graphtalk.graphs.formats.gathered import Gathering
from graphtalk.graphs.formats.markup import Tag, tags
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing

_INTEGERS = ("int", "integer", "long", "short", "byte")
_FRACTIONS = ("float", "double", "decimal")
_LISTS = ("liststring", "listinteger", "listlong", "listdouble", "listfloat", "listboolean")
_DRAWN = ("NodeLabel", "EdgeLabel")  # yEd writes what it shows as drawings


def sniff_graphml(path: Path) -> bool:
    """Whether a file is called *.graphml."""
    return plain_name(path).endswith(".graphml")


def sniff_gexf(path: Path) -> bool:
    """Whether a file is called *.gexf."""
    return plain_name(path).endswith(".gexf")


def read_graphml(sources: Sequence[Path], importing: Importing) -> Graph:
    """One GraphML file. Nodes of graphs in nodes are read as nodes beside these."""
    return _read(sources, importing, _GraphML)


def read_gexf(sources: Sequence[Path], importing: Importing) -> Graph:
    """One GEXF file. Of values that change with time the last is taken."""
    return _read(sources, importing, _Gexf)


def one_file(sources: Sequence[Path]) -> Path:
    """The one file that is given. Raises SourceError where there are several."""
    if len(sources) != 1:
        raise SourceError(f"one file is read at a time, not {len(sources)}.", str(sources[1]))
    return sources[0]


@dataclass
class _Part:
    """A node or an edge that is being read."""

    attributes: Mapping[str, str]
    line: int
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Key:
    name: str
    kind: str
    default: str | None = None


class _Reader(ABC):
    """What both formats share: elements in one another, keys of attributes, nodes and edges."""

    def __init__(self, path: Path, importing: Importing) -> None:
        self.path = path
        self.into = Gathering(path, importing)
        self.open: list[_Part] = []
        self.is_graph = False

    @abstractmethod
    def take(self, tag: Tag) -> None:
        """The next tag."""

    def value(self, text: str, kind: str, line: int) -> Any:
        """A text as a value of the kind that its key says. Raises SourceError where it is none."""
        kind = kind.lower()
        try:
            if kind in _INTEGERS:
                return int(text)
            if kind in _FRACTIONS:
                return float(text)
        except ValueError:
            raise SourceError(f"cannot be read: {text[:100]!r} is no {kind}.", str(self.path), line) from None
        if kind == "boolean":
            return text.strip().lower() in ("true", "1")
        if kind in _LISTS:
            inner = text.strip().removeprefix("[").removesuffix("]")
            return [part.strip() for part in inner.split("," if "," in inner else "|")]
        return text

    def needed(self, part: _Part, name: str, what: str) -> str:
        """An attribute that an element must have."""
        if name not in part.attributes:
            raise SourceError(f"cannot be read: a {what} has no {name!r}.", str(self.path), part.line)
        return part.attributes[name]

    def add_node(self, part: _Part) -> None:
        """A node whose element is over."""
        values = part.values
        labels = str(part.attributes.get("labels") or values.pop("labels", "") or "")
        kind = values.pop("type", None) or labels.strip(":").split(":")[0]
        self.into.node(self.needed(part, "id", "node"), str(kind) if kind else None, values, part.line)

    def add_edge(self, part: _Part, relation: str, undirected: bool) -> None:
        """An edge whose element is over."""
        values = part.values
        if not values.pop("reversed", False):
            ends = [self.needed(part, end, "edge") for end in ("source", "target")]
            self.into.edge(ends[0], ends[1], relation or None, values, part.line, undirected)


class _GraphML(_Reader):
    def __init__(self, path: Path, importing: Importing) -> None:
        super().__init__(path, importing)
        self._keys: dict[str, _Key] = {}
        self._defaults: dict[str, dict[str, Any]] = {"node": {}, "edge": {}}
        self._key: tuple[str, str] = ("", "")
        self._data: list[str] = []
        self._directed = True

    def take(self, tag: Tag) -> None:
        if tag.is_start:
            self._started(tag)
        else:
            self._ended(tag)

    def _started(self, tag: Tag) -> None:
        told = tag.attributes
        if tag.name == "key":
            identity = told.get("id", "")
            name = told.get("attr.name") or ("" if "yfiles.type" in told else identity)
            self._keys[identity] = _Key(name, told.get("attr.type", "string"))
            self._key = (identity, told.get("for", "all"))
        elif tag.name == "graph":
            self.is_graph = True
            self._directed = told.get("edgedefault", "directed") != "undirected"
        elif tag.name in ("node", "edge"):
            self.open.append(_Part(told, tag.line, dict(self._defaults[tag.name])))
        elif tag.name == "data":
            self._data.append(told.get("key", ""))
        elif tag.name == "hyperedge":
            raise SourceError(
                "cannot be read: a hyperedge joins more than two nodes.", str(self.path), tag.line
            )

    def _ended(self, tag: Tag) -> None:
        if tag.name == "default" and self._key[0]:
            key = self._keys[self._key[0]]
            for what in ("node", "edge") if self._key[1] == "all" else (self._key[1],):
                if what in self._defaults and key.name:
                    self._defaults[what][key.name] = self.value(tag.text, key.kind, tag.line)
        elif tag.name == "key":
            self._key = ("", "")
        elif tag.name == "data" and self._data:
            self._add_data(self._data.pop(), tag)
        elif tag.name in _DRAWN and self.open and tag.text.strip():
            self.open[-1].values.setdefault("label", tag.text.strip())
        elif tag.name == "node" and self.open:
            self.add_node(self.open.pop())
        elif tag.name == "edge" and self.open:
            part = self.open.pop()
            told = (
                part.values.pop("relation", None)
                or part.values.pop("type", None)
                or part.attributes.get("label")
            )
            directed = part.attributes.get("directed", str(self._directed).lower()) == "true"
            self.add_edge(part, str(told or ""), not directed)

    def _add_data(self, identity: str, tag: Tag) -> None:
        key = self._keys.get(identity)
        if key is None:
            raise SourceError(f"cannot be read: no key {identity!r} is declared.", str(self.path), tag.line)
        if self.open and key.name and (tag.text or key.kind == "string"):
            self.open[-1].values[key.name] = self.value(tag.text, key.kind, tag.line)


class _Gexf(_Reader):
    def __init__(self, path: Path, importing: Importing) -> None:
        super().__init__(path, importing)
        self._keys: dict[str, dict[str, _Key]] = {"node": {}, "edge": {}}
        self._class = "node"
        self._declared = ""
        self._directed = True

    def take(self, tag: Tag) -> None:
        if not tag.is_start:
            self._ended(tag)
            return
        told = tag.attributes
        if tag.name == "graph":
            self.is_graph = True
            self._directed = told.get("defaultedgetype", "undirected") != "undirected"
        elif tag.name == "attributes":
            self._class = told.get("class", "node")
        elif tag.name == "attribute":
            self._declared = told.get("id", "")
            key = _Key(told.get("title", self._declared), told.get("type", "string"))
            self._keys.setdefault(self._class, {})[self._declared] = key
        elif tag.name in ("node", "edge"):
            self.open.append(_Part(told, tag.line, self._first(tag)))
        elif tag.name == "attvalue" and self.open:
            self._add_value(tag)

    def _first(self, tag: Tag) -> dict[str, Any]:
        """The values that a node or an edge has before any are read."""
        values: dict[str, Any] = {}
        for key in self._keys.get(tag.name, {}).values():
            if key.default is not None:
                values[key.name] = self.value(key.default, key.kind, tag.line)
        if tag.attributes.get("label"):
            values["label"] = tag.attributes["label"]
        if tag.name == "edge" and "weight" in tag.attributes:
            values["weight"] = self.value(tag.attributes["weight"], "double", tag.line)
        return values

    def _add_value(self, tag: Tag) -> None:
        what = "edge" if "source" in self.open[-1].attributes else "node"
        identity = tag.attributes.get("for", tag.attributes.get("id", ""))
        key = self._keys[what].get(identity)
        if key is None:
            raise SourceError(
                f"cannot be read: no attribute {identity!r} is declared.", str(self.path), tag.line
            )
        self.open[-1].values[key.name] = self.value(tag.attributes.get("value", ""), key.kind, tag.line)

    def _ended(self, tag: Tag) -> None:
        if tag.name == "default" and self._declared:
            key = self._keys[self._class][self._declared]
            self._keys[self._class][self._declared] = _Key(key.name, key.kind, tag.text)
        elif tag.name == "attribute":
            self._declared = ""
        elif tag.name == "node" and self.open:
            self.add_node(self.open.pop())
        elif tag.name == "edge" and self.open:
            part = self.open.pop()
            told = (
                part.values.pop("relation", None)
                or part.attributes.get("kind")
                or part.values.pop("label", None)
            )
            kind = part.attributes.get("type", "directed" if self._directed else "undirected")
            self.add_edge(part, str(told or ""), kind in ("undirected", "mutual"))


def _read(sources: Sequence[Path], importing: Importing, make: type[_Reader]) -> Graph:
    path = one_file(sources)
    reader = make(path, importing)
    for tag in tags(path, importing.progress):
        reader.take(tag)
    if not reader.is_graph:
        raise SourceError("cannot be read: it has no graph.", str(path))
    return reader.into.graph()
