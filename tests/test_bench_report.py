"""Records, failure classes, numbers, tables and figures, on records made by hand."""

import sys
from pathlib import Path
from typing import Any

import pytest

from graphtalk.benchmarks import Asked, Gold, report
from graphtalk.benchmarks.failures import FAILURES, MEANINGS, failure_of
from graphtalk.benchmarks.missing import missing
from graphtalk.benchmarks.plots import draw
from graphtalk.benchmarks.records import Record, at_times_of, differing, read_records, scored
from graphtalk.benchmarks.runner import Brake, Worker, run
from graphtalk.benchmarks.scorers.registry import find_scorers
from graphtalk.benchmarks.summary import Run, narrowed, summary
from graphtalk.core import Answer, LmError, Question, UsageError
from graphtalk.core.journal import Journal

SCORERS = find_scorers(("set", "exact_match", "rouge", "bleu"))
SETTINGS = {"reasoner": "offline", "lm": "offline", "demos": "auto", "seed": 0, "per_template": None}


def show(question: Question, answer: Answer) -> dict[str, Any]:
    return {
        "answered": answer.answered,
        "answer": answer.text,
        "value": answer.value,
        "evidence": {},
        "calls": [{"spelling": call.spelling, "seconds": call.seconds} for call in answer.calls],
        "stopped": answer.stopped,
        "unsupported": [],
        "usage": dict(answer.usage),
        "seconds": answer.seconds,
    }


def record(number: int, names: list[str], *gold: str, **more: Any) -> Record:
    level = "easy" if number % 2 else "medium"
    asked = Asked(str(number), f"Question {number}?", Gold(", ".join(gold), gold), level, f"t-{number % 2}")
    answer = Answer(bool(names), "text", names or None, seconds=number, **more)
    return scored(asked, show(Question(asked.question), answer), SCORERS)


def made(*records: Record, task: str = "grbench-healthcare", **settings: Any) -> Run:
    return Run("run", task, {**SETTINGS, **settings}, records, len(records))


# classes and records


def test_failure_classes() -> None:
    right, half = {"set_exact": 1.0, "recall": 1.0}, {"set_exact": 0.0, "recall": 0.5}
    wrong = {"set_exact": 0.0, "recall": 0.0}
    assert failure_of(True, "", right) == "right"
    assert failure_of(True, "steps", right) == "right"
    assert failure_of(True, "", half) == "partial"
    assert failure_of(True, "loop", half) == "loop"
    assert failure_of(True, "", wrong) == "wrong"
    assert failure_of(False, "", wrong) == "declined"
    assert failure_of(False, "unsupported", wrong) == "unsupported"
    assert set(MEANINGS) == set(FAILURES)


