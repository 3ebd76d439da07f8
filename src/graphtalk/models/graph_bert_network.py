"""Graph-Bert's network (Zhang et al. 2020, sections 3.2 to 3.4): a transformer over each node's context, no links.

What a node is: its raw vector, and codes of its role, of its place in the context and of its distance. Each layer adds
the graph residual to what it gives. What differs from the paper: attention begins with the logarithm of the intimacy;
layers are not normalised; a gate that is learnt and begins closed scales what a layer gives (ReZero), so that with few
examples the residual leads; and the node's own last state is read, not the mean of its context's. With `paper` all four are
as in the paper.
"""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from graphtalk.models.graph_bert_context import Context

RESIDUALS = ("graph-raw", "raw", "none")
_ROLES = 100  # rarer roles share the last code, as in the paper's program


@dataclass(frozen=True, eq=False)
class Known:
    """What is computed once, as tensors. `size` nodes of each context are read by attention, all by the residual.

    Shapes: features (n, f) sparse, nodes, intimacy, hops (n, reach + 1), roles (n,).
    """

    features: Tensor
    nodes: Tensor
    intimacy: Tensor
    hops: Tensor
    roles: Tensor
    size: int

    @classmethod
    def of(cls, features: Tensor, context: Context, size: int, device: torch.device) -> "Known":
        """The tensors of contexts, on a device."""
        parts = (context.nodes, context.intimacy, context.hops, context.roles)
        nodes, intimacy, hops, roles = (torch.from_numpy(part).to(device) for part in parts)
        return cls(features.to(device), nodes, intimacy, hops, roles, size + 1)


class GraphBert(nn.Module):  # type: ignore[misc]
    """Scores of the classes of some nodes, shape (rows, classes)."""

    def __init__(
        self,
        features: int,
        classes: int,
        hidden: int,
        layers: int,
        heads: int,
        residual: str,
        dropout: float,
        paper: bool = False,
    ) -> None:
        super().__init__()
        self.paper = paper
        self.residual = residual
        self.hidden = hidden
        self.embed = nn.Linear(features, hidden, bias=False)
        self.raw = nn.Linear(features, hidden)
        # how loud the codes of role, place and distance are
        self.gains = nn.Parameter(torch.ones(3) if paper else torch.zeros(3), requires_grad=not paper)
        is_open = paper or residual == "none"
        self.gates = nn.Parameter(torch.full((layers,), float(is_open)), requires_grad=not paper)
        self.layers = nn.ModuleList(Layer(hidden, heads, dropout, paper) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)
        self.classify = nn.Linear(hidden, classes)
        self.register_buffer("codes", sinusoids(_ROLES, hidden), persistent=False)

    def forward(self, known: Known, rows: Tensor, drop: float = 0.0) -> Tensor:
        """`drop` is the share of nodes whose vectors are left out, and of words in the others; 0 to predict."""
        vectors = self._project(known.features, drop)
        context = known.nodes[rows]
        near = context[:, : known.size]
        state = vectors[near][..., : self.hidden] + self._codes(known, rows, near)
        intimacy = known.intimacy[rows, : known.size]
        bias = torch.zeros_like(intimacy) if self.paper else intimacy.clamp(min=1e-9).log()
        residual = self._residual(vectors[..., self.hidden :], context, known.intimacy[rows])
        for place, layer in enumerate(self.layers):
            read = 1 if place == len(self.layers) - 1 and not self.paper else known.size
            state = self.gates[place] * layer(self.dropout(state), bias, read) + residual
        told = state.mean(dim=1) if self.paper else state[:, 0]
        scores: Tensor = self.classify(self.dropout(F.relu(told)))
        return scores

    def _project(self, features: Tensor, drop: float) -> Tensor:
        """The raw vectors of all nodes, for the transformer and for the residual. Shape (n, 2 hidden)."""
        values = F.dropout(features.values(), drop, drop > 0)
        thinned = torch.sparse_coo_tensor(
            features.indices(), values, features.shape, is_coalesced=True, check_invariants=False
        )
        vectors = torch.sparse.mm(thinned, torch.cat([self.embed.weight, self.raw.weight]).T)
        if not drop:
            return vectors
        kept = torch.rand(len(vectors), 1, device=vectors.device) >= drop
        return vectors * kept / (1 - drop)

    def _codes(self, known: Known, rows: Tensor, near: Tensor) -> Tensor:
        role = self.codes[known.roles[near].clamp(max=_ROLES - 1)]
        hop = self.codes[known.hops[rows, : known.size].clamp(max=_ROLES - 1)]
        place = self.codes[torch.arange(known.size, device=near.device).clamp(max=_ROLES - 1)]
        codes: Tensor = self.gains[0] * role + self.gains[1] * place + self.gains[2] * hop
        return codes

    def _residual(self, vectors: Tensor, context: Tensor, intimacy: Tensor) -> Tensor:
        """What is added after each layer: the node's own vector, or the context's, weighted by intimacy."""
        if self.residual == "none":
            return vectors.new_zeros(1, 1, self.hidden)
        if self.residual == "raw":
            return vectors[context[:, :1]] + self.raw.bias
        return torch.einsum("bt,btd->bd", intimacy, vectors[context])[:, None] + self.raw.bias


class Layer(nn.Module):  # type: ignore[misc]
    """Attention among the context, and a feed-forward part that is added to what attention gives.

    BERT's layer without its normalisations: they would make as much of what a node says as of what its context says. With
    `normalised` it is BERT's.
    """

    def __init__(self, hidden: int, heads: int, dropout: float, normalised: bool = False) -> None:
        super().__init__()
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(2 if normalised else 0))
        self.heads = heads
        self.mix = nn.Linear(hidden, 3 * hidden)
        self.out = nn.Linear(hidden, hidden)
        self.feed = nn.Sequential(nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, hidden))
        self.dropout = nn.Dropout(dropout)

    def forward(self, state: Tensor, bias: Tensor, asking: int) -> Tensor:
        """What the first `asking` nodes of each context see. Shapes (b, t, d) → (b, asking, d).

        bias (b, t) is how much attention each node of the context gets from the start.
        """
        rows, length, width = state.shape
        parts = self.mix(state).view(rows, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        heat = (
            query[:, :, :asking] @ key.transpose(-1, -2) / (width // self.heads) ** 0.5
            + bias[:, None, None, :]
        )
        seen = (heat.softmax(dim=-1) @ value).transpose(1, 2).reshape(rows, asking, width)
        told = self.dropout(self.out(seen))
        if self.norms:
            told = self.norms[0](state[:, :asking] + told)
        changed: Tensor = told + self.dropout(self.feed(told))
        return self.norms[1](changed) if self.norms else changed


def sinusoids(count: int, width: int) -> Tensor:
    """The codes of the numbers below `count` (Vaswani et al. 2017). Shape (count, width)."""
    waves = torch.arange(count)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([waves.sin(), waves.cos()], dim=-1).reshape(count, -1)[:, :width]
