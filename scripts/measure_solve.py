"""How many graph problems are answered rightly offline, and the cause of every wrong one.

    python scripts/measure_solve.py --data ../data               # NLGraph and GraphForge, in folders of these names
    python scripts/measure_solve.py --generate --count 400       # GraphInstruct's tasks at the paper's sizes
    python scripts/measure_solve.py --generate --tasks shortest --nodes 1000:1000 --count 20
    python scripts/measure_solve.py --rephrased tests/questions  # problems of other stories
    python scripts/make_problems.py > made.jsonl; python scripts/measure_solve.py --made made.jsonl

Answers are scored as `graphtalk bench` scores them; what solves is given the question and nothing else.
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx

from graphtalk.benchmarks.graph_problems.golds import parts_of
from graphtalk.benchmarks.graph_problems.tasks import TASKS, ProblemTask
from graphtalk.benchmarks.scorers.given import Given
from graphtalk.benchmarks.scorers.graph_problem import graph_problem
from graphtalk.benchmarks.task import Asked
from graphtalk.core import StoppedError
from graphtalk.core.limits import within
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
    """Problems of `problems_dev.jsonl`, `_test`, `_stories`, `_forms` and `_written`: the value must be the same, null must be refused."""
    for half in ("dev", "test", "stories", "forms", "written"):
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


def made_by_program(file: Path, shown: int, seconds: float = 20.0) -> None:
    """Right, declined and wrong over problems of `make_problems.py`, in all, by kind and by encoding."""
    counts: dict[str, dict[str, Counter[str]]] = {
        "kind": defaultdict(Counter),
        "encoding": defaultdict(Counter),
    }
    whole: Counter[str] = Counter()
    left = shown
    slowest = 0.0
    for row in map(json.loads, file.read_text("utf-8").splitlines()):
        found, text = None, ""
        started = time.perf_counter()
        try:
            with within(seconds):
                found = MASTER.solve(row["question"])
                text = found.text
        except StoppedError:
            text = "no end"
        except Exception as error:  # noqa: BLE001 - a traceback is counted, not passed on
            text = f"crashed: {type(error).__name__}: {error}"
        slowest = max(slowest, time.perf_counter() - started)
        outcome = judged(row, found, text)
        whole[outcome] += 1
        for by, table in counts.items():
            table["spoilt" if row["form"] == "declined" and by == "encoding" else row[by]][outcome] += 1
        if outcome != "right" and left:
            left -= 1
            value = "" if found is None else json.dumps(found.value, ensure_ascii=False)[:100]
            print(
                f"{outcome.upper()} {row['id']} {row['kind']} / {row['encoding']}: {value} {text[:160]!r}; gold {str(row['gold'])[:80]}"
            )
    for by, table in counts.items():
        print(f"\n| {by} | right | declined | wrong |\n|---|---|---|---|")
        for name, found_of in table.items():
            print(
                f"| {name} | {found_of['right']} | {found_of['declined']} | {found_of['wrong'] + found_of['crashed']} |"
            )
    total = whole.total()
    print(
        f"\nof {total}: "
        + ", ".join(f"{name} {count} ({100 * count / total:.1f} %)" for name, count in whole.most_common())
    )
    print(f"slowest {slowest:.2f} s")


def judged(row: dict[str, Any], found: Solved | None, text: str) -> str:
    """Whether an answer to a problem of a file is right, declined or wrong; `found` is None where it never came, and `text` says why."""
    if found is None:
        return "crashed" if text.startswith("crashed") else "wrong"
    if row["form"] == "declined":
        return "wrong" if found.answered else "right"
    if not found.answered:
        may_decline = row["gold"] is None or row["form"] == "unlike" or row["form"].endswith(" or declined")
        return "right" if may_decline else "declined"
    try:
        return (
            "right"
            if FORMS[row["form"].removesuffix(" or declined")](found.value, row["gold"], row)
            else "wrong"
        )
    except (TypeError, ValueError, KeyError, AttributeError):
        return "wrong"


def _names(value: Any) -> list[str]:
    return [str(v) for v in (value if isinstance(value, list) else [value])]


def _pairs(value: Any) -> set[frozenset[str]]:
    return {
        frozenset(map(str, pair[:2]))
        for pair in (value if not value or isinstance(value[0], list) else [value])
    }


def _near(value: Any, gold: float) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value - gold) <= 1e-3 * max(1, abs(gold))
    )


def _of(row: dict[str, Any]) -> Any:
    graph: Any = networkx.DiGraph() if row["directed"] else networkx.Graph()
    graph.add_nodes_from(row["nodes"])
    graph.add_weighted_edges_from(row["edges"])
    return graph


def _is_path(value: Any, gold: Any, row: dict[str, Any]) -> bool:
    names, graph = _names(value), _of(row)
    weights = [graph[a][b]["weight"] for a, b in pairwise(names)]
    length = sum(weights) if row["kind"] == "weighted path" else len(weights)
    return names[0] == gold[0] and names[-1] == gold[1] and length == gold[2]


def _is_order(value: Any, gold: Any, row: dict[str, Any]) -> bool:
    place = {name: at for at, name in enumerate(_names(value))}
    return sorted(place) == gold and all(place[a] < place[b] for a, b, _ in row["edges"])


def _independent(value: Any, row: dict[str, Any]) -> bool:
    names = set(_names(value))
    return names <= set(row["nodes"]) and not any(a in names and b in names for a, b, _ in row["edges"])


def _is_tree(value: Any, gold: Any, row: dict[str, Any]) -> bool:
    graph, pairs = _of(row), [tuple(pair) for pair in _pairs(value)]
    tree = networkx.Graph(pairs)
    return (
        networkx.is_tree(tree)
        and set(tree) == set(graph)
        and sum(graph[a][b]["weight"] for a, b in pairs) == gold
    )


FORMS: dict[str, Callable[[Any, Any, dict[str, Any]], bool]] = {
    "number": lambda v, gold, row: _near(v, gold),
    "truth": lambda v, gold, row: v is gold,
    "cyclic": lambda v, gold, row: (
        v is (not gold if "acyclic" in row["question"] or "DAG?" in row["question"] else gold)
    ),
    "nodes": lambda v, gold, row: sorted(_names(v)) == sorted(gold),
    "nodes but start": lambda v, gold, row: sorted(set(_names(v)) - {gold[0]}) == gold[1],
    "one of": lambda v, gold, row: sorted(_names(v)) in [sorted(_names(one)) for one in gold],
    "unlike": lambda v, gold, row: sorted(_names(v)) != sorted(gold),
    "count or nodes": lambda v, gold, row: (
        _near(v, len(gold)) if "ow many" in row["question"] else sorted(_names(v)) == sorted(gold)
    ),
    "value or node": lambda v, gold, row: (
        _near(v, gold[0]) if "Which" not in row["question"] else _names(v) == [gold[1]]
    ),
    "pairs": lambda v, gold, row: _pairs(v) == _pairs(gold),
    "groups": lambda v, gold, row: sorted(sorted(_names(group)) for group in v) == sorted(gold),
    "path": _is_path,
    "order": _is_order,
    "independent": lambda v, gold, row: _independent(v, row) and len(v) == gold,
    "maximal independent": lambda v, gold, row: (
        _independent(v, row)
        and not any(_independent([*_names(v), n], row) for n in row["nodes"] if n not in _names(v))
    ),
    "colouring": lambda v, gold, row: (
        set(v) == set(row["nodes"])
        and all(v[a] != v[b] for a, b, _ in row["edges"])
        and (not gold or len(set(v.values())) == gold)
    ),
    "tree": _is_tree,
}


def main() -> int:
    """Read the options and measure; 1 where any task is below 99 of 100."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--generate", action="store_true")
    parser.add_argument("--rephrased", type=Path)
    parser.add_argument("--made", type=Path, help="problems of make_problems.py")
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
    if chosen.made:
        made_by_program(chosen.made, chosen.shown)
    if chosen.rephrased:
        rephrased(chosen.rephrased)
    print(
        f"{time.perf_counter() - started:.0f} s" + (f"; below 99 of 100: {', '.join(below)}" if below else "")
    )
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
