"""Words and graph: which words match what a schema names, and which spans of a question name nodes."""

from itertools import pairwise

import numpy as np
import pytest

from graphtalk.graphs import Graph
from graphtalk.language.english import tokenize
from graphtalk.reasoners.planner.analysis import Analysis
from graphtalk.reasoners.planner.lexis import PARTNER, SAME_GROUP, Lexis
from graphtalk.reasoners.planner.linking import MOST_ANCHORS, MOST_SETS, Linker, nouns_of
from graphtalk.reasoners.planner.values import ValueTable
from graphtalk.search.embedder import load_embedder
from planner_graphs import countries, library, linker, make

# the words of a schema


def lexis_of(*relations: tuple[str, str, str, str], types: tuple[str, ...] = ("film", "person")) -> Lexis:
    """The lexis of a schema of (relation, source, target, inverse)."""
    nodes = {t: {"id": ["1"], "name": ["One"]} for t in types}
    return Lexis(make(nodes, [(r, s, t, [], inverse) for r, s, t, inverse in relations]).schema)


def words_of(lexis: Lexis, term: int) -> list[str]:
    return [lexis.words[w] for w in lexis.terms[term].words]


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("film-directed by-person", ["directed"]),
        ("starred_actors", ["starred", "actors"]),
        ("Person", ["person"]),  # nothing else would be left
        ("likes", ["likes"]),
        ("^x", ["x"]),
    ],
)
def test_a_relation_is_named_by_its_words_without_its_types(relation: str, words: list[str]) -> None:
    lexis = lexis_of((relation, "film", "person", ""))
    assert words_of(lexis, lexis.views["film", relation]) == words


def whole(lexis: Lexis, question: str) -> np.ndarray:
    return lexis.match(tokenize(question), load_embedder("static")).whole


def test_the_same_word_matches_wholly_and_a_synonym_nearly() -> None:
    lexis = lexis_of(("treats", "film", "person", ""))
    term = lexis.views["film", "treats"]
    assert whole(lexis, "what treated it")[term] == 1.0
    assert whole(lexis, "what heals it")[term] == pytest.approx(SAME_GROUP)
    assert whole(lexis, "the colour of water")[term] < 0.3


def test_opposites_do_not_match_however_near_they_are() -> None:
    lexis = lexis_of(("upregulates", "film", "person", ""), ("downregulates", "film", "person", ""))
    up, down = lexis.views["film", "upregulates"], lexis.views["film", "downregulates"]
    found = whole(lexis, "what increases it")
    assert found[up] == pytest.approx(SAME_GROUP)
    assert found[down] == 0.0


@pytest.mark.parametrize("embedder", ["static", "minilm"])
@pytest.mark.parametrize(("asked", "other"), [("increases", "decreases"), ("decreases", "increases")])
def test_an_opposite_whose_vector_is_near_does_not_match(embedder: str, asked: str, other: str) -> None:
    """By their vectors alone the two are a quarter alike."""
    lexis = lexis_of((asked, "film", "person", ""), (other, "film", "person", ""))
    found = lexis.match(tokenize(f"what {asked} it"), load_embedder(embedder)).whole
    assert found[lexis.views["film", asked]] == 1.0
    assert found[lexis.views["film", other]] == 0.0


def test_a_view_is_spoken_of_in_the_words_of_its_way_back() -> None:
    lexis = lexis_of(("flows into", "film", "person", "fed by"))
    forth, back = lexis.views["film", "flows into"], lexis.views["person", "fed by"]
    found = whole(lexis, "what is it fed by")
    assert found[back] == 1.0
    assert found[forth] == pytest.approx(PARTNER * found[back])


def test_who_asks_for_a_node_and_not_for_a_feature() -> None:
    nodes = {"film": {"id": ["1"], "person": ["x"]}, "person": {"id": ["2"]}}
    lexis = Lexis(make(nodes, []).schema)
    found = whole(lexis, "who")
    assert found[lexis.features["film", "person"]] == 0.0
    assert found[lexis.types["person"]] > 0.3


