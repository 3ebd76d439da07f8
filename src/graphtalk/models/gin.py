"""GIN (Xu et al. 2019), from PyTorch Geometric's layers: what SEG-Bert is measured beside."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn
from torch_geometric.nn import GIN, global_add_pool

from graphtalk.core.limits import look
from graphtalk.graphs import GraphSet
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import floats


@dataclass(frozen=True)
class GinConfig:
    """The settings of its paper's smaller sets: five layers of 32; the rate halves every 50 epochs."""

    hidden: int = 32
    layers: int = 5
    dropout: float = 0.5
    rate: float = 0.01
    batch: int = 32
    epochs: int = 60


@dataclass(frozen=True, eq=False)
class Inputs:
    """All graphs side by side. Shapes: labels (n,), ends (2, m), first (graphs + 1,) of nodes."""

    labels: Ints
    ends: Ints
    first: Ints

    @classmethod
    def of(cls, graphs: GraphSet, node_label: str) -> "Inputs":
        """The graphs of a set with one node type."""
        kind = graphs.union.schema.node_types[0].name
        found = floats(graphs.union.columns[kind].column(node_label))
        matrix = graphs.union.matrix(symmetric=True).tocoo()
        labels = np.unique(found, return_inverse=True)[1]
        return cls(labels, np.stack(matrix.coords).astype(np.int64), graphs.offsets[:, 0])

    def batch(self, graphs: Ints) -> tuple[Tensor, Tensor, Tensor]:
        """The labels, ends and graph of each node of some graphs."""
        sizes = self.first[graphs + 1] - self.first[graphs]
        starts = np.repeat(self.first[graphs] - (np.cumsum(sizes) - sizes), sizes)
        nodes = starts + np.arange(sizes.sum())
        new = np.full(len(self.labels), -1)
        new[nodes] = np.arange(len(nodes))
        ends = new[self.ends[:, new[self.ends[0]] >= 0]]
        parts = (self.labels[nodes], ends, np.repeat(np.arange(len(graphs)), sizes))
        labels, joined, graph_of = (torch.from_numpy(part) for part in parts)
        return labels, joined, graph_of


class Gin(nn.Module):  # type: ignore[misc]
    """Layers of sums over neighbours; the sums over nodes of all layers are read together."""

    def __init__(self, labels: int, classes: int, config: GinConfig) -> None:
        super().__init__()
        self.labels = labels
        self.network = GIN(labels, config.hidden, config.layers, norm="BatchNorm", jk="cat")
        self.dropout = nn.Dropout(config.dropout)
        self.classify = nn.Linear(config.hidden, classes)

    def forward(self, labels: Tensor, ends: Tensor, graph_of: Tensor, count: int) -> Tensor:
        """Scores of the classes of graphs. Shape (count, classes)."""
        nodes = self.network(F.one_hot(labels, self.labels).float(), ends)
        scores: Tensor = self.classify(self.dropout(global_add_pool(nodes, graph_of, count)))
        return scores


def learn(
    inputs: Inputs,
    classes: Ints,
    train: Ints,
    config: GinConfig,
    seed: int,
    after: Callable[[int, Callable[[Ints], NDArray[np.float32]]], None],
) -> None:
    """Learn the classes of the graphs `train`; `after` as in `seg_bert.learn`."""
    torch.manual_seed(seed)
    network = Gin(int(inputs.labels.max()) + 1, int(classes.max()) + 1, config)
    optimiser = torch.optim.Adam(network.parameters(), lr=config.rate)
    schedule = torch.optim.lr_scheduler.StepLR(optimiser, 50, 0.5)

    def probabilities(which: Ints) -> NDArray[np.float32]:
        network.eval()
        with torch.no_grad():
            found: NDArray[np.float32] = F.softmax(network(*inputs.batch(which), len(which)), dim=1).numpy()
        return found

    for epoch in range(1, config.epochs + 1):
        network.train()
        order = train[torch.randperm(len(train)).numpy()]
        for at in range(0, len(order), config.batch):
            look()
            part = np.sort(order[at : at + config.batch])
            if len(part) < 2:
                continue  # batch normalisation needs two graphs
            optimiser.zero_grad()
            F.cross_entropy(
                network(*inputs.batch(part), len(part)), torch.from_numpy(classes[part])
            ).backward()
            optimiser.step()
        schedule.step()
        after(epoch, probabilities)
