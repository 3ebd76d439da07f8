"""Follow-up questions: "and its population?" is about what was answered before.

A follow-up is made into questions that stand alone, by rules and with no model: a pronoun, or "that country", stands for
the nodes of the last answer, else for those that the last question named; "and of Chile?" is the last question with
another name in it; "which of them border Spain?" asks which countries do, and takes those of the call that gave the last list
(`candidates`), or asks that of each of its nodes where no call gave it; "which of them is the largest?" takes in the
question that gave the list. "And in 2019?" is the last question with another year, "and as of 2019?" the last question as of then, "no, I meant the film"
with the film of that name. What the table of wordings knows of "them" ("how many of them", "the average age of those") is left as
it is, and read with the call that gave the last list (`spoken_of`). Where a question stands alone already it is left as it is.

The subject never changes unsaid: of a question that came to nothing what it was about is meant, though the graph has no such
thing, and nothing that was said before it (`_since`); a name within the question itself is meant before all that was said; and
where two things may be meant, none is.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from graphtalk.calls import parse, show
from graphtalk.calls.ast import Call
from graphtalk.core import Answer
from graphtalk.graphs import Graph
from graphtalk.language.english import tokenize
from graphtalk.language.identifiers import split_name
from graphtalk.language.moments import without_moment
from graphtalk.language.nouns import forms, plural, singular
from graphtalk.language.people import is_person
from graphtalk.reasoners.around.reading import Around
from graphtalk.search.index import Index

MOST = 10  # names that a plural stands for: one question each
MOST_EARLIER = 1_000  # characters of what was said before; nobody goes on from the middle of a long text

_POSSESSIVE = r"(?P<own>its|their|his|her(?=\s+(?!(?:in|on|at|by|for|with|from|before|after|and|or)\b)\w))"
_PERSONAL = r"(?P<it>it|they|them|he|him|she|her)"
_SOMEBODY = frozenset(("he", "him", "his", "she", "her"))
_POINTS = re.compile(r"\b(?:it|him|her|them|those|these)(?=[?.!\s]*$)", re.IGNORECASE)
_OWN = re.compile(r"['’]s?$")
_MANY = re.compile(r"\b(?:their|they|them|those|these|each of them|all of them)\b", re.IGNORECASE)
_EXPLETIVE = re.compile(r"\bit (?:true|so|possible|the case)\b|\bis it that\b", re.IGNORECASE)
_AGAIN = re.compile(
    r"^\s*(?:and|but|so|then|ok|okay)?[\s,]*(?:what about|how about|and)?\s*"
    r"(?:(?:of|for|in|with|to|from|by|at|on)\s+)?",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(r"\b(?:most|least|fewest|first|last|best|worst|\w{2,}est)\b", re.IGNORECASE)
_AMONG = re.compile(  # "which of them", "how many among those", then what is asked of them
    r"^\s*(?:and\s+)?(?P<asks>which|who|how many)(?:\s+ones?)?\s+(?:of|among)\s+(?:them|those|these)\b\s*(?P<that>\S.*?)[?.!\s]*$",
    re.IGNORECASE,
)
COUNTED = "How many of them?"
_COUNTS = re.compile(
    r"^\s*(?:and\s+|so\s+)?how many(?:\s+(?:are|were) (?:there|they|these|those))?[?.!\s]*$", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_CORRECTS = re.compile(
    r"^\s*(?:(?:no|nope|sorry|actually|wait|oh)[\s,]*)*(?:i\s+mean(?:t)?|rather|make\s+(?:it|that))\s+(?P<rest>\S.*)$",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(r"^(?:do|does|did)\s+", re.IGNORECASE)  # "which countries does the Nile flow through"
_CAPITAL = re.compile(r"(?<=\s)[\"'“‘]?[A-Z][\w'’-]+")  # a word that is written as a name, but the first
REFERRING = re.compile(
    r"\b(?:its|their|his|her|it|they|them|he|him|she|those|these|why not)\b", re.IGNORECASE
)
_OF = frozenset(("of", "for", "in"))
_SMALL = _OF | {"the", "a", "an", "that", "this", "case", "what", "about", "how", "and", "same"}
_CLAUSE_ENDS = re.compile(r"(?<=\w)\s*(?:[?!;]|[.:,]?\s(?:and|or|but|then|while)\b)", re.IGNORECASE)
_THE = re.compile(r"\bthe $", re.IGNORECASE)
_SINGULAR = re.compile(r"(?<=[a-z])(?<!s)s$")
_ASKS = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|"
    r"list|name|count|give|show|tell|find|describe|explain|compare)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Said:
    """A question, as it was understood, with its answer. `parts` are its single questions, where it is several."""

    question: str
    answer: Answer
    parts: tuple[str, ...] = ()


def _since(said: Sequence[Said]) -> list[Said]:
    """The turns that a follow-up may speak of: from the last on that came to nothing and did not itself speak of what was said."""
    lost = (at for at, b in enumerate(said) if not b.answer.answered and not REFERRING.search(b.question))
    return list(said[max(lost, default=0) :])


def spoken_of(said: Sequence[Said]) -> str:
    """The call that gave the last list, which "them" and "those" speak of; of a count what was counted. Empty where there is none."""
    for before in reversed(_since(said)):
        answer = before.answer
        if answer.calls and len(before.parts) < 2:
            call = parse(answer.calls[-1].spelling)
            counted = call.arguments[0] if call.function == "Count" and call.arguments else call
            listed = isinstance(answer.value, list) and len(answer.value) > 1
            if isinstance(counted, Call) and (listed or counted is not call):
                return show(counted)
        if answer.value is not None:
            return ""
    return ""


def asks_among(text: str) -> re.Match[str] | None:
    """What "which of them …" asks of each, without the best of them, which is none by itself."""
    found = _AMONG.match(text)
    return found if found and not _SUPERLATIVE.search(found["that"]) else None


def points_outside(text: str, types: Iterable[str]) -> str:
    """What of a question speaks of what it does not name itself: "which of them know Ann?", "who takes this drug?"; empty where nothing does.

    `types`: what nodes are called.
    """
    if re.search(r"[:,\[\"'“‘]", text):
        return ""
    kinds = "|".join(re.escape(form) for t in types for form in {t, singular(t), plural(t)} if t)
    typed = re.compile(
        rf"\b(?P<this>(?:this|these|those)\s+)?(?:{kinds})\b" if kinds else "(?!)", re.IGNORECASE
    )
    nouns = list(typed.finditer(text))
    this = next((noun[0] for noun in nouns if noun["this"]), "")
    points = None if _CAPITAL.search(text) else _POINTS.search(text)
    if points and nouns:  # "which club has members who know it?", but "how many clubs are in it?"
        many = all(singular(noun[0].lower()) != noun[0].lower() for noun in nouns)
        points = points if many and points[0].lower() in ("it", "him", "her") else None
    return "of them" if _AMONG.match(text) else this or (points[0] if points else "")


@dataclass(frozen=True)
class _Named:
    """A name in a question: where it stands, its nodes, and how it is written."""

    start: int
    end: int
    nodes: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class Conversation:
    """Makes follow-ups stand alone. Knows the graph's names, and nothing of any data set."""

    graph: Graph
    index: Index

    def resolve(self, text: str, said: Sequence[Said]) -> tuple[str, ...]:
        """The questions that a follow-up stands for: one, or one for each of several nodes that it is about."""
        said = [before for before in _since(said) if len(before.question) <= MOST_EARLIER]
        if not said or len(text) > MOST_EARLIER:
            return (text,)
        about = spoken_of(said)
        if about and _COUNTS.match(text):
            return (COUNTED,)
        if about and self._around.heard(text, about) and not self._around.heard(text):
            return (text,)
        if about and asks_among(text):
            return (text,)
        asked = [q for before in reversed(said) for q in reversed(before.parts or (before.question,))]
        if corrected := self._corrected(text, asked):
            return (corrected,)
        if among := self._among(text, said):
            return among
        pattern = self._reference()
        found = pattern.search(text)
        if found and not _EXPLETIVE.search(text):
            if self._speaks_of_itself(text, found):
                return (text,)
            names = self._meant(text, self._kinds(found["that"] or found[0]), said)
            return tuple(_whole(_put(pattern, text, name)) for name in names) or (text,)
        return (self._again(text, asked) or text,)

    @cached_property
    def _around(self) -> Around:
        return Around(self.graph, self.index)

    def _corrected(self, text: str, asked: Sequence[str]) -> str:
        """The last question as a correction has it: "I meant the film", of a name in it that a film has too; else empty."""
        found = _CORRECTS.match(text)
        if not found or not asked:
            return ""
        words = found["rest"].strip().rstrip("?!. ")
        kind = words.removeprefix("the ").casefold()
        types = [
            t.name
            for t in self.graph.schema.node_types
            if kind in (t.name.casefold(), plural(t.name).casefold())
        ]
        named = [
            m for m in self._named(asked[0]) if any(self.graph.node_type(n).name in types for n in m.nodes)
        ]
        if types and len(named) == 1:
            return f"{asked[0][: named[0].start]}the {types[0]} {asked[0][named[0].start :]}"
        return self._again(words, asked[:1])

    def _reference(self) -> re.Pattern[str]:
        """What refers back: pronouns, and "that country" for the graph's node types."""
        types = "|".join(
            re.escape(word) for t in self.graph.schema.node_types for word in (plural(t.name), t.name)
        )
        kinds = (
            rf"(?P<that>(?:that|this|those|these|the same)\s+(?:{types})|those|these)"
            if types
            else "(?P<that>those)"
        )
        there = r"(?<!\bis )(?<!\bare )(?P<there>there)(?=\s*[?.!]*$)"
        return re.compile(rf"\b(?:{_POSSESSIVE}|{_PERSONAL}|{there}|{kinds})\b", re.IGNORECASE)

    def _among(self, text: str, said: Sequence[Said]) -> tuple[str, ...]:
        """What "which of them …" asks of the last list that was answered; nothing where that is not meant."""
        types = [word for t in self.graph.schema.node_types for word in (plural(t.name), t.name)]
        kinds = "|".join(map(re.escape, types))
        head = rf"\s*(?:and\s+)?which\s+(?:one\s+)?of\s+(?:them|these|those)\b(?:\s+(?:{kinds})\b)?\s*(?P<does>.+?)[?.!\s]*$"
        found = re.match(head, text, re.IGNORECASE)
        if not found:
            return ()
        lists = ((before, self._names(before.answer)) for before in reversed(said))
        before, names = next(((b, n) for b, n in lists if len(n) > 1), (None, []))
        if before is None:
            return (text,)
        if not _SUPERLATIVE.search(found["does"]):
            return tuple(_whether(name, found["does"]) for name in names[:MOST])
        listed = re.match(
            rf"\s*(?:which|what)\s+(?P<kind>{kinds})\s+(?P<that>.+?)[?.!\s]*$", before.question, re.IGNORECASE
        )
        if not listed:
            return (text,)
        that = _AUXILIARY.sub("", listed["that"])
        return (f"Which of the {listed['kind']} that {that} {found['does']}?",)

    def _kinds(self, words: str) -> frozenset[str]:
        """The node types that "that country" speaks of; of "her" those of people, and none for another pronoun."""
        last = words.partition(" ")[2].casefold()
        types = self.graph.schema.node_types
        if words.casefold() in _SOMEBODY:
            return frozenset(t.name for t in types if is_person(t.name))
        return frozenset(
            t.name for t in types if last and last in (t.name.casefold(), plural(t.name).casefold())
        )

    def _meant(self, text: str, kinds: frozenset[str], said: Sequence[Said]) -> list[str]:
        """The names that a follow-up speaks of: what was answered last, else what was asked about.

        Where only what was asked about has what the follow-up asks for, that: a capital has no borders, its country does.
        """
        many = _MANY.search(text) is not None
        for before in reversed(said):
            answered = [name for name in self._names(before.answer) if self._is_one_of(name, kinds)]
            asked = [
                name for name in map(_plain, self._named(before.question)) if self._is_one_of(name, kinds)
            ]
            if len(answered) == len(asked) == 1 and self._has(asked[0], text) > self._has(answered[0], text):
                return asked
            if answered and (many or len(answered) == 1):
                return answered[:MOST]
            if asked and (many or len(asked) == 1):
                return asked[:MOST]
            if answered or asked:
                return []  # one of several, which is not said
        return []

    def _speaks_of_itself(self, text: str, found: re.Match[str]) -> bool:
        """Whether a pronoun may speak of what the same question names: "which patients take Neurax and what is its price?"."""
        if found["that"] or found["there"]:
            return False
        before = text[: found.start()]
        clauses = list(_CLAUSE_ENDS.finditer(before))
        if clauses and _ASKS.search(before[: clauses[-1].start()]):
            return True
        if not found["own"]:
            return False
        types = "|".join(
            re.escape(many)
            for t in self.graph.schema.node_types
            for many in {plural(t.name), forms(t.name)[1]}
        )
        beside = (
            re.search(rf"\b(?:{types})\b.*\b(?:with|and|by)\s+$", before, re.IGNORECASE) if types else None
        )
        return bool(beside or self._named(before) or _CAPITAL.search(before))

    def _says_more(self, text: str, named: "_Named") -> bool:
        """Whether a text says what of a node is asked for ("the price of Pulmor"), so that no earlier question is meant."""
        before = [word.casefold() for word in re.findall(r"[\w'’-]+", text[: named.start])]
        types = {word.casefold() for t in self.graph.schema.node_types for word in t.name.split()}
        kinds = types | {plural(word) for word in types}
        return any(word in _OF for word in before) and any(word not in _SMALL | kinds for word in before)

    def _has(self, name: str, text: str) -> bool:
        """Whether a word of a text is of what nodes of this name have: a relation or a property, by whose own words it is called."""
        schema = self.graph.schema
        types = {self.graph.node_type(node).name for node in self.index.exact(name)}
        named = [f.name for t in types for f in schema.node_type(t).features]
        named += [view for t in types for view in schema.views_from(t)]
        kinds = {token.stem for t in schema.node_types for token in tokenize(" ".join(split_name(t.name)))}
        own = {
            token.stem for each in named for token in tokenize(" ".join(split_name(each))) if token.content
        }
        return any(token.content and token.stem in own - kinds for token in tokenize(text))

    def _is_one_of(self, name: str, kinds: frozenset[str]) -> bool:
        nodes = self.index.exact(name)
        return not kinds or any(self.graph.node_type(node).name in kinds for node in nodes)

    def _names(self, answer: Answer) -> list[str]:
        """The nodes of the graph that an answer consists of, by name."""
        values = answer.value if isinstance(answer.value, list) else [answer.value]
        names = [value for value in values if isinstance(value, str) and self.index.exact(value)]
        return names if len(names) == len(values) else []

    def _named(self, question: str) -> list["_Named"]:
        """The names in a question that are written as in the graph, or with `'s`; none inside another."""
        found: list[_Named] = []
        for mention in self.index.mentions(question):
            text = question[mention.start : mention.end]
            apart = all(mention.end <= other.start or other.end <= mention.start for other in found)
            written = text[:1].isupper() or text in map(self.graph.label, mention.nodes)
            if apart and written and (mention.literal or _OWN.search(text)):
                found.append(_Named(mention.start, mention.end, mention.nodes, text))
        return sorted(found, key=lambda named: named.start)

    def _again(self, text: str, asked: Sequence[str]) -> str:
        """An earlier question with the name in `text` in the place of one of its own; empty where that is not meant.

        `asked` are the earlier questions, the last first. The last that names a node of the same type is meant, else the
        last of all.
        """
        then = without_moment(text)
        if then and then.period and not _AGAIN.sub("", then.question, count=1).strip("?!., "):
            earlier = without_moment(asked[0])
            return f"{(earlier.question if earlier else asked[0]).rstrip('?!. ')} as of {then.period}?"
        rest = _AGAIN.sub("", text, count=1)
        if _ASKS.search(rest) or any(_MANY.search(question) for question in asked[:1]):
            return ""
        year, years = _YEAR.fullmatch(rest.rstrip("?!. ")), _YEAR.findall(asked[0])
        if year and not self.index.exact(year[0]):
            return _YEAR.sub(year[0], asked[0]) if len(years) == 1 else ""
        new = self._named(rest)
        if len(new) != 1:
            return ""
        if self._says_more(rest, new[0]):
            return _whole(text)
        kinds = {self.graph.node_type(node).name for node in new[0].nodes}
        named = [(before, m) for before in asked for m in reversed(self._named(before))]
        alike = [(b, m) for b, m in named if kinds & {self.graph.node_type(node).name for node in m.nodes}]
        found = alike or [(b, m) for b, m in named if b == asked[0]]
        if not found:
            return ""
        before, place = found[0]
        own = _OWN.search(place.text)
        led = (
            before[: place.start] if alike else _THE.sub("", before[: place.start])
        )  # "the UN", but "Georgia"
        return f"{led}{_plain(new[0])}{own[0] if own else ''}{before[place.end :]}"


