"""Every fault of a server ends in a reply or in a clear LmError, in bounded time, and never shows the key."""

import logging
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fault_server import (
    Fault,
    FaultServer,
    cuts,
    drips,
    echoes_key,
    hang,
    resets,
    says,
    sends,
    status,
)
from graphtalk.core import LmBusyError, LmError, LmSlowError, StoppedError
from graphtalk.core.limits import within
from graphtalk.lms import LanguageModel, Reply, Request, user
from graphtalk.lms.options import LmOptions
from graphtalk.lms.registry import open_lm, providers
from graphtalk.lms.retry import Patience, Retry
from graphtalk.lms.thinking import Thoughtless

KEY = 'sk-se/cr+et\\"0123456789'  # spelt differently in URLs, in JSON and by Python
REQUEST = Request(user("Which gene?", "Be brief."), stop=("\nObservation",))
TIMEOUT = 0.6  # seconds that a reply may take here
QUICK = Patience(retries=2, first=0.01, longest=0.05)

PASSING: dict[str, Fault] = {
    "429 with seconds": status(429, after="0.01"),
    "429 with a date": status(429, after="date+0"),
    "429 with a nonsense wait": status(429, after="soon"),
    "500": status(500),
    "502 as a web page": sends("<html>Bad gateway</html>", "text/html", 502),
    "503": status(503),
    "529": status(529),
    "hang": hang(300),
    "reset": resets(),
    "cut": cuts(),
    "JSON that breaks off": sends('{"choices": [{"mess'),
    "no JSON": sends("Zinc!", "text/plain"),
    "no choices": sends('{"choices": [], "content": null}'),
    "null choices": sends('{"choices": null}'),
    "a list": sends("[1, 2]"),
    "an error under status 200": sends('{"error": {"message": "overloaded", "code": 502}}'),
    "drip": drips("x" * 2000, 0.02),
}
LASTING: dict[str, tuple[Fault, str]] = {
    "401 that echoes the key": (echoes_key(401), "answered 401: Incorrect API key provided: .*\\[key\\]"),
    "403 that echoes the key": (echoes_key(403), "answered 403"),
    "400 that echoes the key": (echoes_key(400), "answered 400"),
    "404": (status(404, message="The model m does not exist."), "answered 404: The model m does not exist."),
    "an empty account": (
        status(429, message="No money.", code="insufficient_quota"),
        "answered 429: No money",
    ),
    "a web page": (sends("<html>Welcome</html>", "text/html"), "sent a web page .*the address of its API"),
}


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{name}_API_KEY", KEY)
        monkeypatch.delenv(f"{name}_BASE_URL", raising=False)


@pytest.fixture(params=["openai", "anthropic"])
def open_quick(request: pytest.FixtureRequest) -> Callable[[FaultServer], LanguageModel]:
    """A model of each provider in the layers that faults meet, with short waits."""

    def open_it(server: FaultServer) -> LanguageModel:
        url = server.base_url if request.param == "openai" else server.root_url
        provider, model = providers().find(f"{request.param}:m")
        return Retry(Thoughtless(provider.open(model, LmOptions(base_url=url, timeout=TIMEOUT))), QUICK)

    return open_it


def complete(lm: LanguageModel) -> Reply:
    return lm.complete(REQUEST)


def stream(lm: LanguageModel) -> Reply:
    *pieces, reply = list(lm.stream(REQUEST))
    assert isinstance(reply, Reply)
    assert "".join(str(piece) for piece in pieces) == reply.text
    return reply


both_ways = pytest.mark.parametrize("ask", [complete, stream])


def shown(error: BaseException) -> str:
    """All that a log could print of an error, what it hangs on included."""
    parts = ["".join(traceback.format_exception(error))]
    seen: BaseException | None = error
    while seen is not None:
        parts += [str(seen), repr(seen), repr(vars(seen))]
        seen = seen.__cause__ or seen.__context__
    return "\n".join(parts)


@both_ways
@pytest.mark.parametrize("name", list(PASSING))
def test_what_passes_ends_in_a_reply(
    name: str, ask: Callable[[LanguageModel], Reply], open_quick: Callable[[FaultServer], LanguageModel]
) -> None:
    with FaultServer([PASSING[name]], text="one two three and more") as server:
        began = time.monotonic()
        reply = ask(open_quick(server))
    # A stream that drips is allowed ten times as long as a whole reply.
    assert time.monotonic() - began < 150
    assert reply.text in {"one two three and more", "x" * 2000}


@both_ways
@pytest.mark.parametrize("name", [name for name in PASSING if name != "drip"])
def test_what_does_not_pass_ends_in_an_error_that_may_be_tried_again(
    name: str, ask: Callable[[LanguageModel], Reply], open_quick: Callable[[FaultServer], LanguageModel]
) -> None:
    with FaultServer([PASSING[name]] * 9) as server:
        began = time.monotonic()
        with pytest.raises(
            LmBusyError, match=r"(openai|anthropic):m at 127\.0\.0\.1:\d+ .*Asked [23] times"
        ) as caught:
            ask(open_quick(server))
    assert time.monotonic() - began < 150
    # A stream that is cut after some pieces is asked for whole, thrice; a slow server once more alone.
    assert len(server.requests) in ({2} if name == "hang" else {3, 4})
    assert KEY not in shown(caught.value)


