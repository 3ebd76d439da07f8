"""How well a small language model learns to annotate, held to the grammar and not.

OMP_NUM_THREADS=1 python scripts/measure_annotator_lm.py --data PROMPTS --out RUNS
python scripts/measure_annotator_lm.py --data PROMPTS --grammar 50        # what the grammar can write, with no model

There is no pretrained model in this: a causal model of a million weights and its byte-level tokenizer are made from
nothing, and all its weights are trained on the train prompts of a few data sets, by what `graphtalk train annotator
--lora-rank 0` runs. Its test prompts are then annotated twice. `api` is the paper's API-call accuracy, `strict` asks for
the same calls in the same order, `parses` for a text that can be read, names what exists and copies its arguments.
"""

import argparse
import random
import sys
import time
from dataclasses import replace
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from graphtalk.benchmarks.scorers.api_calls import api_calls
from graphtalk.benchmarks.scorers.given import Given
from graphtalk.benchmarks.task import Asked
from graphtalk.benchmarks.toolformer.figures import rows
from graphtalk.benchmarks.toolformer.records import read_records
from graphtalk.core import CallError
from graphtalk.graphs import builtin
from graphtalk.hub.hub import Hub, hub_folder
from graphtalk.lms import Request, user
from graphtalk.lms.options import Decoding
from graphtalk.reasoners.toolformer.check import check_annotation
from graphtalk.reasoners.toolformer.constrained.grammar import Grammar
from graphtalk.tools.registry import default_registry
from graphtalk.training.annotator_lm.prompts import Pair, read_pairs
from graphtalk.training.annotator_lm.settings import Tuning, paper_schedule
from graphtalk.training.annotator_lm.tune import tune
from graphtalk.training.annotator_lm.tuned import AnnotatorLM, open_annotator
from graphtalk.training.checkpoint import Epoch
from graphtalk.training.loop import Watch

END = "<|end|>"


def make_model(folder: Path, pairs: list[Pair], width: int, layers: int) -> int:
    """Make the untrained model and its tokenizer, and return how many weights it has. Digits are tokens of their own."""
    base = Tokenizer(models.BPE())
    base.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    base.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=[END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    base.train_from_iterator((text for pair in pairs for text in (pair.input, pair.output)), trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=base, eos_token=END, pad_token=END)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=1024,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
        tie_word_embeddings=True,
    )
    model = LlamaForCausalLM(config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return sum(value.numel() for value in model.parameters())


def measure(lm: AnnotatorLM, asked: list[Asked], graphs: tuple[str, ...]) -> dict[str, float]:
    """Shares of texts in percent, and seconds a text."""
    vocabulary = default_registry().vocabulary
    totals = dict.fromkeys(("api", "strict", "parses"), 0.0)
    started = time.perf_counter()
    for one in asked:
        said = lm.complete(Request(user(one.question))).text
        scores = api_calls(Given.of(one, True, said, None))
        totals["api"] += scores["api"]
        totals["strict"] += scores["correct"]
        try:
            check_annotation(one.question, said, vocabulary, graphs)
        except CallError:
            continue
        totals["parses"] += 1
    seconds = (time.perf_counter() - started) / len(asked)
    return {name: 100 * total / len(asked) for name, total in totals.items()} | {"seconds": seconds}


def cover(data: Path, each: int) -> None:
    """Print for how many train prompts of each data set the right annotation is one that the grammar can write."""
    graphs = (*builtin.names(), *Hub(hub_folder()).names())
    grammar = Grammar(default_registry(), tuple(dict.fromkeys(graphs)))
    for name, row in rows().items():
        if (folder := data / row.folder / "prompts_train").exists():
            pairs = random.Random(0).sample(read_pairs([folder]), each)
            right = sum(grammar.automaton(pair.input).accepts(pair.output) for pair in pairs)
            print(f"{name}\t{right} of {each}", flush=True)


def main() -> int:
    """Trains and measures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of all prompts")
    parser.add_argument(
        "--out", type=Path, default=Path("runs/annotator-lm"), help="of the model and its training"
    )
    parser.add_argument(
        "--grammar", type=int, default=0, metavar="N", help="look at N prompts of a data set instead"
    )
    parser.add_argument("--sets", default="twitter,movielens,wordnet")
    parser.add_argument("--each", type=int, default=800, help="train prompts of each data set")
    parser.add_argument("--tests", type=int, default=40, help="test prompts of each data set")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--beams", type=int, default=5)
    options = parser.parse_args()
    if options.grammar:
        cover(options.data, options.grammar)
        return 0
    torch.set_num_threads(1)
    folders = {name: options.data / rows()[name].folder for name in options.sets.split(",")}
    pairs = [pair for folder in folders.values() for pair in read_pairs([folder])[: options.each]]
    random.Random(0).shuffle(pairs)
    model = options.out / "model"
    if not model.exists():
        print(f"{make_model(model, pairs, options.width, options.layers):,} weights, {len(pairs):,} prompts")

    def tell(epoch: Epoch) -> None:
        print(
            f"epoch {epoch.number}: {epoch.loss:.4f} {epoch.validation:.4f} {epoch.seconds:.0f} s", flush=True
        )

    schedule = paper_schedule(options.epochs, options.batch, options.rate)
    tuning = Tuning(None, schedule, length=256, decoding=Decoding(options.beams))
    tune(str(model), pairs, options.out / "tuned", tuning, Watch(tell))
    held = open_annotator("tuned", options.out / "tuned")
    graphs = tuple(held.grammar.graphs) if held.grammar else ()
    print("data set\theld\tapi\tstrict\tparses\tseconds")
    for name, folder in folders.items():
        asked = list(read_records(folder / "prompts_test").asked)[: options.tests]
        for lm, how in ((held, "yes"), (replace(held, grammar=None), "no")):
            found = measure(lm, asked, graphs)
            print("\t".join([name, how, *(f"{value:.2f}" for value in found.values())]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
