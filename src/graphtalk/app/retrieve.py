"""`graphtalk retrieve`: the part of a graph that bears on a question, as text or as JSON."""

from pathlib import Path

from graphtalk.app import console, render
from graphtalk.app.asking import opened
from graphtalk.core import JSON, UsageError
from graphtalk.graphs import Graph, GraphSet
from graphtalk.graphs.drawing import draw_graph, graph_html
from graphtalk.graphs.part import part
from graphtalk.graphs.writers.pictures import MOST_NODES, check_picture, write_picture
from graphtalk.search.retrieval_index import retriever
from graphtalk.search.subgraph import Options, Subgraph

MOST_CHARACTERS = 10_000  # of a question


def retrieve(store: str, question: str, options: Options, as_json: bool, picture: Path | None = None) -> None:
    """Print the subgraph for a question, and draw it into the file `picture`. Raises UsageError where the graph or the question is of no use for that."""
    if not question.strip():
        raise UsageError("The question is empty.")
    if len(question) > MOST_CHARACTERS:
        raise UsageError(
            f"The question has {len(question):,} characters; at most {MOST_CHARACTERS:,} are read."
        )
    if picture is not None:
        check_picture(picture)
    by = retriever(_one(opened(store)))
    found = by.retrieve(question, options)
    if picture is not None:
        drawn = part(found.graph, found.nodes, found.edges)
        drawing = draw_graph(drawn, MOST_NODES)
        write_picture(picture, drawing, (), graph_html(drawn, MOST_NODES), question)
    if as_json:
        console.write(render.dumps(to_json(found)))
        return
    console.write(found.text)
    more = "" if found.complete else " The neighbourhood was too large and ended early."
    console.say(
        f"{len(found.nodes):,} nodes, {len(found.edges):,} edges; objective {found.objective:.4g} at "
        f"{found.cost:.4g} an edge; vectors of {by.vectors.embedder.name}; {render.duration(found.seconds)}.{more}"
    )


def to_json(found: Subgraph) -> dict[str, JSON]:
    """A subgraph as the object that `graphtalk retrieve --json` prints. `node_id` is the number in the text."""
    graph = found.graph
    sources, targets = graph.ends_of(found.edges)
    ids = dict(zip(found.nodes.tolist(), graph.ids(found.nodes.tolist()), strict=True))
    relations = found.relations
    nodes: list[JSON] = [
        {
            "node_id": node,
            "id": ids[node],
            "label": graph.label(node),
            "type": graph.node_type(node).name,
            "prize": prize,
        }
        for node, prize in zip(found.nodes.tolist(), found.node_prizes.tolist(), strict=True)
    ]
    ends = zip(sources.tolist(), relations, targets.tolist(), found.edge_prizes.tolist(), strict=True)
    edges: list[JSON] = [
        {"source": ids[source], "relation": relation, "target": ids[target], "prize": prize}
        for source, relation, target, prize in ends
    ]
    return {
        "nodes": nodes,
        "edges": edges,
        "text": found.text,
        "objective": found.objective,
        "edge_cost": found.cost,
        "complete": found.complete,
        "seconds": found.seconds,
    }


def _one(graph: Graph | GraphSet) -> Graph:
    if isinstance(graph, Graph):
        return graph
    if len(graph) == 1:
        return graph.at(0)
    raise UsageError(f"{graph.name} is a set of {len(graph):,} graphs; retrieval needs one graph.")
