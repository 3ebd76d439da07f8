"""Tools and where they are registered. A tool is a typed, documented function under `@tool`.

    @tool("NeighbourCheck", toolformer="graph:neighbours", gives=reached_nodes)
    def neighbour_check(at: Context, node: Bag, neighbor_type: RelationName) -> Bag:
        \"\"\"The neighbours of a node, or of all nodes in a bag.

        node: where to start
        neighbor_type: which neighbours
        \"\"\"

Its schema, its prompt line and its help are derived from this (see `describe`). A registry knows where tools
are, and imports their modules when they are asked for. A plugin registers as the built-in tools do: it has a
function `register(add)` and names it under the entry point group `graphtalk.tools`.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TypeAlias, get_args

from graphtalk.calls.vocabulary import Function, Vocabulary
from graphtalk.core import CheckError, choices
from graphtalk.core.plugins import registered
from graphtalk.graphs import Graph, GraphSet
from graphtalk.tools.types import (
    ANY,
    BOOLEAN,
    GRAPH,
    NUMBER,
    TEXT,
    Comparison,
    EdgeFeatureName,
    FeatureName,
    Links,
    Names,
    Node,
    NodeTypeName,
    Numbers,
    Ordered,
    ParameterKind,
    RelationName,
    Rule,
    Site,
    Type,
    node_table,
    same_nodes,
)
from graphtalk.tools.values import Bag, Entries, Record, Scalar, Table, Value

GROUP = "graphtalk.tools"
Add: TypeAlias = Callable[[str, str], None]

_PARAMETER_KINDS: dict[object, ParameterKind] = {
    Bag: "nodes",
    Table: "table",
    Node: "node",
    RelationName: "relation",
    NodeTypeName: "node type",
    FeatureName: "feature",
    EdgeFeatureName: "edge feature",
    Comparison: "comparison",
    float: "number",
    int: "whole number",
    str: "text",
    bool: "boolean",
    Numbers: "numbers",
    Ordered: "ordered",
    Names: "names",
    Links: "links",
    Scalar: "scalar",
    Entries: "bag or list",
    Value: "entries",
}


def _always(t: Type) -> Rule:
    def rule(site: Site) -> Type:
        return t

    return rule


_RESULT_RULES: dict[object, Rule] = {
    Bag: same_nodes,
    Table: node_table,
    Record: _always(Type("record")),
    Graph: _always(GRAPH),
    float: _always(NUMBER),
    int: _always(NUMBER),
    int | float: _always(NUMBER),
    str: _always(TEXT),
    bool: _always(BOOLEAN),
}


Missing: TypeAlias = Callable[[Graph | GraphSet | None], str]


def _nothing(graph: Graph | GraphSet | None) -> str:
    return ""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a tool; `default` means something only where it is not `required`."""

    name: str
    kind: ParameterKind
    description: str
    required: bool = True
    default: Scalar | None = None


@dataclass(frozen=True)
class Tool:
    """A function that a call can name. `gives` says the type of its result from those of its arguments.

    Where `on_sets`, it works on a set of graphs (`Context.graphs`) as well as on one. `missing` says why it cannot run
    on a graph (None: on any), such as that a package is not installed; it says nothing where it can. `called` has what
    parameters may be called besides, each with the parameter.
    """

    name: str
    toolformer: str
    aliases: tuple[str, ...]
    function: Callable[..., Value]
    parameters: tuple[Parameter, ...]
    summary: str
    gives: Rule
    free_text: bool = False
    on_sets: bool = False
    missing: Missing = _nothing
    called: tuple[tuple[str, str], ...] = ()

    @property
    def vocabulary(self) -> Function:
        """What the call language must know of this tool."""
        aliases = [*self.aliases, *map(snake, (self.name, *self.aliases))]
        parameters = tuple(p.name for p in self.parameters)
        return Function(self.name, self.toolformer, parameters, tuple(aliases), self.free_text, self.called)

    def parameter(self, name: str) -> Parameter:
        """The parameter of that name, hyphens and underscores being one. Raises CheckError."""
        own = self.vocabulary.parameter(name)
        for parameter in self.parameters:
            if parameter.name == own:
                return parameter
        valid = [p.name for p in self.parameters]
        raise CheckError(f"{self.name} has no parameter {name!r}. {choices(name, valid)}")


