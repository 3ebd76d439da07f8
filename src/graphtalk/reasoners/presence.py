"""Who is still there, who has left, and who has been there longest, in the words of a schema that records it.

"Is Ann still working for us" asks for `is_active` or for the lack of `left_on`, "the longest-serving nurse" for the earliest `hired_on`. A
graph records it where its one type of people that has such a property has one of the kind.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from graphtalk.graphs import Graph
from graphtalk.language.nouns import plural, singular
from graphtalk.language.people import may_act
from graphtalk.language.synonyms import Reworded
from graphtalk.reasoners.phrases.properties import says_came
from graphtalk.reasoners.reader.graph_shape import shape_of
from graphtalk.reasoners.reader.shape import Held, spoken
from graphtalk.reasoners.reader.words import stem
from graphtalk.search.index import Index

_LEFT = frozenset(map(stem, "left leave leaving depart resign quit terminate exit".split()))
_ACTIVE = frozenset(map(stem, "active current employed present".split()))
_NOT_ACTIVE = frozenset(map(stem, "left inactive former".split()))
_ENDED = frozenset(("end date", "ended on", "ended", "date ended"))
# What is not asked of now, or says itself that somebody left.
_PAST = re.compile(
    r"\b(?:was|were|did|had|has|have|ever|left|former|since|until|before|after|\w+ed|\w*\d{4}\w*)\b", re.I
)
_MOST_TOLD = 200  # people whose leaving is looked up for a remark
_PEOPLE = frozenset(
    "person people member staff employee worker colleague team anyone anybody somebody someone".split()
)

_NOW = r"(?: (?:at the moment|right now|now|today|currently|at present|these days))"
_US = (
    r"(?:here|(?:for|with) (?:us|(?:the|this|our) (?:company|firm|business|organi[sz]ation|charity|club|team|practice|service|place))"
    r"|on (?:the|our) (?:books|payroll|staff))"
)
_AT_WORK = rf"(?:(?:working|employed)(?: {_US})?|{_US}|around|active)"
_STAYS = re.compile(
    rf"\b(?:(?P<be>is|are) (?:still|currently) {_AT_WORK}{_NOW}?|(?:still|currently) (?P<work>works?) {_US}{_NOW}?"
    rf"|(?P<now>works?) {_US}{_NOW}|(?P<still>works?) {_US} still)(?=[?.!,;]|$| and\b| or\b)",
    re.I,
)
_GONE = re.compile(
    rf"\b(?:(?P<have>has|have) left(?: us| {_US})?|no longer (?P<work>works?)(?: {_US})?"
    rf"|(?P<be>is|are) (?:no longer|not|n't) (?:still )?(?:working )?{_US}|(?:do|does)(?: not|n['’]t) work {_US} any ?more"
    r")(?: yet)?(?=[?.!,;]|$| and\b| or\b)",
    re.I,
)
_WHETHER_STAYS = re.compile(
    rf"\W*(?:(?:is|are) (?P<who>.+?) still {_AT_WORK}|(?:does|do) (?P<whose>.+?) still work {_US}){_NOW}?\W*",
    re.I,
)
_WHETHER_GONE = re.compile(rf"\W*(?:has|have) (?P<who>.+?) left(?: us| {_US})?\W*", re.I)
_RANK = r"(?:(?P<rank>second|third|fourth|fifth|2nd|3rd|4th|5th)[- ])?"
_LONGEST = (
    re.compile(
        rf"\W*(?:who|(?:which|what) (?P<noun>\w+))(?: here)?(?:['’]s|['’]ve| has| have) (?:been|worked|served)(?: working)?(?: {_US})?"
        rf" (?:the |for the )?{_RANK}longest(?: time)?(?: {_US})?\W*",
        re.I,
    ),
    re.compile(
        rf"\W*(?:(?:who|what)(?: is|['’]s| are) |(?:which|what) (?P<which>\w+) (?:is|are) )?(?:the |our )?{_RANK}longest[- ](?:serving|standing)"
        r"(?: member(?:s)? of(?: the| our)?)?(?: (?P<noun>\w+))?\W*",
        re.I,
    ),
)
_SUBJECT = re.compile(
    r"(?P<led>\b(?:which|what|how many|of the|the|list(?: all)?|all|any|are there any)\s+(?:of (?:our|the) )?|^\W*)(?P<noun>people|staff|persons?|of us|of them)\b"
    r"(?: (?:who|that))?\s*$",
    re.I,
)


@dataclass(frozen=True)
class _Type:
    """People of a graph: what they are called, the date they came on, and how the schema says that they are there, and that they left."""

    name: str
    came: str = ""
    flag: str = ""  # true where they are there, or with `left` where they are not
    date: str = ""
    left: bool = False

    def there(self, many: bool) -> str:
        """The predicate for those who are there."""
        if self.date:
            return f"{'have' if many else 'has'} no {self.date}"
        return f"{'are' if many else 'is'} {'not ' if self.left else ''}{self.flag}"

    def gone(self, many: bool) -> str:
        """And for those who are not."""
        if self.date:
            return f"{'have' if many else 'has'} {_one(self.date)}"
        return f"{'are' if many else 'is'} {'' if self.left else 'not '}{self.flag}"

    def whether(self, who: str, there: bool) -> str:
        """The question whether somebody is there, or has left."""
        if self.date:
            return f"Does {who} have {f'no {self.date}' if there else _one(self.date)}?"
        return f"Is {who} {'' if there != self.left else 'not '}{self.flag}?"


class Presence:
    """Puts questions about who is there into the words of one schema."""

    def __init__(self, graph: Graph, index: Index) -> None:
        self._graph, self._index = graph, index

    def of(self, question: str) -> Iterator[Reworded]:
        """The question as the schema says it, where it is one of these; in each way where those who left may count or not."""
        # The schema is looked at only for such a question.
        for pattern, stays in ((_WHETHER_STAYS, True), (_WHETHER_GONE, False)):
            if said := pattern.fullmatch(question):
                yield from self._whether(said, stays)
                return
        for pattern, stays in ((_GONE, False), (_STAYS, True)):
            if said := pattern.search(question):
                if self._there is not None and self._may_be(question[: said.start()], self._there):
                    yield self._predicate(question, said, self._there, stays)
                return
        said = next((m for m in (p.fullmatch(question) for p in _LONGEST) if m), None)
        if said is not None and self._came is not None:
            yield from self._longest(said, self._came)

    def gone(self, question: str, nodes: Sequence[int]) -> str:
        """What is said of an answer to a question about now that has people who have left; nothing of others."""
        if not 0 < len(nodes) <= _MOST_TOLD or _PAST.search(question):
            return ""
        people = {p.name: p for p in self._people if p.date or p.flag}
        left = [
            n
            for n in nodes
            if (p := people.get(spoken(self._graph.node_type(n).name))) and self._has_left(n, p)
        ]
        one = people.get(spoken(self._graph.node_type(left[0]).name)) if left else None
        return f"{len(left)} of {len(nodes)} {one.gone(len(left) > 1)}." if one is not None else ""

    def _has_left(self, node: int, people: _Type) -> bool:
        names = {spoken(f.name): f.name for f in self._graph.node_type(node).features}
        if people.date:
            return self._graph.feature(node, names[people.date]) is not None
        called = (people.flag, f"is {people.flag}", f"has {people.flag}")
        flag = next((names[said] for said in called if said in names), "")
        return bool(flag) and self._graph.feature(node, flag) is people.left

    def _whether(self, said: re.Match[str], stays: bool) -> Iterator[Reworded]:
        who, people = next(filter(None, said.groups())), self._there
        if people is not None and self._is_one(who, people) and (people.date or not people.left):
            asked = people.whether(who, stays)
            yield Reworded(asked, ((said[0].strip(" ?").replace(who, "…", 1), asked.rstrip("?")),))

    def _predicate(self, question: str, said: re.Match[str], people: _Type, stays: bool) -> Reworded:
        before, after = question[: said.start()].rstrip(), question[said.end() :]
        verb = next((v for v in said.groupdict().values() if v), "does").lower()
        subject = _SUBJECT.search(before)
        many = verb in ("are", "have", "work", "do") or (
            subject is not None and subject["noun"].lower() == "people"
        )
        told = (people.there if stays else people.gone)(many)
        if subject is not None:
            before = (
                f"{before[: subject.start()]}{subject['led']}{plural(people.name) if many else people.name}"
            )
        return Reworded(f"{before} {told}{after}".strip(), ((said[0], told),))

    def _is_one(self, name: str, people: _Type) -> bool:
        """Whether a name is that of one of some people."""
        return any(spoken(self._graph.node_type(n).name) == people.name for n in self._index.exact(name))

    def _may_be(self, before: str, people: _Type) -> bool:
        """Whether what stands before a predicate is some people, and no others: "(which) customers (have left us)" are others."""
        words = re.findall(r"[^\W\d_]+", before.lower())
        while words and words[-1] in ("who", "that", "which", "of", "us", "them"):
            words.pop()
        own = singular(people.name.rpartition(" ")[2])
        return not words or words[-1] in ("and", "or", "but") or singular(words[-1]) in {own, *_PEOPLE}

    def _longest(self, said: re.Match[str], people: _Type) -> Iterator[Reworded]:
        nouns = {singular(n.lower()) for n in (said["noun"], said.groupdict().get("which")) if n}
        if not nouns <= {*_PEOPLE, singular(people.name.rpartition(" ")[2])}:
            return
        rank = f"{said['rank'].lower()} " if said["rank"] else ""
        earliest, words = (
            f"has the {rank}earliest {people.came}",
            (("longest", f"the earliest {people.came}"),),
        )
        yield Reworded(f"Which {singular(people.name)} {earliest}?", words)
        if self._there is not None and self._there.name == people.name:
            those = self._there.there(True)
            yield Reworded(f"Of the {plural(people.name)} who {those}, which {earliest}?", words)

    @cached_property
    def _there(self) -> _Type | None:
        found = [t for t in self._people if t.flag or t.date]
        return found[0] if len(found) == 1 else None

    @cached_property
    def _came(self) -> _Type | None:
        found = [t for t in self._people if t.came]
        return found[0] if len(found) == 1 else None

    @cached_property
    def _people(self) -> list[_Type]:
        shape = shape_of(self._graph)
        own = {t: [h for h in shape.held if h.owner == t and not h.edge] for t in shape.types if may_act(t)}
        return [_Type(spoken(t), _came(held), *_leaves(held)) for t, held in own.items()]


def _one(noun: str) -> str:
    """A noun with its article."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def _came(held: Sequence[Held]) -> str:
    """The one date on which people came, by its name."""
    found = [spoken(h.name) for h in held if says_came(h) and "since" not in spoken(h.name).split()]
    return found[0] if len(found) == 1 else ""


def _leaves(held: Sequence[Held]) -> tuple[str, str, bool]:
    """How the schema tells that people have left: by a flag, or by a date and whether there is one; whether the flag is true of those who did."""
    flags = [h for h in held if h.kind == "boolean" and _stems(h) & (_ACTIVE | _NOT_ACTIVE)]
    dates = [h for h in held if h.kind == "date" and (_LEFT & _stems(h) or spoken(h.name) in _ENDED)]
    if len(flags) + len(dates) != 1:
        return "", "", False
    if dates:
        return "", spoken(dates[0].name), False
    words = spoken(flags[0].name).split()
    return " ".join(words[words[0] in ("is", "has") :]), "", not _stems(flags[0]) & _ACTIVE


def _stems(held: Held) -> set[str]:
    return set(map(stem, spoken(held.name).split()))
