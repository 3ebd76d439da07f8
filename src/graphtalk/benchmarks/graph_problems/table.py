"""Tables 1 and 2 of GraphAgent-Reasoner's paper, its figures 2, 4 and 5, and what problems cost, from runs of `graphinstruct-…`."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from statistics import fmean
from typing import Any

from graphtalk.benchmarks.summary import Run, summary

PREFIX = "graphinstruct-"
_SCORE = "correct"
Rows = tuple[tuple[str, ...], ...]


@cache
def paper() -> Mapping[str, Any]:
    """The figures that the paper prints."""
    return tomllib.loads(files(__package__).joinpath("paper.toml").read_text("utf-8"))


def tables(runs: Sequence[Run]) -> Iterator[tuple[str, tuple[str, ...], Rows]]:
    """Title, head and rows of each table that there are runs for."""
    ours = [run for run in runs if run.task.startswith(PREFIX)]
    usual = [run for run in ours if not _size(run) and _task(run) in paper()["table1"]["tasks"]]
    if usual:
        yield _by_task(usual)
    if any(_task(run) == "shortest" and _size(run) for run in ours):
        yield _by_nodes(ours)
    if any(_size(run) for run in ours):
        yield _by_size(ours)
    if any(_task(run) == "importance" for run in ours):
        yield _case_study([run for run in ours if _task(run) == "importance"])
    if ours:
        yield _costs(ours)


def _by_task(runs: Sequence[Run]) -> tuple[str, tuple[str, ...], Rows]:
    tasks = paper()["table1"]["tasks"]
    rows = [
        ("the paper", row["name"], *(f"{score:.2f}" for score in row["scores"]))
        for row in paper()["table1"]["rows"]
    ]
    for who in dict.fromkeys(_who(run) for run in runs):
        own = [_share([run for run in runs if _who(run) == who and _task(run) == task]) for task in tasks]
        average = "-" if "-" in own else f"{fmean(map(float, own)):.2f}"
        rows.append(("ours", who, *own, average))
    return "Graph problems (table 1), % right", ("source", "method", *tasks, "average"), tuple(rows)


def _by_nodes(runs: Sequence[Run]) -> tuple[str, tuple[str, ...], Rows]:
    ours = [run for run in runs if _task(run) == "shortest" and _size(run)]
    sizes = sorted({*paper()["table2"]["sizes"], *map(_size, ours)})
    known = dict.fromkeys(paper()["table2"]["sizes"])
    rows = []
    for row in paper()["table2"]["rows"]:
        of = dict(zip(known, row["right"], strict=False))  # some have too long a text to be read at all
        rows.append(
            ("the paper", row["name"], *(f"{of[size]} of 20" if size in of else "-" for size in sizes))
        )
    for who in dict.fromkeys(map(_who, ours)):
        cells = [_right([run for run in ours if _who(run) == who and _size(run) == size]) for size in sizes]
        rows.append(("ours", who, *cells))
    head = ("source", "method", *(f"{size:,} nodes" for size in sizes))
    return "Shortest paths on large graphs (table 2)", head, tuple(rows)


def sized(runs: Sequence[Run]) -> list[Run]:
    """The runs of graph problems of a size of their own, with something recorded."""
    return [run for run in runs if run.task.startswith(PREFIX) and _size(run) and run.records]


def by_nodes(runs: Sequence[Run]) -> dict[str, list[tuple[int, float]]]:
    """Of each method and task the sizes, ascending, and the percentage that is right."""
    found: dict[str, list[tuple[int, float]]] = {}
    for who, task, size in sorted({(_who(run), _task(run), _size(run)) for run in runs}):
        own = [run for run in runs if (_who(run), _task(run), _size(run)) == (who, task, size)]
        found.setdefault(f"{task}: {who}", []).append((size, float(_share(own))))
    return found


def _by_size(runs: Sequence[Run]) -> tuple[str, tuple[str, ...], Rows]:
    ours = [run for run in runs if _size(run)]
    sizes = sorted(set(map(_size, ours)))
    rows = []
    for who, task in dict.fromkeys((_who(run), _task(run)) for run in ours):
        own = [run for run in ours if (_who(run), _task(run)) == (who, task)]
        rows.append((who, task, *(_share([run for run in own if _size(run) == size]) for size in sizes)))
    head = ("method", "task", *(f"{size:,} nodes" for size in sizes))
    return "Graph problems by size (figures 2 and 4), % right", head, tuple(rows)


def _case_study(runs: Sequence[Run]) -> tuple[str, tuple[str, ...], Rows]:
    """Which of some web pages is the most important, with the first problem that was solved, else the first."""
    rows = [("the paper", row["name"], row["right"], "", row["says"]) for row in paper()["figure5"]["rows"]]
    for who in dict.fromkeys(map(_who, runs)):
        own = [run for run in runs if _who(run) == who]
        records = [record for run in own for record in run.records]
        if records:
            shown = next((each for each in records if each.scores.get(_SCORE) == 1), records[0])
            asked, answered = (" ".join(text.split()) for text in (shown.asked.question, shown.given.text))
            rows.append(("ours", who, _right(own), asked, answered))
    return (
        "Case study: which web page is the most important (figure 5)",
        ("source", "method", "right", "problem", "answer"),
        tuple(rows),
    )


def _costs(runs: Sequence[Run]) -> tuple[str, tuple[str, ...], Rows]:
    """What a problem costs, by task and size: calls of the graph's tools, requests to the model, tokens, seconds."""
    rows = []
    for key in dict.fromkeys((_who(run), _task(run), _size(run)) for run in runs):
        records = [
            record for run in runs if (_who(run), _task(run), _size(run)) == key for record in run.records
        ]
        n = summary(records)
        who, task, size = key
        numbers = (n.calls, n.lm_calls, n.input_tokens, n.output_tokens)
        rows.append(
            (
                who,
                task,
                f"{size:,}" if size else "the paper's",
                str(n.questions),
                *(f"{x:.1f}" for x in numbers),
                f"{n.median:.3f}",
            )
        )
    head = ("method", "task", "nodes", "problems", "calls", "requests", "tokens in", "tokens out", "median s")
    return "What a graph problem costs", head, tuple(rows)


def _task(run: Run) -> str:
    return run.task.removeprefix(PREFIX)


def _who(run: Run) -> str:
    return f"{run.settings['reasoner']}, {run.settings['lm']}"


def _size(run: Run) -> int:
    """How many nodes the graphs of a run had at most; 0 where that is the paper's."""
    last = str(run.settings.get("nodes") or "").rpartition(":")[2]
    return int(last) if last.isdigit() else 0


def _share(runs: Sequence[Run]) -> str:
    score = summary([record for run in runs for record in run.records]).score(_SCORE)
    return "-" if score is None else f"{100 * score:.2f}"


def _right(runs: Sequence[Run]) -> str:
    records = [record for run in runs for record in run.records]
    return (
        f"{sum(record.scores.get(_SCORE, 0) == 1 for record in records)} of {len(records)}"
        if records
        else "-"
    )
