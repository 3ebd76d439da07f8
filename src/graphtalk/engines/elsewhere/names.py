"""The schema of a graph elsewhere, and the ids and names of its nodes: read once, and kept as a store of their own.

What is kept lies in the cache, by the address: `names.gt`, a store of the nodes with their names and no edges, with its
search index; and `schema.json`, which says what the engine has. Whoever asks for it reads both again.
"""

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import StoreError, UsageError
from graphtalk.engines.elsewhere.graph import Elsewhere
from graphtalk.engines.elsewhere.protocol import Backend
from graphtalk.graphs import store
from graphtalk.graphs.build import NodeTable, build
from graphtalk.graphs.columns import as_texts
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.schema import NodeType, Schema, schema_from_json, schema_to_json
from graphtalk.graphs.scratch import alone, cache_folder
from graphtalk.graphs.spill import quarter_of_machine
from graphtalk.search.index import Index
from graphtalk.search.names import names_nodes

MOST_NAMES = quarter_of_machine() // 250
"""So many nodes have their names read: one for each thousand bytes of the memory that there is, of which it takes some 650 while they are."""
_FORM = 2
_LABELS = ("name", "title", "label")


def open_elsewhere(
    backend: Backend, identity: str, address: str, name: str, state: str = "", refresh: bool = False
) -> Elsewhere:
    """The graph of an engine, with what was read of it before; read now where nothing was, or `refresh`.

    `identity` is the same for every way to write the `address`; `state` changes where a file does, and what was read
    of the old one is not used. Raises EngineError.
    """
    place = cache_folder() / "elsewhere" / _digest(identity)
    with alone(place.with_name(f".{place.name}.lock")):
        kept = None if refresh else _kept(backend, place, state)
        schema, prefixed, names = kept or _read(backend, place, name, state)
    return Elsewhere.of(replace(names, name=name), backend, schema, prefixed, address)


def _kept(backend: Backend, place: Path, state: str) -> tuple[Schema, frozenset[str], Graph] | None:
    try:
        about = json.loads((place / "schema.json").read_bytes())
        names = store.open_graph(place / "names.gt")
        fits = about["form"] == _FORM and about["state"] == state and names.checksum == about["names"]  # type: ignore[union-attr]
        if not fits or not isinstance(names, Graph):
            return None
        schema = schema_from_json(about["schema"])
        backend.know(schema, about["notes"])
        return schema, frozenset(about["prefixed"]), names
    except (OSError, StoreError, ValueError, KeyError, TypeError):
        return None


def _read(backend: Backend, place: Path, name: str, state: str) -> tuple[Schema, frozenset[str], Graph]:
    schema = backend.schema()
    if not schema.node_types:
        raise UsageError(f"{name}: {backend.engine} has no nodes there that could be asked about.")
    many = sum(t.count for t in schema.node_types)
    if many > MOST_NAMES:
        raise UsageError(
            f"{name} has {many:,} nodes; the names of at most {MOST_NAMES:,} are read, as many as the memory of this "
            "machine holds. Leave types of nodes out of the mapping, or import a part of it."
        )
    tables = [_names_of(backend, t) for t in schema.node_types]
    prefixed = _prefixed(schema, tables)
    nodes = []
    for t, table in zip(schema.node_types, tables, strict=True):
        ids = table.column("id")
        if t.name in prefixed:
            ids = pc.binary_join_element_wise(t.name, ids, ":")
        nodes.append(NodeTable(t.name, table.set_column(0, "id", ids), t.label))
    graph = build(nodes, [], name)
    target = place / "names.gt"
    place.mkdir(parents=True, exist_ok=True)
    if target.exists() and not store.is_store(target):
        shutil.rmtree(target)
    store.write(graph, target, [Index.build])
    names = store.open_graph(target)
    assert isinstance(names, Graph)
    first, types = 0, []
    for t, part in zip(schema.node_types, nodes, strict=True):
        types.append(replace(t, first=first, count=part.table.num_rows))
        first += part.table.num_rows
    schema = Schema(tuple(types), schema.relations)
    about = {
        "form": _FORM,
        "state": state,
        "names": names.checksum,
        "prefixed": sorted(prefixed),
        "schema": schema_to_json(schema),
        "notes": backend.notes(),
    }
    (place / "schema.json").write_text(json.dumps(about))
    return schema, prefixed, names


def _names_of(backend: Backend, t: NodeType) -> pa.Table:
    """Ids, and the features that name nodes, in the order of the ids."""
    columns = [f.name for f in t.features if f.name == t.label or names_nodes(f)]
    table = backend.nodes(t, columns)
    ids = as_texts(pa.chunked_array(table.column("id")))
    if ids.null_count or pc.count_distinct(ids).as_py() < len(ids):
        raise UsageError(
            f"{backend.engine}: {t.name} nodes are not told apart by their id: some have the same, or none."
        )
    table = pa.table([ids, *(table.column(name) for name in columns)], names=["id", *columns])
    return table.sort_by("id")


def _prefixed(schema: Schema, tables: Sequence[pa.Table]) -> frozenset[str]:
    """Types with ids that nodes of other types have too."""
    every = pa.chunked_array([chunk for table in tables for chunk in table.column("id").chunks], pa.string())
    codes = np.asarray(every.combine_chunks().dictionary_encode().indices)
    shared = np.bincount(codes)[codes] > 1  # within a type each id stands once
    ends = np.cumsum([table.num_rows for table in tables])
    parts = np.split(shared, ends[:-1])
    return frozenset(t.name for t, part in zip(schema.node_types, parts, strict=True) if part.any())


def label_of(names: Sequence[str], texts: Sequence[str]) -> str:
    """The feature that names nodes of a type to people: of those that are texts."""
    known = {name.casefold(): name for name in names if name in texts}
    return next((known[name] for name in _LABELS if name in known), "")


def _digest(address: str) -> str:
    return hashlib.blake2b(address.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
