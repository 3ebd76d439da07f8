"""A text that asks for several things, part by part: clauses with a place to be filled each, or questions in a row."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from graphtalk.reasoners.toolformer.offline.declarative import asks
from graphtalk.reasoners.toolformer.offline.mentions import SLOT, WORD, Token, TokenText

_ENDS = frozenset(".?!;:")
_JOINS = frozenset("and while whereas but though also then plus".split())
_BREAKS = _ENDS | _JOINS | {","}
_NEXT_ASKS = frozenset(
    """what which how who where whose what's who's is are does do has have can tell give find compute name list report
    show determine calculate count""".split()
)


_FEW = 3
_QUESTIONS = frozenset("what which how who where whose what's who's is are does do".split())


@dataclass(frozen=True)
class Part:
    """A stretch of a text.

    asks: whether it is a question, a request, or has a place to be filled
    begins: whether a sentence begins with it
    wishes: whether it only says that somebody wants to know something: "I need it", "give a score"
    """

    start: int
    end: int
    text: str
    asks: bool
    begins: bool
    wishes: bool = False


@dataclass(frozen=True)
class StatedPart:
    """A part and what it becomes. `text`: empty where it could not be stated; `call`: its call as it stands in a text."""

    part: Part
    text: str
    call: str = ""


def about(alone: Sequence[TokenText], found: Sequence[Part]) -> list[TokenText | None]:
    """For each part the reading that names its graph: its own, else one beside it in the same sentence.

    A part that begins a sentence is about the graph of the part before only where it refers to it: "what is its order?"
    A part in front of its graph is about that only if it is short: "how many nodes and how many edges does G have?"
    """
    named: list[TokenText | None] = []
    for at, (own, part) in enumerate(zip(alone, found, strict=True)):
        before = named[-1] if named else None
        follows = at + 1 < len(alone) and not found[at + 1].begins and len(own.shape) <= _SHORT
        refers = not _REFERS.isdisjoint(own.shape)
        if own.data:
            named.append(own)
        elif follows and alone[at + 1].data and not refers:
            named.append(alone[at + 1])
        else:
            named.append(before if refers or not part.begins or not part.asks else None)
    return named


_SHORT = 5
_REFERS = frozenset("it its they their this these those same also too them".split())


def parts(reading: TokenText) -> list[Part]:
    """The parts of a text, in order; a single one where it asks for one thing only. What joins them is in no part."""
    shape = reading.shape
    sentences = [0, *_sentence_ends(reading), len(shape)]
    cuts = sorted(at for first, last in pairwise(sentences) for at in (first, *_within(shape, first, last)))
    found: list[Part] = []
    for first, last in pairwise((*cuts, len(shape))):
        begins = first in sentences
        while first < last and shape[first] in _BREAKS:
            first += 1
        end = last
        while end > first and shape[end - 1] in _BREAKS:
            end -= 1
        if first < end:
            end += shape[end : end + 1] in _MARKS
            mark = next((mask for mask in shape[end - 1 :] if mask in ".?!;"), "")
            found.append(_part(reading, first, end, begins, mark == "?"))
    questions = [part for part in found if part.asks and not part.wishes]
    return [replace(part, asks=not part.wishes) if part.asks and questions else part for part in found]


_MARKS = {(mark,) for mark in ".?!"}


def _part(reading: TokenText, first: int, end: int, begins: bool, in_question: bool) -> Part:
    last, shape = reading.tokens[end - 1], reading.shape[first:end]
    start, stop = reading.tokens[first].start, last.start + len(last.text)
    small = (sum(map(str.isalpha, shape)) <= _FEW and shape[0] not in _QUESTIONS) or shape[0] in ("i", "we")
    asking = SLOT in shape or asks(shape) or in_question
    wishes = small and "?" not in shape and SLOT not in shape and asks(shape)
    return Part(start, stop, reading.text[start:stop], asking, begins, wishes)


def _within(shape: Sequence[str], first: int, last: int) -> list[int]:
    """Cuts within a sentence: between each slot and the next, where a clause begins; before "and" and a question."""
    slots = [at for at in range(first, last) if shape[at] == SLOT]
    if slots:
        between = (
            next((at for at in range(second - 1, one, -1) if shape[at] in _BREAKS), None)
            for one, second in pairwise(slots)
        )
        return [at for at in between if at is not None]
    return [
        at for at in range(first + 1, last - 1) if shape[at] in _JOINS and _asks_next(shape[at + 1 : at + 3])
    ]


def _asks_next(words: Sequence[str]) -> bool:
    """Whether a question begins with these two words: "how many", "to what"."""
    return words[0] in _NEXT_ASKS or (words[0] in _BEFORE_WHAT and words[-1] in ("what", "which", "whom"))


_BEFORE_WHAT = frozenset("to in on at by of from with for under".split())


def _sentence_ends(reading: TokenText) -> list[int]:
    shape = reading.shape
    marks = {".", "?", "!"} if SLOT in shape else {".", "?", "!", ";"}
    return [
        at
        for at in range(1, len(shape) - 1)
        if shape[at] in marks
        and (shape[at] != "." or _may_begin(reading.tokens[at + 1]))
        and shape[at + 1][0] not in _ENDS | _CLOSING
        and "(" not in _last(shape[:at])
    ]


def _may_begin(token: Token) -> bool:
    """Whether a sentence may begin so: not "i.e. node #4"."""
    return token.kind != WORD or not token.text[0].islower()


_CLOSING = frozenset(",)]}>-")


def _last(shape: Sequence[str]) -> tuple[str, ...]:
    """The last bracket that a shape opens or closes."""
    return next(((mask,) for mask in reversed(shape) if mask in ("(", ")")), ())


def one_by_one(text: str, names: Sequence[tuple[int, int]]) -> list[str]:
    """The text with each of its graphs alone, where they stand in a row ("of G, H and I"); nothing where they do not."""
    if len(names) < 2 or not _TOGETHER.isdisjoint(text.lower().split()):
        return []
    if not all(_ROW.fullmatch(text[end:start]) for (_, end), (start, _) in pairwise(names)):
        return []
    return [text[: names[0][0]] + text[start:end] + text[names[-1][1] :] for start, end in names]


_ROW = re.compile(r"(?:\s*,\s*|\s+)(?:(?:and|&)\s+)?(?:(?:of|in|for)\s+)?(?:the\s+)?", re.I)
_TOGETHER = frozenset(
    "same both common together compare compared difference between either share equal or versus vs".split()
)


def joined(text: str, told: Sequence[StatedPart]) -> str:
    """The parts with what stood between them; where one could not be stated, the whole text with its calls behind it.

    Empty where that cannot be, since another part has its calls inside.
    """
    if not all(each.text for each in told):
        if any(each.text and not each.call and each.text != each.part.text for each in told):
            return ""
        return f"{text} {', '.join(each.call for each in told if each.call)}"
    out = text[: told[0].part.start]
    for at, each in enumerate(told):
        behind = text[each.part.end : told[at + 1].part.start if at + 1 < len(told) else len(text)]
        new = each.text
        if new.endswith(".") and not each.part.text.endswith((".", "?", "!")):  # more of the sentence follows
            new = new[:-1]
            behind = behind or "."
        begins = not out.strip() or out.rstrip()[-1] in ".?!"
        out += (new if begins else _inside(new, each.part.text)) + behind
    return out


def _inside(new: str, old: str) -> str:
    """A statement that does not begin a sentence: in lower case where it was, or begins with a word that is new."""
    was_small = old[:1].islower() or new.split(" ", 1)[0] != old.split(" ", 1)[0]
    return new[:1].lower() + new[1:] if was_small and not new.startswith(("[", "I ")) else new
