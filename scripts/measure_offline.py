"""How many benchmark questions the offline reasoner answers right. The only place that reads gold answers.

    python scripts/measure_offline.py grbench STORE QUESTIONS.jsonl
    python scripts/measure_offline.py metaqa STORE FOLDER --hops 1 --sample 1000 [--no-brackets]

STORE is an imported graph. Both print a table and the wrong answers; `--json FILE` keeps every record.
"""

import argparse
import collections
import json
import lzma
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

import graphtalk as gt

# GRBench healthcare, by qid // 10. Templates that need edge types of which our copy of Hetionet is incomplete
# (gene - biological process, molecular function, cellular component, anatomy - expresses) cannot be scored.
UNSCORABLE = frozenset({2, 3, 5, 19, 20, 21, 25})
EASY = frozenset({0, 1, 2, 3, 4, 5, 6, 14, 15, 16})


@dataclass(frozen=True)
class Asked:
    """A question with its group in the table and its gold answer."""

    id: str
    group: str
    question: str
    gold: str | tuple[str, ...]


@dataclass(frozen=True)
class Scored:
    """An answer beside its gold answer."""

    id: str
    group: str
    question: str
    gold: str | tuple[str, ...]
    answer: object
    call: str
    exact: bool
    hit: bool
    seconds: float


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
        exact = answer.answered and (spells(names, asked.gold) if names else str(value) == asked.gold)
        hit = exact or any(name in asked.gold for name in names)
    call = answer.calls[-1].spelling if answer.calls else ""
    shown = value if len(names) <= 20 else [*names[:20], "…"]
    return Scored(asked.id, asked.group, asked.question, asked.gold, shown, call, exact, hit, seconds)


def run(store: str, questions: Iterable[Asked]) -> list[Scored]:
    """Ask all questions of one graph, one after the other, in one process."""
    graph = gt.open(store)
    records = []
    for asked in questions:
        started = time.perf_counter()
        answer = gt.ask(graph, asked.question)
        records.append(score(asked, answer, time.perf_counter() - started))
    return records


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
            table.add_row(
                name, str(len(part)), f"{exact} ({exact / len(part):.1%})", f"{hit} ({hit / len(part):.1%})"
            )
    console.print(table)
    times = sorted(r.seconds for r in records)
    console.print(
        f"median {times[len(times) // 2] * 1000:.0f} ms, worst {times[-1] * 1000:.0f} ms a question"
    )
    for r in [r for r in records if not r.exact][:wrong]:
        console.print(
            f"\n{r.id} ({r.group}) {r.question}\n  gold: {r.gold}\n  got:  {r.answer}\n  call: {r.call}",
            markup=False,
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=["grbench", "metaqa"])
    parser.add_argument("store")
    parser.add_argument("data", type=Path)
    parser.add_argument("--hops", type=int, default=1, choices=[1, 2, 3])
    parser.add_argument("--sample", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-brackets", action="store_true")
    parser.add_argument("--wrong", type=int, default=40, help="how many wrong answers to print")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.task == "grbench":
        questions = grbench(options.data)
    else:
        questions = metaqa(options.data, options.hops, options.sample, options.seed, not options.no_brackets)
    records = run(options.store, questions)
    report(records, options.wrong)
    if options.json:
        options.json.write_text("".join(json.dumps(asdict(r)) + "\n" for r in records))


if __name__ == "__main__":
    sys.exit(main())
