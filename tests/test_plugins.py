"""What an installed package adds: the example of docs/plugins.md, installed as pip would, and used."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from graphtalk.core import UsageError
from graphtalk.core.plugins import known

PAGE = Path(__file__).resolve().parents[1] / "docs" / "plugins.md"

USED = """
import sys
from pathlib import Path

import graphtalk as gt
from graphtalk.app.main import main
from graphtalk.app.settings import Settings

graph = gt.open("night.stops")
print(graph.num_nodes, graph.num_edges)
settings = Settings(reasoner="timetable")
answer = gt.ask(graph, "Which station is busiest?", settings=settings)
print(answer.text, answer.calls[0].spelling, gt.session(graph).verify(answer).verdict)
from graphtalk.lms.registry import open_lm
from graphtalk.lms.protocol import Message, Request

print(open_lm("echo:all aboard").complete(Request((Message("user", "?"),))).text)
for words in (
    "import night.stops -o stored.gt",
    "hub fetch night-lines --from .",
    "hub show night-lines",
    "hub models",
    "ask night-lines busiest --reasoner timetable",
    "vertex run night-lines arrivals",
    "tools Busiest",
):
    sys.argv = ["graphtalk", *words.split()]
    try:
        main()
    except SystemExit as end:
        print(words, "->", end.code)
"""


def install(
    site: Path, module: str, name: str, files: dict[str, str], groups: dict[str, dict[str, str]]
) -> None:
    """Lay a package out in a folder of packages as pip does: its files, and what it names."""
    (site / module).mkdir(parents=True)
    for file, text in files.items():
        (site / file).write_text(text, encoding="utf-8")
    told = site / f"{module}-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    rows = [
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in made.items()) for group, made in groups.items()
    ]
    (told / "entry_points.txt").write_text("\n".join(rows))


def test_the_package_of_the_docs_adds_what_they_say(tmp_path: Path) -> None:
    blocks = dict(
        re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', PAGE.read_text(encoding="utf-8"), re.DOTALL)
    )
    project = tomllib.loads(blocks.pop("pyproject.toml"))["project"]
    install(tmp_path / "site", "night_trains", project["name"], blocks, project["entry-points"])
    (tmp_path / "night.stops").write_text("Rome > Pisa > Nice\nWien > Pisa\nNice > Paris\n", encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")])
    places = {"GRAPHTALK_HUB": str(tmp_path / "hub"), "GRAPHTALK_CACHE": str(tmp_path / "cache")}
    ran = subprocess.run(
        [sys.executable, "-c", USED],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths, **places},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("5 4\nPisa. Busiest[] same\nall aboard\n"), ran.stdout + ran.stderr
    for words in (
        "stored.gt",
        "Night lines",
        "stations of many lines",
        "At most 2 edges lead to one node.",
        "most lines call at",
    ):
        assert words in ran.stdout, ran.stdout + ran.stderr
    assert ran.stdout.count("-> 0") + ran.stdout.count("-> None") == USED.count('    "')


def test_a_function_that_is_not_there_names_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(
        tmp_path,
        "half_done",
        "half-done",
        {"half_done/__init__.py": ""},
        {"graphtalk.t1": {"x": "half_done:lost"}},
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match="The package half-done registers 'half_done:lost' under"):
        known("things", "graphtalk.t1", lambda add: None, str)


def test_two_things_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "def register(add):\n    add('one')\n    add('seven')\n"
    install(
        tmp_path,
        "second",
        "second-hand",
        {"second/__init__.py": code},
        {"graphtalk.t2": {"x": "second:register"}},
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert known("things", "graphtalk.t2", lambda add: add("three"), str) == {
        k: k for k in ("three", "one", "seven")
    }
    with pytest.raises(UsageError, match="Two things are called '3': one of graphtalk, one of second-hand"):
        known("things", "graphtalk.t2", lambda add: add("six"), lambda thing: str(len(thing)))
