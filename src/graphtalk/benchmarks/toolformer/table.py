"""Table 4 of the paper with our runs beside its figures."""

from collections.abc import Sequence

from graphtalk.benchmarks.summary import Run, summary
from graphtalk.benchmarks.toolformer.figures import METRICS, PREFIX, rows

TITLE = "Statements with calls (table 4 of Graph-ToolFormer)"
HEAD = (
    "data set",
    "source",
    "lm",
    "R-1",
    "R-2",
    "R-L",
    "R-LSum",
    "BLEU",
    "BP",
    "API acc.",
    "strict",
    "ran",
    "result",
)


def table_rows(runs: Sequence[Run]) -> tuple[tuple[str, ...], ...]:
    """The rows of the data sets that the runs have: the paper's, then ours."""
    found: list[tuple[str, ...]] = []
    for name, row in rows().items():
        task = f"{PREFIX}{name}"
        ours = [
            run for run in runs if run.task in (task, f"{PREFIX}gpr" if name == "graph-properties" else task)
        ]
        if not ours:
            continue
        found.append(
            (row.paper, "the paper", "GPT-J 6B", *(f"{row.scores[m]:.2f}" for m in METRICS), "-", "-", "-")
        )
        for run in ours:
            numbers = summary(run.records)
            scores = (_percent(numbers.score(metric)) for metric in (*METRICS, "correct", "ran", "result"))
            found.append((row.paper, "ours", str(run.settings["lm"]), *scores))
    return tuple(found)


def _percent(score: float | None) -> str:
    return "-" if score is None else f"{100 * score:.2f}"
