"""Questions about edges and their properties: "the cheapest flight from X", "what role did X play in Y"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from graphtalk.language.nouns import singular
from graphtalk.language.people import is_person, may_act
from graphtalk.language.units import units
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.deeds import STARTING
from graphtalk.reasoners.phrases.phrases import DETERMINERS
from graphtalk.reasoners.phrases.schema_words import is_date
from graphtalk.reasoners.phrases.things import Things, Ways
from graphtalk.reasoners.phrases.whole import AGGREGATES, HOW_MANY, LARGEST, TO_LIST, WHAT, Whole
from graphtalk.reasoners.phrases.words import BE, DO
from graphtalk.reasoners.reader.reading import Column, Hop, Item, Span, Test
from graphtalk.reasoners.reader.shape import Held, Step, spoken

_GOING = (
    "that go",
    "that leave",
    "going",
    "leaving",
    "go",
    "leave",
    "goes",
    "leaves",
    "run",
    "lead",
    "depart",
    "there are",
    "are there",
)
_FIRST_OR_LAST = {"first": False, "earliest": False, "last": True, "latest": True, "most recently": True}
_OFFERING = frozenset("is are offer offers".split())
_HAVING = frozenset("has have had got gets received spent paid earned earns worked works".split())
_IN_YEAR = ("in which year", "in what year", "which year", "what year")
_HOW_OFTEN = ("how often", "how many times")
_TIMES = frozenset(map(root, "count times frequency occurrences".split()))
_GETTING = frozenset("play have get receive do take use hold pay give spend earn".split())


class Edges(Whole):
    """Reads questions about edges."""

    def ways(self, at: int) -> Iterator[tuple[int, Ways]]:
        """Edges spoken of by a noun: "the cheapest flight from Rome to Oslo", "loans of The Salt Road"."""
        for begin in self.perhaps(at, DETERMINERS):
            yield from self._edges(begin, None)
            for middle, word, top in self.superlative(begin):
                yield from self._edges(middle, (word, top))

    def _edges(self, at: int, best: tuple[str, bool] | None) -> Iterator[tuple[int, Ways]]:
        for link in self.lexicon.shape.links:
            step = self.lexicon.shape.steps[f"V:>{link.key}"]
            if link.undirected or not self._noun_of_edge(at, step):
                continue
            if best is None:
                yield from self._ended(at + 1, Ways(step), 3)
            for held, high in self.lexicon.measured(best[0], link.key) if best is not None else ():
                assert best is not None
                yield from self._ended(at + 1, Ways(step, best=(high == best[1], held)), 3)

    def _noun_of_edge(self, at: int, step: Step) -> bool:
        words = spoken(step.link.name).split()
        said = self.word(at)
        typed = any(self.roots[at : at + 1] == (root(spoken(t)),) for t in self.lexicon.shape.types)
        return len(words) == 1 and bool(said) and said not in BE and not typed and (
            self.roots[at] == root(words[0]) or (said.removesuffix("s").endswith("ment") and root(said.removesuffix("s").removesuffix("ment")) == root(words[0]))
        )  # fmt: skip

    def _ended(self, at: int, ways: Ways, most: int) -> Iterator[tuple[int, Ways]]:
        """Edges with what is said after their noun: from where, to where, with what of their own."""
        yield at, ways
        if most == 0:
            return
        link = ways.step.link
        at = next((end for end, _ in self.said(at, _GOING)), at)
        for begin, preposition in self.said(
            at, ("from", "to", "of", "by", "with", "between", "for", "in", "on")
        ):
            for end, far in (*self.things(begin, plain=True), *self.several_named(begin, "or")):
                if link.source == link.target and preposition not in ("from", "to"):
                    continue
                if far.type == link.source and preposition != "to" and not ways.source:
                    yield from self._ended(end, replace(ways, source=far.items), most - 1)
                elif far.type == link.target and preposition != "from" and not ways.target:
                    yield from self._ended(end, replace(ways, target=far.items), most - 1)
            if preposition in ("with", "by", "of", "on"):
                for end, test in self.owned(begin, link.key):
                    yield from self._ended(end, replace(ways, own=(*ways.own, test)), most - 1)
        for end, items in dict.fromkeys((*self.own_phrase(at, link.key), *self._modifier(at, link.key))):
            yield from self._ended(end, replace(ways, own=(*ways.own, *items)), most - 1)

    def edges_said(self, at: int) -> Iterator[tuple[int, Ways]]:
        """Edges with the verb phrase that may follow their noun: "repairs were received in May", "orders are paid"."""
        for end, ways in self.ways(at):
            yield end, ways
            key = ways.step.link.key
            for after, items in self.clause(end, key):
                if items:
                    yield after, replace(ways, own=(*ways.own, *items))
            for begin, _ in self.said(end, BE) if ways.best is None else ():  # "was signed last"
                for after, word in self.said(begin + 1, tuple(_FIRST_OR_LAST)) if self.word(begin) else ():
                    held = self.lexicon.happened(self.word(begin), key)
                    if held is not None and self.roots[begin] in self.lexicon.date_roots(held):
                        yield after, replace(ways, best=(_FIRST_OR_LAST[word], held))
                for start, _ in self.said(begin, ("the",)):
                    for after, word, top in self.superlative(start):
                        measured = self.lexicon.measured(word, key)
                        yield from ((after, replace(ways, best=(high == top, h))) for h, high in measured)
            spent = self.lexicon.spent(self.word(end), key) if end < self.end and ways.best is None else None
            for after, phrase in self.said(end + 1, ("the longest", "longest", "the shortest")):
                if spent is not None and spent.of:
                    yield after, replace(ways, best=(phrase.endswith("longest"), spent))

    def own_phrase(self, at: int, key: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What is said of edges themselves: "that cost less than 100", "longer than 20 days", "with a price above 50"."""
        for begin in self.perhaps(
            at, ("that", "which", "lasted", "last", "are", "were", "that are", "that lasted", "that were")
        ):
            yield from self.predicate(begin, key)
            yield from self.in_units(begin, key)
            spent = self.lexicon.spent(self.word(begin), key) if self.word(begin) else None
            if spent is not None:
                for end, operator, span in self.compared(begin + 1, spent.name):
                    yield end, (Test(spent.action, operator, (span,)),)
        for begin, _ in self.said(at, ("with",)):
            for start in self.perhaps(begin, ("a", "an")):
                for middle, held in self.lexicon.noun(self.roots, start, key):
                    yield from self.said_of_value(middle, held)

    def of_edges(self) -> Iterator[Asked]:
        """ "Flights from Rome that cost less than 100", "the price of the flight from X to Y", "how many loans in 2023"."""
        for begin in dict.fromkeys((0, *(end for end, _ in self.said(0, (*TO_LIST, *WHAT))))):
            for end, ways in self.edges_said(begin):
                if self.done(end) and (ways.source or ways.target or ways.own or ways.best):
                    yield self.compiler.edges(ways, self._ends(ways))
        for begin in self.perhaps(0, (*WHAT, "which", "what")):
            for start in self.perhaps(begin, ("the",)):
                yield from self._edge_values(start)
        for begin, _ in self.said(0, HOW_MANY):
            for end, ways in self.edges_said(begin):
                if self.idle(end):
                    yield self.compiler.edges(ways, [("COUNT", "eV1", None)])
        yield from self._edge_measures()

    def _ends(self, ways: Ways) -> list[tuple[str, str, Held | None]]:
        """Those ends of edges that no condition names; both where neither is named, or both are."""
        own = [h for h in self.lexicon.held(ways.step.link.key) if self._is_key(h, ways.step)]
        if own:
            return [("", "eV1", own[0])]
        free = [("", end, None) for end, items in (("V0", ways.source), ("V1", ways.target)) if not items]
        both: list[tuple[str, str, Held | None]] = [("", "V0", None), ("", "V1", None)]
        return [(kind, end, held) for kind, end, held in free] or both

    def _is_key(self, held: Held, step: Step) -> bool:
        """Whether a property is what edges are called by: `booking_id` of bookings."""
        words = spoken(held.name).split()
        noun = singular(spoken(step.link.name)).split()
        return words[:-1] == noun and words[-1] in ("id", "number", "code", "no")

    def _edge_values(self, at: int) -> Iterator[Asked]:
        """ "price of the flight from X to Y", "average price of flights from X (per airline)"."""
        for link in self.lexicon.shape.links:
            for start, kind in (
                (at, ""),
                *((e, AGGREGATES[w]) for e, w in self.said(at, tuple(AGGREGATES))),
            ):
                for middle, held in self.lexicon.noun(self.roots, start, link.key):
                    if kind and held.kind != "number":
                        continue
                    for begin, _ in self.said(middle, ("of", "for")):
                        for end, ways in self.ways(begin):
                            if ways.step.link != link:
                                continue
                            if self.done(end) and (kind or ways.source or ways.target or ways.best):
                                yield self.compiler.edges(ways, [(kind, "eV1", held)])
                    step = self.lexicon.shape.steps[f"V:>{link.key}"]
                    for begin, _ in (
                        self.said(middle, ("at", "in", "on", "for", "of", "with")) if kind else ()
                    ):
                        for end, far in self.things(begin, plain=True):
                            if self.done(end) and far.one and step.source != step.target:
                                if far.type == step.target:
                                    yield self.compiler.edges(
                                        Ways(step, (), far.items), [(kind, "eV1", held)]
                                    )
                                elif far.type == step.source:
                                    yield self.compiler.edges(Ways(step, far.items), [(kind, "eV1", held)])

    def _edge_measures(self) -> Iterator[Asked]:
        """ "How long does the flight from X to Y take", "how much does the flight from X to Y cost"."""
        for begin, asks in self.said(
            0, ("how long does", "how long is", "how much does", "how much is", "what does", "how far is")
        ):
            for end, ways in self.ways(begin):
                last = self.word(end) if self.done(end + 1) else ""
                if (ways.source or ways.target or ways.best) and (last or self.done(end)):
                    for held in self._measured_edge(asks.split()[1], last, ways.step.link.key):
                        yield self.compiler.edges(ways, [("", "eV1", held)])

    def _measured_edge(self, asks: str, verb: str, key: str) -> list[Held]:
        """What "how long ... take", "how far ..." or "how much ... cost" asks of an edge."""
        if asks in ("long", "far"):
            found = [h for h, _ in self.lexicon.measured(asks, key)]
            lasting = [h for h in found if root(h.name) != root("distance")]
            return lasting if verb in ("take", "last") else found if verb == "" else []
        held = self.lexicon.spent(verb, key) if verb else None
        return [held] if held is not None else []

    def edge_deeds(self) -> Iterator[Asked]:
        """ "Who worked the most hours on X", "which airlines fly to X", "is there a flight from X to Y", "hours worked on X"."""
        for begin, _ in self.said(0, ("who", "which", "what")):
            for end, node_type in ((begin, ""), *self.types(begin)):
                yield from self._most_spent(end, (node_type,) if node_type else self.lexicon.people)
            for link in self.lexicon.shape.links:
                step = self.lexicon.shape.steps[f"V:>{link.key}"]
                for end, held in self.lexicon.noun(self.roots, begin, link.key):
                    verb = self.word(end)
                    if held.kind == "text" and verb and (self.lexicon.does(verb, step) or verb in _OFFERING):
                        begins = [end + 1] if verb not in _OFFERING else []
                        for last, ways in (
                            found for at in begins for found in self._ended(at, Ways(step), 2)
                        ):
                            if self.done(last) and (ways.source or ways.target):
                                yield self.compiler.edges(ways, [("", "eV1", held)])
        for begin, _ in self.said(0, ("is there", "are there")):
            for end, ways in self.ways(begin):
                if self.done(end) and (ways.source or ways.target or ways.own):
                    yield self.compiler.any_edge(ways)
        yield from self._sums()

    def _most_spent(self, at: int, types: Sequence[str]) -> Iterator[Asked]:
        """ "worked the most hours on X": the ends of the edge with the most of a property."""
        for step in (s for node_type in types for s in self.lexicon.steps(node_type)):
            verb = self.word(at)
            if step.source == step.target or not verb or not step.out:
                continue
            if not (self.lexicon.begins(verb, step) or self.lexicon.does(verb, step) or verb in _HAVING):
                continue
            for begin, phrase in self.said(at + 1, ("most", *LARGEST)):
                for middle, held in self.lexicon.noun(self.roots, begin, step.link.key):
                    # "The most hours" may be those of all edges together; "the highest fee" is that of one.
                    summed = phrase.endswith(("most", "least", "fewest")) or held.kind != "number"
                    own = self.lexicon.noun(self.roots, begin, step.source)
                    if self.done(middle) and not summed and not own:
                        best_of_all = Ways(step, best=(LARGEST[phrase], held))
                        yield self.compiler.edges(best_of_all, [("", "V0", None)])
                    for start, _ in self.said(middle, ("on", "in", "for", "at", "with", "to")):
                        for end, far in self.things(start, plain=True):
                            if (
                                self.done(end)
                                and far.type == step.target
                                and far.one
                                and held.kind == "number"
                            ):
                                best = (LARGEST.get(phrase, True), held)
                                ways = Ways(step, (), far.items, (), best)
                                yield self.compiler.edges(ways, [("", "V0", None)])

    def _sums(self) -> Iterator[Asked]:
        """ "How many hours were worked on X in total", "the total number of hours worked on X"."""
        total = (
            "what is the total number of",
            "the total number of",
            "total number of",
            "what is the total",
            "the total",
            "total",
        )
        for begin, asks in self.said(0, (*total, "how many")):
            for link in self.lexicon.shape.links:
                step = self.lexicon.shape.steps[f"V:>{link.key}"]
                for middle, held in self.lexicon.noun(self.roots, begin, link.key):
                    for verb in self.perhaps(middle, ("were", "are", "have been")):
                        does = self.word(verb) and (
                            self.lexicon.begins(self.word(verb), step)
                            or self.lexicon.does(self.word(verb), step)
                            or self.word(verb) in _HAVING
                        )
                        for start, _ in self.said(
                            verb + 1 if does else middle, ("on", "for", "in", "of", "at", "with")
                        ):
                            for end, far in self.things(start, plain=True):
                                for after in self.perhaps(end, ("in total", "altogether", "overall")):
                                    hours = bool(units(spoken(held.name).split()[-1]))
                                    summed = asks != "how many" or after > end or hours
                                    known = far.one and far.type in (link.source, link.target)
                                    if self.done(after) and summed and known and link.source != link.target:
                                        at_source = far.type == link.source
                                        ends = (far.items, ()) if at_source else ((), far.items)
                                        if held.kind == "number":
                                            yield self.compiler.edges(
                                                Ways(step, *ends), [("SUM", "eV1", held)]
                                            )

    def over_edges(self) -> Iterator[Asked]:
        """ "What role did X play in Y", "when did X borrow Y", "the hours of X on Y", "who is the lead of Y"."""
        for begin, asks in self.said(
            0,
            (
                "what",
                "which",
                "how many",
                "when",
                "for how many",
                "how much",
                "since when",
                *_IN_YEAR,
                *_HOW_OFTEN,
            ),
        ):
            for link in self.lexicon.shape.links:
                for start, held in self._asked_of_edge(begin, asks, link.key):
                    for middle, _ in self.said(start, (*DO, *BE)):
                        yield from self._did(middle, link.key, held, asks.startswith("how"))
        for begin, _ in self.said(
            0, ("since when has", "since when have", "since when is", "when was", "when has")
        ):
            for end, things in self.things(begin, plain=True):
                for step in self.lexicon.steps(things.type):
                    verb = next((e for e, _ in self.said(end, ("been",))), end)
                    dates = [h for h in self.lexicon.held(step.link.key) if is_date(h)]
                    passive = self.done(verb + 1) and self._was_done(self.word(verb), step)
                    for start in self.perhaps(verb, ("a", "an", "the", "in")):
                        for middle in (
                            self._verb(start, step.link.name) if step.out and len(dates) == 1 else ()
                        ):
                            for last, far in self.things(middle, plain=True):
                                if self.done(last) and far.one and things.one:
                                    yield from self._edge_between(step.link.key, dates[0], things, far)
                    if passive and things.one and len(dates) == 1 and step.source != step.target:
                        yield from self._edge_between(step.link.key, dates[0], things, None)
        for begin in self.perhaps(0, (*WHAT,)):
            for start in self.perhaps(begin, ("the",)):
                for link in self.lexicon.shape.links:
                    for middle, held in self.lexicon.noun(self.roots, start, link.key):
                        for after, _ in self.said(middle, ("of",)):
                            yield from self._pair_of_edge(
                                after, link.key, held, ("in", "on", "for", "with", "at")
                            )
                        for after, _ in self.said(
                            middle, ("between", "of the link between", "of the connection between")
                        ):
                            for _, first, second in self._pair_ended(after):
                                step = self.lexicon.shape.steps[f"V:>{link.key}"]
                                yield from self._edge_along(step, held, first, second)
                                yield from self._edge_along(step, held, second, first)
                                yield from self._edge_between(link.key, held, first, second)
        for begin, _ in self.said(0, ("who is", "who was", "who are", "which employee is")):
            for start in self.perhaps(begin, ("the", "a")):
                for middle, index in self.value(start):
                    yield from self._holder(middle, index)

    def _asked_of_edge(self, at: int, asks: str, key: str) -> Iterator[tuple[int, Held]]:
        if asks in ("when", "since when", *_IN_YEAR, *_HOW_OFTEN):
            often = asks in _HOW_OFTEN
            fit = [h for h in self.lexicon.held(key) if (root(h.name) in _TIMES if often else is_date(h))]
            if len(fit) == 1:
                yield at, fit[0]
            return
        for end, held in self.lexicon.noun(self.roots, at, key):
            if not asks.startswith(("how", "for")) or held.kind == "number":
                yield end, held

    def _was_done(self, verb: str, step: Step) -> bool:
        """Whether a verb is what was done to the nodes that a step leaves, as the relation is called: samples were "sent" by `sent_to`."""
        undergone = self.lexicon.undergone(step.link)
        if not verb or (may_act(step.source) and (is_person(step.target) or not is_person(step.source))):
            return False  # a firm that cooks were hired at is not what was hired
        dates = [h for h in self.lexicon.held(step.link.key) if is_date(h)]
        if may_act(step.source) and may_act(step.target):  # a cook whom a firm has by a `job` with `hired_on`
            return any(root(verb) in self.lexicon.date_roots(h) for h in dates)
        if step.out or undergone:
            return step.out and root(undergone) == root(verb)
        return self.lexicon.does(verb, step)

    def _did(self, at: int, key: str, held: Held, counts: bool) -> Iterator[Asked]:
        """ "X play in Y": the two ends of an edge, and a verb that says the relation, or says nothing.

        What is asked for as a number (`counts`) is that of one edge: both ends are named.
        """
        step = self.lexicon.shape.steps[f"V:>{key}"]
        for middle, first in self.things(at, plain=True):
            middle += self.word(middle) in STARTING and self.word(middle + 1).endswith("ing")
            verb = self.word(middle)
            if not first.one or not verb:
                continue
            idle = verb in _GETTING and not is_date(held)
            if not (idle or self.lexicon.does(verb, step)):
                continue
            if idle and self.done(middle + 1) and not counts:
                yield from self._edge_between(step.link.key, held, first, None)
            for begin in self.perhaps(middle + 1, ("in", "on", "for", "to", "at", "from", "with")):
                for end, second in self.things(begin, plain=True):
                    if self.done(end) and second.one and (idle or step.source != step.target):
                        yield from self._edge_between(key, held, first, second)
                    elif self.done(end) and second.one and not self.lexicon.either_way(step):
                        ends = (second, first) if self.lexicon.done_by(step) else (first, second)
                        yield from self._edge_along(step, held, *ends)

    def _pair_ended(self, at: int) -> Iterator[tuple[int, Things, Things]]:
        """ "X and Y" at the end."""
        for middle, first in self.things(at, plain=True):
            for begin, _ in self.said(middle, ("and",)) if first.one else ():
                for end, second in self.things(begin, plain=True):
                    if second.one and self.done(end):
                        yield end, first, second

    def _pair_of_edge(self, at: int, key: str, held: Held, prepositions: Sequence[str]) -> Iterator[Asked]:
        for middle, first in self.things(at, plain=True):
            for begin, _ in self.said(middle, prepositions):
                for end, second in self.things(begin, plain=True):
                    if self.done(end) and first.one and second.one:
                        yield from self._edge_between(key, held, first, second)

    def _edge_between(self, key: str, held: Held, first: Things, second: Things | None) -> Iterator[Asked]:
        """A property of the edges between two nodes, whichever of them is the source."""
        step = self.lexicon.shape.steps[f"V:>{key}"]
        if step.source == step.target:
            return
        ends = {t.type: t.items for t in (first, second) if t is not None}
        if set(ends) <= {step.source, step.target} and (second is None or len(ends) == 2):
            ways = Ways(step, ends.get(step.source, ()), ends.get(step.target, ()))
            yield self.compiler.edges(ways, [("", "eV1", held)])

    def _edge_along(self, step: Step, held: Held, first: Things, second: Things) -> Iterator[Asked]:
        """A property of the edges from one node to another of its type."""
        if first.type == second.type == step.source:
            yield self.compiler.edges(Ways(step, first.items, second.items), [("", "eV1", held)])

    def _holder(self, at: int, index: int) -> Iterator[Asked]:
        """Who is joined to a node by an edge with a value: "the lead of Falcon"."""
        for action in self.values[index].owners:
            held = self.lexicon.shape.properties.get(action)
            if held is None or not held.edge:
                continue
            for begin, _ in self.said(at, ("of", "on", "in", "for", "at")):
                for end, far in self.things(begin, plain=True):
                    for step in self.lexicon.steps(
                        self.lexicon.people[0] if len(self.lexicon.people) == 1 else ""
                    ):
                        if (
                            step.link.key == held.owner
                            and step.target == far.type
                            and self.done(end)
                            and far.one
                        ):
                            from_edge = Test(action, "EQ", (Span(index),))
                            yield self.compiler.columns(
                                Things(step.source, (Hop(step.action, (*far.items, from_edge)),)),
                                Column("NODE"),
                            )
