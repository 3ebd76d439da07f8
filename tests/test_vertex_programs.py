"""Specifications: what is wrong with one is said with its place; parameters; one node at a time; the library."""

import copy
import subprocess
import sys
from typing import Any

import pytest

from graphtalk import vertex
from graphtalk.core import CallError, CheckError, UsageError
from graphtalk.graphs import Graph
from graphtalk.vertex import Moment, NodeState, Stepper

GOOD: dict[str, Any] = {
    "name": "hops",
    "parameters": {"source": {"type": "node"}, "far": {"type": "number", "default": 9}},
    "edges": {"weight": {"feature": "weight", "default": 1}},
    "state": {"hops": "number", "before": "node"},
    "message": {"hops": "number"},
    "initialization": {"hops": "if id == source then 0 else infinity", "before": "none"},
    "send": {"along": "out", "when": "changed", "hops": "hops + 1"},
    "update": {
        "let": {"best": "min(m.hops for m in messages)"},
        "hops": "min(hops, best)",
        "before": "if best < hops then argmin(m.hops, m.sender for m in messages) else before",
    },
    "termination": {"until": "changes == 0"},
    "answer": {"value": "map(v, v.hops for v in nodes)"},
}


def line(nodes: int = 3, directed: bool = False) -> Graph:
    return vertex.small_graph(nodes, [(i, i + 1, 2) for i in range(nodes - 1)], directed)


def changed(path: str, value: object) -> dict[str, Any]:
    """The good specification with one part replaced; None takes it away."""
    source = copy.deepcopy(GOOD)
    *outer, last = path.split(".")
    part = source
    for name in outer:
        part = part[name]
    if value is None:
        del part[last]
    else:
        part[last] = value
    return source


def test_the_good_specification_runs() -> None:
    done = vertex.run(vertex.read_program(GOOD), line(), {"source": 0})
    assert done.answer == {0: 0, 1: 1, 2: 2}
    assert vertex.plain_states(done.bound, done.states)["before"] == [None, 0, 1]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("name", None, "the specification: 'name' is missing"),
        ("state", None, "state: a program needs at least one field"),
        ("state.hops", "text", "state.hops: 'text' is no type"),
        ("state.id", "node", "'id' cannot be a name: it already has a meaning"),
        ("state.Hops", "node", "'Hops' cannot be a name"),
        ("state.source", "node", "Two things are called 'source'"),
        ("initialization.hops", "id", "initialization.hops: 'id' is a node, but a number is needed"),
        ("initialization.hop", "1", "initialization: no field 'hop'. Did you mean hops?"),
        ("initialization.hops", "round", "initialization.hops: Nothing is called 'round' here"),
        ("send.hops", "hop + 1", "send.hops: Nothing is called 'hop' here. Did you mean hops?"),
        ("send.hops", "edge.length", "'edge' has no 'length'. Valid: to, weight."),
        ("send.hops", "min(m.hops for m in messages)", "There are no messages here"),
        ("send.along", "back", "send.along: 'back'. Valid: out, in, both."),
        ("send.when", "hops", "send.when: 'hops' is a number, but a bool is needed"),
        ("send.distance", "1", "send: messages have no field 'distance'"),
        ("send", {}, "send: a program needs a message"),
        ("update.hops", "m.hops", "Nothing called 'm' has fields here"),
        ("update.hops", "min(hops,", "Expected a value in 'min(hops,', at its end"),
        ("update.let", {"hops": "1"}, "update.let: 'hops' already has a meaning here"),
        ("update.hops", "min(m.far for m in messages)", "'m' has no 'far'. Valid: sender, hops."),
        ("edge_update", {"weight": "1"}, "edge_update needs send.along"),
        ("termination.until", "hops == 0", "termination.until: Nothing is called 'hops' here"),
        ("termination.untill", "true", "termination: no part is called 'untill'. Did you mean until?"),
        ("answer.value", "hops", "answer.value: Nothing is called 'hops' here"),
        ("answer.given", ["target"], "answer.given: no parameter 'target'"),
        ("answer", None, "answer: say how the answer is read off"),
        ("repeat", {"each": "v", "until": "true"}, "repeat: give either"),
        ("totals", {"t": "sum(v.hopes for v in nodes)"}, "totals.t: 'v' has no 'hopes'. Did you mean hops"),
        ("edges.parallel", "sum", "edges.parallel: 'sum'. Valid: keep, merge."),
        ("edges.weight", {"default": "one"}, "edges.weight.default: 'one' is no number"),
        ("edges.weight", 3, "edges.weight: 3 is no table"),
        ("phases", "two", "phases: a list of phases is needed"),
        ("sender", {}, "the specification: no part is called 'sender'. Did you mean send?"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(path: str, value: object, said: str) -> None:
    with pytest.raises(CallError) as error:
        vertex.read_program(changed(path, value))
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({}, "hops needs source"),
        ({"source": 7}, "no node with index 7: the graph has 3"),
        ({"source": "seven"}, "No node 'seven'"),
        ({"source": True}, "True is no node"),
        ({"sauce": 1}, "hops has no parameter 'sauce'. Did you mean source?"),
        ({"source": 0, "far": "wide"}, "hops: far: 'wide' is no number"),
        ({"source": 0, "weight": "km"}, "Edges have no numeric feature 'km' (weight). Valid: weight."),
    ],
)
def test_wrong_parameters_are_named(parameters: dict[str, object], said: str) -> None:
    source = changed("send.hops", "hops + edge.weight")
    with pytest.raises(CheckError) as error:
        vertex.run(vertex.read_program(source), line(), parameters)
    assert said in str(error.value)


