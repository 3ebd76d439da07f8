"""How many answers `graphtalk serve` gives to many clients at once, how fast, in how much memory. Asserts nothing.

    scripts/bench --server [--store hetionet.gt] [--clients 200] [--seconds 60]
    python scripts/bench_server.py --workers 1 2 [--pin] [--clients 16] [--seconds 20]     # only answers a second, by processes

The server is a process of its own on the same machine, and so is not alone with its cores: the clients take their part.
Each client asks, waits for the answer, and asks again, over one connection. The questions name other nodes each time. By
processes they are asked twice: no question twice, so that all are read, and a few again and again, so that answers are kept;
with `--pin` a server of N processes has N cores to itself, if nothing else runs there. Times of the processor are those of
all its processes, and the better number where others use the machine; "cores had" is what the server got of them. Where others are busy
on all cores, Linux gives two processes of one session together no more than one (`sched_autogroup_enabled`).
"""

import argparse
import asyncio
import itertools
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import numpy as np

import graphtalk as gt
from graphtalk.graphs import Graph
from tables import Row, machine, show

ATLAS = (
    "What is the capital of {country}?",
    "Which countries border both {country} and {country}?",
    "How many countries border {country}?",
    "What is the population of {country}?",
)
DISTINCT = (
    "Which countries border both {country} and {country}?",
    "Does {country} border {country}?",
    "Which countries border {country} but not {country}?",
)
HETIONET = (
    "What are the symptoms of {Disease}?",
    "Which side effects are caused by both {Compound} and {Compound}?",
    "How many genes are associated with {Disease}?",
    "Which compounds treat {Disease}?",
)
KEPT = 32  # questions that are asked again and again
IDLE = 1_000
TURNS = 200  # after so many the server is killed
NO_BOUND = "1000000"
EVENTS = {"Accept": "text/event-stream"}


@dataclass
class Outcome:
    """What the clients of one run saw: seconds of each answer, and errors in words."""

    seconds: list[float] = field(default_factory=list)
    answered: int = 0
    errors: list[str] = field(default_factory=list)

    def tell_errors(self) -> None:
        """Print each kind of error, and how often it came."""
        for error, times in Counter(error[:200] for error in self.errors).items():
            print(f"error ({times} times): {error}")

    def quantile(self, part: float) -> str:
        """Milliseconds that so many of the answers took at most."""
        return f"{np.quantile(self.seconds, part) * 1e3:,.0f} ms" if self.seconds else "-"


