"""Ratings by matrix factorisation with biases (Koren, Bell and Volinsky 2009).

A rating is the mean of all, how far the user rates above it, how far the item is rated above it, and the product of a
vector each. BPR (`bpr.py`) orders items and gives no ratings.
"""

import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import CheckError, UsageError
from graphtalk.core.limits import look
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import floats
from graphtalk.models import saved
from graphtalk.models.adagrad import Adagrad
from graphtalk.models.bpr import last_of_each
from graphtalk.models.cards import UNFITTED, new_card
from graphtalk.models.progress import Progress, silent

NAME = "mf"
FEATURE = "rating"
_CITATION = (
    "Yehuda Koren, Robert Bell, Chris Volinsky: Matrix Factorization Techniques for Recommender Systems. "
    "Computer 42(8), 2009."
)
Floats: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True)
class MfConfig:
    """How ratings are learnt: `epochs` over all ratings in batches of `batch`, by Adagrad, `rate` at first.

    `regularisation` draws the vectors and the biases that a batch used to 0.
    """

    factors: int = 32
    epochs: int = 30
    batch: int = 256
    rate: float = 0.05
    regularisation: float = 0.1


@dataclass(frozen=True, eq=False)
class Ratings:
    """Who rated what how. Shapes: users, items, values, time (ratings,). Users and items are numbered from 0."""

    users: Ints
    items: Ints
    values: Floats
    time: NDArray[np.float64]
    num_users: int
    num_items: int

    def only(self, kept: NDArray[np.bool_]) -> "Ratings":
        """Those ratings, of the same users and items."""
        kept_values = (self.users[kept], self.items[kept], self.values[kept], self.time[kept])
        return Ratings(*kept_values, self.num_users, self.num_items)


def suits(graph: Graph) -> None:
    """Raise UsageError where the graph has no ratings."""
    relation_of(graph)


def relation_of(graph: Graph) -> int:
    """The relation, by its place, with most ratings: numbers called `rating` on edges between two node types."""
    rated = [
        position
        for position, r in enumerate(graph.schema.relations)
        if r.source != r.target
        and r.count
        and any(f.name == FEATURE and f.kind == "number" for f in r.features)
    ]
    if not rated:
        raise UsageError(
            f"{graph.name} has no ratings: no edges between two node types with a number `{FEATURE}`."
        )
    return max(rated, key=lambda position: graph.schema.relations[position].count)


def ratings(graph: Graph) -> tuple[Ratings, int, int]:
    """All ratings of a graph, and the first user's and the first item's index. Raises as `suits`."""
    position = relation_of(graph)
    r = graph.schema.relations[position]
    users, items = graph.schema.node_type(r.source), graph.schema.node_type(r.target)
    source, target = graph.ends(position)
    columns = graph.edge_columns[position]
    when = floats(columns.column("timestamp")) if "timestamp" in columns.column_names else np.zeros(r.count)
    values = floats(columns.column(FEATURE))
    known = np.isfinite(values)
    found = Ratings(
        (source - users.first)[known],
        (target - items.first)[known],
        values[known].astype(np.float32),
        when[known],
        users.count,
        items.count,
    )
    return found, users.first, items.first


