"""What a training's folder says of itself in `model.json`: what is trained, on what, and how. Needs no torch."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphtalk.core import JSON, UsageError
from graphtalk.core.reading import read_json

if TYPE_CHECKING:
    from graphtalk.training.g_retriever import Design

FACTS = "model.json"
FORMAT = "graphtalk g-retriever 1"
ANNOTATOR = "graphtalk annotator 1"
OFFLINE_ANNOTATOR = "graphtalk offline annotator 1"


@dataclass(frozen=True)
class Taught:
    """On which task a model was trained, and whether it was told the retrieved part of a graph or all of it."""

    task: str
    retrieved: bool

    @classmethod
    def of(cls, folder: Path) -> "Taught":
        """What the folder of a training says. Raises UsageError where it holds none."""
        facts = read_facts(folder)
        try:
            return cls(str(facts["task"]), bool(facts["design"]["setting"]["retrieved"]))
        except (KeyError, TypeError) as error:
            raise UsageError(f"{folder / FACTS} does not say what was trained ({error!r}).") from error


def write_facts(folder: Path, lm: str, embedder: str, design: "Design", more: Mapping[str, JSON]) -> None:
    """Say what is trained in a folder. Raises UsageError, naming what differs, where it is something else there."""
    keep_facts(folder, {"format": FORMAT, "lm": lm, "embedder": embedder, "design": asdict(design), **more})


def keep_facts(folder: Path, told: Mapping[str, JSON]) -> None:
    """Write `model.json`, or find the same there; `told` has a `format`. Raises UsageError where something else is there."""
    path = folder / FACTS
    facts = json.loads(json.dumps(told))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists():
            there = read_facts(folder, facts["format"])
            if differ := [name for name in {**there, **facts} if there.get(name) != facts.get(name)]:
                raise UsageError(
                    f"{folder} holds another training: its {differ[0]} is {there.get(differ[0])}, "
                    f"not {facts.get(differ[0])}. Give --out a new folder."
                )
            return
        if any(folder.iterdir()):
            raise UsageError(f"{folder} is a folder but not of a training; nothing is written into it.")
        beside = path.with_name(f"{path.name}.tmp")
        beside.write_text(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror}.") from error


def read_facts(folder: Path, format: str = FORMAT) -> dict[str, Any]:
    """What `model.json` says. Raises UsageError where the folder holds no training."""
    path = folder / FACTS
    try:
        facts: dict[str, Any] = read_json(path.read_text(encoding="utf-8"))
        if facts["format"] != format:
            raise ValueError(f"format {facts['format']!r}")
    except FileNotFoundError:
        raise UsageError(f"{folder} holds no training: it has no {FACTS}.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} does not tell of a training of this version ({error!r}).") from error
    return facts


def is_annotator(folder: Path) -> bool:
    """Whether a folder holds an annotator that was trained, and not something else or nothing."""
    return _format(folder) in (ANNOTATOR, OFFLINE_ANNOTATOR)


def is_offline_annotator(folder: Path) -> bool:
    """Whether that annotator is no language model."""
    return _format(folder) == OFFLINE_ANNOTATOR


def _format(folder: Path) -> str:
    try:
        facts = read_json((folder / FACTS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return str(facts.get("format")) if isinstance(facts, dict) else ""
