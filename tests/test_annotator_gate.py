"""What gets a graph loading call, and where the call stands."""

import contextlib
from pathlib import Path

import numpy as np
import pytest

from graphtalk.reasoners.toolformer.annotator import DeclinedError
from graphtalk.reasoners.toolformer.offline import open_offline_annotator
from graphtalk.reasoners.toolformer.offline.candidates import Candidate, sentence_of
from graphtalk.reasoners.toolformer.offline.gate import Gate, has_graph_word, is_statement
from graphtalk.reasoners.toolformer.offline.loading import shipped_loader
from graphtalk.reasoners.toolformer.offline.placing import place_features, place_of, places
from graphtalk.reasoners.toolformer.offline.ranking import BUCKETS, Ranker, hashed
from graphtalk.training.annotator.examples import Prompt
from graphtalk.training.annotator.gate import prose
from graphtalk.training.annotator.loading import loading_examples

PROSE = Path(__file__).parent / "data" / "annotator_prose.txt"


def test_prose_stays_as_it_is() -> None:
    texts = [line for line in PROSE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    annotate = shipped_loader().annotate
    changed = [text for text in texts if annotate(text) != text]
    assert len(texts) == 50
    assert not set(texts) & set(prose())
    assert len(changed) <= 1, changed


@pytest.mark.parametrize(
    "text",
    [
        "The co-citation network of law journals links those that are cited together.",
        "The map of a bus network shows the stops of a town and the lines between them.",
        "The dating platform Heartbeat matches people by what they like.",
        'The network of the film "You and I" shows who acts with whom.',
        "In the network of chemists, Mary I. Stone wrote with John Hill.",
    ],
)
def test_statements_about_graphs_get_a_call(text: str) -> None:
    assert "[GL(" in shipped_loader().annotate(text)


@pytest.mark.parametrize(
    "text",
    [
        "My network of friends is small.",
        "We built a graph of our suppliers.",
        "The network of roads is long.\nIt was built in 1950.",
        "The network of roads is long. " * 40,
        "Graphs are used all over computer science.",
        "The petersen graph is named after Julius Petersen.",
        "The tutte graph was found in 1946.",
        "Citation networks became popular in the 1960s.",
    ],
)
def test_what_is_personal_general_or_long_is_no_statement(text: str) -> None:
    assert has_graph_word(text)
    assert not is_statement(text)
    assert shipped_loader().annotate(text) == text


def test_the_gate_weighs_the_embedding_and_words_of_graphs() -> None:
    gate = Gate(np.array([1.0, -1.0, 0.5], dtype=np.float32), 1.2)
    near = np.array([1.0, 0.0], dtype=np.float32)
    assert gate.opens("The network grows.", near)
    assert not gate.opens("The river grows.", near)
    assert not gate.opens("My network grows.", near)
    assert not gate.opens("The network grows.", -near)


def test_a_call_stands_where_its_features_score_best() -> None:
    sentence = sentence_of("The graph of Oslo , by night")
    name = Candidate('"oslo"', "of", ("Oslo",), "of")
    weights = np.zeros(BUCKETS, dtype=np.float32)
    weights[hashed(["after of"])] = 1.0
    assert places(sentence) == [0, 1, 2, 3, 5, 6]
    assert place_of(sentence, name, Ranker(weights)) == 3
    assert "named True of" in set(place_features(sentence, 3, name))
    assert place_of(sentence_of("..."), name, Ranker(weights)) == 0


def test_the_place_of_a_call_is_read_from_a_prompt() -> None:
    call = '[GL("oslo", "all stops", "all lines")]'
    kept = Prompt("The tram of Oslo.", f"The tram of {call} Oslo.", "a")
    changed = Prompt("The tram of Oslo.", f"The old tram of {call} Oslo.", "a")
    behind = Prompt("The tram of Oslo.", f"The tram of Oslo. {call}", "a")
    assert [each.place for each in loading_examples([kept, changed, behind])] == [3, -1, -1]


def test_what_is_at_hand_is_no_graph_to_load() -> None:
    annotator = open_offline_annotator()
    for text in ("This molecule smells of vanilla, said the chemist.", "This graph looks upside down to me."):
        assert annotator.annotate(text) == text


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("are @ann and @bo in the same twitter community", "kmeans:common_community_check"),
        ("The thing whose relation _has_part is wheel.n.01 in WordNet is [TBR].", "transe:head_entity"),
    ],
)
def test_forms_that_ask_without_a_mark(text: str, call: str) -> None:
    assert call in open_offline_annotator().annotate(text)


@pytest.mark.parametrize(
    "text",
    [
        "Which two communities on Foursquare overlap the most?",
        "Translate the topic of cora paper 35 into French.",
    ],
)
def test_what_no_function_does_gets_no_call(text: str) -> None:
    with contextlib.suppress(DeclinedError):
        assert open_offline_annotator().annotate(text) == text
