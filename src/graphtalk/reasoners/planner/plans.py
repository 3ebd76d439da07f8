"""Plans: what a question may mean, as chains of hops under an operation; each is written as one call."""

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from graphtalk.calls.ast import Call, Expression, NodeRef, Number, Text
from graphtalk.graphs import Graph, View
from graphtalk.reasoners.planner.cues import Comparison
from graphtalk.reasoners.planner.linking import Anchor

Operation: TypeAlias = Literal[
    "list", "count", "most", "feature", "average", "total", "largest", "smallest", "most neighbours", "filter",
    "count filter", "contains", "connected", "same", "count same", "path", "distance",
]  # fmt: skip


@dataclass(frozen=True)
class Chain:
    """Hops from an anchor's node, or from all nodes of a type where there is no anchor."""

    start: str
    anchor: Anchor | None
    node: int | None
    hops: tuple[View, ...] = ()

    @property
    def end(self) -> str:
        """The node type that the chain leads to."""
        return self.hops[-1].target if self.hops else self.start

    @property
    def names(self) -> tuple[str, ...]:
        """The view names along the chain."""
        return tuple(v.name for v in self.hops)


@dataclass(frozen=True)
class Plan:
    """An operation on one chain, or on the intersection of several; `then` are hops that follow.

    `feature` and `comparison` serve the operations that need them; `target` is the node that a yes/no
    question asks about.
    """

    operation: Operation
    chains: tuple[Chain, ...]
    then: tuple[View, ...] = ()
    feature: str = ""
    comparison: Comparison | None = None
    target: Chain | None = None
    exactly: bool = False  # "the same and no others"
    apart: bool = False  # the chains' difference instead of their intersection
    score: float = 0.0
    parts: tuple[tuple[str, float], ...] = ()

    @property
    def end(self) -> str:
        """The node type of what the plan's nodes are."""
        return self.then[-1].target if self.then else self.chains[0].end

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """The anchors that the plan uses."""
        found = [c.anchor for c in (*self.chains, *([self.target] if self.target else [])) if c.anchor]
        return tuple(found)

    def scored(self, parts: dict[str, float]) -> "Plan":
        """The same plan with a score: the sum of its parts."""
        return replace(self, score=sum(parts.values()), parts=tuple(parts.items()))

    def key(self) -> tuple[object, ...]:
        """Equal for plans that are written as the same call."""
        chains = tuple((c.start, c.node, c.names) for c in self.chains)
        target = (self.target.node, self.target.names) if self.target else None
        return (
            self.operation,
            chains,
            tuple(v.name for v in self.then),
            self.feature,
            self.comparison,
            target,
        )

    def call(self, graph: Graph) -> Call:
        """The plan as one expression of the call language."""
        nodes = self._nodes(graph)
        match self.operation:
            case "count" | "count filter":
                return Call("Count", (self._filtered(nodes) if self.comparison else nodes,))
            case "filter":
                return self._filtered(nodes)
            case "most":
                return Call(
                    "MostFrequent", (_hop(_distinct(self._nodes(graph, last=False)), self._hops[-1]),)
                )
            case "feature":
                return Call("NodeFeature", (nodes, Text(self.feature)))
            case "average" | "total":
                values = Call("NodeFeature", (nodes, Text(self.feature)))
                return Call("Average" if self.operation == "average" else "Sum", (values,))
            case "largest" | "smallest":
                return Call("Top" if self.operation == "largest" else "Bottom", (nodes, Text(self.feature)))
            case "most neighbours":
                return Call("TopDegree", (self._nodes(graph, last=False), Text(self._hops[-1].name)))
            case "same" | "count same":
                chain = self.chains[0]
                same = Call(
                    "SameNeighbours" if self.exactly else "ShareNeighbours",
                    (_start(chain, graph), Text(chain.hops[0].name)),
                )
                return same if self.operation == "same" else Call("Count", (same,))
            case "contains":
                return Call("Contains", (nodes, self._target(graph)))
            case "connected":
                hops = Number(len(self.chains[0].hops) or 1)
                return Call("Connected", (_start(self.chains[0], graph), self._target(graph), hops))
            case "path":
                return Call("Path", (_start(self.chains[0], graph), self._target(graph)))
            case "distance":
                return Call("Distance", (_start(self.chains[0], graph), self._target(graph)))
            case "list":
                return nodes if isinstance(nodes, Call) else Call("Distinct", (nodes,))

    @property
    def _hops(self) -> tuple[View, ...]:
        return self.then or self.chains[0].hops

    def _target(self, graph: Graph) -> Expression:
        assert self.target is not None
        return _start(self.target, graph)

    def _filtered(self, nodes: Expression) -> Call:
        assert self.comparison is not None
        number = self.comparison.number
        value = Number(int(number) if number == int(number) else number)
        return Call("Filter", (nodes, Text(self.feature), Text(self.comparison.operator), value))

    def _nodes(self, graph: Graph, last: bool = True) -> Expression:
        """The plan's nodes as an expression; without the last hop where `last` is false."""
        cut = 0 if last or self.then else 1
        parts = [_walk(chain, graph, len(chain.hops) - cut) for chain in self.chains]
        nodes = parts[0]
        for part in parts[1:]:
            nodes = Call("Difference" if self.apart else "Intersect", (nodes, part))
        for view in self.then[: len(self.then) - (0 if last else 1)]:
            nodes = _distinct(_hop(_distinct(nodes), view))
        return nodes


def _start(chain: Chain, graph: Graph) -> Expression:
    if chain.node is None:
        return Call("Nodes", (Text(chain.start),))
    label = graph.label(chain.node)
    if chain.anchor is not None and len(_of_type(chain.anchor.nodes, chain.start, graph)) > 1:
        return NodeRef(chain.start, graph.id(chain.node))
    return Call("RetrieveNode", (Text(label), Text(chain.start)))


def _of_type(nodes: tuple[int, ...], node_type: str, graph: Graph) -> list[int]:
    return [n for n in nodes if graph.node_type(n).name == node_type]


def _hop(nodes: Expression, view: View) -> Call:
    return Call("NeighbourCheck", (nodes, Text(view.name)))


def _distinct(nodes: Expression) -> Expression:
    if isinstance(nodes, Call) and nodes.function in {"NeighbourCheck", "Union"}:
        return Call("Distinct", (nodes,))
    return nodes


def _walk(chain: Chain, graph: Graph, hops: int) -> Expression:
    """The chain's first `hops` hops. Where a way comes back to the start's own type it leaves the start out."""
    start = _start(chain, graph)
    nodes: Expression = start
    for position, view in enumerate(chain.hops[:hops]):
        nodes = _hop(_distinct(nodes), view)
        if position > 0 and chain.node is not None and view.target == chain.start:
            nodes = Call("Difference", (_distinct(nodes), start))
    return _distinct(nodes) if hops > 1 else nodes
