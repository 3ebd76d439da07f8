"""Tuning a causal language model to annotate, with LoRA or all of it.

It is G-Retriever's training without a graph: the same loop, checkpoints and way of being taken up again.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from graphtalk.core import JSON, UsageError
from graphtalk.lms.hf import HfLM
from graphtalk.reasoners.toolformer.constrained.tokens import Tokens
from graphtalk.training.annotator_lm.prompts import Pair, graphs_asked, items, split
from graphtalk.training.annotator_lm.settings import Tuning
from graphtalk.training.checkpoint import Checkpoints, Epoch
from graphtalk.training.facts import ANNOTATOR, keep_facts
from graphtalk.training.g_retriever import Design, GRetriever, make_model
from graphtalk.training.loop import Watch, optimiser_called, train
from graphtalk.training.parallel import processes
from graphtalk.training.settings import Lengths, Setting


def tune(
    base: str, pairs: Sequence[Pair], out: Path, tuning: Tuning, watch: Watch | None = None
) -> tuple[list[Epoch], int]:
    """Train in a folder, or take the training there up again. Returns its epochs, and how many prompts were too long.

    Raises UsageError where the model cannot be opened or trained so, or where the folder holds something else.
    """
    optimiser_called(tuning.schedule.optimizer)  # one that cannot be had is refused before a folder is made
    lm = open_base(base, tuning.eight_bit, tuning.schedule.offload)
    Tokens.of(
        lm.tokenizer
    )  # one that no text can be held to a grammar by is refused before anything is learnt
    training, validation = split(pairs, tuning.schedule.seed)
    parts = [items(lm.tokenizer, part, tuning.length) for part in (training, validation)]
    left_out = len(pairs) - sum(map(len, parts))
    if not all(parts):
        raise UsageError(
            f"Of {len(pairs):,} prompts, {left_out:,} have more than {tuning.length} tokens: too few are left to learn "
            "from. Give more prompts, or a larger --max-tokens."
        )
    model = learner(lm, tuning)
    settings = json.loads(json.dumps(asdict(tuning)))
    told: dict[str, JSON] = {"examples": [*map(len, parts)], "graphs": [*graphs_asked(pairs)]}
    together = processes()
    if together.first:
        keep_facts(out, {"format": ANNOTATOR, "lm": base, "tuning": settings, **told})
    return train(model, parts[0], parts[1], tuning.schedule, Checkpoints(out), watch, together), left_out


def learner(lm: HfLM, tuning: Tuning) -> GRetriever:
    """The model as it is trained: without a soft prompt, with LoRA or with all its weights."""
    lora = tuning.lora
    design = Design(Setting("none", lora=lora is not None), lengths=Lengths(answer=tuning.length))
    if lora is not None:
        design = Design(design.setting, lora=lora, lengths=design.lengths)
    model = make_model(lm.model, design, np.zeros((1, 1), np.float32), tuning.schedule.seed)
    if lora is None:
        lm.model.requires_grad_(True)
    return model


def open_base(base: str, eight_bit: bool, offload: bool) -> HfLM:
    """The model that is tuned. Raises UsageError where it cannot be loaded so, or has no end token."""
    lm = opened(base, eight_bit, offload)
    if lm.tokenizer.eos_token_id is None:
        raise UsageError(
            f"The tokenizer of {base} has no token for the end of a text; an annotation needs one."
        )
    return lm


def opened(base: str, eight_bit: bool, offload: bool) -> HfLM:
    """A model to be trained; weights that the GPU cannot hold are in main memory, those of 8 bits only with `offload`.

    Raises UsageError where it cannot be loaded so.
    """
    import torch

    for name, asked in (("--eight-bit", eight_bit), ("--offload", offload)):
        if asked and not torch.cuda.is_available():
            raise UsageError(f"{name} needs an NVIDIA GPU, and there is none: leave it out.")
    return _in_eight_bits(base, offload) if eight_bit else HfLM.open(base, processes().place)


def _in_eight_bits(base: str, offload: bool) -> HfLM:
    """A model whose weights are read in 8 bits, ready for LoRA or soft prompts. Raises UsageError where that cannot be."""
    if find_spec("bitsandbytes") is None:
        raise UsageError(
            "--eight-bit needs bitsandbytes, which is not installed: python -m pip install bitsandbytes."
        )
    from peft import prepare_model_for_kbit_training
    from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig

    try:
        tokenizer = AutoTokenizer.from_pretrained(base, trust_remote_code=False)
        model = AutoModelForCausalLM.from_pretrained(
            base,
            quantization_config=BitsAndBytesConfig(
                load_in_8bit=True, llm_int8_enable_fp32_cpu_offload=offload
            ),
            device_map=processes().place,
            trust_remote_code=False,
        )
    except (OSError, ValueError, RuntimeError, ImportError) as error:
        raise UsageError(
            f"Cannot load the model {base} in 8 bits: {str(error).partition(chr(10))[0]}"
        ) from error
    return HfLM(f"hf:{base}", prepare_model_for_kbit_training(model), tokenizer)
