"""Those who share what they did: co-authors, "papers that X and Y wrote together", "who wrote a paper with X in 2004"."""

from collections.abc import Iterator

from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.schema_words import is_date
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.verbs import VerbPhrases
from graphtalk.reasoners.phrases.words import BE, DO, HAVE
from graphtalk.reasoners.reader.reading import Hop, Item
from graphtalk.reasoners.reader.shape import Step

FELLOWS = ("collaborator", "collaborators", "coworker", "coworkers", "colleague", "colleagues")
TOGETHER = ("together", "jointly", "with each other", "as a pair", "between them")
_JOINT = ("joint", "common", "shared", "mutual")
_WITH = ("with", "together with", "jointly with", "along with", "alongside")
_WORKING = tuple(map(root, "work collaborate cooperate".split()))


class Fellows(VerbPhrases):
    """What one question says of nodes of a type that are joined over what they share."""

    def fellows(self, at: int) -> Iterator[tuple[int, Things]]:
        """ "Co-authors of X", "on Y", "in 2004", "on the papers of X": others of its type at what a relation calls it so."""
        for end, step in self.fellow_nouns(at):
            back = self.lexicon.reversed(step)
            for begin, _ in self.said(end, ("of", "on", "with")):
                for middle, other in self.things(begin, plain=True):
                    if other.one and other.type == step.source:
                        to_it = Hop(back.action, other.items)
                        yield middle, Things(step.source, (Hop(step.action, (to_it,)),), many=True)
                        for last, items in self.at_what(middle, step.target):
                            yield last, Things(step.source, (Hop(step.action, (*items, to_it)),), many=True)
                for middle, shared in self.things(begin):
                    its = [
                        i for i in shared.items if isinstance(i, Hop) and i.view == back.action and i.items
                    ]
                    if shared.type == step.target and shared.many and len(its) == 1:
                        yield middle, Things(step.source, (self.hop(step, shared),), many=True)

    def fellow_nouns(self, at: int) -> Iterator[tuple[int, Step]]:
        """ "Co-author", "collaborator": where the noun ends, and the step to what such fellows share."""
        nouns = [(end, t) for end, t in self.types(at + 1) if self.word(at) == "co"]
        if self.word(at).startswith("co"):
            nouns += [(at + 1, t) for _, t in self.lexicon.types((root(self.word(at)[2:]),), 0)]
        nouns += [(at + 1, t) for t in self.lexicon.people if self.word(at) in FELLOWS]
        steps = [(end, step) for end, t in nouns if (step := self.shared_by(t)) is not None]
        yield from steps if len(steps) == 1 else ()

    def shared_by(self, node_type: str) -> Step | None:
        """The one relation that leads nodes of a type to what calls them so: authors to papers, whose authors they are."""
        steps = [s for s in self.lexicon.steps(node_type) if self.lexicon.leads_to_own(s)]
        return steps[0] if len(steps) == 1 else None

    def at_what(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """The one that fellows share, by its name or its date."""
        for begin, _ in self.said(at, ("on", "of", "in", "for")):
            yield from (
                (end, far.items)
                for end, far in self.things(begin, plain=True)
                if far.type == node_type and far.one
            )
        dates = [h for h in self.lexicon.held(node_type) if is_date(h)]
        yield from self.dated(at, dates[0]) if len(dates) == 1 else ()

    def shared_deed(self, at: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb that says a step, with what it was done to: "wrote a paper", "wrote papers in 2004", "worked"; its items are of what is shared."""
        verb = self.word(at)
        if not verb or verb in (*BE, *HAVE):
            return
        if self.works(at):
            yield at + 1, ()
        if self.lexicon.does(verb, step) or at + 1 in self._verb(at, step.link.name):
            for end, shared in self.things(at + 1):
                if shared.type == step.target and not self.vague(shared):
                    yield from ((last, shared.items) for last in self.perhaps(end, TOGETHER))

    def works(self, at: int) -> bool:
        """Whether a verb says that somebody works with others."""
        return bool(self.word(at)) and root(self.word(at)) in _WORKING

    def doing(self, at: int, node_type: str, reduced: bool) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb with what belongs to it, also with whom: "wrote a paper together with X in 2004", "worked with X on Y"."""
        yield from super().doing(at, node_type, reduced)
        step = self.shared_by(node_type) if not reduced else None
        for middle, told in self.shared_deed(at, step) if step is not None else ():
            assert step is not None
            for begin, _ in self.said(middle, _WITH):
                for end, other in self.things(begin, plain=True):
                    if other.one and other.type == node_type:
                        back = Hop(self.lexicon.reversed(step).action, other.items)
                        yield end, (Hop(step.action, (*told, back)),)
                        for last, items in self.at_what(end, step.target):
                            yield last, (Hop(step.action, (*told, *items, back)),)

    def with_whom(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """After "with whom", "with which authors": "did X write a paper in 2004"."""
        step = self.shared_by(node_type)
        for begin, _ in self.said(at, (*DO, *HAVE)) if step is not None else ():
            for middle, other in self.things(begin, plain=True):
                if not other.one or other.type != node_type:
                    continue
                assert step is not None
                back = Hop(self.lexicon.reversed(step).action, other.items)
                for end, told in self.shared_deed(middle, step):
                    yield end, (Hop(step.action, (*told, back)),)
                    for last, items in self.at_what(end, step.target):
                        yield last, (Hop(step.action, (*told, *items, back)),)

    # two of a type

    def joint(self, at: int) -> Iterator[tuple[int, Things]]:
        """What two nodes have both: "joint papers of X and Y", "papers by both X and Y"."""
        for begin, said in (*((end, True) for end, _ in self.said(at, _JOINT)), (at, False)):
            for middle, node_type in self.types(begin):
                for start, _ in self.said(middle, ("of", "by", "between", "with", "from")):
                    for end, both in self.of_pair(start, node_type, said):
                        yield end, Things(node_type, both, many=self.many(middle))
                for start, _ in (
                    self.said(middle, (*DO, *HAVE)) if said else ()
                ):  # "joint papers do X and Y have"
                    for end, both in self.of_pair(start, node_type, True):
                        for last in self.perhaps(end, ("have", "write", "share")):
                            yield last, Things(node_type, both, many=self.many(middle))

    def of_pair(self, at: int, node_type: str, joint: bool) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """That nodes of a type are joined to both of two named ones of another: "X and Y" where that is said, "both X and Y"."""
        for begin, both in ((at, joint), *((end, True) for end, _ in self.said(at, ("both",)))):
            for middle, first in self.things(begin, plain=True) if both else ():
                for start, _ in (
                    self.said(middle, ("and", "as well as", "together with")) if first.one else ()
                ):
                    for end, second in self.things(start, plain=True):
                        step = self.lexicon.plain(node_type, first.type)
                        if step is None or self.lexicon.to_one(step):
                            continue  # what has one of them only is of no two
                        if second.one and second.type == first.type and second != first:
                            yield end, (Hop(step.action, first.items), Hop(step.action, second.items))

    def owned_by_both(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What two did: "(papers that) X and Y wrote together", "(did) X and Y share", "(are) X and Y authors of"."""
        for middle, both in self.of_pair(at, node_type, True):
            step = self.lexicon.shape.steps[both[0].view] if isinstance(both[0], Hop) else None
            assert step is not None
            for begin in self.perhaps(middle, (*HAVE, "both")):
                verb = self.word(begin)
                named = {e for e in self._verb(begin, step.link.name) if not step.out} if verb else set()
                does = bool(verb) and not self._named_verb(begin) and self.lexicon.does(verb, step)
                for end in named | ({begin + 1} if does or verb in ("share", "have") else set()):
                    yield from ((last, both) for last in self.perhaps(end, (*TOGETHER, "in common")))
            if self.lexicon.is_noun_of(step):
                for end, target in self.types(middle):
                    yield from ((last, both) for last in self.perhaps(end, ("of",)) if target == step.target)
