"""Graphs in JSON: node-link (networkx, D3), Cytoscape's elements, and JSON Graph Format.

The member `type` of nodes is their type, `relation` or `type` of edges the relation; all others are features, but for what
`Gathering` tells apart where there are none: `kind`, `node_type`, `label`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphtalk.core import SourceError
from graphtalk.core.reading import in_words, read_json
from graphtalk.graphs.formats.files import BROKEN, head, open_bytes, plain_name
from graphtalk.graphs.formats.gathered import Gathering
from graphtalk.graphs.formats.graph_xml import one_file
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing

_EDGES = ("links", "edges", "relationships")
_ENDS = (("source", "target"), ("from", "to"), ("start", "end"), ("u", "v"))
_IDS = ("id", "key", "name", "label")


def sniff(path: Path) -> bool:
    """Whether a JSON file begins as graphs of nodes and edges do."""
    if not plain_name(path).endswith((".json", ".cyjs")) or not path.is_file():
        return False
    start = head(path)
    return (b'"nodes"' in start or b'"elements"' in start) and any(
        mark in start
        for mark in (b'"links"', b'"edges"', b'"directed"', b'"elements"', b'"relationships"', b'"adjacency"')
    )


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """One JSON file of a graph."""
    path = one_file(sources)
    with open_bytes(path, importing.progress) as file:
        try:
            data = read_json(file.read())
        except (ValueError, *BROKEN) as error:
            raise SourceError(
                f"cannot be read ({in_words(error)}).", str(path), getattr(error, "lineno", None)
            ) from error
    return _Reader(path, importing).graph(data)


class _Reader:
    def __init__(self, path: Path, importing: Importing) -> None:
        self._path = path
        self._into = Gathering(path, importing)

    def graph(self, data: Any) -> Graph:
        """The graph that a value says."""
        if isinstance(data, dict) and "elements" in data:
            return self._cytoscape(data)
        inner = data.get("graph") if isinstance(data, dict) else None
        if isinstance(inner, dict) and "nodes" in inner:
            data = inner
        if not isinstance(data, dict) or "nodes" not in data:
            raise self._fault("it has no nodes")
        nodes = data["nodes"]
        if isinstance(nodes, dict):  # JSON Graph Format: nodes by their ids
            nodes = [{"id": key, **self._record(node, "node")} for key, node in nodes.items()]
        if not any(name in data for name in (*_EDGES, "adjacency")):
            raise self._fault(f"it has nodes, and no {' or '.join(map(repr, _EDGES))}")
        edges: Any = next((data[name] for name in _EDGES if name in data), None)
        names = [self._node(self._record(node, "node")) for node in self._list(nodes, "nodes")]
        known = set(names)
        multi, directed = bool(data.get("multigraph")), data.get("directed", True) is not False
        if edges is None:
            edges = self._of_adjacency(self._list(data["adjacency"], "adjacency"), names, directed)
        for edge in self._list(edges, "edges"):
            self._edge(self._record(edge, "edge"), names, known, multi, directed)
        about = data.get("graph")
        inverses = about.get("inverses") if isinstance(about, dict) else None
        return self._into.graph(inverses if isinstance(inverses, dict) and _texts(inverses) else None)

    def _of_adjacency(self, lists: Sequence[Any], names: Sequence[str], directed: bool) -> list[Any]:
        """Edges of lists of neighbours, one for each node; where there is no direction, each stands at both of its ends."""
        if len(lists) != len(names):
            raise self._fault(f"it has {len(names):,} nodes, and lists of neighbours for {len(lists):,}")
        edges, place = [], {name: i for i, name in enumerate(names)}
        for i, neighbours in enumerate(lists):
            for entry in self._list(neighbours, "neighbours"):
                values = self._record(entry, "neighbour")
                other = values.pop("id", None)
                if directed or place.get(_id(other), i) >= i:
                    edges.append({"source": names[i], "target": other, **values})
        return edges

    def _node(self, record: Mapping[str, Any]) -> str:
        values = _flat(record, "metadata")
        key = next((name for name in _IDS if values.get(name) is not None), "")
        if not key:
            raise self._fault("a node has no 'id'")
        identity = _id(values[key])
        kind = values.pop("type", None)
        if key in ("id", "key"):
            values.pop(key)
        self._into.node(identity, None if kind is None else str(kind), values)
        return identity

    def _edge(
        self, record: Mapping[str, Any], names: Sequence[str], known: set[str], multi: bool, directed: bool
    ) -> None:
        values = _flat(record, "metadata")
        pair = next((ends for ends in _ENDS if ends[0] in values and ends[1] in values), None)
        if pair is None:
            raise self._fault("an edge has no 'source' and 'target'")
        ends = []
        for name in pair:
            end = values.pop(name)
            end = end.get("id", end.get("name")) if isinstance(end, dict) else end
            place = end if isinstance(end, int) and not isinstance(end, bool) else -1
            is_place = _id(end) not in known and 0 <= place < len(names)  # D3 counted nodes from 0
            ends.append(names[place] if is_place else _id(end))
        if multi:
            values.pop("key", None)
        if values.pop("reversed", None) is True:
            return
        relation = next(
            (values.pop(name) for name in ("relation", "type") if isinstance(values.get(name), str)), None
        )
        self._into.edge(ends[0], ends[1], relation, values, 0, values.pop("directed", directed) is False)

    def _cytoscape(self, data: Mapping[str, Any]) -> Graph:
        elements = data["elements"]
        if isinstance(elements, list):
            parts = [self._record(part, "element") for part in elements]
            is_edge = [self._is_edge(part) for part in parts]
            nodes = [part for part, edge in zip(parts, is_edge, strict=True) if not edge]
            edges = [part for part, edge in zip(parts, is_edge, strict=True) if edge]
        else:
            held = self._record(elements, "list of elements")
            nodes, edges = (
                [self._record(part, "element") for part in self._list(held.get(name, []), name)]
                for name in ("nodes", "edges")
            )
        directed = data.get("directed", True) is not False
        names = [self._node(_flat(self._record(part.get("data", part), "node"))) for part in nodes]
        known = set(names)
        for part in edges:
            values = _flat(self._record(part.get("data", part), "edge"))
            values.pop("id", None)
            if "relation" not in values and isinstance(values.get("interaction"), str):
                values["relation"] = values.pop("interaction")
            self._edge(values, names, known, bool(data.get("multigraph")), directed)
        return self._into.graph()

    def _is_edge(self, part: Mapping[str, Any]) -> bool:
        data = part.get("data")
        return part.get("group") == "edges" or (
            isinstance(data, dict) and "source" in data and "target" in data
        )

    def _list(self, value: Any, what: str) -> list[Any]:
        if not isinstance(value, list):
            raise self._fault(f"its {what} are no list")
        return value

    def _record(self, value: Any, what: str) -> dict[str, Any]:
        if isinstance(value, str | int) and what == "node":
            return {"id": value}
        if not isinstance(value, dict):
            raise self._fault(f"a {what} is no object")
        return value

    def _fault(self, what: str) -> SourceError:
        return SourceError(f"cannot be read: {what}.", str(self._path))


def _flat(record: Mapping[str, Any], inner: str = "") -> dict[str, Any]:
    """The members of a record, those of its member `inner` beside them."""
    values = dict(record)
    more = values.get(inner)
    if isinstance(more, dict):
        values.pop(inner)
        values = more | values
    return values


def _id(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _texts(values: Mapping[str, Any]) -> bool:
    return all(isinstance(value, str) for value in values.values())
