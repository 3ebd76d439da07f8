"""Design_Distributed_Algorithm: a card of the library with its parameters, or a new one that was tried first."""

import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from graphtalk.calls import Call
from graphtalk.core import CallError, CheckError, LmError
from graphtalk.lms.protocol import LanguageModel, Message, Request, user
from graphtalk.lms.structured import json_in
from graphtalk.reasoners.graph_agents.agents import LmEngine
from graphtalk.reasoners.graph_agents.described import Described, Problem
from graphtalk.reasoners.graph_agents.in_words import parts_in, parts_of, program_in_words
from graphtalk.reasoners.graph_agents.solving import LIMITS
from graphtalk.reasoners.graph_agents.ways import Parameters, placed, planned, program_call
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.untrusted import bordered
from graphtalk.tools.context import Programs
from graphtalk.tools.executor import Executor
from graphtalk.tools.limits import Limits
from graphtalk.vertex import Card, Library, bind, read_card, small_graph

NEAREST = 3  # cards that the master is shown, as in section 4
MOST_AGENTS = 200  # nodes that a design in words may have
TRIAL_AGENTS = 4  # nodes of the graph that it is tried on
TRIALS = 3  # small random graphs that a new algorithm must end on
TRIAL = Limits(seconds=5.0)  # of one trial
REPAIRS = 4
MOST_TOKENS = 4_000
_WORDS_OF_CARDS = ("name", "words", "examples", "keywords", "reference")
MOST_FAULTS = 8  # errors of one reply that are told at once
_PLACE = re.compile(r"(?P<part>[a-z_]+)\.(?P<name>[a-z_][a-z0-9_]*)\b")  # what an error begins with
_PLAIN = {"number": "0", "bool": "false", "node": "id", "when": "true", "until": "changes == 0", "most": "n"}
_WORD = re.compile(r"[a-z]{3,}")


@dataclass(frozen=True)
class Design:
    """A card, its parameters, and whether it is the library's."""

    card: Card
    parameters: Mapping[str, Any]
    known: bool

    def call(self, described: Described) -> Call:
        """The program as a call: by its name, or itself where it is not the library's."""
        types = {name: parameter.type for name, parameter in self.card.program.parameters.items()}
        left_out = _WORDS_OF_CARDS if not self.card.program.in_words else ("name",)
        itself = {name: part for name, part in self.card.source.items() if name not in left_out}
        text = self.card.name if self.known else json.dumps(itself)
        return placed(described, program_call(described, text, types, self.parameters))


def nearest(cards: Library, text: str, most: int = NEAREST) -> list[Card]:
    """The cards whose words are nearest to a problem's, the nearest first."""
    wanted = set(_WORD.findall(text.lower()))

    def likeness(card: Card) -> float:
        said = " ".join((card.title, card.summary, *card.keywords)).lower()
        phrases = sum(2.0 for keyword in card.keywords if keyword.lower() in text.lower())
        return phrases + len(wanted & set(_WORD.findall(said))) / (1 + len(_WORD.findall(said))) * 5

    return sorted(cards.values(), key=lambda card: (-likeness(card), card.name))[:most]


def designed(
    lm: LanguageModel,
    cards: Library,
    wanted: str,
    problem: Problem | None,
    described: Described,
    agents: LmEngine,
) -> Design:
    """The algorithm that the model chooses or designs; what is wrong with a reply is shown to it, four times at most.

    `agents` act on one that is designed in words. Raises LmError where no reply can be used.
    """
    shown = nearest(cards, f"{wanted} {problem.query if problem else ''}")
    plan = planned(problem, cards) if problem is not None else None
    if plan is not None and plan[0].name not in [card.name for card in shown]:
        shown = [plan[0], *shown[: NEAREST - 1]]
    values = {
        "cards": "\n\n".join(_listed(card) for card in shown),
        "others": "\n".join(f"{name}: {cards[name].summary}" for name in sorted(cards)),
        "language": prompt("graph_agents_language"),
        "problem": bordered(wanted),
    }
    asked = fill(prompt("graph_agents_designer"), values)
    messages = user(asked)
    reason = ""
    for _ in range(1 + REPAIRS):
        reply = lm.complete(Request(messages, max_tokens=MOST_TOKENS))
        try:
            return _design(reply.text, cards, described, plan, agents)
        except CallError as error:
            reason = str(error)
        messages = (
            *messages,
            Message("assistant", reply.text),
            Message("user", f"That cannot be used:\n{bordered(reason)}"),
        )
    raise LmError(f"{lm.name} designed no algorithm that can be used: {reason}")