def test_the_page_tells_of_every_class() -> None:
    page = (Path(__file__).parents[1] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for name in FAILURES:
        assert f"| `{name}` |" in page


def test_records_are_read_as_they_were_written(tmp_path: Path) -> None:
    kept = [record(1, ["a"], "a"), record(2, [], "a, b", "c", stopped="loop")]
    with Journal(tmp_path / "r", "scores") as journal:
        for one in kept:
            journal.add(one.asked.id, one.to_json())
    assert list(read_records(tmp_path / "r")) == kept
    assert read_records(tmp_path / "none") == ()


def test_records_differ_in_all_but_times() -> None:
    first, later, other = (
        record(1, ["a"], "a"),
        record(1, ["a"], "a", usage={"calls": 1}),
        record(1, ["b"], "a"),
    )
    assert differing(first, first) == ()
    assert differing(first, later) == ("usage",)
    assert set(differing(first, other)) == {"failure", "scores", "value"}
    assert at_times_of(record(5, ["a"], "a"), first).seconds == 1


# numbers


def test_summary_counts() -> None:
    numbers = summary(
        [
            record(1, ["a"], "a", usage={"calls": 3, "usd": 0.5, "input_tokens": 10}),
            record(2, ["a"], "a", "b", usage={"calls": 1, "usd": 0.25}),
            record(3, [], "a"),
            record(40, ["x"], "a"),
        ]
    )
    assert numbers.questions == 4
    assert numbers.failures == {"right": 1, "partial": 1, "wrong": 1, "declined": 1}
    assert numbers.scores["set_exact"] == 0.25
    assert numbers.scores["recall"] == pytest.approx((1 + 0.5) / 4)
    assert (numbers.lm_calls, numbers.usd, numbers.input_tokens) == (1, 0.75, 2.5)
    assert (numbers.median, numbers.p95) == (2.5, 40)


def test_summary_of_nothing() -> None:
    numbers = summary([])
    assert (numbers.questions, numbers.usd, numbers.p95, numbers.scores) == (0, 0, 0, {})


def test_bleu_of_many_is_the_corpuses() -> None:
    names = [f"word{n}" for n in range(5)]
    numbers = summary([record(1, names, *names), record(2, ["one"], "one")])
    assert numbers.scores["bleu"] == 1
    assert summary([record(2, ["one"], "one")]).scores["bleu"] == 0  # no four-grams at all


# tables


def test_the_papers_figures_are_whole() -> None:
    paper = report.paper()
    assert paper["table2"]["domains"] == ["academic", "ecommerce", "literature", "healthcare", "legal"]
    assert len(paper["table2"]["rows"]) == 10
    assert all(
        len(row["scores"]) == 5 and all(len(s) == 2 for s in row["scores"]) for row in paper["table2"]["rows"]
    )
    walked = paper["table2"]["rows"][-1]["scores"]
    assert (walked[3], walked[4]) == ([22.33, 28.89], [30.52, 28.33])
    assert {row["lm"]: row["judge"] for row in paper["table3"]["rows"]}["GPT-4"] == 46.28
    assert [row["judge"] for row in paper["table4"]["rows"]] == [19.48, 16.63, 23.09, 22.12, 36.29]


def test_table_2_joins_the_tasks_of_a_domain() -> None:
    runs = [
        made(record(1, ["a"], "a"), task="grbench-academic-cs"),
        made(record(1, ["b"], "a"), record(2, ["b"], "a"), task="grbench-academic-physics"),
        made(record(1, ["a"], "a"), task="grbench-legal", lm="openai:x", reasoner="graph-cot"),
    ]
    table = report.table2(runs)
    assert table.head == (
        "source",
        "method",
        "lm",
        "academic R-L",
        "academic judge",
        "legal R-L",
        "legal judge",
    )
    assert table.rows[-2:] == (
        ("ours", "offline", "offline", "33.33", "-", "-", "-"),
        ("ours", "graph-cot", "openai:x", "-", "-", "100.00", "-"),
    )
    assert table.rows[9][3:] == ("31.89", "33.48", "30.52", "28.33")


def test_tables_3_and_4_are_of_their_methods() -> None:
    offline = [made(record(1, ["a"], "a"))]
    assert not report.table3(offline).rows and not report.table4(offline).rows
    walks = [made(record(1, ["a"], "a"), reasoner="graph-cot", lm="openai:x", seed=seed) for seed in (1, 2)]
    rag = made(record(1, ["a"], "a"), reasoner="graph-rag", lm="openai:x", seed=1)
    assert [row[1] for row in report.table3([*walks, rag]).rows if row[0] == "ours"] == [
        "graph-cot (seed 1)", "graph-cot (seed 2)",
    ]  # fmt: skip
    assert ("ours", "1-hop subgraph retrieval", "openai:x", "healthcare", "-", "100.00") in report.table4(
        [rag]
    ).rows


def test_tables_of_other_tasks_have_no_paper_beside_them() -> None:
    titles = [table.title for table in report.tables([made(record(1, ["a"], "a"), task="mine")])]
    assert titles[0] == "Scores" and not any("table 2" in title for title in titles)


def test_narrowed_runs() -> None:
    runs = [made(record(1, ["a"], "a"), record(2, ["b"], "a"))]
    assert [len(r.records) for r in narrowed(runs, ("t-1",), ())] == [1]
    assert [len(r.records) for r in narrowed(runs, (), ("t-1", "t-0"))] == [0]
    assert report.headline(narrowed(runs, (), ("t-1", "t-0"))).rows
    with pytest.raises(UsageError, match="No template 't-2'"):
        narrowed(runs, (), ("t-2",))


# figures


def test_figure_3_needs_runs_with_demonstrations(tmp_path: Path) -> None:
    walks = [
        made(
            record(1, ["a"], "a"), task=f"grbench-{domain}", reasoner="graph-cot", lm="openai:x", demos=demos
        )
        for domain in ("legal", "healthcare")
        for demos in ("auto", "legal", "none")
    ]
    drawn = {path.name for path in draw(walks, tmp_path / "walks")}
    assert {"demonstrations.png", "demonstrations.svg", "levels.svg", "failures.svg"} <= drawn
    text = (tmp_path / "walks" / "demonstrations.svg").read_text(encoding="utf-8")
    assert text.index("legal") and "healthcare" in text and "none" in text
    assert not any("demo" in path.name for path in draw([made(record(1, ["a"], "a"))], tmp_path / "offline"))


def test_figures_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match=r'python -m pip install "graphtalk\[plots\]"'):
        draw([made(record(1, ["a"], "a"))], tmp_path)


