"""Graphs that stand in lines: tables, columns apart by commas, tabs or spaces, matrices, adjacency lists."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from graphtalk.core import UsageError
from graphtalk.language.nouns import relations, singular, words
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
from graphtalk.language.told.records import ENDS, LEADING, matrix
from graphtalk.language.told.signs import signed_lines, worded_lines
from graphtalk.language.units import units_of

_BORDER = re.compile(r"[\s|+:=─-]*(?:-{2,}|={2,}|─)[\s|+:=─-]*")
_ENDED = (".", "?", "!", ":")
_WORDS = 3  # spaces in a name at the most
_LETTERS = 60
_FIRSTS = frozenset({name for pair in ENDS for name in pair} | {"node", "name", "id", "vertex", "edge", "city", "person", "page", "paper"})  # fmt: skip
_NO_KEYS = (
    words("edges")
    | words("weights")
    | {
        "graph",
        "network",
        "directed",
        "undirected",
        "weighted",
        "unweighted",
        "friends",
        "neighbours",
        "neighbors",
        "nodes",
        "vertices",
        "question",
        "answer",
        "note",
        "list",
        "adjacency",
        "input",
        "output",
        "embeddings",
    }
)
_HELD = re.compile(r"[\[({][^\[\](){}]*[\])}]")
_NONE = frozenset({"", "-", "none", "(none)", "[]", "{}", "∅", "nothing", "no one", "nobody", "—", "–"})
_ENTRY = re.compile(r"(.+?)\s*[(\[:=]\s*(?:[a-zA-Z]+\s*[:=]?\s*)?(-?\d+(?:\.\d+)?)\s*[a-zA-Z]*\s*[)\]]?")
_SIGN = re.compile(r"<?-+>|=>|→|↔|(?<!\S)(?:--?|—|–)(?!\S)")
_SAID = re.compile(r"[:()?]")
_LAST_KEY = re.compile(r"(\S+)\s*:\s*[^:]*$")
_NEIGHBOURS = re.compile(
    r"neighbo|adjacent|connected|connections|friends|links? to|linked|successors|edges to|leads to"
)
_OF_WHOM = re.compile(  # "Ann's friends: Bob, Cid", "Neighbours of A: B"
    r"^(?:neighbou?rs|friends|contacts|connections) of |(?<=\w)['’]s? (?:neighbou?rs|friends|contacts|connections)$|^connected to ",
    re.I,
)
_BULLET = re.compile(r"\s*(?:[-*•]\s+)?")
_KEYED = re.compile(r"([^:\n]{1,60}?)\s*(:|<?-+>|→|=>|(?<=\s)(?:--|[-–—]))(?:\s+|$)(.*)")
_DASHES = ("-", "–", "—", "--")
_EMBEDDED = re.compile(r"\b(?:embeddings?|vectors?|features|representations?)\b", re.I)
_VECTOR = re.compile(r"[:=]\s*[\[(]\s*-?\d")
_LOOKED = 200_000  # letters in which vectors are looked for
_VALUES = re.compile(r"\b(?:values?|weights?|scores?|costs?|ages?|numbers?|points|prices?)\b", re.I)


# A line with a bracket and without any sign of tables, keys and ways begins none of the blocks below.
_FLOW = re.compile(r"\s*- \[([^\[\]{}\"'#&*!|>%@`:?]+)\]\s*")
_NO_ROW = re.compile(r"[^|+:=<>→↔—–─(-]*\([^|+:=<>→↔—–─-]*")


def take_rows(text: str) -> Taken:
    """The text without its blocks of lines, and these. Raises UsageError for a row that does not fit its block."""
    if "\n" not in text and ";" not in text:
        return text, []
    lines = [part for line in text.split("\n") for part in _in_lines(line)]
    kept: list[str] = []
    found: list[Listing] = []
    place = 0
    vectors = bool(_EMBEDDED.search(text[:_LOOKED]))
    refused: dict[_Reader, int] = {}
    tried: Counter[tuple[_Reader, int]] = Counter()
    while place < len(lines):
        if _NO_ROW.fullmatch(lines[place]):
            kept.append(lines[place])
            place += 1
            continue
        if vectors and _VECTOR.search(lines[place]):
            kept.append(lines[place])
            place += 1
            continue
        for read, sign in _READERS:
            if not sign.search(lines[place]) or place < refused.get(read, 0):
                continue
            end, listing = read(lines, place, "\n".join(kept[-4:])[-HEADING:])
            if listing is not None:
                found.append(listing)
                kept.append(HOLE)
                place = end
                break
            if end > place + 1:  # a heading may stand before the lines that fit, but not many
                tried[read, end] += 1
                if tried[read, end] == _HEADINGS:
                    refused[read] = end
        else:
            kept.append(lines[place])
            place += 1
    return "\n".join(kept), found


def _in_lines(line: str) -> list[str]:
    """The lines of adjacency lists that stand in one line: `0: 1, 2; 1: 0` and what stands around them."""
    if line.count(";") < 1 or line.count(":") < 2:
        return [line]
    parts = line.split(";")
    if not all(":" in part for part in parts):
        return [line]
    head = _LAST_KEY.search(parts[0])
    keys = {part.partition(":")[0].strip() for part in parts[1:]}
    if head is None or len(keys) < len(parts) - 1:
        return [line]
    keys.add(head[1])
    last = re.fullmatch(r"(\s*[^:]+:\s*)(.*)", parts[-1])
    end = 0
    for token in re.finditer(r"[^\s,]+", last[2] if last else ""):
        if token[0].rstrip(".?!") not in keys:
            break
        end = token.start() + len(token[0].rstrip(".?!"))
    if last is None or any(
        name not in keys for part in parts[:-1] for name, _ in entries_of(part.rpartition(":")[2])
    ):
        return [line]
    return [
        parts[0][: head.start()],
        parts[0][head.start() :],
        *parts[1:-1],
        last[1] + last[2][:end],
        last[2][end:],
    ]


Block: TypeAlias = tuple[int, Listing | None]  # the line behind what was looked at, and its edges
_Reader: TypeAlias = Callable[[Sequence[str], int, str], Block]
_HEADINGS = 4  # lines before a block that may look like its own


def _run(lines: Sequence[str], start: int, fits: Callable[[str], bool]) -> int:
    end = start
    while end < len(lines) and fits(lines[end]):
        end += 1
    return end


# YAML

_SAYS_WAY = re.compile(r"directed:\s*(?:true|false|yes|no)", re.I)


def _yaml(lines: Sequence[str], start: int, heading: str) -> Block:
    if start + 1 < len(lines) and _SAYS_WAY.fullmatch(lines[start].strip()):
        end, listing = _yaml(lines, start + 1, heading)
        return end, yaml_of("\n".join(lines[start:end]), heading) if listing is not None else None
    first = lines[start].rstrip()
    opens = (
        first.endswith(":") and start + 1 < len(lines) and lines[start + 1].lstrip()[:2] in ("- ", "-")
    ) or (
        first.endswith(":")
        and start + 1 < len(lines)
        and lines[start + 1][:1] in (" ", "\t")
        and bool(lines[start + 1].strip())
    )
    inline = bool(re.fullmatch(r"[\w\"'. -]{1,40}:\s*(?:\[.*\]|\{.*\})", first))
    record = bool(re.match(r"\s*- +(?:[\w\"']+:\s|\[|\{)", first))
    if not (opens or inline or record) or (first[:1] in (" ", "\t") and not record):
        return start, None
    if opens and len(first.split()) > _WORDS + 1:
        return start, None
    end = _run(lines, start, lambda line: bool(line.strip()) and _is_yaml(line))
    if end - start < 2:
        return end, None
    listing = yaml_of("\n".join(lines[start:end]), heading)
    return end, listing


def yaml_of(text: str, heading: str) -> Listing | None:
    """The graph that a text in YAML holds; None where it is none. Names stay as they are written: `no` is no truth."""
    import yaml

    from graphtalk.language.told.records import graph_of

    data = _in_flow(text)
    if data is None:
        try:
            data = yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))
        except yaml.YAMLError:
            return None
    return graph_of(_without_root(data), heading)


def _without_root(data: Any) -> Any:
    """What a root holds that only names the whole; entries in one string as lists."""
    while isinstance(data, dict) and len(data) == 1 and isinstance(held := next(iter(data.values())), dict):
        data = held
    if isinstance(data, dict) and len(data) > 1 and all(isinstance(v, str) for v in data.values()):
        return {key: [name for name, _ in entries_of(v)] for key, v in data.items()}
    return data


def _in_flow(text: str) -> dict[str, list[list[str]]] | None:
    """A key and a list of lists of plain words, a line each (`- [a, b]`), as the parser reads it, in a tenth of its time."""
    head, *lines = text.split("\n")
    rows = [_FLOW.fullmatch(line) for line in lines]
    if not head.endswith(":") or not all(rows):
        return None
    return {head[:-1].strip(): [[cell.strip() for cell in row[1].split(",")] for row in rows if row]}


def _is_yaml(line: str) -> bool:
    bare = line.strip()
    if bare == HOLE or bare[-1:] in ("?", "!") or (bare.count(" ") > 12 and bare[-1:] not in "]}"):
        return False
    return (
        (
            line[:1] in (" ", "\t")
            and bare[-1:] not in (".", "?", "!")
            and (":" in bare or bare.count(" ") <= _WORDS)
        )
        or bare.startswith("- ")
        or (bool(re.match(r"[^:\s][^:]{0,40}:(?:\s|$)", line)) and not bare.endswith("."))
    )


# tables


def _table(lines: Sequence[str], start: int, heading: str) -> Block:
    end = _run(lines, start, lambda line: "|" in line or ("+" in line and bool(_BORDER.fullmatch(line))))
    rows = [_cells(line) for line in lines[start:end] if not _BORDER.fullmatch(line)]
    if end - start < 2 or len(rows) < 2 or any(len(row) < 2 for row in rows):
        return end, None
    drawn = len(rows) < end - start  # the line between a heading and its rows
    below = {cell for row in rows[1:] for cell in row}
    return end, _listed(rows, heading, framed=drawn or not rows[0][0] or below.isdisjoint(rows[0]))


def _cells(line: str) -> list[str]:
    parts = line.strip().split("|")
    if parts and not parts[0].strip():
        parts = parts[1:]
    if parts and not parts[-1].strip():
        parts = parts[:-1]
    return [part.strip().strip("`").replace("**", "").strip() for part in parts]


# columns


def _delimited(lines: Sequence[str], start: int, heading: str) -> Block:
    line = lines[start]
    for mark in ("\t", ",", ";"):
        count = line.count(mark)
        if not count or not _data(line, mark):
            continue
        end = _run(lines, start, lambda other: other.count(mark) == count and _data(other, mark))  # noqa: B023
        if (
            end - start < 2
            and end < len(lines)
            and lines[end].count(mark) > count
            and _data(lines[end], mark)
        ):
            return start, None  # a heading; the rows are behind it
        if (
            end < len(lines)
            and mark in lines[end]
            and end - start >= 2
            and _data(lines[end], mark)
            and _short(lines[end])
        ):
            raise UsageError(f"The line {lines[end]!r} has not as many parts as those before it.")
        if (
            end < len(lines) - 1
            and end - start >= 2
            and mark not in lines[end]
            and lines[end].strip()
            and lines[end + 1].count(mark) == count
        ):
            raise UsageError(f"The line {lines[end]!r} has not as many parts as those before it.")
        if end - start < 2:
            continue
        rows = [
            [cell.strip() for cell in row]
            for row in csv.reader(lines[start:end], delimiter=mark, skipinitialspace=True)
        ]
        return end, _listed(rows, heading)
    return start, None


def _data(line: str, mark: str) -> bool:
    """Whether a line is data rather than a sentence."""
    bare = line.rstrip()
    if (
        bare[-1:] in _ENDED
        or ": " in bare
        or "->" in bare
        or "--" in bare
        or "(" in bare
        or bare.startswith("- [")
    ):
        return False
    return (
        bare.count(" ") <= (_WORDS + 1) * (bare.count(mark) + 1)
        and max(map(len, bare.split(mark))) <= _LETTERS
    )


def _short(line: str) -> bool:
    return len(line) <= _LETTERS and line.count(" ") <= _WORDS + 1


def _columns(lines: Sequence[str], start: int, heading: str) -> Block:
    """Columns apart by spaces: two or three, or as many as there are rows of a matrix."""
    width = len(_tokens(lines[start]))
    if (
        width < 2
        or _SIGN.search(lines[start])
        or _SAID.search(lines[start])
        or lines[start].rstrip()[-1:] in _ENDED
    ):
        return start, None
    end = start + 1
    if (
        end < len(lines)
        and len(_tokens(lines[end])) == width + 1
        and width > 2 - bool("matrix" in heading.lower())
    ):
        width += 1  # the names above a matrix
    if end == len(lines) or (width > 3 and any(_zero(cell) is None for cell in _tokens(lines[end])[1:])):
        return start, None
    end = _run(lines, end, lambda line: len(_tokens(line)) == width and line.rstrip()[-1:] not in _ENDED)
    if end - start < 2:
        return end, None
    rows = [_tokens(line) for line in lines[start:end]]
    if width == 3 and not _is_matrix_like(rows) and not all(_is_number(row[2]) for row in rows[1:]):
        return end, None
    left = _tokens(lines[end]) if end < len(lines) and not lines[end].rstrip().endswith(_ENDED) else []
    if (
        left
        and len(left) <= 2 * width
        and len(left) != width
        and {cell for row in rows for cell in row[:2]}.intersection(left)
    ):
        raise UsageError(f"The line {lines[end]!r} has not as many parts as those before it.")
    return end, _listed(rows, heading)


def _tokens(line: str) -> list[str]:
    bare = line.strip()
    if bare[:1] == "[" and bare.rstrip(",;")[-1:] == "]":
        bare = bare.rstrip(",;").replace("[", " ").replace("]", " ").replace(",", " ")
    return bare.split()


def _is_number(text: str) -> bool:
    return measure(text) is not None


# what rows are


def _listed(rows: list[list[str]], heading: str, framed: bool = False) -> Listing | None:
    square = as_matrix(rows, heading)
    return square if square is not None else of_table(rows, heading, framed)


def _is_matrix_like(rows: Sequence[Sequence[str]]) -> bool:
    return len(rows) > 1 and all(_is_number(cell) for row in rows[1:] for cell in row[1:])


def as_matrix(rows: Sequence[Sequence[str]], heading: str) -> Listing | None:
    """An adjacency matrix, with or without names. Raises UsageError for what is called one and is not square."""
    said = "matrix" in heading.lower()
    if not said and abs(len(rows) - len(rows[0])) > 1:
        return None
    names = [row[0] for row in rows[1:]]
    headed = len(rows[0]) == len(names) and all(len(row) == len(rows) for row in rows[1:])  # no corner
    numeric = [[measure(cell) for cell in row] for row in rows]
    if not headed and all(cell is not None for row in numeric for cell in row):
        n = len(rows)
        if all(len(row) == n for row in rows) and (said or n > 3):
            return matrix([[float(cell or 0) for cell in row] for row in numeric], (), heading)
        if said and any(len(row) != n for row in rows) and len(rows[0]) > 3:
            raise UsageError(f"The matrix is not square: {n} rows, {len(rows[0])} columns.")
        if said and n == 2 and len(rows[0]) == 3:
            raise UsageError(f"The matrix is not square: {n} rows, {len(rows[0])} columns.")
        if not said:
            return None
    head = list(rows[0][-len(names) :]) if names and len(rows[0]) >= len(names) else []
    body = [[_zero(cell) for cell in row[1:]] for row in rows[1:]]
    if head != names or not all(len(row) == len(names) and None not in row for row in body):
        return None
    return matrix(
        [[float(cell or 0) for cell in row] for row in body], [plain_name(name) for name in names], heading
    )


def _zero(cell: str) -> float | None:
    """An entry of a matrix; a missing edge may be a dash, a dot or infinity."""
    return 0.0 if cell.lower() in ("", "-", ".", "inf", "∞", "x", "–") else measure(cell)


def of_table(rows: list[list[str]], heading: str, framed: bool = False) -> Listing | None:
    """Edges (or numbers at nodes) in rows of cells. The first row may say what the columns are."""
    rows = _with_ends_apart(rows)
    width = len(rows[0])
    short = next((row for row in rows if len(row) != width), None)
    if short is not None:
        raise UsageError(f"The row {short} has not as many parts as {rows[0]}.")
    low = [cell.lower() for cell in rows[0]]
    named_head = framed or any(
        cell in _FIRSTS or singular(cell.split("_")[0].rstrip("12")) in words("nodes") | words("edges")
        for cell in low
    )
    below = {cell for row in rows[1:] for cell in row[:2]}
    named_head = named_head and (framed or not below.intersection(rows[0][:2]))
    numeric_below = [all(_is_number(row[column]) for row in rows[1:]) for column in range(width)]
    head = rows[0] if (named_head and not all(map(_is_number, rows[0]))) or any(below and not _is_number(cell) for below, cell in zip(numeric_below, rows[0], strict=True)) else None  # fmt: skip
    if head is None and _may_be_head(rows):
        if not _is_unlike(rows):
            raise UsageError(f"Whether {', '.join(rows[0])} is a heading or an edge cannot be told.")
        head = rows[0]
    body = rows[1:] if head else rows
    if not body:
        return None
    titles = [cell.lower() for cell in head] if head else []
    if width == 2 and titles and _NEIGHBOURS.search(titles[1]):
        leads = _way_of(titles[1])
        lists = [(plain_name(row[0]), entries_of(row[1])) for row in body]
        listed = of_adjacency(lists, f"{heading} adjacency", False)
        if listed is not None and leads:
            return replace(_turned(listed, leads), mirrored=False)
        if listed is not None:
            return listed
    first, second = _end_columns(titles, width, tuple(numeric_below))
    if head and second is None:
        return _node_table(titles, body, heading)
    if second is None:
        return None
    without = [plain_name(row[first]) for row in body if row[first] and row[second].lower() in _NONE]
    if titles and _are_unlike(titles[first], titles[second]) and len(without) < len(body):
        body = [row for row in body if row[second].lower() not in _NONE]  # "Ruth," has no manager
    blank = next((row for row in body if not row[first] or not row[second]), None)
    if blank is not None:
        raise UsageError(f"The row {blank} has no two ends.")
    rest = [column for column in range(width) if column not in (first, second)]
    columns = {titles[c] if titles else "weight": [measure(row[c]) for row in body] for c in rest}
    numeric = {title: weights_or_none(column) for title, column in columns.items()}
    kept = {
        title: column
        for title, column in numeric.items()
        if column is not None and title not in ("id", "no", "no.", "#", "ts", "timestamp", "seq")
    }
    if not titles and rest and not kept:
        return None
    broken = next(
        (title for title, column in kept.items() if any(value is None for value in columns[title])), None
    )
    if broken is not None:
        place = next(i for i, value in enumerate(columns[broken]) if value is None)
        raise UsageError(f"The row {body[place]} has no number for {broken!r}.")
    weighed = [
        title
        for title in kept
        if any(singular(part) in words("weights") for part in re.split(r"\W|_", title)) or units_of(title)
    ]
    if not weighed and len(kept) > 1:  # numbers of rows are none of edges
        kept = {title: column for title, column in kept.items() if column != list(range(1, len(column) + 1))}
    chosen = (weighed or list(kept))[:1]
    names = called(dict.fromkeys(row[column] for row in body for column in (first, second)))
    source, target = ([names[row[column]] for row in body] for column in (first, second))
    others = kept if len(kept) > 1 else {}
    led = bool(titles) and (titles[first] in LEADING or _are_unlike(titles[first], titles[second]))
    listed = Listing(
        source,
        target,
        kept[chosen[0]] if chosen else None,
        None,
        heading,
        others=others,
        led=led,
        names=without,
    )
    return _turned(listed, _way_of(titles[second]) if titles else "")


_ENDS_IN_ONE = re.compile(
    r"[(\[{<]\s*([^\s,;()\[\]{}<>]+)\s*[,;]\s*([^\s,;()\[\]{}<>]+)\s*[)\]}>]|([^\s()-]+)\s*(?:->|→|–|—|-{1,2})\s*([^\s()-]+)"
)


def _with_ends_apart(rows: list[list[str]]) -> list[list[str]]:
    """Rows whose first cells are edges, `(a,b)` or `a-b`, of which some end stands again, with the ends in two columns."""
    found = [_ENDS_IN_ONE.fullmatch(row[0]) for row in rows]
    body = found[1:] if found[0] is None else found
    pairs = [tuple(end for end in m.groups() if end) for m in body if m]
    titled = found[0] is None and singular(rows[0][0].lower()) in words("edges")
    if not titled and any(m is not None and "-" in m[0] and not m[1] and ">" not in m[0] for m in body):
        return rows  # names with a dash
    if not pairs or len(pairs) < len(body) or len({end for pair in pairs for end in pair}) == 2 * len(pairs):
        return rows
    leads = any("->" in row[0] or "→" in row[0] for row in rows)
    head = [["source", "target" if not leads else "links to", *rows[0][1:]]] if found[0] is None else []
    return [*head, *([*pair, *row[1:]] for pair, row in zip(pairs, rows[len(head) :], strict=True))]


def _way_of(title: str) -> str:
    """Which way edges lead by the title above their second ends, `links to`, `depends on`: `forward`, `backward`, or none."""
    if title.rstrip("s") in ("manager", "boss", "supervisor", "reports_to"):
        return "forward"
    return next(
        (way for way in ("forward", "backward") for verb in relations()[way] if re.fullmatch(verb, title)), ""
    )


def _turned(listed: Listing, way: str) -> Listing:
    """Edges that lead one way, turned round where the words between their ends say so."""
    ends = (listed.target, listed.source) if way == "backward" else (listed.source, listed.target)
    return replace(listed, source=ends[0], target=ends[1], leads=True) if way else listed


def _are_unlike(one: str, other: str) -> bool:
    """Whether the titles of two ends are different words, which may mean a direction: `caller` and `callee`."""
    same = one.rstrip("12ab _") == other.rstrip("12ab _") or (one, other) in ENDS
    return not same and not _NEIGHBOURS.search(other)


def _may_be_head(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the cells of the first of several rows are plain words in small letters, and none stands again."""
    below = {cell for row in rows[1:] for cell in row}
    words = all(cell.isalpha() and cell.islower() and len(cell) > 1 for cell in rows[0])
    return words and len(rows) > 3 and len(rows[0]) == 2 and below.isdisjoint(rows[0])


