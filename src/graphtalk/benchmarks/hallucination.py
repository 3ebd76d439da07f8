"""Hallucination, measured by program (G-Retriever: section 6.4 and appendix F, where people looked at 100 answers).

What an answer names as nodes and edges is looked up in the graph. Names are found where a text says that it lists
them:

- after `Nodes:` or `Edges:`, as `*`, `-` or numbered entries, or parted by commas or semicolons, up to an empty line;
- in the tables of the textual graph, under `node_id,node_attr` and `src,edge_attr,dst`.

A node is named by its text, by its name in a text such as `name: deer; attribute: brown`, or by its number (`node 3`).
An edge is `source, relation, target`, or its two ends, with commas, arrows or dashes between them or none at all. Free
sentences are not read: this measures what is claimed as support, as the paper does.

With `--reasoner g-retriever-list` `graphtalk bench run` keeps what each answer lists, and whether it is there, as
`listed` of its record.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np

from graphtalk.benchmarks.scorers.names import fold
from graphtalk.core import JSON
from graphtalk.graphs import Graph
from graphtalk.search.texts import node_texts

Kind: TypeAlias = Literal["nodes", "edges"]

_HEAD = re.compile(
    r"\b(?P<kind>nodes|edges)\b[^:\n*]{0,60}:[ \t]*|^(?P<nodes>node_id,node_attr)\n|^(?P<edges>src,edge_attr,dst)\n",
    re.IGNORECASE | re.MULTILINE,
)
_BULLET = re.compile(r"(?:^|(?<=\n))[ \t]*(?:-|\d+[.)])\s+|(?:^|(?<=\s))[*•]\s+")
_NUMBER = re.compile(r"\s*\(?\bnode (\d+)\)?:?\s*", re.IGNORECASE)
_EDGE_NUMBER = re.compile(r"\s*\(?\bedge \d+\)?:?\s*", re.IGNORECASE)
_ARROW = re.compile(r"\s*(?:-*\[|\]-*>?|-+>|-{2,}|→|—|;|,|\s-\s)\s*")
_NAME = re.compile(r"name: ([^;]+)")
_NO_NODE = -1
_DIGITS = 10  # of a node's number; a model may write thousands, which Python refuses to read


@dataclass(frozen=True)
class Claim:
    """A node or an edge that an answer names: its words, and whether they are a row of the textual graph's tables."""

    kind: Kind
    text: str
    row: bool = False


@dataclass(frozen=True)
class Checked:
    """Claims, each with whether the graph has it."""

    nodes: tuple[tuple[str, bool], ...]
    edges: tuple[tuple[str, bool], ...]

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> "Checked":
        """What `to_json` gave."""
        nodes, edges = (tuple((str(t), bool(v)) for t, v in told[kind]) for kind in ("nodes", "edges"))
        return cls(nodes, edges)

    def to_json(self) -> dict[str, JSON]:
        """`{"nodes": [["deer", false], …], "edges": […]}`."""
        return {"nodes": [[*each] for each in self.nodes], "edges": [[*each] for each in self.edges]}

    @property
    def fully_valid(self) -> bool:
        """Whether all that is named is in the graph."""
        return all(valid for _, valid in (*self.nodes, *self.edges))


@dataclass(frozen=True)
class Rates:
    """The three measures of table 5, over the answers that name anything; None where nothing is named."""

    answers: int
    naming: int
    valid_nodes: float | None
    valid_edges: float | None
    fully_valid: float | None


def claims_in(answer: str) -> Iterator[Claim]:
    """What an answer names as nodes and edges, in its order."""
    answer = "\n".join(answer.splitlines())
    heads = list(_HEAD.finditer(answer))
    stops = [*(head.start() for head in heads), len(answer)]
    for head, after in zip(heads, stops[1:], strict=True):
        kind: Kind = "nodes" if head["nodes"] or (head["kind"] or "").lower() == "nodes" else "edges"
        table = bool(head["nodes"] or head["edges"])
        empty = answer.find("\n\n", head.end(), after)
        stop = after if empty < 0 else empty
        for start, end in _entries(answer, head.end(), stop, kind, table):
            if text := answer[start:end].strip(" \t\n.,;"):
                yield Claim(kind, text, table)


def _entries(answer: str, start: int, stop: int, kind: Kind, table: bool) -> Iterator[tuple[int, int]]:
    """Where the entries of a list begin and end."""
    part = answer[start:stop]
    if table:
        between = [(m.start(), m.end()) for m in re.finditer(r"\n", part)]
    elif bullets := [(m.start(), m.end()) for m in _BULLET.finditer(part)]:
        between = bullets
    else:
        signs = r"[;\n]+" if kind == "edges" else r"[,;\n]+(?![^()]*\))"
        between = [(m.start(), m.end()) for m in re.finditer(signs, part)]
    begins = [0, *(end for _, end in between)]
    ends = [*(begin for begin, _ in between), len(part)]
    for begin, end in zip(begins, ends, strict=True):
        yield start + begin, start + end


