"""How SEG-Bert learns: steps over small batches of graphs, each epoch in a new order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.models.seg_bert_network import Batch, SegBert
from graphtalk.models.seg_bert_segments import Nodes, Segments, between

AfterEpoch: TypeAlias = Callable[[int], None]

_PREDICTED = 256  # graphs that are predicted at a time


@dataclass(frozen=True, eq=False)
class Graphs:
    """What the network reads of a set of graphs: its nodes, their codes, shape (kinds, n), and its segments."""

    nodes: Nodes
    codes: Ints
    segments: Segments
    device: torch.device

    def batch(self, graphs: Ints) -> Batch:
        """The segments of some graphs, ascending, as tensors."""
        part = self.segments.of(graphs)
        widest = max(int((part.nodes >= 0).sum(axis=1).max(initial=1)), 1)
        laid = part.nodes[:, :widest]
        there = laid >= 0
        codes = np.where(there, self.codes[:, np.maximum(laid, 0)], 0)
        arrays = (codes, between(self.nodes, laid), there, part.graph_of)
        tokens, hops, inside, graph_of = (torch.from_numpy(array).to(self.device) for array in arrays)
        return Batch(tokens, hops, inside, graph_of, len(graphs))


@dataclass(frozen=True)
class Pace:
    """How long and how fast to learn; `batch` is in graphs."""

    epochs: int
    batch: int
    rate: float
    decay: float


def learn(
    network: SegBert, graphs: Graphs, classes: Ints, train: Ints, pace: Pace, after: AfterEpoch
) -> None:
    """Learn the classes of the graphs `train`. The rate falls to 0 along half a cosine. `after` is told each epoch."""
    optimiser = torch.optim.AdamW(network.parameters(), lr=pace.rate, weight_decay=pace.decay)
    steps = max(1, -(-len(train) // pace.batch)) * pace.epochs
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for epoch in range(1, pace.epochs + 1):
        network.train()
        for part in _batches(train, pace.batch):
            target = torch.from_numpy(classes[part]).to(graphs.device)
            optimiser.zero_grad()
            F.cross_entropy(network(graphs.batch(part)), target).backward()
            optimiser.step()
            schedule.step()
        after(epoch)


def _batches(train: Ints, size: int) -> Iterator[Ints]:
    order = train[torch.randperm(len(train)).numpy()]
    for first in range(0, len(order), size):
        look()
        yield np.sort(order[first : first + size])


def probabilities(network: SegBert, graphs: Graphs, which: Ints) -> NDArray[np.float32]:
    """Probabilities of the classes of some graphs, ascending. Shape (len(which), classes)."""
    network.eval()
    parts: list[Tensor] = []
    with torch.no_grad():
        for first in range(0, len(which), _PREDICTED):
            parts.append(F.softmax(network(graphs.batch(which[first : first + _PREDICTED])), dim=1).cpu())
    found: NDArray[np.float32] = torch.cat(parts).numpy()
    return found
