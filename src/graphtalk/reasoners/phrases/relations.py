"""What relations are called and mean: roles, places, chains of steps, and who does what along them."""

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from graphtalk.core import LimitError
from graphtalk.core.people import means_somebody
from graphtalk.engines.naming import node_column
from graphtalk.language.dictionary import verb_done, verb_of
from graphtalk.language.kinship import kin_noun
from graphtalk.language.nouns import singular
from graphtalk.language.people import is_person, may_act
from graphtalk.reasoners.around.names import agents, root
from graphtalk.reasoners.phrases.schema_words import SchemaWords, deeds_of, deeds_of_event, is_date
from graphtalk.reasoners.phrases.staying import AT_HOME, AT_WORK
from graphtalk.reasoners.reader.shape import Link, Step, spoken

MOST_EDGES = 1_000_000  # of a relation within one type that are looked at for one direction or both
_FARTHEST = 4  # steps of a chain that leads each node to one
FILLING = frozenset("has have had is was be in of to by at on for from the a an and".split())
_GENERIC = frozenset(
    map(root, "located location based situated belong member part include contain work".split())
)


class Relations(SchemaWords):
    """The relations of one schema."""

    def dated_so(self, verb: str, node_type: str) -> list[Step]:
        """The one relation to records that have a date called by a verb, where a type has none: animals are `admitted` by their stays, but no
        department was hired when its people were.
        """
        if any(root(verb) in self.date_roots(h) for h in self.held(node_type) if is_date(h)) or self.events(
            verb
        ):
            return []
        found = [
            s
            for s in self.steps(node_type)
            if not self.to_one(s)
            and self.is_record(s.target)
            and any(root(verb) in self.date_roots(h) for h in self.held(s.target) if is_date(h))
        ]
        return found if len(found) == 1 else []

    def side(self, step: Step) -> str:
        """Whether a relation leads to where something comes from ("from") or goes to ("to"), by its name; else nothing."""
        words = {root(w) for w in self.called(step).split()}
        return next((side for side, names in SIDES.items() if words & names), "")

    def plain(self, source: str, target: str) -> Step | None:
        """The relation that "of", "has" or a name before a noun means: the one there is, else the one that only says where something is,
        or that is called as the group that somebody is in, else the one that is called as what it leads to.

        The cities of a state are those located in it, whichever is its capital; the people of a team are those whose `team` it is,
        whoever is its `lead`; the sightings of a recorder those with this `recorder`, whoever they were `confirmed_by`.
        """
        only = self.between(source, target)
        if only is not None or source == target:
            return only
        several = [s for s in self.steps(source) if s.target == target]
        found = (
            [s for s in several if self.says_where(s.link)]
            or [s for s in several if self.is_in(s) or self.is_in(self.reversed(s))]
            or [s for s in several if singular(spoken(s.link.name)) == singular(spoken(s.link.target))]
        )
        others = [s for s in several if s not in found and self._does_the_deed(s.link)]
        return found[0] if len(found) == 1 and not others else None

    def _does_the_deed(self, link: Link) -> bool:
        """Whether a relation is called as who does what its source stands for: the `coach` of a coaching gives it, the pilot has it."""
        done = deeds_of_event(link.source)
        return any(
            root(word) in done or not done.isdisjoint(agents(word)) for word in spoken(link.name).split()
        )

    def is_in(self, step: Step) -> bool:
        """Whether a step leads from somebody to the group they are in: to what the relation is called, where that means people together."""
        called = set(map(root, spoken(step.link.name).split())) == set(map(root, spoken(step.target).split()))
        return (
            step.out
            and called
            and step.source in self.people
            and may_act(step.target)
            and not is_person(step.target)
        )

    def called_so(self, verb: str, source: str, target: str) -> Step | None:
        """The one relation of several between two types that is called by the root of a verb, or by the noun of what it does."""
        found = [
            s
            for s in self.steps(source)
            if s.target == target != source and any(verb in deeds_of(singular(w)) for w in self.said(s.link))
        ]
        return found[0] if len(found) == 1 else None

    def says_where(self, link: Link, places: frozenset[str] | None = None) -> bool:
        """Whether a relation is called as what only says where something is, or is part: `located in`, `part of`; `places`: or only these."""
        words = {root(w) for w in self.said(link)} - set(map(root, FILLING))
        return bool(words) and words <= (_GENERIC if places is None else places)

    def joins_types(self, relation: str) -> bool:
        """Whether a relation joins different types only, so that no preposition may turn it round."""
        return all(link.source != link.target for link in self.shape.links if link.name == relation)

    def way(self, source: str, target: str) -> tuple[Step, ...]:
        """The one way between two types: their one relation, else the only shortest chain that leads each node to one, or back.

        The court of an opinion is that of its docket, where an opinion has one docket and that has one court.
        """
        step = self.plain(source, target)
        if step is not None:
            return (step,)
        if any(s.target == target for s in self.steps(source)):
            return ()
        there, back = self.chains(source, target), self.chains(target, source)
        found = [*there, *(tuple(map(self.reversed, reversed(chain))) for chain in back)]
        return found[0] if len(found) == 1 else ()

    def over(self, source: str, target: str) -> tuple[Step, ...]:
        """The one way between two types over a third that joins them: series and their authors over books."""
        if source == target or any(s.target == target for s in self.steps(source)):
            return ()
        ways = [
            (first, second)
            for first in self.steps(source)
            for second in self.steps(first.target)
            if second.target == target and first.target not in (source, target)
        ]
        return ways[0] if len(ways) == 1 else ()

    def located(self, source: str, place: str) -> tuple[Step, ...]:
        """The one chain of places in places between two types: of cities to countries."""
        chain = self.way(source, place) if source != place else ()
        return chain if all(s.out and (self.is_noun_of(s) or self.says(s, "in")) for s in chain) else ()

    def authored(self, source: str, target: str) -> Step | None:
        """The one of several relations between two types that says who made what, where the others say what is done with it: of `posted`
        and `likes` the first.
        """
        steps = [s for s in self.steps(source) if s.target == target and source != target]
        made = [s for s in steps if root(self.said(s.link)[0]) in MADE | {root(spoken(s.link.target))}]
        others = [s for s in steps if s not in made]
        done_with = all(root(self.said(s.link)[0]) in _DONE_WITH for s in others)
        return made[0] if len(made) == 1 and others and done_with else None

    def chains(self, source: str, target: str) -> list[tuple[Step, ...]]:
        """The shortest chains of steps that each lead a node to one at most, through types that differ; none where another way is as
        short: a customer's branch may be that of an account or that of an adviser.
        """
        for length in range(1, _FARTHEST + 1):
            found = self._chains(source, target, length, all_to_one=True)
            if found:
                others = self._chains(source, target, length, all_to_one=False)
                rivals = [c for c in others if c not in found and not any(map(self._is_back_from_role, c))]
                return found if not rivals else []
        return []

    def _is_back_from_role(self, step: Step) -> bool:
        """Whether a step leads from somebody to what they have a role for: nobody means the farms that who reported it manages."""
        if step.out or step.link.undirected:
            return False
        called = {root(w) for w in self.said(step.link)}
        return called.isdisjoint(root(w) for w in spoken(step.link.target).split())

    def _chains(self, source: str, target: str, length: int, all_to_one: bool) -> list[tuple[Step, ...]]:
        """The chains of so many steps, through types that differ."""
        chains: list[tuple[Step, ...]] = [()]
        for left in range(length, 0, -1):
            chains = [
                (*chain, step)
                for chain in chains
                for step in self.steps(chain[-1].target if chain else source)
                if (step.target == target) == (left == 1)
                and step.target not in (source, *(s.target for s in chain))
                and (not all_to_one or self.to_one(step))
            ]
        return chains

    def either_way(self, step: Step) -> bool:
        """Whether a step within one type says the same as its way back: a relation without direction, or with all edges both ways."""
        link = step.link
        if link.source != link.target:
            return False
        if link.undirected:
            return True
        if link not in self._both_ways:
            self._both_ways[link] = self._symmetric(link)
        return step.out and self._both_ways[link]

    def _symmetric(self, link: Link) -> bool:
        try:
            source, target = self.ends(link)
        except LimitError:  # edges of a graph elsewhere, more than are read here
            return False
        if not 0 < len(source) <= MOST_EDGES:
            return False
        size = int(max(source.max(), target.max())) + 1
        return np.array_equal(np.unique(source * size + target), np.unique(target * size + source))

    def loops(self, link: Link) -> bool:
        """Whether an edge of a relation leads back to where it begins: then who does it to "each other" may be one alone."""
        try:
            source, target = self.ends(link)
        except LimitError:
            return True
        return bool((source == target).any()) if link.source == link.target else False

    def most_from(self, step: Step, naming: str, texts: Sequence[str]) -> int:
        """How many neighbours a step leads to at most from the nodes that are called one of some texts."""
        import pyarrow.compute as pc  # slow to import, and few questions come here

        t = self._graph.schema.node_type(step.source)
        column = self._graph.columns[t.name].column(node_column(t, self.shape.properties[naming].name))
        rows = pc.indices_nonzero(pc.is_in(pc.cast(column, pa.string()), pa.array(texts, pa.string())))
        ends = self.ends(step.link)[0 if step.out else 1]
        return max((int((ends == t.first + row).sum()) for row in rows.to_pylist()), default=0)

    def roles(self, words: Sequence[str], at: int) -> list[tuple[int, Step]]:
        """Nouns for who or what is at one end of a relation, each as the step from it to what it is that of.

        `has_ceo` leads to CEOs; who `directed` is a director.
        """
        found = [
            (at + size, step)
            for size in {len(name) for name in self._role_nouns if at + len(name) <= len(words)}
            for last in _singulars(words[at + size - 1])
            for step in self._role_nouns.get((*words[at : at + size - 1], last), ())
        ]
        deeds = set(agents(words[at])) if at < len(words) else set()
        for link in self.shape.links if deeds else ():
            verb = self._deed(link)
            if len(verb) == 1 and root(verb[0]) in deeds and not any(agents(verb[0])) and not link.undirected:
                done_by = self.said(link)[-1] == "by"  # `directed by` leads to who did it
                if not done_by and verb_done(verb[0]) and not may_act(link.source):
                    continue  # tools `kept at` a place are no keepers
                found.append((at + 1, Step(link, not done_by)))
        told = at + 1 == len(words) or (
            at < len(words) and words[at + 1] in ("of", "for", "on", "does", "do", "did", "has", "have")
        )
        needed = {root(base) for base in _needed(words[at])} if told else set()
        for link in self.shape.links if needed else ():  # what somebody depends on are dependencies
            verb = self._deed(link)
            if len(verb) == 1 and root(verb[0]) in needed and not link.undirected:
                others = words[at + 1 : at + 3] in (("on", "other"), ("on", "any"))
                of = [
                    end for end, t in self.types([*map(root, words)], at + 3) if others and t == link.target
                ]
                found += [(end, Step(link, False)) for end in (at + 1, *of)]
        made = words[at] if at < len(words) and told else ""
        for link in self.shape.links if made and not made.endswith(("ed", "ing")) else ():
            if self.said(link)[1:] == ["from"] and root(self.said(link)[0]) == root(made):
                found.append((at + 1, Step(link, True)))  # what was forked from X is a fork of X
        longest = max((end for end, _ in found), default=0)
        return [(end, step) for end, step in dict.fromkeys(found) if end == longest]

    def _deed(self, link: Link) -> list[str]:
        """The words of a relation's name without prepositions and the like, nor what it joins: `depends` of `service_depends_on`."""
        words = [w for w in self.said(link) if w not in FILLING]
        ends = {root(w) for end in (link.source, link.target) for w in spoken(end).split()}
        return [w for w in words if root(w) not in ends] or words

    @cached_property
    def _role_nouns(self) -> dict[tuple[str, ...], list[Step]]:
        """Steps by the nouns that relations are called by."""
        found: dict[tuple[str, ...], list[Step]] = {}
        for kind, out in (("noun>", False), ("noun<", True)):
            for words, names in self.names.relations[kind].items():
                for link in self.shape.links:
                    if link.name not in names or not _is_noun(link.name, words):
                        continue
                    one = (*words[:-1], singular(words[-1]))  # who skippers a boat is a skipper
                    for said in dict.fromkeys((words, one)):
                        leads = out or link.undirected or self.does_itself(link)  # friends are each other's
                        found.setdefault(said, []).append(Step(link, leads))
                for link in self.shape.links:
                    if link.source == link.target and self.inverse(link) in names and not link.undirected:
                        one = (*words[:-1], singular(words[-1]))  # children, of `parent of`
                        for said in dict.fromkeys((words, one)):
                            found.setdefault(said, []).append(Step(link, not out))
        for words, steps in list(found.items()):  # a `rival_club` of a club is its rival
            alike = [s for s in steps if s.source == s.target and words[1:] == (singular(spoken(s.source)),)]
            if alike and means_somebody(words[0]):
                found.setdefault(words[:1], alike)
        for link in self.shape.links:  # what is said of kin by no relation of the graph
            noun, leads = kin_noun(spoken(link.name)), not spoken(link.name).endswith(" of")
            if back := self.kin_of(link):
                found.setdefault((noun,), [Step(link, not leads)])
                found.setdefault((back,), [Step(link, leads)])
        within = [link for link in self.shape.links if link.source == link.target]
        above = [(link, True) for link in within if self.reports(link.name)]
        above += [(link, False) for link in within if self.manages(link)]
        own_words = {root(w) for w in spoken(above[0][0].name).split()} if above else set()
        for noun, out in (*_ABOVE_ONE.items(), *_BELOW_ONE.items()) if len(above) == 1 else ():
            taken = " " not in noun and root(noun) in self._said - (
                own_words if noun in _BELOW_ONE else set()
            )
            if not taken and tuple(noun.split()) not in found:
                found[tuple(noun.split())] = [Step(above[0][0], out == above[0][1])]
        return found

    def akin(self, roots: Sequence[str], at: int, node_type: str) -> list[tuple[int, Step]]:
        """Where words end that say how nodes of one type are joined, each as the step to the node that lists them so.

        `similar_books` of a book lists books similar to it, `also_viewed_item` items co-viewed with it.
        """
        found = [
            (at + len(words), step)
            for words, step in self._akin.get(node_type, ())
            if tuple(roots[at : at + len(words)]) == words
        ]
        if not found and at + 1 < len(roots) and roots[at] in _TOGETHER:
            deed = {roots[at + 1]}
            joint = [s for words, s in self._akin.get(node_type, ()) if deed < set(words) <= deed | _TOGETHER]
            found = [(at + 2, step) for step in joint] if len(joint) == 1 else []
        return found

    @cached_property
    def _akin(self) -> dict[str, list[tuple[tuple[str, ...], Step]]]:
        """By type, what stands before its own noun in the names of relations with itself."""
        found: dict[str, list[tuple[tuple[str, ...], Step]]] = {}
        for link in self.shape.links:
            words, noun = (tuple(map(root, spoken(name).split())) for name in (link.name, link.source))
            if link.source == link.target and len(words) > len(noun) and words[-len(noun) :] == noun:
                step = Step(link, link.undirected)
                found.setdefault(link.source, []).append((words[: -len(noun)], step))
        return found

    def does_itself(self, link: Link) -> bool:
        """Whether a relation's noun says what its source is: who is joined to what is nobody, as a user, `moderator`, to a page."""
        had = self.said(link)[0] in ("has", "have")
        return not had and link.source in self.people and link.target not in self.people

    def undergone(self, link: Link) -> str:
        """What was done to a relation's source, where that is what the relation is called: `moored` of `moored in`, `made` of `made by`."""
        words = self.said(link)
        return words[0] if len(words) == 2 and words[1] in AFTER and words[0].endswith(_PARTICIPLES) else ""

    def leads_to_own(self, step: Step) -> bool:
        """Whether what a step leads to calls the way back as the type that it leaves: a paper its authors."""
        words = set(map(root, self.called(self.reversed(step)).split()))
        return step.source != step.target and set(map(root, spoken(step.source).split())) <= words

    def done_by(self, step: Step) -> str:
        """The root of the deed that a step says is done by whom it leads to: of `cited_by` that of "cite"."""
        words = self.called(step).split()
        return root(words[0]) if len(words) == 2 and words[1] == "by" else ""

    def is_done_by(self, verb: str, step: Step) -> bool:
        """Whether a step leads to who does what a verb says, by their noun: a package that has a maintainer maintains nobody."""
        said = self.said(step.link)
        return root(verb) in set(agents(said[-1])) and step.out != self.does_itself(step.link)

    def begins(self, word: str, step: Step) -> bool:
        """Whether a verb is the first of a relation's name, whatever follows it: "worked" of `works_on`."""
        words = [w for w in self.said(step.link) if w not in FILLING]
        return bool(words) and root(word) == root(words[0]) and step.source != step.target

    def acts(self, word: str, step: Step) -> bool:
        """Whether a verb is all of a relation's name but for a preposition: "acted" of `acted_in`, "runs" of `runs through`."""
        words = [w for w in self.said(step.link) if w not in FILLING | AFTER | _WITHIN]
        return len(words) == 1 and root(word) == root(words[0]) and not any(agents(words[0]))

    def reports(self, relation: str) -> bool:
        """Whether a relation leads to whom somebody reports to: `manager`, `supervisor_id`, `reports_to`."""
        words = [w for w in spoken(relation).split() if w != "to"]
        ends = [
            end for link in self.shape.links if link.name == relation for end in (link.source, link.target)
        ]
        led = len(words) == 2 and words[1] == "by" and root(words[0]) in _LED
        noun = bool(words) and not verb_of(words[-1])  # who `manages` others has no manager by it
        above = led or (noun and bool(_ABOVE & set(map(root, words[-1:]))))
        return (above and all(end in self.people for end in ends)) or list(map(root, words)) == [
            root("reports")
        ]

    def manages(self, link: Link) -> bool:
        """Whether a relation is called by what those do to whom others of their type report: `manages`, `supervises`."""
        words = spoken(link.name).split()
        alike = link.source == link.target and link.source in self.people and not link.undirected
        return (
            alike and len(words) == 1 and root(words[0]) in MANAGING | _LEADING and not any(agents(words[0]))
        )

    def tells_kind(self, step: Step) -> bool:
        """Whether a relation leads to the kind that something is of: its genre, its category, its species."""
        return bool(_KINDS & {root(w) for w in (*self.said(step.link), *spoken(step.target).split())})

    def kinds_of(self, node_type: str) -> list[Step]:
        """The steps to what nodes are made or bred as, each of one: the model of a boat, the breed of a dog."""
        steps = [s for s in self.steps(node_type) if s.out and s.source != s.target]
        found = [
            s for s in steps if _BUILT_AS & {root(w) for w in (*self.said(s.link), *spoken(s.target).split())}
        ]
        return [s for s in found if self.to_one(s)]

    def is_called(self, kind: str, step: Step) -> bool:
        """Whether nodes are called by what a step leads to: films by their genre, people by "nurse", as which they work."""
        if step.source == step.target:
            return False
        people = step.source in self.people and step.target not in self.people and is_person(kind)
        return self.tells_kind(step) or people

    def is_noun_of(self, step: Step) -> bool:
        """Whether a relation is called as what it leads to: `department` to departments; `located in` says as much."""
        name = self.called(step)
        words = {root(w) for w in name.split()} - set(map(root, FILLING))
        noun = any(root(w) in {root(x) for x in name.split()} for w in spoken(step.target).split())
        return bool(name) and (noun or words <= _GENERIC or bool(words & (AT_WORK | AT_HOME)))

    def holds(self, step: Step) -> bool:
        """Whether a relation says that its target is in, or of, its source: `has`, `contains`, `employs`."""
        words = [w for w in self.said(step.link) if w not in ("of", "the")]
        own = {root(w) for w in spoken(step.source).split()}
        role = words[:1] in (["has"], ["have"]) and not {root(w) for w in words[1:]} <= own | _MEMBERS
        return not step.out and words[0] in _HOLDING and not role  # a team's lead is one of its people

    def versions(self, node_type: str) -> list[Step]:
        """The steps from nodes to the versions that there are of each, which are of no other."""
        found = [s for s in self.steps(node_type) if root(spoken(s.target).rpartition(" ")[2]) in _VERSIONS]
        return [s for s in found if self.to_one(self.reversed(s)) and not self.to_one(s)]

    def within(self, node_type: str, place: str) -> list[tuple[Step, Step]]:
        """The one way over two relations of being somewhere: organizations are in the country of their city, rivers in that of the states they run through."""
        if self.between(node_type, place) is not None:
            return []
        ways = [
            (first, second)
            for first in self.steps(node_type)
            for second in self.steps(first.target)
            if second.target == place
            and first.target not in (node_type, place)
            and (self.is_noun_of(first) or self.says(first, "in"))
            and self.is_noun_of(second)
        ]
        return ways if len(ways) == 1 else []

    def says(self, step: Step, preposition: str) -> bool:
        """Whether a relation's name has a preposition: `works_on`. What runs through something is in it."""
        words = self.said(step.link)
        if preposition in words:  # `singer_in_concert`, whichever table it was made from
            before, _, after = spoken(step.link.name).partition(f" {preposition} ")
            if (before, after) == (spoken(step.source), spoken(step.target)):
                return True
        return step.out and (preposition in words or (preposition == "in" and not _WITHIN.isdisjoint(words)))


