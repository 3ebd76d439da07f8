"""What relations join, and what a question puts beside their verbs: servers do not "depend on" what services depend on.

A reading that takes what runs on a server for the server may be meant; it is offered, and not answered.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from graphtalk.graphs import Schema
from graphtalk.language.dictionary import is_deed, verb_done, verbs
from graphtalk.language.english import stem as english_stem
from graphtalk.language.english import thesaurus
from graphtalk.language.identifiers import split_name
from graphtalk.language.nouns import plural, singular
from graphtalk.language.people import is_person, may_act
from graphtalk.language.relating import tells_deed
from graphtalk.reasoners.around.names import agents, between_ends, root
from graphtalk.reasoners.phrases.events import BOUND
from graphtalk.reasoners.phrases.handing import PAYS, TAKES
from graphtalk.reasoners.phrases.relations import SIDES
from graphtalk.reasoners.phrases.staying import AT_HOME, AT_WORK
from graphtalk.reasoners.planner.analysis import DATES
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import spoken
from graphtalk.reasoners.reader.words import stem

_WORD = re.compile(r"\w+")
_BESIDE_VERB = re.compile(
    r"(?:\s+(?:that|which|who|do|does|did|is|are|was|were|has|have|had|been|being|not|never|also|only|still|directly|n't|n’t))+\s*$|\s+$",
    re.I,
)
_OBJECT_OF = re.compile(r" (?:(?:on|upon|by|to|with|for) )?(?:(?:the|a|an|any|only|both) )?", re.I)
_ASKED_OBJECT = re.compile(
    r"\W*(?:which|what|how many) (?:different )?(?P<noun>[\w-]+(?: [\w-]+)?) (?:do|does|did|has|have|had) ",
    re.I,
)
_PLACED = frozenset(("in", "at", "on", "through", "from", "to", "into"))
_BEING = re.compile(r"\b(?:is|are|was|were|been|being)\b", re.I)
_WERE_DONE = re.compile(
    r"\b(?:is|are|was|were|been|being|get|gets|got) (?:(?:ever|never|not|also|first|last|already|newly) )?(?P<done>\w+)\b(?! by\b)",
    re.I,
)
_NOUN_DONE = re.compile(
    r"\b(?:(?:who|that|which|has|have|had|did|they|he|she|it) \w+|(?P<done>\w+)\b(?! by\b))", re.I
)
_ASKS = re.compile(r"\W*(?:who|which|what|how|when|where|did|do|does|has|have|had)\b", re.I)
_MADE_OF = re.compile(r"\b(?:made|built|composed|consists?|formed)\b(?: up)? (?:of|from|out of)\b", re.I)
_LIES_IN = re.compile(r"\b(?:is|are|was|were) (?:located |based |situated )?(?:in|at|from)\b", re.I)
_LED = re.compile(r"\b(?:of|in|at|from|on|for|with|by|to) (?:the )?[\"'“]?$", re.I)
_AS_NOUN = re.compile(
    r"(?P<before>\b(?:the|an?|no|any|of|own|one|two|three|many|more|most|fewer|fewest|least|whose|his|her|their|its|which|is|are)\s+|['’]s\s+)?"
    r"\b(?P<word>[^\W\d_]+)\b(?P<of>\s+of\b)?",
    re.I,
)
_EACH_ONE = re.compile(r"\b(?:each|every|per) (?P<noun>\w+)\b", re.I)
_DONE_TO = re.compile(r"\b([^\W\d_]+)\s+to\b", re.I)
_PARTICLES = frozenset("on upon by to with for in at from of into through is are was were".split())
_UNTELLING = _PARTICLES | {"has", "have", "of", "id"}
_NONE: frozenset[str] = frozenset()
_SAID = {side: re.compile(rf"\b(?:{'|'.join(map(re.escape, phrases))})\b", re.I) for side, phrases in BOUND}
_DONE = {"from": PAYS | SIDES["from"], "to": TAKES | SIDES["to"]}  # by roots


class Joined:
    """The ends of the relations of one schema, by the words for them."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def misjoined(self, question: str, values: Sequence[Linked]) -> Iterator[str]:
        """The verbs that a question puts beside what their relation does not join: servers do not "depend on" a service that services
        depend on, though what runs on them may.
        """
        for match in _WORD.finditer(question):
            word = match[0].lower()
            ends, particles = self._ends.get(english_stem(word), (_NONE, _NONE))
            doers = self._doers.get(stem(word), _NONE)
            named = any(v.start < match.end() and match.start() < v.end for v in values)
            text = any(v.kind == "quoted" and not v.found and v.start - match.end() in (1, 2) for v in values)
            event = (
                verb_done(word) and stem(word) in self._type_stems
            )  # what was hired is in `hires`, however these are joined
            if not (ends or doers) or word in self._type_nouns or named or text or event:
                continue  # what is "mentioning 'war'" says that text
            following = _WORD.match(question, match.end() + 1)
            after = following[0].lower() if following else ""
            before = _BESIDE_VERB.sub("", question[: match.start()])
            subject = self._last(before, values)
            active = after != "by" and not _BEING.search(question[len(before) : match.start()])
            if doers and active and subject and subject.isdisjoint(doers):
                yield repr(match[0])
            if not ends or (particles and after in _PARTICLES - particles):
                continue  # who plays in a band is none who plays on a stage
            if particles & {"in", "at"} and not (active and word.endswith("s")):
                continue  # what runs in a city runs in its country too
            asked = _ASKED_OBJECT.match(question)
            fronted = asked is not None and bool(subject) and active and not particles & _PLACED
            own = self._type_nouns.get(asked["noun"].lower()) if asked is not None and fronted else None
            if (
                own is not None and own not in ends
            ):  # "which trucks does Ann own", of who owns what they carry
                yield repr(match[0])
            led = _OBJECT_OF.match(question, match.end())
            sides = [subject, self._first(led.end(), question, values) if led else _NONE]
            if any(side and side.isdisjoint(ends) for side in sides):
                yield repr(match[0])

    def made_of(self, question: str, spelled: str) -> Iterator[str]:
        """The "made of" that a reading answers with who made it, or where."""
        of = _MADE_OF.search(question)
        for relation in self._schema.relations if of else ():
            if (
                of
                and names_in(relation.name, spelled)
                and split_name(relation.name)[-1].lower() in ("at", "by", "in")
            ):
                yield repr(of[0])

    def lying(self, question: str, values: Sequence[Linked], spelled: str) -> Iterator[str]:
        """The place that things "are in" where a reading has them there over relations that neither say so nor are said: of who posted it."""
        lies = _LIES_IN.search(question)
        place = next((v for v in values if lies and v.found and 0 <= v.start - lies.end() <= 1), None)
        said = {stem(w) for w in _WORD.findall(question.lower()) if w not in self._type_nouns}
        for r in self._schema.relations if place and question[place.end :].strip("'\"?. ") == "" else ():
            words = {w.lower() for name in (r.name, r.inverse) for w in split_name(name)}
            nouns = {w for end in (r.source, r.target) for w in split_name(end)}
            where = words & ({"in", "at", "within", "located", "part", "contains", "has"} | nouns) or {
                root(w) for w in words
            } & (AT_HOME | AT_WORK)
            if place and names_in(r.name, spelled) and not where and not said & set(map(stem, words)):
                yield repr(place.text)

    def besides(self, question: str, values: Sequence[Linked], spelled: str) -> Iterator[str]:
        """The relations that a question names, where a reading takes another one between the same two types: of pilots who coach and
        pilots who are coached, "pilots with coachings" may mean either.
        """
        words = [
            m
            for m in _WORD.finditer(question)
            if not any(v.start < m.end() and m.start() < v.end for v in values)
        ]
        said = {root(m[0].lower()): m[0] for m in words}
        for used in self._schema.relations:
            if used.source == used.target or not names_in(used.name, spelled):
                continue
            own = set(map(root, split_name(used.name)))
            for other in self._schema.relations:
                ends = {other.source, other.target} == {used.source, used.target}
                apart = {root(w) for w in split_name(other.name) if w not in _UNTELLING} - own
                if ends and apart and apart <= said.keys() and not names_in(other.name, spelled):
                    yield repr(said[min(apart)])

    def not_their_deed(self, question: str, spelled: str) -> Iterator[str]:
        """The verb of what a type does, where a reading goes along one relation that says something else: who advises students does not "teach" them."""
        used = [r for r in self._schema.relations if names_in(r.name, spelled)]
        if len(used) != 1:
            return
        words = [w.lower() for name in (used[0].name, used[0].inverse) for w in split_name(name)]
        ends = {root(w.lower()) for end in (used[0].source, used[0].target) for w in split_name(end)}
        if {root(w) for w in words if w not in _UNTELLING} <= ends:
            return  # it says no more than what it joins
        does = frozenset[str]().union(*thesaurus().groups([english_stem(w) for w in words]))
        nouns = [w.lower() for t in (used[0].source, used[0].target) for w in split_name(t)[-1:]]
        theirs = frozenset[str]().union(*thesaurus().groups([english_stem(noun) for noun in nouns]))
        for match in _WORD.finditer(question):
            verb = match[0].lower()
            lines = thesaurus().groups([english_stem(verb)])[0] & theirs
            own = root(verb) in map(root, (*nouns, *words))
            if lines and not own and not lines & does and is_deed(verb) and verb not in self._type_nouns:
                yield repr(match[0])

    def done_to(self, question: str, given: Collection[str], spelled: str) -> Iterator[str]:
        """What was done to nodes that may as well have done it, where edges say when and not who did: firms that "were hired in 2019",
        by the `hired_on` of edges between firms and cooks. People are taken for whom it was done to, beside what is none.

        `given`: the types of the nodes that a reading gives.
        """
        # "List firms hired in 2019" says what was done without a "were".
        patterns = (_WERE_DONE,) if _ASKS.match(question) else (_WERE_DONE, _NOUN_DONE)
        said = [m["done"] for pattern in patterns for m in pattern.finditer(question) if m["done"]]
        verbs = {root(verb.lower()): verb for verb in said if verb_done(verb.lower())}
        for r in self._schema.relations if verbs else ():
            ends = [(a, b) for a, b in ((r.source, r.target), (r.target, r.source)) if a in given]
            if any(may_act(a) and (is_person(b) or not is_person(a)) for a, b in ends) and names_in(
                r.name, spelled
            ):
                dates = {root(w) for f in r.features if f.kind in DATES for w in split_name(f.name)}
                own = {root(w) for name in (r.name, r.inverse) for w in split_name(name)}
                yield from (repr(verbs[verb]) for verb in sorted(verbs.keys() & dates - own))

    def turned_noun(self, question: str, spelled: str) -> Iterator[str]:
        """The word for a relation within a type that is a noun and a verb, `mentors`, where a question has it as the other one: of the noun,
        X's mentors are at its other end than of the verb. Beside nouns alone it is a noun, else a verb.
        """
        for noun, name, kind in self._nouns_or_verbs:
            for said in _AS_NOUN.finditer(question) if names_in(name, spelled) else ():
                as_noun = bool(said["before"] or said["of"]) and singular(said["word"].lower()) == noun
                if root(said["word"].lower()) == root(noun) and kind != ("noun" if as_noun else "verb"):
                    yield repr(said["word"])

    @cached_property
    def _nouns_or_verbs(self) -> list[tuple[str, str, str]]:
        """Relations within a type that are called by a noun of people that is a verb too: the noun, the name, and which of both it is."""
        names = {r.name: tells_deed(r.name) for r in self._schema.relations if split_name(r.name)}
        found = []
        for r in self._schema.relations:
            word = r.name.lower()
            noun = singular(word)
            if r.source == r.target and word != noun and noun in verbs() and is_person(noun):
                others = [verb for name, verb in names.items() if name != r.name]
                kind = "noun" if others and not any(others) else "verb"
                found.append((noun, r.name, kind))
        return found

    def referred(self, question: str, spelled: str) -> Iterator[str]:
        """ "Referred to them" where a reading goes by who refers: visits that a `referring_vet` has were referred by that vet."""
        for r in self._schema.relations:
            words = split_name(r.name)
            if words and words[0].endswith("ing") and names_in(r.name, spelled):
                doing = (m for m in _DONE_TO.finditer(question) if verb_done(m[1].lower()))
                yield from (repr(m[0]) for m in doing if stem(m[1].lower()) == stem(words[0].lower()))

    def each_who_did(self, question: str, words: str) -> Iterator[str]:
        """Those of whom "each" is asked by what they did, where a reading counts for each of their type: people who conduct nothing are no
        conductors. `words`: the reading as told.
        """
        for each in _EACH_ONE.finditer(question) if words.startswith("number of ") else ():
            noun = singular(each["noun"].lower())
            done = {root(deed) for deed in agents(noun)}
            if noun not in words.lower() and done & {root(word) for word in _WORD.findall(words.lower())}:
                yield repr(each[0])

    def wrong_end(self, question: str, spelled: str) -> Iterator[str]:
        """The "from" or "to" of a question that a reading turns round, or what it asks for where it takes one end and the question says neither.

        That is where two relations lead from one type to another, one to where something begins and one to where it ends: `origin_port`, `destination_port`.
        """
        for side, used, twin in self._ends_of_ways:
            if not names_in(used, spelled) or names_in(twin, spelled) or _says(question, side):
                continue
            turned = _says(question, "to" if side == "from" else "from")
            yield repr(turned or f"{spoken(used)} or {spoken(twin)}")

    @cached_property
    def _ends_of_ways(self) -> list[tuple[str, str, str]]:
        """Relations that lead to where something begins, or ends, each with its side and the one that leads to the other end."""
        found: dict[tuple[str, str, str], list[str]] = {}
        for relation in self._schema.relations:
            words = {root(w.lower()) for w in split_name(relation.name)}
            for side in (side for side, own in SIDES.items() if own & words):
                found.setdefault((relation.source, relation.target, side), []).append(relation.name)
        return [
            (side, used, twin)
            for (source, target, side), names in found.items()
            for used in names
            for twin in found.get((source, target, "to" if side == "from" else "from"), ())
            if twin != used
        ]

    @cached_property
    def _doers(self) -> dict[str, frozenset[str]]:
        """By the stems of verbs the types of who does it, where a relation says that something has them: of `has_maintainer` developers."""
        found: dict[str, frozenset[str]] = {}
        for relation in self._schema.relations if len(self._schema.node_types) > 1 else ():
            words = split_name(relation.name)
            for verb in agents(words[-1]) if words[0] in ("has", "have") and len(words) == 2 else ():
                found[verb] = found.get(verb, _NONE) | {relation.target}
        return found

    @cached_property
    def _ends(self) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        """By the stems of verbs that are all of relations' names but for prepositions, the types that those join, and these."""
        found: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        for relation in self._schema.relations if len(self._schema.node_types) > 1 else ():
            for name in (relation.name, relation.inverse):
                words = between_ends(name, relation.source, relation.target) if name else []
                verbs = [w for w in words if w not in _PARTICLES]
                if len(verbs) == 1 and not any(agents(verbs[0])) and verbs[0] not in ("has", "have"):
                    ends, particles = found.get(english_stem(verbs[0]), (_NONE, _NONE))
                    ends |= {relation.source, relation.target}
                    found[english_stem(verbs[0])] = ends, particles | (_PARTICLES & set(words))
        return found

    def _last(self, text: str, values: Sequence[Linked]) -> frozenset[str]:
        """The types of the noun or the name that a text ends in; none where it ends in neither, or in what is of another."""
        end = len(text.rstrip())
        said = text[:end].lower()
        nouns = [(end - len(n), frozenset((t,))) for n, t in self._type_nouns.items() if said.endswith(n)]
        nouns += [(v.start, self._types_of([v])) for v in values if v.found and v.end == end]
        at, types = next(
            ((at, types) for at, types in nouns if text[at - 1 : at] in (" ", '"', "'", "“")), (0, _NONE)
        )
        return _NONE if _LED.search(text[:at]) else types  # "the boats of X land": what is of X does

    def _first(self, at: int, question: str, values: Sequence[Linked]) -> frozenset[str]:
        """The types of the noun or the name that stands at a place; of "Python services" those of the noun."""
        named = [v for v in values if v.found and 0 <= v.start - at <= 1]
        place = named[0].end if named else at
        nouns = "|".join(map(re.escape, self._type_nouns))
        said = re.compile(rf"[\"']? ?({nouns})\b", re.I).match(question, place)
        return frozenset((self._type_nouns[said[1].lower()],)) if said else self._types_of(named)

    def _types_of(self, values: Sequence[Linked]) -> frozenset[str]:
        """The types whose nodes have any of some values for a property; none where edges have one too, or it means a type: "films" are movies."""
        if any(self._alike(v.text) for v in values):
            return _NONE
        owners = {self.owners.get(action, "") for v in values for action in v.owners}
        return frozenset() if "" in owners else frozenset(owners)

    def _alike(self, text: str) -> bool:
        """Whether a word in lower case means about what a type is called."""
        words = [english_stem(text), *(english_stem(t) for t in self._type_nouns)] if text.islower() else []
        own, *others = thesaurus().groups(words) if words else [_NONE]
        return any(own & lines for lines in others)

    @cached_property
    def _type_nouns(self) -> dict[str, str]:
        return type_nouns(self._schema)

    @cached_property
    def _type_stems(self) -> frozenset[str]:
        """The stems of what types are called alone: of `hires`, not of `hire_items`."""
        return frozenset(
            stem(singular(noun))
            for noun in map(spoken, (t.name for t in self._schema.node_types))
            if " " not in noun
        )

    @cached_property
    def owners(self) -> dict[str, str]:
        """The types that have a property, by the action that names it in readings."""
        return {f"P:{t.name}.{f.name}": t.name for t in self._schema.node_types for f in t.features}


def _says(question: str, side: str) -> str:
    """The word that says that something begins where it comes from, or that it ends where it gets to; else nothing."""
    phrase = _SAID[side].search(question)
    return (
        phrase[0]
        if phrase
        else next((w for w in _WORD.findall(question) if root(w.lower()) in _DONE[side]), "")
    )


def type_nouns(schema: Schema) -> dict[str, str]:
    """What types are called, in the singular and in the plural, the longest first."""
    names = sorted((t.name for t in schema.node_types), key=lambda n: -len(spoken(n)))
    return {form: name for name in names for form in (spoken(name), plural(spoken(name)))}


def names_in(name: str, text: str) -> bool:
    """Whether a name stands in a text by itself."""
    return name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
