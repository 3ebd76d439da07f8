"""A stored graph as the master is told of it: its relations with their directions, and parts of it by relation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphtalk.calls import Call, Items, Text
from graphtalk.core import CheckError, choices
from graphtalk.graphs import Graph
from graphtalk.reasoners.graph_agents.described import Described
from graphtalk.reasoners.outline import Outline
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.untrusted import bordered
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor
from graphtalk.tools.loading import part_of
from graphtalk.tools.types import Links, Names


@dataclass(frozen=True)
class Stored:
    """The whole graph that is stored. `index` finds the nodes that a question names (None: none are found)."""

    whole: Described
    graph: Graph
    index: Index | None = None

    @classmethod
    def of(cls, described: Described, executor: Executor | None) -> "Stored | None":
        """None where the graph stands in the text of the problem."""
        if described.stored is None or executor is None:
            return None
        index = executor.index if isinstance(executor.index, Index) else None
        return cls(described, described.stored, index)

    def told(self, question: str) -> str:
        """What the master is told of the graph; of a large schema the part that the question may touch."""
        outline = Outline(self.graph, self.index)
        values = {
            "nodes": f"{self.graph.num_nodes:,}",
            "edges": f"{self.graph.num_edges:,}",
            "outline": bordered(outline.whole if outline.fits else outline.about(question)),
        }
        return fill(prompt("graph_agents_stored"), values)

    def within(self, arguments: Mapping[str, Any]) -> Described:
        """The edges of the relations that Build_Graph names, and the nodes of the types that they join; without any, all.

        Raises CheckError for a relation that the graph lacks.
        """
        asked = arguments.get("Relations") or []
        wanted = [str(name) for name in (asked if isinstance(asked, list) else [asked])]
        if not wanted:
            return self.whole
        relations = self.graph.schema.relations
        called = {name: r.name for r in relations for name in (r.back, r.name)}
        unknown = next((name for name in wanted if name not in called), None)
        if unknown is not None:
            raise CheckError(f"There is no relation {unknown!r}. {choices(unknown, called)}")
        names = tuple(dict.fromkeys(called[name] for name in wanted))
        types = tuple(
            dict.fromkeys(end for r in relations if r.name in names for end in (r.source, r.target))
        )
        parts = (Items(tuple(map(Text, types))), Items(tuple(map(Text, names))))
        return Described.of(
            part_of(self.graph, Names(types), Links(names)), Call("GL", (Text("graph"), *parts))
        )
