"""GCN (Kipf and Welling 2017), from PyTorch Geometric's layers: what Graph-Bert is measured beside."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch_geometric.nn import GCNConv

from graphtalk.core.limits import look
from graphtalk.models.node_classes import NodeClasses
from graphtalk.models.predictions import Predictions
from graphtalk.models.progress import Progress, silent


@dataclass(frozen=True)
class GcnConfig:
    """The settings of its paper; the epoch is chosen by the loss of the validation nodes."""

    hidden: int = 16
    dropout: float = 0.5
    rate: float = 0.01
    decay: float = 5e-4
    epochs: int = 200


class Gcn(nn.Module):  # type: ignore[misc]
    """Two layers of convolution."""

    def __init__(self, features: int, classes: int, config: GcnConfig) -> None:
        super().__init__()
        self.first = GCNConv(features, config.hidden, cached=True)
        self.second = GCNConv(config.hidden, classes, cached=True)
        self.share = config.dropout

    def forward(self, features: Tensor, ends: Tensor) -> Tensor:
        """Scores of the classes of all nodes. Shape (n, classes)."""
        hidden = F.relu(self.first(F.dropout(features, self.share, self.training), ends))
        scores: Tensor = self.second(F.dropout(hidden, self.share, self.training), ends)
        return scores


def fit(data: NodeClasses, config: GcnConfig, seed: int, progress: Progress = silent) -> Predictions:
    """Learn the classes, and predict them for all nodes. The same for the same seed on a CPU."""
    torch.manual_seed(seed)
    features = torch.from_numpy(data.features.toarray())
    ends = torch.stack([torch.from_numpy(part.astype("int64")) for part in data.matrix.tocoo().coords])
    classes = torch.from_numpy(data.classes)
    network = Gcn(features.shape[1], len(data.names), config)
    optimiser = torch.optim.Adam(
        [
            {"params": network.first.parameters(), "weight_decay": config.decay},
            {"params": network.second.parameters(), "weight_decay": 0.0},
        ],
        lr=config.rate,
    )
    best, kept = float("inf"), features.new_zeros(0)
    for epoch in range(1, config.epochs + 1):
        look()
        network.train()
        optimiser.zero_grad()
        F.cross_entropy(network(features, ends)[data.train], classes[data.train]).backward()
        optimiser.step()
        network.eval()
        with torch.no_grad():
            scores = network(features, ends)
        loss = float(F.cross_entropy(scores[data.validation], classes[data.validation]))
        if loss < best:
            best, kept = loss, F.softmax(scores, dim=1)
        progress(epoch, config.epochs)
    return Predictions(data.names, kept.numpy())
