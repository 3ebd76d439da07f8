"""Learning that begins from what was learnt on another graph, as far as the two have the same form."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from graphtalk.models.saved import Arrays

if TYPE_CHECKING:
    from torch import nn

    from graphtalk.models.wl import Colours

HEAD = "classify."


def begin_from(
    network: "nn.Module",
    learnt: Arrays,
    same_classes: bool,
    rows: Mapping[str, tuple["Colours", "Colours"]] | None = None,
) -> None:
    """Set the weights of a network to those of the same name and shape; those of other classes stay as they are.

    `rows` names tables of codes with the words that they have, sorted, here and there: the row after a word's place is its
    code, row 0 that of unseen words. Rows of words that both have are taken, whatever their places.
    """
    import torch

    own = network.state_dict()
    for name, value in own.items():
        there = learnt.get(name)
        if there is None or (name.startswith(HEAD) and not same_classes):
            continue
        new = torch.from_numpy(np.array(there)).to(value)
        if rows is not None and name in rows:
            here_words, there_words = rows[name]
            _, here, theirs = np.intersect1d(here_words, there_words, return_indices=True)
            value[torch.from_numpy(here + 1)] = new[torch.from_numpy(theirs + 1)]
        elif new.shape == value.shape:
            own[name] = new
    network.load_state_dict(own)
