"""Knowledge graphs by TransE (Bordes, Usunier, Garcia-Durán, Weston and Yakhnenko 2013): head + relation ≈ tail.

The functions are those of Graph-ToolFormer (section 4.3, appendix C.6). Learning is by what has since been found to
serve it: each relation has a second vector for the way back (Lacroix, Usunier and Obozinski 2018); the true end is to
stand out by softmax from many random ones (Ruffinelli, Broscheit and Gemulla 2020), which gives the hardest of them
the most weight, as self-adversarial negatives do; and the random ends are shared by a batch, so that one product of
matrices finds all distances. The distance is Euclidean, and its slope needs no library.
"""

import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from graphtalk.core import CheckError, UsageError, choices
from graphtalk.core.limits import look
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.models import saved
from graphtalk.models.adagrad import Adagrad, Vectors
from graphtalk.models.cards import UNFITTED, new_card
from graphtalk.models.progress import Progress, silent

NAME = "transe"
_TINY = 1e-9  # the least squared distance, so that none divides by 0
_CITATION = (
    "Antoine Bordes, Nicolas Usunier, Alberto Garcia-Durán, Jason Weston, Oksana Yakhnenko: Translating Embeddings for "
    "Modeling Multi-relational Data. NeurIPS 2013."
)


@dataclass(frozen=True)
class TransEConfig:
    """How a knowledge graph is learnt. Where edges have the feature `split`, only those of `split` "train" are.

    `negatives` random ends are shared by a batch of `batch` triples. The step is Adagrad's, `rate` at first and 0 in
    the end; its sums begin at `sums`. `spread` is the standard deviation of the first numbers in the vectors.
    """

    dimensions: int = 128
    epochs: int = 20
    batch: int = 512
    negatives: int = 512
    rate: float = 0.5
    sums: float = 0.1
    spread: float = 0.1


@dataclass(frozen=True, eq=False)
class Triples:
    """Facts: rows of (head, relation, tail), shape (facts, 3), the ends being the graph's nodes."""

    facts: Ints
    num_entities: int
    relations: tuple[str, ...]


def triples(graph: Graph, split: str = "") -> Triples:
    """The facts of a graph, of one split where its edges have the feature `split` and one is named."""
    names = tuple(dict.fromkeys(r.name for r in graph.schema.relations))
    parts = [np.empty((0, 3), np.int64)]
    for position, r in enumerate(graph.schema.relations):
        heads, tails = graph.ends(position)
        part = np.stack([heads, np.full(r.count, names.index(r.name)), tails], axis=1).astype(np.int64)
        columns = graph.edge_columns[position]
        if split and "split" in columns.column_names:
            part = part[np.array(columns.column("split").to_pylist()) == split]
        parts.append(part)
    return Triples(np.concatenate(parts), graph.num_nodes, names)


