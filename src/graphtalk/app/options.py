"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Store = Annotated[
    str, typer.Argument(metavar="STORE", help="A store, a file or folder, or a built-in graph.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Lm = Annotated[
    str,
    typer.Option(
        help="The language model: offline, openai:MODEL, anthropic:MODEL, hf:PATH_OR_NAME, trained:DIR (of "
        "graphtalk train), scripted:FILE."
    ),
]
Reasoner = Annotated[
    str,
    typer.Option(
        help="auto, offline, graph-cot, graph-cot-tools, graph-cot-plan, base, text-rag, graph-rag, "
        "graph-rag-2hop, graph-agents, g-retriever, zero-shot, zero-cot, cot-bag, kaping, question-only, "
        "toolformer. "
        "auto: offline without a model, g-retriever with a trained one, else graph-cot-plan."
    ),
]
BaseUrl = Annotated[str, typer.Option(metavar="URL", help="Where an OpenAI-compatible server listens.")]
BudgetUsd = Annotated[float, typer.Option(min=0.0, help="US dollars that may be spent; 0: no bound.")]
MaxSteps = Annotated[int, typer.Option(min=1, help="Steps of one answer at most.")]
Strict = Annotated[bool, typer.Option("--strict", help="Give no answer that nothing observed supports.")]
Prices = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Prices of models, in TOML; beside those known.")
]
Demos = Annotated[
    str,
    typer.Option(
        help="Graph-CoT's demonstrations: auto, none, academic, ecommerce, literature, healthcare, legal."
    ),
]
Cache = Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the model's replies here, for later.")]
