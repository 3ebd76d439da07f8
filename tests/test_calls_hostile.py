"""Whatever comes in, a call or a ParseError comes out, in time that grows with the length of the text."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphtalk.calls import (
    Call,
    Function,
    Vocabulary,
    find_calls,
    graph_cot,
    json_spelling,
    parse,
    toolformer,
)
from graphtalk.core.errors import ParseError

KNOWN = Vocabulary.of(
    [
        Function("RetrieveNode", "graph:retrieve", ("keyword", "node_type"), free_text=True),
        Function("NodeFeature", "graph:feature", ("node", "feature")),
    ]
)
PARTS = [
    *("GR(", "GL(", "RetrieveNode[", "NodeFeature[", "Finish[", "Foo[", "foo(", '{"name": ', '"arguments": '),
    *(
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        ",",
        '"',
        "'",
        "“",
        "’",
        "\\",
        "#",
        "=",
        ":",
        "-->r",
        "–¿",
        "node#",
        "a",
        " ",
    ),
    *("\x00", "\x1b", "\ud800", "\n", "toolx:order", "1e999", "0", "-", "true", "null", "🙂"),
]


def attempt(text: str) -> None:
    for reads in (parse, toolformer.parse, graph_cot.parse, json_spelling.parse):
        try:
            assert isinstance(reads(text, KNOWN), Call)
        except ParseError as error:
            assert 0 <= error.position <= len(text)
    ends = 0
    for found in find_calls(text, KNOWN):
        assert ends <= found.start < found.end <= len(text)
        ends = found.end


@settings(max_examples=150)
@given(st.one_of(st.lists(st.sampled_from(PARTS), max_size=30).map("".join), st.text()))
def test_any_text_is_a_call_or_a_parse_error(text: str) -> None:
    attempt(text)


HOSTILE = [
    *("[", "(", "{", "]", '"', "'", "“", "\\", ",", "a", " ", "\x00", "\n", "-", "#"),
    *("GR(", "GL(", "[GR(", "Foo[", "RetrieveNode[", "RetrieveNode[(", 'Foo["', '{"name":', '{"a":', "[{"),
    *('GR("a"', 'GR("a", {', "Foo[a ", "Foo[a, ", "Foo[[", "Foo[x], ", "'a, ", ",'a b", "GR('a b, ", "Foo['a b, "),
    *('GR("a")->', '[GR("a")->x ', "a#", 'a#"', '"a"#', '"a"[', "k=", "entity:", '{"name": "', '{"name": "a", '),
    *("RetrieveNode[a, b, ", "(],", "Foo[(]", "RetrieveNode[[", "GR(({", '{"name":"a","arguments":[', "GR      ", "[   "),
]  # fmt: skip


@pytest.mark.parametrize("part", HOSTILE)
def test_thousands_of_repetitions(part: str) -> None:
    attempt(part * 3_000)
    attempt("Foo[" + part * 3_000)
    attempt('GR("x", ' + part * 3_000)


def steps(text: str) -> int:
    """How many Python calls and lines it takes to look for calls in `text`."""
    count = 0

    def trace(frame: object, event: str, argument: object) -> object:
        nonlocal count
        count += 1
        return trace

    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        find_calls(text, KNOWN)
    finally:
        sys.settrace(None)
    return count


@pytest.mark.parametrize("part", HOSTILE)
def test_work_grows_with_the_length(part: str) -> None:
    assert steps(part * 1_000) < 3 * steps(part * 500) + 1_000


@pytest.mark.parametrize(
    "text",
    [
        "GR(" * 10_000 + ")" * 10_000,
        "F[" * 10_000 + "]" * 10_000,
        '{"name":"x","arguments":[' * 10_000 + "]}" * 10_000,
    ],
)
def test_ten_thousand_closed_brackets_are_too_deep(text: str) -> None:
    with pytest.raises(ParseError):
        parse(text, KNOWN)
