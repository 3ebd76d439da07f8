"""Which plans a reading of a question allows: chains around its anchors under the operations its cues ask for."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphtalk.graphs import Feature, Graph
from graphtalk.reasoners.planner.analysis import DATES, TYPE_NAMED, Analysis
from graphtalk.reasoners.planner.chains import ChainSpace, Indices
from graphtalk.reasoners.planner.lexis import Floats, Lexis
from graphtalk.reasoners.planner.linking import Anchor
from graphtalk.reasoners.planner.others import counts_whole, without_one
from graphtalk.reasoners.planner.plans import Chain, Condition, Operation, Plan, is_way_back
from graphtalk.reasoners.planner.scoring import WEIGHTS, Scorer, ways_from
from graphtalk.reasoners.planner.values import ValueTable

KEPT = 20  # chains of each anchor, and joined plans, that are looked at more closely
KEPT_OF_THREE = 6  # chains of each of three anchors: their combinations are many
FOLLOWED = 8  # joined plans from which another hop is tried
NAMESAKES = 6  # nodes of one name that are tried
FITS = 0.4  # how well a feature's words must match to be asked for
NO_AMOUNTS = ("year", "date", "id", "rating", "score", "rank", "age")  # numbers that make no sum
NAMED_TYPE = 0.6  # how well a type's words must match for all of its nodes to be meant


@dataclass(frozen=True)
class Lister:
    """Lists the plans for readings of questions about one graph.

    "The same X as" means just those X; where `same_or_more`, as GRBench means it, those and perhaps more.
    """

    graph: Graph
    lexis: Lexis
    space: ChainSpace
    values: ValueTable
    scorer: Scorer
    same_or_more: bool = False

    def plans(self, analysis: Analysis) -> Iterator[Plan]:
        """All plans worth scoring."""
        starts = [self._starts(anchor) for anchor in analysis.anchors]
        if not starts:
            for chain in self._free_chains(analysis):
                yield from self._over_chain(chain, analysis)
        elif len(starts) == 1:
            for start in starts[0]:
                chains = self._best_chains(start, analysis, 3)
                for chain in [start, *chains]:
                    yield from self._over_chain(chain, analysis)
                yield from self._shared_twice(chains, analysis)
                yield from self._shared_often(start, analysis)
        else:
            yield from self._joined(starts, analysis)
            yield from self._each(starts, analysis)
            if len(starts) == 2:
                yield from self._between(starts[0], starts[1], analysis)

    # chains

    def _starts(self, anchor: Anchor) -> list[Chain]:
        by_type: dict[str, list[int]] = {}
        for node in anchor.nodes:
            by_type.setdefault(self.graph.node_type(node).name, []).append(node)
        found = []
        for node_type, nodes in by_type.items():
            called = self._called(node_type, nodes, anchor) if len(nodes) > 1 else ""
            kept = nodes[:1] if called else nodes[:NAMESAKES]
            found += [Chain(node_type, anchor, node, called=called) for node in kept]
        return found

    def _called(self, node_type: str, nodes: Sequence[int], anchor: Anchor) -> str:
        """The feature by which all these nodes are called the same, if there is one."""
        for feature in self.graph.schema.node_type(node_type).features:
            if feature.kind == "text":
                values = {str(self.graph.feature(n, feature.name)).casefold() for n in nodes}
                if values == {anchor.text.casefold()}:
                    return feature.name
        return ""

    def _free_chains(self, analysis: Analysis) -> Iterator[Chain]:
        """Chains from all nodes of each type that the question names, or alone has what it names, of at most two hops."""
        whole = analysis.match.whole
        named = [t for (t, _), term in self.lexis.features.items() if whole[term] >= TYPE_NAMED]
        for node_type, term in self.lexis.types.items():
            if whole[term] >= NAMED_TYPE or named == [node_type]:
                start = Chain(node_type, None, None)
                yield start
                yield from self._best_chains(start, analysis, 2)

    def _best_chains(self, start: Chain, analysis: Analysis, most_hops: int) -> list[Chain]:
        """The chains from a start that explain the question best, judged without the order of its words."""
        chains = self.space.chains(start.start, analysis.match)
        if not len(chains.hops):
            return []
        lengths = chains.lengths
        score = self._first_scores(start, chains.hops, lengths, analysis) - 100.0 * (lengths > most_hops)
        best = np.argsort(-score, kind="stable")[:KEPT]
        return [
            replace(start, hops=tuple(self.space.views[i] for i in chains.hops[row] if i >= 0))
            for row in best
            if lengths[row] <= most_hops
        ]

    def _first_scores(self, start: Chain, hops: Indices, lengths: Indices, analysis: Analysis) -> Floats:
        cover = np.maximum(
            self.space.token_cover(hops, analysis.match),
            analysis.cover(self.lexis.types[start.start])[:, None],
        )
        last = hops[np.arange(len(lengths)), lengths - 1]
        by_view = 0.95 * analysis.focus[self.space.view_terms] * self.space.names_target
        ends = np.maximum(analysis.focus[self.space.target_terms], by_view)
        later = hops[:, 1:] if start.node is not None else hops
        score: Floats = (
            WEIGHTS.coverage * (analysis.weights @ cover) / max(float(analysis.weights.sum()), 1e-9)
            + WEIGHTS.support * self.space.support(hops, analysis.match)
            + WEIGHTS.focus * ends[last]
            + WEIGHTS.hop * lengths
            + WEIGHTS.prior * self.space.priors(later)
            + WEIGHTS.nothing * self._leads_nowhere(start)[hops[:, 0]]
        )
        return score

    def _leads_nowhere(self, start: Chain) -> Floats:
        """1 for each view from the start's type along which its node has no edge. Shape (views,)."""
        empty = np.zeros(len(self.space.views))
        if start.node is not None:
            for position in self.space.from_type(start.start):
                empty[position] = not self.scorer.has_edge(start.node, self.space.views[position])
        return empty

    # operations

    def _over_chain(self, chain: Chain, analysis: Analysis) -> Iterator[Plan]:
        """Every operation that the cues allow, over one chain."""
        cues = analysis.cues
        free = chain.anchor is None
        plain = Plan("list", (chain,), many=cues.many)
        if chain.hops or free:
            yield from self._over_nodes(plain, analysis)
            for conditioned in self._conditioned(plain, analysis):
                yield from self._over_nodes(conditioned, analysis)
                yield from self._then(conditioned, analysis)
        if len(chain.hops) >= 1 + (not free):
            yield from self._frequent(replace(plain, operation="most"), analysis)
        yield from self._counted(plain, analysis)
        if chain.hops and cues.has("without") and chain.end in analysis.named_types:
            every = Chain(chain.end, None, None)  # "the countries that do not border France"
            yield from self._over_nodes(replace(plain, chains=(every, chain), joined="not"), analysis)
        if not free and len(chain.hops) == 1 and cues.has("same"):
            equal = cues.has("only") or (cues.has("equal") and not self.same_or_more)
            same = Plan("same", (chain,), exactly=equal)
            yield same
            if cues.has("count"):
                yield replace(same, operation="count same")
        if not free and len(chain.hops) <= 2:
            yield from self._features(replace(plain, operation="feature"), analysis)
        if not free and not chain.hops and cues.has("truth"):
            yield from self._held(Plan("holds", (chain,)), analysis)

    def _shared_twice(self, chains: Sequence[Chain], analysis: Analysis) -> Iterator[Plan]:
        """Nodes that share two things with one node: "by the same author and from the same publisher as X"."""
        if not analysis.shares:
            return
        back = [c for c in chains if len(c.hops) == 2 and is_way_back(c.hops[0], c.hops[1])]
        for first, second in itertools.combinations(back, 2):
            if first.end == second.end:
                yield from self._over_nodes(Plan("list", (first, second), many=analysis.cues.many), analysis)

    def _shared_often(self, start: Chain, analysis: Analysis) -> Iterator[Plan]:
        """Nodes that share so many things with one: "share more than two actors with X"."""
        comparison = analysis.cues.comparison or analysis.one
        if not analysis.shares or comparison is None or comparison.loose:
            return
        views = self.space.views
        for view in (views[i] for i in self.space.from_type(start.start)):
            for back in (views[i] for i in self.space.from_type(view.target)):
                if is_way_back(view, back):
                    chain = replace(start, hops=(view, back))
                    yield Plan("frequent", (chain,), number=comparison, many=analysis.cues.many)

    def _counted(self, plan: Plan, analysis: Analysis) -> Iterator[Plan]:
        """Nodes whose number of neighbours compares, or that are reached so often."""
        comparison = analysis.cues.comparison or analysis.one
        chain = plan.chains[0]
        if comparison is None or comparison.loose or not chain.hops or comparison.dates:
            return
        plan = replace(plan, number=comparison)
        if len(chain.hops) > 1 or chain.anchor is None:
            yield replace(plan, operation="by degree")

    def _then(self, plan: Plan, analysis: Analysis) -> Iterator[Plan]:
        """One more hop from chosen nodes: "the authors of the papers of 2007"."""
        for position in self.space.from_type(plan.end):
            followed = replace(plan, then=(self.space.views[position],))
            yield followed
            if analysis.cues.has("count"):
                yield replace(followed, operation="count")
            yield from self._frequent(replace(followed, operation="most"), analysis)

    def _held(self, plan: Plan, analysis: Analysis) -> Iterator[Plan]:
        """Whether a node has a value that the question names, or says yes to a feature."""
        start = plan.chains[0].start
        for value in analysis.values:
            if value.node_type == start:
                yield replace(plan, conditions=(Condition(value.feature, value.operator, value.value),))
        for (node_type, feature), yes in self.values.flags.items():
            if node_type == start and self.scorer.feature_fit(start, feature, analysis) >= FITS:
                yield replace(plan, conditions=(Condition(feature, "=", yes),))

    def _frequent(self, plan: Plan, analysis: Analysis) -> Iterator[Plan]:
        cues = analysis.cues
        if cues.has("most") or cues.has("main"):
            yield plan
        if cues.has("most"):
            yield replace(plan, operation="most neighbours")
        if cues.has("least"):
            yield replace(plan, operation="fewest neighbours")
        if cues.has("average"):
            yield replace(plan, operation="average degree")

    def _over_nodes(self, plan: Plan, analysis: Analysis) -> Iterator[Plan]:
        """What can be asked of some nodes: themselves, how many, the largest, an average."""
        plan = replace(plan, whole=analysis.cues.has("included"))
        yield plan
        if analysis.cues.has("count"):
            yield replace(
                plan, operation="count", whole=plan.whole or counts_whole(plan, analysis, self.lexis)
            )
        for feature in self.graph.schema.node_type(plan.end).features:
            for operation in self._of_feature(plan.end, feature, analysis):
                chosen = replace(plan, operation=operation, feature=feature.name)
                yield chosen
                if operation in {"largest", "smallest"}:
                    yield from self._followed(chosen, analysis)

    def _followed(self, plan: Plan, analysis: Analysis) -> Iterator[Plan]:
        """One more hop from what was chosen: "the capital of the largest country"."""
        for position in self.space.from_type(plan.end):
            view = self.space.views[position]
            focus = analysis.focus
            fit = max(focus[self.lexis.types[view.target]], focus[self.lexis.view_term(view)])
            if view.target != plan.end and fit >= NAMED_TYPE:
                yield replace(plan, after=(view,))

    def _of_feature(self, node_type: str, feature: Feature, analysis: Analysis) -> Iterator[Operation]:
        cues = analysis.cues
        fit = self.scorer.feature_fit(node_type, feature.name, analysis)
        frequent = cues.has("most") or cues.has("main") or cues.many > 1
        if fit >= FITS and frequent and feature.kind != "number":
            yield "most common value"
        if (node_type, feature.name) not in self.values.numeric:
            return
        if fit >= FITS and cues.has("average"):
            yield "average"
        summed = cues.has("total") or (
            cues.has("count") and not self.lexis.has_word(feature.name, NO_AMOUNTS)
        )
        if fit >= FITS and summed:
            yield "total"
        end = self.scorer.wanted_end(feature.name, analysis.cues.superlative)
        if end is not None:
            yield "largest" if end else "smallest"
        elif fit >= FITS and cues.has("most"):
            yield "largest"
        elif fit >= FITS and cues.has("least"):
            yield "smallest"

    def _features(self, plan: Plan, analysis: Analysis) -> Iterator[Plan]:
        for feature in self.graph.schema.node_type(plan.end).features:
            fit = self.scorer.feature_fit(plan.end, feature.name, analysis)
            if fit >= FITS and feature.name != self.graph.schema.node_type(plan.end).label:
                yield replace(plan, operation="feature", feature=feature.name)

    def _conditioned(self, plan: Plan, analysis: Analysis) -> Iterator[Plan]:
        """The plan with what the question states of its nodes: a number, a named value, both."""
        numbers = self._number_conditions(plan.middle, analysis)
        values = self._value_conditions(plan.middle, analysis)
        for condition in [*numbers, *values]:
            yield replace(plan, conditions=(condition,))
        for number in numbers:
            for value in values:
                yield replace(plan, conditions=(number, value))

    def _number_conditions(self, node_type: str, analysis: Analysis) -> list[Condition]:
        comparison = analysis.cues.comparison
        if comparison is None:
            return []
        features = self.graph.schema.node_type(node_type).features
        names = [
            f.name
            for f in features
            if (node_type, f.name) in self.values.numeric
            or (f.kind in DATES and comparison.dates and self.scorer.dates(node_type, f, analysis))
        ]
        return [Condition(name, comparison.operator, comparison.number) for name in names]

    def _value_conditions(self, node_type: str, analysis: Analysis) -> list[Condition]:
        found = [
            Condition(v.feature, v.operator, v.value) for v in analysis.values if v.node_type == node_type
        ]
        wanted = not analysis.cues.has("without")
        for feature in self.graph.schema.node_type(node_type).features:
            named = analysis.match.whole[self.lexis.features[node_type, feature.name]] >= 0.8
            yes = self.values.flags.get((node_type, feature.name))
            if named and feature.kind == "boolean":
                found.append(Condition(feature.name, "=", wanted))
            elif named and yes is not None:
                found.append(Condition(feature.name, "=" if wanted else "!=", yes))
        return list(dict.fromkeys(found))

    # several anchors

    def _joined(self, starts: Sequence[Sequence[Chain]], analysis: Analysis) -> Iterator[Plan]:
        """Intersections of chains from each anchor that end in one type, and hops from there."""
        most_hops = 2 if len(starts) == 2 else 1
        kept = KEPT if len(starts) == 2 else KEPT_OF_THREE
        options = [
            [c for s in group for c in self._best_chains(s, analysis, most_hops)[:kept]][: 2 * kept]
            for group in starts
        ]
        joined: list[tuple[Chain, ...]] = [(chain,) for chain in options[0]]
        for group in options[1:]:
            joined = [(*chains, chain) for chains in joined for chain in group if chain.end == chains[0].end]
        apart = analysis.cues.has("without") and len(starts) == 2
        many = analysis.cues.many
        plans = [
            self._apart(chains, analysis) if apart else Plan("list", chains, many=many) for chains in joined
        ]
        if analysis.either:
            plans = [replace(p, joined="or") for p in plans]
        plans += without_one(self.graph, starts, options, analysis)
        plans = sorted((self.scorer.score(p, analysis) for p in plans), key=lambda p: -p.score)[:KEPT]
        for plan in plans:
            yield from self._over_joined(plan, analysis)
        for plan in plans[:FOLLOWED]:
            for position in self.space.from_type(plan.end):
                yield from self._over_joined(replace(plan, then=(self.space.views[position],)), analysis)

    def _each(self, starts: Sequence[Sequence[Chain]], analysis: Analysis) -> Iterator[Plan]:
        """A feature of each of several nodes of one type, or of all of them together."""
        for chains in itertools.product(*(group[:2] for group in starts)):
            if len({c.start for c in chains}) > 1:
                continue
            plan = Plan("feature", chains, joined="or")
            yield from self._features(plan, analysis)
            for feature in self.graph.schema.node_type(plan.end).features:
                for operation in self._of_feature(plan.end, feature, analysis):
                    if operation in {"total", "average"}:
                        yield replace(plan, operation=operation, feature=feature.name)

    def _apart(self, chains: tuple[Chain, ...], analysis: Analysis) -> Plan:
        """The difference of two chains: what stands after the "not" is taken away."""
        first, second = chains
        assert first.anchor is not None and second.anchor is not None
        if first.anchor.start > analysis.cues.negated >= 0 and second.anchor.start < first.anchor.start:
            first, second = second, first
        return Plan("list", (first, second), joined="not")

    def _over_joined(self, plan: Plan, analysis: Analysis) -> Iterator[Plan]:
        for conditioned in [plan, *self._conditioned(plan, analysis)]:
            yield from self._over_nodes(conditioned, analysis)
        if plan.then:
            yield from self._frequent(replace(plan, operation="most"), analysis)
        yield from self._features(plan, analysis)

    def _between(self, a: Sequence[Chain], b: Sequence[Chain], analysis: Analysis) -> Iterator[Plan]:
        """Questions about two nodes: whether one is among the other's neighbours, connected, larger."""
        cues = analysis.cues
        pairs = [(x, y) for x in a for y in b]
        for start, target in [*pairs, *((y, x) for x, y in pairs)]:
            if cues.has("truth"):
                yield from self._contains(start, target, analysis)
                yield from self._same_value(start, target, analysis)
                if cues.has("relatedness"):
                    hops = ways_from(start.start, target.start, self.space.views)
                    if hops:
                        yield Plan("connected", (replace(start, hops=hops),), target=target)
            if cues.has("path"):
                yield Plan("path", (start,), target=target)
            if cues.has("distance"):
                yield Plan("distance", (start,), target=target)
        for start, target in pairs:
            yield from self._compared(start, target, analysis)

    def _contains(self, start: Chain, target: Chain, analysis: Analysis) -> Iterator[Plan]:
        for chain in self._best_chains(start, analysis, 2):
            if chain.end == target.start:
                yield Plan("contains", (chain,), target=target)

    def _same_value(self, start: Chain, target: Chain, analysis: Analysis) -> Iterator[Plan]:
        """Whether two nodes of one type have the same neighbour: "are A and B from the same brand"."""
        if start.start == target.start and analysis.shares:
            for position in self.space.from_type(start.start):
                hops = (self.space.views[position],)
                if hops[0].target == start.start:
                    continue  # "do A and B share a border" asks whether one borders the other
                yield Plan("same value", (replace(start, hops=hops), replace(target, hops=hops)))

    def _compared(self, start: Chain, target: Chain, analysis: Analysis) -> Iterator[Plan]:
        """Which of two nodes of one type is larger, or whether the first is."""
        cues = analysis.cues
        degree = cues.comparative or cues.superlative
        if start.start != target.start or not (degree or {"most", "least", "more"} & cues.kinds):
            return
        for feature in self.graph.schema.node_type(start.start).features:
            if (start.start, feature.name) not in self.values.numeric:
                continue
            high = self.scorer.wanted_end(feature.name, degree)
            if high is None and self.scorer.feature_fit(start.start, feature.name, analysis) >= FITS:
                high = not cues.has("least")
            if high is None:
                continue
            operation: Operation = "larger" if high else "smaller"
            if cues.has("truth"):
                operation = "is larger" if high else "is smaller"
            yield Plan(operation, (start,), feature=feature.name, target=target)
