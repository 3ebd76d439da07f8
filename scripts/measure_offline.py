"""How many benchmark questions the offline reasoner answers right. The only place that reads gold answers.

    python scripts/measure_offline.py grbench STORE QUESTIONS.jsonl
    python scripts/measure_offline.py metaqa STORE FOLDER --hops 1 --sample 1000 [--no-brackets]
    python scripts/measure_offline.py own [NAME ...] [--accept CONFIDENCE]
    python scripts/measure_offline.py hub [NAME ...] [--by planner|toolformer]

STORE is an imported graph. `hub` asks the questions of tests/questions/hub.jsonl about data sets of the hub that were
fetched, with fitted models. `own` asks the questions of tests/questions; the graphs of its larger sets are
imported into the cache from the benchmark data beside the checkout; `--accept` asks at another confidence than the
default. All print a table and the wrong answers; `--json FILE` keeps every record.
"""

import argparse
import collections
import itertools
import json
import lzma
import math
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.table import Table

import graphtalk as gt
from graphtalk.app.ask import DEFAULT, session
from graphtalk.app.settings import Settings
from graphtalk.core import JSON
from graphtalk.tools.values import as_number, to_json

# GRBench healthcare, by qid // 10. Templates that need edge types of which our copy of Hetionet is incomplete
# (gene - biological process, molecular function, cellular component, anatomy - expresses) cannot be scored.
UNSCORABLE = frozenset({2, 3, 5, 19, 20, 21, 25})
EASY = frozenset({0, 1, 2, 3, 4, 5, 6, 14, 15, 16})

# What MetaQA's kinds of questions call the node that a relation of movies leads to.
METAQA_NODES = {
    "starred actors": "actor",
    "directed by": "director",
    "written by": "writer",
    "release year": "year",
    "has genre": "genre",
    "in language": "language",
    "has tags": "tag",
    "has imdb rating": "imdbrating",
    "has imdb votes": "imdbvotes",
}

ROOT = Path(__file__).resolve().parents[1]
OWN = ROOT / "tests" / "questions"
BENCHMARKS = ROOT.parent / "shared" / "data"
# Our own sets, and what their graphs are: a built-in one, a folder of tests/questions/graphs, or a folder of the
# benchmark data with the recipe that reads it.
BUILT_IN = ("atlas",)
SMALL = ("academic", "ecommerce", "harbour", "legal", "literature", "museum", "other")
LARGE = {
    "hetionet": ("hetionet", "hetionet"),
    "metaqa": ("metaqa", "metaqa"),
    "wordnet": ("kg/WN18", "wn18"),
}
OWN_SETS = (*BUILT_IN, *SMALL, *LARGE)


@dataclass(frozen=True)
class Asked:
    """A question with its group in the table and its gold answer."""

    id: str
    group: str
    question: str
    gold: JSON | tuple[str, ...]


@dataclass(frozen=True)
class Scored:
    """An answer beside its gold answer."""

    id: str
    group: str
    question: str
    gold: JSON | tuple[str, ...]
    answer: object
    call: str
    exact: bool
    hit: bool
    declined: bool
    seconds: float


Score: TypeAlias = Callable[[Asked, gt.Answer, float], Scored]


def spells(names: Sequence[str], gold: str) -> bool:
    """Whether `gold` is these names in some order, joined by ", ". Names may contain commas themselves.

    >>> spells(["Edema", "Purpura, Schoenlein-Henoch"], "Purpura, Schoenlein-Henoch, Edema")
    True
    """
    left = collections.Counter(names)

    def read(rest: str) -> bool:
        if not rest:
            return not any(left.values())
        for name in sorted((n for n in left if left[n]), key=len, reverse=True):
            if rest == name or rest.startswith(name + ", "):
                left[name] -= 1
                if read(rest[len(name) + 2 :]):
                    return True
                left[name] += 1
        return False

    return bool(names) and read(gold)


def grbench(questions: Path) -> Iterator[Asked]:
    """GRBench's healthcare questions that can be scored."""
    for line in questions.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        template = int(row["qid"]) // 10
        if template not in UNSCORABLE:
            level = "easy" if template in EASY else "medium"
            yield Asked(row["qid"], f"{level} {template:02d}", row["question"], row["answer"])


