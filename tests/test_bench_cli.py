"""`graphtalk bench` from the command line, without a model: run, take up, report, replay, and what is refused."""

import fcntl
import json
import shutil
from pathlib import Path

import pytest

from bench_runs import TASK, Bench, records, timeless
from command_line import CommandLine


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench.make(tmp_path_factory.mktemp("bench"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Path) -> CommandLine:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(cache))
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def done(cli: CommandLine, bench: Bench, cache: Path, tmp_path: Path) -> Path:
    """A finished run of the first eight questions: run once, and a copy for each test."""
    first = cache / "finished"
    if not first.exists():
        assert cli(*bench.words(first, "--limit", 8)).code == 0
    return Path(shutil.copytree(first, tmp_path / "run"))


def test_problems_in_words_need_no_graph(cli: CommandLine, tmp_path: Path) -> None:
    file, out = tmp_path / "problems.jsonl", tmp_path / "words"
    assert cli("bench", "generate", "graphinstruct-cycle", "--per-template", 6, "--out", file).code == 0
    done = cli("bench", "run", "graphinstruct-cycle", "--data", file, "--out", out, "--json")
    assert (done.code, done.json["asked"]) == (0, 6)
    assert done.json["runs"][0]["all"]["scores"]["correct"] == 1.0
    assert cli("bench", "replay", out).code == 0
    both = cli(
        "bench", "run", "graphinstruct-cycle", "--data", file, "--questions", file, "--out", tmp_path / "x"
    )
    assert both.code == 2 and "not both" in both.err


def test_problems_that_a_model_solves_are_recorded_with_their_usage(cli: CommandLine, tmp_path: Path) -> None:
    script, out = tmp_path / "script.jsonl", tmp_path / "model"
    script.write_text('{"text": "I will not.", "repeat": true}\n', encoding="utf-8")
    words = ("bench", "run", "graphinstruct-cycle", "--generate", "--count", 2, "--workers", 2, "--out", out)
    done = cli(*words, "--lm", f"scripted:{script}", "--max-steps", 2, "--json")
    assert done.json["runs"][0]["all"]["lm_calls"] > 0
    assert done.json["runs"][0]["settings"]["reasoner"] == "graph-agents"
    assert (out / "recording.sqlite").exists()
    script.unlink()
    assert "give the same again" in cli("bench", "replay", out).err


def test_problems_are_made_at_any_size(cli: CommandLine, tmp_path: Path) -> None:
    words = ("bench", "run", "graphinstruct-connectivity", "--generate", "--count", 3, "--json")
    done = cli(*words, "--nodes", "30:40", "--out", tmp_path / "run")
    assert (done.code, done.json["asked"]) == (0, 3)
    for nodes, said in (("many", "A:B"), ("9:x", "A:B")):
        bad = cli(*words, "--nodes", nodes, "--out", tmp_path / "bad")
        assert bad.code == 2 and said in bad.err
    other = cli("bench", "run", TASK, "--graph", "atlas", "--nodes", "5:9", "--out", tmp_path / "bad")
    assert other.code == 2 and "no graphs of its own" in other.err


def test_questions_with_graphs_of_their_own(cli: CommandLine, tmp_path: Path) -> None:
    line = "zoos should be banned\tzoos protect animals\tcounter\t(zoos; capable of; protect animals)(protect animals; is a; good thing)"
    data = tmp_path / "dev.tsv"
    data.write_text("\n".join([line] * 10) + "\n", encoding="utf-8")
    run = ("bench", "run", "graphqa-explagraphs", "--reasoner", "g-retriever", "--out", tmp_path / "own")
    assert cli(*run, "--data", data).code == 0
    assert "accuracy" in cli("bench", "report", tmp_path / "own").out
    missing = cli("bench", "run", "graphqa-explagraphs", "--out", tmp_path / "none")
    assert missing.code == 2 and "data" in missing.err


def test_list_names_the_tasks(cli: CommandLine) -> None:
    assert TASK in cli("bench", "list").out
    listed = cli("bench", "list", "--json").json
    assert {row["name"] for row in listed} >= {TASK, "grbench-healthcare"}


