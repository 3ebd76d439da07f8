"""Graph-Bert: the classes of nodes, such as the topics of papers (Zhang, Zhang, Sun and Xia 2020).

    model = fit(graph, GraphBertConfig(label="topic"), seed=0)
    model.predict([graph.node("31336")])
    model.save(folder); GraphBertModel.load(folder, graph)

Only `fit` and `classify` load torch: what was fitted carries its predictions for all nodes along.
"""

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphtalk.core import CheckError, UsageError, choices
from graphtalk.graphs import Graph
from graphtalk.models import node_classes, saved
from graphtalk.models.graph_bert_context import contexts
from graphtalk.models.node_classes import NodeClasses
from graphtalk.models.predictions import Prediction, Predictions
from graphtalk.models.progress import Progress, silent
from graphtalk.models.saved import Arrays, ModelCard
from graphtalk.models.transfer import begin_from

if TYPE_CHECKING:
    from graphtalk.models.graph_bert_network import GraphBert, Known

NAME = "graph_bert"
_FAR = 6  # edges beyond which two nodes are simply far apart
_CITATION = (
    "Jiawei Zhang, Haopeng Zhang, Li Sun, Congying Xia: Graph-Bert: Only Attention is Needed for Learning Graph "
    "Representations. arXiv 2001.05140, 2020."
)


@dataclass(frozen=True)
class GraphBertConfig:
    """What is learnt from which columns, and how large the network is.

    `features`, `label`, `split` name features of nodes; a split of "" is drawn at random. Attention reads the
    `context` most intimate nodes, the graph residual the `reach` most intimate. `residual` is `graph-raw`, `raw` or
    `none`. With `paper` layers are those of the paper (`graph_bert_network`). The rest is as in `graph_bert_learning.Pace`. The defaults
    are ours, which are right more often; `PAPER` has the paper's. Settings of a data set are in `SETTINGS` and `PAPERS`.
    """

    features: str = "words"
    label: str = "topic"
    split: str = "split"
    context: int = 31
    reach: int = 63
    restart: float = 0.1
    residual: str = "graph-raw"
    hidden: int = 32
    layers: int = 1
    heads: int = 2
    dropout: float = 0.5
    epochs: int = 200
    patience: int = 80
    rate: float = 0.02
    agreement: float = 1.0
    others: int = 300
    paper: bool = False


# The depth, contexts and pace of the paper's program; its layers, and no agreement between two predictions. What `hub fit` takes.
PAPER = GraphBertConfig(context=7, reach=7, restart=0.15, layers=2, rate=0.01, agreement=0.0, paper=True)
PAPERS = {"citeseer": replace(PAPER, context=5, reach=5)}
# Of data sets that other settings than ours serve better, by their validation nodes; the paper has settings of each too.
SETTINGS = {"citeseer": GraphBertConfig(reach=31, restart=0.15, others=500)}


@dataclass(frozen=True, eq=False)
class GraphBertModel:
    """What was learnt, and what it says of every node. `first` is the graph's index of the first of these nodes."""

    card: ModelCard
    predictions: Predictions
    weights: Arrays
    first: int = field(default=0)

    def predict(self, nodes: Sequence[int]) -> list[Prediction]:
        """The classes of nodes, given by the graph's indices. Raises CheckError for a node of another type."""
        count = len(self.predictions.probabilities)
        for node in nodes:
            if not self.first <= node < self.first + count:
                raise CheckError(
                    f"Node {node} has no {self.card.config['label']}: nodes {self.first} to {self.first + count - 1} have."
                )
        return self.predictions.at([node - self.first for node in nodes])

    def classify(self, graph: Graph, device: str = "cpu") -> Predictions:
        """Run the network over a graph of the same columns: the same one, or one that has grown."""
        import torch

        config = GraphBertConfig(**self.card.config)
        kind = node_classes.node_type(graph, config.label, config.features)
        matrix, features = node_classes.inputs(graph, kind, config.features)
        known = _known(matrix, features, config, device)
        width = self.weights["embed.weight"].shape[1]
        if features.shape[1] != width:
            raise UsageError(
                f"{config.features} of {graph.name} has {features.shape[1]} numbers; {width} were learnt."
            )
        network = _network(width, len(self.predictions.classes), config, device)
        network.load_state_dict(
            {name: torch.from_numpy(array.copy()) for name, array in self.weights.items()}
        )
        return Predictions(self.predictions.classes, _probabilities(network, known))

    def save(self, folder: Path) -> None:
        """Write the model, in place of an older one. Raises UsageError where it cannot be written."""
        arrays, facts = self.predictions.saved()
        weights = {f"weights.{name}": array for name, array in self.weights.items()}
        card = ModelCard(**{**vars(self.card), "facts": {**facts, "first": self.first}})
        saved.save(folder, card, {**arrays, **weights})

    @classmethod
    def load(cls, folder: Path, graph: Graph) -> "GraphBertModel":
        """Read a model that was fitted on this graph. Raises UsageError where it was not, or is damaged."""
        found = saved.load(folder, NAME, graph.checksum)
        config = found.card.config
        count = node_classes.node_type(graph, str(config["label"]), str(config["features"])).count
        predictions = Predictions.read(found.arrays, found.card.facts, count)
        weights = {n.removeprefix("weights."): a for n, a in found.arrays.items() if n.startswith("weights.")}
        return cls(found.card, predictions, weights, int(found.card.facts["first"]))


