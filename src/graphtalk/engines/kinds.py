"""Kinds of values: what is known of variables and terms before a query runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from graphtalk.graphs.schema import Feature

KindName: TypeAlias = Literal[
    "any",
    "null",
    "node",
    "edge",
    "path",
    "number",
    "text",
    "boolean",
    "date",
    "datetime",
    "time",
    "duration",
    "list",
    "map",
]


@dataclass(frozen=True)
class Kind:
    """What a variable or a term holds. `of`: the node types or relations it can be of; `item`: what a list holds."""

    name: KindName
    of: tuple[str, ...] = ()
    item: "Kind | None" = None

    def __str__(self) -> str:
        if self.name in ("node", "edge"):
            few = " or ".join(self.of[:3]) if len(self.of) <= 3 else ""
            return f"{'an' if self.name == 'edge' else 'a'} {self.name}{f' ({few})' if few else ''}"
        return f"a {self.name}"


ANY = Kind("any")


def common(kinds: Sequence[Kind]) -> Kind:
    """The kind of what can be any of these."""
    known = list(dict.fromkeys(k for k in kinds if k.name != "null"))
    if len(known) == 1:
        return known[0]
    names = {k.name for k in known}
    if len(names) != 1:
        return ANY if names else Kind("null")
    of = () if any(not k.of for k in known) else tuple(dict.fromkeys(each for k in known for each in k.of))
    items = [k.item for k in known if k.item is not None]
    return Kind(known[0].name, of, common(items) if len(items) == len(known) else None)


def of_features(features: Sequence[Feature]) -> Kind:
    """The kind of what any of these features holds."""
    kinds: list[Kind] = []
    for f in features:
        if f.kind in ("list", "vector"):
            kinds.append(Kind("list", item=Kind("number" if f.kind == "vector" else cast(KindName, f.item))))
        else:
            kinds.append(Kind(cast(KindName, f.kind)))
    return common(kinds)


def of_arithmetic(operator: str, kinds: Sequence[Kind]) -> Kind:
    """The kind of what an arithmetic operator gives, from the kinds of its operands."""
    names = {k.name for k in kinds}
    if names == {"number"}:
        return Kind("number")
    if operator == "+" and "list" in names:
        return Kind("list", item=ANY)
    if operator == "+" and "text" in names and "any" not in names:
        return Kind("text")
    return ANY


_GIVES: Mapping[str, KindName] = {
    name: cast(KindName, kind)
    for kind, functions in {
        "number": "count stdev stdevp median percentilecont length size toint tointeger tofloat tointegerornull "
        "tofloatornull abs ceil floor round sign sqrt exp log log10 sin cos tan cot asin acos atan atan2 degrees "
        "radians haversin pi e timestamp",
        "text": "type tostring tostringornull tolower toupper lower upper trim btrim ltrim rtrim left right substring "
        "replace",
        "boolean": "exists isempty isnan toboolean tobooleanornull",
        "date": "date date.truncate",
        "datetime": "datetime localdatetime datetime.truncate localdatetime.truncate",
        "time": "time localtime",
        "duration": "duration duration.between duration.indays duration.inmonths duration.inseconds",
        "map": "properties",
        "node": "startnode endnode",
    }.items()
    for name in functions.split()
}
_LISTS: Mapping[str, KindName] = {
    "labels": "text",
    "keys": "text",
    "split": "text",
    "range": "number",
    "nodes": "node",
    "relationships": "edge",
    "rels": "edge",
}


def of_function(function: str, kinds: Sequence[Kind]) -> Kind:
    """The kind of what a function gives, from the kinds of its arguments."""
    if function in _GIVES:
        return Kind(_GIVES[function])
    if function in _LISTS:
        return Kind("list", item=Kind(_LISTS[function]))
    if function == "collect":
        return Kind("list", item=kinds[0])
    if function in ("head", "last"):
        return kinds[0].item or ANY
    if function in ("min", "max", "tail", "reverse", "nullif", "percentiledisc"):
        return kinds[0]
    if function == "coalesce":
        return common(kinds)
    return kinds[0] if function in ("sum", "avg") and kinds[0].name in ("number", "duration") else ANY
