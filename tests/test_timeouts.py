"""`--timeout` ends what every command computes; of a file, one line, whose answer says so."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from command_line import CommandLine
from graphtalk.app.main import app
from graphtalk.core import Answer

ENDLESS = {"question": "ENDLESS"}
INSTANT = {"tools", "list", "show", "info", "fetch", "serve", "mcp", "report", "root"}


@pytest.fixture
def graphtalk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def never_ends(*given: object, **named: object) -> None:
    while True:
        time.sleep(0.001)


@pytest.mark.parametrize(
    "command",
    [
        "import",
        "check",
        "ask",
        "retrieve",
        "call",
        "query",
        "chat",
        "verify",
        "solve",
        "annotate",
        "complete",
        "vertex run",
        "bench run",
        "bench generate",
        "bench replay",
    ],
)
def test_every_command_that_computes_has_a_timeout(command: str) -> None:
    found = typer.main.get_command(app)
    for name in command.split():
        found = found.commands[name]  # type: ignore[attr-defined]
    assert any("--timeout" in parameter.opts for parameter in found.params)


def test_a_call_ends_after_its_seconds(graphtalk: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphtalk.app.commands.session_of", never_ends)
    ended = graphtalk("call", "atlas", "Nodes[country]", "--timeout", "0.2")
    assert (ended.code, ended.err) == (1, "graphtalk: Not finished within 0.2 seconds.\n")


def lines(path: Path, field: str) -> Path:
    texts = ["What is the capital of Japan?", "ENDLESS", "What is the capital of Peru?"]
    path.write_text("".join(json.dumps({"id": n, field: text}) + "\n" for n, text in enumerate(texts)))
    return path


def answers(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_line_that_does_not_end_is_said_to_and_the_others_are_asked(
    graphtalk: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from graphtalk.app.notebook import GraphAnswer
    from graphtalk.app.session import Session

    def endless(self: Session, question: str, *given: object, **named: object) -> object:
        if question == "ENDLESS":
            never_ends()
        city = "Tokyo" if "Japan" in question else "Lima"
        return GraphAnswer.of(Answer(True, city, [city]), self.union)

    monkeypatch.setattr(Session, "ask", endless)
    out = tmp_path / "out.jsonl"
    graphtalk("ask", "atlas", "--file", lines(tmp_path / "in", "question"), "--out", out, "--timeout", "1")
    first, second, third = answers(out)
    assert (first["value"], third["value"]) == (["Tokyo"], ["Lima"])
    assert second["answered"] is False and second["stopped"] == "time"
    assert second["answer"] == "Not finished within 1 seconds."


@pytest.mark.parametrize("command", ["annotate", "complete"])
def test_a_text_that_does_not_end_is_declined(
    graphtalk: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str
) -> None:
    from graphtalk.app import toolformer

    monkeypatch.setattr(toolformer, "_session", lambda *given: None)
    monkeypatch.setattr(toolformer, "toolformer", lambda *given, **named: Endless())
    out = tmp_path / "out.jsonl"
    given = lines(tmp_path / "in", "input")
    graphtalk(command, "--file", given, "--out", out, "--timeout", "0.1")
    assert [line["stopped"] for line in answers(out)] == ["time"] * 3
    assert all("within 0.1 seconds" in str(line["declined"]) for line in answers(out))


class Endless:
    def annotated(self, text: str) -> None:
        never_ends()

    def run(self, question: object) -> Iterator[None]:
        never_ends()
        yield


def test_a_problem_that_does_not_end_does_not_stop_its_file(
    graphtalk: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from graphtalk.reasoners.graph_agents.offline import OfflineMaster

    monkeypatch.setattr(OfflineMaster, "solve", never_ends)
    out = tmp_path / "out.jsonl"
    graphtalk("solve", "--file", lines(tmp_path / "in", "question"), "--out", out, "--timeout", "0.1")
    assert [line["answer"] for line in answers(out)] == ["Not finished within 0.1 seconds."] * 3


@pytest.mark.parametrize("spoken", [", ".join("a" for _ in range(400)), " and ".join(["node 1"] * 400)])
def test_lists_without_a_verb_are_read_once(spoken: str) -> None:
    """They were tried in 2^n ways: thirty of them took longer than a life."""
    from graphtalk.reasoners.graph_agents.clauses import told_edges

    assert told_edges(f"{spoken}.") == []


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("links", ["links", "edges"])
def test_a_graph_told_as_json_is_read_as_json(graphtalk: CommandLine, links: str, indent: int | None) -> None:
    import networkx as nx

    graph = nx.gnm_random_graph(52, 104, seed=1)
    told = json.dumps(nx.node_link_data(graph, edges=links), indent=indent)
    solved = graphtalk(
        "solve", f"How long is the shortest path from node 0 to node 5 in this graph? {told}", "--json"
    )
    assert solved.json["value"] == nx.shortest_path_length(graph, 0, 5)


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ('{"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 7}]}', "leads to '7'"),
        ('{"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0}]}', 'no "source" and "target"'),
        ('{"nodes": [{"id": 0}, {"id": 1}], "links": [{"source": 0, "target": 1}', "is broken"),
        ('{"nodes": [{"id": 0}], "adjacency": [[{"id": 1}], [{"id": 0}]]}', 'no "source" and "target"'),
        ('{"nodes": [{"id": 0, "x": ' + "[" * 100_000, "No graph was found"),
        ('{"nodes": [{"id": 0, "x": ' + '[1, {"a": ' * 10_000, "No graph was found"),
    ],
)
def test_json_that_is_no_graph_is_refused_and_not_read_as_prose(
    graphtalk: CommandLine, told: str, why: str
) -> None:
    solved = graphtalk("solve", f"Is there a path from node 0 to node 1? {told}")
    assert solved.code == 1 and why in solved.out
