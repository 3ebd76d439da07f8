"""G-Retriever's training on a tiny model with random weights: what is read, what is learnt, and what a kill costs."""

import json
import math
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM
from typer.testing import CliRunner

import graphtalk
from forking import forked
from graphtalk.app.main import app
from graphtalk.benchmarks.graphqa.trainings import Training, of_seeds, tables
from graphtalk.core import UsageError
from graphtalk.models.encoders import EncoderSize
from graphtalk.search.embedder import load_embedder
from graphtalk.search.subgraph import Subgraph
from graphtalk.training import parallel
from graphtalk.training.checkpoint import Checkpoints, Epoch
from graphtalk.training.g_retriever import Design, GRetriever, make_model
from graphtalk.training.loop import Watch, loss_of, rate_at, train
from graphtalk.training.prompts import Example, Item, Reader, TextVectors, around
from graphtalk.training.retrieval import Retrieval, retrieve, text_graph
from graphtalk.training.settings import ABLATIONS, SETTINGS, Lengths, Schedule, setting_of
from graphtalk.training.text_graphs import TextGraph
from graphtalk.training.trained import Trained
from tiny_model import TEMPLATE, make_tokenizer

SIZE = EncoderSize(layers=2, heads=2, hidden=16)
TOKENIZER = make_tokenizer(["node_id,node_attr", "src,edge_attr,dst", "Answer with support or counter."], 512)
FAST = Schedule(epochs=3, batch=4, rate=2e-2, clip=1.0, keep_every=1)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def examples(count: int = 12) -> list[Example]:
    """Graphs whose relation says the answer."""
    made = []
    for number in range(count):
        right = number % 2 == 0
        near = TextGraph.of_triples(
            [(f"thing {number}", "causes" if right else "antonym of", f"end {number % 3}")]
        )
        far = TextGraph.of_triples([("x", "is a", "y"), *((f"thing {number}", "causes", "z"),)])
        made.append(
            Example(str(number), f"Which is {number % 4}?", "support" if right else "counter", near, far)
        )
    return made


def language_model(family: str = "llama") -> Any:
    torch.manual_seed(7)
    words, end = len(TOKENIZER), TOKENIZER.eos_token_id
    if family == "gpt2":
        config = GPT2Config(
            vocab_size=words,
            n_embd=32,
            n_layer=2,
            n_head=2,
            n_positions=512,
            eos_token_id=end,
            bos_token_id=None,
        )
        return GPT2LMHeadModel(config).eval()
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=words,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=2,
            eos_token_id=end,
            pad_token_id=end,
            bos_token_id=None,
            initializer_range=0.2,
        )
    ).eval()


def made(
    setting: str = "frozen", ablated: tuple[str, ...] = (), family: str = "llama", encoder: str = "gt"
) -> tuple[GRetriever, list[Item]]:
    """A model of a setting, and the items that it reads."""
    chosen = setting_of(setting, ablated)
    vectors = TextVectors(load_embedder("static"))
    reader = Reader(TOKENIZER, vectors, Lengths(answer=4), chosen.text, chosen.retrieved)
    items = reader.items(examples())
    design = Design(chosen, encoder, SIZE, lengths=Lengths(answer=4, virtual=3))
    return make_model(language_model(family), design, vectors.table, seed=0), items


# retrieval


def test_a_part_of_a_graph_keeps_its_numbers() -> None:
    whole = TextGraph.of_triples([("a", "r", "b"), ("b", "s", "c"), ("c", "t", "d")])
    part = whole.part(np.array([3, 2]), np.array([2]))
    assert part.as_csv() == "node_id,node_attr\n2,c\n3,d\n\nsrc,edge_attr,dst\n2,t,3\n"
    assert part.ends.tolist() == [[0], [1]]
    assert part.part(np.array([1]), np.array([], int)).as_csv().splitlines()[1] == "3,d"


