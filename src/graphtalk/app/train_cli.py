"""The commands of `graphtalk train`. Like those of `main`, they only read their options."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.first import Listed
from graphtalk.app.options import AsJson, EarlyStop, Temperature, TopK, TopP, Unconstrained

app = typer.Typer(
    name="train",
    help="Train graph soft prompts, and LoRA, for local language models.",
    cls=Listed,
    no_args_is_help=True,
    rich_markup_mode=None,
)


class SettingName(StrEnum):
    """The settings of the paper."""

    INFERENCE_ONLY = "inference-only"
    PROMPT_TUNING = "prompt-tuning"
    GRAPH_TOKEN = "graph-token"
    FROZEN = "frozen"
    LORA_ONLY = "lora-only"
    LORA = "lora"


class Encoder(StrEnum):
    """The graph encoders."""

    GT = "gt"
    GAT = "gat"
    GCN = "gcn"


class Optimizer(StrEnum):
    """Optimisers."""

    ADAMW = "adamw"
    ADAMW_8BIT = "adamw-8bit"


OptimizerName = Annotated[
    Optimizer, typer.Option(help="AdamW; adamw-8bit keeps its states in 8 bits, and needs an NVIDIA GPU.")
]


ProcessCount = Annotated[
    int,
    typer.Option(
        "--processes",
        min=1,
        metavar="N",
        help="Data-parallel processes, one per GPU.",
    ),
]


Offload = Annotated[
    bool,
    typer.Option(
        "--offload",
        help="Keep in main memory what the GPU cannot hold: activations, and weights of 8 bits; needs an NVIDIA GPU.",
    ),
]


class Part(StrEnum):
    """What an ablation leaves out."""

    ENCODER = "encoder"
    PROJECTION = "projection"
    TEXT = "text"
    RETRIEVAL = "retrieval"


@app.callback()
def root() -> None:
    """Nothing but the group: with one command alone, typer would make it the group itself."""


@app.command("g-retriever")
def g_retriever(
    context: typer.Context,
    task: Annotated[str, typer.Option(help="graphqa-explagraphs, graphqa-scenegraphs or graphqa-webqsp.")],
    lm: Annotated[str, typer.Option(help="A local model: hf:FOLDER, or hf:NAME on the Hugging Face hub.")],
    data: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the task's data.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the training; resumed if there.")],
    setting: Annotated[
        SettingName, typer.Option(help="What the model is given, and what is trained.")
    ] = SettingName.FROZEN,
    encoder: Annotated[Encoder, typer.Option(help="The graph encoder.")] = Encoder.GT,
    ablate: Annotated[list[Part] | None, typer.Option(help="Leave a part out; repeatable.")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Epochs at most.")] = 10,
    batch: Annotated[int, typer.Option(min=1, help="Examples of a batch.")] = 4,
    rate: Annotated[float, typer.Option(help="The learning rate after the first epoch.")] = 1e-5,
    layers: Annotated[int, typer.Option(min=1, help="Layers of the graph encoder.")] = 4,
    heads: Annotated[int, typer.Option(min=1, help="Attention heads of the graph encoder.")] = 4,
    hidden: Annotated[int, typer.Option(min=1, help="Width of the graph encoder.")] = 1024,
    text_tokens: Annotated[int, typer.Option(min=0, help="Tokens of the graph's text at most.")] = 512,
    answer_tokens: Annotated[int, typer.Option(min=1, help="Tokens of an answer at most.")] = 32,
    retrieve: Annotated[
        str, typer.Option(metavar="N,E,C", help="Prizes for N nodes and E edges at a cost of C an edge.")
    ] = "",
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first N examples of each split.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    seeds: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="How many trainings, with consecutive seeds, each in its own folder.",
        ),
    ] = 1,
    embedder: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Of nodes, edges and questions: minilm, static, or st:MODEL of sentence-transformers.",
        ),
    ] = "minilm",
    virtual_tokens: Annotated[int, typer.Option(min=1, help="Virtual tokens of prompt tuning.")] = 10,
    lora_rank: Annotated[int, typer.Option(min=1, help="Rank of LoRA.")] = 8,
    lora_alpha: Annotated[int, typer.Option(min=1, help="Scaling of LoRA.")] = 16,
    lora_dropout: Annotated[float, typer.Option(min=0.0, max=0.99, help="Dropout of LoRA.")] = 0.05,
    warmup: Annotated[float, typer.Option(min=0.0, help="Warm-up epochs.")] = 1.0,
    patience: Annotated[
        int, typer.Option(min=1, help="Epochs without a lower validation loss before training stops.")
    ] = 2,
    weight_decay: Annotated[float, typer.Option(min=0.0, help="Of AdamW.")] = 0.05,
    accumulate: Annotated[int, typer.Option(min=1, help="Batches per step of the optimiser.")] = 2,
    clip: Annotated[float, typer.Option(min=0.0, help="Norm at which gradients are clipped.")] = 0.1,
    eight_bit: Annotated[
        bool,
        typer.Option("--eight-bit", help="Read the language model's weights in 8 bits; needs an NVIDIA GPU."),
    ] = False,
    optimizer: OptimizerName = Optimizer.ADAMW,
    offload: Offload = False,
    processes: ProcessCount = 1,
    as_json: AsJson = False,
) -> None:
    """Train G-Retriever on a task of GraphQA, and score the test split.

    The settings are those of the paper: inference-only, prompt-tuning, graph-token (GraphToken), frozen (G-Retriever),
    lora-only, lora (G-Retriever with LoRA). The defaults are the paper's (appendix B). With --seeds N the trainings are in
    OUT/seed-0, OUT/seed-1, …, and mean and deviation are printed; `graphtalk bench report OUT/seed-*` has them in its tables. The same command again resumes a training
    that was killed, with the same result.

    \b
    Examples:
      graphtalk train g-retriever --task graphqa-explagraphs --lm hf:Qwen/Qwen3-0.6B --data explagraphs --out runs/gt
      graphtalk train g-retriever --task graphqa-webqsp --lm hf:models/llama --data webqsp --out runs/lora \\
        --setting lora --encoder gat
    """
    _launch(processes)
    from graphtalk.app import train
    from graphtalk.training.settings import Lengths, Lora, Schedule

    schedule = Schedule(
        epochs,
        batch,
        accumulate,
        rate,
        weight_decay,
        warmup=warmup,
        clip=clip,
        patience=patience,
        seed=seed,
        optimizer=optimizer.value,
        offload=offload,
    )
    chosen = train.Chosen(
        task,
        lm,
        data,
        out,
        setting.value,
        tuple(part.value for part in ablate or ()),
        encoder.value,
        layers,
        heads,
        hidden,
        Lengths(text_tokens, answer_tokens, virtual_tokens),
        Lora(lora_rank, lora_alpha, lora_dropout),
        schedule,
        limit=limit,
        retrieval=train.retrieval_of(retrieve),
        embedder=embedder,
        eight_bit=eight_bit,
    )
    raise typer.Exit(train.run(chosen, as_json, seeds, _given(context)))


def _given(context: typer.Context) -> list[str]:
    """The options that stand on the command line, by the names of their parameters."""
    sources = ((name, context.get_parameter_source(name)) for name in context.params)
    return [name for name, source in sources if source is not None and source.name == "COMMANDLINE"]


def _launch(count: int) -> None:
    """Run this command in so many processes, where it is not one of them, and end with their exit status."""
    from graphtalk.training.parallel import launch, launched

    if count > 1 and not launched():
        raise typer.Exit(launch(count, sys.argv[1:]))


class Outside(StrEnum):
    """What an annotator may write outside of calls."""

    COPY = "copy"
    FREE = "free"


@app.command("annotator")
def annotator(
    context: typer.Context,
    base: Annotated[str, typer.Option(help="offline, or a local model: hf:FOLDER, hf:NAME on the hub.")],
    data: Annotated[
        list[Path],
        typer.Option(metavar="FILE", help="Prompts, or a folder with files prompts_train; repeatable."),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the training; resumed if there.")],
    lora_rank: Annotated[int, typer.Option(min=0, help="Rank of LoRA; 0 trains all weights.")] = 8,
    lora_alpha: Annotated[int, typer.Option(min=1, help="LoRA is scaled by alpha / rank.")] = 16,
    lora_dropout: Annotated[float, typer.Option(min=0, max=0.9, help="Dropout before LoRA.")] = 0.05,
    eight_bit: Annotated[
        bool, typer.Option("--eight-bit", help="Read the weights in 8 bits, on a GPU.")
    ] = False,
    epochs: Annotated[int, typer.Option(min=1, help="Epochs.")] = 3,
    batch: Annotated[int, typer.Option(min=1, help="Prompts of a batch.")] = 32,
    accumulate: Annotated[int, typer.Option(min=1, help="Batches per step of the optimiser.")] = 1,
    rate: Annotated[float, typer.Option(help="The learning rate.")] = 1e-5,
    decay: Annotated[float, typer.Option(min=0, help="Weight decay.")] = 0.01,
    max_tokens: Annotated[
        int, typer.Option(min=8, help="Tokens of a text, and of its annotation, at most.")
    ] = 128,
    beams: Annotated[int, typer.Option(min=1, help="Beams when it annotates.")] = 5,
    top_k: TopK = 0,
    top_p: TopP = 1.0,
    temperature: Temperature = 0.0,
    early_stop: EarlyStop = False,
    unconstrained: Unconstrained = False,
    words: Annotated[
        Outside, typer.Option(help="Statements come back word for word, or in free words.")
    ] = Outside.COPY,
    optimizer: OptimizerName = Optimizer.ADAMW,
    offload: Offload = False,
    processes: ProcessCount = 1,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="The first N prompts alone.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Train a language model, with LoRA, to write graph calls into texts; or the offline annotator.

    Prompts are JSON lines that `graphtalk prompts` wrote, or lines "Input: … Output: …". Epochs, batch, rate, decay,
    tokens and beams are the paper's by default. The same command again resumes a training that was killed, with the
    same result. The offline annotator takes --data, --out, --limit, --seed and --json alone.

    \b
    Examples:
      graphtalk train annotator --base hf:Qwen/Qwen3-0.6B --data prompts/prompts_train --out runs/annotator --rate 1e-4
      graphtalk annotate "The bull graph has an order of [TBR]." --lm trained:runs/annotator
      graphtalk train annotator --base offline --data prompts/mine --out runs/mine
      graphtalk complete "The mine graph has [TBR] nodes." --lm trained:runs/mine --graph mine.gt
    """
    from graphtalk.app import train_annotator
    from graphtalk.lms.options import Decoding
    from graphtalk.training.annotator_lm.settings import Tuning, paper_schedule
    from graphtalk.training.settings import Lora

    lora = Lora(lora_rank, lora_alpha, lora_dropout) if lora_rank else None
    schedule = paper_schedule(epochs, batch, rate, decay, seed, accumulate, optimizer.value, offload)
    decoding = Decoding(beams, top_k, top_p, temperature, early_stop, unconstrained)
    tuning = Tuning(lora, schedule, eight_bit, max_tokens, words.value, decoding)
    train_annotator.refuse_unused(base, tuning, _given(context))
    _launch(processes)
    raise typer.Exit(train_annotator.run(base, data, out, tuning, limit, as_json))
