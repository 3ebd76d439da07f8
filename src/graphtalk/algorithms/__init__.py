"""Exact graph algorithms: pure functions of a graph, on scipy's compressed sparse rows.

Nodes are internal indices, counted from 0. Results are plain: numbers, lists of nodes, numpy arrays
indexed by node. A distance to what cannot be reached is infinite.
"""

from graphtalk.algorithms.distances import center, diameter, eccentricity, periphery, radius
from graphtalk.algorithms.measures import degree, density, order, size
from graphtalk.algorithms.neighbourhood import neighbourhood
from graphtalk.algorithms.paths import (
    all_shortest_paths,
    avg_path_length,
    distances_from,
    max_path_length,
    min_path_length,
    shortest_path,
    shortest_path_length,
)
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
from graphtalk.algorithms.components import (
    bipartite_colouring,
    component_labels,
    components,
    find_cycle,
    has_cycle,
    is_bipartite,
    is_connected,
    topological_order,
)
