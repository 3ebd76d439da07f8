"""Questions made by program, said by people in their own words: sheets to fill in, and what was written on them as examples.

A program draws a reading and stiff words for it; who fills a sheet says the same as somebody would who has never seen the schema
(Wang, Berant and Liang 2015). The reading stays, so that nobody has to write one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from graphtalk.reasoners.reader.reading import canonical, parsed, written
from graphtalk.reasoners.reader.shape import Shape, spoken
from graphtalk.reasoners.reader.telling import told
from graphtalk.training.reader.examples import Example, Mention, marked
from graphtalk.training.reader.ranking import linked
from graphtalk.training.reader.variation import Group


def sheet(groups: Sequence[Group]) -> Iterator[str]:
    """The lines of a sheet: each schema, and under it its questions with what they mean and the values in them."""
    for number, group in enumerate(groups, 1):
        yield f"## schema {number}"
        yield from _schema(group.shape)
        for at, e in enumerate(group.examples, 1):
            values = "; ".join(v.text for v in e.values) or "none"
            yield f"{number}.{at} {e.question}\n    means: {_meaning(e, group.shape)}\n    values: {values}"
        yield ""


def _schema(shape: Shape) -> Iterator[str]:
    for name in shape.types:
        held = [h for h in shape.held if h.owner == name and not h.edge]
        yield f"  {spoken(name)}: {', '.join(f'{spoken(h.name)} ({h.kind})' for h in held)}"
    for link in shape.links:
        names = [spoken(h.name) for h in shape.held if h.owner == link.key]
        more = f" [{', '.join(names)}]" if names else ""
        yield f"  {spoken(link.source)} -- {spoken(link.name)} --> {spoken(link.target)}{more}"


def _meaning(example: Example, shape: Shape) -> str:
    reading = parsed(example.actions, shape)
    if reading is None:
        return "(nothing here answers it: say it so that this stays true)"
    return told(canonical(reading, shape), shape, [linked(v) for v in example.values])


def said(groups: Sequence[Group], lines: Sequence[str], name: str) -> tuple[list[Group], int]:
    """What was written on the sheet of `groups`, by schema, and how many lines could not be taken.

    A line is a question's number (`7.3`), a tab, and the question in other words; `-` where it makes no sense; `7.none` before a
    question that nothing in schema 7 answers. Lines whose values are not those of the question, once each, are not taken.
    """
    rows = [line.split("\t", 1) for line in lines if "\t" in line]
    written = [(at.strip(), text.strip()) for at, text in rows if text.strip() != "-"]
    found = []
    for number, group in enumerate(groups, 1):
        own = tuple(e for at, text in written if (e := _example(group, number, at, text)) is not None)
        if own:
            found.append(Group(group.shape, own, f"{name} {number}"))
    return found, len(written) - sum(len(g.examples) for g in found)


def _example(group: Group, number: int, at: str, text: str) -> Example | None:
    own, _, place = at.partition(".")
    if own != str(number):
        return None
    if place == "none":
        known = {v.text: v for e in group.examples for v in e.values if v.owners}
        named = [v for v in known.values() if len(_places(v.text, text)) == 1]
        return _marked(text, named, ("NONE",))
    if not place.isdigit() or not 0 < int(place) <= len(group.examples):
        return None
    example = group.examples[int(place) - 1]
    texts = [v.text for v in example.values]
    if any(len(_places(v, text)) != 1 and texts.count(v) == 1 for v in texts):
        return None
    found = _marked(text, example.values, example.actions)
    reading = None if found is None else parsed(found.actions, group.shape)
    if found is None or reading is None:
        return found
    # Values are numbered by their places, and the order of conditions follows them.
    return replace(found, actions=tuple(written(canonical(reading, group.shape))))


def _places(value: str, text: str) -> list[tuple[int, int]]:
    return [m.span() for m in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text, re.IGNORECASE)]


def _marked(text: str, values: Sequence[Mention], actions: tuple[str, ...]) -> Example | None:
    """The example with these values where the text has them, the longest first; None where it lacks one that a reading needs."""
    spans: list[tuple[int, int, int]] = []
    for i, value in sorted(enumerate(values), key=lambda each: -len(each[1].text)):
        free = (s for s in _places(value.text, text) if all(s[1] <= a or s[0] >= b for a, b, _ in spans))
        if (span := next(free, None)) is not None:
            spans.append((*span, i))
    found = list(values)
    for start, end, i in sorted(spans, reverse=True):
        found[i] = replace(found[i], text=text[start:end])
        text = f"{text[:start]}\x02{i}\x03{text[end:]}"
    return marked(text, found, actions, Random(0))