def _is_unlike(rows: Sequence[Sequence[str]]) -> bool:
    """Whether no other row has such words."""
    return not any(cell.isalpha() and cell.islower() and len(cell) > 1 for row in rows[1:] for cell in row)


def _end_columns(titles: Sequence[str], width: int, numbers: tuple[bool, ...] = ()) -> tuple[int, int | None]:
    if not titles:
        return 0, 1 if width in (2, 3) else None
    for a, b in ENDS:
        if a in titles and b in titles:
            return titles.index(a), titles.index(b)
    if (
        not any(numbers[:1])
        and all(numbers[1:])
        and len(numbers) > 1
        and titles[1] not in {name for pair in ENDS for name in pair}
    ):
        return 0, None  # "town,inhabitants"
    if (
        any(title in _FIRSTS - {"edge"} and title not in LEADING for title in titles[:1])
        and width == 2
        and _VALUES.search(titles[1])
    ):
        return 0, None
    same = [
        place
        for place, title in enumerate(titles)
        if title.rstrip("12ab _") and title.rstrip("12ab _") == titles[0].rstrip("12ab _")
    ]
    if len(same) == 2:
        return same[0], same[1]
    worded = [
        place
        for place, title in enumerate(titles)
        if title not in ("id", "#", "no", "no.", "edge", "name") and singular(title) not in words("weights")
    ]
    return (worded[0], worded[1]) if len(worded) > 1 else (0, None)


