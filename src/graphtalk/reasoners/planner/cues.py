"""What kind of answer a question wants: a list, a count, true or false, the most frequent, the largest…

Cues are words of general English. Each token that serves as a cue is marked, so that it need not be
explained by the graph as well.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from graphtalk.reasoners.planner.english import ASKING, Token

# kind of cue → patterns over the question, lower-cased; a named group `keep` is not consumed by the cue
PATTERNS: dict[str, tuple[str, ...]] = {
    "count": (
        r"\bhow many\b",
        r"(?<!most )(?<!largest )(?<!greatest )(?<!highest )(?<!maximum )(?<!biggest )(?<!fewest )(?<!smallest )"
        r"(?<!lowest )\b(?:total |overall )?(?:number|count|quantity|amount|tally) of\b",
        r"\bcount (?:of |the |how many |up )",
        r"\bhow (?:numerous|often)\b",
    ),
    "most": (
        r"\b(?:the )?(?:most|majority|bulk)(?: of)?(?: the)?(?: often| frequently| commonly)?\b",
        r"\b(?:most|largest|greatest|highest|maximum|biggest) (?:total )?(?:number|count|amount|quantity|share)(?: of)?\b",
        r"\bmost (?:common|frequent|popular|prevalent)(?:ly)?\b",
        r"\bmore .{1,40} than any other\b",
    ),
    "main": (
        r"\b(?:main|primary|predominant(?:ly)?|dominant|chief|principal|commonest|top)\b(?! \w+(?<!s)s\b)",
    ),
    "least": (r"\b(?:the )?(?:fewest|least)\b", r"\b(?:smallest|lowest) (?:number|count|amount)(?: of)?\b"),
    "same": (  # a plural: all of them; "the same director as" is any, see "share" in the thesaurus
        r"\b(?:exact(?:ly)? )?(?:the )?(?:exact )?same(?: \w+){0,2} \w+(?<!s)s (?:as|with|to)\b",
        r"\bidentical(?: \w+){0,2} \w+(?<!s)s (?:as|with|to)\b",
        r"\bshares? (?:all|every|exactly)\b",
    ),
    "only": (r"\b(?:and|but|with) no (?:others?|more|further|additional)\b", r"\bprecisely the same set\b"),
    "average": (r"\b(?:average|mean|typical)\b", r"\bon average\b"),
    "total": (r"\b(?:total|combined|altogether|in total|sum)\b(?! number)",),
    "both": (r"\bboth\b", r"\bin common\b", r"\bas well as\b"),
    "without": (r"\b(?:but not|except(?: for)?|other than|excluding|apart from|besides|without)\b",),
    "either": (r"\beither\b",),
    "path": (
        r"\b(?:shortest|quickest) (?:path|route|chain|way)\b",
        r"\bpath (?:from|between)\b",
        r"\bhow (?:is|are|was|were) .{1,80} (?:connected|related|linked)\b",
        r"\broute (?:from|between)\b",
    ),
    "distance": (
        r"\b(?:distance|hops|steps|degrees of separation|length of (?:the )?(?:shortest )?path)\b.{0,40}\b(?:between|from)\b",
        r"\bhow (?:far|many (?:hops|steps|links|edges|people))\b.{0,60}\b(?:from|between|to know)\b",
    ),
    "relatedness": (
        r"\b(?:correlat\w*|relat(?:ed|ion|ionship|ions)|connect\w*|link(?:ed|age|s)?|associat\w*|tie[ds]?|interplay)\b",
    ),
    "filler": (
        r"\bin (?:terms|the case|case|the context|the field) of\b",
        r"\bin a (?:few words|word|sentence)\b",
    ),
    "truth": (r"\b(?:true or false|yes or no|true/false|yes/no)\b",),
}
_TRUTH_HEAD = re.compile(
    r"^\W*(?:(?:please|kindly|so|and|tell me,?)\s+)*(?:is|are|was|were|does|do|did|has|have|had|can|could|will)\b",
    re.I,
)
_REQUEST = re.compile(
    r"^\W*(?:can|could|would|will|do|does|are|is) (?:you|i|we|there)\b(?!.*\b(?:true or false|yes or no)\b)",
    re.I,
)
_WH = re.compile(r"\b(?:which|what|who|whom|whose|when|where|how many|how much|list|name)\b", re.I)
_ONE = re.compile(r"\s+ones?\b", re.I)  # "which one": what is asked for was named before
_OPEN = re.compile(  # nothing between the question word and an auxiliary with its subject
    r"\s+(?:(?:does|do|did|has|have|had|can|could|will|would|might)\b|(?:is|are|was|were)\W*\x00)", re.I
)
COMPARISONS: tuple[tuple[str, str], ...] = (
    (r"\b(?:at least|no fewer than|no less than|minimum of)\s+{n}", ">="),
    (r"\b(?:at most|no more than|maximum of|up to)\s+{n}", "<="),
    (r"\b(?:more|greater|larger|higher|bigger|longer|older|taller) than\s+{n}", ">"),
    (r"\b(?:over|above|exceed(?:s|ing)?|after|since)\s+{n}", ">"),
    (r"\b(?:less|fewer|smaller|lower|shorter|younger) than\s+{n}", "<"),
    (r"\b(?:under|below|before|prior to)\s+{n}", "<"),
    (r"\b(?:exactly|equal to|equals|in|of|from|is|was|at)\s+{n}", "="),
)
_NUMBER = r"(?P<number>\d[\d,]*(?:\.\d+)?)\s*(?P<scale>thousand|million|billion|trillion|k|m|bn)?\b"
_SCALE = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12}

# adjective → the words of the feature that it measures, and whether its superlative is the largest
MEASURES: dict[str, tuple[tuple[str, ...], bool]] = {
    "large": (("area", "size", "population"), True), "big": (("area", "size", "population"), True),
    "great": (("size", "number"), True), "small": (("area", "size", "population"), False),
    "populous": (("population",), True), "popul": (("population",), True), "populated": (("population",), True),
    "long": (("length", "duration", "pages"), True), "short": (("length", "duration", "pages", "height"), False),
    "high": (("height", "elevation", "altitude", "value"), True), "low": (("height", "elevation", "value"), False),
    "tall": (("height", "elevation"), True), "heavy": (("weight", "mass"), True), "light": (("weight", "mass"), False),
    "old": (("age",), True), "young": (("age",), False), "new": (("year", "date"), True),
    "early": (("year", "date"), False), "late": (("year", "date"), True), "recent": (("year", "date"), True),
    "first": (("year", "date"), False), "last": (("year", "date"), True), "cheap": (("price", "cost"), False),
    "expensive": (("price", "cost"), True), "costly": (("price", "cost"), True), "dear": (("price", "cost"), True),
    "fast": (("speed",), True), "slow": (("speed",), False), "rich": (("gdp", "income", "wealth"), True),
    "wealthy": (("gdp", "income", "wealth"), True), "poor": (("gdp", "income", "wealth"), False),
    "best": (("rating", "score"), True), "worst": (("rating", "score"), False),
}  # fmt: skip
_SUPERLATIVE = re.compile(
    r"\b(?:(?:most|least) (?P<plain>\w+)|(?P<est>\w+(?:est))|(?P<word>first|last|latest|best|worst))\b", re.I
)


@dataclass(frozen=True)
class Comparison:
    """A comparison with a number in the question: `> 1000000`."""

    operator: str
    number: float


@dataclass(frozen=True)
class Superlative:
    """An adjective in the superlative: the words of the feature it may measure, and which end is wanted."""

    word: str
    features: tuple[str, ...]
    largest: bool


@dataclass(frozen=True)
class Cues:
    """The kinds of cue found, the tokens that served as cues, and where the focus begins (-1: nowhere)."""

    kinds: frozenset[str]
    consumed: frozenset[int]
    focus: int
    comparison: Comparison | None = None
    superlative: Superlative | None = None
    strength: dict[str, float] = field(default_factory=dict)

    def has(self, kind: str) -> bool:
        """Whether a cue of this kind was found."""
        return kind in self.kinds


def find_cues(text: str, tokens: Sequence[Token]) -> Cues:
    """Read the cues off a question whose mentions of nodes are already masked."""
    lower = text.casefold()
    kinds: set[str] = set()
    consumed: set[int] = set()
    for kind, patterns in PATTERNS.items():
        for pattern in patterns:
            for found in re.finditer(pattern, lower):
                kinds.add(kind)
                consumed |= _consumed(found, tokens, kind)
    asks = _TRUTH_HEAD.search(text) and not _REQUEST.search(text) and not _WH.search(text)
    if asks or "truth" in kinds:
        kinds.add("truth")
    comparison, spans = _comparison(lower)
    superlative, measured = _superlative(lower, tokens)
    if superlative:
        kinds.add("superlative")
        consumed |= measured
    if comparison:
        kinds.add("comparison")
    consumed |= {i for i, t in enumerate(tokens) if any(a <= t.start and t.end <= b for a, b in spans)}
    return Cues(
        frozenset(kinds), frozenset(consumed), _focus(text, tokens, consumed), comparison, superlative
    )


def _consumed(found: re.Match[str], tokens: Sequence[Token], kind: str) -> set[int]:
    if kind == "relatedness":
        return set()  # these words also name relations
    inside = {i for i, t in enumerate(tokens) if found.start() <= t.start and t.end <= found.end()}
    if kind == "same":  # "the same symptoms as": the noun between is no cue
        return {
            i for i in inside if tokens[i].text.casefold() in {"same", "exact", "exactly", "identical", "all"}
        }
    if kind in {"path", "distance"}:
        return {i for i in inside if tokens[i].content}
    return inside


def _comparison(lower: str) -> tuple[Comparison | None, list[tuple[int, int]]]:
    for pattern, operator in COMPARISONS:
        found = re.search(pattern.format(n=_NUMBER), lower)
        if found:
            number = float(found["number"].replace(",", "")) * _SCALE.get(found["scale"] or "", 1)
            return Comparison(operator, number), [found.span()]
    return None, []


def _superlative(lower: str, tokens: Sequence[Token]) -> tuple[Superlative | None, set[int]]:
    for found in _SUPERLATIVE.finditer(lower):
        inside = [i for i, t in enumerate(tokens) if found.start() <= t.start and t.end <= found.end()]
        for i in inside:
            base = _base(tokens[i].text.casefold())
            if base in MEASURES:
                names, largest = MEASURES[base]
                least = found["plain"] is not None and lower[found.start() :].startswith("least")
                return Superlative(tokens[i].text, names, largest != least), set(inside)
    return None, set()


def _base(word: str) -> str:
    for form in (
        word,
        word.removesuffix("est"),
        word.removesuffix("st"),
        re.sub(r"iest$", "y", word),
        re.sub(r"(.)\1est$", r"\1", word),
    ):
        if form in MEASURES:
            return form
    return word


def _focus(text: str, tokens: Sequence[Token], consumed: set[int]) -> int:
    """The first token that may name what is asked for, or -1 where the question does not name it.

    It follows the question word; without one (or after "which one") it is the first content word. "What does
    X direct" and "what was X the director of" leave it open.
    """
    for wh in _WH.finditer(text):
        if _ONE.match(text, wh.end()):
            break
        if _OPEN.match(text, wh.end()):
            return -1
        asks = wh.group().casefold() in ASKING
        first = wh.start() if asks else wh.end()
        for i, t in enumerate(tokens):
            if t.start >= first and i not in consumed and (t.content or t.start == wh.start()):
                return i
    return next((i for i, t in enumerate(tokens) if t.content and i not in consumed), -1)
