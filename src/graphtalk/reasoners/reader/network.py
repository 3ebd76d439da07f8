"""The reader's network, run in numpy: the same as `training/reader/network.py` learns in torch.

Texts go through MiniLM's first layers, as they were learnt on. The items of a schema are encoded once; a question costs its own tokens,
the layers over both, and a few small products for each step.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphtalk.reasoners.reader.encoding import Asked, Items
from graphtalk.reasoners.reader.grammar import FIXED
from graphtalk.search.threads import one_thread
from graphtalk.search.transformer import Floats, attend, batches, block, gelu, linear, norm, split, states

LAYERS = 4  # of MiniLM's, that texts go through
INNER, INNER_HEADS = 256, 8


@dataclass(frozen=True)
class Memory:
    """What the decoder looks at: states of all positions, shape (positions, 256), and what they are pointed to by."""

    states: Floats
    pointed: Floats
    about: Floats
    targets: Floats
    keys: tuple[Floats, ...]
    values: tuple[Floats, ...]


@dataclass(frozen=True)
class Cache:
    """What the decoder keeps of the steps so far: keys and values, shape (beams, heads, steps, d) a layer."""

    keys: tuple[Floats, ...]
    values: tuple[Floats, ...]


class Network:
    """The network over its weights. It runs in one thread of its caller: its products are small."""

    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._w = weights
        self._inner, self._steps, self._ranking = (
            1 + max((int(n.split(".")[1]) for n in weights if n.startswith(f"{part}.")), default=-1)
            for part in ("inner", "decoder", "ranker")
        )

    def texts(self, rows: Sequence[Sequence[int]]) -> list[Floats]:
        """Token states of texts, each of shape (tokens, 384). Texts of one length are run together."""
        found: list[Floats] = [np.empty(0, np.float32)] * len(rows)
        for places in batches(rows):
            run = states(np.array([rows[i] for i in places]), self._w, "encoder", LAYERS)
            for i, x in zip(places, run, strict=True):
                found[i] = x
        return found

    @property
    def ranks(self) -> bool:
        """Whether the weights are there that say how well a reading fits as it is told."""
        return self._ranking > 0

    @one_thread()
    def rank(self, pair: Sequence[int]) -> float:
        """How well a reading told in words fits a question: the score of both as one row of tokens, the higher the better."""
        (x,) = states(np.array([pair]), self._w, "ranker", self._ranking)
        return float(linear(np.tanh(linear(x[:1], self._w, "ranked.wide")), self._w, "ranked.score")[0, 0])

    @one_thread()
    def items(self, items: Items) -> Floats:
        """The pooled states of a schema's items, shape (items, 384): the same for all questions."""
        pooled = np.stack([x.mean(0) for x in self.texts(items.tokens)])
        return pooled[items.text]

    @one_thread()
    def memory(self, asked: Asked, items: Floats) -> Memory:
        """Reads a question with the items' pooled states."""
        w = self._w
        (tokens,) = self.texts([asked.tokens])
        values = [tokens[a:b].mean(0, keepdims=True) for a, b in asked.spans]
        x = np.concatenate([tokens, *values, items])
        unit = x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)
        likeness = unit @ unit.T
        n, v = len(asked.tokens), len(asked.spans)
        kinds = np.zeros(len(x), np.int64)
        kinds[n : n + v] = asked.value_kinds
        kinds[n + v :] = asked.items.kinds
        words, own = asked.marks == 0, asked.marks > 0
        nearest = np.where(own, likeness[:, words].max(1), 0)
        nearest = 10 * (nearest - nearest.sum() / own.sum()) * own
        x = linear(x, w, "shrink") + w["kinds.weight"][kinds] + w["marks.weight"][asked.marks]
        x = norm(x + nearest[:, None] * w["similar"], w, "entry_norm")
        table = w["pairs.weight"].reshape(-1, self._inner, INNER_HEADS)
        scale = w["likeness"].reshape(self._inner, INNER_HEADS)
        for i in range(self._inner):
            bias = np.moveaxis(table[:, i][asked.pairs], -1, 0) + likeness * scale[i][:, None, None]
            x = block(x, w, f"inner.{i}", INNER_HEADS, bias)
        told = [np.split(linear(x, w, f"decoder.{i}.told"), 2, -1) for i in range(self._steps)]
        return Memory(
            x,
            linear(x, w, "pointed"),
            linear(x, w, "about"),
            linear(x, w, "target"),
            tuple(split(k, INNER_HEADS) for k, _ in told),
            tuple(split(v, INNER_HEADS) for _, v in told),
        )

    def begin(self, beams: int = 1) -> Cache:
        """The cache of no steps."""
        empty = np.empty((beams, INNER_HEADS, 0, INNER // INNER_HEADS), np.float32)
        return Cache((empty,) * self._steps, (empty,) * self._steps)

    @one_thread()
    def step(
        self,
        memory: Memory,
        cache: Cache,
        at: int,
        last: NDArray[np.int64],
        rule: NDArray[np.int64],
        where: NDArray[np.int64],
    ) -> tuple[Floats, Cache]:
        """Scores of all outputs after one more action of each beam, shape (beams, outputs), and the cache then."""
        x = self._entered(memory, np.full(len(last), at), last, rule, where)
        scores, cache = self._decoded(memory, cache, x[:, None, :], None)
        return scores[:, 0], cache

    @one_thread()
    def forced(
        self, memory: Memory, last: NDArray[np.int64], rule: NDArray[np.int64], where: NDArray[np.int64]
    ) -> Floats:
        """Scores of all outputs at each step of actions that are known, shape (steps, outputs)."""
        steps = np.arange(len(last))
        unseen = np.where(steps[None, :] > steps[:, None], np.float32(-1e9), np.float32(0))
        x = self._entered(memory, steps, last, rule, where)
        scores, _ = self._decoded(memory, self.begin(), x[None], unseen)
        return np.asarray(scores[0])

    def _entered(
        self,
        memory: Memory,
        at: NDArray[np.int64],
        last: NDArray[np.int64],
        rule: NDArray[np.int64],
        where: NDArray[np.int64],
    ) -> Floats:
        """What the decoder is given for each action, shape (actions, 256)."""
        w = self._w
        pointed = last >= len(FIXED)
        x: Floats = np.where(
            pointed[:, None],
            memory.pointed[np.where(pointed, last - len(FIXED), 0)],
            w["fixed.weight"][np.where(pointed, 0, last)],
        )
        x = x + w["rules.weight"][rule] + np.where(where[:, None] >= 0, memory.about[np.maximum(where, 0)], 0)
        return np.asarray(norm(x + w["steps.weight"][at], w, "step_norm"))

    def _decoded(self, memory: Memory, cache: Cache, x: Floats, bias: Floats | None) -> tuple[Floats, Cache]:
        """Scores of all outputs, shape (beams, steps, outputs), of steps that follow those of the cache."""
        w = self._w
        keys, values = [], []
        for i in range(self._steps):
            name = f"decoder.{i}"
            q, k, v = (split(part, INNER_HEADS) for part in np.split(linear(x, w, f"{name}.qkv"), 3, -1))
            keys.append(np.concatenate([cache.keys[i], k], 2))
            values.append(np.concatenate([cache.values[i], v], 2))
            x = norm(x + linear(attend(q, keys[i], values[i], bias), w, f"{name}.out"), w, f"{name}.norm")
            q = split(linear(x, w, f"{name}.ask"), INNER_HEADS)
            x = norm(
                x + linear(attend(q, memory.keys[i], memory.values[i], None), w, f"{name}.cross_out"),
                w,
                f"{name}.cross_norm",
            )
            x = norm(x + linear(gelu(linear(x, w, f"{name}.up")), w, f"{name}.down"), w, f"{name}.norm2")
        scores = np.concatenate(
            [linear(x, w, "fixed_out"), linear(x, w, "point") @ memory.targets.T / math.sqrt(INNER)], -1
        )
        return scores, Cache(tuple(keys), tuple(values))


def kept(cache: Cache, beams: NDArray[np.int64]) -> Cache:
    """The cache of some of the beams."""
    return Cache(tuple(k[beams] for k in cache.keys), tuple(v[beams] for v in cache.values))
