"""A language model as annotator: an instruction, examples of each task, and a check of what it writes (section 4.5)."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from graphtalk.core import CallError
from graphtalk.lms import LanguageModel, Message, Request, user
from graphtalk.reasoners.functions import core, glosses, spoken_of
from graphtalk.reasoners.outline import Outline
from graphtalk.reasoners.prompting import fill
from graphtalk.reasoners.toolformer.annotator import UnusableError
from graphtalk.reasoners.toolformer.check import check_annotation
from graphtalk.reasoners.untrusted import bordered, one_line
from graphtalk.tools.describe import signature
from graphtalk.tools.registry import Registry, Tool

_BEFORE = re.compile(r"^\W*output\W*:\s*", re.IGNORECASE)
_MOST_TOKENS = 512
_MOST_NAME = 100  # letters of the name of a graph


@dataclass(frozen=True)
class LmAnnotator:
    """Asks a model for the annotated text; what cannot be used is shown back once, then declined.

    `graphs` are the names of the graphs that can be loaded. `home` is the graph that texts may be about without naming it.
    """

    lm: LanguageModel
    registry: Registry
    graphs: Collection[str]
    temperature: float = 0.0
    seed: int = 0
    home: Outline | None = None

    def annotate(self, text: str) -> str:
        """The text with its calls. Raises UnusableError where no reply can be used, LmError where none came."""
        return self._asked(text, self._messages(text))

    def mend(self, text: str, annotated: str, complaints: Sequence[str]) -> str:
        """The text with other calls, after some that it was given could not be run. Raises as `annotate`."""
        again = fill(_text("prompts/repair.txt"), {"reason": bordered("\n".join(complaints))})
        return self._asked(
            text, (*self._messages(text), Message("assistant", annotated), Message("user", again))
        )

    def _messages(self, text: str) -> tuple[Message, ...]:
        line = " ".join(text.split())
        home = self.home
        schema = "" if home is None or home.fits else f"{bordered(home.about(line))}\n"
        more = "".join(f"- {_told(tool)}: {tool.summary}\n" for tool in spoken_of(line, self._others))
        about = schema + (f"Of the functions, these may fit:\n{more}" if more else "")
        return user(fill(_text("prompts/query.txt"), {"about": about, "text": line}), self.instruction)

    def _asked(self, text: str, messages: tuple[Message, ...]) -> str:
        reason = ""
        for _ in range(2):
            request = Request(messages, temperature=self.temperature, seed=self.seed, max_tokens=_MOST_TOKENS)
            said = self.lm.complete(request).text
            annotated = annotation_in(said)
            try:
                statement = check_annotation(text, annotated, self.registry.vocabulary, self.graphs)
            except CallError as error:
                reason = str(error)
                again = fill(_text("prompts/repair.txt"), {"reason": bordered(reason)})
                messages = (*messages, Message("assistant", said), Message("user", again))
                continue
            return annotated if statement.places else text
        raise UnusableError(f"{self.lm.name} wrote nothing that can be used, twice. The last time: {reason}")

    @cached_property
    def instruction(self) -> str:
        """What a model is told before every text, which a server may keep."""
        values = {
            "functions": "\n".join((*map(_glossed, self._core), *_by_domain(self._others))),
            "graphs": ", ".join(one_line(name, _MOST_NAME) for name in self.graphs),
            "examples": "\n".join(examples()),
            "home": "" if self.home is None else self._home(self.home),
        }
        return fill(_text("prompts/instruction.txt"), values)

    @cached_property
    def _offered(self) -> list[Tool]:
        return [tool for tool in self.registry.offered() if ":" in tool.toolformer]

    @cached_property
    def _core(self) -> list[Tool]:
        """The functions on nodes and bags that texts about the graph at hand may need; none where there is no such graph."""
        return core(self._offered, self.home.graph.schema) if self.home is not None else []

    @cached_property
    def _others(self) -> list[Tool]:
        told = {tool.name for tool in self._core}
        return [tool for tool in self._offered if tool.name not in told]

    def _home(self, home: Outline) -> str:
        schema = home.whole if home.fits else home.named
        return "\n\n" + fill(
            _text("prompts/home.txt"), {"name": home.graph.name, "outline": bordered(schema)}
        )


def _told(tool: Tool) -> str:
    """`toolx:shortest_path(first, second)`"""
    return tool.toolformer + signature(tool).removeprefix(tool.name).replace("[", "(").replace("]", ")")


def _glossed(tool: Tool) -> str:
    gloss = glosses()[tool.name].partition(": RetrieveNode")[0]
    return f"- {_told(tool)}{f': {gloss}' if gloss else ''}"


def _by_domain(tools: Sequence[Tool]) -> Iterator[str]:
    """A line for each domain with its functions, which are known by their names."""
    domains: dict[str, list[str]] = {}
    for tool in tools:
        domain, _, rest = _told(tool).partition(":")
        domains.setdefault(domain, []).append(rest.removesuffix("()"))
    for domain, names in domains.items():
        yield f"- {domain}: {', '.join(names)}"


def annotation_in(said: str) -> str:
    """The annotated text in a reply: its last line that is not empty, without what stands around it."""
    lines = [found for found in said.replace("```", "").splitlines() if found.strip()]
    return _BEFORE.sub("", lines[-1].strip()) if lines else ""


@cache
def examples() -> tuple[str, ...]:
    """The examples of all tasks."""
    folder = files(__package__).joinpath("examples")
    names = sorted(place.name for place in folder.iterdir() if place.name.endswith(".txt"))
    return tuple(_text(f"examples/{name}") for name in names)


@cache
def _text(place: str) -> str:
    """The text of a file beside this one, without the line break at its end."""
    return files(__package__).joinpath(place).read_text(encoding="utf-8").rstrip("\n")
