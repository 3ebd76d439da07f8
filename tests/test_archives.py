"""Archives and compressed files that try to do harm, or are damaged."""

import gzip
import lzma
import pickle
import stat
import zipfile
from pathlib import Path

import pytest

from graphtalk.core import SourceError
from graphtalk.graphs.formats.archives import decompress, refuse_pickle, unpack_member


def zipped(path: Path, members: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_one_file_of_an_archive(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"d/one.txt": b"1", "d//two.txt": b"22", "d/": b""})
    unpack_member(archive, "d//two.txt", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"22"
    with pytest.raises(SourceError, match=r"a\.zip: has no file 'three'"):
        unpack_member(archive, "three", tmp_path / "out3")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.zip", "out"]


@pytest.mark.parametrize(
    "name", ["../evil.txt", "d/../../evil", "/etc/evil", "C:\\evil", "..\\evil", "C:evil", "\\\\host\\evil"]
)
def test_names_that_climb_out_are_refused(tmp_path: Path, name: str) -> None:
    archive = zipped(tmp_path / "a.zip", {"good.txt": b"1", name: b"2"})
    with pytest.raises(SourceError, match=r"a\.zip: the file name .* leads out"):
        unpack_member(archive, "good.txt", tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir()] == ["a.zip"]


def test_links_are_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("good.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(SourceError, match="is a symbolic link"):
        unpack_member(tmp_path / "a.zip", "good.txt", tmp_path / "out")


def test_bombs_are_refused_whatever_they_say(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"big": b"\0" * 5_000_000})
    assert archive.stat().st_size < 10_000
    with pytest.raises(SourceError, match=r"big: is larger than it may be \(1,000,000 bytes\)"):
        unpack_member(archive, "big", tmp_path / "out", most=1_000_000)
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"\0" * 5_000_000))
    with pytest.raises(SourceError, match=r"b\.gz: is larger"):
        decompress(tmp_path / "b.gz", tmp_path / "out", most=1_000_000)
    assert not (tmp_path / "out").exists()


def test_damaged_archives_are_named(tmp_path: Path) -> None:
    whole = zipped(tmp_path / "a.zip", {"f": bytes(range(256)) * 50}, zipfile.ZIP_STORED).read_bytes()
    altered = bytearray(whole)
    altered[2000] ^= 0xFF
    for content in (whole[:3000], bytes(altered), b"", b"no zip at all"):
        (tmp_path / "bad.zip").write_bytes(content)
        with pytest.raises(SourceError, match=r"bad\.zip: cannot be read as a zip file"):
            unpack_member(tmp_path / "bad.zip", "f", tmp_path / "out")
    for name, packed in (("x.gz", gzip.compress(whole)), ("x.xz", lzma.compress(whole))):
        (tmp_path / name).write_bytes(packed[: len(packed) // 2])
        with pytest.raises(SourceError, match=rf"{name}: is cut short or damaged"):
            decompress(tmp_path / name, tmp_path / "out")


def test_pickles_are_refused(tmp_path: Path) -> None:
    for protocol in (2, 3, 4, 5):
        (tmp_path / "data").write_bytes(pickle.dumps({"nodes": [1]}, protocol))
        with pytest.raises(SourceError, match="data: is a pickle"):
            refuse_pickle(tmp_path / "data")
    (tmp_path / "model.PT").write_bytes(b"PK")
    with pytest.raises(SourceError, match="is a pickle"):
        refuse_pickle(tmp_path / "model.PT")
    (tmp_path / "text").write_text("a\tb\n")
    refuse_pickle(tmp_path / "text")