def does_another(relation: str, event: str, beside: Iterable[tuple[str, str]]) -> bool:
    """Whether a relation says that somebody did something else with an event that others did: who handled a hire hired nothing.

    `beside`: the names and the targets of all relations of the event; where nobody else is joined to an order, who it was taken by may have made it.
    """
    *verb, by = spoken(relation).split()
    others = any(may_act(target) and not spoken(name).endswith(" by") for name, target in beside)
    return others and bool(verb) and by == "by" and root(verb[-1]) not in deeds_of_event(event) | _PLACED


def _needed(word: str) -> list[str]:
    """The verb whose object a noun in -ency is: of "dependencies" "depend"."""
    return [
        word.removesuffix(ending) for ending in ("ency", "encies") if word.endswith(ending) and len(word) > 7
    ]


def _singulars(word: str) -> dict[str, None]:
    """A noun as it stands and in the singular; the root tells that of "children"."""
    odd = [root(word)] if word.endswith("n") else []
    return dict.fromkeys((word, singular(word), *odd))


def _is_noun(relation: str, words: Sequence[str]) -> bool:
    """Whether a relation is called by a noun: `has_ceo`, `moderator`; `plays`, `directed` and `knowing` are verbs."""
    name = spoken(relation).split()
    had = name[0] in ("has", "have", "is", "are")
    return had or any(agents(name[-1])) or not name[-1].endswith(("s", "ed", "ing"))


