"""From cells of text to numbers, booleans and dates, where every cell of a column is one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphtalk.graphs.columns import DATETIME, UTC, as_texts, feature_column, feature_kind
from graphtalk.graphs.formats.dates import Ambiguous, form_of, read_dates
from graphtalk.graphs.recipe import NUMBER_FORMS

MISSING = pa.array(["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"])
_INTEGER = r"^-?(0|[1-9][0-9]{0,18})$"  # a leading zero means a code, such as 007
_NUMBER = r"^-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$"
_LONG = r"^-?[0-9]{16,}$"  # a float64 would round it
_BOOLEAN = r"^([Tt]rue|TRUE|[Ff]alse|FALSE)$"
_YES, _NO = ("true", "yes", "1"), ("false", "no", "0")  # where a recipe says that these are booleans
CURRENCY = (
    r"[A-Z]{0,3}\p{Sc}|kr\.?|Fr\.?|zł|Kč|Ft|USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|TRY|"
    "UAH|RUB|BRL|MXN|ARS|CLP|COP|ZAR|NGN|KES|EGP|AED|SAR|ILS|KRW|TWD|THB|IDR|MYR|PHP|VND|SGD|HKD|PKR|BDT"
)
_CLOCK_CODES = ("%H", "%I", "%M", "%S", "%f", "%X", "%c", "%z")
_SAMPLE = 1000


def are_kinds(different: int, number: int) -> bool:
    """Whether so many different texts of a number of things are kinds of them rather than their names."""
    return different < number and different <= max(3, min(100, number // 4))


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


def infer_by_chunk(
    cells: pa.ChunkedArray,
    telling: Telling,
    name: str,
    dates: bool,
    keep: Callable[[pa.DataType, Iterable[pa.Array]], pa.ChunkedArray],
) -> pa.ChunkedArray:
    """The column that `infer_table` gives, chunk by chunk; `keep` makes a column of chunks of a type.

    Dates alone are read at once: which number is the day, only the whole column tells.
    """
    if not pa.types.is_string(cells.type):
        return cells
    sample = _sample(cells)
    if sample is None or (dates and form_of(sample) is not None):
        found = _inferred(cells, telling, name, dates)
        return found if found is cells else keep(found.type, found.chunks)

    def present() -> Iterator[pa.ChunkedArray]:
        return (_present(pa.chunked_array([chunk])) for chunk in cells.chunks)

    kind = _kind(present) if telling.numbers and _kind(lambda: [sample]) is not None else None
    if kind is not None:
        with suppress(pa.ArrowInvalid):  # a whole number of 19 digits that int64 does not hold
            return keep(kind, (chunk for part in present() for chunk in _cast(part, kind).chunks))
    if not telling.numbers or not any(pc.any(pc.equal(chunk, "")).as_py() for chunk in cells.chunks):
        return cells
    texts = (_without_empty(pa.chunked_array([chunk])) for chunk in cells.chunks)
    return keep(pa.string(), (chunk for part in texts for chunk in part.chunks))


def _sample(cells: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """The first cells, or where none of these is present the first that are; None where none is."""
    sample = _present(cells.slice(0, _SAMPLE))
    if sample.null_count < len(sample):
        return sample
    for chunk in cells.chunks:
        some = _present(pa.chunked_array([chunk])).drop_null()
        if len(some):
            return some.slice(0, _SAMPLE)
    return None


def _told(cells: pa.ChunkedArray, telling: Telling, name: str, dates: bool) -> pa.ChunkedArray | None:
    """The cells as a kind that is not text. Long texts are told by their beginning, and not copied."""
    sample = _sample(cells)
    if sample is None:
        return None
    form = form_of(sample) if dates else None
    if form is not None:
        values = _present(cells)
        try:
            found = read_dates(values, form)
            return found if found.null_count == values.null_count else None
        except Ambiguous:
            example = str(sample.drop_null()[0])
            telling.doubt(name, f"{example!r} could have the day or the month first")
            return None
    if not telling.numbers or _kind(lambda: [sample]) is None:
        return None
    values = _present(cells)
    kind = _kind(lambda: [values])
    try:
        return _cast(values, kind) if kind else None
    except pa.ArrowInvalid:  # a whole number of 19 digits that int64 does not hold
        return None


def _cast(values: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    return pc.cast(pc.utf8_lower(values) if kind == pa.bool_() else values, kind)


def as_kind(cells: pa.ChunkedArray, kind: str) -> tuple[pa.ChunkedArray, NDArray[np.bool_]]:
    """The cells as the kind that a recipe names, null where one is none of it; and which are such. Shape (cells,).

    `kind` is one of `recipe.KINDS`, or the form of a date as `strptime` has it. Of lists it is the kind of their entries.
    Raises Ambiguous for dates of which nothing tells days from months.
    """
    if pa.types.is_list(cells.type):
        return _lists_of(cells.combine_chunks(), kind)
    if feature_kind(cells.type) == kind != "text":
        return feature_column(cells), np.zeros(len(cells), bool)
    texts = as_texts(cells)
    if kind == "text":
        return _without_empty(texts), np.zeros(len(cells), bool)
    texts = _present(texts)
    found = _read(texts, kind)
    return found, (texts.is_valid().to_numpy() & found.is_null().to_numpy()).astype(bool)


def _read(texts: pa.ChunkedArray, kind: str) -> pa.ChunkedArray:
    """Texts as a kind that is not text, null where they are none of it."""
    if kind == "boolean":
        lower = pc.utf8_lower(texts)
        yes, no = (pc.is_in(lower, value_set=pa.array(words)) for words in (_YES, _NO))
        return pc.if_else(pc.or_(yes, no), yes, None)
    if kind == "number":
        numbers = pc.if_else(pc.match_substring_regex(texts, _NUMBER), texts, None)
        if _all_match(numbers, _INTEGER):
            with suppress(pa.ArrowInvalid):  # more than int64 holds
                return pc.cast(numbers, pa.int64())
        return pc.cast(numbers, pa.float64())
    if kind in NUMBER_FORMS:
        return _read(plain_numbers(texts, kind), "number")
    if "%" in kind:
        return _by_form(texts, kind)
    form = form_of(texts.drop_null().slice(0, 1))
    wanted = pa.date32() if kind == "date" else DATETIME
    if form is None:
        return pa.chunked_array([pa.nulls(len(texts), wanted)])
    found = read_dates(texts, form)
    if pa.types.is_date(found.type) == (kind == "date"):
        return found
    return found.cast(wanted, safe=False)


_BLANK = "[ \u00a0\u202f]"


def _written(digits: str) -> str:
    """The pattern of a number as people write it, around that of its digits."""
    sign = rf"{_BLANK}*(?:{CURRENCY})?{_BLANK}*"
    before = rf"^{_BLANK}*(?P<open>\()?(?P<one>[-−+])?{sign}(?P<two>[-−+])?(?P<digits>{digits})(?P<after>-)?"
    return rf"{before}{_BLANK}*(?:%|{CURRENCY})?{_BLANK}*(?P<shut>\))?{_BLANK}*$"


_ANY_FORM = _written("[0-9][0-9 .,'\u2019\u00a0\u202f]*")


def may_be_numbers(texts: pa.ChunkedArray) -> bool:
    """Whether all texts, as far as their signs and letters go, could be numbers of one of `NUMBER_FORMS`."""
    return _all_match(texts, _ANY_FORM)


def plain_numbers(texts: pa.ChunkedArray, form: str) -> pa.ChunkedArray:
    """Numbers as people write them, such as `$1,234.50` or `(12 %)`, as Python does; null where one is not of the form.

    `form` is one of `NUMBER_FORMS`. Signs and codes of currencies, per cents and blanks around go; brackets mean less
    than nothing. A leading plus goes too.
    """
    mark, decimal = form[1], form[5]
    thousands = _BLANK if mark == " " else "['\u2019]" if mark == "'" else f"[{mark}]"
    around = _written(f"(?:[0-9]{{1,3}}(?:{thousands}[0-9]{{3}})+|[0-9]+)(?:[{decimal}][0-9]+)?")
    parts = pc.extract_regex(texts.combine_chunks(), around)
    found = {name: pc.struct_field(parts, name) for name in ("open", "shut", "one", "two", "after", "digits")}
    plain = pc.replace_substring(pc.replace_substring_regex(found["digits"], thousands, ""), decimal, ".")
    minus = [pc.is_in(found[name], value_set=pa.array(["-", "−"])) for name in ("one", "two", "after")]
    below = pc.or_(pc.or_(*minus[:2]), pc.or_(minus[2], pc.equal(found["open"], "(")))
    whole = pc.equal(pc.equal(found["open"], "("), pc.equal(found["shut"], ")"))
    kept = pc.if_else(whole, pc.binary_join_element_wise(pc.if_else(below, "-", ""), plain, ""), None)
    return pa.chunked_array([pc.replace_substring_regex(kept, r"^(-?)0+([0-9])", r"\1\2")])


def _by_form(texts: pa.ChunkedArray, form: str) -> pa.ChunkedArray:
    """Texts as dates, or as datetimes where the form has hours. By Python, as Arrow takes 31 February for 3 March."""
    encoded = texts.combine_chunks().dictionary_encode()
    timed = any(code in form for code in _CLOCK_CODES)
    values: list[datetime | None] = []
    for text in encoded.dictionary.to_pylist():
        try:
            values.append(datetime.strptime(text, form))
        except ValueError:
            values.append(None)
    zoned = any(value is not None and value.tzinfo for value in values)
    found = pa.array(values, UTC if zoned else DATETIME).take(encoded.indices)
    return pa.chunked_array([found if timed else found.cast(pa.date32(), safe=False)])


def _lists_of(cells: pa.Array, kind: str) -> tuple[pa.ChunkedArray, NDArray[np.bool_]]:
    flat, wrong = as_kind(pa.chunked_array([cells.flatten()]), kind)
    bad = np.zeros(len(cells), bool)
    bad[cells.value_parent_indices().to_numpy()[wrong]] = True
    lengths = pc.fill_null(pc.list_value_length(cells), 0).to_numpy()
    ends = np.concatenate([np.zeros(1, np.int32), np.cumsum(lengths, dtype=np.int32)])
    lists = pa.ListArray.from_arrays(pa.array(ends), flat.combine_chunks(), mask=cells.is_null())
    return feature_column(pa.chunked_array([lists])), bad


def _present(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.if_else(pc.is_in(cells, value_set=MISSING), None, cells)


def _without_empty(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    empty = pc.equal(cells, "")
    return pc.if_else(empty, None, cells) if pc.any(empty).as_py() else cells


def _kind(parts: Callable[[], Iterable[pa.ChunkedArray]]) -> pa.DataType | None:
    """The narrowest kind that all present values of a column's parts have; None for text."""

    def match(pattern: str) -> bool:
        return all(_all_match(part, pattern) for part in parts())

    if match(_INTEGER):
        return pa.int64()
    if match(_NUMBER) and not any(pc.any(pc.match_substring_regex(p, _LONG)).as_py() for p in parts()):
        return pa.float64()
    return pa.bool_() if match(_BOOLEAN) else None


def _all_match(values: pa.ChunkedArray, pattern: str) -> bool:
    return pc.all(pc.match_substring_regex(values, pattern), min_count=0).as_py() is not False
