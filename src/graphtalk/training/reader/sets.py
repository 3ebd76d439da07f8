"""Question sets that people or models wrote, with the reading of each question.

text2cypher (Neo4j Labs, CC0), WikiSQL (BSD-3) and MetaQA (CC BY 3.0). Other sets are for measuring.
"""

import bz2
import csv
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from graphtalk.calls.cypher import parse_query
from graphtalk.core import ParseError
from graphtalk.reasoners.reader.labels import Unread, reading_of
from graphtalk.reasoners.reader.linking import Linked, link, table_look_up
from graphtalk.reasoners.reader.reading import Reading, written
from graphtalk.reasoners.reader.shape import Held, Link, PropertyKind, Shape, spoken, with_names
from graphtalk.reasoners.reader.words import stem
from graphtalk.training.reader.examples import Example, Mention
from graphtalk.training.reader.variation import Group

CYPHER_KINDS: dict[str, PropertyKind] = {
    "STRING": "text", "INTEGER": "number", "FLOAT": "number", "BOOLEAN": "boolean", "DATE": "date", "DATE_TIME": "date",
    "LOCAL_DATE_TIME": "date", "DURATION": "text", "LIST": "list", "POINT": "text",
}  # fmt: skip
MOST_EXAMPLES = 2

Table = dict[str, dict[str, list[str]]]


@dataclass(frozen=True)
class Labelled:
    """A question of a set with its values and its reading (None where the normal form cannot say it, with why)."""

    id: str
    question: str
    values: tuple[Linked, ...]
    reading: Reading | None
    why: str = ""

    def example(self) -> Example | None:
        """What the network learns from it."""
        if self.reading is None:
            return None
        return Example(self.question, tuple(mention(v) for v in self.values), tuple(written(self.reading)))


def mention(value: Linked) -> Mention:
    """A linked value as the network sees it."""
    return Mention(value.text, value.kind, value.owners, value.start, value.end)


def text2cypher(folder: Path, wanted: Any) -> dict[str, tuple[Shape, list[Labelled]]]:
    """By schema: its shape and all questions, labelled."""
    schemas = json.loads((folder / "schemas.json").read_text("utf-8"))
    rows = [json.loads(line) for line in (folder / "train.jsonl").read_text("utf-8").splitlines()]
    found: dict[str, tuple[Shape, list[Labelled]]] = {}
    for database in sorted({r["database"] for r in rows}):
        if not wanted(database) or database not in schemas:
            continue
        shape = cypher_shape(schemas[database])
        graph = folder / "graphs" / database
        table = stored(graph, shape) if graph.exists() else {}
        own = [r for r in rows if r["database"] == database]
        if not graph.exists():
            table = examples_table(shape)
        found[database] = (shape, [labelled(r["id"], r["question"], r["cypher"], shape, table) for r in own])
    return found


def labelled(key: str, question: str, cypher: str | list[str], shape: Shape, table: Table) -> Labelled:
    """A question with what its values are in the graph, and its Cypher read."""
    words = frozenset(
        stem(w) for a in shape.items for w in spoken(a.rpartition(".")[2] if "." in a else a[2:]).split()
    )
    values = tuple(link(question, table_look_up(table), words))
    try:
        reading = reading_of(parse_query(cypher if isinstance(cypher, str) else cypher[0]), shape, values)
        written(reading)
    except (Unread, ParseError, KeyError) as error:
        return Labelled(key, question, values, None, str(error).splitlines()[0][:80])
    return Labelled(key, question, values, reading)


def cypher_shape(schema: Mapping[str, Any]) -> Shape:
    """A schema of text2cypher."""
    held: list[Held] = []
    for node_type, properties in schema["node_props"].items():
        held += [_held(node_type, p, False) for p in properties]
    links = [Link(r["type"], r["start"], r["end"]) for r in schema["relationships"]]
    for link_ in links:
        held += [_held(link_.key, p, True) for p in schema.get("rel_props", {}).get(link_.name, [])]
    types = dict.fromkeys(
        [
            *schema["node_props"],
            *(r["start"] for r in schema["relationships"]),
            *(r["end"] for r in schema["relationships"]),
        ]
    )
    return Shape(tuple(types), tuple(dict.fromkeys(links)), with_names(held))


def _held(owner: str, p: Mapping[str, Any], edge: bool) -> Held:
    values = [str(v) for v in p.get("values", [])]
    shown = (
        values[:MOST_EXAMPLES]
        if p.get("distinct_count", 1000) <= 40 and all(len(v) < 25 for v in values)
        else []
    )
    return Held(owner, p["property"], CYPHER_KINDS.get(p["type"], "text"), edge, False, tuple(shown))


