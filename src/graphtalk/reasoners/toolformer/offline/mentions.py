"""What a text mentions: the data set or graph, nodes and other things with an id, numbers, and places to be filled.

A text becomes a sequence of tokens; a mention is one token, whatever its length. Texts that differ only in what
they mention have the same `shape`.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from graphtalk.core.text import NUMBER_WORDS, ORDINAL_WORDS
from graphtalk.language.nouns import singular
from graphtalk.reasoners.toolformer.offline.catalogue import PROPERTY, Catalogue, DataSet, spelled
from graphtalk.reasoners.toolformer.offline.spelling import corrected
from graphtalk.search.spelling import near

SLOT, DATA, GRAPH, NUMBER, WORD = "<slot>", "<data>", "<graph>", "<number>", ""

_SLOT = re.compile(r"#?\[\s*(?:TBR|MASK|BLANK|\?+|_+)\s*\]|<TBR>|(?<!\w)_{3,}(?!\w)", re.I)
WORDS = re.compile(r"['’]s\b|[^\W_]+(?:[-_'’.][^\W_]+)*(?:\(s\))?|[^\w\s]|_+")
_ID = r"[^\s,;?!()\[\]{}\"“”#]+"
_HASHED = re.compile(rf"(?:(?P<kind>[^\W\d_]+)(?:['’]s)?\s?)?(?:\bnumber\s|\bno\.\s)?#\s?(?P<id>{_ID})", re.I)
_BARE = re.compile(rf"\b(?=(?P<kind>[^\W\d_]+)\s(?:numbered\s|number\s|no\.\s|id\s)?(?P<id>{_ID}))", re.I)
_HANDLE = re.compile(
    r"(?:\b(?P<kind>user|users|member|account|person|profile)\s)?(?<![\w@.#])@(?P<id>\w+(?:[.-]\w+)*)", re.I
)
_INTEGER = re.compile(r"(?<![\w#.])\d+(?![\w.]*\w)")
_AS_ID = re.compile(r"(?=.*[\d/_.])[\w./:@+'-]+")
_FORMS = {
    "knowledge": re.compile(r"(?<![\w#])(?:/[\w.]+(?:/[\w.]+)+|_[a-z]\w+|[\w'-]+\.[nvasr]\.\d+)"),
    "recommender": re.compile(r"(?<![\w#])[ui]\d+\b"),
}
_ENTITY = re.compile(r"/[mg]/\w+|[\w'/.-]+\.[nvasr]\.\d+")
_NODES = re.compile(r"\b(?:nodes|vertices|points)\s+#?(\d+)\s*(?:and|to|,|or)\s*(?:node\s*)?#?(\d+)", re.I)
_BETWEEN = re.compile(r"\b(?:between|from)\s+#?(\d+)\s+(?:and|to)\s+#?(\d+)\b", re.I)
_NUMBERS = {w: n for n, w in enumerate(NUMBER_WORDS) if n} | {
    "dozen": 12, "thirty": 30, "fifty": 50, "hundred": 100,
}  # fmt: skip
_PLACES = {
    "initial": 1, "premier": 1, "foremost": 1, "opening": 1, "very first": 1, "inaugural": 1, "introductory": 1, "last": -1, "final": -1,
    **{word: n for n, word in enumerate(ORDINAL_WORDS, 1)},
}  # fmt: skip
_WORD_PLACES = "|".join(sorted(_PLACES, key=len, reverse=True))
_ORDINAL = re.compile(
    rf"\b(?:(?P<word>{_WORD_PLACES})|(?P<nth>[1-9]\d{{0,6}})(?:st|nd|rd|th))"
    r"\s+(?P<all>of\s+(?:all\s+)?(?:the\s+)?)?(?P<kind>[^\W\d_]+)(?!\w|['’](?!s\b)|\s*#|\s+(?:number|no\.|that|which|who|to)\s)"
    rf"|\b(?P<named>[^\W\d_]+)\s+number\s+(?P<told>{'|'.join(NUMBER_WORDS[1:])})\b(?!-)",
    re.I,
)
_IN_ORDER = frozenset(("paper", "instance", "user", "item", "entity", "node"))
_NUMBER = re.compile(rf"\b(?:\d{{1,4}}|{'|'.join(_NUMBERS)})\b", re.I)
_NAMED = re.compile(
    r"""["“][^"”]+["”]|(?<![.?!:] )(?<!^)\b[A-Z][\w'’&-]+(?:,? [A-Z0-9][\w'’&:-]*)*(?: \(\d{4}\))?"""
)
_MOST_CORRECTED = 1000
"""Slips of spelling are looked for in texts of at most so many characters."""
_NEAR_MEMBER = re.compile(r"\b((?:[^\W\d_]+[\s_-]){0,3}[^\W\d_]+)[\s_-](graph|tree)\b")
_OF_DATA = re.compile(r"#\s?\w|\b(?:network|graph|data ?set)\b", re.I)
_ENGLISH = frozenset(("proteins", "amazon"))  # near to other words: "protein", "amazing"
_LOOSE = frozenset("number numbered no id and graph object subject head tail source".split())
_TELL_ENDS = frozenset(
    ("whose", "for")
)  # which end of a triple is asked for: "the tail for X", "whose R is X"
_SINGLE = frozenset("a an any each every no one".split())
_PLURAL_KINDS = frozenset("users members people accounts persons profiles and".split())
_NO_NAME = frozenset(
    """a an and any are as at be been being belong belongs both by can communities community could did do does each for
    form from get gets group groups had has have id ids if in into involved is it its join joins like likes likely live
    lives may might network of on or part purchase rate rates rated s shall share shares should that the their them then
    there these they this those to under user users was watch were what when where which who whom whose will with within
    would you your accounts account member members named called node nodes number numbered most next buy""".split()
)


