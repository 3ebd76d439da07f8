"""What nodes share with a named one: "the same genre as X", "share more than 2 authors with X"."""

from collections.abc import Iterator

from graphtalk.reasoners.phrases.relating import Relating
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.reader.reading import Compared, Hop, Item, Measure, Not, Span, Test
from graphtalk.reasoners.reader.shape import Held, Step

_SAME = ("the same", "the very same")
_MORE = ("and", "and the same", ",", "as well as", "and the")


class Sharing(Relating):
    """What the phrases of one question say that nodes share."""

    def sharing(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "Share author and publisher with X", "have more than 2 authors in common with X", "have the same genre as X"."""
        for begin, verb in self.said(at, ("share", "shares", "sharing", "have", "has", "having", "with")):
            shares = verb.startswith("shar")
            for start in (
                self.perhaps(begin, ("both", "the", "an", "a", "the same", "both the same")) if shares else ()
            ):
                yield from self._alike(start, node_type, "with")
            for start in self.perhaps(begin, ("both",)) if not shares else ():
                for middle, _ in self.said(start, _SAME):
                    yield from self._alike(middle, node_type, "as")
            for middle, pairs in self.quantity(begin):
                joint = ("with",) if shares else ("in common with",)
                yield from self._so_many(middle, node_type, pairs, joint)
        for begin, _ in self.said(at, ("of", "in", "by", "from", "for", "with")):
            for middle, _ in self.said(begin, _SAME):
                yield from self._alike(middle, node_type, "as")
            yield from self._as_of_other(begin, node_type)

    def _as_of_other(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What a named node has: "in the genre of X", "with the price that X has"; it has that itself."""
        for begin in self.perhaps(at, ("the",)):
            for middle, held in self.lexicon.noun(self.roots, begin, node_type) if begin > at else ():
                for start, joint in self.said(middle, ("of", "that")) if not held.naming else ():
                    for end, other in self.things(start, plain=True):
                        span = self._spans_of(other)
                        if other.type == node_type and len(span) == 1:
                            test = (Test(held.action, "EQ", (Span(span[0].index, True),)),)
                            ends = [end] if joint == "of" else [e for e, _ in self.said(end, ("has", "had"))]
                            yield from ((last, test) for last in ends)

    def _spans_of(self, things: Things) -> list[Span]:
        """The names that nodes are told by."""
        tests = [i for i in things.items if isinstance(i, Test) and things.one]
        return [i.values[0] for i in tests if isinstance(i.values[0], Span)]

    def _alike(self, at: int, node_type: str, joined: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Nodes that have the same of one kind or several as a named node, which is none of them."""
        for middle, same in self._kinds(at, node_type, 2):
            if joined == "as" and not all(isinstance(k, Held) or self.lexicon.to_one(k) for k in same):
                continue  # of several, whether one or all are meant
            for begin, _ in self.said(middle, (joined,)):
                for end, other in self.things(begin, plain=True):
                    naming = [i for i in other.items if isinstance(i, Test) and isinstance(i.values[0], Span)]
                    if not other.one or other.type != node_type or len(naming) != 1:
                        continue
                    span = naming[0].values[0]
                    assert isinstance(span, Span)
                    items = [
                        self._over(kind, other)
                        if isinstance(kind, Step)
                        else Test(kind.action, "EQ", (Span(span.index, True),))
                        for kind in same
                    ]
                    yield end, (*items, Not(naming[0]))

    def _kinds(self, at: int, node_type: str, most: int) -> Iterator[tuple[int, tuple[Step | Held, ...]]]:
        """What nodes of a type may share: what a relation leads to, properties."""
        found: list[tuple[int, Step | Held]] = []
        for end, target in self.lexicon.types(self.roots, at):
            step = self.lexicon.between(node_type, target)
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

    def _over(self, step: Step, other: Things) -> Hop:
        """To what a node is joined to as another is."""
        return Hop(step.action, (Hop(self.lexicon.reversed(step).action, other.items),))
