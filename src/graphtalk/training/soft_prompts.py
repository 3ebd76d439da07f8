"""Soft prompts: vectors that a language model reads like tokens. One module each; both give (graphs, tokens, width)."""

import torch
from torch import Tensor

from graphtalk.models.encoders import GraphBatch, GraphEncoder

HIDDEN = 2048  # of the projection


class VirtualTokens(torch.nn.Module):  # type: ignore[misc]
    """Trained vectors, the same for every graph (Lester et al., 2021); they begin as words of the vocabulary."""

    def __init__(self, words: Tensor, count: int) -> None:
        """`words` are the model's input embeddings, shape (vocabulary, width)."""
        super().__init__()
        drawn = torch.randint(len(words), (count,))
        self.tokens = torch.nn.Parameter(words.detach()[drawn.to(words.device)].float().clone())

    def forward(self, graphs: GraphBatch) -> Tensor:
        """The tokens once for each graph."""
        return self.tokens.expand(graphs.count, -1, -1)


class GraphToken(torch.nn.Module):  # type: ignore[misc]
    """A graph's vector as one token: encoder, then projection (linear, sigmoid, linear), or the encoder alone."""

    def __init__(self, encoder: GraphEncoder, width: int, projected: bool) -> None:
        """`width` is the language model's. Without projection the encoder must be that wide."""
        super().__init__()
        self.encoder = encoder
        self.projection = torch.nn.Identity()
        if projected:
            self.projection = torch.nn.Sequential(
                torch.nn.Linear(encoder.width, HIDDEN), torch.nn.Sigmoid(), torch.nn.Linear(HIDDEN, width)
            )

    def forward(self, graphs: GraphBatch) -> Tensor:
        """One token for each graph."""
        token: Tensor = self.projection(self.encoder(graphs))
        return token.unsqueeze(1)
