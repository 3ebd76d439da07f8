"""Whether the hops of a chain come in the order of the question's words."""

import itertools

import numpy as np

from graphtalk.graphs import View
from graphtalk.reasoners.planner.analysis import NAMED, Analysis
from graphtalk.reasoners.planner.lexis import Floats, Lexis
from graphtalk.reasoners.planner.linking import Anchor
from graphtalk.reasoners.planner.plans import Chain, is_way_back

CHOICES = 3
STRONG = 0.85
SAME_PHRASE = 2  # words so near to each other name one hop: "derivationally related form"
WAY_BACK = 0.15  # of hops that no word stands for, the way back along the same relation is the likeliest
SHARES = 0.8  # "share", "same", "also" may stand for a way back


class Ordering:
    """Judges chains against the order of one question's words. Chains recur in many plans: each is judged once."""

    def __init__(self, analysis: Analysis, lexis: Lexis) -> None:
        self.analysis = analysis
        self.lexis = lexis
        self._named = np.array([not t.asks for t in analysis.tokens], dtype=bool)
        self._content = np.array([t.content for t in analysis.tokens], dtype=bool)
        self._orders: dict[tuple[int, tuple[View, ...]], float] = {}
        self._options: dict[tuple[View, bool], list[tuple[int, float]]] = {}
        self._strong: dict[View, frozenset[int]] = {}

    def order(self, chain: Chain) -> float:
        """How well distinct words of the question can stand for the hops, nearest to the anchor first.

        1: every hop has a word of its own and the words lie ever farther from the anchor. Less: words are
        missing, shared, or out of order on one side of the anchor.
        """
        if chain.anchor is None or not chain.hops:
            return 0.0
        key = (chain.anchor.start, chain.hops)
        if key not in self._orders:
            self._orders[key] = self._order(chain.anchor, chain.hops)
        return self._orders[key]

    def _order(self, anchor: Anchor, hops: tuple[View, ...]) -> float:
        place = self.analysis.place_of(anchor)
        distances = np.abs(self.analysis.order - place).tolist()
        after = [t.start > anchor.start for t in self.analysis.tokens]
        mine = self._nearest(anchor)
        strong = mine & frozenset[int]().union(*(self._strong_tokens(view) for view in hops))
        options = [
            self._choices(view, i > 0 and is_way_back(hops[i - 1], view)) for i, view in enumerate(hops)
        ]
        best = 0.0
        for picked in itertools.product(*options):
            tokens = [t for t, _ in picked if t >= 0]
            if any(self._one_phrase(a, b) for a, b in itertools.combinations(tokens, 2)):
                continue
            wrong = sum(
                1
                for a, b in itertools.combinations(tokens, 2)
                if after[a] == after[b] and distances[a] > distances[b] + 0.5
            )
            idle = sum(1 for i in strong if all(abs(i - t) > SAME_PHRASE for t in tokens))
            best = max(best, (sum(s for _, s in picked) - 0.3 * wrong - 0.3 * idle) / len(options))
        return best

    def _one_phrase(self, first: int, second: int) -> bool:
        """Whether words lie side by side and so name one hop: "bought together", but not "share actors"."""
        words = self.analysis.tokens[first], self.analysis.tokens[second]
        return abs(first - second) < 2 and not any("share" in t.groups for t in words)

    def _nearest(self, anchor: Anchor) -> frozenset[int]:
        """The words that stand nearer to this anchor than to any other."""
        away = {
            a.start: np.abs(self.analysis.order - self.analysis.place_of(a)) for a in self.analysis.anchors
        }
        nearest = np.min(list(away.values()), axis=0)
        return frozenset(np.flatnonzero(away[anchor.start] <= nearest).tolist())

    def _strong_tokens(self, view: View) -> frozenset[int]:
        """Words that name a relation of the chain: each ought to stand for a hop of it."""
        if view not in self._strong:
            cover = self.analysis.cover(self.lexis.views[view.source, view.name])
            self._strong[view] = frozenset(np.flatnonzero((cover >= STRONG) & self._content).tolist())
        return self._strong[view]

    def _choices(self, view: View, way_back: bool) -> list[tuple[int, float]]:
        """The words that may stand for a hop, each with how well, and none of them."""
        if (view, way_back) not in self._options:
            by_relation = self._named * self.analysis.cover(self.lexis.views[view.source, view.name])
            by_target = 0.6 * self._named * self.analysis.cover(self.lexis.types[view.target])
            scores = np.maximum(by_relation, by_target)
            if way_back:
                scores = np.maximum(scores, self._shares(by_relation))
            best = np.argsort(-scores, kind="stable")[:CHOICES].tolist()
            found = [(i, float(scores[i])) for i in best if scores[i] >= 0.6 * NAMED]
            self._options[view, way_back] = [*found, (-1, WAY_BACK if way_back else 0.0)]
        return self._options[view, way_back]

    def _shares(self, by_relation: Floats) -> Floats:
        """Words such as "share", right before a word for the relation, may stand for the way back along it."""
        found = np.zeros(len(by_relation))
        for i, token in enumerate(self.analysis.tokens):
            if "share" in token.groups and np.any(by_relation[i + 1 : i + 3] >= NAMED):
                found[i] = SHARES
        return found
