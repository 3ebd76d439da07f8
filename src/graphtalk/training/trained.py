"""A trained G-Retriever, from the folder of its training: how it answers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphtalk.core import LmError, UsageError
from graphtalk.lms.hf import HfLM
from graphtalk.models.encoders import EncoderSize
from graphtalk.search.embedder import Embedder, load_embedder
from graphtalk.training.checkpoint import Checkpoints
from graphtalk.training.facts import FACTS, read_facts
from graphtalk.training.g_retriever import Design, GRetriever, make_model
from graphtalk.training.prompts import Example, Item, Reader, TextVectors
from graphtalk.training.settings import Lengths, Lora, Setting
from graphtalk.training.text_graphs import TextGraph


@dataclass(frozen=True)
class Generated:
    """An answer, and how many tokens were read and written for it. The soft prompt does not count."""

    text: str
    read: int
    written: int


@dataclass(frozen=True)
class Trained:
    """A language model with its trained soft prompt, and what reads graphs for it."""

    lm: HfLM
    model: GRetriever
    design: Design
    embedder: Embedder

    @classmethod
    def open(cls, folder: Path) -> "Trained":
        """Load what was trained into a folder. Raises UsageError where it holds none, or its language model is gone."""
        facts = read_facts(folder)
        try:
            design, name, embedder = _design(facts["design"]), str(facts["lm"]), str(facts["embedder"])
        except (KeyError, TypeError) as error:
            raise UsageError(f"{folder / FACTS} does not say what was trained ({error!r}).") from error
        lm, words = HfLM.open(name), load_embedder(embedder)
        model = make_model(lm.model, design, TextVectors(words).table)
        if design.setting.trained:
            model.load_learnt(Checkpoints(folder).read_best())
        return cls(lm, model.eval(), design, words)

    def answer(self, question: str, graph: TextGraph) -> str:
        """The answer to a question about a graph, which is the retrieved part where there is retrieval.

        Raises LmError where the model cannot read so much, or memory runs out.
        """
        return self.tell(question, graph).text

    def tell(self, question: str, graph: TextGraph) -> Generated:
        """As `answer`, with the tokens that it took."""
        vectors = TextVectors(self.embedder)
        reader = Reader(self.lm.tokenizer, vectors, self.design.lengths, self.design.setting.text)
        (item,) = reader.items([Example("", question, "", graph, graph)])
        read, most = len(item.before) + len(item.after), self.lm.context() - self.design.lengths.virtual
        if read + self.design.lengths.answer > most:
            raise LmError(f"{self.lm.name} reads at most {most} tokens, and the prompt has {read}.")
        self.model.look_at(vectors.table)
        try:
            (ids,) = self.model.answers([item])
        except RuntimeError as error:  # what torch raises when memory runs out
            raise LmError(f"{self.lm.name} failed: {str(error).partition(chr(10))[0]}") from error
        return Generated(_words(self.lm.tokenizer, ids), read, len(ids))


def answers(
    model: GRetriever,
    tokenizer: Any,
    items: Sequence[Item],
    batch: int,
    advance: Callable[[int], None] = lambda _: None,
) -> Iterable[str]:
    """The answers to items, in order, so many at a time."""
    model.eval()
    for at in range(0, len(items), batch):
        written = model.answers(items[at : at + batch])
        for ids in written:
            yield _words(tokenizer, ids)
        advance(len(written))


def _words(tokenizer: Any, ids: Sequence[int]) -> str:
    return str(tokenizer.decode(ids, skip_special_tokens=True)).strip()


def _design(told: Mapping[str, Any]) -> Design:
    return Design(
        Setting(**told["setting"]),
        told["encoder"],
        EncoderSize(**told["size"]),
        Lora(**told["lora"]),
        Lengths(**told["lengths"]),
    )
