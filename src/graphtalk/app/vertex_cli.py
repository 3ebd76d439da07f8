"""The commands of `graphtalk vertex`. Like those of `main`, they only read their options."""

from enum import StrEnum
from typing import Annotated

import typer

from graphtalk.app.first import Listed
from graphtalk.app.options import AsJson, BaseUrl, BudgetUsd, Lm, Store
from graphtalk.core import UsageError

app = typer.Typer(
    name="vertex",
    help="Distributed algorithms, written once and run over all nodes of a graph.",
    cls=Listed,
    no_args_is_help=True,
    rich_markup_mode=None,
)


class EngineName(StrEnum):
    """What runs a program."""

    MEMORY = "memory"
    DUCKDB = "duckdb"
    SPARK = "spark"
    LM = "lm"


CardName = Annotated[
    str, typer.Argument(metavar="NAME", help="A card of `graphtalk vertex list`, or a TOML file.")
]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the library: one algorithm a card.

    \b
    Examples:
      graphtalk vertex list
    """
    from graphtalk.app import vertex

    vertex.list_cards(as_json)


@app.command()
def show(name: CardName, as_json: AsJson = False) -> None:
    """Show a card: its six parts in words, an example that is run, and its parameters.

    \b
    Examples:
      graphtalk vertex show shortest_path
      graphtalk vertex show pagerank --json     # the typed specification
    """
    from graphtalk.app import vertex

    vertex.show_card(name, as_json)


@app.command()
def run(
    store: Store,
    name: CardName,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter; nodes by id, sets with commas."),
    ] = None,
    engine: Annotated[EngineName, typer.Option(help="What runs it.")] = EngineName.MEMORY,
    max_rounds: Annotated[
        int | None, typer.Option(metavar="N", help="Rounds at most; the card says if not given.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--timeout", "--seconds", metavar="S", help="Seconds at most.")
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show what every round did.")] = False,
    states: Annotated[bool, typer.Option("--states", help="Give the final state of every node.")] = False,
    lm: Lm = "offline",
    base_url: BaseUrl = "",
    budget_usd: BudgetUsd = 0.0,
    as_json: AsJson = False,
) -> None:
    """Run an algorithm over all nodes of a graph, exactly.

    Says the answer, the rounds and the messages. Exit code 1: there is no answer, or it did not end.

    \b
    Examples:
      graphtalk vertex run atlas connectivity --set source=France --set target=Japan
      graphtalk vertex run mine.gt shortest_path --set source=1 --set weight=km
      graphtalk vertex run mine.gt pagerank --engine duckdb
      graphtalk vertex run mine.gt components --engine lm --lm openai:gpt-4o-mini --trace    # every node an agent
    """
    from graphtalk.app import vertex
    from graphtalk.app.settings import Settings

    if max_rounds is not None and max_rounds < 1:
        raise UsageError(f"--max-rounds {max_rounds}: give at least 1.")
    if seconds is not None and seconds <= 0:
        raise UsageError(f"--timeout {seconds:g}: give more than 0.")
    chosen = vertex.Chosen(
        store,
        name,
        tuple(settings or ()),
        engine.value,
        max_rounds,
        seconds,
        trace,
        states,
        Settings(lm, base_url=base_url, budget_usd=budget_usd),
    )
    raise typer.Exit(vertex.run(chosen, as_json))
