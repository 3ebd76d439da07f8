"""`graphtalk annotate` and `graphtalk complete`: texts, files, what is resumed, and what is refused."""

import re
from pathlib import Path

import pytest

from command_line import CommandLine, lines, read

LOLLIPOP = "The lollipop graph has a diameter of [TBR]."
WEATHER = "The weather is fine."


@pytest.fixture
def graphtalk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> CommandLine:
    monkeypatch.setenv("GRAPHTALK_HUB", str(tmp_path / "hub"))
    return CommandLine(monkeypatch, capsys)


def test_annotate_a_text(graphtalk: CommandLine) -> None:
    done = graphtalk("annotate", LOLLIPOP)
    assert done.code == 0
    assert (
        done.out
        == 'The lollipop graph has a diameter of [GR(GL("gpr", {"lollipop_graph"}), "toolx:diameter")-->r].\n'
    )


def test_complete_a_text(graphtalk: CommandLine) -> None:
    done = graphtalk("complete", LOLLIPOP)
    assert (done.code, done.out) == (0, "The lollipop graph has a diameter of 11.\n")


def test_complete_as_json_carries_value_and_calls(graphtalk: CommandLine) -> None:
    found = graphtalk("complete", "-", "--json", stdin=LOLLIPOP).json
    assert (found["input"], found["answered"], found["value"]) == (LOLLIPOP, True, 11)
    assert found["calls"][-1]["result"] == 11


def test_what_a_model_found_is_told_beside_the_text(graphtalk: CommandLine) -> None:
    text = 'The atlas has [GR(GL("atlas"), "kmeans:community_count")-->r] communities.'
    done = graphtalk("complete", text)
    assert re.fullmatch(r"The atlas has \d+ communities\.\n", done.out)
    remark = re.search(r"found by kmeans \(modularity 0\.\d\d\)", done.err)
    assert remark
    found = graphtalk("complete", text, "--json").json
    assert (found["output"], found["remarks"]) == (done.out.strip(), [remark[0]])
    asked = graphtalk("ask", "atlas", text, "--reasoner", "toolformer")
    assert asked.out.splitlines()[:2] == [found["output"], remark[0]]
    assert graphtalk("complete", LOLLIPOP, "--json").json["remarks"] == []


@pytest.mark.parametrize("command", ["annotate", "complete"])
def test_a_text_that_has_nothing_to_do_with_graphs_comes_back(graphtalk: CommandLine, command: str) -> None:
    done = graphtalk(command, WEATHER)
    assert (done.code, done.out) == (0, f"{WEATHER}\n")


@pytest.mark.parametrize("command", ["annotate", "complete"])
def test_files_keep_their_order_and_are_resumed(graphtalk: CommandLine, tmp_path: Path, command: str) -> None:
    rows = [{"id": "a", "input": LOLLIPOP}, {"id": 2, "input": WEATHER}, {"id": "c", "input": LOLLIPOP}]
    given, out = lines(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl"
    assert graphtalk(command, "--file", given, "--out", out).code == 0
    first = read(out)
    assert [row["id"] for row in first] == ["a", 2, "c"]
    assert first[1]["output"] == WEATHER
    assert first[0]["output"] != LOLLIPOP
    lines(out, [{**first[2], "output": "kept"}])
    assert "1 kept from before" in graphtalk(command, "--file", given, "--out", out).err
    again = read(out)
    assert [row["id"] for row in again] == ["a", 2, "c"]
    assert again[2]["output"] == "kept"


def test_broken_lines_are_named_and_the_rest_runs(graphtalk: CommandLine, tmp_path: Path) -> None:
    given, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_text(f'{{"id": "a"}}\nnot json\n{{"id": "b", "input": "{LOLLIPOP}"}}\n')
    done = graphtalk("annotate", "--file", given, "--out", out)
    assert done.code == 1
    assert f'{given}:1: "input" must be a text' in done.err
    assert f"{given}:2: not a JSON object" in done.err
    assert [row["id"] for row in read(out)] == ["b"]


def test_what_a_model_writes_wrongly_is_declined(graphtalk: CommandLine, tmp_path: Path) -> None:
    script = lines(tmp_path / "script.jsonl", [{"text": 'It is [GR(GL("gpr"', "repeat": True}])
    done = graphtalk("annotate", LOLLIPOP, "--lm", f"scripted:{script}", "--json")
    assert done.code == 1
    assert done.json["output"] == LOLLIPOP
    assert "nothing that can be used" in done.json["declined"]
    rows = lines(tmp_path / "in.jsonl", [{"id": "a", "input": LOLLIPOP}])
    graphtalk("complete", "--file", rows, "--out", tmp_path / "out.jsonl", "--lm", f"scripted:{script}")
    (row,) = read(tmp_path / "out.jsonl")
    assert (row["output"], row["answered"]) == (LOLLIPOP, False)
    assert "declined" in row


def test_a_data_set_that_is_not_fetched_is_a_clear_message(graphtalk: CommandLine) -> None:
    done = graphtalk("complete", "The citeseer network has an order of [TBR].", "--lm", "offline", "--json")
    assert done.code == 1
    assert "graphtalk hub fetch citeseer" in done.json["output"]
    assert done.json["value"] is None


def test_statements_about_a_graph_of_ones_own(graphtalk: CommandLine) -> None:
    done = graphtalk("complete", "The capital of France is [TBR].", "--graph", "atlas")
    assert done.code == 0
    assert "Paris" in done.out
    assert "[TBR]" not in done.out


def test_ask_with_the_toolformer_reasoner_can_be_verified(graphtalk: CommandLine, tmp_path: Path) -> None:
    script = lines(
        tmp_path / "script.jsonl",
        [
            {
                "text": 'The bull graph has [GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r] nodes and a radius of '
                '[GR(GL("gpr", {"bull_graph"}), "toolx:radius")-->r].'
            }
        ],
    )
    text = "The bull graph has [TBR] nodes and a radius of [TBR]."
    done = graphtalk("ask", "gpr", text, "--reasoner", "toolformer", "--lm", f"scripted:{script}", "--json")
    assert done.json["answer"] == "The bull graph has 5 nodes and a radius of 2."
    assert done.json["value"] == [5, 2]
    answer = tmp_path / "answer.json"
    answer.write_text(done.out)
    assert graphtalk("verify", answer, "gpr").code == 0
    answer.write_text(
        done.out.replace("[5, 2]", "[5, 3]").replace("[\n    5,\n    2\n", "[\n    5,\n    3\n")
    )
    assert graphtalk("verify", answer, "gpr").code == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["annotate"], "Give one TEXT"),
        (["annotate", "text", "--out", "x"], "--out goes with --file"),
        (["complete", "--file", "x.jsonl"], "--file needs --out"),
        (["complete", "text", "--lm", "nonsense:x"], "nonsense"),
        (["annotate", "text", "--graph", "/no/such/graph"], "No graph"),
    ],
)
def test_wrong_usage_is_one_message(graphtalk: CommandLine, words: list[str], said: str) -> None:
    done = graphtalk(*words)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_bytes_that_are_no_text_are_declined(graphtalk: CommandLine) -> None:
    done = graphtalk("complete", "-", stdin=b"The order of \xff the bull graph is [TBR].")
    assert done.code == 1
    assert "not valid UTF-8" in done.err
