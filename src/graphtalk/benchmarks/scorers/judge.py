"""A language model as judge: GRBench's GPT4score, where the judge is GPT-4 (Graph-CoT, section 5.1)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from graphtalk.benchmarks.scorers.given import Given
from graphtalk.lms import LanguageModel, Request, user
from graphtalk.reasoners.untrusted import bordered

PROMPT = files("graphtalk.benchmarks.scorers").joinpath("judge.txt").read_text(encoding="utf-8")
_FIELD = re.compile(r"\{(question|prediction|truth)\}")


@dataclass(frozen=True)
class Judge:
    """Asks a model whether an answer says what the right one says. Raises LmError where it cannot be asked.

    `judge` is 1 for Yes, and 0 for anything else: the share of Yes is the score. Where nothing was answered there is
    nothing to ask.
    """

    lm: LanguageModel

    def __call__(self, given: Given) -> Mapping[str, float]:
        """The verdict on one answer."""
        if not given.text.strip():
            return {"judge": 0.0}
        # Filled in one pass: braces in an answer are letters, not fields.
        parts = {"question": given.question, "prediction": given.text, "truth": given.gold.text}
        prompt = _FIELD.sub(lambda field: bordered(parts[field[1]]), PROMPT)
        reply = self.lm.complete(Request(user(prompt)))
        return {"judge": float(reply.text.strip(" \t\n\"'*.").casefold().startswith("yes"))}
