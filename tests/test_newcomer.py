"""The way of a newcomer, for each format: a file that the format's own tool wrote, and the first question about it."""

import sys
from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.app.about import questions
from planner_graphs import make

sys.path.append(str(Path(__file__).parents[1] / "scripts"))
import newcomer


@pytest.mark.parametrize("case", newcomer.CASES, ids=lambda case: case.format)
def test_the_first_question_about_a_file_is_answered_right(
    case: newcomer.Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    graph = gt.import_graph(newcomer.source(case, tmp_path), tmp_path / "mine.gt")
    answer = gt.ask(graph, case.question)
    assert newcomer.is_right(case, answer.value), answer.text


def test_a_graph_in_python_needs_no_file() -> None:
    import pandas
    import polars

    networkx_graph = newcomer.networkx_graph()
    edges = pandas.DataFrame(newcomer.ROADS, columns=["from", "to"])
    for found, (question, right) in (
        (networkx_graph, newcomer.MANAGED),
        (edges, newcomer.NEAR),
        (polars.DataFrame(edges.to_dict("list")), newcomer.NEAR),
        (newcomer.frames(), newcomer.MANAGER),
    ):
        assert sorted(gt.ask(gt.open(found), question).value) == sorted(right)  # type: ignore[arg-type]


def test_what_somebody_did_is_asked_with_did() -> None:
    nodes = {"id": ["p1"], "name": ["Ann Weaver"], "joined": [2005]}
    graph = make({"birder": nodes}, [])
    assert questions(graph) == ("When did Ann Weaver join?",)
    assert gt.ask(graph, "When did Ann Weaver join?").value == 2005
