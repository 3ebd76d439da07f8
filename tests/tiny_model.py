"""A tiny model with a tokenizer and a chat template that knows tools, made in a second or two.

    make_tiny_model(folder)                        of random weights: what it says is noise, all around it is real
    make_tiny_model(folder, says=["…", "…"])       taught to give these replies, whatever it is asked: the first in a
                                                   new conversation, the second after one reply of its own, …; or
                                                   after one Observation, where it is all in one message

It sees only the last few tokens (a sliding window), so that what it was taught holds after prompts of any length.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

LINES = [
    "Question: Which gene does the compound Zinc upregulate?",
    "Thought 1: I need to find the node Zinc.",
    "Action 1: RetrieveNode[Zinc], NeighbourCheck[Zinc, upregulates]",
    "Observation 1: The ID of this retrieval target node is Compound::DB01593.",
    '{"name": "RetrieveNode", "arguments": {"keyword": "Zinc"}}',
    "<tool_call> </tool_call> <think> </think> Finish[none]",
]
END = "<|end|>"
BEGIN = "<|assistant|>{turn}\n"  # a reply begins after this; `turn` counts those before it
TEMPLATE = """\
{%- set last = messages[-1].content or '' %}
{%- set turn = namespace(count=messages | selectattr('role', 'equalto', 'assistant') | list | length) %}
{%- if messages[-1].role == 'user' and 'Question:' in last %}
{%- set turn.count = turn.count + last.split('Question:')[-1].count('Observation ') %}
{%- endif %}
{%- if tools %}<|system|>
Tools:{% for tool in tools %} {{ tool | tojson }}{% endfor %}
{% endif %}
{%- for message in messages %}<|{{ message.role }}|>
{{ message.content or '' }}
{%- for call in message.tool_calls or [] %}
<tool_call>{{ call.function | tojson }}</tool_call>
{%- endfor %}<|end|>
{% endfor %}
{%- if add_generation_prompt -%}
<|assistant|>{{ turn.count }}
{% endif %}"""
CALLS = {  # how libraries tell calls from text
    "defaults": {"role": "assistant"},
    "start_anchor_pattern": r"<\|assistant\|>\d+\n",
    "fields": {
        "tool_calls": {
            "open_pattern": r"\s*<tool_call>",
            "close": "</tool_call>",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": r"\s*<\|end\|>", "content": "text"},
    },
}
WINDOW = 24  # tokens that the model looks back
ROWS = 4  # examples of each reply in a training step
STEPS = 400  # at most
LEARNT = 0.005  # mean loss at which every token of the replies is far likelier than any other


def make_tiny_model(
    folder: Path,
    context: int = 16_384,
    template: str = TEMPLATE,
    says: Sequence[str] = (),
    parses: bool = False,
) -> Path:
    """Make the model in a folder. `context` is the longest prompt and reply together, in tokens.

    `parses` lets the tokenizer say how to tell calls from text, for servers that ask it.
    """
    import torch
    from transformers import MistralConfig, MistralForCausalLM
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    torch.set_num_threads(1)  # its products are too small to share, and tests run side by side
    tokenizer = make_tokenizer([*LINES, *says], context)
    tokenizer.chat_template = template or None
    if parses:
        tokenizer.response_template = CALLS
    torch.manual_seed(0)
    config = MistralConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=context,
        sliding_window=WINDOW,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        # Wide enough that different prompts get different noise; a model that is taught begins small.
        initializer_range=0.1 if says else 0.4,
    )
    model = MistralForCausalLM(config)
    if says:
        teach(model, tokenizer, says)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def make_tokenizer(lines: Sequence[str], context: int) -> Any:
    """A byte-level tokenizer trained on a few lines: it can spell everything."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    base = Tokenizer(models.BPE())
    base.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    base.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=512, special_tokens=[END], initial_alphabet=alphabet, show_progress=False
    )
    base.train_from_iterator(lines, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=base, eos_token=END, pad_token=END, model_max_length=context
    )


def teach(model: Any, tokenizer: Any, says: Sequence[str]) -> None:
    """Train the model to go on with these replies after any noise."""
    import torch

    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for _ in range(STEPS):
        ids, labels = lesson(tokenizer, says)
        loss = model(input_ids=ids, labels=labels).loss
        if loss < LEARNT:
            return
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    raise AssertionError(f"the tiny model did not learn its replies: loss {loss:.3f}")


def lesson(tokenizer: Any, says: Sequence[str]) -> tuple[Any, Any]:
    """Token ids and labels of one training step: each reply after noise; the noise is not to be learnt."""
    import torch

    begins = [tokenizer(END + "\n" + BEGIN.format(turn=turn))["input_ids"] for turn in range(len(says))]
    replies = [[*tokenizer(text)["input_ids"], tokenizer.eos_token_id] for text in says]
    length = WINDOW + max(len(begin) + len(reply) for begin, reply in zip(begins, replies, strict=True))
    ids = torch.randint(1, len(tokenizer), (ROWS * len(says), length))
    labels = torch.full_like(ids, -100)
    for row in range(len(ids)):
        begin, reply = begins[row % len(says)], replies[row % len(says)]
        ids[row, -len(begin) - len(reply) :] = torch.tensor([*begin, *reply])
        labels[row, -len(reply) :] = torch.tensor(reply)
    return ids, labels
