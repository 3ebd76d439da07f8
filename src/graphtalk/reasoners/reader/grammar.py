"""The grammar of readings: which action may follow which, and how the tree of a reading is written as actions.

    form    NONE | TYPE item* UP tail
    item    PROPERTY test | VIEW [STAR] (REF var | item* UP) | NOT item | OR item item
            | measure comparison value | (TOP | BOTTOM) measure [LIMIT value]
    test    comparison value (ALSO value)* | NULL | NOTNULL | YES | NO
    value   a span of the question | N0 | N1 | N2 | THAN span | var PROPERTY
    measure PROPERTY | var PROPERTY | CNT path | AGGREGATE path [path] PROPERTY | VALUES path path
    path    VIEW [STAR] item* UP
    tail    ASK END | SHARE END | RETURN column+ [(TOP | BOTTOM) (measure | COUNT | AGGREGATE PROPERTY)] [LIMIT value] END
    column  NODE | PROPERTY | var [PROPERTY] | COUNT | AGGREGATE PROPERTY | AGGREGATE path [path] PROPERTY | CNT path
            | VALUES path path

Where no column is the node itself, but some are its properties and others numbers, rows are groups of nodes that have the same properties.

An AGGREGATE is AVG, SUM, MIN, MAX or VALUES (how many different ones; over two paths: how many different nodes). Over two paths it is of what
the second leads to from all that the first leads to.

What a path under a measure reaches belongs to the measure alone: nothing outside refers to it, but every view of the
reading has a number, in the order of the actions (the root is V0), and columns, orders and REF name it so.
The state is a stack of what is still expected, so the actions that may come next are known at each step.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from graphtalk.reasoners.reader.shape import Held, Shape

MOST_VARIABLES = 6
VARIABLES = tuple(f"V{i}" for i in range(MOST_VARIABLES))
CONSTANTS = ("N0", "N1", "N2")
AGGREGATES = ("AVG", "SUM", "MIN", "MAX", "VALUES")
ORDERED = ("LT", "LE", "GT", "GE")
TESTS = {
    "text": ("EQ", "NE", "HAS", "STARTS", "ENDS", *ORDERED, "NULL", "NOTNULL"),
    "number": ("EQ", "NE", *ORDERED, "NULL", "NOTNULL"),
    "date": ("EQ", "NE", *ORDERED, "NULL", "NOTNULL"),
    "boolean": ("YES", "NO", "NULL", "NOTNULL"),
    "list": ("EQ", "HAS", "NULL", "NOTNULL"),
}
COMPARED = ("EQ", "NE", *ORDERED)
FIXED = (
    "PAD",
    "START",
    "END",
    "NONE",
    "UP",
    "NOT",
    "OR",
    "STAR",
    "REF",
    "CNT",
    *AGGREGATES,
    "COUNT",
    *COMPARED,
    "HAS",
    "STARTS",
    "ENDS",
    "NULL",
    "NOTNULL",
    "YES",
    "NO",
    "ALSO",
    "THAN",
    "RETURN",
    "NODE",
    "TOP",
    "BOTTOM",
    "LIMIT",
    "ASK",
    "SHARE",
    *VARIABLES,
    *CONSTANTS,
)
"""Actions that point to nothing. Their order is that of the network's outputs."""

MOST_DEPTH = 4
MOST_ITEMS = 6


@dataclass(frozen=True)
class Expected:
    """One thing still to come. `kind` is a rule; the rest is what the rule needs to know."""

    kind: str
    type: str = ""
    link: str = ""
    held: str = ""
    depth: int = 0
    count: int = 0
    operator: str = ""


@dataclass(frozen=True)
class State:
    """What is still expected, the top last, and the type and link that each variable stands for."""

    stack: tuple[Expected, ...] = (Expected("form"),)
    variables: tuple[tuple[str, str], ...] = ()

    @property
    def done(self) -> bool:
        """Whether the reading is whole."""
        return not self.stack


