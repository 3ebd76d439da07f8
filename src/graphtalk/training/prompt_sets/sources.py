"""Instances of real graphs: of the paper's data sets by the family that each belongs to, and of any other graph."""

import random
import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from graphtalk.core import JSON, UsageError
from graphtalk.graphs import Graph, GraphSet
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Value
from graphtalk.models.transe import triples
from graphtalk.training.prompt_sets.instances import KINDS, Instance, Truth, property_of, recommender_slots

FAMILIES: Mapping[str, str] = {
    "gpr": "property",
    **dict.fromkeys(("cora", "citeseer", "pubmed"), "bibliographic"),
    **dict.fromkeys(("proteins", "mutag", "nci1", "ptc"), "molecular"),
    **dict.fromkeys(("twitter", "foursquare"), "social"),
    **dict.fromkeys(KINDS, "recommender"),
    **dict.fromkeys(("wordnet", "freebase"), "knowledge"),
}
_PLURAL = re.compile(r"(?<![su])s$")
_LONGEST = 60  # letters of a name that is asked about
_MOST_TRUE = (
    100  # right answers that are told with a prompt: of more nothing is told, and only running is asked for
)


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
    """Slots of a graph; those of nodes are left out where an id is not one word: `node #Lae`."""
    slots = property_of(load, called, graph.num_nodes, rng)
    ids = {name: graph.id(int(slots.pop(name))) for name in ("node", "other")}
    return {**slots, **{name: id for name, id in ids.items() if _can_be_said(id) and " " not in id}}


def _can_be_said(name: str) -> bool:
    """Whether a name can stand in a sentence, and in quotes."""
    return len(name) <= _LONGEST and name.isprintable() and not any(sign in name for sign in '"#[]')


def _bibliographic(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    papers = _one(name, graph)
    known = any("topic" in [f.name for f in t.features] for t in papers.schema.node_types)

    def draw() -> Instance:
        paper = rng.randrange(papers.num_nodes)
        topic = papers.feature(paper, "topic") if known else None
        return Instance({"data": name, "paper": papers.id(paper)}, _only("topic", topic))

    return draw


def _molecular(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    if not isinstance(graph, GraphSet):
        raise UsageError(f"{name} is one graph; prompts about molecules need a set of them.")

    def draw() -> Instance:
        member = rng.choice(graph.names)
        label = graph.features(member).get("label")
        return Instance({"data": name, "instance": member}, _only("function", label))

    return draw


def _only(call: str, value: Value) -> Truth:
    """What is true where one call alone has to give one value."""
    return lambda asked: [str(value)] if asked == call and value is not None else None


def _social(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    users = _one(name, graph)

    def draw() -> Instance:
        first, second = rng.sample(range(users.num_nodes), 2)
        return Instance({"data": name, "user": users.id(first), "other": users.id(second)})

    return draw


def _recommender(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    whole = _one(name, graph)
    users = whole.indices("user")
    items = next(whole.indices(t.name) for t in whole.schema.node_types if t.name != "user")

    def draw() -> Instance:
        user, item = whole.id(rng.choice(users)), whole.id(rng.choice(items))
        return Instance(recommender_slots(name, user, item, rng))

    return draw


def _knowledge(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    """Triples by chance, each as likely; what is true of one has all entities and relations that fit."""
    whole = _one(name, graph)
    known = triples(whole)
    facts, names = known.facts, known.relations
    pairs = facts[:, 0] * whole.num_nodes + facts[:, 2]
    order = np.argsort(pairs, kind="stable")
    pairs, between = pairs[order], facts[order, 1]

    def draw() -> Instance:
        source, position, target = map(int, facts[rng.randrange(len(facts))])
        relation = names[position]

        def truth(call: str) -> JSON:
            if call == "relation":
                key = source * whole.num_nodes + target
                places = slice(np.searchsorted(pairs, key), np.searchsorted(pairs, key, "right"))
                return [*dict.fromkeys(names[each] for each in between[places])]
            start, view = (source, relation) if call == "tail" else (target, f"^{relation}")
            return _few(whole.neighbours(start, view), whole.id)

        slots = {"data": name, "head": whole.id(source), "tail": whole.id(target), "relation": relation}
        return Instance(slots, truth)

    return draw


def _few(nodes: Ints, called: Callable[[int], str]) -> JSON:
    """What some nodes are called, each once; None where they are too many to be told."""
    return [*dict.fromkeys(map(called, nodes.tolist()))] if len(nodes) <= _MOST_TRUE else None


def _stored(name: str, graph: Graph | GraphSet, rng: random.Random) -> Draw:
    whole = _one(name, graph)
    types = {t.name: t for t in whole.schema.node_types}

    def draw() -> Instance:
        node = rng.randrange(whole.num_nodes)
        kind = whole.node_type(node).name
        slots = {"data": name, "type": kind, "node": whole.label(node)}
        features = [n for n in whole.features(node) if n != types[kind].label]
        views = [view for view in whole.schema.views_from(kind) if len(whole.neighbours(node, view))]
        if features:
            slots["feature"] = rng.choice(features)
            slots["is"] = "are" if _PLURAL.search(slots["feature"]) else "is"
        if views:
            slots["relation"] = rng.choice(views)

        def truth(call: str) -> JSON:
            if call.startswith("feature"):
                value = whole.feature(node, slots["feature"])
                return list(map(str, value)) if isinstance(value, list) else [str(value)]
            met = whole.neighbours(node, slots["relation"])
            if call.startswith("degree"):
                return [str(len(met))]
            return _few(met, whole.label) or None

        return Instance(slots, truth) if _can_be_said(slots["node"]) else draw()

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
