"""Which column is a table's id, and which name rows of other tables: told by uniqueness and containment, helped by names.

A wrong edge costs more than a missing one: whole numbers that happen to lie among another table's ids are no keys unless
their name says whose, and what fits several tables alike is left as a feature, and said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.graphs.tabular.profile import Column, SourceTable
from graphtalk.graphs.tabular.words import (
    FIRST,
    KEY_WORDS,
    LAST,
    NAMES,
    TITLES,
    are_served,
    called,
    holds_people,
    is_keylike,
    is_self,
    may_name,
    names_somebody,
    relation_of,
    stem,
    words,
)

_STRONG, _NATURAL = 2.0, 1.0
_EXACT = ("id", "_id", "uuid", "guid", "pk", "uri", "iri", "key")
_MOST_NAMES = 10  # columns of a table that may name its rows, beside the id: of wide tables, the first
_UNIQUE = ("email", "e-mail", "username", "login", "slug", "symbol")  # what each has of its own
_OF_ROWS = frozenset(
    "id fk ref key of by".split()
)  # how columns end that may name rows of their own table, whatever they say of them
_WHOLLY = 3  # how well a column's name names a table that it says all of
_FEW = 3  # distinct texts that may be another table's by accident


@dataclass(frozen=True)
class Id:
    """The column of a table's ids. `strong`: its name says so too, or a database. `lent`: its name is another table's key."""

    column: str
    why: str
    strong: bool
    lent: bool = False


@dataclass(frozen=True)
class Key:
    """A column that names rows of the table `to`, by its column `by` (its id where empty)."""

    column: str
    to: str
    by: str
    split: str
    relation: str
    why: str


def id_of(table: SourceTable, tables: Sequence[SourceTable]) -> Id | None:
    """The column that tells a table's rows apart; None where there is none."""
    if len(table.key) == 1 and table.key[0] in table.columns:
        return Id(table.key[0], "the primary key", True)
    named = next((c for c in table.columns.values() if c.name.strip().casefold() in _EXACT), None)
    if named is not None and not named.unique and not 0 < len(named.distinct) * 2 < table.height:
        return Id(named.name, "it is called so, though some rows have none of their own", True)
    best, found, lent = 0.0, None, False
    for place, column in enumerate(table.columns.values()):
        if not column.unique or (column.kind not in ("integer", "text") and column is not named):
            continue
        others = [
            t
            for t in tables
            if t is not table and called(column.name, t.name) > called(column.name, table.name)
        ]
        score = _score(column, table, place)
        counted = column.kind == "integer" and len(tables) == 1  # a week or a rank, which nothing refers to
        if counted and score < _STRONG and called(column.name, table.name) == 0:
            continue
        is_lent = bool(others) and is_keylike(column.name)
        if is_lent:
            score = min(score, _NATURAL)
        if score > best:
            best, found, lent = score, column, is_lent
    if found is None or best < _NATURAL:
        return None
    if len(tables) == 1 and best < _STRONG and label_of(table, None, ())[0] not in ("", found.name):
        return None  # nothing refers to it, and rows have a name beside: it is something that they have
    name = ", and it is called so" if best >= _STRONG else ""
    return Id(found.name, f"each of {table.height:,} rows has one of its own{name}", best >= _STRONG, lent)


def _score(column: Column, table: SourceTable, place: int) -> float:
    """How much a column of distinct values looks like the id of its table."""
    folded = column.name.strip().casefold()
    if folded in _EXACT:
        return 5
    named = called(column.name, table.name)
    if is_keylike(column.name) and (named == _WHOLLY or not is_self(column.name)):  # a mentor's `mentor_id`
        return 4 if named else 3 if place == 0 else 2
    if column.kind == "text" and (
        folded in (*NAMES, *TITLES) or called(column.name, table.name) or words(column.name)[-1:] == ("name",)
    ):
        return 1.5
    return 1 if place == 0 or folded in _UNIQUE else 0


