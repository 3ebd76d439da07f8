"""Schemas to make questions for: the made-up ones of `schemas.txt`, and tables with foreign keys, each time varied."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from random import Random
from typing import Any, TypeAlias

from graphtalk.reasoners.reader.shape import Held, Link, PropertyKind, Shape, spoken
from graphtalk.training.reader.lexicon import pool, sections, synonym


@dataclass(frozen=True)
class Quality:
    """A property of a domain. `kind` is finer than the reader's: person, place, word, code, year ..."""

    name: str
    kind: str
    words: tuple[str, ...] = ()
    low: float = 0
    high: float = 0


@dataclass(frozen=True)
class Verb:
    """A relation of a domain and how people say it."""

    source: str
    name: str
    target: str
    past: str = ""
    passive: str = ""
    source_noun: str = ""
    target_noun: str = ""
    qualities: tuple[Quality, ...] = ()


@dataclass(frozen=True)
class Domain:
    """Types with their qualities, and relations."""

    types: dict[str, tuple[Quality, ...]]
    verbs: tuple[Verb, ...]


@dataclass(frozen=True)
class World:
    """One variation of a domain: the schema as the reader sees it, and which words stand for what."""

    shape: Shape
    nouns: dict[str, str]
    qualities: dict[str, Quality]
    verbs: dict[str, tuple[Verb, bool]]
    values: dict[str, list[str]] = field(default_factory=dict)


def made_up() -> list[Domain]:
    """The domains of `schemas.txt`."""
    text = (files("graphtalk.training.reader") / "schemas.txt").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return [_domain(block.splitlines()) for block in re.split(r"\n\s*\n", "\n".join(lines)) if block.strip()]


def _domain(lines: Sequence[str]) -> Domain:
    types: dict[str, tuple[Quality, ...]] = {}
    verbs = []
    for line in filter(str.strip, lines):
        if re.match(r"^[a-z]+: ", line):
            name, _, rest = line.partition(": ")
            types[name] = tuple(_quality(each) for each in rest.split(", "))
        else:
            parts = [p.strip() for p in line.split(";")]
            source, relation, target = parts[0].split()
            said = [*parts[1:], "", "", "", "", ""]
            held = tuple(_quality(each.strip()) for each in said[4].split(",") if each.strip())
            verbs.append(Verb(source, relation, target, said[0], said[1], said[2], said[3], held))
    for verb in verbs:  # a type that a block only names in a relation has a name and no more
        for end in (verb.source, verb.target):
            types.setdefault(end, (Quality("name", "name"),))
    return Domain(types, tuple(verbs))


def _quality(text: str) -> Quality:
    name, _, kind = text.strip().partition(" ")
    kind, _, rest = kind.partition(":")
    if kind == "word":
        return Quality(name, "word", tuple(rest.split("|")))
    if kind == "number":
        low, _, high = rest.partition("-")
        return Quality(name, "number", (), float(low), float(high))
    return Quality(name, kind)


def tables(databases: Sequence[Mapping[str, Any]]) -> list[Domain]:
    """Domains of relational schemas as Spider's `tables.json` has them."""
    return [d for d in (_tables(each) for each in databases) if d.types]


def _tables(database: Mapping[str, Any]) -> Domain:
    names = [_singular(str(n)) for n in database["table_names"]]
    columns = database["column_names"]
    foreign = dict(database["foreign_keys"])
    keys = set(database["primary_keys"]) | set(foreign)
    held: dict[int, list[Quality]] = {i: [] for i in range(len(names))}
    links: dict[int, list[tuple[str, int]]] = {i: [] for i in range(len(names))}
    for at, (table, column) in enumerate(columns):
        if table < 0:
            continue
        if at in foreign:
            links[table].append((column, columns[foreign[at]][0]))
        elif at not in keys or database["column_types"][at] == "text":
            held[table].append(_column(str(column), str(database["column_types"][at]), names[table]))
    types: dict[str, tuple[Quality, ...]] = {}
    verbs = []
    for i, name in enumerate(names):
        ends = links[i]
        if len(ends) == 2 and len(held[i]) <= 2:
            (_first, a), (_second, b) = ends
            verbs.append(Verb(names[a], _upper(name), names[b], qualities=tuple(held[i])))
            continue
        types[name] = tuple({q.name: q for q in held[i]}.values())
        for column, b in ends:
            noun = re.sub(r" (id|code|number|no)$", "", column.lower())
            verbs.append(Verb(name, _upper(f"has {noun}"), names[b], target_noun=noun))
    kept = [v for v in verbs if v.source in types and v.target in types]
    return Domain(types, tuple({(v.source, v.name, v.target): v for v in kept}.values()))


