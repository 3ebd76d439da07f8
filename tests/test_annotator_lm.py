"""A language model that learns to annotate, and the grammar that it is held to when it writes."""

import json
import random
import re
import sys
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from command_line import CommandLine
from graphtalk.app.stores import named_graphs
from graphtalk.calls.ast import Call, Expression, Items, NodeRef, Number, Text
from graphtalk.core import CallError, LmError, ParseError, UsageError
from graphtalk.hub import card_names
from graphtalk.lms import Request, user
from graphtalk.lms.hf import HfLM
from graphtalk.lms.options import Decoding
from graphtalk.reasoners.toolformer.check import check_annotation
from graphtalk.reasoners.toolformer.constrained.grammar import Grammar
from graphtalk.reasoners.toolformer.constrained.mask import Guide
from graphtalk.reasoners.toolformer.constrained.spans import Spans
from graphtalk.reasoners.toolformer.constrained.tokens import Tokens
from graphtalk.reasoners.toolformer.statement import read_statement
from graphtalk.tools.registry import default_registry
from graphtalk.training.annotator_lm.prompts import Pair, graphs_asked, items, read_pairs
from graphtalk.training.annotator_lm.settings import Tuning, paper_schedule
from graphtalk.training.annotator_lm.tune import opened, tune
from graphtalk.training.annotator_lm.tuned import AnnotatorLM, open_annotator
from graphtalk.training.checkpoint import Checkpoints
from graphtalk.training.loop import optimiser_called
from graphtalk.training.prompt_sets.generate import Prompt, prompts
from graphtalk.training.prompt_sets.instances import invented
from graphtalk.training.prompt_sets.templates import families, family
from graphtalk.training.settings import Lora
from tiny_model import make_tokenizer

GRAPHS = ("gpr", "twitter", "movielens", "wordnet")
REGISTRY = default_registry()
GRAMMAR = Grammar(REGISTRY, GRAPHS)
FREE = Grammar(REGISTRY, GRAPHS, "free")
CALL = '[GR(GL("twitter"), "kmeans:community", user#u12)-->r]'
STATEMENT = "In twitter, user #u12 was put into [TBR]."
PAIR = "In twitter, user #kim and user #lee are in [TBR] community."
BOTH = '[GR(GL("twitter"), "kmeans:common_community_check", user#kim, user#lee)-->r]'
END = "<|end|>"


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


# the grammar


@pytest.mark.parametrize(
    ("text", "annotated"),
    [
        (STATEMENT, STATEMENT.replace("[TBR]", CALL)),
        (STATEMENT, " " + STATEMENT.replace("[TBR]", CALL)),
        (f"{STATEMENT[:-6]}#[TBR].", STATEMENT.replace("[TBR]", CALL)),
        ("Where is user #u12 in twitter?", f"In twitter, user #u12 is in {CALL}."),
        ("The baker opens at seven.", "The baker opens at seven."),
        (PAIR, PAIR.replace("[TBR]", BOTH)),
        (
            "The bull graph's diameter is [TBR].",
            'The bull graph\'s diameter [GR(GL("gpr", {"bull_graph"}), "toolx:eccentricity")] is '
            '[GR(GL("gpr", {"bull_graph"}), "toolx:diameter")-->r].',
        ),
        ("The Dublin map is old.", 'The [GL("dublin-map", "all map nodes", "all links")] Dublin map is old.'),
        (
            "How far is node #1 from node #2 in the house graph?",
            'It is [GR(GL("gpr", {"house_graph"}), "toolx:shortest_path", "node#1", "node#2")-->r].',
        ),
        (
            "Which 3 movies does user #é(1) get on movielens?",
            'They are [GR(GL("movielens"), "bpr:topk_recommendation", user#"é(1", 3)-->r].',
        ),
    ],
)
def test_right_annotations_are_of_the_grammar(text: str, annotated: str) -> None:
    assert GRAMMAR.automaton(text).accepts(annotated)
    read_statement(annotated.strip(), REGISTRY.vocabulary)