def test_retrieval_joins_what_bears_on_the_question() -> None:
    triples = [
        ("zinc", "upregulates", "gene mt1"),
        ("gene mt1", "part of", "cell"),
        ("cell", "part of", "liver"),
    ]
    graph = TextGraph.of_triples([*triples, ("paris", "capital of", "france"), ("moon", "orbits", "earth")])
    vectors = TextVectors(load_embedder("static"))
    found = retrieve(graph, "Is zinc in the liver?", vectors, Retrieval(2, 0, 0.3))
    assert found.nodes == ("zinc", "gene mt1", "cell", "liver") and len(found.edges) == 3
    assert retrieve(graph, "Is zinc in the liver?", vectors, Retrieval(0, 0, 1.0)) is graph
    alone = TextGraph(("only",), (), np.empty((2, 0), np.int64))
    assert retrieve(alone, "What?", vectors, Retrieval(3, 3, 1.0)).nodes == ("only",)


def test_what_is_retrieved_from_a_stored_graph_reads_the_same() -> None:
    atlas = graphtalk.open("atlas")
    ids = (atlas.find("france") or 0, 7, 3)
    for nodes, edges in (((*ids, 40), ()), ((), ()), (range(atlas.num_nodes), range(0, atlas.num_edges, 5))):
        zeros = np.zeros(len(nodes)), np.zeros(len(edges))
        part = Subgraph(atlas, np.array(nodes, np.int64), np.array(edges, np.int64), *zeros, 0.0, 0.0)
        assert text_graph(part).as_csv() == part.text


# what is read


def test_a_prompt_is_text_question_and_answer() -> None:
    _, items = made("inference-only")
    text, example = examples()[1].graph.as_csv(), examples()[1]
    assert TOKENIZER.decode(items[1].before) == "[INST]"
    assert TOKENIZER.decode(items[1].after) == f"{text}{example.question}[/INST]"
    assert items[1].answer[-1] == TOKENIZER.eos_token_id and len(items[1].answer) <= 5


def test_texts_are_embedded_once_however_they_come() -> None:
    vectors = TextVectors(load_embedder("static"))
    texts = [f"thing {number % 7} of {number % 30}" for number in range(300)]
    found = np.concatenate([vectors.rows(texts[at : at + 13]) for at in range(0, 300, 13)])
    assert len(vectors.table) == len(set(texts)) == 210
    np.testing.assert_array_equal(vectors.table[found], load_embedder("static").embed(texts))
    assert vectors.rows([]).shape == (0,)


def test_the_text_is_cut_and_the_question_is_not() -> None:
    reader = Reader(TOKENIZER, TextVectors(load_embedder("static")), Lengths(text=5))
    (item,) = reader.items(examples(1))
    assert len(item.after) == 5 + len(TOKENIZER("Which is 0?[/INST]")["input_ids"])


def test_a_chat_template_goes_around_the_prompt() -> None:
    tokenizer = deepcopy(TOKENIZER)
    tokenizer.chat_template = TEMPLATE
    before, end = (tokenizer.decode(ids) for ids in around(tokenizer))
    assert before == "<|user|>\n" and end == "<|end|>\n<|assistant|>0\n"


def test_ablations_change_what_is_read() -> None:
    with_text, without = made("frozen")[1][0], made("frozen", ("text",))[1][0]
    assert "antonym" not in TOKENIZER.decode(without.after) and len(without.after) < len(with_text.after)
    whole = made("frozen", ("retrieval",))[1][0]
    assert len(whole.nodes) == 4 and len(with_text.nodes) == 2
    assert made("prompt-tuning")[1][0].nodes.shape == (4,)


def test_settings_are_those_of_the_paper() -> None:
    assert setting_of("frozen", ["encoder", "retrieval"]) == SETTINGS["prompt-tuning"]
    assert setting_of("frozen", ["text", "retrieval"]) == SETTINGS["graph-token"]
    with pytest.raises(UsageError, match="inference-only"):
        setting_of("tuned")
    with pytest.raises(UsageError, match="No part 'graph'"):
        setting_of("frozen", ["graph"])
    for part in ("projection", "encoder"):
        with pytest.raises(UsageError, match=f"no {part} to leave out"):
            setting_of("prompt-tuning", [part])