def test_a_graph_without_nodes_is_refused() -> None:
    with pytest.raises(CheckError, match="the graph has no nodes"):
        vertex.run(vertex.library()["components"].program, vertex.small_graph(0, [], False))


def test_negative_capacities_are_refused() -> None:
    graph = vertex.small_graph(2, [(0, 1, -3)], True)
    with pytest.raises(
        CheckError, match="capacity must be 0 or more, but the least 'weight' of an edge is -3"
    ):
        program = vertex.library()["maximum_flow"].program
        vertex.run(program, graph, {"source": 0, "target": 1, "capacity": "weight"})


def test_text_parameters_are_read_by_their_type() -> None:
    program = vertex.library()["pagerank_personalised"].program
    bound = vertex.bind(program, line(), {"sources": "0, 2", "damping": "0.5"})
    assert bound.values["sources"] == {0, 2}
    assert bound.values["damping"] == 0.5
    match = vertex.library()["subgraph_matching"].program
    assert vertex.bind(match, line(), {"pattern": "0-1,1-2"}).values["pattern"] == {(0, 1), (1, 2)}


def played(name: str, graph: Graph, parameters: dict[str, object]) -> list[NodeState]:
    """A card with one phase, played node by node through the public steps of `Stepper`."""
    bound = vertex.bind(vertex.library()[name].program, graph, parameters)
    stepper, nodes = Stepper(bound), range(graph.num_nodes)
    states = [stepper.enter(node, stepper.init(node)) for node in nodes]
    moved, round = [True] * len(nodes), 0
    while any(moved):
        round += 1
        moments = [Moment(0, round, moved[node]) for node in nodes]
        sent = [m for node in nodes for m in stepper.send(node, states[node], moments[node])]
        new = [stepper.update(v, states[v], [m for m in sent if m.receiver == v], moments[v]) for v in nodes]
        moved, states = [new[v] != states[v] for v in nodes], new
    return states


@pytest.mark.parametrize(
    "name", ["shortest_path", "shortest_path_route", "components", "eccentricity", "cycle_detection"]
)
def test_a_program_played_node_by_node_ends_as_the_engine_does(name: str) -> None:
    edges = [(0, 7, 9), (0, 1, 7), (1, 7, 1), (2, 7, 7), (2, 6, 5), (3, 6, 1), (4, 5, 6)]
    graph = vertex.small_graph(8, edges, False)
    wanted = vertex.library()[name].program.parameters
    parameters = {key: value for key, value in {"source": 1, "target": 3}.items() if key in wanted}
    done = vertex.run(vertex.library()[name].program, graph, parameters)
    plain = vertex.plain_states(done.bound, done.states)
    for node, state in enumerate(played(name, graph, parameters)):
        assert dict(state.fields) == {field: plain[field][node] for field in plain}


def test_a_reply_of_an_agent_is_checked_by_type() -> None:
    stepper = Stepper(vertex.bind(vertex.read_program(GOOD), line(), {"source": 0}))
    stepper.check_state({"hops": 3, "before": None})
    for fields, said in [
        ({"hops": 3}, "the field 'before' is missing"),
        ({"hops": "3", "before": 1}, "'3' is no number"),
        ({"hops": 3, "before": 1, "hop": 1}, "no field 'hop'. Did you mean hops?"),
    ]:
        with pytest.raises(CheckError) as error:
            stepper.check_state(fields)
        assert said in str(error.value)


def test_the_library_reads_cards_one_by_one() -> None:
    library = vertex.library(without=frozenset({"pagerank"}))
    assert "pagerank" not in library and "pagerank" in vertex.library()
    assert len(library) == len(vertex.library()) - 1
    with pytest.raises(CheckError, match="No card 'pagerank'"):
        library["pagerank"]
    with pytest.raises(CheckError, match="No card 'shortest'"):
        library["shortest"]


def test_listing_the_library_is_instant() -> None:
    code = "import sys; import graphtalk.app.vertex_cli; print([m for m in ('numpy', 'scipy') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_card_of_ones_own_is_read_from_a_file(tmp_path: Any) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nstate = { x = "number" }\n', encoding="utf-8")
    assert vertex.card_file(path).name == "mine"
    path.write_text("name = ", encoding="utf-8")
    with pytest.raises(UsageError, match="is no TOML file"):
        vertex.card_file(path)
    with pytest.raises(UsageError, match="Cannot read the card"):
        vertex.card_file(tmp_path / "none.toml")
