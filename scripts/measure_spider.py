"""Asks people's questions of Spider's development set (Yu et al. 2018) of databases filled with made-up rows.

    .venv/bin/python scripts/measure_spider.py ../shared/data/questions/sql FOLDER [--names NAME,...] [--out OUT.jsonl]

The published rows are not at hand, so each database of FOLDER is filled by a program: keys fit, what the queries compare
with is there, numbers are all different where that is possible. The gold answer is what SQLite gives for the published
query. Questions are left out whose query gives nothing, more than 60 rows or three columns and more, something else when
rows come in another order, or is not SQLite's. A question is right where the names, numbers or pairs are the same.
"""

import argparse
import itertools
import json
import re
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import graphtalk as gt
import measure_offline as offline

ROWS, LINK_ROWS, MOST = 30, 70, 60
_COMPARED = re.compile(
    r"(?:\w+\s*\.\s*)?(\w+)\s*(=|!=|<>|>=|<=|>|<|\blike\b|\bnot like\b|\bbetween\b)\s*(\"[^\"]*\"|'[^']*'|-?\d+(?:\.\d+)?)(?:\s+and\s+(-?\d+(?:\.\d+)?))?",
    re.I,
)
_SYLLABLES = (
    "ba del fo gri hal jo ka lem mor ni os pra qui ros sta tor un vel wim yar zen bru cor dan eli".split()
)
_GIVEN = "Ada Boris Carla Dmitri Elena Farid Greta Hugo Ines Jonas Karin Luis Marta Nils Olga Pavel Rosa Samir Tilda Ugo Vera Wanda Yusuf Zora Anton Bela Cora Dario Edda Felix".split()
_NUMBERS = set(
    "age weight height mpg horsepower amount population grade salary price points rank capacity length size rating share".split()
)
_KINDS = "red green blue amber silver violet coral ivory".split()


@dataclass(frozen=True)
class Column:
    """A column: its table and place there, what it is called, its type, whether it is the key, and the column it refers to."""

    at: int
    table: int
    name: str
    kind: str
    key: bool
    refers: int


def root_word(name: str) -> str:
    return re.split(r"[_ ]|(?<=[a-z])(?=[A-Z])", name)[-1].lower()


