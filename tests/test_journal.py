"""One process at a time writes a file of answers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import CommandLine
from graphtalk.core import UsageError
from graphtalk.core.journal import Journal

HOLD = """
import sys
from pathlib import Path
from graphtalk.core.journal import Journal
with Journal(Path(sys.argv[1]), "answered") as journal:
    journal.add("a", {"answered": True})
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_file_that_another_process_writes_is_refused_until_it_ends(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    command = [sys.executable, "-c", HOLD, str(out)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match="is being written by another run"):
            Journal(out, "answered")
        other.kill()
    with Journal(out, "answered") as journal:
        assert journal.keys == {"a"}


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (["ask", "atlas"], {"question": "How many countries are there?"}),
        (["solve"], {"question": "Is there a path from 0 to 1? The edges are: (0,1)."}),
        (["annotate"], {"input": "The order of the lollipop graph is __."}),
        (["complete"], {"input": "The order of the lollipop graph is __."}),
    ],
)
def test_commands_refuse_an_out_that_is_being_written(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    command: list[str],
    line: dict[str, str],
) -> None:
    graphtalk = CommandLine(monkeypatch, capsys)
    given, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_text(json.dumps({"id": "1", **line}) + "\n")
    with Journal(out, "answered"):
        refused = graphtalk(*command, "--file", given, "--out", out)
    assert refused.code == 2 and "is being written by another run" in refused.err
    assert out.read_text() == ""
    assert graphtalk(*command, "--file", given, "--out", out).code == 0
    assert [json.loads(answer)["id"] for answer in out.read_text().splitlines()] == ["1"]


def test_the_lines_are_ordered_before_another_process_may_write(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with Journal(out, "n") as journal:
        for key in (3, 1, 2):
            journal.add(key, {"n": key})
        journal.restore_order([1, 2, 3])
        assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == [1, 2, 3]
    with Journal(out, "n") as journal:
        journal.add(4, {"n": 4})
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == [1, 2, 3, 4]
