"""A graph problem in words, answered without a language model: read, recognised, solved by calls, summed up."""

from dataclasses import dataclass, field, replace

from graphtalk.core import CallError, UsageError
from graphtalk.reasoners.graph_agents.described import Problem
from graphtalk.reasoners.graph_agents.process_reading import process_of, tells_rule
from graphtalk.reasoners.graph_agents.processes import Process
from graphtalk.reasoners.graph_agents.reading import ReadProblem
from graphtalk.reasoners.graph_agents.solving import Solved, Solver, timed
from graphtalk.reasoners.graph_agents.tasks import posed, understand
from graphtalk.tools.context import Programs
from graphtalk.tools.executor import Executor
from graphtalk.vertex import Library, library

_ROUND_BY_ROUND = frozenset({"graph_convolution", "maximum_flow"})  # layers; what flows every second
_WITHOUT_DIRECTION = frozenset({"spanning_tree", "matching", "shortest_path"})


def understood(text: str) -> Problem | Process:
    """The process that a text tells, else the problem that it poses. Raises UsageError where it poses none that can be read.

    A text with a rule by which nodes act, round after round, is no other problem.
    """
    process = process_of(text)
    if process is not None:
        return process
    problem = understand(text)
    if tells_rule(text) and problem.task not in _ROUND_BY_ROUND:
        raise UsageError(
            f"The text says what happens round after round, which was not read whole; {problem.task.replace('_', ' ')} is another "
            "problem. A model may design an algorithm: --lm."
        )
    return problem


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
        return timed(lambda: self.run(understood(text)))

    def run(self, problem: Problem | Process) -> Solved:
        """The answer to a problem that was read. Raises UsageError where there is none."""
        if isinstance(problem, Process):
            return problem.solve(self.programs)
        found = Solver(self.cards, self.programs, self.executor).solve(problem)
        if problem.described.unclear:
            self._check_same(problem, found)
        return found

    def _check_same(self, problem: Problem, found: Solved) -> None:
        """Raise UsageError where a direction of edges would change the answer, and the text does not say whether there is one."""
        one_way = replace(problem, described=replace(problem.described, directed=True, unclear=False))
        try:
            same = self.run(one_way).value == found.value
        except (UsageError, CallError):
            same = problem.task in _WITHOUT_DIRECTION
        if not same:
            raise UsageError("The text does not say whether edges lead one way, and that changes the answer: say that the graph is directed, or undirected.")  # fmt: skip

    def solve_over(self, reading: ReadProblem) -> Solved:
        """The answer to a question about a graph that is already there."""
        return timed(lambda: self.run(posed(reading)))
