"""Tables of trainings and of runs of GraphQA in the shape of the G-Retriever paper's, its figures beside ours.

Tables 3 (settings), 4 (retrieval), 5 (hallucination), 6 (parts left out), 7 (encoders), 8 (language models), 10 (k), 11 (accuracy of
retrieval) and 12 (time); 9 shows the form of the data. A table of which there is nothing of ours has no rows.
"""

import json
import statistics
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from graphtalk.benchmarks.hallucination import Rates
from graphtalk.benchmarks.report import PAPER, Table
from graphtalk.benchmarks.summary import Run, summary
from graphtalk.core import JSON, UsageError
from graphtalk.core.reading import read_json

RESULT = "result.json"
METHODS = {
    "inference-only": "Zero-shot",
    "zero-shot": "Zero-shot",
    "zero-cot": "Zero-CoT",
    "cot-bag": "CoT-BAG",
    "kaping": "KAPING",
    "question-only": "Question only",
    "prompt-tuning": "Prompt tuning",
    "graph-token": "GraphToken",
    "frozen": "G-Retriever",
    "lora-only": "LoRA",
    "lora": "G-Retriever w/ LoRA",
}
STRICT = "whole_answer"
LLAMA = "Llama2-7b"
_HOW = (
    "task",
    "setting",
    "lm",
    "encoder",
    "embedder",
    "retrieval",
    "examples",
    "size",
    "lora",
    "lengths",
    "eight_bit",
)


@dataclass(frozen=True)
class Training:
    """What `result.json` of a training says. The first of `scores` is the paper's; scores are from 0 to 1."""

    name: str
    facts: Mapping[str, Any]

    @classmethod
    def read(cls, folder: Path) -> "Training":
        """The training of a folder. Raises UsageError where it is none, or not done."""
        path = folder / RESULT
        try:
            facts = read_json(path.read_text(encoding="utf-8"))
            needed = ("task", "setting", "lm", "encoder", "scores", "nodes_before", "nodes_after")
            if lacks := [name for name in needed if name not in facts]:
                raise ValueError(f"no {lacks[0]}")
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(f"{path} does not tell of a training ({error}).") from error
        return cls(str(folder), facts)

    @property
    def task(self) -> str:
        """The task that it was trained on."""
        return str(self.facts["task"])

    @property
    def setting(self) -> str:
        """`frozen`, or `frozen without encoder`."""
        return str(self.facts["setting"])

    @property
    def score(self) -> str:
        """The paper's score, and the strict one; of several seeds with their deviations."""
        scores = self.facts["scores"]
        names = (next(iter(scores), ""), STRICT)
        return " / ".join(percent(scores.get(name), self.deviation(name)) for name in names)

    def deviation(self, score: str) -> float | None:
        """The standard deviation of a score over seeds; None for one seed."""
        found: float | None = self.facts.get("deviations", {}).get(score)
        return found

    @property
    def k(self) -> str:
        """How many nodes and edges got prizes."""
        how = self.facts.get("retrieval")
        return f"{how['nodes']} nodes, {how['edges']} edges" if how else "whole graph"

    def to_json(self) -> dict[str, JSON]:
        """All that is known of it."""
        return {"training": self.name, **self.facts}


def of_seeds(trainings: Sequence[Training]) -> list[Training]:
    """Trainings that differ in nothing but their seed as one, with mean scores and their deviations."""
    groups: dict[str, list[Training]] = {}
    for each in trainings:
        how = {key: each.facts.get(key) for key in _HOW}
        schedule = {key: value for key, value in (each.facts.get("schedule") or {}).items() if key != "seed"}
        groups.setdefault(json.dumps([how, schedule], sort_keys=True), []).append(each)
    return [group[0] if len(group) == 1 else _together(group) for group in groups.values()]


def _together(group: Sequence[Training]) -> Training:
    first = group[0]
    values = {name: [float(each.facts["scores"][name]) for each in group] for name in first.facts["scores"]}
    seeds = sorted(each.facts["schedule"]["seed"] for each in group)
    folder = Path(first.name).parent if Path(first.name).name.startswith("seed-") else Path(first.name)
    told = {
        "scores": {name: statistics.fmean(of) for name, of in values.items()},
        "deviations": {name: statistics.stdev(of) for name, of in values.items()},
        "seeds": seeds,
    }
    return Training(f"{folder} ({len(group)} seeds)", {**first.facts, **told})


def is_training(folder: Path) -> bool:
    """Whether a folder is that of a training that is done."""
    return (folder / RESULT).exists()


