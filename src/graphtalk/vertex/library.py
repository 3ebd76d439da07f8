"""The library of cards: one TOML file each, in `cards/`. Reading one reads no other.

A package adds cards of its own with a function `register(add)` under the entry point group `graphtalk.cards`, which calls
`add(path)` for each file NAME.toml.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files as package_files
from pathlib import Path

from graphtalk.core import CheckError, UsageError, choices
from graphtalk.core.plugins import known
from graphtalk.core.reading import read_toml
from graphtalk.vertex.card import Card, read_card

GROUP = "graphtalk.cards"
_FOLDER = Path(str(package_files("graphtalk.vertex"))) / "cards"


class Library(Mapping[str, Card]):
    """Cards by name, each read when it is first asked for. Listing the names reads none."""

    def __init__(self, without: frozenset[str] = frozenset()) -> None:
        self._names = [name for name in _places() if name not in without]

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
def _places() -> Mapping[str, Path]:
    """The files of all cards by name, sorted."""
    return dict(sorted(known("cards", GROUP, _register, lambda path: path.stem).items()))


def _register(add: Callable[[Path], None]) -> None:
    for path in _FOLDER.glob("*.toml"):
        add(path)


@cache
def _card(name: str) -> Card:
    return card_file(_places()[name])


def card_file(path: Path) -> Card:
    """A card of one's own, from a TOML file. Raises UsageError where it cannot be read."""
    try:
        return read_card(read_toml(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(f"Cannot read the card {path}: {error.strerror}.") from error
    except ValueError as error:
        raise UsageError(f"{path} is no TOML file: {error}.") from error