def _column(column: str, kind: str, table: str) -> Quality:
    name = column.lower()
    if kind == "number":
        if "year" in name:
            return Quality(name, "year")
        return Quality(name, "number", (), 0, 1000)
    if kind == "time" or "date" in name:
        return Quality(name, "date")
    if kind == "boolean":
        return Quality(name, "flag")
    if "name" in name or "title" in name:
        return Quality(name, "person" if "first" in name or "last" in name else "name")
    if name in ("city", "location", "state", "hometown", "county", "region"):
        return Quality(name, "place")
    if name in ("country", "nationality"):
        return Quality(name, "country")
    return Quality(
        name, "text" if any(w in name for w in ("desc", "detail", "comment", "note")) else "word", _some(name)
    )


def _some(name: str) -> tuple[str, ...]:
    words = pool("words")
    at = sum(map(ord, name))
    return tuple(words[(at + 7 * i) % len(words)] for i in range(4))


def _singular(name: str) -> str:
    words = name.lower().replace("_", " ").split()
    last = words[-1]
    if last.endswith("ies"):
        last = f"{last[:-3]}y"
    elif last.endswith("s") and not last.endswith(("ss", "us", "is", "series", "species")):
        last = last[:-1]
    return " ".join([*words[:-1], last])


Style: TypeAlias = Callable[[str], str]
KINDS: dict[str, PropertyKind] = {"number": "number", "year": "number", "date": "date", "flag": "boolean"}


def vary(domain: Domain, random: Random) -> World:
    """A variation: names in one of many styles, some types and properties left out, relations turned round and added."""
    domain = replace(domain, verbs=(*domain.verbs, *_more_verbs(domain, random)))
    style = random.choice((_snake, _camel, _pascal, _upper, _plain, _snake, _camel))
    type_style = random.choice((_pascal, _pascal, _pascal, _pascal, _snake, _upper, _plain))
    link_style = random.choice((_upper, _upper, _upper, _snake, _camel, _plain))
    nouns: dict[str, str] = {}
    names: dict[str, str] = {}
    for name in domain.types:
        shown = synonym(name, "types", random) if random.random() < 0.25 else name
        names[name] = type_style(shown)
        nouns[name] = synonym(name, "types", random) if random.random() < 0.3 else shown
    if len(set(names.values())) < len(names):
        names = {name: type_style(name) for name in names}
    held: list[Held] = []
    qualities: dict[str, Quality] = {}

    def hold(owner: str, quality: Quality, edge: bool, naming: bool) -> None:
        name = _property_name(quality, style, random, spoken(owner.split("-")[0]), edge)
        kind = KINDS.get(quality.kind, "text")
        if quality.kind == "year" and random.random() < 0.15:
            kind = "date"
        h = Held(owner, name, kind, edge, naming, _examples(quality, random))
        if h.action not in qualities:
            held.append(h)
            qualities[h.action] = quality

    for name, of in domain.types.items():
        first = next(
            (q for q in of if q.kind in ("name", "person", "place", "country", "code", "text")), None
        )
        for quality in of:
            if quality is first or random.random() < 0.85:
                hold(names[name], quality, False, quality is first)
        if random.random() < 0.25:
            hold(
                names[name],
                Quality(random.choice(("id", "url", "uuid", "key", "link")), "code"),
                False,
                False,
            )
    verbs: dict[str, tuple[Verb, bool]] = {}
    links = []
    for verb in domain.verbs:
        turned, name = _link_name(verb, link_style, random)
        source, target = (verb.target, verb.source) if turned else (verb.source, verb.target)
        link = Link(name, names[source], names[target])
        if link.key in verbs:
            continue
        links.append(link)
        verbs[link.key] = (verb, turned)
        for quality in verb.qualities:
            hold(link.key, quality, True, False)
    types = list(names.values())
    random.shuffle(types)
    random.shuffle(links)
    random.shuffle(held)
    shape = Shape(tuple(types), tuple(links), tuple(held))
    return World(shape, {names[n]: noun for n, noun in nouns.items()}, qualities, verbs)


def _more_verbs(domain: Domain, random: Random) -> list[Verb]:
    """Relations that any schema may have, often of a type with itself, and old ones that reach another type too."""
    types = list(domain.types)
    verbs = []
    for _ in range(random.choice((0, 1, 1, 2, 2))):
        source_noun, target_noun, past, passive, name = random.choice(sections()["roles"])
        source = random.choice(types)
        target = source if random.random() < 0.6 else random.choice(types)
        edge = (Quality("since", "year"),) if random.random() < 0.15 else ()
        verbs.append(Verb(source, name, target, past, passive, source_noun, target_noun, edge))
    if domain.verbs and random.random() < 0.3:
        again = random.choice(domain.verbs)
        verbs.append(replace(again, target=random.choice(types)))
    return verbs


