"""What is joined to what: roles ("the CEO of X", "actors"), neighbours, how many of them, and verbs that say a relation."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphtalk.language.dictionary import verb_done
from graphtalk.reasoners.around.names import agents, deeds, root
from graphtalk.reasoners.phrases.conditions import Conditions
from graphtalk.reasoners.phrases.schema_words import is_date
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.words import BE, DO, HAVE
from graphtalk.reasoners.reader.reading import (
    All,
    Best,
    Compared,
    Either,
    Hop,
    Item,
    Measure,
    Not,
    Other,
    Span,
    Test,
)
from graphtalk.reasoners.reader.shape import Held, Step

_OTHER = ("different", "distinct", "unique", "other", "separate", "individual")
_JOINED_TO = (
    "associated with",
    "linked to",
    "connected to",
    "related to",
    "part of",
    "a part of",
    "used by",
    "used in",
)
_OWNED = frozenset(map(root, "own hold keep possess run head lead manage issue".split()))
_BELONGING = ("belong to", "belongs to", "belonged to", "belonging to")
_THEM = (
    "associated", "listed",
    *(f"{joined} {them}" for joined in ("associated with", "linked to", "connected to") for them in ("them", "it")),
    *(f"{stays} {there}" for stays in ("based", "located") for there in ("in them", "in it", "within them", "there")),
)  # fmt: skip
MOST_OF = {
    "the most": True, "most": True, "the fewest": False, "the least": False,
    **{f"{the}{degree} {number} of": degree in ("most", "highest", "largest", "greatest") for the in ("the ", "")
       for degree in ("most", "highest", "largest", "greatest", "least", "fewest", "lowest", "smallest") for number in ("number", "amount")},
}  # fmt: skip
MORE_OR_FEWER = {"more": "GT", "fewer": "LT", "less": "LT"}
_THEIR = tuple(
    f"{whose}{own}" for whose in ("their", "his", "her", "its", "his or her") for own in (" own", "")
)
BE_SAID = frozenset((*BE, "be", "being", "been"))
_LISTED = ("listed as", "said to be", "known to be", "given as")
_LISTED_WITH = ("and", "or", ", and", ", or", ",")
_ANYBODY = ("people", "that people", "users", "that users", "customers", "that customers")
_OF = ("of", "to", "for")
_AT = (*_OF, "in", "at", "on")
EVERY = ("every", "every single", "each and every", "all", "all the", "all of the")
UNIVERSAL = ("all", "every", "each", "both")


class Relating(Conditions):
    """How the phrases of one question are joined."""

    @abstractmethod
    def things(self, at: int, plain: bool = False) -> list[tuple[int, Things]]:
        """The noun phrases that begin at a word."""

    @abstractmethod
    def dated_edge(self, at: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """When something was done, where the edges of a relation have one date."""

    @abstractmethod
    def modified(self, at: int, things: Things, most: int = 3) -> Iterator[tuple[int, Things]]:
        """A noun phrase with what is said after its noun."""

    def several_named(self, at: int, joint: str) -> Iterator[tuple[int, Things]]:
        """Nodes of one type by their names, with a word before the last: "Rome or Oslo", "A, B and C"."""
        found = self.things(at, plain=True)
        while found:
            longer = []
            for end, first in found:
                match first.items:
                    case (Test(operator="EQ") as test,) if self.lexicon.shape.properties[test.held].naming:
                        for begin, joined in self.said(end, (joint, f", {joint}", ",")):
                            for last, other in self.things(begin, plain=True):
                                match other.items:
                                    case (Test(test.held, "EQ", values),) if (
                                        other.one and values != test.values
                                    ):
                                        either = replace(test, values=(*test.values, *values))
                                        both = Things(first.type, (either,))
                                        if joined == ",":
                                            longer.append((last, both))
                                        else:
                                            yield last, both
            found = longer

    def in_role(self, at: int) -> Iterator[tuple[int, Things]]:
        """Nodes by what they are to others: "actors", "board members of Acme", "moderators of more than one team"."""
        for end, step in self.roles(at):
            typed = any(e == end for e, _ in self.types(at))
            of_own = step.source == step.target and (step.link.undirected or not self.many(end))
            alike = list(self._roles_alike(end, step))
            listed = any(any(True for _ in self.roles(begin)) for begin, _ in self.said(end, _LISTED_WITH))
            if not of_own and not typed and not alike and not listed:
                yield end, Things(step.source, (Hop(step.action),), many=self.many(end))
            if alike and sum(e == end and s.target == step.target for e, s in self.roles(at)) == 1:
                yield from (
                    (last, Things(step.source, (_any_of(hops),), many=True)) for last, _, hops in alike
                )
            yield from self._role_of(end, step, _OF if typed else _AT)

    def _roles_alike(self, at: int, step: Step) -> Iterator[tuple[int, bool, tuple[Hop, ...]]]:
        """Roles after another to the same: "(owners) and directors of X", "(suppliers), rivals or owners of X", each with all of them, and
        whether all are meant.
        """
        for begin, joint in self.said(at, _LISTED_WITH):
            for middle, other in self.roles(begin):
                if (other.source, other.target) == (step.source, step.target):
                    last = (
                        (end, "or" not in joint, told.items)
                        for end, told in self._role_of(middle, other, _AT)
                    )
                    for end, every, hops in (*last, *self._roles_alike(middle, other)):
                        of_one = [hop for hop in hops if isinstance(hop, Hop)]
                        if len(of_one) == len(hops):
                            yield end, every, (replace(of_one[-1], view=step.action), *of_one)

    def _role_of(self, at: int, step: Step, led: Sequence[str]) -> Iterator[tuple[int, Things]]:
        for begin, _ in self.said(at, led):
            for end, items in self.joined(begin, step):
                told = Things(step.source, items, many=self.many(at))
                yield end, told
                match items:
                    case (Hop() as hop,) if self.word(end) == "since":  # "members of X since 2022"
                        for last, when in self.dated_edge(end, step):
                            yield last, replace(told, items=(replace(hop, items=(*hop.items, *when)),))

    def roles(self, at: int) -> Iterator[tuple[int, Step]]:
        """Nouns for what is at one end of a relation, each as the step that leads from it: to what it is that of."""
        for end, step in self.lexicon.roles(self.words, at):
            typed = [name for e, name in self.types(at) if e == end]
            if not typed or step.source in typed:
                yield end, step
            for last, name in self.types(end):
                if name == step.source:
                    yield last, step
        for middle, step in (
            s for t in self.lexicon.shape.types for s in self.lexicon.akin(self.roots, at, t)
        ):
            yield from ((end, step) for end, t in self.types(middle) if t == step.source)
        for step in (s for t in self.lexicon.shape.types for s in self.lexicon.steps(t)):
            if (deed := self.lexicon.done_by(step)) and deed in deeds(
                self.word(at)
            ):  # citations are by who cites
                yield at + 1, self.lexicon.reversed(step)
        # "neighbouring states", "the adjacent rooms"
        for end, name in self.types(at + 1):
            yield from ((end, step) for step in self.lexicon.beside(self.word(at), name))
        for end, name in self.types(at):
            for last, step in self.lexicon.roles(self.words, end):
                if name == step.source:
                    yield last, step

    def is_role(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Is a CEO", "are competitors of X", "are moderators for more than one team"."""
        for begin in self.perhaps(at, ("a", "an", "the")):
            for end, step in self.roles(begin):
                if step.source == node_type:
                    of_own = step.source == step.target  # "which clerks are mentors", of anybody
                    alone = self.done(end) and not step.link.undirected and (begin > at or self.many(end))
                    alone = alone if of_own else self.word(end) != "of"
                    alike = list(self._roles_alike(end, step))
                    yield from ((e, hops if every else (_any_of(hops),)) for e, every, hops in alike)
                    alone = alone and not alike
                    if alone and not BE_SAID.isdisjoint(
                        self.words[:at]
                    ):  # "urgent samples" are not who is a sample
                        yield end, (Hop(step.action),)
                    for last, things in self._role_of(end, step, _AT):
                        yield last, things.items

    def akin(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Similar to X", "co-viewed with X", "bought after viewing X", "listed as bought together with X", "that buyers of X also bought"."""
        for begin in self.perhaps(at, (*_ANYBODY, *_LISTED)):
            like = self.word(begin) == "like"  # is similar to
            roots = (*self.roots[:begin], root("similar"), *self.roots[begin + 1 :]) if like else self.roots
            for end, step in self.lexicon.akin(roots, begin, node_type):
                begins = [end] if like or self.word(end - 1).endswith("ing") else []
                begins += [m for m, _ in self.said(end, ("with", "to", "as", "by"))]
                begins += [
                    m + 1 for m, _ in self.said(end, ("who", "that")) if self.roots[m] == self.roots[end - 1]
                ]
                for middle in begins:
                    yield from self.joined(middle, step)
            for middle, named in self.things(begin + 2, plain=True):  # "bought after X was viewed"
                after = (
                    (*self.roots[begin : begin + 2], self.roots[middle + 1]) if self.word(middle + 1) else ()
                )
                for end, step in (
                    self.lexicon.akin(after, 0, node_type) if named.one and self.word(middle) in BE else ()
                ):
                    if end == len(after) and named.type == step.target:
                        yield middle + 2, (self.hop(step, named),)
        for middle, deed, named in self._who_did(at, node_type):
            for end, step in self.lexicon.akin(self.roots, middle, node_type):
                if deed == self.roots[end - 1] and self.word(middle) == "also":
                    yield end, (self.hop(step, named),)

    def _who_did(self, at: int, node_type: str) -> Iterator[tuple[int, str, Things]]:
        """ "Buyers of X", "those who bought X": where it ends, the root of what they did, and X."""
        deeds = [
            (end, d)
            for begin in self.perhaps(at, ("that",))
            for end, _ in self.said(begin + 1, ("of",))
            for d in agents(self.word(begin))
        ]
        for begin, _ in self.said(
            at,
            [
                f"{who} {rel}"
                for who in ("those", "people", "customers", "users", "buyers")
                for rel in ("who", "that")
            ],
        ):
            deeds += [(begin + 1, root(self.word(begin)))]
        for begin, deed in deeds:
            yield from (
                (end, deed, named)
                for end, named in self.things(begin, plain=True)
                if named.one and named.type == node_type
            )

    def neighbours(self, at: int, node_type: str, plain: bool = False) -> Iterator[tuple[int, Step, Things]]:
        """What nodes of a type have: nodes of a type that one relation leads to, or in a role to them."""
        for end, far in self.things(at, plain):
            step = self.lexicon.plain(node_type, far.type)
            if step is not None and not self.in_role_to(far, node_type):
                yield end, step, far
        for begin in self.perhaps(at, ("a", "an", "any", "the")):
            for end, step in self.roles(begin):
                if step.target == node_type:
                    there = self.lexicon.reversed(step)
                    far = Things(there.target, many=self.many(end))
                    yield end, there, far
                    for last, test in self.owned(end, far.type, naming=True):
                        yield last, there, replace(far, items=(test,), one=True)
                    if not plain:
                        yield from ((last, there, more) for last, more in self.modified(end, far))

    def in_role_to(self, things: Things, node_type: str) -> bool:
        """Whether nodes are told by their role to a type, and so are joined to it by that: the capital that a state has is its capital."""
        return any(step.target == node_type for step in self.bare_roles(things))

    def bare_roles(self, things: Things) -> list[Step]:
        """The roles that nodes are told by where it is not said to whom they have them."""
        steps = self.lexicon.shape.steps
        return [steps[i.view] for i in things.items if isinstance(i, Hop) and not i.items and i.view in steps]

    def joined(self, at: int, step: Step, plain: bool = False) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What a step leads to: nodes, so many, most of all, or none."""
        of_any = self.word(at - 1) == "of"  # "the owners of all shops" may own some
        for begin, _ in self.said(at, EVERY) if not of_any else ():
            for end, far in self._reached(begin, step, plain):
                if self.is_each(far, self.word(begin - 1), end, step):
                    yield end, (All(Hop(step.action, far.items)),)
        if self.word(at) in UNIVERSAL:
            return
        for end, far in self._reached(at, step, plain):
            if not self.vague(far) and not self.returns(step, far):
                yield end, (self.hop(step, far),)
        yield from self._numbered(at, step)

    def is_each(self, far: Things, word: str, end: int, step: Step) -> bool:
        """Whether a noun phrase after "every" or "all" means each of its nodes: "every shop", "all shops in Rome".

        Of what has one owner alone nobody has all: "had every voyage completed" means their own.
        """
        if self.lexicon.to_one(self.lexicon.reversed(step)):
            return False
        best = any(isinstance(i, Best) for i in far.items)
        many = far.many or self.many(end)  # "all women", by their sex
        return not far.one and not best and many == (word not in ("every", "single"))

    def _reached(self, at: int, step: Step, plain: bool = False) -> Iterator[tuple[int, Things]]:
        """The noun phrases for what a step leads to; who are people are called so too."""
        yield from ((end, far) for end, far in self.things(at, plain) if far.type == step.target)
        anybody = self.word(at) in ("people", "persons", "someone", "somebody", "anyone", "anybody")
        if anybody and step.target in self.lexicon.people and not self.types(at):
            one = Things(step.target, many=self.word(at) in ("people", "persons"))
            yield at + 1, one
            yield from self.modified(at + 1, one) if not plain else ()
        yield from self._around_it(at, step)

    def _around_it(self, at: int, step: Step) -> Iterator[tuple[int, Things]]:
        """What a step leads to by the name of where that is: who is born in a country is born in a city of it."""
        led = self.word(at - 1) if self.word(at - 1) != "the" else self.word(at - 2)
        for end, place in self.things(at, plain=True) if led in ("in", "within", "from") else ():
            chain = self.lexicon.located(step.target, place.type) if place.one else ()
            if chain and not any(
                s.target == place.type and s.link.name == step.link.name
                for s in self.lexicon.steps(step.source)
            ):
                yield end, Things(step.target, (self.through(chain, place),), one=True)

    def _numbered(self, at: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """So many of what a step leads to, most of all, none."""
        for end, pairs in self.quantity(at):
            for begin in self.perhaps(end, _OTHER):
                for last, far in self._reached(begin, step):
                    if not far.one and not self.vague(far):
                        measure = Measure("CNT", "", self.hop(step, far))
                        yield last, tuple(Compared(measure, operator, span) for operator, span in pairs)
        for end, word in self.said(at, tuple(MORE_OR_FEWER)):
            for last, far in self._reached(end, step):
                if not far.one and not self.vague(far):
                    measure = Measure("CNT", "", self.hop(step, far))
                    yield from self.than_another(last, measure, MORE_OR_FEWER[word], step.source)
        for end, phrase in self.said(at, tuple(MOST_OF)):
            for begin in self.perhaps(end, _OTHER):
                for last, far in self._reached(begin, step):
                    if not far.one and not self.vague(far):
                        yield last, (Best(MOST_OF[phrase], Measure("CNT", "", self.hop(step, far))),)
        for end, _ in self.said(at, ("no", "no other")):
            for last, far in self._reached(end, step):
                if not far.one and not self.vague(far):
                    yield last, (Not(self.hop(step, far)),)

    def than_another(
        self, at: int, measure: Measure, operator: str, node_type: str
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "(More books) than Ann has", "(more books) than maps", "(fewer members) than their target": a number compared with another's, or with another."""
        for begin, _ in self.said(at, ("than",)):
            for middle, other in self.things(begin, plain=True):
                names = [i.values for i in other.items if isinstance(i, Test) and other.one]
                match names if other.type == node_type and len(other.items) == 1 else []:
                    case [(Span(index=index),)]:
                        for end in self.perhaps(middle, (*HAVE, *DO)):
                            yield end, (Compared(measure, operator, Span(index, than=True)),)
            for end, step, far in self.neighbours(begin, node_type, plain=True):
                count = Measure("CNT", "", self.hop(step, far))
                if far.many and not far.one and count != measure:
                    yield end, (Compared(measure, operator, count),)
            for start, _ in self.said(begin, ("their", "its")):
                for end, held in self.lexicon.noun(self.roots, start, node_type):
                    if held.kind == "number" and not is_date(held):
                        yield end, (Compared(measure, operator, Measure("PROPERTY", held.action)),)

    def than(self, at: int, held: Held, operator: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Compared with the same property of a node by its name, or of the one that it is joined to: "than their manager"."""
        yield from super().than(at, held, operator)
        for end, step, far in self.their_one(at, held.owner):
            theirs = self.lexicon.alike(held, far.type)
            if theirs is not None:
                hop = Hop(step.action, far.items, name=f"O{at}")
                test = Test(held.action, operator, (Other(f"O{at}", theirs.action),))
                for last in self.perhaps(end, (*DO, *HAVE, *BE)):
                    yield last, (hop, test)
                for begin, _ in self.said(end, ("'s",)):
                    nouns = self.lexicon.noun(self.roots, begin, far.type)
                    yield from ((last, (hop, test)) for last, named in nouns if named == theirs)

    def their_one(self, at: int, node_type: str) -> Iterator[tuple[int, Step, Things]]:
        """The one that each node of a type has of something: "their manager", "his own team"."""
        for begin, _ in self.said(at, _THEIR):
            for end, step, far in self.neighbours(begin, node_type, plain=True):
                if self.lexicon.to_one(step) and not far.many and not far.one:
                    yield end, step, far

    def having_neighbours(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What follows "has": a neighbour, so many, the most of all, none, one as something."""
        found: list[tuple[int, Step, tuple[Item, ...]]] = []
        for begin, _ in self.said(at, EVERY):
            for end, step, far in self.neighbours(begin, node_type):
                if self.is_each(far, self.word(begin - 1), end, step):
                    found.append((end, step, (All(Hop(step.action, far.items)),)))
        if self.word(at) not in UNIVERSAL:
            found += [
                (end, step, (self.hop(step, far),))
                for end, step, far in self.neighbours(at, node_type)
                if (not far.one or self.word(at) in ("a", "an", "the"))
                and not self.vague(far)
                # "The state with the lowest point" is that of one point, not any state that has one.
                and (far.items or far.many or self.word(at) != "the")
            ]
        both = self.said(at, ("both",)) if self.word(at + 1) != "the" else ()
        for begin, _ in both:  # "both a cat and a dog"
            for middle, step, one in self.neighbours(begin, node_type, plain=True):
                for start, _ in self.said(middle, ("and",)):
                    for end, second, other in self.neighbours(start, node_type):
                        if not self.vague(one) and not self.vague(other):
                            found.append((end, second, (self.hop(step, one), self.hop(second, other))))
        for end, pairs in self.quantity(at):
            for begin in self.perhaps(end, _OTHER):
                for last, step, far in self.neighbours(begin, node_type):
                    if not far.one and not self.vague(far):
                        measure = Measure("CNT", "", self.hop(step, far))
                        found.append((last, step, tuple(Compared(measure, op, span) for op, span in pairs)))
        for end, span in self.number(at):  # "3 members or more"
            for middle, step, far in self.neighbours(end, node_type, plain=True):
                measure = Measure("CNT", "", self.hop(step, far))
                if not far.one:
                    found += [
                        (last, step, (Compared(measure, op, span),)) for last, op in self.or_more(middle)
                    ]
        for end, word in self.said(at, tuple(MORE_OR_FEWER)):
            for last, step, far in self.neighbours(end, node_type, plain=True):
                if not far.one:
                    measure = Measure("CNT", "", self.hop(step, far))
                    compared = self.than_another(last, measure, MORE_OR_FEWER[word], node_type)
                    found += [(stop, step, items) for stop, items in compared]
        for end, phrase in self.said(at, tuple(MOST_OF)):
            for begin in self.perhaps(end, _OTHER):
                for last, step, far in self.neighbours(begin, node_type):
                    if not far.one and not self.vague(far):
                        best = Best(MOST_OF[phrase], Measure("CNT", "", self.hop(step, far)))
                        found.append((last, step, (best,)))
        for end, step, items in found:
            yield end, items
            yield from ((last, items) for last in self._done_to_them(end, step))
        yield from self._having_as(at, node_type)

    def _done_to_them(self, at: int, step: Step) -> Iterator[int]:
        """Where it ends that what a step leads to is joined to what has it: "associated with them", "that mention it", "mentioning them"."""
        yield from (end for end, _ in self.said(at, _THEM))
        for begin in self.perhaps(at, ("that", "which", "who")) if not step.out else ():
            deed = begin > at or self.word(begin).endswith("ing")
            if deed and self.word(begin + 1) in ("them", "it") and self.lexicon.acts(self.word(begin), step):
                yield begin + 2

    def _having_as(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Has 'X' as a CEO", "have 'en' as their language"."""
        for end, far in self.things(at, plain=True):
            for begin, _ in self.said(end, ("as a", "as an", "as their", "as its", "as the", "as")):
                for last, step, noun in self.neighbours(begin, node_type, plain=True):
                    if noun.type == far.type and not noun.items:
                        yield last, (self.hop(step, far),)

    def beside(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Next to X", "adjacent to X"."""
        for begin, _ in self.said(at, ("next to", "right next to", "directly next to", "adjacent to")):
            for step in self.lexicon.beside("adjacent", node_type):
                yield from self.joined(begin, step)

    def associated(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Associated with X", "linked to more than 3 teams", "belongs to X": over the one relation that there is."""
        for begin, joint in self.said(at, (*_JOINED_TO, *_BELONGING)):
            for target in self.lexicon.shape.types:
                step = self.lexicon.between(node_type, target) or self.lexicon.called_so(
                    self.roots[at], node_type, target
                )
                if step is not None and not (
                    joint in _BELONGING and is_done_by(self.lexicon.said(step.link))
                ):
                    yield from self.joined(begin, step)
        assigned = self.word(at).endswith("ed") and self.word(at + 1) in ("to", "onto")
        for target in self.lexicon.shape.types if assigned else ():  # by `assignments`
            step = self.lexicon.called_so(self.roots[at], node_type, target)
            if step is not None:
                yield from self.joined(at + 2, step)

    def hop(self, step: Step, far: Things) -> Hop:
        """A hop to nodes; it has a name where it must be worked out before. "By the author of X" means X too."""
        best = any(isinstance(i, Best) for i in far.items)
        items = tuple(
            replace(i, anew=not far.many) if self._is_back(step, i) and isinstance(i, Hop) else i
            for i in far.items
        )
        return Hop(step.action, items, name=f"B{len(repr(far.items))}" if best else "")

    def _is_back(self, step: Step, item: Item) -> bool:
        """Whether a condition on what a step leads to is a hop back over the same relation."""
        return isinstance(item, Hop) and item.view == self.lexicon.reversed(step).action

    def goes_back(self, hop: Hop) -> bool:
        """Whether a hop leads to others of what it comes from: back over another edge."""
        step = self.lexicon.shape.steps.get(hop.view)
        return step is not None and any(
            self._is_back(step, i) and isinstance(i, Hop) and not i.anew for i in hop.items
        )

    def through(self, steps: Sequence[Step], far: Things) -> Hop:
        """A hop over one step after the other to nodes."""
        hop = self.hop(steps[-1], far)
        for step in reversed(steps[:-1]):
            hop = Hop(step.action, (hop,))
        return hop

    def vague(self, things: Things) -> bool:
        """Whether nodes are the best of all, but how many of them nobody said: "games with the most players"."""
        return things.many and any(isinstance(i, Best) and i.limit is None for i in things.items)

    def returns(self, step: Step, far: Things) -> bool:
        """Whether a hop leads back by what only its own edge says: "reviewed films with a rating of 5" means that review."""
        properties = self.lexicon.shape.properties
        backs = [i for i in far.items if isinstance(i, Hop) and self._is_back(step, i)]
        return any(
            h.items and all(isinstance(i, Test) and properties[i.held].edge for i in h.items) for h in backs
        )

    def many(self, end: int) -> bool:
        """Whether the noun that ends here is in the plural."""
        word = self.word(end - 1)
        return word in ("people", "men", "women", "children") or (
            word.endswith("s") and not word.endswith("ss")
        )

    def edge_tests(self, at: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What edges have themselves, after a verb: "with a rating above 80", "with the summary 'x'"."""
        for begin, _ in self.said(at, ("with", "having", "at", "on")):
            for start in self.perhaps(begin, ("a", "an", "the")):
                yield from self._tests_of_edge(start, step)

    def _tests_of_edge(self, at: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        for middle, held in self.lexicon.noun(self.roots, at, step.link.key):
            for end, items in self.said_of_value(middle, held):
                if all(isinstance(i, Test) for i in items):
                    yield end, items
        for middle, test in self.owned(at, step.link.key):  # "the night shift"
            noun = self.lexicon.noun(self.roots, middle, step.link.key)
            yield from ((end, (test,)) for end, held in noun if held.action == test.held)

    def edge_had(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What only edges have, of what they join: "a rating above 80", "a review summary containing 'x'"."""
        for begin in self.perhaps(at, ("a", "an", "the")):
            if self.lexicon.noun(self.roots, begin, node_type):
                continue
            found = [
                (end, (Hop(step.action, items),))
                for step in self.lexicon.steps(node_type)
                for start in (begin, *([begin + 1] if self.lexicon.begins(self.word(begin), step) else []))
                for end, items in (self._tests_of_edge(start, step) if step.source != step.target else ())
            ]
            for step in self.lexicon.steps(node_type):
                own = (
                    self._said_of_edge(begin + 1, step) if self.lexicon.begins(self.word(begin), step) else ()
                )
                found += [
                    (end, (Hop(step.action, items),)) for end, items in own if step.source != step.target
                ]
            if len({items[0].view for _, items in found}) == 1:
                yield from found

    def _said_of_edge(self, at: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """How much an edge comes to, and when it was, after its noun: "(a shift) of more than 7 hours on 6 July", "(a sponsorship) in 2023"."""
        key = step.link.key
        dates = self.lexicon.dates(key)
        amounts = [found for begin in self.perhaps(at, ("of",)) for found in self.of_unit(begin, key)]
        for end, items in ((at, ()), *amounts):
            yield from ((end, items),) if items else ()
            yield from ((last, (*items, *when)) for date in dates for last, when in self.dated(end, date))


def limited(things: Things, limit: Span | None) -> Things | None:
    """Things with how many of the best are asked for; None where the best already have a number of their own."""
    bests = [i for i in things.items if isinstance(i, Best)]
    if len(bests) != 1 or bests[0].limit is not None:
        return None
    return replace(things, items=tuple(replace(i, limit=limit) if i is bests[0] else i for i in things.items))


def _any_of(items: Sequence[Item]) -> Item:
    """One of several items, or more."""
    first, *others = items
    return Either(first, _any_of(others)) if others else first


def is_done_by(said: Sequence[str]) -> bool:
    """Whether a relation is called by what somebody does to its source: what was counted by Ann does not belong to her."""
    return said[-1] == "by" and bool(verb_done(said[0])) and root(said[0]) not in _OWNED
