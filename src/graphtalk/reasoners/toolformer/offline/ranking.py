"""Choosing among candidates: a linear ranker over hashed features of a candidate and its sentence."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from graphtalk.language.english import stem
from graphtalk.reasoners.toolformer.offline.candidates import GRAPH_NOUNS, Candidate, Sentence, is_content
from graphtalk.reasoners.toolformer.offline.memory import Votes

BUCKETS = 1 << 18
Context: TypeAlias = tuple[str, ...]


_FEW = 40  # candidates that are looked at again beside what was chosen before


@dataclass(frozen=True)
class Ranker:
    """Scores candidates. `weights`: of hashed features, shape (BUCKETS,)."""

    weights: NDArray[np.float32]

    def first(self, about: "About", candidates: Sequence[Candidate]) -> "list[tuple[float, Candidate]]":
        """The best candidates by what they are, best first, with their scores."""
        places = [hashed(about.features(each)) for each in candidates]
        starts = np.cumsum([0, *map(len, places[:-1])])
        scores = np.add.reduceat(self.weights[np.concatenate(places)], starts)
        return [(float(scores[at]), candidates[at]) for at in np.argsort(-scores, kind="stable")[:_FEW]]

    def best(self, cases: Iterable[Sequence[str]]) -> int:
        """The number of the case whose features, by their names, score best."""
        return int(np.argmax([self.weights[hashed(features)].sum() for features in cases]))

    def beside(
        self, about: "About", first: "list[tuple[float, Candidate]]", context: Context, many: int
    ) -> "list[tuple[float, Candidate]]":
        """The most probable of those beside what was chosen before, and the logarithms of their probabilities."""
        scores = np.array(
            [score + self.weights[hashed(about.beside(each, context))].sum() for score, each in first]
        )
        scores -= scores.max() + np.log(np.exp(scores - scores.max()).sum())
        return [(float(scores[at]), first[at][1]) for at in np.argsort(-scores, kind="stable")[:many]]


def rows(candidates: Sequence[Candidate], about: "About", context: Context = ()) -> list[NDArray[np.int64]]:
    """The places of each candidate's features."""
    return [hashed((*about.features(each), *about.beside(each, context))) for each in candidates]


def hashed(features: Iterable[str]) -> NDArray[np.int64]:
    """The places of features by their names."""
    return np.array([crc32(feature.encode()) % BUCKETS for feature in features], dtype=np.int64)


class About:
    """What features of all candidates of a sentence share. `votes`: how similar sentences were answered."""

    def __init__(self, sentence: Sentence, votes: Votes) -> None:
        self._lower = sentence.lower
        self._stems = sorted({stem(word) for word in self._lower if is_content(word)})
        self._nouns = [word for word in self._lower if word in GRAPH_NOUNS][:2] or ["none"]
        self._start = " ".join(self._lower[:2])
        self._votes = votes

    def features(self, candidate: Candidate) -> Iterator[str]:
        """The names of a candidate's features, but for those of what was chosen before."""
        how = candidate.how
        yield how
        yield f"{how} {self._start}"
        yield from (f"{how} {noun}" for noun in self._nouns)
        yield f"{how} {len(candidate.words)} words"
        yield f"votes {self._votes.share(candidate.text)} {self._votes.nearest}"
        yield f"votes how {self._votes.share(how)} {self._votes.nearest}"
        if how == "common":
            yield candidate.text
            yield from (f"{candidate.text} {each}" for each in self._stems)
            return
        words = [word.lower() for word in candidate.words]
        if len(words) > 2 or how.startswith("span"):
            yield from self._ends(how, words)
            return
        for word in words:
            at = self._lower.index(word) if word in self._lower else -1
            root = stem(word)
            yield f"{how} {root}"
            yield f"word {root}"
            yield f"{how} after {self._lower[at - 1] if at > 0 else '^'}"
            yield f"{how} then {self._lower[at + 1] if 0 <= at < len(self._lower) - 1 else '$'}"
            yield f"{how} at {min(at, 12) // 3}"
            yield from (f"{root} with {each}" for each in self._stems[:12])

    def beside(self, candidate: Candidate, context: Context) -> Iterator[str]:
        """The names of the features of a candidate beside what was chosen before."""
        for each in context:
            yield f"{candidate.how} beside {each}"
            if candidate.how == "common":
                yield f"{candidate.text} beside {each}"
            else:
                yield from (f"{stem(word.lower())} beside {each}" for word in candidate.words)
        if len(context) > 1:
            yield f"votes pair {self._votes.share(f'{context[-1]} {candidate.text}')}"

    def _ends(self, how: str, words: Sequence[str]) -> Iterator[str]:
        """Where a name begins and ends, and its words."""
        first = self._lower.index(words[0]) if words[0] in self._lower else -1
        last = self._lower.index(words[-1]) if words[-1] in self._lower else -1
        yield f"{how} at {min(first, 12) // 2}"
        yield f"{how} from {words[0]}"
        yield f"{how} to {words[-1]}"
        yield f"after {self._lower[first - 1] if first > 0 else '^'} {first <= last}"
        yield f"{how} then {self._lower[last + 1] if 0 <= last < len(self._lower) - 1 else '$'}"
        yield f"{how} ends in noun {words[-1] in GRAPH_NOUNS}"
        yield f"{how} has noun {not GRAPH_NOUNS.isdisjoint(words)}"
        yield from (f"named {stem(word)}" for word in words)
