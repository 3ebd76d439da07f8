"""Noun phrases: "the three oldest engineers in Berlin who earn more than 5000".

Every word of a phrase has its place, or there is no phrase. What may be read in several ways is given in all of them.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from graphtalk.core.people import means_somebody
from graphtalk.language.nouns import singular
from graphtalk.language.people import may_act
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.deeds import TOWARDS
from graphtalk.reasoners.phrases.fellows import Fellows
from graphtalk.reasoners.phrases.having import HIGH
from graphtalk.reasoners.phrases.relating import EVERY, UNIVERSAL
from graphtalk.reasoners.phrases.schema_words import is_date, makes
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.words import AND, BE, HAVE, PLACED, STAYING, WHEN
from graphtalk.reasoners.reader.reading import (
    All,
    Best,
    Compared,
    Constant,
    Hop,
    Item,
    Measure,
    Not,
    Span,
    Test,
)
from graphtalk.reasoners.reader.shape import Held, spoken

ASKING = frozenset(
    "which what how many much who are is were was the list show me all of find give name number count share percentage percent "
    "fraction proportion average total in".split()
)
_NOT_THERE = tuple(
    f"{no} {there}"
    for no, there in (
        *(("does not", verb) for verb in ("belong to", "come from")),
        *(
            (no, place)
            for no in ("is not", "was not", "isn 't")
            for place in ("in", "part of", "a part of", "from", "at", "of")
        ),
    )
)
_PEOPLE = ("people", "persons", "everyone", "everybody", "staff", "personnel", "colleagues")
_CALLINGS = frozenset(map(root, "title role job position profession occupation".split()))
_OTHER = ("other", "the other", "all other", "all the other")
_AMONG = (
    "of the",
    "of all the",
    "of all",
    "of those",
    "among the",
)  # "the oldest of the engineers in Berlin"
DETERMINERS = ("the", "a", "an", "all the", "all of the", "all", "any", "some", "those", "that", "our")


_WHOSE = (
    "whose",
    *(
        f"{at} {the}"
        for at in ("where", "for which", "such that", "in which")
        for the in ("the", "its", "their")
    ),
)
_AND_ITS = ("the", "its", "their", "whose", "where the")
_BEYOND = ("above", "below", "over", "under", "exceeding")  # "invoices over 500"


class Phrases(Fellows):
    """The noun phrases of one question."""

    def things(self, at: int, plain: bool = False) -> list[tuple[int, Things]]:
        """The noun phrases that begin at a word, each with where it ends; `plain`: without what is said after the noun."""
        key = (at, plain)
        if key not in self.nodes:
            self.nodes[key] = []  # a phrase within itself is none
            self.nodes[key] = list(dict.fromkeys(self._things(at, plain)))
        return self.nodes[key]

    def _things(self, at: int, plain: bool) -> Iterator[tuple[int, Things]]:
        for begin, _ in self.said(at, _OTHER):
            for end, head in self._headed(begin):
                others = ((last, self._others(more)) for last, more in self.modified(end, head))
                yield from ((last, more) for last, more in others if more is not None)
        for begin in self.perhaps(at, DETERMINERS):
            for end, head in (
                *self._named(begin),
                *self._headed(begin),
                *self.in_role(begin),
                *self.fellows(begin),
                *self.joint(begin),
                *self._owned_by(begin),
                *self._of_one(begin),
                *self._by_mark(begin),
            ):
                yield end, head
                if not plain and not head.one:
                    yield from self.modified(end, head)
            yield from self._of_year(begin) if not plain else ()

    def _of_year(self, at: int) -> Iterator[tuple[int, Things]]:
        """Nodes by the year that they came to be, said before their noun: "2001 papers of X"."""
        for end, span in self.number(at):
            for after, head in self._headed(end) if self.is_year(span) else ():
                date = self.lexicon.made(head.type) if head.many else None
                for last, more in self.modified(after, head) if date is not None else ():
                    assert date is not None
                    yield last, replace(more, items=(*more.items, Test(date.action, "EQ", (span,))))

    def _named(self, at: int) -> Iterator[tuple[int, Things]]:
        """Nodes by their name, after or before the noun of their type: "the project Falcon", "the Falcon project"."""
        types = self.types(at)
        types += [(at + 1, name) for name in self.lexicon.marked_types(self.roots, at)]
        of = [
            (begin, name) for end, name in types if not self.many(end) for begin, _ in self.said(end, ("of",))
        ]  # "the state of Texas"; the workers of Ann are not Ann
        for begin, wanted in ((at, ""), *types, *of):
            for end, index in self.value(begin):
                v = self.values[index]
                for action in v.owners:
                    held = self.lexicon.shape.properties.get(action)
                    if (
                        held is None
                        or held.edge
                        or held.kind not in ("text", "number")
                        or (held.kind == "number" and (not held.naming or v.number is None))
                        or not (held.naming or v.text[:1].isupper())
                    ):
                        continue
                    named = Things(held.owner, (Test(action, "EQ", (Span(index),)),), True)
                    if wanted in ("", held.owner):
                        yield end, named
                        yield from self._where_named(end, named)
                        for after, _ in self.said(end, ("of", "from", "at")):
                            for last, test in self.owned(after, held.owner):
                                yield last, replace(named, items=(*named.items, test))
                    for after, name in self.types(end):
                        if name == held.owner and not wanted:
                            yield after, named
            number = self.lexicon.number_of(wanted) if wanted else None
            if number is not None:  # "port 80"
                for end, span in self.number(begin):
                    yield end, Things(wanted, (Test(number.action, "EQ", (span,)),), True)

    def _where_named(self, at: int, things: Things) -> Iterator[tuple[int, Things]]:
        """A name with that of the place where it is: "Springfield Missouri", "Springfield, Missouri"."""
        for begin in self.perhaps(at, (",",)):
            for end, place in self._named(begin):
                step = self.lexicon.plain(things.type, place.type)
                if step is not None and self.lexicon.is_noun_of(step):
                    yield end, replace(things, items=(*things.items, self.hop(step, place)))

    def _others(self, things: Things) -> Things | None:
        """Nodes without the one that they are told by: "other books by the author of X"; None where they are told by none."""
        items = tuple(
            replace(i, items=tuple(replace(h, anew=False) if isinstance(h, Hop) else h for h in i.items))
            if isinstance(i, Hop)
            else i
            for i in things.items
        )
        hops = [i for i in items if isinstance(i, Hop)]
        hops += [i.measure.path for i in items if isinstance(i, Compared) and i.measure.path]
        named = any(isinstance(i, Not) for i in items)  # that nodes share something with, but it
        if named or any(map(self.goes_back, hops)):
            return replace(things, items=items)
        ends = {(t, test) for hop in hops for t, test in self._named_on(hop)}
        steps = [(self.lexicon.plain(things.type, t), test) for t, test in ends] if len(ends) == 1 else []
        own = [Not(Hop(step.action, (test,))) for step, test in steps if step is not None]
        return replace(things, items=(*items, *own)) if own else None

    def _named_on(self, hop: Hop) -> Iterator[tuple[str, Test]]:
        """The nodes that a chain of at least two hops leads to by their names."""
        for item in hop.items:
            for far in item.items if isinstance(item, Hop) and item.view in self.lexicon.shape.steps else ():
                step = self.lexicon.shape.steps[item.view] if isinstance(item, Hop) else None
                if (
                    step is not None
                    and isinstance(far, Test)
                    and self.lexicon.shape.properties[far.held].naming
                ):
                    yield step.target, far
            if isinstance(item, Hop):
                yield from self._named_on(item)

    def _by_mark(self, at: int) -> Iterator[tuple[int, Things]]:
        """Nodes by what they are listed by: "PACER number 100304", "the case Doe v. Roe"."""
        for owner in self.lexicon.shape.types:
            for middle, held in self.lexicon.noun(self.roots, at, owner):
                for end, index in self.value(middle) if self.lexicon.marks(held) else ():
                    if held.action in self.values[index].owners:
                        yield end, Things(owner, (Test(held.action, "EQ", (Span(index),)),), held.naming)

    def _of_one(self, at: int) -> Iterator[tuple[int, Things]]:
        """ "The author of X", as the subject of a clause: a noun with whose it is."""
        for middle, node_type in self.types(at):
            for begin, _ in self.said(middle, ("of", "of the")):
                for end, owner in self._named(begin):
                    step = self.lexicon.plain(node_type, owner.type)
                    if step is not None:
                        yield end, Things(node_type, (self.hop(step, owner),), many=self.many(middle))

    def _owned_by(self, at: int) -> Iterator[tuple[int, Things]]:
        """Nodes by whose they are: "Ann's books", "the opinion 'X' 's cluster's docket"."""
        its = [self.it(at, t) for t in self.lexicon.shape.types] if self.word(at) == "its" else []
        owners = [*self._named(at), *((at, named) for named in its if named is not None)]
        while owners:
            found = []
            for begin, owner in owners:
                for middle, _ in self.said(begin, ("'s", "'", "its")):
                    for end, node_type in self.types(middle):
                        made = self.lexicon.authored(node_type, owner.type)
                        steps = (made,) if made is not None else self.lexicon.way(node_type, owner.type)
                        if steps:
                            found.append(
                                (end, Things(node_type, (self.through(steps, owner),), many=self.many(end)))
                            )
                    for end, step in self.roles(middle):
                        if step.target == owner.type:
                            found.append(
                                (end, Things(step.source, (self.hop(step, owner),), many=self.many(end)))
                            )
            yield from found
            owners = [(end, things) for end, things in found if not things.many]

    def _headed(self, at: int) -> Iterator[tuple[int, Things]]:
        """A noun with what stands before it: "the three oldest Danish authors", "novels"."""
        types = self.types(at)
        for end, node_type in types:
            yield end, Things(node_type, many=self.many(end))
        meant = (
            bool(self.word(at)) and not types and not any(self.value(at))
        )  # professors are those lecturers
        if meant and (called := self.lexicon.synonym(self.word(at))):
            yield at + 1, Things(called, many=True)
        if self.word(at) in _PEOPLE and not self.types(at):
            yield from ((at + 1, Things(t, many=True)) for t in self.lexicon.people)
        if self.word(at) in ("member", "members") and not types:
            groups = [s for t in self.lexicon.people for s in self.lexicon.steps(t) if self.lexicon.is_in(s)]
            yield from ((at + 1, Things(s.source, many=self.many(at + 1))) for s in groups)
        led = self.word(at + 1) in ("with", "listed", "filed") or self.word(at + 2) == "which"
        if led and not self.many(at + 1):
            yield from ((at + 1, Things(t)) for t in self.lexicon.marked_types(self.roots, at))
        for some in (h for t in self.lexicon.shape.types for h in self.suffered(at, t)):  # "delayed flights"
            for after, rest in self._headed(at + 1):
                if rest.type == some.owner:
                    yield after, replace(rest, items=(Test(some.action, "GT", (Constant(0),)), *rest.items))
        for end, flag in ((e, h) for t in self.lexicon.shape.types for e, h in self.flagged(at, t)):
            for after, rest in self._headed(end):
                if rest.type == flag.owner:
                    yield after, replace(rest, items=(Test(flag.action, "YES"), *rest.items))
            if self.many(end) and means_somebody(singular(self.word(end - 1))):  # "first aiders"
                yield end, Things(flag.owner, (Test(flag.action, "YES"),), many=True)
        for no in self.lexicon.shape.held if self.word(at)[:2] in ("un", "in", "no") else ():
            if no.kind == "boolean" and not no.edge and self.lexicon.denied_flag(self.word(at), no):
                for after, rest in self._headed(at + 1):
                    if rest.type == no.owner:
                        yield after, replace(rest, items=(Test(no.action, "NO"), *rest.items))
        for end, index in self.value(at):
            v = self.values[index]
            owners = [h for o in v.owners if (h := self.lexicon.shape.properties.get(o)) is not None]
            for action in v.owners:
                held = self.lexicon.shape.properties.get(action)
                if held is None or held.edge or held.naming or held.kind not in ("text", "list"):
                    continue
                test = Test(action, "EQ", (Span(index),))
                headed = [(after, rest) for after, rest in self._headed(end) if rest.type == held.owner]
                yield from self._of_either(end, test, held)
                named = any(h.naming and h.owner != held.owner for h in owners)
                # Comedies are what has the genre called so, if there is one, not what has a tagline "comedy"; users are
                # of that type, if there is one, not tweets whose origin is "user".
                noun = self._is_noun(v.text, held) or index in self._plural
                if noun and not headed and not named and not self.lexicon.means_type(v.text, held.owner):
                    yield from ((end, things) for things in self._called_so(held, test))
                for after, rest in headed:
                    if test not in rest.items:
                        yield after, replace(rest, items=(test, *rest.items))
        for node_type in self.lexicon.shape.types:  # "diesel train sets"
            for end, items in self.of_kind(at, node_type):
                for after, rest in self._headed(end):
                    if rest.type == node_type:
                        yield after, replace(rest, items=(*items, *rest.items))
        yield from self._of_number(at)
        yield from self._of_kind(at)
        yield from self._of_named(at)
        yield from self._best_noun(at)

    def _called_so(self, held: Held, test: Test) -> Iterator[Things]:
        """What a noun calls that is a value: cats are the animals of the breeds whose species is "cat", and not these."""
        steps = [
            s for t in self.lexicon.shape.types for s in self.lexicon.kinds_of(t) if s.target == held.owner
        ]
        yield from (Things(step.source, (Hop(step.action, (test,)),)) for step in steps)
        if not steps:
            yield Things(held.owner, (test,))

    def _of_either(self, at: int, test: Test, held: Held) -> Iterator[tuple[int, Things]]:
        """A noun after a second value: "(cat) or dog pets"."""
        for begin, _ in self.said(at, ("or",)):
            for end, index in self.value(begin):
                if held.action in self.values[index].owners:
                    either = replace(test, values=(*test.values, Span(index)))
                    for after, rest in self._headed(end):
                        if rest.type == held.owner and not rest.items:
                            yield after, replace(rest, items=(either,))

    def _happened_at(self, at: int, node_type: str) -> bool:
        """Whether the last word says what happened to nodes of a type, on a date that they have."""
        dates = (
            [h for h in self.lexicon.held(node_type) if is_date(h)]
            if self.done(at + 1) and self.word(at)
            else []
        )
        return any(self.roots[at] in self.lexicon.date_roots(h) for h in dates)

    def _is_noun(self, text: str, held: Held) -> bool:
        """Whether a text is what things are called, no name: "developer", "UX designer"; "Managing Partner" of `job_title`."""
        kinds = {root(w) for w in spoken(held.name).split()} & _CALLINGS
        return text.islower() or text.split()[-1].islower() or bool(kinds)

    def _of_number(self, at: int) -> Iterator[tuple[int, Things]]:
        """A noun after a property and its number: "severity 1 incidents", "tier 2 services"."""
        for node_type in self.lexicon.shape.types:
            for middle, held in self.lexicon.noun(self.roots, at, node_type):
                for end, span in self.number(middle) if held.kind == "number" and not is_date(held) else ():
                    test = Test(held.action, "EQ", (span,))
                    for after, rest in self._headed(end) if end == middle + 1 else ():
                        if rest.type == node_type:
                            yield after, replace(rest, items=(test, *rest.items))

    def _of_kind(self, at: int) -> Iterator[tuple[int, Things]]:
        """The plural of what things are told by, where that is a node: "satires" are novels of the genre satire, "nurses" who works as one."""
        for end, index in self.value(at) if self.many(at + 1) else ():
            v = self.values[index]
            if v.text.islower() and index in self._plural and not self.lexicon.means_type(v.text):
                told = [
                    (step, test) for t in self.lexicon.shape.types for step, test in self.kinds_of(index, t)
                ]
                if len(told) == 1:
                    ((step, test),) = told
                    yield end, Things(step.source, (Hop(step.action, (test,)),), many=True)

    def _of_named(self, at: int) -> Iterator[tuple[int, Things]]:
        """A noun after the name of what it is of: "Texas cities", "the Falcon engineers"."""
        for end, index in self.value(at):
            for action in self.values[index].owners:
                held = self.lexicon.shape.properties.get(action)
                for after, rest in self._headed(end) if held is not None and held.naming else ():
                    step = self.lexicon.plain(rest.type, held.owner) if held is not None else None
                    itself = self.lexicon.shape.name_of(rest.type) in self.values[index].owners
                    if step is not None and not itself:
                        named = Hop(step.action, (Test(action, "EQ", (Span(index),)),))
                        yield after, replace(rest, items=(named, *rest.items))

    def _best_noun(self, at: int) -> Iterator[tuple[int, Things]]:
        """A superlative and its noun: "oldest member", "most expensive books", "5 highest paid employees"."""
        begins: list[tuple[int, Span | None]] = [(at, None)]
        for begin in self.perhaps(at, ("top",)):
            begins += [(end, span) for end, span in self.number(begin) if end == begin + 1]
        begins += [(end, Span(i)) for end, i in self.value(at) if self.values[i].ordinal]
        for begin, said in begins:
            yield from self._last_done(begin, said)
            for end, limit, word, top in self._superlatives(begin, said):
                among = [
                    (last, replace(those, many=limit is not None))
                    for start, _ in self.said(end, _AMONG)
                    for last, those in self.things(start)
                    if those.many
                ]
                for after, rest in (*self._headed(end), *self.in_role(end), *among):
                    any_few = self.word(end - 2) == "first" and not self.lexicon.comes_in_order(rest.type)
                    if any_few or any(isinstance(i, Best) for i in rest.items):  # "the first 3 ports" are any
                        continue
                    for held, high in self.lexicon.measured(word, rest.type):
                        best = Best(high == top, Measure("PROPERTY", held.action), limit)
                        yield after, replace(rest, items=(*rest.items, best))
                        if self._happened_at(after, rest.type):  # "the largest invoice issued"
                            yield after + 1, replace(rest, items=(*rest.items, best))
                        for start, _ in self.said(
                            after, ("by", "in terms of")
                        ):  # "busiest shop by customers"
                            for last, named in self.lexicon.noun(self.roots, start, rest.type):
                                if named == held:
                                    yield last, replace(rest, items=(*rest.items, best))
                    for stop, deed in self.deed_on(end - 1, rest.type) if end > begin + 1 else ():
                        best = Best(top, Measure("CNT", "", Hop(deed.action)), limit)
                        yield from (
                            (after, replace(rest, items=(*rest.items, best))) for _ in (0,) if stop == end
                        )
                    for start, _ in self.said(after, ("by", "in terms of")) if word in HIGH else ():
                        for last, held in self.lexicon.noun(self.roots, start, rest.type):
                            if held.kind == "number" and not is_date(held):
                                best = Best(HIGH[word] == top, Measure("PROPERTY", held.action), limit)
                                yield last, replace(rest, items=(*rest.items, best))
                verb = self.word(end)
                spent = verb and word in ("highest", "best", "lowest", "least", "most", "worst", "better")
                for after, rest in self._headed(end + 1) if spent else ():
                    ranks = self.lexicon.spent(verb, rest.type)
                    if ranks is not None and self.roots[end] != root(rest.type):
                        best = Best(
                            word in ("highest", "best", "most"), Measure("PROPERTY", ranks.action), limit
                        )
                        yield after, replace(rest, items=(*rest.items, best))

    def _superlatives(self, at: int, limit: Span | None) -> Iterator[tuple[int, Span | None, str, bool]]:
        """A superlative, which may have a number after it: "cheapest", "first three"; with how many are the best."""
        for end, word, top in self.superlative(at):
            yield end, limit, word, top
            for last, span in self.number(end) if limit is None else ():
                if last == end + 1:
                    yield last, span, word, top

    def _last_done(self, at: int, limit: Span | None) -> Iterator[tuple[int, Things]]:
        """Nodes by when something was done to them last: "most recently founded operator", "4 most recently planted trees"."""
        for begin, _ in self.said(at, ("most recently", "least recently")):
            for end, things in self._headed(begin + 1):
                happened = self.lexicon.happened(self.word(begin), things.type)
                own = happened is not None and self.roots[begin] in self.lexicon.date_roots(happened)
                if own and happened is not None and not any(isinstance(i, Best) for i in things.items):
                    top = self.word(at) == "most"
                    best = Best(top, Measure("PROPERTY", happened.action), limit)
                    many = things.many if limit is None else True
                    yield end, replace(things, items=(*things.items, best), many=many)

    def modified(self, at: int, things: Things, most: int = 3) -> Iterator[tuple[int, Things]]:
        """A noun phrase with what is said after its noun: one thing or several."""
        if most == 0 or at >= len(self.words):
            return
        begins = [(at, ""), *self.said(at, AND)]
        for begin, joined in begins:
            if joined and not things.items:
                continue
            best = any(isinstance(i, Best) for i in things.items)
            if best and any(n for start in self.perhaps(begin, ("the",)) for n in self._named(start)):
                continue  # the first book Ann bought: the first that there is, or the first of hers
            read = self._modifier(begin, things.type)
            either = self.either_of(read, lambda start: self._modifier(start, things.type))
            for end, items in (*read, *(either if joined != "," else ())):  # "A, B or C" is any of these
                ends = [i.view for i in items if isinstance(i, Hop) and i.view in self.lexicon.shape.steps]
                roles = [step.action for step in self.bare_roles(things)]
                if (self.word(begin) == "of" and ends and roles) or not set(roles).isdisjoint(ends):
                    continue  # "of X", "in X" says to whom they have the role
                if self.word(begin) in WHEN and self._since(things) and all(map(self._is_when, items)):
                    continue  # "members of X since 2022": not when they were hired
                if end > begin and (joined or not self._nearer(begin, end, things)):
                    more = replace(things, items=(*things.items, *items))
                    yield end, more
                    yield from self.modified(end, more, most - 1)

    def _since(self, things: Things) -> bool:
        """Whether nodes are told by edges that say when they began to be so."""
        steps = [self.lexicon.shape.steps.get(i.view) for i in things.items if isinstance(i, Hop)]
        return any(self.lexicon.dates(step.link.key) for step in steps if step is not None)

    def _is_when(self, item: Item) -> bool:
        """Whether a condition is on a date of nodes."""
        return isinstance(item, Test) and is_date(self.lexicon.shape.properties[item.held])

    def _nearer(self, at: int, end: int, things: Things) -> bool:
        """Whether what follows may be said of the noun right before it too: then it is said of that one."""
        last = things.items[-1] if things.items else None
        if not isinstance(last, Hop) or last.view not in self.lexicon.shape.steps:
            return False
        naming = [
            i for i in last.items if isinstance(i, Test) and self.lexicon.shape.properties[i.held].naming
        ]
        step = self.lexicon.shape.steps[last.view]
        alike = [
            s for s in self.lexicon.steps(step.source) if (s.link.name, s.out) == (step.link.name, step.out)
        ]
        targets = [s.target for s in alike]  # an investor may be somebody, or a firm with so many employees
        joined = {s.target for t in targets for s in self.lexicon.steps(t)}
        if any(t in joined for _, t in self.types(at + 1)):  # of "interfaces in zone 3" the zone is theirs
            return True
        return not naming and any(stop == end for t in targets for stop, _ in self._modifier(at, t))

    def _modifier(self, at: int, node_type: str) -> list[tuple[int, tuple[Item, ...]]]:
        return self.once(self._said_after, at, node_type, 0)

    def _said_after(self, at: int, node_type: str, most: int) -> Iterator[tuple[int, tuple[Item, ...]]]:
        comes_to = self.lexicon.comes_to(node_type)
        noun = any(end == at for begin in (at - 1, at - 2) for end, _ in self.types(max(begin, 0)))
        noun |= node_type not in self.lexicon.shape.types  # said of edges
        for end, pairs in self.quantity(at) if noun and self.word(at) in _BEYOND else ():
            if comes_to is not None:
                yield end, tuple(Test(comes_to.action, op, (span,)) for op, span in pairs)
        yield from self.of_unit(at, node_type) if noun else ()
        for begin, _ in self.said(at, ("that", "which", "who", "that also", "who also")):
            yield from self.clause(begin, node_type)
            for end, items in self.owned_phrase(begin, node_type):
                yield end, items
        if any(
            named for begin in self.perhaps(at, ("the",)) for named in self._named(begin)
        ):  # "the court X is from", "books Ann wrote"
            yield from self.owned_phrase(at, node_type)
        for begin, _ in self.said(at, ("to",)):
            yield from self.clause(begin, node_type)
        for begin, denied in self.said(
            at, ("not", "never")
        ):  # "samples not stained with X", "shops not in X"
            there = self.placed(begin, node_type, "be") if denied == "not" else ()
            for end, items in chain(self.doing(begin, node_type, reduced=True), there):
                if len(items) == 1:
                    yield end, (Not(items[0]),)
        for begin, _ in self.said(
            at, ("where", *(f"{p} which" for p in (*PLACED, "through", "into", "over")))
        ):
            yield from self.where(begin, node_type)
        for begin, _ in self.said(at, _WHOSE):
            yield from self._each_whose(begin, node_type)
        for begin, _ in self.said(at, ("with", "having", "listed under", "filed under", "known under")):
            yield from self.had(begin, node_type)
        for begin, _ in self.said(at, ("about", "on", "regarding", "concerning", "of")):
            for start in self.perhaps(begin, ("the",)):
                for end, things in (*self._by_mark(start), *self._named(start)):
                    if things.type == node_type and not self._names_itself(things):
                        yield end, things.items
        for end, items in self.had(at, node_type) if self.word(at).endswith("ed") else ():  # "aged 32"
            views = [i.view for i in items if isinstance(i, Hop)]
            ends = [step.target for view in views if (step := self.lexicon.shape.steps.get(view)) is not None]
            if not (
                may_act(node_type) and any(map(may_act, ends))
            ):  # "firms hired in 2019": by cooks, or these?
                yield end, items
        for begin, _ in self.said(at, ("without",)):
            yield from self._lacking(begin, node_type)
        yield from self.without_having(at, node_type)
        naming = ("named", "called", "titled", "with the name", "with the title")
        for begin in (b for start in self.perhaps(at, BE) for b, _ in self.said(start, naming)):
            for end, test in self.owned(begin, node_type, naming=True):
                if self.lexicon.shape.properties[test.held].naming:
                    yield end, (test,)
        yield from self.excepting(at, node_type)
        yield from self.all_of_whose(at, node_type)
        yield from self.neither_of(at, lambda begin: self._modifier(begin, node_type))
        if self.word(at) in ("in", "on", "at", "before", "after", "since", "until", "between", "during") and (
            not self._being_so(at) and (self._leads(at, node_type) or self._dated_alone(at, node_type))
        ):
            date = self.lexicon.made(node_type)
            yield from self.dated(at, date) if date is not None else ()
        yield from self.placed(at, node_type, "be")
        yield from self.bound(at, node_type)
        yield from self.sharing(at, node_type)
        yield from self.predicate(at, node_type)
        yield from self.doing(at, node_type, reduced=True)

    def _each_whose(self, at: int, node_type: str, most: int = 4) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What is said of one thing that nodes have and of more: "whose budget is above 500 and the region is Oslo"."""
        for end, items in self._whose(at, node_type):
            yield end, items
            for begin, _ in self.said(end, AND) if most > 1 else ():
                for start in self.perhaps(begin, _AND_ITS):
                    for last, more in self._each_whose(start, node_type, most - 1):
                        yield last, (*items, *more)

    def _names_itself(self, things: Things) -> bool:
        """Whether nodes are told by their own name, and not by another text."""
        tests = [i for i in things.items if isinstance(i, Test)]
        return any(self.lexicon.shape.properties[t.held].naming for t in tests)

    def _being_so(self, at: int) -> bool:
        """Whether a value ends here that nodes are said to be: what "was open in 1990" has no date of being so."""
        said = any(end == at and self.values[i].found for end, i in self.value(at - 1)) if at > 1 else False
        return said and self.word(at - 2) in BE

    def _leads(self, at: int, node_type: str) -> bool:
        """Whether the noun that ends here is what is asked for: of "who bought a book in 2020" the time is that of buying."""
        begins = [i for i in range(at) if ASKING.issuperset(self.words[:i])]
        return any(end == at and t.type == node_type for i in begins for end, t in self.things(i, plain=True))

    def _dated_alone(self, at: int, node_type: str) -> bool:
        """Whether of all that was named before a word only nodes of a type have dates: of singers in concerts in 2014 the concerts."""
        named = {t for i in range(at) for _, t in self.types(i)}
        links = [s.link.key for t in named for s in self.lexicon.steps(t) if s.target in named]
        return not any(self.lexicon.dates(owner) for owner in (*(named - {node_type}), *links))

    def where(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Where Ann acted", "where a user named 'x' is a moderator", "where three or more lines call"."""
        for start, pairs in self.quantity(at):
            for middle, subject in self.things(start, plain=True):
                for step in self.lexicon.steps(node_type):
                    acts = step.target == subject.type and not step.out and self.word(middle)
                    if acts and not self.vague(subject) and self.lexicon.begins(self.word(middle), step):
                        measure = Measure("CNT", "", self.hop(step, subject))
                        for end in self.perhaps(middle + 1, ("at", "in", "on", "there")):
                            yield end, tuple(Compared(measure, op, span) for op, span in pairs)
        for middle, subject in self.things(at) if self.word(at) not in UNIVERSAL else ():
            steps = self.lexicon.way(node_type, subject.type) if subject.one else ()
            for begin in self.perhaps(middle, BE) if steps else ():
                own = self.lexicon.told_by(subject.type)
                stands = self.word(begin) in ("stands", "appears", "occurs") or (
                    begin > middle
                    and (
                        makes(self.word(begin))
                        or (own is not None and self.lexicon.goes_with(self.word(begin), own))
                    )
                )
                for end in (begin + 1,) if stands else (begin,) if begin > middle else ():
                    yield end, (self.through(steps, subject),)
            for step in self.lexicon.steps(node_type):
                if step.target != subject.type or step.source == step.target or self.vague(subject):
                    continue
                for start in self.perhaps(middle, HAVE):
                    if not step.out and self.word(start) and self.lexicon.acts(self.word(start), step):
                        yield start + 1, (self.hop(step, subject),)
                undergone = self.lexicon.undergone(step.link) if not step.out and subject.one else ""
                if undergone and self.word(middle) in BE and self.word(middle + 1) == undergone:
                    yield middle + 2, (self.hop(step, subject),)
                staying = self.word(middle) in BE and STAYING.get(self.word(middle + 1)) == "be"
                if staying and self.lexicon.is_noun_of(self.lexicon.reversed(step)):
                    yield middle + 2, (self.hop(step, subject),)
                for begin, _ in self.said(middle, ("is a", "is an", "was a", "was an", "is the")):
                    for end, noun in self.lexicon.roles(self.words, begin):
                        if self.lexicon.reversed(noun) == step:
                            yield end, (self.hop(step, subject),)

    def there(self, at: int) -> Iterator[int]:
        """Where it ends that something is in, of, or from what is spoken of: "X belongs to", "X is in"; of "in which Y does X stand" the verb."""
        led = self.word(0) in PLACED
        for end, verb in self.said(
            at,
            (
                "belongs",
                "belong",
                "comes",
                "come",
                "is",
                "was",
                "are",
                "stands",
                "stand",
                "lies",
                "lie",
                "sits",
                "sit",
            ),
        ):
            if led and verb not in BE and self.done(end):
                yield end
            yield from (
                last
                for last, _ in self.said(end, ("to", "from", "in", "at", "on", "of", "part of", "listed in"))
            )

    def _by_every(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What each of some nodes does something to: "(parts that) all Italian suppliers supply"."""
        for begin, _ in self.said(at, EVERY):
            for middle, subject in self.things(begin):
                for step in self.lexicon.steps(node_type):
                    word = self.word(begin - 1)
                    if step.target == subject.type and self.is_each(subject, word, middle, step):
                        back = self.lexicon.reversed(step)
                        for end, _ in self._said_by(middle, back, reduced=False):
                            yield end, (All(Hop(step.action, subject.items)),)

    def owned_phrase(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A clause whose subject is another node: "projects that Ben works on", "books that Ann wrote in 2010"."""
        if self.word(at) in ("all", "every"):
            yield from self._by_every(at, node_type)
            return
        for middle, subject in self.things(at, plain=True):
            steps = self.lexicon.way(node_type, subject.type) if subject.one else ()
            place = bool(steps) and node_type not in self.lexicon.people  # no book is in its author
            for end in self.there(middle) if place else ():
                yield end, (self.through(steps, subject),)
            for start in self.perhaps(middle, ("itself",)):
                for end, _ in self.said(start, _NOT_THERE) if place else ():
                    yield end, (Not(self.through(steps, subject)),)
            if len(steps) == 1 and self.lexicon.light(self.word(middle), steps[0]):
                yield middle + 1, (self.hop(steps[0], subject),)
            for begin, _ in self.said(middle, BE) if subject.one else ():  # "that Tern is moored in"
                for step in self.lexicon.steps(node_type):
                    if step.target == subject.type and not step.out and self.lexicon.undergone(step.link):
                        for end in self._verb(begin, step.link.name):
                            yield end, (self.hop(step, subject),)
            for end, step in self.handed(middle, subject.type) if subject.type == node_type else ():
                for begin, _ in self.said(end, ("to",) if step.out else ("from",)):
                    yield begin, (self.hop(self.lexicon.reversed(step), subject),)
        yield from self.owned_by_both(at, node_type)
        for middle, subject in self.things(at):
            told = subject.items and not subject.many and self.asked_before(at, node_type)
            over = self.lexicon.over(node_type, subject.type) if told else ()
            for begin in self.perhaps(middle, HAVE) if over else ():
                # Nobody works where what they sold is, and no service writes what is on its server.
                made = makes(self.word(begin)) and self.word(begin) not in STAYING and may_act(subject.type)
                if made and not self.lexicon.between(node_type, subject.type):
                    yield from (
                        (end, (self.through(over, subject),)) for end in self.perhaps(begin + 1, TOWARDS)
                    )
        subjects = [
            (b, subject)
            for m, subject in self.things(at, plain=True)
            for b in self.perhaps(m, (*HAVE, "also"))
        ]
        subjects += [  # what a package depends on is what its versions do
            (b, Things(step.target, (self.hop(self.lexicon.reversed(step), subject),), many=True))
            for b, subject in subjects
            for step in self.lexicon.versions(subject.type)
        ]
        for middle, subject in subjects:
            yield from self.subject_of(middle, subject, node_type)
            for step in self.lexicon.steps(node_type):
                if step.target != subject.type or middle >= len(self.words) or self.vague(subject):
                    continue
                role = step.target in self.lexicon.people and self.lexicon.is_noun_of(
                    step
                )  # who wrote it is its author
                alone = (not step.out or role) and self.lexicon.between(step.source, step.target) is not None
                named = {end for end, _ in self._said_by(middle, self.lexicon.reversed(step), reduced=False)}
                does = self.lexicon.does(self.word(middle), step) or (role and makes(self.word(middle)))
                other = alone and not self._named_verb(middle) and does
                onwards = self.perhaps(middle + 1, TOWARDS) if other else ()
                done = self.hop(step, subject)
                for end in named.union(onwards):
                    yield end, (done,)
                    for last, tests in self.dated_edge(end, step):
                        yield last, (replace(done, items=(*done.items, *tests)),)