def _design(
    text: str, cards: Library, described: Described, plan: tuple[Card, Parameters] | None, agents: LmEngine
) -> Design:
    told: dict[str, Any] = next((dict(v) for v in json_in(text) if isinstance(v, dict)), {})
    if not (told := told or dict(parts_in(text))):
        raise CheckError("It holds no JSON object.")
    given = told.get("parameters")
    parameters: dict[str, Any] = dict(given) if isinstance(given, dict) else {}
    inside = isinstance(told.get("words"), dict)
    words = parts_of(told["words"] if inside else told)
    if isinstance(told.get("card"), str):
        card, known = cards[str(told["card"])], True
        if plan is not None and plan[0].name == card.name:
            parameters = {**parameters, **plan[1]}
    elif isinstance(told.get("program"), dict):
        card, known = _read({"name": "designed", "words": told.get("words", {}), **told["program"]}), False
    elif words:
        weighted = described.weight is not None
        card, known = (
            _read(
                {"name": "designed", **program_in_words(words, parameters, weighted, told if inside else {})}
            ),
            False,
        )
    else:
        raise CheckError('It names no "card", has no "program", and no "words" with all six parts.')
    for name in [name for name in parameters if isinstance(parameters[name], str) and _node(card, name)]:
        parameters[name] = described.position.get(parameters[name], parameters[name])
    bind(card.program, described.graph, parameters)
    if not known and card.program.in_words:
        tried_in_words(card, parameters, described, agents)
    elif not known:
        tried(card, parameters, described.directed)
    return Design(card, parameters, known)


def _read(source: Mapping[str, Any]) -> Card:
    """The card of a program. Raises CheckError that names all that is wrong with its expressions, not the first alone."""
    faults: list[str] = []
    mended = source
    for _ in range(MOST_FAULTS):
        try:
            card = read_card(mended)
            _ = card.program  # is read when it is first asked for
        except CallError as error:
            faults.append(str(error))
            without = _without(mended, str(error))
            if without is None:
                break
            mended = without
            continue
        if not faults:
            return card
        break
    raise CheckError("\n".join(faults))


def _without(source: Mapping[str, Any], fault: str) -> Mapping[str, Any] | None:
    """A program with a plain expression in the place that an error names, so that others are found; None where none fits."""
    named = _PLACE.match(fault)
    part = source.get(named["part"]) if named else None
    if named is None or not isinstance(part, dict) or named["name"] not in part:
        return None
    types = {**dict(source.get("message") or {}), **dict(source.get("state") or {})}
    plain = _PLAIN.get(named["name"]) or _PLAIN.get(str(types.get(named["name"])))
    if plain is None or part[named["name"]] == plain:
        return None
    return {**source, named["part"]: {**part, named["name"]: plain}}


def tried(card: Card, parameters: Mapping[str, Any], directed: bool, seed: int = 0) -> None:
    """Run a new algorithm on small random graphs. Raises CallError where it does not end or has no answer."""
    rng = random.Random(seed)
    for _ in range(TRIALS):
        trial, call = _trial(card, parameters, rng.randint(4, 8), directed, rng)
        Executor(trial.graph, limits=TRIAL).run(call)


def tried_in_words(
    card: Card, parameters: Mapping[str, Any], described: Described, agents: LmEngine, seed: int = 0
) -> None:
    """Have agents act on a design in words on a graph of four nodes, where the problem's is much larger.

    Raises CallError where they do not come to an end there, or where the problem has too many nodes for it.
    """
    n = described.num_nodes
    if n > MOST_AGENTS:
        raise CheckError(
            f"A design in words asks the model for every node in every round: {n:,} nodes are more than {MOST_AGENTS}. "
            "Write it as a program."
        )
    if n > 2 * TRIAL_AGENTS:
        trial, call = _trial(card, parameters, TRIAL_AGENTS, described.directed, random.Random(seed))
        engine = replace(agents, card=card, keep=None)
        Executor(trial.graph, limits=LIMITS, programs=Programs(engine)).run(call)


def _trial(
    card: Card, parameters: Mapping[str, Any], n: int, directed: bool, rng: random.Random
) -> tuple[Described, Call]:
    """A random graph of `n` nodes, and the algorithm as a call on it."""
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b and (directed or a < b)]
    edges = [(*pair, rng.randint(1, 9)) for pair in rng.sample(pairs, min(len(pairs), 2 * n))]
    fitting = {
        name: value % n if isinstance(value, int) and _node(card, name) else value
        for name, value in parameters.items()
    }
    trial = Described.numbered_as(small_graph(n, edges, directed))
    return trial, Design(card, fitting, False).call(trial)


def _node(card: Card, name: str) -> bool:
    parameter = card.program.parameters.get(name)
    return parameter is not None and parameter.type.kind == "node"


def _listed(card: Card) -> str:
    program = {
        name: value for name, value in card.source.items() if name == "name" or name not in _WORDS_OF_CARDS
    }
    return f"## {card.name}\n{card.text}\nAs a program: {json.dumps(program)}"
