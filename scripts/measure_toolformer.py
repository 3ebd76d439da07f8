"""Measures statements end to end: table 4 of Graph-ToolFormer, and how often calls give the published results.

python scripts/measure_toolformer.py --data PROMPTS --out RUNS             # all data sets that the hub has; resumed if there

Data sets without test prompts are asked the first 160 train prompts: the annotator learnt those, so only their results count.
Topics of papers and functions of molecules are what the graph records; facts that a knowledge graph records are counted apart
from those that a model predicted, which is fitted first where it was not.
"""

import argparse
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path

from graphtalk.app import bench, console
from graphtalk.app.settings import Settings
from graphtalk.benchmarks.records import Record
from graphtalk.benchmarks.summary import Run, summary
from graphtalk.benchmarks.toolformer.figures import METRICS, PREFIX, Row, rows
from graphtalk.benchmarks.toolformer.tasks import TEST
from graphtalk.core import UsageError
from graphtalk.hub import hub_folder

TRAIN, ASKED = "prompts_train", 160
SCORES = ("R-1", "R-2", "R-L", "R-LSum", "BLEU", "BP", "API acc.", "strict", "result")


def measured(name: str, row: Row, data: Path, out: Path) -> Run | None:
    """The run of a data set; None where its prompts are not there, or its calls need what the hub does not have."""
    test = data / row.folder / TEST
    asked = test if test.is_file() else data / row.folder / TRAIN
    if not asked.is_file() or (asked is not test and name not in fetched()):
        return None
    settings = Settings(lm="offline", reasoner="toolformer")
    console.say(f"{name}: {asked}")
    with redirect_stdout(io.StringIO()):
        bench.run(
            bench.Chosen(f"{PREFIX}{name}", "", out / name, settings, questions=asked, limit=ASKED), False
        )
    return Run.read(out / name)


def fetched() -> set[str]:
    """The data sets of the hub."""
    return {place.stem for place in hub_folder().glob("*.gt")}


def table_4(runs: dict[str, Run], data: Path) -> Iterator[str]:
    """The rows of the data sets with test prompts, the paper's first."""
    yield f"| data set | by | {' | '.join(SCORES)} |"
    yield "|---|---|" + "---|" * len(SCORES)
    for name, run in runs.items():
        row, ours = rows()[name], summary(run.records)
        if not (data / row.folder / TEST).is_file():
            continue
        paper = [f"{row.scores[metric]:.2f}" for metric in METRICS]
        yield f"| {name} | the paper | {' | '.join(paper)} | – | – |"
        found = (ours.score(metric) for metric in (*METRICS, "correct", "result"))
        cells = ["–" if score is None else f"{100 * score:.2f}" for score in found]
        yield f"| | graphtalk | {' | '.join(cells)} |"


def results(runs: dict[str, Run], data: Path) -> Iterator[str]:
    """How many calls ran and gave the published result, apart those that the graph records."""
    yield "| data set | prompts | ran | right | recorded or computed: right | predicted: right |"
    yield "|---|---|---|---|---|---|"
    for name, run in runs.items():
        split = "test" if (data / rows()[name].folder / TEST).is_file() else "train"
        ran = sum(record.scores["ran"] for record in run.records)
        cells = [f"{ran:.0f} of {len(run.records)}"]
        if any("result" in record.scores for record in run.records):
            known = knows(name)
            parts = [[r for r in run.records if known(r)], [r for r in run.records if not known(r)]]
            cells += [_right(part) for part in (list(run.records), *parts)]
        else:
            cells += ["not published", "–", "–"]
        yield f"| {name} | {split} | {' | '.join(cells)} |"


def _right(records: list[Record]) -> str:
    right = sum(record.scores["result"] for record in records)
    return f"{right:.0f} of {len(records)} ({100 * right / len(records):.1f} %)" if records else "none asked"


def knows(name: str) -> Callable[[Record], bool]:
    """Whether the answer to a record of this data set is recorded in the graph, or computed from it."""
    if name in ("wordnet", "freebase"):
        return lambda record: bool(record.answer["evidence"]["edges"])
    return lambda record: True


def main() -> int:
    """Asks all data sets, and prints both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of Graph-ToolFormer's prompts")
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs, taken up if there")
    options = parser.parse_args()
    try:
        found = {
            name: run
            for name, row in rows().items()
            if (run := measured(name, row, options.data, options.out))
        }
        print(*table_4(found, options.data), "", *results(found, options.data), sep="\n")
    except UsageError as error:
        console.say(str(error))
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
