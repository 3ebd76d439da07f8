"""Prompt sets: the grammar, the templates, instances, and the stages up to the split (section 4.4)."""

import json
import random
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from tests.command_line import CommandLine

from graphtalk.benchmarks.toolformer.records import read_records
from graphtalk.core import CallError, UsageError
from graphtalk.graphs import builtin
from graphtalk.lms.scripted import Line, ScriptedLM
from graphtalk.reasoners.toolformer.statement import SLOT, read_statement
from graphtalk.tools.executor import Executor
from graphtalk.tools.registry import default_registry
from graphtalk.training.prompt_sets import stages
from graphtalk.training.prompt_sets.files import read_prompts, to_line
from graphtalk.training.prompt_sets.generate import Prompt, prompts, worded
from graphtalk.training.prompt_sets.grammar import count, drawn, filled, words_drawn
from graphtalk.training.prompt_sets.instances import Instance, invented
from graphtalk.training.prompt_sets.sources import instances
from graphtalk.training.prompt_sets.templates import KEPT, families, family

VOCABULARY = default_registry().vocabulary


def made(name: str, many: int, seed: int = 0) -> list[Prompt]:
    return list(prompts(family(name), invented(name, random.Random(seed)), many, seed))


def of_gpr(many: int) -> list[Prompt]:
    source = instances("property", "gpr", builtin.load("gpr"), random.Random(1))
    return list(prompts(family("property"), source, many, 1, "gpr"))


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor(builtin.load("gpr"))


# grammar


def test_alternatives_are_drawn_and_counted() -> None:
    wording = "(In all|Altogether|), {whole} (has|(holds|keeps)) 5 (nodes)."
    found = {drawn(wording, random.Random(seed)) for seed in range(100)}
    assert len(found) == 9
    assert "Altogether, {whole} keeps 5 (nodes)." in found
    assert count("(a|b) and (c|d|e)") == 6
    assert count("f(x)") == 1


def test_slots_are_filled_once() -> None:
    assert filled("{a} and {b}", {"a": "{b}", "b": "x"}) == "{b} and x"
    with pytest.raises(KeyError):
        filled("{c}", {})


def test_words_may_hold_values_and_words_before() -> None:
    words = {"net": ["network"], "where": ["the {data} {net}"], "never": ["{nothing}"]}
    chosen = words_drawn(words, {"data": "cora"}, random.Random(0))
    assert chosen["where"] == "the cora network"
    assert "never" not in chosen


# templates


@pytest.mark.parametrize("name", families())
def test_every_wording_of_every_task_makes_a_prompt_that_parses(name: str) -> None:
    templates = family(name)
    instance = next(invented(name, random.Random(3)))
    for task in templates.tasks:
        assert templates.needed(task) <= instance.slots.keys(), task.call
        assert len(task.wordings) == len(set(task.wordings))
        for place in range(len(task.wordings)):
            prompt = worded(templates, task, place, instance, random.Random(place), "x")
            assert "{" not in prompt.input
            assert not KEPT.search(prompt.input)
            calls = read_statement(prompt.output, VOCABULARY).calls
            assert calls
            assert SLOT not in prompt.output
            if SLOT in prompt.input:
                assert sum(placed.inserts for placed in calls) == 1


def test_the_text_of_a_statement_is_its_input_with_the_calls_put_in() -> None:
    for name in families():
        for prompt in made(name, 60):
            if SLOT not in prompt.input:
                continue
            plain = re.sub(r" ?\[G[RL]\((?:(?!-->r\]|\]).)*\)\]", "", prompt.output)
            plain = re.sub(r"\[GR\(.*?\)-->r\]", SLOT, plain)
            assert plain == prompt.input


def test_generation_is_the_same_for_the_same_seed_and_repeats_no_input() -> None:
    first, again, other = made("knowledge", 200), made("knowledge", 200), made("knowledge", 200, 1)
    assert first == again != other
    assert len({prompt.input for prompt in first}) == 200