def test_a_run_has_its_facts_and_a_record_of_each_question(
    cli: CommandLine, bench: Bench, done: Path
) -> None:
    asked = [json.loads(line) for line in bench.questions.read_text(encoding="utf-8").splitlines()][:8]
    facts = json.loads((done / "run.json").read_text(encoding="utf-8"))
    assert (facts["task"], facts["settings"]["reasoner"], facts["questions"]["count"]) == (TASK, "offline", 8)
    assert facts["graph"]["checksum"] and facts["versions"]["graphtalk"]
    found = records(done)
    assert [r["id"] for r in found] == [row["qid"] for row in asked]
    for record, row in zip(found, asked, strict=True):
        assert (record["question"], record["template"], record["level"]) == (
            row["question"], row["template"], row["level"],
        )  # fmt: skip
        assert record["gold"] == {"text": row["answer"], "names": row["names"]}
        assert {"answer", "value", "calls", "evidence", "usage", "seconds", "stopped", "unsupported"} <= set(
            record
        )
        assert set(record["scores"]) >= {"set_exact", "f1", "rougeL", "exact_match", "bleu"}
        assert (record["failure"] == "right") == (record["scores"]["set_exact"] == 1)
    assert any(record["failure"] == "right" for record in found)


def test_a_finished_run_asks_nothing_and_a_longer_one_asks_the_rest(
    cli: CommandLine, bench: Bench, done: Path, tmp_path: Path
) -> None:
    before = (done / "records.jsonl").read_bytes()
    again = cli(*bench.words(done, "--limit", 8))
    assert again.code == 0 and "Nothing left to ask: all 8 questions are recorded" in again.err
    assert (done / "records.jsonl").read_bytes() == before
    longer = cli(*bench.words(done, "--limit", 12, "--json"))
    assert (longer.json["asked"], longer.json["kept"], longer.json["left"]) == (4, 8, 0)
    assert (done / "records.jsonl").read_bytes().startswith(before)
    shorter = cli(*bench.words(done, "--limit", 3))
    assert shorter.code == 2 and "A run can be made longer" in shorter.err


