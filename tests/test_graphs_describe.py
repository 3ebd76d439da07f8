"""A schema in words."""

import numpy as np
import pyarrow as pa

from graphtalk.graphs import EdgeTable, NodeTable, build, describe


def test_a_schema_in_the_words_of_graph_cot() -> None:
    none = np.array([], dtype=np.int64)
    graph = build(
        [
            NodeTable("paper", pa.table({"id": ["p"], "title": ["t"], "year": [1]})),
            NodeTable("author", pa.table({"id": ["a"], "name": ["n"]})),
        ],
        [
            EdgeTable("author", "paper", "author", none, none, None, "paper"),
            EdgeTable("reference", "paper", "paper", none, none, pa.table({"page": none}), "cited_by"),
        ],
    )
    assert describe(graph.schema) == (
        "There are two types of nodes in the graph: paper and author. "
        "Paper nodes have features: title and year. Author nodes have features: name. "
        "Paper nodes are linked to author nodes, paper nodes by reference and paper nodes by cited_by. "
        "Author nodes are linked to paper nodes. "
        "Reference edges from paper to paper have features: page."
    )


def test_one_type_without_anything() -> None:
    graph = build([NodeTable("node", pa.table({"id": ["a"]}))], [])
    assert describe(graph.schema) == "There is one type of nodes in the graph: node."
