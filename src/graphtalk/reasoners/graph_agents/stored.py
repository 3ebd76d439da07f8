"""The reasoner `graph-agents` over a stored graph: the same master, its graph read from the store, not from a text."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from graphtalk.core import Answer, Evidence, Question, Step, UsageError
from graphtalk.graphs import Graph
from graphtalk.reasoners.graph_agents.described import WEIGHT, Described
from graphtalk.reasoners.graph_agents.master import Master
from graphtalk.reasoners.graph_agents.offline import OfflineMaster, Solved, solve_over
from graphtalk.reasoners.graph_agents.reading import NoGraph, asked_of, read


@dataclass
class GraphAgents:
    """Answers questions about a graph by vertex programs. `master` is a model's (None: offline).

    A question that brings a graph of its own is about that.
    """

    graph: Graph
    master: Master | None = None
    name: str = "graph-agents"
    _described: list[Described] = field(default_factory=list)

    def run(self, question: Question) -> Iterator[Step]:
        """The algorithm that was chosen, then the answer."""
        found = self._solve(question.text)
        if found.how:
            yield Step("thought", found.how)
        yield Step("answer", found.text, answer=self._answer(found))

    def _solve(self, text: str) -> Solved:
        try:
            read(text)
        except NoGraph:
            reading = asked_of(text, self._stored())
            return self.master.solve_over(reading) if self.master else solve_over(OfflineMaster(), reading)
        except UsageError as error:
            return Solved(False, str(error))
        return (self.master or OfflineMaster()).solve(text)

    def _stored(self) -> Described:
        if not self._described:
            self._described.append(described(self.graph))
        return self._described[0]

    def _answer(self, found: Solved) -> Answer:
        d = self._stored()
        names = found.value if isinstance(found.value, list) else [found.value]
        nodes = [d.position[name] for name in names if isinstance(name, str) and name in d.position]
        usage = (
            {"rounds": float(found.rounds), "messages": float(found.messages or 0)} if found.rounds else {}
        )
        return Answer(
            found.answered,
            found.text,
            found.value,
            Evidence(tuple(self.graph.ids(nodes))),
            reasoner=self.name,
            lm=self.master.lm.name if self.master else "offline",
            usage=usage,
            seconds=found.seconds,
        )


def described(graph: Graph) -> Described:
    """A stored graph as problems have it: nodes by label (by id where two share one), weights where edges have them."""
    labels = graph.labels()
    ids = graph.ids()
    seen: set[str] = set()
    names = []
    for label, node_id in zip(labels, ids, strict=True):
        names.append(label if label not in seen else f"{label} ({node_id})")
        seen.add(names[-1])
    relations = range(len(graph.schema.relations))
    ends = [graph.ends(position) for position in relations]
    weighted = bool(relations) and all(
        WEIGHT in graph.edge_columns[position].column_names for position in relations
    )
    weights = (
        [
            np.asarray(graph.edge_columns[position].column(WEIGHT).to_numpy(), np.float64)
            for position in relations
        ]
        if weighted
        else []
    )
    return Described(
        tuple(names),
        np.concatenate([source for source, _ in ends]).astype(np.int64) if ends else np.empty(0, np.int64),
        np.concatenate([target for _, target in ends]).astype(np.int64) if ends else np.empty(0, np.int64),
        graph.directed,
        np.concatenate(weights) if weighted else None,
        listed=True,
    )
