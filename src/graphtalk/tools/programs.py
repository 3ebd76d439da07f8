"""Vertex programs among the calls: a card of the library, or a program as JSON, run on the graph at hand."""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from graphtalk.core import CallError, CheckError, ParseError, ToolError
from graphtalk.core.text import of_things
from graphtalk.tools import types as type_of
from graphtalk.tools.context import Context
from graphtalk.tools.registry import tool
from graphtalk.tools.types import Names, Node, Site
from graphtalk.tools.values import Bag, Item, Table, Value
from graphtalk.tools.walks import note_edges, note_way
from graphtalk.vertex import Card, library, read_card, run
from graphtalk.vertex.language.types import BOOL, NODE, NUMBER, Type

_NUMBERS = ("number", "bool")


def _gives(site: Site) -> type_of.Type:
    """The type that a program's answer has; which answer that is may depend on the settings."""
    card = site.literals.get("card")
    try:
        program = card_of(card).program if card is not None else None
    except CallError:
        program = None  # running it says what is wrong
    if program is None:
        return type_of.ANY
    known = set(site.types) - {"card", "settings"}
    open_ = set(program.parameters) if "settings" in site.types else known
    found = set()
    for reading in program.answers:
        if open_.issuperset(reading.given):
            found.add(_type(reading.value.type, site))
            if known.issuperset(reading.given):
                break
    return found.pop() if len(found) == 1 else type_of.ANY


def _type(type: Type, site: Site) -> type_of.Type:
    nodes = type_of.any_nodes(site)
    if type == NODE or (type.kind in ("set", "list") and type.item == NODE):
        return nodes
    if type.kind == "map":
        numbers = type.items[0] == NODE and type.items[1].kind in _NUMBERS
        return type_of.Type("table", nodes.node_types) if numbers else type_of.Type("list")
    if type.kind in ("set", "list"):
        return type_of.Type("list", nodes.node_types, item="nodes" if NODE in type.item.items else "any")
    return type_of.BOOLEAN if type == BOOL else type_of.NUMBER if type == NUMBER else type_of.ANY


@tool("Program", toolformer="vertex:program", gives=_gives)
def program(
    at: Context,
    card: str,
    source: Node | None = None,
    target: Node | None = None,
    settings: Names | None = None,
) -> Value:
    """What a distributed algorithm gives that every node takes part in: nodes, pairs of nodes, a table, a number, a truth.

    Nodes and lists are empty where there is no answer.

    card: an algorithm of the library, such as "shortest_path_route", or a vertex program as JSON
    source: the node that the algorithm starts from, where it has one
    target: the node that it ends at, where it has one
    settings: its other parameters, each as "name=value"
    """
    parameters: dict[str, Any] = dict(_setting(text) for text in settings.values) if settings else {}
    parameters |= {name: int(n) for name, n in (("source", source), ("target", target)) if n is not None}
    chosen, how = card_of(card), at.programs
    done = run(chosen.program, at.graph, parameters, how.engine, on_round=how.on_round)
    how.on_end(done)
    at.remark(run_in_words(chosen.name, done.rounds, done.messages))
    outcome = done.outcome
    if outcome.value is None and outcome.refusal:
        if outcome.type.scalar:
            raise ToolError(_named(outcome.refusal, parameters, at))
        return Bag.of([]) if outcome.type.item == NODE else []
    if outcome.type.scalar and outcome.type != NODE:
        at.remark("It rests on all of the graph, so that no single edges are its evidence.")
    return _value(at, outcome.value, outcome.type)


def card_of(text: str) -> Card:
    """The card of that name, or the one that a JSON object describes. Raises CheckError where there is neither."""
    if not text.lstrip().startswith("{"):
        return library()[text]
    try:
        source = json.loads(text)
    except ValueError as error:
        raise ParseError(f"The program is no JSON: {error}.") from None
    return read_card({"name": "designed", **source})


def run_in_words(name: str, rounds: int, messages: int) -> str:
    """`By shortest path route, in 4 rounds with 10 messages.`"""
    return (
        f"By {name.replace('_', ' ')}, in {of_things(rounds, 'round')} with {of_things(messages, 'message')}."
    )


def _setting(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise CheckError(f'The setting {text!r} has no value: write "name=value".')
    return name.strip(), value.strip()


def _named(refusal: str, parameters: Mapping[str, Any], at: Context) -> str:
    """Why there is no answer, with nodes by their names."""
    for name, value in parameters.items():
        shown = at.graph.label(value) if isinstance(value, int) else str(value)
        refusal = refusal.replace(f"{{{name}}}", shown)
    return refusal


def _value(at: Context, value: Any, type: Type) -> Value:
    """What a program gives, as the value of a call; its ways, trees and pairs are noted."""
    if type.kind == "map" and type.items[0] == NODE and type.items[1].kind in _NUMBERS:
        numbers = np.array([_finite(number) for number in value.values()], np.float64)
        return Table(np.array(list(value), np.int64), numbers)
    if type.kind == "map" and type.items == (NODE, NODE):
        type, value = (
            Type("set", (Type("list", (NODE,)),)),
            [pair for pair in value.items() if None not in pair],
        )
    found = _item(value, type)
    if isinstance(found, Bag) and type.kind == "list":
        note_way(at, found.nodes)
    pairs = (
        [pair.nodes for pair in found if isinstance(pair, Bag) and len(pair) == 2]
        if isinstance(found, list)
        else []
    )
    if pairs:
        starts, ends = np.array(pairs, np.int64).T
        note_edges(at, starts, ends)
    return found


def _item(value: Any, type: Type) -> Item:
    if type == NODE:
        return Bag.of([] if value is None else [value])
    if type.kind in ("set", "list"):
        if type.item == NODE:
            return Bag.of([node for node in value if node is not None])
        return [_item(each, type.item) for each in value]
    if type.kind == "map":
        return [[_item(k, type.items[0]), _item(v, type.items[1])] for k, v in value.items()]
    found: Item = value
    return found


def _finite(number: float) -> float:
    return float(number) if math.isfinite(number) else math.nan
