"""What a tool is given: the graph, a way from names to nodes, its budget, and where it notes its evidence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from graphtalk.graphs import Graph, GraphSet
from graphtalk.graphs.adjacency import Ints
from graphtalk.tools.limits import Budget

if TYPE_CHECKING:
    from graphtalk.vertex import Engine, OnRound, Run


class FoundNode(Protocol):
    """A node that fits a text, and how well (0 to 1)."""

    @property
    def node(self) -> int:
        """Its index."""

    @property
    def score(self) -> float:
        """How well it fits."""


class NodeFinder(Protocol):
    """From what people write to nodes."""

    def named(self, text: str, node_types: Sequence[str] = ()) -> int | None:
        """The node of these types that is called `text`, or has that id; None where none is."""

    def find(self, text: str, node_types: Sequence[str] = ()) -> int:
        """The node that fits `text` best; of these node types where any of theirs fits.

        Raises ToolError, naming the nearest, where none is near enough.
        """

    def near_in_meaning(self, text: str, node_types: Sequence[str] = ()) -> FoundNode | None:
        """The node whose name is nearest in meaning to some words, of these types; None where none is near."""


@dataclass(frozen=True)
class Source:
    """A graph that calls may work on, with its finder."""

    graph: Graph
    finder: NodeFinder


Loaded: TypeAlias = Graph | GraphSet


class Loader(Protocol):
    """The graphs that `GL` may load, by name, and no others."""

    def names(self) -> Sequence[str]:
        """The names of all graphs that may be loaded."""

    def load(self, name: str) -> Loaded:
        """The graph or graph set of one of these names."""


@dataclass(frozen=True)
class Programs:
    """How vertex programs are run: by which engine (None: in memory), and who hears of rounds and of finished runs."""

    engine: "Engine | None" = None
    on_round: "OnRound | None" = None
    on_end: "Callable[[Run], None]" = lambda _: None


@dataclass(frozen=True)
class Note:
    """Edges that a call followed, one entry an edge, and the nodes at their ends.

    `asked` are the nodes that the call was asked about and `reached` those it came to. Where `each` is true
    an edge is evidence only for the node it reached, and otherwise for the whole result.
    Shapes: all (edges,).
    """

    asked: Ints
    reached: Ints
    relation: Ints
    edge: Ints
    each: bool

    @property
    def size(self) -> int:
        """Bytes held."""
        return self.asked.nbytes + self.reached.nbytes + self.relation.nbytes + self.edge.nbytes


@dataclass(frozen=True)
class Context:
    """Where a tool works, and where it writes down what its result rests on.

    `graphs` is the set at hand where it is one; its graph is then the union of all.
    """

    source: Source
    budget: Budget
    loader: Loader | None = None
    notes: list[Note] = field(default_factory=list)
    needed: dict[str, Ints] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    graphs: GraphSet | None = None
    programs: Programs = field(default_factory=Programs)

    @property
    def graph(self) -> Graph:
        """The graph at hand."""
        return self.source.graph

    def followed(self, note: Note) -> None:
        """Note edges that were followed."""
        self.notes.append(note)

    def rests_on(self, parameter: str, nodes: Ints) -> None:
        """Say that of an argument only these nodes matter to the result."""
        self.needed[parameter] = np.asarray(nodes, dtype=np.int64)

    def remark(self, text: str) -> None:
        """Add a remark for whoever reads the result, such as that there were ties."""
        self.remarks.append(text)
