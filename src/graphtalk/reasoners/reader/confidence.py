"""What speaks for and against a reading by itself: what of the question it uses, and what it says that nobody asked."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from graphtalk.language.nouns import plural
from graphtalk.language.operators import Kind, kinds, operator_words
from graphtalk.language.periods import PERIODICAL
from graphtalk.language.units import Unit, measures, units, units_of
from graphtalk.reasoners.reader.linking import COUNTED, Linked
from graphtalk.reasoners.reader.reading import (
    All,
    Best,
    Compared,
    Constant,
    Either,
    Hop,
    Item,
    Measure,
    Not,
    Reading,
    Span,
    Test,
    Value,
)
from graphtalk.reasoners.reader.shape import Shape, Step, spoken
from graphtalk.reasoners.reader.words import stem, stems

FEATURES = (
    "unused values", "unused linked", "unused operators", "unasked operators", "unknown names", "foreign values", "hops",
    "conditions", "unmatched words", "unasked items", "unused names", "unnamed root", "equal texts",
)  # fmt: skip

_WORD = re.compile(r"\w+")
_PLAIN = frozenset(
    """a an the of in on at by for to from with and or is are was were be been being do does did has have had which what who
    whom whose where when how that this these those there their its it i me my we our you your list show find give name names
    tell get all any some can could please identify display provide return first top many much number each per also both""".split()
)


@dataclass(frozen=True)
class _Parts:
    held: tuple[str, ...]
    views: tuple[str, ...]
    spans: tuple[tuple[int, str], ...]  # value and the property that it is compared with
    kinds: frozenset[str]
    conditions: int
    equal: frozenset[int]  # values that a property is to equal
    denials: int  # conditions that are denied
    denied: frozenset[str]  # properties and steps of these
    measured: frozenset[str]  # properties that are told, added up, averaged or compared by size


def parts(reading: Reading) -> _Parts:
    """The pieces of a reading, in any order."""
    seen = _Walker()
    seen.items(reading.items)
    for c in reading.columns:
        if c.held:
            seen.held.append(c.held)
            seen.measured.append(c.held)
        if c.kind != "NODE":
            seen.kinds.add(c.kind.lower())
        seen.items([path for path in (c.path, c.beyond) if path is not None])
    if reading.order is not None:
        seen.item(reading.order)
    seen.value(reading.limit, "")
    if seen.conditions > 1 and "also" not in seen.kinds:
        seen.kinds.add("all")
    if len(reading.columns) > 1 and any(c.kind != "NODE" for c in reading.columns):
        seen.kinds.add("group")
    if reading.asks == "SHARE":
        seen.kinds.add("share")
    if reading.asks == "RETURN" and all(c.kind == "NODE" for c in reading.columns):
        seen.kinds.add("distinct")
    return _Parts(
        tuple(seen.held),
        tuple(seen.views),
        tuple(seen.spans),
        frozenset(seen.kinds),
        seen.conditions,
        frozenset(seen.equal),
        seen.denials,
        frozenset(seen.denied),
        frozenset(seen.measured),
    )


_MOST = re.compile(r"\b(?:most|least|fewest|(?:larg|bigg|great|high|low|small)est|top)\b", re.I)
_RECENT = re.compile(r"\b(?:latest|newest|most recent(?:ly)?)\b", re.I)
_FIRST = re.compile(r"\b(?:first|last|earliest|latest|most recent(?:ly)?)\b", re.I)
_BOTH = re.compile(r"and(?: also)?|&|as well as", re.I)
_AT_LEAST_ONE = re.compile(r"at least (?:one|1)\b", re.I)
_LED = re.compile(r"\s+(?:(?:the|an?)\s+)?[\"'“‘]?", re.I)
_NONE = {("EQ", 0), ("LE", 0), ("LT", 1)}  # a count compared so says that there is none


class _Walker:
    def __init__(self) -> None:
        self.held: list[str] = []
        self.views: list[str] = []
        self.spans: list[tuple[int, str]] = []
        self.kinds: set[str] = set()
        self.conditions = 0
        self.equal: list[int] = []
        self.denials = 0
        self.denied: list[str] = []
        self.measured: list[str] = []

    def items(self, items: Sequence[Item]) -> None:
        for item in items:
            self.item(item)

    def item(self, item: Item) -> None:
        self.conditions += 1
        match item:
            case Test():
                self.held.append(item.held)
                self.kinds.add(item.operator.lower())
                if item.operator in ("NE", "NULL", "NO"):
                    self.denials += max(1, len(item.values))
                    self.denied.append(item.held)
                if len(item.values) > 1:
                    self.kinds.add("also")
                for v in item.values:
                    self.value(v, item.held)
                    if isinstance(v, Span) and item.operator == "EQ":
                        self.equal.append(v.index)
            case Hop():
                self.views.append(item.view)
                self.kinds |= ({"star"} if item.star else set()) | ({"ref"} if item.same else set())
                self.items(item.items)
            case Not():
                self.kinds.add("not")
                self.denials += _alternatives(item.item)
                before = len(self.held), len(self.views)
                self.item(item.item)
                self.denied += [*self.held[before[0] :], *self.views[before[1] :]]
            case Either():
                self.kinds.add("or")
                self.items([item.first, item.second])
            case Compared():
                self.measure(item.measure)
                self.kinds.add(item.operator.lower())
                if isinstance(item.value, Measure):
                    self.measure(item.value)
                else:
                    self.value(item.value, "")
                if isinstance(item.value, Constant) and (item.operator, item.value.number) in _NONE:
                    self.kinds.add("null")
                    self.denials += 1
                    if item.measure.path is not None:
                        self.denied.append(item.measure.path.view)
            case All():
                self.kinds.add("all")
                self.item(item.hop)
            case Best():
                self.kinds.add("best")
                self.measure(item.measure)
                self.value(item.limit, "")

    def measure(self, measure: Measure) -> None:
        if measure.kind != "PROPERTY":
            self.kinds.add(measure.kind.lower())
        if measure.held:
            self.held.append(measure.held)
            self.measured.append(measure.held)
        self.items([path for path in (measure.path, measure.beyond) if path is not None])

    def value(self, value: Value | None, held: str) -> None:
        if isinstance(value, Span):
            self.spans.append((value.index, held))
            if value.than:
                self.kinds.add("than")


def _alternatives(item: Item) -> int:
    """How many conditions are denied where this is."""
    match item:
        case Either():
            return _alternatives(item.first) + _alternatives(item.second)
        case Test():
            return max(1, len(item.values))
    return 1


def first_of_others(question: str, reading: Reading, shape: Shape) -> list[str]:
    """The first or last of what something was done to, taken by a property of its own that nobody named.

    "The first item that X bought" is not the one that was launched first, and the cost of "the most recent inspection" not the highest.
    """
    said = {stem(w) for w in re.findall(r"[a-z]+", question.lower())}
    orders = [
        i.measure.held for i in (*reading.items, reading.order) if isinstance(i, Best) and i.measure.held
    ]
    told = [shape.properties[held] for held in orders]
    if any(
        h.kind == "number" and stems(spoken(h.name)) & said and "year" not in spoken(h.name) for h in told
    ):
        return _RECENT.findall(question)
    if not any(isinstance(i, Hop) for i in reading.items):
        return []
    measures = [i.measure for i in (*reading.items, reading.order) if isinstance(i, Best)]
    own = [m.held for m in measures if m.kind == "PROPERTY" and not m.node]
    unsaid = [held for held in own if not stems(spoken(shape.properties[held].name)) & said]
    return _FIRST.findall(question) if unsaid else []


def most_of_texts(question: str, reading: Reading, shape: Shape) -> list[str]:
    """The "most" and "largest" of a question, taken by a text, which is no more or less: "the most forks" is not the last `forked_from`."""
    best = [i for i in (*reading.items, reading.order) if isinstance(i, Best)]
    texts = [
        b for b in best if b.measure.kind == "PROPERTY" and shape.properties[b.measure.held].kind == "text"
    ]
    return _MOST.findall(question) if texts else []


def amounts_of_others(question: str, reading: Reading, shape: Shape, values: Sequence[Linked]) -> list[str]:
    """The amounts that a reading compares with what another type has, where the question names neither that, nor what it is of, nor the way there.

    "Trips over 500 euros" are not those of boats that cost more.
    """
    p = parts(reading)
    said = {stem(w) for w in _WORD.findall(_without(question, values).lower())}
    if any(_words_of(view, shape) & said for view in p.views):
        return []
    others = [(values[i], shape.properties[held]) for i, held in p.spans if held]
    return [
        v.text
        for v, held in others
        if v.kind == "number"
        and not held.edge
        and held.owner != reading.type
        and not stems(f"{spoken(held.name)} {spoken(held.owner)}") & said
    ]


def told_with_ways(question: str, reading: Reading, shape: Shape) -> Iterator[tuple[str, list[Step]]]:
    """The properties that a reading tells, in words, each with the steps to what has it from what that is found by.

    Added up, averaged or the highest of several only where the question says nothing of the kind.
    """
    if reading.order is not None or reading.asks != "RETURN":
        return
    of_several = any(
        w.kind in ("total", "average", "most", "least", "count") for w in operator_words(question)
    )
    hops = [shape.steps[item.view] for item in reading.items if isinstance(item, Hop)]
    for c in reading.columns:
        if c.held and not shape.properties[c.held].naming and (c.kind == "NODE" or not of_several):
            near = [replace(step, out=not step.out) for step in hops]
            yield spoken(shape.properties[c.held].name), [shape.steps[c.path.view]] if c.path else near


def told_of_others(
    question: str, told: str, ways: Sequence[Step], values: Sequence[Linked], several: Callable[[Step], bool]
) -> list[str]:
    """The property of which one is asked for, where it is told of the several that steps lead to, and nothing names these or the way.

    "The population of the Rhine" is not that of the towns on it; "the populations of the towns" are. `several`: as for `either_of_both`.
    """
    said, noun = _WORD.findall(_without(question, values).lower()), told.split()[-1]
    ends = " ".join(f"{spoken(step.link.name)} {spoken(step.target)}" for step in ways)
    one = noun in said and plural(noun) not in said
    unsaid = stems(ends).isdisjoint(map(stem, said)) and any(map(several, ways))
    return [told] if one and unsaid else []


def either_of_both(
    question: str, reading: Reading, shape: Shape, values: Sequence[Linked], several: Callable[[Step], bool]
) -> list[str]:
    """The "and" between two values of which a reading takes either, though a node may have both: what has the genres sea and war.

    `several`: whether a step leads a node to more than one.
    """

    def joined(items: Sequence[Item], many: bool) -> Iterator[tuple[Linked, Linked]]:
        for item in items:
            match item:
                case Hop():
                    yield from joined(item.items, several(shape.steps[item.view]))
                case Test(held, "EQ", told) if many or shape.properties[held].kind == "list":
                    yield from pairwise(
                        sorted((values[v.index] for v in told if isinstance(v, Span)), key=lambda v: v.start)
                    )

    pairs = joined(reading.items, False)
    return [
        both[0] for a, b in pairs if (both := _BOTH.fullmatch(question[a.end : b.start].strip("\"'”“’‘ ")))
    ]


def used_values(reading: Reading) -> frozenset[int]:
    """Which of the question's values a reading compares something with."""
    return frozenset(i for i, _ in parts(reading).spans)


