"""What of a call that loads a graph is right: its name, its nodes, its links, and its place in the text."""

from collections.abc import Mapping

from graphtalk.benchmarks.scorers.given import Given
from graphtalk.calls import key
from graphtalk.calls.ast import Call
from graphtalk.core import ParseError
from graphtalk.reasoners.toolformer.statement import read_statement
from graphtalk.tools.registry import default_registry

PARTS = ("name", "nodes", "links")


def loading(given: Given) -> Mapping[str, float]:
    """`gl_name`, `gl_nodes`, `gl_links` and `gl_place` of the first call; nothing where the right text has none."""
    gold, ours = _first(given.gold.text), _first(given.text)
    if gold is None:
        return {}
    right = {f"gl_{part}": 0.0 for part in (*PARTS, "place")}
    if ours is not None:
        for at, part in enumerate(PARTS):
            right[f"gl_{part}"] = float(_argument(ours[0], at) == _argument(gold[0], at))
        right["gl_place"] = float(ours[1] == gold[1])
    return right


def _first(text: str) -> tuple[Call, str] | None:
    """The first call of a text, and the words before it."""
    try:
        statement = read_statement(text, default_registry().vocabulary)
    except ParseError:
        return None
    if not statement.places:
        return None
    place = statement.places[0]
    return place.calls[0].call, " ".join(text[: place.start].lower().split())


def _argument(call: Call, at: int) -> str:
    """An argument as text, case aside."""
    return key(Call("of", call.arguments[at : at + 1])).casefold()
