"""What is said of nodes: "works in Berlin", "is not older than 50", "has more than 3 books", "written by Ann"."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphtalk.language.dictionary import is_bare, verb_done
from graphtalk.language.english import thesaurus
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.combining import any_of_list
from graphtalk.reasoners.phrases.deeds import TAKING
from graphtalk.reasoners.phrases.having import Having
from graphtalk.reasoners.phrases.relating import UNIVERSAL
from graphtalk.reasoners.phrases.schema_words import is_date, makes
from graphtalk.reasoners.phrases.staying import ON_TASKS, stays
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.words import AND, BE, DO, HAPPENED, HAVE, PLACED, STAYING, WE
from graphtalk.reasoners.reader.reading import (
    Best,
    Compared,
    Constant,
    Either,
    Hop,
    Item,
    Mean,
    Measure,
    Not,
    Span,
    Test,
)
from graphtalk.reasoners.reader.shape import Step, spoken

_NEGATED = frozenset((*DO, *HAVE, "don", "doesn", "didn", "never"))
_FURTHER = (*AND, "and also", "but", ", but", "but also", "and that", "and who", "and which")
MOST_OFTEN = (
    "most often",
    "most frequently",
    "more often than the others",
    "more often than any other",
    "more often than all others",
)
_FOUND = ("are there", "is there", "are found", "is found", "can be found", "exist", "exists")
_NOWHERE = tuple(
    f"{no} {a}"
    for at in ("in", "at", "on", "part of", "assigned to")
    for no, a in ((f"not {at}", "any"), (f"not {at}", "a"), (at, "no"))
)
_UNDERWENT = tuple(
    f"{have}{went}"
    for have in ("", "have ", "has ", "had ")
    for went in (
        *("went through", "gone through", "go through", "goes through", "underwent", "undergone", "undergo"),
        *("received", "receive", "got"),
    )
)
_MARKED_AS = tuple(
    f"{marked}{as_}"
    for marked in (
        "flagged",
        "marked",
        "labelled",
        "labeled",
        "tagged",
        "classified",
        "classed",
        "registered",
        "considered",
        "listed",
    )
    for as_ in (" as", " as a", " as an", "")
)
_BEEN = ("have been", "has been", "had been")
_BEING_SO = frozenset(
    map(root, "work working get got receive know knew hold held carry offer provide include do did".split())
)
_MADE_AS = frozenset(map(root, "series model make brand product design version breed variant".split()))
_OF_VALUES = ("of", "in", "on", "at")
_DEFINITE = ("the", "all", "any", "some", "those", "that", "our")
_WITHIN = ("of", "in", "within", "from", "at", "with")


class VerbPhrases(Having):
    """The verb phrases of one question."""

    @abstractmethod
    def _nearer(self, at: int, end: int, things: Things) -> bool:
        """Whether what follows may be said of the noun right before it too: then it is said of that one."""

    def clause(self, at: int, node_type: str, most: int = 3) -> list[tuple[int, tuple[Item, ...]]]:
        """What is said of nodes of a type, once or more: "works in Berlin and is not older than 50"."""
        return self.once(self._clause, at, node_type, most)

    def _clause(self, at: int, node_type: str, most: int) -> Iterator[tuple[int, tuple[Item, ...]]]:
        for end, items in self._verb_phrase(at, node_type):
            yield end, items
            verb = STAYING.get(self.word(at), "be")
            for last, more in (
                self.placed(end, node_type, verb) if self.word(at) in (*BE, *STAYING) and most else ()
            ):  # "is in zone 2 of the second hall"
                told = Things(node_type, items)
                if not self._nearer(end, last, told) and not self.bare_roles(told):
                    yield last, (*items, *more)
            yield from ((last, (*items, *none)) for last, none in self.without_having(end, node_type))
            for begin, joint in self.said(end, _FURTHER) if most else ():
                for last, more in (
                    *self.clause(begin, node_type, most - 1),
                    *self._also(at, begin, node_type),
                ):
                    if joint == "," and any(isinstance(i, Either) for i in more):
                        yield from ((last, listed) for listed in any_of_list(items, more))
                    else:
                        yield last, (*items, *more)
        yield from self.neither_of(at, lambda begin: self._verb_phrase(begin, node_type))
        if most:
            read = list(self._verb_phrase(at, node_type))
            yield from self._nor(at, read, node_type)
            yield from self.either_of(
                read, lambda begin: (*self.clause(begin, node_type, 0), *self.again(at, begin, node_type))
            )

    def _nor(
        self, at: int, read: Sequence[tuple[int, tuple[Item, ...]]], node_type: str
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A second verb of one "not": "have never played or made a record"; who "does not play or sings" may sing, what "is not in X or has Y" may have it."""
        for end, items in read if self.word(at) in _NEGATED else ():
            denied = len(items) == 1 and isinstance(items[0], Not)
            for begin, _ in self.said(end, ("or", ", or")) if denied else ():
                word = self.word(begin)
                same = is_bare(word) if self.word(at) not in (*HAVE, "never") else not is_bare(word)
                own = word in (*BE, *HAVE, *DO, "not", "never", *PLACED)
                for last, other in self.clause(begin, node_type, 0) if same and not own else ():
                    if len(other) == 1 and isinstance(other[0], Hop | Test):
                        yield last, (*items, Not(other[0]))

    def again(self, at: int, begin: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A second place or value of the same verb: "are in Berlin or in Rome", "is a drama or a comedy"."""
        yield from self.placed(begin, node_type, STAYING.get(self.word(at), "be"))
        yield from self.predicate(begin, node_type) if self.word(at) in BE else ()
        yield from self.bound_again(at, begin, node_type)

    def _also(self, at: int, begin: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A second place of the same verb: "works in Engineering and in Berlin"; denied: "but not in Berlin"."""
        verb = STAYING.get(self.word(at), "be")
        yield from self.placed(begin, node_type, verb)
        if self.word(at) in TAKING:
            yield from self.taking_part(begin, node_type)
        for middle, _ in self.said(begin, ("not",)):
            told = self.predicate(middle, node_type) if self.word(at) in BE else ()
            for end, items in (*self.placed(middle, node_type, verb), *told):
                if len(items) == 1:
                    yield end, (Not(items[0]),)

    def _verb_phrase(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        for begin, positive in self._denied(at):
            for end, items in self._said_of(begin, node_type):
                if positive:
                    yield end, items
                elif len(items) == 1:
                    yield end, (Not(items[0]),)

    def _denied(self, at: int) -> Iterator[tuple[int, bool]]:
        """Where a verb phrase goes on after its negation, if it has one; the word "to be" stays to be read."""
        yield at, True
        for middle, _ in self.said(at, DO):
            for end, _ in self.said(middle, ("not",)):
                yield end, False
        yield from ((end, False) for end, _ in self.said(at, ("never",)))
        for end, _ in self.said(at, ("don 't", "doesn 't", "didn 't")):
            yield end, False

    def _said_of(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        yield from self._by_version(at, node_type)
        for begin, _ in self.said(at, _FOUND):
            yield from self.placed(begin, node_type, "be")
        yield from self._flag_verb(at, node_type)
        for begin, _ in self.said(at, _UNDERWENT):  # "that went through a treatment"
            for end, items in self.having_neighbours(begin, node_type):
                if all(isinstance(i, Hop) and self._is_deed(i) for i in items):
                    yield end, items
        for begin, _ in self.said(at, WE):  # "did we hire in 2019"
            happened = self.lexicon.happened(self.word(begin), node_type) if self.word(begin) else None
            if happened is not None and self.roots[begin] in self.lexicon.date_roots(happened):
                yield from self.dated(begin + 1, happened)
        for begin, _ in self.said(at, HAPPENED):
            for date in self.lexicon.dates(node_type):
                yield from self.dated(begin, date)
        for begin in (at + 1,) if self.word(at) and self.roots[at] in _BEING_SO else ():  # "work part time"
            for start in self.perhaps(begin, ("the", "a", "an")):
                yield from ((end, (Test(h.action, "YES"),)) for end, h in self.flagged(start, node_type))
        for begin in self.perhaps(
            at, (*BE, *_BEEN)
        ):  # "(were) returned late", "delivered after the deadline"
            happened = (
                self.lexicon.happened(self.word(begin), node_type) if verb_done(self.word(begin)) else None
            )
            if happened is not None:
                yield from self.timely(begin + 1, happened)
        for begin, _ in self.said(at, (*BE, *_BEEN)):
            yield from self.predicate(begin, node_type)
            for date in self.lexicon.dates(node_type) if self.lexicon.is_event(node_type) else ():
                yield from self.dated(begin, date)
            yield from self.placed(begin, node_type, "be")
            yield from self.doing(begin, node_type, reduced=True)
            for middle, _ in self.said(begin, ("not", "never")):
                yield from ((end, (Test(h.action, "NO"),)) for end, h in self.flagged(middle, node_type))
                yield from self._not_yet(middle, node_type)
                for kind in (self.predicate, self._being_placed, self._undergone, self._done_by_any):
                    for end, items in kind(middle, node_type):
                        if len(items) == 1 and not (
                            isinstance(items[0], Test) and items[0].operator == "YES"
                        ):
                            yield end, (Not(items[0]),)
            for middle, _ in self.said(begin, _NOWHERE):  # "are not in any hive"
                yield from (found for found in self._lacking(middle, node_type) if self._is_place(found[1]))
            yield from self._undergone(begin, node_type)
            for middle, deed in self.deed_on(begin, node_type):  # "that is cited more often than the others"
                most = Best(True, Measure("CNT", "", Hop(deed.action)))
                yield from ((end, (most,)) for end, _ in self.said(middle, MOST_OFTEN))
            for start in self.perhaps(begin, ("also",)):
                yield from self.sharing(start, node_type)
            if makes(self.word(begin)):  # "were written in the clusters of X"
                yield from self.placed(begin + 1, node_type, "be")
            yield from self.neither_of(
                begin,
                lambda start: (*self.predicate(start, node_type), *self._being_placed(start, node_type)),
            )
        for begin, _ in self.said(at, HAVE):
            yield from self.had(begin, node_type)
            named = list(self._had_by_name(begin, node_type))
            yield from named
            yield from self.either_of(named, lambda start: self._had_by_name(start, node_type))
            yield from self.neither_of(
                begin, lambda start: (*self._had_by_name(start, node_type), *self._any_of(start, node_type))
            )
            for middle, denied in (
                (begin, False),
                *((e, True) for e, _ in self.said(begin, ("never", "not"))),
            ):
                done = [*self.doing(middle, node_type, reduced=False)]
                for after, _ in self.said(middle, ("been",)):
                    yield from self._not_yet(after, node_type) if denied else ()
                    yield from (
                        (end, (Test(h.action, "NO" if denied else "YES"),))
                        for end, h in self.flagged(after, node_type)
                    )
                    done += [*self.doing(after, node_type, reduced=True), *self._undergone(after, node_type)]
                for end, items in done:
                    if not denied:
                        yield end, items
                    elif len(items) == 1:
                        yield end, (Not(items[0]),)
        yield from self.doing(at, node_type, reduced=False)
        yield from self.earning(at, node_type)
        yield from self.measuring(at, node_type)
        naming = self.lexicon.shape.name_of(node_type)
        for end, test in self.part_of_text(at, self.lexicon.shape.properties[naming]) if naming else ():
            if test.operator != "HAS":  # "packages that start with 'lib'"
                yield end, (test,)
        yield from self.bound(at, node_type)
        yield from self.associated(at, node_type) if self.word(at).startswith("belong") else ()
        yield from self.sharing(at, node_type)

    def _by_version(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What is done by a version of something, or to one, and by nothing else: "(packages) depend on X", "are affected by X"."""
        for step in self.lexicon.versions(node_type):
            for verb, passive in ((at, False), *((begin, True) for begin, _ in self.said(at, BE))):
                if self.word(verb) in PLACED or any(self.doing(verb, node_type, passive)):
                    continue
                for end, items in self.doing(verb, step.target, passive):
                    if all(
                        isinstance(i, Hop) and i.view != self.lexicon.reversed(step).action for i in items
                    ):
                        yield end, (Hop(step.action, items),)

    def _is_deed(self, hop: Hop) -> bool:
        """Whether a hop leads to what happened: to a deed, or what has a date, in the one way there is."""
        step = self.lexicon.shape.steps[hop.view]
        happened = self.lexicon.is_event(step.target) or bool(self.lexicon.dates(step.target))
        return happened and self.lexicon.between(step.source, step.target) == step

    def _not_yet(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What has no date yet: "(not) finished yet", "(not been) returned"."""
        for held in self.lexicon.held(node_type) if self.word(at).endswith("ed") else ():
            if held.kind == "date" and self.roots[at] in self.lexicon.date_roots(held):
                for end in self.perhaps(at + 1, ("yet", "so far")):
                    yield end, (Test(held.action, "NULL"),)
        for step in self.lexicon.dated_so(self.word(at), node_type) if self.word(at).endswith("ed") else ():
            # Who was not visited has no visits, whatever these have; a plant that was not collected no finds with a date of collecting.
            named = self.roots[at] in map(root, spoken(step.target).split())
            for end, items in self._not_yet(at, step.target):
                done = (
                    i.item if isinstance(i, Not) else Test(i.held, "NOTNULL")
                    for i in items
                    if isinstance(i, Not | Test)
                )
                yield end, (Not(Hop(step.action, () if named else tuple(done))),)
                # Or has one without: what was lent and not returned is out, what was never lent is not.
                if not named and "never" not in self.words[:at]:
                    yield end, (Hop(step.action, items),)

    def _flag_verb(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb that a property of yes and no is called by, or its opposite: "passed", "failed"; "require fasting" of `fasting_required`."""
        for held in self.lexicon.held(node_type) if self.word(at) else ():
            words = spoken(held.name).split() if held.kind == "boolean" else []
            first = tuple(map(root, words[:-1]))
            if first and words[-1].endswith("ed") and root(words[-1]) == self.roots[at]:
                end = at + len(words)
                yield from (
                    (end, (Test(held.action, "YES"),)) for _ in (0,) if self.roots[at + 1 : end] == first
                )
        for held in self.lexicon.held(node_type) if self.word(at).endswith("ed") else ():
            words = spoken(held.name).split()
            if held.kind == "boolean" and words[-1].endswith("ed"):
                if root(words[-1]) == self.roots[at] and len(words) == 1:
                    yield at + 1, (Test(held.action, "YES"),)
                elif thesaurus().contrary(self.word(at), words):
                    yield at + 1, (Test(held.action, "NO"),)

    def undergone(self, at: int, node_type: str) -> Iterator[tuple[int, Step]]:
        """What was done to something: "borrowed", "depended on", as the step to who did it."""
        verb = self.word(at)
        done = verb.endswith(("ed", "en", "wn", "lt", "ght")) and not is_bare(verb)
        for step in self.lexicon.steps(node_type) if done else ():  # what is "open" was not opened
            if step.out or step.link.undirected:
                continue
            alone = self.lexicon.between(step.source, step.target) is not None
            named = set(self._verb(at, step.link.name))
            others = self._named_verb(at, step.link.name)  # "used" of `used_part` says that relation
            meant = alone and (named or not others) and self.lexicon.does(verb, step)
            ends = {at + 1} if meant else set()
            ends |= named if step.source == step.target else named & {at + 1}
            yield from ((end, step) for end in sorted(ends))

    def _is_place(self, items: tuple[Item, ...]) -> bool:
        """Whether what is denied is that something is somewhere: nobody is in an order that he placed."""
        hop = items[0].item if len(items) == 1 and isinstance(items[0], Not) else None
        step = self.lexicon.shape.steps.get(hop.view) if isinstance(hop, Hop) else None
        lexicon = self.lexicon
        return step is None or lexicon.is_noun_of(step) or lexicon.holds(step) or lexicon.says(step, "in")

    def deed_on(self, at: int, node_type: str) -> Iterator[tuple[int, Step]]:
        """What was done to something so often that it can be counted: "cited", "borrowed"."""
        done = [
            (at + 1, s)
            for s in self.lexicon.steps(node_type)
            if self.roots[at : at + 1] == (self.lexicon.done_by(s),)
        ]
        yield from (
            (end, s)
            for end, s in dict.fromkeys((*done, *self.undergone(at, node_type)))
            if self.once_an_edge(s)
        )

    def _undergone(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What was done to something by nobody named: "borrowed", "loaned in 2022", "called more than 3 times"."""
        yield from self.underwent(at, node_type)
        for middle, step in self.undergone(at, node_type):
            yield middle, (Hop(step.action),)
            for end, operator, span in self.compared(middle, "time") if self.once_an_edge(step) else ():
                if self.word(end - 1) in ("times", "time", "once", "twice"):
                    yield end, (Compared(Measure("CNT", "", Hop(step.action)), operator, span),)
            for end, tests in (*self.dated_edge(middle, step), *self.lasting(middle, step)):
                yield end, (Hop(step.action, tests),)
            for begin, _ in self.said(middle, ("with", "as", "for")):
                for end, test in self.owned(begin, step.link.key):
                    yield end, (Hop(step.action, (test,)),)

    def once_an_edge(self, step: Step) -> bool:
        """Whether each edge is done once, for none has a number that could say how often."""
        return all(held.kind != "number" or is_date(held) for held in self.lexicon.held(step.link.key))

    def _done_by_any(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Called by any function", "used by anybody", after its denial."""
        for end, items in self.doing(at, node_type, reduced=True):
            if end > at + 2:
                yield end, items

    def _being_placed(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        yield from self.placed(at, node_type, "be")

    def predicate(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What follows "is": a value, a role, yes, or a comparison ("older than 50", "older than Ann")."""
        for begin in self.perhaps(at, ("a", "an", "under", "in", *_MARKED_AS)):
            yield from ((end, (Test(held.action, "YES"),)) for end, held in self.flagged(begin, node_type))
        for step in self.lexicon.steps(node_type):  # "certified in X", as edges to X say
            for held in self.lexicon.held(step.link.key) if step.target != node_type else ():
                for end in self.lexicon.flag(self.roots, at, held) if held.kind == "boolean" else ():
                    for begin, _ in self.said(end, PLACED):
                        for last, far in self.things(begin, plain=True):
                            if far.type == step.target:
                                yield last, (Hop(step.action, (*far.items, Test(held.action, "YES"))),)
        for begin, _ in self.said(at, ("out of",)):  # "out of stock"
            for end, held in self.lexicon.noun(self.roots, begin, node_type):
                if held.kind == "number" and not is_date(held):
                    yield end, (Test(held.action, "EQ", (Constant(0),)),)
        for begin, _ in self.said(at, ("in",)):  # "in stock"
            for end, held in self.lexicon.noun(self.roots, begin, node_type):
                if self.lexicon.may_be_none(held) and end == begin + 1:
                    yield end, (self.some_of(held),)
        yield from (
            (at + 1, (Test(held.action, "NO"),))
            for held in self.lexicon.held(node_type)
            if held.kind == "boolean" and self.lexicon.denied_flag(self.word(at), held)
        )
        yield from ((at + 1, (self.some_of(held),)) for held in self.suffered(at, node_type))
        yield from self._in_edge_role(at, node_type)
        for begin, _ in self.said(at, ("fitted with", "equipped with")):
            for start in self.perhaps(begin, ("a", "an")):
                yield from (
                    (end, (Test(held.action, "YES"),)) for end, held in self.flagged(start, node_type)
                )
        yield from self.is_role(at, node_type)
        yield from self.akin(at, node_type)
        yield from self.associated(at, node_type)
        yield from self.beside(at, node_type)
        for begin in self.perhaps(at, ("a", "an", "also", "also a")):  # "is a public company"
            for end, kind in self.things(begin) if self.word(begin) not in _DEFINITE else ():
                value = any(stop == end for stop, _ in self.value(begin))  # its name, or what is read below
                if kind.type == node_type and not kind.one and not value and not self.vague(kind):
                    yield end, kind.items
        for begin in self.perhaps(at, ("a", "an")):  # people that are players
            for end, role in self.types(begin):
                who = self.lexicon.named_by(role)
                if who is not None and who.target == node_type:
                    yield end, (Hop(self.lexicon.reversed(who).action),)
        for begin in self.perhaps(at, ("a", "an", "still", "currently")):
            for end, test in self.owned(begin, node_type):
                yield end, (test,)
            yield from self.of_kind(begin, node_type)
            for end, index in self.value(begin):  # "is a nurse", by who works as one
                ways = list(self.kinds_of(index, node_type))
                yield from ((end, (Hop(step.action, (test,)),)) for step, test in ways if len(ways) == 1)
        for begin, word, more in self.comparative(at):
            for held, high in self.lexicon.measured(word, node_type):
                up = "GT" if high == more else "LT"
                for middle, _ in self.said(begin, ("than",)):
                    if held.kind == "number":
                        for end, span in self.number(middle, held.name):
                            if not is_date(held) or self.is_year(span):  # nobody is born above 30
                                yield end, (Test(held.action, up, (span,)),)
                    yield from self.than(middle, held, up)
        for begin, _ in self.said(at, ("as", "exactly as", "just as")):  # "as heavy as X"
            measured = self.lexicon.measured(self.word(begin), node_type) if self.word(begin) else ()
            for middle, _ in self.said(begin + 1, ("as",)):
                for held, _ in measured:
                    yield from self.like_another(middle, held) if held.kind == "number" else ()
        yield from self._beyond_average(at, node_type)

    def _beyond_average(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Above average in price", "below the average weight": only where it says of what."""
        for begin, phrase in self.said(at, ("above", "below")):
            for middle, _ in self.said(begin, ("average", "the average")):
                for start in self.perhaps(middle, ("in",)):
                    for end, held in self.lexicon.noun(self.roots, start, node_type):
                        if held.kind == "number":
                            up = "GT" if phrase == "above" else "LT"
                            yield end, (Test(held.action, up, (Mean(held.action),)),)

    def _in_edge_role(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What edges call who they lead from: "(is) lead of X", "a backup for at least three enclosures", by their `role`."""
        for begin in self.perhaps(at, ("a", "an", "the")):
            for middle, index in self.value(begin):
                owners = [self.lexicon.shape.properties.get(action) for action in self.values[index].owners]
                for step in self.lexicon.steps(node_type) if len(owners) == 1 else ():
                    held = owners[0]
                    if held is None or held.owner != step.link.key or held.kind != "text" or not step.out:
                        continue
                    test = Test(held.action, "EQ", (Span(index),))
                    for start, _ in self.said(middle, ("of", "for", "on", "at", "in")):
                        for end, far in self.things(start):
                            if far.type == step.target and not self.vague(far):
                                yield end, (Hop(step.action, (*far.items, test)),)
                        for end, pairs in self.quantity(start):
                            for last, far in self.things(end, plain=True):
                                if far.type == step.target and not far.one:
                                    measure = Measure("CNT", "", Hop(step.action, (*far.items, test)))
                                    yield last, tuple(Compared(measure, op, span) for op, span in pairs)

    def kinds_of(self, index: int, node_type: str) -> Iterator[tuple[Step, Test]]:
        """The steps to what a value names, and nothing else, where nodes of a type are called as that is: by genres, or by what people are."""
        v = self.values[index]
        held = self.lexicon.shape.properties.get(v.owners[0]) if len(v.owners) == 1 else None
        for step in self.lexicon.steps(node_type) if held is not None and held.naming else ():
            if (
                held is not None
                and step.out
                and step.target == held.owner
                and self.lexicon.is_called(v.text, step)
            ):
                yield step, Test(held.action, "EQ", (Span(index),))

    def of_kind(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """By what they are one of is like: "(train sets that are) diesel", where only their series have that; of one relation to one alone."""
        steps = [
            s
            for s in self.lexicon.steps(node_type)
            if s.out and self.lexicon.to_one(s) and s.target != node_type
        ]
        for end, index in self.value(at):
            owners = [self.lexicon.shape.properties.get(action) for action in self.values[index].owners]
            held = owners[0] if len(owners) == 1 else None
            ways = [s for s in steps if held is not None and s.target == held.owner and self._says_kind(s)]
            if held is not None and held.kind == "text" and not held.naming and len(ways) == 1:
                yield end, (Hop(ways[0].action, (Test(held.action, "EQ", (Span(index),)),)),)

    def _says_kind(self, step: Step) -> bool:
        """Whether a relation leads to what something is one of: `of_series`, `model`, `genre`."""
        words = {root(w) for w in (*self.lexicon.said(step.link), *spoken(step.target).split())}
        return self.lexicon.tells_kind(step) or bool(words & _MADE_AS)

    def in_units(self, at: int, owner: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A comparison whose unit names the property: "longer than 20 days"."""
        for held in self.lexicon.held(owner):
            for end, operator, span in self.compared(at, held.name) if held.kind == "number" else ():
                if root(self.word(end - 1)) == root(held.name):
                    yield end, (Test(held.action, operator, (span,)),)

    def _whose(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What is said of something that nodes have: "(projects) whose budget is above 500", "whose lead joined after 2020"."""
        for middle, held in self.lexicon.noun(self.roots, at, node_type):
            yield from self.said_of_value(middle, held)
        for begin, _ in self.said(
            at, ("number of", "total number of", "count of")
        ):  # "whose number of pets is above 3"
            for middle, step, far in self.neighbours(begin, node_type, plain=True):
                for start in self.perhaps(middle, BE) if not far.one else ():
                    measure = Measure("CNT", "", self.hop(step, far))
                    yield from (
                        (end, tuple(Compared(measure, op, span) for op, span in pairs))
                        for end, pairs in self.quantity(start)
                    )
        for middle, step, far in self.neighbours(at, node_type, plain=True):
            for begin, _ in self.said(middle, BE) if not far.items and self.lexicon.to_one(step) else ():
                for end, named in (
                    *self.things(begin, plain=True),
                    *self.several_named(begin, "or"),
                ):  # "whose boss is Ann"
                    if named.type == far.type and self._names_one(self.hop(step, named)):
                        yield end, (self.hop(step, named),)
            if self.vague(far) or far.one or (self.word(middle) in BE and not self.lexicon.to_one(step)):
                continue  # "whose members are new": all of them, or some; "whose members won the most": together, or one
            for end, items in self.clause(middle, far.type):
                if self.lexicon.to_one(step) or not any(isinstance(i, Best) for i in items):
                    yield end, (self.hop(step, replace(far, items=(*far.items, *items))),)

    def placed(self, at: int, node_type: str, verb: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Where something is, or whose it is: "in Berlin", "of Engineering", "on Falcon", "with chemotherapy"."""
        for begin, preposition in self.said(at, PLACED):
            values = (self.owned(start, node_type) for start in self.perhaps(begin, ("the",)))
            own = []  # who is in Lisbon is there themselves, wherever their team is
            for end, test in (found for some in values for found in some):
                held = self.lexicon.shape.properties[test.held]
                if preposition in ("in", "at", "of", "from") and stays(verb, spoken(held.name).split()):
                    own.append((end, test.values))
                    yield end, (test,)
                if preposition in _OF_VALUES and verb in ("be", "live"):  # "in the Graz district"
                    nouns = self.lexicon.noun(self.roots, end, node_type)
                    yield from ((last, (test,)) for last, other in nouns if other == held)
            articles = ("the", "a", "an")  # "of an age below 30"
            for start in self.perhaps(begin, articles) if verb == "be" and preposition in _OF_VALUES else ():
                for middle, held in self.lexicon.noun(self.roots, start, node_type):
                    if held.kind in ("text", "list") or self.word(start - 1) in ("a", "an"):
                        yield from self.said_of_value(middle, held)
                    for first in self.perhaps(middle, ("number", "no")) if held.kind == "number" else ():
                        for end, span in self.number(first):  # "in zone 1", "on floor 3", "in rack number 5"
                            yield end, (Test(held.action, "EQ", (span,)),)
                            for other, _ in self.said(end, ("or",)):
                                for last, second in self.number(other):
                                    yield last, (Test(held.action, "EQ", (span, second)),)
                        for end, pairs in self.quantity(
                            first
                        ):  # "on floors 3 and up", "in zones between 2 and 4"
                            yield end, tuple(Test(held.action, operator, (span,)) for operator, span in pairs)
            if verb == "be" and preposition == "from":
                date = self.lexicon.made(node_type)
                yield from self.dated(at, date) if date is not None else ()
            those = (
                (*self.things(begin), *self.several_named(begin, "or"))
                if self.word(begin) not in UNIVERSAL
                else ()
            )
            for end, far in those:
                if any(isinstance(i, Test) and (end, i.values) in own and self._is_had(i) for i in far.items):
                    continue
                for step in self.lexicon.steps(node_type):
                    fits = step.target == far.type and far.items and self._fits(step, preposition, verb, far)
                    if fits and not self.returns(step, far) and not self.vague(far):
                        yield end, (self.hop(step, far),)
                chains = self.stayed(node_type, verb, far.type) if far.one and verb != "be" else ()
                yield from ((end, (self.through(chain, far),)) for chain in chains)
                over = self.lexicon.over(node_type, far.type) if preposition == "of" and not far.many else ()
                if over and far.items and verb == "be" and not self.vague(far):
                    yield end, (self.through(over, far),)
                steps = self.lexicon.way(node_type, far.type) if not over else ()
                if (
                    len(steps) > 1
                    and far.items
                    and preposition in _WITHIN
                    and verb == "be"
                    and not self.vague(far)
                ):
                    yield end, (self.through(steps, far),)
                if far.one and preposition in ("in", "within", "from", "at") and len(steps) < 2:
                    yield from (
                        (end, (Hop(a.action, (Hop(b.action, far.items),)),))
                        for a, b in self.lexicon.within(node_type, far.type)
                    )
            if preposition in ("with", "by", "as", "on") and verb == "be":
                yield from self._by_edge(begin, node_type)

    def _by_edge(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Over an edge with a value of its own: "treated with chemotherapy", "as a tester"."""
        for begin in self.perhaps(at, ("a", "an", "the")):
            for end, index in self.value(begin):
                for step in self.lexicon.steps(node_type):
                    for action in self.values[index].owners:
                        held = self.lexicon.shape.properties.get(action)
                        if (
                            held is not None
                            and held.owner == step.link.key
                            and step.link.source != step.link.target
                        ):
                            yield end, (Hop(step.action, (Test(action, "EQ", (Span(index),)),)),)

    def stayed(self, node_type: str, verb: str, place: str) -> Iterator[tuple[Step, ...]]:
        """The ways to where one lives, works or is born by what that lies in: who lives in a country lives in a city of it."""
        for step in self.lexicon.steps(node_type):
            told = (*self.lexicon.said(step.link), *spoken(step.target).split())
            chain = self.lexicon.located(step.target, place) if stays(verb, told) else ()
            direct = any(
                s.target == place and s.link.name == step.link.name for s in self.lexicon.steps(node_type)
            )
            if chain and step.out and not direct:
                yield (step, *chain)

    def _fits(self, step: Step, preposition: str, verb: str, far: Things) -> bool:
        """Whether a preposition may lead over a relation, after a verb of being somewhere."""
        lexicon = self.lexicon
        if step.link.source == step.link.target:
            return False
        if verb == "work" and preposition == "on":
            return not ON_TASKS.isdisjoint(map(root, lexicon.said(step.link)))
        words = (*lexicon.said(step.link), *spoken(step.target).split(), *self._named_by(far))
        if not stays(verb, words):
            return False
        if verb in ("born", "die"):
            return True
        if verb == "be" and lexicon.says(step, preposition):
            return True
        alone = far.one and self._named_by(far)
        if preposition in ("in", "within", "at") and alone and not lexicon.is_noun_of(step):
            return False  # groups are not in Oslo because people of Oslo are in them
        if lexicon.plain(step.source, step.target) != step:
            return (
                verb == "be"
                and preposition in ("by", "of")
                and lexicon.authored(step.source, step.target) == step
            )
        if lexicon.is_noun_of(step) or lexicon.holds(step):
            done = lexicon.is_event(step.source) and step.target not in lexicon.people  # "bookings on X"
            return preposition not in ("with", "to", "as") and (
                preposition != "on" or (done and verb == "be")
            )
        return verb == "be" and preposition == "of"

    def _is_had(self, test: Test) -> bool:
        """Whether a condition is on what nodes have, and not on their name."""
        return not self.lexicon.shape.properties[test.held].naming

    def _named_by(self, far: Things) -> list[str]:
        """The words of the property that says which nodes are meant, where that is not their name."""
        tests = [self.lexicon.shape.properties[i.held] for i in far.items if isinstance(i, Test)]
        return [word for held in tests if not held.naming for word in spoken(held.name).split()]
