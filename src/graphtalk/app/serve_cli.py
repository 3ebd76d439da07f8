"""The commands `graphtalk serve` and `graphtalk mcp`. They only read their options."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.options import (
    BaseUrl,
    BudgetUsd,
    Cache,
    Demos,
    Lm,
    LmTimeout,
    MaxSteps,
    Prefer,
    Prices,
    Reasoner,
    Retries,
    Strict,
)

Stores = Annotated[
    list[str],
    typer.Argument(
        metavar="STORE...", help="Stores, files, folders or built-in graphs; NAME=STORE calls one NAME."
    ),
]
Host = Annotated[str, typer.Option(help="Where to listen; others than this machine need a token.")]
Port = Annotated[int, typer.Option(min=1, max=65_535, help="The port to listen at.")]
TokenFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Access tokens, one per line.")]
Names = Annotated[
    list[str] | None, typer.Option("--name", metavar="HOST", help="A host name that the server answers to.")
]
Origins = Annotated[
    list[str] | None,
    typer.Option("--origin", metavar="URL", help="Another origin whose pages may send requests (CORS)."),
]


Proxies = Annotated[
    list[str] | None,
    typer.Option("--trust-proxy", metavar="ADDRESS", help="A proxy whose X-Forwarded headers are believed."),
]
RootPath = Annotated[
    str, typer.Option(metavar="PATH", help="The path under which a proxy shows the server, such as /graphs.")
]
Allow = Annotated[
    list[str] | None,
    typer.Option(metavar="STORE", help="A graph that calls may load by GL, though it is not served."),
]
Workers = Annotated[
    int,
    typer.Option(
        min=0,
        max=1_024,
        metavar="N",
        help="Processes that answer questions without a model, which share the stores. 0: one for each core.",
    ),
]


class Transport(StrEnum):
    """How an MCP client speaks with its server."""

    STDIO = "stdio"
    HTTP = "http"


def serve(
    stores: Stores,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    lm: Lm = "offline",
    reasoner: Reasoner = "auto",
    base_url: BaseUrl = "",
    budget_usd: BudgetUsd = 0.0,
    client_usd: Annotated[float, typer.Option(min=0.0, help="US dollars that each client may spend.")] = 0.0,
    rate: Annotated[int, typer.Option(min=1, help="Requests that each client may make a minute.")] = 600,
    at_once: Annotated[int, typer.Option(min=1, help="Answers that each client may have under way.")] = 32,
    connections: Annotated[
        int, typer.Option(min=1, help="Connections that each client may have open.")
    ] = 128,
    max_steps: MaxSteps = 15,
    strict: Strict = False,
    prices: Prices = None,
    demos: Demos = "auto",
    cache: Cache = None,
    token_file: TokenFile = None,
    names: Names = None,
    origins: Origins = None,
    keep: Annotated[Path | None, typer.Option(metavar="FILE", help="Where conversations are kept.")] = None,
    allow: Allow = None,
    allow_upload: Annotated[
        bool,
        typer.Option("--allow-upload", help="Take files on the page, and serve what is imported of them."),
    ] = False,
    upload_mb: Annotated[int, typer.Option(min=1, help="Megabytes of the largest file taken.")] = 50,
    proxies: Proxies = None,
    root_path: RootPath = "",
    lm_timeout: LmTimeout = 60.0,
    retries: Retries = 5,
    prefer: Prefer = None,
    workers: Workers = 0,
) -> None:
    """Serve graphs: a page to talk with them, an HTTP API, and any OpenAI-compatible chat.

    The page is at /, the API under /v1 and described by /openapi.json. Only this machine can reach it; another
    --host needs a token, in GRAPHTALK_TOKEN or --token-file.

    \b
    Examples:
      graphtalk serve atlas
      graphtalk serve films=old/graph.gt new.gt --workers 8
      graphtalk serve atlas --allow-upload
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
        lm_timeout=lm_timeout,
        retries=retries,
        prefer="" if prefer is None else prefer.value,
    )
    place = serving.Place(
        host,
        port,
        token_file,
        tuple(names or ()),
        tuple(origins or ()),
        client_usd,
        rate,
        at_once,
        connections,
        tuple(proxies or ()),
        root_path,
        workers,
        upload_mb << 20 if allow_upload else 0,
    )
    serving.serve(stores, settings, place, keep, allow or ())


def mcp(
    stores: Stores,
    transport: Annotated[Transport, typer.Option(help="How the client connects.")] = Transport.STDIO,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    lm: Lm = "offline",
    reasoner: Reasoner = "auto",
    base_url: BaseUrl = "",
    budget_usd: BudgetUsd = 0.0,
    max_steps: MaxSteps = 15,
    strict: Strict = False,
    token_file: TokenFile = None,
    names: Names = None,
    origins: Origins = None,
    allow: Allow = None,
    proxies: Proxies = None,
    root_path: RootPath = "",
    workers: Workers = 0,
    tools: Annotated[
        list[str] | None, typer.Option(metavar="CALL", help='A call that is a tool too, or "all" of them.')
    ] = None,
) -> None:
    """Serve graphs to an MCP client: an assistant, or an editor.

    Over standard input and output, as assistants start it, or over HTTP at /mcp. Its tools are ask, query, search, node,
    neighbours and verify; --tools adds calls by name, or all of them.

    \b
    Examples:
      graphtalk mcp atlas
      graphtalk mcp atlas --tools ShortestPath --tools PageRank
      graphtalk mcp hetionet.gt atlas --transport http --port 9001
    """
    from graphtalk.app import serve as serving
    from graphtalk.app.settings import Settings

    settings = Settings(lm, reasoner, base_url, budget_usd=budget_usd, max_steps=max_steps, strict=strict)
    place = serving.Place(
        host,
        port,
        token_file,
        tuple(names or ()),
        tuple(origins or ()),
        proxies=tuple(proxies or ()),
        root_path=root_path,
        workers=workers,
    )
    serving.serve_mcp(
        stores, settings, place if transport is Transport.HTTP else None, allow or (), tools or ()
    )
