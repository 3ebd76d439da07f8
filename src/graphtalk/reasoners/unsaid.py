"""What a question says that a reading of it does not: places, orders, opposites, relations, halves of names.

A reading that leaves any of it out answers another question, however likely it is.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from graphtalk.calls import show
from graphtalk.calls.ast import Call, Text
from graphtalk.core import LimitError
from graphtalk.graphs import Graph
from graphtalk.language.english import split_name, thesaurus
from graphtalk.language.english import stem as english_stem
from graphtalk.language.leading import ORDERS
from graphtalk.language.measures import adjectives, base_of
from graphtalk.language.nouns import plural, singular
from graphtalk.language.people import is_person, may_act
from graphtalk.reasoners.around.names import agents
from graphtalk.reasoners.joined import Joined, names_in
from graphtalk.reasoners.phrases.staying import stays
from graphtalk.reasoners.phrases.words import STAYING
from graphtalk.reasoners.reader.confidence import means_something
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import spoken
from graphtalk.reasoners.reader.words import stem
from graphtalk.reasoners.units import Units

_WORD = re.compile(r"\w+")
_HEAD = re.compile(r"\W*what(?: is| are| was| were|'s) the (?:[\w'-]+ ){0,2}?([\w'-]+) of\b", re.I)
_WHICH = re.compile(
    r"\W*(?:which|what) (?:of the )?([\w'-]+) (?:are|is|was|were|has|have|had|did|do|does|that|who|\w+ed)\b",
    re.I,
)
_STAYS = re.compile(
    r"(?<!\bhas )(?<!\bhad )(?<!\bhave )\b(work(?:s|ed|ing)?|live[sd]?|living) (?:in|at)\b", re.I
)
_LIFE = (  # what a reading says of a place, what asks for that, and what is told to be missing
    (re.compile(r"birth ?place|place of birth|born in", re.I), re.compile(r"\b(?:born|birth\w*|native|from|com(?:e|es|ing)|hail\w*|origin\w*)\b", re.I), "in"),
    (re.compile(r"death ?place|place of death|died in", re.I), re.compile(r"\b(?:die[sd]?|dying|dead|death\w*|deceased|buried)\b", re.I), "in"),
)  # fmt: skip
_FIRST = re.compile(  # "the first motion that ...", "did X last visit"; the first three are any, and what lasts has no order
    r"(?<![\w-])(first|last)\b(?!-)(?! (?:\d|names?\b|times?\b|few|couple|ones?\b|two|three|four|five|ten|days?\b|weeks?\b|months?\b|years?\b|decade|century"
    r"|longer|shorter|more|less|over|at\b|between|for\b|from\b|under|about))",
    re.I,
)
_HOW_OLD = re.compile(r"\W*how old\b", re.I)
_OF_AGE = re.compile(
    r"\b(?:age|old|born|birth|built|founded|established|created|opened|introduced|released|published|made|year\w*|construct\w*|manufactur\w*)\b"
)
_HOW_LONG = re.compile(r"\W*how long\b", re.I)
_ORDERED = re.compile(
    r"\b(?:first|last|smallest|largest|earliest|latest|lowest|highest|minimum|maximum|least|most|ordered)\b",
    re.I,
)
_WHO = re.compile(r"\W*(whose\b(?= ([\w'-]+))|who\b)", re.I)
_TWO_ASKED = re.compile(
    r"\W*(?:what (?:is|are|was|were)|show|list|give|find|return|display|get|tell)(?: me)?(?: the)? (?:[\w-]+ ){1,3}and (?:the )?((?:[\w-]+ ){0,2}[\w-]+)(?: (?:of|for) |,? (?:ordered|sorted|in) |\W*$)",
    re.I,
)
_NAMES_ASKED = re.compile(
    r"\W*(?:what (?:is|are|was|were)|show|list|give|find|return|display|get|tell)(?: me)?(?: all)?(?: the)? (?:\w+ ){0,2}?names?\b",
    re.I,
)
_AND_THEIR = re.compile(r"\b((?:and|with|along with) (?:their|its|his|her) [\w' -]{2,40})\W*$", re.I)
_LED_BY = re.compile(
    r"\b(?:in|from|of|by|with|for|at|on|within|named|called|than|has|have|had|owns?) (?:(?:the|an?|any) )?[\"'“‘]?$",
    re.I,
)
_OTHER_THAN = re.compile(r"\b([a-z]{3,}er) than (?=\d)", re.I)
_MANY_PEOPLE = re.compile(r"\W*how many (people|persons|inhabitants|residents|citizens)\b", re.I)
_SHARING = re.compile(r"\bshar(?:e|es|ing) (?:an?|any|some|at least)\b", re.I)
_HOW = re.compile(r"\W*how\b", re.I)
_BEFORE = re.compile(r"\b(before|after) (?:the )?[\"'“‘]?$", re.I)
_OFTEN = re.compile(r"\b(?:how often|how many times|(?:most|least) (?:often|frequently))\b", re.I)
_MOST_OF = re.compile(r"\b(?:most|fewest|least) [\"'“‘]?$", re.I)
_OF_EITHER_SEX = frozenset({"parent", "child", "sibling"})
_KIN = frozenset(
    "mother father son daughter brother sister grandmother grandfather aunt uncle niece nephew".split()
)
_UNTELLING = frozenset(map(stem, "date time year day number count name".split()))  # that many properties have
_NUMBER_OF = re.compile(r"(?:the )?number of (?:the )?(.+)")
_HOW_MANY = re.compile(r"\W*how many ", re.I)
_AUXILIARY = re.compile(r"e?s? (?:do|does|did|is|are|was|were|has|have|had)\b", re.I)
_THAN = re.compile(
    r"\bthan\b|\bor (?:more|fewer|less|later|earlier)\b|\b(?:once|any|no) (?:more|longer)\b", re.I
)
_COMPARED = re.compile(
    r"\b(?:largest|smallest|above|below|least|most|more|fewer|larger|smaller|ordered|minus)\b"
)
_AMOUNTS = ("more", "fewer", "less", "better", "worse")
_MORE = re.compile(r"\b(?:more|fewer|less|worse|\w{2,}er)\b", re.I)
_IS_IN = re.compile(r"\b(?:is|are|was|were)(?: not|n[’']t)? in (?:an?|any|no)\b", re.I)
_AGAINST = re.compile(r"\b(?:against|versus|vs|anti|oppos\w*|object\w*|reject\w*|contra\w*)\b", re.I)
_WISHED = re.compile(
    r"\b(?:who|(?:which|what)(?: \w+){1,2})\s+(?:also\s+)?(likes?|liked|knows?|knew|sees?|saw|wants?|wanted)\b(?! to\b)"
    r"|\b(?:do|does|did)\s+(?!you\b|we\b|i\b).+?\b(like|know|see|want)\b(?! to\b)",
    re.I,
)
_LISTED = re.compile(rf"\W*(?:{'|'.join(ORDERS)})(?: me)? the (?:names of (?:the )?)?([\w-]+)\b", re.I)
_MOST = re.compile(r"(?<!\bat )\b(?:most|fewest|least|highest|lowest|largest|smallest|greatest)\b", re.I)
_MOST_COUNTED = re.compile(
    r"\b(?:most|fewest|(?:highest|largest|greatest)(?= number)) (?:number of )?([\w-]+)\b", re.I
)
_MOST_TOLD = re.compile(r"\bwith the (?:most|fewest|(?:largest|smallest) number of)(?: of:| different)? ")
_UNLIKE = re.compile(r"\b(?:different|distinct|unique|various|how many)\b", re.I)
_LEADS_TEXT = re.compile(r"(?: the)? [\"'“‘]")  # a tagline "mentioning 'war'" contains that


class Unsaid:
    """What questions about one schema say that readings do not."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self._schema = graph, graph.schema
        self._repeated: dict[int, bool] = {}
        self.units = Units(graph)
        self._joined = Joined(graph.schema)

    def of(
        self,
        question: str,
        values: Sequence[Linked],
        words: str,
        call: Call,
        given: Collection[str] | None,
        rows: int,
    ) -> Iterator[str]:
        """What of a question a reading leaves out. `words`: the reading as told; `given`: the types of the nodes that it gives, None
        where it gives something else; `rows`: how many it gives.
        """
        yield from best_alone(question, rows)
        yield from misplaced(question, words)
        yield from unordered(question, words, values)
        if _HOW_OLD.match(question) and not _OF_AGE.search(words):
            yield "'old'"  # the day that somebody started is no age
        yield from opposed(question, words)
        yield from inside(question, words)
        yield from uncompared(question, words)
        yield from wished(question, words)
        yield from nobody(question, given or (), self._nobody, words)
        if _SHARING.search(question) and " are the same" in words:
            yield "'share'"  # one is enough
        yield from most_counted(question, words, self._plurals)
        yield from counts_another(question, words, values, self._joined.owners)
        yield from before_another(question, words, values)
        yield from most_of_another(question, values, self._names)
        spelled = show(call)
        yield from numbers(question, values, f"{words} {spelled}")
        yield from dropped(question, values, f"{words} {spelled}")
        yield from measured_otherwise(question, words)
        yield from counts_other_nouns(question, words, self._nouns)
        theirs = _AND_THEIR.search(question)
        if theirs is not None and given:  # nodes alone
            yield repr(theirs[1])
        if given and self._nameless.issuperset(given) and _NAMES_ASKED.match(question):
            yield "'name'"  # a number is none
        two = _TWO_ASKED.match(question)
        if two is not None and " and " not in words.partition(" of ")[0]:
            yield repr(f"and {two[1]}")  # of "the name and age of X" both
        yield from self._halved(question, spelled)
        yield from self._named(question, spelled)
        yield from self._unmeasured(question, values, spelled)
        yield from self._often(question, spelled)
        yield from self._values_counted(question, words)
        yield from self.units.unmet(question, values, spelled)
        yield from self._headed(question) if given is not None else self._valued(question, call)
        yield from self._passed_over(question, values, spelled)
        yield from self._joined.misjoined(question, values)
        yield from self._joined.made_of(question, spelled)
        yield from self._joined.lying(question, values, spelled)
        yield from narrower(question, words)
        yield from self._not_yet(question, spelled)
        yield from self._called_alike(question, spelled)

    def _called_alike(self, question: str, spelled: str) -> Iterator[str]:
        """The names of properties that a question has as they are, where a call has another that only sounds so: the `page` that something
        is on is not how many `pages` there are.
        """
        for word in dict.fromkeys(_WORD.findall(question)):
            alike = self._alike.get(word.lower(), ())
            if any(names_in(other, spelled) for other in alike) and not names_in(word.lower(), spelled):
                yield repr(word)

    @cached_property
    def _alike(self) -> dict[str, list[str]]:
        """Properties of one word by the others with its stem."""
        of_nodes = (f.name for t in self._schema.node_types for f in t.features)
        of_edges = (f.name for r in self._schema.relations for f in r.features)
        names = [name for name in dict.fromkeys((*of_nodes, *of_edges)) if name.isalpha() and name.islower()]
        found = {name: [o for o in names if o != name and stem(o) == stem(name)] for name in names}
        return {name: others for name, others in found.items() if others}

    @cached_property
    def nouns(self) -> list[str]:
        """The names of types and properties."""
        of_nodes = (f.name for t in self._schema.node_types for f in t.features)
        of_edges = (f.name for r in self._schema.relations for f in r.features)
        return [*(t.name for t in self._schema.node_types), *of_nodes, *of_edges]

    @cached_property
    def _plurals(self) -> frozenset[str]:
        """What types are called, in the plural."""
        return frozenset(plural(spoken(t.name)) for t in self._schema.node_types)

    @cached_property
    def _nobody(self) -> frozenset[str]:
        """The types whose nodes are no people, where those of others are."""
        names = [t.name for t in self._schema.node_types]
        return frozenset(n for n in names if not may_act(n)) if any(map(is_person, names)) else frozenset()

    @cached_property
    def _nameless(self) -> frozenset[str]:
        """The types whose nodes are called by a number."""
        numbers = {stem(w) for w in ("id", "number", "no")}
        return frozenset(
            t.name
            for t in self._schema.node_types
            if t.label and numbers & {stem(w) for w in split_name(t.label)}
        )

    @cached_property
    def _nouns(self) -> frozenset[str]:
        """The nouns of types and relations, in the plural."""
        names = (*(t.name for t in self._schema.node_types), *(r.name for r in self._schema.relations))
        return frozenset(plural(singular(spoken(n).rpartition(" ")[2])) for n in names)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The properties that nodes are called by, by the actions that name them in readings."""
        return frozenset(f"P:{t.name}.{t.label}" for t in self._schema.node_types)

    def _passed_over(self, question: str, values: Sequence[Linked], spelled: str) -> Iterator[str]:
        """The words for relations that a call goes along too few of: "border" asks for one, "friends of friends" for two."""
        said, asked = Counter[str](), Counter[tuple[str, bool]]()
        for match in _WORD.finditer(question):
            named = any(v.start < match.end() and match.start() < v.end for v in values)
            stays_there = match[0].lower() in STAYING  # of a place: `misplaced` sees to it
            relations = () if named or stays_there else self._relations_called.get(stem(match[0].lower()), ())
            if relations:
                # As it is shown, for a query's relations are no parts of the call.
                said = said or Counter(stem(w) for name in _WORD.findall(spelled) for w in split_name(name))
                does = any(agents(match[0].lower()))  # directors who "directed" are one deed
                asked[stem(match[0].lower()), does] += 1
                times = asked[stem(match[0].lower()), does]
                if _LEADS_TEXT.match(question, match.end()) and "contains" in spelled.lower():
                    continue
                if not any(all(said[w] >= times for w in words) for words in relations):
                    yield repr(match[0])

    def _not_yet(self, question: str, spelled: str) -> Iterator[str]:
        """The deeds of a question that some nodes have no date of, where a call does not speak of these: "delivered" where some
        parcels have no `delivered_on`.
        """
        told: set[str] = set()
        for word in _WORD.findall(question) if self._dates else ():
            for node_type, name in self._dates.get(english_stem(word.lower()), ()):
                told = told or {english_stem(w) for text in _WORD.findall(spelled) for w in split_name(text)}
                if english_stem(word.lower()) not in told and self._blank(node_type, name):
                    yield repr(word)

    @cached_property
    def _dates(self) -> dict[str, list[tuple[str, str]]]:
        """The dates that types have, by the stems of the words of their names that say what was done."""
        found: dict[str, list[tuple[str, str]]] = {}
        for t in self._schema.node_types:
            for f in t.features:
                for word in split_name(f.name) if f.kind in ("date", "datetime") else ():
                    if not means_something(word) and stem(word) not in _UNTELLING:
                        found.setdefault(english_stem(word), []).append((t.name, f.name))
        return found

    def _blank(self, node_type: str, name: str) -> bool:
        """Whether some nodes of a type have no value of a property."""
        try:
            return bool(self._graph.columns[node_type].column(name).null_count)
        except LimitError:  # of a graph elsewhere, more than are read here
            return True

    @cached_property
    def _relations_called(self) -> dict[str, list[frozenset[str]]]:
        """By the stems that relations, and nothing else of the schema, are called by: all stems of the names of these relations."""
        nouns = {stem(w) for name in self.nouns for w in split_name(name)}
        found: dict[str, list[frozenset[str]]] = {}
        for relation in self._schema.relations:
            names = [split_name(name) for name in (relation.name, relation.inverse) if name]
            for word in {stem(w) for words in names for w in words if not means_something(w)} - nouns:
                found.setdefault(word, []).extend(frozenset(map(stem, words)) for words in names)
        return found

    def _halved(self, question: str, spelled: str) -> Iterator[str]:
        """The words of a question that two properties share, where a call uses one of them: "votes" of votes for and votes against."""
        asked = {stem(w) for w in _WORD.findall(question.lower())}
        for held in self._measures:
            for name, words in held.items():
                said = (words & asked) - _UNTELLING
                if not said or said == words or not names_in(name, spelled):
                    continue
                alike = [w for other, w in held.items() if other != name and said <= w]
                if any(w != said for w in alike):
                    yield repr(next(w for w in _WORD.findall(question) if stem(w.lower()) in said))

    def _unmeasured(self, question: str, values: Sequence[Linked], spelled: str) -> Iterator[str]:
        """The numbers and dates that a question names by one word, and of which a call uses none: "the top 3 by revenue"."""
        said = {stem(w) for text in _WORD.findall(spelled) for w in split_name(text)}
        for match in _WORD.finditer(question):
            named = any(v.start < match.end() and match.start() < v.end for v in values)
            word = stem(match[0].lower())
            if not named and word in self._plain_measures and word not in said:
                yield repr(match[0])

    @cached_property
    def _plain_measures(self) -> frozenset[str]:
        """The stems that numbers and dates, and nothing else of the schema, are called by alone."""
        alone = {next(iter(words)) for held in self._measures for words in held.values() if len(words) == 1}
        others = {stem(w) for t in self._schema.node_types for w in split_name(t.name)}
        others |= {
            stem(w) for r in self._schema.relations for n in (r.name, r.inverse) if n for w in split_name(n)
        }
        return frozenset(w for w in alone - others - _UNTELLING if not means_something(w))

    def _often(self, question: str, spelled: str) -> Iterator[str]:
        """The "how often" of a relation that joins some nodes twice, or whose edges say how often: how many nodes are joined is less."""
        often = _OFTEN.search(question)
        for i, r in enumerate(self._schema.relations) if often else ():
            numbers = [f.name for f in r.features if f.kind == "number"]
            told = any(names_in(name, spelled) for name in numbers)
            if often and names_in(r.name, spelled) and not told and (numbers or self._repeats(i)):
                yield repr(often[0])
                return

    def _values_counted(self, question: str, words: str) -> Iterator[str]:
        """The numbers whose different values a reading counts, and nobody asked for these: a "number of followers" is what `followers` says."""
        for name in dict.fromkeys(
            f.name for t in self._schema.node_types for f in t.features if f.kind == "number"
        ):
            if names_in(f"number of different {spoken(name)}", words) and not _UNLIKE.search(question):
                yield repr(spoken(name))

    def _repeats(self, relation: int) -> bool:
        """Whether several edges of a relation join the same two nodes."""
        if relation not in self._repeated:
            try:
                source, target = self._graph.ends(relation)
            except LimitError:  # edges of a graph elsewhere, more than are read here
                return True
            pairs = source * (int(target.max(initial=0)) + 1) + target
            self._repeated[relation] = len(np.unique(pairs)) < len(pairs)
        return self._repeated[relation]

    def _named(self, question: str, spelled: str) -> Iterator[str]:
        """The names of properties, of several words, that a question says and a call does not use."""
        lower = question.lower()
        for name in dict.fromkeys(name for held in self._measures for name in held):
            told = spoken(name)
            if " " in told and names_in(told, lower) and not names_in(name, spelled):
                yield repr(told)

    def _headed(self, question: str) -> Iterator[str]:
        """The property that is asked for where nodes are given: "what is the elevation of the highest point"."""
        head = _HEAD.match(question)
        types = {stem(w) for t in self._schema.node_types for w in split_name(t.name)}
        relations = {stem(w) for r in self._schema.relations for w in split_name(r.name)}
        lasts = {stem(split_name(name)[-1]) for held in self._measures for name in held if split_name(name)}
        if head and stem(head[1].lower()) in lasts - types - relations:
            yield repr(head[1])

    def _valued(self, question: str, call: Call) -> Iterator[str]:
        """The nodes that are asked for where their numbers or dates are given: "which parcels were delivered by X"."""
        head = _WHICH.match(question)
        types = {stem(w) for t in self._schema.node_types for w in split_name(t.name)[-1:]}
        given = call.arguments[1] if call.function == "NodeFeature" and len(call.arguments) == 2 else None
        measured = {name for held in self._measures for name in held}
        if head and stem(head[1].lower()) in types and isinstance(given, Text) and given.value in measured:
            yield repr(head[1])

    @cached_property
    def _measures(self) -> list[dict[str, frozenset[str]]]:
        """By type and by kind of value, numbers and dates, the stems of the names of properties."""
        return [
            {f.name: frozenset(stem(w) for w in split_name(f.name)) for f in t.features if f.kind == kind}
            for t in self._schema.node_types
            for kind in ("number", "date", "datetime")
        ]


def best_alone(question: str, rows: int) -> Iterator[str]:
    """The noun, in the plural, of which the best are to be listed, nobody said how many, where a reading gives one: "list the teams with the most wins"."""
    head = _LISTED.match(question)
    noun = head[1].lower() if head else ""
    if rows == 1 and noun and noun == plural(singular(noun)) != singular(noun) and _MOST.search(question):
        yield repr(noun)


def narrower(question: str, words: str) -> Iterator[str]:
    """The words for a mother or a son where a reading says parents or children: they are some of them."""
    told = {singular(word) for word in _WORD.findall(words.lower())}
    for word in _WORD.findall(question) if told & _OF_EITHER_SEX else ():
        if singular(word.lower()) in _KIN - told:
            yield repr(word)


def misplaced(question: str, words: str) -> Iterator[str]:
    """That somebody works, lives or studied somewhere, where a reading says another thing of the place: who was born there."""
    said = _WORD.findall(words)
    for found in _STAYS.finditer(question):
        if not stays("work" if found[1].lower().startswith("work") else "live", said):
            yield repr(found[1])
    for told, asked, place in _LIFE:
        if told.search(words) and not asked.search(question):
            yield repr(place)


def unordered(question: str, words: str, values: Sequence[Linked]) -> Iterator[str]:
    """The "first" or "last" of a question where a reading says no order: "which team joined first", "when did X last call"."""
    if _ORDERED.search(words) or _HOW_LONG.match(question):
        return
    for found in _FIRST.finditer(question):
        if not any(v.found and v.start <= found.start() < v.end for v in values):
            yield repr(found[1])


def inside(question: str, words: str) -> Iterator[str]:
    """That something is in something, where a reading says what was done by whom: nobody is in an order that he placed."""
    if _IS_IN.search(question) and re.search(r"\bby\b", words) and not re.search(r"\bby\b", question, re.I):
        yield "'in'"


def opposed(question: str, words: str) -> Iterator[str]:
    """The words of a question whose opposite a reading says: "sold" where it says who bought; and an "against" that nobody said."""
    if re.search(r"\bagainst\b", words) and not _AGAINST.search(question):
        yield "'against'"
    told = _WORD.findall(words.lower())
    asked = {english_stem(w) for w in _WORD.findall(question)}
    own = [w for w in told if english_stem(w) not in asked]
    yield from (repr(w) for w in _WORD.findall(question) if thesaurus().contrary(w, own))


def wished(question: str, words: str) -> Iterator[str]:
    """What somebody likes, knows, sees or wants, where a reading says nothing of the kind."""
    found = _WISHED.search(question)
    verb = next((w for w in found.groups() if w), "") if found else ""
    lines = frozenset[str]().union(*thesaurus().groups([english_stem(w) for w in _WORD.findall(words)]))
    own = thesaurus().groups([english_stem(verb)])[0] if verb else frozenset()
    if verb and lines.isdisjoint(own) and stem(verb.lower()) not in map(stem, _WORD.findall(words.lower())):
        yield repr(verb)


def nobody(question: str, given: Collection[str], things: Collection[str], words: str) -> Iterator[str]:
    """The "who" of a question that a reading answers with what is nobody, the "whose" that it answers with what somebody has, and the
    people where it counts something else.

    given: the types of the nodes that it gives; things: those whose nodes are nobody; words: the reading as told
    """
    people = _MANY_PEOPLE.match(question)
    if people and any(words.startswith(f"number of {plural(spoken(t))}") for t in things):
        yield repr(people[1].lower())
    asked = _WHO.match(question)
    if asked and given and all(t in things for t in given):
        had = asked[2] and singular(asked[2].lower())
        if not had or any(had == singular(spoken(t).split()[-1]) for t in given):
            yield repr(asked[1].lower())


def most_counted(question: str, words: str, nouns: Collection[str]) -> Iterator[str]:
    """The noun of which the most is asked for where a reading counts another: countries "with the most visits" are not those of the most visitors.

    `nouns`: what types are called, in the plural.
    """
    asked, told = _MOST_COUNTED.search(question), _MOST_TOLD.search(words)
    noun = plural(singular(asked[1].lower())) if asked else ""
    others = [other for other in nouns if told and words.startswith(other, told.end())]
    if noun in nouns and others and noun not in others:
        yield repr(noun)


def counts_another(
    question: str, words: str, values: Sequence[Linked], types: Mapping[str, str]
) -> Iterator[str]:
    """The name after "how many" where a reading counts something else: "how many V-belts are needed" is no number of machines.

    `types`: of what type the nodes are that have a property, by the property.
    """
    counted, asked = _NUMBER_OF.match(words), _HOW_MANY.match(question)
    if counted is None or asked is None:
        return
    for v in values:
        own = {spoken(types[a]) for a in v.owners if a in types}
        forms = "|".join(re.escape(form) for noun in own for form in (noun, plural(noun)))
        alone = v.found and v.start == asked.end() and _AUXILIARY.match(question, v.end)
        noun = _WORD.match(counted[1])  # films are movies, though a tag is called "film"
        alike = thesaurus().groups([english_stem(w) for w in (v.text, noun[0] if noun else "")])
        if alone and not alike[0] & alike[1] and not re.match(rf"(?:{forms})\b", counted[1], re.I):
            yield repr(v.text)


def counts_other_nouns(question: str, words: str, nouns: Collection[str]) -> Iterator[str]:
    """The noun of a type or relation after "how many" that a reading says nowhere: "how many flights does Acme have" is no number of airlines.

    nouns: those of the schema, in the plural
    """
    counted, asked = _NUMBER_OF.match(words), _HOW_MANY.match(question)
    noun = _WORD.match(question, asked.end()) if asked and counted else None
    if noun is not None and noun[0].lower() in nouns:
        one = stem(noun[0].lower())
        if one not in {stem(w) for w in _WORD.findall(words.lower())}:
            yield repr(noun[0])


def measured_otherwise(question: str, words: str) -> Iterator[str]:
    """The comparatives that measure something else than a reading compares: who earns above 200 is not "taller than 200"."""
    said = {stem(w) for w in _WORD.findall(words.lower())}
    for match in _OTHER_THAN.finditer(question):
        adjective = adjectives().get(base_of(match[1].lower()))
        if adjective is None or adjective.degree or base_of(match[1].lower()) == match[1].lower():
            continue
        if not said & {stem(w) for w, _ in adjective.features}:
            yield repr(match[0])


def before_another(question: str, words: str, values: Sequence[Linked]) -> Iterator[str]:
    """The "before" or "after" that stands before a name, where a reading compares nothing: "who plays before X"."""
    lines = frozenset[str]().union(*thesaurus().groups([english_stem(w) for w in _WORD.findall(words)]))
    for v in values:
        led = _BEFORE.search(question, 0, v.start)
        if v.found and led and not lines & {"before", "after"} and not _COMPARED.search(words):
            yield repr(led[1])


def most_of_another(question: str, values: Sequence[Linked], names: frozenset[str]) -> Iterator[str]:
    """The name of which the most is asked for: of what is called "sugar" there is one, however much of it is used.

    `names`: the properties that nodes are called by.
    """
    for v in values:
        if v.owners and names.issuperset(v.owners) and _MOST_OF.search(question, 0, v.start):
            yield repr(v.text)


def dropped(question: str, values: Sequence[Linked], said: str) -> Iterator[str]:
    """The values of the graph that a preposition leads and a reading says nowhere: "countries in europe" are not all countries."""
    lower = said.casefold()
    for v in values:
        spellings = {v.text, *(text for _, texts in v.found for text in texts)}
        led = v.kind == "name" and v.owners and _LED_BY.search(question, 0, v.start)
        if led and not any(text.casefold() in lower for text in spellings):
            yield repr(v.text)


def numbers(question: str, values: Sequence[Linked], said: str) -> Iterator[str]:
    """The numbers, in words, that a reading says nowhere: "how much do three nights cost"; two may be the two that are named."""
    named = [v for v in values if v.found]
    for v in values:
        inside = any(n.start <= v.start and v.end <= n.end for n in named)
        counts = v.number is not None and (v.number <= 1 or v.number == len(named))
        if v.kind != "number" or not v.text.isalpha() or v.ordinal or v.decade or inside or counts:
            continue
        told = re.search(rf"(?<![\w.]){v.number:g}(?!\w)|\b{re.escape(v.text.lower())}\b", said)
        if told is None or (
            _HOW.match(question) and f"{v.text.lower()} of them" in said
        ):  # so many are no list
            yield repr(v.text)


def uncompared(question: str, words: str) -> Iterator[str]:
    """A comparative that is compared with nothing, where a reading neither orders nor compares: "which of them is cheaper"."""
    if _THAN.search(question) or _COMPARED.search(words):
        return
    told = _WORD.findall(words.lower())
    for found in _MORE.finditer(question):
        word = found[0].lower()
        if word not in told and (word in _AMOUNTS or (base_of(word) != word and word.endswith("er"))):
            yield repr(found[0])