def fit(
    graph: Graph,
    config: GraphBertConfig | None = None,
    seed: int = 0,
    progress: Progress = silent,
    device: str = "cpu",
    start: GraphBertModel | None = None,
) -> GraphBertModel:
    """Learn the classes of a graph's nodes. The same for the same seed on a CPU.

    `start` was fitted on another graph: learning begins with those of its weights that have the same form. Vectors of another
    length are read anew, other classes told anew.
    The epoch is chosen by the validation nodes; the test nodes are only counted at the end. Raises UsageError where
    columns are missing or the configuration makes no sense.
    """
    config = config or SETTINGS.get(graph.name, GraphBertConfig())
    began = time.perf_counter()
    data = node_classes.read(graph, config, seed)
    network, known, epoch = _learn(data, config, seed, progress, device, start)
    predictions = Predictions(data.names, _probabilities(network, known))
    scores = {
        "validation accuracy": predictions.accuracy(data.classes, data.validation),
        "test accuracy": predictions.accuracy(data.classes, data.test),
    }
    card = ModelCard(
        model=NAME,
        dataset=graph.name,
        graph=graph.checksum,
        config=asdict(config),
        seed=seed,
        scores={name: score for name, score in scores.items() if score == score},
        seconds=time.perf_counter() - began,
        source=f"fitted by graphtalk, epoch {epoch}"
        + (f", begun from {start.card.dataset}" if start else ""),
        licence="Apache-2.0; that of the data set applies to what was learnt from it",
        citation=_CITATION,
    )
    weights = {name: value.cpu().numpy() for name, value in network.state_dict().items()}
    return GraphBertModel(card, predictions, weights, data.first)


def suits(graph: Graph) -> None:
    """Raise UsageError where the graph has no nodes with vectors and classes."""
    config = SETTINGS.get(graph.name, GraphBertConfig())
    node_classes.node_type(graph, config.label, config.features)


def _learn(
    data: NodeClasses,
    config: GraphBertConfig,
    seed: int,
    progress: Progress,
    device: str,
    start: GraphBertModel | None,
) -> "tuple[GraphBert, Known, int]":
    import numpy as np
    import torch

    from graphtalk.models.graph_bert_learning import Examples, Pace, learn

    known = _known(data.matrix, data.features, config, device)
    others = np.setdiff1d(np.arange(len(data.classes)), data.train)
    tensors = [
        torch.from_numpy(rows).to(device) for rows in (data.classes, data.train, data.validation, others)
    ]
    pace = Pace(
        epochs=config.epochs,
        patience=config.patience,
        rate=config.rate,
        agreement=config.agreement,
        others=config.others,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = _network(data.features.shape[1], len(data.names), config, device)
        if start is not None:
            begin_from(network, start.weights, start.predictions.classes == data.names)
        epoch = learn(network, known, Examples(*tensors), pace, progress)
    return network, known, epoch


def _network(features: int, classes: int, config: GraphBertConfig, device: str) -> "GraphBert":
    from graphtalk.models.graph_bert_network import RESIDUALS, GraphBert

    if config.residual not in RESIDUALS:
        raise UsageError(f"No residual {config.residual!r}. {choices(config.residual, RESIDUALS)}")
    if min(config.layers, config.heads, config.hidden) < 1 or config.hidden % config.heads:
        raise UsageError(
            f"{config.heads} heads do not divide the width {config.hidden} of {config.layers} layers."
        )
    network: GraphBert = GraphBert(
        features,
        classes,
        config.hidden,
        config.layers,
        config.heads,
        config.residual,
        config.dropout,
        config.paper,
    ).to(device)
    return network


def _known(matrix: Any, features: Any, config: GraphBertConfig, device: str) -> "Known":
    import torch

    from graphtalk.models.graph_bert_network import Known

    if not 1 <= config.context <= config.reach or not 0 < config.restart < 1:
        raise UsageError(
            f"A context of {config.context} nodes must be at least 1 and at most the reach, {config.reach}; the walk "
            f"restarts at a share between 0 and 1, not {config.restart}."
        )
    sparse = features.tocoo()
    at = torch.stack([torch.from_numpy(ends.astype("int64")) for ends in sparse.coords])
    values = torch.sparse_coo_tensor(
        at, torch.from_numpy(sparse.data), sparse.shape, check_invariants=False
    ).coalesce()
    context = contexts(matrix, config.reach, config.restart, _FAR)
    return Known.of(values, context, config.context, torch.device(device))


def _probabilities(network: "GraphBert", known: "Known") -> Any:
    from graphtalk.models.graph_bert_learning import probabilities

    return probabilities(network, known)
