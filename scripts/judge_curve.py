"""Right, declined and wrong at each threshold, of the judge that ships, on what `scripts/collect_judged.py` wrote.

    .venv/bin/python scripts/judge_curve.py JUDGED.jsonl ...

A line for each file and threshold: of 100 questions, and what was stated of those answered beside what was true.
"""

import json
import sys
from pathlib import Path

import numpy as np

from graphtalk.reasoners.judgement import FEATURES, load_judge
from graphtalk.reasoners.offline import ACCEPT, IGNORED, SAID

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, ACCEPT, 0.9, 0.95, 0.97, 0.985)


def main() -> None:
    """See the module."""
    for path in map(Path, sys.argv[1:]):
        best = np.array([best_of(json.loads(line)) for line in path.read_text("utf-8").splitlines()])
        stated, right = best[:, 0], best[:, 1] > 0
        for least in THRESHOLDS:
            taken = stated >= least
            n = len(best)
            print(
                f"{path.stem:14} {n:5} from {least:.2f}: right {100 * (right & taken).sum() / n:5.1f} "
                f"declined {100 * (~taken).sum() / n:5.1f} wrong {100 * (~right & taken).sum() / n:5.1f}"
                + (
                    f"   stated {stated[taken].mean():.3f} true {right[taken].mean():.3f}"
                    if taken.any()
                    else ""
                )
            )


def best_of(row: dict[str, list[object]]) -> tuple[float, bool]:
    """The confidence of the likeliest reading, and whether it is right; none where there is none."""
    if not row["x"]:
        return 0.0, False
    if row["said"]:
        return SAID, any(row["right"])
    x = np.array([[np.nan if v is None else v for v in group] for group in row["x"]], float)
    sure = load_judge()(x) * np.where(x[:, FEATURES.index("lost words")] > 0, IGNORED, 1.0)
    place = int(sure.argmax())
    return float(sure[place]), bool(row["right"][place])


if __name__ == "__main__":
    main()
