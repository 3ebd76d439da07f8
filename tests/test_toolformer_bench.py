"""The tasks `toolformer-…`: their records, their scores, and the table beside the paper's."""

import json
from pathlib import Path

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st
from sacrebleu import BLEU
from tests.command_line import CommandLine

from graphtalk.benchmarks import find_task
from graphtalk.benchmarks.scorers.api_calls import api_calls
from graphtalk.benchmarks.scorers.brevity import corpus_brevity
from graphtalk.benchmarks.scorers.given import Given
from graphtalk.benchmarks.scorers.loading import loading
from graphtalk.benchmarks.scorers.results import results
from graphtalk.benchmarks.scorers.rouge_lsum import rouge_lsum
from graphtalk.benchmarks.task import Asked, Gold
from graphtalk.benchmarks.toolformer.figures import rows
from graphtalk.benchmarks.toolformer.records import read_records
from graphtalk.core import JSON, UsageError

ORDER = '[GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r]'
SIZE = '[GR(GL("gpr", {"bull_graph"}), "toolx:size")]'
words = st.lists(st.sampled_from("a b c a, d. (e) 3.5 f-g\n".split(" ")), min_size=1, max_size=12).map(
    " ".join
)


def given(text: str, gold: str, names: tuple[str, ...] | None = None, found: JSON = None) -> Given:
    value: JSON = {"statement": text, "results": found}
    return Given.of(Asked("1", "Which?", Gold(gold, names)), True, "the filled text", value)


@for_all(words, words)
def test_rouge_lsum_equals_the_package(ours: str, gold: str) -> None:
    from rouge_score.rouge_scorer import RougeScorer  # slow to import, and every worker collects this file

    package = RougeScorer(["rougeLsum"]).score(gold, ours)["rougeLsum"].fmeasure
    assert rouge_lsum(given(ours, gold))["rougeLsum"] == pytest.approx(package)


@for_all(st.lists(st.tuples(words, words), min_size=1, max_size=4))
def test_the_brevity_penalty_equals_the_package(pairs: list[tuple[str, str]]) -> None:
    ours, gold = [ours for ours, _ in pairs], [gold for _, gold in pairs]
    assert corpus_brevity(pairs) == pytest.approx(BLEU(force=True).corpus_score(ours, [gold]).bp)


@pytest.mark.parametrize(
    ("ours", "gold", "strict", "api"),
    [
        (f"It has {ORDER} nodes.", f"It has {ORDER} nodes.", 1, 1),
        (f"Nodes: {ORDER}.", f"It has {ORDER} nodes.", 1, 1),
        (f"It has {ORDER.upper().replace(',', ' ,')} nodes.", f"It has {ORDER} nodes.", 0, 1),
        (f"It has {ORDER} nodes {SIZE}.", f"It has {ORDER} nodes.", 0, 1),
        (f"It has {ORDER} nodes.", f"It has {ORDER} nodes {SIZE}.", 0, 1),
        (f"It has {ORDER.replace('-->r', '')} nodes.", f"It has {ORDER} nodes.", 0, 0),
        ("It has [GR( nodes.", f"It has {ORDER} nodes.", 0, 0),
        ('A [GL("x", "all nodes")] map.', 'A [GL("x", "all nodes")] map.', 1, 1),
    ],
)
def test_api_accuracy_by_the_papers_rule_and_strictly(ours: str, gold: str, strict: int, api: int) -> None:
    assert api_calls(given(ours, gold)) == {"correct": strict, "api": api}


@pytest.mark.parametrize(
    ("found", "names", "right"),
    [
        ([5], ("5",), 1),
        ([5.0], ("5",), 1),
        ([["5", "6"]], ("[6, 5]",), 1),
        ([["5"]], ("[5, 6]",), 0),
        ([{"0": 1, "1": 2}], ("{0: 1, 1: 2}",), 1),
        (["neural_networks"], ("Neural Networks",), 1),
        ([2, {"0": 1}], ("{0: 1}", "2"), 1),
        ([2], ("2", "2"), 0),
        ([None], ("2",), 0),
    ],
)
def test_results_are_compared_as_values(found: JSON, names: tuple[str, ...], right: int) -> None:
    assert results(given("a", "b", names, found))["result"] == right


def test_results_that_nobody_knows_are_not_scored() -> None:
    assert results(given("a", "b", None, [3])) == {"ran": 1.0}
    assert results(given("a", "b", None, [None, 3])) == {"ran": 0.0}


def test_loading_tells_which_part_is_wrong() -> None:
    gold = 'The [GL("x-map", "all nodes", {("a", "b")})] map.'
    ours = 'The [GL("x-map", "all roads", {("a", "b")})] map.'
    assert loading(given(ours, gold)) == {"gl_name": 1, "gl_nodes": 0, "gl_links": 1, "gl_place": 1}
    assert loading(given("The map.", gold)) == {"gl_name": 0, "gl_nodes": 0, "gl_links": 0, "gl_place": 0}


def test_records_are_read_with_their_results(tmp_path: Path) -> None:
    file = tmp_path / "prompts"
    file.write_text(
        f"Input: A [TBR]? Output: A {ORDER}. Reasoning Result: 5 <||> [1, 2].\n"
        f"Input: B Output: B {ORDER}. Reasoning Result: Unknown.\nbroken\n"
        'Input: C Output: [GL("c")] C generated_data_loading_prompt_data_1_03-26-2023-14:00:44\n'
    )
    found = read_records(file)
    assert [asked.question for asked in found.asked] == ["A [TBR]?", "B", "C"]
    assert [asked.gold.names for asked in found.asked] == [("5", "[1, 2]"), None, None]
    assert found.asked[2].gold.text == '[GL("c")] C'
    assert found.complaints == (f"{file}:3: not `Input: … Output: …`.",)


