"""A question read against a schema: its words, cues, focus and anchors."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from graphtalk.core.text import NUMBER_WORDS
from graphtalk.language.english import Token, tokenize
from graphtalk.reasoners.planner.cues import Comparison, Cues, find_cues
from graphtalk.reasoners.planner.lexis import Floats, Lexis, Match
from graphtalk.reasoners.planner.linking import Anchor
from graphtalk.reasoners.planner.values import NamedValue, ValueTable
from graphtalk.search.embedder import Embedder

_FOCUS_DECAY = (1.0, 0.8, 0.6)
BEFORE_HEAD = 0.8
_AFTER_ASKING = 0.5  # "who" names what is asked for by itself: what follows says less of it
_FOCUS_WORDS = 5
TYPE_NAMED = 0.8  # a word that matches a type so well names it
DATES = frozenset({"date", "datetime"})
NAMED = 0.5  # a word that matches a term less than this does not name it
UNNAMED = 0.3
_EXACT = ["no", *NUMBER_WORDS[1:11]]
_EXACTLY = re.compile(r"\b(?:only|exactly|just|precisely) (" + "|".join(_EXACT) + r")\b", re.I)
_BEFORE_SUBJECT = frozenset({"do", "does", "did"})
_OTHER = frozenset({"other", "others", "another"})
KNOWN = 0.3  # a word that matches everything in the schema less than this is a word about something else
UNKNOWN_WORD = 0.5
NAMES, EMPTY_WORD = 0.95, 0.8  # an empty word may be all that a relation is named by: "knows"
OPEN_FOCUS = 0.6  # where a question does not name what it asks for, everything fits as well


@dataclass(frozen=True)
class Analysis:
    """One reading of a question: which spans are nodes, and what the remaining words match.

    `weights` (tokens,) says how much each token asks to be explained; `masked` is the text with the anchors
    blanked out, so that offsets stay those of the question.
    """

    text: str
    masked: str
    anchors: tuple[Anchor, ...]
    tokens: tuple[Token, ...]
    cues: Cues
    match: Match
    weights: Floats
    values: tuple[NamedValue, ...] = ()
    type_terms: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(
        cls, text: str, anchors: Sequence[Anchor], lexis: Lexis, values: ValueTable, embedder: Embedder
    ) -> "Analysis":
        """Read `text` with these spans taken as nodes."""
        masked = text
        for a in anchors:
            masked = masked[: a.start] + "\x00" * (a.end - a.start) + masked[a.end :]
            for start, end in a.told:
                masked = masked[:start] + " " * (end - start) + masked[end:]
        tokens = tuple(_taxonomic(tokenize(masked), masked))
        cues = find_cues(masked, tokens)
        tokens = tuple(replace(t, relative=t.asks and t.start != cues.asking) for t in tokens)
        match = lexis.match(tokens, embedder)
        known = match.tokens.max(axis=1, initial=0.0) if match.tokens.size else np.zeros(len(tokens))
        weights = np.array([_weight(i, t, cues, float(known[i])) for i, t in enumerate(tokens)])
        found = cls(
            text,
            masked,
            tuple(anchors),
            tokens,
            cues,
            match,
            weights,
            tuple(values.find(tokens)),
            tuple(lexis.types.items()),
        )
        names = [i for i in range(len(tokens)) if found._names_an_anchor(i)]
        found.weights[names] = 0.0  # "the compound Zinc": the word says no more than the name
        return found

    @cached_property
    def focus_tokens(self) -> tuple[tuple[int, float], ...]:
        """The tokens that may name what is asked for, each with its weight.

        Runs of content words from the focus on, up to an anchor; words of one run weigh the same, since the
        head of an English noun phrase may stand anywhere in it, and later runs weigh less.
        """
        if self.cues.focus < 0:
            return ()
        found = self._focus_from(self.cues.focus)
        if found or not self.anchors:
            return found
        after = [i for i, t in enumerate(self.tokens) if t.start > self.anchors[0].end]
        return self._focus_from(after[0]) if after else ()

    def _focus_from(self, first: int) -> tuple[tuple[int, float], ...]:
        found: list[tuple[int, float]] = []
        run, weight, previous = 0, 1.0, -1
        for i in range(first, len(self.tokens)):
            token = self.tokens[i]
            if found and "\x00" in self.masked[self.tokens[i - 1].end : token.start]:
                break
            if found and token.text.casefold() in _BEFORE_SUBJECT:
                break  # "how many members does the club have" asks for members
            if i in self.cues.consumed or not (token.content or token.asks) or self._names_an_anchor(i):
                continue
            if found and previous != i - 1:
                run += 1
            if run == len(_FOCUS_DECAY) or len(found) == _FOCUS_WORDS:
                break
            found.append((i, weight * _FOCUS_DECAY[run]))
            weight, previous = _AFTER_ASKING if token.asks else weight, i
        return tuple(found)

    def _names_an_anchor(self, position: int) -> bool:
        """Whether a word stands right before an anchor, as in "the movie [Heat]": it says what the anchor is."""
        token = self.tokens[position]
        if token.asks:
            return False
        following = len(self.masked) - len(self.masked[token.end :].lstrip(" \"'“‘«[("))
        before = len(self.masked[: token.start].rstrip(" \"'”’»])"))
        beside = [a for a in self.anchors if a.start == following or a.end == before]
        types = [term for a in beside for name, term in self.type_terms if name in a.types]
        return bool(types) and bool(self.match.tokens[position, types].max() >= TYPE_NAMED)

    @cached_property
    def focus(self) -> Floats:
        """How well each term of the lexis fits what is asked for. Shape (terms,)."""
        rows = [self.match.tokens[i] * weight for i, weight in self._headed()]
        if not rows:
            return np.full(self.match.tokens.shape[1], OPEN_FOCUS)
        specific = 0.6 + 0.4 * np.minimum(
            1.0, self.match.whole
        )  # "opinion" fits opinions better than clusters of them
        return np.asarray(np.max(rows, axis=0) * specific)

    @cached_property
    def named_types(self) -> frozenset[str]:
        """The node types that a word of the question names; "who" and "where" name none, for both may be of several."""
        nouns = [i for i, t in enumerate(self.tokens) if not t.asks]
        best = self.match.tokens[nouns].max(axis=0, initial=0.0)
        return frozenset(name for name, term in self.type_terms if best[term] >= TYPE_NAMED)

    @cached_property
    def typed_focus(self) -> float:
        """How well the first words of the focus name a type: "members" of "the members of the club"."""
        types = [term for _, term in self.type_terms]
        first = [i for i, weight in self.focus_tokens if weight == self.focus_tokens[0][1]]
        return float(self.match.tokens[np.ix_(first, types)].max(initial=0.0))

    def _headed(self) -> list[tuple[int, float]]:
        """The focus tokens, those before the head of the first noun phrase weighing less: "drug class"."""
        types = [term for _, term in self.type_terms]
        first = [i for i, weight in self.focus_tokens if weight == self.focus_tokens[0][1]]
        heads = [i for i in first if self.match.tokens[i, types].max(initial=0.0) >= TYPE_NAMED]
        last = heads[-1] if heads else -1
        return [(i, w * (BEFORE_HEAD if i in first and i < last else 1.0)) for i, w in self.focus_tokens]

    @property
    def named_focus(self) -> bool:
        """Whether a word other than who, when or where names what is asked for."""
        words = [i for i, _ in self.focus_tokens if not self.tokens[i].asks]
        return any(self.match.tokens[i].max(initial=0.0) >= KNOWN for i in words)

    @property
    def _known(self) -> Floats:
        return np.asarray(self.match.tokens.max(axis=1, initial=0.0))

    @property
    def unexplained(self) -> list[str]:
        """The words that nothing in the graph matches."""
        pairs = zip(self.tokens, self.weights, self._known, strict=True)
        return [t.text for t, weight, known in pairs if weight > 0 and known < KNOWN]

    @property
    def unknown_focus(self) -> bool:
        """Whether what is asked for, the noun before "of", is nothing that the schema knows: "the anthem of X"."""
        if not self.focus_tokens:
            return False
        first = [i for i, weight in self.focus_tokens if weight == self.focus_tokens[0][1]]
        following = self.tokens[first[-1] + 1 : first[-1] + 2]
        later = [i for i, _ in self.focus_tokens if i > first[-1]]
        types = [term for _, term in self.type_terms]
        if any(self.match.tokens[i, types].max(initial=0.0) >= TYPE_NAMED for i in later):
            return False  # "which areas of anatomy"
        return bool(following) and following[0].text.casefold() == "of" and self._known[first[-1]] < KNOWN

    @property
    def unknown_name(self) -> bool:
        """Whether a capitalised word within the question is neither a name in the graph nor a word of the schema."""
        known = self._known
        known[[place for value in self.values for place in value.tokens]] = 1.0
        return any(
            t.start > 0 and t.text[0].isupper() and self.weights[i] > 0 and known[i] < KNOWN
            for i, t in enumerate(self.tokens)
        )

    @cached_property
    def either(self) -> bool:
        """Whether "or" stands between the anchors, and nothing asks to choose between them."""
        if len(self.anchors) < 2 or {"truth", "comparative", "superlative", "most", "more"} & self.cues.kinds:
            return False
        between = self.text[self.anchors[0].end : self.anchors[-1].start].casefold()
        return bool(re.search(r"\bor\b", between))

    @cached_property
    def shares(self) -> bool:
        """Whether a word such as "share", "same" or "in common" is used."""
        return any("share" in t.groups for t in self.tokens)

    @cached_property
    def one(self) -> Comparison | None:
        """ "Only one", "exactly two": a number in words that something is compared with."""
        found = _EXACTLY.search(self.masked)
        return Comparison("=", _EXACT.index(found[1].casefold())) if found else None

    @cached_property
    def order(self) -> Floats:
        """The place of each token counted in content words and anchors. Shape (tokens,)."""
        places, place = [], 0.0
        bounds = sorted(a.start for a in self.anchors)
        for i, token in enumerate(self.tokens):
            while bounds and bounds[0] < token.start:
                bounds.pop(0)
                place += 1
            places.append(place)
            if token.content and i not in self.cues.consumed:
                place += 1
        return np.array(places)

    def place_of(self, anchor: Anchor) -> float:
        """The place of an anchor on the same scale as `order`."""
        before = [i for i, t in enumerate(self.tokens) if t.end <= anchor.start]
        content = sum(1 for i in before if self.tokens[i].content and i not in self.cues.consumed)
        return content + sum(1 for a in self.anchors if a.start < anchor.start)

    @cached_property
    def nearness(self) -> Floats:
        """How near to the focus a word for each term stands: 1 beside it, less with every word between.

        Shape (terms,). Terms that no word names are neither near nor far.
        """
        if not self.focus_tokens:
            return np.zeros(self.match.tokens.shape[1])
        words = np.array([not t.asks for t in self.tokens])
        named = words[:, None] & (self.match.tokens >= NAMED)
        away = np.abs(self.order - self.order[self.focus_tokens[0][0]])
        nearest = np.where(named, away[:, None], np.inf).min(axis=0)
        return np.where(np.isinf(nearest), UNNAMED, 1.0 / (1.0 + nearest))

    def in_group(self, line: str) -> Floats:
        """0.9 for tokens of a line of the thesaurus, else 0. Shape (tokens,)."""
        return np.array([0.9 if line in t.groups else 0.0 for t in self.tokens])

    def cover(self, term: int) -> Floats:
        """How well one term explains each token. Shape (tokens,)."""
        return self.match.tokens[:, term]

    def covered(self, cover: Floats) -> float:
        """The share of what asks to be explained that is, given each token's best explanation."""
        total = float(self.weights.sum())
        return float(self.weights @ cover) / total if total else 1.0


def _weight(position: int, token: Token, cues: Cues, known: float) -> float:
    if position in cues.consumed:
        return 0.0
    if token.asks:
        return 0.3
    if not token.content:
        return EMPTY_WORD if known >= NAMES else 0.0
    if token.text.casefold() in _OTHER:
        return 0.0
    named = token.text[0].isupper() and token.start > 0
    return 1.0 if known >= KNOWN or named else UNKNOWN_WORD


def _taxonomic(tokens: list[Token], masked: str) -> list[Token]:
    """Say which way words like "kind" point: "kinds of X" are narrower than X, X is "a kind of" something wider."""
    found = []
    for i, token in enumerate(tokens):
        groups = token.groups
        if {"hyponym", "hypernym"} <= groups:
            of = i + 1 < len(tokens) and tokens[i + 1].text.casefold() == "of"
            narrower = of and masked[tokens[i + 1].end :].lstrip(" \"'“‘«[(").removeprefix("the ").startswith(
                "\x00"
            )
            groups = groups - {"hypernym" if narrower else "hyponym"}
        found.append(replace(token, groups=groups))
    return found
