"""How Graph-Bert learns from few classes: what it says must not depend on which nodes and words were left out.

Each step draws some nodes without a known class and predicts them twice, each time with other nodes and words left
out. The two predictions, sharpened and averaged, are what both are pulled to (GRAND: Feng et al. 2020).
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from graphtalk.core.limits import look
from graphtalk.models.graph_bert_context import Floats
from graphtalk.models.graph_bert_network import GraphBert, Known
from graphtalk.models.progress import Progress

_CHECK = 5  # epochs between two looks at the validation nodes
_ROWS = 1024  # nodes that are predicted at a time
_DRAWS = 2


@dataclass(frozen=True)
class Pace:
    """How long and how fast to learn. `patience` epochs without a better validation loss end it.

    `drop` is the share of nodes and words left out, `others` how many nodes without a known class a step sees,
    `agreement` how much their agreement counts, `sharpness` the temperature that sharpens.
    """

    epochs: int = 250
    patience: int = 80
    rate: float = 0.02
    decay: float = 5e-4
    drop: float = 0.5
    others: int = 300
    agreement: float = 1.0
    sharpness: float = 0.5


@dataclass(frozen=True, eq=False)
class Examples:
    """Rows whose class is known, rows to choose by, and all other rows. Classes has an entry a node."""

    classes: Tensor
    train: Tensor
    validation: Tensor
    others: Tensor


def learn(network: GraphBert, known: Known, examples: Examples, pace: Pace, progress: Progress) -> int:
    """Learn, and leave the network as it was at its lowest validation loss. Returns the epoch of that."""
    optimiser = torch.optim.Adam(network.parameters(), lr=pace.rate, weight_decay=pace.decay)
    best, chosen, kept = float("inf"), 0, network.state_dict()
    for epoch in range(1, pace.epochs + 1):
        look()
        network.train()
        optimiser.zero_grad()
        _loss(network, known, examples, pace).backward()
        optimiser.step()
        progress(epoch, pace.epochs)
        if epoch % _CHECK and epoch != pace.epochs:
            continue
        scores = predict(network, known, examples.validation)
        loss = float(F.nll_loss(scores.log(), examples.classes[examples.validation]))
        if loss < best:
            best, chosen = loss, epoch
            kept = {name: value.clone() for name, value in network.state_dict().items()}
        elif epoch - chosen >= pace.patience:
            break
    network.load_state_dict(kept)
    progress(pace.epochs, pace.epochs)
    return chosen


def _loss(network: GraphBert, known: Known, examples: Examples, pace: Pace) -> Tensor:
    train = examples.train
    drawn = torch.randperm(len(examples.others))[: pace.others if pace.agreement else 0]
    rows = torch.cat([train, examples.others[drawn.to(train.device)]])
    draws = [F.log_softmax(network(known, rows, pace.drop), dim=1) for _ in range(_DRAWS)]
    loss: Tensor = torch.stack(
        [F.nll_loss(draw[: len(train)], examples.classes[train]) for draw in draws]
    ).mean()
    if not pace.agreement:
        return loss
    with torch.no_grad():
        mean = torch.stack([draw.exp() for draw in draws]).mean(dim=0) ** (1 / pace.sharpness)
        target = mean / mean.sum(dim=1, keepdim=True)
    apart = torch.stack([(draw.exp() - target).square().sum(dim=1).mean() for draw in draws]).mean()
    return loss + pace.agreement * apart


def predict(network: GraphBert, known: Known, rows: Tensor) -> Tensor:
    """Probabilities of the classes of some nodes. Shape (rows, classes)."""
    network.eval()
    with torch.no_grad():
        return torch.cat([F.softmax(network(known, part), dim=1) for part in rows.split(_ROWS)])


def probabilities(network: GraphBert, known: Known) -> Floats:
    """Probabilities of the classes of all nodes. Shape (n, classes), float32."""
    rows = torch.arange(len(known.nodes), device=known.nodes.device)
    found: Floats = predict(network, known, rows).cpu().numpy()
    return found
