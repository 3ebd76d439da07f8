"""The forms of GraphQA's questions: text files beside this one."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from graphtalk.reasoners.prompting import fill

Form: TypeAlias = Callable[[str], str]  # from a question to what a model is asked


def prompt(name: str, texts: Mapping[str, str]) -> str:
    """The form `prompts/NAME.txt` with its slots filled."""
    return fill(_form(name), texts)


def as_question(question: str) -> str:
    """The form of SceneGraphs' and WebQSP's questions, and of any other."""
    return prompt("question", {"question": question})


@cache
def _form(name: str) -> str:
    path = files("graphtalk.benchmarks.graphqa").joinpath("prompts", f"{name}.txt")
    return path.read_text(encoding="utf-8").removesuffix("\n")
