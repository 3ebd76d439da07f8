"""OpenAI's form of the API, with clients that nobody here wrote."""

import asyncio
import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import numpy as np
import openai
import pytest
from pydantic import BaseModel

import graphtalk as gt
from graphtalk.app.server.config import ServerSettings
from graphtalk.app.server.openai.structure import filled
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from site_server import serving

QUESTION = "What is the capital of Japan?"
MANY = "Which countries border both France and Germany?"


class Capital(BaseModel):
    name: str


class Countries(BaseModel):
    countries: list[str]
    explanation: str


class Number(BaseModel):
    count: int


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with serving(Shelf.of([gt.open("atlas")], Settings()), ServerSettings()) as url:
        yield f"{url}/v1"


@pytest.fixture(scope="module")
def client(base: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=base, api_key="none", max_retries=0)


def test_structured_output_is_filled_from_the_value_or_refused(client: openai.OpenAI) -> None:
    def parsed(question: str, form: type[BaseModel]) -> object:
        said = [{"role": "user", "content": question}]
        return (
            client.chat.completions.parse(model="atlas", messages=said, response_format=form)
            .choices[0]
            .message
        )

    assert parsed(QUESTION, Capital).parsed == Capital(name="Tokyo")
    found = parsed(MANY, Countries).parsed
    assert set(found.countries) >= {"Belgium", "Luxembourg", "Switzerland"} and "Belgium" in found.explanation
    with pytest.raises(openai.BadRequestError, match="is no integer"):
        parsed(QUESTION, Number)
    declined = parsed("What is the capital of Zubrowka?", Capital)
    assert declined.parsed is None and declined.refusal


def test_choices_usage_and_objects(client: openai.OpenAI) -> None:
    said = [{"role": "user", "content": QUESTION}]
    reply = client.chat.completions.create(
        model="atlas", messages=said, n=3, response_format={"type": "json_object"}
    )
    assert [json.loads(choice.message.content)["value"] for choice in reply.choices] == [["Tokyo"]] * 3
    pieces = list(
        client.chat.completions.create(
            model="atlas", messages=said, stream=True, stream_options={"include_usage": True}
        )
    )
    assert pieces[-1].usage.total_tokens == 0
    assert "Tokyo" in "".join(p.choices[0].delta.content or "" for p in pieces if p.choices)


def test_completions_and_embeddings(client: openai.OpenAI) -> None:
    reply = client.completions.create(model="atlas", prompt=[QUESTION, "What is the capital of France?"])
    assert ["Tokyo" in reply.choices[0].text, "Paris" in reply.choices[1].text] == [True, True]
    several = client.completions.create(
        model="atlas", prompt=[QUESTION, "What is the capital of France?"], n=2, echo=True
    )
    texts = [choice.text for choice in several.choices]
    first, second = (choice.text for choice in reply.choices)
    assert texts == [f"{QUESTION}{first}"] * 2 + [f"What is the capital of France?{second}"] * 2
    streamed = client.completions.create(model="atlas", prompt=QUESTION, stream=True)
    assert "Tokyo" in "".join(piece.choices[0].text for piece in streamed)
    vectors = client.embeddings.create(model="atlas", input=["a king", "a queen", "a bicycle"])
    king, queen, bicycle = (np.array(one.embedding) for one in vectors.data)
    assert king @ queen > king @ bicycle and abs(king @ king - 1) < 1e-4
    coded = (
        client.embeddings.create(model="atlas", input="a king", encoding_format="base64").data[0].embedding
    )
    np.testing.assert_allclose(np.frombuffer(base64.b64decode(coded), "<f4"), king, rtol=1e-6)


def test_tokens_of_another_model_are_refused_in_one_sentence(base: str) -> None:
    reply = httpx2.post(f"{base}/embeddings", json={"model": "atlas", "input": [[1, 2], [3]]}, timeout=300)
    assert reply.status_code == 400
    assert "Give texts, not numbers of tokens" in reply.json()["error"]["message"]


def test_what_was_asked_in_one_form_is_kept_for_the_others(client: openai.OpenAI, base: str) -> None:
    question = "What is the capital of Norway?"
    httpx2.post(f"{base}/ask", json={"graph": "atlas", "question": question}, timeout=300)
    said = [{"role": "user", "content": question}]
    replies = (
        client.chat.completions.create(model="atlas", messages=said),
        client.responses.create(model="atlas", input=question),
    )
    assert [reply.to_dict()["graphtalk"]["seconds"] for reply in replies] == [0.0, 0.0]


