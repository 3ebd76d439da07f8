"""OpenAI's responses: an answer that is kept, and can be gone on from by its id.

A response is a turn of a conversation; its id is the conversation's, so that each client sees only its own.
"""

import json
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Annotated, Any, Literal

from anyio.to_thread import run_sync
from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from graphtalk.app.server.ask_routes import ALIVE, Desk, answered, event, streaming, told
from graphtalk.app.server.jobs import Asking, Given
from graphtalk.app.server.openai import structure
from graphtalk.app.server.openai.messages import ASKS, ChatMessage, Routed, citations, job, tokens_used
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.schemas import MOST_QUESTION, AskRequest
from graphtalk.core import Step
from graphtalk.graphs import Graph

_ID = re.compile(r"resp_(?P<conversation>[A-Za-z0-9_-]{1,90})-[0-9a-f]{16}")


class TextFormat(BaseModel):
    """The form that the answer is to have."""

    type: Literal["text", "json_object", "json_schema"] = "text"
    schema_: Annotated[dict[str, Any], Field(alias="schema")] = {}


class TextConfig(BaseModel):
    """How the text is wanted."""

    format: TextFormat = TextFormat()


class Tool(BaseModel):
    """A tool of the client's. It is called only where it must be: then it takes the answer."""

    type: str
    name: Annotated[str, Field(max_length=200)] = ""
    parameters: dict[str, Any] | None = None


class ResponseRequest(Routed):
    """What is read of OpenAI's request; the rest of it, such as `instructions`, is left aside."""

    input: (
        Annotated[str, Field(max_length=MOST_QUESTION, pattern=r"\S")]
        | Annotated[list[ChatMessage], Field(min_length=1, max_length=500, json_schema_extra=ASKS)]
    )
    previous_response_id: Annotated[str, Field(max_length=200)] | None = None
    store: bool | None = None
    stream: bool | None = None
    text: TextConfig | None = None
    tools: Annotated[list[Tool], Field(max_length=100)] | None = None
    tool_choice: str | dict[str, Any] | None = None


def router(desk: Desk) -> APIRouter:
    """The routes of responses."""
    routes = APIRouter(tags=["openai"])

    @routes.post("/v1/responses", response_model=None)
    async def respond(asked: ResponseRequest, request: Request) -> Response | dict[str, Any]:
        """Answer the last question of the input, after a response before it."""
        client = request.state.client
        before = "" if asked.previous_response_id is None else _conversation(asked.previous_response_id)
        messages = (
            [ChatMessage(role="user", content=asked.input)] if isinstance(asked.input, str) else asked.input
        )
        asking: Asking = job(desk, asked, messages)
        conversation = before or secrets.token_urlsafe(16)
        kept = AskRequest(
            graph=asked.model,
            question=asking.question,
            reasoner=asked.reasoner,
            lm=asked.lm,
            conversation=conversation if before or asked.store is not False else None,
        )
        if before:
            asking = await run_sync(desk.asking, client, kept)
        tools = {tool.name: tool.parameters or {} for tool in asked.tools or () if tool.type == "function"}
        form = asked.text.format if asked.text else TextFormat()
        if tool := structure.called_tool(tools, asked.tool_choice):
            form = TextFormat.model_validate({"type": "json_schema", "schema": tools[tool]})
        id = f"resp_{conversation}-{secrets.token_hex(8)}"
        reply = _Reply(id, desk.shelf.union(asked.model), asked.model, str(request.base_url), form, tool)

        async def keep(shown: Given) -> None:
            shown["response"] = id
            await run_sync(desk.keep, client, kept, shown)

        if asked.stream:
            return streaming(_events(desk, request, asking, reply, keep))
        shown = await answered(desk, request, asking, desk.with_lm(asking))
        desk.account(client, asked.model, shown)
        await keep(shown)
        return reply.whole(shown)

    @routes.get("/v1/responses/{id}")
    def response(id: str, request: Request) -> dict[str, Any]:
        """A response that was kept."""
        graph, shown = _kept(desk, request.state.client, id)
        return _Reply(id, desk.shelf.union(graph), graph, str(request.base_url), TextFormat()).whole(shown)

    @routes.delete("/v1/responses/{id}")
    def forget_response(id: str, request: Request) -> dict[str, Any]:
        """Delete a response, with the conversation that it belongs to."""
        _kept(desk, request.state.client, id)
        desk.conversations.forget(request.state.client, _conversation(id))
        return {"id": id, "object": "response", "deleted": True}

    return routes


def _conversation(id: str) -> str:
    """The conversation that a response is part of. Raises ProblemError for what is no response's id."""
    found = _ID.fullmatch(id)
    if found is None:
        raise ProblemError(404, "No such response of yours.")
    return found["conversation"]


def _kept(desk: Desk, client: str, id: str) -> tuple[str, Given]:
    """The graph and the answer's object of a response. Raises ProblemError where there is none of the client's."""
    about, turns = desk.conversations.turns(client, _conversation(id)) or (None, [])
    shown = next((turn.answer for turn in turns if turn.answer.get("response") == id), None)
    if about is None or shown is None:
        raise ProblemError(404, "No such response of yours.")
    return about.graph, dict(shown)


