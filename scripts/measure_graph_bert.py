"""How well Graph-Bert and a GCN classify the papers of citation networks, on Planetoid's public split.

    python scripts/measure_graph_bert.py --data DIR [--seeds 5] [--datasets cora citeseer] [--layers gated] [--residual none]

DIR has the folder planetoid, or its files. Prints one row a data set and model: mean and standard deviation of the
accuracy over seeds. The epoch is chosen by the 500 validation papers; the 1,000 test papers are counted once.
"""

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from graphtalk.graphs import Graph
from graphtalk.hub import Hub
from graphtalk.models import gcn, graph_bert, node_classes

PAPER = {"cora": (84.3, 81.5), "citeseer": (71.2, 70.3)}  # Graph-Bert's paper, table 2: Graph-Bert, GCN


def measure_bert(graph: Graph, config: graph_bert.GraphBertConfig, seed: int) -> tuple[float, float, float]:
    """Validation accuracy, test accuracy, and seconds of fitting."""
    card = graph_bert.fit(graph, config, seed).card
    return card.scores["validation accuracy"], card.scores["test accuracy"], card.seconds


def measure_gcn(graph: Graph, config: graph_bert.GraphBertConfig, seed: int) -> tuple[float, float, float]:
    """As `measure_bert`."""
    began = time.perf_counter()
    data = node_classes.read(graph, config, seed)
    found = gcn.fit(data, gcn.GcnConfig(), seed)
    seconds = time.perf_counter() - began
    return found.accuracy(data.classes, data.validation), found.accuracy(data.classes, data.test), seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--datasets", nargs="+", default=["cora", "citeseer"], choices=list(PAPER))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--residual", default="graph-raw")
    parser.add_argument(
        "--layers", choices=("normalised", "gated"), default="normalised", help="of the paper, or ours"
    )
    parser.add_argument("--agreement", type=float, help="how much the agreement of predictions counts")
    asked = parser.parse_args()
    print(
        "| Data set | Model | Validation % | Test % | Paper % | Seconds a fit |\n|---|---|---|---|---|---|",
        flush=True,
    )
    with TemporaryDirectory() as folder:
        hub = Hub(Path(folder))
        for name in asked.datasets:
            hub.fetch(name, asked.data)
            graph = hub.graph(name)
            assert isinstance(graph, Graph)
            config = graph_bert.PAPERS.get(name, graph_bert.PAPER)
            if asked.layers == "gated":
                config = graph_bert.SETTINGS.get(name, graph_bert.GraphBertConfig())
            agreement = config.agreement if asked.agreement is None else asked.agreement
            config = replace(config, residual=asked.residual, agreement=agreement)
            models = (("Graph-Bert", measure_bert), ("GCN", measure_gcn))
            for (title, measure), published in zip(models, PAPER[name], strict=False):
                fits = []
                for seed in range(asked.seeds):
                    fits.append(measure(graph, config, seed))
                    print(
                        f"{name}, {title}, seed {seed}: test {100 * fits[-1][1]:.1f}%",
                        file=sys.stderr,
                        flush=True,
                    )
                rows = np.array(fits)
                valid, test = (f"{100 * r.mean():.1f} ± {100 * r.std():.1f}" for r in rows.T[:2])
                print(
                    f"| {name} | {title} | {valid} | {test} | {published} | {rows[:, 2].mean():.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
