"""Which of some valid names a person or a model meant."""

from collections.abc import Iterable

from graphtalk.calls.vocabulary import fold


def same_name(name: str, valid: Iterable[str]) -> str | None:
    """The one of `valid` that is `name`, or differs only in case, blanks and underscores; else None."""
    names = list(valid)
    if name in names:
        return name
    folded = [n for n in names if fold(n).replace("_", "") == fold(name).replace("_", "")]
    return folded[0] if len(folded) == 1 else None
