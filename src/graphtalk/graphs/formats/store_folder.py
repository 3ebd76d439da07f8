"""A store as a source: its graph, to be written anew in the format of today, with other indexes, or elsewhere."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from graphtalk.core import SourceError
from graphtalk.graphs import store
from graphtalk.graphs.formats.files import head
from graphtalk.graphs.graph_set import GraphSet, Loaded
from graphtalk.graphs.importing import Importing


def sniff(path: Path) -> bool:
    """Whether a folder is a store of any version, rather than data with a manifest of its own."""
    return store.is_store(path) and b'"format": "graphtalk"' in head(path / store.MANIFEST)


def read(sources: Sequence[Path], importing: Importing) -> Loaded:
    """The graph of a store, mapped; called as the new store where it was called as its folder."""
    if len(sources) > 1:
        raise SourceError(
            "a store is imported alone; graphtalk update adds to it what files hold.", str(sources[0])
        )
    graph = store.open_graph(sources[0])
    union = graph.union if isinstance(graph, GraphSet) else graph
    name = importing.name if union.name == store.called(sources[0].resolve()) else union.name
    union = replace(union, name=name, path=None, checksum="")
    return replace(graph, union=union) if isinstance(graph, GraphSet) else union
