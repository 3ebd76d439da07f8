"""How a model is tuned to annotate."""

from dataclasses import dataclass, field

from graphtalk.core import UsageError
from graphtalk.lms.options import Decoding
from graphtalk.reasoners.toolformer.constrained.grammar import Words
from graphtalk.training.settings import Lora, Schedule

LENGTH = 128  # the paper's


def paper_schedule(
    epochs: int = 3,
    batch: int = 32,
    rate: float = 1e-5,
    decay: float = 0.01,
    seed: int = 0,
    accumulate: int = 1,
    optimizer: str = "adamw",
    offload: bool = False,
) -> Schedule:
    """AdamW with the paper's rate, weight decay, epochs and batch (5.4.1).

    Ours, for the paper says nothing of them: a warm-up of a tenth of an epoch, half a cosine after it, gradients cut
    at a norm of 1, and no early stopping.
    """
    return Schedule(
        epochs,
        batch,
        accumulate,
        rate,
        decay,
        (0.9, 0.999),
        0.1,
        1.0,
        patience=epochs,
        seed=seed,
        keep_every=100,
        optimizer=optimizer,
        offload=offload,
    )


@dataclass(frozen=True)
class Tuning:
    """What is tuned, and how it writes.

    lora: its rank, alpha and dropout; None trains all weights. The paper names LoRA, and no rank
    eight_bit: whether the model's own weights are read in 8 bits, as the paper's are; needs a GPU and bitsandbytes
    length: most tokens of a text and of its annotation, each
    words, decoding: see `Grammar` and `Decoding`
    """

    lora: Lora | None = field(default_factory=Lora)
    schedule: Schedule = field(default_factory=paper_schedule)
    eight_bit: bool = False
    length: int = LENGTH
    words: Words = "copy"
    decoding: Decoding = field(default_factory=Decoding)

    def __post_init__(self) -> None:
        """Raises UsageError for settings that make no sense together."""
        if self.eight_bit and self.lora is None:
            raise UsageError("Weights of 8 bits cannot be trained themselves: give --lora-rank 1 or more.")
