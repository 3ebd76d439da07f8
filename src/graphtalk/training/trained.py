"""A trained G-Retriever in a folder: what it is (`model.json`), and its checkpoints; and how it answers."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graphtalk.core import JSON, UsageError
from graphtalk.lms.hf import HfLM
from graphtalk.models.encoders import EncoderSize
from graphtalk.search.embedder import Embedder, load_embedder
from graphtalk.training.checkpoint import Checkpoints
from graphtalk.training.g_retriever import Design, GRetriever, make_model
from graphtalk.training.prompts import Example, Item, Reader, TextVectors
from graphtalk.training.settings import Lengths, Lora, Setting
from graphtalk.training.text_graphs import TextGraph

FACTS = "model.json"
FORMAT = "graphtalk g-retriever 1"


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
        """The answer to a question about a graph, which is the retrieved part where there is retrieval."""
        vectors = TextVectors(self.embedder)
        setting = self.design.setting
        reader = Reader(self.lm.tokenizer, vectors, self.design.lengths, setting.text)
        items = reader.items([Example("", question, "", graph, graph)])
        self.model.look_at(vectors.table)
        return next(iter(answers(self.model, self.lm.tokenizer, items, 1)))


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
            yield str(tokenizer.decode(ids, skip_special_tokens=True)).strip()
        advance(len(written))


def write_facts(folder: Path, lm: str, embedder: str, design: Design, more: Mapping[str, JSON]) -> None:
    """Say what is trained in a folder. Raises UsageError, naming what differs, where it is something else there."""
    path = folder / FACTS
    facts = {"format": FORMAT, "lm": lm, "embedder": embedder, "design": asdict(design), **more}
    facts = json.loads(json.dumps(facts))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists():
            there = read_facts(folder)
            if differ := [name for name in {**there, **facts} if there.get(name) != facts.get(name)]:
                raise UsageError(
                    f"{folder} holds another training: its {differ[0]} is {there.get(differ[0])}, "
                    f"not {facts.get(differ[0])}. Give --out a new folder."
                )
            return
        if any(folder.iterdir()):
            raise UsageError(f"{folder} is a folder but not of a training; nothing is written into it.")
        beside = path.with_name(f"{path.name}.tmp")
        beside.write_text(json.dumps(facts, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror}.") from error


def read_facts(folder: Path) -> dict[str, Any]:
    """What `model.json` says. Raises UsageError where the folder holds no training."""
    path = folder / FACTS
    try:
        facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if facts["format"] != FORMAT:
            raise ValueError(f"format {facts['format']!r}")
    except FileNotFoundError:
        raise UsageError(f"{folder} holds no training: it has no {FACTS}.") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path} does not tell of a training of this version ({error!r}).") from error
    return facts


def _design(told: Mapping[str, Any]) -> Design:
    return Design(
        Setting(**told["setting"]),
        told["encoder"],
        EncoderSize(**told["size"]),
        Lora(**told["lora"]),
        Lengths(**told["lengths"]),
    )
