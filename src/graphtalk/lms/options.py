"""How a language model is to be opened: where it is, what may be spent, what is kept."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from graphtalk.core import UsageError
from graphtalk.lms.budget import Budget


@dataclass(frozen=True)
class Decoding:
    """How a fine-tuned annotator writes (Graph-ToolFormer, section 5.4.1: 5 beams, top-k 5, top-p 0.95, temperature 1.9).

    Above a temperature of 0 tokens are drawn, of the `top_k` likeliest (0: of all) that have `top_p` of the probability; at 0 the
    likeliest are taken, so that the same text is always annotated alike. `early_stop` ends when there are as many whole
    texts as beams. `free` is without the grammar of calls.
    """

    beams: int = 5
    top_k: int = 0
    top_p: float = 1.0
    temperature: float = 0.0
    early_stop: bool = False
    free: bool = False

    def __post_init__(self) -> None:
        """Raises UsageError for a number that makes no sense, and for bounds on what is drawn where nothing is."""
        for option, value, fits, wanted in (
            ("--beams", self.beams, self.beams >= 1, "1 or more"),
            ("--top-k", self.top_k, self.top_k >= 0, "1 or more, or 0 for all tokens"),
            ("--top-p", self.top_p, 0 < self.top_p <= 1, "a share above 0, 1 at most"),
            ("--temperature", self.temperature, 0 <= self.temperature < 100, "0 or more, below 100"),
        ):
            if not fits:
                raise UsageError(f"{option} is {value}: give {wanted}.")
        if self.temperature == 0 and (self.top_k or self.top_p < 1):
            raise UsageError(
                "--top-k and --top-p bound what is drawn: give --temperature too, such as the paper's 1.9."
            )
        if self.early_stop and self.beams == 1:
            raise UsageError("--early-stop ends a search with beams: give --beams 2 or more.")


@dataclass(frozen=True)
class LmOptions:
    """Settings of a model and of the layers around it. An empty one is the usual.

    base_url: the address of the server; else what OPENAI_BASE_URL or ANTHROPIC_BASE_URL says, else the provider's own
    api_key_env: the environment variable that holds the key; else OPENAI_API_KEY or ANTHROPIC_API_KEY. The key
        itself is never an option, so that it stands in no settings that are printed or kept
    prices: a TOML file of prices that goes over the shipped one
    budget: what may be spent in all
    cache: a file that keeps replies for all runs
    record: a file that keeps the replies of this run, so that it can be resumed and replayed
    replay: such a file, in place of the model
    concurrency: how many requests may be under way at once; 0 is no limit
    timeout: seconds that a reply may take
    decoding: how a fine-tuned annotator writes; None: as it was told in training
    retries: how often a request is sent again where that may help
    spread: how many processes send requests, or the address of a Dask scheduler whose workers do; "": this process
    """

    base_url: str = ""
    api_key_env: str = ""
    prices: Path | None = None
    budget: Budget = field(default_factory=Budget)
    cache: Path | None = None
    record: Path | None = None
    replay: Path | None = None
    concurrency: int = 0
    timeout: float = 60.0
    retries: int = 5
    decoding: Decoding | None = None
    spread: str = ""

    def url(self, provider: str) -> str:
        """The address that the options or the environment give, or ""."""
        return self.base_url or os.environ.get(f"{provider.upper()}_BASE_URL", "")

    def key_name(self, provider: str) -> str:
        """The environment variable that holds the key."""
        return self.api_key_env or f"{provider.upper()}_API_KEY"
