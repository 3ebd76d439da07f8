"""The names by which columns of nodes and edges are found, in any case of letters."""

from collections.abc import Sequence

ID = ("id",)
SOURCE = ("source", "src", "from", "head", "subject", "start")
TARGET = ("target", "dst", "to", "tail", "object", "end")
RELATION = (
    "relation", "type", "metaedge", "predicate", "relationship", "rel", "kind", "edge_type", "edgetype", "relation_type", "rel_type"
)  # fmt: skip
TYPE = ("type", "kind", "node_type", "nodetype", "entity_type", "entitytype", "node_label", "nodelabel")
LABEL = ("name", "label", "title")


def first_of(names: Sequence[str], wanted: Sequence[str]) -> str:
    """The first of the wanted names that is there, as it is spelled there; "" if none is."""
    folded = {name.casefold(): name for name in reversed(names)}
    return next((folded[name] for name in wanted if name in folded), "")
