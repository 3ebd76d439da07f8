"""What a model is told of a result: short enough for a limited context, and in one line.

Text of the graph is data: it cannot begin a line of the protocol, because line breaks in it become blanks.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from graphtalk.calls.ast import Call, NodeRef, Number, Text, walk
from graphtalk.calls.lexer import quote
from graphtalk.core import Observation
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.reasoners.untrusted import one_line
from graphtalk.tools.executor import Result
from graphtalk.tools.finder import NodeIndex
from graphtalk.tools.names import same_name
from graphtalk.tools.trail import Ran
from graphtalk.tools.values import Bag, Table, Value, ids, show

RETRIEVE = "RetrieveNode"
_MOST_NAME = 80  # letters of a name that is said


@dataclass(frozen=True)
class Observer:
    """Words for results. `by_id` shows nodes as the paper does, by their ids, and else by their names.

    Of longer results `entries` are shown, with how many there are and how to narrow them; a text is cut after
    `letters`.
    """

    by_id: bool = False
    entries: int = 20
    letters: int = 1_000

    def see(self, result: Result, call: Call | None = None, index: NodeIndex | None = None) -> Observation:
        """What came of a call. With an index it is said where a name in it is that of several nodes, or of none."""
        text = self._text(result.value, result)
        notes = [one_line(remark, self.letters) for remark in result.remarks]
        guessed = [] if index is None or call is None else guesses(result, call, index)
        notes += guessed if index is None else [*guessed, *namesakes(result, index)]
        return Observation(" ".join([text, *notes]), guessed=bool(guessed))

    def _text(self, value: Value, result: Result) -> str:
        graph = result.graph
        entries = len(value) if isinstance(value, Bag | Table | ResultSet | list) else None
        if entries == 0:
            return "[] (nothing was found)"
        if isinstance(value, Bag) and self.by_id:
            return self._ids(value, result)
        shown = one_line(show(value, graph, self.entries, quoted=entries is not None), self.letters)
        if entries is not None and entries > self.entries:
            return f"{entries:,} entries, the first {self.entries}: {shown} {_narrow(result)}"
        return shown

    def _ids(self, bag: Bag, result: Result) -> str:
        nodes = [one_line(name, 200) for name in ids(result.graph, bag.nodes[: self.entries])]
        if _function_of(result.trail) == RETRIEVE and len(bag) == 1:
            return f"The ID of this node is {nodes[0]}."
        listed = f"[{', '.join(repr(node) for node in nodes)}]"
        if len(bag) <= self.entries:
            return listed
        return f"{len(bag):,} nodes, the first {self.entries}: {listed} {_narrow(result)}"


def namesakes(result: Result, index: NodeIndex) -> list[str]:
    """What is to be said of names in a call that several nodes have: which there are, and which was taken."""
    said: dict[str, None] = {}
    for ran, node in _looked_up(result):
        graph, name = ran.graph, ran.graph.label(node)
        types = [graph.node_type(other).name for other in index.exact(name)]
        own = graph.node_type(node).name
        alike = len(types) > 1 and (_function_of(ran) == RETRIEVE or types.count(own) > 1)
        if alike and quote(name).casefold() in ran.spelling.casefold():
            kinds = ", ".join(f"{types.count(t)} of type {t}" for t in dict.fromkeys(types))
            node_id = one_line(graph.id(node), _MOST_NAME)
            said[
                f"({len(types)} nodes are called {one_line(name, _MOST_NAME)!r}: {kinds}. "
                f"Taken was the {own} with the id {node_id}.)"
            ] = None
    return list(said)


def guesses(result: Result, call: Call, index: NodeIndex) -> list[str]:
    """What is to be said of nodes that were taken though nothing in a call is their name or id."""
    types = [t.name for t in result.graph.schema.node_types]
    texts = list(_texts(call))
    written = texts + [t.rpartition(",")[0] for t in texts if same_name(t.rpartition(",")[2].strip(), types)]
    named = {node for text in written for node in index.exact(text)}
    ids = {text.rpartition("#")[2].strip() for text in written} | set(written)
    said: dict[str, None] = {}
    for ran, node in _looked_up(result):
        if node not in named and ran.graph.id(node) not in ids:
            taken = f"the {ran.graph.node_type(node).name} {one_line(ran.graph.label(node), _MOST_NAME)!r}"
            said[f"(Nothing is called quite so; taken was what is written most like it, {taken}.)"] = None
    return list(said)


def _looked_up(result: Result) -> Iterator[tuple[Ran, int]]:
    """The nodes that were looked up for a text in a call, each with the call."""
    for ran in result.trail.inside():
        bags = (
            [ran.value]
            if _function_of(ran) == RETRIEVE
            else [i.value for i in ran.inputs if i.origin is None]
        )
        for bag in bags:
            if isinstance(bag, Bag):
                yield from ((ran, node) for node in bag.nodes.tolist())


def _texts(call: Call) -> Iterator[str]:
    """The literals in a call that may name nodes."""
    for part in walk(call):
        if isinstance(part, NodeRef):
            yield part.id
        elif isinstance(part, Text | Number):
            yield str(part.value)


def _function_of(ran: Ran) -> str:
    return ran.spelling.partition("[")[0]


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
