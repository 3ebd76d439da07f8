"""Where a small language model's training begins: with attention that can look words up.

A transformer that looks words up must have two layers of attention that work together (an induction head: Olsson et al.,
2022): the first tells every token which token was before it, the second finds the place after an earlier occurrence of
this token. Alone either is of no use, so that from random weights it takes long to find both. Here the first layer
begins with heads that look a fixed way back, which a bias of query and key gives under rotary positions, and the
second with a query and a key that compare alike (Trockman and Kolter, 2023). All of it is trained on, like the rest.
"""

from collections.abc import Sequence
from typing import Any

import torch

FREQUENCIES = 3  # the fastest rotations: enough to tell places apart
SHARPNESS = 8.0  # of the heads that look a fixed way back
LIKENESS = 1.5  # of query and key


def begin_with_induction(model: Any, back: Sequence[int] = (1, 3)) -> None:
    """Set a Llama's first three layers of attention. Head `h` of the first looks `back[h]` tokens back, the first one.

    The third begins with heads that look 1, 2, … tokens back, for what was found there.

    Its embeddings must have unit variance, and its attention biases.
    """
    first, second, third = (layer.self_attn for layer in model.model.layers[:3])
    rates = model.model.rotary_emb.inv_freq
    half, wide = model.config.hidden_size // 2, first.head_dim
    with torch.no_grad():
        model.model.embed_tokens.weight[:, half:] *= 0.1  # room for the token before
        for head, distance in enumerate(back):
            _look_back(first, head * wide, distance, rates)
            _look_back(third, head * wide, head + 1, rates)
        same = torch.eye(wide, half)
        for weight in (first.v_proj.weight, second.q_proj.weight, second.k_proj.weight):
            weight[:wide] = 0
        first.v_proj.weight[:wide, :half] = same
        first.o_proj.weight[:, :wide] = 0
        first.o_proj.weight[half:, :wide] = same.T
        second.q_proj.weight[:wide, :half] = LIKENESS * same
        second.k_proj.weight[:wide, half:] = LIKENESS * same


def _look_back(attention: Any, start: int, distance: int, rates: torch.Tensor) -> None:
    """Biases under which a head (its rows begin at `start`) attends to the token so far back."""
    rates, other = rates[:FREQUENCIES], start + attention.head_dim // 2
    attention.k_proj.bias[start : start + FREQUENCIES] = SHARPNESS
    attention.q_proj.bias[start : start + FREQUENCIES] = SHARPNESS * torch.cos(distance * rates)
    attention.q_proj.bias[other : other + FREQUENCIES] = -SHARPNESS * torch.sin(distance * rates)
