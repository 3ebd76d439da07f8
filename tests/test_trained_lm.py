"""A trained G-Retriever behind `--lm trained:DIR`: asked, benchmarked, and refused where it does not fit."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import LlamaConfig, LlamaForCausalLM

from command_line import CommandLine
from graphtalk.benchmarks.graphqa.explagraphs import as_arguments
from graphtalk.benchmarks.graphqa.tasks import explagraphs
from graphtalk.core import LmError
from graphtalk.lms import Request, user
from graphtalk.lms.registry import open_lm
from graphtalk.training.text_graphs import NotTables, TextGraph
from graphtalk.training.trained_lm import TrainedLM, open_trained
from tiny_model import make_tokenizer

TOKENIZER = make_tokenizer(["node_id,node_attr", "src,edge_attr,dst", "Answer with support or counter."], 512)
SIZE = (
    "--layers",
    "1",
    "--heads",
    "1",
    "--hidden",
    "8",
    "--epochs",
    "1",
    "--rate",
    "0.05",
    "--answer-tokens",
    "4",
)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Data in the form of ExplaGraphs, a model of random weights, and a training of each kind: `frozen`, `whole`."""
    place = tmp_path_factory.mktemp("trained")
    (place / "data").mkdir()
    lines = [
        f"a{n}\tb{n}\t{'support' if n % 2 else 'counter'}\t(x{n}; causes; y)(y; causes; z)" for n in range(30)
    ]
    (place / "data" / "train.tsv").write_text("\n".join(lines), encoding="utf-8")
    torch.manual_seed(7)
    words, end = len(TOKENIZER), TOKENIZER.eos_token_id
    config = LlamaConfig(
        vocab_size=words,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=2_000,
        eos_token_id=end,
        pad_token_id=end,
        bos_token_id=None,
        initializer_range=0.2,
    )
    LlamaForCausalLM(config).save_pretrained(place / "model")
    TOKENIZER.save_pretrained(place / "model")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", open("/dev/null", "w"))  # noqa: SIM115 - what training prints is not looked at
        train(patch, place, "frozen")
        train(patch, place, "whole", "--ablate", "retrieval")
    return place


def train(patch: pytest.MonkeyPatch, place: Path, out: str, *options: str) -> None:
    from graphtalk.app.main import main

    words = [
        "train",
        "g-retriever",
        "--task",
        "graphqa-explagraphs",
        "--data",
        place / "data",
        *SIZE,
        *options,
    ]
    patch.setattr(
        "sys.argv", ["graphtalk", *map(str, [*words, "--lm", f"hf:{place / 'model'}", "--out", place / out])]
    )
    try:
        main()
    except SystemExit as ended:
        assert not ended.code


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], folder: Path) -> CommandLine:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(folder / "cache"))
    return CommandLine(monkeypatch, capsys)


# the tables of a prompt

WORDS = st.text(st.characters(blacklist_categories=["C", "Z"]), max_size=8).map(
    lambda word: f"a {word}".strip()
)


@given(
    st.lists(WORDS, min_size=1, max_size=5),
    st.data(),
    st.text(max_size=20).map(lambda rest: f"Question: {rest}"),
)
def test_a_graph_and_a_question_come_back_from_their_text(
    nodes: list[str], data: st.DataObject, rest: str
) -> None:
    place = st.integers(0, len(nodes) - 1)
    edges = data.draw(st.lists(st.tuples(place, WORDS, place), max_size=5))
    ends = np.array([(s, t) for s, _, t in edges], np.int64).reshape(-1, 2).T
    numbers = np.array(
        sorted(data.draw(st.sets(st.integers(0, 99), min_size=len(nodes), max_size=len(nodes))))
    )
    graph = TextGraph(tuple(nodes), tuple(text for _, text, _ in edges), ends, numbers)
    again, question = TextGraph.of_csv(graph.as_csv() + rest)
    assert (again.nodes, again.edges, question) == (graph.nodes, graph.edges, rest)
    assert again.ends.tolist() == ends.tolist() and again.numbers.tolist() == numbers.tolist()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Who?", "begins with 'Who"),
        ("node_id,node_attr\n0,x\nWho?", "no table of edges follows after 2"),
        ("node_id,node_attr\n0,x\n\nsrc,edge_attr,dst\n0,r,7\n", "leads to node 7"),
    ],
)
def test_other_texts_are_no_tables(text: str, said: str) -> None:
    with pytest.raises(NotTables, match=said):
        TextGraph.of_csv(text)


