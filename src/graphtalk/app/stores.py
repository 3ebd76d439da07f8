"""From what a person calls a graph to the graph.

A graph is named by a store's folder, by a file or folder to import on the fly, by a built-in name, by a data set of
the hub, or by the address of an engine that it lives in. Files, folders and built-in graphs become stores in a cache, keyed by what they were made from, so that they
are imported once.
"""

import fcntl
import glob
import hashlib
import os
import re
import weakref
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import get_args

from graphtalk.core import JSON, StoreError, UsageError, choices
from graphtalk.graphs import Graph, GraphSet, Loaded, builtin, store
from graphtalk.graphs.importing import Progress
from graphtalk.graphs.scratch import alone, scratch
from graphtalk.graphs.scratch import cache_folder as cache_folder
from graphtalk.graphs.spill import Spill, quarter_of_machine
from graphtalk.hub import Hub, hub_folder
from graphtalk.search import index
from graphtalk.search.dense import When
from graphtalk.search.embedder import load_embedder

_DIGEST = "[0-9a-f]" * 12


@cache
def _versions() -> str:
    """Of what writes stores, and of what reads files: where one changes, cached stores are made anew."""
    try:
        package = version("graphtalk")
    except PackageNotFoundError:  # run from its source, not installed
        package = "source"
    return f"{store.VERSION}.{index.VERSION}.{package}"


class ReplacedError(StoreError):
    """A store is another than the one that was opened, or gone."""


def check_vectors(embedder: str, vectors: When) -> None:
    """Raise UsageError for a time that is none, and for an embedder that is unknown, not installed or of no use.

    No embedder is named by an empty text.
    """
    if vectors not in get_args(When):
        raise UsageError(f"No time {vectors!r} for vectors. {choices(str(vectors), get_args(When))}")
    if embedder and vectors == "never":
        raise UsageError(
            f"The embedder {embedder!r} makes vectors, and --no-vectors wants none: give one of them."
        )
    if embedder:
        load_embedder(embedder)


def write(graph: Loaded, place: Path, embedder: str = "", vectors: When = "later") -> None:
    """Write a store with its indexes. A graph set has none: its graphs are found by name.

    `vectors` says when names, nodes and edges are embedded; `embedder` what embeds nodes and edges for retrieval, now.
    Raises UsageError, before anything is written, for an unknown one.
    """
    when: When = "now" if embedder else vectors
    indexers: list[store.Indexer] = [partial(index.Index.build, vectors=when)]
    if when == "now":
        from graphtalk.search import retrieval_index  # only what makes vectors needs it

        indexers.append(retrieval_index.indexer(load_embedder(embedder) if embedder else None))
    store.write(graph, place, indexers if isinstance(graph, Graph) else [])


def update(path: Path, change: store.Change) -> Mapping[str, JSON]:
    """Put a changed graph in the place of a store; see `store.update`. Its indexes keep what still holds."""
    from graphtalk.search import retrieval_index  # only updates need it, and imports with vectors

    def indexers(graph: Graph) -> list[store.Indexer]:
        return [index.Index.rebuilt(graph), retrieval_index.rebuilt(graph)]

    return store.update(path, change, indexers)


def open_named(
    name: str, format: str = "", recipe: str = "", progress: Progress | None = None, refresh: bool = False
) -> Loaded:
    """The graph called `name`, imported into the cache where it is not a store itself.

    `refresh` reads the schema and the names of a graph elsewhere again, and fetches a file of the web again. Raises UsageError, saying what was tried, where nothing is called so.
    """
    if "://" in name and not name.startswith(("http://", "https://")):
        from graphtalk.engines.elsewhere.addresses import open_address  # only graphs elsewhere need it

        return open_address(name, refresh)
    if name.startswith(("http://", "https://")):
        return _fetched(name, format, recipe, progress, refresh)
    path = Path(name).expanduser()
    if store.is_store(path):
        return store.open_graph(path)
    if path.exists():
        return _imported(path, format, recipe, progress)
    if name in builtin.names():
        return _built_in(name)
    hub = Hub(hub_folder())
    if name in hub.names():
        return hub.graph(name)
    names = named_graphs()
    raise UsageError(
        f"No graph {name!r}: there is no such file or folder, and no built-in graph or data set is called so. "
        f"{choices(name, names, most=len(names))}"
    )


