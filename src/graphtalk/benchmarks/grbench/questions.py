"""GRBench's question files, one JSON object a line: the published form, and ours with more keys.

    {"qid": "17", "question": "…", "answer": "Albuminuria, Proteinuria"}
    {"qid": "healthcare-01-0", …, "template": "healthcare-01", "level": "easy", "names": ["…"], "call": "…"}

Published files say by their order which template a question has: `qid // 10`. They join names by ", " although
names may hold commas, so an answer is cut where that gives names that the graph has.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from graphtalk.benchmarks.grbench.drawing import fit, type_called
from graphtalk.benchmarks.grbench.templates import Template, Templates
from graphtalk.benchmarks.task import Asked, Gold, Questions
from graphtalk.calls.ast import Call, Expression, Text
from graphtalk.core import CheckError, UsageError
from graphtalk.core.reading import read_json
from graphtalk.core.text import whole
from graphtalk.graphs import Graph
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor
from graphtalk.tools.finder import NodeIndex
from graphtalk.tools.types import Type
from graphtalk.tools.values import as_number

PER_TEMPLATE = 10
"""Questions of each template in the published files."""

_LONGEST = 24  # pieces between commas that one name may have
_UNKNOWN = 1_000  # a piece that is no name costs more than any number of names

Known = Callable[[str], bool]


class _BrokenError(ValueError):
    """A line that is no question; its text says why."""


@dataclass(frozen=True)
class Reader:
    """Reads question files about one graph."""

    executor: Executor
    graph: Graph
    templates: Templates
    index: NodeIndex
    _known: dict[str, Known | None] = field(default_factory=dict)

    @classmethod
    def of(cls, executor: Executor, graph: Graph, templates: Templates) -> "Reader":
        """A reader of questions about this graph, which is the executor's."""
        return cls(executor, graph, templates, executor.index or Index.open(graph))

    def read(self, path: Path) -> Questions:
        """All questions of a file; what is wrong with other lines becomes complaints. Raises UsageError."""
        asked: dict[str, Asked] = {}
        complaints: list[str] = []
        try:
            with path.open("rb") as file:
                for number, raw in enumerate(file, 1):
                    try:
                        one = self._line(raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw)
                        if one is not None and one.id in asked:
                            raise _BrokenError(f"the qid {one.id!r} already stands in an earlier line.")
                    except _BrokenError as broken:
                        complaints.append(f"{path}:{number}: {broken}")
                        continue
                    if one is not None:
                        asked[one.id] = one
        except OSError as error:
            raise UsageError(f"Cannot read the questions {path}: {error.strerror}.") from error
        return Questions(tuple(asked.values()), tuple(complaints))

    def _line(self, raw: bytes) -> Asked | None:
        try:
            text = raw.decode("utf-8").strip()
            row = read_json(text) if text else None
        except UnicodeDecodeError:
            raise _BrokenError("not UTF-8 text.") from None
        except ValueError as error:
            raise _BrokenError(f"not a JSON object ({error}).") from None
        return self.asked(row) if text else None

    def asked(self, row: object) -> Asked:
        """The question of one row. Raises an error for a row that is none."""
        if not isinstance(row, dict):
            raise _BrokenError(f"not a JSON object but {type(row).__name__}.")
        key = row.get("qid")
        if isinstance(key, bool) or not isinstance(key, str | int) or not str(key).strip():
            raise _BrokenError('"qid" must be a text or a whole number.')
        for name in ("question", "answer"):
            if not isinstance(row.get(name), str) or not row[name].strip():
                raise _BrokenError(f'"{name}" must be a text that is not blank.')
            if whole(row[name]) != row[name]:
                raise _BrokenError(f'"{name}" holds half a character (a lone surrogate).')
        template = self._template(str(key), row.get("template"))
        gold = Gold(row["answer"], self._names(row, template))
        level = template.level if template else ""
        return Asked(str(key), row["question"], gold, level, template.id if template else "")

    def _template(self, key: str, named: object) -> Template | None:
        """The template that a row names, or that its place in a published file says."""
        if isinstance(named, str):
            return self.templates.find(named)
        published = key.isascii() and key.isdigit() and len(key) < 10
        return self.templates.by_number.get(int(key) // PER_TEMPLATE) if published else None

    def _names(self, row: dict[str, object], template: Template | None) -> tuple[str, ...] | None:
        if "names" in row:
            names = row["names"]
            if names is None:
                return None
            if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
                raise _BrokenError('"names" must be null or a list of texts.')
            return tuple(names)
        answer = str(row["answer"])
        if template is None:
            return self._guessed(answer)
        if template.id not in self._known:
            self._known[template.id] = self._known_to(template)
        known = self._known[template.id]
        return None if known is None else split_names(answer, known)

    def _guessed(self, answer: str) -> tuple[str, ...] | None:
        """The names in an answer of unknown kind: only where all of it is names of nodes."""
        if as_number(answer) is not None or answer.casefold() in ("true", "false"):
            return None
        names = split_names(answer, self._is_node())
        return names if all(map(self._is_node(), names)) else None

    def _known_to(self, template: Template) -> Known | None:
        """What is a name in a template's answers; None where they are no names, but a number or a text."""
        try:
            if template.gives:
                return self._is_node(type_called(self.graph, template.gives))
            fitting = fit(self.executor, self.graph, template)
        except CheckError:  # the graph lacks what the template asks about: the answers alone are left
            return None
        if fitting.type.kind == "nodes":
            return self._is_node(*fitting.type.node_types)
        return self._is_value(fitting.example) if fitting.type.kind == "list" else None

    def _is_node(self, *node_types: str) -> Known:
        def known(name: str) -> bool:
            called_so = self.index.exact(name)
            return any(
                " ".join(self.graph.label(node).split()) == " ".join(name.split())
                and (not node_types or self.graph.node_type(node).name in node_types)
                for node in called_so
            )

        return known

    def _is_value(self, call: Call) -> Known:
        """Whether a text is one of the values of the feature that a call reads, as in the list of all of them."""
        values: set[str] = set()
        for inside in _inside(call):
            if inside.function != "NodeFeature" or not isinstance(inside.arguments[1], Text):
                continue
            nodes = inside.arguments[0]
            types = self.executor.check(nodes) if isinstance(nodes, Call) else Type("nodes")
            for node_type in types.node_types:
                values |= self._values(node_type, inside.arguments[1].value)
        return values.__contains__

    def _values(self, node_type: str, feature: str) -> set[str]:
        import pyarrow.compute as pc

        column = self.graph.columns[node_type].column(feature)
        flat = pc.list_flatten(column) if hasattr(column.type, "value_type") else column
        return {str(value) for value in pc.unique(flat).to_pylist() if value is not None}


def _inside(expression: Expression) -> list[Call]:
    """A call and all calls in its arguments."""
    if not isinstance(expression, Call):
        return []
    return [expression, *(call for argument in expression.arguments for call in _inside(argument))]


def split_names(text: str, known: Known) -> tuple[str, ...]:
    """The names that a text joins by commas, when names may hold commas: as many known, and as few, as can be.

    >>> split_names("Purpura, Schoenlein-Henoch, Edema", {"Purpura, Schoenlein-Henoch", "Edema"}.__contains__)
    ('Purpura, Schoenlein-Henoch', 'Edema')
    """
    pieces = text.split(",")
    starts = [0]
    for piece in pieces:
        starts.append(starts[-1] + len(piece) + 1)
    best: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    for end in range(1, len(pieces) + 1):
        found: list[tuple[int, tuple[str, ...]]] = []
        for begin in range(max(0, end - _LONGEST), end):
            name = text[starts[begin] : starts[end] - 1].strip()
            cost, before = best[begin]
            if name and known(name):
                found.append((cost + 1, (*before, name)))
            elif begin == end - 1:
                found.append((cost + _UNKNOWN, (*before, name) if name else before))
        best.append(min(found, key=lambda option: option[0]))
    return tuple(dict.fromkeys(best[-1][1]))
