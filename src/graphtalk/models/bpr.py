"""Recommendation by Bayesian personalised ranking (Rendle, Freudenthaler, Gantner and Schmidt-Thieme 2009).

A user and an item have a vector each; how well they fit is the product of the two, and the item's own popularity.
What a user chose is to come before what the user did not choose. Graph-ToolFormer, sections 4.3 and 5.2, appendix C.5.
"""

import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphtalk.core import CheckError, UsageError, choices
from graphtalk.core.limits import look
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import floats
from graphtalk.models import saved
from graphtalk.models.adagrad import Adagrad
from graphtalk.models.cards import UNFITTED, new_card
from graphtalk.models.progress import Progress, silent

NAME = "bpr"
_CITATION = (
    "Steffen Rendle, Christoph Freudenthaler, Zeno Gantner, Lars Schmidt-Thieme: BPR: Bayesian Personalized Ranking "
    "from Implicit Feedback. UAI 2009."
)
Floats: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True)
class BprConfig:
    """How recommendation is learnt. `relation` is what users do to items; "" is the relation with most edges.

    Each epoch sees every choice once, in batches of `batch`, each beside `negatives` items that the user did not
    choose. The step is Adagrad's, `rate` at first. `regularisation` draws the vectors that a batch used to 0.
    """

    relation: str = ""
    factors: int = 64
    epochs: int = 15
    batch: int = 1024
    negatives: int = 4
    rate: float = 0.1
    regularisation: float = 0.01


@dataclass(frozen=True, eq=False)
class Interactions:
    """Who chose what: each pair once. `time` orders a user's choices; choices without a time are all at 0.

    Shapes: users, items, time (pairs,). Users and items are numbered from 0.
    """

    users: Ints
    items: Ints
    time: NDArray[np.float64]
    num_users: int
    num_items: int

    def only(self, kept: NDArray[np.bool_]) -> "Interactions":
        """Those pairs, of the same users and items."""
        return Interactions(
            self.users[kept], self.items[kept], self.time[kept], self.num_users, self.num_items
        )

    def matrix(self) -> csr_array:
        """1 where a user chose an item. Shape (users, items), rows sorted."""
        ones = np.ones(len(self.users), np.float32)
        return csr_array((ones, (self.users, self.items)), shape=(self.num_users, self.num_items))


def suits(graph: Graph) -> None:
    """Raise UsageError where the graph has no choices of users."""
    _between(graph, "")


def _between(graph: Graph, relation: str) -> list[int]:
    """The relations with edges from one node type to another, of that name if one is given. Raises UsageError."""
    relations = graph.schema.relations
    between = [position for position, r in enumerate(relations) if r.source != r.target and r.count]
    if relation:
        between = [position for position in between if relations[position].name == relation]
    if not between:
        named = f" called {relation!r}" if relation else ""
        valid = [r.name for r in relations if r.source != r.target]
        raise UsageError(f"{graph.name} has no choices of users{named}. {choices(relation, valid)}")
    return between


def interactions(graph: Graph, relation: str = "") -> tuple[Interactions, int, int]:
    """Who chose what in a graph, and the first user's and the first item's index.

    Raises UsageError where there is no such relation, or it has no edges.
    """
    relations = graph.schema.relations
    position = max(_between(graph, relation), key=lambda p: relations[p].count)
    r = relations[position]
    users, items = graph.schema.node_type(r.source), graph.schema.node_type(r.target)
    source, target = graph.ends(position)
    columns = graph.edge_columns[position]
    time = floats(columns.column("timestamp")) if "timestamp" in columns.column_names else np.zeros(r.count)
    once = np.unique((source - users.first) * items.count + (target - items.first), return_index=True)[1]
    found = Interactions(
        (source - users.first)[once], (target - items.first)[once], time[once], users.count, items.count
    )
    return found, users.first, items.first


