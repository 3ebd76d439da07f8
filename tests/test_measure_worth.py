"""What is read of a graph at equal tokens: the cut that stands for no retrieval keeps to its budget, and to the graph."""

import random
import sys
from pathlib import Path

import numpy as np
import pytest

from graphtalk.training.text_graphs import TextGraph

pytest.importorskip("torch_geometric", reason="the measured network is made of its layers")
sys.path.append(str(Path(__file__).parents[1] / "scripts"))

import measure_worth


def path(edges: int) -> TextGraph:
    return TextGraph.of_triples([(f"film {i}", "directed by", f"person {i + 1}") for i in range(edges)])


@pytest.mark.parametrize("budget", [0, 40, 100, 10_000])
def test_a_cut_graph_keeps_to_its_budget(budget: int) -> None:
    whole = path(50)
    order = random.Random(0).sample(range(50), 50)
    for part in (measure_worth.cut(whole, budget), measure_worth.cut(whole, budget, order)):
        header = measure_worth.tokens(path(0))
        assert measure_worth.tokens(part) <= budget + header
        assert set(part.edges) <= {"directed by"} and len(part.nodes) == 2 * len(part.edges)
    assert len(measure_worth.cut(whole, 10_000).edges) == 50


def test_the_cut_has_almost_as_many_tokens_as_it_may() -> None:
    part = measure_worth.cut(path(50), 100)
    one_more = 4 + 2 + 2 * (2 + 2)
    assert measure_worth.tokens(part) - measure_worth.tokens(path(0)) > 100 - one_more - 4


def test_questions_of_the_test_name_other_nodes() -> None:
    found = [measure_worth.Case("who?", f"film {i % 7}", frozenset(), (), (), (0, 0)) for i in range(40)]
    train, test = measure_worth.apart(found, 10)
    assert len(train) + len(test) == 40 and len(test) >= 10
    assert not {case.named for case in train} & {case.named for case in test}


def test_a_hit_is_a_right_node_and_nothing_read_is_none() -> None:
    from graphtalk.search.embedder import load_embedder
    from graphtalk.training.prompts import TextVectors

    embedder = load_embedder("static")
    vectors = TextVectors(embedder)
    case = measure_worth.Case(
        "who directed film 0?", "film 0", frozenset({"person 1"}), (path(1), path(0)), (9, 5), (2, 1)
    )
    read, nothing = (measure_worth.as_read(case, way, vectors) for way in (0, 1))
    assert read.right.tolist() == [False, True] and np.isclose(read.nodes[:, -1].tolist(), [1, 0]).all()
    model = measure_worth.learn([read] * 16, embedder.dimension, 40, 0)
    assert measure_worth.hits(model, [read, nothing]) == [True, False]