def tables(trainings: Sequence[Training], runs: Sequence[Run]) -> Iterator[Table]:
    """All tables of which there is something of ours. Trainings of several seeds are one row."""
    trainings = of_seeds(trainings)
    frozen = [t for t in trainings if t.setting == "frozen"]
    ablated = [t for t in trainings if t.setting.startswith("frozen")]
    runs = [run for run in runs if run.task in paper()["table3"]["tasks"]]
    answering = [run for run in runs if run.listed is None]
    found = (
        settings_table(trainings, answering),
        retrieval_table(trainings),
        hallucination_table(
            (run.name, str(run.settings["reasoner"]), str(run.settings["lm"]), run.listed)
            for run in runs
            if run.listed is not None
        ),
        _table("Parts left out (table 6)", "setting", ablated, lambda t: t.setting, _left_out()),
        _table("Graph encoders (table 7)", "encoder", frozen, lambda t: str(t.facts["encoder"]), _encoders()),
        _table("Language models (table 8)", "lm", frozen, lambda t: str(t.facts["lm"]), _models()),
        _table("Effect of k (table 10)", "k", frozen, lambda t: t.k, _ks()),
        accuracy_table(trainings),
        time_table(trainings, answering),
        _table("Embedders", "embedder", frozen, lambda t: str(t.facts.get("embedder", "static")), ()),
    )
    return (table for table in found if table.rows)


