"""How sure the reader is: what speaks for and against each candidate, and the probability that it is right.

The network's own probability says too much on schemas that it has not seen. A logistic model over these features,
fitted on such schemas (`scripts/fit_reader_confidence.py`), says what share of readings like this one was right.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.reading import (
    Best,
    Compared,
    Constant,
    Either,
    Hop,
    Item,
    Measure,
    Not,
    Reading,
    Span,
    Test,
    Value,
)
from graphtalk.reasoners.reader.shape import Shape, spoken
from graphtalk.reasoners.reader.words import stem, stems

FEATURES = (
    "log", "least", "share", "margin", "agreed", "unused values", "unused linked", "unused operators", "unasked operators",
    "empty", "one", "many", "unknown names", "foreign values", "hops", "conditions", "unmatched words", "unasked items",
    "none", "length", "second", "unused names", "unnamed root", "equal texts",
)  # fmt: skip

_WORD = re.compile(r"\w+")
_PLAIN = frozenset(
    """a an the of in on at by for to from with and or is are was were be been being do does did has have had which what who
    whom whose where when how that this these those there their its it i me my we our you your list show find give name names
    tell get all any some can could please identify display provide return first top many much number each per also both""".split()
)


@dataclass(frozen=True)
class Facts:
    """What is known of one candidate besides its reading. `agreed`: the share of the beam that gives the same."""

    log: float
    least: float
    share: float
    margin: float
    agreed: float
    rows: int | None
    second: float
    none: float


@dataclass(frozen=True)
class _Parts:
    held: tuple[str, ...]
    views: tuple[str, ...]
    spans: tuple[tuple[int, str], ...]  # value and the property that it is compared with
    kinds: frozenset[str]
    conditions: int


def parts(reading: Reading) -> _Parts:
    """The pieces of a reading, in any order."""
    seen = _Walker()
    seen.items(reading.items)
    for c in reading.columns:
        if c.held:
            seen.held.append(c.held)
        if c.kind != "NODE":
            seen.kinds.add(c.kind.lower())
        seen.items([path for path in (c.path, c.beyond) if path is not None])
    if reading.order is not None:
        seen.item(reading.order)
    seen.value(reading.limit, "")
    if len(reading.columns) > 1 and any(c.kind != "NODE" for c in reading.columns):
        seen.kinds.add("group")
    if reading.asks == "SHARE":
        seen.kinds.add("share")
    if reading.asks == "RETURN" and all(c.kind == "NODE" for c in reading.columns):
        seen.kinds.add("distinct")
    return _Parts(
        tuple(seen.held), tuple(seen.views), tuple(seen.spans), frozenset(seen.kinds), seen.conditions
    )


class _Walker:
    def __init__(self) -> None:
        self.held: list[str] = []
        self.views: list[str] = []
        self.spans: list[tuple[int, str]] = []
        self.kinds: set[str] = set()
        self.conditions = 0

    def items(self, items: Sequence[Item]) -> None:
        for item in items:
            self.item(item)

    def item(self, item: Item) -> None:
        self.conditions += 1
        match item:
            case Test():
                self.held.append(item.held)
                self.kinds.add(item.operator.lower())
                if len(item.values) > 1:
                    self.kinds.add("also")
                for v in item.values:
                    self.value(v, item.held)
            case Hop():
                self.views.append(item.view)
                self.kinds |= ({"star"} if item.star else set()) | ({"ref"} if item.same else set())
                self.items(item.items)
            case Not():
                self.kinds.add("not")
                self.item(item.item)
            case Either():
                self.kinds.add("or")
                self.items([item.first, item.second])
            case Compared():
                self.measure(item.measure)
                self.kinds.add(item.operator.lower())
                self.value(item.value, "")
            case Best():
                self.kinds.add("best")
                self.measure(item.measure)
                self.value(item.limit, "")

    def measure(self, measure: Measure) -> None:
        if measure.kind != "PROPERTY":
            self.kinds.add(measure.kind.lower())
        if measure.held:
            self.held.append(measure.held)
        self.items([path for path in (measure.path, measure.beyond) if path is not None])

    def value(self, value: Value | None, held: str) -> None:
        if isinstance(value, Span):
            self.spans.append((value.index, held))
            if value.than:
                self.kinds.add("than")
        elif isinstance(value, Constant) and value.number == 0:
            self.kinds.add("null")


@cache
def operators() -> tuple[tuple[str, frozenset[str], re.Pattern[str]], ...]:
    """The closed list of words that change the meaning: kind, the parts that use it, its words."""
    found = []
    for line in (files("graphtalk.reasoners.reader") / "operators.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, uses, words = line.split("\t")
            either = "|".join(re.escape(w) for w in sorted(words.split("|"), key=len, reverse=True))
            found.append(
                (
                    kind,
                    frozenset(uses.split()),
                    re.compile(
                        rf"(?<!\w)(?:{either})(?!\w)|(?<=\w)n't(?!\w)"
                        if kind == "negation"
                        else rf"(?<!\w)(?:{either})(?!\w)",
                        re.I,
                    ),
                )
            )
    return tuple(found)


def unused_operators(question: str, reading: Reading, shape: Shape, values: Sequence[Linked]) -> list[str]:
    """The words of the closed list that the reading does not use. Words in values and in the schema's names are no operators."""
    text = question
    for v in values:
        text = text[: v.start] + " " * (v.end - v.start) + text[v.end :]
    p = parts(reading)
    named = {w for a in (*p.held, *p.views) for w in _words_of(a, shape)}
    unused = []
    for _, uses, pattern in operators():
        for match in pattern.finditer(text):
            word = match.group().lower()
            if not (uses & p.kinds) and not {stem(w) for w in word.split()} <= named:
                unused.append(word)
    return unused


