"""The words and wordings that questions are made of, and a little English to bend them."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from random import Random


def _lines(name: str) -> list[str]:
    text = (files("graphtalk.training.reader") / name).read_text("utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


@cache
def wordings() -> dict[str, list[str]]:
    """Wordings by kind (`wordings.tsv`)."""
    found: dict[str, list[str]] = {}
    for line in _lines("wordings.tsv"):
        kind, _, texts = line.partition("\t")
        found.setdefault(kind, []).extend(texts.split("|"))
    return found


@cache
def sections() -> dict[str, list[list[str]]]:
    """The sections of `words.txt`: lines, each split at its bars or, in tables, at its semicolons."""
    found: dict[str, list[list[str]]] = {}
    name = ""
    for line in _lines("words.txt"):
        if line.startswith("["):
            name = line.strip("[] \n")
            continue
        found.setdefault(name, []).append([w.strip() for w in line.split(";" if " ; " in line else "|")])
    return found


def pool(section: str) -> list[str]:
    """All words of a section."""
    return [word for line in sections()[section] for word in line]


@cache
def common(kind: str) -> dict[str, list[str]]:
    """Everyday nouns or verbs, each with words of the same meaning (`common.txt`, from WordNet)."""
    rows = (line.split("\t") for line in _lines("common.txt"))
    return {word: [w for w in alike.split(",") if w] for of, word, alike in rows if of == kind}


@cache
def everyday(kind: str) -> list[str]:
    """The words of `common`."""
    return list(common(kind))


@cache
def plural(noun: str) -> str:
    """The plural of a noun phrase: its last word's, but for "number of beds"."""
    head, of, rest = noun.partition(" of ")
    if of:
        return f"{plural(head)} of {rest}"
    before, _, last = noun.rpartition(" ")
    return f"{before} {_bent(last, 'NNS')}".strip()


@cache
def base(past: str) -> str:
    """The base form of a verb phrase in the past: `acted in` gives `act in`."""
    from lemminflect import getLemma

    verb, _, rest = past.partition(" ")
    return f"{getLemma(verb, 'VERB')[0]} {rest}".strip()


@cache
def perfect(past: str) -> str:
    """The participle of a verb phrase in the past."""
    return _verb(past, "VBN")


@cache
def past(verb: str) -> str:
    """A verb in the past."""
    return _bent(verb, "VBD")


@cache
def gerund(past: str) -> str:
    """The -ing form of a verb phrase in the past."""
    return _verb(past, "VBG")


def _verb(past: str, form: str) -> str:
    verb, _, rest = base(past).partition(" ")
    return f"{_bent(verb, form)} {rest}".strip()


def _bent(word: str, form: str) -> str:
    from lemminflect import getInflection

    forms = getInflection(word, form)
    return forms[0] if forms else word


def synonym(word: str, section: str, random: Random) -> str:
    """Another word for a word of a schema, where the section has one."""
    lines = [line for line in sections()[section] if word == line[0]]
    return random.choice(random.choice(lines)) if lines else word


def adjectives(word: str, date: bool) -> list[list[str]] | None:
    """Comparatives and superlatives that go with a property: more, less, most, least and (numbers) how."""
    table = {line[0]: line for line in sections()["datewords" if date else "adjectives"]}
    line = table.get(word) or (table["*"] if date else None)
    return None if line is None else [cell.split(",") for cell in line[1:]]


def asked_for(word: str) -> list[str]:
    """Questions for a property of one thing that do not name the property."""
    return [text for line in sections()["asked"] if line[0] == word for text in line[1].split(",")]


def chosen(kind: str, random: Random, /, **slots: str) -> str:
    """A wording of a kind with its slots filled. Raises KeyError for a kind without wordings."""
    text = random.choice(wordings()[kind])
    for slot, filled in slots.items():
        text = text.replace(f"{{{slot}}}", filled)
    return text


def joined(texts: Sequence[str], random: Random) -> str:
    """Conditions one after another."""
    text = texts[0]
    for more in texts[1:]:
        text = chosen("and", random, x=text, y=more).replace("that that", "that")
    return text