def keys_of(
    table: SourceTable, tables: Sequence[SourceTable], ids: Mapping[str, Id | None], doubts: list[str]
) -> list[Key]:
    """The columns that name rows of tables, in their order. What is in doubt is said in `doubts`."""
    own = ids[table.name]
    found: list[Key] = []
    for column in table.columns.values():
        declared = table.foreign.get(column.name)
        if declared is not None and any(t.name == declared[0] for t in tables):
            to, by = declared
            target = ids[to]
            by = "" if target is not None and by in ("", target.column) else by
            found.append(
                Key(column.name, to, by, "", relation_of(column.name, to), "a foreign key of the database")
            )
            continue
        is_own = own is not None and column.name == own.column
        if is_own and (own.strong or not is_keylike(column.name)):  # type: ignore[union-attr]
            continue
        key = _key(column, table, tables, ids, found, doubts)
        if key is not None:
            found.append(key)
    return found


def _key(
    column: Column,
    table: SourceTable,
    tables: Sequence[SourceTable],
    ids: Mapping[str, Id | None],
    earlier: Sequence[Key],
    doubts: list[str],
) -> Key | None:
    if not column.listed and column.kind not in ("integer", "text") and not column.whole:
        return None
    split = column.split
    values = entries(column, split)
    if not len(values):
        return None
    names = {t.name: called(column.name, t.name) for t in tables}
    own = ids[table.name]
    descends = own is not None and _descends(column, table.columns[own.column])
    people = _people(column, values, table, tables, ids)
    if descends or (is_self(column.name) and not people):
        # the table that it is in or, where that holds pairs, the one its other key names
        same = earlier[0].to if earlier and (own is None or own.lent) else table.name
        names[same] = max(names[same], 2)
    ranked: list[tuple[tuple[float, ...], Key]] = []
    nearly = ""
    for target in tables:
        # Texts of its own table a column names only where it says so.
        texts = column.textual and (target is not table or names[target.name] >= 2)
        for by, known in targets(target, ids[target.name], column, texts):
            named = max(names[target.name], 3 if _same_name(column, by, target, ids[target.name]) else 0)
            named = max(named, 2) if target in people and not descends else named
            own = ids[target.name]
            is_strong = own is not None and own.strong and by == own.column
            is_code = is_strong and _are_codes(values)
            if target is table and named < 2 and not (is_code and not _same_cells(column, table.columns[by])):
                continue
            share = share_of(values, known)
            # What nobody calls its rows by is no key: a passenger's nationality is no airline of that country.
            calls = own is not None and by in (own.column, label_of(target, own, ())[0])
            told = calls or is_code or is_keylike(by) or by.casefold() in _UNIQUE or _are_short_codes(values)
            alike = not is_strong and not is_code and _shared(column, by)
            if named < 2 and share == 1 and (alike or not told):
                nearly = f"all its values are in {target.name}.{by} too, which may be what both have"
                continue
            number = target is table and not is_self(column.name)  # a flight's `flight_no` is its own
            if (number and share < 1) or not _is_key(column, named, share, len(values), is_code):
                if is_code and 0.5 < share < 1:
                    nearly = f"{share:.0%} of its values are in {target.name}.{by}, not all"
                continue
            is_id = ids[target.name] is not None and by == ids[target.name].column  # type: ignore[union-attr]
            short = "" if is_id else by
            relation = relation_of(column.name, target.name)
            why = _why(values, share, target.name, by, named)
            key = Key(column.name, target.name, short, split, relation, why)
            ranked.append(((named, share, is_id, -len(known)), key))
    if not ranked:
        if nearly:
            doubts.append(
                f"{table.rows.path.name}: {column.name!r} stays a feature: {nearly}. Where it names rows, a recipe "
                "says which (--explain writes one), and --missing what becomes of the others."
            )
        return None
    ranked.sort(key=lambda entry: entry[0], reverse=True)
    best = ranked[0]
    rivals = [key.to for rank, key in ranked[1:] if rank[:2] == best[0][:2] and key.to != best[1].to]
    is_open = column.textual or may_name(column.name, best[1].to)
    if best[0][0] < 2 and (rivals or not is_open):
        others = " or ".join(repr(name) for name in (best[1].to, *rivals))
        doubts.append(
            f"{table.rows.path.name}: {column.name!r} stays a feature: it could name rows of {others}. Where it does, a recipe says which (--explain writes one)."
        )
        return None
    return best[1]


