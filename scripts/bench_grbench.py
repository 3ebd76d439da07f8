"""How long `graphtalk bench run` takes without a model, as a whole process, and to take up and replay. Asserts nothing.

    .venv/bin/python scripts/bench_grbench.py [--data ../shared/data]

Asks GRBench's published healthcare questions about Hetionet, from the benchmark data beside the checkout.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from graphtalk.app.ask import import_graph
from graphtalk.benchmarks.summary import Run, by_level, summary
from tables import Row, machine, seconds_of, show

ROOT = Path(__file__).resolve().parents[1]
GRAPHTALK = [sys.executable, "-m", "graphtalk", "bench"]


def main() -> None:
    """Import the graph, and run."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    data = options.parse_args().data
    questions = data / "grbench" / "biomedical" / "data.jsonl"
    if not questions.is_file():
        print(f"No file {questions}: nothing to run.")
        return
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        store, out = str(Path(folder) / "hetionet.gt"), Path(folder) / "run"
        import_graph([data / "hetionet"], store, recipe="hetionet")
        run = [*GRAPHTALK, "run", "grbench-healthcare", "--graph", store, "--questions", str(questions)]
        commands = {
            "bench run, 1 worker": [*run, "--out", str(out)],
            "bench run, 4 workers": [*run, "--out", f"{out}-4", "--workers", "4"],
            "bench run again: nothing left": [*run, "--out", str(out)],
            "bench replay": [*GRAPHTALK, "replay", str(out)],
            "bench report": [*GRAPHTALK, "report", str(out)],
        }
        rows = [process_row(name, command) for name, command in commands.items()]
        show("Whole processes", ("command", "s"), rows)
        show("What the run gave", ("level", "questions", "median ms", "p95 ms"), question_rows(Run.read(out)))


def process_row(name: str, command: list[str]) -> Row:
    """How long one process takes."""
    return name, f"{seconds_of(lambda: subprocess.run(command, check=True, capture_output=True)):.1f}"


def question_rows(run: Run) -> list[Row]:
    """How long questions took, by level."""
    numbers = {**by_level(run.records), "all": summary(run.records)}
    return [
        (name, str(n.questions), f"{n.median * 1e3:.0f}", f"{n.p95 * 1e3:.0f}") for name, n in numbers.items()
    ]


if __name__ == "__main__":
    main()
