"""From cells of text to numbers, booleans and dates, where every cell of a column is one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.graphs.formats.dates import Ambiguous, form_of, read_dates

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


@dataclass(frozen=True)
class Telling:
    """How kinds are told from text. `numbers`: numbers and booleans too, not only dates.

    `doubt` is told of each column (its name and what is in doubt) that stays text though it could be dates.
    """

    numbers: bool = True
    doubt: Callable[[str, str], None] = lambda column, what: None


def infer_table(
    table: pa.Table, telling: Telling, keep: Sequence[str] = ("id",), label: str = ""
) -> pa.Table:
    """The table with its text columns inferred, all but those in `keep`. A label is never a date."""
    columns = [
        column if name in keep else _inferred(column, telling, name, dates=name != label)
        for name, column in zip(table.column_names, table.columns, strict=True)
    ]
    return pa.table(columns, names=table.column_names)


def infer_kind(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text cells as numbers, booleans or dates where all that are not missing are such; "" becomes null."""
    return _inferred(cells, Telling(), "", dates=True)


def _inferred(cells: pa.ChunkedArray, telling: Telling, name: str, dates: bool) -> pa.ChunkedArray:
    if not pa.types.is_string(cells.type) or cells.null_count == len(cells):
        return cells
    told = _told(cells, telling, name, dates)
    if told is not None:
        return told
    return _without_empty(cells) if telling.numbers else cells


def _told(cells: pa.ChunkedArray, telling: Telling, name: str, dates: bool) -> pa.ChunkedArray | None:
    """The cells as a kind that is not text. Long texts are told by their beginning, and not copied."""
    sample = _present(cells.slice(0, _SAMPLE))
    if sample.null_count == len(sample):
        sample = _present(cells).drop_null().slice(0, _SAMPLE)
        if not len(sample):
            return None
    form = form_of(sample) if dates else None
    if form is not None:
        try:
            return read_dates(_present(cells), form)
        except Ambiguous:
            example = str(sample.drop_null()[0])
            telling.doubt(name, f"{example!r} could have the day or the month first")
            return None
    if not telling.numbers or _kind(sample) is None:
        return None
    values = _present(cells)
    kind = _kind(values)
    return pc.cast(pc.utf8_lower(values) if kind == pa.bool_() else values, kind) if kind else None


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
