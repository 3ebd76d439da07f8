"""What rows are counted or added up by: nodes, their properties, those of what they lead to, months of their dates."""

from collections.abc import Iterator
from dataclasses import replace

from graphtalk.language.nouns import singular
from graphtalk.language.units import units, units_of
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.derived import PARTS
from graphtalk.reasoners.phrases.edges import Edges
from graphtalk.reasoners.phrases.handing import MONEY
from graphtalk.reasoners.phrases.schema_words import deeds_of, is_date
from graphtalk.reasoners.phrases.things import Key, Rows, Things, Ways
from graphtalk.reasoners.phrases.whole import AGGREGATES, THERE
from graphtalk.reasoners.phrases.words import BE, HAVE, WE
from graphtalk.reasoners.reader.shape import Held, Step, spoken

_HAPPENED = (
    *THERE, "were there", "was there", "there were", "do we have", "did we have", "we have", "we had", "exist", "take place", "took place",
    "happened", "occurred", "happen", "occur", "work", "are", "live", "belong",
)  # fmt: skip
_ORDERED = frozenset(map(root, "order booking reservation sale invoice transaction".split()))
_TRADED = {
    root("sell"): _ORDERED,
    root("buy"): _ORDERED | {root("purchase")},
    root("purchase"): _ORDERED,
    root("order"): _ORDERED - {root("sale")},
    root("book"): frozenset(map(root, ("booking", "reservation"))),
}  # what is sold, and what it is called that says so
_SORTS = ("type", "kind", "category")  # after what things are told by: "power type"
_MADE = frozenset(
    "made held organised organized arranged recorded registered entered logged listed done carried".split()
)


