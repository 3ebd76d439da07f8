"""Which names a term uses, and terms put in place of others."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

from graphtalk.calls.query import (
    Apply,
    Comprehension,
    EdgePattern,
    NodePattern,
    Pattern,
    PatternComprehension,
    Quantified,
    Reduce,
    Subquery,
    Term,
    Unwind,
    Variable,
    parts_of,
)
from graphtalk.engines.arrays.functions import AGGREGATES

Part = TypeVar("Part")


def _fields(part: object) -> tuple[str, ...] | None:
    """The names of the fields of a dataclass's instance; None of any other. Asking the class each time is what costs."""
    kind: Any = type(part)
    return _fields_of(kind)


@cache
def _fields_of(kind: Any) -> tuple[str, ...] | None:
    return tuple(f.name for f in fields(kind)) if is_dataclass(kind) else None


def names(term: object) -> set[str]:
    """Every name that a term uses or binds: at least its free variables."""
    found = set()
    for part in parts_of(term):
        if isinstance(part, Variable):
            found.add(part.name)
        elif isinstance(part, NodePattern | EdgePattern | Pattern | Unwind):
            found.add(part.variable)
    return found


def bound(term: object) -> tuple[str, ...]:
    """The names that a term binds for a part of itself."""
    if isinstance(term, Comprehension | Quantified):
        return (term.variable,)
    return (term.total, term.variable) if isinstance(term, Reduce) else ()


def aggregates(term: object) -> list[Apply]:
    """The aggregates in a term, outermost; those inside a subquery are its own."""
    if isinstance(term, Apply) and term.function in AGGREGATES:
        return [term]
    if isinstance(term, Subquery | PatternComprehension):
        return []
    inside = term if isinstance(term, tuple) else [getattr(term, name) for name in _fields(term) or ()]
    return [found for part in inside for found in aggregates(part)]


def rewritten(part: Part, change: Callable[[Term], Term | None]) -> Part:
    """The part with what `change` gives in place of each term for which it gives anything, outermost first.

    What a comprehension, a quantifier or a reduction binds hides the name outside: terms that use it stay.
    """

    def hidden(term: Term, inside: tuple[str, ...]) -> Term | None:
        return None if inside and names(term) & set(inside) else change(term)

    return _rewritten(part, hidden, ())


def _rewritten(
    part: Part, change: Callable[[Term, tuple[str, ...]], Term | None], hidden: tuple[str, ...]
) -> Part:
    if isinstance(part, tuple):
        each_made = tuple([_rewritten(each, change, hidden) for each in part])
        same = all(one is other for one, other in zip(each_made, part, strict=True))
        return part if same else each_made  # type: ignore[return-value]
    inside = _fields(part)
    if inside is None:
        return part
    changed = change(part, hidden)  # type: ignore[arg-type]
    if changed is not None:
        return changed  # type: ignore[return-value]
    inner = (*hidden, *bound(part))
    made = {name: _rewritten(getattr(part, name), change, inner) for name in inside}
    if all(value is getattr(part, name) for name, value in made.items()):
        return part
    return replace(part, **made)  # type: ignore[type-var]
