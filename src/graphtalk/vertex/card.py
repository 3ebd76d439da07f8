"""A card: one algorithm of the library, in words for agents and typed for engines, with examples that are tests."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from graphtalk.core import CheckError
from graphtalk.vertex.example import Example
from graphtalk.vertex.program import Program
from graphtalk.vertex.reading import read_program
from graphtalk.vertex.worked import worked_example

WORDS = ("state", "message", "initialization", "send", "update", "termination")


@dataclass(frozen=True, eq=False)
class Card:
    """One algorithm. `words` has the six parts in plain steps, by the names in WORDS; `source` is the whole card.

    `np_complete` says that no quick way is known, so that a run may give up.
    """

    name: str
    title: str
    summary: str
    keywords: tuple[str, ...]
    reference: str
    np_complete: bool
    words: Mapping[str, str]
    examples: tuple[Example, ...]
    source: Mapping[str, Any] = field(repr=False)

    @cached_property
    def program(self) -> Program:
        """The typed program. Raises CheckError or ParseError where the card is wrong."""
        return read_program(self.source)

    @cached_property
    def text(self) -> str:
        """The card as an agent or a person reads it: the six parts, and an example that was run."""
        parts = [f"# {self.title}", self.summary]
        parts += [f"### {part.capitalize()}\n{self.words[part]}" for part in WORDS if self.words.get(part)]
        if self.examples:
            parts.append(worked_example(self.program, self.examples[0]))
        return "\n\n".join(parts)


def read_card(source: Mapping[str, Any]) -> Card:
    """The card that a table (from TOML, or from a model's reply) describes. Its program is read when asked for.

    Raises CheckError where the parts around the program are wrong.
    """
    name = source.get("name")
    if not isinstance(name, str):
        raise CheckError("A card needs a name.")
    words = source.get("words", {})
    unknown = [part for part in words if part not in WORDS]
    if unknown:
        raise CheckError(f"{name}: words has no part {unknown[0]!r}. Valid: {', '.join(WORDS)}.")
    return Card(
        name,
        str(source.get("title", name)),
        str(source.get("summary", "")),
        tuple(source.get("keywords", ())),
        str(source.get("reference", "")),
        source.get("complexity") == "NP-complete",
        {part: str(text).strip() for part, text in words.items()},
        tuple(_example(name, example) for example in source.get("examples", ())),
        source,
    )


def _example(name: str, source: Mapping[str, Any]) -> Example:
    edges = tuple(tuple(edge) for edge in source.get("edges", ()))
    least = 1 + max((int(end) for edge in edges for end in edge[:2]), default=0)
    answer = source.get("answer")
    return Example(
        int(source.get("nodes", least)),
        edges,
        bool(source.get("directed", False)),
        dict(source.get("parameters", {})),
        json.loads(answer) if isinstance(answer, str) else answer,
        {field: json.loads(v) if isinstance(v, str) else v for field, v in source.get("states", {}).items()},
        source.get("rounds"),
        tuple(source.get("node_weights", ())),
    )
