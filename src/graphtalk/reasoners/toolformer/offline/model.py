"""The annotator's classifier: multinomial logistic regression over words and meaning, as `graphtalk train annotator` learns it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphtalk.reasoners.toolformer.offline.features import embedded, hashed, word_hashes
from graphtalk.search.threads import one_thread

OTHER = "other"
"""The class of what no function gives."""


@dataclass(frozen=True)
class Classifier:
    """What a text asks for.

    classes: names of functions, and OTHER
    words: weights of word features, shape (BUCKETS, classes), int8 times `scale`
    meaning: weights of the sentence embedding, shape (384, classes)
    bias: shape (classes,)
    known: hashes of the words of all examples that ask for a function, sorted
    """

    classes: tuple[str, ...]
    words: NDArray[np.int8]
    scale: float
    meaning: NDArray[np.float32]
    bias: NDArray[np.float32]
    known: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(0, np.uint32))

    def scores(self, shape: Sequence[str]) -> dict[str, float]:
        """The logarithm of how probable each class is, up to a constant that is the same for all."""
        from_words = self.words[hashed(shape)].sum(axis=0, dtype=np.int64) * self.scale
        vector = embedded([shape])[0]
        with one_thread():
            total = from_words + vector @ self.meaning + self.bias
        return dict(zip(self.classes, total.tolist(), strict=True))

    def unknown(self, shape: Sequence[str]) -> list[str]:
        """The words of a shape that no example has which asks for a function."""
        words = [mask for mask in shape if mask.isalpha()]
        known = np.isin(word_hashes(words), self.known)
        return [word for word, is_known in zip(words, known, strict=True) if not is_known]

    def save(self, path: Path) -> None:
        """Writes the weights as one compressed file."""
        np.savez_compressed(
            path,
            classes=np.array(self.classes),
            words=self.words,
            scale=np.float32(self.scale),
            meaning=self.meaning.astype(np.float16),
            bias=self.bias,
            known=self.known,
        )


def load_classifier(path: Path) -> Classifier:
    """The classifier that `save` wrote."""
    with np.load(path, allow_pickle=False) as stored:
        return Classifier(
            tuple(stored["classes"].tolist()),
            stored["words"],
            float(stored["scale"]),
            stored["meaning"].astype(np.float32),
            stored["bias"],
            stored["known"],
        )


@cache
def shipped_classifier() -> Classifier:
    """The classifier that ships with the package."""
    with as_file(files(__package__) / "functions.npz") as path:
        return load_classifier(path)
