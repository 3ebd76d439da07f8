"""Whether the network speaks against what a grammar reads: the one knows what people mean, the other accounts for every word."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphtalk.language.operators import operator_words
from graphtalk.reasoners.reader.confidence import parts, unknown_names, unmatched, used_values
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.reader import AskedReader, Read
from graphtalk.reasoners.reader.reading import Column, Hop, Item, Reading, Span, Test

UNLIKELY = -5.0  # logarithm of the network's probability of what it would not say
SURE = -1.0  # and of what it is sure of


def disputing(question: str, asked: AskedReader, weighed: Sequence[Read | None]) -> Read | None:
    """The network's first guess, where it is sure of that, would hardly say any of `weighed`, and says no less by it.

    `weighed`: the readings that the grammar has, as the network weighs them; None where it cannot say one: then it is silent.
    """
    readings = [read for read in weighed if read is not None and read.reading is not None]
    if len(readings) < len(weighed) or any(read.log > UNLIKELY for read in readings):
        return None
    first = next(iter(asked.guesses()), None)
    if first is None or first.reading is None or first.log < SURE:
        return None
    if unknown_names(first.reading, asked.shape, asked.values):
        return None
    if any(replace(r.reading, columns=first.reading.columns) == first.reading for r in readings if r.reading):
        return None  # it tells more of the same
    grouped = any(word.kind == "group" for word in operator_words(question))
    groups = (
        " for each " in first.told and not grouped
    )  # an average in a course is not one for each student there
    if groups or _torn(question, first.reading, asked.values):
        return None
    least = map(max, zip(*(_said(question, read, asked) for read in readings), strict=True))
    less = any(own < most for own, most in zip(_said(question, first, asked), least, strict=True))
    return None if less else first


def settled(logs: Sequence[float | None]) -> int | None:
    """Which of several readings that a grammar has, and that give different things, is meant: the one that the network is sure of, where it
    would hardly say any other. None where it is not sure, or cannot say one of them.

    `logs`: the logarithm of the network's probability of each; None: it cannot say it.
    """
    known = [log for log in logs if log is not None]
    if len(known) < len(logs):
        return None
    best = max(range(len(known)), key=known.__getitem__)
    rest = [log for at, log in enumerate(known) if at != best]
    return best if known[best] >= SURE and all(log <= known[best] + UNLIKELY for log in rest) else None


def _torn(question: str, reading: Reading, values: Sequence[Linked]) -> bool:
    """Whether a reading says of another node what the question says of a name ("authors with Ann Lee of Oslo" are not of Oslo), or of
    different nodes what it says of either of several names ("tours of Ann, Bob or Cy" are not of both Ann and another).
    """
    places = dict(_places(reading.items, ()))
    for i, one in places.items():
        for j, other in places.items():
            between = question[values[i].end : values[j].start].strip(" \"'")
            if between == "of" and other[: len(one)] != one:
                return True
            if between in (",", "or", ", or") and " or " in question[values[i].end :] and one != other:
                return True
    return False


def _places(items: Sequence[Item], path: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The values that conditions compare with, each with the hops that lead to its node."""
    for at, item in enumerate(items):
        if isinstance(item, Test):
            yield from ((value.index, path) for value in item.values if isinstance(value, Span))
        elif isinstance(item, Hop):
            yield from _places(item.items, (*path, at))


def _said(question: str, read: Read, asked: AskedReader) -> tuple[float, ...]:
    """How much a reading says: its steps and conditions, the letters of its values, and, below zero, the words that are like nothing in it."""
    assert read.reading is not None
    letters = sum(asked.values[i].end - asked.values[i].start for i in used_values(read.reading))
    idle = unmatched(question, _naming(read.reading, asked), asked.shape, asked.values)
    said = parts(read.reading)
    return len(said.views), said.conditions, letters, -idle


def _naming(reading: Reading, asked: AskedReader) -> Reading:
    """A reading that tells nodes, with the property that they are called by: "the home side" of matches that are told by it is said."""
    name = asked.shape.name_of(reading.type)
    told = tuple(Column(c.kind, name) if name and c == Column("NODE") else c for c in reading.columns)
    return replace(reading, columns=told)