@pytest.mark.parametrize(
    ("text", "annotated"),
    [
        (STATEMENT, STATEMENT),
        (STATEMENT, STATEMENT.replace("[TBR]", CALL[:-1])),
        (STATEMENT, STATEMENT.replace("[TBR]", CALL).replace("put", "set")),
        (STATEMENT, STATEMENT.replace("[TBR]", CALL.replace("-->r", ""))),
        (STATEMENT, STATEMENT.replace("[TBR]", CALL.replace("u12", "u13"))),
        (STATEMENT, STATEMENT.replace("[TBR]", CALL.replace("u12", "u1"))),
        (STATEMENT, STATEMENT.replace("[TBR]", CALL.replace("twitter", "facebook"))),
        (STATEMENT, STATEMENT.replace("[TBR]", CALL.replace("community", "comunity"))),
        (STATEMENT, STATEMENT.replace("[TBR]", CALL.replace(", user#u12", ', user#u12, "user"'))),
        ("The baker opens at seven.", "The baker opens at eight."),
        ("Where is user #u12 in twitter?", "In twitter."),
        ("Where is user #u12 in twitter?", f"In {CALL[1:-1]}, {CALL}"),
        ("Where is user #u12 in twitter?", f"In twitter, user #u13 is in {CALL}."),
        (STATEMENT, STATEMENT.replace("[TBR]", CALL.replace("u12", "put"))),
        (STATEMENT, STATEMENT.replace("[TBR]", CALL.replace("user#", "put#"))),
        (PAIR, PAIR.replace("[TBR]", BOTH.replace("#kim", "#lee"))),
        (PAIR, PAIR.replace("[TBR]", BOTH.replace("user#kim", '"kim"'))),
    ],
)
def test_wrong_annotations_are_not(text: str, annotated: str) -> None:
    assert not GRAMMAR.automaton(text).accepts(annotated)


def test_statements_may_come_back_in_free_words_where_that_is_chosen() -> None:
    annotated = f"They set user #u12 into {CALL}, I think."
    assert FREE.automaton(STATEMENT).accepts(annotated)
    assert not GRAMMAR.automaton(STATEMENT).accepts(annotated)


def test_the_parts_of_a_text_are_found() -> None:
    spans = Spans("The Moebius-Kantor graph's nodes #4, and /x.b/c' (7.5) are [TBR]")
    assert {"4", "7.5", "/x.b/c"} <= spans.ids() and "Moebius-Kantor" not in spans.ids()
    assert "Moebius-Kantor" in Spans("the Moebius-Kantor graph's nodes").ids()
    assert "#a_b" in Spans("is it #a_b?").counted()
    assert "moebius_kantor_graph" in spans.names("_")
    assert spans.numbers() == {"4", "7.5", "7", "5"}
    assert Spans("the next movie").numbers() == {"1"}
    assert not any("TBR" in part for part in spans.quoted())


# a random model writes noise; held to the grammar it writes what parses, names what exists, and copies its arguments


def byte_tokenizer() -> Any:
    return make_tokenizer([STATEMENT, CALL, "toolx:diameter [GR(GL ({("], 4096)


def sentence_pieces() -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    base = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    base.pre_tokenizer = pre_tokenizers.Metaspace()
    base.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace()])
    pieces = [f"<0x{byte:02X}>" for byte in range(256)]
    letters = [chr(code) for code in range(0x21, 0x7F)]
    trainer = trainers.BpeTrainer(
        vocab_size=600, special_tokens=["<unk>", END, *pieces], initial_alphabet=letters, show_progress=False
    )
    base.train_from_iterator([STATEMENT, CALL] * 3, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=base, eos_token=END, pad_token=END, unk_token="<unk>")


def characters() -> Any:
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

    signs = [END, "<unk>", *map(chr, range(0x20, 0x7F)), *"éüЖ世"]
    base = Tokenizer(models.WordLevel({sign: place for place, sign in enumerate(signs)}, unk_token="<unk>"))
    base.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    base.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(tokenizer_object=base, eos_token=END, pad_token=END, unk_token="<unk>")