def test_every_row_of_table_4_has_a_task() -> None:
    assert len(rows()) == 16
    for name in rows():
        assert find_task(f"toolformer-{name}").about == "statements"
    assert find_task("toolformer-gpr") == find_task("toolformer-graph-properties")


def test_prompts_that_are_missing_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="citeseer/prompts_test"):
        find_task("toolformer-citeseer").load(None, tmp_path)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="needs --data"):
        find_task("toolformer-cora").load(None)  # type: ignore[arg-type]


def test_a_run_stands_beside_the_paper(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "data" / "graph_properties"
    folder.mkdir(parents=True)
    (folder / "prompts_test").write_text(
        f"Input: The bull graph has [TBR] nodes. Output: The bull graph has {ORDER} nodes. Reasoning Result: 5.\n"
        f"Input: The bull graph is odd. Output: The bull graph {ORDER} is odd. Reasoning Result: 5.\n"
    )
    script = tmp_path / "script.jsonl"
    replies = [f"The bull graph has {ORDER} nodes.", "The bull graph is odd."]
    script.write_text("".join(json.dumps({"text": reply}) + "\n" for reply in replies))
    graphtalk = CommandLine(monkeypatch, capsys)
    run = tmp_path / "run"
    done = graphtalk(
        "bench", "run", "toolformer-gpr", "--data", tmp_path / "data", "--out", run, "--lm", f"scripted:{script}",
        "--reasoner", "toolformer", "--workers", "1",
    )  # fmt: skip
    assert done.code == 0, done.err
    report = graphtalk("bench", "report", run)
    (ours,) = [line for line in report.out.splitlines() if line.startswith("GPR-Prompt\tours")]
    assert ours.split("\t")[-4:] == ["50.00", "50.00", "50.00", "50.00"]
    (paper,) = [line for line in report.out.splitlines() if line.startswith("GPR-Prompt\tthe paper")]
    head = next(line for line in report.out.splitlines() if line.startswith("data set\t"))
    assert paper.startswith("GPR-Prompt\tthe paper\tGPT-J 6B\t94.56")
    assert len(head.split("\t")) == len(ours.split("\t")) == len(paper.split("\t"))
    cases = report.out.split("Cases (table 5)")[1].split("\n\n")[0].splitlines()[2]
    assert cases.startswith("gpr\t") and cases.endswith("\t5\tThe bull graph has 5 nodes.")
    differing = report.out.split("(table 6)")[1].split("\n\n")[0].splitlines()[2]
    assert "no call\tThe bull graph is odd.\tThe bull graph is odd.\tThe bull graph [GR(" in differing


def test_unknown_graphs_and_texts_without_graphs_are_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    graphtalk = CommandLine(monkeypatch, capsys)
    unknown, plain = tmp_path / "unknown", tmp_path / "plain"
    assert graphtalk("bench", "run", "toolformer-unknown", "--out", unknown).code == 0
    assert graphtalk("bench", "run", "toolformer-plain", "--out", plain, "--limit", "10").code == 0
    report = graphtalk("bench", "report", unknown, plain).out
    told = report.split("(table 7)")[1].split("\n\n")[0].splitlines()[2:]
    assert len(told) == 13 and all(line.split("\t")[4] == "yes" for line in told)
    dblp = next(line for line in told if "DBLP" in line)
    assert 'GL("dblp"), "graph_bert:topic", paper#1111' in dblp and "No graph 'dblp'" in dblp
    assert report.split("(table 8)")[1].splitlines()[2].endswith("\toffline\t10\t100.00\t0.00\t0.00")
    assert "What was made of such texts" not in report


def test_what_a_model_has_forgotten_stands_beside_what_it_wrote_before(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    graphtalk = CommandLine(monkeypatch, capsys)
    texts = [asked.question for asked in find_task("toolformer-plain").load(None).asked[:3]]  # type: ignore[arg-type]
    refused = "Somebody told the porter."  # and again, when it is shown what is wrong with it
    after = [texts[0], f"{texts[1]} {ORDER}", refused, refused]
    for name, replies in (("before", texts), ("after", after)):
        script = tmp_path / f"{name}.jsonl"
        script.write_text("".join(json.dumps({"text": reply}) + "\n" for reply in replies))
        words = (
            "bench",
            "run",
            "toolformer-plain",
            "--limit",
            "3",
            "--out",
            tmp_path / name,
            "--workers",
            "1",
        )
        assert graphtalk(*words, "--reasoner", "toolformer", "--lm", f"scripted:{script}").code == 0
    report = graphtalk("bench", "report", tmp_path / "before", tmp_path / "after").out
    counts, made = (part.split("\n\n")[0].splitlines()[2:] for part in report.split("(table 8)")[1:])
    assert [line.split("\t")[2:] for line in counts] == [
        ["3", "100.00", "0.00", "0.00"],
        ["3", "33.33", "33.33", "33.33"],
    ]
    assert [line.split("\t") for line in made] == [
        [texts[1], texts[1], after[1]],
        [texts[2], texts[2], "(none)"],
    ]
