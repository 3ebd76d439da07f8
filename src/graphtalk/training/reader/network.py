"""The reader's network: all-MiniLM over question and items, layers over both, a decoder that points (torch, to learn).

`graphtalk.reasoners.reader.network` runs the same in numpy.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from graphtalk.reasoners.reader.encoding import KINDS, MARKS, PAIRS, RULES, Asked, Target
from graphtalk.reasoners.reader.grammar import FIXED
from graphtalk.reasoners.reader.network import INNER, INNER_HEADS, LAYERS
from graphtalk.search.transformer import HEADS, WIDTH

INNER_LAYERS, INNER_WIDE = 4, 768
STEPS, STEP_LAYERS = 96, 2
HIDDEN = -30_000.0
MOST_KNOWN = 100_000
LEAST_TEXTS = 16


class Block(nn.Module):  # type: ignore[misc]
    """BERT's layer: attention and a two-layer network, each with its residual and norm after."""

    def __init__(self, width: int, heads: int, wide: int, drop: float, cross: bool = False) -> None:
        super().__init__()
        self.heads, self.drop = heads, drop
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.up = nn.Linear(width, wide)
        self.down = nn.Linear(wide, width)
        self.norm2 = nn.LayerNorm(width, eps=1e-12)
        if cross:
            self.ask = nn.Linear(width, width)
            self.told = nn.Linear(width, 2 * width)
            self.cross_out = nn.Linear(width, width)
            self.cross_norm = nn.LayerNorm(width, eps=1e-12)

    def _split(self, x: Tensor) -> Tensor:
        b, n, d = x.shape
        return x.view(b, n, self.heads, d // self.heads).transpose(1, 2)

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, causal: bool = False) -> Tensor:
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=bias, is_causal=causal)
        b, h, n, d = mixed.shape
        return mixed.transpose(1, 2).reshape(b, n, h * d)

    def forward(
        self,
        x: Tensor,
        bias: Tensor | None,
        memory: Tensor | None = None,
        memory_bias: Tensor | None = None,
        causal: bool = False,
    ) -> Tensor:
        q, k, v = map(self._split, self.qkv(x).chunk(3, -1))
        x = self.norm(x + self._dropped(self.out(self._attend(q, k, v, bias, causal))))
        if memory is not None:
            k, v = map(self._split, self.told(memory).chunk(2, -1))
            x = self.cross_norm(
                x + self._dropped(self.cross_out(self._attend(self._split(self.ask(x)), k, v, memory_bias)))
            )
        return self.norm2(x + self._dropped(self.down(F.gelu(self.up(x), approximate="tanh"))))

    def _dropped(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.drop, self.training)


def _cut(lengths: Sequence[int]) -> list[int]:
    """How many texts to run together, of texts sorted by length: a part ends where padding would cost more than another run."""
    sizes = [0]
    shortest = 0
    for length in lengths:
        if sizes[-1] >= LEAST_TEXTS and length > 1.15 * shortest:
            sizes.append(0)
        if not sizes[-1]:
            shortest = length
        sizes[-1] += 1
    return sizes


