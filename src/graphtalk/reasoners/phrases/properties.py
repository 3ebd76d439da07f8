"""Which property a noun, a measure, an adjective or a date means."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import takewhile

import numpy as np

from graphtalk.core.abbreviations import written_as
from graphtalk.language.dictionary import verb_done, verb_of
from graphtalk.language.english import stem, thesaurus
from graphtalk.language.measures import adjectives, base_of
from graphtalk.language.nouns import singular
from graphtalk.language.people import is_person
from graphtalk.language.relating import is_participle
from graphtalk.language.synonyms import verbs_of_property
from graphtalk.language.units import measures, same_unit, units, units_of, without_unit
from graphtalk.language.wordpiece import word_rank
from graphtalk.reasoners.around.names import deeds, root
from graphtalk.reasoners.phrases.relations import FILLING, SIDES, Relations
from graphtalk.reasoners.phrases.schema_words import (
    DATED,
    DONE,
    VAGUE,
    YEARS,
    deeds_of,
    is_date,
    meanings,
    roots_of,
)
from graphtalk.reasoners.reader.shape import Held, spoken
from graphtalk.search.embedder import load_embedder

STOCK = frozenset(map(root, ("stock", "inventory")))
_LEAST = frozenset((root("min"),))  # beside a `max` it is no minute
_DONE_AS = frozenset(map(root, "place make submit take do".split()))
_CAME = frozenset(map(root, "join start hire begin employ since".split()))
_DERIVED = 6  # letters that a verb and its noun begin with
NEAR, CLEAR = 0.45, 0.15  # how near a word must be to a property, and by how much nearer than to the next
_ORDERED = ("number", "date")
MOST_KNOWN = 10_000  # words with their properties that are kept
MOST_NAMING = 40  # words that are looked at for a property's name


def says_came(held: Held) -> bool:
    """Whether a property is a date on which somebody joined or began: `hired_on`, `start_date`, `member_since`."""
    meant = {"hire", "begin"} & set(meanings(spoken(held.name).split()))
    return is_date(held) and bool(meant or roots_of(held) & _CAME)


class Properties(Relations):
    """The properties of one schema."""

    def noun(self, roots: Sequence[str], at: int, owner: str) -> list[tuple[int, Held]]:
        """The property that words name, by its own words, else by a synonym."""
        rest = tuple(
            roots[at : at + MOST_NAMING]
        )  # asked again and again while the parts of one question are told apart
        found = self._known.get((rest, owner))
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[rest, owner] = self._noun(rest, 0, owner)
        return [(end + at, held) for end, held in found]

    @cached_property
    def _known(self) -> dict[tuple[tuple[str, ...], str], list[tuple[int, Held]]]:
        return {}

    def _noun(self, roots: Sequence[str], at: int, owner: str) -> list[tuple[int, Held]]:
        if at >= len(roots):
            return []
        if inverted := self._inverted(roots, at, owner):
            return inverted
        begun = self._nouns.get(owner, {}).get(roots[at], ())
        found = [
            (at + len(words), held) for words, held in begun if tuple(roots[at : at + len(words)]) == words
        ]
        found += self._measured_noun(roots, at, owner)
        found += [
            (end + 1, h) for end, h in found if h.kind == "text" and _called_further(h, roots[end : end + 1])
        ]
        longest = max((end for end, _ in found), default=0)
        if found:
            named = list(dict.fromkeys((end, held) for end, held in found if end == longest))
            return self._head(roots, longest, owner, named) or named
        if marked := self._marked(roots, at, owner):
            return marked
        if self._by_head(roots[at], owner):
            return [(at + 1, held) for held in self._by_head(roots[at], owner)]
        lines = meanings([roots[at]]) - VAGUE
        if not lines or self.types(roots, at) or roots[at] in _ADJECTIVES:  # "the largest of them" is no size
            return []
        if any(roots[at] == root(spoken(step.link.name)) for step in self.steps(owner)):
            return []  # a relation is called so
        alike = [
            h
            for h in self.held(owner)
            if h.kind != "boolean"  # nobody works full years
            and lines
            & set(meanings(_called(h)[-1][-1:])) - VAGUE - (_NO_NUMBER if h.kind == "number" else set())
        ]
        halves = [h for h in self.held(owner) if roots[at] in roots_of(h)]  # "votes", of average and number
        return [(at + 1, h) for h in alike] if len(alike) == 1 and len(halves) < 2 else []

    def named_so(self, roots: Sequence[str], at: int, owner: str) -> list[tuple[int, Held]]:
        """The properties whose whole names begin at a word, each with where it ends."""
        begun = self._nouns.get(owner, {}).get(roots[at], ()) if at < len(roots) else ()
        return [
            (at + len(ws), h) for ws, h in begun if tuple(roots[at : at + len(ws)]) == ws == _called(h)[0]
        ]

    def alike(self, held: Held, owner: str) -> Held | None:
        """The property of a type, or of another, that is called the same."""
        own = (*self.held(owner), *(h for h in self.shape.derived if h.owner == owner))
        return next((h for h in own if (h.name, h.part) == (held.name, held.part)), None)

    def marks(self, held: Held) -> bool:
        """Whether nodes are listed by a property: a text that is called a number, an id, a name or a title of something."""
        told = held.kind == "text" or held.naming
        return told and not held.edge and (held.naming or bool(roots_of(held) & _MARKS))

    def marked_types(self, roots: Sequence[str], at: int) -> list[str]:
        """Types that are listed by what a noun says, where nothing else is called so: dockets have a `case_name`."""
        if at >= len(roots) or self.types(roots, at):
            return []
        return [t for t in self.shape.types if any(e == at + 1 for e, _ in self._marked(roots, at, t))]

    def _marked(self, roots: Sequence[str], at: int, owner: str) -> list[tuple[int, Held]]:
        """The property that is a number or name by what it is of: `pacer_case_id` is the "PACER number", `case_name` the "case"."""
        for size in (3, 2, 1):
            said = roots[at : at + size]
            mark = [w for w in said if w in _MARKS]
            own = set(said) - _MARKS
            found = [
                h
                for h in self.held(owner)
                if (h.kind == "text" or h.naming)
                and not (mark and set(mark) <= _NUMBERING and not roots_of(h) & _NUMBERING)  # a name is no id
                and own
                and own < roots_of(h)
                and roots_of(h) & _MARKS
                and (bool(mark) == (size > 1) or own == roots_of(h) - _MARKS)
            ]
            found = [h for h in found if own == roots_of(h) - _MARKS] or found  # a "case" is no "PACER case"
            if (
                len(found) == 1
                and len(said) == size
                and said[0] not in _MARKS
                and said[0] not in _VAGUE_MARKS
            ):
                return [(at + size, found[0])]
        return []

    def _inverted(self, roots: Sequence[str], at: int, owner: str) -> list[tuple[int, Held]]:
        """The property that "the code of the language" names: `language_code`."""
        own = self._nouns.get(owner, {})
        for size in (3, 2):
            if tuple(roots[at + 1 : at + size]) == ("of", "the")[: size - 1] and at + size < len(roots):
                words = (roots[at + size], roots[at])
                return [(at + size + 1, held) for told, held in own.get(words[0], ()) if told == words]
        return []

    def _head(
        self, roots: Sequence[str], at: int, owner: str, named: Sequence[tuple[int, Held]]
    ) -> list[tuple[int, Held]]:
        """The property that is the last noun of a compound: of "population density" it is `density`; "votes released" is none."""
        flags = (held.kind == "boolean" or spoken(held.name).split()[0] in ("is", "has") for _, held in named)
        if at >= len(roots) or any(held.naming for _, held in named) or any(flags):
            return []
        return [
            (at + len(words), held)
            for words, held in self._nouns.get(owner, {}).get(roots[at], ())
            if tuple(roots[at : at + len(words)]) == words and not held.naming
            if not is_participle(held.name)
        ]

    def _measured_noun(self, roots: Sequence[str], at: int, owner: str) -> list[tuple[int, Held]]:
        """A property with words that only say that it is measured: "follower count", "number of votes", "creation date"."""
        counted = next((len(p) for p in _COUNTED if tuple(roots[at : at + len(p)]) == p), 0)
        start = at + counted
        for size in (4, 3, 2, 1):
            said = roots[start : start + size]
            if len(said) < size or not said or said[0] in _UNITS_OF or (size > 1 and said[-1] in _FILLED):
                continue
            found = [
                h
                for h in self.held(owner)
                if (h.kind == "number" or not counted) and _same_measure(said, h, set(_called(h)[-1]))
            ]
            kinds = {h.kind for h in found}
            halves = [h for h in self.held(owner) if set(said) < roots_of(h) and h.kind in kinds]
            if len(found) == 1 and all(
                h == found[0] for h in halves
            ):  # "votes" of votes for and votes against
                return [(start + size, found[0])]
        return []

    def _by_head(self, noun: str, owner: str) -> list[Held]:
        """The one number that a noun is the head of, when no other has it in its name: `hourly_wage` of "wage"."""
        having = [h for h in self.held(owner) if noun in roots_of(h)]
        found = [
            h
            for h in having
            if h.kind == "number" and _called(h)[-1][-1] == noun and not _OTHERWISE & roots_of(h)
        ]
        plain = noun not in _UNITS_OF | DATED and not self.types([noun], 0)
        return found if len(found) == len(having) == 1 and plain else []

    def ids(self, at: int, roots: Sequence[str], node_type: str) -> list[tuple[int, Held]]:
        """The id of nodes, where a word asks for it, and they have names of their own beside."""
        asked = at < len(roots) and roots[at] in (root("id"), root("ids"))
        return [(at + 1, h) for h in self.shape.derived if asked and h.part == "id" and h.owner == node_type]

    def names_doer(self, verb: str, held: Held) -> bool:
        """Whether a property says who did what a verb says: `author` of "authored by", "written by"."""
        words = spoken(held.name).split()
        alike = (set(meanings([verb])) & set(meanings(words))) - VAGUE - {"who"}
        return held.kind == "text" and (root(verb) in map(root, words) or bool(alike))

    def flag(self, roots: Sequence[str], at: int, held: Held) -> list[int]:
        """Where words end that say yes to a property of yes and no: its own, without "is" and "has"."""
        whole = _called(held)[0]
        short = tuple(w for w in _called(held)[-1] if w not in _FILLED)
        return [
            at + len(w)
            for w in {whole, short}
            if w and set(w) - _FILLED and tuple(roots[at : at + len(w)]) == w
        ]

    def done_so(self, verb: str, held: Held) -> bool:
        """Whether a text is called by the noun of what a verb says: `citation_string` of "cited", `category` of "categorised"."""
        bare = next((verb.removesuffix(e) for e in ("ised", "ized") if verb.endswith(e)), "")
        words = spoken(held.name).split()
        said = any(root(verb) in deeds(w) or (len(bare) > 3 and w.startswith(bare)) for w in words)
        return said and held.kind in ("text", "list") and not held.naming

    def denied_flag(self, word: str, held: Held) -> bool:
        """Whether a word denies a property of yes and no by its prefix: "inactive", "unrestored"."""
        words = [w for w in _called(held)[-1] if w not in _FILLED]
        return len(words) == 1 and any(
            word.startswith(prefix) and root(word.removeprefix(prefix)) == words[0]
            for prefix in ("un", "in", "non")
        )

    @cached_property
    def _nouns(self) -> dict[str, dict[str, list[tuple[tuple[str, ...], Held]]]]:
        """What properties are called, by owner and first root."""
        found: dict[str, dict[str, list[tuple[tuple[str, ...], Held]]]] = {}
        for held in self.shape.held:
            called = _called(held)
            turned = [words[::-1] for words in called[:1] if len(words) == 2 and words[0] in DATED]
            for words in (*called, *turned):  # an "arriving date" is the `date_arrived`
                if words:
                    found.setdefault(held.owner, {}).setdefault(words[0], []).append((words, held))
        return found

    def near(self, word: str, among: Sequence[Held], kinds: Sequence[str] = ()) -> list[Held]:
        """The one property that a word is much nearer to than to the others."""
        fit = [h for h in among if (not kinds or h.kind in kinds) and not _denies(word, h)]
        at = nearest(word, tuple([spoken(h.name) for h in fit]))
        return [] if at is None else [fit[at]]

    def measures_of(self, word: str) -> set[str]:
        """The roots of what an adjective measures: "height" of "tallest"."""
        base = base_of(word)
        features = adjectives()[base].features if base in adjectives() else ()
        return {
            root(w) for name, _ in (*features, *_FURTHER.get(base, ())) for w in (name, *written_as(name))
        }

    def measured(self, word: str, owner: str) -> list[tuple[Held, bool]]:
        """What an adjective measures ("old", "taller", "cheapest"), each with whether more of it is a higher number.

        What is long may last long or lead far; of other adjectives the first measure that there is counts.
        """
        base, found = base_of(word), list[tuple[Held, bool]]()
        features = adjectives()[base].features if base in adjectives() else ()
        bare = base.removesuffix("est").removesuffix("er").removesuffix("i").removesuffix("y")
        nouns = ((f"{bare}ness", True), (f"{bare}iness", True))  # "thickness" of "thick"
        for name, high in (*features, *_FURTHER.get(base, ()), *nouns):
            if name == "date" and base in ("old", "young"):  # of hiring, of death: it says nothing of an age
                continue
            timed = base in _IN_TIME or base in _OF_DATES  # no `day` is long
            words = set(map(root, (name, *written_as(name))))
            fit = [h for h in self.held(owner) if h.kind in _ORDERED and words & roots_of(h)]
            fit = [h for h in fit if timed or h.kind != "date"]
            if name == "rating":  # whose root is that of a rate
                fit = [h for h in fit if {"rating", "ratings"} & set(spoken(h.name).split())]
            found += [(h, high) for h in fit if (h, high) not in found]
            if found and base not in _FURTHER:
                break
        if not found and base in ("long", "short"):
            found = [(h, base == "long") for h in self.durations if h.owner == owner and h.part != "years"]
        deed = owner not in self.shape.types or self.is_event(owner)
        deed |= any(roots_of(h) & _WHOLES for h in self.held(owner) if h.kind == "number")
        amount = self.amount(owner) if not found and base in _SIZES and deed else None
        if amount is not None and (owner not in self.shape.types or roots_of(amount) & _SUMS):
            return [(amount, _SIZES[base])]  # the largest transfer
        happened = [h for h in self.held(owner) if is_date(h) and not roots_of(h) & _LIVES]
        if base in _IN_TIME and happened and all(is_date(h) for h, _ in found):
            begun = [h.of[0] for h in self.durations if h.owner == owner and set(h.of) == set(happened)]
            if not begun and self.is_event(owner):  # an order is as recent as it was ordered
                begun = self.dates(owner)
            if begun or not found:
                return [(h, _IN_TIME[base]) for h in begun or happened]
        aged = base in ("old", "young") and owner in self.people  # nobody is as old as a contract
        date = self.made(owner) if base in _OF_DATES and not found and not aged else None
        if date is not None:
            return [(date, _OF_DATES[base])]
        return found if len(found) == 1 or base in _FURTHER else []

    def amount(self, owner: str) -> Held | None:
        """The one property that says how much something comes to: `amount`, `total_price`."""
        numbers = [h for h in self.held(owner) if h.kind == "number" and not is_date(h)]
        found = [h for h in numbers if roots_of(h) & _AMOUNTS]
        return found[0] if len(found) == 1 else None

    def comes_to(self, owner: str) -> Held | None:
        """The number that "above 500" says of nodes where nothing else is said: what they come to, or the only number that they have."""
        numbers = [h for h in self.held(owner) if h.kind == "number" and not is_date(h)]
        held = self.amount(owner)
        return held if held is not None and (len(numbers) == 1 or roots_of(held) & _SUMS) else None

    def spent(self, word: str, owner: str) -> Held | None:
        """The number that a verb asks for: what "earn", "cost", "weigh" and "last" do."""
        if root(word) in _UNITS_OF or (word in ("pay", "pays") and owner in self.people):
            return None  # whom a job pays; what people pay is not what they earn
        numbers = [h for h in self.held(owner) if h.kind == "number" and not _denies(word, h)]
        own = [h for h in numbers if root(word) in roots_of(h)]
        if root(word) in _LASTS and not own:
            times = [h for h in self.durations if h.owner == owner and h.part != "years"]
            own = times or self.of_dimension("time", owner)
        if root(word) == root("live"):
            own = [h for h in self.durations if h.owner == owner and h.part == "years"]
        if root(word) == root("earn") and not own:
            own = [h for h in self.held(owner) if h.kind == "number" and not roots_of(h).isdisjoint(_EARNED)]
        if root(word) in _PRICED and not own:  # a trial that pays £600 has a `prize_gbp`
            own = [h for h in self.of_dimension("money", owner) if not roots_of(h) & _OTHERWISE]
        lines = set(meanings([word])) - VAGUE
        alike = own or [h for h in numbers if lines & set(meanings(spoken(h.name).split()))]
        alike = alike or [h for h in numbers if _base(word) in verbs_of_property(spoken(h.name))]
        meant = alike if alike else self.near(word, self.held(owner), ("number",))
        return meant[0] if len(meant) == 1 else None

    def happened(self, word: str, owner: str) -> Held | None:
        """The date that a verb asks for: that of its own word, else of an event the only date or year there is."""
        dates = [h for h in self.held(owner) if is_date(h) and not _denies(word, h)]
        lines = set(meanings([word])) - VAGUE
        own = [h for h in dates if root(word) in roots_of(h)]
        own = own or [h for h in dates if root(word) in self.date_roots(h)]
        own = own or [h for h in dates if lines & set(meanings(spoken(h.name).split())) - VAGUE]
        own = own or [h for h in dates if _base(word) in verbs_of_property(spoken(h.name))]
        if not own and root(word) in _DONE_AS and self.is_event(owner):
            return next(iter(self.dates(owner)), None)  # orders are placed when they are ordered
        came = self.came_on(owner) if not own and root(word) in _CAME else None
        own = own or ([came] if came is not None else [])
        if own:
            return own[0] if len(own) == 1 else None
        plain = [h for h in dates if roots_of(h) <= DATED]
        said = "event" in meanings([word]) or root(word) in _BUILT
        return plain[0] if len(dates) == len(plain) == 1 and said else None

    def made(self, owner: str) -> Held | None:
        """The only date of a type, where it says when things came to be."""
        dates = self.dates(owner)
        if not dates or roots_of(dates[0]) & _LIVES:
            return None
        began = (
            self.is_event(owner)
            or bool(roots_of(dates[0]) & YEARS)
            or self.happened("published", owner) == dates[0]
        )
        return dates[0] if began else None

    def calls(self, roots: Sequence[str], held: Held) -> bool:
        """Whether words are what a property is called, and no synonym."""
        return tuple(roots) in _called(held)

    def joined_on(self, owner: str) -> Held | None:
        """The one date on which people came who are still there: `hired_on`, `joined`, `member_since`; none where some have left."""
        dates = [h for h in self.held(owner) if is_date(h)]
        came = [
            h
            for h in dates
            if {"hire", "event"} & set(meanings(spoken(h.name).split())) or "since" in spoken(h.name).split()
        ]
        return came[0] if len(came) == len(dates) == 1 and owner in self.people else None

    def came_on(self, owner: str) -> Held | None:
        """The one date on which people joined, however that is called, and whether or not some have left: `started_on`, `hire_date`."""
        came = [h for h in self.held(owner) if says_came(h)]
        return came[0] if len(came) == 1 and owner in self.people else None

    def parts(self, date: Held, part: str) -> list[Held]:
        """A part of a date ("month") as a property; of a year only itself."""
        if date.kind == "number":
            return [date] if part == "year" else []
        return [h for h in self.shape.derived if h.of == (date,) and h.part == part]

    @property
    def durations(self) -> list[Held]:
        """The days or the minutes from one date to another, the years of lives."""
        return [h for h in self.shape.derived if h.part in ("days", "minutes", "years")]

    def spans(self, first: str, last: str) -> Iterator[Held]:
        """The days from what one word says was done to what another does, in each type that has one date for each: `requested_on` to
        `finished_on` for "request" and "finish".
        """
        for owner in self.shape.types:
            ends = [self._dates_said(word, owner) for word in (first, last)]
            if all(len(dates) == 1 for dates in ends) and ends[0] != ends[1]:
                yield from (
                    h for h in self.shape.derived if h.part == "span" and h.of == (ends[0][0], ends[1][0])
                )

    def _dates_said(self, word: str, owner: str) -> list[Held]:
        done = {root(word), *deeds(word)} - {""}
        return [
            h
            for h in self.held(owner)
            if h.kind == "date" and not h.of and not done.isdisjoint(self.date_roots(h))
        ]

    def comes_in_order(self, owner: str) -> bool:
        """Whether the first so many nodes of a type are the earliest: what begins and ends, or is an event by its noun, at a date."""
        lasts = any(h.owner == owner and h.part != "years" for h in self.durations)
        happens = lasts or singular(spoken(owner).rpartition(" ")[2]) in DONE
        return happens and bool(self.measured("first", owner))

    def whole_years(self, held: Held) -> Held:
        """A property as it is told of one: who died at 64.8 died at 64."""
        ages = [h for h in self.shape.derived if h.part == "age" and h.owner == held.owner]
        return ages[0] if held.part == "years" and ages else held

    def of_dimension(self, dimension: str, owner: str) -> list[Held]:
        """The numbers of an owner whose unit is of a dimension: `turnaround_hours` of time, `price_eur` of money; no age.

        Its own, where it has some, and not those of what it stands for.
        """
        aged = dimension in ("time", "months") and owner in self.people
        own = [h for h in (*self.held(owner), *self.durations) if h.owner == owner and h.kind == "number"]
        found = [h for h in own if not aged and any(u.dimension == dimension for u in units_of(h.name))]
        return [h for h in found if h.via is None] or found

    def says_noun(self, verb: str, held: Held) -> bool:
        """Whether a verb says no more of a number or a date than its noun: who "scored" goals has goals."""
        words = spoken(held.name).split()
        deeds = {deed for w in words for deed in deeds_of(singular(w))}
        roots = self.date_roots(held) if is_date(held) else deeds.union(map(root, words))
        return bool(verb) and (
            root(verb) in roots or bool(set(meanings([verb])) & set(meanings(words)) - VAGUE)
        )

    def derives(self, verb: str, held: Held) -> bool:
        """Whether the noun of a text comes from a verb, by the letters that they begin with: `specialty` of "specialises". Who is
        called by what they do (`operator`) is joined by it the other way.
        """
        noun = spoken(held.name).rpartition(" ")[2]
        if held.kind not in ("text", "list") or held.naming or is_person(noun):
            return False
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(verb, noun, strict=False)))
        return alike >= _DERIVED and 4 * alike >= 3 * len(stem(noun))

    def sides(self, owner: str, side: str) -> list[Held]:
        """The texts of an owner that say where something comes from, or goes to: `origin`, `destination`."""
        return [
            h for h in self.held(owner) if h.kind == "text" and not h.naming and roots_of(h) & SIDES[side]
        ]


@lru_cache(maxsize=8192)
def _called(held: Held) -> tuple[tuple[str, ...], ...]:
    """The roots of a property's name, of it without the words of its owner, and without its unit: `price_eur` is a price."""
    words = [root(w) for w in spoken(held.name).split()]
    own = {root(w) for w in spoken(held.owner).split()}
    shorter = [w for w in words if w not in own] or words
    named = _INITIAL.fullmatch(held.name)
    if named is not None:
        words = [_INITIALS[named[1].lower()], root("name")]
        shorter = words
    if held.kind == "number" and len(words) == 1 and words[0] not in _LEAST and units(held.name):
        # `hp` is told as horsepower too
        return tuple(dict.fromkeys(((words[0],), *((root(w),) for w in same_unit(held.name)))))
    bare = [root(w) for w in without_unit(held.name)] if held.kind == "number" else []
    unitless = [w for w in bare if w not in own] or bare or shorter
    plain = words[:1] if held.kind == "number" and words[0] in STOCK else words  # a `stock_qty` is a stock
    return tuple(dict.fromkeys([tuple(words), tuple(shorter), tuple(unitless), tuple(plain)]))


