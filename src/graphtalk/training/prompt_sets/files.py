"""Prompts in files: one JSON object a line, written line by line, so that a stage can be taken up again."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from graphtalk.core import JSON, UsageError
from graphtalk.core.reading import read_json
from graphtalk.training.prompt_sets.generate import Prompt

_BLOCK = 1 << 20


def to_line(prompt: Prompt) -> dict[str, JSON]:
    """The prompt as a line of a journal, without its id."""
    return {
        "family": prompt.family,
        "task": prompt.task,
        "wording": prompt.wording,
        "input": prompt.input,
        "output": prompt.output,
        "slots": dict(prompt.slots),
        "truth": prompt.truth,
        "results": list(prompt.results),
    }


def count_lines(path: Path) -> int:
    """How many lines a file has. Raises UsageError where it cannot be read."""
    try:
        with path.open("rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(_BLOCK), b""))
    except OSError as error:
        raise _unreadable(path, error) from error


def read_prompts(path: Path) -> Iterator[Prompt]:
    """The prompts of a file, in order, one at a time. Raises UsageError, naming the line, where one is none."""
    try:
        with path.open(encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _prompt(line, f"{path}:{number}")
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> UsageError:
    return UsageError(f"Cannot read the prompts {path}: {error}.")


def _prompt(line: str, place: str) -> Prompt:
    try:
        row: Mapping[str, Any] = read_json(line)
        known = {name: row[name] for name in ("id", "family", "task", "input", "output")}
        if not all(isinstance(value, str) for value in known.values()):
            raise TypeError("id, family, task, input and output must be texts")
        return Prompt(
            **known,
            wording=int(row.get("wording", -1)),
            slots={str(name): str(value) for name, value in row.get("slots", {}).items()},
            truth=row.get("truth"),
            results=tuple(map(str, row.get("results", ()))),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError(f"{place}: not a prompt that `graphtalk prompts` made ({error!r}).") from error
