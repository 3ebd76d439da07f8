"""`graphtalk ask` and `graphtalk chat`: what they take, and what goes together."""

from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.options import (
    Accept,
    AsJson,
    BaseUrl,
    BudgetUsd,
    Cache,
    DemoCount,
    Demos,
    Depth,
    Draw,
    Lm,
    LmTimeout,
    MaxSteps,
    Prefer,
    Prices,
    Reasoner,
    Retries,
    Retriever,
    Search,
    Store,
    Strict,
    TimeoutEach,
    Written,
)  # fmt: skip
from graphtalk.core import UsageError


def ask(
    store: Store,
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="In plain language.")] = None,
    file: Annotated[Path | None, typer.Option(help='Questions: {"id", "question"} per line.')] = None,
    out: Annotated[
        Path | None, typer.Option(help="Answers to --file, one line each; resumed if there.")
    ] = None,
    lm: Lm = "offline",
    reasoner: Reasoner = "auto",
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
    cache: Cache = None,
    accept: Accept = None,
    choose: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=4, help="Answer by the Nth of the readings that were offered."),
    ] = 0,
    timeout: TimeoutEach = None,
    lm_timeout: LmTimeout = 60.0,
    retries: Retries = 5,
    prefer: Prefer = None,
    concurrency: Annotated[
        int, typer.Option(min=1, metavar="N", help="Lines of --file that a model is asked at once.")
    ] = 1,
    workers: Annotated[
        int,
        typer.Option(
            min=1, max=1_024, metavar="N", help="Processes that answer lines of --file without a model."
        ),
    ] = 1,
    as_json: AsJson = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show the steps.")] = False,
    spelling: Annotated[Written | None, typer.Option(help="How the calls of one answer are shown.")] = None,
    draw: Draw = None,
) -> None:
    """Ask a question, or a file of questions.

    Where no reading of the question is sure enough, nothing is answered, and up to four readings are offered: choose one.
    With - for the question, those of standard input are asked, one a line, and answered as they come. With --file every line gets a line in --out, in the same order. Answers that --out already has are kept; what came to
    nothing for want of money, time or a model is asked again.
    A line of a .jsonl file is {"id": ..., "question": ...}, one of a text file a question.
    A broken line is named and left out, the rest is asked, and the exit code is 1.

    \b
    Examples:
      graphtalk ask atlas "Which countries border both France and Germany?"
      graphtalk ask atlas "What is the capital of Japan?" --json
      graphtalk ask atlas "Which country is larger than Spain?" --accept 0.95     # answer only what is surer
      graphtalk ask atlas "Which rivers are in Brazil?" --choose 2
      graphtalk ask atlas "What is the capital of Japan?" --trace --spelling cypher
      graphtalk ask atlas "Which countries border Peru?" --draw peru.svg
      cat questions.txt | graphtalk ask atlas -
      graphtalk ask hetionet.gt --file questions.jsonl --out answers.jsonl --workers 8
      graphtalk ask atlas "Which countries border Peru?" --lm openai:gpt-4o-mini --budget-usd 0.05 --trace
      graphtalk ask mine.gt "Who knows Bob?" --lm openai:qwen3 --base-url http://localhost:11434/v1
    """
    from graphtalk.app import commands
    from graphtalk.app.settings import Settings

    settings = Settings(
        lm=lm,
        reasoner=reasoner,
        base_url=base_url,
        budget_usd=budget_usd,
        max_steps=max_steps,
        strict=strict,
        prices=prices,
        demos=demos,
        demo_count=demo_count,
        retriever=retriever,
        depth=depth,
        search=search,
        cache=cache,
        lm_timeout=lm_timeout,
        retries=retries,
        prefer="" if prefer is None else prefer.value,
        accept=accept,
    )
    _check(question, file, out, draw, choose)
    if file is not None and out is not None:
        code = commands.ask_file(store, file, out, settings, trace, timeout, concurrency, workers)
    elif question is None or question == "-":
        code = commands.ask_lines(store, settings, as_json, trace, timeout)
    else:
        code = commands.ask_one(
            store,
            question,
            settings,
            as_json,
            trace,
            timeout,
            None if spelling is None else spelling.value,
            draw,
            choose,
        )
    raise typer.Exit(code)


def _check(question: str | None, file: Path | None, out: Path | None, draw: Path | None, choose: int) -> None:
    """Raise UsageError where what was given does not go together: one question, those of a file, or those of standard input."""
    if (question is None) == (file is None):
        raise UsageError("Give one QUESTION, or --file with questions.")
    if file is not None and choose:
        raise UsageError("--choose goes with one QUESTION.")
    if file is not None and out is None:
        raise UsageError("--file needs --out: where the answers go.")
    if question == "-" and (out is not None or draw is not None):
        raise UsageError("With - answers go to standard output: no --out and no --draw.")
    if question is not None and out is not None:
        raise UsageError("--out goes with --file; use > to keep one answer.")


def chat(
    store: Store,
    lm: Lm = "offline",
    reasoner: Reasoner = "auto",
    base_url: BaseUrl = "",
    budget_usd: BudgetUsd = 0.0,
    max_steps: MaxSteps = 15,
    timeout: TimeoutEach = None,
    lm_timeout: LmTimeout = 60.0,
    retries: Retries = 5,
    prefer: Prefer = None,
) -> None:
    """Ask question after question in the terminal.

    /help lists what else it understands. Questions may also be piped in, one a line.

    \b
    Examples:
      graphtalk chat atlas
      printf 'What is the capital of Japan?\\n' | graphtalk chat atlas
    """
    from graphtalk.app import chat as conversation
    from graphtalk.app.settings import Settings

    settings = Settings(
        lm,
        reasoner,
        base_url,
        budget_usd=budget_usd,
        max_steps=max_steps,
        lm_timeout=lm_timeout,
        retries=retries,
        prefer="" if prefer is None else prefer.value,
    )
    conversation.run(store, settings, timeout)
