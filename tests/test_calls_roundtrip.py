"""Every call reads back exactly from each of its spellings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.calls import (
    SPELLINGS,
    Boolean,
    Call,
    Expression,
    Function,
    Items,
    NodeRef,
    Number,
    Text,
    Vocabulary,
    cypher,
    find_calls,
    graph_cot,
    json_spelling,
    key,
    parse,
    show,
    toolformer,
)
from graphtalk.calls.lexer import MAX_DEPTH
from graphtalk.core.errors import ParseError, UsageError

KNOWN = Vocabulary.of(
    [
        Function("Order", "toolx:order"),
        Function("Density", "toolx:density", ("is_directed",)),
        Function("RetrieveNode", "graph:retrieve", ("keyword", "node_type"), free_text=True),
        Function("NodeFeature", "graph:feature", ("node", "feature")),
        Function("NeighbourCheck", "graph:neighbours", ("node", "neighbor_type"), ("NeighborCheck",)),
        Function("Entity", "transe:tail_entity", ("head", "relation")),
        Function("Odd", "", ("a b", "graph#x")),
    ]
)
MODULES = {"toolformer": toolformer, "graph-cot": graph_cot, "json": json_spelling, "cypher": cypher}
VOCABULARIES = [Vocabulary(), KNOWN]

AWKWARD = st.sampled_from(
    [
        *(
            "",
            " ",
            "#",
            "node#5",
            "C# course",
            "a, b",
            'say "hi"',
            "“curly”",
            "it's",
            "\\",
            "\\n",
            "\n",
            "\\u0041",
        ),
        *(
            "true",
            "False",
            "inf",
            "-1",
            "1e5",
            "007",
            "Cobar(II)",
            "[x]",
            "{",
            ")",
            "]",
            "-->r]",
            "GL",
            "GR(",
            "E=mc2",
        ),
        *(
            "a[b]",
            "Finish[x]",
            "x=1",
            "graph=1",
            "relation:x",
            "\x00\x1f",
            "ß 漢字 🙂",
            'a", "b',
            "node #5",
            "\u00a0",
        ),
    ]
)
TEXTS = st.one_of(AWKWARD, st.text(max_size=12), st.text(alphabet="ab\"'\\,[](){}#=:- \n“”‘’", max_size=12))
NAMES = st.one_of(
    st.sampled_from(
        ["Order", "Density", "RetrieveNode", "NodeFeature", "NeighbourCheck", "Entity", "Finish", "Odd"]
    ),
    st.sampled_from(["GL", "GR", "Unknown", "toolx:unknown", "CamelCase", "lower", "gl", "g l"]),
    TEXTS,
).map(KNOWN.canonical)
KEYWORDS = st.one_of(
    st.sampled_from(
        ["is_directed", "node_type", "keyword", "node", "feature", "k", "head", "relation", "entity"]
    ),
    TEXTS,
).filter(lambda name: name != "graph")
NUMBERS = st.one_of(
    st.integers(), st.integers(min_value=-(10**40), max_value=10**40), st.floats(allow_nan=False)
).map(Number)
REFERENCES = st.builds(NodeRef, st.one_of(st.sampled_from(["node", "Paper", "entity"]), TEXTS), TEXTS)
LEAVES: st.SearchStrategy[Expression] = st.one_of(
    TEXTS.map(Text), NUMBERS, st.booleans().map(Boolean), REFERENCES
)


def calls(values: st.SearchStrategy[Expression]) -> st.SearchStrategy[Call]:
    """Calls on the given values; keywords are spelled as the vocabulary spells them, as parsing leaves them."""

    def build(
        name: str, arguments: list[Expression], keywords: dict[str, Expression], graph: Expression | None
    ) -> Call:
        named = {KNOWN.parameter(name, key): value for key, value in keywords.items()}
        return Call(name, tuple(arguments), tuple(named.items()), graph)

    return st.builds(
        build,
        NAMES,
        st.lists(values, max_size=3),
        st.dictionaries(KEYWORDS, values, max_size=2),
        st.none() | values,
    )


EXPRESSIONS = st.recursive(
    LEAVES, lambda inner: calls(inner) | st.lists(inner, max_size=3).map(tuple).map(Items), max_leaves=8
)
CALLS = calls(EXPRESSIONS)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=["nothing known", "known"])
@given(call=CALLS)
def test_every_call_reads_back(spelling: str, vocabulary: Vocabulary, call: Call) -> None:
    written = show(call, spelling, vocabulary)
    assert MODULES[spelling].parse(written, vocabulary) == call


@pytest.mark.parametrize("spelling", SPELLINGS)
@given(call=CALLS)
def test_the_spelling_is_detected(spelling: str, call: Call) -> None:
    assert parse(show(call, spelling, KNOWN), KNOWN) == call


@pytest.mark.parametrize("spelling", ["toolformer", "json"])
@given(call=CALLS, other=CALLS)
def test_calls_are_found_between_words(spelling: str, call: Call, other: Call) -> None:
    first, second = show(call, spelling, KNOWN), show(other, spelling, KNOWN)
    text = f"It is {first}, and then {second}."
    found = find_calls(text, KNOWN)
    assert [each.call for each in found] == [call, other]
    assert [text[each.start : each.end] for each in found] == [first, second]


@given(call=CALLS, other=CALLS)
def test_keys_differ_just_where_calls_do(call: Call, other: Call) -> None:
    assert key(call) == key(parse(show(call, "json")))
    swapped = Call(call.function, call.arguments, call.keywords[::-1], call.graph)
    assert key(swapped) == key(call)
    if key(call) == key(other):
        assert sorted(map(repr, other.keywords)) == sorted(map(repr, call.keywords))
        assert (other.function, len(other.arguments)) == (call.function, len(call.arguments))


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("inside", ["arguments", "keywords", "graph", "list"])
def test_calls_nest_to_the_limit_and_no_deeper(spelling: str, inside: str) -> None:
    def around(inner: Expression, level: int) -> Expression:
        if inside == "list" and level % 2:
            return Items((inner,))
        if inside == "graph":
            return Call("Union", graph=inner)
        return Call("Union", keywords=(("k", inner),)) if inside == "keywords" else Call("Union", (inner,))

    call: Expression = Call("Union")
    for level in reversed(range(MAX_DEPTH - 1)):
        call = around(call, level)
    assert isinstance(call, Call)
    back = parse(show(call, spelling))
    # Texts are compared: Python's own == runs out of stack on 200 keyword arguments in one another.
    assert key(back) == key(call)
    assert hash(back) == hash(call)
    with pytest.raises(ParseError, match="200"):
        parse(show(Call("Union", (Items((call,)),)), spelling))


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_numbers_beyond_floating_point_read_back(spelling: str) -> None:
    call = Call("Top", (Number(10**1000), Number(float("inf")), Number(-5e-324)))
    assert parse(show(call, spelling)) == call


def test_an_unknown_spelling_is_named() -> None:
    with pytest.raises(UsageError, match=r"xml.*toolformer"):
        show(Call("Union"), "xml")  # type: ignore[arg-type]


def test_a_call_cannot_name_an_argument_twice() -> None:
    with pytest.raises(ValueError, match="differ"):
        Call("Top", (), (("k", Number(1)), ("k", Number(2))))
    with pytest.raises(ValueError, match="graph"):
        Call("Top", (), (("graph", Text("gpr")),))
