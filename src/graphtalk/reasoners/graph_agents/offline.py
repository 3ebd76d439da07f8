"""A graph problem in words, answered without a language model: read, recognised, run as a vertex program, summed up."""

import time
from dataclasses import dataclass, field

from graphtalk.core import JSON, CallError, UsageError
from graphtalk.reasoners.graph_agents.answers import Found
from graphtalk.reasoners.graph_agents.cards import solve_by_card
from graphtalk.reasoners.graph_agents.described import Problem
from graphtalk.reasoners.graph_agents.reading import Reading
from graphtalk.reasoners.graph_agents.solvers import solve_exactly
from graphtalk.reasoners.graph_agents.tasks import posed, understand
from graphtalk.vertex import Engine, Library, library
from graphtalk.vertex.run import OnRound


@dataclass(frozen=True)
class Solved:
    """What became of a problem. `text` says why where it was not answered; `algorithm` names the card.

    `rounds` and `messages` are None where no vertex program was run.
    """

    answered: bool
    text: str
    value: JSON = None
    algorithm: str = ""
    rounds: int | None = None
    messages: int | None = None
    seconds: float = 0.0

    @property
    def how(self) -> str:
        """Which algorithm found it, in words."""
        if not self.algorithm:
            return ""
        name = self.algorithm.replace("_", " ")
        if self.rounds is None:
            return f"By {name}."
        rounds = "1 round" if self.rounds == 1 else f"{self.rounds:,} rounds"
        messages = "1 message" if self.messages == 1 else f"{self.messages:,} messages"
        return f"By {name}, in {rounds} with {messages}."


@dataclass(frozen=True)
class OfflineMaster:
    """Solves what the grammar reads. `cards` are the programs that may be used; `engine` runs them."""

    cards: Library = field(default_factory=library)
    engine: Engine | None = None
    on_round: OnRound | None = None

    def solve(self, text: str) -> Solved:
        """The answer to a problem, or why there is none. Raises nothing for a bad text."""
        started = time.perf_counter()
        try:
            found = self.run(understand(text))
        except (UsageError, CallError) as error:
            return Solved(False, str(error), seconds=time.perf_counter() - started)
        return solved(found, time.perf_counter() - started)

    def run(self, problem: Problem) -> Found:
        """The answer to a problem that was read. Raises UsageError where there is none."""
        return solve_by_card(problem, self.cards, self.engine, self.on_round) or solve_exactly(problem)


def solve_over(master: OfflineMaster, reading: Reading) -> Solved:
    """The answer to a question about a graph that is already there."""
    started = time.perf_counter()
    try:
        found = master.run(posed(reading))
    except (UsageError, CallError) as error:
        return Solved(False, str(error), seconds=time.perf_counter() - started)
    return solved(found, time.perf_counter() - started)


def solved(found: Found, seconds: float) -> Solved:
    """What was found, as it is handed out."""
    return Solved(True, found.text, found.value, found.algorithm, found.rounds, found.messages, seconds)
