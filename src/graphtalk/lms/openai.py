"""Models behind the Chat Completions API: OpenAI's own, and every server that speaks it (vLLM, Ollama, llama.cpp, …).

Needs the extra `openai`.

Servers differ in which parameters they take: what one refuses is renamed or left out (see `refusals`). They differ in
what they send: a reply is read as plain JSON, field by field. Stops are applied here too, since some ignore them.
API: https://platform.openai.com/docs/api-reference/chat
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import httpx2
import openai

from graphtalk.core import JSON, UsageError
from graphtalk.lms.counting import usage_of
from graphtalk.lms.http import (
    Place,
    checked_url,
    events_of,
    items,
    json_of,
    key_from,
    mapping,
    patience,
    patient_client,
    unstreamed,
)
from graphtalk.lms.options import LmOptions
from graphtalk.lms.pieces import Stops
from graphtalk.lms.protocol import Finish, Message, Reply, Request, ToolCall, in_one_piece
from graphtalk.lms.refusals import Body, Mend, Refusals, leave_out, rename
from graphtalk.lms.scripted import cut_at

URL = "https://api.openai.com/v1"
NO_KEY = "none"  # the library wants a key; servers of one's own do not
PATH = "/chat/completions"
MOST_STOPS = 4  # that OpenAI takes; the others are applied here alone
FINISHES: Mapping[object, Finish] = {"stop": "stop", "length": "length", "tool_calls": "tool_calls"}
MENDS: Mapping[str, Mend] = {
    "max_tokens": rename("max_tokens", "max_completion_tokens"),
    **{name: leave_out(name) for name in ("max_completion_tokens", "temperature", "seed", "stop")},
    **{name: leave_out(name) for name in ("response_format", "stream_options")},
}


def open_openai(model: str, options: LmOptions) -> "OpenAILM":
    """The model of that name, at the server that the options or the environment name.

    Raises UsageError where OpenAI's own server is to be asked without a key.
    """
    name, url, key_name = (
        f"openai:{model}",
        checked_url(options.url("openai") or URL),
        options.key_name("openai"),
    )
    key = key_from(key_name)
    if not key and url.rstrip("/") == URL:
        raise UsageError(
            f"{name} needs an API key: set {key_name}. "
            "For a server of your own give its address: --base-url or OPENAI_BASE_URL."
        )
    place = Place(name, url, key, key_name, openai.OpenAIError)
    client = openai.OpenAI(
        api_key=key or NO_KEY,
        base_url=url,
        timeout=options.timeout,
        max_retries=0,
        http_client=patient_client(options.timeout),
    )
    return OpenAILM(name, model, place, client, options.timeout)


@dataclass(frozen=True)
class OpenAILM:
    """A model of a server that speaks Chat Completions. `model` is the server's name for it."""

    name: str
    model: str
    place: Place
    client: openai.OpenAI
    timeout: float = 60.0
    refusals: Refusals = field(default_factory=lambda: Refusals(MENDS))

    def complete(self, request: Request) -> Reply:
        """The whole reply. Raises LmError."""
        response = self.refusals.ask(_body(self.model, request), self._post)
        return _reply(self.place, request, json_of(self.place, response))

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The pieces of the text as they come, then the reply. Raises LmBusyError where the stream breaks off."""
        body = _body(self.model, request) | {"stream": True, "stream_options": {"include_usage": True}}
        said = _Said(Stops(request.stop))
        with self.refusals.ask(body, self._open) as stream:
            if (whole := unstreamed(self.place, stream.response)) is not None:
                yield from in_one_piece(_reply(self.place, request, whole))
                return
            for event in events_of(self.place, iter(stream)):
                if fresh := said.take(event):
                    yield fresh
        if said.finish is None:
            raise self.place.busy("broke off in the middle of its reply.")
        if rest := said.end():
            yield rest
        yield said.reply(request)

    def _post(self, body: Body) -> httpx2.Response:
        timeout = patience(self.timeout)
        return self.place.attempt(
            lambda: self.client.post(PATH, cast_to=httpx2.Response, body=body, options={"timeout": timeout})
        )

    def _open(self, body: Body) -> openai.Stream[object]:
        kind, timeout = openai.Stream[object], patience(self.timeout)
        return self.place.attempt(
            lambda: self.client.post(
                PATH, cast_to=object, body=body, options={"timeout": timeout}, stream=True, stream_cls=kind
            )
        )


@dataclass
class _Said:
    """What a stream has said so far."""

    stops: Stops
    finish: Finish | None = None
    usage: object = None
    text: str = ""
    calls: dict[object, dict[str, str]] = field(default_factory=dict)

    def take(self, event: Mapping[str, object]) -> str:
        """Note an event, and give what of the text is new."""
        self.usage = event.get("usage") or self.usage
        choice = _first(event.get("choices"))
        if choice.get("finish_reason") is not None:
            self.finish = FINISHES.get(choice["finish_reason"], "other")
        delta = mapping(choice.get("delta"))
        for at, part in enumerate(items(delta.get("tool_calls"))):
            self._take_call(mapping(part), at)
        fresh = self.stops.feed(_text_of(delta.get("content")))
        self.text += fresh
        return fresh

    def end(self) -> str:
        """What was held back of the text."""
        rest = self.stops.finish()
        self.text += rest
        return rest

    def reply(self, request: Request) -> Reply:
        """The whole reply."""
        calls = tuple(
            ToolCall(call["id"] or f"call-{n}", call["name"], call["arguments"])
            for n, call in enumerate(self.calls.values(), 1)
        )
        usage = usage_of(request, self.text, calls, _counts(self.usage))
        return Reply(self.text, calls, usage, _finish(self.finish, calls, self.stops.met))

    def _take_call(self, part: Mapping[str, object], at: int) -> None:
        """Add a fragment of a call: the first has its id and name, all have some of its arguments."""
        function = mapping(part.get("function"))
        index = part.get("index")
        key = index if isinstance(index, int) else part.get("id") or at
        call = self.calls.setdefault(key, {"id": "", "name": "", "arguments": ""})
        call["id"] = call["id"] or str(part.get("id") or "")
        call["name"] = call["name"] or str(function.get("name") or "")
        call["arguments"] += _arguments(function.get("arguments"))


def _body(model: str, request: Request) -> Body:
    body: Body = {
        "model": model,
        "messages": [_message(message) for message in request.messages],
        "temperature": request.temperature,
        "seed": request.seed,
        "max_tokens": request.max_tokens,
    }
    if request.stop:
        body["stop"] = list(request.stop[:MOST_STOPS])
    if request.tools:
        body["tools"] = [dict(tool) for tool in request.tools]
    if request.schema is not None:
        form: Body = {"name": "reply", "schema": dict(request.schema), "strict": _is_closed(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": form}
    return body


def _message(message: Message) -> JSON:
    shown: Body = {"role": message.role, "content": message.content}
    if message.tool_calls:
        shown["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.role == "tool":
        shown["tool_call_id"] = message.tool_call_id
    return shown


def _is_closed(schema: JSON | Mapping[str, JSON]) -> bool:
    """Whether the strict mode takes a schema: all objects name all their properties, and require them."""
    if isinstance(schema, list):
        return all(_is_closed(part) for part in schema)
    if not isinstance(schema, Mapping):
        return True
    if "properties" in schema or schema.get("type") == "object":
        names, required = mapping(schema.get("properties")), items(schema.get("required"))
        if schema.get("additionalProperties") is not False or set(names) != set(required):
            return False
    return all(_is_closed(part) for part in schema.values())


def _reply(place: Place, request: Request, body: Mapping[str, object]) -> Reply:
    choice = _first(body.get("choices"))
    if not isinstance(choice.get("message"), Mapping):
        raise place.busy("sent no reply: it has no choices.")
    message = mapping(choice["message"])
    calls = tuple(_call(mapping(call), n) for n, call in enumerate(items(message.get("tool_calls")), 1))
    whole = _text_of(message.get("content"))
    text = cut_at(whole, request.stop)
    finish = FINISHES.get(choice.get("finish_reason"), "other")
    usage = usage_of(request, whole, calls, _counts(body.get("usage")))
    return Reply(text, calls, usage, _finish(finish, calls, text != whole))


def _finish(said: Finish | None, calls: tuple[ToolCall, ...], was_cut: bool) -> Finish:
    """Why the reply ended. Some servers say `stop` where they ask for calls."""
    return "tool_calls" if calls else "stop" if was_cut else said or "other"


def _call(call: Mapping[str, object], n: int) -> ToolCall:
    function = mapping(call.get("function"))
    arguments = _arguments(function.get("arguments")) or "{}"
    return ToolCall(str(call.get("id") or f"call-{n}"), str(function.get("name") or ""), arguments)


def _arguments(given: object) -> str:
    """Arguments as JSON text; some servers send an object."""
    return given if isinstance(given, str) else "" if given is None else json.dumps(given, ensure_ascii=False)


def _text_of(content: object) -> str:
    """The text of a content: a string, or parts of which those of type `text` count."""
    if isinstance(content, list):
        parts = [mapping(part) for part in content]
        return "".join(str(part.get("text") or "") for part in parts if part.get("type") == "text")
    return content if isinstance(content, str) else ""


def _counts(usage: object) -> tuple[object, object, object]:
    """Tokens in and out, and those of a prompt that the server had kept: they are counted in."""
    counts = mapping(usage)
    kept = mapping(counts.get("prompt_tokens_details")).get("cached_tokens")
    return counts.get("prompt_tokens"), counts.get("completion_tokens"), kept


def _first(choices: object) -> Mapping[str, object]:
    return mapping(next(iter(items(choices)), None))
