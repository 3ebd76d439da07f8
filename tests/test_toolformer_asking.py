"""`ask` without a language model: where the offline annotator answers what the planner cannot."""

import importlib.util
import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.app.ask import session
from graphtalk.app.session import Session
from graphtalk.calls import parse
from graphtalk.core import Answer, Question
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build, builtin
from graphtalk.hub.models import ModelHub
from graphtalk.models import bpr
from graphtalk.reasoners.candidates import Proposal
from graphtalk.reasoners.offline import OfflineReasoner
from graphtalk.reasoners.toolformer.annotator import Annotator
from graphtalk.reasoners.toolformer.modelled import ModelReader
from graphtalk.search.index import Index
from graphtalk.tools import models as calls
from graphtalk.tools.executor import Executor
from graphtalk.tools.registry import default_registry
from planner_graphs import library

SMALL = bpr.BprConfig(factors=4, epochs=4, batch=64)
QUESTIONS = Path(__file__).parent / "questions" / "hub.jsonl"


@pytest.fixture(autouse=True)
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty hub, with quick settings."""
    made = ModelHub(tmp_path)
    monkeypatch.setenv("GRAPHTALK_HUB", str(tmp_path))
    monkeypatch.setattr(calls, "model_hub", lambda: made)
    monkeypatch.setattr(bpr, "BprConfig", lambda: SMALL)


def gpr_rows() -> list[dict[str, str]]:
    rows = map(json.loads, QUESTIONS.read_text(encoding="utf-8").splitlines())
    return [row for row in rows if row["graph"] == "gpr"]


@pytest.fixture(scope="module")
def gpr() -> Session:
    return session(builtin.load("gpr"))


@pytest.mark.parametrize("row", gpr_rows(), ids=lambda row: row["id"])
def test_properties_of_graphs_by_name(gpr: Session, row: dict[str, str]) -> None:
    answer = gpr.ask(row["question"])
    assert answer.answered == ("call" in row)
    if answer.answered:
        assert answer.calls[-1].result == gpr.call(row["call"]).calls[-1].result


def films() -> Graph:
    """Forty users who saw films, as in MovieLens; even users like even films."""
    seen = np.array([(u, f) for u in range(40) for f in range(20) if (u + f) % 2 == 0 and (u * 7 + f) % 3])
    times = pa.table({"timestamp": np.arange(len(seen))})
    users = NodeTable("user", pa.table({"id": [f"u{i}" for i in range(40)], "age": np.arange(40) + 20}))
    titles = [f"The Film Number {i} ({1990 + i})" for i in range(20)]
    movies = NodeTable("movie", pa.table({"id": [f"i{i}" for i in range(20)], "title": titles}), "title")
    return build(
        [users, movies],
        [EdgeTable("rated", "user", "movie", seen[:, 0], seen[:, 1], times, "rated by")],
        "movielens",
    )


@pytest.mark.skipif(importlib.util.find_spec("safetensors") is None, reason="models need safetensors")
def test_what_a_user_would_like_is_asked_of_the_model_and_what_they_saw_of_the_graph() -> None:
    asked = session(films())
    best = asked.ask("Which three movies should u4 watch next?")
    assert best.calls[-1].spelling.startswith("TopRecommendations[user#u4, 3")
    assert len(best.value) == 3
    assert best.remarks[0].startswith("predicted by bpr")
    assert best.text.endswith(f"(top recommendations of u4) {'; '.join(best.remarks)}")
    assert "was chosen most often by the others who chose" in best.remarks[1] and best.evidence.edges
    seen = asked.ask("Which movies did u4 rate?")
    assert not set(seen.value or ()) & set(best.value)
    assert seen.remarks == ()
    assert asked.ask("How old is u4?").value in (24, None)


@pytest.mark.skipif(importlib.util.find_spec("safetensors") is None, reason="models need safetensors")
def test_names_stand_for_ids() -> None:
    answer = session(films()).ask("How likely is u4 to watch The Film Number 6 (1996)?")
    assert answer.calls[-1].spelling.startswith("Recommendation[user#u4, movie#i6")
    assert 0 < answer.value < 1


def papers() -> Graph:
    """Two papers of Cora, one of which has a topic."""
    table = pa.table({"id": ["31336", "10531"], "topic": pa.array(["Neural Networks", None])})
    return build(
        [NodeTable("paper", table)],
        [EdgeTable("citation", "paper", "paper", np.array([0]), np.array([1]))],
        "cora",
    )


def test_a_recorded_topic_comes_before_a_predicted_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = session(papers())
    recorded = asked.ask("To which field does document 31336 belong?")
    assert recorded.text in ("Neural Networks (topic of 31336)", "Neural Networks (topic of paper 31336)")
    assert recorded.remarks == ()

    class Said:
        card = bpr.UNFITTED

        def predict(self, nodes: list[int]) -> list[object]:
            from graphtalk.models.predictions import Prediction

            return [Prediction("Theory", 0.9, {})]

    monkeypatch.setattr(ModelHub, "model", lambda hub, name, graph: Said())
    unrecorded = asked.ask("To which field does document 10531 belong?")
    assert unrecorded.value == "Theory"
    assert unrecorded.remarks == (
        "predicted by graph_bert, with probability 0.90",
        "0 of 1 neighbours with a recorded topic have Theory; most, 1, have Neural Networks",
    )
    assert asked.ask("Predict the topic of paper 31336.").value == "Theory"
    for why in (
        "Why is paper 10531 predicted to be about Theory?",
        "Why does Graph-Bert predict the topic of paper 10531?",
        "Why does the model predict Theory for 10531?",
    ):
        assert asked.ask(why).remarks == unrecorded.remarks


def test_endless_questions_are_not_read() -> None:
    def never() -> Annotator:
        raise AssertionError("the annotator is asked")

    reader = ModelReader(films(), never, default_registry().vocabulary)
    assert reader.readings("Would u1 like i5? " * 60) == ()
    with pytest.raises(AssertionError):
        reader.readings("Would u1 like i5?")


@dataclass
class Scripted:
    """A second reader with one reading; it counts how often it was asked."""

    call: str
    claiming: bool = False
    asked: list[str] = field(default_factory=list)

    def claims(self, question: str) -> bool:
        return self.claiming

    def readings(self, question: str) -> tuple[Proposal, ...]:
        self.asked.append(question)
        return (Proposal(parse(self.call, default_registry().vocabulary), "a thought", "some words"),)


def answered(question: str, second: Scripted) -> Answer:
    graph = library()
    index = Index.open(graph)
    *_, last = OfflineReasoner(Executor(graph, index), index, second=second).run(Question(question))
    assert last.answer is not None
    return last.answer


def test_a_second_reader_is_not_asked_where_the_planner_is_sure() -> None:
    second = Scripted('NodeFeature("p2", "year")')
    assert answered("What is the year of Deep Water?", second).value == 1999
    assert second.asked == []
    claiming = replace(second, claiming=True)
    assert answered("What is the year of Deep Water?", claiming).value == 2004
    assert claiming.asked == ["What is the year of p1?"]


def test_a_second_reader_answers_what_the_planner_declines_and_its_failure_is_told() -> None:
    assert answered("Zqxv blorp?", Scripted('NodeFeature("p2", "year")')).value == 2004
    failed = answered("Zqxv blorp?", Scripted('NodeFeature("p99", "year")'))
    assert not failed.answered
    assert "could not be run" in failed.text
