"""Whether the calls of an annotated text, once run, give the right results."""

import re
from collections import Counter
from collections.abc import Hashable, Mapping

from graphtalk.benchmarks.scorers.given import Given
from graphtalk.core import JSON
from graphtalk.core.reading import read_json

_KEY = re.compile(r"([{,]\s*)(\d+)\s*:")


def results(given: Given) -> Mapping[str, float]:
    """`ran`: whether all calls could be run. `result`: whether they gave the results of the record, if it has any.

    Results are compared as a bag: some of the published records have theirs in another order than their calls.
    Lists of nodes are compared as sets, names without regard to case and underscores.
    """
    found = given.value.get("results") if isinstance(given.value, dict) else None
    ours = found if isinstance(found, list) else []
    scores = {"ran": float(bool(ours) and None not in ours)}
    if given.gold.names is not None:
        right = Counter(_form(_read(text)) for text in given.gold.names)
        scores["result"] = float(Counter(_form(value) for value in ours) == right)
    return scores


def _read(text: str) -> JSON:
    """A result as records write it: `4`, `[5, 6]`, `{0: 1, 1: 2}`, `Neural Networks`."""
    try:
        value: JSON = read_json(_KEY.sub(r'\1"\2":', text))
    except ValueError:
        return text
    return value


def _form(value: JSON) -> Hashable:
    """What is the same for two results that are the same."""
    if isinstance(value, list):
        return frozenset(map(_form, value))
    if isinstance(value, dict):
        return frozenset((_form(name), _form(entry)) for name, entry in value.items())
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        plain = " ".join(value.replace("_", " ").casefold().split())
        try:
            return round(float(plain), 9)
        except ValueError:
            return plain
    return round(float(value), 9)
