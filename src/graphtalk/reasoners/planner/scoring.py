"""Plans for a question, each with a score: how well it explains the question's words, and no more than them."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphtalk.graphs import Feature, Graph, View
from graphtalk.reasoners.planner.analysis import Analysis
from graphtalk.reasoners.planner.chains import ChainSpace
from graphtalk.reasoners.planner.lexis import Floats, Lexis
from graphtalk.reasoners.planner.linking import Anchor
from graphtalk.reasoners.planner.ordering import Ordering, is_way_back, voice_score
from graphtalk.reasoners.planner.plans import Chain, Operation, Plan


@dataclass(frozen=True)
class Weights:
    """What each part of a plan's score counts."""

    coverage: float = 3.0
    support: float = 1.0
    focus: float = 1.2
    order: float = 1.2
    voice: float = 0.4
    hop: float = -0.18
    prior: float = 0.25
    nothing: float = -0.8  # the anchor has no edge of the first hop
    anchor: float = 0.15
    unused_cue: float = -0.7
    used_cue: float = 0.3
    main_cue: float = 0.15


WEIGHTS = Weights()
KEPT = 20
LAST_HOP = 0.2  # words of the last hop stand near what is asked for
NAMESAKES = 6
USUAL = -0.3  # logarithm of a view's share in the edges of its name above which it is no odd one
ANSWERED_BY: dict[str, frozenset[str]] = {
    "count": frozenset({"count", "count filter", "count same", "feature", "distance", "total"}),
    "most": frozenset({"most", "most neighbours", "largest"}),
    "least": frozenset({"smallest"}),
    "same": frozenset({"same", "count same"}),
    "average": frozenset({"average"}),
    "total": frozenset({"total", "count"}),
    "truth": frozenset({"contains", "connected", "feature"}),
    "comparison": frozenset({"filter", "count filter"}),
    "superlative": frozenset({"largest", "smallest", "most", "most neighbours"}),
    "path": frozenset({"path"}),
    "distance": frozenset({"distance"}),
}


