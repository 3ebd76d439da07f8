"""WebQSP's Hit@1, precision, recall and F1, as the reference implementation of G-Retriever computes them."""

from collections.abc import Mapping, Sequence

from graphtalk.benchmarks.scorers.exact_match import normalised
from graphtalk.benchmarks.scorers.given import Given, in_one_line


def hit(given: Given) -> Mapping[str, float]:
    """`hit`: 1 where any right name is part of the answer's text. `hit_precision`, `hit_recall`, `hit_f1`: of its
    pieces between `|` and line breaks, a piece being right where it holds a right name.

    It is lenient: a long answer hits more often, and "ur" hits in "your". `whole_answer` is strict.
    """
    gold = [normalised(name) for name in given.gold.names or (given.gold.text,)]
    pieces = pieces_of(given)
    told = " ".join(pieces)
    right = sum(any(name in piece for name in gold) for piece in pieces)
    found = sum(name in told for name in gold)
    precision, recall = right / max(len(pieces), 1), found / max(len(gold), 1)
    both = precision + recall
    return {
        "hit": float(found > 0),
        "hit_precision": precision,
        "hit_recall": recall,
        "hit_f1": 2 * precision * recall / both if both else 0.0,
    }


def pieces_of(given: Given) -> Sequence[str]:
    """The answer's pieces, normalised: the entries of a list, or what stands between the signs."""
    entries = given.value if isinstance(given.value, list) else given.text.replace("\n", "|").split("|")
    pieces = (normalised(in_one_line(entry)) for entry in entries)
    return [piece for piece in pieces if piece]
