"""Questions that have one chosen of several: "Which of these books comes next: "A", "B", …?" after others that somebody has read.

No graph records what somebody would choose. What it can tell is which of them is linked with what they have: where that is
just one, it is the choice, and it is said that it is one by links alone.
"""

import re
from functools import reduce
from itertools import pairwise

from graphtalk.calls.ast import Call, Items, Number, Text
from graphtalk.graphs import Graph
from graphtalk.reasoners.around.reading import Heard
from graphtalk.search.index import Index

MOST_LETTERS = 4_000
_FEWEST = 4  # to choose from: fewer are a question about these
_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”')
_BETWEEN = re.compile(r"\s*,?\s*(?:and|or)?\s*")
_CHOOSES = re.compile(
    r"\bwhich (?:one )?of\b|\bone of\b|\bchoose\b|\bpick\b|\bselect\b|\brecommend\b|\bsuggest\w*\b|\bfrom\b",
    re.I,
)
_DENIES = re.compile(r"\b(?:not|never|no|none|least|worst|except|avoid)\b|n't\b", re.I)
_OTHERWISE = re.compile(r"\b(?:is not quite right|isn't quite right)\b", re.I)  # and something else is wanted


def chosen(question: str, graph: Graph, index: Index) -> Heard | None:
    """The call that gives the one of several that is linked with the others named; None where it is not just one."""
    if len(question) > MOST_LETTERS or _DENIES.search(_OTHERWISE.sub("", _QUOTED.sub("", question))):
        return None
    if not _CHOOSES.search(_QUOTED.sub("", question)):
        return None
    groups = sorted(_groups(question), key=len, reverse=True)
    if not groups or len(groups[0]) < _FEWEST or (len(groups) > 1 and len(groups[1]) == len(groups[0])):
        return None
    among = [_node(match[1] or match[2], index) for match in groups[0]]
    span = (groups[0][0].start(), groups[0][-1].end())
    had = [_node(match[1] or match[2], index) for group in groups[1:] for match in group] or _named(
        question, span, index
    )
    if None in among or not had or None in had:
        return None
    nodes = [node for node in (*among, *had) if node is not None]
    if len({graph.node_type(node).name for node in nodes}) != 1 or len(set(nodes)) < len(nodes):
        return None
    near = _linked(graph, [node for node in had if node is not None])
    if sum(node in near for node in among) != 1:
        return None
    names = [Text(graph.label(node)) for node in among if node is not None]
    others = [Text(graph.label(node)) for node in had if node is not None]
    around = [Call("Neighbourhood", (other, Number(1))) for other in others]
    call = Call("Intersect", (Items(tuple(names)), reduce(lambda a, b: Call("Union", (a, b)), around)))
    told = " and ".join(str(other.value) for other in others)
    return Heard(call, f"the one of these that is linked with {told}: a choice by links alone")


def _groups(question: str) -> list[list[re.Match[str]]]:
    """Quoted names in a row, with nothing but commas, "and" and "or" between."""
    found = list(_QUOTED.finditer(question))
    groups = [found[:1]] if found else []
    for before, match in pairwise(found):
        if _BETWEEN.fullmatch(question[before.end() : match.start()]):
            groups[-1].append(match)
        else:
            groups.append([match])
    return groups


def _node(name: str, index: Index) -> int | None:
    nodes = index.exact(name)
    return nodes[0] if len(nodes) == 1 else None


def _named(question: str, span: tuple[int, int], index: Index) -> list[int | None]:
    """The one node that is named outside of a span without quotes: the longest name, if no other stands beside it."""
    outside = [
        m
        for m in index.mentions(question)
        if m.literal and (m.end <= span[0] or span[1] <= m.start) and len(m.nodes) == 1
    ]
    if not outside:
        return []
    longest = outside[0]
    beside = [m for m in outside if m.end <= longest.start or longest.end <= m.start]
    return [longest.nodes[0]] if not beside else []


def _linked(graph: Graph, nodes: list[int]) -> set[int]:
    """The nodes that an edge joins with any of these, whichever way."""
    return {near for node in nodes for near in graph.neighbours(node).tolist()}
