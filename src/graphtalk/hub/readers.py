"""From the files of a data set to its graph: one reader a format. The rest of a card's `[read]` is for its reader.

recipe       `recipe`: tables of nodes and edges, as in `graphs/recipe.py`
planetoid    `graph`: the NAME in ind.NAME.*; `topics`: names of the classes; `original_ids`: a file of links by
             original id; `partial`: whether ind.NAME.allx may be missing
graphs       `source`: a file, or "" for the folder; `layout`: `tu` or `gin`; `label_offset`: added to labels of graphs;
             `node_type`, `relation`: what nodes and edges are called; `meanings`: more features of nodes, each a table of
             what it is for a label
graph-toolformer   `source`: the pickled dictionary of the paper's appendix A.2; `node_type`, `relation`, `inverse`
built-in     `graph`: a graph that comes with the package

Any other name is that of a format (`graphs/formats/registry.py`), which reads the card's files.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import UsageError, choices
from graphtalk.graphs import Graph, GraphSet, Loaded, builtin
from graphtalk.graphs.derive import derive
from graphtalk.graphs.formats import graph_toolformer, planetoid
from graphtalk.graphs.formats.registry import format_called, formats
from graphtalk.graphs.formats.tables import read_recipe
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.recipe import recipe_of
from graphtalk.graphs.schema import Feature, Schema
from graphtalk.hub.card import DataCard
from graphtalk.hub.original_ids import original_ids, read_links

Reader: TypeAlias = Callable[[DataCard, Path, Importing], Loaded]


def read(card: DataCard, folder: Path, importing: Importing) -> Loaded:
    """The graph of a data set whose files lie in `folder`. Raises SourceError where they cannot be read."""
    if card.format not in READERS and card.format not in formats():
        raise UsageError(
            f"card {card.name}: no format {card.format!r}. {choices(card.format, (*READERS, *formats()))}"
        )
    return named(READERS.get(card.format, _by_format)(card, folder, importing), card.name)


def named(graph: Loaded, name: str) -> Loaded:
    """The graph under another name."""
    if isinstance(graph, GraphSet):
        return replace(graph, union=replace(graph.union, name=name))
    return replace(graph, name=name)


def _by_format(card: DataCard, folder: Path, importing: Importing) -> Loaded:
    there = [folder / f.name for f in card.files if (folder / f.name).exists()]
    return format_called(card.format).read(there, importing)


def _by_recipe(card: DataCard, folder: Path, importing: Importing) -> Loaded:
    recipe = recipe_of(_option(card, "recipe", dict), card.name, f"card {card.name}")
    absent = {file.name for file in card.files if file.optional and not (folder / file.name).exists()}
    recipe = replace(recipe, edges=tuple(spec for spec in recipe.edges if not absent.issuperset(spec.files)))
    return derive(read_recipe(recipe, [folder], importing), recipe.derived)


def _citations(card: DataCard, folder: Path, importing: Importing) -> Loaded:
    name = _option(card, "graph", str)
    graph = planetoid.read_graph(folder, name, importing, bool(card.read.get("partial")))
    topics = pa.array(_option(card, "topics", list)).take(graph.columns["paper"].column("class"))
    columns: dict[str, pa.Array] = {"topic": topics}
    ids = None
    if "original_ids" in card.read:
        links = read_links(folder / _option(card, "original_ids", str))
        ids, certain = original_ids(planetoid.neighbours(folder, name, importing), links)
        columns["id_certain"] = pa.array(certain)
    return _with_columns(graph, "paper", columns, ids)


def _graphs(card: DataCard, folder: Path, importing: Importing) -> Loaded:
    source = folder / _option(card, "source", str)
    graphs = format_called(_option(card, "layout", str)).read([source], importing)
    if not isinstance(graphs, GraphSet):
        return graphs
    if offset := int(card.read.get("label_offset", 0)):
        at = graphs.table.column_names.index("label")
        labels = pc.add(graphs.table.column(at), pa.scalar(offset, pa.int64()))
        graphs = replace(graphs, table=graphs.table.set_column(at, "label", labels))
    return replace(graphs, union=_in_its_words(graphs.union, card.read))


def _in_its_words(union: Graph, told: Mapping[str, Any]) -> Graph:
    """The graphs of a set with the card's names for nodes and edges, and what their labels stand for."""
    (nodes,), (edges,) = union.schema.node_types, union.schema.relations
    table = union.columns[nodes.name]
    kind, relation = told.get("node_type", nodes.name), told.get("relation", edges.name)
    for feature, meanings in told.get("meanings", {}).items():
        at = pc.index_in(pc.cast(table.column("label"), pa.string()), pa.array(list(meanings)))
        table = table.append_column(feature, pc.take(pa.array(list(meanings.values())), at))
        nodes = replace(nodes, features=(*nodes.features, Feature(feature, "text")))
    inverse = relation if edges.inverse else ""
    renamed = replace(edges, name=relation, source=kind, target=kind, inverse=inverse)
    schema = Schema((replace(nodes, name=kind),), (renamed,))
    return replace(union, schema=schema, columns={kind: table}, ids_index=None)


def _shared_by_authors(card: DataCard, folder: Path, importing: Importing) -> Loaded:
    node_type, relation = _option(card, "node_type", str), _option(card, "relation", str)
    path, inverse = folder / _option(card, "source", str), _option(card, "inverse", str)
    return graph_toolformer.read_graph(path, node_type, relation, inverse, importing)


def _built_in(card: DataCard, folder: Path, importing: Importing) -> Loaded:
    return builtin.load(_option(card, "graph", str))


def _with_columns(
    graph: Graph, node_type: str, columns: Mapping[str, pa.Array], ids: list[str] | None
) -> Graph:
    """The graph with more features of a node type and, where given, other ids."""
    table = graph.columns[node_type]
    for name, values in columns.items():
        table = table.append_column(name, values)
    if ids is not None:
        table = table.set_column(0, "id", pa.array(ids, pa.string()))
    kinds = {"topic": "text", "id_certain": "boolean"}
    new = tuple(Feature(name, kinds[name]) for name in columns)  # type: ignore[arg-type]
    types = tuple(
        replace(t, features=(*t.features, *new)) if t.name == node_type else t
        for t in graph.schema.node_types
    )
    schema = Schema(types, graph.schema.relations)
    return replace(graph, schema=schema, columns={**graph.columns, node_type: table}, ids_index=None)


def _option(card: DataCard, name: str, kind: type[Any]) -> Any:
    if not isinstance(card.read.get(name), kind):
        raise UsageError(f"card {card.name}, read: needs {name!r} for the format {card.format!r}.")
    return card.read[name]


READERS: Mapping[str, Reader] = {
    "recipe": _by_recipe,
    "planetoid": _citations,
    "graphs": _graphs,
    "graph-toolformer": _shared_by_authors,
    "built-in": _built_in,
}
