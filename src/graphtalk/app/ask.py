"""The entry points of the Python API: open a graph, ask it, keep a session of it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from graphtalk.app import reasoners, stores
from graphtalk.app.notebook import GraphAnswer
from graphtalk.app.session import Session
from graphtalk.app.settings import DEFAULT, Settings
from graphtalk.graphs import Graph, GraphSet, Loaded, open_graph, store
from graphtalk.graphs.importing import Missing, OnError, Progress, check_report
from graphtalk.search.dense import When


def open(
    name: "str | Path | object", *, format: str = "", recipe: str = "", progress: Progress | None = None
) -> Loaded:
    """Open a graph: a store, a file or folder to import, a built-in name, an address, or another library's object.

    - `name`: a path or name; or a networkx or igraph graph, PyG data, a data frame of edges, a pair of frames (nodes, edges), or
      a dictionary of frames by table name.
    - `format`, `recipe`: how to import what is not a store yet; inferred if empty.
    - `progress`: called while importing.

    Raises UsageError if there is no such graph, SourceError if it cannot be imported, StoreError if a store is damaged.
    """
    if isinstance(name, Graph | GraphSet):
        return name
    if not isinstance(name, str | Path):
        from graphtalk.graphs.convert import from_object

        return from_object(name)
    return stores.open_named(str(name), format, recipe, progress)


def import_graph(
    sources: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    format: str = "",
    recipe: str = "",
    on_error: OnError = "stop",
    missing: Missing = "stop",
    progress: Progress | None = None,
    embedder: str = "",
    vectors: When = "later",
    memory: int = 0,
) -> Loaded:
    """Import files into a store at `out`, and open it. An existing store there is replaced in one step.

    - `sources`: one or more files, folders, archives or addresses.
    - `on_error`: "stop" at a bad row, or "skip" it and list it in `OUT.rejected.tsv`.
    - `missing`: for edges to nodes that do not exist, "stop", "skip" the edge, or "add" the node.
    - `vectors`: when to embed names and nodes: "later" (when first needed), "now", or "never"; without them names are
      matched by spelling alone, and retrieval is not available.
    - `embedder`: embeds nodes and edges for retrieval at once: `static`, `minilm`, `sentence-transformers:MODEL`.
    - `memory`: bytes; larger tables are read in batches. 0: a quarter of the machine's.

    Raises SourceError, with file and line, for a bad source, and StoreError if `out` exists and is not a store.
    """
    from graphtalk.graphs.read import read_graph  # readers are slow to import, and only needed here
    from graphtalk.graphs.scratch import scratch
    from graphtalk.graphs.spill import Spill, quarter_of_machine

    place = Path(out)
    store.check_place(place)
    stores.check_vectors(embedder, vectors)
    report = place.with_name(f"{place.name}.rejected.tsv")
    if on_error == "skip":
        check_report(report)
    real = place.resolve()
    with scratch(real.parent, f".{real.name}.spill-") as folder:
        graph = read_graph(
            [sources] if isinstance(sources, str | Path) else sources,
            format=format or None,
            recipe=recipe or None,
            on_error=on_error,
            missing=missing,
            report=report,
            progress=progress,
            name=store.called(place.resolve()),
            spill=Spill(folder, memory or quarter_of_machine()),
        )
        stores.write(graph, place, embedder, vectors)
    return open_graph(place)


def ask(
    graph: Loaded | str | Path,
    question: str,
    *,
    lm: str = "",
    reasoner: str = "",
    settings: Settings = DEFAULT,
) -> GraphAnswer:
    """Answer a question about a graph.

    - `graph`: a graph, or anything that `open` takes; the session stays open for the next question.
    - `lm`, `reasoner`: as in the command line; they take precedence over `settings`.

    Returns an answer in any case: `answered` is false where nothing was found or the question is not clear enough. Raises
    UsageError for an unknown graph, model or reasoner.
    """
    chosen = replace(settings, lm=lm or settings.lm, reasoner=reasoner or settings.reasoner)
    return session(graph, chosen).ask(question)


def session(graph: Loaded | str | Path, settings: Settings = DEFAULT) -> Session:
    """The session of a graph, or of anything that `open` takes, created on first use and kept for as long as the graph lives.

    Raises UsageError for an unknown language model or reasoner.
    """
    check(settings)
    found = open(graph)
    # Kept on the graph itself: in a table beside it, a session would keep its graph alive for ever.
    kept: dict[Settings, Session] = vars(found).setdefault("_sessions", {})
    if settings not in kept:
        kept[settings] = Session(found, settings)
    return kept[settings]


def check(settings: Settings) -> None:
    """Raise UsageError, with the valid names, for an unknown language model or reasoner."""
    if settings.lm != reasoners.OFFLINE:
        from graphtalk.lms.registry import check_name

        check_name(settings.lm)
    reasoners.resolved(settings)
