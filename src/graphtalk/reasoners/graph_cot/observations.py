"""What a model is told of a result: short enough for a limited context, and in one line.

Text of the graph is data: it cannot begin a line of the protocol, because line breaks in it become blanks.
"""

from dataclasses import dataclass

from graphtalk.core import Observation
from graphtalk.reasoners.untrusted import one_line
from graphtalk.tools.executor import Result
from graphtalk.tools.values import Bag, Table, Value, ids, show


@dataclass(frozen=True)
class Observer:
    """Words for results. `by_id` shows nodes as the paper does, by their ids, and else by their names.

    Of longer results `entries` are shown, with how many there are and how to narrow them; a text is cut after
    `letters`.
    """

    by_id: bool = False
    entries: int = 20
    letters: int = 1_000

    def see(self, result: Result) -> Observation:
        """What came of a call."""
        text = self._text(result.value, result)
        notes = [one_line(remark, self.letters) for remark in result.remarks]
        return Observation(" ".join([text, *notes]))

    def _text(self, value: Value, result: Result) -> str:
        graph = result.graph
        if isinstance(value, Bag | Table | list) and len(value) == 0:
            return "[] (nothing was found)"
        if isinstance(value, Bag) and self.by_id:
            return self._ids(value, result)
        shown = one_line(show(value, graph, self.entries), self.letters)
        if isinstance(value, Bag | Table | list) and len(value) > self.entries:
            return f"{len(value):,} entries, the first {self.entries}: {shown} {_narrow(result)}"
        return shown

    def _ids(self, bag: Bag, result: Result) -> str:
        nodes = [one_line(name, 200) for name in ids(result.graph, bag.nodes[: self.entries])]
        if _function(result) == "RetrieveNode" and len(bag) == 1:
            return f"The ID of this node is {nodes[0]}."
        listed = f"[{', '.join(repr(node) for node in nodes)}]"
        if len(bag) <= self.entries:
            return listed
        return f"{len(bag):,} nodes, the first {self.entries}: {listed} {_narrow(result)}"


def _function(result: Result) -> str:
    return result.trail.spelling.partition("[")[0]


def _narrow(result: Result) -> str:
    call = one_line(result.trail.spelling, 200)
    if isinstance(result.value, Bag):
        return (
            f"(to narrow: Intersect[{call}, …] with another bag, Filter[{call}, feature, comparison, value],"
            f" Count[{call}], MostFrequent[{call}])"
        )
    return f"(to narrow: Count[{call}], MostFrequent[{call}])"


def failed(message: str, most: int = 600) -> Observation:
    """What went wrong, in one line."""
    return Observation(one_line(message, most), error=True)
