"""Questions for what is most frequent among nodes: a value that they have, or what they lead to."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.fellows import TOGETHER
from graphtalk.reasoners.phrases.schema_words import makes
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import Whole
from graphtalk.reasoners.phrases.words import BE, DO, HAVE
from graphtalk.reasoners.reader.reading import Hop, Span
from graphtalk.reasoners.reader.shape import Held, Step

_FREQUENT = ("most frequent", "most common", "most popular", "commonest", "most frequently used", "most prevalent",
             "main", "predominant", "most usual", "prevailing", "dominant", "favourite", "favorite", "preferred", "most preferred")  # fmt: skip
_COMMON = (
    "common",
    "frequent",
    "commonest",
    "prevalent",
)  # of all; what is popular or the main one may be told otherwise
_AMONG = ("of", "among", "in", "for", "within", "across", "of all", "among all", "in all")
_MOST_OF = (
    "do most",
    "do the most",
    "are most",
    "do most of",
    "have most",
    "have the most",
    "are most of",
    "did most of",
    "did most",
)
_OFTEN = (
    "most often",
    "most frequently",
    "most commonly",
    "the most often",
    "most",
    "the most",
    "the most frequently",
    "usually",
    "mostly",
)
_FITS = (
    "have",
    "has",
    "appear",
    "fall",
    "belong",
    "come",
    "stand",
    "go",
    "be",
    "use",
    "show",
    "carry",
)  # of a value: what it is of has it
_INTO = ("in", "into", "to", "under", "at", "with", "from", "on", "of")
_PREFERS = tuple(
    f"{word} to" for word in ("prefer", "prefers", "like", "likes", "tend", "tends", "choose", "chooses")
)
_OF_WHICH = ("of which", "of what", "by which", "by what", "with which", "with what")
_SOMEBODY = ("researcher", "scientist", "scholar", "person", "colleague")
_MOST_SHARED = (
    "the most",
    "most",
    "the largest number of",
    "the highest number of",
    "the greatest number of",
)
_MORE_THAN = (
    "more often than the others",
    "more often than all others",
    "more often than any other",
    "more than the others",
    "more than any other",
)


@dataclass(frozen=True)
class Kind:
    """What is counted among nodes of a type: a property, or what steps lead to."""

    of: str
    held: Held | None = None
    steps: tuple[Step, ...] = ()


class Commonest(Whole):
    """Reads questions for the most frequent."""

    def commonest(self) -> Iterator[Asked]:
        """ "The 3 most frequent genres of X's books", "which genres are most common among Y", "which genre do most Y have"."""
        for start, limit in self._counted_begin():
            for noun, k in self._most_frequent(start, limit):
                for end, kind in self._kinds_named(noun):
                    if self.idle(end) and kind.held is not None and self.word(noun - 1) in _COMMON:
                        yield self._commonest(Things(kind.of, many=True), kind, k)
                    for after, _ in self.said(end, _AMONG):
                        yield from self._whole(after, kind, k)
                        yield from self._of_owner(after, kind, k)
                yield from self._told_by(noun, k)
            for end, kind in self._kinds_named(start):
                for after, _ in self.said(end, BE):
                    for middle in self.perhaps(after, ("the",)):
                        for last, k in self._most_frequent(middle, limit):
                            for one in self.perhaps(last, ("one", "ones")):
                                if (
                                    self.done(one)
                                    and kind.held is not None
                                    and self.word(last - 1) in _COMMON
                                ):
                                    yield self._commonest(Things(kind.of, many=True), kind, k)
                                for of, _ in self.said(one, _AMONG):
                                    yield from self._whole(of, kind, k)
                                    yield from self._of_owner(of, kind, k)
                for after, most in self.said(end, _MOST_OF):
                    yield from self._whole(after, kind, limit, ends=not most.startswith("are"))
                    yield from self._led_to(after, kind, limit)
                yield from self._had_often(end, kind, limit)
                yield from self._done_to_most(end, kind, limit)
                yield from self._in_the_most(end, kind, limit)

        yield from self._appearing()
        yield from self._doing_most()
        yield from self._met_most()

    def _met_most(self) -> Iterator[Asked]:
        """Whom somebody shares the most with: "the most frequent co-author of X", "who shares the most papers with X"."""
        for end, step, x in chain(self._closest(), self._sharing_most(), self._with_whom_most()):
            if x.one and x.type == step.source and any(map(self.done, self._by_shared(end, step))):
                back = self.lexicon.reversed(step)
                own = Things(step.target, (Hop(back.action, x.items),))
                yield self.compiler.commonest_end(own, (back,), None, x)

    def _closest(self) -> Iterator[tuple[int, Step, Things]]:
        """ "The most frequent co-author of X", "the closest collaborator of X": where it ends, over what, and X."""
        for begin in self.begun():
            for start in self.perhaps(begin, ("the",)):
                for noun, _ in self.said(start, (*_FREQUENT, "closest", "nearest")):
                    for end, step in self.fellow_nouns(noun):
                        for of, _ in self.said(end, ("of",)):
                            yield from ((last, step, x) for last, x in self.things(of, plain=True))

    def _sharing_most(self) -> Iterator[tuple[int, Step, Things]]:
        """ "Who shares the most papers with X", "which researcher has the most joint papers with X", "who wrote the most papers with X"."""
        who = [(end, t) for end, _ in self.said(0, ("who",)) for t in self.lexicon.people]
        for end, _ in self.said(0, ("which", "what")):
            who += self.types(end)
            who += [(end + 1, t) for t in self.lexicon.people if self.word(end) in _SOMEBODY]
        for begin, node_type in who:
            step = self.shared_by(node_type)
            if step is None:
                continue
            for at in self.perhaps(begin, HAVE):
                verb = self.word(at)
                ends = [at] if at > begin else []
                ends += (
                    [at + 1]
                    if verb in ("share", "shares") or (verb and self.lexicon.does(verb, step))
                    else []
                )
                for shared in (last for end in ends for last in self._most_shared(end, step)):
                    for of, _ in self.said(shared, ("with", "together with")):
                        yield from ((last, step, x) for last, x in self.things(of, plain=True))

    def _with_whom_most(self) -> Iterator[tuple[int, Step, Things]]:
        """ "With whom has X written the most papers"."""
        for begin, _ in self.said(0, ("with whom",)):
            for step in filter(None, map(self.shared_by, self.lexicon.people)):
                for at, _ in self.said(begin, (*DO, *HAVE)):
                    for middle, x in self.things(at, plain=True):
                        verb = self.word(middle)
                        if verb and self.lexicon.does(verb, step):
                            yield from ((last, step, x) for last in self._most_shared(middle + 1, step))

    def _most_shared(self, at: int, step: Step) -> Iterator[int]:
        """ "The most papers", "the largest number of joint papers"."""
        for begin, _ in self.said(at, _MOST_SHARED):
            for start in self.perhaps(begin, ("joint", "common", "shared")):
                for end, t in self.types(start):
                    yield from self.perhaps(end, (*TOGETHER, "in common")) if t == step.target else ()

    def _by_shared(self, at: int, step: Step) -> Iterator[int]:
        """What may follow: that it is counted by what they share."""
        yield at
        for comma in self.perhaps(at, (",",)):
            for begin, _ in self.said(
                comma, ("by", "by number of", "by the number of", "measured by", "counted by")
            ):
                for start in self.perhaps(begin, ("joint", "the")):
                    for end, t in self.types(start):
                        for told in (
                            self.perhaps(end, ("written", "done", "made")) if t == step.target else ()
                        ):
                            yield from self.perhaps(told, TOGETHER)

    def _appearing(self) -> Iterator[Asked]:
        """ "Where did most of the joint papers of X and Y appear": in the only nodes, nobody's, that each of them has one of."""
        for begin, _ in self.said(0, [f"where {most}" for most in _MOST_OF]):
            for end, things in self.things(begin):
                there = [
                    s
                    for s in self.lexicon.steps(things.type)
                    if s.source != s.target and s.target not in self.lexicon.people and self.lexicon.to_one(s)
                ]
                said = [last for last, _ in self.said(end, ("appear", "come out"))]
                if (
                    len(there) == 1
                    and any(map(self.done, said))
                    and not things.one
                    and not self.vague(things)
                ):
                    yield self.compiler.commonest_end(things, there, None)

    def _doing_most(self) -> Iterator[Asked]:
        """ "Who has written most in the genre of X", "which publisher publishes the most in history": of what they do it to."""
        asked = [(end, t) for end, _ in self.said(0, ("who",)) for t in self.lexicon.people]
        asked += [found for end, _ in self.said(0, ("which", "what")) for found in self.types(end)]
        for begin, doer in asked:
            for at in self.perhaps(begin, HAVE):
                for step in self.lexicon.steps(doer) if self.word(at) else ():
                    does = self.lexicon.between(doer, step.target) and self.lexicon.does(self.word(at), step)
                    for start, _ in self.said(at + 1, ("most", "the most")) if does else ():
                        for end, things in (
                            self.modified(start, Things(step.target)) if not self.types(start) else ()
                        ):
                            if self.done(end) and not self.vague(things):
                                yield self.compiler.commonest_end(
                                    things, (self.lexicon.reversed(step),), None
                                )

    def _counted_begin(self) -> Iterator[tuple[int, Span | None]]:
        """Where what is asked for begins, and how many."""
        for begin in dict.fromkeys((0, *self.begun(), *(e for e, _ in self.said(0, _OF_WHICH)))):
            for start in self.perhaps(begin, ("the",)):
                yield start, None
                yield from self.number(start)

    def _most_frequent(self, at: int, limit: Span | None) -> Iterator[tuple[int, Span | None]]:
        """Where "most frequent" ends, and how many are asked for: "top three", "3 most common"."""
        yield from ((end, limit) for end, _ in self.said(at, _FREQUENT))
        for end, _ in self.said(at, ("top",)):
            yield from self.number(end)

    def _kinds_named(self, at: int) -> Iterator[tuple[int, Kind]]:
        """Properties by their names, and types, that may be most frequent among nodes of a type."""
        for owner in self.lexicon.shape.types:
            for end, held in self.lexicon.noun(self.roots, at, owner):
                if held.kind in ("text", "list") and not held.naming:
                    yield end, Kind(owner, held)
        for end, target in self.types(at):
            for source in self.lexicon.shape.types:
                if source != target and (steps := self.lexicon.way(source, target)):
                    yield end, Kind(source, steps=steps)

    def _whole(self, at: int, kind: Kind, limit: Span | None, ends: bool = False) -> Iterator[Asked]:
        """The rest of the question: nodes; where it `ends` so, with a verb that says that they have it."""
        for end, things in self.things(at):
            if things.type != kind.of or things.one or self.vague(things):
                continue
            if any(map(self.done, self._has_kind(end, kind) if ends else self._by_number(end, things.type))):
                yield self._commonest(things, kind, limit)

    def _has_kind(self, at: int, kind: Kind) -> Iterator[int]:
        """Where it ends that nodes have a value, or lead to what is counted: "fall into", "have", "appear", "are written in"."""
        for begin in self.perhaps(at, ("are", "is", "been")):
            if begin > at:
                yield begin
            verb = self.word(begin)
            does = (
                kind.steps
                and verb
                and (self.lexicon.does(verb, kind.steps[-1]) or self.lexicon.does(verb, kind.steps[0]))
            )
            if verb in (*_FITS, *(f"{v}s" for v in _FITS)) or does:
                yield from self.perhaps(begin + 1, _INTO)

    def _by_number(self, at: int, node_type: str) -> Iterator[int]:
        """What may follow: that it is counted by how many nodes there are."""
        yield at
        for begin, _ in self.said(at, ("by number of", "by the number of", "by")):
            yield from (end for end, name in self.types(begin) if name == node_type)

    def _of_owner(self, at: int, kind: Kind, limit: Span | None) -> Iterator[Asked]:
        """Of what a named node has: "the main genre of Ann" is that of her books."""
        for end, owner in self.things(at, plain=True):
            if owner.one and owner.type != kind.of and any(map(self.done, self._by_number(end, kind.of))):
                yield from self._among_own(owner, kind, limit)

    def _among_own(self, owner: Things, kind: Kind, limit: Span | None) -> Iterator[Asked]:
        step = self.lexicon.plain(kind.of, owner.type)
        if (
            step is not None
            and not self.lexicon.to_one(self.lexicon.reversed(step))
            and kind.steps[-1:] != (step,)
        ):
            yield self._commonest(Things(kind.of, (Hop(step.action, owner.items),)), kind, limit)

    def _had_often(self, at: int, kind: Kind, limit: Span | None) -> Iterator[Asked]:
        """ "(which venue) did X and Y publish in most often", "(the genre) that Ann writes in most often", "(keywords) do the papers of X have most often"."""
        for begin in (*self.perhaps(at, ("that",)), *(e for e, _ in self.said(at, (*DO, *HAVE)))):
            for middle, things in self.things(begin):
                if things.type == kind.of and not things.one:
                    ends = self._often(middle, kind)
                    yield from (self._commonest(things, kind, limit) for _ in filter(self.done, ends))
            yield from self._led_often(begin, kind, limit)
            for middle, owner in self.things(begin, plain=True):
                step = self.lexicon.plain(kind.of, owner.type) if owner.one else None
                if step is not None and owner.type != kind.of:
                    ends = self._often(middle, kind, step)
                    yield from (
                        a for _ in filter(self.done, ends) for a in self._among_own(owner, kind, limit)
                    )
            for middle, both in self.of_pair(begin, kind.of, True):
                assert isinstance(both[0], Hop)
                step = self.lexicon.shape.steps[both[0].view]
                ends = self._often(middle, kind, step)
                yield from (
                    self._commonest(Things(kind.of, both), kind, limit) for _ in filter(self.done, ends)
                )

    def _led_often(self, at: int, kind: Kind, limit: Span | None) -> Iterator[Asked]:
        """ "(which court) do opinions of X cite most often": over what they do, the ends that are counted."""
        for middle, things in self.things(at) if kind.steps else ():
            for step in self.lexicon.steps(things.type) if not things.one else ():
                if step.target != kind.of:
                    continue
                for verb in self.perhaps(middle, _PREFERS):
                    for end, _ in self._said_by(verb, step, reduced=False):
                        for last, _ in self.said(end, _OFTEN):
                            if self.done(last) or self._is_of(last, kind.of, ends=True):
                                yield self.compiler.commonest_end(things, (step, *kind.steps), limit)

    def _done_to_most(self, at: int, kind: Kind, limit: Span | None) -> Iterator[Asked]:
        """ "(the court) whose opinions are cited most in the opinions of X": by whom what it is of is met with most often."""
        for begin, _ in self.said(at, ("whose",)) if kind.steps else ():
            for noun, t in self.types(begin):
                for start, _ in self.said(noun, BE) if t == kind.of else ():
                    for deed, step in self.deed_on(start, t):
                        for middle, _ in self.said(deed, _OFTEN):
                            for of, _ in self.said(middle, ("in", "by")):
                                for end, things in self.things(of):
                                    if self.done(end) and things.type == step.target and not things.one:
                                        steps = (self.lexicon.reversed(step), *kind.steps)
                                        yield self.compiler.commonest_end(things, steps, limit)

    def _in_the_most(self, at: int, kind: Kind, limit: Span | None) -> Iterator[Asked]:
        """ "(languages) spoken in the most countries": in how many of what each row is of a value stands."""
        if kind.held is None or kind.held != self.lexicon.told_by(kind.of):
            return
        begins = {b for led in self.perhaps(at, ("that", "which")) for b in self.perhaps(led, BE)}
        for verb in begins:
            if not (self.word(verb) == "used" or self.lexicon.goes_with(self.word(verb), kind.held)):
                continue
            for start, _ in self.said(verb + 1, ("in", "by", "at", "on")):
                for noun, _ in self.said(start, _MOST_SHARED):
                    for end, target in self.types(noun):
                        step = self.lexicon.plain(kind.of, target)
                        if self.done(end) and step is not None and self.lexicon.to_one(step):
                            yield self._commonest(Things(kind.of), kind, limit)

    def _led_to(self, at: int, kind: Kind, limit: Span | None) -> Iterator[Asked]:
        """ "(to which court do most of) the references in opinions of X lead": the ends of what they are joined to by a noun."""
        for begin in self.perhaps(at, ("the", "all")):
            for noun, step in self.roles(begin) if kind.steps else ():
                back = self.lexicon.reversed(step)
                for start, _ in self.said(noun, ("in", "of", "from", "by")):
                    for end, things in self.things(start):
                        leads = self.word(end) in ("lead", "go", "point", "refer") and self.done(end + 1)
                        if leads and things.type == step.target == kind.of and not things.one:
                            yield self.compiler.commonest_end(things, (back, *kind.steps), limit)

    def _often(self, at: int, kind: Kind, owned: Step | None = None) -> Iterator[int]:
        """Where "have most often" ends: what nodes of a kind do, or whose they are by a step (`owned`)."""
        for begin in (*self.perhaps(at, ("have", "has")), *(e for e, _ in self.said(at, _PREFERS))):
            ends = {*self._has_kind(begin, kind), begin}
            verb = self.word(begin)
            if owned is not None and verb and (makes(verb) or self.lexicon.does(verb, owned)):
                ends |= {*self.perhaps(begin + 1, _INTO)}
            for end in ends:
                for middle in self.perhaps(end, TOGETHER):
                    for last, _ in self.said(middle, (*_OFTEN, *_MORE_THAN)):
                        yield from self.perhaps(last, _INTO)

    def _told_by(self, at: int, limit: Span | None) -> Iterator[Asked]:
        """A noun of nothing in the graph that the question explains: "research interests of X, by the keywords of the papers"."""
        for of in (at + 1, at + 2):
            for begin, _ in self.said(of, ("of",)):
                for middle, owner in self.things(begin, plain=True):
                    for comma in self.perhaps(middle, (",",)) if owner.one else ():
                        for start, _ in self.said(
                            comma, ("by", "by the", "according to the", "going by the")
                        ):
                            for end, kind in self._kinds_named(start):
                                if (self.done(end) or self._is_of(end, kind.of)) and not self._known(
                                    at, of, kind
                                ):
                                    yield from self._among_own(owner, kind, limit)

    def _known(self, start: int, end: int, kind: Kind) -> bool:
        """Whether any word from one to another names something of the schema other than a kind."""
        nouns = (
            held != kind.held
            for at in range(start, end)
            for t in self.lexicon.shape.types
            for _, held in self.lexicon.noun(self.roots, at, t)
        )
        types = (t != kind.of for at in range(start, end) for _, t in self.types(at))
        return any(nouns) or any(types)

    def _is_of(self, at: int, node_type: str, ends: bool = False) -> bool:
        """Whether the question ends in "of the papers", or in "to opinions of"."""
        begins = [end for end, _ in self.said(at, ("of the", "of its", "of their", "of", "to"))]
        if ends:
            nouns = [end for b in begins for end, t in self.types(b) if t == node_type]
            return any(self.done(last) for end in nouns for last, _ in self.said(end, ("of", "from")))
        return any(self.done(end) and t == node_type for b in begins for end, t in self.types(b))

    def _commonest(self, things: Things, kind: Kind, limit: Span | None) -> Asked:
        if kind.held is not None:
            return self.compiler.commonest(things, kind.held, limit)
        return self.compiler.commonest_end(things, kind.steps, limit)
