"""Structured output: an answer's value in the form of a JSON schema that a client gives.

Nothing is made up: each part of the form is filled from the answer's object, or the request is refused.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError, ValidationError

from graphtalk.app.server.jobs import Given
from graphtalk.app.server.problems import ProblemError

MOST_SCHEMA = 50_000  # characters of a schema, written as JSON
DEEPEST = 20  # references and levels that are followed
# What properties of a form are commonly called, beside what an answer's object calls it.
_CALLED = {
    "answer": ("answer", "text", "response", "explanation", "summary", "reasoning", "message", "content"),
    "nodes": ("evidence", "sources", "citations", "nodes", "ids"),
}
FORMATS = FormatChecker()


@FORMATS.checks("date-time", raises=ValueError)
def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or bool("T" in value.upper() and datetime.fromisoformat(value))


@FORMATS.checks("time", raises=ValueError)
def _is_time(value: object) -> bool:
    return not isinstance(value, str) or time.fromisoformat(value) is not None


@FORMATS.checks("uri", raises=ValueError)
def _is_address(value: object) -> bool:
    return not isinstance(value, str) or bool(urlsplit(value).scheme)


class _NoFitError(Exception):
    """The value has another form."""


def check(schema: object) -> Mapping[str, Any]:
    """The schema, if it is one and small enough. Raises ProblemError."""
    if not isinstance(schema, dict) or len(json.dumps(schema)) > MOST_SCHEMA:
        raise ProblemError(400, f"A schema is a JSON object of at most {MOST_SCHEMA:,} characters.")
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise ProblemError(400, f"This is no JSON schema: {error.message[:200]}") from None
    return schema


def called_tool(tools: Mapping[str, Mapping[str, Any]], choice: object) -> str:
    """The tool of a client's that must be called, by its name; "" where none must. `tools` has their parameters.

    Raises ProblemError for a choice that names none of them.
    """
    if isinstance(choice, dict):
        named = choice.get("function", choice)
        name = named.get("name") if isinstance(named, dict) else None
        if name not in tools:
            raise ProblemError(422, "tool_choice names none of the tools.")
        return str(name)
    return next(iter(tools)) if choice == "required" and len(tools) == 1 else ""


def filled(schema: Mapping[str, Any], shown: Given) -> Any:
    """What a form holds for an answer's object. Raises ProblemError 400 where it asks for what the answer does not have."""
    try:
        found = _Form(schema, shown).fit(schema, shown["value"], 0)
        Draft202012Validator(schema, format_checker=FORMATS).validate(found)
    except _NoFitError as error:
        why = str(error)
    except ValidationError as error:
        why = f"it gives {json.dumps(error.instance, ensure_ascii=False)[:100]}, and {error.message[:200]}"
    else:
        return found
    raise ProblemError(
        400,
        f"The answer does not have this form: {why}. It is {json.dumps(shown['value'], ensure_ascii=False)[:200]}; "
        "ask without response_format for all of it.",
    )


