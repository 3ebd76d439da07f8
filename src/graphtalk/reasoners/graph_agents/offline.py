"""A graph problem in words, answered without a language model: read, recognised, solved by calls, summed up."""

from dataclasses import dataclass, field

from graphtalk.reasoners.graph_agents.described import Problem
from graphtalk.reasoners.graph_agents.reading import Reading
from graphtalk.reasoners.graph_agents.solving import Solved, Solver, timed
from graphtalk.reasoners.graph_agents.tasks import posed, understand
from graphtalk.tools.context import Programs
from graphtalk.tools.executor import Executor
from graphtalk.vertex import Library, library


@dataclass(frozen=True)
class OfflineMaster:
    """Solves what the grammar reads. `cards` are the programs that may be used; `programs` says how they are run.

    `executor` is that of a stored graph, for questions about it.
    """

    cards: Library = field(default_factory=library)
    programs: Programs = field(default_factory=Programs)
    executor: Executor | None = None

    def solve(self, text: str) -> Solved:
        """The answer to a problem, or why there is none. Raises nothing for a bad text."""
        return timed(lambda: self.run(understand(text)))

    def run(self, problem: Problem) -> Solved:
        """The answer to a problem that was read. Raises UsageError where there is none."""
        return Solver(self.cards, self.programs, self.executor).solve(problem)

    def solve_over(self, reading: Reading) -> Solved:
        """The answer to a question about a graph that is already there."""
        return timed(lambda: self.run(posed(reading)))
