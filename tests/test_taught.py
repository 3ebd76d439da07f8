"""The annotator that prompts about a graph of one's own teach: from prompts to texts with calls, on the command line too."""

import random
import shutil
from pathlib import Path

import pytest
from tests.command_line import CommandLine

from graphtalk.core import UsageError
from graphtalk.graphs import builtin
from graphtalk.reasoners.toolformer.annotator import DeclinedError
from graphtalk.reasoners.toolformer.statement import read_statement
from graphtalk.reasoners.toolformer.taught import open_taught
from graphtalk.reasoners.toolformer.taught.annotator import FILE, WEIGHTS, TaughtAnnotator, load_taught
from graphtalk.reasoners.toolformer.taught.forms import taken_apart
from graphtalk.reasoners.toolformer.taught.lexicon import Lexicon
from graphtalk.tools.registry import default_registry
from graphtalk.training.annotator_lm.prompts import Pair
from graphtalk.training.prompt_sets.generate import Prompt, prompts
from graphtalk.training.prompt_sets.sources import instances
from graphtalk.training.prompt_sets.templates import family
from graphtalk.training.taught import about_own_graphs, teach

REGISTRY = default_registry()


def of_atlas(seed: int, each: int) -> list[Prompt]:
    atlas, found = builtin.load("atlas"), []
    for name in ("stored", "property"):
        source = instances(name, "atlas", atlas, random.Random(f"{seed} {name}"))
        found += list(prompts(family(name), source, each, seed, f"atlas-{name}-{seed}"))
    return found


@pytest.fixture(scope="module")
def taught() -> TaughtAnnotator:
    return teach([Pair(p.input, p.output) for p in of_atlas(0, 300)], REGISTRY, lent=10)


def calls(text: str) -> list[object]:
    return [(placed.call, placed.inserts) for placed in read_statement(text, REGISTRY.vocabulary).calls]


@pytest.mark.parametrize(
    "call",
    [
        'GR(GL("atlas"), "toolx:shortest_path", "node#Lae", "node#Ulan Bator")',
        'GR(GL("gpr", {"bull_graph"}), "toolx:order")',
        'GR(GL("m"), "graph:feature", GR(GL("m"), "graph:retrieve", "a # b", "city"), "area")',
        'GR(GL("movielens"), "bpr:topk_recommendation", user#u12, 3)',
    ],
)
def test_a_call_comes_back_from_its_form(call: str) -> None:
    (placed,) = read_statement(f"[{call}-->r]", REGISTRY.vocabulary).calls
    form, arguments = taken_apart(placed.call, REGISTRY)
    assert form.filled([argument.value for argument in arguments]) == call
    assert len(arguments) == len({*arguments}) == len(form.kinds)


def test_mentions_are_found_in_quotes_behind_a_hash_and_by_name() -> None:
    names = {"data": ("atlas",), "node": ("Lae", "New York City"), "type": ("city",), "feature": ("area",)}
    reading = Lexicon(names).read(
        'In Atlas, is #[TBR] the area of city new york city, "Ob" or node #Rio Bravo?'
    )
    found = [(mention.mask, mention.value, mention.marked) for mention in reading.mentions]
    assert found == [
        ("<data>", "atlas", True),
        ("<slot>", "", False),
        ("<feature>", "area", False),
        ("<type>", "city", False),
        ("<node>", "New York City", False),
        ("<node>", "Ob", True),
        ("<node>", "Rio Bravo", True),
    ]


def test_texts_about_other_nodes_get_the_right_calls(taught: TaughtAnnotator) -> None:
    unseen, right = of_atlas(1, 60), 0
    for prompt in unseen:
        try:
            right += calls(taught.annotate(prompt.input)) == calls(prompt.output)
        except DeclinedError:
            continue
    assert right / len(unseen) > 0.85, right


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ('I wonder what the population of "Lae" is, going by atlas: [TBR].', "graph:feature"),
        ("Would you tell me how many nodes atlas has?", "toolx:order"),
        ("How many steps is it in atlas between node #Lae and node #Xanadu?", "toolx:shortest_path"),
    ],
)
def test_wordings_that_no_prompt_had_get_a_call(taught: TaughtAnnotator, text: str, call: str) -> None:
    assert f'"{call}"' in taught.annotate(text)


