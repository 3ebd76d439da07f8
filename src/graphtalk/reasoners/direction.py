"""Which way the words of a question go along a relation that leads from a type to itself: "calls X" or "X calls".

Nothing else tells callers from what is called, so a reading that follows such a relation from a node by its name is
answered only where the wording says its direction, and the reading takes it. Between two types a reading is not answered that
turns round who does what a verb says: "services that depend on X" are not those that X depends on.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from graphtalk.graphs import Schema
from graphtalk.language.english import stem, thesaurus
from graphtalk.reasoners.around.names import TOKEN, agents, deeds, is_role, patients, root
from graphtalk.reasoners.planner.plans import Plan
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.reading import Best, Compared, Either, Hop, Item, Not, Reading, Span, Test
from graphtalk.reasoners.reader.shape import Link, Shape, spoken

# In the patterns R stands for the word of the relation, X for the name, Y for other names.
_LIGHT = frozenset(
    "has have had is are was were be been of to by on at in for from with into through about under over the a an also co often".split()
)
_BE = r"(?:is|are|was|were|be|been|being|get|gets|got|'s|'re)"
_WHOM = r"(?:which|what|whom|who|whose|how many)"
_ROLE = r"R (?:are there |made )?(?:of|for|in)"
_PASSIVE = re.compile(
    rf"\bR (?:\w+ ){{0,2}}by\b|\bby (?:the |all )?{_WHOM}\b"
    rf"|\b{_BE} (?:(?!that|which|who|do|does|did|has|have|had)[\w']+ ){{0,3}}R\b"
)
_RANKED = re.compile(
    r"\b(?:most|least|more|less|often|mostly|frequently) R (?!the|most|least|more|by|to|of)\w"
)
_HAS_ROLE = re.compile(
    r"\b(?:has|have|had|having|gets?|got|receives?d?|with|without|no|any) (?:\w+ ){0,4}R\b"
)
_WHOSE = re.compile(r"\bwhose (?:\w+ ){0,2}R\b")
_BEARER = re.compile(  # X is what the noun says
    rf"\b(?:of|for|to) {_WHOM}\b.*\b{_BE} X\b.*\bR\b"  # of whom is X one of the callers
    rf"|\bR (?:of|for|to) {_WHOM}\b"  # X is a caller of what
    rf"|\b{_BE} X (?:\w+ ){{0,3}}R\b"  # is X a caller of Y, whom is X the boss of
    rf"|\bX {_BE} (?:\w+ ){{0,4}}R\b"  # X is among the callers of which functions
    r"|\bwhose (?:\w+ ){0,2}R\b.*\bX\b"  # whose callers include X
    r"|\b(?:have|has|had|having|with|lists?|names?) X (?:as|among|in|for)\b.*\bR\b"  # has X as one of its callers
    r"|\bwhere X\b.*\bR\b"
)
_HOLDER = re.compile(  # X has what the noun says
    rf"\b{_ROLE} (?:the )?(?:\w+ )?X\b"  # the callers of the function X
    r"|\bX 's? ?(?:\w+ ){0,2}R\b"  # X's callers
    r"|\bR (?:do|does|did|has|have|had) (?:the |\w+ )?X\b"  # how many callers does X have
    r"|\b(?:do|does|did) (?:the |\w+ )?X (?:have|has)\b.*\bR\b"  # does X have callers
    r"|\bX (?:has|have|had)\b.*\bR\b"  # X has how many callers
    r"|\b(?:has|have|had) X (?:any|many|more|\d+)\b.*\bR\b"
)
_COUNTED = ("most neighbours", "fewest neighbours", "by degree", "average degree")  # operations of plans
_STANDS_FOR = re.compile(  # "which papers cite this one: X"
    r"\b(?i:this|the following)\b(?: \w+)?\b([^X]*)[:.]\s*[\"'“‘(\[]?X\W*$"
)
_STOOD_FOR = re.compile(r"^\W*X\W*[.:]([^X]*)\bit\b")  # "X. How many papers cite it?"
_GIVES = re.compile(  # X did the deed: "citations in X", "the citations that X makes"
    r"\bR (?:\w+ )?(?:by|in|from) (?:the )?X\b|\bX (?:\w+ )?(?:makes?|made|gives?|gave|contains?|lists?)\b"
)
_DONE_BY_MOST = re.compile(r"\b(?:do|does|did) (?:the )?(?:most|fewest|more|other|all) (?:\w+ ){1,2}R\b")
_AFTER = r"(?:(?:the|a|an|to|on|into|at|both|either|neither|and|or|nor|,|Y|only|all|any) |{noun} )*"
_BEFORE = r"(?:(?:do|does|did|has|have|had|will|would|can|also|not|never|still|itself|been|actually|is|are|was|were|\w+ly|and|Y|,) )*"


_QUOTES = ("'", '"', "‘", "’", "“", "”")
Place: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class _Frame:
    """A name of a relation as a verb or a noun. `source`: its source does what the verb says, or is what the noun says."""

    word: str
    verb: bool
    source: bool


@dataclass(frozen=True)
class Way:
    """A hop over a directed relation: `out` if its near end is the source; where the names of its ends stand.

    `asked`: the near end is what is asked for.
    """

    link: Link
    out: bool
    near: tuple[Place, ...]
    far: tuple[Place, ...]
    asked: bool


@dataclass(frozen=True)
class _Word:
    """A word for a relation in the text of a question, where R stands for it."""

    word: str
    text: str
    form: str
    frame: _Frame
    noun: str
    further: bool

    @property
    def participle(self) -> bool:
        """Whether the word cannot be a noun: "mentored"."""
        return self.word.endswith(("ed", "ing"))

    def named_source(self) -> bool | None:
        """Whether the wording puts what is named at the relation's source; None where it does not tell."""
        verb, noun = self.form == "verb", self.form == "noun"
        if self.form == "deed" and _GIVES.search(self.text):
            return self.frame.source
        does = None if verb or (noun and self.participle) else self._bears()
        if does is None and (verb or (noun and self.frame.source)):
            does = self._does()
        return None if does is None else does == (self.frame.source != (self.form == "patient"))

    def asked_source(self) -> bool | None:
        """Whether it puts what is asked for there, where nothing is named: "the most cited papers" do not cite."""
        if self.form == "verb" or (self.form == "noun" and self.participle):
            if _DONE_BY_MOST.search(self.text):
                return not self.frame.source
            done = self.participle and not self.word.endswith("ing")
            if done and (_PASSIVE.search(self.text) or _RANKED.search(self.text)):
                return not self.frame.source
            active = re.search(
                rf"^(?:(?:which|what|list|all|the) )*{self.noun} (?:(?:that|which|who|also|do|not) )*R\b",
                self.text,
            )
            return self.frame.source if active and self.form == "verb" and not done else None
        held = self.form in ("agent", "patient", "deed") and _HAS_ROLE.search(self.text)
        return self.frame.source == (self.form == "patient") if held else None

    def _bears(self) -> bool | None:
        """Whether what is named is what a noun says: "X is a caller of what"; or has it: "callers of X"."""
        if _HOLDER.search(self.text):
            return None if _WHOSE.search(self.text) else False
        return True if _BEARER.search(self.text) else None

    def _does(self) -> bool | None:
        """Whether what is named does what a verb says, or has it done to it."""
        near = _AFTER.format(noun=self.noun)
        after = re.search(rf"\bR {near}X\b", self.text)
        before = re.search(rf"\bX {_BEFORE}R\b", self.text)
        if self.participle and re.search(rf"\bR {self.noun} (?:of|for) X\b|\bX 's (?:\w+ )?R\b", self.text):
            return True  # the cited papers of X
        if self.further and after:
            return True  # bought after viewing X
        if not self.word.endswith("ing") and _PASSIVE.search(self.text):
            if re.search(rf"\bR (?:\w+ ){{0,2}}by {near}X\b", self.text):
                return True
            return False if before or re.search(rf"\bX {_BE}\b", self.text) else None
        return None if bool(after) == bool(before) else bool(before)