def named_values(reading: Reading, shape: Shape) -> list[tuple[int, str]]:
    """The values that are names of the nodes that a reading looks for, each with the property that holds those names."""
    p = parts(reading)
    return [(i, held) for i, held in p.spans if i in p.equal and held and shape.properties[held].naming]


def unknown_names(reading: Reading, shape: Shape, values: Sequence[Linked]) -> list[str]:
    """Names that the graph does not have, and that the reading nevertheless looks for or, where quoted, passes over."""
    p = parts(reading)
    used = {i for i, _ in p.spans}
    naming = {i for i, _ in named_values(reading, shape)}
    return [
        v.text
        for i, v in enumerate(values)
        if not v.found
        and ((v.kind == "quoted" and i not in used) or (v.kind in ("quoted", "name") and i in naming))
    ]


def means_something(word: str) -> bool:
    """Whether a word is on the closed list, or asks, counts or joins: it is used or lost, and names nothing."""
    lower = word.lower()
    listed = any(kind.parts and kind.pattern.fullmatch(lower) for kind in kinds())
    return listed or lower in _PLAIN or lower in COUNTED or not word.isalpha()


def unused_operators(question: str, reading: Reading, shape: Shape, values: Sequence[Linked]) -> list[str]:
    """The words of the closed list that the reading does not use. Words in values and in the schema's names are no operators.

    Of words inside one another the longest counts: "at least" is no "least", "3 or more" no "or".
    """
    text = _without(question, values)
    p = parts(reading)
    placed = {i for i, held in p.spans if not held}
    named = {w for a in (*p.held, *p.views) for w in _words_of(a, shape)}
    types = {reading.type, *(shape.steps[view].target for view in p.views if view in shape.steps)}
    named |= {stem(w) for w in named} | {stem(w) for t in types for w in spoken(t).lower().split()}
    unused = [v.text for i, v in enumerate(values) if v.ordinal and i not in placed]
    denying = [w.word for w in operator_words(text) if w.kind == "negation"]
    if p.denials:  # "neither red nor white" denies twice
        unused += denying[p.denials :]
    found = [(kind, match) for kind in kinds() if kind.parts for match in kind.pattern.finditer(text)]
    groups = [w for w in operator_words(text) if w.kind == "group"]
    keys = sum(c.kind == "NODE" and bool(c.held) for c in reading.columns)
    if len(groups) > keys > 0 and "group" in p.kinds:  # "per year for each severity"
        unused += [w.word for w in groups[keys:]]
    for kind, match in found:
        start, end = match.span()
        inside = any(m.start() <= start and end <= m.end() and m.span() != (start, end) for _, m in found)
        said = {stem(stem(w)) for w in match.group().lower().split()} <= named  # "ordered", of orders
        if (
            not inside
            and not said
            and not kind.parts & p.kinds
            and not _told(kind, match, question, p, shape, values)
        ):
            unused.append(match.group().lower())
    return unused


