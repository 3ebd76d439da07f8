"""Verifying an answer: its calls run again, with no model, and everything it claims is compared."""

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

from graphtalk.calls import parse
from graphtalk.core import JSON, Answer, Call, CallError, Evidence
from graphtalk.tools.evidence import together
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.memory import WorkingMemory
from graphtalk.tools.values import Bag, cut_json, to_json

Difference: TypeAlias = str
"""A sentence that says what differs."""

_ALL = 1_000_000  # nodes and edges of evidence that are compared
_WRITTEN = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")
_LARGE = 1000  # a number from here on may be written without its fraction
_LARGEST = 308  # the largest power of ten that is a number
_YES, _NO = r"\byes\b|\btrue\b|\bthe same\b", r"\bno\b|\bnot\b|\bfalse\b|\bdifferent\b"
_NAMES_IN_TEXT = 5  # an answer's text may leave out names after these


def verify(executor: Executor, answer: Answer) -> tuple[Difference, ...]:
    """What differs between an answer and what its calls give now; nothing where all is the same.

    Compared are the result of each call, the answer's value and evidence with the last call's, and the
    answer's text with its value. A call that can no longer be run differs too. An answer that was not found
    claims nothing.

    A text with several results has the list of them for its value: each must be what one of the calls gives, in order.

    Where a language model concluded what no call gives (true from two numbers, say), the calls must show all that
    the value names, and the evidence must be theirs. Names that nothing showed always differ.
    """
    if not answer.answered:
        return ()
    if not answer.calls:
        return ("The answer has no calls, so nothing shows where it comes from.",)
    fresh = replace(executor, memory=WorkingMemory())
    differences: list[Difference] = []
    results = [_run(fresh, call, differences) for call in answer.calls]
    last = results[-1]
    whole = last is not None and not _value(answer, last)
    if not whole and (parts := _parts(answer, results)):
        differences += _evidence(answer, together((part.evidence(_ALL) for part in parts), _ALL))
    elif last is not None and _concluded(answer, last):
        differences += _shown(answer, [result for result in results if result is not None])
    elif last is not None:
        differences += _value(answer, last)
        differences += _evidence(answer, last.evidence(_ALL))
    differences += [f"Nothing that was observed shows {name!r}." for name in answer.unsupported]
    if not says(answer.text, answer.value):
        differences.append(f"The text {answer.text!r} does not say the value {_short(answer.value)}.")
    return tuple(differences)


def _run(executor: Executor, call: Call, differences: list[Difference]) -> Result | None:
    try:
        result = executor.run(parse(call.spelling, executor.registry.vocabulary))
    except CallError as error:
        differences.append(f"{call.spelling} cannot be run: {error}")
        return None
    found = cut_json(result.value, result.graph)
    if not same(call.result, found):
        differences.append(f"{call.spelling} gave {_short(call.result)}, now gives {_short(found)}.")
    return result


def _value(answer: Answer, last: Result) -> list[Difference]:
    found = to_json(last.value, last.graph)
    if same(answer.value, found) or same(_as_set(answer.value), _as_set(found)):
        return []
    return [f"The value is {_short(answer.value)}, but {last.trail.spelling} gives {_short(found)}."]


def _parts(answer: Answer, results: list[Result | None]) -> list[Result]:
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
    if answer.lm == "offline" or not _value(answer, last):
        return False
    value, given = answer.value, last.value
    if isinstance(value, bool) or isinstance(given, bool):
        return isinstance(value, bool) != isinstance(given, bool)
    if isinstance(value, int | float):
        return not isinstance(given, int | float)
    return not isinstance(given, Bag if isinstance(value, list) else str | Bag)


def _shown(answer: Answer, results: list[Result]) -> list[Difference]:
    """What a concluded value names without any call that showed it, and evidence that is not the calls'."""
    shown: set[JSON] = set()
    for result in results:
        shown.update(_leaves(to_json(result.value, result.graph)))
    found = together((result.evidence(_ALL) for result in results), _ALL)
    graph = results[-1].graph
    shown.update(
        graph.label(node) for name in answer.evidence.nodes if (node := graph.find(name)) is not None
    )
    claimed = [leaf for leaf in _leaves(answer.value) if not isinstance(leaf, bool)]
    unseen = [leaf for leaf in claimed if leaf not in shown]
    return [f"No call showed {_short(leaf)}." for leaf in unseen] + _evidence(answer, found)


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


def _evidence(answer: Answer, found: Evidence) -> list[Difference]:
    differences = []
    for what, claimed, real in (
        ("node", set(answer.evidence.nodes), set(found.nodes)),
        ("edge", set(answer.evidence.edges), set(found.edges)),
    ):
        invented = sorted(claimed - real)
        missing = sorted(real - claimed) if answer.evidence.complete else []
        if invented:
            differences.append(
                f"Of the evidence {len(invented)} {what}s are not found, such as {invented[0]}."
            )
        if missing:
            differences.append(f"The evidence lacks {len(missing)} {what}s, such as {missing[0]}.")
    return differences


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


def _as_set(value: JSON) -> JSON:
    """A list of names without order and repeats, as people take it; a single name as a list of it."""
    names = [value] if isinstance(value, str) else value
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return sorted({str(name) for name in names})  # type: ignore[return-value]
    return value


def says(text: str, value: JSON) -> bool:
    """Whether the text of an answer has its value: names, a number (rounded, or with commas), yes or no."""
    plain = text.casefold()
    if isinstance(value, bool):
        return re.search(_YES if value else _NO, plain) is not None
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
