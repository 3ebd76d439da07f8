"""Words that change what a question means (not, each, per, second, at least, …): a closed list, found in a text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product

from graphtalk.language.leading import ASKING, ORDERS

UNSAYABLE = frozenset(  # that no reading of a stored graph says
    {
        "privative",
        "aspect",
        "universal",
        "indirect",
        "habitual",
        "approximate",
        "daytime",
        "unrecorded",
        "tied",
    }
)
OF_STORED = UNSAYABLE | {
    "same",
    "repeated",
}  # kinds that mean something else, or nothing, in a problem in words
_EVERY = (
    re.compile(  # "bought every book", "performed at all the venues" at the end, "all of Rack 0's machines"
        r"\b(?:(?P<before>\w+) )?\b(?P<all>"
        r"(?:all|each|every one) (?:of )?(?:\w+ ){0,3}?\w+(?P<own>['’]s?)(?= \w)"
        r"|(?P<plural>all)(?: of)?(?: the)? [a-z]+s\b|everything|everyone|everybody|every \w+)",
        re.I,
    )
)
_ASKED = frozenset((*ORDERS, *"me are were".split()))  # before all that are asked for
_ASKING = re.compile(r"\b(?:which|who|what|how many|that)\b", re.I)
_LEADING = frozenset("in at for to on by with from over across among".split())
_RECKONING = frozenset("add adding together take taking sum summing tally count counting averaging".split())
_NO_DEED = _ASKED | _RECKONING | frozenset("is was of and per than".split())
_OF_SOME = re.compile(  # "which plays are shown in all towns"; "which is the best in all towns" asks for one
    r"\W*(?:which|who)\b(?!.*\b(?:most|least|fewest|average|total|\w+est)\b)", re.I
)
_WORD = re.compile(r"\w")
_ALL_SO = re.compile(
    r"^\W*(?:is|are|was|were|do|does|did|has|have|had)\W+(?P<all>all|every|each|everyone|everybody|everything)\b",
    re.I,
)  # whether it is so of all
_NONE_SO = re.compile(  # whether it is so of none: "is it true that no crew sailed"; not "are there no boats"
    r"^\W*(?:(?:is|was|isn['’]t) it (?:true|so|correct|right|the case) that (?:there (?:is|are|was|were) )?|(?:is|are|was|were|do|does|did|has|have|had) )"
    r"(?P<none>no(?:body| one| \w+)|none\b|nothing|neither)",
    re.I,
)
_MAY = re.compile(  # "who should lead X" asks for no leader; "could you tell", "what would be" and "who will leave in 2030" do not ask so
    r"\b(?:who|(?:which|what)(?: [\w-]+){0,2})(?: |(?=['’]))(?P<may>should|could|would|will|['’]ll|shall|ought to|wants? to|wanted to|almost|nearly|(?:is|are|was|were) (?:going|about) to)(?: not)? "
    r"(?!be\b|i\b|we\b|you\b|it\b|that\b)(?!.*\b\d{4}\b)",
    re.I,
)
_BEEN_TO = re.compile(
    r"\b(?:has|have|had)\b[^.?!]*\b(?P<been>been (?:to|in|at))(?=\W*$)", re.I
)  # where somebody was once
_NESTED_NONE = re.compile(  # "a skill that nobody has", "no stage except X": of all, not of each
    r"\b(?:an?|any|some) (?:[\w-]+ ){1,2}(?:that|which|who) (?P<of>nobody|no one|none)\b"
    r"|\b(?P<other>no other)\b|\b(?P<but>no [\w-]+) (?:(?:other|else) than|except|besides|apart from|aside from|but)\b"
    r"|\b(?:someone|somebody|anyone|anybody) (?P<without>without|with no)\b",
    re.I,
)
_CLOCK = re.compile(r"\b\d{1,2}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o['’]clock)(?!\w)", re.I)
_NEVER_SAME = re.compile(r"\b(?:never|not) (?:\w+ )?(?:in|at|on|with|to|by|for) the same\b", re.I)
_SECOND = re.compile(  # a second question
    r"(?<=\w)\W+(?:how many of (?:them|those|these)\b|and how (?:many|much)(?: \w+){0,4}(?=[?.! ]*$))"
    r"|(?<=,) and (?:(?:by|to|for|with|from) )?(?:who|whom|when|where|why)\b(?= \w+(?: \w+){0,2}[?.! ]*$)"
    r"|(?<=\w),? and (?:who|whom|when|where|why)\b(?=(?: [\w'’-]+){0,4} (?:it|them|that|him|her|this|one)[?.! ]*$)",
    re.I,
)


@dataclass(frozen=True)
class OperatorWord:
    """A word of the list where it stands in a text: its kind, and from where to where."""

    kind: str
    word: str
    start: int
    end: int


def operator_words(text: str, names: Sequence[tuple[int, int]] = ()) -> Iterator[OperatorWord]:
    """The words of the list in a text, in order, but for those that lie in names: spans of (start, end).

    Of words inside one another the longest counts: "at least" is no "least".
    """
    found = _found(text)
    end = 0
    for word in sorted(found, key=lambda w: (w.start, -w.end)):
        inside = any(start <= word.start and word.end <= stop for start, stop in names)
        if word.end > end and not inside:
            yield word
        end = max(end, word.end)


@lru_cache(maxsize=256)  # a question is asked about many times
def _found(text: str) -> tuple[OperatorWord, ...]:
    return tuple(
        OperatorWord(kind, match.group().lower(), match.start(), match.end())
        for kind, pattern in _patterns()
        for match in pattern.finditer(text)
    )


def unsayable(text: str, names: Sequence[tuple[int, int]] = ()) -> list[str]:
    """What of a question no reading says: "former", "possibly", "border all of X's neighbours"; not "list all of X's"."""
    listed = [w.word for w in operator_words(text, names) if w.kind in UNSAYABLE]
    listed += [m.group().strip() for m in _SECOND.finditer(text)]
    listed += [m["all"] for m in _ALL_SO.finditer(text)]
    listed += [m.group() for m in _NEVER_SAME.finditer(text)]
    clocks = (m.group() for m in _CLOCK.finditer(text))  # phrases alone read a time of day
    return [*listed, *unmeant(text, names), *clocks, *_done_to_each(text)]


def unmeant(text: str, names: Sequence[tuple[int, int]] = ()) -> list[str]:
    """What of a question neither readings nor phrases mean: what was, may or will be so; whether it is so of none."""
    listed = [w.word for w in operator_words(text, names) if w.kind == "aspect"]
    listed += [m["none"] for m in _NONE_SO.finditer(text)]
    inside = [range(start, end) for start, end in names]  # Will Lyon
    listed += [m["may"] for m in _MAY.finditer(text) if not any(m.start("may") in span for span in inside)]
    listed += [m["been"] for m in _BEEN_TO.finditer(text)]
    listed += [next(filter(None, m.groups())) for m in _NESTED_NONE.finditer(text)]
    return listed


def _done_to_each(text: str) -> Iterator[str]:
    """All of which something is said that is true of each: not what is asked for, nor what is counted or compared with."""
    asking, plain = _ASKING.search(text), _OF_SOME.match(text)
    for found in _EVERY.finditer(text):
        before = (found["before"] or "").lower()
        if found["own"]:
            said = before not in _ASKED and found.start("all") > 0
        elif before in _LEADING:
            said = plain is not None and _WORD.search(text, found.end()) is None
        else:
            asked = not found["plural"] or (asking is not None and asking.end() < found.start("all"))
            said = asked and bool(before) and before not in _NO_DEED
        if said:
            yield found["all"]


_ARTICLES = re.compile(r"\W*(?:(?:the|a|an|by|far|its|their|one of|\w+['’]s)\W+)*")
_BOTH = re.compile(r"\W+(?:(?:\w+\W+){0,2}both|(?:the\W+)?number of)\b", re.I)
_AGAIN = re.compile(r"\s*(?:do|does|did|is|are|was|were|has|have|had|can|could)?\s*", re.I)
_DENYING = re.compile(  # "import" denies no port, but "inactive", "illegal" and "incorrect" deny
    r"(?<!\w)(?:(?:un|non-?|dis)(?=\w{4})|(?:i[nmrl])(?=\w*(?:[ai]ble|ive|[ae]nt|al|ic|ete|ect|ar|ure|ile)\b))(\w+)",
    re.I,
)


def denied_whole(text: str, names: Sequence[tuple[int, int]] = ()) -> list[str]:
    """The negations that do not deny a condition but what is asked of all, or another one: "not the largest", "not never"."""
    found, extreme, denied = [], None, None
    for word in reversed(list(operator_words(text, names))):
        if word.kind == "negation" and denied is not None and _AGAIN.fullmatch(text, word.end, denied.start):
            found.append(text[word.start : denied.end])
        denied = word if word.kind == "negation" else None
        if word.kind in ("most", "least", "average", "total"):
            extreme = word
        elif word.kind == "negation":
            articles, both = _ARTICLES.match(text, word.end), _BOTH.match(text, word.end)
            if extreme is not None and articles and articles.end() == extreme.start:
                found.append(text[word.start : extreme.end])
            elif both:
                found.append(text[word.start : both.end()])
    return found


def denied_words(text: str) -> Iterator[tuple[str, str]]:
    """The words that a prefix may turn into their opposite, and what it stands before: "unpaid" and "paid"."""
    for found in _DENYING.finditer(text):
        yield found[0], found[1]


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple([(k.name, any_of(k.words)) for k in kinds() if k.words])


@dataclass(frozen=True)
class Kind:
    """A kind of such words: what of a reading of a stored graph uses them (empty: nothing is asked of it), all that count there."""

    name: str
    words: tuple[str, ...]
    parts: frozenset[str]
    pattern: re.Pattern[str]


@cache
def closed_words() -> frozenset[str]:
    """The single words of the list, and those that questions begin with, in lower case."""
    rows = (line.split("\t") for line in _listed())
    listed = (word for row in rows for part in (row[1], row[3]) for word in re.findall(r"[a-z]+", part))
    return frozenset((*listed, *ORDERS, *ASKING))


def _listed() -> Iterator[str]:
    text = (files("graphtalk.language") / "operators.tsv").read_text("utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def kinds() -> tuple[Kind, ...]:
    """The list, kind by kind."""
    found = []
    for row in (line.split("\t") for line in _listed()):
        words, further = (
            tuple(w for each in listed.split("|") for w in _each(each)) if listed != "-" else ()
            for listed in (row[1], row[3])
        )
        parts = frozenset(row[2].split()) - {"-"}
        found.append(Kind(row[0], words, parts, any_of((*words, *further))))
    return tuple(found)


def _each(words: str) -> Iterator[str]:
    """The words that a row of alternatives stands for: `any/no one_else` for "any one else" and "no one else"."""
    for chosen in product(*(part.split("/") for part in words.split(" "))):
        yield " ".join(chosen).replace("_", " ")


def any_of(words: Sequence[str]) -> re.Pattern[str]:
    """A pattern that finds any of some words of the list, the longest first."""
    listed = "|".join(_one(word) for word in sorted(words, key=len, reverse=True))
    contracted = r"|(?<=\w)n['’]t(?!\w)" if "n't" in words else ""
    return re.compile(rf"(?<!\w)(?:{listed}){contracted}", re.I)


def _one(word: str) -> str:
    """A word of the list as a pattern; `over #` only before a number, `from # on` only around one."""
    if word.endswith(" #"):
        return rf"{re.escape(word[:-2])}(?=\s+[$€£]?\d)"
    number = r"(?:[$€£]?\d[\d.,-]*|\s*)"  # or where one was blanked out
    return "#".join(map(re.escape, word.split("#"))).replace("#", number) + r"(?!\w)"
