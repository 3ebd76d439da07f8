"""What words mean over one schema: its types, properties and relations, in any inflection, and what measures them.

A word means a property or a relation by its own name, by a general synonym, or by being much nearer to it than to any
other that it could mean. Where several fit alike, it means none.
"""

from collections.abc import Iterator, Sequence

from graphtalk.language.dictionary import verb_done
from graphtalk.language.english import thesaurus
from graphtalk.language.nouns import singular
from graphtalk.reasoners.around.names import agents, root
from graphtalk.reasoners.phrases.properties import Properties, nearest
from graphtalk.reasoners.phrases.relations import AFTER, FILLING, MADE, MOST_EDGES
from graphtalk.reasoners.phrases.schema_words import DONE, VAGUE, meanings, roots_of
from graphtalk.reasoners.reader.shape import Held, Link, Step, spoken

NEAR_DEED = 0.52  # how near a verb must be to the one relation that it may say
_GOES_WITH = 0.35  # how near a verb must be to what its object is, and no other noun of the schema
_FEW_VALUES = 50  # of a property of edges that says of which kind they are


class Lexicon(Properties):
    """The words of one graph's schema."""

    def beside(self, word: str, node_type: str) -> list[Step]:
        """The one relation without direction that an adjective says of its neighbours: `borders` of "neighbouring", "adjacent"."""
        if not (word.endswith("ing") or word == "adjacent"):
            return []
        found = [s for s in self.steps(node_type) if self.either_way(s) and self.does(word, s)]
        return found if len(found) == 1 else []

    def does(self, word: str, step: Step) -> bool:
        """Whether a verb may say what a relation says: by a root, a synonym, or being near to it; by its name from either end."""
        names = [[w for w in self.said(step.link) if w not in FILLING]]
        if step.source != step.target and (back := self.inverse(step.link)):
            names.append([w for w in spoken(back).split() if w not in FILLING])
        if any(root(word) in map(root, (*words, *_done(words))) for words in names):
            return True
        if any(thesaurus().contrary(word, words) for words in names) or self._tells_edges(word, step.link):
            return False
        if root(word) in _CALLED:
            return False
        if self.light(word, step) or self._done_by_ends(word, step):
            return True
        if root(word) in _CONTAINING:
            # A team includes people, but how many a van holds is not how many drive it.
            room = root(word) == root("hold") and not self.people_free(step)
            return not room and self.between(step.source, step.target) == step
        if (
            root(word) in _USING and len(names[0]) > 1 and root(names[0][-1]) in _LINES
        ):  # what a job has lines of it needed
            return (
                step.out and self.between(step.source, step.target) == step and step.target not in self.people
            )
        if self._done_when(word, step) or self._done_when(word, self.reversed(step)):
            return True
        lines = set(meanings([word])) - VAGUE
        if any(lines & set(meanings(words)) for words in names):
            return True
        if any(words and nearest(word, (" ".join(words),), NEAR_DEED) == 0 for words in names):
            return True
        told = [h for end in (step.source, step.target) if (h := self.told_by(end)) is not None]
        return any(self.goes_with(word, h) for h in told)

    def people_free(self, step: Step) -> bool:
        """Whether no end of a relation is people."""
        return step.source not in self.people and step.target not in self.people

    def goes_with(self, verb: str, held: Held) -> bool:
        """Whether of all nouns of the schema a verb goes with what a text is: who "speaks" has a `language`."""
        nouns = [spoken(h.name) for h in self.shape.held if not h.of]
        nouns += [spoken(t) for t in self.shape.types]
        own = spoken(held.name)
        others = tuple(dict.fromkeys(n for n in nouns if own not in n))
        return nearest(verb, (own, *others), _GOES_WITH) == 0

    def _done_by_ends(self, verb: str, step: Step) -> bool:
        """Whether the only relation between two types says what one of them does: a teacher teaches; who owns something has it. Whom a
        teacher advises they may not teach.
        """
        if self.between(step.source, step.target) != step:
            return False
        said = self.said(step.link)  # what is stored at a port, or has a keeper, is not theirs
        had = [s for s in (step, self.reversed(step)) if self.is_noun_of(s)]
        if root(verb) == root("own"):
            things = any(s.target not in self.people for s in had)
            return said[0] in ("has", "have") or (things and not AFTER.intersection(said))
        agent = any(root(verb) in agents(spoken(t).rpartition(" ")[2]) for t in (step.source, step.target))
        return agent and (said[0] in ("has", "have") or bool(had))

    def _done_when(self, verb: str, step: Step) -> bool:
        """Whether a step leads from somebody to what was done on a date of its own, each of it: who "sent" a parcel is joined to what
        has `sent_on`. Of what has no such date it is not said that it was done.
        """
        called = self.is_noun_of(step) or self.is_noun_of(
            self.reversed(step)
        )  # who rated a film did not release it
        if step.source not in self.people or step.target in self.people or not called:
            return False
        dates = [
            h for h in self.held(step.target) if h.kind == "date" and not h.via and root(verb) in roots_of(h)
        ]
        columns = [self._graph.columns[step.target].column(h.name) for h in dates]
        return bool(columns) and not any(column.null_count for column in columns)

    def done_along(self, word: str, step: Step) -> bool:
        """Whether each edge of the one relation between two types has a date of what a verb says: who was "sent" a map, by `sent_on`."""
        if not verb_done(word) or self.between(step.source, step.target) != step:
            return False
        dates = [h for h in self.held(step.link.key) if h.kind == "date" and root(word) in roots_of(h)]
        relation = self.shape.places[step.link]
        columns = [self._graph.edge_columns[relation].column(h.name) for h in dates if not step.link.made]
        return bool(columns) and not any(column.null_count for column in columns)

    def _tells_edges(self, word: str, link: Link) -> bool:
        """Whether a word says what only some edges have: "chaired" where the role of some is `chair`."""
        if link.key not in self._edge_values:
            relation = self.shape.places[link]
            held = [h for h in self.held(link.key) if h.kind == "text" and not link.made]
            columns = [self._graph.edge_columns[relation].column(h.name) for h in held]
            values = [column.unique() for column in columns if len(column) <= MOST_EDGES]
            few = [v for unique in values if len(unique) <= _FEW_VALUES for v in unique.to_pylist() if v]
            self._edge_values[link.key] = frozenset(root(v.lower()) for v in few if v.isalpha())
        return root(word) in self._edge_values[link.key]

    def light(self, verb: str, step: Step) -> bool:
        """Whether a verb that means little says a relation that is called as what it leads to: who "placed" an order is its customer."""
        ends = [s for s in (step, self.reversed(step)) if self.is_noun_of(s) and self.to_one(s)]
        if root(verb) in _LIGHT:
            return bool(ends)
        anybody = any(root(spoken(s.target).rpartition(" ")[2]) in _ANYBODY for s in ends)
        return anybody and (
            root(verb) in MADE or root(verb) == root("leave")
        )  # whose a comment is has written it

    def means_type(self, noun: str, but: str = "") -> bool:
        """Whether a noun means the same as what some type is called, other than one."""
        lines = set(meanings([noun])) - VAGUE
        return any(
            lines & set(meanings([spoken(t).rpartition(" ")[2]])) for t in self.shape.types if t != but
        )


def _done(nouns: Sequence[str]) -> Iterator[str]:
    """What is done where there is what nouns say, where no ending tells it."""
    for noun in nouns:
        yield from DONE.get(singular(noun), ())


_CONTAINING = frozenset(map(root, "contain include hold comprise consist".split()))
_USING = frozenset(map(root, "use need require take involve".split()))
_LINES = frozenset(map(root, "line item part detail material ingredient component".split()))
_ANYBODY = frozenset(map(root, "user person people member customer client employee student account".split()))
_LIGHT = frozenset(
    map(root, "place make do take operate handle deal dealt submit file run perform conduct complete".split())
)
_CALLED = frozenset(map(root, ("called", "named", "titled")))  # what follows is a name of its own