@dataclass(frozen=True, eq=False)
class MfModel:
    """Vectors and biases. Shapes: users (u, d + 2), items (i, d + 2); the last two columns are 1 and the own bias.

    `mean` is that of all ratings, `low` and `high` the least and the greatest. `first_user` and `first_item` are the
    graph's indices of the first of each; `rating` takes these indices.
    """

    users: Floats
    items: Floats
    mean: float
    low: float
    high: float
    first_user: int = 0
    first_item: int = 0
    card: saved.ModelCard = UNFITTED

    def predict(self, users: Ints, items: Ints) -> Floats:
        """The rating of each pair, counted from 0, within what ratings there are. Shapes (k,), (k,) → (k,)."""
        fit: Floats = (_of_users(self.users, users) * _of_items(self.items, items)).sum(axis=1)
        within: Floats = np.clip(self.mean + fit, self.low, self.high)
        return within

    def rating(self, user: int, item: int) -> float:
        """What a user would rate an item. Raises CheckError where these are no user and item of the graph."""
        for node, what, first, count in (
            (user, "user", self.first_user, len(self.users)),
            (item, "item", self.first_item, len(self.items)),
        ):
            if not 0 <= node - first < count:
                raise CheckError(
                    f"Node {node} is no {what} that mf was fitted on: these are {first} to {first + count - 1}."
                )
        return float(self.predict(np.array([user - self.first_user]), np.array([item - self.first_item]))[0])

    def save(self, folder: Path) -> None:
        """Write the model, in place of an older one. Raises UsageError where it cannot be written."""
        facts = {name: getattr(self, name) for name in ("mean", "low", "high", "first_user", "first_item")}
        saved.save(folder, replace(self.card, facts=facts), {"users": self.users, "items": self.items})

    @classmethod
    def load(cls, folder: Path, graph: Graph) -> Self:
        """Read a model that was fitted on this graph. Raises UsageError where it was not, or is damaged."""
        found = saved.load(folder, NAME, graph.checksum)
        facts = found.card.facts
        numbers = (float(facts["mean"]), float(facts["low"]), float(facts["high"]))
        first = (int(facts["first_user"]), int(facts["first_item"]))
        return cls(found.arrays["users"], found.arrays["items"], *numbers, *first, found.card)


def fit(graph: Graph, config: MfConfig | None = None, seed: int = 0, progress: Progress = silent) -> MfModel:
    """Learn from the ratings of a graph, but for each user's last, by which it is scored (RMSE).

    The same for the same seed. Raises as `suits`.
    """
    config, began = config or MfConfig(), time.perf_counter()
    known, first_user, first_item = ratings(graph)
    held = last_of_each(known.users, known.time, known.num_users, seed)
    model = learn(known.only(~held), config, seed, progress)
    scores = {"RMSE": rmse(model, known.only(held))} if held.any() else {}
    card = new_card(NAME, graph, asdict(config), seed, scores, began, _CITATION)
    return replace(model, first_user=first_user, first_item=first_item, card=card)


def rmse(model: MfModel, known: Ratings) -> float:
    """The root of the mean squared error over some ratings."""
    return float(np.sqrt(np.mean((model.predict(known.users, known.items) - known.values) ** 2)))


def learn(known: Ratings, config: MfConfig, seed: int = 0, progress: Progress = silent) -> MfModel:
    """Learn from these ratings alone; users and items are counted from 0."""
    random = np.random.default_rng(seed)
    users = random.normal(0, 0.1, (known.num_users, config.factors + 1)).astype(np.float32)
    items = random.normal(0, 0.1, (known.num_items, config.factors + 1)).astype(np.float32)
    users[:, -1] = items[:, -1] = 0  # the last column is the bias
    of_users, of_items = Adagrad(users, config.rate), Adagrad(items, config.rate)
    mean = float(known.values.mean()) if len(known.values) else 0.0
    for epoch in range(config.epochs):
        order = random.permutation(len(known.values))
        for at in range(0, len(order), config.batch):
            look()
            batch = order[at : at + config.batch]
            user, item = known.users[batch], known.items[batch]
            left, right = _of_users(users, user), _of_items(items, item)
            short = (known.values[batch] - mean - (left * right).sum(axis=1))[:, None]
            of_users.climb(user, short * np.delete(right, -1, axis=1), config.regularisation)
            of_items.climb(item, short * np.delete(left, -2, axis=1), config.regularisation)
        progress(epoch + 1, config.epochs)
    ends = (float(known.values.min()), float(known.values.max())) if len(known.values) else (0.0, 0.0)
    return MfModel(users, items, mean, *ends)


def _of_users(users: Floats, rows: Ints) -> Floats:
    """Vectors, own bias, and 1 for the item's bias. Shape (k, d + 2)."""
    return np.concatenate([users[rows], np.ones((len(rows), 1), np.float32)], axis=1)


def _of_items(items: Floats, rows: Ints) -> Floats:
    """Vectors, 1 for the user's bias, and own bias. Shape (k, d + 2)."""
    found = items[rows]
    return np.concatenate([found[:, :-1], np.ones((len(rows), 1), np.float32), found[:, -1:]], axis=1)
