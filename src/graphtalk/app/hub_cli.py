"""The commands `graphtalk hub …`. They only read their options."""

from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.options import AsJson

app = typer.Typer(
    name="hub",
    help="Data sets: what there is, where it comes from, fetching it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

DataSet = Annotated[str, typer.Argument(metavar="NAME", help="A data set; `hub datasets` lists them.")]


@app.command("datasets")
def datasets(as_json: AsJson = False) -> None:
    """List the data sets, and which are here.

    Sizes are those of Graph-ToolFormer's table 3; of sets of graphs, they are averages.

    \b
    Examples:
      graphtalk hub datasets
      graphtalk hub datasets --json
    """
    from graphtalk.app import hub

    hub.datasets(as_json)


@app.command("show")
def show(name: DataSet, as_json: AsJson = False) -> None:
    """Show the card of a data set.

    Its source, licence, citation, sizes, files and checksums, what is missing, and where it lies if it is here.

    \b
    Examples:
      graphtalk hub show cora
      graphtalk hub show movielens --json
    """
    from graphtalk.app import hub

    hub.show(name, as_json)


@app.command("fetch")
def fetch(
    name: DataSet,
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="DIR", help="Take the files from a folder, not from the web."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fetch a data set into the hub: $GRAPHTALK_HUB, or a folder of the cache.

    A download that broke goes on where it stopped. Files are checked against the card's checksums, unpacked
    safely, and imported in one step; an older copy stays until the new one is whole.

    \b
    Examples:
      graphtalk hub fetch movielens
      graphtalk hub fetch cora --from downloads/
      graphtalk ask movielens "Which movies did u272 rate?"
    """
    from graphtalk.app import hub

    hub.fetch(name, source, as_json)
