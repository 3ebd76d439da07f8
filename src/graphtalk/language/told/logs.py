"""Lines of logs and of comments as plain lines: without times, levels and words that all of them begin with."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

_DAY = r"\d{4}-\d{2}-\d{2}"
_HOUR = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?Z?"
_LEVEL = r"(?:\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL)\]?:?[^\S\n]+)"
_STAMP = re.compile(
    rf"^[^\S\n]*(?:(?:\[(?:{_DAY}[T ]?)?(?:{_HOUR})?\]|{_DAY}[T ]{_HOUR})[^\S\n]+{_LEVEL}?|(?:{_DAY}[^\S\n]+)?(?:{_HOUR}[^\S\n]+)?{_LEVEL}(?:{_DAY}[^\S\n]+)?(?:{_HOUR}[^\S\n]+)?)(?=\S)",
    re.M,
)
_OF_TIME = re.compile(  # a question that stamps may answer
    r"\b(?:first|last|before|after|earliest|latest|when|since|until|during|recent\w*|arriv\w+|depart\w*)\b|\b\d{1,2}:\d{2}\b|[^.?!\n]*\b(?:time|date|day)s?\b[^.!\n]*\?",
    re.I,
)
_COMMENT = re.compile(r"^[^\S\n]*(?:#+|//+|--(?=\s))[^\S\n]?", re.M)
_BLOCK = re.compile(r"/\*+(.*?)\*/", re.S)
_BLOCK_LINE = re.compile(r"^[^\S\n]*\*[^\S\n]", re.M)
_FIELD = re.compile(
    r"(?P<key>[A-Za-z_][\w.-]*)=(?:\"(?P<quoted>[^\"\n]*)\"|(?P<plain>[^\s,;\"]+))[,;]?(?=\s|$)"
)
_SAID = re.compile(r"(?P<said>[A-Za-z][\w -]{0,30}:)[^\S\n]+(?P<rest>\S.*)")
_JOINED = re.compile(r"\S+[^\S\n]*(?:<?-+>|<?=+>|→|↔|<-+|--+|—|–)[^\S\n]*\S+|(?:[^\s,]+ ){2,}[^\s,]+")
_ROW = re.compile(
    r"(?P<said>[a-z]{2,})[^\S\n]+(?P<one>[^\s,;:.]+(?:\.[^\s,;:.]+)*)[^\S\n]+(?P<other>[^\s,;:?.]+(?:\.[^\s,;:?.]+)*)(?P<value>[^\S\n]+\d[\d.]*[a-z]{0,4})?"
)


def without_logs(text: str) -> str:
    """The text with lines of logs and comments as plain lines; times stay where it asks of them.

    Fields (`from=a to=b`) become a table; a word that all lines of a block begin with falls away (`link: a -> b`, `ping a b 12ms`).

    >>> without_logs("[12:01] WARN lock: T1 waits for T2\\n[12:02] WARN lock: T2 waits for T1\\nA deadlock?")
    'T1 waits for T2\\nT2 waits for T1\\nA deadlock?'
    >>> print(without_logs("ts=1 from=a to=b\\nts=2 from=b to=c"))
    | ts | from | to |
    | --- | --- | --- |
    | 1 | a | b |
    | 2 | b | c |
    """
    text = _BLOCK.sub(lambda m: _BLOCK_LINE.sub("", m[1]), text)
    lines = text.split("\n")
    if all(_COMMENT.match(line) for line in lines if line.strip()):
        lines = [_COMMENT.sub("", line) for line in lines]
    if sum(_STAMP.match(line) is not None for line in lines) > 1 and not _OF_TIME.search(
        "\n".join(line for line in lines if not _STAMP.match(line))
    ):
        lines = [_STAMP.sub("", line) for line in lines]
    return "\n".join(line for block in _blocks(lines) for line in block)


def _blocks(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """The lines in runs of one kind, each as it is to be read."""
    for kind, run in groupby(lines, _kind):
        block = list(run)
        if len(block) < 2 or not kind:
            yield block
        elif kind[0] == "fields":
            yield _as_table(block)
        elif kind[0] == "said":
            rests = [_SAID.fullmatch(line.strip()) for line in block]
            alike = all(m is not None and _JOINED.match(m["rest"]) for m in rests)
            yield [m["rest"] for m in rests if m] if alike else block
        else:
            yield _as_rows(block)


def _kind(line: str) -> tuple[str, ...]:
    """What a line is like: fields with these keys, what is said after the same words, or a row behind the same word."""
    bare = line.strip()
    fields = _fields(bare)
    if len(fields) > 1:
        return ("fields", *fields)
    if said := _SAID.fullmatch(bare):
        return "said", said["said"]
    if row := _ROW.fullmatch(bare):
        return "row", row["said"], str(row["value"] is None)
    return ()


def _as_table(block: Sequence[str]) -> Sequence[str]:
    """Fields as a table with a heading; as they are where a value holds a bar."""
    rows = [_fields(line.strip()) for line in block]
    if any("|" in cell for row in rows for cell in row.values()):
        return block
    varied = [key for key in rows[0] if len({row[key] for row in rows}) > 1]
    if len(varied) > 1:  # what is the same on all lines tells of no edge
        rows = [{key: row[key] for key in varied} for row in rows]
    head = list(rows[0])
    return [
        f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *(row.values() for row in rows))
    ]


def _fields(line: str) -> dict[str, str]:
    """The fields of a line, `from=a to=b` or an object of JSON of plain values; none of other lines."""
    if line[:1] == "{" and line.rstrip(",")[-1:] == "}":
        try:
            data = json.loads(line.rstrip(","))
        except json.JSONDecodeError:
            return {}
        plain = all(isinstance(value, str | int | float) for value in data.values())
        return {key: str(value) for key, value in data.items()} if plain else {}
    if "<" in line:  # attributes of XML
        return {}
    return {m["key"]: m["plain"] if m["quoted"] is None else m["quoted"] for m in _FIELD.finditer(line)}


def _as_rows(block: Sequence[str]) -> Sequence[str]:
    """Rows without the word that begins each, where the names behind it stand again and no verb is among them."""
    rows = [m for line in block if (m := _ROW.fullmatch(line.strip()))]
    ones, others = [m["one"] for m in rows], [m["other"] for m in rows]
    again = len({*ones, *others}) < 2 * len(rows) and not set(ones).isdisjoint(others)
    if len(rows) < 3 or not again or rows[0]["said"] in {*ones, *others}:
        return block
    return [line.strip().partition(" ")[2].strip() for line in block]
