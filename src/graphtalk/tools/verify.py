"""Verifying an answer: its calls run again, with no model, and everything it claims is compared.

What was compared is said, and so is what nothing can compare: how a question was read, and what a language model
concluded by itself.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from graphtalk.calls import parse
from graphtalk.core import JSON, Answer, CallError, CallRecord, Evidence
from graphtalk.language.telling import answer_in_words, is_of_reading
from graphtalk.tools.evidence import together
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.memory import WorkingMemory
from graphtalk.tools.values import Bag, cut_json, to_json

Verdict: TypeAlias = Literal["same", "differs", "concluded", "nothing"]

_ALL = 1_000_000  # nodes and edges of evidence that are compared
_LEAST_SHOWN = 50  # entries that evidence has, however it was cut, where the calls give so many
_WRITTEN = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
_LARGE = 1000  # a number from here on may be written without its fraction
_LARGEST = 308  # the largest power of ten that is a number
_YES, _NO = (
    re.compile(r"\byes\b|\btrue\b|\bthe same\b"),
    re.compile(r"\bno\b|\bnot\b|\bfalse\b|\bdifferent\b"),
)
_DENIES = re.compile(
    r"\b(?:no|not|none|never|neither|nor|nobody|nothing|cannot|without|except|false)\b|n['’]t\b"
)
_NAMES_IN_TEXT = 5  # an answer's text may leave out names after these
_NAMES_SEEN = 1_000  # nodes of the evidence whose names a text may have
_LOOKS_UP = frozenset({"RetrieveNode", "Intersect", "Union", "Distinct", "Difference", "GL"})


@dataclass
class Verification:
    """What a verification found: what differs, what was compared, and what could not be.

    `concluded`: the value is a language model's own inference: the calls do not give it, or show no reason for it.
    """

    differences: list[str] = field(default_factory=list)
    checked: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    concluded: bool = False

    @property
    def verdict(self) -> Verdict:
        """In one word."""
        if self.differences:
            return "differs"
        if self.concluded:
            return "concluded"
        return "same" if self.checked else "nothing"

    @property
    def headline(self) -> str:
        """The verdict as a sentence."""
        return {
            "same": "The same answer.",
            "differs": "Not the same answer.",
            "concluded": "Concluded by a model, not checked.",
            "nothing": "Nothing to verify: the question was not answered.",
        }[self.verdict]


@dataclass(frozen=True)
class Solution:
    """What a problem in words is answered by: the spelling of the last call, the value and the text."""

    call: str
    value: JSON
    text: str


def verify(executor: Executor, answer: Answer, told: Solution | None = None) -> Verification:
    """Run the calls of an answer again, and compare all that it claims with what they give now.

    Compared are the result of each call, that the calls are those that the last one is made of, the answer's value
    and evidence with the last call's, and its text: rendered again where graphtalk wrote it, and otherwise searched
    for the value and for words that deny it. A call that cannot be run differs too.

    A text with several results has the list of them for its value: each must be what one of the calls gives, in order.

    Where a language model concluded what no call gives (true from two numbers, say), the calls must show all that
    the value names, and the evidence must be theirs; that the conclusion follows is not checked, and said so.

    `told` is what a problem in words is answered by: the last call and the value and text that are made of what it gives.
    """
    found = Verification()
    if not answer.answered:
        _claims_nothing(answer, found)
        return found
    if not answer.calls:
        found.differences.append("The answer has no calls, so nothing shows where it comes from.")
        return found
    fresh = replace(executor, memory=WorkingMemory())
    results = [_run(fresh, call, found) for call in answer.calls]
    found.checked.append(f"{len(answer.calls)} calls give what they gave")
    if len({call.spelling for call in answer.calls}) < len(answer.calls):
        found.differences.append("A call stands there more than once.")
    last = results[-1]
    if told is not None and last is not None:
        _check_told(answer, last, told, found)
    elif last is not None:
        answer = replace(answer, value=_named_as(answer.value, to_json(last.value, last.graph)))
        given = [result for result in results if result is not None]
        if not _value(answer, last):
            _check_rests(answer, last.evidence(_ALL), found)
            if _only_looks_up(last):
                found.concluded = True
                found.unchecked.append("why these are the answer: the calls only look the names up")
        elif parts := _parts(answer, results):
            _check_rests(answer, together((part.evidence(_ALL) for part in parts), _ALL), found)
        elif _concluded(answer, last):
            found.concluded = True
            found.differences += _unseen(answer, given)
            _check_rests(answer, together((result.evidence(_ALL) for result in given), _ALL), found)
            found.unchecked.append("that the value follows from what the calls gave")
        else:
            found.differences += _value(answer, last)
            _check_rests(answer, last.evidence(_ALL), found)
        if not found.concluded:
            found.checked.append("the value is what they give")
    found.differences += [f"Nothing that was observed shows {name!r}." for name in answer.unsupported]
    if told is None:
        _check_text(answer, last, found)
    found.unchecked.append("that the question was read as it was meant")
    return found


def _check_told(answer: Answer, last: Result, told: Solution, found: Verification) -> None:
    """Compare an answer with what a problem is answered by."""
    if last.trail.spelling != told.call:
        found.differences.append(f"The problem is solved by {told.call}, not by {last.trail.spelling}.")
    if not same(answer.value, told.value):
        found.differences.append(
            f"The value is {_short(answer.value)}, but the calls give {_short(told.value)}."
        )
    if answer.text != told.text:
        found.differences.append(
            f"The text is {_short(answer.text)!r}, but the calls say {_short(told.text)!r}."
        )
    _check_rests(answer, last.evidence(_ALL), found)
    found.checked += ["the value is what they give", "the text says it", "the calls are those of the problem"]


def _named_as(claimed: JSON, found: JSON) -> JSON:
    """A claimed value in the form of what was found: a node's number as its name, one node as a list of it."""
    if isinstance(found, list) and isinstance(claimed, list) and len(claimed) == len(found):
        return [_named_as(one, other) for one, other in zip(claimed, found, strict=True)]
    if isinstance(found, list) and len(found) == 1 and not isinstance(claimed, list):
        return found if same(_named_as(claimed, found[0]), found[0]) else claimed
    number = isinstance(claimed, int) and not isinstance(claimed, bool)
    return found if number and isinstance(found, str) and str(claimed) == found else claimed


