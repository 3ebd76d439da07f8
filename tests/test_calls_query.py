"""Queries as calls: every part of the tree is written as a call in each spelling, and read back."""

from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.calls import parse, query, show
from graphtalk.calls.ast import Call, Items, Number, Text
from graphtalk.calls.query import (
    PARTS,
    Apply,
    Column,
    EdgePattern,
    Match,
    NodePattern,
    Operation,
    Part,
    Pattern,
    Projection,
    Property,
    Query,
    Return,
    Variable,
    as_call,
    as_query,
)
from graphtalk.core import ParseError

BORDERS = Query(
    (
        Part(
            (
                Match(
                    (
                        Pattern(
                            (NodePattern("c", ("country",)), NodePattern("d", ("country",))),
                            (EdgePattern("", ("borders",), "both"),),
                        ),
                    ),
                    Operation(">", (Property(Variable("d"), "population"), Number(5))),
                ),
                Return(Projection((Column(Apply("count", (Variable("c"),), distinct=True), "n"),))),
            )
        ),
    )
)


@pytest.mark.parametrize("spelling", ["graph-cot", "toolformer", "json"])
def test_a_query_is_read_back_from_each_spelling(spelling: Any) -> None:
    call = as_call(BORDERS)
    assert isinstance(call, Call)
    assert as_query(parse(show(call, spelling))) == BORDERS


@st.composite
def parts(draw: st.DrawFn, kind: type = Query, depth: int = 4) -> Any:
    """Any part of the tree, with what its fields may hold."""
    return kind(**{f.name: draw(values(get_type_hints(kind)[f.name], depth - 1)) for f in fields(kind)})


def values(hint: Any, depth: int) -> st.SearchStrategy[Any]:
    """What a field of this type may hold."""
    simple = {str: st.text("ab _é\"'`", max_size=4), bool: st.booleans(), int: st.integers(0, 9)}
    if hint in simple:
        return simple[hint]
    inside = get_args(hint)
    if hint in (Text, Number):
        return st.builds(hint, st.text(max_size=4) if hint is Text else st.integers(-9, 9))
    if getattr(hint, "__origin__", None) is tuple:
        return st.lists(values(inside[0], depth), max_size=2).map(tuple)
    if hint in PARTS.values():
        return parts(hint, depth)
    if all(isinstance(each, str) for each in inside) and inside:
        return st.sampled_from(inside)
    kinds = [each for each in inside if each in PARTS.values()] if depth > 0 else []
    known = [each for each in kinds if each not in (query.PatternComprehension, query.Subquery)]
    leaves = [st.none()] if type(None) in inside else []
    leaves += [values(each, 0) for each in (Text, Number) if each in inside]
    leaves += [values(int, 0)] if int in inside else []
    leaves += [parts(Variable, 0)] if Variable in inside else []
    return st.one_of(*leaves, *[parts(each, depth) for each in known]) if leaves or known else st.nothing()


@given(parts(Projection, 3))
def test_any_part_is_read_back(part: Projection) -> None:
    whole = Query((Part((Return(part),)),))
    call = as_call(whole)
    assert isinstance(call, Call)
    assert as_query(call) == whole
    assert as_query(parse(show(call, "json"))) == whole


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (Call("Query"), "needs 'parts'"),
        (Call("Query", (Text("MATCH"),)), "expected a list"),
        (Call("Query", (), (("parts", Items(())), ("colour", Text("red")))), "no part 'colour'"),
        (Call("Query", (Items((Call("Return", (Text("x"),)),)),)), "cannot stand there"),
        (Call("Variable", (Text("x"),)), "is no query"),
        (Call("Query", (Items(()), Text("yes"))), "expected a boolean"),
    ],
)
def test_what_is_no_query_is_refused(call: Call, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        as_query(call)
