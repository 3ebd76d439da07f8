"""Questions whether something is so, and for the share of things that are."""

from collections.abc import Iterator
from dataclasses import replace

from graphtalk.reasoners.phrases.asked import Asked, counted
from graphtalk.reasoners.phrases.combining import EACH_OTHER
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import SHARE, Whole
from graphtalk.reasoners.phrases.words import BE, DO, HAVE
from graphtalk.reasoners.reader.reading import Best, Hop, Item, Not, Reading

_ANYBODY = ("anyone", "anybody", "someone", "somebody")
_EVERY = ("all", "all the", "all of the", "all of", "every", "each")


class Asking(Whole):
    """Reads questions for yes or no, and for shares."""

    def shared(self) -> Iterator[Asked]:
        """ "What percentage of employees work in Berlin", "the share of films that are dramas", "... of the thrillers are German"."""
        for begin, words in self.said(0, SHARE):
            name = "percentage" if "percent" in words else "share"
            for end, things in self.things(begin):
                if self.done(end) and things.items and not things.one:
                    yield self.compiler.share(counted(things), counted(Things(things.type)), name)
            for end, things in self.things(begin):
                for after, items in self.clause(end, things.type):
                    if self.done(after) and not things.one and not self.vague(things):
                        part = replace(things, items=(*things.items, *items))
                        yield self.compiler.share(counted(part), counted(things), name)

    def whether(self) -> Iterator[Asked]:
        """ "Is Ann older than Ben", "does Ann work in Berlin", "is there a novel with more than 500 pages"."""
        for begin, verb in self.said(0, (*BE, *DO, "has", "tell me whether")):
            for end, things in self.things(begin, plain=True):
                if not things.one:
                    continue
                for after, items in self._predicated(end, verb, things):
                    if self.done(after):
                        asked = replace(things, items=(*things.items, *items))
                        yield self.compiler.of(Reading(asked.type, asked.items, "ASK"))
        yield from self._mutually()
        for begin, verb in self.said(0, [f"{verb} {one}" for verb in (*BE, *DO, *HAVE) for one in _ANYBODY]):
            for anyone in map(Things, self.lexicon.people):
                for end, things in ((begin, anyone), *self.modified(begin, anyone)):
                    for after, items in self._predicated(end, verb.split()[0], things):
                        if self.done(after):
                            yield self.compiler.of(Reading(things.type, (*things.items, *items), "ASK"))
        for begin, verb in self.said(0, [f"{verb} any" for verb in (*BE, *DO, *HAVE)]):
            for end, things in self.things(begin, plain=True):
                for after, items in self._predicated(end, verb.split()[0], things) if not things.one else ():
                    if self.done(after):
                        yield self.compiler.of(Reading(things.type, (*things.items, *items), "ASK"))
        for begin, verb in self.said(0, [f"{verb} {all_}" for verb in (*BE, *DO, *HAVE) for all_ in _EVERY]):
            for end, things in self.things(begin):
                for after, items in self._predicated(end, verb.split()[0], things) if not things.one else ():
                    if self.done(after) and len(items) == 1 and not isinstance(items[0], Best):
                        yield self.compiler.none(replace(things, items=(*things.items, Not(items[0]))))
        for begin, _ in self.said(0, ("is there", "are there")):
            for end, things in self.things(begin):
                if self.done(end) and not things.one:
                    yield self.compiler.of(Reading(things.type, things.items, "ASK"))

    def _mutually(self) -> Iterator[Asked]:
        """ "Do Ann and Ben follow each other", "are X and Y married to each other", "do X and Y have the same boss"."""
        for begin, verb in self.said(0, (*BE, *DO)):
            for middle, first in self.things(begin, plain=True):
                for start, _ in self.said(middle, ("and",)) if first.one else ():
                    for end, second in self.things(start, plain=True):
                        if not second.one or second.type != first.type:
                            continue
                        for after, items in self.of_both(end, second):
                            if self.done(after):
                                yield self.compiler.of(Reading(first.type, (*first.items, *items), "ASK"))
                        for after, items in self._predicated(end, verb, first):
                            hop = items[0]
                            if (
                                self.done(after)
                                and isinstance(hop, Hop)
                                and any(e == after for e, _ in self.said(after - 2, EACH_OTHER))
                            ):
                                both = self.mutual(self.lexicon.shape.steps[hop.view], "", second.items)
                                asked = (*first.items, *both)
                                yield self.compiler.of(Reading(first.type, asked, "ASK"))

    def _predicated(self, at: int, verb: str, things: Things) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What is asked of a node: the verb stands before it."""
        if verb in BE:
            yield from self.predicate(at, things.type)
            yield from self.placed(at, things.type, "be")
            yield from self.sharing(at, things.type)
            yield from self.doing(at, things.type, reduced=True)
            yield from self.underwent(at, things.type)  # "was X inspected"
        elif verb == "tell me whether":
            yield from self.clause(at, things.type)
        elif verb in DO:
            yield from self.doing(at, things.type, reduced=False)
            yield from self.earning(at, things.type)
            for begin, _ in self.said(at, ("have",)):
                yield from self.having(begin, things.type)
        else:
            yield from self.having(at, things.type)
            yield from self.doing(at, things.type, reduced=False)
            for begin, _ in self.said(at, ("been", "ever been")):
                yield from self.doing(begin, things.type, reduced=True)
                yield from self.underwent(begin, things.type)
