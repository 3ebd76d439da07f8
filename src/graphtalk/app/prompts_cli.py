"""The commands of `graphtalk prompts`. Like those of `main`, they only read their options."""

from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.first import Listed
from graphtalk.app.options import AsJson, BaseUrl, BudgetUsd, Cache, Lm

app = typer.Typer(
    name="prompts",
    help="Make prompt sets: texts with graph calls, for training and for tests (section 4.4 of Graph-ToolFormer).",
    cls=Listed,
    no_args_is_help=True,
    rich_markup_mode=None,
)

In = Annotated[Path, typer.Argument(metavar="PROMPTS", help="JSON lines of an earlier stage.")]
Out = Annotated[Path, typer.Option(metavar="FILE", help="JSON lines; resumed if there.")]
Seed = Annotated[int, typer.Option(min=0, help="Random seed.")]


@app.command()
def generate(
    graph: Annotated[
        str, typer.Argument(metavar="GRAPH", help="A data set of the hub, a store, or a built-in graph.")
    ],
    out: Out,
    count: Annotated[
        int | None, typer.Option(min=1, help="How many; as many as the paper has if not given.")
    ] = None,
    families: Annotated[
        str, typer.Option(metavar="LIST", help="Families of templates, by comma; see `families`.")
    ] = "",
    seed: Seed = 0,
) -> None:
    """Make prompts about what a graph has, from templates.

    \b
    Examples:
      graphtalk prompts generate gpr --out gpr.jsonl
      graphtalk prompts generate cora --out cora.jsonl --count 2000
      graphtalk prompts generate mine.gt --out mine.jsonl --families stored
    """
    from graphtalk.app import prompts

    names = tuple(name.strip() for name in families.split(",") if name.strip())
    raise typer.Exit(prompts.generate(graph, out, count, seed, names))


@app.command()
def rephrase(
    source: In,
    out: Out,
    times: Annotated[int, typer.Option(min=1, help="Rephrasings of each prompt.")] = 2,
    lm: Lm = "offline",
    base_url: BaseUrl = "",
    budget_usd: BudgetUsd = 0.0,
    cache: Cache = None,
    seed: Seed = 0,
) -> None:
    """Say prompts in other words: by our grammar of wordings, or by a language model.

    What a model rephrases has to be annotated anew. Where it loses a name, the prompt is rejected.

    \b
    Examples:
      graphtalk prompts rephrase gpr.jsonl --out more.jsonl --times 3
      graphtalk prompts rephrase gpr.jsonl --out more.jsonl --lm openai:gpt-4o-mini --budget-usd 1
    """
    from graphtalk.app import prompts
    from graphtalk.app.settings import Settings

    settings = Settings(lm=lm, base_url=base_url, budget_usd=budget_usd, cache=cache, seed=seed)
    raise typer.Exit(prompts.rephrase(source, out, times, settings))


@app.command()
def annotate(
    source: In,
    out: Out,
    lm: Lm = "offline",
    base_url: BaseUrl = "",
    budget_usd: BudgetUsd = 0.0,
    cache: Cache = None,
) -> None:
    """Give prompts their outputs: those of their templates, or a language model's.

    \b
    Examples:
      graphtalk prompts annotate more.jsonl --out annotated.jsonl
      graphtalk prompts annotate more.jsonl --out annotated.jsonl --lm openai:gpt-4o-mini
    """
    from graphtalk.app import prompts
    from graphtalk.app.settings import Settings

    settings = Settings(lm=lm, base_url=base_url, budget_usd=budget_usd, cache=cache)
    raise typer.Exit(prompts.annotate(source, out, settings))


@app.command("filter")
def filter_(
    source: In,
    out: Out,
    graph: Annotated[
        str, typer.Option("--graph", metavar="STORE", help="Your own graph, where calls name it.")
    ] = "",
) -> None:
    """Keep the prompts whose calls run, and give what is known to be true.

    The others go to FILE.rejected.jsonl, each with the reason.

    \b
    Examples:
      graphtalk prompts filter annotated.jsonl --out kept.jsonl
      graphtalk prompts filter mine.jsonl --out kept.jsonl --graph mine.gt
    """
    from graphtalk.app import prompts

    raise typer.Exit(prompts.filter_(source, out, graph))


@app.command()
def split(
    source: In,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where prompts_train and prompts_test go.")],
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Write prompts for training and for tests, min(N - 160, 1600) and 160, in the published form.

    \b
    Examples:
      graphtalk prompts split kept.jsonl --out prompts/gpr
    """
    from graphtalk.app import prompts

    raise typer.Exit(prompts.split(source, out, seed, as_json))


@app.command()
def families() -> None:
    """List the families of templates."""
    from graphtalk.app import prompts

    prompts.list_families()
