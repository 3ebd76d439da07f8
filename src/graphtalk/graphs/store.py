"""The store: a folder that holds a graph and is memory-mapped, never parsed again.

manifest.json                     schema, counts, sizes and checksums; written last
indptr.npy, indices.npy           adjacency of all relations, one after the other
back_indptr.npy, back_indices.npy, back_edge.npy
rows.npy, back_rows.npy           the rows of `Sparse` pointers, one relation after the other
sparse.npy                        how many rows these are, forwards and backwards; -1: the pointers are of all rows
id_hashes.npy, id_positions.npy   from external id to index
nodes/0.arrow, …                  ids and features of each node type, uncompressed Arrow IPC
edges/0.arrow, …                  features of each relation that has any
set.arrow, offsets.npy            of a graph set: names and features of its graphs, where each begins
index/…                           what the indexers wrote
journal.jsonl                     of a store that was updated: when, how much, and from which
"""

import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
import pyarrow as pa

from graphtalk.core import JSON, DamagedError, StoreError
from graphtalk.core.limits import look
from graphtalk.core.reading import read_json
from graphtalk.graphs.adjacency import Adjacency, Ints, Pointers, Sparse
from graphtalk.graphs.checked import (
    Lazily,
    Mapped,
    check_adjacency,
    check_schema,
    damaged,
    expect,
    rises,
    within,
)
from graphtalk.graphs.columns import features_of
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.graph_set import GraphSet
from graphtalk.graphs.hashing import Hashes, HashIndex
from graphtalk.graphs.schema import Schema, schema_from_json, schema_to_json
from graphtalk.graphs.scratch import replace_folder, scratch, stranger, sync

VERSION = 3
READ = (
    1,
    2,
    VERSION,
)  # versions that are opened; in 1 all pointers are of all rows, before 3 ids were hashed by BLAKE2b
MANIFEST = "manifest.json"
INDEX = "index"
COMBINE_BYTES = 256 << 20  # smaller tables are stored as one record batch

JOURNAL = "journal.jsonl"

Indexer: TypeAlias = Callable[[Graph, Path], None]
Change: TypeAlias = Callable[[Graph], tuple[Graph, Mapping[str, JSON]]]
_ADDED = (".npy", ".json")  # of files that may be added to the folder `index` later
_ENTRIES = {"format", "version", "kind", "name", "schema", "files"}  # of a manifest, beside its own checksum
_Key = TypeVar("_Key", str, int)
T = TypeVar("T")


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
    version: int = VERSION


def write(
    graph: Graph | GraphSet,
    path: Path,
    indexers: Sequence[Indexer] = (),
    journal: Sequence[Mapping[str, JSON]] = (),
    instead_of: str = "",
) -> None:
    """Write a store at `path`, replacing an older one there in one step, or leaving it as it was.

    Each indexer is called with the graph (of a set: the union) and the store's folder `index`. `journal` says which
    updates led to it. With the checksum `instead_of` only that very store is replaced. Raises StoreError where `path`
    holds something else than a store, or another one.
    """
    place = Path(os.path.realpath(path))

    def check(there: Path) -> None:
        check_place(there)
        if instead_of and read_manifest(there).checksum != instead_of:
            raise StoreError(f"{there} was written again while it was updated. Nothing was changed.")

    check(place)
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
        if journal:
            lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in journal)
            (new / JOURNAL).write_text(lines, encoding="utf-8")
        _write_manifest(graph, union.schema, new, called(place))
        replace_folder(new, place, check)


def update(path: Path, change: Change, indexers: Callable[[Graph], Sequence[Indexer]]) -> Mapping[str, JSON]:
    """Put a changed graph in the place of a store, in one step: a kill leaves the old one or the new one.

    `change` gives the changed graph and what the journal says of it; `indexers` are made for the graph as it was, whose
    index they may take over. One update at a time: others wait. Returns the line of the journal. Raises StoreError
    where there is no store or it is a set of graphs.
    """
    place = Path(os.path.realpath(path))
    with _held(place):
        graph = open_graph(place)
        if isinstance(graph, GraphSet):
            raise StoreError(f"{place} is a set of graphs, which cannot be updated. Import it again.")
        changed, said = change(graph)
        lines = journal_of(place)
        line = {"id": len(lines) + 1, "at": datetime.now(UTC).isoformat(timespec="seconds"), **said}
        line["from"] = graph.checksum
        write(changed, place, indexers(graph), [*lines, line], graph.checksum)
    return line


