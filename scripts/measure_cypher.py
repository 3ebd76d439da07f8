"""Whether `graphtalk query` gives what another Cypher engine gave, over graphs with queries and their known columns.

    python scripts/measure_cypher.py FOLDER [NAME ...] [--list]

FOLDER holds a folder NAME for each graph: `nodes_*.tsv`, `edges_*.tsv` and `questions.jsonl`, whose lines have `cypher` and
the `columns` that the other engine gave: for each column its values, each once. Where any so many rows will do, `limit` says
how many and `any_of` holds all. A column is equal where it has the same values; numbers to two places.
"""

import argparse
import ast
import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TypeAlias

import graphtalk as gt
from graphtalk.core import JSON, CallError

DATETIME = re.compile(
    r"^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)"
)  # ISO 8601 has a T where the known columns have a blank

Row: TypeAlias = dict[str, JSON]


def plain(value: JSON) -> str:
    """A value as the known columns have it: numbers to two places, text without case, lists in any order."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return str(sorted(plain(each) for each in value))
    try:
        return str(round(float(str(value).replace(",", "")), 2))
    except ValueError:
        return DATETIME.sub(r"\1 \2", str(value)).strip().lower()


def listed(value: JSON) -> JSON:
    """A list that the known columns have as text, read as the list."""
    if isinstance(value, str) and value.startswith("[") and value.endswith("]"):
        try:
            found = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            return value
        return [each.get("name", each) if isinstance(each, dict) else each for each in found]
    return value


def verdict(known: Row, found: gt.QueryResult) -> str:
    """`equal`, or what differs."""
    ours = [{plain(row[at]) for row in found.rows if row[at] is not None} for at in range(len(found.columns))]
    columns = [{plain(listed(value)) for value in column} for column in known["columns"]]
    if len(ours) != len(columns):
        return f"{len(ours)} columns, not {len(columns)}"
    any_of = known.get("any_of")
    for at, (one, other) in enumerate(zip(ours, columns, strict=True)):
        free = any_of is not None and one <= {plain(value) for value in any_of[at]}
        if one != other and not free:
            return f"column {at + 1}: {sorted(one)[:4]}, not {sorted(other)[:4]}"
    return "equal"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true", help="list what is not equal")
    asked = parser.parse_args()
    total: Counter[str] = Counter()
    for folder in sorted(asked.folder.iterdir()):
        if asked.names and folder.name not in asked.names:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            sources = sorted(folder.glob("*.tsv"))
            graph = gt.import_graph(sources, Path(scratch) / f"{folder.name}.gt")
            counts: Counter[str] = Counter()
            for line in (folder / "questions.jsonl").read_text("utf-8").splitlines():
                known = json.loads(line)
                try:
                    said = verdict(known, gt.query(graph, known["cypher"]))
                except CallError as error:
                    said = f"refused: {error}"
                kind = said if said == "equal" else "refused" if said.startswith("refused") else "differs"
                counts[kind] += 1
                if asked.list and kind != "equal":
                    print(f"{known['id']} | {' '.join(known['cypher'].split())} | {said}")
        total += counts
        print(f"{folder.name:20s} {counts.total():5d} queries, {counts['equal']:5d} equal, "
              f"{counts['differs']:4d} differ, {counts['refused']:4d} refused")  # fmt: skip
    print(f"{'all':20s} {total.total():5d} queries, {total['equal']:5d} equal ({100 * total['equal'] / total.total():.1f} %), "
          f"{total['differs']:4d} differ, {total['refused']:4d} refused")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
