"""The common operators and functions over whole columns. Where there is no fast way, None: then row by row.

What they mean is said in `scalars.py` and `functions.py`; here it is only done faster, and a test compares the two.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import LimitError
from graphtalk.engines.arrays.columns import (
    DATETIME,
    EXACT,
    MOMENT,
    Same,
    booleans,
    codes,
    column_of,
    column_of_array,
    concat,
    integers,
    joint,
    missing,
    pick,
    placed,
    plain,
    reals,
    spread,
)
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.rows import (
    MISSING,
    Column,
    Edges,
    EdgeValue,
    Lists,
    Mixed,
    Nodes,
    NodeValue,
    Values,
)
from graphtalk.engines.arrays.scalars import match_texts, said
from graphtalk.engines.naming import node_column
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints

_COMPARED: Mapping[str, str] = {
    "=": "equal",
    "<>": "not_equal",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
}
# What `scalars.number` reads, and a little more.
_BLANK = r"[\s\pZ\x00-\x20\x85]*"
_SAYS_NUMBER = rf"\A{_BLANK}[-+]?(\p{{Nd}}+(\.\p{{Nd}}*)?|\.\p{{Nd}}+)([eE][-+]?\p{{Nd}}+)?{_BLANK}\z"
_MOST_PIECES = 4_096  # different texts that are looked for in a column, each in its own rows
Operand = Column | Same


def operate(operator: str, operands: Sequence[Operand], frame: Frame) -> Column | None:
    """An operator over columns of one length. None where it must go row by row, errors included."""
    if all(isinstance(o, Same) for o in operands):
        return None
    size = len(operands[0])
    if operator in ("is null", "is not null"):
        return booleans(missing(operands[0]) == (operator == "is null"))
    try:
        if operator in ("and", "or", "xor", "not"):
            return _logic(operator, operands, size)
        if operator == "in":
            return _within(operands[0], operands[1], frame)
        if operator in _COMPARED:
            return _compare(operator, operands[0], operands[1], size, frame)
        if operator in ("starts with", "ends with", "contains", "=~"):
            return _text_test(operator, operands[0], operands[1], frame)
        return _calculate(operator, operands, size, frame)
    except pa.ArrowInvalid:  # overflow, division by zero: the way row by row says it in words
        return None


def _arrow(operand: Operand) -> pa.Array | pa.Scalar | None:
    """What Arrow computes with; None where it has no type for it."""
    if isinstance(operand, Values):
        return operand.array
    if isinstance(operand, Same):
        one = column_of([operand.value])
        return one.array[0] if isinstance(one, Values) else None
    return None


def _family(array: pa.Array | pa.Scalar) -> str:
    t = array.type
    if pa.types.is_integer(t) or pa.types.is_floating(t):
        return "number"
    if pa.types.is_timestamp(t):
        return "datetime"
    names = {pa.bool_(): "boolean", pa.string(): "text", pa.date32(): "date", pa.null(): ""}
    return names.get(t, str(t))


def _values(array: pa.Array | pa.Scalar, size: int) -> Values:
    return Values(array if isinstance(array, pa.Array) else pa.repeat(array, size))


# logic


def _logic(operator: str, operands: Sequence[Operand], size: int) -> Column | None:
    arrays = [_arrow(o) for o in operands]
    found = []
    for array in arrays:
        if array is None or _family(array) not in ("boolean", ""):
            return None
        found.append(array.cast(pa.bool_()))
    if operator == "not":
        return _values(pc.invert(found[0]), size)
    function = {"and": pc.and_kleene, "or": pc.or_kleene, "xor": pc.xor}[operator]
    return _values(function(*found), size)


# comparisons


def _compare(operator: str, a: Operand, b: Operand, size: int, frame: Frame) -> Column | None:
    if _numbered(a) is not None or _numbered(b) is not None:
        return _compare_numbered(operator, a, b)
    first, second = (reals(o) if isinstance(o, Mixed) else _arrow(o) for o in (a, b))
    if first is None or second is None:
        return None
    kinds = _family(first), _family(second)
    if "" in kinds:
        return Values(pa.nulls(size, pa.bool_()))
    if kinds[0] != kinds[1]:
        met = _met(a, b, kinds, frame)
        return (
            _apart(operator, first, second, kinds) if met is None else _compare(operator, *met, size, frame)
        )
    if kinds[0] == "number" and first.type != second.type and not (_exact(first) and _exact(second)):
        return None
    if kinds[0] == "datetime" and first.type != second.type:
        first, second = first.cast(MOMENT), second.cast(MOMENT)
    if kinds[0] == "boolean":
        first, second = first.cast(pa.int8()), second.cast(pa.int8())
    return _values(pc.call_function(_COMPARED[operator], [first, second]), size)


def _met(a: Operand, b: Operand, kinds: tuple[str, str], frame: Frame) -> tuple[Operand, Operand] | None:
    """Two columns of different kinds as columns of one kind, where that is the same for all their values."""
    if set(kinds) == {"date", "datetime"}:
        frame.remark("A date beside a date with a time was taken as its midnight.")
        first, second = (_midnight(o) if k == "date" else o for o, k in zip((a, b), kinds, strict=True))
        return first, second
    for text, of, wanted in ((a, kinds[0], kinds[1]), (b, kinds[1], kinds[0])):
        if isinstance(text, Same) and of == "text":
            read = said(str(text.value), wanted)
            if read is None:
                return None
            frame.remark(f"Text that says a {wanted} was compared as a {wanted}.")
            there = Same(read, text.size)
            return (there, b) if text is a else (a, there)
    return None


def _apart(
    operator: str, a: pa.Array | pa.Scalar, b: pa.Array | pa.Scalar, kinds: tuple[str, str]
) -> Column | None:
    """Texts beside numbers, where none of the texts says a number: nothing is equal, and nothing is less."""
    if set(kinds) != {"text", "number"}:
        return None
    texts = a if kinds[0] == "text" else b
    if not isinstance(texts, pa.Array) or pc.any(pc.match_substring_regex(texts, _SAYS_NUMBER)).as_py():
        return None
    if operator not in ("=", "<>"):
        return Values(pa.nulls(len(texts), pa.bool_()))
    null = np.zeros(len(texts), np.bool_)
    for side in (a, b):
        null |= missing(Values(side)) if isinstance(side, pa.Array) else not side.is_valid
    return booleans(np.full(len(texts), operator == "<>"), null)


def _midnight(operand: Operand) -> Operand:
    column = spread(operand)
    assert isinstance(column, Values)
    return Values(column.array.cast(DATETIME))


def _exact(array: pa.Array | pa.Scalar) -> bool:
    """Whether no number of it loses anything as a real number."""
    if not pa.types.is_integer(array.type):
        return True
    if isinstance(array, pa.Scalar):
        return bool(abs(array.as_py() or 0) <= EXACT)
    span = pc.min_max(array)
    least, most = span["min"].as_py(), span["max"].as_py()
    return least is None or bool(least >= -EXACT and most <= EXACT)


def _numbered(operand: Operand) -> tuple[type, Ints] | None:
    """A column of nodes or edges as its numbers."""
    if isinstance(operand, Nodes):
        return Nodes, operand.nodes
    if isinstance(operand, Edges):
        return Edges, operand.edges
    if isinstance(operand, Same) and isinstance(operand.value, NodeValue):
        return Nodes, np.full(1, operand.value.node)
    if isinstance(operand, Same) and isinstance(operand.value, EdgeValue):
        return Edges, np.full(1, operand.value.edge)
    return None


def _compare_numbered(operator: str, a: Operand, b: Operand) -> Column | None:
    first, second = _numbered(a), _numbered(b)
    if first is None or second is None or first[0] is not second[0] or operator not in ("=", "<>"):
        return None
    same = first[1] == second[1]
    return booleans(same == (operator == "="), (first[1] == MISSING) | (second[1] == MISSING))


def _within(a: Operand, among: Operand, frame: Frame) -> Column | None:
    """Membership by comparing codes: of numbers, texts, dates, nodes or edges, each with its own kind."""
    column = spread(a)
    if isinstance(among, Same):
        if not isinstance(among.value, list):
            return None
        items = spread(Same(among.value, 1))
        inside = items.items if isinstance(items, Lists) else None
    else:
        inside = among.items if isinstance(among, Lists) else None
    if inside is None or not _one_kind(column, inside):
        return None
    if isinstance(among, Same):
        starts, stops = np.zeros(len(column), np.int64), np.full(len(column), len(inside))
        among = Lists(starts, stops, inside)
    assert isinstance(among, Lists)
    stretches, count = joint([codes(integers(among.starts)), codes(integers(among.stops))], len(among))
    first = np.empty(count, np.int64)
    first[stretches] = np.arange(len(stretches))
    lengths = (among.stops - among.starts)[first]
    total = int(lengths.sum())
    frame.meter.take(total, 16)
    ends = lengths.cumsum()
    places = np.arange(total) + np.repeat(among.starts[first] - ends + lengths, lengths)
    listed = concat([column, inside.take(places)])
    values, kinds = codes(listed)
    members = np.repeat(np.arange(count), lengths)
    wanted = stretches * kinds + values[: len(column)]
    found = np.isin(wanted, members * kinds + values[len(column) :])
    nulls = np.bincount(members[missing(inside.take(places))], minlength=count) > 0
    gone = (missing(column) & (lengths > 0)[stretches]) | (~found & nulls[stretches])
    return booleans(found, gone | (among.starts == MISSING))


def _one_kind(a: Column, b: Column) -> bool:
    """Whether equal values of the two are equal codes: one kind, and no NaN, which is not even equal to itself."""
    if isinstance(a, Values) and isinstance(b, Values):
        return (a.array.type == b.array.type and not pa.types.is_floating(a.array.type)) or not len(b)
    return type(a) is type(b) and isinstance(a, Nodes | Edges)


def _text_test(operator: str, a: Operand, b: Operand, frame: Frame) -> Column | None:
    sides = [_written(a), _written(b)]
    texts, pieces = sides
    if texts is None or pieces is None or not isinstance(texts, pa.Array):
        return None
    if isinstance(pieces, pa.Scalar):
        if not pieces.is_valid:
            return None
        found = _TESTS[operator](texts, pieces.as_py())
    else:
        same, count = codes(Values(pieces))
        if count > _MOST_PIECES or operator == "=~":
            return None
        order = np.argsort(same, kind="stable")
        bounds = np.searchsorted(same[order], np.arange(count + 1))
        parts = [pa.nulls(0, pa.bool_())]
        for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            rows, piece = pa.array(order[first:last]), pieces[int(order[first])]
            own = texts.take(rows)
            parts.append(
                _TESTS[operator](own, piece.as_py()) if piece.is_valid else pa.nulls(len(own), pa.bool_())
            )
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        found = pa.concat_arrays(parts).take(pa.array(back))
    for operand, written in zip((a, b), sides, strict=True):
        is_number = isinstance(operand, Values) and _family(operand.array) == "number"
        if is_number and written is not None and written.null_count < len(written):
            frame.remark("A number was taken as the text it is written as.")
    return Values(found)


_TESTS: Mapping[str, Callable[[pa.Array, str], pa.Array]] = {
    "starts with": pc.starts_with,
    "ends with": pc.ends_with,
    "contains": pc.match_substring,
    "=~": match_texts,
}


def _written(operand: Operand) -> pa.Array | pa.Scalar | None:
    """Texts, or whole numbers as they are written; None for anything else."""
    array = _arrow(operand)
    if isinstance(array, pa.Array) and pa.types.is_integer(array.type):
        return array.cast(pa.string())
    return array if array is not None and pa.types.is_string(array.type) else None


# arithmetic

_CHECKED: Mapping[str, Callable[..., pa.Array]] = {
    "+": pc.add_checked,
    "-": pc.subtract_checked,
    "*": pc.multiply_checked,
    "/": pc.divide_checked,
}
_REAL: Mapping[str, Callable[..., pa.Array]] = {
    "+": pc.add,
    "-": pc.subtract,
    "*": pc.multiply,
    "/": pc.divide,
    "^": pc.power,
}


def _calculate(operator: str, operands: Sequence[Operand], size: int, frame: Frame) -> Column | None:
    arrays = [a for o in operands if (a := _arrow(o)) is not None]
    if len(arrays) < len(operands) and any(pa.types.is_floating(a.type) for a in arrays):
        # Beside a real number it does not matter whether a number is whole.
        arrays = [a for o in operands if (a := reals(o) if isinstance(o, Mixed) else _arrow(o)) is not None]
    if len(arrays) < len(operands):
        return None
    kinds = {_family(a) for a in arrays}
    if kinds == {"text"} and operator == "+":
        weights = [a.nbytes if isinstance(a, pa.Array) else size * len(a.as_py()) for a in arrays]
        frame.meter.take(1, sum(weights))
        if sum(weights) >= 2**31:
            raise LimitError("Texts of more than 2 GB in one column.")
        return _values(pc.binary_join_element_wise(*arrays, ""), size)
    if kinds != {"number"}:
        return None
    whole = all(pa.types.is_integer(a.type) for a in arrays) and operator != "^"
    if operator == "negative":
        return _values((pc.negate_checked if whole else pc.negate)(arrays[0]), size)
    if operator == "%":
        dividend, divisor = (
            Values(a) if isinstance(a, pa.Array) else spread(o) for a, o in zip(arrays, operands, strict=True)
        )
        return _remainder(dividend, divisor, whole)
    if whole:
        return _values(_CHECKED[operator](*arrays), size)
    return _values(_REAL[operator](*(a.cast(pa.float64(), safe=False) for a in arrays)), size)


def _remainder(a: Column, b: Column, whole: bool) -> Column | None:
    assert isinstance(a, Values) and isinstance(b, Values)
    null = missing(a) | missing(b)
    x, y = plain(a.array), plain(b.array)
    if whole and bool(((y == 0) & ~null).any()):
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.fmod(x, np.where(y == 0, 1, y)) if whole else np.fmod(x, y)
    return Values(pa.array(found, mask=null if null.any() else None))


# functions


def apply(function: str, arguments: Sequence[Operand], frame: Frame) -> Column | None:
    """A function over columns of one length. None where it must go row by row."""
    if not arguments:
        return None
    if function == "coalesce":
        return _coalesce(arguments)
    column = arguments[0]
    if isinstance(column, Edges | Nodes):
        return _of_graph(function, column, frame.graph)
    if isinstance(column, Lists):
        return _of_lists(function, column) if len(arguments) == 1 else None
    if not isinstance(column, Values) or len(arguments) > 1:
        return None
    family = _family(column.array)
    if family == "text" and function in ("tolower", "lower", "toupper", "upper"):
        # Beyond ASCII the rules of Arrow and of Python differ in a few letters.
        if pc.all(pc.string_is_ascii(column.array)).as_py() is False:
            return None
        return Values((pc.ascii_lower if "lower" in function else pc.ascii_upper)(column.array))
    if family == "text" and function in ("size", "length"):
        return Values(pc.utf8_length(column.array).cast(pa.int64()))
    if family == "number" and function == "tofloat":
        return Values(column.array.cast(pa.float64(), safe=False))
    if family == "number" and function in ("floor", "ceil") and pa.types.is_floating(column.array.type):
        return Values(pc.call_function(function, [column.array]))
    return None


def _coalesce(arguments: Sequence[Operand]) -> Column:
    size = len(arguments[0])
    left, parts = np.arange(size), []
    for argument in arguments:
        column = spread(argument).take(left) if len(left) < size else spread(argument)
        gone = missing(column)
        parts.append((left[~gone], column.take(np.flatnonzero(~gone))))
        left = left[gone]
        if not len(left):
            break
    return placed(size, parts)


def _of_lists(function: str, column: Lists) -> Column | None:
    null = column.starts == MISSING
    if function in ("size", "length"):
        return integers(column.stops - column.starts, null)
    if function == "isempty":
        return booleans(column.stops == column.starts, null)
    none = null | (column.stops == column.starts)
    if function == "head":
        return pick(column.items, np.where(none, MISSING, column.starts))
    if function == "last":
        return pick(column.items, np.where(none, MISSING, column.stops - 1))
    if function == "tail":
        return Lists(np.where(none, column.starts, column.starts + 1), column.stops, column.items)
    return None


def _of_graph(function: str, column: Nodes | Edges, graph: Graph) -> Column | None:
    if isinstance(column, Nodes):
        if function in ("id", "elementid"):
            return properties(column, "id", graph, plain_id=True)
        if function == "labels":
            names = Values(pa.array([t.name for t in graph.schema.node_types], pa.string()))
            types = np.where(column.nodes == MISSING, MISSING, graph.type_positions(column.nodes))
            return Lists(types, np.where(types == MISSING, MISSING, types + 1), names)
        return None
    if function == "type":
        names = Values(pa.array([r.name for r in graph.schema.relations], pa.string()))
        gone = column.edges == MISSING
        return pick(names, np.where(gone, MISSING, graph.relation_positions(column.edges)))
    if function in ("startnode", "endnode"):
        source, target = edge_ends(column.edges, graph)
        return Nodes(source if function == "startnode" else target)
    return None


# the graph


def edge_ends(edges: Ints, graph: Graph) -> tuple[Ints, Ints]:
    """Source and target of edges by their index over all relations; MISSING where the edge is."""
    source = np.full(len(edges), MISSING, np.int64)
    target = source.copy()
    for relation, at in _by_kind(graph.relation_positions, edges):
        ends = graph.edge_ends(relation, edges[at] - graph.edge_offsets[relation])
        source[at], target[at] = ends
    return source, target


def properties(column: Nodes | Edges, name: str, graph: Graph, plain_id: bool = False) -> Column:
    """A feature of each node or edge, null where its type lacks it. `plain_id`: the external id, whatever features there are."""
    if isinstance(column, Edges):
        edges = column.edges
        found = []
        for relation, at in _by_kind(graph.relation_positions, edges):
            table = graph.edge_columns[relation]
            if name in table.column_names:
                rows = edges[at] - graph.edge_offsets[relation]
                found.append((at, column_of_array(table.column(name)), rows))
        return _gathered(len(edges), found)
    nodes = column.nodes
    if column.span and len(nodes):
        t = graph.node_type(int(nodes[0]))
        column_name = "id" if plain_id else node_column(t, name)
        if column_name is None:
            return Values(pa.nulls(len(nodes)))
        cells = column_of_array(graph.columns[t.name].column(column_name))
        if isinstance(cells, Values):
            return Values(cells.array.slice(int(nodes[0]) - t.first, len(nodes)))
    found = []
    for position, at in _by_kind(graph.type_positions, nodes):
        t = graph.schema.node_types[position]
        column_name = "id" if plain_id else node_column(t, name)
        if column_name is not None:
            cells, rows = graph.feature_cells(t, column_name, nodes[at] - t.first)
            found.append((at, column_of_array(cells), rows))
    return _gathered(len(nodes), found)


def _gathered(size: int, found: list[tuple[Ints | slice, Column, Ints]]) -> Column:
    """The cells of each part at its places. Where all rows follow one another in one column, without a copy."""
    if len(found) == 1 and isinstance(found[0][0], slice):
        _, column, rows = found[0]
        first, last = int(rows[0]), int(rows[-1])
        if isinstance(column, Values) and last - first + 1 == size and bool((np.diff(rows) == 1).all()):
            return Values(column.array.slice(first, size))
        return column.take(rows)
    return placed(size, ((np.arange(size)[at], column.take(rows)) for at, column, rows in found))


def _by_kind(kinds: Callable[[Ints], Ints], numbers: Ints) -> list[tuple[int, Ints | slice]]:
    """The places of each type or relation, a whole slice where all are of one; those of MISSING are left out."""
    if not len(numbers):
        return []
    ends = np.array([numbers.min(), numbers.max()])
    least, most = kinds(ends).tolist()
    if least == most and MISSING not in ends:
        return [(least, slice(None))]
    found, there = kinds(numbers), numbers != MISSING
    parts = [(kind, np.flatnonzero((found == kind) & there)) for kind in range(least, most + 1)]
    return [(kind, at) for kind, at in parts if len(at)]
