"""Filtering by running (section 4.4.2): the calls of prompts are run, equal ones once, and held against what is true."""

import re
from dataclasses import dataclass, field, replace

from graphtalk.core import JSON, CallError
from graphtalk.reasoners.toolformer.completion import run_calls
from graphtalk.reasoners.toolformer.statement import read_statement
from graphtalk.tools.executor import Executor
from graphtalk.tools.memory import WorkingMemory
from graphtalk.training.prompt_sets.generate import Prompt

_PLACE = re.compile(r'\[G[RL]\((?:[^\[\]"]|"(?:[^"\\]|\\.)*")*\]')
_MORE = re.compile(r"[\[\]]|\bG[RL]\s*\(", re.IGNORECASE)


@dataclass(frozen=True)
class Outcome:
    """What the calls of a text gave, as texts, or why one gave nothing. `values`: of the calls whose results stand there."""

    results: tuple[str, ...] = ()
    values: tuple[frozenset[str], ...] = ()
    complaint: str = ""


@dataclass(frozen=True)
class Runner:
    """Runs the calls of prompts. What equal calls gave is remembered."""

    executor: Executor
    memory: WorkingMemory[Outcome] = field(default_factory=WorkingMemory)

    def kept(self, prompt: Prompt) -> Prompt:
        """The prompt with its results. Raises CallError where a call fails, or gives nothing of what is true."""
        outcome = self.outcome(prompt.output)
        if outcome.complaint:
            raise CallError(outcome.complaint)
        if prompt.truth is not None:
            _check_truth(prompt.truth, outcome)
        return replace(prompt, results=outcome.results)

    def outcome(self, output: str) -> Outcome:
        """What the calls of an annotated text give. Raises ParseError where it cannot be read."""
        calls = _calls_alone(output)
        if calls is None:
            return self._run(output)
        known = self.memory.get("", calls)
        if known is None:
            known = self._run(calls)
            size = len(calls) + sum(len(each) for values in known.values for each in values)
            self.memory.put("", calls, known, 600 + size + sum(map(len, known.results)))
        return known

    def _run(self, output: str) -> Outcome:
        statement = read_statement(output, self.executor.registry.vocabulary)
        if not statement.places:
            return Outcome(complaint="It has no call.")
        ran = list(run_calls(statement, self.executor))
        failed = next((one for one in ran if one.result is None), None)
        if failed is not None:
            return Outcome(complaint=failed.complaint)
        values = tuple(_values(one.value) for one in ran if one.placed.inserts)
        return Outcome(tuple(one.text for one in ran), values)


def _calls_alone(output: str) -> str | None:
    """The places of an annotated text without its words; None where they cannot be told by brackets and quotes alone."""
    places = _PLACE.findall(output)
    return None if _MORE.search(_PLACE.sub("", output)) or not places else " ".join(places)


def _values(value: JSON) -> frozenset[str]:
    return frozenset(_plain(each) for each in (value if isinstance(value, list) else [value]))


def _check_truth(truth: JSON, outcome: Outcome) -> None:
    """Raise CallError where a call gives nothing of what is known to be true."""
    right = _values(truth)
    if not all(values & right for values in outcome.values):
        raise CallError(f"It gives {', '.join(outcome.results)}, which is not true.")


def _plain(value: JSON) -> str:
    return " ".join(str(value).replace("_", " ").casefold().split())
