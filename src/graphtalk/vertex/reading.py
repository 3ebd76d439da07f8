"""From a specification, as TOML or JSON holds it, to a typed program. Everything wrong is found here."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias, TypeVar, cast, get_args

from graphtalk.core import CheckError, choices
from graphtalk.vertex.language.ast import Constant, Expr
from graphtalk.vertex.language.checker import compiled
from graphtalk.vertex.language.grammar import KEYWORDS
from graphtalk.vertex.language.scope import Meaning, Scope, node_meanings
from graphtalk.vertex.language.types import BOOL, NODE, NUMBER, Type, inward, parse_type
from graphtalk.vertex.program import (
    Along,
    Counts,
    EdgeAttribute,
    Edges,
    Merge,
    NodeAttribute,
    Parameter,
    Phase,
    Program,
    Readout,
    Refusal,
    Repeat,
    Send,
)

Table: TypeAlias = Mapping[str, Any]
_T = TypeVar("_T")

_GRAPH = {"n": Meaning(NUMBER, "graph"), "directed": Meaning(BOOL, "graph")}
_NODE = {
    "id": Meaning(NODE, "node"),
    "degree": Meaning(NUMBER, "node"),
    "out_degree": Meaning(NUMBER, "node"),
    "in_degree": Meaning(NUMBER, "node"),
    "loops": Meaning(NUMBER, "node"),
}
_ROUND = {"round": Meaning(NUMBER, "moment")}
_CHANGED = {"changed": Meaning(BOOL, "changed")}
_ENDS = {"changes": Meaning(NUMBER, "moment"), "sent": Meaning(NUMBER, "moment"), **_ROUND}
_TAKEN = frozenset(
    {*_GRAPH, *_NODE, *_ENDS, "changed", "received", "arrived", "to", "edge", "message", "messages"}
    | {"edges", "nodes", "node", "when", "along", "let", "sender", *KEYWORDS}
)
_PARTS = (
    "name title summary keywords reference parameters edges nodes state edge_state message totals initialization "
    "edge_initialization send update edge_update termination phases repeat answer words examples complexity"
).split()
_STEPS = ("initialization", "send", "update")
_STEPS_WRITTEN = (
    "initialization",
    "update",
    "phases",
    "repeat",
    "edge_state",
    "edge_initialization",
    "edge_update",
)
_PHASE_PARTS = ["name", "enter", "edge_enter", "send", "update", "edge_update", "termination"]
_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]{0,40}")


def read_program(source: Table) -> Program:
    """The program that a specification describes.

    Raises CheckError or ParseError (both CallError): the message names the part and quotes the place.
    """
    return _Reader(source).program()


class _Reader:
    """Names are collected first, part after part; then every expression is checked where it stands."""

    def __init__(self, source: Table) -> None:
        self._source = source
        _known(source, _PARTS, "the specification")
        self.name = _text(source, "name", "the specification")
        self.parameters = {
            name: _parameter(name, _table(given, f"parameters.{name}"))
            for name, given in _part(source, "parameters").items()
        }
        self.edges = _edges(_part(source, "edges"))
        self.nodes = tuple(
            NodeAttribute(
                name, *_feature(name, _table(given, f"nodes.{name}"), f"nodes.{name}", ("feature", "default"))
            )
            for name, given in _part(source, "nodes").items()
        )
        self.state, self.edge_state, self.message = (
            _types(source, part) for part in ("state", "edge_state", "message")
        )
        if not self.state:
            raise CheckError('state: a program needs at least one field, such as distance = "number".')
        self.repeat = _part(source, "repeat")
        self.each = str(self.repeat.get("each", ""))
        self.in_words = self._steps_in_words()
        self.edge_fields = {a.name: NUMBER for a in self.edges.attributes} | self.edge_state
        self._refuse_twice()
        self.everywhere = _GRAPH | node_meanings(
            {p.name: p.type for p in self.parameters.values()}, "parameter"
        )
        if self.each:
            self.everywhere[self.each] = Meaning(NODE, "parameter")
        self.own = {
            **_NODE,
            **node_meanings(self.state, "state"),
        }
        self.attributes = {"node": node_meanings({a.name: NUMBER for a in self.nodes}, "attribute")}
        seen = {name: m.type for name, m in _NODE.items()} | {a.name: NUMBER for a in self.nodes} | self.state
        self.in_nodes = {"nodes": seen}
        self.in_edges = {"edges": {"to": NODE, **self.edge_fields}}
        self.totals = self._totals()

    def _refuse_twice(self) -> None:
        groups: list[Iterable[str]] = [
            self.parameters,
            self.state,
            _part(self._source, "totals"),
            [self.each] if self.each else [],
        ]
        named: list[Iterable[str]] = [*groups, self.edge_fields, self.message, [a.name for a in self.nodes]]
        for group in named:
            for name in group:
                _check_name(name)
        names = [name for group in groups for name in group]
        for name in names:
            if names.count(name) > 1:
                raise CheckError(
                    f"Two things are called {name!r}: parameters, states and totals share names."
                )
        both = [a.name for a in self.edges.attributes if a.name in self.edge_state]
        if both:
            raise CheckError(f"edge_state: edges already have an attribute {both[0]!r}.")

    # scopes

    def _scope(self, where: str, *more: Mapping[str, Meaning], **rest: Any) -> Scope:
        names = dict(self.everywhere)
        for part in more:
            names |= part
        return Scope(where, names, **rest)

    def _node_scope(self, where: str, *more: Mapping[str, Meaning], **rest: Any) -> Scope:
        rest.setdefault("collections", self.in_edges)
        rest.setdefault("owners", self.attributes)
        return self._scope(where, self.own, self.totals_meanings, *more, **rest)

    def _edge_scope(
        self, where: str, *more: Mapping[str, Meaning], message: Mapping[str, Type] | None = None
    ) -> Scope:
        owners = {
            **self.attributes,
            "edge": {"to": Meaning(NODE, "to"), **node_meanings(self.edge_fields, "edge")},
        }
        if message is not None:
            owners["message"] = node_meanings(message, "message")
        to = {"to": Meaning(NODE, "to")}
        return self._scope(
            where, self.own, self.totals_meanings, to, *more, owners=owners, collections=self.in_edges
        )

    def _whole_scope(self, where: str, *more: Mapping[str, Meaning]) -> Scope:
        return self._scope(where, self.totals_meanings, *more, collections=self.in_nodes)

    def _totals(self) -> dict[str, Expr]:
        self.totals_meanings: dict[str, Meaning] = {}
        found: dict[str, Expr] = {}
        for name, text in _part(self._source, "totals").items():
            found[name] = compiled(text, self._whole_scope(f"totals.{name}", _ROUND))
            self.totals_meanings[name] = Meaning(found[name].type, "total")
        return found

    # parts

    def program(self) -> Program:
        source = self._source
        return Program(
            self.name,
            self.parameters,
            self.edges,
            self.nodes,
            self.state,
            self.edge_state,
            self.message,
            self.totals,
            self._assigned(_part(source, "initialization"), self.state, self._node_scope("initialization")),
            self._assigned(
                _part(source, "edge_initialization"), self.edge_state, self._edge_scope("edge_initialization")
            ),
            tuple(self._phases()),
            self._repeat(),
            tuple(self._answers()),
            self.in_words,
            source,
        )

    def _steps_in_words(self) -> bool:
        """Whether what nodes do is told in words, and nowhere as expressions."""
        source, words = self._source, _part(self._source, "words")
        told = all(str(words.get(part, "")).strip() for part in _STEPS)
        sent = set(_part(source, "send")) - {"along"}
        return told and not sent and not any(source.get(part) for part in _STEPS_WRITTEN)

    def _assigned(self, texts: Table, types: Mapping[str, Type], scope: Scope) -> dict[str, Expr]:
        found = {}
        for name, text in texts.items():
            if name not in types:
                raise CheckError(f"{scope.where}: no field {name!r}. {choices(name, types)}")
            found[name] = compiled(text, _at(scope, name), types[name])
        return found

    def _phases(self) -> list[Phase]:
        given = self._source.get("phases")
        if given is None:
            parts = {part: self._source[part] for part in _PHASE_PARTS[3:] if part in self._source}
            return [self._phase({"name": "", **parts}, "")]
        if not isinstance(given, Sequence) or isinstance(given, str) or not given:
            raise CheckError("phases: a list of phases is needed.")
        return [
            self._phase(_table(phase, f"phases[{i}]"), str(phase.get("name", f"phase {i + 1}")))
            for i, phase in enumerate(given)
        ]

    def _phase(self, source: Table, name: str) -> Phase:
        at = f"{name}: " if name else ""
        _known(source, _PHASE_PARTS, f"{at}phase")
        send = self._send(_part(source, "send"), f"{at}send")
        sent = {field: expr.type for field, expr in send.fields.items()}
        update, when = self._update(_part(source, "update"), f"{at}update", sent)
        edge_update = _part(source, "edge_update")
        if edge_update and self.edges.parallel != "merge":
            raise CheckError(f'{at}edge_update needs edges.parallel = "merge": one edge, one message.')
        if edge_update and send.along != "both":
            raise CheckError(f'{at}edge_update needs send.along = "both": edges have states at both ends.')
        arrived = {"arrived": Meaning(BOOL, "arrived"), **_ROUND}
        ends = {"most": "n + 1"} if self.in_words else {}  # each round costs a request a node
        ends |= _part(source, "termination")
        _known(ends, ["until", "most", "because"], f"{at}termination")
        ending = self._whole_scope(f"{at}termination", _ENDS)
        return Phase(
            name,
            self._assigned(_part(source, "enter"), self.state, self._node_scope(f"{at}enter")),
            self._assigned(_part(source, "edge_enter"), self.edge_state, self._edge_scope(f"{at}edge_enter")),
            send,
            when,
            update,
            self._assigned(
                edge_update, self.edge_state, self._edge_scope(f"{at}edge_update", arrived, message=sent)
            ),
            compiled(ends.get("until", "changes == 0"), _at(ending, "until"), BOOL),
            compiled(ends["most"], _at(ending, "most"), NUMBER) if "most" in ends else None,
            str(ends.get("because", "")),
        )

    def _send(self, source: Table, where: str) -> Send:
        if self.in_words:
            return Send(_one_of(source.get("along", "out"), Along, f"{where}.along"), None, {})
        if not source and where != "send":  # a phase may think without talking
            return Send("both", Constant(False, type=BOOL), {})
        if not source:
            raise CheckError(f'{where}: a program needs a message, such as distance = "distance + 1".')
        scope = self._edge_scope(where, _ROUND, _CHANGED)
        fields = {name: text for name, text in source.items() if name not in ("along", "when")}
        for name in fields:
            if name not in self.message:
                raise CheckError(f"{where}: messages have no field {name!r}. {choices(name, self.message)}")
        when = compiled(source["when"], _at(scope, "when"), BOOL) if "when" in source else None
        along = _one_of(source.get("along", "out"), Along, f"{where}.along")
        sent = {name: compiled(text, _at(scope, name), self.message[name]) for name, text in fields.items()}
        return Send(along, when, sent)

    def _update(
        self, source: Table, where: str, sent: Mapping[str, Type]
    ) -> tuple[dict[str, Expr], Expr | None]:
        collections = {**self.in_edges, "messages": {"sender": NODE, **sent}}
        received = {"received": Meaning(BOOL, "received")}
        lets: dict[str, Expr] = {}
        scope = self._node_scope(where, _ROUND, received, collections=collections, lets=lets)
        for name, text in _part(source, "let", where).items():
            _check_name(name)
            if name in scope.names:
                raise CheckError(f"{where}.let: {name!r} already has a meaning here.")
            lets[name] = compiled(text, _at(scope, f"let.{name}"))
        fields = {name: text for name, text in source.items() if name not in ("let", "when")}
        when = compiled(source["when"], _at(scope, "when"), BOOL) if "when" in source else None
        return self._assigned(fields, self.state, scope), when

    def _repeat(self) -> Repeat | None:
        if not self.repeat:
            return None
        _known(self.repeat, ["each", "until", "most"], "repeat")
        scope = self._whole_scope("repeat", _ROUND)
        until = compiled(self.repeat["until"], _at(scope, "until"), BOOL) if "until" in self.repeat else None
        most = compiled(self.repeat["most"], _at(scope, "most"), NUMBER) if "most" in self.repeat else None
        if (until is None) == (not self.each):
            raise CheckError("repeat: give either `each` (a name for the node) or `until`.")
        return Repeat(self.each, until, most)

    def _answers(self) -> list[Readout]:
        given = self._source.get("answer", [])
        entries = given if isinstance(given, list) else [given]
        if not entries and self.in_words:
            entries = [{"value": f"map(v, v.{next(iter(self.state))} for v in nodes)"}]
        if not entries:
            raise CheckError('answer: say how the answer is read off, such as value = "target.distance".')
        columns = dict(self.in_nodes["nodes"])
        scope = Scope(
            "answer",
            self.everywhere | self.totals_meanings | _ROUND,
            collections=self.in_nodes,
            columns=columns,
        )
        return [self._answer(_table(entry, "answer"), scope) for entry in entries]

    def _answer(self, source: Table, scope: Scope) -> Readout:
        _known(source, ["given", "value", "text", "refuse"], "answer")
        for name in source.get("given", []):
            if name not in self.parameters:
                raise CheckError(
                    f"answer.given: no parameter {name!r}. {choices(str(name), self.parameters)}"
                )
        refusals = tuple(
            Refusal(
                compiled(_needed(refusal, "when", "answer.refuse"), _at(scope, "refuse.when"), BOOL),
                _text(refusal, "because", "answer.refuse"),
            )
            for refusal in source.get("refuse", [])
        )
        value = compiled(_needed(source, "value", "answer"), _at(scope, "value"))
        return Readout(tuple(source.get("given", [])), value, str(source.get("text", "{answer}")), refusals)


def _parameter(name: str, source: Table) -> Parameter:
    where = f"parameters.{name}"
    _known(source, ["type", "help", "default", "optional"], where)
    type = parse_type(_text(source, "type", where))
    value = source.get("default")
    default = inward(value, type) if value is not None else None
    return Parameter(name, type, str(source.get("help", "")), default, bool(source.get("optional", False)))


def _edges(source: Table) -> Edges:
    rest = {name: given for name, given in source.items() if name not in ("parallel", "loops")}
    attributes = []
    for name, given in rest.items():
        where = f"edges.{name}"
        table = _table(given, where)
        feature, default = _feature(name, table, where, ("feature", "default", "merge", "counts", "least"))
        merge = _one_of(table.get("merge", "min"), Merge, f"{where}.merge")
        counts = _one_of(table.get("counts", "both"), Counts, f"{where}.counts")
        least = _number(table.get("least", -math.inf), f"{where}.least")
        attributes.append(EdgeAttribute(name, feature, default, merge, counts, least))
    parallel = _one_of(source.get("parallel", "merge"), Literal["keep", "merge"], "edges.parallel")
    loops = _one_of(source.get("loops", "keep"), Literal["keep", "drop"], "edges.loops")
    return Edges(parallel, loops, tuple(attributes))


def _feature(name: str, source: Table, where: str, known: Sequence[str]) -> tuple[str, float | None]:
    _known(source, known, where)
    default = source.get("default")
    feature = str(source.get("feature", name))
    return feature, None if default is None else _number(default, f"{where}.default")


def _number(given: object, where: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise CheckError(f"{where}: {given!r} is no number.")
    return float(given)


def _types(source: Table, part: str) -> dict[str, Type]:
    found = {}
    for name, text in _part(source, part).items():
        try:
            found[name] = parse_type(str(text))
        except CheckError as error:
            raise CheckError(f"{part}.{name}: {error}") from None
    return found


def _check_name(name: str) -> None:
    if not _IDENTIFIER.fullmatch(name):
        raise CheckError(f"{name!r} cannot be a name: lower-case letters, digits and _ are.")
    if name in _TAKEN:
        raise CheckError(f"{name!r} cannot be a name: it already has a meaning.")


def _one_of(given: object, kind: Any, where: str) -> Any:
    valid = get_args(kind)
    if given not in valid:
        raise CheckError(f"{where}: {given!r}. {choices(str(given), valid)}")
    return given


def _known(source: Table, known: Sequence[str], where: str) -> None:
    for key in source:
        if key not in known:
            raise CheckError(f"{where}: no part is called {key!r}. {choices(key, known, 8)}")


def _part(source: Table, part: str, where: str = "") -> dict[str, Any]:
    return dict(_table(source.get(part, {}), f"{where}.{part}" if where else part))


def _table(given: object, where: str) -> Table:
    if not isinstance(given, Mapping):
        raise CheckError(f"{where}: {given!r} is no table of names and values.")
    return cast(Table, given)


def _needed(source: Table, key: str, where: str) -> Any:
    if key not in source:
        raise CheckError(f"{where}: {key!r} is missing.")
    return source[key]


def _text(source: Table, key: str, where: str) -> str:
    found = _needed(source, key, where)
    if not isinstance(found, str) or not found.strip():
        raise CheckError(f"{where}.{key}: {found!r} is no text.")
    return found


def _at(scope: Scope, part: str) -> Scope:
    return replace(scope, where=f"{scope.where}.{part}")
