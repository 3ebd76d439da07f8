"""Columns that name nodes (foreign keys): from their cells to the nodes that they name.

A blank cell names none: no edge, counted and said. A cell that names no node of its type is what `Rejects.missing`
says: an error with file and line, left out and counted, or a node made for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphtalk.core import SourceError, choices
from graphtalk.graphs.assemble import WAY_ON, EdgeRows, NodeRows, no_line, same_text
from graphtalk.graphs.formats.kinds import MISSING
from graphtalk.graphs.formats.rows import Rows, column, text_column
from graphtalk.graphs.importing import Rejects
from graphtalk.graphs.recipe import EdgeSpec, LinkSpec, NodeSpec


@dataclass(frozen=True)
class NodeTableRows:
    """A table of nodes as it was read: its layout, its rows and the nodes that they are."""

    spec: NodeSpec
    rows: Rows
    nodes: NodeRows


@dataclass
class Lookup:
    """Which nodes cells name. `added` has the nodes that were made for names of none, by type and text."""

    tables: Sequence[NodeTableRows]
    rejects: Rejects
    _added: dict[str, dict[str, str]] = field(default_factory=dict)

    def edges(self, table: NodeTableRows, link: LinkSpec) -> EdgeRows:
        """The edges from the nodes of a table to those that one of its columns names."""
        cells, owner = column(table.rows, link.column), np.arange(len(table.nodes.keys))
        is_lists = pa.types.is_list(cells.type) or pa.types.is_large_list(cells.type)
        if is_lists or link.split:
            lists = (
                cells.combine_chunks()
                if is_lists
                else pc.split_pattern(text_column(table.rows, link.column).combine_chunks(), link.split)
            )
            owner = pc.list_parent_indices(lists).to_numpy()
            entries = pc.fill_null(pc.cast(pc.list_flatten(lists), pa.string()), "")
            cells = pa.chunked_array([pc.utf8_trim_whitespace(entries)])
        else:
            cells = text_column(table.rows, link.column)
        found = self._named(table.rows, cells, link, owner)
        keep = np.flatnonzero(found.is_valid().to_numpy())
        return EdgeRows(
            table.nodes.keys.take(pa.array(owner[keep])),
            found.take(pa.array(keep)),
            same_text(link.relation or link.column, len(keep)),
            pa.table({}),
            str(table.rows.path),
            lambda row: table.rows.line(int(owner[keep[row]])),
        )

    def ends(self, spec: EdgeSpec, rows: Rows, edges: EdgeRows) -> EdgeRows:
        """The edges with the ends whose type is told as the keys of nodes, without those that lack an end."""
        sides = (
            (spec.source, spec.source_type, spec.source_by),
            (spec.target, spec.target_type, spec.target_by),
        )
        every = np.arange(rows.table.num_rows)
        found = [
            self._named(rows, cells, LinkSpec(column, to, by), every) if to else cells
            for (column, to, by), cells in zip(sides, (edges.source, edges.target), strict=True)
        ]
        keep = np.flatnonzero(found[0].is_valid().to_numpy() & found[1].is_valid().to_numpy())
        if len(keep) == len(every):
            return replace(edges, source=found[0], target=found[1])
        kept = pa.array(keep)
        features = edges.features.take(kept) if edges.features.num_columns else edges.features
        parts = [column.take(kept) for column in (*found, edges.relation)]
        return replace(
            edges,
            **dict(zip(("source", "target", "relation"), parts, strict=True)),
            features=features,
            line=lambda row: edges.line(int(keep[row])),
        )

    def added(self) -> list[NodeRows]:
        """The nodes that were made for names of none."""
        made = []
        for to, keys in self._added.items():
            ids = pa.chunked_array([list(keys.values())], pa.string())
            made.append(
                NodeRows(pa.table({"id": ids}), ids, same_text(to, len(ids)), "", no_line, textual=False)
            )
        return made

    def _named(
        self, rows: Rows, cells: pa.ChunkedArray, link: LinkSpec, owner: NDArray[np.int64]
    ) -> pa.ChunkedArray:
        """The keys of the nodes that cells name, null where there is no edge. `owner`: the row of each cell."""
        encoded = cells.combine_chunks().dictionary_encode()
        names = encoded.dictionary
        keys = self._keys(names, link)
        absent = pc.and_(pc.is_null(keys), pc.invert(_blank(names)))
        if pc.any(absent).as_py():
            keys = self._without(rows, link, names, keys, encoded, owner)
        found = pa.chunked_array([keys.take(encoded.indices)])
        blanks = int(
            np.isin(
                encoded.indices.to_numpy(), np.flatnonzero(_blank(names).to_numpy(zero_copy_only=False))
            ).sum()
        )
        if blanks and not link.split:
            self.rejects.note(
                f"{rows.path.name}: {blanks:,} of {len(cells):,} rows have no {link.column!r}, and so no edge from it."
            )
        return found

    def _keys(self, names: pa.Array, link: LinkSpec) -> pa.Array:
        """The key of the node that each name means, null for none: as it stands, without blanks, without `.0`."""
        values, keys = [], []
        for table in self.tables:
            if table.spec.node_type == link.to:
                by = link.by or table.spec.id
                numbered = not by  # rows that have no id go by their numbers
                values.append(
                    pa.array(np.arange(1, len(table.nodes.keys) + 1)).cast(pa.string())
                    if numbered
                    else text_column(table.rows, by).combine_chunks()
                )
                keys.append(table.nodes.keys.combine_chunks())
        known, key = pa.concat_arrays(values), pa.concat_arrays(keys)
        found = pc.index_in(names, value_set=known)
        for spelled in (
            pc.utf8_trim_whitespace(names),
            pc.replace_substring_regex(names, r"^\s*(\d+)\.0+\s*$", r"\1"),
        ):
            if not found.null_count:
                break
            found = pc.coalesce(found, pc.index_in(spelled, value_set=known))
        return pc.if_else(pc.equal(names, ""), None, key.take(found))

    def _without(
        self,
        rows: Rows,
        link: LinkSpec,
        names: pa.Array,
        keys: pa.Array,
        encoded: pa.DictionaryArray,
        owner: NDArray[np.int64],
    ) -> pa.Array:
        """The keys with those of names of no node refused, left out or made."""
        absent = pc.and_(pc.is_null(keys), pc.invert(_blank(names))).to_numpy(zero_copy_only=False)
        where = np.flatnonzero(absent[encoded.indices.to_numpy()])
        by = link.by or "id"
        if self.rejects.missing == "skip":
            self.rejects.note(
                f"{rows.path.name}: {len(where):,} edges were left out: their {link.column!r} is the {by} of no "
                f"{link.to} (the first: {names[encoded.indices[where[0]].as_py()].as_py()!r}, line {rows.line(int(owner[where[0]]))})."
            )
            return keys
        if self.rejects.missing == "add":
            made = self._added.setdefault(link.to, {})
            prefix = next(t.spec.prefix for t in self.tables if t.spec.node_type == link.to)
            texts = names.to_pylist()
            for text in (texts[place] for place in np.flatnonzero(absent)):
                made.setdefault(text, prefix + text)
            self.rejects.note(
                f"{rows.path.name}: {int(absent.sum()):,} {link.to} were made that only {link.column!r} names."
            )
            return pc.coalesce(keys, pa.array([made.get(t) for t in texts], pa.string()))
        for row in where.tolist():
            text = names[encoded.indices[row].as_py()].as_py()
            self.rejects.reject(
                "missing node",
                f"{text!r} in {link.column!r} is the {by} of no {link.to}. {WAY_ON}.",
                str(rows.path),
                rows.line(int(owner[row])),
            )
        return keys


def check_links(table: NodeTableRows) -> None:
    """Raise SourceError where a link names a column that the table lacks."""
    for link in table.spec.links:
        if link.column not in table.rows.places:
            hint = choices(link.column, table.rows.places, most=12)
            raise SourceError(f"links: no column {link.column!r}. {hint}", str(table.rows.path))


def _blank(names: pa.Array) -> pa.Array:
    return pc.is_in(pc.utf8_trim_whitespace(names), value_set=MISSING)