def test_responses_are_kept_and_gone_on_from(client: openai.OpenAI) -> None:
    first = client.responses.create(model="atlas", input=QUESTION)
    assert "Tokyo" in first.output_text and first.output[0].content[0].annotations[0].type == "url_citation"
    follow_up = client.responses.create(
        model="atlas", input="And its population?", previous_response_id=first.id
    )
    assert "Tokyo" in json.dumps(follow_up.to_dict()["graphtalk"]["question"])
    assert client.responses.retrieve(first.id).output_text == first.output_text
    assert (
        client.responses.parse(model="atlas", input=QUESTION, text_format=Capital).output_parsed.name
        == "Tokyo"
    )
    client.responses.delete(first.id)
    for gone in (first.id, "resp_x-1", "nothing"):
        with pytest.raises(openai.NotFoundError):
            client.responses.retrieve(gone)
    loose = client.responses.create(model="atlas", input=QUESTION, store=False)
    with pytest.raises(openai.NotFoundError):
        client.responses.create(model="atlas", input="And its population?", previous_response_id=loose.id)
    said = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": "Tokyo"},
        {"role": "user", "content": [{"type": "input_text", "text": "And its population?"}]},
    ]
    assert "Tokyo" in client.responses.create(model="atlas", input=said).to_dict()["graphtalk"]["question"]


def test_a_streamed_response_ends_as_the_whole_one(client: openai.OpenAI) -> None:
    with client.responses.stream(model="atlas", input=QUESTION) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_response()
    assert kinds[0] == "response.created" and kinds[-1] == "response.completed"
    assert final.output_text == client.responses.create(model="atlas", input=QUESTION).output_text


def test_a_tool_that_must_be_called_takes_the_answer_of_a_response(client: openai.OpenAI) -> None:
    tool = {"type": "function", "name": "note", "parameters": Capital.model_json_schema(), "strict": True}
    wanted = {"model": "atlas", "input": QUESTION, "tools": [tool]}
    (call,) = client.responses.create(**wanted, tool_choice="required").output
    assert (call.type, call.name, json.loads(call.arguments)) == ("function_call", "note", {"name": "Tokyo"})
    with client.responses.stream(**wanted, tool_choice={"type": "function", "name": "note"}) as stream:
        kinds = [event.type for event in stream]
        assert stream.get_final_response().output[0].arguments == call.arguments
    assert "response.function_call_arguments.done" in kinds
    assert "Tokyo" in client.responses.create(**wanted).output_text  # it may be called, and need not
    with pytest.raises(openai.APIStatusError, match="names none of the tools"):
        client.responses.create(**wanted, tool_choice={"type": "function", "name": "other"})


@pytest.mark.parametrize(
    ("path", "body", "status", "kind"),
    [
        (
            "chat/completions",
            {"model": "nope", "messages": [{"role": "user", "content": "x"}]},
            404,
            "invalid",
        ),
        (
            "chat/completions",
            {"model": "atlas", "messages": [{"role": "system", "content": "x"}]},
            400,
            "invalid",
        ),
        ("chat/completions", {"model": "atlas"}, 400, "invalid"),
        ("completions", {"model": "atlas", "prompt": []}, 400, "invalid"),
        ("responses", {"model": "atlas", "input": " "}, 400, "invalid"),
        ("embeddings", {"model": "atlas", "input": [""]}, 400, "invalid"),
        ("embeddings", {"model": "nope", "input": ["x"]}, 404, "invalid"),
        ("embeddings", {"model": "atlas", "input": ["x"], "dimensions": 3}, 400, "invalid"),
        ("models/nope", None, 404, "invalid"),
        (
            "chat/completions",
            {
                "model": "atlas",
                "messages": [{"role": "user", "content": "x"}],
                "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": 5}}},
            },
            400,
            "invalid",
        ),
    ],
)
def test_errors_have_openais_form(base: str, path: str, body: object, status: int, kind: str) -> None:
    reply = (
        httpx2.get(f"{base}/{path}", timeout=300)
        if body is None
        else httpx2.post(f"{base}/{path}", json=body, timeout=300)
    )
    assert reply.status_code == status, reply.text
    error = reply.json()["error"]
    assert error["type"].startswith(kind) and error["message"] and "param" in error


def test_langchain_with_structured_output_and_responses(base: str) -> None:
    langchain = pytest.importorskip("langchain_openai", reason="langchain-openai is not installed")
    for how in ({}, {"use_responses_api": True}):
        chat = langchain.ChatOpenAI(base_url=base, api_key="none", model="atlas", **how)
        assert "Tokyo" in chat.invoke(QUESTION).text
        for method in ("json_schema", "function_calling"):
            assert chat.with_structured_output(Capital, method=method).invoke(QUESTION).name == "Tokyo"
        assert "Tokyo" in "".join(piece.text for piece in chat.stream(QUESTION))
    vectors = langchain.OpenAIEmbeddings(
        base_url=base, api_key="none", model="atlas", check_embedding_ctx_length=False
    ).embed_documents(["a king", "a queen"])
    assert len(vectors) == 2


