"""How well SEG-Bert and a GIN classify molecules, in ten-fold cross-validation.

    python scripts/measure_seg_bert.py --data DIR [--datasets mutag ptc] [--folds 10] [--epochs 60]

DIR has the folder tudataset. Prints one row a data set and model, mean and standard deviation over folds, twice: at the last
epoch, where nothing is chosen; and by the protocol of GIN's paper, at the epoch with the best mean over folds, which
is chosen by the very folds it is counted on.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from numpy.typing import NDArray

from graphtalk.graphs import GraphSet
from graphtalk.hub import Hub
from graphtalk.models import gin, seg_bert
from graphtalk.models.folds import stratified

# SEG-Bert's paper (2020), table 1; GIN's paper (2019), table 1 (GIN-0).
PAPER = {"proteins": (77.09, 76.2), "mutag": (90.85, 89.4), "nci1": (70.15, 82.7), "ptc": (68.86, 64.6)}

Predict = Callable[[NDArray[np.int64]], NDArray[np.float32]]
Learn = Callable[[NDArray[np.int64], Callable[[int, Predict], None]], object]


def curves(
    learn: Learn, classes: NDArray[np.int64], fold: NDArray[np.int64], folds: int, every: int
) -> NDArray[np.float64]:
    """The accuracy on each held-out fold after some epochs. Shape (folds, looks)."""
    rows = []
    for held in range(folds):
        train, test = np.flatnonzero(fold != held), np.flatnonzero(fold == held)
        row: list[float] = []

        def after(
            epoch: int, predict: Predict, test: NDArray[np.int64] = test, row: list[float] = row
        ) -> None:
            if epoch % every == 0:
                row.append(float(np.mean(predict(test).argmax(axis=1) == classes[test])))

        learn(train, after)
        rows.append(row)
        print(f"fold {held}: {100 * row[-1]:.1f}%", file=sys.stderr, flush=True)
    return np.array(rows)


def told(values: NDArray[np.float64]) -> str:
    """Mean and standard deviation in per cent."""
    return f"{100 * values.mean():.1f} ± {100 * values.std():.1f}"


def measure(
    graphs: GraphSet, folds: int, epochs: int, seed: int, strategy: str
) -> list[tuple[str, str, str, float]]:
    """For each model its name, both figures, and the seconds of a fit."""
    _, classes = seg_bert.classes_of_graphs(graphs, "label")
    fold = stratified(classes, 10, seed)
    inputs = gin.Inputs.of(graphs, "label")
    bert = seg_bert.SegBertConfig(epochs=epochs, strategy=strategy)
    models: list[tuple[str, Learn]] = [
        ("SEG-Bert", lambda train, after: seg_bert.learn(graphs, bert, seed, train, after)),
        (
            "GIN",
            lambda train, after: gin.learn(inputs, classes, train, gin.GinConfig(epochs=epochs), seed, after),
        ),
    ]
    found = []
    for title, learn in models:
        began = time.perf_counter()
        curve = curves(learn, classes, fold, folds, every=max(1, epochs // 10))
        seconds = (time.perf_counter() - began) / folds
        found.append((title, told(curve[:, -1]), told(curve[:, curve.mean(axis=0).argmax()]), seconds))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--datasets", nargs="+", default=list(PAPER), choices=list(PAPER))
    parser.add_argument(
        "--folds", type=int, default=10, help="how many of the ten folds are held out in turn"
    )
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--strategy", default="shifting")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    print(
        "| Data set | Model | Last epoch % | GIN's protocol % | Paper % | Seconds a fit |\n|---|---|---|---|---|---|"
    )
    with TemporaryDirectory() as folder:
        hub = Hub(Path(folder))
        for name in asked.datasets:
            hub.fetch(name, asked.data)
            graphs = hub.graph(name)
            assert isinstance(graphs, GraphSet)
            rows = measure(graphs, asked.folds, asked.epochs, asked.seed, asked.strategy)
            for (title, last, best, seconds), published in zip(rows, PAPER[name], strict=True):
                print(f"| {name} | {title} | {last} | {best} | {published} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
