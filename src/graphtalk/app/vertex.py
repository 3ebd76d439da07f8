"""What the commands of `graphtalk vertex` do, each a function that prints."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphtalk import vertex
from graphtalk.app import console, render
from graphtalk.app.asking import opened
from graphtalk.app.settings import Settings
from graphtalk.core import CallError, CheckError, UsageError, choices
from graphtalk.graphs import Graph
from graphtalk.vertex.language.types import NODE, Type

_SHOWN = 20  # entries of a list or a mapping that are printed for people


@dataclass(frozen=True)
class Chosen:
    """What `graphtalk vertex run` was asked for. `settings` are texts NAME=VALUE."""

    store: str
    name: str
    settings: tuple[str, ...]
    engine: str
    max_rounds: int | None
    seconds: float | None
    trace: bool
    states: bool
    settings_of_lm: Settings = field(default_factory=Settings)


def list_cards(as_json: bool) -> None:
    """All cards, one a line."""
    cards = vertex.library().values()
    if as_json:
        console.write(render.dumps([{"name": c.name, "title": c.title, "summary": c.summary} for c in cards]))
        return
    rows = [(c.name, c.summary + (" NP-complete." if c.np_complete else "")) for c in cards]
    render.print_table(console.stdout(), ("card", "what it finds"), rows)


def show_card(name: str, as_json: bool) -> None:
    """One card, in words, or as its typed specification."""
    card = find_card(name)
    if as_json:
        console.write(render.dumps(card.source))
        return
    console.write(card.text)
    program = card.program
    console.write("\n### Parameters")
    for p in program.parameters.values():
        console.write(f"--set {p.name}=…  {p.type}{'' if _required(p) else ', optional'}: {p.help or p.name}")
    features = {a.name: a.feature for a in program.edges.attributes}
    features |= {a.name: a.feature for a in program.node_attributes}
    for attribute, feature in features.items():
        console.write(f"--set {attribute}=…  a feature's name, {feature!r} if not given")
    if card.reference:
        console.write(f"\n{card.reference}")


def _required(parameter: vertex.Parameter) -> bool:
    return parameter.default is None and not parameter.optional


def find_card(name: str) -> vertex.Card:
    """The card called `name`, or the file of that name. Raises UsageError where there is neither."""
    if name.endswith(".toml"):
        return vertex.card_file(Path(name))
    try:
        return vertex.library()[name]
    except CheckError as error:
        raise UsageError(str(error)) from None


def engine_of(name: str, card: vertex.Card, settings: Settings, trace: bool = False) -> vertex.Engine:
    """The engine called `name`. Raises UsageError where it is unknown or not installed."""
    if name == "lm":
        return _agents(card, settings, trace)
    if name == "memory":
        from graphtalk.vertex.engines.memory import MemoryEngine

        return MemoryEngine()
    if name == "duckdb":
        from graphtalk.vertex.engines.duckdb import DuckdbEngine

        return DuckdbEngine()
    if name == "spark":
        from graphtalk.vertex.engines.spark import SparkEngine

        return SparkEngine()
    raise UsageError(f"No engine {name!r}. {choices(name, ['memory', 'duckdb', 'spark', 'lm'])}")


def _agents(card: vertex.Card, settings: Settings, trace: bool) -> vertex.Engine:
    """Every node an agent of a language model."""
    from graphtalk.app.reasoners import OFFLINE
    from graphtalk.app.session import lm_options
    from graphtalk.lms.registry import open_lm
    from graphtalk.reasoners.graph_agents.agents import LmEngine

    if settings.lm == OFFLINE:
        raise UsageError("--engine lm needs a language model, such as --lm openai:MODEL.")
    lm = open_lm(settings.lm, lm_options(settings))
    return LmEngine(lm, card=card, hear=print) if trace else LmEngine(lm, card=card)


def run(chosen: Chosen, as_json: bool) -> int:
    """Run a card on a graph; 1 where there is no answer."""
    card = find_card(chosen.name)
    engine = engine_of(chosen.engine, card, chosen.settings_of_lm, chosen.trace and not as_json)
    parameters = dict(_setting(text) for text in chosen.settings)
    graph = opened(chosen.store)
    if not isinstance(graph, Graph):
        raise UsageError(f"{chosen.store} holds many graphs; vertex programs run on one.")
    try:
        vertex.bind(card.program, graph, parameters)
    except CallError as error:
        raise UsageError(str(error)) from None
    shown = _print_round if chosen.trace else None
    done = vertex.run(
        card.program, graph, parameters, engine, chosen.max_rounds, shown, seconds=chosen.seconds
    )
    if as_json:
        console.write(render.dumps(_to_json(card, done, chosen.states)))
    else:
        _print_run(done, chosen.states)
    return 1 if done.outcome.refusal else 0


def _setting(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise UsageError(f"--set {text!r}: write NAME=VALUE, such as source=3.")
    return name.strip(), value.strip()


def _print_round(done: vertex.Round) -> None:
    phase = f" ({done.phase} {done.round})" if done.phase else ""
    console.say(f"round {done.number}{phase}: {done.report.sent:,} messages, {done.report.changes:,} changed")


def _to_json(card: vertex.Card, done: vertex.Run, states: bool) -> dict[str, Any]:
    outcome = done.outcome
    found = {
        "algorithm": card.name,
        "answered": not outcome.refusal,
        "answer": sentence(done),
        "value": _jsonable(named(outcome.value, outcome.type, done.bound.graph)),
        "rounds": done.rounds,
        "messages": done.messages,
        "seconds": done.seconds,
    }
    return found | ({"states": _jsonable(_named_states(done))} if states else {})


def _print_run(done: vertex.Run, states: bool) -> None:
    console.write(sentence(done))
    if states:
        columns = _named_states(done)
        ids = done.bound.graph.ids()
        rows = [[ids[i], *(_short(c[i]) for c in columns.values())] for i in range(len(ids))]
        render.print_table(console.stdout(), ("node", *columns), rows)
    console.write(f"{done.rounds:,} rounds, {done.messages:,} messages, {render.duration(done.seconds)}")


def sentence(done: vertex.Run) -> str:
    """The answer as a sentence, with nodes by their ids."""
    outcome, bound = done.outcome, done.bound
    slots = {"answer": _short(named(outcome.value, outcome.type, bound.graph))}
    for name, parameter in bound.program.parameters.items():
        if name in bound.given and parameter.type == NODE:
            slots[name] = bound.graph.id(int(bound.values[name]))
        else:
            slots[name] = _short(bound.values[name])
    text = outcome.refusal or outcome.text
    for name, value in slots.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def named(value: Any, type: Type, graph: Graph) -> Any:
    """A value with external ids in place of the indices of nodes."""
    if value is None or type.scalar:
        return graph.id(value) if type == NODE and value is not None else value
    if isinstance(value, Mapping):
        key, item = type.items
        return {named(k, key, graph): named(v, item, graph) for k, v in value.items()}
    return [named(item, type.item, graph) for item in value]


def _named_states(done: vertex.Run) -> dict[str, list[Any]]:
    types, graph = done.bound.program.state, done.bound.graph
    plain = vertex.plain_states(done.bound, done.states)
    return {name: [named(value, types[name], graph) for value in column] for name, column in plain.items()}


def _jsonable(value: Any) -> Any:
    """JSON has no infinity: it is written as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return "infinity" if value > 0 else "-infinity"
    if isinstance(value, Mapping):
        return {str(k): _jsonable(v) for k, v in value.items()}
    return [_jsonable(v) for v in value] if isinstance(value, list | tuple) else value


def _short(value: Any) -> str:
    """A value for people: long ones are cut."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return "infinity" if math.isinf(value) else f"{value:.6g}"
    if isinstance(value, Mapping):
        parts = [f"{key}: {_short(item)}" for key, item in list(value.items())[:_SHOWN]]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = [_short(item) for item in list(value)[:_SHOWN]]
    else:
        return "none" if value is None else str(value)
    more = f" and {len(value) - len(parts):,} more" if len(value) > len(parts) else ""
    return (", ".join(parts) or "none") + more
