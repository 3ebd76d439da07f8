"""Claude models, over Anthropic's Messages API. Needs the extra `anthropic`.

Where a JSON schema is asked for, the model is made to call a tool whose arguments it describes. Newer models refuse
that, and a temperature; both are then left out (see `refusals`), and the schema is in the prompt all the same.
API: https://platform.claude.com/docs/en/api/messages
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import anthropic
import httpx2

from graphtalk.core import JSON, UsageError
from graphtalk.core.reading import read_json
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
from graphtalk.lms.protocol import (
    Finish,
    Message,
    Reply,
    Request,
    ToolCall,
    about_tokens,
    in_one_piece,
)
from graphtalk.lms.refusals import Body, Mend, Refusals, leave_out
from graphtalk.lms.scripted import cut_at

URL = "https://api.anthropic.com"
NO_KEY = "none"
KEPT = 1_024  # tokens of a system message from which on the server is asked to keep it for the next request
PATH = "/v1/messages"
FORM = "reply"  # the tool whose arguments are the reply, where a schema is asked for
WRAPPED = "value"  # its one argument, where the schema is not of an object
FINISHES: Mapping[object, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "tool_use": "tool_calls",
}


def _without_form(body: Body) -> Body:
    """A body without the tool that stands for a schema."""
    left = {key: value for key, value in body.items() if key not in {"tool_choice", "tools"}}
    tools = body["tools"]
    others = [tool for tool in tools if mapping(tool).get("name") != FORM] if isinstance(tools, list) else []
    return left | {"tools": others} if others else left


def _plain_system(body: Body) -> Body:
    """The system's text as it is, for servers that keep nothing."""
    blocks = body["system"]
    parts = (
        [str(mapping(block).get("text")) for block in blocks] if isinstance(blocks, list) else [str(blocks)]
    )
    return body | {"system": "\n\n".join(parts)}


MENDS: Mapping[str, Mend] = {
    "tool_choice": _without_form,
    "system": _plain_system,
    "temperature": leave_out("temperature"),
    "stop_sequences": leave_out("stop_sequences"),
}


def open_anthropic(model: str, options: LmOptions) -> "AnthropicLM":
    """The model of that name. Raises UsageError where Anthropic's own server is to be asked without a key."""
    name, url = f"anthropic:{model}", checked_url(options.url("anthropic") or URL)
    key_name = options.key_name("anthropic")
    key = key_from(key_name)
    if not key and url.rstrip("/") == URL:
        raise UsageError(f"{name} needs an API key: set {key_name}.")
    client = anthropic.Anthropic(
        api_key=key or NO_KEY,
        base_url=url,
        timeout=options.timeout,
        max_retries=0,
        http_client=patient_client(options.timeout),
    )
    return AnthropicLM(
        name, model, Place(name, url, key, key_name, anthropic.AnthropicError), client, options.timeout
    )


@dataclass(frozen=True)
class AnthropicLM:
    """A model behind the Messages API. `model` is the server's name for it."""

    name: str
    model: str
    place: Place
    client: anthropic.Anthropic
    timeout: float = 60.0
    refusals: Refusals = field(default_factory=lambda: Refusals(MENDS))

    def complete(self, request: Request) -> Reply:
        """The whole reply. Raises LmError."""
        response = self.refusals.ask(_body(self.model, request), self._post)
        return self._read(request, json_of(self.place, response))

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The pieces of the text as they come, then the reply. Raises LmBusyError where the stream breaks off."""
        said, stops = _Said(), Stops(request.stop)
        whole = request.schema is not None  # a reply that is a call's arguments has no pieces of text
        with self.refusals.ask(_body(self.model, request) | {"stream": True}, self._open) as stream:
            if (unbroken := unstreamed(self.place, stream.response)) is not None:
                yield from in_one_piece(self._read(request, unbroken))
                return
            for event in events_of(self.place, iter(stream)):
                fresh = stops.feed(said.take(event))
                if fresh and not whole:
                    yield fresh
        if said.reason is None:
            raise self.place.busy("broke off in the middle of its reply.")
        reply = _reply(request, said.blocks, said.reason, said.usage)
        if rest := reply.text if whole else stops.finish():
            yield rest
        yield reply

    def _read(self, request: Request, body: Mapping[str, object]) -> Reply:
        if not isinstance(body.get("content"), list):
            raise self.place.busy("sent no reply: it has no content.")
        blocks = [dict(mapping(block)) for block in items(body["content"])]
        return _reply(request, blocks, body.get("stop_reason"), mapping(body.get("usage")))

    def _post(self, body: Body) -> httpx2.Response:
        timeout = patience(self.timeout)
        return self.place.attempt(
            lambda: self.client.post(PATH, cast_to=httpx2.Response, body=body, options={"timeout": timeout})
        )

    def _open(self, body: Body) -> anthropic.Stream[object]:
        kind, timeout = anthropic.Stream[object], patience(self.timeout)
        return self.place.attempt(
            lambda: self.client.post(
                PATH, cast_to=object, body=body, options={"timeout": timeout}, stream=True, stream_cls=kind
            )
        )


@dataclass
class _Said:
    """What a stream has said so far: blocks of text and of calls, whose arguments come as text in pieces."""

    blocks: list[dict[str, object]] = field(default_factory=list)
    usage: dict[str, object] = field(default_factory=dict)
    reason: object = None

    def take(self, event: Mapping[str, object]) -> str:
        """Note an event, and give what of the text is new."""
        delta = mapping(event.get("delta"))
        self.usage.update(mapping(mapping(event.get("message")).get("usage")))
        self.usage.update(mapping(event.get("usage")))
        if event.get("type") == "content_block_start":
            self.blocks.append({**mapping(event.get("content_block")), "json": ""})
            return str(self.blocks[-1].get("text") or "")
        if event.get("type") == "message_delta":
            self.reason = delta.get("stop_reason") or self.reason
        if not self.blocks:
            return ""
        block, text = self.blocks[-1], str(delta.get("text") or "")
        block["text"] = f"{block.get('text') or ''}{text}"
        block["json"] = f"{block['json']}{delta.get('partial_json') or ''}"
        return text


def _body(model: str, request: Request) -> Body:
    body: Body = {
        "model": model,
        "messages": _messages(request.messages),
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
    }
    system = "\n\n".join(m.content for m in request.messages if m.role == "system")
    if about_tokens(system) >= KEPT:
        kept: JSON = {"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}
        body["system"] = [kept]
    elif system:
        body["system"] = system
    if visible := [
        stop for stop in request.stop if stop.strip()
    ]:  # the API refuses stops of white space alone
        body["stop_sequences"] = list(visible)
    tools = [_tool(mapping(tool.get("function"))) for tool in request.tools]
    if request.schema is not None:
        tools.append({"name": FORM, "description": "Give the reply.", "input_schema": _form(request.schema)})
        body["tool_choice"] = {"type": "any"} if request.tools else {"type": "tool", "name": FORM}
    if tools:
        body["tools"] = list(tools)
    return body


def _tool(function: Mapping[str, object]) -> JSON:
    tool = {
        "name": function.get("name"),
        "description": function.get("description") or "",
        "input_schema": function.get("parameters") or {"type": "object"},
    }
    copied: JSON = json.loads(json.dumps(tool, default=dict))
    return copied


def _form(schema: Mapping[str, JSON]) -> JSON:
    """The schema of the tool's arguments, which must be an object."""
    if schema.get("type") == "object":
        return dict(schema)
    return {"type": "object", "properties": {WRAPPED: dict(schema)}, "required": [WRAPPED]}


