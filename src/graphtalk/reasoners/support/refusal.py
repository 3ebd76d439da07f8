"""Whether a model declines: what it says is that it has no answer, in whatever words.

Two signs, each of them enough. Its words say so. Or what it says names nothing of the graph, stands in no value that was
seen, and is no choice that the question offered: there is nothing in it to believe.
"""

import re

from graphtalk.reasoners.support.claims import Claim
from graphtalk.reasoners.support.observed import Observed
from graphtalk.search.normalise import normalise

NOTHING = frozenset({"none", "nothing", "none found", "nobody", "no one", "[]"})
"""What says that there is none: an answer where a call found nothing, else a refusal."""

MOST_READ = 2_000  # letters in which the words of a refusal are looked for
MOST_OFFERED = 4  # words of a choice that a question offers

_UNKNOWN = frozenset(
    {"", "unknown", "n/a", "na", "not found", "no answer", "not available", "not applicable", "null", "undefined", "?"}
)  # fmt: skip
_NOT = r"(?:\b(?:not|cannot|unable|no)\b|n['’]?t\b)"
_TELLING = (
    r"(?:know|sure|find|found|answer|determin|tell|say|said|see|identif|infer|establish|provid|contain|includ|mention|stat|"
    r"specif|record|giv|available|listed|describ|present|possible|enough)\w*\b"
)
_KNOWLEDGE = r"(?:information|data|evidence|answer|details?)\b"
_UNABLE = re.compile(
    rf"\b(?:i|we)\b(?:['’]m)?[^.!?\n]{{0,15}}?{_NOT}[^.!?\n]{{0,40}}?\b{_TELLING}"
    rf"|\b(?:cannot|(?:can|could)\s+not|can['’]?t|couldn['’]?t)\s+be\s+(?:\w+\s+)?{_TELLING}"
    rf"|\b(?:unable|not\s+(?:able|possible)|impossible)\s+to\s+(?:\w+\s+)?{_TELLING}"
    rf"|\b(?:no|not\s+enough|not\s+sufficient|insufficient|lacks?|lacking)\s+(?:\w+\s+){{0,2}}{_KNOWLEDGE}"
    rf"|{_NOT}[^.!?\n]{{0,40}}?\b(?:this|that|such|the|any|enough|sufficient)\s+(?:\w+\s+)?{_KNOWLEDGE}",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    rf"\b(?:graph|data|text|context|tables?|information|answer|it|this|that)\b[^.!?\n]{{0,60}}?{_NOT}"
    rf"\s*(?:\w+\s+){{0,3}}?{_TELLING}"
    r"|\b(?:unknown|unanswerable|not\s+(?:known|available|specified|stated|recorded|mentioned|in\s+(?:the\s+)?(?:graph|data)))\b"
    r"|\bno\s+such\s+(?:node|relation|edge|feature|type|name|entity|attribute|property|link|kind|thing)s?\b"
    r"|\bnone\s+of\s+(?:the|these|its)\s+(?:nodes|relations|edges|features|types|functions)\b"
    r"|\b(?:says?|tells?|has|have|had|contains?|knows?)\s+nothing\s+(?:about|on|of)\b|\bno\s+idea\b",
    re.IGNORECASE,
)


def declines(text: str, found: Claim, seen: Observed, question: str = "") -> bool:
    """Whether an answer, read as `found`, is none.

    A list of names or values that were all seen is an answer, whatever words a title may have.
    """
    said = " ".join(text[:MOST_READ].split())
    bare = said.casefold().strip(" .\"'")
    if bare in _UNKNOWN or bare in NOTHING:
        return True
    if found.pieces and not found.prose and not found.unsupported:
        return False
    if _UNABLE.search(said) or (found.truth is None and _ABSENT.search(said)):
        return True
    if found.truth is not None or found.number is not None or any(piece.supported for piece in found.pieces):
        return False
    return not (_offered(bare, question) or _is_of_graph(found, seen))


def says_no(text: str) -> bool:
    """Whether the words of a text alone say that there is no answer."""
    said = text[:MOST_READ]
    return _UNABLE.search(said) is not None or _ABSENT.search(said) is not None


def _offered(said: str, question: str) -> bool:
    """Whether an answer is a choice of the question: "Does that support it, or counter it?"."""
    return len(said.split()) <= MOST_OFFERED and f" {normalise(said)} " in f" {normalise(question)} "


def _is_of_graph(found: Claim, seen: Observed) -> bool:
    """Whether an answer names a node, though no call showed it, or repeats a part of a text that was seen."""
    return any(seen.knows(text) for text in (*(piece.text for piece in found.pieces), *found.unsupported))
