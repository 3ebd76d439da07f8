"""The model hub: trainable graph models by name, each fitted on a data set once, when it is first used.

A model is a module with

    suits(graph)                         UsageError where the model cannot be fitted on the graph, cheaply
    fit(graph, config, seed, progress)   a fitted model with its `card`; `config` None is the default one

and a class with `save(folder)` and `load(folder, graph)`. Listing the models imports none of them. A new model is such
a module and one entry in `register`. A package registers its own in the same way, with a function `register(add)` under the
entry point group `graphtalk.models`; what calls ask of a model is a tool, under `graphtalk.tools`.
"""

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from graphtalk.core import UsageError, choices
from graphtalk.core.limits import holding
from graphtalk.core.plugins import known
from graphtalk.graphs import Graph, GraphSet, Loaded
from graphtalk.hub.download import Bar, no_bar
from graphtalk.models.saved import ModelCard, is_saved, read_card

GROUP = "graphtalk.models"


@dataclass(frozen=True)
class ModelEntry:
    """What is known of a model before it is loaded. `functions` are the names that calls know it by.

    `module` is where it is, and `kind` its class. `seconds` is how long fitting takes on one CPU core: to begin with, and for each thousand
    nodes and edges. `score` is the one of its card that is told with what it says. `needs` is a package that it cannot
    be fitted without, and `extra` the extra that brings it. Where `on_sets`, it is fitted on a set of graphs, else on
    one graph; where it `transfers`, fitting may begin from what it learnt on another.
    """

    name: str
    module: str
    kind: str
    task: str
    functions: tuple[str, ...]
    seconds: tuple[float, float, float]
    score: str
    needs: str = "safetensors"
    extra: str = "models"
    on_sets: bool = False
    transfers: bool = False

    def expected_seconds(self, graph: Graph) -> float:
        """About how long fitting takes."""
        first, nodes, edges = self.seconds
        return first + nodes * graph.num_nodes / 1000 + edges * graph.num_edges / 1000


_COMMUNITY = (
    "community",
    "community_count",
    "community_avg_size",
    "community_max_size",
    "community_size",
    "common_community_check",
)


def register(add: Callable[[ModelEntry], None]) -> None:
    """Register the built-in models."""
    at = "graphtalk.models."
    add(
        ModelEntry(
            "graph_bert",
            f"{at}graph_bert",
            "GraphBertModel",
            "topics of papers",
            ("topic",),
            (2, 12, 0),
            "test accuracy",
            "torch",
            transfers=True,
        )
    )
    add(
        ModelEntry(
            "seg_bert",
            f"{at}seg_bert",
            "SegBertModel",
            "functions of molecules",
            ("molecule_function",),
            (4, 2.8, 0),
            "test accuracy",
            "torch",
            on_sets=True,
            transfers=True,
        )
    )
    add(
        ModelEntry(
            "kmeans",
            f"{at}kmeans",
            "KMeansModel",
            "communities by common neighbours",
            _COMMUNITY,
            (0.1, 0.5, 0.1),
            "modularity",
        )
    )
    add(
        ModelEntry(
            "leiden",
            f"{at}leiden",
            "LeidenModel",
            "communities of high modularity",
            _COMMUNITY,
            (0.1, 0, 0.02),
            "modularity",
            "graspologic_native",
        )
    )
    add(
        ModelEntry(
            "bpr",
            f"{at}bpr",
            "BprModel",
            "what a user would choose next",
            ("recommendation", "topk_recommendation"),
            (1, 0, 0.15),
            "Hit@10",
        )
    )
    add(
        ModelEntry(
            "mf", f"{at}mf", "MfModel", "what a user would rate an item", ("rating",), (1, 0, 0.05), "RMSE"
        )
    )
    add(
        ModelEntry(
            "transe",
            f"{at}transe",
            "TransEModel",
            "the third of head, relation and tail",
            ("head_entity", "relation", "tail_entity"),
            (1, 2, 0.75),
            "Hits@10",
        )
    )


@cache
def models() -> Mapping[str, ModelEntry]:
    """All models by name. Raises UsageError where two are called the same."""
    return known("models", GROUP, register, lambda entry: entry.name)