def test_an_empty_schema_and_an_empty_question_match_nothing() -> None:
    assert whole(lexis_of(types=()), "who wrote it").shape == (0,)
    assert not whole(lexis_of(), "").any()


# mentions of nodes


def names(graph: Graph, question: str) -> list[list[str]]:
    """What the likeliest set of anchors names, in order of the question."""
    found = next(iter(linker(graph).sets(question)))
    return [sorted({graph.label(n) for n in a.nodes}) for a in found]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who wrote Deep Water?", [["Deep Water"]]),
        ("who wrote deep water", [["Deep Water"]]),
        ("Who wrote [Deep Water]?", [["Deep Water"]]),
        ('Who wrote "The Art of Bridges"?', [["The Art of Bridges"]]),
        ("Who wrote “Stone and Sand”?", [["Stone and Sand"]]),
        ("Did Ada Byron write Deep Water with Max Weber?", [["Ada Byron"], ["Deep Water"], ["Max Weber"]]),
        ('Who wrote "Stone and Snd"?', [["Stone and Sand"]]),
        ("Tell me who wrote this paper: The Art of Bridges", [["The Art of Bridges"]]),
    ],
)
def test_names_are_found(question: str, found: list[list[str]]) -> None:
    assert names(library(), question) == found


def test_brackets_leave_no_other_names() -> None:
    assert names(library(), "Did Ada Byron write [Deep Water]?") == [["Deep Water"]]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which papers are made by Ada Byron?", [["Ada Byron"]]),  # not the paper "Made"
        ("Who wrote Made?", [["Made"]]),
        ('which papers cite "Made"', [["Made"]]),
    ],
)
def test_everyday_words_are_names_only_where_they_stand_as_such(
    question: str, found: list[list[str]]
) -> None:
    assert names(library(), question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which African countries are there?", ["Africa"]),
        ("the Italian capital", ["Italy"]),
        ("South American countries", ["South America"]),
        ("Brazilian neighbours", ["Brazil"]),
        ("Japanese cities", ["Japan"]),
        ("Kenyan towns", ["Kenya"]),
        ("European rivers", ["Europe"]),
    ],
)
def test_adjectives_of_place_stand_for_their_nouns(question: str, found: list[str]) -> None:
    assert names(countries(), question) == [found]


def test_nouns_behind_an_adjective() -> None:
    assert "Africa" in set(nouns_of("African"))
    assert "Italy" in set(nouns_of("Italian"))
    assert list(nouns_of("an")) == []


def anchor_nodes(graph: Graph, question: str) -> set[str]:
    return {graph.id(n) for a in next(iter(linker(graph).sets(question))) for n in a.nodes}


def test_all_namesakes_are_meant_unless_the_question_tells_them_apart() -> None:
    graph = library()
    assert anchor_nodes(graph, "Which papers did Jo Park write?") == {"a2", "a3"}
    assert anchor_nodes(graph, "Which papers did Jo Park of Kyoto Lab write?") == {"a3"}
    assert anchor_nodes(graph, "Which papers did Jo Park (Oslo Institute) write?") == {"a2"}


def test_what_tells_namesakes_apart_needs_no_other_meaning() -> None:
    text = "Which papers did Jo Park of Kyoto Lab write?"
    (anchor,) = next(iter(linker(library()).sets(text)))
    assert [text[a:b] for a, b in anchor.told] == ["Kyoto Lab"]
    words = [t.text for t in analysis(library(), text).tokens if t.content]
    assert words == ["papers", "write"]


