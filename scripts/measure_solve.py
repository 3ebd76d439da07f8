"""How many graph problems are answered rightly offline, and the cause of every wrong one.

    python scripts/measure_solve.py --data ../data               # NLGraph and GraphForge, in folders of these names
    python scripts/measure_solve.py --generate --count 400       # GraphInstruct's tasks at the paper's sizes
    python scripts/measure_solve.py --generate --tasks shortest --nodes 1000:1000 --count 20
    python scripts/measure_solve.py --rephrased tests/questions  # problems of other stories

Answers are scored as `graphtalk bench` scores them; what solves is given the question and nothing else.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from graphtalk.benchmarks.graph_problems.golds import parts_of
from graphtalk.benchmarks.graph_problems.tasks import TASKS, ProblemTask
from graphtalk.benchmarks.scorers.given import Given
from graphtalk.benchmarks.scorers.graph_problem import graph_problem
from graphtalk.benchmarks.task import Asked
from graphtalk.reasoners.graph_agents.offline import OfflineMaster
from graphtalk.reasoners.graph_agents.solving import Solved

MASTER = OfflineMaster()


def measured(name: str, asked: Iterable[Asked], shown: int) -> tuple[int, int]:
    """Solve and score; print one line for the task and one for each wrong answer."""
    right = count = 0
    seconds = 0.0
    wrong: list[str] = []
    for one in asked:
        found = MASTER.solve(one.question)
        count, seconds = count + 1, seconds + found.seconds
        given = Given.of(one, found.answered, found.text, found.value)
        if graph_problem(given)["correct"]:
            right += 1
        else:
            wrong.append(f"    {one.id}: {cause(one, found)}")
    print(f"{name:28s} {right:5d} of {count:5d}  {1000 * seconds / max(count, 1):7.1f} ms each", flush=True)
    print(
        "\n".join(wrong[:shown]) + (f"\n    … and {len(wrong) - shown} more" if len(wrong) > shown else ""),
        end="\n" if wrong else "",
    )
    return right, count


def cause(asked: Asked, found: Solved) -> str:
    """Why an answer counts as wrong, as far as that can be told."""
    gold = parts_of(asked.gold.text)
    if not found.answered:
        return f"not answered: {found.text}"
    if "truth" in gold and found.algorithm == "cycle_detection" and "acyclic" in asked.question.lower():
        return "the question is whether there is no cycle; the gold answer says whether there is one"
    return f"answered {json.dumps(found.value)[:80]} by {found.algorithm}, gold {asked.gold.text[:80]}"


def published(data: Path, tasks: list[str]) -> Iterator[tuple[str, list[Asked]]]:
    """The published questions of each task that is there."""
    for task in TASKS.values():
        kind = task.name.split("-")[0]
        if task.read is not None and (data / kind).is_dir() and (not tasks or task.name in tasks):
            yield task.name, list(task.load(None, data / kind).asked)


def generated(
    tasks: list[str], nodes: tuple[int, int] | None, count: int, seed: int
) -> Iterator[tuple[str, list[Asked]]]:
    """New problems of GraphInstruct's tasks."""
    for name, task in TASKS.items():
        if task.makes and (name in tasks or not tasks):
            yield task.name, made(task, nodes, count, seed)


def made(task: ProblemTask, nodes: tuple[int, int] | None, count: int, seed: int) -> list[Asked]:
    """The problems of one task; those of the largest sizes one at a time would not fit in memory otherwise."""
    return task.made(nodes, count, seed)


def rephrased(folder: Path) -> None:
    """Problems of `problems_dev.jsonl`, `_test` and `_stories`: the value must be the same, null must be refused."""
    for half in ("dev", "test", "stories"):
        right, rows = 0, (folder / f"problems_{half}.jsonl").read_text("utf-8").splitlines()
        for row in map(json.loads, rows):
            found = MASTER.solve(row["question"])
            good = found.value == row["value"] and found.answered is (row["value"] is not None)
            right += good
            if not good:
                print(
                    f"    {row['id']}: {found.value!r} by {found.algorithm or found.text}, wanted {row['value']!r}"
                )
        print(f"rephrased, {half}: {right} of {len(rows)}")


def main() -> int:
    """Read the options and measure; 1 where any task is below 99 of 100."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--generate", action="store_true")
    parser.add_argument("--rephrased", type=Path)
    parser.add_argument("--tasks", nargs="*", default=[])
    parser.add_argument("--nodes", help="A:B, the least and the largest number of nodes")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--shown", type=int, default=5, help="wrong answers shown of each task")
    chosen = parser.parse_args()
    started = time.perf_counter()
    below = []
    sources: list[tuple[str, list[Asked]]] = []
    low, _, high = (chosen.nodes or "").partition(":")
    nodes = (int(low), int(high or low)) if low else None
    parts: list[Iterator[tuple[str, list[Asked]]]] = [iter(sources)]
    if chosen.data:
        parts.append(published(chosen.data, chosen.tasks))
    if chosen.generate:
        parts.append(generated(chosen.tasks, nodes, chosen.count, chosen.seed))
    for part in parts:
        for name, asked in part:
            right, count = measured(name, asked, chosen.shown)
            if right < 0.99 * count:
                below.append(name)
    if chosen.rephrased:
        rephrased(chosen.rephrased)
    print(
        f"{time.perf_counter() - started:.0f} s" + (f"; below 99 of 100: {', '.join(below)}" if below else "")
    )
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
