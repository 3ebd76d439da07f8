"""What is said of several at once: "A or B", "neither A nor B", "only", "the same X as Y", "other than Y"."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import TypeAlias

from graphtalk.reasoners.phrases.sharing import Sharing
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.reader.reading import ITSELF, Best, Either, Hop, Item, Not, Test
from graphtalk.reasoners.reader.shape import Step

NOTHING = ("nothing", "nobody", "no one", "none")
_ANYTHING = (
    "anything",
    "anybody",
    "anyone",
    "something",
    "somebody",
    "someone",
    "anything else",
    "anyone else",
)
EACH_OTHER = ("each other", "one another")
ONLY = ("only", "exclusively", "nothing but", "no one but")
_OR = ("or", ", or")
_EXCEPT = ("other than", "besides", "except", "except for", "apart from", "aside from", "excluding", "but not", "that are not",
           ", except", ", except for", ", excluding")  # fmt: skip
_BUT_NOT = tuple(
    f"{but} {no}{at}"
    for but in ("but", ", but", "and")
    for no in ("not", "never")
    for at in ("", " by", " in", " to", " on", " from", " at", " for", " with")
)
_JOINED = (("", _OR, False), ("either", _OR, False), ("neither", ("nor", "or"), True))


Reads: TypeAlias = Callable[[int], Iterable[tuple[int, tuple[Item, ...]]]]
"""What reads conditions that begin at a word, each with where it ends."""


class Combining(Sharing):
    """Phrases that join, exclude or compare what other phrases say."""

    @abstractmethod
    def placed(self, at: int, node_type: str, verb: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Where something is, or whose it is."""

    @abstractmethod
    def owned_phrase(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A clause whose subject is another node."""

    @abstractmethod
    def predicate(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What follows "is"."""

    def _may_be(self, pronoun: str, node_type: str) -> bool:
        """Whether a pronoun may mean nodes of a type: where there are people, nobody is no place, and nothing is no person."""
        if pronoun.removesuffix(" else").endswith("thing") and node_type in self.lexicon.people:
            return False
        somebody = pronoun.removesuffix(" else").endswith(("body", "one")) and pronoun != "none"
        return not somebody or not self.lexicon.people or node_type in self.lexicon.people

    def joined(self, at: int, step: Step, plain: bool = False) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What a step leads to, and that it leads there only, to one of two, to neither, or to the same as another."""
        yield from super().joined(at, step, plain)
        for begin, _ in self.said(at, ONLY):
            yield from (
                (end, only) for end, items in super().joined(begin, step, plain) if (only := exclusive(items))
            )
        for end, pronoun in self.said(at, (*NOTHING, *_ANYTHING)):
            if self._may_be(pronoun, step.target):
                any_one = Hop(step.action)
                yield end, (Not(any_one) if pronoun in NOTHING else any_one,)
        if step.source == step.target:
            itself = Hop(step.action, same=ITSELF)
            yield from (
                (end, (itself,)) for end, _ in self.said(at, ("itself", "themselves", "himself", "herself"))
            )
            told = self.said(at, EACH_OTHER) if not self.lexicon.loops(step.link) else ()
            yield from ((end, self.mutual(step, f"M{at}")) for end, _ in told)
        yield from self._own(at, step)
        yield from self._several(at, step)
        for end, one in super().joined(at, step, plain=True) if self.word(at) in ("a", "an") else ():
            for begin, _ in self.said(end, ("and",)):  # "a book and a map"
                if self.word(begin) in ("a", "an"):
                    yield from ((last, (*one, *other)) for last, other in super().joined(begin, step, plain))
        for first, words, denied in _JOINED:
            for begin, _ in self.said(at, (first,)) if first else ((at, ""),):
                for end, one in super().joined(begin, step, plain=True):
                    yield from self._more_of(
                        end, one, words, denied, lambda at: self._joined_to(at, step, plain)
                    )
        for end, one in super().joined(at, step, plain=True):
            for begin, _ in self.said(end, _BUT_NOT):
                yield from (
                    (last, (*one, Not(other[0])))
                    for last, other in super().joined(begin, step, plain=True)
                    if len(other) == 1
                )
        for begin, _ in self.said(at, ("the same",)):
            for end, node_type in self.types(begin):
                if node_type == step.target:
                    yield from (
                        (last, self._of_other(step, other))
                        for last, other in self._as_named(end, step.source)
                    )

    def _joined_to(self, at: int, step: Step, plain: bool) -> Iterator[tuple[int, tuple[Item, ...]]]:
        for begin in self.perhaps(at, ("to", "in", "on", "by", "for", "with", "at", "from")):
            yield from super().joined(begin, step, plain)

    def _own(self, at: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What is joined to who it leads from by another relation too: "likes their own posts"."""
        for begin, _ in self.said(at, ("their own", "his own", "her own", "its own", "one of their own")):
            own = self.lexicon.authored(step.source, step.target)
            for end, node_type in self.types(begin) if own not in (None, step) else ():
                if own is not None and node_type == step.target:
                    one = f"O{at}"
                    yield end, (Hop(step.action, name=one), Hop(own.action, same=one))

    def mutual(self, step: Step, name: str, other: tuple[Item, ...] = ()) -> tuple[Item, ...]:
        """That a step leads to a node, any or the `other`, and back from it: "follow each other"."""
        if self.lexicon.either_way(step):
            return (Hop(step.action, other),)
        back = self.lexicon.reversed(step).action
        if other:
            return Hop(step.action, other), Hop(back, other)
        return Hop(step.action, name=name), Hop(back, same=name)

    def _several(self, at: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Two or more by their names, all of which it leads to: "A and B", "both A and B", "A, B and C"."""
        for begin in self.perhaps(at, ("both", "all of")):
            found: list[tuple[int, tuple[Item, ...]]] = [(e, (hop,)) for e, hop in self._by_name(begin, step)]
            while found:
                longer = []
                for end, items in found:
                    for start, joint in self.said(end, ("and", ", and", ",", "as well as", "and also")):
                        for last, hop in self._by_name(start, step):
                            if joint == ",":
                                longer.append((last, (*items, hop)))
                            else:
                                yield last, (*items, hop)
                found = longer

    def _by_name(self, at: int, step: Step) -> Iterator[tuple[int, Item]]:
        for begin in self.perhaps(at, ("to", "in", "on", "by", "for", "with", "at", "from")):
            for end, items in super().joined(begin, step, plain=True):
                if len(items) == 1 and self._names_one(items[0]):
                    yield end, items[0]

    def _names_one(self, item: Item) -> bool:
        """Whether a condition is a hop to one node by its name."""
        tests = [i for i in item.items if isinstance(i, Test)] if isinstance(item, Hop) else []
        held = [self.lexicon.shape.properties[i.held] for i in tests if i.operator == "EQ"]
        return any(h.naming or h == self.lexicon.told_by(h.owner) for h in held if not h.edge)

    def either_of(
        self, read: Iterable[tuple[int, tuple[Item, ...]]], again: Reads
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """One of two conditions: one that was read, "or", and one that is read after it."""
        for end, one in read:
            for begin, _ in self.said(end, _OR):
                for last, other in again(begin):
                    yield from ((last, both) for both in alternatives(one, other, False))

    def neither_of(self, at: int, again: Reads) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Neither A nor B", "either A or B", where A and B are what `again` reads."""
        for first, words, denied in _JOINED[1:]:
            for begin, _ in self.said(at, (first,)):
                for end, one in again(begin):
                    yield from self._more_of(end, one, words, denied, again)

    def _more_of(
        self, at: int, items: tuple[Item, ...], words: Sequence[str], denied: bool, again: Reads
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """One more condition, or several where all are denied: "(neither A) nor B nor C"."""
        for begin, _ in self.said(at, words):
            for end, other in again(begin):
                for both in alternatives(items, other, denied):
                    yield end, both
                    for last, (_, *more) in self._more_of(end, other, words, denied, again) if denied else ():
                        yield last, (*both, *more)

    def _as_named(self, at: int, node_type: str) -> Iterator[tuple[int, Things]]:
        """ "As Y": a node of a type by its name."""
        for begin, _ in self.said(at, ("as",)):
            for end, other in self.things(begin, plain=True):
                if other.one and other.type == node_type and len(other.items) == 1:
                    yield end, other

    def _of_other(self, step: Step, other: Things) -> tuple[Item, ...]:
        back = Hop(self.lexicon.reversed(step).action, other.items)
        return Hop(step.action, (back,)), Not(other.items[0])

    def excepting(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Other than Y", "except dramas"."""
        itself = any(s.target == node_type for s in self.lexicon.steps(node_type))
        for begin, phrase in self.said(at, _EXCEPT):
            for end, items in self._those(begin, node_type):
                if not any(isinstance(i, Best) for i in items):
                    nots: list[Item] = [i.item if isinstance(i, Not) else Not(i) for i in items]
                    yield end, (reduce(Either, nots),)
            several = [found for joint in ("and", "or") for found in self.several_named(begin, joint)]
            yield from ((end, (Not(o.items[0]),)) for end, o in several if o.type == node_type)
            for end, other in self.things(begin, plain=phrase in ("but not", "that are not")):
                if other.one and itself and phrase == "but not":  # "that border X but not Y" do not border Y
                    continue
                if other.type == node_type and len(other.items) == 1 and not isinstance(other.items[0], Best):
                    yield end, (Not(other.items[0]),)

    def _those(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "That of X", "those in Spain", "the ones that X is in", "the series of X": by what is said after them."""
        for begin, phrase in self.said(
            at, ("that", "those", "the one", "the ones", "any", "anything", "all those")
        ):
            if phrase != "that":
                for end, these in self.modified(begin, Things(node_type)):
                    yield end, these.items
            elif self.word(begin) == "of":
                yield from self.placed(begin, node_type, "be")
        for begin in self.perhaps(at, ("the",)):
            for middle, name in self.types(begin):
                if name == node_type and self.word(middle) == "of":
                    yield from self.placed(middle, node_type, "be")

    def all_of_whose(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "All of whose films are dramas", "whose films are all dramas": who has any, and none that is not."""
        for begin, phrase in self.said(at, ("all of whose", "all whose", "whose")):
            for middle, step, far in self.neighbours(begin, node_type, plain=True):
                for start, _ in self.said(middle, ("are all",) if phrase == "whose" else ("are", "were")):
                    for end, items in self.predicate(start, far.type) if not far.one else ():
                        one = Hop(step.action, (*far.items, *items))
                        if only := exclusive((one,), keep=far.items):
                            yield end, only


def alternatives(one: tuple[Item, ...], other: tuple[Item, ...], denied: bool) -> Iterator[tuple[Item, ...]]:
    """One of two conditions, or neither; nothing where either is several, or keeps the best."""
    if len(one) == len(other) == 1 and not any(isinstance(i, Best | Not) for i in (*one, *other)):
        yield (Not(one[0]), Not(other[0])) if denied else (Either(one[0], other[0]),)


def any_of_list(first: tuple[Item, ...], others: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    """One of a list of conditions ("A, B or C"), or none of them where the first is denied ("never A, B or C"), of the first and of one of the
    others; nothing where two of these are of one relation or property: "A, in B or C" may say both.
    """
    match first, others:
        case (one,), (Either() as either,):
            parts = list(_parts(either))
            kinds = {i.view if isinstance(i, Hop) else i.held for i in parts if isinstance(i, Hop | Test)}
            if len(kinds) < len(parts) or isinstance(one, Best):
                return
            yield (one, *map(Not, parts)) if isinstance(one, Not) else (Either(one, either),)


def _parts(item: Item) -> Iterator[Item]:
    """The conditions of which one is meant."""
    if isinstance(item, Either):
        yield from _parts(item.first)
        yield from _parts(item.second)
    else:
        yield item


def exclusive(items: tuple[Item, ...], keep: tuple[Item, ...] = ()) -> tuple[Item, ...]:
    """That a hop leads to what fulfils its conditions, and to nothing that does not; nothing where none is said."""
    if len(items) != 1 or not isinstance(items[0], Hop):
        return ()
    hop = items[0]
    own = [i for i in hop.items if i not in keep]
    if not own or any(isinstance(i, Best) for i in own) or hop.name:
        return ()
    none: Item = reduce(Either, map(_other_than, own[1:]), _other_than(own[0]))
    return hop, Not(Hop(hop.view, (*keep, none)))


def _other_than(item: Item) -> Item:
    """What something else is: who has ordered only lamps has no order with another thing, lamps beside it or not."""
    match item:
        case Not():
            return item.item
        case Hop() if item.items and not item.name and not any(isinstance(i, Best) for i in item.items):
            others = [_other_than(i) for i in item.items]
            return Either(Not(Hop(item.view)), Hop(item.view, (reduce(Either, others[1:], others[0]),)))
    return Not(item)
