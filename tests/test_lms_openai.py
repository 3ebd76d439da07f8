"""Models behind Chat Completions, asked over real HTTP: what is sent, what is understood, what is refused."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from fault_server import FaultServer, drips, gathers, refuses, says, sends, status
from graphtalk.core import LmBusyError, LmError, UsageError
from graphtalk.lms import LanguageModel, Message, Reply, Request, ToolCall, about_tokens, user
from graphtalk.lms.openai import open_openai
from graphtalk.lms.options import LmOptions
from graphtalk.lms.registry import open_lm

TOOL = {"type": "function", "function": {"name": "Find", "parameters": {"type": "object", "properties": {}}}}
OPEN_SCHEMA = {"type": "object", "properties": {"x": {"type": "number"}}}
CLOSED_SCHEMA = OPEN_SCHEMA | {"required": ["x"], "additionalProperties": False}


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key and no address from the machine that the tests run on."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def ask(server: FaultServer, timeout: float = 5.0) -> LanguageModel:
    return open_openai("m", LmOptions(base_url=server.base_url, timeout=timeout))


def whole(lm: LanguageModel, request: Request, streamed: bool) -> Reply:
    """The reply, by either way; pieces must make up its text."""
    if not streamed:
        return lm.complete(request)
    *pieces, reply = list(lm.stream(request))
    assert isinstance(reply, Reply)
    assert "".join(str(piece) for piece in pieces) == reply.text
    return reply


both_ways = pytest.mark.parametrize("streamed", [False, True], ids=["complete", "stream"])


def test_the_whole_request_is_sent() -> None:
    call = ToolCall("c1", "Find", '{"x": 1}')
    messages = (
        *user("Hello", "Be brief."),
        Message("assistant", "", (call,)),
        Message("tool", "found", tool_call_id="c1"),
    )
    request = Request(messages, ("\n",), (TOOL,), CLOSED_SCHEMA, 0.5, 7, 99)
    with FaultServer() as server:
        ask(server).complete(request)
        sent = server.requests[0].body
    assert server.requests[0].path == "/v1/chat/completions"
    assert sent == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hello"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "Find", "arguments": '{"x": 1}'}}
                ],
            },
            {"role": "tool", "content": "found", "tool_call_id": "c1"},
        ],
        "stop": ["\n"],
        "tools": [TOOL],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": CLOSED_SCHEMA, "strict": True},
        },
        "temperature": 0.5,
        "seed": 7,
        "max_tokens": 99,
    }


def test_a_schema_that_is_not_closed_is_not_strict() -> None:
    with FaultServer() as server:
        ask(server).complete(Request(user("x"), schema=OPEN_SCHEMA))
        nested = {"type": "object", "properties": {"a": OPEN_SCHEMA}, "required": ["a"]}
        ask(server).complete(Request(user("x"), schema=nested | {"additionalProperties": False}))
    forms = [asked.body["response_format"]["json_schema"]["strict"] for asked in server.requests]
    assert forms == [False, False]


@both_ways
def test_text_usage_and_finish(streamed: bool) -> None:
    with FaultServer([says("Zinc and iron.", usage={"prompt_tokens": 5, "completion_tokens": 4})]) as server:
        reply = whole(ask(server), Request(user("Which?")), streamed)
    assert (reply.text, reply.finish) == ("Zinc and iron.", "stop")
    assert (reply.usage.calls, reply.usage.input_tokens, reply.usage.output_tokens) == (1, 5, 4)


@both_ways
def test_calls_of_tools(streamed: bool) -> None:
    calls = [("Find", '{"name": "Zinc, \\"pure\\""}'), ("Count", "{}")]
    with FaultServer([says("I look.", calls)]) as server:
        reply = whole(ask(server), Request(user("x"), tools=(TOOL,)), streamed)
    assert [(call.name, call.arguments) for call in reply.tool_calls] == calls
    assert len({call.id for call in reply.tool_calls}) == 2
    assert reply.finish == "tool_calls"


@both_ways
def test_broken_arguments_are_passed_on_as_they_are(streamed: bool) -> None:
    with FaultServer([says(None, [("Find", '{"name": "Zi')])]) as server:
        reply = whole(ask(server), Request(user("x"), tools=(TOOL,)), streamed)
    assert reply.tool_calls[0].arguments == '{"name": "Zi'


@both_ways
@pytest.mark.parametrize("stop", ["\n", "Obs", "\nObservation"])
def test_stops_hold_where_the_server_ignores_them(stop: str, streamed: bool) -> None:
    text = "Action 1: X\nObservation 1: made up"
    with FaultServer([says(text, pieces=9)]) as server:
        reply = whole(ask(server), Request(user("x"), stop=(stop,)), streamed)
    assert reply.text == text[: text.index(stop)]
    assert reply.finish == "stop"


def test_five_stops_are_four_for_the_server_and_five_for_us() -> None:
    with FaultServer([says("one E two")]) as server:
        reply = ask(server).complete(Request(user("x"), stop=("A", "B", "C", "D", "E")))
    assert server.requests[0].body["stop"] == ["A", "B", "C", "D"]
    assert reply.text == "one "


@both_ways
@pytest.mark.parametrize("name", ["seed", "temperature", "stop", "response_format"])
def test_what_is_refused_is_left_out_and_remembered(name: str, streamed: bool) -> None:
    request = Request(user("x"), stop=("\n",), schema=OPEN_SCHEMA)
    with FaultServer(text="a\nb", refused=[name]) as server:
        lm = ask(server)
        assert whole(lm, request, streamed).text == "a"
        assert whole(lm, request, streamed).text == "a"
    assert [name in asked.body for asked in server.requests] == [True, False, False]


def test_max_tokens_is_renamed() -> None:
    with FaultServer(refused=["max_tokens", "temperature"]) as server:
        lm = ask(server)
        lm.complete(Request(user("x"), max_tokens=33))
        lm.complete(Request(user("x"), max_tokens=44))
    assert len(server.requests) == 4
    assert [asked.body.get("max_completion_tokens") for asked in server.requests[2:]] == [33, 44]


def test_all_is_refused_that_can_be() -> None:
    names = ["max_tokens", "max_completion_tokens", "temperature", "seed", "stop", "stream_options"]
    with FaultServer(refused=names) as server:
        assert whole(ask(server), Request(user("x"), stop=("\n",)), True).text == "ok"
    assert set(server.requests[-1].body) == {"model", "messages", "stream"}


def test_a_refusal_is_read_from_the_message_too() -> None:
    complaint = sends('{"detail": "Unexpected fields in the request: {\'seed\'}"}', code=422)
    with FaultServer([complaint]) as server:
        assert ask(server).complete(Request(user("x"))).text == "ok"
    assert "seed" not in server.requests[1].body


@pytest.mark.parametrize(
    "message",
    [
        "This model's maximum context length is 100 tokens; reduce the messages or max_tokens.",
        "max_tokens is too large: 100000.",
        "The model `x/seed-oss` cannot be used.",
        "Bad request.",
    ],
)
def test_what_is_no_refusal_of_a_parameter_is_an_error_and_not_remembered(message: str) -> None:
    with FaultServer([status(400, message=message)]) as server:
        lm = ask(server)
        with pytest.raises(LmError, match="answered 400") as caught:
            lm.complete(Request(user("x")))
        lm.complete(Request(user("x")))
    assert not isinstance(caught.value, LmBusyError)
    assert message in str(caught.value)
    assert len(server.requests) == 2
    assert {"seed", "max_tokens"} <= set(server.requests[1].body)


def test_what_cannot_be_done_without_is_an_error() -> None:
    with (
        FaultServer([refuses("tools")]) as server,
        pytest.raises(LmError, match="'tools' is not supported"),
    ):
        ask(server).complete(Request(user("x"), tools=(TOOL,)))
    assert len(server.requests) == 1


def test_a_refusal_counts_only_when_the_rest_went_through() -> None:
    with FaultServer([refuses("seed"), status(500)]) as server:
        lm = ask(server)
        with pytest.raises(LmBusyError):
            lm.complete(Request(user("x")))
        lm.complete(Request(user("x")))
    assert "seed" in server.requests[-1].body


NONSENSE = [
    None,
    {},
    {"prompt_tokens": -5, "completion_tokens": -1},
    {"prompt_tokens": "12", "completion_tokens": "many"},
    {"prompt_tokens": None, "completion_tokens": None},
    {"prompt_tokens": 0, "completion_tokens": 0},
    {"prompt_tokens": True, "completion_tokens": 1.5},
    {"prompt_tokens": 10**15, "completion_tokens": 10**15},
    [1, 2],
    "none",
]


@both_ways
@pytest.mark.parametrize("usage", NONSENSE, ids=str)
def test_usage_that_cannot_be_true_is_estimated(usage: object, streamed: bool) -> None:
    prompt, text = "What is a zinc finger?" * 9, "A fold of a protein." * 5
    with FaultServer([says(text, usage=usage)]) as server:
        reply = whole(ask(server), Request(user(prompt)), streamed)
    assert reply.usage.input_tokens == about_tokens(prompt)
    assert reply.usage.output_tokens == about_tokens(text)


def body_of(message: dict[str, object], **more: object) -> str:
    return json.dumps({"choices": [{"message": message, **more}]})


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (body_of({"content": None}), ("", (), "other")),
        (body_of({"content": None}, finish_reason="length"), ("", (), "length")),
        (body_of({"content": "a"}, finish_reason="content_filter"), ("a", (), "other")),
        (
            body_of({"content": "a", "reasoning_content": "secret thoughts"}, finish_reason="stop"),
            ("a", (), "stop"),
        ),
        (
            body_of({"content": [{"type": "thinking", "text": "no"}, {"type": "text", "text": "yes"}]}),
            ("yes", (), "other"),
        ),
        (
            body_of(
                {"tool_calls": [{"function": {"name": "Find", "arguments": {"x": 1}}}]}, finish_reason="stop"
            ),
            ("", (ToolCall("call-1", "Find", '{"x": 1}'),), "tool_calls"),
        ),
        (body_of({"tool_calls": [None]}), ("", (ToolCall("call-1", "", "{}"),), "tool_calls")),
    ],
)
def test_odd_replies_are_understood(body: str, expected: tuple[object, ...]) -> None:
    with FaultServer([sends(body)]) as server:
        reply = ask(server).complete(Request(user("x")))
    assert (reply.text, reply.tool_calls, reply.finish) == expected


def test_fragments_of_calls_without_an_index() -> None:
    deltas = [
        {"tool_calls": [{"id": "a", "function": {"name": "Find", "arguments": "{}"}}]},
        {"tool_calls": [{"id": "b", "function": {"name": "Count", "arguments": "{}"}}]},
    ]
    events = "".join(f"data: {json.dumps({'choices': [{'delta': d}]})}\n\n" for d in deltas)
    end = 'data: {"choices": [{"delta": null, "finish_reason": "stop"}]}\n\n'
    with FaultServer([sends(events + end, "text/event-stream")]) as server:
        reply = whole(ask(server), Request(user("x")), True)
    assert [(call.id, call.name) for call in reply.tool_calls] == [("a", "Find"), ("b", "Count")]


def test_a_server_that_does_not_stream() -> None:
    with FaultServer([sends(body_of({"content": "all at once"}, finish_reason="stop"))]) as server:
        assert whole(ask(server), Request(user("x")), True).text == "all at once"


def test_a_stream_can_be_left_half_read() -> None:
    with FaultServer([drips("a b c", 0.01)]) as server:
        lm = ask(server)
        pieces = lm.stream(Request(user("x")))
        assert isinstance(pieces, Iterator)
        next(pieces)
        del pieces
        assert lm.complete(Request(user("x"))).text == "ok"


def test_no_key_is_needed_for_a_server_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    with FaultServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        assert open_openai("m", LmOptions()).complete(Request(user("x"))).text == "ok"


def test_the_key_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one")
    monkeypatch.setenv("MY_KEY", " sk-two\n")
    with FaultServer() as server:
        open_openai("m", LmOptions(base_url=server.base_url)).complete(Request(user("x")))
        mine = LmOptions(base_url=server.base_url, api_key_env="MY_KEY")
        open_openai("m", mine).complete(Request(user("x")))
    keys = [asked.headers["authorization"] for asked in server.requests]
    assert keys == ["Bearer sk-one", "Bearer sk-two"]


def test_a_missing_key_is_named() -> None:
    with pytest.raises(UsageError, match=r"openai:m needs an API key: set OPENAI_API_KEY\. .*--base-url"):
        open_openai("m", LmOptions())
    with pytest.raises(UsageError, match="set MY_KEY"):
        open_openai("m", LmOptions(api_key_env="MY_KEY"))


def test_a_key_that_cannot_be_one_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-clé")
    with pytest.raises(UsageError, match="OPENAI_API_KEY") as caught:
        open_openai("m", LmOptions())
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize("url", ["localhost:8000", "http://", "ftp://x/v1", "not a url"])
def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(UsageError, match="not the address of a server"):
        open_openai("m", LmOptions(base_url=url))


def test_nobody_at_the_address() -> None:
    lm = open_openai("m", LmOptions(base_url="http://127.0.0.1:9/v1"))
    with pytest.raises(LmBusyError, match=r"openai:m at 127\.0\.0\.1:9 cannot be reached"):
        lm.complete(Request(user("x")))


def test_many_threads_share_the_connections() -> None:
    with FaultServer(gathers(64)) as server, ThreadPoolExecutor(64) as pool:
        lm = ask(server, timeout=60)
        texts = set(pool.map(lambda _: lm.complete(Request(user("x"))).text, range(64)))
        assert texts == {"ok"}
    assert server.most_in_flight == 64


def test_tokens_that_the_server_had_kept_are_counted_apart() -> None:
    usage = {
        "prompt_tokens": 1_540,
        "completion_tokens": 3,
        "prompt_tokens_details": {"cached_tokens": 1_408},
    }
    with FaultServer(
        [says("ok", usage=usage), says("ok", usage={**usage, "prompt_tokens_details": None})]
    ) as server:
        lm = open_lm("openai:m", LmOptions(base_url=server.base_url))
        first, second = (lm.complete(Request(user("word " * 1_500))) for _ in range(2))
    assert (first.usage.input_tokens, first.usage.cached_tokens) == (1_540, 1_408)
    assert second.usage.cached_tokens == 0 and (first.usage + second.usage).cached_tokens == 1_408
