"""How sure an answer is: one judgement for all readings of a question, whoever proposed them.

Readings are run, and those that give the same are judged as one. A gradient-boosted forest over what speaks for and
against them, fitted on schemas whose questions neither source had seen (`scripts/fit_judge.py`), says what share of
answers like this one was right. Where few things are alike it says little: that is what asking back is for.
"""

import json
import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import JSON
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.engines.arrays.rows import MISSING, Mixed, Nodes, NodeValue
from graphtalk.graphs.adjacency import Ints
from graphtalk.reasoners.reader import confidence
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.reader import Read
from graphtalk.reasoners.reader.shape import Shape
from graphtalk.tools.executor import Result
from graphtalk.tools.values import Bag, to_json

FEATURES = (
    "log", "least", "share", "margin", "first", "weighed", "none", "beam",
    "planned first", "planned", "fits", "coverage", "gap", "plan margin", "focus", "support", "cues", "slips", "unexplained", "deciding",
    "no plan fits", "agreed", "lost words", "other kind", "empty", "rows", "truth", "number", "things",
    "length", "values", "results", "rank", "rank margin", *confidence.FEATURES,
)  # fmt: skip
_LEAST = -15.0  # logarithm of a probability that is as good as none
_SHOWN = 50  # entries up to which results are compared as they are told
_MOST_GAP = 3.0
_MOST_RANK = 12.0


@dataclass(frozen=True)
class Planned:
    """What the planner thinks of a reading of its own: its place, whether it fits, and what its score is made of."""

    place: int
    fits: bool
    score: float
    coverage: float
    focus: float
    support: float
    cues: float
    slips: int


@dataclass(frozen=True)
class Facts:
    """What is known of one reading that was run.

    `key`: the same for readings that give the same; `kind`: of what it gives; `rows`: how many entries that has.
    `lost`: words that change the meaning, numbers and names that it passes over; `unexplained`: other words that it does
    not say, and that nothing in the graph is like, of which so many are `deciding` by where they stand; `rank`: how well it fits the question as it is told, where that was weighed; `other_kind`: it gives another kind of thing than is asked for. `read`: as the network weighs it, from place `beam` of its guesses (-1: it did not guess it).
    """

    key: Hashable
    kind: str
    rows: int
    lost: int
    other_kind: bool
    read: Read | None = None
    beam: int = -1
    planned: Planned | None = None
    unexplained: int = 0
    deciding: int = 0
    rank: float = math.nan


@dataclass(frozen=True)
class Asked:
    """The question: its text, the values that it names, and the logarithm of how likely it asks for nothing here."""

    text: str
    values: Sequence[Linked] = ()
    shape: Shape | None = None
    none: float = _LEAST


def together(facts: Sequence[Facts]) -> list[list[int]]:
    """The readings that give the same, each group in their order; the group of the first reading first."""
    groups: dict[Hashable, list[int]] = {}
    for i, each in enumerate(facts):
        groups.setdefault(each.key, []).append(i)
    return list(groups.values())


def told_apart(result: Result) -> tuple[Hashable, str, int]:
    """The same for results that say the same; the kind of the result; how many entries it has.

    The kind is `truth`, `number` or `things`. Order and repeats say nothing, nor does a list of one.
    """
    value = result.value
    if isinstance(value, bool):
        return value, "truth", int(value)
    nodes = nodes_of(value)
    if nodes is not None and len(nodes) > _SHOWN:
        return np.unique(nodes).tobytes(), "things", len(nodes)
    plain = to_json(value, result.graph)
    if isinstance(plain, list) and len(plain) == 1 and isinstance(plain[0], list):
        plain = plain[0]  # the genres of one book, as its property or as the one row of a query
    alone = plain[0] if isinstance(plain, list) and len(plain) == 1 else plain
    if isinstance(alone, bool):
        return alone, "truth", int(alone)
    entries = (
        plain if isinstance(plain, list) else list(plain.items()) if isinstance(plain, dict) else [plain]
    )
    said = frozenset(_said(entry) for entry in entries if entry is not None)
    numeric = nodes is None and len(entries) <= 1 and all(isinstance(e, int | float) for e in entries)
    single = not isinstance(plain, list | dict)
    nothing = single and (plain is None or plain == 0)
    return said, "number" if numeric and single else "things", 0 if nothing else len(said)


