"""Questions for things, for how many there are, for their properties, and whether something is so."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.asked import Asked, counted
from graphtalk.reasoners.phrases.combining import EACH_OTHER, NOTHING
from graphtalk.reasoners.phrases.lexicon import PLACES, is_date, makes
from graphtalk.reasoners.phrases.relating import limited
from graphtalk.reasoners.phrases.staying import stays
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import HOW_MANY, LARGEST, SHARE, WHAT, Whole
from graphtalk.reasoners.phrases.words import BE, DO, HAVE, KEPT, STAYING
from graphtalk.reasoners.reader.reading import Best, Column, Hop, Item, Measure, Not, Reading, Span, Test
from graphtalk.reasoners.reader.shape import Held, Step, spoken

_AT_WHICH = tuple(f"{at} {which}" for at in ("under", "on", "to", "in", "into", "at", "by", "of", "with", "for", "from", "as")
                  for which in ("which", "what", "how many"))  # fmt: skip
_READERS = (
    "readers",
    "people",
    "users",
    "they",
    "you",
    "we",
    "customers",
    "readers put",
    "people put",
    "users put",
)
_HOLD = ("hold", "holds", "contain", "contains", "apply to", "applies to", "go with", "goes with", "stand for", "stands for", "that stands for",
         "that stand for", "stand behind", "stands behind", "are behind", "is behind", "behind", "responsible for", "are responsible for",
         "took part in", "take part in", "worked on", "appear in", "appeared in", "that goes with", "given to", "that belongs to")  # fmt: skip
_BY_WHICH = (*(f"{at} which" for at in ("by", "under", "in", "on", "at", "to", "with")), "that")
_FILED = ("belong", "belongs", "belonged", "go", "goes", "fall", "falls", "stand", "stands", "listed", "filed", "kept", "put", "placed", "known",
          "called", "cited", "sold", "classed", "classified", "found", "have", "has", "list", "lists", "consist", "consists", "bear", "bears", "carry",
          "carries", "appear", "appears")  # fmt: skip
_BELONGS = ("belong", "come", "originate", "stem")
_HOW_OFTEN = tuple(
    f"{often} {be}" for often in ("how often", "how many times") for be in ("is", "was", "has", "were")
)
_BY = ("by", "based on", "in terms of", "according to", "ranked by", "sorted by", "ordered by")
_WITH = tuple(f"{joined} {whose}" for joined in ("and", "with", "along with", "together with", ", along with", ", and")
              for whose in ("their", "its", "their respective"))  # fmt: skip
_CUT = tuple(f"{stop}{verb} the {part}" for stop in (", ", "and ", "? ", ". ", "")
             for verb in ("listing", "list", "showing", "show") for part in ("first", "top"))  # fmt: skip
_PEOPLE_OF = tuple(
    f"how many {people} {there} in"
    for people in ("people", "inhabitants", "residents", "citizens")
    for there in ("live", "reside", "are", "are there", "are living")
)
_OFTEN = {"most": True, "the most": True, "most often": True, "most frequently": True,
          "least": False, "the least": False, "least often": False}  # fmt: skip
_ADDING = {
    "average the": "AVG",
    "average all": "AVG",
    "sum up the": "SUM",
    "add up the": "SUM",
    "sum the": "SUM",
    "total the": "SUM",
}
_EVERY = ("all", "all the", "all of the", "every", "each")


class Listing(Whole):
    """Reads questions for things and what they have."""

    def listed(self) -> Iterator[Asked]:
        """ "Which engineers work in Berlin", "who earns more than 6000", "list the projects without employees"."""
        for begin in dict.fromkeys((*self.begun(), 0)):
            named = [e for e, _ in self._names_of(begin) if not self._listed_so(e)]
            for at in (begin, *named):
                for start, limit, top in self.limited(at):
                    for things, end in self._listed_things(start, at == begin):
                        bare = begin == 0 or self.word(0) == "who"  # "books" alone asks for nothing yet
                        if things.one or (not things.items and bare and limit is None):
                            continue
                        yield from self._told(end, things, limit, top)
                        if limit is not None or not things.many:
                            yield from self._extreme(end, things, limit)
        yield from (
            self.compiler.columns(things, Column("NODE")) for things, counts in self.met() if not counts
        )
        yield from self._what_else()
        for begin, asking in self.said(0, ("who", "what")):
            people, types = self.lexicon.people, self.lexicon.shape.types
            does = self.word(begin) not in (*BE, *HAVE)  # "what treats asthma", not "what is in Rome"
            untyped = (
                not people and len(types) == 1
            )  # who does what is somebody, who does not may be anything
            who = people or (types if untyped else ())
            for asked in who if asking == "who" else types if does else ():
                for end, items in chain(self.clause(begin, asked), self._done_by(begin, asked)):
                    if self.done(end) and not (untyped and all(isinstance(i, Not) for i in items)):
                        yield from self._told(end, Things(asked, items), None, False)
                yield from self._extreme(begin, Things(asked)) if asking == "who" else ()

    def met(self) -> Iterator[tuple[Things, bool]]:
        """ "With whom did X write a paper", "with how many people has X written papers in 2004", each with whether their number is asked for."""
        whom = [
            (end, t, False) for end, _ in self.said(0, ("with whom", "whom")) for t in self.lexicon.people
        ]
        for begin, phrase in self.said(
            0, ("with which", "with what", "with how many", "with how many different")
        ):
            whom += [(end, t.type, "many" in phrase) for end, t in self._headed(begin) if not t.items]
        for begin, node_type, counts in whom:
            for end, items in self.with_whom(begin, node_type):
                if self.done(end) or (self.word(end) == "with" and self.done(end + 1)):
                    yield Things(node_type, items, many=True), counts

    def _what_else(self) -> Iterator[Asked]:
        """ "What else did the author of X write in the same genre": others of the type of X."""
        for begin, _ in self.said(0, ("what else", "who else")):
            for node_type in self.lexicon.shape.types:
                for end, items in self._done_by(begin, node_type):
                    for after, more in ((end, ()), *self._modifier(end, node_type)):
                        others = self._others(Things(node_type, (*items, *more)))
                        back = any(isinstance(i, Hop) and self.goes_back(i) for i in items)
                        if others is not None and back and self.done(after):
                            yield self.compiler.columns(others, Column("NODE"))

    def _listed_things(self, at: int, asked: bool) -> Iterator[tuple[Things, int]]:
        """A noun phrase, with the verb phrase that may follow it where it is `asked`: "engineers", "engineers work in Berlin"."""
        for begin, _ in self.said(at, ("other",)) if asked else ():  # "which other boats lie where X does"
            for end, head in self._headed(begin):
                for after, items in chain(self.clause(end, head.type), self._done_by(end, head.type)):
                    more = self._others(replace(head, items=(*head.items, *items)))
                    yield from ((more, after),) if more is not None else ()
        for end, things in self.things(at):
            yield things, end
            for after, items in (
                chain(self.clause(end, things.type), self._done_by(end, things.type)) if asked else ()
            ):
                more = replace(things, items=(*things.items, *items))
                yield more, after
                yield from (
                    (replace(more, items=(*more.items, *others)), last)
                    for last, others in self.excepting(after, things.type)
                )

    def _told(self, at: int, things: Things, limit: Span | None, top: bool) -> Iterator[Asked]:
        """What is told of nodes: themselves or columns of them too, in an order, some of them."""
        for begin, ordered, kept in ((at, things, limit), *self._ordered(at, things, limit)):
            for middle, columns in ((begin, ()), *self._columns(begin, things.type)):
                for end, number, best_of in ((middle, kept, top), *self._cut(middle)):
                    if not self.idle(end) or (number is not kept and kept is not None):
                        continue
                    yield from self._some(ordered, number, best_of, (Column("NODE"), *columns))

    def _some(
        self, things: Things, number: Span | None, top: bool, columns: tuple[Column, ...]
    ) -> Iterator[Asked]:
        """Columns of nodes, or of so many: of any, or of the best, where it is said what they are best by."""
        ranked = limited(things, number) if number is not None else None
        best = any(isinstance(i, Best) for i in things.items)
        if not (
            (self.vague(things) and number is None)
            or (top and not best)
            or (best and number is not None and ranked is None)
        ):
            told = ranked or things
            yield self.compiler.of(
                Reading(told.type, told.items, columns=columns, limit=None if ranked else number)
            )

    def _ordered(
        self, at: int, things: Things, limit: Span | None
    ) -> Iterator[tuple[int, Things, Span | None]]:
        """ "By number of followers", "based on their price": only with how many of them."""
        for end, ordered, number in self._ordered_by(at, things, limit):
            yield end, ordered, number
            yield from ((last, more, number) for last, more in self.modified(end, ordered))

    def _ordered_by(
        self, at: int, things: Things, limit: Span | None
    ) -> Iterator[tuple[int, Things, Span | None]]:
        for begin, _ in self.said(at, _BY):
            for start in self.perhaps(begin, ("the", "their", "its", "highest")):
                if limit is not None:
                    for end, held in self.lexicon.noun(self.roots, start, things.type):
                        if held.kind == "number" and not is_date(held):
                            best = Best(True, Measure("PROPERTY", held.action))
                            yield end, replace(things, items=(*things.items, best)), limit
                    for middle, _ in self.said(start, ("number of",)):
                        for end, step, far in self.neighbours(middle, things.type):
                            if not far.one:
                                best = Best(True, Measure("CNT", "", self.hop(step, far)))
                                yield end, replace(things, items=(*things.items, best)), limit

    def _columns(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Column, ...]]]:
        """ "And their salaries", "along with its price and colour"."""
        for begin, _ in self.said(at, _WITH):
            yield from self._properties(begin, node_type, 3)

    def _properties(self, at: int, node_type: str, most: int) -> Iterator[tuple[int, tuple[Column, ...]]]:
        for end, held in self.lexicon.noun(self.roots, at, node_type):
            yield end, (Column("NODE", held.action),)
            for begin, _ in self.said(end, ("and", ",", ", and", "and their")) if most else ():
                for last, more in self._properties(begin, node_type, most - 1):
                    yield last, (Column("NODE", held.action), *more)

    def _cut(self, at: int) -> Iterator[tuple[int, Span, bool]]:
        """How many, said last, and whether the best: ", listing the first 5"."""
        for begin, phrase in self.said(at, _CUT):
            for end, index in self.value(begin):
                if self.values[index].kind == "number" and not self.values[index].ordinal:
                    yield end, Span(index), phrase.endswith("top")

    def _names_of(self, at: int) -> Iterator[tuple[int, str]]:
        """ "The names of", "titles of all"."""
        for begin in self.perhaps(at, ("the",)):
            for noun in ("names of", "name of", "titles of"):
                for end, _ in self.said(begin, (noun,)):
                    for start in self.perhaps(end, ("all", "all the", "the")):
                        yield start, noun

    def _listed_so(self, at: int) -> bool:
        """Whether a noun means nodes only by what they are listed by: the name of a case is no docket's number."""
        return any(self.lexicon.marked_types(self.roots, begin) for begin in self.perhaps(at, ("the",)))

    def _extreme(self, at: int, things: Things, limit: Span | None = None) -> Iterator[Asked]:
        """What follows a noun: "is the oldest", "earns the most", "was hired first", "has the second largest budget"."""
        for end, best in self._keeping(at, things.type):
            for after, more in ((end, things), *self.modified(end, things)):
                kept = best if limit is None else replace(best, limit=limit)
                if self.idle(after) and (limit is None or best.limit is None):
                    yield self.compiler.columns(replace(more, items=(*more.items, kept)), Column("NODE"))

    def _keeping(self, at: int, node_type: str) -> Iterator[tuple[int, Best]]:
        """A verb phrase that keeps the best."""
        for begin, _ in self.said(at, BE):
            for middle, deed in self.deed_on(begin, node_type):
                for end, phrase in self.said(middle, tuple(_OFTEN)):
                    yield end, Best(_OFTEN[phrase], Measure("CNT", "", Hop(deed.action)))
            for start in self.perhaps(begin, ("the",)):
                for end, word, top in self.superlative(start):
                    for held, high in self.lexicon.measured(word, node_type):
                        yield end, Best(high == top, Measure("PROPERTY", held.action))
            yield from self._in_time(begin, node_type)
        yield from self._in_time(at, node_type, active=True)
        for phrase, top in (("the most", True), ("the least", False), ("most", True), ("least", False)):
            spent = self.lexicon.spent(self.word(at), node_type) if at < self.end else None
            for end, _ in self.said(at + 1, (phrase,)):
                if spent is not None:
                    yield end, Best(top, Measure("PROPERTY", spent.action))
            for end, word in self.said(at + 1, ("the longest", "longest", "the shortest")):
                if spent is not None and spent.of:
                    yield end, Best(word.endswith("longest"), Measure("PROPERTY", spent.action))
        for begin, _ in self.said(at, HAVE):
            for start, phrase in self.said(begin, tuple(LARGEST)):
                yield from self._most_of_property(start, node_type, LARGEST[phrase], None)
            for start, _ in self.said(begin, ("the",)):
                for middle, index in self.value(start):
                    for end, word in self.said(
                        middle, ("highest", "largest", "biggest", "lowest", "smallest")
                    ):
                        if self.values[index].ordinal:
                            top = word in ("highest", "largest", "biggest")
                            yield from self._most_of_property(end, node_type, top, Span(index))
        for begin in (at, *(end for end, _ in self.said(at, HAVE))):
            for phrase, top in (("the most", True), ("most", True), ("the fewest", False)):
                for start, _ in self.said(begin + 1, (phrase,)):
                    for end, far in self.things(start):
                        step = self.lexicon.between(node_type, far.type)
                        if step is not None and not far.one and self.lexicon.does(self.word(begin), step):
                            yield end, Best(top, Measure("CNT", "", Hop(step.action, far.items)))

    def _in_time(self, at: int, node_type: str, active: bool = False) -> Iterator[tuple[int, Best]]:
        """ "Hired first", "joined most recently": an `active` verb must be the date's own."""
        happened = self.lexicon.happened(self.word(at), node_type) if at < self.end else None
        if happened is None or (active and self.roots[at] not in map(root, spoken(happened.name).split())):
            return
        for end, word in self.said(at + 1, ("first", "last", "earliest", "latest", "most recently")):
            yield end, Best(word not in ("first", "earliest"), Measure("PROPERTY", happened.action))

    def _most_of_property(
        self, at: int, node_type: str, top: bool, place: Span | None
    ) -> Iterator[tuple[int, Best]]:
        for end, held in self.lexicon.noun(self.roots, at, node_type):
            if held.kind in ("number", "date"):
                yield end, Best(top, Measure("PROPERTY", held.action), place)

    def counted(self) -> Iterator[Asked]:
        """ "How many engineers work in Berlin", "the number of books of Ann", "how many patients does Cardiology have"."""
        for begin, _ in self.said(0, _HOW_OFTEN):
            for middle, subject in self.things(begin, plain=True):
                for end, step in self.undergone(middle, subject.type) if subject.one else ():
                    if self.done(end) and self.once_an_edge(step):
                        back = Hop(self.lexicon.reversed(step).action, subject.items)
                        yield self._count(Things(step.target, (back,)))
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
        for begin, _ in self.said(0, HOW_MANY):
            yield from map(self._count, self._asked_for(begin))
            for end, things in self.things(begin, plain=True):
                yield from self._owned_count(end, things)
            for end, step in self.roles(begin):
                yield from self._role_count(end, step)
            for first in self.perhaps(begin, ("different", "distinct", "unique")):
                yield from self._values_count(first)

    def _values_count(self, at: int) -> Iterator[Asked]:
        """How many values: "genres are there", "genres of films from 1990"."""
        if any(self.lexicon.types(self.roots, at)):
            return
        for owner in self.lexicon.shape.types:
            for end, held in self.lexicon.noun(self.roots, at, owner):
                if held.kind != "text" or held.naming or not self.many(end):
                    continue
                if self.idle(end):
                    yield self._aggregate(Things(owner), "VALUES", held)
                for after, _ in self.said(
                    end, ("of", "of the", "of all", "among", "among the", "for", "for the")
                ):
                    for last, things in self.things(after):
                        if things.type == owner and not things.one and self.idle(last):
                            yield self._aggregate(things, "VALUES", held)

    def _asked_for(self, at: int) -> Iterator[Things]:
        """What is asked for from a word to the end: a noun phrase, with what is said of it, or what somebody did to it."""
        begins = self.perhaps(at, ("different", "distinct", "unique"))
        for end, things in (found for begin in begins for found in self.things(begin)):
            if things.one:
                continue
            if self.idle(end) and not self.vague(things):
                yield things
            for after, items in chain(self.clause(end, things.type), self._done_by(end, things.type)):
                if self.idle(after):
                    yield replace(things, items=(*things.items, *items))

    def _done_by(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What somebody did, after its auxiliary: "did Ann direct", "has Ann acted in", "does nobody call"."""
        for start, _ in self.said(at, (*DO, *HAVE)):
            yield from self.owned_phrase(start, node_type)
            yield from self.akin(start, node_type)
        for start, _ in self.said(at, DO):
            yield from self._done_by_none(start, node_type)
            yield from self._done_by_most(start, node_type)
        for start, _ in self.said(at, BE):
            yield from self.owned_by_both(start, node_type)
        for start, auxiliary in self.said(at, (*DO, *BE)):
            for middle, subject in self.things(start):
                steps = self.lexicon.way(node_type, subject.type) if self._single(subject) else ()
                for end in self._inverted(middle, auxiliary in DO) if steps else ():
                    yield end, (self.through(steps, subject),)
                verb = STAYING.get(self.word(middle), "be")
                for stay in (
                    self.stayed(subject.type, verb, node_type) if subject.one and verb != "be" else ()
                ):
                    back = tuple(map(self.lexicon.reversed, reversed(stay)))
                    yield from (
                        (e, (self.through(back, subject),)) for e in self.perhaps(middle + 1, ("in",))
                    )
                for step in self.lexicon.steps(node_type) if subject.one and auxiliary in BE else ():
                    undergone = self.lexicon.undergone(step.link) if step.target == subject.type else ""
                    if undergone and not step.out and self.word(middle) == undergone:
                        after = self.lexicon.said(step.link)[1]
                        for end in self.perhaps(middle + 1, (after,)):
                            yield end, (self.hop(step, subject),)

    def _done_by_none(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What nobody does, or nothing of a type: "nobody calls", "no package depends on"."""
        nobody = [(end, Things("")) for end, _ in self.said(at, NOTHING)]
        none = [found for start, _ in self.said(at, ("no", "no other")) for found in self.things(start)]
        for middle, subject in (*nobody, *none):
            for step in self.lexicon.steps(node_type):
                if not step.out and not subject.one and subject.type in ("", step.target):
                    for end in self._verb(middle, step.link.name):
                        yield end, (Not(Hop(step.action, subject.items)),)

    def _done_by_most(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What most of a type do: "(which of them) do the most papers cite"."""
        for begin, phrase in self.said(at, ("the most", "most", "the fewest")):
            for middle, doers in self.things(begin, plain=True):
                for step in self.lexicon.steps(doers.type) if not doers.one else ():
                    back = self.lexicon.reversed(step)
                    for end, _ in (
                        self._said_by(middle, step, reduced=False) if step.target == node_type else ()
                    ):
                        yield (
                            end,
                            (
                                Best(
                                    phrase != "the fewest", Measure("CNT", "", Hop(back.action, doers.items))
                                ),
                            ),
                        )

    def _inverted(self, at: int, does: bool) -> Iterator[int]:
        """Where it ends that something is in, of, or from what is asked for: "does X belong to", "is X in", "(at which …) is X"."""
        if not does:
            yield from self.perhaps(
                at, ("in", "at", "from", "of", "part of", "listed", "listed in", "listed under")
            )
            if makes(self.word(at)):
                yield from self.perhaps(at + 1, ("in", "at", "by"))
        for end, _ in self.said(at, _BELONGS) if does else ():
            yield from self.perhaps(end, ("to", "from", "in"))

    def _count(self, things: Things) -> Asked:
        return self.compiler.of(counted(things))

    def _owned_count(self, at: int, things: Things) -> Iterator[Asked]:
        """How many "does Ann have", "Ann has", "did Ann write"."""
        for begin, verb in chain(((at, ""),), self.said(at, (*DO, *HAVE))):
            for middle, owner in self.things(begin):
                if not self._single(owner) or things.one:
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

    def properties(self) -> Iterator[Asked]:
        """ "What are the descriptions of streams that ...", "list the prices and years of wines from Mosel"."""
        for begin in dict.fromkeys((*self.begun(), 0)):
            for start in self.perhaps(begin, ("the",)):
                for owner in self.lexicon.shape.types:
                    for middle, columns in self._properties(start, owner, 5):
                        if begin == 0 and len(columns) == 1:
                            continue  # "prices of books" may be a title
                        for after, _ in self.said(middle, ("of", "for", "of all", "of the", "for all")):
                            for first, limit, top in self.limited(after):
                                for end, things in self.things(first):
                                    asked = things.items or limit is not None or things.many
                                    if things.type == owner and asked and not things.one and self.idle(end):
                                        yield from self._some(things, limit, top, columns)

    def valued(self) -> Iterator[Asked]:
        """ "What is the salary of Ann", "Ann's salary", "how old is Ann", "what does Ann earn", "when was Ann hired"."""
        for things, held in chain(self._property_of(), self._measure_of(), self._spent_of(), self._date_of()):
            alone = self._single(things) or any(isinstance(i, Best) for i in things.items)
            if alone and (
                held.kind == "number" or self.word(0) != "how" or self.word(1) not in ("many", "much")
            ):
                yield self.compiler.value(things, held)
        yield from self._place_of()

    def _single(self, things: Things) -> bool:
        """Whether at most one node is told by a name, or by a named one that each relation on the way leads to one from."""
        steps = self.lexicon.shape.steps
        hops = [(steps[i.view], i) for i in things.items if isinstance(i, Hop) and i.view in steps]
        tests = [
            self.lexicon.shape.properties[i.held]
            for i in things.items
            if isinstance(i, Test) and i.operator == "EQ"
        ]
        return (
            things.one
            or any(held.naming for held in tests)
            or any(
                self.lexicon.to_one(self.lexicon.reversed(step))
                and (self._names_one(hop) or self._single(Things(step.target, hop.items)))
                for step, hop in hops
            )
        )

    def _property_of(self) -> Iterator[tuple[Things, Held]]:
        asked = self.perhaps(0, (*WHAT, "which", "what", "how many", "how much"))
        for begin in dict.fromkeys((*asked, *self.begun())):
            for start in self.perhaps(begin, ("the",)):
                for owner in self.lexicon.shape.types:
                    for middle, held in self.lexicon.noun(self.roots, start, owner):
                        for after, _ in self.said(middle, ("of", "for", "in")):
                            yield from self._ended_things(after, held)
                        for after, verb in self.said(middle, (*HAVE, *DO)):
                            for end, things in self.things(after):
                                had = self.done(end) if verb in HAVE else self._has(end)
                                if had and things.type == owner:
                                    yield things, held
                        for end, things in self.things(middle, plain=True):
                            if self._has(end) and things.type == owner and begin > 0:
                                yield things, held
            for middle, things in self.things(begin):
                for after, _ in self.said(middle, ("'s", "'")):
                    for end, held in self.lexicon.noun(self.roots, after, things.type):
                        if self.done(end):
                            yield things, held
        yield from self._linked_property()

    def _linked_property(self) -> Iterator[tuple[Things, Held]]:
        """ "Under which number is X filed", "to which firm does X belong", "on which shelves do readers put X", "the number that X goes by"."""
        for begin in dict.fromkeys((*self.perhaps(0, (*_AT_WHICH, "which", "what")), *self.begun())):
            for owner in self.lexicon.shape.types:
                starts = self.perhaps(begin, ("the",))
                for middle, held in (
                    found for at in starts for found in self.lexicon.noun(self.roots, at, owner)
                ):
                    for after, verb in self.said(middle, (*BE, *DO, *HAVE)):
                        for start in self.perhaps(after, _READERS):
                            verbs = [start, *((start + 1,) if start > after else ())]
                            for at in verbs:
                                yield from self._filed(at, held, verb not in DO or at > start)
                    for after, _ in self.said(middle, _HOLD):
                        yield from self._ended_things(after, held)
                    for after, _ in self.said(middle, _BY_WHICH):
                        yield from self._filed(after, held, False)

    def _filed(self, at: int, held: Held, alone: bool) -> Iterator[tuple[Things, Held]]:
        """What has a property, and a verb that says no more: "(on which shelves do readers put) X", "(to which firm does) X belong"."""
        for end, things in self.things(at):
            if things.type != held.owner:
                continue
            ends = [end] if alone else []
            for middle in self.perhaps(end, BE):
                ends += [
                    last
                    for v, _ in self.said(middle, (*_FILED, *self._staying(held)))
                    for last in self.perhaps(v, ("to", "by", "in", "on", "into", "under", "of", "with", "at"))
                ]
                ends += (
                    [middle + 1]
                    if self.word(middle) and self.roots[middle] in map(root, spoken(held.name).split())
                    else []
                )
            yield from ((things, held) for last in ends if self.done(last))

    def _staying(self, held: Held) -> list[str]:
        """The verbs of being somewhere that a property says the place of: "live" of a village."""
        return [v for v, kind in STAYING.items() if kind != "be" and stays(kind, spoken(held.name).split())]

    def _ended_things(self, at: int, held: Held) -> Iterator[tuple[Things, Held]]:
        for end, things in self.things(at):
            if self.done(end) and things.type == held.owner:
                yield things, held

    def _measure_of(self) -> Iterator[tuple[Things, Held]]:
        """ "How old is Ann", "how long the film is"."""
        for begin, _ in self.said(0, ("how",)):
            for middle, straight in ((begin + 2, self.word(begin + 1) in BE), (begin + 1, False)):
                for end, things in self.things(middle):
                    ends = self.done(end) if straight else self.done(end + 1) and self.word(end) in BE
                    if ends and self.word(begin) not in ("much", "many"):
                        for held, _ in self.lexicon.measured(self.word(begin), things.type):
                            yield things, held

    def _spent_of(self) -> Iterator[tuple[Things, Held]]:
        """ "How much does Ann earn", "what the book costs", "how many people live in Rome"."""
        for begin, _ in self.said(0, _PEOPLE_OF):
            for end, things in self.things(begin):
                held = self.lexicon.spent("population", things.type)
                if (
                    held is not None
                    and root("population") in map(root, spoken(held.name).split())
                    and self.idle(end)
                ):
                    yield things, held
        for begin, _ in self.said(0, ("how much", "what", "how much money", "how many days", "how long")):
            for middle, straight in ((begin + 1, self.word(begin) in DO), (begin, False)):
                for end, things in self.things(middle) if straight or begin == middle else ():
                    if self.done(end + 1) and (straight or self.word(end).endswith("s")):
                        held = self.lexicon.spent(self.word(end), things.type)
                        if held is not None and bool(held.of) == (self.word(1) in ("many", "long")):
                            yield things, held

    def _date_of(self) -> Iterator[tuple[Things, Held]]:
        """ "When was Ann hired", "in which year the book was published", "when was the last visit of Ann"."""
        for begin, _ in self.said(0, ("when was", "when is", "when were", "on which date was", "when did")):
            for end, things in self.things(begin):
                for best in things.items if self.idle(end) else ():
                    by = (
                        self.lexicon.shape.properties.get(best.measure.held)
                        if isinstance(best, Best)
                        else None
                    )
                    if by is not None and by.kind == "date":
                        yield things, by
        for begin, _ in self.said(0, ("when", "in which year", "in what year", "what year", "since when")):
            for middle, straight in ((begin + 1, self.word(begin) in (*BE, *DO)), (begin, False)):
                for end, things in self.things(middle):
                    verb = end if straight else end + 1
                    if self.done(verb + 1) and (straight or self.word(end) in BE):
                        held = self.lexicon.happened(self.word(verb), things.type)
                        daily = self.word(begin) in ("do", "does")  # no year answers when a shop opens
                        if held is not None and not (daily and held.kind == "number"):
                            yield things, held

    def _place_of(self) -> Iterator[Asked]:
        """ "Where does Ann live", "where Ann works": the property, or the neighbour, that is the place of that."""
        for begin, _ in self.said(0, ("where is", "where are")):
            for end, things in self.things(begin, plain=True):
                steps = [
                    s
                    for s in self.lexicon.steps(things.type)
                    if s.out
                    and (self.lexicon.says_where(s.link, PLACES) or self.lexicon.undergone(s.link) in KEPT)
                ]
                told = any(map(self.done, self.perhaps(end, (*KEPT, "situated", "found"))))
                if things.one and told and len(steps) == 1:
                    yield self._at_end(steps[0], things)
        for begin, _ in self.said(0, ("where was", "where were", "where is", "where are")):
            for end, things in self.things(begin, plain=True):
                for step in self.lexicon.steps(things.type) if self.done(end + 1) and things.one else ():
                    if step.out and self.lexicon.begins(self.word(end), step):
                        yield self._at_end(step, things)
        for begin, _ in self.said(0, ("where does", "where do", "where did", "where")):
            for end, things in self.things(begin, plain=True):
                verb = STAYING.get(self.word(end), "be")
                if not things.one or verb == "be" or not self.done(end + 1):
                    continue
                for held in self.lexicon.held(things.type):
                    if held.kind == "text" and stays(verb, [held.name]):
                        yield self.compiler.value(things, held)
                for step in self.lexicon.steps(things.type):
                    if self.lexicon.is_noun_of(step) and stays(verb, [step.link.name, step.target]):
                        yield self._at_end(step, things)

    def _at_end(self, step: Step, things: Things) -> Asked:
        """The nodes that a relation leads to."""
        back = replace(step, out=not step.out)
        return self.compiler.columns(Things(step.target, (Hop(back.action, things.items),)), Column("NODE"))

    def aggregated(self) -> Iterator[Asked]:
        """ "The average price of novels", "what is the highest salary in Marketing"."""
        for _, kind, held, end in self._aggregates(0):
            for after, _ in self.said(end, ("of", "for", "of all", "of the")):
                for last, things in self.things(after):
                    if self.done(last) and things.type == held.owner and not things.one:
                        yield self._aggregate(things, kind, held)
            for last, things in self.modified(end, Things(held.owner)):
                if self.done(last) and self.word(end) not in ("of", "for"):
                    yield self._aggregate(things, kind, held)
        for begin, order in self.said(0, tuple(_ADDING)):
            for owner in self.lexicon.shape.types:
                for middle, held in self.lexicon.noun(self.roots, begin, owner):
                    for after, _ in (
                        self.said(middle, ("of", "of all", "for")) if held.kind == "number" else ()
                    ):
                        for end, things in self.things(after):
                            if self.done(end) and things.type == owner and not things.one:
                                yield self._aggregate(things, _ADDING[order], held)
        for begin, _ in self.said(0, tuple(f"how much {do}" for do in DO)):
            for end, things in self.things(begin):
                spent = self.lexicon.spent(self.word(end), things.type) if end < self.end else None
                for last, _ in self.said(end + 1, ("on average",)):
                    if spent is not None and self.done(last) and not things.one:
                        yield self._aggregate(things, "AVG", spent)

    def _aggregate(self, things: Things, kind: str, held: Held) -> Asked:
        return self.compiler.columns(things, Column(kind, held.action))

    def shared(self) -> Iterator[Asked]:
        """ "What percentage of employees work in Berlin", "the share of films that are dramas", "... of the thrillers are German"."""
        for begin, words in self.said(0, SHARE):
            name = "percentage" if "percent" in words else "share"
            for end, things in self.things(begin):
                if self.done(end) and things.items and not things.one:
                    yield self.compiler.share(counted(things), counted(Things(things.type)), name)
            for end, things in self.things(begin):
                for after, items in self.clause(end, things.type):
                    if self.done(after) and not things.one and not self.vague(things):
                        part = replace(things, items=(*things.items, *items))
                        yield self.compiler.share(counted(part), counted(things), name)

    def whether(self) -> Iterator[Asked]:
        """ "Is Ann older than Ben", "does Ann work in Berlin", "is there a novel with more than 500 pages"."""
        for begin, verb in self.said(0, (*BE, *DO, "has", "tell me whether")):
            for end, things in self.things(begin, plain=True):
                if not things.one:
                    continue
                for after, items in self._predicated(end, verb, things):
                    if self.done(after):
                        asked = replace(things, items=(*things.items, *items))
                        yield self.compiler.of(Reading(asked.type, asked.items, "ASK"))
        yield from self._mutually()
        for begin, verb in self.said(0, [f"{verb} any" for verb in (*BE, *DO, *HAVE)]):
            for end, things in self.things(begin, plain=True):
                for after, items in self._predicated(end, verb.split()[0], things) if not things.one else ():
                    if self.done(after):
                        yield self.compiler.of(Reading(things.type, (*things.items, *items), "ASK"))
        for begin, verb in self.said(0, [f"{verb} {all_}" for verb in (*BE, *DO, *HAVE) for all_ in _EVERY]):
            for end, things in self.things(begin):
                for after, items in self._predicated(end, verb.split()[0], things) if not things.one else ():
                    if self.done(after) and len(items) == 1 and not isinstance(items[0], Best):
                        yield self.compiler.none(replace(things, items=(*things.items, Not(items[0]))))
        for begin, _ in self.said(0, ("is there", "are there")):
            for end, things in self.things(begin):
                if self.done(end) and not things.one:
                    yield self.compiler.of(Reading(things.type, things.items, "ASK"))

    def _mutually(self) -> Iterator[Asked]:
        """ "Do Ann and Ben follow each other", "are X and Y married to each other"."""
        for begin, verb in self.said(0, (*BE, *DO)):
            for middle, first in self.things(begin, plain=True):
                for start, _ in self.said(middle, ("and",)) if first.one else ():
                    for end, second in self.things(start, plain=True):
                        if not second.one or second.type != first.type:
                            continue
                        for after, items in self._predicated(end, verb, first):
                            hop = items[0]
                            if (
                                self.done(after)
                                and isinstance(hop, Hop)
                                and any(e == after for e, _ in self.said(after - 2, EACH_OTHER))
                            ):
                                both = self.mutual(self.lexicon.shape.steps[hop.view], "", second.items)
                                asked = (*first.items, *both)
                                yield self.compiler.of(Reading(first.type, asked, "ASK"))

    def _predicated(self, at: int, verb: str, things: Things) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What is asked of a node: the verb stands before it."""
        if verb in BE:
            yield from self.predicate(at, things.type)
            yield from self.placed(at, things.type, "be")
            yield from self.doing(at, things.type, reduced=True)
        elif verb == "tell me whether":
            yield from self.clause(at, things.type)
        elif verb in DO:
            yield from self.doing(at, things.type, reduced=False)
            for begin, _ in self.said(at, ("have",)):
                yield from self.having(begin, things.type)
        else:
            yield from self.having(at, things.type)
            yield from self.doing(at, things.type, reduced=False)
