"""Rounds told and drawn: messages, new states, samples of large graphs, and frames in SVG."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from command_line import CommandLine

WAY = "The edges are: (0,1,2) (1,2,2) (0,2,9). What is the shortest path from node 0 to node 2?"


@pytest.fixture
def graphtalk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_messages_and_new_states_of_each_round_are_told(graphtalk: CommandLine) -> None:
    lines = graphtalk("solve", WAY, "--trace").out.splitlines()
    assert lines[:6] == [
        "Round 1: 2 messages, 2 states changed.",
        "  Node 0 → Node 1: distance 2",
        "  Node 0 → Node 2: distance 9",
        "  Node 0: State: 1. distance: 0 2. before: none",
        "  Node 1: State: 1. distance: 2 2. before: 0",
        "  Node 2: State: 1. distance: 9 2. before: 0",
    ]
    assert "  Node 2: State: 1. distance: 4 2. before: 1" in lines
    assert lines[-2] == "The shortest path from node 0 to node 2 is 0,1,2 with a total weight of 4."
    done = graphtalk("solve", WAY)
    assert (done.out.splitlines(), done.err) == (lines[-2:], "")
    assert "Round 2: 4 messages, 1 state changed." in lines


def test_of_many_messages_a_sample_is_told(graphtalk: CommandLine) -> None:
    edges = " ".join(f"(0,{n},2)" for n in range(1, 61))
    asked = f"The edges are: {edges}. What is the shortest path from node 0 to node 2?"
    lines = graphtalk("solve", asked, "--trace").out.splitlines()
    first = lines[1 : next(at for at, line in enumerate(lines) if line.startswith("Round 2"))]
    told = [line for line in first if "→" in line]
    assert len(told) == 12 and any(
        line.startswith("  … and ") and line.endswith("more messages") for line in first
    )
    assert any(line.endswith("more states") for line in first)


def test_rounds_are_drawn(graphtalk: CommandLine, tmp_path: Path) -> None:
    text = "Ann knows Bob. Bob knows Cid. Is there a cycle?"
    picture = tmp_path / "rounds.svg"
    done = graphtalk("solve", text, "--draw", picture)
    assert done.code == 0
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    frames = root.findall("{http://www.w3.org/2000/svg}g")
    titles = [frame[0].text or "" for frame in frames]
    assert titles and all(title.startswith(f"Round {n}") for n, title in enumerate(titles, 1))
    circles = [each for each in frames[0].iter() if each.tag.endswith("circle")]
    assert {(title.text or "").partition(":")[0] for each in circles for title in each} == {
        "Ann",
        "Bob",
        "Cid",
    }


def test_what_cannot_be_drawn_is_said(graphtalk: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "there.svg").write_text("mine")
    assert "there.svg" in graphtalk("solve", WAY, "--draw", tmp_path / "there.svg").err
    assert "name a file .svg" in graphtalk("solve", WAY, "--draw", tmp_path / "a.png").err
    edges = " ".join(f"({n},{n + 1})" for n in range(60))
    far = graphtalk("solve", f"The edges are: {edges}. Is there a cycle?", "--draw", tmp_path / "b.svg")
    assert "rounds are drawn of 30 at most" in far.err and not (tmp_path / "b.svg").exists()
