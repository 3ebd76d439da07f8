"""Where a graph may come from: archives and addresses, within limits, and nothing that is not asked for."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.core import SourceError
from graphtalk.graphs import sources
from graphtalk.graphs.formats import archives
from graphtalk.graphs.read import read_graph
from hub_server import Files, serving

NODES, EDGES = b"id,name\na,Ann\nb,Bob\n", b"source,target\na,b\n"


def zipped(place: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return place


def tarred(place: Path, members: dict[str, bytes], link: str = "") -> Path:
    with tarfile.open(place, "w:gz" if place.suffix == ".gz" else "w") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        if link:
            entry = tarfile.TarInfo("nodes.csv")
            entry.type, entry.linkname = tarfile.SYMTYPE, link
            archive.addfile(entry)
    return place


@pytest.mark.parametrize("name", ["g.zip", "g.tar", "g.tar.gz"])
@pytest.mark.parametrize("folder", ["", "club/"])
def test_archives(tmp_path: Path, name: str, folder: str) -> None:
    members = {f"{folder}nodes.csv": NODES, f"{folder}edges.csv": EDGES, f"{folder}README.txt": b"about it"}
    place = (zipped if name.endswith("zip") else tarred)(tmp_path / name, members)
    graph = read_graph([place])
    assert (graph.name, graph.num_edges) == ("g", 1)
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_archives_that_would_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "most_unpacked", lambda size: 1000)
    for place in (
        zipped(tmp_path / "out.zip", {"../nodes.csv": NODES}),
        tarred(tmp_path / "out.tar", {"../nodes.csv": NODES}),
        tarred(tmp_path / "root.tar", {"/nodes.csv": NODES}),
        tarred(tmp_path / "link.tar", {}, link="/etc/passwd"),
        zipped(tmp_path / "bomb.zip", {"nodes.csv": b"id\n" + b"0" * 9999}),
        zipped(tmp_path / "none.zip", {"a.png": b"x"}),
    ):
        with pytest.raises(SourceError, match=place.name):
            read_graph([place])
    bad = zipped(tmp_path / "bad.zip", {"nodes.csv": NODES, "edges.csv": EDGES + b"a,z\n"})
    with pytest.raises(SourceError, match=r"bad\.zip/edges\.csv, line 3: target 'z'"):
        read_graph([bad])
    (tmp_path / "cut.tar.gz").write_bytes(
        tarred(tmp_path / "g.tar.gz", {"nodes.csv": NODES}).read_bytes()[:60]
    )
    with pytest.raises(SourceError, match=r"cut\.tar\.gz.*cannot be unpacked"):
        read_graph([tmp_path / "cut.tar.gz"])
    assert not (tmp_path / "nodes.csv").exists()


def test_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    packed = zipped(tmp_path / "g.zip", {"nodes.csv": NODES, "edges.csv": EDGES}).read_bytes()
    with serving(Files({"/g.zip": packed, "/nodes.csv": NODES, "/edges.csv": EDGES})) as server:
        graph = read_graph([f"{server.url}/g.zip"])
        assert (graph.name, graph.num_edges) == ("g", 1)
        assert read_graph([f"{server.url}/nodes.csv", f"{server.url}/edges.csv"]).num_edges == 1
        with pytest.raises(SourceError, match=r"nowhere\.csv.*answered 404"):
            read_graph([f"{server.url}/nowhere.csv"])
        asked = len(server.asked)
        assert gt.open(f"{server.url}/g.zip").num_edges == gt.open(f"{server.url}/g.zip").num_edges == 1
        assert len(server.asked) == asked + 1  # kept
        monkeypatch.setattr(sources, "MOST_BYTES", 10)
        with pytest.raises(SourceError, match="more than 10 bytes"):
            read_graph([f"{server.url}/g.zip"])
    with pytest.raises(SourceError, match="cannot be fetched"):
        read_graph([f"{server.url}/g.zip"])


def test_where_addresses_lead_on_to() -> None:
    assert sources._redirected("http://a/x/y.csv", "../z.csv") == "http://a/z.csv"
    assert sources._redirected("http://a/x", "https://b/x") == "https://b/x"
    for before, after in (
        ("https://a/x", "http://a/x"),
        ("http://a/x", "file:///etc/passwd"),
        ("http://a", "ftp://b"),
    ):
        with pytest.raises(SourceError, match="not followed"):
            sources._redirected(before, after)


def test_passwords_are_not_shown() -> None:
    assert sources.Database("postgresql://me:secret@host/db").shown == "postgresql://me:…@host/db"


def test_a_mistyped_path(tmp_path: Path) -> None:
    for typed in (tmp_path / "poeple.csv", str(tmp_path / "no" / "g.zip"), "l"):
        with pytest.raises(SourceError, match=r"(csv|zip|l): no such file"):
            read_graph([typed])
