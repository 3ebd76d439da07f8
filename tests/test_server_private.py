"""What the server keeps to itself, and what it says when its model cannot be reached."""

import json
import os
import socket
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import anyio
import httpx2
import openai
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

import graphtalk as gt
from graphtalk.app import mcp
from graphtalk.app.chat import _read_history, _write_history
from graphtalk.app.server.config import ServerSettings
from graphtalk.app.server.conversations import Conversations, Turn, kept_by_default
from graphtalk.app.server.problems import of_error, without_places
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from graphtalk.core import ToolError
from graphtalk.graphs.scratch import cache_folder, data_folder
from site_server import running, serving

LOADS = (
    'GL("gpr", {"lollipop_graph"})',
    '[GR(GL("gpr", {"lollipop_graph"}), "toolx:diameter")-->r]',
    'GL["gpr"]',
    'Diameter[graph=GL["cora"]]',
    'GL["/etc/passwd"]',
)


@pytest.fixture(scope="module")
def client() -> Iterator[httpx2.Client]:
    shelf = Shelf.of([gt.open("atlas")], Settings())
    with serving(shelf, ServerSettings()) as url, httpx2.Client(base_url=url, timeout=300) as client:
        yield client


@pytest.mark.parametrize("call", LOADS)
def test_calls_load_only_what_is_served(client: httpx2.Client, call: str) -> None:
    refused = client.post("/v1/call", json={"graph": "atlas", "call": call})
    assert refused.status_code == 422, refused.text
    named = call.split('"')[1]
    said = (
        f"No graph {named!r} is here. Valid: atlas."
        if "/" not in named
        else f"No graph may be loaded from {named!r}. Nothing is allowed."
    )
    assert refused.json()["detail"].startswith(said)


def test_texts_with_calls_and_questions_load_only_what_is_served(client: httpx2.Client) -> None:
    for reasoner in ("toolformer", "auto", "graph-cot", "graph-agents"):
        asked = {
            "graph": "atlas",
            "question": "What is the diameter of the lollipop graph?",
            "reasoner": reasoner,
        }
        answer = client.post("/v1/ask", json={**asked, "trace": True}).json()
        assert not answer["answered"] or "gpr" not in json.dumps(answer["calls"]), (reasoner, answer)


def test_verification_loads_only_what_is_served(client: httpx2.Client) -> None:
    here = gt.ask("gpr", "What is the diameter of the lollipop graph?")
    assert here.answered
    forged = {
        "answered": True,
        "answer": here.text,
        "value": here.value,
        "evidence": {"nodes": [], "edges": [], "complete": True},
        "calls": [{"spelling": c.spelling, "result": c.result, "seconds": 0} for c in here.calls],
    }
    found = client.post("/v1/verify", json={"graph": "atlas", "answer": forged}).json()
    assert found["same"] is False


def test_what_is_allowed_may_be_loaded_but_is_not_served() -> None:
    shelf = Shelf.of([gt.open("atlas")], Settings(), allowed=[gt.open("gpr")])
    with serving(shelf, ServerSettings()) as url, httpx2.Client(base_url=url, timeout=300) as client:
        made = client.post("/v1/call", json={"graph": "atlas", "call": LOADS[1]})
        assert made.status_code == 200 and made.json()["result"] == 11, made.text
        assert [graph["name"] for graph in client.get("/v1/graphs").json()["graphs"]] == ["atlas"]
        assert client.get("/v1/graphs/gpr").status_code == 404


def test_mcp_tools_load_only_what_is_served() -> None:
    async def use() -> None:
        shelf = Shelf.of([gt.open("atlas")], Settings())
        with running(mcp.site(shelf, ServerSettings(), ["GL"])) as url:
            async with Client(streamable_http_client(f"{url}/mcp")) as client:
                found = await client.call_tool("GL", {"name": "gpr"})
                assert found.is_error and "is here" in found.content[0].text

    anyio.run(use)


@pytest.mark.parametrize(
    "folder", [Path.home(), cache_folder(), data_folder(), Path.cwd(), Path(gt.__file__).parent], ids=str
)
def test_errors_name_no_place_of_the_machine(folder: Path) -> None:
    error = ToolError(f"{folder}/models/atlas-1/bpr: card.json is damaged. Fit the model again.")
    assert of_error(error).detail == "…: card.json is damaged. Fit the model again."
    assert without_places(f"'{folder}'") == "'…'"


