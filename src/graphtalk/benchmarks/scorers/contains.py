"""SceneGraphs' accuracy, as the reference implementation of G-Retriever computes it."""

from collections.abc import Mapping

from graphtalk.benchmarks.scorers.given import Given


def contains(given: Given) -> Mapping[str, float]:
    """`accuracy`: 1 where the right answer is part of the answer's text.

    It is lenient: "nowhere" holds "no". `whole_answer` is strict.
    """
    return {"accuracy": float(given.gold.text.strip().lower() in given.text.lower())}
