"""The store: a folder that holds a graph and is memory-mapped, never parsed again.

manifest.json                     schema, counts, sizes and checksums; written last
indptr.npy, indices.npy           adjacency of all relations, one after the other
back_indptr.npy, back_indices.npy, back_edge.npy
id_hashes.npy, id_positions.npy   from external id to index
nodes/0.arrow, …                  ids and features of each node type, uncompressed Arrow IPC
edges/0.arrow, …                  features of each relation that has any
set.arrow, offsets.npy            of a graph set: names and features of its graphs, where each begins
index/…                           what the indexers wrote
"""

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.core import StoreError
from graphtalk.graphs.adjacency import Adjacency, Ints
from graphtalk.graphs.columns import feature_table, features_of
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.graph_set import GraphSet
from graphtalk.graphs.hashing import HashIndex
from graphtalk.graphs.schema import Feature, NodeType, Relation, Schema
from graphtalk.graphs.scratch import replace_folder, scratch, stranger, sync

VERSION = 1
MANIFEST = "manifest.json"
INDEX = "index"
COMBINE_BYTES = 256 << 20  # smaller tables are stored as one record batch

Indexer: TypeAlias = Callable[[Graph, Path], None]
_ROLES = ("indptr", "indices", "back_indptr", "back_indices", "back_edge")
_ADDED = (".npy", ".json")  # of files that may be added to the folder `index` later
_Key = TypeVar("_Key", str, int)


@dataclass(frozen=True)
class Manifest:
    """What `manifest.json` says. `files` maps a file's name to its bytes and SHA-256.

    `early`: it was written before there were dates, when columns could have any Arrow type.
    """

    kind: str
    name: str
    schema: Schema
    files: Mapping[str, tuple[int, str]]
    checksum: str
    early: bool = False


def write(graph: Graph | GraphSet, path: Path, indexers: Sequence[Indexer] = ()) -> None:
    """Write a store at `path`, replacing an older one there in one step, or leaving it as it was.

    Each indexer is called with the graph (of a set: the union) and the store's folder `index`. Raises
    StoreError where `path` holds something else than a store.
    """
    place = Path(os.path.realpath(path))
    check_place(place)
    with scratch(place.parent, f".{place.name}.import-") as folder:
        new = folder / "store"
        new.mkdir()
        union = graph.union if isinstance(graph, GraphSet) else graph
        _write_graph(union, new)
        if isinstance(graph, GraphSet):
            _write_table(graph.table, new / "set.arrow")
            np.save(new / "offsets.npy", graph.offsets)
        for indexer in indexers:
            (new / INDEX).mkdir(exist_ok=True)
            indexer(union, new / INDEX)
        _write_manifest(graph, union.schema, new)
        replace_folder(new, place, check_place)


def remove(path: Path) -> None:
    """Remove a store. A folder that holds anything else stays."""
    with suppress(StoreError):
        check_place(path)
        shutil.rmtree(path, ignore_errors=True)


def is_store(path: Path) -> bool:
    """Whether `path` looks like a store: a folder with a manifest."""
    return (path / MANIFEST).is_file()


def open_graph(path: Path | str) -> Graph | GraphSet:
    """Open a store by mapping its files. Sizes are checked, checksums are not (see `verify_files`).

    Raises StoreError where `path` is no store, has another format version, or a file is missing or cut.
    """
    folder = Path(path)
    manifest = read_manifest(folder)
    _check_sizes(folder, manifest)
    try:
        graph = _open(folder, manifest)
    except (OSError, ValueError) as error:
        raise StoreError(f"{folder}: the store is damaged ({error}). Import the graph again.") from error
    if read_manifest(folder).checksum != manifest.checksum:
        return open_graph(path)  # a newer store took its place meanwhile
    return graph


