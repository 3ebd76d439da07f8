"""From a question to the part of a graph that bears on it (G-Retriever: He et al., 2024, sections 5.1 to 5.3).

Nodes and edges get prizes, and a prize-collecting Steiner tree joins them. There are two rules for the prizes:

- `spread`: what the question names has the largest prizes; edges get theirs hop by hop from there (`spread.py`), and the
  tree is sought near by. Its size does not grow with the graph's.
- `paper`: the nodes and edges most like the question by cosine, over the whole graph, as in the paper's code. For small
  graphs of which one knows that they are about the question: where a relation has many edges, their shares vanish.
"""

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from graphtalk.core import UsageError, choices
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.search import textual
from graphtalk.search.graph_vectors import GraphVectors
from graphtalk.search.index import Index
from graphtalk.search.linked import linked, without
from graphtalk.search.links import Links, Part
from graphtalk.search.near import Prizes, narrow
from graphtalk.search.spread import Spreader
from graphtalk.search.steiner import Floats, Problem, edge_prizes, rank_prizes, solve, top

Rule = Literal["spread", "paper"]
RULES: tuple[Rule, ...] = get_args(Rule)
NAMED = 2.0  # times the largest prize for likeness


@dataclass(frozen=True)
class Options:
    """How a subgraph is retrieved. 0 nodes and 0 edges: the whole graph.

    `nodes` and `edges` are how many get prizes for their likeness, `edge_cost` what an edge costs; the defaults are the
    paper's for WebQSP (appendix B.1). `hops` is how far prizes spread, `most` how many links are looked at in a hop.
    """

    nodes: int = 3
    edges: int = 5
    edge_cost: float = 0.5
    rule: Rule = "spread"
    hops: int = 3
    most: int = 50_000

    def __post_init__(self) -> None:
        for name in ("nodes", "edges", "hops", "most"):
            if getattr(self, name) < 0:
                raise UsageError(f"The number of {name} is {getattr(self, name)}; it cannot be negative.")
        if not 0 < self.edge_cost < float("inf"):
            raise UsageError(f"The cost of an edge is {self.edge_cost:g}; it must be a number above 0.")
        if self.rule not in RULES:
            raise UsageError(f"No rule {self.rule!r}. {choices(self.rule, RULES)}")


DEFAULT = Options()


@dataclass(frozen=True, eq=False)
class Subgraph:
    """A part of a graph. `nodes` stand best first; `edges` are numbered through all relations, ascending.

    `node_prizes` are of `nodes`, `edge_prizes` of `edges`. `cost` is what an edge cost in the end, `objective` prizes
    less costs. `complete` is false where the neighbourhood had to end early. `seconds` is how long it took.
    """

    graph: Graph
    nodes: Ints
    edges: Ints
    node_prizes: Floats
    edge_prizes: Floats
    cost: float
    objective: float
    complete: bool = True
    seconds: float = 0.0

    @cached_property
    def text(self) -> str:
        """All of it in the paper's CSV form, nodes in the order of the graph."""
        return textual.textualise(
            textual.node_rows(self.graph, np.sort(self.nodes)), textual.edge_rows(self.graph, self.edges)
        )

    def text_within(self, letters: int) -> tuple[str, int]:
        """As much of it as so many letters hold, the best nodes first to stay, and how many nodes are left out."""
        if len(self.text) <= letters:
            return self.text, 0
        nodes, edges = textual.within(self.graph, self.nodes, self.edges, letters)
        said = textual.textualise(
            textual.node_rows(self.graph, np.sort(nodes)), textual.edge_rows(self.graph, edges)
        )
        return said, len(self.nodes) - len(nodes)

    @property
    def relations(self) -> list[str]:
        """The name of each edge's relation."""
        names = [r.name for r in self.graph.schema.relations]
        places = np.searchsorted(self.graph.edge_offsets, self.edges, "right") - 1
        return [names[place] for place in places.tolist()]


