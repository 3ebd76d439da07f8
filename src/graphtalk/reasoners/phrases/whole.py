"""What all forms of whole questions have in common."""

from collections.abc import Iterator
from dataclasses import replace

from graphtalk.language.leading import ORDERS
from graphtalk.reasoners.phrases.lexicon import Lexicon
from graphtalk.reasoners.phrases.phrases import Phrases
from graphtalk.reasoners.phrases.staying import stays
from graphtalk.reasoners.phrases.tables import Tables
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.words import HAVE, STAYING
from graphtalk.reasoners.reader.reading import Hop, Span, Test
from graphtalk.reasoners.reader.shape import Held, spoken

_ASKED = (
    "which",
    "what",
    "what are",
    "what was",
    "who are",
    "which are",
    "what is",
    "who is",
    "which is",
    "who was",
    "what were",
    "who were",
)
_ALL = ("", " all", " the", " all the", " all of the")
TO_LIST = (
    *_ASKED,
    *(
        f"{p} {w}"
        for p in ("in", "into", "at", "to", "from", "under", "on", "before")
        for w in ("which", "what")
    ),
    *(f"{ask} {of}" for ask in _ASKED for of in ("all", "of", "of the")),
    *(f"{order}{to}{all_}" for order in ORDERS for to in ("", " me") for all_ in _ALL),
)
HOW_MANY = ("how many", "how many of", "how many of the", "how many of all",
            *(f"{at} how many" for at in ("in", "into", "at", "to", "from", "under", "on", "of", "by", "for", "before")), *(f"{ask}{the} {number} of" for ask in ("", "what is ", "what are ", "give me ", "give ", "show me ", "show ", "find ", "list ", "return ", "tell me ", "compute ", "calculate ") for the in ("the", "the total") for number in ("number", "count")),
             "count", "count the", "count the number of", "count of", "number of", "total number of")  # fmt: skip
THERE = ("are there", "is there", "exist", "do we have", "are known", "there are", "do you have", "have we had", "have we got", "did we have",
         "have there been", "were there")  # fmt: skip
THERE_AT = tuple(
    f"{are} {at}"
    for are in ("are there", "is there", "are", "there are")
    for at in ("in", "at", "on", "across")
)
_HERE = tuple(
    f"{there}in the {graph}"
    for there in ("", "listed ")
    for graph in ("database", "graph", "dataset", "data", "network")
)
_ALTOGETHER = ("in all", "in total", "altogether")
EACH = (
    *(
        f"{comma}{split} by"
        for comma in ("", ", ")
        for split in ("broken down", "grouped", "split", "split up")
    ),
    "per",
    "by",
    "for each",
    "in each",
    "of each",
    "at each",
    "from each",
    "for every",
    "in every",
    "of every",
    "at every",
    "on each",
    "to each",
)
WHAT = (
    "what is",
    "what are",
    "what was",
    "what were",
    "give me",
    "give me the",
    "give",
    "show me",
    "show",
    "tell me",
    "compute",
    "calculate",
    "what 's",
    "list",
    "find",
)
AGGREGATES = {
    "average": "AVG", "mean": "AVG", "total": "SUM", "sum of the": "SUM", "combined": "SUM", "overall": "SUM", "highest": "MAX",
    "maximum": "MAX", "largest": "MAX", "lowest": "MIN", "minimum": "MIN", "smallest": "MIN", "sum of": "SUM",
}  # fmt: skip
LARGEST = {
    "the highest": True,
    "the largest": True,
    "the biggest": True,
    "the greatest": True,
    "the most": True,
    "the lowest": False,
    "the smallest": False,
    "the least": False,
    "the fewest": False,
}
BETWEEN = ("difference between", "gap between")
SHARE = tuple(
    f"{w} {s} of".strip()
    for w in ("", "what", "which", "the", "what is the")
    for s in ("share", "percentage", "proportion", "fraction", "percent", "part")
)


