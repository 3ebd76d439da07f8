"""Graphs in DOT, the language of Graphviz, as far as it tells nodes, edges and numbers at them."""

import re
from functools import cache
from typing import Any

from graphtalk.core import UsageError
from graphtalk.language.told.listing import HEADING, HOLE, Listing, Taken, measure, weights_or_none

_HEAD = re.compile(r"\b(?:strict\s+)?(di)?graph\b\s*(?:\w+|\"[^\"]*\")?\s*\{", re.I)
_EDGE = re.compile(r"\s*(\"[^\"\n]*\"|[\w.]+)\s*(->|--)\s*(\"[^\"\n]*\"|[\w.]+)\s*;?\s*")
_GRAMMAR = r"""
start: "strict"i? KIND ID? "{" statement* "}"
statement: (chain | node | setting | defaults) ";"?
chain: ID (SIGN ID)+ attributes*
node: ID attributes*
setting: ID "=" ID
defaults: ("graph"i | "node"i | "edge"i) attributes
attributes: "[" (pair (";" | ",")?)* "]"
pair: ID "=" ID
KIND.2: /(di)?graph\b/i
SIGN: "->" | "--"
ID: /"[^"]*"/ | /-?\d+(\.\d+)?(?![\w.])/ | /[\w.]+/
COMMENT: /\/\/[^\n]*/ | /\/\*(.|\n)*?\*\// | /#[^\n]*/
%import common.WS
%ignore WS
%ignore COMMENT
"""


def take_dot(text: str) -> Taken:
    """The text without its graphs in DOT, and these. Raises UsageError for one that cannot be read."""
    kept, found, last = [], [], 0
    while (head := _HEAD.search(text, last)) is not None:
        end = text.find("}", head.end())
        inside = text[head.end() : end if end >= 0 else len(text)]
        if not re.search(r"->|--|;|\[", inside):  # `graph {0: [1]}` is no DOT
            kept.append(text[last : head.end()])
            last = head.end()
            continue
        if end < 0 or "{" in inside:
            raise UsageError(
                f"The DOT of the graph cannot be read: {text[head.start() : head.start() + 60]!r}."
            )
        kept += [text[last : head.start()], f" {HOLE} "]
        graph, heading = text[head.start() : end + 1], text[max(0, head.start() - HEADING) : head.start()]
        found.append(_edges_alone(graph, heading) or _listing(graph, heading))
        last = end + 1
    return "".join([*kept, text[last:]]), found


def _edges_alone(text: str, heading: str) -> Listing | None:
    """A graph that is nothing but edges, a line each, which needs no grammar; None for any other."""
    sign = "->" if "digraph" in text[: text.index("{")].lower() else "--"
    edges = [_EDGE.fullmatch(line) for line in text[text.index("{") + 1 : -1].strip().split("\n")]
    if not all(m and m[2] == sign for m in edges):
        return None
    source, target = ([_plain(m[end]) for m in edges if m] for end in (1, 3))
    return Listing(source, target, None, sign == "->", heading, names=list(dict.fromkeys([*source, *target])))


def _listing(text: str, heading: str) -> Listing:
    from lark.exceptions import LarkError

    try:
        tree = _parser().parse(text)
    except LarkError as error:
        raise UsageError(f"The DOT of the graph cannot be read: {str(error).splitlines()[0]}") from None
    directed = str(tree.children[0]).lower() == "digraph"
    names: dict[str, None] = {}
    values: dict[str, dict[str, float]] = {}
    source: list[str] = []
    target: list[str] = []
    weight: list[float | None] = []
    for statement in tree.find_data("statement"):
        (part,) = statement.children
        if part.data not in ("chain", "node"):
            continue
        ends = [_plain(str(token)) for token in part.children if getattr(token, "type", "") == "ID"]
        numbers = {
            _plain(str(p.children[0])): measure(_plain(str(p.children[1]))) for p in part.find_data("pair")
        }
        names |= dict.fromkeys(ends)
        if part.data == "node":
            for key, value in numbers.items():
                if value is not None and key in ("weight", "value", "score", "age", "cost", "size"):
                    values.setdefault(key, {})[ends[0]] = value
            continue
        signs = {str(token) for token in part.children if getattr(token, "type", "") == "SIGN"}
        if signs != ({"->"} if directed else {"--"}):
            raise UsageError(f"The DOT of a {'di' if directed else ''}graph has edges with {min(signs)!r}.")
        own = [
            value
            for key, value in numbers.items()
            if value is not None and key not in ("penwidth", "fontsize")
        ]
        source += ends[:-1]
        target += ends[1:]
        weight += [own[0] if own else None] * (len(ends) - 1)
    return Listing(
        source, target, weights_or_none(weight), directed, heading, names=list(names), values=values
    )


@cache
def _parser() -> Any:
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", lexer="contextual")


def _plain(token: str) -> str:
    return token[1:-1] if token[:1] == '"' else token
