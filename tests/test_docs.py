"""The pages for newcomers do what they say: their commands run, their links lead somewhere, and the site is built."""

import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from command_line import CommandLine

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = ("index.md", "tutorial.md", "trust.md")


def commands(page: str) -> Iterator[str]:
    """The lines of the shell that a page has people type."""
    for block in re.findall(r"^```sh\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.M | re.S):
        yield from block.splitlines()


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for table in (DOCS / "tutorial").iterdir():
        shutil.copy(table, tmp_path)
    monkeypatch.chdir(tmp_path)
    run = CommandLine(monkeypatch, capsys)
    typed = list(commands(page))
    assert typed
    for line in typed:
        words = shlex.split(line)
        assert words.pop(0) == "graphtalk", line
        if words[0] == "serve":
            serves(words)
            continue
        into = words[words.index(">") + 1] if ">" in words else ""
        done = run(*(words[: words.index(">")] if into else words))
        assert done.code == 0, (line, done.err)
        assert "It is not clear" not in done.out, line
        if into:
            Path(into).write_text(done.out, encoding="utf-8")


def serves(words: list[str]) -> None:
    """Whether a server starts by these words, with its page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [sys.executable, "-m", "graphtalk", *words, "--port", port, "--keep", "kept.sqlite"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 300
        while time.monotonic() < until:
            try:
                assert "graphtalk" in httpx2.get(f"http://127.0.0.1:{port}/", timeout=300).text
                return
            except httpx2.TransportError:
                time.sleep(0.1)
        raise AssertionError("it does not start")
    finally:
        process.kill()
        process.wait()


def test_every_page_is_in_the_site_and_its_links_lead_somewhere() -> None:
    listed = set(re.findall(r"[\w/]+\.md", (ROOT / "mkdocs.yml").read_text(encoding="utf-8")))
    pages = {page.name for page in DOCS.glob("*.md")}
    assert pages <= listed
    for name in sorted(pages):
        text = re.sub(r"^```.*?^```", "", (DOCS / name).read_text(encoding="utf-8"), flags=re.M | re.S)
        for target, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)]*))?\)", text):
            assert (DOCS / (target or name)).exists(), (name, target)
            assert not anchor or anchor in anchors(target or name), (name, target, anchor)


def test_files_of_the_repository_that_pages_name_are_there() -> None:
    for page in (*DOCS.glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"):
        named = re.findall(
            r"(?<![\w/.])(?:scripts|tests|examples)/[\w/-]+\.[\w.]*\w", page.read_text(encoding="utf-8")
        )
        assert [name for name in named if not (ROOT / name).exists()] == [], page.name


def anchors(page: str) -> set[str]:
    """What the headings of a page are called in addresses."""
    heads = re.findall(r"^#+ (.*)$", (DOCS / page).read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w-]", "", head.lower().replace(" ", "-")) for head in heads}


@pytest.mark.slow
def test_the_site_is_built(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="mkdocs-material is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Answer a question about a graph" in (tmp_path / "reference" / "index.html").read_text()
