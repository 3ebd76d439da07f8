"""Fits the judge of the offline reader on what `scripts/collect_judged.py` wrote. Needs scikit-learn (extra `judge`).

    .venv/bin/python scripts/fit_judge.py JUDGED.jsonl ... [--out judge.json] [--wrong SURE]

Questions that a wording takes whole are counted and left out: they are not judged. Each schema is judged by a fit on
others (in FOLDS parts): prints right, declined and wrong at each threshold (readings that pass over something are declined), and how the stated confidence compares with what was right; of
the SURE questions whose likeliest reading is surest those where it is wrong. Then writes the fit on all.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.isotonic import IsotonicRegression

from graphtalk.reasoners.judgement import FEATURES
from graphtalk.reasoners.offline import ACCEPT, IGNORED

OUT = Path(__file__).parent.parent / "src/graphtalk/reasoners/judge.json"
GUESSES = {"any": "", "one of the network's": "weighed", "the network's first": "first"}
FOLDS = 16  # of schemas
THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.88, 0.9, 0.95)
RISING = {
    "log",
    "least",
    "share",
    "margin",
    "first",
    "fits",
    "coverage",
    "plan margin",
    "agreed",
    "rank",
    "rank margin",
}
FALLING = {"none", "gap", "slips", "unexplained", "deciding", "lost words", "other kind", "empty", "unused values", "unused linked",
           "unused operators", "unasked operators", "unknown names", "foreign values", "unused names"}  # fmt: skip


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("judged", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--wrong", type=int, default=0, metavar="SURE")
    options = parser.parse_args()
    rows = [json.loads(line) for path in options.judged for line in path.read_text("utf-8").splitlines()]
    said = [r for r in rows if r["said"]]
    print(f"{len(rows)} questions; taken whole by a wording: {len(said)}, {_told(said)}")
    rows = [r for r in rows if r["x"] and not r["said"]]
    x, y, schema, question = flat(rows)
    share = np.where([bool(lost) for r in rows for lost in r["lost"]], IGNORED, 1.0)
    raw = np.zeros(len(y))
    names = np.random.default_rng(0).permutation(np.unique(schema))
    for part in np.array_split(names, FOLDS):
        apart = np.isin(schema, part)
        raw[apart] = fitted(x[~apart], y[~apart], schema[~apart]).decision_function(x[apart])
    table = isotonic(raw, y)
    sure = share * table(raw)
    shown("all", rows, said, sure, y, question)
    for name in sorted(set(schema)):
        own = schema == name
        judged, taken = ([r for r in part if r["schema"] == name] for part in (rows, said))
        shown(name, judged, taken, sure[own], y[own], question[own], (ACCEPT,))
    told = [words for r in rows for words in r["told"]]
    for i in likeliest(sure, question)[: options.wrong]:
        if not y[i]:
            print(f"  wrong: {schema[i]}: {rows[question[i]]['question']} -> {told[i]}")
    whole = fitted(x, y, schema)
    options.out.write_text(json.dumps(written(whole, table)) + "\n")
    print(f"{options.out}: {options.out.stat().st_size / 1e3:.0f} kB")


def flat(rows: Sequence[dict[str, Any]]) -> tuple[Any, Any, Any, Any]:
    """Features, whether right, the schema and the question of every group."""
    x = np.array([[np.nan if v is None else v for v in g] for r in rows for g in r["x"]], float)
    y = np.array([right for r in rows for right in r["right"]])
    schema = np.array([r["schema"] for r in rows for _ in r["x"]])
    question = np.array([i for i, r in enumerate(rows) for _ in r["x"]])
    return x, y, schema, question


def fitted(x: Any, y: Any, schema: Any) -> HistGradientBoostingClassifier:
    """Trees on all groups; each schema weighs as the root of its questions."""
    _, at, counts = np.unique(schema, return_inverse=True, return_counts=True)
    model = HistGradientBoostingClassifier(
        max_iter=200,
        learning_rate=0.05,
        max_leaf_nodes=12,
        min_samples_leaf=30,
        l2_regularization=5.0,
        monotonic_cst=[1 if f in RISING else -1 if f in FALLING else 0 for f in FEATURES],
        random_state=0,
    )
    return model.fit(x, y, sample_weight=counts[at] ** -0.5 * np.mean(counts) ** 0.5)


class isotonic:
    """A monotone table from sums of trees to shares that were right, drawn a little towards none."""

    def __init__(self, raw: Any, y: Any) -> None:
        edges = np.unique(np.quantile(raw, np.r_[np.linspace(0, 0.9, 40), np.linspace(0.91, 1, 30)]))
        middle = np.clip(np.searchsorted(edges, raw), 1, len(edges) - 1)
        bins = [
            (raw[middle == b].mean(), y[middle == b].sum(), (middle == b).sum()) for b in np.unique(middle)
        ]
        score, right, number = (np.array(part, float) for part in zip(*bins, strict=True))
        share = (right + 0.2) / (number + 1)
        self.scores = score
        self.shares = IsotonicRegression().fit_transform(score, share, sample_weight=number)

    def __call__(self, raw: Any) -> Any:
        return np.interp(raw, self.scores, self.shares)


def likeliest(p: Any, question: Any) -> Any:
    """The likeliest group of each question, the surest first."""
    order = np.lexsort((-p, question))
    first = order[np.r_[True, question[order][1:] != question[order][:-1]]]
    return first[np.argsort(-p[first], kind="stable")]


def _rights(rows: Sequence[dict[str, Any]], feature: str = "") -> Any:
    """Of which questions a group is right, of those alone that have a feature."""
    if not feature:
        return np.array([any(r["right"]) for r in rows], bool)
    at = FEATURES.index(feature)
    return np.array([any(y and x[at] for x, y in zip(r["x"], r["right"], strict=True)) for r in rows], bool)


def _told(said: Sequence[dict[str, Any]]) -> str:
    """How many of the questions that a wording takes whole are answered right and wrong; where readings differ it is asked back."""
    alone = [r["right"][0] for r in said if len(r["right"]) == 1]
    several = [r["right"] for r in said if len(r["right"]) > 1]
    first = sum(right[0] for right in several)
    return f"right {sum(alone)}, wrong {len(alone) - sum(alone)}, asked back {len(several)} (the first right: {first})"


def shown(
    name: str,
    rows: Sequence[dict[str, Any]],
    said: Sequence[dict[str, Any]],
    p: Any,
    y: Any,
    question: Any,
    thresholds: Sequence[float] = THRESHOLDS,
) -> None:
    """Right, declined and wrong of the likeliest group of each question; `whole`: with those that a wording takes alone."""
    said = [r for r in said if len(r["right"]) == 1]
    first = likeliest(p, question)
    best, right = p[first], y[first]
    n = len(first)
    guessed = (
        f"{what} right {100 * _rights(rows, feature).mean():.1f} %" for what, feature in GUESSES.items()
    )
    print(f"{name} ({n}): {', '.join(guessed)}, best right {100 * right.mean():.1f} %")
    for t in thresholds:
        taken = best >= t
        stated = 100 * best[taken].mean() if taken.any() else 0
        true = 100 * right[taken].mean() if taken.any() else 0
        print(
            f"  {t:.2f}: right {100 * (right & taken).sum() / n:5.1f} declined {100 * (~taken).sum() / n:5.1f} "
            f"wrong {100 * (~right & taken).sum() / n:5.1f}   stated {stated:.1f} true {true:.1f}   "
            f"whole: right {100 * ((right & taken).sum() + _rights(said).sum()) / (n + len(said)):.1f} "
            f"wrong {100 * ((~right & taken).sum() + (~_rights(said)).sum()) / (n + len(said)):.1f}"
        )


def written(model: HistGradientBoostingClassifier, table: isotonic) -> dict[str, Any]:
    """The trees in flat arrays, as `judgement.Judge` reads them."""
    parts: dict[str, list[Any]] = {
        k: [] for k in ("feature", "threshold", "left", "right", "unknown", "value", "roots")
    }
    for (tree,) in model._predictors:
        start = len(parts["feature"])
        parts["roots"].append(start)
        for node in tree.nodes:
            leaf = bool(node["is_leaf"])
            left, right = start + int(node["left"]), start + int(node["right"])
            parts["feature"].append(-1 if leaf else int(node["feature_idx"]))
            parts["threshold"].append(0 if leaf else round(float(node["num_threshold"]), 5))
            parts["left"].append(0 if leaf else left)
            parts["right"].append(0 if leaf else right)
            parts["unknown"].append(0 if leaf else left if node["missing_go_to_left"] else right)
            parts["value"].append(round(float(node["value"]), 5) if leaf else 0)
    return {
        "features": FEATURES,
        **parts,
        "base": float(model._baseline_prediction.ravel()[0]),
        "scores": np.round(table.scores, 5).tolist(),
        "shares": np.round(table.shares, 5).tolist(),
    }


if __name__ == "__main__":
    main()