def hold_out_last(pairs: Interactions, seed: int) -> tuple[Interactions, Interactions]:
    """The pairs without each user's last, and those last ones: of users with two choices or more.

    Where choices have the same time (or none), a random one of them is the last.
    """
    held = last_of_each(pairs.users, pairs.time, pairs.num_users, seed)
    return pairs.only(~held), pairs.only(held)


def last_of_each(of: Ints, when: NDArray[np.float64], num_users: int, seed: int) -> NDArray[np.bool_]:
    """Which choices are their user's last, of users with two or more; a random one of those at the same time."""
    ties = np.random.default_rng(seed).random(len(of))
    order = np.lexsort((ties, when, of))
    users = of[order]
    last = np.append(users[1:] != users[:-1], True)
    several = np.bincount(of, minlength=num_users)[users] > 1
    held = np.zeros(len(users), bool)
    held[order] = last & several
    return held


@dataclass(frozen=True, eq=False)
class BprModel:
    """Vectors of users and items. Shapes: users (u, d), items (i, d), popularity (i,), seen (u, i) sparse.

    `first_user` and `first_item` are the graph's indices of the first of each; the functions take these indices.
    """

    users: Floats
    items: Floats
    popularity: Floats
    seen: csr_array
    first_user: int = 0
    first_item: int = 0
    card: saved.ModelCard = UNFITTED

    def predict(self, users: Ints) -> Floats:
        """How well every item fits each of some users, counted from 0. Shapes (k,) → (k, items)."""
        return self.users[users] @ self.items.T + self.popularity

    def recommendation(self, user: int, item: int) -> float:
        """How likely the user is to prefer the item to any other that is drawn at random, 0 to 1.

        Raises CheckError where these are no user and item of the graph.
        """
        row, column = self._user(user), self._item(item)
        scores = self.predict(np.array([row]))[0].astype(np.float64)
        return float(np.mean(1 / (1 + np.exp(scores - scores[column]))))

    def topk_recommendation(self, user: int, k: int = 10) -> Ints:
        """The `k` items that fit a user best and were not chosen yet, best first: indices of the graph.

        Raises CheckError for what is no user, or a `k` below 1.
        """
        if k < 1:
            raise CheckError(f"At least one item must be asked for, not {k}.")
        row = self._user(user)
        scores = self.predict(np.array([row]))[0]
        scores[self.seen.indices[self.seen.indptr[row] : self.seen.indptr[row + 1]]] = -np.inf
        best = np.argsort(-scores, kind="stable")[: min(k, int(np.isfinite(scores).sum()))]
        return best + self.first_item

    def save(self, folder: Path) -> None:
        """Write the model, in place of an older one. Raises UsageError where it cannot be written."""
        seen = {"seen": self.seen.indices, "seen_from": self.seen.indptr}
        vectors = {"users": self.users, "items": self.items, "popularity": self.popularity}
        facts = {"first_user": self.first_user, "first_item": self.first_item}
        saved.save(folder, replace(self.card, facts=facts), vectors | seen)

    @classmethod
    def load(cls, folder: Path, graph: Graph) -> Self:
        """Read a model that was fitted on this graph. Raises UsageError where it was not, or is damaged."""
        found = saved.load(folder, NAME, graph.checksum)
        a, facts = found.arrays, found.card.facts
        shape = (len(a["users"]), len(a["items"]))
        seen = csr_array((np.ones(len(a["seen"]), np.float32), a["seen"], a["seen_from"]), shape=shape)
        first = (int(facts["first_user"]), int(facts["first_item"]))
        return cls(a["users"], a["items"], a["popularity"], seen, *first, found.card)

    def _user(self, node: int) -> int:
        if not 0 <= node - self.first_user < len(self.users):
            raise CheckError(_not_one_of(node, "user", self.first_user, len(self.users)))
        return node - self.first_user

    def _item(self, node: int) -> int:
        if not 0 <= node - self.first_item < len(self.items):
            raise CheckError(_not_one_of(node, "item", self.first_item, len(self.items)))
        return node - self.first_item


