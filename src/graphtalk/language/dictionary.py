"""The single words of English, as WordNet has them (`words.xz`, by `scripts/make_words.py`)."""

import lzma
from functools import cache
from importlib import resources


@cache
def dictionary() -> tuple[frozenset[str], frozenset[str]]:
    """The words of WordNet that are no names, and those that are, in lower case."""
    packed = (resources.files("graphtalk.language") / "words.xz").read_bytes()
    words = [line for line in lzma.decompress(packed).decode().split("\n") if line and line[0] != "#"]
    names = frozenset(word.lower() for word in words if word[0].isupper())
    return frozenset(word for word in words if word[0].islower()), names
