"""Offline answers to our own question sets: papers, a museum and others. The tests are in offline_sets.py."""

from offline_sets import (
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
