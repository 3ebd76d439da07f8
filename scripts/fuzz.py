"""Random input for importers, calls, stores and the server's JSON, for a given time: see `scripts/fuzz`.

Each target runs in a process of its own, which says what became of every case; where it dies, or takes too long over a
case, that is counted and another goes on behind it. What a case is depends on the seed and its number alone.
"""

import argparse
import random
import re
import select
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from fuzz_targets import TARGETS

PATIENCE = 120.0  # seconds that a case may take
GOOD = "ok "  # what outcomes begin with that may be


def main() -> int:
    """Run the targets in turn; 1 where a case came out as none may."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60, help="in all, shared by the targets")
    parser.add_argument("--only", default=",".join(TARGETS), help="targets, with commas between")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="run this case alone, here")
    parser.add_argument("--from", type=int, dest="first", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    names = chosen.only.split(",")
    if unknown := [name for name in names if name not in TARGETS]:
        parser.error(f"no target {unknown[0]!r}; there are {', '.join(TARGETS)}")
    if chosen.first is not None:
        return work(names[0], chosen.seed, chosen.first)
    if chosen.case is not None:
        return work(names[0], chosen.seed, chosen.case, once=True)
    bad = False
    for name in names:
        counts, worst = run(name, chosen.seed, chosen.seconds / len(names))
        print(f"{name}: {counts.total():,} cases")
        for outcome, count in counts.most_common():
            print(f"  {count:>8,}  {outcome.removeprefix(GOOD)}")
        for outcome, case in worst.items():
            print(
                f"  again: scripts/fuzz --only {name} --seed {chosen.seed} --case {case}   ({outcome[:90]})"
            )
        bad |= bool(worst)
    return 1 if bad else 0


def run(name: str, seed: int, seconds: float) -> tuple[Counter[str], dict[str, int]]:
    """Outcomes of a target's cases, and of those that may not be the first case of each."""
    counts: Counter[str] = Counter()
    worst: dict[str, int] = {}
    case, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        words = [sys.executable, __file__, "--only", name, "--seed", str(seed), "--from", str(case)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
            assert child.stdout is not None
            while time.monotonic() < until:
                ready, _, _ = select.select([child.stdout], [], [], PATIENCE)
                line = child.stdout.readline().rstrip("\n") if ready else ""
                if line:
                    outcome = line
                elif ready:
                    outcome = (
                        f"ended by signal {-child.wait()}" if child.wait() < 0 else f"exit {child.returncode}"
                    )
                else:
                    outcome = f"more than {PATIENCE:.0f} seconds"
                counts[outcome] += 1
                if not outcome.startswith(GOOD):
                    worst.setdefault(outcome, case)
                case += 1
                if not line:
                    break
            child.kill()
    return counts, worst


def work(name: str, seed: int, case: int, once: bool = False) -> int:
    """Run case after case, one line of standard output each."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        attempt = TARGETS[name](Path(folder))
        while True:
            try:
                outcome = GOOD + attempt(random.Random(f"{seed} {name} {case}"))
            except Exception as error:  # noqa: BLE001 - whatever it is, it is what this looks for
                told = re.sub(r"\d+", "N", " ".join(str(error).split()).replace(folder, ""))
                outcome = f"{type(error).__name__}: {told[:80]}"
                if once:
                    traceback.print_exc()
            print(outcome, flush=True)
            if once:
                return 0 if outcome.startswith(GOOD) else 1
            case += 1


if __name__ == "__main__":
    sys.exit(main())