def verify_files(path: Path | str) -> None:
    """Read every file of a store and compare checksums. Raises StoreError naming those that differ."""
    folder = Path(path)
    manifest = read_manifest(folder)
    _check_sizes(folder, manifest)
    bad = [name for name, (_, digest) in manifest.files.items() if _digest(folder / name) != digest]
    if bad:
        raise StoreError(f"{folder}: changed since import: {', '.join(bad)}. Import it again.")


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a store. Raises StoreError where there is none or it cannot be read."""
    if not folder.is_dir():
        what = "is a file, not a store's folder" if folder.exists() else "does not exist"
        raise StoreError(f"{folder} {what}.")
    try:
        content = (folder / MANIFEST).read_bytes()
    except FileNotFoundError:
        raise StoreError(f"{folder} is not a graph store: it has no {MANIFEST}.") from None
    try:
        data = json.loads(content)
        version = data["version"]
        if version != VERSION:
            raise StoreError(
                f"{folder} has store format version {version}; this graphtalk reads version {VERSION}. "
                "Import the graph again."
            )
        files = {name: (int(size), str(digest)) for name, (size, digest) in data["files"].items()}
        checksum = hashlib.sha256(content).hexdigest()
        schema = data["schema"]
        parts = [*schema["node_types"], *schema["relations"]]
        early = any("item" not in feature for part in parts for feature in part["features"])
        return Manifest(data["kind"], data["name"], schema_from_json(schema), files, checksum, early)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{folder}: {MANIFEST} is damaged ({error!r}). Import the graph again.") from error


def schema_to_json(schema: Schema) -> dict[str, Any]:
    """A schema as JSON values."""
    return {
        "node_types": [asdict(t) for t in schema.node_types],
        "relations": [asdict(r) for r in schema.relations],
    }


def schema_from_json(data: Mapping[str, Any]) -> Schema:
    """The schema that `schema_to_json` wrote."""
    return Schema(
        tuple(NodeType(**{**t, "features": _features(t)}) for t in data["node_types"]),
        tuple(Relation(**{**r, "features": _features(r)}) for r in data["relations"]),
    )


def _features(part: Mapping[str, Any]) -> tuple[Feature, ...]:
    return tuple(Feature(**f) for f in part["features"])


# writing


def check_place(place: Path) -> None:
    """Raise StoreError where `place` holds something that a store must not replace: any file that is not a store's."""
    if place.exists() and not place.is_dir():
        raise StoreError(f"{place} is a file; it is not overwritten.")
    listed = _listed(place)

    def is_own(name: str) -> bool:
        added = name.startswith(f"{INDEX}/") and name.endswith(_ADDED)
        return name in listed or (bool(listed) and (name == MANIFEST or added))

    if place.is_dir() and (odd := stranger(place, is_own)):
        what = (
            f"holds {odd!r}, which is no file of a store" if listed else "is a folder but not a graph store"
        )
        raise StoreError(f"{place} {what}; it is not overwritten.")


def _listed(folder: Path) -> Collection[str]:
    """The files that a manifest of any version lists; none where there is none of ours."""
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return ()
    ours = isinstance(manifest, dict) and manifest.get("format") == "graphtalk"
    files = manifest.get("files") if ours else None
    return files if isinstance(files, dict) else ()


def _write_graph(graph: Graph, folder: Path) -> None:
    for role in _ROLES:
        _write_arrays(folder / f"{role}.npy", [getattr(a, role) for a in graph.adjacencies])
    index = graph.id_index
    np.save(folder / "id_hashes.npy", index.hashes)
    np.save(folder / "id_positions.npy", index.positions)
    (folder / "nodes").mkdir()
    (folder / "edges").mkdir()
    for position, t in enumerate(graph.schema.node_types):
        _write_table(graph.columns[t.name], folder / "nodes" / f"{position}.arrow")
    for position, table in enumerate(graph.edge_columns):
        if table.num_columns:
            _write_table(table, folder / "edges" / f"{position}.arrow")


def _write_arrays(path: Path, parts: Sequence[Ints]) -> None:
    """Write `parts` as one array without joining them in memory."""
    kind = np.result_type(*parts) if parts else np.dtype(np.int64)
    header = {
        "descr": np.lib.format.dtype_to_descr(kind),
        "fortran_order": False,
        "shape": (sum(len(p) for p in parts),),
    }
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for part in parts:
            np.ascontiguousarray(part, dtype=kind).tofile(file)


def _write_table(table: pa.Table, path: Path) -> None:
    whole = table.combine_chunks() if table.nbytes <= COMBINE_BYTES else table
    with pa.ipc.new_file(str(path), whole.schema) as writer:
        writer.write_table(whole)


def _write_manifest(graph: Graph | GraphSet, schema: Schema, folder: Path) -> None:
    names = sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
    manifest = {
        "format": "graphtalk",
        "version": VERSION,
        "kind": "set" if isinstance(graph, GraphSet) else "graph",
        "name": graph.name,
        "schema": schema_to_json(schema),
        "files": {name: [(folder / name).stat().st_size, _digest(folder / name)] for name in names},
    }
    for name in names:
        sync(folder / name)
    (folder / MANIFEST).write_text(json.dumps(manifest, ensure_ascii=False, indent=1), encoding="utf-8")
    sync(folder / MANIFEST)
    for part in [p for p in folder.rglob("*") if p.is_dir()]:
        sync(part)
    sync(folder)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# reading