def _node_table(titles: Sequence[str], body: Sequence[Sequence[str]], heading: str) -> Listing | None:
    names = called(row[0] for row in body)
    values = {}
    for column, title in enumerate(titles[1:], 1):
        numbers = [measure(row[column]) for row in body]
        if all(number is not None for number in numbers):
            values[title] = {
                names[row[0]]: float(number or 0) for row, number in zip(body, numbers, strict=True)
            }
    return Listing([], [], None, None, heading, names=list(names.values()), values=values) if values else None


# adjacency lists


def _adjacency(lines: Sequence[str], start: int, heading: str) -> Block:
    if not _adjacent(lines[start]):
        return start, None
    end = _run(lines, start, _adjacent)
    if end - start < 2:
        return end, None
    keyed = [_split(line) for line in lines[start:end]]
    if " " in keyed[0][0] and not keyed[0][2] and all(rest for *_, rest in keyed[1:]):
        return start, None  # a heading, "Friends of each:"
    marks = {mark for _, mark, _ in keyed}
    keys = {key for key, *_ in keyed}
    rows = [(key, entries_of(rest, keys)) for key, _, rest in keyed]
    if rows and rows[0][0].lower() in _FIRSTS and _NEIGHBOURS.search(keyed[0][2].lower()):
        rows = rows[1:]  # "name: friends"
    cells = [line.partition(":")[2].split() for line in lines[start:end]]
    if marks == {":"} and all(len(row) == len(rows) > 2 and all(map(_is_number, row)) for row in cells):
        body = [[float(measure(cell) or 0) for cell in row] for row in cells]
        return end, matrix(body, [key for key, _ in rows], heading)
    if (pairs := _weighed_pairs(rows, heading)) is not None:
        return end, pairs
    if ":" not in marks and all(len(entries) < 2 for _, entries in rows):
        return end, None  # edges with arrows
    listing = of_adjacency(rows, heading, any(mark not in (":", "<->", *_DASHES) for mark in marks))
    return end, listing


