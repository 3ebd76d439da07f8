"""How well a plan explains a question's words, and no more than them."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphtalk.graphs import Graph, View
from graphtalk.graphs.schema import Feature
from graphtalk.language.english import tokenize
from graphtalk.language.identifiers import split_name
from graphtalk.reasoners.planner.analysis import NAMED, TYPE_NAMED, Analysis
from graphtalk.reasoners.planner.chains import ChainSpace
from graphtalk.reasoners.planner.cues import Comparison, Measure
from graphtalk.reasoners.planner.lexis import EVENT, Floats, Lexis
from graphtalk.reasoners.planner.linking import SURE, Anchor
from graphtalk.reasoners.planner.ordering import Ordering
from graphtalk.reasoners.planner.plans import (
    OF_FEATURE,
    OF_PAIRS,
    OF_TWO_NODES,
    Chain,
    Condition,
    Plan,
    is_way_back,
)


@dataclass(frozen=True)
class Weights:
    """What each part of a plan's score counts."""

    coverage: float = 3.0
    support: float = 1.0
    focus: float = 1.2
    order: float = 1.2
    turned: float = -1.0  # it goes along a relation another way than the question says (`direction`)
    hop: float = -0.18
    prior: float = 0.25
    nothing: float = -0.8  # the anchor has no edge of the first hop
    anchor: float = 0.3
    doubtful: float = -0.8
    unused_cue: float = -0.7
    used_cue: float = 0.3
    hop_joined: float = -0.3
    loop: float = -0.5  # there and back again, where no word says "share" and none says it twice
    main_cue: float = 0.25
    counted: float = 0.5  # the word after "the most" names what is counted
    condition: float = 0.2


WEIGHTS = Weights()
DOUBTFUL = 1.0  # a mention that scores less is likelier a word than a name
LAST_HOP = 0.2  # words of the last hop stand near what is asked for
USUAL = -0.3  # logarithm of a view's share in the edges of its name above which it is no odd one
ANSWERED_BY: dict[str, frozenset[str]] = {
    "count": frozenset({"count", "count same", "feature", "distance", "total", "average", "average degree"}),
    "most": frozenset({"most", "most neighbours", "largest", "most common value", "larger", "is larger"}),
    "least": frozenset({"smallest", "fewest neighbours", "smaller", "is smaller"}),
    "same": frozenset({"same", "count same"}),
    "average": frozenset({"average", "average degree"}),
    "total": frozenset({"total", "count"}),
    "truth": frozenset(
        {"contains", "connected", "feature", "is larger", "is smaller", "holds", "same value"}
    ),
    "superlative": frozenset({"largest", "smallest", "most", "most neighbours", "larger", "smaller"}),
    "comparative": frozenset({"larger", "smaller", "is larger", "is smaller"}),
    "more": frozenset({"larger", "smaller", "is larger", "is smaller", "frequent", "by degree", "most"}),
    "measure": frozenset({"feature", "average"}),
    "path": frozenset({"path"}),
    "distance": frozenset({"distance"}),
}


