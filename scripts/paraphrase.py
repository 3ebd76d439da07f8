"""Lets people (or models) say questions made by program in their own words, for training the reader.

    .venv/bin/python scripts/paraphrase.py sheet FOLDER --sheets N [--schemas N] [--spider tables.json] [--seed S]
    .venv/bin/python scripts/paraphrase.py read FOLDER OUT.jsonl

`sheet` writes FOLDER/sheet_1.txt ... and what they were made of beside them (`.jsonl`). A sheet shows schemas, each with questions made by
program and what they mean. Who fills one writes FOLDER/said_1.txt ...: lines of a question's number, a tab, and the same question in
other words, as often as wanted; `-` in place of words where a question makes no sense; `7.none` and a question that schema 7 has no
answer to. Values stay letter by letter, once each. `read` puts what was written into OUT, a line a schema, as
`scripts/train_reader.py` reads it (Wang, Berant and Liang 2015 had people say made-up questions in this way).
"""

import argparse
from pathlib import Path
from random import Random

from graphtalk.training.reader.paraphrases import said, sheet
from graphtalk.training.reader.sources import made_source, read_groups, write_groups

QUESTIONS = 10  # of a schema


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("sheet")
    make.add_argument("folder", type=Path)
    make.add_argument("--sheets", type=int, required=True)
    make.add_argument("--schemas", type=int, default=24, help="of each sheet")
    make.add_argument("--spider", type=Path)
    make.add_argument("--seed", type=int, default=0)
    read = commands.add_parser("read")
    read.add_argument("folder", type=Path)
    read.add_argument("out", type=Path)
    options = parser.parse_args()
    if options.command == "sheet":
        options.folder.mkdir(parents=True, exist_ok=True)
        draw, random = made_source(options.spider), Random(options.seed)
        for number in range(1, options.sheets + 1):
            groups = [draw(random, QUESTIONS) for _ in range(options.schemas)]
            write_groups(options.folder / f"sheet_{number}.jsonl", groups)
            (options.folder / f"sheet_{number}.txt").write_text("\n".join(sheet(groups)), "utf-8")
        return
    found, passed = [], 0
    for path in sorted(options.folder.glob("said_*.txt")):
        groups = read_groups(path.with_name(path.name.replace("said", "sheet")).with_suffix(".jsonl"))
        own, over = said(groups, path.read_text("utf-8").splitlines(), path.stem)
        found += own
        passed += over
    write_groups(options.out, found)
    kept = sum(len(g.examples) for g in found)
    print(f"{options.out}: {kept} questions over {len(found)} schemas; {passed} lines could not be taken")


if __name__ == "__main__":
    main()