# the model


def test_it_is_asked_in_the_form_of_its_training(folder: Path) -> None:
    for question in explagraphs.splits(folder / "data").all:
        assert as_arguments(question.asked.question) == question.prompt
    assert as_arguments("What is police?") == "What is police?"


def test_it_answers_as_it_did_when_it_was_trained(folder: Path) -> None:
    lm = open_lm(f"trained:{folder / 'frozen'}")
    told = [
        json.loads(line)["answer"] for line in (folder / "frozen" / "answers.jsonl").read_text().splitlines()
    ]
    test = explagraphs.splits(folder / "data").test
    replies = [lm.complete(Request(user(q.graph.as_csv() + q.prompt))) for q in test]
    assert [reply.text for reply in replies] == told
    assert all(reply.usage.calls == 1 and reply.usage.input_tokens > 20 for reply in replies)


def test_it_reads_nothing_but_a_graph_and_a_question_and_not_too_much(folder: Path) -> None:
    lm = open_trained(str(folder / "frozen"), None)  # type: ignore[arg-type]
    assert isinstance(lm, TrainedLM)
    with pytest.raises(LmError, match="reads a graph as tables"):
        lm.complete(Request(user("Who are you?")))
    with pytest.raises(LmError, match="no nodes"):
        lm.complete(Request(user("node_id,node_attr\n\nsrc,edge_attr,dst\nWho?")))
    graph = TextGraph.of_triples([("a", "r", "b")]).as_csv()
    with pytest.raises(LmError, match="reads at most 1990 tokens"):
        lm.complete(Request(user(graph + "who " * 3_000)))
    assert isinstance(lm.complete(Request(user(f"{graph}Who?"))).text, str)


# the command line


@pytest.mark.parametrize(("training", "call"), [("frozen", "3, 5, 0.5"), ("whole", "0, 0]")])
def test_a_stored_graph_is_asked_about_with_evidence(
    cli: CommandLine, folder: Path, training: str, call: str
) -> None:
    triples = folder / "triples.tsv"
    triples.write_text("Bob\tknows\tAlice\nAlice\tlikes\tZoe\n")
    lm = f"trained:{folder / training}"
    done = cli("ask", triples, "Who knows Alice?", "--lm", lm, "--reasoner", "g-retriever", "--json")
    answer = done.json
    assert (answer["reasoner"], answer["lm"]) == ("g-retriever", lm)
    assert call in answer["calls"][0]["spelling"]
    assert set(answer["evidence"]["nodes"]) >= {"Bob", "Alice"}
    assert answer["usage"]["calls"] == 1
    assert cli("ask", triples, "Who knows Alice?", "--lm", lm, "--json").json["reasoner"] == "g-retriever"


def test_it_can_be_benchmarked(cli: CommandLine, folder: Path, tmp_path: Path) -> None:
    lm, out = f"trained:{folder / 'frozen'}", tmp_path / "run"
    done = cli(
        "bench", "run", "graphqa-explagraphs", "--data", folder / "data", "--lm", lm, "--out", out, "--json"
    )
    assert done.code == 0, done.err
    told = {row["id"]: row["answer"] for row in map(json.loads, (folder / "frozen" / "answers.jsonl").open())}
    records = list(map(json.loads, (out / "records.jsonl").open()))
    assert len(records) == 6
    for record in records:
        assert record["answer"] == told[record["id"]] or not (record["answered"] or told[record["id"]])
        assert "0, 0, 0.5" in record["calls"][0]["spelling"]
    assert cli("bench", "replay", out).code == 0


