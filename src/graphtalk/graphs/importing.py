"""What every reader is given beside its sources: what to do with bad rows, and whom to tell of progress."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

import pyarrow as pa

from graphtalk.core import SourceError, UsageError
from graphtalk.graphs.spill import Spill

_HEAD = "file\tline\tmessage"  # of the list of rejected rows
OnError: TypeAlias = Literal["stop", "skip"]
Missing: TypeAlias = Literal["stop", "skip", "add"]


class Progress(Protocol):
    """Who is told how an import goes."""

    def start(self, total_bytes: int) -> None:
        """The sources have so many bytes, as they lie on the disk."""

    def advance(self, rows: int = 0, bytes: int = 0) -> None:
        """So many more rows, or bytes of the sources, were read."""

    def skipped(self, reasons: dict[str, int], report: Path | None) -> None:
        """How many rows were left out, by reason, and the file that lists them."""

    def noted(self, notes: Sequence[str]) -> None:
        """What was imported otherwise than people may expect, a sentence or two each."""


class Silent:
    """Progress that nobody sees."""

    def start(self, total_bytes: int) -> None:
        """Nothing."""

    def advance(self, rows: int = 0, bytes: int = 0) -> None:
        """Nothing."""

    def skipped(self, reasons: dict[str, int], report: Path | None) -> None:
        """Nothing."""

    def noted(self, notes: Sequence[str]) -> None:
        """Nothing."""


@dataclass
class Rejects:
    """Rows that cannot be imported: the first raises SourceError, or all are listed and left out.

    `missing` says what becomes of an edge to a node that is not there: it is a bad row, is left out and counted, or
    the node is made. `notes` say what was imported, but otherwise than people may expect. `known` are the ids of the
    graph that the rows change, if they change one: edges may name them.
    """

    on_error: OnError = "stop"
    missing: Missing = "stop"
    reasons: Counter[str] = field(default_factory=Counter)
    rows: list[tuple[str, int | None, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    known: pa.ChunkedArray | None = None

    @property
    def skip(self) -> bool:
        """Whether bad rows are left out."""
        return self.on_error == "skip"

    def reject(self, reason: str, message: str, file: str, line: int | None = None) -> None:
        """Refuse one row. `reason` is the kind of fault, `message` names the bad value."""
        if not self.skip:
            raise SourceError(message, file, line, row=True)
        self.reasons[reason] += 1
        self.rows.append((file, line, message))

    def note(self, text: str) -> None:
        """Say something of what is imported, once."""
        if text not in self.notes:
            self.notes.append(text)

    def write(self, report: Path) -> None:
        """Write the list as TSV: file, line, message. Raises UsageError where `report` is another file."""
        lines = [_HEAD]
        lines += ["\t".join((f, "" if n is None else str(n), m.replace("\n", " "))) for f, n, m in self.rows]
        check_report(report)
        report.write_text("\n".join(lines) + "\n", encoding="utf-8")


def check_report(report: Path) -> None:
    """Raise UsageError where there is a file that is no list of rejected rows."""
    if report.is_dir() or (report.exists() and report.read_bytes()[: len(_HEAD)] != _HEAD.encode()):
        raise UsageError(f"{report} is there already and lists no rejected rows; it is not overwritten.")


@dataclass(frozen=True)
class Importing:
    """How to import: what happens to bad rows, and who is told of progress.

    `noted`: the source says itself what kinds its cells are of (`graphs/note.py`), so that none is to be told from them.
    `types`: those of the graph that the source changes, if it changes one; what a file is called then is none.
    `spill` keeps in files what is too large for memory.
    """

    rejects: Rejects = field(default_factory=Rejects)
    progress: Progress = field(default_factory=Silent)
    name: str = "graph"
    noted: bool = False
    types: tuple[str, ...] | None = None
    spill: Spill | None = None
