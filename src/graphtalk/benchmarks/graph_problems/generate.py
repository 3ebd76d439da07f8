"""GraphInstruct made anew (Chen et al. 2024; sizes of table 3 in Hu et al. 2024), seeded, of any size.

Directed graphs may have cycles, other than the published generator's. Answers are by `graphtalk.algorithms`. The same
task, sizes, count and seed give the same problems.
"""

import random
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from graphtalk import algorithms as exact
from graphtalk.benchmarks.graph_problems.golds import gold
from graphtalk.benchmarks.graph_problems.networks import Network, drawn, drawn_dag, lettered, sparse
from graphtalk.benchmarks.task import Asked, Gold
from graphtalk.core import LimitError, UsageError

SIZES: Mapping[str, tuple[int, int]] = {
    "cycle": (2, 100),
    "connectivity": (2, 100),
    "bipartite": (2, 100),
    "topology": (2, 50),
    "shortest": (2, 100),
    "triangle": (3, 25),
    "flow": (2, 50),
    "hamilton": (2, 50),
    "substructure": (3, 30),
    "neighbours": (5, 100),
    "importance": (20, 20),
}
COUNT = 400
_TRIES = 60
_LARGE = 2_000  # nodes from which on graphs are drawn sparse, and by numpy


@dataclass(frozen=True)
class _Draft:
    """A drawn problem: its graph, what fills the question's slots, the answer, and a smaller graph."""

    network: Network
    gold: Gold
    slots: Mapping[str, int]
    pattern: Network | None = None


def problems(
    task: str, sizes: tuple[int, int] | None = None, count: int = COUNT, seed: int = 0
) -> Iterator[Asked]:
    """So many problems of a task with numbers of nodes in `sizes`, both ends included.

    Raises UsageError for an unknown task or sizes that it cannot have.
    """
    if task not in SIZES:
        raise UsageError(f"No task {task!r} of GraphInstruct; they are {', '.join(SIZES)}.")
    low, high = sizes or SIZES[task]
    if not 2 <= low <= high:
        raise UsageError(
            f"Sizes are two numbers of nodes, the smaller first and at least 2, not {low}:{high}."
        )
    rng = random.Random(f"{task} {low} {high} {seed}")
    for place in range(count):
        draft = _draft(task, rng, low, high, place)
        yield Asked(f"{task}-{seed}-{place}", _text(task, draft), draft.gold, "", task)


def _draft(task: str, rng: random.Random, low: int, high: int, place: int) -> _Draft:
    """A problem; yes and no by turns, as far as drawing comes upon them."""
    wanted = place % 2 == 0
    found: _Draft | None = None
    for _ in range(_TRIES):
        n = rng.randint(max(low, 3) if task in ("triangle", "substructure") else low, max(high, 3))
        draft = _DRAWERS[task](rng, min(n, high) if n > high else n, wanted)
        if draft is None:
            continue
        found = draft
        if '"truth"' not in draft.gold.text or (f'"truth": {str(wanted).lower()}' in draft.gold.text):
            return draft
    if found is None:
        raise UsageError(f"No problem of {task} with {low} to {high} nodes was found in {_TRIES} draws.")
    return found


def _cycle(rng: random.Random, n: int, wanted: bool) -> _Draft | None:
    directed = rng.random() < 0.5
    if wanted:
        network = drawn(rng, n, directed, rng.uniform(0.8, 3.0) / n)
    else:
        network = drawn_dag(rng, n, rng.uniform(0.5, 3.0) / n) if directed else drawn(rng, n, False, 0.6 / n)
    return _Draft(network, gold(truth=exact.has_cycle(network.graph)), {})


def _connectivity(rng: random.Random, n: int, wanted: bool) -> _Draft | None:
    network = drawn(rng, n, rng.random() < 0.5, rng.uniform(0.7, 1.8 if not wanted else 3.0) / n)
    s, t = rng.sample(range(n), 2)
    return _Draft(network, gold(truth=bool(exact.shortest_path(network.graph, s, t))), {"s": s, "t": t})


def _bipartite(rng: random.Random, n: int, wanted: bool) -> _Draft | None:
    network = drawn(rng, n, rng.random() < 0.5, rng.uniform(0.5, 3.0) / n)
    if wanted:
        side = [rng.random() < 0.5 for _ in range(n)]
        network = network.only(lambda a, b: side[a] != side[b])
    return _Draft(network, gold(truth=exact.is_bipartite(network.graph)), {})


