"""Nouns of graphs (node, edge, weight, unit) in every story, their plurals, and names that stand behind them."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

from graphtalk.language.dictionary import dictionary

ARROW = r"(?:<?-{1,2}>|=>|→|⟶|⇒|↔|<->)"
CAPITAL = "A-ZÀ-ÖØ-ÞĀ-ɏΑ-ΫЀ-Я"  # inside a class of letters; of the last alphabets of Latin small letters too
NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"


@cache
def nouns() -> dict[str, str]:
    """The nouns of each kind, in the singular, apart by spaces."""
    return _toml("nouns")


@cache
def relations() -> dict[str, list[str]]:
    """Verbs and phrases that join two nodes, by direction, as regular expressions; `{edges}` in them is any noun of edges."""
    listed: dict[str, list[str]] = _toml("relations")
    return {
        way: [verb.replace("{edges}", either("edges")) for verb in verbs] for way, verbs in listed.items()
    }


def _toml(name: str) -> dict[str, Any]:
    return tomllib.loads((resources.files("graphtalk.language") / f"{name}.toml").read_text("utf-8"))


@cache
def words(kind: str) -> frozenset[str]:
    """The nouns of a kind (`nodes`, `edges`, `both_ways`, `weights`, `units`), singular and plural."""
    listed = nouns()[kind].split()
    return (
        frozenset(listed) if kind == "units" else frozenset(form for word in listed for form in forms(word))
    )


@cache
def either(kind: str) -> str:
    """A group that matches any noun of a kind, the longest first."""
    return any_of(words(kind))


def any_of(options: Iterable[str]) -> str:
    """A group that matches any of these words, the longest first."""
    return f"(?:{'|'.join(sorted(map(re.escape, options), key=len, reverse=True))})"


_ODD = {
    "vertex": "vertices", "person": "people", "people": "people", "index": "indices", "child": "children", "man": "men",
    "woman": "women", "matrix": "matrices", "genus": "genera", "species": "species", "series": "series", "data": "data",
    "staff": "staff", "crew": "crew", "equipment": "equipment", "furniture": "furniture", "aircraft": "aircraft", "sheep": "sheep",
    "spacecraft": "spacecraft", "movie": "movies", "cookie": "cookies", "zombie": "zombies", "cache": "caches", "foot": "feet",
    "tooth": "teeth", "mouse": "mice", "taxon": "taxa", "criterion": "criteria", "phenomenon": "phenomena", "bacterium": "bacteria",
    "herbarium": "herbaria", "larva": "larvae", "alga": "algae", "axis": "axes", "analysis": "analyses", "diagnosis": "diagnoses",
    "hypothesis": "hypotheses", "thesis": "theses", "basis": "bases", "crisis": "crises", "leaf": "leaves", "shelf": "shelves",
    "wolf": "wolves", "calf": "calves", "half": "halves", "loaf": "loaves", "thief": "thieves", "knife": "knives", "wife": "wives",
    "midwife": "midwives", "life": "lives",
}  # fmt: skip
ONE_IN_S = frozenset(["headquarters", "news"])  # that somebody has one of
_ODD_ONES = {many: one for one, many in _ODD.items() if one != "people"}


def forms(word: str) -> tuple[str, ...]:
    """A noun and its plural.

    >>> forms("city"), forms("bus"), forms("vertex")
    (('city', 'cities'), ('bus', 'buses'), ('vertex', 'vertices'))
    """
    if word in _ODD:
        return word, _ODD[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word, f"{word[:-1]}ies"
    return word, f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"


def plural(noun: str) -> str:
    """The plural of a noun as a schema's names need it; what ends as plurals do stays.

    >>> plural("city"), plural("box"), plural("films"), plural("bus")
    ('cities', 'boxes', 'films', 'buses')
    """
    head, _, last = noun.rpartition(" ")
    if last in _ODD or last in _ODD_ONES:
        return f"{head} {_ODD.get(last, last)}".strip()
    if noun.endswith(("s", "x", "ch", "sh")):
        already = noun.endswith("s") and (singular(last) != last.lower() or last in ONE_IN_S)
        return noun if already else f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


@cache
def _ones() -> dict[str, str]:
    """Nouns for nodes and edges by each of their forms."""
    known = [noun for kind in ("edges", "nodes") for noun in reversed(nouns()[kind].split())]
    return {form: noun for noun in known for form in forms(noun)}  # of two with one form the first counts


def singular(word: str) -> str:
    """The singular of a noun that may be a plural; the word itself where it is none.

    >>> singular("cities"), singular("boxes"), singular("movies"), singular("status"), singular("buses")
    ('city', 'box', 'movie', 'status', 'bus')
    """
    low = word.lower()
    if low in _ODD_ONES:
        return _ODD_ONES[low]
    if low in _ones():
        return _ones()[low]
    if low.endswith("ies") and len(low) > 4:
        return f"{low[:-3]}y"
    if low.endswith(("sses", "shes", "ches", "xes")) or (low.endswith(("ses", "oes")) and _adds_es(low)):
        return low[:-2]
    return low[:-1] if low.endswith("s") and not low.endswith(("ss", "us", "is")) and len(low) > 3 else low


def _adds_es(word: str) -> bool:
    """Whether a noun in -es is one in -s or -o: "viruses" and "heroes", no "houses" and "shoes"."""
    known = dictionary()[0]
    return word[:-2] in known and word[:-1] not in known


def is_plural(name: str) -> bool:
    """Whether a name is that of several things, told by its last word.

    >>> is_plural("weekly flights"), is_plural("status"), is_plural("population")
    (True, False, False)
    """
    last = name.rpartition(" ")[2].lower()
    return singular(last) != last and last not in ONE_IN_S


def named(text: str) -> tuple[str, str]:
    """The noun before a name, and the name: quotes fall away, and nouns before a number or a letter.

    >>> named("Applicant 0"), named("'A'"), named("New York")
    (('applicant', '0'), ('', 'A'), ('', 'New York'))
    """
    bare = text.strip().strip("\"'")
    noun, _, rest = bare.rpartition(" ")
    if noun and re.fullmatch(r"\d+|[A-Za-z]\d*", rest) and re.fullmatch(r"[A-Za-z]{2,}", noun):
        return singular(noun), rest
    if noun and noun in words("nodes"):
        return singular(noun), rest
    return "", bare


# A name, read in one way and with ten words at most, so that a text is read in a time linear in its length: quoted, a number, words with capitals, a letter. "Paris 20 minutes" is a name and a value.
ID = (
    rf"(?<![\w'’])(?:\"[^\"\n]{{1,60}}\"|'[^'\n]{{1,60}}'|\d++(?!\.\d)(?! ?{either('units')}\b)"
    rf"|[{CAPITAL}][\w'’]*(?:[ -](?:[{CAPITAL}]|(?<!\b[{CAPITAL}][ -])\d++(?! ?{either('units')}\b))[\w'’]*){{0,9}}|[a-z]\d*\b|[a-z]{{2,}}\d+\b)"
)
