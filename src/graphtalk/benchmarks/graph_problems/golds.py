"""Right answers of graph problems as JSON texts, so that a scorer knows what is right where several answers are.

{"truth": true}                     yes or no
{"number": 7}                       a number
{"shortest": 7, "edges": […]}       a path of that weight over these edges, or the weight; edges are [from, to, weight]
{"order": [[0, 1], …], "nodes": 9}  an order of so many nodes that keeps these pairs
{"hamilton": true, "edges": […], "nodes": 9}   whether there is a path through all nodes, or such a path
{"matching": 5, "pairs": […]}       an assignment of that many among these pairs, or their number
{"vectors": {"0": [12, 9], …}}      a vector for each node
{"nodes": [1, 4]}                   a set of nodes
"""

import json
from collections.abc import Mapping, Sequence

from graphtalk.benchmarks.task import Gold
from graphtalk.core import JSON
from graphtalk.core.reading import read_json

Pairs = Sequence[Sequence[float]]


def gold(**parts: JSON) -> Gold:
    """A right answer. `directed` is told where edges lead one way.

    >>> gold(number=7).text
    '{"number": 7}'
    """
    return Gold(json.dumps(parts))


def parts_of(text: str) -> Mapping[str, JSON]:
    """What a gold text holds; nothing where it is the gold of another benchmark."""
    try:
        found = read_json(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
