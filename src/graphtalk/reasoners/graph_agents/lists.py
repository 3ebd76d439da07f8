"""Edges that stand in brackets, behind colons, with arrows, or in columns: `(0,1,5)`, `0: [1, 2]`, `A -> B`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from graphtalk.language.nouns import ARROW, ID, NUMBER, either, named
from graphtalk.language.told.joined import take_joined
from graphtalk.language.told.listing import HOLE, Listing, Taken
from graphtalk.language.told.signs import (
    cut,
    take_arrows,
    take_brackets,
    take_chains,
    take_lettered,
    take_spaced,
)
from graphtalk.language.told.values import take_values

_LARGE = 20_000  # letters of a list of numbers from which on it is read by numpy

_PLAIN = r"[(\[<]\s*+\d++\s*+(?:,|:|-{1,2}>?|→)\s*+\d++(?:\s*+[,:;]\s*+-?\d++(?:\.\d++)?)?+\s*+[)\]>]"
_PLAIN += r"(?!\s*(?::\s*\d|=\s*\d|(?:with |has |of )?(?:an? )?(?:weight|capacity|cost|length|distance)s?\b (?:of |is |= ?)?\d))"
_PLAIN_RUN = re.compile(rf"{_PLAIN}(?:[\s,;]*+{_PLAIN})*+")
_BEFORE_RUN = re.compile(rf"\b{either('edges')}\b[^\d()\[\]{{}}<>.?!¤]{{0,60}}(?=[(\[<]\s*\d)", re.I)
_PLAIN_PARTS = re.compile(r"(\d+)\s*(,|:|-{1,2}>?|→)\s*(\d+)(?:\s*[,:;]\s*(-?\d+(?:\.\d+)?))?")
_NOT_DIGITS = str.maketrans(dict.fromkeys("()[]<>,:;→\n\t", " "))
_HELD = re.compile(
    rf"(?:(?:node|vertex)\s+)?(?<![\w])({ID})\s*(?::|=|{ARROW})\s*[\[{{(]([^\[\]{{}}()]*)[\]}})]"
)
_ENTRY = re.compile(rf"({ID})\s*(?::\s*({NUMBER}))?")
_NOUN = f"(?i:{either('nodes')})"
_PAIR = rf"(?:[Tt]he |{_NOUN} )??(\w+)(?: (?:to|with|and) (?:the |{_NOUN} )??| ?[-–] ?)(\w+)(?:\s*[:=(]?\s*(?:up to |at most )?({NUMBER})\s*[a-z]*\s*\)?)?"
_NEXT = r"(?:\s*[,;]\s*(?:and\s+)?|\s+and\s+(?=\w+ (?:to|with)\b))"
_PAIRS = re.compile(rf"(?::|[.?!]\s|\n|^)\s*({_PAIR}(?:{_NEXT}{_PAIR})+)(?=\s*(?:[.?!;\n]|$))")
NO_NODES = frozenset(
    "q a graph edges nodes weights vertices question answer list adjacency embeddings input output links".split()
)


def take_long(text: str) -> Taken:
    """The text without a long run of bracketed numbers that it calls edges, and this, if it is the first run.

    A long text is mostly one: what looks through a text in other ways does so much faster without it.
    """
    if len(text) < _LARGE or (before := _BEFORE_RUN.search(text)) is None:
        return text, []
    run = _PLAIN_RUN.match(text, before.end())
    if run is None or len(run[0]) < _LARGE or _PLAIN_RUN.search(text, 0, before.end()):
        return text, []
    if text[run.end() : run.end() + 9].lstrip()[:1] in tuple(")]}>"):  # they stand in one more bracket
        return text, []
    return cut(text, [run.span()]), [_read_run(text, run)]


def take_numbers(text: str, embedded: bool, first: Sequence[Listing] = ()) -> Taken:
    """The text without its adjacency lists in brackets and its pairs of numbers, and these.

    `embedded`: lists behind colons are vectors, and left. `first` are pairs that were taken out before.
    """
    text, held = (text, []) if embedded else take_held(text)
    text, plain = take_plain(text)
    return text, [*held, *first, *plain]


def take_names(text: str) -> Taken:
    """The text without all other lists, and these."""
    chunks: list[Listing] = []
    for step in (
        take_lettered,
        take_values,
        take_brackets,
        take_arrows,
        take_pairs,
        take_spaced,
        take_chains,
        take_joined,
    ):
        text, found = step(text)
        chunks += found
    return text, chunks


def take_held(text: str) -> Taken:
    """Adjacency lists in brackets: `0: [1, 2]`, `A: {B: 5}`."""
    found = named_nodes(_HELD.finditer(text))
    if len(found) < 2 or not all(_ENTRY.search(m[2]) or not m[2].strip() for m in found):
        return text, []
    rows = [(_bare(m[1]), _ENTRY.findall(m[2])) for m in found]
    heading = text[: found[0].start()][-200:]
    if all(re.fullmatch(r"[eE]_?\d+", name) and len(entries) == 2 for name, entries in rows):  # e1 = {a, b}
        pairs = [(_bare(one[0]), [other]) for _, (one, other) in rows]
        return cut(text, [m.span() for m in found]), [replace(_lists(pairs, heading), mirrored=False)]
    return cut(text, [m.span() for m in found]), [_lists(rows, heading)]


def named_nodes(found: Iterable[re.Match[str]]) -> list[re.Match[str]]:
    """The matches whose first group is a node, and no heading; beside other letters A and Q are nodes, and no answer or question."""
    listed = [(m, _bare(m[1]).lower()) for m in found]
    letters = any(len(name) == 1 and name not in NO_NODES for _, name in listed)
    return [m for m, name in listed if name not in NO_NODES or (letters and len(name) == 1)]


def take_plain(text: str) -> Taken:
    """Runs of bracketed pairs or triples of numbers."""
    found = list(_PLAIN_RUN.finditer(text))
    return cut(text, [m.span() for m in found]), [_read_run(text, m) for m in found]


def _read_run(text: str, m: re.Match[str]) -> Listing:
    run, heading = m[0], text[max(0, m.start() - 200) : m.start()]
    return _read_large(run, heading) if len(run) > _LARGE else _read_small(run, heading)


def _read_small(run: str, heading: str) -> Listing:
    rows = _PLAIN_PARTS.findall(run)
    weighed = [row[3] for row in rows]
    return Listing(
        [row[0] for row in rows],
        [row[2] for row in rows],
        [float(w) if w else np.nan for w in weighed] if any(weighed) else None,
        True if any(">" in row[1] or "→" in row[1] for row in rows) else None,
        heading,
        run[0] == "[",
        single=run if len(rows) == 1 else "",
    )


def _read_large(run: str, heading: str) -> Listing:
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
    return Listing(ends[:, 0], ends[:, 1], weight, True if arrows else None, heading, run[0] == "[")


def take_pairs(text: str) -> Taken:
    """Pairs in a row that fill a sentence behind a colon: `s1 with s2, s2 with s3`, `0 to 1: 5, 1 to 2: 4`."""
    found = list(_PAIRS.finditer(text))
    chunks = []
    for m in found:
        rows = [row for part in re.split(_NEXT, m[1]) if (row := re.fullmatch(_PAIR, part))]
        weights = [float(row[3]) if row[3] else np.nan for row in rows]
        weight = weights if not np.isnan(weights).all() else None
        heading = text[max(0, m.start() - 200) : m.start()]
        chunks.append(Listing([row[1] for row in rows], [row[2] for row in rows], weight, None, heading))
    return cut(text, [m.span() for m in found]), chunks


def is_node_weights(chunk: Listing) -> bool:
    """Whether pairs are a node and its weight, by the words before them."""
    if chunk.weight is not None or chunk.leads:
        return False
    nodes, edges, weights = either("nodes"), either("edges"), either("weights")
    value = rf"(?:{weights}|scores?|weighted)"
    said = rf"{value} (?:of|for) (?:all |the |each |every )*{nodes}|{nodes} carry[^.?!\n]*{value}|{nodes}(?:'s?)? (?:and their )?{value}|{nodes} (?:have|has|with|carr\w+)[^.?!\n]*{value}"
    at_nodes = [m.start() for m in re.finditer(rf"\b(?:{said})\b", chunk.heading, re.I)]
    at_edges = [m.start() for m in re.finditer(rf"\b{edges}\b", chunk.heading, re.I)]
    return bool(at_nodes) and at_nodes[-1] > max(at_edges, default=-1)


def _lists(
    rows: Sequence[tuple[str, Sequence[tuple[str, str]]]], heading: str, leads: bool | None = None
) -> Listing:
    source = [name for name, entries in rows for _ in entries]
    target = [_bare(entry[0]) for _, entries in rows for entry in entries]
    weights = [float(entry[1]) if entry[1] else np.nan for _, entries in rows for entry in entries]
    weighed = bool(weights) and not np.isnan(weights).all()
    return Listing(
        source,
        target,
        weights if weighed else None,
        leads,
        heading,
        mirrored=True,
        names=[name for name, _ in rows],
    )


def _bare(name: str) -> str:
    return named(name)[1]


__all__ = ["HOLE", "Listing", "is_node_weights", "take_long", "take_names", "take_numbers"]
