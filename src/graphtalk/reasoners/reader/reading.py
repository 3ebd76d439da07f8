"""A reading of a question: a tree, and the same as a row of actions (`grammar.py`).

Nodes of the reading have names: `V0` is what is asked for, the others are numbered in the order of the actions.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from graphtalk.reasoners.reader.grammar import AGGREGATES, COMPARED, CONSTANTS, VARIABLES
from graphtalk.reasoners.reader.shape import Shape


@dataclass(frozen=True)
class Span:
    """A value of the question, by its place among them. `than`: the property of the node of this name."""

    index: int
    than: bool = False


@dataclass(frozen=True)
class Constant:
    """0, 1 or 2, which no word of the question says."""

    number: int


@dataclass(frozen=True)
class Other:
    """The property of another node of the reading; of the same where `node` is empty."""

    node: str
    held: str


@dataclass(frozen=True)
class Mean:
    """The average of a property over all nodes that have it."""

    held: str


Value: TypeAlias = Span | Constant | Other | Mean


@dataclass(frozen=True)
class Test:
    """A property's values: any of `values` where there are several."""

    held: str
    operator: str
    values: tuple[Value, ...] = ()


ITSELF = "itself"


@dataclass(frozen=True)
class Hop:
    """Over a view to a node with items of its own, to a node of the reading (`same`), or back to where it begins (ITSELF).

    `anew`: a hop back over the same relation may take the edge that led there: "books by the author of X" are X too.
    """

    view: str
    items: "tuple[Item, ...]" = ()
    star: bool = False
    same: str = ""
    name: str = ""
    anew: bool = False


@dataclass(frozen=True)
class Not:
    """The opposite of an item."""

    item: "Item"


@dataclass(frozen=True)
class Either:
    """One of two items, or both."""

    first: "Item"
    second: "Item"


@dataclass(frozen=True)
class Measure:
    """A number for each node: a property (of another node where `node`), CNT or an aggregate over a path.

    `beyond`: a second path from where the first leads; VALUES counts the nodes that it reaches. Without a path, COUNT and aggregates are of
    each group.
    """

    kind: str
    held: str = ""
    path: Hop | None = None
    node: str = ""
    beyond: Hop | None = None


@dataclass(frozen=True)
class Compared:
    """A measure compared with a number, with another of the same node, or with that of another (a Span with `than`)."""

    measure: Measure
    operator: str
    value: Value | Measure


@dataclass(frozen=True)
class Best:
    """Only the nodes with the largest or smallest measure; one where there is no `limit`."""

    top: bool
    measure: Measure
    limit: Value | None = None


@dataclass(frozen=True)
class All:
    """A hop to every node that fulfils its conditions, of which there is one at least. No action says it."""

    hop: Hop


Item: TypeAlias = Test | Hop | Not | Either | Compared | Best | All


@dataclass(frozen=True)
class Column:
    """What is told. `kind`: NODE (with `held`: its property), COUNT, CNT or an aggregate; `node`: of which."""

    kind: str
    held: str = ""
    path: Hop | None = None
    node: str = "V0"
    beyond: Hop | None = None


@dataclass(frozen=True)
class Reading:
    """`asks`: RETURN, ASK (whether there is one) or SHARE (of all of this type, which part)."""

    type: str
    items: tuple[Item, ...] = ()
    asks: str = "RETURN"
    columns: tuple[Column, ...] = ()
    order: Best | None = None
    limit: Value | None = None


def grouped(reading: Reading) -> bool:
    """Whether rows are groups of the nodes that have the same properties: some columns are such properties, others numbers."""
    keys = [c for c in reading.columns if c.kind == "NODE"]
    return 0 < len(keys) < len(reading.columns) and all(c.held and c.node == "V0" for c in keys)


def of_groups(reading: Reading) -> bool:
    """Whether rows are groups: also such as are ordered by how many they are, or by an aggregate of theirs."""
    order = reading.order.measure if reading.order is not None else None
    return grouped(reading) or (order is not None and order.path is None and order.kind != "PROPERTY")


def written(reading: Reading | None) -> list[str]:
    """The actions of a reading; None is no reading at all. Raises KeyError where a node is named before it comes."""
    if reading is None:
        return ["NONE"]
    return _Writer().form(reading)