def test_sets_of_anchors_do_not_overlap_and_end_with_none() -> None:
    graph = make(
        {"film": {"id": ["1", "2", "3", "4"], "name": ["Deep", "Deep Water", "Water", "Water Falls"]}}, []
    )
    sets = list(linker(graph).sets("Who made Deep Water Falls and Deep Water and Water and Deep?"))
    assert sets[-1] == ()
    assert len(sets) <= MOST_SETS + 1
    for anchors in sets:
        assert len(anchors) <= MOST_ANCHORS
        assert all(a.end <= b.start for a, b in pairwise(anchors))


@pytest.mark.parametrize("question", ["", "???", "[]", '""', "[", "a [b", "][", "''"])
def test_questions_without_names_have_one_empty_set(question: str) -> None:
    assert list(linker(library()).sets(question)) == [()]


def test_a_graph_without_nodes_has_no_names() -> None:
    assert list(linker(make({}, [])).sets("Who wrote Deep Water?")) == [()]


# the reading of a question


def analysis(graph: Graph, question: str) -> Analysis:
    found: Linker = linker(graph)
    anchors = next(iter(found.sets(question)))
    return Analysis.of(question, anchors, Lexis(graph.schema), ValueTable(graph), load_embedder("static"))


def test_names_of_nodes_are_no_words_of_the_question() -> None:
    read = analysis(library(), "Who wrote The Art of Bridges?")
    assert [t.text for t in read.tokens] == ["Who", "wrote"]
    assert len(read.masked) == len(read.text)


def test_a_type_beside_a_name_is_not_what_is_asked_for() -> None:
    read = analysis(library(), "the author of the paper [Deep Water]")
    assert [read.tokens[i].text for i, _ in read.focus_tokens] == ["author"]


@pytest.mark.parametrize(
    ("question", "either"),
    [
        ("papers by Ada Byron or Max Weber", True),
        ("papers by Ada Byron and Max Weber", False),
        ("Is the older one Ada Byron or Max Weber?", False),
        ("Who wrote more papers, Ada Byron or Max Weber?", False),
    ],
)
def test_either(question: str, either: bool) -> None:
    assert analysis(library(), question).either == either


# values


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which papers are in English?", ("language", "=", "English")),
        ("papers in french", ("language", "=", "French")),
    ],
)
def test_categories_are_found_in_questions(question: str, found: tuple[str, str, str]) -> None:
    values = ValueTable(library()).find(tokenize(question))
    assert [(v.feature, v.operator, v.value) for v in values] == [found]


def test_lists_numbers_flags_and_free_text() -> None:
    count = 300
    graph = make(
        {
            "item": {
                "id": [str(i) for i in range(count)],
                "tags": [["red", "old"] if i % 2 else ["blue"] for i in range(count)],
                "price": [f"${i},000.50" for i in range(count)],
                "sold": ["Yes" if i % 3 else "No" for i in range(count)],
                "text": [f"free text {i}" for i in range(count)],
                "code": ["PA" if i % 2 else "MO" for i in range(count)],
                "blank": [""] * count,
            }
        },
        [],
    )
    table = ValueTable(graph)
    assert table.numeric == {("item", "price")}
    assert table.flags == {("item", "sold"): "Yes"}
    assert [(v.feature, v.operator) for v in table.find(tokenize("old ones"))] == [("tags", "contains")]
    assert table.find(tokenize("free text 7")) == []
    assert [v.value for v in table.find(tokenize("sold in PA, not by pa or mo"))] == ["PA"]


def test_the_tokens_of_a_value_are_kept() -> None:
    nodes = {"id": ["1"], "category": ["Camping & Hiking"]}
    (value,) = ValueTable(make({"item": nodes}, [])).find(tokenize("items for camping & hiking in May"))
    assert value.tokens == (2, 3)


@pytest.mark.xfail(strict=True, reason="a capital code that is also an empty word is passed over")
def test_a_code_in_capitals_may_be_an_empty_word() -> None:
    table = ValueTable(make({"item": {"id": ["1", "2"], "code": ["US", "FR"]}}, []))
    assert [v.value for v in table.find(tokenize("items from the US"))] == ["US"]
