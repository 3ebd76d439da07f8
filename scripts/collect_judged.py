"""Asks sets of questions and keeps what is known of each reading, for `scripts/fit_judge.py`.

    .venv/bin/python scripts/collect_judged.py OUT.jsonl t2c SETS GRAPHS NAME ...
    .venv/bin/python scripts/collect_judged.py OUT.jsonl own HALF,... NAME ...
    .venv/bin/python scripts/collect_judged.py OUT.jsonl metaqa STORE FOLDER HOPS ...
    .venv/bin/python scripts/collect_judged.py OUT.jsonl grbench STORE MADE
    .venv/bin/python scripts/collect_judged.py OUT.jsonl filled FILE [NAME ...]

With `--every=K` each Kth question of each schema.

`t2c`: schemas of text2cypher (or `geoquery` beside them) under SETS, their graphs imported under GRAPHS. `own`: sets of
tests/questions, the halves named. `metaqa`: 60 of the second third of each development set of MetaQA (the network learnt from
the first, `measure_offline.py` asks any). `grbench`: questions as `graphtalk bench generate` makes them. `filled`: questions with readings
over graphs made for their schemas: of `paraphrases`, `written`, `written_held`, `written_near_held` (in the package) or any such file, all or those whose names begin so ("said_01"). A line for each question: its schema, whether a wording takes it whole (`said`), and
for each group of readings that give the same its features, whether that is right, what of the question it passes over so that it is
not answered (`lost`), which other words it passes over that nothing in the graph is like (`unexplained`), and how the reader tells it (`read`).
"""

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from graphtalk.calls import show
from graphtalk.calls.ast import Call
from graphtalk.calls.query import query_call
from graphtalk.core import JSON, GraphtalkError
from graphtalk.graphs import Graph, open_graph
from graphtalk.reasoners.candidates import Proposer, apart
from graphtalk.reasoners.judgement import features, together
from graphtalk.reasoners.reader.graph_shape import shape_of
from graphtalk.reasoners.reader.querying import query_of
from graphtalk.reasoners.reader.reader import answering
from graphtalk.reasoners.reader.reading import canonical, parsed
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor
from graphtalk.tools.values import to_json
from graphtalk.training.reader.filled import filled
from graphtalk.training.reader.ranking import linked
from graphtalk.training.reader.sources import read_groups

_EVERY = "--every="
PACKAGE = Path(__file__).parent.parent / "src/graphtalk/training/reader"
Right = Callable[[JSON, Call], bool]  # a value, and the call that gives it


def main() -> None:
    """See the module."""
    out, kind, *rest = (a for a in sys.argv[1:] if not a.startswith(_EVERY))
    every = next((int(a.removeprefix(_EVERY)) for a in sys.argv if a.startswith(_EVERY)), 1)
    match kind:
        case "t2c":
            asked = text2cypher(Path(rest[0]), Path(rest[1]), rest[2:])
        case "own":
            asked = own(rest[0].split(","), rest[1:])
        case "metaqa":
            asked = metaqa(Path(rest[0]), Path(rest[1]), list(map(int, rest[2:])))
        case "grbench":
            asked = grbench(Path(rest[0]), Path(rest[1]))
        case "filled":
            asked = over_filled(rest[0], rest[1:])
        case _:
            raise SystemExit(f"No kind {kind!r}: t2c, own, metaqa, grbench, filled.")
    with open(out, "w", encoding="utf-8") as file:
        for name, graph, questions in asked:
            index = Index.open(graph)
            proposer = Proposer(Executor(graph, index), index, None, False)
            for text, right in questions[::every]:
                file.write(
                    json.dumps({"schema": name, "question": text, **judged(proposer, text, right)}) + "\n"
                )
                file.flush()


def judged(proposer: Proposer, text: str, right: Right) -> dict[str, Any]:
    """The groups of readings of a question: features, and whether each is right."""
    found = proposer.propose(text)
    row: dict[str, Any] = {
        "said": bool(found.sure),
        "x": [],
        "right": [],
        "told": [],
        "read": [],
        "lost": [],
        "unexplained": [],
    }
    for candidates in apart(found.candidates):
        facts = [c.facts for c in candidates]
        groups = together(facts)
        x = features(found.asked, facts, groups)
        firsts = [candidates[g[0]] for g in groups]
        reads = [[r for r in (facts[i].read for i in g) if r] for g in groups]
        row["x"] += np.where(np.isnan(x), None, np.round(x, 4)).tolist()
        row["right"] += [right(to_json(c.result.value, c.result.graph), c.reading.call) for c in firsts]
        row["read"] += [max(own, key=lambda r: r.log).told if own else None for own in reads]
        row["told"] += [c.reading.words for c in firsts]
        row["lost"] += [list(c.lost) for c in firsts]
        row["unexplained"] += [list(c.unexplained) for c in firsts]
    return row


