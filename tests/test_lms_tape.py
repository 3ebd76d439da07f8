"""The tape: what is kept and found again, threads and processes, kills, and files of other programs."""

import contextlib
import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.core import LmError, UsageError
from graphtalk.lms import Message, Reply, Request, ToolCall, Usage, user
from graphtalk.lms.tape import APPLICATION, Recorded, Replayed, Tape, Taped, canonical, key_of

USAGE = Usage(calls=1, input_tokens=10, output_tokens=3, usd=0.25)
ASK = Request(user("Which gene?"))


@dataclass
class CountingLM:
    """Says which call this was, in two pieces, after `seconds`. The first `failures` calls fail."""

    name: str = "test:counting"
    seconds: float = 0.0
    failures: int = 0
    calls: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, request: Request) -> Reply:
        with self._lock:
            self.calls += 1
            number = self.calls
        time.sleep(self.seconds)
        if number <= self.failures:
            raise LmError("overloaded")
        return Reply(f"call {number}", (ToolCall("1", "f", "{}"),), USAGE, "tool_calls")

    def stream(self, request: Request) -> Iterator[str | Reply]:
        reply = self.complete(request)
        yield reply.text[:4]
        yield reply.text[4:]
        yield reply


@pytest.fixture
def tape(tmp_path: Path) -> Iterator[Tape]:
    made = Tape.open(tmp_path / "runs" / "tape.sqlite")
    yield made
    made.close()


def test_a_cached_reply_costs_no_money_and_counts_as_cached(tape: Tape) -> None:
    lm = CountingLM()
    cached = Taped(lm, tape)
    paid, hit = cached.complete(ASK), cached.complete(ASK)
    assert lm.calls == 1 and paid.usage == USAGE
    assert hit == replace(paid, usage=replace(USAGE, usd=0.0, cached_calls=1))


def test_a_recorded_reply_comes_back_as_it_was_paid_for(tmp_path: Path) -> None:
    path = tmp_path / "tape.sqlite"
    first = Taped(CountingLM(), Tape.open(path), "record").complete(ASK)
    lm = CountingLM()
    assert Taped(lm, Tape.open(path), "record").complete(ASK) == first
    assert lm.calls == 0


def test_replay_needs_no_model_and_says_what_it_lacks(tape: Tape) -> None:
    reply = Taped(CountingLM(), tape, "record").complete(ASK)
    beside = Replayed("test:counting", Tape.read(tape.path))  # the run is still on
    assert beside.complete(ASK) == reply
    beside.tape.close()
    tape.close()
    replayed = Replayed("test:counting", Tape.read(tape.path))
    assert replayed.complete(ASK) == reply
    assert list(replayed.stream(ASK)) == ["call 1", reply]
    with pytest.raises(LmError, match=r"test:counting.*'Which drug\?'"):
        replayed.complete(Request(user("Which drug?")))
    with pytest.raises(LmError, match="test:other"):
        Replayed("test:other", replayed.tape).complete(ASK)
    with pytest.raises(LmError, match="readonly"):
        replayed.tape.put("k", "lm", ASK, reply)
    assert list(tape.path.parent.iterdir()) == [tape.path]


def test_every_part_of_a_request_tells_replies_apart() -> None:
    others = [
        replace(ASK, messages=user("Which gene?", "Be brief.")),
        replace(ASK, messages=(Message("tool", "Which gene?", tool_call_id="1"),)),
        replace(ASK, messages=(Message("user", "Which gene?", (ToolCall("1", "f", "{}"),)),)),
        replace(ASK, stop=("\n",)),
        replace(ASK, tools=({"type": "function"},)),
        replace(ASK, schema={"type": "object"}),
        replace(ASK, temperature=0.5),
        replace(ASK, seed=1),
        replace(ASK, max_tokens=7),
    ]
    keys = {key_of("openai:a", request) for request in (ASK, *others)}
    keys |= {
        key_of("openai:b", ASK),
        key_of("openai:a", ASK, "http://one"),
        key_of("openai:a", ASK, "http://two"),
    }
    assert len(keys) == len(others) + 4


