"""Precision, recall and F1 of the names in an answer, as sets; numbers, yes and no are compared as values.

GRBench joins names by commas although names hold commas, and does not mean their order, so that comparing texts
says little: this is the scorer that tells right from wrong.
"""

from collections.abc import Mapping

from graphtalk.benchmarks.scorers.given import Given, in_one_line
from graphtalk.benchmarks.scorers.names import fold, names_in
from graphtalk.benchmarks.scorers.values import same_value
from graphtalk.core import JSON


def set_scores(given: Given) -> Mapping[str, float]:
    """`set_exact` (1 where nothing is missing and nothing too much), `precision`, `recall` and `f1`."""
    if given.value is None and not given.text:
        return _scores(told=0, wanted=1, shared=0, found=0)
    if given.gold.names is None:
        right = [same_value(entry, given.gold.text) for entry in _entries(given)]
        return _scores(told=len(right), wanted=1, shared=sum(right), found=int(any(right)))
    wanted, told = {fold(name) for name in given.gold.names}, set(_names(given))
    if not wanted and not told:
        return _scores(told=1, wanted=1, shared=1, found=1)
    shared = len(wanted & told)
    return _scores(len(told), len(wanted), shared, shared)


def _scores(told: int, wanted: int, shared: int, found: int) -> Mapping[str, float]:
    precision = shared / told if told else 0.0
    recall = found / wanted if wanted else 0.0
    both = precision + recall
    return {
        "set_exact": float(precision == recall == 1),
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / both if both else 0.0,
    }


def _names(given: Given) -> list[str]:
    if given.value is None or isinstance(given.value, str):
        return names_in(given.text, given.gold.names or ())
    return [fold(in_one_line(entry)) for entry in _entries(given)]


def _entries(given: Given) -> list[JSON]:
    value = given.text if given.value is None else given.value
    return [entry for entry in (value if isinstance(value, list) else [value]) if entry is not None]
