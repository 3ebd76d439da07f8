"""What other stores load as statements: a Cypher script, and RDF as N-Triples."""

from collections.abc import Sequence
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphtalk.graphs.graph import Graph
from graphtalk.graphs.note import IRI as _BASE
from graphtalk.graphs.note import MARK, column_names, note_of
from graphtalk.graphs.schema import Feature, NodeType, Relation
from graphtalk.graphs.writers.text import (
    Column,
    edge_batches,
    json_escaped,
    json_texts,
    labels,
    line,
    node_batches,
    optional,
    replaced,
    texts,
    write_lines,
)

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_XSD = "http://www.w3.org/2001/XMLSchema#"


def write_cypher(graph: Graph, file: BinaryIO) -> None:
    """CREATE statements, one a line, as Neo4j, Memgraph and ladybug run them. Nodes are told by type and `id`."""
    file.write(f"// {MARK} {note_of(graph.schema)}\n".encode())
    for t, table in node_batches(graph):
        start = (f"CREATE (:{_name(t.name)} {{id: ", json_texts(table.column("id")))
        write_lines(file, line(*start, *_properties(t, table), "});\n"))
    for r, source, target, table in edge_batches(graph):
        ends = (f"MATCH (a:{_name(r.source)} {{id: ", json_texts(source), f"}}), (b:{_name(r.target)} {{id: ")
        made = ("}) CREATE (a)-[:" + _name(r.name), " {", *_properties(r, table, ""), "}]->(b);\n")
        whole = line(*ends, json_texts(target), *made)
        write_lines(file, pc.replace_substring(whole, " {}]->(b);\n", "]->(b);\n"))


def _name(text: str) -> str:
    return "`" + text.replace("`", "``") + "`"


def _properties(part: NodeType | Relation, table: pa.Table, before: str = ", ") -> list[Column | str]:
    """`, name: value` for each feature; without `before`, the first that a row has stands alone."""
    names = column_names(part.features)
    found: list[Column | str] = []
    started = None
    for feature in part.features:
        cells = table.column(feature.name)
        value = _cypher(cells, feature)
        between: str | Column = ", "
        if not before:
            between = "" if started is None else pc.if_else(started, ", ", "")
            there = pc.is_valid(cells)
            started = there if started is None else pc.or_(started, there)
        found.append(optional(between, f"{_name(names[feature.name])}: ", value))
    return found


def _cypher(cells: Column, feature: Feature) -> Column:
    if feature.kind == "date":
        return line("date('", texts(cells), "')")
    if feature.kind == "datetime":
        return line("datetime('" if cells.type.tz else "localdatetime('", texts(cells), "')")
    return json_texts(cells)


def write_ntriples(graph: Graph, file: BinaryIO) -> None:
    """N-Triples: `rdf:type` and `rdfs:label`, features as typed literals, relations as properties.

    An edge that has features, or is one of several parallel ones, is a statement too (`rdf:Statement`), of which they are said.
    """
    file.write(f"# {MARK} {note_of(graph.schema)}\n".encode())
    for t, table in node_batches(graph):
        subject = line(f"<{_BASE}node:", _percent(table.column("id")), "> ")
        write_lines(file, line(subject, f"<{_RDF}type> <{_iri('type', t.name)}> .\n"))
        names = column_names(t.features)
        shown = pc.if_else(pc.equal(labels(t, table), table.column("id")), None, labels(t, table))
        write_lines(file, optional(subject, f"<{_RDFS}label> ", _literal(shown), " .\n"))
        for feature in t.features:
            _write_literals(file, subject, _iri("feature", names[feature.name]), table.column(feature.name))
    parallel = [_parallel(graph, position) for position in range(len(graph.schema.relations))]
    position, done = 0, 0
    for r, source, target, table in edge_batches(graph):
        while done == graph.schema.relations[position].count:
            position, done = position + 1, 0
        ends = [line(f"<{_BASE}node:", _percent(end), ">") for end in (source, target)]
        relation = f"<{_iri('relation', r.name)}>"
        write_lines(file, line(ends[0], f" {relation} ", ends[1], " .\n"))
        told = parallel[position][done : done + len(table)]
        for feature in r.features:
            told = told | table.column(feature.name).is_valid().to_numpy()
        rows = np.flatnonzero(told)
        numbers = pa.chunked_array([pa.array(rows + done)]).cast(pa.string())
        _write_statements(file, line(f"_:e{position}n", numbers, " "), [e.take(rows) for e in ends], relation)
        names = column_names(r.features)
        for feature in r.features:
            cells = table.column(feature.name).take(rows)
            subject = line(f"_:e{position}n", numbers, " ")
            _write_literals(file, subject, _iri("feature", names[feature.name]), cells)
        done += len(table)


def _parallel(graph: Graph, position: int) -> NDArray[np.bool_]:
    """Which edges of a relation have others with the same ends, shape (edges,)."""
    source, target = graph.ends(position)
    pairs = np.asarray(source, np.int64) * graph.num_nodes + target
    _, place, often = np.unique(pairs, return_inverse=True, return_counts=True)
    found: NDArray[np.bool_] = often[place] > 1
    return found


def _write_statements(file: BinaryIO, subject: Column, ends: Sequence[Column], relation: str) -> None:
    write_lines(file, line(subject, f"<{_RDF}type> <{_RDF}Statement> .\n"))
    for part, other in (("subject", ends[0]), ("predicate", relation), ("object", ends[1])):
        write_lines(file, line(subject, f"<{_RDF}{part}> ", other, " .\n"))


def _write_literals(file: BinaryIO, subject: Column, of: str, cells: Column) -> None:
    kind = cells.type
    if pa.types.is_list(kind):  # a triple an item; order is lost, as RDF has it
        flat = cells.combine_chunks()
        owners = subject.take(flat.value_parent_indices())
        items = pa.chunked_array([flat.flatten()])
        write_lines(file, optional(owners, f"<{of}> ", _literal(items), " .\n"))
    else:
        write_lines(file, optional(subject, f"<{of}> ", _literal(cells), " .\n"))


def _literal(cells: Column) -> Column:
    kind = cells.type
    plain = line('"', json_escaped(texts(cells)), '"')
    if pa.types.is_string(kind) or pa.types.is_fixed_size_list(kind):
        return plain
    names = (
        (pa.types.is_boolean, "boolean"),
        (pa.types.is_integer, "integer"),
        (pa.types.is_floating, "double"),
        (pa.types.is_date, "date"),
        (pa.types.is_timestamp, "dateTime"),
    )
    name = next(name for fits, name in names if fits(kind))
    return line(plain, f"^^<{_XSD}{name}>")


def _iri(what: str, name: str) -> str:
    return f"{_BASE}{what}:{_percent(pa.chunked_array([[name]], pa.string()))[0].as_py()}"


def _percent(column: Column) -> Column:
    """Texts as they stand in an IRI: what it cannot hold as its UTF-8 bytes, each `%` and two digits."""
    return replaced(column, _PERCENT)


_PERCENT = {"%": "%25"} | {chr(c): f"%{c:02X}" for c in [*range(33), *map(ord, '<>"{}|^`\\')]}
