"""Terms worked out for all rows at once: columns in, a column out.

Operators and functions go over whole columns where `kernels.py` has a way, and row by row (`scalars.py`,
`functions.py`) where not. What a term binds itself (`[x IN list | …]`) becomes rows of its own, one for each entry,
and a subquery runs once for all rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.calls.ast import Boolean, Call, Items, NodeRef, Number, Text
from graphtalk.calls.query import (
    Apply,
    Case,
    Comprehension,
    Element,
    Labelled,
    List,
    Map,
    Match,
    Null,
    Operation,
    Parameter,
    Part,
    PatternComprehension,
    Property,
    Quantified,
    Query,
    Reduce,
    Slice,
    Subquery,
    Term,
    Variable,
    parts_of,
)
from graphtalk.core import CallError, CheckError, LimitError, ToolError, choices
from graphtalk.engines.arrays import kernels
from graphtalk.engines.arrays.columns import (
    Mask,
    Same,
    Shared,
    as_lists,
    booleans,
    each,
    entries,
    flat,
    integers,
    lists,
    missing,
    pick,
    placed,
    plain,
    repeated,
    spread,
    values_of,
)
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.functions import AGGREGATES, FUNCTIONS, check, property_of
from graphtalk.engines.arrays.needs import ALL, Need
from graphtalk.engines.arrays.rows import (
    MISSING,
    OUTER,
    TIMES,
    Column,
    Edges,
    Lists,
    Nodes,
    NodeValue,
    Rows,
    Scalar,
    Support,
    Values,
)
from graphtalk.engines.arrays.scalars import OPERATORS, boolean, describe, opening
from graphtalk.engines.arrays.scope import names
from graphtalk.graphs.adjacency import Ints


def evaluate(term: Term, rows: Rows, frame: Frame) -> Column:
    """A term's value in each row.

    Raises CheckError for a name that is not there, ToolError for a value that an operator or a function cannot take.
    """
    return spread(_work(term, rows, frame))


def shared(term: Term, rows: Rows, frame: Frame) -> Shared:
    """The same, worked out once for each node where the term is of one node and the rows have each many times."""
    used = [name for name in names(term) if name in rows.columns]
    column = rows.columns[used[0]] if len(used) == 1 else None
    asks = any(isinstance(part, Subquery | PatternComprehension) for part in parts_of(term))
    many = isinstance(column, Nodes) and not isinstance(term, Variable) and not asks and rows.size > 1000
    if many and isinstance(column, Nodes) and not bool((column.nodes[1:] > column.nodes[:-1]).all()):
        there = np.zeros(frame.graph.num_nodes + 1, np.bool_)
        there[column.nodes] = True  # MISSING is the last place
        nodes = np.flatnonzero(there)
        if 2 * len(nodes) < rows.size:
            place = np.empty(len(there), np.int64)
            place[nodes] = np.arange(len(nodes))
            nodes[nodes == frame.graph.num_nodes] = MISSING
            return Shared(
                evaluate(term, Rows(len(nodes), {used[0]: Nodes(nodes)}), frame), place[column.nodes]
            )
    return Shared(evaluate(term, rows, frame))


def truth(term: Term, rows: Rows, frame: Frame) -> NDArray[np.bool_]:
    """In which rows a condition is true; null is not. Shape (rows,)."""
    return _truths(_work(term, rows, frame), frame)[0]


def _truths(column: Column | Same, frame: Frame) -> tuple[Mask, Mask]:
    """Where a condition is true, and where it is null."""
    if not (isinstance(column, Values) and pa.types.is_boolean(column.array.type)):
        column = spread(each(boolean, [column], len(column), frame))
    null = missing(column)
    assert isinstance(column, Values)
    true = plain(column.array)
    return (true & ~null if column.array.null_count else true, null)


def _work(term: Term, rows: Rows, frame: Frame) -> Column | Same:
    size = rows.size
    match term:
        case Text() | Number() | Boolean():
            return Same(term.value, size)
        case Null():
            return Same(None, size)
        case NodeRef():
            return Same(NodeValue(frame.graph.node(term.id)), size)
        case Parameter():
            if term.name not in frame.parameters:
                raise CheckError(f"No value for ${term.name}. {choices(term.name, frame.parameters)}")
            return Same(frame.parameters[term.name], size)
        case Variable():
            if term.name not in rows.columns:
                known = [name for name in rows.columns if not name.startswith("\0")]
                raise CheckError(f"No variable {term.name!r} here. {choices(term.name, known)}")
            return rows.columns[term.name]
        case Property():
            return _property(_work(term.of, rows, frame), term.name, size, frame)
        case Operation():
            return _operation(term, rows, frame)
        case Apply():
            return _apply(term, rows, frame)
        case Labelled():
            return _labelled(_work(term.of, rows, frame), term.labels, frame)
        case Element():
            return _element(_work(term.of, rows, frame), _work(term.at, rows, frame), size, frame)
        case Slice():
            return _slice(term, rows, frame)
        case Case():
            return _case(term, rows, frame)
        case Map():
            given = [_work(e.value, rows, frame) for e in term.entries]
            keys = [e.name for e in term.entries]
            return (
                each(lambda *v: dict(zip(keys, v, strict=False)), given, size, frame)
                if given
                else Same({}, size)
            )
        case Items() | List():
            return _list([_work(v, rows, frame) for v in term.values], size, frame)
        case Comprehension():
            return _comprehension(term, rows, frame)
        case Quantified():
            return _quantified(term, rows, frame)
        case Reduce():
            return _reduce(term, rows, frame)
        case PatternComprehension():
            return _pattern(term, rows, frame)
        case Subquery():
            return _subquery(term, rows, frame)
        case Call():
            return Same(frame.call(term), size)
    raise CheckError(f"{type(term).__name__} is no term.")


# parts of values


def _property(of: Column | Same, name: str, size: int, frame: Frame) -> Column | Same:
    if isinstance(of, Nodes | Edges):
        return kernels.properties(of, name, frame.graph)
    return each(lambda value, at: property_of(value, name, at), [of], size, frame)


def _labelled(of: Column | Same, labels: tuple[str, ...], frame: Frame) -> Column:
    column = spread(of)
    if isinstance(column, Nodes):
        kinds, known = (
            frame.graph.type_positions(column.nodes),
            [t.name for t in frame.graph.schema.node_types],
        )
        wanted = [all(label == name for label in labels) for name in known]
    elif isinstance(column, Edges):
        kinds = frame.graph.relation_positions(column.edges)
        wanted = [r.name in labels for r in frame.graph.schema.relations]
    elif bool(missing(column).all()):
        return Values(pa.nulls(len(column), pa.bool_()))
    else:
        bad = next(v for v in values_of(column) if v is not None)
        if not isinstance(bad, NodeValue):
            raise ToolError(f"{opening(describe(bad, frame))} has no label.")
        nodes = [v.node if isinstance(v, NodeValue) else MISSING for v in values_of(column)]
        return _labelled(Nodes(np.array(nodes)), labels, frame)
    gone = missing(column)
    return booleans(np.array([*wanted, False])[np.where(gone, len(wanted), kinds)], gone)


def _element(of: Column | Same, at: Column | Same, size: int, frame: Frame) -> Column | Same:
    stretches = of if isinstance(of, Lists) else None
    if stretches is not None and isinstance(at, Same) and type(at.value) is int:
        index = at.value
        places = stretches.starts + index if index >= 0 else stretches.stops + index
        inside = (stretches.starts != MISSING) & (places >= stretches.starts) & (places < stretches.stops)
        return pick(stretches.items, np.where(inside, places, MISSING))
    return each(_entry_of, [of, at], size, frame)


def _entry_of(of: Scalar, at: Scalar, frame: Frame) -> Scalar:
    if of is None or at is None:
        return None
    if isinstance(of, list):
        if isinstance(at, bool) or not isinstance(at, int):
            raise ToolError(f"A place in a list is a whole number, not {describe(at, frame)}.")
        return of[at] if -len(of) <= at < len(of) else None
    if not isinstance(at, str):
        raise ToolError(f"{opening(describe(of, frame))} has no entry {describe(at, frame)}.")
    return property_of(of, at, frame)


def _slice(term: Slice, rows: Rows, frame: Frame) -> Column | Same:
    ends = [Same(0, rows.size) if e is None else _work(e, rows, frame) for e in (term.start, term.end)]
    of = _work(term.of, rows, frame)
    open_end = term.end is None
    if isinstance(of, Lists) and all(isinstance(e, Same) and type(e.value) is int for e in ends):
        start, end = (e.value for e in ends if isinstance(e, Same))
        assert isinstance(start, int) and isinstance(end, int)
        first = of.starts + start if start >= 0 else of.stops + start
        last = of.stops if open_end else of.starts + end if end >= 0 else of.stops + end
        first, last = np.clip(first, of.starts, of.stops), np.clip(last, of.starts, of.stops)
        gone = of.starts == MISSING
        return Lists(
            np.where(gone, MISSING, first), np.where(gone, MISSING, np.maximum(first, last)), of.items
        )

    def cut(value: Scalar, start: Scalar, end: Scalar, at: Frame) -> Scalar:
        if value is None or start is None or end is None:
            return None
        if not isinstance(value, list):
            raise ToolError(f"Only a list has a part `[..]`, not {describe(value, at)}.")
        if type(start) is not int or type(end) is not int:
            raise ToolError(
                f"A place in a list is a whole number, not {describe(start if type(start) is not int else end, at)}."
            )
        return value[start:] if open_end else value[start:end]

    return each(cut, [of, *ends], rows.size, frame)


def _list(given: list[Column | Same], size: int, frame: Frame) -> Column | Same:
    if all(isinstance(g, Same) for g in given):
        return Same([g.value for g in given if isinstance(g, Same)], size)
    width = len(given)
    columns = [spread(column) for column in given]
    # Lists in these columns are joined with all their entries: a list of itself twice, again and again, doubles.
    frame.meter.take(size * width + sum(entries(column) for column in columns), 16)
    parts = ((np.arange(size) * width + place, column) for place, column in enumerate(columns))
    return lists(np.full(size, width), placed(size * width, parts))


# operators and functions


def _operation(term: Operation, rows: Rows, frame: Frame) -> Column | Same:
    if term.operator in ("and", "or") and len(term.operands) == 2:
        return _either(term, rows, frame)
    operands = [_work(operand, rows, frame) for operand in term.operands]
    return operated(term.operator, operands, rows.size, frame)


def operated(operator: str, operands: Sequence[Column | Same], size: int, frame: Frame) -> Column | Same:
    """An operator over columns."""
    if not all(isinstance(o, Same) for o in operands):
        found = kernels.operate(operator, operands, frame)
        if found is not None:
            return found
    return each(OPERATORS[operator], operands, size, frame)


def _either(term: Operation, rows: Rows, frame: Frame) -> Column | Same:
    """`and`, `or`: what the first decides, the second is not asked, so that the first can guard it."""
    first = _work(term.operands[0], rows, frame)
    true, null = _truths(first, frame)
    decided = true if term.operator == "or" else ~true & ~null
    if bool(decided.all()):
        return booleans(true)
    open_rows = np.flatnonzero(~decided)
    supports, remarks = len(frame.supports), len(frame.remarks)
    if 2 * len(open_rows) > rows.size:
        try:
            second = _work(term.operands[1], rows, frame)
            return operated(term.operator, [booleans(true, null), second], rows.size, frame)
        except LimitError:
            raise
        except CallError:
            if len(open_rows) == rows.size:
                raise
            del frame.supports[supports:], frame.remarks[remarks:]
    second = _inside(term.operands[1], rows, open_rows, {}, frame)
    here = [booleans(true[open_rows], null[open_rows]), second]
    left = spread(operated(term.operator, here, len(open_rows), frame))
    done = np.flatnonzero(decided)
    return placed(rows.size, [(done, booleans(true[done])), (open_rows, left)])


def _inside(term: Term, rows: Rows, at: Ints, more: Mapping[str, Column], frame: Frame) -> Column:
    """A term worked out for some rows (`at`, in which a row may stand often), where it sees `more` columns.

    What subqueries find there is evidence for the rows themselves.
    """
    fewer = repeated(rows, at, names(term) - more.keys())
    fewer = Rows(fewer.size, {**fewer.columns, **more})
    inner = replace(frame, supports=[])
    found = evaluate(term, fewer, inner)
    for support in inner.supports:
        if support.outer is fewer:
            support = Support(rows, support.inner, None if support.of is None else at[support.of])
        frame.supports.append(support)
    return found


def _apply(term: Apply, rows: Rows, frame: Frame) -> Column | Same:
    if term.function in AGGREGATES:
        raise CheckError(f"{term.function}() puts rows together: it can stand only in WITH and RETURN.")
    check(term.function, len(term.arguments))
    arguments = [_work(a, rows, frame) for a in term.arguments]
    function = FUNCTIONS[term.function]
    if not arguments:
        return Same(function(frame), rows.size)
    if not all(isinstance(a, Same) for a in arguments):
        found = kernels.apply(term.function, arguments, frame)
        if found is not None:
            return found
    return each(function, arguments, rows.size, frame)


def _case(term: Case, rows: Rows, frame: Frame) -> Column | Same:
    subject = None if term.subject is None else evaluate(term.subject, rows, frame)
    left = np.arange(rows.size)
    found = []
    for branch in term.branches:
        if not len(left):
            break
        test = _inside(branch.test, rows, left, {}, frame)
        if subject is not None:
            test = spread(operated("=", [subject.take(left), test], len(left), frame))
        fits, _ = _truths(test, frame)
        if fits.any():
            found.append((left[fits], _inside(branch.value, rows, left[fits], {}, frame)))
        left = left[~fits]
    if len(left) and term.otherwise is not None:
        found.append((left, _inside(term.otherwise, rows, left, {}, frame)))
    return placed(rows.size, found)


# lists


def _source(term: Term, rows: Rows, frame: Frame) -> Lists:
    column = evaluate(term, rows, frame)
    found = as_lists(column)
    if found is None:
        bad = next(v for v in values_of(column) if v is not None and not isinstance(v, list))
        raise ToolError(f"A list is needed here, not {describe(bad, frame)}.")
    return found


def _comprehension(term: Comprehension, rows: Rows, frame: Frame) -> Column:
    source = _source(term.source, rows, frame)
    items, of = flat(source, frame)
    if term.where is not None:
        fits, _ = _truths(_inside(term.where, rows, of, {term.variable: items}, frame), frame)
        items, of = items.take(np.flatnonzero(fits)), of[fits]
    if term.gives is not None:
        items = _inside(term.gives, rows, of, {term.variable: items}, frame)
    return lists(np.bincount(of, minlength=rows.size), items, missing(source))


def _quantified(term: Quantified, rows: Rows, frame: Frame) -> Column:
    source = _source(term.source, rows, frame)
    items, of = flat(source, frame)
    test = _inside(term.where, rows, of, {term.variable: items}, frame)
    fits, null = _truths(test, frame)
    true = np.bincount(of[fits], minlength=rows.size)
    unknown = np.bincount(of[null], minlength=rows.size) > 0
    false = np.bincount(of, minlength=rows.size) > true + np.bincount(of[null], minlength=rows.size)
    if term.every == "all":
        found, open_ = ~false, unknown & ~false
    elif term.every == "single":
        found, open_ = true == 1, unknown & (true < 2)
    else:
        found, open_ = (true > 0) == (term.every == "any"), unknown & (true == 0)
    return booleans(found, open_ | missing(source))


def _reduce(term: Reduce, rows: Rows, frame: Frame) -> Column:
    """One step for all rows at a time: as many steps as the longest list has entries."""
    source = _source(term.source, rows, frame)
    total = evaluate(term.start, rows, frame)
    lengths = source.stops - source.starts
    for step in range(int(lengths.max(initial=0))):
        frame.meter.look()
        at = np.flatnonzero(lengths > step)
        now = {term.total: total.take(at), term.variable: source.items.take(source.starts[at] + step)}
        done = np.flatnonzero(lengths <= step)
        total = placed(rows.size, [(done, total.take(done)), (at, _inside(term.step, rows, at, now, frame))])
    return pick(total, np.where(missing(source), MISSING, np.arange(rows.size)))


# subqueries


def _subquery(term: Subquery, rows: Rows, frame: Frame) -> Column:
    need = Need(frozenset(), repeats=term.keeps == "count", counted=True) if term.keeps != "collect" else ALL
    found, of = _found(term.query, rows, frame, need)
    if term.keeps == "exists":
        return booleans(np.bincount(of, minlength=rows.size) > 0)
    times = found.columns.get(TIMES)
    counts = np.bincount(of, plain(times.array) if isinstance(times, Values) else None, rows.size).astype(
        np.int64
    )
    if term.keeps == "count":
        return integers(counts)
    values = next((column for name, column in found.columns.items() if name != OUTER), None)
    if values is None:
        raise CheckError("COLLECT needs a RETURN with one column.")
    return lists(counts, values.take(np.argsort(of, kind="stable")))


def _pattern(term: PatternComprehension, rows: Rows, frame: Frame) -> Column:
    query = frame.plans.once(term, "query", lambda: Query((Part((Match((term.pattern,), term.where),)),)))
    found, of = _found(query, rows, frame, Need(frozenset(names(term.gives))))
    values = evaluate(term.gives, found, frame)
    return lists(np.bincount(of, minlength=rows.size), values.take(np.argsort(of, kind="stable")))


def _found(query: Query, rows: Rows, frame: Frame, need: Need) -> tuple[Rows, Ints]:
    """The rows of a query that runs for each of some rows, and which of them each is for."""
    start = repeated(rows, np.arange(rows.size), names(query) | (need.names or frozenset()))
    start = Rows(rows.size, {**start.columns, OUTER: integers(np.arange(rows.size))})
    assert frame.subquery is not None, "a query in a term is run by whoever runs the whole"
    found = frame.subquery(query, start, replace(frame, outer=rows.size), need)
    column = found.columns[OUTER]
    assert isinstance(column, Values)
    of = plain(column.array)
    frame.supports.append(Support(rows, found, of))
    return found, of
