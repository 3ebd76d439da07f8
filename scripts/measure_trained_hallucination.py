"""Hallucination of models that are trained here (the G-Retriever paper's section 6.4 and table 5).

    .venv/bin/python scripts/train_small_lm.py --data EXPLAGRAPHS --out MODEL
    .venv/bin/python scripts/measure_trained_hallucination.py --data EXPLAGRAPHS --lm MODEL --out RUNS [--train 500] [--epochs 4]

A question asks for the stance of one of two of ExplaGraphs' graphs that stand side by side, and for the nodes and edges that support
it, which are those of its graph. A model learns to list them from the graph's token alone (the paper's base line: LLM with graph
prompt tuning), or from that and the text of the graph (G-Retriever); both with LoRA, since a model of this size that is frozen
lists nothing. What the answers to the test split list is looked up in the whole graph, by program.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from graphtalk.app.train import Chosen, train_and_score
from graphtalk.benchmarks.graphqa.questions import GraphQuestion, Splits
from graphtalk.benchmarks.graphqa.tasks import GraphQATask, explagraphs
from graphtalk.benchmarks.graphqa.trainings import paper
from graphtalk.benchmarks.hallucination import check, rates
from graphtalk.benchmarks.task import Gold
from graphtalk.lms.hf import HfLM
from graphtalk.training.settings import Lengths, Lora, Schedule
from graphtalk.training.text_graphs import TextGraph
from joined_graphs import side_by_side

METHODS = {"LLM with graph prompt tuning": ("lora", ("text",)), "G-Retriever": ("lora", ())}
MOST = 96  # tokens of an answer


def listing(stance: str, graph: TextGraph) -> str:
    """The right answer: a stance, and the nodes and edges that support it."""
    source, target = ([graph.nodes[n] for n in ends] for ends in graph.ends.tolist())
    edges = "; ".join(f"{s}, {r}, {t}" for s, r, t in zip(source, graph.edges, target, strict=True))
    return f"{stance}\nNodes: {'; '.join(graph.nodes)}\nEdges: {edges}"


def asked(part: Sequence[GraphQuestion], seed: int) -> Iterator[GraphQuestion]:
    """Each question with another's graph beside its own, before or after it."""
    noise = np.random.default_rng(seed)
    for place, question in enumerate(part):
        other = int(noise.integers(len(part) - 1))
        two = [question.graph, part[other + (other >= place)].graph]
        graph = side_by_side([two[at] for at in noise.permutation(2)])
        gold = Gold(listing(question.asked.gold.text, question.graph))
        yield GraphQuestion(replace(question.asked, gold=gold), graph, question.prompt)


def main() -> None:
    """Train, check, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--lm", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--train", type=int, default=500)
    parser.add_argument("--test", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=3e-3)
    given = parser.parse_args()
    splits = explagraphs.splits(given.data)
    most = (given.train, given.test, given.test)
    parts = [
        tuple(asked(part, seed))[:count]
        for seed, (part, count) in enumerate(
            zip((splits.train, splits.validation, splits.test), most, strict=True)
        )
    ]
    task = GraphQATask("listing", "", explagraphs.read, ("whole_answer",), None)
    print(
        "| source | answers | that list any | valid nodes | valid edges | fully valid |\n" + "|---" * 6 + "|"
    )
    for theirs in paper()["table5"]["rows"]:
        shares = (theirs["valid_nodes"], theirs["valid_edges"], theirs["fully_valid"])
        print(f"| the paper, {theirs['method']} | 100 | - | {' | '.join(f'{share} %' for share in shares)} |")
    for method, (setting, ablated) in METHODS.items():
        chosen = Chosen(
            explagraphs.name, f"hf:{given.lm}", given.data, given.out / method.replace(" ", "-"), setting, ablated,
            layers=2, hidden=128, lengths=Lengths(answer=MOST), lora=Lora(32, 64, 0.0),
            schedule=Schedule(given.epochs, 16, 1, given.rate, clip=1.0), answer_batch=50,
        )  # fmt: skip
        train_and_score(chosen, task, Splits(*parts), HfLM.open(str(given.lm)))
        lines = (chosen.out / "answers.jsonl").read_text(encoding="utf-8").splitlines()
        graphs = {question.asked.id: question.graph for question in parts[2]}
        answers = [json.loads(line) for line in lines]
        of = rates([check(row["answer"], graphs[row["id"]]) for row in answers])
        shares = (of.valid_nodes, of.valid_edges, of.fully_valid)
        told = " | ".join("-" if share is None else f"{share:.1%}" for share in shares)
        print(f"| {method}, {given.lm.name} | {of.answers} | {of.naming} | {told} |", flush=True)


if __name__ == "__main__":
    main()
