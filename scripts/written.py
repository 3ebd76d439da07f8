"""Reads files of made-up schemas with questions and their Cypher for training the reader.

    .venv/bin/python scripts/written.py check FILE ...
    .venv/bin/python scripts/written.py read FOLDER OUT.jsonl.xz

`graphtalk.training.reader.written` says how such a file is written. `check` prints what cannot be learnt from, with the line and the
reason; `read` puts what can into OUT, a line a schema, as `scripts/train_reader.py` reads it.
"""

import argparse
from collections import Counter
from pathlib import Path

from graphtalk.training.reader.sources import write_groups
from graphtalk.training.reader.written import read_written


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check")
    check.add_argument("files", nargs="+", type=Path)
    read = commands.add_parser("read")
    read.add_argument("folder", type=Path)
    read.add_argument("out", type=Path)
    options = parser.parse_args()
    files = options.files if options.command == "check" else sorted(options.folder.glob("*.txt"))
    found, why = [], Counter[str]()
    for path in files:
        groups, complaints = read_written(path.read_text("utf-8"), path.stem)
        found += groups
        why.update(c.why for c in complaints)
        if options.command == "check":
            print(*(f"{path}:{c.line}: {c.why}: {c.text}" for c in complaints), sep="\n")
    kept = sum(len(g.examples) for g in found)
    print(f"{kept} questions over {len(found)} schemas; {why.total()} that cannot be read")
    if options.command == "read":
        write_groups(options.out, found)
        print(*(f"{number} {reason}" for reason, number in why.most_common(8)), sep="\n")


if __name__ == "__main__":
    main()