_TWO = re.compile(r"([\w.]+)\s*[-–—/]\s*([\w.]+)")


def _weighed_pairs(
    rows: Sequence[tuple[str, Sequence[tuple[str, float | None]]]], heading: str
) -> Listing | None:
    """Pairs with a number each, of which some end stands twice: `P1-P2: 3`; None where the lines are other things."""
    pairs = [_TWO.fullmatch(key) for key, _ in rows]
    ends = [end for pair in pairs if pair for end in pair.groups()]
    numbers = [measure(entries[0][0]) if len(entries) == 1 else None for _, entries in rows]
    if not all(pairs) or None in numbers or len(set(ends)) == len(ends):
        return None
    return Listing(ends[::2], ends[1::2], weights_or_none(numbers), None, heading)


def _split(line: str) -> tuple[str, str, str]:
    found = _KEYED.fullmatch(_BULLET.sub("", line, count=1).strip())
    assert found is not None
    return plain_name(_OF_WHOM.sub("", found[1])), found[2], found[3]


def _adjacent(line: str) -> bool:
    found = _KEYED.fullmatch(_BULLET.sub("", line, count=1).strip())
    if (
        found is None
        or found[3].rstrip()[-1:] in ("?", "!")
        or found[1].count(" ") > _WORDS
        or "->" in found[3]
        or "--" in found[3]
        or "(" in found[3].split(",")[0][:1]
    ):
        return False
    if found[2] in _DASHES and re.search(r"[;:–—]|\s-\s", found[3]):
        return False
    if _OF_WHOM.sub("", found[1]).lower().split()[-1] in _NO_KEYS or found[3].count("[") > 1:
        return False
    rest = found[3].rstrip(" .;,")
    if rest.lower() in _NONE:
        return bool(found[3]) or found[1].lower() not in words("edges")
    return all(
        part.strip() and part.strip().count(" ") <= _WORDS and len(part) <= _LETTERS
        for part in re.split(r"[,;]", _HELD.sub("", rest) or rest)
    )