def _is_key(column: Column, named: int, share: float, count: int, is_code: bool) -> bool:
    """Whether a column names a table's rows: `named` how well their names agree, `share` how many of its values are there."""
    if share == 0:
        return False
    if named >= 2:
        return share > 0.5 or is_keylike(column.name)
    if share < 1:
        return False
    if column.textual and (is_code or not column.unique):
        return is_code or count >= _FEW or is_keylike(column.name)
    return is_keylike(column.name)


def targets(table: SourceTable, own: Id | None, column: Column, texts: bool) -> list[tuple[str, pa.Array]]:
    """The columns of a table that others may name its rows by, with their values: the id, and `texts` of each row's own."""
    if own is None or own.lent:
        return []
    found = [(own.column, table.columns[own.column].distinct)]
    if texts:
        named = (
            (c.name, c.distinct)
            for c in table.columns.values()
            if c.name != own.column and c is not column and c.kind == "text" and c.unique and not c.form
        )
        found += islice(named, _MOST_NAMES)
    return found


def _same_name(column: Column, by: str, target: SourceTable, own: Id | None) -> bool:
    """Whether both are called alike, by more than a word for all keys or names: `isbn` and `isbn`."""
    if column.name.casefold() != by.casefold() or own is None or own.column != by:
        return False
    return bool(stem(by)) and not set(words(by)) <= KEY_WORDS | {"name", "title", "label", "type", "date"}


def _shared(column: Column, by: str) -> bool:
    """Whether a column is called like another that no id is: an actor's city and a venue's, though each venue has another."""
    return column.name.casefold() == by.casefold() and not is_keylike(by) and by.casefold() not in _UNIQUE


def is_named_id(table: SourceTable, own: Id) -> bool:
    """Whether an id is called `id` and nothing else, or a database declares it."""
    return own.column.strip().casefold() in _EXACT or table.key == (own.column,)


def entries(column: Column, split: str = "") -> pa.Array:
    """The distinct names that a column has, each as ids are written."""
    values = pc.utf8_trim_whitespace(column.distinct)
    if split:
        values = pc.unique(pc.utf8_trim_whitespace(pc.list_flatten(pc.split_pattern(values, split.strip()))))
    if column.kind == "number":
        values = pc.replace_substring_regex(values, r"\.0+$", "")
    return values


def _same_cells(column: Column, own: Column) -> bool:
    """Whether a column says the id again in each row."""
    return not column.listed and bool(
        pc.all(pc.equal(pc.cast(column.cells, pa.string()), pc.cast(own.cells, pa.string()))).as_py()
    )


def _people(
    column: Column,
    values: pa.Array,
    table: SourceTable,
    tables: Sequence[SourceTable],
    ids: Mapping[str, Id | None],
) -> list[SourceTable]:
    """The one table of people who do things whose rows all values of a column name, where it is called by a role or what was done.

    A farm's `site_manager_id` is one of the staff, though there are farms of these numbers too; a worker's may be a worker.
    """
    of_its_own = holds_people(table.name) and is_self(column.name) and len(stem(column.name)) == 1
    if (
        not names_somebody(column.name) or of_its_own
    ):  # a worker's manager is a worker, a customer's account manager is none
        return []
    known = [t for t in tables if holds_people(t.name) and not are_served(t.name)]
    named = [
        t
        for t in known
        if (own := ids[t.name]) is not None
        and not own.lent
        and share_of(values, t.columns[own.column].distinct) == 1
    ]
    return named if len(named) == 1 else []


def _descends(column: Column, own: Column) -> bool:
    """Whether each cell names another row, and whoever goes on from row to row comes to one whose cell is blank.

    So it is where rows have a trainer, or follow up another, among themselves; what other ids have the same numbers goes round.
    """
    ends = words(column.name)[-1:]
    if column.listed or not _OF_ROWS.issuperset(ends) or not column.blanks or len(column.distinct) < 2:
        return False
    named, ids = (_as_ids(each) for each in (column, own))
    place = pc.fill_null(pc.index_in(named, value_set=ids), -1).to_numpy()
    named_none = pc.is_null(named).to_numpy(zero_copy_only=False)
    if np.any((place < 0) & ~named_none):
        return False
    for _ in range(len(place).bit_length()):
        place = np.where(place < 0, -1, place[place])
    return bool(np.all(place < 0))


