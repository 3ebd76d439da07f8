"""The templates of a family of tasks: a TOML file each in `templates/`.

    [words]                      # each prompt draws one of each; slots in them are values, or words before
    network = ["citation network", "bibliography"]

    [calls]                      # the calls by name, with the slots of an instance
    topic = 'GR(GL("{data}"), "graph_bert:topic", paper#{paper})'

    [[tasks]]
    call = "topic"               # what stands for [TBR]
    says = ["In {network}, paper #{paper} is about [TBR]."]
    asks = [["What is paper #{paper} about?", "Paper #{paper} is about [TBR]."]]

`<name>` is the place of another call, whose result is only kept: the input has nothing there. `grammar.py` says how
wordings are written. A wording's `(a|b)` is drawn apart for a question and its answer; a word in `{…}` is the same.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from graphtalk.core import UsageError, choices
from graphtalk.training.prompt_sets.grammar import slots

SLOT = "[TBR]"
KEPT = re.compile(r" ?<([a-z_]+)>")


@dataclass(frozen=True)
class Wording:
    """A way to word a task: the input, and the output before its calls are put in."""

    input: str
    output: str

    @property
    def is_question(self) -> bool:
        """Whether the output is a text of its own."""
        return self.input != self.output


@dataclass(frozen=True)
class Task:
    """One thing to ask, by its call, and the ways to word it."""

    call: str
    wordings: tuple[Wording, ...]


@dataclass(frozen=True)
class Family:
    """Tasks that share calls and words."""

    name: str
    words: Mapping[str, tuple[str, ...]]
    calls: Mapping[str, str]
    tasks: tuple[Task, ...]

    def needed(self, task: Task) -> set[str]:
        """The slots that an instance must have for a task: those of its calls."""
        names = {task.call, *(n for w in task.wordings for n in KEPT.findall(w.output))}
        return {slot for name in names for slot in slots(self.calls[name])}


def families() -> tuple[str, ...]:
    """The names of all families."""
    folder = files(__package__).joinpath("templates")
    return tuple(sorted(place.name[:-5] for place in folder.iterdir() if place.name.endswith(".toml")))


@cache
def family(name: str) -> Family:
    """The templates of a family. Raises UsageError with the valid names."""
    if name not in families():
        raise UsageError(f"No family of prompts {name!r}. {choices(name, families(), len(families()))}")
    text = files(__package__).joinpath("templates", f"{name}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    tasks = tuple(
        Task(
            task["call"],
            (
                *(Wording(says, says) for says in task.get("says", ())),
                *(Wording(asks, says) for asks, says in task.get("asks", ())),
            ),
        )
        for task in data["tasks"]
    )
    words = {key: tuple(options) for key, options in data.get("words", {}).items()}
    return Family(name, words, data["calls"], tasks)
