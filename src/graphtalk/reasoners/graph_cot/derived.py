"""Demonstrations made of the graph at hand: a feature, a number of neighbours, and neighbours with their names.

Every call that they show is run, and what is shown is what it gave. A few nodes of each type are looked at, so a
huge graph costs no more than a small one; the same graph gives the same demonstrations.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from graphtalk.calls import parse
from graphtalk.core import CallError
from graphtalk.graphs import Graph
from graphtalk.graphs.schema import NodeType, View
from graphtalk.reasoners.graph_cot.observations import Observer
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.nodes import view_degrees
from graphtalk.tools.values import Bag

MOST_NODES = 100  # of a type that are looked at for each relation
MOST_TRIED = 20  # plans of which the first that holds is shown
MOST_LETTERS = 80  # of a name or a value
FEWEST, MOST = 2, 4  # neighbours that make a good demonstration
DEFINITION = "as given below"  # once is enough: it may be long
_UNPLAIN = frozenset('[](){}"“”‘’#=|\\')  # a name with one of these would need quotes in a call


@dataclass(frozen=True)
class _Call:
    """A call as it is written, and the node that it gives (RetrieveNode) or is about."""

    text: str
    node: int


@dataclass(frozen=True)
class _Plan:
    """A demonstration to be: the question, and thoughts, each with the calls that follow from it.

    `hop` is the relation that it shows, if any.
    """

    question: str
    steps: tuple[tuple[str, tuple[_Call, ...]], ...]
    hop: View | None = None


def derived(executor: Executor, graph: Graph) -> str:
    """Up to three demonstrations, an empty line between two; fewer where a graph has no features or no edges."""
    feature = _first(executor, _features(graph))
    counted = _first(executor, _degrees(graph))
    named = _first(
        executor, sorted(_names(graph), key=lambda plan: counted is not None and plan.hop == counted[0].hop)
    )
    return "\n\n".join(found[1] for found in (feature, counted, named) if found)


def _first(executor: Executor, plans: Iterable[_Plan]) -> tuple[_Plan, str] | None:
    """The first plan that holds, written out."""
    for plan in islice(plans, MOST_TRIED):
        text = _written(executor, plan)
        if text:
            return plan, text
    return None


def _features(graph: Graph) -> Iterator[_Plan]:
    """A short feature of a node; where nodes have but names, the name of a node whose id is given."""
    for t in graph.schema.node_types:
        for name in [
            f.name for f in t.features if f.kind in ("number", "text", "date") and f.name != t.label
        ]:
            for node in [n for n in _plain_nodes(graph, t) if graph.feature(n, name) is not None]:
                asked = f"What is the {name} of the {t.name} {graph.label(node)}?"
                look = _Call(f"NodeFeature[{graph.id(node)}, {name}]", node)
                yield _Plan(
                    asked, (_start(graph, node), (f"What is asked for is its feature {name}.", (look,)))
                )
    for t in [t for t in graph.schema.node_types if t.label]:
        for node in [n for n in _plain_nodes(graph, t) if graph.label(n) != graph.id(n)]:
            asked = f"What is the {t.name} with the ID {graph.id(node)} called?"
            look = _Call(f"NodeFeature[{graph.id(node)}, {t.label}]", node)
            why = f"The question gives the ID of the node. What it is called is its feature {t.label}."
            yield _Plan(asked, ((why, (look,)),))


def _plain_nodes(graph: Graph, t: NodeType) -> list[int]:
    """Two of the first nodes of a type that have plain names."""
    first = range(t.first, t.first + min(t.count, MOST_NODES))
    return list(islice((node for node in first if _is_plain(graph, node)), 2))


def _degrees(graph: Graph) -> Iterator[_Plan]:
    """How many neighbours a node has."""
    for node, view in _hops(graph):
        asked = f"How many {view.name} neighbours does the {view.source} {graph.label(node)} have?"
        why = f"Only the number of its {view.name} neighbours is asked for."
        count = _Call(f"NodeDegree[{graph.id(node)}, {view.name}]", node)
        yield _Plan(asked, (_start(graph, node), (why, (count,))), view)


def _names(graph: Graph) -> Iterator[_Plan]:
    """The neighbours of a node, and what they are called."""
    for node, view in _hops(graph):
        label = graph.schema.node_type(view.target).label or "id"
        found = graph.neighbours(node, view.name).tolist()
        if not all(_is_plain(graph, n) for n in found) or len(set(found)) < len(found):
            continue
        asked = f"What are the {view.name} neighbours of the {view.source} {graph.label(node)}?"
        why = f"What is asked for are its {view.name} neighbours."
        then = f"These are the IDs of {len(found)} {view.target} nodes. The answer should have their names."
        check = _Call(f"NeighbourCheck[{graph.id(node)}, {view.name}]", node)
        names = tuple(_Call(f"NodeFeature[{graph.id(n)}, {label}]", n) for n in found)
        yield _Plan(asked, (_start(graph, node), (why, (check,)), (then, names)), view)


def _start(graph: Graph, node: int) -> tuple[str, tuple[_Call, ...]]:
    name = graph.label(node)
    why = f"The question is about one {graph.node_type(node).name}, {name}. I first need its node."
    return why, (_Call(f"RetrieveNode[{name}]", node),)


def _hops(graph: Graph) -> Iterator[tuple[int, View]]:
    """Nodes with a few neighbours of one type by one relation; up to three nodes of each relation."""
    for t in [t for t in graph.schema.node_types if t.count]:
        for views in graph.schema.views_from(t.name).values():
            if len(views) == 1:
                nodes = np.arange(t.first, t.first + min(t.count, MOST_NODES))
                counts = view_degrees(graph, nodes, views[0])
                few = nodes[(counts >= FEWEST) & (counts <= MOST)].tolist()
                yield from islice(((node, views[0]) for node in few if _is_plain(graph, node)), 3)


def _written(executor: Executor, plan: _Plan) -> str:
    """A plan with what its calls gave; empty where one fails, takes another node, or gives no plain text."""
    observer = Observer(by_id=True, letters=MOST_LETTERS * MOST)
    lines = [f"Definition of the graph: {DEFINITION}", f"Question: {plan.question}"]
    found: list[str] = []
    for n, (thought, calls) in enumerate(plan.steps, 1):
        results = [result for call in calls if (result := _run(executor, call)) is not None]
        if len(results) < len(calls):
            return ""
        found = [observer.see(result).text for result in results]
        written = ", ".join(call.text for call in calls)
        lines += [f"Thought {n}: {thought}", f"Action {n}: {written}", f"Observation {n}: {', '.join(found)}"]
    if not all(map(_plain, found)):
        return ""
    last, said = len(plan.steps) + 1, ", ".join(found)
    return "\n".join([*lines, f"Thought {last}: The answer is {said}.", f"Action {last}: Finish[{said}]"])


def _run(executor: Executor, call: _Call) -> Result | None:
    """What a call gives, where it can be run and takes its words for the node that is meant."""
    try:
        result = executor.run(parse(call.text, executor.registry.vocabulary))
    except CallError:
        return None
    meant = result.value if call.text.startswith("RetrieveNode[") else result.trail.inputs[0].value
    return result if isinstance(meant, Bag) and meant.nodes.tolist() == [call.node] else None


def _is_plain(graph: Graph, node: int) -> bool:
    node_id = graph.id(node)
    return _plain(graph.label(node)) and _plain(node_id) and "," not in node_id


def _plain(text: str) -> bool:
    """Whether a name or a value can stand in a call without quotes, and in one line."""
    return 0 < len(text) <= MOST_LETTERS and text.isprintable() and not _UNPLAIN & set(text)
