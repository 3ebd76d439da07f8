"""A plan for people: a recipe that can be edited, and above each of its tables how each column is read and why."""

from collections.abc import Sequence

from graphtalk.core import JSON
from graphtalk.graphs.recipe_text import relations_text, spec_text
from graphtalk.graphs.tabular.plan import Plan, TablePlan


def explained(plan: Plan, notes: Sequence[str]) -> str:
    """The plan as TOML: the recipe, its reasons in comments."""
    parts = [
        "# How these files would be read. Save this, change it, and give it: graphtalk import FILES -o STORE --recipe THIS"
    ]
    parts += [_comment(f"! {note}") for note in notes]
    parts += [f"\n{_about(table)}\n{spec_text(table.spec)}" for table in plan.tables]
    parts += [relations_text(plan.recipe.relations)] if plan.recipe.relations else []
    return "\n".join(parts) + "\n"


def as_json(plan: Plan, notes: Sequence[str]) -> dict[str, JSON]:
    """The plan as JSON: each table's columns, and the recipe as its text."""
    return {
        "tables": [
            {
                "file": table.table.rows.path.name,
                "table": table.table.table,
                "rows": table.table.height,
                "read_as": table.role,
                "name": table.name,
                "why": table.why,
                "columns": [{"column": c.column, "read_as": c.read_as, "why": c.why} for c in table.columns],
            }
            for table in plan.tables
        ],
        "notes": list(notes),
        "recipe": explained(plan, notes),
    }


def _about(table: TablePlan) -> str:
    place = table.table.rows.path.name + (f", {table.table.table}" if table.table.table else "")
    kind = "nodes of the type" if table.role == "nodes" else "edges"
    lines = [f"{place}: {table.table.height:,} rows, {kind} {table.name}: {table.why}"]
    widths = [
        max(map(len, column)) for column in zip(*((c.column, c.read_as) for c in table.columns), strict=True)
    ]
    lines += [f"  {c.column:<{widths[0]}}  {c.read_as:<{widths[1]}}  {c.why}" for c in table.columns]
    return "\n".join(_comment(line) for line in lines)


def _comment(text: str) -> str:
    return "# " + "".join(letter if letter.isprintable() else " " for letter in text)
