"""Edges in a row of which one word stands between the ends of each: `LIS to MAD, MAD to CDG`, `mix before knead, knead before bake`."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from graphtalk.language.nouns import NUMBER, either, relations
from graphtalk.language.told.listing import HEADING, Listing, Taken, plain_name, weights_or_none
from graphtalk.language.told.signs import cut

_NAME = r"(?!(?:and|or|from|then|also|the|an?|which|who|that|it|they|each|both|all|every\w*) )(?:\"[^\"\n]{1,40}\"|[a-z][\w.'’-]*(?<![.'’-])(?: [A-Z]\d*(?![\w'’-]))?|(?![a-z])[^\W\d_][\w.'’-]*(?<![.'’-])(?: [A-Z][\w'’-]*){0,2}|\d+)"
_BESIDE = re.compile(r"\s*[,;\n]\s*(?:and\s+)?|\s+and\s+")
_MORE = re.compile(rf"\s*(?:,|,? and|&)\s+(?P<name>{_NAME})\s*(?=[,;.\n]|and\b|$)")
_ONE_SENTENCE = re.compile(r"(?:[^.!?\n]|[.!?](?=\S))*")
_QUESTION = re.compile(r"[^.!\n]*\?")


def take_joined(text: str) -> Taken:
    """The text without such rows, and these.

    The word is `to` or a verb that joins nodes. Some end stands twice; ends in small letters lead on from one to the next.
    """
    found = list(_item().finditer(text))
    rows: list[list[re.Match[str]]] = [[m] for m in found[:1]]
    for before, m in pairwise(found):
        between = text[before.end() : m.start()]
        if _alike(m["joint"], rows[-1][0]["joint"]) and _BESIDE.fullmatch(between):
            rows[-1].append(m)
        else:
            rows.append([m])
    cuts = [row[0].start() for row in rows if _is_cut(row, text)]
    rows = [
        row
        for row in rows
        if _is_row(row)
        and not _QUESTION.match(text, row[-1].end())
        and not any(_ONE_SENTENCE.fullmatch(text, *sorted((at, row[0].start()))) for at in cuts)
    ]
    spans = [(row[0].start(), row[-1].end()) for row in rows]
    return cut(text, spans), [_listing(row, text) for row in rows]


@cache
def _item() -> re.Pattern[str]:
    verbs = [verb for verbs in relations().values() for verb in verbs]
    return re.compile(
        rf"(?<![\w.'’-])(?P<one>{_NAME}) (?:back )?(?P<joint>to|&|{'|'.join(verbs)}) ?(?<= )(?P<other>{_NAME})"
        rf"(?:\s*(?:[(:=,]|is|takes|costs|in|at|of|for|with)?\s*(?:{either('weights')}\s+)?(?P<weight>{NUMBER})\s*[a-zA-Z/%€$]{{0,9}}\)?)?(?=\s*(?:[,;.\n]|and\b|$))"
    )


def _alike(joint: str, before: str) -> bool:
    """Whether a verb says what one before it said: "before" behind "must be done before", "to" behind "connects to"."""
    return joint == before or (before != "to" and joint.split()[-1:] == before.split()[-1:])


def _is_cut(row: Sequence[re.Match[str]], text: str) -> bool:
    """Whether more ends belong to the row's last edge: "x1 links to x2, x2 links to x3 and x4"."""
    more = _MORE.match(text, row[-1].end())
    return more is not None and _item().match(text, more.start("name")) is None


def _is_row(row: Sequence[re.Match[str]]) -> bool:
    sources, targets = [m["one"] for m in row], [m["other"] for m in row]
    plain = all(end.islower() and end.isalpha() and len(end) > 1 for end in (*sources, *targets))
    weighed = {m["weight"] is None for m in row}
    if len(row) < 2 or len(weighed) > 1 or (plain and row[0]["joint"] == "to"):
        return False
    begins = sources[0].islower() and len(sources[0]) > 1
    if begins and not any(end.islower() for end in (*sources[1:], *targets)):
        return False  # "Zoe lent money to Yan, Yan to Xia"
    leads_on = not set(sources).isdisjoint(targets)
    return leads_on or (not plain and len({*sources, *targets}) < 2 * len(row))


def _listing(row: Sequence[re.Match[str]], text: str) -> Listing:
    verbs = relations()
    joint = row[0]["joint"]
    backward, both = (
        any(re.fullmatch(verb, joint) for verb in verbs[way]) for way in ("backward", "both_ways")
    )
    source, target = ([plain_name(m[end]) for m in row] for end in ("one", "other"))
    return Listing(
        target if backward else source,
        source if backward else target,
        weights_or_none([float(m["weight"]) if m["weight"] else None for m in row]),
        None if both or joint in ("to", "&") else True,
        text[max(0, row[0].start() - HEADING) : row[0].start()],
        led=joint == "to",
    )
