"""The reasoner `graph-agents` over a stored graph: the same master and calls, its graph read from the store."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from graphtalk.core import Answer, Question, Step, UsageError
from graphtalk.graphs import Graph
from graphtalk.reasoners.graph_agents.described import Described
from graphtalk.reasoners.graph_agents.master import Master
from graphtalk.reasoners.graph_agents.offline import OfflineMaster
from graphtalk.reasoners.graph_agents.reading import NoGraph, asked_of, read
from graphtalk.reasoners.graph_agents.solving import Solved
from graphtalk.tools.context import Programs
from graphtalk.tools.executor import Executor


@dataclass
class GraphAgents:
    """Answers questions about the graph of an executor by its calls. `master` is a model's (None: offline, which runs
    `programs` so).

    A question that brings a graph of its own is about that.
    """

    executor: Executor
    master: Master | None = None
    name: str = "graph-agents"
    programs: Programs = field(default_factory=Programs)
    _described: list[Described] = field(default_factory=list)

    def run(self, question: Question) -> Iterator[Step]:
        """The calls and the algorithm that was chosen, then the answer."""
        found = self._solve(question.text)
        for call in found.calls:
            yield Step("call", call.spelling, call=call)
        if found.how:
            yield Step("thought", found.how)
        yield Step("answer", found.text, answer=self._answer(found))

    def _solve(self, text: str) -> Solved:
        master = self.master or OfflineMaster(programs=self.programs)
        try:
            read(text)
        except NoGraph:
            return replace(master, executor=self.executor).solve_over(asked_of(text, self._stored()))
        except UsageError as error:
            return Solved(False, str(error))
        return master.solve(text)

    def _stored(self) -> Described:
        if not self._described:
            graph = self.executor.graph
            self._described.append(Described.of(graph if isinstance(graph, Graph) else graph.union))
        return self._described[0]

    def _answer(self, found: Solved) -> Answer:
        usage = dict(found.usage)
        if found.rounds:
            usage |= {"rounds": float(found.rounds), "messages": float(found.messages or 0)}
        return Answer(
            found.answered,
            found.text,
            found.value,
            found.evidence,
            found.calls,
            reasoner=self.name,
            lm=self.master.lm.name if self.master else "offline",
            usage=usage,
            seconds=found.seconds,
            remarks=found.remarks,
        )