def entries_of(result: Result) -> Iterator[JSON]:
    """The first entries that a result has; of nodes what they are called, as texts."""
    nodes = nodes_of(result.value)
    if nodes is not None:
        yield from (str(result.graph.label(int(node))) for node in nodes[:_SHOWN])
        return
    plain = to_json(result.value, result.graph)
    yield from plain[:_SHOWN] if isinstance(plain, list) else [plain]


def nodes_of(value: object) -> Ints | None:
    """The nodes that a value consists of; None where it does not."""
    if isinstance(value, Bag):
        return value.nodes
    if not isinstance(value, ResultSet) or len(value.columns) != 1:
        return None
    column = value.columns[0]
    if isinstance(column, Nodes):
        nodes: Ints = column.nodes
        return np.asarray(nodes[nodes != MISSING])
    if isinstance(column, Mixed) and all(isinstance(v, NodeValue) for v in column.values):
        return np.asarray([v.node for v in column.values if isinstance(v, NodeValue)], dtype=np.int64)
    return None


def _said(entry: object) -> str:
    """An entry as it is compared: what its columns are called says nothing."""
    if isinstance(entry, dict):
        return ", ".join(map(_said, entry.values()))
    if isinstance(entry, int | float) and not isinstance(entry, bool):
        return f"{entry:.6g}"
    return str(entry).strip().lower()