class Grammar:
    """The grammar over one schema. `values` are the actions of the question's spans, with their kinds.

    `owners`: the properties that are known to have a value. Such a value equals no other property, but for those in
    `free`, of whose texts nothing is known.
    """

    def __init__(
        self,
        shape: Shape,
        values: dict[str, str],
        owners: Mapping[str, Collection[str]] | None = None,
        free: Collection[str] = (),
    ) -> None:
        self.shape = shape
        self.values = values
        self._owners = owners or {}
        self._free = free
        self._numbers = tuple(a for a, kind in values.items() if kind in ("number", "date"))
        self._named = tuple(a for a, kind in values.items() if kind != "number")

    def allowed(self, state: State) -> set[str]:
        """The actions that may come next."""
        found: set[str] = set()
        for at in range(len(state.stack) - 1, -1, -1):
            actions, optional = self._of(state.stack[at], state)
            found.update(actions)
            if not optional:
                break
        return found

    def advance(self, state: State, action: str) -> State:
        """The state after an allowed action. Raises ValueError for any other."""
        stack = state.stack
        while stack:
            top, stack = stack[-1], stack[:-1]
            actions, optional = self._of(top, state)
            if action in actions:
                new, variables = self._then(top, action, state)
                return State((*stack, *reversed(new)), variables)
            if not optional:
                break
        raise ValueError(f"{action} cannot stand there.")

    def _of(self, top: Expected, state: State) -> tuple[tuple[str, ...], bool]:
        """What a rule may begin with, and whether it may be left out."""
        shape = self.shape
        match top.kind:
            case "form":
                return ("NONE", *(f"T:{t}" for t in shape.types)), False
            case "items" | "item" | "body" | "path":
                return self._items(top, state), False
            case "view":
                return shape.steps_from.get(top.type, ()), False
            case "reference":
                fit = [VARIABLES[i] for i, (t, _) in enumerate(state.variables) if t == top.type]
                return tuple(fit), False
            case "test":
                return TESTS[shape.properties[top.held].kind], False
            case "value":
                return self._value(top, state), False
            case "number":
                return (*self._numbers, *CONSTANTS), False
            case "than":
                return self._named, False
            case "also":
                return (("ALSO",) if top.count < 4 else ()), True
            case "comparison":
                return COMPARED, False
            case "limit":
                return ("LIMIT",), True
            case "measure":
                held = self._held(top.type, top.link)
                others = (*VARIABLES[1 : len(state.variables)], "COUNT", *AGGREGATES) if top.count else ()
                return (
                    *held,
                    *others,
                    *(("CNT", *AGGREGATES) if shape.steps_from.get(top.type) else ()),
                ), False
            case "of":
                owner, link = state.variables[int(top.held[1:])]
                return self._held(owner, link), False
            case "number of":
                views = () if top.count else shape.steps_from.get(top.type, ())
                return (*self._counted(top), *views), False
            case "aggregated":
                return (*self._counted(top), *shape.steps_from.get(top.type, ())), False
            case "tail":
                return ("RETURN", "ASK", "SHARE"), False
            case "column" | "columns":
                if top.count >= 4:
                    return (), True
                held = shape.held_by.get(top.type, ())
                others = VARIABLES[1 : len(state.variables)]
                return ("NODE", "COUNT", "CNT", *AGGREGATES, *held, *others), top.kind == "columns"
            case "own":
                owner, link = state.variables[int(top.held[1:])]
                return self._held(owner, link), True
            case "order":
                return ("TOP", "BOTTOM"), True
            case _:
                return ("END",), False

    def _items(self, top: Expected, state: State) -> tuple[str, ...]:
        held = self._held(top.type, top.link)
        deep = top.depth >= MOST_DEPTH or len(state.variables) >= MOST_VARIABLES
        steps = () if deep else self.shape.steps_from.get(top.type, ())
        measured = ("CNT", *AGGREGATES) if steps else ()
        if top.kind == "item":
            return (*held, *steps, *measured, "NOT", "OR") if top.count < 3 else (*held, *steps)
        first = ("STAR", "REF") if top.kind == "body" else ("STAR",) if top.kind == "path" else ()
        if top.count >= MOST_ITEMS:
            return ("UP",)
        return (*first, *held, *steps, *measured, "NOT", "OR", "TOP", "BOTTOM", "UP")

    def _held(self, node_type: str, link: str) -> tuple[str, ...]:
        return (*self.shape.held_by.get(node_type, ()), *(self.shape.held_by.get(link, ()) if link else ()))

    def _counted(self, top: Expected) -> tuple[str, ...]:
        """The properties that an aggregate (`held`) can be worked out of."""
        held = self._held(top.type, top.link)
        kinds = ("number", "date") if top.held in ("MIN", "MAX") else ("number",)
        return (
            held if top.held == "VALUES" else tuple(a for a in held if self.shape.properties[a].kind in kinds)
        )

    def _may_be(self, value: str, top: Expected) -> bool:
        """Whether a property can equal a value, as far as is known."""
        owners = self._owners.get(value)
        if not owners or top.operator not in ("EQ", "NE") or self.shape.properties[top.held].kind != "text":
            return True
        return top.held in owners or top.held in self._free

    def _value(self, top: Expected, state: State) -> tuple[str, ...]:
        held = self.shape.properties[top.held]
        fit = tuple(a for a, kind in self.values.items() if fits(held, kind) and self._may_be(a, top))
        constants = CONSTANTS if held.kind == "number" else ()
        others = VARIABLES[: len(state.variables)]
        return (*fit, *constants, *others, *(("THAN",) if self._named else ()))

    def _then(
        self, top: Expected, action: str, state: State
    ) -> tuple[list[Expected], tuple[tuple[str, str], ...]]:
        """What a rule expects after an action that it allows, the next first, and the variables then known."""
        seen = state.variables
        if action.startswith("T:"):
            node_type = action[2:]
            return [Expected("items", node_type), Expected("tail", node_type)], ((node_type, ""),)
        match top.kind:
            case "items" | "item" | "body" | "path":
                return self._after_item(top, action, seen)
            case "view":
                return self._enter(action, top.depth, "path", seen, top.held)
            case "test":
                if action in ("NULL", "NOTNULL", "YES", "NO"):
                    return [], seen
                also = (
                    [Expected("also", held=top.held, operator=action)]
                    if action in ("EQ", "HAS", "NE")
                    else []
                )
                return [Expected("value", held=top.held, operator=action), *also], seen
            case "value":
                if action == "THAN":
                    return [Expected("than")], seen
                if action in VARIABLES:
                    return [Expected("of", held=action)], seen
                return [], seen
            case "also":
                return [
                    Expected("value", held=top.held, operator=top.operator),
                    Expected("also", held=top.held, count=top.count + 1, operator=top.operator),
                ], seen
            case "comparison":
                return [Expected("number")], seen
            case "limit":
                return [Expected("number")], seen
            case "measure":
                return self._after_measure(top, action, seen)
            case "number of":
                if action in self.shape.steps:
                    return self._enter(action, 1, "path", seen, "" if top.held == "VALUES" else top.held, 1)
                return [], seen
            case "aggregated":
                if action in self.shape.steps:
                    return self._enter(action, 1, "path", seen, top.held)
                return [], seen
            case "tail":
                if action == "RETURN":
                    t = top.type
                    return [
                        Expected("column", t),
                        Expected("order", t),
                        Expected("limit"),
                        Expected("end"),
                    ], seen
                return [Expected("end")], seen
            case "column" | "columns":
                more = Expected("columns", top.type, count=top.count + 1)
                if action in VARIABLES:
                    return [Expected("own", held=action), more], seen
                if action == "CNT":
                    return [Expected("view", top.type, depth=1), more], seen
                if action in AGGREGATES:
                    return [Expected("aggregated", top.type, held=action), more], seen
                return [more], seen
            case "order":
                return [Expected("measure", top.type, count=1)], seen
            case _:
                return [], seen

    def _after_item(
        self, top: Expected, action: str, seen: tuple[tuple[str, str], ...]
    ) -> tuple[list[Expected], tuple[tuple[str, str], ...]]:
        again = (
            []
            if top.kind == "item"
            else [Expected("items", top.type, top.link, depth=top.depth, count=top.count + 1)]
        )
        one = Expected(
            "item", top.type, top.link, depth=top.depth, count=top.count + 1 if top.kind == "item" else 0
        )
        if action == "UP":
            return [], seen
        if action == "STAR":
            kind = "body" if top.kind == "body" else "items"
            return [
                Expected("items" if kind == "items" else "body", top.type, top.link, depth=top.depth)
            ], seen
        if action == "REF":
            return [Expected("reference", top.type)], seen
        if action in self.shape.properties:
            return [Expected("test", held=action), *again], seen
        if action in self.shape.steps:
            new, variables = self._enter(action, top.depth + 1, "body", seen)
            return [*new, *again], variables
        if action == "NOT":
            return [one, *again], seen
        if action == "OR":
            return [one, one, *again], seen
        if action == "CNT":
            view = Expected("view", top.type, depth=top.depth + 1)
            return [view, Expected("comparison"), *again], seen
        if action in AGGREGATES:
            view = Expected("view", top.type, held=action, depth=top.depth + 1)
            return [view, Expected("comparison"), *again], seen
        measure = Expected("measure", top.type, top.link)
        return [measure, Expected("limit"), *again], seen

    def _after_measure(
        self, top: Expected, action: str, seen: tuple[tuple[str, str], ...]
    ) -> tuple[list[Expected], tuple[tuple[str, str], ...]]:
        if action in VARIABLES:
            return [Expected("of", held=action)], seen
        if action == "CNT":
            return [Expected("view", top.type, depth=1)], seen
        if action in AGGREGATES:
            kind = "aggregated" if top.count else "view"
            return [Expected(kind, top.type, held=action, depth=1)], seen
        return [], seen

    def _enter(
        self,
        action: str,
        depth: int,
        kind: str,
        seen: tuple[tuple[str, str], ...],
        aggregate: str = "",
        paths: int = 0,
    ) -> tuple[list[Expected], tuple[tuple[str, str], ...]]:
        """What follows a view; of an `aggregate` what it is worked out of, after so many `paths` before this one."""
        step = self.shape.steps[action]
        link = step.link.key
        after = [Expected("number of", step.target, link, held=aggregate, count=paths)] if aggregate else []
        return [Expected(kind, step.target, link, depth=depth), *after], (*seen, (step.target, link))


def fits(held: Held, kind: str) -> bool:
    """Whether a value of this kind can be compared with a property."""
    if held.kind == "number":
        return kind == "number"
    return True
