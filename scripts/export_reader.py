"""Writes what `scripts/train_reader.py` learnt as the weights that the package runs: int8 by rows, float16.

.venv/bin/python scripts/export_reader.py RUN.pt [FOLDER]
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from graphtalk.search.transformer import quantised

PACKAGE = Path(__file__).parent.parent / "src/graphtalk"
WEIGHTS = PACKAGE / "reasoners/reader/weights"
MINILM = PACKAGE / "search/models/minilm.npz"  # what of it was not learnt on is there already


def main() -> None:
    """See the module."""
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else WEIGHTS
    folder.mkdir(parents=True, exist_ok=True)
    state = torch.load(sys.argv[1], map_location="cpu", weights_only=True)
    stored = quantised({name: w.float().numpy() for name, w in state["weights"].items()})
    with np.load(MINILM) as there:
        changed = {_weight(n) for n, w in stored.items() if n not in there or not _alike(there[n], w)}
    layers = {n: w for n, w in stored.items() if _weight(n) in changed}
    np.savez(folder / "layers.npz", **layers)  # type: ignore[arg-type]
    size = sum(p.stat().st_size for p in folder.glob("*.npz"))
    print(f"{folder}: step {state['step']}, {size / 1e6:.1f} MB")


def _weight(name: str) -> str:
    """What a stored array is a part of: a row of int8 is nothing without its scales."""
    return name.partition("|")[0]


def _alike(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether weights differ by no more than rounding: those there were in bfloat16 once."""
    if one.dtype == np.int8:
        return bool(np.abs(one.astype(int) - other).max() <= 1)
    return np.allclose(one.astype(float), other.astype(float), rtol=0.01, atol=1e-3)


if __name__ == "__main__":
    main()
