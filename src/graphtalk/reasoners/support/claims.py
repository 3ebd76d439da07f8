"""What a model's answer claims: true or false, a number, or names; and which names nothing supports.

An answer is a list of names ("Tokyo, Kyoto and Nara") or a sentence. In a list every piece is a claim. In a sentence
only the names are, so other words are passed over, and so are names that the question gave.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from graphtalk.core.text import NUMBER_WORDS, SCALE
from graphtalk.language.english import tokenize
from graphtalk.reasoners.planner.lexis import Lexis
from graphtalk.reasoners.planner.linking import SURE, Linker
from graphtalk.reasoners.support.observed import Observed, Piece, among
from graphtalk.reasoners.untrusted import one_line
from graphtalk.search.normalise import normalise
from graphtalk.tools.values import as_number

MOST_LETTERS = 10_000  # of an answer that are read
MOST_ENTRIES = 2_000  # of a list that are read
MOST_JOINED = 12  # pieces that one name with commas may have
LONGEST_NAME = 8  # words of a piece that is a name; longer ones are prose
MOST_BARE = 3  # words of a name that stands in the list of a sentence
PROSE = 2  # words around a name that make a sentence of an answer
MOST_SHOWN = 80  # letters of what is said to be unsupported

_SEPARATOR = re.compile(r"\s*[,;|\n]+\s*(?:and\s+)?|\s+(?:and|&)\s+")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+", re.MULTILINE)
_LEAD = re.compile(
    r"^(?:(?:the|my)\s+)?(?:final\s+)?answer(?:\s+is|\s*:)[\s:]*|^(?:that|it)(?:\s+is|['’]s)\s+(?=true\b|false\b)",
    re.IGNORECASE,
)
_TRUTH = re.compile(r"\W*(yes|true|no|false)\b(?=\s*$|\s*[,.;:!–—-])", re.IGNORECASE)
_NUMBER = re.compile(
    rf"(?<![\w.])(-?\d[\d,]*(?:\.\d+)?)(?!\w)(?:\s+({'|'.join(word for word in SCALE if len(word) > 1)})\b)?",
    re.IGNORECASE,
)
_AROUND = " \t\r\n\"'“”‘’«»`*."


@dataclass(frozen=True)
class Claim:
    """What an answer says: `truth`, or a `number`, or names (`pieces`, in its order).

    `unsupported` are names that were never seen; pieces that were not are among `pieces` too. `prose`: it is a sentence.
    """

    truth: bool | None = None
    number: float | None = None
    pieces: tuple[Piece, ...] = ()
    unsupported: tuple[str, ...] = ()
    prose: bool = False


def claim(text: str, seen: Observed, question: str = "", entries: Sequence[str] = ()) -> Claim:
    """What a text claims, read with what was seen. `entries`: the names that it lists, where they are told apart."""
    if len(entries) > 1 and all(
        len(entry.split()) <= LONGEST_NAME or seen.piece(entry).supported for entry in entries
    ):
        listed = tuple(seen.piece(entry.strip()) for entry in entries[:MOST_ENTRIES] if entry.strip())
        return Claim(
            pieces=listed, unsupported=tuple(one_line(p.text, MOST_SHOWN) for p in listed if not p.supported)
        )
    said = _LEAD.sub("", text[:MOST_LETTERS].strip().strip(_AROUND), count=1)
    truth = _TRUTH.match(said)
    if truth:
        unseen = _never_seen(said[truth.end() :], seen)
        return Claim(truth[1].casefold() in ("yes", "true"), unsupported=unseen)
    number = _whole_number(said)
    if number is not None:
        return Claim(number=number, pieces=(seen.piece(said),))
    pieces = _split(said, seen)
    if pieces and all(piece.supported for piece in pieces):
        return Claim(pieces=pieces)
    return _read(said, pieces, seen, question)


def _split(said: str, seen: Observed) -> tuple[Piece, ...]:
    """The pieces of a list: the longest runs that were seen as one name, then those that are a name in the graph,
    else what stands between separators.
    """
    whole = seen.piece(said)
    if whole.supported or not said:
        return (whole,) if said else ()
    said = _BULLET.sub("", said)
    gaps = [(0, 0), *(m.span() for m in _SEPARATOR.finditer(said)), (len(said), len(said))]
    spans = [(a, b) for (_, a), (b, _) in pairwise(gaps) if said[a:b].strip(_AROUND)]
    pieces: list[Piece] = []
    at = 0
    while at < len(spans):
        ends = range(min(len(spans), at + MOST_JOINED), at, -1)
        runs = [(end, seen.piece(said[spans[at][0] : spans[end - 1][1]].strip(_AROUND))) for end in ends]
        named = [run for run in runs if run[1].supported] or [
            run for run in runs if seen.index.exact(run[1].text)
        ]
        end, piece = (named or runs[-1:])[0]
        pieces.append(piece)
        at = end
    return tuple(pieces)


def _read(said: str, pieces: tuple[Piece, ...], seen: Observed, question: str) -> Claim:
    """The claim of an answer of which some pieces are no names that were seen."""
    found: list[Piece] = []
    missing: list[Piece] = []
    prose, asked = False, f" {normalise(question)} "
    for piece in pieces:
        inside, others = ([piece], 0) if piece.supported else seen.mentions(piece.text)
        repeats = others > 0 and any(f" {normalise(part.text)} " in asked for part in inside)
        prose |= repeats or (others >= PROSE and (bool(inside) or others > LONGEST_NAME))
        found += inside or [piece]
        missing += [] if inside else [piece]
    if not prose:
        number = None if len(missing) < len(found) else _number_in(said, question)
        if number is not None:
            return Claim(number=number, pieces=(seen.piece(_written(number)),))
        return Claim(pieces=tuple(found), unsupported=tuple(one_line(p.text, MOST_SHOWN) for p in missing))
    names = [piece for piece in found if piece not in missing]
    new = [piece for piece in names if f" {normalise(piece.text)} " not in asked]
    number = None if new else _number_in(said, question)
    if number is not None:
        unseen = _never_seen(said, seen)
        return Claim(number=number, pieces=(seen.piece(_written(number)),), unsupported=unseen, prose=True)
    kept = _each_once([piece for piece in new if seen.reached(piece)] or new or names)
    if not kept:
        unseen = (one_line(said, MOST_SHOWN),)
        return Claim(pieces=(Piece(said, seen.nodes[:0]),), unsupported=unseen, prose=True)
    listed = [one_line(piece.text, MOST_SHOWN) for piece in missing if _is_bare_name(piece.text)]
    more = [name for name in _never_seen(said, seen) if not any(name in known for known in listed)]
    return Claim(pieces=kept, unsupported=tuple(dict.fromkeys([*listed, *more])), prose=True)


def _is_bare_name(text: str) -> bool:
    """Whether a piece of a sentence's list reads as a name: a few words, none of them a mere link."""
    tokens = tokenize(text)
    return 0 < len(tokens) <= MOST_BARE and all(t.content and not t.text.endswith("ly") for t in tokens)


