"""`annotate`, `complete`, `hub fit` and `train annotator` with bad input: one message each, no traceback, nothing lost."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import CommandLine, lines, read
from fault_server import Fault, FaultServer, says, status
from graphtalk.core.text import visible

TEXT = "The bull graph has a diameter of [TBR]."
RIGHT = 'The bull graph has a diameter of [GR(GL("gpr", {"bull_graph"}), "toolx:diameter")-->r].'
CALL = 'GR(GL("gpr", {"bull_graph"}), "toolx:diameter")'


@pytest.fixture
def graphtalk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> CommandLine:
    monkeypatch.setenv("GRAPHTALK_HUB", str(tmp_path / "hub"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    return CommandLine(monkeypatch, capsys)


# texts


@pytest.mark.parametrize("command", ["annotate", "complete"])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The text is empty"),
        (" \n ", "The text is empty"),
        (f"It is [{CALL[:-1]}", "found the end of the text"),
        ("It is [" + "GR(" * 3000, "at most 200 calls"),
        (f"It is [{CALL}-->r] \x1b[31m.", "control character, '\\x1b', at position 60"),
        ("The bull graph has an \x00 order of [TBR].", "control character, '\\x00', at position 22"),
        ("The order of the bull graph is [TBR]. " * 27_000, "1,026,000 characters; at most 10,000"),
        ("The diameter of that graph is [TBR].", "names no graph that is known"),
    ],
    ids=["empty", "blank", "unclosed", "nested", "escape", "nul", "a megabyte", "no graph"],
)
def test_a_text_that_cannot_be_annotated_comes_back_with_the_reason(
    graphtalk: CommandLine, command: str, text: str, said: str
) -> None:
    done = graphtalk(command, "-", stdin=text)
    assert (done.code, done.out) == (1, visible(text.rstrip("\n")) + "\n")
    assert said in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (CALL.replace("bull", "bulk"), "No graph 'bulk_graph' in gpr. Did you mean bull_graph"),
        (CALL.replace('"gpr"', '"grp"'), "No graph 'grp' is here"),
        (CALL.replace("diameter", "diametre"), "No function 'toolx:diametre'. Did you mean toolx:diameter"),
        (CALL.replace("diameter", "eccentricity").replace('")', '", node#99)'), "No node is called '99'"),
        ('GR(GL("cora"), "graph_bert:topic", paper#1)', "graphtalk hub fetch cora"),
    ],
)
def test_a_call_that_fails_marks_its_place_and_the_others_stand(
    graphtalk: CommandLine, call: str, said: str
) -> None:
    done = graphtalk("complete", f"It is [{call}-->r], and [{CALL}-->r].")
    assert done.code == 1
    assert done.out.startswith("It is [not known: ")
    assert said in done.out
    assert done.out.endswith("], and 3.\n")


# files


BROKEN = [
    b'{"id": "b", "input": "x',
    b"\xff\xfe",
    b'{"id": "a", "input": "again"}',
    b'{"id": null, "input": "x"}',
    b'{"id": true, "input": "x"}',
    b'{"id": 1, "input": 5}',
    b'{"id": 1, "question": "x"}',
    b'{"id": 1.5, "input": "x"}',
    b'{"id": 5, "input": "\\ud800"}',
    b"[" * 100_000,
]


def test_broken_lines_are_left_out_one_message_each(graphtalk: CommandLine, tmp_path: Path) -> None:
    given, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    first, last = ({"id": key, "input": TEXT} for key in ("a", "z"))
    given.write_bytes(
        b"\n".join([json.dumps(first).encode(), *BROKEN, json.dumps(last).encode()])
    )  # no line break at the end
    done = graphtalk("complete", "--file", given, "--out", out)
    assert done.code == 1
    assert [row["id"] for row in read(out)] == ["a", "z"]
    complaints = [line for line in done.err.splitlines() if f"{given}:" in line]
    assert [int(line.split(f"{given}:")[1].split(":")[0]) for line in complaints] == list(range(2, 12))


@pytest.mark.parametrize("out", ["no/folder/out.jsonl", ".", "in.jsonl"])
def test_outputs_that_cannot_be_written(graphtalk: CommandLine, tmp_path: Path, out: str) -> None:
    given = lines(tmp_path / "in.jsonl", [{"id": "a", "input": TEXT}])
    before = given.read_bytes()
    done = graphtalk("complete", "--file", given, "--out", tmp_path / out)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert given.read_bytes() == before


def test_annotated_texts_are_not_taken_for_completed_ones(graphtalk: CommandLine, tmp_path: Path) -> None:
    given, out = lines(tmp_path / "in.jsonl", [{"id": "a", "input": TEXT}]), tmp_path / "out.jsonl"
    assert graphtalk("annotate", "--file", given, "--out", out).code == 0
    before = out.read_bytes()
    done = graphtalk("complete", "--file", given, "--out", out)
    assert done.code == 2
    assert "not an answer of an earlier run" in done.err
    assert out.read_bytes() == before


@pytest.mark.slow
def test_a_run_that_is_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    rows = [{"id": i, "input": f"{TEXT} Request {i}."} for i in range(40_000)]
    given, out = lines(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "graphtalk", "complete", "--file", given, "--out", out]
    started = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"})
    while started.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") < 20):
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    _, said = started.communicate(timeout=300)
    done = read(out)
    assert started.returncode == 130
    assert b"Traceback" not in said
    assert f"stopped; {len(done):,} texts are done. The same command goes on".encode() in said
    out.write_bytes(out.read_bytes() + b'{"id": 39999, "out')  # as a kill in the middle of a line leaves it
    lines(given, rows[: len(done) + 3])
    again = subprocess.run(command, stderr=subprocess.PIPE, check=True, timeout=300)
    assert f"3 texts, {len(done):,} kept from before".encode() in again.stderr
    assert read(out)[: len(done)] == done
    assert [row["id"] for row in read(out)] == list(range(len(done) + 3))


# language models


MALFORMED = {
    "an unclosed bracket": (RIGHT[:-5], "twice"),
    "ten thousand nested calls": ("It is [" + "GR(" * 10_000 + '"x"' + ")" * 10_000 + "-->r].", "twice"),
    "a control character": (RIGHT.replace("diameter of", "diameter \x07 of"), "control character"),
    "an unknown function": (RIGHT.replace("toolx:diameter", "toolx:width"), "No function 'toolx:width'"),
    "an unknown graph": (RIGHT.replace('"gpr"', '"imdb"'), "No graph 'imdb'"),
    "an invented node": (
        RIGHT.replace('diameter")', 'eccentricity", node#4)'),
        "node#4 is not copied",
    ),
    "a call without brackets": (RIGHT.replace("[", "").replace("-->r]", ""), "stands in no brackets"),
    "a slot that is left": (f"{RIGHT} [TBR]", "is left"),
    "another text": ("The bull graph has a diameter of 3.", "word for word"),
    "nothing": ("", "word for word"),
    "a megabyte": ("x" * 1_000_000, "at most 20,000"),
}


@pytest.mark.parametrize(("reply", "said"), MALFORMED.values(), ids=list(MALFORMED))
def test_what_a_model_writes_wrongly_is_declined(graphtalk: CommandLine, reply: str, said: str) -> None:
    with FaultServer([says(reply), says(reply)]) as server:
        done = graphtalk("complete", TEXT, "--lm", "openai:tiny", "--base-url", server.base_url)
    assert (done.code, done.out) == (1, f"{TEXT}\n")
    assert said in done.err
    assert len(done.err.splitlines()) == 1
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", [status(401), status(404), says(None)], ids=["401", "404", "no text"])
def test_a_model_that_cannot_be_asked(graphtalk: CommandLine, fault: Fault) -> None:
    with FaultServer([fault] * 9) as server:
        done = graphtalk("annotate", TEXT, "--lm", "openai:tiny", "--base-url", server.base_url, "--json")
    assert done.code == 1
    assert done.json["output"] == TEXT
    assert done.json["declined"]


@pytest.mark.parametrize("command", ["annotate", "complete"])
def test_what_a_model_could_not_be_asked_is_left_for_the_next_run(
    graphtalk: CommandLine, tmp_path: Path, command: str
) -> None:
    given = lines(tmp_path / "in.jsonl", [{"id": key, "input": TEXT} for key in "abc"])
    words = (command, "--file", given, "--out", tmp_path / "out.jsonl", "--lm", "openai:tiny")
    with FaultServer([says(RIGHT), status(401), says("no"), says("no")]) as server:
        done = graphtalk(*words, "--base-url", server.base_url)
    assert done.code == 1
    assert "2 texts" in done.err
    assert "1 texts are left for the next run" in done.err
    before = read(tmp_path / "out.jsonl")
    assert [(row["id"], "declined" in row) for row in before] == [("a", False), ("c", True)]
    with FaultServer([says(RIGHT)]) as server:
        assert graphtalk(*words, "--base-url", server.base_url).code == 0
        assert len(server.requests) == 1
    after = read(tmp_path / "out.jsonl")
    assert [row["id"] for row in after] == ["a", "b", "c"]
    assert [after[0], after[2]] == before


@pytest.mark.parametrize(
    ("lm", "said"),
    [
        ("nonsense", "No language model 'nonsense'"),
        ("openai:", "names no model"),
        pytest.param("hf:/no/such/folder", "there is no such folder", marks=pytest.mark.slow),
        ("trained:/no/such/folder", "there is no such folder"),
    ],
)
def test_an_unknown_language_model(graphtalk: CommandLine, lm: str, said: str) -> None:
    done = graphtalk("complete", TEXT, "--lm", lm)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1


# hub, and learning


@pytest.mark.parametrize("seed", ["-1", str(2**64)])
def test_a_seed_that_is_none(graphtalk: CommandLine, seed: str) -> None:
    done = graphtalk("hub", "fit", "kmeans", "cora", "--seed", seed)
    assert done.code == 2
    assert "Invalid value for '--seed'" in done.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show", "nope"], "No data set 'nope'"),
        (["show", "../../etc/passwd"], "No data set"),
        (["fetch", "cora", "--from", "/no/folder"], "no such folder"),
        (["fit", "nope", "cora"], "No model 'nope'"),
        (["fit", "kmeans", "cora"], "graphtalk hub fetch cora"),
    ],
)
def test_hub(graphtalk: CommandLine, words: list[str], said: str) -> None:
    done = graphtalk("hub", *words)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("content", [b"\xff\xfe\n", b"Input: x\n", b"", b"{}\n", b'{"id": 1\n'])
def test_prompts_to_learn_from_that_are_none(graphtalk: CommandLine, tmp_path: Path, content: bytes) -> None:
    given = tmp_path / "prompts_train"
    given.write_bytes(content)
    done = graphtalk("train", "annotator", "--base", "offline", "--data", given, "--out", tmp_path / "out")
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert not list((tmp_path / "out").glob("*.npz"))
