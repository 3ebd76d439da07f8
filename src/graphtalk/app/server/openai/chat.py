"""Chat completions. Steps come as `reasoning_content`, which front ends show as thinking.

Every node of the evidence that the answer names is an annotation: a citation of the node's page here. The whole answer is
in `graphtalk`. A form that the answer is to have (`response_format`, or a tool that must be called) is filled from the
answer's value, or refused.
"""

import json
import secrets
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from graphtalk.app import render
from graphtalk.app.server import problems
from graphtalk.app.server.ask_routes import ALIVE, Desk, answered, event, streaming, told
from graphtalk.app.server.jobs import Asking, Given
from graphtalk.app.server.openai import structure
from graphtalk.app.server.openai.messages import (
    ASKS,
    MOST_CHOICES,
    ChatMessage,
    Routed,
    citations,
    job,
    tokens_used,
)
from graphtalk.app.server.problems import ProblemError
from graphtalk.core import Step
from graphtalk.graphs import Graph

_STARTED = int(time.time())


class StreamOptions(BaseModel):
    """Whether a stream ends with what it used."""

    include_usage: bool = False


class SchemaNamed(BaseModel):
    """A JSON schema that a client gives."""

    name: str = ""
    schema_: Annotated[dict[str, Any], Field(alias="schema")] = {}


class ResponseFormat(BaseModel):
    """The form that the answer is to have."""

    type: Literal["text", "json_object", "json_schema"]
    json_schema: SchemaNamed = SchemaNamed()


class ToolFunction(BaseModel):
    """A function of the client's, with the form of its arguments."""

    name: Annotated[str, Field(max_length=200)]
    parameters: dict[str, Any] = {}


class ClientTool(BaseModel):
    """A tool of the client's. It is called only where it must be: then it takes the answer."""

    type: str
    function: ToolFunction | None = None


class ChatRequest(Routed):
    """What is read of OpenAI's request; the rest of it, such as `temperature`, is left aside."""

    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=500, json_schema_extra=ASKS)]
    n: Annotated[int, Field(ge=1, le=MOST_CHOICES)] | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    response_format: ResponseFormat | None = None
    tools: Annotated[list[ClientTool], Field(max_length=100)] | None = None
    tool_choice: str | dict[str, Any] | None = None


def router(desk: Desk) -> APIRouter:
    """The routes of chats."""
    routes = APIRouter(tags=["openai"])

    @routes.get("/v1/models")
    def models() -> dict[str, Any]:
        """The graphs, as models."""
        return {"object": "list", "data": [_model(name) for name in desk.shelf.names()]}

    @routes.get("/v1/models/{name}")
    def model(name: str) -> dict[str, Any]:
        """A graph, as a model."""
        desk.shelf.graph(name)
        return _model(name)

    @routes.post("/v1/chat/completions", response_model=None)
    async def chat(asked: ChatRequest, request: Request) -> Response | dict[str, Any]:
        """Answer the last question; the messages before it are what a follow-up goes on from."""
        asking = job(desk, asked, asked.messages)
        reply = _Reply(desk.shelf.union(asked.model), asked, str(request.base_url), _form(asked))
        if asked.stream:
            return streaming(_events(desk, request, asking, reply))
        shown = await answered(desk, request, asking, desk.with_lm(asking))
        desk.account(request.state.client, asked.model, shown)
        return reply.whole(shown)

    return routes


def _form(asked: ChatRequest) -> "_Form":
    """The form that an answer is to have. Raises ProblemError for what is no schema."""
    tools = {tool.function.name: tool.function.parameters for tool in asked.tools or () if tool.function}
    if name := structure.called_tool(tools, asked.tool_choice):
        return _Form(structure.check(tools[name]), name)
    if asked.response_format is None or asked.response_format.type == "text":
        return _Form(None)
    if asked.response_format.type == "json_object":
        return _Form({"type": "object", "properties": {"answer": {}, "value": {}}})
    return _Form(structure.check(asked.response_format.json_schema.schema_))


