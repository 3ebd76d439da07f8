"""Names in sentences: those that are no words of English, nouns before them, and sentences without their names."""

import re
from collections.abc import Collection
from functools import lru_cache

from graphtalk.language.nouns import CAPITAL, any_of, named, words

_SCRIPT = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
_ODD_TOKEN = (
    rf"(?<![\w\"'.@/-])(?:{_SCRIPT}|@\w+|(?=\w*[^\W\d])\w+(?:[._-]\w+)+|[^\W\d]\w*_\w+)(?![\w\"'@/-])"
)
_ODD = re.compile(rf"{_ODD_TOKEN}(?!\s*[=:])")
_NO_NAMES = re.compile(
    r"(?:(?:one|two|three|four|bi|multi|non|un|semi|in|out|k|self|max|min|shortest|well|full|so|e|i|\d+)-.*"
    r"|[A-Z][a-z]+-[A-Z][a-z]+|.*-(?:way|to|and|of|off|up|like|free|based|core|cores|degree|color\w*|colour\w*|path|paths|flow|cut)|[ei]\.[eg]|s-t)",
    re.I,
)
_CAPITAL = re.compile(r"\b[A-Z][a-z]+(?= [\w\"])")
_CAPITALISED = re.compile(r"\b[A-Z]\w+")
_FIELD = re.compile(
    rf"\"[^\"\n]{{1,60}}\"|(?P<number>(?<![\w.-])\d+(?:\.\d+)?(?![\w-]*\w))|{_ODD_TOKEN}|(?<![\w.'-])(?=\w*\d)[^\W\d]\w*(?![\w-])"
    rf"|(?<![\w.'-])[{CAPITAL}][\w'’]*(?:[ -](?:[{CAPITAL}][\w'’]*|\d+(?![\w.]*\w)))*"
)
_MOST_QUOTED = 10_000  # names
_COMMON = frozenset(
    "The A An In Each Every Given There Note Is Are Can If It And Or This These Some All Graph Suppose Here Also Then Next "
    "Between From To You We I He She They One Directed Undirected No Not Any Only It's".split()
)


def with_odd_names_quoted(text: str) -> str:
    """The text with names that are no words of English in quotes: `db-1`, `api.core`, `node_3`, `北京`.

    >>> with_odd_names_quoted("db-1 is connected to a one-way street")
    '"db-1" is connected to a one-way street'
    """
    return _ODD.sub(lambda m: m[0] if _NO_NAMES.fullmatch(m[0]) else f'"{m[0]}"', text)


def with_names_quoted(text: str, names: Collection[object]) -> str:
    """The text with those names in quotes that have several words, which are one name wherever they stand.

    >>> with_names_quoted("How far is Hut A from Col du Pin?", {"Hut A", "Col du Pin", "Summit"})
    'How far is "Hut A" from "Col du Pin"?'
    """
    several = [name for name in names if isinstance(name, str) and " " in name]
    if not several or len(several) > _MOST_QUOTED:
        return text
    return re.sub(rf"(?<![\w\"'])(?:{any_of(several)})(?![\w\"'])", r'"\g<0>"', text)


def with_small_nouns(text: str) -> str:
    """The text with the nouns of nodes before names in small letters, where they stand so elsewhere too.

    >>> with_small_nouns("Course Algebra comes before course Logic. East Port is far.")
    'course Algebra comes before course Logic. East Port is far.'
    """
    nouns = {word.lower() for word in _CAPITAL.findall(text)} & words("nodes")
    small = {noun for noun in nouns if re.search(rf"\b{noun}(?:s|es)?\b", text) or _stands_alone(noun, text)}
    return _CAPITAL.sub(lambda m: m[0].lower() if m[0].lower() in small else m[0], text)


def _stands_alone(noun: str, text: str) -> bool:
    """Whether a name that this noun stands before somewhere stands elsewhere without it: "Page Home links …", "back to Home"."""
    behind = re.compile(rf"\b{noun.title()} ([A-Z]\w+)")
    called = set(behind.findall(text))
    return bool(called) and not called.isdisjoint(_CAPITALISED.findall(behind.sub(" ", text)))


def fields(sentence: str) -> tuple[str, list[str]]:
    """A sentence with `0` for each number and `Zq` for each name, which is its shape, and what stood there.

    >>> fields("Node 3 is 5 km from San Marco.")
    ('Node 0 is 0 km from Zq.', ['3', '5', 'San Marco'])
    """
    found: list[str] = []

    def blank(m: re.Match[str]) -> str:
        text = m[0]
        if m["number"]:
            found.append(text)
            return "0"
        if _NO_NAMES.fullmatch(text):
            return text
        first, _, rest = text.partition(" ")
        numbered = rest.isdecimal() or len(rest) == 1
        if first in _COMMON or numbered or (not rest and first.lower() in _nouns()):
            if not rest:
                return text
            found.append(rest)
            return f"{first} {'0' if rest.isdecimal() else 'Zq'}"
        found.append(text)
        return "Zq"

    return _FIELD.sub(blank, sentence), found


def filled(shape: str, start: int) -> str:
    """A shape with numbers from `start` on as its numbers and names: `Z9` is a name."""
    count = iter(range(start, start + len(shape)))
    return re.sub(
        r"\bZq\b|(?<![\w.-])0(?!\w)", lambda m: f"{'Z' if m[0] == 'Zq' else ''}{next(count)}", shape
    )


@lru_cache(maxsize=100_000)
def bare_name(text: str) -> str:
    """A name as it stands for itself: without quotes, and without a noun before a number or a letter."""
    return named(text)[1]


@lru_cache(maxsize=1)
def _nouns() -> frozenset[str]:
    return words("nodes") | words("edges")
