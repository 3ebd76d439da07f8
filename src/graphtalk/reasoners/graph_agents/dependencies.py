"""Which way the edges of a list lead that says what each thing needs: a field `needs`, a column `depends_on`, "each with what it requires".

As in sentences ("b needs a"), they lead from what is needed to what needs it.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from graphtalk.language.told.listing import Listing
from graphtalk.reasoners.graph_agents.passages import asks, pieces

_NEEDS = r"(?:needs?|requires?|depends?(?:[ _-]?on)?|dependenc(?:y|ies)|deps|prerequisites?|prereqs?|predecessors?|blocked[ _-]?by|waits?[ _-]?for)"
_FIELD = re.compile(
    rf"[\"']{_NEEDS}[\"']\s*:|^\s+(?:- )?{_NEEDS}\s*:|[,;|\t]\s*{_NEEDS}\s*(?:[,;|\t]|$)", re.I | re.M
)
_SENTENCE = re.compile(
    r"\b(?:each|every)\b[^.?!\n]*\b(?:it|they) (?:needs?|depends? (?:up)?on|requires?|relies (?:up)?on|waits? for)\b",
    re.I,
)
_BEHIND = re.compile(
    rf"\b(?:{_NEEDS}|relies|rely|after|afterwards|required|(?:is|are) (?:blocked|preceded))\b", re.I
)
_AHEAD = re.compile(
    r"\b(?:before|ahead of|precedes?|preceding|leads? to|unlocks?|enables?|followed by)\b",
    re.I,
)

_NAME = r"[^\W_][\w./+-]*(?: [^\W_][\w./+-]*){0,2}?"
_SAID = r"(?:needs?|requires?|depends? on|deps|dependenc(?:y|ies)|prerequisites?|prereqs?|after|parents?|blocked by|waits? for)"
_NOTHING = r"(?:no(?:ne|thing| [a-z]+)?|root|initial(?: commit)?|-|–|—)"
_LINE = re.compile(
    rf"(?:[-*•+] |\d+[.)] )?\s*(?:(?:commit|task|step|job|package|target|course|module|rule) )?(?P<thing>{_NAME})"
    rf"(?:\s*:|\s*,)?\s*(?:[(\[]\s*)?(?:(?P<said>{_SAID})\s*[:=]?\s*)?(?P<needed>[^():\n]*?)\s*[)\]]?[.,;]?",
    re.I,
)
_COLON = re.compile(rf"(?:[-*•+] )?\s*(?P<thing>{_NAME})\s*:(?P<said>)\s*(?P<needed>[^():\n]*?)[.,;]?", re.I)
_LEGEND = re.compile(  # what stands behind the colon of a line
    r"\b[Mm]akefile\b|\b[a-z]+: (?:its |the )?(?:prereq|depend|parent|requirement)|\b(?:and|then|by|with|lists?) (?:all )?(?:its|their|the) (?:parents?|prerequisites|dependencies|requirements)\b"
)


def turned(chunks: Sequence[Listing], text: str, rest: str) -> list[Listing]:
    """Lists whose form shows no direction, turned round where a field of `text` or a sentence of `rest` says that they tell needs."""
    if not _FIELD.search(text) and not lists_needs(rest):
        return list(chunks)
    return [
        replace(chunk, source=chunk.target, target=chunk.source, leads=True) if chunk.leads is None else chunk
        for chunk in chunks
    ]


def lists_needs(rest: str) -> bool:
    """Whether a sentence says that things are listed with what they need."""
    return any(_SENTENCE.search(piece) and not asks(piece) for piece in pieces(rest))


def may_be_turned(text: str, rest: str) -> bool:
    """Whether what `text` says beside its lists, `rest`, leaves it open if edges lead to what is done before, or behind."""
    return bool(_BEHIND.search(rest)) and not _AHEAD.search(text) and not lists_needs(rest)


def needs_in_sentences(text: str) -> str:
    """The text with lines of things and what they need as sentences: `pour (after dig)`, `c5 parents c3 c4`, `app: main.o util.o`.

    Of a colon the text must say that what stands behind it is needed.

    >>> needs_in_sentences("pour (after dig)\\nroof (after pour, wall)")
    '"pour" requires "dig".\\n"roof" requires "pour", "wall".'
    """
    form = _COLON if _LEGEND.search(text) or lists_needs(text) else _LINE
    lines = text.split("\n")
    found = [form.fullmatch(line.strip()) for line in lines]
    told = [m for m in found if m is not None and (m["said"] or form is _COLON)]
    if len(told) < 2:
        return text
    things = {m["thing"] for m in told}
    parts = {name for m in told for name in _apart(m["needed"], things)}
    for place, m in enumerate(found):
        bare = lines[place].strip().lstrip("-*• ").rstrip(".,;")
        if bare in parts and _beside(found, place, told):
            lines[place] = f'"{bare}" has no prerequisites.'
        if m is None or not (
            m in told or (re.fullmatch(_NOTHING, m["needed"], re.I) and _beside(found, place, told))
        ):
            continue
        needed = _apart(m["needed"], things)
        listed = ", ".join(f'"{name}"' for name in needed)
        lines[place] = (
            f'"{m["thing"]}" requires {listed}.' if needed else f'"{m["thing"]}" has no prerequisites.'
        )
    return "\n".join(lines)


def _beside(found: Sequence[re.Match[str] | None], place: int, told: Sequence[re.Match[str]]) -> bool:
    """Whether a line of needs stands before or behind a line."""
    return any(found[at] in told for at in (place - 1, place + 1) if 0 <= at < len(found))


def _apart(text: str, things: Collection[str]) -> list[str]:
    """What is listed: apart by commas, or by spaces where all are names by themselves."""
    if re.fullmatch(rf"{_NOTHING}?", text, re.I):
        return []
    parts = [part.strip() for part in re.split(r"[,;]\s*(?:and\s+)?|\s+and\s+", text) if part.strip()]
    words = text.split()
    one_each = all("." in word or any(map(str.isdigit, word)) or word in things for word in words)
    return words if len(parts) == 1 and one_each else parts
