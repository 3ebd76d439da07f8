"""The executor: checks a call, runs it within limits, remembers results, and knows what they rest on."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from graphtalk.calls.ast import Call, Text
from graphtalk.calls.query import Parameter as QueryParameter
from graphtalk.calls.query import Projection, Query, parts_of, query_call, with_parameters
from graphtalk.core import JSON, CallRecord, CheckError, Evidence, LimitError, ToolError, choices
from graphtalk.core.reading import refusing
from graphtalk.core.text import visible
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.graphs import Graph, GraphSet, Schema
from graphtalk.search.index import Index
from graphtalk.tools.arguments import Argument, converted, literal_nodes, literal_value
from graphtalk.tools.checker import NAMED, NODES, Checked, Checker, Literal
from graphtalk.tools.context import Context, Loader, NodeFinder, Programs, Source
from graphtalk.tools.evidence import evidence_of
from graphtalk.tools.finder import IndexFinder, LabelFinder, NodeIndex
from graphtalk.tools.limits import Budget, Limits
from graphtalk.tools.loading import OnlyGraph
from graphtalk.tools.memory import WorkingMemory
from graphtalk.tools.queries import (
    QUERY,
    as_argument,
    as_value,
    begin_here,
    is_elsewhere,
    lowered,
    ran_here,
    run_query,
)
from graphtalk.tools.registry import Parameter, Registry, Tool, default_registry
from graphtalk.tools.trail import Input, Ran
from graphtalk.tools.types import Type
from graphtalk.tools.values import Bag, Table, Value, cut_json, show

_MOST_SOURCES = 64
_MOST_PREPARED = 256
NO_PARAMETERS: Mapping[str, JSON] = {}


@dataclass(frozen=True, eq=False)
class Prepared:
    """A query that was checked with its parameters open. `shaping`: one of these says how it is run."""

    read: Query
    checked: Checked
    parameters: frozenset[str]
    shaping: bool


@dataclass(frozen=True)
class Result:
    """What a call gave: its value and type, the graph that its nodes belong to, remarks, and its trail.

    `loaded` is what gave the graph, where that is not the one at hand.
    """

    value: Value
    type: Type
    graph: Graph
    trail: Ran
    fresh: frozenset[int] = frozenset()
    loaded: Ran | None = None

    @cached_property
    def calls(self) -> tuple[CallRecord, ...]:
        """Every call inside, innermost first, with its result (long ones cut) and its own seconds."""
        return tuple(
            CallRecord(
                ran.spelling, cut_json(ran.value, ran.graph), ran.seconds if id(ran) in self.fresh else 0.0
            )
            for ran in self.trail.inside()
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the tools had to say beside their results, such as that there were ties."""
        loaded = self.loaded.remarks if self.loaded is not None else ()
        return (*(remark for ran in self.trail.inside() for remark in ran.remarks), *loaded)

    def evidence(self, most: int = 10_000) -> Evidence:
        """The nodes and edges that the value rests on, at most so many of each."""
        return evidence_of(self.trail, most)

    def show(self) -> str:
        """The value for people."""
        return show(self.value, self.graph)

    def __repr__(self) -> str:
        return visible(self.show())