@pytest.mark.parametrize(("training", "call"), [("frozen", "0, 0, 0.5"), ("whole", "0, 0]")])
def test_it_can_be_asked_to_list_what_supports_its_answers(
    cli: CommandLine, folder: Path, tmp_path: Path, training: str, call: str
) -> None:
    run = (
        "bench",
        "run",
        "graphqa-explagraphs",
        "--data",
        folder / "data",
        "--limit",
        2,
        "--out",
        tmp_path / "run",
    )
    assert cli(*run, "--lm", f"trained:{folder / training}", "--reasoner", "g-retriever-list").code == 0
    for record in map(json.loads, (tmp_path / "run" / "records.jsonl").open()):
        assert set(record["listed"]) == {"nodes", "edges"} and call in record["calls"][0]["spelling"]
    assert f"trained:{folder / training}\t2\t" in cli("bench", "report", tmp_path / "run").out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--reasoner", "graph-cot"], "was trained to answer from a graph, not as the reasoner 'graph-cot'"),
        (["--reasoner", "offline"], "asks no language model"),
    ],
)
def test_other_reasoners_are_refused(cli: CommandLine, folder: Path, options: list[str], said: str) -> None:
    done = cli("ask", "atlas", "Who?", "--lm", f"trained:{folder / 'frozen'}", *options)
    assert (done.code, len(done.err.splitlines())) == (2, 1) and said in done.err


def test_a_folder_that_holds_no_training_is_named(cli: CommandLine, tmp_path: Path) -> None:
    done = cli("ask", "atlas", "Who?", "--lm", f"trained:{tmp_path}")
    assert (done.code, "holds no training: it has no model.json" in done.err) == (2, True)
    (tmp_path / "model.json").write_text('{"format": "graphtalk g-retriever 1"}')
    done = cli("ask", "atlas", "Who?", "--lm", f"trained:{tmp_path}")
    assert (done.code, "does not say what was trained" in done.err) == (2, True)


# reports


def test_trainings_are_reported_beside_the_papers_figures(cli: CommandLine, folder: Path) -> None:
    places = [folder / "frozen", folder / "whole"]
    told = cli("bench", "report", *places).out
    assert "the paper\tG-Retriever\tLlama2-7b\t85.16" in told
    results = [json.loads((place / "result.json").read_text()) for place in places]
    for place, result in zip(places, results, strict=True):
        score = " / ".join(f"{100 * result['scores'][name]:.2f}" for name in ("accuracy", "whole_answer"))
        rows = [line.split("\t") for line in told.splitlines() if line.startswith(f"{place}\t")]
        assert [row[-1] for row in rows] == [
            score,
            f"{result['minutes_per_epoch']:.2f}",
            score,
        ]  # tables 3, 4, 6
        assert rows[1][3:5] == [f"{result['tokens_before']:.1f}", "3.0"] and result["retrieval"] is None
    found = cli("bench", "report", *places, "--json").json
    assert [t["setting"] for t in found["trainings"]] == ["frozen", "frozen without retrieval"]
    made, _, lacking = told.partition("Not here, for want of runs")
    for table in ("(table 7)", "(table 8)"):  # one encoder, one model
        assert table not in made and table in lacking


def test_a_training_that_is_damaged_is_named(cli: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text('{"task": "graphqa-webqsp"}')
    done = cli("bench", "report", tmp_path)
    assert (done.code, "does not tell of a training (no setting)" in done.err) == (2, True)


@pytest.mark.parametrize("told", ["3", "3,5", "a,b,c", "3,5,0", "-1,5,0.5", "3,5,nan"])
def test_a_retrieval_has_three_numbers(cli: CommandLine, folder: Path, tmp_path: Path, told: str) -> None:
    words = ("train", "g-retriever", "--task", "graphqa-webqsp", "--data", folder / "data", "--lm", "hf:x")
    done = cli(*words, "--out", tmp_path / "out", "--retrieve", told)
    assert (done.code, "--retrieve" in done.err, (tmp_path / "out").exists()) == (2, True, False)
