"""The folder of a benchmark run.

run.json            what is run, on what, and how; written first
records.jsonl       one record a line, in the order of the questions
recording.sqlite    every exchange with the language model, where there is one
judge.sqlite        every exchange with the judge, where there is one
questions.jsonl     the questions, where the task generated them
lock                held by the process that runs here
"""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EISDIR
from pathlib import Path
from typing import Any, TypeAlias

from graphtalk.core import JSON, UsageError
from graphtalk.core.files import replacing
from graphtalk.core.reading import read_json

VERSION = 1  # of run.json
# What every reader of run.json counts on.
_NEEDED = {
    "graph": ("store", "checksum"),
    "questions": ("count",),
    "settings": ("reasoner", "lm", "max_steps", "demos", "strict", "temperature", "seed", "judge"),
    "versions": ("graphtalk",),
}

Facts: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class RunFolder:
    """The folder of one run."""

    path: Path

    @property
    def records(self) -> Path:
        """The records."""
        return self.path / "records.jsonl"

    @property
    def recording(self) -> Path:
        """The exchanges with the language model."""
        return self.path / "recording.sqlite"

    @property
    def judgements(self) -> Path:
        """The exchanges with the judge."""
        return self.path / "judge.sqlite"

    @property
    def questions(self) -> Path:
        """The questions, where the task generated them."""
        return self.path / "questions.jsonl"

    @property
    def facts_file(self) -> Path:
        """What is run."""
        return self.path / "run.json"

    def facts(self) -> Facts:
        """What `run.json` says. Raises UsageError where the folder is no run."""
        try:
            facts = read_json(self.facts_file.read_text(encoding="utf-8"))
            if facts["format"] != "graphtalk run" or facts["version"] != VERSION:
                raise ValueError(f"format {facts['format']!r}, version {facts['version']!r}")
            for part, names in _NEEDED.items():
                for name in names:
                    facts[part][name]
            if not isinstance(facts["task"], str):
                raise TypeError(f"task {facts['task']!r}")
        except (FileNotFoundError, NotADirectoryError):
            raise UsageError(f"{self.path} is not the folder of a run: it has no run.json.") from None
        except OSError as error:
            raise UsageError(f"Cannot read {self.facts_file}: {error.strerror}.") from error
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(
                f"{self.facts_file} does not tell of a run of this version ({error!r})."
            ) from error
        return facts  # type: ignore[no-any-return]

    def begin(self, facts: Facts) -> None:
        """Write `run.json`, or take up the run that is there.

        Which questions are asked may change, so that a run can be made longer. Raises UsageError, naming what
        differs, where the run there is another one.
        """
        if self.facts_file.exists():
            there, here = _decisive(self.facts()), _decisive(facts)
            differ = [name for name in {**there, **here} if there.get(name) != here.get(name)]
            if differ:
                told = "; ".join(f"{n} is {there.get(n)!r} there, {here.get(n)!r} here" for n in differ)
                raise UsageError(f"{self.path} holds another run: {told}. Give --out a new folder.")
        beside = self.facts_file.with_suffix(".json.tmp")
        head = {"format": "graphtalk run", "version": VERSION}
        beside.write_text(
            json.dumps({**head, **facts}, ensure_ascii=False, indent=2) + "\n", encoding="utf-8"
        )
        os.replace(beside, self.facts_file)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Make the folder where there is none, and keep other processes out of it.

        The lock goes when its process does. Raises UsageError where the folder is something else than a run, cannot
        be written, or another process runs in it.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            there = {p.name for p in self.path.iterdir()}
            if "run.json" in there:
                self.facts()
            elif there and not {"lock"} <= there <= _MAY_BE_THERE:
                raise UsageError(f"{self.path} is a folder but not of a run; nothing is written into it.")
            lock = (self.path / "lock").open("a")
        except OSError as error:
            raise UsageError(f"Cannot write the run {self.path}: {error.strerror}.") from error
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(f"Another process is running in {self.path}.") from None
            yield


def write_whole(path: Path, text: str) -> None:
    """Write a file in one step: a kill leaves the older file, or none. Raises UsageError where it cannot be."""
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder")
        with replacing(path) as new:
            new.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror}.") from error


def check_new(path: Path, begins: str = "") -> None:
    """Raise UsageError where `path` holds something else than what `begins` so, or could not be written."""
    try:
        if path.is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder")
        if path.exists():
            with path.open("rb") as file:
                head = file.read(len(begins.encode()))
            if head and (not begins or head != begins.encode()):
                raise UsageError(f"{path} is there already and holds something else; it is not overwritten.")
        with suppress(_Enough), replacing(path):
            raise _Enough
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror}.") from error


class _Enough(Exception):
    """A new file can be begun beside an older one; nothing is put in its place."""


# What a kill may leave behind before run.json is there.
_MAY_BE_THERE = frozenset({"lock", "run.json.tmp", "questions.jsonl"})


def _decisive(facts: Facts) -> dict[str, JSON]:
    """What makes a run the run that it is, by the names that messages use."""
    return {"task": facts["task"], "graph checksum": facts["graph"]["checksum"], **facts["settings"]}
