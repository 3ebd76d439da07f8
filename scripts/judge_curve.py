"""How often the offline reader's best reading is right, by how sure it is of it, whether or not that is enough to answer.

    .venv/bin/python scripts/judge_curve.py own dev|fresh|all NAME ...
    .venv/bin/python scripts/judge_curve.py written FILE [--every K] [--offset N]

`own`: sets of tests/questions. `written`: questions with readings over graphs made for their schemas, as `collect_judged.py filled`
takes them (`written_near_held`: half are near misses, which nothing answers). Readings that leave out something of the question are
not counted; those that wordings and phrases take whole stand apart.
"""

import argparse
import importlib.util
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import graphtalk as gt
from graphtalk.app.ask import session
from graphtalk.app.settings import Settings
from graphtalk.reasoners.offline import ACCEPT, Judged, OfflineReasoner
from graphtalk.tools.values import to_json

BINS = (0.97, 0.95, 0.92, 0.9, 0.88, 0.85, ACCEPT, 0.75, 0.7, 0.65, 0.6, 0.5, 0.4)


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="kind", required=True)
    ours = commands.add_parser("own")
    ours.add_argument("half", choices=("dev", "fresh", "all"))
    ours.add_argument("names", nargs="+")
    written = commands.add_parser("written")
    written.add_argument("file")
    written.add_argument("--every", type=int, default=1)
    written.add_argument("--offset", type=int, default=0)
    options = parser.parse_args()
    if options.kind == "own":
        rows = own(options.half, options.names)
    else:
        rows = over_written(options.file, options.every, options.offset)
    found = Counter[tuple[float, bool, bool]]()
    for sure, whole, right in rows:
        found[next((b for b in BINS if sure >= b), 0.0), whole, right] += 1
    print(
        f"{found.total()} questions. From: right, wrong of what is taken whole; of what is judged; of all so far"
    )
    right, wrong = 0, 0
    for least in BINS:
        counts = [found[least, whole, right] for whole in (True, False) for right in (True, False)]
        right, wrong = right + counts[0] + counts[2], wrong + counts[1] + counts[3]
        print(f"{least:.2f}: {counts[0]:4} {counts[1]:3}   {counts[2]:4} {counts[3]:3}   {right:4} {wrong:3}")


def own(half: str, names: Sequence[str]) -> Iterator[tuple[float, bool, bool]]:
    """The confidence of the best reading of each question of our own sets, whether it was taken whole, and whether it is right."""
    measure = _script("measure_offline")
    for name in names:
        graph = measure.open_own(name)
        reader = session(graph, Settings(reasoner="offline")).planner
        for asked in measure.own(name, "" if half == "all" else half):
            best, whole = best_of(reader, asked.question)
            if best is None or asked.gold is None:
                yield 0.0 if best is None else best.confidence, whole, False
                continue
            value = to_json(best.result.value, best.result.graph)
            answer = gt.Answer(True, "", value=value, calls=best.result.calls)
            yield best.confidence, whole, measure.score_own(asked, answer, 0.0).right


def over_written(file: str, every: int, offset: int) -> Iterator[tuple[float, bool, bool]]:
    """The same of questions over graphs made for their schemas."""
    for _, graph, questions in _script("collect_judged").over_filled(file, []):
        reader = session(graph, Settings(reasoner="offline")).planner
        for text, alike in questions[offset::every]:
            best, whole = best_of(reader, text)
            value = None if best is None else to_json(best.result.value, best.result.graph)
            yield 0.0 if best is None else best.confidence, whole, best is not None and alike(value, None)


def best_of(reader: OfflineReasoner, question: str) -> tuple[Judged | None, bool]:
    """The likeliest reading that leaves nothing out, and whether a wording or a phrase took the question whole."""
    proposed, judged = reader.read(question)
    return next((j for j in judged if not j.lost), None), bool(proposed.sure)


def _script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