def _as_ids(column: Column) -> pa.Array:
    """The cells of a column as ids are written, null where they are blank."""
    texts = pc.utf8_trim_whitespace(pc.cast(column.cells, pa.string()).combine_chunks())
    texts = pc.if_else(pc.is_in(texts, value_set=column.distinct), texts, pa.scalar(None, pa.string()))
    return pc.replace_substring_regex(texts, r"\.0+$", "") if column.kind == "number" else texts


def _are_codes(values: pa.Array) -> bool:
    """Whether texts are made to tell things apart, two of them at least: letters and digits in one, or `007` and `012`."""
    coded = pc.and_(pc.match_substring_regex(values, "[0-9]"), pc.match_substring_regex(values, r"\pL"))
    if len(values) < 2 or pc.all(coded).as_py():
        return len(values) > 1
    padded = pc.match_substring_regex(values, "^0[0-9]+$")
    as_long = len(pc.unique(pc.utf8_length(values))) == 1 and pc.all(pc.utf8_is_digit(values)).as_py()
    return bool(as_long and pc.any(padded).as_py())


def _are_short_codes(values: pa.Array) -> bool:
    """Whether texts are capitals and figures alone, a few of them: `OSL` and `CDG`."""
    return bool(pc.all(pc.match_substring_regex(values, "^[A-Z0-9]{2,6}$")).as_py())


def share_of(values: pa.Array, known: pa.Array) -> float:
    """The share of values that are known."""
    return float(pc.mean(pc.is_in(values, value_set=known).cast(pa.float64())).as_py() or 0.0)


def _why(values: pa.Array, share: float, to: str, by: str, named: int) -> str:
    there = f"all {len(values):,}" if share == 1 else f"{share:.0%} of {len(values):,}"
    return f"{there} values are in {to}.{by}" + (", and its name says so" if named >= 2 else "")


def label_of(table: SourceTable, own: Id | None, keys: Sequence[Key]) -> tuple[str, tuple[str, ...]]:
    """The feature that names rows to people, and the columns that it is made of where it is made; "" for none."""
    folded = {"_".join(words(name)): name for name in reversed(table.columns)}
    taken = {key.column for key in keys} | ({own.column} if own else set())
    left = [c for c in table.columns.values() if c.name not in taken and not c.form]
    free = [c for c in left if c.kind == "text"]
    spelt = [c for c in left if pa.types.is_string(c.cells.type)]
    dated = [c for c in spelt if c.kind in ("date", "datetime")]
    numbered = [c for c in spelt if c.kind == "integer" and c.unique]
    for name in (*NAMES, *("_".join((*words(table.name), name)) for name in ("name", "title"))):
        column = table.columns.get(folded.get(name, ""))
        # Names that read as dates or numbers are names, an order's "10248".
        if column is not None and (column in free or column in dated or column in numbered):
            return column.name, ()
    first, last = (next((folded[n] for n in some if n in folded), "") for some in (FIRST, LAST))
    if first and last and "name" not in folded:
        return "name", (first, last)
    for name in TITLES:
        column = table.columns.get(folded.get(name, ""))
        if column in free and column is not None and len(column.distinct) * 2 > table.height:
            return column.name, ()
    if own is not None and table.columns[own.column].kind == "text" and not own.strong:
        return "", ()
    named = [c for c in free if words(c.name)[-1:] in (("name",), ("title",))]
    own_name = next((c for c in named if called(c.name.removesuffix("name"), table.name)), None)
    if own is not None and _are_codes(table.columns[own.column].distinct):
        free = list(filter(_calls, free))  # else people call rows by the codes
    telling = own_name or next((c for c in (*named, *free) if _tells(c, table)), None)
    return (telling.name if telling else ""), ()


def _calls(column: Column) -> bool:
    """Whether a text of its own in each row has letters in each: a number plate, no version 2.1."""
    return column.unique and bool(pc.all(pc.match_substring_regex(column.distinct, r"\pL")).as_py())


def _tells(column: Column, table: SourceTable) -> bool:
    """Whether a text tells most rows apart, and is short."""
    if len(column.distinct) * 10 < table.height * 9 or column.split:
        return False
    return bool(pc.max(pc.utf8_length(column.distinct)).as_py() <= 80)
