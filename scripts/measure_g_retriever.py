"""What each part of G-Retriever is worth: every setting and ablation, trained around a small frozen language model.

    python scripts/train_small_lm.py --data EXPLAGRAPHS --out MODEL
    python scripts/measure_g_retriever.py --data EXPLAGRAPHS --lm MODEL --out RUNS [--part explagraphs|mixed|joined|encoders]

explagraphs   support or counter, each question with its own graph (nothing is retrieved, as in the paper)
mixed         the same, and a node to look up in each graph: the stance needs the graph's token, the node its text
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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from graphtalk.app.train import Chosen, train_and_score
from graphtalk.benchmarks.graphqa.questions import Splits
from graphtalk.benchmarks.graphqa.tasks import GraphQATask, explagraphs
from graphtalk.lms.hf import HfLM
from graphtalk.training.retrieval import Retrieval
from graphtalk.training.settings import ABLATIONS, SETTINGS, Lengths, Schedule, setting_of
from joined_graphs import LOOKED_UP, joined


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
        how = (
            Retrieval(nodes=8, edges=0, edge_cost=0.05) if run.part == "joined" else None
        )  # by node texts alone
        task = GraphQATask(run.part, "", explagraphs.read, ("whole_answer",), how)
        train_and_score(chosen, task, splits, HfLM.open(str(given.lm)))
    result = json.loads(path.read_text(encoding="utf-8"))
    lines = (out / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for kind, wanted in (("stance", False), ("look-up", True)):
        scores = [r["scores"]["whole_answer"] for r in rows if r["id"].endswith(LOOKED_UP) == wanted]
        result[kind] = statistics.fmean(scores) if scores else None
    return result


def row(run: Run, results: Sequence[dict[str, object]]) -> str:
    """A line of the table."""
    kinds = [_percent([r[kind] for r in results]) for kind in ("stance", "look-up")]
    both = _percent([r["scores"]["whole_answer"] for r in results])
    epochs = statistics.fmean(len(r["epochs"]) for r in results)
    minutes = statistics.fmean(r["minutes_per_epoch"] or 0 for r in results)
    nodes = statistics.fmean(r["nodes_after" if _retrieves(run) else "nodes_before"] for r in results)
    tokens = statistics.fmean(r["tokens_read"] for r in results)
    told = f"{epochs:.1f} | {minutes:.2f} | {tokens:.0f} | {nodes:.1f} | {results[0]['trained_parameters']:,}"
    return f"| {run.name} | {kinds[0]} | {kinds[1]} | {both} | {told} |"


def _retrieves(run: Run) -> bool:
    return setting_of(run.setting, run.ablated).retrieved


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
    parser.add_argument(
        "--only", default="", help="only these runs, by their names in the table, with commas between"
    )
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--graphs", type=int, default=4, help="graphs side by side")
    parser.add_argument("--train", type=int, help="at most so many graphs to train on")
    parser.add_argument("--validation", type=int, help="at most so many graphs for the validation loss")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--patience", type=int, default=2)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--text-tokens", type=int, default=512)
    given = parser.parse_args()
    splits = explagraphs.splits(given.data)
    splits = replace(
        splits, train=splits.train[: given.train], validation=splits.validation[: given.validation]
    )
    if given.part in ("mixed", "joined"):
        splits = joined(splits, given.graphs if given.part == "joined" else 1)
    print("| setting | stance | look-up | all | epochs | minutes an epoch | tokens read | nodes | trained |")
    print("|---|---|---|---|---|---|---|---|---|")
    for run in runs(given.part):
        if not given.only or run.name in given.only.split(","):
            print(row(run, [result_of(run, seed, given, splits) for seed in range(given.seeds)]), flush=True)


if __name__ == "__main__":
    main()
