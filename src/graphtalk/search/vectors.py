"""Vectors of texts kept on disk, so that a text that was embedded at import is never embedded again."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from graphtalk.search.arrays import Texts, damaged, load_array
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
        keys, vectors = Texts.load(folder, name), load_array(folder / f"{name}.vectors.npy")
        if vectors.ndim != 2 or len(vectors) != len(keys):
            raise damaged(folder, f"{name}.vectors.npy does not fit {name}.text.npy")
        return cls([keys[i] for i in range(len(keys))], vectors)
