"""Which name of a schema a query means: that name itself, else the only one that is spelt alike."""

import re
from collections.abc import Iterable
from functools import lru_cache

from graphtalk.graphs.schema import NodeType

NAMING = ("title", "label", "display_name", "text", "caption", "url", "uri", "iri", "ip")
"""Words that people call a node's name by, and what names a thing of the web."""


@lru_cache(10_000)
def folded(name: str) -> str:
    """A name without its case, spaces, hyphens and underscores."""
    return re.sub(r"[\s_-]+", "", name).casefold()


def pick(name: str, names: Iterable[str]) -> str | None:
    """The one of `names` that is `name`, else the only one that differs in its folding alone, else None."""
    every = dict.fromkeys(names)
    if name in every:
        return name
    alike = [each for each in every if folded(each) == folded(name)]
    return alike[0] if len(alike) == 1 else None


def node_column(t: NodeType, name: str) -> str | None:
    """The column of a node type that a property of a bound query reads; None where its nodes have no such property.

    `name` is a feature called so, else the label feature, else the id; `id` is a feature called so, else `<type> id`
    (what a table called its own ids), else the id.
    """
    features = [f.name for f in t.features]
    if name in features:
        return name
    if name == "name":
        return pick("name", features) or t.label or "id"
    if name == "id":
        return pick("id", features) or pick(f"{t.name} id", features) or "id"
    return None
