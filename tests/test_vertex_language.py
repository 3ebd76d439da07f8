"""The expression language: what is read, what is refused and how, and that engines agree on every operator."""

import math

import pytest

from graphtalk.core import CheckError, ParseError
from graphtalk.vertex.language.checker import compiled
from graphtalk.vertex.language.grammar import parse
from graphtalk.vertex.language.scope import Meaning, Scope
from graphtalk.vertex.language.single import SingleBackend, Surroundings
from graphtalk.vertex.language.types import BOOL, NODE, NUMBER, inward, outward, parse_type, set_of

SCOPE = Scope(
    "test",
    {
        "a": Meaning(NUMBER, "state"),
        "b": Meaning(NUMBER, "state"),
        "flag": Meaning(BOOL, "state"),
        "near": Meaning(set_of(NODE), "state"),
        "id": Meaning(NODE, "node"),
    },
    collections={"messages": {"x": NUMBER, "of": NODE, "all": set_of(NODE)}},
)
OWN = {"a": 7, "b": 2, "flag": True, "near": frozenset({1, 4}), "id": 3}
MESSAGES = [
    {"sender": 5, "x": 4, "of": 9, "all": frozenset({1})},
    {"sender": 6, "x": 2, "of": 8, "all": frozenset({2, 4})},
    {"sender": 8, "x": 2, "of": 7, "all": frozenset()},
]


def value_of(text: str) -> object:
    made = SingleBackend().make(compiled(text, SCOPE))
    return made(Surroundings(OWN, {}, {}.__getitem__, messages=MESSAGES))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a + b * 3 - 1", 12),
        ("(a + b) * 3", 27),
        ("a - b - 1", 4),
        ("-a + 1", -6),
        ("7 / 0", 0),
        ("-7 % 3", 2),
        ("a % 0", 0),
        ("1.5e1 + .5", 15.5),
        ("a > b and not flag or b == 2", True),
        ("not a < b", True),
        ("if a > 10 then 1 else if flag then 2 else 3", 2),
        ("min(a, b, 5)", 2),
        ("max(a, infinity)", math.inf),
        ("none == none", True),
        ("id < none", True),
        ("4 > 3 and 1 in [1, 2]", True),
        ("id not in near", True),
        ("size(union(near, set([id])))", 3),
        ("min(m.x for m in messages)", 2),
        ("min(m.x for m in messages if m.x > 9)", math.inf),
        ("sum(m.x * a for m in messages)", 56),
        ("count(m for m in messages if m.x == b)", 2),
        ("any(m.x > 3 for m in messages)", True),
        ("all(m.x > 3 for m in messages)", False),
        ("argmin(m.x, m.of for m in messages)", 7),
        ("argmax(m.x, m.of for m in messages)", 9),
        ("argmin(m.x, m for m in messages if m.x > 5)", math.inf),
        ("mode(m.x for m in messages)", 2),
        ("least_missing(m.x - 2 for m in messages)", 1),
        ("union(m.all for m in messages)", frozenset({1, 2, 4})),
        ("collect(m.x for m in messages)", (4, 2, 2)),
        ("sorted(m.x, m.of for m in messages)", (7, 8, 9)),
        ("sum(size(intersect(m.all, near)) for m in messages)", 2),
        ("max(count(v for v in near if v in m.all) for m in messages)", 1),
        ("concat([id], [id])", (3, 3)),
    ],
)
def test_values(text: str, value: object) -> None:
    assert value_of(text) == value


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a +", "at its end"),
        ("a + * b", "at '* b'"),
        ("(a", "')'"),
        ("a $ b", "'$'"),
        ("if a > 1 then 2", "'else'"),
        ("min(m.x for messages)", "'in'"),
        ("", "a value"),
        ("1 2", "an operator or the end"),
        ("a < b < 3", "at '< 3'"),
        ("__import__('os')", 'Unexpected "\'"'),
        ("-" * 500 + "1", "too long"),
        ("(" * 60 + "1" + ")" * 60, "nested too deeply"),
    ],
)
def test_text_that_is_no_expression_is_refused_with_the_place(text: str, place: str) -> None:
    with pytest.raises(ParseError) as error:
        parse(text)
    assert place in str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("distance + 1", "Nothing is called 'distance' here"),
        ("a + flag", "number + bool has no meaning. In 'a + flag', at '+ flag'"),
        ("if a then 1 else 2", "'if' needs a bool, not a number"),
        ("if flag then 1 else true", "'then' gives a number, but 'else' a bool"),
        ("not a", "'not' needs a bool"),
        ("id + 1", "node + number has no meaning. number(node) is a node's index."),
        ("min(m.y for m in messages)", "'m' has no 'y'. Valid: x, of, all."),
        ("min(v.x for v in nodes)", "There are no nodes here"),
        ("min(a)", "Of a collection: min(number or node for …)"),
        ("sum(m.of for m in messages)", "sum(node) has no meaning"),
        ("total(m.x for m in messages)", "No aggregate 'total'"),
        ("sqroot(a)", "No function 'sqroot'. Did you mean sqrt?"),
        ("sum(a)", "sum() needs 'for … in …'"),
        ("m.x", "Nothing called 'm' has fields here"),
        ("a in 3", "number in number has no meaning"),
        ("[1, true]", "of one type"),
        ("size(x for x in a)", "No aggregate 'size'"),
        ("count(x for x in a)", "goes through a set or a list, not a number"),
    ],
)
def test_types_are_checked_and_the_place_is_quoted(text: str, said: str) -> None:
    with pytest.raises(CheckError) as error:
        compiled(text, SCOPE)
    assert said in str(error.value)
    assert str(error.value).startswith("test: ")


def test_the_wanted_type_is_asked_for() -> None:
    with pytest.raises(CheckError, match="is a number, but a bool is needed"):
        compiled("a + 1", SCOPE, BOOL)
    with pytest.raises(CheckError, match="is no expression"):
        compiled(["a"], SCOPE)


@pytest.mark.parametrize("text", ["number", "set[node]", "map[node, set[list[number]]]"])
def test_types_are_read_as_they_are_written(text: str) -> None:
    assert str(parse_type(text)) == text


@pytest.mark.parametrize("text", ["", "text", "set", "set[", "set[node", "map[node]", "node]", "set[node] x"])
def test_what_is_no_type_is_refused(text: str) -> None:
    with pytest.raises(CheckError, match="is no type"):
        parse_type(text)


def test_values_go_out_and_come_in_unchanged() -> None:
    for value, type in [
        (3, "number"),
        (0.5, "number"),
        (None, "node"),
        (2, "node"),
        (True, "bool"),
        ([1, 2], "set[node]"),
        ([2, None], "list[node]"),
    ]:
        kind = parse_type(type)
        assert outward(inward(value, kind), kind) == value
    for value, type in [(True, "number"), (1, "bool"), ("1", "node"), (1.5, "node"), (math.nan, "number")]:
        with pytest.raises(CheckError):
            inward(value, parse_type(type))