def tool(
    name: str,
    toolformer: str = "",
    aliases: tuple[str, ...] = (),
    gives: Rule | None = None,
    free_text: bool = False,
    on_sets: bool = False,
    missing: Missing = _nothing,
    called: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[Callable[..., Value]], Tool]:
    """Make a tool of a function whose first parameter is a Context.

    `toolformer` is its name as `domain:function`. `gives` is needed only where the annotation of the result
    does not say its type (a bag is taken to hold nodes of the first bag given). Where `free_text`, the first
    argument may be written without quotes, commas and all. See `Tool` for
    `on_sets`, `missing` and `called`.
    """

    def wrap(function: Callable[..., Value]) -> Tool:
        signature = inspect.signature(function)
        summary, described = _read_docstring(inspect.getdoc(function) or "")
        parameters = tuple(
            _parameter(p, described.get(p.name, "")) for p in list(signature.parameters.values())[1:]
        )
        rule = gives or _RESULT_RULES.get(signature.return_annotation, _always(ANY))
        names = (name, toolformer or snake(name), aliases)
        return Tool(
            *names, function, parameters, summary, rule, free_text, on_sets, missing, tuple(called.items())
        )

    return wrap


def snake(name: str) -> str:
    """`NeighbourCheck` as `neighbour_check`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _parameter(parameter: inspect.Parameter, description: str) -> Parameter:
    annotation = parameter.annotation
    if annotation not in _PARAMETER_KINDS:  # `X | None` of an optional parameter
        annotation = next(part for part in get_args(annotation) if part is not type(None))
    required = parameter.default is inspect.Parameter.empty
    kind = _PARAMETER_KINDS[annotation]
    return Parameter(parameter.name, kind, description, required, None if required else parameter.default)


def _read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """The summary, and the description of each parameter from lines `name: what it is`."""
    summary, _, rest = text.partition("\n\n")
    described: dict[str, str] = {}
    last = ""
    for line in rest.splitlines():
        found = re.match(r"(\w+): (.+)", line)
        if found:
            last = found[1]
            described[last] = found[2].strip()
        elif last and line.startswith(" "):
            described[last] += " " + line.strip()
        else:
            last = ""
    return " ".join(summary.split()), described


@dataclass
class Registry(Mapping[str, Tool]):
    """Tools by canonical name, in the order of their registration. Listing the names imports nothing."""

    places: dict[str, str] = field(default_factory=dict)
    _loaded: dict[str, Tool] = field(default_factory=dict)

    def add(self, name: str, place: str) -> None:
        """Register the tool `name`, which is found at `place`: `package.module:attribute`.

        Raises CheckError where a tool of that name stands somewhere else.
        """
        if self.places.get(name, place) != place:
            raise CheckError(f"Two tools are called {name!r}: {self.places[name]} and {place}.")
        self.places[name] = place
        self.__dict__.pop("vocabulary", None)

    def __getitem__(self, name: str) -> Tool:
        """The tool of that canonical name, imported when first asked for."""
        if name not in self._loaded:
            module, _, attribute = self.places[name].partition(":")
            self._loaded[name] = getattr(import_module(module), attribute)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """What the spellings must know of all tools."""
        return Vocabulary.of(t.vocabulary for t in self.values())

    def offered(self, graph: Graph | GraphSet | None = None) -> list[Tool]:
        """The tools that can run on a graph (None: on some graph): those that models and people are told of."""
        return [each for each in self.values() if not each.missing(graph)]

    def find(self, name: str) -> Tool:
        """The tool called `name` in any spelling. Raises CheckError with the valid names."""
        if name in self.places:
            return self[name]
        function = self.vocabulary.find(name)
        if function is None or function.name not in self.places:  # such as Finish, which every vocabulary has
            raise CheckError(f"No function {name!r}. {choices(name, self._names_like(name))}")
        return self[function.name]

    def _names_like(self, name: str) -> list[str]:
        domain = name.partition(":")[0] if ":" in name else ""
        toolformer = [t.toolformer for t in self.values() if t.toolformer.startswith(f"{domain}:")]
        return toolformer if domain and toolformer else list(self)


@cache
def default_registry() -> Registry:
    """The built-in tools and those of installed plugins."""
    from graphtalk.tools.builtin import register

    registry = Registry()
    register(registry.add)
    registered(GROUP, registry.add)
    return registry
