"""Asks people's questions of WikiSQL (Zhong, Xiong and Socher 2017) of tables filled with made-up rows.

    .venv/bin/python scripts/measure_tables.py ../shared/data/questions/sql FOLDER [--split test] [--number 150] [--seed 1] [--out OUT.jsonl]

The published cells are not at hand but for those that the queries name. So each table, one CSV file of FOLDER, has the columns that its
queries name, and for each query a row that fulfils it, beside rows of made-up cells. The gold answer is worked out from the
rows. Left out are queries that give nothing, and those with an aggregate that their question does not say; a
count is of rows or of different cells. A question is right where it gives the same cells or number.
"""

import argparse
import bz2
import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import graphtalk as gt

FURTHER = 6  # rows that no query asks for
_QUERY = re.compile(r"SELECT (?:(COUNT|MAX|MIN|SUM|AVG) )?(.+?) FROM TABLE AS TABLEalias0(?: WHERE (.*))? ;")
_CONDITION = re.compile(r'TABLEalias0\.(\S+) (=|>|<) "?(.*?)"?')
_SAID = {
    "COUNT": re.compile(r"\b(?:how many|number|count)\b", re.I),
    "MAX": re.compile(r"\b(?:max\w*|most|\w+est|top)\b", re.I),
    "MIN": re.compile(r"\b(?:min\w*|least|fewest|\w+est)\b", re.I),
    "SUM": re.compile(r"\b(?:sum|total|combined)\b", re.I),
    "AVG": re.compile(r"\b(?:average|mean)\b", re.I),
}
_MONTHS = "January February March April May June July August September October November December".split()
_DATE = re.compile(rf"\b(?:{'|'.join(_MONTHS)})\b.*\d{{4}}|\d{{4}}-\d\d-\d\d", re.I)
_SYLLABLES = "ba del fo gri hal jo ka lem mor ni os pra qui ros sta tor un vel wim yar zen".split()


@dataclass(frozen=True)
class Asked:
    """A question, and what it asks for: cells of a column, or an aggregate of them, where all conditions hold."""

    question: str
    aggregate: str
    column: str
    conditions: tuple[tuple[str, str, str], ...]


def tables(file: Path, split: str) -> dict[str, list[Asked]]:
    """The questions of a split by table."""
    found: dict[str, list[Asked]] = defaultdict(list)
    for row in json.loads(bz2.decompress(file.read_bytes())):
        for sentence in row["sentences"]:
            if sentence["question-split"] != split:
                continue
            query = _QUERY.fullmatch(row["sql"][0])
            parts = (query[3] or "").split(" AND ") if query else []
            conditions = [_CONDITION.fullmatch(part.strip()) for part in parts if part]
            if query is None or not all(conditions):
                continue
            values = dict(sentence["variables"])
            read = tuple((_called(c[1]), c[2], values.get(c[3], c[3])) for c in conditions if c)
            column = _called(query[2].strip().removeprefix("TABLEalias0."))
            found[sentence["table-id"]].append(
                Asked(sentence["original"].strip(), query[1] or "", column, read)
            )
    return found


def _called(field: str) -> str:
    return field.removesuffix("_FIELD").replace("_", " ").capitalize()


def _number(text: Any) -> float | None:
    try:
        return float(str(text).replace(",", ""))
    except ValueError:
        return None


def rows(asked: Sequence[Asked], random: Random) -> list[dict[str, Any]]:
    """A table in which every question finds a row."""
    columns = list(
        dict.fromkeys(c for a in asked for c in (a.column, *(name for name, _, _ in a.conditions)))
    )
    said = {c: [value for a in asked for name, _, value in a.conditions if name == c] for c in columns}
    added = {a.column for a in asked if a.aggregate in ("MAX", "MIN", "SUM", "AVG")}
    numbers = {c for c in columns if all(_number(v) is not None for v in said[c]) and (said[c] or c in added)}
    dates = {c for c in columns if said[c] and all(_DATE.search(v) for v in said[c])}

    def word(parts: int) -> str:
        return "".join(random.choices(_SYLLABLES, k=parts)).title()

    def cell(column: str) -> Any:
        if column in numbers:
            return random.randint(1, 2000)
        if column in dates:
            year, month, day = random.randint(1990, 2012), random.randrange(12), random.randint(1, 28)
            first = said[column][0]
            if first[:4].isdigit():
                return f"{year}-{month + 1:02}-{day:02}"
            return (
                f"{day} {_MONTHS[month]} {year}" if first[0].isdigit() else f"{_MONTHS[month]} {day}, {year}"
            )
        again = said[column] and random.random() < 0.3
        return random.choice(said[column]) if again else f"{word(3)} {word(2)}"

    found = []
    for a in asked:
        row = {c: cell(c) for c in columns}
        for name, operator, value in a.conditions:
            number = _number(value) if name in numbers else None
            off = {"=": 0, ">": random.randint(1, 50), "<": -random.randint(1, 50)}[operator]
            row[name] = (
                value if number is None else int(number + off) if number.is_integer() else number + off
            )
        found.append(row)
    return [*found, *({c: cell(c) for c in columns} for _ in range(FURTHER))]


