"""Problems in words by strangers: few are declined, and none is answered wrongly, as `scripts/measure_solve.py` judges them."""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "scripts"))

import measure_solve

QUESTIONS = Path(__file__).parent / "questions"


@pytest.mark.parametrize(
    ("name", "least"),
    [
        ("strangers", 0.88),
        ("strangers_more", 0.86),
        ("strangers_last", 0.82),
        ("strangers_check", 0.82),
        ("exams", 0.84),
        ("exams_more", 0.9),
        ("exams_check", 0.72),
        ("told", 0.95),
    ],
)
def test_none_is_answered_wrongly(name: str, least: float) -> None:
    rows = map(json.loads, (QUESTIONS / f"problems_{name}.jsonl").read_text("utf-8").splitlines())
    found = [(row, measure_solve.MASTER.solve(row["question"])) for row in rows]
    judged = {row["id"]: measure_solve.judged(row, each, each.text) for row, each in found}
    assert [name for name, outcome in judged.items() if outcome == "wrong"] == []
    assert Counter(judged.values())["right"] >= least * len(judged)
