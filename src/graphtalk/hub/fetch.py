"""Fetching a data set: its files are brought and checked, read into a graph, and written as a store in one step.

A process that is killed leaves downloads that the next one goes on with, and no part of a store.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from graphtalk.core import SourceError
from graphtalk.core.reading import read_json
from graphtalk.graphs import Graph, store
from graphtalk.graphs.importing import Importing, Progress, Rejects, Silent
from graphtalk.graphs.scratch import alone, scratch
from graphtalk.hub.card import DataCard
from graphtalk.hub.download import Bar, no_bar
from graphtalk.hub.gather import Gathered, forget, gather
from graphtalk.search.index import Index

PROVENANCE = "provenance.json"  # in the store's folder `index`: which files it was made from


@dataclass(frozen=True)
class Fetched:
    """What a fetch brought: the files, and which optional ones were not there."""

    files: tuple[Gathered, ...]
    absent: tuple[str, ...]

    @property
    def unchecked(self) -> tuple[str, ...]:
        """Files that no known checksum vouches for."""
        return tuple(f.name for f in self.files if not f.checked)


def fetch(
    card: DataCard,
    root: Path,
    source: Path | None = None,
    bar: Bar = no_bar,
    progress: Progress | None = None,
) -> Fetched:
    """Write the store of a data set at `root/NAME.gt`; its files come from the folder `source`, or else the web.

    Raises SourceError, naming the file, where one cannot be had, or is cut short, altered or refused.
    """
    downloads = root / "downloads" / card.name
    with (
        alone(root / f".{card.name}.lock", "GRAPHTALK_HUB"),
        scratch(root, f".{card.name}.files-") as folder,
    ):
        files = tuple(gather(card, folder, source, downloads, bar))
        names = {f.name for f in files}
        fetched = Fetched(files, tuple(f.name for f in card.files if f.name not in names))
        importing = Importing(Rejects(), progress or Silent(), card.name)
        importing.progress.start(sum(p.stat().st_size for p in folder.iterdir()))
        from graphtalk.hub import readers  # and all formats with it: only who fetches needs them

        try:
            graph = readers.read(card, folder, importing)
        except SourceError as error:
            forget(downloads)  # no card vouches for them
            raise SourceError(str(error).replace(f"{folder}", card.name)) from None
        if importing.rejects.notes:
            importing.progress.noted(importing.rejects.notes)

        def note(_: Graph, index: Path) -> None:
            text = json.dumps(asdict(fetched), ensure_ascii=False, indent=1)
            (index / PROVENANCE).write_text(text, encoding="utf-8")

        indexers: list[store.Indexer] = [Index.build, note] if isinstance(graph, Graph) else [note]
        store.write(graph, root / f"{card.name}.gt", indexers)
        forget(downloads)
    return fetched


def provenance(place: Path) -> Fetched | None:
    """What the store at `place` was made from; None where it does not say."""
    path = place / store.INDEX / PROVENANCE
    if not path.exists():
        return None
    data = read_json(path.read_text(encoding="utf-8"))
    return Fetched(tuple(Gathered(**f) for f in data["files"]), tuple(data["absent"]))