class _Writer:
    """Writes trees whose nodes have any names: they are numbered as they come."""

    def __init__(self) -> None:
        self._numbers: dict[str, str] = {"V0": "V0"}
        self._seen = 1

    def form(self, reading: Reading) -> list[str]:
        actions = [f"T:{reading.type}", *self._items(reading.items), "UP", reading.asks]
        if reading.asks == "RETURN":
            for column in reading.columns:
                actions += self._column(column)
            if reading.order is not None:
                actions += self._best(replace(reading.order, limit=None))
            if reading.limit is not None:
                actions += ["LIMIT", *self._value(reading.limit)]
        return [*actions, "END"]

    def _items(self, items: Sequence[Item]) -> list[str]:
        return [action for item in items for action in self._item(item)]

    def _item(self, item: Item) -> list[str]:
        match item:
            case Test():
                values: list[str] = []
                for i, value in enumerate(item.values):
                    values += [*(["ALSO"] if i else []), *self._value(value)]
                return [item.held, item.operator, *values]
            case Hop():
                head = self._enter(item)
                if item.same:
                    return [*head, "REF", self._numbers[item.same]]
                return [*head, *self._items(item.items), "UP"]
            case Not():
                return ["NOT", *self._item(item.item)]
            case Either():
                return ["OR", *self._item(item.first), *self._item(item.second)]
            case Compared():
                if isinstance(item.value, Measure):
                    raise KeyError(item.value.kind)  # no action says it
                return [*self._measure(item.measure), item.operator, *self._value(item.value)]
            case All():
                raise KeyError(item.hop.view)  # no action says it
            case Best():
                return self._best(item)

    def _best(self, best: Best) -> list[str]:
        limit = ["LIMIT", *self._value(best.limit)] if best.limit is not None else []
        return ["TOP" if best.top else "BOTTOM", *self._measure(best.measure), *limit]

    def _enter(self, hop: Hop) -> list[str]:
        if hop.name:
            self._numbers[hop.name] = f"V{self._seen}"
        self._seen += 1
        return [hop.view, *(["STAR"] if hop.star else [])]

    def _measure(self, measure: Measure) -> list[str]:
        if measure.path is None:
            kind = [] if measure.kind == "PROPERTY" else [measure.kind]
            node = [self._numbers[measure.node]] if measure.node else []
            return [*kind, *node, *([measure.held] if measure.held else [])]
        return self._over(measure.kind, measure.held, measure.path, measure.beyond)

    def _over(self, kind: str, held: str, path: Hop, beyond: Hop | None) -> list[str]:
        actions = [kind]
        for hop in (path, *([beyond] if beyond else [])):
            actions += [*self._enter(hop), *self._items(hop.items), "UP"]
        return [*actions, held] if held else actions

    def _column(self, column: Column) -> list[str]:
        held = [column.held] if column.held else []
        if column.path is not None:
            return self._over(column.kind, column.held, column.path, column.beyond)
        if column.kind != "NODE":
            return [column.kind, *held]
        if column.node == "V0":
            return held or ["NODE"]
        return [self._numbers[column.node], *held]

    def _value(self, value: Value) -> list[str]:
        match value:
            case Span():
                return [*(["THAN"] if value.than else []), f"S:{value.index}"]
            case Constant():
                return [f"N{value.number}"]
            case Other():
                return [self._numbers[value.node], value.held]
            case Mean():
                raise KeyError(value.held)  # no action says it


def parsed(actions: Sequence[str], shape: Shape) -> Reading | None:
    """The reading that actions of the grammar say; None for NONE. Raises ValueError for actions of no reading."""
    if list(actions) == ["NONE"]:
        return None
    return _Parser(actions, shape).form()