def _topology(rng: random.Random, n: int, wanted: bool) -> _Draft | None:
    network = drawn_dag(rng, n, rng.uniform(0.1, 0.5))
    return _Draft(network, gold(order=[[a, b] for a, b in network.pairs], count=n), {})


def _shortest(rng: random.Random, n: int, wanted: bool) -> _Draft | None:
    directed = rng.random() < 0.5
    network = (
        sparse(rng, n, directed)
        if n > _LARGE
        else drawn(rng, n, directed, min(1.0, rng.uniform(2.0, 6.0) / n), most=10)
    )
    s, t = rng.sample(range(n), 2)
    length = exact.shortest_path_length(network.graph, s, t, "weight")
    return _Draft(network, gold(number=int(length)), {"s": s, "t": t}) if np.isfinite(length) else None


def _triangle(rng: random.Random, n: int, wanted: bool) -> _Draft | None:
    network = drawn(rng, n, False, rng.uniform(0.2, 0.6)).weighed(rng, 10)
    best = exact.maximum_triangle(network.graph, "weight")
    return _Draft(network, gold(number=int(best.weight)), {}) if best else None


def _flow(rng: random.Random, n: int, wanted: bool) -> _Draft | None:
    network = drawn(rng, n, True, min(1.0, rng.uniform(1.5, 5.0) / n), most=10)
    s, t = rng.sample(range(n), 2)
    return _Draft(
        network, gold(number=int(exact.maximum_flow(network.graph, s, t, "weight").value)), {"s": s, "t": t}
    )


def _hamilton(rng: random.Random, n: int, wanted: bool) -> _Draft | None:
    network = drawn(rng, n, False, min(1.0, rng.uniform(2.0, 6.0) / n))
    try:
        path = exact.hamiltonian_path(network.graph)
    except LimitError:
        return None
    return _Draft(network, gold(truth=path is not None), {})


def _substructure(rng: random.Random, n: int, wanted: bool) -> _Draft | None:
    network = drawn(rng, n, True, min(1.0, rng.uniform(2.0, 5.0) / n))
    pattern = drawn_dag(rng, rng.randint(3, min(n, 5)), rng.uniform(0.4, 1.0))
    if not pattern.pairs:
        return None
    try:
        return _Draft(network, gold(truth=exact.has_subgraph(network.graph, pattern.graph)), {}, pattern)
    except LimitError:
        return None


def _neighbours(rng: random.Random, n: int, wanted: bool) -> _Draft | None:
    network = drawn(rng, n, False, min(1.0, rng.uniform(2.0, 6.0) / n))
    s = rng.randrange(n)
    found = sorted({b if a == s else a for a, b in network.pairs if s in (a, b)})
    return _Draft(network, gold(nodes=[*found]), {"s": s})


def _importance(rng: random.Random, n: int, wanted: bool) -> _Draft | None:
    """Figure 5: pages 1 to n; the first among equals would be a matter of taste, so there are none."""
    network = drawn(rng, n, True, min(1.0, rng.uniform(2.0, 4.0) / n))
    ranks = exact.pagerank(network.graph)
    order = np.argsort(-ranks)
    clear = ranks[order[0]] > ranks[order[1]] * 1.001
    return _Draft(network.numbered_from(1), gold(number=int(order[0]) + 1), {}) if clear else None


_DRAWERS: Mapping[str, Callable[[random.Random, int, bool], _Draft | None]] = {
    "cycle": _cycle,
    "connectivity": _connectivity,
    "bipartite": _bipartite,
    "topology": _topology,
    "shortest": _shortest,
    "triangle": _triangle,
    "flow": _flow,
    "hamilton": _hamilton,
    "substructure": _substructure,
    "neighbours": _neighbours,
    "importance": _importance,
}


@cache
def _wordings() -> Mapping[str, Mapping[str, str]]:
    text = files("graphtalk.benchmarks.graph_problems").joinpath("wordings.toml").read_text("utf-8")
    return tomllib.loads(text)


def _text(task: str, draft: _Draft) -> str:
    """The problem in words: instruction, how edges are written, the graph, the question."""
    wording, network = _wordings()[task], draft.network
    question = wording["question"].format(**draft.slots)
    if draft.pattern is not None:
        told = (
            f"The nodes of graph G are numbered from 0 to {network.n - 1}, and the edges are: {network.edge_list()}. "
            f"The nodes of subgraph G' are numbered from a to {chr(ord('a') + draft.pattern.n - 1)}, and the edges are: "
            f"{lettered(draft.pattern)}."
        )
    else:
        told = network.told()
    return f"{wording['instruction']} {network.form()}\nQ: {told} {question}"
