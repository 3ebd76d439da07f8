"""Results as they stand in a text: `4`, `[5, 6]`, `{0: 1, 1: 2}`, `#2`, `the same` (Graph-ToolFormer, table 5).

Names are written as prose has them: `Paris`, `Spain and Italy`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from graphtalk.core import JSON
from graphtalk.graphs import Graph, GraphSet
from graphtalk.language.telling import value_in_words
from graphtalk.tools.executor import Result
from graphtalk.tools.values import Bag, ids, show, to_json


@dataclass(frozen=True)
class Form:
    """How the results of one tool are written; see results.toml."""

    form: str = "{}"
    yes: str = "yes"
    no: str = "no"
    decimals: int | None = None
    ids: bool = False


def written(result: Result, toolformer: str) -> str:
    """A result as text; `toolformer` is the paper's name of the tool that gave it, such as `toolx:order`.

    Every entry of a list is written, however long it is.
    """
    if isinstance(result.value, Graph | GraphSet):
        return show(result.value, result.graph)
    value = plain(result, toolformer)
    if isinstance(value, float) and value.is_integer() and toolformer.startswith("graph:"):
        value = int(
            value
        )  # 505990.0 is how a column holds it; what toolx computes is written as the paper writes it
    return _written(value, forms().get(toolformer, Form()))


def plain(result: Result, toolformer: str) -> JSON:
    """The value that is written: nodes by their ids where texts name them so, one node where a tool gives just one."""
    value = to_json(result.value, result.graph)
    if isinstance(result.value, Bag):
        value = [*ids(result.graph, result.value.nodes)] if forms().get(toolformer, Form()).ids else value
        value = value[0] if result.type.one and isinstance(value, list) and len(value) == 1 else value
    return value


def _written(value: JSON, form: Form) -> str:
    if isinstance(value, bool):
        return form.yes if value else form.no
    if isinstance(value, int | float):
        return form.form.format(value if form.decimals is None else round(value, form.decimals))
    if value is None:
        return "unknown"
    if value == [] and not form.ids:
        return "none"
    if isinstance(value, dict) and all(map(_is_plain, value)):
        return "{" + ", ".join(f"{k}: {_written(v, Form())}" for k, v in value.items()) + "}"
    if isinstance(value, list) and all(map(_is_plain, value)):
        return "[" + ", ".join(_written(v, Form()) for v in value) + "]"
    if isinstance(value, list) and form.ids:  # the paper quotes ids that are no numbers
        return str([str(v) for v in value])
    if isinstance(value, list | dict):
        return value_in_words(value)
    return form.form.format(value) if value.isdigit() else value


def _is_plain(value: JSON) -> bool:
    """Whether an entry is a number, the number of a node, or a list of these: what table 5 writes in brackets."""
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return value.isdigit() if isinstance(value, str) else isinstance(value, int | float)


@cache
def forms() -> Mapping[str, Form]:
    """The forms of results.toml."""
    text = files(__package__).joinpath("results.toml").read_text(encoding="utf-8")
    return {name: Form(**form) for name, form in tomllib.loads(text).items()}