# the model


@pytest.mark.parametrize("family", ["llama", "gpt2"])
def test_without_a_soft_prompt_it_is_the_language_model(family: str) -> None:
    model, items = made("inference-only", family=family)
    item = items[3]
    ids = torch.tensor([[*item.before, *item.after, *item.answer]])
    labels = ids.clone()
    labels[0, : -len(item.answer)] = -100
    expected = model.lm(input_ids=ids, labels=labels).loss
    torch.testing.assert_close(model([item]), expected)


@pytest.mark.parametrize("family", ["llama", "gpt2"])
@pytest.mark.parametrize("setting", ["frozen", "prompt-tuning"])
def test_padding_changes_nothing(family: str, setting: str) -> None:
    model, items = made(setting, family=family)
    model.eval()
    short, long = items[0], items[11]
    assert len(short.after) != len(long.after)
    alone = [model([short]) * len(short.answer), model([long]) * len(long.answer)]
    together = model([short, long]) * (len(short.answer) + len(long.answer))
    torch.testing.assert_close(together, alone[0] + alone[1])
    assert model.answers([short, long]) == [*model.answers([short]), *model.answers([long])]


def test_the_graph_token_says_what_the_graph_is() -> None:
    model, items = made("frozen", ("text",))
    model.eval()
    other = Item(
        "x", items[0].before, items[0].after, items[0].answer, items[1].nodes, items[1].edges, items[1].ends
    )
    assert model([items[0]]) != model([other])
    tuned, _ = made("prompt-tuning", ("text",))
    assert tuned([items[0]]) == tuned([other])


@pytest.mark.parametrize("encoder", ["gt", "gat", "gcn"])
@pytest.mark.parametrize(
    ("setting", "ablated"), [(name, ()) for name in SETTINGS] + [("frozen", (part,)) for part in ABLATIONS]
)
def test_every_setting_and_ablation_learns_only_its_own_part(
    setting: str, ablated: tuple[str, ...], encoder: str
) -> None:
    model, items = made(setting, ablated, encoder=encoder)
    chosen = setting_of(setting, ablated)
    learnt = {name for name, value in model.named_parameters() if value.requires_grad}
    assert bool(learnt) == chosen.trained
    assert any(name.startswith("soft.") for name in learnt) == (chosen.soft != "none")
    assert any("lora_" in name for name in learnt) == chosen.lora
    assert all(name.startswith("soft.") or "lora_" in name for name in learnt)
    if chosen.trained:
        model.train()(items[:4]).backward()
        assert any(value.grad is not None and value.grad.any() for value in model.parameters())


def test_lora_is_at_the_query_and_value_projections() -> None:
    names = set(made("lora-only")[0].learnt())
    assert len(names) == 2 * 2 * 2 and all("q_proj" in name or "v_proj" in name for name in names)
    assert made("lora-only", family="gpt2")[0].learnt()  # which has other names for them


def test_without_projection_the_encoder_is_as_wide_as_the_model() -> None:
    model, _ = made("frozen", ("projection",))
    assert not any("projection" in name for name in model.learnt())
    assert made()[0].learnt()["soft.projection.0.weight"].shape == (2048, 16)


# training


def test_a_frozen_model_learns_by_its_soft_prompt_alone(tmp_path: Path) -> None:
    model, items = made("frozen")
    before = deepcopy(model.lm.state_dict())
    first = loss_of(model, items, 4)
    told: list[Epoch] = []
    schedule = Schedule(epochs=20, batch=4, accumulate=1, rate=2e-2, clip=1.0, patience=20)
    history = train(model, items, items, schedule, Checkpoints(tmp_path), Watch(told.append))
    assert loss_of(model, items, 4) < 0.9 * first  # random weights cannot be led far
    assert told == history and [epoch.number for epoch in history] == list(range(1, 21))
    assert all(torch.equal(value, before[name]) for name, value in model.lm.state_dict().items())


