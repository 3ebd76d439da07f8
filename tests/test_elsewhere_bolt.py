"""Engines that speak Bolt, by the real driver over the real protocol, against a small server of ours."""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import elsewhere_graphs as made
from bolt_server import BoltServer, Handler
from graphtalk.app.ask import session
from graphtalk.app.querying import run
from graphtalk.core import GraphtalkError
from graphtalk.core.limits import within
from graphtalk.engines.elsewhere import bolt
from graphtalk.engines.elsewhere.addresses import open_address
from graphtalk.engines.elsewhere.classes import node_classes, short_names
from graphtalk.engines.elsewhere.protocol import EngineError
from graphtalk.tools.executor import Executor
from test_elsewhere import QUESTIONS, differing

PEOPLE = "MATCH (p:person) RETURN p.name"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def server() -> Iterator[BoltServer]:
    with BoltServer(made.stored()) as server:
        yield server


def test_the_same_questions_give_the_same_answers(
    server: BoltServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHTALK_PASSWORD", "hunter2")
    graph = open_address(server.address.replace("//", "//me@"))
    assert graph.engine == "Films"
    assert not differing(Executor(made.stored()), Executor(graph), QUESTIONS[::6])
    assert {mode for _, mode in server.asked} == {"r"}  # every session is for reading
    assert server.hellos[0]["principal"], server.hellos[0]["credentials"] == ("me", "hunter2")
    before = len(server.asked)
    again = open_address(server.address.replace("//", "//me@"))
    run(session(again), PEOPLE, {})
    assert len(server.asked) == before + 1  # schema and names were kept
    for each in (graph, again):
        assert each.backend is not None
        each.backend.close()


def hangs(handler: Handler) -> None:
    time.sleep(1.5)


def drops(handler: Handler) -> None:
    handler.request.close()


def test_a_bad_server_is_one_clear_message(server: BoltServer, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = session(open_address(server.address))
    people = run(asked, PEOPLE, {}).rows
    fresh = session(open_address(server.address))
    monkeypatch.setattr(bolt, "SECONDS", 0.5)
    server.fault = hangs
    with pytest.raises(EngineError, match=r"did not answer within 0.5 seconds"):
        run(fresh, PEOPLE, {})
    with within(0.2), pytest.raises(GraphtalkError, match=r"Not finished within 0.2 seconds"):
        run(fresh, PEOPLE, {})
    monkeypatch.setattr(bolt, "SECONDS", 20.0)
    server.fault = drops
    with pytest.raises(EngineError, match=server.address):
        run(fresh, PEOPLE, {})
    server.fault = None
    monkeypatch.setattr(
        server, "run", lambda cypher, given: (["n0"], itertools.repeat([f"{made.BASE}person/00"]))
    )
    with pytest.raises(EngineError, match="gave more than the 20,001 rows that were asked for"):
        run(fresh, PEOPLE, {})
    monkeypatch.undo()
    assert run(fresh, PEOPLE, {}).rows == people


def test_nobody_answers() -> None:
    with pytest.raises(EngineError, match=r"bolt://127.0.0.1:9"):
        open_address("bolt://127.0.0.1:9/films")


def test_types_from_labels() -> None:
    def names(sets: dict[frozenset[str], int]) -> dict[str, tuple[int, tuple[str, ...]]]:
        return {c.name: (c.count, c.without) for c in node_classes(sets, {})}

    one, both = frozenset({"Person"}), frozenset({"Person", "Actor"})
    assert names({one: 5, both: 2, frozenset({"Film"}): 3}) == {"Person": (7, ()), "Film": (3, ())}
    # No type is called Actor where some actors are persons: a count of it would be wrong.
    assert names({one: 5, both: 2, frozenset({"Actor"}): 1}) == {
        "Person": (7, ()),
        "Actor without Person": (1, ("Person",)),
    }
    assert names({one: 5, frozenset(): 1})["node"] == (1, ("Person",))
    assert short_names(["http://a.x/Film", "http://b.x/t#Film", "urn:Actor"]) == {
        "http://a.x/Film": "a.x/Film",
        "http://b.x/t#Film": "t#Film",
        "urn:Actor": "Actor",
    }