def metaqa(folder: Path, hops: int, sample: int, seed: int, brackets: bool) -> Iterator[Asked]:
    """A sample of MetaQA's development questions of so many hops."""
    with lzma.open(folder / f"{hops}-hop" / "dev.txt.xz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    with lzma.open(folder / f"{hops}-hop" / "qa_dev_qtype.txt.xz", "rt", encoding="utf-8") as file:
        kinds = [line.strip() for line in file]
    for i in random.Random(seed).sample(range(len(rows)), min(sample, len(rows))):
        question = rows[i][0] if brackets else rows[i][0].replace("[", "").replace("]", "")
        yield Asked(str(i), kinds[i], question, tuple(rows[i][1].split("|")))


def score(asked: Asked, answer: gt.Answer, seconds: float) -> Scored:
    """Exact: the set of names, the number or the truth value is the gold one. Hit: one name of it is right."""
    value = answer.value
    names = [str(v) for v in value] if isinstance(value, list) else []
    if isinstance(asked.gold, tuple):
        exact = answer.answered and set(names) == set(asked.gold)
        hit = answer.answered and bool(set(names) & set(asked.gold))
    else:
        gold = str(asked.gold)
        exact = answer.answered and (spells(names, gold) if names else str(value) == gold)
        hit = exact or any(name in gold for name in names)
    return record(asked, answer, exact, hit, seconds)


def score_own(asked: Asked, answer: gt.Answer, seconds: float) -> Scored:
    """Exact: the value is the gold one; where there is none, the question is declined."""
    exact = (
        not answer.answered if asked.gold is None else answer.answered and agrees(answer.value, asked.gold)
    )
    return record(asked, answer, exact, exact, seconds)


def agrees(value: JSON, gold: JSON) -> bool:
    """Whether a value is the gold one: the same set of names, truth value, number or text, or the same groups.

    A list of one stands for its entry. Groups with a number each agree however they are written. A whole number must be exact, for it may be a year; others may differ by
    a thousandth, since gold ones are rounded.

    >>> agrees(["b", "a"], ["a", "b"]), agrees(["a"], "a"), agrees(0.3333, 1 / 3), agrees(True, 1)
    (True, True, True, False)
    >>> agrees([{"hull": "wood", "number": 15}, {"hull": "steel", "number": 11}], {"steel": 11, "wood": 15})
    True
    """
    mine, theirs = _groups(value), _groups(gold)
    if mine and theirs:
        return mine.keys() == theirs.keys() and all(agrees(mine[name], theirs[name]) for name in mine)
    value, gold = _entry(value), _entry(gold)
    if isinstance(value, list) and isinstance(gold, list):
        return {str(v) for v in value} == {str(g) for g in gold}
    if isinstance(gold, bool) or isinstance(value, bool):
        return value is gold
    if isinstance(gold, int | float):
        number = as_number(value) if isinstance(value, int | float | str) else None
        near = 1e-9 if isinstance(gold, int) else 1e-3
        return number is not None and math.isclose(number, gold, rel_tol=near)
    return value == gold


def _entry(value: JSON) -> JSON:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _groups(value: JSON) -> dict[str, JSON]:
    """Groups by name: of an object, or of rows of two columns; none of anything else."""
    if isinstance(value, dict):
        return value
    rows = [tuple(v.values()) for v in value if isinstance(v, dict)] if isinstance(value, list) else []
    return {str(row[0]): row[1] for row in rows if len(row) == 2}


def record(asked: Asked, answer: gt.Answer, exact: bool, hit: bool, seconds: float) -> Scored:
    """The record of an answer: of long lists the first names, and the call it came from."""
    value = answer.value
    call = answer.calls[-1].spelling if answer.calls else ""
    shown = [*value[:20], "…"] if isinstance(value, list) and len(value) > 20 else value
    shown = f"a table of {len(value):,}" if isinstance(value, dict) and len(value) > 20 else shown
    declined = not answer.answered
    return Scored(
        asked.id, asked.group, asked.question, asked.gold, shown, call, exact, hit, declined, seconds
    )


def own(name: str) -> Iterator[Asked]:
    """The questions of our own set `name`, grouped by set and half."""
    for line in (OWN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Asked(row["id"], f"{name} {row['split']}", row["question"], row["gold"])


def open_own(name: str) -> gt.Graph | gt.GraphSet:
    """The graph of our own set `name`. Raises UsageError where its benchmark data are absent."""
    if name in BUILT_IN:
        return gt.open(name)
    if name in SMALL:
        return gt.open(OWN / "graphs" / name)
    folder, recipe = LARGE[name]
    return gt.open(BENCHMARKS / folder, recipe=recipe)


def hub(names: Sequence[str]) -> Iterator[tuple[gt.Graph | gt.GraphSet, list[Asked]]]:
    """The questions about data sets of the hub, and their graphs; of all data sets where none is named.

    Where a question asks what a model says, the gold answer is what the call written beside it gives.
    """
    rows = [json.loads(line) for line in (OWN / "hub.jsonl").read_text(encoding="utf-8").splitlines()]
    for name, of_one in itertools.groupby(rows, lambda row: row["graph"]):
        if not names or name in names:
            graph = gt.open(name)
            yield (
                graph,
                [
                    Asked(row["id"], f"{row['kind']} {row['split']}", row["question"], _gold(graph, row))
                    for row in of_one
                ],
            )


def _gold(graph: gt.Graph | gt.GraphSet, row: Mapping[str, JSON]) -> JSON:
    if "call" not in row:
        return row["gold"]
    result = session(graph).call(str(row["call"]))
    return to_json(result.value, result.graph)


def run(
    graph: gt.Graph | gt.GraphSet,
    questions: Iterable[Asked],
    score: Score,
    reasoner: str = "offline",
    settings: Settings = DEFAULT,
) -> list[Scored]:
    """Ask all questions of one graph, one after the other, in one process."""
    records = []
    for asked in questions:
        started = time.perf_counter()
        answer = gt.ask(graph, asked.question, reasoner=reasoner, settings=settings)
        records.append(score(asked, answer, time.perf_counter() - started))
    return records


def follows(record: Scored) -> bool:
    """Whether a MetaQA answer's call goes along the relations that the question's kind names, in their order."""
    nodes = record.group.replace("tags", "tag").split("_to_")
    path = [b if a == "movie" else f"^{a}" for a, b in itertools.pairwise(nodes)]
    return path == [
        back + METAQA_NODES[name]
        for back, name in re.findall(r'"(\^?)([^"]+)"', record.call)
        if name in METAQA_NODES
    ]


def report_paths(records: Sequence[Scored]) -> None:
    """How many MetaQA answers went along the right relations, whether or not the copy of the graph is whole."""
    inexact = [r for r in records if not r.exact]
    print(
        f"right relations: {_share(sum(map(follows, records)), len(records))},",
        f"also in {sum(map(follows, inexact))} of the {len(inexact)} answers that are not exact",
    )


def report(records: Sequence[Scored], wrong: int) -> None:
    """A table by group, the median time, and the wrong answers."""
    console = Console(width=200)
    table = Table("group", "questions", "exact", "hit")
    groups = sorted({r.group for r in records})
    totals = [
        ("all", records),
        *((level, [r for r in records if r.group.startswith(level)]) for level in ("easy", "medium")),
    ]
    for name, part in [*((g, [r for r in records if r.group == g]) for g in groups), *totals]:
        if part:
            exact, hit = sum(r.exact for r in part), sum(r.hit for r in part)
            table.add_row(name, str(len(part)), _share(exact, len(part)), _share(hit, len(part)))
    console.print(table)
    print_times(console, records)
    print_wrong(console, records, wrong)


def report_own(records: Sequence[Scored], wrong: int) -> None:
    """A table by set and half: questions that have an answer, and those that have none and must be declined."""
    console = Console(width=200)
    table = Table("set", "questions", "right", "declined", "wrong", "unanswerable", "of these declined")
    for name in [*sorted({r.group for r in records}), "dev", "test", "fresh", "all"]:
        part = [r for r in records if name in {r.group, r.group.split()[-1], "all"}]
        asked = [r for r in part if r.gold is not None]
        right, declined = sum(r.exact for r in asked), sum(r.declined for r in asked)
        empty = [r for r in part if r.gold is None]
        table.add_row(
            name,
            str(len(asked)),
            _share(right, len(asked)),
            _share(declined, len(asked)),
            _share(len(asked) - right - declined, len(asked)),
            str(len(empty)),
            _share(sum(r.declined for r in empty), len(empty)),
            end_section=name.endswith("test"),
        )
    console.print(table)
    print_times(console, records)
    print_wrong(console, [r for r in records if r.group.endswith("dev")], wrong)


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.1%})" if whole else "-"


