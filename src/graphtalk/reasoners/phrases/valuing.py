"""Questions for what things have: properties, measures, dates, places, and their averages and totals."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from graphtalk.core.people import means_somebody
from graphtalk.language.periods import PERIODICAL
from graphtalk.language.synonyms import verbs_of_property
from graphtalk.language.units import units_of
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.columns import Columns
from graphtalk.reasoners.phrases.properties import STOCK
from graphtalk.reasoners.phrases.schema_words import PLACES, is_date, roots_of
from graphtalk.reasoners.phrases.staying import AT_HOME, AT_WORK, stays
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import THERE_AT, WHAT
from graphtalk.reasoners.phrases.words import BE, DO, HAVE, KEPT, STAYING
from graphtalk.reasoners.reader.reading import Best, Column, Hop, Measure, Test
from graphtalk.reasoners.reader.shape import Held, Step, spoken

_AT_WHICH = tuple(f"{at} {which}" for at in ("under", "on", "to", "in", "into", "at", "by", "of", "with", "for", "from", "as")
                  for which in ("which", "what", "how many"))  # fmt: skip
_WHERE = tuple(f"where {v}" for v in ("was", "were", "is", "are", "does", "do", "did"))
_READERS = ("readers", "people", "users", "they", "you", "we", "customers")
_PUT = ("put", "place", "find", "keep", "file", "list", "store", "have", "shelve", "class")
_HOLD = ("hold", "holds", "contain", "contains", "apply to", "applies to", "go with", "goes with", "stand for", "stands for", "that stands for",
         "that stand for", "stand behind", "stands behind", "are behind", "is behind", "behind", "responsible for", "are responsible for",
         "took part in", "take part in", "appear in", "appeared in", "that goes with", "given to", "that belongs to")  # fmt: skip
_BY_WHICH = (*(f"{at} which" for at in ("by", "under", "in", "on", "at", "to", "with")), "that")
_FILED = ("belong", "belongs", "belonged", "go", "goes", "fall", "falls", "stand", "stands", "listed", "filed", "kept", "put", "placed", "known",
          "called", "cited", "sold", "classed", "classified", "found", "have", "has", "list", "lists", "consist", "consists", "bear", "bears", "carry",
          "carries", "appear", "appears")  # fmt: skip
_HOW_MANY = ("how many days", "how many minutes", "how many years")
_PASSED = "| passed| went by| elapsed| were there| are there| was there| is there| lay| lie".split("|")
_TIME_ASKED = (
    *(f"{many}{passed}" for many in ("how many days", "how much time") for passed in _PASSED),
    *(f"how long {was}" for was in ("was it", "is it", "did it take")),
    "what is the time", "what was the time", "how long",
)  # fmt: skip
_TIME_TAKEN = tuple(
    f"how {much} {did}" for much in ("many days", "long", "much time") for did in ("did", "does", "was", "is")
)
_TAKES = ("take", "wait", "last", "spend", "need", "taken")
_TOOK_MOST = {f"{took} {the}{most}": most == "longest" for took in ("took", "waited", "had") for the in ("the ", "")
              for most in ("longest", "shortest")}  # fmt: skip
_TIME_ON_AVERAGE = (
    *(f"{what}average {time}" for what in ("", "the ", "what is the ", "what was the ") for time in ("time", "number of days")),
    *(f"{many} on average" for many in ("how many days are there", "how long does it take", "how long is it")),
    *(f"on average , {how}" for how in ("how long does it take", "how many days are there", "how long is it", "how many days pass")),
)  # fmt: skip
_WE_HAVE = (
    "have we got",
    "do we have",
    "do we still have",
    "have we",
    "are there",
    "are left",
    "are in stock",
    "is there",
)
_IN_STOCK = (
    "left",
    "in stock",
    "on the shelf",
    "on the shelves",
    "available",
    "on hand",
    "in store",
    "left in stock",
)
_THERE = ("worked here", "worked for us", "been with us", "been here", "been working here", "worked with us", "worked",
          "been employed", "been working for us")  # fmt: skip
_HOW_MANY_HELD = tuple(f"how many{noun}" for noun in ("", *(f" {n}" for n in
                       "people guests visitors spectators passengers persons children students patients animals seats cars".split())))  # fmt: skip
_ROOM = ("hold", "seat", "fit", "accommodate", "sit")
_CAME_ABOUT = {  # what happened, in two words
    "come out": "released", "set up": "founded", "get together": "formed", "get going": "started", "start up": "founded", "open up": "opened",
    "shut down": "closed", "close down": "closed", "go live": "launched", "get married": "married", "sign up": "joined", "pass away": "died",
    "break up": "dissolved",
}  # fmt: skip
_PAID = frozenset("rate price cost fee wage pay salary charge rent".split())
_AT_DEATH = tuple(f"when {who} died" for who in ("he", "she", "they", "it"))
_PEOPLE_OF = tuple(
    f"how many {people}{there} in"
    for people in ("people", "inhabitants", "residents", "citizens")
    for there in ("", " live", " reside", " stay", " are", " are there", " are living")
)
_LED_WHICH = tuple(
    f"{led} {which}" for led in ("in", "at", "on", "from", "of") for which in ("which", "what")
)
_ADDING = {
    "average the": "AVG",
    "average all": "AVG",
    "sum up the": "SUM",
    "add up the": "SUM",
    "sum the": "SUM",
    "total the": "SUM",
}


class Valuing(Columns):
    """Reads questions for values."""

    def properties(self) -> Iterator[Asked]:
        """ "In which cities are the groups that ..."."""
        for begin, _ in self.said(0, _LED_WHICH):  # "in which cities are the groups that ..."
            for owner in self.lexicon.shape.types:
                for middle, held in self.lexicon.noun(self.roots, begin, owner):
                    for after, _ in self.said(middle, ("are", "were", "is", "was", "do", "did")):
                        for end, things in self.things(after) if held.kind in ("text", "list") else ():
                            stood = self.word(after - 1) in BE or self.word(end) in ("lie", "stand", "sit")
                            last = end if self.word(after - 1) in BE else end + 1
                            if things.type == owner and not things.one and stood and self.idle(last):
                                yield self.compiler.columns(things, Column("NODE", held.action))

    def valued(self) -> Iterator[Asked]:
        """ "What is the salary of Ann", "Ann's salary", "how old is Ann", "what does Ann earn", "when was Ann hired"."""
        asked = (
            self._property_of(),
            self._measure_of(),
            self._spent_of(),
            self._date_of(),
            self._done_how(),
            self._span_of(),
            self._stock_of(),
            self._held_by(),
            self._there_since(),
        )
        for things, held in chain.from_iterable(asked):
            alone = self._single(things) or any(isinstance(i, Best) for i in things.items)
            when = is_date(held) or spoken(held.name).endswith(
                (" on", " at")
            )  # no amount: a year `played_on`
            amount = held.kind == "number" and not when
            if alone and (amount or self.word(0) != "how" or self.word(1) not in ("many", "much")):
                yield from self.compiler.value(things, self.lexicon.whole_years(held))
        yield from self._place_of()

    def _property_of(self) -> Iterator[tuple[Things, Held]]:
        asked = self.perhaps(0, (*WHAT, "which", "what", "how many", "how much"))
        for begin in dict.fromkeys((*asked, *self.begun())):
            for start in self.perhaps(begin, ("the",)):
                for owner in self.lexicon.shape.types:
                    nouns = self.lexicon.noun(self.roots, start, owner)
                    times = [(end, held) for end, held in self.days(start) if held.owner == owner]
                    for middle, held in nouns or times or self.lexicon.ids(start, self.roots, owner):
                        for after, _ in self.said(middle, ("of", "for", "in")):
                            yield from self._ended_things(after, held)
                        for after, _ in self.said(middle, THERE_AT) if self._is_amount(held) else ():
                            yield from self._ended_things(after, held)
                        for after, verb in self.said(middle, (*HAVE, *DO)):
                            for end, things in self.things(after):
                                had = self.done(end) if verb in HAVE else self._has(end)
                                if had and things.type == owner:
                                    yield things, held
                        for end, things in self.things(middle, plain=True):
                            if self._has(end) and things.type == owner and begin > 0:
                                yield things, held
            for middle, things in self.things(begin):
                for after, _ in self.said(middle, ("'s", "'")):
                    nouns = self.lexicon.noun(self.roots, after, things.type)
                    times = [(end, held) for end, held in self.days(after) if held.owner == things.type]
                    for end, held in nouns or times or self.lexicon.ids(after, self.roots, things.type):
                        if self.done(end):
                            yield things, held
        yield from self._linked_property()

    def _is_amount(self, held: Held) -> bool:
        """Whether a property says how many or how much of something there is."""
        return held.kind == "number" and not is_date(held)

    def _linked_property(self) -> Iterator[tuple[Things, Held]]:
        """ "Under which number is X filed", "to which firm does X belong", "on which shelves do readers put X", "the number that X goes by"."""
        for begin in dict.fromkeys((*self.perhaps(0, (*_AT_WHICH, "which", "what")), *self.begun())):
            for owner in self.lexicon.shape.types:
                starts = self.perhaps(begin, ("the",))
                for middle, held in (
                    found for at in starts for found in self.lexicon.noun(self.roots, at, owner)
                ):
                    for after, verb in self.said(middle, (*BE, *DO, *HAVE)):
                        for start in self.perhaps(after, _READERS):
                            verbs = [
                                start,
                                *((start + 1,) if start > after and self.word(start) in _PUT else ()),
                            ]
                            for at in verbs:
                                yield from self._filed(at, held, verb not in DO or at > start)
                    for after, _ in self.said(middle, _HOLD):
                        yield from self._ended_things(after, held)
                    for after, _ in self.said(middle, _BY_WHICH):
                        yield from self._filed(after, held, False)

    def _done_how(self) -> Iterator[tuple[Things, Held]]:
        """ "How is X cited", "the string by which X is cited": by the text that is called by the noun of the verb."""
        begins = [end for end, _ in self.said(0, [f"how {be}" for be in BE])]
        for begin in self.begun():
            for start in self.perhaps(begin, ("the",)):
                begins += [end for end, _ in self.said(start + 1, ("by which", "under which"))]
        for begin in begins:
            how = self.word(0) == "how"
            noun = self.roots[begin - 3] if not how else ""
            for end, things in self.things(begin, plain=True):
                for verb in [end] if how else [e for e, _ in self.said(end, BE)]:
                    fit = [
                        h
                        for h in self.lexicon.held(things.type)
                        if self.done(verb + 1) and self.lexicon.done_so(self.word(verb), h)
                    ]
                    if len(fit) == 1 and (how or noun in map(root, spoken(fit[0].name).split())):
                        yield things, fit[0]

    def _filed(self, at: int, held: Held, alone: bool) -> Iterator[tuple[Things, Held]]:
        """What has a property, and a verb that says no more: "(on which shelves do readers put) X", "(to which firm does) X belong"."""
        for end, things in self.things(at):
            if things.type != held.owner:
                continue
            ends = [end] if alone else []
            for middle in self.perhaps(end, BE):
                ends += [
                    last
                    for v, _ in self.said(middle, (*_FILED, *self._staying(held)))
                    for last in self.perhaps(v, ("to", "by", "in", "on", "into", "under", "of", "with", "at"))
                ]
                ends += (
                    [middle + 1]
                    if self.word(middle) and self.roots[middle] in map(root, spoken(held.name).split())
                    else []
                )
            yield from ((things, held) for last in ends if self.done(last))

    def _staying(self, held: Held) -> list[str]:
        """The verbs of being somewhere that a property says the place of: "live" of a village."""
        return [v for v, kind in STAYING.items() if kind != "be" and stays(kind, spoken(held.name).split())]

    def _span_of(self) -> Iterator[tuple[Things, Held]]:
        """From one date to another: "how many days passed between the start and the end of X", "how long did X take from start to end"."""
        for begin, _ in self.said(0, _TIME_ASKED):
            for end, held in self._span(begin):
                for after, _ in self.said(end, ("of", "for", "in", "on")):
                    yield from self._ended_things(after, held)
        for begin, _ in self.said(0, _TIME_TAKEN):
            for middle, things in self.things(begin):
                for start in self.perhaps(middle, _TAKES):
                    for end, held in self._span(start):
                        if self.done(end) and held.owner == things.type:
                            yield things, held

    def _span(self, at: int) -> Iterator[tuple[int, Held]]:
        """ "Between the start and the end", "from request to delivery"."""
        for begin, led in self.said(at, ("between", "from")):
            for start in self.perhaps(begin, ("the", "its")):
                joints = ("and",) if led == "between" else ("to", "until", "till")
                for then, _ in self.said(
                    start + 1, tuple(f"{j}{the}" for j in joints for the in ("", " the", " its"))
                ):
                    for held in self.lexicon.spans(self.word(start), self.word(then)):
                        yield then + 1, held

    def spanned(self) -> Iterator[Asked]:
        """ "The average time from request to delivery", of all that have both; "which orders took the longest from request to delivery"."""
        for begin, _ in self.said(0, ("which", "what")):
            for middle, things in self.things(begin):
                for start, said in self.said(middle, tuple(_TOOK_MOST)):
                    for held in self._time_taken(start, things.type):
                        best = Best(_TOOK_MOST[said], Measure("PROPERTY", held.action))
                        yield self.compiler.columns(
                            replace(things, items=(*things.items, best)), Column("NODE")
                        )
                    for end, held in self._span(start):
                        if self.done(end) and held.owner == things.type:
                            best = Best(_TOOK_MOST[said], Measure("PROPERTY", held.action))
                            yield self.compiler.columns(
                                replace(things, items=(*things.items, best)), Column("NODE")
                            )
        for begin, _ in self.said(0, _TIME_ON_AVERAGE):
            for end, held in self._span(begin):
                if self.done(end):
                    yield self._aggregate(Things(held.owner, many=True), "AVG", held)
                for after, _ in self.said(end, ("of", "for")):
                    yield from (
                        self._aggregate(t, "AVG", held)
                        for t, held in self._ended_things(after, held)
                        if not t.one
                    )

    def _time_taken(self, at: int, node_type: str) -> Iterator[Held]:
        """The one time that ends when things were done as "to fix" says, of those that never end before they begin."""
        for begin, _ in self.said(at, ("to",)):
            ends = [
                h
                for h in self.lexicon.shape.derived
                if h.part == "span"
                and h.owner == node_type
                and self.done(begin + 1)
                and self.roots[begin] in self.lexicon.date_roots(h.of[1])
                and self.lexicon.never_after(*h.of)
            ]
            if len(ends) == 1:
                yield ends[0]

    def _ended_things(self, at: int, held: Held) -> Iterator[tuple[Things, Held]]:
        for end, things in self.things(at):
            if self.done(end) and things.type == held.owner:
                yield things, held

    def _measure_of(self) -> Iterator[tuple[Things, Held]]:
        """ "How old is Ann", "how long the film is"."""
        for begin, _ in self.said(0, ("how",)):
            for middle, straight in ((begin + 2, self.word(begin + 1) in BE), (begin + 1, False)):
                for end, things in self.things(middle):
                    ends = self.done(end) if straight else self.done(end + 1) and self.word(end) in BE
                    if ends and self.word(begin) not in ("much", "many"):
                        for held, _ in self.lexicon.measured(self.word(begin), things.type):
                            yield things, held
                    for after, _ in (
                        self.said(end, _AT_DEATH) if straight and self.word(begin) == "old" else ()
                    ):
                        lived = self.lexicon.spent("lived", things.type) if self.done(after) else None
                        yield from ((things, lived),) if lived is not None else ()

    def _spent_of(self) -> Iterator[tuple[Things, Held]]:
        """ "How much does Ann earn", "what the book costs", "how many people live in Rome"."""
        for begin, _ in self.said(0, _PEOPLE_OF):
            for end, things in self.things(begin):
                held = self.lexicon.spent("population", things.type)
                if (
                    held is not None
                    and root("population") in map(root, spoken(held.name).split())
                    and self.idle(end)
                ):
                    yield things, held
        for begin, asked in self.said(0, ("how much", "what", "how much money", *_HOW_MANY, "how long")):
            for middle, straight in ((begin + 1, self.word(begin) in DO), (begin, False)):
                for end, things in self.things(middle) if straight or begin == middle else ():
                    for rate in self._rated(end, things.type) if straight else ():
                        yield things, rate
                    if self.done(end + 1) and (straight or self.word(end).endswith("s")):
                        held = self.lexicon.spent(self.word(end), things.type)
                        unit = (
                            asked.split()[-1] in ("long", held.part)
                            if held is not None and held.of
                            else False
                        )
                        if held is not None and (unit if held.of else self.word(1) not in ("many", "long")):
                            yield things, held

    def _stock_of(self) -> Iterator[tuple[Things, Held]]:
        """ "How many top hats have we got left": of the one thing that is called so the number that is in stock."""
        for begin, _ in self.said(0, ("how many", "how much")):
            for end, things in self.things(begin, plain=True):
                for middle, _ in self.said(end, _WE_HAVE) if things.one else ():
                    stock = [
                        h
                        for h in self.lexicon.held(things.type)
                        if self._is_amount(h) and roots_of(h) & STOCK
                    ]
                    if len(stock) == 1 and any(map(self.done, self.perhaps(middle, _IN_STOCK))):
                        yield things, stock[0]

    def _there_since(self) -> Iterator[tuple[Things, Held]]:
        """ "Since when has Ann worked here", "been with us": since the date on which she came."""
        for begin, _ in self.said(0, ("since when has", "since when have")):
            for end, things in self.things(begin, plain=True):
                came = self.lexicon.came_on(things.type)
                for last, said in self.said(end, _THERE) if came is not None else ():
                    employed = "work" in said or "employ" in said
                    # Who is a "customer since" 2017 does not work here.
                    other = came is not None and any(map(means_somebody, spoken(came.name).split()))
                    if self.done(last) and came is not None and not (employed and other):
                        yield things, came

    def _rated(self, at: int, node_type: str) -> Iterator[Held]:
        """What a verb and "per hour", "a day" at the end ask for: the one money of a type that is told for each, by its name."""
        verb = self.word(at)
        for begin, _ in self.said(at + 1, ("per", "a", "an", "each", "every", "by the")):
            period = self.word(begin)
            if (
                not self.done(begin + 1)
                or period not in PERIODICAL
                or verb not in ("earn", "make", "cost", "charge")
            ):
                continue
            told = {period, *PERIODICAL[period]}
            paid = [
                h
                for h in self.lexicon.held(node_type)
                if self._is_amount(h) and told & set(spoken(h.name).split())
            ]
            if len(paid) == 1 and not _PAID.isdisjoint(spoken(paid[0].name).split()):
                yield paid[0]

    def _held_by(self) -> Iterator[tuple[Things, Held]]:
        """ "How many people does the hall hold", "how many fit into it": what it has room for."""
        for begin, _ in self.said(0, _HOW_MANY_HELD):
            for middle, _ in self.said(begin, (*DO, "can")):
                for end, things in self.things(middle, plain=True):
                    if self.done(end + 1):
                        yield from ((things, h) for h in self._room(self.word(end), things.type))
            for start in self.perhaps(begin, ("can",)):
                for after, said in self.said(start, ("fit in", "fit into", "fit inside", "sit in")):
                    for end, things in self.things(after, plain=True):
                        if self.done(end):
                            yield from ((things, h) for h in self._room(said.split()[0], things.type))

    def _room(self, verb: str, node_type: str) -> list[Held]:
        """The one number of a type that says how many fit in: no volume, nor how long people take."""
        if verb not in _ROOM:
            return []
        held = [h for h in self.lexicon.held(node_type) if self._is_amount(h)]
        found = [h for h in held if "fit" in verbs_of_property(spoken(h.name)) and not units_of(h.name)]
        return found if len(found) == 1 else []

    def _date_of(self) -> Iterator[tuple[Things, Held]]:
        """ "When was Ann hired", "in which year the book was published", "when was the last visit of Ann"."""
        for begin, _ in self.said(0, ("when was", "when is", "when were", "on which date was", "when did")):
            for end, things in self.things(begin):
                for best in things.items if self.idle(end) else ():
                    by = (
                        self.lexicon.shape.properties.get(best.measure.held)
                        if isinstance(best, Best)
                        else None
                    )
                    if by is not None and by.kind == "date":
                        yield things, by
        for begin, asked in self.said(
            0, ("when", "in which year", "in what year", "what year", "since when")
        ):
            for middle, straight in ((begin + 1, self.word(begin) in (*BE, *DO)), (begin, False)):
                for end, things in self.things(middle):
                    verb = end if straight else end + 1
                    phrasal = _CAME_ABOUT.get(f"{self.word(verb)} {self.word(verb + 1)}")
                    if phrasal and straight and self.done(verb + 2):
                        happened = self.lexicon.happened(phrasal, things.type)
                        if happened is not None:
                            yield things, self._year_of(happened) if asked.endswith("year") else happened
                    if self.done(verb + 1) and (straight or self.word(end) in BE):
                        held = self.lexicon.happened(self.word(verb), things.type)
                        daily = self.word(begin) in ("do", "does")  # no year answers when a shop opens
                        if held is not None and not (daily and held.kind == "number"):
                            yield things, self._year_of(held) if asked.endswith("year") else held

    def _year_of(self, date: Held) -> Held:
        """The year of a date, where it has more than that."""
        return next((h for h in self.lexicon.shape.derived if h.part == "year" and h.of == (date,)), date)

    def _place_of(self) -> Iterator[Asked]:
        """ "Where does Ann live", "where Ann works": the property, or the neighbour, that is the place of that."""
        for begin, _ in self.said(0, ("where is", "where are")):
            for end, things in self.things(begin, plain=True):
                steps = [
                    s
                    for s in self.lexicon.steps(things.type)
                    if s.out
                    and (
                        self.lexicon.says_where(s.link, PLACES)
                        or self.lexicon.undergone(s.link) in KEPT
                        or self._lies_in(s)
                    )
                ]
                told = any(map(self.done, self.perhaps(end, (*KEPT, "situated", "found"))))
                if things.one and told and len(steps) == 1:
                    yield self._at_end(steps[0], things)
        for begin, asked in self.said(0, _WHERE):
            for end, things in self.things(begin, plain=True):
                one = self._single(things)
                for step in self.lexicon.steps(things.type) if self.done(end + 1) and one else ():
                    does = asked.split()[-1] in DO
                    there = not does or self.lexicon.said(step.link)[-1] in ("at", "in", "on")  # `farms_at`
                    if step.out and there and self.lexicon.begins(self.word(end), step):
                        yield self._at_end(step, things)
        for begin, asked in self.said(
            0, ("where does", "where do", "where did", "where", "where is", "where are")
        ):
            for end, things in self.things(begin, plain=True):
                verb = STAYING.get(self.word(end), "be")
                last = next(
                    (after for after, _ in self.said(end, ("from", "come from", "comes from"))), end + 1
                )
                if self.word(last - 1) == "from" and (asked[-2:] in BE or asked[-3:] in BE or last > end + 1):
                    verb = "come"
                best = any(isinstance(i, Best) for i in things.items)
                if not (things.one or best) or verb == "be" or not self.done(last):
                    continue
                for held in self.lexicon.held(things.type):
                    if held.kind == "text" and stays(verb, spoken(held.name).split()):
                        yield from self.compiler.value(things, held)
                for step in self.lexicon.steps(things.type):
                    if self.lexicon.is_noun_of(step) and stays(
                        verb, (*self.lexicon.said(step.link), *spoken(step.target).split())
                    ):
                        yield self._at_end(step, things)

    def _lies_in(self, step: Step) -> bool:
        """Whether a step leads from places to the one place that each is in: `country` of a city."""
        named = (*self.lexicon.said(step.link), *spoken(step.target).split())
        inside = self.lexicon.is_noun_of(step) and stays("live", named) and self.lexicon.to_one(step)
        return inside and not (AT_HOME | AT_WORK | PLACES).isdisjoint(map(root, spoken(step.source).split()))

    def _at_end(self, step: Step, things: Things) -> Asked:
        """The nodes that a relation leads to."""
        back = replace(step, out=not step.out)
        return self.compiler.columns(Things(step.target, (Hop(back.action, things.items),)), Column("NODE"))

    def aggregated(self) -> Iterator[Asked]:
        """ "The average price of novels", "what is the highest salary in Marketing"."""
        yield from self.aggregates_of()
        for begin, _ in self.said(0, _PEOPLE_OF):  # "how many people live in Graz district"
            for owner in self.lexicon.shape.types:
                held = self.lexicon.spent("population", owner)
                if held is not None and root("population") in map(root, spoken(held.name).split()):
                    for end, things in self.modified(begin - 1, Things(owner, many=True)):
                        if self.idle(end) and all(isinstance(i, Test) for i in things.items):
                            yield self._aggregate(things, "SUM", held)
        for begin, order in self.said(0, tuple(_ADDING)):
            for owner in self.lexicon.shape.types:
                for middle, held in self.lexicon.noun(self.roots, begin, owner):
                    for after, _ in (
                        self.said(middle, ("of", "of all", "for")) if held.kind == "number" else ()
                    ):
                        for end, things in self.things(after):
                            if self.done(end) and things.type == owner and not things.one:
                                yield self._aggregate(things, _ADDING[order], held)
        for begin, _ in self.said(0, tuple(f"how much {do}" for do in DO)):
            for end, things in self.things(begin):
                spent = self.lexicon.spent(self.word(end), things.type) if end < self.end else None
                for last, _ in self.said(end + 1, ("on average",)):
                    if spent is not None and self.done(last) and not things.one:
                        yield self._aggregate(things, "AVG", spent)
