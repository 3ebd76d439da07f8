"""What a model is told before it writes an expression: the graph, the functions that can run on it, examples, rules.

What is the same for every question of a graph stands first, so that a server may keep what it has read of it. What a
question needs of its own stands beside it: of a large schema the part that it may touch, and functions of the whole graph.
"""

import re
from dataclasses import dataclass
from functools import cached_property

from graphtalk.graphs.schema import FeatureKind
from graphtalk.reasoners.graph_cot.examples import examples
from graphtalk.reasoners.outline import Outline
from graphtalk.reasoners.planner.english import split_name, stem, tokenize
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.untrusted import bordered
from graphtalk.tools import describe
from graphtalk.tools.executor import Executor
from graphtalk.tools.registry import Tool

MOST_BESIDE = 8  # functions that are told beside a question
_UNPLANNED = frozenset(
    {"GL", "Shown", "Subgraph", "Triples"}
)  # other graphs; evidence; retrieval, which decides nothing
_ORDERED: tuple[FeatureKind, ...] = ("number", "date", "datetime")
_OF_FEATURES = frozenset({"Filter", "NodeFeature"})
_OF_ORDER = frozenset({"Top", "Bottom"})
_VAGUE = frozenset(map(stem, "graph node nodes edge edges number check give given whole same find".split()))


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
                "functions": "\n".join(self._line(tool) for tool in self._core),
                "examples": bordered(examples(self.outline.graph)),
            },
        )

    def beside(self, question: str) -> str:
        """What a question needs of its own; "" where that is nothing."""
        schema = "" if self.outline.fits else f"{bordered(self.outline.about(question))}\n"
        more = "".join(f"{describe.prompt_line(tool)}\n" for tool in self._more(question))
        return schema + (f"{prompt('graph_cot_plan_more')}\n{more}" if more else "")

    @cached_property
    def _offered(self) -> list[Tool]:
        return [t for t in self.executor.registry.offered(self.executor.graph) if t.name not in _UNPLANNED]

    @cached_property
    def _core(self) -> list[Tool]:
        """The functions on nodes and bags that the features of the graph let run."""
        types = self.outline.graph.schema.node_types
        kinds = {f.kind for t in types for f in t.features if f.name != t.label}
        without = (frozenset() if kinds else _OF_FEATURES) | (
            frozenset() if kinds.intersection(_ORDERED) else _OF_ORDER
        )
        return [t for t in self._offered if t.name in glosses() and t.name not in without]

    def _line(self, tool: Tool) -> str:
        gloss = glosses()[tool.name]
        return f"{describe.signature(tool)}: {gloss}" if gloss else describe.signature(tool)

    def _more(self, question: str) -> list[Tool]:
        """Functions beyond the core that words of a question speak of, those of most words first."""
        asked = {token.stem for token in tokenize(question) if token.content} - _VAGUE
        found = []
        for tool in self._offered:
            if tool.name not in glosses():
                named = {stem(word) for name in (tool.name, *tool.aliases) for word in split_name(name)}
                words = {stem(word) for word in re.findall(r"[a-z]{5,}", tool.summary.lower())} - _VAGUE
                found.append((2 * len(asked & named) + len(asked & words), tool))
        best = sorted(found, key=lambda pair: -pair[0])[:MOST_BESIDE]
        return [tool for score, tool in best if score > 1]


def glosses() -> dict[str, str]:
    """The functions that every question may need, in the order of the registry, each with what its name does not say."""
    lines = prompt("graph_cot_plan_functions").splitlines()
    return {name: gloss.strip() for name, _, gloss in (line.partition(":") for line in lines)}
