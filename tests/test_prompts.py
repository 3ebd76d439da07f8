"""Prompt sets: the grammar, the templates, instances, and the stages up to the split (section 4.4)."""

import json
import random
import re
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from tests.command_line import CommandLine

from graphtalk.benchmarks.toolformer.records import read_records
from graphtalk.calls.ast import Call
from graphtalk.core import CallError, UsageError
from graphtalk.graphs import EdgeTable, NodeTable, build, builtin
from graphtalk.lms.scripted import Line, ScriptedLM
from graphtalk.reasoners.toolformer.statement import SLOT, read_statement
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.registry import default_registry
from graphtalk.training.prompt_sets import stages
from graphtalk.training.prompt_sets.files import count_lines, read_prompts, to_line
from graphtalk.training.prompt_sets.generate import Prompt, prompts, worded
from graphtalk.training.prompt_sets.grammar import count, drawn, filled, words_drawn
from graphtalk.training.prompt_sets.instances import Instance, invented
from graphtalk.training.prompt_sets.running import Runner, _calls_alone
from graphtalk.training.prompt_sets.sources import instances
from graphtalk.training.prompt_sets.templates import KEPT, families, family

VOCABULARY = default_registry().vocabulary


def made(name: str, many: int, seed: int = 0) -> list[Prompt]:
    return list(prompts(family(name), invented(name, random.Random(seed)), many, seed))


def of_gpr(many: int) -> list[Prompt]:
    source = instances("property", "gpr", builtin.load("gpr"), random.Random(1))
    return list(prompts(family("property"), source, many, 1, "gpr"))


@pytest.fixture(scope="module")
def runner() -> Runner:
    return Runner(Executor(builtin.load("gpr")))


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


@pytest.mark.parametrize("name", sorted({*families()} - {"stored"}))
def test_a_family_has_hundreds_of_wordings(name: str) -> None:
    """Texts that differ in more than what they mention."""
    needed = {task.call: family(name).needed(task) for task in family(name).tasks}

    def wording(prompt: Prompt) -> str:
        values = {prompt.slots[slot] for slot in needed[prompt.task]}
        mentioned = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
        return re.sub(rf"(?<!\w)(?:{mentioned})(?!\w)", "_", prompt.input)

    assert len({wording(prompt) for prompt in made(name, 1200)}) >= 200


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


def test_what_is_true_of_a_fact_has_all_that_fit() -> None:
    people = NodeTable("person", pa.table({"id": ["Ann", "Bob", "Cid"]}))
    edges = [
        EdgeTable("knows", "person", "person", np.array([0, 0]), np.array([1, 2])),
        EdgeTable("likes", "person", "person", np.array([0]), np.array([1])),
    ]
    graph = build([people], edges, "wordnet")
    for each in islice(instances("knowledge", "wordnet", graph, random.Random(0)), 30):
        tail, relation = each.slots["tail"], each.slots["relation"]
        assert each.truth("relation") == (["knows", "likes"] if tail == "Bob" else ["knows"])
        assert each.truth("tail") == (["Bob", "Cid"] if relation == "knows" else ["Bob"])
        assert each.truth("head") == ["Ann"]


# stages


def test_rephrasing_keeps_the_instance_and_changes_the_wording() -> None:
    for prompt in of_gpr(40):
        again, itself = stages.each(prompt, 1, stages.rephrased)
        assert isinstance(again, Prompt) and itself == prompt
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
    lossy = stages.LmRephrase(ScriptedLM([Line(f"It treats {SLOT}.")]))
    rejected, itself = stages.each(prompt, 1, lossy)
    assert isinstance(rejected, stages.Rejected) and "has lost" in rejected.reason
    assert itself == prompt != rejected.prompt


def test_filtering_keeps_what_runs_with_its_results(runner: Runner) -> None:
    for prompt in of_gpr(30):
        results = runner.kept(prompt).results
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
    output: str, truth: list[str] | None, why: str, runner: Runner
) -> None:
    prompt = replace(of_gpr(1)[0], output=output, truth=truth)  # type: ignore[arg-type]
    with pytest.raises(CallError, match=why):
        runner.kept(prompt)


def test_what_is_known_to_be_true_is_kept(runner: Runner) -> None:
    output = '[GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r]'
    assert runner.kept(replace(of_gpr(1)[0], output=output, truth=["4", "5"])).results == ("5",)