def turned(
    question: str, ways: Sequence[Way], values: Sequence[Linked], inverses: Mapping[Link, str]
) -> list[str]:
    """The words that say which way a relation goes where it is followed another way, passed over, or they do not tell."""
    named = tuple((v.start, v.end) for v in values if v.kind == "quoted" or (v.found and v.kind == "name"))
    found: list[str] = []
    for way in ways:
        for places, is_source in ((way.near, way.out), (way.far, not way.out)):
            said = _said(question, way.link, places, named, inverses.get(way.link, "")) if places else ()
            within = way.link.source == way.link.target
            told = {w.named_source() for w in said if within or _does_it(w, way.link)} - {None}
            if places and told != {is_source} and (told or (within and not _has_opposite(way.link))):
                found += [w.word for w in said] or [spoken(way.link.name)]
        if way.asked and not (way.near or way.far) and way.link.source == way.link.target:
            said = _said(question, way.link, (), named, inverses.get(way.link, ""))
            found += [w.word for w in said if w.asked_source() not in (None, way.out)]
    for link in dict.fromkeys(way.link for way in ways if way.link.source == way.link.target):
        said = _said(question, link, (), named, inverses.get(link, ""))
        found += [w.word for w in said[sum(way.link == link for way in ways) :]]
    return list(dict.fromkeys(found))


