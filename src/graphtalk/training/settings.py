"""The settings of the G-Retriever paper (appendix B.2), its ablations (B.3), and how it trains (B.1)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from graphtalk.core import UsageError, choices

Soft: TypeAlias = Literal["none", "virtual", "graph"]


@dataclass(frozen=True)
class Setting:
    """What a language model is given beside the question, and what of it is trained.

    soft: the soft prompt: none, trained virtual tokens, or the graph's token from a trained graph encoder
    text: whether the textual graph is read
    retrieved: whether token and text are of the retrieved part of the graph, or of all of it
    projected: whether a projection leads from the encoder to the model's width, or the encoder itself is that wide
    lora: whether the model is tuned by LoRA
    """

    soft: Soft
    text: bool = True
    retrieved: bool = True
    projected: bool = True
    lora: bool = False

    @property
    def trained(self) -> bool:
        """Whether there is anything to train."""
        return self.lora or self.soft != "none"


SETTINGS = {
    "inference-only": Setting("none"),
    "prompt-tuning": Setting("virtual", retrieved=False),
    "graph-token": Setting("graph", text=False, retrieved=False),
    "frozen": Setting("graph"),
    "lora-only": Setting("none", retrieved=False, lora=True),
    "lora": Setting("graph", lora=True),
}
"""By the names of the command line: zero-shot, prompt tuning, GraphToken, G-Retriever, LoRA, G-Retriever with LoRA."""

ABLATIONS = ("encoder", "projection", "text", "retrieval")


def setting_of(name: str, ablated: Iterable[str] = ()) -> Setting:
    """A setting without some of its parts. Raises UsageError for unknown names, and for a part that is not there."""
    if name not in SETTINGS:
        raise UsageError(f"No setting {name!r}. {choices(name, SETTINGS, most=len(SETTINGS))}")
    setting = SETTINGS[name]
    for part in ablated:
        setting = _without(setting, part, name)
    return setting


def _without(setting: Setting, part: str, name: str) -> Setting:
    if part == "encoder" and setting.soft == "graph":
        return replace(setting, soft="virtual")
    if part == "projection" and setting.soft == "graph" and setting.projected:
        return replace(setting, projected=False)
    if part == "text" and setting.text:
        return replace(setting, text=False)
    if part == "retrieval" and setting.retrieved:
        return replace(setting, retrieved=False)
    if part in ABLATIONS:
        raise UsageError(f"There is no {part} to leave out of the setting {name}.")
    raise UsageError(f"No part {part!r} to leave out. {choices(part, ABLATIONS)}")


_USES: tuple[tuple[tuple[str, ...], Callable[[Setting, str], bool]], ...] = (
    (("encoder", "layers", "hidden"), lambda setting, encoder: setting.soft == "graph"),
    (("heads",), lambda setting, encoder: setting.soft == "graph" and encoder != "gcn"),
    (("virtual_tokens",), lambda setting, encoder: setting.soft == "virtual"),
    (("lora_rank", "lora_alpha", "lora_dropout"), lambda setting, encoder: setting.lora),
    (("text_tokens",), lambda setting, encoder: setting.text),
    (("retrieve",), lambda setting, encoder: setting.retrieved),
    (("embedder",), lambda setting, encoder: setting.retrieved or setting.soft == "graph"),
    (
        (
            "epochs", "rate", "warmup", "patience", "weight_decay", "accumulate", "clip", "optimizer", "offload",
        ),
        lambda setting, encoder: setting.trained,
    ),
)  # fmt: skip


def idle(setting: Setting, encoder: str, options: Iterable[str]) -> list[str]:
    """Which of these options, by their names with underscores, change nothing in a setting with this graph encoder."""
    unused = {name for names, used in _USES if not used(setting, encoder) for name in names}
    return [name for name in options if name in unused]


@dataclass(frozen=True)
class Lora:
    """Low-rank adaptation of the query and value projections."""

    rank: int = 8
    alpha: int = 16
    dropout: float = 0.05


@dataclass(frozen=True)
class Lengths:
    """Most tokens of the textual graph and of an answer; how many virtual tokens stand for a graph's."""

    text: int = 512
    answer: int = 32
    virtual: int = 10


OPTIMIZERS = ("adamw", "adamw-8bit")


@dataclass(frozen=True)
class Schedule:
    """How to train. Batches are gathered `accumulate` at a time into one step of the optimiser.

    The rate rises for `warmup` epochs, then falls along half a cosine to zero. Training ends when `patience` epochs
    have not lowered the validation loss. `optimizer` is `adamw`, or `adamw-8bit` whose states have 8 bits. With `offload` what
    the backward pass needs waits in main memory. A checkpoint is written after each epoch, and each `keep_every` batches.
    """

    epochs: int = 10
    batch: int = 4
    accumulate: int = 2
    rate: float = 1e-5
    decay: float = 0.05
    betas: tuple[float, float] = (0.9, 0.95)
    warmup: float = 1.0
    clip: float = 0.1
    patience: int = 2
    seed: int = 0
    keep_every: int = 500
    optimizer: str = "adamw"
    offload: bool = False

    def __post_init__(self) -> None:
        """Raises UsageError for a number that makes no sense."""
        for name in ("epochs", "batch", "accumulate", "patience", "keep_every"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}: give at least 1.")
        if self.optimizer not in OPTIMIZERS:
            raise UsageError(f"No optimizer {self.optimizer!r}. {choices(self.optimizer, OPTIMIZERS)}")
        if not 0 < self.rate < float("inf"):
            raise UsageError(f"A learning rate of {self.rate} trains nothing: give one above 0.")
        if not self.clip > 0:
            raise UsageError(f"Gradients clipped at {self.clip} teach nothing: give a norm above 0.")
        if not 0 <= self.warmup < float("inf") or not 0 <= self.decay < float("inf"):
            raise UsageError("Warm-up epochs and weight decay are numbers from 0 on.")