def test_what_waits_in_main_memory_is_learnt_from_alike(tmp_path: Path) -> None:
    losses = []
    for offload in (False, True):
        (tmp_path / str(offload)).mkdir()
        model, items = made("lora")
        schedule = replace(FAST, offload=offload)
        losses.append(
            [
                epoch.loss
                for epoch in train(model, items, items, schedule, Checkpoints(tmp_path / str(offload)))
            ]
        )
    assert losses[0] == losses[1]


def test_training_ends_when_validation_gets_worse_and_the_best_is_kept(tmp_path: Path) -> None:
    model, items = made("lora-only")
    wrong = [Item(i.id, i.before, i.after, (9, 8, 7), i.nodes, i.edges, i.ends) for i in items]
    schedule = Schedule(epochs=30, batch=4, rate=5e-2, clip=1.0, patience=2)
    history = train(model, items, wrong, schedule, Checkpoints(tmp_path))
    best = min(history, key=lambda epoch: epoch.validation)
    assert len(history) < 30 and history[-1].number - best.number == 2
    assert loss_of(model, wrong, 4) == pytest.approx(best.validation, rel=1e-5)


def test_what_was_learnt_can_be_read_again(tmp_path: Path) -> None:
    model, items = made("lora")
    train(model, items, items, FAST, Checkpoints(tmp_path))
    again, _ = made("lora")
    again.load_learnt(Checkpoints(tmp_path).read_best())
    assert loss_of(again, items, 4) == loss_of(model, items, 4)
    with pytest.raises(UsageError, match="another design"):
        made("frozen")[0].load_learnt(Checkpoints(tmp_path).read_best())