class _Parser:
    def __init__(self, actions: Sequence[str], shape: Shape) -> None:
        self._actions = actions
        self._shape = shape
        self._at = 0
        self._seen = 1

    def _peek(self) -> str:
        if self._at >= len(self._actions):
            raise ValueError("The reading ends too early.")
        return self._actions[self._at]

    def _take(self) -> str:
        action = self._peek()
        self._at += 1
        return action

    def _took(self, action: str) -> bool:
        if self._peek() != action:
            return False
        self._at += 1
        return True

    def form(self) -> Reading:
        node_type = self._take()[2:]
        items = self._items()
        asks = self._take()
        columns: list[Column] = []
        order = limit = None
        if asks == "RETURN":
            while self._peek() not in ("TOP", "BOTTOM", "LIMIT", "END"):
                columns.append(self._column())
            if self._peek() in ("TOP", "BOTTOM"):
                order = Best(self._take() == "TOP", self._measure())
            if self._took("LIMIT"):
                limit = self._value()
        if self._take() != "END" or self._at != len(self._actions):
            raise ValueError("The reading does not end where it should.")
        return Reading(node_type, items, asks, tuple(columns), order, limit)

    def _items(self) -> tuple[Item, ...]:
        items = []
        while not self._took("UP"):
            items.append(self._item())
        return tuple(items)

    def _item(self) -> Item:
        action = self._peek()
        if action in self._shape.properties:
            return self._test()
        if action in self._shape.steps:
            return self._hop()
        if action in ("CNT", *AGGREGATES):
            return Compared(self._measure(), self._take(), self._value())
        self._at += 1
        if action == "NOT":
            return Not(self._item())
        if action == "OR":
            return Either(self._item(), self._item())
        if action in ("TOP", "BOTTOM"):
            measure = self._measure()
            return Best(action == "TOP", measure, self._value() if self._took("LIMIT") else None)
        raise ValueError(f"{action} is no condition.")

    def _test(self) -> Test:
        held, operator = self._take(), self._take()
        if operator not in (*COMPARED, "HAS", "STARTS", "ENDS"):
            return Test(held, operator)
        values = [self._value()]
        while self._took("ALSO"):
            values.append(self._value())
        return Test(held, operator, tuple(values))

    def _hop(self) -> Hop:
        view = self._take()
        name = f"V{self._seen}"
        self._seen += 1
        star = self._took("STAR")
        if self._took("REF"):
            return Hop(view, (), star, self._take(), name)
        return Hop(view, self._items(), star, "", name)

    def _measure(self) -> Measure:
        action = self._take()
        if action in VARIABLES:
            return Measure("PROPERTY", self._take(), None, action)
        if action == "CNT":
            return Measure("CNT", "", self._hop())
        if action == "COUNT":
            return Measure(action)
        if action in AGGREGATES:
            if self._peek() not in self._shape.steps:
                return Measure(action, self._take())
            path, held, beyond = self._over(action)
            return Measure(action, held, path, "", beyond)
        return Measure("PROPERTY", action)

    def _over(self, aggregate: str) -> tuple[Hop, str, Hop | None]:
        """A path, with the path beyond it where there is one, and the property of the ends."""
        path = self._hop()
        beyond = self._hop() if self._peek() in self._shape.steps else None
        return path, "" if beyond and aggregate == "VALUES" else self._take(), beyond

    def _column(self) -> Column:
        action = self._take()
        if action in ("NODE", "COUNT"):
            return Column(action)
        if action == "CNT":
            return Column("CNT", "", self._hop())
        if action in AGGREGATES:
            if self._peek() in self._shape.steps:
                path, held, beyond = self._over(action)
                return Column(action, held, path, "V0", beyond)
            return Column(action, self._take())
        if action in VARIABLES:
            held = self._take() if self._peek() in self._shape.properties else ""
            # A property of the root may follow as a column of its own; the writer puts it before other nodes.
            return Column("NODE", held, None, action)
        return Column("NODE", action)

    def _value(self) -> Value:
        action = self._take()
        if action in CONSTANTS:
            return Constant(int(action[1:]))
        if action == "THAN":
            return Span(int(self._take()[2:]), True)
        if action in VARIABLES:
            return Other(action, self._take())
        return Span(int(action[2:]))


def canonical(reading: Reading, shape: Shape) -> Reading:
    """The same reading with what may stand in any order in a fixed order, so that equal readings are equal."""
    sort = _Sorter(shape)
    return replace(
        reading,
        items=sort.items(reading.items),
        columns=tuple(sort.column(c) for c in sorted(reading.columns, key=lambda c: c.node)),
        order=sort.best(reading.order) if reading.order else None,
    )


def repeats(reading: Reading) -> bool:
    """Whether a condition stands twice, or a value of the question is used for two conditions: nobody means that."""
    return _repeated(reading.items) or len(spans := _used(reading.items)) > len(set(spans))


def senseless(reading: Reading, shape: Shape) -> bool:
    """Whether a condition is one that nobody means: to be yes or no, whichever; to have the name of what is named; to like what one likes;
    to be two things at once."""
    return contradicts(reading.items, shape) or any(
        _is_senseless(item, shape, True) for item in reading.items
    )