@dataclass(frozen=True)
class Executor:
    """Runs calls on a graph. `index` is its search index; without it the one in its store is opened.

    In a graph without either, nodes are found by exact label and id alone.

    `programs` says how vertex programs are run. `memory` may be shared between executors, so that a conversation runs nothing twice.
    """

    graph: Graph | GraphSet
    index: NodeIndex | None = None
    registry: Registry = field(default_factory=default_registry)
    limits: Limits = field(default_factory=Limits)
    memory: WorkingMemory[Ran] = field(default_factory=WorkingMemory)
    loader: Loader | None = None
    programs: Programs = field(default_factory=Programs)
    _sources: dict[int, Source] = field(default_factory=dict, repr=False)
    _prepared: dict[int, Prepared] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.graph, GraphSet) and len(self.graph) == 1:
            object.__setattr__(self, "graph", self.graph.at(0))

    def check(self, call: Call) -> Type:
        """The type of a call. Raises CheckError with the valid choices; runs nothing but `GL`."""
        with refusing(_worked_out):
            return _Run(self).check(call).type

    def run(self, call: Call) -> Result:
        """Check a call, and run it.

        Raises CheckError before anything runs, ToolError where a tool cannot do what was asked, and LimitError
        with what was found so far.
        """
        with refusing(_worked_out):
            return _Run(self).run(call)

    def query(self, read: Query, parameters: Mapping[str, JSON]) -> Result:
        """Run a query with values for its parameters.

        What was worked out for the same tree before (`calls.cypher.parse_query` keeps the last ones) is used again.
        Raises CheckError where a parameter has no value, and as `run` does.
        """
        with refusing(_worked_out):
            prepared = self._prepared.get(id(read))
            if prepared is None or prepared.read is not read:
                prepared = _Run(self).prepared(read)
                while len(self._prepared) >= _MOST_PREPARED:
                    del self._prepared[next(iter(self._prepared))]
                self._prepared[id(read)] = prepared
            filled = prepared.shaping or is_elsewhere(
                self.graph
            )  # engines elsewhere are told of values, not of names
            if filled or prepared.parameters - parameters.keys():
                return _Run(self).run(query_call(with_parameters(read, parameters)))
            return _Run(self).query(prepared, parameters)

    def source(self, graph: Graph) -> Source:
        """A graph with its finder."""
        found = self._sources.get(id(graph))
        if found is None:
            while len(self._sources) >= _MOST_SOURCES:
                del self._sources[next(iter(self._sources))]
            finder = self._finder(graph)
            found = self._sources[id(graph)] = Source(graph, finder)
        return found

    def _finder(self, graph: Graph) -> NodeFinder:
        home = self.graph if isinstance(self.graph, Graph) else None
        if self.index is not None and home is not None and graph.columns is home.columns:  # the same nodes
            return IndexFinder(graph, self.index)
        return LabelFinder(graph) if graph.path is None else IndexFinder(graph, Index.open(graph))


def _worked_out(words: str) -> ToolError:
    return ToolError(f"The call cannot be worked out: {words}.")