def _told(
    kind: Kind, match: re.Match[str], question: str, p: _Parts, shape: Shape, values: Sequence[Linked]
) -> bool:
    """Whether a word of the closed list says no more than a reading's own items: "how many kegs" are what `kegs` says, "at least one
    episode" is an episode, "10 percent" a number, "over 5 euros each" what each costs, "about tennis" leads to the node that is called so.
    """
    start, end = match.span()
    following = [stem(w) for w in _WORD.findall(question, end)[:3]]
    used = {values[i].start: values[i] for i, _ in p.spans}
    match kind.name:
        case "count":
            counted = _units(unit for word in _WORD.findall(question, end)[:1] for unit in units(word))
            return any(
                counted & _units(units_of(shape.properties[held].name))
                or any(w in _words_of(held, shape) for w in following)
                for held in p.measured
            )
        case "group" if following and not p.kinds & {"sum", "count", "cnt"}:
            rates = {following[0], *map(stem, PERIODICAL.get(following[0], ()))}
            owners = {stem(w) for held in p.measured for w in spoken(shape.properties[held].owner).split()}
            return following[0] in owners or any(rates & _words_of(held, shape) for held in p.measured)
        case "group" if not following:  # "cost over 5 euros each"
            return not p.kinds.isdisjoint(("gt", "lt"))
        case "above" if p.views and _AT_LEAST_ONE.match(question, start):
            return True
        case "share":
            return any(v.kind == "number" and not question[v.end : start].strip() for v in used.values())
        case "contains":
            led = _LED.match(question, end)
            return led is not None and led.end() in used
    return False


