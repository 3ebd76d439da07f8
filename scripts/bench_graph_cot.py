"""What Graph-CoT costs: our loop without a model, and calls and tokens of its three protocols. Asserts nothing.

    .venv/bin/python scripts/bench_graph_cot.py [--data ../shared/data] [--questions N]

The model is an oracle that plays the offline planner's expressions (scripts/oracle.py); a token is four letters.
Questions are GRBench's on Hetionet where the benchmark data is there, else a few on the built-in atlas.
"""

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import graphtalk as gt
from graphtalk.app import reasoners
from graphtalk.app.settings import Settings
from graphtalk.benchmarks.scorers.names import fold
from graphtalk.core import Answer, Question
from oracle import NoisyOracle, Oracle, words
from tables import Row, machine, show

ROOT = Path(__file__).resolve().parents[1]
PROTOCOLS = {"graph-cot": "(a) text", "graph-cot-tools": "(b) tool calls", "graph-cot-plan": "(c) plan first"}
ATLAS = (
    "Which countries border both France and Germany?",
    "What is the capital of Japan?",
    "How many countries border Brazil?",
)


@dataclass(frozen=True)
class Cost:
    """What the questions cost with one protocol; `seconds` are the processor's, without the oracle's own."""

    answers: tuple[Answer, ...]
    steps: int
    seconds: float

    def total(self, what: str) -> float:
        """The sum of one kind of usage."""
        return sum(answer.usage.get(what, 0) for answer in self.answers)


def main() -> None:
    """Ask the same questions with each protocol."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    options.add_argument("--questions", type=int, default=1_000)
    chosen = options.parse_args()
    graph, questions = asked(chosen.data, chosen.questions)
    print(machine())
    oracle = Oracle(gt.session(graph).planner)
    known = [q for q in questions if oracle.answer(q).answered]
    print(f"{len(known)} of {len(questions)} questions on {graph.name}: those that the oracle can answer")
    costs = {label: cost(graph, name, oracle, known) for name, label in PROTOCOLS.items()}
    oracle.spell = gt.session(graph).spelled  # the same expressions, as Cypher
    costs["(c) in Cypher"] = cost(graph, "graph-cot-plan", oracle, known)
    base = costs["(a) text"]
    rows = [row(label, found, base, len(known)) for label, found in costs.items()]
    head = (
        "protocol",
        "calls a question",
        "tokens in",
        "tokens out",
        "tokens in / (a)",
        "calls / (a)",
        "same value",
    )
    show("Model calls and tokens a question", head, [r[:-1] for r in rows])
    errs = [
        searched(graph, questions, search, noise)
        for noise in (0.0, 0.3)
        for search in ("", "beam:2", "beam:3")
    ]
    show(
        "Search of steps, an oracle and one that errs", ("errs", "search", "right", "calls a question"), errs
    )
    show(
        "Our loop without the model",
        ("protocol", "processor ms a step"),
        [(r[0], r[-1]) for r in rows],
    )


def asked(data: Path, most: int) -> tuple[gt.Graph, list[str]]:
    """A graph and its questions."""
    source = data / "grbench" / "biomedical" / "data.jsonl"
    if not source.is_file():
        return gt.open("atlas"), list(ATLAS)
    lines = source.read_text(encoding="utf-8").splitlines()
    return gt.open(data / "hetionet", recipe="hetionet"), [json.loads(line)["question"] for line in lines][
        :most
    ]


def cost(graph: gt.Graph, name: str, oracle: Oracle, questions: list[str]) -> Cost:
    """Ask all questions; the second time is timed, so that calls on the graph come from memory."""
    session = gt.Session(graph, Settings(lm="openai:oracle", reasoner=name, max_steps=40))
    vars(session)["model"] = oracle
    reasoner = reasoners.make(session)
    for question in questions:
        list(reasoner.run(Question(question)))
    answers, steps = [], 0
    processor = time.process_time() - oracle.seconds
    for question in questions:
        found = list(reasoner.run(Question(question)))
        steps += sum(step.kind == "thought" for step in found) or len(found) // 2
        answers.append(found[-1].answer)
    return Cost(
        tuple(a for a in answers if a is not None),
        steps,
        time.process_time() - oracle.seconds - processor,
    )


def searched(graph: gt.Graph, questions: list[str], search: str, noise: float) -> Row:
    """How many questions an oracle that errs so often answers as one that does not, with a search of steps."""
    session = gt.Session(graph, Settings(lm="openai:oracle", reasoner="graph-cot", search=search))
    oracle = NoisyOracle(session.planner, noise=noise)
    vars(session)["model"] = oracle
    reasoner = reasoners.make(session)
    right, calls, known = 0, 0.0, [question for question in questions if oracle.answer(question).answered]
    for question in known:
        *_, last = reasoner.run(Question(question))
        assert last.answer is not None
        right += last.answer.answered and fold(words(last.answer)) == fold(words(oracle.answer(question)))
        calls += last.answer.usage.get("calls", 0)
    return f"{noise:.0%}", search or "-", f"{right} of {len(known)}", f"{calls / max(len(known), 1):.1f}"


def row(label: str, found: Cost, base: Cost, count: int) -> Row:
    """A line of the tables."""
    same = np.mean([_names(a) == _names(b) for a, b in zip(found.answers, base.answers, strict=True)])
    return (
        label,
        f"{found.total('calls') / count:.1f}",
        f"{found.total('input_tokens') / count:,.0f}",
        f"{found.total('output_tokens') / count:,.0f}",
        f"{found.total('input_tokens') / base.total('input_tokens'):.3f}",
        f"{found.total('calls') / base.total('calls'):.3f}",
        f"{same:.0%}",
        f"{1000 * found.seconds / found.steps:.2f}",
    )


def _names(answer: Answer) -> list[str]:
    value = answer.value
    return sorted(str(v) for v in value) if isinstance(value, list) else [str(value)]


if __name__ == "__main__":
    main()
