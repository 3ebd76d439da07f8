"""The brevity penalty of BLEU: how much an answer is marked down for being shorter than the right one."""

import math
from collections.abc import Iterable, Mapping

from graphtalk.benchmarks.scorers.bleu import tokens
from graphtalk.benchmarks.scorers.given import Given


def brevity(given: Given) -> Mapping[str, float]:
    """`bp` of one answer, from 0 to 1."""
    return {"bp": corpus_brevity(((given.text, given.gold.text),))}


def corpus_brevity(pairs: Iterable[tuple[str, str]]) -> float:
    """The penalty of many answers together, each beside the right one. This is the figure that papers report."""
    ours = gold = 0
    for answer, right in pairs:
        ours, gold = ours + len(tokens(answer)), gold + len(tokens(right))
    if not ours:
        return 0.0
    return min(1.0, math.exp(1 - gold / ours))
