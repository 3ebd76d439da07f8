"""Which words of a question stand for nodes: mentions found by the index, weighed and combined."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from graphtalk.graphs import Graph
from graphtalk.graphs.graph import plain
from graphtalk.language.english import Token, tokenize
from graphtalk.language.places import nouns_of
from graphtalk.language.wordpiece import word_rank
from graphtalk.reasoners.planner.lexis import Lexis
from graphtalk.search.index import Index
from graphtalk.search.names import Mention

MOST_ANCHORS = 3
MOST_SETS = 8
NEAR_ENOUGH = 0.75  # likeness from which a name that is nowhere exactly so is taken to be misspelt
MARKED = 6.0
COMMON = 6_000  # words of this rank or better are everyday words
SURE = 0.8  # mentions that score less may be mere words
ADJECTIVE = 0.9
MISSPELT = 1.5
MOST_MISSPELT = 4
SLIP = 0.85  # how alike the letters of a misspelt name and the name must be
_CAPITALS = re.compile(r"\b[A-Z]\w+(?: [A-Z]\w+)*")
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")
_QUOTED = re.compile(r"[\"“«]([^\"“”«»]{2,})[\"”»]")
_COLON = re.compile(r":\s+")
_SENTENCE = re.compile(r"[.?!](?=\s|$)")
LONG_NAME = 20
MOST_SENTENCES = 8
NAMESAKES = 24  # nodes of one name whose features are looked at
SHORTEST_TOLD = 4


@dataclass(frozen=True)
class Anchor:
    """A span of the question that names nodes: its place in the text, the nodes, and how sure that is.

    `told` are spans that say more of the nodes (an author's organisation, say): they need no other meaning.
    """

    start: int
    end: int
    nodes: tuple[int, ...]
    score: float
    text: str
    told: tuple[tuple[int, int], ...] = ()
    types: frozenset[str] = frozenset()
    misspelt: bool = False


class Linker:
    """Finds the mentions of nodes in a question."""

    def __init__(self, graph: Graph, index: Index, lexis: Lexis) -> None:
        self.graph = graph
        self.index = index
        self._schema_stems = {t.stem for word in lexis.words for t in tokenize(word)}
        self._schema_groups = frozenset(g for word in lexis.words for t in tokenize(word) for g in t.groups)

    def anchors(self, text: str) -> list[Anchor]:
        """Mentions in a question, best first; overlapping ones are all kept."""
        bracketed = [self._marked(text, m.start(1), m.end(1)) for m in _BRACKETS.finditer(text)]
        if any(bracketed):
            return [self._typed(a) for a in bracketed if a]
        quoted = [a for m in _QUOTED.finditer(text) if (a := self._marked(text, m.start(1), m.end(1)))]
        quoted += self._after_colon(text)
        found = [self._weigh(text, mention) for mention in self.index.mentions(text)]
        known = {(a.start, a.end) for a in found}
        found += [a for a in self._adjectives(text) if (a.start, a.end) not in known]
        free = [a for a in found if all(a.end <= q.start or q.end <= a.start for q in quoted)]
        kept = [a for a in [*quoted, *free] if a.score > 0]
        told = (self._typed(self._told(text, a)) for a in kept)
        return sorted(told, key=lambda a: (-a.score, a.start))

    def _typed(self, anchor: Anchor) -> Anchor:
        return replace(anchor, types=frozenset(self.graph.node_type(n).name for n in anchor.nodes))

    def _after_colon(self, text: str) -> list[Anchor]:
        """A long name after a colon, up to the end or to the end of one of the sentences that follow."""
        colon = _COLON.search(text)
        if colon is None:
            return []
        ends = [m.end() for m in _SENTENCE.finditer(text, colon.end())][-MOST_SENTENCES:]
        for end in sorted({len(text), *ends, *(e - 1 for e in ends)}, reverse=True):
            span = text[colon.end() : end].strip()
            nodes = self.index.exact(span) if len(span) >= LONG_NAME else []
            if nodes:
                return [Anchor(colon.end(), end, tuple(nodes), MARKED, span)]
        return []

    def _marked(self, text: str, start: int, end: int) -> Anchor | None:
        """A span that the question puts in brackets or quotes: a name, whatever its words."""
        span = text[start:end].strip()
        nodes = self.index.exact(span) or self._nearly(span)
        same = [n for n in nodes if self.graph.label(n) == span]
        return Anchor(start, end, tuple(same or nodes), MARKED, span) if nodes else None

    def _nearly(self, span: str) -> list[int]:
        """The node whose name is nearly this; none for a span of one everyday word."""
        hits = self.index.retrieve(span, k=1) if len(span) > 3 else []
        return [h.node for h in hits if h.score >= NEAR_ENOUGH]

    def _told(self, text: str, anchor: Anchor) -> Anchor:
        """Where the question also states a feature of some of an anchor's nodes, these are meant."""
        lower = text.casefold()
        spans: dict[int, list[tuple[int, int]]] = {}
        for node in anchor.nodes[:NAMESAKES]:
            label = self.graph.node_type(node).label
            for name, found in self.graph.features(node).items():
                value = plain(found)
                if name == label or not isinstance(value, str) or len(value) < SHORTEST_TOLD:
                    continue
                at = lower.find(value.casefold())
                if at >= 0 and (at + len(value) <= anchor.start or anchor.end <= at):
                    spans.setdefault(node, []).append((at, at + len(value)))
        if not spans or (
            len(anchor.nodes) == 1 and not any(" " in text[a:b] for a, b in spans[anchor.nodes[0]])
        ):
            return anchor
        most = max(map(len, spans.values()))
        nodes = tuple(n for n, told in spans.items() if len(told) == most)
        return replace(anchor, nodes=nodes, told=tuple(spans[nodes[0]]), score=anchor.score + 0.5)

    def _looks_like(self, span: str, node: int) -> bool:
        """Whether a node's name is a span but for a slip: "Metformine", but not "Atlantis" for the Atlantic."""
        name = self.graph.label(node)
        return SequenceMatcher(None, span.casefold(), name.casefold()).ratio() >= SLIP

    def _adjectives(self, text: str) -> Iterator[Anchor]:
        """Capitalised words that are the adjective of a name: "African", "South American", "Brazilian"."""
        for m in _CAPITALS.finditer(text):
            words = m.group().split()
            for first in range(len(words)):
                span = " ".join(words[first:])
                start = m.end() - len(span)
                nodes = next(filter(None, (self.index.exact(name) for name in nouns_of(span))), [])
                if nodes:
                    yield Anchor(start, m.end(), tuple(nodes), ADJECTIVE * len(words[first:]), span)
                    break

    def misspelt(self, text: str) -> Iterator[tuple[Anchor, ...]]:
        """Sets of anchors with a name that is nearly written so, for a question that nothing else explains."""
        sure = [a for a in self.anchors(text) if a.score >= SURE][: MOST_ANCHORS - 1]
        for m in self.index.near_mentions(text, NEAR_ENOUGH)[:MOST_MISSPELT]:
            span = text[m.start : m.end]
            owner = (
                span[:-2] if span.endswith(("'s", "’s")) else ""
            )  # a name that the graph has is not misspelt
            if not self._looks_like(span, m.nodes[0]) or (owner and self.index.exact(owner)):
                continue
            near = Anchor(m.start, m.end, m.nodes, MISSPELT, text[m.start : m.end], misspelt=True)
            others = [a for a in sure if a.end <= near.start or near.end <= a.start]
            yield tuple(sorted([*others, self._typed(near)], key=lambda a: a.start))

    def _weigh(self, text: str, mention: Mention) -> Anchor:
        start, end = mention.start, mention.end
        span = text[start:end]
        tokens = tokenize(span)
        content = sum(t.content for t in tokens)
        same = [n for n in mention.nodes if self.graph.label(n) == span]
        capital = span[:1].isupper() and bool(re.search(r"\w", text[:start]))
        named = bool(same) and capital
        score = 0.6 * len(tokens) + 0.6 * content + 0.5 * bool(same) + 0.4 * capital
        if len(tokens) == 1 and not named:
            score -= self._commonness(tokens[0])
            if span.islower() and not same and any(letter.isupper() for letter in text[1:]):
                score = 0.0  # "made" is not the film "Made" where other names are capitalised
        if (content == 0 and not named) or not mention.literal:
            score *= 0.3 * (content > 0)
        return Anchor(start, end, tuple(same or mention.nodes), score, span)

    def _commonness(self, token: Token) -> float:
        """How much a single word that is also a name speaks against its being meant as a name."""
        if not token.content:
            return 9.0
        if len(token.text) >= 4 and token.text.isdigit():
            return 0.0
        if token.stem in self._schema_stems or token.groups & self._schema_groups:
            return 1.5
        return 1.0 if word_rank(token.text.casefold()) < COMMON else 0.0

    def sets(self, text: str) -> Iterator[tuple[Anchor, ...]]:
        """Sets of anchors that do not overlap, the likeliest first; the empty set last.

        Sets of mentions that are surely names come before those with words that may be names.
        """
        chosen: list[Anchor] = []
        for anchor in sorted(self.anchors(text), key=lambda a: (-(a.end - a.start), -a.score)):
            taken = [span for c in chosen for span in ((c.start, c.end), *c.told)]
            if all(anchor.end <= start or end <= anchor.start for start, end in taken):
                chosen.append(anchor)
        chosen = sorted(chosen, key=lambda a: -a.score)[: MOST_ANCHORS + 2]
        sets = [s for size in range(1, MOST_ANCHORS + 1) for s in itertools.combinations(chosen, size)]
        if not chosen and _BRACKETS.search(text):
            return  # what the brackets name is not in the graph
        sure = any(a.score >= SURE for a in chosen)

        def rank(anchors: tuple[Anchor, ...]) -> tuple[bool, float, int]:
            weak = sure and any(a.score < SURE for a in anchors)
            return weak, -sum(a.score for a in anchors), len(anchors)

        for anchor_set in sorted(sets, key=rank)[:MOST_SETS]:
            yield tuple(sorted(anchor_set, key=lambda a: a.start))
        yield ()