MAKERS = {"bytes": byte_tokenizer, "pieces": sentence_pieces, "characters": characters}


@cache
def tokenizer_of(kind: str) -> tuple[Any, Tokens]:
    made = MAKERS[kind]()
    return made, Tokens.of(made)


def random_model(tokenizer: Any, seed: int = 0, width: int = 16, scale: float = 0.4) -> Any:
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=4096,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        initializer_range=scale,
    )
    return LlamaForCausalLM(config).eval()


def annotator(kind: str, grammar: Grammar | None, seed: int = 0, beams: int = 2) -> AnnotatorLM:
    tokenizer, tokens = tokenizer_of(kind)
    return AnnotatorLM(
        "tiny", HfLM("tiny", random_model(tokenizer, seed), tokenizer), Decoding(beams), tokens, grammar
    )


SIGNS = st.sampled_from("abGRL é世Ж 1290-_#.,;:'\"()[]{}?/\\")
TEXTS = st.lists(
    st.one_of(
        st.text(SIGNS, max_size=12),
        st.sampled_from(
            ["[TBR]", "user #u12", "the bull graph", "twitter", "entity #/m/02", "GR (", "top 10"]
        ),
    ),
    min_size=1,
    max_size=6,
).map(" ".join)


def loose(text: str) -> str:
    return re.sub(r"[\s_-]+", "", text).casefold()


def values(value: Expression) -> Iterator[Expression]:
    yield value
    parts: tuple[Expression, ...] = ()
    if isinstance(value, Items):
        parts = value.values
    if isinstance(value, Call):
        parts = (
            *value.arguments,
            *(each for _, each in value.keywords),
            *((value.graph,) if value.graph else ()),
        )
    for part in parts:
        yield from values(part)


def check_all(text: str, annotated: str, graphs: Collection[str] = GRAPHS) -> None:
    """It parses, names what exists, and its arguments are in the text."""
    statement = check_annotation(text, annotated, REGISTRY.vocabulary, graphs)
    assert bool(statement.places) or annotated == text.strip()
    for placed in statement.calls:
        for value in values(placed.call):
            if isinstance(value, Call):
                known = REGISTRY.vocabulary.find(value.function)
                assert known and (value.function == "GL" or known.toolformer in GRAMMAR.functions)
            if isinstance(value, NodeRef):
                assert loose(value.id) in loose(text)
            if isinstance(value, Text) and not value.value.startswith("all "):
                assert value.value in graphs or loose(value.value) in loose(text)
            if isinstance(value, Number):
                assert str(value.value) in text or value.value == 1


def unannotated(text: str) -> bool:
    try:
        return not read_statement(text.strip(), REGISTRY.vocabulary).places and bool(text.strip())
    except ParseError:
        return False


@settings(max_examples=4)
@given(text=TEXTS.filter(unannotated), seed=st.integers(0, 10_000), words=st.booleans())
@pytest.mark.parametrize("kind", MAKERS)
def test_whatever_is_drawn_under_the_grammar_parses(kind: str, text: str, seed: int, words: bool) -> None:
    check_all(text, drawn(text, kind, FREE if words else GRAMMAR, random.Random(seed)))


def drawn(text: str, kind: str, grammar: Grammar, rng: random.Random) -> str:
    """Every token is drawn by chance among those allowed: far wilder than any model."""
    tokenizer, tokens = tokenizer_of(kind)
    guide = Guide(tokens, grammar.automaton(text), [tokenizer.eos_token_id], 700)
    written: list[int] = []
    while not written or written[-1] != tokenizer.eos_token_id:
        written.append(int(rng.choice(guide.allowed(tuple(written)))))
        assert len(written) <= 700
    return guide.text(written)


@cache
def of_family(name: str) -> tuple[Prompt, ...]:
    return tuple(prompts(family(name), invented(name, random.Random(4)), 3, 4))