@dataclass
class _Run:
    """One run: its budget, and the calls that it has finished, in order."""

    executor: Executor
    done: list[Ran] = field(default_factory=list)
    graphs: dict[str, Ran] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.budget = Budget(self.executor.limits)

    def check(self, call: Call) -> Checked:
        executor = self.executor
        checker = Checker(executor.registry, self._schema_of, executor.limits.depth)
        return checker.check(call, _schema(executor.graph))

    def prepared(self, read: Query) -> Prepared:
        names = frozenset([part.name for part in parts_of(read) if isinstance(part, QueryParameter)])
        ends = [end for p in parts_of(read) if isinstance(p, Projection) for end in (p.skip, p.limit)]
        cut = any(isinstance(part, QueryParameter) for end in ends for part in parts_of(end))
        checked = self.check(query_call(read))
        assert checked.query is not None
        return Prepared(read, checked, names, cut or bool(checked.query.dated))

    def query(self, prepared: Prepared, parameters: Mapping[str, JSON]) -> Result:
        checked = prepared.checked
        own = {name: parameters[name] for name in prepared.parameters}
        return self._bounded(lambda: (checked, self.call(checked, own)))

    def run(self, call: Call) -> Result:
        def checked_and_run() -> tuple[Checked, Ran]:
            checked = self.check(call)
            return checked, self.call(checked)

        return self._bounded(checked_and_run)

    def _bounded(self, running: Callable[[], tuple[Checked, Ran]]) -> Result:
        try:
            with self.budget.running():
                checked, ran = running()
        except LimitError as error:
            if error.found:
                raise
            raise LimitError(str(error), self._found()) from error
        loaded = self.graphs.get(checked.graph.spelling) if checked.graph is not None else None
        return Result(ran.value, checked.type, ran.graph, ran, frozenset(id(r) for r in self.done), loaded)

    def _found(self) -> str:
        last = self.done[-1:]
        return "".join(f"{ran.spelling} = {show(ran.value, ran.graph, 10)}" for ran in last)

    def _schema_of(self, graph: Checked) -> Schema:
        return _schema(self._loaded(graph))

    def _loaded(self, graph: Checked | None) -> Graph | GraphSet:
        """The graph that a call gives, one object for the whole run; the graph at hand where there is none."""
        if graph is None:
            return self.executor.graph
        found = self.graphs.get(graph.spelling)
        if found is None:
            found = self.graphs[graph.spelling] = self.call(graph)
        if not isinstance(found.value, Graph | GraphSet):
            raise CheckError(f"{graph.spelling} does not give a graph.")
        return found.value

    def call(self, checked: Checked, parameters: Mapping[str, JSON] = NO_PARAMETERS) -> Ran:
        """Run a call, unless it is remembered."""
        memory, home = self.executor.memory, self.executor.graph
        whole = home if isinstance(home, Graph) else home.union
        key = whole.checksum or whole
        name = (
            f"{checked.spelling}\0{json.dumps(parameters, sort_keys=True)}"
            if parameters
            else checked.spelling
        )
        kept = memory.get(key, name)
        if kept is not None:
            return kept
        self.budget.step()
        graph = self._loaded(checked.graph)
        ran = self._elsewhere(checked, graph) if checked.tool and is_elsewhere(graph) else None
        if ran is None:
            ran = (
                self._apply(checked, checked.tool, graph)
                if checked.tool
                else self._query(checked, graph, parameters)
            )
        self.done.append(ran)
        memory.put(key, name, ran, ran.size)
        return ran

    def _query(self, checked: Checked, graph: Graph | GraphSet, parameters: Mapping[str, JSON]) -> Ran:
        source = self.executor.source(graph if isinstance(graph, Graph) else graph.union)
        assert checked.query is not None
        started = time.perf_counter()
        ran = [(call, self.call(inner)) for call, inner in checked.calls]
        given = {call: each.value for call, each in ran}
        found, remarks = run_query(checked.query, source.graph, self.budget, given, parameters)
        inputs = tuple([Input(QUERY, each.value, each) for _, each in ran])
        seconds = time.perf_counter() - started
        told = checked.with_parameters(parameters) if parameters else checked.spelling
        return Ran(told, found, source.graph, inputs, remarks=remarks, seconds=seconds)

    def _elsewhere(self, checked: Checked, graph: Graph | GraphSet) -> Ran | None:
        """What a call gives as a query, where its graph lives elsewhere; None where the tool itself has to run."""
        assert isinstance(graph, Graph)
        query = lowered(checked.call, graph, self.executor.source(graph).finder.find)
        if query is None:
            return None
        inner = self.call(self.check(query))
        assert isinstance(inner.value, ResultSet)
        value = as_value(inner.value, checked.type)
        if value is None:
            return None
        return Ran(checked.spelling, value, graph, (Input(QUERY, inner.value, inner),))

    def _apply(self, checked: Checked, tool: Tool, graph: Graph | GraphSet) -> Ran:
        source = self.executor.source(_one_graph(graph, tool))
        values: dict[str, Argument] = {}
        inputs: list[Input] = []
        for parameter, argument in checked.arguments:
            if parameter.kind in NAMED and isinstance(argument, Text):
                values[parameter.name] = argument.value
                continue
            among = checked.among if not inputs else ()
            given = self._input(parameter, argument, source, among)
            inputs.append(given)
            values[parameter.name] = converted(tool, parameter, given.value)
        loader = self.executor.loader or OnlyGraph(self.executor.graph)
        graphs = graph if isinstance(graph, GraphSet) else None
        at = Context(source, self.budget, loader, graphs=graphs, programs=self.executor.programs)
        started = time.perf_counter()
        begin_here(graph)
        value = tool.function(at, **values)
        return Ran(
            checked.spelling,
            value,
            source.graph,
            tuple(inputs),
            tuple(at.notes),
            dict(at.needed),
            (*at.remarks, *ran_here(tool.name, graph)),
            time.perf_counter() - started,
        )

    def _input(
        self, parameter: Parameter, argument: Checked | Literal, source: Source, among: tuple[str, ...]
    ) -> Input:
        if not isinstance(argument, Checked):
            if parameter.kind in NODES:
                return Input(parameter.name, Bag.of(literal_nodes(argument, source, among)))
            return Input(parameter.name, literal_value(argument, parameter.kind in ("names", "links")))
        ran = self.call(argument)
        if isinstance(ran.value, Bag | Table) and not _same(ran.graph, source.graph):
            raise CheckError(f"{ran.spelling} has nodes of {ran.graph.name}, not of {source.graph.name}.")
        value = as_argument(ran.value) if isinstance(ran.value, ResultSet) else ran.value
        return Input(parameter.name, value, ran)


def _same(one: Graph, other: Graph) -> bool:
    return one is other or (bool(one.checksum) and one.checksum == other.checksum)


def _schema(graph: Graph | GraphSet) -> Schema:
    return graph.schema if isinstance(graph, Graph) else graph.union.schema


def _one_graph(graph: Graph | GraphSet, tool: Tool) -> Graph:
    if isinstance(graph, Graph):
        return graph
    if tool.name == "GL" or tool.on_sets:
        return graph.union
    raise CheckError(
        f'{tool.name} needs one graph of {graph.name}: write GL("{graph.name}", {{"…"}}). '
        f"{choices('', graph.names)}"
    )
