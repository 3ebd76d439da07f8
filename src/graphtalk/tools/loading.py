"""`GL`: loading a graph by name, whole or in part (Graph-ToolFormer, section 4.2). Only what a loader offers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import pyarrow as pa

from graphtalk.calls.vocabulary import fold
from graphtalk.core import CheckError, ToolError, choices
from graphtalk.graphs import EdgeTable, Graph, GraphSet, NodeTable, build
from graphtalk.graphs.adjacency import Ints
from graphtalk.tools.context import Context, Loaded
from graphtalk.tools.dates import span_of
from graphtalk.tools.finder import LabelFinder, find_id, find_numbered
from graphtalk.tools.registry import tool
from graphtalk.tools.types import GRAPH, Links, Names, Site, Type
from graphtalk.tools.validity import at_time

_AT_HAND = ("graph", "this", "this_graph", "g")
_PLACE = re.compile(r"[/\\]")
_SET = re.compile(r"all\b\s*(?P<related>(?:the\s+)?related\b)?\s*(?P<what>.*)", re.I | re.S)
_AND = re.compile(r"\s+and\s+|\s*[,;&]\s*")
_NOUN = re.compile(r"\s*\b(?:nodes?|vertices|vertex|links?|edges?|relations?|connections?)\s*$", re.I)


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


@runtime_checkable
class Places(Protocol):
    """A loader that opens files and addresses too, as far as the user allowed it."""

    def at(self, place: str) -> Loaded:
        """The graph of a file or an address. Raises ToolError where it is not allowed, or holds no graph."""


def _a_graph(site: Site) -> Type:
    return GRAPH


@tool(
    "GL",
    toolformer="GL",
    aliases=("Load", "LoadGraph"),
    gives=_a_graph,
    called={
        "file_path": "name", "graph": "name", "url": "name", "path": "name", "graph_name": "member",
        "node_subset": "subset", "node_subse": "subset", "link_subset": "links", "link_subse": "links", "edges": "links",
        "at": "as_of", "time": "as_of", "date": "as_of", "year": "as_of",
    },
)  # fmt: skip
def load(
    at: Context,
    name: str = "",
    nodes: Names | None = None,
    links: Links | None = None,
    bonds: Links | None = None,
    as_of: str | None = None,
    member: Names | None = None,
    subset: Names | None = None,
) -> Loaded:
    """A graph by its name, file or address, or the part of it that some nodes and links make up, or that held at a time.

    Of a set of graphs, `nodes` or `member` names one: GL("gpr", {"lollipop_graph"}), and what else is given is of that:
    GL("gpr", {"lollipop_graph"}, {0, 1, 2}), GL("mutag", {instance#5}, "all nodes", {(C=O)}).

    name: of a graph that may be loaded, or the file or address of one that the user allowed
    nodes: names of nodes or node types to keep, {"a", "b"}; "all nodes" keeps all, "all related nodes" those of the links
    links: relations to keep, or pairs of nodes, {("a", "b")}; "all links" keeps those among the nodes, "all related links"
        those of the nodes, with their other ends
    bonds: of one of a set the links, where its nodes stand before them
    as_of: a year, a month or a day, "2015", "2015-03": of edges that say when they hold those that did, at some time in it
    member: the name of a graph, or of one of a set
    subset: as `nodes`, also of one of a set
    """
    loader = at.loader
    if loader is None:
        raise ToolError("No graph can be loaded here.")
    if not name and member is not None and len(member.values) == 1:
        name, member = member.values[0], None
    if fold(name) in _AT_HAND:
        whole: Loaded = at.graph
    elif (known := loosely(name, loader.names())) is not None:
        whole = loader.load(known)
    elif at.graphs is not None and (one := loosely(name, at.graphs.names)) is not None:
        whole = at.graphs.graph(one)  # "lollipop-graph", of the set at hand
    elif _PLACE.search(name) and isinstance(loader, Places):
        whole = loader.at(name)
    else:
        raise ToolError(f"No graph {name!r} is here. {choices(name, loader.names())}")
    if isinstance(whole, GraphSet):
        subset = subset or (nodes if member else None)
        if bonds is not None and links is not None and not links.pairs:
            subset, links = Names(links.names), bonds
        part = _of_set(whole, member or nodes, subset, links)
    elif bonds is not None:
        raise ToolError(f"{whole.name} is one graph, not a set: its nodes and links are given once.")
    elif member is not None and loosely(member.values[0], (whole.name,)) is None:
        raise ToolError(f"{whole.name} is one graph, not a set that has {member.values[0]!r}.")
    else:
        part = part_of(whole, subset or nodes, links)
    return part if as_of is None else _at_time(at, part, as_of)


def _at_time(at: Context, graph: Loaded, period: str) -> Graph:
    if isinstance(graph, GraphSet) or type(graph) is not Graph:
        kind = "a set of graphs" if isinstance(graph, GraphSet) else "a graph that lives elsewhere"
        raise ToolError(f"{graph.name} is {kind}: as_of needs one that is stored here.")
    try:
        span = span_of(period)
    except CheckError as error:
        raise ToolError(str(error)) from None
    found, told = at_time(graph, span, period)
    at.remark(told)
    return found


def _of_set(graphs: GraphSet, member: Names | None, nodes: Names | None, links: Links | None) -> Loaded:
    """A set of graphs, one of it, or a part of that one. Raises ToolError."""
    found = graphs if member is None else _member(graphs, member)
    if nodes is None and links is None:
        return found
    if isinstance(found, GraphSet):
        raise ToolError(f"Nodes and links are of one graph: name one of {graphs.name}.")
    if nodes is None and links is not None and not links.pairs and _are_nodes(found, links.names):
        nodes, links = Names(links.names), None
    return part_of(found, nodes, links)


def _are_nodes(graph: Graph, names: Sequence[str]) -> bool:
    """Whether names in the place of links are those of nodes: "all atoms", {0, 1, 2}; not of relations, and not "all links"."""
    said = _SET.match(names[0]) if len(names) == 1 else None
    if said is not None:
        return re.search(r"\b(?:links?|edges?|relations?|connections?|bonds?)\b", said["what"], re.I) is None
    relations = [r.name for r in graph.schema.relations]
    return all(loosely(name, relations) is None for name in names)


def _member(graphs: GraphSet, names: Names) -> Loaded:
    if _is_all(names):
        return graphs
    if len(names.values) != 1:
        raise ToolError(f"Name one graph of {graphs.name}, not {len(names.values)}.")
    asked = names.values[0]
    name = loosely(asked, graphs.names) or loosely(asked.rpartition("#")[2], graphs.names)
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


def _is_all(names: Names) -> bool:
    return len(names.values) == 1 and _SET.match(names.values[0]) is not None


def part_of(graph: Graph, nodes: Names | None, links: Links | None) -> Graph:
    """The graph itself, or the part that these nodes and links make up. Raises ToolError or CheckError.

    Links join two of the nodes; "all related … links" are all of these nodes, and bring their other ends along, as pairs of
    nodes do. "all related … nodes" are those that have such a link.
    """
    said = _SET.match(nodes.values[0]) if nodes is not None and _is_all(nodes) else None
    meant = _SET.match(links.names[0]) if links is not None and links.names else None
    named = nodes is not None and said is None
    kept = np.ones(graph.num_nodes, bool)
    if nodes is not None:
        kept[:] = False
        kept[_named_nodes(graph, nodes.values) if said is None else _nodes_of_types(graph, said["what"])] = (
            True
        )
    pairs = _pairs(graph, links)
    relations = _relations(graph, None if pairs else links)
    if kept.all() and not named and not pairs and relations == list(range(len(graph.schema.relations))):
        return graph
    wanted = kept.copy() if named else np.zeros(graph.num_nodes, bool)
    chosen: list[Ints] = []
    for position in relations:
        source, target = graph.ends(position)
        if pairs:
            inside = np.zeros(len(source), bool)
            for one, other in pairs:
                inside |= np.isin(source, one) & np.isin(target, other)
                inside |= np.isin(source, other) & np.isin(target, one)
        elif named and meant and meant["related"]:
            inside = kept[source] | kept[target]
        else:
            inside = kept[source] & kept[target]
        chosen.append(np.flatnonzero(inside))
        wanted[source[inside]] = wanted[target[inside]] = True
    if not (said and said["related"]):
        for one, other in pairs:
            wanted[one] = wanted[other] = True
    whole = not named and not pairs and not (said and said["related"])
    return _cut(graph, np.flatnonzero(wanted | kept if whole else wanted), relations, chosen)


def _called(graph: Graph, name: str) -> Ints:
    """The node with this id, or all nodes that are called so, or have this in a property: of a molecule all its carbon atoms.

    Raises ToolError.
    """
    kind, _, number = name.rpartition("#")
    node = find_id(graph, name)
    if node is None and number.isdigit():
        node = find_numbered(graph, kind.strip(), number)
    if node is not None:
        return np.array([node])
    plain = _plain(name)
    labelled = [at for at, label in enumerate(graph.labels()) if _plain(label) == plain]
    found = labelled or _with_value(graph, name, plain)
    if not found:
        LabelFinder(graph).find(number or name)  # says what is near
    return np.array(found, dtype=np.int64)


def _with_value(graph: Graph, name: str, plain: str) -> list[int]:
    """The nodes that have this text in a property. Raises ToolError where it stands in several properties."""
    found: dict[str, list[int]] = {}
    for t in graph.schema.node_types:
        columns = graph.columns[t.name]
        for feature in columns.column_names:
            if pa.types.is_string(columns.schema.field(feature).type):
                values = enumerate(columns[feature].to_pylist(), t.first)
                having = [node for node, value in values if value is not None and _plain(value) == plain]
                found.setdefault(feature, []).extend(having)
    found = {feature: nodes for feature, nodes in found.items() if nodes}
    if len(found) > 1:
        raise ToolError(
            f"{name!r} stands in several properties of nodes: {', '.join(found)}. Name the nodes."
        )
    return next(iter(found.values()), [])


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _named_nodes(graph: Graph, names: Sequence[str]) -> Ints:
    types = {t.name: t for t in graph.schema.node_types}
    parts = []
    for name in names:
        node_type = loosely(name, types)
        parts.append(np.array(graph.indices(node_type)) if node_type else _called(graph, name))
    return np.concatenate(parts)


def _nodes_of_types(graph: Graph, what: str) -> Ints:
    """The nodes of "all paper nodes", "all papers and authors"; of "all nodes" all; of "all carbon atoms" those with this value.

    Raises CheckError.
    """
    parts = [_of_a_kind(graph, each) for each in _kinds(what)]
    return np.concatenate(parts) if parts else np.arange(graph.num_nodes)


def _of_a_kind(graph: Graph, asked: str) -> Ints:
    known = [t.name for t in graph.schema.node_types]
    node_type = _kind(asked, known)
    if node_type is not None:
        return np.array(graph.indices(node_type))
    value, _, noun = asked.rpartition(" ")
    for each in (asked, value if _kind(noun, known) else ""):
        if having := _with_value(graph, each, _plain(each)) if each else []:
            return np.array(having)
    raise CheckError(f"No node type {asked!r} in {graph.name}. {choices(asked, known)}")


def _kinds(what: str) -> list[str]:
    parts = (_NOUN.sub("", part).strip() for part in _AND.split(what))
    return [part for part in parts if part]


def _kind(asked: str, known: Sequence[str]) -> str | None:
    """The name that is meant, in the singular or in the plural."""
    return next((name for form in _forms(asked) if (name := loosely(form, known))), None)


def _forms(word: str) -> Iterable[str]:
    yield word
    if word.endswith("ies"):
        yield word[:-3] + "y"
    if word.endswith("s"):
        yield word[:-1]


def _pairs(graph: Graph, links: Links | None) -> list[tuple[Ints, Ints]]:
    """The ends of links: {(a, b)}, and "all carbon-oxygen bonds" of values that nodes have. Raises ToolError."""
    if links is None or links.pairs:
        return [(_called(graph, one), _called(graph, other)) for one, other in links.pairs] if links else []
    found = []
    for each in _asked(links):
        ends, _, noun = each.rpartition(" ")
        told = (ends if noun and _relations_called(graph, noun) else each).split("-")
        if len(told) == 2 and not _relations_called(graph, each):
            one, other = (_with_value(graph, end, _plain(end)) for end in told)
            found += [(np.array(one), np.array(other))] if one and other else []
    return found


def _relations(graph: Graph, links: Links | None) -> list[int]:
    """The relations that links may be of. Raises CheckError."""
    asked = _asked(links) if links is not None and links.names else []
    found: set[int] = set()
    for each in asked:
        if not (called := _relations_called(graph, each)):
            known = [r.name for r in graph.schema.relations]
            raise CheckError(f"No relation {each!r} in {graph.name}. {choices(each, known)}")
        found.update(called)
    return sorted(found) if asked else list(range(len(graph.schema.relations)))


def _asked(links: Links) -> Sequence[str]:
    """What links are called: of "all citation and reference links" both."""
    whole = _SET.match(links.names[0]) if len(links.names) == 1 else None
    return links.names if whole is None else _kinds(whole["what"])


def _relations_called(graph: Graph, asked: str) -> list[int]:
    """The relations of a name, or from one type to another: "user-video"; none where nothing is called so."""
    relations = graph.schema.relations
    types = [t.name for t in graph.schema.node_types]
    name = _kind(asked, list(dict.fromkeys(r.name for r in relations)))
    if name is not None:
        return [position for position, r in enumerate(relations) if r.name == name]
    ends = [_kind(end, types) for end in asked.split("-")]
    return [at for at, r in enumerate(relations) if len(ends) == 2 and {r.source, r.target} == {*ends}]


def _cut(graph: Graph, nodes: Ints, relations: Sequence[int], edges: Sequence[Ints]) -> Graph:
    """The nodes (ascending, each once) with edges of these relations, by their positions, whose ends are among them."""
    tables, rows = [], {}
    for t in graph.schema.node_types:
        rows[t.name] = nodes[(nodes >= t.first) & (nodes < t.first + t.count)]
        table = graph.columns[t.name].take(pa.array(rows[t.name] - t.first))
        tables.append(NodeTable(t.name, table, t.label, t.description))
    found = []
    for position, places in zip(relations, edges, strict=True):
        r = graph.schema.relations[position]
        source, target = graph.ends(position)
        features = graph.edge_columns[position]
        found.append(
            EdgeTable(
                r.name,
                r.source,
                r.target,
                np.searchsorted(rows[r.source], source[places]),
                np.searchsorted(rows[r.target], target[places]),
                features.take(pa.array(places)) if features.column_names else None,
                r.inverse,
                r.description,
            )
        )
    return build(tables, found, graph.name)
