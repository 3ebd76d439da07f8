"""OpenAI's form of a chat, so that any chat front end can talk with a graph: the model is the graph's name.

Steps come as `reasoning_content`, which front ends show as thinking. Every node of the evidence that the answer names is
an annotation: a citation of the node's page here. The whole answer is in `graphtalk`.
"""

import itertools
import re
import secrets
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from graphtalk.app import render
from graphtalk.app.server import problems
from graphtalk.app.server.ask_routes import ALIVE, Desk, answered, event, streaming, told
from graphtalk.app.server.jobs import Chatting, Message
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.schemas import MOST_QUESTION
from graphtalk.app.thread import MOST_SAID
from graphtalk.core import Step
from graphtalk.graphs import Graph
from graphtalk.reasoners.conversation import MOST_EARLIER

MOST_CITED = 50
MOST_LOOKED_AT = 2_000  # nodes of the evidence whose names are looked for in the answer
_STARTED = int(time.time())


class Part(BaseModel):
    """A part of a message; only texts are read."""

    type: str
    text: str = ""


class ChatMessage(BaseModel):
    """A message. Instructions to a model (`system`) have no meaning for a graph."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Annotated[str, Field(max_length=MOST_QUESTION * 10)] | list[Part] | None = None

    @property
    def text(self) -> str:
        """Its words."""
        if isinstance(self.content, list):
            return " ".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


class StreamOptions(BaseModel):
    """Whether a stream ends with what it used."""

    include_usage: bool = False


class ChatRequest(BaseModel):
    """What is read of OpenAI's request; the rest of it, such as `temperature`, is left aside."""

    model: Annotated[str, Field(max_length=200, description="The name of a graph.")]
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=500)]
    stream: bool = False
    stream_options: StreamOptions = StreamOptions()
    reasoner: Annotated[str, Field(max_length=100)] = ""
    lm: Annotated[str, Field(max_length=200)] = ""


def router(desk: Desk) -> APIRouter:
    """The routes in OpenAI's form."""
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
    async def complete(asked: ChatRequest, request: Request) -> Response | dict[str, Any]:
        """Answer the last message; those before it are what a follow-up goes on from."""
        job = _job(desk, asked)
        desk.check(job.graph, job.reasoner, job.lm)
        reply = _Reply(desk.shelf.union(asked.model), asked.model, str(request.base_url))
        if asked.stream:
            return streaming(_events(desk, request, job, asked.stream_options.include_usage, reply))
        shown = await answered(desk, request, job, desk.with_lm(job))
        desk.account(request.state.client, asked.model, shown)
        return reply.whole(shown)

    return routes


class _Reply:
    """The objects of one reply."""

    def __init__(self, graph: Graph, model: str, base: str) -> None:
        self._graph = graph
        self._base = base
        self._about = {"id": f"chatcmpl-{secrets.token_hex(12)}", "created": int(time.time()), "model": model}

    def whole(self, shown: Mapping[str, Any]) -> dict[str, Any]:
        """The reply in one object."""
        message = {"role": "assistant", "content": shown["answer"], "annotations": self.annotations(shown)}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return {
            **self._about,
            "object": "chat.completion",
            "choices": [choice],
            "usage": _usage(shown),
            "graphtalk": shown,
        }

    def piece(self, delta: Mapping[str, Any], finished: bool = False) -> dict[str, Any]:
        """A piece of a stream."""
        choice = {"index": 0, "delta": delta, "finish_reason": "stop" if finished else None, "logprobs": None}
        return {**self._about, "object": "chat.completion.chunk", "choices": [choice]}

    def used(self, shown: Mapping[str, Any]) -> dict[str, Any]:
        """The last piece of a stream, where it was asked for."""
        return {**self._about, "object": "chat.completion.chunk", "choices": [], "usage": _usage(shown)}

    def annotations(self, shown: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Citations of the nodes of the evidence that the answer names, each where it stands in the answer."""
        text, graph = str(shown["answer"]), self._graph
        found: list[dict[str, Any]] = []
        evidence = shown["evidence"]
        ends = (end for source, _, target in evidence["edges"] for end in (source, target))
        for id in itertools.islice(dict.fromkeys([*evidence["nodes"], *ends]), MOST_LOOKED_AT):
            name = graph.label(graph.node(id))
            at = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
            if at is not None and len(found) < MOST_CITED:
                url = f"{self._base}v1/graphs/{quote(shown['graph'], safe='')}/nodes/{quote(id, safe='')}"
                cited = {"start_index": at.start(), "end_index": at.end(), "url": url, "title": name}
                found.append({"type": "url_citation", "url_citation": cited})
        return found


def _job(desk: Desk, asked: ChatRequest) -> Chatting:
    """Answering the last message of the person. Raises ProblemError where there is none."""
    last = next((n for n in reversed(range(len(asked.messages))) if asked.messages[n].role == "user"), None)
    if last is None or not asked.messages[last].text.strip():
        raise ProblemError(422, "messages: none of them is a question of the user.")
    question = asked.messages[last].text
    if len(question) > MOST_QUESTION:
        raise ProblemError(413, f"The question has more than {MOST_QUESTION:,} characters.")
    return Chatting(
        graph=asked.model,
        question=question,
        reasoner=asked.reasoner,
        lm=asked.lm,
        most=desk.most,
        messages=_looked_at(asked.messages[:last]),
    )


def _looked_at(messages: Sequence[ChatMessage]) -> tuple[Message, ...]:
    """The last messages, as far as a follow-up may go on from them: so many, of so many characters together."""
    spoken = [message for message in messages if message.role in ("user", "assistant")]
    found: list[Message] = []
    room = MOST_QUESTION
    for message in reversed(spoken[-2 * MOST_SAID :]):
        text = message.text[:MOST_EARLIER]
        room -= len(text)
        if room < 0:
            break
        found.append(Message(by_user=message.role == "user", text=text))
    return tuple(reversed(found))


def _model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": _STARTED, "owned_by": "graphtalk"}


def _usage(shown: Mapping[str, Any]) -> dict[str, int]:
    used = [int(shown["usage"].get(f"{side}_tokens", 0)) for side in ("input", "output")]
    return {"prompt_tokens": used[0], "completion_tokens": used[1], "total_tokens": sum(used)}


async def _events(
    desk: Desk, request: Request, job: Chatting, with_usage: bool, reply: _Reply
) -> AsyncIterator[str]:
    yield event(reply.piece({"role": "assistant", "content": ""}))
    async for found in told(desk, request, job):
        if found is None:
            yield ALIVE
        elif isinstance(found, Step):
            yield event(reply.piece({"reasoning_content": f"{render.MARKS[found.kind]} {found.text}\n"}))
        elif isinstance(found, ProblemError):
            yield event(problems.openai_error(found.status_code, str(found.detail)))
        else:
            yield event(reply.piece({"content": found["answer"]}))
            last = reply.piece({"annotations": reply.annotations(found)}, finished=True)
            yield event({**last, "graphtalk": found})
            if with_usage:
                yield event(reply.used(found))
    yield "data: [DONE]\n\n"
