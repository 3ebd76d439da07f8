"""Answers from a retrieved subgraph without a model: the nodes to which the question's relations lead, typed by it.

From each node that the question names, the subgraph is walked up to three edges. The nodes that one sequence of relations
leads to are one candidate, for each type of node. It is judged by how much of the question its relations and its type
explain, and by how well its type is what the question asks for, with the words and the cues of the offline planner. Where
the question names several nodes, what all of them lead to counts. A candidate that explains too little is not given, and
none is where two are as good.

A subgraph is a part: what it does not have is not found, and nothing in it can be counted. Such questions are declined.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

import numpy as np

from graphtalk.core import Answer, CallError, Evidence, Question, Step
from graphtalk.reasoners.g_retriever.retrieved import Retrieved
from graphtalk.reasoners.g_retriever.settings import SETTINGS
from graphtalk.reasoners.planner.analysis import Analysis
from graphtalk.reasoners.planner.linking import Anchor
from graphtalk.reasoners.planner.planner import ENOUGH, MORE_PER_HOP, Planner
from graphtalk.reasoners.support import support
from graphtalk.search.subgraph import Options
from graphtalk.tools.executor import Executor, Result

HOPS = 3
NAMED = 0.3  # what it counts for that each relation is named, beside what is explained
UNSURE = 0.02  # of two candidates so near to each other neither is given
_TRIED = 12  # candidates of each named node that are combined
_MOST_PATHS = 2_000
_WHOLE = frozenset(
    {"truth", "count", "most", "least", "average", "sum", "distance", "superlative", "comparative"}
)


@dataclass(frozen=True)
class Candidate:
    """Nodes that one sequence of relations leads to. `score` says how well that fits, `enough` whether well enough."""

    nodes: frozenset[int]
    score: float
    enough: bool


@dataclass(frozen=True)
class Extractor:
    """Answers questions about one graph from what is retrieved for them."""

    executor: Executor
    planner: Planner | None
    options: Options = field(default_factory=Options)
    name: str = "g-retriever"

    def run(self, question: Question) -> Iterator[Step]:
        """The steps towards an answer; the last carries it."""
        call = SETTINGS["g-retriever"].call(question.text, self.options)
        if self.planner is None or call is None:
            yield from self._end(Answer(False, "A question is about one graph, not about a set of graphs."))
            return
        try:
            result = self.executor.run(call)
        except CallError as error:
            yield from self._end(Answer(False, f"Nothing could be retrieved: {error}"))
            return
        found = Retrieved.of(result)
        yield Step("call", result.trail.spelling, call=result.calls[-1])
        yield Step("observation", f"{len(found.nodes):,} nodes, {len(found.edges):,} edges")
        yield from self._end(self._answer(question.text, result, found, self.planner))

    def _answer(self, question: str, result: Result, found: Retrieved, planner: Planner) -> Answer:
        anchors = next(planner.linker.sets(question), ())
        analysis = Analysis.of(question, anchors, planner.lexis, planner.values, planner.embedder)
        if not anchors:
            return _declined("it names nothing in the graph", result)
        if analysis.cues.kinds & _WHOLE:
            return _declined("a part of a graph is not enough to count, compare or deny", result)
        best = Walk(found, planner, analysis).best(anchors)
        if best is None or not best.enough:
            return _declined("nothing that was retrieved explains enough of it", result)
        names = dict.fromkeys(found.graph.labels(sorted(best.nodes)))
        checked = support(self.executor, ", ".join(names), [result], question)
        if checked.unsupported:
            return _declined("what was retrieved is named ambiguously", result)
        return Answer(True, checked.text, checked.value, checked.evidence, checked.calls)

    def _end(self, answer: Answer) -> Iterator[Step]:
        signed = replace(answer, reasoner=self.name)
        yield Step("answer", signed.text, answer=signed)


@dataclass(frozen=True)
class Walk:
    """Walks over a subgraph, judged by a question."""

    found: Retrieved
    planner: Planner
    analysis: Analysis

    def best(self, anchors: Sequence[Anchor]) -> Candidate | None:
        """The best candidate that all anchors lead to; none where another is as good."""
        named = {node for anchor in anchors for node in anchor.nodes}
        lists = [sorted(self._candidates(a, named), key=lambda c: -c.score)[:_TRIED] for a in anchors]
        combined: list[Candidate] = []
        for parts in product(*lists):
            shared = frozenset.intersection(*(part.nodes for part in parts))
            if shared:
                score = sum(part.score for part in parts) / len(parts)
                combined.append(Candidate(shared, score, all(part.enough for part in parts)))
        best = max(combined, key=lambda c: c.score, default=None)
        rivals = [c for c in combined if best is not None and c.nodes != best.nodes]
        unsure = best is not None and any(best.score - c.score < UNSURE for c in rivals)
        return None if unsure else best

    def _candidates(self, anchor: Anchor, named: set[int]) -> Iterator[Candidate]:
        paths: dict[tuple[int, ...], set[int]] = {(): set(anchor.nodes)}
        for hop in range(1, HOPS + 1):
            reached: dict[tuple[int, ...], set[int]] = {}
            for path, nodes in paths.items():
                for node in nodes:
                    for term, other in self._steps.get(node, ()):
                        reached.setdefault((*path, term), set()).add(other)
            paths = dict(list(reached.items())[:_MOST_PATHS])
            for path, nodes in paths.items():
                yield from self._typed(path, nodes - named, hop)

    def _typed(self, path: tuple[int, ...], nodes: set[int], hops: int) -> Iterator[Candidate]:
        """A candidate for each type of nodes that a path leads to."""
        graph, analysis = self.found.graph, self.analysis
        for node_type in {graph.node_type(node).name for node in nodes}:
            term = self.planner.lexis.types[node_type]
            cover = np.max([analysis.cover(t) for t in (*path, term)], axis=0)
            explained = analysis.covered(cover)
            named = float(np.mean([analysis.cover(t).max(initial=0.0) for t in path]))
            score = explained + float(analysis.focus[term]) + NAMED * named - MORE_PER_HOP * (hops - 1)
            chosen = frozenset(node for node in nodes if graph.node_type(node).name == node_type)
            yield Candidate(chosen, score, explained >= ENOUGH + MORE_PER_HOP * (hops - 1))

    @cached_property
    def _steps(self) -> Mapping[int, list[tuple[int, int]]]:
        """From each node of the subgraph the term of each edge's view, and the node that it leads to."""
        graph, lexis = self.found.graph, self.planner.lexis
        views = {(v.relation, d): lexis.view_term(v) for v in graph.schema.views for d in _ways(v.direction)}
        relations = np.searchsorted(graph.edge_offsets, self.found.edges, "right") - 1
        steps: dict[int, list[tuple[int, int]]] = {}
        sources, targets = self.found.ends
        for r, source, target in zip(relations.tolist(), sources.tolist(), targets.tolist(), strict=True):
            steps.setdefault(source, []).append((views[r, "out"], target))
            steps.setdefault(target, []).append((views[r, "in"], source))
        return steps


def _ways(direction: str) -> tuple[str, ...]:
    return ("out", "in") if direction == "both" else (direction,)


def _declined(why: str, result: Result) -> Answer:
    return Answer(
        False,
        f"This cannot be answered from what was retrieved: {why}.",
        evidence=Evidence(),
        calls=result.calls,
    )
