"""What people say for the names of a schema: `looks after` for `keeper`, `report to` for `manages`, `bugs` for `vulnerability`.

`synonyms.txt` holds it, written by language models that saw no data set. A line says what other words ask for exactly what a name says:
`manage = run, oversee | report to`, behind the stroke what says the same with the two sides exchanged. It is no thesaurus: its words stand for the
name, and not for each other.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from itertools import islice, pairwise, product
from typing import NamedTuple

from graphtalk.core.abbreviations import spelt_out
from graphtalk.language.dictionary import past_forms, verb_done, verb_of, verbs
from graphtalk.language.english import stem
from graphtalk.language.nouns import is_plural, plural, singular
from graphtalk.language.people import may_act
from graphtalk.language.units import units

_WORD = re.compile(r"[^\W\d_]+(?:['’]s\b)?")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”")
_BE = {"be": "", "been": "done", "being": "ing", "is": "s", "are": "", "am": "", "was": "did", "were": "did"}
_DO = {"do": "are", "does": "is", "did": "was"}
_HELPING = frozenset((*_BE, "has", "have", "had", "get", "gets", "got"))
# Before these a word is no verb, and after these one is no longer the verb that it is alone.
_BEFORE_NOUNS = frozenset(
    "the a an of in on at for with by from their his her its our my your each every per all any no many most more fewer fewest some this "
    "that's which what whose".split()
)
_VAGUE = re.compile(r"(?:be|have|get|go|come) (?:in|on|at|from|under|with|by|of|to|for)")
_OTHER_OBJECT = frozenset("from to for with against".split())
_PARTICLES = frozenset(
    "up down out off over away back after through around round apart along together against about into onto upon across for with to of on".split()
)
_PREPOSITIONS = frozenset("in on at for with by from to of into under about".split())
_THEIRS = frozenset("my our your their his her its".split())
_AT_A_TIME = re.compile(
    r"^\W*(?:when|(?:in |on )?(?:what|which) (?:year|date|day|month))\b|\b(?:1[5-9]|20)\d\d\b", re.I
)
_NOTHING: list[tuple[str, ...]] = [(), (), (), (), (), ()]
_DATING = ("on", "at", "date", "time", "yr", "year")
_SAME = 5  # letters that words of one family begin with
_SUPPORTS = {  # verbs that say no more than the noun of what is done
    verb: frozenset(nouns.split())
    for verbs_, nouns in {
        "make": "booking reservation visit order donation payment purchase call offer bid complaint claim appointment inspection application "
        "recommendation referral nomination deposit withdrawal transfer observation sighting find measurement recording translation delivery",
        "do": "repair inspection survey test check audit interview training translation restoration dive job task shift",
        "carry perform conduct undertake": "inspection survey test check audit interview repair operation experiment trial analysis "
        "calibration restoration excavation patrol review",
        "give": "talk lecture speech lesson concert performance donation review rating interview",
        "log record report": "sighting observation find visit measurement reading catch",
        "write": "review report comment message post note letter",
        "leave post": "review comment rating message",
        "submit file lodge": "application complaint claim report bid petition review",
        "place": "order bid",
        "take": "exam test measurement reading sample trip",
        "cast": "vote",
    }.items()
    for verb in verbs_.split()
}  # fmt: skip
_OF_PERFECT = frozenset("has have had also ever never not already".split())
_OF_MANY = frozenset("are were have do".split())
_MOST_READINGS = 3  # of a question, in the words of a schema


class Reworded(NamedTuple):
    """A question in the words of a schema, and which of its words are read as others: (as written, as read)."""

    question: str
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Verb:
    """A way to say a relation: its words behind the verb, the name's key, and whether the two sides are exchanged."""

    rest: tuple[str, ...]
    key: str
    turned: bool