def test_keys_of_earlier_recordings_stay_the_same() -> None:
    text = (
        '{"max_tokens": 512, "messages": [{"content": "Which gene?", "role": "user", "tool_call_id": "", '
        '"tool_calls": []}], "schema": null, "seed": 0, "stop": [], "temperature": 0.0, "tools": []}'
    )
    assert canonical(ASK) == canonical(replace(ASK, temperature=0)) == text
    assert key_of("openai:a", ASK) == hashlib.sha256(f'["openai:a"]\n{text}'.encode()).hexdigest()


ANY_TEXT = st.text(st.characters(exclude_categories=()))  # half a surrogate pair too, as models may write


@given(ANY_TEXT, ANY_TEXT, st.floats(0, 2), st.integers(), st.booleans())
def test_what_is_kept_is_found_again_unchanged(a: str, b: str, heat: float, seed: int, schema: bool) -> None:
    call = ToolCall(a, b, json.dumps({"x": a}))
    messages = (Message("system", a), Message("assistant", b, (call,)), Message("tool", a, (), b))
    tools = ({"name": a, "parameters": {"properties": {b: [1, None, True]}}},)
    request = Request(messages, (a, b), tools, {"const": b} if schema else None, heat, seed, 5)
    reply = Reply(b, (call,), Usage(2, 3, 4, 0.1, 1), "length")
    with tempfile.TemporaryDirectory() as folder:
        tape = Tape.open(Path(folder) / "tape.sqlite")
        tape.put("k", "openai:a", request, reply)
        assert list(tape) == [Recorded("openai:a", request, reply)]
        assert tape.get("k") == reply
        tape.close()


def test_descriptions_of_tools_may_be_any_mapping(tape: Tape) -> None:
    frozen = replace(ASK, tools=(MappingProxyType({"type": "function"}),))
    assert key_of("a", frozen) == key_of("a", replace(ASK, tools=({"type": "function"},)))
    assert Taped(CountingLM(), tape).complete(frozen).text == "call 1"


def test_a_long_tape_is_gone_through_in_order(tape: Tape) -> None:
    for number in range(250):
        tape.put(str(number), "openai:a", replace(ASK, seed=number), Reply(""))
    assert [row.request.seed for row in tape] == list(range(250)) and len(tape) == 250


def test_a_stream_is_kept_at_its_end_and_a_hit_comes_in_one_piece(tape: Tape) -> None:
    lm = CountingLM()
    pieces = Taped(lm, tape, "record").stream(ASK)
    assert [next(pieces), next(pieces)] == ["call", " 1"]
    assert len(tape) == 0
    reply = next(pieces)
    assert len(tape) == 1
    assert list(Taped(lm, tape, "record").stream(ASK)) == ["call 1", reply]
    assert lm.calls == 1


def test_a_stream_left_half_read_keeps_nothing_and_holds_nobody_up(tape: Tape) -> None:
    lm = CountingLM()
    cached = Taped(lm, tape)
    left = cached.stream(ASK)
    next(left)
    assert cached.complete(ASK).text == "call 2"  # the same thread never waits for itself
    half = cached.stream(replace(ASK, seed=1))
    next(half)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(cached.complete, replace(ASK, seed=1))
        time.sleep(0.1)
        assert not other.done()
        half.close()
        assert other.result(300).text == "call 4"


def test_failures_are_not_kept(tape: Tape) -> None:
    cached = Taped(CountingLM(failures=1), tape)
    with pytest.raises(LmError, match="overloaded"):
        cached.complete(ASK)
    assert len(tape) == 0
    assert cached.complete(ASK).text == "call 2"


