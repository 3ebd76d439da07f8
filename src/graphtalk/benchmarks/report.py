"""Tables of runs: their scores, what they cost, what went wrong, and the paper's tables with its figures beside ours."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from graphtalk.benchmarks.graph_problems.table import tables as graph_problems
from graphtalk.benchmarks.summary import Run, Summary, by_level, by_template, methods, summary
from graphtalk.benchmarks.toolformer.cases import case_tables
from graphtalk.benchmarks.toolformer.table import HEAD, TITLE, table_rows
from graphtalk.core import JSON

PAPER = "the paper"
# The reasoners that are the paper's methods, by the row of table 4 that each belongs to.
RETRIEVALS = {
    "base": "Base",
    "text-rag": "node retrieval",
    "graph-rag": "1-hop subgraph retrieval",
    "graph-rag-2hop": "2-hop subgraph retrieval",
    "graph-cot": "Graph-CoT",
}
# The scores that have a column of their own name, in this order; others follow under the name of the score.
_HEADS = {
    "correct": "correct",
    "set_exact": "exact set",
    "f1": "F1",
    "exact_match": "EM",
    "rouge1": "R-1",
    "rouge2": "R-2",
    "rougeL": "R-L",
    "rougeLsum": "R-LSum",
    "bleu": "BLEU",
    "bp": "BP",
    "api": "API acc.",
    "judge": "judge",
}
_INSIDE = ("precision", "recall")  # told by F1


@dataclass(frozen=True)
class Table:
    """A table for people. Scores are in percent."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def to_json(runs: Sequence[Run]) -> dict[str, JSON]:
    """All numbers of these runs; scores from 0 to 1, the paper's figures in percent as it prints them."""
    return {"runs": [_run_to_json(run) for run in runs], "paper": paper()}


def _run_to_json(run: Run) -> dict[str, JSON]:
    levels, templates = by_level(run.records), by_template(run.records)
    return {
        "run": run.name,
        "task": run.task,
        "settings": dict(run.settings),
        "of": run.count,
        "all": asdict(summary(run.records)),
        "listed": None if run.listed is None else asdict(run.listed),
        "levels": {name: asdict(numbers) for name, numbers in levels.items()},
        "templates": {name: asdict(numbers) for name, numbers in templates.items()},
    }


def tables(runs: Sequence[Run]) -> Iterator[Table]:
    """All tables of these runs."""
    yield headline(runs)
    yield costs(runs)
    yield failures(runs)
    yield _parts("Scores by level", "level", [(run, by_level(run.records)) for run in runs])
    yield _parts("Scores by template", "template", [(run, by_template(run.records)) for run in runs])
    if statements := table_rows(runs):
        yield Table(TITLE, HEAD, statements)
    yield from (Table(*each) for each in case_tables(runs) if each[2])
    yield from (Table(*each) for each in graph_problems(runs))
    if any(run.domain for run in runs):
        yield from (table for table in (table2(runs), table3(runs), table4(runs)) if table.rows)


def headline(runs: Sequence[Run]) -> Table:
    """The scores of each run."""
    rows, columns = [], _columns([summary(run.records) for run in runs])
    for run in runs:
        numbers = summary(run.records)
        asked = f"{numbers.questions} of {run.count}" if numbers.questions < run.count else str(run.count)
        rows.append((*_who(run), run.task, asked, *_scores(numbers, columns)))
    heads = map(_head, columns)
    return Table("Scores", ("run", "reasoner", "lm", "task", "questions", *heads), tuple(rows))


def costs(runs: Sequence[Run]) -> Table:
    """What each run cost."""
    head = (
        "graph calls",
        "lm calls",
        "cached",
        "tokens in",
        "tokens out",
        "USD",
        "USD in all",
        "median s",
        "p95 s",
    )
    rows = []
    for run in runs:
        n = summary(run.records)
        each = n.usd / n.questions if n.questions else 0.0
        numbers = (n.calls, n.lm_calls, n.cached_calls, n.input_tokens, n.output_tokens)
        times = (f"{n.median:.3f}", f"{n.p95:.3f}")
        rows.append((*_who(run), *(f"{x:.1f}" for x in numbers), f"{each:.5f}", f"{n.usd:.4f}", *times))
    return Table("Cost of a question", ("run", "reasoner", "lm", *head), tuple(rows))


def failures(runs: Sequence[Run]) -> Table:
    """What became of the questions of each run."""
    counted = [summary(run.records).failures for run in runs]
    names = list(dict.fromkeys(name for counts in counted for name in counts))
    rows = [
        (*_who(run), *(str(counts.get(name, 0)) for name in names))
        for run, counts in zip(runs, counted, strict=True)
    ]
    return Table("What became of the questions", ("run", "reasoner", "lm", *names), tuple(rows))


