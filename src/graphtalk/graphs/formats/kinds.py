"""From cells of text to numbers and booleans, where every cell of a column is one."""

import pyarrow as pa
import pyarrow.compute as pc

MISSING = pa.array(["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"])
_INTEGER = r"^-?(0|[1-9][0-9]{0,17})$"  # a leading zero means a code, such as 007
_NUMBER = r"^[-+]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][-+]?[0-9]+)?$"
_BOOLEAN = r"^([Tt]rue|TRUE|[Ff]alse|FALSE)$"
_SAMPLE = 1000


def infer_table(table: pa.Table, keep: tuple[str, ...] = ("id",)) -> pa.Table:
    """The table with its text columns inferred, all but those in `keep`."""
    columns = [
        column if name in keep else infer_kind(column)
        for name, column in zip(table.column_names, table.columns, strict=True)
    ]
    return pa.table(columns, names=table.column_names)


def infer_kind(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text cells as int64, float64 or boolean where all that are not missing are such; "" becomes null."""
    if not pa.types.is_string(cells.type):
        return cells
    empty = pc.if_else(pc.equal(cells, ""), None, cells)
    if empty.null_count == len(empty):
        return empty
    values = pc.if_else(pc.is_in(cells, value_set=MISSING), None, cells)
    if values.null_count == len(values):
        return empty
    if _all_match(values, _INTEGER):
        return pc.cast(values, pa.int64())
    if _all_match(values, _NUMBER) and _all_match(values, "[0-9]"):
        return pc.cast(values, pa.float64())
    if _all_match(values, _BOOLEAN):
        return pc.cast(pc.utf8_lower(values), pa.bool_())
    return empty


def _all_match(values: pa.ChunkedArray, pattern: str) -> bool:
    for part in (values.slice(0, _SAMPLE), values):
        if pc.all(pc.match_substring_regex(part, pattern), min_count=0).as_py() is False:
            return False
    return True
