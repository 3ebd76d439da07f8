"""Requests of a model spread over the workers of a Dask cluster."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from fault_server import FaultServer, status
from graphtalk.core import LmError, UsageError
from graphtalk.lms.options import LmOptions
from graphtalk.lms.protocol import Request, user
from graphtalk.lms.registry import bare, open_lm
from graphtalk.lms.spread import UNPROFILED, Spread
from graphtalk.reasoners.graph_agents.agents import LmEngine
from graphtalk.vertex import library, run, small_graph

dask = pytest.importorskip("dask", reason="needs the extra dask")
distributed = pytest.importorskip("distributed", reason="needs the extra dask")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a cluster of two workers in this process, which need no start of their own."""
    with (
        dask.config.set(UNPROFILED),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=4,
            processes=False,
            protocol="tcp",
            dashboard_address=None,
            host="127.0.0.1",
        ) as cluster,
    ):
        yield cluster.scheduler_address


@contextmanager
def spread(url: str, scheduler: str) -> Iterator[Spread]:
    """A model that the cluster's workers ask, let go of at the end."""
    lm = Spread("openai:test", LmOptions(base_url=url, spread=scheduler), bare)
    try:
        yield lm
    finally:
        lm.close()


def test_replies_come_back_to_who_asked(monkeypatch: pytest.MonkeyPatch, scheduler: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")

    def echo(body: dict[str, Any]) -> str:
        return str(body["messages"][-1]["content"])

    with (
        FaultServer([], text=echo) as server,
        spread(server.base_url, scheduler) as lm,
        ThreadPoolExecutor(40) as pool,
    ):
        replies = list(pool.map(lambda n: lm.complete(Request(user(f"number {n}"))).text, range(200)))
    assert replies == [f"number {n}" for n in range(200)]
    assert len(server.requests) == 200


def test_what_a_worker_could_not_ask_is_an_error_of_that_request(
    monkeypatch: pytest.MonkeyPatch, scheduler: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with FaultServer([status(401)]) as server, spread(server.base_url, scheduler) as lm:
        with pytest.raises(LmError, match="401"):
            lm.complete(Request(user("one")))
        assert lm.complete(Request(user("two"))).text == "ok"


def test_agents_are_run_by_spread_requests(monkeypatch: pytest.MonkeyPatch, scheduler: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    said = json.dumps({"state": {"ends": 0}, "messages": {}})
    graph = small_graph(30, [(node, (node + 1) % 30) for node in range(30)], directed=False)
    card = library()["degree"]
    with FaultServer([], text=said) as server, spread(server.base_url, scheduler) as lm:
        engine = LmEngine(lm, 30, card=card)
        done = run(card.program, graph, {}, engine)
    assert engine.tally.requests == len(server.requests) >= 30 and engine.tally.wrong > 0
    assert done.states["ends"] == [2] * 30  # every wrong reply was put right


@pytest.mark.parametrize("cluster", ["0", "1000", "x", "-1", "2.5", "tcp://host", "tcp://127.0.0.1:1"])
def test_a_cluster_that_is_none_is_refused(cluster: str) -> None:
    with pytest.raises(UsageError, match=f"--spread {cluster}"):
        open_lm("openai:test", LmOptions(base_url="http://127.0.0.1:1/v1", spread=cluster))
