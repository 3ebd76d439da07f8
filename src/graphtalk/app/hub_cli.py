"""The commands `graphtalk hub …`. They only read their options."""

from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.first import Listed
from graphtalk.app.options import AsJson

app = typer.Typer(
    name="hub",
    help="Data sets and models: what there is, fetching a data set, fitting a model on it.",
    cls=Listed,
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


@app.command("models")
def models(as_json: AsJson = False) -> None:
    """List the models, what they can be asked, and those that were fitted with their scores.

    \b
    Examples:
      graphtalk hub models
      graphtalk hub models --json
    """
    from graphtalk.app import hub_models

    hub_models.models(as_json)


@app.command("fit")
def fit(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model; `hub models` lists them.")],
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="A data set that was fetched.")],
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Random seed.")] = 0,
    affinity: Annotated[
        str,
        typer.Option(
            metavar="shares|counts", help="Of kmeans: how common neighbours count; counts is the paper's."
        ),
    ] = "",
    layers: Annotated[
        str,
        typer.Option(
            metavar="normalised|gated",
            help="Of graph_bert: two normalised layers, as in its paper (the default), or ours: one behind a gate.",
        ),
    ] = "",
    start: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="DATASET",
            help="Of graph_bert and seg_bert: begin with what was learnt on another.",
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Fit a model on a data set, in place of an older one, and print its scores.

    A call such as kmeans:community fits its model by itself when it is first asked; graph_bert:topic with gated layers, which
    are right more often.

    \b
    Examples:
      graphtalk hub fit kmeans cora
      graphtalk hub fit kmeans cora --affinity counts
      graphtalk hub fit bpr movielens --seed 3
      graphtalk hub fit graph_bert cora --layers gated
      graphtalk hub fit seg_bert ptc --from mutag
    """
    from graphtalk.app import hub_models

    hub_models.fit(model, dataset, seed, as_json, affinity, start, layers)
