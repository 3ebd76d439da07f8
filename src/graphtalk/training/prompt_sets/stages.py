"""The stages after generation: rephrase and annotate (section 4.4.2), each of one prompt, and the split. `running` filters."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TypeAlias

from graphtalk.core import CallError
from graphtalk.lms import LanguageModel, Request, user
from graphtalk.reasoners.prompting import fill
from graphtalk.reasoners.toolformer.annotator import Annotator
from graphtalk.reasoners.untrusted import bordered
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
        request = Request(
            user(fill(text, {"text": bordered(prompt.input)})), temperature=1.0, seed=self.seed + number
        )
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


def split(ids: Iterable[str], seed: int) -> tuple[list[str], list[str]]:
    """The ids of the prompts for training and for tests, `min(N - 160, 1600) : 160` as in section 5.4.1, drawn by chance.

    Of fewer than 320 prompts, half are for tests.
    """
    order = sorted(ids)
    random.Random(seed).shuffle(order)
    test = min(160, len(order) // 2)
    return order[test : test + min(len(order) - test, 1600)], order[:test]


def record(prompt: Prompt) -> str:
    """The prompt as one line of the published form."""
    results = " <||> ".join(prompt.results)
    return f"Input: {prompt.input} Output: {prompt.output}" + (
        f" Reasoning Result: {results}." if results else ""
    )


@dataclass(frozen=True)
class Rejected:
    """A prompt that a stage leaves out, and why."""

    prompt: Prompt
    reason: str


def each(prompt: Prompt, times: int, rephrase: Rephrase) -> Iterator[Prompt | Rejected]:
    """`times` rephrasings of a prompt, those that differ from it, and then itself: where it is, all of them are."""
    for number in range(times):
        try:
            made = rephrase(prompt, number)
        except CallError as error:
            yield Rejected(replace(prompt, id=f"{prompt.id}-r{number}"), str(error))
            continue
        if made.input != prompt.input:
            yield made
    yield prompt
