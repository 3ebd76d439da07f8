"""Downloads against a real server: whole, cut, resumed, changed meanwhile, too long, refused."""

from pathlib import Path

import pytest

from graphtalk.core import SourceError
from graphtalk.hub.download import download
from hub_server import Files, serving

CONTENT = bytes(range(256)) * 100  # 25,600 bytes


def get(files: Files, place: Path, most: int = 1 << 20, path: str = "/data.bin") -> None:
    download(f"{files.url}{path}", place, most, pause=0.01)


def test_a_whole_file_and_its_progress(tmp_path: Path) -> None:
    seen: list[int] = []

    class Bar:
        def __enter__(self) -> "Bar":
            return self

        def __exit__(self, *_: object) -> None:
            seen.append(-1)

        def __call__(self, count: int) -> None:
            seen.append(count)

    with serving(Files({"/data.bin": CONTENT})) as files:
        download(f"{files.url}/data.bin", tmp_path / "f", 1 << 20, lambda what, unit, total: Bar())
    assert (tmp_path / "f").read_bytes() == CONTENT
    assert sum(seen[:-1]) == len(CONTENT) and seen[-1] == -1
    assert [p.name for p in tmp_path.iterdir()] == ["f"]


def test_a_cut_connection_goes_on_where_it_broke(tmp_path: Path) -> None:
    with serving(Files({"/data.bin": CONTENT}, cut=7_000, cuts=2)) as files:
        get(files, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == CONTENT
    assert [part for _, part in files.asked] == ["", "bytes=7000-", "bytes=14000-"]


def test_another_run_goes_on_too(tmp_path: Path) -> None:
    with serving(Files({"/data.bin": CONTENT}, cut=5_000, cuts=1, down_after=1)) as files:
        with pytest.raises(SourceError, match=r"data\.bin: cannot be downloaded.*5,000 bytes are kept"):
            get(files, tmp_path / "f")
        files.down_after = None
        get(files, tmp_path / "f")
    assert files.asked[-1] == ("/data.bin", "bytes=5000-")
    assert (tmp_path / "f").read_bytes() == CONTENT


def test_a_file_that_changed_meanwhile_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "f.part").write_bytes(b"x" * 5_000)
    (tmp_path / "f.part.version").write_text('"0"')
    with serving(Files({"/data.bin": CONTENT})) as files:
        get(files, tmp_path / "f")
    assert files.asked == [("/data.bin", "bytes=5000-")]
    assert (tmp_path / "f").read_bytes() == CONTENT


def test_a_part_longer_than_the_file_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "f.part").write_bytes(b"x" * 30_000)
    (tmp_path / "f.part.version").write_text('"1"')
    with serving(Files({"/data.bin": CONTENT})) as files:
        get(files, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == CONTENT


def test_a_server_without_parts(tmp_path: Path) -> None:
    with serving(Files({"/data.bin": CONTENT}, cut=7_000, cuts=1, ranges=False)) as files:
        get(files, tmp_path / "f")
    assert (tmp_path / "f").read_bytes() == CONTENT


def test_a_busy_server_is_asked_again(tmp_path: Path) -> None:
    with serving(Files({"/data.bin": CONTENT}, fail=2)) as files:
        get(files, tmp_path / "f")
    assert len(files.asked) == 3


def test_refusals_name_the_address(tmp_path: Path) -> None:
    with serving(Files({})) as files, pytest.raises(SourceError, match=r"/gone: the server answered 404"):
        get(files, tmp_path / "f", path="/gone")
    with pytest.raises(SourceError, match=r"http://127.0.0.1:9/x: cannot be downloaded"):
        download("http://127.0.0.1:9/x", tmp_path / "f", 10, pause=0.001)
    with pytest.raises(SourceError, match="cannot be downloaded"):
        download("http://", tmp_path / "f", 10, pause=0.001)


@pytest.mark.parametrize("sized", [True, False])
def test_more_bytes_than_expected_are_refused(tmp_path: Path, sized: bool) -> None:
    with (
        serving(Files({"/data.bin": CONTENT}, sized=sized)) as files,
        pytest.raises(SourceError, match=r"more than the 1,000"),
    ):
        get(files, tmp_path / "f", most=1_000)
    assert not (tmp_path / "f").exists()
