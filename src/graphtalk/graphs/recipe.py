"""Recipes: what a data set's files hold, where names and flags cannot say it. Small TOML files.

`docs/recipes.md` describes every key with an example; `graphtalk import … --explain` writes one for given files.
A relation whose inverse is another relation of the files, or itself, is stored once: edges given from the other end
are turned round.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib.resources import files as package_files
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeVar, get_type_hints

from graphtalk.core import UsageError, choices
from graphtalk.core.reading import read_toml

KINDS = ("text", "number", "boolean", "date", "datetime")
# How numbers are written, by an example: what separates thousands, and the decimal sign.
NUMBER_FORMS = ("1,234.5", "1.234,5", "1 234.5", "1 234,5", "1'234.5", "1'234,5")
RECIPE_FILE = "recipe.toml"  # a folder that has one is read by it

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class TableSpec:
    """Files of one layout. `table` is a sheet of a workbook, or a table of a database."""

    files: tuple[str, ...] = ()
    table: str = ""
    encoding: str = ""
    header: bool = True
    columns: tuple[str, ...] = ()
    separator: str = ""
    quote: bool | None = None
    skip: int = 0


@dataclass(frozen=True)
class LinkSpec:
    """A column that names nodes of the type `to`: an edge for each row that has one (a foreign key).

    `by` is the feature or column that it names them by, their id where empty; `split` separates several in one cell.
    """

    column: str = ""
    to: str = ""
    by: str = ""
    relation: str = ""
    split: str = ""


@dataclass(frozen=True)
class NodeSpec(TableSpec):
    """A table of nodes. Without an `id` the rows are numbered from 1."""

    id: str = "id"
    prefix: str = ""
    key: str = ""
    type: str = ""
    node_type: str = ""
    types: Mapping[str, str] = field(default_factory=dict)
    label: str = ""
    features: tuple[str, ...] | None = None
    lists: Mapping[str, str] = field(default_factory=dict)
    flags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    joined: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    links: tuple[LinkSpec, ...] = ()
    distinct: bool = False
    join: tuple[TableSpec, ...] = ()


@dataclass(frozen=True)
class EdgeSpec(TableSpec):
    """A table of edges. Ends with a type are looked up among its nodes, by their id or the column `source_by`."""

    source: str = "source"
    target: str = "target"
    source_type: str = ""
    target_type: str = ""
    source_by: str = ""
    target_by: str = ""
    source_prefix: str = ""
    target_prefix: str = ""
    relation: str = ""
    relation_name: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    features: tuple[str, ...] | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    distinct: bool = False
    key: str = ""


@dataclass(frozen=True)
class RelationSpec:
    """What a relation of the files is called, how it is seen from its target, and what it joins."""

    name: str = ""
    inverse: str = ""
    source: str = ""
    target: str = ""
    description: str = ""


@dataclass(frozen=True)
class DerivedSpec:
    """A text feature that is part of another, or of the id."""

    node_type: str = ""
    feature: str = ""
    source: str = "id"
    pattern: str = "^(.*)$"
    blanks: str = ""


@dataclass(frozen=True)
class Recipe:
    """What the files of a data set hold."""

    name: str = "graph"
    description: str = ""
    nodes: tuple[NodeSpec, ...] = ()
    edges: tuple[EdgeSpec, ...] = ()
    relation_names: TableSpec | None = None
    relations: Mapping[str, RelationSpec] = field(default_factory=dict)
    derived: tuple[DerivedSpec, ...] = ()
    roles: tuple[str, ...] = ()
    default_type: str = "node"


def builtin_recipes() -> list[str]:
    """Names of the recipes in this package."""
    folder = package_files("graphtalk.graphs") / "recipes"
    return sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))


def load_recipe(recipe: str | Path) -> Recipe:
    """The built-in recipe of this name, or the one in this file. Raises UsageError saying what is wrong."""
    path = Path(recipe)
    if path.is_file():
        return parse_recipe(path.read_text(encoding="utf-8"), path.stem, str(path))
    if str(recipe) not in builtin_recipes():
        raise UsageError(
            f"No recipe {str(recipe)!r}, and no such file. {choices(str(recipe), builtin_recipes())}"
        )
    file = package_files("graphtalk.graphs") / "recipes" / f"{recipe}.toml"
    return parse_recipe(file.read_text(encoding="utf-8"), str(recipe), f"recipe {recipe}")


def parse_recipe(text: str, name: str = "graph", place: str = "recipe") -> Recipe:
    """The recipe that a TOML text says. `place` begins the error messages."""
    try:
        data = read_toml(text)
    except ValueError as error:
        raise UsageError(f"{place} is not TOML: {error}.") from None
    return recipe_of(data, name, place)


def recipe_of(data: Mapping[str, Any], name: str = "graph", place: str = "recipe") -> Recipe:
    """The recipe that TOML values say, such as a table of a larger file. Raises UsageError saying what is wrong."""
    recipe = _record(Recipe, {"name": name, **data}, place)
    if not recipe.edges and not recipe.nodes:
        raise UsageError(f"{place}: says neither `[[nodes]]` nor `[[edges]]`.")
    for spec in (*recipe.nodes, *recipe.edges):
        if not spec.files:
            raise UsageError(f"{place}: a table of nodes or edges says no `files`.")
    joined = [table for nodes in recipe.nodes for table in nodes.join]
    for table in (*recipe.nodes, *recipe.edges, *joined, recipe.relation_names or TableSpec()):
        for pattern in table.files:
            _expect(
                _stays_inside(pattern), f"{place}, files, {pattern!r}", "a name or a glob within the folder"
            )
    types = {spec.node_type for spec in recipe.nodes}
    for link in (link for nodes in recipe.nodes for link in nodes.links):
        _expect(bool(link.column), f"{place}, links", "tables with a `column`")
        if link.to not in types:
            raise UsageError(
                f"{place}, links, {link.column!r}: no node_type {link.to!r}. {choices(link.to, types)}"
            )
    for end in (end for spec in recipe.edges for end in (spec.source_type, spec.target_type) if end):
        if end not in types:
            raise UsageError(f"{place}, edges: no node_type {end!r}. {choices(end, types)}")
    for derived in recipe.derived:
        _expect(
            _has_group(derived.pattern), f"{place}, derived, pattern", "a regular expression with one group"
        )
    return recipe


_PARTS: dict[str, type[Any]] = {
    "nodes": NodeSpec,
    "edges": EdgeSpec,
    "join": TableSpec,
    "links": LinkSpec,
    "relation_names": TableSpec,
    "derived": DerivedSpec,
}


def _record(kind: type[_Record], data: Mapping[str, Any], place: str) -> _Record:
    _expect(isinstance(data, dict), place, "a table")
    known = {f.name for f in fields(kind)}  # type: ignore[arg-type]
    for key in data:
        if key not in known:
            raise UsageError(f"{place}: unknown key {key!r}. {choices(key, sorted(known), most=len(known))}")
    hints = get_type_hints(kind)
    values = {key: _value(key, value, hints[key], f"{place}, {key}") for key, value in data.items()}
    return kind(**values)


def _value(key: str, value: Any, hint: Any, place: str) -> Any:
    if key == "relations":
        _expect(isinstance(value, dict), place, "a table of relations")
        return {name: _record(RelationSpec, part, f"{place}.{name}") for name, part in value.items()}
    if key == "relation_names":
        return _record(TableSpec, value, place)
    if key in _PARTS:
        _expect(isinstance(value, list), place, "a list of tables")
        return tuple(_record(_PARTS[key], part, place) for part in value)
    if key in ("flags", "joined"):
        _expect(isinstance(value, dict), place, "a table of lists of texts")
        for part in value.values():
            _expect(
                isinstance(part, list) and bool(part) and _texts(part), place, "a table of lists of texts"
            )
        return {name: tuple(part) for name, part in value.items()}
    if key in ("types", "lists", "values", "kinds"):
        _expect(isinstance(value, dict) and _texts(value.values()), place, "a table of texts")
        for kind in value.values() if key == "kinds" else ():
            if kind not in (*KINDS, *NUMBER_FORMS) and "%" not in kind:
                raise UsageError(
                    f"{place}: no kind {kind!r}. {choices(kind, KINDS)} Or a form such as '%d/%m/%Y' or '1.234,5'."
                )
        return value
    if hint in (bool, bool | None):
        _expect(isinstance(value, bool), place, "true or false")
    elif hint is int:
        _expect(isinstance(value, int) and not isinstance(value, bool) and value >= 0, place, "a number")
    elif hint is str:
        _expect(isinstance(value, str), place, "a text")
    else:
        _expect(isinstance(value, list) and _texts(value), place, "a list of texts")
        return tuple(value)
    return value


def _stays_inside(pattern: str) -> bool:
    """Whether a glob names files in a folder, and is looked up in steps that grow with the folder alone."""
    parts = PurePosixPath(pattern.replace("\\", "/")).parts
    outside = not parts or ".." in parts or PurePosixPath(pattern).is_absolute() or "\0" in pattern
    return not outside and not PureWindowsPath(pattern).drive and parts.count("**") <= 1


def _has_group(pattern: str) -> bool:
    try:
        return re.compile(pattern).groups == 1
    except re.error:
        return False


def _texts(values: Any) -> bool:
    return all(isinstance(value, str) for value in values)


def _expect(fits: bool, place: str, what: str) -> None:
    if not fits:
        raise UsageError(f"{place}: must be {what}.")