class ReaderNetwork(nn.Module):  # type: ignore[misc]
    """See the module. `frozen`: how many of MiniLM's layers stay as they are (its embeddings always do)."""

    def __init__(self, drop: float = 0.0, frozen: int = 4) -> None:
        super().__init__()
        self.frozen = frozen
        self._known: dict[bytes, Tensor] = {}
        self.words = nn.Embedding(30522, WIDTH)
        self.places = nn.Embedding(512, WIDTH)
        self.word_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.encoder = nn.ModuleList(Block(WIDTH, HEADS, 4 * WIDTH, drop) for _ in range(LAYERS))
        self.shrink = nn.Linear(WIDTH, INNER)
        self.kinds = nn.Embedding(len(KINDS), INNER)
        self.marks = nn.Embedding(MARKS, INNER)
        self.similar = nn.Parameter(torch.zeros(INNER))
        self.entry_norm = nn.LayerNorm(INNER, eps=1e-12)
        self.pairs = nn.Embedding(PAIRS, INNER_LAYERS * INNER_HEADS)
        self.likeness = nn.Parameter(torch.zeros(INNER_LAYERS * INNER_HEADS))
        self.inner = nn.ModuleList(Block(INNER, INNER_HEADS, INNER_WIDE, drop) for _ in range(INNER_LAYERS))
        self.fixed = nn.Embedding(len(FIXED), INNER)
        self.pointed = nn.Linear(INNER, INNER)
        self.rules = nn.Embedding(len(RULES), INNER)
        self.about = nn.Linear(INNER, INNER)
        self.steps = nn.Embedding(STEPS, INNER)
        self.step_norm = nn.LayerNorm(INNER, eps=1e-12)
        self.decoder = nn.ModuleList(
            Block(INNER, INNER_HEADS, INNER_WIDE, drop, True) for _ in range(STEP_LAYERS)
        )
        self.fixed_out = nn.Linear(INNER, len(FIXED))
        self.point = nn.Linear(INNER, INNER)
        self.target = nn.Linear(INNER, INNER)
        for name, p in self.named_parameters():
            if name.split(".")[0] not in ("encoder",) and p.dim() > 1:
                nn.init.normal_(p, std=0.02 if p.shape[-1] == WIDTH else 0.05)
        nn.init.zeros_(self.pairs.weight)
        nn.init.zeros_(self.marks.weight)

    def text(self, ids: Tensor, mask: Tensor) -> Tensor:
        """MiniLM's token states, shape (texts, tokens, 384)."""
        with torch.no_grad():
            x = self.word_norm(self.words(ids) + self.places.weight[: ids.shape[1]])
        bias = torch.zeros(mask.shape, dtype=x.dtype, device=x.device).masked_fill(~mask, HIDDEN)[
            :, None, None, :
        ]
        bias = bias.expand(-1, -1, ids.shape[1], -1)
        for i, layer in enumerate(self.encoder):
            with torch.set_grad_enabled(i >= self.frozen and torch.is_grad_enabled()):
                x = layer(x, bias)
        return x

    def _by_length(self, ids: Tensor, mask: Tensor) -> Tensor:
        """The same as `text`, texts of about one length run together: little padding."""
        lengths = mask.sum(1)
        order = lengths.argsort()
        parts = []
        for rows in order.split(_cut(lengths[order].tolist())):
            longest = int(lengths[rows].max())
            x = self.text(ids[rows, :longest], mask[rows, :longest])
            parts.append(F.pad(x, (0, 0, 0, ids.shape[1] - longest)))
        return torch.cat(parts)[order.argsort()]

    def _pooled(self, ids: Tensor, mask: Tensor) -> Tensor:
        """The mean states of items' texts. Where MiniLM stays as it is, each text is run once and remembered."""
        if self.frozen < LAYERS:
            return self._means(ids, mask)
        keys = [row[row > 0].tobytes() for row in ids.numpy(force=True)]
        new = [i for i, key in enumerate(keys) if key not in self._known]
        if new:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
                new = list(range(len(keys)))
            found = self._means(ids[new], mask[new])
            self._known.update((keys[i], found[j]) for j, i in enumerate(new))
        return torch.stack([self._known[key] for key in keys])

    def _means(self, ids: Tensor, mask: Tensor) -> Tensor:
        states = self._by_length(ids, mask)
        weight = mask.to(states.dtype)[:, :, None]
        return (states * weight).sum(1) / weight.sum(1)

    def memory(self, batch: "Batch") -> tuple[Tensor, Tensor]:
        """States of all positions, shape (questions, positions, 256), and the bias that hides padding."""
        tokens = self._by_length(batch.tokens, batch.token_mask)
        pooled = self._pooled(batch.texts, batch.text_mask)
        values = batch.spans.to(tokens.dtype) @ tokens
        flat = torch.cat([tokens.reshape(-1, WIDTH), values.reshape(-1, WIDTH), pooled])
        x = flat[batch.gather]
        unit = F.normalize(x, dim=-1)
        likeness = unit @ unit.transpose(1, 2)
        # How like the likest word each item is, against what is usual for the question's items.
        words = batch.mask & (batch.marks == 0)
        items = batch.marks > 0
        nearest = likeness.masked_fill(~words[:, None, :], 0).amax(-1) * items
        usual = nearest.sum(-1, keepdim=True) / items.sum(-1, keepdim=True)
        nearest = 10 * (nearest - usual) * items
        x = (
            self.shrink(x)
            + self.kinds(batch.kinds)
            + self.marks(batch.marks)
            + nearest[..., None] * self.similar
        )
        x = self.entry_norm(x)
        n = x.shape[1]
        bias = self.pairs(batch.pairs.int()) + likeness[..., None] * self.likeness
        bias = bias.permute(0, 3, 1, 2).reshape(len(x), INNER_LAYERS, INNER_HEADS, n, n)
        hidden = torch.zeros((len(x), 1, 1, n), dtype=x.dtype, device=x.device).masked_fill(
            ~batch.mask[:, None, None, :], HIDDEN
        )
        for i, layer in enumerate(self.inner):
            x = layer(x, bias[:, i] + hidden)
        return x, hidden

    def forward(self, batch: "Batch") -> Tensor:
        """Scores of all outputs at every step, shape (questions, steps, outputs)."""
        memory, hidden = self.memory(batch)
        rows = torch.arange(len(memory), device=memory.device)[:, None]
        last = batch.last - len(FIXED)
        x = torch.where(
            (last < 0)[..., None],
            self.fixed(batch.last.clamp(max=len(FIXED) - 1)),
            self.pointed(memory[rows, last.clamp(min=0)]),
        )
        about = self.about(memory[rows, batch.where.clamp(min=0)]) * (batch.where >= 0)[..., None]
        x = self.step_norm(x + self.rules(batch.rule) + about + self.steps.weight[: x.shape[1]])
        for layer in self.decoder:
            x = layer(x, None, memory, hidden.expand(-1, -1, x.shape[1], -1), True)
        pointed = self.point(x) @ self.target(memory).transpose(1, 2) / math.sqrt(INNER)
        return torch.cat([self.fixed_out(x), pointed], -1).float()


