"""Nodes that stand for what somebody did: orders, flights, visits. A verb that means such a node leads through it.

"Which customers ordered a lamp" asks for customers of an order that has a lamp, "flights from X to Y" for those whose
origin is X and whose destination Y.
"""

from collections.abc import Iterator
from dataclasses import replace

from graphtalk.language.people import is_person
from graphtalk.reasoners.phrases.deeds import TOWARDS, Deeds
from graphtalk.reasoners.phrases.relating import MOST_OF
from graphtalk.reasoners.phrases.relations import does_another
from graphtalk.reasoners.phrases.schema_words import deeds_of_event, is_date, makes
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.words import BE, DO, HAVE
from graphtalk.reasoners.reader.reading import Best, Compared, Either, Hop, Item, Measure, Not, Span, Test
from graphtalk.reasoners.reader.shape import Held, Step, spoken
from graphtalk.reasoners.reader.words import stem

_LEAVING = (
    "from", "leaving", "leaving from", "leave", "leave from", "leaves from", "departing", "departing from", "depart from",
    "departs from", "going from", "go from", "goes from", "starting in", "starting from", "start in", "start from", "sent from",
    "coming from", "went from", "travelled from", "departed from", "started in", "started from", "left", "coming in from", "come from", "comes from", "out of",
)  # fmt: skip
_ARRIVING = (
    "to", "into", "going to", "went to", "travelled to", "arrived in", "arrived at", "ended in", "go to", "goes to", "arriving in", "arriving at", "arrive in", "arrive at", "arrives in", "arrives at",
    "landing in", "landing at", "land in", "land at", "bound for", "ending in", "end in", "sent to", "leading to", "lead to",
)  # fmt: skip
BOUND = (("from", _LEAVING), ("to", _ARRIVING))
_WAYS = (*TOWARDS, "from")
# Verbs whose object says what was done: who gives a training trains, who takes one is trained.
_GIVING = frozenset(
    "give gives gave given giving hold holds held conduct conducts conducted run runs ran teach teaches taught lead leads led".split()
)
_GETTING = frozenset(
    "take takes took taken get gets got receive receives received attend attends attended undergo underwent undergone".split()
)
_DOING = frozenset("make makes made do does did done".split())
_SIDES = {"from": "from", "to": "to", "into": "to"}


