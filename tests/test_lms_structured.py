"""Replies that are JSON: what is read out of a text, and how a model is brought to follow a schema."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.core import JSON, LmError, UsageError
from graphtalk.lms import Message, Reply, Request, Usage, in_one_piece, user
from graphtalk.lms.hf import HfLM
from graphtalk.lms.structured import StructureError, complete_json, json_in
from tiny_model import make_tiny_model

PLAN = {
    "type": "object",
    "properties": {"names": {"type": "array", "items": {"type": "string"}}, "count": {"type": "integer"}},
    "required": ["names"],
    "additionalProperties": False,
}
ASK = Request(user("Which gene?", "Be brief."))


@dataclass
class SayingLM:
    """Says these texts in turn, and keeps what it was asked."""

    texts: list[str]
    name: str = "test:saying"
    finish: str = "stop"
    asked: list[Request] = field(default_factory=list)

    def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        finish = "length" if self.finish == "length" else "stop"
        return Reply(self.texts[len(self.asked) - 1], (), Usage(1, 10, 2, 0.5), finish)

    def stream(self, request: Request) -> Iterator[str | Reply]:
        yield from in_one_piece(self.complete(request))


def test_a_reply_that_follows_the_schema_is_taken_at_once() -> None:
    lm = SayingLM(['{"names": ["Zinc"]}'])
    assert complete_json(lm, ASK, PLAN) == ({"names": ["Zinc"]}, Usage(1, 10, 2, 0.5))
    (asked,) = lm.asked
    assert asked.schema == PLAN  # for servers that hold a model to it
    assert asked.messages[0] == ASK.messages[0]
    assert asked.messages[1].content.startswith("Which gene?\n\nReply with one JSON value")
    assert asked.messages[1].content.endswith(json.dumps(PLAN))  # for those that do not


def test_the_schema_comes_after_what_a_tool_said() -> None:
    lm = SayingLM(["{}"])
    complete_json(lm, Request((*ASK.messages, Message("tool", "found", (), "1"))), {"type": "object"})
    assert [message.role for message in lm.asked[0].messages] == ["system", "user", "tool", "user"]


def test_a_reply_that_will_not_do_is_shown_again_with_the_reason() -> None:
    lm = SayingLM(["I think it is Zinc.", '{"names": ["Zinc", 3]}', '{"names": ["Zinc"]}'])
    value, usage = complete_json(lm, ASK, PLAN)
    assert value == {"names": ["Zinc"]} and usage == Usage(3, 30, 6, 1.5)
    shown = lm.asked[2].messages[2:]
    assert [message.role for message in shown] == ["assistant", "user", "assistant", "user"]
    assert shown[0].content == "I think it is Zinc." and "holds no JSON" in shown[1].content
    assert shown[2].content == '{"names": ["Zinc", 3]}'
    assert "at $.names[1]: 3 is not of type 'string'" in shown[3].content


@pytest.mark.parametrize("repairs", [0, 1, 2])
def test_repairs_end_in_an_error_that_says_what_is_wrong_and_what_it_cost(repairs: int) -> None:
    lm = SayingLM(['{"name": "Zinc"}'] * 9)
    with pytest.raises(StructureError, match=r"test:saying gave no JSON .* in \d repl.* at \$: ") as raised:
        complete_json(lm, ASK, PLAN, repairs)
    assert len(lm.asked) == 1 + repairs
    assert raised.value.usage == Usage(
        1 + repairs, 10 * (1 + repairs), 2 * (1 + repairs), 0.5 * (1 + repairs)
    )
    assert isinstance(raised.value, LmError)


def test_a_reply_that_was_cut_off_is_told_to_be_shorter() -> None:
    lm = SayingLM(['{"names": ["Zi', '{"names": ["Zi'], finish="length")
    with pytest.raises(StructureError, match="cut off at the longest length"):
        complete_json(lm, ASK, PLAN, 1)


def test_errors_of_the_model_pass_through() -> None:
    class FailingLM(SayingLM):
        def complete(self, request: Request) -> Reply:
            raise LmError("no such model")

    with pytest.raises(LmError, match="no such model"):
        complete_json(FailingLM([]), ASK, PLAN)


@pytest.mark.parametrize(
    "schema", [{"type": "thing"}, {"$ref": "https://example.invalid/s"}, {"$ref": "#/no"}]
)
def test_a_schema_that_is_none_is_the_callers_mistake(schema: dict[str, JSON]) -> None:
    with pytest.raises(UsageError, match="JSON schema"):
        complete_json(SayingLM(["{}"]), ASK, schema)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ('{"a": 1}', {"a": 1}),
        ("true", True),
        (' "Zinc" ', "Zinc"),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ("Here you are:\n```\n[1, 2]\n```\nAnything else?", [1, 2]),
        ('Sure! {"a": {"b": [1]}} is what I found {twice}.', {"a": {"b": [1]}}),
        ('{"a": [1, 2,], }', {"a": [1, 2]}),
        ('{"a": "keep this: ,] and ,}",}', {"a": "keep this: ,] and ,}"}),
        ('{"a": "an escaped \\" quote,}"}', {"a": 'an escaped " quote,}'}),
        ("{not this} but [3]", [3]),
    ],
)
def test_json_is_read_out_of_a_text(text: str, first: JSON) -> None:
    assert next(json_in(text)) == first


@pytest.mark.parametrize(
    "text", ["", "Zinc", "{", "[[", "NaN", '{"a": Infinity}', "{" * 100_000, "[" * 100_000]
)
def test_what_is_no_json_is_not_read(text: str) -> None:
    assert list(json_in(text)) == []


def test_of_several_values_the_one_that_follows_the_schema_counts() -> None:
    lm = SayingLM(['An example is {"names": 1}. Mine: {"names": ["Zinc"], "count": 2}'])
    assert complete_json(lm, ASK, PLAN)[0] == {"names": ["Zinc"], "count": 2}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(VALUES, st.sampled_from(["{}", "Sure: {}", "```json\n{}\n```"]))
def test_every_value_is_read_back(value: JSON, around: str) -> None:
    held = value if around == "{}" else [value]
    assert next(json_in(around.replace("{}", json.dumps(held)))) == held


def test_a_real_model_without_structured_output_mends_its_reply(tmp_path: Path) -> None:
    lm = HfLM.open(str(make_tiny_model(tmp_path, says=["The gene is Zinc.", '{"names": ["Zinc"]}'])))
    value, usage = complete_json(lm, ASK, PLAN)
    assert value == {"names": ["Zinc"]} and usage.calls == 2
