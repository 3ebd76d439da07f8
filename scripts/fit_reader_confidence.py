"""Fits how sure the reader is on what `scripts/measure_reader.py` wrote for schemas that the weights have not seen.

    .venv/bin/python scripts/fit_reader_confidence.py MEASURED.jsonl [JUDGE.json]

Prints right, declined and wrong at each threshold, each schema judged by a fit on the others; writes the fit on all.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from graphtalk.reasoners.reader.confidence import Judge, fit

JUDGE = Path(__file__).parent.parent / "src/graphtalk/reasoners/reader/weights/judge.json"
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99)


def main() -> None:
    """See the module."""
    rows = [json.loads(line) for line in Path(sys.argv[1]).read_text("utf-8").splitlines()]
    names = sorted({r["schema"] for r in rows})
    judged: list[tuple[float, bool, bool]] = []
    for name in names:
        own = [r for r in rows if r["schema"] == name]
        others = [r for r in rows if r["schema"] != name] or own
        judged += [_best(r, _fitted(others)) for r in own]
    n = len(judged)
    print(
        "threshold: right / declined / wrong by result; right by form, of 100 questions; stated and true of those answered"
    )
    for t in THRESHOLDS:
        taken = [j for j in judged if j[0] >= t]
        right, form = sum(j[1] for j in taken), sum(j[2] for j in taken)
        stated = 100 * sum(j[0] for j in taken) / max(1, len(taken))
        print(
            f"{t:.2f}: {100 * right / n:5.1f} {100 * (n - len(taken)) / n:5.1f} {100 * (len(taken) - right) / n:5.1f}   "
            f"{100 * form / n:5.1f}   {stated:5.1f} {100 * right / max(1, len(taken)):5.1f}"
        )
    _fitted(rows).save(Path(sys.argv[2]) if len(sys.argv) > 2 else JUDGE)


def _fitted(rows: list[dict[str, Any]]) -> Judge:
    """Of all candidates; one is right where its form is the gold's, or, where the gold has none, its result."""
    x = [c["features"] for r in rows for c in r["candidates"]]
    right = [
        c["form"] or (c["right"] and (r["gold"] is None or c["features"][4] > 0.5))
        for r in rows
        for c in r["candidates"]
    ]
    return fit(np.array(x), np.array(right))


def _best(row: dict[str, Any], judge: Judge) -> tuple[float, bool, bool]:
    """The likeliest candidate: its probability, and whether it is right by result and by form."""
    candidates = row["candidates"]
    if not candidates:
        return 0.0, False, False
    sure = judge(np.array([c["features"] for c in candidates]))
    best = candidates[int(np.argmax(sure))]
    if not best["actions"]:
        return 0.0, False, False
    return float(sure.max()), best["right"], best["form"]


if __name__ == "__main__":
    main()
