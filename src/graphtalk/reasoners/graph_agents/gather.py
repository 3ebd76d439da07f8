"""Edges from all over a text put together into one graph, and checked against what the text says of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import UsageError
from graphtalk.graphs.adjacency import Ints
from graphtalk.language.nouns import either, singular, words
from graphtalk.language.told.listing import Listing
from graphtalk.reasoners.graph_agents.clauses import ToldEdge
from graphtalk.reasoners.graph_agents.counts import Universe
from graphtalk.reasoners.graph_agents.described import Described, Floats

_UNDIRECTED = re.compile(
    r"\bdirected\W{1,4}(?:false|no)\b|\b(?:un-?directed|no direction|without (?:a )?direction|non-?directed|bi-?directional|two-way|both (?:ways|directions)|either direction|mutual|symmetric)\b",
    re.I,
)
_DIRECTED = re.compile(
    r"(?<![\w-])(?:directed(?!\W{1,4}(?:false|no)\b)|one[- ]way|digraph|di-graph|unidirectional|DAG)\b", re.I
)
_LEADS = re.compile(
    r"\b(?:depend(?:s|encies|ency)?|requires?|prerequisites?|imports?|calls|call|follows?|followers?|cites?|citations?|successors?|fl(?:y|ies|ights) to|hyperlinks?|emails|invokes?)\b",
    re.I,
)
_PAIRED = re.compile(
    r"\b(?:couples?|pairs?|paired|pairings?|match(?:ed|es|ing|ings)?|assign\w*|fill(?:ed)?|staffed)\b", re.I
)
_PARENTS = re.compile(
    r"[(\[]\s*(?:parent|from|boss|manager)\w*\s*,\s*(?:child|to|report|employee)\w*\s*[)\]]\W*$", re.I
)  # "edges (parent, child):"
_THE_WEIGHT = re.compile(rf"\b[Tt]he (?:[a-z]+ )?{either('weights')} (?:from|between)\b")
_MOST_NAMES = 8


def _the_weight(source: str, target: str) -> re.Pattern[str]:
    """Words for the only edge there is between two nodes: "the distance from A to B"."""
    return re.compile(
        rf"{_THE_WEIGHT.pattern} (?:the )?{re.escape(source)} (?:to|and) (?:the )?{re.escape(target)}\b"
    )


@dataclass(frozen=True)
class Gathered:
    """Lists, told edges, lists of node weights, told node weights, embeddings."""

    chunks: tuple[Listing, ...] = ()
    told: tuple[ToldEdge, ...] = ()
    weights: tuple[Listing, ...] = ()
    at_nodes: Mapping[str, float] = field(default_factory=dict)
    vectors: tuple[tuple[str, list[float]], ...] = ()


@dataclass(frozen=True)
class GatheredText:
    """What was gathered, what the text says of the nodes, and its words."""

    gathered: Gathered
    known: Universe
    words: str

    def described(self) -> Described:
        """The graph. Raises UsageError where edges and words contradict each other."""
        if self._kinds:
            return self._story()
        columns = [self._listed(chunk) for chunk in self.gathered.chunks]
        if self.gathered.told:
            columns.append(self._told())
        names = self._names(columns)
        source = self._ends([column[0] for column in columns], names)
        target = self._ends([column[1] for column in columns], names)
        weight = _weights([(column[2], len(column[0])) for column in columns])
        quotes = (
            {place: told.quote for place, told in enumerate(self.gathered.told)}
            if not self.gathered.chunks
            else {}
        )
        self._check_weights(source, target, weight, names)
        directed, certain = self._direction()
        kept = self._without_repeats(source, target, weight, directed)
        self._check_count(len(kept))
        self._check_said_once()
        return Described(
            names,
            source[kept],
            target[kept],
            directed,
            None if weight is None else weight[kept],
            self._node_weights(names),
            self._embeddings(names),
            quotes={place: quotes[old] for place, old in enumerate(kept.tolist()) if old in quotes},
            certain=certain,
            unclear=self._unclear(directed, certain),
            listed=bool(self.known.names) or self.known.count is not None,
        )

    # ends

    def _listed(self, chunk: Listing) -> "tuple[_Ends, _Ends, Sequence[float] | Floats | None]":
        """Its columns; of several with numbers the one that the text names."""
        said = [title for title in chunk.others if re.search(rf"\b{re.escape(title)}\b", self.words, re.I)]
        if len(said) > 1:
            raise UsageError(f"The text names several numbers of edges: {', '.join(said)}. Name one of them.")
        return chunk.source, chunk.target, chunk.others[said[0]] if said else chunk.weight

    def _told(self) -> "tuple[_Ends, _Ends, Sequence[float] | Floats | None]":
        told = self.gathered.told
        turned = [(t.target, t.source) if t.way == "backward" else (t.source, t.target) for t in told]
        weights = [np.nan if t.weight is None else t.weight for t in told]
        return [a for a, _ in turned], [b for _, b in turned], None if np.isnan(weights).all() else weights

    def _names(self, columns: Sequence[tuple["_Ends", "_Ends", object]]) -> tuple[str, ...]:
        known = self.known
        if known.names:
            self._check_known(columns)
            return known.names
        if all(isinstance(end, np.ndarray) for column in columns for end in column[:2]):
            numbers = np.unique(np.concatenate([end for column in columns for end in column[:2]]))
            seen = [str(n) for n in numbers.tolist()]
            others = {str(name) for chunk in self.gathered.chunks for name in chunk.names}.difference(seen)
            if others:
                seen = sorted(
                    [*seen, *others],
                    key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0),
                )
        else:
            ends = (
                name for column in columns for end in zip(column[0], column[1], strict=True) for name in end
            )
            extra = (
                str(name) for chunk in (*self.gathered.chunks, *self.gathered.weights) for name in chunk.names
            )
            weighed = (str(name) for chunk in self.gathered.weights for name in chunk.source)
            seen = list(
                dict.fromkeys(
                    [
                        *map(str, ends),
                        *extra,
                        *weighed,
                        *self.gathered.at_nodes,
                        *(n for n, _ in self.gathered.vectors),
                    ]
                )
            )
            if all(name.isdecimal() for name in seen):
                seen.sort(key=int)
            elif all(len(name) == 1 for name in seen):
                seen.sort()
        return tuple(seen) if known.count is None else self._counted(seen, known.count, columns)

    def _counted(
        self, seen: list[str], count: int, columns: Sequence[tuple["_Ends", "_Ends", object]]
    ) -> tuple[str, ...]:
        """The names where only their number is told: from 0 where that fits, else from 1."""
        quote = self.known.count_quote
        if not all(name.isdecimal() for name in seen):
            if len(seen) > count:
                shown = ", ".join(seen[:_MOST_NAMES])
                raise UsageError(f"The text says {quote!r}, but its edges name {len(seen)}: {shown}.")
            if len(seen) < count:
                raise UsageError(f"The text says {quote!r}, and names {len(seen)} of them.")
            return tuple(seen)
        numbers = [int(name) for name in seen]
        first = 1 if numbers and numbers[-1] == count and numbers[0] > 0 else 0
        if numbers and numbers[-1] >= first + count:
            if len(numbers) == count:
                return tuple(seen)
            where = self._place({str(n) for n in numbers if n >= first + count}, columns)
            raise UsageError(f"The text says {quote!r}, but there is a node {numbers[-1]} in {where}.")
        return tuple(str(n) for n in range(first, first + count))

    def _check_known(self, columns: Sequence[tuple["_Ends", "_Ends", object]]) -> None:
        known = self.known
        if known.count is not None and known.count != len(known.names):
            raise UsageError(
                f"The text contradicts itself: it says {known.count_quote!r}, and {known.names_quote!r}, which are {len(known.names)}."
            )
        names = set(known.names)
        for column in columns:
            for end in column[:2]:
                missing = _missing(end, names)
                if missing:
                    where = self._place({missing}, columns)
                    raise UsageError(
                        f"The edge {where} leads to a node that is not there: {missing!r} is not among the nodes {known.names_quote!r}."
                    )

    def _place(self, names: set[str], columns: Sequence[tuple["_Ends", "_Ends", object]]) -> str:
        """The edge that names one of these nodes, as the text may have it."""
        for t in self.gathered.told:
            if names & {t.source, t.target}:
                return repr(t.quote)
        arrow = "->" if any(chunk.leads for chunk in self.gathered.chunks) else ","
        for source, target, weight in columns:
            for place, (a, b) in enumerate(zip(source, target, strict=True)):
                if names & {str(a), str(b)}:
                    value = f",{weight[place]:g}" if weight is not None else ""  # type: ignore[index]
                    return f"({a}{arrow}{b}{value})"
        return "the text"

    def _ends(self, columns: Sequence["_Ends"], names: tuple[str, ...]) -> Ints:
        consecutive = (
            bool(names)
            and names[0].isdecimal()
            and names[-1].isdecimal()
            and int(names[-1]) - int(names[0]) == len(names) - 1
        )
        parts = []
        position: dict[str, int] = {}
        for column in columns:
            if isinstance(column, np.ndarray) and consecutive:
                parts.append(column - int(names[0]))
                continue
            position = position or {name: place for place, name in enumerate(names)}
            parts.append(np.array([position[str(name)] for name in column], np.int64))
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    # direction and repeats

    def _direction(self) -> tuple[bool, bool]:
        """Whether edges lead one way, and whether the text says so or it is only likely."""
        undirected, directed = _UNDIRECTED.search(self.words), _DIRECTED.search(self.words)
        arrows = [chunk.leads for chunk in self.gathered.chunks if chunk.leads is not None]
        arrows += [True for chunk in self.gathered.chunks if _PARENTS.search(chunk.heading)]
        if undirected and not directed:
            return False, True
        if directed and not undirected:
            return True, True
        if undirected and directed and self.gathered.told and not arrows:
            return False, False  # of some edges one, of others the other
        if arrows:
            return any(arrows), True
        told = self.gathered.told
        if any(t.way != "both" and t.noun not in words("both_ways") for t in told):
            return True, not all(t.way == "both" for t in told)
        one_way = any(chunk.led or _answered(chunk) in (None, False) for chunk in self.gathered.chunks)
        return (True, True) if one_way and _LEADS.search(self.words) else (False, False)

    def _unclear(self, directed: bool, certain: bool) -> bool:
        """Whether only the form hints at a direction, and no word of the text says what edges are."""
        if self.gathered.told and _UNDIRECTED.search(self.words) and _DIRECTED.search(self.words):
            return True
        hinted = any(chunk.led or _answered(chunk) is False for chunk in self.gathered.chunks)
        hinted = hinted or re.search(r"\barcs\b", self.words, re.I) is not None
        if directed or certain or not hinted:
            return False
        return not any(re.search(rf"\b{noun}\b", self.words, re.I) for noun in words("both_ways"))

    def _without_repeats(self, source: Ints, target: Ints, weight: Floats | None, directed: bool) -> Ints:
        """The positions of the edges without those that stand twice, in their order."""
        if not len(source):
            return np.empty(0, np.int64)
        low, high = (source, target) if directed else (np.minimum(source, target), np.maximum(source, target))
        key = low.astype(np.float64) * (int(high.max()) + 1) + high
        table = key if weight is None else np.stack([key, weight], axis=1)
        first = (
            np.unique(table, axis=0, return_index=True)[1]
            if weight is not None
            else np.unique(key, return_index=True)[1]
        )
        return np.sort(first)

    def _check_count(self, count: int) -> None:
        known = self.known
        given = sum(len(chunk.source) for chunk in self.gathered.chunks) + len(self.gathered.told)
        if known.edges is not None and known.edges not in (count, given):
            raise UsageError(f"The text says {known.edges_quote!r}, but {given} edges are listed.")

    def _check_said_once(self) -> None:
        """Raise UsageError where *the* distance, price or time between two nodes is told twice, and not the same."""
        first: dict[tuple[str, str], ToldEdge] = {}
        for t in self.gathered.told if _THE_WEIGHT.search(self.words) else ():
            before = first.setdefault((t.source, t.target), t)
            if before.weight != t.weight and _the_weight(t.source, t.target).search(self.words):
                raise UsageError(f"The text contradicts itself: it says {before.quote!r}, and {t.quote!r}.")

    # values

    def _check_weights(
        self, source: Ints, target: Ints, weight: Floats | None, names: tuple[str, ...]
    ) -> None:
        if weight is None or not np.isnan(weight).any():
            return
        place = int(np.flatnonzero(np.isnan(weight))[0])
        ends = f"{names[source[place]]} and {names[target[place]]}"
        raise UsageError(f"The edge between {ends} has no weight, while other edges have one.")

    def _node_weights(self, names: tuple[str, ...]) -> Floats | None:
        pairs = dict(self.gathered.at_nodes)
        for chunk in self.gathered.weights:
            pairs.update(zip(map(str, chunk.source), map(float, chunk.target), strict=True))
        if not pairs:
            return None
        unknown = [name for name in pairs if name not in names]
        if unknown:
            raise UsageError(f"There is a weight for node {unknown[0]!r}, which is not in the graph.")
        return np.array([pairs.get(name, np.nan) for name in names])

    def _embeddings(self, names: tuple[str, ...]) -> NDArray[np.float64] | None:
        vectors = dict(self.gathered.vectors)
        if not vectors:
            return None
        lacking = [name for name in names if name not in vectors]
        if lacking:
            raise UsageError(f"Node {lacking[0]} has no embedding, while other nodes have one.")
        return np.array([vectors[name] for name in names])

    # stories of two kinds of nodes

    @property
    def _kinds(self) -> bool:
        """Whether edges lead from nodes of one kind to nodes of another: applicants and jobs."""
        told = self.gathered.told
        if self.gathered.chunks or not told:
            return False
        sources, targets = {t.sourced for t in told}, {t.targeted for t in told}
        if sources | targets == {""} and not _PAIRED.search(self.words):
            return False
        apart = {t.source for t in told}.isdisjoint({t.target for t in told})
        return (
            (
                (sources.isdisjoint(targets) or sources | targets == {""})
                and ("" not in sources | targets or apart)
            )
            and (apart or sources != targets)
            and _is_story(told)
        )

    def _story(self) -> Described:
        told = self.gathered.told
        left, right = _most(t.sourced for t in told) or "left", _most(t.targeted for t in told) or "right"
        sides = []
        for kind, named in ((left, [t.source for t in told]), (right, [t.target for t in told])):
            known = next((names for noun, names in self.known.groups if singular(noun) == kind), None)
            if known:
                bad = next((name for name in named if name not in known), None)
                if bad is not None:
                    quote = next(t.quote for t in told if bad in (t.source, t.target))
                    raise UsageError(
                        f"{quote!r} names {kind} {bad}, who is not there: they are {known[0]} to {known[-1]}."
                    )
            sides.append(list(known or _sorted(named)))
        names = tuple(
            f"{kind} {name}" if kind not in ("left", "right") else name
            for kind, side in zip((left, right), sides, strict=True)
            for name in side
        )
        first = {name: place for place, name in enumerate(sides[0])}
        second = {name: place + len(sides[0]) for place, name in enumerate(sides[1])}
        pairs = list(dict.fromkeys((first[t.source], second[t.target]) for t in told))
        kinds = (left,) * len(sides[0]) + (right,) * len(sides[1])
        ends = np.array(pairs, np.int64).reshape(-1, 2)
        return Described(names, ends[:, 0], ends[:, 1], False, kinds=kinds)


def _answered(chunk: Listing) -> bool | None:
    """Whether of two nodes that both list neighbours all both list the other; None where no listed node lists any."""
    if not chunk.mirrored or not len(chunk.source):
        return True
    ends, places = np.unique(np.concatenate([chunk.source, chunk.target]), return_inverse=True)
    source, target = np.split(places, 2)
    lists = np.zeros(len(ends), bool)
    lists[source] = True
    between = lists[target] & (source != target)
    back = (target * len(ends) + source)[between]
    return bool(np.isin(back, source * len(ends) + target).all()) if len(back) else None


_Ends = Sequence[str] | NDArray[np.int64]


def _is_story(told: Sequence[ToldEdge]) -> bool:
    """Whether the two kinds are not both places of one network (a server and a router)."""
    return all(t.way == "forward" and t.weight is None for t in told)


def _most(nouns: Iterable[str]) -> str:
    counts: dict[str, int] = {}
    for noun in nouns:
        counts[noun] = counts.get(noun, 0) + 1
    return max(counts, key=lambda noun: counts[noun])


def _sorted(names: Iterable[str]) -> list[str]:
    found = list(dict.fromkeys(names))
    return sorted(found, key=int) if all(name.isdecimal() for name in found) else found


def _weights(columns: Sequence[tuple[Sequence[float] | Floats | None, int]]) -> Floats | None:
    if all(weight is None for weight, _ in columns):
        return None
    return np.concatenate(
        [
            np.full(count, np.nan) if weight is None else np.asarray(weight, np.float64)
            for weight, count in columns
        ]
    )


def _missing(end: "_Ends", names: set[str]) -> str:
    if isinstance(end, np.ndarray):
        return next((str(n) for n in np.unique(end).tolist() if str(n) not in names), "")
    return next((name for name in end if name not in names), "")


__all__ = ["Gathered", "GatheredText", "either"]