@cache
def sections() -> dict[str, dict[str, list[tuple[str, ...]]]]:
    """By section of the file and key what people say, field by field, as its head tells."""
    found: dict[str, dict[str, list[tuple[str, ...]]]] = {}
    section = ""
    for line in (resources.files("graphtalk.language") / "synonyms.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, _, said = line.partition(" = ")
            fields = [tuple(filter(None, map(str.strip, field.split(",")))) for field in said.split("|")]
            found.setdefault(section, {})[key] = fields + [()] * (6 - len(fields))
    return found


@cache
def _phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """All that says as much as a name, by its first word: its other words, and the key of the name."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    of = {"verbs": (0,), "roles": (0,), "events": (0,), "types": (0,), "properties": (0, 1, 4)}
    for section, fields in of.items():
        for key, said in sections()[section].items():
            for phrase in (p for i in fields for p in said[i] if not _VAGUE.fullmatch(p)):
                first, *rest = phrase.split()
                found.setdefault(first, []).append((tuple(rest), key))
    return found


@lru_cache(maxsize=512)
def said_for(question: str) -> dict[str, set[str]]:
    """The words of a question that may stand for a name, each with the keys of all such names.

    >>> sorted(said_for("who is in charge of the depot")["charge"] & {"boss", "captain", "driver"})
    ['boss', 'captain']
    >>> said_for("Who wrote the most reviews?")["wrote"] & {"review"}
    {'review'}
    """
    words, found = [m[0] for m in _WORD.finditer(question)], dict[str, set[str]]()
    lower = [word.lower() for word in words]
    for at, word in enumerate(lower):
        bases = {base for base, _ in _forms(word, lower[max(0, at - 4) : at])} | {singular(word)}
        for base in bases:
            for rest, key in _phrases().get(base, ()):
                end = at + 1 + len(rest)
                behind = (*lower[at + 1 : end - 1], *map(singular, lower[end - 1 : end])) if rest else ()
                following = lower[end] if end < len(lower) else ""
                if behind == rest and (rest or following not in _PARTICLES - {"of", "to", "for", "on"}):
                    for place in range(at, end):
                        found.setdefault(words[place], set()).add(key)
        if nouns := frozenset[str]().union(*(_SUPPORTS.get(base, ()) for base in bases)):
            asked = lower[1:4] if lower[0] in ("which", "what") or lower[:2] == ["how", "many"] else []
            done = {singular(w) for w in (*lower[at + 1 : at + 5], *asked)} & nouns
            if done:  # who "made" a booking booked
                found.setdefault(words[at], set()).update(done)
    return found


@cache
def said_of(name: str) -> list[tuple[str, ...]]:
    """What people say for a property of this name in words, field by field as the table has it; nothing where it has none.

    >>> said_of("altitude m")[2], said_of("amt")[0]
    (('high',), ('amount',))
    """
    table = sections()["properties"]
    return next((table[key] for key in _keys(name) if key in table), _NOTHING)


def _keys(name: str) -> Iterator[str]:
    """The keys that a property's name may stand under, the fullest first: without "is", its unit and "on", short forms spelt out."""
    short = name.lower().split()
    for words in (short, [spelt_out(w) or w for w in short]):
        told = words[1:] if words[0] in ("is", "has", "was") else words
        bare = without_unit(" ".join(told)).split()
        done = [w for w in bare if w not in _DATING]
        yield from map(
            " ".join, (words, told, bare, *([done] if len(done) == 1 and verb_done(done[0]) else []))
        )


def without_unit(name: str) -> str:
    """A name in words without the unit behind it; one of time may be all that it says.

    >>> without_unit("cost eur"), without_unit("volume m 3"), without_unit("built year")
    ('cost', 'volume', 'built year')
    """
    words = name.split()
    for size in (2, 1):
        of = units("".join(words[-size:]))
        if len(words) > size and of and all(u.dimension not in ("time", "months") for u in of):
            return " ".join(words[:-size])
    return name


@cache
def verbs_of_property(name: str) -> frozenset[str]:
    """The single verbs that ask for a property of this name in words: "earn" for "hourly rate eur"."""
    return frozenset(v for v in said_of(name)[1] if " " not in v)


class Rewording:
    """Puts questions into the words of one schema.

    relations: (name, source, target) in words; done: the dates and flags that say what was done (`joined on`); types: names in words; own:
    all names of the schema in words, which mean what they say; dated: the only date of a relation's edges, by what was done then, and the
    relation: who `knitted` what, `finished` when
    """

    def __init__(
        self,
        relations: Sequence[tuple[str, str, str]],
        done: Sequence[str],
        types: Sequence[str],
        own: frozenset[str],
        dated: Sequence[tuple[str, str]] = (),
    ) -> None:
        self._own = frozenset(w for name in own for w in name.split())
        self._stems = frozenset(map(stem, self._own))
        self._particles: dict[
            str, set[str]
        ] = {}  # by the words of names what follows there, if that is a particle
        for first, second in ((w, after) for name in own for w, after in pairwise((*name.split(), ""))):
            self._particles.setdefault(stem(first), set()).add(second if second in _PARTICLES else "")
        self._called = self._stems | {stem(w) for name in done for w in name.split()}
        self._types = {singular_of(name): name for name in types}
        self._names: dict[str, str] = {}  # keys of the table, each with the name it stands for
        self._doers: dict[str, set[str]] = {}  # and with the types of those who do it
        self._ends: dict[str, set[str]] = {}  # of names, where those at both sides may do it
        for name, source, target in (*relations, *((name, "", "") for name in done)):
            for key in _keys_of(name):
                self._names.setdefault(key, name)
                by = key in sections()["roles"] or name.endswith(" by")
                self._doers.setdefault(key, set()).add(target if by else source)
                if source and may_act(source) and may_act(target):
                    self._ends.setdefault(name, set()).update((source, target))
        table = sections()
        self._doers.update({noun: {t} for noun, t in self._types.items() if noun in table["roles"]})
        for event in table["events"].keys() & {singular_of(n) for n in (*types, *(r[0] for r in relations))}:
            beside = {end for r in relations if event in map(singular_of, r) for end in r[1:]}
            self._doers[event] = _who_does(event, beside)
        self._verbs: dict[str, list[_Verb]] = {}
        for key, name in self._names.items():
            for section in ("verbs", "roles"):
                for turned, phrases in enumerate(table[section].get(key, _NOTHING)[:2]):
                    if turned and name not in self._ends:
                        continue
                    for phrase in phrases:
                        self._add(phrase, key, bool(turned), section == "roles")
        for name in done:
            for phrase in said_of(name)[4]:
                self._add(phrase, f"done {name}", False, False)
        for date, relation in dated:
            does = [p for i in (1, 4) for p in said_of(date)[i] if not p.startswith("be ")]
            for phrase in dict.fromkeys((verb_done(date.split()[0]), *does)):
                self._add(phrase, f"dated {relation}", False, False)
        self._events: dict[str, str] = {}
        for noun in (singular(t.rpartition(" ")[2]) for t in types):
            same = table["events"].get(noun, _NOTHING)[0]
            alone = next(iter(sorted((v for v in same if " " not in v), key=lambda v: v in _past_of())), "")
            for phrase in same if alone else ():
                if " " in phrase:
                    self._events.setdefault(noun, alone)
                    self._add(phrase, f"event {noun}", False, False)
        self._nouns: dict[tuple[str, ...], set[str]] = {}
        for name in types:
            for noun in table["types"].get(singular_of(name), _NOTHING)[0]:
                self._nouns.setdefault(tuple(noun.split()), set()).add(name)

    def _add(self, phrase: str, key: str, turned: bool, role: bool) -> None:
        """A phrase for a name, unless the schema has its verb, or it says too little, or a role does it to somebody else: who borrows from X
        does not borrow X.
        """
        first, *rest = phrase.split()
        telling = [w for w in rest if w not in _PARTICLES | {"a", "an", "the", "in", "at", "by", "from"}]
        head = telling[0] if first == "be" and telling else first
        if (
            _VAGUE.fullmatch(phrase)
            or (self._has(head) and not self._differs(first, rest))
            or (role and rest and rest[-1] in _OTHER_OBJECT and first != "be")
        ):
            return
        self._verbs.setdefault(first, []).append(_Verb(tuple(rest), key, turned))

    def _differs(self, verb: str, rest: Sequence[str]) -> bool:
        """Whether the schema has a verb with other particles alone: what was "put out" is nothing by who `put_on` what."""
        there = self._particles.get(stem(verb), {""})
        return rest[:1] != [] and rest[0] in _PARTICLES and not {"", rest[0]} & there

    def _has(self, word: str) -> bool:
        """Whether the schema has a word, or one that is made of it: `advisory` of "advise"."""
        begun = stem(word)[:_SAME]
        return stem(word) in self._stems or (
            len(begun) == _SAME and any(o.startswith(begun) for o in self._own)
        )

    def stands_for(self, question: str) -> dict[str, set[str]]:
        """The words of a question that may stand for names of the schema, each with the keys of these; but for what is done by another type
        than does it here: what a shelter "gave" is nothing by its `donor`.
        """
        words = list(_WORD.finditer(question))
        subjects = {m[0]: self._subject(words, at) for at, m in enumerate(words)}
        return {
            word: {
                key
                for key in keys
                if self._called.issuperset(map(stem, key.split()))
                and self._may_do(subjects.get(word, ""), key)
            }
            for word, keys in said_for(question).items()
        }

    def _may_do(self, subject: str, key: str) -> bool:
        doers = self._doers.get(key, set()) - {""}
        return not (subject and doers) or subject in doers

    def _subject(self, words: Sequence[re.Match[str]], at: int) -> str:
        """The type that a verb is said of: "which shelters gave", "shelters that gave"; empty where that is not plain."""
        while at and words[at - 1][0].lower() in _OF_PERFECT:
            at -= 1
        if at and words[at - 1][0].lower() in ("who", "that", "which"):
            at -= 1
        for size in (2, 1):
            noun = " ".join(m[0].lower() for m in words[max(0, at - size) : at])
            if singular_of(noun) in self._types:
                return self._types[singular_of(noun)]
        return ""

    def of(
        self, question: str, taken: Sequence[tuple[int, int]], named: Collection[str]
    ) -> Iterator[Reworded]:
        """The question with what stands for names of the schema, in each way; `taken`: the spans that stay as they are; `named`: of what types
        the nodes are that it names.
        """
        kept = [*taken, *(m.span() for m in _QUOTED.finditer(question))]
        words = list(_WORD.finditer(question))
        places: list[list[tuple[int, int, str]]] = []
        at = 0
        while at < len(words):
            found = [
                each
                for each in (*self._said(words, at, named), *self._nouns_said(words, at))
                if not any(start < each[1] and each[0] < end for start, end in kept)
            ]
            longest = max((end for _, end, _ in found), default=0)
            found = list(dict.fromkeys(each for each in found if each[1] == longest))
            if found:
                places.append(found)
                at = next((i for i, m in enumerate(words) if m.start() >= longest), len(words))
            else:
                at += 1
        if _AT_A_TIME.search(question) is None:  # whether it was done at all, no date tells
            places = [[each for each in found if not each[2].endswith("\1")] for found in places]
        places = [found for found in places if found]
        if not places:
            return
        for choice in islice(product(*places), _MOST_READINGS):
            reworded = question
            for start, end, text in reversed(choice):
                reworded = reworded[:start] + text + reworded[end:]
                reworded = _asked_passively(reworded, start) if text.endswith(" by\0") else reworded
            yield Reworded(
                re.sub("[\0\1]", "", reworded),
                tuple((question[start:end], text.strip("\0\1")) for start, end, text in choice),
            )

    def _nouns_said(self, words: Sequence[re.Match[str]], at: int) -> Iterator[tuple[int, int, str]]:
        """The nouns that stand for a type, as (start, end, as the schema says it)."""
        for size in (3, 2, 1):
            part = [m[0].lower() for m in words[at : at + size]]
            if len(part) < size:
                continue
            last = singular(part[-1])
            names = self._nouns.get((*part[:-1], last), set()) | self._nouns.get(tuple(part), set())
            verb = part[-1] in verbs() or verb_of(part[-1])
            if verb and size == 1 and (not at or words[at - 1][0].lower() not in _BEFORE_NOUNS):
                continue
            if len(names) == 1 and not any(stem(w) in self._stems for w in part):
                name = singular_of(next(iter(names)))
                after = words[at + size][0].lower() if at + size < len(words) else ""
                many = is_plural(part[-1]) or part[-1] != last or after in _OF_MANY
                yield words[at].start(), words[at + size - 1].end(), plural(name) if many else name

    def _said(
        self, words: Sequence[re.Match[str]], at: int, named: Collection[str]
    ) -> Iterator[tuple[int, int, str]]:
        """The verbs that stand for a relation."""
        word = words[at][0].lower()
        before = [m[0].lower() for m in words[max(0, at - 4) : at]]
        for base, form in _forms(word, before):
            for verb in self._verbs.get(base, ()):
                end = at + 1 + len(verb.rest)
                behind = [m[0].lower() for m in words[at + 1 : end]]
                if len(behind) != len(verb.rest) or not all(
                    w == said or (said == "one's" and w in _THEIRS)
                    for w, said in zip(behind, verb.rest, strict=True)
                ):
                    continue
                if verb.turned and not self._ends[self._names[verb.key]].issuperset(named):
                    continue  # who manages a hut is nobody's manager
                if (
                    not verb.turned
                    and form != "done"
                    and not self._may_do(self._subject(words, at), verb.key)
                ):
                    continue
                if not verb.rest and end < len(words) and words[end][0].lower() in _PARTICLES:
                    continue
                said = self._put(verb, base, form, before)
                if said:
                    start = words[at].start()
                    yield start, words[end - 1].end(), said

    def _put(self, verb: _Verb, base: str, form: str, before: Sequence[str]) -> str:
        """The relation in the same form; a passive where the sides are exchanged."""
        if verb.key.startswith("event "):
            return inflected(self._events[verb.key.removeprefix("event ")], form)
        if verb.key.startswith("dated "):
            name = verb.key.removeprefix("dated ")
            does = _verb_of_name(name, name)
            return " ".join((inflected(does[0], form), *does[1:])) + "\1" if does[0] else ""
        passive = (
            form == "done"
            and any(w in _HELPING - {"has", "have", "had"} for w in before[-2:])
            and base != "be"
        )
        if verb.key.startswith("done "):
            return verb.key.split()[1] if passive else ""
        meant, *joint = _verb_of_name(verb.key, self._names[verb.key])
        if not meant:
            return ""
        if not verb.turned:
            return " ".join((inflected(meant, form), *(w for w in joint if w != "by")))
        if passive:
            return ""
        done = " ".join((inflected(meant, "done"), *(w for w in joint if w != "by"), "by"))
        helped = [w for w in before if w in _DO]
        if form == "" and helped:
            return f"{done}\0"
        be = {"s": "is", "": "are", "did": "was", "done": "been", "ing": "being"}[form]
        return f"{be} {done}"


def _who_does(event: str, types: Collection[str]) -> set[str]:
    """Which of the types beside what happens do it: donors give donations; of several that may, nobody can tell."""
    same = sections()["events"][event][0]
    roles = {t for t in types if set(sections()["roles"].get(singular_of(t), _NOTHING)[0]) & set(same)}
    return roles or ({t for t in types if may_act(t)} if sum(map(may_act, types)) == 1 else {"?"})


def says_when_done(name: str) -> bool:
    """Whether a name says that something was done, and when: `fixed on`, `retired`."""
    first, *rest = name.lower().split()
    return bool(verb_done(first)) and all(w in _PREPOSITIONS or w in ("date", "year", "yr") for w in rest)


def singular_of(name: str) -> str:
    """A type's name in words, its last one in the singular."""
    first, space, last = name.rpartition(" ")
    return f"{first}{space}{singular(last)}"


def _keys_of(name: str) -> Iterator[str]:
    """The keys of the table that a relation's name may stand under, the fullest first: `look after` and `look` of "looks after"."""
    words = name.lower().split()
    while words and words[0] in ("has", "have", "had", "is", "was", "are", "were"):
        words = words[1:]
    if not words or len(words) > 2:
        return
    table = sections()
    last = singular(words[-1])
    if len(words) == 1 and last in table["roles"]:
        yield last
    base = verb_done(words[0]) or verb_of(words[0]) or (words[0] if words[0] in verbs() else "")
    if len(words) == 2 and words[1] in _PREPOSITIONS | _PARTICLES:
        for key in (name.lower(), f"{base} {words[1]}"):
            if key in table["verbs"]:
                yield key
                return
        if words[1] not in ("by", "in", "at", "on"):  # who is sold to did not sell
            return
    elif len(words) == 2:
        return
    if base in table["verbs"] and (len(words) == 2 or base != words[0] or last not in table["roles"]):
        yield base


def _verb_of_name(key: str, name: str) -> list[str]:
    """The verb that says a relation, with what it is joined by in the relation's name; none of a role that no verb says."""
    if key in sections()["roles"]:
        for ending in ("er", "or", ""):
            base = key.removesuffix(ending)
            ends = (base, f"{base}e", base[:-1] if base[-2:-1] == base[-1:] else base)
            found = next((e for e in ends if key.endswith(ending) and e in verbs()), "")
            if found:
                return [found]
        return [""]
    verb, *joint = key.split()
    if not joint:
        joint = [w for w in name.lower().split()[1:] if w in _PREPOSITIONS]
    return [verb if verb in verbs() else verb_done(verb), *joint]


def _forms(word: str, before: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The verbs that a word may be a form of, each with the form: "", "s", "did", "done" or "ing"."""
    if word in _BE:
        yield "be", _BE[word]
        return
    noun = bool(before) and before[-1] in _BEFORE_NOUNS
    if word in verbs() and not noun:
        yield word, ""
    if (base := verb_of(word)) and not noun:
        yield base, "s"
    if base := verb_done(word):
        helped = any(w in _HELPING for w in before[-3:])
        yield base, "done" if helped else "did"
    if word.endswith("ing") and not noun:
        short = word[:-3]
        ends = (short, f"{short}e", short[:-1] if short[-2:-1] == short[-1:] else short)
        yield from ((e, "ing") for e in dict.fromkeys(ends) if e in verbs())


@cache
def _past_of() -> dict[str, tuple[str, str]]:
    """Irregular verbs with what they did and what they have done."""
    found: dict[str, list[str]] = {}
    for form, verb in past_forms().items():
        found.setdefault(verb, []).append(form)
    pairs = {}
    for verb, forms in found.items():
        *_, done = sorted(forms, key=lambda form: (form.endswith(("n", "ne")), "u" in form))
        did = next((form for form in forms if form != done), done)
        pairs[verb] = (did, verb if verb.endswith(("come", "run")) else done)
    return pairs


def inflected(verb: str, form: str) -> str:
    """A verb in a form: "", "s", "did", "done" or "ing".

    >>> [inflected("carry", form) for form in ("s", "did", "ing")], [inflected("write", form) for form in ("did", "done")]
    (['carries', 'carried', 'carrying'], ['wrote', 'written'])
    """
    soft = verb.endswith("y") and verb[-2:-1] not in "aeiou"
    if form == "s":
        ends = (
            f"{verb[:-1]}ies"
            if soft
            else f"{verb}es"
            if verb.endswith(("s", "sh", "ch", "x", "z", "o"))
            else f"{verb}s"
        )
        return "has" if verb == "have" else ends
    if form in ("did", "done"):
        if verb in _past_of():
            return _past_of()[verb][form == "done"]
        doubled = f"{verb}{verb[-1]}ed"
        if verb.endswith("e"):
            return f"{verb}d"
        return f"{verb[:-1]}ied" if soft else doubled if _doubles(verb) else f"{verb}ed"
    if form == "ing":
        return (
            f"{verb[:-1]}ing"
            if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe"))
            else f"{verb}{verb[-1] if _doubles(verb) else ''}ing"
        )
    return verb


def _doubles(verb: str) -> bool:
    """Whether a verb doubles its last letter: `plan`, but not `open`."""
    return re.fullmatch(r"[^aeiou]*[aeiou][bdglmnprt]", verb) is not None


def _asked_passively(question: str, before: int) -> str:
    """The question with the "do" before a place as "be": "who does Ann (managed by)" as "who is Ann"."""
    helping = list(re.finditer(r"\b(?:do|does|did)\b", question[:before], re.I))
    if not helping:
        return question
    last = helping[-1]
    return question[: last.start()] + _DO[last[0].lower()] + question[last.end() :]
