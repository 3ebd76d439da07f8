"""Nodes that stand for what somebody did: orders, flights, visits. A verb that means such a node leads through it.

"Which customers ordered a lamp" asks for customers of an order that has a lamp, "flights from X to Y" for those whose
origin is X and whose destination Y.
"""

from collections.abc import Iterator

from graphtalk.reasoners.phrases.deeds import TOWARDS, Deeds
from graphtalk.reasoners.phrases.lexicon import makes
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.words import BE, DO, HAVE
from graphtalk.reasoners.reader.reading import Either, Hop, Item, Not
from graphtalk.reasoners.reader.shape import Step

_LEAVING = (
    "from", "leaving", "leaving from", "leave", "leave from", "leaves from", "departing", "departing from", "depart from",
    "departs from", "going from", "go from", "goes from", "starting in", "starting from", "start in", "start from", "sent from",
    "coming from", "went from", "travelled from", "departed from", "started in", "started from", "left", "coming in from", "come from", "comes from", "out of",
)  # fmt: skip
_ARRIVING = (
    "to", "into", "going to", "went to", "travelled to", "arrived in", "arrived at", "ended in", "go to", "goes to", "arriving in", "arriving at", "arrive in", "arrive at", "arrives in", "arrives at",
    "landing in", "landing at", "land in", "land at", "bound for", "ending in", "end in", "sent to", "leading to", "lead to",
)  # fmt: skip
_BOUND = (("from", _LEAVING), ("to", _ARRIVING))
_WAYS = (*TOWARDS, "from")
_SIDES = {"from": "from", "to": "to", "into": "to"}


class Events(Deeds):
    """How one question speaks of nodes that stand for deeds."""

    def bound(self, at: int, event: str, most: int = 1) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """From where or to where something goes, by the relations that are called so: "from X", "leaving X", "from X to Y"."""
        for side, phrases in _BOUND:
            for begin, _ in self.said(at, phrases):
                for end, items in self._at_side(begin, event, side):
                    yield end, items
                    if most:
                        yield from (
                            (last, (*items, *more)) for last, more in self.bound(end, event, most - 1)
                        )

    def bound_again(self, at: int, begin: int, event: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A second place after the verb that stood before the first: "(start in Hull) ... in York"."""
        for side, phrases in _BOUND:
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
        if not self.word(at) or self.word(at) in (*BE, *HAVE, *DO):
            return
        for event in self.lexicon.events(self.word(at)):
            to_event = self.lexicon.between(node_type, event)
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
        for begin in [end for end, _ in self.said(at, ("by",))] if reduced else self.perhaps(at, _WAYS):
            for step in self._onwards(event, to_event, self.word(at) if begin > at and not reduced else ""):
                for end, items in self.joined(begin, step):
                    if all(isinstance(i, Hop | Either | Not) for i in items):
                        yield end, items
            for end, far in self.things(begin):
                way = self.lexicon.way(event, far.type)
                if len(way) > 1 and far.type != to_event.source and not self.vague(far) and not reduced:
                    yield end, (self.through(way, far),)

    def _onwards(self, event: str, came: Step, preposition: str) -> Iterator[Step]:
        """The steps from such a node to what else it joins, but for where it came from; those that a preposition says."""
        steps = [s for s in self.lexicon.steps(event) if s != self.lexicon.reversed(came)]
        for step in steps:
            rivals = sum(s.target == step.target for s in steps)
            side, wanted = self.lexicon.side(step), _SIDES.get(preposition, "")
            if (side == wanted and side) or (rivals == 1 and not (side and wanted)):
                yield step

    def subject_of(self, at: int, subject: Things, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What a subject did with nodes of a type: "(which products) did Ann order", "(airports that) KLM flies to"."""
        for event in self.lexicon.events(self.word(at)) if at < self.end else ():
            to_subject = self.lexicon.between(event, subject.type)
            if to_subject is None or event == node_type:
                continue
            for end in self.perhaps(at + 1, _WAYS):
                preposition = self.word(at + 1) if end > at + 1 else ""
                back = self.lexicon.reversed(to_subject)
                for step in self._onwards(event, back, preposition):
                    if step.target == node_type:
                        hop = Hop(to_subject.action, subject.items)
                        yield end, (Hop(self.lexicon.reversed(step).action, (hop,)),)


def _through(to_event: Step, item: Item) -> Item:
    """That such a node there is, or none, of which a condition holds."""
    if isinstance(item, Not):
        return Not(Hop(to_event.action, (item.item,)))
    return Hop(to_event.action, (item,))