def journal_of(folder: Path) -> list[dict[str, JSON]]:
    """The updates of a store, the oldest first. Raises DamagedError where the file that lists them is not what was written."""
    listed = read_manifest(folder).files.get(JOURNAL)
    if listed is None:
        return []
    held = Mapped(folder / JOURNAL, listed[1]).bytes.to_pybytes()
    try:
        return [read_json(line) for line in held.splitlines()]
    except ValueError as error:
        raise damaged(folder / JOURNAL, str(error)) from error


@contextmanager
def _held(place: Path) -> Iterator[None]:
    """Hold the lock of a store's folder, which goes when its process does; wait where another has it.

    An update puts a new folder in the place of the old one: whoever waited for that one takes the new one's lock.
    """
    while True:
        try:
            descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise StoreError(f"{place} is not a graph store: {error.strerror}.") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if place.exists() and os.path.samestat(os.fstat(descriptor), place.stat()):
                yield
                return
        finally:
            os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a store. A folder that holds anything else stays."""
    with suppress(StoreError):
        check_place(path)
        shutil.rmtree(path, ignore_errors=True)


def called(place: Path) -> str:
    """What a graph in a folder is called that has no other name.

    >>> called(Path("graphs/mine.gt"))
    'mine'
    """
    return place.absolute().name.removesuffix(".gt")


def is_store(path: Path) -> bool:
    """Whether `path` looks like a store: a folder with a manifest."""
    return (path / MANIFEST).is_file()


def open_graph(path: Path | str) -> Graph | GraphSet:
    """Open a store by mapping its files. What is in them is checked when it is first used (see `checked`).

    Raises StoreError where `path` is no store, has another format version, or a file is missing or cut.
    """
    return _steadily(Path(path), _open)


def _steadily(folder: Path, read: Callable[[Path, Manifest], T]) -> T:
    """What `read` gives of a store; once more where a newer store took its place meanwhile."""
    manifest = read_manifest(folder)
    while True:
        try:
            found = read(folder, manifest)
        except StoreError:
            now = read_manifest(folder)
            if now.checksum == manifest.checksum:
                raise
        else:
            now = read_manifest(folder)
            if now.checksum == manifest.checksum:
                return found
        manifest = now


def damage(path: Path | str) -> list[str]:
    """What is wrong with a store, after reading all of it, a sentence a file; nothing where it is whole.

    Raises StoreError where `path` is no store, or one of another format version.
    """
    try:
        return _steadily(Path(path), _damage)
    except DamagedError as error:
        return [str(error)]


def _damage(folder: Path, manifest: Manifest) -> list[str]:
    found = [told for name in manifest.files if (told := _changed(folder / name, *manifest.files[name]))]
    if found:
        return found
    graph = _open(folder, manifest)  # whoever means harm can write checksums too
    union = graph.union if isinstance(graph, GraphSet) else graph
    for part in (union.columns.values(), union.adjacencies, union.edge_columns, union.id_index.hashes[:1]):
        list(part)
    for place in range(len(graph) if isinstance(graph, GraphSet) else 0):
        look()
        graph.at(place)  # type: ignore[union-attr]
    return []


def _changed(path: Path, size: int, digest: str) -> str:
    look()
    try:
        found = path.stat().st_size
        if found != size:
            return f"{path} has {found} bytes where {size} were written."
        return "" if _digest(path) == digest else f"{path} was changed since it was written."
    except OSError as error:
        return f"{path} cannot be read: {error.strerror}."


@contextmanager
def index_files(graph: Graph, *prefixes: str) -> Iterator[Path]:
    """The folder `index` of a graph's store, while the files in it are opened whose names begin so.

    Raises StoreError where one of up to 64 MB is not what was written, and where a newer store took the place of
    the graph's.
    """
    assert graph.path is not None
    _check_still(graph)
    try:
        for name, (size, digest) in read_manifest(graph.path).files.items():
            if name.startswith(tuple(f"{INDEX}/{p}" for p in prefixes)) and size:
                Mapped(graph.path / name, digest).check()
        yield graph.path / INDEX
    except StoreError:
        _check_still(graph)
        raise
    _check_still(graph)


def _check_still(graph: Graph) -> None:
    assert graph.path is not None
    if graph.checksum and read_manifest(graph.path).checksum != graph.checksum:
        raise StoreError(f"{graph.path} was imported again since it was opened. Open it again.")


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
        if not isinstance(data, dict) or not (data.get("format") == "graphtalk" or "schema" in data):
            raise StoreError(f"{folder} is not a graph store: its {MANIFEST} is of another program.")
        version = data["version"]
        if version not in READ:
            raise StoreError(
                f"{folder} has store format version {version}; this graphtalk reads versions "
                f"{', '.join(map(str, READ))}. Import the graph again."
            )
        if data.pop("checksum", None) not in (None, _checksum(data)):  # older stores have none
            raise ValueError("it was changed since it was written")
        if odd := set(data) - _ENTRIES:
            raise ValueError(f"it has {min(odd)!r}")
        files = {_inside(name): (int(size), str(digest)) for name, (size, digest) in data["files"].items()}
        if data["kind"] not in ("graph", "set") or not isinstance(data["name"], str):
            raise ValueError("it names neither a graph nor a set")
        checksum = hashlib.sha256(content).hexdigest()
        schema = data["schema"]
        check_schema(schema)
        parts = [*schema["node_types"], *schema["relations"]]
        early = any("item" not in feature for part in parts for feature in part["features"])
        schema = schema_from_json(schema)
        return Manifest(data["kind"], data["name"] or called(folder), schema, files, checksum, early, version)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise damaged(folder / MANIFEST, repr(error)) from error


def _checksum(entries: Mapping[str, Any]) -> str:
    """Of all that a manifest says, however it is laid out."""
    return hashlib.sha256(json.dumps(entries, sort_keys=True).encode()).hexdigest()


def _inside(name: str) -> str:
    if name.startswith("/") or ".." in name.split("/"):
        raise ValueError(f"{name!r} is outside the store")
    return name


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
    for role in ("indices", "back_indices", "back_edge"):
        _write_arrays(folder / f"{role}.npy", [getattr(a, role) for a in graph.adjacencies])
    sides = [(a.indptr, a.back_indptr) for a in graph.adjacencies]
    for side, prefix in enumerate(("", "back_")):
        pointers = [pair[side] for pair in sides]
        starts = [p.starts if isinstance(p, Sparse) else p for p in pointers]
        _write_arrays(folder / f"{prefix}indptr.npy", starts)
        _write_arrays(folder / f"{prefix}rows.npy", [p.rows for p in pointers if isinstance(p, Sparse)])
    kept = [[len(p.rows) if isinstance(p, Sparse) else -1 for p in pair] for pair in sides]
    np.save(folder / "sparse.npy", np.array(kept, np.int64).reshape(len(sides), 2))
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


def _write_manifest(graph: Graph | GraphSet, schema: Schema, folder: Path, place: str) -> None:
    """Write the manifest of a store that will be called `place`: a graph of that name is called as its folder, also when that is renamed."""
    names = sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())
    manifest: dict[str, Any] = {
        "format": "graphtalk",
        "version": VERSION,
        "kind": "set" if isinstance(graph, GraphSet) else "graph",
        "name": "" if graph.name == place else graph.name,
        "schema": schema_to_json(schema),
        "files": {name: [(folder / name).stat().st_size, _digest(folder / name)] for name in names},
    }
    for name in names:
        sync(folder / name)
    manifest["checksum"] = _checksum(manifest)
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
            raise damaged(folder, f"{name} is missing") from None
        if found != size:
            raise damaged(folder, f"{name} has {found} bytes where {size} were written")


def _open(folder: Path, manifest: Manifest) -> Graph | GraphSet:
    def file(name: str) -> Mapped:
        return Mapped(folder / name, manifest.files.get(name, (0, ""))[1])

    _check_sizes(folder, manifest)
    union = _open_union(folder, manifest, file)
    if manifest.kind == "graph":
        return union
    table, offsets = file("set.arrow").table("name", None), file("offsets.npy").array
    counts = [t.count for t in union.schema.node_types]
    fits = offsets.shape == (table.num_rows + 1, len(counts))
    fits = fits and all(rises(offsets[:, t], count) for t, count in enumerate(counts))
    expect(folder / "offsets.npy", fits, "where the graphs of this set begin")
    return GraphSet(union, table, offsets)


def _open_union(folder: Path, manifest: Manifest, file: Callable[[str], Mapped]) -> Graph:
    schema, nodes = manifest.schema, sum(t.count for t in manifest.schema.node_types)
    tables = [file(f"nodes/{i}.arrow") for i in range(len(schema.node_types))]
    edge_tables = [file(f"edges/{i}.arrow") if r.features else None for i, r in enumerate(schema.relations)]
    hashes, positions = file("id_hashes.npy"), file("id_positions.npy")

    def nodes_of(position: int) -> pa.Table:
        t = schema.node_types[position]
        return tables[position].table("id", None if manifest.early else t.features, t.count)

    def edges_of(position: int) -> pa.Table:
        found, r = edge_tables[position], schema.relations[position]
        return (
            pa.table({})
            if found is None
            else found.table("", None if manifest.early else r.features, r.count)
        )

    def ids() -> tuple[Hashes, Ints]:
        pair = hashes.array, positions.array
        ascending = (
            pair[0].shape == (nodes,)
            and pair[0].dtype == np.uint64
            and bool((pair[0][1:] >= pair[0][:-1]).all())
        )
        expect(hashes.path, ascending, "a hash of every id, ascending")
        expect(positions.path, within(pair[1], 0, nodes) and len(pair[1]) == nodes, "a node for every hash")
        return pair

    columns = _ByName([t.name for t in schema.node_types], Lazily(len(tables), nodes_of))
    edge_columns = Lazily(len(edge_tables), edges_of)
    if manifest.early:
        schema = Schema(
            tuple(replace(t, features=features_of(columns[t.name])) for t in schema.node_types),
            tuple(replace(r, features=features_of(edge_columns[i])) for i, r in enumerate(schema.relations)),
        )
    return Graph(
        schema,
        columns,
        _adjacencies(folder, schema, file, "sparse.npy" in manifest.files),
        edge_columns,
        manifest.name,
        folder,
        HashIndex(ids) if manifest.version == VERSION else None,
        manifest.checksum,
    )


def _adjacencies(
    folder: Path, schema: Schema, file: Callable[[str], Mapped], some_sparse: bool
) -> Lazily[Adjacency]:
    spans = {t.name: range(t.first, t.first + t.count) for t in schema.node_types}
    relations = schema.relations
    edges = [r.count for r in relations]
    kept = np.full((len(edges), 2), -1, np.int64)
    if some_sparse:
        held = file("sparse.npy")
        fits = held.array.shape == kept.shape and held.array.dtype == kept.dtype and (held.array >= -1).all()
        expect(held.path, fits, "how many rows each relation keeps")
        kept = held.array
    sides = (
        _pointers(file, "", [len(spans[r.source]) for r in relations], kept[:, 0]),
        _pointers(file, "back_", [len(spans[r.target]) for r in relations], kept[:, 1]),
    )
    indices, back_indices, back_edge = (
        _parts(file(f"{role}.npy"), edges) for role in ("indices", "back_indices", "back_edge")
    )

    def adjacency(position: int) -> Adjacency:
        forwards, backwards = (side(position) for side in sides)
        made = Adjacency(forwards, indices(position), backwards, back_indices(position), back_edge(position))
        r = relations[position]
        return check_adjacency(folder, made, spans[r.source], spans[r.target])

    return Lazily(len(edges), adjacency)


def _pointers(
    file: Callable[[str], Mapped], prefix: str, counts: Sequence[int], kept: Ints
) -> Callable[[int], Pointers]:
    """The row pointers of one side of each relation, which has so many rows and keeps so many (-1: all)."""
    some = kept.tolist()
    held = [count if few < 0 else few for count, few in zip(counts, some, strict=True)]
    starts = _parts(file(f"{prefix}indptr.npy"), [n + 1 for n in held])
    if max(some, default=-1) < 0:
        return starts
    rows = _parts(file(f"{prefix}rows.npy"), [max(n, 0) for n in some])
    return lambda at: starts(at) if some[at] < 0 else Sparse(rows(at), starts(at), counts[at])


def _parts(held: Mapped, sizes: Sequence[int]) -> Callable[[int], Ints]:
    """The parts of an array, of these lengths, one after the other."""
    ends = np.cumsum(sizes, dtype=np.int64).tolist()

    def part(at: int) -> Ints:
        found: Ints = held.array
        expect(held.path, found.shape == (ends[-1],), f"an array of {ends[-1]} numbers")
        return found[ends[at] - sizes[at] : ends[at]]

    return part


class _ByName(Mapping[str, pa.Table]):
    """Tables by name, each read when asked for."""

    def __init__(self, names: Sequence[str], tables: Sequence[pa.Table]) -> None:
        self._places = {name: place for place, name in enumerate(names)}
        self._tables = tables

    def __getitem__(self, name: str) -> pa.Table:
        return self._tables[self._places[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
