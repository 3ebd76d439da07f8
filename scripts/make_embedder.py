"""Make the two sentence embedders that ship with the package from all-MiniLM-L6-v2 (Apache-2.0).

    scripts/make_embedder        # fetches the model and runs this file

Writes into the models folder:

- `../../language/vocabulary.txt`: the pieces of the WordPiece tokenizer, in the order of their ids;
- `minilm.npz`: the network, int8 by rows and float16;
- `static.vectors.npy`, `static.scales.npy`: one int8 vector and its scale per token: the network's mean-pooled output for that token alone, reduced to
  256 dimensions by principal components and weighted by Zipf's law on the token's rank (model2vec's
  recipe: Tulkens and van Dongen, 2024; weighting after Arora et al., "A simple but tough-to-beat
  baseline for sentence embeddings", 2017).

Prints how close the quantised network is to the original.
"""

import shutil
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn
from transformers import AutoModel

from graphtalk.language.wordpiece import wordpiece
from graphtalk.search import load_embedder
from graphtalk.search.transformer import quantised
from graphtalk.training.reader.learning import minilm_weights

DIMENSIONS = 256
SIF_SMOOTHING = 1e-3
SPECIAL_TOKENS = 999  # BERT's vocabulary starts with [PAD], [unused…], [UNK], [CLS], [SEP], [MASK]

SENTENCES = [
    "Which drugs treat the same disease as zinc?",
    "Which genes are upregulated by aspirin?",
    "the compounds that downregulate a gene",
    "How many side effects does it cause?",
    "films directed by the director of Jaws",
    "a kind of animal",
    "Purpura, Schoenlein-Henoch",
    "Graves' disease",
    "Deep learning for graph-structured data: a survey",
    "the country with the largest population that borders both France and Germany",
    "x",
    "Crohn's disease is a chronic inflammatory disease of the gastrointestinal tract " * 5,
]


def main(source: Path, target: Path) -> None:
    """Read the model in `source`, write the artefacts into `target`."""
    target.mkdir(parents=True, exist_ok=True)
    shutil.copy(source / "vocab.txt", target.parents[1] / "language" / "vocabulary.txt")
    # Rounded as the reader's network rounds what it does not learn, so that both are the same to the bit.
    weights = {name: w.bfloat16().float().numpy() for name, w in minilm_weights(source).items()}
    np.savez(target / "minilm.npz", **quantised(weights))  # type: ignore[arg-type]
    encoder = AutoModel.from_pretrained(source, attn_implementation="eager").eval()
    _report(encoder)
    _write_static(encoder, target)


def _report(encoder: nn.Module) -> None:
    with torch.inference_mode():
        states = [encoder(torch.tensor([wordpiece().ids(s)])).last_hidden_state[0].mean(0) for s in SENTENCES]
    exact = nn.functional.normalize(torch.stack(states), dim=1).numpy()
    cosines = (exact * load_embedder("minilm").embed(SENTENCES)).sum(1)
    print(f"int8 against float: cosine min {cosines.min():.4f}, mean {cosines.mean():.4f}")


def _write_static(encoder: nn.Module, target: Path) -> None:
    size = encoder.config.vocab_size
    rows = []
    with torch.inference_mode():
        for tokens in torch.arange(size).split(1024):
            framed = torch.stack([torch.full_like(tokens, 101), tokens, torch.full_like(tokens, 102)], dim=1)
            rows.append(encoder(framed, torch.ones_like(framed)).last_hidden_state.mean(1))
    table = torch.cat(rows).double()
    words = table[SPECIAL_TOKENS:]
    centred = table - words.mean(0)
    _, _, components = torch.linalg.svd(centred[SPECIAL_TOKENS:], full_matrices=False)
    reduced = (centred @ components[:DIMENSIONS].T).numpy()
    rank = np.maximum(np.arange(size) - SPECIAL_TOKENS, 0) + 2.0  # the vocabulary is sorted by frequency
    frequency = 1.0 / (rank * np.log(size))
    reduced *= (SIF_SMOOTHING / (SIF_SMOOTHING + frequency))[:, None]
    reduced[:SPECIAL_TOKENS] = 0.0
    scales = np.abs(reduced).max(1) / 127.0
    vectors = np.rint(reduced / np.where(scales > 0, scales, 1.0)[:, None]).astype(np.int8)
    np.save(target / "static.vectors.npy", vectors)
    np.save(target / "static.scales.npy", scales.astype(np.float32))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