@dataclass(frozen=True)
class Names:
    """The names of a graph's nodes, and its edges, for looking claims up. Nodes are numbered as in its textual form."""

    graph: Graph

    @cached_property
    def texts(self) -> Sequence[str]:
        """The text of each node."""
        return node_texts(self.graph, np.arange(self.graph.num_nodes))

    @cached_property
    def nodes(self) -> Mapping[str, frozenset[int]]:
        """Nodes by their folded texts and names."""
        found: dict[str, set[int]] = {}
        for node, text in enumerate(self.texts):
            found.setdefault(fold(text), set()).add(node)
            if named := _NAME.match(text):
                found.setdefault(fold(named[1]), set()).add(node)
        return {name: frozenset(nodes) for name, nodes in found.items()}

    @cached_property
    def edges(self) -> frozenset[tuple[int, str, int]]:
        """Edges as source, folded relation and target."""
        return frozenset(
            (source, fold(relation.name), target)
            for position, relation in enumerate(self.graph.schema.relations)
            for source, target in zip(*map(np.ndarray.tolist, self.graph.ends(position)), strict=True)
        )

    @cached_property
    def joined(self) -> frozenset[tuple[int, int]]:
        """Pairs of nodes that an edge joins, both ways round."""
        return frozenset(pair for s, _, t in self.edges for pair in ((s, t), (t, s)))

    def has(self, claim: Claim) -> bool:
        """Whether the graph has what is claimed."""
        if claim.kind == "nodes":
            return bool(self._row_node(claim.text) if claim.row else self.named(claim.text))
        if claim.row:
            return self._row_edge(claim.text)
        text = _EDGE_NUMBER.sub(" ", claim.text).strip(" ()[]")
        parts = [part for part in _ARROW.split(text) if part]
        if len(parts) in (2, 3) and self._edge(parts[0], parts[1] if len(parts) == 3 else "", parts[-1]):
            return True
        return any(self._edge(*ends) for ends in self._unparted(text))

    def named(self, text: str) -> frozenset[int]:
        """The nodes that these words name; where they give a number too, it must be that of one of them."""
        number = _NUMBER.search(text)
        words = fold(_NUMBER.sub(" ", text))
        if number is None:
            return self.nodes.get(words, frozenset())
        numbered = frozenset({self._node(number[1])} - {_NO_NODE})
        described = number.start() == 0  # `Node 1: what it is`: the words need not be its text
        return numbered if described or not words else numbered & self.nodes.get(words, frozenset())

    def _edge(self, source: str, relation: str, target: str) -> bool:
        pairs = [(s, t) for s in self.named(source) for t in self.named(target)]
        if not relation:
            return any(pair in self.joined for pair in pairs)
        return any((s, fold(relation), t) in self.edges for s, t in pairs)

    def _unparted(self, text: str) -> Iterator[tuple[str, str, str]]:
        """Ways to read words as source, relation and target: `Deer in Bushes`, `Deer Bushes`."""
        words = text.split()
        for first in range(1, len(words)):
            if fold(" ".join(words[:first])) not in self.nodes:
                continue
            for last in range(first, len(words)):
                yield " ".join(words[:first]), " ".join(words[first:last]), " ".join(words[last:])

    def _node(self, number: str) -> int:
        """The node of this number."""
        known = number.isdecimal() and len(number) < _DIGITS and int(number) < len(self.texts)
        return int(number) if known else _NO_NODE

    def _row_node(self, row: str) -> bool:
        number, text = _cells(row, 2)
        node = self._node(number)
        return node != _NO_NODE and fold(self.texts[node]) == fold(text)

    def _row_edge(self, row: str) -> bool:
        source, relation, target = _cells(row, 3)
        return (self._node(source), fold(relation), self._node(target)) in self.edges


def check(answer: str, graph: Graph) -> Checked:
    """What an answer names, checked against the graph."""
    names = Names(graph)
    found = [(claim, names.has(claim)) for claim in claims_in(answer)]
    nodes, edges = (
        tuple((claim.text, valid) for claim, valid in found if claim.kind == kind)
        for kind in ("nodes", "edges")
    )
    return Checked(nodes, edges)


def rates(checked: Sequence[Checked]) -> Rates:
    """Table 5's measures. Nodes and edges are counted over all answers, full validity by answer."""
    naming = [one for one in checked if one.nodes or one.edges]
    return Rates(
        len(checked),
        len(naming),
        _share(valid for one in naming for _, valid in one.nodes),
        _share(valid for one in naming for _, valid in one.edges),
        _share(one.fully_valid for one in naming),
    )


def _share(valid: Iterable[bool]) -> float | None:
    found = list(valid)
    return sum(found) / len(found) if found else None


def _cells(row: str, count: int) -> list[str]:
    """The cells of a line of CSV, filled up or cut to so many."""
    cells = next(csv.reader([row]), [])
    return (cells + [""] * count)[:count]
