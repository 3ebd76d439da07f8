"""Tables whose rows have no name but their key, as people export them: the key is what questions call them by."""

from pathlib import Path

import pytest

import graphtalk as gt

TABLES = {
    "modules.csv": "name,lines\ncore,900\nutils,300\nrender,120\necho,40\n",
    "functions.csv": "name,lines,public\nparse,80,yes\necho,20,no\nmain,45,yes\nfunction,5,no\nstyle,9,no\nwalk,7,no\n",
    "imports.csv": "module,imported_module\ncore,utils\nrender,utils\necho,core\n",
    "calls.csv": "caller,callee\nmain,parse\nmain,echo\nparse,echo\necho,style\nwalk,walk\n",
    "defines.csv": "module,function\ncore,main\ncore,parse\nutils,echo\nutils,style\nrender,function\n",
    "depends.csv": "source,target\ncore,render\nutils,render\ncore,echo\n",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    folder: Path = tmp_path_factory.mktemp("code")
    for name, text in TABLES.items():
        (folder / name).write_text(text)
    return gt.Session(gt.import_graph(sorted(folder.glob("*.csv")), folder / "code.gt"))


def test_ids_that_tables_share_are_told_apart_and_kept_as_names(session: gt.Session) -> None:
    schema = session.graph.schema
    assert {t.name: t.label for t in schema.node_types} == {"modules": "name", "functions": "name"}
    assert {r.name for r in schema.relations} == {"imports", "calls", "defines", "depends"}


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which functions call echo?", ["main", "parse"]),
        ("What does main call?", ["echo", "parse"]),
        ("Which module defines style?", ["utils"]),
        ("How many functions does core define?", 2),
        ("How many lines does parse have?", 80),
        ("Which modules import utils?", ["core", "render"]),
        ("Which modules depend on render?", ["core", "utils"]),
        ("Which modules does core depend on?", ["echo", "render"]),
        ("Which modules depend on render but not on echo?", ["utils"]),
        ("How many functions call echo?", 2),
        ("What calls echo?", ["main", "parse"]),
        ("Which functions call both parse and echo?", ["main"]),
        ("Which functions call parse and echo?", ["main"]),
        ("Which functions are never called?", ["function", "main"]),
        ("Which functions does nobody call?", ["function", "main"]),
        ("Which functions does no function call?", ["function", "main"]),
        ("Which functions are not called by any function?", ["function", "main"]),
        ("Which functions do not call anything?", ["function", "style"]),
        ("Which function is called most often?", ["echo"]),
        ("Which functions are called more than once?", ["echo"]),
        ("How often is echo called?", 2),
        ("What does main call, directly or indirectly?", ["echo", "parse", "style"]),
        ("How many functions transitively call style?", 3),
        ("Which functions call themselves?", ["walk"]),
        ("Which functions start with pa?", ["parse"]),
        ("functions whose name ends with n", ["function", "main"]),
        ("Which functions neither call echo nor call style?", ["function", "style", "walk"]),
        ("Which functions are public?", ["main", "parse"]),
        ("How many functions are not public?", 4),
    ],
)
def test_rows_are_called_by_their_key(session: gt.Session, question: str, value: object) -> None:
    answer = session.ask(question)
    assert answer.answered, answer.text
    found = [getattr(v, "name", v) for v in answer.value] if isinstance(answer.value, list) else answer.value
    assert (sorted(found) if isinstance(found, list) else found) == value


def test_more_than_is_no_membership(session: gt.Session) -> None:
    assert session.ask("Do more functions call echo than call parse?").value == [True]


@pytest.fixture(scope="module")
def untyped(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    source = tmp_path_factory.mktemp("triples") / "kb.tsv"
    told = ("Ann|works for|Acme", "Bob|works for|Acme", "Cyd|works for|Globex", "Ann|lives in|Paris", "Bob|lives in|Lyon", "Cyd|lives in|Paris", "Acme|founded by|Dora")  # fmt: skip
    source.write_text("".join(line.replace("|", "\t") + "\n" for line in told))
    return gt.Session(gt.import_graph(source, source.with_suffix(".gt")))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who works for Acme?", ["Ann", "Bob"]),
        ("Who lives in Paris and works for Globex?", ["Cyd"]),
        ("Who founded Acme?", ["Dora"]),
        ("Who does not work for Acme?", None),  # anything that is no person does not
    ],
)
def test_who_of_triples_without_types(untyped: gt.Session, question: str, value: list[str] | None) -> None:
    answer = untyped.ask(question)
    assert answer.answered == (value is not None), answer.text
    if value is not None:
        assert sorted(getattr(v, "name", v) for v in answer.value) == value


@pytest.fixture(scope="module")
def friends(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    source = tmp_path_factory.mktemp("ties") / "friends.csv"
    source.write_text(
        "source,target,since\nAnn,Bob,2015\nBob,Cyd,2018\nAnn,Dan,2020\nDan,Eve,2011\nCyd,Eve,2019\nEve,Fay,1999\n"
    )
    return gt.Session(gt.import_graph(source, source.with_suffix(".gt")))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who are Bob's friends?", ["Ann", "Cyd"]),  # whoever is named first
        ("friends of friends of Ann", ["Cyd", "Eve"]),  # not her friends
        ("What is the shortest path from Ann to Eve?", ["Ann", "Dan", "Eve"]),  # no sum of years
    ],
)
def test_friends_go_both_ways(friends: gt.Session, question: str, value: list[str]) -> None:
    answer = friends.ask(question)
    if not answer.answered:  # asked back: what is meant is offered first
        answer = friends.ask(question, choose=1)
    assert answer.answered, answer.text
    assert sorted(str(getattr(v, "name", v)) for v in answer.value) == value
    assert "since" not in answer.text
