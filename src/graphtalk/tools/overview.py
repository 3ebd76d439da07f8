"""What a graph has, and what it has of one node: for people who do not know it yet."""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from graphtalk.core import ToolError
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import plain
from graphtalk.language.telling import value_in_words
from graphtalk.tools.bags import unique_in_order
from graphtalk.tools.context import Context, Note
from graphtalk.tools.nodes import by_type, degrees, feature_values, follow
from graphtalk.tools.registry import tool
from graphtalk.tools.types import Node, NodeTypeName, any_nodes
from graphtalk.tools.values import Bag, Item, Record, to_json

MOST_SHOWN = 8  # neighbours along one relation, examples of a type
MOST_RELATIONS = 40  # of a node; a graph may have thousands
MOST_LETTERS = 300  # of one property


@tool("Describe", toolformer="graph:describe")
def describe(at: Context, node: Node) -> Record:
    """What the graph has of a node: its type, its properties, and its neighbours by relation.

    Of more than 8 neighbours along one relation the first are given, and how many there are.

    node: the node
    """
    graph, t = at.graph, at.graph.node_type(node)
    found: dict[str, Item | Record] = {"type": t.name} if len(graph.schema.node_types) > 1 else {}
    if t.label and graph.id(node) != graph.label(node):
        found["id"] = graph.id(node)
    for name, value in graph.features(node).items():
        if name != t.label:
            found[name] = _short(value)
    asked = np.array([node])
    views = [
        n for n, vs in graph.schema.views_from(t.name).items() if any(graph.has_edge(node, v) for v in vs)
    ]
    for name in views[:MOST_RELATIONS]:
        near = follow(at, asked, name, each=False)
        once = unique_in_order(near.reached)
        shown = np.isin(near.reached, once[:MOST_SHOWN])
        at.followed(_some(near, shown))
        cut = f" ({MOST_SHOWN} of {len(once):,})" if len(once) > MOST_SHOWN else ""
        found[f"{_arrow(graph, t.name, name)}{cut}"] = Bag(once[:MOST_SHOWN])
    if len(views) > MOST_RELATIONS:
        at.remark(f"It has {len(views) - MOST_RELATIONS:,} more kinds of neighbours.")
    if not views:
        at.remark("Nothing is linked to it.")
    return Record(found)


def _joined(notes: Sequence[Note]) -> Note:
    """Several notes as one."""
    parts = ("asked", "reached", "relation", "edge")
    asked, reached, relation, edge = (np.concatenate([getattr(n, part) for n in notes]) for part in parts)
    return Note(asked, reached, relation, edge, notes[0].each)


