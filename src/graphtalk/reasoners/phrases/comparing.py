"""Questions that compare two numbers: which is more, whether one is, and by how much."""

from collections.abc import Iterator
from dataclasses import replace

from graphtalk.calls.query import Operator
from graphtalk.language.measures import base_of
from graphtalk.language.relating import tells_deed
from graphtalk.reasoners.phrases.asked import Asked, counted, measured
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import BETWEEN, Whole
from graphtalk.reasoners.phrases.words import BE, DO, HAVE
from graphtalk.reasoners.reader.reading import Best, Column, Hop, Measure, Reading, Span, Test
from graphtalk.reasoners.reader.shape import Held

_MORE_OF = {"long": True, "high": True, "large": True, "big": True, "tall": True, "old": True, "heavy": True, "short": False,
            "low": False, "small": False, "young": False}  # fmt: skip


_THERE_WERE = (
    "did we get",
    "did we have",
    "do we have",
    "are there",
    "were there",
    "have we had",
    "are",
    "were",
)
_GIVES = ("gives", "give", "gave", "produces", "produced", "yields", "yielded")
_DID = ("did", "does", "do", "done")  # who "did more jobs" has more of them by a noun, and by no other deed


class Comparing(Whole):
    """Reads questions that compare."""

    def which_of_two(self) -> Iterator[Asked]:
        """ "Who earns more, Ann or Ben", "which is longer, X or Y", "which has more employees, X or Y"."""
        for head in (1, 2):
            for end, first, second in self._pair("or"):
                if (
                    self.word(0) not in ("who", "which", "what")
                    or first.type != second.type
                    or end < self.end
                ):
                    continue
                if head == 2 and not any(e == 2 and t == first.type for e, t in self.types(1)):
                    continue
                stop = self._pair_at - (1 if self.word(self._pair_at - 1) in (",", ":", "-") else 0)
                for middle, measure, top in self._measured(head, first.type):
                    if middle == stop:
                        held = first.items[0]
                        assert isinstance(held, Test) and isinstance(second.items[0], Test)
                        both = Test(held.held, "EQ", (*held.values, *second.items[0].values))
                        things = Things(first.type, (both, Best(top, measure)))
                        if held.held == second.items[0].held:
                            yield self.compiler.columns(things, Column("NODE"))

    def _pair(self, joined: str) -> Iterator[tuple[int, Things, Things]]:
        """The last two names of the question, joined by a word; where they begin is kept."""
        for at in range(1, self.end):
            for middle, first in self.things(at, plain=True):
                if first.one and self.word(middle) == joined:
                    for end, second in self.things(middle + 1, plain=True):
                        if second.one and second != first:
                            self._pair_at = at
                            yield end, first, second

    def _measured(self, at: int, node_type: str) -> Iterator[tuple[int, Measure, bool]]:
        """What two are compared by: "is older", "earns more", "has more books", "has the higher salary"."""
        for begin, _ in self.said(at, BE):
            for start in self.perhaps(begin, ("the",)):
                for end, word, more in self.comparative(start):
                    for held, high in self.lexicon.measured(word, node_type):
                        yield end, Measure("PROPERTY", held.action), high == more
        spent = self.lexicon.spent(self.word(at), node_type) if at < self.end else None
        for end, word in self.said(at + 1, ("more", "less")):
            if spent is not None:
                yield end, Measure("PROPERTY", spent.action), word == "more"
        for begin in self.perhaps(at, BE):  # "joined earlier", "was founded first"
            happened = self.lexicon.happened(self.word(begin), node_type) if begin < self.end else None
            for end, word in self.said(begin + 1, ("earlier", "later", "first", "last")):
                if happened is not None:
                    yield end, Measure("PROPERTY", happened.action), word in ("later", "last")
        for begin, _ in self.said(at, [f"{verb} been" for verb in HAVE]):  # "has been hired more often"
            done = list(self.deed_on(begin, node_type))
            beside = [self.lexicon.between(node_type, t) for t in self.lexicon.events(self.word(begin))]
            done += [(begin + 1, step) for step in beside if step is not None and len(beside) == 1]
            for middle, deed in done:
                for end, word in self.said(middle, ("more often", "more times", "less often")):
                    yield end, Measure("CNT", "", Hop(deed.action)), word != "less often"
        for begin, _ in self.said(at, (*HAVE, *_GIVES)):
            yield from self._amount(begin, node_type)
        for verb in self.perhaps(at, HAVE):
            for end, word in self.said(verb + 1, ("more", "fewer")):
                for last, things in self.things(end, plain=True):
                    step = self.lexicon.between(node_type, things.type) or self.lexicon.called_so(
                        self.roots[verb], node_type, things.type
                    )
                    does = step is not None and (
                        self.lexicon.does(self.word(verb), step)
                        or (self.word(verb) in _DID and not tells_deed(step.link.name))
                    )
                    if step is not None and not things.one and does:
                        yield last, Measure("CNT", "", Hop(step.action, things.items)), word == "more"

    def _amount(self, at: int, node_type: str) -> Iterator[tuple[int, Measure, bool]]:
        """ "more employees", "a higher salary", "the larger budget"."""
        for begin, word in self.said(at, ("more", "fewer", "less")):
            for end, step, things in self.neighbours(begin, node_type, plain=True):
                if not things.one:
                    yield end, Measure("CNT", "", Hop(step.action, things.items)), word == "more"
            for end, held in self.lexicon.noun(self.roots, begin, node_type):
                if held.kind == "number":
                    yield end, Measure("PROPERTY", held.action), word == "more"
        for begin in self.perhaps(at, ("a", "the")):
            for middle, word, more in self.comparative(begin):
                up = {
                    "high": True,
                    "large": True,
                    "big": True,
                    "great": True,
                    "low": False,
                    "small": False,
                }.get(base_of(word))
                for end, held in self.lexicon.noun(self.roots, middle, node_type):
                    if up is not None and held.kind == "number":
                        yield end, Measure("PROPERTY", held.action), up == more

    def more_than(self) -> Iterator[Asked]:
        """ "Does X have more employees than Y", "are there more books than authors"."""
        for begin, _ in self.said(0, (*DO, *BE, "has")):
            for end, first in self.things(begin, plain=True):
                if not first.one:
                    continue
                for at in {end, end - 1} if self.word(0) in (*BE, "has") else {end}:
                    for middle, measure, top in self._compared_by(at, end, first.type):
                        for last, second in self.things(middle + 1, plain=True):
                            if (
                                self.word(middle) == "than"
                                and self.done(last)
                                and second.one
                                and second.type == first.type
                            ):
                                yield self._more(
                                    measured(first, measure),
                                    measured(second, measure),
                                    top,
                                )
        yield from self._before_or_after()
        yield from self._more_in()
        for begin, word in self.said(
            0, ("are there more", "are there fewer", "is there more", "do we have more", "do we have fewer")
        ):
            for middle, first in self.things(begin):
                seconds = [*self.things(middle + 1), *self._such(middle + 1, first)]
                for last, second in seconds if self.word(middle) == "than" else ():
                    if self.done(last) and not (first.one or second.one):
                        yield self._more(counted(first), counted(second), word.endswith("more"))

    def _such(self, at: int, first: Things) -> Iterator[tuple[int, Things]]:
        """Others that have another value of the one property that the first are told by: "(diesel trains than) electric ones"."""
        for own in first.items if len(first.items) == 1 else ():
            for end, index in self.value(at) if isinstance(own, Test) and own.operator == "EQ" else ():
                if isinstance(own, Test) and own.held in self.values[index].owners:
                    other = replace(first, items=(replace(own, values=(Span(index),)),))
                    yield from ((last, other) for last in self.perhaps(end, ("ones",)))

    def _more_in(self) -> Iterator[Asked]:
        """ "Do more trips start in Hull than in York", "are more films from 1999 than from 2004"."""
        for begin, word in self.said(
            0,
            [
                f"{verb} {more}"
                for verb in (
                    *DO,
                    *BE,
                    "have",
                    "do we have",
                    "are there",
                    "were there",
                    "did we have",
                    "did we get",
                )
                for more in ("more", "fewer")
            ],
        ):
            for end, things in self.things(begin, plain=True):
                for middle, one in self.clause(end, things.type) if not things.one else ():
                    for start, _ in self.said(middle, ("than",)):
                        read = self.clause(start, things.type)
                        for last, other in (*read, *self.again(end, start, things.type)):
                            if self.done(last):
                                pair = (
                                    replace(things, items=(*things.items, *items)) for items in (one, other)
                                )
                                first, second = map(counted, pair)
                                yield self._more(first, second, word.endswith("more"))

    def _before_or_after(self) -> Iterator[Asked]:
        """ "Was X founded before Y", "were X built after Y"."""
        for begin, _ in self.said(0, (*BE, *DO)):
            for end, first in self.things(begin, plain=True):
                happened = (
                    self.lexicon.happened(self.word(end), first.type)
                    if first.one and end < self.end
                    else None
                )
                for middle, word in self.said(end + 1, ("before", "after", "earlier than", "later than")):
                    for last, second in self.things(middle, plain=True):
                        alike = self.done(last) and second.one and second.type == first.type
                        if alike and happened is not None:
                            measure = Measure("PROPERTY", happened.action)
                            above = word in ("after", "later than")
                            yield self._more(measured(first, measure), measured(second, measure), above)

    def _compared_by(self, at: int, end: int, node_type: str) -> Iterator[tuple[int, Measure, bool]]:
        """What stands after the first name: its verb stands there, or before it."""
        if self.word(0) in BE:
            for stop, word, more in self.comparative(end):
                for held, high in self.lexicon.measured(word, node_type):
                    yield stop, Measure("PROPERTY", held.action), high == more
        elif self.word(0) == "has":
            yield from self._amount(end, node_type)
        else:
            yield from self._measured(end, node_type)

    def _more(self, first: Reading, second: Reading, above: bool) -> Asked:
        operator: Operator = ">" if above else "<"
        return self.compiler.more(first, second, operator)

    def differing(self) -> Iterator[Asked]:
        """ "The difference between the salaries of X and Y", "how much older is X than Y", "how many more beds has X than Y"."""
        for start in self.perhaps(0, ("what is", "compute", "calculate")):
            for end, first, second in self._pair("and"):
                if not self.done(end) or first.type != second.type:
                    continue
                for begin in self.perhaps(start, ("the",)):
                    for held in self._difference_in(begin, self._pair_at, first.type):
                        m = Measure("PROPERTY", held.action)
                        yield self.compiler.difference(measured(first, m), measured(second, m), False)
        for begin, _ in self.said(0, ("how much", "how many", "by how much", "by how many")):
            yield from self._exceeding(begin)
            yield from self._larger(begin)
            yield from self._how_much_more(begin)
            yield from self._how_many_more(begin)
            yield from self._how_many_more_so(begin)

    def _exceeding(self, at: int) -> Iterator[Asked]:
        """ "(By how much) does the budget of X exceed that of Y"."""
        for begin, _ in self.said(at, DO):
            for start in self.perhaps(begin, ("the",)):
                for owner in self.lexicon.shape.types:
                    for middle, held in self.lexicon.noun(self.roots, start, owner):
                        for after, _ in self.said(middle, ("of",)) if held.kind == "number" else ():
                            for end, first in self.things(after, plain=True):
                                for of, _ in self.said(end, ("exceed that of", "exceed the one of")):
                                    for last, second in self.things(of, plain=True):
                                        both = first.one and second.one and first.type == second.type == owner
                                        if both and self.done(last):
                                            m = Measure("PROPERTY", held.action)
                                            a, b = measured(first, m), measured(second, m)
                                            yield self.compiler.difference(a, b, True)

    def _larger(self, at: int) -> Iterator[Asked]:
        """ "(How much) larger is the budget of X than that of Y"."""
        for begin, word, more in self.comparative(at):
            size = _MORE_OF.get(base_of(word)) if begin == at + 1 else None
            starts = (s for b, _ in self.said(begin, BE) for s in self.perhaps(b, ("the",)))
            for start in starts if size is not None else ():
                for owner in self.lexicon.shape.types:
                    for middle, held in self.lexicon.noun(self.roots, start, owner):
                        of = [end for end, _ in self.said(middle, ("of",)) if held.kind == "number"]
                        for end, first in (found for begin in of for found in self.things(begin, plain=True)):
                            for last, second in self._than_that(end, held):
                                if first.one and first.type == owner and self.done(last):
                                    m = Measure("PROPERTY", held.action)
                                    a, b = measured(first, m), measured(second, m)
                                    yield self.compiler.difference(
                                        *((a, b) if size == more else (b, a)), True
                                    )

    def _than_that(self, at: int, held: Held) -> Iterator[tuple[int, Things]]:
        """ "Than that of Y", "than the budget of Y": another with the same property."""
        begins = [end for end, _ in self.said(at, ("than that of", "than the one of"))]
        for begin, _ in self.said(at, ("than the", "than")):
            nouns = self.lexicon.noun(self.roots, begin, held.owner)
            begins += [
                end for middle, other in nouns if other == held for end, _ in self.said(middle, ("of",))
            ]
        for begin in begins:
            yield from ((e, t) for e, t in self.things(begin, plain=True) if t.one and t.type == held.owner)

    def _difference_in(self, at: int, stop: int, node_type: str) -> Iterator[Held]:
        """The property whose difference is asked for."""
        for begin, _ in self.said(at, (*BETWEEN, "difference in", "difference of")):
            for start in self.perhaps(begin, ("the",)):
                for end, held in self.lexicon.noun(self.roots, start, node_type):
                    if held.kind == "number" and any(e == stop for e, _ in self.said(end, ("of", "between"))):
                        yield held
        for end, held in self.lexicon.noun(self.roots, at, node_type):
            if held.kind == "number" and any(e == stop for e, _ in self.said(end, BETWEEN)):
                yield held

    def _how_many_more(self, at: int) -> Iterator[Asked]:
        """ "How many more dramas than comedies are there"."""
        for begin, word in self.said(at, ("more", "fewer")):
            for middle, first in self.things(begin):
                for end, second in self.things(middle + 1) if self.word(middle) == "than" else ():
                    if self.idle(end) and not (first.one or second.one):
                        pair = (counted(first), counted(second))
                        yield self.compiler.difference(*(pair if word == "more" else pair[::-1]), True)

    def _how_many_more_so(self, at: int) -> Iterator[Asked]:
        """ "(How many) more trips did we have in 2024 than in 2023", "more trips started in Hull than in York"."""
        for begin, word in self.said(at, ("more", "fewer")):
            for end, things in self.things(begin, plain=True):
                for start in self.perhaps(end, _THERE_WERE) if not things.one else ():
                    for middle, one in self.clause(start, things.type):
                        for than, _ in self.said(middle, ("than",)):
                            read = self.clause(than, things.type)
                            for last, other in (*read, *self.again(start, than, things.type)):
                                if self.done(last) and other != one:
                                    first = counted(replace(things, items=(*things.items, *one)))
                                    second = counted(replace(things, items=(*things.items, *other)))
                                    more, fewer = (first, second) if word == "more" else (second, first)
                                    yield self.compiler.difference(more, fewer, True)

    def _how_much_more(self, at: int) -> Iterator[Asked]:
        """ "older is X than Y", "more does X earn than Y", "more beds does X have than Y"."""
        for owner in self.lexicon.shape.types:
            for middle, measure, top in self._gap(at, owner):
                for end, first in self.things(middle, plain=True):
                    for after in self._verb_of_gap(end, measure, owner):
                        for last, second in self.things(after + 1, plain=True):
                            fit = first.type == second.type == owner and first.one and second.one
                            if self.word(after) == "than" and self.done(last) and fit:
                                a, b = measured(first, measure), measured(second, measure)
                                yield (
                                    self.compiler.difference(a, b, True)
                                    if top
                                    else self.compiler.difference(b, a, True)
                                )

    def _gap(self, at: int, owner: str) -> Iterator[tuple[int, Measure, bool]]:
        for end, word, more in self.comparative(at):
            for held, high in self.lexicon.measured(word, owner):
                if self.word(end) in BE and held.kind == "number":
                    yield end + 1, Measure("PROPERTY", held.action), high == more
        for middle, held in self.lexicon.noun(self.roots, at, owner):  # "hours longer"
            for end, word, more in self.comparative(middle):
                ways = [high for h, high in self.lexicon.measured(word, owner) if h == held]
                up = ways[0] if ways else _MORE_OF.get(base_of(word))  # of founding, who is older has less
                if up is not None and self.word(end) in BE and held.kind == "number":
                    yield end + 1, Measure("PROPERTY", held.action), up == more
        for end, word in self.said(at, ("more", "less")):
            for stop, _ in self.said(end, DO):
                for held in self.lexicon.held(owner):
                    if held.kind == "number":
                        yield stop, Measure("PROPERTY", held.action), word == "more"
        for end, measure, top in self._amount(at, owner):
            for stop, _ in self.said(end, (*DO, *HAVE)):
                yield stop, measure, top

    def _verb_of_gap(self, end: int, measure: Measure, owner: str) -> Iterator[int]:
        """Where the verb of the first name ends: "earn" says the property, "have" says what was named before."""
        named = self.word(1) in ("many",) or self.word(2) == "many" or self.word(end - 1) in HAVE
        if self.word(end) == "than":
            yield end
        elif (self.word(end) == "have" and measure.kind == "CNT") or (self.word(end) == "have" and named):
            yield end + 1
        else:
            spent = self.lexicon.spent(self.word(end), owner) if end < self.end else None
            if spent is not None and spent.action == measure.held:
                yield end + 1
