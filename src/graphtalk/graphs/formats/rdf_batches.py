"""RDF that may be larger than memory: its triples are put in order by DuckDB, and become by batches the graph that `rdf` makes.

What is held in memory grows with the types, the relations and the features of the files, and with their blank nodes.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from graphtalk.core import SourceError
from graphtalk.graphs import spill as spilling
from graphtalk.graphs.assemble import EdgeRows, NodeRows, Rules, no_line, same_text
from graphtalk.graphs.columns import check_width, to_array
from graphtalk.graphs.formats import rdf
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.outside import Part, assemble_outside, connected, goes_outside
from graphtalk.graphs.recipe import RelationSpec
from graphtalk.graphs.spill import Spill

_LINK, _KIND = -1, -2  # instead of the data type of a literal: a link, a type
_CELLS = 1 << 22  # of a batch of nodes
_TRIPLE = pa.schema(
    [
        ("row", pa.int64()),
        ("s", pa.string()),
        ("p", pa.int32()),
        ("o", pa.string()),
        ("d", pa.int32()),
        ("l", pa.string()),
    ]
)
_PLACED = pa.schema(
    [("node", pa.int64()), ("id", pa.string()), ("kind", pa.int32()), ("kinds", pa.list_(pa.string()))]
)

sniff = rdf.sniff


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """The triples of files, of all their graphs together; by batches where they take more memory than they may."""
    if importing.spill is not None and goes_outside(importing.rejects):
        try:
            with connected(importing.spill) as connection:
                parts = _Ordered(connection, sources, importing, importing.spill).parts()
            return assemble_outside(*parts, importing.rejects, importing.name, importing.spill)
        except _Whole:
            goes_outside(importing.rejects, "lists and statements about statements")
    return rdf.read(sources, importing)


class _Whole(Exception):
    """There is what is read into memory whole."""


class _Staged(rdf.Triples):
    """Triples on their way into the table `triple` (row, subject, predicate, object, data type, language), in which
    predicates and data types are numbered."""

    def __init__(self, connection: Any) -> None:
        super().__init__()
        self.predicates: dict[str, int] = {}
        self.datatypes: dict[str, int] = {}
        self._connection = connection
        self._rows: list[tuple[int, str, int, str, int, str]] = []
        connection.register("held", _TRIPLE.empty_table())
        connection.execute("CREATE TABLE triple AS SELECT * FROM held")

    def add(self, quad: Any) -> None:
        """One more triple. Raises _Whole where it is of a list, or of a statement about a statement."""
        subject, predicate, other = quad.subject, quad.predicate.value, quad.object
        if predicate in rdf.UNLIKE or not (hasattr(subject, "value") and hasattr(other, "value")):
            raise _Whole
        if rdf.NIL in (subject.value, other.value):
            raise _Whole
        told, datatype, language = other.value, _KIND, ""
        if predicate != rdf.TYPE and hasattr(other, "datatype"):
            datatype = self.datatypes.setdefault(other.datatype.value, len(self.datatypes))
            language = other.language or ""
        about = self.key(subject)
        if predicate != rdf.TYPE and not hasattr(other, "datatype"):
            told, datatype = self.key(other), _LINK
        code = self.predicates.setdefault(predicate, len(self.predicates))
        self._rows.append((self.count, about, code, told, datatype, language))
        self.count += 1
        if len(self._rows) >= spilling.BATCH:
            self.flush()

    def flush(self) -> None:
        """Write out what is held."""
        columns = zip(*self._rows, strict=True) if self._rows else ((),) * len(_TRIPLE)
        arrays = [pa.array(cells, of.type) for cells, of in zip(columns, _TRIPLE, strict=True)]
        self._connection.register("held", pa.table(arrays, schema=_TRIPLE))
        self._connection.execute("INSERT INTO triple SELECT * FROM held")
        self._rows.clear()


@dataclass
class _Column:
    """What tells the type of a column: a value of each kind that it has, the first one first, of whole numbers both ends."""

    values: dict[Any, Any] = field(default_factory=dict)

    def add(self, value: Any) -> None:
        """One more value."""
        several = isinstance(value, list)
        for item in value if several else [value]:
            if isinstance(item, int) and not isinstance(item, bool):
                for end in (min, max):
                    held = self.values.get((end, several))
                    if held is None or end(item, held) != held:
                        self.values[end, several] = item
            else:
                zone = item.tzinfo is not None if isinstance(item, datetime) else isinstance(item, date)
                self.values.setdefault((type(item), zone, several), item)

    def array(self, cells: Sequence[Any]) -> pa.Array:
        """Some cells of the column, as all of them become."""
        told = [[value] if key[-1] else value for key, value in self.values.items()]
        return to_array([*told, *cells])[len(told) :]


class _Ordered:
    """The triples of files in order: `node` (node, id) has the resources, `link` the links, each once."""

    def __init__(self, connection: Any, sources: Sequence[Path], importing: Importing, spill: Spill) -> None:
        self._connection, self._spill, self._path = connection, spill, str(sources[0])
        self._found = _Staged(connection)
        for self._found.file, path in enumerate(sources):
            before = self._found.count
            rdf.parse(path, importing, self._found)
            importing.progress.advance(rows=self._found.count - before)
        self._found.flush()
        if not self._found.count:
            raise SourceError("has no triples.", self._path)
        self._iris, self._datatypes = list(self._found.predicates), list(self._found.datatypes)
        all_of = self._found.count
        self._run(
            "CREATE TABLE link AS SELECT min(row) AS row, s, p, o FROM triple WHERE d = -1 GROUP BY s, p, o"
        )
        self._run(
            "CREATE TABLE node AS SELECT row_number() OVER (ORDER BY min(place)) - 1 AS node, id FROM ("
            "SELECT s AS id, row AS place FROM triple WHERE d = -2 "
            f"UNION ALL SELECT s, {all_of} + row FROM triple WHERE d >= 0 "
            f"UNION ALL SELECT s, 2 * ({all_of} + row) FROM link "
            f"UNION ALL SELECT o, 2 * ({all_of} + row) + 1 FROM link) GROUP BY id"
        )

    def parts(self) -> tuple[list[Part[NodeRows]], list[Part[EdgeRows]], Rules]:
        """Nodes type by type, edges relation by relation, and what relations are called."""
        counts = self._run("SELECT p, count(*) FROM link GROUP BY p ORDER BY min(row)").fetchall()
        used = [self._iris[p] for p, _ in counts]
        often = Counter(dict(self._run("SELECT o, count(*) FROM triple WHERE d = -2 GROUP BY o").fetchall()))
        said = [self._iris[p] for (p,) in self._run("SELECT DISTINCT p FROM triple WHERE d >= 0").fetchall()]
        self._learn_names({*used, *often, *said})
        relations, types, features = (rdf.short(set(iris), self._found) for iris in (used, often, said))
        symmetric = f"SELECT DISTINCT s FROM triple WHERE d = -2 AND o = '{rdf.OWL}SymmetricProperty'"
        specs = {
            name: RelationSpec(name, name)
            for (iri,) in self._run(symmetric).fetchall()
            if (name := relations.get(iri))
        }
        for one, other in self._pairs(f"{rdf.OWL}inverseOf"):
            if one in relations and other in relations and one != other:
                specs[relations[one]] = RelationSpec(relations[one], relations[other])
        nodes = self._nodes(self._kinds(often, types), types, features)
        edges = self._edges(counts, relations)
        return nodes, edges, Rules(specs, default_type="resource", once=True)

    def _run(self, sql: str, **tables: pa.Table) -> Any:
        for name, table in tables.items():
            self._connection.register(name, table)
        return self._connection.execute(sql)

    def _reader(self, sql: str) -> Any:
        return self._connection.sql(sql).to_arrow_reader(spilling.BATCH)

    def _pairs(self, predicate: str) -> list[tuple[str, str]]:
        code = self._found.predicates.get(predicate, -1)
        found: list[tuple[str, str]] = self._run(
            f"SELECT s, o FROM link WHERE p = {code} ORDER BY row"
        ).fetchall()
        return found

    def _learn_names(self, iris: set[str]) -> None:
        """Have `short` know what types, relations and features are called."""
        codes = [self._found.predicates.get(iri, -1) for iri in rdf.NAMES]
        rows = self._run(
            "SELECT s, p, o, d, l FROM triple WHERE d >= 0 AND p IN (SELECT p FROM codes) AND s IN (SELECT s FROM iris) "
            "ORDER BY row",
            codes=pa.table({"p": codes}),
            iris=pa.table({"s": pa.array(sorted(iris), pa.string())}),
        ).fetchall()
        for about, group in groupby(sorted(rows, key=itemgetter(0)), itemgetter(0)):
            self._found.literals[about] = self._held(row[1:] for row in group)

    def _held(self, rows: Iterable[Sequence[Any]]) -> dict[str, list[tuple[Any, str]]]:
        """What these rows of predicate, object, data type and language say."""
        held: dict[str, list[tuple[Any, str]]] = {}
        for p, o, d, language in rows:
            if p is not None:
                value = rdf.value_of(o, self._datatypes[d])
                held.setdefault(self._iris[p], []).append((value, language))
        return held

    def _kinds(self, often: Counter[str], types: Mapping[str, str]) -> list[str | None]:
        """Give each node the code of its type, in `placed`. Returns the types by their codes."""
        parents = {s: o for s, o in self._pairs(f"{rdf.RDFS}subClassOf") if s in often}
        codes: dict[str | None, int] = {}
        rows = self._reader(
            "SELECT node, id, kinds FROM node LEFT JOIN "
            "(SELECT s, list(o ORDER BY row) AS kinds FROM triple WHERE d = -2 GROUP BY s) ON id = s ORDER BY node"
        )

        def batches() -> Iterator[pa.RecordBatch]:
            for batch in rows:
                several = batch.column("kinds").to_pylist()
                kinds = (rdf.kind_of(each or [], parents, often) for each in several)
                code = [codes.setdefault(types[k] if k else None, len(codes)) for k in kinds]
                columns = [batch.column(0), batch.column(1), pa.array(code, pa.int32()), batch.column(2)]
                yield pa.record_batch(
                    [c.cast(f.type) for c, f in zip(columns, _PLACED, strict=True)], schema=_PLACED
                )

        self._connection.register("placed", self._spill.table(_PLACED, batches()))
        return list(codes)

    def _nodes(
        self, kinds: Sequence[str | None], types: Mapping[str, str], features: Mapping[str, str]
    ) -> list[Part[NodeRows]]:
        ordered = (
            "SELECT placed.kind, placed.node, placed.id, placed.kinds, t.p, t.o, t.d, t.l FROM placed "
            "LEFT JOIN (SELECT * FROM triple WHERE d >= 0) t ON t.s = placed.id ORDER BY placed.kind, placed.node, t.row"
        )
        reader = self._reader(ordered)
        told = self._spill.table(reader.schema, reader)
        columns: list[dict[str, _Column]] = [{} for _ in kinds]
        sizes = np.zeros(len(kinds) + 1, np.int64)

        def resources(rows: pa.Table) -> Iterator[tuple[int, str, dict[str, Any], int]]:
            cells = (
                row
                for part in self._spill.batches(rows)
                for row in zip(*(c.to_pylist() for c in part.columns), strict=True)
            )
            for _, group in groupby(cells, itemgetter(1)):
                lines = list(group)
                kind, _, about, several = lines[0][:4]
                held = self._held(line[4:] for line in lines)
                values = rdf.told_of(about, several or [], held, self._found, types, features)
                named = {f"{name}_" if name == "id" else name: value for name, value in values.items()}
                yield kind, about, named, len(lines)

        for kind, _, values, lines in resources(told):
            sizes[kind + 1] += lines
            for name, value in values.items():
                columns[kind].setdefault(name, _Column()).add(value)

        def batches(code: int, rows: pa.Table) -> Iterator[NodeRows]:
            own, left = columns[code], resources(rows)
            size = max(1, min(spilling.BATCH, _CELLS // (len(own) + 1)))
            while some := list(islice(left, size)):
                check_width(len(own), len(some))
                ids = pa.chunked_array([pa.array([about for _, about, _, _ in some], pa.string())])
                cells = [own[name].array([values.get(name) for _, _, values, _ in some]) for name in own]
                label = "label" if "label" in own else ""
                table = pa.table([ids, *cells], names=["id", *own])
                yield NodeRows(
                    table, ids, same_text(kinds[code], len(ids)), self._path, no_line, label, False
                )

        starts = np.cumsum(sizes).tolist()
        return [
            Part(
                self._path,
                no_line,
                partial(batches, code, told.slice(starts[code], starts[code + 1] - starts[code])),
            )
            for code in range(len(kinds))
        ]

    def _edges(self, counts: Sequence[tuple[int, int]], relations: Mapping[str, str]) -> list[Part[EdgeRows]]:
        reader = self._reader(
            "SELECT s, o FROM link JOIN (SELECT p, min(row) AS begun FROM link GROUP BY p) USING (p) ORDER BY begun, row"
        )
        ends = self._spill.table(reader.schema, reader)

        def batches(name: str, rows: pa.Table) -> Iterator[EdgeRows]:
            for part in self._spill.batches(rows):
                source, target = part.columns
                relation = same_text(name, len(part))
                yield EdgeRows(source, target, relation, pa.table({}), self._path, no_line, textual=False)

        parts, start = [], 0
        for code, count in counts:
            rows = ends.slice(start, count)
            parts.append(Part(self._path, no_line, partial(batches, relations[self._iris[code]], rows)))
            start += count
        return parts
