"""Which tables are edges: those with two columns that hold rows of other tables, or that are called as ends of edges are.

What the columns hold decides, as what they are called may mean anything. Where ids are whole numbers without gaps, any
small numbers lie among them: there the names of columns or of the file must say that they are ends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.graphs.formats.columns_by_name import first_of
from graphtalk.graphs.tabular.keys import Id, entries, is_named_id, label_of, share_of, targets
from graphtalk.graphs.tabular.profile import Column, SourceTable, is_kind
from graphtalk.graphs.tabular.words import (
    NAMES,
    TITLES,
    Pair,
    called,
    is_edge_like,
    is_generic,
    is_keylike,
    is_self,
    may_name,
    pair_of_names,
)

_ENOUGH = 0.5  # of the values of an end must be rows: where some are not there, the import says which
_BY_CHANCE = 1e-3


@dataclass(frozen=True)
class End:
    """A column that names nodes: of the table `to` ("" for any) by its column `by` ("" for the id).

    `telling`: it would hardly hold so many of these values by chance. `rivals`: tables that it could name as well.
    """

    column: str
    to: str
    by: str
    share: float = 0.0
    telling: bool = False
    rivals: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True)
class Ends:
    """The two ends of a table of edges. `doubt` says why they cannot be told apart, "" where they can."""

    source: End
    target: End
    why: str
    doubt: str = ""

    @property
    def columns(self) -> tuple[str, str]:
        """The two columns."""
        return self.source.column, self.target.column


@dataclass(frozen=True)
class Doubt:
    """A table that could be edges and is read as something else: why, and its ends where two columns could be these.

    `plain`: its name says that it is edges.
    """

    table: SourceTable
    told: str
    plain: bool = False
    ends: Ends | None = None


def find_ends(
    tables: Sequence[SourceTable], ids: Mapping[str, Id | None]
) -> tuple[dict[str, Ends], list[Doubt]]:
    """The tables that are edges, with their ends; and what is in doubt of others."""
    pairs = {table.name: pair_of_names(tuple(table.columns)) for table in tables}
    nodes = [
        table
        for table in tables
        if not _is_plainly_edges(table, pairs[table.name], ids[table.name])
        and not _only_names_others(table, tables, ids)
    ]
    found: dict[str, Ends] = {}
    doubts: list[Doubt] = []
    named = {to for table in tables for to, _ in table.foreign.values()}
    # those whose names say most come first: no table is edges that another's edges name
    for table in sorted(tables, key=lambda t: (-_rank(pairs[t.name]), not is_edge_like(t.name))):
        if table.name in named or table.foreign:
            continue
        pair, own = pairs[table.name], ids[table.name]
        others = [t for t in nodes if t is not table and t.name not in found and ids[t.name] is not None]
        fits = {
            c.name: end
            for c in table.columns.values()
            if others and _may_name(c) and (end := _end(c, others, ids)) is not None
        }
        ends = _among(table, others, pair, ids, fits) if others else _alone(table, pair, own)
        if ends is not None:
            found[table.name] = ends
            named |= {ends.source.to, ends.target.to}
        else:
            doubts += _doubts(table, own, fits)
    return found, doubts


def _doubts(table: SourceTable, own: Id | None, fits: Mapping[str, End]) -> list[Doubt]:
    """What a table that is not read as edges could hold all the same."""
    if own is not None and (is_named_id(table, own) or _is_called_so(table, own)):
        return []
    if (
        is_edge_like(table.name)
        and is_generic(table.name, edges=True)
        and not first_of(list(table.columns), (*NAMES, *TITLES))
    ):
        columns = ", ".join(map(repr, table.columns))
        told = f"{columns}: none of these are called as the ends of edges, and no two name rows of other tables. Call its ends source and target."
        return [Doubt(table, told, plain=True)]
    whole = [
        end
        for end in fits.values()
        if end.share == 1 and not end.telling and (may_name(end.column, end.to) or not is_keylike(end.column))
    ]
    if len(whole) == 2 == len(fits):
        ends = Ends(whole[0], whole[1], "")
        there = " and ".join(dict.fromkeys(end.to or "other tables" for end in whole))
        told = f"{whole[0].column!r} and {whole[1].column!r} could name rows of {there}, or be numbers, as which they are read."
        return [Doubt(table, told, ends=ends)]
    return []


def _is_called_so(table: SourceTable, own: Id) -> bool:
    """Whether an id is called as the table: `stop_id` of stops."""
    return own.strong and called(own.column, table.name) >= 2


def _rank(pair: Pair | None) -> int:
    return pair.rank if pair else 0


def _is_plainly_edges(table: SourceTable, pair: Pair | None, own: Id | None) -> bool:
    """Whether a table that has ends by name tells its rows apart by nothing else, so that no other's edges name them."""
    if pair is None or table.foreign:
        return False
    return own is None or own.column in (pair.source, pair.target) or pair.rank == 3


