"""Adjectives that measure: which properties "oldest" or "cheap" may be said of, and in which direction."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_ODD = {"best": "good", "better": "good", "worst": "bad", "worse": "bad", "latest": "late",
        **dict.fromkeys(("farther", "further", "farthest", "furthest"), "far"),
        **dict.fromkeys(("began", "begin", "begins", "started", "starts"), "first"), "ended": "last", "ends": "last"}  # fmt: skip


@dataclass(frozen=True)
class Adjective:
    """The words of the properties that an adjective may measure, each with whether more of it means a higher number.

    `degree`: it ranks by whatever is named after it, as "highest" does.
    """

    features: tuple[tuple[str, bool], ...]
    degree: bool


@cache
def adjectives() -> Mapping[str, Adjective]:
    """The adjectives that measure something, by their base form."""
    listed = tomllib.loads((files("graphtalk.language") / "measures.toml").read_text("utf-8"))
    return {word: _adjective(said.split()) for word, said in listed.items()}


def _adjective(words: list[str]) -> Adjective:
    named = tuple((word.removeprefix("-"), word[0] != "-") for word in words if word != "=")
    return Adjective(named, "=" in words)


def base_of(word: str) -> str:
    """The adjective behind a superlative or comparative; the word itself where none is known.

    >>> base_of("oldest"), base_of("bigger"), base_of("worst"), base_of("forest")
    ('old', 'big', 'bad', 'forest')
    """
    stripped = re.sub(r"(?:est|er)$", "", word)
    forms = (word, _ODD.get(word, ""), stripped, stripped + "e", re.sub(r"i$", "y", stripped),
             re.sub(r"(.)\1$", r"\1", stripped))  # fmt: skip
    return next((form for form in forms if form in adjectives()), word)