def test_what_runs_out_gives_fewer_prompts() -> None:
    few = [Instance({"data": "mutag", "instance": "1"})] * 50
    assert 1 < len(list(prompts(family("molecular"), few, 1000, 0))) <= 50


# instances of graphs


def test_instances_of_a_store_have_what_is_asked_about() -> None:
    atlas = builtin.load("atlas")
    found = list(islice(instances("stored", "atlas", atlas, random.Random(0)), 50))
    assert all({"type", "node"} <= each.slots.keys() for each in found)
    kinds = {t.name for t in atlas.schema.node_types}  # type: ignore[union-attr]
    assert {each.slots["type"] for each in found} <= kinds


def test_a_graph_that_does_not_fit_a_family_is_refused() -> None:
    with pytest.raises(UsageError, match="need a set of them"):
        next(instances("molecular", "atlas", builtin.load("atlas"), random.Random(0)))
    with pytest.raises(UsageError, match="about one graph"):
        next(instances("bibliographic", "gpr", builtin.load("gpr"), random.Random(0)))
    with pytest.raises(UsageError, match="No family"):
        family("poetry")


# stages


def test_rephrasing_keeps_the_instance_and_changes_the_wording() -> None:
    for prompt in of_gpr(40):
        (again,) = stages.each(prompt, 1, stages.rephrased)
        assert again.wording != prompt.wording
        assert again.slots == prompt.slots
        ours, theirs = (read_statement(p.output, VOCABULARY).calls for p in (prompt, again))
        assert [c.call for c in ours if c.inserts] == [c.call for c in theirs if c.inserts]


def test_a_models_rephrasing_must_keep_every_name() -> None:
    prompt = next(p for p in made("bibliographic", 20) if SLOT in p.input)
    paper = prompt.slots["paper"]
    good = f"Number {paper} of {prompt.slots['data']} treats {SLOT}."
    said = stages.LmRephrase(ScriptedLM([Line(good)]))(prompt, 0)
    assert (said.input, said.output, said.wording) == (good, "", -1)
    with pytest.raises(CallError, match="has lost"):
        stages.LmRephrase(ScriptedLM([Line(f"It treats {SLOT}.")]))(prompt, 0)


def test_filtering_keeps_what_runs_with_its_results(executor: Executor) -> None:
    for prompt in of_gpr(30):
        results = stages.kept(prompt, executor).results
        assert len(results) == len(read_statement(prompt.output, VOCABULARY).calls)


@pytest.mark.parametrize(
    ("output", "truth", "why"),
    [
        ('[GR(GL("gpr", {"no_graph"}), "toolx:order")-->r]', None, "no_graph"),
        ('[GR(GL("gpr", {"bull_graph"}), "toolx:colour")-->r]', None, "colour"),
        ('[GR(GL("gpr", {"bull_graph"', None, "end of the text"),
        ("nothing", None, "no call"),
        ('[GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r]', ["6"], "not true"),
    ],
)
def test_filtering_rejects_what_does_not_run_or_is_not_true(
    output: str, truth: list[str] | None, why: str, executor: Executor
) -> None:
    prompt = replace(of_gpr(1)[0], output=output, truth=truth)  # type: ignore[arg-type]
    with pytest.raises(CallError, match=why):
        stages.kept(prompt, executor)


def test_what_is_known_to_be_true_is_kept(executor: Executor) -> None:
    output = '[GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r]'
    assert stages.kept(replace(of_gpr(1)[0], output=output, truth=["4", "5"]), executor).results == ("5",)


@pytest.mark.parametrize(("many", "train", "test"), [(2000, 1600, 160), (1000, 840, 160), (100, 50, 50)])
def test_the_split_is_the_papers(many: int, train: int, test: int) -> None:
    found = [Prompt(str(n), "property", "order", 0, f"text {n}", "out") for n in range(many)]
    ours, held = stages.split(found, 0)
    assert (len(ours), len(held)) == (train, test)
    assert not {p.id for p in ours} & {p.id for p in held}
    assert stages.split(found, 0) == (ours, held) != stages.split(found, 1)


