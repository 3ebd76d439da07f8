"""Graphs of GRBench's five schemas for tests, as plain dictionaries beside the imported graphs."""

import itertools
import json
import random
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import graphtalk as gt
from graphtalk.graphs.read import read_graph

FOLDER = Path(__file__).resolve().parent / "questions" / "graphs"
METAEDGES = """
Anatomy-downregulates-Gene Anatomy-expresses-Gene Anatomy-upregulates-Gene Compound-causes-Side_Effect
Compound-palliates-Disease Compound-resembles-Compound Compound-treats-Disease Disease-associates-Gene
Disease-downregulates-Gene Disease-localizes-Anatomy Disease-presents-Symptom Disease-resembles-Disease
Disease-upregulates-Gene Gene-participates-Biological_Process Gene-participates-Cellular_Component
Gene-participates-Molecular_Function Gene-participates-Pathway Pharmacologic_Class-includes-Compound
""".split()


@dataclass(frozen=True)
class Plain:
    """A graph.json as it stands, asked in plain Python."""

    data: dict[str, dict[str, dict[str, Any]]]
    label: dict[str, str]

    def id(self, name: str, kind: str) -> str:
        """The only node of a type with this name."""
        (found,) = [i for i, node in self.data[f"{kind}_nodes"].items() if self._name(kind, node) == name]
        return found

    def _name(self, kind: str, node: dict[str, Any]) -> str:
        return str(node["features"].get(self.label[kind], ""))

    def node(self, node_id: str) -> dict[str, Any]:
        """The node with this id."""
        return next(nodes[node_id] for nodes in self.data.values() if node_id in nodes)

    def near(self, ids: str | Iterable[str], relation: str) -> list[str]:
        """All neighbours of nodes, with repeats."""
        listed = [ids] if isinstance(ids, str) else ids
        return [n for i in listed for n in self.node(i)["neighbors"].get(relation, [])]

    def feature(self, node_id: str, name: str) -> Any:
        """A feature of a node."""
        return self.node(node_id)["features"].get(name)

    def names(self, ids: Iterable[str]) -> set[str]:
        """The names of nodes."""
        found = set()
        for i in ids:
            (kind,) = [k.removesuffix("_nodes") for k, nodes in self.data.items() if i in nodes]
            found.add(self._name(kind, self.data[f"{kind}_nodes"][i]))
        return found

    def all(self, kind: str) -> list[str]:
        """The ids of all nodes of a type."""
        return list(self.data[f"{kind}_nodes"])


def most(entries: Iterable[Any], k: int = 1) -> set[Any]:
    """What stands most often, with all that tie with the last."""
    counts = Counter(entries)
    least = sorted(counts.values(), reverse=True)[: min(k, len(counts))][-1]
    return {entry for entry, count in counts.items() if count >= least}


def names_in(call: str) -> list[str]:
    """The node names that a call retrieves, each once, in order."""
    found = re.findall(r'RetrieveNode\["((?:[^"\\]|\\.)*)"', call)
    return list(dict.fromkeys(json.loads(f'"{name}"') for name in found))


LABELS = {
    "academic": {"paper": "title", "author": "name", "venue": "name"},
    "ecommerce": {"item": "title", "brand": "name"},
    "literature": {"book": "title", "author": "name", "publisher": "name", "series": "title"},
    "legal": {
        "opinion": "plain_text",
        "opinion_cluster": "syllabus",
        "docket": "pacer_case_id",
        "court": "full_name",
    },
}


@cache
def small(domain: str) -> tuple[Plain, gt.Graph]:
    """One of the made-up graphs of the repository, twice: plain and imported."""
    data = json.loads((FOLDER / domain / "graph.json").read_text(encoding="utf-8"))
    graph = gt.open(FOLDER / domain)
    assert isinstance(graph, gt.Graph)
    return Plain(data, LABELS[domain]), graph


def healthcare(folder: Path, per_type: int = 14, seed: int = 3) -> tuple[Plain, gt.Graph]:
    """A made-up graph of the healthcare schema, in GRBench's own form: both ends under the metaedge's name."""
    rng = random.Random(seed)
    kinds = sorted({end for edge in METAEDGES for end in (edge.split("-")[0], edge.split("-")[2])})
    data: dict[str, dict[str, dict[str, Any]]] = {
        f"{kind}_nodes": {
            f"{kind}::{i}": {"features": {"name": f"{kind} {word}"}, "neighbors": {}}
            for i, word in enumerate(_words(rng, per_type))
        }
        for kind in kinds
    }
    for edge in METAEDGES:
        source, _, target = edge.split("-")
        pairs = set()
        for one, other in itertools.product(data[f"{source}_nodes"], data[f"{target}_nodes"]):
            if one != other and (other, one) not in pairs and rng.random() < 0.16:
                pairs.add((one, other))
        for one, other in sorted(pairs):
            for a, b in ((one, other), (other, one)):
                node = data[f"{a.split('::')[0]}_nodes"][a]
                node["neighbors"].setdefault(edge.replace("_", " "), []).append(b)
    path = folder / "graph.json"
    path.write_text(json.dumps(data))
    graph = read_graph([path])
    assert isinstance(graph, gt.Graph)
    return Plain(data, dict.fromkeys(kinds, "name")), graph


def _words(rng: random.Random, count: int) -> list[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    found: set[str] = set()
    while len(found) < count:
        found.add("".join(rng.choices(letters, k=6)))
    return sorted(found)