@both_ways
@pytest.mark.parametrize("name", list(LASTING))
def test_what_lasts_is_an_error_at_once_without_the_key(
    name: str,
    ask: Callable[[LanguageModel], Reply],
    open_quick: Callable[[FaultServer], LanguageModel],
    caplog: pytest.LogCaptureFixture,
) -> None:
    fault, message = LASTING[name]
    with caplog.at_level(logging.DEBUG), FaultServer([fault]) as server:
        lm = open_quick(server)
        with pytest.raises(LmError, match=message) as caught:
            ask(lm)
    assert not isinstance(caught.value, LmBusyError)
    assert len(server.requests) == 1
    assert KEY in " ".join(server.requests[0].headers.values())  # it was sent, so it could have leaked
    for text in (shown(caught.value), caplog.text, repr(lm)):
        assert KEY not in text
        assert repr(KEY)[1:-1] not in text


@both_ways
def test_a_stream_without_an_end_is_never_a_reply(
    ask: Callable[[LanguageModel], Reply], open_quick: Callable[[FaultServer], LanguageModel]
) -> None:
    fault = says("one two three", finish=None)
    with FaultServer([fault], text="one two three four") as server:
        reply = ask(open_quick(server))
    assert (reply.text, reply.finish) in {("one two three", "other"), ("one two three four", "stop")}
    assert (ask is complete) == (reply.finish == "other")


def test_a_cut_stream_goes_on_where_the_whole_reply_begins_alike(
    open_quick: Callable[[FaultServer], LanguageModel],
) -> None:
    with FaultServer([cuts("one two three four", 2)], text="one two three four") as server:
        *pieces, reply = open_quick(server).stream(REQUEST)
    assert "".join(str(piece) for piece in pieces) == "one two three four"
    assert isinstance(reply, Reply) and reply.text == "one two three four"
    assert [bool(asked.body.get("stream")) for asked in server.requests] == [True, False]


def test_a_cut_stream_is_an_error_where_the_whole_reply_differs(
    open_quick: Callable[[FaultServer], LanguageModel],
) -> None:
    said = []
    with (
        FaultServer([cuts("one two three four", 2)], text="Something else.") as server,
        pytest.raises(LmBusyError),
    ):
        for piece in open_quick(server).stream(REQUEST):
            said.append(piece)
    assert said and all(isinstance(piece, str) for piece in said)


def test_a_storm_of_429_is_outlived_by_many_workers() -> None:
    with FaultServer([status(429, after="0.01")] * 60, delay=0.02) as server:
        provider, model = providers().find("openai:m")
        inner = provider.open(model, LmOptions(base_url=server.base_url, timeout=60.0))
        lm = Retry(inner, Patience(retries=9, first=0.05))
        with ThreadPoolExecutor(32) as pool:
            replies = list(pool.map(lambda _: lm.complete(REQUEST).text, range(64)))
    assert replies == ["ok"] * 64
    assert len(server.requests) == 124


@pytest.mark.slow
def test_a_busy_server_is_waited_for_as_it_asks() -> None:
    with FaultServer([status(429, after="1"), status(503, after="date+2")]) as server:
        began = time.monotonic()
        assert open_lm("openai:m", LmOptions(base_url=server.base_url)).complete(REQUEST).text == "ok"
    assert 2.0 <= time.monotonic() - began < 60.0


@pytest.mark.parametrize("key", ["x", "none", KEY])
def test_what_a_model_says_is_never_rewritten(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with FaultServer([says(f"Alexander, none of six foxes: {key}.")]) as server:
        reply = open_lm("openai:m", LmOptions(server.base_url)).complete(REQUEST)
    assert reply.text == f"Alexander, none of six foxes: {key}."


def test_a_short_key_leaves_errors_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    with FaultServer([status(404)] * 2) as server, pytest.raises(LmError) as caught:
        open_lm("openai:m", LmOptions(server.base_url, retries=0)).complete(REQUEST)
    assert "[key]" not in str(caught.value)


def test_a_slow_server_is_asked_twice_at_most() -> None:
    with FaultServer([hang(300)] * 5) as server:
        lm = open_lm("openai:m", LmOptions(server.base_url, timeout=0.2))
        with pytest.raises(LmSlowError, match="Asked 2 times"):
            lm.complete(REQUEST)
        assert len(server.requests) == 2


@pytest.mark.parametrize("in_thread", [False, True])
def test_a_question_s_time_bounds_what_a_model_takes(in_thread: bool) -> None:
    def ask() -> float:
        began = time.monotonic()
        with FaultServer([hang(300)] * 5) as server, pytest.raises(StoppedError), within(0.5):
            open_lm("openai:m", LmOptions(server.base_url)).complete(REQUEST)
        return time.monotonic() - began

    with ThreadPoolExecutor(1) as pool:
        assert (pool.submit(ask).result() if in_thread else ask()) < 150


def test_no_retries_are_none() -> None:
    with FaultServer([status(503)] * 3) as server:
        with pytest.raises(LmBusyError):
            open_lm("openai:m", LmOptions(server.base_url, retries=0)).complete(REQUEST)
        assert len(server.requests) == 1


def test_a_recorded_reply_leaves_no_key_in_files(tmp_path: Path) -> None:
    options = LmOptions(cache=tmp_path / "cache.db", record=tmp_path / "run.db")
    with FaultServer([says("ok")]) as server:
        lm = open_lm("openai:m", LmOptions(server.base_url, cache=options.cache, record=options.record))
        lm.complete(REQUEST)
    for file in tmp_path.iterdir():
        content = file.read_bytes()
        assert KEY.encode() not in content and repr(KEY)[1:-1].encode() not in content
