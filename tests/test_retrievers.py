"""What finds nodes that are not called exactly so: by words, by meaning, by a model of sentence-transformers."""

import json
from pathlib import Path

import pytest

from command_line import CommandLine
from graphtalk.app.ask import open
from graphtalk.app.session import Session
from graphtalk.app.settings import Settings
from graphtalk.calls import parse
from graphtalk.core import ToolError, UsageError
from graphtalk.reasoners.graph_cot.demos import demonstrations
from graphtalk.tools.executor import Result


def found(text: str, retriever: str = "") -> Result:
    return Session(open("atlas"), Settings(retriever=retriever)).executor.run(
        parse(f'RetrieveNode["{text}"]')
    )


@pytest.mark.parametrize(
    ("words", "name"),
    [("capitol of france", "[Paris]"), ("highest mountain of the world", "[Mount Everest]")],
)
def test_a_node_is_found_by_meaning_and_it_is_said(words: str, name: str) -> None:
    result = found(words)
    assert result.show() == name
    assert result.remarks[0].startswith(
        f"No node is called '{words}': {name[1:-1]} is the nearest in meaning (cosine 0."
    )
    assert found("Paris").remarks == ()


@pytest.mark.parametrize("words", ["zzqx", "asdf qwer", "quarterly revenue"])
def test_what_is_near_to_nothing_is_not_found(words: str) -> None:
    with pytest.raises(ToolError, match="No node is called"):
        found(words)


def test_keywords_alone_know_no_meaning() -> None:
    with pytest.raises(ToolError, match="No node is called 'capitol of france'"):
        found("capitol of france", "keyword")
    assert found("Frence", "keyword").show() == found("Frence").show()


@pytest.mark.parametrize("retriever", ["static", "minilm"])
def test_an_embedder_finds_by_meaning_alone(retriever: str) -> None:
    index = Session(open("atlas"), Settings(retriever=retriever)).index
    hits = index.retrieve("capitol of france", k=3)
    assert {"Paris", "France"} & {index.graph.label(hit.node) for hit in hits} and {
        hit.how for hit in hits
    } == {"meaning"}
    assert index.retrieve("Paris", k=1)[0].how == "exact"


def test_a_model_of_sentence_transformers_from_a_folder(tmp_path: Path) -> None:
    folder = tiny_sentence_model(tmp_path / "model")
    index = Session(open("atlas"), Settings(retriever=f"st:{folder}")).index
    hits = index.retrieve("capitol of france", k=5)
    assert len(hits) == 5 and {hit.how for hit in hits} == {"meaning"}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def tiny_sentence_model(folder: Path) -> Path:
    """A sentence-transformers model of random weights and 24 dimensions, in its own folder form."""
    library = pytest.importorskip("sentence_transformers", reason="the extra `dense` is not installed")
    transformers = pytest.importorskip("transformers")
    (folder / "bert").mkdir(parents=True)
    letters = [*"abcdefghijklmnopqrstuvwxyz"]
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{each}" for each in letters)]
    (folder / "bert" / "vocab.txt").write_text("\n".join(tokens))
    transformers.BertTokenizerFast(str(folder / "bert" / "vocab.txt")).save_pretrained(folder / "bert")
    sizes = {"hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    config = transformers.BertConfig(vocab_size=len(tokens), max_position_embeddings=64, **sizes)
    transformers.BertModel(config).save_pretrained(folder / "bert")
    model = library.SentenceTransformer(str(folder / "bert"), device="cpu")  # with mean pooling, as it says
    model.save(str(folder / "st"))
    return folder / "st"


def test_an_unknown_retriever_is_refused() -> None:
    with pytest.raises(UsageError, match=r"No retriever 'glove'\. Valid: keyword, minilm"):
        _ = Session(open("atlas"), Settings(retriever="glove")).index


def test_so_many_demonstrations_are_shown() -> None:
    executor = Session(open("atlas")).executor
    whole = demonstrations(executor)
    shown = [demonstrations(executor, count=n) for n in range(4)]
    assert shown[0] == "" and shown[3] == whole
    assert all(text.count("Question:") == n for n, text in enumerate(shown))
    assert whole.startswith(shown[2])


def test_runs_tell_retriever_and_depth_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from bench_runs import Bench
    from graphtalk.benchmarks.report import table4
    from graphtalk.benchmarks.summary import Run

    graphtalk, bench = CommandLine(monkeypatch, capsys), Bench.make(tmp_path)
    said = tmp_path / "said.jsonl"
    said.write_text(json.dumps({"text": "I do not know."}) + "\n")
    for retriever, depth in (("keyword", 0), ("static", 2)):
        more = (
            "--reasoner",
            "text-rag",
            "--lm",
            f"scripted:{said}",
            "--retriever",
            retriever,
            "--depth",
            depth,
        )
        graphtalk(*bench.words(tmp_path / retriever, *more, "--limit", 2, "--demo-count", 1))
    runs = [Run.read(tmp_path / name) for name in ("keyword", "static")]
    methods = [row[1] for row in table4(runs).rows if row[0] == "ours"]
    assert methods == [
        "node retrieval (retriever keyword, depth 0)",
        "node retrieval (retriever static, depth 2)",
    ]
