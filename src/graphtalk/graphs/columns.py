"""The Arrow types that features have: one for each kind, whatever a file or a library brought.

text is string, number int64 or float64, boolean bool, date date32, datetime timestamp[us] (with a zone: in UTC),
list list<string>, list<int64>, list<float64> or list<bool>, vector a list of fixed size.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from typing import Any

import pyarrow as pa

from graphtalk.core import SourceError
from graphtalk.graphs.schema import Feature, FeatureKind

DATETIME = pa.timestamp("us")
UTC = pa.timestamp("us", tz="UTC")
_KEPT = (pa.string(), pa.int64(), pa.float64(), pa.bool_())
_FIRST, _LAST = -719_162, 2_932_896  # 0001-01-01 and 9999-12-31 in days: what Python's dates hold
_MOST_COLUMNS, _MOST_CELLS = 1 << 15, 1 << 28

_FEW = 50_000  # cells
_DAY = 86_400_000_000  # microseconds

ARROW: Mapping[str, pa.DataType] = {
    "text": pa.string(),
    "number": pa.int64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "datetime": DATETIME,
    "vector": pa.list_(pa.float64(), 1),
}
"""The type of each kind of feature but lists, which have one of items."""


def features_of(table: pa.Table) -> tuple[Feature, ...]:
    """The features whose columns these are: all columns but the ids."""
    return tuple(_feature(f.name, f.type) for f in table.schema if f.name != "id")


def _feature(name: str, kind: pa.DataType) -> Feature:
    item: FeatureKind = feature_kind(kind.value_type) if _is_list(kind) else "text"
    return Feature(name, feature_kind(kind), item)


def feature_kind(kind: pa.DataType) -> FeatureKind:
    """The feature kind that an Arrow type stands for."""
    if pa.types.is_boolean(kind):
        return "boolean"
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return "number"
    if pa.types.is_date(kind):
        return "date"
    if pa.types.is_timestamp(kind):
        return "datetime"
    if pa.types.is_fixed_size_list(kind) and _number(kind.value_type):
        return "vector"
    return "list" if _is_list(kind) else "text"


def feature_table(table: pa.Table) -> pa.Table:
    """The table with every column of the type that features of its kind have. Shares what already has it."""
    columns = [feature_column(column) for column in table.columns]
    if all(new is old for new, old in zip(columns, table.columns, strict=True)):
        return table
    return pa.table(columns, names=table.column_names)


def feature_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column as features of its kind are kept; what is no kind of its own becomes text.

    Text too: a decimal or an integer that float64 and int64 would round, and dates before the year 1 or after 9999.
    """
    kind = column.type
    if kind in _KEPT or feature_kind(kind) == "vector":
        return column
    if pa.types.is_dictionary(kind):
        return feature_column(column.cast(kind.value_type))
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return _dates(column)
    if isinstance(kind, pa.BaseExtensionType) or pa.types.is_duration(kind):
        return as_texts(column)
    wanted = _number(kind) or (pa.list_(_item(kind.value_type)) if _is_list(kind) else pa.string())
    if kind == wanted:
        return column
    try:
        cast = column.cast(wanted)
        if pa.types.is_decimal(kind) and not cast.cast(kind, safe=False).equals(column):
            return column.cast(pa.string())
        return cast
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return as_texts(column)


def distinct(column: pa.ChunkedArray) -> list[Any]:
    """The different values of a column, or entries of its lists, in the order of their first appearance, None among them."""
    if len(column) <= _FEW:
        values = column.to_pylist()
        return list(
            dict.fromkeys(chain.from_iterable(filter(None, values)) if _is_list(column.type) else values)
        )
    import pyarrow.compute as pc  # it takes as long to import as a column of thousands to go through

    return pc.unique(pc.list_flatten(column) if _is_list(column.type) else column).to_pylist()  # type: ignore[no-any-return]


