"""What each part of G-Retriever is worth: every setting and ablation, trained around a small frozen language model.

    python scripts/train_small_lm.py --data EXPLAGRAPHS --out MODEL
    python scripts/measure_g_retriever.py --data EXPLAGRAPHS --lm MODEL --out RUNS [--part explagraphs|mixed|joined|encoders]

explagraphs   support or counter, each question with its own graph (nothing is retrieved, as in the paper)
mixed         the same, and a word to look up in each graph: the stance needs the graph's token, the word its text
joined        the same, in graphs that are several of ExplaGraphs' side by side: a part must be retrieved
encoders      ExplaGraphs with each graph encoder

Where nothing is retrieved, G-Retriever without its encoder is prompt tuning, and without its text GraphToken: these
are run once, under those names.

Scores are of held-out graphs (the test split), as mean and standard deviation over seeds. A run that is in RUNS already
is not run again; one that was killed is taken up.
"""

import argparse
import json
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphtalk.app.train import Chosen, train_and_score
from graphtalk.benchmarks.graphqa.questions import GraphQuestion, Splits
from graphtalk.benchmarks.graphqa.tasks import GraphQATask, explagraphs
from graphtalk.benchmarks.task import Asked, Gold
from graphtalk.lms.hf import HfLM
from graphtalk.training.retrieval import Retrieval
from graphtalk.training.settings import ABLATIONS, SETTINGS, Lengths, Schedule
from graphtalk.training.text_graphs import TextGraph
from train_small_lm import LOOK_UP, words_of

STANCE, WORD = "stance", "look-up"
LOOKED_UP = "Is there {word}?"


@dataclass(frozen=True)
class Run:
    """One training. `encoder` is the graph encoder."""

    part: str
    setting: str
    ablated: tuple[str, ...] = ()
    encoder: str = "gt"

    @property
    def name(self) -> str:
        """As in the tables of the paper."""
        return " without ".join([self.setting, *self.ablated]) + (
            "" if self.encoder == "gt" else f", {self.encoder}"
        )


def runs(part: str) -> list[Run]:
    """The runs of a part."""
    if part == "encoders":
        return [Run(part, "frozen", (), encoder) for encoder in ("gt", "gat", "gcn")]
    ablations = ABLATIONS if part == "joined" else ("projection",)
    settings = [Run(part, setting) for setting in SETTINGS]
    return [*settings, *(Run(part, "frozen", (ablation,)) for ablation in ablations)]


# the joined graphs


def joined(splits: Splits, graphs: int) -> Splits:
    """Questions about several graphs side by side: the stance of one of them, and a word that is there or is not."""
    parts = (
        tuple(_joined(part, graphs, np.random.default_rng(seed)))
        for seed, part in enumerate((splits.train, splits.validation, splits.test))
    )
    return Splits(*parts)


def _joined(
    part: Sequence[GraphQuestion], graphs: int, noise: np.random.Generator
) -> Iterator[GraphQuestion]:
    for place, question in enumerate(part):
        others = noise.choice(len(part) - 1, graphs, replace=False)
        others = others + (others >= place)
        together = [question.graph, *(part[other].graph for other in others[1:])]
        graph = side_by_side([together[at] for at in noise.permutation(graphs)])
        asked = question.asked
        yield GraphQuestion(
            Asked(f"{asked.id}-s", asked.question, asked.gold, template=STANCE), graph, question.prompt
        )
        there = bool(noise.integers(2))
        source = question.graph if there else part[others[0]].graph
        word = str(noise.choice(words_of(source) or ["none"]))
        asked = Asked(
            f"{asked.id}-w",
            LOOKED_UP.format(word=word),
            Gold("yes" if word in words_of(graph) else "no"),
            template=WORD,
        )
        yield GraphQuestion(asked, graph, LOOK_UP.format(word=word))


def side_by_side(graphs: Sequence[TextGraph]) -> TextGraph:
    """One graph of several, with no edge between them."""
    firsts = np.cumsum([0, *(len(graph.nodes) for graph in graphs[:-1])])
    return TextGraph(
        tuple(node for graph in graphs for node in graph.nodes),
        tuple(edge for graph in graphs for edge in graph.edges),
        np.concatenate([graph.ends + first for graph, first in zip(graphs, firsts, strict=True)], axis=1),
    )


# running


def result_of(run: Run, seed: int, given: argparse.Namespace, splits: Splits) -> dict[str, object]:
    """The result of a run, with the share of right answers of each kind of question."""
    out = given.out / run.part / run.name.replace(", ", "-").replace(" ", "-") / f"seed-{seed}"
    path = out / "result.json"
    if not path.exists():
        chosen = Chosen(
            explagraphs.name,
            f"hf:{given.lm}",
            given.data,
            out,
            run.setting,
            run.ablated,
            run.encoder,
            layers=given.layers,
            hidden=given.hidden,
            lengths=Lengths(text=given.text_tokens, answer=4),
            schedule=Schedule(
                given.epochs, given.batch, 1, given.rate, clip=1.0, patience=given.patience, seed=seed
            ),
            answer_batch=64,
        )
        how = Retrieval(nodes=8, edges=0, edge_cost=0.05) if run.part == "joined" else None
        task = GraphQATask(run.part, "", explagraphs.read, ("whole_answer",), how)
        train_and_score(chosen, task, splits, HfLM.open(str(given.lm)))
    result = json.loads(path.read_text(encoding="utf-8"))
    lines = (out / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for kind, labels in ((STANCE, ("support", "counter")), (WORD, ("yes", "no"))):
        scores = [row["scores"]["whole_answer"] for row in rows if row["gold"] in labels]
        result[kind] = statistics.fmean(scores) if scores else None
    return result


def row(run: Run, results: Sequence[dict[str, object]]) -> str:
    """A line of the table."""
    kinds = [_percent([r[kind] for r in results]) for kind in (STANCE, WORD)]
    both = _percent([r["scores"]["whole_answer"] for r in results])
    epochs = statistics.fmean(len(r["epochs"]) for r in results)
    minutes = statistics.fmean(r["minutes_per_epoch"] or 0 for r in results)
    tokens = statistics.fmean(r["tokens_read"] for r in results)
    told = f"{epochs:.1f} | {minutes:.2f} | {tokens:.0f} | {results[0]['trained_parameters']:,}"
    return f"| {run.name} | {kinds[0]} | {kinds[1]} | {both} | {told} |"


def _percent(values: Sequence[float | None]) -> str:
    if any(value is None for value in values):
        return "-"
    mean = f"{100 * statistics.fmean(values):.1f}"
    return f"{mean} ± {100 * statistics.stdev(values):.1f}" if len(values) > 1 else mean


def main() -> None:
    """Run, and print a table as it grows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--lm", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--part", choices=("explagraphs", "mixed", "joined", "encoders"), default="explagraphs"
    )
    parser.add_argument("--only", default="", help="only runs whose name holds this")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--graphs", type=int, default=4, help="graphs side by side")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--patience", type=int, default=2)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--text-tokens", type=int, default=512)
    given = parser.parse_args()
    splits = explagraphs.splits(given.data)
    if given.part in ("mixed", "joined"):
        splits = joined(splits, given.graphs if given.part == "joined" else 1)
    print("| setting | stance | look-up | all | epochs | minutes an epoch | tokens read | trained |")
    print("|---|---|---|---|---|---|---|---|")
    for run in runs(given.part):
        if given.only in run.name:
            print(row(run, [result_of(run, seed, given, splits) for seed in range(given.seeds)]), flush=True)


if __name__ == "__main__":
    main()
