"""How many benchmark questions the offline reasoner answers right. The only place that reads gold answers.

    python scripts/measure_offline.py grbench STORE QUESTIONS.jsonl
    python scripts/measure_offline.py metaqa STORE FOLDER --hops 1 --sample 1000 [--no-brackets]
    python scripts/measure_offline.py own [NAME ...] [--half fresh] [--accept CONFIDENCE]
    python scripts/measure_offline.py hub [NAME ...] [--by planner|toolformer]

STORE is an imported graph. `hub` asks the questions of tests/questions/hub.jsonl about data sets of the hub that were
fetched, with fitted models. `own` asks the questions of tests/questions; the graphs of its larger sets are
imported into the cache from the benchmark data beside the checkout; `--accept` asks at another confidence than the
default. All print a table of what is right, declined and wrong, beside it what the planner alone would give (its first
plan that fits and uses all words, however unsure), and the wrong answers. "Offered": declined, but the right reading is
among those to choose from. `--json FILE` keeps every record.
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
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.table import Table

import graphtalk as gt
from graphtalk.app.ask import session
from graphtalk.app.session import Session
from graphtalk.app.settings import DEFAULT, Settings
from graphtalk.core import JSON, CallError
from graphtalk.tools.executor import Result
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
SMALL = (
    "academic",
    "apiary",
    "beekeepers",
    "bellringers",
    "brewery",
    "clinic",
    "cloud",
    "consultancy",
    "costumes",
    "council",
    "digs",
    "engineers",
    "espresso",
    "ecommerce",
    "estuary",
    "farm",
    "festival",
    "football",
    "fungi",
    "garden",
    "grandstack",
    "grants",
    "harbour",
    "hospital",
    "insurance",
    "kitchen",
    "legal",
    "literature",
    "maritime",
    "microscopy",
    "museum",
    "northwind",
    "nursery",
    "observatory",
    "offshoreleaks",
    "operations",
    "orchestra",
    "other",
    "pharmacology",
    "podcasts",
    "puppets",
    "railway",
    "rescue",
    "scene",
    "shipping",
    "software",
    "subtitles",
    "supply",
    "theatre",
    "trains",
    "waste",
    "waternet",
    "driving",
    "flying",
    "knitting",
    "radio",
    "waterworks",
    "windfarm",
    "yachts",
    "zoo",
)
LARGE = {
    "hetionet": ("hetionet", "hetionet"),
    "metaqa": ("metaqa", "metaqa"),
    "wordnet": ("kg/WN18", "wn18"),
}
OWN_SETS = (*BUILT_IN, *SMALL, *LARGE)


@dataclass(frozen=True)
class Asked:
    """A question with its group in the table and its gold answer, and others that are right as well."""

    id: str
    group: str
    question: str
    gold: JSON | tuple[str, ...]
    also: tuple[JSON, ...] = ()


@dataclass(frozen=True)
class Scored:
    """An answer beside its gold answer. `offered`: declined, with the right reading to choose; `alone`: what the planner gives."""

    id: str
    group: str
    question: str
    gold: JSON | tuple[str, ...]
    answer: object
    call: str
    exact: bool
    right: bool
    declined: bool
    seconds: float
    confidence: float | None = None
    offered: bool = False
    alone: str = ""


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
    """GRBench: the names in some order, the number or the truth value is the gold one."""
    names = [str(v) for v in answer.value] if isinstance(answer.value, list) else []
    gold = str(asked.gold)
    exact = answer.answered and (spells(names, gold) if names else str(answer.value) == gold)
    return record(asked, answer, exact, exact, seconds)


def score_metaqa(asked: Asked, answer: gt.Answer, seconds: float) -> Scored:
    """MetaQA: right is also what goes along the right relations, for our copy of the graph is not whole."""
    names = [str(v) for v in answer.value] if isinstance(answer.value, list) else [str(answer.value)]
    exact = answer.answered and isinstance(asked.gold, tuple) and set(names) == set(asked.gold)
    scored = record(asked, answer, exact, exact, seconds)
    return replace(scored, right=exact or (answer.answered and along(scored.group, scored.call)))


def score_own(asked: Asked, answer: gt.Answer, seconds: float) -> Scored:
    """Exact: the value is the gold one; where there is none, the question is declined. Right: it is that, or what its writer would accept."""
    if asked.gold is None:
        exact = right = not answer.answered
    else:
        exact = answer.answered and agrees(answer.value, asked.gold)
        right = exact or (answer.answered and any(agrees(answer.value, other) for other in asked.also))
    return record(asked, answer, exact, right, seconds)


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
    if isinstance(gold, str) and isinstance(
        value, int
    ):  # a number that a file has is one here, though it be a key
        return str(value) == gold
    return value == gold


def _entry(value: JSON) -> JSON:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _groups(value: JSON) -> dict[str, JSON]:
    """Groups by name: of an object, or of rows of two columns; none of anything else."""
    if isinstance(value, dict):
        return value
    rows = [tuple(v.values()) for v in value if isinstance(v, dict)] if isinstance(value, list) else []
    return {str(row[0]): row[1] for row in rows if len(row) == 2}


def record(asked: Asked, answer: gt.Answer, exact: bool, right: bool, seconds: float) -> Scored:
    """The record of an answer: of long lists the first names, and the call it came from."""
    value = answer.value
    call = answer.calls[-1].spelling if answer.calls else ""
    shown = [*value[:20], "…"] if isinstance(value, list) and len(value) > 20 else value
    shown = f"a table of {len(value):,}" if isinstance(value, dict) and len(value) > 20 else shown
    declined = not answer.answered
    return Scored(
        asked.id,
        asked.group,
        asked.question,
        asked.gold,
        shown,
        call,
        exact,
        right,
        declined,
        seconds,
        answer.confidence,
    )


def own(name: str, half: str = "") -> Iterator[Asked]:
    """The questions of our own set `name`, of one half or of all, grouped by set and half."""
    for line in (OWN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if half in {"", row["split"]}:
            also = tuple(row.get("also", ()))
            yield Asked(row["id"], f"{name} {row['split']}", row["question"], row["gold"], also)


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
    settings, records = replace(settings, reasoner=reasoner), []
    asking = session(graph, settings)
    for asked in questions:
        started = time.perf_counter()
        answer = gt.ask(graph, asked.question, settings=settings)
        scored = score(asked, answer, time.perf_counter() - started)
        ran = (asking.call(a.call) for a in answer.alternatives if asked.gold is not None)
        offered = any(score(asked, _answered(result), 0.0).right for result in ran)
        alone = score(asked, planned(asking, asked.question), 0.0)
        alone_is = "right" if alone.right else "declined" if alone.declined else "wrong"
        records.append(replace(scored, offered=offered, alone=alone_is))
    return records


def planned(asking: Session, question: str) -> gt.Answer:
    """What the planner alone gives: its first plan that fits and passes over nothing, however unsure."""
    proposer = asking.planner.proposer
    asked = proposer.reader.ask(question) if proposer.reader is not None else None
    ranked = proposer.plans(question, asked.values if asked else ())
    for each in (r for r in ranked if r.fits and not proposer.unused(r)):
        try:
            return _answered(asking.executor.run(each.plan.call(asking.planner.graph)))
        except CallError:
            continue
    return gt.Answer(False, "No plan fits.")


def _answered(result: Result) -> gt.Answer:
    return gt.Answer(True, "", value=to_json(result.value, result.graph), calls=result.calls)


def along(group: str, call: str) -> bool:
    """Whether a call goes along the relations that a kind of MetaQA's questions names, in their order."""
    nodes = group.replace("tags", "tag").split("_to_")
    path = [b if a == "movie" else f"^{a}" for a, b in itertools.pairwise(nodes)]
    return path == [
        back + METAQA_NODES[name]
        for back, name in re.findall(r'"(\^?)([^"]+?)(?: -> \w+)?"', call)
        if name in METAQA_NODES
    ]


