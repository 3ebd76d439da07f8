"""The stages after generation: rephrase, annotate, and filter by running (section 4.4.2). Each works on one prompt."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TypeAlias

from graphtalk.core import JSON, CallError
from graphtalk.lms import LanguageModel, Request, user
from graphtalk.reasoners.prompting import fill
from graphtalk.reasoners.toolformer.annotator import Annotator
from graphtalk.reasoners.toolformer.completion import Ran, run_calls
from graphtalk.reasoners.toolformer.statement import read_statement
from graphtalk.tools.executor import Executor
from graphtalk.tools.values import to_json
from graphtalk.training.prompt_sets.generate import Prompt, worded
from graphtalk.training.prompt_sets.grammar import slots
from graphtalk.training.prompt_sets.instances import Instance
from graphtalk.training.prompt_sets.templates import SLOT, family

Rephrase: TypeAlias = Callable[[Prompt, int], Prompt]


def rephrased(prompt: Prompt, number: int) -> Prompt:
    """The prompt in another wording of our grammar, with the same instance; `number` tells rephrasings apart."""
    rng = random.Random(f"{prompt.id} {number}")
    templates = family(prompt.family)
    task = next(task for task in templates.tasks if task.call == prompt.task)
    others = [place for place in range(len(task.wordings)) if place != prompt.wording]
    place = rng.choice(others or [prompt.wording])
    made = worded(templates, task, place, Instance(prompt.slots), rng, f"{prompt.id}-r{number}")
    return replace(made, truth=prompt.truth)


@dataclass(frozen=True)
class LmRephrase:
    """A language model's rephrasing; it has to be annotated anew."""

    lm: LanguageModel
    seed: int = 0

    def __call__(self, prompt: Prompt, number: int) -> Prompt:
        """The prompt in the model's words. Raises CallError where a value is lost, LmError where no reply came."""
        text = files(__package__).joinpath("rephrase.txt").read_text(encoding="utf-8")
        request = Request(user(fill(text, {"text": prompt.input})), temperature=1.0, seed=self.seed + number)
        said = " ".join(self.lm.complete(request).text.split())
        lost = [value for value in (*_values(prompt), SLOT) if value in prompt.input and value not in said]
        if lost:
            raise CallError(f"The rephrasing {said!r} has lost {lost[0]!r}.")
        return replace(prompt, id=f"{prompt.id}-r{number}", wording=-1, input=said, output="")


def _values(prompt: Prompt) -> list[str]:
    needed = slots(family(prompt.family).calls[prompt.task])
    return [value for name, value in prompt.slots.items() if name in needed]


def annotated(prompt: Prompt, annotator: Annotator | None) -> Prompt:
    """The prompt with its output: an annotator's, or what its template gave. Raises CallError where there is none."""
    if annotator is None:
        if not prompt.output:
            raise CallError("It has no output from a template; give --lm to annotate it.")
        return prompt
    output = annotator.annotate(prompt.input)
    if output == prompt.input:
        raise CallError("The annotator wrote no call.")
    return replace(prompt, output=output)


def kept(prompt: Prompt, executor: Executor) -> Prompt:
    """The prompt with the results of its calls. Raises CallError where one fails, or gives what is known to be untrue."""
    statement = read_statement(prompt.output, executor.registry.vocabulary)
    if not statement.places:
        raise CallError("It has no call.")
    ran = list(run_calls(statement, executor))
    for one in ran:
        if one.result is None:
            raise CallError(one.complaint)
    if prompt.truth is not None:
        _check_truth(prompt.truth, [one for one in ran if one.placed.inserts])
    return replace(prompt, results=tuple(one.text for one in ran))


def _check_truth(truth: JSON, ran: list[Ran]) -> None:
    """Raise CallError where a call gives nothing of what is known to be true."""
    right = {_plain(value) for value in (truth if isinstance(truth, list) else [truth])}
    for one in ran:
        given = to_json(one.result.value, one.result.graph) if one.result else None
        found = {_plain(value) for value in (given if isinstance(given, list) else [given])}
        if not found & right:
            raise CallError(f"It gives {one.text}, which is not true.")


def _plain(value: JSON) -> str:
    return " ".join(str(value).replace("_", " ").casefold().split())


def split(prompts: list[Prompt], seed: int) -> tuple[list[Prompt], list[Prompt]]:
    """The prompts for training and for tests, `min(N - 160, 1600) : 160` as in section 5.4.1, drawn by chance.

    Of fewer than 320 prompts, half are for tests.
    """
    order = sorted(prompts, key=lambda prompt: prompt.id)
    random.Random(seed).shuffle(order)
    test = min(160, len(order) // 2)
    return order[test : test + min(len(order) - test, 1600)], order[:test]


def record(prompt: Prompt) -> str:
    """The prompt as one line of the published form."""
    results = " <||> ".join(prompt.results)
    return f"Input: {prompt.input} Output: {prompt.output}" + (
        f" Reasoning Result: {results}." if results else ""
    )


def each(prompt: Prompt, times: int, rephrase: Rephrase) -> Iterator[Prompt]:
    """`times` rephrasings of a prompt, those that differ from it."""
    for number in range(times):
        made = rephrase(prompt, number)
        if made.input != prompt.input:
            yield made
