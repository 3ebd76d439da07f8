"""One normal form for names, so that spelling details do not hide a match.

Case, accents, punctuation and white space go; letters and digits of every script stay. Apostrophes join
("Graves' disease" → "graves disease"), other punctuation separates ("NAD(P)H" → "nad p h"), "&" reads "and".
Characters of scripts written without spaces are words of their own. A text of nothing but symbols keeps them.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from graphtalk.search.arrays import Texts

_APOSTROPHES = "'’‘ʼ`´′"
_SPELT_OUT = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "&": " and "}
_UNSPACED = ("CJK ", "HIRAGANA ", "KATAKANA ", "THAI ", "LAO ", "KHMER ", "MYANMAR ", "TIBETAN ")
_POSSESSIVE = re.compile(rf"[{_APOSTROPHES}](?<=\w.)s(?!\w)", re.IGNORECASE)


@dataclass(frozen=True)
class Word:
    """A word of a text: its place (character offsets) and its normal form.

    `bare` is the form without a possessive "'s", or the same as `form`.
    """

    start: int
    end: int
    form: str
    bare: str


class _Folding(dict[int, str]):
    """Code point → what it becomes: nothing, letters, or something that begins with a space and separates."""

    def __missing__(self, code: int) -> str:
        folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", chr(code)).casefold())
        self[code] = piece = "".join(map(_fold, folded))
        return piece


def _fold(char: str) -> str:
    if char in _SPELT_OUT:
        return _SPELT_OUT[char]
    if unicodedata.combining(char) or char in _APOSTROPHES or unicodedata.category(char) == "Cf":
        return ""
    if unicodedata.category(char)[0] not in "LNM":
        return " "
    return f" {char} " if unicodedata.name(char, "").startswith(_UNSPACED) else char


_FOLDING = _Folding()


def normalise(text: str) -> str:
    """The normal form of a name; empty only where the text is blank.

    >>> normalise("Purpura,  Schoenlein-Henoch")
    'purpura schoenlein henoch'
    >>> normalise("Crohn's Disease"), normalise("José"), normalise("$")
    ('crohns disease', 'jose', '$')
    """
    return " ".join(text.translate(_FOLDING).split()) or _symbols(text)


_SPACE, _GONE, _OTHER = ord(" "), 0, 255  # what a byte becomes: these, or another letter


def normalise_all(texts: Texts) -> Texts:
    """The normal form of each text: of ASCII byte by byte, for all texts at once, of the others by `normalise`."""
    folded = _folded_bytes()[texts.data]
    other = np.searchsorted(texts.starts, np.flatnonzero(folded == _OTHER), "right") - 1
    found = _kept(folded, texts.starts, folded != _GONE)
    blank, begins = found.data == _SPACE, _begins(found)
    found = _kept(
        found.data, found.starts, ~blank | ~(begins[:-1] | np.append(True, blank[:-1])[: len(blank)])
    )
    found = _kept(found.data, found.starts, (found.data != _SPACE) | ~_begins(found)[1:])
    rest = np.diff(found.starts) == 0
    rest[other] = True
    at = np.flatnonzero(rest)
    if not len(at):
        return found
    places = np.arange(len(texts))
    places[at] = len(texts) + np.arange(len(at))
    return Texts.joined([found, Texts.of([normalise(texts[place]) for place in at.tolist()])]).take(places)


def _kept(data: NDArray[np.uint8], starts: NDArray[np.int64], keep: NDArray[np.bool_]) -> Texts:
    """Texts of the bytes that are kept."""
    before = np.zeros(len(data) + 1, np.int64)
    np.cumsum(keep, out=before[1:])
    return Texts(data[keep], before[starts])


def _begins(texts: Texts) -> NDArray[np.bool_]:
    """Of each byte whether a text begins with it; true behind the last one."""
    begins = np.zeros(len(texts.data) + 1, np.bool_)
    begins[texts.starts] = True
    return begins


@cache
def _folded_bytes() -> NDArray[np.uint8]:
    pieces = [_FOLDING[code] for code in range(128)]
    ends = [ord(piece) if len(piece) == 1 else _OTHER if piece else _GONE for piece in pieces]
    return np.array([*ends, *[_OTHER] * 128], np.uint8)


def _symbols(text: str) -> str:
    return " ".join(text.encode("utf-8", "ignore").decode().casefold().split())


def variants(name: str) -> list[str]:
    """Other normal forms under which people look for a name: without "'s", and with an inversion undone.

    >>> variants("Crohn's disease"), variants("Purpura, Schoenlein-Henoch")
    (['crohn disease'], ['schoenlein henoch purpura'])
    """
    found = []
    if _POSSESSIVE.search(name):
        found.append(normalise(_POSSESSIVE.sub("", name)))
    head, comma, tail = name.partition(", ")
    if comma and "," not in tail:
        found.append(normalise(f"{tail} {head}"))
    return found


def may_vary(texts: Texts) -> NDArray[np.int64]:
    """The places of texts that may have variants, ascending, and perhaps a few more."""
    return np.unique(np.concatenate([texts.with_piece(piece) for piece in (", ", *_APOSTROPHES)]))


def words(text: str) -> list[Word]:
    """The words of a text, in order; joined by spaces, their forms are its normal form."""
    found: list[Word] = []
    start = end = 0
    form = ""
    for position, char in enumerate(f"{text} "):
        piece = _FOLDING[ord(char)]
        if not piece.startswith(" "):
            if piece and not form:
                start = position
            form += piece
            if piece or (form and char not in _APOSTROPHES):
                end = position + 1
            continue
        if form:
            found.append(_word(text, start, end, form))
            form = ""
        if piece.strip():
            found.append(_word(text, position, position + 1, piece))
    return found


def _word(text: str, start: int, end: int, form: str) -> Word:
    form = " ".join(form.split())
    bare = form[:-1] if _POSSESSIVE.search(text, start, end) else form
    return Word(start, end, form, bare)
