"""Questions put to a table: a column by its name, and other columns by their values.

"What is the score for the home team of Essendon", "which nation has a gold of 0 and a bronze smaller than 6", "when Bo Ray is the
coach, how many players were there". A question is covered from left to right: one column is asked for, conditions name a column and
what it has, or a value alone, and in between stands what only joins them: prepositions, forms of "be" and "have", nouns of what any
table has rows of ("the game"), verbs that say no more than that something is so ("took place"). Every word has its place, or there
is no reading; a value that several columns have is of each of them in turn, so that what differs is asked back.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from graphtalk.language.nouns import is_plural, singular, words
from graphtalk.language.people import is_person
from graphtalk.reasoners.around.names import TOKEN, root
from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.columns import Columns
from graphtalk.reasoners.phrases.schema_words import is_date
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import AGGREGATES
from graphtalk.reasoners.phrases.words import BE, DO
from graphtalk.reasoners.reader.reading import Column, Span, Test
from graphtalk.reasoners.reader.shape import Held, spoken

_BE = BE[:4]
_ORDERS = tuple(
    f"{order}{me}"
    for order in ("name", "tell", "list", "give", "show", "find", "state")
    for me in ("", " me")
)
_WH = tuple(
    f"{what}{be}" for what in ("which", "what", "who") for be in ("", *(f" {b}" for b in (*_BE, *DO)))
)
_NUMBER = tuple(
    f"{asks} the {number} of" for asks in (*_WH, *_ORDERS) for number in ("number", "total number", "count")
)
_WORTH = tuple(
    f"{what} {of}"
    for what in ("name", "names", "value", "amount", "figure")
    for of in ("of", "of the", "for", "for the")
)
_ALL = ("the", "all the", "all", "every", "each")
_OVER = AGGREGATES | {
    "most": "MAX", "greatest": "MAX", "biggest": "MAX", "latest": "MAX", "least": "MIN", "fewest": "MIN", "earliest": "MIN",
    "total of the": "SUM", "total of": "SUM", "average of the": "AVG", "average of": "AVG",
}  # fmt: skip
_ARTICLES = ("the", "a", "an", "its", "their")
_IS = (*BE, *"of|being|equal to|is equal to|named|called|=|listed as|that is|that are|which is".split("|"))
_JOINS = frozenset(
    "the a an any its their his her of for in on at from with by as when where while if whose that which who whom and also has have had "
    "having is are was were be been being did do does there it they during against listed shown , 's '".split()
)  # what joins the parts of a question, and says nothing by itself
_CLAUSES = frozenset(
    "with where when while that which who whose has have had having in on at for from , ".split()
)
_HAPPENED = (
    *(f"{verb}{ending}" for verb in ("play", "compete", "occur", "happen") for ending in ("", "s")),
    "played", "playing", "competed", "occurred", "happened", "held", "took place", "take place", "takes place", "taking place",
)  # fmt: skip
_DONE = (*_HAPPENED, "recorded", "located", "based", "situated", "earn", "earned", "belong to", "belongs to",
         "come from", "comes from", "came from")  # fmt: skip
_AGAINST = ("play", "plays", "played", "playing", "against", "versus")
_OPPOSED = frozenset(
    map(root, "opponent opponents opposition opposing opp against away visitor visiting versus rival".split())
)
_SITES = frozenset(map(root, "venue location site stadium arena circuit track city ground".split()))
_CROWDS = frozenset(map(root, "attendance crowd spectators audience".split()))
_ORDER = frozenset(
    map(root, "rank position place round pick game week episode season number no grid draw lane seed".split())
)
_MOST_CELLS = 5  # conditions


@dataclass(frozen=True)
class Wanted:
    """The column that is asked for. `kind`: an aggregate of its cells, COUNT, NUMBER of "the number of", MANY of how many each row has, or
    nothing for the cells.

    `verb`: the place of the word that says which column it is ("when was Ann born"), or -1.
    """

    held: Held
    kind: str = ""
    verb: int = -1


@dataclass(frozen=True)
class _Covered:
    """What the words up to a place say."""

    wanted: Wanted | None = None
    tests: tuple[Test, ...] = ()


class Cells(Columns):
    """Reads questions for cells of a table."""

    def of_rows(self) -> Iterator[Asked]:
        """The column that is asked for, of the rows that the rest of the question tells."""
        for owner in self.lexicon.shape.types:
            for covered in self._covered(owner):
                if covered.wanted is not None and (covered.tests or covered.wanted.kind in ("MAX", "MIN")):
                    yield from self._cells(Things(owner, covered.tests, many=True), covered.wanted)

    def _covered(self, owner: str) -> Iterator[_Covered]:
        """What the whole question says, in each way that has a place for every word."""
        begun = [(at, _Covered()) for at in self.perhaps(0, _WH)]
        seen = set[tuple[int, _Covered]]()
        while begun:
            at, covered = state = begun.pop(0)
            if state in seen:
                continue
            seen.add(state)
            if self.done(at):
                yield covered
            else:
                begun += self._going_on(at, covered, owner)

    def _going_on(self, at: int, covered: _Covered, owner: str) -> Iterator[tuple[int, _Covered]]:
        """Where it may go on after a word, with what is said there."""
        wanted, tests = covered.wanted, covered.tests
        yield from ((end, covered) for end in self._idle(at, wanted, owner))
        for end, found in self._wanted(at, tests, owner) if wanted is None else ():
            if all(test.held != found.held.action for test in tests):
                yield end, replace(covered, wanted=found)
        named = {test.held for test in tests} | ({wanted.held.action} if wanted else set())
        for end, test in self._cell(at, owner) if len(tests) < _MOST_CELLS else ():
            doubtful = (tests and self._of_both(at, tests[-1], owner)) or not self._may_oppose(
                at, test, wanted
            )
            if test.held not in named and not doubtful:
                yield end, replace(covered, tests=(*tests, test))
        for end, held in self._heading(at, owner):
            again = tests and held.action == tests[-1].held  # "Essendon was the home team"
            if again or (held.action not in named and self._of_row(at, end, held, covered)):
                yield end, covered

    def _idle(self, at: int, wanted: Wanted | None, owner: str) -> Iterator[int]:
        """Where words end that say no more than that there are rows, "the game", "took place", or which column is asked for."""
        joins = self.word(at) in _JOINS and (self.lexicon.lone or at + 1 < self.end)
        if joins or (wanted is not None and at == wanted.verb):
            yield at + 1
        if self.lexicon.lone and not self._heading(at, owner):
            moment = self.word(0) in ("when", "where")
            yield from (end for end, _ in self.said(at, _HAPPENED if moment else _DONE))
            if at > 0 and singular(self.word(at)) in words("rows"):
                yield at + 1

    def _of_row(self, at: int, end: int, held: Held, covered: _Covered) -> bool:
        """Whether a column's name is the noun of what rows are of, before anything is said of them: "(the points of) the club that"."""
        wanted = covered.wanted
        kin = wanted is not None and {*spoken(held.name).split()} & {*spoken(wanted.held.name).split()}
        led = self.word(at - 1) in ("the", "a", "an", "any") and self.word(at - 2) not in ("and", ",")
        plain = at > 0 and led and not kin and not covered.tests
        return plain and held.kind == "text" and self.word(end) in _CLAUSES

    def _of_both(self, at: int, before: Test, owner: str) -> bool:
        """Whether a value stands beside another that the same column has: "the home side Kelby and Aldon" is either."""
        values = (*self.cell(at, owner), *self.owned(at, owner, naming=True))
        return self.word(at - 1) in ("and", ",") and any(test.held == before.held for _, test in values)

    def _may_oppose(self, at: int, test: Test, wanted: Wanted | None) -> bool:
        """Whether a column may say whom somebody played, where a value stands after that: "(which home team) played Geelong"."""
        own = {root(w) for w in spoken(self.lexicon.shape.properties[test.held].name).split()}
        asked = {root(w) for w in spoken(wanted.held.name).split()} if wanted is not None else set()
        return self.word(at - 1) not in _AGAINST or bool(own & (_OPPOSED | asked))

    # what is asked for

    def _wanted(self, at: int, tests: tuple[Test, ...], owner: str) -> Iterator[tuple[int, Wanted]]:
        """What is asked for, with the word that asks: "what is the highest crowd", "how many venues"."""
        for begin, _ in self.said(at, (*_WH, *_ORDERS) if at == 0 else _WH):
            for start in self.perhaps(begin, _ALL):
                yield from self._of_columns(start, owner)
        for begin, asks in self.said(at, ("how many", *_NUMBER)):
            for start in self.perhaps(begin, _ALL):
                kind = "COUNT" if asks == "how many" else "NUMBER"
                yield from ((end, Wanted(held, kind)) for end, held in self._heading(start, owner))
        if tests and self.word(0) in ("what", "which", "who"):
            if self.word(at - 1) in ("'s", "'"):  # "what is Iceland's total"
                yield from self._of_columns(at, owner)
            if self.word(1) in DO:  # "what did Taiwan score"
                yield from ((end, Wanted(h)) for end, h in self._heading(at, owner) if self.done(end))
        yield from self._unnamed(at, owner)

    def _of_columns(self, at: int, owner: str) -> Iterator[tuple[int, Wanted]]:
        """A column, or an aggregate of it."""
        for start in self.perhaps(at, _WORTH):
            for end, held in self._heading(start, owner):
                yield from ((last, Wanted(held)) for last in self.perhaps(end, ("number",)))
        for begin, word in self.said(at, tuple(_OVER)):
            for start in self.perhaps(begin, ("number of",)):
                for end, held in self._heading(start, owner):
                    yield from ((last, Wanted(held, _OVER[word])) for last in self.perhaps(end, ("number",)))
        for middle, held in self._heading(at, owner):
            for begin, _ in self.said(middle, tuple(f"{be} the" for be in _BE)):
                for end, word in self.said(begin, tuple(_OVER)):  # "which total is the lowest one that"
                    ends = [last for last, _ in self.said(end, ("one", "number"))]
                    ends += [end] if self.word(end) in _CLAUSES else []
                    yield from ((last, Wanted(held, _OVER[word])) for last in ends)

    def _unnamed(self, at: int, owner: str) -> Iterator[tuple[int, Wanted]]:
        """The column that "who", "when", "where" and "how many people" ask for, where a verb says it, or one alone can be meant."""
        held = self.lexicon.held(owner)
        if self.word(at) == "who" and self.word(at + 1) not in BE:
            doer = [h for h in held if at + 1 < self.end and self.lexicon.names_doer(self.word(at + 1), h)]
            people = [h for h in held if h.kind == "text" and is_person(spoken(h.name))]
            yield from ((at + 1, Wanted(h, "", at + 1)) for h in (doer if len(doer) == 1 else ()))
            yield from ((at + 1, Wanted(h)) for h in (people if len(people) == 1 else ()))
            for begin, _ in self.said(at + 1, _DONE):  # "who played in group 7"
                for start in self.perhaps(begin, ("in", "at")):
                    yield from ((end, Wanted(h)) for end, h in self._heading(start, owner))
        for begin, _ in self.said(at, tuple(f"when {verb}" for verb in (*_BE, *DO))) if at == 0 else ():
            dates = [h for h in held if is_date(h) or spoken(h.name) == "date"]
            for verb in range(begin, self.end):
                named = self.lexicon.happened(self.word(verb), owner)
                if named is not None and self.lexicon.date_roots(named):
                    yield begin, Wanted(named, "", verb)
            if len(dates) == 1 and not self.lexicon.date_roots(dates[0]):
                yield begin, Wanted(dates[0])
        for begin, _ in self.said(at, tuple(f"where {verb}" for verb in (*_BE, *DO))) if at == 0 else ():
            sites = [h for h in held if {root(w) for w in spoken(h.name).split()} & _SITES]
            yield from ((begin, Wanted(h)) for h in (sites if len(sites) == 1 else ()))
        for begin, _ in self.said(at, ("how many people", "how many spectators", "how many fans")):
            crowds = [h for h in held if {root(w) for w in spoken(h.name).split()} & _CROWDS]
            for verb in (v for v in (begin, begin + 1) if self.roots[v : v + 1] == (root("attended"),)):
                kinds = [(h, "MANY" if h.kind == "number" else "") for h in crowds if len(crowds) == 1]
                yield from ((begin, Wanted(h, kind, verb)) for h, kind in kinds)

    # columns

    @cached_property
    def _signed(self) -> dict[str, list[tuple[Held, list[str]]]]:
        """The columns whose names have signs, each with all of its name."""
        found: dict[str, list[tuple[Held, list[str]]]] = {}
        for held in self.lexicon.shape.held:
            tokens = [m.group().casefold() for m in TOKEN.finditer(held.name)]
            if any(t.isalnum() for t in tokens) and not all(t.isalnum() for t in tokens):
                found.setdefault(held.owner, []).append((held, tokens))
        return found

    def _by_signs(self, at: int, owner: str) -> list[tuple[int, Held]]:
        """The columns by names with signs that the question has too, as many as it has: "Points+", "H / A", "% LDS"."""
        found = []
        for held, tokens in self._signed.get(owner, ()):
            end, signs, whole = at, 0, True
            for each in tokens:
                same = self.roots[end : end + 1] == (root(each),) or _sign(self.word(end)) == _sign(each)
                whole &= same or not each.isalnum()
                end, signs = end + same, signs + (same and not each.isalnum())
            if whole:
                found.append((signs, end, held))
        most = max((signs for signs, _, _ in found), default=0)
        return [(end, held) for signs, end, held in found if signs == most]

    def _heading(self, at: int, owner: str) -> list[tuple[int, Held]]:
        """The columns whose names begin at a word, each with where it ends."""
        if (at, owner) not in self._headings:
            self._headings[at, owner] = list(self._named_column(at, owner))
        return self._headings[at, owner]

    @cached_property
    def _headings(self) -> dict[tuple[int, str], list[tuple[int, Held]]]:
        return {}

    def _named_column(self, at: int, owner: str) -> Iterator[tuple[int, Held]]:
        """A column by its name, with the number sign or the unit in brackets that may follow it."""
        signed = self._by_signs(at, owner)
        yield from signed
        if "'s" in self.words[at + 1 : at + 3]:  # "the away team's score"
            middle = self.words.index("'s", at)
            roots = (*self.roots[:middle], *self.roots[middle + 1 :])
            yield from ((end + 1, h) for end, h in self.lexicon.named_so(roots, at, owner) if end > middle)
        exact = [*self.lexicon.named_so(self.roots, at, owner), *signed]
        elsewhere = any(name != owner for _, name in self.types(at))
        for end, held in self.lexicon.noun(self.roots, at, owner):
            if (end, held) in signed or any(stop > end for stop, _ in signed):
                continue
            shorter = [other for stop, other in exact if stop < end and other != held]
            yield from ((end, other) for other in shorter if self.lexicon.lone)
            if shorter and not self.lexicon.lone:
                continue  # of "to par score" either column may be meant
            yield from ((end, other) for other in self._namesakes(held, end - at))
            if elsewhere and (end, held) not in exact:
                continue  # "template ids" are no codes of template types
            if held.naming and self.lexicon.nameless(owner):
                continue
            yield end + (self.word(end) == "#"), held
            if self.word(end) == "(" and ")" in self.words[end : end + 10]:
                close = self.words.index(")", end)
                inside = [w for word in self.words[end + 1 : close] for w in spoken(word).split()]
                if inside and set(inside) <= {"s", "in", *spoken(held.name).split()}:
                    yield close + 1, held

    def _namesakes(self, held: Held, size: int) -> list[Held]:
        """Other columns that so many words name too, as their names differ in brackets alone: heights in metres and in feet."""
        bare = spoken(held.name.partition("(")[0])
        others = [h for h in self.lexicon.held(held.owner) if h != held and "(" in h.name]
        same = "(" in held.name and size == len(bare.split())
        return [h for h in others if same and spoken(h.name.partition("(")[0]) == bare]

    # conditions

    def _cell(self, at: int, owner: str) -> Iterator[tuple[int, Test]]:
        """A condition on one column: "the home team of Essendon", "gold is 0", "12 contestants", "Essendon", "289 as the total"."""
        for noun, held in self._heading(at, owner):
            for start in self._led(noun, held):
                yield from self._worth(start, held)
        yield from self.owned(at, owner, naming=True)
        for end, test in self.cell(at, owner):
            if not set(self.words[at:end]) <= _JOINS and not (end == at + 1 and self.word(at).isdecimal()):
                yield end, test
        years = [h for h in self.lexicon.held(owner) if is_date(h)]
        for end, index in self.value(at) if len(years) == 1 else ():
            if self.is_year(Span(index)):  # "the singles of 2008"
                yield end, Test(years[0].action, "EQ", (Span(index),))
        for end, pairs in self.quantity(at):
            for last, held in self._heading(end, owner):
                if held.kind == "number" and len(pairs) == 1 and not is_date(held):
                    yield last, Test(held.action, pairs[0][0], (pairs[0][1],))
        for end, span in self.number(at + (self.word(at) == "+")):
            begins = [end, *(b for m, _ in self.said(end, ("as", "for")) for b in self.perhaps(m, _ARTICLES))]
            for last, held in (found for begin in begins for found in self._heading(begin, owner)):
                if held.kind == "number" and (not is_date(held) or self.is_year(span)):
                    yield last, Test(held.action, "EQ", (span,))

    def _led(self, at: int, held: Held) -> Iterator[int]:
        """Where the value of a column begins after its name: "venue is the", "league number of", "location, "."""
        begins = list(self.perhaps(at, ("number",))) if held.kind == "number" else [at]
        for begin, leads in product(begins, (_IS, (",", "of ,", "is ,", "are ,", ":"))):
            for middle in self.perhaps(begin, leads):
                yield from self.perhaps(middle, ("the", "a"))

    def _worth(self, at: int, held: Held) -> Iterator[tuple[int, Test]]:
        """What a column has: a text of its own, a number, so much or more, a time."""
        if held.kind == "number":
            plus = at + (self.word(at) == "+")
            yield from ((end, Test(held.action, "EQ", (span,))) for end, span in self.number(plus, held.name))
            for end, pairs in self.quantity(at, held.name):
                if len(pairs) == 1:
                    yield end, Test(held.action, pairs[0][0], (pairs[0][1],))
        for end, test in (*self.owned(at, held.owner, naming=held.naming), *self.cell(at, held.owner)):
            if test.held == held.action:
                yield end, test
        for end, index in self.value(at) if is_date(held) else ():
            if self.is_year(Span(index)):
                yield end, Test(held.action, "EQ", (Span(index),))

    def _cells(self, told: Things, wanted: Wanted) -> Iterator[Asked]:
        """The cells of a column of some rows, how many they are, or one number for all. Where counts and sums differ it is asked back."""
        held, kind = wanted.held, wanted.kind
        number = held.kind == "number" and not is_date(held)
        several = any(map(is_plural, spoken(held.name).split()))  # "points": each row may say how many
        placed = root(spoken(held.name).split()[-1]) in _ORDER
        counts = kind in ("COUNT", "NUMBER")
        if counts and is_date(held) and not {root(w) for w in spoken(held.name).split()} <= set(self.roots):
            return  # "how many played in G-1" asks for no days on which it was `played_on`
        if counts and not self.lexicon.lone and held.kind == "number":
            return  # "how many staff" of firms asks for no firms
        if (counts and not (number and several and kind == "COUNT")) or (kind == "SUM" and number and placed):
            yield self._count(told)
            yield self._aggregate(told, "VALUES", held)
        many = number and (counts or kind == "MANY")
        if not kind or (counts and several and held.kind == "text"):
            yield self.compiler.columns(told, Column("NODE", "" if held.naming else held.action))
        for each in ("SUM", "MAX") if many else () if counts or not kind else (kind,):
            if held.kind == "number" and not (is_date(held) and each in ("AVG", "SUM")):
                yield self._aggregate(told, each, held)


def _sign(token: str) -> str:
    return "-" if token in "–—−" else token