def _only_names_others(
    table: SourceTable, tables: Sequence[SourceTable], ids: Mapping[str, Id | None]
) -> bool:
    """Whether a table has two columns and each holds texts that are ids of another, so that it names rows and has none to be named."""
    columns = list(table.columns.values())
    if len(columns) != 2 or any(c.kind != "text" for c in columns):
        return False
    others = [(t, own) for t in tables if t is not table and (own := ids[t.name]) is not None]
    known = [t.columns[own.column].distinct for t, own in others]
    return all(any(share_of(entries(c), there) == 1 for there in known) for c in columns)


def _among(
    table: SourceTable,
    others: Sequence[SourceTable],
    pair: Pair | None,
    ids: Mapping[str, Id | None],
    fits: Mapping[str, End],
) -> Ends | None:
    """The ends of a table beside tables of nodes; `fits` are its columns that name rows of those."""
    own = ids[table.name]
    fits = {c: e for c, e in fits.items() if e.telling or not e.to or may_name(c, e.to)}
    beside = {c: e for c, e in fits.items() if pair and c not in (pair.source, pair.target)}
    further = any(e.telling or (is_keylike(c) and called(c, e.to) >= 2) for c, e in beside.items())
    if further and own is not None and own.column not in fits:
        return None  # flights by their numbers: an edge cannot lead to their airline too
    apart = own is not None and pair is not None and own.column not in (pair.source, pair.target)
    thing = apart and own is not None and _is_called_so(table, own)
    if thing and label_of(table, own, ())[0] not in ("", *fits):
        return None  # routes that have ids and names are things, though each leads from a stop to another
    if pair is not None and pair.source in fits and pair.target in fits:
        timely = pair.rank == 1 and not (fits[pair.source].telling and fits[pair.target].telling)
        if not timely or is_edge_like(table.name) or _are_first(table, pair):
            return _of(table, fits[pair.source], fits[pair.target])
    elif pair is not None:
        is_own = own is not None and own.column not in (pair.source, pair.target)
        plain = is_edge_like(table.name) and not (own is not None and is_named_id(table, own))
        shared = _shared_names(table, pair, others, ids)
        if shared or plain or (pair.rank == 3 and not is_own):
            ends = [End(column, "", "") for column in (pair.source, pair.target)]
            return Ends(ends[0], ends[1], f"it has {pair.source!r} and {pair.target!r}", shared)
    if own is not None and (is_named_id(table, own) or (own.column not in fits and _tells_rows(table, own))):
        return None
    if label_of(table, None, ())[0] not in ("", *fits):
        return None  # rows with names of their own are things
    hinted = is_edge_like(table.name) or sum(map(is_keylike, fits)) > 1 or any(map(is_self, fits))
    sure = [end for end in fits.values() if end.telling or (hinted and end.share == 1)]
    return _of(table, *sure) if len(sure) == 2 else None


def _of(table: SourceTable, source: End, target: End) -> Ends:
    there = " and ".join(dict.fromkeys(end.to or "other tables" for end in (source, target)))
    doubt = next(
        (
            f"{end.column!r} could name rows of {' or '.join((end.to, *end.rivals))}: they have the same ids. "
            f'A recipe says which (--explain writes one): {side}_type = "{end.to}" or "{end.rivals[0]}".'
            for side, end in (("source", source), ("target", target))
            if end.rivals
        ),
        "",
    )
    return Ends(source, target, f"{source.column!r} and {target.column!r} name rows of {there}", doubt)


