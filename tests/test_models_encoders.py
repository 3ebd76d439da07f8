"""The graph encoders: what they see, what they must not see, and the smallest graphs."""

import pytest
import torch

from graphtalk.core import UsageError
from graphtalk.models.encoders import NAMES, EncoderSize, GraphBatch, GraphEncoder, make_encoder

SIZE = EncoderSize(layers=3, heads=2, hidden=16, out=8)
DIMENSION = 6


def graph(nodes: int, ends: list[tuple[int, int]], seed: int = 0) -> GraphBatch:
    noise = torch.Generator().manual_seed(seed)
    return GraphBatch(
        torch.randn(nodes, DIMENSION, generator=noise),
        torch.randn(len(ends), DIMENSION, generator=noise),
        torch.tensor(ends, dtype=torch.long).reshape(-1, 2).T,
        torch.zeros(nodes, dtype=torch.long),
        1,
    )


def side_by_side(first: GraphBatch, second: GraphBatch) -> GraphBatch:
    shift = len(first.nodes)
    return GraphBatch(
        torch.cat([first.nodes, second.nodes]),
        torch.cat([first.edges, second.edges]),
        torch.cat([first.ends, second.ends + shift], dim=1),
        torch.cat([first.graph_of, second.graph_of + first.count]),
        first.count + second.count,
    )


def encoder(name: str, size: EncoderSize = SIZE) -> GraphEncoder:
    torch.manual_seed(1)
    return make_encoder(name, DIMENSION, size).eval()


RING = graph(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
PAIR = graph(2, [(0, 1)], seed=3)


@pytest.mark.parametrize("name", NAMES)
def test_a_graph_is_one_vector_whatever_stands_beside_it(name: str) -> None:
    model = encoder(name)
    alone, both = model(RING), model(side_by_side(PAIR, RING))
    assert alone.shape == (1, 8) and both.shape == (2, 8)
    torch.testing.assert_close(both[1], alone[0])
    torch.testing.assert_close(both[0], model(PAIR)[0])


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_nodes_does_not_count(name: str) -> None:
    order = torch.tensor([3, 1, 4, 0, 2])
    place = torch.argsort(order)
    moved = GraphBatch(RING.nodes[order], RING.edges, place[RING.ends], RING.graph_of, 1)
    torch.testing.assert_close(encoder(name)(moved), encoder(name)(RING))


@pytest.mark.parametrize("name", NAMES)
def test_edges_count_and_their_texts_only_for_the_graph_transformer(name: str) -> None:
    model = encoder(name)
    ends = RING.ends.clone()
    ends[1, 0] = 3
    joined_otherwise = GraphBatch(RING.nodes, RING.edges, ends, RING.graph_of, 1)
    other_texts = GraphBatch(RING.nodes, RING.edges + 1, RING.ends, RING.graph_of, 1)
    assert not torch.allclose(model(joined_otherwise), model(RING))
    assert torch.allclose(model(other_texts), model(RING)) == (name != "gt")


@pytest.mark.parametrize("name", NAMES)
def test_the_smallest_graphs_can_be_trained_on(name: str) -> None:
    model = encoder(name).train()
    for batch in (graph(1, []), graph(3, []), graph(1, [(0, 0)])):
        assert torch.isfinite(model(batch)).all()
    empty = model.eval()(side_by_side(graph(0, []), PAIR))
    assert not empty[0].any() and empty[1].any()


@pytest.mark.parametrize("name", NAMES)
def test_every_layer_learns(name: str) -> None:
    model = encoder(name).train()
    target = torch.randn(2, 8, generator=torch.Generator().manual_seed(5))
    (model(side_by_side(RING, PAIR)) * target).sum().backward()
    gradients = [value.grad is not None for value in model.parameters()]
    assert all(gradients) and len(gradients) >= 2 * SIZE.layers


def test_the_papers_size_is_the_default() -> None:
    network = make_encoder("gt", DIMENSION, EncoderSize()).network
    assert len(network.convs) == 4 and network.convs[0].heads == 4 and network.out_channels == 1024
    assert [type(norm).__name__ for norm in network.norms] == ["BatchNorm"] * 3 + ["Identity"]


def test_names_and_sizes_are_checked() -> None:
    with pytest.raises(UsageError, match="Did you mean gcn"):
        make_encoder("gin", DIMENSION, SIZE)
    with pytest.raises(UsageError, match="3 heads do not divide the widths 16"):
        make_encoder("gat", DIMENSION, EncoderSize(heads=3, hidden=16))
    with pytest.raises(UsageError, match="at least one layer"):
        make_encoder("gcn", DIMENSION, EncoderSize(layers=0))
    assert make_encoder("gcn", DIMENSION, EncoderSize(heads=3, hidden=16, layers=1)).width == 16
