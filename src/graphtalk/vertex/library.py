"""The library of cards: one TOML file each, in `cards/`. Reading one reads no other."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from graphtalk.core import CheckError, UsageError, choices
from graphtalk.core.reading import read_toml
from graphtalk.vertex.card import Card, read_card

_FOLDER = files("graphtalk.vertex").joinpath("cards")


class Library(Mapping[str, Card]):
    """Cards by name, each read when it is first asked for. Listing the names reads none."""

    def __init__(self, without: frozenset[str] = frozenset()) -> None:
        names = (
            entry.name.removesuffix(".toml") for entry in _FOLDER.iterdir() if entry.name.endswith(".toml")
        )
        self._names = sorted(name for name in names if name not in without)

    def __getitem__(self, name: str) -> Card:
        if name not in self._names:
            raise CheckError(f"No card {name!r}. {choices(name, self._names)}")
        return _card(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def library(without: frozenset[str] = frozenset()) -> Library:
    """All cards, less those named in `without`."""
    return Library(without)


@cache
def _card(name: str) -> Card:
    return read_card(tomllib.loads(_FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8")))


def card_file(path: Path) -> Card:
    """A card of one's own, from a TOML file. Raises UsageError where it cannot be read."""
    try:
        return read_card(read_toml(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(f"Cannot read the card {path}: {error.strerror}.") from error
    except ValueError as error:
        raise UsageError(f"{path} is no TOML file: {error}.") from error
