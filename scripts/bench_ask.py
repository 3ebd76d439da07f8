"""How long questions take: whole processes, and warm in one process. Asserts nothing.

    .venv/bin/python scripts/bench_ask.py [--data ../shared/data]

Hetionet is imported first where the benchmark data is there; without it only the built-in graph is asked.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import graphtalk as gt
from graphtalk.app.ask import import_graph
from tables import Row, machine, process_seconds, seconds_of, show

ROOT = Path(__file__).resolve().parents[1]
ATLAS = (
    "What is the capital of Japan?",
    "Which countries border both France and Germany?",
    "Which country in Africa has the most people?",
)
HETIONET = (
    "What are the symptoms of bile duct cancer?",
    "Which side effects are caused by both Zinc and Acetylsalicylic acid?",
    "How many genes are associated with asthma?",
    "Which compound that treats epilepsy syndrome causes the most side effects?",
)


def main() -> None:
    """Find or import the graphs, and ask."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    source = options.parse_args().data / "hetionet"
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        asked = [("atlas", "atlas", ATLAS)]
        if source.is_dir():
            store = str(Path(folder) / "hetionet.gt")
            import_graph([source], store, recipe="hetionet")
            asked.append(("hetionet", store, HETIONET))
        else:
            print(f"No folder {source}: Hetionet is left out.")
        show("Whole processes, median of 7", ("command", "ms", "processor ms"), process_rows(asked))
        head = ("graph", "question", "first, ms", "warm median, ms", "warm, processor ms", "answer")
        show("In one process", head, [row for known in asked for row in question_rows(*known)])


def process_rows(asked: list[tuple[str, str, tuple[str, ...]]]) -> list[Row]:
    """Cold processes; the store's files are in the page cache."""
    graphtalk = [sys.executable, "-m", "graphtalk"]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import graphtalk'": [sys.executable, "-c", "import graphtalk"],
        "graphtalk --help": [*graphtalk, "--help"],
        "graphtalk call atlas …": [*graphtalk, "call", "atlas", 'RetrieveNode["France"]'],
    }
    commands |= {
        f'graphtalk ask {name} "{questions[0]}"': [*graphtalk, "ask", store, questions[0]]
        for name, store, questions in asked
    }
    times = {name: process_seconds(command) for name, command in commands.items()}
    return [(name, f"{wall * 1e3:.0f}", f"{cpu * 1e3:.0f}") for name, (wall, cpu) in times.items()]


def question_rows(name: str, store: str, questions: tuple[str, ...]) -> list[Row]:
    """Answers in one process: each question the first time, and again."""
    graph = gt.open(store)
    gt.ask(graph, "What is this?")
    rows = []
    for question in questions:
        answer = gt.ask(graph, question)
        first = answer.seconds
        used = time.process_time()
        warm = [seconds_of(lambda q=question: gt.ask(graph, q)) for _ in range(10)]
        used = (time.process_time() - used) / len(warm)
        shown = answer.text.splitlines()[0][:60]
        times = (f"{first * 1e3:.0f}", f"{np.median(warm) * 1e3:.1f}", f"{used * 1e3:.1f}")
        rows.append((name, question, *times, shown))
    return rows


if __name__ == "__main__":
    main()
