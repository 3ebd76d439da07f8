"""Reads question sets as readings once, for training: one file a set, a line a schema with its questions.

    .venv/bin/python scripts/make_reader_data.py DIR METAQA OUT

DIR holds `sql/wikisql.json.bz2` (BSD-3) and `text2cypher/` (CC0), METAQA is MetaQA's folder (CC BY 3.0). Prints which part of each schema's queries the
normal form says.
"""

import sys
from collections import Counter
from pathlib import Path

from graphtalk.training.reader.sets import covered, metaqa, text2cypher, wikisql
from graphtalk.training.reader.sources import write_groups
from graphtalk.training.reader.variation import Group


def main() -> None:
    """See the module."""
    folder, films, out = map(Path, sys.argv[1:4])
    out.mkdir(parents=True, exist_ok=True)
    groups = []
    reasons: Counter[str] = Counter()
    for name, (shape, questions) in text2cypher(folder / "text2cypher", lambda _: True).items():
        part, why = covered(questions)
        reasons += why
        examples = tuple(e for q in questions if (e := q.example()) is not None)
        groups.append(Group(shape, examples, name))
        print(f"{name}: {len(questions)} questions, {100 * part:.1f} % read")
    print(*(f"{number} {reason}" for reason, number in reasons.most_common(8)), sep="\n")
    write_groups(out / "text2cypher.jsonl", groups)
    group = metaqa(films)
    print(f"metaqa: {len(group.examples)} questions")
    write_groups(out / "metaqa.jsonl", [group])
    tables = list(wikisql(folder / "sql" / "wikisql.json.bz2"))
    print(f"wikisql: {len(tables)} tables, {sum(len(g.examples) for g in tables)} questions read")
    write_groups(out / "wikisql.jsonl", tables)


if __name__ == "__main__":
    main()