def gold(asked: Asked, table: Sequence[dict[str, Any]]) -> Any:
    """The cells or the number asked for; of a count both numbers that it may mean; None where the question is left out."""
    if asked.aggregate and not _SAID[asked.aggregate].search(asked.question):
        return None

    def holds(row: dict[str, Any]) -> bool:
        for name, operator, value in asked.conditions:
            own, number = row[name], _number(value)
            if operator == "=":
                same = number is not None and isinstance(own, int | float)
                if (own != number) if same else str(own).lower() != str(value).lower():
                    return False
            elif (
                not isinstance(own, int | float)
                or number is None
                or not (own > number if operator == ">" else own < number)
            ):
                return False
        return True

    cells = [row[asked.column] for row in table if holds(row)]
    if not cells:
        return None
    if asked.aggregate == "COUNT":
        return {"count": sorted({len(cells), len(set(map(str, cells)))})}
    if not asked.aggregate:
        return sorted(set(map(_told, cells)))
    if not all(isinstance(c, int | float) for c in cells):
        return None
    of = {"MAX": max, "MIN": min, "SUM": sum, "AVG": lambda c: sum(c) / len(c)}
    return of[asked.aggregate](cells)


def _told(cell: Any) -> str:
    if isinstance(cell, int | float):
        return f"{cell:g}"
    words = re.findall(r"\w+", str(cell))
    month = [str(_MONTHS.index(w.title()) + 1) for w in words if w.title() in _MONTHS]
    numbers = [w for w in words if w.isdigit()]
    if len(words) == 3 and len(month) == 1 and len(numbers) == 2:  # dates are told as ISO 8601 has them
        day, year = sorted(map(int, numbers))
        return f"{year}-{int(month[0]):02}-{day:02}"
    return str(cell).lower()


def agrees(value: Any, wanted: Any) -> bool:
    """Whether a value has the cells or the number wanted."""
    entries = value if isinstance(value, list) else [value]
    flat = [e for entry in entries for e in (entry.values() if isinstance(entry, dict) else [entry])]
    if isinstance(wanted, list):
        return {_told(e) for e in flat} == set(wanted)
    if len(flat) != 1 or not isinstance(flat[0], int | float):
        return False
    if isinstance(wanted, dict):
        return flat[0] in wanted["count"]
    return bool(abs(flat[0] - wanted) <= 1e-3 * max(1.0, abs(wanted)))


def questions(file: Path, split: str, number: int, seed: int, folder: Path) -> Iterator[tuple[str, str, Any]]:
    """So many questions of tables with at least four: the file of each table, the question and its gold answer."""
    random, given = Random(seed), 0
    found = {name: asked for name, asked in tables(file, split).items() if len(asked) > 3}
    folder.mkdir(parents=True, exist_ok=True)
    for name in random.sample(sorted(found), len(found)):
        table = rows(found[name], random)
        path = folder / f"{name.replace('-', '_')}.csv"
        with path.open("w", newline="", encoding="utf-8") as out:
            writer = csv.DictWriter(out, table[0])
            writer.writeheader()
            writer.writerows(table)
        for asked in found[name]:
            wanted = gold(asked, table)
            if wanted is not None and given < number:
                given += 1
                yield str(path), asked.question, wanted
        if given >= number:
            return


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sql", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--number", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    file = options.out.open("w", encoding="utf-8") if options.out else None
    sessions: dict[str, gt.Session] = {}
    total: Counter[str] = Counter()
    source = options.sql / "wikisql.json.bz2"
    for path, question, wanted in questions(
        source, options.split, options.number, options.seed, options.folder
    ):
        asking = sessions.setdefault(path, gt.session(gt.open(path)))
        answer = asking.ask(question)
        value = json.loads(json.dumps(answer.value, default=str))
        right = answer.answered and agrees(value, wanted)
        total["right" if right else "wrong" if answer.answered else "declined"] += 1
        if file:
            row = {"table": path, "question": question, "gold": wanted, "right": right, "answered": answer.answered,
                   "value": value, "reading": str(answer.reading or ""), "text": answer.text}  # fmt: skip
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
    print("right", total["right"], "declined", total["declined"], "wrong", total["wrong"])


if __name__ == "__main__":
    main()
