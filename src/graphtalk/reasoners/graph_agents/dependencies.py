"""Which way the edges of a list lead that says what each thing needs: a field `needs`, a column `depends_on`, "each with what it requires".

As in sentences ("b needs a"), they lead from what is needed to what needs it.
"""

import re
from collections.abc import Sequence
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
