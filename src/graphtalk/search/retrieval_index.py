"""The index that retrieval needs, in the folder `index/retrieval` of a store: vectors and links.

A store gets it when it is first needed, beside what is there and in one step, or at import where that is asked for;
where its folder cannot be written, it is made for this process alone. One that was imported without vectors gets none.
"""

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from graphtalk.core import UsageError
from graphtalk.graphs import Graph
from graphtalk.graphs.scratch import scratch, sync
from graphtalk.graphs.store import INDEX, index_files
from graphtalk.search.embedder import Embedder, load_embedder
from graphtalk.search.graph_vectors import ABOUT, GraphVectors
from graphtalk.search.index import Index
from graphtalk.search.links import Links
from graphtalk.search.subgraph import Retriever

FOLDER = "retrieval"
_MOST = 5_000  # texts that MiniLM takes while a question waits, in some fifteen seconds of a core; of more the static table, once


def embedder_for(graph: Graph) -> Embedder:
    """The embedder where none is named: MiniLM, as in the paper; for a large graph the static table, fifty times faster."""
    said = sum(
        graph.edge_offsets[at + 1] - graph.edge_offsets[at]
        for at, relation in enumerate(graph.schema.relations)
        if relation.features
    )
    return load_embedder("minilm" if graph.num_nodes + int(said) <= _MOST else "static")


def indexer(embedder: Embedder | None = None) -> Callable[[Graph, Path], None]:
    """An indexer for the store, with that of `embedder_for` if none is given."""

    def build(graph: Graph, folder: Path) -> None:
        (folder / FOLDER).mkdir()
        _write(graph, folder / FOLDER, embedder or embedder_for(graph))

    return build


def rebuilt(earlier: Graph) -> Callable[[Graph, Path], None]:
    """An indexer for a store that a changed graph goes to: what says the same keeps its vector.

    It writes nothing where the earlier store has no such index.
    """
    if earlier.path is None or not (earlier.path / INDEX / FOLDER).exists():
        return lambda graph, folder: None
    with index_files(earlier, f"{FOLDER}/") as there:
        vectors = GraphVectors.load(there / FOLDER, earlier)

    def build(graph: Graph, folder: Path) -> None:
        (folder / FOLDER).mkdir()
        _write(graph, folder / FOLDER, vectors.embedder, (earlier, vectors))

    return build


def retriever(graph: Graph, index: Index | None = None) -> Retriever:
    """The retriever of a graph: the same one every time, for as long as the graph lives.

    Raises StoreError where its index is damaged, and UsageError where its embedder is not installed or where the graph
    was imported without vectors.
    """
    # Kept on the graph itself: in a table beside it, a retriever would keep its graph alive for ever.
    kept: dict[str, Retriever] = vars(graph)
    if "_retriever" not in kept:
        kept["_retriever"] = _open(graph, index or Index.open(graph))
    return kept["_retriever"]


def _open(graph: Graph, index: Index) -> Retriever:
    if not index.by_meaning:
        raise UsageError(
            f"{graph.path} was imported with --no-vectors, and retrieval needs vectors: import it again without that."
        )
    if graph.path is None or type(graph) is not Graph:  # of a graph elsewhere only names are in its store
        return in_memory(graph, index, embedder_for(graph))
    with index_files(graph, f"{FOLDER}/") as place:
        if (place / FOLDER).exists() or _add(graph, place / FOLDER):
            return _load(graph, index, place / FOLDER)
    return in_memory(graph, index, embedder_for(graph))


def _load(graph: Graph, index: Index, folder: Path) -> Retriever:
    return Retriever(graph, index, GraphVectors.load(folder, graph), Links.load(folder, graph))


def in_memory(graph: Graph, index: Index, embedder: Embedder) -> Retriever:
    """A retriever of a graph by any embedder; no store keeps it."""
    with TemporaryDirectory(prefix="graphtalk-") as place:
        _write(graph, Path(place), embedder)
        return _load(graph, index, Path(place))  # what is mapped outlives its file's name


def _add(graph: Graph, folder: Path) -> bool:
    """Write the index into a store that has none; false where the store cannot be written."""
    if not os.access(folder.parent if folder.parent.exists() else folder.parent.parent, os.W_OK):
        return False
    with scratch(folder.parent, ".retrieval-") as place:
        new = place / FOLDER
        new.mkdir()
        _write(graph, new, embedder_for(graph))
        try:
            os.rename(new, folder)
        except OSError:
            if not (folder / ABOUT).exists():  # another process may have been faster
                raise
    sync(folder.parent)
    return True


def _write(
    graph: Graph, folder: Path, embedder: Embedder, earlier: tuple[Graph, GraphVectors] | None = None
) -> None:
    GraphVectors.build(graph, embedder, folder, earlier)
    Links.build(graph).save(folder)
