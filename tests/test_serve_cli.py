"""`graphtalk serve` as a process: what its options do, how it ends, and what it keeps when it is killed."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from command_line import CommandLine

ASKED = {"graph": "atlas", "question": "What is the capital of Japan?", "conversation": ""}


@contextmanager
def server(keep: Path, *more: str) -> Iterator[tuple[httpx2.Client, "subprocess.Popen[bytes]"]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [
        sys.executable,
        "-m",
        "graphtalk",
        "serve",
        "atlas",
        "--port",
        port,
        "--keep",
        str(keep),
        *more,
    ]
    environment = {name: value for name, value in os.environ.items() if name != "GRAPHTALK_TOKEN"}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=300) as client:
            until = time.monotonic() + 300
            while not _answers(client) and time.monotonic() < until:
                time.sleep(0.05)
            yield client, process
    finally:
        process.kill()
        process.wait()


def _answers(client: httpx2.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx2.TransportError:
        return False


@pytest.mark.slow
def test_conversations_outlive_a_kill(tmp_path: Path) -> None:
    with server(tmp_path / "kept") as (client, process):
        id = client.post("/v1/ask", json=ASKED).json()["conversation"]
        process.kill()
    with server(tmp_path / "kept") as (client, process):
        turns = client.get(f"/v1/conversations/{id}").json()["turns"]
        assert [turn["answer"]["value"] for turn in turns] == [["Tokyo"]]
        process.send_signal(signal.SIGTERM)
        assert process.wait(300) in (0, -signal.SIGTERM)


@pytest.mark.slow
def test_a_client_may_ask_as_often_as_it_was_given(tmp_path: Path) -> None:
    with server(tmp_path / "kept", "--rate", "3") as (client, _):
        statuses = [client.get("/v1/graphs").status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]


def test_a_port_in_use_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cli = CommandLine(monkeypatch, capsys)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = cli("serve", "atlas", "--port", port, "--keep", tmp_path / "kept")
    assert done.code == 2 and f"port {port}: Address already in use" in done.err
    assert "serving" not in done.err and "Traceback" not in done.err
