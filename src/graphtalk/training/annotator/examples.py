"""The annotator's training examples: the prompts of Graph-ToolFormer, read from files, as shapes and functions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphtalk.core import SourceError
from graphtalk.reasoners.toolformer.offline.catalogue import Catalogue
from graphtalk.reasoners.toolformer.offline.features import segment
from graphtalk.reasoners.toolformer.offline.mentions import SLOT, TokenText, read

_LINE = re.compile(
    r"Input: (.*?) Output: (.*?)(?: Reasoning Result: .*| generated_data_loading_prompt_data\S*)?"
)
_CALL = re.compile(r"\[G[RL]\(.*?\)(?:-->r\]|\](?!\)))")
_FUNCTION = re.compile(r'"([a-z_]+:[a-z_]+)"')


@dataclass(frozen=True)
class Prompt:
    """A text and the same with its calls; `source` is the name of its data set."""

    input: str
    output: str
    source: str


def read_prompts(path: Path) -> list[Prompt]:
    """The prompts of a file `Input: … Output: … [Reasoning Result: …]`, one a line. Raises SourceError for
    another line, and where the file cannot be read.
    """
    source = path.parent.name
    found = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"cannot be read ({error})", str(path)) from error
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise SourceError("not a prompt `Input: … Output: …`", str(path), number)
        found.append(Prompt(match[1], match[2], source))
    return found


def calls_in(output: str) -> list[str]:
    """The calls of an annotated text, with their brackets, in order."""
    return [match[0] for match in _CALL.finditer(output)]


@dataclass(frozen=True)
class Example:
    """A prompt with its mentions read. `functions`: of the calls whose results are inserted, in order."""

    prompt: Prompt
    reading: TokenText
    functions: tuple[str, ...]

    def targets(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """The part of the shape about each slot, with the function that fills it."""
        shape = self.reading.shape
        slots = [at for at, mask in enumerate(shape) if mask == SLOT]
        if len(slots) == len(self.functions) > 1:
            yield from (
                (segment(shape, slot), name) for slot, name in zip(slots, self.functions, strict=True)
            )
        else:
            yield shape, self.functions[0]


def examples(prompts: Sequence[Prompt], catalogue: Catalogue) -> list[Example]:
    """The prompts that insert a result."""
    found = []
    for prompt in prompts:
        names = (_FUNCTION.search(call) for call in calls_in(prompt.output) if call.endswith("-->r]"))
        functions = tuple(name[1] for name in names if name)
        if functions:
            found.append(Example(prompt, read(prompt.input, catalogue), functions))
    return found
