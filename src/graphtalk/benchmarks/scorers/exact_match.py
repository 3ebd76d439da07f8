"""Exact match of normalised texts, as the reference implementation of Graph-CoT computes it."""

import re
import string
from collections.abc import Mapping

from graphtalk.benchmarks.scorers.given import Given

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_LEFT_OUT = re.compile(r"\b(?:a|an|the|usd)\b")


def exact_match(given: Given) -> Mapping[str, float]:
    """1 where both texts are the same once normalised. Order of names counts."""
    return {"exact_match": float(normalised(given.text) == normalised(given.gold.text))}


def normalised(text: str) -> str:
    """Lower case, without punctuation, without the words a, an, the and usd, and with single spaces.

    >>> normalised("The  price: 12 USD.")
    'price 12'
    """
    return " ".join(_LEFT_OUT.sub(" ", text.lower().translate(_PUNCTUATION)).split())
