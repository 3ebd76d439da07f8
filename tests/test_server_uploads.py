"""Files that become graphs, and what is said of answers: what is taken, what is refused, and what is kept."""

import io
import json
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

import graphtalk as gt
from graphtalk.app import batch
from graphtalk.app.server.config import Bounds, ServerSettings
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from site_server import serving

BOATS = b"boat,harbour,length\nMaren,Skagen,12\nTove,Skagen,9\nLiv,Esbjerg,15\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def client(place: Path) -> Iterator[httpx2.Client]:
    settings = ServerSettings(
        keep=place / "kept.sqlite", uploads=place / "uploads", bounds=Bounds(upload=2 << 20)
    )
    shelf = Shelf.of([gt.open("gpr")], Settings())
    with serving(shelf, settings) as url, httpx2.Client(base_url=url, timeout=300) as client:
        yield client


def put(client: httpx2.Client, name: str, file: str, body: bytes) -> httpx2.Response:
    return client.post("/v1/graphs", params={"name": name, "file": file}, content=body)


def packed(**members: bytes) -> bytes:
    into = io.BytesIO()
    with tarfile.open(fileobj=into, mode="w") as archive:
        for name, content in members.items():
            about = tarfile.TarInfo(f"{name}.csv")
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return into.getvalue()


def test_a_file_becomes_a_graph_that_is_asked_about(client: httpx2.Client, place: Path) -> None:
    boats = b"name,harbour,length\nMaren,Skagen,12\nTove,Skagen,9\nLiv,Esbjerg,15\n"
    harbours = b"name,berths\nSkagen,300\nEsbjerg,200\n"
    made = put(client, "boats", "boats.tar", packed(boat=boats, harbour=harbours))
    assert made.status_code == 201, made.text
    assert made.json()["nodes"] == 5
    shown = client.get("/v1/graphs").json()
    assert [graph["name"] for graph in shown["graphs"]] == ["gpr", "boats"] and shown["upload"] == 2 << 20
    asked = {"graph": "boats", "question": "Which boat has the largest length?"}
    assert client.post("/v1/ask", json=asked).json()["value"] == ["Liv"]
    assert gt.open(place / "uploads" / "boats.gt").num_nodes == 5
    assert put(client, "boats", "more.csv", BOATS).status_code == 409


@pytest.mark.parametrize(
    ("name", "file", "body", "status", "says"),
    [
        ("../../x", "a.csv", BOATS, 422, "letters, digits"),
        (".hidden", "a.csv", BOATS, 422, "letters, digits"),
        ("x", "../a.csv", BOATS, 422, "rename it"),
        ("x", "recipe.toml", b'nodes = "/etc/passwd"', 415, "not taken"),
        ("x", "films.duckdb", b"DUCK", 415, "not taken"),
        ("x", "model.pkl", b"\x80\x04.", 415, "not taken"),
        ("x", "a.zip", b"no archive", 422, "no archive"),
        ("x", "a.csv", b"", 422, ""),
        ("x", "a.csv", b"id,name\n1\n", 422, "a.csv, line 2: wrong number of cells"),
        ("x", "a.graphml", b"<graphml><node", 422, "a.graphml"),
        ("x", "a.csv", b"a,b\n" + b"x,y\n" * 1_000_000, 413, "larger"),
    ],
)
def test_what_cannot_become_a_graph_is_refused_and_leaves_nothing(
    client: httpx2.Client, place: Path, name: str, file: str, body: bytes, status: int, says: str
) -> None:
    reply = put(client, name, file, body)
    assert reply.status_code == status, reply.text
    assert says in reply.json()["detail"] and "graphtalk-upload-" not in reply.text
    assert "--" not in reply.json()["detail"] and not reply.json()["detail"].startswith("graphtalk:")
    assert not (place / "uploads" / "x.gt").exists()


def test_an_archive_holds_no_other_kinds(client: httpx2.Client) -> None:
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w") as archive:
        archive.writestr("films.csv", "a,b\nx,y\n")
        archive.writestr("films.duckdb", "DUCK")
    assert put(client, "x", "a.zip", into.getvalue()).status_code == 415


def test_no_file_is_taken_where_it_is_not_allowed(place: Path) -> None:
    with serving(Shelf.of([gt.open("gpr")], Settings()), ServerSettings()) as url:
        refused = httpx2.post(f"{url}/v1/graphs?name=x&file=a.csv", content=BOATS, timeout=300)
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET")
        said = {"graph": "gpr", "question": "q", "answer": 1, "right": True}
        assert httpx2.post(f"{url}/v1/feedback", json=said, timeout=300).status_code == 403


def test_what_is_said_of_an_answer_is_kept_as_a_case_that_can_be_asked_again(
    client: httpx2.Client, place: Path
) -> None:
    said = {
        "graph": "gpr",
        "question": "How many graphs are there?",
        "answer": 3,
        "right": False,
        "note": "5",
    }
    assert client.post("/v1/feedback", json=said).status_code == 204
    file = place / "feedback.jsonl"
    assert file.stat().st_mode & 0o777 == 0o600
    kept = [json.loads(line) for line in file.read_text().splitlines()]
    assert kept[-1] | said == kept[-1]
    assert [line.question for line in batch.read_questions(file)] == ["How many graphs are there?"]
    assert client.post("/v1/feedback", json={**said, "graph": "nowhere"}).status_code == 404
