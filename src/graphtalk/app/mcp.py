"""The MCP server: `graphtalk mcp`. Assistants and editors call the tools of the registry, ask, and verify.

Every tool's schema is derived from the registry, and what is called is checked there again. Results are sized for a
model: the first entries, how many there are, and what narrows them.
"""

import asyncio
import json
import math
from collections.abc import AsyncIterator, Callable, Mapping
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

from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.server import health_routes, problems
from graphtalk.app.server.answering import Answering
from graphtalk.app.server.clients import Clients
from graphtalk.app.server.config import Bounds, ServerSettings
from graphtalk.app.server.guard import Guard
from graphtalk.app.server.jobs import Asking, Given, Job, Using, Verifying
from graphtalk.app.server.metrics import Metrics
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.proxy import Proxied
from graphtalk.app.server.workers import CrashError
from graphtalk.app.shelf import Choice, Shelf
from graphtalk.core import JSON, GraphtalkError
from graphtalk.core.text import escaped, visible
from graphtalk.graphs.describe import describe
from graphtalk.graphs.graph import plain
from graphtalk.tools.describe import json_schema
from graphtalk.tools.registry import Tool, default_registry

T = TypeVar("T")
Params = types.PaginatedRequestParams | None
Context = ServerRequestContext[Any]

MOST = 50  # entries of a result, and nodes and edges of its evidence
AT_ONCE = 8  # calls under way
SCHEME = "graphtalk://"
PROMPTS = {
    "walk": "Walk the graph step by step (Graph-CoT)",
    "plan": "Write the question as one call",
    "retrieve": "Answer from a retrieved part of the graph (G-Retriever)",
}
INSTRUCTIONS = (
    "Graphs to ask: {graphs}. `ask` answers a question in plain language, with the calls and the evidence that show it; "
    "`verify` runs an answer's calls again. The other tools are the calls themselves; an argument that takes nodes may be "
    "a call too."
)


@dataclass(frozen=True)
class Toolbox:
    """What an MCP client can do with the graphs of a shelf."""

    shelf: Shelf
    answering: Answering

    def tools(self) -> list[types.Tool]:
        """All tools, the registry's last: those that can run on a graph of the shelf."""
        graphs = [self.shelf.graph(name) for name in self.shelf.names()]
        able = [tool for tool in default_registry().values() if not all(map(tool.missing, graphs))]
        return [self._ask(), self._verify(), *map(self._of_registry, able)]

    async def call(self, client: str, name: str, given: Mapping[str, JSON]) -> types.CallToolResult:
        """Do what a tool does. What is wrong with the arguments comes back as a result that says so."""
        arguments = dict(given)
        graph = str(arguments.pop("graph", "") or self.shelf.names()[0])
        try:
            self.shelf.graph(graph)
            job = self._job(graph, name, arguments)
            with_lm = isinstance(job, Asking) and self._chosen(job) != OFFLINE
            shown = await self.answering.run(client, job, with_lm)
            if isinstance(job, Asking):
                self.answering.clients.spent(client, shown["usage"].get("usd", 0))
                problems.check(shown)
            return _result(job, shown)
        except (GraphtalkError, ProblemError, CrashError) as error:
            said = str(problems.of_error(error).detail)
            return types.CallToolResult(content=[_text(said)], is_error=True)

    def _job(self, graph: str, name: str, arguments: Mapping[str, JSON]) -> Job:
        if name == "ask":
            question, reasoner = (str(arguments.get(key) or "") for key in ("question", "reasoner"))
            return Asking(graph=graph, question=question, reasoner=reasoner, most=MOST)
        if name == "verify":
            given = arguments.get("answer")
            return Verifying(graph=graph, answer=given if isinstance(given, dict) else {})
        call = {"name": default_registry().find(name).name, "arguments": arguments}
        return Using(graph=graph, call=json.dumps(call), most=MOST)

    def _chosen(self, job: Asking) -> str:
        return self.shelf.chosen(Choice(job.reasoner, job.lm)).lm

    def _of_registry(self, tool: Tool) -> types.Tool:
        names = self.shelf.names()
        schema = self.shelf.union(names[0]).schema if len(names) == 1 else None
        made: Any = json_schema(tool, schema, other_graphs=False)["function"]
        made["parameters"]["properties"] |= self._graph()
        return types.Tool(name=tool.name, description=made["description"], input_schema=made["parameters"])

    def _ask(self) -> types.Tool:
        properties = {
            "question": {"type": "string", "description": "in plain language"},
            "reasoner": {"type": "string", "enum": list(self.shelf.reasoners())},
        }
        return self._tool("ask", "Answer a question about a graph, with evidence.", properties, "question")

    def _verify(self) -> types.Tool:
        properties = {"answer": {"type": "object", "description": "the object that `ask` gave"}}
        return self._tool("verify", "Run an answer's calls again, and compare.", properties, "answer")

    def _tool(self, name: str, about: str, properties: dict[str, Any], required: str) -> types.Tool:
        schema = {"type": "object", "properties": properties | self._graph(), "required": [required]}
        return types.Tool(name=name, description=about, input_schema=schema)

    def _graph(self) -> dict[str, Any]:
        names = list(self.shelf.names())
        return {
            "graph": {
                "type": "string",
                "enum": names,
                "description": f"which graph; {names[0]} if none is named",
            }
        }

    def resources(self) -> list[types.Resource]:
        """The schemas, in words."""
        return [
            types.Resource(
                uri=f"{SCHEME}{quote(name, safe='')}/schema",
                name=f"{name}: what it has",
                mime_type="text/plain",
            )
            for name in self.shelf.names()
        ]

    def read(self, uri: str) -> str:
        """A schema in words, or a node as JSON. Raises UnknownNameError or CheckError where there is none."""
        graph, _, rest = uri.removeprefix(SCHEME).partition("/")
        union = self.shelf.union(unquote(graph))
        kind, _, id = rest.partition("/")
        if kind == "schema":
            return describe(union.schema)
        node = union.node(unquote(id) if kind == "nodes" else "")
        views = union.schema.views_from(union.node_type(node).name)
        shown = {
            "id": union.id(node),
            "type": union.node_type(node).name,
            "features": {name: plain(value) for name, value in union.features(node).items()},
            "neighbours": {name: union.degree(node, name) for name in views},
        }
        return escaped(json.dumps(shown, ensure_ascii=False))

    def prompt(self, name: str, given: Mapping[str, str]) -> str:
        """A prompt for an assistant that reasons by itself. Raises KeyError for an unknown one."""
        if name not in PROMPTS:
            raise KeyError(name)
        graph = given.get("graph") or self.shelf.names()[0]
        text = (files("graphtalk.app") / "mcp_prompts" / f"{name}.txt").read_text(encoding="utf-8")
        return text.format(
            graph=graph, schema=describe(self.shelf.union(graph).schema), question=given.get("question", "")
        )


