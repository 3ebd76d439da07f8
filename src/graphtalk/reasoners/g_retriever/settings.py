"""What a frozen model is given in the settings of the paper's table 3 (appendix B.2), by their names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graphtalk.calls.ast import Call, Number, Text
from graphtalk.search.subgraph import Options

Knowledge = Literal["none", "whole", "triples", "subgraph"]
Style = Literal["plain", "think", "build", "list"]
TRIPLES = 10  # of KAPING, as many as in its paper
LISTING = "g-retriever-list"  # the setting in which answers list what supports them


@dataclass(frozen=True)
class Setting:
    """Which part of the graph a model is told, and how it is asked: plainly, step by step, to build a graph
    first, or to list what supports the answer (section 6.4)."""

    name: str
    knowledge: Knowledge
    style: Style = "plain"

    def call(self, question: str, options: Options) -> Call | None:
        """The call that gives the part of the graph; none where the model is told nothing."""
        asked = Text(question)
        if self.knowledge == "none":
            return None
        if self.knowledge == "triples":
            return Call("Triples", (asked, Number(TRIPLES)))
        if self.knowledge == "whole":
            return Call("Subgraph", (asked, Number(0), Number(0)))
        given = (Number(options.nodes), Number(options.edges), Number(options.edge_cost))
        return Call("Subgraph", (asked, *given, Text(options.rule)))


SETTINGS: Mapping[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting("g-retriever", "subgraph"),
        Setting(LISTING, "subgraph", "list"),
        Setting("question-only", "none"),
        Setting("zero-shot", "whole"),
        Setting("zero-cot", "whole", "think"),
        Setting("cot-bag", "whole", "build"),
        Setting("kaping", "triples"),
    )
}