def _words_of(action: str, shape: Shape) -> frozenset[str]:
    """The stems of an item's name."""
    if action in shape.properties:
        return stems(spoken(shape.properties[action].name))
    step = shape.steps.get(action)
    return stems(spoken(step.link.name if step else action[2:]))


def features(
    question: str, reading: Reading | None, shape: Shape, values: Sequence[Linked], facts: Facts
) -> NDArray[np.float64]:
    """The features of a candidate, in the order of FEATURES."""
    if reading is None:
        reading = Reading("", (), "NONE")
    p = parts(reading)
    used = {i for i, _ in p.spans}
    unused = [v for i, v in enumerate(values) if i not in used]
    owned = [(values[i], held) for i, held in p.spans if held and values[i].kind not in ("number", "date")]
    lost = unused_operators(question, reading, shape, values)
    asked = {word for _, uses, pattern in operators() if pattern.search(question) for word in uses}
    unasked = (
        p.kinds
        & {"not", "no", "null", "ne", "best", "avg", "sum", "min", "max", "gt", "lt", "or", "star", "share"}
        - asked
    )
    words = [stem(w.lower()) for w in _WORD.findall(_without(question, values)) if w.lower() not in _PLAIN]
    actions = [f"T:{reading.type}", *p.held, *p.views] if reading.type else []
    far = [f"T:{shape.steps[v].target}" for v in p.views if v in shape.steps]
    known = {w for a in (*actions, *far) for w in _words_of(a, shape)}
    matched = [w for w in words if w in known]
    idle = sum(not (_words_of(a, shape) & set(words)) for a in (*p.held, *p.views))
    forgotten = {w for w in words if w in shape.vocabulary and w not in known}
    rows = -1 if facts.rows is None else facts.rows
    return np.array(
        [
            facts.log, facts.least, facts.share, min(facts.margin, 8), facts.agreed,
            min(len(unused), 4), min(sum(bool(v.found) for v in unused), 3), min(len(lost), 3), min(len(unasked), 3),
            rows == 0, rows == 1, np.log1p(max(rows, 0)),
            min(sum(not v.found for v, _ in owned), 3), min(sum(bool(v.found) and h not in v.owners for v, h in owned), 3),
            len(p.views), p.conditions, min(len(words) - len(matched), 8), min(idle, 4), facts.none, np.log(len(question) + 1), facts.second,
            min(len(forgotten), 4), bool(reading.type) and not _words_of(f"T:{reading.type}", shape) & set(words),
            sum(v.kind == "name" and v.text.islower() for v, _ in owned),
        ],
        np.float64,
    )  # fmt: skip


def _without(question: str, values: Sequence[Linked]) -> str:
    for v in values:
        question = question[: v.start] + " " * (v.end - v.start) + question[v.end :]
    return question


@dataclass(frozen=True)
class Judge:
    """A logistic model over standardised features, then a monotone table from its scores to shares that were right."""

    means: NDArray[np.float64]
    scales: NDArray[np.float64]
    weights: NDArray[np.float64]
    scores: NDArray[np.float64]
    shares: NDArray[np.float64]

    def __call__(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Probabilities, shape (n,), of features, shape (n, features)."""
        z = (x - self.means) / self.scales
        score = self.weights[0] + z @ self.weights[1:]
        return np.asarray(np.interp(score, self.scores, self.shares))

    def save(self, path: Path) -> None:
        """Writes it as JSON."""
        path.write_text(
            json.dumps(
                {"features": FEATURES, **{k: np.round(v, 5).tolist() for k, v in self.__dict__.items()}}
            )
        )

    @classmethod
    def load(cls, text: str) -> "Judge":
        """Reads what `save` wrote. Raises ValueError where its features are others."""
        raw = json.loads(text)
        if tuple(raw.pop("features")) != FEATURES:
            raise ValueError("The confidence was fitted on other features.")
        return cls(**{k: np.array(v) for k, v in raw.items()})


def fit(x: NDArray[np.float64], right: NDArray[np.bool_], penalty: float = 3.0) -> Judge:
    """A Judge of features, shape (n, features), and which were right: ridge logistic by Newton, then isotonic."""
    means, scales = x.mean(0), x.std(0)
    scales[scales < 1e-3] = 1  # what is nearly always the same says nothing, and would be saved as 0
    z = np.concatenate([np.ones((len(x), 1)), (x - means) / scales], 1)
    w = np.zeros(z.shape[1])
    ridge = penalty * np.eye(len(w))
    ridge[0, 0] = 1e-6
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(z @ w, -30, 30)))
        gradient = z.T @ (p - right) + ridge @ w
        hessian = (z * (p * (1 - p))[:, None]).T @ z + ridge
        w -= np.linalg.solve(hessian, gradient)
    scores, shares = _isotonic(z @ w, right.astype(np.float64))
    return Judge(means, scales, w, scores, shares)


def _isotonic(
    score: NDArray[np.float64], right: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pool adjacent violators, in blocks of at least 15 cases, each drawn a little towards the middle."""
    order = np.argsort(score)
    blocks: list[list[float]] = []  # sum of right, number, sum of scores
    for i in range(0, len(order), 15):
        rows = order[i : i + 15]
        blocks.append([float(right[rows].sum()), float(len(rows)), float(score[rows].sum())])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] >= blocks[-1][0] / blocks[-1][1]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    shares = np.array([(r + 0.5) / (n + 1) for r, n, _ in blocks])
    return np.array([s / n for _, n, s in blocks]), np.maximum.accumulate(shares)
