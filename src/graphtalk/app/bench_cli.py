"""The commands of `graphtalk bench`. Like those of `main`, they only read their options."""

from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.first import Listed
from graphtalk.app.options import (
    AsJson,
    BaseUrl,
    BudgetUsd,
    Cache,
    DemoCount,
    Demos,
    Depth,
    Lm,
    LmTimeout,
    MaxSteps,
    Prices,
    Reasoner,
    Retries,
    Retriever,
    Search,
    Strict,
    timed,
)
from graphtalk.core import UsageError

app = typer.Typer(
    name="bench",
    help="Run benchmarks, and report, resume and replay the runs.",
    cls=Listed,
    no_args_is_help=True,
    rich_markup_mode=None,
)

TaskName = Annotated[str, typer.Argument(metavar="TASK", help="A task of `graphtalk bench list`.")]
GraphStore = Annotated[str, typer.Option("--graph", metavar="STORE", help="The graph that is asked about.")]
PerTemplate = Annotated[int, typer.Option(metavar="N", help="Questions to make of each template.")]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", help="Questions asked at once: 8 if not given, 1 without a language model."),
]
Templates = Annotated[
    str, typer.Option("--templates", metavar="A,B,…", help="Only questions of these templates.")
]
Without = Annotated[str, typer.Option("--except", metavar="A,B,…", help="No questions of these templates.")]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the tasks, what graph each is about, and how it is scored.

    \b
    Examples:
      graphtalk bench list
    """
    from graphtalk.app import bench

    raise typer.Exit(bench.list_tasks(as_json))


@app.command()
@timed
def run(
    task: TaskName,
    graph: GraphStore = "",
    out: Annotated[
        Path | None, typer.Option(metavar="RUN_DIR", help="The folder of the run; resumed if there.")
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="The questions; made for the graph if not given."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder of a data set, where a task reads one."),
    ] = None,
    reasoner: Reasoner = "auto",
    lm: Lm = "offline",
    limit: Annotated[int | None, typer.Option(metavar="N", help="Only the first so many questions.")] = None,
    workers: Workers = None,
    per_template: PerTemplate = 10,
    generate: Annotated[bool, typer.Option("--generate", help="Generate new questions.")] = False,
    count: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many questions to generate, for a task without templates."),
    ] = None,
    nodes: Annotated[
        str, typer.Option(metavar="A:B", help="Fewest and most nodes of generated graphs.")
    ] = "",
    base_url: BaseUrl = "",
    budget_usd: BudgetUsd = 0.0,
    max_steps: MaxSteps = 15,
    strict: Strict = False,
    prices: Prices = None,
    demos: Demos = "auto",
    demo_count: DemoCount = None,
    retriever: Retriever = "",
    depth: Depth = None,
    search: Search = "",
    temperature: Annotated[float, typer.Option(help="Sampling temperature of the language model.")] = 0.0,
    seed: Annotated[
        int, typer.Option(help="Random seed, of the language model and of generated questions.")
    ] = 0,
    judge: Annotated[
        str, typer.Option(metavar="LM", help="A language model that says which answers are right.")
    ] = "",
    judge_base_url: Annotated[
        str, typer.Option(metavar="URL", help="The judge's server, if it is not that of --base-url.")
    ] = "",
    cache: Cache = None,
    lm_timeout: LmTimeout = 60.0,
    retries: Retries = 5,
    as_json: AsJson = False,
) -> None:
    """Ask all questions of a task, and score the answers.

    The same command again resumes a run that was killed, stopped by Ctrl-C or by its budget: what is recorded is
    kept, and no exchange with a model is paid for twice. --budget-usd bounds the run as a whole. A broken line of
    the questions is named and left out. Exit code 1: lines were broken, or questions are left; 130: Ctrl-C.

    \b
    Examples:
      graphtalk bench run grbench-healthcare --graph hetionet.gt --out runs/offline
      graphtalk bench run grbench-healthcare --graph hetionet.gt --questions data.jsonl --reasoner graph-cot \\
        --lm openai:gpt-4o-mini --budget-usd 2 --judge openai:gpt-4o --out runs/graph-cot
      graphtalk bench run metaqa-1hop --data MetaQA --reasoner g-retriever --out runs/metaqa
      graphtalk bench run nlgraph-cycle --data NLGraph --out runs/cycle
      graphtalk bench run graphinstruct-cycle --generate --nodes 5:100 --count 50 --seed 1 --out runs/new
    """
    from graphtalk.app import bench
    from graphtalk.app.settings import Settings

    _at_least_1("--workers", workers)
    _at_least_1("--limit", limit)
    _at_least_1("--per-template", per_template)
    _at_least_1("--count", count)
    settings = Settings(
        lm=lm,
        reasoner=reasoner,
        base_url=base_url,
        prices=prices,
        budget_usd=budget_usd,
        max_steps=max_steps,
        demos=demos,
        demo_count=demo_count,
        retriever=retriever,
        depth=depth,
        search=search,
        strict=strict,
        temperature=temperature,
        seed=seed,
        cache=cache,
        lm_timeout=lm_timeout,
        retries=retries,
    )
    if questions is not None and data is not None:
        raise UsageError("Give --questions or --data, not both: each says where the questions are.")
    if generate and (questions or data):
        raise UsageError("--generate makes questions; leave out --questions and --data.")
    chosen = bench.Chosen(
        task,
        graph,
        Path(_needed("--out", str(out or ""))),
        settings,
        questions or data,
        count or per_template,
        nodes,
        limit,
        workers,
        judge,
        judge_base_url or base_url,
    )
    raise typer.Exit(bench.run(chosen, as_json))


@app.command()
@timed
def generate(
    task: TaskName,
    graph: GraphStore = "",
    per_template: PerTemplate = 10,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where they go; standard output if not given.")
    ] = None,
    paraphrase_lm: Annotated[
        str, typer.Option(metavar="LM", help="A language model that finds other wordings.")
    ] = "",
    base_url: BaseUrl = "",
) -> None:
    """Make questions with their answers for any graph that fits a task.

    \b
    Examples:
      graphtalk bench generate grbench-healthcare --graph hetionet.gt --per-template 10 --out questions.jsonl
    """
    from graphtalk.app import bench

    _at_least_1("--per-template", per_template)
    raise typer.Exit(bench.generate(task, graph, per_template, seed, out, paraphrase_lm, base_url))


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN_DIR...", help="Folders of runs or trainings.")],
    templates: Templates = "",
    without: Without = "",
    plots: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Draw figures into this folder, as PNG and SVG.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the tables of runs and of trainings, the paper's figures beside ours.

    \b
    Examples:
      graphtalk bench report runs/offline runs/graph-cot
      graphtalk bench report trained/frozen trained/lora    # folders of `graphtalk train`
      graphtalk bench report runs/* --plots figures
    """
    from graphtalk.app import bench

    shown = bench.Shown(_names(templates), _names(without), as_json, plots)
    raise typer.Exit(bench.show_report(runs, shown))


@app.command()
@timed
def replay(
    run: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="The folder of a run.")],
    graph: Annotated[
        str, typer.Option("--graph", metavar="STORE", help="The graph, if it is not where it was.")
    ] = "",
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Ask a run's questions again from its recording, with no model, and score them again.

    Every question whose record comes out otherwise is named, and the exit code is 1 then.

    \b
    Examples:
      graphtalk bench replay runs/graph-cot
    """
    from graphtalk.app import bench

    _at_least_1("--workers", workers)
    raise typer.Exit(bench.show_replay(run, graph, workers, as_json))


def _at_least_1(option: str, number: int | None) -> None:
    if number is not None and number < 1:
        raise UsageError(f"{option} {number}: give at least 1.")


def _needed(option: str, given: str) -> str:
    if not given:
        raise UsageError(f"{option} is missing.")
    return given


def _names(listed: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in listed.split(",") if name.strip())
