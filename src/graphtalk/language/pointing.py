"""Names that a question gives apart, put where it points at them: "Who wrote this book: X", "This is a book: X. Who wrote it?"

What it says of the form of its answer ("Answer true or false.") goes.
"""

import re
from collections.abc import Iterable

_TRUTH = r"(?:true or false|yes or no)"
_TELL = r"(?:answer|say|reply|respond)(?: with| by)?"
_ANSWERED = re.compile(rf"(?:[.?!]\s*{_TELL}|,) {_TRUTH}[.!?]?\s*$", re.I)
_WHETHER = re.compile(rf"^\s*(?:{_TELL} )?{_TRUTH}\s*[:?]\s*", re.I)
_IT = re.compile(r"\b(?:its|it)\b")
_CALLED = "name|title|text|label|id|syllabus"
_READS = r"(?:(?:that|which) )?(?:reads|says|begins|is called|is named)(?: (?:as follows|so))?"
_BY_NAME = re.compile(
    rf" (?:(?:with|of|(?:that|which) has) (?:this|the|the following) (?:{_CALLED})|{_READS}"
    rf"|(?:that|which) (?:this|the following) (?:{_CALLED}) (?:sums up|describes|is of|belongs to))\b",
    re.I,
)
_GIVEN_LAST = re.compile(
    r"(?P<asks>[^.?!:]*\bthis\b[^.?!:]*\?(?: (?:give|name|say|state|list)\b[^.?!:]*\.)?) (?P<name>[A-Z].*)",
    re.I | re.S,
)
_SENTENCE = re.compile(r"[.?!]\s+(?=[A-Z])")


def pointed(question: str, types: Iterable[str]) -> str:
    """The question with the name that it gives apart in the place of what points at it. `types`: what nodes are called.

    A question that points at nothing, or at more than one thing, stays as it is.

    >>> pointed("Which court published this opinion: Doe v. Roe.", ["opinion"])
    'Which court published the opinion "Doe v. Roe."'
    >>> pointed("This is a film: Heat. Who directed it?", ["film"])
    'Who directed the film "Heat"?'
    >>> pointed("This is a film: Heat. Name its directors.", ["film"])
    'Name the film "Heat"\\'s directors.'
    >>> pointed("True or false: Heat is a film.", ["film"])
    'tell me whether Heat is a film.'
    """
    question = _WHETHER.sub("tell me whether ", _ANSWERED.sub("?", question))
    if '"' in question:
        return question
    if ": " not in question.split("?")[0] and (last := _GIVEN_LAST.fullmatch(question)):
        question = f"{last['asks']} : {last['name']}"
    if ": " not in question:
        return question
    kinds = "|".join(re.escape(t) for t in sorted(types, key=len, reverse=True) if t)
    return _before(question, kinds) or _after(question, kinds) or question


def _after(question: str, kinds: str) -> str:
    """A question that ends in the name that it speaks of; empty where it does not."""
    asks, _, name = question.partition(" : ") if " : " in question else question.partition(": ")
    if not name.strip() or ("?" in asks and " : " not in question):
        return ""
    named = f'"{name.strip()}"'
    by_name = list(_BY_NAME.finditer(asks))
    if len(by_name) == 1:
        before, after = asks[: by_name[0].start()], asks[by_name[0].end() :]
        nouns = list(re.finditer(rf"\b(?:{kinds})\b", before, re.I))
        at = nouns[-1].end() if nouns else len(before)  # "of how many parts does the film consist that ..."
        return f"{before[:at]} {named}{before[at:]}{after}"
    points = list(re.finditer(rf"\b(?:this|the following)(?:(?P<kind> (?:{kinds}))\b| one\b|$)", asks, re.I))
    if len(points) != 1:
        return ""
    kind = points[0]["kind"]
    return f"{asks[: points[0].start()]}{f'the{kind} ' if kind else ''}{named}{asks[points[0].end() :]}"


def _before(question: str, kinds: str) -> str:
    """A question after the name that "it" and "its" speak of; empty where there is none."""
    given = re.match(
        rf"\s*this is (?:the (?:{_CALLED}) of )?(?:a|an|the) (?P<kind>{kinds}): ", question, re.I
    )
    ends = list(_SENTENCE.finditer(question, given.end())) if given else []
    if given is None or not ends:
        return ""
    named = f'the {given["kind"]} "{question[given.end() : ends[-1].start()]}"'
    asks = question[ends[-1].end() :]
    told, count = _IT.subn(lambda m: f"{named}'s" if m.group() == "its" else named, asks)
    return told if count == 1 else ""