def _claims_nothing(answer: Answer, found: Verification) -> None:
    """An answer that was not found has no value, no calls that give one, and no evidence."""
    claims = {
        "a value": answer.value is not None,
        "calls": bool(answer.calls),
        "evidence": bool(answer.evidence.nodes or answer.evidence.edges),
    }
    found.differences += [
        f"The question was not answered, and yet there is {what}." if what != "calls" else
        "The question was not answered, and yet there are calls."
        for what, there in claims.items()
        if there
    ]  # fmt: skip


def _run(executor: Executor, call: CallRecord, found: Verification) -> Result | None:
    try:
        result = executor.run(parse(call.spelling, executor.registry.vocabulary))
    except CallError as error:
        found.differences.append(f"{call.spelling} cannot be run: {error}")
        return None
    now = cut_json(result.value, result.graph)
    if not same(call.result, now):
        found.differences.append(f"{call.spelling} gave {_short(call.result)}, now gives {_short(now)}.")
    return result


def _value(answer: Answer, last: Result) -> list[str]:
    """What differs between the value and what the last call gives; a model may name it in another order, each once."""
    found = to_json(last.value, last.graph)
    reworded = not answer.reading and answer.lm != "offline"
    if same(answer.value, found) or (reworded and _same_names(answer.value, found)):
        return []
    return [f"The value is {_short(answer.value)}, but {last.trail.spelling} gives {_short(found)}."]


def _same_names(claimed: JSON, found: JSON) -> bool:
    names, given = _names_in(claimed), _names_in(found)
    return bool(names) and len(set(names)) == len(names) and set(names) == set(given)


def _names_in(value: JSON) -> list[str]:
    """The names of a value that has nothing else; none where it has."""
    entries = value if isinstance(value, list) else [value]
    names = [name for name in entries if isinstance(name, str)]
    return names if len(names) == len(entries) else []


def _only_looks_up(last: Result) -> bool:
    """Whether a call finds nodes by nothing but their names, which shows no reason why they are the answer."""
    return isinstance(last.value, Bag) and all(
        not ran.notes and ran.spelling.partition("[")[0] in _LOOKS_UP for ran in last.trail.inside()
    )


def _parts(answer: Answer, results: Sequence[Result | None]) -> list[Result]:
    """The results, two or more and in order, whose values are the entries of the answer's value; else none."""
    entries = answer.value if isinstance(answer.value, list) and len(answer.value) > 1 else []
    parts: list[Result] = []
    for result in results:
        wanted = len(parts) < len(entries)
        if result is not None and wanted and same(entries[len(parts)], to_json(result.value, result.graph)):
            parts.append(result)
    return parts if len(parts) == len(entries) else []


def _concluded(answer: Answer, last: Result) -> bool:
    """Whether a language model concluded the value itself: the last call gives something of another kind.

    A call that gives the same kind of thing as the value has to give the value: names could have been cut out of
    nodes, and a number is a number.
    """
    if answer.lm == "offline":
        return False
    value, given = answer.value, last.value
    if isinstance(value, bool) or isinstance(given, bool):
        return isinstance(value, bool) != isinstance(given, bool)
    if isinstance(value, int | float):
        return not isinstance(given, int | float)
    return not isinstance(given, Bag if isinstance(value, list) else str | Bag)


def _unseen(answer: Answer, results: Sequence[Result]) -> list[str]:
    """What a concluded value names without any call that showed it."""
    shown: set[JSON] = set()
    for result in results:
        shown.update(_leaves(to_json(result.value, result.graph)))
    graph = results[-1].graph
    shown.update(
        graph.label(node) for name in answer.evidence.nodes if (node := graph.find(name)) is not None
    )
    claimed = [leaf for leaf in _leaves(answer.value) if not isinstance(leaf, bool)]
    return [f"No call showed {_short(leaf)}." for leaf in claimed if leaf not in shown]


