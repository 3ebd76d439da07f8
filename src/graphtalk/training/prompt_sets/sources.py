"""Instances of real graphs: of the paper's data sets by the family that each belongs to, and of any other graph."""

import random
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from graphtalk.core import JSON, UsageError
from graphtalk.graphs import Graph, GraphSet
from graphtalk.training.prompt_sets.instances import KINDS, Instance, property_of, recommender_slots

FAMILIES: Mapping[str, str] = {
    "gpr": "property",
    **dict.fromkeys(("cora", "citeseer", "pubmed"), "bibliographic"),
    **dict.fromkeys(("proteins", "mutag", "nci1", "ptc"), "molecular"),
    **dict.fromkeys(("twitter", "foursquare"), "social"),
    **dict.fromkeys(KINDS, "recommender"),
    **dict.fromkeys(("wordnet", "freebase"), "knowledge"),
}
_LONGEST = 60  # letters of a name that is asked about


def family_of(name: str) -> str:
    """The family of prompts about a graph of that name; `stored` for a graph of one's own."""
    return FAMILIES.get(name, "stored")


def instances(family: str, name: str, graph: Graph | GraphSet, rng: random.Random) -> Iterator[Instance]:
    """Endless instances of a graph that `GL` knows by `name`, drawn by chance.

    Raises UsageError where the graph has not what the family asks about.
    """
    if family not in _SOURCES:
        raise UsageError(
            f"No prompts of the family {family!r} can be made from a graph. Valid: {', '.join(_SOURCES)}."
        )
    draw = _SOURCES[family](name, graph, rng)
    while True:
        yield draw()


Draw = Callable[[], Instance]


def _property(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    def draw() -> Instance:
        if isinstance(graph, GraphSet):
            member = rng.choice(graph.names)
            called = member.replace("_", " ") if not member.isdigit() else f"graph {member} of {name}"
            return Instance(_of_graph(f'GL("{name}", {{"{member}"}})', called, graph.graph(member), rng))
        return Instance(_of_graph(f'GL("{name}")', f"{name} graph", graph, rng))

    return draw


def _of_graph(load: str, called: str, graph: Graph, rng: random.Random) -> dict[str, str]:
    slots = property_of(load, called, graph.num_nodes, rng)
    return {**slots, "node": graph.id(int(slots["node"])), "other": graph.id(int(slots["other"]))}


def _bibliographic(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    papers = _one(name, graph)
    known = any("topic" in [f.name for f in t.features] for t in papers.schema.node_types)

    def draw() -> Instance:
        paper = rng.randrange(papers.num_nodes)
        topic = papers.feature(paper, "topic") if known else None
        truth: Mapping[str, JSON] = {} if topic is None else {"topic": [str(topic)]}
        return Instance({"data": name, "paper": papers.id(paper)}, truth)

    return draw


def _molecular(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    if not isinstance(graph, GraphSet):
        raise UsageError(f"{name} is one graph; prompts about molecules need a set of them.")

    def draw() -> Instance:
        member = rng.choice(graph.names)
        label = graph.features(member).get("label")
        truth: Mapping[str, JSON] = {} if label is None else {"function": [str(label)]}
        return Instance({"data": name, "instance": member}, truth)

    return draw


def _social(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    users = _one(name, graph)

    def draw() -> Instance:
        first, second = rng.sample(range(users.num_nodes), 2)
        return Instance({"data": name, "user": users.id(first), "other": users.id(second)})

    return draw


def _recommender(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    whole = _one(name, graph)
    users = whole.nodes("user")
    items = next(whole.nodes(t.name) for t in whole.schema.node_types if t.name != "user")

    def draw() -> Instance:
        user, item = whole.id(rng.choice(users)), whole.id(rng.choice(items))
        return Instance(recommender_slots(name, user, item, rng))

    return draw


def _knowledge(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    """Triples by chance, each as likely; what is true of one has all entities and relations that fit."""
    whole = _one(name, graph)
    relations = whole.schema.relations
    counts = np.cumsum([r.count for r in relations])

    def draw() -> Instance:
        edge = rng.randrange(int(counts[-1]))
        at = int(np.searchsorted(counts, edge, side="right"))
        row = np.array([edge - (int(counts[at - 1]) if at else 0)])
        source, target = (int(ends[0]) for ends in whole.edge_ends(at, row))
        relation = relations[at].name
        slots = {"data": name, "head": whole.id(source), "tail": whole.id(target), "relation": relation}
        return Instance(slots, _true_of(whole, source, relation, target))

    return draw


def _true_of(graph: Graph, source: int, relation: str, target: int) -> dict[str, JSON]:
    tails = graph.ids(graph.neighbours(source, relation).tolist())
    heads = graph.ids(graph.neighbours(target, f"^{relation}").tolist())
    return {"tail": [*dict.fromkeys(tails)], "head": [*dict.fromkeys(heads)], "relation": [relation]}


def _stored(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    whole = _one(name, graph)
    types = {t.name: t for t in whole.schema.node_types}

    def draw() -> Instance:
        node = rng.randrange(whole.num_nodes)
        kind = whole.node_type(node).name
        slots = {"data": name, "type": kind, "node": whole.label(node)}
        features = [n for n in whole.features(node) if n != types[kind].label]
        views = list(whole.schema.views_from(kind))
        if features:
            slots["feature"] = rng.choice(features)
        if views:
            slots["relation"] = rng.choice(views)
        return draw() if len(slots["node"]) > _LONGEST or '"' in slots["node"] else Instance(slots)

    return draw


def _one(name: str, graph: Graph | GraphSet) -> Graph:
    if isinstance(graph, GraphSet):
        raise UsageError(f"{name} is a set of {len(graph)} graphs; these prompts are about one graph.")
    return graph


_SOURCES: Mapping[str, Callable[[str, Graph | GraphSet, random.Random], Draw]] = {
    "property": _property,
    "bibliographic": _bibliographic,
    "molecular": _molecular,
    "social": _social,
    "recommender": _recommender,
    "knowledge": _knowledge,
    "stored": _stored,
}
