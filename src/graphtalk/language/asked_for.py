"""Questions that ask for a property otherwise than by its name: "how tough is X" for `difficulty`.

What stands for a name is in `synonyms.txt`. A form of question is taken only where all its words have their place in it.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from graphtalk.language.dictionary import verb_done
from graphtalk.language.english import stem
from graphtalk.language.nouns import plural, singular
from graphtalk.language.people import may_act
from graphtalk.language.synonyms import (
    Reworded,
    inflected,
    said_of,
    sections,
    singular_of,
    without_unit,
)
from graphtalk.language.units import units

_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_OTHER = re.compile(r"[^\w\s\"'“”‘’-]|\d")
_CONTRACTED = re.compile(r"\b(what|when|where|who|how)['’]s\b", re.I)
_THING = "~"  # the place of a name in a form of question
# Words of a form of question, each with those that may stand there: what it "did cost" is what it "does".
_PRESENT = frozenset("do will would can could".split())
_ALIKE = {
    "is": frozenset("is are was were".split()),
    "was": frozenset("was were".split()),
    "has": frozenset("has have had".split()),
    "do": _PRESENT | {"does"},
    "does": _PRESENT | {"does", "did"},
    "we": frozenset("we they you i people somebody someone anyone anybody".split()),
    "one": frozenset("me us you them one someone somebody people".split()),
    "one's": frozenset("my our your their one's his her its".split()),
}
_FORMAL = frozenset(
    "what when where which who how much many long far ~ in on at of to for from".split()
).union(*(words - {"people"} for words in _ALIKE.values()))
_BEFORE_NOUNS = frozenset(
    "the a an of by what which whose how their its his her our my each per average total mean median most least".split()
)
_AFTER_NOUNS = frozenset(
    "of for is are was were does do did has have had can could would will in at on by to from with than per each "
    "and or who that which it they".split()
) | {""}
_OF_ALL = frozenset(
    "in of at from on the a by our my we they there have has do is are got".split()
)  # behind the best of some
_DETERMINERS = frozenset("the a an our this that".split())
_WHEN = ("when", "what year", "which year", "in what year", "in which year")
_ASKS = {
    "date": ("when",),
    "year": _WHEN,
    "number": ("how much",),
    "time": ("how long",),
    "text": ("what",),
}
_NO_PLACE = frozenset("as of by about with for".split())  # after such "where" asks for nothing
# Verbs of an amount: what something costs is a number, but what it holds are things.
_OF_AMOUNTS = frozenset(
    "cost weigh earn come amount add sell go set rent retail run measure read be charge pay spend fork shell "
    "tip".split()
)
_LONGEST = 4  # words of a noun
# Nouns that say too little alone.
_VAGUE = frozenset(
    "day date year time number count quantity name title share percentage proportion portion amount part".split()
)
_NUMBER_OF = re.compile(r"number of (?P<noun>[\w ]+)")
_MANY_ASKED = tuple(
    f"{way} ~{end}".strip()
    for way, end in (
        ("do", " have"),
        ("has", " got"),
        ("are there in", ""),
        ("are there at", ""),
        ("are there on", ""),
    )
)


@dataclass(frozen=True)
class Property:
    """A property in words: whose it is (nothing of one of edges), its name, and its kind.

    Kinds are `number`, `time` (a number of hours and the like), `year`, `date` and `text`; no verb asks for others.
    """

    owner: str
    name: str
    kind: str


@dataclass(frozen=True)
class Named:
    """A name in a question: its place, and the type of what it names, in words."""

    start: int
    end: int
    owner: str


@dataclass(frozen=True)
class _Form:
    """A form of question, word by word; each is a set of words that may stand there."""

    words: tuple[frozenset[str], ...]
    of: Property
    own: frozenset[str]  # the stems of what it says by words of its own


class AskedFor:
    """Puts questions for the properties of one schema as "what is the <name> of X".

    types: names in words; own: all words of the schema, which mean what they say
    """

    def __init__(self, properties: Sequence[Property], types: Sequence[str], own: frozenset[str]) -> None:
        self._stems = frozenset(map(stem, own))
        forms = [form for p in properties for form in _forms(p) if self._foreign(form)]
        self._forms: dict[str, list[_Form]] = {}
        for form in forms:
            self._forms.setdefault(form.of.owner, []).append(form)
        self._nouns: dict[str, set[str]] = {}
        called = {noun for t in types for noun in sections()["types"].get(singular_of(t), ((),))[0]}
        for p in (p for p in properties if p.kind in _ASKS):
            for noun in {singular_of(n) for n in said_of(p.name)[0]} - called - _VAGUE:
                if self._stems.isdisjoint(map(stem, noun.split())) and not units(noun):
                    self._nouns.setdefault(noun, set()).add(p.name)
        self._most: dict[tuple[str, str], set[tuple[str, str]]] = {}  # by superlative and type
        for p in (p for p in properties if p.kind in ("number", "time") and p.owner):
            for way, adjectives in zip(("highest", "lowest"), said_of(p.name)[2:4], strict=True):
                for adjective in (a for a in adjectives if self._stems.isdisjoint(map(stem, a.split()))):
                    for said in _superlatives(adjective):
                        self._most.setdefault((said, singular_of(p.owner)), set()).add((p.name, way))

    def _foreign(self, form: _Form) -> bool:
        """Whether the schema has no word of a form, but for those of the property: what it calls so is asked for."""
        return form.own.isdisjoint(self._stems - set(map(stem, form.of.name.split())))

    def of(
        self, question: str, named: Sequence[Named], taken: Collection[tuple[int, int]]
    ) -> Iterator[Reworded]:
        """The question with a property by its name; `named`: the nodes that it names; `taken`: spans that stay."""
        asked = self._asked(question, named[0]) if len(named) == 1 else None
        if asked is not None:
            yield asked
        elif (by_name := self._by_name(question, taken) or self._the_most(question, taken)) is not None:
            yield by_name

    def _asked(self, question: str, name: Named) -> Reworded | None:
        """The question by the forms that all its words have their place in, if these ask for one property."""
        tokens = _tokens(question, name)
        asked = {f.of.name for f in self._forms.get(name.owner, ()) if _fits(f, tokens)}
        now = tokens[:2] in (["when", "does"], ["when", "do"])
        if len(asked) != 1 or (now and any(verb_done(w) for name in asked for w in name.split())):
            return None  # when a shop opens is not the day on which it was opened
        meant = without_unit(asked.pop())
        said = f"{question[: name.start]}…{question[name.end :]}".strip(" …?!.")
        return Reworded(f"What is the {meant} of {question[name.start : name.end]}?", ((said, meant),))

    def _by_name(self, question: str, taken: Collection[tuple[int, int]]) -> Reworded | None:
        """The question with all nouns that stand for one property each."""
        words = list(_TOKEN.finditer(question))
        lower = ["", *(m[0].lower() for m in words), ""]
        found: list[tuple[int, int, str]] = []
        for at in range(len(words)):
            for end in range(min(len(words), at + _LONGEST), at, -1):
                text = " ".join(lower[at + 1 : end + 1])
                names = self._nouns.get(singular_of(text), set())
                start, stop = words[at].start(), words[end - 1].end()
                clear = not any(a < stop and start < b for a, b in (*taken, *(f[:2] for f in found)))
                if len(names) == 1 and clear and _is_noun(lower[at], lower[end + 1]):
                    meant = without_unit(next(iter(names)))
                    many = text != singular_of(text) and meant == singular(meant)
                    found.append((start, stop, plural(meant) if many else meant))
        if not found:
            return None
        put = question
        for start, end, meant in reversed(found):
            put = put[:start] + meant + put[end:]
        return Reworded(put, tuple((question[start:end], meant) for start, end, meant in found))

    def _the_most(self, question: str, taken: Collection[tuple[int, int]]) -> Reworded | None:
        """ "The priciest boats" as "the boats with the highest price", where nothing but names and places follows."""
        words = list(_TOKEN.finditer(question))
        for at, end, stop in combinations(range(len(words) + 1), 3):
            start, last = words[at].start(), words[stop - 1].end()
            said, noun = question[start : words[end - 1].end()], question[words[end].start() : last]
            found = self._most.get((said.lower(), singular_of(noun.lower())), set())
            behind = (m for m in re.finditer(r"\w+", question[last:]) if not _within(m.start() + last, taken))
            if len(found) != 1 or any(_within(i, taken) for i in (start, last - 1)):
                continue
            if _OF_ALL.issuperset(m[0].lower() for m in behind):
                name, way = next(iter(found))
                meant = f"{way} {without_unit(name)}"
                return Reworded(
                    f"{question[:start]}{noun} with the {meant}{question[last:]}", ((said, meant),)
                )
        return None


def _within(place: int, spans: Collection[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _tokens(question: str, name: Named) -> list[str]:
    """The words of a question in lower case, with a name as one; nothing where something is no word.

    The articles and the noun of its type beside the name are left out.
    """
    noun = {*name.owner.split(), *singular_of(name.owner).split()}
    before, after = (
        _CONTRACTED.sub(r"\1 is", part).lower()
        for part in (question[: name.start], question[name.end :].rstrip(" ?!."))
    )
    if _OTHER.search(before + after):
        return []
    first, last = _TOKEN.findall(before), _TOKEN.findall(after)
    while first and first[-1] in noun | _DETERMINERS:
        first.pop()
    while last and last[0] in noun:
        del last[0]
    return [*first, _THING, *last]


def _fits(form: _Form, tokens: Sequence[str]) -> bool:
    return len(form.words) == len(tokens) and all(
        t in words for words, t in zip(form.words, tokens, strict=True)
    )


def _forms(of: Property) -> Iterator[_Form]:
    """The forms of question that ask for a property."""
    nouns, does, more, less, others, questions = said_of(of.name)
    for phrase in does:
        first, *rest = phrase.split()
        for asks in _asking(of.kind, phrase):
            words = ("is", _THING, *rest) if first == "be" else ("does", _THING, first, *rest)
            yield _form((asks, *words), of, phrase)
    for phrase in others:
        first, *rest = phrase.split()
        for asks in _asking(of.kind, phrase) if of.kind != "text" else ():
            yield _form((asks, "does", "we", phrase, _THING), of, phrase)
        for said in (
            (inflected(first, "s"), inflected(first, "did")) if of.kind == "text" and may_act(of.name) else ()
        ):
            yield _form(("who", said, *rest, _THING), of, phrase)
    for adjective in (*more, *less) if of.kind in ("number", "time", "text") else ():
        yield _form(("how", adjective, "is", _THING), of, adjective)
    for noun in (m["noun"] for n in nouns if of.kind == "number" and (m := _NUMBER_OF.fullmatch(n))):
        for asked in _MANY_ASKED:
            yield _form(("how many", noun, asked), of, noun)
    for form in questions:
        yield _form((form,), of, form)


def _asking(kind: str, phrase: str) -> Iterator[str]:
    """The words that ask what a property of this kind says by a verb."""
    first, last = phrase.split()[0], phrase.split()[-1]
    yield from _ASKS.get(kind, ())
    if kind == "text" and last not in _NO_PLACE:
        yield "where"
    if kind == "number" and first in _OF_AMOUNTS:
        yield "what"


def _form(words: Sequence[str], of: Property, telling: str) -> _Form:
    """A form; `telling`: the words in it that say what is asked for."""
    own = frozenset(stem(w) for w in telling.split() if w not in _FORMAL)
    return _Form(tuple(_ALIKE.get(w, frozenset((w,))) for word in words for w in word.split()), of, own)


def _is_noun(before: str, after: str) -> bool:
    """Whether words between two others are a whole noun: no verb, and no part of a longer noun or of an idiom ("in charge")."""
    return (
        before in _BEFORE_NOUNS
        or before.endswith(("est", "'s", "’s", "s'"))
        or (not before and after in ("of", "for"))
    ) and after in _AFTER_NOUNS


def _superlatives(adjective: str) -> Iterator[str]:
    """The superlatives of an adjective.

    >>> [list(_superlatives(word)) for word in ("pricey", "big", "dear", "productive")]
    [['most pricey', 'priciest'], ['most big', 'biggest'], ['most dear', 'dearest'], ['most productive']]
    """
    yield f"most {adjective}"
    soft = re.sub(r"e?y$", "i", adjective)
    if soft != adjective:
        yield f"{soft}est"
    elif re.fullmatch(r"[^aeiou]*[aeiou]+[^aeiou]+e?", adjective):
        doubled = (
            adjective + adjective[-1] if re.fullmatch(r"[^aeiou]*[aeiou][bdgmnt]", adjective) else adjective
        )
        yield f"{doubled.removesuffix('e')}est"