def _units(said: Iterable[Unit]) -> set[tuple[str, float]]:
    """Units, those of the same worth being one."""
    return {(unit.dimension, unit.worth) for unit in said}


def undenied(denied: Iterable[tuple[str, str]], reading: Reading, shape: Shape) -> list[str]:
    """The words that deny another, each with that one ("unpaid", "paid"), of which the reading denies nothing that is called so."""
    said: set[str] = set()
    for action in parts(reading).denied:
        step = shape.steps.get(action)
        said |= _words_of(action, shape)
        said |= stems(f"{spoken(step.link.source)} {spoken(step.link.target)}") if step else frozenset()
    return [word for word, rest in denied if stem(rest.lower()) not in said]


def _words_of(action: str, shape: Shape) -> frozenset[str]:
    """The stems of an item's name, and of what its unit measures: `germination_pct` is a percentage."""
    if action in shape.properties:
        name = shape.properties[action].name
        return stems(spoken(name)) | frozenset(map(stem, measures(units_of(name))))
    step = shape.steps.get(action)
    return stems(spoken(step.link.name if step else action[2:]))


def features(question: str, reading: Reading, shape: Shape, values: Sequence[Linked]) -> tuple[float, ...]:
    """What speaks for and against a reading by itself, in the order of FEATURES."""
    p = parts(reading)
    used = {i for i, _ in p.spans}
    unused = [v for i, v in enumerate(values) if i not in used]
    owned = [(values[i], held) for i, held in p.spans if held and values[i].kind not in ("number", "date")]
    lost = unused_operators(question, reading, shape, values)
    asked = {
        part
        for kind in kinds()
        if kind.parts and kind.pattern.search(_without(question, values))
        for part in kind.parts
    }
    unasked = (
        p.kinds
        & {"not", "no", "null", "ne", "best", "avg", "sum", "min", "max", "gt", "lt", "or", "star", "share"}
        - asked
    )
    words = [stem(w.lower()) for w in _WORD.findall(_without(question, values)) if w.lower() not in _PLAIN]
    actions = [f"T:{reading.type}", *p.held, *p.views]
    far = [f"T:{shape.steps[v].target}" for v in p.views if v in shape.steps]
    known = {w for a in (*actions, *far) for w in _words_of(a, shape)}
    idle = sum(not (_words_of(a, shape) & set(words)) for a in (*p.held, *p.views))
    forgotten = {w for w in words if w in shape.vocabulary and w not in known}
    return (
        min(len(unused), 4),
        min(sum(bool(v.found) for v in unused), 3),
        min(len(lost), 3),
        min(len(unasked), 3),
        min(sum(not v.found for v, _ in owned), 3),
        min(sum(bool(v.found) and h not in v.owners for v, h in owned), 3),
        len(p.views),
        p.conditions,
        min(sum(w not in known for w in words), 8),
        min(idle, 4),
        min(len(forgotten), 4),
        float(not _words_of(f"T:{reading.type}", shape) & set(words)),
        sum(v.kind == "name" and v.text.islower() for v, _ in owned),
    )


def unmatched(question: str, reading: Reading, shape: Shape, values: Sequence[Linked]) -> float:
    """How many words of a question are like nothing that a reading says."""
    return features(question, reading, shape, values)[FEATURES.index("unmatched words")]


def _without(question: str, values: Sequence[Linked]) -> str:
    for v in values:
        question = question[: v.start] + " " * (v.end - v.start) + question[v.end :]
    return question
