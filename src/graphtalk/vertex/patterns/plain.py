"""What each pattern gives, by plain loops over the nodes: what the run of its program is compared with."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from graphtalk.core import CheckError

Neighbours: TypeAlias = Sequence[frozenset[int]]
Answer: TypeAlias = float | bool | set[int] | dict[int, float]
_Told: TypeAlias = Mapping[str, Any]

_REDUCE: Mapping[str, Callable[[list[float]], float]] = {
    "max": max,
    "min": min,
    "sum": sum,
    "mean": lambda values: sum(values) / len(values),
}
_KEPT: Mapping[
    str, Callable[[float, float, float], bool]
] = {  # of a neighbour's value, the limit, and one's own
    "above": lambda value, limit, own: value > limit,
    "below": lambda value, limit, own: value < limit,
    "least": lambda value, limit, own: value >= limit,
    "most": lambda value, limit, own: value <= limit,
    "larger": lambda value, limit, own: value > own,
    "smaller": lambda value, limit, own: value < own,
    "not smaller": lambda value, limit, own: value >= own,
    "not larger": lambda value, limit, own: value <= own,
}


class Ambiguous(CheckError):
    """A rule does not say what happens in a case that occurs, such as a tie."""


def plain(
    name: str, near: Neighbours, values: Sequence[float], parameters: _Told, chosen: Mapping[str, str]
) -> Answer:
    """What a pattern gives. `near`: the neighbours of each node; `values`: its number, where the pattern has one.

    `parameters` and `chosen` are those of its program. Raises Ambiguous where the rule leaves a case open that occurs.
    """
    return _PLAIN[name](near, values, parameters, chosen)


def _spread(near: Neighbours, values: Sequence[float], told: _Told, chosen: Mapping[str, str]) -> Answer:
    since = dict.fromkeys(told["seeds"], 0)
    for now in range(1, min(int(told["rounds"]), len(near)) + 1):
        fresh = []
        for node, others in enumerate(near):
            those = sum(other in since for other in others)
            enough = (
                those >= told.get("least", 1)
                and those >= told.get("share", 0) * len(others)
                and those > told.get("above", -1) * len(others)
            )
            if node not in since and others and enough:
                fresh.append(node)
        since.update(dict.fromkeys(fresh, now))
        if not fresh:
            break
    if chosen["answer"] == "last":
        return max(since.values()) if len(since) == len(near) else math.inf
    if chosen["answer"] == "when":
        return since.get(told["target"], math.inf)
    return _those(set(since), told, chosen)


def _vote(near: Neighbours, values: Sequence[float], told: _Told, chosen: Mapping[str, str]) -> Answer:
    here = set(told["seeds"])
    for _ in range(int(told["rounds"])):
        after = set()
        for node, others in enumerate(near):
            lead = 2 * len(others & here) - len(others)
            if lead == 0 and chosen.get("ties") != "kept":
                raise Ambiguous(
                    "Some nodes have as many neighbours on either side, and the text does not say what they do then."
                )
            if lead > 0 or (lead == 0 and node in here):
                after.add(node)
        here = after
    return _those(here, told, chosen)


def _those(found: set[int], told: _Told, chosen: Mapping[str, str]) -> Answer:
    if chosen["answer"] == "which":
        return found
    return len(found) if chosen["answer"] == "count" else told["target"] in found


def _gather(near: Neighbours, values: Sequence[float], told: _Told, chosen: Mapping[str, str]) -> Answer:
    how, _, own = chosen["gathered"].partition(" ")
    if not own and not all(near):
        raise Ambiguous("Some nodes have no neighbours, and the text does not say what they do then.")
    now, last = list(values), 0
    for round_ in range(1, int(told["rounds"]) + 1):
        after = [
            _REDUCE[how]([*(now[other] for other in sorted(others)), *([now[node]] if own else [])])
            for node, others in enumerate(near)
        ]
        if after == now:
            break
        now, last = after, round_
    return last if chosen["answer"] == "last" else _numbers(now, told, chosen)


def _walk(near: Neighbours, values: Sequence[float], told: _Told, chosen: Mapping[str, str]) -> Answer:
    if not all(near):
        raise Ambiguous("Some nodes have no neighbours, and the text does not say what happens there.")
    chance = [float(node in told["seeds"]) for node in range(len(near))]
    for _ in range(int(told["rounds"])):
        after = [0.0] * len(near)
        for node, others in enumerate(near):
            for other in others:
                after[other] += chance[node] / len(others)
        chance = after
    return _numbers(chance, told, chosen)


def _reach(near: Neighbours, values: Sequence[float], told: _Told, chosen: Mapping[str, str]) -> Answer:
    found = []
    for node in range(len(near)):
        met = fringe = {node}
        for _ in range(int(told["rounds"])):
            fringe = {other for each in fringe for other in near[each]} - met
            met = met | fringe
        found.append(len(met) - 1)
    return _numbers(found, told, chosen)


def _compare(near: Neighbours, values: Sequence[float], told: _Told, chosen: Mapping[str, str]) -> Answer:
    keep, limit = _KEPT[chosen["kept"]], told.get("limit", 0)
    if chosen["answer"] == "none" and not all(near):
        raise Ambiguous("Some nodes have no neighbours, and the text does not say whether they count.")
    found = []
    for node, others in enumerate(near):
        kept = [values[other] for other in others if keep(values[other], limit, values[node])]
        found.append(len(kept) if chosen["gathered"] == "count" else sum(kept))
    if chosen["answer"] == "none":
        return {node for node, each in enumerate(found) if not each}
    return _numbers(found, told, chosen)


def _numbers(found: Sequence[float], told: _Told, chosen: Mapping[str, str]) -> Answer:
    return found[told["target"]] if chosen["answer"] == "value" else dict(enumerate(found))


_PLAIN: Mapping[str, Callable[[Neighbours, Sequence[float], _Told, Mapping[str, str]], Answer]] = {
    "spread": _spread,
    "vote": _vote,
    "gather": _gather,
    "walk": _walk,
    "reach": _reach,
    "compare": _compare,
}
