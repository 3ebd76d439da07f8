"""`graphtalk update` and `graphtalk diff`: their options. What they do is in `app/editing.py`."""

from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.options import AsJson, Store

Files = list[Path] | None
Words = list[str] | None


def update(
    store: Annotated[str, typer.Argument(metavar="STORE", help="The store to change.")],
    sources: Annotated[
        Files,
        typer.Argument(metavar="[FILE...]", help="Rows to add or change, in any format that is imported."),
    ] = None,
    nodes: Annotated[Files, typer.Option(metavar="FILE", help="A table of nodes to add or change.")] = None,
    edges: Annotated[Files, typer.Option(metavar="FILE", help="A table of edges to add or change.")] = None,
    set: Annotated[
        Words,
        typer.Option(
            "--set", metavar="ID.FEATURE=VALUE", help="Set a value of a node; no VALUE takes it away."
        ),
    ] = None,
    delete: Annotated[Words, typer.Option(metavar="ID", help="A node to delete, with its edges.")] = None,
    delete_nodes: Annotated[
        Files, typer.Option(metavar="FILE", help="A table of nodes to delete, by id.")
    ] = None,
    delete_edges: Annotated[
        Files,
        typer.Option(metavar="FILE", help="A table of edges to delete, by source, relation and target."),
    ] = None,
    delete_type: Annotated[Words, typer.Option(metavar="TYPE", help="A node type to delete.")] = None,
    delete_relation: Annotated[Words, typer.Option(metavar="RELATION", help="A relation to delete.")] = None,
    delete_feature: Annotated[
        Words, typer.Option(metavar="TYPE.FEATURE", help="A feature of a type or a relation to delete.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Add, change and delete rows of a store.

    A row with the id of a node that is there changes the values that it has; other rows are new nodes. A row of an edge
    that is there (source, relation, target) changes its features, the first row the first such edge, the second row the
    next one; other rows are new edges. An empty cell changes nothing. Deletions come first, --set comes last.

    All of it happens or none: the new store takes the place of the old one in one step, and who reads the old one keeps
    it. Every update is a line in the store's journal.jsonl.

    \b
    Examples:
      graphtalk update mine.gt --nodes more_nodes.tsv --edges more_edges.tsv
      graphtalk update mine.gt new.graphml
      graphtalk update mine.gt --set "Ann.age=31" --set "Bob.email="
      graphtalk update mine.gt --delete b17 --delete-edges wrong.tsv --delete-feature person.email
    """
    from graphtalk.app import editing

    told = editing.Update(
        sources or (),
        nodes or (),
        edges or (),
        delete or (),
        delete_nodes or (),
        delete_edges or (),
        delete_type or (),
        delete_relation or (),
        delete_feature or (),
        set or (),
    )
    editing.update_command(store, told, as_json)


def diff(
    first: Annotated[
        str, typer.Argument(metavar="STORE", help="A store, a file or folder, or a built-in graph.")
    ],
    second: Store,
    as_json: AsJson = False,
) -> None:
    """Say what one graph has otherwise than another.

    Nodes are compared by id, edges by their ends, relation and features. The exit code is 0 where nothing differs, else 1.

    \b
    Examples:
      graphtalk diff old.gt new.gt
      graphtalk diff mine.gt mine.graphml --json
    """
    from graphtalk.app import editing

    raise typer.Exit(editing.diff_command(first, second, as_json))
