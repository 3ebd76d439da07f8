"""The transformer of all-MiniLM-L6-v2 (Wang et al., 2020; after Vaswani et al., 2017), run by numpy.

Weights are in `.npz` files: matrices as int8 with one scale a row, the rest as float16. The learnt reader runs its own
layers with what is here.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from io import BytesIO
from mmap import ACCESS_READ, mmap
from pathlib import Path
from struct import unpack_from
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

WIDTH, HEADS, LAYERS = 384, 12, 6
_TOKENS = 512  # of a batch: few enough to stay in the processor's cache


def quantised(weights: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[np.generic]]:
    """Weights as they are stored: matrices in int8 by rows, vectors in float16."""
    stored: dict[str, NDArray[np.generic]] = {}
    for name, w in weights.items():
        if w.ndim == 2 and w.size > 4096:
            scale = np.abs(w).max(1, keepdims=True) / 127 + 1e-12
            stored[f"{name}|q"] = np.round(w / scale).astype(np.int8)
            stored[f"{name}|s"] = scale.astype(np.float32)
        else:
            stored[name] = w.astype(np.float16)
    return stored


class Weights(Mapping[str, Floats]):
    """Weights as float32, each made when it is first asked for; `name|q` and `name|s` are the parts of a matrix as they are stored.

    `a | b` has those of both, and b's where both have one.
    """

    def __init__(self, stored: Mapping[str, NDArray[np.generic]]) -> None:
        self._stored = stored
        self._made: dict[str, Floats] = {}

    def __getitem__(self, name: str) -> Floats:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = self._make(name)
        return made

    def _make(self, name: str) -> Floats:
        if "|" in name:
            return self._stored[name]  # type: ignore[return-value]  # int8 or float32
        rows = self._stored.get(f"{name}|q")
        if rows is None:
            return self._stored[name].astype(np.float32)
        return np.asarray(np.multiply(rows, self._stored[f"{name}|s"], dtype=np.float32))

    def __iter__(self) -> Iterator[str]:
        return (name.removesuffix("|q") for name in self._stored if not name.endswith("|s"))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __or__(self, other: "Weights") -> "Weights":
        return Weights({**self._stored, **other._stored})


def load_weights(paths: Sequence[Path]) -> Weights:
    """The weights of files, those of later ones first. The files are mapped: what is not asked for is not read."""
    stored: dict[str, NDArray[np.generic]] = {}
    for path in paths:
        stored |= _mapped(path)
    return Weights(stored)


def _mapped(path: Path) -> dict[str, NDArray[np.generic]]:
    """The arrays of an uncompressed `.npz` file, each a view of the file."""
    with path.open("rb") as file, ZipFile(file) as members:
        data = mmap(file.fileno(), 0, access=ACCESS_READ)
        arrays: dict[str, NDArray[np.generic]] = {}
        for member in members.infolist():
            name, more = unpack_from("<HH", data, member.header_offset + 26)
            start = member.header_offset + 30 + name + more
            end = start + 10 + unpack_from("<H", data, start + 8)[0]
            shape, in_columns, kind = _head(data[start:end])
            arrays[member.filename.removesuffix(".npy")] = np.ndarray(
                shape, kind, data, end, order="F" if in_columns else "C"
            )
    return arrays


@cache
def _head(head: bytes) -> tuple[tuple[int, ...], bool, np.dtype[np.generic]]:
    """What the head of a `.npy` file says: many arrays have the same one."""
    file = BytesIO(head)
    if np.lib.format.read_magic(file) != (1, 0):
        raise ValueError("The weights are not in version 1.0 of the .npy format.")
    return np.lib.format.read_array_header_1_0(file)


@cache
def minilm() -> Weights:
    """The weights of MiniLM: words, places and six layers, `encoder.0` to `encoder.5`."""
    with as_file(files("graphtalk.search") / "models" / "minilm.npz") as path:
        return load_weights([path])


def norm(x: Floats, w: Mapping[str, Floats], name: str) -> Floats:
    """Layer normalisation."""
    x = x - x.mean(-1, keepdims=True)
    x /= np.sqrt(np.square(x).mean(-1, keepdims=True) + 1e-12)
    x *= w[f"{name}.weight"]
    x += w[f"{name}.bias"]
    return x


def linear(x: Floats, w: Mapping[str, Floats], name: str) -> Floats:
    """A product with a weight and its bias, over the last axis."""
    rows = x.reshape(-1, x.shape[-1])
    # The weights come first: BLAS is twice as fast that way round where there are few rows.
    out = (w[f"{name}.weight"] @ rows.T).T
    out += w[f"{name}.bias"]
    return out.reshape(*x.shape[:-1], -1)


def gelu(x: Floats) -> Floats:
    """Gaussian error linear units, by the hyperbolic tangent (Hendrycks and Gimpel, 2016)."""
    inner = 0.044715 * x
    inner *= x
    inner *= x
    inner += x
    inner *= math.sqrt(2 / math.pi)
    np.tanh(inner, out=inner)
    inner += 1
    inner *= 0.5 * x
    return np.asarray(inner)


def split(x: Floats, heads: int) -> Floats:
    """Shape (..., n, d) → (..., heads, n, d / heads)."""
    return np.moveaxis(x.reshape(*x.shape[:-1], heads, -1), -2, -3)


def attend(q: Floats, k: Floats, v: Floats, bias: Floats | None) -> Floats:
    """What each position takes from the others, shape (..., heads, n, d) → (..., n, heads * d)."""
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    shares = np.moveaxis(_softmax(scores if bias is None else scores + bias) @ v, -3, -2)
    return shares.reshape(*shares.shape[:-2], -1)


def _softmax(x: Floats) -> Floats:
    x = x - x.max(-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(-1, keepdims=True)
    return np.asarray(x)


def block(x: Floats, w: Mapping[str, Floats], name: str, heads: int, bias: Floats | None = None) -> Floats:
    """One layer: attention and a wide product, each added to what it was given, and normalised."""
    q, k, v = (split(part, heads) for part in np.split(linear(x, w, f"{name}.qkv"), 3, -1))
    x = norm(x + linear(attend(q, k, v, bias), w, f"{name}.out"), w, f"{name}.norm")
    return norm(x + linear(gelu(linear(x, w, f"{name}.up")), w, f"{name}.down"), w, f"{name}.norm2")


def states(ids: NDArray[np.int64], w: Mapping[str, Floats], name: str, layers: int) -> Floats:
    """Token states of texts of one length, shape (texts, tokens) → (texts, tokens, 384), after `name.0`, `name.1`, …"""
    x = w["words.weight|q"][ids].astype(np.float32) * w["words.weight|s"][ids]
    x = norm(x + w["places.weight"][: ids.shape[1]], w, "word_norm")
    for i in range(layers):
        x = block(x, w, f"{name}.{i}", HEADS)
    return x


def batches(rows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The places of rows of one length, as many as are best run together."""
    by_length: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        by_length.setdefault(len(row), []).append(i)
    for length, places in by_length.items():
        most = max(1, _TOKENS // max(1, length))
        for start in range(0, len(places), most):
            yield places[start : start + most]
