"""Replies that are JSON of a given form, from any model.

The schema goes to the server, where it knows how to hold a model to one, and into the prompt, for those that do
not. What comes back is read with care, checked, and shown to the model again where it will not do.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources

from graphtalk.core import JSON, LmError, UsageError
from graphtalk.core.reading import in_words
from graphtalk.lms.protocol import LanguageModel, Message, Reply, Request, Usage

TRIES = 50  # places in a text where JSON may begin
SHOWN = 400  # letters of the checker's message that are shown
FENCE = re.compile(r"```\w*\s*\n(.*?)```", re.DOTALL)
LOOSE_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)  # strings are stepped over whole


class StructureError(LmError):
    """No reply followed the schema. `usage` is what the replies cost all the same."""

    def __init__(self, message: str, usage: Usage) -> None:
        super().__init__(message)
        self.usage = usage


def complete_json(
    lm: LanguageModel, request: Request, schema: Mapping[str, JSON], repairs: int = 2
) -> tuple[JSON, Usage]:
    """The value that the model replies with, and what all its replies cost.

    A reply that does not follow `schema` is shown to the model again with the reason, at most `repairs` times;
    then StructureError says what is wrong. Raises UsageError where `schema` is no JSON schema.
    """
    check = _Check(schema)
    messages = _with_schema(request.messages, schema)
    usage, reason = Usage(), ""
    for _ in range(1 + repairs):
        reply = lm.complete(replace(request, messages=messages, schema=schema))
        usage += reply.usage
        value, reason = _read(reply, check)
        if not reason:
            return value, usage
        again = Message("user", _prompt("json_repair").format(reason=reason))
        messages = (*messages, Message("assistant", reply.text), again)
    raise StructureError(
        f"{lm.name} gave no JSON that follows the schema in {1 + repairs} replies. The last one: {reason}",
        usage,
    )


def json_in(text: str) -> Iterator[JSON]:
    """The JSON values that a text may mean, the likeliest first.

    That is the whole text, then what its code fences hold, then each object or list in it. A comma after the last
    entry is forgiven.

    >>> list(json_in('Sure! {"names": ["Zinc",]} as you asked'))
    [{'names': ['Zinc']}]
    """
    for part in (text, *FENCE.findall(text)):
        try:
            yield _decoder().decode(_mended(part).strip())
        except (ValueError, RecursionError):
            continue
    yield from objects_in(text)


def objects_in(text: str) -> Iterator[JSON]:
    """The objects and lists in a text, in order; those inside of others are left out."""
    tried, at, text = 0, 0, _mended(text)
    while (begin := _next(text, at)) >= 0 and tried < TRIES:
        tried += 1
        try:
            value, at = _decoder().raw_decode(text, begin)
        except (ValueError, RecursionError):
            at = begin + 1
            continue
        yield value


class _Check:
    """Says what is wrong with a value. References to schemas elsewhere are never fetched."""

    def __init__(self, schema: Mapping[str, JSON]) -> None:
        import jsonschema
        from referencing import Registry

        form = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
        try:
            form.check_schema(dict(schema))
        except jsonschema.SchemaError as error:
            raise UsageError(f"Not a JSON schema: {error.message} at {error.json_path}.") from error
        self._validator = form(dict(schema), registry=Registry())

    def wrong(self, value: JSON) -> str:
        """What is wrong, and where; empty where nothing is. Raises UsageError at a reference that leads nowhere."""
        from jsonschema.exceptions import best_match
        from referencing.exceptions import Unresolvable

        try:
            error = best_match(self._validator.iter_errors(value))
        except RecursionError as deep:
            return f"{in_words(deep)}."
        except Unresolvable as nowhere:
            raise UsageError(
                f"The JSON schema refers to something that it does not hold: {nowhere}."
            ) from nowhere
        if error is None:
            return ""
        return f"at {error.json_path}: {_short(error.message)}."


def _read(reply: Reply, check: _Check) -> tuple[JSON, str]:
    """The first value of a reply that will do, else None and why not."""
    reason = ""
    for value in json_in(reply.text):
        wrong = check.wrong(value)
        if not wrong:
            return value, ""
        reason = reason or wrong
    if reply.finish == "length":
        return None, "it was cut off at the longest length allowed; it must be shorter."
    return None, reason or f"it holds no JSON: {_short(reply.text)!r}."


def _with_schema(messages: tuple[Message, ...], schema: Mapping[str, JSON]) -> tuple[Message, ...]:
    """The messages, with the schema at the end of the last one, or in one more where that is not a person's."""
    told = f"{_prompt('json_ask')}\n{json.dumps(dict(schema), ensure_ascii=False)}"
    if not messages or messages[-1].role != "user":
        return (*messages, Message("user", told))
    return (*messages[:-1], replace(messages[-1], content=f"{messages[-1].content}\n\n{told}"))


def _mended(text: str) -> str:
    return LOOSE_COMMA.sub(lambda found: found[1] or "", text)


def _next(text: str, at: int) -> int:
    return min((place for place in (text.find("{", at), text.find("[", at)) if place >= 0), default=-1)


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN // 2]} … {text[-SHOWN // 2 :]}"


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


@cache
def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(parse_constant=_no_number)


@cache
def _prompt(name: str) -> str:
    return resources.files("graphtalk.lms").joinpath("prompts", f"{name}.txt").read_text("utf-8").strip()
