"""A tuned annotator as a language model: `trained:DIR`. It is asked with a text, and replies with the text annotated."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphtalk.core import LmError, UsageError
from graphtalk.graphs import builtin
from graphtalk.hub.hub import Hub, hub_folder
from graphtalk.lms.hf import GENERATING, HfLM
from graphtalk.lms.options import Decoding
from graphtalk.lms.protocol import Reply, Request, Usage, in_one_piece
from graphtalk.reasoners.toolformer.constrained.grammar import Grammar
from graphtalk.reasoners.toolformer.constrained.mask import Guide, ends_of, generate
from graphtalk.reasoners.toolformer.constrained.tokens import Tokens
from graphtalk.tools.registry import default_registry
from graphtalk.training.annotator_lm.prompts import prompt_ids
from graphtalk.training.annotator_lm.settings import Tuning
from graphtalk.training.annotator_lm.tune import learner, open_base
from graphtalk.training.checkpoint import Checkpoints
from graphtalk.training.facts import ANNOTATOR, FACTS, read_facts
from graphtalk.training.settings import Lora, Schedule

_ROOM = 256  # tokens for calls, beside twice those of the text


@dataclass(frozen=True)
class AnnotatorLM:
    """A model that writes annotations, held to a grammar; without one it writes what it likes.

    `decoding` says how it writes; temperature, tools and schemas are passed over.
    """

    name: str
    lm: HfLM
    decoding: Decoding
    tokens: Tokens
    grammar: Grammar | None

    def complete(self, request: Request) -> Reply:
        """The last message, annotated. Raises LmError where there is no room for that."""
        text = request.messages[-1].content.strip()
        ids = prompt_ids(self.lm.tokenizer, text)
        most = min(request.max_tokens, self.lm.context() - len(ids), 2 * len(ids) + _ROOM)
        if most < 1:
            raise LmError(
                f"{self.name} reads at most {self.lm.context()} tokens, and the prompt has {len(ids)}."
            )
        guide = None
        if self.grammar is not None and not self.decoding.free:
            guide = Guide(self.tokens, self.grammar.automaton(text), ends_of(self.lm.model), most)
        with GENERATING:
            written = generate(self.lm.model, ids, most, self.decoding, guide, request.seed)
        said = guide.text(written) if guide else self._text(written)
        return Reply(said, usage=Usage(1, len(ids), len(written)))

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply in one piece."""
        yield from in_one_piece(self.complete(request))

    def _text(self, written: list[int]) -> str:
        return str(self.lm.tokenizer.decode(written, skip_special_tokens=True)).strip()


def open_annotator(name: str, folder: Path, decoding: Decoding | None = None) -> AnnotatorLM:
    """The annotator that was trained into a folder; it writes as it was told in training, if not told here. Raises UsageError where it holds none, or its base is gone."""
    facts = read_facts(folder, ANNOTATOR)
    try:
        base, tuning = str(facts["lm"]), _tuning(facts["tuning"])
    except (KeyError, TypeError) as error:
        raise UsageError(f"{folder / FACTS} does not say what was trained ({error!r}).") from error
    lm = open_base(base, tuning.eight_bit, offload=False)
    model = learner(lm, tuning)
    model.load_learnt(Checkpoints(folder).read_best())
    model.eval()
    graphs = (*builtin.names(), *Hub(hub_folder()).names(), *facts.get("graphs", ()))
    grammar = Grammar(default_registry(), tuple(dict.fromkeys(graphs)), tuning.words)
    return AnnotatorLM(
        name,
        HfLM(name, model.lm, lm.tokenizer),
        decoding or tuning.decoding,
        Tokens.of(lm.tokenizer),
        grammar,
    )


def _tuning(told: dict[str, Any]) -> Tuning:
    lora = told["lora"]
    beams = told.get("beams")  # of a training before there were other ways to write
    decoding = Decoding(**told["decoding"]) if "decoding" in told else Decoding(int(beams or 5))
    told = {key: value for key, value in told.items() if key != "beams"}
    schedule = {**told["schedule"], "betas": tuple(told["schedule"]["betas"])}
    return Tuning(
        **{
            **told,
            "lora": Lora(**lora) if lora else None,
            "schedule": Schedule(**schedule),
            "decoding": decoding,
        }
    )
