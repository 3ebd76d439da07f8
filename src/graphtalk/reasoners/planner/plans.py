"""Plans: what a question may mean, as chains of hops under an operation; each is written as one call."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from graphtalk.calls.ast import Boolean, Call, Expression, NodeRef, Number, Text
from graphtalk.graphs import Graph, View
from graphtalk.reasoners.planner.cues import Comparison
from graphtalk.reasoners.planner.linking import Anchor

Operation: TypeAlias = Literal[
    "list", "count", "most", "feature", "average", "total", "largest", "smallest", "most neighbours",
    "fewest neighbours", "average degree", "most common value", "larger", "smaller", "is larger", "is smaller", "contains", "holds", "same value",
    "frequent", "by degree",
    "connected", "same", "count same", "path", "distance",
]  # fmt: skip
JOINED_BY = {"and": "Intersect", "or": "Union", "not": "Difference"}
OF_FEATURE = frozenset({"feature", "average", "total", "most common value"})
OF_PAIRS = frozenset({"larger", "smaller", "is larger", "is smaller"})
OF_TWO_NODES = frozenset({"connected", "path", "distance"})


@dataclass(frozen=True)
class Condition:
    """A test of a feature: `population > 1000000`, `driving side = "left"`."""

    feature: str
    operator: str
    value: str | float | bool


@dataclass(frozen=True)
class Chain:
    """Hops from an anchor's node, or from all nodes of a type where there is no anchor.

    Where several nodes have the anchor's name, `called` is the feature that holds it, and all of them are meant.
    """

    start: str
    anchor: Anchor | None
    node: int | None
    hops: tuple[View, ...] = ()
    called: str = ""

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

    `conditions` choose among the nodes that the chains lead to, before `then`. `feature` serves operations
    that need one. `target` is the node that a yes/no question asks about. `joined` says how
    the chains are: "and" takes their intersection, "or" their union, "not" their difference. `after` are hops from what the operation chose.
    With `whole` a way that comes back to where it starts keeps the start, as in "the club of Bob, himself included".
    `named` are the node types that the question names: a relation that leads to them and to others leads to them alone.
    """

    operation: Operation
    chains: tuple[Chain, ...]
    then: tuple[View, ...] = ()
    conditions: tuple[Condition, ...] = ()
    feature: str = ""
    target: Chain | None = None
    exactly: bool = False
    joined: Literal["and", "or", "not"] = "and"
    after: tuple[View, ...] = ()
    many: int = 1
    number: Comparison | None = None
    whole: bool = False
    named: frozenset[str] = frozenset()
    score: float = 0.0
    parts: tuple[tuple[str, float], ...] = ()

    @property
    def middle(self) -> str:
        """The node type that the chains lead to."""
        return self.chains[0].end

    @property
    def end(self) -> str:
        """The node type of the plan's nodes, before `after`."""
        return self.then[-1].target if self.then else self.middle

    @property
    def last_hops(self) -> tuple[View, ...]:
        """The last hops before the operation."""
        if self.then:
            return (self.then[-1],)
        return tuple(c.hops[-1] for c in self.chains if c.hops)

    @property
    def hops_before_last(self) -> tuple[View, ...]:
        """The hops to the nodes whose neighbours the last hops lead to."""
        if self.then:
            return self.then[-2:-1] or tuple(c.hops[-1] for c in self.chains if c.hops)
        return tuple(c.hops[-2] for c in self.chains if len(c.hops) > 1)

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """The anchors that the plan uses."""
        chains = (*self.chains, *([self.target] if self.target else []))
        return tuple(c.anchor for c in chains if c.anchor)

    def scored(self, parts: dict[str, float]) -> "Plan":
        """The same plan with a score: the sum of its parts."""
        return replace(self, score=sum(parts.values()), parts=tuple(parts.items()))

    def key(self) -> tuple[object, ...]:
        """Equal for plans that are written as the same call."""
        chains = tuple((c.start, c.node, self._ways(c.hops)) for c in self.chains)
        hops = self._ways(self.then), self._ways(self.after)
        target = (self.target.node, self.target.names) if self.target else None
        return (
            self.operation,
            chains,
            hops,
            self.conditions,
            self.feature,
            target,
            (self.joined, self.exactly, self.many, self.number, self.whole),
        )

    def _ways(self, hops: Sequence[View]) -> tuple[tuple[str, str], ...]:
        return tuple((v.name, v.target if v.target in self.named else "") for v in hops)

    def call(self, graph: Graph) -> Call:
        """The plan as one expression of the call language."""
        writer = _Writer(self, graph)
        found = writer.operation()
        for view in self.after:
            found = writer.hop(found, view)
        return found if isinstance(found, Call) else Call("Distinct", (found,))


