"""Whole conversations of Graph-CoT over HTTP, and what becomes of every fault on the way."""

import json

import pytest

import graphtalk as gt
from fault_server import Fault, FaultServer, cuts, echoes_key, hang, refuses, resets, says, sends, status
from graphtalk.app.settings import Settings
from graphtalk.lms.options import LmOptions
from graphtalk.lms.registry import open_lm

JAPAN = "What is the capital of Japan?"
KEY = "sk-secret-of-a-person"
CALL = {"name": "NeighbourCheck", "arguments": {"node": "Japan", "neighbor_type": "capital"}}


CAPITALS = [("Japan", "capital", "Tokyo"), ("Peru", "capital", "Lima"), ("Chad", "capital", "N'Djamena")]


def session(lm: str, reasoner: str, url: str, max_steps: int = 15) -> gt.Session:
    """A session of its own on a small graph: prompts stay short, and nothing is shared between tests."""
    return gt.Session(gt.from_triples(CAPITALS), Settings(lm, reasoner, url, max_steps=max_steps))


FAULTS: dict[str, list[Fault]] = {
    "a storm of 429": [status(429, after="0.1")] * 9,
    "500": [status(500)] * 9,
    "503": [status(503, after="0.1")] * 9,
    "401": [echoes_key()],
    "hangs": [hang(3)] * 9,
    "resets": [resets()] * 9,
    "cut": [cuts()] * 9,
    "broken JSON": [sends('{"choices": [')] * 9,
    "a web page": [sends("<html>hello</html>", "text/html")] * 9,
    "no choices": [sends('{"choices": []}')] * 9,
    "null": [says(None)] * 30,
    "wrong usage": [says("noise", usage={"prompt_tokens": -5, "completion_tokens": "many"})] * 30,
    "broken arguments": [says("", [("NeighbourCheck", '{"node": "Jap')])] * 30,
    "an unknown parameter": [refuses("seed")] * 9,
}


@pytest.mark.parametrize("reasoner", ["graph-cot", "graph-cot-tools", "graph-cot-plan"])
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_ends_in_an_answer_or_a_clear_error(
    monkeypatch: pytest.MonkeyPatch, fault: str, reasoner: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    first: dict[str, Fault] = {
        "graph-cot": says("Thought 1: Look.\nAction 1: NeighbourCheck[Japan, capital]"),
        "graph-cot-tools": says("", [(CALL["name"], json.dumps(CALL["arguments"]))]),
        "graph-cot-plan": says('NeighbourCheck["Japan", "captial"]'),
    }
    with FaultServer([first[reasoner], *FAULTS[fault]], text="noise") as server:
        asked = session("openai:test", reasoner, server.base_url)
        options = LmOptions(base_url=server.base_url, timeout=0.3, retries=1)
        vars(asked)["model"] = open_lm("openai:test", options)
        answer = asked.ask(JAPAN)
    assert not answer.answered or answer.unsupported or answer.text
    assert answer.trace.steps and answer.trace.steps[-1].answer is not None
    if answer.stopped == "lm":
        assert "openai:test" in answer.text
    said = [answer.text, *(step.text for step in answer.trace.steps), *(c.spelling for c in answer.calls)]
    assert not any(KEY in text for text in said)


def test_a_fault_keeps_what_was_found_before_it() -> None:
    calls = [(CALL["name"], json.dumps(CALL["arguments"]))]
    with FaultServer([says("", calls), *[status(500)] * 9]) as server:
        asked = session("openai:test", "graph-cot-tools", server.base_url)
        vars(asked)["model"] = open_lm("openai:test", LmOptions(base_url=server.base_url, retries=0))
        answer = asked.ask(JAPAN)
    assert not answer.answered and answer.stopped == "lm" and "Tokyo" in answer.text
    assert answer.evidence.nodes and [s.kind for s in answer.trace.steps] == ["call", "observation", "answer"]


def test_a_budget_ends_a_run_with_what_there_is() -> None:
    dear = {"prompt_tokens": 1_500, "completion_tokens": 10}
    names = ["Japan", "Peru", "Chad", "Tokyo", "Lima"]
    replies = [says(text, usage=dear) for name in names for text in ("Look.", f"RetrieveNode[{name}]")]
    with FaultServer(replies) as server:
        settings = Settings("openai:test", "graph-cot", server.base_url, budget_tokens=6_000)
        answer = gt.Session(gt.from_triples(CAPITALS), settings).ask(JAPAN)
    assert not answer.answered and answer.stopped == "budget" and "6000 tokens" in answer.text
    assert 2 <= answer.usage["calls"] <= 4 and answer.calls


def test_thinking_never_reaches_an_answer() -> None:
    texts = ['<think>secret\nplan</think>NeighbourCheck["Japan", "capital"]']
    with FaultServer([says(text) for text in texts]) as server:
        answer = session("openai:test", "graph-cot-plan", server.base_url).ask(JAPAN)
    assert answer.value == ["Tokyo"]
    assert not any("secret" in step.text for step in answer.trace.steps)


def test_the_error_of_a_server_is_no_exception_for_the_asker() -> None:
    with FaultServer([status(404, message="no such model")]) as server:
        answer = session("openai:test", "base", server.base_url).ask(JAPAN)
    assert not answer.answered and answer.stopped == "lm" and "no such model" in answer.text
