"""Edges in a row, of any names: in brackets `(San Marco, db-1, 4)`, with arrows or dashes `a.b -> c: 5`, in pairs `0 1; 1 2`."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from graphtalk.core import UsageError
from graphtalk.core.limits import look
from graphtalk.language.nouns import NUMBER, any_of, either, forms, nouns
from graphtalk.language.told.listing import (
    HEADING,
    HOLE,
    Listing,
    Taken,
    called,
    measure,
    plain_name,
    weights_or_none,
)

_SIGN = r"(?:<-{1,2}>|<=>|(?<!<)-{1,3}>|={1,3}>|→|⟶|⇒|↔|<-{1,2}(?![->])|←|(?<![<-])--(?![->])|—|–|⟷)"
_SPACED = rf"(?:\s*{_SIGN}\s*|\s+-\s+)"
_PLAIN_ARROW = re.compile(rf"\s*(\w+)\s*({_SIGN})\s*(\w+)\s*")
_ANY_SIGN = re.compile(rf"{_SIGN}|(?<=\w) - (?=\w)")
_WEIGHT = (
    rf"\s*(?:[(\[|{{/]\s*(?:[a-zA-Z]+\s*[:=]?\s*(?:of\s+)?)?({NUMBER})\s*[a-zA-Z€$£/%]*\s*[)\]|}}]?|[:=]\s*({NUMBER})\s*[a-zA-Z€$£/%]*"
    rf"|,?\s*(?:with |has |at |of |takes |costs |is )?(?:an? )?(?:{either('weights')})(?!\w)\s*(?:of |is |[:=] ?)?\s*({NUMBER})\s*[a-zA-Z]*"
    rf"|\s+(?:(?:for|at|in|is|takes|costs?|holds|carries|measures|handles|spans|lasts|weighs|allows)\s+(?:about |only |just |up to |at most )?|up to |at most )[€$£]?\s?({NUMBER})\s*[a-zA-Z€$£/%]*)"
)
_TAIL = re.compile(rf"(.+?){_WEIGHT}")
_BRACKET = re.compile(r"[(\[{]([^()\[\]{}\n]{1,120})[)\]}]|(?<![\w-])<([^()\[\]{}<>\n]{1,120})>")
_NODES = re.compile(
    rf"\b{any_of(forms(noun)[1] for noun in nouns()['nodes'].split())} $|\bG ?=? ?$"
)  # G = (V, E), "three routers (R1, R2, R3)"
_COMMAS = re.compile(r"\s*[,|]\s*")
_SIGNS = re.compile(rf"\s*{_SIGN}\s*|\s-\s")
_DASHES = re.compile(r"-|\s*:\s*")
_BEHIND = re.compile(
    rf"\s*(?::|=|,?\s*(?:with |has |of )?(?:an? )?(?:{either('weights')})\b\s*(?:of |is |[:=] ?)?)\s*({NUMBER})(?![\w(])"
)
_CUT = re.compile(
    r"[,;\n]\s*(?:and\s+)?|(?<=[\w)\]\"'])[.?!](?=\s|$)|\s+and\s+(?=\S+(?:\s\S+){0,3}?\s*(?:->|--|→|<->|—|–))"
)
_IN_A_ROW = re.compile(  # "1->2 2->3"
    rf"((?<![^\s,;])[\w.]{{1,60}}{_SIGN}[\w.]+) (?=[\w.]{{1,60}}{_SIGN}\w)"
)
_LEGEND = re.compile(
    rf"[^:\d]*?[a-z]{{3,}}\s*{_SIGN}[^:\d]*?[a-z]{{3,}}\s*:\s+(?=\S+\s*{_SIGN})"
)  # "paper -> cited paper: p1 -> p2"
_COLON = re.compile(r"^.*(?::|\bedges\b|\blinks\b|\barcs\b)\s+", re.S)
_DASH = re.compile(
    rf"([^\W\d_]\w*(?:\.\w+)*|\d+)([-–>~|]|(?<=[^\W\d])/(?=[^\W\d]))([^\W_]\w*(?:\.\w+)*)(?:\s*(?:\(\s*(?:[a-z]+\s*[:=]?\s*)?({NUMBER})\s*[a-zA-Z]*\s*\)|(?:[:=]|\s(?:costs?|takes|is|measures|carries|holds|weighs)\s)\s*[€$£]?({NUMBER})(?:\s?(?:[a-z]{{1,5}}\b|[a-zA-Z]?[€$£]))?|[^\S\n]({NUMBER})(?![-–>~|\w]|\.\d)(?:[^\S\n]*[a-z]{{1,4}}\b)?))?"
)
_OTHER_GRAPH = re.compile(r"\b(?:graph|sub-?graph|pattern|motif|template)\b", re.I)
_PLAIN_WORD = re.compile(r"[a-z]{2,}")
_WORDY = re.compile(r"\b[a-z]{2,}\b")


# brackets


def take_brackets(text: str) -> Taken:
    """Runs of pairs or triples in brackets. Raises UsageError for one among them that is none."""
    runs: list[list[re.Match[str]]] = []
    last = -1
    for m in _BRACKET.finditer(text):
        behind = _BEHIND.match(text, m.end())
        if last >= 0 and (text[last : m.start()].strip(" ,;\n\t") in ("", "and")):
            runs[-1].append(m)
        else:
            runs.append([m])
        last = behind.end() if behind else m.end()
    spans, found = [], []
    for run in runs:
        look()
        parts = [_parts(m[1] or m[2]) for m in run]
        good = sum(part is not None for part in parts)
        if (
            not good
            or (
                len(run) == 1
                and not (_may_stand_alone(parts[0]) and not _NODES.search(text, 0, run[0].start()))
            )
            or 2 * good < len(run)
        ):
            continue
        bad = next((m for m, part in zip(run, parts, strict=True) if part is None), None)
        if bad is not None:
            raise UsageError(f"{bad[0]!r} stands among edges and cannot be read as one.")
        afters = [_BEHIND.match(text, m.end()) for m in run]
        weights = [
            part[3] if part[3] is not None or not after else float(after[1])
            for part, after in zip(parts, afters, strict=True)
            if part
        ]
        told = [part for part in parts if part is not None]
        backward = any(part[2] < 0 for part in told)
        ends = [(b, a) if backward and sign < 0 else (a, b) for a, b, sign, _ in told]
        heading = text[max(0, run[0].start() - HEADING) : run[0].start()]
        leads = True if any(part[2] for part in told) else None
        single = run[0][0] if len(run) == 1 else ""
        found.append(
            Listing(
                [a for a, _ in ends],
                [b for _, b in ends],
                weights_or_none(weights),
                leads,
                heading,
                run[0][0][0] == "[",
                single=single,
            )
        )
        spans.append(
            (run[0].start(), max(run[-1].end(), *(after.end() for after in afters[-1:] if after), 0))
        )
    return cut(text, spans), found


def _parts(inside: str) -> tuple[str, str, int, float | None] | None:
    """Ends of a bracket, which way its sign points (0: no way), and its weight."""
    if "'" in inside or '"' in inside:
        cells = [m[0] for m in re.finditer(r"\"[^\"]*\"|'[^']*'|[^,|:\s][^,|:]*", inside)]
        signs: list[str] = []
    else:
        mark = next((mark for mark in (_COMMAS, _SIGNS, _DASHES) if mark.search(inside)), _COMMAS)
        cells, signs = mark.split(inside), [m[0].strip() for m in mark.finditer(inside)]
        if mark is _COMMAS and len(cells) == 2 and _SIGNS.search(cells[0]):  # a -> b, 4
            cells, signs = [*_SIGNS.split(cells[0]), cells[1]], [_SIGNS.search(cells[0])[0].strip()]  # type: ignore[index]
        elif mark is not _COMMAS and ":" in cells[-1]:  # a -> b: 4
            cells = [*cells[:-1], *cells[-1].split(":")]
    cells = [cell.strip() for cell in cells]
    if len(cells) == 3 and (m := re.fullmatch(rf"[a-zA-Z_]+\s*[:=]?\s*({NUMBER})\s*[a-zA-Z]*", cells[2])):
        cells[2] = m[1]
    if len(cells) not in (2, 3) or not all(cells) or any(cell.count(" ") > 3 for cell in cells):
        return None
    weight = measure(cells[2]) if len(cells) == 3 else None
    if len(cells) == 3 and weight is None:
        return None
    return plain_name(cells[0]), plain_name(cells[1]), _way(signs[0]) if signs else 0, weight


def _way(sign: str) -> int:
    if ("<" in sign and ">" in sign) or sign in ("↔", "⟷"):
        return 0
    return 1 if ">" in sign or sign in ("→", "⟶", "⇒") else -1 if "<" in sign or sign == "←" else 0


def _may_stand_alone(parts: tuple[str, str, int, float | None] | None) -> bool:
    """Whether a bracket that stands alone is an edge, and not a remark such as (yes, no)."""
    return parts is not None and all(
        end[:1].isdigit() or len(end) == 1 or end[:1].isupper() for end in parts[:2]
    )


# arrows and dashes


@dataclass(frozen=True)
class _Item:
    """A piece of text with signs in it: where it stands, its ends, the signs between them, its weight."""

    start: int
    end: int
    ends: tuple[str, ...]
    signs: tuple[str, ...]
    weight: float | None


def take_arrows(text: str) -> Taken:
    """`A -> B`, `A -> B -> C`, `api.core -- db (weight 5)`, and where there are several `0-1`."""
    if not _ANY_SIGN.search(text):
        return take_dashes(text)
    items = list(_items(text))
    if not items:
        return take_dashes(text)
    known = {end for item in items for end in item.ends if _clean(end)}
    items = [_trimmed(item, known) for item in items]
    groups: list[list[_Item]] = [[]]
    for place, item in enumerate(items):
        if place and _OTHER_GRAPH.search(text, items[place - 1].end, item.start):
            groups.append([])
        groups[-1].append(item)
    return cut(text, [(item.start, item.end) for item in items]), [_group(group, text) for group in groups]


def _items(text: str) -> Iterable[_Item]:
    text = _IN_A_ROW.sub(r"\1,", text)
    bounds = [0, *(m.end() for m in _CUT.finditer(text)), len(text)]
    starts = [m.start() for m in _CUT.finditer(text)]
    for place, start in enumerate(bounds[:-1]):
        look()
        end = starts[place] if place < len(starts) else len(text)
        piece = text[start:end]
        if plain := _PLAIN_ARROW.fullmatch(piece):
            yield _Item(start + plain.start(1), start + plain.end(3), (plain[1], plain[3]), (plain[2],), None)
            continue
        if not _ANY_SIGN.search(piece):
            continue
        legend = _LEGEND.match(piece)
        start += legend.end() if legend else 0
        piece = text[start:end]
        head = _COLON.match(piece[: _ANY_SIGN.search(piece).start()])  # type: ignore[union-attr]
        start += head.end() if head else 0
        piece = text[start:end]
        stripped = piece.strip()
        start += len(piece) - len(piece.lstrip())
        tail = _TAIL.fullmatch(stripped)
        weight = next((float(group) for group in tail.groups()[1:] if group), None) if tail else None
        bare = tail[1] if tail and weight is not None and _ANY_SIGN.search(tail[1]) else stripped
        if bare is stripped:
            weight = None
        last = (
            re.fullmatch(rf"(.*\S{_SPACED}\S+)\s+({NUMBER})(?:\s?[a-zA-Z]{{1,4}})?", bare)
            if weight is None
            else None
        )
        if last and _ANY_SIGN.search(last[1]):
            bare, weight = last[1], float(last[2])
        cells = re.split(_SPACED, bare)
        signs = tuple(m[0].strip() for m in re.finditer(_SPACED, bare))
        if not all(cell.strip() for cell in cells):
            raise UsageError(f"{stripped!r} looks like an edge with an end missing.")
        if any(_WORDY.search(cell) and " " in cell for cell in cells[1:-1]):
            between = next(
                m
                for m in re.finditer(
                    r"(?<=\S) (?:[^\s<>—–-]+ )+(?=\S)", stripped[stripped.index(cells[0]) + len(cells[0]) :]
                )
            )
            middle = start + stripped.index(cells[0]) + len(cells[0])
            yield from (_moved(item, start) for item in _items(text[start : middle + between.start()]))
            yield from (
                _moved(item, middle + between.end())
                for item in _items(text[middle + between.end() : start + len(stripped)])
            )
            continue
        yield _Item(start, start + len(stripped), tuple(cells), signs, weight)


def _moved(item: _Item, by: int) -> _Item:
    return _Item(item.start + by, item.end + by, item.ends, item.signs, item.weight)


def _clean(end: str) -> bool:
    """Whether an end is a name by itself, and not a name with words of a sentence around it."""
    return " " not in end or not _WORDY.search(end)


def _trimmed(item: _Item, known: set[str]) -> _Item:
    """An item without words of the sentence before its first end and behind its last."""
    if all(map(str.isalnum, item.ends)):
        return item
    first, *between, last = item.ends
    start, end = item.start, item.end
    if first not in known:
        parts = first.split(" ")
        tails = [" ".join(parts[place:]) for place in range(1, len(parts))]
        kept = next((tail for tail in tails if tail in known), parts[-1])
        start, first = start + len(first) - len(kept), kept
    if last not in known:
        parts = last.split(" ")
        heads = [" ".join(parts[:place]) for place in range(len(parts) - 1, 0, -1)]
        kept = next((head for head in heads if head in known), parts[0].rstrip(":"))
        end, last = end - (len(last) - len(kept)), kept
    return _Item(
        start, end, tuple(plain_name(cell) for cell in (first, *between, last)), item.signs, item.weight
    )


def _group(items: Sequence[_Item], text: str) -> Listing:
    source, target, weight = [], [], []
    ways = set()
    for item in items:
        for place, sign in enumerate(item.signs):
            way = _way(sign)
            ways.add(way != 0)
            a, b = item.ends[place : place + 2]
            source.append(b if way < 0 else a)
            target.append(a if way < 0 else b)
            weight.append(item.weight)
    heading = text[max(0, items[0].start - HEADING) : items[0].start]
    return Listing(
        source,
        target,
        weights_or_none(weight),
        True if True in ways else None,
        heading,
        single="->" if len(source) == 1 else "",
    )


def take_dashes(text: str) -> Taken:
    """`0-1, 1-2`, `a>b; b>c`, `北京-上海 (5)`: several in a row, of names without dashes of which some stand twice."""
    found = [
        m
        for m in _DASH.finditer(text)
        if (m.start() == 0 or not re.match(r"[\w-]", text[m.start() - 1]))
        and text[m.end() : m.end() + 1] not in ("-", "–")
    ]
    near = [text[a.end() : b.start()].strip(" ,;\n.") in ("", "and") for a, b in pairwise(found)]
    if near:
        beside = [before or behind for before, behind in zip([False, *near], [*near, False], strict=True)]
        found = [m for m, listed in zip(found, beside, strict=True) if listed]
    found = [m for m in found if not (_PLAIN_WORD.fullmatch(m[1]) or _PLAIN_WORD.fullmatch(m[3]))]
    ends = [end for m in found for end in (m[1], m[3])]
    if not found or (len(found) < 2 and not re.search(r"\b[Ee]dges?\W{0,4}$", text[: found[0].start()])):
        return text, []
    if (
        len(found) > 1
        and len(set(ends)) == len(ends)
        and not all(end.isdigit() or len(end) < 6 for end in ends)
    ):
        return text, []
    groups: list[list[re.Match[str]]] = [[]]
    for place, m in enumerate(found):
        if place and _OTHER_GRAPH.search(text, found[place - 1].end(), m.start()):
            groups.append([])
        groups[-1].append(m)
    return cut(text, [m.span() for m in found]), [_dashed(group, text) for group in groups]


def _dashed(found: Sequence[re.Match[str]], text: str) -> Listing:
    weight = weights_or_none([float(m[4] or m[5] or m[6]) if m[4] or m[5] or m[6] else None for m in found])
    heading = text[max(0, found[0].start() - HEADING) : found[0].start()]
    leads = True if any(m[2] == ">" for m in found) else None
    return Listing([m[1] for m in found], [m[3] for m in found], weight, leads, heading)


# lines of one edge each

_CELL = r"[^\s,;:|()\[\]{}<>¤→↔⇒⟶⟷←—–=?!\"'-](?:[^,;:|()\[\]{}<>¤→↔⇒⟶⟷←—–=?!\"\n]{0,58}[^\s,;:|()\[\]{}<>¤→↔⇒⟶⟷←—–=?!\".-])?"
_BULLET = (
    r"\s*(?:[-*•+]\s+|\(?\d{1,6}[.)]\s+)?(?:[A-Za-z]+ ?#?[A-Z]*\d+:\s+)?"  # and "Edge 1:", "Flight LH12:"
)
_AMOUNT = rf"(?:\s*[(\[{{]\s*(?:[a-zA-Z]+\s*[:=]?\s*)?(?P<held>{NUMBER})\s*[a-zA-Z€$£/%]*\s*[)\]}}]|\s*[:=,|]\s*[€$£]?(?P<behind>{NUMBER})(?:\s*[a-zA-Z€$£/%]+)?)?\s*[,;.]?\s*"
_LINED = re.compile(
    rf"{_BULLET}(?P<a>\"[^\"\n]{{1,60}}\"|{_CELL})\s*(?P<sign>(?<![<>=-]){_SIGN}(?![<>=-])|(?<=\s)[-/](?=\s))\s*(?P<b>\"[^\"\n]{{1,60}}\"|{_CELL}){_AMOUNT}"
)
_JOINT = r"(?:and|&|with|to|vs\.?)"
_WORD_OF_NAME = rf"(?!{_JOINT}\s)(?:(?!\d)[\w.'’-]*\w|\d+)"
_WORDED = re.compile(
    rf"{_BULLET}(?:(?i:between|from) )?(?P<a>{_WORD_OF_NAME}(?: {_WORD_OF_NAME}){{0,2}})\s+(?P<sign>{_JOINT})\s+(?P<b>{_WORD_OF_NAME}(?: {_WORD_OF_NAME}){{0,2}}){_AMOUNT}"
)
_LAST_NUMBER = re.compile(rf"(.*\S)\s+({NUMBER})")
_MOST_WORDS = 4  # of a name


def signed_lines(lines: Sequence[str], start: int, heading: str) -> tuple[int, Listing | None]:
    """A block of lines each of which is one edge and nothing beside it, so that its names are whole: `- Hut A ↔ Lake View (5)`."""
    found = []
    end = start
    while end < len(lines) and (m := _LINED.fullmatch(lines[end])) is not None:
        found.append(m)
        end += 1
    if len(found) < 2 or (end < len(lines) and _ANY_SIGN.search(lines[end])):
        return end, None
    columns = list(zip(*(m.group("a", "sign", "b", "held", "behind") for m in found), strict=True))
    signs = {sign: _way(sign) for sign in set(columns[1])}
    source, target = ([end.strip() for end in columns[place]] for place in (0, 2))
    if any(end.count(" ") >= _MOST_WORDS for end in (*source, *target)):
        return end, None
    if any(" " in other and set(source).issuperset(other.split()) for other in target):
        return end, None  # "a - b c": lists of neighbours
    weights = [
        float(held or behind) if held or behind else None
        for held, behind in zip(columns[3], columns[4], strict=True)
    ]
    lasts = [_LAST_NUMBER.fullmatch(name) for name in target]
    if weights_or_none(weights) is None and all(lasts) and not any(map(_LAST_NUMBER.fullmatch, source)):
        target, weights = [m[1] for m in lasts if m], [float(m[2]) for m in lasts if m]
    ways = [signs[sign] for sign in columns[1]]
    if -1 in signs.values():
        turned = [(b, a) if way < 0 else (a, b) for a, b, way in zip(source, target, ways, strict=True)]
        source, target = [a for a, _ in turned], [b for _, b in turned]
    names = called(dict.fromkeys((*source, *target)))
    leads = True if set(signs.values()) - {0} else None
    return end, Listing(
        [names[a] for a in source], [names[b] for b in target], weights_or_none(weights), leads, heading
    )


def _says_more(ends: Set[str]) -> bool:
    """Whether an end is another with what is said of it: "Dee is friends" (with Ann) beside "Dee" is a sentence."""
    words = (end.split() for end in ends)
    return any(" ".join(own[:at]) in ends and own[at].islower() for own in words for at in range(1, len(own)))


def worded_lines(lines: Sequence[str], start: int, heading: str) -> tuple[int, Listing | None]:
    """A block of lines of two names each with one word between them, of which some stand twice: `- Maths and Physics`, `Ulm to Aalen: 70`."""
    found = []
    end = start
    while end < len(lines) and (m := _WORDED.fullmatch(lines[end])) is not None:
        found.append(m)
        end += 1
    ends = [m[end] for m in found for end in ("a", "b")]
    joints = {m["sign"] for m in found}
    if len(found) < 2 or len(joints) > 1 or len(set(ends)) == len(ends) or _says_more(set(ends)):
        return end, None
    names = called(dict.fromkeys(ends))
    weights = [float(m["held"] or m["behind"]) if m["held"] or m["behind"] else None for m in found]
    return end, Listing(
        [names[m["a"]] for m in found],
        [names[m["b"]] for m in found],
        weights_or_none(weights),
        None,
        heading,
        led="to" in joints,
    )


# pairs apart by spaces


_PAIRED = re.compile(
    rf"(?:^|(?<=[:.\n]))\s*((?:[^\s,;:.?!]+ [^\s,;:.?!]+(?: {NUMBER})?\s*[;,]\s*)+[^\s,;:.?!]+ [^\s,;:.?!]+(?: {NUMBER})?)(?=\s*(?:[.?!;\n]|$))"
)


def take_spaced(text: str) -> Taken:
    """`0 1, 1 2`, `S1 S2 4; S2 S3 5`: items of two names, or two and a number, that fill a line or sentence."""
    spans, found = [], []
    start = 0
    for line in re.split(r"(\n)", text):
        if line.count(";") >= 1 or line.count(",") >= 1:
            begin = line.rfind(": ", 0, max(line.find(";"), line.find(","))) + 1
            mark = ";" if line.count(";") >= 1 else ","
            stop = re.search(r"[.?!](?=\s|$)", line[begin:])
            body = line[begin : begin + stop.start()] if stop else line[begin:]
            rows = [item.split() for item in body.split(mark) if item.strip()]
            if mark == ";" and all("," in item for item in body.split(mark) if item.strip()):
                rows = [
                    [part.strip() for part in item.split(",")] for item in body.split(mark) if item.strip()
                ]  # "a,b; b,c"
            same = {len(row) for row in rows}
            names = [end for row in rows for end in row[:2]]
            wordy = HOLE in body or any(_PLAIN_WORD.fullmatch(end) and end in _COMMON for end in names)
            if (
                len(rows) > 1
                and same in ({2}, {3})
                and not wordy
                and (same == {2} or all(measure(row[2]) is not None for row in rows))
                and (len(set(names)) < len(names) or all(end.isdigit() for end in names))
            ):
                weight = [measure(row[2]) for row in rows] if same == {3} else [None] * len(rows)
                heading = text[max(0, start + begin - HEADING) : start + begin]
                found.append(
                    Listing(
                        [plain_name(row[0]) for row in rows],
                        [plain_name(row[1]) for row in rows],
                        weights_or_none(weight),
                        None,
                        heading,
                    )
                )
                spans.append((start + begin, start + begin + len(body)))
        start += len(line)
    return cut(text, spans), found


_CHAIN = re.compile(
    r"\b(?:path|cycle|chain|circuit)s?(?: is| are|:)? ((?:\w+-){2,}\w+)(?![\w-])(?=[^?.!\n]*(?:[.!;\n]|$))"
)


def take_chains(text: str) -> Taken:
    """Edges in a chain that a sentence tells: "P5 is the path 1-2-3-4-5"."""
    found = list(_CHAIN.finditer(text))
    return cut(text, [m.span(1) for m in found]), [
        Listing(
            (names := m[1].split("-"))[:-1],
            names[1:],
            None,
            None,
            text[max(0, m.start() - HEADING) : m.start(1)],
        )
        for m in found
    ]


_LETTERS = r"(?:(?!(?i:is|as|in|of|or|to|by|at|on|an|it|if|we)\b)[a-zA-Z]{2}|(?<![\d.])\d{2}(?![\d.]*\d))"
_LETTERED = re.compile(
    rf"\b(?i:edges?|edge set|links|lines|(?:un)?directed|roads|arcs|(?-i:E(?= ?=)))\b(?: are| is| set| with (?:weights|lengths|costs))?\s*[:=]?\s*[{{(\[]?\s*((?:{_LETTERS}(?: {NUMBER})?(?:\s*[,;]\s*(?:and\s+)?|\s+and\s+)){{2,}}{_LETTERS}(?: {NUMBER})?)(?!\w)\s*[}})\]]?"
)
_LETTERED_ROW = re.compile(  # "AB = 7, AC = 3, BC = 1", which are edges where letters stand again
    rf"(?:^|(?<=[\n:{{(]))\s*((?:[A-Z]{{2}}\s*[=:]\s*{NUMBER}\s*[a-z]{{0,4}}\s*[,;\n]\s*(?:and\s+)?){{2,}}[A-Z]{{2}}\s*[=:]\s*{NUMBER})(?![\w.]*\w)"
)
_LETTERED_EDGE = re.compile(rf"\b(?!and\b)([a-zA-Z]|\d)([a-zA-Z]|\d)\b(?:\s*[=:]?\s*({NUMBER}))?")
_OPENED = re.compile(r"(?:\bE ?= ?)?[{(\[]?\s*$")
_DIGITS = re.compile(rf"\b(?:(?i:{either('nodes')})|V)\b[^.\n]{{0,40}}?(?<![\d.])\d(?![\d.]*\d)")


def take_lettered(text: str) -> Taken:
    """Edges of two letters each: "the edges ab, bc and cd", "Roads: ab 3, bc 4", "AB = 7, BC = 1", or digits where nodes are such."""
    found = [
        m
        for m in (*_LETTERED.finditer(text), *_LETTERED_ROW.finditer(text))
        if not m[1][0].isdecimal() or _DIGITS.search(text[: m.start(1)])
    ]
    rows = [_LETTERED_EDGE.findall(m[1]) for m in found]
    again = [len({end for a, b, _ in row for end in (a, b)}) < 2 * len(row) for row in rows]
    kept = sorted(
        ((m, row) for m, row, often in zip(found, rows, again, strict=True) if often),
        key=lambda pair: pair[0].start(),
    )
    spans = [(_OPENED.search(text[: m.start(1)]).start(), m.end()) for m, _ in kept]  # type: ignore[union-attr]
    return cut(text, spans), [_lettered(m, row, text) for m, row in kept]


def _lettered(m: re.Match[str], rows: Sequence[tuple[str, str, str]], text: str) -> Listing:
    weight = weights_or_none([float(value) if value else None for *_, value in rows])
    heading = text[max(0, m.start() - HEADING) : m.start(1)]
    return Listing([a for a, *_ in rows], [b for _, b, _ in rows], weight, None, heading)


_COMMON = frozenset(
    "is are the a an and or to of in on has have with from that this it its not no at by for each".split()
)


def cut(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with a hole for each span; one for several with nothing but a comma, a semicolon or "and" between them."""
    kept: list[str] = []
    last = 0
    for start, end in spans:
        if not kept or text[last:start].strip(" ,;\n\t") not in ("", "and"):
            kept += [text[last:start], f" {HOLE} "]
        last = end
    return "".join([*kept, text[last:]])
