"""Which end of a triple a text asks for: the head, or the tail."""

from collections.abc import Mapping, Sequence

from graphtalk.reasoners.toolformer.offline.mentions import SLOT


def asked_end(shape: Sequence[str], ends: Mapping[str, str]) -> str | None:
    """Which end of a triple is asked for: "head", "tail"; "neither" where the text gives both; None if it says none.

    ends: word → the end that it names
    """
    given = {end for at, mask in enumerate(shape) if mask == "<entity>" and (end := _role(shape, at, ends))}
    if given:
        return _OPPOSITE[given.pop()] if len(given) == 1 else "neither"
    if end := _by_possession(shape) or _by_preposition(shape):
        return end
    named = {end for mask in shape if mask not in _VERBS_TOO and (end := ends.get(mask))}
    return named.pop() if len(named) == 1 else _by_place(shape)


def _role(shape: Sequence[str], at: int, ends: Mapping[str, str]) -> str | None:
    """The end that the text says the entity at `at` is: "the tail is <entity>", "<entity> as its tail"."""
    if at and shape[at - 1] == "from":
        return "head"
    for place in range(at - 1, -1, -1):
        if end := ends.get(shape[place]):
            return end
        if shape[place] not in _IS:
            break
    for place in range(at + 1, len(shape)):
        if end := ends.get(shape[place]):
            return end if place > at + 1 else None
        if shape[place] not in _AS or (shape[place] == "as" and _HAVING.isdisjoint(shape[:at])):
            return None
    return None


_OPPOSITE = {"head": "tail", "tail": "head", "neither": "neither"}
_IS = frozenset("is being are = : the a entity node concept named called equals".split())
_AS = frozenset(
    "on as is being serves acts its the a an in role place position slot at stands sits fills".split()
)
_HAVING = frozenset("has have had having with takes take taking got gets uses use given".split())
_VERBS_TOO = frozenset(("start", "end", "object", "subject"))


def _by_preposition(shape: Sequence[str]) -> str | None:
    """The end that is left open behind a preposition: "from entity <slot>", "to what entity", "results in <slot>"."""
    for at, mask in enumerate(shape):
        if mask not in (SLOT, "what", "which"):
            continue
        before = at - 1
        while before >= 0 and shape[before] in _ENTITY_WORDS:
            before -= 1
        if before >= 0 and shape[before] in _PREPOSITIONS and (mask == SLOT or shape[before] != "in"):
            return _PREPOSITIONS[shape[before]]
    return None


def _by_possession(shape: Sequence[str]) -> str | None:
    """The end that is asked for by "the <relation> of <entity>", which is the tail, or "<entity> is the <relation> of what"."""
    masks = [mask for mask in shape if mask in _OF_TRIPLE]
    at = next((at for at, mask in enumerate(shape) if mask == "<relation>"), 0)
    if masks == ["<relation>", "<entity>"] and shape[max(0, at - 1)] == "whose":
        return "head"  # "whose <relation> is <entity>"
    if masks == ["<relation>", "<entity>"] and shape[at + 1 : at + 2] == ("<entity>",):
        return (
            "tail"
            if at == 0 or shape[at - 1] in _BEFORE_OWNED or shape[at + 2 : at + 4] == ("is", SLOT)
            else None
        )
    if masks == ["<entity>", "<relation>"] and (shape[at + 1 : at + 2] == ("of",) or shape[:1] == ("of",)):
        return "head"
    return None


_BEFORE_OWNED = frozenset("is are was what's as name list give , :".split())
_ENTITY_WORDS = frozenset("the entity concept node thing synset".split())
_PREPOSITIONS = {"from": "head", "to": "tail", "into": "tail", "in": "tail"}


def _by_place(shape: Sequence[str]) -> str | None:
    """The end that is left open where a triple is written as one: ( <entity> , <relation> , ? )."""
    if not _WRITTEN.isdisjoint(shape):
        parts = ["?" if mask in _OPEN else mask for mask in shape if mask in _OPEN or mask in _OF_TRIPLE]
        return _LEFT_OPEN.get(tuple(parts[:3]))
    return None


_LEFT_OPEN: Mapping[tuple[str, ...], str] = {
    ("<entity>", "<relation>", "?"): "tail",
    ("?", "<relation>", "<entity>"): "head",
}
_WRITTEN = frozenset(("(", ">", "→"))
_OPEN = frozenset(("<slot>", "?", "_"))
_OF_TRIPLE = frozenset(("<entity>", "<relation>"))
