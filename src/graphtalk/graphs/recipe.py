"""Recipes: what a data set's files hold, where names and flags cannot say it. Small TOML files.

    description = "…"

    [[nodes]]                        # tables of nodes
    files = ["nodes*.tsv.gz"]        # globs, in order; the tables are joined end to end
    header = true                    # false: `columns` names the columns
    columns = ["id", "name"]
    separator = "\\t"                 # derived from the file where absent
    quote = false
    skip = 0                         # lines above the header or the first row
    id = "id"                        # the column of external ids
    prefix = "u"                     # what is put before every id, where two tables number from 1
    key = "code"                     # the column by which edges name nodes, where that is not the id
    type = "kind"                    # the column of node types …
    node_type = "synset"             # … or the type of all
    types = { A = "Anatomy" }        # what the values of the type column stand for
    label = "name"                   # the feature that names a node to people
    lists = { aliases = "|" }        # features that are lists, and what separates their entries
    kinds = { code = "text" }        # kinds that are not to be told from the cells: text, number, boolean, date,
                                     # datetime, or the form of a date, such as "%d/%m/%y"; of a list's entries
    flags = { genres = ["Action", "Drama"] }   # columns of 0 and 1 that become one list of names
    features = ["name"]              # all other columns where absent
    distinct = false                 # keep the first of several rows of one id
    join = [{ files = ["text.tsv"], header = false, columns = ["id", "name"] }]   # more columns, by id

    [[edges]]
    files = ["edges.tsv"]            # header, columns, separator, quote, skip, features, kinds: as above
    source = "source"
    target = "target"
    relation = "metaedge"            # the column of relations …
    relation_name = "cites"          # … or the relation of all
    source_prefix = "u"              # as the prefix of the nodes' table; target_prefix alike
    values = { split = "train" }     # features that are the same for all rows of these files
    distinct = false                 # keep one of several equal edges

    [relation_names]                 # a table of two columns, `code` and `name`
    files = ["relation2text.txt"]

    [relations.AdG]                  # by what stands in the file, or by the name from `relation_names`
    name = "Anatomy-downregulates-Gene"
    inverse = "Anatomy-downregulates-Gene"
    source = "Anatomy"               # types of the ends; give nodes without a type theirs
    target = "Gene"
    description = "…"

    [[derived]]                      # features made from others
    node_type = "synset"
    feature = "name"
    source = "id"
    pattern = '^(.+)\\.n\\.\\d+$'      # its one group is the value; where it does not match there is none
    blanks = "_"                     # letters that stand for blanks

    roles = ["movie", "person"]      # where a node could have several types by its relations: the first
    default_type = "node"            # the type of nodes that nothing else gives one

A relation whose inverse is another relation of the files, or itself, is stored once: edges given from the
other end are turned round.
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
RECIPE_FILE = "recipe.toml"  # a folder that has one is read by it

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class TableSpec:
    """Files of one layout."""

    files: tuple[str, ...] = ()
    header: bool = True
    columns: tuple[str, ...] = ()
    separator: str = ""
    quote: bool | None = None
    skip: int = 0


@dataclass(frozen=True)
class NodeSpec(TableSpec):
    """A table of nodes."""

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
    distinct: bool = False
    join: tuple[TableSpec, ...] = ()


@dataclass(frozen=True)
class EdgeSpec(TableSpec):
    """A table of edges."""

    source: str = "source"
    target: str = "target"
    source_prefix: str = ""
    target_prefix: str = ""
    relation: str = ""
    relation_name: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    features: tuple[str, ...] | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    distinct: bool = False


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
    for derived in recipe.derived:
        _expect(
            _has_group(derived.pattern), f"{place}, derived, pattern", "a regular expression with one group"
        )
    return recipe


_PARTS: dict[str, type[Any]] = {
    "nodes": NodeSpec,
    "edges": EdgeSpec,
    "join": TableSpec,
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
    if key == "flags":
        _expect(isinstance(value, dict), place, "a table of lists of texts")
        for part in value.values():
            _expect(
                isinstance(part, list) and bool(part) and _texts(part), place, "a table of lists of texts"
            )
        return {name: tuple(part) for name, part in value.items()}
    if key in ("types", "lists", "values", "kinds"):
        _expect(isinstance(value, dict) and _texts(value.values()), place, "a table of texts")
        for kind in value.values() if key == "kinds" else ():
            if kind not in KINDS and "%" not in kind:
                raise UsageError(
                    f"{place}: no kind {kind!r}. {choices(kind, KINDS)} Or a form such as '%d/%m/%Y'."
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
