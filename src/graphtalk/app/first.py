"""What somebody sees first: the greeting, the commands in the order that people need them, names that a shell completes."""

from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any, get_args

from typer.core import TyperGroup

GREETING = """\
graphtalk: talk with your graphs. Three things to type next:

  graphtalk ask atlas "Which countries border both France and Germany?"   ask a graph that is built in
  graphtalk import people.csv jobs.csv -o mine.gt                         bring your own: tables, RDF, GraphML, ...
  graphtalk serve atlas                                                   a page to talk with it, at http://127.0.0.1:8000

graphtalk --help lists all commands; graphtalk ask --help has options and examples.
graphtalk --install-completion has your shell complete commands and graphs."""

MOST_LETTERS = 1_000  # of the sentence that says what a command is for
MOST_NAMES = 200  # files that are looked at to complete a name
COMMON = (
    "import", "ask", "chat", "serve", "info", "query", "call", "verify", "retrieve",
    "update", "diff", "export", "check", "tools", "mcp", "hub",
)  # fmt: skip


class Listed(TyperGroup):
    """Commands, each with the whole of its first sentence: long ones go on in the next line."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The options of the group."""
        return _as_they_are(self, super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command by its name."""
        command = super().get_command(ctx, cmd_name)
        if command is not None and not isinstance(command, Listed):
            params = command.get_params
            vars(command)["get_params"] = lambda ctx: _as_they_are(command, params(ctx))
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands into a help text."""
        for head, names in self.parts(self.list_commands(ctx)):
            with formatter.section(head):
                formatter.write_dl(
                    [(name, self.commands[name].get_short_help_str(MOST_LETTERS)) for name in names]
                )

    def parts(self, names: list[str]) -> list[tuple[str, list[str]]]:
        """The names under their heads."""
        return [("Commands", names)]


class Commands(Listed):
    """The commands in the order that people need them; those of the papers come last, under their own head."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands."""
        names = super().list_commands(ctx)
        first = [name for name in COMMON if name in names]
        return [*first, *(name for name in names if name not in first)]

    def parts(self, names: list[str]) -> list[tuple[str, list[str]]]:
        """The names under their heads."""
        common = len([name for name in names if name in COMMON])
        return [("Commands", names[:common]), ("The papers' methods", names[common:])]


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


def _as_they_are(command: Any, parameters: list[Any]) -> list[Any]:
    """Parameters that take texts and defaults unchecked: to load what checks them (pydantic) takes longer than many commands."""
    types = getattr(command.callback, "__annotations__", {})
    for parameter in parameters:
        is_text = get_args(types.get(parameter.name))[:1] in ((str,), (str | None,))
        if "process_value" not in vars(parameter):
            vars(parameter)["process_value"] = _checked(parameter, is_text, parameter.process_value)
    return parameters


def _checked(parameter: Any, is_text: bool, check: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """The check of a parameter, but for texts, and for defaults that are no texts: the code gives these as they are meant."""
    many = parameter.nargs != 1 or getattr(parameter, "multiple", False)

    def value_of(context: Any, value: Any) -> Any:
        source = context.get_parameter_source(parameter.name)
        default = source is not None and source.name == "DEFAULT" and not parameter.required
        as_meant = type(value) is not str and isinstance(value, bool | int | float | Enum | None)
        if many or not ((is_text and type(value) is str) or (default and as_meant)):
            return check(context, value)
        return value if parameter.callback is None else parameter.callback(context, parameter, value)

    return value_of
