"""Prompts are text files beside the reasoners; `{name}` in them stands for what is filled in."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

_SLOT = re.compile(r"\{([a-z][a-z ]*)\}")


@cache
def prompt(name: str) -> str:
    """The text of `prompts/NAME.txt`, without the line break at its end."""
    return (
        files("graphtalk.reasoners")
        .joinpath("prompts", f"{name}.txt")
        .read_text(encoding="utf-8")
        .rstrip("\n")
    )


def fill(template: str, values: Mapping[str, str]) -> str:
    """The template with its slots filled, all at once: what is filled in is not looked at again.

    >>> fill("Q: {question}", {"question": "what is {x}?"})
    'Q: what is {x}?'
    """
    return _SLOT.sub(lambda slot: values[slot[1]], template)
