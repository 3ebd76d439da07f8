"""ExplaGraphs' accuracy, as the reference implementation of G-Retriever computes it."""

import re
from collections.abc import Mapping

from graphtalk.benchmarks.scorers.given import Given

_STANCE = re.compile("support|counter")


def stance(given: Given) -> Mapping[str, float]:
    """`accuracy`: 1 where the first "support" or "counter" in the answer is the right one.

    It is lenient: "it does not support this" counts as "support". `whole_answer` is strict.
    """
    found = _STANCE.search(given.text.lower())
    return {"accuracy": float(found is not None and found[0] == given.gold.text.strip().lower())}
