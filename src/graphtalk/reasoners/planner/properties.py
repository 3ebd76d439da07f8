"""Questions about a graph as a whole: its diameter, how many nodes it has, whether it has a cycle.

Of a graph set the question must name one graph ("the lollipop graph"); nodes are named as in "node #5".
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from graphtalk.calls.ast import Call, Expression, Items, NodeRef, Text
from graphtalk.graphs import Graph, GraphSet
from graphtalk.reasoners.planner.english import Token, stem, tokenize

_NODE = re.compile(r"\b(?:nodes?|vertex|vertices|and|to)\s*#?\s*(\d+)\b", re.I)
_GRAPH_WORDS = frozenset(stem(w) for w in "graph network node vertex edge link structure between".split())
_UNEXPLAINED = 1  # words that may be left over


@dataclass(frozen=True)
class Property:
    """A tool on whole graphs, the phrases that ask for it, and how many nodes it needs."""

    tool: str
    phrases: tuple[tuple[str, ...], ...]
    nodes: int


@lru_cache(maxsize=1)
def properties() -> tuple[Property, ...]:
    """The properties that can be asked for."""
    found = []
    for line in files(__package__).joinpath("properties.txt").read_text(encoding="utf-8").splitlines():
        if ":" in line and not line.startswith("#"):
            head, _, phrases = line.partition(":")
            tool, *slots = head.split()
            stems = tuple(tuple(stem(w) for w in phrase.split()) for phrase in phrases.split(","))
            found.append(Property(tool, stems, len(slots)))
    return tuple(found)


def property_call(text: str, graph: Graph | GraphSet) -> Call | None:
    """The call that answers a question about a whole graph, or None where the question is about something else."""
    target: Expression | None = None
    if isinstance(graph, GraphSet):
        member = _member(text, graph)
        if member is None:
            return None
        name, span = member
        target = Call("GL", (Text(graph.name), Items((Text(name),))))
        text = f"{text[: span[0]]} graph {text[span[1] :]}"
    nodes = tuple(NodeRef("node", m[1]) for m in _NODE.finditer(text))
    found = _best(tokenize(_NODE.sub(" ", text)), len(nodes))
    return Call(found.tool, nodes[: found.nodes], graph=target) if found else None


def _member(text: str, graphs: GraphSet) -> tuple[str, tuple[int, int]] | None:
    """The graph of a set that a text names, and where; the longest name wins."""
    lower = text.casefold()
    best: tuple[str, tuple[int, int]] | None = None
    for name in graphs.names:
        for form in (name, name.removesuffix("_graph")):
            words = re.escape(form.casefold()).replace("_", r"[\s_-]")
            match = re.search(rf"(?<!\w){words}(?:[\s_-]graph)?(?!\w)", lower)
            if match and (best is None or match.end() - match.start() > best[1][1] - best[1][0]):
                best = (name, match.span())
    return best


def _best(tokens: Sequence[Token], nodes: int) -> Property | None:
    """The property whose longest phrase stands in the question, if that explains nearly all of it."""
    stems = [t.stem for t in tokens]
    best: tuple[int, int, Property] | None = None
    for candidate in properties():
        if candidate.nodes > nodes:
            continue
        for phrase in candidate.phrases:
            used = _find(stems, phrase)
            score = (len(phrase), candidate.nodes)
            if used is not None and (best is None or score > best[:2]):
                left = [t for i, t in enumerate(tokens) if t.content and i not in used]
                if sum(t.stem not in _GRAPH_WORDS for t in left) <= _UNEXPLAINED:
                    best = (*score, candidate)
    return best[2] if best else None


def _find(stems: Sequence[str], phrase: Sequence[str]) -> set[int] | None:
    for start in range(len(stems) - len(phrase) + 1):
        if tuple(stems[start : start + len(phrase)]) == tuple(phrase):
            return set(range(start, start + len(phrase)))
    return None
