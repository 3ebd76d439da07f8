"""A reading in plain words, for people to choose from."""

from collections.abc import Mapping, Sequence
from itertools import count

from graphtalk.language.nouns import plural
from graphtalk.language.relating import described, is_verb
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.reading import (
    ITSELF,
    All,
    Best,
    Column,
    Compared,
    Constant,
    Either,
    Hop,
    Item,
    Mean,
    Measure,
    Not,
    Other,
    Reading,
    Span,
    Test,
    Value,
    grouped,
    of_groups,
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
_NAMES = frozenset(["name", "title", "label", "id"])
IN_STEPS = ", in one step or more"
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
            return f"whether there are {node}"
        if r.asks == "SHARE":
            return f"which part of all {plural(spoken(r.type))} are {node}"
        if r.order is not None and r.limit is not None and of_groups(r):
            return self._best_groups(r, r.order, r.limit, node)
        text = self._columns(r, node)
        if r.order is None:
            return text if r.limit is None else f"{text}, {self._value(r.limit)} of them"
        most, order = "largest" if r.order.top else "smallest", self._measure(r.order.measure)
        if r.limit is None:
            return f"{text}, ordered by {order}, the {most} first"
        number = "" if r.limit == Constant(1) else f"the {self._value(r.limit)} "
        return f"{number}{text} with the {most} {order}"

    def _columns(self, r: Reading, node: str) -> str:
        """The columns of a reading whose nodes are `node`: of each node, of groups of them, or of all together."""
        measures = [c for c in r.columns if c.kind != "NODE"]
        ends = _ends(r.items, self._shape)
        keys = [self._key(c, ends) for c in r.columns if c.kind == "NODE" and (c.held or c.node != "V0")]
        if not measures:
            return f"{' and '.join(keys)} of {node}" if keys else node
        said = " and ".join(map(self._column, measures))
        if grouped(r) and measures[0].path is not None:
            return f"{said} by {' and '.join(keys)} of the {node}"
        if any(c.path is None for c in measures):
            counted = [c.kind for c in measures] == ["COUNT"]
            text = f"{said} of {node}" if not counted else f"number of {node}"
            return f"{text} by {' and '.join(keys)}" if keys else text
        each = f"each {spoken(r.type)}" if not r.items else f"each of the {node}"
        return f"{said} for {each}"

    def _best_groups(self, r: Reading, order: Best, limit: Value, node: str) -> str:
        """The groups that have the most of something."""
        ends = _ends(r.items, self._shape)
        keys = " and ".join(self._key(c, ends) for c in r.columns if c.kind == "NODE")
        m = order.measure
        number = f"number of {node}" if m.kind == "COUNT" else f"{self._measure(m)} over all {node} of it"
        told = keys if limit == Constant(1) else f"{self._value(limit)} {plural(keys)}"
        return f"the {told} with the {'largest' if order.top else 'smallest'} {number}"

    def _key(self, c: Column, ends: Mapping[str, str]) -> str:
        return spoken(self._shape.properties[c.held].name if c.held else ends.get(c.node, ""))

    def _node(self, node_type: str, items: Sequence[Item]) -> str:
        match items:
            case [
                Test(operator="EQ", values=[_, _, *_]) as named,
                Best(limit=None | Constant(1)) as best,
            ] if self._is_name(named.held):
                names = " or ".join(self._values[v.index].text for v in named.values if isinstance(v, Span))
                return f"{names}, whichever has the {'larger' if best.top else 'smaller'} {self._measure(best.measure)}"
        conditions = [self._item(i, spoken(node_type)) for i in items]
        return f"{plural(spoken(node_type))}{' ' if conditions else ''}{' and '.join(conditions)}"

    def _item(self, item: Item, noun: str) -> str:
        """A condition on nodes that are called `noun`, as a clause behind it."""
        match item:
            case Test():
                return self._test(item)
            case Hop():
                return self._hop(item, noun)
            case Not():
                return f"except those {self._item(item.item, noun)}"
            case Either():
                return f"{self._item(item.first, noun)} or {self._item(item.second, noun)}"
            case Compared():
                return self._compared(item)
            case All():
                step = self._shape.steps[item.hop.view]
                said = self._hop(item.hop, noun, f"all {self._node(step.target, item.hop.items)}")
                return said.replace(" is one of all ", " includes all ")
            case _:
                return self._best(item)

    def _compared(self, item: Compared) -> str:
        match item.value:
            case Measure() as other:
                return f"whose {self._measure(item.measure)} {COMPARED[item.operator]} the {self._measure(other)}"
            case Span(than=True) as other:
                return f"whose {self._measure(item.measure)} {COMPARED[item.operator]} that of {self._value(other)}"
            case value:
                if item.measure.kind != "CNT" or item.measure.path is None:
                    return (
                        f"whose {self._measure(item.measure)} {COMPARED[item.operator]} {self._value(value)}"
                    )
                return (
                    f"with {COUNTED[item.operator]} {self._value(value)} {self._reached(item.measure.path)}"
                )

    def _best(self, best: Best) -> str:
        number = "" if best.limit in (None, Constant(1)) else f"{self._value(best.limit)} of them "
        return f"{number}with the {'largest' if best.top else 'smallest'} {self._measure(best.measure)}"

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
        values = " or ".join(self._value(v, name) for v in test.values)
        return f"whose {name} {COMPARED[test.operator]} {'that of ' if than else ''}{values}"

    def _hop(self, hop: Hop, noun: str, target: str = "") -> str:
        step = self._shape.steps[hop.view]
        self._nodes |= {hop.name: f"that {spoken(step.target)}"} if hop.name else {}
        named = f"the same {spoken(step.target)}" if hop.same else self._named(hop)
        named = ITSELF if hop.same == ITSELF else named
        target = target or named or f"the {self._node(step.target, hop.items)}"
        ends = (plural(spoken(step.source)), plural(spoken(step.target)))
        said = (
            described(plural(noun), step.link.name, step.out, target, ends, not named)
            .removeprefix(plural(noun))
            .strip()
        )
        return f"{said}{IN_STEPS}" if hop.star else said

    def _named(self, hop: Hop) -> str:
        """The name of the node at the end of a hop, where its name is all that is said of it."""
        match hop.items:
            case [Test(held, "EQ", [Span() as value])] if self._is_name(held):
                return self._values[value.index].text
        return ""

    def _is_name(self, held: str) -> bool:
        return spoken(self._shape.properties[held].name).rpartition(" ")[2] in _NAMES

    def _reached(self, hop: Hop) -> str:
        """The nodes that a hop leads to from something: `festivals that it plays`."""
        step = self._shape.steps[hop.view]
        noun = self._node(step.target, hop.items)
        ends = (plural(spoken(step.source)), plural(spoken(step.target)))
        told = (is_verb(step.link.name) or step.source == step.target) and not hop.items
        return described(noun, step.link.name, not step.out, "it", ends) if told else noun

    def _measure(self, measure: Measure) -> str:
        if measure.kind == "COUNT":
            return "number of them"
        if measure.path is None:
            most = "" if measure.kind == "PROPERTY" else f"{MEASURED[measure.kind]} "
            return f"{most}{spoken(self._shape.properties[measure.held].name)}"
        if measure.kind == "CNT":
            return f"number of {self._reached(measure.path)}"
        far = self._reached(measure.path)
        if measure.beyond is not None:
            far = f"{self._reached(measure.beyond)} of the {far}"
            if measure.kind == "VALUES":
                return f"number of different {far}"
        return f"{MEASURED[measure.kind]} {spoken(self._shape.properties[measure.held].name)} of the {far}"

    def _column(self, c: Column) -> str:
        if c.kind == "COUNT":
            return "number"
        if c.path is not None:
            return self._measure(Measure(c.kind, c.held, c.path, "", c.beyond))
        return f"{MEASURED[c.kind]} {spoken(self._shape.properties[c.held].name) if c.held else ''}"

    def _value(self, value: Value, compared: str = "") -> str:
        match value:
            case Constant():
                return str(value.number)
            case Span():
                v = self._values[value.index]
                amount = v.amount(compared)
                if amount != v.number and amount is not None:  # "2 hours" of minutes
                    return f"{amount:,g}"
                return v.text if v.kind in ("number", "date") else f"“{v.text}”"
            case Mean():
                return f"the average {spoken(self._shape.properties[value.held].name)}"
            case Other(node=""):
                return f"its {spoken(self._shape.properties[value.held].name)}"
            case _:
                other = self._nodes.get(value.node, "the other")
                return f"the {spoken(self._shape.properties[value.held].name)} of {other}"
