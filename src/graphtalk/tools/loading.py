"""`GL`: loading a graph by name, whole or in part (Graph-ToolFormer, section 4.2). Only what a loader offers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from graphtalk.calls.vocabulary import fold
from graphtalk.core import CheckError, ToolError, choices
from graphtalk.graphs import EdgeTable, Graph, GraphSet, NodeTable, build
from graphtalk.graphs.adjacency import Ints, gather
from graphtalk.tools.bags import unique_in_order
from graphtalk.tools.context import Context, Loaded
from graphtalk.tools.finder import LabelFinder
from graphtalk.tools.registry import tool
from graphtalk.tools.types import GRAPH, Names, Site, Type

_AT_HAND = ("graph", "this", "this_graph", "g")


@dataclass(frozen=True)
class OnlyGraph:
    """A loader of one graph by its own name, for where no other is given."""

    graph: Loaded

    def names(self) -> Sequence[str]:
        """Its name."""
        return (self.graph.name,)

    def load(self, name: str) -> Loaded:
        """The graph."""
        return self.graph


def _a_graph(site: Site) -> Type:
    return GRAPH


@tool("GL", toolformer="GL", aliases=("Load", "LoadGraph"), gives=_a_graph)
def load(at: Context, name: str, nodes: Names | None = None, links: Names | None = None) -> Loaded:
    """A graph by its name, or the part of it that some nodes and links make up.

    Of a set of graphs, `nodes` names one: GL("gpr", {"lollipop_graph"}).

    name: of a graph that may be loaded
    nodes: node types or names of nodes to keep; "all nodes" keeps all
    links: relations to keep; "all links" keeps all
    """
    loader = at.loader
    if loader is None:
        raise ToolError("No graph can be loaded here.")
    if fold(name) in _AT_HAND:
        whole: Loaded = at.graph
    else:
        known = loosely(name, loader.names())
        if known is None:
            raise ToolError(f"No graph {name!r} may be loaded. {choices(name, loader.names())}")
        whole = loader.load(known)
    if isinstance(whole, GraphSet):
        return whole if nodes is None else _member(whole, nodes)
    return part_of(whole, nodes, links)


def _member(graphs: GraphSet, names: Names) -> Loaded:
    if _is_all(names):
        return graphs
    if len(names.values) != 1:
        raise ToolError(f"Name one graph of {graphs.name}, not {len(names.values)}.")
    asked = names.values[0]
    name = loosely(asked, graphs.names)
    if name is None:
        raise ToolError(f"No graph {asked!r} in {graphs.name}. {choices(asked, graphs.names)}")
    return graphs.graph(name)


def loosely(name: str, valid: Iterable[str]) -> str | None:
    """The valid name that is meant: case, blanks, hyphens and a suffix `graph` do not matter."""
    names = list(valid)
    if name in names:
        return name
    found = [n for n in names if _loose(n) == _loose(name)]
    return found[0] if len(found) == 1 else None


def _loose(name: str) -> str:
    plain = fold(name).replace("_", "")
    return plain.removesuffix("graph") or plain


def _is_all(names: Names | None) -> bool:
    return names is None or (len(names.values) == 1 and names.values[0].casefold().split()[:1] == ["all"])


def part_of(graph: Graph, nodes: Names | None, links: Names | None) -> Graph:
    """The graph itself, or the part that these nodes and links make up. Raises ToolError or CheckError."""
    if _is_all(nodes) and _is_all(links):
        return graph
    kept = np.arange(graph.num_nodes)
    if nodes is not None and not _is_all(nodes):
        kept = np.sort(unique_in_order(_named_nodes(graph, nodes)))
    relations = list(range(len(graph.schema.relations)))
    if links is not None and not _is_all(links):
        relations = _named_relations(graph, links)
    return subgraph(graph, kept, relations)


def _named_nodes(graph: Graph, names: Names) -> Ints:
    types = {t.name: t for t in graph.schema.node_types}
    finder = LabelFinder(graph)
    parts = []
    for name in names.values:
        node_type = loosely(name, types)
        span = graph.indices(node_type) if node_type else range(0)
        parts.append(np.array(span if node_type else [finder.find(name)], dtype=np.int64))
    return np.concatenate(parts)


def _named_relations(graph: Graph, names: Names) -> list[int]:
    known = [r.name for r in graph.schema.relations]
    kept: list[int] = []
    for asked in names.values:
        name = loosely(asked, dict.fromkeys(known))
        if name is None:
            raise CheckError(f"No relation {asked!r} in {graph.name}. {choices(asked, known)}")
        kept += [position for position, known_name in enumerate(known) if known_name == name]
    return kept


def subgraph(graph: Graph, nodes: Ints, relations: Sequence[int]) -> Graph:
    """The nodes (ascending, each once) with those edges of these relations that join two of them.

    Work grows with the nodes and their edges only.
    """
    tables, rows = [], {}
    for t in graph.schema.node_types:
        rows[t.name] = nodes[(nodes >= t.first) & (nodes < t.first + t.count)]
        table = graph.columns[t.name].take(pa.array(rows[t.name] - t.first))
        tables.append(NodeTable(t.name, table, t.label, t.description))
    edges = []
    for position in relations:
        r = graph.schema.relations[position]
        a = graph.adjacencies[position]
        sources, targets = rows[r.source], rows[r.target]
        places, counts = gather(a.indptr, sources - graph.schema.node_type(r.source).first)
        source, target = np.repeat(np.arange(len(sources)), counts), a.indices[places]
        inside = np.isin(target, targets)
        features = graph.edge_columns[position]
        edges.append(
            EdgeTable(
                r.name,
                r.source,
                r.target,
                source[inside],
                np.searchsorted(targets, target[inside]),
                features.take(pa.array(places[inside])) if features.column_names else None,
                r.inverse,
                r.description,
            )
        )
    return build(tables, edges, graph.name)