class Retriever:
    """Retrieves subgraphs of one graph."""

    def __init__(self, graph: Graph, index: Index, vectors: GraphVectors, links: Links) -> None:
        self.graph = graph
        self.index = index
        self.vectors = vectors
        self.links = links

    def retrieve(self, question: str, options: Options = DEFAULT) -> Subgraph:
        """The subgraph for a question. Raises UsageError where the graph has nothing."""
        started = time.perf_counter()
        if not self.graph.num_nodes:
            raise UsageError(f"{self.graph.name} has no nodes, so nothing can be retrieved from it.")
        if options.nodes == options.edges == 0:
            return self._whole(question, options, started)
        if options.rule == "paper":
            part, problem = self._by_paper(question, options)
        else:
            part, problem = narrow(self.links, self.spread(question, options), options.most)
        chosen, edges = solve(problem)
        return self._subgraph(part, problem, chosen, edges, started)

    def _whole(self, question: str, options: Options, started: float) -> Subgraph:
        """All of the graph: first what the question names and what lies around it, as not all may find room in a prompt."""
        named = [node for mention in linked(self.index, question) for node in mention.nodes]
        part = self.links.around(np.unique(named).astype(np.int64), options.hops, options.most)
        first = part.nodes[np.argsort(part.hops, kind="stable")]
        nodes = np.concatenate([first, np.setdiff1d(np.arange(self.graph.num_nodes), first)])
        edges = np.arange(self.graph.num_edges)
        zeros = np.zeros(len(nodes)), np.zeros(len(edges))
        return Subgraph(self.graph, nodes, edges, *zeros, 0.0, 0.0, seconds=time.perf_counter() - started)

    def _by_paper(self, question: str, options: Options) -> tuple[Part, Problem]:
        """The whole graph, with prizes as in the paper's code."""
        (vector,) = self.vectors.embedder.embed([question])
        own = np.zeros(self.graph.num_nodes)
        best = top(self.vectors.nodes.cosines(vector), options.nodes)
        own[best] = rank_prizes(len(best), options.nodes)
        per_text, cost = edge_prizes(
            self.vectors.texts.cosines(vector), self.vectors.counts, options.edges, options.edge_cost
        )
        part = self.links.whole
        return part, Problem(own, part.source, part.target, per_text[self.vectors.text_of[part.edge]], cost)

    def spread(self, question: str, options: Options = DEFAULT) -> Prizes:
        """The prizes by the rule `spread`: around the nodes that are named, or else around those most like the question."""
        named = linked(self.index, question)
        vector, rest = self.vectors.embedder.embed([question, without(question, named)])
        starts = np.unique([node for mention in named for node in mention.nodes]).astype(np.int64)
        if not len(starts):
            starts = np.sort(top(self.vectors.nodes.cosines(vector), max(options.nodes, 1)))
        spreader = Spreader(self.graph, self.links, self.vectors, options.hops, options.most)
        prized = spreader.prized(starts, rest, options.edges, options.edge_cost)
        near = self.links.around(starts, 1, options.most, prized.ends).nodes
        best = near[top(self.vectors.nodes.cosines(vector, near), options.nodes)]
        given = dict(zip(best.tolist(), rank_prizes(len(best), options.nodes).tolist(), strict=True))
        for mention in named:
            share = NAMED * max(options.nodes, 1) / len(mention.nodes)
            given.update({node: max(share, given.get(node, 0.0)) for node in mention.nodes})
        nodes = np.array(sorted(given), np.int64)
        prizes = np.array([given[node] for node in nodes.tolist()])
        return prized.with_nodes(nodes, prizes, options.edge_cost)

    def _subgraph(self, part: Part, problem: Problem, chosen: Ints, edges: Ints, started: float) -> Subgraph:
        order = np.lexsort((chosen, part.hops[chosen], -problem.node_prizes[chosen]))
        best = chosen[order]
        kept = edges[np.argsort(part.edge[edges])]
        return Subgraph(
            self.graph,
            part.nodes[best],
            part.edge[kept],
            problem.node_prizes[best],
            problem.edge_prizes[kept],
            problem.cost,
            problem.objective(chosen, edges),
            part.complete,
            time.perf_counter() - started,
        )
