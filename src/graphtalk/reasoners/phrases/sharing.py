"""What nodes share with a named one: "the same genre as X", "share more than 2 authors with X"."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence

from graphtalk.language.relating import is_verb
from graphtalk.reasoners.phrases.relating import Relating
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.words import BE, DO, HAVE, STAYING
from graphtalk.reasoners.reader.reading import Compared, Hop, Item, Measure, Not, Other, Span, Test
from graphtalk.reasoners.reader.shape import Held, Step

_SAME = ("the same", "the very same")
_OF_BOTH = ("have", "in", "on", "at", "from", "of", "to", "for")
_TIMES = {"year": "in", "month": "in", "week": "in", "day": "on"}
_MORE = ("and", "and the same", "and same", ",", "as well as", "and the", "and an", "and a")


class Sharing(Relating):
    """What the phrases of one question say that nodes share."""

    @abstractmethod
    def _said_by(self, at: int, step: Step, reduced: bool) -> Iterator[tuple[int, bool]]:
        """Where a verb ends that says a step, and whether it is active."""

    def sharing(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Share author and publisher with X", "have more than 2 authors in common with X", "have the same genre as X"."""
        for begin, verb in self.said(at, ("share", "shares", "sharing", "have", "has", "having", "with")):
            shares = verb.startswith("shar")
            for start in (
                self.perhaps(begin, ("both", "the", "an", "a", "the same", "both the same", "its"))
                if shares
                else ()
            ):
                yield from self._alike(start, node_type, "with", self.word(start - 1) == "its")
            for middle in self.perhaps(begin, ("both",)) if not shares else ():
                for start, _ in self.said(middle, ("the", "an", "a")):
                    yield from self._alike(start, node_type, "of")
            for start in self.perhaps(begin, ("both",)) if not shares else ():
                for middle, _ in self.said(start, _SAME):
                    yield from self._alike(middle, node_type, "as", True)
            for middle, pairs in self.quantity(begin):
                joint = ("with",) if shares else ("in common with",)
                yield from self._so_many(middle, node_type, pairs, joint)
                for start, _ in self.said(middle, ("of the", "of")):
                    yield from self._so_many(start, node_type, pairs, ("of",))
        for begin, _ in self.said(at, ("of", "in", "by", "from", "for", "with", "on", "at", "to")):
            for middle, _ in self.said(begin, (*_SAME, "its")):
                yield from self._alike(middle, node_type, "as", True)
            for middle, _ in self.said(begin, ("a different", "another")):
                for start, same in self._kinds(middle, node_type, 1):
                    for stop, _ in self.said(start, ("than", "from", "to")) if len(same) == 1 else ():
                        yield from self._as_their(stop, node_type, same, denied=True)
            yield from self._as_of_other(begin, node_type)

    def _as_of_other(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What a named node has: "in the genre of X", "with the price that X has"; it has that itself."""
        for begin in self.perhaps(at, ("the",)):
            for middle, held in self.lexicon.noun(self.roots, begin, node_type) if begin > at else ():
                for start, joint in self.said(middle, ("of", "that")) if not held.naming else ():
                    yield from self._as_their(start, node_type, (held,)) if joint == "of" else ()
                    for end, other in self.things(start, plain=True):
                        span = self._spans_of(other)
                        if other.type == node_type and len(span) == 1:
                            test = (Test(held.action, "EQ", (Span(span[0].index, True),)),)
                            ends = [end] if joint == "of" else [e for e, _ in self.said(end, ("has", "had"))]
                            yield from ((last, test) for last in ends)

    def like_another(self, at: int, held: Held) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Others that have the same of a property as a named node: "(as heavy as) X", "(weigh as much as) X does"; or as their one of something."""
        for end, other in self.things(at, plain=True):
            spans = self._spans_of(other)
            if other.type == held.owner and len(other.items) == len(spans) == 1 and not held.edge:
                alike = (Test(held.action, "EQ", (Span(spans[0].index, True),)), Not(other.items[0]))
                yield from ((last, alike) for last in self.perhaps(end, (*DO, *HAVE, *BE)))
        yield from self._as_their(at, held.owner, (held,))

    def at_the_same(self, at: int, date: Held) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """When something happened to another: "(hired) in the same year as X", "(measured) on the same day the sample was taken"."""
        for begin, phrase in self.said(at, tuple(f"{at} the same {part}" for part, at in _TIMES.items())):
            parts = self.lexicon.parts(date, phrase.rpartition(" ")[2])
            for part in parts:
                for start, _ in self.said(begin, ("as",)):
                    yield from self.like_another(start, part)
                for start in self.perhaps(begin, ("as", "that", "when", "on which", "in which")):
                    yield from self._when_theirs(start, part)

    def _when_theirs(self, at: int, part: Held) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """When the one node that each is joined to has a date: "(on the same day) the sample was taken"."""
        for begin, _ in self.said(at, ("the", "its", "their")):
            for middle, far in self.types(begin):
                step = self.lexicon.between(part.owner, far)
                for verb, _ in (
                    self.said(middle, BE) if step is not None and self.lexicon.to_one(step) else ()
                ):
                    theirs = self.lexicon.happened(self.word(verb), far) if self.word(verb) else None
                    for other in self.lexicon.parts(theirs, part.part or "year") if theirs else ():
                        assert step is not None
                        name = f"O{at}"
                        same = Test(part.action, "EQ", (Other(name, other.action),))
                        yield verb + 1, (Hop(step.action, name=name), same)

    def _spans_of(self, things: Things) -> list[Span]:
        """The names that nodes are told by."""
        tests = [i for i in things.items if isinstance(i, Test) and things.one]
        return [i.values[0] for i in tests if isinstance(i.values[0], Span)]

    def _alike(
        self, at: int, node_type: str, joined: str, said_before: bool = False
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Nodes that have the same of one kind or several as a named node, which is none of them; it may be named before."""
        for middle, same in self._kinds(at, node_type, 2):
            if joined == "of" and len(same) < 2:
                continue
            for begin, _ in self.said(middle, (joined,)) if joined == "as" else ():
                yield from self._as_their(begin, node_type, same)
            others = [o for begin, _ in self.said(middle, (joined,)) for o in self.things(begin, plain=True)]
            its = self.it(middle, node_type) if said_before and not others else None
            for end, other in (*others, *([(middle, its)] if its is not None else [])):
                spans = self._spans_of(other)
                told = other.type == node_type and len(other.items) == len(spans) == 1
                if other.one and other.type != node_type and joined == "as" and len(same) == 1:
                    yield from ((end, (hop,)) for hop in self._where_other(same[0], other))
                elif told and joined == "with" and len(same) == 1 and self._is_edge(same[0]):
                    yield end, (Hop(same[0].action, other.items),)
                elif told and (joined != "as" or all(self._one_of(kind, other) for kind in same)):
                    yield end, (*self._as_has(same, other), Not(other.items[0]))

    def _as_has(self, same: Sequence[Step | Held], other: Things) -> tuple[Item, ...]:
        """What a named node has of some kinds."""
        (span,) = self._spans_of(other)
        return tuple(
            self._over(kind, other)
            if isinstance(kind, Step)
            else Test(kind.action, "EQ", (Span(span.index, True),))
            for kind in same
        )

    def of_both(self, at: int, other: Things) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What is asked of two, as what one has of the other: "(do X and Y) have the same boss", "(are X and Y) in the same team"."""
        if len(other.items) != 1 or len(self._spans_of(other)) != 1:
            return
        stays = self.word(at) in STAYING
        for begin, _ in self.said(at + stays, _OF_BOTH[1:] if stays else _OF_BOTH):
            for start, _ in self.said(begin, _SAME):
                for end, same in self._kinds(start, other.type, 1):
                    if len(same) == 1 and self._one_of(same[0], other):
                        yield end, self._as_has(same, other)
        for step in self.lexicon.steps(other.type):  # "report to the same person"
            for begin, active in self._said_by(at, step, reduced=False) if self.lexicon.to_one(step) else ():
                for start, _ in self.said(begin, _SAME) if active else ():
                    people = self.word(start) in ("person", "people") and step.target in self.lexicon.people
                    ends = [end for end, t in self.types(start) if t == step.target] or [start + 1] * people
                    yield from ((end, self._as_has((step,), other)) for end in ends)

    def _as_their(
        self, at: int, node_type: str, same: Sequence[Step | Held], denied: bool = False
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Nodes that have the same as the one that they are joined to: "(in the same office) as their manager"; or not the same."""
        for end, step, far in self.their_one(at, node_type):
            name, own, theirs = f"O{at}", list[Item](), list(far.items)
            for kind in same:
                if isinstance(kind, Held):
                    held = self.lexicon.alike(kind, far.type)
                    own += (
                        [Test(kind.action, "NE" if denied else "EQ", (Other(name, held.action),))]
                        if held
                        else []
                    )
                    continue
                there = kind if far.type == node_type else self.lexicon.between(far.type, kind.target)
                if there is not None:
                    shared = Hop(kind.action, (Hop(self.lexicon.reversed(there).action, same=name),))
                    theirs += [Hop(there.action)] if denied else []
                    own += [Hop(kind.action), Not(shared)] if denied else [shared]
            if len(own) >= len(same):
                yield end, (Hop(step.action, tuple(theirs), name=name), *own)

    def _is_edge(self, kind: Step | Held) -> bool:
        """Whether a noun says what is between two nodes rather than a third: who shares a border with X borders X."""
        return isinstance(kind, Step) and self.lexicon.either_way(kind) and is_verb(kind.link.name)

    def _one_of(self, kind: Step | Held, named: Things) -> bool:
        """Whether a named node has one of a kind: of several, one or all may be meant."""
        if isinstance(kind, Held) or self.lexicon.to_one(kind):
            return True
        test, (span,) = named.items[0], self._spans_of(named)
        assert isinstance(test, Test)
        texts = dict(self.values[span.index].found).get(test.held, ())
        return self.lexicon.most_from(kind, test.held, texts) == 1

    def it(self, at: int, node_type: str) -> Things | None:
        """What "it" means at a word: the only node of a type that is named before."""
        naming = self.lexicon.shape.name_of(node_type)
        named = {self.values[i].text: i for i in self.named_before(at) if naming in self.values[i].owners}
        if naming is None or len(named) != 1:
            return None
        return Things(node_type, (Test(naming, "EQ", (Span(next(iter(named.values()))),)),), True)

    def _kinds(self, at: int, node_type: str, most: int) -> Iterator[tuple[int, tuple[Step | Held, ...]]]:
        """What nodes of a type may share: what a relation leads to, properties."""
        found: list[tuple[int, Step | Held]] = []
        for end, target in self.types(at):
            step = self.lexicon.plain(node_type, target)
            found += [(end, step)] if step is not None and (most == 0 or not self.many(end)) else []
        found += [
            (end, held) for end, held in self.lexicon.noun(self.roots, at, node_type) if not held.naming
        ]
        roles = [(end, step) for end, step in self.roles(at) if step.target == node_type]
        found += [(end, self.lexicon.reversed(step)) for end, step in roles if most and not self.many(end)]
        for end, kind in found:
            yield end, (kind,)
            for begin, _ in self.said(end, _MORE) if most else ():
                for last, more in self._kinds(begin, node_type, most - 1):
                    if kind not in more:
                        yield last, (kind, *more)

    def _so_many(
        self, at: int, node_type: str, pairs: tuple[tuple[str, Span], ...], joints: tuple[str, ...]
    ) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """So many neighbours of one kind in common with a named node."""
        kinds = [(end, kind) for end, (kind,) in self._kinds(at, node_type, 0) if isinstance(kind, Step)]
        kinds += [
            (end, self.lexicon.reversed(step)) for end, step in self.roles(at) if step.target == node_type
        ]
        for middle, step in dict.fromkeys(kinds):
            for begin, _ in self.said(middle, joints):
                for end, other in self.things(begin, plain=True):
                    if other.one and other.type == node_type:
                        measure = Measure("CNT", "", self._over(step, other))
                        yield end, tuple(Compared(measure, operator, span) for operator, span in pairs)

    def _where_other(self, kind: Step | Held, other: Things) -> Iterator[Hop]:
        """To the one that a node of another type is joined to as well: "(bands from) the same city as the sponsor X"."""
        there = self.lexicon.between(other.type, kind.target) if isinstance(kind, Step) else None
        if isinstance(kind, Step) and there is not None and self.lexicon.to_one(there):
            yield Hop(kind.action, (Hop(self.lexicon.reversed(there).action, other.items),))

    def _over(self, step: Step, other: Things) -> Hop:
        """To what a node is joined to as another is."""
        return Hop(step.action, (Hop(self.lexicon.reversed(step).action, other.items),))
