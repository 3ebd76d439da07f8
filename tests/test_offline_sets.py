"""Offline answers to our own question sets: countries, a clinic and a council. The tests are in offline_sets.py."""

from pathlib import Path

from offline_sets import (
    FLOORS,
    PARTS,
    asked,
    measure,
    pytest_generate_tests,
    test_a_declined_question_has_no_value_and_says_why,
    test_all_evidence_exists,
    test_every_answer_is_verified,
    test_no_set_falls_below_its_floor,
)

__all__ = [
    "asked",
    "measure",
    "pytest_generate_tests",
    "test_a_declined_question_has_no_value_and_says_why",
    "test_all_evidence_exists",
    "test_every_answer_is_verified",
    "test_no_set_falls_below_its_floor",
]


def test_every_set_is_asked_by_one_file() -> None:
    assert sorted(name for part in PARTS.values() for name in part) == sorted(FLOORS)
    assert sorted(PARTS) == sorted(file.stem for file in Path(__file__).parent.glob("test_offline_sets*.py"))
