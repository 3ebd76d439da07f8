"""Our provider for OpenAI's protocol, and walks of Graph-CoT, against a real server that we did not write: `transformers serve`.

One file, so that one worker starts one server.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from graphtalk.core import LmError
from graphtalk.lms import LanguageModel, Message, Reply, Request, user
from graphtalk.lms.openai import open_openai
from graphtalk.lms.options import LmOptions
from graphtalk.lms.registry import open_lm
from graphtalk.lms.structured import complete_json
from model_server import ModelServer, model_server
from test_graph_cot_server import CALL as TO_TOKYO
from test_graph_cot_server import JAPAN, session
from tiny_model import make_tiny_model

__all__ = ["model_server"]

pytestmark = pytest.mark.slow  # the server takes some seconds to start

FIND = {
    "type": "function",
    "function": {
        "name": "RetrieveNode",
        "description": "Find a node.",
        "parameters": {"type": "object", "properties": {"keyword": {"type": "string"}}},
    },
}
CALL = '<tool_call>{"name": "RetrieveNode", "arguments": {"keyword": "Zinc"}}</tool_call>'
ASK = Request(user("Which gene does Zinc upregulate?", "Be brief."), max_tokens=48)


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that says noise."""
    return make_tiny_model(tmp_path_factory.mktemp("noisy"))


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that calls a tool, and then answers."""
    says = [f"I look. {CALL}", "The answer is Zinc."]
    return make_tiny_model(tmp_path_factory.mktemp("taught"), says=says, parses=True)


def at(server: ModelServer, folder: Path | str) -> LanguageModel:
    """The provider alone, without layers."""
    return open_openai(str(folder), LmOptions(base_url=server.url))


def text_and_reply(lm: LanguageModel, request: Request) -> tuple[str, Reply]:
    *pieces, reply = lm.stream(request)
    assert isinstance(reply, Reply) and len(pieces) > 3
    return "".join(str(piece) for piece in pieces), reply


def test_the_same_request_gives_the_same_reply(model_server: ModelServer, noisy: Path) -> None:
    lm = at(model_server, noisy)
    reply = lm.complete(ASK)
    assert reply.text and reply.finish == "length"
    assert reply.usage.calls == 1 and reply.usage.input_tokens > 20 and reply.usage.output_tokens == 48
    assert lm.complete(ASK) == reply
    assert lm.complete(replace(ASK, messages=user("And iron?"))).text != reply.text


def test_a_stream_says_what_the_whole_reply_says(model_server: ModelServer, taught: Path) -> None:
    lm = at(model_server, taught)
    told = (Message("assistant", "I look."), Message("user", "Go on."))
    request = replace(ASK, messages=ASK.messages + told)
    reply = lm.complete(request)
    assert reply.text == "The answer is Zinc." and reply.finish == "stop"
    assert text_and_reply(lm, request) == (reply.text, reply)


def test_a_stop_ends_the_reply_before_it(model_server: ModelServer, taught: Path) -> None:
    lm = at(model_server, taught)
    told = (Message("assistant", "I look."), Message("user", "Go on."))
    request = replace(ASK, messages=ASK.messages + told, stop=("never said", "wer is"))
    reply = lm.complete(request)
    assert reply.text == "The ans" and reply.finish == "stop"
    *pieces, streamed = lm.stream(request)
    assert "".join(str(piece) for piece in pieces) == "The ans"
    assert isinstance(streamed, Reply) and (streamed.text, streamed.finish) == ("The ans", "stop")


def test_a_whole_conversation_with_a_tool(model_server: ModelServer, taught: Path) -> None:
    lm = at(model_server, taught)
    first = lm.complete(replace(ASK, tools=(FIND,)))
    (call,) = first.tool_calls
    assert (call.name, call.arguments, first.finish) == ("RetrieveNode", '{"keyword": "Zinc"}', "tool_calls")
    streamed = list(lm.stream(replace(ASK, tools=(FIND,))))[-1]
    assert isinstance(streamed, Reply)
    assert [(c.name, c.arguments) for c in streamed.tool_calls] == [(call.name, call.arguments)]
    told = (Message("assistant", first.text, (call,)), Message("tool", "Compound::DB01593", (), call.id))
    answer = lm.complete(replace(ASK, messages=ASK.messages + told, tools=(FIND,)))
    assert (answer.text, answer.tool_calls, answer.finish) == ("The answer is Zinc.", (), "stop")


def test_json_is_had_from_a_server_that_knows_no_schemas(model_server: ModelServer, tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path, says=["The gene is Zinc.", '{"names": ["Zinc"]}'])
    schema = {"type": "object", "properties": {"names": {"type": "array"}}, "required": ["names"]}
    value, usage = complete_json(at(model_server, folder), ASK, schema)
    assert value == {"names": ["Zinc"]} and usage.calls == 2


def test_many_threads_get_what_each_asked_for(model_server: ModelServer, noisy: Path) -> None:
    lm = at(model_server, noisy)
    asked = [replace(ASK, messages=user(f"Question {n}"), max_tokens=8) for n in range(12)]
    alone = [lm.complete(request) for request in asked]
    assert len({reply.text for reply in alone}) > 6
    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(lm.complete, asked * 2)) == alone * 2


def test_a_name_that_the_server_does_not_have_is_a_clear_error(model_server: ModelServer) -> None:
    lm = at(model_server, "no-such-author/no-such-model")
    for ask in (lm.complete, lambda request: list(lm.stream(request))):
        with pytest.raises(LmError, match=r"openai:no-such-author/no-such-model"):
            ask(ASK)


def test_all_layers_around_it(model_server: ModelServer, taught: Path, tmp_path: Path) -> None:
    options = LmOptions(base_url=model_server.url, cache=tmp_path / "cache", record=tmp_path / "record")
    lm = open_lm(f"openai:{taught}", options)
    reply = lm.complete(replace(ASK, tools=(FIND,)))
    assert reply.tool_calls and reply.usage.usd == 0 and not reply.usage.cached_calls
    assert lm.complete(replace(ASK, tools=(FIND,))) == reply  # from the recording
    other = open_lm(f"openai:{taught}", replace(options, record=None))
    assert other.complete(replace(ASK, tools=(FIND,))).usage == replace(reply.usage, cached_calls=1)
    replayed = open_lm(f"openai:{taught}", LmOptions(replay=tmp_path / "record"))
    assert replayed.complete(replace(ASK, tools=(FIND,))) == reply


def test_the_text_protocol_with_a_real_server(model_server: ModelServer, tmp_path: Path) -> None:
    said = [
        "Look at Japan.\nAction 1: NeighbourCheck[Japan, capital]",
        "It is known.\nAction 2: Finish[Tokyo]",
    ]
    folder = make_tiny_model(tmp_path, says=said)
    answer = session(f"openai:{folder}", "graph-cot", model_server.url).ask(JAPAN)
    assert answer.answered and answer.value == ["Tokyo"], answer.text
    assert answer.evidence.edges == (("Japan", "capital", "Tokyo"),)
    assert answer.usage["calls"] >= 3 and answer.usage["input_tokens"] > 500


def test_native_tool_calls_with_a_real_server(model_server: ModelServer, tmp_path: Path) -> None:
    said = [
        f"<tool_call>{json.dumps(TO_TOKYO)}</tool_call>",
        '<tool_call>{"name": "Finish", "arguments": {"answer": "Tokyo"}}</tool_call>',
    ]
    folder = make_tiny_model(tmp_path, says=said, parses=True)
    answer = session(f"openai:{folder}", "graph-cot-tools", model_server.url).ask(JAPAN)
    assert answer.answered and answer.value == ["Tokyo"], answer.text
    assert answer.usage["calls"] == 2


def test_a_plan_with_a_real_server(model_server: ModelServer, tmp_path: Path) -> None:
    said = ['NeighbourCheck["Japan", "captial"]', 'NeighbourCheck["Japan", "capital"]']
    folder = make_tiny_model(tmp_path, says=said)
    asked = session(f"openai:{folder}", "graph-cot-plan", model_server.url)
    answer = asked.ask(JAPAN)
    assert answer.answered and answer.value == ["Tokyo"] and answer.usage["calls"] == 2, answer.text
    assert asked.verify(answer).verdict == "same"


@pytest.mark.parametrize("reasoner", ["graph-cot-tools", "graph-cot-plan", "graph-rag"])
def test_a_model_that_says_noise_ends_in_an_answer(
    model_server: ModelServer, tmp_path_factory: pytest.TempPathFactory, reasoner: str
) -> None:
    folder = make_tiny_model(tmp_path_factory.mktemp("noise"))
    answer = session(f"openai:{folder}", reasoner, model_server.url, max_steps=2).ask(JAPAN)
    assert answer.trace.steps and answer.usage["calls"] > 0
    assert answer.text and not (answer.answered and answer.stopped)