@dataclass
class Batch:
    """Questions over several schemas, padded. See ReaderNetwork.memory for the shapes."""

    tokens: Tensor
    token_mask: Tensor
    texts: Tensor
    text_mask: Tensor
    spans: Tensor
    gather: Tensor
    kinds: Tensor
    pairs: Tensor
    mask: Tensor
    marks: Tensor
    last: Tensor
    rule: Tensor
    where: Tensor
    right: Tensor
    allowed: Tensor

    def to(self, device: torch.device) -> "Batch":
        """The same on a device."""
        return Batch(**{k: v.to(device, non_blocking=True) for k, v in self.__dict__.items()})


def _padded(rows: Sequence[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
    mask = np.zeros(ids.shape, np.bool_)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = row
        mask[i, : len(row)] = True
    return ids, mask


def batched(asked: Sequence[Asked], targets: Sequence[Target]) -> Batch:
    """One batch. Items of the same schema are encoded once."""
    tokens, token_mask = _padded([a.tokens for a in asked])
    most_values = max(1, max(len(a.spans) for a in asked))
    spans = np.zeros((len(asked), most_values, tokens.shape[1]), np.float32)
    firsts: dict[int, int] = {}
    texts: list[Sequence[int]] = []
    n = max(a.positions for a in asked)
    gather = np.zeros((len(asked), n), np.int64)
    kinds = np.zeros((len(asked), n), np.int64)
    pairs = np.zeros((len(asked), n, n), np.int8)
    mask = np.zeros((len(asked), n), np.bool_)
    marks = np.zeros((len(asked), n), np.int64)
    values_at, texts_at = tokens.size, tokens.size + len(asked) * most_values
    for i, a in enumerate(asked):
        if id(a.items) not in firsts:
            firsts[id(a.items)] = len(texts)
            texts.extend(a.items.tokens)
        for j, (start, end) in enumerate(a.spans):
            spans[i, j, start:end] = 1 / (end - start)
        t, v, p = len(a.tokens), len(a.spans), a.positions
        gather[i, :t] = i * tokens.shape[1] + np.arange(t)
        gather[i, t : t + v] = values_at + i * most_values + np.arange(v)
        gather[i, t + v : p] = texts_at + firsts[id(a.items)] + a.items.text
        kinds[i, t : t + v] = a.value_kinds
        kinds[i, t + v : p] = a.items.kinds
        pairs[i, :p, :p] = a.pairs
        mask[i, :p] = True
        marks[i, :p] = a.marks
    ids, text_mask = _padded(texts)
    steps = max(len(t.right) for t in targets)
    last = np.zeros((len(targets), steps), np.int64)
    rule, where = np.zeros_like(last), np.full_like(last, -1)
    right = np.full_like(last, -100)
    allowed = np.zeros((len(targets), steps, len(FIXED) + n), np.bool_)
    for i, target in enumerate(targets):
        s = len(target.right)
        last[i, :s], rule[i, :s], where[i, :s], right[i, :s] = (
            target.last,
            target.rule,
            target.where,
            target.right,
        )
        allowed[i, :s, : target.allowed.shape[1]] = target.allowed
    arrays = (
        tokens,
        token_mask,
        ids,
        text_mask,
        spans,
        gather,
        kinds,
        pairs,
        mask,
        marks,
        last,
        rule,
        where,
        right,
        allowed,
    )
    return Batch(*map(torch.from_numpy, arrays))


def losses(scores: Tensor, batch: Batch, smoothing: float = 0.0) -> Tensor:
    """Negative log-likelihood of each question's actions among those that the grammar allows."""
    log = scores.masked_fill(~batch.allowed, HIDDEN).log_softmax(-1)
    right = batch.right.clamp(min=0)
    steps = -log.gather(-1, right[..., None])[..., 0] * (batch.right >= 0)
    return steps.sum(-1)