@dataclass(frozen=True)
class Token:
    """A word, a mark, or a mention, at `start` of the text.

    kind: empty for a word or a mark; else SLOT, DATA, GRAPH, NUMBER, or the kind of what is mentioned
    value: what a call writes for it: a name, an id, a number
    glued: whether no blank stands before it
    meant: the word without slips of spelling, where it has one
    place: which one of its kind it is, in the order of the graph, where it is told so: 1 for "the first paper", -1 for the last
    """

    text: str
    start: int
    kind: str = WORD
    value: str = ""
    glued: bool = False
    meant: str = ""
    place: int = 0

    @property
    def mask(self) -> str:
        """The token in a shape: the word in lower case, or its kind in angle brackets."""
        if self.kind == WORD:
            return self.meant or self.text.lower().replace("’", "'")
        return self.kind if self.kind.startswith("<") else f"<{self.kind}>"


@dataclass(frozen=True)
class TokenText:
    """A text as tokens, and the data set that it is about, if it names one.

    member: the graph of the set that it is about, if it names one
    others: further graphs that it names
    """

    text: str
    tokens: tuple[Token, ...]
    data: DataSet | None
    member: str = ""
    others: tuple[str, ...] = ()

    @property
    def shape(self) -> tuple[str, ...]:
        """The masks of all tokens."""
        return tuple(token.mask for token in self.tokens)

    def of(self, kind: str) -> list[Token]:
        """The mentions of a kind, in order."""
        return [token for token in self.tokens if token.kind == kind]


def read(text: str, catalogue: Catalogue, about: TokenText | None = None) -> TokenText:
    """`text` with its mentions. A kind that a family does not have is not looked for.

    about: what a text that names no graph is about: what a clause beside it names
    """
    return _Finder(text, catalogue).read(about)


def named(text: str, catalogue: Catalogue) -> list[tuple[int, int]]:
    """Where a text names graphs and data sets, in order; spelt as they are."""
    members = _member_pattern(catalogue.members).finditer(_plain(text))
    found = [match.span() for match in members]
    for match in _data_pattern(catalogue).finditer(text):
        if all(match.end() <= start or end <= match.start() for start, end in found):
            found.append(match.span())
    return sorted(found)


