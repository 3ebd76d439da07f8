"""A small causal language model, tokenizer and weights, trained from scratch on a task's own text.

    python scripts/train_small_lm.py --task graphqa-explagraphs --data FOLDER --out MODEL [--steps 1200]

It is for tests and measurements where no pretrained model is at hand: it learns the words of the training split and the
form of prompts and answers, and practises looking words up in textual graphs. It does not know the task: each prompt of the
task is followed by the answer to another one. Minutes on a core; the folder loads like any other (`hf:MODEL`).
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from graphtalk.benchmarks import find_task
from graphtalk.benchmarks.graphqa.questions import GraphQuestion, Splits
from graphtalk.benchmarks.graphqa.tasks import GraphQATask
from graphtalk.training.prompts import around
from induction import begin_with_induction
from look_ups import LOOK_UP, Turns, exercise, named_once, triples_of

BEGIN, END, PAD = "<s>", "</s>", "<pad>"
PERSON, MODEL = "<person>", "<model>"
TEMPLATE = (
    "{% for message in messages %}" + BEGIN + PERSON + "{{ message.content }}" + MODEL + "{% endfor %}"
)  # of one message: it knows no conversations
VOCABULARY = 2048
TEXTS = 600  # batches that the tokenizer is made of
LONGEST = 1024  # tokens that it reads
BATCH, TURNS = 8, 4  # conversations of a batch, and look-ups of a conversation
MOST = 20  # triples of an exercise
RATE = 3e-3
IGNORED, PROMPT, ANSWER = -100, 1, 2


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
        special_tokens=[PAD, BEGIN, END, PERSON, MODEL],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    base.train_from_iterator(texts, trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=base, bos_token=BEGIN, eos_token=END, pad_token=PAD, model_max_length=LONGEST
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def make_model(tokenizer: Any, width: int, layers: int, start: str) -> Any:
    """An untrained model. A start with `induction` soon learns to look words up."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=3 * width,
        num_hidden_layers=layers,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=LONGEST,
        rope_theta=1e6,
        attention_bias=True,
        initializer_range=0.06,
        tie_word_embeddings=False,  # what only answers say would push all words one way
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    model = LlamaForCausalLM(config)
    torch.nn.init.normal_(model.model.embed_tokens.weight)
    if start == "induction":
        begin_with_induction(model)
    return model


def task_prompts(questions: Sequence[GraphQuestion], noise: np.random.Generator) -> list[Turns]:
    """Each prompt of the task, with the answer to another one."""
    labels = noise.permutation([question.asked.gold.text for question in questions]).tolist()
    return [[(q.graph.as_csv() + q.prompt, label)] for q, label in zip(questions, labels, strict=True)]


