"""A graph's schema and texts as the reader knows them. Made once for a graph; nothing here grows with a question."""

from collections.abc import Sequence

import pyarrow as pa

from graphtalk.core import LimitError
from graphtalk.graphs import Feature, Graph
from graphtalk.graphs.columns import distinct
from graphtalk.language.measures import adjectives
from graphtalk.language.nouns import singular
from graphtalk.language.units import units
from graphtalk.reasoners.reader.linking import Found, NodeId
from graphtalk.reasoners.reader.shape import Held, Link, PropertyKind, Shape, spoken
from graphtalk.search.index import Index

KINDS: dict[str, PropertyKind] = {
    "text": "text", "number": "number", "boolean": "boolean", "date": "date", "datetime": "date", "list": "list",
}  # fmt: skip
_YES_NO = (("yes", "no"), ("y", "n"), ("true", "false"), ("t", "f"))
# What a number of 0 or 1 is called that says whether something is so: `is_public`, `in_service`, `insured`, `first_aid`.
_SO = frozenset("is has was can are in on under".split())
_BEING_SO = ("ed", "able", "ible", "ic", "ive", "ous", "ile")
# Nouns in the singular that say how much there is, or of which kind something is, beside those that an adjective or a unit measures.
_NEVER_SO = frozenset(
    """number count amount quantity total sum rank level grade class score rate ratio share percentage probability index order position
    floor storey stage step round phase part version priority severity degree stock point mark result outcome balance value code id key
    type kind category group cluster label target sex gender season half period quarter zone sector unit team side direction sign bit
    digit digits year month week day hour age goal win loss draw error attempt retry child""".split()
)
_SAMPLED = 50_000  # rows of a column whose different texts are kept
_MOST_TEXTS = 5_000  # different ones; a column with more is free text
_MOST_LETTERS = 80
_FEW = 30  # different texts; then two of them are shown to the network
_MOST_NODES = 12  # that a name may have here: more of them say no more
_LONGEST = 60  # words


def shape_of(graph: Graph) -> Shape:
    """Types, links and properties of a graph. A type without a label is named by its ids."""
    held: list[Held] = []
    for t in graph.schema.node_types:
        columns = graph.columns[t.name]
        held += [_held(t.name, f, False, f.name == t.label, columns) for f in t.features if f.kind in KINDS]
        if not t.label:
            taken = any(f.name.casefold() == "name" for f in t.features)
            held.append(Held(t.name, "id" if taken else "name", "text", naming=True))
    links = []
    for i, r in enumerate(graph.schema.relations):
        link = Link(r.name, r.source, r.target, r.undirected)
        links.append(link)
        columns = graph.edge_columns[i]
        held += [_held(link.key, f, True, False, columns) for f in r.features if f.kind in KINDS]
    return Shape(tuple(t.name for t in graph.schema.node_types), tuple(links), tuple(held))


def _held(owner: str, feature: Feature, edge: bool, naming: bool, columns: pa.Table) -> Held:
    """A feature as the reader knows it, with two of few texts; texts that only say yes or no are such a property."""
    texts = (_different(columns, feature.name) if feature.kind == "text" else None) or []
    answers = tuple(sorted(texts, key=str.casefold, reverse=True))
    if not naming and tuple(map(str.casefold, answers)) in _YES_NO:
        return Held(owner, feature.name, "boolean", edge, False, answers, feature.kind)
    words = spoken(feature.name).split()
    says_so = words[0] in _SO or words[-1].endswith(_BEING_SO) or not _measures(words[-1])
    if feature.kind == "number" and says_so and _zero_or_one(columns, feature.name):
        return Held(owner, feature.name, "boolean", edge, False, (), feature.kind)
    examples = tuple(sorted(texts, key=len)[:2]) if len(texts) <= _FEW else ()
    return Held(owner, feature.name, KINDS[feature.kind], edge, naming, examples, feature.kind)


def _measures(noun: str) -> bool:
    """Whether a noun says how much or which of several: a plural, a unit, what an adjective measures; no other is ever 0 or 1 alone."""
    told = {name for adjective in adjectives().values() for name, _ in adjective.features}
    return noun in _NEVER_SO or noun in told or singular(noun) != noun or bool(units(noun))


def _different(columns: pa.Table, name: str) -> list[str] | None:
    """A column's different texts; None where there are too many, or they are too long."""
    try:
        column = columns.column(name).slice(0, _SAMPLED)
        if pa.types.is_list(column.type):
            column = pa.chunked_array([_entries(chunk) for chunk in column.chunks], column.type.value_type)
        texts = distinct(column)
    except LimitError:  # edges of a graph elsewhere, more than are read here
        return None
    if len(texts) > _MOST_TEXTS:
        return None
    listed = [t for t in texts if isinstance(t, str)]
    return [t for t in listed if t and len(t) <= _MOST_LETTERS]


def _entries(lists: pa.Array) -> pa.Array:
    """The entries of lists, without Arrow's functions, which are slow to import."""
    first, last = (lists.offsets[i].as_py() for i in (0, -1))
    return lists.values.slice(first, last - first)


def _zero_or_one(columns: pa.Table, name: str) -> bool:
    """Whether a column of numbers has 0 and 1, and nothing else."""
    try:
        cells = columns.column(name).slice(0, _SAMPLED)
    except LimitError:  # edges of a graph elsewhere, more than are read here
        return False
    return {value for value in distinct(cells) if value is not None} == {0, 1}


class GraphTexts:
    """Which properties have a text: names by the search index, other short texts by a table made once."""

    def __init__(self, graph: Graph, index: Index, shape: Shape) -> None:
        self._graph, self._index, self._shape = graph, index, shape
        self._table: dict[str, dict[str, list[str]]] = {}
        self._free: set[str] = set()
        for t in graph.schema.node_types:
            for f in t.features:
                if f.kind in ("text", "list") and f.name != t.label:
                    self._keep(f"P:{t.name}.{f.name}", graph.columns[t.name], f.name)
        for i, r in enumerate(graph.schema.relations):
            for f in r.features:
                if f.kind == "text":
                    self._keep(
                        f"E:{Link(r.name, r.source, r.target).key}.{f.name}", graph.edge_columns[i], f.name
                    )

    def _keep(self, action: str, columns: pa.Table, name: str) -> None:
        texts = _different(columns, name)
        if texts is None or len(columns) > _SAMPLED:
            self._free.add(action)
        for text in texts or ():
            self._table.setdefault(text.lower(), {}).setdefault(action, []).append(text)

    @property
    def free(self) -> frozenset[str]:
        """Properties that may have other texts than are known here."""
        return frozenset(self._free)

    def __call__(self, texts: Sequence[str]) -> list[Found]:
        return [self._found(text) for text in texts]

    def _found(self, text: str) -> Found:
        found = {a: tuple(spellings) for a, spellings in self._table.get(text.lower(), {}).items()}
        if text.count(" ") >= _LONGEST:
            return found
        for node in self._index.exact(text)[:_MOST_NODES]:
            action = self._shape.name_of(self._graph.node_type(node).name)
            if action is not None:
                found[action] = tuple(dict.fromkeys((*found.get(action, ()), self._spelled(node, text))))
        return found

    def _spelled(self, node: int, text: str) -> str:
        """A node's name; where a text is its id, and other nodes have its name too, the id."""
        name, own = self._graph.label(node), self._graph.id(node)
        by_id = own.casefold() == text.casefold() != name.casefold()
        return NodeId(own) if by_id and len(self._index.exact(name)) > 1 else name
