"""The values of a question: numbers, dates, quoted texts, names that the graph has, and names that it does not.

Each has its place in the question and, where the graph knows it, the properties that have it and how they spell it.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from graphtalk.core.text import NUMBER_WORDS, ORDINAL_WORDS, SCALE
from graphtalk.language.nouns import singular
from graphtalk.language.people import sexes
from graphtalk.language.places import nouns_of, other_names
from graphtalk.language.units import Unit, measured, units, units_of
from graphtalk.reasoners.reader.words import stem

Found = dict[str, tuple[str, ...]]
"""Properties (actions) that have a text, each with the spellings there."""
LookUp = Callable[[Sequence[str]], list[Found]]
"""What the graph knows of each of some texts."""

MOST_WORDS, MOST_CAPITALISED = 8, 16  # of a name; of one that begins with a capital
MOST_VALUES = 24

_QUOTED = re.compile(
    r"""(?<![\w])(?:'([^']+(?:'\w[^']*)*)'|"([^"]+)"|“([^”]+)”|‘([^’]+)’|`([^`]+)`|«([^»]+)»|\[([^\[\]]+)\])(?!\w)"""
)
_PART = re.compile(  # "whose name starts with lib": a text, quoted or not
    r"\b(?:start|begin|end)(?:s|ing)? with (?:the )?(?:letters? |prefix |suffix |string |word )?(-?[^\W\d][\w.+-]*)(?=\W*$|,|\s+(?:and|or|but)\b)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![\w.,:/-])[$€£]?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)\s?(%|(?:thousand|million|billion|k|m|bn)\b)?(?![\w/]|[.,:-]\w)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"(?:\d|\b(?:hundred|thousand|million|billion)) ?$", re.I)
_DECADE = re.compile(r"(?<![\w.,:/-])(?:(1[5-9]\d0|20\d0)['’]?s|['’]?([2-9]0)['’]?s)(?!\w)")
_ORDINALS = ORDINAL_WORDS[1:]
_ORDINAL = re.compile(
    rf"(?<![\w-])(?:({'|'.join(_ORDINALS)})|([1-9]\d?)(?:nd|rd|th))(?=[ -](?:\w+est|most|least|best|worst)\b)",
    re.I,
)
COUNTED = {word: i for i, word in enumerate(NUMBER_WORDS)} | {
    "dozen": 12,
    "hundred": 100,
    "once": 1,
    "twice": 2,
}
_TIMES = {"dozen": 12, "hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_PARTLY = {"half a": 0.5, "a": 1}
_SCALED = re.compile(
    rf"(?<![\w-])(?<!quarter of )(?<!third of )(?<!half of )({'|'.join((*COUNTED, *_PARTLY))}) ({'|'.join(_TIMES)})\b",
    re.I,
)
_TENS = {
    tens: 1930 + 10 * i
    for i, tens in enumerate("thirties forties fifties sixties seventies eighties nineties".split())
}
_OF_CENTURY = re.compile(
    rf"(?<=\bthe )(?:{'|'.join(_TENS)})\b", re.I
)  # of people in "their thirties" it is no year
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join([*_MONTHS, *(m[:3] for m in _MONTHS)])
_DATES = (
    (re.compile(r"(?<![\w-])(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?(?![\w-])"), "ymd"),
    (re.compile(rf"\b({_MONTH})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b", re.I), "mdy"),
    (re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({_MONTH})\.?,? (\d{{4}})\b", re.I), "dmy"),
    (re.compile(rf"\b({_MONTH})\.?,? (\d{{4}})\b", re.I), "my"),
)
_WORD = re.compile(r"[\w$#@+&][\w.'’+#&/@-]*[\w+#]|[\w$#@]", re.UNICODE)
_CODE = re.compile(r"^(?=.*[A-Za-z])(?=.*[\d._/@#-])[\w.@#/+-]+$")
_LENGTHS = re.compile(
    r"\b(?:long|tall|high|deep|wid|broad|far|short|shallow|narrow|low|thick)\w* than $", re.I
)
_ONE = re.compile(r"\b(?:than|over|under|within|at least|at most|exactly) (an?)(?= \w)", re.I)
_OF_US = re.compile(r"\b(?:in|of|within|across) $", re.I)  # elsewhere "us" are who asks
_SEX = re.compile(r"\.(?:\w*_)?(?:sex|gender)$", re.I)
_COMMON = frozenset(
    """a an the of in on at by for to from with without and or not no nor is are was were be been do does did has have had
    which what who whom whose where when why how many much more most less least than over under above below between after
    before since until all any some each every per that this these those there their its his her our my me us we you they
    it i list show find give name tell get count number display identify first last top bottom only also both either
    neither same other different highest lowest average total sum maximum minimum least up down""".split()
)


class NodeId(str):
    """The id of a node whose name does not tell it from others, where a name stands."""


@dataclass(frozen=True)
class Linked:
    """A value of a question. `kind`: number, date, quoted or name; `number` is what a number is worth.

    A decade ("the 1990s", "the nineties") is a number too, its first year.
    `text` is what the question says, a date in ISO 8601 as far as it goes; `found` what the graph knows of it; `units` what
    the number is of, pounds being two.
    """

    text: str
    kind: str
    start: int
    end: int
    number: float | None = None
    found: tuple[tuple[str, tuple[str, ...]], ...] = ()
    units: tuple[Unit, ...] = ()

    @property
    def ordinal(self) -> bool:
        """Whether it is a place, as in "the second longest"; `number` says which."""
        return self.kind == "number" and (
            self.text.lower() in _ORDINALS
            or (self.text.lower().endswith(("nd", "rd", "th")) and self.text[0].isdigit())
        )

    @property
    def decade(self) -> bool:
        """Whether it is ten years, from `number` on."""
        said = self.text.lower() in _TENS or _DECADE.fullmatch(self.text) is not None
        return self.kind == "number" and self.text.endswith("s") and said

    @property
    def years(self) -> int:
        """How many years it is, from `number` on: the 1700s are a century, the 1990s and the 2000s ten years."""
        return years_of(int(self.number or 0)) if self.decade else 1

    def amount(self, held: str) -> float | None:
        """The number as a property has it, by its name: 2 hours are 120 for `duration_min`; None where nothing turns it into its unit."""
        own = units_of(held) if self.units else ()
        factors = [f for unit in self.units for f in map(unit.factor, own) if f is not None]
        if self.number is None or (own and not factors):
            return None
        return self.number * factors[0] if own else self.number

    @property
    def owners(self) -> tuple[str, ...]:
        """The properties that have it."""
        return tuple(action for action, _ in self.found)


def link(
    question: str,
    look_up: LookUp,
    schema_words: frozenset[str] = frozenset(),
    nouns: Mapping[str, str] = MappingProxyType({}),
) -> list[Linked]:
    """The values of a question in the order of its words; none overlaps another.

    A single word outside quotes whose stem is among `schema_words` names a part of the schema rather than a value. `nouns`:
    what types are called, each with the property of their names: "Colorado river" is the river Colorado rather than a
    point that is called "Colorado River".
    """
    taken: list[Linked] = []
    for match in _QUOTED.finditer(question):
        group = next(i for i in range(1, 8) if match.group(i) is not None)
        taken.append(Linked(match.group(group), "quoted", match.start(group), match.end(group)))
    parts = (Linked(m[1], "quoted", m.start(1), m.end(1)) for m in _PART.finditer(question))
    taken += _free(parts, taken)
    taken = [
        replace(v, found=_found(f)) for v, f in zip(taken, look_up([v.text for v in taken]), strict=True)
    ]
    taken += _free(_dates(question), taken)
    names = [v for v in _names(question, look_up, nouns) if stem(v.text.lower()) not in schema_words]
    taken += _free(names, taken)
    taken += _free(_of_units(question, _numbers(question)), taken)
    unknown = [v for v in _unknown(question, taken) if stem(v.text.lower()) not in schema_words]
    taken += _free(unknown, taken)
    return sorted(taken, key=lambda v: v.start)[:MOST_VALUES]


def link_schema_words(question: str, look_up: LookUp, schema_words: frozenset[str]) -> list[Linked]:
    """The words of a question that the schema has and that some property has for a value too: "open" of `state`, beside `opened_at`."""
    words = [v for v in _names(question, look_up, {}) if v.text.isalpha() and v.text.islower()]
    return [v for v in words if stem(v.text) in schema_words]


def _found(found: Found) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(found.items())


def _free(values: Iterable[Linked], taken: Sequence[Linked]) -> list[Linked]:
    """The values that overlap none that stand before them."""
    kept: list[Linked] = []
    for v in values:
        if all(v.end <= t.start or v.start >= t.end for t in (*taken, *kept)):
            kept.append(v)
    return kept


def _dates(question: str) -> list[Linked]:
    found = []
    for pattern, order in _DATES:
        for match in pattern.finditer(question):
            parts = {key: part for key, part in zip(order, match.groups(), strict=False) if part}
            month = parts.get("m", "")
            if month.isalpha():
                month = f"{[m[:3] for m in _MONTHS].index(month[:3].lower()) + 1:02}"
            day = f"-{int(parts['d']):02}" if "d" in parts else ""
            text = f"{parts['y']}-{month}{day}"
            try:
                datetime.fromisoformat(text if day else f"{text}-01")
            except ValueError:
                continue
            found.append(Linked(text, "date", match.start(), match.end()))
    return found


def _numbers(question: str) -> list[Linked]:
    found = []
    for match in _NUMBER.finditer(question):
        number = float(match.group(1).replace(",", ""))
        unit = "" if _in_metres(question, match) else (match.group(2) or "").lower()
        end = match.end() if unit in SCALE else match.end(1)
        found.append(
            Linked(question[match.start() : end], "number", match.start(), end, number * SCALE.get(unit, 1))
        )
    for match in _DECADE.finditer(question):
        year = float(match.group(1) or f"19{match.group(2)}")
        found.append(Linked(match.group(), "number", match.start(), match.end(), year))
    for match in _OF_CENTURY.finditer(question):
        year = float(_TENS[match.group().lower()])
        found.append(Linked(match.group(), "number", match.start(), match.end(), year))
    for match in _ORDINAL.finditer(question):
        place = int(match[2]) if match[2] else _ORDINALS.index(match[1].lower()) + 2
        found.append(Linked(match.group(), "number", match.start(), match.end(), float(place)))
    for match in _SCALED.finditer(question):
        scaled = (COUNTED | _PARTLY)[match[1].lower()] * _TIMES[match[2].lower()]
        found.append(Linked(match.group(), "number", match.start(), match.end(), float(scaled)))
    for match in _WORD.finditer(question):
        worth = COUNTED.get(match.group().lower())
        if worth is not None:
            found.append(Linked(match.group(), "number", match.start(), match.end(), float(worth)))
    return found


def _of_units(question: str, numbers: Iterable[Linked]) -> list[Linked]:
    """Numbers with what they are of; "longer than an hour" is longer than one."""
    said = {m.start: m.units for m in measured(question)}
    ones = [m for m in _ONE.finditer(question) if m.start(1) in said]
    numbers = [*numbers, *(Linked(m[1], "number", m.start(1), m.end(1), 1.0) for m in ones)]
    return [replace(v, units=said.get(v.start, ())) for v in numbers]


def _in_metres(question: str, match: re.Match[str]) -> bool:
    """Whether the "m" after a number means metres, and no millions: "longer than 200m", "200 m"; "$5m" is money."""
    if match.group(2) != "m" or match.group()[:1] in "$€£":
        return False
    return match.group()[-2:-1] == " " or _LENGTHS.search(question[: match.start()]) is not None


def _names(question: str, look_up: LookUp, nouns: Mapping[str, str]) -> list[Linked]:
    """Runs of words that the graph has, the longest first. A single everyday word counts for nothing."""
    words = [(m.start(), m.end()) for m in _WORD.finditer(question)]
    asked: list[tuple[int, int, str]] = []
    for i in range(len(words)):
        most = MOST_CAPITALISED if question[words[i][0]].isupper() else MOST_WORDS
        for j in range(i, min(len(words), i + most)):
            start, end = words[i][0], words[j][1]
            if (
                question[start:end].count("(") > question[start:end].count(")")
                and question[end : end + 1] == ")"
            ):
                end += 1  # "Salt (Harbour Tales, #2)"
            text = question[start:end]
            asked += [(start, end, form) for form in _forms(text)]
            if question[end : end + 1] == "-" and not question[end + 1 : end + 2].isalnum():  # "O-"
                asked.append((start, end + 1, f"{text}-"))
            asked += [(start, end, sex) for sex in sexes(text)]
            if text != "us" or _OF_US.search(question[:start]):
                asked += [(start, end, name) for name in other_names(text)]
    found: dict[tuple[int, int], Linked] = {}
    for (start, end, form), known in zip(asked, look_up([form for _, _, form in asked]), strict=True):
        text = question[start:end]
        if (
            form in sexes(text) and form != text.lower()
        ):  # "women" are those whose sex is "f", no team that is called "F"
            known = {action: spelt for action, spelt in known.items() if _SEX.search(action)}
        common = text.lower() in _COMMON and form == text
        if not known or (start, end) in found or common or text.lower() in COUNTED:
            continue
        short = len(text) < 2 or (text.isdigit() and len(text) < 5)
        if short and not _of_its_type(question[:start], known, nouns):
            continue
        whole = bool(other_names(text) or sexes(text))  # of "female" the "f" is no part
        cut = len(text) - len(form) if text.startswith(form) and not whole else 0
        number = float(text) if text.isdecimal() else None
        found[start, end] = Linked(form if cut else text, "name", start, end - cut, number, _found(known))
    told = [v for v in found.values() if any(_with_its_noun(v, noun, nouns[noun], found) for noun in nouns)]
    return sorted((v for v in found.values() if v not in told), key=lambda v: (v.start - v.end, v.start))


def _of_its_type(before: str, known: Found, nouns: Mapping[str, str]) -> bool:
    """Whether a number stands after the noun of a type that has it for a name: "order 1003", "user #7"."""
    said = before.lower().rstrip(" #").removesuffix(" number").removesuffix(" no.")
    return any(
        naming in known and re.search(rf"(?<!\w){re.escape(singular(noun))}$", said)
        for noun, naming in nouns.items()
    )


def _with_its_noun(value: Linked, noun: str, naming: str, found: Mapping[tuple[int, int], Linked]) -> bool:
    """Whether a run of words is the noun of a type with the name of one of that type, rather than a name of another."""
    text, size = value.text.lower(), len(noun) + 1
    names = [
        found.get(span)
        for said, span in (
            (text.endswith(f" {noun}"), (value.start, value.end - size)),
            (text.startswith(f"{noun} "), (value.start + size, value.end)),
        )
        if said
    ]
    return naming not in value.owners and any(n is not None and naming in n.owners for n in names)


def _forms(text: str) -> list[str]:
    """A run of words as it is, without a possessive, in the singular, and as the place that an adjective comes from."""
    forms = [text]
    if text.endswith(("'s", "’s")):
        forms.append(text[:-2])
    elif text.endswith("s") and (len(text) > 3 or text[:-1].isupper()) and text.lower() not in _COMMON:
        forms.append(text[:-1])
        forms += [f"{text[:-3]}y"] if text.endswith("ies") else []
        forms += [text[:-2]] if text.endswith("es") and len(text) > 4 else []
    if text[:1].isupper():
        forms += [form for form in nouns_of(text) if form == form.rstrip()]
    return forms


def _unknown(question: str, taken: Sequence[Linked]) -> list[Linked]:
    """What looks like a name and is none that the graph has: capitalised runs, codes, kept whole."""
    found: list[Linked] = []
    run: list[re.Match[str]] = []
    words = list(_WORD.finditer(question))

    def close() -> None:
        while run and run[-1].group().lower() in ("of", "the", "de", "la", "van", "and"):
            run.pop()
        if run:
            text = question[run[0].start() : run[-1].end()]
            end = run[-1].end() - (2 if text.endswith(("'s", "’s")) else 0)
            found.append(Linked(question[run[0].start() : end], "name", run[0].start(), end))
        run.clear()

    for i, match in enumerate(words):
        word = match.group()
        if run and question[run[-1].end() : match.start()].strip():
            close()
        if any(match.start() < t.end and match.end() > t.start for t in taken):
            close()
            continue
        # "I'm", "They've"; "5 million USD"
        common = re.split("['’]", word.lower())[0] in _COMMON or (
            bool(units(word)) and _AMOUNT.search(question[: match.start()]) is not None
        )
        named = word[:1].isupper() and (i > 0 or not word.isalpha()) and not common
        if (
            named
            or (_CODE.match(word) and not word.replace(".", "").replace(",", "").isdigit())
            or (run and word.lower() in ("of", "de", "la", "van"))
        ):
            run.append(match)
        else:
            close()
    close()
    return found


def table_look_up(table: dict[str, dict[str, list[str]]]) -> LookUp:
    """A look-up in a table: text in lower case → property → spellings."""

    def look_up(texts: Sequence[str]) -> list[Found]:
        return [{a: tuple(s) for a, s in table.get(t.lower(), {}).items()} for t in texts]

    return look_up


def years_of(start: int) -> int:
    """How many years are meant by "the 1990s" and the like, by the first of them.

    >>> years_of(1700), years_of(1990), years_of(2000)
    (100, 10, 10)
    """
    return 100 if start % 100 == 0 and start < 2000 else 10
