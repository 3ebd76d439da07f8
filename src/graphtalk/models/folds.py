"""Ten-fold cross-validation as Xu et al. (2019) report it, and a split for one fit."""

import numpy as np

from graphtalk.core import UsageError
from graphtalk.graphs.adjacency import Ints


def stratified(classes: Ints, folds: int, seed: int) -> Ints:
    """The fold of each thing; every fold has about as many of each class. Shape as given.

    Raises UsageError for fewer than two folds, or more than there are things.
    """
    if not 2 <= folds <= len(classes):
        raise UsageError(f"There must be 2 to {len(classes)} folds, not {folds}.")
    drawn = np.random.default_rng(seed).permutation(len(classes))
    by_class = drawn[np.argsort(classes[drawn], kind="stable")]
    found = np.empty(len(classes), np.int64)
    found[by_class] = np.arange(len(classes)) % folds
    return found
