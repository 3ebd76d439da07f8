"""Claude's Messages API, spoken to a server of ours."""

import json
import sys

import pytest

from fault_server import FaultServer, says, sends
from graphtalk.core import LmError, UsageError
from graphtalk.lms import LanguageModel, Message, Reply, Request, ToolCall, user
from graphtalk.lms.options import LmOptions
from graphtalk.lms.registry import open_lm

FIND = {"name": "Find", "description": "Finds.", "parameters": {"type": "object", "properties": {}}}
TOOL = {"type": "function", "function": FIND}
SCHEMA = {"type": "object", "properties": {"x": {"type": "number"}}}
both_ways = pytest.mark.parametrize("streamed", [False, True], ids=["complete", "stream"])


@pytest.fixture(autouse=True)
def a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-one")
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)


def provider(options: LmOptions) -> LanguageModel:
    """The model without layers. Its library takes seconds to import, and every worker collects this file."""
    from graphtalk.lms.anthropic import open_anthropic

    return open_anthropic("m", options)


def ask(server: FaultServer) -> LanguageModel:
    return provider(LmOptions(base_url=server.root_url, timeout=60.0))


def whole(lm: LanguageModel, request: Request, streamed: bool) -> Reply:
    if not streamed:
        return lm.complete(request)
    *pieces, reply = list(lm.stream(request))
    assert isinstance(reply, Reply)
    assert "".join(str(piece) for piece in pieces) == reply.text
    return reply


def test_the_whole_request_is_sent() -> None:
    calls = (ToolCall("c1", "Find", '{"x": 1}'), ToolCall("c2", "Find", "not JSON"))
    messages = (
        *user("Hello", "Be brief."),
        Message("assistant", "I look. ", calls),
        Message("tool", "one", tool_call_id="c1"),
        Message("tool", "two", tool_call_id="c2"),
        Message("user", "And?"),
    )
    with FaultServer() as server:
        ask(server).complete(Request(messages, ("\n", "END"), (TOOL,), None, 0.5, 7, 99))
    asked = server.requests[0]
    assert asked.path == "/v1/messages"
    assert "sk-ant-one" in asked.headers.get("authorization", "") + asked.headers.get("x-api-key", "")
    assert asked.body == {
        "model": "m",
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Hello"}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I look."},
                    {"type": "tool_use", "id": "c1", "name": "Find", "input": {"x": 1}},
                    {"type": "tool_use", "id": "c2", "name": "Find", "input": {"text": "not JSON"}},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "one"},
                    {"type": "tool_result", "tool_use_id": "c2", "content": "two"},
                    {"type": "text", "text": "And?"},
                ],
            },
        ],
        "stop_sequences": ["END"],
        "tools": [{"name": "Find", "description": "Finds.", "input_schema": FIND["parameters"]}],
        "temperature": 0.5,
        "max_tokens": 99,
    }


@both_ways
def test_text_usage_and_stops(streamed: bool) -> None:
    usage = {"input_tokens": 5, "cache_read_input_tokens": 2, "output_tokens": 4}
    with FaultServer([says("Zinc and\niron", usage=usage)]) as server:
        reply = whole(ask(server), Request(user("Which?"), stop=("\n",)), streamed)
    assert (reply.text, reply.finish) == ("Zinc and", "stop")
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (7, 4)


@both_ways
@pytest.mark.parametrize("reason", [("max_tokens", "length"), ("refusal", "other"), ("end_turn", "stop")])
def test_why_a_reply_ended(reason: tuple[str, str], streamed: bool) -> None:
    with FaultServer([says("a", finish=reason[0])]) as server:
        assert whole(ask(server), Request(user("x")), streamed).finish == reason[1]


