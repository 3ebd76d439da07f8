"""A trained G-Retriever as a language model: `trained:DIR`, the folder of a training.

It reads prompts as it did in training, a graph's two tables and then the question, and nothing else: the graph's encoder
sees the graph that the tables tell of. So whatever goes around other models (budget, cache, recording) goes around it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from graphtalk.core import LmError, UsageError
from graphtalk.lms.hf import GENERATING
from graphtalk.lms.options import LmOptions
from graphtalk.lms.protocol import LanguageModel, Reply, Request, Usage, in_one_piece
from graphtalk.training.facts import is_annotator, is_offline_annotator
from graphtalk.training.text_graphs import NotTables, TextGraph
from graphtalk.training.trained import Trained


@dataclass(frozen=True)
class TrainedLM:
    """What was trained, behind the protocol of language models. Temperature, tools and schemas are passed over."""

    name: str
    trained: Trained

    def complete(self, request: Request) -> Reply:
        """The answer to the last message. Raises LmError where that does not begin with a graph."""
        try:
            graph, question = TextGraph.of_csv(request.messages[-1].content)
        except NotTables as error:
            raise LmError(f"{self.name} reads a graph as tables, then a question: {error}") from error
        if not graph.nodes:
            raise LmError(f"{self.name} reads a graph, and this one has no nodes.")
        with GENERATING:
            told = self.trained.tell(question, graph)
        return Reply(told.text, usage=Usage(1, told.read, told.written))

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply in one piece."""
        yield from in_one_piece(self.complete(request))


def open_trained(folder: str, options: LmOptions) -> LanguageModel:
    """What a training left in a folder, an annotator or a G-Retriever. Raises UsageError where there is none."""
    place = Path(folder).expanduser()
    if is_offline_annotator(place):
        raise UsageError(
            f"{folder} holds an offline annotator, and no language model: annotate and complete take it."
        )
    if is_annotator(place):
        from graphtalk.training.annotator_lm.tuned import open_annotator

        return open_annotator(f"trained:{folder}", place, options.decoding)
    return TrainedLM(f"trained:{folder}", Trained.open(place))