def killed_after(batches: int, folder: Path) -> None:
    """Train in this process until it kills itself. Called in a process of its own."""
    left = batches

    def advance(count: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    torch.set_num_threads(1)
    model, items = made("lora")
    train(model, items, items[:4], FAST, Checkpoints(folder), Watch(advance=advance))


@pytest.mark.slow
@pytest.mark.parametrize("batches", [1, 6])
def test_a_killed_run_goes_on_to_the_same_result(tmp_path: Path, batches: int) -> None:
    """LoRA has dropout, so that the random numbers must be the same too."""
    model, items = made("lora")
    through, cut = Checkpoints(tmp_path / "through"), Checkpoints(tmp_path / "cut")
    for checkpoints in (through, cut):
        checkpoints.folder.mkdir()
    expected = train(model, items, items[:4], FAST, through)
    (ended,) = forked([lambda: killed_after(batches, cut.folder)], tmp_path)
    assert ended == -signal.SIGKILL, (tmp_path / "stderr").read_text()
    model, items = made("lora")
    found = train(model, items, items[:4], FAST, cut)
    assert [(e.loss, e.validation) for e in found] == [(e.loss, e.validation) for e in expected]
    first, second = through.read_best(), cut.read_best()
    assert all(torch.equal(value, second[name]) for name, value in first.items())


def test_a_finished_run_is_not_run_again(tmp_path: Path) -> None:
    model, items = made("prompt-tuning")
    history = train(model, items, items, FAST, Checkpoints(tmp_path))
    told: list[Epoch] = []
    assert train(model, items, items, FAST, Checkpoints(tmp_path), Watch(told.append)) == history
    assert not told


def test_damaged_checkpoints_are_named(tmp_path: Path) -> None:
    model, items = made("prompt-tuning")
    checkpoints = Checkpoints(tmp_path)
    train(model, items, items, FAST, checkpoints)
    checkpoints.last.write_bytes(checkpoints.last.read_bytes()[:100])
    with pytest.raises(UsageError, match=r"last\.safetensors"):
        train(model, items, items, FAST, checkpoints)
    assert not list(tmp_path.glob("*.tmp"))


def test_a_loss_that_is_no_number_ends_training(tmp_path: Path) -> None:
    model, items = made("prompt-tuning")
    model.soft.tokens.data.fill_(math.inf)
    with pytest.raises(UsageError, match="epoch 1, batch 1"):
        train(model, items, items, FAST, Checkpoints(tmp_path))
    with pytest.raises(UsageError, match="nothing to train on"):
        train(model, [], items, FAST, Checkpoints(tmp_path))


def test_schedules_are_checked() -> None:
    with pytest.raises(UsageError, match="epochs is 0"):
        Schedule(epochs=0)
    with pytest.raises(UsageError, match="clipped at 0"):
        Schedule(clip=0)
    with pytest.raises(UsageError, match="learning rate"):
        Schedule(rate=0)
    rates = [rate_at(Schedule(rate=1.0, epochs=5), step / 10) for step in range(51)]
    assert max(rates) == rates[10] == 1.0 and rates[10:] == sorted(rates[10:], reverse=True)


# the command


def command(folder: Path, *options: str, model: str = "model") -> list[str]:
    """The command line of a quick training in a folder; its data and its model are made."""
    if not (folder / "data").exists():
        (folder / "data").mkdir()
        lines = [
            f"a{n}\tb{n}\t{'support' if n % 2 else 'counter'}\t(x{n}; causes; y)(y; is a; z)"
            for n in range(30)
        ]
        (folder / "data" / "train.tsv").write_text("\n".join(lines), encoding="utf-8")
        language_model().save_pretrained(folder / "model")
        TOKENIZER.save_pretrained(folder / "model")
    size = ("--layers", "2", "--heads", "2", "--hidden", "16", "--epochs", "2", "--rate", "0.01")
    places = ("--data", str(folder / "data"), "--lm", f"hf:{folder / model}", "--out", str(folder / "out"))
    return ["train", "g-retriever", "--task", "graphqa-explagraphs", *places, *size, *options]


def test_the_command_trains_scores_and_can_be_opened_again(tmp_path: Path) -> None:
    ran = CliRunner().invoke(app, command(tmp_path, "--json", "--answer-tokens", "4"))
    assert ran.exit_code == 0, ran.exception
    result = json.loads(ran.stdout)
    assert result == json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8"))
    assert result["examples"] == [18, 6, 6] and len(result["epochs"]) == 2
    assert 0 <= result["scores"]["accuracy"] <= 1 and result["minutes_per_epoch"] > 0
    answers = [json.loads(line) for line in (tmp_path / "out" / "answers.jsonl").read_text().splitlines()]
    assert len(answers) == 6
    from graphtalk.benchmarks.graphqa.tasks import explagraphs

    trained = Trained.open(tmp_path / "out")
    questions = explagraphs.splits(tmp_path / "data").test
    assert [trained.answer(q.prompt, q.graph) for q in questions] == [row["answer"] for row in answers]
    assert isinstance(trained.answer("What?", TextGraph(("one",), (), np.empty((2, 0), np.int64))), str)


def launched_by_us(arguments: list[str], folder: Path) -> tuple[int, str, str]:
    """Run `graphtalk --processes 2`: its exit status, and what it printed."""
    line = [sys.executable, "-m", "graphtalk", *arguments, "--processes", "2"]
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(line, capture_output=True, text=True, check=False, env=one_thread)
    return done.returncode, done.stdout, done.stderr


def launched_elsewhere(arguments: list[str], folder: Path) -> tuple[int, str, str]:
    """The same by two processes that are told of each other as torchrun and `accelerate launch` tell it, by the environment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(rank: int) -> None:
        parallel.processes.cache_clear()
        told = {"RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": 2, "LOCAL_WORLD_SIZE": 2}
        os.environ.update({name: str(number) for name, number in told.items()})
        os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
        app(arguments, prog_name="graphtalk")

    ended = forked([lambda: run(0), lambda: run(1)], folder)
    return max(ended), (folder / "stdout").read_text(), (folder / "stderr").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "launch", "near"),
    [
        ("prompt-tuning", launched_by_us, 1e-4),
        ("graph-token", launched_elsewhere, 0.05),  # each normalises its own part of a batch
    ],
)
def test_two_processes_learn_what_one_learns(
    tmp_path: Path,
    setting: str,
    launch: Callable[[list[str], Path], tuple[int, str, str]],
    near: float,
) -> None:
    """Each a part of every batch: the same losses but for rounding, one set of files, and one voice."""
    options = ("--setting", setting, "--answer-tokens", "4", "--embedder", "static", "--batch", "5")
    alone = CliRunner().invoke(app, command(tmp_path, *options))
    assert alone.exit_code == 0, alone.exception
    (tmp_path / "out").rename(tmp_path / "alone")
    code, out, err = launch(command(tmp_path, *options), tmp_path)
    assert code == 0, err
    found, wanted = (
        json.loads((tmp_path / part / "result.json").read_text(encoding="utf-8")) for part in ("out", "alone")
    )
    for epoch, by_one in zip(found["epochs"], wanted["epochs"], strict=True):
        assert epoch["loss"] == pytest.approx(by_one["loss"], rel=near)
        assert epoch["validation"] == pytest.approx(by_one["validation"], rel=near)
    assert out.count("accuracy") == err.count("epoch 1:") == 1
    learnt, kept = (Checkpoints(tmp_path / part).read_best() for part in ("out", "alone"))
    same = (torch.allclose(value, kept[name], atol=near) for name, value in learnt.items())
    assert learnt.keys() == kept.keys() and (setting == "graph-token" or all(same))


@pytest.mark.slow
def test_a_mistake_is_told_once_however_many_processes_make_it(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "graphtalk", *command(tmp_path, "--rate", "0", "--processes", "2")]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    said = done.stderr.splitlines()
    assert done.returncode == 2 and said
    assert all("learning rate of 0" in each or "--processes 1 shows why" in each for each in said)


def test_more_processes_than_gpus_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    ran = CliRunner().invoke(app, command(tmp_path, "--processes", "2"))
    assert "--processes 2 needs a GPU each, and there are 1" in str(ran.exception)


def test_seeds_are_trained_apart_and_reported_together(tmp_path: Path) -> None:
    many = (
        "--seeds",
        "2",
        "--limit",
        "6",
        "--answer-tokens",
        "2",
        "--embedder",
        "static",
        "--setting",
        "lora",
    )
    more = (
        "--virtual-tokens",
        "3",
        "--lora-rank",
        "2",
        "--lora-alpha",
        "4",
        "--lora-dropout",
        "0.1",
        "--warmup",
        "0.5",
    )
    rest = ("--patience", "1", "--weight-decay", "0.1", "--accumulate", "1", "--clip", "1")
    ran = CliRunner().invoke(app, command(tmp_path, *many, *more, *rest))
    assert ran.exit_code == 0, ran.exception
    assert " ± " in ran.stdout
    folders = [tmp_path / "out" / f"seed-{n}" for n in range(2)]
    found = [json.loads((folder / "result.json").read_text(encoding="utf-8")) for folder in folders]
    assert [result["schedule"]["seed"] for result in found] == [0, 1]
    assert found[0]["lora"] == {"rank": 2, "alpha": 4, "dropout": 0.1} and found[0]["embedder"] == "static"
    assert found[0]["lengths"]["virtual"] == 3 and 0 <= found[0]["answers_retrieved"] <= 1
    schedule = found[0]["schedule"]
    wanted = {"warmup": 0.5, "patience": 1, "decay": 0.1, "accumulate": 1, "clip": 1.0}
    assert {name: schedule[name] for name in wanted} == wanted
    report = CliRunner().invoke(app, ["bench", "report", *map(str, folders)])
    assert report.exit_code == 0, report.exception
    assert "out (2 seeds)" in report.stdout.replace("\n", " ") and " ± " in report.stdout


def test_means_and_deviations_over_seeds() -> None:
    def training(seed: int, score: float, k: int = 3) -> Training:
        facts = {
            "task": "graphqa-webqsp",
            "setting": "frozen",
            "lm": "hf:x",
            "encoder": "gt",
            "scores": {"hit": score},
        }
        how = {"nodes": k, "edges": 5, "edge_cost": 0.5}
        times = {"minutes_per_epoch": 2.0, "answers_retrieved": 0.75, "nodes_before": 9, "nodes_after": 3}
        return Training(f"runs/seed-{seed}", {**facts, **times, "schedule": {"seed": seed}, "retrieval": how})

    one, other = of_seeds([training(0, 0.5), training(1, 0.7), training(0, 0.9, k=5)])
    assert (one.name, one.score) == ("runs (2 seeds)", "60.00 ± 14.14 / -")
    assert other.score == "90.00 / -"
    titles = {table.title: table.rows for table in tables([training(0, 0.5), training(1, 0.7)], [])}
    assert titles["Retrieval accuracy (table 11)"][-1][-1] == "75.00"
    assert titles["Time (table 12)"][-1][1:] == (
        "G-Retriever",
        "graphqa-webqsp",
        "60.00 ± 14.14 / -",
        "2.0 min/epoch",
    )


def test_weights_of_8_bits_need_a_gpu(tmp_path: Path) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    ran = CliRunner().invoke(app, command(tmp_path, "--eight-bit"))
    assert "--eight-bit needs an NVIDIA GPU" in str(ran.exception)
    ran = CliRunner().invoke(app, command(tmp_path, "--offload"))
    assert "--offload needs an NVIDIA GPU" in str(ran.exception)
    ran = CliRunner().invoke(app, command(tmp_path, "--optimizer", "adamw-8bit", "--limit", "4"))
    assert "adamw-8bit needs an NVIDIA GPU" in str(ran.exception)
    again = CliRunner().invoke(
        app, command(tmp_path, "--limit", "4")
    )  # what was refused left no training there
    assert again.exit_code == 0


def test_another_training_is_not_written_over(tmp_path: Path) -> None:
    first = CliRunner().invoke(app, command(tmp_path, "--limit", "4"))
    assert first.exit_code == 0 and "accuracy" in first.stdout
    other = CliRunner().invoke(app, command(tmp_path, "--limit", "4", "--seed", "1"))
    assert isinstance(other.exception, UsageError) and "another training" in str(other.exception)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("mine", encoding="utf-8")
    foreign = [part.replace(str(tmp_path / "out"), str(tmp_path / "notes")) for part in command(tmp_path)]
    assert "not of a training" in str(CliRunner().invoke(app, foreign).exception)


def test_options_that_a_setting_does_not_use_are_named(tmp_path: Path) -> None:
    ran = CliRunner().invoke(
        app,
        command(
            tmp_path,
            "--setting",
            "inference-only",
            "--lora-rank",
            "4",
            "--answer-tokens",
            "2",
            "--limit",
            "2",
        ),
    )
    assert ran.exit_code == 0, ran.exception
    assert "--lora-rank changes nothing here: inference-only does not use it." in ran.stderr
    assert "--layers changes nothing" in ran.stderr and "--answer-tokens changes" not in ran.stderr


def test_every_option_that_may_be_idle_is_used_somewhere() -> None:
    from inspect import signature

    from graphtalk.app.train_cli import g_retriever
    from graphtalk.training.settings import SETTINGS, idle

    options = list(signature(g_retriever).parameters)
    assert [name for name in options if all(idle(each, "gt", [name]) for each in SETTINGS.values())] == []
    assert idle(SETTINGS["frozen"], "gcn", ["heads", "layers", "lora_rank"]) == ["heads", "lora_rank"]


def test_wrong_names_are_told_before_anything_is_loaded(tmp_path: Path) -> None:
    def told(*options: str) -> str:
        return str(CliRunner().invoke(app, [*command(tmp_path), *options]).exception)

    assert "hf:FOLDER" in told("--lm", "openai:gpt-4o")
    assert "bring no graphs" in told("--task", "metaqa-1hop")
    assert "no encoder to leave out" in told("--setting", "lora-only", "--ablate", "encoder")
    assert "Cannot load the model" in told("--lm", f"hf:{tmp_path / 'nowhere'}")
    assert "heads do not divide" in told("--heads", "3")
    assert not (tmp_path / "out").exists()


def test_training_costs_nothing_where_it_is_not_used() -> None:
    code = "import sys, graphtalk, graphtalk.app.main, graphtalk.training.settings; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
