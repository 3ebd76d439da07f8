"""Examples as a language model reads them: token ids, and vectors of the graph's texts (section 5.4).

beginning of sequence, soft prompt, textual graph (cut), question, end of instruction | answer, end of sequence
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphtalk.graphs.adjacency import Ints
from graphtalk.search.embedder import Embedder, Vectors
from graphtalk.training.settings import Lengths
from graphtalk.training.text_graphs import TextGraph

_HERE = "GRAPHTALK-PROMPT"
_PLAIN = ("[INST]", "[/INST]")  # around the prompt where a model has no chat template, as in the paper


@dataclass(frozen=True, eq=False)
class Example:
    """A question about a graph, and its answer. `whole` is the graph before retrieval."""

    id: str
    question: str
    answer: str
    graph: TextGraph
    whole: TextGraph


@dataclass(frozen=True, eq=False)
class Item:
    """An example in numbers. `before`, `after` and `answer` are token ids; the soft prompt stands between the first two.

    Rows of the table of vectors: nodes (n,), edges (m,). Shape of ends: (2, m).
    """

    id: str
    before: tuple[int, ...]
    after: tuple[int, ...]
    answer: tuple[int, ...]
    nodes: Ints
    edges: Ints
    ends: Ints


class TextVectors:
    """The vectors of texts, each different text embedded once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._rows: dict[str, int] = {}
        self._space = np.empty((0, embedder.dimension), np.float32)

    @property
    def table(self) -> Vectors:
        """All vectors, shape (different texts, dimension of the embedder)."""
        return self._space[: len(self._rows)]

    def rows(self, texts: Sequence[str]) -> Ints:
        """The rows of these texts in `table`, shape (len(texts),)."""
        known = len(self._rows)
        new = [text for text in dict.fromkeys(texts) if text not in self._rows]
        if new:
            self._rows.update(zip(new, range(known, known + len(new)), strict=True))
            if len(self._rows) > len(
                self._space
            ):  # room for as many again: copied seldom, however much comes
                grown = np.empty((2 * len(self._rows), self._space.shape[1]), np.float32)
                grown[:known] = self._space[:known]
                self._space = grown
            self._space[known : len(self._rows)] = self._embedder.embed(new)
        return np.fromiter((self._rows[text] for text in texts), np.int64, len(texts))


@dataclass(frozen=True)
class Reader:
    """Turns examples into items for one language model. `retrieved` chooses between the two graphs of an example."""

    tokenizer: Any
    vectors: TextVectors
    lengths: Lengths = field(default_factory=Lengths)
    text: bool = True
    retrieved: bool = True

    def items(self, examples: Iterable[Example]) -> list[Item]:
        """The items of all examples. Answers are cut like those that are generated."""
        before, end = around(self.tokenizer)
        return [self._item(example, before, end) for example in examples]

    def _item(self, example: Example, before: list[int], end: list[int]) -> Item:
        graph = example.graph if self.retrieved else example.whole
        text = self._ids(graph.as_csv())[: self.lengths.text] if self.text else []
        answer = [*self._ids(example.answer)[: self.lengths.answer], self.tokenizer.eos_token_id]
        return Item(
            example.id,
            tuple(before),
            (*text, *self._ids(example.question), *end),
            tuple(answer),
            self.vectors.rows(graph.nodes),
            self.vectors.rows(graph.edges),
            graph.ends,
        )

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        return ids


def around(tokenizer: Any) -> tuple[list[int], list[int]]:
    """The token ids before and after a prompt: what the model's chat template puts around a person's message."""
    if tokenizer.chat_template:
        shown = tokenizer.apply_chat_template(
            [{"role": "user", "content": _HERE}],
            tokenize=False,
            add_generation_prompt=True,
            enable_thinking=False,  # templates that know no thinking pass over it
        )
        begin, _, end = shown.partition(_HERE)
    else:
        begin, end = (tokenizer.bos_token or "") + _PLAIN[0], _PLAIN[1]
    begin_ids, end_ids = (
        list(tokenizer(text, add_special_tokens=False)["input_ids"]) if text else [] for text in (begin, end)
    )
    return begin_ids, end_ids
