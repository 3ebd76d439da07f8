"""The paper's protocol: a growing text of `Thought n:`, `Action n:` and `Observation n:` (appendix E).

A thought and an action are two requests, each ended by a line break. A model that writes both at once, or begins
with the label that it was given, is understood too.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from graphtalk.calls import Vocabulary, find_calls
from graphtalk.core import Question
from graphtalk.lms import LanguageModel, Request, Usage, about_tokens, user
from graphtalk.lms.meter import Meter
from graphtalk.reasoners.graph_cot.endings import ENDS, ending_turn
from graphtalk.reasoners.graph_cot.turns import Action, Round, Turn
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.told import went_before
from graphtalk.reasoners.untrusted import one_line

SYSTEM = "You are a helpful AI bot."
MOST_PROMPT_TOKENS = 10_000  # of the paper's code

_LABEL = re.compile(r"^\W*(?:thought|reasoning|action|interaction)\s*\d*\s*:\s*", re.IGNORECASE)
_BOTH = re.compile(r"\b(?:action|interaction)\s*\d*\s*:", re.IGNORECASE)
_OBSERVATION = re.compile(r"\b(?:observation|execution)\s*\d*\s*:", re.IGNORECASE)
_HOW = "Write one or more of RetrieveNode[…], NodeFeature[…], NodeDegree[…], NeighbourCheck[…], or Finish[answer]."


@dataclass(frozen=True)
class TextMethod:
    """Graph-CoT as the paper has it. `examples` are demonstrations, none for zero-shot."""

    model: LanguageModel
    vocabulary: Vocabulary
    definition: str
    examples: str = ""
    temperature: float = 0.0
    seed: int = 0
    most_tokens: int = MOST_PROMPT_TOKENS

    @property
    def lm(self) -> str:
        """The name of the model."""
        return self.model.name

    def begin(self, question: Question) -> "TextActor":
        """The actor of one run."""
        return TextActor(self, question, Meter(self.model))

    def prompt(self, question: Question, scratchpad: str) -> str:
        """The whole prompt, ended by what the model goes on from."""
        return fill(
            prompt("graph_cot"),
            {
                "functions": prompt("graph_cot_functions"),
                "examples": self.examples,
                "definition": self.definition,
                "earlier": went_before(question),
                "question": question.text,
                "scratchpad": scratchpad,
            },
        )


@dataclass
class TextActor:
    """One run of the text protocol. `at_once`: this model writes thought and action in one reply."""

    method: TextMethod
    question: Question
    meter: Meter
    at_once: bool = field(default=False)

    @property
    def usage(self) -> Usage:
        """What has been asked so far."""
        return self.meter.usage

    def act(self, rounds: Sequence[Round]) -> Turn:
        """The next thought and action."""
        n = len(rounds) + 1
        pad = scratchpad(rounds)
        asked = f"{pad}Thought {n}:"
        if about_tokens(self.method.prompt(self.question, asked)) > self.method.most_tokens:
            return Turn(f"the prompt has more than {self.method.most_tokens:,} tokens.", stopped="context")
        if self.at_once:
            return self._both(asked, rounds)
        thought = self._ask(asked, ("\n",))
        written = self._ask(f"{asked} {thought}\nAction {n}:", ("\n",))
        turn = read_turn(thought, written, self.method.vocabulary, rounds)
        if turn.finish is None and all(action.call is None for action in turn.actions):
            both = self._both(asked, rounds)
            if both.finish is not None or any(action.call for action in both.actions):
                self.at_once = True
                return both
        return turn

    def _both(self, asked: str, rounds: Sequence[Round]) -> Turn:
        """Thought and action from one reply, which ends where an observation would begin."""
        reply = self._ask(asked, ("\nObservation", "\nExecution"))
        found = _BOTH.search(reply)
        thought, action = (reply[: found.start()], reply[found.end() :]) if found else ("", reply)
        written = action.strip().partition("\nThought")[0]
        return read_turn(thought, written, self.method.vocabulary, rounds)

    def _ask(self, scratchpad: str, stop: tuple[str, ...]) -> str:
        text = self.method.prompt(self.question, scratchpad)
        method = self.method
        request = Request(user(text, SYSTEM), stop, temperature=method.temperature, seed=method.seed)
        reply = _OBSERVATION.split(self.meter.complete(request).text)[0].strip()
        return _LABEL.sub("", reply)


def scratchpad(rounds: Sequence[Round]) -> str:
    """The rounds so far as the protocol writes them."""
    lines = []
    for n, round_ in enumerate(rounds, 1):
        actions = ", ".join(seen.action.text for seen in round_.seen)
        observations = ", ".join(seen.observation.text for seen in round_.seen)
        lines += [
            f"Thought {n}: {round_.turn.thought}",
            f"Action {n}: {actions}",
            f"Observation {n}: {observations}",
        ]
    return "".join(f"{line}\n" for line in lines)


def read_turn(thought: str, written: str, vocabulary: Vocabulary, rounds: Sequence[Round] = ()) -> Turn:
    """A turn from what a model wrote as its thought and as its action, after these rounds."""
    thought = one_line(thought, 2_000)
    found = find_calls(written, vocabulary)
    actions = tuple(
        Action(one_line(written[f.start : f.end], 2_000), f.call)
        for f in found
        if f.call.function not in ENDS
    )
    ending = next((f.call for f in found if f.call.function in ENDS), None)
    if ending is not None:
        return ending_turn(thought, actions, ending, rounds)
    if actions:
        return Turn(thought, actions)
    shown = one_line(written, 200)
    return Turn(thought, (Action(shown, None, f"{shown!r} is not a call. {_HOW}"),))
