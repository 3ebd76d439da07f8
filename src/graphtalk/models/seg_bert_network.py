"""SEG-Bert's network (Zhang 2020, sections 3.2 to 3.4): a transformer over segments, whose states are fused twice."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True, eq=False)
class Batch:
    """Segments of some graphs. Shapes: codes (kinds, s, k), hops (s, k, k), there (s, k) bool, graph_of (s,).

    `there` is false where a segment was filled up; `count` is the number of graphs.
    """

    codes: Tensor
    hops: Tensor
    there: Tensor
    graph_of: Tensor
    count: int


class SegBert(nn.Module):  # type: ignore[misc]
    """Scores of the classes of graphs, shape (graphs, classes), from their segments."""

    def __init__(
        self, words: list[int], classes: int, far: int, hidden: int, layers: int, heads: int, dropout: float
    ) -> None:
        super().__init__()
        self.embed = nn.ModuleList(nn.Embedding(count + 1, hidden, padding_idx=0) for count in words)
        self.norm = nn.LayerNorm(hidden)
        self.layers = nn.ModuleList(Layer(hidden, heads, far, dropout) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.classify = nn.Linear(2 * hidden, classes)

    def forward(self, batch: Batch) -> Tensor:
        """First a segment's nodes are fused, then a graph's segments; the raw codes go along as the residual."""
        raw = torch.stack([table(codes) for table, codes in zip(self.embed, batch.codes, strict=True)]).mean(
            0
        )
        state = self.dropout(self.norm(raw))
        for layer in self.layers:
            state = layer(state, batch.hops, batch.there)
        both = torch.cat([state, raw], dim=-1) * batch.there[..., None]
        fused = both.new_zeros(batch.count, both.shape[-1]).index_add(0, batch.graph_of, both.sum(1))
        sizes = both.new_zeros(batch.count).index_add(0, batch.graph_of, batch.there.sum(1).to(both.dtype))
        scores: Tensor = self.classify(self.dropout(fused / sizes.clamp(min=1)[:, None]))
        return scores


class Layer(nn.Module):  # type: ignore[misc]
    """Attention among a segment's nodes and a feed-forward part, each added to what comes in.

    How far apart two nodes are raises or lowers their attention, by a number a head that is learnt.
    """

    def __init__(self, hidden: int, heads: int, far: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.apart = nn.Embedding(far + 2, heads)
        self.mix = nn.Linear(hidden, 3 * hidden)
        self.out = nn.Linear(hidden, hidden)
        self.before, self.between = nn.LayerNorm(hidden), nn.LayerNorm(hidden)
        self.feed = nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, hidden))
        self.dropout = nn.Dropout(dropout)

    def forward(self, state: Tensor, hops: Tensor, there: Tensor) -> Tensor:
        """Shapes: state (s, k, d), hops (s, k, k), there (s, k)."""
        segments, length, width = state.shape
        parts = self.mix(self.before(state)).view(segments, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        bias = self.apart(hops).permute(0, 3, 1, 2).masked_fill(~there[:, None, None, :], -1e9)
        seen = F.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        state = state + self.dropout(self.out(seen.transpose(1, 2).reshape(segments, length, width)))
        changed: Tensor = state + self.dropout(self.feed(self.between(state)))
        return changed
