"""The command line: `graphtalk --help`. Commands only read their options and call the rest of `app`.

Exit codes: 0 done or answered; 1 could not answer, a call failed, a verification differs; 2 wrong usage.
Whatever is heavy is imported inside a command, so that help is instant.
"""

import atexit
import gc
import os
import sys
from copy import copy
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app import console
from graphtalk.app.ask_cli import ask, chat
from graphtalk.app.bench_cli import app as bench
from graphtalk.app.edit_cli import diff, update
from graphtalk.app.export_cli import export
from graphtalk.app.first import GREETING, Commands
from graphtalk.app.hub_cli import app as hub
from graphtalk.app.options import AsJson, Draw, Store, Written, timed
from graphtalk.app.prompts_cli import app as prompts
from graphtalk.app.query_cli import query
from graphtalk.app.serve_cli import mcp, serve
from graphtalk.app.solve_cli import solve
from graphtalk.app.toolformer_cli import annotate, complete
from graphtalk.app.train_cli import app as train
from graphtalk.app.vertex_cli import app as vertex
from graphtalk.core import GraphtalkError, UsageError
from graphtalk.core.reading import faults, in_words

app = typer.Typer(
    name="graphtalk",
    help="Talk with your graphs: questions in plain language, answers with evidence that exists.",
    epilog="STORE is a store's folder, a file or folder to import on the fly (cached), a built-in graph: "
    "atlas, gpr, or a data set that `hub fetch` brought. Exit codes: 0 answered, 1 could not answer, 2 wrong usage. "
    "GRAPHTALK_DEBUG=1 shows where an error came from.",
    cls=Commands,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


class MissingNodes(StrEnum):
    """What an import does with an edge to a node that is not there."""

    STOP = "stop"
    SKIP = "skip"
    ADD = "add"


class BadLines(StrEnum):
    """What an import does with a bad line."""

    STOP = "stop"
    SKIP = "skip"


class Prizes(StrEnum):
    """The rules by which a retrieval gives prizes."""

    SPREAD = "spread"
    PAPER = "paper"


app.add_typer(bench)
app.add_typer(hub)
app.add_typer(prompts)
app.add_typer(train)
app.add_typer(vertex)
app.command()(timed(query))
app.command()(timed(export))
app.command()(timed(update))
app.command()(timed(diff))
app.command()(ask)
app.command()(chat)
app.command()(solve)
app.command()(annotate)
app.command()(complete)
app.command()(serve)
app.command()(mcp)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Options that stand before the command."""
    if version:
        import graphtalk

        console.write(graphtalk.__version__)
        raise typer.Exit
    if context.invoked_subcommand is None:
        console.write(GREETING)


@app.command("import")
@timed
def import_(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...", help="Files, folders or archives to import, or addresses of them."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "-o", "--out", metavar="STORE", help="The store to write; with --explain a new recipe.toml."
        ),
    ] = None,
    format: Annotated[str, typer.Option(metavar="F", help="The sources' format; guessed if not given.")] = "",
    recipe: Annotated[str, typer.Option(metavar="R", help="A recipe: a TOML file, or a built-in one.")] = "",
    on_error: Annotated[BadLines, typer.Option(help="What to do with a bad line.")] = BadLines.STOP,
    missing: Annotated[
        MissingNodes, typer.Option(help="What to do with an edge to a node that is not there.")
    ] = MissingNodes.STOP,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain", help="Show how each column would be read and why, as a recipe; import nothing."
        ),
    ] = False,
    embedder: Annotated[
        str,
        typer.Option(
            metavar="E",
            help="For retrieval: minilm (up to 5,000 texts if none is named), static, sentence-transformers:MODEL.",
        ),
    ] = "",
    vectors: Annotated[
        bool | None,
        typer.Option(
            "--vectors/--no-vectors",
            show_default=False,
            help="Make vectors now, or never; by default when first needed, for up to 500,000 names.",
        ),
    ] = None,
    memory: Annotated[
        str,
        typer.Option(
            metavar="SIZE",
            show_default=False,
            help="Memory to use, such as 2GB: larger tables are read in batches. If not given, a quarter of the machine's.",
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Import a graph into a store, a folder that opens in milliseconds.

    An older store at the same place is replaced in one step once the new one is whole; anything else there
    is left alone and refused.

    \b
    Examples:
      graphtalk import nodes.tsv edges.tsv -o mine.gt
      graphtalk import triples.tsv.gz -o mine.gt --format triples
      graphtalk import hetionet/ -o hetionet.gt --recipe hetionet
      graphtalk import dump.csv -o mine.gt --on-error skip
      graphtalk import large.csv -o large.gt --no-vectors --memory 4GB
      graphtalk import staff/*.csv --explain -o recipe.toml
      graphtalk import staff/*.csv -o staff.gt --recipe recipe.toml
    """
    from graphtalk.app import commands

    if explain:
        commands.explain_sources(sources, out, format, recipe, as_json)
    elif out is None:
        raise UsageError("Say where to write the store: -o STORE. (--explain writes none.)")
    else:
        commands.import_sources(
            sources, out, format, recipe, on_error.value, missing.value, as_json, embedder, vectors, memory
        )


@app.command()
@timed
def info(
    store: Store,
    as_json: AsJson = False,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Read schema and names again, of a graph that lives elsewhere.")
    ] = False,
) -> None:
    """Say what a graph has, and what to ask it.

    Its schema in words, counts, sizes, and questions to try.

    \b
    Examples:
      graphtalk info atlas
      graphtalk info hetionet.gt --json
      graphtalk info duckdb:///films.duckdb --refresh
    """
    from graphtalk.app import commands

    commands.info(store, as_json, refresh)