@cache
def grammar_of(name: str) -> Grammar:
    """The grammar with all data sets of the hub, and the made-up graphs of the prompts of a family."""
    return Grammar(REGISTRY, (*card_names(), *graphs_asked(Pair(p.input, p.output) for p in of_family(name))))


@pytest.mark.parametrize("name", families())
def test_right_prompts_of_every_family_are_of_the_grammar(name: str) -> None:
    right = [grammar_of(name).automaton(p.input).accepts(p.output) for p in of_family(name)]
    assert all(right) or name == "loading", [
        p.output for p, ok in zip(of_family(name), right, strict=True) if not ok
    ]


@pytest.mark.parametrize("name", families())
def test_whatever_is_drawn_for_a_family_parses_and_copies(name: str) -> None:
    grammar, rng = grammar_of(name), random.Random(name)
    prompt = of_family(name)[0]
    check_all(prompt.input, drawn(prompt.input, "bytes", grammar, rng), grammar.graphs)


@pytest.mark.slow
@pytest.mark.parametrize("name", families())
def test_a_random_model_writes_what_parses_for_every_family(name: str) -> None:
    text = of_family(name)[0].input
    said = annotator("bytes", grammar_of(name), beams=1).complete(Request(user(text), max_tokens=300)).text
    check_all(text, said, grammar_of(name).graphs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("bytes", "Where is user #u12 in twitter?"),
        ("pieces", "The bull graph has [TBR] nodes."),
        ("characters", "In twitter, #u12 is in [TBR]."),
    ],
)
def test_a_random_model_parses_only_under_the_grammar(kind: str, text: str) -> None:
    request = Request(user(text), max_tokens=150)
    check_all(text, annotator(kind, GRAMMAR).complete(request).text)
    with pytest.raises(CallError):
        check_annotation(text, annotator(kind, None).complete(request).text, REGISTRY.vocabulary, GRAPHS)


def test_what_has_no_room_or_cannot_be_written_is_said() -> None:
    with pytest.raises(LmError, match="room"):
        annotator("bytes", GRAMMAR).complete(Request(user(STATEMENT), max_tokens=20))
    with pytest.raises(LmError, match="cannot write"):
        annotator("characters", GRAMMAR).complete(Request(user("In ñ it is [TBR].")))


# training


def pairs() -> list[Pair]:
    """Closed templates; the users of the last four are in no other."""
    rng = random.Random(0)
    found = []
    for _ in range(120):
        id = f"u{rng.randrange(1000, 9999)}"
        call = f'[GR(GL("twitter"), "kmeans:community", user#{id})-->r]'
        size = f'[GR(GL("twitter"), "kmeans:community_size", user#{id})-->r]'
        found += [
            Pair(
                f"In twitter, user #{id} is in community [TBR].",
                f"In twitter, user #{id} is in community {call}.",
            ),
            Pair(
                f"What size has the group of #{id} in twitter?",
                f"The group of #{id} in twitter has size {size}.",
            ),
        ]
    return found


def save_model(folder: Path, lines: list[str], width: int = 16, scale: float = 0.02) -> Path:
    tokenizer = make_tokenizer(lines, 512)
    random_model(tokenizer, 0, width, scale).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lines = [text for pair in pairs()[:40] for text in (pair.input, pair.output)]
    return save_model(tmp_path_factory.mktemp("base") / "model", lines, 32)


@pytest.mark.slow
def test_a_small_model_learns_closed_templates_and_annotates_unseen_entities(
    base: Path, tmp_path: Path
) -> None:
    known = pairs()
    seen, unseen = known[:-4], known[-4:]
    assert not {p.input for p in seen} & {p.input for p in unseen}
    schedule = paper_schedule(epochs=8, batch=16, rate=1e-2)
    history, left_out = tune(
        str(base), seen, tmp_path / "out", Tuning(None, schedule, length=256, decoding=Decoding(2))
    )
    assert left_out == 0 and history[-1].validation < history[0].validation / 2
    lm = open_annotator("trained:x", tmp_path / "out")
    told = [lm.complete(Request(user(pair.input))).text for pair in unseen]
    assert [said == pair.output for said, pair in zip(told, unseen, strict=True)] == [True] * len(unseen)


