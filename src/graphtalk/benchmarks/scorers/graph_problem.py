"""Whether the answer to a graph problem is right, checked as a solution where several are (NLGraph, Wang et al. 2023).

`partial` gives what a solution is worth that is not the best: a longer path the best weight over its own, a smaller
flow or matching its share of the largest, vectors the share of nodes that have theirs; a wrong one 0.
"""

import json
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from graphtalk.benchmarks.graph_problems.golds import parts_of
from graphtalk.benchmarks.scorers.given import Given
from graphtalk.core import JSON

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_LIST = re.compile(r"\[[^\[\]]*\]|\d+(?:\s*(?:,|->|→)\s*\d+)+")


def graph_problem(given: Given) -> Mapping[str, float]:
    """`correct` is 1 or 0, `partial` between. A text counts by what stands behind its last `###`, if any."""
    gold = parts_of(given.gold.text)
    told = given.value if given.value is not None else given.text.rsplit("###", 1)[-1]
    kind = next((name for name in _WORTH if name in gold), None)
    worth = _WORTH[kind](told, gold) if kind is not None else 0.0
    return {"correct": float(worth == 1.0), "partial": worth}


def _truth(told: JSON, gold: Mapping[str, Any]) -> float:
    if isinstance(told, str):
        words = re.findall(r"\b(?:yes|no|true|false)\b", told.lower())
        told = words[0] in ("yes", "true") if words else None
    if isinstance(told, list):
        told = True
    return float(told is gold["truth"])


def _number(told: JSON, gold: Mapping[str, Any]) -> float:
    value, best = _as_number(told), float(gold["number"])
    if value is None:
        return 0.0
    if abs(value - best) < 1e-6 * max(1.0, abs(best)):
        return 1.0
    return value / best if gold.get("most") and 0 < value < best else 0.0


def _shortest(told: JSON, gold: Mapping[str, Any]) -> float:
    path = _as_list(told)
    if path is None:
        return _number(told, {"number": gold["shortest"]})
    weights: dict[tuple[str, str], float] = {}
    for a, b, w in gold["edges"]:
        for pair in ((str(a), str(b)),) if gold.get("directed") else ((str(a), str(b)), (str(b), str(a))):
            weights[pair] = min(w, weights.get(pair, w))
    steps = list(pairwise(map(str, path)))
    ends = [str(end) for end in gold["ends"]]
    if not path or [str(path[0]), str(path[-1])] != ends or any(step not in weights for step in steps):
        return 0.0
    total = sum(weights[step] for step in steps)
    return min(1.0, gold["shortest"] / total) if total else 1.0


def _order(told: JSON, gold: Mapping[str, Any]) -> float:
    place = {str(node): at for at, node in enumerate(_as_list(told) or [])}
    kept = all(place.get(str(a), 1) < place.get(str(b), 0) for a, b in gold["order"])
    return float(kept and len(place) == gold["count"] == len(_as_list(told) or []))


def _hamilton(told: JSON, gold: Mapping[str, Any]) -> float:
    path = _as_list(told)
    if path is None:
        return _truth(told, {"truth": gold["hamilton"]})
    edges = {frozenset(map(str, edge[:2])) for edge in gold["edges"]}
    joined = all(frozenset((str(a), str(b))) in edges for a, b in pairwise(path))
    return float(joined and len(set(map(str, path))) == len(path) == gold["count"])


def _matching(told: JSON, gold: Mapping[str, Any]) -> float:
    if isinstance(told, str):
        told = dict(re.findall(r"applicant (\d+): job (\d+)", told.lower())) or told
    if not isinstance(told, dict):
        return _number(told, {"number": gold["matching"], "most": True})
    pairs = {(str(a), str(b)) for a, b in gold["pairs"]}
    fits = all((str(a), str(b)) in pairs for a, b in told.items()) and len(
        set(map(str, told.values()))
    ) == len(told)
    return len(told) / gold["matching"] if fits and gold["matching"] else float(fits)


def _vectors(told: JSON, gold: Mapping[str, Any]) -> float:
    if isinstance(told, str):
        told = {node: json.loads(f"[{row}]") for node, row in re.findall(r"node (\d+): \[([\d,. ]+)\]", told)}
    right = gold["vectors"]
    return (
        sum(told.get(node) == row for node, row in right.items()) / len(right)
        if isinstance(told, dict)
        else 0.0
    )


def _nodes(told: JSON, gold: Mapping[str, Any]) -> float:
    return float({str(node) for node in _as_list(told) or []} == {str(node) for node in gold["nodes"]})


def _as_number(told: JSON) -> float | None:
    if isinstance(told, bool):
        return None
    if isinstance(told, int | float):
        return float(told)
    found = _NUMBER.findall(told) if isinstance(told, str) else []
    return float(found[-1]) if found else None


def _as_list(told: JSON) -> list[JSON] | None:
    if isinstance(told, list):
        return told
    found = _LIST.findall(told) if isinstance(told, str) else []
    return list(_NUMBER.findall(found[-1])) if found else None


_WORTH = {
    "truth": _truth,
    "shortest": _shortest,
    "order": _order,
    "hamilton": _hamilton,
    "matching": _matching,
    "vectors": _vectors,
    "number": _number,
    "nodes": _nodes,
}
