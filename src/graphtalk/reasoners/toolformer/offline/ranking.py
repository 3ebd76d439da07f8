"""Choosing among candidates: a linear ranker over hashed features of a candidate and its sentence."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from graphtalk.language.english import stem
from graphtalk.language.nouns import singular
from graphtalk.reasoners.toolformer.offline.candidates import GRAPH_NOUNS, Candidate, Sentence, is_content
from graphtalk.reasoners.toolformer.offline.memory import Votes

BUCKETS = 1 << 18


@dataclass(frozen=True)
class Ranker:
    """Scores candidates. `weights`: of hashed features, shape (BUCKETS,)."""

    weights: NDArray[np.float32]

    def choose(self, about: "About", candidates: Sequence[Candidate]) -> Candidate:
        """The candidate whose text is most probable; the same text may be made in several ways."""
        places = [hashed(about.features(each)) for each in candidates]
        starts = np.cumsum([0, *map(len, places[:-1])])
        scores = np.add.reduceat(self.weights[np.concatenate(places)], starts)
        shares: defaultdict[str, float] = defaultdict(float)
        for each, share in zip(candidates, np.exp(scores - scores.max()).tolist(), strict=True):
            shares[each.text.lower()] += share
        said = max(shares, key=lambda text: shares[text])
        return candidates[
            max((at for at, c in enumerate(candidates) if c.text.lower() == said), key=lambda at: scores[at])
        ]

    def best(self, cases: Iterable[Sequence[str]]) -> int:
        """The number of the case whose features, by their names, score best."""
        return int(np.argmax([self.weights[hashed(features)].sum() for features in cases]))


def rows(candidates: Sequence[Candidate], about: "About") -> list[NDArray[np.int64]]:
    """The places of each candidate's features."""
    return [hashed(about.features(each)) for each in candidates]


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
        """The names of a candidate's features."""
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
        if candidate.base:
            yield from self._parts_of_name(candidate.base, candidate.ending, words)
        if len(words) > 2 or how.startswith("span"):
            yield from self._ends(how, words)
            return
        for word in words:
            at = self._lower.index(word) if word in self._lower else -1
            root = stem(word)
            yield f"{how} {root}"
            yield f"word {root}"
            yield f"word after {self._lower[at - 1] if at > 0 else '^'}"
            yield f"word after {' '.join(self._lower[max(at - 2, 0) : at])}"
            yield f"word then {self._lower[at + 1] if 0 <= at < len(self._lower) - 1 else '$'}"
            yield f"word at {min(at, 16) // 2}"
            yield f"word twice {self._lower.count(word) > 1} {singular(word) != word}"
            yield f"{how} many {singular(word) != word}"
            yield f"{how} after {self._lower[at - 1] if at > 0 else '^'}"
            yield f"{how} then {self._lower[at + 1] if 0 <= at < len(self._lower) - 1 else '$'}"
            yield f"{how} at {min(at, 12) // 3}"
            yield from (f"{root} with {each}" for each in self._stems[:12])

    def _parts_of_name(self, base: str, ending: str, words: Sequence[str]) -> Iterator[str]:
        """Which words a name is made of, whatever stands behind them, and what stands behind them."""
        last = words[-1] in GRAPH_NOUNS
        yield base
        yield f"{base} {self._start}"
        yield f"{base} {len(words)} words"
        yield f"{base} noun {last} {not GRAPH_NOUNS.isdisjoint(words)}"
        yield from (f"{base} {noun}" for noun in self._nouns)
        yield f"ending {ending} behind {words[-1]}"
        yield f"ending {ending} {self._start}"
        yield f"ending {ending} {len(words)} {last}"
        yield from (f"ending {ending} {noun}" for noun in self._nouns)

    def _ends(self, how: str, words: Sequence[str]) -> Iterator[str]:
        """Where a name begins and ends, and its words."""
        first = self._lower.index(words[0]) if words[0] in self._lower else -1
        last = self._lower.index(words[-1]) if words[-1] in self._lower else -1
        yield f"at {min(first, 12)}"
        yield f"from {words[0]}"
        yield f"to {words[-1]}"
        yield f"{how} at {min(first, 12) // 2}"
        yield f"{how} from {words[0]}"
        yield f"{how} to {words[-1]}"
        yield f"after {self._lower[first - 1] if first > 0 else '^'} {first <= last}"
        yield f"{how} then {self._lower[last + 1] if 0 <= last < len(self._lower) - 1 else '$'}"
        yield f"{how} ends in noun {words[-1] in GRAPH_NOUNS}"
        yield f"{how} has noun {not GRAPH_NOUNS.isdisjoint(words)}"
        yield from (f"named {stem(word)}" for word in words)
