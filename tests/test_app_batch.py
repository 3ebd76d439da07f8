"""A file of questions: order, resuming, torn lines, broken lines, other people's files."""

import json
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import CommandLine
from graphtalk.app import batch
from graphtalk.app.render import answer_to_json
from graphtalk.core import JSON, Answer, Question, UsageError


class Echo:
    """Answers every question with its own text, and remembers what it was asked."""

    def __init__(self, stop_after: int = 1_000_000) -> None:
        self.asked: list[str] = []
        self.stop_after = stop_after

    def __call__(self, question: Question) -> dict[str, JSON]:
        if len(self.asked) == self.stop_after:
            raise KeyboardInterrupt
        self.asked.append(question.id)
        return answer_to_json(Answer(answered=bool(question.text), text=question.text))


def write(path: Path, rows: list[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def run(questions: Path, out: Path, answer: Echo) -> batch.Summary:
    return batch.run(questions, out, [answer])


def ids(out: Path) -> list[object]:
    return [json.loads(line)["id"] for line in out.read_text(encoding="utf-8").splitlines()]


def some(count: int) -> list[object]:
    return [{"id": f"q{i}", "question": f"Frage Nr. {i}, café?"} for i in range(count)]


def test_every_line_is_answered_in_order(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl"
    summary = run(write(tmp_path / "q.jsonl", some(5)), out, Echo())
    assert ids(out) == ["q0", "q1", "q2", "q3", "q4"]
    assert json.loads(out.read_text(encoding="utf-8").splitlines()[2])["answer"] == "Frage Nr. 2, café?"
    assert (summary.asked, summary.answered, summary.kept) == (5, 5, 0)


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    questions, out = write(tmp_path / "q.jsonl", some(6)), tmp_path / "a.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(questions, out, Echo(stop_after=2))
    assert ids(out) == ["q0", "q1"]
    second = Echo()
    summary = run(questions, out, second)
    assert second.asked == ["q2", "q3", "q4", "q5"]
    assert summary.kept == 2
    assert ids(out) == [f"q{i}" for i in range(6)]


@given(cut=st.integers(min_value=0, max_value=2_000))
def test_a_file_cut_anywhere_is_mended(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    folder = tmp_path_factory.mktemp("cut")
    questions, out = write(folder / "q.jsonl", some(4)), folder / "a.jsonl"
    run(questions, out, Echo())
    whole = out.read_bytes()
    out.write_bytes(whole[:cut])
    run(questions, out, Echo())
    assert out.read_bytes() == whole


def test_answers_out_of_order_are_put_in_order(tmp_path: Path) -> None:
    out = tmp_path / "a.jsonl"
    run(write(tmp_path / "some.jsonl", [some(3)[2], {"id": 7, "question": "gone"}, some(3)[0]]), out, Echo())
    second = Echo()
    run(write(tmp_path / "all.jsonl", some(3)), out, second)
    assert second.asked == ["q1"]
    assert ids(out) == ["q0", "q1", "q2", 7]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"{not json}", "not a JSON object"),
        (b"[1, 2]", "not a JSON object but list"),
        (b"null", "not a JSON object but NoneType"),
        (b'{"question": "no id"}', '"id" must be'),
        (b'{"id": true, "question": "a truth"}', '"id" must be'),
        (b'{"id": "x"}', '"question" must be'),
        (b'{"id": "x", "question": 5}', '"question" must be'),
        (b'{"id": "q0", "question": "again"}', "already stands"),
        (b'{"id": "x", "question": "\\ud800"}', "half a character"),
        (b'{"id": "x", "question": "\xff"}', "not UTF-8"),
    ],
)
def test_a_broken_line_is_named_and_the_rest_runs(tmp_path: Path, line: bytes, complaint: str) -> None:
    questions, out = write(tmp_path / "q.jsonl", some(2)), tmp_path / "a.jsonl"
    first, second = questions.read_bytes().splitlines()
    questions.write_bytes(b"\n".join([first, b"", line, second]))
    summary = run(questions, out, Echo())
    assert ids(out) == ["q0", "q1"]
    assert len(summary.complaints) == 1
    assert summary.complaints[0].startswith(f"{questions}:3: ")
    assert complaint in summary.complaints[0]


@pytest.mark.parametrize(
    "content", [b"my diary\n", b"my diary", b'{"other": 1}\n', b'{"id": [1], "answered": 1}\n']
)
def test_another_file_is_never_added_to(tmp_path: Path, content: bytes) -> None:
    out = tmp_path / "diary.txt"
    out.write_bytes(content)
    with pytest.raises(UsageError, match="not an answer of an earlier run"):
        run(write(tmp_path / "q.jsonl", some(1)), out, Echo())
    assert out.read_bytes() == content


def test_files_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    questions = write(tmp_path / "q.jsonl", some(1))
    with pytest.raises(UsageError, match="same file"):
        run(questions, questions, Echo())
    with pytest.raises(UsageError, match="Cannot read the questions"):
        run(tmp_path / "none.jsonl", tmp_path / "a.jsonl", Echo())
    with pytest.raises(UsageError, match="Cannot write"):
        run(questions, tmp_path / "no-folder" / "a.jsonl", Echo())
    assert questions.read_text(encoding="utf-8").count("\n") == 1


def test_a_line_without_an_end_is_not_read_whole(tmp_path: Path) -> None:
    endless = tmp_path / "endless.jsonl"
    with endless.open("wb") as file:
        file.truncate(batch.MOST_BYTES + 2)
    with pytest.raises(UsageError, match="line 1: longer than"):
        list(batch.read_questions(endless))


def test_several_are_asked_at_once_and_written_in_their_order(tmp_path: Path) -> None:
    questions = write(tmp_path / "q", [{"id": i, "question": f"q{i}"} for i in range(20)])
    together = threading.Barrier(4, timeout=300)

    def answer(question: Question) -> dict[str, JSON]:
        if int(question.id) < 4:
            together.wait()  # raises where fewer than four are under way at once
        return answer_to_json(Answer(True, question.text))

    summary = batch.run(questions, tmp_path / "out", [answer] * 4)
    assert summary.asked == summary.answered == 20 and ids(tmp_path / "out") == list(range(20))


def test_what_is_under_way_when_broken_off_is_kept_and_not_asked_again(tmp_path: Path) -> None:
    questions = write(tmp_path / "q", [{"id": i, "question": f"q{i}"} for i in range(12)])
    asked: list[str] = []
    both = threading.Barrier(2, timeout=300)

    def answer(question: Question) -> dict[str, JSON]:
        asked.append(question.id)
        if len(asked) <= 2:
            both.wait()
            if question.id == "0":
                raise KeyboardInterrupt
        return answer_to_json(Answer(True, question.text))

    with pytest.raises(KeyboardInterrupt):
        batch.run(questions, tmp_path / "out", [answer] * 2)
    paid = [id for id in asked if id != "0"]
    batch.run(questions, tmp_path / "out", [answer] * 2)
    assert sorted(ids(tmp_path / "out")) == list(range(12))
    assert all(asked.count(id) == 1 for id in paid)


@pytest.mark.parametrize("stopped", ["lm", "budget", "time"])
def test_what_came_to_nothing_for_want_of_a_model_is_asked_again(tmp_path: Path, stopped: str) -> None:
    questions = write(tmp_path / "q", [{"id": i, "question": f"q{i}"} for i in range(3)])
    failing = lambda q: answer_to_json(  # noqa: E731
        Answer(q.id != "1", q.text, stopped=stopped if q.id == "1" else "")
    )
    assert batch.run(questions, tmp_path / "out", [failing]).answered == 2
    again = Echo()
    batch.run(questions, tmp_path / "out", [again])
    assert again.asked == ["1"] and ids(tmp_path / "out") == [0, 1, 2]


def test_a_second_run_on_the_same_answers_is_refused(tmp_path: Path) -> None:
    questions = write(tmp_path / "q", [{"id": 1, "question": "q"}])

    def answer(question: Question) -> dict[str, JSON]:
        with pytest.raises(UsageError, match="being written by another run"):
            batch.run(questions, tmp_path / "out", [Echo()])
        return answer_to_json(Answer(True, "yes"))

    assert batch.run(questions, tmp_path / "out", [answer]).answered == 1


def test_processes_give_what_one_process_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And a model, whose money is counted in one process, is not asked in several."""
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    command = CommandLine(monkeypatch, capsys)
    asked = [f"What is the capital of {country}?" for country in ("Japan", "Peru", "Chad", "Nowhere", "Oman")]
    questions = write(tmp_path / "q.jsonl", [{"id": i, "question": text} for i, text in enumerate(asked)])
    for name, more in (("one", ()), ("two", ("--workers", "2"))):
        done = command("ask", "atlas", "--file", str(questions), "--out", str(tmp_path / name), *more)
        assert done.code == 0, done.err
    one, two = (
        [json.loads(line) | {"seconds": 0} for line in (tmp_path / name).read_text().splitlines()]
        for name in ("one", "two")
    )
    assert one == two and [line["id"] for line in one] == [0, 1, 2, 3, 4] and one[0]["value"] == ["Tokyo"]
    lm = ("--workers", "2", "--lm", "openai:x")
    refused = command("ask", "atlas", "--file", str(questions), "--out", str(tmp_path / "lm"), *lm)
    assert refused.code == 2 and "--workers is for answers without a model" in refused.err
