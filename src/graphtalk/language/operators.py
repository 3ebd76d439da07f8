"""Words that change what a question means (not, each, per, second, at least, …): a closed list, found in a text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

UNSAYABLE = frozenset({"privative", "universal"})  # kinds that no reading of a stored graph can say
OF_STORED = UNSAYABLE | {
    "same"
}  # kinds that mean something else, or nothing, in a problem that is told in words
_ALL_OF = re.compile(
    r"(?<!^)(?<!\bare )(?<!\bwere )(?<!\blist )(?<!\bname )(?<!\bshow )(?<!\bfind )(?<!\bgive )(?<!\bget )(?<!\bme )"
    r"\b(?:all|every one|each) (?:of )?(?:\w+ ){0,3}?\w+['’]s?(?= \w)",
    re.I,
)


@dataclass(frozen=True)
class OperatorWord:
    """A word of the list where it stands in a text: its kind, and from where to where."""

    kind: str
    word: str
    start: int
    end: int


def operator_words(text: str, names: Sequence[tuple[int, int]] = ()) -> Iterator[OperatorWord]:
    """The words of the list in a text, in order, but for those that lie in names: spans of (start, end).

    Of words inside one another the longest counts: "at least" is no "least".
    """
    found = [
        OperatorWord(kind, match.group().lower(), match.start(), match.end())
        for kind, pattern in _patterns()
        for match in pattern.finditer(text)
    ]
    end = 0
    for word in sorted(found, key=lambda w: (w.start, -w.end)):
        inside = any(start <= word.start and word.end <= stop for start, stop in names)
        if word.end > end and not inside:
            yield word
        end = max(end, word.end)


def unsayable(text: str, names: Sequence[tuple[int, int]] = ()) -> list[str]:
    """What of a question no reading says: "former", "possibly", "border all of X's neighbours"; not "list all of X's"."""
    listed = [w.word for w in operator_words(text, names) if w.kind in UNSAYABLE]
    return [*listed, *(m.group() for m in _ALL_OF.finditer(text))]


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    lines = (files("graphtalk.language") / "operators.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return tuple([(kind, _pattern(words.split("|"))) for kind, words in rows])


def _pattern(words: list[str]) -> re.Pattern[str]:
    listed = "|".join(_one(word) for word in sorted(words, key=len, reverse=True))
    contracted = r"|(?<=\w)n['’]t(?!\w)" if "n't" in words else ""
    return re.compile(rf"(?<!\w)(?:{listed}){contracted}", re.I)


def _one(word: str) -> str:
    """A word of the list as a pattern; `over #` only before a number."""
    return rf"{re.escape(word[:-2])}(?=\s+[$€£]?\d)" if word.endswith(" #") else rf"{re.escape(word)}(?!\w)"
