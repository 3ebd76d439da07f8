"""What one client asks for keeps nobody else waiting, and ends when that client leaves."""

import asyncio
import gc
import itertools
import json
import os
import signal
import socket
import threading
import time
from asyncio import to_thread
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from multiprocessing import active_children
from multiprocessing.forkserver import _forkserver  # type: ignore[attr-defined]
from pathlib import Path
from queue import Queue

import httpx2
import numpy as np
import pyarrow as pa
import pytest

from graphtalk.app import mcp, stores
from graphtalk.app.server import workers as server_workers
from graphtalk.app.server.answering import Answering
from graphtalk.app.server.clients import Clients
from graphtalk.app.server.config import Bounds, ServerSettings
from graphtalk.app.server.jobs import Asking, Calling
from graphtalk.app.server.openai.messages import ChatMessage, _looked_at
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.turns import Lane
from graphtalk.app.server.workers import Signals, Workers
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from graphtalk.core import Answer, CheckError, LimitError, ParseError, Step, StoppedError, ToolError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build, store
from graphtalk.reasoners.conversation import Conversation, Said
from site_server import running, serving

HEAVY = b'{"graph": "wide", "call": "Betweenness[20000]"}'
CHEAP = {"graph": "wide", "question": "What are the things of thing 7?"}


def wide() -> Graph:
    """20,000 nodes and 400,000 edges: its betweenness takes many minutes."""
    nodes, edges = 20_000, 400_000
    ends = np.random.default_rng(0).integers(0, nodes, (2, edges))
    things = pa.table({"id": [f"thing {n}" for n in range(nodes)]})
    to = EdgeTable("has", "thing", "thing", ends[0], ends[1], None, "", "")
    return build([NodeTable("thing", things, "id", "")], [to], "wide")


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    return Shelf.of([wide()], Settings())


@pytest.fixture(scope="module")
def url(shelf: Shelf) -> Iterator[str]:
    bounds = Bounds(quick=3.0, running=2, client_rate=100_000)
    with serving(shelf, ServerSettings(bounds=bounds)) as url:
        assert cheap(url, timeout=300).is_success  # the first waits until its process has opened the graph
        yield url


def post(url: str, body: bytes, path: str = "/v1/call", more: str = "") -> socket.socket:
    """A request that is on its way; whoever closes it leaves."""
    host, port = url.removeprefix("http://").split(":")
    line = socket.create_connection((host, int(port)), timeout=300)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    line.sendall(head.encode() + body)
    return line


def busy() -> set[int]:
    """The processes below this one that take the processor, by their ids; not what starts them, nor the Java of other tests of this worker."""
    ours = {os.getpid()}
    starter = getattr(_forkserver, "_forkserver_pid", None)
    stats = {
        int(process.name): _stat(process) for process in Path("/proc").iterdir() if process.name.isdecimal()
    }
    for _ in range(3):
        ours |= {pid for pid, stat in stats.items() if stat and int(stat[1]) in ours}
    before = {pid: _ticks(pid) for pid in ours - {os.getpid(), starter} if _name(pid) != "java"}
    time.sleep(1.0)
    return {pid for pid, ticks in before.items() if _ticks(pid) > ticks}


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def _stat(process: Path) -> list[str]:
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _ticks(pid: int) -> int:
    stat = _stat(Path(f"/proc/{pid}"))
    return int(stat[11]) + int(stat[12]) if stat else 0


def soon(happens: Callable[[], object]) -> bool:
    """Whether something happens within some minutes; a machine may have much else to do."""
    until = time.monotonic() + 300
    while time.monotonic() < until:
        if happens():
            return True
        time.sleep(0.1)
    return False


def cheap(url: str, timeout: float = 200) -> httpx2.Response:
    """The reply to a question that takes milliseconds. It fails where there is none long before a heavy call ends."""
    return httpx2.post(f"{url}/v1/ask", json=CHEAP, timeout=timeout)


def test_four_heavy_calls_keep_nobody_waiting_and_end_when_their_client_leaves(url: str) -> None:
    lines = [post(url, HEAVY) for _ in range(4)]
    try:
        assert soon(busy)
        assert [cheap(url).status_code for _ in range(3)] == [200] * 3
        assert busy()
    finally:
        for line in lines:
            line.close()
    assert soon(lambda: not busy())
    assert cheap(url).status_code == 200


def answering(shelf: Shelf, **bounds: float) -> Answering:
    given = Bounds(**bounds)
    return Answering(shelf, given, Clients(given))


def test_work_is_stopped_where_nobody_waits_for_its_steps(shelf: Shelf) -> None:
    async def leave() -> None:
        desk = answering(shelf)
        async with desk.open():
            stream = desk.steps("me", Calling(graph="wide", call="Betweenness[20000]", most=10))
            waiting = asyncio.ensure_future(anext(stream))
            assert await to_thread(soon, busy)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            await stream.aclose()
            assert await to_thread(soon, lambda: not busy())
            assert desk.waiting == 0

    asyncio.run(leave())


