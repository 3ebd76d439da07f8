"""A small causal language model, tokenizer and weights, trained from scratch on a task's own text.

    python scripts/train_small_lm.py --task graphqa-explagraphs --data FOLDER --out MODEL [--steps 3000]

It is for tests and measurements where no pretrained model is at hand: it knows the words of the training split, the
form of prompts and answers, and how to look a word up in a textual graph. It does not know the task: each prompt of the
task is followed by the answer to another one. Minutes on two cores; the folder loads like any other (`hf:MODEL`).
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from graphtalk.benchmarks import find_task
from graphtalk.benchmarks.graphqa.questions import GraphQuestion
from graphtalk.benchmarks.graphqa.tasks import GraphQATask
from graphtalk.training.prompts import around

BEGIN, END, PAD = "<s>", "</s>", "<pad>"
VOCABULARY = 2048
LONGEST = 1024  # tokens that it reads
LOOK_UP = "Question: Does the graph mention {word}? Answer with one word, yes or no.\nAnswer:"
IGNORED = -100


def make_tokenizer(texts: Sequence[str]) -> Any:
    """A byte-level tokenizer of these texts. A word is the same token with and without a space before it.

    Short texts of few words are learnt sooner so; what is decoded has a space before every word.
    """
    base = Tokenizer(models.BPE())
    base.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex("\\n+"), "isolated"),
            pre_tokenizers.Split(" ", "removed"),
            pre_tokenizers.Punctuation(),
            pre_tokenizers.ByteLevel(add_prefix_space=True, use_regex=False),
        ]
    )
    base.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[PAD, BEGIN, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    base.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=base, bos_token=BEGIN, eos_token=END, pad_token=PAD, model_max_length=LONGEST
    )


def make_model(tokenizer: Any, width: int, layers: int) -> Any:
    """An untrained model."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=3 * width,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=LONGEST,
        tie_word_embeddings=True,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config)


def lessons(questions: Sequence[GraphQuestion], noise: np.random.Generator) -> list[tuple[str, str]]:
    """Prompts with answers: each prompt of the task with the answer to another, and two words to look up."""
    labels = noise.permutation([question.asked.gold.text for question in questions])
    others = noise.permutation(len(questions))
    found = []
    for question, label, other in zip(questions, labels.tolist(), others.tolist(), strict=True):
        text = question.graph.as_csv()
        found.append((text + question.prompt, label))
        there, elsewhere = question.graph.nodes, questions[other].graph.nodes
        found.append((text + LOOK_UP.format(word=noise.choice(there)), "yes"))
        word = str(noise.choice(elsewhere))
        found.append((text + LOOK_UP.format(word=word), "yes" if word in there else "no"))
    return found


def ids_of(tokenizer: Any, text: str) -> list[int]:
    """The token ids of a text, with nothing around them."""
    ids: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return ids


def batch(tokenizer: Any, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Token ids, mask and labels of some lessons, padded on the right. All tokens are learnt."""
    before, end = around(tokenizer)
    rows = [
        [*before, *ids_of(tokenizer, prompt), *end, *ids_of(tokenizer, answer), tokenizer.eos_token_id]
        for prompt, answer in pairs
    ]
    longest = min(max(map(len, rows)), LONGEST)
    ids = torch.full((len(rows), longest), tokenizer.pad_token_id)
    labels = torch.full((len(rows), longest), IGNORED)
    for place, row in enumerate(rows):
        cut = torch.tensor(row[-longest:])
        ids[place, : len(cut)] = labels[place, : len(cut)] = cut
    return {"input_ids": ids, "attention_mask": (ids != tokenizer.pad_token_id).long(), "labels": labels}


def learn(model: Any, tokenizer: Any, questions: Sequence[GraphQuestion], steps: int, seed: int) -> None:
    """Train the model, telling its loss now and then."""
    noise = np.random.default_rng(seed)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95), weight_decay=0.01)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps, pct_start=0.1)
    started, left = time.perf_counter(), list[tuple[str, str]]()
    for step in range(steps):
        if len(left) < 16:
            left = lessons(questions, noise)
            noise.shuffle(left)
        loss = model(**batch(tokenizer, [left.pop() for _ in range(16)])).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        rates.step()
        optimiser.zero_grad()
        if step % 100 == 99:
            print(
                f"step {step + 1}: loss {loss.item():.3f}, {time.perf_counter() - started:.0f} s", flush=True
            )


def looks_up(model: Any, tokenizer: Any, questions: Sequence[GraphQuestion]) -> float:
    """The share of words that it looks up rightly in graphs that it has not seen."""
    pairs = [pair for pair in lessons(questions, np.random.default_rng(1)) if pair[1] in ("yes", "no")]
    yes, no = (ids_of(tokenizer, word)[0] for word in ("yes", "no"))
    right = 0
    for at in range(0, len(pairs), 32):
        given = batch(tokenizer, pairs[at : at + 32])
        with torch.no_grad():
            logits = model(input_ids=given["input_ids"], attention_mask=given["attention_mask"]).logits
        ends = given["attention_mask"].sum(1) - 3  # before the answer and the end token
        told = logits[torch.arange(len(ends)), ends]
        for row, (_, answer) in zip(told, pairs[at : at + 32], strict=True):
            right += (row[yes] > row[no]).item() == (answer == "yes")
    return right / len(pairs)


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="graphqa-explagraphs")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    task = find_task(given.task)
    if not isinstance(task, GraphQATask):
        parser.error(f"{given.task} is not a task whose questions bring graphs")
    splits = task.splits(given.data)
    torch.manual_seed(given.seed)
    tokenizer = make_tokenizer([q.graph.as_csv() + q.prompt for q in splits.train] + [LOOK_UP, "yes", "no"])
    model = make_model(tokenizer, given.width, given.layers)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters, {len(tokenizer)} tokens")
    learn(model, tokenizer, splits.train, given.steps, given.seed)
    model.eval().save_pretrained(given.out)
    tokenizer.save_pretrained(given.out)
    print(f"looks up {looks_up(model, tokenizer, splits.validation):.1%} of words rightly in unseen graphs")


if __name__ == "__main__":
    main()
