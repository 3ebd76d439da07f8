"""Learning the offline annotator: the grammar, examples out of prompts, rewritings, the classifier."""

from pathlib import Path

import numpy as np
import pytest

from graphtalk.core import SourceError, UsageError
from graphtalk.reasoners.toolformer.offline.candidates import sentence_of
from graphtalk.reasoners.toolformer.offline.catalogue import shipped_catalogue
from graphtalk.reasoners.toolformer.offline.features import segment
from graphtalk.reasoners.toolformer.offline.memory import memory_of
from graphtalk.reasoners.toolformer.offline.mentions import read
from graphtalk.reasoners.toolformer.offline.model import load_classifier
from graphtalk.reasoners.toolformer.offline.rewriting import load_rewriter
from graphtalk.reasoners.toolformer.offline.writing import write
from graphtalk.training.annotator.examples import examples, read_prompts
from graphtalk.training.annotator.fit import FitSettings, design, fit
from graphtalk.training.annotator.grammar import sentences
from graphtalk.training.annotator.loading import Loading, learn_loader, loading_examples
from graphtalk.training.annotator.make import make_annotator
from graphtalk.training.annotator.measure_loading import MISTAKES, agreement, mistake
from graphtalk.training.annotator.rewritings import learn_rewriter

PROMPTS = """\
Input: Tell of the girth of the bull graph, please: [TBR]. Output: Tell of the girth of the bull graph, please: \
[GR(GL("gpr", {"bull_graph"}), "toolx:radius")-->r]. Reasoning Result: 2.
Input: From node #4, how far to node #2 in the star graph? Output: In the star graph, node #2 is \
[GR(GL("gpr", {"star_graph"}), "toolx:shortest_path", "node#4", "node#2")-->r] away. Reasoning Result: 2.
"""


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    file = tmp_path / "some" / "prompts_train"
    file.parent.mkdir()
    file.write_text(PROMPTS, encoding="utf-8")
    return file


RATED = {each.rated for each in shipped_catalogue().data}  # chosen by a word, not learnt


def test_the_grammar_gives_the_same_sentences_for_a_seed() -> None:
    first, again = list(sentences(20, seed=1)), list(sentences(20, seed=1))
    assert first == again
    assert first != list(sentences(20, seed=2))
    assert {function for _, function in first} >= set(shipped_catalogue().takes) - RATED | {"other"}
    assert not [shape for shape, _ in first if any(mark in mask for mask in shape for mark in "{}|$")]


def test_rewritings_carry_over_to_other_mentions(prompts: Path) -> None:
    catalogue = shipped_catalogue()
    rewriter = learn_rewriter(examples(read_prompts(prompts), catalogue), catalogue)
    reading = read("From node #0, how far to node #9 in the path graph?", catalogue)
    pieces = load_rewriter(rewriter.dump()).find(reading)
    assert pieces is not None
    assert write(pieces, reading, catalogue) == (
        'In the path graph, node #9 is [GR(GL("gpr", {"path_graph"}), "toolx:shortest_path", "node#0", "node#9")-->r] away.'
    )
    assert rewriter.find(read("From node #0, how near to node #9 in the path graph?", catalogue)) is None


def test_a_slot_of_several_is_told_by_its_own_clause() -> None:
    shape = tuple("the <graph> has a radius of <slot> , which makes its diameter <slot> .".split())
    assert segment(shape, 6) == shape[:8]
    assert segment(shape, 12) == shape[8:]
    assert segment(shape[:8], 6) == shape[:8]


def test_what_has_no_weight_is_not_learnt(tmp_path: Path) -> None:
    shapes = [("red",), ("blue",), ("green", "tea")]
    numbers = design(shapes, ["warm", "cold", "tea"])
    learnt = fit(numbers, np.array([1.0, 1.0, 0.0]), FitSettings(steps=30))
    assert max(learnt.scores(("red",)).items(), key=lambda each: each[1])[0] == "warm"
    assert min(learnt.scores(("green", "tea")).items(), key=lambda each: each[1])[0] == "tea"
    learnt.save(tmp_path / "weights.npz")
    again = load_classifier(tmp_path / "weights.npz").scores(("blue",))
    assert again == pytest.approx(learnt.scores(("blue",)), abs=0.01)


def test_loading_calls_are_learnt_from_prompts(tmp_path: Path) -> None:
    towns = ["Rome", "Oslo", "Lima", "Cairo"]
    lines = [
        f'Input: The tram network of {town} has stops. Output: The [GL("{town.lower()}-tram-network", "all stop nodes", '
        f'"all tram links")] tram network of {town} has stops.'
        for town in towns
    ]
    file = tmp_path / "prompts_train"
    file.write_text("\n".join(lines), encoding="utf-8")
    loader = learn_loader(loading_examples(read_prompts(file)))
    assert loader.annotate("The tram network of Delhi has stops.") == (
        'The [GL("delhi-tram-network", "all stop nodes", "all tram links")] tram network of Delhi has stops.'
    )
    assert loader.annotate("The soup was cold.") == "The soup was cold."


def test_what_is_wrong_with_a_part_is_told_apart() -> None:
    text = "The tram network of Oslo has stops."
    mistakes = [
        mistake(text, wanted, '"oslo-tram-network"')
        for wanted in ('"oslo-metro-network"', '"oslo-tram-graph"', '"oslo-stops"')
    ]
    assert mistakes == list(MISTAKES)


def test_near_sentences_vote_and_a_sentence_has_no_vote_on_itself() -> None:
    vectors = np.eye(4, dtype=np.float32)[[0, 0, 1]]
    memory = memory_of(vectors, [("all Stops", ""), ("all lines", ""), ("all genes", "")])
    seen = memory.votes(vectors[0])
    assert seen.share("allstops") == seen.share("all lines") > seen.share("all genes")
    assert seen.share("all dogs") == seen.share("") == 0
    alone = memory.votes(vectors[0], but=0)
    assert alone.share("all stops") == 0 < alone.share("all lines")


def test_agreement_counts_the_parts_that_are_equal() -> None:
    def shown(name: str, nodes: str, links: str) -> Loading:
        return Loading("x", sentence_of("x"), name, nodes, links, -1)

    examples = [shown("a", "all n", "all l"), shown("b", "ALL N", "all l"), shown("a", "all n", "all l")]
    found = agreement(examples, np.eye(2, dtype=np.float32)[[0, 0, 1]])
    assert found.pairs == 1
    assert found.shares == {"name": 0.0, "nodes": 1.0, "links": 1.0, "pair": 1.0, "whole": 0.0}


def test_bad_files_are_named(tmp_path: Path) -> None:
    file = tmp_path / "prompts_train"
    file.write_text("Input: a Output: b\nnothing of the kind\n", encoding="utf-8")
    with pytest.raises(SourceError, match="line 2"):
        read_prompts(file)
    with pytest.raises(UsageError, match="No files of prompts"):
        make_annotator([], tmp_path)
