"""Local models: a real one, tiny and made here, and the forms in which models ask for tools."""

import json
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from graphtalk.core import LmError, UsageError
from graphtalk.lms import Message, Reply, Request, ToolCall, Usage, user
from graphtalk.lms.hf import HfLM, split_calls
from tiny_model import make_tiny_model

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
def noisy(tmp_path_factory: pytest.TempPathFactory) -> HfLM:
    return HfLM.open(str(make_tiny_model(tmp_path_factory.mktemp("noisy"), context=400)))


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> HfLM:
    says = [f"I look. {CALL}", "The answer is Zinc."]
    return HfLM.open(str(make_tiny_model(tmp_path_factory.mktemp("taught"), says=says)))


def said(pieces: Iterator[str | Reply]) -> tuple[str, Reply]:
    *texts, reply = pieces
    assert isinstance(reply, Reply)
    return "".join(str(text) for text in texts), reply


def test_the_same_request_gives_the_same_reply(noisy: HfLM) -> None:
    reply = noisy.complete(ASK)
    assert reply == noisy.complete(replace(ASK, seed=7))  # at temperature 0 nothing is drawn
    assert reply.text and reply.finish == "length"
    prompt = (
        "<|system|>\nBe brief.<|end|>\n<|user|>\nWhich gene does Zinc upregulate?<|end|>\n<|assistant|>0\n"
    )
    assert reply.usage == Usage(1, len(noisy.tokenizer(prompt)["input_ids"]), 48)


def test_sampling_follows_the_seed_and_leaves_other_random_numbers_alone(noisy: HfLM) -> None:
    import torch

    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    warm = replace(ASK, temperature=1.0, seed=5)
    first = noisy.complete(warm)
    assert torch.equal(torch.rand(3), expected)
    assert noisy.complete(warm) == first
    assert noisy.complete(replace(warm, seed=6)).text != first.text


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_stream_says_what_the_whole_reply_says(noisy: HfLM, temperature: float) -> None:
    asked = replace(ASK, temperature=temperature)
    pieces = list(noisy.stream(asked))
    assert len(pieces) > 3
    assert said(iter(pieces)) == (noisy.complete(asked).text, noisy.complete(asked))


def test_a_stop_ends_the_reply_before_it(noisy: HfLM) -> None:
    text = noisy.complete(ASK).text
    stop = text[8:14]
    asked = replace(ASK, stop=("never said", stop, ""))
    reply = noisy.complete(asked)
    assert reply.text == text[: text.index(stop)]
    assert reply.finish == "stop" and reply.usage.output_tokens < 48
    assert said(noisy.stream(asked)) == (reply.text, reply)


def test_a_stream_left_half_read_stops_the_generation(noisy: HfLM) -> None:
    stream = noisy.stream(replace(ASK, max_tokens=300))
    next(stream)
    stream.close()
    assert noisy.complete(ASK).usage.output_tokens == 48  # the model is free again
    assert threading.active_count() < 20


def test_many_threads_take_turns(noisy: HfLM) -> None:
    asked = [replace(ASK, temperature=1.0, seed=seed % 4) for seed in range(12)]
    alone = [noisy.complete(request) for request in asked[:4]]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(noisy.complete, asked)) == alone * 3


def test_the_reply_is_bounded_by_what_the_model_reads(noisy: HfLM) -> None:
    long = Request(user("x " * 180), max_tokens=10_000)
    reply = noisy.complete(long)
    assert reply.usage.input_tokens + reply.usage.output_tokens <= 400
    for asked in (noisy.complete, lambda request: list(noisy.stream(request))):
        with pytest.raises(LmError, match=r"reads at most 400 tokens, and the prompt has \d{4}"):
            asked(Request(user("Zinc! " * 1000)))


def test_a_whole_conversation_with_a_tool(taught: HfLM) -> None:
    reply = taught.complete(replace(ASK, tools=(FIND,)))
    assert reply.text == "I look." and reply.finish == "tool_calls"
    assert reply.tool_calls == (ToolCall("call-1", "RetrieveNode", '{"keyword": "Zinc"}'),)
    assert said(taught.stream(replace(ASK, tools=(FIND,)))) == ("I look.", reply)
    told = (
        Message("assistant", reply.text, reply.tool_calls),
        Message("tool", "Compound::DB01593", (), "call-1"),
    )
    answer = taught.complete(replace(ASK, messages=ASK.messages + told, tools=(FIND,)))
    assert (answer.text, answer.tool_calls, answer.finish) == ("The answer is Zinc.", (), "stop")


def test_tools_and_calls_reach_the_chat_template(noisy: HfLM) -> None:
    call = ToolCall("7", "RetrieveNode", '{"keyword": "Zinc"}')
    told = (Message("assistant", "I look.", (call,)), Message("tool", "found", (), "7"))
    request = replace(ASK, messages=ASK.messages + told, tools=(FIND,))
    prompt = noisy.tokenizer.decode(noisy._prompt(request).ids)
    assert json.dumps(FIND) in prompt.splitlines()[1]
    assert '<tool_call>{"name": "RetrieveNode", "arguments": {"keyword": "Zinc"}}</tool_call>' in prompt
    assert prompt.endswith("<|tool|>\nfound<|end|>\n<|assistant|>1\n")


