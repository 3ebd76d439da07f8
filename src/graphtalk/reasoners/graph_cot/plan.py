"""Plan first: the model writes one expression; it is checked, run, and mended at most twice; only then step by step.

What the expression gives is the answer, so a question that needs no mending costs one call of the model.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from graphtalk.calls import FINISH, find_calls
from graphtalk.calls.ast import Call
from graphtalk.core import Question
from graphtalk.graphs import Graph, GraphSet
from graphtalk.lms import LanguageModel, Message, Request, Usage, user
from graphtalk.lms.meter import Meter
from graphtalk.reasoners.graph_cot.turns import Action, Actor, Method, Round, Seen, Turn
from graphtalk.reasoners.offline import is_empty
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.untrusted import bordered, one_line
from graphtalk.tools import describe
from graphtalk.tools.registry import Registry

MOST_REPAIRS = 2


@dataclass(frozen=True)
class PlanMethod:
    """One planned expression first; where that fails, `otherwise`. `examples` are expressions of this graph.

    The model is told of the functions that can run on `graph` (None: on some graph).
    """

    model: LanguageModel
    registry: Registry
    definition: str
    otherwise: Method
    examples: str = ""
    temperature: float = 0.0
    seed: int = 0
    graph: Graph | GraphSet | None = None

    @property
    def lm(self) -> str:
        """The name of the model."""
        return self.model.name

    def begin(self, question: Question) -> "PlanActor":
        """The actor of one run."""
        return PlanActor(self, question, Meter(self.model), self.otherwise.begin(question))

    def prompt(self, question: str) -> str:
        """What the model is asked for its first expression."""
        lines = "\n".join(
            describe.prompt_line(tool) for tool in self.registry.offered(self.graph) if tool.name != "GL"
        )
        return fill(
            prompt("graph_cot_plan"),
            {
                "functions": lines,
                "definition": bordered(self.definition),
                "examples": bordered(self.examples),
                "question": question,
            },
        )


@dataclass
class PlanActor:
    """One run: expressions until one gives something, then whoever goes step by step."""

    method: PlanMethod
    question: Question
    meter: Meter
    stepwise: Actor
    planned: int = 0

    @property
    def usage(self) -> Usage:
        """What has been asked so far."""
        return self.meter.usage + self.stepwise.usage

    def act(self, rounds: Sequence[Round]) -> Turn:
        """The next expression, the result of the last one as the answer, or the next step."""
        if self.planned and len(rounds) == self.planned:
            last = rounds[-1].seen[-1]
            if last.result is not None and (not is_empty(last.result) or self._meant(rounds)):
                return Turn("The expression gives the answer.", finish=last.result)
        if len(rounds) == self.planned <= MOST_REPAIRS:
            self.planned += 1
            return self._plan(rounds)
        return self.stepwise.act(rounds[self.planned :])

    def _meant(self, rounds: Sequence[Round]) -> bool:
        """Whether the model, told that its expression finds nothing, wrote it again, or has no attempt left."""
        same = len(rounds) > 1 and rounds[-1].seen[-1].action.call == rounds[-2].seen[-1].action.call
        return same or self.planned > MOST_REPAIRS

    def _plan(self, rounds: Sequence[Round]) -> Turn:
        messages = list(user(self.method.prompt(self.question.text)))
        for round_ in rounds:
            messages += _tried(round_)
        request = Request(tuple(messages), temperature=self.method.temperature, seed=self.method.seed)
        text = self.meter.complete(request).text
        thought = "One expression should answer this." if not rounds else "The expression must be mended."
        return Turn(thought, (self._read(text),))

    def _read(self, text: str) -> Action:
        """The last expression that stands in what the model wrote."""
        found = find_calls(text, self.method.registry.vocabulary)
        if not found:
            shown = one_line(text, 300)
            return Action(shown, None, f"{shown!r} holds no expression. Write Function[argument, …] alone.")
        call, written = found[-1].call, text[found[-1].start : found[-1].end]
        if call.function == FINISH.name:  # around an expression, or with words where one was asked for
            inner = call.arguments[0] if call.arguments else None
            if not isinstance(inner, Call):
                return Action(one_line(written, 300), None, f"{FINISH.name} is no expression of the graph.")
            call = inner
        return Action(one_line(written, 2_000), call)


def _tried(round_: Round) -> tuple[Message, Message]:
    """An expression that failed, and why, as the model is told it."""
    seen = round_.seen[-1]
    return Message("assistant", seen.action.text), Message(
        "user", f"{_why(seen)} {prompt('graph_cot_repair')}"
    )


def _why(seen: Seen) -> str:
    if seen.result is None:
        return f"That cannot be run:\n{bordered(seen.observation.text)}\n"
    return f"That runs, but gives nothing:\n{bordered(seen.observation.text)}\n"
