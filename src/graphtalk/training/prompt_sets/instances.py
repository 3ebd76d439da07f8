"""What prompts ask about: the values of a template's slots, and what is known to be true of them."""

import random
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from graphtalk.core import JSON
from graphtalk.graphs import builtin

Truth: TypeAlias = Callable[[str], JSON]


def unknown(call: str) -> JSON:
    """Nothing is known to be true."""
    return None


@dataclass(frozen=True)
class Instance:
    """The values of slots. `truth` tells what has to be given by the call of a name: a list of what is right, or None."""

    slots: Mapping[str, str]
    truth: Truth = unknown


def invented(family: str, rng: random.Random) -> Iterator[Instance]:
    """Endless instances of a family, made up: for annotators, which learn to copy names and not to know them."""
    make = _INVENTED[family]
    while True:
        yield Instance(make(rng))


def property_of(load: str, graph: str, nodes: int, rng: random.Random) -> dict[str, str]:
    """Slots for a graph with nodes 0 to `nodes` - 1."""
    return {
        "load": load,
        "graph": graph,
        "node": str(rng.randrange(nodes)),
        "other": str(rng.randrange(nodes)),
    }


def _property(rng: random.Random) -> dict[str, str]:
    name = rng.choice(_gpr_names()) if rng.random() < 0.5 else f"{_word(rng)}_{_word(rng)}_graph"
    return property_of(f'GL("gpr", {{"{name}"}})', name.replace("_", " "), 60, rng)


def _bibliographic(rng: random.Random) -> dict[str, str]:
    return {"data": rng.choice(("cora", "citeseer", "pubmed")), "paper": str(rng.randrange(1_200_000))}


def _molecular(rng: random.Random) -> dict[str, str]:
    return {"data": rng.choice(("proteins", "mutag", "nci1", "ptc")), "instance": str(rng.randrange(4200))}


def _social(rng: random.Random) -> dict[str, str]:
    return {"data": rng.choice(("twitter", "foursquare")), "user": _handle(rng), "other": _handle(rng)}


KINDS = {"movielens": ("movie", "movies"), "last-fm": ("artist", "artists"), "amazon": ("item", "items")}


def _recommender(rng: random.Random) -> dict[str, str]:
    data = rng.choice(tuple(KINDS))
    codes = (_code(rng, "A", 14), _code(rng, "B0", 10))
    numbers = (f"u{rng.randrange(2200)}", f"i{rng.randrange(19_000)}")
    user, item = codes if data == "amazon" else numbers
    return recommender_slots(data, user, item, rng)


def recommender_slots(data: str, user: str, item: str, rng: random.Random) -> dict[str, str]:
    """Slots of a recommender: what its items are called, and how many are wanted."""
    kind, kinds = KINDS[data]
    return {
        "data": data,
        "user": user,
        "item": item,
        "kind": kind,
        "kinds": kinds,
        "k": str(rng.randint(2, 20)),
    }


def _knowledge(rng: random.Random) -> dict[str, str]:
    if rng.random() < 0.5:
        head, tail = (f"{_word(rng)}.{rng.choice('nvar')}.{rng.randint(1, 9):02d}" for _ in range(2))
        return {"data": "wordnet", "head": head, "tail": tail, "relation": f"_{_word(rng)}_{_word(rng)}"}
    head, tail = (
        f"/m/0{''.join(rng.choices(string.digits + string.ascii_lowercase, k=5))}" for _ in range(2)
    )
    relation = "/".join(["", _word(rng), _word(rng), *(_word(rng) for _ in range(rng.randint(1, 4)))])
    return {"data": "freebase", "head": head, "tail": tail, "relation": relation}


def _stored(rng: random.Random) -> dict[str, str]:
    return {
        "data": _word(rng),
        "type": _word(rng),
        "node": f"{_word(rng).title()} {_word(rng).title()}",
        "feature": _word(rng),
        "is": "is",
        "relation": f"{_word(rng)} {_word(rng)}",
    }


def _loading(rng: random.Random) -> dict[str, str]:
    topic = f"{_word(rng)} {rng.choice(('social network', 'road map', 'citation network', 'knowledge graph', 'molecular graph'))}"
    return {
        "graph": topic,
        "graph_id": topic.replace(" ", "-"),
        "first": _word(rng).title(),
        "second": _word(rng).title(),
    }


_INVENTED: dict[str, Callable[[random.Random], dict[str, str]]] = {
    "property": _property,
    "bibliographic": _bibliographic,
    "molecular": _molecular,
    "social": _social,
    "recommender": _recommender,
    "knowledge": _knowledge,
    "stored": _stored,
    "loading": _loading,
}


def _gpr_names() -> list[str]:
    graphs = builtin.load("gpr")
    return list(getattr(graphs, "names", ()))


def _word(rng: random.Random) -> str:
    """A word that can be said."""
    syllables = (
        "".join((rng.choice("bdfgklmnprstvz"), rng.choice("aeiou"))) for _ in range(rng.randint(2, 4))
    )
    return "".join(syllables)


def _handle(rng: random.Random) -> str:
    shape = rng.randrange(4)
    if shape == 0:
        return f"user/{rng.randrange(20_000_000)}"
    if shape == 1:
        return f"{_word(rng).title()}{_word(rng).title()}"
    return f"{_word(rng)}{rng.choice(('', '_'))}{rng.choice((_word(rng), str(rng.randrange(2000))))}"


def _code(rng: random.Random, start: str, length: int) -> str:
    return start + "".join(rng.choices(string.digits + string.ascii_uppercase, k=length - len(start)))
