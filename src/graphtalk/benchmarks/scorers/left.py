"""Whether a text that asks for nothing of a graph was left as it is."""

from collections.abc import Mapping

from graphtalk.benchmarks.scorers.given import Given


def left(given: Given) -> Mapping[str, float]:
    """`left`: 1 where no call was written and no word changed; a text that was declined is left too."""
    return {"left": float(given.text.strip() in ("", given.gold.text.strip()))}
