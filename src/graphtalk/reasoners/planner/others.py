"""The others of a set: "who wrote P with A", "apart from A, who wrote P" ask for the authors of P without A."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphtalk.graphs import Graph
from graphtalk.reasoners.planner.analysis import NAMED, Analysis
from graphtalk.reasoners.planner.lexis import Lexis
from graphtalk.reasoners.planner.plans import Chain, Plan, is_way_back


def without_one(
    graph: Graph, starts: Sequence[Sequence[Chain]], chains: Sequence[Sequence[Chain]], analysis: Analysis
) -> Iterator[Plan]:
    """Of two anchors, what one leads to without the other.

    `starts` and `chains` hold for each anchor its nodes, and the chains from them. What stands after "apart
    from" is left out. "With A" leaves A out where A is among what is asked for: only then has it company.
    """
    cues = analysis.cues
    if len(starts) != 2 or not (cues.has("without") or cues.has("company")):
        return
    for mine, other in ((0, 1), (1, 0)):
        for chain, left_out in itertools.product(chains[mine], starts[other]):
            if chain.end != left_out.start or not chain.hops:
                continue
            if _is_left_out(left_out, analysis) or (
                cues.has("company") and _leads_to(chain, left_out, graph)
            ):
                yield Plan("list", (chain, replace(left_out, hops=())), joined="not", many=cues.many)


def _is_left_out(chain: Chain, analysis: Analysis) -> bool:
    """Whether an anchor is the first after the word that leaves out."""
    assert chain.anchor is not None
    place = analysis.cues.negated
    after = [a.start for a in analysis.anchors if a.start > place]
    return place >= 0 and chain.anchor.start == min(after, default=-1)


def _leads_to(chain: Chain, target: Chain, graph: Graph) -> bool:
    """Whether a chain of one hop leads to a node."""
    if len(chain.hops) != 1 or chain.node is None:
        return False
    return target.node in graph.neighbours(chain.node, chain.hops[0].name).tolist()


def counts_whole(plan: Plan, analysis: Analysis, lexis: Lexis) -> bool:
    """Whether the members of a group that a node belongs to are counted: it is one of them.

    The group is one thing with a word of its own ("the club of Bob"), and no word says "the same" or "other".
    """
    hops = plan.chains[0].hops
    if len(plan.chains) > 1 or plan.then or len(hops) != 2 or not is_way_back(*hops) or analysis.shares:
        return False
    group = analysis.cover(lexis.types[hops[0].target])
    member = analysis.cover(lexis.types[hops[1].target])
    return any(
        group[i] >= NAMED
        and group[i] > member[i]
        and not token.asks
        and not token.text.casefold().endswith("s")
        for i, token in enumerate(analysis.tokens)
    )
