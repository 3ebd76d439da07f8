"""The cells of a lone table that a question names, spelt with any signs: "70-72=142", "60%", "h", "w 20-0"."""

from collections.abc import Iterator
from functools import cached_property

from graphtalk.engines.naming import node_column
from graphtalk.graphs import Graph
from graphtalk.graphs.columns import distinct
from graphtalk.reasoners.around.names import TOKEN
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import Held, Shape

CELL = "cell"  # the kind of such values
_MOST_ROWS = 50_000
_MOST_TEXTS = 5_000  # different ones of a column
_MOST_TOKENS = 20
_DASHES = str.maketrans("–—−’", "---'")


class CellTexts:
    """The texts of a graph that is one table, by their tokens; of other graphs none."""

    def __init__(self, graph: Graph, shape: Shape) -> None:
        self._graph = graph
        lone = len(shape.types) == 1 and not shape.links and graph.num_nodes <= _MOST_ROWS
        self._held = [h for h in shape.held if h.kind == "text" and not h.of] if lone else []

    def named(self, question: str) -> Iterator[Linked]:
        """The cells that stand in a question, and quoted numbers, each where it stands."""
        tokens = list(TOKEN.finditer(question.translate(_DASHES))) if self._held else []
        said = [t.group().casefold() for t in tokens]
        for i in range(len(said)):
            for j in range(i + 1, min(len(said), i + _MOST_TOKENS) + 1):
                found = self._texts.get(tuple(said[i:j]), {})
                start, end = tokens[i].start(), tokens[j - 1].end()
                if found:
                    spelt = tuple((action, tuple(texts)) for action, texts in found.items())
                    yield Linked(question[start:end], CELL, start, end, found=spelt)
        for one, number, other in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if one.group() in "\"'" and other.group() == one.group() and number.group().isdecimal():
                worth = float(number.group())
                yield Linked(number.group(), "number", number.start(), number.end(), worth)

    @cached_property
    def _texts(self) -> dict[tuple[str, ...], dict[str, list[str]]]:
        found: dict[tuple[str, ...], dict[str, list[str]]] = {}
        for held in self._held:
            for text in self._different(held):
                for form in dict.fromkeys((text, text.strip("\"'“”"))):
                    key = tuple(TOKEN.findall(form.translate(_DASHES).casefold()))
                    if 0 < len(key) <= _MOST_TOKENS:
                        found.setdefault(key, {}).setdefault(held.action, []).append(text)
        return found

    def _different(self, held: Held) -> list[str]:
        name = node_column(self._graph.schema.node_type(held.owner), held.name)
        column = (
            self._graph.columns[held.owner].column(name)
            if name in self._graph.columns[held.owner].column_names
            else None
        )
        texts = [t for t in distinct(column) if isinstance(t, str)] if column is not None else []
        return texts if len(texts) <= _MOST_TEXTS else []
