"""What retrieval is worth: a small graph network learns to answer MetaQA from a part of the graph, cut to equal tokens.

    .venv/bin/python scripts/measure_worth.py STORE [--data ../shared/data/metaqa] [--train 1200] [--test 400] [--seeds 2]

STORE is MetaQA's graph. Each question has the text graph of all that lies within three edges of what it names, larger than
WebQSP's in the G-Retriever paper (1,371 nodes). Of it is read: nothing but what has been retrieved (the paper's rule, and ours); or the graph
itself, cut to as many tokens as our retrieval has of that question, by its table of edges in their order ("as it stands"), or by
edges drawn at random. A Graph Transformer of two layers that reads the vectors of nodes, edges and question points at the node that
is the answer. It is trained anew for each way of cutting; questions of the test name other nodes than those of the training.

Printed: whether an answer is in what is read, whether the first node that is pointed at is one (Hit@1), and that share of the
questions whose answer is there. Means over seeds.
"""

import argparse
import lzma
import random
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch_geometric.nn import TransformerConv

from graphtalk.graphs import Graph, open_graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.search.embedder import load_embedder
from graphtalk.search.normalise import normalise
from graphtalk.search.retrieval_index import retriever
from graphtalk.search.subgraph import Options
from graphtalk.search.texts import edge_texts
from graphtalk.training.prompts import TextVectors
from graphtalk.training.retrieval import Retrieval, retrieve
from graphtalk.training.text_graphs import TextGraph

HOPS = 3  # edges from what a question names to the farthest node of its graph
MOST = 4_000  # nodes of a graph: those of hubs are drawn
WIDTH, HEADS, BATCH, RATE = 96, 4, 16, 2e-3
PAPER = Retrieval(3, 5, 0.5)  # of WebQSP in the paper
WAYS = ("retrieved, ours", "retrieved, the paper's rule", "cut as it stands", "cut at random")


@dataclass(frozen=True, eq=False)
class Case:
    """A question with what is read of its graph in each way; `answers` are the texts of right nodes, `named` what it names."""

    question: str
    named: str
    answers: frozenset[str]
    read: tuple[TextGraph, ...]
    tokens: tuple[int, ...]
    whole: tuple[int, int]  # nodes and edges of the question's graph


def cases(graph: Graph, path: Path, most: int, vectors: TextVectors, noise: random.Random) -> Iterator[Case]:
    """Questions whose name is one node of the graph, in a random order."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    noise.shuffle(lines)
    nodes: dict[str, list[int]] = {}
    for node, label in enumerate(graph.labels()):
        nodes.setdefault(normalise(label), []).append(node)
    every, found = _Edges(graph), retriever(graph)
    for text, right in lines[:most]:
        named = re.search(r"\[(.+?)\]", text)
        start = nodes.get(normalise(named[1]), []) if named else []
        if named is None or len(start) != 1:
            continue
        question = text.replace("[", "").replace("]", "")
        whole = every.around(start[0], noise)
        if not whole.edges:
            continue
        ours = found.retrieve(question, Options(rule="spread"))
        own = (
            every.text(np.sort(ours.edges))
            if len(ours.edges)
            else whole.part(np.array([0]), np.empty(0, np.int64))
        )
        budget = tokens(own)
        theirs = cut(retrieve(whole, question, vectors, PAPER), budget)
        mixed = noise.sample(range(len(whole.edges)), len(whole.edges))
        parts = (own, theirs, cut(whole, budget), cut(whole, budget, mixed))
        answers = frozenset(map(normalise, right.split("|")))
        size = (len(whole.nodes), len(whole.edges))
        yield Case(question, named[1], answers, parts, tuple(map(tokens, parts)), size)


class _Edges:
    """All edges of a graph, from either end."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.source, self.target = graph.ends_of(np.arange(graph.num_edges))
        both = np.concatenate([self.source, self.target])
        self.order = np.argsort(both, kind="stable")
        self.begins = np.searchsorted(both[self.order], np.arange(graph.num_nodes + 1))

    def around(self, start: int, noise: random.Random) -> TextGraph:
        """The textual graph of all edges among what lies within HOPS edges of a node."""
        near = {start}
        for _ in range(HOPS):
            edges = self._of(sorted(near))
            ends = np.unique(np.concatenate([self.source[edges], self.target[edges]])).tolist()
            new = [node for node in ends if node not in near]
            near.update(noise.sample(new, min(len(new), MOST - len(near))))
        edges = np.unique(self._of(sorted(near)))
        among = np.array(sorted(near))
        inside = np.isin(self.source[edges], among) & np.isin(self.target[edges], among)
        return self.text(edges[inside])

    def _of(self, nodes: Sequence[int]) -> Ints:
        rows = [self.order[self.begins[n] : self.begins[n + 1]] for n in nodes]
        return np.concatenate(rows) % self.graph.num_edges

    def text(self, edges: Ints) -> TextGraph:
        """The textual graph of some edges, nodes by their names alone."""
        said = [""] * len(edges)
        for relation, own, places in self.graph.edge_places(edges):
            for place, text in zip(places.tolist(), edge_texts(self.graph, relation, own), strict=True):
                said[place] = text
        source, target = self.graph.labels(self.source[edges]), self.graph.labels(self.target[edges])
        return TextGraph.of_triples(zip(source, said, target, strict=True))


