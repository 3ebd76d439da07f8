"""Communities of a network, learnt once and asked often: what k-means and Leiden both give.

The functions are those of Graph-ToolFormer (appendix C.4).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphtalk.core import JSON, CheckError
from graphtalk.graphs.adjacency import Ints
from graphtalk.models import saved


@dataclass(frozen=True, eq=False)
class CommunityModel:
    """A partition of a graph's nodes. `labels` has the community of each node, the largest 0. Shape (n,).

    `modularity` is the partition's: the share of edges inside communities less what chance would put there.
    """

    labels: Ints
    modularity: float

    @classmethod
    def of(cls, labels: Ints, modularity: float) -> "CommunityModel":
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

    def save(self, folder: Path, card: saved.Card) -> None:
        """Write the model. Raises UsageError where it cannot be written."""
        saved.save(folder, card, {"labels": self.labels})

    def facts(self) -> Mapping[str, JSON]:
        """What the card must hold for `load`."""
        return {"modularity": self.modularity}


def load_communities(folder: Path, model: str, graph: str) -> CommunityModel:
    """A partition that `model` found. Raises UsageError as `saved.load`."""
    found = saved.load(folder, model, graph)
    return CommunityModel(found.arrays["labels"], float(found.card.facts["modularity"]))


def community_scores(model: CommunityModel) -> dict[str, float]:
    """What the card says of a partition."""
    return {"modularity": model.modularity, "communities": float(model.community_count())}
