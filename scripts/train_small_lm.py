"""A small causal language model, tokenizer and weights, trained from scratch on a task's own text.

    python scripts/train_small_lm.py --task graphqa-explagraphs --data FOLDER --out MODEL [--steps 3000]

It is for tests and measurements where no pretrained model is at hand: it learns the words of the training split and the
form of prompts and answers, and practises looking words up in textual graphs. It does not know the task: each prompt of the
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
from graphtalk.benchmarks.graphqa.questions import GraphQuestion, Splits
from graphtalk.benchmarks.graphqa.tasks import GraphQATask
from graphtalk.training.prompts import around
from graphtalk.training.text_graphs import TextGraph

BEGIN, END, PAD = "<s>", "</s>", "<pad>"
PERSON, MODEL = "<person>", "<model>"
TEMPLATE = (
    "{% for message in messages %}" + BEGIN + PERSON + "{{ message.content }}" + MODEL + "{% endfor %}"
)  # of one message: it knows no conversations
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


def words_of(graph: TextGraph) -> list[str]:
    """The words of a graph's nodes that are worth looking up, each once."""
    return list(dict.fromkeys(word for node in graph.nodes for word in node.split() if len(word) > 3))


def exercise(pool: Sequence[tuple[str, str, str]], noise: np.random.Generator) -> tuple[str, str]:
    """A word to look up in a graph of triples drawn from all graphs: too many to be learnt by heart."""
    triples = [pool[place] for place in noise.integers(len(pool), size=noise.integers(1, 7))]
    graph = TextGraph.of_triples(triples)
    other = TextGraph.of_triples([pool[noise.integers(len(pool))]])
    there, elsewhere = words_of(graph) or ["none"], words_of(other) or ["other"]
    word = str(noise.choice(there if noise.integers(2) else elsewhere))
    return graph.as_csv() + LOOK_UP.format(word=word), "yes" if word in there else "no"


def triples_of(questions: Sequence[GraphQuestion]) -> list[tuple[str, str, str]]:
    """All triples of their graphs."""
    return [
        (q.graph.nodes[source], relation, q.graph.nodes[target])
        for q in questions
        for source, relation, target in zip(q.graph.ends[0], q.graph.edges, q.graph.ends[1], strict=True)
    ]


def lessons(questions: Sequence[GraphQuestion], noise: np.random.Generator) -> list[tuple[str, str]]:
    """Prompts with answers: each prompt of the task with the answer to another, and twice as many look-ups."""
    labels = noise.permutation([question.asked.gold.text for question in questions]).tolist()
    found = [(q.graph.as_csv() + q.prompt, label) for q, label in zip(questions, labels, strict=True)]
    pool = triples_of(questions)
    return found + [exercise(pool, noise) for _ in range(2 * len(questions))]


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


def learn(model: Any, tokenizer: Any, splits: Splits, steps: int, seed: int) -> None:
    """Train the model on the training split, telling now and then how it does on graphs of the validation split."""
    noise = np.random.default_rng(seed)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.95), weight_decay=0.01)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps, pct_start=0.1)
    started, left = time.perf_counter(), list[tuple[str, str]]()
    for step in range(steps):
        if len(left) < 16:
            left = lessons(splits.train, noise)
            noise.shuffle(left)
        loss = model(**batch(tokenizer, [left.pop() for _ in range(16)])).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        rates.step()
        optimiser.zero_grad()
        if step % 250 == 249:
            found = looks_up(model, tokenizer, splits.validation, 100)
            seconds = time.perf_counter() - started
            print(
                f"step {step + 1}: loss {loss.item():.3f}, looks up {found:.0%}, {seconds:.0f} s", flush=True
            )


def looks_up(model: Any, tokenizer: Any, questions: Sequence[GraphQuestion], count: int = 400) -> float:
    """The share of words that it looks up rightly in graphs of triples that it has not seen."""
    noise, pool = np.random.default_rng(1), triples_of(questions)
    before, end = around(tokenizer)
    yes, no = (ids_of(tokenizer, word)[0] for word in ("yes", "no"))
    right = 0
    for prompt, answer in [exercise(pool, noise) for _ in range(count)]:
        ids = torch.tensor([[*before, *ids_of(tokenizer, prompt), *end]])
        with torch.no_grad():
            told = model(ids).logits[0, -1]
        right += (told[yes] > told[no]).item() == (answer == "yes")
    return right / count


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
    texts = lessons(splits.train, np.random.default_rng(given.seed))
    tokenizer = make_tokenizer([part for lesson in texts for part in lesson])
    model = make_model(tokenizer, given.width, given.layers)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters, {len(tokenizer)} tokens")
    learn(model, tokenizer, splits, given.steps, given.seed)
    model.eval().save_pretrained(given.out)
    tokenizer.save_pretrained(given.out)
    print(f"looks up {looks_up(model, tokenizer, splits.validation):.1%} of words rightly in unseen graphs")


if __name__ == "__main__":
    main()