_PLACED = frozenset(
    map(root, "make do place put give take create submit issue request carry conduct perform hold".split())
)
AFTER = frozenset("in at on to by for from of with into under".split())
_PARTICIPLES = ("ed", "en", "wn", "ne", "ld", "pt", "de", "ght", "lt", "nt", "und", "ung", "led", "rn")
_HOLDING = frozenset("has have contains includes holds contain include employs member members".split())
_MEMBERS = frozenset(map(root, "member part item element employee staff content".split()))
_VERSIONS = frozenset(map(root, ("version", "release", "edition", "revision")))
_WITHIN = frozenset("through across within inside at".split())
_TOGETHER = frozenset(map(root, "co also together jointly".split()))
_LED = frozenset(map(root, ("managed", "supervised", "led", "headed")))
_LEADING = frozenset(map(root, ("lead", "head")))
MANAGING = frozenset(map(root, "manage supervise oversee".split()))
_ABOVE = frozenset(
    map(root, "manager boss supervisor superior foreman forewoman lead leader head chief director".split())
)
_ABOVE_ONE = dict.fromkeys(("manager", "line manager", "boss", "supervisor", "superior"), False)
_BELOW_ONE = dict.fromkeys(
    ("direct report", "report", "subordinate"), True
)  # as seen by who reports to somebody
MADE = frozenset(
    map(
        root,
        "wrote write writes written author authored created create creates composed made posted published".split(),
    )
)
# What things are made or bred as has their numbers: a boat its model's power, but no film those of its genre.
_BUILT_AS = frozenset(map(root, "model type breed species design variety variant make".split()))
_KINDS = frozenset(map(root, "genre kind category class style species form type sort variety".split()))
_DONE_WITH = frozenset(
    map(
        root,
        "like love favorite favourite view see read watch rate review comment share repost bookmark save vote upvote dislike".split(),
    )
)
SIDES = {
    "from": frozenset(map(root, "origin source from start departure sender begin seller payer".split())),
    "to": frozenset(map(root, "destination target to end arrival recipient receiver payee".split())),
}
