"""src/graphtalk/calls/cypher/tables.json has the tables of the Cypher parser, made from grammar.lark.

python scripts/cypher_tables.py          # exit 1 where they are of another grammar
python scripts/cypher_tables.py --write  # make them
"""

import json
import sys
from pathlib import Path

import lark

from graphtalk.calls.cypher.tables import digest, written

TABLES = Path(__file__).resolve().parents[1] / "src/graphtalk/calls/cypher/tables.json"


def main() -> None:
    """Check the tables, or make them where they are of another grammar or another lark."""
    tables = (
        json.loads(TABLES.read_text(encoding="utf-8")) if TABLES.is_file() else {"grammar": "", "lark": ""}
    )
    if "--write" in sys.argv[1:]:
        if (tables["grammar"], tables["lark"]) != (digest(), lark.__version__):
            TABLES.write_text(written(), encoding="utf-8")
    elif tables["grammar"] != digest():
        raise SystemExit(f"{TABLES} is of another grammar: run python scripts/cypher_tables.py --write")


if __name__ == "__main__":
    main()
