"""SEG-Bert: the classes of whole graphs, such as the functions of molecules (Zhang 2020).

    model = fit(graphs, SegBertConfig(), seed=0)
    model.predict([63])
    model.save(folder); SegBertModel.load(folder, graphs)

Only `fit` and `classify` load torch: what was fitted carries its predictions for all graphs along.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphtalk.core import CheckError, UsageError, choices
from graphtalk.graphs import GraphSet
from graphtalk.graphs.adjacency import Ints
from graphtalk.models import saved
from graphtalk.models.folds import stratified
from graphtalk.models.predictions import Label, Prediction, Predictions, classes_of
from graphtalk.models.progress import Progress, silent
from graphtalk.models.saved import Arrays, ModelCard
from graphtalk.models.seg_bert_segments import codes as coded
from graphtalk.models.seg_bert_segments import cut, describe, vocabulary
from graphtalk.models.transfer import begin_from

if TYPE_CHECKING:
    from graphtalk.models.seg_bert_learning import Graphs
    from graphtalk.models.seg_bert_network import SegBert

NAME = "seg_bert"
_FAR = 4  # edges beyond which two nodes are simply far apart
_CITATION = "Jiawei Zhang: Segmented Graph-Bert for Graph Instance Modeling. arXiv 2002.03283, 2020."


@dataclass(frozen=True)
class SegBertConfig:
    """What is learnt from which features, and how large the network is.

    `label` is the feature of graphs to learn, `node_label` that of nodes ("" for none). `strategy` is `shifting`,
    `padding` or `full-input`, with segments of `size` nodes. Roles are told after 1 to `rounds` rounds of refinement.
    """

    label: str = "label"
    node_label: str = "label"
    strategy: str = "shifting"
    size: int = 32
    rounds: int = 2
    hidden: int = 32
    layers: int = 2
    heads: int = 2
    dropout: float = 0.3
    epochs: int = 60
    batch: int = 32
    rate: float = 0.003
    decay: float = 0.01


@dataclass(frozen=True, eq=False)
class SegBertModel:
    """What was learnt, and what it says of every graph of the set. `weights` also holds the vocabulary of codes."""

    card: ModelCard
    predictions: Predictions
    weights: Arrays

    def predict(self, graphs: Sequence[int]) -> list[Prediction]:
        """The classes of graphs, given by their positions in the set. Raises CheckError for others."""
        count = len(self.predictions.probabilities)
        for position in graphs:
            if not 0 <= position < count:
                raise CheckError(f"{self.card.dataset} has no graph {position}: they are 0 to {count - 1}.")
        return self.predictions.at(graphs)

    def classify(self, graphs: GraphSet, device: str = "cpu") -> Predictions:
        """Run the network over graphs of any size: the same set, or another of the same features."""
        import torch

        config = SegBertConfig(**self.card.config)
        known = [self.weights[f"vocabulary.{kind}"] for kind in range(2 + config.rounds)]
        given, _ = _graphs(graphs, config, device, known)
        network = _network([len(words) for words in known], len(self.predictions.classes), config, device)
        learnt = {
            n: torch.from_numpy(a.copy()) for n, a in self.weights.items() if not n.startswith("vocabulary.")
        }
        network.load_state_dict(learnt)
        return Predictions(self.predictions.classes, _probabilities(network, given, np.arange(len(graphs))))

    def save(self, folder: Path) -> None:
        """Write the model, in place of an older one. Raises UsageError where it cannot be written."""
        arrays, facts = self.predictions.saved()
        weights = {f"weights.{name}": array for name, array in self.weights.items()}
        saved.save(folder, ModelCard(**{**vars(self.card), "facts": facts}), {**arrays, **weights})

    @classmethod
    def load(cls, folder: Path, graphs: GraphSet) -> "SegBertModel":
        """Read a model that was fitted on this set. Raises UsageError where it was not, or is damaged."""
        found = saved.load(folder, NAME, graphs.union.checksum)
        predictions = Predictions.read(found.arrays, found.card.facts, len(graphs))
        weights = {n.removeprefix("weights."): a for n, a in found.arrays.items() if n.startswith("weights.")}
        return cls(found.card, predictions, weights)


def fit(
    graphs: GraphSet,
    config: SegBertConfig | None = None,
    seed: int = 0,
    progress: Progress = silent,
    device: str = "cpu",
    start: SegBertModel | None = None,
) -> SegBertModel:
    """Learn the classes of a set's graphs from nine tenths of them. The same for the same seed on a CPU.

    `start` was fitted on another set: learning begins with its weights, and its configuration where none is given.
    The other tenth, drawn by class and by seed, only says how good it is. Raises UsageError where features are missing or
    the configuration makes no sense.
    """
    config = config or (SegBertConfig() if start is None else SegBertConfig(**start.card.config))
    began = time.perf_counter()
    names, classes = classes_of_graphs(graphs, config.label)
    labelled = np.flatnonzero(classes >= 0)
    fold = stratified(classes[labelled], min(10, len(labelled)), seed)
    train, test = labelled[fold > 0], labelled[fold == 0]
    network, given, words = learn(
        graphs, config, seed, train, lambda epoch, _: progress(epoch, config.epochs), device, start
    )
    predictions = Predictions(names, _probabilities(network, given, np.arange(len(graphs))))
    card = ModelCard(
        model=NAME,
        dataset=graphs.name,
        graph=graphs.union.checksum,
        config=asdict(config),
        seed=seed,
        scores={"test accuracy": predictions.accuracy(classes, test)},
        seconds=time.perf_counter() - began,
        source="fitted by graphtalk on nine tenths of the graphs"
        + (f", begun from {start.card.dataset}" if start else ""),
        licence="Apache-2.0; that of the data set applies to what was learnt from it",
        citation=_CITATION,
    )
    weights = {name: value.cpu().numpy() for name, value in network.state_dict().items()}
    weights |= {f"vocabulary.{kind}": found for kind, found in enumerate(words)}
    return SegBertModel(card, predictions, weights)


def learn(
    graphs: GraphSet,
    config: SegBertConfig,
    seed: int,
    train: Ints,
    after: "Callable[[int, Callable[[Ints], Any]], None]",
    device: str = "cpu",
    start: SegBertModel | None = None,
) -> "tuple[SegBert, Graphs, list[Any]]":
    """Learn from some graphs alone: the network, what it reads, and the vocabulary of codes. `start` as in `fit`.

    `after` is told each epoch, with a function that gives the probabilities of other graphs as it stands then.
    """
    import torch

    from graphtalk.models.seg_bert_learning import Pace
    from graphtalk.models.seg_bert_learning import learn as run

    names, classes = classes_of_graphs(graphs, config.label)
    given, words = _graphs(graphs, config, device, None, train)
    pace = Pace(config.epochs, config.batch, config.rate, config.decay)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        network = _network([len(each) for each in words], len(names), config, device)
        if start is not None:
            rows = {
                f"embed.{kind}.weight": (each, there)
                for kind, each in enumerate(words)
                if (there := start.weights.get(f"vocabulary.{kind}")) is not None
            }
            begin_from(network, start.weights, start.predictions.classes == names, rows)
        run(
            network,
            given,
            classes,
            train,
            pace,
            lambda epoch: after(epoch, lambda which: _probabilities(network, given, which)),
        )
    return network, given, words


def suits(graphs: GraphSet) -> None:
    """Raise UsageError where the graphs of a set have no classes."""
    classes_of_graphs(graphs, SegBertConfig().label)


def classes_of_graphs(graphs: GraphSet, label: str) -> tuple[tuple[Label, ...], Ints]:
    """The classes of a set's graphs; raises UsageError where there is no such feature."""
    names = [name for name in graphs.table.column_names if name != "name"]
    if label not in names:
        raise UsageError(f"The graphs of {graphs.name} have no feature {label!r}. {choices(label, names)}")
    return classes_of(graphs.table.column(label).to_pylist(), f"{label} of {graphs.name}")


def _graphs(
    graphs: GraphSet, config: SegBertConfig, device: str, known: "list[Any] | None", train: Ints | None = None
) -> "tuple[Graphs, list[Any]]":
    import torch

    from graphtalk.models.seg_bert_learning import Graphs

    nodes = describe(graphs, config.node_label, config.rounds, _FAR)
    segments = cut(nodes, len(graphs), config.strategy, config.size)
    words = vocabulary(nodes, train) if known is None and train is not None else list(known or [])
    return Graphs(nodes, coded(nodes, words), segments, torch.device(device)), words


def _network(words: Sequence[int], classes: int, config: SegBertConfig, device: str) -> "SegBert":
    from graphtalk.models.seg_bert_network import SegBert

    if min(config.layers, config.heads, config.hidden) < 1 or config.hidden % config.heads:
        raise UsageError(
            f"{config.heads} heads do not divide the width {config.hidden} of {config.layers} layers."
        )
    network: SegBert = SegBert(
        list(words), classes, _FAR, config.hidden, config.layers, config.heads, config.dropout
    ).to(device)
    return network


def _probabilities(network: "SegBert", given: "Graphs", which: Ints) -> Any:
    from graphtalk.models.seg_bert_learning import probabilities

    return probabilities(network, given, which)
