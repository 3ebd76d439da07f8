"""A text cut into what describes and what asks: the last problem of a prompt, its explanations, its sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphtalk.language.nouns import either

_INSTRUCTION = re.compile(
    r"#+\s*(?:Instruction|Problem|Input)s?\s*:?\s*\n(.*?)(?=\n\s*#+\s*(?:Response|Answer|Output)|\Z)",
    re.S | re.I,
)
_ASKED = re.compile(r"(?:^|\n)[ \t]*(?:Q|Question)\s*\d*\s*[:.]\s*")
_ANSWERED = re.compile(r"\n[ \t]*(?:A|Answer)\s*\d*\s*[:.][ \t]*(?=\S)")
_LETTERS = r"[A-Za-z](?:_?\w)?"
_SIGNS = r"\s*(?:,|-+>?|→|:|<-+>|and)\s*"
_FORM = re.compile(rf"[(\[<]\s*{_LETTERS}(?:{_SIGNS}{_LETTERS})+\s*[)\]>]")
# "(i,j,k) means that node i and node j are connected …"; "edges are given as (u, v)"
_MEANS = r"(?:means?|denotes?|represents?|indicates?|stands? for|signif\w+|says?|describes?|refers? to|is read as)\b"
_TELLS = re.compile(rf"[^.\n;]{{0,30}}?\b{_MEANS}")
_ASIDE = re.compile(  # "(x -> y means x comes before y)"
    rf"\(\s*{_LETTERS}(?:{_SIGNS}{_LETTERS})+ {_MEANS}[^()\n]*\)"
)
_GIVEN_AS = re.compile(
    r"\b(?:as|form|format|notation|triples?|tuples?|pairs?|written|where each|every)\s*(?:of\s*|the form\s*)?:?\s*$"
)
_FOR_EVERY = re.compile(
    rf"(\b(?:every|each|any|all) (?:directed |undirected )?(?:{either('edges')}|pair)) ?[(\[<]\s*{_LETTERS}(?:{_SIGNS}{_LETTERS})+\s*[)\]>]"
)
_HEADS = re.compile(  # "Edges (u, v): (1,2), (2,3)"
    rf"[(\[<]\s*{_LETTERS}(?:{_SIGNS}{_LETTERS})+\s*[)\]>](?=\s*:\s*[¤(\[])"
)
_STOPS = ".\n;"
_END = re.compile(r"(?<=[.?!])(?<!\b[ie]\.[eg]\.)(?<!\bvs\.)(?=\s|$)|\n|;")
_CLAUSE = re.compile(
    r",\s+(?=(?:and\s+|then\s+|please\s+|now\s+)?(?:you (?:need|have|are|must|should)|your|indicating|what|which|who|how|is there|are there|is it|can|does|do|find|determine|"
    r"compute|calculate|give|tell|decide|check|identify|list|show|count)\b)",
    re.I,
)
_NAMES_TWO = re.compile(r"¤|(?:\d|(?<!^)\b[A-Z]).*(?:\d|\b[A-Z])|\b(?:graph|network|tree)\b", re.S)
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
    r"state|trace|describe|explain|outline|draw|specify|construct|build|supply|present|enumerate|solve|prove|label|colou?r|split|divide|group|cluster|partition|route|send|let me know|state|write|answer|examine|investigate|search|look|test|see|sum|indicating|(?:apply|use|using|run|perform|execute|by) (?:[\w'’-]+ ){0,3}(?:algorithm|method|procedure|search|[bd]fs)|add|maximi[sz]e|minimi[sz]e|starting|going|travell?ing)\b",
    re.I,
)
_WORD = re.compile(r"[a-z]{2}")
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
    text = _HEADS.sub("", _FOR_EVERY.sub(r"\1", text))
    taken, last = [aside[0] for aside in _ASIDE.finditer(text)], 0
    text, pieces = _ASIDE.sub("", text), []
    for form in _FORM.finditer(text):
        if form.start() < last:
            continue
        told = _TELLS.match(text, form.end(), form.end() + 50)
        given = _GIVEN_AS.search(text[max(0, form.start() - 40) : form.start()])
        if told or (given and not _FORM.match(text, _skip(text, form.end()))):
            start = max([last, *(text.rfind(stop, 0, form.start()) + 1 for stop in _STOPS)])
            end = min(
                (at + 1 for at in (text.find(stop, form.end()) for stop in _STOPS) if at >= 0),
                default=len(text),
            )
            pieces.append(text[last:start])
            taken.append(text[start:end])
            last = end
    return " ".join([*pieces, text[last:]]), " ".join(taken)


def _skip(text: str, at: int) -> int:
    """The place of the next letter that is no space or comma."""
    while at < len(text) and text[at] in " ,;":
        at += 1
    return at


def pieces(text: str) -> Iterator[str]:
    """The sentences of a text, whole."""
    start = 0
    for end in (*(found.end() for found in _END.finditer(text)), len(text)):
        whole, start = text[start:end].strip(), end
        if whole:
            yield whole


def clauses(sentence: str) -> Iterator[Sentence]:
    """A sentence as it is, or the clauses of one that first tells and then asks."""
    head, colon, tail = bare(sentence).partition(": ")
    if colon and tail[:1].isupper() and asks(head) and not asks(tail):
        yield Sentence(head, True)
        sentence = tail
    told = 0
    for cut in _CLAUSE.finditer(sentence):
        part = sentence[told : cut.start()]
        if not _NAMES_TWO.search(bare(part)):  # "Among all triangles, what is …" is one question
            continue
        yield Sentence(part, asks(part) and not told)
        told = cut.end()
    yield Sentence(sentence[told:], bool(told) or asks(sentence))


def bare(sentence: str) -> str:
    """A question without what leads up to it.

    >>> bare("The task is: you need to find a path.")
    'find a path.'
    """
    found = _LEAD.match(sentence)
    return sentence[found.end() :] if found else sentence


def asks(sentence: str) -> bool:
    """Whether a sentence is a question or an order.

    >>> asks("Is there a path?"), asks("you need to find a path."), asks("Node 1 is joined to node 2.")
    (True, True, False)
    """
    if sentence.rstrip().endswith("?"):
        return bool(_WORD.search(sentence))
    found = bare(sentence)
    return bool(_ASKS.match(found)) and not _IF_TELLS.match(found)
