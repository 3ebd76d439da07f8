"""Plan first: the model writes one expression; it is checked, run, and mended at most twice; only then step by step.

What the expression gives is the answer, so a question that needs no mending costs one call of the model. Where the graph
cannot tell, the model says so at once, and is believed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphtalk.calls import FINISH, UNANSWERABLE, last_call
from graphtalk.calls.ast import Call
from graphtalk.core import ParseError, Question
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.lms import LanguageModel, Message, Request, Usage, user
from graphtalk.lms.meter import Meter
from graphtalk.reasoners.graph_cot.briefing import Briefing
from graphtalk.reasoners.graph_cot.endings import ENDS, ending_turn
from graphtalk.reasoners.graph_cot.meaning import passed_over
from graphtalk.reasoners.graph_cot.turns import Action, Actor, Ending, Method, Round, Seen, Turn
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.support.refusal import says_no
from graphtalk.reasoners.told import went_before
from graphtalk.reasoners.untrusted import bordered, one_line
from graphtalk.tools.executor import Result
from graphtalk.tools.registry import Registry
from graphtalk.tools.values import Bag, Table

MOST_REPAIRS = 2
LONGEST_GUESS = 300  # letters
DECLINES = "The model finds that the graph cannot tell."

_NAMED = re.compile(rf"\W*{UNANSWERABLE.name}\b[\W_]*", re.IGNORECASE)  # without brackets
_ALONE = re.compile(r"^\W*question\W*:\s*(?P<asked>\S.*)$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class PlanMethod:
    """One planned expression first; where that fails, `otherwise`. `briefing` is what the model is told of the graph."""

    model: LanguageModel
    registry: Registry
    briefing: Briefing
    otherwise: Method
    temperature: float = 0.0
    seed: int = 0

    @property
    def lm(self) -> str:
        """The name of the model."""
        return self.model.name

    def begin(self, question: Question) -> "PlanActor":
        """The actor of one run."""
        return PlanActor(self, question, Meter(self.model), self.otherwise.begin(question))

    def messages(self, question: Question) -> tuple[Message, ...]:
        """What the model is asked for its first expression."""
        form = "graph_cot_plan_after" if question.earlier else "graph_cot_plan_question"
        values = {
            "beside": self.briefing.beside(question.text) + _guessed(question),
            "earlier": went_before(question),
            "question": question.text,
        }
        return user(fill(prompt(form), values), self.briefing.told)


@dataclass
class PlanActor:
    """One run: expressions until one gives something, then whoever goes step by step."""

    method: PlanMethod
    question: Question
    meter: Meter
    stepwise: Actor
    planned: int = 0
    asked: str = ""

    @property
    def usage(self) -> Usage:
        """What has been asked so far."""
        return self.meter.usage + self.stepwise.usage

    def act(self, rounds: Sequence[Round]) -> Turn:
        """The next expression, the result of the last one as the answer, or the next step."""
        if self.planned and len(rounds) == self.planned:
            last = rounds[-1].seen[-1]
            if last.result is not None and (not self._doubted(last) or self._meant(rounds)):
                return Turn("The expression gives the answer.", finish=last.result)
        if len(rounds) == self.planned <= MOST_REPAIRS:
            self.planned += 1
            return self._plan(rounds)
        return self.stepwise.act(rounds[self.planned :])

    def _doubted(self, seen: Seen) -> str:
        """Which prompt asks about an expression: it cannot be run, a name in it was guessed, it passes over a word, or it
        finds nothing.
        """
        if seen.result is None:
            return "graph_cot_repair"
        if seen.observation.guessed:
            return "graph_cot_guessed"
        if self._passed_over(seen):
            return "graph_cot_unused"
        return "graph_cot_nothing" if finds_nothing(seen.result) else ""

    def _passed_over(self, seen: Seen) -> list[str]:
        """The words of the question that an expression seems to pass over."""
        outline, call = self.method.briefing.outline, seen.action.call
        asked = self.asked or self.question.text
        return passed_over(asked, call, outline.graph.schema, outline.index) if call is not None else []

    def _meant(self, rounds: Sequence[Round]) -> bool:
        """Whether the model was asked about an expression before for the same reason: then it means this one."""
        why = self._doubted(rounds[-1].seen[-1])
        return self.planned > MOST_REPAIRS or any(self._doubted(r.seen[-1]) == why for r in rounds[:-1])

    def _plan(self, rounds: Sequence[Round]) -> Turn:
        messages = list(self.method.messages(self.question))
        for round_ in rounds:
            seen = round_.seen[-1]
            words = ", ".join(map(repr, self._passed_over(seen)))
            told = {"said": bordered(seen.observation.text), "words": words}
            messages += [
                Message("assistant", seen.action.text),
                Message("user", fill(prompt(self._doubted(seen)), told)),
            ]
        request = Request(tuple(messages), temperature=self.method.temperature, seed=self.method.seed)
        text = self.meter.complete(request).text
        thought = "One expression should answer this." if not rounds else "The expression must be mended."
        asked, written = self._asked(text)
        turn = self._read(thought, written)
        self.asked = self.asked or asked
        return Turn(turn.thought, turn.actions, turn.finish, asked=asked if not rounds else "")

    def _asked(self, text: str) -> tuple[str, str]:
        """The question that stands alone, where one was asked for, and what the model wrote after it."""
        found = _ALONE.search(text) if self.question.earlier else None
        return (one_line(found["asked"], 1_000), text[found.end() :]) if found else ("", text)

    def _read(self, thought: str, text: str) -> Turn:
        """The last expression that stands in what the model wrote, or that there is none for this question."""
        shown = one_line(text, 300)
        try:
            found = last_call(text, self.method.registry.vocabulary)
        except ParseError as error:
            return Turn(thought, (Action(shown, None, str(error)),))
        if found is None and (says_no(text) or _NAMED.match(text)):
            return Turn(DECLINES, finish=Ending(_NAMED.sub("", shown), declined=True))
        if found is None:
            how = f"Write one expression alone, or {UNANSWERABLE.name}[why]."
            return Turn(thought, (Action(shown, None, f"{shown!r} holds no expression. {how}"),))
        call, written = found.call, text[found.start : found.end]
        if call.function == UNANSWERABLE.name:
            return ending_turn(DECLINES, (), call, ())
        if call.function == FINISH.name:  # around an expression, or with words where one was asked for
            inner = call.arguments[0] if call.arguments else None
            if not isinstance(inner, Call):
                no_words = f"{FINISH.name} is no expression of the graph."
                return Turn(thought, (Action(shown, None, no_words),))
            if inner.function in ENDS:
                return ending_turn(DECLINES, (), inner, ())
            call = inner
        return Turn(thought, (Action(one_line(written, 2_000), call),))


def _guessed(question: Question) -> str:
    """What a reader without a model takes a question to mean; "" where it says nothing, or too much."""
    if not question.guess or len(question.guess) > LONGEST_GUESS:
        return ""
    return (
        fill(prompt("graph_cot_plan_guess"), {"guess": bordered(one_line(question.guess, LONGEST_GUESS))})
        + "\n"
    )


def finds_nothing(result: Result) -> bool:
    """Whether a result has no entry, or none that is known. A count of 0 is an answer, and so is "no"."""
    value = result.value
    if isinstance(value, Bag | Table | list):
        return len(value) == 0 or (isinstance(value, list) and all(item is None for item in value))
    return value is None or (isinstance(value, ResultSet) and len(value) == 0)