def _each_once(pieces: list[Piece]) -> tuple[Piece, ...]:
    return tuple({normalise(piece.text): piece for piece in pieces}.values())


def _never_seen(said: str, seen: Observed) -> tuple[str, ...]:
    """Names of the graph that a sentence surely mentions and that no call showed."""
    if not said.strip(_AROUND):
        return ()
    shown, _ = seen.mentions(said)
    known = " | ".join(normalise(piece.text) for piece in shown)
    names = []
    for anchor in _linker(seen).anchors(said):
        unseen = not among(np.array(anchor.nodes), seen.nodes).any()
        if anchor.score >= SURE and unseen and normalise(anchor.text) not in known:
            names.append((anchor.start, one_line(anchor.text, MOST_SHOWN)))
    return tuple(dict.fromkeys(name for _, name in sorted(names)))


def _linker(seen: Observed) -> Linker:
    return Linker(seen.graph, seen.index, Lexis(seen.graph.schema))


def _whole_number(said: str) -> float | None:
    """The number that an answer is: "3", "1,234", "three", "$26.45", "40%"."""
    word = said.casefold()
    if word in NUMBER_WORDS:
        return float(NUMBER_WORDS.index(word))
    number = as_number(said.strip(" $€£%")) if said[-1:].isdigit() or said[-1:] == "%" else None
    return number if number is not None and math.isfinite(number) else None


def _number_in(said: str, question: str) -> float | None:
    """The one number that a sentence states and the question did not."""
    found = _numbers(said) - _numbers(question)
    found |= (
        {float(NUMBER_WORDS.index(w)) for w in re.findall(r"\w+", said.casefold()) if w in NUMBER_WORDS}
        if not found
        else set()
    )
    return found.pop() if len(found) == 1 else None


def _numbers(text: str) -> set[float]:
    """The numbers in a text; "49 million" is one of them."""
    read = [(as_number(digits), SCALE.get(scale.casefold(), 1.0)) for digits, scale in _NUMBER.findall(text)]
    return {number * scale for number, scale in read if number is not None}


def _written(number: float) -> str:
    return str(int(number)) if number.is_integer() else repr(number)