def test_what_takes_long_waits_for_a_turn_and_then_begins_again_with_each_step_told_once() -> None:
    """The second is stopped after a moment, for the only long turn is taken; it is answered when that is given back.

    Of a graph that nothing was asked of yet, so that its names have to be indexed first: that takes longer than a moment.
    """
    shelf = Shelf.of([wide()], Settings())
    steps: list[str] = []

    async def ask() -> dict[str, object]:
        desk = answering(shelf, quick=1e-6, running=1)  # nothing is as quick as that
        async with desk.open():
            first = asyncio.create_task(
                desk.run("one", Calling(graph="wide", call="Betweenness[20000]", most=10))
            )
            async with asyncio.timeout(100):
                while not desk._long._taken:  # a process that starts is busy before it has the turn
                    await asyncio.sleep(0.01)
            job = Asking(graph="wide", question="How many things are there?", most=10)
            second = asyncio.create_task(desk.run("other", job, on_step=lambda step: steps.append(step.text)))
            await asyncio.sleep(2)
            assert not second.done()
            first.cancel()
            return await second

    shown = asyncio.run(ask())
    assert shown["answered"] and len(steps) == len(set(steps)) > 0


def test_a_job_is_ended_after_its_time_and_a_crash_ends_nothing_else(shelf: Shelf) -> None:
    workers = Workers(shelf, seconds=0.5, spare=1)
    job = Calling(graph="wide", call="Betweenness[20000]", most=10)
    try:
        with pytest.raises(StoppedError, match="Not finished"):
            workers.run(job, lambda step: None, Signals())
        slow = replace(workers, seconds=600.0, _idle=Queue())
        ended = threading.Event()
        killing = threading.Thread(target=kills, args=[ended])
        killing.start()
        with pytest.raises(LimitError, match="was ended"):
            slow.run(job, lambda step: None, Signals())
        ended.set()
        killing.join()
        count = Calling(graph="wide", call='Count[Nodes["thing"]]', most=10)
        assert slow.run(count, lambda step: None, Signals())["result"] == 20_000
    finally:
        workers.close()
        slow.close()


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="Linux alone tells what is shared")
def test_processes_share_what_all_questions_need(shelf: Shelf) -> None:
    workers = Workers(shelf, seconds=60, spare=1)
    try:
        workers.run(
            Calling(graph="wide", call='Count[Nodes["thing"]]', most=10), lambda step: None, Signals()
        )
        worker = workers._idle.get_nowait()
        said = Path(f"/proc/{worker.process.pid}/smaps_rollup").read_text().splitlines()[1:]
        kilobytes = {line.split(":")[0]: int(line.split()[1]) for line in said}
        assert kilobytes["Private_Dirty"] < kilobytes["Rss"] / 4
        worker.end()
    finally:
        workers.close()


def test_a_job_whose_process_is_killed_is_done_by_another_and_tells_no_step_twice(shelf: Shelf) -> None:
    workers = Workers(shelf, seconds=600, spare=1)
    job = Asking(graph="wide", question="How many things are there?", most=10)
    whole: list[str] = []
    told: list[str] = []

    def on_step(step: Step) -> None:
        told.append(step.text)
        if len(told) == 1:
            (worker,) = [child for child in active_children() if child.pid not in before]
            worker.kill()
            worker.join()

    try:
        workers.run(job, lambda step: whole.append(step.text), Signals())
        workers.close()
        before = {child.pid for child in active_children()}
        workers = Workers(shelf, seconds=600, spare=1)
        assert workers.run(job, on_step, Signals())["value"] == 20_000
        assert told == whole
    finally:
        workers.close()


@pytest.mark.parametrize(("seconds", "kept"), [(0.0, False), (1_000.0, True)])
def test_only_a_process_that_was_busy_for_longer_than_a_new_one_takes_is_replaced(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, seconds: float, kept: bool
) -> None:
    """On a busy machine the first answer of each process takes long by the clock."""
    monkeypatch.setattr(server_workers, "_BUSY", seconds)
    workers = Workers(shelf, seconds=600, spare=1)
    signals = Signals()
    signals.slow.set()
    pids = []
    try:
        for _ in range(2):
            workers.run(Calling(graph="wide", call="Betweenness[20]", most=10), lambda step: None, signals)
            worker = workers._idle.get_nowait()
            pids.append(worker.process.pid)
            workers._idle.put(worker)
    finally:
        workers.close()
    assert (len(set(pids)) == 1) is kept


