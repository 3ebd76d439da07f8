"""Options that several commands share."""

import inspect
from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, ParamSpec, TypeVar

import typer

from graphtalk.app.first import complete_graph
from graphtalk.core.limits import within

P = ParamSpec("P")
T = TypeVar("T")


class Written(StrEnum):
    """The spellings of the call language."""

    TOOLFORMER = "toolformer"
    GRAPH_COT = "graph-cot"
    JSON = "json"
    CYPHER = "cypher"


Store = Annotated[
    str,
    typer.Argument(
        metavar="STORE",
        help="A store, a file or folder, a built-in graph, or an address: duckdb:///FILE.",
        autocompletion=complete_graph,
    ),
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
        help="auto, offline, together, graph-cot, graph-cot-tools, graph-cot-plan, base, text-rag, graph-rag, "
        "graph-rag-2hop, graph-agents, g-retriever, g-retriever-list, zero-shot, zero-cot, cot-bag, kaping, question-only, "
        "toolformer. "
        "auto: offline without a model, g-retriever with a trained one, else together: the offline reader where it is sure, else "
        "graph-cot-plan."
    ),
]
BaseUrl = Annotated[str, typer.Option(metavar="URL", help="Where an OpenAI-compatible server listens.")]
BudgetUsd = Annotated[float, typer.Option(min=0.0, help="US dollars that may be spent; 0: no bound.")]
MaxSteps = Annotated[int, typer.Option(min=1, help="Most steps of one answer.")]
Strict = Annotated[bool, typer.Option("--strict", help="Refuse answers that no observation supports.")]
Prices = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Prices of models, in TOML, besides the built-in ones.")
]
Demos = Annotated[
    str,
    typer.Option(
        help="Graph-CoT's demonstrations: auto, none, academic, ecommerce, literature, healthcare, legal."
    ),
]
DemoCount = Annotated[
    int | None,
    typer.Option("--demo-count", min=0, metavar="N", help="How many demonstrations; all if not given."),
]
Search = Annotated[
    str,
    typer.Option(
        metavar="beam:N", help="With --reasoner graph-cot: keep N branches of steps, and merge their answers."
    ),
]
Retriever = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="How nodes are found whose name does not match exactly: keyword, static, minilm, or st:MODEL of sentence-transformers. "
        "If not given, names and then meaning.",
    ),
]
Depth = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=4,
        metavar="K",
        help="Hops around the found node that text-rag and graph-rag read: 0 the node alone.",
    ),
]
Draw = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Draw it too: a new file .svg, .png or .html.")
]
Cache = Annotated[Path | None, typer.Option(metavar="FILE", help="Cache the model's replies in this file.")]


class Preferred(StrEnum):
    """Whose answer is taken."""

    MODEL = "model"
    OFFLINE = "offline"


Prefer = Annotated[
    Preferred | None,
    typer.Option(
        help="With a model: ask it always, or only what the offline reader declines. If not given, the reader answers where it "
        "is sure."
    ),
]
LmTimeout = Annotated[
    float, typer.Option(metavar="S", min=0.001, help="Seconds that a reply of the model may take.")
]
Retries = Annotated[
    int,
    typer.Option(metavar="N", min=0, help="How often a busy model is asked again; a slow one at most once."),
]
Accept = Annotated[
    float | None,
    typer.Option(
        metavar="P",
        min=0.0,
        max=1.0,
        help="How sure a reading must be to be answered without a model, 0 to 1.",
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PLACE",
        help="A file, a folder or an address whose graphs calls may load by GL. Repeat for more.",
    ),
]
Beams = Annotated[
    int | None, typer.Option(min=1, help="With --lm trained:DIR: beams; those of the training if not given.")
]
TopK = Annotated[int, typer.Option(min=0, help="Sample from the K likeliest tokens; 0: from all.")]
TopP = Annotated[
    float, typer.Option(help="Sample from the likeliest tokens that add up to this probability.")
]
Temperature = Annotated[
    float, typer.Option(min=0.0, help="Sampling temperature; 0 takes the likeliest token.")
]
EarlyStop = Annotated[
    bool, typer.Option("--early-stop", help="Stop the search once there are as many finished texts as beams.")
]
Unconstrained = Annotated[bool, typer.Option("--unconstrained", help="Write without the grammar of calls.")]
EACH = 300.0  # seconds that one line of a file may take where nothing else is said
Timeout = Annotated[
    float | None, typer.Option(metavar="S", min=0.001, help="Seconds after which it stops; none by default.")
]
TimeoutEach = Annotated[
    float | None,
    typer.Option(
        metavar="S", min=0.001, help=f"Seconds for each; {EACH:g} for a line of --file if not given."
    ),
]


def timed(command: Callable[P, T]) -> Callable[..., T]:
    """The command with an option `--timeout`: after so many seconds it ends, wherever it is, with exit code 1."""

    @wraps(command)
    def run(timeout: float | None, *given: P.args, **named: P.kwargs) -> T:
        with within(timeout):
            return command(*given, **named)

    own = inspect.signature(command, eval_str=True)
    option = inspect.Parameter("timeout", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Timeout)
    run.__signature__ = own.replace(parameters=[*own.parameters.values(), option])  # type: ignore[attr-defined]
    return run
