"""`graphtalk solve`: its options. What it does is in `app/solve.py`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.options import AsJson, BaseUrl, BudgetUsd, Lm, LmTimeout, Retries, TimeoutEach
from graphtalk.core import UsageError


class Run(StrEnum):
    """Who runs the steps of a node."""

    COMPILED = "compiled"
    LM = "lm"


def solve(
    problem: Annotated[
        str | None,
        typer.Argument(metavar="PROBLEM", help="A graph and a question about it, in words; - for stdin."),
    ] = None,
    file: Annotated[Path | None, typer.Option(help='Problems: {"id", "question"} per line.')] = None,
    out: Annotated[
        Path | None, typer.Option(help="Answers to --file, one line each; resumed if there.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Problems of a file solved at the same time.")] = 1,
    lm: Lm = "offline",
    agents: Annotated[
        Run, typer.Option(help="Nodes as compiled steps, or each asked of the model.")
    ] = Run.COMPILED,
    check: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=1.0,
            help="Share of the model's agents whose replies are checked against the exact step.",
        ),
    ] = 1.0,
    keep: Annotated[
        Path | None, typer.Option(help="Keep the rounds of the model's agents here, to resume.")
    ] = None,
    spread: Annotated[
        str,
        typer.Option(
            metavar="N|tcp://HOST:PORT",
            help="Ask the model from so many processes, or from the workers of a Dask cluster.",
        ),
    ] = "",
    base_url: BaseUrl = "",
    budget_usd: BudgetUsd = 0.0,
    timeout: TimeoutEach = None,
    lm_timeout: LmTimeout = 60.0,
    retries: Retries = 5,
    as_json: AsJson = False,
    trace: Annotated[
        bool,
        typer.Option(
            "--trace", help="Show the rounds: their messages and new states, of large graphs a sample."
        ),
    ] = False,
    draw: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the states of each round: a new file .svg, of small graphs."),
    ] = None,
) -> None:
    """Solve a graph problem that is told in words.

    The graph is read from the text, the algorithm chosen by what is asked, run by all nodes together, and summed up.
    Without a model the answer is exact. With --file every line gets a line in --out, in the same order.

    \b
    Examples:
      graphtalk solve "The edges are: (0,1,2) (1,2,2) (0,2,9). What is the shortest path from node 0 to node 2?"
      graphtalk solve "Ann knows Bob. Bob knows Cid. Is there a cycle?" --trace --draw rounds.svg
      graphtalk solve --file problems.jsonl --out answers.jsonl --workers 2
      graphtalk solve - --json < problem.txt
    """
    from graphtalk.app import solve as solving
    from graphtalk.app.settings import Settings

    if spread and lm == "offline":
        raise UsageError("--spread asks a language model from several processes: give one with --lm.")
    if (keep is not None or check != 1.0) and agents.value != "lm":
        raise UsageError("--check and --keep are of the model's agents: give --agents lm too.")
    if file is not None and (trace or draw is not None):
        raise UsageError("--trace and --draw go with one PROBLEM, not with --file.")
    chosen = solving.SolveSettings(
        Settings(
            lm=lm,
            base_url=base_url,
            budget_usd=budget_usd,
            lm_timeout=lm_timeout,
            retries=retries,
            spread=spread,
        ),
        agents.value,
        check,
        keep,
        timeout,
    )
    if file is not None and problem is None:
        if out is None:
            raise UsageError("--file needs --out: where the answers go.")
        code = solving.file(file, out, chosen, workers)
    elif problem is not None and file is None:
        if out is not None:
            raise UsageError("--out goes with --file; use > to keep one answer.")
        text = typer.get_text_stream("stdin").read() if problem == "-" else problem
        code = solving.one(text, chosen, as_json, trace, draw)
    else:
        raise UsageError("Give one PROBLEM, or --file with problems.")
    raise typer.Exit(code)
