"""Build_Graph: the graph that a model tells, checked; and a graph that only a model could read."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from graphtalk.core import JSON, UsageError
from graphtalk.lms.protocol import LanguageModel, Request, user
from graphtalk.lms.structured import complete_json
from graphtalk.reasoners.graph_agents.described import Described
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.untrusted import bordered

GRAPH_SCHEMA: dict[str, JSON] = {
    "type": "object",
    "properties": {
        "nodes": {"type": "array", "items": {"type": "string"}},
        "edges": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "from": {"type": "string"},
                    "to": {"type": "string"},
                    "weight": {"type": ["number", "null"]},
                },
                "required": ["from", "to"],
            },
        },
        "directed": {"type": "boolean"},
    },
    "required": ["nodes", "edges", "directed"],
}
MOST_TOKENS = 8_000


def lm_reading(lm: LanguageModel, text: str, why: UsageError) -> Described:
    """The graph of a text as the model reads it. Raises `why` where that is no graph, or names nodes not in the text."""
    request = Request(
        user(fill(prompt("graph_agents_reader"), {"text": bordered(text)})), max_tokens=MOST_TOKENS
    )
    told, _ = complete_json(lm, request, GRAPH_SCHEMA)
    assert isinstance(told, dict)
    nodes: list[str] = list(dict.fromkeys(told["nodes"]))  # type: ignore[arg-type]
    edges: list[Any] = told["edges"]  # type: ignore[assignment]
    if not nodes or not edges:
        raise why
    position = {name: place for place, name in enumerate(nodes)}
    for edge in edges:
        for end in (edge["from"], edge["to"]):
            if end not in position:
                raise UsageError(f"The model read an edge to {end!r}, which is not among the nodes it read.")
            if end.lower() not in text.lower():
                raise UsageError(f"The model read a node {end!r}, which the text does not name.")
    weights = [edge.get("weight") for edge in edges]
    weighted = all(weight is not None for weight in weights)
    return Described(
        tuple(nodes),
        np.array([position[edge["from"]] for edge in edges], np.int64),
        np.array([position[edge["to"]] for edge in edges], np.int64),
        bool(told["directed"]),
        np.array(weights, np.float64) if weighted else None,
    )


def differences(described: Described, told: Mapping[str, Any]) -> str:
    """In what the graph that the master tells is not that of the text; empty where it is the same."""
    found = []
    if told.get("Nodes_Num") not in (None, described.num_nodes):
        found.append(f"the text has {described.num_nodes} nodes, not {told['Nodes_Num']}")
    if told.get("Directed") not in (None, described.directed):
        found.append(f"its edges are {'directed' if described.directed else 'undirected'}")
    edges = told.get("Edges")
    if isinstance(edges, list):
        given = {
            _edge(described, *map(str, edge[:2]))
            for edge in edges
            if isinstance(edge, list) and len(edge) > 1
        }
        own = {
            _edge(described, described.names[a], described.names[b])
            for a, b in zip(described.source.tolist(), described.target.tolist(), strict=True)
        }
        if given != own:
            found.append(f"{len(own - given)} of its edges are missing and {len(given - own)} are not in it")
    return f"The arguments differ from the text: {'; '.join(found)}. " if found else ""


def told_graph(told: Mapping[str, Any], text: str) -> Described:
    """The graph of Build_Graph's arguments. Raises UsageError where they are none, or name a node that is not in the text."""
    edges = [edge for edge in told.get("Edges") or [] if isinstance(edge, list) and len(edge) > 1]
    if not edges:
        raise UsageError("Build_Graph needs Edges: [[source, target], …].")
    ends = [str(end) for edge in edges for end in edge[:2]]
    strange = next((end for end in ends if not re.search(rf"(?<!\w){re.escape(end)}(?!\w)", text)), None)
    if strange is not None:
        raise UsageError(f"The text does not name a node {strange!r}.")
    count = told.get("Nodes_Num")
    numbered = isinstance(count, int) and all(end.isdecimal() and int(end) < count for end in ends)
    names = (
        tuple(map(str, range(count))) if numbered and isinstance(count, int) else tuple(dict.fromkeys(ends))
    )
    place = {name: position for position, name in enumerate(names)}
    weights = [edge[2] if len(edge) > 2 and isinstance(edge[2], int | float) else None for edge in edges]
    return Described(
        names,
        np.array([place[end] for end in ends[::2]], np.int64),
        np.array([place[end] for end in ends[1::2]], np.int64),
        bool(told.get("Directed")),
        np.array(weights, np.float64) if None not in weights else None,
        listed=True,
    )


def _edge(described: Described, one: str, other: str) -> tuple[str, str]:
    return (one, other) if described.directed or one <= other else (other, one)
