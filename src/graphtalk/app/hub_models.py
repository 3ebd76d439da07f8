"""What `graphtalk hub models` and `graphtalk hub fit` do, and how a terminal shows that a model is being fitted."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from graphtalk.app import console, render
from graphtalk.core import JSON, UsageError
from graphtalk.hub import Hub, hub_folder
from graphtalk.hub.models import ModelEntry, ModelHub, Watch, model_entry, watching
from graphtalk.hub.models import models as known_models
from graphtalk.models.saved import ModelCard

if TYPE_CHECKING:
    from graphtalk.models.graph_bert import GraphBertConfig
    from graphtalk.models.kmeans import KMeansConfig


@contextmanager
def shown() -> Iterator[None]:
    """Say on standard error what fitting a model will take, and show a bar while it goes on."""
    with watching(Watch(console.say, console.progress)):
        yield


def models(as_json: bool) -> None:
    """Print all models, and those that were fitted."""
    hub = Hub(hub_folder())
    cards = ModelHub(hub.root).cards()
    if as_json:
        rows = [_entry(entry, cards) for entry in known_models().values()]
        console.write(render.dumps({"hub": str(hub_folder()), "models": rows}))
        return
    lines = [
        (e.name, e.task, ", ".join(e.functions), "" if _ready(e) else e.extra)
        for e in known_models().values()
    ]
    render.print_table(console.stdout(), ("model", "tells", "functions", "to install"), lines)
    if cards:
        fitted = [
            (
                card.model,
                hub.called(card.dataset),
                str(card.seed),
                _scores(card),
                render.duration(card.seconds),
            )
            for card in cards
        ]
        console.write()
        render.print_table(console.stdout(), ("fitted", "on", "seed", "scores", "took"), fitted)
    console.say("a model is fitted when it is first asked, or by: graphtalk hub fit MODEL DATASET")


def fit(
    model: str,
    dataset: str,
    seed: int,
    as_json: bool,
    affinity: str = "",
    start: str = "",
    layers: str = "",
) -> None:
    """Fit a model on a data set anew, and print its scores. `affinity` is that of k-means; "": its default.

    `start` is the data set from which learning begins; "": none. `layers` are those of Graph-Bert;
    "": its paper's.
    """
    model_entry(model)  # an unknown one is said before anything is opened
    config: object = _kmeans_config(model, affinity) if affinity else None
    if layers or model == "graph_bert":
        config = _graph_bert_config(model, dataset, layers or "normalised")
    hub = Hub(hub_folder())
    models = ModelHub(hub.root)
    graph = hub.graph(dataset)
    with shown():
        begun = hub.graph(start) if start else None
        card: ModelCard = models.fit(model, graph, seed, config, begun).card
    place = models.place(model, graph)
    if as_json:
        console.write(render.dumps({**_card(card), "place": str(place) if place else None}))
        return
    console.write(
        f"{model} on {dataset}: {_scores(card)}; {render.duration(card.seconds)}: {place or 'not kept'}"
    )


def _kmeans_config(model: str, affinity: str) -> "KMeansConfig":
    """K-means that counts common neighbours so. Raises UsageError for another model, and an unknown affinity."""
    if model != "kmeans":
        raise UsageError(f"--affinity {affinity} is of kmeans, not of {model}.")
    if affinity not in ("shares", "counts"):
        raise UsageError(f"No affinity {affinity!r}. Valid: shares, counts.")
    from graphtalk.models.kmeans import KMeansConfig

    return KMeansConfig(affinity="counts" if affinity == "counts" else "shares")


def _graph_bert_config(model: str, dataset: str, layers: str) -> "GraphBertConfig":
    """Graph-Bert with such layers. Raises UsageError for another model, and unknown layers."""
    if model != "graph_bert":
        raise UsageError(f"--layers {layers} is of graph_bert, not of {model}.")
    if layers not in ("normalised", "gated"):
        raise UsageError(f"No layers {layers!r}. Valid: normalised, gated.")
    from graphtalk.models.graph_bert import PAPER, PAPERS, SETTINGS, GraphBertConfig

    return PAPERS.get(dataset, PAPER) if layers == "normalised" else SETTINGS.get(dataset, GraphBertConfig())


def _ready(entry: ModelEntry) -> bool:
    return importlib.util.find_spec(entry.needs) is not None


def _scores(card: ModelCard) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in card.scores.items()) or "no scores"


def _entry(entry: ModelEntry, cards: list[ModelCard]) -> dict[str, JSON]:
    own = [_card(card) for card in cards if card.model == entry.name]
    return {**asdict(entry), "functions": list(entry.functions), "installed": _ready(entry), "fitted": [*own]}


def _card(card: ModelCard) -> dict[str, JSON]:
    """A card as JSON values, without what only the model needs."""
    return {key: value for key, value in asdict(card).items() if key != "facts"}
