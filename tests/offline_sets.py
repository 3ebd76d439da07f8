"""Offline answers to our own question sets.

Of each set of tests/questions up to MOST questions, spread over it, are asked once (`scripts/measure_offline.py own` asks all);
no set may fall below what it once reached, each answer rests on edges that exist, and each is found again by `verify`. The
tests here are run by several files, each for a part of the sets, so that they need not all wait for one worker.
"""

import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

import graphtalk as gt

MOST = 40
MEASURE = Path(__file__).resolve().parents[1] / "scripts" / "measure_offline.py"

# Share of the questions that have an answer that must be right, some points below what was measured when these were set.
# Of those that have an answer at most MOST_WRONG may be wrong, and of those that have none LEAST_DECLINED are declined.
# `festival`, `observatory` and `rescue` have no floor: nothing here asks their questions.
FLOORS = {
    "atlas": 0.65,
    "clinic": 0.7,
    "council": 0.5,
    "academic": 0.55,
    "ecommerce": 0.45,
    "harbour": 0.3,
    "legal": 0.35,
    "literature": 0.45,
    "museum": 0.6,
    "other": 0.6,
    "hetionet": 0.4,
    "metaqa": 0.4,
    "wordnet": 0.2,
}
# On harbour, which nobody looked at, two of 80 were wrong and a third stood just below the confidence to answer.
MOST_WRONG, LEAST_DECLINED = {"harbour": 0.06}, 0.8
LARGE = ("hetionet", "metaqa", "wordnet")
# Which file asks which sets, shared out by the number of questions so that no file is much longer than the others.
PARTS = {
    "test_offline_sets": ("atlas", "clinic", "council"),
    "test_offline_sets_academic": ("academic", "museum", "other"),
    "test_offline_sets_ecommerce": ("ecommerce", "literature"),
    "test_offline_sets_harbour": ("harbour", "legal"),
    "test_offline_sets_large": LARGE,
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each file's tests are run with its sets, one after the other."""
    if "asked" in metafunc.fixturenames:
        part = PARTS[metafunc.module.__name__]
        sets = [pytest.param(name, marks=pytest.mark.slow) if name in LARGE else name for name in part]
        metafunc.parametrize("asked", sets, indirect=True)


@dataclass(frozen=True)
class Set:
    """A set's session, its questions, and what was answered to each."""

    session: gt.Session
    answers: list[tuple[object, gt.Answer]]


@pytest.fixture(scope="module")
def measure() -> ModuleType:
    spec = importlib.util.spec_from_file_location("measure_offline", MEASURE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["measure_offline"] = module  # its dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def asked(request: pytest.FixtureRequest, measure: ModuleType) -> tuple[str, Set]:
    """A set and all answers to it: each is asked once for all tests."""
    name: str = request.param
    if name in LARGE:
        request.getfixturevalue("shared_data")
    session = gt.session(measure.open_own(name))
    questions = list(measure.own(name))
    return name, Set(
        session, [(q, session.ask(q.question)) for q in questions[:: -(-len(questions) // MOST)]]
    )


def test_no_set_falls_below_its_floor(asked: tuple[str, Set], measure: ModuleType) -> None:
    name, answered = asked
    scored = [measure.score_own(question, answer, 0.0) for question, answer in answered.answers]
    have = [s for s in scored if s.gold is not None]
    lack = [s for s in scored if s.gold is None]
    assert sum(s.exact for s in have) / len(have) >= FLOORS[name]
    assert sum(not s.exact and not s.declined for s in have) / len(have) <= MOST_WRONG.get(name, 0.03)
    assert sum(s.exact for s in lack) / len(lack) >= LEAST_DECLINED


def test_all_evidence_exists(asked: tuple[str, Set]) -> None:
    graph = asked[1].session.union
    edges = {edge for _, answer in asked[1].answers for edge in answer.evidence.edges}
    assert edges
    for source, relation, target in edges:
        assert graph.node(target) in graph.neighbours(graph.node(source), relation), (
            source,
            relation,
            target,
        )
    for _, answer in asked[1].answers:
        assert all(graph.find(node) is not None for node in answer.evidence.nodes)


def test_every_answer_is_verified(asked: tuple[str, Set]) -> None:
    for question, answer in asked[1].answers:
        verdict = asked[1].session.verify(answer).verdict
        assert verdict == ("same" if answer.answered else "nothing"), question


def test_a_declined_question_has_no_value_and_says_why(asked: tuple[str, Set]) -> None:
    for question, answer in asked[1].answers:
        if not answer.answered:
            assert (answer.value, answer.calls) == (None, ()), question
            assert answer.text, question
