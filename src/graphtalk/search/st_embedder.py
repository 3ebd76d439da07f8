"""Embedders of the sentence-transformers library, such as the paper's all-roberta-large-v1: an extra."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import UsageError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

PREFIX = "sentence-transformers:"


class StEmbedder:
    """A model of sentence-transformers by its name or folder. Raises UsageError where it cannot be loaded."""

    def __init__(self, model: str) -> None:
        self.name = f"{PREFIX}{model}"
        self._model = _load(model)
        self.dimension = int(self._model.get_sentence_embedding_dimension() or 0)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """L2-normalised vectors of the texts, shape (len(texts), dimension)."""
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        found = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(found, np.float32)


def _load(model: str) -> "SentenceTransformer":
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise UsageError(
            f"The embedder {PREFIX}{model} needs sentence-transformers: pip install 'graphtalk[dense]'"
        ) from error
    try:
        return SentenceTransformer(model)
    except (OSError, ValueError) as error:
        raise UsageError(f"The embedder {PREFIX}{model} cannot be loaded: {error}") from error