# the runner


ASKED = [Asked(str(n), f"Question {n}?", Gold("a", ("a",))) for n in range(20)]


def worker_of(answers: dict[str, Answer | Exception]) -> Worker:
    def ask(question: Question) -> Answer:
        found = answers.get(question.id, Answer(True, "a", ["a"]))
        if isinstance(found, Exception):
            raise found
        return found

    return Worker(lambda: ask, show, lambda: SCORERS)


def test_a_mistake_of_ours_is_raised_and_what_is_done_stays(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        run(tmp_path / "r", ASKED, worker_of({"7": ZeroDivisionError()}))
    assert [r.asked.id for r in read_records(tmp_path / "r")][:7] == [str(n) for n in range(7)]
    outcome = run(tmp_path / "r", ASKED, worker_of({}))
    assert (outcome.left, outcome.ended) == (0, "") and outcome.kept >= 7
    assert [r.asked for r in read_records(tmp_path / "r")] == ASKED


def test_models_that_fail_now_and_then_do_not_end_a_run(tmp_path: Path) -> None:
    failing = {str(n): LmError("busy") for n in range(0, 20, 3)}
    outcome = run(tmp_path / "r", ASKED, worker_of(failing))
    assert (outcome.asked, outcome.left, outcome.failed, outcome.ended) == (13, 7, 7, "")
    again = run(tmp_path / "r", ASKED, worker_of({}))
    assert (again.asked, again.left) == (7, 0)
    assert [r.asked for r in read_records(tmp_path / "r")] == ASKED


def test_a_pulled_brake_begins_nothing_more(tmp_path: Path) -> None:
    brake = Brake()

    def ask(question: Question) -> Answer:
        if question.id == "3":
            brake.pulled = True
        return Answer(True, "a", ["a"])

    outcome = run(tmp_path / "r", ASKED, Worker(lambda: ask, show, lambda: SCORERS), brake=brake)
    assert outcome.interrupted and outcome.asked == 4
    assert outcome.asked + outcome.left == 20


def test_tables_without_runs_are_named_with_what_makes_them() -> None:
    walk = made(record(1, ["a"], "a"), reasoner="graph-cot")
    printed = list(report.tables([walk]))
    lacking = missing([walk.task], printed)
    assert lacking.rows == ()
    shown = {row[0] for row in missing(["graphinstruct-cycle", "toolformer-cora"], printed).rows}
    assert {"Graph problems (table 1)", "Unknown graphs and tasks (table 7)"} <= shown
    assert not any("Settings" in title for title in shown)  # of a paper that nobody ran


def test_every_title_that_may_be_missing_is_that_of_a_table() -> None:
    root = Path(report.__file__).parent
    told = "".join(path.read_text(encoding="utf-8") for path in root.rglob("*.py") if path.stem != "missing")
    titles = [row[0] for row in missing(["graphqa-", "grbench-", "toolformer-", "graphinstruct-"], []).rows]
    assert titles and [title for title in titles if title not in told] == []
