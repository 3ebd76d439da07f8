"""The same loop for models that call tools natively: a conversation of tool calls and their results."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graphtalk.calls import FINISH, UNANSWERABLE, find_calls, parse
from graphtalk.core import JSON, ParseError, Question
from graphtalk.core.reading import read_json
from graphtalk.core.text import whole
from graphtalk.graphs import Graph, GraphSet
from graphtalk.lms import LanguageModel, Message, Reply, Request, ToolCall, Usage
from graphtalk.lms.meter import Meter
from graphtalk.reasoners.functions import glosses
from graphtalk.reasoners.graph_cot.endings import ENDS, ending_of_words, ending_turn
from graphtalk.reasoners.graph_cot.turns import Action, Ending, Round, Turn
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.told import went_before
from graphtalk.reasoners.untrusted import bordered, one_line
from graphtalk.tools import describe
from graphtalk.tools.registry import Registry

MOST_PROMPT_TOKENS = 30_000  # the descriptions of the functions take about 4,000 of them each time

FINISH_TOOL: Mapping[str, JSON] = {
    "type": "function",
    "function": {
        "name": FINISH.name,
        "description": "End with the answer.",
        "parameters": {
            "type": "object",
            "properties": {
                "answer": {
                    "type": ["string", "array", "object"],
                    "items": {"type": "string"},
                    "description": "names as a list, a number, True or False; or, where the answer is all that a call "
                    "gives, that call as JSON, or the name of its result: Result 2 is that of the second call",
                }
            },
            "required": ["answer"],
            "additionalProperties": False,
        },
    },
}

UNANSWERABLE_TOOL: Mapping[str, JSON] = {
    "type": "function",
    "function": {
        "name": UNANSWERABLE.name,
        "description": "End without an answer, where the graph cannot tell.",
        "parameters": {
            "type": "object",
            "properties": {"why": {"type": "string", "description": "what is missing, in a few words"}},
            "required": ["why"],
            "additionalProperties": False,
        },
    },
}


@dataclass(frozen=True)
class NativeMethod:
    """Graph-CoT by native tool calls, with the functions that work on nodes and bags and can run on `graph`."""

    model: LanguageModel
    registry: Registry
    definition: str
    temperature: float = 0.0
    seed: int = 0
    most_tokens: int = MOST_PROMPT_TOKENS
    graph: Graph | GraphSet | None = None

    @property
    def lm(self) -> str:
        """The name of the model."""
        return self.model.name

    @property
    def tools(self) -> tuple[Mapping[str, JSON], ...]:
        """The functions in the form that models take them: those that every question may need."""
        chosen = [tool for tool in self.registry.offered(self.graph) if tool.name in glosses()]
        return (
            *(describe.json_schema(tool, other_graphs=False) for tool in chosen),
            FINISH_TOOL,
            UNANSWERABLE_TOOL,
        )

    def begin(self, question: Question) -> "NativeActor":
        """The actor of one run."""
        return NativeActor(self, question, Meter(self.model), self.tools)


@dataclass
class NativeActor:
    """One run: the conversation is written anew from the rounds each time."""

    method: NativeMethod
    question: Question
    meter: Meter
    tools: tuple[Mapping[str, JSON], ...]

    @property
    def usage(self) -> Usage:
        """What has been asked so far."""
        return self.meter.usage

    def act(self, rounds: Sequence[Round]) -> Turn:
        """The next calls."""
        method = self.method
        request = Request(
            self.messages(rounds), tools=self.tools, temperature=method.temperature, seed=method.seed
        )
        reply = self.meter.complete(request)
        if reply.usage.input_tokens > method.most_tokens:
            return Turn(f"the prompt has more than {method.most_tokens:,} tokens.", stopped="context")
        return self._turn(reply, rounds)

    def messages(self, rounds: Sequence[Round]) -> tuple[Message, ...]:
        """The conversation so far."""
        system = fill(prompt("graph_cot_tools"), {"definition": bordered(self.method.definition)})
        messages = [
            Message("system", system),
            Message("user", f"{went_before(self.question)}{self.question.text}"),
        ]
        for round_ in rounds:
            messages += _messages(round_)
        return tuple(messages)

    def _turn(self, reply: Reply, rounds: Sequence[Round]) -> Turn:
        thought = one_line(reply.text, 2_000)
        if not reply.tool_calls:
            return self._without_tools(reply.text, rounds)
        ends = {name.casefold() for name in ENDS}
        finish = next((c for c in reply.tool_calls if c.name.casefold() in ends), None)
        actions = tuple(self._action(call) for call in reply.tool_calls if call is not finish)
        if finish is None:
            return Turn(thought, actions)
        vocabulary = self.method.registry.vocabulary
        if finish.name.casefold() == UNANSWERABLE.name.casefold():
            return Turn(thought, actions, Ending(_given(finish, "why"), declined=True))
        ending = ending_of_words(_given(finish, "answer"), vocabulary, rounds)
        last = tuple(replace(action, asked=finish) for action in ending.actions)
        return replace(ending, thought=thought, actions=(*actions, *last))

    def _without_tools(self, text: str, rounds: Sequence[Round]) -> Turn:
        """Of a model that writes calls as text, its calls; else what it says is its answer."""
        found = find_calls(text, self.method.registry.vocabulary)
        actions = tuple(Action(text[f.start : f.end], f.call) for f in found if f.call.function not in ENDS)
        ending = next((f.call for f in found if f.call.function in ENDS), None)
        if ending is not None:
            return ending_turn("", actions, ending, rounds)
        if actions:
            return Turn(one_line(text[: found[0].start], 2_000), actions)
        return Turn(finish=Ending(text))

    def _action(self, asked: ToolCall) -> Action:
        text = whole(f"{asked.name}({asked.arguments})")
        try:
            arguments = read_json(asked.arguments or "{}", strict=False)
            if not isinstance(arguments, dict):
                raise ParseError("the arguments are not a JSON object.")
            spelled = whole(json.dumps({"name": asked.name, "arguments": arguments}, ensure_ascii=False))
            return Action(text, parse(spelled, self.method.registry.vocabulary), asked=asked)
        except (ValueError, ParseError) as error:
            return Action(text, None, f"{one_line(text, 200)} cannot be read: {error}", asked)


def _messages(round_: Round) -> list[Message]:
    """A round as the model said it, and what came of it."""
    asked = tuple(seen.action.asked for seen in round_.seen if seen.action.asked is not None)
    if len(asked) < len(round_.seen):  # calls that were written as text
        said = " ".join([round_.turn.thought, *(seen.action.text for seen in round_.seen)])
        heard = "\n".join(f"{seen.action.text} = {seen.observation.text}" for seen in round_.seen)
        return [Message("assistant", said), Message("user", bordered(heard))]
    results = [
        Message("tool", seen.observation.text, tool_call_id=a.id)
        for seen, a in zip(round_.seen, asked, strict=True)
    ]
    return [Message("assistant", round_.turn.thought, asked), *results]


def _given(call: ToolCall, name: str) -> str:
    """What a call of `Finish` or `Unanswerable` says, whatever the form of its arguments: text, or a list or call as JSON."""
    try:
        arguments = read_json(call.arguments, strict=False)
    except ValueError:
        return call.arguments
    said = arguments.get(name, arguments) if isinstance(arguments, dict) else arguments
    return whole(said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))
