"""Question files of GRBench: both forms, broken lines, names that hold commas; and the tasks by name."""

import json
from pathlib import Path

import pytest

from graphtalk.benchmarks import Gold, find_task, tasks
from graphtalk.benchmarks.grbench.questions import split_names
from graphtalk.benchmarks.registry import Tasks
from graphtalk.benchmarks.task import Asked
from graphtalk.core import UsageError
from graphtalk.graphs import GraphSet
from graphtalk.tools.executor import Executor
from grbench_graphs import small


@pytest.fixture(scope="module")
def literature():
    return find_task("grbench-literature"), Executor(small("literature")[1])


def lines(folder: Path, *rows: object) -> Path:
    path = folder / "questions.jsonl"
    path.write_bytes(b"".join((r if isinstance(r, bytes) else json.dumps(r).encode()) + b"\n" for r in rows))
    return path


def row(qid: object = "0", question: object = "Who?", answer: object = "Leila A. Haddad", **more: object):
    return {"qid": qid, "question": question, "answer": answer, **more}


def test_place_in_a_published_file_gives_template_and_level(literature, tmp_path):
    task, executor = literature
    path = lines(
        tmp_path, row("0"), row("9"), row("95"), row("131", answer="6"), row("239"), row("240"), row("x")
    )
    found = [(a.template, a.level) for a in task.load(executor, path).asked]
    assert found == [
        ("literature-00", "easy"),
        ("literature-00", "easy"),
        ("literature-09", "medium"),
        ("literature-13", "easy"),
        ("literature-23", "hard"),
        ("", ""),
        ("", ""),
    ]


def test_names_are_cut_where_the_graph_has_names(literature, tmp_path):
    task, executor = literature
    titles = "The Midnight Ferry (Nine Winters, #3), The Hidden Clock, Unheard, Of"
    path = lines(
        tmp_path,
        row("90", answer=titles),
        row("0", answer="Leila A. Haddad, Ruben Sokolov"),
        row("30", answer="romance, science fiction"),
        row("130", answer="6"),
        row("80", answer="eng"),
        row("x", answer="Ruben Sokolov, The Hidden Clock"),
        row("y", answer="New York, New York"),
        row("z", answer="12"),
    )
    golds = [a.gold.names for a in task.load(executor, path).asked]
    assert golds == [
        ("The Midnight Ferry (Nine Winters, #3)", "The Hidden Clock", "Unheard", "Of"),
        ("Leila A. Haddad", "Ruben Sokolov"),
        ("romance", "science fiction"),
        None,
        None,
        ("Ruben Sokolov", "The Hidden Clock"),
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("text", "known", "names"),
    [
        ("a, b", {"a", "b"}, ("a", "b")),
        ("a, b", {"a", "b", "a, b"}, ("a, b",)),
        ("a, b, c", {"a, b", "b, c", "a"}, ("a", "b, c")),
        ("a,b,c d", {"b", "c d"}, ("a", "b", "c d")),
        ("a, a", {"a"}, ("a",)),
        ("a, , b", {"a", "b"}, ("a", "b")),
        ("", set(), ()),
        ("x, y", set(), ("x", "y")),
    ],
)
def test_split_names(text, known, names):
    assert split_names(text, known.__contains__) == names


def test_a_long_answer_is_cut_in_no_time():
    names = [f"n{i}, jr" for i in range(3_000)]
    assert split_names(", ".join(names), set(names).__contains__) == tuple(names)


def test_broken_lines_become_complaints_and_the_rest_runs(literature, tmp_path):
    task, executor = literature
    path = lines(
        tmp_path,
        b"\xef\xbb\xbf" + json.dumps(row("0")).encode(),
        b"{not json",
        b"",
        b"[1]",
        {"question": "Who?", "answer": "x"},
        {"qid": "1", "answer": "x"},
        {"qid": "2", "question": "Who?"},
        row("3", question="  "),
        row("4", answer=5),
        row("0"),
        b'{"qid": "5", "question": "\xff", "answer": "x"}',
        row("6", question="\ud800 half"),
        row("7", names="x"),
        row(True),
        row(8),
        b"[" * 100_000,
    )
    found = task.load(executor, path)
    assert [a.id for a in found.asked] == ["0", "8"]
    told = {complaint.split(": ", 1)[0].rpartition(":")[2]: complaint for complaint in found.complaints}
    assert list(told) == ["2", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "16"]
    assert all(complaint.startswith(f"{path}:") for complaint in found.complaints)
    for number, what in {
        "2": "not a JSON object",
        "4": "but list",
        "5": '"qid"',
        "6": '"question"',
        "7": '"answer"',
        "9": '"answer"',
        "10": "'0' already stands",
        "11": "not UTF-8",
        "12": "half a character",
        "13": '"names"',
        "14": '"qid"',
    }.items():
        assert what in told[number], number


def test_generated_rows_are_read_back_as_they_were_made(literature, tmp_path):
    task, executor = literature
    made = task.generate(executor, 3, 7)
    found = task.load(executor, lines(tmp_path, *made.rows))
    assert not found.complaints
    first = made.rows[0]
    assert found.asked[0] == Asked(
        first["qid"],
        first["question"],
        Gold(first["answer"], tuple(first["names"])),
        "easy",
        "literature-00",
    )
    for asked, made_row in zip(found.asked, made.rows, strict=True):
        assert str(made_row["call"]) not in repr(asked)


def test_without_a_file_the_questions_are_made(literature):
    task, executor = literature
    assert task.load(executor) == task.load(executor)
    assert len(task.load(executor).asked) > 150


def test_missing_files_and_senseless_numbers_are_usage_errors(literature, tmp_path):
    task, executor = literature
    with pytest.raises(UsageError, match="Cannot read the questions"):
        task.load(executor, tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="at least 1"):
        task.generate(executor, 0, 0)


def test_ten_tasks_by_name():
    ours = [name for name in tasks() if name.startswith("grbench-")]
    assert len(ours) == 10
    for name in ours:
        task = find_task(name)
        assert task.name == name and task.summary and task.scorers
    with pytest.raises(UsageError, match=r"Did you mean grbench-legal.*Valid: .*grbench-academic-cs"):
        find_task("grbench-lega")
    again = Tasks()
    again.add("x", "a:b")
    again.add("x", "a:b")
    with pytest.raises(UsageError, match="Two tasks are called 'x'"):
        again.add("x", "a:c")


def test_ids_of_templates_say_which_task_they_are_of():
    biology, physics = find_task("grbench-academic-biology"), find_task("grbench-academic-physics")
    _, graph = small("academic")
    assert biology.generate(Executor(graph), 1, 0).rows[0]["template"] == "academic-biology-00"
    assert physics.generate(Executor(graph), 1, 0).rows[0]["template"] == "academic-physics-00"


def test_graphs_of_another_schema_are_refused_by_what_lacks():
    legal = small("legal")[1]
    with pytest.raises(UsageError, match=r"does not fit grbench-healthcare: No node type 'Anatomy'"):
        find_task("grbench-healthcare").check(legal)
    find_task("grbench-legal").check(legal)
    with pytest.raises(UsageError, match="set of graphs"):
        find_task("grbench-legal").load(Executor(GraphSet.of({"one": legal, "two": legal})))