class Keys(Edges):
    """The rows of a question, and what they are grouped by."""

    def rows(self, at: int) -> Iterator[tuple[int, Rows, str]]:
        """Nodes or edges, each with where its noun phrase ends and the verb that says when it was: "repairs that were received"."""
        for end, things in (*self.things(at), *self.several_named(at, "and")):
            if not things.one:
                found = [(end, things)]
                found += [
                    (after, replace(things, items=(*things.items, *items)))
                    for after, items in self.clause(end, things.type)
                ]
                for after, each in found:
                    yield from ((last, each, verb) for last, verb in self._happening(after, each))
        for end, ways in self.edges_said(at):
            if ways.best is None and not self.lexicon.is_noun_of(ways.step):
                yield from ((last, ways, verb) for last, verb in self._happening(end, ways))
                for after, dated in self._edges_when(end, ways):
                    yield after, dated, ""

    def _happening(self, at: int, rows: Rows) -> Iterator[tuple[int, str]]:
        """Where it ends that rows happened, and the verb that says which of their dates is meant."""
        yield at, ""
        yield from ((end, "") for end, _ in self.said(at, _HAPPENED))
        begins = [at, *(end for end, _ in self.said(at, (*BE, *HAVE, *WE, "have been", "has been")))]
        for begin in begins:
            verb = self.word(begin)
            if verb and self.made_of(begin, rows):
                yield begin + 1, verb

    def called(self, rows: Rows) -> str:
        """What rows are called, in the singular."""
        return singular(spoken(rows.type if isinstance(rows, Things) else rows.step.link.name))

    def made_of(self, at: int, rows: Rows, doer: bool = False) -> bool:
        """Whether a verb says no more of rows than that they are, or that they were at a date of theirs; `doer`: somebody does it."""
        verb = self.word(at)
        if verb in _MADE or not verb:
            return bool(verb)
        owner = self.owner(rows)
        if root(verb) in deeds_of(self.called(rows)):
            return True
        if root(self.called(rows)) in _TRADED.get(root(verb), ()) and not (
            doer and root(verb) == root("sell")
        ):
            return True
        return any(root(verb) in self.lexicon.date_roots(h) for h in self.lexicon.held(owner) if is_date(h))

    def _edges_when(self, at: int, ways: Ways) -> Iterator[tuple[int, Ways]]:
        """Edges at a time: "bookings in 2023", "bookings were made between March and June 2023"."""
        for begin, verb in self._happening(at, ways):
            for held in self.dates_of(ways, verb):
                for end, tests in self.dated(begin, held):
                    yield end, replace(ways, own=(*ways.own, *tests))

    def owner(self, rows: Rows) -> str:
        """The type of nodes, or the relation of edges, as the owner of properties."""
        return rows.type if isinstance(rows, Things) else rows.step.link.key

    def dates_of(self, rows: Rows, verb: str) -> list[Held]:
        """The dates of rows: the one that a verb says, else that on which they happened, else all."""
        dates = [h for h in self.lexicon.held(self.owner(rows)) if is_date(h)]
        named = [h for h in dates if verb and root(verb) in self.lexicon.date_roots(h)]
        return named or self.lexicon.dates(self.owner(rows)) or dates

    def keys(self, at: int, rows: Rows, verb: str = "") -> Iterator[tuple[int, Key]]:
        """What stands for a group at a word, with where it ends: "month", "department", "customer city", "city of the customer"."""
        own, end_of = self.owner(rows), "V0" if isinstance(rows, Things) else "eV1"
        parts = [
            (end, Key((), part, end_of))
            for end, phrase in self.said(at, tuple(PARTS))
            for date in self.dates_of(rows, verb)
            for part in self.lexicon.parts(date, PARTS[phrase])
        ]
        named = [
            (end, Key((), h, end_of))
            for end, h in self.lexicon.noun(self.roots, at, own)
            if not h.naming and not (parts and (is_date(h) or h.of))  # a year is no incident date
        ]
        named = named or parts
        yield from named
        for end, key in named:
            if key.held is not None and key.held.kind == "text":
                yield from ((last, key) for last, _ in self.said(end, _SORTS))
        for end, key in named if own in self.lexicon.shape.types else ():  # "type of instrument"
            for begin, _ in self.said(end, ("of", "of the")):
                yield from ((last, key) for last, t in self.types(begin) if t == own)
        for end, node_type in self.types(at):
            if node_type == own:  # "instrument type"
                own_noun = self.lexicon.noun(self.roots, end, own)
                yield from ((last, Key((), h, end_of)) for last, h in own_noun if not h.naming)
            for key in self._reaching(rows, node_type):
                yield end, key
                for begin in self.perhaps(end, ("'s", "'")):
                    for last, held in self.lexicon.noun(self.roots, begin, node_type):
                        if not held.naming:
                            yield last, replace(key, held=held)
        if not any(True for _ in self.said(at, tuple(PARTS))):  # of times those of the rows are meant
            yield from self._beyond(at, rows, bool(named))

    def _beyond(self, at: int, rows: Rows, own: bool) -> Iterator[tuple[int, Key]]:
        """A property of what rows lead to: "city of the customer"; "genre" alone where one of these has it, and no row."""
        alone = []
        for node_type in self.lexicon.shape.types:
            for end, held in self.lexicon.noun(self.roots, at, node_type):
                keys = [replace(key, held=held) for key in self._reaching(rows, node_type)]
                for begin, _ in self.said(end, ("of the", "of their", "of its", "of")):
                    ends = [e for e, t in self.types(begin) if t == node_type]
                    yield from ((last, key) for last in ends for key in keys)
                single = [k for k in keys if all(map(self.lexicon.to_one, k.steps)) and not held.naming]
                alone += [(last, key) for key in single for last in self.perhaps(end, _SORTS)]
        typed = max((end for end, _ in self.types(at)), default=0)
        alone = [
            (end, key) for end, key in alone if end > typed
        ]  # "animal class" of species, though there are animals
        if not own and len({key for _, key in alone}) == 1:
            yield from alone

    def _reaching(self, rows: Rows, node_type: str) -> Iterator[Key]:
        """The ways from rows to nodes of a type: one relation, or a chain of those that lead each to one."""
        ends = [("V0", rows.type)] if isinstance(rows, Things) else []
        if isinstance(rows, Ways) and not rows.step.link.undirected:
            ends = [("V0", rows.step.link.source), ("V1", rows.step.link.target)]
        for name, source in ends:
            if source == node_type and isinstance(rows, Ways):
                yield Key((), None, name)
            elif source != node_type:
                found = (Key(steps, None, name) for steps in self._ways_to(source, node_type))
                yield from (k for k in found if isinstance(rows, Things) or self._leading_on(k, rows))

    def _leading_on(self, key: Key, rows: Ways) -> bool:
        """Whether each edge leads to one group, and by other relations than its own."""
        return all(self.lexicon.to_one(s) and s.link != rows.step.link for s in key.steps)

    def _ways_to(self, source: str, target: str) -> list[tuple[Step, ...]]:
        step = self.lexicon.plain(source, target)
        if step is not None:
            return [(step,)]
        chains = self.lexicon.chains(source, target)
        direct = any(s.target == target for s in self.lexicon.steps(source))
        return [] if direct else chains

    def tail(self, at: int, rows: Rows, key: Key | None, verb: str = "") -> Iterator[Rows]:
        """The rows, with what is said after their group to the end: "in 2023", "that were delayed"."""
        if self.idle(at):
            yield rows
        of_key = key.held.of if key is not None and key.held is not None else ()
        for held in of_key or self.dates_of(rows, verb):
            for end, tests in self.dated(at, held):
                if self.idle(end) and isinstance(rows, Things):
                    yield replace(rows, items=(*rows.items, *tests))
                elif self.idle(end) and isinstance(rows, Ways):
                    yield replace(rows, own=(*rows.own, *tests))

    # what is added up

    def measures(self, at: int) -> Iterator[tuple[int, Held, str]]:
        """A number that rows have, with the type whose name stands before it: "cost", "repair cost", "distance driven"."""
        owners = (*self.lexicon.shape.types, *(link.key for link in self.lexicon.shape.links))
        said = [found for owner in owners for found in self.lexicon.noun(self.roots, at, owner)]
        said += [(at + 1, h) for h in self.lexicon.shape.held if self._in_unit(at, h)]
        said = [(end, h) for end, h in said if h.kind == "number" and not is_date(h)]
        own = [(end, h) for end, h in said if self.lexicon.calls(self.roots[at:end], h)]
        yield from ((end, h, h.owner) for end, h in own or said)  # a price is no cost where there are both
        for begin, node_type in self.types(at):
            for end, held in self.lexicon.noun(self.roots, begin, node_type):
                if held.kind == "number" and not is_date(held):
                    yield end, held, node_type
            for link in self.lexicon.shape.links:  # "volunteer hours", of their shifts
                joined = node_type in (link.source, link.target) and link.source != link.target
                for end, held in self.lexicon.noun(self.roots, begin, link.key) if joined else ():
                    if held.kind == "number" and not is_date(held):
                        yield end, held, link.key
        for link in self.lexicon.shape.links:
            if self._noun_of_edge(at, self.lexicon.shape.steps[f"V:>{link.key}"]):
                for end, held in self.lexicon.noun(self.roots, at + 1, link.key):
                    if held.kind == "number" and not is_date(held):
                        yield end, held, link.key
                if self.word(at + 1) in MONEY and (amount := self.lexicon.amount(link.key)) is not None:
                    yield at + 2, amount, link.key  # "sponsorship money"
            elif (
                self.handed_over(at, link) and (amount := self.lexicon.amount(link.key)) is not None
            ):  # "how much money"
                yield at + 1, amount, link.key
        yield from ((end, held, held.owner) for end, held in self.days(at))

    def _in_unit(self, at: int, held: Held) -> bool:
        """Whether a word is the unit that a property's name ends in: "kilometres" of `distance_km`."""
        own = units_of(held.name) if " " in spoken(held.name) else ()
        return not set(units(self.word(at))).isdisjoint(own)

    def adds_up(self, held: Held) -> bool:
        """Whether a number of edges is one of what its name counts, and so adds up: `hours`, `goals`; a price is of each."""
        last = spoken(held.name).rpartition(" ")[2]
        return held.edge and (bool(units(spoken(held.name))) or singular(last) != last)

    def all_rows(self, owner: str) -> Rows:
        """All nodes of a type, or all edges of a relation."""
        if owner in self.lexicon.shape.types:
            return Things(owner)
        return Ways(self.lexicon.shape.steps[f"V:>{owner}"])

    def rows_of(self, at: int, held: Held) -> Iterator[tuple[int, Rows, str]]:
        """The rows whose property it is, with what is said of them: "cost", "cost of repairs under warranty", "tickets booked"."""
        rows = self.all_rows(held.owner)
        for end, verb in self._happening(at, rows):
            yield end, rows, verb
            for begin, _ in self.said(end, ("by",)) if verb else ():  # "distance sailed by X"
                for last, far in self.things(begin):
                    yield from ((last, joined, verb) for joined in self._rows_to(rows, far, held))
        for begin, _ in self.said(
            at, ("of", "for", "of all", "of the", "of all the", "for all", "across all", "in", "across")
        ):
            for end, found, verb in self.rows(begin):
                if self.owner(found) == held.owner:
                    yield end, found, verb
            for end, far in self.things(begin):
                yield from ((end, joined, "") for joined in self._rows_to(rows, far, held))
        if isinstance(rows, Things) and self.word(at) not in ("of", "for"):
            yield from ((end, things, "") for end, things in self.modified(at, rows))
        elif isinstance(rows, Ways):
            yield from ((end, ways, "") for end, ways in self._ended(at, rows, 2) if ways != rows)

    def _rows_to(self, rows: Rows, far: Things, held: Held) -> Iterator[Rows]:
        """The rows that lead to other nodes, which have no such property: "(ticket price) of comedies", "(tickets) of Ann"."""
        alike = any(h.name == held.name for h in self.lexicon.held(far.type))
        keys = list(self._reaching(rows, far.type)) if not alike and not self.vague(far) else []
        if len(keys) != 1 or not all(map(self.lexicon.to_one, keys[0].steps)):
            return
        if not keys[0].steps:
            assert isinstance(rows, Ways)
            yield replace(rows, source=far.items) if keys[0].end == "V0" else replace(rows, target=far.items)
            return
        hop = self.through(keys[0].steps, far)
        if isinstance(rows, Things):
            yield replace(rows, items=(*rows.items, hop))
        else:
            yield replace(rows, source=(hop,)) if keys[0].end == "V0" else replace(rows, target=(hop,))

    def aggregates(self, at: int) -> Iterator[tuple[int, str, Held]]:
        """ "Average cost", "total number of tickets", "the highest repair cost": where it ends, the aggregate, the property."""
        for start in self.perhaps(at, ("the",)):
            for middle, word in self.said(start, tuple(AGGREGATES)):
                for begin in self.perhaps(middle, ("number of", "amount of")):
                    yield from ((end, AGGREGATES[word], held) for end, held, _ in self.measures(begin))

    def done_by_key(self, at: int, rows: Rows, key: Key) -> bool:
        """Whether a question ends with what a group does: "have", "(did each customer) make", "own"."""
        if self._has(at):
            return True
        verb = self.word(at)
        if not verb or not self.done(at + 1):
            return False
        for step in key.steps if len(key.steps) == 1 and isinstance(rows, Things) else ():
            if (at + 1, True) in self._said_by(
                at, self.lexicon.reversed(step), reduced=False
            ):  # "(does each lecturer) advise"
                return True
        return self.made_of(at, rows, doer=True) or self.doer_does(verb, rows, key)

    def doer_does(self, verb: str, rows: Rows, key: Key) -> bool:
        """Whether a verb says how a group is joined to its rows."""
        if self.by_hand(verb, rows, key):
            return True
        if isinstance(rows, Ways):
            if rows.step.source == rows.step.target:
                return False
            step = rows.step if key.end == "V0" else self.lexicon.reversed(rows.step)
            return not key.steps and self.lexicon.does(verb, step)
        return len(key.steps) == 1 and self.lexicon.does(verb, self.lexicon.reversed(key.steps[0]))