@both_ways
def test_calls_of_tools(streamed: bool) -> None:
    with FaultServer([says("I look.", [("Find", '{"name": "Zinc"}'), ("Find", "{}")])]) as server:
        reply = whole(ask(server), Request(user("x"), tools=(TOOL,)), streamed)
    assert [json.loads(call.arguments) for call in reply.tool_calls] == [{"name": "Zinc"}, {}]
    assert (reply.text, reply.finish) == ("I look.", "tool_calls")


@both_ways
def test_a_schema_is_a_tool_that_must_be_called(streamed: bool) -> None:
    with FaultServer([says(None, [("reply", '{"x": 1}')])]) as server:
        reply = whole(ask(server), Request(user("x"), schema=SCHEMA), streamed)
    body = server.requests[0].body
    assert body["tool_choice"] == {"type": "tool", "name": "reply"}
    assert body["tools"][0]["input_schema"] == SCHEMA
    assert (json.loads(reply.text), reply.tool_calls, reply.finish) == ({"x": 1}, (), "stop")


@both_ways
def test_a_schema_that_is_not_of_an_object_is_wrapped(streamed: bool) -> None:
    with FaultServer([says(None, [("reply", '{"value": ["a"]}')])]) as server:
        reply = whole(ask(server), Request(user("x"), schema={"type": "array"}), streamed)
    assert server.requests[0].body["tools"][0]["input_schema"]["properties"] == {"value": {"type": "array"}}
    assert json.loads(reply.text) == ["a"]


@both_ways
def test_a_model_that_takes_neither_a_forced_tool_nor_a_temperature(streamed: bool) -> None:
    with FaultServer(text='{"x": 1}', refused=["tool_choice", "temperature"]) as server:
        lm = ask(server)
        assert whole(lm, Request(user("x"), schema=SCHEMA), streamed).text == '{"x": 1}'
        assert whole(lm, Request(user("x"), schema=SCHEMA, tools=(TOOL,)), streamed).text == '{"x": 1}'
    assert len(server.requests) == 4
    assert [tool["name"] for tool in server.requests[-1].body["tools"]] == ["Find"]
    assert not {"tool_choice", "temperature"} & set(server.requests[-1].body)


def test_thinking_blocks_are_no_text() -> None:
    content = [{"type": "thinking", "thinking": "hm", "text": "hm"}, {"type": "text", "text": "Zinc"}]
    with FaultServer([sends(json.dumps({"content": content, "stop_reason": "end_turn"}))]) as server:
        assert ask(server).complete(Request(user("x"))).text == "Zinc"


def test_an_error_in_the_middle_of_a_stream() -> None:
    event = (
        'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "Busy."}}\n\n'
    )
    with FaultServer([sends(event, "text/event-stream")]) as server, pytest.raises(LmError, match="Busy"):
        list(ask(server).stream(Request(user("x"))))


def test_a_missing_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(UsageError, match="anthropic:m needs an API key: set ANTHROPIC_API_KEY"):
        provider(LmOptions())


def test_a_missing_library_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anthropic", None)
    monkeypatch.delitem(sys.modules, "graphtalk.lms.anthropic", raising=False)
    with pytest.raises(UsageError, match=r'pip install "graphtalk\[anthropic\]"'):
        open_lm("anthropic:m")


def test_a_long_system_message_is_to_be_kept_and_what_was_kept_is_counted() -> None:
    usage = {
        "input_tokens": 40,
        "cache_read_input_tokens": 1_500,
        "cache_creation_input_tokens": 0,
        "output_tokens": 3,
    }
    with FaultServer([says("ok", usage=usage)] * 2) as server:
        lm = open_lm("anthropic:m", LmOptions(base_url=server.base_url))
        reply = lm.complete(Request(user("Q?", "word " * 1_500)))
        lm.complete(Request(user("Q?", "short")))
    system = server.requests[0].body["system"]
    assert system[0]["cache_control"] == {"type": "ephemeral"} and system[0]["text"].startswith("word")
    assert server.requests[1].body["system"] == "short"
    assert (reply.usage.input_tokens, reply.usage.cached_tokens) == (1_540, 1_500)