def _check_sizes(folder: Path, manifest: Manifest) -> None:
    for name, (size, _) in manifest.files.items():
        try:
            found = os.stat(folder / name).st_size
        except OSError:
            raise StoreError(f"{folder}: {name} is missing. Import the graph again.") from None
        if found != size:
            raise StoreError(
                f"{folder}: {name} has {found} bytes where {size} were written. Import the graph again."
            )


def _open(folder: Path, manifest: Manifest) -> Graph | GraphSet:
    union = _open_union(folder, manifest)
    if manifest.kind == "graph":
        return union
    return GraphSet(union, _read_table(folder / "set.arrow"), _read_array(folder / "offsets.npy"))


def _open_union(folder: Path, manifest: Manifest) -> Graph:
    schema = manifest.schema
    nodes = {t.name: folder / "nodes" / f"{i}.arrow" for i, t in enumerate(schema.node_types)}
    edges = {
        i: folder / "edges" / f"{i}.arrow" if r.features else None for i, r in enumerate(schema.relations)
    }
    index = HashIndex(_read_array(folder / "id_hashes.npy"), _read_array(folder / "id_positions.npy"))
    columns, edge_columns = _Tables(nodes, manifest.early), _TableList(_Tables(edges, manifest.early))
    if manifest.early:
        schema = Schema(
            tuple(replace(t, features=features_of(columns[t.name])) for t in schema.node_types),
            tuple(replace(r, features=features_of(edge_columns[i])) for i, r in enumerate(schema.relations)),
        )
    return Graph(
        schema,
        columns,
        _adjacencies(folder, schema),
        edge_columns,
        manifest.name,
        folder,
        index,
        manifest.checksum,
    )


def _adjacencies(folder: Path, schema: Schema) -> list[Adjacency]:
    counts = {t.name: t.count for t in schema.node_types}
    rows = [counts[r.source] + 1 for r in schema.relations]
    back_rows = [counts[r.target] + 1 for r in schema.relations]
    edges = [r.count for r in schema.relations]
    sizes = (rows, edges, back_rows, edges, edges)
    parts = (_split(_read_array(folder / f"{role}.npy"), s) for role, s in zip(_ROLES, sizes, strict=True))
    return [Adjacency(*arrays) for arrays in zip(*parts, strict=True)]


def _split(array: Ints, sizes: Sequence[int]) -> list[Ints]:
    if len(array) != sum(sizes):
        raise ValueError(f"an array has {len(array)} entries where the schema needs {sum(sizes)}")
    ends = np.cumsum(sizes, dtype=np.int64).tolist()
    return [array[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def _read_array(path: Path) -> NDArray[Any]:
    # A plain view: slicing np.memmap itself costs ten times as much.
    return np.load(path, mmap_mode="r", allow_pickle=False).view(np.ndarray)  # type: ignore[no-any-return]


def _read_table(path: Path) -> pa.Table:
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()


class _Tables(Mapping[_Key, pa.Table]):
    """Arrow files by key, mapped at once (a newer store may take their place) and parsed when asked for.

    No path stands for an empty table. Those of an `early` store are given the types that features have now.
    """

    def __init__(self, paths: Mapping[_Key, Path | None], early: bool) -> None:
        self._paths: Mapping[_Key, Path | None] = paths
        self._early = early
        self._maps: dict[_Key, pa.MemoryMappedFile] = {
            key: pa.memory_map(str(path)) for key, path in paths.items() if path is not None
        }
        self._open: dict[_Key, pa.Table] = {}

    def __getitem__(self, key: _Key) -> pa.Table:
        found = self._open.get(key)
        if found is None:
            found = self._open[key] = self._parse(key)
        return found

    def _parse(self, key: _Key) -> pa.Table:
        if self._paths[key] is None:
            return pa.table({})
        try:
            table = pa.ipc.open_file(self._maps[key]).read_all()
            return feature_table(table) if self._early else table
        except (OSError, ValueError) as error:
            raise StoreError(f"{self._paths[key]} is damaged ({error}). Import the graph again.") from error

    def __iter__(self) -> Iterator[_Key]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


class _TableList(Sequence[pa.Table]):
    """The tables 0, 1, … as a sequence."""

    def __init__(self, tables: _Tables[int]) -> None:
        self._tables = tables

    @overload
    def __getitem__(self, position: int) -> pa.Table: ...
    @overload
    def __getitem__(self, position: slice) -> list[pa.Table]: ...
    def __getitem__(self, position: int | slice) -> pa.Table | list[pa.Table]:
        chosen = range(len(self._tables))[position]
        return self._tables[chosen] if isinstance(chosen, int) else [self._tables[i] for i in chosen]

    def __len__(self) -> int:
        return len(self._tables)
