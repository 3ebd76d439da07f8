"""Vectors of texts kept on disk, so that a text that was embedded at import is never embedded again."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphtalk.search.arrays import Texts, load_array
from graphtalk.search.embedder import Vectors


@dataclass(frozen=True)
class VectorStore:
    """Texts and their vectors, row by row. Shapes: len(keys), (len(keys), d)."""

    keys: Sequence[str]
    vectors: Vectors

    def save(self, folder: Path, name: str) -> None:
        """Write into a folder under a name."""
        Texts.of(self.keys).save(folder, name)
        np.save(folder / f"{name}.vectors.npy", np.asarray(self.vectors, dtype=np.float32))

    @classmethod
    def load(cls, folder: Path, name: str) -> "VectorStore | None":
        """What was saved in a folder under a name, memory-mapped; None where nothing was.

        Raises StoreError where it is damaged.
        """
        if not (folder / f"{name}.vectors.npy").exists():
            return None
        keys = Texts.load(folder, name)
        vectors = load_array(folder / f"{name}.vectors.npy", "f", len(keys), -1)
        return cls([keys[i] for i in range(len(keys))], vectors)
