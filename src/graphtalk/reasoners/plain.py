"""A question as it is read: without what leads in to it, names whole, the schema's names in words, and shortly."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from graphtalk.core import Answer
from graphtalk.core.abbreviations import is_short, written_as
from graphtalk.core.text import NUMBER_WORDS
from graphtalk.graphs import Feature, Graph
from graphtalk.language.asked_for import AskedFor, Named, Property
from graphtalk.language.identifiers import apart
from graphtalk.language.leading import ASKING, ORDERS, without_lead_in
from graphtalk.language.measures import adjectives
from graphtalk.language.nouns import plural, singular
from graphtalk.language.operators import operator_words
from graphtalk.language.people import is_person
from graphtalk.language.pointing import pointed
from graphtalk.language.relating import is_participle
from graphtalk.language.synonyms import Reworded, Rewording, says_when_done
from graphtalk.language.units import per_unit, units, units_of
from graphtalk.language.wordy import quoted_names, shorter
from graphtalk.reasoners.conversation import REFERRING, Conversation, Said
from graphtalk.reasoners.omitted import MANY_DONE
from graphtalk.reasoners.presence import Presence
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import spoken
from graphtalk.reasoners.reader.words import stem
from graphtalk.search.index import Index
from graphtalk.search.spelling import Respelt, Speller

Link: TypeAlias = Callable[[str], Sequence[Linked]]  # the values that a question names
_AUXILIARIES = ("is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can")
_LONGEST_HALVED = (
    4  # words of a name that is called by some of them: what titles have in them may mean anything
)
_NUMBERED = re.compile(
    rf"(?<![\w'\"-])(\d+(?:\.\d+)?|{'|'.join(NUMBER_WORDS[1:])})-([a-z]+)[- ]([a-z]+)(?![\w'\"-])", re.I
)
_WORD = re.compile(r"[^\W\d_]+")
_ARTICLE = re.compile(r"\bthe $", re.I)
_PAIR = re.compile(r"\b([^\W\d_]{3,}) (?=([^\W\d_]{3,})\b)")
_SENTENCE = re.compile(r"\w+(?:\W+\w+){3}")
_SPEAKER = re.compile(r"\b(?:i|i['’]m|my|me|we|our|us|hi|hello|hey|quick|question|thanks)\b", re.I)
_REMARK = re.compile(
    rf"(?P<remark>[^:?!;\"“]{{2,140}}?)(?:(?P<so>, (?:so|and))|:|,? [-–—]|[.!])\s+(?=(?:(?:in|on|at|of|to|for|from|with) (?:which|what|whom|how)|{'|'.join((*ASKING, *ORDERS, *_AUXILIARIES))}"
    r"|(?:can|could|would) you|i['’]d|i would|i (?:need|want|wonder))\b)",
    re.I,
)
_EPITHET = re.compile(r" (?:of|from) (?:the )?| \(", re.I)
_ASKS_WHETHER = re.compile(r"\W*(?:is|are|was|were)\b", re.I)
_POINTS_BACK = re.compile(
    r"\b(?:they|them|their|those|these|this|that|it|its|he|she|his|her|ones?|such)\b", re.I
)


class Plain:
    """Puts questions about one graph plainly."""

    def __init__(self, graph: Graph, index: Index) -> None:
        self._graph, self._index = graph, index

    def respelt(self, question: str, link: Link | None) -> Respelt:
        """The question with its misspelt words put right. What the graph has stays as it is."""

        def taken(text: str) -> list[tuple[int, int]]:
            return [(v.start, v.end) for v in link(text) if v.found] if link is not None else []

        return self._speller.put_right(question, taken)

    @cached_property
    def _speller(self) -> Speller:
        return Speller((*self._types, *self._properties), self._index.has_word)

    def put(self, question: str, link: Link | None) -> str:
        """The question plainly; without `link` its names stay as they are."""
        if question.isupper() and _SENTENCE.search(
            question
        ):  # "WHAT IS THE RESULT OF ...": capitals say nothing here
            question = question.lower()
        question = self._without_remark(question, link)
        question = self._shortened(pointed(without_lead_in(question), self.called), link)
        question = self._own_name.sub("", question) if self._own_name is not None else question
        question = self._members.sub("", question) if self._members is not None else question
        question = self._in_total(question)
        question = self._inside_names.sub(r"\1 ", question) if self._inside_names is not None else question
        question = self._with_number(question)
        question = self._of_the_best(question)
        if link is None:
            return question
        question = self._as_written(self._run_together(self._spelt_out(question, link)), link)
        return self._without_epithet(self._named_whole(question, link), link)

    def _without_epithet(self, question: str, link: Link) -> str:
        """Without what is said of a name that says no more than the name, as all that are called so have it: "Mei Nyberg of Sato University"."""
        if not _EPITHET.search(question) or _ASKS_WHETHER.match(question):
            return question
        values = [v for v in link(question) if v.found]
        for said in reversed(values):
            told = {owner.removeprefix("P:") for owner in said.owners} if said.kind == "name" else set()
            behind = [v for v in values if told and _EPITHET.fullmatch(question, v.end, said.start)]
            for name in behind[:1]:
                nodes = self._index.exact(name.text)
                texts = {text for _, found in said.found for text in found}
                if nodes and all(self._is_told(node, told, texts) for node in nodes):
                    end = said.end + (question[said.end :][:1] in ('"', ")", "”"))
                    question = question[: name.end] + question[end:]
        return question

    def _is_told(self, node: int, properties: Collection[str], texts: Collection[str]) -> bool:
        """Whether a node has one of these texts in one of these properties, each with its type."""
        of = self._graph.node_type(node)
        told = (f.name for f in of.features if f.name != of.label and f"{of.name}.{f.name}" in properties)
        return any(self._graph.feature(node, name) in texts for name in told)

    def reworded(self, question: str, link: Link | None) -> Iterator[Reworded]:
        """The question in the words of the schema, where it says some of its names otherwise: "who is in charge of X" for `manager`."""
        if link is None:
            return
        types = {f"P:{t.name}.{t.label}": spoken(t.name) for t in self._graph.schema.node_types}

        def named(text: str) -> tuple[list[Named], list[tuple[int, int]]]:
            values = [v for v in link(text) if v.found or v.kind == "quoted"]
            owners = [(v, {types[o] for o in v.owners if o in types}) for v in values]
            names = [Named(v.start, v.end, owner) for v, found in owners for owner in found]
            return names, [(v.start, v.end) for v in values]

        names, taken = named(question)
        for put in (Reworded(question, ()), *self._rewording.of(question, taken, {n.owner for n in names})):
            if put.words:
                yield put
            for asked in self._asked_for.of(put.question, *named(put.question)):
                yield Reworded(asked.question, (*put.words, *asked.words))

    def of_presence(self, question: str) -> list[Reworded]:
        """The question in the words of the schema, where it asks who is still there, has left, or has been there longest."""
        return list(self._presence.of(question))

    def gone(self, question: str, nodes: Sequence[int]) -> str:
        """What is said of people in an answer who have left, where the question is about now."""
        return self._presence.gone(question, nodes)

    def stands_for(self, question: str) -> dict[str, set[str]]:
        """The words of a question that may stand for names of the schema, each with the keys of these (`synonyms.txt`)."""
        return self._rewording.stands_for(question)

    @cached_property
    def _presence(self) -> Presence:
        return Presence(self._graph, self._index)

    @cached_property
    def _rewording(self) -> Rewording:
        schema = self._graph.schema
        features = (f for t in schema.node_types for f in t.features if f.kind in ("date", "boolean"))
        done = [words for f in features if says_when_done(words := spoken(f.name))]
        relations = [(spoken(r.name), spoken(r.source), spoken(r.target)) for r in schema.relations]
        dated = [
            (when, spoken(r.name))
            for r in schema.relations
            for when in [spoken(f.name) for f in r.features if _kind(f) in ("date", "year")][:1]
            if sum(_kind(f) in ("date", "year") for f in r.features) == 1 and says_when_done(when)
        ]
        own = frozenset({*self._types, *self._properties} - set(done) - {when for when, _ in dated})
        return Rewording(relations, done, self._types, own, dated)

    @cached_property
    def _asked_for(self) -> AskedFor:
        of = [
            (spoken(t.name), f)
            for t in self._graph.schema.node_types
            for f in t.features
            if f.name != t.label
        ]
        found = [Property(owner, spoken(f.name), _kind(f)) for owner, f in of]
        of_edges = [f for r in self._graph.schema.relations for f in r.features]
        found += [Property("", spoken(f.name), _kind(f)) for f in of_edges]
        own = frozenset(w for n in (*self._types, *self._properties) for w in n.split())
        return AskedFor(found, self._types, own)

    def _in_total(self, question: str) -> str:
        """ "How many seeds were sent" as "total seeds sent", where no type but a number is called so: `seeds_sent`."""
        if not self._numbers_done:
            return question

        def total(match: re.Match[str]) -> str:
            name = f"{match['noun']} {match['done']}".lower()
            return f"total {name}" if name in self._numbers_done else match[0]

        return MANY_DONE.sub(total, question)

    @cached_property
    def _numbers_done(self) -> list[str]:
        """The numbers that are called by what was done with so many, where these are no nodes: `seeds sent`."""
        schema = self._graph.schema
        features = [
            f for part in (schema.node_types, schema.relations) for each in part for f in each.features
        ]
        nouns = {stem(word) for name in self._types for word in name.split()}
        names = [spoken(f.name) for f in features if f.kind == "number"]
        return [
            n for n in names if n.count(" ") == 1 and is_participle(n) and stem(n.split()[0]) not in nouns
        ]

    @cached_property
    def _members(self) -> re.Pattern[str] | None:
        """ "Members of" before a type that is people, and "pieces of" before any, where the schema has no such noun: a member of staff is one of
        the staff.
        """
        said = {stem(w) for n in (*self._types, *self._properties) for w in n.split()}
        people = [t for t in self._types if is_person(t)]
        led = [("member", people), *((noun, self._types) for noun in ("piece", "item", "bit"))]
        parts = [
            rf"{noun}s? of (?:the |our )?(?=(?:{'|'.join(map(re.escape, types))})\b)"
            for noun, types in led
            if types and stem(noun) not in said
        ]
        return re.compile(rf"\b(?:{'|'.join(parts)})", re.I) if parts else None

    def _as_written(self, question: str, link: Link) -> str:
        """The question with words as the schema writes them, short or whole: "quantity" as `qty`, "per kilo" as `per_kg`. What stands in a
        name stays.
        """
        each = {m.start(1): self._each_of(m[1]) for m in per_unit(question) if m[1].isalpha()}
        if not each and not any(
            singular(word.lower()) in self._written_otherwise for word in _WORD.findall(question)
        ):
            return question
        taken = [(v.start, v.end) for v in link(question) if v.found or v.kind == "quoted"]

        def written(match: re.Match[str]) -> str:
            if any(start < match.end() and match.start() < end for start, end in taken):
                return match[0]
            one = singular(match[0].lower())
            whole = self._written_otherwise.get(one, match[0])
            many = whole != match[0] and one != match[0].lower() and is_short(one)
            return each.get(match.start()) or (plural(whole) if many else whole)

        return _WORD.sub(written, question)

    def _each_of(self, word: str) -> str:
        """The unit as it stands where something is told for one of it: a "kilo" as the `kg` of `eur_per_kg`. Other words are left."""
        each = (m[1] for name in self._properties for m in per_unit(name))
        return next((w for w in each if set(units(w)) & set(units(word))), word)

    @cached_property
    def _written_otherwise(self) -> dict[str, str]:
        """Words that the schema does not have, by which of its own each is written as there, if that is one."""
        own = {singular(w) for name in (*self._types, *self._properties) for w in name.split()}
        stems = set(map(stem, own))
        several = [
            (other, w)
            for w in sorted(own)
            for other in written_as(w)
            if stem(other) not in stems and (len(other) > len(w) or is_short(other))  # a cat is no category
        ]
        found = dict(several)
        return {other: w for other, w in found.items() if sum(o == other for o, _ in several) == 1}

    @cached_property
    def _own_name(self) -> re.Pattern[str] | None:
        """What the graph is called, before the noun of a type: in `digs` a "dig season" is a season. None where the schema has the word."""
        name, schema = (
            spoken(self._graph.name),
            {stem(w) for text in (*self._types, *self._properties) for w in text.split()},
        )
        if " " in name or stem(name) in schema:
            return None
        nouns = "|".join(re.escape(form) for t in self._types for form in (plural(t), t))
        return re.compile(rf"\b(?:{re.escape(singular(name))}|{re.escape(name)}) (?=(?:{nouns})\b)", re.I)

    @cached_property
    def _inside_names(self) -> re.Pattern[str] | None:
        """An "'s" within the name of a property, "the bank's country" of `bank_country`, where what owns it is nothing of its own."""
        own = {stem(name) for name in (*self._types, *(spoken(r.name) for r in self._graph.schema.relations))}
        pairs = {
            (" ".join(words[:at]), " ".join(words[at:]))
            for words in (name.split() for name in self._properties)
            for at in range(1, len(words))
            if own.isdisjoint({stem(" ".join(words[:at])), stem(words[at - 1])})
        }
        if not pairs:
            return None
        said = "|".join(rf"{re.escape(whose)}(?='s? {re.escape(what)}\b)" for whose, what in sorted(pairs))
        return re.compile(rf"(?<![\w'\"-])({said})'s? ", re.I)

    def _of_the_best(self, question: str) -> str:
        """How much what is called the best measures, as what it is the best of says: "how high is the highest point of X" asks for the
        `highest_elevation` of X, where points have no numbers.
        """
        for name, asked in self._bests:
            for form in asked:
                question = form.sub(rf"what is the {name} \g<of> ", question)
        return question

    @cached_property
    def _bests(self) -> list[tuple[str, tuple[re.Pattern[str], ...]]]:
        """The relations called by a superlative, each with the one number so called of what it leads from, and how that is asked for."""
        schema, found = self._graph.schema, []
        types = {t.name: t for t in schema.node_types}
        for relation in schema.relations:
            best, _, noun = spoken(relation.name).partition(" ")
            told = (
                any(f.kind == "number" for f in types[relation.target].features)
                if relation.target in types
                else True
            )
            if not noun or not best.endswith("est") or told or relation.source not in types:
                continue
            names = [spoken(f.name) for f in types[relation.source].features if f.kind == "number"]
            named = [name for name in names if name.startswith(f"{best} ")]
            if len(named) != 1:
                continue
            measure = named[0].partition(" ")[2]
            alike = {a: {word for word, _ in adjective.features} for a, adjective in adjectives().items()}
            how = [a for a, words in alike.items() if measure in words]
            nouns = {measure, *(word for a in how for word in alike[a])}
            end = rf"(?:the )?{re.escape(best)} {re.escape(noun)}s? (?P<of>of|in|for)(?: all)? "
            forms = [rf"^\W*how (?:{'|'.join(map(re.escape, how))}) (?:is|are|was|were) {end}"] if how else []
            forms.append(
                rf"(?:what (?:is|are) )?\bthe (?:{'|'.join(map(re.escape, sorted(nouns)))})s? of {end}"
            )
            found.append((named[0], tuple(re.compile(form, re.I) for form in forms)))
        return found

    def _with_number(self, question: str) -> str:
        """The question with a number of a property behind the noun of its type: "a 5-star review" as "a review with 5 stars"."""

        def behind(match: re.Match[str]) -> str:
            name = self._numbers_of.get((singular(match[2].lower()), singular(match[3].lower())))
            return f"{match[3]} with {match[1]} {name}" if name else match[0]

        return _NUMBERED.sub(behind, question) if "-" in question else question

    @cached_property
    def _numbers_of(self) -> dict[tuple[str, str], str]:
        """The numbers that nodes have, by their noun and that of the type."""
        numbers = (
            (t, spoken(f.name))
            for t in self._graph.schema.node_types
            for f in t.features
            if f.kind == "number"
        )
        return {(singular(name.lower()), singular(spoken(t.name).lower())): name for t, name in numbers}

    def _run_together(self, question: str) -> str:
        """The question with two words as one where a name of the schema is so, "high schoolers" of `Highschooler`, and with one as
        several where the schema's are read so: "orderdates" of `orderdate`.
        """
        question = _WORD.sub(lambda m: self._apart(m[0]), question)
        return _PAIR.sub(
            lambda m: m[1] if stem(f"{m[1]}{m[2]}".lower()) in self._one_word else m[0], question
        )

    def _apart(self, word: str) -> str:
        parts = apart(word)
        return parts if parts != word and stem(parts) in self._several_words else word

    @cached_property
    def _several_words(self) -> frozenset[str]:
        """The stems of names of several words."""
        return frozenset(stem(n) for n in (*self._types, *self._properties) if " " in n)

    @cached_property
    def _one_word(self) -> frozenset[str]:
        """The stems of long names of one word."""
        names = (*self._types, *self._properties)
        return frozenset(stem(n) for n in names if n.isalpha() and len(n) > 6)

    def _without_remark(self, question: str, link: Link | None) -> str:
        """The question without what somebody says of themselves before it: "Quick one for my slides: ...", "Hi, I'm new here - ...",
        "I can't stand crowds, so ...".

        What names a value, or changes what is asked, is no such remark; nor is what has a word of the schema, unless the
        question follows from it and does not point back. The one node that it names takes the place of the pronoun: "My aunt lives
        in Ayton. What region is that in?"
        """
        remark = _REMARK.match(question)
        if remark is None or link is None:
            return question
        said, rest = self._named_whole(remark["remark"], link), question[remark.end() :]
        named = [v for v in link(said) if v.found]
        without = said.replace(named[0].text, "") if named else said
        words = {stem(word.lower()) for word in _WORD.findall(without)}
        own = {stem(word) for name in (*self.called, *self._properties) for word in name.split()}
        whole = (
            remark["so"] is not None and _POINTS_BACK.search(rest) is None
        )  # "..., so which beers are ..."
        if (
            _SPEAKER.search(said) is None
            or (words & own and not whole)
            or any(operator_words(without))
            or len(named) > 1
        ):
            return question
        if not named:
            return question if REFERRING.search(rest) else rest
        nodes = self._index.exact(named[0].text)
        subject = Said(self._graph.label(nodes[0]), Answer(False, "")) if len(nodes) == 1 else None
        resolved = Conversation(self._graph, self._index).resolve(rest, [subject]) if subject else ()
        return resolved[0] if len(resolved) == 1 and resolved[0] != rest else question

    @cached_property
    def called(self) -> list[str]:
        """What nodes are called: types, and the last words of their names."""
        return [*self._types, *(word for name in self._types for word in name.split()[-1:])]

    @cached_property
    def _types(self) -> list[str]:
        """The names of types in words."""
        return [spoken(t.name) for t in self._graph.schema.node_types]

    def _shortened(self, question: str, link: Link | None) -> str:
        """The question without words that say nothing of what is asked for."""
        quoted = quoted_names(question, self._properties) if link is not None else []
        texts = [v.text for v in link(question) if v.found] if quoted and link is not None else []
        return shorter(question, self._properties, texts)

    @cached_property
    def _properties(self) -> list[str]:
        """What properties and relations are called, in words."""
        schema = self._graph.schema
        of_nodes = (f.name for t in schema.node_types for f in t.features)
        of_edges = (name for r in schema.relations for name in (r.name, *(f.name for f in r.features)))
        return list(dict.fromkeys(map(spoken, (*of_nodes, *of_edges))))

    def _spelt_out(self, question: str, link: Link) -> str:
        """The question with identifiers of the schema in words: "DataCenters" as "data centers". What stands in a name stays."""
        if self._identifiers is None or not self._identifiers.search(question):
            return question
        taken = [(v.start, v.end) for v in link(question) if v.found or v.kind == "quoted"]

        def words(match: re.Match[str]) -> str:
            if any(start < match.end() and match.start() < end for start, end in taken):
                return match[0]
            return spoken(self._compounds[match[1].lower()]) + match[2]

        return self._identifiers.sub(words, question)

    def _named_whole(self, question: str, link: Link) -> str:
        """The question with halves of names as the whole names: readings are told so.

        Only one name of the graph has them, or the half says all but the noun of the type: "the Ister" is the river called "River
        Ister", though "Upper Ister" is a town.
        """
        if not any(word[:1].isupper() for word in question.split()[1:]):
            return question
        for v in reversed(link(question)):
            half = (
                v.kind == "name"
                and not v.found
                and v.text[:1].isupper()
                and v.text.replace(" ", "").isalpha()
            )
            node = self._index.only_with(v.text) if half else None
            if half and node is None and _ARTICLE.search(question[: v.start]):
                node = self._with_its_noun(v.text)
            name = self._graph.label(node) if node is not None else ""
            there = name.casefold() in question.casefold()  # "He" of He said "no"
            if name and not there and len(name.split()) <= _LONGEST_HALVED:
                question = question[: v.start] + name + question[v.end :]
        return question

    def _with_its_noun(self, half: str) -> int | None:
        """The one node that is called as these words with the noun of its type before or behind them."""
        nouns = {t.name: singular(spoken(t.name)) for t in self._graph.schema.node_types}
        found = {
            node
            for type_name, noun in nouns.items()
            for name in (f"{noun} {half}", f"{half} {noun}")
            for node in self._index.exact(name)
            if self._graph.node_type(node).name == type_name
        }
        return found.pop() if len(found) == 1 else None

    @cached_property
    def _compounds(self) -> dict[str, str]:
        """The names of the schema that are several words written as one, by their lower case."""
        names = (*self._nouns, *(r.name for r in self._graph.schema.relations))
        several = {n.lower(): n for n in names if " " not in n and " " in spoken(n)}
        ones = {one: n for key, n in several.items() if (one := singular(key)) != key}
        return ones | several

    @cached_property
    def _identifiers(self) -> re.Pattern[str] | None:
        """The names of several words, in the singular or the plural."""
        if not self._compounds:
            return None
        longest = sorted(self._compounds, key=len, reverse=True)
        return re.compile(rf"(?<![\w'\"-])({'|'.join(map(re.escape, longest))})(s?)(?![\w'\"-])", re.I)

    @cached_property
    def _nouns(self) -> list[str]:
        """The names of types and properties."""
        schema = self._graph.schema
        features = (f.name for t in schema.node_types for f in t.features)
        of_edges = (f.name for r in schema.relations for f in r.features)
        return [*(t.name for t in schema.node_types), *features, *of_edges]


def _kind(of: Feature) -> str:
    """What a property says in a question: a number may be a year, or how long something takes."""
    words = spoken(of.name)
    if of.kind == "datetime":
        return "date"
    if of.kind != "number":
        return of.kind
    if says_when_done(words) or set(words.split()) & {"year", "yr", "since", "yob"}:
        return "year"
    return "time" if any(u.dimension == "time" for u in units_of(of.name)) else "number"