@dataclass(frozen=True, eq=False)
class TransEModel:
    """Vectors of entities and relations. Shapes: entities (n, d), relations (2 m, d), the ways back last."""

    entities: Vectors
    relations: Vectors
    names: tuple[str, ...]
    card: saved.ModelCard = UNFITTED

    def predict(self, starts: Ints, relations: Ints, back: bool = False) -> Vectors:
        """How well each entity fits as the other end: minus the squared distance. Shapes (k,) → (k, n).

        From heads to tails, or `back` from tails to heads.
        """
        shift = len(self.names) if back else 0
        return _nearness(self.entities[starts] + self.relations[relations + shift], self.entities)

    def tails(self, head: int, relation: str, among: Ints | None = None) -> Vectors:
        """How well each of some entities, or of all, fits as the tail. Shape (n,). Raises CheckError for what was not learnt."""
        return self._ends(self._entity(head), self._relation(relation), among)

    def heads(self, relation: str, tail: int, among: Ints | None = None) -> Vectors:
        """How well each of some entities, or of all, fits as the head. Shape (n,). Raises CheckError for what was not learnt."""
        return self._ends(self._entity(tail), self._relation(relation) + len(self.names), among)

    def _ends(self, start: int, shift: int, among: Ints | None) -> Vectors:
        reached = self.entities[start] + self.relations[shift]
        scores: Vectors = _nearness(reached[None], self.entities if among is None else self.entities[among])[
            0
        ]
        return scores

    def between(self, head: int, tail: int) -> Vectors:
        """How well each relation of `names` leads from head to tail. Shape (m,)."""
        first, second = self.entities[self._entity(head)], self.entities[self._entity(tail)]
        there, again = np.split(self.relations, 2)
        apart = (first + there - second) ** 2 + (second + again - first) ** 2
        scores: Vectors = -apart.sum(axis=1)
        return scores

    def tail_entity(self, head: int, relation: str) -> int:
        """The entity that fits best as the tail, apart from the head."""
        return _best_other(self.tails(head, relation), head)

    def head_entity(self, relation: str, tail: int) -> int:
        """The entity that fits best as the head, apart from the tail."""
        return _best_other(self.heads(relation, tail), tail)

    def relation(self, head: int, tail: int) -> str:
        """The relation that fits best between two entities."""
        return self.names[int(self.between(head, tail).argmax())]

    def save(self, folder: Path) -> None:
        """Write the model, in place of an older one. Raises UsageError where it cannot be written."""
        card = replace(self.card, facts={"relations": list(self.names)})
        saved.save(folder, card, {"entities": self.entities, "relations": self.relations})

    @classmethod
    def load(cls, folder: Path, graph: Graph) -> Self:
        """Read a model that was fitted on this graph. Raises UsageError where it was not, or is damaged."""
        return cls.of(saved.load(folder, NAME, graph.checksum))

    @classmethod
    def of(cls, found: saved.Saved) -> Self:
        """The model that was read."""
        names = tuple(found.card.facts["relations"])
        return cls(found.arrays["entities"], found.arrays["relations"], names, found.card)

    def _entity(self, node: int) -> int:
        if not 0 <= node < len(self.entities):
            raise CheckError(
                f"transe was fitted on {len(self.entities)} entities: there is no entity {node}."
            )
        return node

    def _relation(self, name: str) -> int:
        if name not in self.names:
            raise CheckError(f"transe was fitted on no relation {name!r}. {choices(name, self.names)}")
        return self.names.index(name)


def suits(graph: Graph) -> None:
    """Raise UsageError where the graph has no facts."""
    if not graph.num_edges:
        raise UsageError(f"{graph.name} has no facts to learn from.")