@dataclass
class Server:
    """`graphtalk serve` as a process. `keep` is its file of conversations."""

    stores: list[str]
    keep: Path
    more: tuple[str, ...] = ()
    cores: int = 0
    url: str = ""
    process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> "Server":
        """Start it, and wait until it answers."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = str(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "graphtalk", "serve", *self.stores, "--port", port]
        command += ["--keep", str(self.keep), "--rate", NO_BOUND, "--at-once", NO_BOUND]
        command += ["--connections", NO_BOUND, *self.more]
        if self.cores:
            command = ["taskset", "--cpu-list", f"0-{self.cores - 1}", *command]
        environment = {**os.environ, "GRAPHTALK_LOG": "warning"}
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 120
        while time.monotonic() < until:
            try:
                if httpx2.get(f"{self.url}/healthz").status_code == 200:
                    return self
            except httpx2.TransportError:
                time.sleep(0.1)
        raise SystemExit(f"graphtalk serve does not answer: {' '.join(command)}")

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Stop it, and wait until it is gone."""
        assert self.process is not None
        self.process.send_signal(how)
        self.process.wait()

    def megabytes(self) -> float:
        """What it holds in memory and shares with nobody: mapped files do not count."""
        assert self.process is not None
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("RssAnon")).split()[1]) / 1024

    def processor_seconds(self) -> float:
        """Seconds of the processor that it and its processes have used."""
        assert self.process is not None
        waiting, ticks = [self.process.pid], 0
        while waiting:
            here = Path(f"/proc/{waiting.pop()}")
            fields = (here / "stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
            waiting += [
                int(child) for held in here.glob("task/*/children") for child in held.read_text().split()
            ]
        return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(stores: list[str], keep: Path, *more: str, cores: int = 0) -> Iterator[Server]:
    """A server, ended afterwards; on so many cores, if that is said."""
    server = Server(stores, keep, more, cores).start()
    try:
        yield server
    finally:
        server.end()


def main() -> None:
    """Serve, load, and print."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--store", help="a store of Hetionet; without it only the built-in graph is asked")
    options.add_argument("--clients", type=int, default=200)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument(
        "--workers", type=int, nargs="+", help="only answers a second, with so many processes"
    )
    options.add_argument("--times", type=int, default=3, help="with --workers: runs of each")
    options.add_argument("--pin", action="store_true", help="with --workers: N processes on N cores")
    given = options.parse_args()
    graphs = [("atlas", ATLAS)] + ([(given.store, HETIONET)] if given.store else [])
    print(machine())
    if given.workers:
        compare(given)
        return
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            asyncio.run(loaded(store, asked, given.clients, given.seconds, Path(folder) / f"{i}.sqlite"))
            for i, (store, asked) in enumerate(graphs)
        ]
        head = ("graph", "answers", "errors", "a second", "p50", "p99", "processor ms each", "memory, MB")
        show(f"{given.clients} clients for {given.seconds:g} s", head, rows)
        asyncio.run(idle(Path(folder) / "idle.sqlite", given.seconds / 3))
        asyncio.run(killed(Path(folder) / "killed.sqlite"))


def compare(given: argparse.Namespace) -> None:
    """Answers a second with each number of processes, of questions that differ and of kept answers, in turns; the median run of each."""
    graph = gt.open("atlas")
    assert isinstance(graph, Graph)
    found: dict[tuple[str, int], list[Row]] = {
        (what, count): [] for what in ("each asked once", f"{KEPT} asked again") for count in given.workers
    }
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(given.times):
            for (what, count), rows in found.items():
                asked = differing(graph)
                if what != "each asked once":
                    asked = itertools.cycle(itertools.islice(asked, KEPT))
                keep, cores = (
                    Path(folder) / f"{turn}-{len(rows)}-{count}-{what[:2]}.sqlite",
                    count if given.pin else 0,
                )
                with serving(["atlas"], keep, "--workers", str(count), cores=cores) as server:
                    rows.append(asyncio.run(answered(server, graph, asked, given)))
    head = (
        "questions",
        "--workers",
        "answers",
        "errors",
        "a second",
        "p50",
        "p99",
        "processor ms each",
        "cores had",
    )
    middle = [
        (what, f"{n}", *sorted(rows, key=lambda row: float(row[2]))[len(rows) // 2])
        for (what, n), rows in found.items()
    ]
    show(
        f"{given.clients} clients for {given.seconds:g} s, atlas{', pinned' if given.pin else ''}",
        head,
        middle,
    )


async def answered(server: Server, graph: Graph, asked: Iterator[str], given: argparse.Namespace) -> Row:
    """What clients see of one server that has answered all of them for a while."""
    await load(server.url, graph, asked, given.clients, given.seconds / 4)  # each process loads what it needs
    started, used = time.perf_counter(), server.processor_seconds()
    outcome = await load(server.url, graph, asked, given.clients, given.seconds)
    outcome.tell_errors()
    took, used, count = time.perf_counter() - started, server.processor_seconds() - used, len(outcome.seconds)
    return (
        f"{count:,}", f"{len(outcome.errors)}", f"{count / took:.1f}", outcome.quantile(0.5), outcome.quantile(0.99),
        f"{1e3 * used / max(1, count):.1f}", f"{used / took:.2f}",
    )  # fmt: skip


def differing(graph: Graph) -> Iterator[str]:
    """Questions of which none is asked twice."""
    asked: set[str] = set()
    for question in questions(graph, DISTINCT):
        if question not in asked:
            asked.add(question)
            yield question


async def loaded(
    store: str, templates: tuple[str, ...], clients: int, seconds: float, keep: Path, *more: str
) -> Row:
    """Many clients at one graph. Memory is taken after a quarter of the time, and at the end."""
    graph = gt.open(store)
    assert isinstance(graph, Graph)
    with serving([store], keep, *more) as server:
        await load(
            server.url, graph, questions(graph, templates), 1, 1.0
        )  # what is loaded with the first question
        started, used = time.perf_counter(), server.processor_seconds()
        early = asyncio.create_task(_later(server, seconds / 4))
        outcome = await load(server.url, graph, questions(graph, templates), clients, seconds)
        took, used = time.perf_counter() - started, server.processor_seconds() - used
        memory = f"{await early:.0f}, then {server.megabytes():.0f}"
    outcome.tell_errors()
    count = len(outcome.seconds)
    each = f"{1e3 * used / max(1, count):.1f}"
    return (
        graph.name, f"{count:,} ({outcome.answered:,} not declined)", f"{len(outcome.errors)}", f"{count / took:.0f}",
        outcome.quantile(0.5), outcome.quantile(0.99), each, memory,
    )  # fmt: skip


async def _later(server: Server, seconds: float) -> float:
    await asyncio.sleep(seconds)
    return server.megabytes()


async def load(
    url: str, graph: Graph, asked: Iterator[str], clients: int, seconds: float, **more: str
) -> Outcome:
    """What so many clients see who ask one question after another for so long."""
    outcome, until = Outcome(), time.monotonic() + seconds

    async def client(http: httpx2.AsyncClient) -> None:
        while time.monotonic() < until:
            started = time.perf_counter()
            try:
                reply = await http.post(
                    "/v1/ask", json={"graph": graph.name, "question": next(asked), **more}
                )
            except httpx2.TransportError as error:
                outcome.errors.append(repr(error))
                continue
            if reply.status_code != 200:
                outcome.errors.append(f"{reply.status_code}: {reply.text[:200]}")
                continue
            outcome.seconds.append(time.perf_counter() - started)
            outcome.answered += reply.json()["answered"]

    async with connected(url, clients) as http:
        await asyncio.gather(*(client(http) for _ in range(clients)))
    return outcome


def questions(graph: Graph, templates: tuple[str, ...], seed: int = 0) -> Iterator[str]:
    """Questions without end: each template in turn, with the names of any nodes of the types in its braces."""
    chance = random.Random(seed)
    labels = {
        t.name: [graph.label(node) for node in range(t.first, t.first + t.count)]
        for t in graph.schema.node_types
        if any(f"{{{t.name}}}" in template for template in templates)
    }
    for template in itertools.cycle(templates):
        parts = template.replace("{", "}").split("}")
        yield "".join(part if i % 2 == 0 else chance.choice(labels[part]) for i, part in enumerate(parts))


@asynccontextmanager
async def connected(url: str, connections: int) -> AsyncIterator[httpx2.AsyncClient]:
    """A client with as many connections."""
    limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
    async with httpx2.AsyncClient(base_url=url, limits=limits, timeout=120) as http:
        yield http


async def idle(keep: Path, seconds: float) -> None:
    """Streams that wait for a model that does not answer, and beside them clients that need none."""
    loop = asyncio.get_running_loop()
    silent = await loop.create_server(asyncio.Protocol, "127.0.0.1", 0)  # takes everything and says nothing
    port = silent.sockets[0].getsockname()[1]
    os.environ.setdefault("OPENAI_API_KEY", "none")
    model = ("--lm", "openai:silent", "--base-url", f"http://127.0.0.1:{port}/v1")
    graph = gt.open("atlas")
    assert isinstance(graph, Graph)
    with serving(["atlas"], keep, *model) as server:
        await load(server.url, graph, questions(graph, ATLAS), 1, 1.0, lm="offline")
        before = server.megabytes()
        held, broken = asyncio.Semaphore(0), []
        async with connected(server.url, IDLE) as http:
            streams = [asyncio.create_task(_hold(http, held, broken)) for _ in range(IDLE)]
            for _ in streams:
                await asyncio.wait_for(held.acquire(), 120)
            outcome = await load(server.url, graph, questions(graph, ATLAS), 8, seconds, lm="offline")
            after = server.megabytes()
            for stream in streams:
                stream.cancel()
            await asyncio.gather(*streams, return_exceptions=True)
    silent.close()
    head = ("streams held", "broken", "answers to 8 others", "errors", "p50", "p99", "memory, MB")
    row = (
        f"{IDLE:,}", f"{len(broken)}", f"{len(outcome.seconds):,}", f"{len(outcome.errors)}",
        outcome.quantile(0.5), outcome.quantile(0.99), f"{before:.0f}, with them {after:.0f}",
    )  # fmt: skip
    show(f"Idle streams, {seconds:g} s", head, [row])


async def _hold(http: httpx2.AsyncClient, held: asyncio.Semaphore, broken: list[str]) -> None:
    """Wait for an answer that does not come; what ends the stream early is `broken`."""
    question = {"graph": "atlas", "question": "What is the capital of Japan?"}
    try:
        async with http.stream("POST", "/v1/ask", json=question, headers=EVENTS) as reply:
            held.release()
            async for line in reply.aiter_lines():
                if line.startswith("event: "):
                    broken.append(line)
    except httpx2.TransportError as error:
        broken.append(repr(error))
        held.release()


async def killed(keep: Path) -> None:
    """Conversations while the server is killed, and after it was started again."""
    graph = gt.open("atlas")
    assert isinstance(graph, Graph)
    server = Server(["atlas"], keep).start()
    told: dict[str, int] = {}
    talks = [
        asyncio.create_task(_talk(server.url, questions(graph, ATLAS, seed), told)) for seed in range(16)
    ]
    while sum(told.values()) < TURNS and not all(talk.done() for talk in talks):
        await asyncio.sleep(0.05)
    server.end()
    await asyncio.gather(*talks)
    with serving(["atlas"], keep) as again:
        found = {id: httpx2.get(f"{again.url}/v1/conversations/{id}") for id in told}
    kept = {id: len(reply.json()["turns"]) if reply.status_code == 200 else 0 for id, reply in found.items()}
    lost = sum(max(0, turns - kept[id]) for id, turns in told.items())
    head = ("conversations", "turns told to clients", "lost")
    show(
        "Killed with SIGKILL under load, and started again",
        head,
        [(f"{len(told)}", f"{sum(told.values())}", f"{lost}")],
    )


async def _talk(url: str, asked: Iterator[str], told: dict[str, int]) -> None:
    """One conversation, until the server is gone. `told` counts the turns whose answer came."""
    async with connected(url, 1) as http:
        id = ""
        while True:
            question = {"graph": "atlas", "question": next(asked), "conversation": id}
            try:
                reply = await http.post("/v1/ask", json=question)
            except httpx2.TransportError:
                return
            id = reply.json()["conversation"]
            told[id] = told.get(id, 0) + 1


if __name__ == "__main__":
    main()
