"""RDF: Turtle, N-Triples, N-Quads, TriG, RDF/XML, JSON-LD and N3, parsed by pyoxigraph.

Resources are nodes, under their IRIs; `rdf:type` is their type, literals are features with the kinds of their data types,
all else are relations. Types, relations and features go by their `rdfs:label` where the file has one, else by the last part of
their IRI, with its prefix where two would be called alike. Nodes go by `rdfs:label`, `skos:prefLabel`, `schema:name`, …, in no
language or in English first; features in other languages are called `label@de`. Lists are their members. What is said of a statement
(`rdf:reifies`, or `rdf:subject`, `rdf:predicate` and `rdf:object`) are features of its edge.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote

from graphtalk.core import SourceError
from graphtalk.core.reading import in_words, read_json
from graphtalk.graphs.extras import library
from graphtalk.graphs.formats.files import BROKEN, head, open_bytes, plain_name
from graphtalk.graphs.formats.gathered import Gathering
from graphtalk.graphs.formats.markup import check_entities
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing, Silent

_FORMATS = {
    ".ttl": "TURTLE",
    ".turtle": "TURTLE",
    ".nt": "N_TRIPLES",
    ".ntriples": "N_TRIPLES",
    ".nq": "N_QUADS",
    ".nquads": "N_QUADS",
    ".trig": "TRIG",
    ".rdf": "RDF_XML",
    ".owl": "RDF_XML",
    ".rdfs": "RDF_XML",
    ".jsonld": "JSON_LD",
    ".json-ld": "JSON_LD",
    ".n3": "N3",
}
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_PARTS = (f"{_RDF}subject", f"{_RDF}predicate", f"{_RDF}object")
TYPE, NIL = f"{_RDF}type", f"{_RDF}nil"
UNLIKE = frozenset(
    {*_PARTS, f"{_RDF}first", f"{_RDF}rest", f"{_RDF}reifies"}
)  # said of no resource by itself
NAMES = (
    f"{RDFS}label",
    "http://www.w3.org/2004/02/skos/core#prefLabel",
    "http://schema.org/name",
    "https://schema.org/name",
    "http://xmlns.com/foaf/0.1/name",
    "http://purl.org/dc/terms/title",
    "http://purl.org/dc/elements/1.1/title",
)
GENERAL = frozenset({f"{OWL}NamedIndividual", f"{OWL}Thing", f"{RDFS}Resource"})
_WHOLE = frozenset(
    _XSD + name
    for name in "integer int long short byte nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger "
    "unsignedInt unsignedLong unsignedShort unsignedByte gYear".split()
)
_LAST = re.compile(r"[^#/:]+$")
_SCHEMA = re.compile(r"^https?://schema\.org/?$")
_MOST_ITEMS = 1_000_000  # of a list


def sniff(path: Path) -> bool:
    """Whether a file is called as RDF is, or is JSON with a context, or XML of RDF."""
    name = plain_name(path)
    if name.endswith(tuple(_FORMATS)):
        return True
    if not path.is_file():
        return False
    if name.endswith(".json"):
        start = head(path)
        return any(mark in start for mark in (b'"@context"', b'"@graph"', b'"@id"'))
    return name.endswith(".xml") and b"22-rdf-syntax-ns#" in head(path)


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """The triples of files, of all their graphs together."""
    found = Triples()
    for found.file, path in enumerate(sources):
        before = found.count
        parse(path, importing, found)
        importing.progress.advance(rows=found.count - before)
    if not found.count:
        raise SourceError("has no triples.", str(sources[0]))
    if found.quoted:
        importing.rejects.note(f"{found.quoted:,} statements about statements were left out.")
    counted = replace(importing, progress=Silent())  # triples are the rows, not what is gathered from them
    return _graph(found, Gathering(sources[0], counted, labels=("label",)))


Literals: TypeAlias = Mapping[
    str, Sequence[tuple[Any, str]]
]  # by predicate: values, and the language of each


class Triples:
    """Triples by their subjects: types, literals, links; lists apart."""

    def __init__(self) -> None:
        self.types: dict[str, list[str]] = {}
        self.literals: dict[str, dict[str, list[tuple[Any, str]]]] = {}
        self.links: dict[tuple[str, str, str], None] = {}
        self.first: dict[str, Any] = {}
        self.rest: dict[str, str] = {}
        self.prefixes: dict[str, str] = {}
        self.statements: dict[str, tuple[str, str, str]] = {}
        self.parts: dict[str, dict[str, str]] = {}
        self.quoted = self.count = 0
        self.file = 0  # blank nodes are those of one file
        self._blank: dict[tuple[int, str], str] = {}

    def key(self, term: Any) -> str:
        """What a resource is called here: its IRI, or the number of a blank node in order of appearance."""
        if not str(term).startswith("_:"):
            return str(term.value)
        return self._blank.setdefault((self.file, term.value), f"_:b{len(self._blank)}")

    def add(self, quad: Any) -> None:
        """One more triple."""
        subject, predicate, other = quad.subject, quad.predicate.value, quad.object
        self.count += 1
        if not hasattr(subject, "value"):
            self.quoted += 1
            return
        about = self.key(subject)
        if not hasattr(other, "value"):
            self._statement(about, predicate, other)
            return
        if predicate == f"{_RDF}first":
            self.first[about] = other
        elif predicate == f"{_RDF}rest":
            self.rest[about] = self.key(other)
        elif predicate == TYPE:
            self.types.setdefault(about, []).append(other.value)
        elif hasattr(other, "datatype"):
            self._literal(about, predicate, other)
        elif predicate in _PARTS:
            self.parts.setdefault(about, {})[predicate] = self.key(other)
        else:
            self.links[about, predicate, self.key(other)] = None

    def _statement(self, about: str, predicate: str, triple: Any) -> None:
        ends = triple.subject, triple.object
        if predicate == f"{_RDF}reifies" and all(
            hasattr(e, "value") and not hasattr(e, "datatype") for e in ends
        ):
            self.statements[about] = self.key(ends[0]), triple.predicate.value, self.key(ends[1])
        else:
            self.quoted += 1

    def told(self) -> Iterator[tuple[str, tuple[str, str, str]]]:
        """What is said of statements: who says it, and the statement. What lacks a part is none, and links as others do."""
        for about, parts in self.parts.items():
            if len(parts) == len(_PARTS):
                self.statements[about] = parts[_PARTS[0]], parts[_PARTS[1]], parts[_PARTS[2]]
            else:
                self.links |= {(about, predicate, other): None for predicate, other in parts.items()}
        yield from self.statements.items()

    def _literal(self, about: str, predicate: str, literal: Any) -> None:
        held = self.literals.setdefault(about, {}).setdefault(predicate, [])
        held.append((value_of(literal.value, literal.datatype.value), literal.language or ""))

    def items(self, head: str) -> Iterator[Any]:
        """The members of a list."""
        seen: set[str] = set()
        while head in self.first and head not in seen and len(seen) < _MOST_ITEMS:
            seen.add(head)
            yield self.first[head]
            head = self.rest.get(head, NIL)

    def name(self, about: str) -> str | None:
        """What people call a resource."""
        return name_of(self.literals.get(about, {}))


def name_of(held: Literals) -> str | None:
    """What people call a resource of which this is said."""
    for predicate in NAMES:
        if predicate in held:
            return str(_preferred(held[predicate])[0])
    return None


def value_of(text: str, kind: str) -> Any:
    """A literal as a value of the kind that its data type says; as it stands where it is none."""
    try:
        if kind in _WHOLE:
            return int(text) if len(text) < 400 else text
        if kind in (f"{_XSD}decimal", f"{_XSD}double", f"{_XSD}float"):
            return float(text)
        if kind == f"{_XSD}boolean":
            return text in ("true", "1")
        if kind == f"{_XSD}date":
            return date.fromisoformat(text)
        if kind == f"{_XSD}dateTime":
            return datetime.fromisoformat(text)
    except ValueError:
        return text
    return text


def _preferred(values: Sequence[tuple[Any, str]]) -> tuple[Any, str]:
    """The value in no language, else in English, else the first."""

    def rank(value: tuple[Any, str]) -> int:
        return 0 if not value[1] else 1 if value[1].lower().split("-")[0] == "en" else 2

    return min(values, key=rank)


def _graph(found: Triples, into: Gathering) -> Graph:
    lists = set(found.first) | {NIL}
    statements = dict(found.told())
    said = {about: found.literals.pop(about, {}) for about in statements}
    for about, predicate, other in [link for link in found.links if link[0] in statements]:
        name = (
            found.name(other) or shown(other, found) or other
        )  # an edge has features, and no edges of its own
        said[about].setdefault(predicate, []).append((name, ""))
    told = set(statements.values())
    links = [link for link in _unrolled(found, lists) if link not in told and link[0] not in statements]
    symmetric = {s for s, types in found.types.items() if f"{OWL}SymmetricProperty" in types}
    pairs = [(s, o) for s, p, o in found.links if p == f"{OWL}inverseOf"]
    relations = short({p for _, p, _ in (*links, *told)}, found)
    for about in statements:
        found.types.pop(about, None)
    types = short({t for held in found.types.values() for t in held}, found)
    features = short({p for held in (*found.literals.values(), *said.values()) for p in held}, found)
    often = Counter(t for held in found.types.values() for t in held)
    parents = {s: o for s, p, o in found.links if p == f"{RDFS}subClassOf"}
    resources = dict.fromkeys(
        (*found.types, *found.literals, *(e for s, _, o in (*links, *told) for e in (s, o)))
    )
    for about in resources:
        if about in lists and about not in found.literals:
            continue
        kinds = found.types.get(about, [])
        kind = kind_of(kinds, parents, often)
        values = told_of(about, kinds, found.literals.get(about, {}), found, types, features)
        into.node(about, types[kind] if kind else None, values)
    for source, predicate, target in links:
        into.edge(source, target, relations[predicate], {}, undirected=predicate in symmetric)
    for about, (source, predicate, target) in statements.items():
        into.edge(
            source,
            target,
            relations[predicate],
            values_of(said[about], features),
            undirected=predicate in symmetric,
        )
    inverses = {relations[a]: relations[b] for a, b in pairs if a in relations and b in relations and a != b}
    return into.graph(inverses, default_type="resource", once=True)


def told_of(
    about: str,
    kinds: Sequence[str],
    held: Literals,
    found: Triples,
    types: Mapping[str, str],
    features: Mapping[str, str],
) -> dict[str, Any]:
    """The features of a resource of these types, of which `held` is said; its name first."""
    values = values_of(held, features)
    if len(set(kinds) - GENERAL) > 1:
        values["types"] = [types[t] for t in dict.fromkeys(kinds)]
    name = name_of(held) or shown(about, found)
    return ({"label": name} if name else {}) | values


def _unrolled(found: Triples, lists: set[str]) -> Iterator[tuple[str, str, str]]:
    """Links, those to a list as links to its members; literals in lists become literals."""
    for source, predicate, target in found.links:
        if target not in lists:
            yield source, predicate, target
            continue
        for item in found.items(target):
            if hasattr(item, "datatype"):
                value = (value_of(item.value, item.datatype.value), item.language or "")
                found.literals.setdefault(source, {}).setdefault(predicate, []).append(value)
            elif hasattr(item, "value"):
                yield source, predicate, found.key(item)


def kind_of(kinds: Sequence[str], parents: Mapping[str, str], often: Counter[str]) -> str:
    """The type that says most: none that another is a kind of, and of the rest the rarest that is not alone."""
    told = [k for k in dict.fromkeys(kinds) if k not in GENERAL] or list(kinds)[:1]
    if len(told) > 1:
        above = {parents.get(k) for k in told}
        told = [k for k in told if k not in above] or told
        told.sort(key=lambda k: -often[k])
    return told[0] if told else ""


def values_of(held: Literals, names: Mapping[str, str]) -> dict[str, Any]:
    """Features of literals: one value, or a list; those of other languages beside them."""
    values: dict[str, Any] = {}
    for predicate, given in held.items():
        languages = dict.fromkeys(language for _, language in given)
        first = _preferred(given)[1]
        for language in languages:
            of = [value for value, said in given if said == language]
            name = names[predicate] if language == first else f"{names[predicate]}@{language}"
            values[name] = of[0] if len(of) == 1 else [str(v) for v in of] if _mixed(of) else of
    return values


def _mixed(values: Sequence[Any]) -> bool:
    return len({type(value) for value in values}) > 1 or isinstance(values[0], date)


def short(iris: set[str], found: Triples) -> dict[str, str]:
    """A short name for each IRI, each its own."""
    plain = {iri: str(found.name(iri) or _last(iri)) for iri in iris}
    often = Counter(plain.values())
    names: dict[str, str] = {}
    taken: set[str] = set()
    for iri in sorted(iris):
        name = plain[iri] if often[plain[iri]] == 1 else shown(iri, found)
        names[iri] = name if name and name not in taken else iri
        taken.add(names[iri])
    return names


def _last(iri: str) -> str:
    """The last part of an IRI, as people would write it."""
    part = _LAST.search(iri.rstrip("#/:"))
    return unquote(part[0]) if part else iri


def shown(iri: str, found: Triples) -> str:
    """An IRI with the prefix that its file has for it, else its last part; blank nodes have no name."""
    if iri.startswith("_:"):
        return ""
    best = max((space for space in found.prefixes.values() if iri.startswith(space)), key=len, default="")
    if best and iri != best:
        prefix = next(name for name, space in found.prefixes.items() if space == best)
        rest = unquote(iri[len(best) :])
        return f"{prefix}:{rest}" if prefix else rest
    return _last(iri)


def parse(path: Path, importing: Importing, found: Triples) -> None:
    """Add the triples of a file. Raises SourceError with the line that is none."""
    oxigraph = library("pyoxigraph", "rdf")
    format = getattr(oxigraph.RdfFormat, _format(path))
    base = path.resolve().as_uri()
    if format == oxigraph.RdfFormat.RDF_XML:
        check_entities(path)
    try:
        with open_bytes(path, importing.progress) as file:
            source: Any = _with_context(file.read(), path) if format == oxigraph.RdfFormat.JSON_LD else file
            parser = oxigraph.parse(source, format=format, base_iri=base, rename_blank_nodes=False)
            for quad in parser:
                found.add(quad)
            found.prefixes |= {name: space for name, space in parser.prefixes.items() if space}
    except SyntaxError as error:
        words = str(error.msg or error)
        raise SourceError(f"cannot be read as RDF ({words}).", str(path), error.lineno) from error
    except (ValueError, *BROKEN) as error:
        raise SourceError(f"cannot be read as RDF ({in_words(error)}).", str(path)) from error


def _format(path: Path) -> str:
    name = plain_name(path)
    ending = next((ending for ending in _FORMATS if name.endswith(ending)), "")
    return _FORMATS[ending] if ending else "JSON_LD" if name.endswith(".json") else "RDF_XML"


def _with_context(text: bytes, path: Path) -> bytes:
    """JSON-LD whose context is schema.org's, which nearly all pages name, with its vocabulary instead of its address.

    Raises SourceError where another address is named: what others keep at it may change, and is not fetched.
    """
    data = read_json(text)
    places = [part for part in (data if isinstance(data, list) else [data]) if isinstance(part, dict)]
    for part in places:
        if "@context" not in part:
            continue
        given = part["@context"]
        contexts = given if isinstance(given, list) else [given]
        for place, context in enumerate(contexts):
            if not isinstance(context, str):
                continue
            if not _SCHEMA.match(context):
                raise SourceError(
                    f"its context is at {context!r}, which is not fetched. Put the context itself there.",
                    str(path),
                )
            contexts[place] = {"@vocab": context.rstrip("/") + "/"}
        part["@context"] = contexts
    return json.dumps(data).encode()