def test_a_cached_graph_is_there_for_new_processes_as_long_as_it_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version of its file replaces it in the cache, and another version of graphtalk would."""
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "people.csv"
    file.write_text("source,target\nAnn,Bob\n")
    shelf = Shelf.of([stores.open_named(str(file))], Settings())
    count = {"graph": "people", "call": 'Count[Nodes["node"]]'}
    with serving(shelf, ServerSettings()) as url:
        for more in ("Bob,Cy\n", "Cy,Di\n"):
            with file.open("a") as lines:
                lines.write(more)
            stores.open_named(str(file))
            gc.collect()
        replies = [httpx2.post(f"{url}/v1/call", json=count, timeout=300) for _ in range(3)]
    assert [reply.json()["result"] for reply in replies] == [2] * 3
    assert len(list((tmp_path / "cache").glob("people-*.gt"))) == 2, "what nobody has is gone"


def test_a_graph_whose_store_is_gone_is_refused_in_words(tmp_path: Path) -> None:
    stores.write(wide(), tmp_path / "wide.gt")
    shelf = Shelf.of([stores.open_named(str(tmp_path / "wide.gt"))], Settings())
    store.remove(tmp_path / "wide.gt")
    with serving(shelf, ServerSettings()) as url:
        reply = cheap(url)
    assert reply.status_code == 503 and "Restart the server" in reply.json()["detail"]


def kills(ended: threading.Event) -> None:
    """Kills what takes the processor, until that is the end of it."""
    while not ended.is_set():
        for pid in busy():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_errors_of_a_process_are_the_errors_of_the_call(shelf: Shelf) -> None:
    workers = Workers(shelf, seconds=60, spare=1)
    try:
        for call, error in (
            ("Nothing[1]", CheckError),
            ("Count[", ParseError),
            ('RetrieveNode["nope"]', ToolError),
        ):
            with pytest.raises(error):
                workers.run(Calling(graph="wide", call=call, most=10), lambda step: None, Signals())
    finally:
        workers.close()


def test_an_mcp_client_that_leaves_ends_its_work(shelf: Shelf) -> None:
    """Also one that speaks the protocol of 2025, whose calls outlive their connection elsewhere."""
    versions = {
        "protocolVersion": "2025-03-26",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": versions}
    params = {"name": "Betweenness", "arguments": {"samples": 20_000}}
    call = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}).encode()
    accept = {"Accept": "application/json, text/event-stream"}
    with running(mcp.site(shelf, ServerSettings(), ["Betweenness"])) as url:
        begun = httpx2.post(f"{url}/mcp", json=begin, headers=accept, timeout=300)
        session = begun.headers["mcp-session-id"]
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        known = {**accept, "Mcp-Session-Id": session}
        assert httpx2.post(f"{url}/mcp", json=ready, headers=known, timeout=300).status_code == 202
        more = "".join(f"{name}: {value}\r\n" for name, value in known.items())
        line = post(url, call, "/mcp", more)
        assert soon(busy)
        line.close()
        assert soon(lambda: not busy())


def test_clients_take_turns_and_one_has_never_all() -> None:
    async def take() -> list[str]:
        lane, order = Lane(places=3, patience=5), []

        async def one(client: str) -> None:
            turn = await lane.enter(client)
            order.append(client)
            await asyncio.sleep(0.01)
            turn.leave()

        greedy = [asyncio.create_task(one("greedy")) for _ in range(20)]
        await asyncio.sleep(0)
        others = [asyncio.create_task(one(name)) for name in ("a", "b") for _ in range(3)]
        await asyncio.gather(*greedy, *others)
        assert lane.enter_now("greedy") and lane.enter_now("greedy") and not lane.enter_now("greedy")
        return order

    order = asyncio.run(take())
    assert order[:3] == ["greedy", "greedy", "a"], "one turn was kept for somebody else"
    assert max(at for at, name in enumerate(order) if name != "greedy") < 16, order


def test_turns_are_not_lost_where_nobody_waits_for_them_any_more() -> None:
    async def leave() -> None:
        lane = Lane(places=1, patience=0.05)
        first = await lane.enter("a")
        with pytest.raises(ProblemError) as refused:
            await lane.enter("b")
        assert refused.value.status_code == 429 and int(refused.value.headers["Retry-After"]) > 0
        waiting = asyncio.create_task(lane.enter("b"))
        await asyncio.sleep(0)
        first.leave()  # the turn is b's now, who leaves before taking it
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert lane.enter_now("c") is not None

    asyncio.run(leave())


def test_of_a_long_chat_the_last_turns_are_looked_at() -> None:
    roles = itertools.cycle(["user", "assistant"])
    chat = [ChatMessage(role=next(roles), content=f"{n} And of Peru? " * 1_000) for n in range(61)]
    found = _looked_at(chat)
    assert 5 < len(found) <= 40 and sum(len(message.text) for message in found) <= 10_000
    assert [message.text.split()[0] for message in found] == [
        str(61 - len(found) + n) for n in range(len(found))
    ]
    short = _looked_at(
        [ChatMessage(role="user", content="Where is Peru?"), ChatMessage(role="system", content="x")]
    )
    assert [(message.by_user, message.text) for message in short] == [(True, "Where is Peru?")]


def test_a_follow_up_goes_on_from_no_long_text() -> None:
    asked = []

    class Listening:
        def mentions(self, text: str) -> list[object]:
            asked.append(text)
            return []

        def exact(self, name: str) -> list[int]:
            return []

    said = [Said("What is the capital of Peru? " * 400, Answer(True, "Lima", ["Lima"]))] * 20
    conversation = Conversation(wide(), Listening())  # type: ignore[arg-type]
    assert conversation.resolve("And its population?", said) == ("And its population?",)
    assert conversation.resolve("And of Chile? " * 800, said[:1]) == ("And of Chile? " * 800,)
    assert sum(map(len, asked)) < 1_000