def _plain(named: _Named) -> str:
    """A name without `'s`."""
    return _OWN.sub("", named.text)


def _put(pattern: re.Pattern[str], text: str, name: str) -> str:
    """The text with what refers back replaced by a name."""

    def named(found: re.Match[str]) -> str:
        return f"{name}'s" if found["own"] else f"in {name}" if found["there"] else name

    return pattern.sub(named, text)


def _whether(name: str, does: str) -> str:
    """Whether a node does what is said of several: `are in Asia`, `border Spain`.

    >>> _whether("Peru", "are in Asia"), _whether("Peru", "borders Chile")
    ('Is Peru in Asia?', 'Does Peru border Chile?')
    """
    verb, _, rest = does.partition(" ")
    if verb.casefold() in ("is", "are", "was", "were"):
        return f"Is {name} {rest}?"
    verb = "have" if verb.casefold() == "has" else _SINGULAR.sub("", verb)
    return f"Does {name} {verb} {rest}".rstrip() + "?"


def _whole(text: str) -> str:
    """A fragment such as "and France's population?" as a question."""
    rest = re.sub(r"^\s*(?:and|but|so|then)\b[\s,]*", "", text, flags=re.IGNORECASE)
    return rest if _ASKS.search(rest) else f"What is {rest.rstrip('?. ')}?"
