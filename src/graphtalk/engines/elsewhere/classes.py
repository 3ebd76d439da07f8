"""Node types from labels and classes, of which nodes elsewhere may have several, or none.

Here a node has one type. It is typed by the label of its that most nodes have: so a type holds all nodes of its label but
those that have a more common label too, which the type's name says (`Actor without Person`). Then no count is wrong.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class NodeClass:
    """The nodes with a label and without others. `label` is empty for nodes without any."""

    name: str
    label: str
    without: tuple[str, ...]
    count: int


def node_classes(sets: Mapping[frozenset[str], int], named: Mapping[str, str]) -> list[NodeClass]:
    """The types of nodes, from how many nodes have each set of labels. `named`: what people call a label."""
    totals: Counter[str] = Counter()
    for labels, count in sets.items():
        totals.update(dict.fromkeys(labels, count))
    rank = {
        label: place for place, label in enumerate(sorted(totals, key=lambda label: (-totals[label], label)))
    }
    counts: Counter[str] = Counter()
    above: dict[str, set[str]] = {}
    for labels, count in sets.items():
        first = min(labels, key=rank.__getitem__, default="")
        counts[first] += count
        for label in labels:
            above.setdefault(label, set()).update(other for other in labels if rank[other] < rank[label])
    found = []
    for label in sorted(counts, key=lambda label: rank.get(label, len(rank))):
        without = tuple(sorted(above.get(label, ()), key=rank.__getitem__)) if label else tuple(totals)
        name = named.get(label, label) if label else "node"
        said = (
            f"{name} without {' and '.join(named.get(each, each) for each in without)}"
            if label and without
            else name
        )
        found.append(NodeClass(said, label, without, counts[label]))
    return found


def short_names(names: Iterable[str]) -> dict[str, str]:
    """IRIs by what follows their last `#`, `/` or `:`; where two would be called alike, one more part is kept."""
    every = list(dict.fromkeys(names))
    short = {name: _last(name, 1) for name in every}
    for parts in (2, 3):
        alike = {key for key, many in Counter(short.values()).items() if many > 1}
        short = {name: _last(name, parts) if kept in alike else kept for name, kept in short.items()}
    alike = {key for key, many in Counter(short.values()).items() if many > 1}
    return {name: name if kept in alike else kept for name, kept in short.items()}


def _last(name: str, parts: int) -> str:
    cut = len(name.rstrip("/#"))
    for _ in range(parts):
        before = max(name.rfind(mark, 0, cut) for mark in "#/:")
        if before < 0:
            return name
        cut = before
    return name[cut + 1 :].strip("/#") or name