class _Form:
    """The form of an answer: a text, JSON of a schema, or the arguments of a tool."""

    def __init__(self, schema: Mapping[str, Any] | None, tool: str = "") -> None:
        self._schema = schema
        self._tool = tool

    def message(self, shown: Given) -> dict[str, Any]:
        """The message of an answer. Raises ProblemError where it does not have the form."""
        if self._schema is None:
            return {"content": shown["answer"]}
        if not shown["answered"]:
            return {"content": None, "refusal": shown["answer"]}
        made = json.dumps(structure.filled(self._schema, shown), ensure_ascii=False)
        if not self._tool:
            return {"content": made}
        call = {"name": self._tool, "arguments": made}
        return {
            "content": None,
            "tool_calls": [
                {"index": 0, "id": f"call_{secrets.token_hex(8)}", "type": "function", "function": call}
            ],
        }


class _Reply:
    """The objects of one reply."""

    def __init__(self, graph: Graph, asked: ChatRequest, base: str, form: _Form) -> None:
        self._graph = graph
        self._base = base
        self._form = form
        self._choices = asked.n or 1  # nothing is left to chance here, so that all are the same
        self.with_usage = asked.stream_options is not None and asked.stream_options.include_usage
        created = int(time.time())
        self._about = {"id": f"chatcmpl-{secrets.token_hex(12)}", "created": created, "model": asked.model}

    def whole(self, shown: Given) -> dict[str, Any]:
        """The reply in one object."""
        message = self._message(shown)
        for call in message.get("tool_calls", ()):
            del call["index"]  # of pieces alone
        ended = _ended(message)
        return {
            **self._about,
            "object": "chat.completion",
            "choices": [
                {
                    "index": n,
                    "message": {"role": "assistant", **message},
                    "finish_reason": ended,
                    "logprobs": None,
                }
                for n in range(self._choices)
            ],
            "usage": _usage(shown),
            "graphtalk": shown,
        }

    def pieces(self, shown: Given) -> Sequence[dict[str, Any]]:
        """The pieces of a stream that have the answer."""
        message = self._message(shown)
        last = {name: message.pop(name) for name in ("annotations",) if name in message}
        return [self.piece(message), {**self.piece(last, _ended(message)), "graphtalk": shown}]

    def piece(self, delta: Mapping[str, Any], ended: str | None = None) -> dict[str, Any]:
        """A piece of a stream."""
        choices = [
            {"index": n, "delta": delta, "finish_reason": ended, "logprobs": None}
            for n in range(self._choices)
        ]
        return {**self._about, "object": "chat.completion.chunk", "choices": choices}

    def used(self, shown: Given) -> dict[str, Any]:
        """The last piece of a stream, where it was asked for."""
        return {**self._about, "object": "chat.completion.chunk", "choices": [], "usage": _usage(shown)}

    def _message(self, shown: Given) -> dict[str, Any]:
        message = self._form.message(shown)
        if message["content"] == shown["answer"]:
            cited = citations(self._graph, shown, self._base)
            message["annotations"] = [{"type": "url_citation", "url_citation": one} for one in cited]
        return message


def _ended(message: Mapping[str, Any]) -> str:
    return "tool_calls" if "tool_calls" in message else "stop"


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": _STARTED, "owned_by": "graphtalk"}


def _usage(shown: Given) -> dict[str, int]:
    read, written = tokens_used(shown)
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


async def _events(desk: Desk, request: Request, asking: Asking, reply: _Reply) -> AsyncIterator[str]:
    yield event(reply.piece({"role": "assistant", "content": ""}))
    async for found in told(desk, request, asking):
        if found is None:
            yield ALIVE
        elif isinstance(found, Step):
            yield event(reply.piece({"reasoning_content": f"{render.MARKS[found.kind]} {found.text}\n"}))
        elif isinstance(found, ProblemError):
            yield event(problems.openai_error(found.status_code, str(found.detail)))
        else:
            try:
                for piece in reply.pieces(found):
                    yield event(piece)
                if reply.with_usage:
                    yield event(reply.used(found))
            except ProblemError as refused:
                yield event(problems.openai_error(refused.status_code, str(refused.detail)))
    yield "data: [DONE]\n\n"
