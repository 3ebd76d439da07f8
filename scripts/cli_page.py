"""docs/cli.md is made from the command line's own help, so that the two cannot differ.

python scripts/cli_page.py          # exit 1 where the page is out of date
python scripts/cli_page.py --write  # make it
"""

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo, OptionInfo

from graphtalk.app.first import COMMON
from graphtalk.app.main import app

Row = tuple[str, str]
PAGE = Path(__file__).resolve().parents[1] / "docs" / "cli.md"

PARAGRAPH = "\n\n"
SHARED = 2  # what so many commands tell in the same words is told once, at the end
EXAMPLES = 2  # that the page has of a command; the help has all
FULL = {*COMMON} - {"hub", "mcp", "serve"}  # commands with their whole text; of others a line


def page() -> str:
    """The whole page, as Markdown: the commands in the order of the help, then what many of them take."""
    order = typer.main.get_command(app).list_commands(None)  # type: ignore[attr-defined]
    every = sorted(commands(app), key=lambda command: order.index(command[0].split()[0]))
    told = Counter(row for name, f in every for row in {*chain(*parameters(f))} if name.split()[0] in FULL)
    shared = [row for row, times in told.items() if times >= SHARED]
    parts = ["# Command line", "", "<!-- made by scripts/cli_page.py: change the help, not this page -->", ""]
    parts += [str(app.info.help), "", str(app.info.epilog), ""]
    parts += [
        "`graphtalk COMMAND --help` has more examples. Options without a description are described [at the end](#what-several-commands-take).",
        "",
    ]
    for name, function in every:
        if name.split()[0] in FULL:
            parts += section(name, function, shared)
    parts += [
        "## Serving, the hub, and the papers' commands",
        "",
        "`graphtalk COMMAND --help` describes their options.",
        "",
        *(line(name, function) for name, function in every if name.split()[0] not in FULL),
        "",
        "## What several commands take",
        "",
        *(f"- `{shown}`: {said}" for shown, said in sorted(shared)),
    ]
    return "\n".join(parts).rstrip() + "\n"


def commands(group: typer.Typer, before: str = "") -> Iterator[tuple[str, Callable[..., object]]]:
    """All commands with their names, those of groups after their own."""
    for command in group.registered_commands:
        assert command.callback is not None
        yield f"{before}{command.name or command.callback.__name__}", command.callback
    for inner in group.registered_groups:
        assert inner.typer_instance is not None
        yield from commands(inner.typer_instance, f"{before}{inner.typer_instance.info.name} ")


def line(name: str, function: Callable[..., object]) -> str:
    """A command in brief: its name, the first of what it does, and its first example."""
    text, examples = told_of(function)
    example = f" `{' '.join(examples[0].split())}`" if examples else ""
    return f"- **{name}**: {' '.join(text.partition(PARAGRAPH)[0].split())}{example}"


def told_of(function: Callable[..., object]) -> tuple[str, list[str]]:
    """What a command's help says before its examples, and these; an example may go over several lines."""
    text, _, examples = inspect.cleandoc(function.__doc__ or "").partition("\b\nExamples:\n")
    lines = inspect.cleandoc(examples).replace("\\\n", "\0").split("\n") if examples else []
    return text.strip(), lines


def section(name: str, function: Callable[..., object], shared: Sequence[Row]) -> Iterator[str]:
    """One command: how it is called, what it does, its arguments and options, examples."""
    text, examples = told_of(function)
    arguments, options = parameters(function)
    yield f"## graphtalk {name}\n"
    if arguments:
        yield f"`{' '.join([name, *(shown for shown, _ in arguments)])}`\n"
    yield f"{text}\n"
    told = [row for row in (*arguments, *options) if row not in shared]
    yield from (f"- `{shown}`: {said}" for shown, said in told)
    if also := " ".join(row[0].split()[0].strip(",") for row in options if row not in told):
        yield f"- `{also}`"
    if examples:
        yield "\n```sh\n" + "\n".join(examples[:EXAMPLES]).replace("\0", "\\\n") + "\n```\n"


def parameters(function: Callable[..., object]) -> tuple[list[Row], list[Row]]:
    """The arguments and the options of a command, each as it is written and what it says."""
    arguments, options = [], []
    for parameter, (kind, declared) in declarations(function).items():
        optional = inspect.signature(function).parameters[parameter].default
        if isinstance(declared, ArgumentInfo):
            shown = declared.metavar or parameter.upper()
            required = optional is inspect.Parameter.empty or shown.startswith("[")
            arguments.append((shown if required else f"[{shown}]", str(declared.help)))
        else:
            options.append((option(parameter, kind, declared), f"{declared.help}{default(optional)}"))
    return arguments, options


def declarations(function: Callable[..., object]) -> dict[str, tuple[type, ArgumentInfo | OptionInfo]]:
    """Of every parameter its type and what it declares to the command line."""
    hints = get_type_hints(function, include_extras=True)
    return {name: get_args(hint)[:2] for name, hint in hints.items() if get_origin(hint) is Annotated}  # type: ignore[misc]


def option(parameter: str, kind: type, declared: OptionInfo) -> str:
    """The names of an option and what it takes."""
    # Typer keeps the first name that stands in an Annotated as the default.
    declarations = [d for d in (declared.default, *(declared.param_decls or ())) if isinstance(d, str)]
    names = ", ".join(declarations or [f"--{parameter.replace('_', '-')}"])
    if kind in (bool, bool | None):
        return names
    if is_choice(kind):
        return f"{names} {'|'.join(kind)}"
    return f"{names} {declared.metavar}" if declared.metavar else names


def is_choice(kind: type) -> bool:
    """Whether an option takes one of several words."""
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def default(value: object) -> str:
    """What holds where the option is not given."""
    return f" Default: {value}." if isinstance(value, str) and value else ""


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
        sys.exit("docs/cli.md differs from the help: run scripts/check --fix")
