"""Communities of a network, learnt once and asked often: what k-means and Leiden both give.

The functions are those of Graph-ToolFormer (appendix C.4).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from graphtalk.core import JSON, CheckError
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.models import saved
from graphtalk.models.cards import UNFITTED, new_card


@dataclass(frozen=True, eq=False)
class CommunityModel:
    """A partition of a graph's nodes. `labels` has the community of each node, the largest 0. Shape (n,).

    `modularity` is the partition's: the share of edges inside communities less what chance would put there.
    """

    labels: Ints
    modularity: float
    card: saved.ModelCard = UNFITTED
    name: ClassVar[str] = ""

    @classmethod
    def of(cls, labels: Ints, modularity: float) -> Self:
        """Communities under any labels, renumbered by size, the largest first."""
        _, dense = np.unique(labels, return_inverse=True)
        sizes = np.bincount(dense)
        rank = np.empty(len(sizes), np.int64)
        rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
        return cls(rank[dense], modularity)

    @property
    def sizes(self) -> Ints:
        """How many nodes each community has. Shape (communities,)."""
        return np.bincount(self.labels)

    def predict(self, nodes: Ints) -> Ints:
        """The communities of nodes. Shape as given. Raises CheckError for a node that it was not fitted on."""
        asked = np.asarray(nodes, dtype=np.int64)
        outside = asked[(asked < 0) | (asked >= len(self.labels))]
        if len(outside):
            raise CheckError(f"No community for node {outside[0]}: there are {len(self.labels)} nodes.")
        return self.labels[asked]

    def community(self, node: int) -> int:
        """The community of a node."""
        return int(self.predict(np.array([node]))[0])

    def community_count(self) -> int:
        """How many communities there are."""
        return len(self.sizes)

    def community_avg_size(self) -> float:
        """How many nodes a community has on average; 0 where there is none."""
        return len(self.labels) / max(1, self.community_count())

    def community_max_size(self) -> int:
        """How many nodes the largest community has; 0 where there is none."""
        return int(self.sizes.max(initial=0))

    def community_size(self, node: int) -> int:
        """How many nodes the community of a node has."""
        return int(self.sizes[self.community(node)])

    def common_community_check(self, first: int, second: int) -> bool:
        """Whether two nodes are in one community."""
        return self.community(first) == self.community(second)

    def save(self, folder: Path) -> None:
        """Write the model, in place of an older one. Raises UsageError where it cannot be written."""
        card = replace(self.card, facts={"modularity": self.modularity})
        saved.save(folder, card, {"labels": self.labels})

    @classmethod
    def load(cls, folder: Path, graph: Graph) -> Self:
        """Read a model that was fitted on this graph. Raises UsageError where it was not, or is damaged."""
        found = saved.load(folder, cls.name, graph.checksum)
        return cls(found.arrays["labels"], float(found.card.facts["modularity"]), found.card)

    def fitted(
        self, graph: Graph, config: Mapping[str, JSON], seed: int, began: float, citation: str
    ) -> Self:
        """This partition with a card that says how it was found; `began` by `time.perf_counter`."""
        scores = {"modularity": self.modularity, "communities": float(self.community_count())}
        return replace(self, card=new_card(self.name, graph, config, seed, scores, began, citation))
