"""Language models over HTTP: how many requests many threads keep under way, and what the layers cost per call.

The server is one of ours (tests/fault_server.py) in a process of its own, so that it takes no time from the client's.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import openai

from graphtalk.lms import LanguageModel, Request, user
from graphtalk.lms.budget import Budget
from graphtalk.lms.options import LmOptions
from graphtalk.lms.registry import open_lm
from tables import machine, show

SERVER = Path(__file__).resolve().parents[1] / "tests" / "fault_server.py"
THREADS = 64
DELAY = 0.2  # seconds that the slow server takes for each reply
CALLS = 20  # of each thread
ROUNDS = 3  # of which the best is shown: other work on the machine takes its share
TIMED = 300  # calls one after another, for the overhead
PROMPT = "Which genes does the compound bind?\n" * 40


class Server:
    """The server's process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        assert process.stdout is not None
        self.base_url = process.stdout.readline().strip()

    def load(self) -> dict[str, float]:
        """End it, and say how many requests were under way."""
        out, _ = self._process.communicate("\n")
        loads: dict[str, float] = json.loads(out)
        return loads


@contextmanager
def server(delay: float) -> Iterator[Server]:
    """A server that takes so many seconds for a reply."""
    command = [sys.executable, str(SERVER), "--delay", str(delay)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Server(process)


def full(url: str, folder: str) -> LanguageModel:
    """A model in all layers: retries, limit, prices, budget, cache and recording."""
    files = Path(folder)
    budget = Budget(usd=1000.0, tokens=10**9, seconds=3600.0)
    return open_lm(
        "openai:m",
        LmOptions(
            url, budget=budget, cache=files / "cache.db", record=files / "run.db", concurrency=2 * THREADS
        ),
    )


def bare(url: str) -> Callable[[Request], object]:
    """The openai library alone."""
    client = openai.OpenAI(api_key="none", base_url=url, max_retries=0)

    def ask(request: Request) -> object:
        return client.chat.completions.create(
            model="m",
            messages=[{"role": "user", "content": request.messages[0].content}],
            max_tokens=request.max_tokens,
            seed=request.seed,
            temperature=request.temperature,
        )

    return ask


def requests(count: int) -> list[Request]:
    """Requests that all differ, so that no cache answers them."""
    return [Request(user(f"{PROMPT}{n}")) for n in range(count)]


def in_flight(make: Callable[[str, str], Callable[[Request], object]]) -> tuple[float, float, float]:
    """Mean and most requests under way, and replies per second, of many threads at the slow server."""
    with server(DELAY) as slow, tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(THREADS) as pool:
        ask = make(slow.base_url, folder)
        began = time.perf_counter()
        list(pool.map(ask, requests(THREADS * CALLS)))
        seconds = time.perf_counter() - began
        load = slow.load()
    return load["mean"], load["most"], THREADS * CALLS / seconds


def milliseconds(make: Callable[[str, str], Callable[[Request], object]]) -> tuple[float, float]:
    """One call after another, at a server that answers at once: median, and processor time of the client."""
    with server(0.0) as quick, tempfile.TemporaryDirectory() as folder:
        ask = make(quick.base_url, folder)
        took = []
        ask(Request(user("Connect.")))
        processor = time.process_time()
        for request in requests(TIMED):
            began = time.perf_counter()
            ask(request)
            took.append(time.perf_counter() - began)
        processor = time.process_time() - processor
        quick.load()
    return float(np.median(took)) * 1000, processor / TIMED * 1000


def main() -> None:
    """Print the tables."""
    print(f"{machine()}; openai {openai.__version__}")
    ways: dict[str, Callable[[str, str], Callable[[Request], object]]] = {
        "openai library alone": lambda url, folder: bare(url),
        "graphtalk, all layers": lambda url, folder: open_lm("openai:m", LmOptions(url)).complete,
        "graphtalk, all layers, cache and recording": lambda url, folder: full(url, folder).complete,
    }
    rows = []
    for name, make in ways.items():
        mean, most, rate = max(in_flight(make) for _ in range(ROUNDS))
        rows.append((name, f"{mean:.1f}", f"{most:.0f}", f"{rate:.0f}", f"{rate * DELAY / THREADS:.0%}"))
    show(
        f"{THREADS} threads, {THREADS * CALLS} requests, a server that takes {DELAY * 1000:.0f} ms, best of {ROUNDS}",
        ("Client", "Under way, mean", "Most", "Replies/s", "Of the ideal"),
        rows,
    )
    times = {name: min(milliseconds(make) for _ in range(ROUNDS)) for name, make in ways.items()}
    first, first_processor = next(iter(times.values()))
    show(
        f"One call after another, a server that answers at once, best of {ROUNDS}",
        ("Client", "Median, ms", "Ratio", "Processor, ms", "Ratio"),
        [
            (name, f"{ms:.2f}", f"{ms / first:.2f}", f"{used:.2f}", f"{used / first_processor:.2f}")
            for name, (ms, used) in times.items()
        ],
    )


if __name__ == "__main__":
    main()
