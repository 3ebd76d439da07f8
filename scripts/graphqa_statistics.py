"""How large GraphQA's graphs are (the paper's table 2), what retrieval leaves of them (4), and of the answers (10, 11).

    python scripts/graphqa_statistics.py graphqa-explagraphs=FOLDER graphqa-webqsp=FOLDER … [--lm MODEL] [--k 3 5 10 20] \
        [--embedder minilm]

Tokens are counted with the tokenizer of --lm, where one is given. `answer kept` is the share of questions of which an
answer that a node is called is still there: by the paper's rule for each k, and in as many of the triples most like the
question (KAPING) as the subgraph has edges. Table 10 is about answers; `graphtalk train … --retrieve` measures those.
"""

import argparse
import re
import statistics as numbers
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from graphtalk.benchmarks import find_task
from graphtalk.benchmarks.graphqa.questions import GraphQuestion
from graphtalk.benchmarks.graphqa.statistics import PAPER, statistics
from graphtalk.benchmarks.graphqa.tasks import GraphQATask
from graphtalk.benchmarks.graphqa.trainings import paper
from graphtalk.search.embedder import load_embedder
from graphtalk.search.steiner import top
from graphtalk.training.prompts import TextVectors
from graphtalk.training.retrieval import retrieve
from graphtalk.training.text_graphs import TextGraph


def sizes(task: GraphQATask, data: Path) -> str:
    """A line of table 2."""
    splits = task.splits(data)
    ours, paper = statistics(splits.all), PAPER[task.name]
    parts = "/".join(f"{len(part):,}" for part in (splits.train, splits.validation, splits.test))
    told = f"{ours.graphs:,} ({parts}) | {ours.nodes:.2f} | {ours.edges:.2f}"
    return f"| {task.name} | {told} | {paper[0]:,} | {paper[1]:.2f} | {paper[2]:.2f} |"


def left(task: GraphQATask, data: Path, tokenizer: object, vectors: TextVectors) -> str:
    """A line of table 4, of the test split."""
    before, after, tokens, found = [], [], [], []
    for question in task.splits(data).test:
        graph = question.graph
        part = retrieve(graph, question.asked.question, vectors, task.retrieval) if task.retrieval else graph
        before.append(len(graph.nodes))
        after.append(len(part.nodes))
        if callable(tokenizer):
            tokens.append([len(tokenizer(g.as_csv())["input_ids"]) for g in (graph, part)])
        if wanted := answers_in(question):
            found.append(bool(wanted & called(part)))
    means = [f"{numbers.fmean(column):.0f}" for column in zip(*tokens, strict=True)] or ["-", "-"]
    share = f"{numbers.fmean(found):.1%}" if found else "-"
    return f"| {task.name} | {means[0]} | {numbers.fmean(before):.1f} | {means[1]} | {numbers.fmean(after):.1f} | {share} |"


def kept(task: GraphQATask, data: Path, ks: Sequence[int], vectors: TextVectors) -> Iterator[str]:
    """Lines of table 11, of the test split: for each k the paper's rule, and KAPING with as many triples."""
    if task.retrieval is None:
        return
    questions = [(q, wanted) for q in task.splits(data).test if (wanted := answers_in(q))]
    if not questions:
        yield f"| {task.name} | - | no answer of the test split is a node | 0 | - | - | - |"
        return
    for k in ks:
        how = replace(task.retrieval, nodes=k, edges=k)
        parts = [retrieve(q.graph, q.asked.question, vectors, how) for q, _ in questions]
        triples = [
            likest(q.graph, q.asked.question, vectors, len(p.edges))
            for (q, _), p in zip(questions, parts, strict=True)
        ]
        for what, found in (("the paper's rule", parts), ("KAPING, as many triples", triples)):
            hits = [bool(w & called(g)) for g, (_, w) in zip(found, questions, strict=True)]
            sizes = [
                numbers.fmean(len(part) for part in column)
                for column in zip(*((g.nodes, g.edges) for g in found), strict=True)
            ]
            yield f"| {task.name} | {k} | {what} | {len(hits):,} | {numbers.fmean(hits):.1%} | {sizes[0]:.1f} | {sizes[1]:.1f} |"


def answers_in(question: GraphQuestion) -> set[str]:
    """The answers that are nodes of the question's graph."""
    wanted = {name.lower() for name in question.asked.gold.names or (question.asked.gold.text,)}
    return wanted & called(question.graph)


def called(graph: TextGraph) -> set[str]:
    """What the nodes of a graph are called: their texts, and of `name: deer; attribute: brown` the name."""
    texts = [node.lower() for node in graph.nodes]
    return {*texts, *(found[1] for text in texts if (found := re.match(r"name: ([^;]+)", text)))}


def likest(graph: TextGraph, question: str, vectors: TextVectors, count: int) -> TextGraph:
    """The triples most like a question, each by itself."""
    source, target = graph.ends
    said = [
        f"({graph.nodes[s]}, {r}, {graph.nodes[t]})"
        for s, r, t in zip(source, graph.edges, target, strict=True)
    ]
    rows, asked = vectors.rows(said), vectors.rows([question])
    best = top((vectors.table[rows] @ vectors.table[asked[0]]).astype(float), count)
    return graph.part(np.concatenate([source[best], target[best]]), best)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="+", metavar="TASK=FOLDER")
    parser.add_argument("--lm", help="a model whose tokenizer counts")
    parser.add_argument("--k", type=int, nargs="+", default=[3, 5, 10, 20])
    parser.add_argument(
        "--embedder", default="minilm", help="of questions, nodes and edges: minilm, static or st:MODEL"
    )
    given = parser.parse_args()
    vectors = TextVectors(load_embedder(given.embedder))
    tokenizer = None
    if given.lm:
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(given.lm)
    chosen = []
    for entry in given.data:
        name, _, folder = entry.partition("=")
        task = find_task(name)
        if not isinstance(task, GraphQATask):
            parser.error(f"the questions of {name} bring no graphs")
        chosen.append((task, Path(folder)))
    print(
        "| task | graphs | nodes | edges | graphs, paper | nodes, paper | edges, paper |\n" + "|---" * 7 + "|"
    )
    for task, folder in chosen:
        print(sizes(task, folder))
    print(
        "\n| task | tokens before | nodes before | tokens after | nodes after | answer kept |\n"
        + "|---" * 6
        + "|"
    )
    for task, folder in chosen:
        print(left(task, folder, tokenizer, vectors))
    print("\n| task | k | retrieval | questions | answer kept | nodes | edges |\n" + "|---" * 7 + "|")
    for task, folder in chosen:
        for line in kept(task, folder, given.k, vectors):
            print(line, flush=True)
    for row in paper()["table11"]["rows"]:
        print(f"| the paper, graphqa-webqsp | 3, 5 | {row['method']} | 1,628 | {row['score']:.1f}% | - | - |")


if __name__ == "__main__":
    main()
