"""A schema in words, for people and for the prompts of language models (Graph-CoT, appendix E.1)."""

from collections.abc import Iterator, Sequence

from graphtalk.core.text import NUMBER_WORDS
from graphtalk.graphs.schema import Feature, NodeType, Schema, View


def describe(schema: Schema) -> str:
    """What a graph of this schema holds: its node types, their features, and what they are linked to.

    Relations and features have the names that calls use; features that are dates are said to be. Derived from the schema alone.
    """
    return " ".join(_sentences(schema))


def _sentences(schema: Schema) -> Iterator[str]:
    types = schema.node_types
    be, noun = ("is", "type") if len(types) == 1 else ("are", "types")
    yield f"There {be} {_number(len(types))} {noun} of nodes in the graph: {listed([t.name for t in types])}."
    for t in types:
        if t.description:
            yield f"{_capital(t.name)}: {t.description.rstrip('.')}."
        if t.features:
            yield f"{_capital(t.name)} nodes have features: {listed(_named(t.features))}."
    for t in types:
        views = [view for named in schema.views_from(t.name).values() for view in named]
        if views:
            yield f"{_capital(t.name)} nodes are linked to {listed(_links(t, views))}."
    for relation in schema.relations:
        if relation.features:
            features = listed(_named(relation.features))
            yield f"{_capital(relation.name)} edges from {relation.source} to {relation.target} have features: {features}."


def _named(features: Sequence[Feature]) -> list[str]:
    """The names of features, dates told apart: a question of them may want a comparison of time."""
    said = {"date": " (a date)", "datetime": " (a date and time)"}
    return [f.name + said.get(f.kind, "") for f in features]


def _links(t: NodeType, views: Sequence[View]) -> list[str]:
    return [f"{v.target} nodes" if v.name == v.target else f"{v.target} nodes by {v.name}" for v in views]


def listed(names: Sequence[str]) -> str:
    """Names as in a sentence: a, b and c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"


def _number(count: int) -> str:
    return "no" if count == 0 else NUMBER_WORDS[count] if count <= 12 else str(count)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
