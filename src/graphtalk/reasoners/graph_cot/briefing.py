"""What a model is told before it writes an expression: the graph, the functions that can run on it, examples, rules.

What is the same for every question of a graph stands first, so that a server may keep what it has read of it. What a
question needs of its own stands beside it: of a large schema the part that it may touch, and functions of the whole graph.
"""

from dataclasses import dataclass
from functools import cached_property

from graphtalk.reasoners.functions import core, glosses, spoken_of
from graphtalk.reasoners.graph_cot.examples import examples
from graphtalk.reasoners.outline import Outline
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.untrusted import bordered
from graphtalk.tools import describe
from graphtalk.tools.executor import Executor
from graphtalk.tools.registry import Tool

_UNPLANNED = frozenset(
    {"GL", "Shown", "Subgraph", "Triples"}
)  # other graphs; evidence; retrieval, which decides nothing


@dataclass(frozen=True)
class Briefing:
    """What is told of the graph of an executor."""

    executor: Executor
    outline: Outline

    @cached_property
    def told(self) -> str:
        """What is the same for every question."""
        outline = (
            self.outline.whole
            if self.outline.fits
            else f"{self.outline.named}\n{prompt('graph_cot_plan_large')}"
        )
        return fill(
            prompt("graph_cot_plan"),
            {
                "outline": bordered(outline),
                "functions": "\n".join(self._line(tool) for tool in self._told),
                "examples": bordered(examples(self.outline.graph)),
            },
        )

    def beside(self, question: str) -> str:
        """What a question needs of its own; "" where that is nothing."""
        schema = "" if self.outline.fits else f"{bordered(self.outline.about(question))}\n"
        more = "".join(f"{describe.prompt_line(tool)}\n" for tool in spoken_of(question, self._others))
        return schema + (f"{prompt('graph_cot_plan_more')}\n{more}" if more else "")

    @cached_property
    def _offered(self) -> list[Tool]:
        return [t for t in self.executor.registry.offered(self.executor.graph) if t.name not in _UNPLANNED]

    @cached_property
    def _told(self) -> list[Tool]:
        return core(self._offered, self.outline.graph.schema)

    @cached_property
    def _others(self) -> list[Tool]:
        return [tool for tool in self._offered if tool.name not in glosses()]

    def _line(self, tool: Tool) -> str:
        gloss = glosses()[tool.name]
        return f"{describe.signature(tool)}: {gloss}" if gloss else describe.signature(tool)
