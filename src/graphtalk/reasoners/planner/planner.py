"""The planner: a question in, ranked plans out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphtalk.graphs import Graph
from graphtalk.reasoners.planner.analysis import Analysis
from graphtalk.reasoners.planner.chains import ChainSpace
from graphtalk.reasoners.planner.lexis import Lexis
from graphtalk.reasoners.planner.linking import Anchor, Linker
from graphtalk.reasoners.planner.listing import Lister
from graphtalk.reasoners.planner.plans import Plan
from graphtalk.reasoners.planner.scoring import WEIGHTS, Scorer
from graphtalk.reasoners.planner.values import ValueTable
from graphtalk.search.embedder import Embedder, load_embedder
from graphtalk.search.index import Index

ENOUGH = 0.45  # share of the question's words that a plan must explain
MORE_PER_HOP = 0.12
ENOUGH_FREE = 0.82  # the same where no node is named
ENOUGH_FOCUSED = 0.3  # the same for one hop to what the question asks for by name
UNFOCUSED = 0.25  # more where what is asked for is nothing that the plan speaks of
LEAST_SUPPORT = 0.2  # of the hops and features by the question's words
CLEAR = 0.85  # a plan that explains so much with all anchors of the likeliest set needs no rival set


@dataclass(frozen=True)
class Ranked:
    """A plan and the reading of the question that it belongs to."""

    plan: Plan
    analysis: Analysis

    @property
    def coverage(self) -> float:
        """The share of the question's words that the plan explains, 0 to 1."""
        return dict(self.plan.parts)["coverage"] / WEIGHTS.coverage

    @property
    def fits(self) -> bool:
        """Whether the plan explains enough of the question to be trusted.

        More hops must explain more. What is asked for must be among what the plan speaks of, and the plan
        must rest on more than the names that the question mentions.
        """
        plan, parts = self.plan, dict(self.plan.parts)
        cues = self.analysis.cues
        if cues.has("measure") and plan.operation not in {"feature", "average", "distance"}:
            return False
        if self.analysis.unknown_focus or self.analysis.unknown_name:
            return False
        hops = max(len(c.hops) for c in plan.chains) + len(plan.then) + len(plan.after)
        enough = ENOUGH + MORE_PER_HOP * max(0, hops - 1) if plan.anchors else ENOUGH_FREE
        focused = parts["focus"] >= 0.75 * WEIGHTS.focus and self.analysis.named_focus
        if focused and hops <= 1 and plan.anchors:
            enough = ENOUGH_FOCUSED
        elif parts["focus"] < 0.3 * WEIGHTS.focus:
            enough += UNFOCUSED
        bare = plan.operation == "contains" and hops <= 1 and not self.analysis.weights.any()
        return self.coverage >= enough and (bare or parts["support"] >= LEAST_SUPPORT)

    @property
    def slips(self) -> list[Anchor]:
        """Names that the question misspells, as far as the plan uses them."""
        return [a for a in self.plan.anchors if a.misspelt]

    @property
    def unexplained(self) -> list[str]:
        """The words of the question that nothing in the graph matches."""
        return self.analysis.unexplained


class Planner:
    """Ranks the plans for questions about one graph. See `Lister` for `same_or_more`."""

    def __init__(
        self, graph: Graph, index: Index, embedder: Embedder | None = None, same_or_more: bool = False
    ) -> None:
        self.graph = graph
        self.embedder = embedder or load_embedder("static")
        self.lexis = Lexis(graph.schema)
        self.linker = Linker(graph, index, self.lexis)
        self.values = ValueTable(graph)
        space = ChainSpace(graph.schema, self.lexis)
        self.scorer = Scorer(graph, self.lexis, space)
        self.lister = Lister(graph, self.lexis, space, self.values, self.scorer, same_or_more)

    def plans(self, question: str, most: int = 20) -> list[Ranked]:
        """The best plans over all sets of anchors, best first."""
        found: dict[tuple[object, ...], Ranked] = {}
        for anchors in self.linker.sets(question):
            self._add(question, anchors, found)
            best = max(found.values(), key=lambda r: r.plan.score, default=None)
            if best is not None and best.coverage >= CLEAR and set(best.plan.anchors) == set(anchors):
                break
        if not any(ranked.fits for ranked in found.values()):
            for anchors in self.linker.misspelt(question):
                self._add(question, anchors, found)
        return sorted(found.values(), key=lambda r: -r.plan.score)[:most]

    def unexplained(self, question: str) -> list[str]:
        """The words of a question that nothing in the graph matches, whether there is a plan for it or none."""
        anchors = next(iter(self.linker.sets(question)), ())
        return Analysis.of(question, anchors, self.lexis, self.values, self.embedder).unexplained

    def _add(self, question: str, anchors: Sequence[Anchor], found: dict[tuple[object, ...], Ranked]) -> None:
        analysis = Analysis.of(question, anchors, self.lexis, self.values, self.embedder)
        for plan in self.lister.plans(analysis):
            scored = replace(self.scorer.score(plan, analysis), named=analysis.named_types)
            key = scored.key()
            if key not in found or found[key].plan.score < scored.score:
                found[key] = Ranked(scored, analysis)