@pytest.mark.parametrize("failures", [0, 1])
def test_threads_that_ask_the_same_at_once_pay_once(tape: Tape, failures: int) -> None:
    lm = CountingLM(seconds=0.1, failures=failures)
    cached = Taped(lm, tape)

    def ask(number: int) -> str:
        try:
            reply = cached.complete(ASK) if number % 2 else list(cached.stream(ASK))[-1]
        except LmError:
            return "failed"
        assert isinstance(reply, Reply)
        return reply.text

    with ThreadPoolExecutor(16) as pool:
        said = list(pool.map(ask, range(16)))
    assert lm.calls == 1 + failures
    assert said.count("failed") == failures
    assert said.count(f"call {1 + failures}") == 16 - failures


def test_different_requests_do_not_wait_for_each_other(tape: Tape) -> None:
    together = threading.Barrier(16, timeout=300)

    class Meeting(CountingLM):
        def complete(self, request: Request) -> Reply:
            together.wait()  # raises where not all are under way at once
            return super().complete(request)

    cached = Taped(Meeting(), tape)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda seed: cached.complete(replace(ASK, seed=seed)), range(16)))
    assert len(tape) == 16


WRITER = """
import sys
from graphtalk.lms import Reply, Request, user
from graphtalk.lms.tape import Tape, key_of
path, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
tape = Tape.open(path)
for seed in range(first, last):
    request = Request(user("x" * 5000), seed=seed)
    tape.put(key_of("m", request), "m", request, Reply(str(seed)))
    print(seed, flush=True)
"""


def start_writer(path: Path, first: int, last: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(path), str(first), str(last)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_many_processes_open_and_write_one_new_tape(tmp_path: Path) -> None:
    path = tmp_path / "tape.sqlite"
    writers = [
        start_writer(path, 20 * n, 20 * n + 30) for n in range(6)
    ]  # ten of each are also the next one's
    for writer in writers:
        writer.communicate(timeout=300)
        assert writer.returncode == 0
    assert {row.reply.text for row in Tape.read(path)} == {str(n) for n in range(130)}


@pytest.mark.parametrize("written", [0, 1, 40])
def test_a_kill_leaves_a_valid_tape_with_all_that_was_written(tmp_path: Path, written: int) -> None:
    path = tmp_path / "tape.sqlite"
    writer = start_writer(path, 0, 100_000)
    assert writer.stdout is not None
    while not path.exists():  # killed as early as while the file is made
        time.sleep(0.001)
    said = [writer.stdout.readline().strip() for _ in range(written)]
    os.kill(writer.pid, signal.SIGKILL)
    said += writer.stdout.read().split()
    writer.wait()
    tape = Tape.open(path)
    with contextlib.closing(sqlite3.connect(path)) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert [row.reply.text for row in tape][: len(said)] == said
    assert Taped(CountingLM(name="m"), tape).complete(ASK).text == "call 1"
    tape.close()


def foreign_files() -> Iterator[tuple[str, bytes]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "other.sqlite"
        for version, number in ((APPLICATION, 99), (0, 1)):
            path.unlink(missing_ok=True)
            other = sqlite3.connect(path)
            other.executescript(
                f"PRAGMA journal_mode=WAL; PRAGMA application_id={version}; PRAGMA user_version={number};"
                "CREATE TABLE bookmarks (url)"
            )
            other.close()
            yield f"database {version} {number}", path.read_bytes()
    yield "text", b"name,age\nAda,36\n"
    yield "cut", b"SQLite format 3\0"


@pytest.mark.parametrize("content", [pytest.param(raw, id=name) for name, raw in foreign_files()])
def test_a_file_of_another_program_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.db"
    path.write_bytes(content)
    for way in (Tape.open, Tape.read):
        with pytest.raises(UsageError, match=r"mine\.db is (not a tape|a tape of format 99)"):
            way(path)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no recording at .*absent"):
        Tape.read(tmp_path / "absent")
    with pytest.raises(UsageError, match="Cannot open the tape"):
        Tape.open(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="Cannot open the tape"):
        Tape.open(tmp_path / "file" / "tape")
    Tape.open(tmp_path / "file").close()  # an empty file is a tape that was just begun
