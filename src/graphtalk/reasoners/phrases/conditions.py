"""What is said of a property's value: numbers compared, times, parts of texts, yes and no."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from graphtalk.language.units import without_unit
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.schema_words import is_date, roots_of
from graphtalk.reasoners.phrases.words import ABOVE, Words
from graphtalk.reasoners.reader.reading import Constant, Item, Mean, Other, Span, Test
from graphtalk.reasoners.reader.shape import Held, spoken

_LED = ("of", "that is", "that was", "which is", "is", "was", "are", "were", "set to", "equal to", "stating")
_MEASURING = frozenset(
    map(root, "measure cover span occupy stretch stand grow rise reach extend run weigh hold last".split())
)
_DEGREES = frozenset("most least more less".split())
_CLAUSES = ("", "that", "which", "that also")
_PARTS = {
    "HAS": ("contain", "include", "mention"),
    "STARTS": ("start with", "begin with"),
    "ENDS": ("end with", "end in"),
}
_WORDED = (
    "the word",
    "the words",
    "the phrase",
    "the term",
    "the text",
    "the letter",
    "the string",
    "the letters",
)


def _inflected(verb: str) -> Iterator[str]:
    """A verb as it may follow a noun: "contains", "that contain", "containing"."""
    first, _, rest = verb.partition(" ")
    doing = {"include": "including", "begin": "beginning"}.get(first, f"{first}ing")
    for clause, form in product(_CLAUSES, (f"{first}s", first)):
        yield f"{clause} {form} {rest}".strip()
    yield f"{doing} {rest}".strip()


_PARTLY = {form: op for op, verbs in _PARTS.items() for verb in verbs for form in _inflected(verb)}

_DURATION = ("duration", "length", "number of days", "time", "duration in days")
_LIFE = ("age at death", "life span", "lifespan", "lifetime")

_THEIR_OWN = ("their", "its", "their own", "its own", "the", "it was", "they were")
_NOT = (
    "is not",
    "was not",
    "are not",
    "isn 't",
    "that is not",
    "which is not",
    "not equal to",
    "is not equal to",
)
_SIGNS = {"negative": "LT", "positive": "GT", "zero": "EQ"}
_AGREES = {
    **dict.fromkeys(("is the same as", "is equal to", "equals", "is identical to", "matches"), "EQ"),
    **dict.fromkeys(("exceeds", "exceed", "exceeded", "is later than", "was later than", "is after", "was after"), "GT"),
    **dict.fromkeys(("is earlier than", "was earlier than", "is before", "was before"), "LT"),
    **dict.fromkeys(("is not the same as", "is not equal to", "is different from", "differs from", "does not match"), "NE"),
}  # fmt: skip
_AGREE = {
    **dict.fromkeys(("are the same", "are equal", "are identical", "match", "agree"), "EQ"),
    **dict.fromkeys(("are not the same", "are not equal", "are different", "differ", "do not match"), "NE"),
}  # fmt: skip
_DUE = frozenset(map(root, "due deadline planned expected scheduled promised target".split()))
_IN_TIME = {"late": "GT", "too late": "GT", "on time": "LE", "in time": "LE", "early": "LT"}


class Conditions(Words):
    """What one question says of values."""

    def quantity(self, at: int, unit: str = "") -> Iterator[tuple[int, tuple[tuple[str, Span], ...]]]:
        """Comparisons with numbers: "more than 3", "between 5 and 9", "over 5 but less than 9"."""
        for end, operator, span in self.compared(at, unit):
            yield end, ((operator, span),)
            for begin, _ in self.said(end, ("and", "but", ", but", "but also")):
                for last, other, second in self.compared(begin, unit):
                    yield last, ((operator, span), (other, second))
        for begin, _ in self.said(at, ("between", "from")):
            for middle, first in self.number(begin):
                for last, second in self.number(middle + 1, unit):
                    if self.word(middle) == ("and" if self.word(at) == "between" else "to"):
                        yield last, (("GE", first), ("LE", second))

    def of_unit(self, at: int, owner: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """An amount whose unit says what is compared: "(tests) between 5 and 12 euros", "(trips) over 2 days"; only where one number has such.

        What is measured may be said after it: "(plants) over 2 metres tall".
        """
        for end, pairs in self.quantity(at):
            dimensions = {unit.dimension for _, span in pairs for unit in self.values[span.index].units}
            found = {h for dimension in dimensions for h in self.lexicon.of_dimension(dimension, owner)}
            tall = [h for h, _ in self.lexicon.measured(self.word(end), owner)] if end < self.end else []
            ends = [(end, found), *([(end + 1, found & set(tall))] if tall else [])]
            for last, held in ends if dimensions else ():
                if len(held) == 1 and not is_date(one := min(held, key=repr)):
                    yield last, tuple(Test(one.action, operator, (span,)) for operator, span in pairs)

    def days(self, at: int) -> Iterator[tuple[int, Held]]:
        """How long something takes, where two dates say it: "duration", "repair time", "length of stay", "age at death"."""
        for held in self.lexicon.durations:
            lived = held.part == "years"
            yield from ((end, held) for end, _ in self.said(at, _LIFE if lived else _DURATION))
            for begin, node_type in self.types(at):
                if node_type == held.owner and not lived:
                    yield from ((end, held) for end, _ in self.said(begin, ("duration", "time", "length")))

    def measuring(self, at: int, owner: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb that says no more than how much something measures: "cover more than 5 hectares", "stand over 2 metres tall"."""
        if self.word(at) and self.roots[at] in _MEASURING:
            yield from self.of_unit(at + 1, owner)

    def said_of_value(self, at: int, held: Held) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A property's value after its noun: "above 5000", "of 30", "that is higher than 5000", "containing 'x'"."""
        for begin in self.perhaps(at, _LED):
            if held.kind == "number":
                for end, pairs in self.quantity(begin, held.name):
                    yield end, tuple(Test(held.action, operator, (span,)) for operator, span in pairs)
                for start, phrase in self.said(begin, tuple(ABOVE)):
                    if ABOVE[phrase] in ("GT", "LT"):
                        yield from self.than_average(start, held, ABOVE[phrase])
                        yield from self.than_own(start, held, ABOVE[phrase])
                for start in self.perhaps(begin, ("exactly", "at exactly")):
                    for end, span in self.number(start, held.name):
                        yield end, (Test(held.action, "EQ", (span,)),)
                        for other, _ in self.said(end, ("or",)):
                            for last, second in self.number(other, held.name):
                                yield last, (Test(held.action, "EQ", (span, second)),)
                for middle, word, more in self.comparative(begin):  # "an age older than 40"
                    ways = [high for h, high in self.lexicon.measured(word, held.owner) if h == held]
                    for start, _ in self.said(middle, ("than",)) if ways else ():
                        for end, span in self.number(start, held.name):
                            yield end, (Test(held.action, "GT" if ways[0] == more else "LT", (span,)),)
            if is_date(held):
                yield from self.dated(begin, held)
            for end, test in self.owned(begin, held.owner, naming=held.naming):
                if test.held == held.action:
                    yield end, (test,)
        for begin, _ in self.said(at, _NOT):
            if held.kind == "number":
                yield from (
                    (end, (Test(held.action, "NE", (span,)),)) for end, span in self.number(begin, held.name)
                )
            for end, test in self.owned(begin, held.owner, naming=held.naming):
                if test.held == held.action:
                    yield end, (replace(test, operator="NE"),)
        yield from self.same_as_own(at, held)
        for begin in self.perhaps(at, _LED) if held.kind == "number" and not is_date(held) else ():
            yield from (
                (end, (Test(held.action, _SIGNS[sign], (Constant(0),)),))
                for end, sign in self.said(begin, tuple(_SIGNS))
            )
        if held.kind == "text":
            for end, test in self.part_of_text(at, held):
                yield end, (test,)

    def part_of_text(self, at: int, held: Held) -> Iterator[tuple[int, Test]]:
        """A text by a part of it in quotes: "containing the word 'x'", "that starts with 'x'"."""
        for begin, phrase in self.said(at, tuple(_PARTLY)):
            for start in self.perhaps(begin, _WORDED):
                for end, index in self.value(start):
                    if self.values[index].kind == "quoted":
                        yield end, Test(held.action, _PARTLY[phrase], (Span(index),))

    def flagged(self, at: int, owner: str) -> Iterator[tuple[int, Held]]:
        """A word that says yes to a property: "public", "dissolved"."""
        for held in self.lexicon.held(owner):
            if held.kind == "boolean":
                yield from ((end, held) for end in self.lexicon.flag(self.roots, at, held))

    def suffered(self, at: int, owner: str) -> Iterator[Held]:
        """A number that a participle says there is some of: "delayed", by `delay_min`, which is 0 of others."""
        graded = at > 0 and self.word(at - 1) in _DEGREES  # the most delayed of all flights
        for held in self.lexicon.held(owner) if self.word(at).endswith("ed") and not graded else ():
            said = without_unit(held.name)
            if len(said) == 1 and root(said[0]) == self.roots[at] and self.lexicon.may_be_none(held):
                yield held

    def than_own(self, at: int, held: Held, operator: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Compared with another property of the same: "(whose stock is below) their reorder level", "(returned after) its due date"."""
        for begin in self.perhaps(at, _THEIR_OWN):
            for end, other in self._own_of_kind(begin, held):
                yield end, (Test(held.action, operator, (Other("", other.action),)),)

    def same_as_own(self, at: int, held: Held) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """How two properties of the same compare: "(whose start) is the same as the end", "(whose cost) exceeds the price", "(whose start) and end
        differ".
        """
        for begin, phrase in self.said(at, tuple(_AGREES)):
            yield from self.than_own(begin, held, _AGREES[phrase])
        for begin in (b for start, _ in self.said(at, ("and",)) for b in self.perhaps(start, _THEIR_OWN)):
            for middle, other in self._own_of_kind(begin, held):
                for end, phrase in self.said(middle, tuple(_AGREE)):
                    yield end, (Test(held.action, _AGREE[phrase], (Other("", other.action),)),)

    def agreeing(self, at: int, owner: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "(With) the same start and end", "(with) a different start and end"."""
        for begin, phrase in self.said(at, ("the same", "different", "a different")):
            for middle, held in self.lexicon.noun(self.roots, begin, owner):
                for start, _ in self.said(middle, ("and", "as")):
                    yield from self.than_own(start, held, "EQ" if phrase == "the same" else "NE")

    def _own_of_kind(self, at: int, held: Held) -> Iterator[tuple[int, Held]]:
        """Another property of the same type and kind, by its name, with or without "level" or "date" behind it."""
        others = [
            h
            for h in self.lexicon.held(held.owner)
            if h != held and h.kind == held.kind and is_date(h) == is_date(held) and not h.of
        ]
        found = [(end, h) for end, h in self.lexicon.noun(self.roots, at, held.owner) if h in others]
        if not found and at < self.end:  # `due_on` is a due date, `reorder_at` a reorder level
            begun = [h for h in others if self.roots[at] == root(spoken(h.name).split()[0])]
            found = [(at + 1, h) for h in begun if len(begun) == 1]
        yield from found
        for end, other in found:
            yield from ((last, other) for last, _ in self.said(end, ("level", "date", "point", "limit")))

    def timely(self, at: int, held: Held) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Whether something was done in time, where one date says when it was due: "(returned) late", "on time", "after its due date"."""
        for begin, word in self.said(at, ("after", "before", "later than", "earlier than")):
            yield from self.than_own(begin, held, "LT" if word in ("before", "earlier than") else "GT")
        due = [h for h in self.lexicon.held(held.owner) if is_date(h) and h != held and roots_of(h) & _DUE]
        for end, word in self.said(at, tuple(_IN_TIME)) if len(due) == 1 and due[0].kind == held.kind else ():
            yield end, (Test(held.action, _IN_TIME[word], (Other("", due[0].action),)),)

    def than_average(self, at: int, held: Held, operator: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Compared with the average of all: "average", "the average", "the average price", "the average part"."""
        if held.kind != "number" or is_date(held):
            return
        for begin, _ in self.said(
            at, ("average", "the average", "the mean", "mean", "an average", "the overall average")
        ):
            named = [end for end, h in self.lexicon.noun(self.roots, begin, held.owner) if h == held]
            named += [end for end, t in self.types(begin) if t == held.owner]
            whole = [
                b for end in named or [begin] for b, _ in self.said(end, ("of all", "of all the", "of the"))
            ]
            named += [end for b in whole for end, t in self.types(b) if t == held.owner]
            for end in (begin, *named):
                yield end, (Test(held.action, operator, (Mean(held.action),)),)

    def than(self, at: int, held: Held, operator: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Compared with the same property of a node by its name."""
        yield from self.than_average(at, held, operator)
        starts = self.perhaps(at, ("the",))
        for end, index in (found for start in starts for found in self.value(start)):
            v = self.values[index]
            naming = self.lexicon.shape.name_of(held.owner)
            if naming in v.owners and not held.edge:
                yield end, (Test(held.action, operator, (Span(index, True),)),)
