"""A model server of ours, over real HTTP on the loopback, that misbehaves as it is told to.

    with FaultServer([status(429, after="1"), hang(5), says("Zinc")]) as server:
        lm = open_lm("openai:test", LmOptions(base_url=server.base_url))

Each request takes the next fault of the list; when the list is spent, replies are normal: `text` (or what it
makes of the request's body) and `usage`, after `delay` seconds. It speaks Chat Completions (`server.base_url`) and Anthropic's Messages (`server.root_url`), streamed or
whole. `server.requests` has what was asked, `server.most_in_flight` and `server.mean_in_flight()` how much at once.

As a process of its own: python tests/fault_server.py --delay 0.2   (prints its address; a line on stdin ends it)
"""

import argparse
import json
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

Body = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """What a normal reply says. `usage` replaces the true one, and None leaves it out; so does `finish`."""

    text: str | None = "ok"
    tool_calls: tuple[tuple[str, str], ...] = ()
    usage: Any = "true"
    finish: str | None = ""
    pieces: int = 3
    cut_after: int = -1  # pieces of a stream after which the connection is closed
    drip: float = 0.0  # seconds between single bytes


@dataclass(frozen=True)
class Asked:
    """A request: its path, its headers in lower case, and its body."""

    path: str
    headers: dict[str, str]
    body: Body


Fault = Callable[["Handler", Body], None]


def says(
    text: str | None = "ok", tool_calls: Sequence[tuple[str, str]] = (), usage: Any = "true", **more: Any
) -> Fault:
    """A reply: its text, its calls as (name, arguments), its usage."""
    said = Said(text, tuple(tool_calls), usage, **more)
    return lambda handler, body: handler.say(said, body)


def status(http: int, after: str | None = None, message: str = "busy", **more: str) -> Fault:
    """An error with that status. `after` is the `Retry-After` header: seconds, or `date+2` for two seconds ahead."""

    def act(handler: "Handler", body: Body) -> None:
        headers = {}
        if after is not None:
            ahead = after.removeprefix("date+")
            headers["Retry-After"] = (
                after if ahead == after else formatdate(time.time() + float(ahead), usegmt=True)
            )
        error = {"message": message, "type": "some_error", **more}
        handler.send(http, json.dumps({"error": error}), "application/json", headers)

    return act


def refuses(name: str) -> Fault:
    """A 400 that names a parameter, as OpenAI words it."""
    return status(
        400, message=f"Unsupported parameter: '{name}' is not supported with this model.", param=name
    )


def echoes_key(code: int = 401) -> Fault:
    """An error that repeats the key it was sent."""

    def act(handler: "Handler", body: Body) -> None:
        key = handler.headers.get("Authorization", "") or handler.headers.get("x-api-key", "")
        status(code, message=f"Incorrect API key provided: {key}.")(handler, body)

    return act


def hang(seconds: float) -> Fault:
    """Nothing for so long, then a closed connection. Ends early when the server is closed."""

    def act(handler: "Handler", body: Body) -> None:
        handler.faults.closing.wait(seconds)
        handler.drop()

    return act


def resets() -> Fault:
    """A connection that is reset before a word is sent."""

    def act(handler: "Handler", body: Body) -> None:
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.drop()

    return act


def cuts(text: str = "one two three", after: int = 2) -> Fault:
    """A reply that is cut: a stream after so many pieces, a whole one in the middle of its JSON."""
    return says(text, cut_after=after)


def sends(text: str, kind: str = "application/json", code: int = 200) -> Fault:
    """Any body: JSON that is broken or none, a web page, no choices."""
    return lambda handler, body: handler.send(code, text, kind)


def gathers(many: int, usage: Any = "true") -> list[Fault]:
    """Replies to so many requests, none of which is given before the last has come; after 20 seconds they are."""
    barrier = threading.Barrier(many)

    def act(handler: "Handler", body: Body) -> None:
        with suppress(threading.BrokenBarrierError):
            barrier.wait(20)
        handler.say(Said(usage=usage), body)

    return [act] * many


