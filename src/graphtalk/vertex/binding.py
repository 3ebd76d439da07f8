"""A program bound to a graph and to the values of its parameters: what engines run."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from graphtalk.core import CheckError, choices
from graphtalk.graphs import Graph
from graphtalk.vertex.arcs import Arcs, Floats, arcs_of, node_column
from graphtalk.vertex.language.ast import Field, Name, walk
from graphtalk.vertex.language.types import BOOL, NODE, NONE, Type, Value, inward
from graphtalk.vertex.language.types import default as empty
from graphtalk.vertex.program import Along, EdgeAttribute, NodeAttribute, Program

NODE_NUMBERS = ("degree", "out_degree", "in_degree", "loops")


@dataclass(frozen=True, eq=False)
class Bound:
    """A program, its graph, and what was chosen.

    `values` has a value for every parameter, infinity (`none`) for nodes that were not given; `given` names the
    parameters that were. `features` maps edge and node attributes to the features they are read from.
    """

    program: Program
    graph: Graph
    values: Mapping[str, Value]
    given: frozenset[str]
    features: Mapping[str, str]
    _columns: dict[str, Floats] = field(default_factory=dict, repr=False)

    @property
    def n(self) -> int:
        """Number of nodes."""
        return self.graph.num_nodes

    def arcs(self, along: Along) -> Arcs:
        """The arcs along which nodes send."""
        edges = self.program.edges
        return arcs_of(self.graph, along, edges, {e.name: self.features[e.name] for e in edges.attributes})

    @cached_property
    def own(self) -> Arcs:
        """A node's own edges: those along which the first phase sends."""
        return self.arcs(self.program.phases[0].send.along)

    def column(self, name: str) -> Floats:
        """A number that every node has from the start: id, a degree, loops, or an attribute. Shape (n,)."""
        if name not in self._columns:
            self._columns[name] = self._make_column(name)
        return self._columns[name]

    def _make_column(self, name: str) -> Floats:
        if name == "id":
            return np.arange(self.n, dtype=np.float64)
        if name == "loops":
            arcs = self.arcs("out")
            return np.bincount(arcs.owners[arcs.owners == arcs.receivers], minlength=self.n).astype(
                np.float64
            )
        if name == "degree":
            return self.arcs("both").out_degrees.astype(np.float64)
        if name in ("out_degree", "in_degree"):
            arcs = self.arcs("out")
            return (arcs.out_degrees if name == "out_degree" else arcs.in_degrees).astype(np.float64)
        attribute = next(a for a in self.program.node_attributes if a.name == name)
        feature = self.features[name]
        return node_column(self.graph, name, feature, attribute.default, feature != attribute.feature)

    @property
    def kept(self) -> Iterable[Floats]:
        """The columns made so far."""
        return self._columns.values()

    @cached_property
    def used_columns(self) -> tuple[str, ...]:
        """`id`, and those numbers that the program asks for."""
        known = {*NODE_NUMBERS, *(a.name for a in self.program.node_attributes)} - set(self.program.state)
        if self.program.in_words:  # which may ask for any
            return ("id", *sorted(known))
        asked = {
            part.text
            for expr in (*self.program.expressions, *self.program.readings)
            for part in walk(expr)
            if isinstance(part, Name | Field)
        }
        return ("id", *sorted(known & asked))

    def constant(self, name: str) -> Value:
        """`n`, `directed`, or the value of a parameter."""
        if name == "n":
            return self.n
        return self.graph.directed if name == "directed" else self.values[name]


def bind(program: Program, graph: Graph, parameters: Mapping[str, Any] | None = None) -> Bound:
    """The program with its parameters filled in.

    A node may be given as its index (int) or its id (str); a set as a list, or as a text with commas; an edge or
    node attribute by the name of a feature, which then holds for those that are read from the same one. Raises CheckError for an unknown name, a missing or a wrong value.
    """
    wanted = dict(parameters or {})
    attributes: list[EdgeAttribute | NodeAttribute] = [*program.edges.attributes, *program.node_attributes]
    named = {a.name: str(wanted.pop(a.name)) for a in attributes if a.name in wanted}
    alike = {a.feature: named[a.name] for a in attributes if a.name in named}
    features = {a.name: named.get(a.name, alike.get(a.feature, a.feature)) for a in attributes}
    for name in wanted:
        if name not in program.parameters:
            valid = [*program.parameters, *features]
            raise CheckError(f"{program.name} has no parameter {name!r}. {choices(name, valid)}")
    values = {}
    for name, parameter in program.parameters.items():
        if wanted.get(name) is not None:
            values[name] = _value(wanted[name], parameter.type, graph, f"{program.name}: {name}")
        elif parameter.default is not None:
            values[name] = parameter.default
        elif parameter.optional:
            values[name] = NONE if parameter.type == NODE else empty(parameter.type)
        else:
            raise CheckError(f"{program.name} needs {name}: {parameter.help or parameter.type}.")
    if graph.num_nodes == 0:
        raise CheckError(f"{program.name}: the graph has no nodes.")
    return Bound(program, graph, values, frozenset(wanted), features)


def _value(given: Any, type: Type, graph: Graph, where: str) -> Value:
    """A value as expressions see it, from what a person or a model gave."""
    if type == NODE:
        return _node(given, graph, where)
    if isinstance(given, str):
        given = _read(given, type, where)
    if type.kind in ("set", "list") and isinstance(given, list | tuple | set | frozenset):
        items = [_value(item, type.item, graph, where) for item in given]
        return frozenset(items) if type.kind == "set" else tuple(items)
    try:
        return inward(given, type)
    except CheckError:
        raise CheckError(f"{where}: {given!r} is no {type}.") from None


def _node(given: Any, graph: Graph, where: str) -> Value:
    if isinstance(given, str):
        return graph.node(given)
    if isinstance(given, bool) or not isinstance(given, int | np.integer):
        raise CheckError(f"{where}: {given!r} is no node: an id (text) or an index (whole number) is needed.")
    if not 0 <= given < graph.num_nodes:
        raise CheckError(f"{where}: no node with index {given}: the graph has {graph.num_nodes}.")
    return int(given)


def _read(text: str, type: Type, where: str) -> Any:
    """A value that stands as text, as on the command line: true, 0.85, `3,4,5`, `0-1,1-2` for pairs."""
    if type.kind in ("set", "list"):
        parts = [part.strip() for part in text.split(",") if part.strip()]
        return [part.split("-") for part in parts] if type.item.kind == "list" else parts
    if type == BOOL and text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return float(text)
    except ValueError:
        raise CheckError(f"{where}: {text!r} is no {type}.") from None
