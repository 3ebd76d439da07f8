"""The command `graphtalk serve`. It only reads its options."""

from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.options import BaseUrl, BudgetUsd, Cache, Demos, Lm, MaxSteps, Prices, Reasoner, Strict

Stores = Annotated[
    list[str], typer.Argument(metavar="STORE...", help="Stores, files or folders, or built-in graphs.")
]


def serve(
    stores: Stores,
    host: Annotated[
        str, typer.Option(help="Where to listen; others than this machine need a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65_535, help="The port to listen at.")] = 8000,
    lm: Lm = "offline",
    reasoner: Reasoner = "auto",
    base_url: BaseUrl = "",
    budget_usd: BudgetUsd = 0.0,
    client_usd: Annotated[float, typer.Option(min=0.0, help="US dollars that each client may spend.")] = 0.0,
    max_steps: MaxSteps = 15,
    strict: Strict = False,
    prices: Prices = None,
    demos: Demos = "auto",
    cache: Cache = None,
    token_file: Annotated[Path | None, typer.Option(metavar="FILE", help="Tokens, one a line.")] = None,
    name: Annotated[list[str] | None, typer.Option(metavar="HOST", help="A host name to answer for.")] = None,
    origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="Another site whose pages may ask.")
    ] = None,
    keep: Annotated[Path | None, typer.Option(metavar="FILE", help="Where conversations are kept.")] = None,
) -> None:
    """Serve graphs: a page to talk with them, an HTTP API, and any OpenAI-compatible chat.

    The page is at /, the API under /v1 and described by /openapi.json. Only this machine can reach it; another
    --host needs a token, in GRAPHTALK_TOKEN or --token-file.

    \b
    Examples:
      graphtalk serve atlas
      graphtalk serve hetionet.gt atlas --port 9000 --lm openai:gpt-4o-mini --budget-usd 5
      GRAPHTALK_TOKEN=... graphtalk serve mine.gt --host 0.0.0.0 --name graphs.example.org
    """
    from graphtalk.app import serve as serving
    from graphtalk.app.settings import Settings

    settings = Settings(
        lm,
        reasoner,
        base_url,
        prices,
        budget_usd,
        max_steps=max_steps,
        demos=demos,
        strict=strict,
        cache=cache,
    )
    serving.serve(stores, settings, host, port, token_file, name or [], origin or [], keep, client_usd)
