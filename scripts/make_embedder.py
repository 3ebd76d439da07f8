"""Make the two sentence embedders that ship with the package from all-MiniLM-L6-v2 (Apache-2.0).

    scripts/make_embedder        # sets up a temporary environment and runs this file in it

Writes into the models folder:

- `tokenizer.json`: the WordPiece tokenizer, without padding and truncation;
- `minilm.onnx`: the network with mean pooling and normalisation, weights quantised to int8, saved after
  onnxruntime's hardware-independent optimisations, which halves the time it takes to load;
- `static.vectors.npy`, `static.scales.npy`: one int8 vector and its scale per token: the network's mean-pooled output for that token alone, reduced to
  256 dimensions by principal components and weighted by Zipf's law on the token's rank (model2vec's
  recipe: Tulkens and van Dongen, 2024; weighting after Arora et al., "A simple but tough-to-beat
  baseline for sentence embeddings", 2017).

Prints how close the quantised network is to the original.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import Tensor, nn
from transformers import AutoModel

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


class SentenceEncoder(nn.Module):
    """BERT with mean pooling and L2 normalisation: token ids (n, t) and mask (n, t) → vectors (n, 384)."""

    def __init__(self, bert: nn.Module) -> None:
        super().__init__()
        self.bert = bert

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        states = self.bert(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(states.dtype)
        return nn.functional.normalize((states * weights).sum(1) / weights.sum(1).clamp(min=1), dim=1)


def main(source: Path, target: Path) -> None:
    """Read the model in `source`, write the artefacts into `target`."""
    target.mkdir(parents=True, exist_ok=True)
    _write_tokenizer(source / "tokenizer.json", target / "tokenizer.json")
    encoder = SentenceEncoder(AutoModel.from_pretrained(source, attn_implementation="eager")).eval()
    _write_network(encoder, target / "minilm.onnx")
    _report(encoder, target)
    _write_static(encoder, target)


def _write_tokenizer(source: Path, target: Path) -> None:
    rules = json.loads(source.read_text())
    rules["truncation"] = rules["padding"] = None
    target.write_text(json.dumps(rules, ensure_ascii=False, separators=(",", ":")))


def _write_network(encoder: SentenceEncoder, target: Path) -> None:
    example = (torch.ones(2, 8, dtype=torch.int64), torch.ones(2, 8, dtype=torch.int64))
    axes = {0: "texts", 1: "tokens"}
    with tempfile.TemporaryDirectory() as folder:
        exported, cleaned, quantised = (Path(folder) / f"{n}.onnx" for n in ("float", "cleaned", "int8"))
        torch.onnx.export(
            encoder,
            example,
            exported,
            input_names=["ids", "mask"],
            output_names=["vectors"],
            dynamic_axes={"ids": axes, "mask": axes, "vectors": {0: "texts"}},
            opset_version=17,
            dynamo=False,
        )
        quant_pre_process(exported, cleaned, skip_symbolic_shape=True)
        # Seven bits: eight saturate in the 16-bit sums of processors without VNNI, so results would differ.
        quantize_dynamic(cleaned, quantised, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
        options.optimized_model_filepath = str(target)
        onnxruntime.InferenceSession(quantised, options, providers=["CPUExecutionProvider"])


def _tokenize(texts: list[str], folder: Path) -> tuple[Tensor, Tensor]:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_padding()
    tokenizer.enable_truncation(256)
    encoded = tokenizer.encode_batch(texts)
    return torch.tensor([e.ids for e in encoded]), torch.tensor([e.attention_mask for e in encoded])


def _report(encoder: SentenceEncoder, folder: Path) -> None:
    ids, mask = _tokenize(SENTENCES, folder)
    with torch.inference_mode():
        exact = encoder(ids, mask).numpy()
    session = onnxruntime.InferenceSession(folder / "minilm.onnx", providers=["CPUExecutionProvider"])
    (approximate,) = session.run(None, {"ids": ids.numpy(), "mask": mask.numpy()})
    cosines = (exact * approximate).sum(1)
    print(f"int8 against float: cosine min {cosines.min():.4f}, mean {cosines.mean():.4f}")
    print(
        f"largest change of a pair's similarity: {np.abs(exact @ exact.T - approximate @ approximate.T).max():.4f}"
    )


def _write_static(encoder: SentenceEncoder, target: Path) -> None:
    size = encoder.bert.config.vocab_size
    rows = []
    with torch.inference_mode():
        for tokens in torch.arange(size).split(1024):
            framed = torch.stack([torch.full_like(tokens, 101), tokens, torch.full_like(tokens, 102)], dim=1)
            rows.append(encoder.bert(framed, torch.ones_like(framed)).last_hidden_state.mean(1))
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
