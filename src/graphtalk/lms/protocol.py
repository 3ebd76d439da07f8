"""What a language model is: one small protocol, and the records that go in and come out.

Providers (`openai`, `anthropic`, `hf`, `scripted`) implement it; layers (cache, budget, retry, …) implement it
around another one, so that they compose. Reasoners know nothing but this file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from graphtalk.core import JSON

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
Finish: TypeAlias = Literal["stop", "length", "tool_calls", "other"]


@dataclass(frozen=True)
class ToolCall:
    """A call that a model asks for: the tool's name, and its arguments as the JSON text that the model wrote."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Message:
    """One message of a conversation. `tool_call_id` says which call a tool's message answers."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True)
class Request:
    """What a model is asked.

    `tools` are function descriptions in OpenAI's form. `schema` is a JSON schema that the reply's text must
    follow. `seed` is passed on where the server knows seeds. `max_tokens` bounds the reply.
    """

    messages: tuple[Message, ...]
    stop: tuple[str, ...] = ()
    tools: tuple[Mapping[str, JSON], ...] = ()
    schema: Mapping[str, JSON] | None = None
    temperature: float = 0.0
    seed: int = 0
    max_tokens: int = 512


@dataclass(frozen=True)
class Usage:
    """What replies cost: calls of a model, tokens in and out, and US dollars.

    `cached_calls` are those among `calls` that a cache answered, `cached_tokens` those among `input_tokens` that the server
    had read before and kept. `usd` is 0 where no price is known.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    cached_calls: int = 0
    cached_tokens: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.usd + other.usd,
            self.cached_calls + other.cached_calls,
            self.cached_tokens + other.cached_tokens,
        )


@dataclass(frozen=True)
class Reply:
    """What a model said: its text without any `<think>` part, the calls it asks for, and what that cost."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    finish: Finish = "stop"


class LanguageModel(Protocol):
    """A language model. Its methods may be called from many threads at once, and raise LmError."""

    @property
    def name(self) -> str:
        """What people call it: `openai:gpt-4o-mini`."""

    def complete(self, request: Request) -> Reply:
        """The whole reply."""

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The pieces of the reply's text as they come; the last item is the whole reply."""


@dataclass(frozen=True)
class Layer:
    """What every layer around a model shares: its name is the model's, and it streams a completed reply.

    A layer overrides `complete`, and `stream` where pieces can be passed on as they come.
    """

    inner: LanguageModel

    @property
    def name(self) -> str:
        """The name of the model inside."""
        return self.inner.name

    def complete(self, request: Request) -> Reply:
        """The whole reply."""
        return self.inner.complete(request)

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply in one piece, then the reply."""
        yield from in_one_piece(self.complete(request))


def in_one_piece(reply: Reply) -> Iterator[str | Reply]:
    """A completed reply as a stream."""
    if reply.text:
        yield reply.text
    yield reply


def user(content: str, system: str = "") -> tuple[Message, ...]:
    """The messages of one question, with a system message before it where there is one."""
    head = (Message("system", system),) if system else ()
    return (*head, Message("user", content))


def about_tokens(text: str) -> int:
    """About how many tokens a text has, where no tokenizer is at hand: four letters a token, rounded up."""
    return -(-len(text) // 4)
