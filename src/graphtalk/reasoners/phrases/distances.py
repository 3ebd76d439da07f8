"""How far apart two nodes are: over what they share ("how many steps from co-author to co-author lead from X to Y"), along one relation
("the shortest signalling chain from X to Y").
"""

from collections.abc import Iterator

from graphtalk.calls.ast import Call, Items, Text
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import Whole
from graphtalk.reasoners.reader.reading import Column
from graphtalk.reasoners.reader.shape import Step

_STEPS = frozenset("step steps link links hop hops edge edges distance apart separate separates".split())
_WAYS = frozenset("way path route chain cascade pathway sequence line connection".split())
_ANY = frozenset("any some".split())
_KNOW = ("know each other", "are joined", "are linked", "are connected", "are neighbours")
_ONE_APART = ("are 1 apart", "are one apart", "count as 1", "count as one")
_IDLE = frozenset(
    """how many what which is are there the a an of from to between and by at least most fewest minimum minimal shortest smallest
    way path route chain number only going go get come comes one does do it take takes must need needs would along over through
    via where two people persons who that in on lead leads far , . ; :""".split()
)
_GETTING_TO_KNOW = ("get to know", "meet", "one after the other", "know")


class Distances(Whole):
    """Reads questions for how far two nodes are apart."""

    def distances(self) -> Iterator[Asked]:
        """How many papers lead from X to Y where each joins two who wrote it: all words say a distance, and over what."""
        for node_type in self.lexicon.shape.types:
            step = self.shared_by(node_type)
            if step is not None:
                yield from self._apart(0, step, (), frozenset())

    def along_one(self) -> Iterator[Asked]:
        """The way from one node to another along one relation within a type, how long it is, or whether there is one."""
        for link in self.lexicon.shape.links:
            if link.source == link.target:
                yield from self._along(self.lexicon.shape.steps[f"V:>{link.key}"])

    def _along(self, step: Step) -> Iterator[Asked]:
        """Every word is one of the two nodes, of the relation's name, of a way, or says nothing."""
        called = {root(word) for word in self.lexicon.said(step.link)}
        at, ends, said, led = 0, tuple[Things, ...](), set[str](), list[str]()
        while not self.done(at):
            word = self.word(at)
            named = [(end, x) for end, x in self.things(at, plain=True) if x.one and x.type == step.source]
            if named:
                end, one = max(named, key=lambda found: found[0])
                ends, at, led = (*ends, one), end, [*led, self.word(at - 1)]
                continue
            if self.roots[at] in called or root(_undoubled(word)) in called:
                said.add("over")
            elif word in _STEPS or word in _WAYS:
                said.add("steps" if word in _STEPS else "way")
            elif word not in _IDLE and word not in _ANY:
                return
            at += 1
        both = self.lexicon.either_way(step)
        if len(ends) != 2 or "over" not in said or len(said) == 1 or not (both or led == ["from", "to"]):
            return
        nodes = [self.compiler.columns(x, Column("NODE")) for x in ends]
        whether = self.word(0) in ("is", "are", "does", "can")
        along = Call("GL", (Text("graph"), Text("all nodes"), Items((Text(step.link.name),))))
        first, second = (node.call for node in nodes)
        if whether:
            told, call = (
                "whether there is a way",
                Call("Contains", (Call("Reachable", (first,)), second), graph=along),
            )
        elif "steps" in said:
            told, call = "number of steps", Call("ShortestPath", (first, second), graph=along)
        else:
            told, call = "the shortest way", Call("Path" if both else "Route", (first, second), graph=along)
        yield Asked(
            call,
            f"{told} from {nodes[0].words} to {nodes[1].words} along {' '.join(self.lexicon.said(step.link))}",
        )

    def _apart(self, at: int, step: Step, ends: tuple[Things, ...], said: frozenset[str]) -> Iterator[Asked]:
        """The rest of a question, with the two that were named before, and what was said: `over` what, and how `far`."""
        while not self.done(at):
            named = [(end, x) for end, x in self.things(at, plain=True) if x.one and x.type == step.source]
            if named:
                end, one = max(named, key=lambda found: found[0])  # "X of Y" is whom "of Y" tells
                ends, at = (*ends, one), end
            elif over := self._over_what(at, step):
                said, at = said | {"over"}, over
            elif known := max((end for end, _ in self.said(at, _GETTING_TO_KNOW)), default=0):
                said, at = said | {"far"}, known
            elif self.word(at) in _STEPS or self.word(at) in _IDLE:
                said, at = said | ({"far"} if self.word(at) in _STEPS else set()), at + 1
            else:
                return
        if len(ends) == 2 and said == {"over", "far"} and ends[0] != ends[1]:
            yield self._steps_between(ends[0], ends[1], step)

    def _over_what(self, at: int, step: Step) -> int:
        """Where it ends that something joins nodes: "co-author", "wrote a paper together", "authors of one paper know each other"."""
        ends = [end for end, fellow in self.fellow_nouns(at) if fellow == step]
        for end, _ in self.shared_deed(at, step):
            if any(self.word(i) == "together" for i in range(at, end)):
                ends += [end, *(last for last, _ in self.said(end, _ONE_APART))]
        for middle, t in self.types(at):
            ends += [middle] if t == step.source and self.word(middle) in ("to", "by") else []
            for begin, _ in self.said(middle, ("of one", "of the same", "of a")):
                for end, shared in self.types(begin):
                    joined = [last for last, _ in self.said(end, _KNOW)]
                    ends += joined if shared == step.target and t == step.source else []
        return max(ends, default=0)

    def _steps_between(self, first: Things, second: Things, step: Step) -> Asked:
        """The number of what is shared on a shortest way along the one relation; 0 where there is no way, which answers nothing."""
        ends = [self.compiler.columns(x, Column("NODE")) for x in (first, second)]
        way = Call("Path", (ends[0].call, ends[1].call))
        shared = Call("Intersect", (way, Call("Nodes", (Text(step.target),))))
        along = Call("GL", (Text("graph"), Text("all nodes"), Items((Text(step.link.name),))))
        words = f"number of steps from {ends[0].words} to {ends[1].words}, each over one of the {step.target} nodes that both have"
        return Asked(Call("Count", (shared,), graph=along), words, positive=True)


def _undoubled(word: str) -> str:
    """A word in -ing without the letter that British spelling doubles: "signaling" of "signalling"."""
    return f"{word[:-4]}ing" if word.endswith("ling") and word[-5:-4] == "l" else word
