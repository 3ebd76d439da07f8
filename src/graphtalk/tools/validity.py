"""Graphs whose edges say when they hold, by a date or a year from which and one to which they do.

The two are edge features, told by their names (`valid_from` and `valid_to`, `since`, `start_date` and `end_date`, …). Both
are part of the time; an edge without the one holds since ever, without the other still.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.core import ToolError
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Adjacency
from graphtalk.graphs.graph import floats
from graphtalk.language.identifiers import split_name
from graphtalk.tools.dates import Span

_BEGINS = ("valid from", "valid since", "effective from", "valid start", "from", "since", "start", "starts", "started",
           "begin", "begins", "began", "effective")  # fmt: skip
_ENDS = ("valid to", "valid until", "valid till", "effective to", "effective until", "valid end", "to", "until", "till",
         "end", "ends", "ended")  # fmt: skip
_UNITS = frozenset("date day year time datetime timestamp at on".split())
_EPOCH = date(1970, 1, 1).toordinal()
_DAY = 86_400_000_000  # microseconds
_Moments = NDArray[np.datetime64]


@dataclass(frozen=True)
class Dated:
    """A relation, by its position in the schema, whose edges say when they hold; "" where they do not say that end."""

    relation: int
    begins: str
    ends: str


def dated(graph: Graph) -> list[Dated]:
    """The relations of which edges say when they hold."""
    found = []
    for position, relation in enumerate(graph.schema.relations):
        table = graph.edge_columns[position]
        plain = {_plain(name): name for name in reversed(table.column_names) if _is_time(table.column(name))}
        begins = next((plain[name] for name in _BEGINS if name in plain), "")
        ends = next((plain[name] for name in _ENDS if name in plain), "")
        if relation.count and (begins or ends):
            found.append(Dated(position, begins, ends))
    return found


def _plain(name: str) -> str:
    words = [word.lower() for word in split_name(name)]
    while len(words) > 1 and words[-1] in _UNITS:
        words.pop()
    return " ".join(words)


def _is_time(column: pa.ChunkedArray) -> bool:
    if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
        return True
    if not pa.types.is_integer(column.type) and not pa.types.is_floating(column.type):
        return False
    years = floats(column)
    years = years[np.isfinite(years)]
    return bool(len(years)) and bool(np.all((years == np.floor(years)) & (years >= 1) & (years <= 9999)))


def at_time(graph: Graph, span: Span, period: str) -> tuple[Graph, str]:
    """The graph with those edges that held at some moment of a time, and what is to be said of it.

    All nodes stay, and so do edges of relations that do not say when they hold. Raises ToolError where none does.
    """
    found = dated(graph)
    if not found:
        raise ToolError(
            f"No edges of {graph.name} say when they hold, so it is not known as of {period}: that wants a date or a "
            "year of edges, such as valid_from and valid_to."
        )
    start, end = (np.datetime64(moment - _EPOCH * _DAY, "us") for moment in (span.start, span.end))
    adjacencies, columns = list(graph.adjacencies), list(graph.edge_columns)
    relations = list(graph.schema.relations)
    kept = every = 0
    for each in found:
        r, table = relations[each.relation], columns[each.relation]
        holds = np.ones(r.count, bool)
        if each.begins:
            begins = _moments(table.column(each.begins), 0)
            holds &= np.isnat(begins) | (begins < end)
        if each.ends:
            ends = _moments(table.column(each.ends), 1)
            holds &= np.isnat(ends) | (ends > start)
        source, target = graph.ends(each.relation)
        places = np.flatnonzero(holds)
        spans = graph.indices(r.source), graph.indices(r.target)
        adjacencies[each.relation], order = Adjacency.of(source[places], target[places], *spans)
        columns[each.relation] = table.take(pa.array(places[order]))
        relations[each.relation] = replace(r, count=len(places))
        kept, every = kept + len(places), every + r.count
    undated = [r.name for at, r in enumerate(relations) if r.count and at not in {d.relation for d in found}]
    names = _listed(relations[d.relation].name for d in found)
    told = f"{kept:,} of {every:,} edges of {names} held {'on' if period.count('-') == 2 else 'in'} {period}"
    if undated:
        told += f"; when edges of {_listed(undated)} do is not recorded"
    return replace(
        graph,
        schema=replace(graph.schema, relations=tuple(relations)),
        adjacencies=adjacencies,
        edge_columns=columns,
        path=None,
        ids_index=graph.id_index,
        checksum=hashlib.sha256(f"{graph.checksum} {period}".encode()).hexdigest() if graph.checksum else "",
    ), told


def _moments(column: pa.ChunkedArray, after: int) -> _Moments:
    """When the days, moments or years of a column begin, or where `after` is 1 when they are over. Not a time where missing."""
    if pa.types.is_date(column.type):
        days = np.asarray(column.to_numpy(), "datetime64[D]")
        return (days + after).astype("datetime64[us]")
    if pa.types.is_timestamp(column.type):
        return np.asarray(column.to_numpy(), "datetime64[us]") + after
    years = floats(column)
    known = np.isfinite(years)
    found = np.full(len(years), np.datetime64("NaT"), "datetime64[us]")
    found[known] = (
        (years[known].astype(np.int64) - 1970 + after).astype("datetime64[Y]").astype("datetime64[us]")
    )
    return found


def _listed(names: Iterable[str], most: int = 4) -> str:
    once = sorted(set(names))
    named = once[:most] if len(once) <= most else [*once[: most - 1], f"{len(once) - most + 1:,} more"]
    return " and ".join(part for part in (", ".join(named[:-1]), named[-1]) if part)
