"""Benchmark runs with a model server: killed, interrupted, out of money, refused, and replayed without it."""

import json
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bench_runs import PRICES, Bench, records, start, timeless, walks
from command_line import CommandLine
from fault_server import FaultServer, status

MOST = 8  # questions of a run
REPLY_USD = 7 * 100 / 1_000_000  # tokens of a reply of the server, at the price of PRICES
DEAREST_USD = 512 * 100 / 1_000_000  # what is set aside for a reply before it comes


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench.make(tmp_path_factory.mktemp("bench"))


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with FaultServer(text=walks) as running:
        yield running


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-test")
    return CommandLine(monkeypatch, capsys)


Words = Callable[..., list[object]]


@pytest.fixture
def words(bench: Bench, tmp_path: Path) -> Words:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES, encoding="utf-8")

    def of(server: FaultServer, out: Path, *more: object) -> list[object]:
        lm = ("--lm", "openai:test", "--base-url", server.base_url, "--reasoner", "graph-cot")
        return bench.words(out, "--limit", MOST, *lm, "--prices", prices, *more)

    return of


@pytest.fixture
def whole(cli: CommandLine, server: FaultServer, words: Words, tmp_path: Path) -> Path:
    """A run that nothing disturbed, with one worker."""
    out = tmp_path / "whole"
    assert cli(*words(server, out, "--workers", 1)).code == 0
    return out


