"""Whether what was answered is the right number, the right truth value, or the right text."""

import math
import re

from graphtalk.benchmarks.scorers.exact_match import normalised
from graphtalk.benchmarks.scorers.given import in_one_line
from graphtalk.core import JSON

WHOLE = 0.005  # GRBench rounds to two digits after the point, and leaves out zeros there
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?")
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


def same_value(told: JSON, gold: str) -> bool:
    """Whether `told`, a value or what a model wrote, says what `gold` says.

    >>> same_value(12, "12"), same_value("There are 12 genes.", "12"), same_value("Yes, they are.", "True")
    (True, True, True)
    """
    truth = _TRUTH.get(normalised(gold))
    if truth is not None:
        return _truth(told) is truth
    whole = _NUMBER.fullmatch(gold.strip())
    if whole is None:
        return normalised(in_one_line(told)) == normalised(gold)
    number, right = _number(told), _read(whole.group())
    decimals = len(gold.strip().partition(".")[2])
    near = 10.0**-decimals if decimals else WHOLE  # the last digit may be rounded or cut
    return number is not None and math.isclose(number, right, rel_tol=1e-9, abs_tol=near)


def _truth(told: JSON) -> bool | None:
    if isinstance(told, bool):
        return told
    words = normalised(told).split() if isinstance(told, str) else []
    return _TRUTH.get(words[0]) if words else None


def _number(told: JSON) -> float | None:
    """A number, or the only one in a text."""
    if isinstance(told, bool):
        return None
    if isinstance(told, int | float):
        return float(told)
    found = _NUMBER.findall(told) if isinstance(told, str) else []
    return _read(found[0]) if len(found) == 1 else None


def _read(digits: str) -> float:
    return float(digits.replace(",", ""))
