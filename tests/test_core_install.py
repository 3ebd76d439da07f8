"""`pip install graphtalk` without extras: what it names is enough, and what it leaves out is asked for by name."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import graphtalk as gt
from graphtalk.core import UsageError

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
BLOCK = """
import io, json, sys, traceback
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import PathFinder
class Installed:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return None if name.partition(".")[0] in ABSENT else PathFinder.find_spec(name, path, target)
sys.meta_path[:] = [Installed if finder is PathFinder else finder for finder in sys.meta_path]
from graphtalk.app.main import main
ended = []
for words in json.loads(sys.argv[1]):
    sys.argv = ["graphtalk", *words]
    with redirect_stdout(io.StringIO()) as said, redirect_stderr(said):
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        except Exception:
            traceback.print_exc()
            code = 1
    ended.append([code or 0, said.getvalue()])
print(json.dumps(ended))
"""
Command = tuple[str | Path, ...]


def closure(wanted: list[str]) -> set[str]:
    """The distributions that these requirements bring, theirs included."""
    found: set[str] = set()
    left = [(Requirement(line), "") for line in wanted]
    while left:
        requirement, extra = left.pop()
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        if name in found and not requirement.extras:
            continue
        found.add(name)
        try:
            theirs = requires(name) or []
        except PackageNotFoundError:  # of another platform
            continue
        left += [(Requirement(line), e) for line in theirs for e in (requirement.extras or {""})]
    return found


@pytest.fixture(scope="module")
def absent() -> set[str]:
    """The modules of all that is installed here and that the core does not bring."""
    core = closure(PROJECT["dependencies"]) | {"graphtalk"}
    return {
        module
        for module, owners in packages_distributions().items()
        if not {re.sub(r"[-_.]+", "-", owner).lower() for owner in owners} & core
    }


def run(absent: set[str], commands: list[Command]) -> list[tuple[int, str]]:
    """How commands end, one after the other in a process that has the core alone: the exit code, and what is printed."""
    script = BLOCK.replace("ABSENT", repr(sorted(absent)))
    asked = json.dumps([[str(word) for word in words] for words in commands])
    done = subprocess.run(
        [sys.executable, "-c", script, asked], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_core_imports_asks_retrieves_computes_and_exports(absent: set[str], tmp_path: Path) -> None:
    assert {"openai", "torch", "fastapi", "networkx"} <= absent
    (tmp_path / "edges.csv").write_text("from,to\nAnn,Bob\nBob,Cy\nCy,Dan\n")
    store = tmp_path / "mine.gt"
    cases: list[tuple[Command, str]] = [
        (("import", tmp_path / "edges.csv", "-o", store), "3 rows read"),
        (("ask", "atlas", "Which countries border both France and Germany?"), "Luxembourg"),
        (("retrieve", store, "Who is Bob?"), "vectors of minilm"),
        (("call", store, 'PathLength[RetrieveNode["Ann"], RetrieveNode["Dan"]]'), "Bob ─ edge → Cy"),
        (("query", store, "MATCH (a)-->(b) RETURN count(b)"), "count(b)\n3"),
        (("complete", "The lollipop graph has a diameter of [TBR]."), "diameter of 11"),
        (("export", store, "-o", tmp_path / "mine.graphml"), "mine.graphml"),
    ]
    ended = run(absent, [words for words, _ in cases])
    for (words, wanted), (code, said) in zip(cases, ended, strict=True):
        assert code == 0 and wanted in said, (words, said)


def test_what_is_no_part_of_it_is_named_with_its_command(absent: set[str]) -> None:
    cases: list[tuple[Command, str]] = [
        (("ask", "atlas", "What is the capital of Japan?", "--lm", "openai:x", "--reasoner", "graph-cot"), "openai"),
        (("ask", "atlas", "What is the capital of Japan?", "--lm", "anthropic:x"), "anthropic"),
        (("serve", "atlas"), "server"),
    ]  # fmt: skip
    ended = run(absent, [words for words, _ in cases])
    for (words, extra), (code, said) in zip(cases, ended, strict=True):
        wanted = f'python -m pip install "graphtalk[{extra}]"'
        assert code and wanted in " ".join(said.split()) and "Traceback" not in said, (words, said)


@pytest.mark.parametrize(
    ("work", "extra"),
    [
        (lambda g: g.to_networkx(), "networkx"),
        (lambda g: g.to_igraph(), "igraph"),
        (lambda g: g.to_polars(), "polars"),
        (lambda g: g.nodes("node"), "pandas"),
        (lambda g: gt.query(g, "MATCH (n) RETURN n").to_pandas(), "pandas"),
    ],
)
def test_what_python_lacks_is_named_with_its_command(
    work: Callable[[gt.Graph], object], extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    g = gt.from_triples([("Ann", "knows", "Bob")])
    for name in ("networkx", "igraph", "polars", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError, match=rf'python -m pip install "graphtalk\[{extra}\]"'):
        work(g)


def test_all_has_every_extra_that_people_need() -> None:
    named = [name for line in EXTRAS["all"] for name in Requirement(line).extras]
    assert sorted(named) == sorted(set(EXTRAS) - {"all", "docs", "dev"})
