"""What a graph has, for people and as JSON: counts, sizes, its schema in words, questions to try."""

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from graphtalk.app import render, stores
from graphtalk.core import JSON
from graphtalk.graphs import Graph, GraphSet, Relation
from graphtalk.graphs.describe import describe
from graphtalk.hub import Hub, hub_folder
from graphtalk.language.dictionary import verb_done
from graphtalk.language.identifiers import split_name
from graphtalk.language.nouns import is_plural, plural
from graphtalk.language.relating import is_participle
from graphtalk.reasoners.planner.reading import feature_in_words, name_in_words

if TYPE_CHECKING:
    from rich.console import Console

_BY_ITSELF = frozenset(
    ["arrived", "departed", "died", "enrolled", "expired", "graduated", "joined", "retired"]
)  # nobody was
PREPOSITIONS = frozenset(["at", "by", "for", "from", "in", "into", "of", "on", "through", "to", "with"])


def to_json(graph: Graph | GraphSet) -> dict[str, JSON]:
    """Everything about a graph."""
    union = _union(graph)
    schema = union.schema
    return {
        "name": graph.name,
        "graphs": len(graph) if isinstance(graph, GraphSet) else 1,
        "nodes": union.num_nodes,
        "edges": union.num_edges,
        "node_types": [_plain(asdict(t), ("first",)) for t in schema.node_types],
        "relations": [_plain(asdict(r)) for r in schema.relations],
        "description": describe(union.schema),
        "questions": list(questions(union)),
        "store": stores.address_of(union) or (str(union.path) if union.path else None),
        "bytes": size_of(graph),
        "checksum": union.checksum,
    }


def _plain(record: dict[str, JSON], without: tuple[str, ...] = ()) -> JSON:
    return {key: list(v) if isinstance(v, tuple) else v for key, v in record.items() if key not in without}


def _union(graph: Graph | GraphSet) -> Graph:
    return graph.union if isinstance(graph, GraphSet) else graph


def questions(graph: Graph, most: int = 4) -> tuple[str, ...]:
    """Questions that fit the graph's schema, each about a node that has an answer: `most` of them."""
    relations = graph.schema.relations
    between = Counter((r.source, r.target) for r in relations)
    asked = [(position, r) for position, r in enumerate(relations) if r.count]
    asked.sort(
        key=lambda pair: (not _is_attribute(graph, pair[1]), between[pair[1].source, pair[1].target] > 1)
    )
    found = [*itertools.islice(_feature_questions(graph), 1)]
    for position, r in asked[: most - len(found)]:
        ends = graph.first_edge(position)
        if ends is not None:
            found.append(_relation_question(graph, position, ends[0], named=between[r.source, r.target] > 1))
    return tuple(found)


def _feature_questions(graph: Graph) -> Iterator[str]:
    for t in graph.schema.node_types:
        for feature in t.features:
            value = graph.feature(t.first, feature.name) if t.count and feature.kind == "number" else None
            asked = (
                _feature_question(feature.name, value, graph.label(t.first))
                if isinstance(value, int | float)
                else ""
            )
            if asked:
                yield asked


def _feature_question(feature: str, value: float, label: str) -> str:
    """A question for a number of a node, as its name goes in a sentence; empty where it hardly does."""
    said = feature_in_words(feature)
    if is_participle(said):
        asked = f"did {label} {verb_done(said)}" if said in _BY_ITSELF else f"was {label} {said}"
        return f"When {asked}?" if 1000 <= value < 2200 else ""
    return f"How many {said} does {label} have?" if is_plural(said) else f"What is the {said} of {label}?"


def _relation_question(graph: Graph, position: int, source: int, named: bool) -> str:
    """About a source of a relation; `named` where its target type alone does not say which is meant."""
    r = graph.schema.relations[position]
    label = graph.label(source)
    words = " ".join(_own_words(r))
    if words and _is_attribute(graph, r):
        return f"What is the {words} of {label}?"
    relation = f" ({words})" if named and words else ""
    return f"What are the {plural(name_in_words(r.target))}{relation} of {label}?"


def _own_words(r: Relation) -> list[str]:
    types = {*split_name(r.source), *split_name(r.target)} - set(split_name(r.name)[:1])
    return [word for word in split_name(r.name) if word not in types]


def _is_attribute(graph: Graph, r: Relation) -> bool:
    """Whether a relation reads as a noun with about one value a node, as `capital` does."""
    words = _own_words(r)
    noun = bool(words) and words[-1] not in PREPOSITIONS and not words[-1].endswith("s")
    return noun and r.count <= 1.2 * graph.schema.node_type(r.source).count


def size_of(graph: Graph | GraphSet) -> int:
    """Bytes of a graph's store; 0 where it has none."""
    path: Path | None = _union(graph).path
    return sum(p.stat().st_size for p in path.rglob("*") if p.is_file()) if path else 0


def print_counts(console: "Console", graph: Graph | GraphSet) -> None:
    """How many nodes of each type and edges of each relation."""
    schema = _union(graph).schema
    if isinstance(graph, GraphSet):
        console.print(f"{len(graph):,} graphs", style="bold")
    rows = [(t.name, f"{t.count:,}", ", ".join(f.name for f in t.features)) for t in schema.node_types]
    render.print_table(console, ("node type", "nodes", "features"), rows)
    edges = [
        (r.name, r.source, r.target, "both ways" if r.undirected else r.back, f"{r.count:,}")
        for r in schema.relations
    ]
    render.print_table(console, ("relation", "from", "to", "seen from there as", "edges"), edges)


def called(graph: Graph | GraphSet) -> str:
    """The name of a graph; of a copy in the hub that is another than the paper's with its edition."""
    hub = Hub(hub_folder())
    return hub.called(graph.name) if _union(graph).path == hub.place(graph.name) else graph.name


def print_page(console: "Console", graph: Graph | GraphSet) -> None:
    """The whole page of `graphtalk info`."""
    union = _union(graph)
    kept = f", {render.size(size_of(graph))} in {union.path}" if union.path else ""
    if address := stores.address_of(union):
        kept = f", in {address}; its names are kept here, {render.size(size_of(graph))}"
    console.print(
        f"{called(graph)}: {union.num_nodes:,} nodes, {union.num_edges:,} edges{kept}", style="bold"
    )
    console.print(f"\n{describe(union.schema)}\n", markup=False)
    print_counts(console, graph)
    if isinstance(graph, GraphSet):
        console.print(f"\nGraphs: {', '.join(graph.names[:50])}", markup=False)
    tries = questions(union)
    if tries and isinstance(graph, Graph):
        console.print("\nTry", style="dim")
        for question in tries:
            console.print(f"  {question}", markup=False)
