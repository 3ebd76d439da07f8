"""Where the command line writes: answers to standard output, everything else to standard error.

All that it shows goes through here, and nothing that a graph, a file or a model says reaches the terminal as an order.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeAlias

from graphtalk.core.text import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

Advance: TypeAlias = Callable[[int], None]


def stdout() -> "Console":
    """The console for answers: colour in a terminal, plain and never wrapped where it is piped."""
    return _console(sys.stdout)


def stderr() -> "Console":
    """The console for messages and progress."""
    return _console(sys.stderr)


def write(text: object = "", end: str = "\n") -> None:
    """Plain text on standard output."""
    print(visible(str(text)), end=end)


def say(message: str) -> None:
    """One message to a person, on standard error."""
    print(f"graphtalk: {visible(message)}", file=sys.stderr)


def _console(file: TextIO) -> "Console":
    """A console that reads no markup or names of emoji in what it prints, and lets no control character through."""
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment

    class Visible(Console):
        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> "Iterable[Segment]":
            for segment in super().render(renderable, options):
                text, style, control = segment
                yield segment if control else Segment(visible(text), style)

    return Visible(file=file, highlight=False, soft_wrap=True, markup=False, emoji=False)


@contextmanager
def progress(what: str, unit: str, total: int | None = None) -> Iterator[Advance]:
    """A progress bar on standard error that shows how many `unit` a second; nothing where that is piped.

    Yields a function to call with how many more are done.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    speed = TextColumn("[cyan]{task.completed:,.0f} " + unit + "[/]")
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        speed,
        TimeElapsedColumn(),
        console=stderr(),
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda count: bar.advance(task, count)


@dataclass
class ImportBar:
    """How an import goes: a bar over the bytes of the sources, rows and rows a second beside it.

    Where standard error is piped it only counts. `seconds` is how long reading took, without indexing.
    """

    rows: int = 0
    seconds: float = 0.0
    left_out: dict[str, int] = field(default_factory=dict)
    report: Path | None = None
    notes: list[str] = field(default_factory=list)
    _started: float = field(default_factory=time.perf_counter)
    _total: int = 0
    _bytes: int = 0
    _bar: "Progress | None" = None

    @property
    def rate(self) -> float:
        """Rows a second while reading."""
        return self.rows / self.seconds if self.seconds else 0.0

    def __enter__(self) -> "ImportBar":
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def start(self, total_bytes: int) -> None:
        """The sources have so many bytes. The bar appears now, not before there is something to import."""
        self._total = total_bytes
        if sys.stderr.isatty():
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(bar_width=24),
                TextColumn("[cyan]{task.fields[rows]:,} rows, {task.fields[rate]:,.0f}/s[/]"),
                TimeElapsedColumn(),
                console=stderr(),
                transient=True,
            )
            self._bar.add_task("reading", total=None, rows=0, rate=0.0)
            self._bar.start()

    def advance(self, rows: int = 0, bytes: int = 0) -> None:
        """So many more rows, or bytes, were read."""
        self.rows += rows
        self._bytes += bytes
        self.seconds = time.perf_counter() - self._started
        if self._bar is None:
            return
        reading = self._bytes < self._total
        self._bar.update(
            self._bar.task_ids[0],
            description="reading" if reading else "indexing",
            total=self._total if reading else None,
            completed=self._bytes,
            rows=self.rows,
            rate=self.rate,
        )

    def skipped(self, reasons: dict[str, int], report: Path | None) -> None:
        """How many rows were left out, by reason, and the file that lists them."""
        self.left_out, self.report = dict(reasons), report

    def noted(self, notes: Sequence[str]) -> None:
        """What was imported otherwise than people may expect."""
        self.notes = list(notes)
