"""The words of a schema, and how well the words of a question match them.

Done once per graph: `Lexis.of(schema)`. Done once per question: `lexis.match(tokens, embedder)`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.graphs import Schema, View
from graphtalk.language.english import ASKING, STOP, Groups, Token, stem, thesaurus
from graphtalk.language.identifiers import split_name
from graphtalk.search.embedder import Embedder
from graphtalk.search.threads import one_thread

Floats: TypeAlias = NDArray[np.float64]

PARTNER = 0.95  # a match with the name of a view's way back, beside one with its own name
EVENT = "event"  # the thesaurus line of verbs that "when" and "where" ask the date and the place of
SAME_GROUP = 0.9  # a thesaurus match is nearly as good as the word itself
NEAR_FLOOR, NEAR_SPAN, NEAR_MOST = 0.45, 0.45, 0.5  # cosine of single words → similarity


@dataclass(frozen=True)
class Term:
    """A thing that a schema names: a type, a view or a feature; `words` are positions in `Lexis.words`."""

    kind: str
    name: str
    words: tuple[int, ...]


@dataclass(frozen=True)
class Match:
    """How well each token of a question (rows) matches each term (columns), and each term as a whole.

    `tokens` has shape (tokens, terms), `whole` (terms,): the mean over the term's words of their best token.
    """

    tokens: Floats
    whole: Floats


def _lines(token: Token) -> Groups:
    """The thesaurus lines by which a word may match: those of who, when and where are for asking words only."""
    lines = token.groups - {EVENT}
    return lines if token.asks or "person" in lines else lines - ASKING


class Lexis:
    """The words of a schema's types, views and features."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.words: list[str] = []
        self._position: dict[str, int] = {}
        self.terms: list[Term] = []
        self.types = {t.name: self._term("type", t.name, split_name(t.name)) for t in schema.node_types}
        self.views = {
            (v.source, v.name): self._term("view", v.name, _relation_words(v, schema)) for v in _first(schema)
        }
        self.features = {
            (t.name, f.name): self._term("feature", f.name, _without_stops(split_name(f.name)))
            for t in schema.node_types
            for f in t.features
        }
        self.names = {
            t.name: [self.features[t.name, f.name] for f in t.features if _is_name(f.name, t.label)]
            for t in schema.node_types
        }
        self.partners = {
            self.views[v.source, v.name]: self.views[v.target, back]
            for v in _first(schema)
            if (back := _back_name(v, schema)) != v.name and not v.name.startswith("^")
        }
        self._stems = [stem(w) for w in self.words]
        self._groups = self._word_groups()
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def view_term(self, view: View) -> int:
        """The term of a view."""
        return self.views[view.source, view.name]

    def has_word(self, name: str, words: Sequence[str]) -> bool:
        """Whether an identifier has one of these words."""
        return not {stem(w) for w in split_name(name)}.isdisjoint(stem(w) for w in words)

    def _term(self, kind: str, name: str, words: Sequence[str]) -> int:
        positions = []
        for word in words:
            positions.append(self._position.setdefault(word, len(self.words)))
            if positions[-1] == len(self.words):
                self.words.append(word)
        self.terms.append(Term(kind, name, tuple(positions)))
        return len(self.terms) - 1

    def _word_groups(self) -> list[Groups]:
        found: list[set[str]] = [set() for _ in self.words]
        for term in self.terms:
            stems = [self._stems[w] for w in term.words]
            for word, lines in zip(term.words, thesaurus().groups(stems), strict=True):
                found[word] |= lines
        return [frozenset(lines) for lines in found]

    def match(self, tokens: Sequence[Token], embedder: Embedder) -> Match:
        """Compare every content word of a question with every word of the schema."""
        words = self._compare(tokens, embedder)
        asking = np.array([0.7 if t.asks else 1.0 for t in tokens])  # "who" names nothing surely
        persons = [i for i, t in enumerate(tokens) if t.asks and "who" in t.groups]
        by_token = np.zeros((len(tokens), len(self.terms)))
        whole = np.zeros(len(self.terms))
        for column, term in enumerate(self.terms):
            if term.words and len(tokens):
                part = words[:, term.words]
                if term.kind == "feature" and persons:
                    part = part.copy()
                    part[persons] = 0.0  # "who" asks for a node
                by_token[:, column] = part.max(axis=1)
                whole[column] = (part * asking[:, None]).max(axis=0).mean()
        return self._with_partners(Match(by_token, whole))

    def _with_partners(self, match: Match) -> Match:
        """A view may be spoken of in the words of its way back: "flows into" of what is "fed by"."""
        tokens, whole = match.tokens.copy(), match.whole.copy()
        for view, back in self.partners.items():
            tokens[:, view] = np.maximum(match.tokens[:, view], PARTNER * match.tokens[:, back])
            whole[view] = max(match.whole[view], PARTNER * match.whole[back])
        return Match(tokens, whole)

    def _compare(self, tokens: Sequence[Token], embedder: Embedder) -> Floats:
        similar = np.zeros((len(tokens), len(self.words)))
        if not tokens or not self.words:
            return similar
        left = embedder.embed([t.text.casefold() for t in tokens])
        right = self._embedded(embedder)
        with one_thread():
            near = (left @ right.T - NEAR_FLOOR) / NEAR_SPAN
        near = np.clip(near, 0.0, 1.0) * NEAR_MOST
        dated = {line for t in tokens if t.asks for line in ("when", "where") if line in t.groups}
        for i, token in enumerate(tokens):
            for j, word_stem in enumerate(self._stems):
                if token.stem == word_stem and not self._means_else(token, j):
                    similar[i, j] = 1.0
                elif not (token.content or token.asks):
                    continue
                elif _lines(token) & self._groups[j] or (EVENT in token.groups and dated & self._groups[j]):
                    similar[i, j] = SAME_GROUP
                elif token.content and not thesaurus().opposite(token.groups, self._groups[j]):
                    turned = thesaurus().contrary(token.text, self.words[j].split())
                    similar[i, j] = 0.0 if turned else near[i, j]
        return similar

    def _means_else(self, token: Token, word: int) -> bool:
        """Whether a word is part of a phrase that means something else: "regulated" of "down-regulated"."""
        if not token.in_phrase:
            return False
        turned = frozenset(line for line in token.groups if line in thesaurus().opposites)
        return bool(turned) and not turned & self._groups[word]

    def _embedded(self, embedder: Embedder) -> NDArray[np.float32]:
        if embedder.name not in self._vectors:
            self._vectors[embedder.name] = embedder.embed(self.words)
        return self._vectors[embedder.name]


def _first(schema: Schema) -> list[View]:
    """One view per source type and name: several targets share a name."""
    return list({(v.source, v.name): v for v in schema.views}.values())


def _is_name(feature: str, label: str) -> bool:
    """Whether nodes are called by a feature: "the case with PACER case ID 223892"."""
    return feature == label or split_name(feature)[-1:] in (["name"], ["title"], ["id"])


def _back_name(view: View, schema: Schema) -> str:
    relation = schema.relations[view.relation]
    return relation.back if view.direction == "out" else relation.name


def _without_stops(words: list[str]) -> list[str]:
    return [w for w in words if w not in STOP] or words


def _relation_words(view: View, schema: Schema) -> list[str]:
    """The words of a view's name without those of its own two types, unless nothing would be left."""
    words = [w for w in split_name(view.name.removeprefix("^")) if w not in STOP or w in _MEANT]
    own = {stem(w) for t in (view.source, view.target) for w in split_name(t)}
    rest = [w for w in words if stem(w) not in own]
    return rest or words


_MEANT = frozenset(
    {"like", "want", "see"}
)  # stop words of questions that mean something as a relation's name