class Filled:
    """The values of every column of a schema, made when first asked for."""

    def __init__(self, schema: Mapping[str, Any], compared: Mapping[str, list[str]], random: Random) -> None:
        refers = dict(map(tuple, schema["foreign_keys"]))
        self.compared, self.random = compared, random
        self.columns = [
            Column(i, table, name, kind, i in schema["primary_keys"], refers.get(i, -1))
            for i, ((table, name), kind) in enumerate(
                zip(schema["column_names_original"], schema["column_types"], strict=True)
            )
        ]
        self.tables = schema["table_names_original"]
        self.made: dict[int, list[Any]] = {}

    def of(self, table: int) -> list[Column]:
        return [c for c in self.columns if c.table == table]

    def rows(self, table: int) -> int:
        own = self.of(table)
        return LINK_ROWS if sum(c.refers >= 0 and not c.key for c in own) > 1 else ROWS

    def values(self, column: Column, busy: tuple[int, ...] = ()) -> list[Any]:
        """A value for every row of its table."""
        if column.at not in self.made:
            number = self.rows(column.table)
            if column.refers >= 0 and column.refers not in busy:
                there = self.values(self.columns[column.refers], (*busy, column.at))
                there = sorted({v for v in there if v is not None}, key=str)
                if column.key and len(there) >= number:
                    self.made[column.at] = self.random.sample(there, number)
                else:
                    self.made[column.at] = [self.random.choice(there) for _ in range(number)]
            else:
                self.made[column.at] = self.own(column, number)
        return self.made[column.at]

    def own(self, column: Column, number: int) -> list[Any]:
        """Values that refer to nothing."""
        name, random = column.name.lower(), self.random
        said = self.compared.get(name, [])
        if root_word(name) in _NUMBERS and not any(re.search(r"[A-Za-z]", s) for s in said):
            column = replace(column, kind="number")
        numbers = [float(s) for s in said if re.fullmatch(r"-?\d+(\.\d+)?", s)]
        texts = [s for s in said if s not in {f"{n:g}" for n in numbers}]
        if column.key and column.kind == "number":
            return list(range(1, number + 1))
        if "date" in name or column.kind == "time":
            return [
                f"{random.randint(2009, 2019)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
                for _ in range(number)
            ]
        if "year" in name:
            known = [int(n) for n in numbers if 1800 < n < 2100] or [2014]
            return [
                random.choice(known) if i % 4 == 0 else random.randint(min(known) - 6, max(known) + 6)
                for i in range(number)
            ]
        if column.kind == "number" or (numbers and not texts):
            least, most = (min(numbers) * 0.4, max(numbers) * 1.8 + 2) if numbers else (3, 990)
            whole = all(n == int(n) for n in numbers)
            pool = list(range(int(least), int(most) + 1))
            if whole and len(pool) >= number:
                drawn: list[Any] = random.sample(pool, number)
            else:
                drawn = [round(random.uniform(least, most), 0 if whole else 2) for _ in range(number)]
                drawn = [int(d) for d in drawn] if whole else drawn
            for i, n in enumerate(numbers[: number // 4]):
                drawn[i] = int(n) if whole else n
            return drawn
        if column.kind == "boolean":
            return [random.choice([texts[0] if texts else "T", "F"]) for _ in range(number)]
        if column.key or any(part in name for part in ("name", "title", "email", "address", "phone")):
            known = [t.strip("%") for t in texts]
            made = known[: number // 2]
            people = any(part in name for part in ("first", "given", "last", "family", "middle"))
            while len(made) < number:
                new = (
                    random.choice(_GIVEN)
                    if people
                    else " ".join(
                        "".join(random.choices(_SYLLABLES, k=random.randint(2, 3))).capitalize()
                        for _ in range(2)
                    )
                )
                if people or new not in made:
                    made.append(new)
            random.shuffle(made)
            return made
        pool2 = [t.strip("%") for t in texts] + random.sample(_KINDS, max(1, 4 - len(texts)))
        return [random.choice(pool2) for _ in range(number)]


def filled(
    schema: Mapping[str, Any], questions: list[Mapping[str, str]], path: Path, backwards: bool = False
) -> None:
    """Writes the database of a schema, its rows the same at every call, or those in the other order."""
    compared: dict[str, list[str]] = {}
    for row in questions:
        for name, _, value, further in _COMPARED.findall(row["sql"]):
            for each in filter(None, (value.strip("\"'"), further)):
                found = compared.setdefault(name.lower(), [])
                if each and each.casefold().strip("% ") not in [f.casefold().strip("% ") for f in found]:
                    found.append(each)
    values = Filled(schema, compared, Random(schema["db_id"]))
    path.unlink(missing_ok=True)
    with sqlite3.connect(path) as base:
        for table, name in enumerate(values.tables):
            if name.startswith("sqlite_"):  # SQLite's own
                continue
            columns = values.of(table)
            kinds = {"number": "NUMERIC", "time": "TEXT", "boolean": "TEXT"}
            numeric = [all(isinstance(v, int | float) for v in values.values(c)) for c in columns]
            parts = [
                f'"{c.name}" {"NUMERIC" if whole else kinds.get(c.kind, "TEXT")}'
                for c, whole in zip(columns, numeric, strict=True)
            ]
            keys = [c for c in columns if c.key]
            if len(keys) == 1 and len(set(values.values(keys[0]))) == values.rows(table):
                parts.append(f'PRIMARY KEY ("{keys[0].name}")')
            parts += [
                f'FOREIGN KEY ("{c.name}") REFERENCES "{values.tables[values.columns[c.refers].table]}" '
                f'("{values.columns[c.refers].name}")'
                for c in columns
                if c.refers >= 0
            ]
            base.execute(f'CREATE TABLE "{name}" ({", ".join(parts)})')
            rows = list(zip(*(values.values(c) for c in columns), strict=True))
            links = [i for i, c in enumerate(columns) if c.refers >= 0]
            if len(links) > 1:  # a pair is linked once
                rows = list({tuple(row[i] for i in links): row for row in rows}.values())
            rows = rows[::-1] if backwards else rows
            base.executemany(f'INSERT INTO "{name}" VALUES ({", ".join("?" * len(columns))})', rows)


def gold(base: sqlite3.Connection, other: sqlite3.Connection, sql: str) -> Any:
    """What a query gives as a list, number, text or pairs; None where a question with it is left out.

    `other` has the same rows in another order: what differs there is one of several that are as good.
    """
    sql = sql.replace('"', "'")
    drawn = re.sub(r"(order by .+?)(\s+limit\s+\d+)", r"\1, random()\2", sql, flags=re.I)
    try:
        first, *others = (set(b.execute(s).fetchall()) for s in (sql, *([drawn] * 5)) for b in (base, other))
        rows = base.execute(sql).fetchall()
    except sqlite3.Error:
        return None
    if (
        not rows
        or any(first != each for each in others)
        or len(rows) > MOST
        or None in {v for r in rows for v in r}
    ):
        return None
    if len(rows[0]) > 2:
        return None
    if len(rows[0]) == 1:
        found = list(dict.fromkeys(row[0] for row in rows))
        return found[0] if len(found) == 1 else found
    return [list(row) for row in rows]


def agrees(value: Any, wanted: Any) -> bool:
    """Whether a value has the entries wanted: of pairs each once, in any order of columns; groups of nothing and further columns aside."""
    pairs = isinstance(wanted, list) and isinstance(wanted[0], list)
    if not pairs:
        rows = value if isinstance(value, list) else [value]
        if rows and all(isinstance(row, Mapping) and len(row) > 1 for row in rows):
            return any(offline.agrees([row[name] for row in rows], wanted) for name in rows[0])
        return offline.agrees(value, wanted)
    if isinstance(value, Mapping) and all(isinstance(v, int | float) for v in value.values()):
        value = [[k, v] for k, v in value.items()]
    rows = value if isinstance(value, list) else [value]
    mine = [list(r.values()) if isinstance(r, Mapping) else r if isinstance(r, list) else [r] for r in rows]
    if not mine or len({len(row) for row in mine}) > 1:
        return False
    gold = {tuple(map(_told, row)) for row in wanted}
    for i, j in itertools.permutations(range(len(mine[0])), 2):
        own = {(_told(row[i]), _told(row[j])) for row in mine}
        if own == gold or {pair for pair in own if "0" not in pair} == gold:
            return True
    return False


def _told(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, int | float) else str(value).removesuffix(".0")


def questions(
    folder: Path, out: Path, names: list[str]
) -> Iterator[tuple[str, gt.Graph | gt.GraphSet, list[tuple[str, Any]]]]:
    """Each database as a graph, with its questions and their gold answers."""
    asked = [json.loads(line) for line in (folder / "spider_dev.jsonl").read_text("utf-8").splitlines()]
    schemas = {s["db_id"]: s for s in json.loads((folder / "spider_tables.json").read_text("utf-8"))}
    out.mkdir(parents=True, exist_ok=True)
    for name in names or list(dict.fromkeys(row["db"] for row in asked)):
        own = [row for row in asked if row["db"] == name]
        path = out / f"{name}.sqlite"
        there = out / "other" / f"{name}.sqlite"
        there.parent.mkdir(exist_ok=True)
        filled(schemas[name], own, path)
        filled(schemas[name], own, there, True)
        with closing(sqlite3.connect(path)) as base, closing(sqlite3.connect(there)) as other:
            found = [(row["question"], gold(base, other, row["sql"])) for row in own]
        yield name, gt.open(path), [(question, wanted) for question, wanted in found if wanted is not None]


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sql", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--names", default="")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    file = options.out.open("w", encoding="utf-8") if options.out else None
    total = [0, 0, 0]
    for name, graph, asked in questions(
        options.sql, options.folder, list(filter(None, options.names.split(",")))
    ):
        asking, own = gt.session(graph), [0, 0, 0]
        for question, wanted in asked:
            start = time.perf_counter()
            answer = asking.ask(question)
            right = answer.answered and agrees(answer.value, wanted)
            own[0 if right else 2 if answer.answered else 1] += 1
            if file:
                row = {
                    "schema": name,
                    "question": question,
                    "gold": wanted,
                    "right": right,
                    "answered": answer.answered,
                    "value": answer.value,
                    "reading": str(answer.reading or ""),
                    "text": answer.text,
                    "confidence": answer.confidence,
                    "seconds": round(time.perf_counter() - start, 3),
                }
                file.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")
                file.flush()
        total = [a + b for a, b in zip(total, own, strict=True)]
        print(name, "right", own[0], "declined", own[1], "wrong", own[2], flush=True)
    print("all", *total)


if __name__ == "__main__":
    main()