def test_what_is_not_about_the_graph_is_left_alone_and_what_no_call_gives_is_declined(
    taught: TaughtAnnotator,
) -> None:
    for text in ("The capital of France is [TBR].", "I bought an atlas.", "In atlas [TBR] and [TBR]."):
        assert taught.annotate(text) == text
    for text in (
        'Is "Lae", "Ob", "Nile" or "Rome" the center of atlas?',
        'Does "Paris" have more population than "London" in atlas?',
    ):
        with pytest.raises(DeclinedError):
            taught.annotate(text)


def test_it_is_read_back_as_it_was_written(taught: TaughtAnnotator, tmp_path: Path) -> None:
    taught.save(tmp_path)
    again = load_taught(tmp_path)
    for prompt in of_atlas(2, 10):
        assert again.annotate(prompt.input) == taught.annotate(prompt.input)
    assert "toolx:diameter" in open_taught(tmp_path).annotate("The bull graph has a diameter of [TBR].")
    (tmp_path / FILE).write_text("{}")
    with pytest.raises(UsageError, match="no annotator that can be read"):
        open_taught(tmp_path)
    (tmp_path / FILE).unlink()
    with pytest.raises(UsageError, match="was cut off"):
        open_taught(tmp_path)


def test_prompts_about_own_graphs_are_told_from_those_of_the_hub() -> None:
    own = Pair("a", 'It is [GR(GL("mine"), "toolx:order")-->r].')
    known = Pair("b", 'It is [GR(GL("cora"), "toolx:order")-->r].')
    loading = Pair("c", 'The [GL("berlin-roads", "all nodes", "all links")] roads.')
    assert about_own_graphs([own, known, loading]) == {own}
    with pytest.raises(UsageError, match="nothing to learn"):
        teach([Pair("a", "b")], REGISTRY)


# the command line


@pytest.mark.slow
def test_from_a_graph_of_ones_own_to_texts_that_are_filled_in(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cli = CommandLine(monkeypatch, capsys)
    rows = [f"n{place},town,Town {place}x,{1000 + place}" for place in range(60)]
    (tmp_path / "isle.csv").write_text("\n".join(["id,type,name,people", *rows]) + "\n")
    edges = [f"n{place},n{(place * 7 + 1) % 60},road" for place in range(60)]
    (tmp_path / "isle-edges.csv").write_text("\n".join(["source,target,type", *edges]) + "\n")
    store = tmp_path / "isle.gt"
    assert cli("import", tmp_path / "isle.csv", tmp_path / "isle-edges.csv", "-o", store).code == 0
    made, kept, out = tmp_path / "1.jsonl", tmp_path / "2.jsonl", tmp_path / "annotator"
    assert (
        cli("prompts", "generate", store, "--out", made, "--count", "500", "--families", "stored").code == 0
    )
    assert cli("prompts", "filter", made, "--out", kept, "--graph", store).code == 0
    assert cli("prompts", "split", kept, "--out", tmp_path / "set").code == 0
    done = cli("train", "annotator", "--base", "offline", "--data", tmp_path / "set", "--out", out, "--json")
    assert (done.code, done.json["lm"], done.json["of own graphs"]) == (0, f"trained:{out}", 340), done.err
    assert {Path(file).name for file in done.json["files"]} == {FILE, WEIGHTS}
    question = 'What is the people of the town "Town 8x" in isle?'
    said = cli("annotate", question, "--lm", f"trained:{out}")
    assert '"graph:retrieve", "Town 8x", "town"), "people")-->r]' in said.out, said.err
    filled = cli("complete", question, "--lm", f"trained:{out}", "--graph", store)
    assert filled.code == 0 and "1008" in filled.out, filled.err
    refused = cli("ask", "atlas", "Who?", "--lm", f"trained:{out}", "--reasoner", "g-retriever")
    assert refused.code == 2 and "was trained to annotate texts" in refused.err
    # JSON lines teach too
    shutil.rmtree(out)
    few = tmp_path / "few.jsonl"
    few.write_text("".join(kept.read_text().splitlines(keepends=True)[:40]))
    again = cli("train", "annotator", "--base", "offline", "--data", few, "--out", out, "--json")
    assert (again.code, again.json["prompts"]) == (0, 40), again.err