def stored(graph: Path, shape: Shape) -> Table:
    """Which properties have which texts, in a folder of node and edge tables."""
    table: Table = {}
    for path in sorted(graph.glob("nodes_*.tsv")):
        node_type = path.stem.removeprefix("nodes_")
        for row in csv.DictReader(path.open(encoding="utf-8"), delimiter="\t"):
            for column, text in row.items():
                name = column.removeprefix(f"{node_type.lower()} ") if column.endswith(" id") else column
                action = f"P:{node_type}.{name}"
                if (
                    name == "name" and action not in shape.properties
                ):  # the graph's name is the schema's title
                    action = shape.name_of(node_type) or action
                _store(table, action, text, shape)
    for path in sorted(graph.glob("edges_*.tsv")):
        relation = path.stem.removeprefix("edges_")
        for row in csv.DictReader(path.open(encoding="utf-8"), delimiter="\t"):
            key = f"{row['source'].split(':')[0]}-{relation}-{row['target'].split(':')[0]}"
            for column, text in row.items():
                if column not in ("source", "relation", "target"):
                    _store(table, f"E:{key}.{column}", text, shape)
    return table


def examples_table(shape: Shape) -> Table:
    """What is known of values where only a schema's examples are at hand."""
    table: Table = {}
    for action, held in shape.properties.items():
        for text in held.examples:
            _store(table, action, text, shape)
    return table


def _store(table: Table, action: str, text: str | None, shape: Shape) -> None:
    held = shape.properties.get(action)
    if held is None or not text or held.kind in ("number", "boolean") or len(text) > 200:
        return
    spellings = table.setdefault(text.lower(), {}).setdefault(action, [])
    if text not in spellings:
        spellings.append(text)


# WikiSQL

_SELECT = re.compile(
    r"^SELECT (?:(\w+)\( ?)?(?:DISTINCT )?TABLEalias0\.(\w+)_FIELD ?\)? FROM TABLE AS TABLEalias0(?: WHERE (.*?))? ;$"
)
_WHERE = re.compile(r'TABLEalias0\.(\w+)_FIELD (=|>|<) ("[^"]*"|\S+)')
_OPERATORS = {"=": "EQ", ">": "GT", "<": "LT"}


def wikisql(path: Path, most: int = 40_000) -> Iterator[Group]:
    """Tables of WikiSQL, each a type of its own, with their questions."""
    with bz2.open(path, "rt", encoding="utf-8") as file:
        entries = json.load(file)
    by_table: dict[str, list[tuple[str, str, dict[str, str]]]] = {}
    for entry in entries:
        for sentence in entry["sentences"]:
            values = {v["name"]: v["example"] for v in entry["variables"]} | sentence["variables"]
            if sentence["question-split"] == "train":
                by_table.setdefault(sentence["table-id"], []).append(
                    (sentence["original"], entry["sql"][0], values)
                )
    random = Random(7)
    count = 0
    for table in sorted(by_table):
        if len(by_table[table]) < 4 or count > most:
            continue
        parsed = [p for p in (_wiki(q, sql, values) for q, sql, values in by_table[table]) if p is not None]
        kinds: Counter[tuple[str, str]] = Counter()
        for _, column, aggregate, tests in parsed:
            kinds[column, "number" if aggregate in ("MAX", "MIN", "SUM", "AVG") else "any"] += 1
            for name, operator, value in tests:
                kinds[name, "number" if operator != "=" or re.fullmatch(r"-?[\d,.]+", value) else "text"] += 1
        columns = sorted({c for c, _ in kinds})
        if len(columns) < 3:
            continue
        node_type = random.choice(("Record", "Entry", "Row", "Item", "Result"))
        kind_of: dict[str, PropertyKind] = {
            c: "number" if kinds[c, "number"] and not kinds[c, "text"] else "text" for c in columns
        }
        shape = Shape((node_type,), (), tuple(Held(node_type, c.lower(), kind_of[c]) for c in columns))
        examples = [e for p in parsed if (e := _wiki_example(p, node_type, kind_of, random)) is not None]
        if len(examples) >= 3:
            count += len(examples)
            yield Group(shape, tuple(examples))


_Wiki = tuple[str, str, str, list[tuple[str, str, str]]]


def _wiki(question: str, sql: str, values: Mapping[str, str]) -> _Wiki | None:
    match = _SELECT.match(sql)
    if match is None:
        return None
    tests = []
    for name, operator, value in _WHERE.findall(match.group(3) or ""):
        raw = value.strip('"')
        tests.append((name, operator, str(values.get(raw, raw))))
    return question.strip(), match.group(2), (match.group(1) or "").upper(), tests