def eventually(happened: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    for _ in range(6_000):
        if happened():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen in five minutes")


def lines(out: Path) -> int:
    file = out / "records.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


def prompts(server: FaultServer) -> list[str]:
    return [json.dumps(asked.body, sort_keys=True) for asked in server.requests]


def test_a_run_keeps_what_was_used_and_no_key(whole: Path, server: FaultServer) -> None:
    found = records(whole)
    assert sum(record["usage"]["calls"] for record in found) == len(server.requests) > MOST
    assert found[0]["usage"]["usd"] == pytest.approx(REPLY_USD * found[0]["usage"]["calls"])
    assert all("sk-secret" not in path.read_bytes().decode("latin-1") for path in whole.iterdir())


def test_many_workers_give_the_same_records(
    cli: CommandLine, server: FaultServer, words: Words, whole: Path, tmp_path: Path
) -> None:
    server.delay = 0.3
    assert cli(*words(server, tmp_path / "many", "--workers", MOST)).code == 0
    assert timeless(tmp_path / "many") == timeless(whole)
    assert server.most_in_flight > MOST // 2


def test_a_killed_run_goes_on_and_pays_nothing_twice(
    cli: CommandLine, server: FaultServer, words: Words, whole: Path, tmp_path: Path
) -> None:
    paid_by_whole = sorted(prompts(server))
    server.requests.clear()
    server.delay = 0.05
    out, workers = tmp_path / "killed", 2
    for kills in (1, 3, 5):
        process = start(words(server, out, "--workers", workers))
        eventually(lambda kills=kills: lines(out) >= kills)  # type: ignore[misc]
        process.kill()
        process.communicate()
    server.delay = 0
    ended = cli(*words(server, out, "--workers", workers))
    assert ended.code == 0 and "kept from before" in ended.err
    assert timeless(out) == timeless(whole)
    # Only what was under way at a kill was asked again, for no reply of it had come.
    assert set(prompts(server)) - {"{}"} == set(paid_by_whole)  # {}: killed before the request was sent
    assert len(server.requests) <= len(paid_by_whole) + 3 * workers


def test_ctrl_c_finishes_what_is_in_hand(
    cli: CommandLine, server: FaultServer, words: Words, whole: Path, tmp_path: Path
) -> None:
    server.delay = 0.5
    out = tmp_path / "stopped"
    process = start(words(server, out, "--workers", 2))
    eventually(lambda: lines(out) >= 1)
    process.send_signal(signal.SIGINT)
    printed, told = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "interrupted" in told and "Traceback" not in told and "Scores" in printed
    asked = [record["id"] for record in records(out)]
    assert 1 <= len(asked) < MOST and asked == [record["id"] for record in records(whole)][: len(asked)]
    server.delay = 0
    assert cli(*words(server, out)).code == 0
    assert timeless(out) == timeless(whole)


def test_ctrl_c_twice_ends_at_once(
    server: FaultServer, words: Words, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    server.delay = 600
    process = start(words(server, tmp_path / "stopped"))
    eventually(lambda: len(server.requests) >= 1)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None and "Ctrl-C again" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)  # long before the server answers
    assert process.returncode == 130


def test_a_budget_is_of_the_whole_run(
    cli: CommandLine, server: FaultServer, words: Words, whole: Path, tmp_path: Path
) -> None:
    needed = sum(record["usage"]["usd"] for record in records(whole))
    server.requests.clear()
    out = tmp_path / "poor"
    short = cli(*words(server, out, "--workers", 2, "--budget-usd", needed / 2 + DEAREST_USD))
    assert short.code == 1 and "the budget is spent" in short.err
    done = len(records(out))
    assert 0 < done < MOST and f"{MOST - done} left" in short.err
    assert all(record["stopped"] != "budget" for record in records(out))
    again = cli(*words(server, out, "--budget-usd", needed / 4))
    assert again.code == 1 and "Run it again with a larger --budget-usd" in again.err
    enough = cli(*words(server, out, "--budget-usd", needed * 1.01 + DEAREST_USD))
    assert enough.code == 0
    assert timeless(out) == timeless(whole)
    assert len(server.requests) * REPLY_USD == pytest.approx(needed)


def test_a_model_that_cannot_be_asked_ends_the_run_and_is_asked_again(
    cli: CommandLine, server: FaultServer, words: Words, whole: Path, tmp_path: Path
) -> None:
    out = tmp_path / "refused"
    with FaultServer([status(401, message="no such key")] * 100) as bad:
        failed = cli(*words(bad, out, "--workers", 1))
    assert failed.code == 1 and "5 questions in a row could not be asked" in failed.err
    assert "no such key" in failed.err and "sk-secret" not in failed.err
    assert [record["failure"] for record in records(out)] == ["lm"] * 5
    assert cli("bench", "report", out, "--json").json["runs"][0]["all"]["failures"] == {"lm": 5}
    assert cli("bench", "replay", out).code == 0
    assert cli(*words(server, out)).code == 0  # at another address: what counts is the model
    assert timeless(out) == timeless(whole)


def test_a_passing_failure_costs_one_question(
    cli: CommandLine, server: FaultServer, words: Words, tmp_path: Path
) -> None:
    with FaultServer([status(404, message="not now")], text=walks) as shaky:
        ended = cli(*words(shaky, tmp_path / "run", "--workers", 1))
    assert ended.code == 1 and "1 left, 1 of them could not be asked" in ended.err
    assert [record["failure"] for record in records(tmp_path / "run")].count("lm") == 1


def test_replay_needs_no_server_and_no_key(
    cli: CommandLine, server: FaultServer, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = len(server.requests)
    monkeypatch.delenv("OPENAI_API_KEY")
    again = cli("bench", "replay", whole, "--workers", 3)
    assert (again.code, len(server.requests)) == (0, asked)
    assert again.out == cli("bench", "report", whole).out


def test_replay_of_a_recording_that_lacks_replies_says_so(cli: CommandLine, whole: Path) -> None:
    import sqlite3

    with sqlite3.connect(whole / "recording.sqlite") as tape:
        tape.execute("DELETE FROM replies WHERE rowid = 1")
    tape.close()
    again = cli("bench", "replay", whole)
    assert again.code == 1 and records(whole)[0]["id"] in again.err


def test_a_judge_is_asked_recorded_and_replayed(
    cli: CommandLine, server: FaultServer, words: Words, tmp_path: Path
) -> None:
    script = tmp_path / "judge.jsonl"
    script.write_text('{"text": "Yes", "repeat": true}\n', encoding="utf-8")
    out = tmp_path / "judged"
    ran = cli(*words(server, out, "--judge", f"scripted:{script}"))
    assert ran.code == 0
    answered = [record["answered"] for record in records(out)]
    assert [record["scores"]["judge"] for record in records(out)] == [float(a) for a in answered]
    script.unlink()
    again = cli("bench", "replay", out)
    assert again.code == 0 and again.out == cli("bench", "report", out).out


def test_a_missing_key_is_one_line(
    cli: CommandLine, server: FaultServer, words: Words, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    wanting = [
        word for word in words(server, tmp_path / "run") if word not in ("--base-url", server.base_url)
    ]
    ended = cli(*wanting)
    assert ended.code == 2 and "OPENAI_API_KEY" in ended.err and ended.err.count("\n") == 1
