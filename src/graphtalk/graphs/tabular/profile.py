"""What a table's columns hold: kinds, blanks, distinct values; looked at once, column by column."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.graphs.columns import feature_kind
from graphtalk.graphs.formats.kinds import (
    CURRENCY,
    MISSING,
    are_kinds,
    as_kind,
    infer_kind,
    may_be_numbers,
    plain_numbers,
)
from graphtalk.graphs.formats.rows import Rows
from graphtalk.graphs.recipe import NUMBER_FORMS
from graphtalk.graphs.tabular.words import words

Kind: TypeAlias = Literal[
    "integer", "number", "text", "boolean", "date", "datetime", "list", "vector", "empty"
]
_LONGEST_KEY = 200  # letters of an id
_MOST_CODED = 1 << 24  # cells, of four bytes each
_TELEPHONES = frozenset("phone telephone tel mobile cell fax iban account card ssn siret siren vat".split())
_SEPARATORS = (";", "|", ",")
_CODE = r"^\D{0,4}0[0-9]|^\s*\+[0-9 ]+$"  # a leading zero or plus: of codes and telephones


@dataclass(frozen=True)
class SourceTable:
    """One table: what a recipe calls it (`file`, and `table` within it), what people call it, and its rows.

    `key` and `foreign` are what a database declares: the columns of the primary key, and the table and column that
    each foreign key names. `header`: the file names the columns.
    """

    name: str
    file: str
    rows: Rows
    table: str = ""
    key: tuple[str, ...] = ()
    foreign: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    header: bool = True

    @cached_property
    def columns(self) -> dict[str, "Column"]:
        """The columns by name, in their order."""
        table = self.rows.table
        return {
            name: Column(name, cells, self.separator)
            for name, cells in zip(table.column_names, table.columns, strict=True)
        }

    @property
    def separator(self) -> str:
        """What separates columns in the file, "" where nothing does."""
        return self.rows.dialect.separator if self.rows.dialect else ""

    @property
    def layout(self) -> tuple[tuple[str, ...], str, str, bool, tuple[str, ...], str, bool | None, int]:
        """How a recipe says which rows these are: the fields of `TableSpec`, in their order."""
        dialect = self.rows.dialect
        if dialect is None:
            return (self.file,), self.table, "", True, (), "", None, 0
        columns = () if self.header else dialect.columns
        skip = dialect.skip - 1 if self.header else dialect.skip
        return (self.file,), self.table, dialect.encoding, self.header, columns, dialect.separator, None, skip

    @property
    def height(self) -> int:
        """How many rows there are."""
        return int(self.rows.table.num_rows)


@dataclass(frozen=True)
class Column:
    """One column. `separator` is what separates columns in its file, which hints at how numbers are written there."""

    name: str
    cells: pa.ChunkedArray
    separator: str = ""

    @cached_property
    def _nested(self) -> bool:
        return bool(pa.types.is_nested(self.cells.type))

    @cached_property
    def listed(self) -> bool:
        """Whether its cells are lists of texts or of whole numbers, which may name rows."""
        kind = self.cells.type
        inner = kind.value_type if pa.types.is_list(kind) or pa.types.is_large_list(kind) else None
        return inner is not None and (
            pa.types.is_string(inner) or pa.types.is_large_string(inner) or pa.types.is_integer(inner)
        )

    @cached_property
    def textual(self) -> bool:
        """Whether its values, or the entries of its lists, are texts."""
        return self.kind == "text" or (self.listed and not pa.types.is_integer(self.cells.type.value_type))

    @cached_property
    def coded(self) -> pa.ChunkedArray:
        """The cells; texts as numbers of their different values, where there are not too many to be kept so."""
        few = pa.types.is_string(self.cells.type) and len(self.cells) <= _MOST_CODED
        return self.cells.dictionary_encode() if few else self.cells

    @cached_property
    def _values(self) -> tuple[pa.Array, pa.Array]:
        """The different values, or entries of lists; and the same as text, null where they are blank."""
        values = pc.unique(pc.list_flatten(self.cells) if self.listed else self.coded)
        if isinstance(values, pa.DictionaryArray):
            values = values.dictionary_decode()
        texts = pc.cast(values, pa.string())
        blank = pc.is_in(pc.fill_null(pc.utf8_trim_whitespace(texts), ""), value_set=MISSING)
        return values, pc.if_else(blank, pa.scalar(None, pa.string()), texts)

    @cached_property
    def distinct(self) -> pa.Array:
        """The distinct values as text, or the distinct entries of lists, without blank ones."""
        if (self._nested and not self.listed) or pa.types.is_binary(self.cells.type):
            return pa.array([], pa.string())
        return self._values[1].drop_null()

    @cached_property
    def blanks(self) -> int:
        """How many cells are blank."""
        if self._nested or pa.types.is_binary(self.cells.type):
            return int(self.cells.null_count)
        values, texts = self._values
        if not texts.null_count:
            return 0
        blank = pc.is_in(self.cells, value_set=values.filter(texts.is_null()))
        return int(pc.sum(blank).as_py() or 0)

    @cached_property
    def unique(self) -> bool:
        """Whether each row has a value of its own that could be an id."""
        if self.blanks or self._nested or not len(self.cells) or len(self.distinct) < len(self.cells):
            return False
        return bool(pc.max(pc.utf8_length(self.distinct)).as_py() <= _LONGEST_KEY)

    @cached_property
    def kind(self) -> Kind:
        """What all its values are."""
        if self.blanks == len(self.cells):
            return "empty"
        kind = self.cells.type
        if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_dictionary(kind):
            found = infer_kind(pa.chunked_array([self.distinct])).type
        else:
            found = self.cells.type
        if pa.types.is_integer(found):
            return "integer"
        return feature_kind(found)

    @cached_property
    def form(self) -> str:
        """How its numbers are written, one of `NUMBER_FORMS`, where Python would not read them; "" for none."""
        return self._numbers[0]

    @cached_property
    def doubt(self) -> str:
        """Why a column that could be of numbers stays text; "" where there is no doubt."""
        return self._numbers[1]

    @cached_property
    def whole(self) -> bool:
        """Whether its values are integers, perhaps written with `.0` where some cells are blank."""
        if self.kind == "integer":
            return True
        return self.kind == "number" and bool(
            pc.all(pc.match_substring_regex(self.distinct, r"^\d+(\.0+)?$")).as_py()
        )

    @cached_property
    def _numbers(self) -> tuple[str, str]:
        some, whole = (pa.chunked_array([each]) for each in (self.distinct.slice(0, 100), self.distinct))
        if self.kind != "text" or not may_be_numbers(some) or _any(self.distinct, _CODE):
            return "", ""
        forms = [form for form in NUMBER_FORMS if not plain_numbers(some, form).null_count]
        forms = [form for form in forms if not plain_numbers(whole, form).null_count]
        if not forms:
            return "", ""
        if forms[0][1] == " " and not self._shown:
            return "", f"{self.distinct[0].as_py()!r} could be a number or a code, with blanks between"
        read = {form: as_kind(whole, form)[0] for form in forms}
        if all(read[form].cast(pa.float64()).equals(read[forms[0]].cast(pa.float64())) for form in forms):
            return forms[0], ""
        told = _told(self.distinct, self.separator, forms)
        if told:
            return told, ""
        return "", f"{self.distinct[0].as_py()!r} could have a decimal sign or separate thousands"

    @cached_property
    def _shown(self) -> bool:
        """Whether groups of digits with blanks between are numbers rather than, say, those of telephones."""
        values = self.distinct
        digits = pc.min_max(pc.utf8_length(pc.replace_substring_regex(values, r"\D", ""))).as_py()
        varied = digits["min"] < digits["max"] and _TELEPHONES.isdisjoint(words(self.name))
        plain = values.filter(pc.invert(pc.match_substring(values, " ")))
        return varied or _has_small(plain) or _any(values, rf"{CURRENCY}|%|[.,]\d")

    @cached_property
    def split(self) -> str:
        """What separates the entries of its cells, where they are lists; "" where they are none."""
        if self.kind != "text" or self.form or not len(self.distinct):
            return ""
        for mark in _SEPARATORS:
            has = self.distinct.filter(pc.match_substring(self.distinct, mark))
            if len(has) * (2 if mark == "," else 4) < len(self.distinct) or len(has) < 2:
                continue
            lists = pc.split_pattern(self.distinct, mark)
            entries = pc.utf8_trim_whitespace(pc.list_flatten(lists))
            if mark == "," and not _mixed(lists, entries):
                continue
            short = pc.max(pc.utf8_length(entries)).as_py() <= 40
            blanks = pc.max(pc.count_substring(entries, " ")).as_py()
            few = len(pc.unique(entries)) * 4 <= len(entries) * 3  # entries recur, as names of kinds do
            if short and few and blanks <= 3 and not pc.any(pc.equal(entries, "")).as_py():
                return f"{mark} " if self._blank_after(mark) else mark
        return ""

    def _blank_after(self, mark: str) -> bool:
        marks = pc.sum(pc.count_substring(self.distinct, mark)).as_py()
        return bool(marks == pc.sum(pc.count_substring(self.distinct, f"{mark} ")).as_py())


def is_kind(column: Column) -> bool:
    """Whether a column of text has so few values that they are kinds of things rather than names of them."""
    count, rows = len(column.distinct), len(column.cells)
    return column.kind == "text" and are_kinds(count, rows)


def _told(values: pa.Array, separator: str, forms: list[str]) -> str:
    """The form where commas and points could mean either: what currencies, small numbers or the file's commas show."""
    for mark, form in ((",", "1,234.5"), (".", "1.234,5")):
        has = pc.match_substring(values, mark)
        if form not in forms or not pc.any(has).as_py():
            continue
        if (
            _any(values, CURRENCY)
            or _has_small(values.filter(pc.invert(has)))
            or (mark == "," and separator == ",")
        ):
            return form
    return ""


def _mixed(lists: pa.Array, entries: pa.Array) -> bool:
    """Whether cells have different numbers of entries, and some entry stands first in one and later in another.

    `Paris, France` has its parts in places of their own, and is one thing.
    """
    lengths = pc.list_value_length(lists).to_numpy()
    first = np.zeros(len(entries), bool)
    first[np.cumsum(lengths) - lengths] = True
    firsts, later = entries.filter(pa.array(first)), entries.filter(pa.array(~first))
    return len(np.unique(lengths)) > 1 and bool(pc.any(pc.is_in(firsts, value_set=later)).as_py())


def _any(values: pa.Array, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(values, pattern)).as_py())


def _has_small(values: pa.Array) -> bool:
    """Whether there are numbers, and none that would have its thousands separated."""
    digits = pc.utf8_length(pc.replace_substring_regex(values, r"\D", ""))
    return len(values) > 0 and bool(pc.max(digits).as_py() <= 3)
