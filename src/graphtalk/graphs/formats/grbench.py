"""`graph.json` of GRBench (Graph-CoT, section 4), streamed: memory grows with nodes and edges, not with text.

    {"paper_nodes": {"p1": {"features": {"title": …}, "neighbors": {"author": ["a1", …], "reference": […]}}}, …}

Neighbour lists are two-sided; where two relations hold exactly the same edges from both ends (`reference` and
`cited_by`, `author` and `paper`), they become one relation and its inverse.

A node is called by the feature that GRBench's own search index holds for its type: its name or title, and in
the legal graph the full name of a court, the text of an opinion, the syllabus of a cluster of opinions and
the case id of a docket.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import SourceError
from graphtalk.core.reading import MOST_DEPTH, in_words
from graphtalk.graphs.assemble import EdgeRows, NodeRows, Rules, assemble, no_line, same_text
from graphtalk.graphs.columns import check_width, concat, to_array
from graphtalk.graphs.formats.files import BROKEN, head, open_bytes, plain_name
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.scratch import scratch

_SUFFIX = "_nodes"
_FLUSH = 64 << 20  # about so many bytes are held in memory before they are written out
_LABEL = ("name", "title", "full_name", "plain_text", "syllabus", "pacer_case_id", "case_name")


def sniff(path: Path) -> bool:
    """Whether a JSON file begins with a key that ends in `_nodes`."""
    if not plain_name(path).endswith(".json") or not path.is_file():
        return False
    key = head(path, 200).decode("utf-8", "replace").lstrip("{ \r\n\t").split('"')
    return len(key) > 1 and key[0] == "" and key[1].endswith(_SUFFIX)


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """One graph.json. Raises SourceError with the node after which it cannot be read."""
    if len(sources) != 1:
        raise SourceError(f"one file is read at a time, not {len(sources)}.", str(sources[1]))
    path = sources[0]
    with scratch(Path(tempfile.gettempdir()), "graphtalk-grbench-") as folder:
        nodes, edges = _Spill(folder / "nodes"), _Spill(folder / "edges")
        for kind, node_id, record in _records(path, importing):
            given = _part(record, "features", node_id, path)
            features = {f"{k}_" if k == "id" else k: [v] for k, v in given.items()}
            nodes.add((kind,), {"id": [node_id]} | features)
            for name, ids in _part(record, "neighbors", node_id, path).items():
                if not isinstance(ids, list):
                    raise SourceError(f"node {node_id!r}: the neighbours {name!r} are no list.", str(path))
                if ids:
                    edges.add((kind, name), {"source": [node_id] * len(ids), "target": [str(i) for i in ids]})
        return assemble(
            [_node_rows(kind, table, path) for (kind,), table in nodes.tables()],
            [_edge_rows(name, table, path) for (_, name), table in edges.tables()],
            Rules(mirrors=True),
            importing.rejects,
            importing.name,
        )


def _part(record: Mapping[str, Any], name: str, node_id: str, path: Path) -> Mapping[str, Any]:
    """The features or the neighbours of a node, which may have none."""
    part = record.get(name) or {}
    if not isinstance(part, dict):
        raise SourceError(f"node {node_id!r}: its {name} are not an object.", str(path))
    return part


def _records(path: Path, importing: Importing) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Node type, id and record of every node, in the order of the file."""
    import ijson

    node_id = ""
    with open_bytes(path, importing.progress) as file:
        try:
            for kind, node_id, record in _split(file):
                if not isinstance(record, dict):
                    raise SourceError(f"node {node_id!r} is not an object.", str(path))
                importing.progress.advance(rows=1)
                yield kind.removesuffix(_SUFFIX), node_id, record
        except (ijson.JSONError, UnicodeDecodeError, *BROKEN) as error:
            after = f" after node {node_id!r}" if node_id else ""
            importing.rejects.reject("bad JSON", f"cannot be read{after} ({in_words(error)}).", str(path))


def _split(file: IO[bytes]) -> Iterator[tuple[str, str, Any]]:
    """Outer key, inner key and value of an object of objects, one at a time."""
    import ijson

    keys = ["", "", ""]
    depth = 0
    builder = None
    for event, value in ijson.basic_parse(file, use_float=True):
        if builder is not None:
            builder.event(event, value)
        if event in ("start_map", "start_array"):
            depth += 1
            if depth > MOST_DEPTH:
                raise ijson.JSONError(in_words(RecursionError()))
            if depth == 3:
                builder = ijson.ObjectBuilder()
                builder.event(event, value)
        elif event in ("end_map", "end_array"):
            depth -= 1
            if depth == 2 and builder is not None:
                yield keys[1], keys[2], builder.value
                builder = None
        elif event == "map_key" and depth < 3:
            keys[depth] = value
        elif depth < 3:
            raise ijson.JSONError("not an object of objects of nodes")


class _Spill:
    """Columns by key, written to Arrow files in batches and mapped again."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._held: dict[tuple[str, ...], dict[str, list[Any]]] = {}
        self._size = 0
        self._written: dict[tuple[str, ...], list[pa.Table]] = {}
        self._files = 0

    def add(self, key: tuple[str, ...], columns: Mapping[str, list[Any]]) -> None:
        """Rows as columns of equal length, the first of which every row has."""
        held = self._held.setdefault(key, {name: [] for name in columns})
        before = len(next(iter(held.values())))
        for name, values in columns.items():
            column = held.setdefault(name, [])
            if len(column) < before:
                column.extend([None] * (before - len(column)))
            column.extend(values)
            self._size += 64 * len(values) + sum(len(v) for v in values if isinstance(v, str))
        if len(held) > len(columns):  # a row leaves cells empty
            check_width(len(held), before + 1)
        if self._size > _FLUSH:
            self._flush()

    def tables(self) -> list[tuple[tuple[str, ...], pa.Table]]:
        """All rows of each key."""
        self._flush()
        for parts in self._written.values():
            names = {name for part in parts for name in part.column_names}
            check_width(len(names), sum(part.num_rows for part in parts))
        return [(key, concat(parts)) for key, parts in self._written.items()]

    def _flush(self) -> None:
        for key, columns in self._held.items():
            count = len(next(iter(columns.values())))
            arrays = [to_array([*map(_value, c), *[None] * (count - len(c))]) for c in columns.values()]
            path = self._folder / f"{self._files}.arrow"
            table = pa.table(arrays, names=list(columns))
            with pa.ipc.new_file(str(path), table.schema) as writer:
                writer.write_table(table)
            self._files += 1
            self._written.setdefault(key, []).append(pa.ipc.open_file(pa.memory_map(str(path))).read_all())
        self._held, self._size = {}, 0


def _value(value: Any) -> Any:
    return None if value == "" or value == [] else value


def _node_rows(kind: str, table: pa.Table, path: Path) -> NodeRows:
    ids = pc.fill_null(table.column("id"), "")
    table = table.set_column(table.column_names.index("id"), "id", ids)
    label = next((name for name in _LABEL if _has_values(table, name)), "")
    types = same_text(kind, table.num_rows)
    return NodeRows(table, ids, types, str(path), no_line, label)


def _has_values(table: pa.Table, name: str) -> bool:
    return name in table.column_names and table.column(name).null_count < table.num_rows


def _edge_rows(name: str, table: pa.Table, path: Path) -> EdgeRows:
    source, target = (pc.fill_null(table.column(end), "") for end in ("source", "target"))
    relation = same_text(name, table.num_rows)
    return EdgeRows(source, target, relation, pa.table({}), str(path), no_line)
