"""WITH and RETURN: columns, groups, DISTINCT, an order, SKIP and LIMIT; UNION and UNWIND.

The order of work is what keeps it cheap: what is sorted and cut are the rows before the columns are worked out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphtalk.calls.query import (
    Apply,
    Entry,
    Map,
    Projection,
    Property,
    SortItem,
    Term,
    Unwind,
    Variable,
)
from graphtalk.calls.query import Column as Named
from graphtalk.core import CheckError, ToolError
from graphtalk.engines.arrays.aggregates import aggregate
from graphtalk.engines.arrays.columns import (
    Shared,
    codes,
    column_of,
    concat,
    entry,
    first_rows,
    flat,
    integers,
    joint,
    lists,
    missing,
    plain,
)
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.rows import MISSING, OUTER, Column, Lists, Mixed, Origin, Rows, Values
from graphtalk.engines.arrays.scalars import describe
from graphtalk.engines.arrays.scope import aggregates, names, rewritten
from graphtalk.engines.arrays.terms import evaluate, shared
from graphtalk.engines.naming import NAMING, folded
from graphtalk.graphs.adjacency import Ints


def project(projection: Projection, rows: Rows, frame: Frame) -> Rows:
    """The rows of a WITH or a RETURN. In a subquery, for each of the rows that it runs for."""
    columns = _columns(projection, rows)
    order = projection.order
    sums = frame.plans.once(projection, "sums", lambda: bool(aggregates((projection.columns, order))))
    if sums:
        rows, columns, order = _grouped(rows, columns, order, frame)
    if projection.distinct:
        rows, columns, order = _distinct(rows, columns, order, frame)
    known = {c.name: c.value for c in columns}
    keys = [
        replace(o, by=rewritten(o.by, lambda t: known.get(t.name) if isinstance(t, Variable) else None))
        for o in order
    ]
    rows = _cut(projection, keys, rows, frame)
    frame.meter.take(rows.size, 8 * len(columns))
    made = {c.name: evaluate(c.value, rows, frame) for c in columns}
    return _made(rows, made, Origin(rows, np.arange(rows.size)), frame)


def _columns(projection: Projection, rows: Rows) -> tuple[Named, ...]:
    all_names = [name for name in rows.columns if not name.startswith("\0")] if projection.everything else []
    columns = (*(Named(Variable(name), name) for name in all_names), *projection.columns)
    named = [c.name for c in columns]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice is not None:
        raise CheckError(f"Two columns are called {twice!r}; give one another name with AS.")
    if any(name.startswith("\0") for name in named):
        raise CheckError("The name of a column cannot begin with a NUL.")
    return columns


def _made(rows: Rows, columns: dict[str, Column], origin: Origin, frame: Frame) -> Rows:
    if frame.outer is not None:
        columns = {**columns, OUTER: rows.columns[OUTER]}
    return Rows(rows.size, columns, (origin,))


def _outer(rows: Rows) -> Ints:
    """In a subquery, which row each row is for."""
    column = rows.columns[OUTER]
    assert isinstance(column, Values)
    return plain(column.array)


# groups


def _grouped(
    rows: Rows, columns: tuple[Named, ...], order: tuple[SortItem, ...], frame: Frame
) -> tuple[Rows, tuple[Named, ...], tuple[SortItem, ...]]:
    """One row for each combination of the columns without an aggregate; columns and order in terms of these rows."""
    keys = [c for c in columns if not aggregates(c.value)]
    keys = [*keys, *_inside_maps(columns, {c.value for c in keys})]
    given = {c.name: shared(c.value, rows, frame) for c in keys}
    groups, count = _groups(rows, list(given.values()), frame)
    first = first_rows(groups, count) if keys else np.empty(0, np.int64)
    found: dict[str, Column] = {name: column.take(first).column for name, column in given.items()}
    frame.meter.take(count, 8 * (len(columns) + 1))
    calls = list(dict.fromkeys(a for c in columns for a in aggregates(c.value)))
    calls += [a for o in order for a in aggregates(o.by) if a not in calls]
    spots: dict[Term, Term] = {a: Variable(f"\0{place}") for place, a in enumerate(calls)}
    for call, spot in spots.items():
        assert isinstance(spot, Variable) and isinstance(call, Apply)
        frame.meter.look()
        found[spot.name] = aggregate(call, rows, groups, count, frame)
    for column in keys:
        spots.setdefault(column.value, Variable(column.name))
    if frame.outer is not None:
        found[OUTER] = integers(_outer(rows)[first] if keys else np.arange(count))
    grouped = Rows(count, found, (Origin(rows, group=groups),))
    return (
        grouped,
        tuple(replace(c, value=_regrouped(c.value, spots, rows, grouped)) for c in columns),
        tuple(replace(o, by=_replaced(o.by, spots)) for o in order),
    )


def _inside_maps(columns: Sequence[Named], known: set[Term]) -> list[Named]:
    """What `n {.name, all: collect(x)}` is grouped by beside the columns: `n` itself."""
    found: dict[Term, None] = {}
    for column in columns:
        if isinstance(column.value, Map) and aggregates(column.value):
            own = [
                e.value for e in column.value.entries if isinstance(e.value, Property) and _own(e, e.value)
            ]
            found |= {p.of: None for p in own if isinstance(p.of, Variable)}
    return [Named(term, f"\0by{place}") for place, term in enumerate(found) if term not in known]


def _own(entry: Entry, value: Property) -> bool:
    """Whether an entry of a map is `.name`, under the name that the schema has for it."""
    asked = folded(entry.name)
    return asked == folded(value.name) or asked in ("name", "id", *map(folded, NAMING))


def _groups(rows: Rows, keys: Sequence[Shared], frame: Frame) -> tuple[Ints, int]:
    """Which group each row is in, and how many groups. Without keys all rows are one group, and so are no rows."""
    if not keys:
        return (np.zeros(rows.size, np.int64), 1) if frame.outer is None else (_outer(rows), frame.outer)
    each = [key.codes() for key in keys]
    if frame.outer is not None:
        each.append(codes(rows.columns[OUTER]))
    return joint(each, rows.size)


def _replaced(term: Term, spots: dict[Term, Term]) -> Term:
    return rewritten(term, lambda t: spots.get(t))


def _regrouped(term: Term, spots: dict[Term, Term], rows: Rows, grouped: Rows) -> Term:
    found = _replaced(term, spots)
    loose = sorted(n for n in names(found) if n in rows.columns and n not in grouped.columns)
    if loose:
        raise CheckError(
            f"{loose[0]!r} stands beside an aggregate but is not grouped by: give it a column of its own, or WITH it first."
        )
    return found


def _distinct(
    rows: Rows, columns: tuple[Named, ...], order: tuple[SortItem, ...], frame: Frame
) -> tuple[Rows, tuple[Named, ...], tuple[SortItem, ...]]:
    """Rows that differ, the first of each; columns and order in terms of these rows."""
    frame.meter.take(rows.size, 8 * len(columns))
    made = {c.name: shared(c.value, rows, frame) for c in columns}
    groups, count = _groups(rows, list(made.values()), frame)
    first = first_rows(groups, count)
    kept = {name: column.take(first).column for name, column in made.items()}
    if frame.outer is not None:
        kept[OUTER] = rows.columns[OUTER].take(first)
    spots: dict[Term, Term] = {}
    for c in columns:
        spots.setdefault(c.value, Variable(c.name))
    distinct = Rows(count, kept, (Origin(rows, group=groups),))
    new_order = tuple(replace(o, by=_replaced(o.by, spots)) for o in order)
    for o in new_order:
        loose = sorted(n for n in names(o.by) if n in rows.columns and n not in kept)
        if loose:
            raise CheckError(f"After DISTINCT the order can use the columns only, not {loose[0]!r}.")
    return distinct, tuple(Named(Variable(c.name), c.name) for c in columns), new_order


# order


@dataclass(frozen=True)
class _Span:
    """What SKIP and LIMIT keep of each run of rows. `limit` None: all."""

    skip: int
    limit: int | None

    @property
    def end(self) -> int | None:
        return None if self.limit is None else self.skip + self.limit


def _cut(projection: Projection, order: Sequence[SortItem], rows: Rows, frame: Frame) -> Rows:
    """The rows in their order, with what SKIP and LIMIT leave."""
    limit = _number(projection.limit, "LIMIT", rows, frame)
    span = _Span(_number(projection.skip, "SKIP", rows, frame) or 0, limit)
    if not order and not span.skip and span.limit is None:
        return rows
    keys = []
    for each in order:
        frame.meter.look()
        key = shared(each.by, rows, frame).sort_key()
        keys.append(~key if each.descending else key)
    if frame.outer is not None:
        return rows.take(_cut_each(_outer(rows), keys, span))
    if not keys:
        return rows.take(np.arange(rows.size)[span.skip : span.end])
    sorted_rows = _first(keys, rows.size, span.end)
    kept = sorted_rows[span.skip : span.end]
    if span.limit and len(kept) == span.limit and span.end is not None:
        last = kept[-1]
        tied = np.ones(rows.size, np.bool_)
        for key in keys:
            tied &= key == key[last]
        more = int(tied.sum()) - int(tied[sorted_rows[: span.end]].sum())
        if more:
            share = "1 more row shares" if more == 1 else f"{more:,} more rows share"
            frame.remark(f"LIMIT {span.limit} left out rows as good as the last one kept: {share} its place.")
    return rows.take(kept)


def _first(keys: Sequence[Ints], size: int, end: int | None) -> Ints:
    """The first `end` rows by the keys, earlier rows first among equals; all where `end` is None.

    Where few are wanted, only rows whose first key is among the best so many are sorted.
    """
    if end is None or 4 * end > size or end == 0:
        return np.lexsort(tuple(reversed(keys)))[:end]
    bar = np.partition(keys[0], end - 1)[end - 1]
    near = np.flatnonzero(keys[0] <= bar)
    return near[np.lexsort(tuple(reversed([key[near] for key in keys])))[:end]]


def _cut_each(outer: Ints, keys: Sequence[Ints], span: _Span) -> Ints:
    """The same for the rows of each row that a subquery runs for."""
    order = np.lexsort((*reversed(keys), outer))
    runs = outer[order]
    starts = np.flatnonzero(np.diff(runs, prepend=-1))
    place = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    kept = place >= span.skip
    if span.end is not None:
        kept &= place < span.end
    return order[kept]


def _number(term: Term | None, name: str, rows: Rows, frame: Frame) -> int | None:
    if term is None:
        return None
    if any(n in rows.columns for n in names(term)):
        raise CheckError(f"{name} needs one number for all rows, not a variable.")
    value = entry(evaluate(term, Rows(1), frame), 0)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ToolError(f"{name} needs a whole number from 0, not {describe(value, frame)}.")
    return value


# UNWIND and UNION


def unwind(clause: Unwind, rows: Rows, frame: Frame) -> Rows:
    """A row for each entry of the list in each row; none for null, one for a value that is no list."""
    column = evaluate(clause.value, rows, frame)
    items, of = flat(column if isinstance(column, Lists) else _singles(column), frame)
    frame.meter.take(len(of), 8 * (len(rows.columns) + 1))
    before = rows.take(of)
    return Rows(len(of), {**before.columns, clause.variable: items}, before.origins)


def _singles(column: Column) -> Lists:
    """Each value as a list of itself, if it is none already."""
    if isinstance(column, Mixed):
        listed = column_of([v if v is None or isinstance(v, list) else [v] for v in column.values])
        assert isinstance(listed, Lists)
        return listed
    there = ~missing(column)
    return lists(there.astype(np.int64), column.take(np.flatnonzero(there)))


def union(parts: Sequence[Rows], repeats: bool, frame: Frame) -> Rows:
    """The rows of several queries, one after another; without `repeats` those that differ.

    Raises CheckError where their columns are called otherwise.
    """
    if len(parts) == 1:
        return parts[0]
    named = [set(part.columns) - {OUTER} for part in parts]
    other = next((found for found in named if found != named[0]), None)
    if other is not None:
        raise CheckError(
            f"All parts of a UNION need the same columns: {', '.join(sorted(named[0]))} and {', '.join(sorted(other))} differ."
        )
    size = sum(part.size for part in parts)
    frame.meter.take(size, 8 * len(parts[0].columns))
    columns = {name: concat([part.columns[name] for part in parts]) for name in parts[0].columns}
    origins, start = [], 0
    for part in parts:
        at = np.full(size, MISSING, np.int64)
        at[start : start + part.size] = np.arange(part.size)
        origins.append(Origin(part, at))
        start += part.size
    together = Rows(size, columns, tuple(origins))
    if repeats or not columns:
        return together
    groups, count = joint([codes(column) for column in columns.values()], size)
    kept = {name: column.take(first_rows(groups, count)) for name, column in columns.items()}
    return Rows(count, kept, (Origin(together, group=groups),))