def _called_further(held: Held, noun: Sequence[str]) -> bool:
    """Whether a noun after a property's says no more than it: an `email` is an "email address", a `phone` a "phone number"."""
    return any(spoken(held.name).rpartition(" ")[2] in told for told in (_TOLD_AS.get(w, ()) for w in noun))


def _base(verb: str) -> str:
    """A verb as the dictionary has it: of "earns" and "earned" "earn"."""
    return verb_done(verb) or verb_of(verb) or verb


def _denies(word: str, held: Held) -> bool:
    """Whether a word says the opposite of what a property is called: "closed" of `opened`."""
    return thesaurus().contrary(word, spoken(held.name).split())


@lru_cache(maxsize=8192)
def nearest(word: str, names: tuple[str, ...], least: float = NEAR) -> int | None:
    """Which of some names a word is clearly nearest to; None where it is near to none, or to several alike."""
    if not names:
        return None
    forms = [
        w for w in dict.fromkeys((word, word.removesuffix("s"), root(word))) if word_rank(w) < word_rank("\0")
    ]
    vectors = load_embedder("static").embed([*(forms or [word]), *names])
    near = (vectors[len(forms or [word]) :] @ vectors[: len(forms or [word])].T).max(1)
    order = np.argsort(-near)
    clear = len(order) == 1 or near[order[0]] - near[order[1]] >= CLEAR
    return int(order[0]) if near[order[0]] >= least and clear else None


