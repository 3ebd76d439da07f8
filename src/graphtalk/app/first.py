"""What somebody sees first: the greeting, the commands in the order that people need them, names that a shell completes."""

from pathlib import Path
from typing import Any

from typer.core import TyperGroup

GREETING = """\
graphtalk: talk with your graphs. Three things to type next:

  graphtalk ask atlas "Which countries border both France and Germany?"   ask a graph that is built in
  graphtalk import people.csv jobs.csv -o mine.gt                         bring your own: tables, RDF, GraphML, ...
  graphtalk serve atlas                                                   a page to talk with it, at http://127.0.0.1:8000

graphtalk --help lists all commands; graphtalk ask --help has options and examples.
graphtalk --install-completion has your shell complete commands and graphs."""

MOST_NAMES = 200  # files that are looked at to complete a name
COMMON = (
    "import", "ask", "chat", "serve", "info", "query", "call", "verify", "retrieve",
    "update", "diff", "export", "check", "tools", "mcp", "hub",
)  # fmt: skip


class Commands(TyperGroup):
    """The commands in the order that people need them; those of the papers come last, under their own head."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands."""
        names = super().list_commands(ctx)
        first = [name for name in COMMON if name in names]
        return [*first, *(name for name in names if name not in first)]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands into a help text."""
        names = self.list_commands(ctx)
        width = formatter.width - 6 - max(map(len, names))
        rows = [(name, self.commands[name].get_short_help_str(width)) for name in names]
        common = len([name for name in names if name in COMMON])
        for head, part in (("Commands", rows[:common]), ("The papers' methods", rows[common:])):
            with formatter.section(head):
                formatter.write_dl(part)


def complete_graph(begun: str) -> list[str]:
    """Names of graphs, for a shell: those that are built in or fetched, stores, files and folders."""
    from graphtalk.app.stores import named_graphs

    folder, _, start = begun.rpartition("/")
    found = [name for name in named_graphs() if name.startswith(begun)]
    try:
        places = sorted(Path(f"{folder}/" if folder else ("/" if begun.startswith("/") else ".")).iterdir())
    except OSError:
        return found
    near = [p for p in places[: MOST_NAMES * 10] if p.name.startswith(start) and not p.name.startswith(".")]
    prefix = begun[: len(begun) - len(start)]
    return [*found, *(prefix + p.name + ("/" if _is_folder(p) else "") for p in near[:MOST_NAMES])]


def _is_folder(path: Path) -> bool:
    return path.is_dir() and path.suffix != ".gt"
