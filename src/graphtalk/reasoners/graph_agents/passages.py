"""A text cut into what describes and what asks: the last problem of a prompt, its explanations, its sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_INSTRUCTION = re.compile(
    r"#+\s*(?:Instruction|Problem|Input)s?\s*:?\s*\n(.*?)(?=\n\s*#+\s*(?:Response|Answer|Output)|\Z)",
    re.S | re.I,
)
_ASKED = re.compile(r"(?:^|\n)[ \t]*(?:Q|Question)\s*\d*\s*[:.]\s*")
_ANSWERED = re.compile(r"\n[ \t]*(?:A|Answer)\s*\d*\s*[:.][ \t]*(?=\S)")
_LETTERS = r"[A-Za-z](?:_?\w)?"
_SIGNS = r"(?:\s*(?:,|-+>?|→|:|<-+>|and)\s*"
# "(i,j,k) means that node i and node j are connected …"; "edges are given as (u, v)"
_TELLS = re.compile(
    rf"[^.\n;]*[(\[<]\s*{_LETTERS}{_SIGNS}{_LETTERS})+\s*[)\]>][^.\n;]{{0,30}}?"
    r"\b(?:means?|denotes?|represents?|indicates?|stands? for|signif\w+|says?|describes?|refers? to|is read as)\b[^.\n;]*[.\n;]?"
)
_GIVEN_AS = re.compile(
    rf"[^.\n;,]*\b(?:as|form|format|notation|triples?|tuples?|pairs?|written|where each|every)\s*(?:of\s*)?:?\s*"
    rf"[(\[<]\s*{_LETTERS}{_SIGNS}{_LETTERS})+\s*[)\]>](?!\s*[(\[,]\s*[(\[]?\s*\w+\s*[,-])[^.\n;:]*[.\n;:]?"
)
_END = re.compile(r"(?<=[.?!])(?=\s|$)|\n|;")
_CLAUSE = re.compile(
    r",\s+(?=(?:and\s+|then\s+|please\s+|now\s+)?(?:you (?:need|have|are|must|should)|your|indicating|what|which|who|how|is there|are there|is it|can|does|do|find|determine|"
    r"compute|calculate|give|tell|decide|check|identify|list|show|count)\b)",
    re.I,
)
_LEAD = re.compile(
    r"^(?:\W|¤|(?:Q|Question|Task|Problem|Answer|A|Input|Note that|Finally|Now|Then|Please|Kindly|So|Also|Next)\b\s*[:,.]?\s+|"
    r"(?:the|your|our) (?:task|goal|question|problem|job|objective)(?: here)? is[:,]?\s*(?:to\b)?\s*|you (?:need|have|want|are asked|must) (?:to\b)?\s*|"
    r"(?:I|we) (?:need|want|would like|have|'d like|wish) (?:you )?to\b\s*|(?:could|can|would|will) you (?:please )?|"
    r"help (?:me|us) (?:to )?|let us |let's )+",
    re.I,
)
_ASKS = re.compile(
    r"(?:what|which|who|whom|whose|how|where|when|is|are|was|does|do|did|can|could|may|will|would|should|has|have|find|"
    r"give|determine|compute|calculate|check|verify|identify|ascertain|get|confirm|count|tell|list|show|output|decide|"
    r"say|suggest|provide|return|evaluate|estimate|name|report|print|detect|assess|judge|plan|assign|match|pair|arrange|order|"
    r"sort|rank|whether|if|establish|work out|figure out|discover|compile|produce|propose|select|pick|choose|measure|"
    r"state|write|answer|examine|investigate|search|look|test|see|sum|indicating|add|maximi[sz]e|minimi[sz]e|starting|going|travell?ing)\b",
    re.I,
)
_IF_TELLS = re.compile(r"(?:if|when|where|is|are|was|which|order|do)\b(?!.*\?)", re.I)


@dataclass(frozen=True)
class Sentence:
    """A sentence or clause, and whether it asks or tells."""

    text: str
    asks: bool


def last_problem(text: str) -> str:
    """The problem to be solved: what an instruction holds, without worked examples before it."""
    wrapped = _INSTRUCTION.search(text) if "#" in text[:100_000] else None
    if wrapped:
        text = wrapped[1]
    asked = [found.start() for found in _ASKED.finditer(text)]
    answers = [found for found in _ANSWERED.finditer(text) if asked and found.start() < asked[-1]]
    if not answers:
        return text
    blank = re.search(r"\n\s*\n", text[answers[-1].end() : asked[-1] + 1])
    start = answers[-1].end() + blank.end() if blank else asked[-1]
    return f"{text[: asked[0]]}\n{text[start:]}"


def without_explanations(text: str) -> tuple[str, str]:
    """The text without sentences that explain how edges are written, and these sentences."""
    taken: list[str] = []

    def take(found: re.Match[str]) -> str:
        taken.append(found[0])
        return " "

    for pattern in (_TELLS, _GIVEN_AS):
        text = pattern.sub(take, text)
    return text, " ".join(taken)


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a text, and the clauses of those that first tell and then ask."""
    start = 0
    for end in (*(found.end() for found in _END.finditer(text)), len(text)):
        whole, start = text[start:end].strip(), end
        if not whole:
            continue
        told = 0
        for cut in _CLAUSE.finditer(whole):
            yield Sentence(whole[told : cut.start()], asks(whole[told : cut.start()]) and not told)
            told = cut.end()
        yield Sentence(whole[told:], bool(told) or asks(whole))


def bare(sentence: str) -> str:
    """A question without what leads up to it.

    >>> bare("The task is: you need to find a path.")
    'find a path.'
    """
    return _LEAD.sub("", sentence)


def asks(sentence: str) -> bool:
    """Whether a sentence is a question or an order.

    >>> asks("Is there a path?"), asks("you need to find a path."), asks("Node 1 is joined to node 2.")
    (True, True, False)
    """
    if sentence.rstrip().endswith("?"):
        return True
    found = bare(sentence)
    return bool(_ASKS.match(found)) and not _IF_TELLS.match(found)
