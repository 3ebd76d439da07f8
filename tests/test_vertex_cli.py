"""The commands of `graphtalk vertex`."""

from pathlib import Path

import pytest

from command_line import CommandLine
from graphtalk import vertex


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_list_names_every_card(cli: CommandLine) -> None:
    done = cli("vertex", "list")
    assert done.code == 0
    assert [text.partition("\t")[0] for text in done.out.splitlines()[1:]] == list(vertex.library())
    assert {card["name"] for card in cli("vertex", "list", "--json").json} == set(vertex.library())
    assert "NP-complete" in done.out


def test_show_tells_the_six_parts_and_the_parameters(cli: CommandLine) -> None:
    done = cli("vertex", "show", "shortest_path")
    for part in ("State", "Message", "Initialization", "Send", "Update", "Termination", "Parameters"):
        assert f"### {part}\n" in done.out
    assert "Node 1 → Node 7: distance 1" in done.out
    assert "--set source=…  node: where paths begin" in done.out
    assert cli("vertex", "show", "shortest_path", "--json").json["update"]


def test_run_answers_in_words_and_as_json(cli: CommandLine) -> None:
    done = cli(
        "vertex", "run", "atlas", "shortest_path", "--set", "source=Portugal", "--set", "target=Germany"
    )
    assert done.code == 0
    assert "The shortest path from Portugal to Germany has length 3." in done.out
    assert "rounds" in done.out and "messages" in done.out
    found = cli(
        "vertex", "run", "atlas", "connectivity", "--set", "source=France", "--set", "target=Japan", "--json"
    ).json
    assert (found["answered"], found["value"]) == (True, False)
    shown = cli("vertex", "run", "atlas", "components", "--states", "--trace")
    assert "France\t" in shown.out
    assert "round 1:" in shown.err


def test_agents_of_a_model_run_a_card_and_their_mistakes_are_put_right(
    cli: CommandLine, tmp_path: Path
) -> None:
    edges, script = tmp_path / "edges.tsv", tmp_path / "script.jsonl"
    edges.write_text("source\trelation\ttarget\na\tr\tb\nb\tr\tc\n", encoding="utf-8")
    script.write_text('{"text": "I would rather not.", "repeat": true}\n', encoding="utf-8")
    words = ("vertex", "run", edges, "components", "--engine", "lm")
    done = cli(*words, "--lm", f"scripted:{script}")
    assert done.code == 0 and "a: a, b: a, c: a" in done.out
    assert "Node" in cli(*words, "--lm", f"scripted:{script}", "--trace").out
    alone = cli(*words)
    assert alone.code == 2 and "needs a language model" in alone.err


def test_run_on_duckdb_gives_the_same(cli: CommandLine) -> None:
    pytest.importorskip("duckdb")
    words = (
        "vertex",
        "run",
        "atlas",
        "shortest_path_unweighted",
        "--set",
        "source=France",
        "--json",
        "--states",
    )
    one, other = cli(*words).json, cli(*words, "--engine", "duckdb").json
    assert {**one, "seconds": 0} == {**other, "seconds": 0}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["show", "shortest"], 2, "No card 'shortest'"),
        (["run", "atlas", "shortest_path"], 2, "shortest_path needs source"),
        (["run", "atlas", "shortest_path", "--set", "source"], 2, "write NAME=VALUE"),
        (["run", "atlas", "shortest_path", "--set", "source=Atlantis"], 2, "No node 'Atlantis'"),
        (["run", "atlas", "shortest_path", "--set", "sauce=France"], 2, "Did you mean source?"),
        (
            ["run", "atlas", "shortest_path", "--set", "source=France", "--max-rounds", "2"],
            1,
            "did not end within 2 rounds",
        ),
        (
            ["run", "atlas", "shortest_path", "--set", "source=France", "--max-rounds", "0"],
            2,
            "give at least 1",
        ),
        (["run", "atlas", "degree", "--seconds", "0"], 2, "give more than 0"),
        (["run", "gpr", "degree"], 2, "vertex programs run on one"),
        (["run", "nowhere", "degree"], 2, "No graph 'nowhere'"),
    ],
)
def test_mistakes_are_said_in_one_line(cli: CommandLine, words: list[str], code: int, said: str) -> None:
    done = cli("vertex", *words)
    assert done.code == code
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_card_of_ones_own_runs_and_says_where_it_is_wrong(cli: CommandLine, tmp_path: Path) -> None:
    card = tmp_path / "mine.toml"
    text = """
        name = "mine"
        state.most = "node"
        message.most = "node"
        initialization.most = "id"
        send = {{ along = "both", when = "changed", most = "most" }}
        update = {{ when = "received", most = "min(most, min(m.most for m in messages{0}))" }}
        answer.value = "count(v for v in nodes if v.most == v.id)"
    """
    card.write_text(text.format(""), encoding="utf-8")
    found = cli("vertex", "run", "atlas", str(card), "--json").json
    assert found["value"] == len(
        set(cli("vertex", "run", "atlas", "components", "--json").json["value"].values())
    )
    card.write_text(text.format(" if m.x"), encoding="utf-8")
    wrong = cli("vertex", "run", "atlas", str(card))
    assert wrong.code == 2
    assert "update.most: 'm' has no 'x'" in wrong.err
