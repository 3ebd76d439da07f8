"""How questions are answered: by which reasoner and model, and within which limits."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphtalk.lms.options import Decoding
    from graphtalk.reasoners.together import Prefer
    from graphtalk.search.subgraph import Options


@dataclass(frozen=True)
class Settings:
    """What a person chose.

    `budget_usd` bounds the money of a session in US dollars, `budget_tokens` its tokens, `budget_seconds` its time;
    0 is no bound. `max_steps` bounds the steps of one answer. `demos` chooses Graph-CoT's demonstrations.
    `strict` gives no answer that nothing observed supports. `cache`, `record` and `replay` are files of
    exchanges with the model: shared, of one run, and of an earlier run. `retrieval` is how G-Retriever retrieves,
    None for its default. `accept` is the confidence from which on the offline reader answers, 0 to 1; None for its
    default. `lm_timeout` are the seconds that a reply of the model may take, `retries` how often it is asked
    again where that may help. `prefer` is whose answer is taken where a model and the offline reader are together: "model",
    "offline", or "" for the reader's where it is sure. `same_or_more` reads "the same X as" as GRBench does: those X, and perhaps more.
    `retriever` finds nodes that are not called exactly so: "" by names and meaning, `keyword`, or an embedder's name. `depth` are
    the hops around the found node that a baseline reads, None for its own. `demo_count` is how many of Graph-CoT's demonstrations are
    shown, None for all. `decoding` is how a fine-tuned annotator writes, None: as it was told in training. `search` is "" or `beam:N`, which keeps N branches of Graph-CoT's steps. `spread` is how many
    processes send requests to a model, or the address of a Dask scheduler whose workers do; "": this one. `allow` are files, folders and addresses whose graphs calls may load.
    """

    lm: str = "offline"
    reasoner: str = "auto"
    base_url: str = ""
    prices: Path | None = None
    budget_usd: float = 0.0
    budget_tokens: int = 0
    budget_seconds: float = 0.0
    max_steps: int = 15
    demos: str = "auto"
    strict: bool = False
    temperature: float = 0.0
    seed: int = 0
    concurrency: int = 0
    cache: Path | None = None
    record: Path | None = None
    replay: Path | None = None
    retrieval: "Options | None" = None
    accept: float | None = None
    same_or_more: bool = False
    lm_timeout: float = 60.0
    retries: int = 5
    prefer: "Prefer" = ""
    allow: tuple[str, ...] = ()
    search: str = ""
    decoding: "Decoding | None" = None
    retriever: str = ""
    depth: int | None = None
    demo_count: int | None = None
    spread: str = ""


DEFAULT = Settings()