def _shared_names(
    table: SourceTable, pair: Pair, others: Sequence[SourceTable], ids: Mapping[str, Id | None]
) -> str:
    """Why ends name no rows, where they hold texts that several rows share; "" where they do not."""
    for column in (table.columns[pair.source], table.columns[pair.target]):
        for other in others:
            for cells in other.columns.values():
                if cells.kind != "text" or cells.unique or column.kind != "text":
                    continue
                if share_of(entries(column), cells.distinct) >= _ENOUGH and not is_kind(cells):
                    own = ids[other.name]
                    return (
                        f"{column.name!r} holds {cells.name!r} of {other.rows.path.name}, which several rows share. "
                        f"Name rows there by what tells them apart, such as {own.column if own else 'id'!r}."
                    )
    return ""


def _alone(table: SourceTable, pair: Pair | None, own: Id | None) -> Ends | None:
    """The ends of a table that no other has nodes for: what its columns are called must say so."""
    if pair is None:
        return None
    columns = table.columns[pair.source], table.columns[pair.target]
    if not all(map(_may_name, columns)):
        return None
    shared = bool(pc.any(pc.is_in(columns[0].distinct, value_set=columns[1].distinct)).as_py())
    texts = all(c.kind == "text" for c in columns)
    label, _ = label_of(table, None, ())
    is_own = own is not None and own.strong and own.column not in (pair.source, pair.target)
    is_thing = is_own or label not in ("", pair.source, pair.target)
    if pair.rank == 3 or is_edge_like(table.name):
        fits = True
    elif pair.rank:
        fits = not is_thing or (shared and texts)
    else:
        fits = not is_thing and shared and (texts or (_are_first(table, pair) and len(table.columns) <= 3))
    if not fits:
        return None
    ends = [End(c.name, "", "") for c in columns]
    return Ends(
        ends[0], ends[1], f"it has {pair.source!r} and {pair.target!r}, and no table of nodes is given"
    )


def _end(column: Column, others: Sequence[SourceTable], ids: Mapping[str, Id | None]) -> End | None:
    """The nodes that a column names, None where it names none."""
    values = entries(column)
    if not len(values):
        return None
    ranked: list[tuple[tuple[float, ...], str, str, pa.Array]] = []
    every = []
    for other in others:
        own = ids[other.name]
        for by, known in targets(other, own, column, column.textual):
            is_id = own is not None and by == own.column
            if is_id:
                every.append(known)
            share = share_of(values, known)
            if share:
                strong = own is not None and own.strong
                rank = (share, called(column.name, other.name), is_id, strong)
                ranked.append((rank, other.name, "" if is_id else by, known))
            if share == 1 and is_id:
                break  # no other column of this table is above its id
    if not ranked:
        return None
    best = max(ranked, key=lambda entry: entry[0])
    (share, *_), to, by, known = best
    rivals = tuple(name for other, name, *_ in ranked if other == best[0] and name != to)
    if len(every) > 1:
        union = pc.unique(pa.concat_arrays(every))
        together = share_of(values, union)
        if together > share and len(union) == sum(map(len, every)):
            share, to, by, known, rivals = together, "", "", union, ()
    if share < _ENOUGH:
        return None
    return End(column.name, to, by, share, _is_telling(values, known, share), rivals)


def _is_telling(values: pa.Array, known: pa.Array, share: float) -> bool:
    """Whether values are hardly among the known ones by chance: several texts, or whole numbers among few of many."""
    numbers = pc.match_substring_regex(known, r"^\d{1,15}$")
    if not pc.all(numbers).as_py():
        return len(values) >= 3 or share == 1
    whole = pc.cast(known, pa.int64()).to_numpy()
    density = len(whole) / (np.ptp(whole) + 1)
    return share > 0.9 and bool(density ** len(values) < _BY_CHANCE)


def _may_name(column: Column) -> bool:
    return not column.form and not column.split and (column.kind in ("integer", "text") or column.whole)


def _are_first(table: SourceTable, pair: Pair) -> bool:
    return tuple(table.columns)[:2] == (pair.source, pair.target)


def _tells_rows(table: SourceTable, own: Id) -> bool:
    """Whether an id that is none of the ends is one: numbers of rows that nothing is called by are not."""
    column = table.columns[own.column]
    return column.kind == "text" or not column.name.startswith("column ")
