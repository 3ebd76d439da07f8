"""The built-in graph set `gpr` against every result that Graph-ToolFormer's prompts state about it."""

import importlib.util
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from types import ModuleType

import networkx as nx
import numpy as np
import pytest

from graphtalk import algorithms as alg
from graphtalk.graphs import Graph, builtin

MAKER = Path(__file__).resolve().parents[1] / "scripts" / "make_gpr.py"
STATED, REPRODUCED, REORDERED = 1925, 1871, 18  # as docs/gpr.md says


@pytest.fixture(scope="module")
def make_gpr() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_gpr", MAKER)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def graphs() -> dict[str, Graph]:
    return dict(builtin.load("gpr"))


@pytest.fixture
def prompts(shared_data: Path) -> Path:
    return shared_data / "graph_toolformer_prompts" / "graph_properties"


def eccentricities(graph: Graph, *nodes: int) -> object:
    found = alg.eccentricity(graph, nodes or None).tolist()
    return found[0] if nodes else dict(enumerate(found))


FUNCTIONS: dict[str, Callable[..., object]] = {
    "order": alg.order,
    "size": alg.size,
    "density": alg.density,
    "eccentricity": eccentricities,
    "radius": alg.radius,
    "diameter": alg.diameter,
    "center": alg.center,
    "periphery": alg.periphery,
    "shortest_path": alg.shortest_path_length,
    "avg_path_length": alg.avg_path_length,
    "max_path_length": alg.max_path_length,
    "min_path_length": alg.min_path_length,
}


def sentences(
    make_gpr: ModuleType, graphs: dict[str, Graph], folder: Path
) -> Iterator[list[tuple[object, object]]]:
    """For each prompt the pairs of (our result, stated result), in the order of its calls."""
    for _, facts in groupby(make_gpr.stated_results(folder), key=lambda fact: fact.place):
        yield [(FUNCTIONS[f.function](graphs[f.graph], *f.nodes), f.result) for f in facts]


def plain(result: object) -> object:
    """Lists of nodes in one order."""
    return sorted(result) if isinstance(result, list) else result


@pytest.mark.shared
def test_stated_results_come_out(make_gpr: ModuleType, graphs: dict[str, Graph], prompts: Path) -> None:
    stated = reproduced = reordered = 0
    for pairs in sentences(make_gpr, graphs, prompts):
        agree = [plain(ours) == plain(theirs) for ours, theirs in pairs]
        stated, reproduced = stated + len(pairs), reproduced + sum(agree)
        if not all(agree):  # then the prompt states the right results in another order than its calls
            reordered += 1
            theirs = [plain(pair[1]) for pair in pairs]
            for ours, _ in pairs:
                theirs.remove(plain(ours))
            assert theirs == []
    assert (stated, reproduced, reordered) == (STATED, REPRODUCED, REORDERED)


@pytest.mark.shared
def test_the_graph_set_is_what_the_script_makes(
    make_gpr: ModuleType, graphs: dict[str, Graph], prompts: Path
) -> None:
    facts = list(make_gpr.stated_results(prompts))
    assert {fact.graph for fact in facts} == set(graphs)
    for name, graph in graphs.items():
        chosen, _, _ = make_gpr.choose(name, [fact for fact in facts if fact.graph == name])
        assert nx.utils.edges_equal(chosen.edges, np.stack(graph.ends(0), axis=1).tolist())
        assert graph.num_nodes == len(chosen)


def test_the_graphs_are_connected_simple_and_undirected(graphs: dict[str, Graph]) -> None:
    assert len(graphs) == 37
    for name, graph in graphs.items():
        assert not graph.directed, name
        assert alg.is_connected(graph), name
        source, target = graph.ends(0)
        assert (source != target).all(), name
        pairs = np.unique(np.sort(np.stack([source, target], axis=1), axis=1), axis=0)
        assert len(pairs) == graph.num_edges, name
        assert graph.ids() == [str(n) for n in range(graph.num_nodes)], name


def test_well_known_graphs_have_their_well_known_properties(graphs: dict[str, Graph]) -> None:
    assert alg.order(graphs["petersen_graph"]) == 10
    assert alg.hamiltonian_path(graphs["petersen_graph"]) is not None
    assert alg.triangle_count(graphs["petersen_graph"]) == 0
    assert alg.is_bipartite(graphs["heawood_graph"])
    assert alg.triangle_count(graphs["icosahedral_graph"]) == 20
    assert alg.diameter(graphs["hoffman_singleton_graph"]) == 2
    assert not alg.has_cycle(graphs["balanced_tree"])
