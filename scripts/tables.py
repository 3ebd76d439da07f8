"""What the benchmarks share: tables in Markdown, and times of functions and of whole processes."""

import os
import platform
import resource
import subprocess
import time
from collections.abc import Callable, Sequence

import numpy as np

Row = tuple[str, ...]


def machine() -> str:
    """The machine and how busy it is: what any time depends on."""
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    return f"{os.cpu_count()} cores, Python {platform.python_version()}, load average {load}"


def show(title: str, head: Row, rows: Sequence[Row]) -> None:
    """Print a table."""
    print(f"\n### {title}\n\n{_line(head)}\n{_line(('---',) * len(head))}")
    for row in rows:
        print(_line(row))
    print(end="", flush=True)


def _line(cells: Row) -> str:
    return f"| {' | '.join(cells)} |"


def seconds_of(work: Callable[[], object]) -> float:
    """Seconds that `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def quickest(work: Callable[[], object], times: int = 5) -> tuple[float, float]:
    """Seconds of the quickest of some runs, and its processor seconds (of all threads)."""
    took = []
    for _ in range(times):
        processor = time.process_time()
        wall = seconds_of(work)
        took.append((wall, time.process_time() - processor))
    return min(took)


def process_seconds(command: Sequence[str], times: int = 7) -> tuple[float, float]:
    """Median seconds and median processor seconds of a whole process, after one run to warm the disk."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    wall, processor = [], []
    for _ in range(times + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wall.append(
            seconds_of(lambda: subprocess.run(command, capture_output=True, check=True, env=environment))
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return float(np.median(wall[1:])), float(np.median(processor[1:]))
