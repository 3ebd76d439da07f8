"""Prompts to learn annotation from: JSON lines as `graphtalk prompts` writes them, or the published form."""

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphtalk.core import UsageError
from graphtalk.training.annotator.examples import read_prompts as read_published
from graphtalk.training.prompt_sets.files import read_prompts as read_lines
from graphtalk.training.prompts import Item

PUBLISHED = "prompts_train"  # what files of the published layout are called
_ASKED = re.compile(r'\bGR\(\s*GL\(\s*"([^"]*)"')
_VALIDATION = 160  # prompts kept for validation at most, a tenth of all


@dataclass(frozen=True)
class Pair:
    """A text and the same annotated."""

    input: str
    output: str


def read_pairs(places: Iterable[Path]) -> list[Pair]:
    """The prompts of files, and of all files `prompts_train` below folders, each text once.

    Raises UsageError where there are none, or where a line is no prompt.
    """
    files = [
        file for place in places for file in (sorted(place.rglob(PUBLISHED)) if place.is_dir() else [place])
    ]
    found: dict[str, Pair] = {}
    for file in files:
        for prompt in read_lines(file) if _has_json(file) else read_published(file):
            if prompt.output:
                found.setdefault(prompt.input, Pair(prompt.input.strip(), prompt.output.strip()))
    if not found:
        raise UsageError("There are no prompts with an output to learn from. Give --data a file of them.")
    return list(found.values())


def graphs_asked(pairs: Iterable[Pair]) -> list[str]:
    """The names of the graphs that the prompts' calls ask, sorted."""
    return sorted({name for pair in pairs for name in _ASKED.findall(pair.output)})


def _has_json(file: Path) -> bool:
    try:
        with file.open(encoding="utf-8") as lines:
            return next((line for line in lines if line.strip()), "").lstrip().startswith("{")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read the prompts {file}: {error}.") from error


def split(pairs: Sequence[Pair], seed: int) -> tuple[list[Pair], list[Pair]]:
    """The prompts to train on and those to validate with, drawn by chance."""
    order = list(pairs)
    random.Random(seed).shuffle(order)
    kept = min(_VALIDATION, max(1, len(order) // 10))
    return order[kept:], order[:kept]


def prompt_ids(tokenizer: Any, text: str) -> list[int]:
    """The tokens after which the annotation of a text is written."""
    ids: list[int] = tokenizer(f"Input: {text.strip()} Output:", verbose=False)["input_ids"]
    return ids[:-1] if ids and ids[-1] == tokenizer.eos_token_id else ids


def items(tokenizer: Any, pairs: Iterable[Pair], length: int) -> list[Item]:
    """The pairs in tokens; only the annotation and the end are learnt. Pairs of more than `length` tokens are left out."""
    none, ends = np.empty(0, np.int64), np.empty((2, 0), np.int64)
    found = []
    for pair in pairs:
        before = prompt_ids(tokenizer, pair.input)
        whole: list[int] = tokenizer(f"Input: {pair.input} Output: {pair.output}", verbose=False)["input_ids"]
        if whole[-1] != tokenizer.eos_token_id:
            whole.append(tokenizer.eos_token_id)
        if whole[: len(before)] != before:  # the tokenizer joins the two: then they are read apart
            whole = [*before, *tokenizer(f" {pair.output}", add_special_tokens=False)["input_ids"]]
            whole.append(tokenizer.eos_token_id)
        after = whole[len(before) :]
        if max(len(before), len(after)) <= length:
            found.append(Item("", (), tuple(before), tuple(after), none, none, ends))
    return found