def test_equal_calls_are_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = []
    run = Executor.run

    def noted(self: Executor, call: Call) -> Result:
        ran.append(call)
        return run(self, call)

    monkeypatch.setattr(Executor, "run", noted)
    runner, call = Runner(Executor(builtin.load("gpr"))), '[GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r]'
    texts = [
        f"It has {call} nodes.",
        f"{call} is its order.",
        f"It has {call} [?] nodes.",
        f"{call} and {call}",
    ]
    given = [runner.outcome(text).results for text in [*texts, *texts]]
    assert given == [("5",), ("5",), ("5",), ("5", "5")] * 2
    assert (
        len(ran) == 1 + 2 + 2
    )  # brackets that are no calls cannot be told apart, so that text runs each time


@pytest.mark.parametrize(
    "call",
    [
        '[GR(GL("gpr", {"bull_graph"}), "graph:retrieve", "a ] \\" [GR(")-->r]',
        '[GL("gpr", {"bull_graph"})-->G] is [GR(G, "toolx:order")-->r]',
        "[GR(GL(gpr, {bull_graph}), toolx:order)-->r, GR(GL(gpr, {bull_graph}), toolx:size)-->r]",
    ],
)
def test_places_are_told_apart_from_words(call: str, runner: Runner) -> None:
    alone = _calls_alone(f"It says {call} here.")
    if alone is not None:
        whole = read_statement(f"It says {call} here.", VOCABULARY)
        assert [p.call for p in read_statement(alone, VOCABULARY).calls] == [p.call for p in whole.calls]
    assert runner.outcome(f"It says {call} here.") == runner._run(f"It says {call} here.")


@pytest.mark.parametrize(("many", "train", "test"), [(2000, 1600, 160), (1000, 840, 160), (100, 50, 50)])
def test_the_split_is_the_papers(many: int, train: int, test: int) -> None:
    found = [str(n) for n in range(many)]
    ours, held = stages.split(found, 0)
    assert (len(ours), len(held)) == (train, test)
    assert not {*ours} & {*held}
    assert stages.split(found[::-1], 0) == (ours, held) != stages.split(found, 1)


def test_prompts_come_back_from_their_file(tmp_path: Path) -> None:
    file = tmp_path / "prompts.jsonl"
    found = [replace(prompt, input=f"{prompt.input}\u2028\x85") for prompt in made("recommender", 20)]
    file.write_text("".join(json.dumps({"id": p.id, **to_line(p)}, ensure_ascii=False) + "\n" for p in found))
    assert count_lines(file) == len(found)
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


def test_a_killed_rephrasing_loses_nothing(graphtalk: CommandLine, tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    graphtalk("prompts", "generate", "gpr", "--out", one, "--count", "12")
    graphtalk("prompts", "rephrase", one, "--out", two)
    whole = two.read_text().splitlines(keepends=True)
    for kept in range(0, len(whole), 5):
        two.write_text("".join(whole[:kept]))
        assert graphtalk("prompts", "rephrase", one, "--out", two).code == 0
        assert two.read_text() == "".join(whole)


def test_a_text_is_in_one_part_of_a_split_only(graphtalk: CommandLine, tmp_path: Path) -> None:
    one = tmp_path / "1.jsonl"
    graphtalk("prompts", "generate", "gpr", "--out", one, "--count", "20")
    rows = [json.loads(line) for line in one.read_text().splitlines()]
    again = [{**row, "id": f"{row['id']}-again"} for row in rows]
    one.write_text("".join(json.dumps(row) + "\n" for row in rows + again))
    assert graphtalk("prompts", "split", one, "--out", tmp_path / "set", "--json").json["prompts"] == 20


def test_rejected_prompts_are_kept_apart_with_their_reasons(graphtalk: CommandLine, tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    graphtalk("prompts", "generate", "gpr", "--out", one, "--count", "5")
    rows = [json.loads(line) for line in one.read_text().splitlines()]
    rows[0]["truth"] = ["never"]
    one.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = graphtalk("prompts", "filter", one, "--out", two)
    assert "4 prompts, 1 rejected" in done.err
    assert "1 x It gives …, which is not true." in done.err
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
