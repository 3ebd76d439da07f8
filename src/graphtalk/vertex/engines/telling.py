"""The engine that tells: every message of a small graph, counts of a large one."""

from graphtalk.vertex.binding import Bound
from graphtalk.vertex.engine import Execution
from graphtalk.vertex.engines.memory import MemoryEngine
from graphtalk.vertex.engines.objects import ObjectExecution

MOST_NODES = 2_000  # whose rounds are run node by node in order to be told
MOST_MESSAGES = 200  # of a round that are told


class TellingEngine:
    """Runs small graphs node by node, so that every message can be told; larger ones in memory, where only counts are."""

    name = "telling"

    def start(self, bound: Bound) -> Execution:
        """Make ready to run."""
        if bound.n <= MOST_NODES:
            return ObjectExecution(bound, MOST_MESSAGES)
        return MemoryEngine().start(bound)
