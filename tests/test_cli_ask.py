"""Questions, calls, verification and conversation through the command line, on the built-in graphs."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import CommandLine
from graphtalk.app.session import MOST_CHARACTERS

QUESTION = "Which countries border both France and Germany?"
BORDERS = {"Belgium", "Luxembourg", "Switzerland"}
FIELDS = {
    "answered": bool,
    "answer": str,
    "value": object,
    "confidence": float,
    "alternatives": list,
    "evidence": dict,
    "calls": list,
    "near": list,
    "reason": str,
    "stopped": str,
    "unsupported": list,
    "reading": str,
    "remarks": list,
    "reasoner": str,
    "lm": str,
    "usage": dict,
    "seconds": float,
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Path) -> CommandLine:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(cache))
    return CommandLine(monkeypatch, capsys)


def questions(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def answers(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# ask


def test_an_answer_as_json_has_every_field(cli: CommandLine) -> None:
    done = cli("ask", "atlas", QUESTION, "--json")
    assert done.code == 0
    assert {name: type(done.json[name]) for name, kind in FIELDS.items() if kind is not object} == {
        name: kind for name, kind in FIELDS.items() if kind is not object
    }
    assert set(done.json) == set(FIELDS)
    assert set(done.json["value"]) == BORDERS
    assert all({"spelling", "result", "seconds"} == set(call) for call in done.json["calls"])
    ends = {end for source, _, target in done.json["evidence"]["edges"] for end in (source, target)}
    assert ends == BORDERS | {"France", "Germany"}
    assert ends <= set(done.json["evidence"]["nodes"])


def test_an_answer_for_people_says_the_evidence_and_the_call(cli: CommandLine) -> None:
    done = cli("ask", "atlas", QUESTION)
    assert done.code == 0
    first, *rest = done.out.splitlines()
    assert all(name in first for name in BORDERS)
    assert any("Belgium" in line and "borders" in line and "France" in line for line in rest)
    assert "Call" in rest and rest[rest.index("Call") + 1].startswith(("  Intersect[", "  MATCH "))
    assert all(
        line.startswith("  ") for line in rest[rest.index("Call") + 1 : rest.index("", rest.index("Call"))]
    )
    assert "\x1b" not in done.out


def test_a_trace_shows_the_calls_that_were_run(cli: CommandLine) -> None:
    plain, traced = cli("ask", "atlas", QUESTION), cli("ask", "atlas", QUESTION, "--trace")
    calls = cli("ask", "atlas", QUESTION, "--json", "--trace").json
    assert all(call["spelling"] in traced.out for call in calls["calls"])
    assert len(traced.out.splitlines()) > len(plain.out.splitlines())
    assert [step["kind"] for step in calls["trace"]][-1] == "answer"


UNSURE = "Is France connected to Japan?"  # by an edge no, by a way yes


def test_what_is_sure_says_how_sure(cli: CommandLine) -> None:
    done = cli("ask", "atlas", "What is the capital of Japan?", "--json")
    assert 0.75 <= done.json["confidence"] <= 1 and done.json["alternatives"] == []


def test_what_is_unsure_offers_readings_and_one_can_be_chosen(cli: CommandLine) -> None:
    done = cli("ask", "atlas", UNSURE, "--json")
    assert done.code == 1 and done.json["value"] is None and done.json["calls"] == []
    offered = done.json["alternatives"]
    assert 1 <= len(offered) <= 4 and all({"reading", "call", "confidence"} == set(a) for a in offered)
    assert [a["confidence"] for a in offered] == sorted((a["confidence"] for a in offered), reverse=True)
    chosen = cli("ask", "atlas", UNSURE, "--choose", "2", "--json")
    assert chosen.code == 0 and chosen.json["calls"][-1]["spelling"] == offered[1]["call"]
    assert chosen.json["confidence"] == offered[1]["confidence"]


def test_the_least_confidence_can_be_set(cli: CommandLine) -> None:
    assert cli("ask", "atlas", "What is the capital of Japan?", "--accept", "1").code == 1
    assert cli("ask", "atlas", "Which countries border France or Spain?", "--accept", "0.1").code == 0


def test_what_cannot_be_chosen_is_said(cli: CommandLine, tmp_path: Path) -> None:
    done = cli("ask", "atlas", "What is the capital of Japan?", "--choose", "4")
    assert done.code == 2 and "to choose from" in done.err
    file = questions(tmp_path / "q.jsonl", {"id": 1, "question": UNSURE})
    assert cli("ask", "atlas", "--file", file, "--out", tmp_path / "o.jsonl", "--choose", "1").code == 2


def test_what_cannot_be_answered_is_said(cli: CommandLine) -> None:
    done = cli("ask", "atlas", "How do I boil an egg?", "--json")
    assert done.code == 1
    assert done.json["answered"] is False
    assert done.json["value"] is None
    assert done.json["answer"]
    assert cli("ask", "atlas", "How do I boil an egg?").code == 1


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("Which countries border " * 50_000, f"at most {MOST_CHARACTERS:,}"),
        ("Which \udcff?", "UTF-8"),
    ],
)
def test_questions_that_are_none_are_refused(cli: CommandLine, question: str, said: str) -> None:
    done = cli("ask", "atlas", question, "--json")
    assert done.code == 1
    assert done.json["answered"] is False
    assert said in done.json["answer"]


def test_a_question_about_a_set_names_one_of_its_graphs(cli: CommandLine) -> None:
    done = cli("ask", "gpr", "What is the diameter of the bull graph?", "--json")
    assert (done.code, done.json["value"]) == (0, 3)
    unnamed = cli("ask", "gpr", "What is the diameter?", "--json")
    assert unnamed.code == 1
    assert "37 graphs" in unnamed.json["answer"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ask"], "STORE"),
        (["ask", "atlas"], "QUESTION"),
        (["ask", "no-such-store", "Who?"], "No graph 'no-such-store'"),
        (["ask", "atals", "Who?"], "Did you mean atlas"),
        (["ask", "atlas", "Who?", "--lm", "gpt"], "Valid: offline"),
        (["ask", "atlas", "Who?", "--reasoner", "xyz"], "Valid: auto, offline"),
        (["ask", "atlas", "--file", "none.jsonl"], "--out"),
        (["ask", "atlas", "--file", "none.jsonl", "--out", "a.jsonl"], "none.jsonl"),
        (["ask", "atlas", "Who?", "--out", "a.jsonl"], "--file"),
        (["ask", "atlas", "Who?", "--file", "none.jsonl"], "one QUESTION"),
        (["ask", "atlas", "Who?", "Where?"], "Where?"),
        (["verify", "none.json", "atlas"], "none.json"),
        (["aks"], "aks"),
    ],
)
def test_wrong_usage_is_said_in_a_line(
    cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = cli(*words)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
    assert list(tmp_path.iterdir()) == []


# ask --file


def test_a_file_of_questions_is_answered_in_order(cli: CommandLine, tmp_path: Path) -> None:
    file = questions(
        tmp_path / "q.jsonl",
        {"id": "b", "question": QUESTION},
        {"id": 7, "question": "How do I boil an egg?"},
        {"id": "a", "question": "What is the capital of Japan?"},
    )
    done = cli("ask", "atlas", "--file", file, "--out", tmp_path / "a.jsonl")
    assert done.code == 0
    found = answers(tmp_path / "a.jsonl")
    assert [a["id"] for a in found] == ["b", 7, "a"]
    assert [a["answered"] for a in found] == [True, False, True]
    assert found[2]["value"] == ["Tokyo"]
    assert all(set(a) == {"id", *FIELDS} for a in found)


def test_a_broken_line_is_named_and_the_rest_answered(cli: CommandLine, tmp_path: Path) -> None:
    file = questions(tmp_path / "q.jsonl", {"id": 1, "question": "What is the capital of Japan?"})
    with file.open("a") as more:
        more.write('{"id": 2, "question":\n{"id": 3, "question": "What is the capital of Peru?"}\n')
    done = cli("ask", "atlas", "--file", file, "--out", tmp_path / "a.jsonl")
    assert done.code == 1
    assert f"{file}:2:" in done.err
    assert [a["id"] for a in answers(tmp_path / "a.jsonl")] == [1, 3]


@pytest.mark.slow
def test_a_killed_run_is_resumed_and_pays_nothing_twice(tmp_path: Path, cache: Path) -> None:
    many = [{"id": i, "question": f"How many countries border {c}?"} for i, c in enumerate(["Brazil"] * 60)]
    file, out = questions(tmp_path / "q.jsonl", *many), tmp_path / "a.jsonl"
    words = [sys.executable, "-m", "graphtalk", "ask", "atlas", "--file", file, "--out", out]
    environment = {**os.environ, "GRAPHTALK_CACHE": str(cache)}
    first = subprocess.Popen(words, env=environment, stderr=subprocess.DEVNULL)
    while first.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") < 3):
        time.sleep(0.01)
    first.kill()
    first.wait()
    before = out.read_bytes()
    kept = before[: before.rfind(b"\n") + 1]
    assert 3 <= kept.count(b"\n") < 60
    out.write_bytes(kept + b'{"id": 50, "answered": tr')
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    kept_count = kept.count(b"\n")
    assert f"{60 - kept_count:,} asked" in done.stderr
    assert f"{kept_count:,} kept" in done.stderr
    assert out.read_bytes().startswith(kept)
    assert [a["id"] for a in answers(out)] == list(range(60))


# call and tools


@pytest.mark.parametrize(
    "spelling",
    [
        'NeighbourCheck[RetrieveNode["Portugal"], "borders"]',
        '[GR(GL("atlas"), "graph:neighbours", GR(GL("atlas"), "graph:retrieve", "Portugal"), "borders")-->r]',
        '{"name": "NeighbourCheck", "arguments": {"node": {"name": "RetrieveNode", "arguments": '
        '{"keyword": "Portugal"}}, "neighbor_type": "borders"}}',
    ],
)
def test_a_call_gives_the_same_in_every_spelling(cli: CommandLine, spelling: str) -> None:
    done = cli("call", "atlas", spelling, "--json")
    assert done.code == 0
    assert done.json["result"] == ["Spain"]
    assert [sorted((s, t)) for s, _, t in done.json["evidence"]["edges"]] == [["Portugal", "Spain"]]


def test_a_call_for_people(cli: CommandLine) -> None:
    done = cli("call", "gpr", 'GR(GL("gpr", {"lollipop_graph"}), "toolx:order")')
    assert done.code == 0
    assert done.out.splitlines()[0] == "14"


@pytest.mark.parametrize(
    ("store", "call", "said"),
    [
        ("gpr", 'GR(GL("gpr", {"no_such_graph"}), "toolx:order")', "no_such_graph"),
        ("atlas", 'NeighbourCheck["France", "bordrs"]', "Did you mean borders"),
        ("atlas", 'NeighborChek["France", "borders"]', "Did you mean"),
        ("atlas", 'NeighbourCheck["France", ', "position"),
        ("atlas", "", ""),
        ("atlas", "__import__('os').system('true')", ""),
    ],
)
def test_a_call_that_fails_says_why(cli: CommandLine, store: str, call: str, said: str) -> None:
    done = cli("call", store, call)
    assert done.code == 1
    assert said in done.err
    assert done.err.startswith("graphtalk: ")
    assert done.out == ""


@pytest.mark.parametrize("spelling", ["toolformer", "graph-cot", "json"])
def test_tools_are_listed_in_every_spelling(cli: CommandLine, spelling: str) -> None:
    done = cli("tools", "--spelling", spelling)
    assert done.code == 0
    assert {"toolformer": "toolx:diameter", "graph-cot": "NeighbourCheck[", "json": '"NeighbourCheck"'}[
        spelling
    ] in done.out
    assert isinstance(cli("tools", "--spelling", spelling, "--json").json, list)


def test_all_about_one_tool(cli: CommandLine) -> None:
    for name in ("NeighbourCheck", "graph:neighbours", "Neighbors"):
        done = cli("tools", name)
        assert done.code == 0
        assert done.out.startswith("NeighbourCheck[node, neighbor_type]\n")
        assert "Also called: graph:neighbours" in done.out
    assert cli("tools", "NeighbourCheck", "--json").json["function"]["name"] == "NeighbourCheck"
    assert '"graph:neighbours", node' in cli("tools", "NeighbourCheck", "--spelling", "toolformer").out


def test_an_unknown_tool_is_wrong_usage(cli: CommandLine) -> None:
    done = cli("tools", "NeighborChek")
    assert done.code == 2
    assert "'NeighborChek'" in done.err
    assert "NeighbourCheck" in done.err


def test_unknown_spellings_are_refused(cli: CommandLine) -> None:
    done = cli("tools", "--spelling", "xml")
    assert done.code == 2
    assert "graph-cot" in done.err


# verify


def test_an_answer_verifies_and_an_altered_one_does_not(cli: CommandLine, tmp_path: Path) -> None:
    answer = cli("ask", "atlas", QUESTION, "--json")
    path = tmp_path / "answer.json"
    path.write_text(answer.out, encoding="utf-8")
    assert cli("verify", path, "atlas").code == 0
    assert cli("verify", "-", "atlas", stdin=answer.out).code == 0
    for key, value in {
        "value": ["Atlantis"],
        "answer": "Atlantis",
        "evidence": {"nodes": ["Atlantis"], "edges": []},
        "calls": [],
    }.items():
        path.write_text(json.dumps({**answer.json, key: value}), encoding="utf-8")
        done = cli("verify", path, "atlas", "--json")
        assert done.code == 1, key
        assert done.json["same"] is False
        assert done.json["differences"]


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "3", '{"answered": true}', '{"answered": 1, "answer": "", "value": 0}', "[" * 99_999],
)
def test_what_is_no_answer_is_not_verified(cli: CommandLine, tmp_path: Path, content: str) -> None:
    path = tmp_path / "answer.json"
    path.write_text(content)
    done = cli("verify", path, "atlas")
    assert done.code == 2
    assert str(path) in done.err


# chat


def test_a_conversation_may_be_piped(cli: CommandLine) -> None:
    left = cli("chat", "atlas", stdin="exit\nWhat is the capital of Peru?\n")
    assert (left.code, "Lima" in left.out) == (0, False)
    said = "What is the capital of Japan?\n/why\n/evidence\n/schema\n\n/nonsense\n/help\n/quit\nWho?\n"
    done = cli("chat", "atlas", stdin=said)
    assert done.code == 0
    assert "Tokyo" in done.out
    assert "NeighbourCheck[" in done.out
    assert "Japan" in done.out
    assert "Country nodes" in done.out
    assert "No command '/nonsense'" in done.out
    assert "/evidence " in done.out


def test_a_conversation_goes_on_after_a_question_that_failed(cli: CommandLine) -> None:
    done = cli(
        "chat", "atlas", stdin="/why\n/evidence\nHow do I boil an egg?\n/trace\nWhat is the capital of Peru?"
    )
    assert done.code == 0
    assert "Nothing has been answered yet." in done.out
    assert "Lima" in done.out
    assert "RetrieveNode[" in done.out


# the whole


def test_help_has_examples_for_every_command(cli: CommandLine) -> None:
    overview = cli("--help")
    assert overview.code == 0
    for command in ("import", "info", "ask", "call", "tools", "chat", "verify"):
        assert f"  {command} " in overview.out
        assert f"graphtalk {command}" in cli(command, "--help").out


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys, graphtalk.app.main\n"
        "print([m for m in ('numpy', 'scipy', 'pyarrow', 'onnxruntime', 'rich.console') if m in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "[]\n"
    )


def test_a_question_imports_nothing_that_it_does_not_use(cli: CommandLine, cache: Path) -> None:
    assert cli("ask", "atlas", "What is the capital of Japan?").code == 0  # puts the graph into the cache
    unused = (
        "scipy lark pydantic numpy.ma pandas polars duckdb networkx igraph onnxruntime torch sklearn matplotlib pyarrow.compute pyarrow.csv "
        "pyarrow.parquet fastapi openai httpx2 graphtalk.graphs.read graphtalk.graphs.assemble graphtalk.graphs.edit "
        "graphtalk.graphs.convert graphtalk.hub.fetch graphtalk.search.retrieval_index graphtalk.search.graph_vectors "
        "graphtalk.search.steiner graphtalk.algorithms graphtalk.vertex graphtalk.engines.arrays.match graphtalk.app.batch "
        "graphtalk.app.server graphtalk.reasoners.graph_cot graphtalk.reasoners.graph_agents graphtalk.reasoners.toolformer"
    )
    code = (
        "import sys\nfrom graphtalk.app.main import main\n"
        "sys.argv = ['graphtalk', 'ask', 'atlas', 'What is the capital of Japan?']\n"
        "try:\n    main()\nexcept SystemExit as ended:\n    assert not ended.code\n"
        f"print('imported', [m for m in {unused.split()} if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Tokyo" in run.stdout and run.stdout.splitlines()[-1] == "imported []"


def test_a_query_imports_pandas_only_for_frames(cli: CommandLine, cache: Path) -> None:
    query = "MATCH (c:country) WHERE c.population > 100000000 RETURN c.name"
    assert cli("query", "atlas", query).code == 0
    code = (
        f"import sys\nfrom graphtalk.app.main import main\nsys.argv = ['graphtalk', 'query', 'atlas', {query!r}]\n"
        "try:\n    main()\nexcept SystemExit as ended:\n    assert not ended.code\n"
        "import pyarrow as pa\nbefore = 'pandas' in sys.modules\n"
        "print(before, pa.table({'a': [1, 2]}).to_pandas().a.tolist())"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "False [1, 2]"


def test_a_damaged_cache_is_made_again(cli: CommandLine, cache: Path) -> None:
    call = ("call", "atlas", 'RetrieveNode["Peru"]', "--json")
    assert cli(*call).code == 0
    (place,) = (cache / "built-in").glob("atlas-*.gt")
    (place / "indices.npy").write_bytes(b"")
    assert cli(*call).json["result"] == ["Peru"]


def test_a_cache_that_cannot_be_written_is_said(
    cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "file"))
    done = cli("info", "atlas")
    assert done.code == 2
    assert "GRAPHTALK_CACHE" in done.err


def test_processes_that_start_together_share_one_cached_store(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "graphtalk", "call", "atlas", 'RetrieveNode["Perru"]', "--json"]
    environment = {**os.environ, "GRAPHTALK_CACHE": str(tmp_path)}
    both = [subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [json.loads(process.communicate()[0])["result"] for process in both] == [["Peru"], ["Peru"]]
    assert len(list(tmp_path.glob("built-in/atlas-*.gt"))) == 1


def test_the_version_is_printed(cli: CommandLine) -> None:
    assert cli("--version").out.strip().count(".") == 2