class _Reply:
    """The objects of one response."""

    def __init__(
        self, id: str, graph: Graph, model: str, base: str, form: TextFormat, tool: str = ""
    ) -> None:
        self._id = id
        self._graph = graph
        self._model = model
        self._base = base
        self._form = form
        self._tool = tool
        self._item = f"msg_{secrets.token_hex(12)}"
        self._created = int(time.time())
        if form.type == "json_schema":
            structure.check(form.schema_)

    def whole(self, shown: Given | None) -> dict[str, Any]:
        """The response; before there is an answer, without one. Raises ProblemError where the form cannot be filled."""
        made: dict[str, Any] = {
            "id": self._id,
            "object": "response",
            "created_at": self._created,
            "model": self._model,
            "status": "in_progress" if shown is None else "completed",
            "output": [] if shown is None else [self.item(self.part(shown), self._calls(shown))],
            "error": None,
            "incomplete_details": None,
            "instructions": None,
            "metadata": {},
            "parallel_tool_calls": False,
            "temperature": None,
            "top_p": None,
            "tool_choice": "auto",
            "tools": [],
        }
        if shown is not None:
            read, written = tokens_used(shown)
            made["usage"] = {
                "input_tokens": read,
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": written,
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": read + written,
            }
            made["graphtalk"] = shown
        return made

    def _calls(self, shown: Given) -> bool:
        """Whether the answer is what a tool is called with."""
        return bool(self._tool) and bool(shown["answered"])

    def item(self, part: Mapping[str, Any] | None, as_call: bool = False) -> dict[str, Any]:
        """The message of the response, or the call of a tool; empty where there is no part yet."""
        if as_call:
            return {
                "id": self._item,
                "type": "function_call",
                "call_id": self._item.replace("msg_", "call_"),
                "name": self._tool,
                "arguments": part["text"] if part else "",
                "status": "completed" if part else "in_progress",
            }
        return {
            "id": self._item,
            "type": "message",
            "role": "assistant",
            "status": "completed" if part else "in_progress",
            "content": [part] if part else [],
        }

    def part(self, shown: Given) -> dict[str, Any]:
        """What the message says. Raises ProblemError where the answer does not have the form."""
        if self._form.type == "text":
            cited = citations(self._graph, shown, self._base)
            return _text(shown["answer"], [{"type": "url_citation", **one} for one in cited])
        if not shown["answered"]:
            return {"type": "refusal", "refusal": shown["answer"]}
        schema = (
            {"properties": {"answer": {}, "value": {}}}
            if self._form.type == "json_object"
            else self._form.schema_
        )
        return _text(json.dumps(structure.filled(schema, shown), ensure_ascii=False), [])

    def told(self, shown: Given) -> list[dict[str, Any]]:
        """The events that have the answer."""
        part, at = self.part(shown), {"item_id": self._item, "output_index": 0, "content_index": 0}
        text = part.get("text", part.get("refusal", ""))
        ends = [{"type": "response.completed", "response": self.whole(shown)}]
        if self._calls(shown):
            call, args = {"item_id": self._item, "output_index": 0}, "response.function_call_arguments"
            return [
                {"type": "response.output_item.added", "output_index": 0, "item": self.item(None, True)},
                *({"type": f"{args}.delta", **call, "delta": piece} for piece in structure.pieces(text)),
                {"type": f"{args}.done", **call, "name": self._tool, "arguments": text},
                {"type": "response.output_item.done", "output_index": 0, "item": self.item(part, True)},
                *ends,
            ]
        kind = "response.refusal" if part["type"] == "refusal" else "response.output_text"
        field = part["type"] if part["type"] == "refusal" else "text"
        empty = _text("", []) if field == "text" else {"type": "refusal", "refusal": ""}
        logs: dict[str, Any] = {"logprobs": []} if field == "text" else {}
        return [
            {"type": "response.output_item.added", "output_index": 0, "item": self.item(None)},
            {"type": "response.content_part.added", **at, "part": empty},
            *({"type": f"{kind}.delta", **at, "delta": piece, **logs} for piece in structure.pieces(text)),
            {"type": f"{kind}.done", **at, field: text, **logs},
            {"type": "response.content_part.done", **at, "part": part},
            {"type": "response.output_item.done", "output_index": 0, "item": self.item(part)},
            *ends,
        ]

    def failed(self, error: ProblemError) -> dict[str, Any]:
        """The event of a response that was refused."""
        said = {"code": "server_error", "message": str(error.detail)}
        return {
            "type": "response.failed",
            "response": {**self.whole(None), "status": "failed", "error": said},
        }


def _text(text: str, annotations: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": annotations, "logprobs": []}


async def _events(
    desk: Desk,
    request: Request,
    asking: Asking,
    reply: _Reply,
    keep: Callable[[Given], Awaitable[None]],
) -> AsyncIterator[str]:
    number = -1

    def numbered(shown: Mapping[str, Any]) -> str:
        nonlocal number
        number += 1
        return event({**shown, "sequence_number": number}, str(shown["type"]))

    yield numbered({"type": "response.created", "response": reply.whole(None)})
    yield numbered({"type": "response.in_progress", "response": reply.whole(None)})
    async for found in told(desk, request, asking, keep):
        if found is None or isinstance(found, Step):  # its steps have no place in OpenAI's events
            yield ALIVE
        elif isinstance(found, ProblemError):
            yield numbered(reply.failed(found))
        else:
            try:
                for one in reply.told(found):
                    yield numbered(one)
            except ProblemError as refused:
                yield numbered(reply.failed(refused))
