"""G-Retriever's answer generation (section 5.4): a language model that reads a soft prompt, text and question.

PyTorch Geometric has a `GRetriever` too; its encoders serve here, its model does not: it opens a language model by name
in bfloat16 with a memory rule of its own, ends answers with the text "[/s]" in place of the end token, has no soft
prompt without a graph, no projection of the paper's shape, no way to leave parts out, and saves nothing.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any

import numpy as np
import torch
from torch import Tensor

from graphtalk.core import UsageError
from graphtalk.models.encoders import EncoderSize, GraphBatch, make_encoder
from graphtalk.search.embedder import Vectors
from graphtalk.training.prompts import Item
from graphtalk.training.settings import Lengths, Lora, Setting
from graphtalk.training.soft_prompts import GraphToken, VirtualTokens

IGNORED = -100  # the label of a token that is not to be learnt
_LORA_PLACES = ("q_proj", "v_proj")


@dataclass(frozen=True)
class Design:
    """How a model is made: its setting, graph encoder, LoRA and lengths."""

    setting: Setting
    encoder: str = "gt"
    size: EncoderSize = field(default_factory=EncoderSize)
    lora: Lora = field(default_factory=Lora)
    lengths: Lengths = field(default_factory=Lengths)


class GRetriever(torch.nn.Module):  # type: ignore[misc]
    """A causal language model of `transformers`, frozen or with LoRA, and a soft prompt that is trained."""

    def __init__(self, lm: Any, soft: torch.nn.Module | None, vectors: Vectors, most: int) -> None:
        """`vectors` is the table that items point into, `most` how many tokens an answer may have."""
        super().__init__()
        self.lm = lm
        self.soft = soft
        self.most = most
        plain = (
            lm.get_base_model() if hasattr(lm, "get_base_model") else lm
        )  # PEFT hides what its model takes
        self._predicts_few = "logits_to_keep" in signature(plain.forward).parameters
        self.look_at(vectors)

    def look_at(self, vectors: Vectors) -> None:
        """Take another table of vectors, for other items."""
        self._vectors = torch.from_numpy(vectors)  # not a buffer: it stays in main memory

    @property
    def device(self) -> torch.device:
        """Where the language model reads its input."""
        return self.lm.get_input_embeddings().weight.device

    def learnt(self) -> dict[str, Tensor]:
        """What training changes, by name: parameters, and the running means of batch normalisation."""
        tuned = {name for name, value in self.named_parameters() if value.requires_grad}
        return {
            name: value
            for name, value in self.state_dict().items()
            if name in tuned or name.startswith("soft.")
        }

    def load_learnt(self, learnt: dict[str, Tensor]) -> None:
        """Set what `learnt` gave. Raises UsageError where the names differ: it is of another design."""
        if differ := set(learnt) ^ set(self.learnt()):
            raise UsageError(
                f"The checkpoint is of another design: {sorted(differ)[0]} is in one of the two."
            )
        self.load_state_dict(learnt, strict=False)

    def train(self, mode: bool = True) -> "GRetriever":
        """Training mode. A frozen language model stays as it is: without dropout."""
        super().train(mode)
        if not any(value.requires_grad for value in self.lm.parameters()):
            self.lm.eval()
        return self

    def forward(self, items: Sequence[Item]) -> Tensor:
        """The mean loss over the answers' tokens.

        Answers stand at the end, so that only there words are predicted: with a large vocabulary and a long text the
        predictions would otherwise need more memory and time than a small model does.
        """
        prompts, mask, labels = self._inputs(items, answered=True)
        places = (mask.cumsum(1) - 1).clamp(min=0)
        last = max(len(item.answer) for item in items)
        few = {"logits_to_keep": last + 1} if self._predicts_few else {}
        logits = self.lm(
            inputs_embeds=prompts, attention_mask=mask, position_ids=places, use_cache=False, **few
        ).logits[:, -last - 1 : -1]
        return torch.nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), labels[:, -last:].flatten(), ignore_index=IGNORED
        )

    def answers(self, items: Sequence[Item]) -> list[list[int]]:
        """The likeliest answers: token ids, without the end token and what follows it."""
        settings = deepcopy(self.lm.generation_config)
        settings.do_sample, settings.num_beams = False, 1
        settings.temperature = settings.top_p = settings.top_k = None
        settings.max_new_tokens, settings.max_length = self.most, None
        ends = settings.eos_token_id
        ends = ends if isinstance(ends, list) else [] if ends is None else [ends]
        settings.pad_token_id = ends[0] if ends else 0
        with torch.no_grad():
            prompts, mask, _ = self._inputs(items, answered=False)
            written = self.lm.generate(inputs_embeds=prompts, attention_mask=mask, generation_config=settings)
        return [_until(row, ends) for row in written.tolist()]

    def _inputs(self, items: Sequence[Item], answered: bool) -> tuple[Tensor, Tensor, Tensor]:
        """Embeddings (items, longest, width), mask and labels (items, longest), padded on the left."""
        words = self.lm.get_input_embeddings()
        soft = [None] * len(items) if self.soft is None else self.soft(self._graphs(items))
        rows, labels = [], []
        for item, tokens in zip(items, soft, strict=True):
            answer = list(item.answer) if answered else []
            ids = torch.tensor([*item.before, *item.after, *answer], dtype=torch.long, device=self.device)
            row = words(ids)
            if tokens is not None:
                at = len(item.before)
                row = torch.cat([row[:at], tokens.to(row), row[at:]])
            rows.append(row)
            labels.append([IGNORED] * (len(row) - len(answer)) + answer)
        longest = max(len(row) for row in rows)
        pads = [longest - len(row) for row in rows]
        prompts = torch.stack(
            [torch.nn.functional.pad(row, (0, 0, pad, 0)) for row, pad in zip(rows, pads, strict=True)]
        )
        mask = torch.tensor([[0] * pad + [1] * (longest - pad) for pad in pads], device=self.device)
        wanted = [[IGNORED] * pad + row for row, pad in zip(labels, pads, strict=True)]
        return prompts, mask, torch.tensor(wanted, device=self.device)

    def _graphs(self, items: Sequence[Item]) -> GraphBatch:
        sizes = np.array([len(item.nodes) for item in items], np.int64)
        firsts = np.cumsum(sizes) - sizes
        ends = [item.ends + first for item, first in zip(items, firsts, strict=True)]
        nodes, edges, joined, graph_of = (
            torch.from_numpy(part)
            for part in (
                np.concatenate([item.nodes for item in items]),
                np.concatenate([item.edges for item in items]),
                np.concatenate(ends, axis=1),
                np.repeat(np.arange(len(items)), sizes),
            )
        )
        return GraphBatch(
            self._vectors[nodes].to(self.device),
            self._vectors[edges].to(self.device),
            joined.to(self.device),
            graph_of.to(self.device),
            len(items),
        )


def make_model(lm: Any, design: Design, vectors: Vectors, seed: int = 0) -> GRetriever:
    """A model around a language model of `transformers`, whose own weights are frozen. Its beginning is the seed's.

    Raises UsageError where LoRA finds no projections to adapt, or the sizes do not fit.
    """
    torch.manual_seed(seed)
    lm.requires_grad_(False)
    words = lm.get_input_embeddings().weight
    soft: torch.nn.Module | None = None
    if design.setting.soft == "virtual":
        soft = VirtualTokens(words, design.lengths.virtual)
    elif design.setting.soft == "graph":
        projected, width = design.setting.projected, words.shape[1]
        size = design.size if projected else replace(design.size, out=width)
        soft = GraphToken(make_encoder(design.encoder, vectors.shape[1], size), width, projected)
    if design.setting.lora:
        lm = _with_lora(lm, design.lora)
    model = GRetriever(lm, soft, vectors, design.lengths.answer)
    if soft is not None:
        soft.to(words.device)
    return model


def _with_lora(lm: Any, lora: Lora) -> Any:
    """The model with LoRA at its query and value projections; where it has other names for them, as PEFT knows."""
    from peft import LoraConfig, get_peft_model

    names = {name.rpartition(".")[2] for name, _ in lm.named_modules()}
    config = LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=list(_LORA_PLACES) if names.issuperset(_LORA_PLACES) else None,
        bias="none",
        task_type="CAUSAL_LM",
    )
    try:
        return get_peft_model(lm, config)
    except ValueError as error:
        raise UsageError(f"LoRA does not know where to adapt a {type(lm).__name__}: {error}") from error


def _until(ids: list[int], ends: Sequence[int]) -> list[int]:
    return ids[: next((place for place, token in enumerate(ids) if token in ends), len(ids))]
