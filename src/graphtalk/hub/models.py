"""The model hub: trainable graph models by name, each fitted on a data set once, when it is first used.

A model is a module of `graphtalk.models` with

    NAME                                     its name here
    fit(graph, config, seed, progress)       a fitted model; `config` None is the default one
    load(folder, graph)                      one that was saved; `graph` is the checksum of the graph's store
    scores(model, graph, config, seed)       what was reached, by metric
    expected_seconds(graph)                  about how long fitting takes on one CPU core
    model.save(folder, card), model.facts()

Listing the models imports none of them. A new model is such a module and one line in `MODELS`.
"""

import dataclasses
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from graphtalk.core import UsageError, choices
from graphtalk.graphs import Graph, GraphSet
from graphtalk.hub.download import Bar, no_bar
from graphtalk.models import saved

Loaded: TypeAlias = Graph | GraphSet


@dataclass(frozen=True)
class ModelEntry:
    """What is known of a model before it is loaded. `functions` are the names that calls know it by.

    `extra` is the extra of graphtalk that it needs, and `needs` the package of it that is looked for.
    """

    name: str
    task: str
    functions: tuple[str, ...]
    citation: str
    needs: str = "safetensors"
    extra: str = "models"

    @property
    def module(self) -> str:
        """Where it is."""
        return f"graphtalk.models.{self.name}"


_COMMUNITY = (
    "community",
    "community_count",
    "community_avg_size",
    "community_max_size",
    "community_size",
    "common_community_check",
)

MODELS: Mapping[str, ModelEntry] = {
    entry.name: entry
    for entry in (
        ModelEntry(
            "graph_bert",
            "topics of papers: classes of nodes",
            ("topic",),
            "Zhang, Zhang, Xia and Sun 2020: Graph-Bert: Only Attention is Needed for Learning Graph Representations",
            "torch",
        ),
        ModelEntry(
            "seg_bert",
            "functions of molecules: classes of graphs",
            ("molecule_function",),
            "Zhang 2020: Segmented Graph-Bert for Graph Instance Modeling",
            "torch",
        ),
        ModelEntry(
            "kmeans",
            "communities by common neighbours",
            _COMMUNITY,
            "MacQueen 1967: Some methods for classification and analysis of multivariate observations",
        ),
        ModelEntry(
            "leiden",
            "communities of high modularity",
            _COMMUNITY,
            "Traag, Waltman and van Eck 2019: From Louvain to Leiden: guaranteeing well-connected communities",
            "graspologic_native",
        ),
        ModelEntry(
            "bpr",
            "recommendation: what a user would choose next",
            ("recommendation", "topk_recommendation"),
            "Rendle, Freudenthaler, Gantner and Schmidt-Thieme 2009: BPR: Bayesian Personalized Ranking from Implicit "
            "Feedback",
        ),
        ModelEntry(
            "transe",
            "knowledge graphs: the third of head, relation and tail",
            ("head_entity", "relation", "tail_entity"),
            "Bordes, Usunier, Garcia-Durán, Weston and Yakhnenko 2013: Translating Embeddings for Modeling "
            "Multi-relational Data",
        ),
    )
}


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


@dataclass(frozen=True)
class Fitted:
    """A fitted model and its card. `model` has the functions that its entry names."""

    model: Any
    card: saved.Card


@dataclass(frozen=True)
class ModelHub:
    """Fitted models in a folder: `ROOT/models/DATASET-CHECKSUM/MODEL`. Those of graphs in memory are not kept on disk."""

    root: Path
    _open: WeakKeyDictionary[Loaded, dict[str, Fitted]] = field(
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
        return name in self._open.get(graph, {}) or (place is not None and saved.is_saved(place))

    def model(self, name: str, graph: Loaded) -> Fitted:
        """The model, fitted on this graph: read if it was fitted before, and fitted once if not.

        Whoever watches is told first what fitting will take. Raises UsageError where the model does not fit the
        graph, or where a package is missing; one clear sentence names the extra.
        """
        with _fitting:
            found = self._open.get(graph, {}).get(name) or self._read(name, graph)
            if found is None:
                return self.fit(name, graph)
            self._open.setdefault(graph, {})[name] = found
            return found

    def _read(self, name: str, graph: Loaded) -> Fitted | None:
        place = self.place(name, graph)
        if place is None or not saved.is_saved(place):
            return None
        model = load_module(name).load(place, _whole(graph).checksum)
        return Fitted(model, saved.read_card(place))

    def fit(self, name: str, graph: Loaded, seed: int = 0, config: Any = None) -> Fitted:
        """Fit a model on a graph, in place of an older one. `config` None is the model's default.

        Raises UsageError as `model`.
        """
        module, watch = load_module(name), _watch.get() or Watch()
        watch.notice(fitting_notice(name, graph, module.expected_seconds(graph)))
        with _fitting:
            started = time.perf_counter()
            with watch.bar(f"fitting {name}", "steps", None) as advance:
                model = module.fit(graph, config, seed, _Progress(advance))
            seconds = time.perf_counter() - started
            card = saved.Card(
                name,
                graph.name,
                _whole(graph).checksum,
                dataclasses.asdict(config) if config is not None else {},
                seed,
                module.scores(model, graph, config, seed),
                round(seconds, 2),
                source=f"fitted here by {module.__name__}",
                citation=model_entry(name).citation,
                facts=model.facts(),
            )
            place = self.place(name, graph)
            if place is not None:
                model.save(place, card)
            found = self._open.setdefault(graph, {})[name] = Fitted(model, card)
            return found

    def cards(self) -> list[saved.Card]:
        """The cards of all models that were fitted, by data set."""
        folders = sorted((self.root / "models").glob("*/*/"))
        return [saved.read_card(folder) for folder in folders if saved.is_saved(folder)]


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
    if name not in MODELS:
        raise UsageError(f"No model {name!r}. {choices(name, MODELS, most=len(MODELS))}")
    return MODELS[name]


def load_module(name: str) -> Any:
    """The module of a model. Raises UsageError, naming the extra, where a package that it needs is missing."""
    entry = model_entry(name)
    try:
        import_module(entry.needs)
    except ImportError:
        raise UsageError(
            f'{name} needs {entry.needs}, which is not installed: pip install "graphtalk[{entry.extra}]".'
        ) from None
    return import_module(entry.module)


def fitting_notice(name: str, graph: Loaded, seconds: float) -> str:
    """What is said before a model is fitted."""
    took = f"{seconds / 60:.0f} minutes" if seconds > 100 else f"{max(1, round(seconds))} s"
    return f"{name} is fitted on {graph.name} now, once: about {took} on one CPU core."


def _whole(graph: Loaded) -> Graph:
    return graph.union if isinstance(graph, GraphSet) else graph