def print_times(console: Console, records: Sequence[Scored]) -> None:
    """How long questions took."""
    times = sorted(r.seconds for r in records)
    console.print(
        f"median {times[len(times) // 2] * 1000:.0f} ms, worst {times[-1] * 1000:.0f} ms a question"
    )


def print_wrong(console: Console, records: Sequence[Scored], most: int) -> None:
    """What was not answered right: gold answer, answer and call."""
    for r in [r for r in records if not r.exact][:most]:
        console.print(
            f"\n{r.id} ({r.group}) {r.question}\n  gold: {r.gold}\n  got:  {r.answer}\n  call: {r.call}",
            markup=False,
        )


def arguments() -> argparse.Namespace:
    """What is asked for on the command line."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--wrong", type=int, default=40, help="how many wrong answers to print")
    common.add_argument("--json", type=Path)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    tasks = parser.add_subparsers(dest="task", required=True)
    for task in ("grbench", "metaqa"):
        benchmark = tasks.add_parser(task, parents=[common])
        benchmark.add_argument("store")
        benchmark.add_argument("data", type=Path)
    benchmark.add_argument("--hops", type=int, default=1, choices=[1, 2, 3])
    benchmark.add_argument("--sample", type=int, default=1000)
    benchmark.add_argument("--seed", type=int, default=0)
    benchmark.add_argument("--no-brackets", action="store_true")
    ours = tasks.add_parser("own", parents=[common])
    ours.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(OWN_SETS)}; all by default")
    ours.add_argument("--accept", type=float, help="the confidence from which on a reading is answered")
    fitted = tasks.add_parser("hub", parents=[common])
    fitted.add_argument("names", nargs="*", metavar="NAME", help="data sets; all by default")
    fitted.add_argument("--by", default="offline", choices=["offline", "planner", "toolformer"])
    options = parser.parse_args()
    if options.task == "own" and not set(options.names) <= set(OWN_SETS):
        parser.error(f"there are the sets {', '.join(OWN_SETS)}")
    return options


def main() -> None:
    options = arguments()
    if options.task == "own":
        names = options.names or OWN_SETS
        settings = Settings(accept=options.accept)
        records = [r for name in names for r in run(open_own(name), own(name), score_own, settings=settings)]
        report_own(records, options.wrong)
    elif options.task == "hub":
        records = []
        for graph, of_one in hub(options.names):
            if options.by == "planner":  # without the annotator that it asks
                session(graph, Settings(reasoner="offline")).planner.second = None
            reasoner = "toolformer" if options.by == "toolformer" else "offline"
            records += run(graph, of_one, score_own, reasoner)
        report_own(records, options.wrong)
    elif options.task == "grbench":
        records = run(
            gt.open(options.store), grbench(options.data), score, settings=Settings(same_or_more=True)
        )
        report(records, options.wrong)
    else:
        questions = metaqa(options.data, options.hops, options.sample, options.seed, not options.no_brackets)
        records = run(gt.open(options.store), questions, score)
        report(records, options.wrong)
        report_paths(records)
    if options.json:
        options.json.write_text("".join(json.dumps(asdict(r)) + "\n" for r in records))


if __name__ == "__main__":
    sys.exit(main())
