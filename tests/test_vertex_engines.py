"""All engines give the same states, rounds and messages; what an engine cannot run it refuses."""

import importlib.util
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from graphtalk import vertex
from graphtalk.core import CheckError, LimitError, UsageError
from graphtalk.graphs import Graph
from graphtalk.vertex.engines.duckdb import DuckdbEngine
from graphtalk.vertex.engines.memory import MemoryEngine
from graphtalk.vertex.engines.objects import ObjectExecution
from random_graphs import make_graph


class Objects:
    """Every program node after node, in plain Python."""

    name = "objects"

    def start(self, bound: vertex.Bound) -> ObjectExecution:
        return ObjectExecution(bound)


CARDS = [name for name, card in vertex.library().items() if card.program.scalar]


def random_graphs(seed: int, count: int, most: int = 9) -> list[tuple[Graph, np.random.Generator]]:
    random = np.random.default_rng(seed)
    found = []
    for i in range(count):
        nodes = int(random.integers(1, most))
        ends = random.integers(0, nodes, (int(random.integers(0, 3 * nodes)), 2)).tolist()
        found.append(
            (make_graph(nodes, [(a, b, int(random.integers(10))) for a, b in ends], bool(i % 2)), random)
        )
    return found


def parameters_of(card: vertex.Card, graph: Graph, random: np.random.Generator) -> dict[str, Any]:
    source, target = random.integers(graph.num_nodes, size=2).tolist()
    given = {"source": source, "target": target, "sources": [source], "k": 1, "tolerance": 1e-4}
    found = {name: value for name, value in given.items() if name in card.program.parameters}
    if card.name == "maximum_flow" and graph.num_edges:
        found |= {"capacity": "weight"}
    return found


def compare(card: vertex.Card, graph: Graph, parameters: dict[str, Any], engine: vertex.Engine) -> None:
    one = vertex.run(card.program, graph, parameters)
    other = vertex.run(card.program, graph, parameters, engine)
    assert (one.rounds, one.messages) == (other.rounds, other.messages)
    assert one.states.keys() == other.states.keys()
    for name, column in one.states.items():
        np.testing.assert_allclose(
            np.asarray(column, float), np.asarray(other.states[name], float), rtol=1e-9, atol=1e-12
        )
    assert one.outcome.refusal == other.outcome.refusal


@pytest.mark.parametrize("name", CARDS)
def test_duckdb_gives_the_states_of_memory(name: str) -> None:
    pytest.importorskip("duckdb")
    card = vertex.library()[name]
    for graph, random in random_graphs(len(name), 3):
        compare(card, graph, parameters_of(card, graph, random), DuckdbEngine())


@pytest.mark.parametrize(("module", "extra"), [("duckdb", "duckdb"), ("pyspark", "spark")])
def test_an_engine_that_is_not_installed_says_how_to_get_it(
    module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graphtalk.vertex.engines.spark import SparkEngine

    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, module, None)
    engine = DuckdbEngine() if module == "duckdb" else SparkEngine()
    card = vertex.library()["degree"]
    with pytest.raises(UsageError, match=rf"pip install 'graphtalk\[{extra}\]'"):
        vertex.run(card.program, make_graph(2, [(0, 1, 1)], False), {}, engine)


def test_sets_are_refused_by_sql() -> None:
    pytest.importorskip("duckdb")
    card = vertex.library()["triangle_count"]
    with pytest.raises(CheckError, match="sets or lists, which SQL does not run"):
        vertex.run(card.program, make_graph(2, [(0, 1, 1)], False), {}, DuckdbEngine())


ENDLESS = {
    "name": "endless",
    "state": {"x": "number"},
    "message": {"x": "number"},
    "send": {"x": "x"},
    "update": {"x": "x + 1"},
    "answer": {"value": "max(v.x for v in nodes)"},
}


@pytest.mark.parametrize("engine", [MemoryEngine, DuckdbEngine])
def test_a_program_that_never_ends_is_stopped(engine: Callable[[], vertex.Engine]) -> None:
    program, graph = vertex.read_program(ENDLESS), make_graph(3, [(0, 1, 1)], False)
    with pytest.raises(LimitError, match="did not end within 5 rounds"):
        vertex.run(program, graph, {}, engine(), max_rounds=5)
    with pytest.raises(LimitError, match="did not end within 0"):
        vertex.run(program, graph, {}, engine(), seconds=0.01)


def test_a_program_has_a_bound_of_its_own() -> None:
    program, graph = vertex.read_program(ENDLESS), make_graph(3, [(0, 1, 1)], False)
    with pytest.raises(LimitError, match="endless did not end after 1000 rounds"):
        vertex.run(program, graph)
    cycle = make_graph(2, [(0, 1, -1), (1, 0, 0)], True)
    with pytest.raises(LimitError, match="a cycle of negative length"):
        vertex.run(vertex.library()["shortest_path"].program, cycle, {"source": 0})


@pytest.mark.parametrize("engine", [MemoryEngine, DuckdbEngine])
def test_infinity_less_infinity_is_found_out(engine: Callable[[], vertex.Engine]) -> None:
    source = {**ENDLESS, "update": {"x": "min(m.x for m in messages if m.x > 5) - infinity"}}
    with pytest.raises(CheckError, match="infinity less infinity"):
        vertex.run(vertex.read_program(source), make_graph(2, [(0, 1, 1)], False), {}, engine())


def test_a_message_may_say_whether_its_sender_changed() -> None:
    source = {
        "name": "told",
        "state": {"x": "number", "y": "number"},
        "message": {"fresh": "bool", "x": "number"},
        "initialization": {"x": "if number(id) == 0 then 1 else 0"},
        "send": {
            "when": "changed or x > 0",
            "fresh": "changed",
            "x": "if changed then min(x + 1, 3) else number(to)",
        },
        "update": {
            "x": "max(x, max(m.x for m in messages if m.fresh))",
            "y": "count(m for m in messages if not m.fresh)",
        },
        "termination": {"until": "round == 4"},
        "answer": {"value": "sum(v.y for v in nodes)"},
    }
    card = vertex.read_card(source)
    graph = make_graph(5, [(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 2, 1)], False)
    engines: list[vertex.Engine] = [Objects()]
    if importlib.util.find_spec("duckdb"):
        engines.append(DuckdbEngine())
    for engine in engines:
        compare(card, graph, {}, engine)
    assert vertex.run(card.program, graph).answer > 0


@pytest.mark.parametrize("nodes", [1, 400])
def test_arrays_go_over_arcs_in_pieces(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphtalk.vertex.arcs.BLOCK", 7)
    random = np.random.default_rng(nodes)
    ends = random.integers(0, nodes, (5 * nodes, 2)).tolist()
    graph = make_graph(nodes, [(a, b, int(random.integers(1, 10))) for a, b in ends], True)
    assert len(vertex.bind(vertex.library()["components"].program, graph).arcs("both").blocks) > nodes / 10
    for name in ("shortest_path", "components", "connectivity", "colouring"):
        card = vertex.library()[name]
        compare(card, graph, parameters_of(card, graph, random), Objects())