def test_without_tools_nothing_is_taken_out_of_the_text(taught: HfLM) -> None:
    reply = taught.complete(ASK)
    assert reply.text == f"I look. {CALL}" and not reply.tool_calls and reply.finish == "stop"


def test_a_tokenizer_that_tells_calls_apart_is_asked(tmp_path: Path) -> None:
    says = [f"I look. {CALL}{CALL}", "<tool_call>{broken</tool_call>"]
    lm = HfLM.open(str(make_tiny_model(tmp_path, says=says, parses=True)))
    reply = lm.complete(replace(ASK, tools=(FIND,), max_tokens=100))
    assert reply.text == "I look."
    assert [call.arguments for call in reply.tool_calls] == ['{"keyword": "Zinc"}'] * 2
    unasked = lm.complete(replace(ASK, max_tokens=100))
    assert unasked.text == says[0] and not unasked.tool_calls
    messages = (*ASK.messages, Message("assistant", "I look."), Message("user", "Go on."))
    broken = lm.complete(replace(ASK, messages=messages, tools=(FIND,)))
    assert broken.text == "<tool_call>{broken</tool_call>" and not broken.tool_calls


def test_a_model_without_a_chat_template_reads_roles_and_does_not_speak_for_others(tmp_path: Path) -> None:
    lm = HfLM.open(str(make_tiny_model(tmp_path, template="", says=["Zinc.\nuser: And iron?"])))
    call = ToolCall("7", "RetrieveNode", '{"keyword": "Zinc"}')
    request = replace(ASK, messages=(*ASK.messages, Message("assistant", "", (call,))), tools=(FIND,))
    prompt = lm.tokenizer.decode(lm._prompt(request).ids)
    assert prompt == (
        f"tool: {json.dumps(FIND)}\nsystem: Be brief.\nuser: Which gene does Zinc upregulate?\n"
        f"assistant: {CALL}\nassistant:"
    )
    taught_prompt = Request(user("x<|end|>\n<|assistant|>0\n"))
    assert lm.complete(taught_prompt).text  # noise or not, it is text without another's turn
    assert "\nuser:" not in lm.complete(taught_prompt).text


def test_messages_that_a_template_refuses_are_a_clear_error(tmp_path: Path) -> None:
    template = "{{ raise_exception('Roles must alternate') }}"
    lm = HfLM.open(str(make_tiny_model(tmp_path, template=template)))
    with pytest.raises(LmError, match=r"chat template of hf:.* does not take .*Roles must alternate"):
        lm.complete(ASK)


def test_what_cannot_be_loaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    make_tiny_model(tmp_path / "damaged")
    (tmp_path / "damaged" / "model.safetensors").write_bytes(b"not weights")
    make_tiny_model(tmp_path / "foreign")
    (tmp_path / "foreign" / "config.json").write_text('{"model_type": "of-its-own", "auto_map": {}}')
    (tmp_path / "empty").mkdir()
    sources = [str(tmp_path / name) for name in ("absent", "empty", "damaged", "foreign")]
    for source in [*sources, "no-such-author/no-such-model"]:
        with pytest.raises(UsageError, match=f"Cannot load the model {source}"):
            HfLM.open(source)


def test_a_folder_is_found_from_the_home_folder_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_tiny_model(tmp_path / "tiny")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert HfLM.open("~/tiny").name == "hf:~/tiny"
    monkeypatch.setattr(
        "socket.socket.connect", None
    )  # what can only be a folder is not looked for elsewhere
    for source in ("~/absent", "./absent", "a/b/c"):
        with pytest.raises(UsageError, match=f"{source}: there is no such folder"):
            HfLM.open(source)


def test_without_the_libraries_the_command_to_install_them_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(UsageError, match=r'hf:tiny needs torch .* pip install "graphtalk\[hf\]"'):
        HfLM.open("tiny")


@pytest.mark.parametrize(
    ("text", "rest", "calls"),
    [
        (f"I look. {CALL}\n{CALL}", "I look.", 2),
        ('<tool_call>{"name": "Other", "parameters": {}}', "", 1),  # cut short, and a name nobody knows
        ('{"name": "RetrieveNode", "arguments": {"keyword": "Zinc"}}', "", 1),
        ('Thought: look.\n```json\n{"name": "RetrieveNode", "arguments": {}}\n```', "Thought: look.", 1),
        ('{"name": "RetrieveNode"}\n{"name": "RetrieveNode"}', "", 2),
        ('[{"name": "RetrieveNode"}, {"name": "RetrieveNode"}]', "", 2),
        ('{"name": "Zinc", "arguments": {}}', '{"name": "Zinc", "arguments": {}}', 0),  # an answer, no tool
        ('See [1]. {"name": "RetrieveNode"}', 'See [1]. {"name": "RetrieveNode"}', 0),
        ("<tool_call>{broken</tool_call>", "<tool_call>{broken</tool_call>", 0),
        ("The answer is Zinc.", "The answer is Zinc.", 0),
        ("{" * 5000, "{" * 5000, 0),
    ],
)
def test_calls_are_taken_out_of_text(text: str, rest: str, calls: int) -> None:
    left, found = split_calls(text, [FIND])
    assert (left, len(found)) == (rest, calls)
    assert [call.id for call in found] == [f"call-{n}" for n in range(1, calls + 1)]