def test_pydantic_ai_takes_texts_and_forms(base: str) -> None:
    ai = pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed")
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    for kind in (OpenAIChatModel, OpenAIResponsesModel):
        model = kind("atlas", provider=OpenAIProvider(base_url=base, api_key="none"))
        assert "Tokyo" in asyncio.run(ai.Agent(model).run(QUESTION)).output
        assert asyncio.run(ai.Agent(model, output_type=Capital).run(QUESTION)).output == Capital(name="Tokyo")


def test_the_llm_command(base: str, tmp_path: Path) -> None:
    pytest.importorskip("llm", reason="the llm command is not installed")
    about = f"- model_id: atlas\n  model_name: atlas\n  api_base: {base}\n  api_key_name: none\n"
    (tmp_path / "extra-openai-models.yaml").write_text(about)
    env = {**os.environ, "LLM_USER_PATH": str(tmp_path), "OPENAI_API_KEY": "none"}
    command = [str(Path(sys.executable).with_name("llm")), "-m", "atlas", "--key", "none", QUESTION]
    done = subprocess.run(
        command, env=env, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL
    )
    assert "Tokyo" in done.stdout, done.stderr


def test_litellm(base: str) -> None:
    litellm = pytest.importorskip("litellm", reason="litellm is not installed")
    said = [{"role": "user", "content": QUESTION}]
    reply = litellm.completion(model="openai/atlas", api_base=base, api_key="none", messages=said)
    assert "Tokyo" in reply.choices[0].message.content


def test_llama_index(base: str) -> None:
    llms = pytest.importorskip(
        "llama_index.llms.openai_like", reason="llama-index-llms-openai-like is not installed"
    )
    model = llms.OpenAILike(model="atlas", api_base=base, api_key="none", is_chat_model=True)
    assert "Tokyo" in model.complete(QUESTION).text


SHOWN = {
    "answered": True,
    "answer": "Two.",
    "question": "?",
    "graph": "g",
    "evidence": {"nodes": ["a"], "edges": []},
}


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"type": "integer"}, 3.0, 3),
        ({"type": "boolean"}, True, True),
        ({"type": ["string", "null"]}, ["Ann"], "Ann"),
        ({"type": "array", "items": {"type": "string"}}, ["Ann", "Bob"], ["Ann", "Bob"]),
        (
            {
                "type": "object",
                "properties": {"rows": {"type": "array", "items": {"$ref": "#/$defs/R"}}},
                "required": ["rows"],
                "$defs": {
                    "R": {
                        "type": "object",
                        "properties": {"film": {"type": "string"}, "stars": {"type": "integer"}},
                        "required": ["film", "stars"],
                    }
                },
            },
            {"Heat": 5, "Ran": 4},
            {"rows": [{"film": "Heat", "stars": 5}, {"film": "Ran", "stars": 4}]},
        ),
        (
            {
                "type": "array",
                "items": {"type": "object", "properties": {"n": {}, "name": {}}, "required": ["n"]},
            },
            [{"name": "Ann", "n": 1}],
            [{"n": 1, "name": "Ann"}],
        ),
        ({"type": "string", "format": "date-time"}, "2020-01-01T10:00:00Z", "2020-01-01T10:00:00Z"),
        ({"type": "string", "format": "date"}, ["1999-12-31"], "1999-12-31"),
        (
            {
                "type": "object",
                "properties": {"sources": {"type": "array"}, "value": {}},
                "required": ["sources"],
            },
            2,
            {"sources": ["a"], "value": 2},
        ),
    ],
)
def test_a_form_is_filled(schema: dict[str, object], value: object, expected: object) -> None:
    assert filled(schema, {**SHOWN, "value": value}) == expected


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, ["Ann"]),
        ({"type": "string", "maxLength": 2}, ["Ann"]),
        ({"type": "string", "enum": ["Bob"]}, ["Ann"]),
        ({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a", "b"]}, ["Ann"]),
        ({"$ref": "#/$defs/none"}, ["Ann"]),
        ({"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}, ["Ann"]),
        ({"const": "anything"}, ["Ann"]),
        ({"type": "string", "format": "date"}, 197),
        ({"type": "string", "format": "date-time"}, ["Ann"]),
        ({"type": "string", "format": "date-time"}, "2020-01-01"),
        ({"type": "string", "format": "time"}, "noon"),
        ({"type": "string", "format": "uri"}, "Ann"),
    ],
)
def test_what_does_not_fit_is_refused(schema: dict[str, object], value: object) -> None:
    with pytest.raises(ProblemError, match="form"):
        filled(schema, {**SHOWN, "value": value})
