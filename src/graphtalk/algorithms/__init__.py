"""Exact graph algorithms: pure functions of a graph, on scipy's compressed sparse rows.

Nodes are internal indices, counted from 0. Results are plain: numbers, lists of nodes, numpy arrays
indexed by node. A distance to what cannot be reached is infinite.
"""

from graphtalk.algorithms.acyclic import longest_path, path_count
from graphtalk.algorithms.centrality import betweenness, closeness, pagerank
from graphtalk.algorithms.clustering import (
    Triangle,
    average_clustering,
    core_numbers,
    k_core,
    local_clustering,
    maximum_triangle,
    transitivity,
    triangle_count,
    triangles,
)
from graphtalk.algorithms.communities import Communities, communities, modularity
from graphtalk.algorithms.components import (
    bipartite_colouring,
    component_labels,
    components,
    find_cycle,
    girth,
    has_cycle,
    is_bipartite,
    is_connected,
    topological_order,
)
from graphtalk.algorithms.cuts import articulation_points, bridges, edge_connectivity, is_eulerian
from graphtalk.algorithms.distances import center, diameter, eccentricity, periphery, radius
from graphtalk.algorithms.flows import Flow, Forest, bipartite_matching, maximum_flow, minimum_spanning_forest
from graphtalk.algorithms.hamilton import hamiltonian_cycle, hamiltonian_path
from graphtalk.algorithms.hard import (
    colouring,
    dominating_set,
    largest_clique,
    largest_independent_set,
    maximum_matching,
)
from graphtalk.algorithms.isomorphism import Matching, has_subgraph, subgraph_isomorphisms
from graphtalk.algorithms.measures import degree, density, order, size
from graphtalk.algorithms.neighbourhood import neighbourhood
from graphtalk.algorithms.paths import (
    all_shortest_paths,
    ancestors,
    avg_path_length,
    distances_from,
    max_path_length,
    min_path_length,
    reachable,
    shortest_path,
    shortest_path_length,
    total_weight,
)

__all__ = [
    "Communities",
    "Flow",
    "Forest",
    "Matching",
    "Triangle",
    "all_shortest_paths",
    "ancestors",
    "articulation_points",
    "average_clustering",
    "avg_path_length",
    "betweenness",
    "bipartite_colouring",
    "bipartite_matching",
    "bridges",
    "center",
    "closeness",
    "colouring",
    "communities",
    "component_labels",
    "components",
    "core_numbers",
    "degree",
    "density",
    "diameter",
    "distances_from",
    "dominating_set",
    "eccentricity",
    "edge_connectivity",
    "find_cycle",
    "girth",
    "hamiltonian_cycle",
    "hamiltonian_path",
    "has_cycle",
    "has_subgraph",
    "is_bipartite",
    "is_connected",
    "is_eulerian",
    "k_core",
    "largest_clique",
    "largest_independent_set",
    "local_clustering",
    "longest_path",
    "max_path_length",
    "maximum_flow",
    "maximum_matching",
    "maximum_triangle",
    "min_path_length",
    "minimum_spanning_forest",
    "modularity",
    "neighbourhood",
    "order",
    "pagerank",
    "path_count",
    "periphery",
    "radius",
    "reachable",
    "shortest_path",
    "shortest_path_length",
    "size",
    "subgraph_isomorphisms",
    "topological_order",
    "total_weight",
    "transitivity",
    "triangle_count",
    "triangles",
]