class Events(Deeds):
    """How one question speaks of nodes that stand for deeds."""

    def bound(self, at: int, event: str, most: int = 1) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """From where or to where something goes, by the relations that are called so: "from X", "leaving X", "from X to Y"."""
        for side, phrases in BOUND:
            for begin, _ in self.said(at, phrases):
                for end, items in self._at_side(begin, event, side):
                    yield end, items
                    if most:
                        yield from (
                            (last, (*items, *more)) for last, more in self.bound(end, event, most - 1)
                        )

    def bound_again(self, at: int, begin: int, event: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A second place after the verb that stood before the first: "(start in Hull) ... in York"."""
        for side, phrases in BOUND:
            for start, _ in (
                self.said(begin, ("in", "at", "from", "to")) if any(self.said(at, phrases)) else ()
            ):
                yield from self._at_side(start, event, side)

    def _at_side(self, at: int, event: str, side: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """From where or to where something goes: over the one relation that says so, or by the one text."""
        steps = [s for s in self.lexicon.steps(event) if self.lexicon.side(s) == side]
        texts = self.lexicon.sides(event, side)
        if len(steps) + len(texts) != 1:
            return
        if steps:
            yield from self.joined(at, steps[0])
        for end, test in self.owned(at, event) if texts else ():
            if test.held == texts[0].action:
                yield end, (test,)

    def doing(self, at: int, node_type: str, reduced: bool) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb with what belongs to it, also where nodes stand for what it says."""
        yield from super().doing(at, node_type, reduced)
        yield from self._made_over(at, node_type, reduced)
        own = self.lexicon.told_by(node_type) if self.word(at) and reduced else None
        if own is not None and self.lexicon.goes_with(self.word(at), own):  # "languages spoken in X"
            yield from self.placed(at + 1, node_type, "be")
            for begin, _ in self.said(at + 1, ("in", "on", "at", "by")):
                for step in filter(self.lexicon.to_one, self.lexicon.steps(node_type)):
                    yield from self.joined(begin, step)
        if not self.word(at) or self.word(at) in (*BE, *HAVE, *DO):
            return
        yield from self._of_its_verb(at, node_type)
        yield from self._took(at, node_type) if not reduced else ()
        for event in self.lexicon.events(self.word(at)):
            doer, patient = self._parts(node_type, event)
            # Who trained Ann is not who trained on a machine; who lent to Ann lent.
            on = doer != patient and self.word(at + 1) in _WAYS and self.word(at + 1) not in _SIDES
            to_event = patient if reduced or on else doer
            if to_event is None:
                continue
            dates = self.lexicon.dates(event)
            for end, items in self._done_with(at + 1, event, to_event, reduced):
                yield end, tuple(_through(to_event, item) for item in items)
                if len(items) == 1 and not isinstance(items[0], Not):  # "visited Ann in May"
                    for last, tests in (found for date in dates for found in self.dated(end, date)):
                        yield last, (Hop(to_event.action, (items[0], *tests)),)
            for date in dates:
                yield from ((end, (Hop(to_event.action, tests),)) for end, tests in self.dated(at + 1, date))
            yield from self._distinct(at + 1, event, to_event)
            for begin, phrase in self.said(at + 1, tuple(MOST_OF)):  # "booked the most hours"
                for end, held in self.lexicon.noun(self.roots, begin, event):
                    if held.kind == "number" and not is_date(held):
                        yield end, (Best(MOST_OF[phrase], Measure("SUM", held.action, Hop(to_event.action))),)

    def _of_its_verb(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What nodes have, said by the verb that its noun comes from: "specialise in roses" of `speciality`."""
        for begin in self.perhaps(at + 1, ("in", "on", "as", "for")):
            for end, index in self.value(begin):
                for action in self.values[index].owners:
                    held = self.lexicon.shape.properties.get(action)
                    if (
                        held is not None
                        and held.owner == node_type
                        and self.lexicon.derives(self.word(at), held)
                    ):
                        yield end, (Test(action, "EQ", (Span(index),)),)

    def _parts(self, node_type: str, event: str) -> tuple[Step | None, Step | None]:
        """How nodes of a type are joined to such a node, as who does it and as to whom it is done: by the one relation there is, or of
        two that which is called by the deed ("trainer" of a training) and the other.
        """
        steps = [s for s in self.lexicon.steps(node_type) if s.target == event]
        if len(steps) != 2:
            only = self.lexicon.between(node_type, event)
            beside = [(s.link.name, s.target) for s in self.lexicon.steps(event) if s.out]
            return (
                (None, None)
                if only is not None and does_another(only.link.name, event, beside)
                else (only, only)
            )
        deeds = {stem(deed) for deed in deeds_of_event(event)}
        called = [spoken(s.link.name).split() for s in steps]
        does = [words[-1] == "by" or (stem(words[-1]) in deeds and is_person(words[-1])) for words in called]
        if sum(does) != 1:
            return None, None
        return steps[does.index(True)], steps[does.index(False)]

    def underwent(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What was done to something, where nodes stand for that: "(hives that were) inspected", "booked in May"."""
        for event in self.lexicon.events(self.word(at)) if self.word(at) else ():
            _, patient = self._parts(node_type, event)
            if patient is None or event == node_type or node_type in self.lexicon.people:
                continue
            yield at + 1, (Hop(patient.action),)
            for date in self.lexicon.dates(event):
                yield from ((end, (Hop(patient.action, tests),)) for end, tests in self.dated(at + 1, date))

    def _took(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb that says no more than its object, which stands for the deed: "gave the most trainings", "passed her training on X"."""
        for event in self.lexicon.shape.types if node_type in self.lexicon.people else ():
            doer, patient = self._parts(node_type, event)
            if doer is None or patient is None or not self.lexicon.is_event(event):
                continue
            came = self._light(self.word(at), doer, patient)
            begins: list[tuple[int, Step, Held | None]] = [(at + 1, came, None)] if came is not None else []
            begins += [(end, patient, held) for end, held in self.flagged(at, event)]
            for begin, step, held in begins:
                for start in self.perhaps(begin, ("their", "her", "his")):
                    for end, items in self.joined(start, step):
                        if held is None:
                            yield end, items
                        elif len(items) == 1 and isinstance(items[0], Hop):
                            yield end, (replace(items[0], items=(*items[0].items, Test(held.action, "YES"))),)

    def _light(self, verb: str, doer: Step | None, patient: Step | None) -> Step | None:
        """How somebody is joined to the deed that the object of a verb says: who gives a training trains, who takes one is trained."""
        if verb not in (_GIVING | _GETTING if doer != patient else _DOING):
            return None
        return patient if verb in _GETTING else doer

    def _made_over(self, at: int, node_type: str, reduced: bool) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Who made something, over the one way there is between them: "published the opinion X", where its docket has the court."""
        if not makes(self.word(at)) or self._named_verb(at) or not self.asked_before(at, node_type):
            return
        for begin in [end for end, _ in self.said(at + 1, ("by", "at"))] if reduced else [at + 1]:
            for end, far in self.things(begin):
                steps = self.lexicon.way(node_type, far.type)
                if len(steps) > 1 and not far.many and far.items:
                    yield end, (self.through(steps, far),)

    def _done_with(
        self, at: int, event: str, to_event: Step, reduced: bool
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """To what or by whom it was done, as conditions on the node that stands for it; of several each may be of another."""
        by = [end for end, _ in self.said(at, ("by",))] if reduced else []
        undergone = (
            to_event.source not in self.lexicon.people or self.lexicon.between(to_event.source, event) is None
        )
        if not reduced:
            by = list(self.perhaps(at, _WAYS))
        elif not by and undergone:  # "trained on X"
            by = [end for end, _ in self.said(at, _WAYS)]
        for begin in by:
            for step in self._onwards(event, to_event, self.word(at) if begin > at and not reduced else ""):
                for end, items in self.joined(begin, step):
                    if all(isinstance(i, Hop | Either | Not) for i in items):
                        yield end, items
            for end, far in self.things(begin):
                way = self.lexicon.way(event, far.type)
                if len(way) > 1 and far.type != to_event.source and not self.vague(far) and not reduced:
                    yield end, (self.through(way, far),)

    def _distinct(self, at: int, event: str, to_event: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """So many different ones that it was done to, or the most: "booked more than three rooms", "trained on the most machines"."""
        for begin in self.perhaps(at, _WAYS):
            said = [(end, pairs) for end, pairs in self.quantity(begin)]
            most = [(end, MOST_OF[phrase]) for end, phrase in self.said(begin, tuple(MOST_OF))]
            for start in dict.fromkeys(end for end, _ in (*said, *most)):
                firsts = self.perhaps(start, ("different", "distinct"))
                for last, far in (found for first in firsts for found in self.things(first, plain=True)):
                    for step in self._onwards(event, to_event, self.word(at) if begin > at else ""):
                        once = self.lexicon.to_one(step) or step.link.over is not None
                        if step.target != far.type or not once or far.one:
                            continue
                        measure = Measure(
                            "VALUES", "", Hop(to_event.action), beyond=Hop(step.action, far.items)
                        )
                        for end, pairs in said:
                            if end == start:
                                yield last, tuple(Compared(measure, op, span) for op, span in pairs)
                        yield from ((last, (Best(up, measure),)) for end, up in most if end == start)

    def _onwards(self, event: str, came: Step, preposition: str) -> Iterator[Step]:
        """The steps from such a node to what else it joins, but for where it came from and for its lines; those that a preposition says."""
        lines = {link.over[0] for link in self.lexicon.shape.links if link.over is not None}
        others = (s for s in self.lexicon.steps(event) if s != self.lexicon.reversed(came))
        steps = [s for s in others if s.target not in lines]
        for step in steps:
            rivals = sum(s.target == step.target for s in steps)
            side, wanted = self.lexicon.side(step), _SIDES.get(preposition, "")
            if (side == wanted and side) or (rivals == 1 and not (side and wanted)):
                yield step

    def subject_of(
        self, at: int, subject: Things, node_type: str, passive: bool = False
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What a subject did with nodes of a type, or what was done to it: "(which products) did Ann order", "(airports that) KLM flies to",
        "(machines that) Ann has been trained on", "(machines that) Ann gave trainings on".
        """
        been = self.word(at) in ("been", *BE)
        passive, verb = passive or been, at + been
        if verb >= self.end:
            return
        told: list[tuple[int, str, Step | None]] = []
        for event in self.lexicon.events(self.word(verb)):
            doer, patient = self._parts(subject.type, event)
            told.append((verb + 1, event, patient if passive else doer))
        for end, event in self.types(verb + 1) if not passive else ():
            came = self._light(self.word(verb), *self._parts(subject.type, event))
            told += (
                [(end, event, came)]
                if self.lexicon.is_event(event) and subject.type in self.lexicon.people
                else []
            )
        for middle, event, to_event in told:
            if to_event is None or event == node_type:
                continue
            for end in self.perhaps(middle, _WAYS):
                if passive and end == middle:
                    continue
                preposition = self.word(middle) if end > middle else ""
                for step in self._onwards(event, to_event, preposition):
                    if step.target == node_type:
                        back = self.lexicon.reversed(step).action
                        hop = Hop(self.lexicon.reversed(to_event).action, subject.items)
                        yield end, (Hop(back, (hop,)),)
                        for date in self.lexicon.dates(event):
                            yield from (
                                (last, (Hop(back, (hop, *tests)),)) for last, tests in self.dated(end, date)
                            )


def _through(to_event: Step, item: Item) -> Item:
    """That such a node there is, or none, of which a condition holds."""
    if isinstance(item, Not):
        return Not(Hop(to_event.action, (item.item,)))
    return Hop(to_event.action, (item,))
