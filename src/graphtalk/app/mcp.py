"""The MCP server: `graphtalk mcp`. Assistants and editors call the tools of the registry, ask, and verify.

`mcp_tools.py` has the tools; here are the resources, the prompts and the transports.
"""

import asyncio
import json
import math
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Any, TypeVar
from urllib.parse import quote, unquote

import anyio
import mcp_types as types
from fastapi import FastAPI
from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.types import ASGIApp

from graphtalk.app.mcp_model import client_model
from graphtalk.app.mcp_tools import Toolbox
from graphtalk.app.server import health_routes, problems
from graphtalk.app.server.answering import Answering
from graphtalk.app.server.clients import Clients
from graphtalk.app.server.config import Bounds, ServerSettings
from graphtalk.app.server.guard import Guard
from graphtalk.app.server.metrics import Metrics
from graphtalk.app.server.proxy import Proxied
from graphtalk.app.shelf import Shelf
from graphtalk.core import GraphtalkError, UsageError, choices
from graphtalk.core.text import escaped, visible
from graphtalk.graphs.describe import describe
from graphtalk.graphs.graph import plain

T = TypeVar("T")
Params = types.PaginatedRequestParams | None
Context = ServerRequestContext[Any]

AT_ONCE = 8  # calls under way
SCHEME = "graphtalk://"
WORDS, OBJECT = "text/plain", "application/json"
PROMPTS = {
    "walk": "Walk the graph step by step (Graph-CoT)",
    "plan": "Write the question as one call",
    "retrieve": "Answer from a retrieved part of the graph (G-Retriever)",
}
INSTRUCTIONS = (
    "Graphs to ask: {graphs}. `ask` answers a question in plain language, with the calls and the evidence that show it; "
    "where it declines, read the resource graphtalk://GRAPH/schema and write a `query` in Cypher. `search`, `node` and "
    "`neighbours` look at the graph itself; `verify` runs an answer's calls again. Tools that are called otherwise are "
    "calls; an argument of theirs that takes nodes may be a call too."
)


@dataclass(frozen=True)
class Library:
    """What an MCP client can read: schemas, nodes, and prompts about the graphs of a shelf."""

    shelf: Shelf

    def resources(self) -> list[types.Resource]:
        """The schemas, in words."""
        return [
            types.Resource(
                uri=f"{SCHEME}{quote(name, safe='')}/schema",
                name=f"{name}: what it has",
                mime_type=WORDS,
            )
            for name in self.shelf.names()
        ]

    def read(self, uri: str) -> types.TextResourceContents:
        """A schema in words, or a node as JSON. Raises UnknownNameError or CheckError where there is none."""
        graph, _, rest = uri.removeprefix(SCHEME).partition("/")
        union = self.shelf.union(unquote(graph))
        kind, _, id = rest.partition("/")
        if kind == "schema":
            return types.TextResourceContents(uri=uri, mime_type=WORDS, text=describe(union.schema))
        node = union.node(unquote(id) if kind == "nodes" else "")
        views = union.schema.views_from(union.node_type(node).name)
        shown = {
            "id": union.id(node),
            "type": union.node_type(node).name,
            "features": {name: plain(value) for name, value in union.features(node).items()},
            "neighbours": {name: union.degree(node, name) for name in views},
        }
        written = escaped(json.dumps(shown, ensure_ascii=False))
        return types.TextResourceContents(uri=uri, mime_type=OBJECT, text=written)

    def prompt(self, name: str, given: Mapping[str, str]) -> str:
        """A prompt for an assistant that reasons by itself. Raises UsageError for an unknown one, or with no question."""
        if name not in PROMPTS:
            raise UsageError(f"No prompt {name!r}. {choices(name, PROMPTS)}")
        if "question" not in given:
            raise UsageError(f"The prompt {name} needs a question.")
        graph = given.get("graph") or self.shelf.names()[0]
        text = (files("graphtalk.app") / "mcp_prompts" / f"{name}.txt").read_text(encoding="utf-8")
        return text.format(
            graph=graph, schema=describe(self.shelf.union(graph).schema), question=given["question"]
        )


