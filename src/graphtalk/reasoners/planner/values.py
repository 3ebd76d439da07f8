"""Values of features that a question may name: "left" for the driving side, "Fantasy" for a genre."""

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from graphtalk.graphs import Graph
from graphtalk.graphs.columns import distinct
from graphtalk.language.english import Token, tokenize

MOST_VALUES = 200  # of a feature; one with more is free text, and its values are no categories
SAMPLE = 2_000
LONGEST = 8  # words of a value
_YES, _NO = frozenset({"yes", "true", "y"}), frozenset({"no", "false", "n"})


@dataclass(frozen=True)
class NamedValue:
    """A value that stands in the question: whose it is, how it is compared, and the tokens that say it."""

    node_type: str
    feature: str
    operator: str
    value: str
    tokens: tuple[int, ...]


class ValueTable:
    """The categories of a graph's text features, and which text features are numbers in disguise."""

    def __init__(self, graph: Graph) -> None:
        self._by_text: dict[str, list[tuple[str, str, str, str]]] = {}
        self.numeric: set[tuple[str, str]] = set()
        self.flags: dict[tuple[str, str], str] = {}  # text features that say yes or no, and how they say yes
        for t in graph.schema.node_types:
            for f in t.features:
                if f.kind == "number":
                    self.numeric.add((t.name, f.name))
                elif f.kind in {"text", "date", "list"} and f.name != t.label:
                    self._add(t.name, f.name, graph.columns[t.name].column(f.name))

    def _add(self, node_type: str, feature: str, column: pa.ChunkedArray) -> None:
        if pa.types.is_date(column.type):
            column = column.cast(pa.string())
        sample = column.slice(0, SAMPLE)
        is_list = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
        if not is_list and _is_number(sample):
            self.numeric.add((node_type, feature))
            return
        if len(_distinct(sample)) > MOST_VALUES:
            return
        values = _distinct(column)
        if len(values) > MOST_VALUES:
            return
        operator = "contains" if is_list else "="
        for value in values:
            words = " ".join(t.text for t in tokenize(value)).casefold()
            self._by_text.setdefault(words, []).append((node_type, feature, operator, value))
        folded = {v.casefold(): v for v in values}
        if folded and folded.keys() <= _YES | _NO:
            self.flags[node_type, feature] = next((v for f, v in folded.items() if f in _YES), "yes")

    def find(self, tokens: Sequence[Token]) -> list[NamedValue]:
        """The values that runs of words name, longest runs first."""
        found = []
        for size in range(LONGEST, 0, -1):
            for start in range(len(tokens) - size + 1):
                run = tokens[start : start + size]
                if not run[-1].content or not run[0].content:
                    continue
                text = " ".join(t.text for t in run).casefold()
                places = tuple(range(start, start + size))
                raw = " ".join(t.text for t in run)
                owners = self._by_text.get(text, ())
                found += [NamedValue(*o, places) for o in owners if not o[3].isupper() or o[3] in raw]
        return found


def _distinct(column: pa.ChunkedArray) -> list[str]:
    is_lists = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
    kind = column.type.value_type if is_lists else column.type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return []
    return [v for v in distinct(column) if v]


def _is_number(column: pa.ChunkedArray) -> bool:
    """Whether all texts of a column spell numbers, and there are some."""
    texts = [v for v in column.to_pylist() if v not in (None, "")]
    return bool(texts) and all(_spells_number(t) for t in texts)


def _spells_number(text: object) -> bool:
    plain = str(text).strip().lstrip("$€£").replace(",", "")
    return plain.replace(".", "", 1).removeprefix("-").isdigit()