@pytest.mark.parametrize("text", ["../../etc/passwd", "/v1/graphs", "and/or", f"{Path.home()}less"])
def test_what_only_looks_like_a_place_stays(text: str) -> None:
    assert without_places(text) == text


@pytest.fixture(scope="module")
def unreachable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose model listens nowhere."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and nobody listens
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        settings = Settings(lm="openai:none", base_url=url, retries=1)
        shelf = Shelf.of([gt.open("atlas")], settings)
        keep = tmp_path_factory.mktemp("lm") / "kept.sqlite"
        with serving(shelf, ServerSettings(keep=keep)) as url:
            yield url


ASKED = {"graph": "atlas", "question": "What is the capital of Japan?"}
UNSURE = {
    "graph": "atlas",
    "question": "Which of the neighbours of France would a poet like?",
}  # only a model would answer


@pytest.mark.parametrize("reasoner", ["", "base", "text-rag", "graph-cot"])
def test_a_model_that_cannot_be_reached_is_said_to_be(unreachable: str, reasoner: str) -> None:
    reply = httpx2.post(
        f"{unreachable}/v1/ask", json={**UNSURE, "reasoner": reasoner, "conversation": ""}, timeout=300
    )
    assert reply.status_code == 503 and "openai:none" in reply.json()["detail"], reply.text
    assert httpx2.get(f"{unreachable}/v1/conversations", timeout=300).json() == {"conversations": []}
    without = httpx2.post(f"{unreachable}/v1/ask", json={**ASKED, "lm": "offline"}, timeout=300)
    assert without.json()["value"] == ["Tokyo"]


def test_streams_and_chats_say_so_too(unreachable: str) -> None:
    stream = httpx2.post(
        f"{unreachable}/v1/ask", json=UNSURE, headers={"Accept": "text/event-stream"}, timeout=300
    )
    assert "event: problem" in stream.text and '"status": 503' in stream.text
    chat = openai.OpenAI(base_url=f"{unreachable}/v1", api_key="none", max_retries=0)
    said = [{"role": "user", "content": UNSURE["question"]}]
    with pytest.raises(openai.APIStatusError) as refused:
        chat.chat.completions.create(model="atlas", messages=said)
    assert refused.value.status_code == 503 and "openai:none" in refused.value.message


def test_conversations_are_private(tmp_path: Path) -> None:
    file = tmp_path / "data" / "kept.sqlite"
    before = os.umask(0)
    try:
        kept = Conversations(file)
        kept.add("me", "", "atlas", Turn("?", {}))
        parts = list(file.parent.iterdir())
        assert len(parts) == 3 and {stat.S_IMODE(part.stat().st_mode) for part in parts} == {0o600}
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        kept.close()
        file.chmod(0o644)
        Conversations(file).close()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_what_was_typed_in_the_terminal_is_private_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readline = pytest.importorskip("readline")
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sys.platform", "linux")
    older = tmp_path / "cache" / "chat_history"
    older.parent.mkdir()
    readline.clear_history()
    readline.add_history("Where is Peru?")
    readline.write_history_file(older)
    older.chmod(0o644)
    readline.clear_history()
    path = _read_history()
    assert path == tmp_path / "data" / "graphtalk" / "chat_history" and not older.exists()
    assert readline.get_history_item(1) == "Where is Peru?"
    _write_history(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    readline.clear_history()


def test_conversations_of_the_cache_are_moved_to_the_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sys.platform", "linux")
    older = tmp_path / "cache" / "conversations.sqlite"
    kept = Conversations(older)
    id = kept.add("me", "", "atlas", Turn("Where is Peru?", {}))
    with sqlite3.connect(older) as db:
        db.execute("SELECT count(*) FROM turn")
    found = kept_by_default()
    assert found == tmp_path / "data" / "graphtalk" / "conversations.sqlite" and not older.exists()
    again = Conversations(found)
    moved = again.turns("me", id)
    assert moved is not None and moved[1][0].asked == "Where is Peru?"
    assert kept_by_default() == found
    again.close()
    kept.close()
