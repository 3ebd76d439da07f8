"""`graphtalk annotate` and `graphtalk complete`: their options. What they do is in `app/toolformer.py`."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphtalk.app.options import (
    EACH,
    Allow,
    AsJson,
    BaseUrl,
    Beams,
    BudgetUsd,
    Cache,
    EarlyStop,
    Lm,
    LmTimeout,
    Retries,
    Temperature,
    TimeoutEach,
    TopK,
    TopP,
    Unconstrained,
)
from graphtalk.core import UsageError

if TYPE_CHECKING:
    from graphtalk.app.settings import Settings
    from graphtalk.app.toolformer import Texts
    from graphtalk.lms.options import Decoding

Text = Annotated[
    str | None,
    typer.Argument(
        metavar="TEXT",
        help="A statement with [TBR] where something is to be found, or a question; - for stdin.",
    ),
]
File = Annotated[Path | None, typer.Option(help='Texts: {"id", "input"} per line.')]
Out = Annotated[Path | None, typer.Option(help="Outputs of --file, one line each; resumed if there.")]
OfGraph = Annotated[
    str, typer.Option("--graph", metavar="STORE", help="A graph that texts are about without naming it.")
]


def annotate(
    text: Text = None,
    file: File = None,
    out: Out = None,
    lm: Lm = "offline",
    graph: OfGraph = "",
    base_url: BaseUrl = "",
    budget_usd: BudgetUsd = 0.0,
    cache: Cache = None,
    timeout: TimeoutEach = None,
    lm_timeout: LmTimeout = 60.0,
    retries: Retries = 5,
    allow: Allow = None,
    beams: Beams = None,
    top_k: TopK = 0,
    top_p: TopP = 1.0,
    temperature: Temperature = 0.0,
    early_stop: EarlyStop = False,
    unconstrained: Unconstrained = False,
    as_json: AsJson = False,
) -> None:
    """Write graph calls into a text, where it needs them.

    A text that needs none comes back as it is. Nothing is run; `graphtalk complete` runs the calls.
    With --file every line gets a line {"id", "output"} in --out, in the same order. What --out already has is kept.

    \b
    Examples:
      graphtalk annotate "The lollipop graph has a diameter of [TBR]."
      graphtalk annotate "What is the topic of paper #83826 in the cora bibliographic network?" --lm openai:gpt-4o-mini
      graphtalk annotate --file inputs.jsonl --out outputs.jsonl
    """
    from graphtalk.app.toolformer import annotating

    decoding = _decoding(lm, beams, top_k, top_p, temperature, early_stop, unconstrained)
    settings = _settings(lm, base_url, budget_usd, cache, lm_timeout, retries, allow, decoding)
    raise typer.Exit(_work(text, file, out, as_json, lambda: annotating(settings, graph), timeout))


def complete(
    text: Text = None,
    file: File = None,
    out: Out = None,
    lm: Lm = "offline",
    graph: OfGraph = "",
    base_url: BaseUrl = "",
    budget_usd: BudgetUsd = 0.0,
    cache: Cache = None,
    timeout: TimeoutEach = None,
    lm_timeout: LmTimeout = 60.0,
    retries: Retries = 5,
    allow: Allow = None,
    beams: Beams = None,
    top_k: TopK = 0,
    top_p: TopP = 1.0,
    temperature: Temperature = 0.0,
    early_stop: EarlyStop = False,
    unconstrained: Unconstrained = False,
    as_json: AsJson = False,
) -> None:
    """Fill in a text: write its graph calls, run them, and put the results in their places.

    A call that fails leaves its place marked with the reason. Data sets other than gpr are fetched first, by
    `graphtalk hub fetch`.

    \b
    Examples:
      graphtalk complete "The lollipop graph has a diameter of [TBR]."
      graphtalk complete "What is the topic of paper #83826 in the cora bibliographic network?" --json
      graphtalk complete "France borders [TBR]." --graph atlas
      graphtalk complete --file inputs.jsonl --out outputs.jsonl
    """
    from graphtalk.app.toolformer import completing

    decoding = _decoding(lm, beams, top_k, top_p, temperature, early_stop, unconstrained)
    settings = _settings(lm, base_url, budget_usd, cache, lm_timeout, retries, allow, decoding)
    raise typer.Exit(_work(text, file, out, as_json, lambda: completing(settings, graph), timeout))


def _settings(
    lm: str,
    base_url: str,
    budget_usd: float,
    cache: Path | None,
    lm_timeout: float,
    retries: int,
    allow: list[str] | None,
    decoding: "Decoding | None",
) -> "Settings":
    from graphtalk.app.settings import Settings

    return Settings(
        lm=lm,
        base_url=base_url,
        budget_usd=budget_usd,
        cache=cache,
        lm_timeout=lm_timeout,
        retries=retries,
        allow=tuple(allow or ()),
        decoding=decoding,
    )


def _decoding(
    lm: str,
    beams: int | None,
    top_k: int,
    top_p: float,
    temperature: float,
    early_stop: bool,
    unconstrained: bool,
) -> "Decoding | None":
    """How a fine-tuned annotator writes; None where nothing of it was said."""
    from graphtalk.lms.options import Decoding

    told = Decoding(beams or Decoding.beams, top_k, top_p, temperature, early_stop, unconstrained)
    if beams is None and told == Decoding():
        return None
    if not lm.startswith("trained:"):
        raise UsageError(
            f"--lm {lm}: beams, top-k, top-p, temperature and the grammar are of --lm trained:DIR alone."
        )
    return told


def _work(
    text: str | None,
    file: Path | None,
    out: Path | None,
    as_json: bool,
    make: "Callable[[], Texts]",
    timeout: float | None,
) -> int:
    if file is not None and text is None:
        if out is None:
            raise UsageError("--file needs --out: where the outputs go.")
        return make().file(file, out, timeout or EACH)
    if text is None or file is not None:
        raise UsageError("Give one TEXT, or --file with texts.")
    if out is not None:
        raise UsageError("--out goes with --file; use > to keep one output.")
    return make().one(_stdin() if text == "-" else text, as_json, timeout)


def _stdin() -> str:
    """Standard input, with bytes that are no text as arguments have them: the reasoner declines those."""
    return typer.get_text_stream("stdin", errors="surrogateescape").read().rstrip("\n")