def tokens(graph: TextGraph) -> int:
    """Words and signs of a graph's text; a tokenizer of a language model has about a third more."""
    return len(_TOKEN.findall(graph.as_csv()))


_TOKEN = re.compile(r"\w+|[^\w\s]")


def cut(graph: TextGraph, budget: int, order: Sequence[int] | None = None) -> TextGraph:
    """The graph of as many of its edges, in an order, as a budget of tokens has room for, with their ends."""
    kept, seen, used = list[int](), set[int](), 0
    for edge in range(len(graph.edges)) if order is None else order:
        ends = graph.ends[:, edge].tolist()
        new = [node for node in dict.fromkeys(ends) if node not in seen]
        used += (
            4
            + len(_TOKEN.findall(graph.edges[edge]))
            + sum(2 + len(_TOKEN.findall(graph.nodes[n])) for n in new)
        )
        if used > budget:
            break
        kept.append(edge)
        seen.update(ends)
    return graph.part(graph.ends[:, kept].ravel(), np.array(kept, np.int64))


class Pointer(nn.Module):  # type: ignore[misc]
    """Scores of the nodes of graphs as answers to a question, from the vectors of their texts."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.begin = nn.Linear(2 * width + 1, WIDTH)
        self.edge = nn.Linear(2 * width, WIDTH)
        self.layers = nn.ModuleList(
            TransformerConv(WIDTH, WIDTH // HEADS, HEADS, edge_dim=WIDTH) for _ in range(2)
        )
        self.score = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, 1))

    def forward(self, nodes: Tensor, edges: Tensor, ends: Tensor) -> Tensor:
        """Shapes: nodes (n, 2 d + 1), edges (m, 2 d), ends (2, m) → (n,). Edges are followed both ways."""
        state = self.begin(nodes)
        links = self.edge(edges)
        both, ways = torch.cat([ends, ends.flip(0)], 1), torch.cat([links, -links])
        for layer in self.layers:
            state = state + torch.nn.functional.gelu(layer(state, both, ways))
        found: Tensor = self.score(state).squeeze(1)
        return found


@dataclass(frozen=True, eq=False)
class Read:
    """A case in numbers, read in one way. Shapes: nodes (n, 2 d + 1), edges (m, 2 d), ends (2, m), right (n,)."""

    nodes: Tensor
    edges: Tensor
    ends: Tensor
    right: Tensor


def as_read(case: Case, way: int, vectors: TextVectors) -> Read:
    """What is read of a case: each vector beside the question's, and which node the question names."""
    graph = case.read[way]
    rows = [
        vectors.rows(texts) for texts in ([case.question.replace(case.named, "it")], graph.nodes, graph.edges)
    ]
    asked, *parts = (vectors.table[each] for each in rows)
    beside = [np.concatenate([part, np.broadcast_to(asked, part.shape)], 1) for part in parts]
    names = [normalise(node) for node in graph.nodes]
    named = np.array([[float(name == normalise(case.named))] for name in names], np.float32).reshape(-1, 1)
    right = np.array([name in case.answers for name in names], bool)
    return Read(
        torch.from_numpy(np.concatenate([beside[0], named], 1)),
        torch.from_numpy(np.ascontiguousarray(beside[1])),
        torch.from_numpy(graph.ends.copy()),
        torch.from_numpy(right),
    )


