"""What somebody does, or what is done to something: "wrote more than 3 books", "written by Ann", "bought only maps in 2019"."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from graphtalk.language.dictionary import is_bare
from graphtalk.language.people import is_person, may_act
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.combining import ONLY, exclusive
from graphtalk.reasoners.phrases.handing import MONEY, Handing
from graphtalk.reasoners.phrases.relations import MANAGING
from graphtalk.reasoners.phrases.schema_words import VAGUE, is_date, meanings, roots_of
from graphtalk.reasoners.phrases.staying import stays
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.words import AND, BE, DO, HAPPENED, HAVE, KEPT, PLACED, STAYING
from graphtalk.reasoners.reader.reading import Best, Compared, Either, Hop, Item, Measure, Not, Test
from graphtalk.reasoners.reader.shape import Step, spoken

TOWARDS = ("to", "on", "at", "in", "into", "for", "with", "through", "via", "over", "across")
TAKING = ("take", "takes", "took", "taken")
STARTING = ("start", "started", "begin", "began")
_INTO = ("in", "into", "to", "on", "onto")
_IN_WHAT = ("with", "in", "as", "on", "at")
_BY = ("by", "only by", "in", "only in")
# What leaves a verb between nodes of one type the way it goes: "depends on X" for `depends`. "Flows from X" turns it round.
_ALIKE = ("on", "upon", "to", "into", "with", "for")
_REPORTING = tuple(
    f"{verb} {to}"
    for verbs, ends in (
        ("report reports reported reporting", ("to", "directly to", "straight to")),
        ("work works worked working", ("under",)),
    )
    for verb in verbs.split()
    for to in ends
)
_SINCE = frozenset(map(root, "since joined from start begin".split()))
# Of what leads somewhere the preposition says which way it goes.
_MOVING = frozenset(map(root, "run go pass flow travel lead extend stretch cross move wind traverse".split()))
_WAYS = ("through", "across", "along", "over", "past", "around")
_TAKEN = frozenset(map(root, "inherit derive descend stem import borrow obtain fork copy extend".split()))


class Deeds(Handing):
    """The verbs of one question with what belongs to them."""

    @abstractmethod
    def placed(self, at: int, node_type: str, verb: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Where something is, or whose it is."""

    def doing(self, at: int, node_type: str, reduced: bool) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb with what belongs to it. `reduced`: after "is", or after a noun ("written by Ann", "hired after 2019")."""
        verb = self.word(at)
        if not verb or verb in BE or verb in HAVE or verb in DO:
            return
        stands = verb in STAYING and self.word(at + 1) in PLACED  # "live in", whatever is "live"
        if any(self.values[i].found for _, i in self.value(at)) and not (stands or self._named_verb(at)):
            return  # "cat or dog pets": a value is no verb
        for begin, _ in self.said(at, ONLY):  # "only acted in dramas"
            done = self.doing(begin, node_type, reduced)
            yield from ((end, only) for end, items in done if (only := exclusive(items)))
        if verb in TAKING and not reduced:
            yield from (
                found for end, _ in self.said(at + 1, ("part",)) for found in self.taking_part(end, node_type)
            )
        for end, _ in self.said(at, HAPPENED):
            yield from self.placed(end, node_type, "be")
        for end, _ in self.said(at, KEPT) if reduced else ():
            yield from self.placed(end, node_type, "be")
        happened = self.lexicon.happened(verb, node_type)
        if verb in STAYING:
            # What is nobody lives where it is, and comes from what it is joined to by no other name.
            nobody = STAYING[verb] in ("live", "come") and not is_person(node_type)
            for end, items in self.placed(at + 1, node_type, "be" if nobody else STAYING[verb]):
                if STAYING[verb] == "live" or not nobody or all(map(self._only_called_so, items)):
                    yield end, items
                    if happened is not None and self.lexicon.says_noun(
                        verb, happened
                    ):  # "in Cork before 1900"
                        yield from ((last, (*items, *tests)) for last, tests in self.dated(end, happened))
            for end, items in self.sharing(at + 1, node_type):
                if all(self._stays_so(STAYING[verb], item) for item in items):
                    yield end, items
        for end, test in self.owned(at + 1, node_type) if not reduced else ():
            called = spoken(self.lexicon.shape.properties[test.held].name).split()
            if len(called) == 1 and called[0].endswith("s") and root(verb) == root(called[0]):
                yield end, (test,)  # "speak Polish", of `speaks`
        # What "was open in 1990" need not have opened then.
        being_so = reduced and is_bare(verb)
        if (
            happened is not None
            and not being_so
            and (reduced or verb in ("joined", "join") or self.lexicon.says_noun(verb, happened))
        ):
            yield from self.dated(at + 1, happened)
            yield from self.at_the_same(at + 1, happened)
            for begin, phrase in self.said(at + 1, ("before", "after", "earlier than", "later than")):
                yield from self.than(begin, happened, "LT" if phrase in ("before", "earlier than") else "GT")
        if verb in STARTING and self.word(at + 1).endswith("ing"):
            for end, items in self.doing(at + 1, node_type, reduced=True):
                if len(items) == 1 and isinstance(items[0], Hop) and self.says_when(items[0]):
                    yield end, items
        if self.roots[at] == root("join") and not reduced:
            yield from self._joining(at + 1, node_type)
        for begin, held in self.lexicon.noun(self.roots, at, node_type) if reduced else ():
            if is_date(held) and self.word(begin - 1).endswith("ed"):  # "last inspected after June"
                yield from self.dated(begin, held)
        for step in self.lexicon.dated_so(verb, node_type) if reduced and verb.endswith("ed") else ():
            for held in self.lexicon.held(step.target):
                if held.kind == "date" and root(verb) in self.lexicon.date_roots(held):
                    yield from ((end, (Hop(step.action, tests),)) for end, tests in self.dated(at + 1, held))
        if reduced and self.word(at + 1) == "by":
            named = list(self._doers(at + 2, verb, node_type))
            yield from named
            yield from self.either_of(named, lambda begin: self._doers(begin, verb, node_type))
            yield from self.neither_of(at + 2, lambda begin: self._doers(begin, verb, node_type))
        if reduced and verb.endswith("ed") and self.word(at + 1) in _IN_WHAT:  # "stained with X", by `stain`
            for end, test in self.owned(at + 2, node_type):
                called = spoken(self.lexicon.shape.properties[test.held].name).split()
                if len(called) == 1 and root(verb) == root(called[0]):
                    yield end, (test,)
        spent = self.lexicon.spent(verb, node_type)
        if spent is not None:
            for end, pairs in self.quantity(at + 1, spent.name):
                if not self.named_at(end):
                    yield end, tuple(Test(spent.action, operator, (span,)) for operator, span in pairs)
            for middle, phrase in self.said(at + 1, ("more than", "less than")):
                yield from self.than(middle, spent, "GT" if phrase == "more than" else "LT")
            for middle, _ in self.said(
                at + 1, ("as much as", "exactly as much as", "the same as", "as long as")
            ):
                yield from self.like_another(middle, spent)
            for middle, phrase in self.said(at + 1, ("above", "below")):
                yield from self.than_average(middle, spent, "GT" if phrase == "above" else "LT")
        yield from self._done_along(at, node_type) if reduced else ()
        yield from self._of_the_same(at, node_type, reduced)
        yield from self._different(at, node_type)
        if not reduced:
            yield from self._counted_deeds(at, node_type)
            yield from self.handing(at, node_type)
        for step in self.lexicon.steps(node_type):
            for middle, active in self._said_by(at, step, reduced):
                begins = [middle] if active else [end for end, _ in self.said(middle, _BY)]
                for begin in begins:
                    yield from self._done_to(at, begin, step)
                if not active:
                    for end, tests in self.edge_tests(middle, step):
                        yield end, (Hop(step.action, tests),)
            if step.out and self.lexicon.acts(verb, step):  # "docked in 2023", wherever that was
                yield from ((end, (Hop(step.action, tests),)) for end, tests in self.dated_edge(at + 1, step))
            done_by = not reduced and self.lexicon.is_done_by(verb, step)
            if self._named_verb(at) or done_by or not self.lexicon.does(verb, step):
                continue
            if self.lexicon.between(step.source, step.target) is None and not self.lexicon.either_way(step):
                continue
            onwards = self.perhaps(at + 1, TOWARDS)
            for begin in onwards if not reduced else [end for end, _ in self.said(at + 1, _BY[:2])]:
                yield from self._done_to(at, begin, step)

    def _done_along(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "(Were) sent maps", "(been) sent to Oslo", "(never been) sent", by the `sent_on` of edges."""
        for step in self.lexicon.steps(node_type):
            if self.lexicon.done_along(self.word(at), step):
                yield from (
                    (end, (Hop(step.action),)) for end, _ in self.said(at + 1, ("anything", "something"))
                )
                if not may_act(node_type):  # firms that were "hired in 2019" are not those that hired
                    yield at + 1, (Hop(step.action),)
                    when = self.dated_edge(at + 1, step)
                    yield from ((end, (Hop(step.action, tests),)) for end, tests in when)
                for begin in self.perhaps(at + 1, TOWARDS):
                    yield from self._done_to(at, begin, step)

    def _joining(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "(Joined) the Data team in 2023", where edges of being in one say since when; "(joined) the staff", "us", of one's own date."""
        joined = self.lexicon.happened("joined", node_type)
        if joined is not None and self.lexicon.says_noun("joined", joined):
            these = [
                end for b in self.perhaps(at, ("the", "our")) for end, t in self.types(b) if t == node_type
            ]
            for end in (*these, *(end for end, _ in self.said(at, ("us",)))):
                yield from self.dated(end, joined)
        for step in self.lexicon.steps(node_type):
            dates = [h for h in self.lexicon.dates(step.link.key) if not _SINCE.isdisjoint(roots_of(h))]
            in_one = step.out and (self.lexicon.says_where(step.link) or self.lexicon.is_in(step))
            for end, far in self.things(at, plain=True) if in_one and dates else ():
                if far.type == step.target and not self.vague(far):
                    yield end, (self.hop(step, far),)
                    for last, when in self.dated(end, dates[0]):
                        yield last, (self.hop(step, replace(far, items=(*far.items, *when))),)

    def _doers(self, at: int, verb: str, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Who did something, as a property says it: "(made by) Roche"."""
        for end, test in self.owned(at, node_type):
            if self.lexicon.names_doer(verb, self.lexicon.shape.properties[test.held]):
                yield end, (test,)

    def _stays_so(self, verb: str, item: Item) -> bool:
        """Whether what is shared with another may be where one lives, or works: of other conditions nothing is said."""
        shape = self.lexicon.shape
        if isinstance(item, Test):
            return shape.properties[item.held].naming or stays(
                verb, spoken(shape.properties[item.held].name).split()
            )
        step = shape.steps.get(item.view) if isinstance(item, Hop) and not item.name else None
        return step is None or stays(verb, (*self.lexicon.said(step.link), *spoken(step.target).split()))

    def _only_called_so(self, item: Item) -> bool:
        """Whether a condition leads along a relation that is called as what it leads to, and nothing else."""
        step = self.lexicon.shape.steps.get(item.view) if isinstance(item, Hop) else None
        words = [{root(w) for w in spoken(n).split()} for n in (step.link.name, step.target)] if step else []
        return step is not None and words[0] <= words[1]

    def handing(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What somebody gave to whom, or got from whom: "sent money to X in May", "received more than 3 transfers"."""
        for middle, step in self.handed(at, node_type):
            if middle > at + 1:
                yield middle, (Hop(step.action),)
                yield from ((end, (Hop(step.action, tests),)) for end, tests in self.dated_edge(middle, step))
            for begin, _ in self.said(middle, ("to",) if step.out else ("from",)):
                yield from self._done_to(at, begin, step)
        for begin, pairs in self.quantity(at + 1):
            for step in self.lexicon.steps(node_type):
                if self.hands(self.word(at), step.link, step.out) and self.handed_over(begin, step.link):
                    measure = Measure("CNT", "", Hop(step.action))
                    if self.word(begin) not in MONEY:
                        yield begin + 1, tuple(Compared(measure, op, span) for op, span in pairs)

    def taking_part(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """ "(Took part) in X": over the one relation that somebody is joined to it by, whatever they did."""
        for begin, _ in self.said(at, ("in",)) if node_type in self.lexicon.people else ():
            for end, far in self.things(begin, plain=True):
                step = self.lexicon.between(node_type, far.type)
                if step is not None:
                    yield end, (self.hop(step, far),)
            if self.word(begin) not in ("a", "an", "the") or self.word(begin + 1) in ("most", "fewest"):
                yield from self.having_neighbours(begin, node_type)

    def says_when(self, hop: Hop) -> bool:
        """Whether a hop has a condition on the date of its edge."""
        properties = self.lexicon.shape.properties
        return any(
            isinstance(i, Test) and properties[i.held].edge and is_date(properties[i.held]) for i in hop.items
        )

    def having_neighbours(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What follows "has", and how it is joined said again: "boats moored in it", "rivers running through them"."""
        for end, items in super().having_neighbours(at, node_type):
            yield end, items
            yield from ((last, items) for last in self.said_again(end, items))

    def said_again(self, at: int, items: tuple[Item, ...]) -> Iterator[int]:
        """Where it ends that how a neighbour is joined is said again."""
        measure = items[0].measure if isinstance(items[0], Best | Compared) else None
        hop = (
            measure.path if measure is not None else items[0].item if isinstance(items[0], Not) else items[0]
        )
        if len(items) != 1 or not isinstance(hop, Hop) or hop.view not in self.lexicon.shape.steps:
            return
        back = self.lexicon.reversed(self.lexicon.shape.steps[hop.view])
        ends = [end for end, active in self._said_by(at, back, True) if active]
        if self.lexicon.is_noun_of(back) or self.lexicon.says(back, self.word(at)):
            ends += [end for end, _ in self.said(at, ("in", "at", "on"))]
        for end in ends:
            yield from (last for last, _ in self.said(end, ("it", "them")))

    def joined(self, at: int, step: Step, plain: bool = False) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What a step leads to; after a joint also what stands for it: "own a boat but do not skipper one", "... and skipper it"."""
        yield from super().joined(at, step, plain)
        if not self._after_joint(at):
            return
        if self.word(at) == "one" and not self.types(at + 1):
            yield at + 1, (Hop(step.action),)
        named = [
            things
            for begin in range(at)
            for end, things in self.things(begin, plain=True)
            if end < at and things.one and things.type == step.target
        ]
        if self.word(at) in ("it", "them", "him", "her") and len({t.items for t in named}) == 1:
            yield at + 1, (Hop(step.action, named[0].items),)

    def _after_joint(self, at: int) -> bool:
        """Whether only a verb stands between what joins two clauses and a word."""
        joints = [i for i in range(max(0, at - 5), at) if self.word(i) in ("and", "but", "or", "nor")]
        between = range(joints[-1] + 1, at) if joints else ()
        return bool(joints) and not any((*self.types(i), *self.value(i)) for i in between)

    def _done_to(self, at: int, begin: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """What a verb is done to, from a word on, with what is said of the edge: "books in 2019", only these where it says so."""
        only = any(word in ONLY for word in self.words[at:begin])
        for end, items in self.joined(begin, step):
            told = exclusive(items) if only else items
            if not told:
                continue
            yield end, told
            hop = told[0]
            own = (*self.dated_edge(end, step), *self.edge_tests(end, step), *self.lasting(end, step))
            for last, tests in own:
                if len(told) == 1 and isinstance(hop, Hop):
                    yield last, (replace(hop, items=(*hop.items, *tests)),)

    def _of_the_same(self, at: int, node_type: str, reduced: bool) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """Several verbs of one: "directed and produced the same film", "both written and reviewed by the same person"."""
        for end, steps in self._verbs(at, node_type, reduced, 1, ("or",)) if not reduced else ():
            for last, far in (
                self.things(end, plain=True) if len(steps) == 2 else ()
            ):  # "inhibit or activate X"
                if all(s.target == far.type for s in steps):
                    yield last, (Either(Hop(steps[0].action, far.items), Hop(steps[1].action, far.items)),)
        for end, steps in self._verbs(at, node_type, reduced, 4):
            for last, far in self.things(end, plain=True) if len(steps) > 1 and not reduced else ():
                if all(s.target == far.type for s in steps):
                    yield last, tuple(Hop(s.action, far.items) for s in steps)
                    if not far.many and not far.one:  # "directed and acted in a film": in one, or in two
                        first = Hop(steps[0].action, far.items, name=f"S{at}")
                        yield last, (first, *(Hop(s.action, same=f"S{at}") for s in steps[1:]))
            for begin, _ in self.said(end, ("by the same",) if reduced else ("the same",)):
                for stop, target in self.types(begin):
                    if len(steps) < 2 or any(s.target != target for s in steps):
                        continue
                    one = f"S{at}"
                    for last, far in ((stop, Things(target)), *self.modified(stop, Things(target))):
                        first = Hop(steps[0].action, far.items, name=one)
                        yield last, (first, *(Hop(s.action, same=one) for s in steps[1:]))

    def _verbs(
        self, at: int, node_type: str, reduced: bool, most: int, joints: Sequence[str] = AND
    ) -> Iterator[tuple[int, tuple[Step, ...]]]:
        """Verbs of relations, one after the other: "acted in, directed, and also produced"."""
        for begin in self.perhaps(at, ("both", "also")):
            for step in self.lexicon.steps(node_type):
                for end in self._verb(begin, step.link.name) if step.out != reduced else ():
                    yield end, (step,)
                    for start, _ in self.said(end, joints) if most else ():
                        for last, more in self._verbs(start, node_type, reduced, most - 1, joints):
                            if step not in more:
                                yield last, (step, *more)

    def _said_by(self, at: int, step: Step, reduced: bool) -> Iterator[tuple[int, bool]]:
        """Where a verb ends that says a step, and whether it is active: "directed X", "directed by X", "directing X"."""
        acting = not reduced or self.word(at).endswith("ing")
        done_by = self.lexicon.done_by(self.lexicon.reversed(step) if acting else step)
        if done_by and self.roots[at : at + 1] == (done_by,):
            yield at + 1, acting
        if step.out == acting:
            yield from ((end, step.out) for end in self._verb(at, step.link.name))
        elif self.lexicon.reports(step.link.name) and not self._named_verb(
            at
        ):  # whom Ann manages reports to her
            yield from ((at + 1, acting) for _ in (0,) if not MANAGING.isdisjoint(self.roots[at : at + 1]))
        elif self.lexicon.manages(step.link):  # who reports to Ann is whom she manages
            yield from ((end, acting) for end, _ in self.said(at, _REPORTING))
        said = self.lexicon.said(step.link)  # what is fitted with a part has it fitted in it
        if reduced and not step.out and len(said) == 2 and said[1] == "with" and self.word(at + 1) in _INTO:
            yield from ((at + 2, True) for _ in (0,) if self.roots[at] == root(said[0]))
        if reduced and step.out and self.lexicon.undergone(step.link):  # "moored in X"
            yield from ((end, True) for end in self._verb(at, step.link.name))
        if step.out == (acting == self.lexicon.does_itself(step.link)):  # a moderator is who moderates
            for words, names in self.lexicon.names.relations["deed"].items():
                if step.link.name in names and tuple(self.roots[at : at + len(words)]) == words:
                    yield from ((end, acting) for end in self.perhaps(at + len(words), ("for", "in", "with")))

    def _counted_deeds(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """A verb with a number of things, none, or an amount: "wrote more than 3 books", "worked 300 hours or more on X"."""
        for step in self.lexicon.steps(node_type):
            alone = self.lexicon.between(step.source, step.target) is not None
            verb = self.word(at)
            if not alone or not (self.lexicon.begins(verb, step) or self.lexicon.does(verb, step)):
                continue
            for held in self.lexicon.held(step.link.key):
                for begin, operator, span in (
                    self.compared(at + 1, held.name) if held.kind == "number" else ()
                ):
                    unit = root(self.word(begin - 1)) == root(held.name)
                    for middle in self.perhaps(begin, PLACED) if unit else ():
                        for end, far in self.things(middle, plain=True):
                            if far.type == step.target:
                                yield (
                                    end,
                                    (Hop(step.action, (*far.items, Test(held.action, operator, (span,)))),),
                                )

    def _different(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """So many different ones over nodes that stand for deeds: "drove at least four different trucks", "tested with 3 different X"."""
        verb = self.word(at)
        for begin in self.perhaps(at + 1, TOWARDS):
            for end, pairs in self.quantity(begin):
                for start, _ in self.said(end, ("different", "distinct")):
                    for last, far in self.things(start, plain=True):
                        for first in self.lexicon.steps(node_type):
                            onwards = [
                                s
                                for s in self.lexicon.steps(first.target)
                                if s.target == far.type and self.lexicon.to_one(s)
                            ]
                            said = self.lexicon.does(verb, first) or first.target in self.lexicon.events(verb)
                            if len(onwards) == 1 and said and far.type != node_type and not far.one:
                                beyond = Hop(onwards[0].action, far.items)
                                measure = Measure("VALUES", "", Hop(first.action), beyond=beyond)
                                yield last, tuple(Compared(measure, op, span) for op, span in pairs)

    def dated_edge(self, at: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """When something was done, where the edges of a relation have one date."""
        dates = [h for h in self.lexicon.held(step.link.key) if is_date(h)]
        if len(dates) == 1:
            yield from self.dated(at, dates[0])

    def lasting(self, at: int, step: Step) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """How long or how much something was done, in the unit that edges have: "for more than 25 days at once"."""
        numbers = [h for h in self.lexicon.held(step.link.key) if h.kind == "number"]
        for begin, _ in self.said(at, ("for",)) if numbers else ():
            for held in numbers:
                for end, pairs in self.quantity(begin, held.name):
                    if root(self.word(end - 1)) == root(held.name):
                        tests = tuple(Test(held.action, operator, (span,)) for operator, span in pairs)
                        yield from ((last, tests) for last in self.perhaps(end, ("at once", "at a time")))

    def _verb(self, at: int, relation: str) -> Iterator[int]:
        """Where a verb ends that is a relation's name in some inflection, or says as much: "reports to" for `manager`."""
        if self.lexicon.reports(relation):
            yield from (end for end, _ in self.said(at, _REPORTING))
        yield from self._same_verb(at, relation)
        for words, names in self.lexicon.names.relations["verb"].items():
            if relation in names and tuple(self.roots[at : at + len(words)]) == words:
                yield at + len(words)
                if len(words) == 1:  # "listens on" for "listens"
                    alike = (*_ALIKE, "from") if words[0] in _TAKEN else _ALIKE
                    onwards = TOWARDS if self.lexicon.joins_types(relation) else alike
                    yield from (end for end, _ in self.said(at + 1, onwards))
            within = (
                (self.roots[at], *self.roots[at + 2 : at + 1 + len(words)])
                if self.word(at + 1) in ONLY
                else ()
            )
            if relation in names and within == words:  # "acted only in dramas"
                yield at + 1 + len(words)

    def _same_verb(self, at: int, relation: str) -> Iterator[int]:
        """Where a verb ends that means what a relation's does, before the same preposition: "rely on" for `service_depends_on`."""
        for verb, preposition in pairwise(spoken(relation).split()):
            led = self.word(at + 1) == preposition and not self._named_verb(at)
            if led and preposition in _WAYS and {root(verb), self.roots[at]} <= _MOVING:
                yield at + 2  # "passes through" for `runs_through`
            led &= preposition in _ALIKE
            if led and set(meanings([self.word(at)])) & set(meanings([verb])) - VAGUE:
                yield at + 2

    def _named_verb(self, at: int, but: str = "") -> bool:
        """Whether a verb is some relation's own name, and so says no other; of another relation than one (`but`)."""
        verbs = self.lexicon.names.relations["verb"].items()
        return any(self.roots[at : at + 1] == words[:1] and {*names} != {but} for words, names in verbs)