def drips(text: str = "slow", seconds: float = 0.05) -> Fault:
    """A reply a byte at a time, so that no single read ever times out."""
    return says(text, drip=seconds)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else head and body are 40 ms apart
    server: "_Server"

    @property
    def faults(self) -> "FaultServer":
        """The server that this belongs to."""
        return self.server.faults

    def do_POST(self) -> None:
        """Answer one request."""
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.faults.in_flight(Asked(self.path, headers, body)) as act:
            act(self, body)

    def say(self, said: Said, body: Body) -> None:
        """A reply in the API that was asked, streamed if that was asked."""
        self.faults.closing.wait(self.faults.delay)
        api = _messages if self.path.endswith("/messages") else _chat
        whole, events, first = api(said, body)
        if body.get("stream"):
            self._stream(events, said, first)
        elif said.cut_after >= 0:
            text = json.dumps(whole)
            self._head(200, "application/json", {"Content-Length": str(len(text))})
            self.wfile.write(text[: len(text) // 2].encode())
            self.drop()
        elif said.drip:
            self._head(200, "application/json", {"Transfer-Encoding": "chunked"})
            self._drip(json.dumps(whole), said.drip)
        else:
            self.send(200, json.dumps(whole), "application/json")

    def send(self, code: int, text: str, kind: str, headers: dict[str, str] | None = None) -> None:
        """A whole body."""
        data = text.encode()
        self._head(code, kind, {"Content-Length": str(len(data)), **(headers or {})})
        self.wfile.write(data)

    def drop(self) -> None:
        """Close the connection at once."""
        self.close_connection = True
        self.wfile.flush()
        self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def _stream(self, events: list[str], said: Said, first: int) -> None:
        self._head(200, "text/event-stream", {"Transfer-Encoding": "chunked"})
        for n, event in enumerate(events):
            if said.cut_after >= 0 and n == first + said.cut_after:
                self.drop()
                return
            if said.drip:
                self._drip(event, said.drip, ends=False)
            else:
                self._chunk(event.encode())
        self._chunk(b"")

    def _drip(self, text: str, seconds: float, ends: bool = True) -> None:
        for byte in text.encode():
            if self.faults.closing.wait(seconds):
                return
            self._chunk(bytes([byte]))
        if ends:
            self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _head(self, code: int, kind: str, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in {"Content-Type": kind, **headers}.items():
            self.send_header(name, value)
        self.end_headers()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 512
    faults: "FaultServer"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news."""


class FaultServer:
    """The server. `refused` names parameters that it answers 400 to for as long as a request has them."""

    def __init__(
        self,
        faults: Sequence[Fault] = (),
        *,
        text: str | Callable[[Body], str] = "ok",
        usage: Any = "true",
        delay: float = 0.0,
        refused: Sequence[str] = (),
        port: int = 0,
    ) -> None:
        self._left = list(faults)
        self._text = text
        self._usage = usage
        self._refused = tuple(refused)
        self._lock = threading.Lock()
        self._load = _Load()
        self.delay = delay
        self.requests: list[Asked] = []
        self.closing = threading.Event()
        self._server = _Server(("127.0.0.1", port), Handler)
        self._server.faults = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def root_url(self) -> str:
        """The address without `/v1`, as Anthropic's library wants it."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def base_url(self) -> str:
        """The address of the Chat Completions API."""
        return f"{self.root_url}/v1"

    @property
    def most_in_flight(self) -> int:
        """How many requests were under way at once, at most."""
        return self._load.most

    def mean_in_flight(self) -> float:
        """How many requests were under way on average, from the first request to the end of the last."""
        return self._load.mean()

    def in_flight(self, asked: Asked) -> "_Flight":
        """Count a request as long as the `with` lasts; gives how to answer it."""
        with self._lock:
            self.requests.append(asked)
            return _Flight(self._load, self._next(asked.body))

    def _next(self, body: Body) -> Fault:
        if bad := next((name for name in self._refused if name in body), None):
            return refuses(bad)
        if self._left:
            return self._left.pop(0)
        text = self._text if isinstance(self._text, str) else self._text(body)
        return says(text, usage=self._usage)

    def __enter__(self) -> "FaultServer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@dataclass
class _Load:
    """How many requests are under way, and were."""

    now: int = 0
    most: int = 0
    area: float = 0.0
    began: float = 0.0
    changed: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def step(self, by: int) -> None:
        """One more, or one less."""
        with self.lock:
            at = time.perf_counter()
            self.began = self.began or at
            self.area += self.now * (at - (self.changed or at))
            self.changed = at
            self.now += by
            self.most = max(self.most, self.now)

    def mean(self) -> float:
        """The average over time."""
        with self.lock:
            return self.area / (self.changed - self.began) if self.changed > self.began else 0.0


@dataclass(frozen=True)
class _Flight:
    load: _Load
    act: Fault

    def __enter__(self) -> Fault:
        self.load.step(1)
        return self.act

    def __exit__(self, *_: object) -> None:
        self.load.step(-1)


def _chat(said: Said, body: Body) -> tuple[Body, list[str], int]:
    """A reply of Chat Completions, the events of its stream, and which of them is the first with text."""
    calls = [
        {"index": n, "id": f"c{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for n, (name, arguments) in enumerate(said.tool_calls)
    ]
    message: Body = {"role": "assistant", "content": said.text}
    if calls:
        message["tool_calls"] = calls
    finish = said.finish if said.finish != "" else "tool_calls" if calls else "stop"
    usage = _usage(said, body, "prompt_tokens", "completion_tokens")
    whole: Body = {"id": "r", "object": "chat.completion", "model": body.get("model")}
    whole["choices"] = [{"index": 0, "message": message, "finish_reason": finish}]
    whole |= usage

    def event(delta: Body, ended: str | None = None, more: Body | None = None) -> str:
        choices = [{"index": 0, "delta": delta, "finish_reason": ended}]
        return f"data: {json.dumps({'choices': choices, **(more or {})})}\n\n"

    deltas: list[Body] = [{"content": piece} for piece in _pieces(said)]
    for call in calls:  # the name first, then the arguments in two pieces
        arguments = call["function"]["arguments"]
        half = len(arguments) // 2
        deltas.append(
            {"tool_calls": [{**call, "function": {**call["function"], "arguments": arguments[:half]}}]}
        )
        deltas.append({"tool_calls": [{"index": call["index"], "function": {"arguments": arguments[half:]}}]})
    events = [event(delta) for delta in deltas]
    events.append(event({}, finish))
    if (body.get("stream_options") or {}).get("include_usage"):
        events.append(f"data: {json.dumps({'choices': [], **usage})}\n\n")
    return whole, [*events, "data: [DONE]\n\n"], 0


def _messages(said: Said, body: Body) -> tuple[Body, list[str], int]:
    """A reply of the Messages API, the events of its stream, and which of them is the first with text."""
    blocks: list[Body] = [{"type": "text", "text": said.text}] if said.text else []
    for n, (name, arguments) in enumerate(said.tool_calls):
        blocks.append({"type": "tool_use", "id": f"c{n}", "name": name, "input": json.loads(arguments)})
    finish = said.finish if said.finish != "" else "tool_use" if said.tool_calls else "end_turn"
    usage = _usage(said, body, "input_tokens", "output_tokens")
    whole = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "content": blocks,
        "stop_reason": finish,
        **usage,
    }
    events: list[Body] = [{"type": "message_start", "message": {**whole, "content": [], **usage}}]
    for n, block in enumerate(blocks):
        empty = {"type": "text", "text": ""} if block["type"] == "text" else {**block, "input": {}}
        events.append({"type": "content_block_start", "index": n, "content_block": empty})
        if block["type"] == "text":
            deltas: list[Body] = [{"type": "text_delta", "text": piece} for piece in _pieces(said)]
        else:
            written = json.dumps(block["input"])
            deltas = [
                {"type": "input_json_delta", "partial_json": part} for part in (written[:5], written[5:])
            ]
        events += [{"type": "content_block_delta", "index": n, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": n})
    events.append({"type": "message_delta", "delta": {"stop_reason": finish}, **usage})
    events.append({"type": "message_stop"})
    return whole, [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events], 2


def _usage(said: Said, body: Body, prompt: str, reply: str) -> Body:
    if said.usage is None:
        return {}
    if said.usage != "true":
        return {"usage": said.usage}
    return {"usage": {prompt: 11, reply: 7}}


def _pieces(said: Said) -> Iterator[str]:
    text = said.text or ""
    size = max(1, -(-len(text) // said.pieces))
    return (text[at : at + size] for at in range(0, len(text), size))


def main() -> None:
    """Serve until a line comes on standard input; then print the load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds that each reply takes")
    parser.add_argument("--port", type=int, default=0)
    asked = parser.parse_args()
    with FaultServer(delay=asked.delay, port=asked.port) as server:
        print(server.base_url, flush=True)
        sys.stdin.readline()
        load = {"mean": server.mean_in_flight(), "most": server.most_in_flight}
        print(json.dumps(load | {"requests": len(server.requests)}), flush=True)


if __name__ == "__main__":
    main()
