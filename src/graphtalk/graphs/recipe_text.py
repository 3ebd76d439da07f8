"""A recipe as the TOML text that `parse_recipe` reads, without what is as it would be anyway."""

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from graphtalk.graphs.recipe import EdgeSpec, LinkSpec, NodeSpec, RelationSpec

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def spec_text(spec: NodeSpec | EdgeSpec) -> str:
    """The table of nodes or edges that `spec` says."""
    head = "[[nodes]]" if isinstance(spec, NodeSpec) else "[[edges]]"
    lines = [head, *_lines(spec, without=("links", "join"))]
    if isinstance(spec, NodeSpec):
        for link in spec.links:
            lines += ["", "[[nodes.links]]", *_lines(link)]
    return "\n".join(lines)


def relations_text(relations: Mapping[str, RelationSpec]) -> str:
    """What a recipe says of relations."""
    return "\n".join(
        f"\n[relations.{_key(name)}]\n" + "\n".join(_lines(spec)) for name, spec in relations.items()
    )


def _lines(spec: NodeSpec | EdgeSpec | LinkSpec | RelationSpec, without: tuple[str, ...] = ()) -> list[str]:
    lines = []
    for part in fields(spec):
        value = getattr(spec, part.name)
        if part.name in without or (value == part.default and part.name != "id") or value in ({}, (), None):
            continue
        lines.append(f"{part.name} = {_value(value)}")
    return lines


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(part)}" for key, part in value.items()) + " }"
    if isinstance(value, tuple):
        return "[" + ", ".join(_value(part) for part in value) + "]"
    return str(value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)