def _messages(messages: tuple[Message, ...]) -> list[JSON]:
    """Turns of user and assistant in alternation, each a list of blocks; results of tools are a user's."""
    turns: list[tuple[str, list[JSON]]] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        blocks = [] if message.role == "system" else _blocks(message)
        if blocks and turns and turns[-1][0] == role:
            turns[-1][1].extend(blocks)
        elif blocks:
            turns.append((role, blocks))
    return [{"role": role, "content": blocks} for role, blocks in turns]


def _blocks(message: Message) -> list[JSON]:
    if message.role == "tool":
        result: JSON = {
            "type": "tool_result",
            "tool_use_id": message.tool_call_id,
            "content": message.content,
        }
        return [result]
    text = message.content.rstrip() if message.role == "assistant" else message.content
    blocks: list[JSON] = [{"type": "text", "text": text}] if text.strip() else []  # empty ones are refused
    for call in message.tool_calls:
        blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": _input(call.arguments)})
    return blocks


def _input(arguments: str) -> JSON:
    """Arguments as an object, as the API wants them even where the model wrote something else."""
    try:
        given = read_json(arguments)
    except ValueError:
        return {"text": arguments}
    return given if isinstance(given, dict) else {WRAPPED: given}


def _reply(
    request: Request, blocks: list[dict[str, object]], reason: object, usage: Mapping[str, object]
) -> Reply:
    whole = "".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text")
    used = [block for block in blocks if block.get("type") == "tool_use"]
    forms = [b for b in used if b.get("name") == FORM and request.schema is not None]
    calls = tuple(
        ToolCall(str(b.get("id") or f"call-{n}"), str(b.get("name") or ""), _written(b))
        for n, b in enumerate((b for b in used if b not in forms), 1)
    )
    text = _unwrapped(request.schema or {}, _written(forms[0])) if forms else cut_at(whole, request.stop)
    finish = FINISHES.get(reason, "other")
    if calls:
        finish = "tool_calls"
    elif forms or text != whole:
        finish = "length" if finish == "length" and forms else "stop"
    return Reply(text, calls, usage_of(request, whole + text, calls, _counts(usage)), finish)


def _written(block: Mapping[str, object]) -> str:
    """The arguments of a call as text: what the pieces of a stream make, or the object of a whole reply."""
    return str(block.get("json") or "") or json.dumps(block.get("input") or {}, ensure_ascii=False)


def _unwrapped(schema: Mapping[str, JSON], text: str) -> str:
    if schema.get("type") == "object":
        return text
    try:
        return json.dumps(mapping(read_json(text)).get(WRAPPED), ensure_ascii=False)
    except ValueError:
        return text


def _counts(usage: Mapping[str, object]) -> tuple[object, object, object]:
    """Tokens in, those from the provider's own cache among them; tokens out; and those from the cache."""
    cached = [usage.get(f"cache_{kind}_input_tokens") for kind in ("creation", "read")]
    counted = usage.get("input_tokens")
    if isinstance(counted, int):
        counted += sum(n for n in cached if isinstance(n, int))
    return counted, usage.get("output_tokens"), usage.get("cache_read_input_tokens")
