"""What the tests of benchmark runs share: a small graph with questions, and a model server that walks it."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphtalk.app.ask import import_graph, open
from graphtalk.app.session import Session
from graphtalk.benchmarks import find_task

GRAPH = Path(__file__).parent / "questions" / "graphs" / "literature"
TASK = "grbench-literature"
PRICES = '["openai:test"]\ninput = 0.0\noutput = 100.0\n'  # dollars per million tokens


@dataclass(frozen=True)
class Bench:
    """A store that fits a task, and a file of questions about it."""

    store: Path
    questions: Path

    @classmethod
    def make(cls, folder: Path) -> "Bench":
        """The store and one question of each template."""
        store, questions = folder / "literature.gt", folder / "questions.jsonl"
        import_graph([GRAPH], store)
        rows = find_task(TASK).generate(Session(open(store)).executor, 1, 0).rows
        questions.write_text(
            "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows), encoding="utf-8"
        )
        return cls(store, questions)

    def words(self, out: Path, *more: object) -> list[object]:
        """The words of the command that runs them."""
        return [
            "bench",
            "run",
            TASK,
            "--graph",
            self.store,
            "--questions",
            self.questions,
            "--out",
            out,
            *more,
        ]


def records(run: Path) -> list[dict[str, Any]]:
    """The records of a run."""
    return [json.loads(line) for line in (run / "records.jsonl").read_text(encoding="utf-8").splitlines()]


def timeless(run: Path) -> list[dict[str, Any]]:
    """The records of a run without what took how long."""
    found = records(run)
    for record in found:
        del record["seconds"]
        record["calls"] = [{k: v for k, v in call.items() if k != "seconds"} for call in record["calls"]]
    return found


def walks(body: dict[str, Any]) -> str:
    """A model that takes one step for each question and then answers: the same for the same prompt."""
    prompt = body["messages"][-1]["content"]
    if prompt.endswith("Action 1:"):
        return "RetrieveNode[The]"
    if prompt.endswith("Action 2:"):
        return "Finish[42]"
    return "I need to look."


def start(words: list[object]) -> subprocess.Popen[str]:
    """The command line as a process of its own."""
    command = [sys.executable, "-m", "graphtalk", *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
