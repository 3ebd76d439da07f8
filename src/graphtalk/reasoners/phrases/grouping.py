"""Questions for a number or the best of each group, and for the group that has the most."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import AGGREGATES, EACH, LARGEST, THERE, WHAT, Whole
from graphtalk.reasoners.phrases.words import DO, HAVE
from graphtalk.reasoners.reader.reading import Best, Column, Hop, Measure
from graphtalk.reasoners.reader.shape import Held

_MOST = {"the most": True, "most": True, "the fewest": False, "the least": False, "fewest": False}
_WITH_NUMBER = ("the most", "the largest number of", "the highest number of", "the greatest number of")
_WITH_FEWEST = ("the fewest", "the least", "the smallest number of", "the lowest number of")

GroupAt: TypeAlias = Callable[[int], Iterable[tuple[int, int]]]
"""What a question is grouped by, if it says so at a word: where the noun of the group ends, and where it stands."""


class Grouping(Whole):
    """Reads questions about groups."""

    def grouped(self) -> Iterator[Asked]:
        """ "How many employees per department", "average salary by office", "for each department the oldest employee"."""
        for begin, noun, stop in self._before():
            yield from self._in_groups(begin, lambda at, n=noun, s=stop: ((s, n),) if self.done(at) else ())  # type: ignore[misc]
        yield from self._in_groups(0, self._after)

    def _before(self) -> Iterator[tuple[int, int, int]]:
        """A group named first, "for each department, ...": where the rest begins, where its noun stands and ends."""
        for begin, _ in self.said(0, ("for each", "for every", "per", "in each", "in every", "by")):
            for stop in (begin + 1, begin + 2):
                for end in self.perhaps(stop, (",",)):
                    yield end, begin, stop

    def _after(self, at: int) -> Iterator[tuple[int, int]]:
        """A group named last: where its noun ends and stands."""
        for begin, _ in self.said(at, EACH):
            if begin < self.end:
                yield self.end, begin

    def _in_groups(self, at: int, group_at: GroupAt) -> Iterator[Asked]:
        for begin, _ in chain(
            ((at, ""),),
            self.said(
                at,
                (
                    "how many",
                    "the number of",
                    "number of",
                    "what is the number of",
                    "count of",
                    "count the",
                    "count",
                    "show the number of",
                ),
            ),
        ):
            if begin > at:
                for end, things in self.things(begin, plain=True):
                    for after in (*self.perhaps(end, THERE), *self._idle(end)):
                        for node in self._groups(after, group_at, things.type):
                            yield from self._count_of(things, node)
                    for middle, _ in self.said(end, (*DO, *HAVE)):
                        for start, _ in self.said(middle, ("each", "every")):
                            yield from self._count_did(start, things)
        for _, kind, held, end in self._aggregates(at):
            for after, things in ((end, Things(held.owner)), *self._of_things(end, held)):
                for node in self._groups(after, group_at, held.owner):
                    yield from self._aggregate_of(things, kind, held, node)
        yield from self._best_of(at, group_at)

    def _idle(self, end: int) -> Iterator[int]:
        """After "work" and "are": "how many employees work in each office"."""
        if self.word(end) in ("work", "are", "live", "belong"):
            yield end + 1

    def _groups(self, at: int, group_at: GroupAt, owner: str) -> Iterator[Hop | Held]:
        """What is grouped by: a type, as the hop from it to what is counted, or a property of that."""
        for stop, noun in group_at(at):
            for end, found in self._group(noun, owner):
                if end == stop:
                    yield found

    def _group(self, at: int, owner: str) -> Iterator[tuple[int, Hop | Held]]:
        for end, node_type in self.lexicon.types(self.roots, at):
            step = self.lexicon.between(node_type, owner)
            if step is not None:
                yield end, Hop(step.action)
        for end, held in self.lexicon.noun(self.roots, at, owner):
            if not held.naming:
                yield end, held

    def _count_of(self, things: Things, group: Hop | Held) -> Iterator[Asked]:
        if isinstance(group, Hop):
            source = self.lexicon.shape.steps[group.view].source
            yield self.compiler.columns(
                Things(source), Column("NODE"), Column("CNT", "", replace(group, items=things.items))
            )
        else:
            yield self.compiler.columns(things, Column("NODE", group.action), Column("COUNT"))

    def _count_did(self, at: int, things: Things) -> Iterator[Asked]:
        """ "how many books does each author have", "... did each author write"."""
        for end, found in self._group(at, things.type):
            if isinstance(found, Hop):
                step = self.lexicon.shape.steps[found.view]
                if self._has(end) or (self.done(end + 1) and self.lexicon.does(self.word(end), step)):
                    yield from self._count_of(things, found)
            elif self._has(end):
                yield from self._count_of(things, found)

    def _aggregate_of(self, things: Things, kind: str, held: Held, group: Hop | Held) -> Iterator[Asked]:
        if isinstance(group, Hop):
            source = self.lexicon.shape.steps[group.view].source
            path = replace(group, items=things.items)
            yield self.compiler.columns(Things(source), Column("NODE"), Column(kind, held.action, path))
        elif group != held:
            yield self.compiler.columns(things, Column("NODE", group.action), Column(kind, held.action))

    def _best_of(self, at: int, group_at: GroupAt) -> Iterator[Asked]:
        """The best of each group: "who is the oldest patient in each ward"."""
        for begin in self.perhaps(at, (*WHAT, "who is", "who are", "which is", "who was")):
            for start in self.perhaps(begin, ("the",)):
                for end, things in self._headed(start):
                    bests = [i for i in things.items if isinstance(i, Best)]
                    if len(bests) != 1 or bests[0].limit is not None:
                        continue
                    rest = replace(things, items=tuple(i for i in things.items if i is not bests[0]))
                    ranked_by = self.lexicon.shape.properties[bests[0].measure.held]
                    for group in self._groups(end, group_at, things.type):
                        if group == ranked_by:
                            continue
                        hop = group if isinstance(group, Hop) else None
                        column = Column("NODE", "" if isinstance(group, Hop) else group.action)
                        yield self.compiler.best_of_each(column, hop, rest, ranked_by, bests[0].top)

    def most(self) -> Iterator[Asked]:
        """ "Which department has the most employees", "... the highest average salary", "which author wrote the most books"."""
        for begin, _ in self.said(0, ("which", "what")):
            for end, group in self.lexicon.types(self.roots, begin):
                for middle, _ in self.said(end, HAVE):
                    yield from self._most_of(middle, group)
                for start, phrase in self.said(end + 1, tuple(_MOST)):
                    for last, things in self.things(start):
                        step = self.lexicon.between(group, things.type)
                        if things.one:
                            continue
                        if step is not None and self.done(last) and self.lexicon.does(self.word(end), step):
                            yield self._most(
                                group, Measure("CNT", "", Hop(step.action, things.items)), _MOST[phrase]
                            )
            for owner in self.lexicon.shape.types:
                for end, held in self.lexicon.noun(self.roots, begin, owner):
                    for middle, _ in self.said(end, HAVE):
                        yield from self._highest_average(middle, owner, held)
                        for start, phrase in self.said(middle, (*_WITH_NUMBER, *_WITH_FEWEST)):
                            for last, things in self.things(start):
                                if (
                                    self.done(last)
                                    and things.type == owner
                                    and not things.one
                                    and held.kind == "text"
                                ):
                                    yield self.compiler.most_common(things, held, phrase in _WITH_NUMBER)

    def _highest_average(self, at: int, owner: str, group: Held) -> Iterator[Asked]:
        """ "The highest average rating": the value whose nodes have it."""
        for start, phrase in self.said(at, tuple(LARGEST)):
            for middle, _ in self.said(start, ("average", "mean")):
                for end, held in self.lexicon.noun(self.roots, middle, owner):
                    if held.kind == "number" and group.kind == "text" and held != group and self.done(end):
                        yield self.compiler.most_common(Things(owner), group, LARGEST[phrase], held)

    def medians(self) -> Iterator[Asked]:
        """ "The median price of novels"."""
        for begin in self.perhaps(0, WHAT):
            for start, _ in self.said(begin, ("the median", "median")):
                for owner in self.lexicon.shape.types:
                    for end, held in self.lexicon.noun(self.roots, start, owner):
                        for last, things in self._of_things(end, held) if held.kind == "number" else ():
                            for after, more in ((last, things), *self.modified(last, things)):
                                if self.done(after):
                                    yield self.compiler.median(more, held)

    def averages(self) -> Iterator[Asked]:
        """ "The average number of actors per film": of all films, and of those that have any."""
        for begin in self.perhaps(0, WHAT):
            for start, _ in self.said(
                begin, ("the average number of", "average number of", "the mean number of")
            ):
                for stop in range(start + 1, self.end):
                    for node, _ in self.said(stop, EACH):
                        for end, group in self.lexicon.types(self.roots, node):
                            for last, step, far in self.neighbours(start, group):
                                if last == stop and self.done(end) and not far.one:
                                    hop = self.hop(step, far)
                                    yield self.compiler.average_count(Things(group), hop, False)
                                    yield self.compiler.average_count(Things(group), hop, True)

    def _most(self, group: str, measure: Measure, top: bool) -> Asked:
        return self.compiler.columns(Things(group, (Best(top, measure),)), Column("NODE"))

    def _most_of(self, at: int, group: str) -> Iterator[Asked]:
        for start, phrase in self.said(at, (*_WITH_NUMBER, *_WITH_FEWEST)):
            for end, things in self.things(start):
                step = self.lexicon.between(group, things.type)
                if step is not None and self.done(end) and not things.one:
                    yield self._most(
                        group, Measure("CNT", "", Hop(step.action, things.items)), phrase in _WITH_NUMBER
                    )
        for start, phrase in self.said(at, tuple(LARGEST)):
            for middle, word in self.said(start, ("average", "mean", "total", "combined")):
                for step in self.lexicon.steps(group):
                    for end, held in self.lexicon.noun(self.roots, middle, step.target):
                        alone = self.lexicon.between(group, step.target) is not None
                        ends = (end, *(e for e, t in self._of_things(end, held) if not t.items))
                        if alone and held.kind == "number" and any(map(self.done, ends)):
                            measure = Measure(AGGREGATES[word], held.action, Hop(step.action))
                            yield self._most(group, measure, LARGEST[phrase])
