"""The type checker: the type of a call from the signatures of tools and the schema, before anything runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, get_args

from graphtalk.calls import show
from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Number, Text, parts
from graphtalk.calls.query import as_query, calls_in, query_call, with_parameters
from graphtalk.core import JSON, CheckError, choices
from graphtalk.graphs import Schema
from graphtalk.tools.names import same_name
from graphtalk.tools.queries import QUERY, type_of
from graphtalk.tools.registry import Parameter, Registry, Tool
from graphtalk.tools.types import BOOLEAN, NUMBER, TEXT, Comparison, Site, Type, feature_kind
from graphtalk.tools.values import as_number

if TYPE_CHECKING:
    from graphtalk.engines.binding import Bound

Literal: TypeAlias = Text | Number | Boolean | NodeRef | Items
_COMPARISONS: dict[str, str] = {c: c for c in get_args(Comparison)} | {
    "==": "=",
    "<>": "!=",
    "≤": "<=",
    "≥": ">=",
}
NAMED = ("relation", "feature", "edge feature", "node type", "comparison")
NODES = ("nodes", "node", "bag or list", "entries")  # of these kinds a literal names nodes


@dataclass(frozen=True, eq=False)
class Checked:
    """A call that may be run: its tool, its type, and its arguments in the order of the parameters.

    An argument is a checked call, a literal, or the text of a name as the schema has it. Literal nodes of the
    first bag must have one of the node types `among` (none: any). `graph` is the call that gives the graph,
    which calls inside inherit; None for the graph at hand.

    A query has no tool: `query` is it, with the names of the schema, and `calls` are the other calls in it, checked.
    """

    tool: Tool | None
    arguments: "tuple[tuple[Parameter, Checked | Literal], ...]"
    type: Type
    among: tuple[str, ...] = ()
    graph: "Checked | None" = None
    query: "Bound | None" = None
    calls: "tuple[tuple[Call, Checked], ...]" = ()

    @cached_property
    def call(self) -> Call:
        """The call by canonical names, arguments by position up to the first that is left out."""
        graph = self.graph.call if self.graph else None
        return replace(self._inside, graph=graph)

    @cached_property
    def _inside(self) -> Call:
        """The call as it stands inside another on the same graph."""
        if self.query is not None:
            return query_call(self.query.query)
        assert self.tool is not None
        plain = [(p.name, self._plain(a)) for p, a in self.arguments]
        names = [p.name for p in self.tool.parameters]
        placed = next((i for i, (name, _) in enumerate(plain) if name != names[i]), len(plain))
        return Call(self.tool.name, tuple(a for _, a in plain[:placed]), tuple(plain[placed:]))

    def _plain(self, argument: "Checked | Literal") -> Expression:
        if not isinstance(argument, Checked):
            return argument
        return argument._inside if argument.graph is self.graph else argument.call

    def with_parameters(self, values: Mapping[str, JSON]) -> Callable[[], str]:
        """What writes the canonical call of a query with values for its parameters."""
        assert self.query is not None
        query = self.query.query
        return lambda: show(query_call(with_parameters(query, values)), "cypher")

    @cached_property
    def spelling(self) -> str:
        """The canonical call: a query of the graph at hand in Cypher, all else in the spelling of Graph-CoT."""
        return show(self.call, "cypher" if self.query is not None and self.graph is None else "graph-cot")


def bind(call: Call, tool: Tool) -> list[tuple[Parameter, Expression]]:
    """Each argument with its parameter, in the order of the parameters.

    Raises CheckError where there are too many, one is missing, or a name is unknown.
    """
    wanted = ", ".join(p.name if p.required else f"{p.name}?" for p in tool.parameters)
    if len(call.arguments) > len(tool.parameters):
        raise CheckError(
            f"{tool.name}[{wanted}] takes at most {len(tool.parameters)} arguments; "
            f"{len(call.arguments)} were given."
        )
    given = {p.name: argument for p, argument in zip(tool.parameters, call.arguments, strict=False)}
    for name, argument in call.keywords:
        parameter = tool.parameter(name)
        if parameter.name in given:
            raise CheckError(f"{tool.name} is given {parameter.name!r} twice.")
        given[parameter.name] = argument
    missing = [p.name for p in tool.parameters if p.required and p.name not in given]
    if missing:
        raise CheckError(f"{tool.name}[{wanted}] needs {missing[0]!r}.")
    return [(p, given[p.name]) for p in tool.parameters if p.name in given]


SchemaOf: TypeAlias = Callable[[Checked], Schema]


def check(call: Call, schema: Schema, registry: Registry, schema_of: SchemaOf | None = None) -> Type:
    """The type of a call on a graph with this schema. Raises CheckError with the valid choices.

    `schema_of` gives the schema of the graph that `GL(…)` loads; without it such a call is refused.
    """
    return Checker(registry, schema_of).check(call, schema).type


def refuse_deep(call: Call, most: int) -> None:
    """Raise CheckError where calls and lists nest deeper than `most`. Does not recurse."""
    layer: list[Expression] = [call]
    for _ in range(most):
        layer = [inner for outer in layer for inner in parts(outer)]
        if not layer:
            return
    raise CheckError(f"Calls nest deeper than {most} levels.")


def literal_name(expression: Expression) -> str | None:
    """The name that a literal gives for a relation, a feature, a node type or a comparison."""
    if isinstance(expression, Text):
        return expression.value
    return expression.id if isinstance(expression, NodeRef) else None


def resolve_name(schema: Schema, parameter: Parameter, name: str, types: tuple[str, ...]) -> str:
    """The name in the schema that is meant. Raises CheckError with those that the node types have."""
    if parameter.kind == "node type":
        return _one_of(name, [t.name for t in schema.node_types], "No node type {}.")
    if parameter.kind == "comparison":
        return _COMPARISONS[_one_of(name, list(_COMPARISONS), "No comparison {}.")]
    if parameter.kind == "edge feature":
        return _one_of(
            name, [f.name for r in schema.relations for f in r.features], "Edges have no feature {}."
        )
    if any(_has(schema, t, parameter.kind, name) for t in types):
        return name
    what = " or ".join(types[:4]) + (" …" if len(types) > 4 else "")
    if parameter.kind == "feature":
        features = [f.name for t in types for f in schema.node_type(t).features]
        return _one_of(name, [*features, "id"], f"{what} nodes have no feature {{}}.", shown=features)
    relations = [view for t in types for view in schema.views_from(t)]
    return _one_of(name, relations, f"{what} nodes have no neighbour type {{}}.")


def _one_of(name: str, valid: list[str], message: str, shown: list[str] | None = None) -> str:
    found = same_name(name, dict.fromkeys(valid))
    if found is None:
        raise CheckError(f"{message.format(repr(name))} {choices(name, valid if shown is None else shown)}")
    return found


@dataclass(frozen=True)
class Checker:
    """Checks calls against the signatures in a registry. Nesting deeper than `depth` is refused."""

    registry: Registry
    schema_of: SchemaOf | None = None
    depth: int = 64

    def check(self, call: Call, schema: Schema) -> Checked:
        """The call made ready to run on a graph with this schema. Raises CheckError."""
        refuse_deep(call, self.depth)
        return self._call(call, schema, None)

    def _call(self, call: Call, schema: Schema, graph: Checked | None) -> Checked:
        if call.graph is not None:
            graph, schema = self._graph(call.graph, schema)
        if call.function == QUERY:
            return self._query(call, schema, graph)
        tool = self.registry.find(call.function)
        given = bind(call, tool)
        types: dict[str, Type] = {}
        arguments: dict[str, Checked | Literal] = {}
        for parameter, argument in given:
            if parameter.kind not in NAMED:
                arguments[parameter.name], types[parameter.name] = self._value(
                    tool, parameter, argument, schema, graph
                )
        subject = next((p.name for p, _ in given if p.kind in ("nodes", "node")), None)
        names = self._names(tool, given, schema, types, subject)
        arguments |= {name: Text(text) for name, text in names.items()}
        among = types[subject].node_types if subject and len(names) else ()
        texts = {p.name: a.value for p, a in given if p.kind == "text" and isinstance(a, Text)}
        return Checked(
            tool,
            tuple((parameter, arguments[parameter.name]) for parameter, _ in given),
            tool.gives(Site(schema, types, texts | names)),
            among,
            graph,
        )

    def _query(self, call: Call, schema: Schema, graph: Checked | None) -> Checked:
        from graphtalk.engines.binding import bind as bind_query  # only queries need it

        bound = bind_query(as_query(replace(call, graph=None)), schema)
        calls = tuple([(each, self._call(each, schema, graph)) for each in calls_in(bound.query)])
        return Checked(None, (), type_of(bound), (), graph, bound, calls)

    def _graph(self, named: Expression, schema: Schema) -> tuple[Checked, Schema]:
        if self.schema_of is None:
            raise CheckError("No other graph can be loaded here: leave out GL(…).")
        call = Call("GL", (named,)) if isinstance(named, Text) else named
        if not isinstance(call, Call):
            raise CheckError('A graph is named by a text or by GL("name").')
        graph = self._call(call, schema, None)
        if graph.type.kind != "graph":
            raise CheckError(f"{graph.spelling} does not give a graph.")
        return graph, self.schema_of(graph)

    def _names(
        self,
        tool: Tool,
        given: list[tuple[Parameter, Expression]],
        schema: Schema,
        types: dict[str, Type],
        subject: str | None,
    ) -> dict[str, str]:
        """The names among the arguments; narrows the subject in `types` to the node types that have them."""
        names: dict[str, str] = {}
        for parameter, argument in given:
            if parameter.kind not in NAMED:
                continue
            name = literal_name(argument)
            if name is None:
                raise CheckError(f"{tool.name} needs the name of a {parameter.kind} as {parameter.name!r}.")
            among = types[subject].node_types if subject else tuple(t.name for t in schema.node_types)
            names[parameter.name] = name = resolve_name(schema, parameter, name, among)
            if subject and parameter.kind in ("relation", "feature"):
                fitting = tuple(t for t in among if _has(schema, t, parameter.kind, name))
                types[subject] = replace(types[subject], node_types=fitting)
        return names

    def _value(
        self, tool: Tool, parameter: Parameter, argument: Expression, schema: Schema, graph: Checked | None
    ) -> "tuple[Checked | Literal, Type]":
        value: Checked | Literal
        if isinstance(argument, Call):
            value = self._call(argument, schema, graph)
            given = value.type
        else:
            value = argument
            given = literal_type(argument, schema, as_nodes=parameter.kind in NODES)
        if not _fits(parameter, argument, given):
            raise CheckError(
                f"{tool.name} wants {_WANTED[parameter.kind]} for {parameter.name!r}, not {given}."
            )
        return value, given


def _has(schema: Schema, node_type: str, kind: str, name: str) -> bool:
    if kind == "relation":
        return bool(schema.called(node_type, name))
    return feature_kind(schema, node_type, name) is not None


def literal_type(literal: Literal, schema: Schema, as_nodes: bool) -> Type:
    """The type of a literal; where nodes are wanted it names nodes. Raises CheckError for calls in a list."""
    every = tuple(t.name for t in schema.node_types)
    if isinstance(literal, Items):
        if any(isinstance(part, Call) for part in literal.values):
            raise CheckError("A list holds names and numbers, not calls.")
        parts = [
            literal_type(part, schema, as_nodes) for part in literal.values if not isinstance(part, Call)
        ]
        if as_nodes and all(part.kind == "nodes" for part in parts):
            return Type("nodes", every, one=len(parts) == 1 and parts[0].one)
        kinds = {part.kind for part in parts}
        return Type("list", item=kinds.pop() if len(kinds) == 1 else "any")
    if isinstance(literal, NodeRef):
        return Type("nodes", every, one=True)
    if isinstance(literal, Boolean):
        return BOOLEAN
    if as_nodes and (isinstance(literal, Text) or isinstance(literal.value, int)):
        return Type("nodes", every, one=True)
    return TEXT if isinstance(literal, Text) else NUMBER


_WANTED: dict[str, str] = {
    "nodes": "nodes",
    "node": "a node",
    "bag or list": "nodes or a list of values",
    "table": "a table",
    "number": "a number",
    "whole number": "a whole number",
    "text": "a text",
    "boolean": "true or false",
    "numbers": "numbers",
    "ordered": "numbers or dates",
    "scalar": "a number, a text or a boolean",
    "entries": "nodes, or a call that gives a value",
    "names": "one or more names",
    "links": "relations, or pairs of nodes",
}


def _fits(parameter: Parameter, argument: Expression, given: Type) -> bool:
    kind, literal = parameter.kind, not isinstance(argument, Call)
    if kind in ("nodes", "node") or (kind == "entries" and literal):
        return given.kind == "nodes"
    if kind == "bag or list":
        listed = given.kind == "list" and given.item not in ("nodes", "table", "graph")
        return given.kind == "nodes" or (not literal and (listed or given.kind == "any"))
    if kind == "table":
        return given.kind in ("table", "any")
    if kind in ("number", "whole number"):
        number = as_number(argument.value) if isinstance(argument, Text | Number) else None
        if literal:
            return number is not None and (kind == "number" or number.is_integer())
        return given.kind in ("number", "any")
    if kind == "boolean":
        spelled = isinstance(argument, Text) and argument.value.casefold() in ("true", "false")
        return given.kind in ("boolean", "any") or spelled
    if kind == "numbers":
        if given.kind == "list":
            return given.item in ("number", "text", "any")
        return given.kind in ("number", "table", "any") or (literal and given.kind == "text")
    if kind == "ordered":
        held = given.item if given.kind == "list" else given.kind
        return held in ("number", "text", "date", "datetime", "any") or given.kind == "table"
    if kind == "text":
        return given.kind in ("text", "number", "any") or isinstance(argument, NodeRef)
    if kind == "scalar":
        return given.kind in ("text", "number", "boolean", "date", "datetime", "any")
    if kind in ("names", "links"):
        listable = ("text", "nodes", "number", "any", *(("list",) if kind == "links" else ()))
        return literal and (
            given.kind in ("text", "nodes") or (given.kind == "list" and given.item in listable)
        )
    return given.kind != "graph"
