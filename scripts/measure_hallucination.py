"""Measure hallucination (the paper's section 6.4 and table 5): are the nodes and edges that answers list in the graph?

    .venv/bin/python scripts/measure_hallucination.py graphqa-webqsp --data FOLDER --lm openai:MODEL [--questions 100]

A model is asked questions of the test split, and to list the nodes and edges that support its answer. Each is looked up
in the question's whole graph; so is the evidence that the executor collected, which is there by construction. With
--knowledge none the model is told no graph, as a base line. Prints a table in Markdown, the paper's figures first.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from graphtalk.app.bench_asking import options_of
from graphtalk.app.session import Session
from graphtalk.app.settings import Settings
from graphtalk.benchmarks import find_task
from graphtalk.benchmarks.graphqa.graphs import stored
from graphtalk.benchmarks.graphqa.questions import GraphQuestion
from graphtalk.benchmarks.graphqa.tasks import GraphQATask
from graphtalk.benchmarks.graphqa.trainings import paper
from graphtalk.benchmarks.hallucination import Checked, check, check_evidence, rates
from graphtalk.core import Question
from graphtalk.reasoners.g_retriever import GRetriever, Setting
from graphtalk.search.subgraph import Options


def main() -> None:
    """Parse options, ask, check, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--lm", required=True)
    parser.add_argument("--base-url", default="")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--knowledge", choices=("subgraph", "triples", "whole", "none"), default="subgraph")
    given = parser.parse_args()
    task = find_task(given.task)
    if not isinstance(task, GraphQATask):
        parser.error(f"the questions of {given.task} bring no graphs")
    test = task.splits(given.data).test[: given.questions]
    settings = Settings(lm=given.lm, reasoner="g-retriever", base_url=given.base_url)
    setting = Setting("g-retriever", given.knowledge, "list")
    told = asked(test, settings, setting, options_of(task) or Options())
    print(
        "| source | answers | that list any | valid nodes | valid edges | fully valid |\n|---|---|---|---|---|---|"
    )
    for theirs in paper()["table5"]["rows"]:
        shares = (theirs["valid_nodes"], theirs["valid_edges"], theirs["fully_valid"])
        print(f"| the paper, {theirs['method']} | 100 | - | {' | '.join(f'{share} %' for share in shares)} |")
    print(row(f"{given.lm}, {given.knowledge}: what the answers list", [said for said, _ in told]))
    print(row("the evidence of these answers", [evidence for _, evidence in told]))


def asked(
    questions: Sequence[GraphQuestion], settings: Settings, setting: Setting, options: Options
) -> list[tuple[Checked, Checked]]:
    """What each answer lists, and its evidence, looked up in the question's graph."""
    first = Session(stored(questions[0].graph, "first"), settings)
    found = []
    for question in questions:
        graph = stored(question.graph, question.asked.id)
        session = first.about(graph)
        reasoner = GRetriever(session.executor, session.model, setting, options)
        *_, last = reasoner.run(Question(question.asked.question, question.asked.id))
        assert last.answer is not None
        found.append((check(last.answer.text, question.graph), check_evidence(last.answer.evidence, graph)))
    return found


def row(source: str, checked: Sequence[Checked]) -> str:
    """A line of the table."""
    of = rates(checked)
    shares = (of.valid_nodes, of.valid_edges, of.fully_valid)
    told = " | ".join("-" if share is None else f"{share:.1%}" for share in shares)
    return f"| {source} | {of.answers} | {of.naming} | {told} |"


if __name__ == "__main__":
    main()
