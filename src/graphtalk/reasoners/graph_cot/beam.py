"""Graph-CoT that keeps several branches of steps, scores and merges them (a direction that the paper's section 7 names).

From each branch the model is asked several times for the next step: once as it is set, and then warmer, with other seeds.
Equal branches are one. The best go on; a branch that finishes is kept. In the end the answer that the finished branches
support most is given: branches with the same answer count together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from graphtalk.calls import key
from graphtalk.core import Answer, BudgetError, LmError, Question, Step
from graphtalk.lms import Usage
from graphtalk.reasoners.graph_cot.loop import GraphCot, Walk
from graphtalk.reasoners.graph_cot.text import TextMethod
from graphtalk.reasoners.graph_cot.turns import Actor, Turn

WARM = 0.7  # the temperature of all askings but the first
MOST = 8  # branches


@dataclass(frozen=True)
class BeamSearch:
    """Answers questions by the loop, with up to `width` branches at a time."""

    loop: GraphCot
    method: TextMethod
    width: int

    def run(self, question: Question) -> Iterator[Step]:
        """The steps of the branch that gave the answer; the last carries it."""
        methods = [self.method] + [
            replace(self.method, temperature=max(WARM, self.method.temperature), seed=self.method.seed + n)
            for n in range(1, self.width)
        ]
        actors = [method.begin(question) for method in methods]
        found = _Search(self, [_Branch(Walk(self.loop, question, actors[0]))])
        try:
            while found.open and found.supported < self.width:
                yield Step("thought", found.deeper(actors))
        except LmError as error:
            stopped = "budget" if isinstance(error, BudgetError) else "lm"
            if not found.done:
                answer = Answer(False, f"No answer: {error}", stopped=stopped)  # type: ignore[arg-type]
                yield Step("answer", answer.text, answer=self._signed(answer, actors))
                return
        best, answer = found.best()
        yield from best.steps
        yield Step("answer", answer.text, answer=self._signed(answer, actors))

    def _signed(self, answer: Answer, actors: Sequence[Actor]) -> Answer:
        used = Usage()
        for actor in actors:
            used += actor.usage
        usage = {name: number for name, number in vars(used).items() if number}
        return replace(answer, reasoner=self.loop.name, lm=self.method.lm, usage=usage)


@dataclass
class _Branch:
    """A walk with its steps so far, and its answer where it has ended."""

    walk: Walk
    steps: list[Step] = field(default_factory=list)
    answer: Answer | None = None

    @property
    def score(self) -> float:
        """How promising it is: calls that gave something count for it, those that failed, found nothing or came again against.

        An answer counts two where all of it was seen, none is one less.
        """
        total = -0.05 * len(self.walk.rounds)
        made: set[str] = set()
        for round_ in self.walk.rounds:
            for seen in round_.seen:
                if seen.result is None or seen.action.call is None:
                    total -= 1
                    continue
                spelling = key(seen.action.call)
                total += -0.5 if spelling in made else 0.0 if seen.result.value in (None, "", 0) else 1.0
                made.add(spelling)
        if self.answer is not None:
            total += -1 if not self.answer.answered else 0 if self.answer.unsupported else 2
        return total

    def signature(self) -> tuple[str, ...]:
        """What makes two branches one: the calls that they made, and the answer."""
        calls = {
            key(s.action.call) if s.action.call else s.action.text for r in self.walk.rounds for s in r.seen
        }
        return (*sorted(calls), self.answer.text if self.answer else "", str(len(self.walk.rounds)))


@dataclass
class _Search:
    """The branches that are open, and those that have ended."""

    search: BeamSearch
    open: list[_Branch]
    done: list[_Branch] = field(default_factory=list)

    @property
    def supported(self) -> int:
        """How many branches ended in an answer of which all was seen; one that was made up ends no search."""
        return sum(_whole(branch.answer) for branch in self.done)

    def deeper(self, actors: Sequence[Actor]) -> str:
        """Let every open branch go one step on; what became of them, in words."""
        grown: dict[tuple[str, ...], _Branch] = {}
        count = 0
        for branch in self.open:
            asked: set[str] = set()
            for actor in actors:
                turn = actor.act(branch.walk.rounds)
                if (said := _said(turn)) in asked:
                    continue  # the same step again
                asked.add(said)
                child = self._child(branch, turn)
                count += 1
                other = grown.get(child.signature())
                if other is None or child.score > other.score:
                    grown[child.signature()] = child
        kept = sorted(grown.values(), key=lambda branch: -branch.score)
        self.done += [branch for branch in kept if branch.answer is not None]
        going = [branch for branch in kept if branch.answer is None]
        self.open = going[: self.search.width]
        depth = max(len(branch.walk.rounds) for branch in kept)
        merged = f", {count - len(kept)} of them merged" if count > len(kept) else ""
        return f"Step {depth}: {count} branches{merged}; {len(self.open)} go on, {len(self.done)} have ended."

    def _child(self, branch: _Branch, turn: Turn) -> _Branch:
        walk, steps = branch.walk.fork(), [*branch.steps]
        going = walk.step(turn)
        answer = None
        while True:
            try:
                steps.append(next(going))
            except StopIteration as end:
                answer = end.value
                break
        if answer is None and len(walk.rounds) >= walk.loop.limits.steps:
            answer = walk.out_of_steps()
        return _Branch(walk, steps, answer)

    def best(self) -> tuple[_Branch, Answer]:
        """The branch whose answer has the highest score together with those that say the same."""
        ended = [(branch, branch.answer) for branch in self.done if branch.answer is not None]
        together: dict[str, float] = {}
        for branch, answer in ended:
            together[_same(answer)] = together.get(_same(answer), 0.0) + branch.score
        return max(ended, key=lambda e: (e[1].answered, _whole(e[1]), together[_same(e[1])], e[0].score))


def _whole(answer: Answer | None) -> bool:
    return answer is not None and answer.answered and not answer.unsupported


def _said(turn: Turn) -> str:
    calls = [key(action.call) if action.call else action.text for action in turn.actions]
    return "\n".join([*calls, repr(turn.finish), turn.stopped])


def _same(answer: Answer) -> str:
    """What two answers share that say the same."""
    return " ".join(answer.text.casefold().split()) if answer.answered else ""