def text2cypher(
    sets: Path, graphs: Path, names: list[str]
) -> Iterator[tuple[str, Graph, list[tuple[str, Right]]]]:
    """The questions of schemas, judged as `score_questions.py` judges."""
    measure = _script("measure_reader")
    for name in names:
        graph = open_graph(graphs / name)
        assert isinstance(graph, Graph)
        rows = measure._questions(sets, name)

        def right(value: JSON, row: dict[str, Any]) -> bool:
            cells = value if isinstance(value, list) else list(value) if isinstance(value, dict) else [value]
            return bool(measure._right(row, [[c] for c in cells]))

        yield name, graph, [(r["question"], lambda v, _, r=r: right(v, r)) for r in rows]


def own(halves: list[str], names: list[str]) -> Iterator[tuple[str, Graph, list[tuple[str, Right]]]]:
    """The questions of tests/questions, judged as `measure_offline.py` judges. Nothing is right where there is no answer."""
    measure = _script("measure_offline")
    for name in names:
        questions = [q for q in measure.own(name) if q.group.split()[-1] in halves]
        yield (
            name,
            measure.open_own(name),
            [
                (
                    q.question,
                    lambda v, _, q=q: (
                        q.gold is not None and any(measure.agrees(v, g) for g in (q.gold, *q.also))
                    ),
                )
                for q in questions
            ],
        )


def metaqa(
    store: Path, folder: Path, hops: list[int]
) -> Iterator[tuple[str, Graph, list[tuple[str, Right]]]]:
    """Questions of MetaQA, without the brackets round names: right is what goes along the right relations."""
    measure = _script("measure_offline")
    graph = open_graph(store)
    assert isinstance(graph, Graph)

    def right(asked: Any, value: JSON, call: Call) -> bool:
        names = value if isinstance(value, list) else [value]
        exact = set(map(str, names)) == set(asked.gold)
        return exact or bool(measure.along(asked.group, show(call, "toolformer")))

    for number in hops:
        every = measure.metaqa(folder, number, 10**9, 0, False)
        rows = sorted(every, key=lambda a: int(a.id))
        asked = Random(number).sample(rows[len(rows) // 3 : 2 * len(rows) // 3], 60)
        yield "metaqa", graph, [(a.question, partial(right, a)) for a in asked]


def grbench(store: Path, made: Path) -> Iterator[tuple[str, Graph, list[tuple[str, Right]]]]:
    """Questions made of GRBench's templates, of which the whole answer is right."""
    measure = _script("measure_offline")
    graph = open_graph(store)
    assert isinstance(graph, Graph)

    def right(gold: str, value: JSON, _: Call) -> bool:
        names = [str(v) for v in value] if isinstance(value, list) else []
        return bool(measure.spells(names, gold)) if names else str(value) == gold

    rows = [json.loads(line) for line in made.read_text("utf-8").splitlines()]
    yield f"grbench {store.stem}", graph, [(r["question"], partial(right, str(r["answer"]))) for r in rows]


def over_filled(file: str, names: Sequence[str]) -> Iterator[tuple[str, Graph, list[tuple[str, Right]]]]:
    """Questions over graphs made for their schemas: right is what gives the same as their own reading.

    Left out are those that find nothing there.
    """
    path = Path(file) if Path(file).exists() else PACKAGE / f"{file}.jsonl.xz"
    groups = [g for g in read_groups(path) if not names or g.name.split()[0] in names]
    for group in groups:
        graph = filled(group, Random(group.name))
        executor, shape = Executor(graph, Index.open(graph)), shape_of(graph)
        questions: list[tuple[str, Right]] = []
        for e in group.examples:
            gold = None
            if e.actions != ("NONE",):
                try:
                    reading = answering(canonical(parsed(e.actions, shape), shape))
                    result = executor.run(query_call(query_of(reading, shape, list(map(linked, e.values)))))
                except (GraphtalkError, ValueError, KeyError):
                    continue
                gold = to_json(result.value, graph)
                if not gold:
                    continue
            questions.append((e.question, partial(_alike, gold, "SHARE" in e.actions)))
        yield group.name, graph, questions


def _alike(gold: JSON, share: bool, value: JSON, _: Call) -> bool:
    if share:  # in per cent, where others tell a part of one
        per_cent, told = _number(gold), _number(value)
        return per_cent is not None and told is not None and any(np.isclose(per_cent, (told, 100 * told)))
    return gold is not None and _entries(gold) == _entries(value)


def _number(value: JSON) -> float | None:
    """The number that a value is, alone in lists or columns."""
    while isinstance(value, list | dict) and len(value) == 1:
        value = value[0] if isinstance(value, list) else next(iter(value.values()))
    return float(value) if isinstance(value, int | float) else None


def _entries(value: JSON) -> frozenset[str]:
    """What a value tells: neither order nor the names of columns count, nor a group of what has no value."""
    if isinstance(value, dict):
        return frozenset(f"{_entry(key)}, {_entry(v)}" for key, v in value.items() if key)
    rows = value if isinstance(value, list) else [value]
    return frozenset(
        _entry(r) for r in rows if not (isinstance(r, dict) and len(r) > 1 and next(iter(r.values())) is None)
    )


def _entry(value: JSON) -> str:
    if isinstance(value, dict):
        return ", ".join(map(_entry, value.values()))
    return f"{value:.6g}" if isinstance(value, int | float) else str(value).lower()


def _script(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