def test_a_killed_training_is_taken_up_with_the_same_weights(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tuning = Tuning(Lora(4, 8, 0.1), paper_schedule(epochs=2, batch=4, rate=1e-2), length=200)
    few = pairs()[:24]
    tune(str(base), few, tmp_path / "whole", tuning)
    kept, keep = [], Checkpoints.keep

    def killed(self: Checkpoints, *given: Any) -> None:
        keep(self, *given)
        kept.append(given)
        if len(kept) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoints, "keep", killed)
    with pytest.raises(KeyboardInterrupt):
        tune(str(base), few, tmp_path / "killed", tuning)
    tune(str(base), few, tmp_path / "killed", tuning)
    one, other = (Checkpoints(tmp_path / name).read_best() for name in ("whole", "killed"))
    assert one.keys() == other.keys() and all("lora" in name for name in one)
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert any(value.abs().sum() > 0 for name, value in one.items() if "lora_B" in name)
    with pytest.raises(UsageError, match="holds another training"):
        tune(str(base), few, tmp_path / "killed", Tuning(Lora(2, 8, 0.1), tuning.schedule, length=200))


def test_only_the_annotation_is_learnt(base: Path) -> None:
    tokenizer = HfLM.open(str(base)).tokenizer
    (item,) = items(tokenizer, pairs()[:1], 256)
    assert tokenizer.decode(item.after) == f"Input: {pairs()[0].input} Output:"
    assert tokenizer.decode(item.answer) == f" {pairs()[0].output}{tokenizer.eos_token}"
    assert items(tokenizer, pairs()[:1], 10) == []


def test_prompts_are_read_in_both_forms(tmp_path: Path) -> None:
    published, lines = tmp_path / "twitter" / "prompts_train", tmp_path / "made.jsonl"
    published.parent.mkdir()
    published.write_text(f"Input: {STATEMENT} Output: In {CALL}. Reasoning Result: 4.\n")
    row = {
        "id": "a",
        "family": "social",
        "task": "t",
        "wording": 0,
        "input": "Who?",
        "output": f"It is {CALL}.",
    }
    lines.write_text(
        json.dumps(row) + "\n" + json.dumps({**row, "id": "b", "input": "New", "output": ""}) + "\n"
    )
    assert read_pairs([lines, tmp_path]) == [Pair("Who?", f"It is {CALL}."), Pair(STATEMENT, f"In {CALL}.")]
    with pytest.raises(UsageError, match="no prompts"):
        read_pairs([tmp_path / "twitter" / "none" / ".."][:0])


# the command line


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def write_prompts(folder: Path, count: int = 24) -> Path:
    lines = [f"Input: {pair.input} Output: {pair.output} Reasoning Result: 1." for pair in pairs()[:count]]
    file = folder / "prompts_train"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.mark.slow
