"""How fast many node agents of a language model are: asked from one process, and spread over several.

    python scripts/bench_agents.py --nodes 10000 --delay 0.1 --spread 1 2 4

Every node of a ring is an agent that a server of our own answers after so many seconds, with a reply that is of the card's
types; the compiled step puts it right. `--spread 1` is this process alone; it is also asked with the usual 32 requests at once.
"""

import argparse
import asyncio
import json
import sys
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from graphtalk.lms.options import LmOptions
from graphtalk.lms.registry import open_lm
from graphtalk.reasoners.graph_agents.agents import AT_ONCE, SPREAD_AT_ONCE, LmEngine
from graphtalk.vertex import library, run, small_graph
from tables import machine, show

REPLY = '{"state": {"ends": 0}, "messages": {}}'


def serve(delay: float, to: Connection) -> None:
    """A server of Chat Completions that says the same after a while, as many at once as ask."""
    said = {"role": "assistant", "content": REPLY}
    body = json.dumps(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "agents",
            "choices": [{"index": 0, "finish_reason": "stop", "message": said}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
    ).encode()
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    )

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                told = (await reader.readuntil(b"\r\n\r\n")).lower()
                await reader.readexactly(int(told.split(b"content-length:")[1].split(b"\r\n")[0]))
                await asyncio.sleep(delay)
                writer.write(head + body)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def listen() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=4096)
        to.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(listen())


def seconds(nodes: int, options: LmOptions, at_once: int) -> float:
    """How long it takes until every agent of a ring has replied once and more."""
    card, lm = library()["degree"], open_lm("openai:agents", options)
    warm = small_graph(2, [(0, 1)], directed=False)
    for _ in range(8):  # processes have started, and imported what they need
        run(card.program, warm, {}, LmEngine(lm, at_once, card=card))
    graph = small_graph(nodes, [(node, (node + 1) % nodes) for node in range(nodes)], directed=False)
    engine = LmEngine(lm, at_once, card=card)
    started = time.perf_counter()
    run(card.program, graph, {}, engine)
    print(f"    {engine.tally.said}", flush=True)
    return (time.perf_counter() - started) / engine.tally.requests


def main() -> None:
    """Read the options, start the server, and time each way."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=1_000)
    parser.add_argument("--delay", type=float, default=0.1)
    parser.add_argument("--spread", type=int, nargs="*", default=[1, 2])
    given = parser.parse_args()
    here, there = get_context("spawn").Pipe()
    server = get_context("spawn").Process(target=serve, args=(given.delay, there), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{here.recv()}/v1"
    rows = []
    for spread, at_once in [(1, AT_ONCE), *((n, SPREAD_AT_ONCE) for n in given.spread)]:
        options = LmOptions(base_url=url, spread="" if spread == 1 else str(spread))
        each = seconds(given.nodes, options, at_once)
        rows.append((str(spread), str(at_once), f"{1 / each:,.0f}"))
    show(
        f"{given.nodes:,} agents, {given.delay} s a reply; {machine()}",
        ("processes", "at once", "replies a second"),
        rows,
    )
    server.kill()


if __name__ == "__main__":
    main()
