"""What nodes have: so many neighbours, a neighbour, none, a property compared, the most of all."""

from collections.abc import Iterator

from graphtalk.language.measures import base_of
from graphtalk.language.nouns import singular
from graphtalk.reasoners.phrases.combining import ONLY, exclusive
from graphtalk.reasoners.phrases.events import Events
from graphtalk.reasoners.phrases.relating import MORE_OR_FEWER, MOST_OF
from graphtalk.reasoners.phrases.schema_words import deeds_of, is_date, roots_of
from graphtalk.reasoners.phrases.words import AND, DO, HAVE, PLACED
from graphtalk.reasoners.reader.reading import (
    Best,
    Compared,
    Constant,
    Either,
    Hop,
    Item,
    Measure,
    Not,
    Span,
    Test,
)
from graphtalk.reasoners.reader.shape import Held, spoken

HIGH = {"highest": True, "largest": True, "biggest": True, "greatest": True, "most": True,
        "lowest": False, "smallest": False, "least": False, "fewest": False, "longest": True, "shortest": False}  # fmt: skip
_GOT = ("received", "receive", "receives", "got", "get", "gets", "gained", "attracted", "collected")
EARNING = ("earn", "earns", "get", "gets", "receive", "receives", "charge", "charges")


_ON_RECORD = (
    "recorded",
    "registered",
    "on record",
    "on file",
    "given",
    "listed",
    "noted",
    "known",
    "stated",
    "specified",
)