def entries_of(text: str, keys: Collection[str] = ()) -> list[tuple[str, float | None]]:
    """The entries of an adjacency list, each with its weight: `b, c (4)`, `b c`, `[b, c]`; apart by spaces where all are `keys`.

    >>> entries_of("b, c (4)")
    [('b', None), ('c', 4.0)]
    """
    bare = text.strip().rstrip(".;,").strip()
    if bare[:1] in "[{" and bare[-1:] in "]}":
        bare = bare[1:-1].strip()
    if bare.lower() in _NONE:
        return []
    parts = (
        re.split(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", bare)
        if re.search(r"[,;]|\band\b", bare)
        else bare.split()
        if len(bare.split()) > 1 and all(part in keys for part in bare.split())
        else _apart(bare)
    )
    found = []
    for part in parts:
        entry = _ENTRY.fullmatch(part)
        found.append((plain_name(entry[1]), float(entry[2])) if entry else (plain_name(part), None))
    return [(name, weight) for name, weight in found if name]


def _apart(text: str) -> list[str]:
    """Entries apart by spaces: `1 2 3`, `B(3) C(4)`; words with capitals are one name."""
    parts = re.split(r"\s+(?![(\[])", text.strip())
    single = _ENTRY.fullmatch(text)
    if single and " " not in single[1]:
        return [text]
    if len(parts) > 1 and all(
        len(part) == 1 or any(c.isdigit() for c in part) or not part[0].isalpha() for part in parts
    ):
        return parts
    return [text]


def of_adjacency(
    rows: Sequence[tuple[str, Sequence[tuple[str, float | None]]]], heading: str, leads: bool
) -> Listing | None:
    """Adjacency lists; or numbers at nodes, where each has one number that is no node or the words before say so."""
    keys = [key for key, _ in rows]
    told = [(key, name, weight) for key, entries in rows for name, weight in entries]
    single = all(
        len(entries) == 1 and entries[0][1] is None and _is_number(entries[0][0]) for _, entries in rows
    )
    if single and not leads and (not any(name in keys for _, name, _ in told) or _VALUES.search(heading)):
        return Listing(
            [],
            [],
            None,
            None,
            heading,
            values={"value": {key: float(measure(entries[0][0]) or 0) for key, entries in rows}},
        )
    if len(set(keys)) < len(keys) and not leads:
        return None
    known = set(keys)
    if not told or (
        not any(name in known for _, name, _ in told)
        and not leads
        and not all(len(name.split()) == 1 for _, name, _ in told)
    ):
        return None
    if (
        not any(name in known for _, name, _ in told)
        and not leads
        and "adjacen" not in heading.lower()
        and "neighb" not in heading.lower()
        and "graph" not in heading.lower()
    ):
        return None
    return Listing(
        [key for key, _, _ in told],
        [name for _, name, _ in told],
        weights_or_none([weight for *_, weight in told]),
        True if leads else None,
        heading,
        mirrored=not leads,
        names=keys,
    )


# The readers in the order in which they are tried, each with what the first line of its blocks has.
_READERS: Sequence[tuple[_Reader, re.Pattern[str]]] = (
    (signed_lines, re.compile("[<>→↔⇒⟶⟷←—–/-]")),
    (worded_lines, re.compile(r"\s(?:and|&|with|to|vs\.?)\s")),
    (_yaml, re.compile("[:-]")),
    (_table, re.compile("[|+]")),
    (_adjacency, re.compile("[:>→–—-]")),
    (_delimited, re.compile("[\t,;]")),
    (_columns, re.compile("")),
)