def server(answering: Answering) -> Server[Any]:
    """The server, ready for any transport."""
    shelf = answering.shelf
    box = Toolbox(shelf, answering)

    async def tools(context: Context, params: Params) -> types.ListToolsResult:
        return types.ListToolsResult(tools=box.tools())

    async def call(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        state = {} if context.request is None else context.request.scope["state"]
        client = state.get("client", "local")
        working = asyncio.create_task(box.call(client, params.name, params.arguments or {}))
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
        return types.ListResourcesResult(resources=box.resources())

    async def templates(context: Context, params: Params) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            uri_template=f"{SCHEME}{{graph}}/nodes/{{id}}", name="a node", mime_type="application/json"
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read(context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        uri = str(params.uri)
        text = _or_refused(partial(box.read, uri))
        return types.ReadResourceResult(contents=[types.TextResourceContents(uri=uri, text=text)])

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
        text = _or_refused(partial(box.prompt, params.name, params.arguments or {}))
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


def run_stdio(shelf: Shelf) -> None:
    """Serve whoever is at standard input and output, until it leaves."""
    bounds = Bounds(client_running=AT_ONCE)

    async def run() -> None:
        answering = Answering(shelf, bounds, Clients(bounds))
        made = server(answering)
        async with answering.open(), stdio_server() as (read, write):
            await made.run(read, write, made.create_initialization_options())

    anyio.run(run)


def site(shelf: Shelf, settings: ServerSettings) -> ASGIApp:
    """The server over HTTP, at /mcp, behind the same guard as the API."""
    unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the guard checks hosts
    clients = Clients(settings.bounds)
    answering = Answering(shelf, settings.bounds, clients)
    metrics = Metrics()
    app = server(answering).streamable_http_app(transport_security=unguarded)
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
    except (GraphtalkError, KeyError) as error:
        raise MCPError(code=types.INVALID_PARAMS, message=str(error)) from None


def _result(job: Job, shown: Given) -> types.CallToolResult:
    """What a job gave, as text for a model, and as an object."""
    if isinstance(job, Asking):
        near = "".join(f"\n- {near}" for near in shown["near"])
        said = [shown["answer"] + near, escaped(json.dumps(shown, ensure_ascii=False))]
    else:
        said = [shown.pop("text")]
    return types.CallToolResult(content=[_text(text) for text in said], structured_content=shown)


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=visible(text))