def concat(tables: Sequence[pa.Table]) -> pa.Table:
    """Tables end to end; a column that a table lacks is empty there, one of different kinds becomes text."""
    try:
        return pa.concat_tables(tables, promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        pass
    differing = {
        name
        for name in dict.fromkeys(name for table in tables for name in table.column_names)
        if len({str(table.schema.field(name).type) for table in tables if name in table.column_names}) > 1
    }
    parts = [
        pa.table(
            [as_texts(c) if n in differing else c for n, c in zip(t.column_names, t.columns, strict=True)],
            names=t.column_names,
        )
        for t in tables
    ]
    return pa.concat_tables(parts, promote_options="permissive")


def _is_list(kind: pa.DataType) -> bool:
    return isinstance(kind, pa.ListType | pa.LargeListType | pa.FixedSizeListType)


def _number(kind: pa.DataType) -> pa.DataType | None:
    if pa.types.is_integer(kind):
        return pa.int64()
    return pa.float64() if pa.types.is_floating(kind) or pa.types.is_decimal(kind) else None


def _item(kind: pa.DataType) -> pa.DataType:
    return pa.bool_() if pa.types.is_boolean(kind) else _number(kind) or pa.string()


def _dates(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Dates and times in the units of features, or as text where Python's dates do not reach."""
    import pyarrow.compute as pc  # with pandas installed a fifth of a second, which few graphs need

    kind = column.type
    if pa.types.is_date(kind):
        wanted, unit = pa.date32(), 1
    else:
        wanted, unit = (UTC if kind.tz else DATETIME), _DAY
    try:
        cut = pa.types.is_timestamp(kind) and kind.unit == "ns"  # to microseconds
        cast = column if kind == wanted else column.cast(wanted, safe=not cut)
        span = pc.min_max(cast.cast(pa.int32() if unit == 1 else pa.int64())).as_py()
    except pa.ArrowInvalid:
        return as_texts(column)
    if span["min"] is not None and not _FIRST * unit <= span["min"] <= span["max"] < (_LAST + 1) * unit:
        return as_texts(column)
    return cast


def as_texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Every cell as text, nested ones as JSON; a list stays one, of texts."""
    kind = column.type
    if not (pa.types.is_nested(kind) or pa.types.is_duration(kind) or isinstance(kind, pa.BaseExtensionType)):
        try:
            return column.cast(pa.string())
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
            pass
    cells = column.to_pylist()
    if _is_list(kind):
        lists = [None if cell is None else [text_of(item) for item in cell] for cell in cells]
        return pa.chunked_array([pa.array(lists, pa.list_(pa.string()))])
    return pa.chunked_array([pa.array([text_of(cell) for cell in cells], pa.string())])


def text_of(cell: object) -> str | None:
    """A value as text: dates as ISO 8601 has them, lists and records as JSON."""
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, date):
        return cell.isoformat()
    if isinstance(cell, dict | list | tuple):
        return json.dumps(cell, ensure_ascii=False, default=str)
    return cell.decode("utf-8", "backslashreplace") if isinstance(cell, bytes) else str(cell)


def check_width(columns: int, rows: int) -> None:
    """Raise SourceError where a table of so many features cannot be held: every row has a cell of each."""
    if columns > _MOST_COLUMNS or columns * rows > _MOST_CELLS:
        raise SourceError(
            f"{columns:,} features of {rows:,} nodes or edges; at most {_MOST_COLUMNS:,} features, and {_MOST_CELLS:,} "
            "values, can be held. Are names or ids given as features?"
        )


def to_array(values: Sequence[Any]) -> pa.Array:
    """Python values as an Arrow array; as texts where their kinds differ or are no feature's.

    Lists in lists are texts too: Arrow follows them as deep as they go, and ends the process where that is too deep.
    """
    if any(
        isinstance(part, list | tuple | dict)
        for value in values
        if isinstance(value, list | tuple)
        for part in value
    ):
        return _texts(values)
    if any(isinstance(value, dict) for value in values):
        return _texts(values)
    try:
        array = pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return _texts(values)
    kind = array.type
    if pa.types.is_temporal(kind) and len({_times(value) for value in values if value is not None}) > 1:
        return _texts(values)  # Arrow takes the first for all, and drops hours and zones
    return array if pa.types.is_string(kind) or feature_kind(kind) != "text" else _texts(values)


def _times(value: Any) -> str:
    """What a date or datetime says: a day, a time of some place, or a moment."""
    if not isinstance(value, datetime):
        return "day"
    return "time" if value.tzinfo is None else "moment"


def _texts(values: Sequence[Any]) -> pa.Array:
    """Values as texts; lists as lists of texts."""
    if all(value is None or isinstance(value, list | tuple) for value in values):
        lists = [None if value is None else [text_of(item) for item in value] for value in values]
        return pa.array(lists, pa.list_(pa.string()))
    return pa.array([text_of(value) for value in values], pa.string())