def fit(
    graph: Graph,
    config: TransEConfig | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> TransEModel:
    """Learn the facts of a graph, and score by those of the split "test", if edges have one.

    The same for the same seed. Raises UsageError where there are no facts.
    """
    config, began = config or TransEConfig(), time.perf_counter()
    every, asked = triples(graph).facts, triples(graph, "test").facts
    model = learn(triples(graph, "train"), config, seed, progress, graph.name)
    scores: dict[str, float] = {}
    if 0 < len(asked) < len(every):
        found = link_scores(model, asked, every)
        scores = {"MRR": found.mrr, "Hits@1": found.hits_1, "Hits@10": found.hits_10}
    return replace(model, card=new_card(NAME, graph, asdict(config), seed, scores, began, _CITATION))


def learn(
    known: Triples,
    config: TransEConfig,
    seed: int = 0,
    progress: Progress = silent,
    name: str = "the graph",
) -> TransEModel:
    """Learn these facts. Raises UsageError where there are none."""
    if not len(known.facts):
        raise UsageError(f"{name} has no facts to learn from.")
    random = np.random.default_rng(seed)
    count = len(known.relations)
    entities = Adagrad(_random_vectors(random, known.num_entities, config), config.rate, config.sums)
    relations = Adagrad(_random_vectors(random, 2 * count, config), config.rate, config.sums)
    questions = both_ways(known.facts, count)
    steps = -(-len(questions) // config.batch)
    for epoch in range(config.epochs):
        order = random.permutation(len(questions))
        for step in range(steps):
            look()
            batch = questions[order[step * config.batch : (step + 1) * config.batch]]
            others = random.integers(known.num_entities, size=config.negatives)
            share = 1 - (epoch * steps + step) / (config.epochs * steps)
            _step(entities, relations, batch, others, share)
        progress(epoch + 1, config.epochs)
    return TransEModel(entities.vectors, relations.vectors, known.relations)


def both_ways(facts: Ints, count: int) -> Ints:
    """The facts, and each turned round under its relation's second vector. Shapes (f, 3) → (2 f, 3)."""
    return np.concatenate([facts, np.stack([facts[:, 2], facts[:, 1] + count, facts[:, 0]], axis=1)])


def _random_vectors(random: np.random.Generator, rows: int, config: TransEConfig) -> Vectors:
    return random.normal(0, config.spread, (rows, config.dimensions)).astype(np.float32)


def _nearness(starts: Vectors, ends: Vectors) -> Vectors:
    """Minus the squared distance of each start from each end. Shapes (k, d), (n, d) → (k, n)."""
    near = 2 * (starts @ ends.T)
    near -= (starts**2).sum(axis=1)[:, None]
    near -= (ends**2).sum(axis=1)
    return near


def _step(entities: Adagrad, relations: Adagrad, batch: Ints, others: Ints, share: float) -> None:
    """Draw each start of a batch towards its true end, and away from the others. `batch` has shape (b, 3)."""
    start, relation, end = batch.T
    reached = entities.vectors[start] + relations.vectors[relation]
    true, false = entities.vectors[end], entities.vectors[others]
    near = -np.sqrt(np.maximum(((reached - true) ** 2).sum(axis=1, keepdims=True), _TINY))
    far = -np.sqrt(np.maximum(-_nearness(reached, false), _TINY))
    of_near, of_far = -1 / near, -1 / far  # how fast a distance falls with each unit of difference
    far[end[:, None] == others] = -np.inf
    # The loss is cross-entropy. What each random end takes of a start's softmax is its push; the true end's pull is
    # what all of them took.
    top = np.maximum(near, far.max(axis=1, keepdims=True))
    push = np.exp(far - top)
    pull = push.sum(axis=1, keepdims=True)
    whole = pull + np.exp(near - top)
    pull *= of_near / whole
    push *= of_far / whole
    towards = pull * (true - reached) + push.sum(axis=1, keepdims=True) * reached - push @ false
    away = push.sum(axis=0)[:, None] * false - push.T @ reached
    rows, slopes = (
        np.concatenate([start, end, others]),
        np.concatenate([towards, pull * (reached - true), away]),
    )
    entities.climb(rows, slopes, share=share)
    relations.climb(relation, towards, share=share)


def _best_other(scores: Vectors, node: int) -> int:
    if len(scores) > 1:
        scores[node] = -np.inf
    return int(scores.argmax())


@dataclass(frozen=True)
class LinkScores:
    """Mean reciprocal rank, and shares of ranks of 1 and of 10 or better; filtered, both ends asked."""

    mrr: float
    hits_1: float
    hits_10: float


def link_scores(model: TransEModel, asked: Ints, every: Ints, most: int = 1024) -> LinkScores:
    """Filtered ranks of both ends of the facts `asked`, among all entities (Bordes et al. 2013).

    Other true ends by the facts `every` do not count. Ties count half. Shapes (q, 3), (f, 3).
    """
    count = len(model.names)
    questions, known = both_ways(asked, count), both_ways(every, count)
    keys = known[:, 0] * 2 * count + known[:, 1]
    order = np.argsort(keys, kind="stable")
    keys, ends = keys[order], known[order, 2]
    ranks: list[np.ndarray[tuple[int], np.dtype[np.float64]]] = []
    for at in range(0, len(questions), most):
        look()
        start, relation, end = questions[at : at + most].T
        scores = _nearness(model.entities[start] + model.relations[relation], model.entities)
        own = scores[np.arange(len(end)), end][:, None]
        asked_keys = start * 2 * count + relation
        low, high = np.searchsorted(keys, asked_keys), np.searchsorted(keys, asked_keys, "right")
        row = np.repeat(np.arange(len(end)), high - low)
        place = np.arange(len(row)) - np.repeat(np.cumsum(high - low) - (high - low), high - low) + low[row]
        scores[row, ends[place]] = -np.inf
        ranks.append(1 + (scores > own).sum(axis=1) + (scores == own).sum(axis=1) / 2)
    found = np.concatenate(ranks)
    return LinkScores(float((1 / found).mean()), float((found <= 1).mean()), float((found <= 10).mean()))