class _Finder:
    """Finds mentions from the surest to the least sure; a later one never overlaps an earlier one."""

    def __init__(self, text: str, catalogue: Catalogue) -> None:
        self._text = text
        self._catalogue = catalogue
        self._taken: list[Token] = []

    def read(self, about: TokenText | None) -> TokenText:
        for match in _SLOT.finditer(self._text):
            self._take(match.start(), match.end(), SLOT)
        data = self._data() or (about.data if about else None)
        member = next((token.value for token in self._taken if token.kind == GRAPH), "")
        if not (member or any(token.kind == DATA for token in self._taken)) and about:
            member = about.member
        if data is not None:
            self._mentions(data)
            if data.family == "recommender":
                self._names()
                self._numbers()
        others = self._others() if data is not None else ()
        tokens = tuple(_glue(self._text, self._tokens(with_slips=data is not None)))
        return TokenText(self._text, tokens, data, member, others)

    def _take(self, start: int, end: int, kind: str, value: str = "", place: int = 0) -> bool:
        if any(t.start < end and start < t.start + len(t.text) for t in self._taken):
            return False
        self._taken.append(Token(self._text[start:end], start, kind, value, place=place))
        return True

    def _data(self) -> DataSet | None:
        members = self._catalogue.members
        match = _member_pattern(members).search(_plain(self._text))
        if match and match.lastgroup:
            self._take(match.start(), match.end(), GRAPH, members[int(match.lastgroup[1:])])
            return self._property()
        for match in _data_pattern(self._catalogue).finditer(self._text):
            before = self._text[: match.start()].rstrip().lower()
            if before.endswith(("#", " user", "/")) or not match.lastgroup:
                continue
            found = self._catalogue.data[int(match.lastgroup[1:])]
            self._take(match.start(), match.end(), DATA, found.name)
            return found
        if len(self._text) > _MOST_CORRECTED:
            return None
        return self._near_member() or self._near_data()

    def _near_member(self) -> DataSet | None:
        """The graph whose name is misspelt: "the peterson graph"."""
        for match in _NEAR_MEMBER.finditer(_plain(self._text)):
            words = re.split(r"[\s_-]+", match[1])
            for first in range(len(words)):
                stem = " ".join(words[first:])
                if name := next(iter(near(stem, _stems(self._catalogue.members, match[2]))), None):
                    start = match.end() - len(match[2]) - 1 - len(stem)
                    self._take(start, match.end(), GRAPH, f"{name.replace(' ', '_')}_{match[2]}")
                    return self._property()
        return None

    def _near_data(self) -> DataSet | None:
        """The data set whose name is misspelt, in a text that has an id or a word for graphs: "paper #3 of citseer"."""
        if not _OF_DATA.search(self._text):
            return None
        names = {each.name: each for each in self._catalogue.data if each.name not in _ENGLISH}
        for match in re.finditer(r"\b[^\W\d_]{6,}\b", self._text):
            if name := next(iter(near(match[0].lower(), names)), None):
                self._take(match.start(), match.end(), DATA, name)
                return names[name]
        return None

    def _property(self) -> DataSet:
        return next(each for each in self._catalogue.data if each.name == "gpr")

    def _others(self) -> tuple[str, ...]:
        """The graphs and data sets that are named beside the one that calls will be about."""
        named = {token.value for token in self._taken if token.kind in (GRAPH, DATA)}
        if any(token.kind == GRAPH for token in self._taken):
            named.add("gpr")  # "the bull graph of gpr" is one graph
        members, data = self._catalogue.members, self._catalogue.data
        found = {
            members[int(match.lastgroup[1:])]
            for match in _member_pattern(members).finditer(_plain(self._text))
            if match.lastgroup and self._is_free(match)
        } | {
            data[int(match.lastgroup[1:])].name
            for match in _data_pattern(self._catalogue).finditer(self._text)
            if match.lastgroup and self._is_free(match)
        }
        return tuple(sorted(found - named)) if named else ()

    def _is_free(self, match: re.Match[str]) -> bool:
        return not any(t.start < match.end() and match.start() < t.start + len(t.text) for t in self._taken)

    def _mentions(self, data: DataSet) -> None:
        kinds = self._catalogue.kinds[data.family]
        default = {"bibliographic": "paper", "molecular": "instance", "social": "user", PROPERTY: "node"}
        for match in _HANDLE.finditer(self._text) if data.family == "social" else ():
            self._take(match.start(), match.end(), "user", match["id"])
        for match in _HASHED.finditer(self._text):
            word = (match["kind"] or "").lower()
            kind = (
                _kind(word, match["id"], data.family, kinds)
                or default.get(data.family)
                or _by_form(match["id"])
            )
            if data.family == PROPERTY and (word in self._others_words() or not _trim(match["id"]).isdigit()):
                kind = "stranger"  # no node of these graphs, which are numbered: no function takes it
            known = any(word in words for words in kinds.values())
            self._entity(match, kind, match.start() if known else match.start("id") - 1)
        if data.family == PROPERTY:
            self._pairs()
        for match in _BARE.finditer(self._text):
            if bare := _kind(match["kind"].lower(), match["id"], data.family, kinds):
                named = bare == "user" and data.family == "social" and self._names_one(match)
                if _AS_ID.fullmatch(_trim(match["id"])) or (named and match["id"].lower() not in _NO_NAME):
                    tells = match["kind"].lower() in _TELL_ENDS
                    self._entity(match, bare, match.start("id" if tells else "kind"))
        by_id = {token.kind for token in self._taken}
        for match in _ORDINAL.finditer(self._text):
            word = (match["named"] or match["kind"]).lower()
            word = singular(word) if match["all"] else word
            which = next((kind for kind, words in kinds.items() if word in words), "")
            if which in _IN_ORDER - by_id:
                self._take(match.start(), match.end(), which, place=_place(match))
        numbered = {"molecular": "instance", "bibliographic": "paper"}.get(data.family)
        if numbered and not any(token.kind == numbered for token in self._taken):
            for match in _INTEGER.finditer(self._text):
                self._take(match.start(), match.end(), numbered, match[0])
        for match in _FORMS[data.family].finditer(self._text) if data.family in _FORMS else ():
            form = (
                _by_form(match[0])
                if data.family == "recommender"
                else _kind("", match[0], data.family, kinds)
            )
            self._take(match.start(), match.start() + len(_trim(match[0])), form or "entity", _trim(match[0]))

        told = any(token.kind == "relation" for token in self._taken)
        for relation in () if told else sorted(data.relations, key=len, reverse=True):
            pattern = rf"\b(?:the|an?|which|what)\s({spelled(relation.strip('_'))}s?)\b"  # not "how many", "the largest"
            for match in re.finditer(pattern, self._text, re.I):
                self._take(match.start(1), match.end(1), "relation", relation)

    def _others_words(self) -> frozenset[str]:
        """The words before ids that only other families than that of plain graphs have: "paper", "user"."""
        kinds = self._catalogue.kinds
        words = {word for family in kinds for each in kinds[family].values() for word in each}
        return frozenset(words.difference(*kinds[PROPERTY].values()) - _LOOSE)

    def _names_one(self, match: re.Match[str]) -> bool:
        """Whether the word behind "user" may be a name: "user hbo", but not "every user falls", "users fall"."""
        word, before = match["kind"].lower(), self._text[: match.start()].split()
        if word == "and":
            taken = next((t for t in self._taken if t.start + len(t.text) == match.start() - 1), None)
            return taken is not None and taken.kind == "user"
        if word in _PLURAL_KINDS:
            return bool(re.match(r"\s*(?:and|,)\s", self._text[match.end("id") :]))
        return not (before and before[-1].lower() in _SINGLE)

    def _entity(self, match: re.Match[str], kind: str, start: int) -> None:
        value = _trim(match["id"])
        if value:
            self._take(start, match.start("id") + len(value), kind, value)

    def _pairs(self) -> None:
        for match in (*_NODES.finditer(self._text), *_BETWEEN.finditer(self._text)):
            for group in (1, 2):
                self._take(match.start(group), match.end(group), "node", match[group])

    def _names(self) -> None:
        """Things by their names, which no function here takes: what X would give to "Fargo (1996)" is no list for X."""
        for match in _NAMED.finditer(self._text):
            self._take(match.start(), match.end(), "stranger")

    def _numbers(self) -> None:
        for match in _NUMBER.finditer(self._text):
            self._take(match.start(), match.end(), NUMBER, str(_NUMBERS.get(match[0].lower(), match[0])))

    def _tokens(self, with_slips: bool) -> Iterator[Token]:
        at = 0
        for mention in sorted(self._taken, key=lambda t: t.start):
            yield from self._words(at, mention.start, with_slips)
            yield mention
            at = mention.start + len(mention.text)
        yield from self._words(at, len(self._text), with_slips)

    def _words(self, start: int, end: int, with_slips: bool) -> Iterator[Token]:
        with_slips &= len(self._text) <= _MOST_CORRECTED
        for match in WORDS.finditer(self._text, start, end):
            meant = corrected(match[0]) if with_slips and match[0].isalpha() else ""
            yield Token(match[0], match.start(), meant="" if meant == match[0].lower() else meant)