def lessons(
    questions: Sequence[GraphQuestion], noise: np.random.Generator
) -> Iterator[tuple[list[Turns], bool]]:
    """Batches without end, and whether their prompts are to be learnt too: one of the task, then three of look-ups."""
    pool, left = triples_of(questions), list[Turns]()
    while True:
        if len(left) < BATCH:
            left = task_prompts(questions, noise)
            noise.shuffle(left)
        yield [left.pop() for _ in range(BATCH)], True
        for _ in range(3):
            triples = min(1 + int(noise.exponential(3.0)), MOST)
            count = max(BATCH // triples, 4)
            yield [exercise(pool, triples, TURNS, noise) for _ in range(count)], False


def ids_of(tokenizer: Any, text: str) -> list[int]:
    """The token ids of a text, with nothing around them."""
    ids: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return ids


def batch(tokenizer: Any, conversations: Sequence[Turns], prompts_too: bool) -> tuple[Any, Any, Any]:
    """Token ids, padded on the right, and the targets at each place: of the prompts, and of the answers."""
    before, end = around(tokenizer)
    rows, kinds = list[list[int]](), list[list[int]]()
    for turns in conversations:
        row, kind = list[int](), list[int]()
        for prompt, answer in turns:
            asked = [*before, *ids_of(tokenizer, prompt), *end]
            told = [*ids_of(tokenizer, answer), tokenizer.eos_token_id]
            row += asked + told
            kind += [PROMPT] * len(asked) + [ANSWER] * len(told)
        rows.append(row)
        kinds.append(kind)
    longest = min(max(map(len, rows)), LONGEST)
    ids, of = (torch.tensor([(row + [0] * longest)[:longest] for row in part]) for part in (rows, kinds))
    told_of = (PROMPT, ANSWER) if prompts_too else (ANSWER,)
    return ids, [torch.where(of == kind, ids, IGNORED)[:, 1:] for kind in told_of]


def loss_of(model: Any, ids: torch.Tensor, targets: Sequence[torch.Tensor]) -> torch.Tensor:
    """The sum of the mean losses over each kind of target. Only at targets are words predicted."""
    states = model.model(ids).last_hidden_state[:, :-1]
    found = [(target != IGNORED, target) for target in targets]
    return torch.stack(
        [torch.nn.functional.cross_entropy(model.lm_head(states[at]), target[at]) for at, target in found]
    ).sum()


def learn(model: Any, tokenizer: Any, splits: Splits, steps: int, seed: int) -> None:
    """Train the model on the training split, telling now and then how it does on graphs of the validation split."""
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, betas=(0.9, 0.95), weight_decay=0.01)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=steps, pct_start=0.1)
    started, losses = time.perf_counter(), list[float]()
    for step, lesson in enumerate(islice(lessons(splits.train, np.random.default_rng(seed)), steps), 1):
        loss = loss_of(model, *batch(tokenizer, *lesson))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        rates.step()
        optimiser.zero_grad()
        if not lesson[1]:
            losses.append(loss.item())
        if step % 50 == 0:
            told = f"look-ups' loss {np.mean(losses[-75:]):.3f}, right {looks_up(model, tokenizer, splits.validation, 50):.0%}"
            print(f"step {step}: {told}, {time.perf_counter() - started:.0f} s", flush=True)


def looks_up(model: Any, tokenizer: Any, questions: Sequence[GraphQuestion], count: int) -> float:
    """The share of nodes that it looks up rightly in graphs that it has not seen."""
    noise, right = np.random.default_rng(1), 0
    before, end = around(tokenizer)
    for question in questions[:count]:
        node = int(noise.choice(named_once(question.graph)))
        prompt = question.graph.as_csv() + LOOK_UP.format(node=question.graph.nodes[node])
        ids = [*before, *ids_of(tokenizer, prompt), *end]
        wanted = [*ids_of(tokenizer, str(node)), tokenizer.eos_token_id]
        with torch.no_grad():
            told = model(torch.tensor([ids + wanted])).logits[0, len(ids) - 1 : -1]
        right += told.argmax(-1).tolist() == wanted
    return right / min(count, len(questions))


def main() -> None:
    """Train and save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default="graphqa-explagraphs")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=1200)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--start", choices=("induction", "random"), default="induction")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    task = find_task(given.task)
    if not isinstance(task, GraphQATask):
        parser.error(f"{given.task} is not a task whose questions bring graphs")
    splits = task.splits(given.data)
    torch.manual_seed(given.seed)
    torch.set_flush_denormal(True)  # sharp heads make numbers too small to matter
    texts = islice(lessons(splits.train, np.random.default_rng(given.seed)), TEXTS)
    tokenizer = make_tokenizer(
        [part for lesson, _ in texts for turns in lesson for turn in turns for part in turn]
    )
    model = make_model(tokenizer, given.width, given.layers, given.start)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters, {len(tokenizer)} tokens")
    learn(model, tokenizer, splits, given.steps, given.seed)
    model.eval().save_pretrained(given.out)
    tokenizer.save_pretrained(given.out)
    print(
        f"looks up {looks_up(model, tokenizer, splits.validation, 400):.1%} of nodes rightly in unseen graphs"
    )


if __name__ == "__main__":
    main()
