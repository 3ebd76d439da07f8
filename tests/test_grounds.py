"""What in the graph speaks for a prediction: counted here again from the edges, and given as evidence."""

import numpy as np
import pyarrow as pa

from graphtalk.graphs import EdgeTable, Graph, GraphSet, NodeTable, build
from graphtalk.tools import grounds
from graphtalk.tools.context import Context, Source
from graphtalk.tools.finder import LabelFinder
from graphtalk.tools.limits import Budget, Limits
from graphtalk.tools.nodes import follow


def at(graph: Graph) -> Context:
    return Context(Source(graph, LabelFinder(graph)), Budget(Limits()))


def edges(context: Context) -> set[tuple[str, str]]:
    graph, found = context.graph, set[tuple[str, str]]()
    for note in context.notes:
        for relation, edge in zip(note.relation.tolist(), note.edge.tolist(), strict=True):
            source, target = graph.edge_ends(relation, np.array([edge]))
            found.add((graph.id(int(source[0])), graph.id(int(target[0]))))
    return found


def papers() -> Graph:
    """p0 cites five papers: two on A, three on B."""
    words = pa.array(
        [[1.0, 0.0], [1.0, 0.1], [0.0, 1.0], [0.9, 0.0], [0.0, 1.0], [0.0, 0.9]], pa.list_(pa.float32(), 2)
    )
    table = pa.table(
        {"id": [f"p{i}" for i in range(6)], "topic": [None, "A", "A", "B", "B", "B"], "words": words}
    )
    cites = EdgeTable("cites", "paper", "paper", np.zeros(5, int), np.arange(1, 6))
    return build([NodeTable("paper", table)], [cites], "papers")


def test_neighbours_that_agree_are_counted_and_shown_and_what_speaks_against_it_is_said() -> None:
    context = at(papers())
    grounds.like_neighbours(context, 0, "topic", "A")
    assert context.remarks == ["2 of 5 neighbours with a recorded topic have A; most, 3, have B"]
    assert edges(context) == {("p0", "p1"), ("p0", "p2")}
    context = at(papers())
    grounds.like_neighbours(context, 0, "topic", "B")
    assert context.remarks == ["3 of 5 neighbours with a recorded topic have B"]


def test_a_node_with_no_recorded_neighbour_has_nothing_that_speaks_for_it() -> None:
    context = at(papers())
    grounds.like_neighbours(context, 3, "topic", "B")
    assert context.remarks == ["none of its 1 neighbour has a recorded topic"]
    assert not context.notes


def test_the_likest_vectors_are_counted() -> None:
    context = at(papers())
    grounds.like_vectors(context, 0, "topic", "words", "B")
    assert context.remarks == ["of the 5 nodes with the likest words 3 have B"]


def shop() -> Graph:
    """u0 chose i0 and i1; of the three others who chose i2, two chose i1 and one i0."""
    pairs = [(0, 0), (0, 1), (1, 2), (1, 1), (2, 2), (2, 1), (3, 2), (3, 0)]
    users = NodeTable("user", pa.table({"id": [f"u{i}" for i in range(4)]}))
    items = NodeTable("item", pa.table({"id": [f"i{i}" for i in range(4)]}))
    source, target = np.array(pairs).T
    return build([users, items], [EdgeTable("bought", "user", "item", source, target)], "shop")


def test_what_was_chosen_beside_an_item() -> None:
    graph = shop()
    context = at(graph)
    grounds.chosen_alike(context, graph.node("u0"), graph.node("i2"))
    assert context.remarks == [
        "of what u0 chose, i1 was chosen most often by the others who chose i2: 2 of 3"
    ]
    assert edges(context) == {("u0", "i1"), ("u1", "i1"), ("u1", "i2"), ("u2", "i1"), ("u2", "i2")}
    context = at(graph)
    grounds.chosen_alike(context, graph.node("u0"), graph.node("i3"))
    assert context.remarks == ["nobody else who chose i3 chose anything that u0 did"] and not context.notes


def test_neighbours_in_the_same_community() -> None:
    context = at(papers())
    grounds.in_one_community(context, 0, np.array([0, 0, 0, 0, 1, 1]))
    assert context.remarks == ["3 of its 5 neighbours are in it too"]
    assert edges(context) == {("p0", "p1"), ("p0", "p2"), ("p0", "p3")}


def test_others_of_which_the_fact_is_recorded() -> None:
    graph = shop()
    vectors = np.array([[0.0], [5.0], [1.0], [3.0], *[[9.0]] * 4], np.float32)
    context = at(graph)
    grounds.recorded_of_like(
        context, vectors, 0, follow(context, np.array([graph.node("i2")]), "^bought"), "bought with i2"
    )
    assert context.remarks == [
        "bought with i2 is recorded of 3 others, of which the model has u2, u3, u1 nearest to u0"
    ]
    assert edges(context) == {("u1", "i2"), ("u2", "i2"), ("u3", "i2")}


def ring(size: int) -> Graph:
    node = np.arange(size)
    table = pa.table({"id": [str(i) for i in node], "label": ["C"] * size})
    return build(
        [NodeTable("atom", table)], [EdgeTable("bond", "atom", "atom", node, (node + 1) % size, None, "bond")]
    )


def star(size: int) -> Graph:
    node = np.arange(1, size)
    table = pa.table({"id": [str(i) for i in range(size)], "label": ["C"] * size})
    return build(
        [NodeTable("atom", table)],
        [EdgeTable("bond", "atom", "atom", np.zeros(size - 1, int), node, None, "bond")],
    )


def test_molecules_that_are_built_alike() -> None:
    graphs = {"r5": ring(5), "s5": star(5), "r6": ring(6), "s6": star(6), "r7": ring(7)}
    labels = pa.table({"label": ["ring", "star", "ring", "star", None]})
    found = grounds.like_graphs(GraphSet.of(graphs, "shapes", labels), 4, "label", "label", "ring")
    assert (
        found == "2 of the 4 others that are built most like it are recorded as ring; the likest: r5, r6, s5"
    )
