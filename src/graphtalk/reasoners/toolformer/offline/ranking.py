"""Choosing among candidates: a linear ranker over hashed features of a candidate and its sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from graphtalk.reasoners.planner.english import stem
from graphtalk.reasoners.toolformer.offline.candidates import GRAPH_NOUNS, Candidate, Sentence, is_content

BUCKETS = 1 << 15
Context: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Ranker:
    """Scores candidates. `weights`: of hashed features, shape (BUCKETS,)."""

    weights: NDArray[np.float32]

    def best(
        self, candidates: Sequence[Candidate], sentence: Sentence, many: int, context: Context = ()
    ) -> list[tuple[float, Candidate]]:
        """The most probable candidates and the logarithms of their probabilities. `context`: what was chosen before."""
        scores = np.array([self.weights[row].sum() for row in rows(candidates, sentence, context)])
        scores -= scores.max() + np.log(np.exp(scores - scores.max()).sum())
        return [(float(scores[at]), candidates[at]) for at in np.argsort(-scores, kind="stable")[:many]]


def rows(
    candidates: Sequence[Candidate], sentence: Sentence, context: Context = ()
) -> list[NDArray[np.int64]]:
    """The places of each candidate's features."""
    about = _Sentence(sentence)
    return [
        np.array([crc32(f.encode()) % BUCKETS for f in about.features(candidate, context)], dtype=np.int64)
        for candidate in candidates
    ]


class _Sentence:
    """What features of all candidates of a sentence share."""

    def __init__(self, sentence: Sentence) -> None:
        self._lower = sentence.lower
        self._stems = sorted({stem(word) for word in self._lower if is_content(word)})
        self._nouns = [word for word in self._lower if word in GRAPH_NOUNS][:2] or ["none"]
        self._start = " ".join(self._lower[:2])

    def features(self, candidate: Candidate, context: Context) -> Iterator[str]:
        """The names of a candidate's features."""
        how = candidate.how
        yield how
        yield from (f"{how} beside {each}" for each in context)
        yield f"{how} {self._start}"
        yield from (f"{how} {noun}" for noun in self._nouns)
        yield f"{how} {len(candidate.words)} words"
        if how == "common":
            yield candidate.text
            yield from (f"{candidate.text} beside {each}" for each in context)
            yield from (f"{candidate.text} {each}" for each in self._stems)
            return
        for word in candidate.words:
            low = word.lower()
            at = self._lower.index(low) if low in self._lower else -1
            yield f"{how} {stem(low)}"
            yield from (f"{stem(low)} beside {each}" for each in context)
            yield f"word {stem(low)}"
            yield f"{how} after {self._lower[at - 1] if at > 0 else '^'}"
            yield f"{how} then {self._lower[at + 1] if 0 <= at < len(self._lower) - 1 else '$'}"
            yield f"{how} at {min(at, 12) // 3}"
            yield from (f"{stem(low)} with {each}" for each in self._stems[:12])