def features(asked: Asked, facts: Sequence[Facts], groups: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    """What speaks for and against each group of readings, shape (groups, FEATURES); what is not known is not a number."""
    weights = np.array([_share(facts, group) for group in groups])
    total = weights.sum()
    best_plan = max((f.planned.score for f in facts if f.planned), default=0.0)
    plan_scores = [
        max((p.score for p in (facts[i].planned for i in group) if p), default=-math.inf) for group in groups
    ]
    first_guess = min((f.beam for f in facts if f.beam >= 0), default=-1)
    first_plan = min((f.planned.place for f in facts if f.planned), default=-1)
    any_fits = any(f.planned.fits for f in facts if f.planned)
    ranks = [_rank([facts[i] for i in group]) for group in groups]
    rows = []
    for at, group in enumerate(groups):
        own = [facts[i] for i in group]
        others = np.delete(weights, at)
        read = max((f for f in own if f.read), key=lambda f: f.read.log if f.read else 0, default=None)
        planned = min((f.planned for f in own if f.planned), key=lambda p: p.place, default=None)
        other_plans = [s for j, s in enumerate(plan_scores) if j != at]
        first = first_guess >= 0 and any(f.beam == first_guess for f in own)
        leads = planned is not None and planned.place == first_plan
        shown = read or own[0]
        rows.append(
            [
                max(read.read.log, _LEAST) if read and read.read else _LEAST,
                max(read.read.least, _LEAST) if read and read.read else _LEAST,
                weights[at] / total if total else 0.0,
                _log(weights[at]) - _log(others.max(initial=0.0)),
                first,
                read is not None,
                max(asked.none, _LEAST),
                min(f.beam if f.beam >= 0 else 9 for f in own),
                leads,
                planned is not None,
                bool(planned and planned.fits),
                planned.coverage if planned else math.nan,
                min(best_plan - planned.score, _MOST_GAP) if planned else _MOST_GAP,
                min(best_plan - max(other_plans, default=-math.inf), _MOST_GAP) if leads else 0.0,
                planned.focus if planned else math.nan,
                planned.support if planned else math.nan,
                planned.cues if planned else math.nan,
                planned.slips if planned else 0,
                min(shown.unexplained, 3),
                min(shown.deciding, 3),
                not any_fits,
                first and leads,
                min(shown.lost, 3),
                shown.other_kind,
                shown.rows == 0,
                math.log1p(shown.rows),
                shown.kind == "truth",
                shown.kind == "number",
                shown.kind == "things",
                math.log1p(len(asked.text)),
                len(asked.values),
                len(groups),
                *_ranked(ranks, at),
                *_own(asked, read),
            ]
        )
    return np.array(rows, np.float64).reshape(len(groups), len(FEATURES))


def _rank(own: Sequence[Facts]) -> float:
    """How well the best told of a group's readings fits the question; minus infinity where none was weighed."""
    return max((f.rank for f in own if not math.isnan(f.rank)), default=-math.inf)


def _ranked(ranks: Sequence[float], at: int) -> tuple[float, float]:
    """How well a group's readings fit the question as they are told, and how much better than those of the next group."""
    if ranks[at] == -math.inf:
        return math.nan, math.nan
    next_best = max((r for i, r in enumerate(ranks) if i != at), default=-math.inf)
    return ranks[at], min(max(ranks[at] - next_best, -_MOST_RANK), _MOST_RANK)


def _own(asked: Asked, found: Facts | None) -> tuple[float, ...]:
    if found is None or found.read is None or found.read.reading is None or asked.shape is None:
        return (math.nan,) * len(confidence.FEATURES)
    return confidence.features(asked.text, found.read.reading, asked.shape, asked.values)


def _share(facts: Sequence[Facts], group: Sequence[int]) -> float:
    logs = {f.read.log for f in (facts[i] for i in group) if f.read is not None}
    return sum(math.exp(max(log, _LEAST)) for log in logs)


def _log(weight: float) -> float:
    return max(math.log(weight), _LEAST) if weight > 0 else _LEAST


@dataclass(frozen=True)
class Judge:
    """Boosted trees over FEATURES, then a monotone table from their sums to shares that were right.

    Trees stand one after the other in flat arrays: of each node its feature (-1: a leaf), threshold, children, the
    child of what is not known, and the value of a leaf. `roots`: where each tree begins.
    """

    feature: NDArray[np.int64]
    threshold: NDArray[np.float64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    unknown: NDArray[np.int64]
    value: NDArray[np.float64]
    roots: NDArray[np.int64]
    base: float
    scores: NDArray[np.float64]
    shares: NDArray[np.float64]

    def raw(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sums of the trees, shape (n,), for features of shape (n, FEATURES)."""
        at = np.repeat(self.roots[None, :], len(x), 0)
        rows = np.arange(len(x))[:, None]
        while True:
            feature = self.feature[at]
            inner = feature >= 0
            if not inner.any():
                return np.asarray(self.base + self.value[at].sum(1))
            seen = x[rows, np.maximum(feature, 0)]
            below = np.where(seen <= self.threshold[at], self.left[at], self.right[at])
            at = np.where(inner, np.where(np.isnan(seen), self.unknown[at], below), at)

    def __call__(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """How likely each is right, shape (n,), 0 to 1."""
        return np.asarray(np.interp(self.raw(x), self.scores, self.shares))

    @classmethod
    def of(cls, text: str) -> "Judge":
        """Reads JSON as `scripts/fit_judge.py` writes it. Raises ValueError where its features are others."""
        raw = json.loads(text)
        if tuple(raw["features"]) != FEATURES:
            raise ValueError("The judge was fitted on other features: run scripts/fit_judge.py.")
        feature, left, right, unknown, roots = (
            np.array(raw[part], np.int64) for part in ("feature", "left", "right", "unknown", "roots")
        )
        threshold, value, scores, shares = (
            np.array(raw[part], np.float64) for part in ("threshold", "value", "scores", "shares")
        )
        return cls(feature, threshold, left, right, unknown, value, roots, raw["base"], scores, shares)


@cache
def load_judge() -> Judge:
    """The judge that ships with the package."""
    return Judge.of((files("graphtalk.reasoners") / "judge.json").read_text("utf-8"))
