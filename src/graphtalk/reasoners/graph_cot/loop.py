"""The loop of Graph-CoT: decide, run, observe, until there is an answer or a limit ends it (paper, section 4)."""

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace

from graphtalk.calls import key
from graphtalk.core import (
    Answer,
    BudgetError,
    CallError,
    CallRecord,
    LmError,
    Question,
    Step,
    Stop,
)
from graphtalk.language.telling import answer_in_words
from graphtalk.reasoners.graph_cot.endings import declined_because
from graphtalk.reasoners.graph_cot.observations import Observer, failed
from graphtalk.reasoners.graph_cot.turns import Action, Actor, Ending, Method, Round, Seen, Turn
from graphtalk.reasoners.support import support
from graphtalk.tools.evidence import together
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.values import to_json


@dataclass(frozen=True)
class LoopLimits:
    """What ends a run: rounds in all, rounds in a row that could not be run, and how often one may be repeated.

    15 rounds are the paper's code's. `actions` bounds the calls of one round.
    """

    steps: int = 15
    failures: int = 4
    repeats: int = 2
    actions: int = 20


@dataclass(frozen=True)
class GraphCot:
    """Answers questions by the loop. `strict`: an answer that nothing observed supports is not given."""

    executor: Executor
    method: Method
    name: str = "graph-cot"
    observer: Observer = field(default_factory=Observer)
    limits: LoopLimits = field(default_factory=LoopLimits)
    strict: bool = False

    def run(self, question: Question) -> Iterator[Step]:
        """The steps towards an answer; the last carries it."""
        yield from Walk(self, question, self.method.begin(question)).steps()


@dataclass
class Walk:
    """One run, or one branch of a search: its actor, its rounds, and how often each action was taken."""

    loop: GraphCot
    question: Question
    actor: Actor
    rounds: list[Round] = field(default_factory=list)
    taken: Counter[str] = field(default_factory=Counter)
    asked: str = ""

    def steps(self) -> Iterator[Step]:
        try:
            answer = yield from self._rounds()
        except BudgetError as error:
            answer = self._ended(f"No answer: {error}", "budget")
        except LmError as error:
            answer = self._ended(f"No answer: {error}", "lm")
        yield Step("answer", answer.text, answer=self._signed(answer))

    def _rounds(self) -> Generator[Step, None, Answer]:
        while len(self.rounds) < self.loop.limits.steps:
            if (answer := (yield from self.step(self.actor.act(self.rounds)))) is not None:
                return answer
        return self.out_of_steps()

    def step(self, turn: Turn) -> Generator[Step, None, Answer | None]:
        """Do what a turn says; the answer, where that ends the run."""
        limits = self.loop.limits
        if turn.asked:
            self.asked = turn.asked
            yield Step("thought", f"This asks: {turn.asked}")
        if turn.thought:
            yield Step("thought", turn.thought)
        if turn.stopped:
            return self._ended(f"No answer: {turn.thought}", turn.stopped)
        round_ = yield from self._act(turn)
        self.rounds.append(round_)
        if turn.finish is not None and (answer := self._answer(turn.finish)) is not None:
            return answer
        if all(r.failed for r in self.rounds[-limits.failures :]) and len(self.rounds) >= limits.failures:
            why = f"{limits.failures} steps in a row could not be run."
            return self._ended(f"No answer: {why}", "unreadable")
        if self._repeats(round_):
            return self._ended("No answer: the same calls were made again and again.", "loop")
        return None

    def out_of_steps(self) -> Answer:
        """What a run ends in that took all its steps."""
        return self._ended(f"No answer after {self.loop.limits.steps} steps.", "steps")

    def fork(self) -> "Walk":
        """Another run that goes on from here."""
        return replace(self, rounds=[*self.rounds], taken=Counter(self.taken))

    def _act(self, turn: Turn) -> Generator[Step, None, Round]:
        """Run the actions of a turn, in order."""
        seen: list[Seen] = []
        for action in turn.actions[: self.loop.limits.actions]:
            found = self._run(action)
            last = found.result.calls[-1] if found.result is not None else None
            yield Step("call", last.spelling if last else action.text, call=last)
            yield Step("observation", found.observation.text)
            seen.append(found)
        for action in turn.actions[self.loop.limits.actions :]:
            seen.append(Seen(action, failed(f"Not run: at most {self.loop.limits.actions} calls a step.")))
        return Round(turn, tuple(seen))

    def _run(self, action: Action) -> Seen:
        if action.call is None:
            return Seen(action, failed(action.complaint))
        try:
            result = self.loop.executor.run(action.call)
        except CallError as error:
            return Seen(action, failed(str(error)))
        observation = self.loop.observer.see(result, action.call, self.loop.executor.index)
        if self.taken[key(action.call)]:
            again = " (You made this call before; it gives the same. Do something else, or finish.)"
            observation = replace(observation, text=observation.text + again)
        return Seen(action, observation, result)

    def _repeats(self, round_: Round) -> bool:
        """Whether a round brought nothing but calls that were made too often already."""
        keys = [key(s.action.call) if s.action.call else s.action.text for s in round_.seen]
        self.taken.update(keys)
        return bool(keys) and all(self.taken[k] > self.loop.limits.repeats for k in keys)

    @property
    def _results(self) -> list[Result]:
        return [seen.result for r in self.rounds for seen in r.seen if seen.result is not None]

    def _answer(self, finish: Ending | Result | Answer) -> Answer | None:
        """The answer that a run ends with; None where the call that was to give it could not be run."""
        if isinstance(finish, Answer):
            return finish
        if isinstance(finish, Result):
            return _stated(finish)
        if finish.of_action:
            last = self.rounds[-1].seen[-1].result
            return None if last is None else _stated(last)
        return self._checked(finish)

    def _checked(self, ending: Ending) -> Answer:
        """A model's answer, with what supports it and what does not."""
        if ending.declined:
            return self._ended(declined_because(ending.text), "")
        results = self._results
        found = support(self.loop.executor, ending.text, results, self.question.text, ending.entries)
        if found.declined:
            return self._ended(declined_because(ending.text), "")
        if found.unsupported and self.loop.strict:
            names = ", ".join(found.unsupported)
            return self._ended(f"No answer: nothing that was seen supports {names}.", "unsupported")
        return Answer(
            True,
            found.text,
            found.value,
            found.evidence,
            found.calls,
            unsupported=found.unsupported,
        )

    def _ended(self, why: str, stopped: Stop) -> Answer:
        """No answer; what was found by then is kept."""
        results = self._results
        last = "".join(f" Last seen: {self.loop.observer.see(result).text}" for result in results[-1:])
        return Answer(
            False,
            why + last,
            evidence=together(result.evidence() for result in results),
            calls=_all_calls(results),
            stopped=stopped,
        )

    def _signed(self, answer: Answer) -> Answer:
        usage = {name: number for name, number in asdict(self.actor.usage).items() if number}
        signed = replace(answer, reasoner=self.loop.name, lm=self.loop.method.lm, usage=usage)
        return replace(signed, asked=self.asked) if self.asked else signed


def _stated(result: Result) -> Answer:
    """The answer that is the result of one call."""
    value = to_json(result.value, result.graph)
    reading = " ".join(result.trail.spelling.split())
    text = answer_in_words(value, reading, result.remarks)
    return Answer(True, text, value, result.evidence(), result.calls, remarks=result.remarks, reading=reading)


def _all_calls(results: Sequence[Result]) -> tuple[CallRecord, ...]:
    """Every call that was made, each once, in order."""
    return tuple({call.spelling: call for result in results for call in result.calls}.values())
