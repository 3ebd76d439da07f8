"""What people say around any graph: neighbours of X, the most important node, which groups there are.

Only whole questions are taken, so that nothing of them is passed over.
"""

import re

from graphtalk.calls.ast import Call, NodeRef, Number
from graphtalk.graphs import Graph
from graphtalk.search.index import Index

_WHO = r"(?:(?:who|what|which)(?: (?:node|one|thing|person|member))?(?: is|'s)?|(?:show|find|give)(?: me)?)"
_GRAPH = r"(?: (?:here|in (?:this|the) (?:graph|network)|of (?:this|the) (?:graph|network)))?"
_OF_ALL = (
    (rf"{_WHO} (?:the )?most (?:important|central|influential)(?: (?:node|one|person))?{_GRAPH}", "PageRank"),
    (rf"{_WHO} (?:the )?(?:most|best) connected(?: (?:node|one|person))?{_GRAPH}", "Degree"),
    (rf"{_WHO} (?:the )?(?:most important )?(?:bridge|broker|go-between)(?: node)?{_GRAPH}", "Betweenness"),
)
_GROUPS = rf"(?:which|what) (?:separate |connected )?(?:groups|clusters|parts|components) (?:are there|exist){_GRAPH}"
_NEIGHBOURS = r"(?:(?:who|what) are (?:the )?|list (?:the )?|show (?:me )?(?:the )?)?(?:direct )?neighbou?rs of (?P<name>.+)"
_AROUND = r"(?:what|who) is (?:around|next to|linked to|connected (?:to|with)) (?P<name>.+)"


def around(question: str, graph: Graph, index: Index) -> tuple[Call, str] | None:
    """The call that a question of this kind asks for, and what that is in words; None where it asks for something else."""
    text = question.strip().rstrip("?!. ")

    def whole(pattern: str) -> re.Match[str] | None:
        return re.fullmatch(pattern, text, re.I)

    for pattern, tool in _OF_ALL:
        if whole(pattern):
            return Call("Highest", (Call(tool, ()), Number(1))), f"node with the highest {tool}"
    if whole(_GROUPS):
        return Call("Components", ()), "groups of nodes that are joined"
    named = whole(_NEIGHBOURS) or whole(_AROUND)
    nodes = index.exact(named["name"].strip(" '\"“”")) if named else []
    if len(nodes) != 1:
        return None
    node = NodeRef(graph.node_type(nodes[0]).name, graph.id(nodes[0]))
    near = Call("Neighbourhood", (node, Number(1)))
    return Call("Difference", (near, node)), f"all neighbours of {graph.label(nodes[0])}"
