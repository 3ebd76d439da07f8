"""Hallucination of models that are trained here (the G-Retriever paper's section 6.4 and table 5).

    .venv/bin/python scripts/train_small_lm.py --data EXPLAGRAPHS --out MODEL
    .venv/bin/python scripts/measure_trained_hallucination.py --data EXPLAGRAPHS --lm MODEL [--train 500] [--epochs 4]

A question asks for the stance of one of two of ExplaGraphs' graphs that stand side by side, and for the nodes and edges that support
it, which are those of its graph. A model learns to list them from the graph's token alone (the paper's base line: LLM with graph
prompt tuning), or from that and the text of the graph (G-Retriever). All weights are trained: a model of this size that is frozen
lists nothing, and with LoRA next to nothing that exists. What the answers to the test split list is looked up in the whole graph,
by program.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from graphtalk.app.console import stdout
from graphtalk.app.render import print_table
from graphtalk.benchmarks.graphqa.graphs import stored
from graphtalk.benchmarks.graphqa.questions import GraphQuestion
from graphtalk.benchmarks.graphqa.tasks import explagraphs
from graphtalk.benchmarks.graphqa.trainings import hallucination_table
from graphtalk.benchmarks.hallucination import check, rates
from graphtalk.benchmarks.task import Gold
from graphtalk.lms.hf import HfLM
from graphtalk.models.encoders import EncoderSize
from graphtalk.search.embedder import load_embedder
from graphtalk.training.checkpoint import Checkpoints
from graphtalk.training.g_retriever import Design, make_model
from graphtalk.training.loop import Watch, train
from graphtalk.training.prompts import Example, Reader, TextVectors
from graphtalk.training.settings import Lengths, Schedule, Setting, setting_of
from graphtalk.training.text_graphs import TextGraph
from graphtalk.training.trained import answers
from joined_graphs import side_by_side

METHODS = {"LLM with graph prompt tuning": ("text",), "G-Retriever": ()}  # what is left out of `frozen`
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


def answered(
    lm: HfLM, setting: Setting, parts: Sequence[Sequence[GraphQuestion]], given: argparse.Namespace
) -> list[str]:
    """The answers to the test split of a model that learnt from the training split."""
    vectors, lengths = TextVectors(load_embedder("minilm")), Lengths(answer=MOST)
    reader = Reader(lm.tokenizer, vectors, lengths, setting.text, setting.retrieved)
    items = [
        reader.items([Example(q.asked.id, q.prompt, q.asked.gold.text, q.graph, q.graph) for q in part])
        for part in parts
    ]
    design = Design(setting, size=EncoderSize(2, 4, 128), lengths=lengths)
    model = make_model(lm.model, design, vectors.table)
    model.lm.requires_grad_(True)
    schedule = Schedule(given.epochs, 16, 1, given.rate, clip=1.0)
    told = Watch(lambda e: print(f"epoch {e.number}: {e.loss:.3f}, {e.validation:.3f}", file=sys.stderr))
    with TemporaryDirectory() as place:
        train(model, items[0], items[1], schedule, Checkpoints(Path(place)), told)
    return list(answers(model, lm.tokenizer, items[2], 50))


def main() -> None:
    """Train, check, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--lm", type=Path, required=True)
    parser.add_argument("--train", type=int, default=500)
    parser.add_argument("--test", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--method", choices=METHODS, nargs="+", default=list(METHODS))
    given = parser.parse_args()
    splits = explagraphs.splits(given.data)
    whole = (splits.train, splits.validation, splits.test)
    most = (given.train, given.test, given.test)
    parts = [
        tuple(asked(part, seed))[:count] for seed, (part, count) in enumerate(zip(whole, most, strict=True))
    ]
    measured = []
    for method in given.method:
        told = answered(HfLM.open(str(given.lm)), setting_of("frozen", METHODS[method]), parts, given)
        print(f"{told[0]!r}\n{parts[2][0].asked.gold.text!r}", file=sys.stderr)
        checked = [check(text, stored(q.graph, q.asked.id)) for text, q in zip(told, parts[2], strict=True)]
        measured.append(("ours", method, given.lm.name, rates(checked)))
    table = hallucination_table(measured)
    print_table(stdout(), table.head, table.rows)


if __name__ == "__main__":
    main()
