"""Adjectives of place, and the names that they come from."""

from collections.abc import Iterator

# endings of adjectives of place, and what the noun has instead
_ENDINGS = (("n", ""), ("an", ""), ("ian", ""), ("ian", "y"), ("ian", "e"), ("ean", ""), ("ean", "e"), ("ese", ""),
            ("ese", "a"), ("ish", ""), ("ish", "land"), ("i", ""), ("ic", ""), ("ic", "ia"), ("", "y"))  # fmt: skip


def nouns_of(adjective: str) -> Iterator[str]:
    """Names that an adjective of place may come from: "African" → "Africa", "Italian" → "Italy"."""
    for ending, instead in _ENDINGS:
        if adjective.endswith(ending) and len(adjective) > len(ending) + 2:
            yield adjective[: len(adjective) - len(ending)] + instead
