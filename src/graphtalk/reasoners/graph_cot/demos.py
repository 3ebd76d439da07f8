"""Demonstrations for the paper's protocol (section 5.3, appendix E.3): three solved questions before the one asked.

Those of GRBench's five domains are text files beside this one, with entities that we made up. For any other graph
three are made of the graph at hand, by running the calls that they show.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from graphtalk.calls import Text, find_calls
from graphtalk.core import UsageError, choices
from graphtalk.graphs import Graph, GraphSet, Schema
from graphtalk.reasoners.graph_cot.derived import derived
from graphtalk.reasoners.prompting import fill
from graphtalk.tools.executor import Executor
from graphtalk.tools.names import same_name
from graphtalk.tools.registry import default_registry

DOMAINS = ("academic", "ecommerce", "literature", "healthcare", "legal")
AUTO, NONE = "auto", "none"
CHOICES = (AUTO, NONE, *DOMAINS)


@dataclass(frozen=True)
class Domain:
    """The demonstrations of one domain, and the node types, features and relations that they speak of."""

    name: str
    text: str
    node_types: tuple[str, ...]
    features: frozenset[str]
    relations: frozenset[str]

    def fits(self, schema: Schema) -> bool:
        """Whether a graph has all that the demonstrations use, so that every call in them could be made there."""
        types = [t.name for t in schema.node_types]
        features = {f.name for t in schema.node_types for f in t.features}
        return (
            all(same_name(name, types) for name in self.node_types)
            and all(same_name(name, features) for name in self.features)
            and all(same_name(name, schema.relation_names) for name in self.relations)
        )


def demonstrations(executor: Executor, choice: str = AUTO, count: int | None = None) -> str:
    """The first `count` demonstrations for a graph, or all, an empty line between two.

    `auto` takes those of the domain whose schema the graph has, or makes them of the graph; a domain's name takes
    those whatever the graph is; `none` (zero-shot) gives an empty text. Raises UsageError for another choice.
    """
    shown = _all(executor, choice).split("\n\n")
    return "\n\n".join(shown[:count])


def _all(executor: Executor, choice: str) -> str:
    if choice == NONE:
        return ""
    if choice in DOMAINS:
        return domain(choice).text
    if choice != AUTO:
        raise UsageError(f"No demonstrations {choice!r}. {choices(choice, CHOICES, len(CHOICES))}")
    graph = executor.graph
    schema = graph.union.schema if isinstance(graph, GraphSet) else graph.schema
    for name in DOMAINS:
        if domain(name).fits(schema):
            return domain(name).text
    return derived(executor, graph) if isinstance(graph, Graph) else ""


@cache
def domain(name: str) -> Domain:
    """The demonstrations of one of DOMAINS.

    The file's first paragraph has the node types, and the description that stands for `{graph definition}`.
    """
    whole = files(__package__).joinpath("demonstrations", f"{name}.txt").read_text(encoding="utf-8")
    head, _, shown = whole.rstrip("\n").partition("\n\n")
    types, _, definition = head.partition("\n")
    text = fill(shown, {"graph definition": definition})
    return Domain(
        name,
        text,
        tuple(types.removeprefix("Node types: ").split(", ")),
        frozenset(_used(text, ("NodeFeature",))),
        frozenset(_used(text, ("NodeDegree", "NeighbourCheck"))),
    )


def _used(text: str, functions: tuple[str, ...]) -> Iterator[str]:
    """The second arguments of the calls of these functions: features, or neighbour types."""
    for line in text.splitlines():
        if not line.startswith("Action "):
            continue
        for found in find_calls(line, default_registry().vocabulary):
            name = found.call.arguments[-1]
            if found.call.function in functions and isinstance(name, Text):
                yield name.value