def server(answering: Answering, tools_wanted: Sequence[str] = ()) -> Server[Any]:
    """The server, ready for any transport. Raises UsageError for a tool that there is not."""
    shelf = answering.shelf
    box, library = Toolbox(shelf, answering, tuple(tools_wanted)), Library(shelf)

    async def tools(context: Context, params: Params) -> types.ListToolsResult:
        return types.ListToolsResult(tools=box.tools())

    async def call(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if not box.has(params.name):
            said = f"No tool {params.name!r}. {choices(params.name, box.names())}"
            raise MCPError(code=types.INVALID_PARAMS, message=said)
        state = {} if context.request is None else context.request.scope["state"]
        client = state.get("client", "local")
        model = client_model(context)
        working = asyncio.create_task(box.call(client, params.name, params.arguments or {}, model))
        leaving = asyncio.create_task(state["left"].wait() if state else asyncio.sleep(math.inf))
        try:
            await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise MCPError(code=types.INTERNAL_ERROR, message="The client left.")
            return working.result()
        finally:
            working.cancel()
            leaving.cancel()

    async def resources(context: Context, params: Params) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=library.resources())

    async def templates(context: Context, params: Params) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=f"{SCHEME}{{graph}}/nodes/{{id}}", name="a node", mime_type=OBJECT
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return types.ReadResourceResult(contents=[_or_refused(partial(library.read, str(params.uri)))])

    async def prompts(context: Context, params: Params) -> types.ListPromptsResult:
        arguments = [
            types.PromptArgument(name="question", required=True),
            types.PromptArgument(name="graph", description=f"one of {', '.join(shelf.names())}"),
        ]
        return types.ListPromptsResult(
            prompts=[
                types.Prompt(name=n, description=about, arguments=arguments) for n, about in PROMPTS.items()
            ]
        )

    async def prompt(context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        text = _or_refused(partial(library.prompt, params.name, params.arguments or {}))
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=_text(text))])

    from graphtalk import __version__

    return Server(
        "graphtalk",
        version=__version__,
        instructions=INSTRUCTIONS.format(graphs=", ".join(shelf.names())),
        on_list_tools=tools,
        on_call_tool=call,
        on_list_resources=resources,
        on_list_resource_templates=templates,
        on_read_resource=read,
        on_list_prompts=prompts,
        on_get_prompt=prompt,
    )


def run_stdio(shelf: Shelf, tools: Sequence[str] = ()) -> None:
    """Serve whoever is at standard input and output, until it leaves."""
    bounds = Bounds(client_running=AT_ONCE)

    async def run() -> None:
        answering = Answering(shelf, bounds, Clients(bounds))
        made = server(answering, tools)
        async with answering.open(), stdio_server() as (read, write):
            await made.run(read, write, made.create_initialization_options())

    anyio.run(run)


def site(shelf: Shelf, settings: ServerSettings, tools: Sequence[str] = ()) -> ASGIApp:
    """The server over HTTP, at /mcp, behind the same guard as the API."""
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the guard checks hosts
    clients = Clients(settings.bounds)
    answering = Answering(shelf, settings.bounds, clients)
    metrics = Metrics()
    app = server(answering, tools).streamable_http_app(transport_security=unguarded)
    health = FastAPI(openapi_url=None)
    problems.install(health)
    health.include_router(health_routes.router(answering, metrics))
    app.mount("/", health)
    inner = app.router.lifespan_context

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[Mapping[str, Any]]:
        async with answering.open(), inner(app) as state:
            yield state or {}

    app.router.lifespan_context = lifespan
    return Proxied(Guard(app, settings, clients, metrics), settings)


def _or_refused(work: Callable[[], T]) -> T:
    try:
        return work()
    except GraphtalkError as error:
        raise MCPError(code=types.INVALID_PARAMS, message=str(error)) from None


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=visible(text))
