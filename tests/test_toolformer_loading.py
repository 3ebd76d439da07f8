"""`GL` in texts: files and addresses that the user allowed, parameters by name, parts of graphs, and names of results."""

from pathlib import Path

import pytest

from command_line import CommandLine
from graphtalk.app.places import allowed_place
from graphtalk.core import UsageError


@pytest.fixture
def graphtalk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> CommandLine:
    monkeypatch.setenv("GRAPHTALK_HUB", str(tmp_path / "hub"))
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    (tmp_path / "graphs").mkdir()
    (tmp_path / "graphs" / "lollipop.txt").write_text("0 1\n1 2\n2 0\n2 3\n")
    (tmp_path / "graphs" / "acetaldehyde.csv").write_text("source,target,relation\nC,O,double\nC,H,single\n")
    monkeypatch.chdir(tmp_path)
    return CommandLine(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("text", "out"),
    [
        (
            '[GL(file-path:"./graphs/lollipop") -> Gl] Lollipop graph has [GR(Gl, "toolx:order") -> r] nodes.',
            " Lollipop graph has 4 nodes.",
        ),
        (
            'Its length is [GR(GL(file-path:"./graphs/lollipop.txt"), "toolx:min-shortest-path")-->r].',
            "Its length is 1.",
        ),
        (
            'A [GL(file-path:"./graphs/acetaldehyde", node-subset:"all related nodes", link-subse:{(C=O)}) -> Gl] part with '
            '[GR(Gl, "toolx:order")-->r] nodes and [GR(Gl, "toolx:size")-->r] link.',
            "A part with 2 nodes and 1 link.",
        ),
        ('It has [GR(GL("./graphs/lollipop", {0, 1, 2}), "toolx:size")-->r] links.', "It has 3 links."),
        (
            'It has [GR(GL("./graphs/lollipop", {3}, "all related links"), "toolx:size")-->r] link.',
            "It has 1 link.",
        ),
        ('It is [GR(GL("gpr", {"bull_graph"}), "toolx:order")-->Agents].', "It is 5."),
        ("The lollipop graph looks like a spoon.", "The lollipop graph looks like a spoon."),
        ('[GL("gpr", {"bull_graph"})-->GL] It has [GR(GL, "toolx:avg-shortest-path")-->r].', "It has 1.6."),
    ],
)
def test_the_papers_forms_of_loading_run(graphtalk: CommandLine, text: str, out: str) -> None:
    done = graphtalk("complete", text, "--allow", "graphs")
    assert (done.out.strip(), done.err) == (out.strip(), "")


@pytest.mark.parametrize(
    "place",
    ["./graphs/lollipop", "../graphs/x", "/etc/passwd", "https://example.org/a.csv", "file:///etc/passwd"],
)
def test_nothing_is_loaded_that_was_not_allowed(graphtalk: CommandLine, place: str) -> None:
    done = graphtalk("complete", f'It has [GR(GL("{place}"), "toolx:order")-->r] nodes.')
    assert done.code == 1 and f"No graph may be loaded from '{place}'. Nothing is allowed" in done.out


def test_a_file_that_is_not_there_is_said(graphtalk: CommandLine) -> None:
    done = graphtalk(
        "complete", 'It has [GR(GL("./graphs/none"), "toolx:order")-->r] nodes.', "--allow", "graphs"
    )
    assert "There is no file './graphs/none'." in done.out


def test_an_allowed_place_bounds_what_is_below_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("")
    (tmp_path / "out.csv").write_text("")
    (tmp_path / "in" / "link.csv").symlink_to(tmp_path / "out.csv")
    assert (
        allowed_place("a", ["in"])
        == allowed_place("in/a.csv", ["in/a.csv"])
        == str(tmp_path / "in" / "a.csv")
    )
    for asked in ("in/../out.csv", "in/link.csv", "out", str(tmp_path / "out.csv")):
        with pytest.raises(UsageError, match="No graph may be loaded"):
            allowed_place(asked, ["in"])
    web = ["https://example.org/graphs"]
    assert allowed_place("https://example.org/graphs/a.csv", web).endswith("a.csv")
    for asked in (
        "https://example.org/graphs2/a.csv",
        "https://example.org/graphs/../x",
        "https://example.org/graphs/%2e%2e/x",
        "http://example.org/graphs/a.csv",
        "https://example.org.evil.com/graphs/a.csv",
        "https://example.org@evil.com/graphs/a.csv",
    ):
        with pytest.raises(UsageError, match="No graph may be loaded"):
            allowed_place(asked, web)