def address_of(graph: Loaded) -> str:
    """The address of a graph that lives elsewhere; of any other nothing."""
    return str(getattr(graph, "address", ""))


def opened_again(name: str, place: str, checksum: str) -> Loaded:
    """The graph of a store, or at an address, that another process has open too.

    Raises ReplacedError where the store was written anew, or is gone.
    """
    if "://" in place:
        return open_named(place)
    try:
        graph = store.open_graph(place)
    except StoreError as error:
        raise ReplacedError(f"The graph {name!r} cannot be opened any more. Restart the server.") from error
    if (graph.union if isinstance(graph, GraphSet) else graph).checksum != checksum:
        raise ReplacedError(f"The graph {name!r} changed on disk after it was opened. Restart the server.")
    return graph


def named_graphs() -> tuple[str, ...]:
    """The names that need no file: built-in graphs, and data sets, fetched or not."""
    return tuple(dict.fromkeys((*builtin.names(), *Hub(hub_folder()).names())))


def _imported(path: Path, format: str, recipe: str, progress: Progress | None) -> Loaded:
    what = f"{path.stem}-{_digest(str(path.resolve()), format, recipe)}"
    made_from = _digest(_state(path), _state(Path(recipe)) if recipe else "", _versions())

    def read(spill: Spill) -> Loaded:
        from graphtalk.graphs.read import read_graph  # readers are slow to import, and only needed once

        return read_graph(
            [path], format=format or None, recipe=recipe or None, progress=progress, spill=spill
        )

    return _cached(what, made_from, read)


def _fetched(url: str, format: str, recipe: str, progress: Progress | None, refresh: bool) -> Loaded:
    """The graph in a file of the web, fetched once: what the web has meanwhile is looked at where `refresh` says so."""
    name = re.sub(r"[^\w.-]", "_", url.partition("?")[0].rstrip("/").rpartition("/")[2])[:80] or "graph"
    what = f"{name}-{_digest(url, format, recipe)}"
    if refresh:
        for older in cache_folder().glob(f"{glob.escape(what)}-{_DIGEST}.gt"):
            store.remove(older)

    def read(spill: Spill) -> Loaded:
        from graphtalk.graphs.read import read_graph

        return read_graph([url], format=format or None, recipe=recipe or None, progress=progress, spill=spill)

    return _cached(what, _digest(url, _state(Path(recipe)) if recipe else "", _versions()), read)


def _built_in(name: str) -> Loaded:
    made_from = _digest(builtin.checksum(name), _versions())
    return _cached(f"built-in/{name}", made_from, lambda _: builtin.load(name))


def _cached(what: str, made_from: str, read: Callable[[Spill], Loaded]) -> Loaded:
    place = cache_folder() / f"{what}-{made_from}.gt"
    with alone(place.with_name(f".{Path(what).name}.lock")):
        if store.is_store(place):
            try:
                return _in_use(place)
            except StoreError:
                pass  # a cached store can always be made again
        with scratch(place.parent, f".{place.name}.spill-") as folder:
            write(read(Spill(folder, quarter_of_machine())), place)
        for older in place.parent.glob(f"{glob.escape(Path(what).name)}-{_DIGEST}.gt"):
            if older != place and not _is_in_use(older):
                store.remove(older)
        return _in_use(place)


def _in_use(place: Path) -> Loaded:
    """The graph of a cached store, which stays in the cache as long as there is the graph.

    Other processes of its own open the store too, and what it maps later must be there.
    """
    graph = store.open_graph(place)
    descriptor = os.open(place / store.MANIFEST, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    weakref.finalize(graph.union if isinstance(graph, GraphSet) else graph, os.close, descriptor)
    return graph


def _is_in_use(place: Path) -> bool:
    """Whether any process has the graph of a cached store."""
    try:
        with (place / store.MANIFEST).open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False  # what is no store is not removed
    return False


def _state(path: Path) -> str:
    """What changes when a file, or any file of a folder, changes."""
    if not path.exists():
        return ""
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    stats = [(p, p.stat()) for p in files]
    return "\n".join(f"{p} {s.st_size} {s.st_mtime_ns}" for p, s in stats)


def _digest(*parts: str) -> str:
    text = "\0".join(parts)
    return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