def _some(note: Note, kept: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> Note:
    return Note(note.asked[kept], note.reached[kept], note.relation[kept], note.edge[kept], note.each)


def _arrow(graph: Graph, node_type: str, name: str) -> str:
    """How neighbours along a view are headed: `knows →`, `← knows` seen from the other end, `borders` of no direction."""
    view = graph.schema.view(node_type, name)[0]
    if graph.schema.relations[view.relation].undirected:
        return name
    return f"← {name[1:]}" if name.startswith("^") else f"{name} →"


def _short(value: object) -> Item:
    shown = plain(value)  # type: ignore[arg-type]  # what a cell holds
    if isinstance(shown, list):
        return [str(each) for each in shown[:MOST_SHOWN]]
    if isinstance(shown, str) and len(shown) > MOST_LETTERS:
        return f"{shown[:MOST_LETTERS]}…"
    return shown if isinstance(shown, bool | int | float | str) else str(shown)


@tool("DescribeType", toolformer="graph:describe_type")
def describe_type(at: Context, node_type: NodeTypeName) -> Record:
    """What the graph has of a node type: how many nodes, their properties and relations, some of them.

    node_type: the type
    """
    graph, t = at.graph, at.graph.schema.node_type(node_type)
    found: dict[str, Item | Record] = {"nodes": t.count}
    if t.description:
        found["description"] = t.description
    if t.features:
        found["properties"] = [f.name for f in t.features]
    leads = {
        f"{_arrow(graph, t.name, name)}": ", ".join(dict.fromkeys(v.target for v in views))
        for name, views in graph.schema.views_from(t.name).items()
    }
    found["relations"] = [f"{name} {target}" for name, target in list(leads.items())[:MOST_RELATIONS]]
    found["such as"] = Bag.of(range(t.first, t.first + min(t.count, MOST_SHOWN)))
    return Record(found)


@tool("InCommon", toolformer="graph:in_common", gives=any_nodes)
def in_common(at: Context, nodes: Bag) -> Bag:
    """The nodes that several nodes are all joined to by the same relation, each once.

    Where a graph has one relation alone, within one type, it is followed either way. The properties that all of them have alike are told beside it.

    nodes: two nodes or more
    """
    asked = unique_in_order(nodes.nodes)
    if len(asked) < 2:
        raise ToolError("InCommon wants two nodes or more.")
    parts = by_type(at.graph, asked)
    seen = [set(at.graph.schema.views_from(t.name)) for t, _ in parts]
    names = [name for name in at.graph.schema.views_from(parts[0][0].name) if all(name in s for s in seen)]
    shared: list[Ints] = []
    alone = len(at.graph.schema.relations) == 1 and len(at.graph.schema.node_types) == 1
    for views in [names] if alone else [[name] for name in names]:
        if not np.all(np.sum([degrees(at.graph, asked, name) for name in views], axis=0) > 0):
            continue
        near = _joined([follow(at, asked, name, each=False) for name in views])
        pairs = np.unique(np.stack([near.reached, near.asked]), axis=1)
        reached, counts = np.unique(pairs[0], return_counts=True)
        all_reach = reached[(counts == len(asked)) & ~np.isin(reached, asked)]
        if len(all_reach):
            at.followed(_some(near, np.isin(near.reached, all_reach)))
            shared.append(all_reach)
    alike = list(_alike(at.graph, asked)) if len(parts) == 1 else []
    if alike:
        at.remark(f"Alike: {'; '.join(alike)}.")
    return Bag(unique_in_order(np.concatenate(shared)) if shared else np.empty(0, np.int64))


def _alike(graph: Graph, asked: Ints) -> Iterator[str]:
    """The properties that nodes of one type all have alike, as `driving side: right`."""
    t = graph.node_type(int(asked[0]))
    if len(graph.schema.node_types) > 1:
        yield f"type: {t.name}"
    for feature in t.features:
        values = feature_values(graph, asked, feature.name)
        if feature.name != t.label and values[0] is not None and all(v == values[0] for v in values):
            yield f"{feature.name}: {value_in_words(to_json(_short(values[0]), graph))}"


@tool("Summary", toolformer="graph:summary")
def summary(at: Context) -> Record:
    """What a graph has: how many nodes and edges, of which types and relations, and their properties."""
    graph = at.graph
    found: dict[str, Item | Record] = {"nodes": graph.num_nodes, "edges": graph.num_edges}
    types = [f"{t.name} ({t.count:,})" for t in graph.schema.node_types]
    found["node types"] = _first(types)
    found["relations"] = _first([f"{name} ({count:,})" for name, count in _relations(graph).items()])
    properties = [*dict.fromkeys(f.name for t in graph.schema.node_types for f in t.features)]
    if properties:
        found["properties"] = _first(properties)
    if graph.num_nodes:
        some = [range(t.first, t.first + min(t.count, 2)) for t in graph.schema.node_types[:4]]
        found["such as"] = Bag.of([node for each in some for node in each])
    at.remark(
        "Ask for a node by its name, for nodes of a type, for neighbours, ways between two nodes, or numbers of these."
    )
    return Record(found)


def _first(names: list[str]) -> list[Item]:
    cut = [f"{len(names) - MOST_RELATIONS:,} more"] if len(names) > MOST_RELATIONS else []
    return [*names[:MOST_RELATIONS], *cut]


def _relations(graph: Graph) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for r in graph.schema.relations:
        counts[r.name] += r.count
    return dict(counts)


@tool("NodeTypes", toolformer="graph:node_types")
def node_types(at: Context) -> Record:
    """The node types of a graph, and how many nodes each has."""
    return Record({t.name: t.count for t in at.graph.schema.node_types})


@tool("RelationTypes", toolformer="graph:relation_types")
def relation_types(at: Context) -> Record:
    """The relations of a graph, and how many edges each has."""
    return Record(dict(_relations(at.graph)))


@tool("Features", toolformer="graph:features")
def features(at: Context, node_type: NodeTypeName | None = None) -> Record:
    """The properties that nodes have, by node type.

    node_type: of this type alone
    """
    schema = at.graph.schema
    types = schema.node_types if node_type is None else (schema.node_type(node_type),)
    return Record({t.name: [f.name for f in t.features] for t in types})


@tool("IsDirected", toolformer="toolx:is_directed")
def is_directed(at: Context) -> bool:
    """Whether edges of any relation go one way only."""
    return at.graph.directed
