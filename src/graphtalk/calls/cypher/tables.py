"""The parser: made of grammar.lark, or read from tables.json, which has the same tables in a tenth of the time.

scripts/cypher_tables.py makes tables.json; where that is not of this grammar and this lark, the grammar is used.
"""

import hashlib
import json
from functools import cache
from importlib.resources import files

import lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

_HERE = files("graphtalk.calls.cypher")


@cache
def parser() -> lark.Lark:
    """The parser of Cypher."""
    tables = json.loads(_HERE.joinpath("tables.json").read_text("utf-8"), object_hook=_numbered)
    if tables["grammar"] != digest() or tables["lark"] != lark.__version__:
        return _built()
    return lark.Lark.load(tables)


def digest() -> str:
    """What tells one text of the grammar from another."""
    return hashlib.sha256(_HERE.joinpath("grammar.lark").read_bytes()).hexdigest()


def written() -> str:
    """What tables.json is to hold."""
    data, memo = _built().memo_serialize([TerminalDef, Rule])
    tables = {"grammar": digest(), "lark": lark.__version__, "data": data, "memo": memo}
    return json.dumps(tables, separators=(",", ":")) + "\n"


def _built() -> lark.Lark:
    grammar = _HERE.joinpath("grammar.lark").read_text("utf-8")
    return lark.Lark(grammar, parser="lalr", propagate_positions=True)


def _numbered(entries: dict[str, object]) -> dict[str | int, object]:
    """An object whose keys are numbers again where they were: lark numbers states, tokens and rules."""
    return {int(key) if key.isdecimal() else key: value for key, value in entries.items()}
