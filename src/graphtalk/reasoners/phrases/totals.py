"""Questions for one number over many rows: what they add up to, how many edges there are at a time, which share of edges."""

from collections.abc import Iterator
from dataclasses import replace

from graphtalk.language.units import units, units_of
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.keys import Keys
from graphtalk.reasoners.phrases.schema_words import deeds_of
from graphtalk.reasoners.phrases.things import Rows, Things, Ways
from graphtalk.reasoners.phrases.whole import SHARE, THERE_AT, WHAT
from graphtalk.reasoners.phrases.words import BE, DO, HAVE, PLACED
from graphtalk.reasoners.reader.reading import Item
from graphtalk.reasoners.reader.shape import Held, spoken

_PUT = ("went", "spent", "put", "invested", "logged", "booked", "charged")
_SPENDING = frozenset(map(root, ("spend", "work", "log", "clock")))
_SUMS = ("in total", "in all", "altogether", "overall", "all together", "in sum", "together", "combined")


class Totals(Keys):
    """Reads questions for totals."""

    def totals(self) -> Iterator[Asked]:
        """ "The total number of tickets", "what did the repairs of Ann's car cost in total", "what share of bookings are paid"."""
        for begin in self.perhaps(0, WHAT):
            for end, kind, held in self.aggregates(begin):
                for after, rows, verb in self.rows_of(end, held):
                    each = [
                        last
                        for start, _ in (
                            self.said(after, ("per", "for each", "for every", "of each"))
                            if kind == "AVG"
                            else ()
                        )
                        for last, node_type in self.types(start)
                        if isinstance(rows, Things) and node_type == rows.type
                    ]  # of "persons per reservation" it is the average of all reservations
                    for asked in (
                        found for end in (after, *each) for found in self.tail(end, rows, None, verb)
                    ):
                        yield self.compiler.total(asked, kind, held)
        for begin, _ in self.said(0, ("how many", "how much")):
            for end, held, owner in self.measures(begin):
                yield from self._summed(end, self.all_rows(owner), held)
        for begin, _ in self.said(
            0, ("how many", "how much")
        ):  # "how many beds do all the clinics have in total"
            for middle, held, owner in self.measures(begin):
                for start, _ in self.said(middle, THERE_AT):  # "are there in the residential zones"
                    for end, things in self.things(start):
                        if things.type == owner and things.many and self.done(end):
                            yield self.compiler.total(things, "SUM", held)
                for start, _ in self.said(middle, ("do", "did")):
                    for end, things in self.things(start):
                        if things.type == owner and things.many and self._has(end):
                            yield self.compiler.total(things, "SUM", held)
                    for end, things in self.several_named(start, "and"):  # together, or each of them?
                        sums = [s for last, _ in self.said(end, HAVE) for s, _ in self.said(last, _SUMS)]
                        if things.type == owner and any(map(self.done, sums)):
                            yield self.compiler.total(things, "SUM", held)
        for begin, _ in self.said(0, ("how much",)):  # "how much did X send"
            for link in self.lexicon.shape.links:
                if (amount := self.lexicon.amount(link.key)) is not None and self.word(begin) in DO:
                    yield from self._summed(begin, self.all_rows(link.key), amount)
        for begin, _ in self.said(0, (*(f"{w} {do}" for w in ("how much", "what") for do in DO),)):
            for end, things in self.things(begin):
                spent = self.lexicon.spent(self.word(end), things.type) if not self.done(end) else None
                for after, _ in self.said(end + 1, _SUMS) if spent is not None and not things.one else ():
                    if self.done(after) and spent is not None:
                        yield self.compiler.total(things, "SUM", spent)
            for end, ways in self.ways(begin):
                key = ways.step.link.key
                spent = self.lexicon.spent(self.word(end), key) if not self.done(end) else None
                for after, _ in self.said(end + 1, _SUMS) if spent is not None else ():
                    if self.done(after) and spent is not None:
                        yield self.compiler.total(ways, "SUM", spent)
        yield from self._edges_counted()
        yield from self._edges_shared()

    def _summed(self, at: int, rows: Rows, held: Held) -> Iterator[Asked]:
        """What rows add up to, after the property: "(tickets) were sold in total", "(kilometres) did Ann drive in total"."""
        subjects = [t.type for begin, _ in self.said(at, DO) for _, t in self.things(begin, plain=True)]
        if any(self._lasts_itself(t, held, u.dimension) for t in subjects for u in units_of(held.name)):
            return  # how long a session takes is not how long the exam of its course does
        found = [(end, r) for end, r, _ in self.rows_of(at, held)]
        if isinstance(rows, Things):
            for begin, _ in self.said(at, DO):
                for end, items in self.owned_phrase(begin, rows.type):
                    found.append((end, replace(rows, items=items)))
                for middle, doer in self.things(begin, plain=True):
                    found += [
                        (end, replace(rows, items=items)) for end, items in self._of_deed(middle, rows, doer)
                    ]
            for begin, _ in self.said(at, (*HAVE, *BE)):
                for middle, thing in self.things(begin, plain=True):  # "has X been booked"
                    for start in self.perhaps(middle, ("been",)):
                        found += [
                            (last, replace(rows, items=items))
                            for end, items in self._of_deed(start, rows, thing)
                            for last in self.perhaps(end, ("for",))
                        ]
        else:
            found += self._of_whom(at, rows, held)
            found += self._put_into(at, rows) if self.adds_up(held) else []
        for end, asked in found:
            alike = isinstance(asked, Ways) and asked.step.source == asked.step.target
            alike |= isinstance(asked, Ways) and bool(asked.source) and bool(asked.target)
            alike |= self.adds_up(held) or bool(units(spoken(held.name).split()[-1]))  # hours are added up
            for after in self.perhaps(end, _SUMS):
                if self.done(after) and (after > end or alike):
                    yield self.compiler.total(asked, "SUM", held)

    def _lasts_itself(self, node_type: str, held: Held, dimension: str) -> bool:
        """Whether nodes of a type have a number of a dimension themselves, where another's is read."""
        return node_type != held.owner and bool(self.lexicon.of_dimension(dimension, node_type))

    def _put_into(self, at: int, ways: Ways) -> list[tuple[int, Ways]]:
        """Edges with what something of theirs was done for: "(hours) were worked on cancelled projects", "went into X"."""
        return [
            (end, replace(ways, target=far.items))
            for begin in self.perhaps(at, BE)
            if self.word(begin)
            and (self.word(begin) in _PUT or self.lexicon.does(self.word(begin), ways.step))
            for start, _ in self.said(begin + 1, ("into", *PLACED))
            for end, far in self.things(start)
            if far.type == ways.step.target != ways.step.source and far.items and not self.vague(far)
        ]

    def _of_deed(self, at: int, rows: Things, thing: Things) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Rows that stand for what a verb says, of one that is joined to them: "(how many hours did Ann) book"."""
        step = self.lexicon.between(rows.type, thing.type)
        deeds = deeds_of(self.called(rows))
        if thing.one and step is not None and self.roots[at : at + 1] and self.roots[at] in deeds:
            yield at + 1, (self.hop(step, thing),)

    def _of_whom(self, at: int, ways: Ways, held: Held | None = None) -> Iterator[tuple[int, Ways]]:
        """Edges with who does what they say: "(kilometres) did Ann drive", "(goals) has Ann scored", "(transfers) did X receive from Y"."""
        for begin, _ in self.said(at, (*DO, *HAVE)):
            for middle, who in self.things(begin, plain=True):
                for key in self._reaching(ways, who.type) if who.one else ():
                    verb = self.word(middle)
                    alike = ways.step.source == ways.step.target
                    known = (not alike and self.made_of(middle, ways, doer=True)) or self.doer_does(
                        verb, ways, key
                    )
                    known |= held is not None and self.lexicon.says_noun(verb, held)
                    known |= verb == "have" and not alike
                    timed = held is not None and any(u.dimension == "time" for u in units_of(held.name))
                    timed &= not alike and middle < self.end and self.roots[middle] in _SPENDING
                    if not (known or timed) or key.steps:
                        continue
                    gives = key.end == "V0"
                    joined = replace(ways, source=who.items) if gives else replace(ways, target=who.items)
                    if known:
                        yield middle + 1, joined
                    for start in self.perhaps(middle + 1, PLACED) if not alike else ():
                        for end, far in self.things(start, plain=True):
                            if (far.one or not far.items) and far.type == (
                                ways.step.link.target if gives else ways.step.link.source
                            ):
                                yield (
                                    end,
                                    replace(joined, target=far.items)
                                    if gives
                                    else replace(joined, source=far.items),
                                )
                    for start, _ in self.said(middle + 1, ("to",) if gives else ("from",)) if alike else ():
                        for end, far in self.things(start, plain=True):
                            if far.one and far.type == who.type:
                                yield (
                                    end,
                                    replace(joined, target=far.items)
                                    if gives
                                    else replace(joined, source=far.items),
                                )

    def _edges_counted(self) -> Iterator[Asked]:
        """ "How many bookings were made between March and June 2023", "how many transfers did X make in May"."""
        for begin, _ in self.said(0, ("how many", "the number of", "what is the number of", "number of")):
            for end, ways in self.ways(begin):
                for last, joined in self._of_whom(end, ways):
                    if self.idle(last):
                        yield self.compiler.edges(joined, [("COUNT", "eV1", None)])
                    for after, dated in self._edges_when(last, joined):
                        if self.idle(after):
                            yield self.compiler.edges(dated, [("COUNT", "eV1", None)])
                for after, dated in self._edges_when(end, ways):
                    if self.idle(after):
                        yield self.compiler.edges(dated, [("COUNT", "eV1", None)])

    def _edges_shared(self) -> Iterator[Asked]:
        """ "What percentage of bookings are paid"."""
        for begin, words in self.said(0, SHARE):
            name = "percentage" if "percent" in words else "share"
            for end, ways in self.ways(begin):
                for last, items in self.clause(end, ways.step.link.key):
                    if self.done(last) and len(items) == 1:
                        yield self.compiler.share_of_edges(ways, items[0], name)