class Scorer:
    """Scores plans for readings of questions about one graph."""

    def __init__(self, graph: Graph, lexis: Lexis, space: ChainSpace) -> None:
        self.graph = graph
        self.lexis = lexis
        self.space = space
        self._ordering: Ordering | None = None

    def score(self, plan: Plan, analysis: Analysis) -> Plan:
        """The plan with its score and what it is made of."""
        hops = [v for c in plan.chains for v in c.hops] + list(plan.then) + list(plan.after)
        if plan.operation == "connected":
            hops = []
        alike = len({tuple(v.name for v in c.hops) for c in plan.chains}) == 1  # "border France and Germany"
        different = {(v.source, v.name, v.target) for v in hops} if len(plan.chains) > 1 and alike else hops
        parts = {
            "coverage": WEIGHTS.coverage * analysis.covered(self._cover(plan, hops, analysis)),
            "support": WEIGHTS.support * self._support(plan, hops, analysis),
            "focus": WEIGHTS.focus * self._focus(plan, analysis),
            "hops": (WEIGHTS.hop if len(plan.chains) == 1 else WEIGHTS.hop_joined) * len(different),
            "prior": WEIGHTS.prior * sum(self._odd(c) for c in plan.chains),
            "nothing": WEIGHTS.nothing * sum(self._starts_nowhere(c) for c in plan.chains),
            "anchors": sum(_worth(a) for a in plan.anchors),
            "cues": self._cues(plan, analysis),
            "loops": WEIGHTS.loop * sum(self._unasked_loop(c, analysis) for c in plan.chains),
            "order": WEIGHTS.order * self._order(plan, analysis),
        }
        return plan.scored(parts)

    # what a plan says of the question's words

    def _cover(self, plan: Plan, hops: Sequence[View], analysis: Analysis) -> Floats:
        """How well the plan explains each token. Shape (tokens,)."""
        starts = [*plan.chains, *([plan.target] if plan.target else [])]
        terms = [self.lexis.types[c.start] for c in starts]
        terms += [t for c in starts if c.anchor for t in self.lexis.names[c.start]]
        for view in hops:
            terms += [self.lexis.view_term(view), self.lexis.types[view.target]]
        if plan.feature:
            terms.append(self.lexis.features[plan.end, plan.feature])
        terms += [self.lexis.features[plan.middle, c.feature] for c in plan.conditions]
        cover: Floats = analysis.match.tokens[:, terms].max(axis=1)
        if plan.operation in {"largest", "smallest"} and self.lexis.has_word(plan.feature, ("year", "date")):
            cover = np.maximum(cover, analysis.in_group(EVENT))  # "published first" has the smallest year
        for condition in plan.conditions:
            cover = np.maximum(cover, _said(condition, analysis))
        if plan.operation in {"frequent", "same value"} or (len(plan.chains) > 1 and plan.joined == "and"):
            cover = np.maximum(cover, analysis.in_group("share"))
        if plan.operation in OF_TWO_NODES:
            cover = np.maximum(cover, analysis.in_group("associate"))
        if any(is_way_back(a, b) for c in plan.chains for a, b in zip(c.hops, c.hops[1:], strict=False)):
            cover = np.maximum(cover, analysis.in_group("share"))
        return cover

    def _support(self, plan: Plan, hops: Sequence[View], analysis: Analysis) -> float:
        """How well the question's words support what the plan is made of, on average."""
        whole = analysis.match.whole
        values = [self.space.supported(view, whole) for view in hops]
        if plan.feature:
            values.append(self.feature_fit(plan.end, plan.feature, analysis))
        values += [self._condition_fit(plan.middle, c, analysis) for c in plan.conditions]
        if not values and not plan.anchors:
            return float(whole[self.lexis.types[plan.chains[0].start]])
        return sum(values) / len(values) if values else 0.5

    def _condition_fit(self, node_type: str, condition: Condition, analysis: Analysis) -> float:
        fit = float(analysis.match.whole[self.lexis.features[node_type, condition.feature]])
        if isinstance(condition.value, str):
            return max(0.8, fit)
        if isinstance(condition.value, bool):
            return fit
        year = Comparison(condition.operator, condition.value).dates and self.lexis.has_word(
            condition.feature, ("year", "date")
        )
        compared = self.wanted_end(condition.feature, analysis.cues.comparative) is not None
        return max(fit, 0.8 * year, 0.9 * compared)

    def _focus(self, plan: Plan, analysis: Analysis) -> float:
        """How well what the plan answers with fits what is asked for."""
        focus = analysis.focus
        if plan.operation in OF_FEATURE:
            named = float(focus[self.lexis.features[plan.end, plan.feature]])
            return max(named, 0.9 * (self.wanted_end(plan.feature, analysis.cues.measure) is not None))
        if plan.operation in {"contains", "holds", "same value", *OF_TWO_NODES, *OF_PAIRS}:
            return 0.6
        if plan.after:
            return self._fits_focus(plan.after[-1].target, plan.after[-1:], analysis)
        if plan.operation in {"same", "count same"}:
            return float(focus[self.lexis.types[plan.chains[0].start]])
        if plan.operation == "average degree":
            return float(focus[self.lexis.types[plan.end]])
        if plan.operation in {"most neighbours", "fewest neighbours", "by degree"}:
            return self._fits_focus(plan.last_hops[0].source, plan.hops_before_last, analysis)
        return self._fits_focus(plan.end, plan.last_hops, analysis)

    def _fits_focus(self, node_type: str, last: Sequence[View], analysis: Analysis) -> float:
        by_type = float(analysis.focus[self.lexis.types[node_type]])
        if not last:
            return by_type * (1.0 + LAST_HOP)
        terms = [self.lexis.view_term(v) for v in last]
        typeless = max(float(analysis.focus[t]) for t in self.lexis.types.values()) < NAMED
        named = [t for t, v in zip(terms, last, strict=True) if typeless or self.space.can_name_target(v)]
        typed = analysis.typed_focus
        by_name = 0.95 if typed < 0.8 else 0.6  # where the focus names a type, that type is wanted
        best = max([by_type, *(by_name * float(analysis.focus[t]) for t in named)])
        return best + LAST_HOP * max(float(analysis.nearness[t]) for t in terms)

    def _cues(self, plan: Plan, analysis: Analysis) -> float:
        """Cues that the plan answers to, less those that it ignores."""
        cues = analysis.cues
        score = 0.0
        for kind in cues.kinds & ANSWERED_BY.keys():
            used = plan.operation in ANSWERED_BY[kind] and self._serves(plan, kind)
            weight = 2.0 if kind == "truth" and len(analysis.anchors) > 1 else 1.0
            score += WEIGHTS.used_cue if used else weight * WEIGHTS.unused_cue
        if cues.has("main"):
            score += WEIGHTS.main_cue if plan.operation == "most" else -WEIGHTS.main_cue
        if cues.has("comparison") or analysis.one:
            compared = plan.number is not None or any(
                not isinstance(c.value, str | bool) for c in plan.conditions
            )
            score += WEIGHTS.used_cue if compared else WEIGHTS.unused_cue
        score += WEIGHTS.condition * sum(isinstance(c.value, str) for c in plan.conditions)
        if cues.has("both") and len(plan.chains) > 1 and plan.joined == "and":
            score += WEIGHTS.used_cue
        if len(plan.chains) > 1:
            score += WEIGHTS.used_cue if (plan.joined == "or") == analysis.either else WEIGHTS.unused_cue
        if plan.operation in {"frequent", "same value"}:
            score += 2 * WEIGHTS.used_cue
        if (
            plan.operation != "same value"
            and len(plan.chains) > 1
            and (plan.joined == "not") != cues.has("without")
            and not (plan.joined == "not" and cues.has("company"))
        ):
            score += WEIGHTS.unused_cue
        return score + self._counts(plan, analysis)

    def _counts(self, plan: Plan, analysis: Analysis) -> float:
        """Whether what "the most" counts is what the word after it names."""
        if analysis.cues.counted < 0 or plan.operation not in {
            "most",
            "most neighbours",
            "fewest neighbours",
        }:
            return 0.0
        view = plan.last_hops[0]
        counted = view.source if plan.operation == "most" else view.target
        word = analysis.match.tokens[analysis.cues.counted]
        named = float(word[self.lexis.types[counted]])
        if plan.operation != "most":  # "the most cited papers" counts by a verb
            named = max(named, float(word[self.lexis.view_term(view)]))
        return WEIGHTS.counted * named

    def _serves(self, plan: Plan, kind: str) -> bool:
        """Whether the plan's feature, if it asks for one, is of the kind that a cue wants."""
        wanted = {"count": "number", "truth": "boolean"}.get(kind)
        if not plan.feature or wanted is None or plan.operation != "feature":
            return True
        features = self.graph.schema.node_type(plan.end).features
        return any(f.name == plan.feature and f.kind == wanted for f in features)

    def _order(self, plan: Plan, analysis: Analysis) -> float:
        if plan.operation == "holds":
            return 1.0
        if self._ordering is None or self._ordering.analysis is not analysis:
            self._ordering = Ordering(analysis, self.lexis)
        orders = [self._ordering.order(c) for c in plan.chains if c.hops and plan.operation != "connected"]
        if not orders and plan.feature and plan.chains[0].anchor:
            words = analysis.cover(self.lexis.features[plan.end, plan.feature])
            return max(float(words.max(initial=0.0)), self.feature_fit(plan.end, plan.feature, analysis))
        return sum(orders) / len(orders) if orders else 0.0

    # what the graph says of a plan

    def _unasked_loop(self, chain: Chain, analysis: Analysis) -> bool:
        if analysis.shares:
            return False
        for view, back in itertools.pairwise(chain.hops):
            words = np.flatnonzero(analysis.cover(self.lexis.view_term(view)) >= NAMED)
            if is_way_back(view, back) and (not len(words) or words[-1] - words[0] < 2):
                return True
        return False

    def _odd(self, chain: Chain) -> float:
        """How unusual the hops are. The first hop from a node is not: either the node has such an edge or not."""
        hops = chain.hops[1:] if chain.node is not None else chain.hops
        return sum(self.space.prior_of(v) for v in hops)

    def _starts_nowhere(self, chain: Chain) -> bool:
        return chain.node is not None and bool(chain.hops) and not self.has_edge(chain.node, chain.hops[0])

    def has_edge(self, node: int, view: View) -> bool:
        """Whether a node has an edge along a view."""
        return self.graph.has_edge(node, view)

    # features

    def dates(self, node_type: str, feature: Feature, analysis: Analysis) -> bool:
        """Whether a feature may be what a year in the question is of: it is named, or called a date and no more."""
        named = analysis.match.whole[self.lexis.features[node_type, feature.name]] >= TYPE_NAMED
        return bool(named) or self.lexis.has_word(feature.name, ("year", "date"))

    def feature_fit(self, node_type: str, feature: str, analysis: Analysis) -> float:
        """How well the question names a feature, by its words or by an adjective that measures it."""
        fit = float(analysis.match.whole[self.lexis.features[node_type, feature]])
        for measure in (analysis.cues.superlative, analysis.cues.comparative, analysis.cues.measure):
            if measure is not None:
                fit = max(fit, self._rank(feature, measure))
        return fit

    def _rank(self, feature: str, measure: Measure) -> float:
        """1 for the first feature that an adjective measures, less for later ones, 0 for others."""
        for rank, (word, _) in enumerate(measure.features):
            if self.lexis.has_word(feature, (word,)):
                return 1.0 - 0.1 * rank
        return 0.0

    def wanted_end(self, feature: str, measure: Measure | None) -> bool | None:
        """Whether an adjective wants the high end of a feature; None where it does not measure it."""
        if measure is not None and measure.high is not None:
            name = tuple(t.stem for t in tokenize(" ".join(split_name(feature))))
            if name == measure.of[: len(name)]:
                return measure.high
        for word, high in measure.features if measure else ():
            if self.lexis.has_word(feature, (word,)):
                return high
        return None


def _worth(anchor: Anchor) -> float:
    """What taking a span for a name counts: less than nothing where it is likelier a mere word."""
    return WEIGHTS.anchor * (min(anchor.score, 4.0) - DOUBTFUL) if anchor.score >= SURE else WEIGHTS.doubtful


def _said(condition: Condition, analysis: Analysis) -> Floats:
    """1 for the tokens that name the condition's value. Shape (tokens,)."""
    found = np.zeros(len(analysis.tokens))
    for value in analysis.values:
        if value.feature == condition.feature and value.value == condition.value:
            found[list(value.tokens)] = 1.0
    return found


def ways_from(source: str, target: str, views: Sequence[View]) -> tuple[View, ...]:
    """A shortest way from one node type to another over the schema; empty where there is none."""
    ways: dict[str, tuple[View, ...]] = {}
    edge: list[tuple[str, tuple[View, ...]]] = [(source, ())]
    while edge and target not in ways:
        step: list[tuple[str, tuple[View, ...]]] = []
        for node_type, way in edge:
            for view in (v for v in views if v.source == node_type and v.target not in ways):
                ways[view.target] = (*way, view)
                step.append((view.target, ways[view.target]))
        edge = step
    return ways.get(target, ())