class Whole(Phrases):
    """A whole question over one graph."""

    def __init__(self, lexicon: Lexicon, question: str, compiler: Tables) -> None:
        super().__init__(lexicon, question, compiler.values)
        self.compiler = compiler

    def begun(self) -> Iterator[int]:
        """Where a question goes on after the words that ask for a list."""
        for start in self.perhaps(
            0, ("can you", "could you", "please", "can you please", "could you please")
        ):
            yield from (end for end, _ in self.said(start, TO_LIST))
        if self.word(0) == "top":
            yield 0

    def limited(self, at: int) -> Iterator[tuple[int, Span | None, bool]]:
        """How many are asked for, and whether the best of some order: "the first 3", "top 5", "3"."""
        yield at, None, False
        for begin in self.perhaps(at, ("the",)):
            for start, phrase in ((begin, ""), *self.said(begin, ("first", "top"))):
                for end, index in self.value(start):
                    v = self.values[index]
                    if v.kind == "number" and not v.ordinal and not v.decade and end == start + 1:
                        yield end, Span(index), phrase == "top"

    def idle(self, at: int) -> bool:
        """Whether nothing more is said but that it is about this graph."""
        return self.done(at) or any(
            self.done(end) for end, _ in self.said(at, (*THERE, *_HERE, *_ALTOGETHER))
        )

    def values_of(self, at: int) -> Iterator[tuple[Things, Held]]:
        """The texts that a plural asks for, to the end: "genres are there", "genres of films from 1990", "roles do people have"."""
        if any(self.types(at)):
            return
        for owner in self.lexicon.shape.types:
            own = self.lexicon.told_by(owner)
            for end, held in self.lexicon.noun(self.roots, at, owner):
                if held.kind != "text" or held.naming:
                    continue
                said = [*self.modified(end, Things(owner)), *self._said_so(end, Things(owner))]
                for last, things in said:  # "languages are spoken in X", "regions speak English"
                    told = held == own and all(isinstance(i, Hop | Test) for i in things.items)
                    if self.idle(last) and (told or self._reach_one(things)):
                        yield things, held
                if not self.many(end):
                    continue
                if self.idle(end):
                    yield Things(owner), held
                for after, _ in self.said(
                    end, ("of", "of the", "of all", "among", "among the", "for", "for the", "do", "do the")
                ):
                    for last, things in self.things(after):
                        does = self.word(end) == "do"
                        had = (self._has(last) or self._stays(last, held)) if does else self.idle(last)
                        if things.type == owner and not things.one and had:
                            yield things, held

    def _reach_one(self, things: Things) -> bool:
        """Whether nodes are said to be joined to what a text names, and nothing else: what is true of one of them is of its region."""
        shape = self.lexicon.shape
        hops = [i for i in things.items if isinstance(i, Hop)]
        tests = [i for hop in hops for i in hop.items if isinstance(i, Test)]
        own = [
            shape.properties[i.held] == self.lexicon.told_by(shape.properties[i.held].owner) for i in tests
        ]
        return len(hops) == len(things.items) == len(own) and all(own)

    def _said_so(self, at: int, things: Things) -> Iterator[tuple[int, Things]]:
        """Nodes with the verb phrase that follows."""
        for end, items in self.clause(at, things.type):
            yield end, replace(things, items=(*things.items, *items))

    def _stays(self, at: int, held: Held) -> bool:
        """Whether a question ends in a verb of being somewhere here that a property says the place of: "(villages do they) come from"."""
        verb = STAYING.get(self.word(at), "be")
        ends = self.perhaps(at + 1, ("from", "in", "at", "to"))
        return verb != "be" and stays(verb, spoken(held.name).split()) and any(map(self.done, ends))

    def _has(self, at: int) -> bool:
        """Whether a question ends in "have" or "has" here."""
        ends = (last for end, _ in self.said(at, HAVE) for last in self.perhaps(end, _ALTOGETHER))
        return any(map(self.done, ends))

    def _of_things(self, end: int, held: Held) -> Iterator[tuple[int, Things]]:
        for begin, _ in self.said(end, ("of", "of all", "of the", "for")):
            for after, things in self.things(begin, plain=True):
                if things.type == held.owner and not things.one:
                    yield after, things

    def _aggregates(self, at: int) -> Iterator[tuple[int, str, Held, int]]:
        """An aggregate of a property of some type: where it begins, its kind, the property, where it ends."""
        for begin in self.perhaps(at, WHAT):
            for start in self.perhaps(begin, ("the",)):
                for middle, word in self.said(start, tuple(AGGREGATES)):
                    for m in self.perhaps(middle, ("number of",)):
                        for owner in self.lexicon.shape.types:
                            for end, held in self.lexicon.noun(self.roots, m, owner):
                                if held.kind == "number" or (
                                    held.kind == "date" and AGGREGATES[word] in ("MIN", "MAX")
                                ):
                                    yield start, AGGREGATES[word], held, end