def _parts(title: str, kind: str, runs: Sequence[tuple[Run, Mapping[str, Summary]]]) -> Table:
    columns = _columns([numbers for _, parts in runs for numbers in parts.values()])
    rows = [
        (*_who(run), name or "-", str(numbers.questions), *_scores(numbers, columns))
        for run, parts in runs
        for name, numbers in parts.items()
    ]
    return Table(title, ("run", "reasoner", "lm", kind, "questions", *map(_head, columns)), tuple(rows))


# the paper's tables


@cache
def paper() -> dict[str, Any]:
    """The paper's figures, from `grbench/paper.toml`."""
    text = files("graphtalk.benchmarks.grbench").joinpath("paper.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def table2(runs: Sequence[Run]) -> Table:
    """Methods by domain (the paper's table 2): R-L and the judge's score, of the domains that the runs have."""
    theirs = paper()["table2"]
    places = [
        place for place, domain in enumerate(theirs["domains"]) if any(r.domain == domain for r in runs)
    ]
    domains = [theirs["domains"][place] for place in places]
    rows = [
        (PAPER, row["method"], row["lm"], *(f"{x:.2f}" for place in places for x in row["scores"][place]))
        for row in theirs["rows"]
    ]
    for who, group in _methods(runs).items():
        cells = []
        for domain in domains:
            numbers = summary([record for run in group if run.domain == domain for record in run.records])
            cells += [_percent(numbers.score("rougeL")), _percent(numbers.score("judge"))]
        rows.append(("ours", *who, *cells))
    heads = [f"{domain} {score}" for domain in domains for score in ("R-L", "judge")]
    return Table("Methods by domain (table 2)", ("source", "method", "lm", *heads), tuple(rows))


def table3(runs: Sequence[Run]) -> Table:
    """Graph-CoT by language model (the paper's table 3)."""
    walking = [run for run in runs if str(run.settings["reasoner"]).startswith("graph-cot")]
    return _judged("Graph-CoT by language model (table 3)", walking, paper()["table3"]["rows"])


def table4(runs: Sequence[Run]) -> Table:
    """Ways to retrieve (the paper's table 4)."""
    known = [run for run in runs if run.settings["reasoner"] in RETRIEVALS]
    return _judged("Ways to retrieve (table 4)", known, paper()["table4"]["rows"], RETRIEVALS)


def _judged(
    title: str,
    runs: Sequence[Run],
    theirs: Sequence[Mapping[str, Any]],
    names: Mapping[str, str] | None = None,
) -> Table:
    """A table of the judge's scores over all domains; empty where there is no run for it."""
    ours = []
    for (method, lm), group in _methods(runs).items():
        numbers = summary([record for run in group for record in run.records])
        reasoner = str(group[0].settings["reasoner"])
        called = method.replace(reasoner, (names or {}).get(reasoner, reasoner), 1)
        over = ", ".join(dict.fromkeys(run.domain for run in group))
        scores = (_percent(numbers.score("judge")), _percent(numbers.score("set_exact")))
        ours.append(("ours", called, lm, over, *scores))
    rows = [(PAPER, row["method"], row["lm"], "all", f"{row['judge']:.2f}", "-") for row in theirs]
    head = ("source", "method", "lm", "domains", "judge", "exact set")
    return Table(title, head, (*rows, *ours) if ours else ())


def _methods(runs: Sequence[Run]) -> dict[tuple[str, str], list[Run]]:
    """The runs of GRBench by method and language model."""
    runs = [run for run in runs if run.domain]
    groups: dict[tuple[str, str], list[Run]] = {}
    for run, method in zip(runs, methods(runs), strict=True):
        groups.setdefault((method, str(run.settings["lm"])), []).append(run)
    return groups


def _who(run: Run) -> tuple[str, str, str]:
    return run.name, str(run.settings["reasoner"]), str(run.settings["lm"])


def _columns(parts: Iterable[Summary]) -> list[str]:
    """The scores that any of these have: the known ones first, in their order."""
    there = dict.fromkeys(name for numbers in parts for name in numbers.scores)
    known = [name for name in _HEADS if name in there or name == "judge"]
    return known + [name for name in there if name not in _HEADS and name not in _INSIDE]


def _head(score: str) -> str:
    return _HEADS.get(score, score.replace("_", " "))


def _scores(numbers: Summary, columns: Sequence[str]) -> list[str]:
    return [_percent(numbers.score(name)) for name in columns]


def _percent(score: float | None) -> str:
    return "-" if score is None else f"{score * 100:.2f}"
