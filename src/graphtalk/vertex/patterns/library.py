"""The patterns, one TOML file each: a program with places, and what may stand in each place."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from graphtalk.core import CheckError, choices
from graphtalk.core.reading import read_toml

_FOLDER = Path(str(files("graphtalk.vertex"))) / "patterns"
_EDGES = {"parallel": "merge", "loops": "drop"}
_PLACES = ("gathered", "kept")


@dataclass(frozen=True)
class Pattern:
    """A program with places. `places`: for each place what may stand there, by name; `answers`: what may be asked.

    `values`: whether nodes have numbers of their own.
    """

    name: str
    title: str
    summary: str
    values: bool
    answers: Mapping[str, str]
    places: Mapping[str, Mapping[str, str]]
    source: Mapping[str, Any]

    def program(self, chosen: Mapping[str, str]) -> dict[str, Any]:
        """The program with what is chosen for `answer` and for each place. Raises CheckError for what there is not."""
        filled = self.source
        for place, options in self.places.items():
            filled = _filled(filled, "{" + place + "}", _option(self.name, place, options, chosen))
        answer = _option(self.name, "answer", self.answers, chosen)
        nodes = {"nodes": {"weight": {"feature": "weight"}}} if self.values else {}
        send = {"along": "both", **filled["send"]}
        return {
            "name": self.name,
            "edges": _EDGES,
            **nodes,
            **filled,
            "send": send,
            "answer": [{"value": answer}],
        }


def pattern(name: str) -> Pattern:
    """A pattern by its name. Raises CheckError where there is none."""
    if name not in pattern_names():
        raise CheckError(f"No pattern {name!r}. {choices(name, pattern_names())}")
    return _read(name)


@cache
def pattern_names() -> tuple[str, ...]:
    """The names of all patterns."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def _read(name: str) -> Pattern:
    row = read_toml((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    places = {place: row[place] for place in _PLACES if place in row}
    return Pattern(
        row["name"], row["title"], row["summary"], row["values"], row["answer"], places, row["program"]
    )


def _option(name: str, place: str, options: Mapping[str, str], chosen: Mapping[str, str]) -> str:
    asked = chosen.get(place, "")
    if asked not in options:
        raise CheckError(f"{name} has no {place} {asked!r}. {choices(asked, tuple(options))}")
    return options[asked]


def _filled(part: Any, place: str, text: str) -> Any:
    """A part of a program with `text` where the place stands."""
    if isinstance(part, Mapping):
        return {name: _filled(each, place, text) for name, each in part.items()}
    return part.replace(place, text) if isinstance(part, str) else part