def _wiki_example(
    p: _Wiki, node_type: str, kinds: Mapping[str, PropertyKind], random: Random
) -> Example | None:
    question, column, aggregate, tests = p
    values: list[Linked] = []
    placed: list[tuple[str, str, Linked]] = []
    for name, operator, text in tests:
        at = question.lower().find(text.lower())
        if at < 0 or not text.strip():
            return None
        action = f"P:{node_type}.{name.lower()}"
        kind = "number" if re.fullmatch(r"-?[\d,.]+", text) else "name"
        if kinds[name] == "number" and kind != "number":
            return None
        known = ((action, (text,)),) if kind == "name" and random.random() < 0.85 else ()
        v = Linked(question[at : at + len(text)], kind, at, at + len(text), None, known)
        if any(v.start < o.end and o.start < v.end for o in values):
            return None
        values.append(v)
        placed.append((action, _OPERATORS[operator], v))
    taken = list(values)
    for other in link(question, lambda texts: [{} for _ in texts]):
        if all(other.end <= v.start or other.start >= v.end for v in taken):
            taken.append(other)
    taken.sort(key=lambda v: v.start)
    numbers = {id(v): i for i, v in enumerate(taken)}
    placed.sort(key=lambda each: each[2].start)
    actions = [f"T:{node_type}"]
    for action, operator, v in placed:
        actions += [action, operator, f"S:{numbers[id(v)]}"]
    told = f"P:{node_type}.{column.lower()}"
    if aggregate in ("MAX", "MIN", "SUM", "AVG"):
        if kinds[column] != "number":
            return None
        tail = [aggregate, told]
    else:
        tail = ["COUNT"] if aggregate == "COUNT" else [told]
    return Example(question, tuple(mention(v) for v in taken), (*actions, "UP", "RETURN", *tail, "END"))


# MetaQA

_ROLES = {
    "director": ("directed by", "person"),
    "actor": ("starred actors", "person"),
    "writer": ("written by", "person"),
    "year": ("release year", "year"),
    "language": ("in language", "language"),
    "tags": ("has tags", "tag"),
    "tag": ("has tags", "tag"),
    "genre": ("has genre", "genre"),
    "imdbrating": ("has imdb rating", "imdb rating"),
    "imdbvotes": ("has imdb votes", "imdb votes"),
}


def metaqa(folder: Path, most: int = 60) -> Group:
    """At most so many questions of each type, of the first third of each development set; its types say their readings."""
    types = ("movie", *dict.fromkeys(t for _, t in _ROLES.values()))
    shape = Shape(
        types,
        tuple(dict.fromkeys(Link(name, "movie", t) for name, t in _ROLES.values())),
        tuple(Held(t, "name", "text", naming=True) for t in types),
    )
    counts: Counter[tuple[str, str]] = Counter()
    examples = []
    for file in ("1-hop/dev", "1-hop/ntm_qa_dev", "2-hop/dev", "3-hop/dev"):
        kinds = _lines(folder / file.split("/")[0] / "qa_dev_qtype.txt.xz")
        rows = _lines(folder / f"{file}.txt.xz")
        for kind, row in list(zip(kinds, rows, strict=True))[: len(rows) // 3]:
            counts[file, kind] += 1
            if counts[file, kind] <= most and (example := _chain(row.split("\t")[0], kind)) is not None:
                examples.append(example)
    return Group(shape, tuple(examples), "metaqa")


def _lines(path: Path) -> list[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def _chain(question: str, kind: str) -> Example | None:
    """`writer_to_movie_to_year`: from the named node step by step to what is asked for, read from the end."""
    start, end = question.find("["), question.find("]") - 1
    if start < 0 or end <= start:
        return None
    question = question.replace("[", "", 1).replace("]", "", 1)
    roles = kind.split("_to_")
    ends = [_ROLES[r][1] if r in _ROLES else "movie" for r in roles]
    actions = [f"T:{ends[-1]}"]
    for nearer, farther in zip(roles[-2::-1], roles[:0:-1], strict=True):
        relation, other = _ROLES[nearer if nearer in _ROLES else farther]
        actions.append(f"V:{'<' if nearer == 'movie' else '>'}movie-{relation}-{other}")
    owner = f"P:{ends[0]}.name"
    actions += [owner, "EQ", "S:0", *["UP"] * len(roles), "RETURN", "NODE", "END"]
    return Example(question, (Mention(question[start:end], "name", (owner,), start, end),), tuple(actions))


def covered(sets: Sequence[Labelled]) -> tuple[float, Counter[str]]:
    """Which part of the questions has a reading, and why the others have none."""
    why = Counter(q.why for q in sets if q.reading is None)
    return sum(q.reading is not None for q in sets) / max(1, len(sets)), why
