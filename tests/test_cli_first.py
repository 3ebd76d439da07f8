"""The first minutes at a terminal: a greeting, commands in order, names that a shell completes, questions by lines."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from command_line import CommandLine
from graphtalk.app.first import complete_graph
from graphtalk.app.main import app

COMMAND = str(Path(sys.executable).with_name("graphtalk"))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_it_greets_with_three_things_to_type_that_work() -> None:
    shown = CliRunner().invoke(app, [])
    assert shown.exit_code == 0
    typed = [
        line.split("   ")[0].strip() for line in shown.output.splitlines() if line.startswith("  graphtalk")
    ]
    assert [line.split()[1] for line in typed] == ["ask", "import", "serve"]
    names = {
        command.name or command.callback.__name__ for command in app.registered_commands if command.callback
    }
    assert {line.split()[1].rstrip("_") for line in typed} <= {name.rstrip("_") for name in names}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ask", "atlas", "x", "--accept", "3"], "Invalid value for '--accept'"),
        (["ask", "atlas", "x", "--max-steps", "none"], "Invalid value for '--max-steps'"),
        (["ask", "atlas", "x", "--spelling", "sql"], "Invalid value for '--spelling'"),
        (["ask"], "Missing argument 'STORE'"),
        (["hub", "fetch"], "Missing argument"),
        (["ask", "atlas", "x", "--nothing"], "No such option"),
    ],
)
def test_options_that_are_given_are_checked(words: list[str], said: str) -> None:
    shown = CliRunner().invoke(app, words)
    assert shown.exit_code == 2
    assert said in shown.output


def test_help_has_what_people_need_first_and_the_papers_last() -> None:
    shown = CliRunner().invoke(app, ["--help"]).output
    common, papers = shown.split("The papers' methods:")
    places = [common.index(f"  {name} ") for name in ("import", "ask", "chat", "serve", "query", "mcp")]
    assert places == sorted(places)
    assert all(f"  {name} " in papers for name in ("solve", "annotate", "train", "bench", "vertex"))


@pytest.mark.parametrize("group", [[], ["bench"], ["hub"], ["prompts"], ["train"], ["vertex"]])
def test_help_says_what_commands_are_for_to_the_end(group: list[str]) -> None:
    listed = CliRunner().invoke(app, [*group, "--help"]).output.partition("Commands:")[2]
    assert listed.strip() and "..." not in listed


def test_a_shell_completes_commands_and_graphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.gt").mkdir()
    (tmp_path / "minor").mkdir()
    (tmp_path / "minor" / "edges.tsv").write_text("")
    monkeypatch.chdir(tmp_path)
    assert complete_graph("atl") == ["atlas"]
    assert complete_graph("min") == ["mine.gt", "minor/"]
    assert complete_graph("minor/") == ["minor/edges.tsv"]
    assert complete_graph("nowhere/") == []
    env = {
        **os.environ,
        "_GRAPHTALK_COMPLETE": "complete_bash",
        "COMP_WORDS": "graphtalk ask atl",
        "COMP_CWORD": "2",
    }
    done = subprocess.run([COMMAND], env=env, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == ["atlas"]
    for shell in ("bash", "zsh", "fish"):
        shown = subprocess.run(
            [COMMAND, "--show-completion", shell], capture_output=True, text=True, timeout=300
        )
        assert "GRAPHTALK_COMPLETE" in shown.stdout


def test_questions_of_standard_input_are_answered_as_they_come(run: CommandLine) -> None:
    said = "What is the capital of Japan?\n\nWhat is the capital of France?\n"
    done = run("ask", "atlas", "-", "--json", stdin=said)
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert [answer["value"] for answer in answers] == [["Tokyo"], ["Paris"]] and done.code == 0
    assert answers[0]["question"] == "What is the capital of Japan?"
    shown = run("ask", "atlas", "-", stdin=said + "How do I boil an egg?\n")
    assert "Tokyo" in shown.out and "Paris" in shown.out and shown.code == 1
    assert run("ask", "atlas", "-", "--out", "x.jsonl").code == 2


def test_a_text_file_of_questions(tmp_path: Path, run: CommandLine) -> None:
    questions, out = tmp_path / "questions.txt", tmp_path / "answers.jsonl"
    questions.write_text("\ufeffWhat is the capital of Japan?\n\nWhat is the capital of France?\n", "utf-8")
    assert run("ask", "atlas", "--file", questions, "--out", out).code == 0
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(answer["id"], answer["value"]) for answer in answers] == [(1, ["Tokyo"]), (3, ["Paris"])]
    assert "2 kept" in run("ask", "atlas", "--file", questions, "--out", out).err
