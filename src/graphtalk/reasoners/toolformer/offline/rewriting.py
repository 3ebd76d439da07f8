"""Rewritings that were learnt from prompts: how a text of a known shape becomes the annotated one.

A rewriting is a sequence of edits, as a tagger of edits learns them (Malmi et al., 2019, "Encode, Tag, Realize"):
tokens kept, in the order of the output, words that are new, and calls whose arguments point to tokens. What it is
for is known by a hash of the text's shape, so a text of another shape is never mistaken for it.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from graphtalk.reasoners.toolformer.offline.mentions import TokenText
from graphtalk.reasoners.toolformer.offline.writing import Insert, Piece


@dataclass(frozen=True)
class Rewriter:
    """Known shapes, by `key`, and what becomes of each."""

    rules: Mapping[str, tuple[Piece, ...]]

    def find(self, reading: TokenText) -> tuple[Piece, ...] | None:
        """The pieces that a text of a known shape becomes, or None."""
        return self.rules.get(key(reading))

    def dump(self) -> str:
        """As text that `load_rewriter` reads."""
        written = {name: [_written(piece) for piece in pieces] for name, pieces in sorted(self.rules.items())}
        return json.dumps(written, separators=(",", ":"), ensure_ascii=False).replace('],"', '],\n"')


def key(reading: TokenText) -> str:
    """What a shape is known by: a hash of it and of the family of its data set."""
    family = reading.data.family if reading.data else ""
    return hashlib.blake2b(" ".join((family, *reading.shape)).encode(), digest_size=9).hexdigest()


def load_rewriter(text: str) -> Rewriter:
    """The rewriter that `dump` wrote."""
    return Rewriter({name: tuple(map(_read, pieces)) for name, pieces in json.loads(text).items()})


@cache
def shipped_rewriter() -> Rewriter:
    """The rewriter that ships with the package."""
    return load_rewriter(files(__package__).joinpath("rewritings.json").read_text(encoding="utf-8"))


def _written(piece: Piece) -> object:
    return [piece.function, piece.inserts, *piece.arguments] if isinstance(piece, Insert) else piece


def _read(piece: int | str | list[object]) -> Piece:
    if not isinstance(piece, list):
        return piece
    function, inserts, *arguments = piece
    return Insert(str(function), tuple(a if isinstance(a, int) else str(a) for a in arguments), bool(inserts))
