"""What Python calls first: a graph by its name, a session of it, and an answer."""

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
    """The graph called `name`: a store's folder, a file or folder to import, or a built-in name.

    Also a graph of what other libraries have: networkx, igraph, PyG, a data frame of edges, or a pair of frames, of nodes
    and of edges (`graphs/convert.py`).

    `format` and `recipe` say how to import what is not a store yet; `progress` hears how that goes. Raises
    UsageError where nothing is called so, SourceError where it cannot be imported, StoreError where a store is
    damaged.
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
    """Import `sources` into a store at `out`, and open it. An older store there is replaced in one step.

    `sources` are one or several: a source is a file, a folder, an archive or an address; the graph is called as `out`.

    `vectors` of names and for retrieval are made when they are first needed ("later"), "now", or "never": names are
    then found by their letters alone, and nothing is retrieved. `embedder` embeds nodes and edges for retrieval, now:
    `static` if not given, `minilm`, `sentence-transformers:MODEL`.
    Tables that take more than `memory` bytes to read (0: a quarter of the machine) are gone through by batches, beside the store.
    With `on_error="skip"` bad rows are left out and listed in `OUT.rejected.tsv`. With `missing="skip"` edges to nodes
    that are not there are left out, with "add" the nodes are made. Raises SourceError, naming
    file and line, where a source is bad, and StoreError where `out` is something else than a store.
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
            name=place.resolve().name.removesuffix(".gt"),
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
    """Answer a question about a graph. What was opened for it stays open for the next question.

    `lm` and `reasoner` stand before those of `settings`.
    """
    found = graph if isinstance(graph, Graph | GraphSet) else open(graph)
    chosen = replace(settings, lm=lm or settings.lm, reasoner=reasoner or settings.reasoner)
    return session(found, chosen).ask(question)


def session(graph: Loaded, settings: Settings = DEFAULT) -> Session:
    """The session of a graph: the same one every time, for as long as the graph lives.

    Raises UsageError for an unknown language model or reasoner.
    """
    check(settings)
    # Kept on the graph itself: in a table beside it, a session would keep its graph alive for ever.
    kept: dict[Settings, Session] = vars(graph).setdefault("_sessions", {})
    if settings not in kept:
        kept[settings] = Session(graph, settings)
    return kept[settings]


def check(settings: Settings) -> None:
    """Raise UsageError, with the valid names, for an unknown language model or reasoner."""
    if settings.lm != reasoners.OFFLINE:
        from graphtalk.lms.registry import check_name

        check_name(settings.lm)
    reasoners.resolved(settings)
