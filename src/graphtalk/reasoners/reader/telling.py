"""A reading in plain words, for people to choose from."""

from collections.abc import Mapping, Sequence
from itertools import count

from graphtalk.language.nouns import plural
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.reading import (
    Best,
    Column,
    Compared,
    Constant,
    Either,
    Hop,
    Item,
    Measure,
    Not,
    Reading,
    Span,
    Test,
    Value,
)
from graphtalk.reasoners.reader.shape import Shape, spoken

COMPARED = {
    "EQ": "is",
    "NE": "is not",
    "LT": "is below",
    "LE": "is at most",
    "GT": "is above",
    "GE": "is at least",
    "HAS": "contains",
    "STARTS": "starts with",
    "ENDS": "ends with",
}
COUNTED = {
    "EQ": "exactly",
    "NE": "not",
    "LT": "fewer than",
    "LE": "at most",
    "GT": "more than",
    "GE": "at least",
}
MEASURED = {
    "AVG": "average",
    "SUM": "total",
    "MIN": "lowest",
    "MAX": "highest",
    "VALUES": "number of different",
}


def told(reading: Reading, shape: Shape, values: Sequence[Linked]) -> str:
    """What a reading asks for, in words."""
    return _Teller(shape, values).reading(reading)


def column_names(reading: Reading, shape: Shape) -> tuple[str, ...]:
    """What the columns of a reading's answer are called, each by a name of its own: `department`, `average salary`."""
    types = {"V0": reading.type} | _ends(reading.items, shape)
    names: list[str] = []
    for column in reading.columns:
        name = _column_name(column, types, shape)
        numbered = (name if n == 1 else f"{name} {n}" for n in count(1))
        names.append(next(n for n in numbered if n not in names))
    return tuple(names)


def _column_name(c: Column, types: Mapping[str, str], shape: Shape) -> str:
    held = _said(shape.properties[c.held].name) if c.held else ""
    if c.kind == "NODE":
        return held or _said(types.get(c.node, "node"))
    if c.kind == "COUNT":
        return f"number of {plural(_said(types['V0']))}"
    far = c.beyond or c.path
    if held or far is None:
        return f"{MEASURED[c.kind]} {held}"
    different = "different " if c.kind == "VALUES" else ""
    return f"number of {different}{plural(_said(shape.steps[far.view].target))}"


def _said(name: str) -> str:
    return spoken(name) or name


def _ends(items: Sequence[Item], shape: Shape) -> dict[str, str]:
    """The types of the nodes that hops end in, by the nodes' names."""
    found: dict[str, str] = {}
    for item in items:
        if isinstance(item, Hop):
            found |= {item.name: shape.steps[item.view].target} | _ends(item.items, shape)
    return found


class _Teller:
    def __init__(self, shape: Shape, values: Sequence[Linked]) -> None:
        self._shape, self._values = shape, values
        self._nodes: dict[str, str] = {}

    def reading(self, r: Reading) -> str:
        node = self._node(r.type, r.items)
        if r.asks == "ASK":
            return f"whether there is a {node}"
        if r.asks == "SHARE":
            return f"which part of all {spoken(r.type)} nodes are: {node}"
        columns = " and ".join(self._column(c) for c in r.columns)
        text = f"{columns} of each {node}" if columns != "node" else node
        if any(c.path is None and c.kind not in ("NODE",) for c in r.columns):
            text = f"{columns} of all: {node}"
        if r.order is not None:
            most = "largest" if r.order.top else "smallest"
            number = (
                ""
                if r.limit is None
                else "the one with the "
                if r.limit == Constant(1)
                else f"the {self._value(r.limit)} with the "
            )
            order = self._measure(r.order.measure)
            return f"{text}: {number}{most} {order}" if number else f"{text}, by {order}, {most} first"
        return text if r.limit is None else f"{text}, {self._value(r.limit)} of them"

    def _node(self, node_type: str, items: Sequence[Item]) -> str:
        conditions = [self._item(i) for i in items]
        return f"{spoken(node_type)}{' ' if conditions else ''}{' and '.join(conditions)}"

    def _item(self, item: Item) -> str:
        match item:
            case Test():
                return self._test(item)
            case Hop():
                return self._hop(item)
            case Not():
                return f"not ({self._item(item.item)})"
            case Either():
                return f"({self._item(item.first)} or {self._item(item.second)})"
            case Compared():
                if item.measure.kind == "CNT" and item.measure.path is not None:
                    return f"with {COUNTED[item.operator]} {self._value(item.value)} of: {self._hop(item.measure.path)}"
                return (
                    f"whose {self._measure(item.measure)} {COMPARED[item.operator]} {self._value(item.value)}"
                )
            case _:
                return self._best(item)

    def _best(self, best: Best) -> str:
        number = self._value(best.limit) if best.limit is not None else "one"
        return (
            f"(the {number} with the {'largest' if best.top else 'smallest'} {self._measure(best.measure)})"
        )

    def _test(self, test: Test) -> str:
        name = spoken(self._shape.properties[test.held].name)
        match test.operator:
            case "NULL":
                return f"without {name}"
            case "NOTNULL":
                return f"with {name}"
            case "YES" | "NO":
                return f"whose {name} is {'true' if test.operator == 'YES' else 'false'}"
        than = any(isinstance(v, Span) and v.than for v in test.values)
        values = " or ".join(self._value(v) for v in test.values)
        return f"whose {name} {COMPARED[test.operator]} {'that of ' if than else ''}{values}"

    def _hop(self, hop: Hop) -> str:
        step = self._shape.steps[hop.view]
        name = spoken(step.link.name)
        if hop.star:
            name = f"{name} (one or more times)"
        arrow = f"-{name}->" if step.out else f"<-{name}-"
        if hop.same:
            return f"{arrow} the same {spoken(step.target)}"
        return f"{arrow} {self._node(step.target, hop.items)}"

    def _measure(self, measure: Measure) -> str:
        if measure.path is None:
            return spoken(self._shape.properties[measure.held].name)
        if measure.kind == "CNT":
            return f"number of: {self._hop(measure.path)}"
        if measure.beyond is not None:
            return f"number of different: {self._hop(measure.beyond)}, over: {self._hop(measure.path)}"
        return f"{MEASURED[measure.kind]} {spoken(self._shape.properties[measure.held].name)} of: {self._hop(measure.path)}"

    def _column(self, c: Column) -> str:
        held = spoken(self._shape.properties[c.held].name) if c.held else ""
        if c.kind == "NODE":
            return (held or "node") if c.node == "V0" else f"{held or 'node'} at the other end"
        if c.kind == "COUNT":
            return "number"
        if c.path is not None:
            return self._measure(Measure(c.kind, c.held, c.path, "", c.beyond))
        return f"{MEASURED[c.kind]} {held}"

    def _value(self, value: Value) -> str:
        match value:
            case Constant():
                return str(value.number)
            case Span():
                v = self._values[value.index]
                return v.text if v.kind in ("number", "date") else f"“{v.text}”"
            case _:
                return f"the {spoken(self._shape.properties[value.held].name)} of the other"
