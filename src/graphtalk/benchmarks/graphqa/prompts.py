"""The forms of GraphQA's questions: text files beside this one."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from graphtalk.reasoners.prompting import fill


def prompt(name: str, texts: Mapping[str, str]) -> str:
    """The form `prompts/NAME.txt` with its slots filled."""
    return fill(_form(name), texts)


@cache
def _form(name: str) -> str:
    path = files("graphtalk.benchmarks.graphqa").joinpath("prompts", f"{name}.txt")
    return path.read_text(encoding="utf-8").removesuffix("\n")
