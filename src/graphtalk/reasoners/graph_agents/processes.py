"""Processes: what nodes do round after round by a rule of the text, designed from the library of patterns (`vertex/patterns`).

The program runs as a call, as any other; what it gives is compared with a plain loop over the nodes, one after the other.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from graphtalk.calls import Call
from graphtalk.core import JSON
from graphtalk.reasoners.graph_agents.answers import NoAnswer, shown_value
from graphtalk.reasoners.graph_agents.described import Described
from graphtalk.reasoners.graph_agents.solving import Solved, executor_of, signed
from graphtalk.reasoners.graph_agents.ways import program_call
from graphtalk.reasoners.graph_agents.wording import joined, node, times
from graphtalk.tools.context import Programs
from graphtalk.tools.values import Bag, Table, Value
from graphtalk.vertex import Run, read_card
from graphtalk.vertex.patterns import Answer, pattern, plain

_MOST_CHECKED = 5_000_000  # edges times rounds that the plain loop takes
_MOST_EXACT = 2.0**53  # whole numbers up to which floating point is exact
_FIXED = 1e-9


@dataclass(frozen=True)
class Process:
    """A pattern, what is chosen for its places, and its parameters; nodes are positions in `described`.

    `asked` is what is wanted: an answer of the pattern, or `top`: the nodes with the largest value. Where `settled`, it
    is asked what comes of it in the end. `state` is what nodes are that have what spreads, or `thing` what they have; `ties`: the text says what a tie does.
    """

    described: Described
    pattern: str
    asked: str
    places: Mapping[str, str]
    parameters: Mapping[str, Any]
    settled: bool = False
    state: str = ""
    thing: str = ""
    ties: bool = False

    def solve(self, programs: Programs | None = None) -> Solved:
        """The answer. Raises NoAnswer where there is none, CheckError where the rule leaves open what happens."""
        ran: list[Run] = []
        executor = executor_of(self.described, replace(programs or Programs(), on_end=ran.append))
        program = executor.run(self._program)
        remark = self._checked(program.value)
        result = executor.run(Call("Highest", (self._program,))) if self.asked == "top" else program
        numbers = result.value.numbers.tolist() if isinstance(result.value, Table) else [result.value]
        for each in numbers:
            if isinstance(each, int | float) and abs(each) > _MOST_EXACT:
                never = each == math.inf
                raise NoAnswer("That never happens." if never else "The numbers grow beyond what is exact.")
        value = shown_value(self.described, result.value)
        found = signed(Solved(True, self._told(value), value, self._title), result, ran)
        return replace(found, remarks=(*found.remarks, remark))

    @property
    def _title(self) -> str:
        return pattern(self.pattern).title.lower()

    @cached_property
    def _program(self) -> Call:
        answer = "table" if self.asked == "top" else self.asked
        source = pattern(self.pattern).program({**self.places, "answer": answer})
        types = {name: parameter.type for name, parameter in read_card(source).program.parameters.items()}
        return program_call(self.described, json.dumps(source), types, self.parameters)

    def _checked(self, found: Value) -> str:
        """What is said of the check. Raises NoAnswer where the plain loop gives something else, or it has no end."""
        d, rounds = self.described, int(self.parameters.get("rounds", 1))
        if (d.num_nodes + d.num_edges) * rounds > _MOST_CHECKED:
            if self.settled and self.pattern == "vote":
                raise NoAnswer("The graph is too large to see whether it comes to an end.")
            return "The program was not checked by a plain loop: the graph is too large for one."
        near: list[set[int]] = [set() for _ in d.names]
        for one, other in zip(d.source.tolist(), d.target.tolist(), strict=True):
            if one != other:
                near[one].add(other)
                near[other].add(one)
        neighbours = [frozenset(each) for each in near]
        values = [] if d.node_weight is None else d.node_weight.tolist()
        chosen = {**self.places, "answer": "table" if self.asked == "top" else self.asked}
        chosen |= {"ties": "kept"} if self.ties else {}
        expected = plain(self.pattern, neighbours, values, self.parameters, chosen)
        if self.settled and self.pattern == "vote":
            which = {**chosen, "answer": "which"}
            last, further = (
                plain(self.pattern, neighbours, values, {**self.parameters, "rounds": rounds + more}, which)
                for more in (0, 1)
            )
            if last != further:
                raise NoAnswer("It never comes to an end: nodes change for ever.")
        if not _same(found, expected):
            raise NoAnswer("The program and a plain loop over the nodes do not agree.")
        return "A plain loop over the nodes, one after the other, gives the same."

    def _told(self, value: JSON) -> str:
        """The answer in a sentence."""
        d, target = self.described, self.parameters.get("target")
        rounds = int(self.parameters.get("rounds", 0))
        time = " in the end" if self.settled else f" after {times(rounds, 'round')}" if rounds else ""
        of = node(d, target) if target is not None else ""
        thing = self.thing if self.thing == "it" else f"the {self.thing}"
        is_, are, lacks = (
            (f"is {self.state}", f"are {self.state}", f"is not {self.state}")
            if self.state
            else (f"has {thing}", f"have {thing}", f"does not have {thing}")
        )
        if isinstance(value, list):
            what = f"These {are}{time}" if self.state or self.thing else "These nodes"
            return f"{what}: {joined(list(map(str, value))) or 'none'}."
        if self.asked == "is":
            return f"{'Yes' if value else 'No'}, {of} {is_ if value else lacks}{time}."
        if self.asked == "count":
            return f"{times(int(value), 'node')} {is_ if value == 1 else are}{time}."  # type: ignore[arg-type]
        if self.asked in ("when", "last"):
            until = f"{of or 'every node'} {is_}" if self.state or self.thing else "nothing changes"
            return f"It takes {times(int(value), 'round')} until {until}."  # type: ignore[arg-type]
        if self.asked == "value":
            return f"{of.capitalize()}{time if self.pattern != 'reach' else ''}: {value}."
        listed = (
            ", ".join(f"{name}: {each}" for name, each in value.items()) if isinstance(value, dict) else value
        )
        return f"The nodes{time if self.pattern != 'reach' else ''}: {listed}."


def _same(found: Value, expected: Answer) -> bool:
    """Whether a call gave what the plain loop gives."""
    if isinstance(expected, set):
        return isinstance(found, Bag) and set(found.nodes.tolist()) == expected
    if isinstance(expected, dict):
        if not isinstance(found, Table) or found.nodes.tolist() != list(expected):
            return False
        pairs = zip(found.numbers.tolist(), expected.values(), strict=True)
        return all(math.isclose(one, other, rel_tol=_FIXED, abs_tol=_FIXED) for one, other in pairs)
    return isinstance(found, int | float) and math.isclose(found, expected, rel_tol=_FIXED, abs_tol=_FIXED)
