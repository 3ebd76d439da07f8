"""The list of calls in docs/architecture.md is made from the tools themselves, by module, so that the two cannot differ.

python scripts/calls_table.py          # exit 1 where the table is out of date
python scripts/calls_table.py --write  # make it
"""

import sys
from pathlib import Path

from graphtalk.tools.builtin import register
from graphtalk.tools.registry import Registry

PAGE = Path(__file__).resolve().parents[1] / "docs" / "architecture.md"
START, END = "<!-- made by scripts/calls_table.py from here -->\n", "<!-- to here -->\n"


def listed() -> str:
    """A line for each module of tools: what it is for, and the names of its tools."""
    registry = Registry()
    register(registry.add)
    calls: dict[str, list[str]] = {}
    for tool in registry.values():
        calls.setdefault(tool.function.__module__, []).append(f"`{tool.name}`")
    return "".join(
        f"- `{_short(module)}`. {_purpose(module)} {', '.join(tools)}\n" for module, tools in calls.items()
    )


def _short(module: str) -> str:
    return module.rpartition(".")[2]


def _purpose(module: str) -> str:
    """The first sentence of a module's docstring."""
    told = sys.modules[module].__doc__ or ""
    return told.splitlines()[0]


def page(before: str) -> str:
    """The page with the table as it should be. Exits where the page has no place for it."""
    head, start, rest = before.partition(START)
    _, end, tail = rest.partition(END)
    if not (start and end):
        sys.exit(f"{PAGE} lacks the lines {START.strip()} and {END.strip()}.")
    return f"{head}{start}{listed()}{end}{tail}"


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    if "--write" in sys.argv:
        PAGE.write_text(page(text), encoding="utf-8")
    elif text != page(text):
        sys.exit("The list of calls in docs/architecture.md differs from the tools: run scripts/check --fix")
