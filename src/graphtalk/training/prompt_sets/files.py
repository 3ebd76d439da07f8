"""Prompts in files: one JSON object a line, written line by line, so that a stage can be taken up again."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from graphtalk.core import JSON, UsageError
from graphtalk.training.prompt_sets.generate import Prompt


def to_line(prompt: Prompt) -> dict[str, JSON]:
    """The prompt as a line of a journal, without its id."""
    line: dict[str, Any] = asdict(prompt)
    line.pop("id")
    line["slots"], line["results"] = dict(prompt.slots), list(prompt.results)
    return line


def read_prompts(path: Path) -> Iterator[Prompt]:
    """The prompts of a file, in order. Raises UsageError, naming the line, where one is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read the prompts {path}: {error}.") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _prompt(line, f"{path}:{number}")


def _prompt(line: str, place: str) -> Prompt:
    try:
        row: Mapping[str, Any] = json.loads(line)
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
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise UsageError(f"{place}: not a prompt that `graphtalk prompts` made ({error!r}).") from error
