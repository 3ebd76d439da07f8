"""What kind of answer a question wants: a list, a count, true or false, the most frequent, the largest…

Cues are words of general English. Each token that serves as a cue is marked, so that it need not be
explained by the graph as well.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from graphtalk.core.text import NUMBER_WORDS, SCALE
from graphtalk.language.english import ASKING, Token, tokenize
from graphtalk.language.measures import adjectives, base_of

_THAN_ALL = r"(?P<keep>(?:(?!than\b)[^,;?]){0,40}?)\bthan (?:(?:any|all|the)(?: of)?(?: the)? (?:others?|rest)|any ?(?:one|body|thing) else)\b"

_TRUTH_HEAD = re.compile(
    r"^\W*(?:(?:please|kindly|so|and|tell me,?)\s+)*(?:is|are|was|were|does|do|did|has|have|had|can|could|will)\b",
    re.I,
)
_REQUEST = re.compile(
    r"^\W*(?:can|could|would|will|do|does|are|is) (?:you|i|we|there)\b(?!.*\b(?:true or false|yes or no)\b)",
    re.I,
)
_WH = re.compile(r"\b(?:which|what|who|whom|whose|when|where|how many|how much|list|name)\b", re.I)
_OUTCOME = re.compile(r"common|frequent|popular|prevalent|widespread|widely|often|closest")
_IMPERATIVE = re.compile(
    r"^\W*(?:(?:please|kindly|now|ok|okay|so)\W+)*(?:(?:can|could|would|will) (?:you|i|we)\b|"
    r"(?:tell|list|give|find|name|show|identify|get|state|report|put|provide|return|fetch|describe|i (?:want|need)|"
    r"what(?:'s| is| are) (?:the|all))\b)",
    re.I,
)
_ONE = re.compile(r"\s+ones?\b", re.I)  # "which one": what is asked for was named before
_PARTITIVE = re.compile(r"^\W*(?:of|among|amongst|out of)\b(?! (?:which|what|whom)\b)", re.I)
_AUXILIARY = re.compile(r"\s+(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b", re.I)
_OPEN = re.compile(  # nothing between the question word and an auxiliary with its subject
    r"\s+(?:(?:does|do|did|has|have|had|can|could|will|would|might)\b|(?:is|are|was|were)\W*\x00)", re.I
)
_NUMBERS = {word: n for n, word in enumerate(NUMBER_WORDS[:11]) if n >= 2}
_MANY = re.compile(
    r"\b(?:top|first|the|which|what|name|list)\s+(?P<n>\d{1,2}|"
    + "|".join(_NUMBERS)
    + r")\s+(?:main|most|\w+est|top|\w+)\b"
    r"|\btop[- ](?P<m>\d{1,2})\b",
    re.I,
)
COMPARISONS: tuple[tuple[str, str], ...] = (
    (r"\b(?:at least|no fewer than|no less than|minimum of)\s+{n}", ">="),
    (r"\b(?:at most|no more than|maximum of|up to)\s+{n}", "<="),
    (r"\b(?:more|greater|larger|higher|bigger|longer|older|taller) than\s+{n}", ">"),
    (r"\b(?:over|above|exceed(?:s|ing)?|after|since)\s+(?:the )?(?:year )?{n}", ">"),
    (r"\b(?:less|fewer|smaller|lower|shorter|younger) than\s+{n}", "<"),
    (r"\b(?:under|below|before|prior to)\s+(?:the )?(?:year )?{n}", "<"),
    (r"\b(?:exactly|precisely|equal to|equals)\s+{n}", "="),
    (r"\b(?:in|of|from|during|is|was|at)\s+(?:the )?(?:year )?{n}", "="),
)
_SCALED = r"\s*(?P<scale>thousand|million|billion|trillion|k|m|bn)?\b"
_DIGITS = rf"(?P<number>\d[\d,]*(?:\.\d+)?){_SCALED}"
_NUMBER = rf"(?P<number>\d[\d,]*(?:\.\d+)?|{'|'.join(_NUMBERS)}){_SCALED}"
MOST_NAMED = 4  # words of a feature's name
UNITS = (
    r"(?:\s*(?:square |cubic )?(?:k?m|km2|km²|kilometres?|kilometers?|metres?|meters?|miles?|feet|ft"
    r"|years?|dollars?|usd|euros?|percent|%|kg|kilos?|grams?|minutes?|hours?)\b)?"
)
_MEASURE = re.compile(r"\bhow (?P<plain>\w+) (?:is|are|was|were|does|do|did|has|have)\b", re.I)
_COMPARATIVE = re.compile(r"\b(?:(?:more|less) (?P<plain>\w+)|(?P<er>\w+er)|(?P<word>better|worse))\b", re.I)
_SUPERLATIVE = re.compile(
    r"\b(?:(?:most|least) (?P<plain>\w+)|(?P<est>\w+est)|(?P<word>first|last|best|worst)|"
    r"(?P<verb>began|begin|begins|started|starts|ended|ends)(?= with\b))\b",
    re.I,
)


@dataclass(frozen=True)
class Comparison:
    """A comparison with a number in the question: `> 1000000`."""

    operator: str
    number: float
    loose: bool = False  # only "in", "of" or "from" before it: likelier a year than a comparison

    @property
    def dates(self) -> bool:
        """Whether the number is likely a year."""
        return 1000 <= self.number <= 2100


@dataclass(frozen=True)
class Measure:
    """An adjective: what features it may measure, each with whether the wanted end is the high one.

    `of`: the stems that follow it, which may name what it measures ("the highest population"); `high`: the end of that,
    None where the adjective says itself what it measures.
    """

    word: str
    features: tuple[tuple[str, bool], ...]
    of: tuple[str, ...] = ()
    high: bool | None = None


@dataclass(frozen=True)
class Cues:
    """The kinds of cue found, the tokens that served as cues, and where the focus begins (-1: nowhere).

    `asking` is where the word that asks stands in the text, if one does. `counted` is the word after "the most" or "how many"; `negated` is where a "not" stands in the text.
    """

    kinds: frozenset[str]
    consumed: frozenset[int]
    focus: int
    comparison: Comparison | None = None
    superlative: Measure | None = None
    comparative: Measure | None = None
    measure: Measure | None = None
    counted: int = -1
    negated: int = -1
    many: int = 1
    asking: int = -1

    def has(self, kind: str) -> bool:
        """Whether a cue of this kind was found."""
        return kind in self.kinds


@cache
def _patterns() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    """The patterns of each kind of cue, in the order in which they are looked for."""
    listed = tomllib.loads((files("graphtalk.reasoners.planner") / "cues.toml").read_text("utf-8"))
    return {
        kind: tuple(re.compile(pattern.replace("{than_all}", _THAN_ALL)) for pattern in patterns)
        for kind, patterns in listed.items()
    }


def find_cues(text: str, tokens: Sequence[Token]) -> Cues:
    """Read the cues off a question whose mentions of nodes are already masked."""
    lower = text.casefold()
    kinds: set[str] = set()
    consumed: set[int] = set()
    counted = negated = outcome = -1
    for kind, patterns in _patterns().items():
        for pattern in patterns:
            for found in pattern.finditer(lower):
                if kind == "more" and _inside(found, tokens) <= consumed:
                    continue  # "more often than the others" says most
                kinds.add(kind)
                consumed |= _consumed(found, tokens, kind)
                if kind in {"most", "least", "main"}:
                    after = _next_word(tokens, *_counted_span(found, lower))
                    if kind == "main" or _OUTCOME.search(found.group()):
                        outcome = after  # "the most frequent pathway": the word after is what is asked for
                    else:
                        counted = after
                if kind == "without":
                    negated = found.start()
    told = text.lstrip().startswith("\x00") and _WH.search(text)  # "X is by A and whom else?"
    asks = _TRUTH_HEAD.search(text) and not _REQUEST.search(text) and not told
    if asks or "truth" in kinds:
        kinds.add("truth")
    comparison, spans = _comparison(lower)
    measures = {}
    for kind, degree in (
        ("superlative", _SUPERLATIVE),
        ("comparative", _COMPARATIVE),
        ("measure", _MEASURE),
    ):
        found_measure, span = _measured(degree, lower)
        if found_measure is not None and not (kind == "comparative" and comparison is not None):
            kinds.add(kind)
            measures[kind] = found_measure
            spans.append(span)
    if comparison:
        kinds.add("comparison")
    consumed |= {i for i, t in enumerate(tokens) if any(a <= t.start and t.end <= b for a, b in spans)}
    many = _many(lower, tokens, consumed)
    words = [i for i, t in enumerate(tokens) if t.content and i not in consumed]
    wh = _question_word(text, [tokens[i].end for i in words])
    return Cues(
        frozenset(kinds),
        frozenset(consumed),
        _focus(text, tokens, consumed, words, wh, outcome),
        comparison,
        measures.get("superlative"),
        measures.get("comparative"),
        measures.get("measure"),
        counted,
        negated,
        many,
        wh.start() if wh is not None and wh.group().casefold() in ASKING else -1,
    )


def _many(lower: str, tokens: Sequence[Token], consumed: set[int]) -> int:
    """How many winners are asked for: 3 for "the top three"."""
    found = _MANY.search(lower)
    if not found:
        return 1
    word = found["n"] or found["m"]
    consumed |= {i for i, t in enumerate(tokens) if t.text.casefold() == word}
    return _NUMBERS.get(word) or int(word)


def _next_word(tokens: Sequence[Token], start: int, end: int) -> int:
    return next((i for i, t in enumerate(tokens) if start <= t.start < end and t.content), -1)


def _counted_span(found: re.Match[str], lower: str) -> tuple[int, int]:
    """Where what is counted may stand: within "more papers than the others", else after the cue."""
    return found.span("keep") if "keep" in found.groupdict() else (found.end(), len(lower))


def _inside(found: re.Match[str], tokens: Sequence[Token]) -> set[int]:
    """The tokens of a cue, without those that it keeps for others."""
    kept = found.span("keep") if "keep" in found.groupdict() else (0, 0)
    spanned = (i for i, t in enumerate(tokens) if found.start() <= t.start and t.end <= found.end())
    return {i for i in spanned if not kept[0] <= tokens[i].start < kept[1]}


def _consumed(found: re.Match[str], tokens: Sequence[Token], kind: str) -> set[int]:
    if kind == "relatedness":
        return set()  # these words also name relations
    inside = _inside(found, tokens)
    if kind in {"same", "equal"}:  # "the same symptoms as": the noun between is no cue
        return {
            i for i in inside if tokens[i].text.casefold() in {"same", "exact", "exactly", "identical", "all"}
        }
    if kind == "company":  # "bought together with"
        return {i for i in inside if tokens[i].text.casefold() == "else"}
    if kind in {"path", "distance"}:
        return {i for i in inside if tokens[i].content}
    return inside


def _comparison(lower: str) -> tuple[Comparison | None, list[tuple[int, int]]]:
    for pattern, operator in COMPARISONS:
        loose = pattern == COMPARISONS[-1][0]
        found = re.search(pattern.format(n=_DIGITS if loose else _NUMBER) + UNITS, lower)
        if found:
            written = found["number"].replace(",", "")
            number = float(_NUMBERS.get(written) or written) * SCALE.get(found["scale"] or "", 1)
            return Comparison(operator, number, loose), [found.span()]
    return None, []


def _measured(pattern: re.Pattern[str], lower: str) -> tuple[Measure | None, tuple[int, int]]:
    """The first adjective of a pattern that measures something, and its span."""
    for found in pattern.finditer(lower):
        word = next(part for part in found.groups() if part)
        base = base_of(word)
        measured = adjectives().get(base)
        if measured is not None:
            less = found.group().startswith(("least ", "less "))
            of = tuple(t.stem for t in tokenize(lower[found.end() :])[:MOST_NAMED])
            features = tuple((f, high != less) for f, high in measured.features)
            return Measure(word, features, of, features[0][1] if measured.degree else None), found.span()
    return None, (0, 0)


def _focus(
    text: str,
    tokens: Sequence[Token],
    consumed: set[int],
    words: Sequence[int],
    wh: re.Match[str] | None,
    outcome: int,
) -> int:
    """The first token that may name what is asked for, or -1 where the question does not name it.

    It follows the question word; without one (or after "which one") it is what "the most frequent" stands
    before, or the first content word. "What does X direct" and "what was X the director of" leave it open.
    In "list the films which…" the question word is a mere relative.
    """
    if wh is not None:
        if wh.group().casefold() not in ASKING and _OPEN.match(text, wh.end()):
            return -1
        first = wh.start() if wh.group().casefold() in ASKING else wh.end()
        for i, t in enumerate(tokens):
            if t.start >= first and i not in consumed and (t.content or t.start == wh.start()):
                return i
    if outcome >= 0:
        return outcome
    return words[0] if words else -1


def _question_word(text: str, ends: Sequence[int]) -> re.Match[str] | None:
    """The word that asks: not the relative of "the films which…" and "diseases whose symptoms…"."""
    found = list(_WH.finditer(text))
    if not found or _ONE.match(text, found[0].end()):
        return None
    if _PARTITIVE.match(text) and _AUXILIARY.match(text, found[0].end()):
        return None  # "of the papers of X, which is…": they are what is asked for
    if not any(end <= found[0].start() for end in ends):
        return found[0]
    if _IMPERATIVE.match(text):
        return None
    return next((wh for wh in found if wh.group().casefold() not in ASKING), found[0])