def test_an_annotator_is_trained_and_used_by_name(cli: CommandLine, base: Path, tmp_path: Path) -> None:
    data, out = write_prompts(tmp_path), tmp_path / "out"
    options = ["--epochs", "1", "--batch", "8", "--rate", "0.01", "--max-tokens", "200", "--beams", "2"]
    done = cli("train", "annotator", "--base", f"hf:{base}", "--data", data, "--out", out, *options, "--json")
    assert (done.code, done.json["lm"], len(done.json["epochs"])) == (0, f"trained:{out}", 1), done.err
    said = cli("annotate", STATEMENT, "--lm", f"trained:{out}")
    assert said.code == 0, said.err
    assert check_annotation(STATEMENT, said.out.strip(), REGISTRY.vocabulary, named_graphs()).calls
    test = tmp_path / "test"
    test.write_text("\n".join(data.read_text().splitlines()[:1]) + "\n", encoding="utf-8")
    run = cli(
        "bench", "run", "toolformer-twitter", "--data", test, "--lm", f"trained:{out}",
        "--reasoner", "toolformer", "--out", tmp_path / "run", "--json",
    )  # fmt: skip
    assert run.code == 0, run.err
    refused = cli("ask", "atlas", "Who?", "--lm", f"trained:{out}", "--reasoner", "g-retriever")
    assert refused.code == 2 and "was trained to annotate texts" in refused.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--base", "openai:gpt"], "Valid: offline, hf:FOLDER"),
        (["--base", "hf:./nowhere"], "there is no such folder"),
        (["--max-tokens", "8"], "too few are left"),
        (["--eight-bit", "--lora-rank", "0"], "cannot be trained themselves"),
        (["--lora-rank", "0", "--lora-alpha", "8"], "--lora-alpha would change nothing"),
        (["--unconstrained", "--words", "copy"], "--words would change nothing"),
        (["--base", "offline", "--epochs", "3", "--processes", "2"], "--epochs, --processes would change"),
        (["--temperature", "1", "--top-p", "2"], "--top-p is 2.0"),
        *(
            pytest.param(
                options, said, marks=pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
            )
            for options, said in (
                (["--eight-bit"], "--eight-bit needs an NVIDIA GPU"),
                (["--offload"], "--offload needs an NVIDIA GPU"),
                (["--optimizer", "adamw-8bit"], "adamw-8bit needs an NVIDIA GPU"),
            )
        ),
    ],
)
def test_mistakes_are_told(
    cli: CommandLine, base: Path, tmp_path: Path, options: list[str], said: str
) -> None:
    words = [
        "train",
        "annotator",
        "--base",
        f"hf:{base}",
        "--data",
        write_prompts(tmp_path),
        "--out",
        tmp_path / "o",
    ]
    done = cli(*words, *options)
    assert (done.code, len(done.err.strip().splitlines())) == (2, 1) and said in done.err


@pytest.mark.parametrize(
    "decoding",
    [
        Decoding(1),
        Decoding(3, early_stop=True),
        Decoding(2, top_k=5, top_p=0.95, temperature=1.9),
        Decoding(1, temperature=0.7),
    ],
)
def test_every_way_to_write_keeps_to_the_grammar(decoding: Decoding) -> None:
    text = "The bull graph has an order of [TBR]."
    held = replace(annotator("bytes", GRAMMAR), decoding=decoding)
    first, again = (held.complete(Request(user(text), max_tokens=300, seed=3)).text for _ in range(2))
    assert first == again and GRAMMAR.automaton(text).accepts(first)


def test_without_the_grammar_a_model_writes_what_it_likes() -> None:
    text = "The bull graph has an order of [TBR]."
    loose = replace(annotator("bytes", GRAMMAR), decoding=Decoding(1, free=True))
    assert not GRAMMAR.automaton(text).accepts(loose.complete(Request(user(text), max_tokens=40)).text)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"beams": 0}, "--beams is 0"),
        ({"top_k": 5}, "give --temperature too"),
        ({"top_p": 1.5, "temperature": 1.0}, "--top-p is 1.5"),
        ({"beams": 1, "early_stop": True}, "give --beams 2 or more"),
    ],
)
def test_numbers_of_decoding_that_make_no_sense_are_refused(numbers: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Decoding(**numbers)  # type: ignore[arg-type]


def test_eight_bits_need_a_library_that_may_be_missing(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setitem(sys.modules, "bitsandbytes", None)
    monkeypatch.setitem(sys.modules, "bitsandbytes.optim", None)
    monkeypatch.setattr("graphtalk.training.annotator_lm.tune.find_spec", lambda name: None)
    with pytest.raises(UsageError, match="--eight-bit needs bitsandbytes, which is not installed"):
        opened(str(base), eight_bit=True, offload=False)
    with pytest.raises(UsageError, match="adamw-8bit needs bitsandbytes, which is not installed"):
        optimiser_called("adamw-8bit")
