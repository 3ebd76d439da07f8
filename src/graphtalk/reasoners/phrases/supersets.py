"""Questions for what has all that another has: "which other items have all the parts of X"."""

from collections.abc import Iterator

from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import Whole
from graphtalk.reasoners.phrases.words import BE, HAVE
from graphtalk.reasoners.reader.shape import Step

_HOW_MANY = (
    "how many", "count the", "count", "what is the number of", "the number of", "of how many", "give the number of",
)  # fmt: skip
_OTHERS = ("other", "further", "more", "the other")
_TRUE = ("is it true that they", "does it hold that they", "is it the case that they")
_ALL = (
    "all the", "all its", "all of its", "each of its", "every one of its", "all of the", "all", "each of the", "each of", "each", "every", "every one of the", "each and every", "every single",
)  # fmt: skip
_EVERYTHING = ("everything", "everyone", "everybody", "all")


class Supersets(Whole):
    """Reads questions with "all the ... that X has"."""

    def supersets(self) -> Iterator[Asked]:
        """ "How many other items have all the parts of X", "which items share each and every part with X", "... with everything that X goes with"."""
        begins = [(end, True) for end, _ in self.said(0, _HOW_MANY)]
        for begin, counts in (*begins, *((end, False) for end in dict.fromkeys(self.begun()))):
            for start in self.perhaps(begin, _OTHERS):
                for middle, node_type in self.types(start):
                    for verb in self._without(middle, node_type):
                        for end, step, other in self._all_of(verb, node_type):
                            if self.done(end):
                                yield self.compiler.with_all(other, step, counts)

    def _without(self, at: int, node_type: str) -> Iterator[int]:
        """Where it goes on after "other than X", which is said of the others anyway."""
        yield at
        for begin, _ in self.said(at, ("beside", "besides", "other than", "apart from", "except")):
            yield from (end for end, x in self.things(begin, plain=True) if x.one and x.type == node_type)
        yield from (end for end, _ in self.said(at, _TRUE))

    def _all_of(self, at: int, node_type: str) -> Iterator[tuple[int, Step, Things]]:
        """ "Have all the parts of X", "that are sold with everything that X is sold with": where it ends, over what, and X."""
        for rel in self.perhaps(at, ("that", "which")):
            for begin, verb in self.said(rel, (*HAVE, "share", "shares", "sharing", "having", "with")):
                for noun in (end for end, _ in self.said(begin, _ALL)):
                    for middle, step in self._had_by(noun, node_type):
                        yield from self._of_which(middle, node_type, step, verb)
            for begin, _ in self.said(rel, BE):
                for middle, step in self.lexicon.akin(self.roots, begin, node_type):
                    for start, joint in self.said(middle, ("with", "to", "by")):
                        for every in (end for end, _ in self.said(start, [f"{e} that" for e in _EVERYTHING])):
                            for end, x in self.things(every, plain=True):
                                again = (*BE, *self.words[begin:middle], joint)
                                said = self.words[end + 1 : end + len(again) - len(BE) + 1]
                                if (
                                    x.one
                                    and x.type == node_type
                                    and self.word(end) in BE
                                    and said == again[len(BE) :]
                                ):
                                    yield end + 1 + len(said), self.lexicon.reversed(step), x

    def _had_by(self, at: int, node_type: str) -> Iterator[tuple[int, Step]]:
        """What nodes of a type have, by the noun of a role or a type, as the step to it."""
        yield from (
            (end, self.lexicon.reversed(step)) for end, step in self.roles(at) if step.target == node_type
        )
        for end, target in self.types(at):
            step = self.lexicon.between(node_type, target)
            if step is not None:
                yield end, step

    def _of_which(self, at: int, node_type: str, step: Step, verb: str) -> Iterator[tuple[int, Step, Things]]:
        """Whose they are: "of X", "that X has", after "share" "with X"; "its" before them means who was named before."""
        for begin, joint in self.said(at, ("of", "that", *(("with",) if verb.startswith("shar") else ()))):
            for end, x in self.things(begin, plain=True):
                if x.one and x.type == node_type:
                    ends = [e for e, _ in self.said(end, HAVE)] if joint == "that" else [end]
                    yield from ((last, step, x) for last in ends)
        its = self.it(at, node_type)
        if its is not None and "its" in self.words[:at]:
            yield at, step, its
