"""The data sets by name. Each is fetched once, into a store, and mapped when it is first asked for."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from graphtalk.core import CheckError, ToolError, UsageError
from graphtalk.graphs import GraphSet, Loaded, builtin, store
from graphtalk.graphs.importing import Progress
from graphtalk.graphs.scratch import cache_folder
from graphtalk.hub.card import DataCard, card_names, read_card
from graphtalk.hub.download import Bar, no_bar

if TYPE_CHECKING:
    from graphtalk.hub.fetch import Fetched


def hub_folder() -> Path:
    """Where data sets are kept: `$GRAPHTALK_HUB`, or a folder of the cache."""
    named = os.environ.get("GRAPHTALK_HUB")
    return Path(named).expanduser() if named else cache_folder() / "hub"


@dataclass(frozen=True)
class Hub:
    """The data sets in a folder. It can be the loader of an executor: `GL("cora")` opens what was fetched."""

    root: Path
    cards: Path | None = None  # a folder of cards, instead of all that are known
    _open: dict[str, Loaded] = field(default_factory=dict, repr=False, compare=False)

    def names(self) -> tuple[str, ...]:
        """The names of all data sets, fetched or not."""
        return card_names(self.cards)

    def card(self, name: str) -> DataCard:
        """The card of a data set. Raises UsageError with the valid names."""
        return read_card(name, self.cards)

    def place(self, name: str) -> Path:
        """Where the store of a data set is, or will be."""
        return self.root / f"{name}.gt"

    def fetched(self, name: str) -> bool:
        """Whether the graph of a data set can be opened: it was fetched, or comes with the package."""
        return store.is_store(self.place(name)) or self.card(name).format == "built-in"

    def fetch(
        self, name: str, source: Path | None = None, bar: Bar = no_bar, progress: Progress | None = None
    ) -> "Fetched":
        """Fetch a data set, from the folder `source` or else the web; see `hub/fetch.py`."""
        from graphtalk.hub.fetch import fetch  # readers are slow to import, and only needed once

        found = fetch(self.card(name), self.root, source, bar, progress)
        self._open.pop(name, None)
        return found

    def edition(self, name: str) -> str:
        """What the copy that is here is called, where it is another than the paper's: "FB15k-237" in place of FB15k; else ""."""
        card = self.card(name) if name in self.names() else None
        if card is None or not card.edition:
            return ""
        from graphtalk.hub.fetch import provenance  # what fetches is not loaded to answer

        here = provenance(self.place(name))
        others = {file.folder_sha256 for file in card.files if file.folder_sha256}
        return card.edition if here and any(file.sha256 in others for file in here.files) else ""

    def called(self, name: str) -> str:
        """The name of a data set, with its edition: "freebase (FB15k-237)"."""
        edition = self.edition(name)
        return f"{name} ({edition})" if edition else name

    def graph(self, name: str) -> Loaded:
        """The graph of a data set, mapped once. Raises UsageError for an unknown name, and where it is not fetched."""
        if name not in self._open:
            card = self.card(name)
            if store.is_store(self.place(name)):
                self._open[name] = store.open_graph(self.place(name))
            elif card.format == "built-in":
                self._open[name] = builtin.load(str(card.read["graph"]))
            else:
                raise UsageError(
                    f"The data set {name} is not in {self.root} yet. Fetch it: graphtalk hub fetch {name}"
                )
        return self._open[name]

    def load(self, name: str) -> Loaded:
        """As `graph`, for calls: raises ToolError instead of UsageError."""
        try:
            return self.graph(name)
        except UsageError as error:
            raise ToolError(str(error)) from None

    def node(self, name: str, reference: str) -> int:
        """The node that `reference` names by its id, as the papers write it: `paper#83826`, `83826`, `user#u272`.

        Raises UsageError for an unknown data set, CheckError where no node has this id or the set has many graphs.
        """
        graph = self.graph(name)
        if isinstance(graph, GraphSet):
            raise CheckError(f"{name} is a set of {len(graph)} graphs; name one of them first.")
        found = graph.find(reference)
        if found is None:
            kind, mark, node_id = reference.partition("#")
            found = graph.find(node_id.strip()) if mark and kind.strip() else None
        if found is None:
            raise CheckError(f"No node {reference!r} in {name}.")
        return found