def test_more_workers_give_the_same_records(
    cli: CommandLine, bench: Bench, done: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    assert cli(*bench.words(other, "--limit", 8, "--workers", 4)).code == 0
    assert timeless(other) == timeless(done)


def test_questions_are_made_where_none_are_given(cli: CommandLine, bench: Bench, tmp_path: Path) -> None:
    words = ("bench", "run", TASK, "--graph", bench.store, "--out", tmp_path / "run", "--per-template", 1)
    assert cli(*words, "--limit", 2).code == 0
    assert (tmp_path / "run" / "questions.jsonl").read_bytes() == bench.questions.read_bytes()
    more = cli(*words, "--limit", 3)
    assert more.code == 0 and "2 kept from before" in more.err
    other = cli(*words, "--seed", 5)
    assert other.code == 2 and "seed is 0 there, 5 here" in other.err


def test_generate_writes_questions_that_run_reads(cli: CommandLine, bench: Bench, tmp_path: Path) -> None:
    words = ("bench", "generate", TASK, "--graph", bench.store, "--per-template", 1)
    printed = cli(*words)
    assert printed.code == 0 and printed.out == bench.questions.read_text(encoding="utf-8")
    assert cli(*words, "--out", tmp_path / "q.jsonl").code == 0
    assert (tmp_path / "q.jsonl").read_text(encoding="utf-8") == printed.out
    assert cli(*words, "--per-template", 0).code == 2


# report and replay


def test_report_puts_the_papers_figures_beside_ours(cli: CommandLine, done: Path) -> None:
    shown = cli("bench", "report", done)
    assert shown.code == 0
    assert "the paper\tGraph-CoT\tGPT-3.5-turbo\t41.59\t46.25" in shown.out
    assert "\nours\toffline\toffline\t" in shown.out
    assert cli("bench", "report", done).out == shown.out
    numbers = cli("bench", "report", done, "--json").json
    assert numbers["runs"][0]["all"]["questions"] == 8
    assert len(numbers["runs"][0]["templates"]) == 8


def test_report_of_some_templates(cli: CommandLine, done: Path) -> None:
    only = cli("bench", "report", done, "--templates", "literature-00,literature-01", "--json").json
    assert set(only["runs"][0]["templates"]) == {"literature-00", "literature-01"}
    rest = cli("bench", "report", done, "--except", "literature-00", "--json").json
    assert rest["runs"][0]["all"]["questions"] == 7
    wrong = cli("bench", "report", done, "--templates", "literature-0")
    assert wrong.code == 2 and "No template 'literature-0'" in wrong.err


def test_report_draws(cli: CommandLine, done: Path, tmp_path: Path) -> None:
    assert cli("bench", "report", done, "--plots", tmp_path / "a").code == 0
    drawn = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert drawn == ["failures.png", "failures.svg", "levels.png", "levels.svg"]
    cli("bench", "report", done, "--plots", tmp_path / "b")
    for name in drawn:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_replay_gives_the_same_tables(cli: CommandLine, done: Path) -> None:
    again = cli("bench", "replay", done)
    assert again.code == 0 and "8 of 8 questions give the same again" in again.err
    assert again.out == cli("bench", "report", done).out


def test_replay_names_what_differs(cli: CommandLine, done: Path) -> None:
    lines = (done / "records.jsonl").read_text(encoding="utf-8").splitlines()
    first, second = json.loads(lines[0]), json.loads(lines[1])
    first["answer"] = "Something else."
    second["scores"]["rougeL"] = 0.123
    lines[:2] = [json.dumps(first), json.dumps(second)]
    (done / "records.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    again = cli("bench", "replay", done)
    assert again.code == 1
    assert f"{first['id']}: other answer" in again.err and f"{second['id']}: other scores" in again.err
    told = cli("bench", "replay", done, "--json").json
    assert [d["fields"] for d in told["differences"]] == [["answer"], ["scores"]]


def test_replay_without_the_graph_scores_again(
    cli: CommandLine, bench: Bench, done: Path, tmp_path: Path
) -> None:
    facts = json.loads((done / "run.json").read_text(encoding="utf-8"))
    facts["graph"]["store"] = str(tmp_path / "gone.gt")
    (done / "run.json").write_text(json.dumps(facts), encoding="utf-8")
    again = cli("bench", "replay", done)
    assert again.code == 0 and "not asked again" in again.err
    assert cli("bench", "replay", done, "--graph", bench.store).code == 0
    other = cli("bench", "replay", done, "--graph", "atlas")
    assert other.code == 2 and "is not the graph of the run" in other.err


# what is refused


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("--max-steps", 3), "max_steps is 15 there, 3 here"),
        (("--seed", 3), "seed is 0 there, 3 here"),
        (("--lm", "scripted:x", "--reasoner", "base"), "reasoner is 'offline' there, 'base' here; lm is"),
    ],
)
def test_a_run_of_other_settings_is_refused(
    cli: CommandLine, bench: Bench, done: Path, change: tuple[object, ...], told: str
) -> None:
    before = (done / "run.json").read_bytes()
    refused = cli(*bench.words(done, "--limit", 8, *change))
    assert refused.code == 2 and told in refused.err
    assert (done / "run.json").read_bytes() == before


