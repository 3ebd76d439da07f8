"""Where the built-in tools are: one line each."""

from collections.abc import Callable

_PLACES = {
    "RetrieveNode": "nodes:retrieve_node",
    "Nodes": "nodes:nodes",
    "NodeFeature": "nodes:node_feature",
    "NeighbourCheck": "nodes:neighbour_check",
    "NodeDegree": "nodes:node_degree",
    "Intersect": "bags:intersect",
    "Union": "bags:union",
    "Difference": "bags:difference",
    "Distinct": "bags:distinct",
    "Count": "bags:count",
    "Contains": "bags:contains",
    "MostFrequent": "bags:most_frequent",
    "Filter": "ranking:filter_nodes",
    "Top": "ranking:top",
    "Bottom": "ranking:bottom",
    "TopDegree": "ranking:top_degree",
    "Average": "quantities:average",
    "Sum": "quantities:total",
    "Minimum": "quantities:minimum",
    "Maximum": "quantities:maximum",
}


def register(add: Callable[[str, str], None]) -> None:
    """Register the built-in tools."""
    for name, place in _PLACES.items():
        add(name, f"graphtalk.tools.{place}")
