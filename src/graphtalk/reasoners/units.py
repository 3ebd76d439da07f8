"""The units that a question says, beside those that the numbers of a graph are in: 2 hours are no 2 of `duration_min`."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from math import isclose

from graphtalk.core import LimitError
from graphtalk.graphs import Graph, NodeType, Relation
from graphtalk.language.nouns import plural
from graphtalk.language.periods import periods
from graphtalk.language.units import Measured, is_money, measured, units, units_of, wanted, without_unit
from graphtalk.reasoners.joined import names_in
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.words import stem

_FIGURE = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")

_IS_THERE = re.compile(r'"is not null", operands=\[Property\[of=Variable\[[^\]]*\], name="([^"]*)"')
_DURATIONS = frozenset("duration length time runtime delay wait lead age lifetime turnaround".split())


class Units:
    """The numbers that a graph's nodes and edges have, and what they are of as far as their names say so."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._ranges: dict[str, tuple[float, float] | None] = {}

    def said(self, question: str) -> list[Measured]:
        """The units that a question says which some property's name could say too."""
        return [m for m in (*measured(question), *wanted(question)) if self._known(m)]

    def unmet(self, question: str, values: Sequence[Linked], spelled: str) -> Iterator[str]:
        """The units of a question that no number of a call is in, nor was turned into. `spelled`: the call as it is shown.

        Where properties do not say their unit, a number that is below or above all that they have is in another one.
        """
        yield from self._counted(question, spelled)
        yield from self._none_of(question, spelled)
        times = periods(question)  # of "the last two months of 2024" no property is in months
        asked = [m for m in measured(question) if not any(t.start <= m.start < t.end for t in times)]
        asked += wanted(question)
        named = [v for v in values if v.found]  # the field called "Ten Acre" is no measure
        asked = [m for m in asked if not any(v.start <= m.start < v.end for v in named)]
        if not asked:
            return
        used = [name for name in self._numbers if names_in(name, spelled)]
        own = [unit for name in used for unit in units_of(name)]
        own += units("days") if "duration.indays" in spelled else ()
        own += units("years") if "365.2425" in spelled else ()
        own += units("minutes") if "duration.inseconds" in spelled else ()
        figures = [float(figure) for figure in _FIGURE.findall(spelled)]
        numbers = {v.start: v.number for v in values}
        for each in asked:
            number = numbers.get(each.start)
            factors = [f for unit in each.units for f in map(unit.factor, own) if f is not None]
            turned = number is not None and any(isclose(number * f, n) for f in factors for n in figures)
            plain = [name for name in used if not units_of(name)] if number in figures else []
            met = turned or 1.0 in factors or any(self._reaches(name, number) for name in plain)
            money = any(unit.dimension == "money" for unit in each.units)
            met |= money and any(map(is_money, used))  # no currency is turned into another
            if not met and (plain or self._known(each)):
                yield repr(each.word)

    def _counted(self, question: str, spelled: str) -> Iterator[str]:
        """The nouns that are counted where a reading adds up how long each takes: "how many exams" are no `exam_minutes`."""
        lower = question.lower()
        timed = any(unit.dimension == "time" for word in re.findall(r"\w+", lower) for unit in units(word))
        for name in self._numbers:
            noun = without_unit(name)[-1].lower()
            many = plural(noun)
            lasting = any(unit.dimension == "time" for unit in units_of(name)) and noun not in _DURATIONS
            said = re.search(
                rf"\b(?P<counted>(?:how many|number of|most|fewest|more|fewer) )?{re.escape(many)}\b", lower
            )
            if (
                lasting
                and many != noun
                and said
                and (said["counted"] or not timed)
                and names_in(name, spelled)
            ):
                yield repr(many)

    def _none_of(self, question: str, spelled: str) -> Iterator[str]:
        """The words for a number that a reading takes to be there where it is 0 for some: a flight with a delay of 0 was not delayed."""
        there = _IS_THERE.findall(spelled)
        # What is compared, summed or ordered by is used beside that it is there.
        only = {name for name in there if there.count(name) == spelled.count(f'name="{name}"')}
        for name in self._numbers:
            ends = self._ends(name) if name in only else None
            if ends is not None and ends[0] == 0:
                stems = {stem(word.lower()) for word in without_unit(name)}
                said = [word for word in re.findall(r"\w+", question) if stem(word.lower()) in stems]
                yield from map(repr, said[:1] or [name])

    def _known(self, said: Measured) -> bool:
        return any(unit.dimension in self._dimensions for unit in said.units)

    @cached_property
    def _dimensions(self) -> frozenset[str]:
        """What is measured by the properties whose names say their unit."""
        return frozenset(unit.dimension for name in self._numbers for unit in units_of(name))

    @cached_property
    def _numbers(self) -> dict[str, list[str | int]]:
        """Whose the properties are that are numbers, by their names: types by their names, relations by their places."""
        schema = self._graph.schema
        owners: list[tuple[str | int, NodeType | Relation]] = [(t.name, t) for t in schema.node_types]
        owners += enumerate(schema.relations)
        found: dict[str, list[str | int]] = {}
        for owner, of in owners:
            for feature in of.features:
                if feature.kind == "number":
                    found.setdefault(feature.name, []).append(owner)
        return found

    def _reaches(self, name: str, number: float | None) -> bool:
        """Whether a number lies among those that a property has."""
        ends = self._ends(name)
        return number is None or ends is None or ends[0] <= number <= ends[1]

    def _ends(self, name: str) -> tuple[float, float] | None:
        """The least and the largest of a property; None where nothing is known of it."""
        if name not in self._ranges:
            self._ranges[name] = self._range(name)
        return self._ranges[name]

    def _range(self, name: str) -> tuple[float, float] | None:
        import pyarrow.compute as pc  # slow to import, and few questions say a unit

        columns, edges = self._graph.columns, self._graph.edge_columns
        try:
            tables = [
                columns[owner] if isinstance(owner, str) else edges[owner] for owner in self._numbers[name]
            ]
            ends = [pc.min_max(table.column(name)).as_py() for table in tables]
        except LimitError:  # of a graph elsewhere, more than are read here
            return None
        known = [end for both in ends for end in both.values() if end is not None]
        return (min(known), max(known)) if known else None
