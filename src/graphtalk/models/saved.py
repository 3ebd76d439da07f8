"""Fitted models on disk. Each is a folder, written in one step and replaced in one step:

    card.json           what was fitted, on what, how, and how well (`ModelCard`)
    model.safetensors   its arrays by name

No model library is needed to read it. A folder that is not whole is not a model.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import UsageError
from graphtalk.core.reading import read_json
from graphtalk.graphs.scratch import replace_folder, scratch, stranger, sync

CARD, ARRAYS = "card.json", "model.safetensors"
VERSION = 1

Arrays: TypeAlias = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class ModelCard:
    """What is known about a fitted model.

    `graph` is the checksum of the graph's store ("" for a graph in memory), `config` the configuration as JSON
    values, `scores` what was reached by metric ("test accuracy"), `seconds` the time of fitting. `facts` are JSON
    values that the model needs beside its arrays, such as the names of classes.
    """

    model: str
    dataset: str
    graph: str
    config: Mapping[str, Any]
    seed: int
    scores: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    source: str = ""
    licence: str = ""
    citation: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Saved:
    """A fitted model as it was read: its card, and its arrays by name."""

    card: ModelCard
    arrays: Arrays


def is_saved(folder: Path) -> bool:
    """Whether a folder looks like a fitted model."""
    return (folder / CARD).is_file()


def save(folder: Path, card: ModelCard, arrays: Arrays) -> None:
    """Write a fitted model at `folder`, in place of an older one there.

    Raises UsageError where the folder holds something else, or cannot be written.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    place = Path(os.path.realpath(folder))
    _check_place(place)
    whole = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    try:
        with scratch(place.parent, f".{place.name}.model-") as within:
            new = within / "model"
            new.mkdir()
            save_file(whole, new / ARRAYS)
            sync(new / ARRAYS)
            told = {"version": VERSION, "sha256": _digest(new / ARRAYS), **asdict(card)}
            (new / CARD).write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
            sync(new / CARD)
            replace_folder(new, place, _check_place)
    except (OSError, SafetensorError) as error:
        raise UsageError(f"Cannot write the fitted model {place}: {error}.") from error


def _check_place(place: Path) -> None:
    """Raise UsageError where `place` holds anything but a fitted model, of whatever version."""
    try:
        told = read_json((place / CARD).read_bytes())
    except (OSError, ValueError):
        told = None
    ours = isinstance(told, dict) and {"version", "sha256", "model"} <= told.keys()
    odd = stranger(place, lambda name: ours and name in (CARD, ARRAYS))
    if odd or (place.exists() and not place.is_dir()):
        raise UsageError(
            f"{place} is not a fitted model{odd and f': it holds {odd!r}'}; it is not overwritten."
        )


def read_card(folder: Path) -> ModelCard:
    """The card of a fitted model, without its arrays. Raises as `load`."""
    return _read_card(folder)[0]


def load(folder: Path, model: str, graph: str = "") -> Saved:
    """Read a fitted model. `graph` is the checksum of the graph that it will be used with, if that is known.

    Raises UsageError where the folder is no fitted model, is damaged or of another version, holds another model
    than `model`, or was fitted on another graph.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    card, digest = _read_card(folder)
    if card.model != model:
        raise UsageError(f"{folder} holds the model {card.model}, not {model}.")
    if card.graph and graph and card.graph != graph:
        raise UsageError(f"{folder} was fitted on another version of {card.dataset}. Fit it again.")
    try:
        if _digest(folder / ARRAYS) != digest:
            raise UsageError(f"{folder}: {ARRAYS} is cut short or was changed. Fit the model again.")
        return Saved(card, load_file(folder / ARRAYS))
    except (OSError, SafetensorError) as error:
        raise UsageError(f"{folder}: {ARRAYS} cannot be read ({error}). Fit the model again.") from error


def _read_card(folder: Path) -> tuple[ModelCard, str]:
    """The card, and the checksum of the arrays."""
    try:
        told = read_json((folder / CARD).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(f"{folder} is not a fitted model: it has no {CARD}.") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{folder}: {CARD} is damaged ({error}). Fit the model again.") from error
    version = told.get("version") if isinstance(told, dict) else None
    if version != VERSION:
        raise UsageError(
            f"{folder} has version {version} of fitted models; this graphtalk reads version {VERSION}. "
            "Fit the model again."
        )
    try:
        return ModelCard(**{f.name: told[f.name] for f in fields(ModelCard)}), str(told["sha256"])
    except KeyError as error:
        raise UsageError(f"{folder}: {CARD} is damaged (no {error}). Fit the model again.") from None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
