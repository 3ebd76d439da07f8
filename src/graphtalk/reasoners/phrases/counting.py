"""Questions for how many things there are, how many somebody has, and how many values."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.listing import Listing
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import HOW_MANY
from graphtalk.reasoners.phrases.words import BE, DO, HAVE
from graphtalk.reasoners.reader.reading import Hop
from graphtalk.reasoners.reader.shape import Step

_UNLIKE = ("different", "distinct", "unique")
_HOW_OFTEN = tuple(
    f"{often} {be}" for often in ("how often", "how many times") for be in ("is", "was", "has", "were")
)


class Counting(Listing):
    """Reads questions for numbers of things."""

    def counted(self) -> Iterator[Asked]:
        """ "How many engineers work in Berlin", "the number of books of Ann", "how many patients does Cardiology have"."""
        for begin, _ in self.said(0, _HOW_OFTEN):
            for middle, subject in self.things(begin, plain=True):
                for end, step in self.deed_on(middle, subject.type) if subject.one else ():
                    if self.done(end) and self.once_an_edge(step):
                        back = Hop(self.lexicon.reversed(step).action, subject.items)
                        yield self._count(Things(step.target, (back,)))
                for begin in self.perhaps(middle, ("been", "ever been")) if subject.one else ():
                    for end, items in self.underwent(begin, subject.type):  # "how many times was X inspected"
                        if self.done(end) and len(items) == 1 and isinstance(items[0], Hop):
                            step = self.lexicon.shape.steps[items[0].view]
                            back = Hop(self.lexicon.reversed(step).action, subject.items)
                            yield self._count(Things(step.target, (back, *items[0].items)))
        yield from (self._count(things) for things, counts in self.met() if counts)
        for start, _ in self.said(
            0, [f"{often} {do}" for often in ("how often", "how many times") for do in DO]
        ):
            for middle, doers in self.things(start, plain=True):
                for end, items in self.doing(middle, doers.type, reduced=False) if not doers.one else ():
                    once = all(
                        isinstance(i, Hop) and self.once_an_edge(self.lexicon.shape.steps[i.view])
                        for i in items
                    )
                    if self.done(end) and once:
                        yield self._count(replace(doers, items=(*doers.items, *items)))
        yield from (self._count(things) for things in chain(self._by_how_many(), self._fellows_had()))
        for begin, _ in self.said(0, HOW_MANY):
            yield from map(self._count, self._asked_for(begin))
            for end, things in self.things(begin, plain=True):
                yield from self._owned_count(end, things)
            for end, step in self.roles(begin):
                yield from self._role_count(end, step)
            for first in self.perhaps(begin, _UNLIKE):
                yield from self._values_count(first)

    def _by_how_many(self) -> Iterator[Things]:
        """ "By how many papers is X cited": who did what was done to it."""
        for begin, _ in self.said(0, ("by how many", "by how many different")):
            for middle, doers in self.things(begin, plain=True):
                for start, _ in self.said(middle, BE) if not doers.one else ():
                    for end, subject in self.things(start, plain=True):
                        for last, step in self.deed_on(end, subject.type) if subject.one else ():
                            if self.done(last) and step.target == doers.type:
                                back = Hop(self.lexicon.reversed(step).action, subject.items)
                                yield replace(doers, items=(*doers.items, back))

    def _fellows_had(self) -> Iterator[Things]:
        """ "How many co-authors did X have in 1994"."""
        for begin, _ in self.said(0, HOW_MANY):
            for end, step in (f for at in self.perhaps(begin, _UNLIKE) for f in self.fellow_nouns(at)):
                for start, _ in self.said(end, (*DO, *HAVE)):
                    for middle, other in self.things(start, plain=True):
                        to_it = Hop(self.lexicon.reversed(step).action, other.items)
                        for last in (
                            self.perhaps(middle, HAVE) if other.one and other.type == step.source else ()
                        ):
                            for after, items in ((last, ()), *self.at_what(last, step.target)):
                                if self.done(after):
                                    yield Things(step.source, (Hop(step.action, (*items, to_it)),), many=True)

    def _values_count(self, at: int) -> Iterator[Asked]:
        """How many values: "genres are there", "genres of films from 1990"."""
        yield from (self._aggregate(things, "VALUES", held) for things, held in self.values_of(at))

    def _owned_count(self, at: int, things: Things) -> Iterator[Asked]:
        """How many "does Ann have", "Ann has", "did Ann write"."""
        for begin, verb in chain(((at, ""),), self.said(at, (*DO, *HAVE))):
            for middle, owner in self.things(begin):
                if not (self._single(owner) or self._listed_as(owner)) or things.one:
                    continue
                step = self.lexicon.plain(things.type, owner.type)
                had = self.done(middle) if verb in HAVE else self._has(middle)
                does = bool(verb) and verb not in HAVE and step is not None and self.done(middle + 1)
                if step is not None and (had or (does and self.lexicon.does(self.word(middle), step))):
                    yield self._count(replace(things, items=(*things.items, self.hop(step, owner))))
                for steps in self.lexicon.within(things.type, owner.type) if had else ():
                    yield self._count(replace(things, items=(*things.items, self.through(steps, owner))))

    def _role_count(self, at: int, step: Step) -> Iterator[Asked]:
        """How many of what somebody has by a role: "similar books has X", "board members does Acme have"."""
        for begin, verb in self.said(at, (*DO, *HAVE, "that")):
            for middle, owner in self.things(begin, plain=True):
                after = [end for end, _ in self.said(middle, HAVE)] if verb in (*DO, "that") else [middle]
                ended = any(
                    self.done(last) for end in after for last in self.perhaps(end, ("received", "got", "had"))
                )
                if ended and owner.one and owner.type == step.target:
                    yield self._count(Things(step.source, (Hop(step.action, owner.items),)))
        for begin, _ in self.said(at, ("are listed for", "are there for", "are known for", "are given for")):
            for middle, owner in self.things(begin, plain=True):
                if self.done(middle) and owner.one and owner.type == step.target:
                    yield self._count(Things(step.source, (Hop(step.action, owner.items),)))
