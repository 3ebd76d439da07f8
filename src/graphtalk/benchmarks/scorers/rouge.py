"""ROUGE-1, ROUGE-2 and ROUGE-L (F measures), tokenised as the package rouge-score does, without stemming.

Source: Lin, ROUGE: a package for automatic evaluation of summaries (2004), sections 2 and 3.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from graphtalk.benchmarks.scorers.given import Given

_WORD = re.compile(r"[a-z0-9]+")


def rouge(given: Given) -> Mapping[str, float]:
    """The three F measures of the answer's text against the right one."""
    ours, gold = (_WORD.findall(text.lower()) for text in (given.text, given.gold.text))
    return {
        "rouge1": _overlap(ours, gold),
        "rouge2": _overlap(list(pairwise(ours)), list(pairwise(gold))),
        "rougeL": _f_measure(longest_common(ours, gold), len(ours), len(gold)),
    }


def _overlap(ours: Sequence[object], gold: Sequence[object]) -> float:
    return _f_measure((Counter(ours) & Counter(gold)).total(), len(ours), len(gold))


def _f_measure(shared: int, ours: int, gold: int) -> float:
    return 2 * shared / (ours + gold) if shared else 0.0


def longest_common(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence.

    One column of the usual table is kept as the bits of a number (Hyyrö, Bit-parallel LCS-length computation
    revisited, 2004): lists of thousands of names are compared in milliseconds.

    >>> longest_common("a b c d".split(), "b x d".split())
    2
    """
    places: dict[str, int] = {}
    for place, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << place
    full = (1 << len(first)) - 1
    column = full
    for word in second:
        met = column & places.get(word, 0)
        column = ((column + met) | (column - met)) & full
    return len(first) - column.bit_count()
