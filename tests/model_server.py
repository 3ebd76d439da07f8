"""A real model server that we did not write: `transformers serve`, which speaks OpenAI's protocol.

One server serves every model folder: a request names the folder as its model, and the server loads it. So a test
makes its own tiny model (`tiny_model.py`) and asks `openai:FOLDER` at `model_server.url`. Use it by

    from model_server import model_server
"""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError

import pytest

STARTS_WITHIN = 600.0  # seconds; usually about ten, most of it imports


@dataclass(frozen=True)
class ModelServer:
    """Where the server is: its base URL for clients of OpenAI's protocol, and the file of what it prints."""

    url: str
    log: Path


@pytest.fixture(scope="session")
def model_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    """The server, started once and stopped at the end."""
    with serving(tmp_path_factory.mktemp("server") / "log.txt") as server:
        yield server


@contextmanager
def serving(log: Path) -> Iterator[ModelServer]:
    """A server that runs as long as the block does."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("transformers")), "serve", "--host", "127.0.0.1"]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--port", str(port)], stdout=out, stderr=subprocess.STDOUT, env=environment
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/health", process, log)
        yield ModelServer(f"http://127.0.0.1:{port}/v1", log)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Until the server answers; an error with what it printed where it does not."""
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (URLError, TimeoutError, ConnectionError):
            time.sleep(0.1)
    raise AssertionError(f"transformers serve did not start:\n{log.read_text(errors='replace')[-3000:]}")


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
