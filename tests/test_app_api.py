"""The Python API: lazy, complete, warm on the second question, and gone with its graph."""

import gc
import json
import subprocess
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.app import stores


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRAPHTALK_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def test_importing_graphtalk_imports_nothing_else() -> None:
    code = "import json, sys; old = set(sys.modules); import graphtalk; print(json.dumps([*{*sys.modules} - old]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout)
    assert "graphtalk" in loaded
    assert not [m for m in loaded if m.startswith("graphtalk.")]
    assert not {m.partition(".")[0] for m in loaded} & {"numpy", "scipy", "pyarrow", "typer", "rich"}


def test_every_public_name_is_there() -> None:
    assert set(gt.__all__) <= set(dir(gt))
    for name in gt.__all__:
        assert getattr(gt, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'opne'"):
        gt.opne  # noqa: B018


def test_a_graph_of_triples_answers_with_evidence() -> None:
    graph = gt.from_triples([("Ann", "knows", "Bob"), ("Bob", "knows", "Cy"), ("Ann", "likes", "Cy")])
    answer = gt.ask(graph, "What does Ann like?")
    assert answer.value == ["Cy"]
    assert answer.evidence.edges == (("Ann", "likes", "Cy"),)
    assert answer.trace.steps[-1].kind == "answer"
    assert "<svg" in answer._repr_html_()


def test_asking_by_name_opens_the_graph() -> None:
    assert gt.ask("atlas", "What is the capital of Japan?").value == ["Tokyo"]


def test_the_second_question_finds_the_same_session() -> None:
    graph = gt.open("atlas")
    session = gt.session(graph)
    assert gt.session(graph) is session
    gt.ask(graph, "What is the capital of Japan?")
    kept = len(session.executor.memory)
    assert kept > 0
    gt.ask(graph, "What is the capital of Japan?")
    assert len(session.executor.memory) == kept
    with pytest.raises(gt.UsageError, match="Valid: offline"):
        gt.ask(graph, "Who?", lm="other")


def test_a_session_goes_with_its_graph() -> None:
    graph = gt.from_triples([("Ann", "knows", "Bob")])
    gt.ask(graph, "Who does Ann know?")
    gone = weakref.ref(graph)
    del graph
    gc.collect()
    assert gone() is None


def test_networkx_goes_in_and_comes_out() -> None:
    nx = pytest.importorskip("networkx")
    given = nx.karate_club_graph()
    graph = gt.from_networkx(given)
    assert gt.algorithms.diameter(graph) == nx.diameter(given)
    assert nx.is_isomorphic(nx.Graph(graph.to_networkx()), nx.Graph(given))


def test_importing_is_the_same_as_on_the_command_line(tmp_path: Path) -> None:
    source = tmp_path / "triples.tsv"
    source.write_text("Ann\tknows\tBob\n")
    graph = gt.import_graph([source], tmp_path / "g.gt", format="triples")
    assert (graph.num_nodes, graph.num_edges) == (2, 1)
    assert gt.open(tmp_path / "g.gt").num_edges == 1


def test_the_cache_is_where_it_is_told_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "here"))
    assert stores.cache_folder() == tmp_path / "here"
    monkeypatch.delenv("GRAPHTALK_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert stores.cache_folder() == tmp_path / "xdg" / "graphtalk"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert stores.cache_folder().parts[-3:] == ("Library", "Caches", "graphtalk")
