"""Numbers at nodes, told in a row: `Values: a: 5, b: 7`, `the ages are Ann = 34, Bob = 29`."""

import re
from collections.abc import Sequence

from graphtalk.language.nouns import NUMBER, any_of, either, forms, nouns
from graphtalk.language.told.listing import HOLE, Listing, Taken, plain_name
from graphtalk.language.told.signs import cut

_ITEM = re.compile(
    rf"\s*((?:[^\s,;:=]+ ){{0,2}}?[^\s,;:=]+)\s*(?:[:=]|\bis\b|\bhas\b)\s*({NUMBER})(?:\s*[a-z]{{1,8}})?(?![\w.]*\w)\s*"
)
_CUT = re.compile(r"[,;]\s*(?:and\s+)?|\s+and\s+(?=\S+\s*[:=])")
_SAID = re.compile(
    r"\b(values?|weights?|scores?|ages?|points|prices?|salar(?:y|ies)|populations?|ratings?|demands?|numbers|levels?|sizes?|profits?|rewards?|skills?)\b",
    re.I,
)
_EDGES = re.compile(rf"\b(?:{either('edges')}|capacit\w+|lengths?|distances?)\b", re.I)
_NODES = re.compile(rf"\b{either('nodes')}\b", re.I)


def take_values(text: str) -> Taken:
    """The text without its rows of numbers at nodes, and these."""
    found: list[Listing] = []
    spans: list[tuple[int, int]] = []
    start = 0
    for line in text.splitlines(keepends=True):
        if line.count(":") + line.count("=") > 1 and _SAID.search(
            text, max(0, start - 80), start + len(line)
        ):
            taken = _row(line, text[max(0, start - 80) : start])
            if taken is not None:
                begin, end, values = taken
                found.append(Listing([], [], None, None, line[:begin], values=values))
                spans.append((start + begin, start + end))
        start += len(line)
    return cut(text, spans), found


def _row(line: str, before: str) -> tuple[int, int, dict[str, dict[str, float]]] | None:
    cuts = [*_CUT.finditer(line)]
    starts = [0, *(m.end() for m in cuts)]
    ends = [*(m.start() for m in cuts), len(line)]
    best: list[tuple[int, int, str, float]] = []
    run: list[tuple[int, int, str, float]] = []
    for begin, end in zip(starts, ends, strict=True):
        piece = line[begin:end]
        offset = 0
        if not run:  # the words before the row
            head = max(piece.rfind(": "), piece.rfind(" are "), piece.rfind(" is "))
            inner = piece.rfind(": ", 0, max(head, 0))
            offset = (
                (inner + 2)
                if head >= 0 and piece[head] == ":" and inner >= 0
                else head + 5
                if head >= 0 and piece[head] == " " and piece[head + 1 : head + 4] == "are"
                else 0
            )
            if offset == 0 and " " in piece.strip() and not _ITEM.fullmatch(piece):
                offset = len(piece) - len(re.split(r"\s(?=\S+\s*[:=]\s*-?\d)", piece)[-1])
        item = _ITEM.match(piece, offset)
        if item is None:
            best, run = max(best, run, key=len), []
            continue
        run.append((begin + item.start(1), begin + item.end(2), item[1], float(item[2])))
        if item.end() < len(piece.rstrip(" .\n")):
            best, run = max(best, run, key=len), []
    best = max(best, run, key=len)
    if len(best) < 2:
        return None
    lead = re.split(rf"(?<=[.?!])\s|{HOLE}", line[: best[0][0]])[-1]
    said = _SAID.findall(lead) or _SAID.findall(before.split("\n")[-2] if "\n" in before else before)
    nearest = f"{before} {lead}" if not lead.strip() else lead
    edges = [m.start() for m in _EDGES.finditer(nearest)]
    nodes = [m.start() for m in _NODES.finditer(nearest)]
    if not said or (edges and (not nodes or nodes[-1] < edges[-1])):
        return None
    return (
        best[0][0],
        best[-1][1],
        {said[-1].lower(): {plain_name(name): number for _, _, name, number in best}},
    )


_NAMED = re.compile(
    rf"(?:\b(?:V|V\(G\))\s*=\s*|\b(?i:{any_of(forms(noun)[1] for noun in nouns()['nodes'].split())}|(?:node|vertex)(?= (?:set|list|names)))(?: set| list)?(?: names)?\s*(?:=\s*|:\s*|(?<=set)\s+(?=[\[{{]))(?!- )|\b(?i:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve) (?!{either('edges')})[a-z]+:\s*|\bin (?:the|this) order:?(?: of)? |\bwith (?:the )?{either('nodes')} (?=[^\n:]*:\s*\n))"
    r"([\[{(]?)([^\[\]{}()\n:;=>|]{1,2000}?)([\]})]|(?=[.;:]?\s*(?:\n|$))|(?=\.\s))"
)
_NO_NAME = re.compile(r" [a-z]{2,}\b|^[a-z]{2,} |-.*-| .* .* ")
_BETWEEN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")


def _are_edges(names: Sequence[str]) -> bool:
    """Whether what is listed behind the noun of nodes are edges: `huts: Alm-Berg 3 h, Berg-Cima 4 h`."""
    ends = [_SIGN.split(name.split()[0]) for name in names]
    flat = [end for pair in ends for end in pair]
    return all(len(pair) == 2 and all(pair) for pair in ends) and len(set(flat)) < len(flat)


_SIGN = re.compile(r"<?-{1,2}>?|[–→~/&|]")
_HEAD = re.compile(r"[=:]|\bset |\border\b|\bwith ")
_BEFORE, _BEHIND = 100, 5_000  # letters that a list of nodes may begin before such a sign, and end behind it


def _near_heads(text: str) -> list[tuple[int, int]]:
    """The parts of a text where lists of nodes can stand: most of a long one is edges, which need not be looked through."""
    found: list[tuple[int, int]] = []
    for m in _HEAD.finditer(text):
        start, end = max(0, m.start() - _BEFORE), m.end() + _BEHIND
        if found and start <= found[-1][1]:
            start = found.pop()[0]
        found.append((start, end))
    return found


def take_nodes(text: str) -> Taken:
    """The text without its lists of nodes, `Nodes: A, B, C`, `V = {1, 2}`, and these."""
    found: list[Listing] = []
    spans: list[tuple[int, int]] = []
    for m in (m for start, end in _near_heads(text) for m in _NAMED.finditer(text, start, end)):
        parts = _BETWEEN.split(m[2].strip()) if "," in m[2] or " and " in m[2] else m[2].split()
        names = [plain_name(part) for part in parts if part.strip()]
        if len(names) < 2 or len(set(names)) < len(names) or any(_NO_NAME.search(name) for name in names):
            continue
        if _are_edges(names):
            continue
        if (
            not m[1]
            and "," not in m[2]
            and not all(len(name) <= 3 or any(c.isdigit() for c in name) for name in names)
        ):
            continue
        found.append(Listing([], [], None, None, names=names))
        spans.append(m.span())
    return cut(text, spans), found
