"""How a language model is to be opened: where it is, what may be spent, what is kept."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from graphtalk.lms.budget import Budget


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
    retries: how often a request is sent again where that may help
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

    def url(self, provider: str) -> str:
        """The address that the options or the environment give, or ""."""
        return self.base_url or os.environ.get(f"{provider.upper()}_BASE_URL", "")

    def key_name(self, provider: str) -> str:
        """The environment variable that holds the key."""
        return self.api_key_env or f"{provider.upper()}_API_KEY"
