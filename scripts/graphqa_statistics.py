"""How large GraphQA's graphs are (the paper's table 2), and what retrieval leaves of them (table 4).

    python scripts/graphqa_statistics.py graphqa-explagraphs=FOLDER graphqa-webqsp=FOLDER … [--lm MODEL]

Tokens are counted with the tokenizer of --lm, where one is given. `answer kept` is the share of questions of which an
answer that is a node's text is still there (table 11).
"""

import argparse
import statistics as numbers
from pathlib import Path

from graphtalk.benchmarks import find_task
from graphtalk.benchmarks.graphqa.statistics import PAPER, statistics
from graphtalk.benchmarks.graphqa.tasks import GraphQATask
from graphtalk.search.embedder import load_embedder
from graphtalk.training.prompts import TextVectors
from graphtalk.training.retrieval import retrieve


def sizes(task: GraphQATask, data: Path) -> str:
    """A line of table 2."""
    splits = task.splits(data)
    ours, paper = statistics(splits.all), PAPER[task.name]
    parts = "/".join(f"{len(part):,}" for part in (splits.train, splits.validation, splits.test))
    told = f"{ours.graphs:,} ({parts}) | {ours.nodes:.2f} | {ours.edges:.2f}"
    return f"| {task.name} | {told} | {paper[0]:,} | {paper[1]:.2f} | {paper[2]:.2f} |"


def left(task: GraphQATask, data: Path, tokenizer: object) -> str:
    """A line of table 4, of the test split."""
    vectors = TextVectors(load_embedder("static"))
    before, after, tokens, kept = [], [], [], []
    for question in task.splits(data).test:
        graph = question.graph
        part = retrieve(graph, question.asked.question, vectors, task.retrieval) if task.retrieval else graph
        before.append(len(graph.nodes))
        after.append(len(part.nodes))
        if callable(tokenizer):
            tokens.append([len(tokenizer(g.as_csv())["input_ids"]) for g in (graph, part)])
        wanted = {name.lower() for name in question.asked.gold.names or (question.asked.gold.text,)}
        if wanted & {node.lower() for node in graph.nodes}:
            kept.append(bool(wanted & {node.lower() for node in part.nodes}))
    means = [f"{numbers.fmean(column):.0f}" for column in zip(*tokens, strict=True)] or ["-", "-"]
    share = f"{numbers.fmean(kept):.1%}" if kept else "-"
    return f"| {task.name} | {means[0]} | {numbers.fmean(before):.1f} | {means[1]} | {numbers.fmean(after):.1f} | {share} |"


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="+", metavar="TASK=FOLDER")
    parser.add_argument("--lm", help="a model whose tokenizer counts")
    given = parser.parse_args()
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
        print(left(task, folder, tokenizer))


if __name__ == "__main__":
    main()
