"""What leads in to a question is left out, and nothing else."""

import pytest

from graphtalk.language.leading import without_lead_in


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Would anybody mind telling me which ship is the longest?", "which ship is the longest?"),
        ("I'd really love to find out how many ports there are", "how many ports there are"),
        ("Could you possibly, just quickly, look up when the Vega was built?", "when the Vega was built?"),
        ("I am curious: what does a berth cost?", "what does a berth cost?"),
        ("Please let us know whether the Vega lies in Bergen", "tell me whether the Vega lies in Bergen"),
    ],
)
def test_a_lead_in_is_left_out(said: str, asked: str) -> None:
    assert without_lead_in(said) == asked


@pytest.mark.parametrize(
    "asked",
    [
        "Which of you knows who wrote it?",
        "Do you have any films by Ada?",
        "Does Ada know who wrote it?",
        "Possible ships of which Bob is the captain",
        "I sail",
        "",
    ],
)
def test_what_is_part_of_the_question_stays(asked: str) -> None:
    assert without_lead_in(asked) == asked
