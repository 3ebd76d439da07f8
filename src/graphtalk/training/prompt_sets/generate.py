"""Prompts from templates and instances (section 4.4.2: inputs are composed of what is there)."""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from graphtalk.core import JSON
from graphtalk.training.prompt_sets.grammar import drawn, filled, words_drawn
from graphtalk.training.prompt_sets.instances import Instance
from graphtalk.training.prompt_sets.templates import KEPT, SLOT, Family, Task, Wording


@dataclass(frozen=True)
class Prompt:
    """An input and its annotated output. `output` is empty before it is annotated.

    `task` is the name of its call and `wording` which of its wordings it has: prompts are split by wording where an
    annotator is measured on wordings that it has not seen. `slots` are its instance's, and `truth` what its call has
    to give, None where nothing is known. `results` are what its calls gave, once they were run.
    """

    id: str
    family: str
    task: str
    wording: int
    input: str
    output: str
    slots: Mapping[str, str] = field(default_factory=dict)
    truth: JSON = None
    results: tuple[str, ...] = ()


def prompts(
    family: Family, instances: Iterable[Instance], count: int, seed: int, name: str = ""
) -> Iterator[Prompt]:
    """`count` prompts with different inputs, fewer where the instances run out; the same for the same seed.

    Instances are taken in turn, each with a task and a wording by chance. `name` begins the ids.
    """
    rng, seen = random.Random(seed), set[str]()
    choices = [(task, place) for task in family.tasks for place in range(len(task.wordings))]
    needed = {task.call: family.needed(task) for task in family.tasks}
    for instance in instances:
        if len(seen) >= count:
            return
        fitting = [(t, p) for t, p in choices if needed[t.call] <= instance.slots.keys()]
        if not fitting:
            continue
        task, place = rng.choice(fitting)
        prompt = worded(family, task, place, instance, rng, f"{name or family.name}-{len(seen)}")
        if prompt.input not in seen:
            seen.add(prompt.input)
            yield prompt


def worded(family: Family, task: Task, place: int, instance: Instance, rng: random.Random, id: str) -> Prompt:
    """The prompt of one wording of a task."""
    wording = task.wordings[place]
    values = words_drawn(family.words, instance.slots, rng)
    given, said = _texts(wording, rng)
    calls = {name: filled(call, instance.slots) for name, call in _used(family, task, wording).items()}
    return Prompt(
        id,
        family.name,
        task.call,
        place,
        _sentence(filled(KEPT.sub("", given), values)),
        _sentence(_annotated(filled(said, values), calls, task.call)),
        instance.slots,
        instance.truth(task.call),
    )


def _texts(wording: Wording, rng: random.Random) -> tuple[str, str]:
    given = drawn(wording.input, rng)
    return given, drawn(wording.output, rng) if wording.is_question else given


def _used(family: Family, task: Task, wording: Wording) -> dict[str, str]:
    names = {*KEPT.findall(wording.output)} | ({task.call} if SLOT in wording.output else set())
    return {name: family.calls[name] for name in names}


def _annotated(text: str, calls: Mapping[str, str], main: str) -> str:
    """The text with its calls in: `[TBR]` with its result, `<name>` without. What is put in is not looked at again."""
    parts = KEPT.split(text)  # text, name, text, …
    done = [part.replace(SLOT, f"[{calls.get(main, '')}-->r]") for part in parts[::2]]
    kept = [f" [{calls[name]}]" for name in parts[1::2]]
    return "".join(a + b for a, b in zip(done, [*kept, ""], strict=True)).lstrip()


def _sentence(text: str) -> str:
    """The text with a capital at its beginning, unless it begins with a name that has none."""
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first in _LOWER else text


_LOWER = frozenset({"the", "our", "a", "an", "molecule", "molecular", "compound", "instance", "node"})
