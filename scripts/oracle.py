"""A model that knows what to do: it plays the offline planner's expression in whatever form it is asked.

It stands in for a language model where the cost of the protocols is compared: how many calls and how many tokens
the same walk takes as text, by tool calls, and as one planned expression.
"""

import json
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from graphtalk.calls import Call, Vocabulary, parse, show
from graphtalk.core import Answer, Question
from graphtalk.graphs import GraphSet
from graphtalk.lms import Reply, Request, ToolCall, Usage, about_tokens, in_one_piece
from graphtalk.reasoners.graph_cot.planned import inside_out, thought_of
from graphtalk.reasoners.offline import OfflineReasoner

_TEXT = re.compile(
    r"Question: (?P<question>[^\n]*) Please answer by providing[^\n]*\n(?P<pad>.*)\Z", re.DOTALL
)
_PLAN = re.compile(r"(?:^|\n)Question: (?P<question>[^\n]*)\Z")


@dataclass
class Oracle:
    """Plays walks; `answers` keeps what the planner found for each question, `seconds` how long it thought itself."""

    planner: OfflineReasoner
    name: str = "oracle"
    spell: Callable[[str], str] | None = None  # how it writes a planned expression; None: as functions
    answers: dict[str, Answer] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def vocabulary(self) -> Vocabulary:
        """What the calls are written with."""
        return self.planner.executor.registry.vocabulary

    def answer(self, question: str) -> Answer:
        """The planner's answer."""
        if question not in self.answers:
            *_, last = self.planner.run(Question(question))
            assert last.answer is not None
            self.answers[question] = last.answer
        return self.answers[question]

    def walk(self, question: str) -> list[Call]:
        """The calls of the planner's expression, from the inside out."""
        calls = self.answer(question).calls
        return list(dict.fromkeys(inside_out(parse(calls[-1].spelling, self.vocabulary)))) if calls else []

    def complete(self, request: Request) -> Reply:
        """What comes next in the walk."""
        started = time.process_time()
        reply = self._reply(request)
        self.seconds += time.process_time() - started
        return reply

    def _reply(self, request: Request) -> Reply:
        prompt = "\n".join(m.content + "".join(c.arguments for c in m.tool_calls) for m in request.messages)
        tools = json.dumps([dict(tool) for tool in request.tools]) if request.tools else ""
        text, calls = self._said(request)
        said = text + "".join(c.name + c.arguments for c in calls)
        return Reply(text, calls, Usage(1, about_tokens(prompt + tools), about_tokens(said)))

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The same in one piece."""
        yield from in_one_piece(self.complete(request))

    def _said(self, request: Request) -> tuple[str, tuple[ToolCall, ...]]:
        last = request.messages[-1].content
        if request.tools:
            done = sum(m.role == "assistant" for m in request.messages)
            return "", (self._tool_call(request.messages[1].content, done),)
        planned = _PLAN.search(request.messages[1].content)
        if planned:
            walk = self.walk(planned["question"])
            said = show(walk[-1], "graph-cot", self.vocabulary) if walk else "none"
            return (said if self.spell is None else self.spell(said)), ()
        found = _TEXT.search(last)
        assert found is not None, "a prompt that the oracle does not know"
        return self._line(found["question"], found["pad"]), ()

    def _line(self, question: str, pad: str) -> str:
        """A thought or an action of the text protocol."""
        walk, at = self.walk(question), pad.count("\nObservation ")
        if pad.rstrip(": 0123456789").endswith("Thought"):
            done = "This answers the question."
            return thought_of(walk[at], self.planner.executor.registry) if at < len(walk) else done
        if at < len(walk):
            return show(walk[at], "graph-cot", self.vocabulary)
        return f"Finish[{words(self.answer(question))}]"

    def _tool_call(self, question: str, at: int) -> ToolCall:
        walk = self.walk(question)
        if at >= len(walk):
            return ToolCall(f"c{at}", "Finish", json.dumps({"answer": words(self.answer(question))}))
        spelled = json.loads(show(walk[at], "json", self.vocabulary))
        return ToolCall(f"c{at}", spelled["name"], json.dumps(spelled["arguments"]))


@dataclass
class NoisyOracle(Oracle):
    """An oracle that errs: at each action, with this probability, it ends with the name of some other node."""

    noise: float = 0.3

    def _said(self, request: Request) -> tuple[str, tuple[ToolCall, ...]]:
        text, calls = super()._said(request)
        prompt = request.messages[-1].content
        drawn = random.Random(f"{request.seed if request.temperature else ''} {prompt}")
        if (
            prompt.rstrip().endswith(":")
            and "Action" in prompt.rstrip().rpartition("\n")[2]
            and drawn.random() < self.noise
        ):
            graph = self.planner.executor.graph
            graph = graph.union if isinstance(graph, GraphSet) else graph
            return f"Finish[{graph.label(drawn.randrange(graph.num_nodes))}]", ()
        return text, calls


def words(answer: Answer) -> str:
    """An answer as a model would say it."""
    if not answer.answered:
        return "unknown"
    value = answer.value
    return ", ".join(str(v) for v in value) if isinstance(value, list) else str(value)