def test_a_run_of_other_questions_is_refused(
    cli: CommandLine, bench: Bench, done: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(bench.questions.read_text(encoding="utf-8").replace("?", "??"), encoding="utf-8")
    words = [other if word == bench.questions else word for word in bench.words(done)]
    refused = cli(*words)
    assert refused.code == 2 and "or is another one there" in refused.err


def test_two_processes_do_not_share_a_run(cli: CommandLine, bench: Bench, done: Path) -> None:
    with (done / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        refused = cli(*bench.words(done, "--limit", 8))
    assert refused.code == 2 and "Another process is running" in refused.err


def test_a_torn_last_record_is_asked_again(cli: CommandLine, bench: Bench, done: Path) -> None:
    whole = timeless(done)
    file = done / "records.jsonl"
    file.write_bytes(file.read_bytes()[:-30])
    assert cli("bench", "report", done, "--json").json["runs"][0]["all"]["questions"] == 7
    assert cli(*bench.words(done, "--limit", 8)).code == 0
    assert timeless(done) == whole


def test_a_broken_line_is_named_and_the_rest_runs(cli: CommandLine, bench: Bench, tmp_path: Path) -> None:
    lines = bench.questions.read_text(encoding="utf-8").splitlines()[:3]
    broken = tmp_path / "broken.jsonl"
    broken.write_text("\n".join([lines[0], '{"qid": 3', lines[1], lines[2]]), encoding="utf-8")
    words = [broken if word == bench.questions else word for word in bench.words(tmp_path / "run")]
    ran = cli(*words)
    assert ran.code == 1 and f"{broken}:2: " in ran.err and "1 broken lines left out" in ran.err
    assert len(records(tmp_path / "run")) == 3
    broken.write_text("\n".join(lines), encoding="utf-8")
    mended = cli(*words)
    assert mended.code == 0 and "Nothing left to ask" in mended.err


def test_bad_input_ends_in_one_line(cli: CommandLine, bench: Bench, done: Path, tmp_path: Path) -> None:
    out, file = tmp_path / "new", tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    some = tmp_path / "some"
    some.mkdir()
    (some / "thesis.doc").write_text("x", encoding="utf-8")
    damaged = tmp_path / "damaged"
    shutil.copytree(done, damaged)
    (damaged / "records.jsonl").write_text('{"id": "1", "scores": {}}\n', encoding="utf-8")
    cut = tmp_path / "cut"
    shutil.copytree(done, cut)
    facts = json.loads((cut / "run.json").read_text(encoding="utf-8"))
    del facts["settings"]["lm"]
    (cut / "run.json").write_text(json.dumps(facts), encoding="utf-8")
    base = bench.words(out)
    cases: list[tuple[list[object], str]] = [
        (["bench", "run", "grbench-literatur", *base[3:]], "Did you mean grbench-literature"),
        ([*base, "--reasoner", "graph-cott"], "No reasoner 'graph-cott'"),
        ([*base, "--reasoner", "base"], "needs a language model"),
        ([*base, "--lm", "openay:x"], "No language model 'openay:x'"),
        ([*base, "--judge", "gpt"], "No language model 'gpt'"),
        ([*base, "--judge", "offline"], "leave --judge out"),
        (["bench", "run", TASK, "--out", out], "--graph is missing"),
        (["bench", "run", TASK, "--graph", bench.store], "--out is missing"),
        (["bench", "run", TASK, "--graph", tmp_path / "nowhere", "--out", out], "No graph"),
        (["bench", "run", TASK, "--graph", "atlas", "--out", out], "does not fit grbench-literature"),
        (["bench", "run", TASK, "--graph", "gpr", "--out", out], "grbench-literature"),
        ([*base, "--questions", tmp_path / "none.jsonl"], "Cannot read the questions"),
        ([*base, "--workers", 0], "--workers 0: give at least 1."),
        ([*base, "--limit", 0], "--limit 0: give at least 1."),
        ([*base, "--per-template", 0], "--per-template 0: give at least 1."),
        (bench.words(file), "Cannot write the run"),
        (bench.words(file / "run"), "Cannot write the run"),
        (bench.words(some), "is a folder but not of a run"),
        (["bench", "report", some], "it has no run.json"),
        (["bench", "report", tmp_path / "nowhere"], "it has no run.json"),
        (["bench", "report", damaged], "records.jsonl:1: not a record"),
        (["bench", "replay", some], "it has no run.json"),
        (["bench", "replay", cut], "does not tell of a run of this version (KeyError('lm'))"),
        (["bench", "report", cut], "does not tell of a run"),
        (bench.words(cut), "does not tell of a run"),
        (["bench", "report", done, "--plots", file], "Cannot draw into"),
        (["bench", "generate", TASK, "--graph", bench.store, "--out", file / "q"], "Cannot write"),
    ]
    for words, told in cases:
        ended = cli(*words)
        assert (ended.code, ended.out) == (2, ""), (words, ended)
        assert told in ended.err and ended.err.count("\n") == 1, (words, ended.err)
    assert not out.exists()
