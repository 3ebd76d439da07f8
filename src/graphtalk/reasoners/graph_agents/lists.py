"""Edges that stand in brackets, behind colons, with arrows, or in columns: `(0,1,5)`, `0: [1, 2]`, `A -> B`."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.reasoners.graph_agents.lexicon import ARROW, ID, NUMBER, either, named

HOLE = "¤"  # stands in the rest of a text for a list that was taken out
_LARGE = 20_000  # letters of a list of numbers from which on it is read by numpy

_PLAIN = r"[(\[<]\s*+\d++\s*+(?:,|:|-{1,2}>?|→)\s*+\d++(?:\s*+[,:;]\s*+-?\d++(?:\.\d++)?)?+\s*+[)\]>]"
_PLAIN += r"(?!\s*(?::\s*\d|=\s*\d|(?:with |has |of )?(?:an? )?(?:weight|capacity|cost|length|distance)s?\b (?:of |is |= ?)?\d))"
_PLAIN_RUN = re.compile(rf"{_PLAIN}(?:[\s,;]*+{_PLAIN})*+")
_PLAIN_PARTS = re.compile(r"(\d+)\s*(,|:|-{1,2}>?|→)\s*(\d+)(?:\s*[,:;]\s*(-?\d+(?:\.\d+)?))?")
_NOT_DIGITS = str.maketrans(dict.fromkeys("()[]<>,:;→\n\t", " "))
_ANY = (
    rf"[(\[<{{]\s*(?:[a-z]+\s+)?({ID}|[A-Za-z]\w*)\s*({ARROW}|,|:|-|–|—|\|)\s*(?:[a-z]+\s+)?({ID}|[A-Za-z]\w*)"
    rf"(?:\s*[,:;|]\s*(?:\{{?\s*['\"]?[A-Za-z_]*['\"]?\s*[:=]?\s*)?({NUMBER})\s*[a-zA-Z]*\s*\}}?)?\s*[)\]>}}]"
    rf"(?:\s*(?::|=|(?:with |has |of )?(?:an? )?(?:weight|capacity|cost|length|distance)s?\b (?:of |is |= ?)?)\s*({NUMBER}))?"
)
_ANY_TUPLE = re.compile(_ANY)
_GAP = re.compile(r"[\s,;]*(?:and\s+)?")
_HELD = re.compile(
    rf"(?:(?:node|vertex)\s+)?(?<![\w])({ID})\s*(?::|=|{ARROW})\s*[\[{{(]([^\[\]{{}}()]*)[\]}})]"
)
_ENTRY = re.compile(rf"({ID})\s*(?::\s*({NUMBER}))?")
_LINE = re.compile(
    rf"^[ \t*•-]*(?:[a-z]+[ \t]+)?({ID})[ \t]*(?::|{ARROW})[ \t]*((?:(?:[a-z]+[ \t]+)?{ID}(?:[ \t]*\([^()\n]*\))?)"
    rf"(?:[ \t]*(?:,|;|and)?[ \t]+(?:[a-z]+[ \t]+)?{ID}(?:[ \t]*\([^()\n]*\))?)*)[ \t]*[.;,]?[ \t]*$",
    re.M,
)
_ARROWS = re.compile(
    rf"(?<![\w])({ID})\s*({ARROW}|--|–|—)\s*(?=({ID})(?:\s*(?:\(|\[|:|=|with|,?\s*(?:weight|capacity|cost|length))?"
    rf"\s*(?:(?!(?:from|to|and|or|have|has|contain)\b)[a-z]+ ?){{0,3}}[:=]?\s*({NUMBER})(?!\s*(?:{ARROW}|--|–|—|-\s*\w))\s*[a-z]*[)\]]?)?)"
)
_TAIL = re.compile(
    rf"({ID})(?:\s*(?:\(|\[|:|=|with|,?\s*(?:weight|capacity|cost|length))\s*[a-z ]*[:=]?\s*({NUMBER})\s*[a-z]*[)\]]?)?"
)
_OTHER_GRAPH = re.compile(r"\b(?:graph|sub-?graph|pattern|motif|template)\b", re.I)
_DASHES = re.compile(
    r"(?<![\w-])(\d+|[A-Za-z]\d*)-(\d+|[A-Za-z]\d*)(?![\w-])(?:\s*(?:[(:=]\s*|,?\s*with (?:an? )?)(?:[a-z]+ (?:of )?)?[:=]?\s*([\d.]*\d)\s*[a-z]*\)?|\s+(\d+(?:\.\d+)?)(?=\s*(?:[,;\n]|and\b|\.(?!\d)|$)))?"
)
_NOUN = f"(?i:{either('nodes')})"
_PAIR = rf"(?:[Tt]he |{_NOUN} )??(\w+)(?: (?:to|with|and) (?:the |{_NOUN} )??| ?[-–] ?)(\w+)(?:\s*[:=(]?\s*(?:up to |at most )?({NUMBER})\s*[a-z]*\s*\)?)?"
_NEXT = r"(?:\s*[,;]\s*(?:and\s+)?|\s+and\s+(?=\w+ (?:to|with)\b))"
_PAIRS = re.compile(rf"(?::|[.?!]\s|\n|^)\s*({_PAIR}(?:{_NEXT}{_PAIR})+)(?=\s*(?:[.?!;\n]|$))")
_ROWED = re.compile(rf"(?:{ID}\s*:\s*{ID}(?:(?:\s*,)?\s+{ID})*\s*;\s*)+{ID}\s*:\s*{ID}(?:(?:\s*,)?\s+{ID})*")
_EDGES = re.compile(r"\b[Ee]dges?\W{0,4}$")
_COLUMNS = re.compile(r"(?:^[ \t]*\d+[ \t,]+\d+(?:[ \t,]+-?\d+(?:\.\d+)?)?[ \t]*$\n?){2,}", re.M)
_WEIGHED = re.compile(
    rf"{ID}\s*[:=]\s*{NUMBER}(?:\s*[,;]\s*(?:and\s+)?(?:[a-z]+\s+)?{ID}\s*[:=]\s*{NUMBER})+"
)
_ROW = re.compile(
    r"(?<![\w,] )\b\d+ \d+(?: -?\d+(?:\.\d+)?)?(?:\s*[,;]\s*\d+ \d+(?: -?\d+(?:\.\d+)?)?)+(?!\w)"
)
NO_NODES = frozenset(
    "q a graph edges nodes weights vertices question answer list adjacency embeddings input output links".split()
)

Ends: TypeAlias = Sequence[str] | NDArray[np.int64]


@dataclass(frozen=True)
class Chunk:
    """Edges that stand together. `heading` is the text before them.

    `leads` says whether an arrow showed their direction (None: nothing did); `mirrored` whether both ends of an
    edge may tell of it, as in adjacency lists.
    """

    source: Ends
    target: Ends
    weight: Sequence[float] | NDArray[np.float64] | None
    leads: bool | None
    heading: str = ""
    square: bool = False
    mirrored: bool = False
    single: str = ""
    names: Sequence[str] = ()


Taken: TypeAlias = tuple[str, list[Chunk]]


def take_numbers(text: str, embedded: bool) -> Taken:
    """The text without its adjacency lists in brackets and its pairs of numbers, and these.

    `embedded`: lists behind colons are vectors, and left.
    """
    return _in_turn(text, [take_plain] if embedded else [take_held, take_plain])


def take_names(text: str) -> Taken:
    """The text without all other lists, and these."""
    return _in_turn(text, [take_weights, take_tuples, take_lines, take_arrows, take_pairs, take_columns])


def _in_turn(text: str, steps: Sequence[Callable[[str], Taken]]) -> Taken:
    chunks: list[Chunk] = []
    for step in steps:
        text, found = step(text)
        chunks += found
    return text, chunks


def take_held(text: str) -> Taken:
    """Adjacency lists in brackets: `0: [1, 2]`, `A: {B: 5}`."""
    found = [m for m in _HELD.finditer(text) if _bare(m[1]).lower() not in NO_NODES]
    if len(found) < 2 or not all(_ENTRY.search(m[2]) or not m[2].strip() for m in found):
        return text, []
    rows = [(_bare(m[1]), _ENTRY.findall(m[2])) for m in found]
    return _cut(text, found), [_lists(rows, text[: found[0].start()][-200:])]


def take_plain(text: str) -> Taken:
    """Runs of bracketed pairs or triples of numbers."""
    found, chunks = [], []
    for m in _PLAIN_RUN.finditer(text):
        run, heading = m[0], text[max(0, m.start() - 200) : m.start()]
        chunk = _read_large(run, heading) if len(run) > _LARGE else _read_small(run, heading)
        found.append(m)
        chunks.append(chunk)
    return _cut(text, found), chunks


def _read_small(run: str, heading: str) -> Chunk:
    rows = _PLAIN_PARTS.findall(run)
    weighed = [row[3] for row in rows]
    return Chunk(
        [row[0] for row in rows],
        [row[2] for row in rows],
        [float(w) if w else np.nan for w in weighed] if any(weighed) else None,
        True if any(">" in row[1] or "→" in row[1] for row in rows) else None,
        heading,
        run[0] == "[",
        single=run if len(rows) == 1 else "",
    )


def _read_large(run: str, heading: str) -> Chunk:
    """The same by numpy, where all have one form; a list of a million edges is read in a second."""
    arrows = "->" in run[:100] or "→" in run[:100]
    count = run.count(run[0])
    bare = run.replace("->", " ").replace("--", " ") if "-" in run else run
    values = np.array(bare.translate(_NOT_DIGITS).split(), dtype=np.float64)
    width = len(values) // count if count and len(values) % count == 0 else 0
    if width not in (2, 3):
        return _read_small(run, heading)
    table = values.reshape(-1, width)
    ends = table[:, :2].astype(np.int64)
    weight = table[:, 2] if width == 3 else None
    return Chunk(ends[:, 0], ends[:, 1], weight, True if arrows else None, heading, run[0] == "[")


def take_tuples(text: str) -> Taken:
    """Runs of bracketed pairs or triples of any names, their values bare or named: `(a->b)`, `(0, 1, {'w': 4})`."""
    runs: list[list[re.Match[str]]] = []
    for m in _ANY_TUPLE.finditer(text):
        if runs and _GAP.fullmatch(text, runs[-1][-1].end(), m.start()):
            runs[-1].append(m)
        else:
            runs.append([m])
    kept = [run for run in runs if len(run) > 1 or _is_pair(run[0])]
    chunks = [_tuples(run, text[max(0, run[0].start() - 200) : run[0].start()]) for run in kept]
    return _cut(text, [_Span(run[0].start(), run[-1].end()) for run in kept]), chunks


def _is_pair(m: re.Match[str]) -> bool:
    """Whether a bracket that stands alone is an edge, and not a remark such as (yes, no)."""
    return all(
        end[0].isdigit() or end[0] in "'\"" or len(end) == 1 or end[0].isupper() for end in (m[1], m[3])
    )


def _tuples(run: list[re.Match[str]], heading: str) -> Chunk:
    weighed = [m[4] or m[5] for m in run]
    return Chunk(
        [_bare(m[1]) for m in run],
        [_bare(m[3]) for m in run],
        [float(w) if w else np.nan for w in weighed] if any(weighed) else None,
        True if any(_leads(m[2]) for m in run) else None,
        heading,
        run[0][0][0] == "[",
        single=run[0][0] if len(run) == 1 else "",
    )


def take_lines(text: str) -> Taken:
    """Adjacency lists in lines: `0: 1, 2`, `A -> B, C`, with weights in brackets behind a neighbour.

    Such in a row, `0: 1, 2; 1: 0`, are put in lines first.
    """
    text = _ROWED.sub(lambda m: "\n" + re.sub(r"\s*;\s*", "\n", m[0]) + "\n", text)
    found = [m for m in _LINE.finditer(text) if _bare(m[1]).lower() not in NO_NODES and len(m[2]) < 100_000]
    if len(found) < 2:
        return text, []
    rows = []
    for m in found:
        entries = re.findall(rf"({ID})(?:\s*\([^()\d]*({NUMBER})?[^()]*\))?", m[2])
        rows.append((_bare(m[1]), entries))
    leads = True if any(_leads(m[0]) for m in found) else None
    return _cut(text, found), [_lists(rows, text[: found[0].start()][-200:], leads)]


def take_arrows(text: str) -> Taken:
    """`A -> B`, `A -> B -> C`, `0 -- 1 (weight 5)`, and where there are several `0-1`."""
    found = [(m, _TAIL.match(text, m.end())) for m in _ARROWS.finditer(text)]
    arrows = [(m, tail) for m, tail in found if tail and not (len(m[1]) > 1 and m[1].islower())]
    if not arrows:
        return _take_dashes(text)
    groups: list[list[tuple[re.Match[str], re.Match[str]]]] = [[]]
    for place, (m, tail) in enumerate(arrows):
        if place and _OTHER_GRAPH.search(text, arrows[place - 1][1].end(), m.start()):
            groups.append([])
        groups[-1].append((m, tail))
    spans = []
    for m, tail in arrows:
        chained = _ARROWS.match(text, m.end())
        spans.append(_Span(m.start(), m.end() if chained else tail.end() if m[4] else m.end() + len(m[3])))
    return _cut(text, spans), [_arrowed(group, text) for group in groups]


def _arrowed(group: list[tuple[re.Match[str], re.Match[str]]], text: str) -> Chunk:
    found = [m for m, _ in group]
    weights = [float(m[4]) if m[4] else np.nan for m in found]
    return Chunk(
        [_bare(m[1]) for m in found],
        [_bare(m[3]) for m in found],
        weights if not np.isnan(weights).all() else None,
        True if any(_leads(m[2]) for m in found) else None,
        text[max(0, found[0].start() - 200) : found[0].start()],
        single="->" if len(found) == 1 else "",
    )


def take_pairs(text: str) -> Taken:
    """Pairs in a row that fill a sentence behind a colon: `s1 with s2, s2 with s3`, `0 to 1: 5, 1 to 2: 4`."""
    found = list(_PAIRS.finditer(text))
    chunks = []
    for m in found:
        rows = [row for part in re.split(_NEXT, m[1]) if (row := re.fullmatch(_PAIR, part))]
        weights = [float(row[3]) if row[3] else np.nan for row in rows]
        weight = weights if not np.isnan(weights).all() else None
        heading = text[max(0, m.start() - 200) : m.start()]
        chunks.append(Chunk([row[1] for row in rows], [row[2] for row in rows], weight, None, heading))
    return _cut(text, found), chunks


def _take_dashes(text: str) -> Taken:
    found = [m for m in _DASHES.finditer(text) if len(m[1]) < 6 and not (m[1].islower() and len(m[1]) > 2)]
    if not found or (len(found) < 2 and not _EDGES.search(text[: found[0].start()])):
        return text, []
    weights = [float(m[3] or m[4] or np.nan) for m in found]
    heading = text[max(0, found[0].start() - 200) : found[0].start()]
    weight = weights if not np.isnan(weights).all() else None
    return _cut(text, found), [Chunk([m[1] for m in found], [m[2] for m in found], weight, None, heading)]


def take_weights(text: str) -> Taken:
    """Weights of nodes behind colons: `0: 3, 1: 5`, where the words before say that they are."""
    found = []
    chunks = []
    for m in _WEIGHED.finditer(text):
        pairs = re.findall(rf"({ID})\s*[:=]\s*({NUMBER})", m[0])
        heading = text[max(0, m.start() - 200) : m.start()]
        chunk = Chunk([_bare(name) for name, _ in pairs], [value for _, value in pairs], None, None, heading)
        if is_node_weights(chunk):
            found.append(m)
            chunks.append(chunk)
    return _cut(text, found), chunks


def take_columns(text: str) -> Taken:
    """Lines of two or three numbers, or such in a row: `0 1, 1 2`."""
    found = [*_COLUMNS.finditer(text)] or [*_ROW.finditer(text)]
    chunks = []
    for m in found:
        lines = m[0].splitlines() if "\n" in m[0].strip() else re.split(r"[,;]", m[0])
        rows = [line.replace(",", " ").split() for line in lines if line.strip()]
        weighed = all(len(row) == 3 for row in rows)
        chunks.append(
            Chunk(
                [row[0] for row in rows],
                [row[1] for row in rows],
                [float(row[2]) for row in rows] if weighed else None,
                None,
                text[max(0, m.start() - 200) : m.start()],
            )
        )
    return _cut(text, found), chunks


def is_node_weights(chunk: Chunk) -> bool:
    """Whether pairs are a node and its weight, by the words before them."""
    if chunk.weight is not None or chunk.leads:
        return False
    nodes, edges, weights = either("nodes"), either("edges"), either("weights")
    value = rf"(?:{weights}|scores?|weighted)"
    said = rf"{value} (?:of|for) (?:all |the |each |every )*{nodes}|{nodes} carry[^.]*{value}|{nodes}(?:'s?)? (?:and their )?{value}|{nodes} (?:have|has|with|carr\w+)[^.]*{value}"
    at_nodes = [m.start() for m in re.finditer(rf"\b(?:{said})\b", chunk.heading, re.I)]
    at_edges = [m.start() for m in re.finditer(rf"\b{edges}\b", chunk.heading, re.I)]
    return bool(at_nodes) and at_nodes[-1] > max(at_edges, default=-1)


@dataclass(frozen=True)
class _Span:
    begin: int
    stop: int

    def start(self) -> int:
        return self.begin

    def end(self) -> int:
        return self.stop


def _cut(text: str, found: Sequence[re.Match[str] | _Span]) -> str:
    """The text with a hole for everything that was found."""
    if not found:
        return text
    return "".join(_pieces(text, found))


def _pieces(text: str, found: Sequence[re.Match[str] | _Span]) -> Iterator[str]:
    last = 0
    for m in found:
        yield text[last : m.start()]
        yield f" {HOLE} "
        last = m.end()
    yield text[last:]


def _lists(
    rows: Sequence[tuple[str, Sequence[tuple[str, str]]]], heading: str, leads: bool | None = None
) -> Chunk:
    source = [name for name, entries in rows for _ in entries]
    target = [_bare(entry[0]) for _, entries in rows for entry in entries]
    weights = [float(entry[1]) if entry[1] else np.nan for _, entries in rows for entry in entries]
    weighed = bool(weights) and not np.isnan(weights).all()
    return Chunk(
        source,
        target,
        weights if weighed else None,
        leads,
        heading,
        mirrored=True,
        names=[name for name, _ in rows],
    )


def _leads(sign: str) -> bool:
    return (">" in sign or "→" in sign or "⇒" in sign) and "<" not in sign and "↔" not in sign


def _bare(name: str) -> str:
    return named(name)[1]


__all__ = ["HOLE", "Chunk", "is_node_weights", "take_names", "take_numbers"]