class Having(Events):
    """What one question says that nodes have."""

    def earning(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb that says no more than "has" before a comparison: "earn a higher wage than X"."""
        for begin, _ in self.said(at, EARNING):
            for start in self.perhaps(begin, ("a", "an")):
                yield from self.having(begin, node_type) if any(self.comparative(start)) else ()
        # "Work fewer than 30 hours per week", "received more than 10 votes".
        for begin, pairs in (
            self.quantity(at + 1) if self.word(at) in ("work", "works", "worked", *_GOT) else ()
        ):
            for end, held in self.lexicon.noun(self.roots, begin, node_type):
                if held.kind == "number" and not is_date(held):
                    yield end, tuple(Test(held.action, operator, (span,)) for operator, span in pairs)

    def had(self, at: int, node_type: str, most: int = 2) -> list[tuple[int, tuple[Item, ...]]]:
        """One thing had or several: "the language 'en' and more than 5000 followers"."""
        return self.once(self._had, at, node_type, most)

    def _had_by_name(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What somebody has by its name, where one relation joins them to such: "(who has) Python", "neither Python nor SQL"."""
        for end, far in self.things(at, plain=True) if node_type in self.lexicon.people else ():
            step = self.lexicon.between(node_type, far.type)
            if step is not None and far.one and far.type not in self.lexicon.people:
                yield end, (self.hop(step, far),)

    def _had(self, at: int, node_type: str, most: int) -> Iterator[tuple[int, tuple[Item, ...]]]:
        for begin, _ in self.said(at, ("both",)) if most else ():
            for end, items in self.had(begin, node_type, most):
                if len(items) > 1:
                    yield end, items
        for end, items in self.having(at, node_type):
            yield end, items
            for begin, _ in self.said(end, (*AND, "but")) if most else ():
                for last, more in self.had(begin, node_type, most - 1):
                    yield last, (*items, *more)

    def having(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What follows "has" or "with": so many neighbours, a neighbour, none, a property compared."""
        yield from self.having_neighbours(at, node_type)
        for begin, _ in self.said(at, ONLY):  # "only paid invoices"
            done = self.having_neighbours(begin, node_type)
            yield from ((end, only) for end, items in done if (only := exclusive(items)))
        yield from self._having_through(at, node_type)
        for begin, word in self.said(at, tuple(MORE_OR_FEWER)):  # "more hours than the average"
            for middle, held in self.lexicon.noun(self.roots, begin, node_type):
                for end, _ in self.said(middle, ("than",)):
                    yield from self.than_average(end, held, MORE_OR_FEWER[word])
                    yield from self.than_own(end, held, MORE_OR_FEWER[word])
        for begin, sign in self.said(at, ("a negative", "negative", "a positive", "positive")):
            for end, held in self.lexicon.noun(self.roots, begin, node_type):  # "a negative score"
                if held.kind == "number" and not is_date(held):
                    beyond = "GT" if sign.endswith("positive") else "LT"
                    yield end, (Test(held.action, beyond, (Constant(0),)),)
        for begin, pairs in self.quantity(at):
            for end, held in self.lexicon.noun(self.roots, begin, node_type):
                if held.kind == "number" and not is_date(held):
                    tests = tuple(Test(held.action, operator, (span,)) for operator, span in pairs)
                    yield end, tests
                    for start, _ in self.said(end, ("but", "and")):  # "more than 20 beds but fewer than 30"
                        for last, op, span in self.compared(start, held.name):
                            yield last, (*tests, Test(held.action, op, (span,)))
        for begin, _ in self.said(at, ("as many", "as much", "exactly as many", "exactly as much")):
            for end, held in self.lexicon.noun(self.roots, begin, node_type):
                for start, _ in (
                    self.said(end, ("as",)) if held.kind == "number" and not is_date(held) else ()
                ):
                    yield from self.like_another(start, held)
            yield from self._as_many(begin, node_type)
        for begin, span in self.number(at):  # "3 floors and up"
            for end, held in self.lexicon.noun(self.roots, begin, node_type):
                if held.kind == "number" and not is_date(held):
                    yield from ((last, (Test(held.action, op, (span,)),)) for last, op in self.or_more(end))
        yield from self.agreeing(at, node_type)
        yield from self._having_most(at, node_type)
        yield from self.edge_had(at, node_type)
        for begin, _ in self.said(at, ("no",)):
            yield from self._lacking(begin, node_type)
        for begin in self.perhaps(at, ("a", "an", "the")):
            for middle, test in self.owned(begin, node_type):  # "a clear sky"
                called = self.lexicon.noun(self.roots, middle, node_type)
                yield from ((end, (test,)) for end, held in called if held.action == test.held)
            for middle, held in self.lexicon.noun(self.roots, begin, node_type):
                yield from self.said_of_value(middle, held)
                led = begin > at or held.kind == "boolean"  # "has remote access"
                if led and self.word(at) != "the" and not held.naming:
                    yield middle, (self.some_of(held),)
            for middle, held in self.flagged(begin, node_type) if begin > at else ():
                yield from ((end, (Test(held.action, "YES"),)) for end, _ in self.said(middle, ("status",)))
            for middle, word, more in self.comparative(begin):
                for end, held in self.lexicon.noun(self.roots, middle, node_type):
                    if base_of(word) in ("high", "large", "big", "great", "low", "small", "long", "short"):
                        up = (base_of(word) in ("high", "large", "big", "great", "long")) == more
                        for after, _ in self.said(end, ("than", "than that of", "than the one of")):
                            yield from self.than(after, held, "GT" if up else "LT")

    def _as_many(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "(As many) books as Ann": others that are joined to so many."""
        for middle, step, far in self.neighbours(at, node_type, plain=True):
            measure = Measure("CNT", "", self.hop(step, far))
            for begin, _ in self.said(middle, ("as",)) if not far.one else ():
                for end, other in self.things(begin, plain=True):
                    spans = self._spans_of(other)
                    if other.type == node_type and len(other.items) == len(spans) == 1:
                        as_many = Compared(measure, "EQ", Span(spans[0].index, than=True))
                        for last in self.perhaps(end, (*DO, *HAVE)):
                            yield last, (as_many, Not(other.items[0]))

    def _having_through(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What follows "has" of what no relation leads to, but a way: "(customers that have) an unpaid invoice", by their orders."""
        for start, denied in ((at, False), *((end, True) for end, _ in self.said(at, ("no",)))):
            for end, far in self.things(start):
                steps = self.lexicon.way(node_type, far.type) if far.type != node_type and not far.one else ()
                if len(steps) > 1 and not self.vague(far) and (far.many or self.word(start) in ("a", "an")):
                    hop = self.through(steps, far)
                    yield end, (Not(hop) if denied else hop,)
        for begin, pairs in self.quantity(at):
            for end, far in self.things(begin):
                steps = self.lexicon.way(node_type, far.type) if far.type != node_type and far.many else ()
                if len(steps) == 2 and not self.vague(far):
                    beyond = Hop(steps[1].action, far.items)
                    measure = Measure("VALUES", "", Hop(steps[0].action), beyond=beyond)
                    yield end, tuple(Compared(measure, op, span) for op, span in pairs)

    def _having_most(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "The highest salary", "the most followers", "the newest creation date"."""
        for start in self.perhaps(at, ("the",)):  # "the second largest area"
            for place, index in self.value(start) if start > at else ():
                for begin, word, top in self.superlative(place) if self.values[index].ordinal else ():
                    for end, held in self.lexicon.noun(self.roots, begin, node_type) if word in HIGH else ():
                        if held.kind == "number":
                            measure = Measure("PROPERTY", held.action)
                            yield end, (Best(HIGH[word] == top, measure, Span(index)),)
        for begin, word, top in self.superlative(at + 1) if self.word(at) == "the" else self.superlative(at):
            for end, held in self.lexicon.noun(self.roots, begin, node_type):
                up = HIGH.get(word)
                if up is None and is_date(held):
                    up = {"new": True, "recent": True, "late": True, "old": False, "early": False}.get(
                        base_of(word)
                    )
                if up is None and held.kind == "number":  # "the sparsest population density"
                    up = next((high for h, high in self.lexicon.measured(word, node_type) if h == held), None)
                if up is not None and held.kind in ("number", "date"):
                    yield end, (Best(up == top, Measure("PROPERTY", held.action)),)
            for end, held in self.lexicon.noun(self.roots, begin - 1, node_type) if word in HIGH else ():
                if held.kind == "number" and end > begin:  # a property that is called "highest elevation"
                    yield end, (Best(HIGH[word], Measure("PROPERTY", held.action)),)
            for held, high in self.lexicon.measured(word, node_type):  # the `hub_height` of "the tallest hub"
                part = self.roots[begin] if begin < self.end else ""
                if held.kind == "number" and part in roots_of(held) - self.lexicon.measures_of(word):
                    yield begin + 1, (Best(high == top, Measure("PROPERTY", held.action)),)
            for start, _ in (
                self.said(begin, ("total", "total of", "sum of", "combined")) if word in HIGH else ()
            ):
                yield from self.most_in_all(start, node_type, HIGH[word])
        for begin, phrase in self.said(at, tuple(MOST_OF)):
            yield from self.most_in_all(begin, node_type, MOST_OF[phrase])
        yield from ((end, (compared,)) for end, compared in self._more_in_all(at, node_type))

    def doing(self, at: int, node_type: str, reduced: bool) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb with what belongs to it; also one that says no more than the noun of a number: "scored the most goals for X"."""
        yield from super().doing(at, node_type, reduced)
        for end, compared in self._more_in_all(at + 1, node_type) if not reduced else ():
            if self._does_so(self.word(at), compared.measure):
                yield end, (compared,)
        for begin, phrase in self.said(at + 1, tuple(MOST_OF)) if not reduced else ():
            for end, items in self.most_in_all(begin, node_type, MOST_OF[phrase]):
                measure = items[0].measure if isinstance(items[0], Best) else None
                hop = measure.path if measure is not None else None
                if measure is None or hop is None or not self._does_so(self.word(at), measure):
                    continue
                yield end, items
                held = self.lexicon.shape.properties[measure.held]
                for start, _ in self.said(end, PLACED) if held.edge else ():
                    for last, far in self.things(start, plain=True):
                        if far.type == self.lexicon.shape.steps[hop.view].target and not self.vague(far):
                            path = Hop(hop.view, far.items)
                            yield last, (Best(MOST_OF[phrase], Measure("SUM", held.action, path)),)

    def most_in_all(self, at: int, node_type: str, up: bool) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """The most of a number that what nodes are joined to has, added up: "(has the most) booked hours", "(the highest total of) hours"."""
        if any(h.kind == "number" for _, h in self.lexicon.noun(self.roots, at, node_type)):
            return
        found = []
        for step in self.lexicon.steps(node_type):
            for owner in (step.target, step.link.key) if step.target != node_type else ():
                deeds = deeds_of(singular(spoken(owner if owner == step.target else step.link.name)))
                for begin in (at, *([at + 1] if self.roots[at : at + 1] and self.roots[at] in deeds else [])):
                    found += [(end, step, h) for end, h in self.lexicon.noun(self.roots, begin, owner)]
        found = [(end, s, h) for end, s, h in found if h.kind == "number" and not is_date(h)]
        if len({(s, h) for _, s, h in found}) == 1 and not self.lexicon.to_one(found[0][1]):
            for end, step, held in found:
                yield end, (Best(up, Measure("SUM", held.action, Hop(step.action))),)

    def _more_in_all(self, at: int, node_type: str) -> Iterator[tuple[int, Compared]]:
        """More of a number, added up, than another has: "(worked) more hours than Ann"."""
        for begin, word in self.said(at, tuple(MORE_OR_FEWER)):
            for middle, (best,) in self.most_in_all(begin, node_type, True):
                if isinstance(best, Best):
                    compared = self.than_another(middle, best.measure, MORE_OR_FEWER[word], node_type)
                    yield from ((end, one) for end, (one,) in compared if isinstance(one, Compared))

    def _does_so(self, verb: str, measure: Measure) -> bool:
        """Whether a verb says no more than what is added up: "scored" of goals, or what edges say whose number it is: "worked" of hours."""
        held = self.lexicon.shape.properties[measure.held]
        step = self.lexicon.shape.steps[measure.path.view] if measure.path is not None else None
        edge = held.edge and step is not None and self.lexicon.does(verb, step)
        return edge or self.lexicon.says_noun(verb, held)

    def _lacking(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Without a neighbour, or without a property."""
        for begin in self.perhaps(at, ("a", "an", "any")):
            for end, step, far in self.neighbours(begin, node_type, plain=True):
                if not far.one:
                    none = (Not(Hop(step.action, far.items)),)
                    yield from ((last, none) for last in (end, *self.said_again(end, none)))
            for end, held in self.lexicon.noun(self.roots, begin, node_type):
                yield from ((last, (self.none_of(held),)) for last in self.perhaps(end, _ON_RECORD))

    def without_having(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Without having a security skill": said of who does something, wherever it stands."""
        for begin, _ in self.said(at, ("without having",)):
            yield from self._lacking(begin, node_type)
            for start in self.perhaps(begin, ("a", "an", "any")):
                for end, items in self.having_neighbours(start, node_type):
                    if len(items) == 1 and isinstance(items[0], Hop):
                        yield end, (Not(items[0]),)

    def _any_of(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Some of what nodes may have, after "neither": "(neither) bands (nor sponsors)"."""
        for end, step, far in self.neighbours(at, node_type, plain=True):
            if far.many and not far.one:
                yield end, (Hop(step.action, far.items),)

    def some_of(self, held: Held) -> Item:
        """That a property is there, is so, or is more than nothing where some have none of it."""
        if self.lexicon.may_be_none(held):
            return Test(held.action, "GT", (Constant(0),))
        return Test(held.action, "YES" if held.kind == "boolean" else "NOTNULL")

    def none_of(self, held: Held) -> Item:
        """That a property is not there, denied, or a number of nothing."""
        if held.kind == "number":
            return Either(Test(held.action, "NULL"), Test(held.action, "EQ", (Constant(0),)))
        return Test(held.action, "NO" if held.kind == "boolean" else "NULL")
