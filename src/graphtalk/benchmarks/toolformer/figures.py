"""What the paper reports for each data set, and where its prompts lie."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

PREFIX = "toolformer-"
UNKNOWN, PLAIN = (
    f"{PREFIX}unknown",
    f"{PREFIX}plain",
)  # the inputs of table 7; texts that have nothing to do with graphs
METRICS = ("rouge1", "rouge2", "rougeL", "rougeLsum", "bleu", "bp", "api")


@dataclass(frozen=True)
class Row:
    """A row of table 4: the data set as the paper calls it, its folder, and its scores in percent."""

    paper: str
    folder: str
    scores: Mapping[str, float]


@cache
def rows() -> Mapping[str, Row]:
    """The rows of table 4, by the name of our task without its prefix."""
    text = files(__package__).joinpath("paper.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)
    return {
        name: Row(row["paper"], row["folder"], dict(zip(METRICS, row["scores"], strict=True)))
        for name, row in found.items()
    }
