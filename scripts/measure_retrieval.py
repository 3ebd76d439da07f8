"""Measure retrieval on MetaQA: how often the answer lies in the retrieved subgraph, and how large that is.

    .venv/bin/python scripts/measure_retrieval.py STORE [--data ../shared/data/metaqa] [--questions 1000]
    .venv/bin/python scripts/measure_retrieval.py own [--embedder static minilm]

For 1, 2 and 3 hops: the share of questions of which any answer, and all answers, are nodes of the subgraph; beside it
KAPING, the triples most like the question (Baek et al., 2023), as many of them as our subgraph has edges, and the
paper's rule by cosine alone. Prints a table in Markdown.

`own` compares the two rules, and embedders, on the small graphs and the questions of tests/questions, those whose answers are nodes.
"""

import argparse
import json
import lzma
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from graphtalk.app.ask import open as open_named
from graphtalk.graphs import Graph, open_graph
from graphtalk.search.embedder import load_embedder
from graphtalk.search.index import Index
from graphtalk.search.normalise import normalise
from graphtalk.search.retrieval_index import in_memory, retriever
from graphtalk.search.subgraph import RULES, Options, Retriever
from graphtalk.search.triples import Triples

OWN = Path(__file__).parents[1] / "tests" / "questions"
PAPER_QUESTIONS = 100  # of each number of hops for the paper's rule, which takes long here
Retrieve = Callable[[str], tuple[np.ndarray, int]]


@dataclass
class Share:
    """What one way of retrieving found: sums over questions."""

    any: list[bool] = field(default_factory=list)
    all: list[bool] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def row(self, hops: int, what: str) -> str:
        """A line of the table."""
        mean = [100 * np.mean(self.any), 100 * np.mean(self.all), np.mean(self.nodes), np.mean(self.edges)]
        return (
            f"| {hops} | {what} | {len(self.any):,} | {mean[0]:.1f} | {mean[1]:.1f} | {mean[2]:,.1f} | {mean[3]:,.1f} "
            f"| {1e3 * np.median(self.seconds):.1f} |"
        )

    def add(self, found: np.ndarray, edges: int, gold: Sequence[set[int]], seconds: float) -> None:
        """Count one question. `gold` has the nodes of each answer."""
        kept = set(found.tolist())
        hits = [bool(nodes & kept) for nodes in gold]
        self.any.append(any(hits))
        self.all.append(all(hits))
        self.nodes.append(len(kept))
        self.edges.append(edges)
        self.seconds.append(seconds)


def main() -> None:
    """Parse options, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data" / "metaqa")
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument(
        "--embedder", nargs="+", default=["static"], help="of `own`: static, minilm or st:MODEL"
    )
    options = parser.parse_args()
    if str(options.store) == "own":
        own(options.embedder)
        return
    graph = open_graph(options.store)
    if not isinstance(graph, Graph):
        sys.exit(f"{options.store} is a set of graphs; MetaQA is one graph.")
    names = named(graph)
    found = retriever(graph)
    triples = Triples(found)
    print("| hops | retrieval | questions | any answer, % | all answers, % | nodes | edges | ms, median |")
    print("|---|---|---|---|---|---|---|---|")
    for hops in (1, 2, 3):
        asked = questions(options.data / f"{hops}-hop" / "dev.txt.xz", options.questions, names)
        for row in measure(found, triples, asked, hops):
            print(row, flush=True)


def own(embedders: Sequence[str]) -> None:
    """The rows of our own questions; with several embedders those of all graphs together."""
    print(
        "| graph | nodes / edges | embedder | rule | questions | any answer, % | all answers, % | nodes | edges | ms |"
    )
    print("|---" * 10 + "|")
    together = {(embedder, rule): Share() for embedder in embedders for rule in RULES}
    for name in ("atlas", *sorted(path.name for path in (OWN / "graphs").iterdir())):
        graph = open_named("atlas" if name == "atlas" else OWN / "graphs" / name)
        names = named(graph)
        rows = map(json.loads, (OWN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
        listed = [(row["question"], row["gold"]) for row in rows if isinstance(row["gold"], list)]
        asked = [(text, [names.get(normalise(str(n)), set()) for n in gold]) for text, gold in listed]
        asked = [(text, gold) for text, gold in asked if gold and all(gold)]
        for embedder in embedders:
            found = in_memory(graph, Index.open(graph), load_embedder(embedder))
            for rule in RULES:
                share = Share()
                for text, gold in asked:
                    for each in (share, together[embedder, rule]):
                        retrieve(each, found, text, gold, Options(rule=rule))
                size = f"{graph.num_nodes:,} / {graph.num_edges:,}"
                print(
                    f"| {name} | {size} | {embedder} |{share.row(0, rule).partition('| 0 |')[2]}", flush=True
                )
    for (embedder, rule), share in together.items():
        print(f"| all | | {embedder} |{share.row(0, rule).partition('| 0 |')[2]}")


def measure(
    found: Retriever, triples: Triples, asked: Sequence[tuple[str, list[set[int]]]], hops: int
) -> list[str]:
    """The rows for the questions of so many hops."""
    ours, paper, kaping, near = Share(), Share(), Share(), Share()
    for i, (text, gold) in enumerate(asked):
        size = retrieve(ours, found, text, gold, Options(rule="spread"))
        count(near, triples, text, gold, size, linked=True)
        if i < PAPER_QUESTIONS:
            count(kaping, triples, text, gold, size, linked=False)
            retrieve(paper, found, text, gold, Options(rule="paper"))
    shares = {
        "ours": ours,
        "KAPING, triples of the whole graph, equal size": kaping,
        "KAPING, triples of named nodes, equal size": near,
        "the paper's rule on the whole graph": paper,
    }
    return [share.row(hops, what) for what, share in shares.items()]


def retrieve(share: Share, found: Retriever, text: str, gold: Sequence[set[int]], options: Options) -> int:
    """Count a subgraph; how many edges it has."""
    started = time.perf_counter()
    subgraph = found.retrieve(text, options)
    share.add(subgraph.nodes, len(subgraph.edges), gold, time.perf_counter() - started)
    return len(subgraph.edges)


def count(
    share: Share, triples: Triples, text: str, gold: Sequence[set[int]], size: int, linked: bool
) -> None:
    """Count the best triples."""
    started = time.perf_counter()
    best = triples.best(text, size, linked)
    share.add(best.nodes, len(best.edges), gold, time.perf_counter() - started)


def named(graph: Graph) -> dict[str, set[int]]:
    """The nodes of each name."""
    table: dict[str, set[int]] = {}
    for node, label in enumerate(graph.labels()):
        table.setdefault(normalise(label), set()).add(node)
    return table


def questions(path: Path, most: int, names: dict[str, set[int]]) -> list[tuple[str, list[set[int]]]]:
    """Questions with the nodes of their answers; without the brackets that mark the topic, which a person does not write."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    chosen = random.Random(0).sample(lines, min(most, len(lines)))
    plain = [(text.replace("[", "").replace("]", ""), answers.split("|")) for text, answers in chosen]
    return [(text, [names.get(normalise(answer), set()) for answer in answers]) for text, answers in plain]


if __name__ == "__main__":
    main()
