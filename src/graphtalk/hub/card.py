"""Cards of data sets: TOML files in `hub/cards/`, each with all that is known of one set. A new set is one card.

A package adds cards of its own with a function `register(add)` under the entry point group `graphtalk.datasets`, which
calls `add(path)` for each file NAME.toml.

title = "…"                      # all of these must be there
description = "…"
task = "node classification"
homepage = "https://…"
licence = "…"
citation = "…"
edition = "…"                    # what the copy of a folder is called, where it is another than the paper's; may be left out
missing = "…"                    # what is missing or different from the paper's copy; "" where nothing is

[paper]                          # what the paper that used it states, if one did; of a set of graphs, averages
nodes = 2708
edges = 5429
graphs = 1
features = 1433                  # left out where the table says NA, and so are classes
classes = 7
prompts = 18956

[counted]                        # the same of what we import; left out where the files cannot be had
nodes = 2708

[read]
format = "planetoid"             # a reader of `hub/readers.py`, or a format; the rest of the table is for it

[[files]]
name = "u.item"                  # what the reader calls it
url = "https://…"                # where it is downloaded
member = "ml-100k/u.item"        # where the address gives a zip file: its place in there
folder = "movielens-100k/u.item" # its place in a folder given with `--from`; .gz, .xz, .bz2 may follow
bytes = 236344                   # of the file itself, neither packed nor compressed
sha256 = "…"                     # "" where it is not known
folder_sha256 = "…"              # where the folder's copy is another version
encoding = "latin-1"             # where it is not UTF-8
optional = false                 # whether the graph can be made without it
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from graphtalk.core import UsageError, choices
from graphtalk.core.plugins import known

CARDS = Path(str(package_files("graphtalk.hub"))) / "cards"
GROUP = "graphtalk.datasets"

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class Statistics:
    """How large a data set is. Of a set of graphs, `nodes` and `edges` are averages a graph."""

    nodes: float
    edges: float
    graphs: int
    features: int | None = None
    classes: int | None = None
    prompts: int | None = None


@dataclass(frozen=True)
class DataFile:
    """One file of a data set: where it comes from and how it is checked. See the head of this module."""

    name: str
    url: str
    sha256: str
    bytes: int | None = None
    member: str = ""
    folder: str = ""
    folder_sha256: str = ""
    encoding: str = "utf-8"
    optional: bool = False


@dataclass(frozen=True)
class DataCard:
    """All that is known of a data set. `read` is for its reader; see the head of this module."""

    name: str
    title: str
    description: str
    task: str
    homepage: str
    licence: str
    citation: str
    missing: str
    read: Mapping[str, Any]
    paper: Statistics | None = None
    files: tuple[DataFile, ...] = ()
    counted: Statistics | None = None
    edition: str = ""
    format: str = field(init=False, default="")

    def __post_init__(self) -> None:
        object.__setattr__(self, "format", str(self.read.get("format", "")))


def card_files(folder: Path | None = None) -> Mapping[str, Path]:
    """The files of all cards by the name of the data set, sorted; of a folder, those that lie there. None is read."""
    return _known_files() if folder is None else _files_in(folder)


def _files_in(folder: Path) -> Mapping[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


@cache
def _known_files() -> Mapping[str, Path]:
    return dict(sorted(known("data sets", GROUP, _register, lambda path: path.stem).items()))


def _register(add: Callable[[Path], None]) -> None:
    for path in CARDS.glob("*.toml"):
        add(path)


def card_names(folder: Path | None = None) -> tuple[str, ...]:
    """The names of all data sets that have a card, sorted. None is read."""
    return tuple(card_files(folder))


@cache
def read_card(name: str, folder: Path | None = None) -> DataCard:
    """The card of a data set. Raises UsageError for an unknown name, and where a card lacks a field or cannot be read."""
    files = card_files(folder)
    if name not in files:
        raise UsageError(f"No data set {name!r}. {choices(name, files, most=len(files))}")
    try:
        return parse_card(files[name].read_text(encoding="utf-8"), name)
    except OSError as error:
        raise UsageError(f"Cannot read the card {files[name]}: {error.strerror}.") from error


def parse_card(text: str, name: str) -> DataCard:
    """The card that a TOML text says. Raises UsageError naming the field that is missing, unknown or wrong."""
    place = f"card {name}"
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{place} is not TOML: {error}.") from None
    files = data.get("files", [])
    if not isinstance(files, list):
        raise UsageError(f"{place}, files: must be a list of tables.")
    parts: dict[str, Any] = {"files": tuple(_file(f, f"{place}, file {n}") for n, f in enumerate(files, 1))}
    for key in ("paper", "counted"):
        if key in data:
            parts[key] = _record(Statistics, data[key], f"{place}, {key}")
    card = _record(DataCard, {"name": name} | data | parts, place)
    for key in ("title", "description", "task", "homepage", "licence", "citation"):
        if not getattr(card, key).strip():
            raise UsageError(f"{place}: {key!r} is empty.")
    if not card.format:
        raise UsageError(f"{place}, read: 'format' is missing.")
    return card


def _file(data: Any, place: str) -> DataFile:
    found = _record(DataFile, data, place)
    for digest in (found.sha256, found.folder_sha256):
        if digest and not re.fullmatch("[0-9a-f]{64}", digest):
            raise UsageError(f"{place}: {digest!r} is not a SHA-256 in 64 hexadecimal digits.")
    if Path(found.name).name != found.name:
        raise UsageError(f"{place}: the name {found.name!r} must not hold a folder.")
    if found.url and not re.match("https?://", found.url):
        raise UsageError(f"{place}: {found.url!r} is not a web address.")
    return found


def _record(kind: type[_Record], data: Any, place: str) -> _Record:
    """A frozen record of TOML values, each of the type that its field says."""
    if not isinstance(data, dict):
        raise UsageError(f"{place}: must be a table.")
    known = {f.name: f for f in fields(kind) if f.init}  # type: ignore[arg-type]
    for key in data:
        if key not in known:
            raise UsageError(
                f"{place}: unknown field {key!r}. {choices(key, sorted(known), most=len(known))}"
            )
    lacking = [n for n, f in known.items() if f.default is MISSING and n not in data]
    if lacking:
        raise UsageError(f"{place}: the field {lacking[0]!r} is missing.")
    hints = get_type_hints(kind)
    for key, value in data.items():
        if not _fits(value, hints[key]):
            raise UsageError(f"{place}: the field {key!r} cannot be {value!r}.")
    return kind(**data)


def _fits(value: Any, hint: Any) -> bool:
    origin, options = get_origin(hint), get_args(hint)
    if origin in (tuple, Mapping):
        return isinstance(value, origin)
    kinds = options if options else (hint,)
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, (*kinds, int) if float in kinds else kinds)
