"""Units of measure: what a number in a question is of, and what a property's name says that it is of."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from graphtalk.core.text import NUMBER_WORDS
from graphtalk.language.identifiers import split_name
from graphtalk.language.nouns import singular

_NUMBER = rf"\d[\d,]*(?:\.\d+)?|\b(?:half an?|an?|{'|'.join(NUMBER_WORDS)})\b"
_UNIT = r"(?:(?:square|sq\.?) (?=\w))?(?:[^\W\d_]+[23]?|%)(?!\w)"
_SAID = re.compile(  # "2 hours", "between 2 and 3 hours", "half an hour", "$5"
    rf"(?P<sign>[$€£¥])\s?\d|(?<![\w.,])(?P<number>{_NUMBER})(?: ?(?:thousand|million|billion))?"
    rf"(?=(?:\s*(?:and|to|or|-|–)\s*(?:{_NUMBER}))?[ -]?(?P<unit>{_UNIT}))",
    re.I,
)
_WANTED = re.compile(  # "how many hours does it take", "..., in euros"
    rf"\bhow many ({_UNIT}) (?:long |tall |high |away )?(?:is|are|was|were|do|does|did|has|have|had)\b|\bin ({_UNIT})(?=\W*$)",
    re.I,
)


_PER = re.compile(r"\bper (\w+)", re.I)
# What numbers without a unit are money by their noun.
MONEY = frozenset("price cost fee fare rent charge salary wage pay payment revenue income earning deposit donation budget bill takings tariff royalty commission fine prize".split())  # fmt: skip
_CALENDAR = frozenset("year month quarter week day second".split())
_TAIL = re.compile(rf",?\s+in ({_UNIT})(?=\W*$)", re.I)


@dataclass(frozen=True)
class Unit:
    """A unit of measure. `worth`: how many of the first of its dimension it is; 0 where no factor says so, as of money."""

    dimension: str
    name: str
    worth: float

    def factor(self, other: "Unit") -> float | None:
        """What turns a number of this unit into one of another; None where nothing does.

        >>> [hour.factor(minute) for hour in units("hours") for minute in units("min")]
        [60.0]
        """
        if self == other:
            return 1.0
        return self.worth / other.worth if self.worth and self.dimension == other.dimension else None


@dataclass(frozen=True)
class Measured:
    """A unit that a text says: where the number before it begins, if there is one, its word, and what that may mean."""

    start: int
    word: str
    units: tuple[Unit, ...]


@cache
def _dimensions() -> dict[str, dict[str, str | list[str]]]:
    return tomllib.loads((files("graphtalk.language") / "units.toml").read_text("utf-8"))


@cache
def _units() -> dict[str, tuple[Unit, ...]]:
    found: dict[str, tuple[Unit, ...]] = {}
    for dimension, worths in _dimensions().items():
        for worth, said in worths.items():
            if worth == "measure":
                continue
            for words in [said] if isinstance(said, str) else said:
                unit = Unit(dimension, words.split()[0], float(worth))
                for word in words.split():
                    found[word] = (*found.get(word, ()), unit)
    return found


def units(word: str) -> tuple[Unit, ...]:
    """What a word may be as a unit: pounds are money or a mass; nothing for other words."""
    squared = re.sub(r"^(?:square|sq\.?) ", "", word.lower())
    own = _units().get(squared, ())
    if squared == word.lower():
        return own
    return _units().get(f"{own[0].name}2", ()) if own else ()


# Units only where a name ends in them: a bar may be one to drink at.
_IN_NAMES = frozenset("bar mbar psi kpa hpa mpa rpm db ppm ppb ug ng um kcal kj".split())


def _whole_units(name: str) -> list[str]:
    """The words of a name, with "km 2" and "m 3" as one."""
    words = list[str]()
    for word in split_name(name):
        if word in ("2", "3") and words and units(f"{words[-1]}{word}"):
            words[-1] += word
        else:
            words.append(word)
    return words


def same_unit(word: str) -> frozenset[str]:
    """All words for the unit that a word says, if it says one.

    >>> sorted(same_unit("hp")), same_unit("pound")
    (['horsepower', 'hp'], frozenset())
    """
    own = units(word)
    return frozenset(w for w, found in _units().items() if found == own) if len(own) == 1 else frozenset()


@cache
def units_of(name: str) -> tuple[Unit, ...]:
    """The unit that a property's name ends in; of a rate that of what is counted, not that of each ("hours per week", "hours week").

    >>> [unit.name for name in ("duration_min", "price (EUR)", "area sq km", "hours", "name") for unit in units_of(name)]
    ['min', 'eur', 'km2', 'hour']
    >>> [unit.name for name in ("hours_per_week", "hours week", "price_per_kg") for unit in units_of(name)]
    ['hour', 'hour']
    """
    words = _whole_units(name)
    if "per" in words[1:]:
        return units(words[words.index("per") - 1])
    if len(words) > 1 and units(words[-2]) and units(words[-1]):
        return units(words[-2])
    return units(" ".join(words[-2:] if words[-2:-1] in (["sq"], ["square"]) else words[-1:]))


def is_money(name: str) -> bool:
    """Whether a property's name says money, and not in which currency.

    >>> [is_money(name) for name in ("budget", "total_revenue", "price_eur", "height")]
    [True, True, False, False]
    """
    words = split_name(name)
    return not units_of(name) and bool(words) and singular(words[-1]) in MONEY | {"amount"}


def measures(of: Iterable[Unit]) -> frozenset[str]:
    """What numbers in some units are, as nouns.

    >>> sorted(measures(units_of("germination_pct"))), sorted(measures(units_of("weight_kg"))), sorted(measures(units_of("name")))
    (['percent', 'percentage'], ['weight'], [])
    """
    said = (_dimensions()[unit.dimension].get("measure", "") for unit in of)
    return frozenset(word for nouns in said if isinstance(nouns, str) for word in nouns.split())


def without_unit(name: str) -> list[str]:
    """The words of a property's name without its unit, where something is left; a year, a month or a day is none there.

    >>> [" ".join(without_unit(name)) for name in ("price_eur", "length in km", "release_year", "rent_per_month", "hours")]
    ['price', 'length', 'release year', 'rent per month', 'hours']
    >>> [" ".join(without_unit(name)) for name in ("area_km2", "capacity_m3_day", "flow_l_s")]
    ['area', 'capacity', 'flow']
    """
    words = _whole_units(name)
    if len(words) > 2 and units(words[-2]) and (units(words[-1]) or words[-1] == "s"):
        return words[:-2]
    if len(words) > 1 and words[-1] in _IN_NAMES:
        return words[:-1]
    if not units_of(name) or words[-1] in _CALENDAR or words[-2:-1] == ["per"]:
        return words
    left = words[: -2 if words[-2:-1] in (["sq"], ["square"], ["in"]) else -1]
    return left or words


def measured(text: str) -> Iterator[Measured]:
    """The units that the numbers of a text are of.

    >>> [(m.word, m.units[0].dimension) for m in measured("flights of 2 to 3 hours under $200")]
    [('hours', 'time'), ('hours', 'time'), ('$', 'money')]
    """
    for found in _SAID.finditer(text):
        word = found["sign"] or found["unit"]
        if units(word) and (len(word) > 1 or not word.isupper()):  # "machines M-1 and M" are none
            yield Measured(found.start(), word, units(word))


def per_unit(text: str) -> Iterator[re.Match[str]]:
    """Where a text says what something comes to for one of a unit; the first group is the unit's word.

    >>> [m[1] for m in per_unit("the price per kilo, or per customer")]
    ['kilo']
    """
    return (m for m in _PER.finditer(text) if units(m[1]))


def wanted(text: str) -> Iterator[Measured]:
    """The units that an answer is wanted in: "how many hours does it take", "in euros".

    >>> [m.word for m in wanted("How heavy is the lamp in pounds?")]
    ['pounds']
    """
    for found in _WANTED.finditer(text):
        word = found[1] or found[2]
        if units(word):
            yield Measured(found.start(), word, units(word))


def without_wanted(text: str) -> str:
    """A question without the unit at its end that its answer is wanted in.

    >>> without_wanted("What does the lamp cost, in euros?"), without_wanted("Who lives in Rome?")
    ('What does the lamp cost?', 'Who lives in Rome?')
    """
    said = _TAIL.search(text)
    return f"{text[: said.start()]}{text[said.end() :]}" if said is not None and units(said[1]) else text