def _does_it(word: _Word, link: Link) -> bool:
    """Whether a word is a verb that is no participle, with the preposition that the relation's name ends in, or with none of place.

    What "runs on" something may be run by it, and a type's own noun is no verb.
    """
    name = spoken(link.name).split()
    nouns = {root(w) for end in (link.source, link.target) for w in spoken(end).split()}
    if word.form != "verb" or word.participle or root(word.word) in nouns:
        return False
    if len(name) > 1 and name[-1] in _LIGHT:
        return re.search(rf"\bR {name[-1]}\b", word.text) is not None
    return re.search(r"\bR (?:on|in|at)\b", word.text) is None


def _has_opposite(link: Link) -> bool:
    """Whether a relation is called by nouns that have opposites, as a hypernym is no hyponym: words for it say its direction."""
    words = [w for w in spoken(link.name).split() if w not in _LIGHT]
    nouns = not any(w.endswith(("s", "ed", "ing")) for w in words)
    lines = (
        frozenset[str]().union(*thesaurus().groups([stem(w) for w in words])) if nouns else frozenset[str]()
    )
    return not lines.isdisjoint(thesaurus().opposites) or (
        nouns and len(words) > 1 and spoken(link.name).split()[-1] != "by"
    )


def ways_of_plan(plan: Plan, schema: Schema) -> list[Way]:
    """The hops of a plan over directed relations, as seen from what is asked for."""
    hops = [
        (view, chain.anchor if i == 0 else None) for chain in plan.chains for i, view in enumerate(chain.hops)
    ]
    hops += [(view, None) for view in (*plan.then, *plan.after)]
    counted = (
        plan.operation in _COUNTED and len(plan.chains) == 1
    )  # the last hop leads on from what is asked for
    listed = plan.operation in ("list", "count", "most", "frequent") and len(plan.chains) == 1
    found = []
    for place, (view, anchor) in enumerate(hops, 1):
        r = schema.relations[view.relation]
        if view.direction != "both":
            named = ((anchor.start, anchor.end),) if anchor is not None else ()
            last = place == len(hops)
            out = view.direction == ("out" if counted and last else "in")
            asked = (counted or listed) and last
            found.append(Way(Link(r.name, r.source, r.target, r.undirected), out, (), named, asked))
    return found


def ways_of_reading(reading: Reading, shape: Shape, values: Sequence[Linked]) -> list[Way]:
    """The hops of a reading over directed relations."""
    return list(_ways(reading.items, True, shape, values))


def _ways(
    items: Sequence[Item], asked: bool, shape: Shape, values: Sequence[Linked], near: tuple[Place, ...] = ()
) -> Iterator[Way]:
    own = (*near, *_names(items, shape, values))
    for item in items:
        match item:
            case Not():
                yield from _ways((item.item,), asked, shape, values, own)
            case Either():
                yield from _ways((item.first, item.second), asked, shape, values, own)
            case Compared() | Best():
                paths = [p for p in (item.measure.path, item.measure.beyond) if p is not None]
                yield from _ways(paths, asked, shape, values, own)
            case Hop():
                step = shape.steps[item.view]
                if not step.link.undirected:
                    yield Way(step.link, step.out, own, _names(item.items, shape, values), asked)
                yield from _ways(item.items, False, shape, values)


def _names(items: Sequence[Item], shape: Shape, values: Sequence[Linked]) -> tuple[Place, ...]:
    """Where the names of a node stand, by its conditions; a number may be one: "berth 7"."""
    return tuple(
        (values[value.index].start, values[value.index].end)
        for item in items
        if isinstance(item, Test) and item.operator == "EQ"
        for value in item.values
        if isinstance(value, Span)
        and (shape.properties[item.held].naming or values[value.index].kind == "number")
    )


