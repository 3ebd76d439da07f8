"""Processes that have imported what this one has: starting another Python, with torch, takes five seconds of a processor."""

import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path


def forked(runs: Sequence[Callable[[], object]], folder: Path) -> list[int]:
    """How processes end that fork from this one, which has imported torch: minus the signal that ended one. What they print is
    in two files."""
    children = []
    for run in runs:
        child = os.fork()
        if not child:
            try:
                for number, name in ((1, "stdout"), (2, "stderr")):
                    os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
                sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1) for number in (1, 2))
                run()
            except SystemExit as end:
                os._exit(end.code if isinstance(end.code, int) else bool(end.code))
            except Exception:  # noqa: BLE001  # told by the exit status and in the file
                traceback.print_exc()
            os._exit(1)
        children.append(child)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