def report(records: Sequence[Scored], wrong: int, looked_at: Sequence[str] = ()) -> None:
    """A table by group of the questions that have an answer, those that have none, and what the planner alone gives.

    The wrong answers are printed of groups that end in a word of `looked_at`; of all where there is none.
    """
    console = Console(width=200)
    table = Table(
        "group", "questions", "right", "declined", "offered", "wrong",
        "unanswerable", "of these declined", "planner alone: right", "declined", "wrong",
    )  # fmt: skip
    groups = sorted({r.group for r in records})
    parts = collections.Counter(word for group in groups for word in group.split())
    shared = sorted(word for word, of in parts.items() if of > 1)
    for name in dict.fromkeys((*groups, *shared, "all")):
        part = [r for r in records if name in {r.group, *r.group.split(), "all"}]
        asked, empty = ([r for r in part if (r.gold is None) == none] for none in (False, True))
        counts = (
            len(asked),
            sum(r.right for r in asked),
            sum(r.declined for r in asked),
            sum(r.offered for r in asked),
            sum(not r.right and not r.declined for r in asked),
        )
        alone = collections.Counter(r.alone for r in asked)
        table.add_row(
            name,
            str(counts[0]),
            *(_share(c, counts[0]) for c in counts[1:]),
            str(len(empty)),
            _share(sum(r.declined for r in empty), len(empty)),
            *(_share(alone[what], counts[0]) for what in ("right", "declined", "wrong")),
        )
    console.print(table)
    times = sorted(r.seconds for r in records)
    console.print(
        f"exactly the gold value: {sum(r.exact for r in records)}; median {times[len(times) // 2] * 1000:.0f} ms, "
        f"worst {times[-1] * 1000:.0f} ms a question"
    )
    shown = [r for r in records if not r.right and (not looked_at or r.group.split()[-1] in looked_at)]
    for r in sorted(shown, key=lambda r: r.declined)[:wrong]:
        console.print(
            f"\n{r.id} ({r.group}) {r.question}\n  gold: {r.gold}\n  got:  {r.answer} ({r.confidence})\n  call: {r.call}",
            markup=False,
        )


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.1%})" if whole else "-"


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
    ours.add_argument("--half", default="", choices=["dev", "test", "fresh"], help="all by default")
    fitted = tasks.add_parser("hub", parents=[common])
    fitted.add_argument("names", nargs="*", metavar="NAME", help="data sets; all by default")
    fitted.add_argument("--by", default="offline", choices=["offline", "planner", "toolformer"])
    options = parser.parse_args()
    if options.task == "own" and not set(options.names) <= set(OWN_SETS):
        parser.error(f"there are the sets {', '.join(OWN_SETS)}")
    return options


def main() -> None:
    options = arguments()
    looked_at: tuple[str, ...] = ()
    if options.task == "own":
        names, looked_at = options.names or OWN_SETS, ("dev",)
        settings = Settings(accept=options.accept)
        records = [
            r
            for name in names
            for r in run(open_own(name), own(name, options.half), score_own, settings=settings)
        ]
    elif options.task == "hub":
        looked_at, records = ("dev",), []
        for graph, of_one in hub(options.names):
            if options.by == "planner":  # without the annotator that it asks
                session(graph, Settings(reasoner="offline")).planner.second = None
            reasoner = "toolformer" if options.by == "toolformer" else "offline"
            records += run(graph, of_one, score_own, reasoner)
    elif options.task == "grbench":
        records = run(
            gt.open(options.store), grbench(options.data), score, settings=Settings(same_or_more=True)
        )
    else:
        questions = metaqa(options.data, options.hops, options.sample, options.seed, not options.no_brackets)
        records = run(gt.open(options.store), questions, score_metaqa)
    if not records:
        sys.exit("There are no such questions.")
    report(records, options.wrong, looked_at)
    if options.json:
        options.json.write_text("".join(json.dumps(asdict(r)) + "\n" for r in records))


if __name__ == "__main__":
    sys.exit(main())
