"""Limits bite in the midst of every algorithm, in any thread. Looks are counted: no test here measures time."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from graphtalk import algorithms
from graphtalk.core import LimitError, StoppedError
from graphtalk.core.limits import cancellable, here, holding, interrupting, limited, look, unlimited, within
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.tools.limits import Budget, Limits

LOOKS = 3  # no algorithm below may go on for longer than so many


def graph_of(ends: np.ndarray, n: int, directed: bool = False) -> Graph:
    nodes = NodeTable("n", pa.table({"id": [str(i) for i in range(n)], "x": np.arange(n, dtype=float)}))
    weights = pa.table({"w": np.random.default_rng(1).random(ends.shape[1]) + 0.1})
    return build([nodes], [EdgeTable("to", "n", "n", ends[0], ends[1], weights, "" if directed else "to")])


@pytest.fixture(scope="module")
def ring() -> Graph:
    """A long way round with a few short cuts."""
    n = 3_000
    here_, short = np.arange(n), np.random.default_rng(0).integers(0, n, (2, 40))
    return graph_of(np.concatenate([[here_, (here_ + 1) % n], short], axis=1), n)


@pytest.fixture(scope="module")
def uneven() -> Graph:
    """A few nodes have most of the edges."""
    rng = np.random.default_rng(0)
    return graph_of(np.stack([rng.integers(0, 300, 60_000), rng.integers(0, 20_000, 60_000)]), 20_000)


@pytest.fixture(scope="module")
def path() -> Graph:
    return graph_of(np.array([np.arange(2_000), np.arange(1, 2_001)]), 2_001, directed=True)


@pytest.fixture(scope="module")
def grid() -> Graph:
    """20 by 20, both ways."""
    at = np.arange(400).reshape(20, 20)
    across, down = [at[:, :-1].ravel(), at[:, 1:].ravel()], [at[:-1].ravel(), at[1:].ravel()]
    return graph_of(np.concatenate([across, down], axis=1), 400)


TRIANGLE = graph_of(np.array([[0, 1, 2], [1, 2, 0]]), 3)
WORK: dict[str, tuple[str, Callable[[Graph], object]]] = {
    "all_shortest_paths": ("grid", lambda g: algorithms.all_shortest_paths(g, 0, 399, limit=10**9)),
    "average_clustering": ("uneven", lambda g: [algorithms.average_clustering(g) for _ in range(LOOKS + 1)]),
    "avg_path_length": ("ring", algorithms.avg_path_length),
    "avg_path_length by weight": ("ring", lambda g: algorithms.avg_path_length(g, "w")),
    "betweenness": ("uneven", algorithms.betweenness),
    "center": ("ring", algorithms.center),
    "communities": ("uneven", algorithms.communities),
    "core_numbers": ("ring", lambda g: [algorithms.core_numbers(g) for _ in range(LOOKS + 1)]),
    "diameter": ("ring", algorithms.diameter),
    "diameter by weight": ("ring", lambda g: algorithms.diameter(g, "w")),
    "eccentricity": ("ring", algorithms.eccentricity),
    "hamiltonian_path": ("grid", lambda g: algorithms.hamiltonian_path(g, 0, 1)),
    "maximum_flow": ("grid", lambda g: algorithms.maximum_flow(g, 0, 399, "w")),
    "maximum_triangle": ("uneven", lambda g: [algorithms.maximum_triangle(g, "x") for _ in range(LOOKS + 1)]),
    "neighbourhood": ("ring", lambda g: algorithms.neighbourhood(g, 0, hops=10**6)),
    "pagerank": ("ring", algorithms.pagerank),
    "periphery": ("ring", algorithms.periphery),
    "radius": ("ring", algorithms.radius),
    "shortest_path": ("path", lambda g: algorithms.shortest_path(g, 0, 2_000)),
    "subgraph_isomorphisms": ("uneven", lambda g: algorithms.subgraph_isomorphisms(g, TRIANGLE)),
    "topological_order": ("path", algorithms.topological_order),
}


class Bell:
    """Rings at the look after so many."""

    def __init__(self, most: int) -> None:
        self.left = most

    def __call__(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise LimitError("rung")


def in_thread(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


@pytest.mark.parametrize("name", WORK)
def test_every_algorithm_looks_as_it_goes_round(name: str, request: pytest.FixtureRequest) -> None:
    which, work = WORK[name]
    graph = request.getfixturevalue(which)

    def bounded() -> None:
        with limited(Bell(LOOKS)):
            work(graph)

    with pytest.raises(LimitError, match="rung"):
        in_thread(bounded)


def test_triangles_are_counted_a_part_at_a_time(uneven: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = algorithms.triangles(uneven)
    assert whole.sum() > 0
    monkeypatch.setattr("graphtalk.algorithms.clustering._WEDGES", 5_000)
    assert (algorithms.triangles(uneven) == whole).all()
    with pytest.raises(LimitError), limited(Bell(LOOKS)):
        algorithms.triangles(uneven)


def test_betweenness_is_the_same_in_small_batches(grid: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = algorithms.betweenness(grid)
    monkeypatch.setattr("graphtalk.algorithms.centrality._WORK", 5_000)
    assert algorithms.betweenness(grid) == pytest.approx(whole)


@pytest.mark.parametrize("name", ["shortest_path_unweighted", "triangle_count", "pagerank"])
def test_vertex_programs_look_too(name: str, grid: Graph) -> None:
    from graphtalk.vertex import library, run

    program = library()[name].program

    def bounded() -> None:
        with limited(Bell(LOOKS)):
            run(program, grid, {"source": 0} if "path" in name else {})

    with pytest.raises(LimitError, match="rung"):
        in_thread(bounded)


def test_a_deadline_ends_with_stopped_error_in_a_thread(uneven: Graph) -> None:
    def bounded() -> None:
        with within(0.2):
            for _ in range(1_000):
                algorithms.betweenness(uneven)

    with pytest.raises(StoppedError, match=r"within 0\.2 seconds"):
        in_thread(bounded)


def test_cancelling_ends_what_another_thread_does(uneven: Graph) -> None:
    cancelled = threading.Event()

    def bounded() -> None:
        with cancellable(cancelled):
            for _ in range(1_000):
                algorithms.betweenness(uneven)

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(bounded)
        cancelled.set()
        with pytest.raises(StoppedError, match="Cancelled"):
            future.result()


def test_the_main_thread_is_interrupted_where_nothing_looks() -> None:
    def never_looks() -> None:
        while True:
            pass

    with pytest.raises(StoppedError), within(0.2):
        never_looks()
    look()  # nothing is left behind


def test_a_deadline_that_passes_in_a_destructor_ends_what_comes_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Slow:
        def __del__(self) -> None:
            until = time.monotonic() + 0.3
            while time.monotonic() < until:
                pass

    dropped: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", dropped.append)
    with pytest.raises(StoppedError), within(0.05):
        Slow()
        time.sleep(5)
    assert not dropped


def test_an_inner_deadline_does_not_take_the_outer_one_away() -> None:
    with pytest.raises(StoppedError, match=r"within 0\.3"), within(0.3):
        with pytest.raises(StoppedError, match=r"within 0\.1"), within(0.1):
            while True:
                pass
        while True:
            pass


def test_a_paused_clock_leaves_the_limits_around_it() -> None:
    budget = Budget(Limits(seconds=-1))
    with budget.running():
        with pytest.raises(LimitError, match="seconds"):
            look()
        with unlimited(budget._clock):
            look()
        with pytest.raises(StoppedError), budget.paused(), within(0):
            time.sleep(0.01)
            look()


def test_seconds_of_the_processor_are_those_of_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a busy machine keeps waiting has computed nothing."""
    budget = Budget(Limits(processor=2.0))
    monkeypatch.setattr(time, "monotonic", lambda: budget.started + 59)
    budget.look()
    monkeypatch.setattr(time, "thread_time", lambda: budget.computed + 3)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(budget.look).result()
    with pytest.raises(LimitError, match="More than 2 seconds of the processor"):
        budget.look()


