"""Questions for things: lists of them, in an order, some of them, with what they have."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.asked import Asked, counted
from graphtalk.reasoners.phrases.combining import NOTHING
from graphtalk.reasoners.phrases.fields import WHO, Fields
from graphtalk.reasoners.phrases.having import EARNING
from graphtalk.reasoners.phrases.properties import says_came
from graphtalk.reasoners.phrases.relating import is_done_by, limited
from graphtalk.reasoners.phrases.schema_words import is_date, makes
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import LARGEST, THERE, TO_LIST
from graphtalk.reasoners.phrases.words import BE, DO, HAVE, PLACED, STAYING
from graphtalk.reasoners.reader.reading import Best, Column, Hop, Item, Measure, Not, Reading, Span, Test
from graphtalk.reasoners.reader.shape import Held, spoken

_BELONGS = ("belong", "come", "originate", "stem")
_BY = ("by", "based on", "in terms of", "according to", "ranked by", "sorted by", "ordered by")
_CUT = tuple(f"{stop}{verb} the {part}" for stop in (", ", "and ", "? ", ". ", "")
             for verb in ("listing", "list", "showing", "show") for part in ("first", "top"))  # fmt: skip
_OFTEN = {"most": True, "the most": True, "most often": True, "most frequently": True,
          "least": False, "the least": False, "least often": False}  # fmt: skip


_STAYED_LONGEST = tuple(
    f"{has} {been} {longest}"
    for has in ("has", "have")
    for been in (
        "been here",
        "been with us",
        "been with the company",
        "worked here",
        "worked for us",
        "been employed",
        "served",
    )
    for longest in ("the longest", "longest")
)


class Listing(Fields):
    """Reads questions for things and what they have."""

    def listed(self) -> Iterator[Asked]:
        """ "Which engineers work in Berlin", "who earns more than 6000", "list the projects without employees"."""
        for begin in dict.fromkeys((*self.begun(), 0)):
            named = [e for e, _ in self._names_of(begin) if not self._listed_so(e)]
            for at in (begin, *named):
                for start, limit, top in self.limited(at):
                    for things, end in self._listed_things(start, at == begin):
                        if at > begin and not self.lexicon.has_names(things.type):
                            continue
                        first = limit is not None and self.word(start - 2) == "first"
                        if first and self.lexicon.comes_in_order(things.type):  # the earliest, in phrases
                            continue
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
        for begin, _ in self.said(0, ("which", "what", "what are the", "which are the", *TO_LIST)):
            for start in self.perhaps(
                begin,
                ("different", "distinct", "unique", "all the different", "the different", "all", "all the"),
            ):
                for things, held in self.values_of(start):
                    yield self.compiler.columns(things, Column("NODE", held.action))
        for begin, _ in self.said(0, ("whose",)):  # "whose father was a tailor"
            for asked in self.lexicon.people:
                for end, items in self._whose(begin, asked):
                    yield from self._told(end, Things(asked, items), None, False) if self.done(end) else ()
        for begin, asking in self.said(0, ("who", "what")):
            people, types = self.lexicon.people, self.lexicon.shape.types
            does = self.word(begin) not in (*BE, *HAVE)  # "what treats asthma", not "what is in Rome"
            untyped = (
                not people and len(types) == 1 and self.lexicon.may_be_anybody(types[0])
            )  # who does what is somebody, who does not may be anything
            who = people or (types if untyped else ())
            for asked in who if asking == "who" else types:
                clauses = self.clause(begin, asked) if does or asking == "who" else ()
                for end, items in chain(clauses, self._done_by(begin, asked)):
                    if self.done(end) and not (untyped and all(isinstance(i, Not) for i in items)):
                        yield from self._told(end, Things(asked, items), None, False)
                yield from self._extreme(begin, Things(asked)) if asking == "who" else ()
                for middle, told in self.modified(begin, Things(asked)) if asking == "who" else ():
                    for end, items in self.clause(middle, asked):  # "who from Graz works on X"
                        if self.done(end) and middle > begin:
                            yield from self._told(
                                end, replace(told, items=(*told.items, *items)), None, False
                            )

    def met(self) -> Iterator[tuple[Things, bool]]:
        """ "With whom did X write a paper", "with how many people has X written papers in 2004", each with whether their number is asked for."""
        whom = [
            (end, t, False) for end, _ in self.said(0, ("with whom", "whom")) for t in self.lexicon.people
        ]
        for begin, phrase in self.said(
            0, ("with which", "with what", "with how many", "with how many different")
        ):
            whom += [(end, t.type, "many" in phrase) for end, t in self._headed(begin) if not t.items]
        yield from self._worked_with(whom)
        for begin, node_type, counts in whom:
            for end, items in self.with_whom(begin, node_type):
                if self.done(end) or (self.word(end) == "with" and self.done(end + 1)):
                    yield Things(node_type, items, many=True), counts

    def _worked_with(self, whom: Sequence[tuple[int, str, bool]]) -> Iterator[tuple[Things, bool]]:
        """Those of another type that somebody worked with, over the one type that joins them: "with how many authors has a publisher worked"."""
        for begin, node_type, counts in whom:
            for start, _ in self.said(begin, (*DO, *HAVE)):
                for end, subject in self.things(start, plain=True):
                    over = self.lexicon.over(node_type, subject.type) if subject.one else ()
                    if over and self.works(end) and self.done(end + 1):
                        yield Things(node_type, (self.through(over, subject),), many=True), counts

    def _what_else(self) -> Iterator[Asked]:
        """ "What else did the author of X write in the same genre": others of the type of X."""
        for begin, _ in self.said(0, ("what else", "who else")):
            for node_type in self.lexicon.shape.types:
                for end, items in self._done_by(begin, node_type):
                    for after, more in ((end, ()), *self._modifier(end, node_type)):
                        others = self._others(Things(node_type, (*items, *more)))
                        hops = [i for i in others.items if isinstance(i, Hop)] if others is not None else []
                        if others is not None and any(map(self.goes_back, hops)) and self.done(after):
                            yield self.compiler.columns(others, Column("NODE"))

    def _listed_things(self, at: int, asked: bool) -> Iterator[tuple[Things, int]]:
        """A noun phrase, with the verb phrase that may follow it where it is `asked`: "engineers", "engineers work in Berlin"."""
        for begin, _ in self.said(at, ("other",)) if asked else ():  # "which other boats lie where X does"
            for end, head in self._headed(begin):
                for after, items in chain(self.clause(end, head.type), self._done_by(end, head.type)):
                    more = self._others(replace(head, items=(*head.items, *items)))
                    yield from ((more, after),) if more is not None else ()
        one_of = self.words[:2] == ("which", "of")  # "which of the papers do most papers cite" asks for one
        for end, things in self.things(at):
            things = replace(things, many=things.many and not one_of)
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
                for start, order in self.sorted(middle, things.type):
                    best = top or any(isinstance(i, Best) for i in ordered.items)
                    if order is not None and kept is not None and best:
                        continue  # the best of one order in another
                    for end, number, best_of in ((start, kept, top), *self._cut(start)):
                        if not self.idle(end) or (number is not kept and kept is not None):
                            continue
                        yield from self._some(ordered, number, best_of, (Column("NODE"), *columns), order)

    def _some(
        self,
        things: Things,
        number: Span | None,
        top: bool,
        columns: tuple[Column, ...],
        order: Best | None = None,
    ) -> Iterator[Asked]:
        """Columns of nodes, or of so many: of any, or of the best, where it is said what they are best by.

        Where nodes have no names but "Port 1", and a number called so, either may be meant.
        """
        ranked = limited(things, number) if number is not None else None
        best = any(isinstance(i, Best) for i in things.items)
        if not (
            (self.vague(things) and number is None)
            or (top and not best)
            or (best and number is not None and ranked is None)
        ):
            told = ranked or things
            who = self.lexicon.named_by(told.type) if any(c.node == WHO for c in columns) else None
            if who is not None:
                told = replace(told, items=(*told.items, Hop(who.action, name=WHO)))
            alone = self.lexicon.hidden_number(told.type) if columns == (Column("NODE"),) else None
            for shown in (columns, *([(Column("NODE", alone.action),)] if alone is not None else [])):
                kept = None if ranked else number
                yield self.compiler.of(Reading(told.type, told.items, columns=shown, order=order, limit=kept))

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
                    for middle in self.perhaps(start, ("total", "combined", "sum of", "total of")):
                        for end, best_of in self.most_in_all(middle, things.type, True):
                            yield end, replace(things, items=(*things.items, *best_of)), limit
                    for middle, _ in self.said(start, ("number of",)):
                        for end, step, far in self.neighbours(middle, things.type):
                            if not far.one:
                                best = Best(True, Measure("CNT", "", self.hop(step, far)))
                                yield end, replace(things, items=(*things.items, best)), limit

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
            done = self.word(end) == "to" and self.word(end - 1) in ("first", "last", "earliest", "latest")
            if done and not self._dated_by(best, self.word(end + 1)):
                continue  # the first to approve X is not who was hired first
            for after, more in ((end, things), *self.modified(end, things)):
                kept = best if limit is None else replace(best, limit=limit)
                if self.idle(after) and (limit is None or best.limit is None):
                    yield self.compiler.columns(replace(more, items=(*more.items, kept)), Column("NODE"))

    def _dated_by(self, best: Best, verb: str) -> bool:
        """Whether the date that the best are told by is that of what a verb says: `joined_on` of "the first to join"."""
        held = self.lexicon.shape.properties.get(best.measure.held)
        return held is not None and bool(verb) and root(verb) in self.lexicon.date_roots(held)

    def _stayed_longest(self, at: int, node_type: str) -> Iterator[tuple[int, Best]]:
        """ "Has worked here the longest", "has been a member longest"; of several kinds of people only those that are named."""
        began = self.lexicon.joined_on(node_type)
        if began is None:
            return
        others = [
            t for t in self.lexicon.people if t != node_type and any(map(says_came, self.lexicon.held(t)))
        ]
        ends = [end for end, _ in self.said(at, _STAYED_LONGEST) if self.word(0) != "who" or not others]
        for begin, _ in self.said(
            at, tuple(f"{has} been {a}" for has in ("has", "have") for a in ("a", "an"))
        ):
            named = [middle for middle, t in self.types(begin) if t == node_type]
            ends += [end for middle in named for end, _ in self.said(middle, ("the longest", "longest"))]
        yield from ((end, Best(False, Measure("PROPERTY", began.action))) for end in ends)

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
            yield from self._of_the_most(begin, node_type)
        yield from self._in_time(at, node_type, active=True)
        yield from self._stayed_longest(at, node_type)
        for phrase, top in (("the most", True), ("the least", False), ("most", True), ("least", False)):
            spent = self.lexicon.spent(self.word(at), node_type) if at < self.end else None
            for end, _ in self.said(at + 1, (phrase,)):
                if spent is not None and not self.named_at(end):
                    yield end, Best(top, Measure("PROPERTY", spent.action))
            for end, word in self.said(at + 1, ("the longest", "longest", "the shortest")):
                if spent is not None and spent.of:
                    yield end, Best(word.endswith("longest"), Measure("PROPERTY", spent.action))
        for begin, _ in self.said(at, (*HAVE, *EARNING)):
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

    def _of_the_most(self, at: int, node_type: str) -> Iterator[tuple[int, Best]]:
        """ "The author of the most books in the genre of X"."""
        for begin in self.perhaps(at, ("the",)):
            for noun, t in self.types(begin):
                for start, phrase in self.said(noun, ("of the most", "of most", "of the fewest")):
                    for end, far in self.things(start) if t == node_type else ():
                        step = self.lexicon.between(node_type, far.type)
                        if step is not None and not far.one and not self.vague(far):
                            yield (
                                end,
                                Best(phrase != "of the fewest", Measure("CNT", "", self.hop(step, far))),
                            )

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

    def _asked_for(self, at: int) -> Iterator[Things]:
        """What is asked for from a word to the end: a noun phrase, with what is said of it, or what somebody did to it."""
        begins = self.perhaps(at, ("different", "distinct", "unique"))
        for end, things in (found for begin in begins for found in self.things(begin)):
            if things.one:
                continue
            if self.idle(end) and not self.vague(things):
                yield things
            for start, _ in self.said(end, THERE):  # "how many boats are there with an engine"
                told = self.modified(start, things)
                yield from (more for last, more in told if self.idle(last) and last > start)
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
            yield from self._done_by_nobody(start, node_type, passive=False)
            yield from self._done_by_most(start, node_type)
        for start, _ in self.said(at, BE):
            yield from self.owned_by_both(start, node_type)
            yield from self._done_by_nobody(start, node_type, passive=True)
            for end, subject in self.things(start, plain=True):  # "was Ann trained on"
                yield from self.subject_of(end, subject, node_type, passive=True)
                yield from self._role_had(end, subject, node_type)
        for start, auxiliary in self.said(at, (*DO, *BE)):
            for middle, subject in self.things(start):
                told = self._single(subject) or (self._listed_as(subject) and not subject.many)
                steps = self.lexicon.way(node_type, subject.type) if told else ()
                role = self._own_noun(middle, subject) if auxiliary in BE and len(steps) == 1 else ()
                if (
                    any(is_done_by(self.lexicon.said(s.link)) for s in steps)
                    and self.word(middle) == "belong"
                ):
                    continue
                for end in (*self._inverted(middle, auxiliary in DO), *role) if steps else ():
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

    def _role_had(self, at: int, subject: Things, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What somebody has a role to: "(which team is Ann) a member of"."""
        for begin, _ in self.said(at, ("a", "an", "the")) if subject.one else ():
            for end, step in self.roles(begin):
                if (step.source, step.target) == (subject.type, node_type):
                    there = self.hop(self.lexicon.reversed(step), subject)
                    yield from (
                        (last, (there,)) for last, _ in self.said(end, ("of", "to", "for", "at", "in"))
                    )

    def _own_noun(self, at: int, subject: Things) -> Iterator[int]:
        """Where it ends that somebody is what their type is called: "(of how many books is) Ann an author"."""
        for begin, _ in self.said(at, ("a", "an", "the")):
            yield from (end for end, t in self.types(begin) if t == subject.type)

    def _listed_as(self, things: Things) -> bool:
        """Whether nodes are those that are listed by one name or number: the dockets of "the case X" are of one case."""
        tests = [
            self.lexicon.shape.properties[i.held]
            for i in things.items
            if isinstance(i, Test) and i.operator == "EQ"
        ]
        return len(tests) == len(things.items) == 1 and self.lexicon.marks(tests[0])

    def _done_by_none(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What nobody does, or nothing of a type: "nobody calls", "no package depends on"."""
        nobody = [(end, Things("")) for end, _ in self.said(at, NOTHING)]
        none = [found for start, _ in self.said(at, ("no", "no other")) for found in self.things(start)]
        for middle, subject in (*nobody, *none):
            for step in self.lexicon.steps(node_type):
                if not step.out and not subject.one and subject.type in ("", step.target):
                    for end in self._verb(middle, step.link.name):
                        yield end, (Not(Hop(step.action, subject.items)),)
        for start, _ in self.said(at, ("nobody", "no one")):  # "(skills that) nobody has"
            steps = [self.lexicon.between(node_type, people) for people in self.lexicon.people]
            for end, _ in (
                self.said(start, HAVE) if len(steps) == 1 and node_type not in self.lexicon.people else ()
            ):
                yield from ((end, (Not(Hop(step.action)),)) for step in steps if step is not None)

    def _done_by_nobody(
        self, at: int, node_type: str, passive: bool
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What nobody did, of those that people of any type do: "(courses does) nobody take", "(is) nobody enrolled in"."""
        for start, _ in self.said(at, ("nobody", "no one")):
            for people in self.lexicon.people:
                for end, items in self.subject_of(start, Things(people), node_type, passive=passive):
                    if len(items) == 1:
                        yield end, (Not(items[0]),)

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
            places = ("in", "at", "from", "of", "part of", "listed", "listed in", "listed under")
            led = self.word(0) in PLACED  # "who is X" asks for nobody's place
            yield from (end for end in self.perhaps(at, places) if led or end > at)
            if makes(self.word(at)):
                yield from self.perhaps(at + 1, ("in", "at", "by"))
        for end, _ in self.said(at, _BELONGS) if does else ():
            yield from self.perhaps(end, ("to", "from", "in"))

    def _count(self, things: Things) -> Asked:
        return self.compiler.of(counted(things))

    def _aggregate(self, things: Things, kind: str, held: Held) -> Asked:
        return self.compiler.columns(things, Column(kind, held.action))

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
