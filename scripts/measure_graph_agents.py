"""The experiments of GraphAgent-Reasoner's paper, solved offline, beside the figures that it prints.

    python scripts/measure_graph_agents.py                          # all but graphs of a million nodes
    python scripts/measure_graph_agents.py table1 figure4 --count 400
    python scripts/measure_graph_agents.py largest --count 20       # 1,000,000 nodes, one at a time

Parts: table1 (six tasks at the paper's sizes), figure4 (5 to 100 nodes), table2 (100 to 10,000 nodes), largest, figure2
(the neighbours of a node), figure5 (the most important web page, without the card of PageRank). Problems are generated
anew from the seed, answers checked by `graphtalk.algorithms`.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from graphtalk.benchmarks.graph_problems.generate import problems
from graphtalk.benchmarks.graph_problems.table import paper
from graphtalk.benchmarks.scorers.given import Given
from graphtalk.benchmarks.scorers.graph_problem import graph_problem
from graphtalk.reasoners.graph_agents.offline import OfflineMaster
from graphtalk.vertex import library
from tables import show

CURVE = (5, 10, 20, 40, 60, 80, 100)
LARGE = (100, 200, 500, 1_000, 10_000)
MILLION = 1_000_000


class Counted:
    """How many of some problems were solved, how long they took, and by what."""

    def __init__(
        self, task: str, nodes: int | None, count: int, seed: int, master: OfflineMaster | None = None
    ) -> None:
        self.right = self.count = 0
        self.seconds = 0.0
        self.ways: set[str] = set()
        solver = master or OfflineMaster()
        for one in problems(task, None if nodes is None else (nodes, nodes), count, seed):
            found = solver.solve(one.question)
            self.count += 1
            self.seconds += found.seconds
            self.ways.add(
                found.algorithm if found.rounds is not None else f"{found.algorithm}, not distributed"
            )
            self.right += bool(
                graph_problem(Given.of(one, found.answered, found.text, found.value))["correct"]
            )
            if nodes == MILLION:
                print(f"    {one.id}: {self.right} of {self.count}, {found.seconds:.0f} s", flush=True)

    @property
    def share(self) -> str:
        return f"{100 * self.right / self.count:.2f}"

    @property
    def said(self) -> str:
        return f"{self.right}/{self.count}"

    @property
    def each(self) -> str:
        return f"{1000 * self.seconds / self.count:,.0f} ms"


def table1(count: int, seed: int) -> None:
    """Six tasks at the paper's sizes, and the three that it leaves out or tells in its appendix."""
    theirs = paper()["table1"]
    tasks: Sequence[str] = theirs["tasks"]
    ours = [Counted(task, None, count, seed) for task in tasks]
    rows = [(row["name"], *(f"{x:.2f}" for x in row["scores"])) for row in theirs["rows"]]
    rows.append(("graphtalk, no model", *(one.share for one in ours)))
    rows.append(("time for each", *(one.each for one in ours)))
    show(f"Table 1, {count} problems a task, percent right", ("", *tasks), rows)
    others = ("flow", "hamilton", "substructure")
    more = [Counted(task, None, count, seed) for task in others]
    show(
        "The other three tasks of GraphInstruct", ("", *others), [("graphtalk", *(one.said for one in more))]
    )


def figure4(count: int, seed: int) -> None:
    """Cycle detection and shortest path by the number of nodes."""
    rows = []
    for task in ("cycle", "shortest"):
        ours = [Counted(task, nodes, count, seed) for nodes in CURVE]
        rows.append((task, *(one.said for one in ours)))
    show("Figure 4, by the number of nodes", ("", *map(str, CURVE)), rows)


def table2(count: int, seed: int) -> None:
    """Shortest paths on large graphs."""
    theirs = paper()["table2"]
    beyond = ["–"] * (len(LARGE) - len(theirs["sizes"]))
    rows = [(row["name"], *(f"{x}/20" for x in row["right"]), *beyond) for row in theirs["rows"]]
    ours = [Counted("shortest", nodes, count, seed) for nodes in LARGE]
    rows += [
        ("graphtalk, no model", *(one.said for one in ours)),
        ("time for each", *(one.each for one in ours)),
    ]
    show("Table 2, shortest path by the number of nodes", ("", *(f"{n:,}" for n in LARGE)), rows)


def largest(count: int, seed: int) -> None:
    """Shortest paths on 1,000,000 nodes, told one after the other."""
    found = Counted("shortest", MILLION, count, seed)
    show("Shortest path, 1,000,000 nodes", ("right", "time for each"), [(found.said, found.each)])


def figure2(count: int, seed: int) -> None:
    """The neighbours of a node, by the number of nodes."""
    ours = [Counted("neighbours", nodes, count, seed) for nodes in CURVE]
    show("Figure 2, neighbours", ("", *map(str, CURVE)), [("graphtalk", *(one.said for one in ours))])


def figure5(count: int, seed: int) -> None:
    """The most important of web pages 1 to 20, with the card of PageRank and without it."""
    without = {name: card for name, card in library().items() if not name.startswith("pagerank")}
    rows = []
    for name, master in (("with the card", OfflineMaster()), ("without it", OfflineMaster(cards=without))):
        found = Counted("importance", None, count, seed, master)
        rows.append((name, found.said, "; ".join(sorted(found.ways))))
    show("Figure 5, the most important web page", ("", "right", "by"), rows)


PARTS = {part.__name__: part for part in (table1, figure4, table2, largest, figure2, figure5)}
COUNTS = {"table1": 400, "figure4": 100, "figure2": 100, "figure5": 100}


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "parts", nargs="*", choices=[[], *PARTS], help="all but the largest, if none is named"
    )
    parser.add_argument("--count", type=int, help="problems of each kind; the default is the paper's, or 100")
    parser.add_argument("--seed", type=int, default=5)
    chosen = parser.parse_args()
    started = time.perf_counter()
    for name in chosen.parts or [name for name in PARTS if name != "largest"]:
        PARTS[name](chosen.count or COUNTS.get(name, 20), chosen.seed)
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