def _leaves(value: JSON) -> Iterator[bool | int | float | str]:
    """The names, numbers and truths in a value."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _leaves(item)
    elif value is not None:
        yield value


def _check_rests(answer: Answer, found: Evidence, to: Verification) -> None:
    """Compare the evidence. What an answer leaves out it has to say, and it leaves out nothing of a short list."""
    pairs: tuple[tuple[str, Sequence[object], Sequence[object]], ...] = (
        ("node", answer.evidence.nodes, found.nodes),
        ("edge", answer.evidence.edges, found.edges),
    )
    for what, claimed, real in pairs:
        invented = sorted(set(claimed) - set(real), key=str)
        missing = sorted(set(real) - set(claimed), key=str)
        if invented:
            to.differences.append(
                f"Of the evidence {len(invented)} {what}s are not found, such as {invented[0]}."
            )
        if len(set(claimed)) < len(claimed):
            to.differences.append(f"The evidence names {what}s more than once.")
        cut = not answer.evidence.complete and len(claimed) >= _LEAST_SHOWN
        if missing and not cut:
            to.differences.append(f"The evidence lacks {len(missing)} {what}s, such as {missing[0]}.")
        elif missing:
            to.unchecked.append(
                f"{len(missing)} {what}s of the evidence, which the answer leaves out and says so"
            )
    to.checked.append("the evidence is what they rest on")


def _check_text(answer: Answer, last: Result | None, found: Verification) -> None:
    if answer.reading:
        of_reading = tuple(filter(is_of_reading, answer.remarks))
        remarks = (*of_reading, *last.remarks) if last is not None else answer.remarks
        if answer.remarks != remarks:
            found.differences.append(f"The remarks are {answer.remarks}, but the calls say {remarks}.")
        wanted = answer_in_words(answer.value, answer.reading, remarks)
        if answer.text != wanted:
            found.differences.append(
                f"The text is {_short(answer.text)!r}, but the value says {_short(wanted)!r}."
            )
        found.checked.append("the text says the value")
        return
    if not says(answer.text, answer.value):
        found.differences.append(
            f"The text {_short(answer.text)!r} does not say the value {_short(answer.value)}."
        )
    elif denied := _denial(answer, last):
        found.differences.append(
            f"The text {_short(answer.text)!r} has {denied!r}: it may say the opposite of the value."
        )
    found.unchecked.append("the words of the text beside the value")


def _denial(answer: Answer, last: Result | None) -> str:
    """The word by which a text may deny the value: not one of a name in it or in the evidence. Of a value that is nothing, what affirms it."""
    plain = answer.text.casefold()
    if answer.value is None or answer.value is False or answer.value == 0 or answer.value == []:
        affirmed = _YES.search(plain)
        return affirmed[0] if affirmed else ""
    graph = last.graph if last is not None else None
    seen = [
        node
        for name in answer.evidence.nodes[:_NAMES_SEEN]
        if graph and (node := graph.find(name)) is not None
    ]
    names = [*map(str, _leaves(answer.value)), *(graph.label(node) for node in seen if graph)]
    either = "|".join(re.escape(name.casefold()) for name in sorted(names, key=len, reverse=True) if name)
    plain = re.sub(rf"(?<!\w)(?:{either})(?!\w)", " ", plain) if either else plain
    found = _DENIES.search(plain)
    return found[0] if found else ""


def same(one: JSON, other: JSON) -> bool:
    """Whether two results are equal; numbers but for rounding in the last places."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return one == other


def says(text: str, value: JSON) -> bool:
    """Whether the text of an answer has its value: names, a number (rounded, or with commas), yes or no."""
    plain = text.casefold()
    if isinstance(value, bool):
        return (_YES if value else _NO).search(plain) is not None
    if isinstance(value, int | float):
        return any(_rounds_to(value, written) for written in _WRITTEN.findall(plain))
    if isinstance(value, str):
        return value.casefold() in plain
    if isinstance(value, list):
        return all(says(text, item) for item in value[:_NAMES_IN_TEXT])
    return True


def _rounds_to(value: int | float, written: str) -> bool:
    mantissa, _, exponent = written.replace(",", "").partition("e")
    if len(exponent) > 4 or abs(int(exponent or 0)) > _LARGEST:
        return False
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    no_fraction = unit == 1 and not float(value).is_integer() and abs(value) >= _LARGE
    rounded = unit < 1 or bool(exponent) or no_fraction
    return math.isclose(
        float(mantissa) * 10.0 ** int(exponent or 0),
        value,
        rel_tol=1e-9,
        abs_tol=0.51 * unit if rounded else 0.0,
    )


def _short(value: JSON, most: int = 200) -> str:
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}…"
