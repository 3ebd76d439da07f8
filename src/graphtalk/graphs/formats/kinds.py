"""From cells of text to numbers and booleans, where every cell of a column is one."""

import pyarrow as pa
import pyarrow.compute as pc

MISSING = pa.array(["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"])
_INTEGER = r"^-?(0|[1-9][0-9]{0,17})$"  # a leading zero means a code, such as 007
_NUMBER = r"^-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$"
_BOOLEAN = r"^([Tt]rue|TRUE|[Ff]alse|FALSE)$"
_SAMPLE = 1000


def is_number(text: str) -> bool:
    """Whether Python reads a text as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def infer_table(table: pa.Table, keep: tuple[str, ...] = ("id",)) -> pa.Table:
    """The table with its text columns inferred, all but those in `keep`."""
    columns = [
        column if name in keep else infer_kind(column)
        for name, column in zip(table.column_names, table.columns, strict=True)
    ]
    return pa.table(columns, names=table.column_names)


def infer_kind(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text cells as int64, float64 or boolean where all that are not missing are such; "" becomes null."""
    if not pa.types.is_string(cells.type) or cells.null_count == len(cells):
        return cells
    if _kind(_present(cells.slice(0, _SAMPLE))) is None:
        return _without_empty(cells)  # long texts are told by their beginning, and not copied
    values = _present(cells)
    kind = _kind(values)
    if kind is None or values.null_count == len(values):
        return _without_empty(cells)
    return pc.cast(pc.utf8_lower(values) if kind == pa.bool_() else values, kind)


def _present(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.if_else(pc.is_in(cells, value_set=MISSING), None, cells)


def _without_empty(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    empty = pc.equal(cells, "")
    return pc.if_else(empty, None, cells) if pc.any(empty).as_py() else cells


def _kind(values: pa.ChunkedArray) -> pa.DataType | None:
    """The narrowest kind that all present values have; None for text."""
    if _all_match(values, _INTEGER):
        return pa.int64()
    if _all_match(values, _NUMBER):
        return pa.float64()
    return pa.bool_() if _all_match(values, _BOOLEAN) else None


def _all_match(values: pa.ChunkedArray, pattern: str) -> bool:
    return pc.all(pc.match_substring_regex(values, pattern), min_count=0).as_py() is not False
