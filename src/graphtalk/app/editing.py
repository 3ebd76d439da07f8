"""Stores that change: `graphtalk update` and `gt.edit`, `gt.save`, and what tells two graphs apart: `graphtalk diff`."""

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path

from graphtalk.app import console, render, stores
from graphtalk.app.ask import open
from graphtalk.core import JSON, StoreError, UsageError
from graphtalk.graphs import Graph, GraphSet, Loaded, open_graph, store
from graphtalk.graphs.differences import Differences, differences
from graphtalk.graphs.edit import Changes, Report
from graphtalk.graphs.edit_rows import (
    Change,
    Edit,
    gone_rows,
    rows_of_files,
    rows_of_tables,
    run,
    values_of,
)
from graphtalk.graphs.scratch import cache_folder
from graphtalk.hub import hub_folder
from graphtalk.search.dense import When

MOST_SHOWN = 40  # differences of one kind, in a terminal


@dataclass(frozen=True)
class Update:
    """What `graphtalk update` is told. First parts are deleted, then rows are, then rows are added or changed."""

    sources: Sequence[Path] = ()
    nodes: Sequence[Path] = ()
    edges: Sequence[Path] = ()
    delete_ids: Sequence[str] = ()
    delete_nodes: Sequence[Path] = ()
    delete_edges: Sequence[Path] = ()
    delete_types: Sequence[str] = ()
    delete_relations: Sequence[str] = ()
    delete_features: Sequence[str] = ()
    values: Sequence[str] = ()

    def changes(self) -> list[Change]:
        """The changes in their order. Raises UsageError where there are none."""
        features = tuple(_feature(text) for text in self.delete_features)
        gone = Changes(
            tuple(self.delete_types), tuple(self.delete_relations), features, tuple(self.delete_ids)
        )
        found: list[Change] = []
        if gone != Changes():
            found.append(lambda graph: gone)
        if self.delete_nodes or self.delete_edges:
            found.append(gone_rows(self.delete_nodes, self.delete_edges))
        if self.sources:
            found.append(rows_of_files(self.sources))
        if self.nodes or self.edges:
            found.append(rows_of_tables(self.nodes, self.edges))
        if self.values:
            found.append(values_of(self.values))
        if not found:
            raise UsageError(
                "Nothing to update: give files with rows, --set, or what to delete. See update --help."
            )
        return found


def _feature(text: str) -> tuple[str, str]:
    owner, dot, name = text.partition(".")
    if not (owner and dot and name):
        raise UsageError(f"--delete-feature {text!r}: give TYPE.FEATURE or RELATION.FEATURE.")
    return owner, name


def edit(graph: Graph | str | Path) -> AbstractContextManager[Edit]:
    """Edit a store: `with gt.edit("mine.gt") as e: e.add_node("c", "person", name="Cy")`.

    At the end of the block the store is replaced in one step, and `e.graph` is the new one. Where the block ends in an
    error, nothing is changed. `g.edit()` does the same to a graph in memory, and leaves the store that it came from.
    """
    place = _place(graph)

    def finish(changes: Sequence[Change]) -> tuple[Graph, Report]:
        found = Report()

        def change(old: Graph) -> tuple[Graph, Mapping[str, JSON]]:
            nonlocal found
            new, found = run(old, changes)
            return new, {**asdict(found), **_parts(old, new)}

        stores.update(place, change)
        return _graph(open_graph(place)), found

    return Edit(_graph(open_graph(place)), finish)


def save(graph: Loaded, path: str | Path, *, embedder: str = "", vectors: When = "later") -> Loaded:
    """Write a graph as a store, with its indexes, and open it. An older store there is replaced in one step.

    `embedder` and `vectors` are as in `import_graph`.
    Raises StoreError where `path` is something else than a store.
    """
    place = Path(path).expanduser()
    store.check_place(place)
    stores.check_vectors(embedder, vectors)
    stores.write(graph, place, embedder, vectors)
    return open_graph(place)


def diff(first: Loaded | str | Path, second: Loaded | str | Path) -> Differences:
    """The differences of the second graph from the first: nodes, edges, features and schema."""
    one, other = (_graph(g if isinstance(g, Graph | GraphSet) else open(g)) for g in (first, second))
    return differences(one, other)


def _place(graph: Graph | str | Path) -> Path:
    """The store of a graph that may be changed. Raises StoreError for what is no store of a person's own."""
    if isinstance(graph, str) and "://" in graph:
        raise StoreError("A graph elsewhere is only read. Import it into a store first, and change that.")
    path = graph.path if isinstance(graph, Graph) else Path(graph).expanduser()
    if path is None:
        raise StoreError("This graph is not of a store. Edit it with g.edit(), then gt.save it.")
    if not store.is_store(path):
        raise StoreError(f"{path} is not a graph store. Import it first: graphtalk import {path} -o mine.gt")
    for folder, what in ((cache_folder(), "the cache"), (hub_folder(), "the hub")):
        if path.resolve().is_relative_to(folder.resolve()):
            raise StoreError(f"{path} belongs to {what}. Save a copy first: gt.save(g, 'mine.gt').")
    return path


def _graph(graph: Loaded) -> Graph:
    if isinstance(graph, GraphSet):
        raise UsageError(f"{graph.name} is a set of {len(graph):,} graphs; this needs one graph.")
    return graph


def update_command(path: str, update: Update, as_json: bool) -> None:
    """`graphtalk update`: change a store, and say how much."""
    changes = update.changes()
    started = time.perf_counter()

    def change(old: Graph) -> tuple[Graph, Mapping[str, JSON]]:
        new, report = run(old, changes)
        return new, {**asdict(report), **_parts(old, new)}

    line = stores.update(_place(path), change)
    seconds = time.perf_counter() - started
    if as_json:
        console.write(render.dumps({**line, "store": path, "seconds": seconds}))
        return
    counts = {name: line[name] for name in asdict(Report()) if line[name]}
    shown = {name: name if count != 1 else name.replace("s_", "_", 1) for name, count in counts.items()}
    told = ", ".join(f"{count:,} {shown[name].replace('_', ' ')}" for name, count in counts.items())
    console.write(f"{told or 'nothing changed'}; {render.duration(seconds)}: {path}")
    for name in ("types_added", "types_deleted", "relations_added", "relations_deleted"):
        if found := line.get(name):
            console.write(f"{name.replace('_', ' ')}: {', '.join(map(str, found))}")  # type: ignore[arg-type]


def _parts(old: Graph, new: Graph) -> dict[str, JSON]:
    """The node types and relations that an update made or took away, where it did."""
    names = [
        ([t.name for t in one.schema.node_types], [r.name for r in one.schema.relations])
        for one in (old, new)
    ]
    found: dict[str, JSON] = {}
    for what, before, after in zip(("types", "relations"), *names, strict=True):
        found[f"{what}_added"] = [*dict.fromkeys(name for name in after if name not in before)]
        found[f"{what}_deleted"] = [*dict.fromkeys(name for name in before if name not in after)]
    return {name: value for name, value in found.items() if value}


def diff_command(first: str, second: str, as_json: bool) -> int:
    """`graphtalk diff`: print what tells two graphs apart; 1 where anything does."""
    found = diff(first, second)
    if as_json:
        console.write(render.dumps(found.to_json()))
    else:
        console.write("\n".join(found.lines(MOST_SHOWN)) or "The same.")
    return 0 if found.same else 1
