"""The G-Retriever paper's tables 3 to 12 from small files of trainings and runs (9 shows the form of the data)."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from graphtalk.benchmarks.graphqa.trainings import paper

WEBQSP = "graphqa-webqsp"
TRAINED: Mapping[str, Any] = {
    "task": WEBQSP, "setting": "frozen", "lm": "hf:small", "encoder": "gt", "embedder": "minilm",
    "retrieval": {"nodes": 3, "edges": 5, "edge_cost": 0.5}, "schedule": {"seed": 0},
    "scores": {"hit": 0.5, "whole_answer": 0.25}, "minutes_per_epoch": 1.5, "answers_retrieved": 0.75,
    "tokens_before": 1000.0, "tokens_after": 100.0, "nodes_before": 90.0, "nodes_after": 9.0,
}  # fmt: skip
TRAININGS: Mapping[str, Mapping[str, Any]] = {
    "frozen": {},
    "another-seed": {"schedule": {"seed": 1}, "scores": {"hit": 0.7, "whole_answer": 0.25}},
    "no-text": {"setting": "frozen without text"},
    "gat": {"encoder": "gat"},
    "larger": {"lm": "hf:larger"},
    "more": {"retrieval": {"nodes": 10, "edges": 10, "edge_cost": 0.5}},
    "lora": {"setting": "lora"},
    "none": {
        "setting": "inference-only",
        "encoder": None,
        "minutes_per_epoch": None,
        "seconds_to_answer": 90,
    },
}


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def folders(cli: CommandLine, tmp_path: Path) -> list[Path]:
    """Trainings, as `result.json` tells of them, and two runs of a scripted model."""
    for name, facts in TRAININGS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "result.json").write_text(json.dumps({**TRAINED, **facts}), encoding="utf-8")
    graph = [["ann", "lives in", "rome"], ["bob", "lives in", "oslo"]]
    rows = [{"id": "q", "question": "where does ann live", "answer": ["rome"], "graph": graph}]
    (tmp_path / "test.jsonl").write_text(json.dumps(rows[0]) + "\n", encoding="utf-8")
    script = tmp_path / "script.jsonl"
    script.write_text('{"text": "rome\\nNodes: ann; rome; paris", "repeat": true}\n', encoding="utf-8")
    for reasoner in ("question-only", "g-retriever-list"):
        run = ("bench", "run", WEBQSP, "--data", tmp_path / "test.jsonl", "--out", tmp_path / reasoner)
        assert cli(*run, "--lm", f"scripted:{script}", "--reasoner", reasoner).code == 0
    return [tmp_path / name for name in (*TRAININGS, "question-only", "g-retriever-list")]


def test_the_report_has_all_tables_of_which_there_is_something(
    cli: CommandLine, folders: list[Path], tmp_path: Path
) -> None:
    told = cli("bench", "report", *folders).out
    assert "Not here, for want of runs" not in told
    tables = {part.partition("\n")[0]: part.splitlines()[1:] for part in told.split("\n\n")}
    seeds = f"{tmp_path / 'frozen'} (2 seeds)"
    ours: Mapping[str, str] = {
        "Settings (table 3); ours: the paper's score / whole answers":
            f"{seeds}\tG-Retriever\thf:small\t60.00 ± 14.14 / 25.00 ± 0.00",
        "Retrieval (table 4)": f"{tmp_path / 'gat'}\t{WEBQSP}\tfrozen\t1,000.0\t90.0\t100.0\t9.0\t1.50",
        "Hallucination (table 5)":
            f"{tmp_path / 'g-retriever-list'}\tg-retriever-list\tscripted:{tmp_path / 'script.jsonl'}\t1\t1\t66.67\t-\t0.00",
        "Parts left out (table 6)": f"{tmp_path / 'no-text'}\tfrozen without text\t{WEBQSP}\t50.00 / 25.00",
        "Graph encoders (table 7)": f"{tmp_path / 'gat'}\tgat\t{WEBQSP}\t50.00 / 25.00",
        "Language models (table 8)": f"{tmp_path / 'larger'}\thf:larger\t{WEBQSP}\t50.00 / 25.00",
        "Effect of k (table 10)": f"{tmp_path / 'more'}\t10 nodes, 10 edges\t{WEBQSP}\t50.00 / 25.00",
        "Retrieval accuracy (table 11)": f"{seeds}\t3 nodes, 5 edges\t{WEBQSP}\t75.00",
        "Time (table 12)": f"{tmp_path / 'none'}\tZero-shot\t{WEBQSP}\t50.00 / 25.00\t1.5 min",
    }  # fmt: skip
    for title, row in ours.items():
        assert row in tables[title], title
        assert any(line.startswith("the paper\t") for line in tables[title]), title
    assert "the paper\tG-Retriever\tLlama2-7b\t70.49 ± 1.21" in next(iter(tables[t] for t in ours))
    timed = f"{tmp_path / 'question-only'}\tQuestion only\t{WEBQSP}\t100.00 / 0.00\t0.0 min"
    assert timed in tables["Time (table 12)"]


def test_a_report_without_them_says_what_makes_them(cli: CommandLine, folders: list[Path]) -> None:
    lacking = cli("bench", "report", folders[0]).out.partition("Not here, for want of runs")[2]
    for table in (5, 6, 7, 8, 10):
        assert f"(table {table})" in lacking


def test_the_papers_deviations_stand_where_something_was_trained() -> None:
    rows = {row["method"]: row.get("deviations") for row in paper()["table3"]["rows"]}
    assert rows["GraphToken"] == [5.51, 1.05, 0.74] and rows["KAPING"] is None
    assert all(len(each) == 3 for each in rows.values() if each)