@dataclass(frozen=True)
class _Form:
    schema: Mapping[str, Any]
    shown: Given

    def fit(self, form: Any, value: Any, depth: int) -> Any:
        """A value in a form. Raises _NoFitError."""
        if depth > DEEPEST:
            raise _NoFitError(f"the form is more than {DEEPEST} levels deep")
        if not isinstance(form, Mapping):
            return value
        if "$ref" in form:
            return self.fit(self._referred(form["$ref"]), value, depth + 1)
        choices = form.get("anyOf") or form.get("oneOf")
        if choices is None and isinstance(form.get("type"), list):
            choices = [{**form, "type": kind} for kind in form["type"]]
        if choices:
            return self._first([one for one in choices if one.get("type") != "null"], value, depth)
        return self._of_kind(form.get("type"), form, value, depth)

    def _first(self, forms: Sequence[Any], value: Any, depth: int) -> Any:
        last = _NoFitError("it has no form")
        for form in forms:
            try:
                return self.fit(form, value, depth + 1)
            except _NoFitError as error:
                last = error
        raise last

    def _of_kind(self, kind: Any, form: Mapping[str, Any], value: Any, depth: int) -> Any:
        if kind == "object" or (kind is None and "properties" in form):
            return self._object(form, value, depth)
        if kind == "array":
            entries = _entries(value)
            return [self.fit(form.get("items"), entry, depth + 1) for entry in entries]
        if kind is None:
            return value
        one = value[0] if isinstance(value, list) and len(value) == 1 else value
        if kind == "string" and one is not None:
            return one if isinstance(one, str) else _text(one)
        if kind == "boolean" and isinstance(one, bool):
            return one
        is_number = isinstance(one, int | float) and not isinstance(one, bool)
        if kind == "number" and is_number:
            return one
        if kind == "integer" and is_number and float(one).is_integer():
            return int(one)
        raise _NoFitError(f"{json.dumps(value, ensure_ascii=False)[:80]} is no {kind}")

    def _object(self, form: Mapping[str, Any], value: Any, depth: int) -> Any:
        """Properties by name, from the value where it has names, else from the answer's object.

        One property that is left takes the value itself; two, a text and a number, take the entry of a table.
        """
        wanted: Mapping[str, Any] = form.get("properties") or {}
        required = set(form.get("required") or ())
        named = value if isinstance(value, Mapping) else {}
        about = {} if depth and not named else self._about()
        found: dict[str, Any] = {}
        given = {**about, **named}
        for name, inner in wanted.items():
            if isinstance(inner, Mapping) and "const" in inner:  # what tells forms from each other
                found[name] = inner["const"]
            elif name in given:
                found[name] = self.fit(inner, given[name], depth + 1)
        left = [name for name in wanted if name not in found]
        entry = _pair(value)
        if entry and len(left) == 2:
            return found | self._both(wanted, left, entry, depth)
        needed = [name for name in left if name in required] or left[:1]
        if len(needed) == 1 and not set(named) & set(wanted):
            found[needed[0]] = self.fit(wanted[needed[0]], value, depth + 1)
        elif missing := [name for name in left if name in required]:
            raise _NoFitError(f"nothing in it is called {', '.join(map(repr, missing[:5]))}")
        return found

    def _both(
        self, wanted: Mapping[str, Any], left: Sequence[str], entry: tuple[str, Any], depth: int
    ) -> dict[str, Any]:
        for names in (left, left[::-1]):
            try:
                return {
                    name: self.fit(wanted[name], part, depth + 1)
                    for name, part in zip(names, entry, strict=True)
                }
            except _NoFitError:
                continue
        raise _NoFitError(f"{entry[0]!r} with {entry[1]!r} fits neither way")

    def _about(self) -> dict[str, Any]:
        """What an answer's object says under the names that forms have for it."""
        shown = self.shown
        given = {"answer": shown["answer"], "nodes": shown["evidence"]["nodes"]}
        found = {name: given[key] for key, names in _CALLED.items() for name in names}
        found |= {
            name: shown[name] for name in ("answered", "question", "graph", "confidence") if name in shown
        }
        found["value"] = shown["value"]
        return {name: part for name, part in found.items() if part is not None}

    def _referred(self, name: Any) -> Any:
        found: Any = self.schema
        for part in str(name).removeprefix("#").strip("/").split("/"):
            if not isinstance(found, Mapping) or (part and part not in found):
                raise _NoFitError(f"{str(name)[:80]!r} is not in the schema")
            found = found[part] if part else found
        return found


def _entries(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [{name: number} for name, number in value.items()]
    return value if isinstance(value, list) else [value]


def _pair(value: Any) -> tuple[str, Any] | None:
    """The entry of a table: a name and its number."""
    return next(iter(value.items())) if isinstance(value, Mapping) and len(value) == 1 else None


def _text(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


def pieces(text: str, size: int = 400) -> Iterator[str]:
    """A text as a stream sends it."""
    return (text[at : at + size] for at in range(0, len(text), size))
