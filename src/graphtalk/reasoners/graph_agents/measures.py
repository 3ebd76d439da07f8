"""Units of numbers at edges and of what is asked: numbers are taken as they stand, so that both must be of one unit."""

import re
from collections.abc import Iterator

from graphtalk.core import UsageError
from graphtalk.language.units import Unit, measured, units, wanted

_HOW_MANY = re.compile(r"\bhow many ([^\W\d_]+)", re.I)
_CELL = re.compile(r"(?<!\d),(?=\d)")  # before a number in a table: "P,Q,4 km"
_WORD = re.compile(r"[^\W\d_]{3,}")  # shorter ones are units behind a number alone


def check_units_asked(text: str, asked: str, needed: bool = False) -> None:
    """Raise UsageError where `asked` is about minutes and the rest of a text about hours; where `needed`, also where it tells no unit."""
    words = {each.word for each in (*measured(asked), *wanted(asked))}.union(_HOW_MANY.findall(asked))
    if not any(map(units, words)):
        return
    told = set(_units_told(text, {word.lower() for word in words}, asked.lower()))
    for word in words:
        alike = {unit for unit in told for own in units(word) if unit.dimension == own.dimension}
        if not alike.intersection(units(word)) and (alike or (needed and units(word))):
            raise UsageError(
                f"The question is about {word!r}, and the text tells of {_names(alike)}: numbers are taken as they stand here."
            )


def check_one_unit(text: str) -> None:
    """Raise UsageError where numbers of a text are in several units of one dimension, such as km and miles."""
    known: dict[str, tuple[str, set[Unit]]] = {}
    for said in measured(_CELL.sub(", ", text)):
        for dimension in {unit.dimension for unit in said.units}:
            own = {unit for unit in said.units if unit.dimension == dimension}
            word, before = known.get(dimension, (said.word, own))
            if not own & before and {unit.dimension for unit in said.units} == {dimension}:
                raise UsageError(
                    f"Numbers are in {word!r} and in {said.word!r}: they are taken as they stand here, so that one unit is needed."
                )
            known[dimension] = word, own & before or own


def _units_told(text: str, words_asked: set[str], asked: str) -> Iterator[Unit]:
    """The units that a text has beside its question; a word of the question must stand in the text once more."""
    lower = text.lower()
    for word in {*_WORD.findall(lower), *(each.word.lower() for each in measured(text))}:
        found = re.compile(rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])")
        if word not in words_asked or len(found.findall(lower)) > len(found.findall(asked)):
            yield from units(word)


def _names(alike: set[Unit]) -> str:
    return ", ".join(sorted(unit.name for unit in alike)) or "no such unit"
