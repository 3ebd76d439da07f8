"""The model of the assistant that calls the MCP server, as a language model (sampling): `ask` then needs no key of its own."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Literal

import mcp_types as types
from mcp import MCPError
from mcp.server import ServerRequestContext

from graphtalk.core import LmError
from graphtalk.core.limits import look
from graphtalk.lms.counting import usage_of
from graphtalk.lms.protocol import Message, Reply, Request, in_one_piece
from graphtalk.lms.scripted import cut_at

NAME = "client"
_TICK = 0.2  # seconds between two looks at the limits


@dataclass(frozen=True)
class ClientModel:
    """Asks whoever is at the other end of a connection; called from threads beside the loop that serves it."""

    context: ServerRequestContext[Any]
    loop: asyncio.AbstractEventLoop
    name: str = NAME

    def complete(self, request: Request) -> Reply:
        """The whole reply. Raises LmError where the client refuses, or has left."""
        coming = asyncio.run_coroutine_threadsafe(self._asked(request), self.loop)
        try:
            said = _awaited(coming)
        except MCPError as error:
            raise LmError(f"The assistant's own model cannot be asked: {error}") from error
        finally:
            coming.cancel()
        text = cut_at(said, request.stop)
        return Reply(text, usage=usage_of(request, said, (), (None, None, None)))

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply in one piece."""
        yield from in_one_piece(self.complete(request))

    async def _asked(self, request: Request) -> str:
        system = "\n\n".join(m.content for m in request.messages if m.role == "system")
        given = await self.context.session.create_message(
            [_message(message) for message in request.messages if message.role != "system"],
            max_tokens=request.max_tokens,
            system_prompt=system or None,
            include_context="none",
            temperature=request.temperature,
            stop_sequences=list(request.stop) or None,
            related_request_id=self.context.request_id,
        )
        parts = given.content if isinstance(given.content, list) else [given.content]
        return "".join(part.text for part in parts if isinstance(part, types.TextContent))


def client_model(context: ServerRequestContext[Any]) -> ClientModel | None:
    """The model of a request's client; None where it lends none."""
    wanted = types.ClientCapabilities(sampling=types.SamplingCapability())
    if not context.session.check_client_capability(wanted) or not context.session.can_send_request:
        return None
    return ClientModel(context, asyncio.get_running_loop())


def _awaited(coming: "Future[str]") -> str:
    """What comes, waited for within the limits of the thread."""
    while True:
        look()
        try:
            return coming.result(_TICK)
        except TimeoutError:
            if coming.done():
                raise LmError("The assistant's own model did not answer in time.") from None


def _message(message: Message) -> types.SamplingMessage:
    role: Literal["assistant", "user"] = "assistant" if message.role == "assistant" else "user"
    return types.SamplingMessage(role=role, content=types.TextContent(type="text", text=message.content))
