"""Lines, rows and tags that are far longer than any data has: one clear message, in a time linear in their length."""

import json
from pathlib import Path

import pytest

from graphtalk.core import SourceError
from graphtalk.graphs.read import read_graph

LONG = 20 << 20
FILES = {
    "nodes.csv": ("id,name\n1,", "\n2,b\n", r"line 2: the line is longer than"),
    "people.csv": ("id,name,boss_id\n1,", ",\n2,b,1\n", r"line 2: the line is longer than"),
    "head.csv": ("", ",name\n", r"line 1: the line is longer than"),
    "rows.csv": ('id,name\n1,"', '"\n2,b\n', r"longer than"),
    "g.graphml": ('<graphml><graph><node id="', '"/></graph></graphml>', r"one tag has more than"),
    "g.edgelist": ("a b {}\na ", "\n", r"line 2: the line is longer than"),
    "g.net": ("*Vertices 1\n1 ", "\n", r"line 2: cannot be read: the line is longer than"),
}


@pytest.mark.parametrize("name", FILES)
def test_long_lines(tmp_path: Path, name: str) -> None:
    before, after, message = FILES[name]
    middle = ("x" * 99 + "\n" if name == "rows.csv" else "x" * 100) * (LONG // 100)
    (tmp_path / name).write_text(before + middle + after)
    with pytest.raises(SourceError, match=rf"{name}.*{message}"):
        read_graph([tmp_path / name])


def test_a_long_line_among_others_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text("id,name\n1,a\n2," + "x" * LONG + "\n3,c\n")
    assert read_graph([tmp_path / "nodes.csv"], on_error="skip").num_nodes == 2


def test_deep_json(tmp_path: Path) -> None:
    (tmp_path / "g.json").write_text(json.dumps({"links": []})[:-1] + ', "nodes": ' + "[" * 1_000_000)
    with pytest.raises(SourceError, match=r"g\.json"):
        read_graph([tmp_path / "g.json"])