def contradicts(items: Sequence[Item], shape: Shape) -> bool:
    """Whether a property of one node would have two values: what is "gold and silver" is of either; a list may have both."""
    known: dict[str, tuple[Value, ...]] = {}
    for item in items:
        match item:
            case Test(held, "EQ", values) if shape.properties[held].kind != "list":
                if known.setdefault(held, values) != values:
                    return True
            case Hop() if contradicts(item.items, shape):
                return True
    return False


def _is_senseless(item: Item, shape: Shape, of_root: bool) -> bool:
    """`of_root`: it is a condition on the root itself; a friend may like what the root likes."""
    match item:
        case Test():
            held = shape.properties[item.held]
            same = item.operator == "EQ" and any(isinstance(v, Span) and v.than for v in item.values)
            return (held.naming and same) or (held.kind == "boolean" and item.operator == "NOTNULL")
        case Hop():
            back = [shape.steps[i.view] for i in item.items if isinstance(i, Hop) and i.same == "V0"]
            there = shape.steps[item.view]
            returns = any(step.link == there.link and step.out != there.out for step in back)
            return (of_root and returns) or any(_is_senseless(inner, shape, False) for inner in item.items)
        case Not():
            return _is_senseless(item.item, shape, of_root)
        case Either():
            return any(_is_senseless(each, shape, of_root) for each in (item.first, item.second))
        case _:
            return False


def _repeated(items: Sequence[Item]) -> bool:
    texts = [re.sub(r"name='\w*'", "", repr(i)) for i in items]
    return len(set(texts)) < len(texts) or any(isinstance(i, Hop) and _repeated(i.items) for i in items)


def _used(items: Sequence[Item]) -> list[int]:
    return [index for item in items for index in _spans(item)]


def _either(first: Item, second: Item) -> Item | None:
    """One item for either of two that differ in their value alone; None where there is none."""
    match first, second:
        case Test(), Test() if first.operator in ("EQ", "HAS") and first == replace(
            second, values=first.values
        ):
            return replace(first, values=tuple(dict.fromkeys((*first.values, *second.values))))
        case Hop(items=(one,)), Hop(items=(other,)) if first == replace(
            second, items=first.items, name=first.name
        ):
            inner = _either(one, other)
            return None if inner is None else replace(first, items=(inner,))
    return None


class _Sorter:
    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def items(self, items: Sequence[Item]) -> tuple[Item, ...]:
        return tuple(sorted([self._item(i) for i in items], key=_place))

    def _item(self, item: Item) -> Item:
        match item:
            case Hop():
                return replace(item, items=self.items(item.items))
            case Not():
                return Not(self._item(item.item))
            case Either():
                first, second = sorted((self._item(item.first), self._item(item.second)), key=_place)
                one = _either(first, second)
                return Either(first, second) if one is None else self._item(one)
            case Compared():
                return replace(item, measure=self._measure(item.measure))
            case Best():
                return self.best(item)
            case All():
                return All(replace(item.hop, items=self.items(item.hop.items)))
            case Test():
                return replace(item, values=tuple(sorted(item.values, key=_value_place)))

    def best(self, best: Best) -> Best:
        return replace(best, measure=self._measure(best.measure))

    def _measure(self, measure: Measure) -> Measure:
        return replace(measure, path=self._path(measure.path), beyond=self._path(measure.beyond))

    def column(self, column: Column) -> Column:
        return replace(column, path=self._path(column.path), beyond=self._path(column.beyond))

    def _path(self, path: Hop | None) -> Hop | None:
        return None if path is None else replace(path, items=self.items(path.items))


def _place(item: Item) -> tuple[int, int, str]:
    kinds = (Test, Hop, Not, Either, Compared, Best, All)
    known = 10 if isinstance(item, Hop) and item.same else 0  # what is referred to stands before
    text = re.sub(r"name='\w*'", "", repr(item))
    return kinds.index(type(item)) + known, min(_spans(item), default=99), text


def _value_place(value: Value) -> tuple[int, str]:
    return (value.index if isinstance(value, Span) else 99), repr(value)


def _spans(item: Item) -> list[int]:
    match item:
        case Test():
            return [v.index for v in item.values if isinstance(v, Span)]
        case Hop():
            return [i for inner in item.items for i in _spans(inner)]
        case Not():
            return _spans(item.item)
        case Either():
            return [*_spans(item.first), *_spans(item.second)]
        case Compared():
            paths = [p for p in (item.measure.path, item.measure.beyond) if p is not None]
            inner = [i for path in paths for each in path.items for i in _spans(each)]
            return [*inner, *([item.value.index] if isinstance(item.value, Span) else [])]
        case _:
            return []
