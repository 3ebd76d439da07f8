"""What is said of nodes: "works in Berlin", "is not older than 50", "has more than 3 books", "written by Ann"."""

from abc import abstractmethod
from collections.abc import Iterator

from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.lexicon import is_date, stays
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.words import Words
from graphtalk.reasoners.planner.cues import base_of
from graphtalk.reasoners.reader.reading import Compared, Hop, Item, Measure, Not, Span, Test
from graphtalk.reasoners.reader.shape import Held, Step, spoken

BE = ("is", "are", "was", "were", "'s", "'re")
DO = ("do", "does", "did")
HAVE = ("have", "has", "had")
STAYING = {"work": "work", "works": "work", "worked": "work", "working": "work", "employed": "work", "live": "live",
            "lives": "live", "lived": "live", "living": "live", "reside": "live", "resides": "live", "comes": "come",
            "come": "come", "located": "be", "based": "be", "situated": "be", "lie": "be", "lies": "be", "belong": "be",
            "belongs": "be", "stay": "be", "stays": "be"}  # fmt: skip
_PLACED = ("in", "at", "for", "of", "to", "from", "on", "under", "by", "with", "as")


class VerbPhrases(Words):
    """The verb phrases of one question."""

    @abstractmethod
    def things(self, at: int, plain: bool = False) -> list[tuple[int, Things]]:
        """The noun phrases that begin at a word, each with where it ends; `plain`: without what is said after the noun."""

    def comparative(self, at: int) -> Iterator[tuple[int, str, bool]]:
        """A comparative, the adjective that measures, and whether it says more of it: "older", "less expensive"."""
        word, following = self.word(at), self.word(at + 1)
        if word in ("more", "less") and following and following != "than":
            yield at + 2, following, word == "more"
        if word.endswith("er") and base_of(word) != word:
            yield at + 1, word, True

    def verb_phrase(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What is said of nodes of a type: "works in Berlin", "is not older than 50", "has more than 3 books"."""
        for end, items in self._verb_phrase(at, node_type):
            yield end, items
            for begin, _ in self.said(end, ("and", ", and", "but", ", but")):
                for last, more in (*self._verb_phrase(begin, node_type), *self._also(at, begin, node_type)):
                    yield last, (*items, *more)

    def _also(self, at: int, begin: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A second place of the same verb: "works in Engineering and in Berlin"; denied: "but not in Berlin"."""
        verb = STAYING.get(self.word(at), "be")
        yield from self.placed(begin, node_type, verb)
        for middle, _ in self.said(begin, ("not",)):
            told = self.predicate(middle, node_type) if self.word(at) in BE else ()
            for end, items in (*self.placed(middle, node_type, verb), *told):
                if len(items) == 1:
                    yield end, (Not(items[0]),)

    def _verb_phrase(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        for begin, positive in self._denied(at):
            for end, items in self._said_of(begin, node_type):
                if positive:
                    yield end, items
                elif len(items) == 1:
                    yield end, (Not(items[0]),)

    def _denied(self, at: int) -> Iterator[tuple[int, bool]]:
        """Where a verb phrase goes on after its negation, if it has one; the word "to be" stays to be read."""
        yield at, True
        for middle, _ in self.said(at, DO):
            for end, _ in self.said(middle, ("not",)):
                yield end, False
        for end, _ in self.said(at, ("don 't", "doesn 't", "didn 't")):
            yield end, False

    def _said_of(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        for begin, _ in self.said(at, BE):
            yield from self.predicate(begin, node_type)
            yield from self.placed(begin, node_type, "be")
            yield from self.doing(begin, node_type, reduced=True)
            for middle, _ in self.said(begin, ("not",)):
                for kind in (self.predicate, self._being_placed):
                    for end, items in kind(middle, node_type):
                        if len(items) == 1:
                            yield end, (Not(items[0]),)
            yield from self._undergone(begin, node_type)
        for begin, _ in self.said(at, HAVE):
            yield from self.having(begin, node_type)
            for middle, denied in (
                (begin, False),
                *((e, True) for e, _ in self.said(begin, ("never", "not"))),
            ):
                done = [*self.doing(middle, node_type, reduced=False)]
                for after, _ in self.said(middle, ("been",)):
                    done += [*self.doing(after, node_type, reduced=True), *self._undergone(after, node_type)]
                for end, items in done:
                    if not denied:
                        yield end, items
                    elif len(items) == 1:
                        yield end, (Not(items[0]),)
        yield from self.doing(at, node_type, reduced=False)

    def _undergone(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What was done to something by nobody named: "borrowed", "loaned in 2022"."""
        verb = self.word(at)
        for step in self.lexicon.steps(node_type) if verb.endswith(("ed", "en", "wn", "lt", "ght")) else ():
            alone = self.lexicon.between(step.source, step.target) is not None
            if not step.out and alone and self.lexicon.does(verb, step):
                yield at + 1, (Hop(step.action),)
                for end, tests in self.dated_edge(at + 1, step):
                    yield end, (Hop(step.action, tests),)
                for begin, _ in self.said(at + 1, ("with", "as", "for")):
                    for end, test in self.owned(begin, step.link.key):
                        yield end, (Hop(step.action, (test,)),)

    def _being_placed(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        yield from self.placed(at, node_type, "be")

    def predicate(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What follows "is": a value, or a comparison ("older than 50", "older than Ann")."""
        for begin in self.perhaps(at, ("a", "an")):
            for end, test in self.owned(begin, node_type):
                yield end, (test,)
        for begin, word, more in self.comparative(at):
            for held, high in self.lexicon.measured(word, node_type):
                up = "GT" if high == more else "LT"
                for middle, _ in self.said(begin, ("than",)):
                    if held.kind == "number":
                        for end, span in self.number(middle):
                            yield end, (Test(held.action, up, (span,)),)
                    yield from self._than(middle, held, up)

    def in_units(self, at: int, owner: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A comparison whose unit names the property: "longer than 20 days"."""
        for held in self.lexicon.held(owner):
            for end, operator, span in self.compared(at, held.name) if held.kind == "number" else ():
                if root(self.word(end - 1)) == root(held.name):
                    yield end, (Test(held.action, operator, (span,)),)

    def _than(self, at: int, held: Held, operator: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Compared with the same property of a node by its name."""
        for end, index in self.value(at):
            v = self.values[index]
            naming = self.lexicon.shape.name_of(held.owner)
            if naming in v.owners and not held.edge:
                yield end, (Test(held.action, operator, (Span(index, True),)),)

    def having(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What follows "has" or "with": so many neighbours, a neighbour, none, a property compared."""
        for begin, operator, span in self.compared(at):
            for end, far in self.things(begin):
                step = self.lexicon.between(node_type, far.type)
                if step is not None and not far.one:
                    measure = Measure("CNT", "", Hop(step.action, far.items))
                    yield end, (Compared(measure, operator, span),)
            for held in self.lexicon.held(node_type):
                if held.kind == "number":
                    for end, found in self.lexicon.noun(self.roots, begin, node_type):
                        if found == held:
                            yield end, (Test(held.action, operator, (span,)),)
        for begin, _ in self.said(at, ("no",)):
            yield from self._lacking(begin, node_type)
        for begin in self.perhaps(at, ("a", "an", "the")):
            for middle, held in self.lexicon.noun(self.roots, begin, node_type):
                yield from self._of_property(middle, held)
            for middle, word, more in self.comparative(begin):
                for end, held in self.lexicon.noun(self.roots, middle, node_type):
                    if base_of(word) in ("high", "large", "big", "great", "low", "small", "long", "short"):
                        up = (base_of(word) in ("high", "large", "big", "great", "long")) == more
                        for after, _ in self.said(end, ("than",)):
                            yield from self._than(after, held, "GT" if up else "LT")
        for end, far in self.things(at, plain=True):
            step = self.lexicon.between(node_type, far.type)
            if step is not None and not far.one:
                yield end, (Hop(step.action, far.items),)

    def _of_property(self, at: int, held: Held) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A property's value: "a salary above 5000", "of 30", "that is higher than 5000"."""
        for begin in self.perhaps(at, ("of", "that is", "which is", "is", "was")):
            if held.kind == "number":
                for end, operator, span in self.compared(begin, held.name):
                    yield end, (Test(held.action, operator, (span,)),)
                for end, span in self.number(begin):
                    yield end, (Test(held.action, "EQ", (span,)),)
            elif is_date(held):
                yield from self.dated(begin, held)
            for end, test in self.owned(begin, held.owner):
                if test.held == held.action:
                    yield end, (test,)

    def _whose(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        for middle, held in self.lexicon.noun(self.roots, at, node_type):
            yield from self._of_property(middle, held)

    def _lacking(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Without a neighbour, or without a property."""
        for begin in self.perhaps(at, ("a", "an", "any")):
            for end, far in self.things(begin, plain=True):
                step = self.lexicon.between(node_type, far.type)
                if step is not None and not far.one:
                    yield end, (Not(Hop(step.action, far.items)),)
            for end, held in self.lexicon.noun(self.roots, begin, node_type):
                yield end, (Test(held.action, "NULL"),)

    def placed(self, at: int, node_type: str, verb: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Where something is, or whose it is: "in Berlin", "of Engineering", "on Falcon", "with chemotherapy"."""
        for begin, preposition in self.said(at, _PLACED):
            for end, test in self.owned(begin, node_type):
                held = self.lexicon.shape.properties[test.held]
                if preposition in ("in", "at", "of", "from") and stays(verb, spoken(held.name).split()):
                    yield end, (test,)
            if verb == "be" and preposition in ("in", "from"):
                dates = [h for h in self.lexicon.held(node_type) if is_date(h)]
                if len(dates) == 1 and self.lexicon.happened("published", node_type) == dates[0]:
                    yield from self.dated(at, dates[0])
            for end, far in self.things(begin, plain=True):
                for step in self.lexicon.steps(node_type):
                    if step.target == far.type and far.items and self._fits(step, preposition, verb, far):
                        yield end, (Hop(step.action, far.items),)
            if preposition in ("with", "by", "as", "on") and verb == "be":
                yield from self._by_edge(begin, node_type)

    def _by_edge(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Over an edge with a value of its own: "treated with chemotherapy", "as a tester"."""
        for begin in self.perhaps(at, ("a", "an", "the")):
            for end, index in self.value(begin):
                for step in self.lexicon.steps(node_type):
                    for action in self.values[index].owners:
                        held = self.lexicon.shape.properties.get(action)
                        if (
                            held is not None
                            and held.owner == step.link.key
                            and step.link.source != step.link.target
                        ):
                            yield end, (Hop(step.action, (Test(action, "EQ", (Span(index),)),)),)

    def _fits(self, step: Step, preposition: str, verb: str, far: Things) -> bool:
        """Whether a preposition may lead over a relation, after a verb of being somewhere."""
        lexicon = self.lexicon
        if step.link.source == step.link.target:
            return False
        words = (*spoken(step.link.name).split(), *spoken(step.target).split(), *self._named_by(far))
        if not stays(verb, words):
            return False
        alone = lexicon.between(step.source, step.target) is not None
        if verb == "be" and lexicon.says(step, preposition):
            return True
        if lexicon.is_noun_of(step) or lexicon.holds(step):
            return alone and (preposition not in ("on", "with", "to", "as"))
        return alone and verb == "be" and preposition == "of"

    def _named_by(self, far: Things) -> list[str]:
        """The words of the property that says which nodes are meant, where that is not their name."""
        tests = [self.lexicon.shape.properties[i.held] for i in far.items if isinstance(i, Test)]
        return [word for held in tests if not held.naming for word in spoken(held.name).split()]

    def doing(self, at: int, node_type: str, reduced: bool) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb with what belongs to it. `reduced`: after "is", or after a noun ("written by Ann", "hired after 2019")."""
        verb = self.word(at)
        if not verb or verb in BE or verb in HAVE or verb in DO:
            return
        if verb in STAYING:
            yield from self.placed(at + 1, node_type, STAYING[verb])
        happened = self.lexicon.happened(verb, node_type)
        if happened is not None and (reduced or verb == "born"):
            yield from self.dated(at + 1, happened)
        spent = self.lexicon.spent(verb, node_type)
        if spent is not None:
            for end, operator, span in self.compared(at + 1, spent.name):
                yield end, (Test(spent.action, operator, (span,)),)
            for middle, phrase in self.said(at + 1, ("more than", "less than")):
                yield from self._than(middle, spent, "GT" if phrase == "more than" else "LT")
        if not reduced:
            yield from self._counted_deeds(at, node_type)
        for step in self.lexicon.steps(node_type):
            active = step.out and not reduced
            passive = not step.out and reduced
            for middle in self._verb(at, step.link.name) if active or passive else ():
                begins = [middle] if active else [end for end, _ in self.said(middle, ("by",))]
                for begin in begins:
                    for end, far in self.things(begin, plain=True):
                        if far.type == step.target:
                            yield end, (Hop(step.action, far.items),)
                            for last, tests in self.dated_edge(end, step):
                                yield last, (Hop(step.action, (*far.items, *tests)),)
            if step.source == step.target or self.lexicon.between(step.source, step.target) is None:
                continue
            if self._named_verb(at) or not self.lexicon.does(verb, step):
                continue
            for begin in [at + 1] if not reduced else [end for end, _ in self.said(at + 1, ("by",))]:
                for end, far in self.things(begin, plain=True):
                    if far.type == step.target:
                        yield end, (Hop(step.action, far.items),)

    def _counted_deeds(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb with a number of things, none, or an amount: "wrote more than 3 books", "worked 300 hours or more on X"."""
        for step in self.lexicon.steps(node_type):
            alone = self.lexicon.between(step.source, step.target) is not None
            verb = self.word(at)
            if not alone or not (self.lexicon.begins(verb, step) or self.lexicon.does(verb, step)):
                continue
            for begin, operator, span in self.compared(at + 1):
                for end, far in self.things(begin):
                    if far.type == step.target and not far.one:
                        yield (
                            end,
                            (Compared(Measure("CNT", "", Hop(step.action, far.items)), operator, span),),
                        )
            for begin, _ in self.said(at + 1, ("no",)):
                for end, far in self.things(begin):
                    if far.type == step.target and not far.one:
                        yield end, (Not(Hop(step.action, far.items)),)
            for held in self.lexicon.held(step.link.key):
                for begin, operator, span in (
                    self.compared(at + 1, held.name) if held.kind == "number" else ()
                ):
                    unit = root(self.word(begin - 1)) == root(held.name)
                    for middle in self.perhaps(begin, _PLACED) if unit else ():
                        for end, far in self.things(middle, plain=True):
                            if far.type == step.target:
                                yield (
                                    end,
                                    (Hop(step.action, (*far.items, Test(held.action, operator, (span,)))),),
                                )

    def dated_edge(self, at: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """When something was done, where the edges of a relation have one date."""
        dates = [h for h in self.lexicon.held(step.link.key) if is_date(h)]
        if len(dates) == 1:
            yield from self.dated(at, dates[0])

    def _verb(self, at: int, relation: str) -> Iterator[int]:
        """Where a verb ends that is a relation's name in some inflection."""
        for words, names in self.lexicon.names.relations["verb"].items():
            if relation in names and tuple(self.roots[at : at + len(words)]) == words:
                yield at + len(words)

    def _named_verb(self, at: int) -> bool:
        """Whether a verb is some relation's own name, and so says no other."""
        return any(self.roots[at : at + 1] == words[:1] for words in self.lexicon.names.relations["verb"])