class Scorer:
    """Lists and scores the plans for one reading of a question."""

    def __init__(self, graph: Graph, lexis: Lexis, space: ChainSpace) -> None:
        self.graph = graph
        self.lexis = lexis
        self.space = space
        self.views = graph.schema.views
        self._judge: Ordering | None = None
        self._position = {view: i for i, view in enumerate(self.views)}

    def plans(self, analysis: Analysis) -> list[Plan]:
        """All plans worth looking at, best first."""
        found: dict[tuple[object, ...], Plan] = {}
        for plan in self._list(analysis):
            scored = self.score(plan, analysis)
            key = plan.key()
            if key not in found or scored.score > found[key].score:
                found[key] = scored
        return sorted(found.values(), key=lambda p: -p.score)

    # listing

    def _list(self, analysis: Analysis) -> Iterator[Plan]:
        starts = [self._starts(anchor) for anchor in analysis.anchors]
        if not starts:
            for chain in self._free_chains(analysis):
                yield from self._over_chain(chain, analysis)
        elif len(starts) == 1:
            for start in starts[0]:
                for chain in [start, *self._best_chains(start, analysis, 3)]:
                    yield from self._over_chain(chain, analysis)
        else:
            yield from self._joined(starts, analysis)
            if len(starts) == 2:
                yield from self._between(starts[0], starts[1], analysis)

    def _starts(self, anchor: Anchor) -> list[Chain]:
        return [Chain(self.graph.node_type(node).name, anchor, node) for node in anchor.nodes[:NAMESAKES]]

    def _free_chains(self, analysis: Analysis) -> Iterator[Chain]:
        """Chains from all nodes of each type that the question names, of at most two hops."""
        for node_type, term in self.lexis.types.items():
            if analysis.match.whole[term] >= 0.6:
                start = Chain(node_type, None, None)
                yield start
                yield from self._best_chains(start, analysis, 2)

    def _best_chains(self, start: Chain, analysis: Analysis, most_hops: int) -> list[Chain]:
        chains = self.space.chains(start.start, analysis.match)
        if not len(chains.hops):
            return []
        cover = np.maximum(
            self.space.token_cover(chains.hops, analysis.match),
            analysis.cover(self.lexis.types[start.start])[:, None],
        )
        total = max(float(analysis.weights.sum()), 1e-9)
        lengths = chains.lengths
        last = chains.hops[np.arange(len(lengths)), lengths - 1]
        ends = np.maximum(
            analysis.focus[self.space.target_terms], 0.95 * analysis.focus[self.space.view_terms]
        )
        score = (
            WEIGHTS.coverage * (analysis.weights @ cover) / total
            + WEIGHTS.support * self.space.support(chains.hops, analysis.match)
            + WEIGHTS.focus * ends[last]
            + WEIGHTS.hop * lengths
            + WEIGHTS.prior * self.space.priors(chains.hops[:, 1:] if start.node is not None else chains.hops)
            + WEIGHTS.nothing * self._leads_nowhere(start)[chains.hops[:, 0]]
            - 100.0 * (lengths > most_hops)
        )
        best = np.argsort(-score, kind="stable")[:KEPT]
        return [
            replace(start, hops=tuple(self.views[i] for i in chains.hops[row] if i >= 0))
            for row in best
            if lengths[row] <= most_hops
        ]

    def _leads_nowhere(self, start: Chain) -> Floats:
        """1 for each view from the start's type along which its node has no edge. Shape (views,)."""
        empty = np.zeros(len(self.views))
        if start.node is not None:
            for views in self.graph.schema.views_from(start.start).values():
                for view in views:
                    empty[self._position[view]] = not self._has_edge(start.node, view)
        return empty

    def _has_edge(self, node: int, view: View) -> bool:
        adjacency = self.graph.adjacencies[view.relation]
        row = node - self.graph.schema.node_type(view.source).first
        out = view.direction != "in" and adjacency.indptr[row + 1] > adjacency.indptr[row]
        back = view.direction != "out" and adjacency.back_indptr[row + 1] > adjacency.back_indptr[row]
        return bool(out or back)

    def _over_chain(self, chain: Chain, analysis: Analysis) -> Iterator[Plan]:
        """Every operation that the cues allow, over one chain."""
        one = (chain,)
        if chain.hops or chain.anchor is None:
            yield Plan("list", one)
            yield from self._counted(Plan("list", one), analysis)
        frequent = analysis.cues.has("most") or analysis.cues.has("main")
        if frequent and len(chain.hops) >= 1 + (chain.anchor is not None):
            yield Plan("most", one)
        measured = analysis.cues.has("most") or analysis.cues.has("superlative")
        if measured and len(chain.hops) >= 1 + (chain.anchor is not None):
            yield Plan("most neighbours", one)
        if chain.anchor is not None and len(chain.hops) == 1 and analysis.cues.has("same"):
            exactly = analysis.cues.has("only")
            yield Plan("same", one, exactly=exactly)
            if analysis.cues.has("count"):
                yield Plan("count same", one, exactly=exactly)
        if len(chain.hops) <= 2:
            yield from self._over_features(chain, analysis)

    def _counted(self, plan: Plan, analysis: Analysis) -> Iterator[Plan]:
        if analysis.cues.has("count"):
            yield replace(plan, operation="count")

    def _over_features(self, chain: Chain, analysis: Analysis) -> Iterator[Plan]:
        for feature in self.graph.schema.node_type(chain.end).features:
            fit = self._feature_fit(chain.end, feature, analysis)
            if chain.anchor is not None and fit >= 0.4:
                yield Plan("feature", (chain,), feature=feature.name)
            if feature.kind != "number":
                continue
            for operation in self._measured(feature, fit, chain, analysis):
                yield Plan(operation, (chain,), feature=feature.name)
            if analysis.cues.comparison is not None and (chain.hops or chain.anchor is None):
                comparison = analysis.cues.comparison
                yield Plan("filter", (chain,), feature=feature.name, comparison=comparison)
                if analysis.cues.has("count"):
                    yield Plan("count filter", (chain,), feature=feature.name, comparison=comparison)

    def _measured(
        self, feature: Feature, fit: float, chain: Chain, analysis: Analysis
    ) -> Iterator[Operation]:
        if not (chain.hops or chain.anchor is None):
            return
        if fit >= 0.4 and analysis.cues.has("average"):
            yield "average"
        if fit >= 0.4 and (analysis.cues.has("total") or analysis.cues.has("count")):
            yield "total"
        superlative = analysis.cues.superlative
        if superlative is not None and self._measures(feature, analysis) > 0:
            yield "largest" if superlative.largest else "smallest"
        elif fit >= 0.4 and analysis.cues.has("most"):
            yield "largest"
        elif fit >= 0.4 and analysis.cues.has("least"):
            yield "smallest"

    def _joined(self, starts: Sequence[Sequence[Chain]], analysis: Analysis) -> Iterator[Plan]:
        """Intersections of chains from each anchor that end in one type, and hops from there."""
        most_hops = 2 if len(starts) == 2 else 1
        options = [[c for s in group for c in self._best_chains(s, analysis, most_hops)] for group in starts]
        plans: list[Plan] = []
        for first in options[0]:
            for second in options[1]:
                if first.end != second.end:
                    continue
                if len(options) == 2:
                    plans.append(Plan("list", (first, second)))
                else:
                    plans += [
                        Plan("list", (first, second, third)) for third in options[2] if third.end == first.end
                    ]
        plans = sorted((self.score(p, analysis) for p in plans), key=lambda p: -p.score)[:KEPT]
        for plan in plans:
            yield from self._over_joined(plan, analysis)
        for plan in plans[:8]:
            for view in (v for v in self.views if v.source == plan.end):
                yield from self._over_joined(replace(plan, then=(view,)), analysis)

    def _over_joined(self, plan: Plan, analysis: Analysis) -> Iterator[Plan]:
        yield plan
        yield from self._counted(plan, analysis)
        if analysis.cues.has("without") and len(plan.chains) == 2:
            yield replace(plan, apart=True)
        if plan.then and analysis.cues.has("most"):
            yield replace(plan, operation="most")
        for feature in self.graph.schema.node_type(plan.end).features:
            fit = self._feature_fit(plan.end, feature, analysis)
            if fit >= 0.4:
                yield replace(plan, operation="feature", feature=feature.name)
            if (
                feature.kind == "number"
                and analysis.cues.superlative
                and self._measures(feature, analysis) > 0
            ):
                largest = analysis.cues.superlative.largest
                yield replace(plan, operation="largest" if largest else "smallest", feature=feature.name)

    def _between(self, a: Sequence[Chain], b: Sequence[Chain], analysis: Analysis) -> Iterator[Plan]:
        """Questions about two nodes: whether one is among the other's neighbours, connected, how far."""
        cues = analysis.cues
        for start, target in [*((x, y) for x in a for y in b), *((y, x) for x in a for y in b)]:
            if cues.has("truth"):
                for chain in self._best_chains(start, analysis, 2):
                    if chain.end == target.start:
                        yield Plan("contains", (chain,), target=target)
                if cues.has("relatedness"):
                    hops = self._schema_path(start.start, target.start)
                    if hops:
                        yield Plan("connected", (replace(start, hops=hops),), target=target)
            if cues.has("path"):
                yield Plan("path", (start,), target=target)
            if cues.has("distance"):
                yield Plan("distance", (start,), target=target)

    def _schema_path(self, source: str, target: str) -> tuple[View, ...]:
        """A shortest way from one node type to another over the schema; empty where there is none."""
        ways: dict[str, tuple[View, ...]] = {}
        edge: list[tuple[str, tuple[View, ...]]] = [(source, ())]
        while edge:
            step: list[tuple[str, tuple[View, ...]]] = []
            for node_type, way in edge:
                for view in (v for v in self.views if v.source == node_type and v.target not in ways):
                    ways[view.target] = (*way, view)
                    step.append((view.target, ways[view.target]))
            if target in ways:
                return ways[target]
            edge = step
        return ()

    # scoring

    def score(self, plan: Plan, analysis: Analysis) -> Plan:
        """The plan with its score and what it is made of."""
        hops = [v for c in plan.chains for v in c.hops] + list(plan.then)
        if plan.operation == "connected":
            hops = []
        parts = {
            "coverage": WEIGHTS.coverage * analysis.covered(self._cover(plan, hops, analysis)),
            "support": WEIGHTS.support * self._support(plan, hops, analysis),
            "focus": WEIGHTS.focus * self._focus(plan, analysis),
            "hops": WEIGHTS.hop * len({(v.source, v.name, v.target) for v in hops})
            if len(plan.chains) > 1
            else WEIGHTS.hop * len(hops),
            "prior": WEIGHTS.prior * sum(self._odd(c) for c in plan.chains),
            "nothing": WEIGHTS.nothing * sum(self._starts_nowhere(c) for c in plan.chains),
            "anchors": WEIGHTS.anchor * sum(min(a.score, 6.0) for a in plan.anchors),
            "cues": self._cues(plan, analysis),
        }
        ordering = self._ordering(analysis)
        orders = [ordering.order(c) for c in plan.chains if c.hops and plan.operation != "connected"]
        if orders:
            parts["order"] = WEIGHTS.order * sum(orders) / len(orders)
        parts["voice"] = WEIGHTS.voice * sum(self._voice(c, analysis) for c in plan.chains)
        return plan.scored(parts)

    def _ordering(self, analysis: Analysis) -> Ordering:
        if self._judge is None or self._judge.analysis is not analysis:
            self._judge = Ordering(analysis, self.lexis)
        return self._judge

    def _odd(self, chain: Chain) -> float:
        """How unusual the hops are. The first hop from a node is not: either the node has such an edge or not."""
        hops = chain.hops[1:] if chain.node is not None else chain.hops
        return float(sum(self.space.prior[self._position[v]] for v in hops))

    def _starts_nowhere(self, chain: Chain) -> bool:
        return chain.node is not None and bool(chain.hops) and not self._has_edge(chain.node, chain.hops[0])

    def _voice(self, chain: Chain, analysis: Analysis) -> float:
        if not chain.hops or chain.anchor is None or self.space.prior[self._position[chain.hops[0]]] < USUAL:
            return 0.0
        return voice_score(chain.hops[0], chain.anchor, analysis, self.lexis)

    def _cover(self, plan: Plan, hops: Iterable[View], analysis: Analysis) -> Floats:
        terms = [self.lexis.types[c.start] for c in plan.chains]
        if plan.target:
            terms.append(self.lexis.types[plan.target.start])
        for view in hops:
            terms += [self.lexis.views[view.source, view.name], self.lexis.types[view.target]]
        if plan.feature:
            terms.append(self.lexis.features[plan.end, plan.feature])
        cover: Floats = analysis.match.tokens[:, terms].max(axis=1)
        if plan.operation in {"connected", "path", "distance"}:
            related = np.array([0.9 if "associate" in t.groups else 0.0 for t in analysis.tokens])
            return np.maximum(cover, related)
        if any(is_way_back(a, b) for c in plan.chains for a, b in itertools.pairwise(c.hops)):
            shared = np.array([0.9 if "share" in t.groups else 0.0 for t in analysis.tokens])
            return np.maximum(cover, shared)
        return np.asarray(cover)

    def _support(self, plan: Plan, hops: Sequence[View], analysis: Analysis) -> float:
        values = []
        for view in hops:
            relation = analysis.match.whole[self.lexis.views[view.source, view.name]]
            target = analysis.match.whole[self.lexis.types[view.target]]
            value = 0.55 * relation + 0.45 * target
            only = self.space.only[self._position[view]]
            values.append(max(value, 0.9 * target) if only else value)
        if plan.feature:
            feature = self.graph.schema.node_type(plan.end).features
            fit = next(self._feature_fit(plan.end, f, analysis) for f in feature if f.name == plan.feature)
            values.append(fit)
        return sum(values) / len(values) if values else 0.5

    def _focus(self, plan: Plan, analysis: Analysis) -> float:
        focus = analysis.focus
        if plan.operation in {"feature", "average", "total"}:
            return float(focus[self.lexis.features[plan.end, plan.feature]])
        if plan.operation in {"contains", "connected", "path", "distance"}:
            return 0.6
        if plan.operation in {"same", "count same"}:
            return float(focus[self.lexis.types[plan.chains[0].start]])
        hops = plan.then or plan.chains[0].hops
        if plan.operation == "most neighbours":
            return (
                float(focus[self.lexis.types[hops[-1].source]]) - 0.1
            )  # "most frequent" is the likelier wish
        by_type = float(focus[self.lexis.types[plan.end]])
        if not hops:
            return by_type
        last = [plan.then[-1]] if plan.then else [c.hops[-1] for c in plan.chains if c.hops]
        named = [v for v in last if self.space.names_target[self._position[v]]]
        best = max([by_type, *(0.95 * float(focus[self.lexis.views[v.source, v.name]]) for v in named)])
        near = max(float(analysis.nearness[self.lexis.views[v.source, v.name]]) for v in last)
        return best + LAST_HOP * near

    def _cues(self, plan: Plan, analysis: Analysis) -> float:
        score = 0.0
        numeric = not plan.feature or self._is_number(plan)
        for kind in analysis.cues.kinds:
            if kind not in ANSWERED_BY:
                continue
            used = plan.operation in ANSWERED_BY[kind] and (kind != "count" or numeric)
            score += WEIGHTS.used_cue if used else WEIGHTS.unused_cue
        if analysis.cues.has("main"):
            score += WEIGHTS.main_cue if plan.operation == "most" else -WEIGHTS.main_cue
        if analysis.cues.has("both") and len(plan.chains) > 1:
            score += WEIGHTS.used_cue
        if plan.apart != analysis.cues.has("without") and len(plan.chains) > 1:
            score += WEIGHTS.unused_cue
        return score

    def _is_number(self, plan: Plan) -> bool:
        features = self.graph.schema.node_type(plan.end).features
        return any(f.name == plan.feature and f.kind == "number" for f in features)

    def _feature_fit(self, node_type: str, feature: Feature, analysis: Analysis) -> float:
        fit = float(analysis.match.whole[self.lexis.features[node_type, feature.name]])
        return max(fit, self._measures(feature, analysis))

    def _measures(self, feature: Feature, analysis: Analysis) -> float:
        """How well a superlative's adjective fits a feature: 1 for its first measure, less for later ones."""
        superlative = analysis.cues.superlative
        if superlative is None:
            return 0.0
        words = {self.lexis.words[w] for w in self.lexis.terms[self._any_feature_term(feature)].words}
        for rank, name in enumerate(superlative.features):
            if name in words:
                return 1.0 - 0.1 * rank
        return 0.0

    def _any_feature_term(self, feature: Feature) -> int:
        return next(term for (_, name), term in self.lexis.features.items() if name == feature.name)