def _link_name(verb: Verb, style: Style, random: Random) -> tuple[bool, str]:
    """Whether a relation is turned round, and what it is called."""
    roll = random.random()
    if verb.source_noun and roll < 0.2:
        return True, style(f"has {verb.source_noun}")
    if verb.passive and roll < 0.3:
        return True, style(verb.passive)
    if verb.source_noun and roll < 0.34:
        return False, style(f"{verb.source_noun} of")
    if verb.target_noun and roll < 0.4:
        return False, style(f"has {verb.target_noun}" if random.random() < 0.6 else verb.target_noun)
    if verb.source_noun and roll < 0.45:
        return random.random() < 0.5, style(verb.source_noun)
    if roll < 0.5:
        return False, style(f"{verb.name} {verb.target}")
    return False, style(verb.name.lower().replace("_", " "))


def _property_name(quality: Quality, style: Style, random: Random, owner: str, edge: bool) -> str:
    name = quality.name.replace("_", " ")
    roll = random.random()
    if roll < 0.2:
        name = synonym(name, "properties", random)
    elif roll < 0.27 and not edge:
        name = f"{owner} {name}"
    elif roll < 0.33 and quality.kind == "number":
        name = random.choice((f"{name} count", f"nbr {name}", f"num {name}", f"total {name}", f"avg {name}"))
    elif roll < 0.36 and quality.kind == "flag":
        name = f"is {name}"
    elif roll < 0.40 and quality.kind in ("date", "year"):
        name = random.choice((f"{name} at", f"{name} on", f"{name} date"))
    return str(style(name))


def _snake(text: str) -> str:
    return re.sub(r"\W+", "_", text).strip("_")


def _upper(text: str) -> str:
    return _snake(text).upper()


def _camel(text: str) -> str:
    words: list[str] = re.findall(r"\w+", text)
    return words[0] + "".join(w.capitalize() for w in words[1:])


def _pascal(text: str) -> str:
    return "".join(w.capitalize() for w in re.findall(r"\w+", text))


def _plain(text: str) -> str:
    return text


def _examples(quality: Quality, random: Random) -> tuple[str, ...]:
    return tuple(invented(quality, random) for _ in range(2)) if quality.kind in ("word", "flag") else ()


def invented(quality: Quality, random: Random) -> str:
    """A value of a property."""
    words = pool("words")
    match quality.kind:
        case "person":
            return f"{random.choice(pool('first names'))} {random.choice(pool('last names'))}"
        case "place":
            return random.choice(pool("places"))
        case "country":
            return random.choice(pool("countries"))
        case "word":
            return random.choice(quality.words or ("a", "b"))
        case "flag":
            return random.choice(("true", "false"))
        case "year":
            return str(random.randint(1900, 2024))
        case "date":
            return f"{random.randint(1950, 2024)}-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
        case "number":
            return _number(quality, random)
        case "code":
            return _code(words, random)
        case "text":
            return " ".join(random.choice(words) for _ in range(random.choice((1, 1, 2, 3))))
        case _:
            return _name(words, random)


def _number(quality: Quality, random: Random) -> str:
    if (quality.high <= 5 and quality.low < 1) or quality.high == 1:
        return f"{random.uniform(quality.low, quality.high):.{random.choice((1, 2))}f}"
    value = random.randint(int(quality.low), int(quality.high))
    if value > 100 and random.random() < 0.7:
        step = 10 ** (len(str(value)) - random.choice((1, 1, 2)))
        value = max(step, value // step * step)
    return str(value)


def _code(words: Sequence[str], random: Random) -> str:
    a, b = random.choice(words), random.choice(words)
    number = random.randint(1, 999)
    return random.choice(
        (
            f"{a}-{b}",
            f"{a}{number}",
            f"{a}_{b}",
            f"{a[:3].upper()}-{number}",
            f"{a[:2].upper()}{number}",
            a,
            f"{a}.js",
            f"{a.upper()}-{b.upper()}-{number}",
        )
    )


def _name(words: Sequence[str], random: Random) -> str:
    a, b = random.choice(words).capitalize(), random.choice(words).capitalize()
    return random.choice(
        (
            a,
            f"{a} {b}",
            f"The {a} {b}",
            f"{a} of {b}",
            f"{a} {random.choice(pool('company ends'))}",
            f"{a} & {b}",
            f"{a} {random.randint(2, 20)}",
            f"The {a}",
        )
    )


def without_names(world: World) -> World:
    """The same without invented values; they are drawn again."""
    return replace(world, values={})