def test_a_pool_works_under_the_limits_of_who_asked() -> None:
    with ThreadPoolExecutor(2) as pool, limited(Bell(0)):
        futures = [pool.submit(here(look)), pool.submit(here(look)), pool.submit(look)]
        assert [isinstance(f.exception(), LimitError) for f in futures] == [True, True, False]


def test_nobody_waits_for_a_lock_beyond_a_limit() -> None:
    lock = threading.Lock()

    def bounded() -> None:
        with limited(Bell(1)), holding(lock):
            raise AssertionError("it is held elsewhere")

    with lock, pytest.raises(LimitError):
        in_thread(bounded)
    with holding(lock):
        assert lock.locked()
    assert not lock.locked()


def test_a_call_outside_python_is_ended() -> None:
    ended = threading.Event()

    def outside() -> None:
        ended.wait(300)
        raise RuntimeError("interrupted")

    def bounded() -> None:
        with within(0.1), interrupting(ended.set):
            outside()

    with pytest.raises(StoppedError):
        in_thread(bounded)
    with pytest.raises(RuntimeError), interrupting(ended.set):  # without a limit its own error is left
        outside()


def test_what_is_stopped_just_as_it_ends_ends_by_the_limit() -> None:
    """Else what comes next would be ended instead."""
    stopped = threading.Event()
    with pytest.raises(StoppedError), within(0.05), interrupting(stopped.set):
        assert stopped.wait(300)


def test_duckdb_is_ended_within_a_round(grid: Graph) -> None:
    duckdb = pytest.importorskip("duckdb")
    from graphtalk.vertex.engines.duckdb import DuckdbDialect, DuckdbExecution

    execution = DuckdbExecution.__new__(DuckdbExecution)
    execution._connection = duckdb.connect()

    def bounded() -> None:
        with within(0.2):
            execution._row(
                "SELECT count(*) FROM range(10_000_000) a, range(10_000_000) b WHERE a.range != b.range"
            )

    assert DuckdbDialect is not None
    with pytest.raises(StoppedError):
        in_thread(bounded)
