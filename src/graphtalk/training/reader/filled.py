"""Graphs for made-up schemas: random nodes and edges that have the values of the questions asked about them.

On such a graph the readings of a question can be run, and those that give what its own reading gives are right: so the judge of
readings can learn from questions over hundreds of schemas for which nobody has data.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random
from typing import TypeVar

import numpy as np
import pyarrow as pa

from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.graph import Graph
from graphtalk.reasoners.reader.shape import Held, Link
from graphtalk.training.reader.lexicon import everyday
from graphtalk.training.reader.variation import Group

_T = TypeVar("_T")
NODES = 40  # of each type
_EMPTY = 0.08  # of what is no name
_KINDS = 6  # different texts of a property that is no name, about
_FIRST, _LAST = date(1995, 1, 1), date(2024, 12, 31)


def filled(group: Group, random: Random, nodes: int = NODES) -> Graph:
    """A graph with the schema of a group: `nodes` of each type, zero to three edges of each relation from each of them.

    Every value that a question of the group names is there, numbers and dates of a property lie around those that questions compare it with.
    """
    tables = []
    for node_type in group.shape.types:
        held = [h for h in group.shape.held if h.owner == node_type and not h.edge]
        columns = {"id": pa.array([f"{node_type}{i}" for i in range(nodes)])}
        columns |= {h.name: _column(h, group, nodes, random) for h in held if h.name != "id"}
        label = next((h.name for h in held if h.naming), "")
        tables.append(NodeTable(node_type, pa.table(columns), label))
    return build(tables, [_edges(link, group, nodes, random) for link in group.shape.links])


def _edges(link: Link, group: Group, nodes: int, random: Random) -> EdgeTable:
    pairs = sorted(
        {
            (source, target)
            for source in range(nodes)
            for target in random.sample(range(nodes), random.choice((0, 1, 1, 2, 3)))
            if link.source != link.target or source != target
        }
    )
    held = [h for h in group.shape.held if h.edge and h.owner == link.key]
    features = {h.name: _column(h, group, len(pairs), random) for h in held}
    source, target = (np.array([pair[end] for pair in pairs], np.int64) for end in (0, 1))
    return EdgeTable(
        link.name, link.source, link.target, source, target, pa.table(features) if features else None
    )


def _column(held: Held, group: Group, count: int, random: Random) -> pa.Array:
    """The values of a property, shape (count,)."""
    named = list(dict.fromkeys(v.text for e in group.examples for v in e.values if held.action in v.owners))
    near = _compared(held.action, group)
    if held.kind == "text" and held.naming:
        others = (" ".join(random.sample(everyday("noun"), 2)).title() for _ in range(count * 3))
        return pa.array(list(dict.fromkeys((*named, *others)))[:count])
    if held.kind in ("text", "list"):
        kinds = [*named, *held.examples, *random.sample(everyday("noun"), max(2, _KINDS - len(named)))]
        drawn = [*named, *named, *random.choices(kinds, k=count)][:count]
        texts = random.sample(drawn, len(drawn))
        if held.kind == "list":
            return pa.array([[text, random.choice(kinds)] for text in texts])
        return pa.array([_or_nothing(text, random) for text in texts])
    if held.kind == "boolean":
        return pa.array([_or_nothing(random.random() < 0.5, random) for _ in range(count)])
    if held.kind == "date":
        days = (_LAST - _FIRST).days
        return pa.array(
            [_or_nothing(_FIRST + timedelta(random.randrange(days)), random) for _ in range(count)]
        )
    low, high = (min(near), max(near)) if near else (1.0, 100.0)
    if 1500 < low <= high < 2100:
        low, high = low - 15, min(high + 15, 2024)
    else:
        low, high = low * 0.4, high * 1.7 + 2
    whole = all(n == int(n) for n in near)
    drawn_numbers = [random.uniform(low, high) for _ in range(count)]
    return pa.array([_or_nothing(int(n) if whole else round(n, 2), random) for n in drawn_numbers])


def _or_nothing(value: _T, random: Random) -> _T | None:
    return None if random.random() < _EMPTY else value


def _compared(action: str, group: Group) -> Sequence[float]:
    """The numbers that questions compare a property with."""
    found = []
    for e in group.examples:
        for own, operator, value in zip(e.actions, e.actions[1:], e.actions[2:], strict=False):
            if own == action and value.startswith("S:") and operator != "EQ":
                try:
                    found.append(float(e.values[int(value[2:])].text.replace(",", "")))
                except ValueError:  # a number in words, or a date
                    continue
    return found