@cache
def paper() -> dict[str, Any]:
    """The paper's figures, from `paper.toml`."""
    text = files("graphtalk.benchmarks.graphqa").joinpath("paper.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def settings_table(trainings: Sequence[Training], runs: Sequence[Run]) -> Table:
    """What a model is given and what is trained (table 3)."""
    theirs = paper()["table3"]
    there = {t.task for t in trainings} | {run.task for run in runs}
    tasks = [task for task in theirs["tasks"] if task in there]
    places = [theirs["tasks"].index(task) for task in tasks]
    rows = [
        (PAPER, row["method"], LLAMA, *(_theirs(row, place) for place in places)) for row in theirs["rows"]
    ]
    for t in trainings:
        rows.append(
            (t.name, METHODS.get(t.setting, t.setting), str(t.facts["lm"]), *_at(tasks, t.task, t.score))
        )
    for run in runs:
        rows.append((run.name, _method(run), str(run.settings["lm"]), *_at(tasks, run.task, _run_score(run))))
    return Table(
        "Settings (table 3); ours: the paper's score / whole answers",
        ("source", "method", "lm", *tasks),
        tuple(rows) if tasks else (),
    )


def retrieval_table(trainings: Sequence[Training]) -> Table:
    """What retrieval leaves of a graph, and what that saves (table 4)."""
    rows = []
    for t in trainings:
        facts, minutes = t.facts, t.facts.get("minutes_per_epoch")
        sizes = [facts.get(f"{what}_{when}") for when in ("before", "after") for what in ("tokens", "nodes")]
        told = ["-" if size is None else f"{size:,.1f}" for size in sizes]
        rows.append((t.name, t.task, t.setting, *told, "-" if minutes is None else f"{minutes:.2f}"))
    theirs = [
        (
            PAPER,
            row["task"],
            setting,
            *(f"{x:,}" for x in (*row["before"][:2], *row["after"][:2])),
            f"{minutes}",
        )
        for row in paper()["table4"]["rows"]
        if row["task"] in {t.task for t in trainings}
        for setting, minutes in (("frozen without retrieval", row["before"][2]), ("frozen", row["after"][2]))
    ]
    head = ("source", "task", "setting", "tokens before", "nodes before", "tokens after", "nodes after")
    return Table("Retrieval (table 4)", (*head, "minutes an epoch"), (*theirs, *rows) if rows else ())


def hallucination_table(measured: Iterable[tuple[str, str, str, Rates]]) -> Table:
    """How much of what answers list as their support is in the graph (table 5). `measured`: source, method, model, measures."""
    ours = [
        (
            source, method, lm, str(of.answers), str(of.naming),
            percent(of.valid_nodes), percent(of.valid_edges), percent(of.fully_valid),
        )
        for source, method, lm, of in measured
    ]  # fmt: skip
    theirs = [
        (PAPER, row["method"], LLAMA, "100", "-", *(f"{row[name]:.2f}" for name in _VALID))
        for row in paper()["table5"]["rows"]
    ]
    head = ("source", "method", "lm", "answers", "that list any", *_VALID.values())
    return Table("Hallucination (table 5)", head, (*theirs, *ours) if ours else ())


def accuracy_table(trainings: Sequence[Training]) -> Table:
    """How often a right answer is in what was retrieved (table 11)."""
    known = [
        t for t in trainings if t.facts.get("retrieval") and t.facts.get("answers_retrieved") is not None
    ]
    theirs = [(PAPER, row["method"], _WEBQSP, f"{row['score']:.2f}") for row in paper()["table11"]["rows"]]
    ours = [(t.name, t.k, t.task, percent(t.facts["answers_retrieved"])) for t in known]
    head = ("source", "retrieved by", "task", "answers in what was retrieved %")
    return Table(
        "Retrieval accuracy (table 11)",
        head,
        (*theirs, *ours) if any(t.task == _WEBQSP for t in known) else (),
    )


def time_table(trainings: Sequence[Training], runs: Sequence[Run]) -> Table:
    """What a setting costs beside what it gives (table 12). The time of a run is that of its questions one after the other."""
    ours = [
        (t.name, METHODS.get(t.setting, t.setting), t.task, t.score, _minutes(t))
        for t in trainings
        if t.task == _WEBQSP
    ]
    ours += [
        (
            run.name,
            _method(run),
            run.task,
            _run_score(run),
            f"{sum(r.seconds for r in run.records) / 60:.1f} min",
        )
        for run in runs
        if run.task == _WEBQSP
    ]
    theirs = [
        (PAPER, row["method"], _WEBQSP, f"{row['score']:.2f}", row["time"])
        for row in paper()["table12"]["rows"]
    ]
    head = ("source", "method", "task", "score / whole answers", "time")
    return Table("Time (table 12)", head, (*theirs, *ours) if ours else ())


def _minutes(training: Training) -> str:
    minutes, seconds = training.facts.get("minutes_per_epoch"), training.facts.get("seconds_to_answer")
    if minutes is not None:
        return f"{minutes:.1f} min/epoch"
    return "-" if seconds is None else f"{seconds / 60:.1f} min"


def _table(
    title: str,
    kind: str,
    trainings: Sequence[Training],
    of: Callable[[Training], str],
    theirs: Iterable[tuple[str, str, str]],
) -> Table:
    """Trainings that differ in one thing; empty where there are no two of a task. `theirs`: thing, task, score."""
    tasks = {t.task for t in trainings if any(o.task == t.task and of(o) != of(t) for o in trainings)}
    ours = [(t.name, of(t), t.task, t.score) for t in trainings if t.task in tasks]
    rows = [(PAPER, thing, task, score) for thing, task, score in theirs if task in tasks]
    return Table(title, ("source", kind, "task", "score / whole answers"), (*rows, *ours) if ours else ())


_WEBQSP = "graphqa-webqsp"
_VALID = {
    "valid_nodes": "valid nodes %",
    "valid_edges": "valid edges %",
    "fully_valid": "fully valid graphs %",
}


def _left_out() -> Iterator[tuple[str, str, str]]:
    for row in paper()["table6"]["rows"]:
        yield f"frozen without {row['without']}", _WEBQSP, f"{row['score']:.2f}"


def _encoders() -> Iterator[tuple[str, str, str]]:
    for row in paper()["table7"]["rows"]:
        for task, score in row["scores"].items():
            yield row["encoder"], task, f"{score:.2f}"


def _models() -> Iterator[tuple[str, str, str]]:
    for row in paper()["table8"]["rows"]:
        yield row["lm"], _WEBQSP, f"{row['score']:.2f}"


def _ks() -> Iterator[tuple[str, str, str]]:
    for row in paper()["table10"]["rows"]:
        yield str(row["k"]), _WEBQSP, f"{row['score']:.2f}"


def _at(tasks: Sequence[str], task: str, score: str) -> list[str]:
    return [score if name == task else "-" for name in tasks]


def _theirs(row: Mapping[str, Any], place: int) -> str:
    """A score of table 3, with its deviation over four seeds where something was trained."""
    deviation = row["deviations"][place] / 100 if "deviations" in row else None
    return percent(row["scores"][place] / 100, deviation)


def _method(run: Run) -> str:
    named = str(run.settings["reasoner"])
    return METHODS.get(named, named)


def _run_score(run: Run) -> str:
    """The paper's score, and the strict one."""
    scores = summary(run.records).scores
    lenient = next((scores[name] for name in ("accuracy", "hit") if name in scores), None)
    return " / ".join(map(percent, (lenient, scores.get(STRICT))))


def percent(score: float | None, deviation: float | None = None) -> str:
    """A score from 0 to 1 in percent, with its deviation where it has one."""
    if score is None:
        return "-"
    return f"{100 * score:.2f}" + (f" ± {100 * deviation:.2f}" if deviation is not None else "")
