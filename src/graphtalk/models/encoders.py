"""Graph encoders of G-Retriever (section 5.4 and appendix B): Graph Transformer, GAT and GCN, then mean pooling.

All are PyTorch Geometric's: its convolutions, with batch normalisation and ReLU between layers. The Graph Transformer
alone reads the vectors of edges; the other two see only that nodes are joined, as in the paper.
"""

from dataclasses import dataclass
from typing import Any, Final

import torch
from torch import Tensor
from torch_geometric.nn import GAT, GCN, TransformerConv, global_mean_pool
from torch_geometric.nn.models.basic_gnn import BasicGNN

from graphtalk.core import UsageError, choices

NAMES = ("gt", "gat", "gcn")
_NORM = "BatchNorm"
_NORM_OPTIONS = {"allow_single_element": True}  # a batch may be one graph of one node


@dataclass(frozen=True)
class EncoderSize:
    """How large an encoder is. The defaults are the paper's; `out` of 0 is as wide as `hidden`."""

    layers: int = 4
    heads: int = 4
    hidden: int = 1024
    out: int = 0

    @property
    def width(self) -> int:
        """Length of a graph's vector."""
        return self.out or self.hidden


@dataclass(frozen=True, eq=False)
class GraphBatch:
    """Graphs side by side: n nodes and m edges in all, of `count` graphs.

    Shapes: nodes (n, d), edges (m, d), ends (2, m) counted over all nodes, graph_of (n,).
    """

    nodes: Tensor
    edges: Tensor
    ends: Tensor
    graph_of: Tensor
    count: int


class GraphTransformer(BasicGNN):  # type: ignore[misc]
    """Graph Transformer (Shi et al., 2020): attention whose keys and values hold the vector of the edge."""

    supports_edge_weight: Final[bool] = False
    supports_edge_attr: Final[bool] = True
    supports_norm_batch: Final[bool] = False

    def init_conv(self, in_channels: int, out_channels: int, heads: int, edge_dim: int) -> torch.nn.Module:
        """One layer. Called by PyTorch Geometric for each."""
        conv: torch.nn.Module = TransformerConv(in_channels, out_channels // heads, heads, edge_dim=edge_dim)
        return conv


class GraphEncoder(torch.nn.Module):  # type: ignore[misc]
    """A network over nodes, and the mean of what it gives: one vector a graph."""

    def __init__(self, network: torch.nn.Module, width: int, reads_edges: bool) -> None:
        super().__init__()
        self.network = network
        self.width = width
        self.reads_edges = reads_edges

    def forward(self, graphs: GraphBatch) -> Tensor:
        """The graphs' vectors, shape (count, width); zeros for a graph without nodes."""
        edges = {"edge_attr": graphs.edges} if self.reads_edges else {}
        nodes = self.network(graphs.nodes, graphs.ends, **edges)
        pooled: Tensor = global_mean_pool(nodes, graphs.graph_of, graphs.count)
        return pooled


def make_encoder(name: str, inputs: int, size: EncoderSize) -> GraphEncoder:
    """The encoder `gt`, `gat` or `gcn` for vectors of length `inputs`.

    Raises UsageError for another name, or where heads do not divide the widths.
    """
    if name not in NAMES:
        raise UsageError(f"No graph encoder {name!r}. {choices(name, NAMES)}")
    if min(size.layers, size.heads, size.hidden, size.width) < 1:
        raise UsageError(f"A graph encoder needs at least one layer, head and unit: {size}.")
    if name != "gcn" and (size.hidden % size.heads or size.width % size.heads):
        raise UsageError(
            f"{size.heads} heads do not divide the widths {size.hidden} and {size.width} of the graph encoder."
        )
    common: dict[str, Any] = {"norm": _NORM, "norm_kwargs": _NORM_OPTIONS}
    shape = (inputs, size.hidden, size.layers, size.width)
    if name == "gt":
        network = GraphTransformer(*shape, heads=size.heads, edge_dim=inputs, **common)
    elif name == "gat":
        network = GAT(*shape, heads=size.heads, **common)
    else:
        network = GCN(*shape, **common)
    return GraphEncoder(network, size.width, reads_edges=name == "gt")
