"""`graphtalk solve`: one problem, files of them, what is refused, and the reasoner over a stored graph."""

import json
from pathlib import Path

import pytest

from command_line import CommandLine

SHORT = "The nodes are numbered from 0 to 3, and the edges are: (0,1,2) (1,2,2) (2,3,1) (0,3,9). "
ASK = SHORT + "Give the weight of the shortest path from node 0 to node 3."


@pytest.fixture
def graphtalk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def write(path: Path, rows: list[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_one_problem_is_answered_with_its_algorithm_rounds_and_messages(graphtalk: CommandLine) -> None:
    done = graphtalk("solve", ASK)
    assert done.code == 0
    assert "0,1,2,3 with a total weight of 5" in done.out
    assert "shortest path route, in 4 rounds with 10 messages" in done.out
    told = graphtalk("solve", ASK, "--json").json
    assert told["value"] == 5 and told["algorithm"] == "shortest_path_route" and told["rounds"] == 4


def test_the_trace_tells_every_round(graphtalk: CommandLine) -> None:
    assert "Round 1: 2 messages, 2 states changed." in graphtalk("solve", ASK, "--trace").out


def test_a_problem_may_come_from_standard_input(graphtalk: CommandLine) -> None:
    assert graphtalk("solve", "-", "--json", stdin=ASK).json["value"] == 5


def test_what_is_no_problem_is_refused_with_exit_code_1(graphtalk: CommandLine) -> None:
    done = graphtalk("solve", "What a lovely day.")
    assert done.code == 1 and "No graph was found" in done.out


@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_keeps_order_and_is_resumed(graphtalk: CommandLine, tmp_path: Path, workers: int) -> None:
    asked = [
        {"id": "b", "question": ASK},
        {"id": 7, "question": "What a lovely day."},
        {"id": "a", "question": SHORT + "Is there a cycle?"},
    ]
    questions, out = write(tmp_path / "q.jsonl", asked), tmp_path / "a.jsonl"
    assert graphtalk("solve", "--file", questions, "--out", out, "--workers", workers).code == 0
    found = lines(out)
    assert [line["id"] for line in found] == ["b", 7, "a"]
    assert [line["value"] for line in found] == [5, None, True]
    assert [line["answered"] for line in found] == [True, False, True]
    assert all(list(line) == ["id", "answered", "answer", "value", "algorithm", "seconds"] for line in found)

    kept = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(kept[2] + kept[0] + b'{"id": 7, "answ')  # out of order, and torn by a kill
    assert graphtalk("solve", "--file", questions, "--out", out).code == 0
    again = lines(out)
    assert [line["id"] for line in again] == ["b", 7, "a"]
    assert again[0] == found[0] and again[2] == found[2]


def test_a_broken_line_is_named_and_the_rest_is_solved(graphtalk: CommandLine, tmp_path: Path) -> None:
    questions, out = tmp_path / "q.jsonl", tmp_path / "a.jsonl"
    questions.write_text('{"id": 1, "question": 5}\n' + json.dumps({"id": 2, "question": ASK}) + "\n")
    done = graphtalk("solve", "--file", questions, "--out", out)
    assert done.code == 1 and "q.jsonl:1:" in done.err and [line["value"] for line in lines(out)] == [5]


@pytest.mark.parametrize(
    "words",
    [("--file", "q.jsonl"), (ASK, "--out", "a.jsonl"), (), (ASK, "--agents", "lm")],
    ids=["no out", "out without file", "nothing", "agents without a model"],
)
def test_wrong_usage_ends_in_2(graphtalk: CommandLine, words: tuple[str, ...]) -> None:
    assert graphtalk("solve", *words).code == 2


def test_a_scripted_model_solves_on_the_command_line(graphtalk: CommandLine, tmp_path: Path) -> None:
    call = [
        {"name": name, "arguments": {}}
        for name in ("Build_Graph", "Design_Distributed_Algorithm", "Distributed_Execution")
    ]
    card = {"card": "shortest_path_route", "parameters": {"source": 0, "target": 3}}
    script = write(
        tmp_path / "script.jsonl",
        [
            {"text": json.dumps(card), "when": "You design"},
            {"text": json.dumps({"thought": "", "speak": "", "function": call})},
            {"text": json.dumps({"thought": "", "speak": "It weighs 5.", "function": []})},
        ],
    )
    done = graphtalk("solve", ASK, "--lm", f"scripted:{script}", "--trace")
    assert done.code == 0 and "It weighs 5." in done.out and "[STATUS]: SUCCESS" in done.out


def test_the_reasoner_answers_about_a_stored_graph(graphtalk: CommandLine) -> None:
    done = graphtalk(
        "ask", "atlas", "Is there a path from France to Germany?", "--reasoner", "graph-agents", "--json"
    )
    assert done.code == 0 and done.json["value"] is True
    missing = graphtalk(
        "ask", "atlas", "Is there a path from France to Narnia?", "--reasoner", "graph-agents"
    )
    assert missing.code == 1 and "Narnia" in missing.out