def _place(match: re.Match[str]) -> int:
    """Which one an ordinal means: 1 for "the first paper", "the first of the papers" and "paper number one"."""
    if told := match["told"]:
        return NUMBER_WORDS.index(told.lower())
    return int(match["nth"]) if match["nth"] else _PLACES[" ".join(match["word"].lower().split())]


def _glue(text: str, tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        glued = token.start > 0 and not text[token.start - 1].isspace() and not token.text.startswith("#[")
        yield replace(token, glued=glued)


def _kind(word: str, id: str, family: str, kinds: Mapping[str, frozenset[str]]) -> str | None:
    if family == "knowledge":
        if _ENTITY.fullmatch(_trim(id)):
            return "entity"
        if id.startswith(("_", "/")):
            return "relation"
    return next((kind for kind, words in kinds.items() if word in words), None)


def _by_form(id: str) -> str:
    return "user" if id[:1] == "u" else "item"


def _trim(id: str) -> str:
    id = id.lstrip("@").rstrip(".:!'’")
    return re.sub(r"['’]s$", "", id)


def _plain(text: str) -> str:
    """`text` in lower case and without accents, of the same length."""
    return text.lower() if text.isascii() else "".join(map(_letter, text))


def _letter(character: str) -> str:
    return unicodedata.normalize("NFD", character)[0].lower()[:1]


@cache
def _member_pattern(members: tuple[str, ...]) -> re.Pattern[str]:
    """One group for each member, the longest name first. "graph" may be left out of names that nothing else bears."""
    parts = []
    for at, name in sorted(enumerate(members), key=lambda each: -len(each[1])):
        stem, _, last = name.rpartition("_")
        body = spelled(stem).replace("moebius", "moe?bius")
        optional = "?" if last == "graph" and ("_" in stem or stem in _DISTINCTIVE) else ""
        parts.append(rf"(?P<d{at}>{body}(?:[\s_-]?{last}){optional})")
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w|{_ONLY_LIKE})")


@cache
def _stems(members: tuple[str, ...], last: str) -> tuple[str, ...]:
    """The names that end in `last`, without it."""
    return tuple(
        name.removesuffix(f"_{last}").replace("_", " ") for name in members if name.endswith(f"_{last}")
    )


_ONLY_LIKE = r"[-\s]?(?:like|style|type|esque|free)\b"  # "the Petersen-like graph" is another one
_DISTINCTIVE = frozenset(
    "chvatal desargues frucht heawood pappus petersen turan dodecahedral icosahedral".split()
)


def _data_pattern(catalogue: Catalogue) -> re.Pattern[str]:
    return _alternatives(tuple((i, alias) for i, d in enumerate(catalogue.data) for alias in d.aliases))


@cache
def _alternatives(aliases: tuple[tuple[int, str], ...]) -> re.Pattern[str]:
    by_data: dict[int, list[str]] = {}
    for index, alias in aliases:
        by_data.setdefault(index, []).append(spelled(alias))
    parts = (
        f"(?P<d{index}>{'|'.join(sorted(forms, key=len, reverse=True))})" for index, forms in by_data.items()
    )
    return re.compile(rf"(?<![\w#/])(?:{'|'.join(parts)})(?![\w/])", re.I)
