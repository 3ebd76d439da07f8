"""Checkpoints of a training run: safetensors files, each written in one step.

    last.safetensors    where training stands: what is learnt, the optimiser's moments, and the run so far
    best.safetensors    what was learnt when the validation loss was lowest

A kill leaves the older file or the newer one, never half of one.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from graphtalk.core import UsageError
from graphtalk.core.reading import read_json

LEARNT, MOMENTS = "learnt.", "moments."
FORMAT = "graphtalk training 1"


@dataclass(frozen=True)
class Epoch:
    """How an epoch went. Losses are means over batches; `seconds` is the time of training alone."""

    number: int
    loss: float
    validation: float
    seconds: float


@dataclass
class Progress:
    """Where training stands: `epoch` epochs and `batch` batches of the next are done.

    `loss` is the sum over those batches, `seconds` the time that they took.
    """

    epoch: int = 0
    batch: int = 0
    loss: float = 0.0
    seconds: float = 0.0
    history: list[Epoch] = field(default_factory=list)

    @property
    def best(self) -> Epoch | None:
        """The epoch with the lowest validation loss, the first of several."""
        return min(self.history, key=lambda epoch: epoch.validation, default=None)


@dataclass(frozen=True)
class Checkpoints:
    """The checkpoints of one folder."""

    folder: Path

    @property
    def last(self) -> Path:
        """Where training stands."""
        return self.folder / "last.safetensors"

    @property
    def best(self) -> Path:
        """What was learnt best."""
        return self.folder / "best.safetensors"

    def keep(
        self, learnt: Mapping[str, Tensor], optimiser: torch.optim.Optimizer, progress: Progress
    ) -> None:
        """Write where training stands."""
        tensors = {LEARNT + name: value for name, value in learnt.items()}
        for place, moments in optimiser.state_dict()["state"].items():
            tensors |= {f"{MOMENTS}{place}.{name}": value for name, value in moments.items()}
        _write(self.last, tensors, {"progress": json.dumps(asdict(progress))})

    def keep_best(self, learnt: Mapping[str, Tensor]) -> None:
        """Write what was learnt best."""
        _write(self.best, {LEARNT + name: value for name, value in learnt.items()}, {})

    def take_up(self, optimiser: torch.optim.Optimizer) -> tuple[dict[str, Tensor], Progress] | None:
        """What was learnt, with the optimiser set as it was, and how far the run was; None for a new run."""
        if not self.last.exists():
            return None
        tensors, facts = _read(self.last)
        try:
            told = read_json(facts["progress"])
            progress = Progress(**{**told, "history": [Epoch(**epoch) for epoch in told["history"]]})
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"{self.last} does not say where its training stands ({error!r}).") from error
        state: dict[int, dict[str, Tensor]] = {}
        for name, value in tensors.items():
            if name.startswith(MOMENTS):
                place, _, moment = name.removeprefix(MOMENTS).partition(".")
                state.setdefault(int(place), {})[moment] = value
        optimiser.load_state_dict({**optimiser.state_dict(), "state": state})
        return _learnt(tensors), progress

    def read_best(self) -> dict[str, Tensor]:
        """What was learnt best. Raises UsageError where nothing is."""
        return _learnt(_read(self.best)[0])


def _learnt(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(LEARNT): value for name, value in tensors.items() if name.startswith(LEARNT)}


def _write(path: Path, tensors: Mapping[str, Tensor], facts: Mapping[str, str]) -> None:
    beside = path.with_name(f"{path.name}.tmp")
    whole = {name: value.detach().contiguous().cpu() for name, value in tensors.items()}
    try:
        save_file(whole, beside, {"format": FORMAT, **facts})
        os.replace(beside, path)
    except (OSError, SafetensorError) as error:
        raise UsageError(f"Cannot write {path}: {error}.") from error


def _read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    try:
        with safe_open(path, framework="pt") as file:
            facts = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a mapping
    except (OSError, SafetensorError) as error:
        raise UsageError(f"{path} is no checkpoint that can be read: {error}.") from error
    if facts.get("format") != FORMAT:
        raise UsageError(f"{path} is not a checkpoint of this version.")
    return tensors, facts