def losses(model: Pointer, batch: Sequence[Read]) -> Tensor:
    """How unlikely right nodes are, on average over the graphs that have one."""
    firsts = np.cumsum([0, *(len(read.nodes) for read in batch)])
    ends = torch.cat([read.ends + int(first) for read, first in zip(batch, firsts, strict=False)], 1)
    scores = model(torch.cat([r.nodes for r in batch]), torch.cat([r.edges for r in batch]), ends)
    each = scores.split([len(read.nodes) for read in batch])
    return torch.stack(
        [s.logsumexp(0) - s[r.right].logsumexp(0) for s, r in zip(each, batch, strict=True)]
    ).mean()


def learn(train: Sequence[Read], width: int, epochs: int, seed: int) -> Pointer:
    """A model that learnt from the cases in which an answer is there."""
    torch.manual_seed(seed)
    model, noise = Pointer(width), random.Random(seed)
    useful = [read for read in train if bool(read.right.any())]
    steps = max(1, epochs * len(useful) // BATCH)
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(steps):
        optimiser.zero_grad()
        losses(model, noise.sample(useful, min(BATCH, len(useful)))).backward()
        optimiser.step()
        schedule.step()
    return model


def hits(model: Pointer, test: Sequence[Read]) -> list[bool]:
    """Whether the node that is pointed at is right."""
    with torch.no_grad():
        return [
            bool(len(r.nodes)) and bool(r.right[int(model(r.nodes, r.edges, r.ends).argmax())]) for r in test
        ]


def apart(found: Sequence[Case], test: int) -> tuple[list[Case], list[Case]]:
    """Cases to learn from and cases to test by, which name other nodes."""
    names = sorted({case.named for case in found})
    random.Random(1).shuffle(names)
    held: list[Case] = []
    of: dict[str, list[Case]] = {}
    for case in found:
        of.setdefault(case.named, []).append(case)
    while names and len(held) < test:
        held += of.pop(names.pop())
    return [case for cases in of.values() for case in cases], held


def main() -> None:
    """Cut, train, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("store", type=Path)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data" / "metaqa")
    parser.add_argument("--train", type=int, default=1200)
    parser.add_argument("--test", type=int, default=400)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--hops", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--embedder", default="static")
    given = parser.parse_args()
    graph = open_graph(given.store)
    assert isinstance(graph, Graph)
    embedder = load_embedder(given.embedder)
    print(
        "| hops | what is read | test questions | tokens | nodes | edges | an answer is there, % | Hit@1, % | of these, % |"
    )
    print("|---" * 9 + "|")
    for hops in given.hops:
        vectors = TextVectors(embedder)
        path = given.data / f"{hops}-hop" / "dev.txt.xz"
        train, test = apart(
            [*cases(graph, path, given.train + given.test, vectors, random.Random(0))], given.test
        )
        wholes = [
            f"{statistics.fmean(column):,.0f}" for column in zip(*(case.whole for case in test), strict=True)
        ]
        print(f"| {hops} | the graphs themselves | {len(test)} | - | {' | '.join(wholes)} | - | - | - |")
        for way, name in enumerate(WAYS):
            started = time.perf_counter()
            reads = [[as_read(case, way, vectors) for case in part] for part in (train, test)]
            found = [
                hits(learn(reads[0], embedder.dimension, given.epochs, seed), reads[1])
                for seed in range(given.seeds)
            ]
            there = [bool(read.right.any()) for read in reads[1]]
            right = [100 * statistics.fmean(each) for each in found]
            mean = statistics.fmean(right)
            spread = f" ± {statistics.stdev(right):.1f}" if given.seeds > 1 else ""
            sizes = [statistics.fmean(column) for column in zip(*(
                (case.tokens[way], len(case.read[way].nodes), len(case.read[way].edges)) for case in test), strict=True)]  # fmt: skip
            print(
                f"| {hops} | {name} | {len(test)} | {sizes[0]:.0f} | {sizes[1]:.0f} | {sizes[2]:.0f} "
                f"| {100 * statistics.fmean(there):.1f} | {mean:.1f}{spread} | {mean / max(statistics.fmean(there), 1e-9):.1f} |",
                flush=True,
            )
            print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