def _same_measure(said: Sequence[str], held: Held, named: set[str]) -> bool:
    """Whether words name a property but for words of measuring, what its unit measures, and for what its name says of all of it ("total")."""
    dated = DATED - _OF_DAY if held.kind == "number" else DATED
    idle = _UNITS_OF | (dated if is_date(held) else frozenset())
    in_units = frozenset(map(root, measures(units_of(held.name)))) - named
    words = {base for w in said if w not in idle | in_units for base in _deeds(w)}
    own = {w for w in named if w not in idle | _FILLED}
    own = {base for w in own for base in _deeds(w)}
    if not words or not own or not words <= own:
        return False
    return words == own or (held.kind == "number" and own - words <= _WHOLE)


def _deeds(word: str) -> set[str]:
    """A root, and that of the deed of a noun in -ion: of "creation" that of "create"."""
    return {root(f"{word.removesuffix('ion')}e")} if word.endswith("ion") and len(word) > 5 else {word}


_FILLED = frozenset(map(root, FILLING))
_OTHERWISE = frozenset(
    map(
        root,
        "max maximum min minimum avg average mean median previous prior old initial target expected planned estimated per".split(),
    )
)  # of a number that is no longer what its noun says
_UNITS_OF = frozenset(map(root, "number count amount score level value nbr num total figure".split())) - {
    root("total")
}
_COUNTED = tuple((root(w), "of") for w in ("number", "count", "amount"))
_WHOLE = frozenset(map(root, "total overall all monthly annual yearly".split()))
_MARKS = frozenset(map(root, "id number no name title code identifier key string address".split()))
_INITIAL = re.compile(r"([flm])[ _]?name", re.I)
_INITIALS = {"f": root("first"), "l": root("last"), "m": root("middle")}
_TOLD_AS = {
    root("address"): ("email", "mail", "web", "website", "url", "ip", "mac"),
    root("number"): ("phone", "telephone", "mobile", "fax", "isbn", "iban", "passport"),
    root("code"): ("zip", "postcode", "postal"),
}  # what a noun says again
_NUMBERING = frozenset(map(root, "id number no code identifier key".split()))
_VAGUE_MARKS = frozenset(
    map(
        root,
        "full first last middle short long nick user display file common other home work street postal mailing billing shipping".split(),
    )
)
_NO_NUMBER = frozenset({"region", "domain", "where"})  # lines of words: an `area_m2` is no district
_LASTS = frozenset(map(root, "take last".split()))
_BUILT = frozenset(map(root, "built made manufactured produced".split()))
_PRICED = frozenset(map(root, "pay charge".split()))
_EARNED = frozenset(map(root, "pay salary wage income earnings stipend".split()))
_IN_TIME = {"late": True, "recent": True, "last": True, "early": False, "first": False}
_FURTHER = {"long": (("distance", True),), "short": (("distance", False),), "far": (("distance", True),)}
_SUMS = frozenset(map(root, "amount sum total payment".split()))
_AMOUNTS = frozenset(map(root, "amount sum value price cost fee total payment".split()))
_WHOLES = frozenset(map(root, "amount total".split()))
_SIZES = {"large": True, "big": True, "great": True, "high": True, "small": False, "low": False}
_LIVES = frozenset(map(root, "birth born death died".split()))
_OF_DATES = {"old": False, "early": False, "young": True, "new": True, "late": True, "recent": True}
_OF_DAY = frozenset(map(root, "time day".split()))  # a year is none
_ADJECTIVES = frozenset(map(root, adjectives()))