@dataclass(frozen=True)
class Watch:
    """Who is told that a model is being fitted: `notice` once before it starts, `bar` while it goes on."""

    notice: Callable[[str], None] = lambda message: None
    bar: Bar = no_bar


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)
_fitting = threading.RLock()


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Tell `watch` of models that are fitted inside the block."""
    before = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(before)


class FittedModel(Protocol):
    """What all fitted models have, beside the functions that their entries name."""

    @property
    def card(self) -> ModelCard:
        """How it was fitted, and what it reached."""

    def save(self, folder: Path) -> None:
        """Write it."""


@dataclass(frozen=True)
class ModelHub:
    """Fitted models in a folder: `ROOT/models/DATASET-CHECKSUM/MODEL`. Those of graphs in memory are not kept on disk."""

    root: Path
    _open: WeakKeyDictionary[Graph, dict[str, Any]] = field(
        default_factory=WeakKeyDictionary, repr=False, compare=False
    )

    def place(self, name: str, graph: Loaded) -> Path | None:
        """Where a model of this graph is, or will be; None for a graph in memory."""
        checksum = _whole(graph).checksum
        if not checksum:
            return None
        dataset = re.sub(r"[^\w.-]+", "_", graph.name) or "graph"
        return self.root / "models" / f"{dataset}-{checksum[:12]}" / model_entry(name).name

    def is_fitted(self, name: str, graph: Loaded) -> bool:
        """Whether nothing need be fitted before the model can be asked about this graph."""
        place = self.place(name, graph)
        return name in self._open.get(_whole(graph), {}) or (place is not None and is_saved(place))

    def model(self, name: str, graph: Loaded) -> Any:
        """The model, fitted on this graph: read if it was fitted before, and fitted once if not.

        Whoever watches is told first what fitting will take. Raises UsageError where the model does not fit the
        graph, or where a package is missing; one clear sentence names the extra.
        """
        with holding(_fitting):
            found = self._open.get(_whole(graph), {}).get(name) or self._read(name, graph)
            if found is None:
                return self.fit(name, graph)
            self._open.setdefault(_whole(graph), {})[name] = found
            return found

    def _read(self, name: str, graph: Loaded) -> Any:
        place = self.place(name, graph)
        if place is None or not is_saved(place):
            return None
        entry = model_entry(name)
        return getattr(_module(entry, "safetensors"), entry.kind).load(place, graph)

    def fit(
        self, name: str, graph: Loaded, seed: int = 0, config: Any = None, start: Loaded | None = None
    ) -> Any:
        """Fit a model on a graph, in place of an older one. `config` None is the model's default.

        With `start` learning begins from what the model learnt on that graph. Raises UsageError as `model`, and for a model that
        cannot begin so.
        """
        entry, watch = model_entry(name), _watch.get() or Watch()
        _refuse_other(entry, graph)
        module = _module(entry, entry.needs)
        if start is not None and not entry.transfers:
            able = ", ".join(each.name for each in models().values() if each.transfers)
            raise UsageError(f"{name} learns nothing that another graph could use; these do: {able}.")
        begun = None if start is None else self.model(name, start)
        watch.notice(fitting_notice(entry, graph))
        with holding(_fitting), watch.bar(f"fitting {name}", "steps", None) as advance:
            told = _Progress(advance)
            model: FittedModel = (
                module.fit(graph, config, seed, told)
                if begun is None
                else module.fit(graph, config, seed, told, start=begun)
            )
            place = self.place(name, graph)
            if place is not None:
                model.save(place)
            self._open.setdefault(_whole(graph), {})[name] = model
            return model

    def obstacle(self, name: str, graph: Loaded | None) -> str:
        """Why the model cannot be asked about a graph (None: about any); empty where it can be. Fits and reads nothing.

        Of a set of graphs a model that is fitted on one graph is asked about its first.
        """
        entry = model_entry(name)
        if isinstance(graph, GraphSet) and not entry.on_sets and len(graph):
            graph = graph.at(0)
        try:
            if graph is not None:
                _refuse_other(entry, graph)
            module = _module(entry, entry.needs)
            if graph is not None and not self.is_fitted(name, graph):
                module.suits(graph)
        except UsageError as error:
            return str(error)
        return ""

    def cards(self) -> list[ModelCard]:
        """The cards of all models that were fitted, by data set."""
        folders = sorted((self.root / "models").glob("*/*/"))
        return [read_card(folder) for folder in folders if is_saved(folder)]


@dataclass
class _Progress:
    """From how far a model says that it is to the steps of a bar."""

    advance: Callable[[int], None]
    done: int = 0

    def __call__(self, done: int, total: int) -> None:
        self.advance(done - self.done)
        self.done = done


def model_entry(name: str) -> ModelEntry:
    """What is known of the model called `name`. Raises UsageError with the valid names."""
    if name not in models():
        raise UsageError(f"No model {name!r}. {choices(name, models(), most=len(models()))}")
    return models()[name]


def _refuse_other(entry: ModelEntry, graph: Loaded) -> None:
    """Raise UsageError where one graph is given and a set is wanted, or the other way round."""
    if isinstance(graph, GraphSet) != entry.on_sets:
        wanted, there = (
            ("a set of graphs", "one graph") if entry.on_sets else ("one graph", "a set of graphs")
        )
        raise UsageError(f"{entry.name} is fitted on {wanted}; {graph.name} is {there}.")


def _module(entry: ModelEntry, package: str) -> Any:
    """The module of a model. Raises UsageError, naming the extra, where the package that this takes is missing.

    To fit takes what the entry needs; to read what was fitted takes less, and no torch.
    """
    if find_spec(package) is None:
        raise UsageError(
            f'{entry.name} needs {package}, which is not installed: pip install "graphtalk[{entry.extra}]".'
        )
    return import_module(entry.module)


def fitting_notice(entry: ModelEntry, graph: Loaded) -> str:
    """What is said before a model is fitted."""
    seconds = entry.expected_seconds(_whole(graph))
    took = f"{seconds / 60:.0f} minutes" if seconds > 100 else f"{max(1, round(seconds))} s"
    return f"{entry.name} is fitted on {graph.name} now, once: about {took} on one CPU core."


def _whole(graph: Loaded) -> Graph:
    return graph.union if isinstance(graph, GraphSet) else graph
