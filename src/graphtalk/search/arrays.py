"""What the indexes keep on disk: arrays and lists of texts that are memory-mapped, never parsed."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import StoreError
from graphtalk.graphs.adjacency import Ints


class Texts:
    """A list of texts as one array of UTF-8 bytes and where each begins. Shapes: (bytes,), (texts + 1,)."""

    def __init__(self, data: NDArray[np.uint8], starts: Ints) -> None:
        self.data = data
        self.starts = starts

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Texts":
        """Join texts."""
        encoded = [text.encode("utf-8", "replace") for text in texts]
        starts = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(part) for part in encoded], out=starts[1:])
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def bytes(self, position: int) -> bytes:
        """The UTF-8 bytes of one text."""
        return self.data[int(self.starts[position]) : int(self.starts[position + 1])].tobytes()

    def __getitem__(self, position: int) -> str:
        return self.bytes(position).decode("utf-8", "replace")

    def save(self, folder: Path, name: str) -> None:
        """Write as `name.text.npy` and `name.starts.npy`."""
        np.save(folder / f"{name}.text.npy", self.data)
        np.save(folder / f"{name}.starts.npy", self.starts)

    @classmethod
    def load(cls, folder: Path, name: str) -> "Texts":
        """Map what `save` wrote. Raises StoreError where it is missing or damaged."""
        texts = cls(load_array(folder / f"{name}.text.npy"), load_array(folder / f"{name}.starts.npy"))
        if not len(texts.starts) or int(texts.starts[-1]) != len(texts.data):
            raise damaged(folder, f"{name}.text.npy does not fit {name}.starts.npy")
        return texts


def load_array(path: Path) -> NDArray[Any]:
    """Map an array. Raises StoreError where the file is missing or damaged."""
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False).view(np.ndarray)  # type: ignore[no-any-return]
    except FileNotFoundError:
        raise damaged(path.parent, f"{path.name} is missing") from None
    except (OSError, ValueError, EOFError) as error:
        raise damaged(path.parent, f"{path.name}: {error}") from error


def damaged(folder: Path, what: str) -> StoreError:
    """The error for a search index that cannot be read."""
    return StoreError(f"{folder}: the search index is damaged ({what}). Import the graph again.")
