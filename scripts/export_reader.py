"""Writes what `scripts/train_reader.py` learnt as the weights that the package runs: int8 by rows, float16.

.venv/bin/python scripts/export_reader.py RUN.pt [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np
import torch

from graphtalk.reasoners.reader.network import quantised

WEIGHTS = Path(__file__).parent.parent / "src/graphtalk/reasoners/reader/weights"


def main() -> None:
    """See the module."""
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else WEIGHTS
    folder.mkdir(parents=True, exist_ok=True)
    state = torch.load(sys.argv[1], map_location="cpu", weights_only=True)
    weights = {name: w.float().numpy() for name, w in state["weights"].items()}
    stored = quantised(weights)
    words = {name: w for name, w in stored.items() if name.startswith("words.")}
    np.savez(folder / "words.npz", **words)  # type: ignore[arg-type]
    layers = {name: w for name, w in stored.items() if name not in words}
    np.savez(folder / "layers.npz", **layers)  # type: ignore[arg-type]
    size = sum(p.stat().st_size for p in folder.glob("*.npz"))
    print(f"{folder}: step {state['step']}, {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
