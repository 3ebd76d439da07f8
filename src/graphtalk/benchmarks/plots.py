"""Figures of runs: after the paper's figures 3 and 4, and what became of the questions. As PNG and SVG.

Figure 3: which domain's demonstrations help on which domain (a heat map over several runs)
Figure 4: scores by level
By size: graph problems solved, by the number of nodes (figures 2 and 4 of GraphAgent-Reasoner)
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphtalk.benchmarks.failures import FAILURES
from graphtalk.benchmarks.graph_problems.table import by_nodes, sized
from graphtalk.benchmarks.summary import Run, by_level, methods, summary
from graphtalk.core import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DOMAINS = ("academic", "ecommerce", "literature", "healthcare", "legal")
TITLES = {"judge": "right by the judge", "set_exact": "exact sets"}
NO_DEMOS = "none"
# One colour for each class of FAILURES, the same in every figure.
COLOURS = (
    "#3a923a",
    "#a5d6a7",
    "#c03d3e",
    "#9e9e9e",
    "#8172b3",
    "#64b5cd",
    "#e1812c",
    "#f2d16b",
    "#2b2b2b",
    "#b07aa1",
    "#5975a4",
)
SETTINGS = {"svg.hashsalt": "graphtalk", "svg.fonttype": "none", "font.size": 9}  # the same file every time
MAKER = "graphtalk"  # stands at the beginning of every figure that was drawn here
METADATA: Mapping[str, Mapping[str, str | None]] = {
    "png": {"Software": MAKER},
    "svg": {"Date": None, "Creator": MAKER},
}


def draw(runs: Sequence[Run], folder: Path) -> list[Path]:
    """Draw all figures that these runs give, and say which files were written.

    Raises UsageError where matplotlib is missing, `folder` cannot be written, or has other pictures of these names.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError('Plots need matplotlib: python -m pip install "graphtalk[plots]".') from None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with matplotlib.rc_context(SETTINGS):
            return [path for name, figure in _figures(runs, Figure) for path in _save(figure, folder / name)]
    except OSError as error:
        raise UsageError(f"Cannot draw into {folder}: {error.strerror}.") from error


def _figures(runs: Sequence[Run], new: "Callable[..., Figure]") -> "Iterator[tuple[str, Figure]]":
    walks = [run for run in runs if _has_demonstrations(run)]
    wide = max(4.0, 1.5 + 0.8 * len(runs))
    for name, size, paint, chosen in (
        ("demonstrations", (5.0, 3.6), demonstrations, walks),
        ("levels", (wide + 2, 3.6), levels, [run for run in runs if run.records]),
        ("sizes", (6.0, 3.6), sizes, sized(runs)),
        ("failures", (7.0, 1.6 + 0.4 * len(runs)), failures, [run for run in runs if run.records]),
    ):
        if chosen:
            figure = new(figsize=size, dpi=150, layout="constrained")
            paint(figure.subplots(), chosen)
            yield name, figure


def _save(figure: "Figure", stem: Path) -> Iterator[Path]:
    for kind in ("png", "svg"):
        path = stem.with_suffix(f".{kind}")
        if path.exists() and MAKER.encode() not in path.read_bytes()[:4096]:
            raise UsageError(f"{path} is there already, and was not drawn here; it is not overwritten.")
        figure.savefig(path, metadata=METADATA[kind])
        yield path


def _has_demonstrations(run: Run) -> bool:
    walks = str(run.settings["reasoner"]) in ("graph-cot", "graph-cot-plan")
    return bool(run.domain and run.records) and walks and run.settings["lm"] != "offline"


def demonstrations(axes: "Axes", runs: Sequence[Run]) -> None:
    """The score by domain of the demonstrations (columns) and of the questions (rows), as in figure 3."""
    score = _shared_score(runs)
    cells: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        demos = str(run.settings["demos"])
        cells.setdefault((run.domain, run.domain if demos == "auto" else demos), []).append(run)
    rows = _in_order({domain for domain, _ in cells})
    columns = _in_order({demos for _, demos in cells})
    grid = [[_score(cells.get((row, column), []), score) for column in columns] for row in rows]
    image = axes.imshow([[float("nan") if v is None else v for v in line] for line in grid], vmin=0, vmax=100)
    for y, line in enumerate(grid):
        for x, value in enumerate(line):
            if value is not None:
                axes.text(x, y, f"{value:.1f}", ha="center", va="center", color="w" if value < 60 else "k")
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.set(xlabel="demonstrations", ylabel="questions", title=f"{TITLES[score]}, percent")
    axes.figure.colorbar(image)


def sizes(axes: "Axes", runs: Sequence[Run]) -> None:
    """The share of graph problems solved, a line a task and method, by the number of nodes."""
    for label, points in by_nodes(runs).items():
        axes.plot(*zip(*points, strict=True), marker="o", label=label)
    axes.set(xlabel="nodes", ylabel="right, percent", ylim=(0, 102), xscale="log")
    axes.legend(fontsize=7)


def levels(axes: "Axes", runs: Sequence[Run]) -> None:
    """The score of each run by level, as bars, as in figure 4."""
    score = _shared_score(runs)
    numbers = [by_level(run.records) for run in runs]
    names = list(
        dict.fromkeys(name for found in numbers for name in ("easy", "medium", "hard", "") if name in found)
    )
    width = 0.8 / len(runs)
    for place, (label, found) in enumerate(zip(_labels(runs), numbers, strict=True)):
        heights = [100 * (found[name].scores.get(score, 0.0) if name in found else 0.0) for name in names]
        at = [x + (place - (len(runs) - 1) / 2) * width for x in range(len(names))]
        axes.bar_label(axes.bar(at, heights, width, label=label), fmt="%.0f", fontsize=7)
    axes.set_xticks(range(len(names)), [name or "no level" for name in names])
    axes.set(ylabel=f"{TITLES[score]}, percent", ylim=(0, 105))
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))


def failures(axes: "Axes", runs: Sequence[Run]) -> None:
    """What became of the questions of each run, as shares of a bar."""
    counted = [summary(run.records) for run in runs]
    left = [0.0] * len(runs)
    for place, name in enumerate(FAILURES):
        shares = [100 * numbers.failures.get(name, 0) / numbers.questions for numbers in counted]
        if any(shares):
            axes.barh(range(len(runs)), shares, left=left, label=name, color=COLOURS[place])
            left = [before + share for before, share in zip(left, shares, strict=True)]
    axes.set_yticks(range(len(runs)), _labels(runs))
    axes.invert_yaxis()
    axes.set(xlabel="questions, percent", xlim=(0, 100))
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))


def _shared_score(runs: Sequence[Run]) -> str:
    """The judge's score, as in the paper, where all runs have it; else the share of exact sets."""
    judged = all("judge" in record.scores for run in runs for record in run.records)
    return "judge" if judged else "set_exact"


def _score(runs: Sequence[Run], name: str) -> float | None:
    found = summary([record for run in runs for record in run.records]).score(name)
    return None if found is None else 100 * found


def _in_order(names: set[str]) -> list[str]:
    """The paper's domains in its order, then others, then no demonstrations."""
    known = [*DOMAINS, *sorted(names - {*DOMAINS, NO_DEMOS}), NO_DEMOS]
    return [name for name in known if name in names]


def _labels(runs: Sequence[Run]) -> list[str]:
    return [
        f"{method}, {run.settings['lm']}\n{run.task}" for run, method in zip(runs, methods(runs), strict=True)
    ]
