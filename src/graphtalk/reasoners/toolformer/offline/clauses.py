"""A text that asks for several things, part by part: clauses with a place to be filled each, or questions in a row."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from graphtalk.reasoners.toolformer.offline.declarative import asks
from graphtalk.reasoners.toolformer.offline.mentions import SLOT, Reading

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
    wishes: whether it only says that somebody wants to know something: "I need it", "give a score"
    """

    start: int
    end: int
    text: str
    asks: bool
    wishes: bool = False


@dataclass(frozen=True)
class Told:
    """A part and what it becomes. `text`: empty where it could not be stated; `call`: its call as it stands in a text."""

    part: Part
    text: str
    call: str = ""


def parts(reading: Reading) -> list[Part]:
    """The parts of a text, in order; a single one where it asks for one thing only. What joins them is in no part."""
    shape = reading.shape
    slots = [at for at, mask in enumerate(shape) if mask == SLOT]
    cuts = _between(shape, slots) if slots else _before_questions(shape)
    edges = [0, *cuts, len(shape)]
    found = []
    for first, last in pairwise(edges):
        while first < last and shape[first] in _BREAKS:
            first += 1
        end = last
        while end > first and shape[end - 1] in _BREAKS:
            end -= 1
        if first < end:
            found.append(_part(reading, first, end, shape[first : last + 1]))
    questions = [part for part in found if part.asks and not part.wishes]
    return [replace(part, asks=not part.wishes) if part.asks and questions else part for part in found]


def _part(reading: Reading, first: int, end: int, with_marks: Sequence[str]) -> Part:
    last = reading.tokens[end - 1]
    start, stop = reading.tokens[first].start, last.start + len(last.text)
    small = (end - first <= _FEW and with_marks[0] not in _QUESTIONS) or with_marks[0] in ("i", "we")
    wishes = small and "?" not in with_marks and SLOT not in with_marks
    return Part(start, stop, reading.text[start:stop], SLOT in with_marks or asks(with_marks), wishes)


def _between(shape: Sequence[str], slots: Sequence[int]) -> list[int]:
    """A cut between each slot and the next, where a clause begins."""
    cuts = (
        next((at for at in range(second - 1, first, -1) if shape[at] in _BREAKS), None)
        for first, second in pairwise(slots)
    )
    return [at for at in cuts if at is not None]


def _before_questions(shape: Sequence[str]) -> list[int]:
    """A cut behind each sentence, and before "and" where another question follows."""
    return [
        at
        for at in range(1, len(shape) - 1)
        if (
            shape[at] in _ENDS - {":"}
            and shape[at + 1][0] not in _ENDS | _CLOSING
            and "(" not in _last(shape[:at])
        )
        or (shape[at] in _JOINS and shape[at + 1] in _NEXT_ASKS)
    ]


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


def joined(text: str, told: Sequence[Told]) -> str:
    """The parts with what stood between them; where one could not be stated, the whole text with its calls behind it."""
    if not all(each.text for each in told):
        return f"{text} {', '.join(each.call for each in told if each.call)}"
    out = text[: told[0].part.start]
    for at, each in enumerate(told):
        behind = text[each.part.end : told[at + 1].part.start if at + 1 < len(told) else len(text)]
        new = each.text
        if new.endswith(".") and not each.part.text.endswith("."):  # a question that became a statement
            new = new[:-1]
            behind = f".{behind[1:]}" if behind[:1] in ("?", "!", ".") else behind or "."
        begins = not out.strip() or out.rstrip()[-1] in ".?!"
        out += (new if begins else _inside(new, each.part.text)) + behind
    return out


def _inside(new: str, old: str) -> str:
    """A statement that does not begin a sentence: in lower case where it was, or begins with a word that is new."""
    was_small = old[:1].islower() or new.split(" ", 1)[0] != old.split(" ", 1)[0]
    return new[:1].lower() + new[1:] if was_small and not new.startswith(("[", "I ")) else new