@lru_cache(maxsize=512)  # the readings of a question share most of their hops
def _said(
    question: str, link: Link, meant: tuple[Place, ...], named: tuple[Place, ...], inverse: str
) -> tuple[_Word, ...]:
    """The words for a relation in a question, as what tells most of its direction. `named`: where all names stand."""
    back = [_Frame(f.word, f.verb, not f.source) for f in _frames(inverse, link)]
    frames = [*_frames(link.name, link), *back]
    types = [*spoken(link.source).split(), *spoken(link.target).split()]
    noun = "(?:" + "|".join(re.escape(w) + r"\w*" for w in dict.fromkeys(types)) + ")"
    words = _words(question, meant, named)
    found = []
    for at, word in enumerate(words):
        end = _end(words, at, link)
        text = " ".join([*words[:at], "R", *words[end:]])
        further = end > at + 1 and words[end - 1] not in _LIGHT  # "bought after viewing X"
        said = [_Word(word, text, form, f, noun, further) for f in frames if (form := _form(word, f))]
        if said:
            found.append(next((w for w in said if w.named_source() is not None), said[0]))
    return tuple(found)


def _words(question: str, meant: Sequence[Place], named: Sequence[Place]) -> list[str]:
    """The words of a question, with X for the names that are meant, and Y for other names."""
    text = question
    others = [p for p in named if not any(p[0] < end and start < p[1] for start, end in meant)]
    for letter, places in (("X", meant), ("Y", others)):
        for start, end in places:
            end -= 2 if text[start:end].endswith(("'s", "’s")) else 0
            quoted = text[start - 1 : start] in _QUOTES and text[end : end + 1] in _QUOTES
            start, end = (start - 1, end + 1) if quoted else (start, end)
            text = text[:start] + letter + "\x00" * (end - start - 1) + text[end:]
    text = _STOOD_FOR.sub(r"\1X", _STANDS_FOR.sub(r"X\1", text.replace("\x00", "")))
    tokens = TOKEN.findall(text)
    kept = [w for w in tokens if w[0].isalnum() or w in ("'s", "’s", "'", ",")]
    return [w if w in ("X", "Y") else w.lower().replace("’", "'") for w in kept]


def _end(words: Sequence[str], at: int, link: Link) -> int:
    """Where the words of a relation's name end that begin at a word: "bought after viewing" of `buy_after_viewing_item`."""
    rest = [root(w) for w in spoken(link.name).split()]
    begun = rest.index(root(words[at])) + 1 if root(words[at]) in rest else len(rest)
    end = at + 1
    for word in rest[begun:]:
        if end < len(words) and root(words[end]) == word:
            end += 1
    while end > at + 1 and words[end - 1] in _LIGHT:
        end -= 1
    return end


def _frames(name: str, link: Link) -> list[_Frame]:
    """A relation's name as a verb or a noun: `cites`, `cited_by`, `mentor_of`, `has_parent`."""
    words = spoken(name).split()
    own = {root(w) for w in spoken(link.source).split()}
    plain = [w for w in words if w not in _LIGHT and root(w) not in own and not w.endswith("ly")]
    if not plain:
        return []
    if words[-1] == "by":
        return [_Frame(plain[0], True, False)]
    if words[-1] == "of" and not plain[-1].endswith("s"):
        return [_Frame(plain[-1], False, True)]
    noun = _Frame(plain[-1], False, False)
    if len(words) == 1 and link.source == link.target and is_role(plain[-1]):  # a mentor is who mentors
        return [noun, _Frame(plain[-1], True, False)]
    if words[0] in ("has", "have") or any(agents(plain[-1])) or any(patients(plain[-1])):
        return [noun]
    verb = _Frame(plain[0], True, True)
    only_verb = plain[0].endswith(("s", "ed", "ing")) or words[-1] != plain[-1]
    return [verb] if only_verb else [verb, noun]


def _form(word: str, frame: _Frame) -> str:
    """What a word is of a relation: its verb, who does it (agent), whom it is done to (patient), what is done (deed), its
    noun; else nothing. Who has citations has what cites, as who has callers.
    """
    if frame.verb and root(frame.word) in agents(word):
        return "agent"
    if frame.verb and root(frame.word) in deeds(word):
        return "deed"
    if frame.verb and root(frame.word) in patients(word):
        return "patient"
    return ("verb" if frame.verb else "noun") if root(word) == root(frame.word) else ""