def is_way_back(view: View, following: View) -> bool:
    """Whether a hop follows the edges of the hop before it backwards."""
    if view.relation != following.relation:
        return False
    return view.direction == "both" or view.direction != following.direction


@dataclass(frozen=True)
class _Writer:
    """Writes one plan as a call."""

    plan: Plan
    graph: Graph

    def operation(self) -> Expression:
        plan = self.plan
        first = plan.chains[0]
        match plan.operation:
            case "list":
                return _distinct(self.nodes())
            case "count":
                return Call("Count", (_distinct(self.nodes()),))
            case "most":
                return Call("MostFrequent", (self._last_bag(), *self._k()))
            case "feature":
                return self._values()
            case "average":
                return Call("Average", (self._values(),))
            case "total":
                return Call("Sum", (self._values(),))
            case "most common value":
                return Call("MostFrequent", (self._values(), *self._k()))
            case "largest" | "smallest":
                function = "Top" if plan.operation == "largest" else "Bottom"
                return Call(function, (self.nodes(whole=True), Text(plan.feature), *self._k()))
            case "most neighbours" | "fewest neighbours":
                function = "TopDegree" if plan.operation == "most neighbours" else "BottomDegree"
                return Call(function, (self.before_last(), self.name(plan.last_hops[0]), *self._k()))
            case "frequent":
                return Call("Frequent", (self._last_bag(), *self._compared()))
            case "by degree":
                return Call(
                    "FilterDegree", (self.before_last(), self.name(plan.last_hops[0]), *self._compared())
                )
            case "average degree":
                degrees = Call("NodeDegree", (self.before_last(), self.name(plan.last_hops[0])))
                return Call("Average", (degrees,))
            case "larger" | "smaller" | "is larger" | "is smaller":
                return self._pair()
            case "same" | "count same":
                function = "SameNeighbours" if plan.exactly else "ShareNeighbours"
                same = Call(function, (_start(first, self.graph), self.name(first.hops[0])))
                return same if plan.operation == "same" else Call("Count", (same,))
            case "contains":
                return Call("Contains", (self.nodes(), self._target()))
            case "holds":
                return Call("Contains", (self.nodes(), _start(first, self.graph)))
            case "same value":
                parts = [self._walk(c, len(c.hops)) for c in plan.chains]
                return Call("Contains", (parts[0], parts[1]))
            case "connected":
                hops = Number(len(first.hops) or 1)
                return Call("Connected", (_start(first, self.graph), self._target(), hops))
            case "path":
                return Call("Path", (_start(first, self.graph), self._target()))
            case "distance":
                return Call("PathLength", (_start(first, self.graph), self._target()))

    def _k(self) -> tuple[Expression, ...]:
        return (Number(self.plan.many),) if self.plan.many > 1 else ()

    def _compared(self) -> tuple[Expression, ...]:
        assert self.plan.number is not None
        return Text(self.plan.number.operator), _literal(self.plan.number.number)

    def _last_bag(self) -> Expression:
        """What the last hop leads to, each as often as it is reached; a way back leaves the start out."""
        first, view = self.plan.chains[0], self.plan.last_hops[0]
        bag: Expression = self.hop(_distinct(self.before_last()), view)
        if (
            first.node is not None
            and view.target == first.start
            and len(first.hops) + len(self.plan.then) > 1
        ):
            bag = Call("Difference", (bag, _start(first, self.graph)))
        return bag

    def _values(self) -> Call:
        return Call("NodeFeature", (self.nodes(), Text(self.plan.feature)))

    def _pair(self) -> Call:
        """Which of two nodes has more of a feature, or whether the first has."""
        both = Call("Union", (_start(self.plan.chains[0], self.graph), self._target()))
        function = "Top" if self.plan.operation in {"larger", "is larger"} else "Bottom"
        winner = Call(function, (both, Text(self.plan.feature)))
        if self.plan.operation in {"larger", "smaller"}:
            return winner
        return Call("Contains", (winner, _start(self.plan.chains[0], self.graph)))

    def _target(self) -> Expression:
        assert self.plan.target is not None
        return _start(self.plan.target, self.graph)

    def nodes(self, whole: bool = False) -> Expression:
        """The plan's nodes; with `whole` the start too, where a way comes back to it."""
        whole = whole or self.plan.whole
        nodes = self._chosen([len(c.hops) for c in self.plan.chains], whole)
        first = self.plan.chains[0]
        for view in self.plan.then:
            nodes = _distinct(self.hop(_distinct(nodes), view))
            back = first.hops and is_way_back(first.hops[-1], view)
            if back and first.node is not None and view.target == first.start and len(self.plan.chains) == 1:
                nodes = Call("Difference", (nodes, _start(first, self.graph)))
        return nodes

    def before_last(self) -> Expression:
        """The plan's nodes before its last hop."""
        if not self.plan.then:
            return self._chosen([len(c.hops) - 1 for c in self.plan.chains])
        nodes = self._chosen([len(c.hops) for c in self.plan.chains])
        for view in self.plan.then[:-1]:
            nodes = _distinct(self.hop(_distinct(nodes), view))
        return nodes

    def _chosen(self, lengths: list[int], whole: bool = False) -> Expression:
        """The chains' nodes, joined, and those of them that meet the conditions."""
        parts = [self._walk(c, hops, whole) for c, hops in zip(self.plan.chains, lengths, strict=True)]
        nodes = parts[0]
        for part in parts[1:]:
            nodes = Call(JOINED_BY[self.plan.joined], (nodes, part))
        for c in self.plan.conditions:
            nodes = Call("Filter", (_distinct(nodes), Text(c.feature), Text(c.operator), _literal(c.value)))
        return nodes

    def name(self, view: View) -> Text:
        """What the call names a view: with its type where the question names one of those that it leads to."""
        schema = self.graph.schema
        targets = {v.target for v in schema.views_from(view.source)[view.name]}
        return Text(schema.name_of(view) if targets & self.plan.named else view.name)

    def hop(self, nodes: Expression, view: View) -> Call:
        """The nodes that a view leads to, each as often as it is reached."""
        return Call("NeighbourCheck", (nodes, self.name(view)))

    def _walk(self, chain: Chain, hops: int, whole: bool = False) -> Expression:
        """The chain's first `hops` hops. A way back along the same relation leaves the start out."""
        start = _start(chain, self.graph)
        nodes: Expression = start
        for position, view in enumerate(chain.hops[:hops]):
            nodes = self.hop(_distinct(nodes), view)
            comes_back = position > 0 and is_way_back(chain.hops[position - 1], view)
            if comes_back and not whole and chain.node is not None and view.target == chain.start:
                nodes = Call("Difference", (_distinct(nodes), start))
        return _distinct(nodes) if hops > 1 or (hops == 1 and chain.node is None) else nodes


def _literal(value: str | float | bool) -> Expression:
    if isinstance(value, bool):
        return Boolean(value)
    if isinstance(value, str):
        return Text(value)
    return Number(int(value) if value == int(value) else value)


def _start(chain: Chain, graph: Graph) -> Expression:
    if chain.node is None:
        return Call("Nodes", (Text(chain.start),))
    if chain.called and chain.anchor is not None:
        value = str(graph.feature(chain.node, chain.called))
        return Call(
            "Filter", (Call("Nodes", (Text(chain.start),)), Text(chain.called), Text("="), Text(value))
        )
    label = graph.label(chain.node)
    if chain.anchor is not None:
        namesakes = [n for n in chain.anchor.nodes if graph.node_type(n).name == chain.start]
        if len(namesakes) > 1 or chain.anchor.told:
            return NodeRef(chain.start, graph.id(chain.node))
    return Call("RetrieveNode", (Text(label), Text(chain.start)))


def _distinct(nodes: Expression) -> Expression:
    if isinstance(nodes, Call) and nodes.function in {"NeighbourCheck", "Difference"}:
        return Call("Distinct", (nodes,))
    return nodes
