"""A graph's schema for a model to write calls by, in few words: types, features with a value each, relations with their ends.

A schema of many relations does not fit into a prompt: `Outline.about` gives the part that a question may touch.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from graphtalk.calls.lexer import quote
from graphtalk.graphs import Graph
from graphtalk.graphs.schema import Feature, NodeType, Relation
from graphtalk.language.english import tokenize
from graphtalk.reasoners.planner.lexis import Lexis
from graphtalk.reasoners.untrusted import one_line
from graphtalk.search.embedder import load_embedder
from graphtalk.search.index import Index
from graphtalk.tools.values import spelled

MOST_LETTERS = 5_000  # of an outline that is told whole
ABOUT_LETTERS = 2_400  # of the part that a question may touch
MOST_TYPES = 60  # that are named where the schema is not told whole
MOST_FEATURES = 30  # of a type
MOST_LIKE = 8  # features of a type that are told for a question
MOST_READ = 200  # nodes of which the value of a feature is looked for
LONGEST_VALUE = 32  # letters of a value
_NAMED_TYPE = 0.5  # what a relation gains for an end that the question names a node or the type of


@dataclass(frozen=True)
class Outline:
    """The outline of a graph. `index` finds the nodes that a question names (None: none are found)."""

    graph: Graph
    index: Index | None = None

    @cached_property
    def whole(self) -> str:
        """All of the schema."""
        schema = self.graph.schema
        return "\n".join((*map(self._type, schema.node_types), *self._relations(schema.relations)))

    @property
    def fits(self) -> bool:
        """Whether the schema is small enough to be told whole."""
        return len(self.whole) <= MOST_LETTERS

    @cached_property
    def named(self) -> str:
        """The names of the types alone, for a schema that is not told whole."""
        types = [t.name for t in self.graph.schema.node_types]
        more = f" and {len(types) - MOST_TYPES} more" if len(types) > MOST_TYPES else ""
        return f"Node types: {', '.join(types[:MOST_TYPES])}{more}."

    def about(self, question: str) -> str:
        """What of the schema a question may touch: what its words are like, and what lies at the nodes that it names."""
        schema = self.graph.schema
        lexis, tokens = self._lexis, [token for token in tokenize(question) if token.content or token.asks]
        whole = lexis.match(tokens, load_embedder("static")).whole
        named = {
            self.graph.node_type(n).name
            for m in (self.index.mentions(question) if self.index is not None else ())
            if m.literal
            for n in m.nodes[:3]
        }
        like = {
            t.name: float(whole[lexis.types[t.name]]) + _NAMED_TYPE * (t.name in named)
            for t in schema.node_types
        }
        scores = dict.fromkeys(range(len(schema.relations)), 0.0)
        for view in schema.views:
            own = float(whole[lexis.view_term(view)]) + 0.5 * (like[view.source] + like[view.target])
            scores[view.relation] = max(scores[view.relation], own)
        features = {key: float(whole[term]) + 0.5 * like[key[0]] for key, term in lexis.features.items()}
        relations: list[Relation] = []
        types: dict[str, str] = {}
        for t in sorted(schema.node_types, key=lambda t: -like[t.name]):
            if like[t.name] >= _NAMED_TYPE and _letters(types) < ABOUT_LETTERS // 3:
                types[t.name] = self._type(t, features)
        for at in sorted(scores, key=lambda at: -scores[at]):
            relation = schema.relations[at]
            ends = [schema.node_type(end) for end in (relation.source, relation.target)]
            with_ends = types | {t.name: self._type(t, features) for t in ends if t.name not in types}
            told = list(self._relations([*relations, relation]))
            if _letters(with_ends) + sum(map(len, told)) > ABOUT_LETTERS:
                break
            relations, types = [*relations, relation], with_ends
        return "\n".join((*types.values(), *self._relations(relations)))

    @cached_property
    def _lexis(self) -> Lexis:
        return Lexis(self.graph.schema)

    def _type(self, t: NodeType, likeness: Mapping[tuple[str, str], float] | None = None) -> str:
        """A line about a type: its features, where `likeness` is told of many those that a question is most like."""
        features, most = [f for f in t.features if f.name != t.label], MOST_FEATURES
        if likeness is not None:
            features, most = sorted(features, key=lambda f: -likeness[t.name, f.name]), MOST_LIKE
        told = [_told(f, self._values(t, f.name)) for f in features[:most]]
        if len(features) > most:
            told.append(f"and {len(features) - most} more")
        name = _value(self._values(t, t.label)) if t.label else ""
        first = [f"name {name}"] if name else []
        return f"{t.name}: {'; '.join([*first, *told]) or 'no features'}"

    def _values(self, t: NodeType, feature: str) -> list[object]:
        return list(self.graph.columns[t.name].column(feature).slice(0, MOST_READ).to_pylist())

    def _relations(self, relations: Sequence[Relation]) -> Iterator[str]:
        """A line for each pair of types: its relations by name, with their features."""
        pairs: dict[str, list[str]] = {}
        for r in relations:
            sign = "--" if r.undirected else "->"
            name = f"{r.name} / {r.inverse}" if r.inverse and not r.undirected else r.name
            features = [self._edge_feature(r, f) for f in r.features[:MOST_FEATURES]]
            name += f" (edge features: {'; '.join(features)})" if features else ""
            pairs.setdefault(f"{r.source} {sign} {r.target}", []).append(name)
        for ends, names in pairs.items():
            yield f"{ends}: {', '.join(dict.fromkeys(names))}"

    def _edge_feature(self, relation: Relation, f: Feature) -> str:
        column = self.graph.edge_columns[self.graph.schema.relations.index(relation)].column(f.name)
        return _told(f, list(column.slice(0, MOST_READ).to_pylist()))


def _letters(lines: Mapping[str, str]) -> int:
    return sum(map(len, lines.values()))


def _told(f: Feature, values: Sequence[object]) -> str:
    """A feature with its kind, where that is not text, and a value of it."""
    kind = "" if f.kind == "text" else f" {f.kind}"
    return f"{f.name}{kind} {_value(values)}".rstrip()


def _value(values: Sequence[object]) -> str:
    """The first value that there is, short, as it is written in a call; "" where there is none."""
    found = next((value for value in values if value not in (None, "", [])), None)
    if isinstance(found, list):
        return f"[{_value(found)}, …]"
    if isinstance(found, date):
        return quote(str(spelled(found)))
    if isinstance(found, bool | int | float):
        return str(found)
    return "" if found is None else quote(one_line(str(found), LONGEST_VALUE))
