"""Graphs as nested records, which JSON, YAML and Python literals hold: nodes and links, lists of edges, adjacency, matrices."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from graphtalk.core import UsageError
from graphtalk.language.nouns import singular, words
from graphtalk.language.told.listing import HOLE, Listing, measure, plain_name, weights_or_none
from graphtalk.language.told.signs import take_arrows

ENDS = (
    ("source", "target"), ("from", "to"), ("src", "dst"), ("src", "dest"), ("u", "v"), ("start", "end"), ("tail", "head"),
    ("node1", "node2"), ("node_1", "node_2"), ("node 1", "node 2"), ("node_a", "node_b"), ("node a", "node b"), ("a", "b"), ("x", "y"),
    ("origin", "destination"), ("parent", "child"), ("follower", "followee"), ("follower", "followed"), ("citing", "cited"), ("first", "second"),
    ("left", "right"), ("from_node", "to_node"), ("source_node", "target_node"), ("source_id", "target_id"), ("city1", "city2"), ("person1", "person2"),
    ("begin", "end"), ("departure", "arrival"), ("i", "j"),
)  # fmt: skip
_JOINED = re.compile(r"\s+(?:to|and|with|-|–|—)\s+|\s*(?:->|--|→|<->)\s*")
LEADING = frozenset({"source", "from", "src", "tail", "origin", "parent", "follower", "citing", "from_node", "source_node", "source_id", "departure"})  # fmt: skip
_NODES = ("nodes", "vertices", "points")
_LINKS = ("links", "edges", "relationships", "connections", "arcs", "roads", "flights", "relations")
_NAMES = ("id", "name", "key", "label", "node")
_WRAPPED = ("graph", "network", "adjacency", "adjacency_list", "adjacency_lists", "adj", "data", "neighbours", "neighbors", "matrix", "adjacency_matrix", "edge_list", "edgelist")  # fmt: skip
_NO_VALUES = frozenset({"x", "y", "index", "group"})


def graph_of(data: Any, heading: str) -> Listing | None:
    """The graph that a record holds; None where it holds none. Raises UsageError for a graph that is broken."""
    if isinstance(data, Mapping):
        return _of_mapping(data, heading)
    if isinstance(data, list | tuple | set):
        return _of_list(list(data), heading)
    return None


def speaks_of_links(data: Any) -> bool:
    """Whether a record has lists of nodes or links by name."""
    return isinstance(data, Mapping) and any(_key(data, keys) is not None for keys in (_NODES, _LINKS))


def _of_mapping(data: Mapping[Any, Any], heading: str) -> Listing | None:
    wrapped = [key for key in data if str(key).lower().replace(" ", "_") in _WRAPPED and isinstance(data[key], Mapping | list)]  # fmt: skip
    if wrapped and data[wrapped[0]] and not speaks_of_links(data):
        found = graph_of(data[wrapped[0]], f"{heading} {wrapped[0]}")
        if found is None or not isinstance(data.get("directed"), bool | str):
            return found
        return _as_said(found, data)
    if speaks_of_links(data):
        return _node_link(data, heading)
    if len(data) == 1:  # a heading and its edges: `Trails:`, `- A to B: 4`
        ((title, held),) = data.items()
        listed = isinstance(held, list) and held and all(isinstance(row, Mapping | str) for row in held)
        found = _edges(held, f"{heading} {title}") if listed else None
        if found is not None:
            return found
    return _adjacency(data, heading)


def _as_said(found: Listing, data: Mapping[Any, Any]) -> Listing:
    directed = str(data["directed"]).lower() == "true"
    return Listing(found.source, found.target, found.weight, directed, found.heading, mirrored=found.mirrored, names=found.names, values=found.values)  # fmt: skip


def _key(data: Mapping[Any, Any], keys: Sequence[str]) -> Any:
    return next((key for key in data if str(key).lower() in keys), None)


# nodes and links


def _node_link(data: Mapping[Any, Any], heading: str) -> Listing:
    nodes_key, links_key = _key(data, _NODES), _key(data, _LINKS)
    nodes = data.get(nodes_key, [])
    links = data.get(links_key) if links_key is not None else data.get("adjacency")
    if isinstance(nodes, Mapping):
        nodes = [
            {"id": name, **(held if isinstance(held, Mapping) else {"value": held})}
            for name, held in nodes.items()
        ]
    if isinstance(links, Mapping):
        found = _adjacency(links, heading)
        if found is not None:
            names = [_name(node) for node in nodes] or list(found.names)
            return Listing(found.source, found.target, found.weight, _directed(data), heading, mirrored=True, names=names, values=_values(nodes))  # fmt: skip
    if not isinstance(nodes, list) or not isinstance(links, list):
        if links in (None, "") and isinstance(nodes, list) and nodes and links_key is not None:
            links = []
        else:
            raise UsageError('JSON of a graph needs the lists "nodes" and "links" (or "edges").')
    names = [_name(node) for node in nodes]
    if links_key is None and links and len(links) == len(names) and isinstance(links[0], list):
        links = [
            {"source": name, "target": _name(to), **to}
            for name, row in zip(names, links, strict=True)
            for to in row
        ]
    listed = _edges(links, heading)
    if listed is None:
        raise UsageError(
            f'A link of the JSON has no "source" and "target": {json.dumps(links, ensure_ascii=False, default=str)[:80]}.'
        )
    unknown = (
        {str(end) for ends in (listed.source, listed.target) for end in ends} - set(names) if names else set()
    )
    if unknown:
        raise UsageError(f"A link of the JSON leads to {min(unknown)!r}, which is not among its nodes.")
    said = _directed(data)
    return Listing(
        listed.source,
        listed.target,
        listed.weight,
        said if said is not None else listed.leads,
        heading,
        names=names,
        values=_values(nodes),
        others=listed.others,
        led=said is None and listed.led,
    )


def _directed(data: Mapping[Any, Any]) -> bool | None:
    said = data.get("directed")
    if isinstance(said, str):
        return {"true": True, "false": False, "yes": True, "no": False}.get(said.lower())
    return said if isinstance(said, bool) else None


def _name(node: Any) -> str:
    held = node.get("data", node) if isinstance(node, Mapping) else {"id": node}
    found = next((held[key] for key in _NAMES if isinstance(held, Mapping) and key in held), None)
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise UsageError(
            f'A node of the JSON has no "id": {json.dumps(node, ensure_ascii=False, default=str)[:80]}.'
        )
    return str(found)


def _values(nodes: Sequence[Any]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for node in nodes:
        held = node.get("data", node) if isinstance(node, Mapping) else {}
        for key, value in held.items():
            number = _number(value)
            if key not in (*_NAMES, *_NO_VALUES) and number is not None:
                found.setdefault(str(key), {})[_name(node)] = number
    return found


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    return measure(value) if isinstance(value, str) else None


# lists


def _of_list(rows: list[Any], heading: str) -> Listing | None:
    if _is_matrix(rows, heading):
        return matrix([[float(_number(cell) or 0) for cell in row] for row in rows], (), heading)
    return _edges(rows, heading)


def _is_matrix(rows: list[Any], heading: str) -> bool:
    """Whether rows are a square of numbers; three rows of three may be edges with weights."""
    n = len(rows)
    if n < 2 or not all(
        isinstance(row, list | tuple) and len(row) == n and all(_number(c) is not None for c in row)
        for row in rows
    ):
        return False
    return n > 3 or "matrix" in heading.lower()


def matrix(rows: Sequence[Sequence[float]], names: Sequence[str], heading: str) -> Listing:
    """The graph of an adjacency matrix: weights where an entry is neither 0 nor 1."""
    unnamed = not names
    names = names or [str(place) for place in range(len(rows))]
    places = [(i, j, value) for i, row in enumerate(rows) for j, value in enumerate(row) if value and value == value and abs(value) != float("inf")]  # fmt: skip
    same = all(rows[j][i] == value for i, j, value in places)
    if same:
        places = [(i, j, value) for i, j, value in places if i <= j]
    weighed = any(value != 1 for *_, value in places)
    return Listing(
        [names[i] for i, _, _ in places],
        [names[j] for _, j, _ in places],
        [value for *_, value in places] if weighed else None,
        None if same else True,
        heading,
        names=list(names),
        unnamed=unnamed,
    )


def _edges(rows: Sequence[Any], heading: str) -> Listing | None:
    """A list of edges: records with two ends, or lists of two or three."""
    if not rows:
        return Listing([], [], None, None, heading)
    held = [row.get("data", row) if isinstance(row, Mapping) else row for row in rows]
    if all(isinstance(row, Mapping) for row in held):
        single = [next(iter(row.items())) for row in held if len(row) == 1]
        if len(single) == len(held) and all(
            isinstance(key, str) and _JOINED.search(key) for key, _ in single
        ):
            return _edge_lists([(*_JOINED.split(key), value) for key, value in single], heading)
        return _edge_records(held, heading)
    if all(isinstance(row, list | tuple) for row in held):
        return _edge_lists(held, heading)
    if not all(isinstance(row, str) for row in held):
        return None
    left, found = take_arrows("\n".join(held))
    if len(found) == 1 and len(found[0].source) == len(held) and not left.replace(HOLE, "").strip():
        return replace(found[0], heading=heading)
    joined = all(map(_JOINED.search, held))
    return _edge_lists([_JOINED.split(row) for row in held], heading) if joined else None


def _edge_records(rows: Sequence[Mapping[Any, Any]], heading: str) -> Listing | None:
    keys = [key for key in rows[0] if str(key) != "id"]
    low = {str(key).lower(): key for key in keys}
    pair = next(((low[a], low[b]) for a, b in ENDS if a in low and b in low), None)
    if pair is None and _key(rows[0], (*_NAMES, *_NODES)) is not None:
        return _adjacency_records(rows, heading)
    if pair is None:
        texts = [key for key in keys if isinstance(rows[0][key], str) and measure(rows[0][key]) is None]
        pair = (texts[0], texts[1]) if len(texts) == 2 else None
    if pair is None:
        return None
    for row in rows:
        if any(
            isinstance(row.get(end), bool) or not isinstance(row.get(end), str | int) or row.get(end) == ""
            for end in pair
        ):
            raise UsageError(
                f"An edge of the list has no two ends: {json.dumps(row, ensure_ascii=False, default=str)[:80]}."
            )
    others = [key for key in dict.fromkeys(k for row in rows for k in row) if key not in pair]
    columns = {str(key): [_number(row.get(key)) for row in rows] for key in others}
    for key, column in columns.items():
        if str(key).lower() in words("weights") and any(
            _number(row.get(key)) is None and row.get(key) is not None for row in rows
        ):
            raise UsageError(f"The values of {key!r} in the JSON are not all numbers.")
        del column
    return with_columns(
        [str(row[pair[0]]) for row in rows],
        [str(row[pair[1]]) for row in rows],
        columns,
        str(pair[0]),
        heading,
    )


def with_columns(
    source: list[str],
    target: list[str],
    columns: Mapping[str, Sequence[float | None]],
    first: str,
    heading: str,
) -> Listing:
    """Edges with the column that is their weight: one that is called so, else the only one of numbers."""
    numeric = {key: weights_or_none(column) for key, column in columns.items()}
    kept = {
        key: column
        for key, column in numeric.items()
        if column is not None and key.lower() not in ("id", "key", "index")
    }
    called = [key for key in kept if singular(key.lower().split("_")[0].split(" ")[0]) in words("weights")]
    chosen = (called or list(kept))[:1]
    weight = kept[chosen[0]] if chosen else None
    others = kept if len(kept) > 1 else {}
    return Listing(source, target, weight, None, heading, others=others, led=first.lower() in LEADING)


def _edge_lists(rows: Sequence[Sequence[Any]], heading: str) -> Listing | None:
    if isinstance(rows[0][0], int) and len({len(row) for row in rows}) == 1 and len(rows[0]) in (2, 3):
        try:
            table = np.array(rows)
        except (ValueError, OverflowError):  # rows of mixed kinds are read one by one
            table = np.empty(0, object)
        if (
            table.ndim == 2
            and table.dtype.kind in "if"
            and (table[:, :2] == table[:, :2].astype(np.int64)).all()
        ):
            ends = table[:, :2].astype(np.int64)
            return Listing(
                ends[:, 0],
                ends[:, 1],
                table[:, 2].astype(np.float64) if table.shape[1] == 3 else None,
                None,
                heading,
            )
    source, target, weight = [], [], []
    for row in rows:
        if len(row) not in (2, 3) or any(
            isinstance(end, bool) or not isinstance(end, str | int) for end in row[:2]
        ):
            if all(
                isinstance(other, list | tuple) and len(other) in (2, 3) for other in rows if other is not row
            ):
                raise UsageError(
                    f"An edge of the list cannot be read: {json.dumps(list(row), ensure_ascii=False, default=str)[:80]}."
                )
            return None
        third = row[2] if len(row) == 3 else None
        if isinstance(third, Mapping):
            third = next((v for v in third.values() if _number(v) is not None), None)
        value = _number(third)
        if third is not None and value is None:
            return None
        source.append(plain_name(str(row[0])))
        target.append(plain_name(str(row[1])))
        weight.append(value)
    return Listing(source, target, weights_or_none(weight), None, heading)


# adjacency


def _adjacency(data: Mapping[Any, Any], heading: str) -> Listing | None:
    """Names with their neighbours: lists, or mappings to weights; or pairs with their weights."""
    if data and all(isinstance(key, tuple) and len(key) == 2 for key in data):
        return _edge_lists([(*pair, weight) for pair, weight in data.items()], heading)
    rows = {plain_name(str(name)): entries for name, entries in data.items()}
    if not rows or not all(
        isinstance(entries, list | tuple | set | Mapping) or entries in (None, "")
        for entries in rows.values()
    ):
        numbers = {name: _number(entry) for name, entry in rows.items()}
        if len(numbers) > 1 and all(number is not None for number in numbers.values()):
            return Listing(
                [], [], None, None, heading, values={"value": {n: float(v or 0) for n, v in numbers.items()}}
            )
        return None
    source, target, weight = [], [], []
    for name, entries in rows.items():
        for end, value in _entries(entries):
            if isinstance(end, bool) or not isinstance(end, str | int):
                return None
            source.append(name)
            target.append(plain_name(str(end)))
            weight.append(value)
    if not source and len(rows) < 2:
        return None
    return Listing(source, target, weights_or_none(weight), None, heading, mirrored=True, names=list(rows))


def _entries(entries: Any) -> list[tuple[Any, float | None]]:
    if isinstance(entries, Mapping):
        return [(end, _weight(held)) for end, held in entries.items()]
    found = []
    for entry in entries or ():
        if isinstance(entry, Mapping):
            end_key = _key(entry, (*_NAMES, "to", "target", "neighbor", "neighbour", "city", "dest"))
            if end_key is None and len(entry) == 1:
                ((end, held),) = entry.items()
                found.append((end, _weight(held)))
            else:
                rest = {k: v for k, v in entry.items() if k != end_key}
                found.append((entry.get(end_key), _weight(rest)))
        elif isinstance(entry, list | tuple) and len(entry) == 2:
            found.append((entry[0], _number(entry[1])))
        else:
            found.append((entry, None))
    return found


def _weight(held: Any) -> float | None:
    if isinstance(held, Mapping):
        return next((number for value in held.values() if (number := _number(value)) is not None), None)
    return _number(held)


def _adjacency_records(rows: Sequence[Mapping[Any, Any]], heading: str) -> Listing | None:
    """Nodes as records that hold their neighbours: `- name: a`, `neighbors: [b, c]`."""
    name_key = _key(rows[0], _NAMES)
    held = next(
        (key for key, value in rows[0].items() if key != name_key and isinstance(value, list | Mapping)), None
    )
    if held is None:
        return None
    found = _adjacency({_name(row): row.get(held) or [] for row in rows}, heading)
    if found is None:
        return None
    return Listing(
        found.source,
        found.target,
        found.weight,
        None,
        heading,
        mirrored=True,
        names=found.names,
        values=_values(rows),
    )