@app.command()
@timed
def check(store: Store, as_json: AsJson = False) -> None:
    """Read all of a store, and say what is damaged.

    Compares every file with its checksum. The exit code is 1 where something is damaged, 2 where there is no store.

    \b
    Examples:
      graphtalk check hetionet.gt
    """
    from graphtalk.app import commands

    raise typer.Exit(commands.check(store, as_json))


@app.command()
@timed
def retrieve(
    store: Store,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In plain language.")],
    nodes: Annotated[int, typer.Option(metavar="K", help="Nodes that get prizes for likeness.")] = 3,
    edges: Annotated[int, typer.Option(metavar="K", help="Edges that get prizes for likeness.")] = 5,
    edge_cost: Annotated[float, typer.Option(metavar="C", help="What an edge costs.")] = 0.5,
    rule: Annotated[
        Prizes, typer.Option(help="Prizes around what is named, or as in the paper, by likeness alone.")
    ] = Prizes.SPREAD,
    as_json: AsJson = False,
    draw: Draw = None,
) -> None:
    """Print the part of a graph that bears on a question, as text.

    Nodes and edges that are most like the question get prizes, and a prize-collecting Steiner tree joins them.
    0 nodes and 0 edges give the whole graph.

    \b
    Examples:
      graphtalk retrieve atlas "Which sea does Poland border?"
      graphtalk retrieve mine.gt "Who knows Bob?" --nodes 5 --edge-cost 1 --json
      graphtalk retrieve mine.gt "Who knows Bob?" --rule paper    # cosine alone, over the whole graph
    """
    from graphtalk.app import retrieve as command
    from graphtalk.search.subgraph import Options

    command.retrieve(store, question, Options(nodes, edges, edge_cost, rule.value), as_json, draw)


@app.command()
@timed
def call(
    store: Store,
    call: Annotated[str, typer.Argument(metavar="CALL", help="A call in any of its four spellings.")],
    spelling: Annotated[Written | None, typer.Option(help="Show the call in this spelling, too.")] = None,
    as_json: AsJson = False,
) -> None:
    """Run one call and print its result, its evidence and its time.

    \b
    Examples:
      graphtalk call atlas 'NeighbourCheck[RetrieveNode["France"], "borders"]'
      graphtalk call atlas 'Count[NeighbourCheck["France", "borders"]]' --spelling cypher
      graphtalk call gpr 'GR(GL("gpr", {"lollipop_graph"}), "toolx:order")'
      graphtalk call atlas '{"name": "RetrieveNode", "arguments": {"keyword": "France"}}' --json
    """
    from graphtalk.app import commands

    commands.call(store, call, as_json, None if spelling is None else spelling.value)


@app.command()
def tools(
    name: Annotated[str | None, typer.Argument(help="A tool to describe in full.")] = None,
    spelling: Annotated[Written, typer.Option(help="How the calls are written.")] = Written.GRAPH_COT,
    as_json: AsJson = False,
) -> None:
    """List what can be called.

    \b
    Examples:
      graphtalk tools
      graphtalk tools NeighbourCheck       # its arguments and its other names
      graphtalk tools --spelling toolformer
      graphtalk tools --spelling json      # JSON schemas, as tool-calling models take them
    """
    from graphtalk.app import commands

    commands.tools(name, spelling.value, as_json)


@app.command()
@timed
def verify(
    answer: Annotated[
        str, typer.Argument(metavar="ANSWER.json", help="What ask or solve --json printed; - for stdin.")
    ],
    store: Annotated[str | None, typer.Argument(metavar="[STORE]", help="The graph that was asked.")] = None,
    problem: Annotated[
        str | None, typer.Option(metavar="TEXT|FILE", help="The problem that was solved, instead of a STORE.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Run an answer's calls again and compare.

    No language model is used. The exit code is 0 for the same answer, and 1 where something differs (it is named),
    where a model concluded the value, which nothing can check, and where nothing was answered.

    \b
    Examples:
      graphtalk ask atlas "What is the capital of Japan?" --json > answer.json
      graphtalk verify answer.json atlas
      graphtalk solve - --json < problem.txt > answer.json
      graphtalk verify answer.json --problem problem.txt
    """
    from graphtalk.app import commands

    raise typer.Exit(commands.verify(answer, store, problem, as_json))


def _asked(words: list[str]) -> typer.Typer:
    """The commands, only one where it is asked for by its name: to prepare all of them takes longer than some of them."""
    found = [
        c for c in app.registered_commands if c.callback and [c.name or c.callback.__name__] == words[:1]
    ]
    one = copy(app)
    if found:
        one.registered_commands, one.registered_groups = found, []
    return one


def main() -> None:
    """Run the command line; a person's mistake ends in one line on standard error."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # `search.threads` says why; numpy is not there yet
    # What is imported stays: to look through it for garbage, at work and once more at the end, takes a fifth of a short command.
    gc.set_threshold(250_000, 20, 100)
    atexit.register(gc.freeze)
    try:
        _asked(sys.argv[1:])()
    except faults(GraphtalkError, OSError) as error:
        if os.environ.get("GRAPHTALK_DEBUG"):
            raise
        message = str(error)
        if isinstance(error, OSError) and error.filename is not None:
            message = f"{error.filename}: {error.strerror}."
        elif not isinstance(error, GraphtalkError | OSError):
            message = f"What was given cannot be read: {in_words(error)}. GRAPHTALK_DEBUG=1 shows where."
        console.say(message)
        sys.exit(1 if isinstance(error, GraphtalkError) and not isinstance(error, UsageError) else 2)
