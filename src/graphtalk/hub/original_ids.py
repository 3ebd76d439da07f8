"""Original ids for a graph whose nodes were numbered anew, from a list of its edges by original id.

Planetoid numbers Cora's papers by rows; its neighbour lists, though, keep the order of the lines in the original file
of links. So a node is told by its neighbours in order: colour refinement (Weisfeiler and Lehman, 1968) over ordered
lists. Nodes that no refinement tells apart, such as those of pairs that cite only each other, get the ids of their
class in any order, and are marked as uncertain.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from graphtalk.core import SourceError

Lists: TypeAlias = Sequence[Sequence[int]]


def read_links(path: Path) -> list[tuple[str, str]]:
    """The two ids of every line. Raises SourceError, naming the line, where there are not two."""
    links = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        ends = line.split()
        if len(ends) != 2:
            raise SourceError(f"{len(ends)} ids where a link has two.", path.name, number)
        links.append((ends[0], ends[1]))
    return links


def original_ids(
    neighbours: Mapping[int, Sequence[int]], links: Sequence[tuple[str, str]]
) -> tuple[list[str], list[bool]]:
    """The original id of every node 0, 1, …, and whether it is certain.

    `neighbours` are lists in the order of `links`. Raises SourceError where the two are not the same graph.
    """
    ids = list(dict.fromkeys(end for link in links for end in link))
    if sorted(neighbours) != list(range(len(ids))):
        raise SourceError(
            f"{len(ids)} papers are linked by original id, but the graph has {len(neighbours)}."
        )
    rows = [list(neighbours[node]) for node in range(len(ids))]
    colours, original = _refined(rows, _lists(ids, links))
    if Counter(colours) != Counter(original):
        raise SourceError("the links by original id are not those of the graph.")
    waiting: dict[int, list[str]] = {}
    for node, colour in enumerate(original):
        waiting.setdefault(colour, []).append(ids[node])
    certain = [len(waiting[colour]) == 1 for colour in colours]
    following = {colour: iter(found) for colour, found in waiting.items()}
    return [next(following[colour]) for colour in colours], certain


def _lists(ids: Sequence[str], links: Sequence[tuple[str, str]]) -> Lists:
    """For every id its neighbours in the order of the links."""
    at = {name: position for position, name in enumerate(ids)}
    lists: list[list[int]] = [[] for _ in ids]
    for one, other in links:
        lists[at[one]].append(at[other])
        lists[at[other]].append(at[one])
    return lists


def _refined(*graphs: Lists) -> list[list[int]]:
    """A colour for every node of each graph: the same where ordered refinement cannot tell nodes apart."""
    places = [[[_position(lists, n, i) for n in row] for i, row in enumerate(lists)] for lists in graphs]
    colours = [[len(row) for row in lists] for lists in graphs]
    count = 0
    while True:
        seen: dict[tuple[object, ...], int] = {}
        signs = [
            [(c[i], *((c[n], p) for n, p in zip(row, at[i], strict=True))) for i, row in enumerate(lists)]
            for lists, at, c in zip(graphs, places, colours, strict=True)
        ]
        colours = [[seen.setdefault(sign, len(seen)) for sign in part] for part in signs]
        if len(seen) == count:
            return colours
        count = len(seen)


def _position(lists: Lists, node: int, neighbour: int) -> int:
    """Where in a node's list a neighbour stands; -1 where it does not."""
    return list(lists[node]).index(neighbour) if neighbour in lists[node] else -1