def _not_one_of(node: int, what: str, first: int, count: int) -> str:
    return f"Node {node} is no {what} that bpr was fitted on: these are {first} to {first + count - 1}."


def fit(
    graph: Graph,
    config: BprConfig | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> BprModel:
    """Learn from what the users of a graph chose, but for each one's last choice, by which it is scored.

    The same for the same seed. Raises as `interactions`.
    """
    config, began = config or BprConfig(), time.perf_counter()
    pairs, first_user, first_item = interactions(graph, config.relation)
    earlier, held = hold_out_last(pairs, seed)
    model = learn(earlier, config, seed, progress)
    scores = ranking_scores(model.predict(held.users), model.seen, held) if len(held.users) else {}
    card = new_card(NAME, graph, asdict(config), seed, scores, began, _CITATION)
    return replace(model, first_user=first_user, first_item=first_item, card=card)


def learn(pairs: Interactions, config: BprConfig, seed: int = 0, progress: Progress = silent) -> BprModel:
    """Learn from these choices alone; users and items are counted from 0."""
    random = np.random.default_rng(seed)
    users = random.normal(0, 0.1, (pairs.num_users, config.factors)).astype(np.float32)
    items = random.normal(0, 0.1, (pairs.num_items, config.factors + 1)).astype(np.float32)
    items[:, -1] = 0  # the last column is the popularity
    learnt = (Adagrad(users, config.rate), Adagrad(items, config.rate))
    matrix = pairs.matrix()
    chosen = np.repeat(np.arange(pairs.num_users, dtype=np.int64), np.diff(matrix.indptr)) * pairs.num_items
    chosen += matrix.indices  # ascending: whether a pair is in there is found by bisection
    for epoch in range(config.epochs):
        order = random.permutation(len(chosen))
        for at in range(0, len(order), config.batch):
            look()
            pair = np.repeat(chosen[order[at : at + config.batch]], config.negatives)
            user, liked = np.divmod(pair, pairs.num_items)
            other = random.integers(pairs.num_items, size=len(user))
            key = user * pairs.num_items + other
            unseen = chosen[np.minimum(np.searchsorted(chosen, key), len(chosen) - 1)] != key
            _step(*learnt, user[unseen], liked[unseen], other[unseen], config.regularisation)
        progress(epoch + 1, config.epochs)
    return BprModel(users, items[:, :-1].copy(), items[:, -1].copy(), matrix)


def _step(users: Adagrad, items: Adagrad, user: Ints, liked: Ints, other: Ints, shrink: float) -> None:
    """One step for triples: a user, an item that it chose, and one that it did not. Shapes all (b,)."""
    of_user = np.concatenate([users.vectors[user], np.ones((len(user), 1), np.float32)], axis=1)
    apart = items.vectors[liked] - items.vectors[other]
    pull = 1 / (1 + np.exp((of_user * apart).sum(axis=1, keepdims=True)))  # near 0 where the order is right
    towards = pull * of_user
    users.climb(user, pull * apart[:, :-1], shrink)
    items.climb(np.concatenate([liked, other]), np.concatenate([towards, -towards]), shrink)


def ranking_scores(scores: Floats, seen: csr_array, held: Interactions) -> dict[str, float]:
    """Hit@10, NDCG@10 and AUC of the held-out items. `scores` has shape (pairs held out, items).

    Items of `seen`, shape (users, items), do not count. AUC is the share of the others that come after.
    """
    chosen = seen[held.users].toarray() > 0
    own = scores[np.arange(len(held.items)), held.items][:, None]
    before = ((scores > own) & ~chosen).sum(axis=1)
    others = (~chosen).sum(axis=1) - 1
    top = before < 10
    return {
        "Hit@10": float(top.mean()),
        "NDCG@10": float(np.where(top, 1 / np.log2(before + 2), 0).mean()),
        "AUC": float((1 - before / others).mean()),
    }
