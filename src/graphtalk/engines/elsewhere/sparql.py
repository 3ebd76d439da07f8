"""RDF, asked in SPARQL: patterns, and the schema that triples have.

Classes are node types, predicates between typed nodes relations, predicates to literals features. A feature that a node
has several times is a list; of texts in several languages those without one and one language are read. The id of a node is its IRI; blank nodes,
which no query can name again, are no nodes.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Literal, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.calls.ast import Items, Number
from graphtalk.calls.query import Apply, Operation, Property, Term, Variable
from graphtalk.core import JSON, UsageError
from graphtalk.engines.elsewhere.classes import NodeClass, node_classes, short_names
from graphtalk.engines.elsewhere.conditions import Connectives, put_together
from graphtalk.engines.elsewhere.cypher import given_of
from graphtalk.engines.elsewhere.names import label_of
from graphtalk.engines.elsewhere.protocol import (
    TIMES,
    EngineError,
    UnsaidError,
    Wanted,
    Way,
    edge_column,
    node_column,
    value_column,
)
from graphtalk.graphs.schema import Feature, FeatureKind, NodeType, Relation, Schema

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_LABELS = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
)
_WHOLE = {
    f"{XSD}{name}" for name in "integer int long short byte nonNegativeInteger positiveInteger".split()
} | {f"{XSD}{name}" for name in "unsignedInt unsignedLong unsignedShort unsignedByte negativeInteger".split()}
_NUMBERS = _WHOLE | {f"{XSD}{name}" for name in ("decimal", "double", "float")}
_KINDS: dict[str, FeatureKind] = {
    **dict.fromkeys(_NUMBERS, "number"),
    f"{XSD}boolean": "boolean",
    f"{XSD}date": "date",
    f"{XSD}dateTime": "datetime",
}
_CONNECTIVES = Connectives(" && ", " || ", "!")
_IRI = re.compile(r'[^\x00-\x20<>"{}|^`\\]+')
MOST_CLASSES = 500
ROWS = 2_000_000
"""So many rows one reading of the schema or of names may have."""


@dataclass(frozen=True)
class Value:
    """A term of RDF: an IRI, a blank node or a literal."""

    kind: Literal["iri", "blank", "literal"]
    text: str
    datatype: str = ""
    language: str = ""


class Row(dict[str, Value]):
    """A row of what was found, by the names of variables; those without a value are left out."""

    def __missing__(self, name: str) -> Value:
        raise EngineError(f"The endpoint gave a row without a value of {name}.")


Client: TypeAlias = Callable[[str, int], Iterator[Row]]
"""The rows of a query, at most so many. Raises EngineError."""


@dataclass(frozen=True)
class Held:
    """A feature: its predicate, its kind, whether a node may have several, and the language of its texts."""

    predicate: str
    feature: Feature
    language: str = ""


@dataclass(frozen=True)
class Vocabulary:
    """What the names of a schema stand for in the triples."""

    schema: Schema
    classes: Mapping[str, NodeClass]
    features: Mapping[tuple[str, str], Held]
    predicates: Sequence[str]


@dataclass
class SparqlBackend:
    """A graph of triples, behind a client. `place` is its address; `language` that of texts that have several."""

    engine: str
    place: str
    client: Client
    language: str = "en"
    halt: Callable[[], None] = lambda: None
    end: Callable[[], None] = lambda: None
    _words: Vocabulary = field(default_factory=lambda: Vocabulary(Schema((), ()), {}, {}, ()), repr=False)

    def stop(self) -> None:
        """End what runs."""
        self.halt()

    def close(self) -> None:
        """Let go of the endpoint."""
        self.end()

    # the schema

    def schema(self) -> Schema:
        """Classes, predicates and their counts, read now."""
        self._words = self._read()
        return self._words.schema

    def notes(self) -> dict[str, JSON]:
        """The classes and predicates that the names of the schema stand for."""
        words = self._words
        return {
            "classes": [[c.name, c.label, list(c.without), c.count] for c in words.classes.values()],
            "features": [
                [of, name, held.predicate, held.language] for (of, name), held in words.features.items()
            ],
            "predicates": list(words.predicates),
        }

    def know(self, schema: Schema, notes: Mapping[str, Any]) -> None:
        """Take a schema and notes that were kept for read."""
        classes = [
            NodeClass(name, label, tuple(without), count) for name, label, without, count in notes["classes"]
        ]
        features = {(t.name, f.name): f for t in schema.node_types for f in t.features}
        held = {
            (of, name): Held(str(predicate), features[of, name], str(language))
            for of, name, predicate, language in notes["features"]
        }
        self._words = Vocabulary(
            schema, {c.name: c for c in classes}, held, [str(p) for p in notes["predicates"]]
        )

    def _read(self) -> Vocabulary:
        sets = self._class_sets()
        classes = [
            c
            for c in node_classes(sets, short_names({label for labels in sets for label in labels}))
            if c.label or not any(sets)
        ]
        if not classes:
            raise UsageError(f"{self.place}: there are no triples that say of anything what it is.")
        held: dict[tuple[str, str], Held] = {}
        types: list[NodeType] = []
        for c in classes:
            given = self._features(c)
            held.update({(c.name, h.feature.name): h for h in given})
            first = next(
                (
                    h.feature.name
                    for p in _LABELS
                    for h in given
                    if h.predicate == p and h.feature.kind == "text"
                ),
                "",
            )
            texts = [h.feature.name for h in given if h.feature.kind == "text"]
            label = first or label_of(texts, texts)
            types.append(
                NodeType(c.name, c.count, sum(t.count for t in types), label, tuple(h.feature for h in given))
            )
        relations, predicates = self._relations(classes)
        schema = Schema(tuple(types), tuple(relations))
        return Vocabulary(schema, {c.name: c for c in classes}, held, predicates)

    def _class_sets(self) -> dict[frozenset[str], int]:
        """How many nodes have each set of classes; that of nodes without any only where no node has one."""
        asked = "SELECT ?c (COUNT(DISTINCT ?s) AS ?n) WHERE { ?s a ?c FILTER(isIRI(?s) && isIRI(?c)) } GROUP BY ?c"
        single = {row["c"].text: _whole(row["n"]) for row in self.client(asked, ROWS)}
        if len(single) > MOST_CLASSES:
            raise UsageError(
                f"{self.place} has {len(single):,} classes; at most {MOST_CLASSES} are read as types of nodes. Import the "
                "part of it that you ask about."
            )
        if not single:
            asked = "SELECT (COUNT(DISTINCT ?s) AS ?n) WHERE { { ?s ?p ?o } UNION { ?o ?p ?s FILTER(isIRI(?s)) } FILTER(isIRI(?s)) }"
            count = _whole(next(iter(self.client(asked, 1)))["n"])
            return {frozenset(): count} if count else {}
        asked = (
            "SELECT ?a ?b (COUNT(DISTINCT ?s) AS ?n) WHERE { ?s a ?a, ?b FILTER(isIRI(?s) && isIRI(?a) && isIRI(?b) && STR(?a) < STR(?b)) } "
            "GROUP BY ?a ?b"
        )
        pairs = [(row["a"].text, row["b"].text) for row in self.client(asked, ROWS)]
        if not pairs:
            return {frozenset([c]): n for c, n in single.items()}
        mixed = sorted({c for pair in pairs for c in pair})
        values = " ".join(map(iri, mixed))
        asked = (
            f"SELECT ?cs (COUNT(?s) AS ?n) WHERE {{ {{ SELECT ?s (GROUP_CONCAT(STR(?c); separator=' ') AS ?cs) WHERE "
            f"{{ {{ SELECT DISTINCT ?s ?c WHERE {{ VALUES ?c {{ {values} }} ?s a ?c FILTER(isIRI(?s)) }} ORDER BY ?s ?c }} }} "
            "GROUP BY ?s } } GROUP BY ?cs"
        )
        sets: Counter[frozenset[str]] = Counter(
            {frozenset([c]): n for c, n in single.items() if c not in mixed}
        )
        for row in self.client(asked, ROWS):
            sets[frozenset(row["cs"].text.split(" "))] += _whole(row["n"])
        return dict(sets)

    def _features(self, c: NodeClass) -> list[Held]:
        asked = (
            f"SELECT ?p ?d ?l (COUNT(?o) AS ?n) (COUNT(DISTINCT ?s) AS ?m) WHERE {{ {_is(c, '?s')} ?s ?p ?o "
            "FILTER(isIRI(?s) && isLiteral(?o)) BIND(DATATYPE(?o) AS ?d) BIND(LANG(?o) AS ?l) } GROUP BY ?p ?d ?l"
        )
        rows: dict[str, list[Row]] = {}
        for row in self.client(asked, ROWS):
            rows.setdefault(row["p"].text, []).append(row)
        named = short_names(rows)
        found = []
        for predicate in sorted(rows):
            kinds = {_KINDS.get(row["d"].text if "d" in row else "", "text") for row in rows[predicate]}
            kind: FeatureKind = kinds.pop() if len(kinds) == 1 else "text"
            spoken = {row["l"].text for row in rows[predicate] if "l" in row} - {""}
            language = ""
            if len(spoken) > 1 or (spoken and len(rows[predicate]) > len(spoken)):
                language = self.language if self.language in spoken else min(spoken)
            several = (
                self._several(c, predicate, language)
                if len(rows[predicate]) > 1
                else any(_whole(r["n"]) > _whole(r["m"]) for r in rows[predicate])
            )
            if several and kind in ("date", "datetime"):
                kind = "text"
            feature = Feature(named[predicate], "list", kind) if several else Feature(named[predicate], kind)
            found.append(Held(predicate, feature, language))
        return found

    def _several(self, c: NodeClass, predicate: str, language: str) -> bool:
        """Whether some node has several values of a predicate."""
        asked = (
            f"SELECT (COUNT(?o) AS ?n) (COUNT(DISTINCT ?s) AS ?m) WHERE {{ {_is(c, '?s')} ?s {iri(predicate)} ?o "
            f"FILTER(isIRI(?s) && isLiteral(?o)) {_spoken('?o', language)} }}"
        )
        row = next(iter(self.client(asked, 1)))
        return _whole(row["n"]) > _whole(row["m"])

    def _relations(self, classes: Sequence[NodeClass]) -> tuple[list[Relation], list[str]]:
        counts: dict[tuple[str, str, str], int] = {}
        if any(c.without for c in classes) or not classes[0].label:
            for one in classes:
                for other in classes:
                    asked = (
                        f"SELECT ?p (COUNT(*) AS ?n) WHERE {{ {_is(one, '?s')} ?s ?p ?o . {_is(other, '?o')} "
                        f"FILTER(isIRI(?s) && isIRI(?o) && ?p != {iri(RDF_TYPE)}) }} GROUP BY ?p"
                    )
                    for row in self.client(asked, ROWS):
                        counts[row["p"].text, one.name, other.name] = _whole(row["n"])
        else:
            names = {c.label: c.name for c in classes}
            asked = (
                f"SELECT ?p ?a ?b (COUNT(*) AS ?n) WHERE {{ ?s a ?a ; ?p ?o . ?o a ?b FILTER(isIRI(?s) && isIRI(?o) && ?p != {iri(RDF_TYPE)}) }} "
                "GROUP BY ?p ?a ?b"
            )
            for row in self.client(asked, ROWS):
                if row["a"].text in names and row["b"].text in names:
                    counts[row["p"].text, names[row["a"].text], names[row["b"].text]] = _whole(row["n"])
        named = short_names(predicate for predicate, _, _ in counts)
        found = sorted((named[p], one, other, p, n) for (p, one, other), n in counts.items() if n)
        relations = [Relation(name, one, other, n) for name, one, other, _, n in found]
        return relations, [p for *_, p, _ in found]

    # what is there

    def nodes(self, t: NodeType, columns: Sequence[str], ids: Sequence[str] | None = None) -> pa.Table:
        """Features of the nodes of a type, a query each: what has no value has no triple."""
        words = self._words
        among = "" if ids is None else f"VALUES ?s {{ {' '.join(map(iri, ids))} }} "
        of = f"{among}{_is(words.classes[t.name], '?s', alone=True)} FILTER(isIRI(?s))"
        rows = [row["s"].text for row in self.client(f"SELECT DISTINCT ?s WHERE {{ {of} }}", ROWS)]
        place = {node: at for at, node in enumerate(rows)}
        found: dict[str, pa.Array] = {"id": pa.array(rows, pa.string())}
        for name in columns:
            held = words.features[t.name, name]
            asked = f"SELECT ?s ?o WHERE {{ {of} ?s {iri(held.predicate)} ?o FILTER(isLiteral(?o)) {_spoken('?o', held.language)} }}"
            cells: list[Any] = [None] * len(rows)
            for row in self.client(asked, 10 * ROWS):
                at = place.get(row["s"].text)
                if at is None:
                    continue
                value = _python(row["o"], held.feature)
                if held.feature.kind != "list":
                    if cells[at] is not None and cells[at] != value:
                        raise EngineError(
                            f"{self.engine}: {row['s'].text} has several values of {name}, and had one when the schema "
                            f"was read. Read it again: graphtalk info {self.place} --refresh."
                        )
                    cells[at] = value
                elif value is not None:
                    cells[at] = [*(cells[at] or ()), value]
            if held.feature.kind == "list":
                cells = [None if cell is None else sorted(cell) for cell in cells]
            found[name] = _array(cells, held.feature)
        return pa.table(found)

    def edges(self, relation: int) -> pa.Table:
        """The triples of a predicate between two types."""
        words = self._words
        r = words.schema.relations[relation]
        asked = (
            f"SELECT ?s ?o WHERE {{ {_is(words.classes[r.source], '?s')} ?s {iri(words.predicates[relation])} ?o . "
            f"{_is(words.classes[r.target], '?o')} FILTER(isIRI(?s) && isIRI(?o)) }}"
        )
        rows = [(row["s"].text, row["o"].text) for row in self.client(asked, 10 * ROWS)]
        source, target = zip(*rows, strict=True) if rows else ((), ())
        return pa.table({"source": pa.array(source, pa.string()), "target": pa.array(target, pa.string())})

    # patterns

    def matches(self, way: Way, wanted: Wanted) -> pa.Table:
        """The matches of a way. A triple is told by its ends and its predicate."""
        words = self._words
        variables = {key: f"?n{i}" for i, key in enumerate(way.nodes)}
        lines = [f"VALUES {variables[key]} {{ {' '.join(map(iri, ids))} }}" for key, ids in way.among.items()]
        lines += [
            f"{variables[e.source]} {iri(words.predicates[e.relation])} {variables[e.target]} ."
            for e in way.edges
        ]
        joined = {key for e in way.edges for key in (e.source, e.target)}
        lines += [
            _is(words.classes[name], variables[key], key not in joined) for key, name in way.nodes.items()
        ]
        lines += [f"FILTER(isIRI({variable}))" for variable in variables.values()]
        said = _Tests(words, way, variables)
        tests = [said.of(each) for each in way.tests]
        held = [words.features[way.nodes[key], name] for key, name in wanted.values]
        values = [said.value(key, name, each) for (key, name), each in zip(wanted.values, held, strict=True)]
        lines += [*said.lines, *(f"FILTER({test})" for test in tests)]
        lines += [f"FILTER({variables[e.source]} != {variables[e.target]})" for e in way.edges if e.straight]
        edges = {e.key: e for e in way.edges}
        for a, b in way.apart:
            ends = [
                f"{variables[getattr(edges[a], end)]} = {variables[getattr(edges[b], end)]}"
                for end in ("source", "target")
            ]
            lines.append(f"FILTER(!({ends[0]} && {ends[1]}))")
        given = [variables[key] for key in wanted.nodes]
        ends_of = [(e.source, e.target) for e in map(edges.__getitem__, wanted.edges)]
        given += [variables[key] for pair in ends_of for key in pair if variables[key] not in given]
        given = list(dict.fromkeys([*given, *values]))
        head = " ".join(given)
        group = f" GROUP BY {head}" if wanted.counted and given else ""
        count = " (COUNT(*) AS ?times)" if wanted.counted else ""
        order = f" ORDER BY {head}" if wanted.ordered and given else ""
        asked = f"SELECT {head}{count or (' *' if not given else '')} WHERE {{ {' '.join(lines)} }}{group}{order} LIMIT {wanted.most}"
        rows = list(self.client(asked, wanted.most))
        texts = {
            v: pa.array([row[v[1:]].text for row in rows], pa.string()) for v in given if v not in values
        }
        found = {node_column(i): texts[variables[key]] for i, key in enumerate(wanted.nodes)}
        for i, (source, target) in enumerate(ends_of):
            found[edge_column(i)] = pc.binary_join_element_wise(
                texts[variables[source]], texts[variables[target]], " "
            )
        for i, (variable, each) in enumerate(zip(values, held, strict=True)):
            terms = (row.get(variable[1:]) for row in rows)
            cells = [None if term is None else _python(term, each.feature) for term in terms]
            found[value_column(i)] = _array(cells, each.feature)
        if wanted.counted:
            found[TIMES] = pa.array([_whole(row["times"]) for row in rows], pa.int64())
        return pa.table(found) if found else pa.table({"\0": pa.nulls(len(rows))})


class _Tests:
    """Conditions of a way as SPARQL. `lines`: what brings the values that they look at."""

    def __init__(self, words: Vocabulary, way: Way, variables: Mapping[str, str]) -> None:
        self._words, self._way, self._variables = words, way, variables
        self._values: dict[tuple[str, str], str] = {}
        self.lines: list[str] = []

    def of(self, term: Term) -> str:
        """A condition, in brackets."""
        return put_together(term, _CONNECTIVES, self._compared)

    def _compared(self, term: Operation) -> str:
        operator, operands = term.operator, term.operands
        one = operands[0]
        if isinstance(one, Variable):
            other = operands[1]
            assert isinstance(other, Variable)
            sign = "=" if operator == "=" else "!="
            return f"({self._variables[one.name]} {sign} {self._variables[other.name]})"
        lowered = isinstance(one, Apply)
        of = one.arguments[0] if isinstance(one, Apply) else one
        if (
            not isinstance(of, Property)
            or not isinstance(of.of, Variable)
            or of.of.name not in self._variables
        ):
            raise UnsaidError("a condition")
        key, name = of.of.name, of.name
        held = self._words.features.get((self._way.nodes[key], name))
        if held is None:
            return self._of_id(operator, f"STR({self._variables[key]})", operands[1:])
        value = self.value(key, name, held)
        if operator in ("is null", "is not null"):
            return f"({'!' * (operator == 'is null')}BOUND({value}))"
        return _literal_test(operator, value, operands[1], held.feature.kind, lowered)

    def _of_id(self, operator: str, of: str, others: Sequence[Term]) -> str:
        if operator in ("is null", "is not null"):
            return "(false)" if operator == "is null" else "(true)"
        return _literal_test(operator, of, others[0], "text", False)

    def value(self, key: str, name: str, held: Held) -> str:
        """The variable of a feature of a node."""
        found = self._values.get((key, name))
        if found is None:
            found = self._values[key, name] = f"?v{len(self._values)}"
            triple = f"{self._variables[key]} {iri(held.predicate)} {found} FILTER(isLiteral({found})) {_spoken(found, held.language)}"
            self.lines.append(f"OPTIONAL {{ {triple} }}")
        return found


def _literal_test(operator: str, of: str, value: Term, kind: FeatureKind, lowered: bool) -> str:
    if operator == "in":
        assert isinstance(value, Items)
        return "(" + " || ".join([_literal_test("=", of, each, kind, lowered) for each in value.values]) + ")"
    if kind == "text":
        text = f"LCASE(STR({of}))" if lowered else f"STR({of})"
        functions = {"starts with": "STRSTARTS", "ends with": "STRENDS", "contains": "CONTAINS"}
        if operator in functions:
            return f"({functions[operator]}({text}, {_literal(given_of(value))}))"
        return f"({text} {'!=' if operator == '<>' else operator} {_literal(given_of(value))})"
    sign = "!=" if operator == "<>" else operator
    if isinstance(value, Number):
        return f"({of} {sign} {_literal(value.value)})"
    return f"({of} {sign} {_literal(given_of(value))})"


def _literal(value: object) -> str:
    """A literal of SPARQL; a number as xsd:integer or xsd:double."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        return f'"{int(value)}"^^<{XSD}integer>'
    if isinstance(value, float):
        return f'"{value!r}"^^<{XSD}double>'
    if isinstance(value, date):
        return f'"{value.isoformat()}"^^<{XSD}date>'
    marks = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
    return '"' + "".join([marks.get(letter, letter) for letter in str(value)]) + '"'


