"""Properties that are worked out: the month, quarter, year, week or weekday of dates, the days from one to another, ids,
and what is said of the one node that a node stands for."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import permutations

from graphtalk.language.kinship import KIN, kin_noun
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.schema_words import DATED, roots_of
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import Held, Link, Shape, Step, spoken

PARTS = {
    "month": "month", "months": "month", "calendar month": "month", "quarter": "quarter", "quarters": "quarter", "year": "year",
    "years": "year", "calendar year": "year", "week": "week", "weeks": "week", "calendar week": "week", "weekday": "weekday",
    "weekdays": "weekday", "day of the week": "weekday", "day of week": "weekday", "day": "day", "days": "day", "calendar day": "day",
}  # fmt: skip
_MOST_DATES = 6  # of one type, between any two of which days are counted
_BEGIN = frozenset(
    map(root, "receive start begin depart departure borrow loan admit open submit order rent hire".split())
)
_END = frozenset(
    map(
        root, "finish end arrive arrival return discharge close complete deliver leave resolve expire".split()
    )
)
_BIRTH, _DEATH = frozenset(map(root, ("birth", "born"))), frozenset(map(root, ("death", "died", "dies")))


def with_derived(shape: Shape, never_after: Callable[[Held, Held], bool]) -> Shape:
    """A schema with what is worked out of its dates, and the ids that no property says.

    `never_after`: whether of no node the first of two dates is after the second; so two moments are a beginning and an end.
    """
    dates = [h for h in shape.held if h.kind == "date"]
    found = [_part(date, part) for date in dates for part in dict.fromkeys(PARTS.values())]
    for owner in dict.fromkeys(h.owner for h in dates):
        own = [h for h in dates if h.owner == owner]
        found += [_span(*pair) for pair in permutations(own, 2)] if len(own) <= _MOST_DATES else []
        first = [h for h in own if _says(h, _BEGIN | _BIRTH)]
        last = [h for h in own if _says(h, _END | _DEATH)]
        if len(own) == 2 and not first and not last and {h.stored for h in own} == {"datetime"}:
            spans = [(a, b) for a, b in (own, own[::-1]) if never_after(a, b)]
            first, last = ([spans[0][0]], [spans[0][1]]) if len(spans) == 1 else ([], [])
        if len(own) == 2 and len(last) == 1 and not first:  # the date of a repair, which was finished
            first = [
                h
                for h in own
                if h not in last and not roots_of(h) - DATED - set(map(root, spoken(owner).split()))
            ]
        if len(own) == 2 and len(first) == len(last) == 1 and first != last:
            unit = "minutes" if {h.stored for h in (*first, *last)} == {"datetime"} else "days"
            unit = "years" if _says(first[0], _BIRTH) and _says(last[0], _DEATH) else unit
            name = f"time from {spoken(first[0].name)} to {spoken(last[0].name)} in {unit}"
            of = (*first, *last)
            found.append(replace(first[0], name=name, kind="number", stored="", of=of, part=unit))
            if unit == "years":
                found.append(replace(found[-1], name="age at death", part="age"))
    found += [Held(t, "id", "text", part="id") for t in shape.types if _has_hidden_id(shape, t)]
    return replace(shape, derived=tuple(found))


def with_kin(shape: Shape) -> Shape:
    """A schema whose fathers and mothers are parents too, where nothing else is called so."""
    called = {(spoken(k.name), k.source): k for k in shape.links if k.source == k.target and not k.undirected}
    nouns = {kin_noun(spoken(k.name)) for k in shape.links}
    found: list[Link] = []
    for kin in KIN:
        for (name, owner), first in called.items() if nouns.isdisjoint((kin.noun, kin.back)) else ():
            parts = [called.get((name.replace(kin.of[0], noun), owner)) for noun in kin.of]
            own = re.search(kin.of[0], first.name, re.I)
            if kin_noun(name) == kin.of[0] and own is not None and None not in parts:
                joined = first.name.replace(own[0], _written(kin.noun, own[0]))
                found.append(replace(first, name=joined, of=tuple(k.name for k in parts if k is not None)))
    return replace(shape, links=(*shape.links, *found))


_LINES = frozenset(map(root, "item line detail entry row position".split()))


def with_lines(shape: Shape, to_one: Callable[[Step], bool], people: Collection[str]) -> Shape:
    """A schema whose events are joined to what their lines are of: who made an order ordered the products of its `order_items`; and these
    to who did something with a line: what was `packed_by` Ann are the products of such items.

    A line is called by the event, and by a noun for a part of a list or by the one thing that it leads to, which is not of the `people`.
    """
    words = {t: frozenset(map(root, spoken(t).split())) for t in shape.types}

    def joins(line: str, event: str, thing: str) -> bool:
        """Whether a line is called by an event and by a thing of it, or by a noun for a part of a list."""
        return (
            thing not in {line, *people}
            and not words[event] & words[thing]
            and bool(words[line] & words[event] or words[line] <= _LINES)
            and bool(words[line] & (_LINES | words[thing]))
            and words[line] <= _LINES | words[event] | words[thing]
        )

    def leads(source: str, target: str) -> bool:
        return any(shape.steps[a].target == target for a in shape.steps_from[source])

    found: list[Link] = []
    for line in shape.types:
        out = [s for a in shape.steps_from[line] if (s := shape.steps[a]).out]
        named = [(e, t) for e, t in permutations(out, 2) if joins(line, e.target, t.target)]
        # Only of what is called so all edges are looked at.
        pairs = {frozenset((e.target, t.target)): (e, t) for e, t in named if to_one(e) and to_one(t)}
        for event, thing in pairs.values() if len(pairs) == 1 else ():
            if not leads(event.target, thing.target):
                over = line, event.link.name, thing.link.name
                found.append(Link(line, event.target, thing.target, over=over))
                done = [s for s in out if s.target in people and spoken(s.link.name).endswith(" by")]
                found += [
                    Link(s.link.name, thing.target, s.target, over=(line, thing.link.name, s.link.name))
                    for s in done
                    if not leads(thing.target, s.target) and to_one(s)
                ]
    return replace(shape, links=(*shape.links, *found))


def _written(word: str, like: str) -> str:
    """A word in small letters or capitals as another has them."""
    return word.upper() if like.isupper() else word.capitalize() if like[0].isupper() else word


# What a kind has as a rule, and each of it may have otherwise: the typical weight of a breed is no dog's weight.
_NORMS = frozenset(
    "typical average avg mean max maximum min minimum usual standard normal expected recommended ideal life".split()
)


def with_inherited(shape: Shape, ways: Iterable[Step], kinds: Iterable[Step]) -> Shape:
    """A schema whose nodes have the properties of what they stand for: a player, over one of some `ways`, those of some person; and
    the numbers of the one of the `kinds` that they are: a boat the rated power of its model.
    """
    own = {(h.owner, root(h.name)) for h in shape.held}
    found = [
        replace(h, owner=step.source, naming=False, of=(h,), via=step)
        for step, whole in (*((way, True) for way in ways), *((kind, False) for kind in kinds))
        for h in shape.held
        if h.owner == step.target and not h.naming and (step.source, root(h.name)) not in own
        if whole or (h.kind == "number" and _NORMS.isdisjoint(spoken(h.name).split()))
    ]
    return replace(shape, held=(*shape.held, *found))


def inheriting(values: Sequence[Linked], shape: Shape) -> tuple[Linked, ...]:
    """Values, found in the properties that are inherited too."""
    inherited = [(h.action, h.of[0].action) for h in shape.held if h.via is not None]
    return tuple(
        replace(v, found=(*v.found, *((own, s) for own, of in inherited for a, s in v.found if a == of)))
        for v in values
    )


def _has_hidden_id(shape: Shape, node_type: str) -> bool:
    """Whether nodes have names, and an id that no property says."""
    own = [h for h in shape.held if h.owner == node_type and not h.edge]
    return any(h.naming for h in own) and not any(
        root("id") in map(root, spoken(h.name).split()) for h in own
    )


def _span(first: Held, last: Held) -> Held:
    """The days from one date to another, where a question says both."""
    name = f"time from {spoken(first.name)} to {spoken(last.name)} in days"
    return replace(first, name=name, kind="number", stored="", of=(first, last), part="span")


def _part(date: Held, part: str) -> Held:
    name = f"{part} of {spoken(date.name)}"
    return Held(date.owner, name, "number" if part == "year" else "text", date.edge, of=(date,), part=part)


def _says(held: Held, deeds: frozenset[str]) -> bool:
    return not deeds.isdisjoint(map(root, spoken(held.name).split()))
