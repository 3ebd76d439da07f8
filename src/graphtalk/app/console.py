"""Where the command line writes: answers to standard output, everything else to standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

Advance = Callable[[int], None]


def stdout() -> "Console":
    """The console for answers: colour in a terminal, plain and never wrapped where it is piped."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def stderr() -> "Console":
    """The console for messages and progress."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, soft_wrap=True)


def say(message: str) -> None:
    """One message to a person, on standard error."""
    print(f"graphtalk: {message}", file=sys.stderr)


@contextmanager
def progress(what: str, unit: str, total: int | None = None) -> Iterator[Advance]:
    """A progress bar on standard error that shows how many `unit` a second; nothing where that is piped.

    Yields a function to call with how many more are done.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            done = f"{int(task.completed):,}" + (f" of {int(task.total):,}" if task.total else "")
            return Text(f"{done} {unit}, {task.speed or 0:,.0f}/s", style="cyan")

    columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), Rate(), TimeElapsedColumn())
    with Progress(*columns, console=stderr(), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda count: bar.advance(task, count)
