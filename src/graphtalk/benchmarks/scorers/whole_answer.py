"""The strict scorer beside GraphQA's own: the whole answer, and its first name, must be right."""

from collections.abc import Mapping

from graphtalk.benchmarks.scorers.exact_match import normalised
from graphtalk.benchmarks.scorers.given import Given
from graphtalk.benchmarks.scorers.hit import pieces_of


def whole_answer(given: Given) -> Mapping[str, float]:
    """`whole_answer`: 1 where the answer is the right one and nothing else; names may come in any order.
    `first_answer`: 1 where the first name in the answer is a right one, Hit@1 in its proper sense.
    """
    gold = [normalised(name) for name in given.gold.names or (given.gold.text,)]
    told = pieces_of(given)
    return {
        "whole_answer": float(set(told) == set(gold)),
        "first_answer": float(bool(told) and told[0] in gold),
    }
