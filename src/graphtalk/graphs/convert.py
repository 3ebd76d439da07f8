"""Graphs from Python objects: networkx, igraph, pandas, triples, PyTorch Geometric. The way back is in `objects`.

None of these libraries is imported here unless a graph of theirs is made.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from graphtalk.core import UsageError
from graphtalk.graphs.assemble import EdgeRows, NodeRows, Rules, assemble, no_line
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.columns import check_width, to_array
from graphtalk.graphs.edges import is_mirror
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Rejects
from graphtalk.graphs.recipe import RelationSpec

if TYPE_CHECKING:
    import igraph
    import networkx
    import pandas

_RESERVED = ("type", "relation", "reversed")


def from_triples(triples: Iterable[tuple[Hashable, Hashable, Hashable]], name: str = "graph") -> Graph:
    """A graph of (head, relation, tail). Nodes are of type `node`; their ids are the texts of the ends."""
    columns = list(zip(*((str(h), str(r), str(t)) for h, r, t in triples), strict=True)) or [(), (), ()]
    source, relation, target = (pa.chunked_array([pa.array(c, pa.string())]) for c in columns)
    rows = EdgeRows(source, target, relation, pa.table({}), "triples", no_line)
    return assemble([], [rows], Rules(), Rejects(), name)


def from_pandas(
    nodes: "pandas.DataFrame | None", edges: "pandas.DataFrame | None" = None, name: str = "graph"
) -> Graph:
    """A graph of two data frames, whose columns are told as those of tables in files are (docs/recipes.md).

    Without `nodes` they are made from the ends of the edges. Raises SourceError where the ends cannot be told.
    """
    return frames_graph(nodes, edges, name)


def frames_graph(nodes: Any, edges: Any, name: str = "graph") -> Graph:
    """The graph of two data frames of any library that speaks Arrow."""
    frames = {"nodes": nodes, "edges": edges}
    return tables_graph({called: frame for called, frame in frames.items() if frame is not None}, name)


def tables_graph(frames: Mapping[str, Any], name: str = "graph") -> Graph:
    """The graph of data frames by name: tables of nodes and of edges, with keys to one another."""
    from graphtalk.graphs.formats.tables import frame_rows
    from graphtalk.graphs.formats.tabular import plan_tables
    from graphtalk.graphs.importing import Importing
    from graphtalk.graphs.tabular import SourceTable

    tables = [SourceTable(called, called, frame_rows(arrow_of(f), called)) for called, f in frames.items()]
    importing = Importing(name=name)
    return plan_tables(tables, importing).graph(importing)


def changing_rows(nodes: Any, edges: Any, known: pa.ChunkedArray) -> Graph:
    """Rows that change a graph, of data frames with `id`, and with `source` and `target`; `known` are its ids."""
    from graphtalk.graphs.formats.layout import edge_spec, node_spec
    from graphtalk.graphs.formats.tables import edge_rows, frame_rows, node_rows

    node_parts, edge_parts = [], []
    if nodes is not None:
        rows = frame_rows(arrow_of(nodes), "nodes")
        node_parts = [node_rows(node_spec(rows.table.column_names, "nodes"), rows, "node")]
    if edges is not None:
        rows = frame_rows(arrow_of(edges), "edges")
        edge_parts = [edge_rows(edge_spec(rows.table.column_names, "edges"), rows, {})]
    return assemble(node_parts, edge_parts, Rules(), Rejects(known=known), "graph")


def arrow_of(frame: Any) -> pa.Table:
    """A data frame of pandas, polars or anything else that gives its columns to Arrow."""
    if isinstance(frame, pa.Table):
        return frame
    if type(frame).__module__.startswith("pandas"):
        return pa.Table.from_pandas(frame, preserve_index=False)
    return pa.table(frame)


def from_networkx(graph: "networkx.Graph", name: str = "") -> Graph:
    """A graph of a networkx graph of any class.

    The node attribute `type` is the node type, the edge attribute `relation` the relation (`node` and `edge`
    where absent); all other attributes are features. Edges of an undirected graph are seen from both ends
    under one name. What `to_networkx` wrote comes back as it was.
    """
    nodes = [(str(node), data) for node, data in graph.nodes(data=True)]
    edges = [(str(a), str(b), data) for a, b, data in graph.edges(data=True) if not data.get("reversed")]
    inverses = graph.graph.get("inverses", {})
    return _from_records(nodes, edges, graph.is_directed(), inverses, name or str(graph.name or "graph"))


def from_igraph(graph: "igraph.Graph", name: str = "") -> Graph:
    """A graph of an igraph graph: its attributes as in `from_networkx`.

    Ids are the vertices' attribute `id`, else `name` where all have different ones, else their numbers. What `to_igraph` made
    comes back as it was, but for relations without a direction beside others that have one.
    """
    given = graph.vs.attributes()
    names = [str(n) for n in graph.vs["name"]] if "name" in given else []
    ids = [str(n) for n in graph.vs["id"]] if "id" in given else names
    if len(set(ids)) < graph.vcount():
        ids = [str(n) for n in range(graph.vcount())]
    nodes = []
    for node, vertex in zip(ids, graph.vs, strict=True):
        nodes.append((node, {key: value for key, value in vertex.attributes().items() if key != "id"}))
    edges = [(ids[edge.source], ids[edge.target], edge.attributes()) for edge in graph.es]
    told = graph["name"] if "name" in graph.attributes() else ""
    inverses = graph["inverses"] if "inverses" in graph.attributes() else {}
    return _from_records(nodes, edges, graph.is_directed(), inverses, name or str(told or "graph"))


def from_object(data: Any, name: str = "") -> Graph:
    """A graph of what other libraries have: a networkx or igraph graph, PyG data, or data frames.

    A frame is one of edges where it has columns of both ends, else of nodes; a pair is one of nodes and one of edges;
    a dictionary has tables by name.
    Raises UsageError for anything else.
    """
    made_by = type(data).__module__.partition(".")[0]
    if made_by == "networkx":
        return from_networkx(data, name)
    if made_by == "igraph":
        return from_igraph(data, name)
    if made_by == "torch_geometric":
        return from_pyg(data, name or "graph")
    if isinstance(data, tuple | list) and len(data) == 2 and all(_is_frame(part) for part in data):
        nodes, edges = data
        return frames_graph(nodes, edges, name or "graph")
    if isinstance(data, Mapping) and data and all(_is_frame(part) for part in data.values()):
        return tables_graph({str(called): frame for called, frame in data.items()}, name or "graph")
    if _is_frame(data):
        return tables_graph({"table": data}, name or "graph")
    raise UsageError(
        f"A {type(data).__name__} is no graph. Give a name, a path, a networkx or igraph graph, PyG data, a data frame, "
        "a pair of frames, of nodes and of edges, or a dictionary of frames by name."
    )


def _is_frame(data: Any) -> bool:
    return type(data).__module__.startswith("pandas") or hasattr(data, "__arrow_c_stream__")


def _from_records(
    records: Sequence[tuple[str, Mapping[str, Any]]],
    given: Sequence[tuple[str, str, Mapping[str, Any]]],
    directed: bool,
    inverses: Mapping[str, str],
    name: str,
) -> Graph:
    """A graph of nodes and edges with their attributes."""
    attributes = [data for _, data in records]
    ids = pa.chunked_array([pa.array([node for node, _ in records], pa.string())])
    types = pa.chunked_array([pa.array([str(a.get("type") or "node") for a in attributes], pa.string())])
    features = _features(attributes, len(ids))
    label = next((n for n in ("name", "label", "title") if n in features.column_names), "")
    table = pa.table([ids, *features.columns], names=["id", *features.column_names])
    nodes = NodeRows(table, ids, types, "nodes", no_line, label, textual=False)
    relations = [str(data.get("relation") or "edge") for _, _, data in given]
    if not directed:
        inverses = {**{r: r for r in relations}, **inverses}
    edges = EdgeRows(
        pa.chunked_array([pa.array([a for a, _, _ in given], pa.string())]),
        pa.chunked_array([pa.array([b for _, b, _ in given], pa.string())]),
        pa.chunked_array([pa.array(relations, pa.string())]),
        _features([data for _, _, data in given], len(given)),
        "edges",
        no_line,
        textual=False,
    )
    specs = {r: RelationSpec(r, inverse) for r, inverse in inverses.items()}
    return assemble([nodes], [edges], Rules(specs, once=False), Rejects(), name)


def from_pyg(data: Any, name: str = "graph") -> Graph:
    """A graph of a PyTorch Geometric `Data` or `HeteroData` object.

    Ids are the positions of nodes (`0`, in heterogeneous graphs `paper 0`). Every attribute with a row a node
    or an edge becomes a feature: a vector where it is a matrix. Relations of one node type whose edges stand
    in both directions are undirected and stored once.
    """
    stores = {t: data[t] for t in data.node_types} if hasattr(data, "node_types") else {"node": data}
    counts = {t: int(store.num_nodes) for t, store in stores.items()}
    prefix = "{type} " if len(stores) > 1 else ""
    nodes = []
    for t, store in stores.items():
        ids = pa.array([f"{prefix.format(type=t)}{i}" for i in range(counts[t])], pa.string())
        columns = _tensors(store, counts[t], "edge_")
        nodes.append(NodeTable(t, pa.table({"id": ids} | columns)))
    if hasattr(data, "edge_types"):
        edges = [_pyg_edges(data[kind], *kind) for kind in data.edge_types]
    else:
        edges = [_pyg_edges(data, "node", "edge", "node", "edge_")]
    return build(nodes, edges, name)


def _pyg_edges(store: Any, source: str, relation: str, target: str, prefix: str = "") -> EdgeTable:
    ends = _array(store["edge_index"]).astype(np.int64)
    columns = {
        key: value
        for key, value in _tensors(store, ends.shape[1], "").items()
        if key != "edge_index" and key.startswith(prefix)
    }
    features = pa.table(columns)
    mirrored = source == target and is_mirror(ends)
    if mirrored:
        once = np.flatnonzero(ends[0] <= ends[1])
        ends, features = ends[:, once], features.take(pa.array(once)) if columns else features
    inverse = relation if mirrored else ""
    return EdgeTable(relation, source, target, ends[0], ends[1], features if columns else None, inverse)


def _tensors(store: Any, rows: int, without: str) -> dict[str, pa.Array]:
    """Attributes of a PyG store with one row an element, by name."""
    found = {}
    for key in store.keys() if callable(store.keys) else store.keys:
        value = store[key]
        if (without and key.startswith(without)) or not hasattr(value, "shape") or not value.shape:
            continue
        array = _array(value)
        if array.shape[0] != rows or key == "edge_index":
            continue
        if array.ndim == 1:
            found[key] = pa.array(array)
        else:
            flat = array.reshape(rows, -1)
            found[key] = pa.FixedSizeListArray.from_arrays(pa.array(flat.ravel()), flat.shape[1])
    return found


def _array(tensor: Any) -> np.ndarray[Any, Any]:
    return np.asarray(tensor.detach().cpu() if hasattr(tensor, "detach") else tensor)


def _features(rows: Sequence[Mapping[str, Any]], count: int) -> pa.Table:
    names = [n for n in dict.fromkeys(k for row in rows for k in row) if n not in _RESERVED]
    check_width(len(names), count)
    columns = [to_array([row.get(name) for row in rows]) for name in names]
    return pa.table(columns, names=[f"{n}_" if n == "id" else str(n) for n in names])