def iri(text: str) -> str:
    """An IRI in SPARQL; what cannot be one is the name of nothing."""
    return f"<{text}>" if _IRI.fullmatch(text) else "<urn:graphtalk:none>"


def _is(c: NodeClass, variable: str, alone: bool = False) -> str:
    """That a node has the class of a type, and not those that it lacks. `alone`: nothing else says what the variable is."""
    if not c.label:
        somewhere = f"{{ {variable} ?any1 ?any2 }} UNION {{ ?any3 ?any4 {variable} }}"
        return f"{{ SELECT DISTINCT {variable} WHERE {{ {somewhere} }} }}" if alone else ""
    lacking = "".join([f" FILTER NOT EXISTS {{ {variable} a {iri(other)} }}" for other in c.without])
    return f"{variable} a {iri(c.label)} .{lacking}"


def _spoken(variable: str, language: str) -> str:
    """That a text is in a language, or in none that is said."""
    return f'FILTER(LANG({variable}) IN ("", {_literal(language)}))' if language else ""


def _whole(value: Value) -> int:
    try:
        return int(float(value.text))
    except (ValueError, OverflowError):
        raise EngineError(f"The endpoint gave {value.text[:80]!r} for a count.") from None


def _python(value: Value, feature: Feature) -> bool | int | float | str | date | None:
    """A literal as a value of its feature; None where it is not of that kind, whatever its type says."""
    kind = feature.item if feature.kind == "list" else feature.kind
    try:
        if kind == "number":
            if value.datatype in _WHOLE:
                return int(value.text)
            number = float(value.text.replace("INF", "inf"))
            return number if not math.isnan(number) else float("nan")
        if kind == "boolean":
            return {"true": True, "1": True, "false": False, "0": False}.get(value.text)
        if kind == "date":
            return date.fromisoformat(value.text[:10])
        if kind == "datetime":
            moment = datetime.fromisoformat(value.text)
            return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    except (ValueError, OverflowError):
        return None
    return value.text


def _array(cells: list[Any], feature: Feature) -> pa.Array:
    """Cells as the Arrow type of their feature."""
    types = {"text": pa.string(), "boolean": pa.bool_(), "date": pa.date32(), "datetime": pa.timestamp("us")}
    kind = feature.item if feature.kind == "list" else feature.kind
    if kind == "number":
        flat = [each for cell in cells for each in (cell if isinstance(cell, list) else [cell])]
        whole = all(each is None or (isinstance(each, int) and abs(each) < 2**63) for each in flat)
        arrow = pa.int64() if whole else pa.float64()
        cells = cells if whole else [_wide(cell) for cell in cells]
    else:
        arrow = types[kind]
    return pa.array(cells, pa.list_(arrow) if feature.kind == "list" else arrow)


def _wide(cell: Any) -> Any:
    if isinstance(cell, list):
        return [_wide(each) for each in cell]
    return None if cell is None else float(cell)