def test_prompts_come_back_from_their_file(tmp_path: Path) -> None:
    file = tmp_path / "prompts.jsonl"
    found = made("recommender", 20)
    file.write_text("".join(json.dumps({"id": p.id, **to_line(p)}) + "\n" for p in found))
    assert list(read_prompts(file)) == found
    file.write_text('{"id": "x"}\n')
    with pytest.raises(UsageError, match=r"prompts\.jsonl:1"):
        list(read_prompts(file))


# the command line


@pytest.fixture
def graphtalk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_the_stages_one_after_the_other(graphtalk: CommandLine, tmp_path: Path) -> None:
    one, two, three, four = (tmp_path / f"{n}.jsonl" for n in range(4))
    assert graphtalk("prompts", "generate", "gpr", "--out", one, "--count", "60").code == 0
    assert graphtalk("prompts", "rephrase", one, "--out", two, "--times", "1").code == 0
    assert graphtalk("prompts", "annotate", two, "--out", three).code == 0
    assert graphtalk("prompts", "filter", three, "--out", four).code == 0
    assert 100 <= len(list(read_prompts(four))) <= 120
    told = graphtalk("prompts", "split", four, "--out", tmp_path / "set", "--json").json
    assert told["train"] + told["test"] == told["prompts"]
    found = read_records(tmp_path / "set" / "prompts_test")
    assert not found.complaints
    assert len(found.asked) == told["test"]
    assert all(asked.gold.names for asked in found.asked)


def test_a_stage_is_taken_up_again(graphtalk: CommandLine, tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    graphtalk("prompts", "generate", "gpr", "--out", one, "--count", "30")
    whole = one.read_text()
    one.write_text("".join(whole.splitlines(keepends=True)[:10]) + '{"id": "torn')
    done = graphtalk("prompts", "generate", "gpr", "--out", one, "--count", "30")
    assert "20 prompts, 10 kept from before" in done.err
    assert one.read_text() == whole
    graphtalk("prompts", "filter", one, "--out", two)
    assert "0 prompts, 30 kept from before" in graphtalk("prompts", "filter", one, "--out", two).err


def test_rejected_prompts_are_kept_apart_with_their_reasons(graphtalk: CommandLine, tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    graphtalk("prompts", "generate", "gpr", "--out", one, "--count", "5")
    rows = [json.loads(line) for line in one.read_text().splitlines()]
    rows[0]["truth"] = ["never"]
    one.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = graphtalk("prompts", "filter", one, "--out", two)
    assert "4 prompts, 1 rejected" in done.err
    (rejected,) = [
        json.loads(line) for line in (tmp_path / "2.jsonl.rejected.jsonl").read_text().splitlines()
    ]
    assert rejected["id"] == rows[0]["id"]
    assert "not true" in rejected["reason"]


def test_prompts_about_a_graph_of_ones_own_run(graphtalk: CommandLine, tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    assert graphtalk("prompts", "generate", "atlas", "--out", one, "--count", "40").code == 0
    assert graphtalk("prompts", "filter", one, "--out", two, "--graph", "atlas").code == 0
    kept = list(read_prompts(two))
    assert len(kept) >= 36
    assert {prompt.family for prompt in kept} == {"property", "stored"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["generate", "no-such-graph", "--out", "x.jsonl"], "No graph"),
        (["generate", "gpr", "--out", "x.jsonl", "--families", "poetry"], "poetry"),
        (["filter", "missing.jsonl", "--out", "x.jsonl"], "Cannot read the prompts"),
        (["filter", "x.jsonl", "--out", "x.jsonl"], "cannot write the file that it reads"),
    ],
)
def test_wrong_usage_is_one_message(
    graphtalk: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = graphtalk("prompts", *words)
    assert done.code == 2
    assert said in done.err


def test_families_are_listed(graphtalk: CommandLine) -> None:
    assert "bibliographic" in graphtalk("prompts", "families").out
